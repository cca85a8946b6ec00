// Orders by tapping: a sheet that the map, the text box, the chips and the list of units edit together.
// What may be ordered comes from the server as choices [verb, at, whom, to, text]; nothing here knows a rule.

import { province } from "./map.js";

const GOING = ["move", "via", "ferry", "retreat"];
const HELPING = ["support", "convoy", "carry"];
const LABEL = { hold: "Hold", support: "Support…", convoy: "Convoy…", carry: "Ferry…", disband: "Disband", remove: "Remove", waive: "Waive a build", draw: "Agree to a draw" };

export class OrderEntry extends EventTarget {
  // parts: elements {text, chips, status, marks, open, undo, redo, clear, list}; check: async (text) => what the server understands.
  constructor(chart, turn, parts, check) {
    super();
    Object.assign(this, { chart, turn, parts, check });
    this.sheet = new Map();            // by key: {power, choice}
    this.unread = {};                  // by power: lines that are kept as they were written
    this.past = [];
    this.future = [];
    this.chosen = null;                // {place, verb, whom}: what was tapped so far
    this.asked = 0;
    this.dirty = false;                // something was typed that is not read yet
    this.shown = "";                   // the text as the sheet has it
    this.units = new Map();            // by province: {kind, at, power, choices}
    const standing = turn.phase === "Retreats" ? turn.dislodged : turn.units;
    for (const [kind, at, power] of standing) this.units.set(province(at), { kind, at, power, choices: [] });
    this.sites = new Map();            // by province: builds [power, choice]
    this.loose = [];                   // orders of no place: [power, choice]
    for (const [power, choices] of Object.entries(turn.choices))
      for (const choice of choices) {
        const [verb, at] = choice;
        if (verb === "build") this.sites.set(province(at), [...(this.sites.get(province(at)) || []), [power, choice]]);
        else if (at) this.units.get(province(at))?.choices.push(choice);
        else this.loose.push([power, choice]);
      }
    chart.describe = (place) => this.describe(place);
    chart.addEventListener("pick", (event) => this.first(() => this.pick(event.detail.place)));
    chart.addEventListener("hold", (event) => this.first(() => this.press(event.detail.place)));
    chart.addEventListener("back", () => this.back());
    parts.text.addEventListener("input", () => this.typed());
    parts.undo.addEventListener("click", () => this.first(() => this.go(this.past, this.future)));
    parts.redo.addEventListener("click", () => this.first(() => this.go(this.future, this.past)));
    parts.clear.addEventListener("click", () => { this.dirty = false; this.remember(); this.sheet.clear(); this.unread = {}; this.changed("All orders cleared; undo brings them back."); });
    addEventListener("keydown", (event) => this.key(event));
    this.listUnits();
    this.listOpen();
    this.rest();
    if (["Adjustments", "Placement"].includes(turn.phase) && Object.keys(this.chart.lit).length) this.say(!this.sites.size ? "Tap a lit unit to remove it." : [...this.units.values()].some((unit) => unit.choices.length) ? "Tap a lit place to build or remove there." : "Tap a lit place to build there.");
    if (turn.phase === "Movement" && !parts.text.value) this.say("Tap a unit, then where it goes.");
    if (turn.phase === "Retreats" && this.units.size) this.say("Tap a dislodged unit, then where it goes; twice to disband it.");
  }

  // Words

  describe(place) {
    const unit = this.units.get(place);
    const name = this.chart.name(place);
    if (!unit) return name;
    const given = this.sheet.get(place);
    return `${name}: ${this.turn.kinds[unit.kind] || unit.kind} of ${unit.power}${given ? ", " + given.choice[4] : ""}`;
  }

  say(text) { this.parts.status.textContent = text; }

  label([verb, at, whom, to, text]) {
    if (verb === "build") return `${this.turn.kinds[whom].replace(/^./, (c) => c.toUpperCase())} in ${this.chart.name(at)}`;
    if (verb === "convert") return `Convert to ${this.turn.kinds[whom] || whom}${to ? ` (${this.chart.coasts[to] || to})` : ""}`;
    if (verb === "under") return `Under ${whom}’s orders`;
    if (verb === "send") return `Send ${to} to ${whom}`;
    if (verb === "via") return `To ${this.chart.name(to)} by convoy`;
    if (verb === "ferry" || verb === "carry") return text;
    if (GOING.includes(verb)) return `To ${this.chart.name(to)}`;
    if (HELPING.includes(verb)) return `${verb === "support" ? "Support" : "Convoy"} ${this.chart.name(whom)}${to ? " to " + this.chart.name(to) : ""}`;
    return LABEL[verb] || text;
  }

  // Tapping

  pick(place) {
    this.say("");
    if (["Adjustments", "Placement"].includes(this.turn.phase)) return this.adjust(place);
    const here = this.units.get(place);
    if (!this.chosen) {
      if (!here) return this.say(`${this.chart.name(place)}: no unit ${this.turn.phase === "Retreats" ? "must retreat" : "stands"} there.`);
      if (!here.choices.length) return this.another(place);
      return this.choose(place);
    }
    const { place: from, verb, whom } = this.chosen;
    const unit = this.units.get(from);
    if (whom) {
      const helping = unit.choices.filter((c) => HELPING.includes(c[0]) && (!verb || c[0] === verb) && province(c[2]) === whom &&
        (c[3] ? province(c[3]) === place : place === whom));
      if (helping.length) return this.give(unit, this.best(helping, unit, whom), helping);
      return this.refuse(unit, place, verb || "support", whom);
    }
    const helps = unit.choices.filter((c) => HELPING.includes(c[0]) && (!verb || c[0] === verb) && province(c[2]) === place);
    if (verb) return helps.length ? this.choose(from, verb, place) : this.refuse(unit, place, verb);
    if (place === from) {
      const stay = unit.choices.find((c) => c[0] === "hold" || c[0] === "disband");
      return stay ? this.give(unit, stay) : this.back();
    }
    const goes = unit.choices.filter((c) => GOING.includes(c[0]) && province(c[3]) === place);
    if (helps.length && (!goes.length || here?.power === unit.power)) return this.choose(from, null, place);
    if (goes.length) return this.give(unit, goes.find((c) => c[0] === "move" || c[0] === "retreat") || goes[0], [...goes, ...helps.length ? ["support"] : []]);
    return this.refuse(unit, place, "move");
  }

  // Another's unit: where the rules know of units under another's orders, it may be ordered in case its owner lets it.
  another(place) {
    const unit = this.units.get(place);
    this.say(`${this.describe(place)}${this.parts.lent ? "." : ": it cannot be ordered."}`);
    if (this.parts.lent) this.chips([{ text: `Order it, in case ${unit.power} lets you`, act: () => this.borrow(place) }]);
  }

  async borrow(place) {
    const unit = this.units.get(place);
    try { unit.choices = await this.parts.lent(place); } catch { return this.say("The office cannot be reached just now."); }
    unit.lent = true;
    unit.choices.length ? this.choose(place) : this.say(`${this.describe(place)}: it cannot be ordered.`);
    this.parts.chips.querySelector("button")?.focus();
  }

  // Of several ways to help: a convoy where the army needs one, else a support.
  best(choices, unit, whom) {
    const walks = this.units.get(whom)?.choices.some((c) => c[0] === "move" && province(c[3]) === province(choices[0][3] || ""));
    return choices.find((c) => c[0] === (walks || !choices[0][3] ? "support" : "convoy")) || choices[0];
  }

  press(place) {                       // a long press chooses the unit and asks what it shall do
    this.chosen = null;
    if (this.units.get(place)?.choices.length) { this.choose(place); this.parts.chips.querySelector("button")?.focus(); }
  }

  choose(place, verb = null, whom = null) {
    this.chosen = { place, verb, whom };
    const unit = this.units.get(place), lit = { };
    for (const [v, , w, to] of unit.choices) {
      if (whom) {
        if (HELPING.includes(v) && (!verb || v === verb) && province(w) === whom) lit[to ? province(to) : whom] ||= "to";
      } else if (verb) {
        if (v === verb) lit[province(w)] ||= "helped";
      } else if (GOING.includes(v)) lit[province(to)] = "to";
      else if (HELPING.includes(v)) lit[province(w)] ||= "helped";
    }
    lit[place] = "here";
    if (whom) lit[whom] = "helped" + (lit[whom] === "to" ? " to" : "");
    this.chart.light(lit);
    const name = this.describe(place);
    this.say(whom ? `${name}, to help ${this.chart.name(whom)}: pick where that goes, or itself to stay.` : verb ? `${name}: pick whom to ${verb}.` : `${name}: pick where it goes, or whom it helps.${unit.lent ? ` It counts if ${unit.power} places it under your orders.` : ""}`);
    this.chips();
  }

  refuse(unit, place, verb, whom = "") {
    const sign = `${unit.kind} ${unit.at}`;
    const other = whom && this.units.get(whom);
    const text = verb === "move" ? `${sign} ${this.turn.phase === "Retreats" ? "R" : "-"} ${place}`
      : `${sign} ${verb === "convoy" ? "C" : "S"} ${other ? `${other.kind} ${other.at}${place === whom ? "" : " - " + place}` : place}`;
    this.say(`${this.chart.name(place)} cannot be reached by this.`);
    this.check(unit.lent ? text : `${unit.power}: ${text}`).then((checked) => {
      const problem = checked?.lines[0]?.problem;
      if (problem) this.say(`${text}: ${problem.message}.`);
    });
  }

  give(unit, choice, others = []) {
    this.remember();
    this.sheet.set(province(unit.at), { power: unit.lent ? Object.keys(this.turn.choices)[0] : unit.power, choice });
    this.chosen = null;
    this.chart.light({});
    this.last = { unit, others: others.filter((c) => c !== choice) };
    this.changed(`${choice[4]}.`);
  }

  adjust(place) {
    const builds = this.sites.get(place) || [];
    const key = "build " + place;
    if (this.sheet.has(key) || this.sheet.get(place)?.choice[0] === "remove") {
      this.remember();
      const taken = this.sheet.get(key) || this.sheet.get(place);
      this.sheet.delete(this.sheet.has(key) ? key : place);
      return this.changed(`Not: ${taken.choice[4]}.`);
    }
    const removal = this.units.get(place)?.choices.find((c) => c[0] === "remove");
    if (removal) return this.give(this.units.get(place), removal);
    if (!builds.length) return this.say(`${this.describe(place)}: nothing can be built or removed there.`);
    if (builds.length === 1) return this.build(...builds[0]);
    this.chosen = { place };
    this.say(`${this.chart.name(place)}: pick what to build.`);
    this.chips(builds.map(([power, choice]) => ({ text: this.label(choice), act: () => this.build(power, choice) })));
  }

  build(power, choice) {
    this.remember();
    this.sheet.set("build " + province(choice[1]), { power, choice });
    this.chosen = null;
    this.changed(`${choice[4]}.`);
  }

  back() {
    if (this.chosen?.whom || this.chosen?.verb) return this.choose(this.chosen.place);
    this.chosen = this.last = null;
    this.say("");
    this.rest();
  }

  // Nothing is chosen: what may be done at all is lit in adjustments and retreats.
  rest() {
    const lit = {};
    if (this.turn.phase === "Retreats") for (const place of this.units.keys()) if (!this.sheet.has(place)) lit[place] = "to";
    if (["Adjustments", "Placement"].includes(this.turn.phase)) {
      for (const place of this.sites.keys()) lit[place] = "to";
      for (const [place, unit] of this.units) if (unit.choices.some((c) => c[0] === "remove")) lit[place] = "to";
    }
    this.chart.light(lit);
    this.chips();
  }

  // Chips: what else the chosen unit may do

  chips(made) {
    const { chips } = this.parts;
    if (!made) {
      made = [];
      if (this.chosen && this.units.has(this.chosen.place)) {
        const { place, verb, whom } = this.chosen, unit = this.units.get(place);
        const kinds = new Set(unit.choices.map((c) => c[0]));
        if (!whom) {
          for (const c of unit.choices) if (["hold", "disband", "convert", "own"].includes(c[0])) made.push({ text: this.label(c), act: () => this.give(unit, c) });
          for (const v of HELPING) if (kinds.has(v)) made.push({ text: LABEL[v], on: verb === v, act: () => this.choose(place, verb === v ? null : v) });
          const under = unit.choices.filter((c) => c[0] === "under");
          if (under.length) made.push({ text: "Under another’s orders", pick: under.map((c) => [c[2], () => this.give(unit, c)]) });
        } else {
          const walk = unit.choices.filter((c) => GOING.includes(c[0]) && province(c[3]) === whom);
          for (const c of walk) made.push({ text: this.label(c) + " instead", act: () => this.give(unit, c) });
          for (const v of HELPING) if (unit.choices.some((c) => c[0] === v && province(c[2]) === whom)) made.push({ text: LABEL[v].replace("…", ""), on: verb === v, act: () => this.choose(place, v, whom) });
        }
        if (this.sheet.has(place)) made.push({ text: "No order", act: () => { this.remember(); this.sheet.delete(place); this.chosen = null; this.changed("The order is gone; undo brings it back."); } });
        made.push({ text: "Back", act: () => this.back() });
      } else if (this.last) {
        const { unit, others } = this.last;
        for (const c of others) made.push(c === "support"
          ? { text: "Support it instead", act: () => this.choose(province(unit.at), null, province(this.sheet.get(province(unit.at)).choice[3])) }
          : { text: this.label(c), act: () => this.give(unit, c, [...others.filter((o) => o !== c), this.sheet.get(province(unit.at)).choice]) });
      }
    }
    this.replace(chips, made.map((chip) => this.chip(chip)));
  }

  // What is still open for each power in adjustments, with what belongs to no place: waiving, sending supply, a vote.
  listOpen(checked = {}) {
    const rows = [];
    const single = Object.keys(this.turn.choices).length === 1;
    for (const [power, facts] of Object.entries(this.turn.powers)) {
      if (single && !this.turn.choices[power]) continue;      // an own sheet: what others may do is theirs to count
      const mine = this.loose.filter(([p]) => p === power), made = [];
      const builds = Math.min(facts.builds - this.count(power, ["build", "waive"]), checked[power]?.builds ?? Infinity);
      const removals = Math.max(facts.removals - this.count(power, ["remove"]), checked[power]?.removals ?? 0);   // supply that is sent counts, too
      if (facts.builds) made.push(builds < 0 ? `${-builds} too many` : builds ? `may build ${builds}` : "has ordered all builds");
      if (removals > 0 || facts.removals) made.push(removals > 0 ? `must remove ${removals}` : "has ordered all removals");
      const waive = mine.find(([, c]) => c[0] === "waive");
      const acts = [];
      if (waive && builds > 0) acts.push({ text: "Waive one", act: () => this.add(power, waive[1]) });
      const send = mine.filter(([, c]) => c[0] === "send");
      if (send.length) acts.push({ text: "Send supply", pick: send.map(([, c]) => [`${c[3]} to ${c[2]}`, () => this.add(power, c)]) });
      const draw = mine.find(([, c]) => c[0] === "draw");
      const row = (said, chips) => {
        const item = document.createElement("li");
        item.append(Object.assign(document.createElement("span"), { textContent: said }), ...chips.map((chip) => this.chip({ ...chip, of: power })));
        rows.push(item);
      };
      if (made.length || acts.length) row(`${power} ${made.join(", ")}`.trim(), acts);
      if (draw && single && !this.count(power, ["draw"])) row("It ends in a draw when all agree in one turn.", [{ text: this.label(draw[1]), act: () => this.add(power, draw[1]) }]);
    }
    this.replace(this.parts.open, rows);
  }

  // Put other controls into a box. The keyboard stays with the one of the same name, or goes back to the map.
  replace(box, made) {
    const was = box.contains(document.activeElement) ? document.activeElement : null, name = (control) => control.ariaLabel || control.textContent;
    const same = was && [...box.querySelectorAll("button, select")].filter((control) => name(control) === name(was)).indexOf(was);
    box.replaceChildren(...made);
    if (!was) return;
    const controls = [...box.querySelectorAll("button, select")].filter((control) => name(control) === name(was));
    (controls[same] || controls[0] || this.chart.sheet).focus();
  }

  chip({ text, act, on, pick, of }) {
    if (pick) {
      const select = document.createElement("select");
      select.setAttribute("aria-label", of ? `${of}: ${text}` : text);
      select.append(new Option(text + "…", ""), ...pick.map(([name], i) => new Option(name, String(i))));
      select.addEventListener("change", () => { if (select.value) this.first(pick[Number(select.value)][1]); });
      return select;
    }
    const button = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: text });
    if (of) button.setAttribute("aria-label", `${of}: ${text}`);
    if (on !== undefined) button.setAttribute("aria-pressed", String(on));
    button.addEventListener("click", () => this.first(act));
    return button;
  }

  add(power, choice) {
    this.remember();
    const [verb, , whom] = choice;
    let key = `${verb} ${power} ${whom}`;
    for (let i = 2; verb === "waive" && this.sheet.has(key); i++) key = `${verb} ${power} ${i}`;
    this.sheet.set(key, { power, choice });
    this.changed(`${choice[4]}.`);
  }

  count(power, verbs) { return [...this.sheet.values()].filter((given) => given.power === power && verbs.includes(given.choice[0])).length; }

  // Undo and redo

  snapshot() { return { sheet: [...this.sheet], unread: structuredClone(this.unread), text: this.shown }; }

  remember() {
    this.past.push(this.snapshot());
    this.future.length = 0;
  }

  go(from, to) {
    const state = from.pop();
    if (!state) return;
    to.push(this.snapshot());
    this.sheet = new Map(state.sheet);
    this.unread = state.unread;
    this.chosen = this.last = null;
    this.changed("", state.text);
  }

  key(event) {
    const typing = event.target.closest?.("textarea, input, select");
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !typing) {
      event.preventDefault();
      this.first(() => event.shiftKey ? this.go(this.future, this.past) : this.go(this.past, this.future));
    } else if (event.key === "Escape" && !typing) this.back();
    else if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey && this.chosen && !this.chosen.whom) {
      const verb = { s: "support", c: "convoy" }[event.key.toLowerCase()];
      const unit = this.units.get(this.chosen.place);
      if (verb && unit?.choices.some((c) => c[0] === verb)) { event.preventDefault(); this.choose(this.chosen.place, verb); }
      else if (event.key.toLowerCase() === "v" && unit) {
        const via = unit.choices.filter((c) => c[0] === "via");
        if (via.length) { event.preventDefault(); this.chips(via.map((c) => ({ text: this.label(c), act: () => this.give(unit, c) }))); this.parts.chips.querySelector("button").focus(); }
      } else if (event.key.toLowerCase() === "h" && unit) {
        const hold = unit.choices.find((c) => c[0] === "hold");
        if (hold) { event.preventDefault(); this.give(unit, hold); }
      }
    }
  }

  // The sheet as text, arrows, marks, list

  write() {
    const several = Object.keys(this.turn.choices).length > 1, out = [];
    for (const power of Object.keys(this.turn.powers)) {
      const lines = [...this.sheet.values()].filter((given) => given.power === power).map((given) => given.choice[4]);
      lines.push(...this.unread[power] || []);
      if (lines.length) out.push((several ? power + "\n" : "") + lines.join("\n"));
    }
    return out.join("\n\n") + (out.length ? "\n" : "");
  }

  changed(said, text = this.write()) {
    this.parts.text.value = this.shown = text;
    if (said) this.say(said);
    this.draw();
    this.chosen ? this.chips() : this.rest();
    this.ask();
  }

  draw() {
    this.chart.draft([...this.sheet.values()].map(({ power, choice: [verb, at, whom, to] }) => ({
      verb, at, whom, to, number: this.turn.powers[power].number, kind: verb === "build" ? whom : "",
    })).filter((arrow) => arrow.at));
    this.listOpen();
    const { undo, redo } = this.parts, here = document.activeElement;
    [undo.disabled, redo.disabled] = [!this.past.length, !this.future.length];
    if (here?.disabled) (here === undo ? redo : undo).focus();
    for (const select of this.parts.list.querySelectorAll("select")) {
      const given = this.sheet.get(select.dataset.place);
      if (select.options.length === 1 && given) this.fill(select);
      select.value = given ? given.choice[4] : "";
    }
    this.dispatchEvent(new Event("change"));
  }

  // Do something to the sheet, but read first what was typed, so that none of it is lost.
  async first(act) {
    if (this.dirty) {
      clearTimeout(this.waiting);
      await (this.reading ||= this.ask(true).finally(() => { this.reading = null; }));
    }
    if (!this.dirty) act();
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
    try { checked = await this.check(this.parts.text.value); } catch { checked = null; }
    if (turn !== this.asked) return;   // something newer was asked meanwhile
    if (!checked) return this.say("The office cannot be reached just now; your orders are kept here.");
    if (read) this.read(checked);
    this.mark(checked);
  }

  read(checked) {                      // what was typed becomes the sheet; lines that are no orders stay as they are
    this.remember();
    this.dirty = false;
    this.shown = this.parts.text.value;
    this.sheet.clear();
    this.unread = {};
    for (const entry of checked.lines) {
      if (!entry.choice) {
        if (entry.problem || entry.keep || entry.text.trim().startsWith("#")) (this.unread[entry.power] ||= []).push(entry.text);
        continue;
      }
      const [verb, at, whom] = entry.choice;
      let key = verb === "build" ? "build " + province(at) : at ? province(at) : `${verb} ${entry.power} ${whom}`;
      if (entry.problem) { (this.unread[entry.power] ||= []).push(entry.text); continue; }
      for (let i = 2; !at && this.sheet.has(key); i++) key = `${verb} ${entry.power} ${i}`;
      this.sheet.set(key, { power: entry.power, choice: entry.choice });
    }
    this.draw();
    this.chosen = null;
    this.rest();
  }

  mark(checked) {
    const made = [], several = Object.keys(this.turn.choices).length > 1;
    for (const entry of checked.lines) {
      if (!entry.order && !entry.problem) continue;
      const item = document.createElement("li");
      item.className = entry.problem ? "wrong" : entry.hints.length ? "hinted" : "good";
      const sign = document.createElement("span");
      sign.className = "sign";
      sign.textContent = entry.problem ? "✕" : entry.hints.length ? "!" : "✓";
      sign.setAttribute("aria-label", entry.problem ? "problem" : entry.hints.length ? "hint" : "understood");
      sign.setAttribute("role", "img");
      const text = document.createElement("span");
      text.textContent = entry.order ? `${several ? entry.power + ": " : ""}${entry.name || entry.order}` : `Line ${entry.line}: ${entry.text}`;
      item.append(sign, text);
      const why = [entry.problem && entry.problem.message + (entry.problem.suggestions.length ? `; did you mean ${entry.problem.suggestions.join(" or ")}?` : ""), ...entry.hints].filter(Boolean);
      if (why.length) item.append(Object.assign(document.createElement("span"), { className: "why", textContent: why.join("; ") }));
      made.push(item);
    }
    const missing = Object.entries(checked.powers).filter(([power, sheet]) => this.turn.choices[power] && sheet.missing.length);
    const total = missing.reduce((sum, [, sheet]) => sum + sheet.missing.length, 0);
    this.parts.marks.replaceChildren(...made);
    this.parts.marks.dataset.missing = String(total);
    if (!this.dirty) this.listOpen(checked.powers);
    this.dispatchEvent(new CustomEvent("checked", { detail: { checked, missing: total } }));
  }

  // The same choices without the map: a row for each unit

  listUnits() {
    const body = this.parts.list;
    for (const [place, unit] of this.units) {
      if (!unit.choices.length) continue;
      const row = document.createElement("tr"), head = document.createElement("th"), cell = document.createElement("td"), select = document.createElement("select");
      head.scope = "row";
      head.textContent = `${unit.power}: ${this.turn.kinds[unit.kind]} ${this.chart.name(unit.at)}`;
      head.id = "unit-" + place;
      select.dataset.place = place;
      select.setAttribute("aria-labelledby", head.id);
      select.append(new Option("no order", ""));
      select.addEventListener("focus", () => this.fill(select));
      select.addEventListener("pointerdown", () => this.fill(select));
      select.addEventListener("change", () => this.first(() => {
        const choice = unit.choices.find((c) => c[4] === select.value);
        if (choice) return this.give(unit, choice);
        this.remember();
        this.sheet.delete(place);
        this.changed("The order is gone; undo brings it back.");
      }));
      cell.append(select);
      row.append(head, cell);
      body.append(row);
    }
  }

  fill(select) {
    if (select.options.length > 1) return;
    for (const choice of this.units.get(select.dataset.place).choices) select.append(new Option(this.label(choice), choice[4]));
    select.value = this.sheet.get(select.dataset.place)?.choice[4] || "";
  }
}
