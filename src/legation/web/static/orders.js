// Orders by tapping: a sheet that the map, the text box, the chips and the list of units edit together.
// What may be ordered comes from the server as choices [gesture, at, whom, to, text, label], and how each is given as
// `turn.gestures`; nothing here knows a rule or the name of an order.

import { control, replace } from "./chips.js";
import { fill, Grammar, province, reworded, sign } from "./choices.js";
import { mark } from "./marks.js";
import { OrderSheet } from "./order-sheet.js";
import { unitRow } from "./unit-list.js";

/**
 * What the server says may be ordered in a turn.
 * @typedef {import("./choices.js").Choice} Choice
 * @typedef {import("./choices.js").Gesture} Gesture
 * @typedef {import("./choices.js").Unit} Unit
 * @typedef {{phase: string, units: string[][], dislodged: string[][], choices: Record<string, Choice[]>, gestures: Record<string, Gesture>, kinds: Record<string, string>, asks: Record<string, string>, powers: Record<string, {number: number, called: string, builds: number, removals: number}>}} Turn
 */

/** The elements of a page by which orders are given. @returns {any} */
export function partsOfPage() {
  const names = ["text", "chips", "status", "marks", "open", "undo", "redo", "clear", "seldom"];
  const list = /** @type {HTMLTableElement} */ (document.getElementById("by-list")).tBodies[0];
  return { ...Object.fromEntries(names.map((name) => [name, document.getElementById(name)])), list };
}

/** How many are left to "build", to "place" or to "remove"; below 0 there are too many. @param {string} kind @param {number} n */
export function leftToOrder(kind, n) {
  const all = {
    build: { text: "all builds ordered" },
    place: { text: "all units ordered" },
    remove: { text: "all removals ordered" },
  };
  if (!n) return all[kind].text;
  if (n > 0) return { build: `${n} to build`, place: `${n} to place`, remove: `${n} to remove` }[kind];
  if (kind === "place") return n === -1 ? `${-n} unit too many` : `${-n} units too many`;
  return n === -1 ? `${-n} build too many` : `${-n} builds too many`;
}

export class OrderEntry extends EventTarget {
  /** @type {import("./map.js").Chart} */
  chart;
  /** @type {Turn} */
  turn;
  /** @type {any} elements of the page, and `lent`: who asks for units under another's orders */
  parts;
  /** @type {(text: string) => Promise<any>} what the server understands of a text */
  check;

  // parts: elements {text, chips, status, marks, open, undo, redo, clear, list}, and perhaps seldom; check: async (text) => what the server understands.
  constructor(chart, turn, parts, check) {
    super();
    Object.assign(this, { chart, turn, parts, check });
    this.grammar = new Grammar(turn.gestures);
    this.several = Object.keys(turn.choices).length > 1; // powers that are ordered here
    this.sheet = new OrderSheet(this.grammar, Object.keys(turn.powers), this.several);
    /** @type {{place: string, by?: string | null, whom?: string | null, going?: string | null} | null} what was tapped so far, and the gesture that a letter has chosen */
    this.chosen = null;
    /** @type {{unit: any, others: any[]} | null | undefined} what the last tap gave, and what else it may have meant */
    this.last = null;
    this.asked = 0;
    this.marked = 0; // the last of what was asked to which the marks are the answer
    this.dirty = false; // something was typed that is not read yet
    this.units = new Map(); // by province: {kind, at, power, choices}
    const standing = turn.phase === "Retreats" ? turn.dislodged : turn.units;
    for (const [kind, at, power] of standing) this.units.set(province(at), { kind, at, power, choices: [] });
    this.sites = new Map(); // by province: builds [power, choice]
    this.loose = []; // orders of no place: [power, choice]
    for (const [power, choices] of Object.entries(turn.choices))
      for (const choice of choices) {
        const at = choice[1];
        if (this.taps(choice, "site"))
          this.sites.set(province(at), [...(this.sites.get(province(at)) || []), [power, choice]]);
        else if (at) this.units.get(province(at))?.choices.push(choice);
        else this.loose.push([power, choice]);
      }
    const idle = ![...this.units.values()].some((unit) => unit.choices.length);
    /** Whether places are tapped for what is to be there, and units to be removed: in a rule's own phase, too. */
    this.adjusting = ["Adjustments", "Placement"].includes(turn.phase) || (this.sites.size > 0 && idle);
    /** What the game calls it to put a unit on the board in this phase. */
    this.builds = turn.phase === "Placement" ? "place" : "build";
    chart.describe = (place) => this.describe(place);
    chart.meant = (place) => !this.resting && (place in chart.lit || Boolean(this.units.get(place)?.choices.length));
    for (const list of [parts.marks, parts.list]) {
      list.addEventListener("pointerover", (event) => {
        if (event.pointerType === "mouse") chart.ring(event.target.closest("[data-place]")?.dataset.place);
      });
      list.addEventListener("pointerleave", () => chart.ring());
    }
    this.resting = false; // while something else uses the map, its chips and its status
    const tapped = (action) => this.resting || this.first(action);
    chart.addEventListener("pick", (event) => tapped(() => this.pick(event.detail.place)));
    chart.addEventListener("hold", (event) => tapped(() => this.press(event.detail.place)));
    chart.addEventListener("back", () => this.resting || this.back());
    parts.text.addEventListener("input", () => this.typed());
    parts.undo.addEventListener("click", () => this.first(() => this.go(false)));
    parts.redo.addEventListener("click", () => this.first(() => this.go(true)));
    parts.clear.addEventListener("click", () => {
      this.sheet.clear(this.dirty ? parts.text.value : null);
      this.dirty = false;
      clearTimeout(this.waiting);
      this.changed("All orders cleared; undo brings them back.");
    });
    addEventListener("keydown", (event) => this.key(event));
    this.rows = [
      ...[...this.units].filter(([, unit]) => unit.choices.length).map(([place, unit]) => this.row(place, unit)),
      ...[...this.sites].flatMap(([place, orders]) => this.siteRows(place, orders)),
    ];
    parts.list.append(...this.rows.map((row) => row.element));
    parts.list.closest("details").hidden = !this.rows.length;
    this.listOpen();
    this.rest();
    if (this.adjusting && Object.keys(this.chart.lit).length)
      this.say(
        !this.sites.size
          ? "Tap a highlighted unit to remove it."
          : [...this.units.values()].some((unit) => unit.choices.length)
            ? "Tap a highlighted place to build or remove there."
            : turn.phase === "Placement"
              ? "Tap a highlighted province to place a unit there."
              : "Tap a highlighted place to build there.",
      );
    if (turn.phase === "Movement" && !parts.text.value) this.say("Tap a unit, then where it goes.");
    if (turn.phase === "Retreats" && this.units.size)
      this.say("Tap a dislodged unit, then where it goes; twice to disband it.");
  }

  // Words

  describe(place) {
    const unit = this.units.get(place);
    const name = this.chart.name(place);
    if (!unit) return name + this.chart.sight(place);
    const given = this.sheet.orders.get(place);
    return `${name}: ${this.turn.kinds[unit.kind] || unit.kind} of ${this.called(unit.power)}${given ? ", " + given.choice[4] : ""}`;
  }

  // a power's name within a sentence: France, the Franks
  called(power) {
    return this.turn.powers[power]?.called || power;
  }

  say(text) {
    if (!this.resting) this.parts.status.textContent = text;
  }

  gesture(choice) {
    return this.grammar.gesture(choice);
  }

  taps(choice, what) {
    return this.grammar.taps(choice, what);
  }

  label(choice) {
    return this.grammar.label(choice, (place) => this.chart.name(place));
  }

  // Tapping

  pick(place) {
    this.say("");
    if (this.adjusting) return this.adjust(place);
    const here = this.units.get(place);
    if (!this.chosen) {
      if (!here)
        return this.say(
          this.turn.phase === "Retreats"
            ? `${this.chart.name(place)}: no unit must retreat there.`
            : `${this.chart.name(place)}: no unit stands there.`,
        );
      if (!here.choices.length) return this.another(place);
      return this.choose(place);
    }
    const { place: from, by = null, whom, going } = this.chosen;
    const unit = this.units.get(from);
    if (going) {
      if (place === from) return this.choose(from);
      const goes = unit.choices.filter((c) => c[0] === going && province(c[3]) === place);
      return goes.length ? this.give(unit, ...this.ranked(goes)) : this.refuse(unit, place, going);
    }
    if (whom) {
      const helping = this.helps(unit, whom, by).filter((c) => (c[3] ? province(c[3]) === place : place === whom));
      return helping.length
        ? this.give(unit, ...this.ranked(helping))
        : this.refuse(unit, place, by || this.ranked(this.helps(unit, whom))[0][0], whom);
    }
    if (by)
      return this.helps(unit, place, by).length ? this.help(unit, by, place) : this.refuse(unit, place, by, place);
    if (place === from) {
      const stay = unit.choices.find((c) => this.taps(c, "again"));
      return stay ? this.give(unit, stay) : this.back();
    }
    const goes = unit.choices.filter((c) => this.taps(c, "place") && province(c[3]) === place);
    const helps = this.helps(unit, place);
    if (helps.some((c) => this.gesture(c).carries)) return this.choose(from, null, place);
    const own = here?.power === unit.power && here.choices.length > 0;
    if (own && !goes.length) return this.instead(unit, place, helps);
    if (goes.length) {
      const [first, others] = this.ranked(goes);
      const instead = { text: `Order ${this.chart.name(place)} instead`, action: () => this.undone(place) };
      return this.give(unit, first, [...others, ...this.offers(unit, place, helps), ...(own ? [instead] : [])]);
    }
    if (!helps.length) return this.refuse(unit, place, this.goer(unit));
    this.say(`${this.describe(place)}: pick how to help it.`);
    this.chips([...this.offers(unit, place, helps), { text: "Back", action: () => this.choose(from) }]);
  }

  /** @param {any} unit @param {string} place @param {string | null} [by] */
  helps(unit, place, by = null) {
    return this.grammar.helps(unit, place, by);
  }

  gestures(unit, what) {
    return this.grammar.named(unit, what);
  }

  // The words for a gesture of which several orders are made; a rule may give none.
  group(name) {
    return this.turn.gestures[name].group ?? this.turn.gestures[name].label ?? name;
  }

  goer(unit) {
    return this.gestures(unit, "place")[0] || "";
  }

  ranked(choices) {
    return this.grammar.ranked(choices);
  }

  // A button for each way in which a unit may help another; where that one goes is tapped after it.
  offers(unit, place, helps) {
    return [...new Set(helps.map((c) => c[0]))].map((by) => ({
      text: `${this.turn.gestures[by].group} ${this.chart.name(place)}…`,
      action: () => this.help(unit, by, place),
    }));
  }

  // Whom to help is known; where that one goes is tapped next, if the gesture asks for it.
  help(unit, by, place) {
    const goes = unit.choices.some((c) => c[0] === by && c[3]);
    goes ? this.choose(province(unit.at), by, place) : this.give(unit, this.helps(unit, place, by)[0]);
  }

  // The order that a tap gave was not meant, but the unit that was tapped.
  undone(place) {
    this.go(false);
    this.choose(place);
  }

  // Another unit of one's own was tapped, to which this one cannot go: it is chosen now. How this one could help it is offered.
  instead(unit, place, helps) {
    this.choose(place);
    const offered = this.offers(unit, place, helps);
    for (const offer of offered) offer.text = `${this.chart.name(unit.at)}: ${offer.text}`;
    this.chips([...this.own(place), ...offered]);
  }

  // A unit that has no orders to choose from. Another's may be ordered in case its owner lets it, where the rules know of that.
  another(place) {
    const unit = this.units.get(place);
    if (unit.power in this.turn.choices) {
      this.say(`${this.describe(place)}. It can’t be ordered this turn.`);
      const asks = this.turn.asks.again || this.turn.asks.place;
      return asks && this.reason(fill(asks, { unit: sign(unit), to: place }), unit.power);
    }
    this.say(this.parts.lent ? `${this.describe(place)}.` : `${this.describe(place)}: not your unit.`);
    if (this.parts.lent)
      this.chips([
        { text: `Order it, with the permission of ${this.called(unit.power)}`, action: () => this.borrow(place) },
      ]);
  }

  async borrow(place) {
    const unit = this.units.get(place);
    let found;
    try {
      found = await this.parts.lent(place);
    } catch {
      return this.say("You’re offline. Try again in a moment.");
    }
    Object.assign(this.turn.gestures, found.gestures);
    unit.choices = found.choices;
    unit.lent = true;
    unit.choices.length
      ? this.choose(place)
      : this.say(`${this.describe(place)}: ${this.called(unit.power)} can’t place it under your orders.`);
    this.parts.chips.querySelector("button")?.focus();
  }

  press(place) {
    // a long press chooses the unit and asks what it shall do
    this.chosen = null;
    if (this.units.get(place)?.choices.length) {
      this.choose(place);
      this.parts.chips.querySelector("button")?.focus();
    }
  }

  /** @param {string} place @param {string | null} [by] @param {string | null} [whom] @param {string | null} [going] */
  choose(place, by = null, whom = null, going = null) {
    if (this.resting) return;
    this.chosen = { place, by, whom, going };
    const unit = this.units.get(place);
    /** @type {Record<string, string>} */
    const lit = {};
    for (const choice of unit.choices) {
      const [name, , w, to] = choice;
      if (going && name !== going) continue;
      if (this.taps(choice, "helped")) {
        if ((by && name !== by) || (whom && province(w) !== whom)) continue;
        if (whom) lit[to ? province(to) : whom] ||= "to";
        else lit[province(w)] ||= "helped";
      } else if (!by && !whom && this.taps(choice, "place")) lit[province(to)] = "to";
    }
    lit[place] = "here";
    if (whom) lit[whom] = "helped" + (lit[whom] === "to" ? " to" : "");
    this.chart.light(lit);
    const name = this.describe(place);
    const doing = by && this.group(by);
    const goes = going ? "tap a place, or pick it below." : "tap where it goes.";
    const lent = unit.lent ? " It counts if its owner places it under your orders." : "";
    this.say(
      whom
        ? `${name}: tap where ${this.chart.name(whom)} goes, or ${this.chart.name(whom)} if it stays.`
        : by
          ? `${name}, ${doing}: tap the unit.`
          : `${name}: ${goes}${lent}`,
    );
    this.chips();
  }

  // What was tapped is not legal: the reason, by the words of whoever judges it; what can be tapped, until it comes or where there is none.
  refuse(unit, place, by, whom = "") {
    const lit = Object.values(this.chart.lit);
    const next = lit.includes("to")
      ? "Tap a highlighted place."
      : lit.includes("helped")
        ? "Tap a highlighted unit."
        : "It can’t go anywhere this turn.";
    const from = province(unit.at);
    this.say(`${this.describe(from)}: not to ${this.chart.name(place)}. ${next}`);
    const to = place === whom ? this.grammar.anyGoal(unit, by, whom) : place;
    const text = by
      ? this.grammar.asking(this.units, unit, by, whom, to)
      : fill(this.goers()[0]?.asks || this.turn.asks.place || "", { unit: sign(unit), to: place });
    const offer = (choice, hint) => {
      if (to !== place) return "";
      this.chips([{ text: "Order it", action: () => this.give(unit, choice) }, ...this.own(from)]);
      return hint || "legal, but it needs other orders to work";
    };
    if (text) this.reason(text, unit.lent ? "" : unit.power, offer);
  }

  // How units go to a place this turn; a unit that goes nowhere has no gesture of its own for it.
  goers() {
    const gestures = Object.values(this.turn.gestures).filter(({ taps, asks }) => taps === "place" && asks);
    return gestures.sort((a, b) => (a.rank || 0) - (b.rank || 0));
  }

  // Nothing can be built or removed there: likewise. Who owns several sheets is told of the power whose unit stands there, or that builds.
  refuseSite(place) {
    const unit = this.units.get(place);
    const powers = Object.keys(this.turn.choices);
    this.say(`${this.describe(place)}: nothing can be built or removed there.`);
    const building = Object.entries(this.turn.powers).find(
      ([power, { builds }]) => builds && powers.includes(power),
    )?.[0];
    const site = [...this.sites.values()][0]?.[0][1];
    const removal = [...this.units.values()].flatMap((other) => other.choices).find((c) => this.taps(c, "again"));
    const asks = this.turn.asks[unit ? "again" : "site"];
    const kind = site?.[2] || Object.keys(this.turn.kinds)[0];
    const like = unit ? removal : site;
    const text = asks
      ? fill(asks, { unit: unit && sign(unit), whom: kind, to: place })
      : like && reworded(like[4], [unit ? [sign(this.units.get(province(like[1]))), sign(unit)] : [like[1], place]]);
    if (text) this.reason(text, unit && powers.includes(unit.power) ? unit.power : building || powers[0]);
  }

  // Say why an order can't be given, once the checker has been asked. What is in no list may be legal all the same, such as a convoy that
  // others would have to complete: then what `legal` makes of the order and its hint is said.
  reason(text, power, legal = (_choice, hint) => hint) {
    const said = this.parts.status.textContent;
    this.check(power ? `${power}: ${text}` : text).then(
      (checked) => {
        const line = checked?.lines?.find((line) => line.order || line.problem); // not the heading
        if (!line || said !== this.parts.status.textContent) return; // something else was tapped meanwhile
        const why = line.problem?.message || legal(line.choice, line.hints[0]);
        if (why) this.say(`${text}: ${why}.`);
      },
      () => {},
    );
  }

  give(unit, choice, others = []) {
    this.sheet.give(province(unit.at), unit.lent ? Object.keys(this.turn.choices)[0] : unit.power, choice);
    this.chosen = null;
    this.chart.light({});
    this.last = { unit, others };
    this.changed(`${choice[4]}.`);
  }

  adjust(place) {
    this.chosen = null;
    this.rest();
    const builds = this.sites.get(place) || [];
    const key = "build " + place;
    const built = this.sheet.orders.get(key);
    const given = this.sheet.orders.get(place);
    const taken = built || (given && this.taps(given.choice, "again") ? given : null);
    if (taken) {
      this.sheet.delete(built ? key : place);
      return this.changed(`Not: ${taken.choice[4]}.`);
    }
    const removal = this.units.get(place)?.choices.find((c) => this.taps(c, "again"));
    if (removal) return this.give(this.units.get(place), removal);
    if (!builds.length) return this.refuseSite(place);
    if (builds.length === 1) return this.build(...builds[0]);
    this.chosen = { place };
    this.chart.light({ ...this.chart.lit, [place]: "here" });
    const name = this.chart.name(place);
    this.say(this.builds === "place" ? `${name}: pick what to place.` : `${name}: pick what to build.`);
    this.chips([
      ...builds.map(([power, choice]) => ({ text: this.label(choice), action: () => this.build(power, choice) })),
      { text: "Back", action: () => this.back() },
    ]);
  }

  build(power, choice) {
    this.sheet.add(power, choice);
    this.chosen = null;
    this.changed(`${choice[4]}.`);
  }

  back() {
    if (this.chosen?.whom || this.chosen?.by || this.chosen?.going) return this.choose(this.chosen.place);
    this.chosen = this.last = null;
    this.say("");
    this.rest();
  }

  // Nothing is chosen: what may be done at all is lit in adjustments and retreats.
  rest() {
    if (this.resting) return;
    const lit = {};
    if (this.turn.phase === "Retreats")
      for (const place of this.units.keys()) if (!this.sheet.orders.has(place)) lit[place] = "to";
    if (this.adjusting) {
      for (const place of this.sites.keys()) lit[place] = "to";
      for (const [place, unit] of this.units) if (unit.choices.some((c) => this.taps(c, "again"))) lit[place] = "to";
    }
    this.chart.light(lit);
    this.chips();
  }

  // Chips: what else the chosen unit may do

  chips(made) {
    if (this.resting) return;
    if (!made) made = this.chosen && this.units.has(this.chosen.place) ? this.own(this.chosen.place) : this.beside();
    this.show(
      this.parts.chips,
      made.map((chip) => this.control(chip, this.parts.chips)),
    );
  }

  // What the chosen unit may do beside what is tapped on the map.
  own(place) {
    const { by, whom } = this.chosen ?? {};
    const unit = this.units.get(place);
    const made = [];
    if (!whom) {
      for (const c of unit.choices)
        if (this.taps(c, "again")) made.push({ text: this.label(c), action: () => this.give(unit, c) });
      for (const name of this.gestures(unit, "helped"))
        made.push({
          text: this.group(name) + "…",
          on: by === name,
          action: () => this.choose(place, by === name ? null : name),
        });
      for (const name of this.gestures(unit, undefined)) {
        const choices = unit.choices.filter((c) => c[0] === name);
        const { group } = this.turn.gestures[name];
        if (group) made.push({ text: group, pick: choices.map((c) => [this.label(c), () => this.give(unit, c)]) });
        else for (const c of choices) made.push({ text: this.label(c), action: () => this.give(unit, c) });
      }
    } else {
      for (const c of unit.choices)
        if (this.taps(c, "place") && province(c[3]) === whom)
          made.push({ text: this.label(c), action: () => this.give(unit, c) });
      for (const name of this.gestures(unit, "helped"))
        if (this.helps(unit, whom, name).length)
          made.push({
            text: this.turn.gestures[name].group,
            on: by === name,
            action: () => this.choose(place, name, whom),
          });
      const other = this.units.get(whom);
      if (other?.choices.length && other.power === unit.power)
        made.push({ text: `Order ${this.chart.name(whom)} instead`, action: () => this.choose(whom) });
    }
    if (this.sheet.orders.has(place)) made.push({ text: "No order", action: () => this.withdraw(place) });
    return [...made, { text: "Back", action: () => this.back() }];
  }

  // What else the last tap may have meant.
  beside() {
    if (!this.last) return [];
    const { unit, others } = this.last;
    const given = this.sheet.orders.get(province(unit.at))?.choice;
    if (!given) return [];
    return [
      ...this.carried(unit, given, others),
      ...this.together(unit, given),
      ...others.map((other) =>
        Array.isArray(other)
          ? {
              text: this.label(other),
              action: () => this.give(unit, other, [...others.filter((o) => o !== other), given]),
            }
          : other,
      ),
    ];
  }

  // A unit helps another of its own power to a place: that one may be sent there next, if it has no orders yet.
  together(unit, given) {
    const [, , whom, to] = given;
    const other = this.units.get(province(whom));
    if (!to || !this.taps(given, "helped") || other?.power !== unit.power || this.sheet.orders.has(province(whom)))
      return [];
    const goes = other.choices.filter((c) => this.taps(c, "place") && province(c[3]) === province(to));
    if (!goes.length) return [];
    const [first, others] = this.ranked(goes);
    return [{ text: `Also order ${first[4]}`, action: () => this.give(other, first, others) }];
  }

  // A unit was sent where it only comes if others carry it: units of its own power that have no orders yet may be told to, all at once.
  carried(unit, given, others) {
    if (others.length || !this.taps(given, "place")) return [];
    const order = (carrier) => this.sheet.orders.get(province(carrier.at))?.choice[4];
    const ways = this.grammar.routes(this.units, unit, given[3], (carrier, choice) =>
      [undefined, choice[4]].includes(order(carrier)),
    );
    if (ways.some((way) => way.every(([carrier]) => order(carrier)))) return [];
    return ways.map((way) => ({
      text: `${this.group(way[0][1][0]).replace("…", "")} by ${way.map(([carrier]) => sign(carrier)).join(", ")}`,
      action: () => {
        this.sheet.remember();
        for (const [{ at, power }, choice] of way) this.sheet.orders.set(province(at), { power, choice });
        this.changed(`${way.map(([, choice]) => choice[4]).join(", ")}.`);
      },
    }));
  }

  // What is still open for each power in adjustments, with what belongs to no place: waiving, sending supply, a vote.
  listOpen(checked = {}) {
    const rows = [];
    const seldom = this.parts.seldom ? [] : rows;
    const single = Object.keys(this.turn.choices).length === 1;
    for (const [power, facts] of Object.entries(this.turn.powers)) {
      if (single && !this.turn.choices[power]) continue; // an own sheet: what others may do is theirs to count
      const mine = this.loose.filter(([p]) => p === power);
      const made = [];
      const builds = Math.min(facts.builds - this.sheet.count(power, "build"), checked[power]?.builds ?? Infinity);
      const removals = Math.max(facts.removals - this.sheet.count(power, "removal"), checked[power]?.removals ?? 0); // supply that is sent counts, too
      if (facts.builds) made.push(leftToOrder(this.builds, builds));
      if (removals > 0 || facts.removals) made.push(leftToOrder("remove", Math.max(removals, 0)));
      const row = (said, chips, list = rows) => {
        const item = document.createElement("li");
        item.append(
          Object.assign(document.createElement("span"), { textContent: said }),
          ...chips.map((chip) => this.control({ ...chip, of: power }, this.parts.open)),
        );
        list.push(item);
      };
      const acts = [];
      const noted = [];
      for (const name of new Set(mine.map(([, c]) => c[0]))) {
        const choices = mine.filter(([, c]) => c[0] === name).map(([, c]) => c);
        const gesture = this.turn.gestures[name];
        if ((gesture.counts === "build" && builds <= 0) || (gesture.note && (!single || this.sheet.has(power, name))))
          continue;
        const chip = gesture.group
          ? { text: gesture.group, pick: choices.map((c) => [this.label(c), () => this.add(power, c), c]) }
          : { text: this.label(choices[0]), action: () => this.add(power, choices[0]) };
        gesture.note ? noted.push([gesture.note, [chip]]) : acts.push(chip);
      }
      if (made.length || acts.length)
        row([!single && this.called(power), made.join(", ")].filter(Boolean).join(": "), acts);
      for (const [note, chips] of noted) row(note, chips, seldom);
    }
    this.show(this.parts.open, rows);
    if (this.parts.seldom) this.show(this.parts.seldom, seldom);
  }

  /** @param {import("./chips.js").Chip} chip @param {HTMLElement} box */
  control(chip, box) {
    return control(chip, (action) => this.first(action), box);
  }

  // Put other controls into a box; the keyboard goes back to the map if the one that had it is gone.
  show(box, made) {
    replace(box, made, () => this.chart.sheet.focus());
  }

  add(power, choice) {
    this.sheet.add(power, choice);
    this.changed(`${choice[4]}.`);
  }

  withdraw(place) {
    this.sheet.delete(place);
    this.chosen = null;
    this.changed("Order removed. Undo brings it back.");
  }

  // Undo and redo

  go(forward) {
    const step = this.sheet.go(forward);
    if (!step) return;
    this.chosen = this.last = null;
    this.changed("", step.text);
    if (step.typed) this.typed();
  }

  key(event) {
    if (this.resting) return;
    const typing = event.target.closest?.("textarea, input, select");
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !typing) {
      event.preventDefault();
      this.first(() => this.go(event.shiftKey));
    } else if (event.key === "Escape" && !typing) this.back();
    else if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey && event.key.length === 1)
      this.first(() => this.letter(event));
  }

  // A letter chooses what the chosen unit does: each gesture has its own.
  letter(event) {
    if (!this.chosen || this.chosen.whom) return;
    const { place } = this.chosen;
    const unit = this.units.get(place);
    const choices = unit?.choices.filter((c) => this.gesture(c).key === event.key.toLowerCase()) || [];
    if (!choices.length) return;
    event.preventDefault();
    if (this.taps(choices[0], "helped")) this.choose(place, choices[0][0]);
    else if (choices.length === 1) this.give(unit, choices[0]);
    else {
      if (this.taps(choices[0], "place")) this.choose(place, null, null, choices[0][0]);
      this.chips(choices.map((c) => ({ text: this.label(c), action: () => this.give(unit, c) })));
      this.parts.chips.querySelector("button").focus();
    }
  }

  // The sheet as text, arrows, marks, list

  changed(said, text = this.sheet.text()) {
    this.parts.text.value = this.sheet.shown = text;
    if (said) this.say(said);
    this.draw();
    this.chosen ? this.chips() : this.rest();
    this.ask();
  }

  draw() {
    if (!this.resting)
      this.chart.draft(
        [...this.sheet.orders.values()].map((given) => this.arrow(given)).filter((arrow) => arrow.at && arrow.stroke),
      );
    this.listOpen();
    const { undo, redo } = this.parts;
    const here = document.activeElement;
    [undo.disabled, redo.disabled] = [!this.sheet.past.length, !this.sheet.future.length];
    if (here?.disabled) (here === undo ? redo : undo).focus();
    for (const row of this.rows) row.show();
    this.dispatchEvent(new Event("change"));
  }

  /** What the map draws of an order. @param {import("./choices.js").Given} given */
  arrow({ power, choice }) {
    const [, at, whom, to] = choice;
    const { stroke, taps } = this.gesture(choice);
    const { number } = this.turn.powers[power];
    const moves = stroke?.endsWith("arrow") && this.turn.phase !== "Retreats";
    return {
      stroke,
      at,
      whom,
      to,
      number,
      kind: taps === "site" ? whom : "",
      unit: moves ? this.units.get(province(at))?.kind : "",
      through: this.carriers(choice),
    };
  }

  // The fleets on the sheet that carry a unit to where it goes, from its place on.
  /** @param {Choice} choice @returns {string[]} */
  carriers([, at, , to]) {
    if (!to || !this.chart.places[province(to)] || !this.units.has(province(at))) return [];
    const from = this.chart.spot(at);
    const far = (place) => {
      const [x, y] = this.chart.spot(place);
      return Math.hypot(x - from[0], y - from[1]);
    };
    return this.sheet.carriers(at, to).sort((a, b) => far(a) - far(b));
  }

  // Do something to the sheet, but read first what was typed, so that none of it is lost.
  async first(action) {
    if (this.dirty) {
      clearTimeout(this.waiting);
      await (this.reading ||= this.ask(true).finally(() => {
        this.reading = null;
      }));
    }
    if (!this.dirty) action();
  }

  typed() {
    this.dirty = true;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.ask(true), 300);
    this.dispatchEvent(new Event("change"));
  }

  async ask(read = false) {
    const turn = ++this.asked;
    let checked;
    try {
      checked = await this.check(this.parts.text.value);
    } catch {
      checked = null;
    }
    if (turn !== this.asked) return; // something newer was asked meanwhile
    if (!checked || checked.refused)
      return this.say(checked?.refused || "You’re offline. Your orders are kept in this browser.");
    if (read) this.read(checked);
    this.mark(checked);
    this.marked = turn;
  }

  // What was typed becomes the sheet; lines that are no orders stay as they are.
  read(checked) {
    this.dirty = false;
    this.sheet.read(checked.lines, this.parts.text.value);
    this.draw();
    if (this.chosen) this.say(""); // it told what to tap for the unit that was chosen
    this.chosen = null;
    this.rest();
  }

  mark(checked) {
    const lines = checked.lines.filter((line) => line.order || line.problem);
    const missing = Object.entries(checked.powers).filter(
      ([power, sheet]) => this.turn.choices[power] && sheet.missing.length,
    );
    const total = missing.reduce((sum, [, sheet]) => sum + sheet.missing.length, 0);
    this.parts.marks.replaceChildren(...lines.map((line) => mark(line, this.several)));
    this.parts.marks.dataset.missing = String(total);
    if (!this.dirty) this.listOpen(checked.powers);
    this.dispatchEvent(new CustomEvent("checked", { detail: { checked, missing: total } }));
  }

  /** The row of a unit in the list without the map. @param {string} place @param {any} unit */
  row(place, unit) {
    return unitRow({
      place,
      name: `${this.called(unit.power)}: ${this.turn.kinds[unit.kind]} ${this.chart.name(unit.at)}`,
      choices: unit.choices,
      label: (choice) => this.label(choice),
      given: () => this.sheet.orders.get(place)?.choice,
      give: (choice) => this.first(() => (choice ? this.give(unit, choice) : this.withdraw(place))),
    });
  }

  /** The rows of a place where units can be built, one for each power that may. @param {string} place @param {[string, Choice][]} orders */
  siteRows(place, orders) {
    const key = "build " + place;
    return [...new Set(orders.map(([power]) => power))].map((power) =>
      unitRow({
        place,
        name: `${this.called(power)}: ${this.chart.name(place)}`,
        choices: orders.filter(([owner]) => owner === power).map(([, choice]) => choice),
        label: (choice) => this.label(choice),
        given: () => (this.sheet.orders.get(key)?.power === power ? this.sheet.orders.get(key)?.choice : undefined),
        give: (choice) => this.first(() => (choice ? this.build(power, choice) : this.withdraw(key))),
      }),
    );
  }
}
