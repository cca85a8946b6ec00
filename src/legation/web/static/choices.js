// The grammar of orders: how the choices of a turn are tapped, named, ranked, kept and written. Choices come from the
// server, and how each is given as its gesture; nothing here knows a rule, the name of an order, or the page.

/**
 * @typedef {[gesture: string, at: string, whom: string, to: string, text: string, label: string]} Choice
 * @typedef {{taps?: "place" | "site" | "again" | "helped", label?: string, asks?: string, group?: string, note?: string, key?: string, counts?: string, stroke?: string, rank?: number, carries?: boolean, repeats?: boolean}} Gesture
 * @typedef {{kind: string, at: string, power: string, choices: Choice[], lent?: boolean}} Unit
 * @typedef {{power: string, choice: Choice}} Given
 * @typedef {Map<string, Given>} Sheet  by key: a unit's province, "build PROVINCE", or gesture, power and whom it concerns
 * @typedef {{text: string, power: string, choice: Choice | null, problem?: any, keep?: boolean}} Line  of a sheet as the server reads it
 */

/** The province of a place, which may be a coast of it. @param {string} at */
export const province = (at) => at.split("/")[0];

/**
 * A template with its places filled in; what stands in brackets goes where its place is empty.
 * @param {string} template as "{unit} S {whom}[ - {to}]" @param {Record<string, string | undefined>} words
 */
export function fill(template, words) {
  const filled = template.replace(/\[([^\]]*)\]/g, (_, part) => {
    const name = part.match(/\{(\w+)\}/)?.[1];
    return name && !words[name] ? "" : part;
  });
  return filled.replace(/\{(\w+)\}/g, (_, name) => words[name] ?? "");
}

/** @param {Unit} unit */
export const sign = (unit) => `${unit.kind} ${unit.at}`;

/**
 * An order's text with other words in the place of some; empty where one of those doesn't stand there exactly once.
 * @param {string} text @param {[string, string][]} changes
 */
export function reworded(text, changes) {
  for (const [old, now] of changes) {
    const parts = ` ${text} `.split(` ${old} `);
    if (old === now) continue;
    if (parts.length !== 2) return "";
    text = parts.join(` ${now} `).trim();
  }
  return text;
}

/** The gestures of a turn, and what they say of its choices. */
export class Grammar {
  /** @param {Record<string, Gesture>} gestures by name; more may be added to them later */
  constructor(gestures) {
    this.gestures = gestures;
  }

  /** @param {Choice} choice @returns {Gesture} */
  gesture(choice) {
    return this.gestures[choice[0]] || {};
  }

  /** Whether a choice is tapped in this way. @param {Choice} choice @param {string | undefined} what */
  taps(choice, what) {
    return this.gesture(choice).taps === what;
  }

  /** @param {Choice} choice @param {(place: string) => string} name of a place */
  label(choice, name) {
    const [, at, whom, to, text, said] = choice;
    const { label } = this.gesture(choice);
    const named = (place) => place && name(place);
    return said || (label ? fill(label, { at: named(at), whom: named(whom), to: named(to) }) : text);
  }

  /**
   * How an order is written that is in no list, so that the checker says why: as its gesture has it, else like one that is legal, with
   * other places; empty where neither can be told. @param {Map<string, Unit>} units by province @param {Unit} unit @param {string} name of the gesture @param {string} whom @param {string} to
   */
  asking(units, unit, name, whom, to) {
    const { asks, taps } = this.gestures[name] || {};
    const other = units.get(whom);
    if (asks) return fill(asks, { unit: sign(unit), whom: other ? sign(other) : whom || to, to });
    const alike = unit.choices.filter((c) => c[0] === name && !c[3] === !to);
    const like = alike.find((c) => province(c[2]) === whom) || alike[0];
    if (!like) return "";
    const [, , helped, goal, text] = like;
    const before = units.get(province(helped));
    const bySign = before && other && text.includes(sign(before));
    /** @type {[string, string]} */
    const others = bySign ? [sign(before), sign(other)] : [helped, whom];
    return reworded(text, taps === "helped" ? [others, [goal, to]] : [[goal, to]]);
  }

  /**
   * A place for an order that helps a unit and isn't written without saying where that one goes; empty where it may stay.
   * @param {Unit} unit @param {string} name of the gesture @param {string} whom
   */
  anyGoal(unit, name, whom) {
    const goals = unit.choices.filter((c) => c[0] === name).map((c) => c[3]);
    return goals.every(Boolean) ? goals.find((to) => province(to) !== whom) || "" : "";
  }

  /** The orders by which a unit helps another, of one gesture or of any. @param {Unit} unit @param {string} place @param {string | null} by */
  helps(unit, place, by = null) {
    return unit.choices.filter((c) => this.taps(c, "helped") && (!by || c[0] === by) && province(c[2]) === place);
  }

  /**
   * The ways in which the fewest units of a power could carry one of its own to a place, one beside the next, each with its order to do
   * so; none where no chain of them reaches. @param {Map<string, Unit>} units by province @param {Unit} unit @param {string} to @param {(carrier: Unit, choice: Choice) => boolean} may
   * @returns {[Unit, Choice][][]}
   */
  routes(units, unit, to, may) {
    /** @type {[Unit, Choice][]} */
    const carriers = [];
    for (const carrier of units.values()) {
      const choice =
        carrier.power === unit.power &&
        carrier.choices.find((c) => this.gesture(c).carries && province(c[2]) === province(unit.at) && c[3] === to);
      if (choice && may(carrier, choice)) carriers.push([carrier, choice]);
    }
    /** @type {(carrier: Unit, place: string) => boolean} */
    const borders = (carrier, place) =>
      carrier.choices.some((c) => this.taps(c, "place") && province(c[3]) === province(place));
    const ways = carriers.filter(([carrier]) => borders(carrier, unit.at)).map((first) => [first]);
    const met = new Set(ways.map(([[carrier]]) => carrier));
    const there = [];
    for (const way of ways) {
      // it grows while it is walked through
      if (there.length && way.length > there[0].length) break;
      const [last] = way[way.length - 1];
      if (borders(last, to)) {
        there.push(way);
        continue;
      }
      for (const next of carriers)
        if (!met.has(next[0]) && borders(last, next[0].at)) {
          met.add(next[0]);
          ways.push([...way, next]);
        }
    }
    return there;
  }

  /** The names of a unit's gestures that are tapped in one way, the one meant first before. @param {Unit} unit @param {string | undefined} what */
  named(unit, what) {
    const names = new Set(unit.choices.filter((c) => this.taps(c, what)).map((c) => c[0]));
    return [...names].sort((a, b) => this.rank(a) - this.rank(b));
  }

  /** @param {string} name of a gesture */
  rank(name) {
    return this.gestures[name]?.rank || 0;
  }

  /** Of choices that fit the same taps: the one meant first, and the others. @param {Choice[]} choices @returns {[Choice, Choice[]]} */
  ranked(choices) {
    const [first, ...others] = [...choices].sort((a, b) => this.rank(a[0]) - this.rank(b[0]));
    return [first, others];
  }

  /** Where an order stands on a sheet; one that may be given several times has a number. @param {Sheet} sheet @param {string} power @param {Choice} choice */
  key(sheet, power, choice) {
    const [name, at, whom] = choice;
    if (at) return this.taps(choice, "site") ? "build " + province(at) : province(at);
    let key = `${name} ${power} ${whom}`;
    for (let i = 2; this.gesture(choice).repeats && sheet.has(key); i++) key = `${name} ${power} ${i}`;
    return key;
  }

  /** The sheet that was read of a text, and by power the lines that stay as they were written. @param {Line[]} lines @returns {{sheet: Sheet, unread: Record<string, string[]>}} */
  read(lines) {
    /** @type {Sheet} */
    const sheet = new Map();
    /** @type {Record<string, string[]>} */
    const unread = {};
    for (const { text, power, choice, problem, keep } of lines) {
      if (choice && !problem) {
        let key = this.key(sheet, power, choice);
        for (let i = 2; !choice[1] && sheet.has(key); i++) key = `${choice[0]} ${power} ${i}`;
        sheet.set(key, { power, choice });
      } else if (problem || keep || text.trim().startsWith("#")) (unread[power] ||= []).push(text);
    }
    return { sheet, unread };
  }
}

/** A sheet as text: where several powers are ordered, each below its name. @param {Sheet} sheet @param {Record<string, string[]>} unread @param {string[]} powers @param {boolean} several */
export function write(sheet, unread, powers, several) {
  const parts = [];
  for (const power of powers) {
    const orders = [...sheet.values()].filter((given) => given.power === power).map((given) => given.choice[4]);
    const lines = [...orders, ...(unread[power] || [])];
    if (lines.length) parts.push((several ? power + "\n" : "") + lines.join("\n"));
  }
  return parts.join("\n\n") + (parts.length ? "\n" : "");
}
