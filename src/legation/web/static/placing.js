// Units moved, placed and taken away in the sandbox: by dragging, by tapping, by keys. Each change is asked of the server,
// which answers with the position that comes of it under a name of its own.

import { province } from "./choices.js";

export class Placing {
  /** @type {import("./map.js").Chart} */
  chart;
  /** @type {import("./orders.js").OrderEntry} */
  entry;
  /** @type {any} elements of the page */
  parts;
  /** @type {string[]} */
  powers;
  /** @type {Record<string, any>} their numbers on the map, by name */
  numbers;
  /** @type {Record<string, string>} names of kinds of units */
  kinds;

  // entry: the orders, which rest meanwhile; name: the position; units: [kind, at, power]; powers and kinds by name.
  constructor(chart, entry, parts, { name, units, powers, kinds }, state) {
    Object.assign(this, { chart, entry, parts, powers: Object.keys(powers), numbers: powers, kinds });
    this.on = false;
    this.tool = "move";
    this.power = this.powers[0];
    this.past = [];
    this.now = { name, units, svg: state };
    chart.addEventListener("pick", (event) => this.on && this.pick(event.detail.place));
    chart.addEventListener("back", () => this.on && this.rest());
    chart.addEventListener("drag", (event) => this.on && this.drag(event.detail));
    chart.addEventListener("drop", (event) => this.on && this.drop(event.detail));
  }

  start() {
    this.on = this.entry.resting = true;
    this.chart.draft([]);
    this.chart.grabs = (place) => this.tool === "move" && Boolean(this.at(place));
    const describe = this.chart.describe;
    this.chart.describe = (place) => {
      const unit = this.at(place);
      const name = this.chart.name(place);
      return this.on
        ? unit
          ? `${name}: ${this.kinds[unit[0]]} of ${this.numbers[unit[2]].called}`
          : name
        : describe(place);
    };
    this.rest();
    this.parts.chips.querySelector("button")?.focus();
  }

  at(place) {
    return this.now.units.find(([, at]) => province(at) === place);
  }

  say(text) {
    this.parts.status.textContent = text;
  }

  rest(said) {
    this.held = null;
    this.chart.light({});
    this.chart.draft([]);
    this.say(
      said ||
        { move: "Drag a unit, or tap it and then where it goes.", remove: "Tap a unit to take it away." }[this.tool] ||
        `Tap where the ${this.kinds[this.tool].toLowerCase()} of ${this.numbers[this.power].called} goes.`,
    );
    this.tools();
  }

  button(text, action, pressed) {
    const made = Object.assign(document.createElement("button"), {
      type: "button",
      className: "plain",
      textContent: text,
    });
    if (pressed !== undefined) made.setAttribute("aria-pressed", String(pressed));
    made.addEventListener("click", action);
    return made;
  }

  tools() {
    const pick = (tool) => () => {
      this.tool = tool;
      this.rest();
    };
    const power = document.createElement("select");
    power.setAttribute("aria-label", "Power of new units");
    power.append(...this.powers.map((name) => new Option(name, name, name === this.power, name === this.power)));
    power.addEventListener("change", () => {
      this.power = power.value;
      this.rest();
    });
    const undo = this.button("Undo", () => {
      this.now = this.past.pop();
      this.chart.show(this.now.svg);
      this.rest("Undone.");
    });
    undo.disabled = !this.past.length;
    const kinds = Object.entries(this.kinds).map(([code, name]) =>
      this.button(name[0].toUpperCase() + name.slice(1), pick(code), this.tool === code),
    );
    this.entry.show(this.parts.chips, [
      this.button("Move", pick("move"), this.tool === "move"),
      power,
      ...kinds,
      this.button("Take away", pick("remove"), this.tool === "remove"),
      undo,
      this.button("Done", () => this.done()),
    ]);
  }

  pick(place) {
    if (this.tool === "remove")
      return this.at(place) ? this.ask({ at: place }) : this.say(`${this.chart.name(place)}: no unit stands there.`);
    if (this.tool !== "move") return this.ask({ at: place, power: this.power, kind: this.tool });
    if (this.held && this.held !== place) return this.ask({ at: place, source: this.held });
    if (!this.at(place) || this.held)
      return this.rest(this.held ? "" : `${this.chart.name(place)}: no unit stands there.`);
    this.held = place;
    this.chart.light({ [place]: "here" });
    this.say(`${this.chart.describe(place)}: tap where it goes.`);
  }

  drag({ from, to }) {
    const unit = this.at(from);
    this.chart.draft(
      to && to !== from ? [{ stroke: "arrow", at: unit[1], to, number: this.numbers[unit[2]].number }] : [],
    );
  }

  drop({ from, to }) {
    to && to !== from ? this.ask({ at: to, source: from }) : this.rest();
  }

  async ask(change) {
    const answer = await fetch(`/sandbox/${this.now.name}/units`, {
      method: "POST",
      body: new URLSearchParams(change),
      headers: { accept: "application/json" },
    }).catch(() => null);
    const said = answer && (await answer.json().catch(() => null));
    if (!answer?.ok) return this.rest(said?.error || "You’re offline. Try again in a moment.");
    if (said.coasts) {
      this.say("On which coast?");
      return this.entry.show(this.parts.chips, [
        ...said.coasts.map(([at, name]) => this.button(name, () => this.ask({ ...change, at }))),
        this.button("Back", () => this.rest()),
      ]);
    }
    this.past.push(this.now);
    this.now = said;
    this.chart.show(said.svg);
    this.rest(said.said);
  }

  // Go to the position that was made; the orders written so far go along.
  done() {
    if (!this.past.length) {
      this.on = this.entry.resting = false;
      this.chart.grabs = undefined;
      this.entry.draw();
      this.entry.rest();
      return this.say("");
    }
    const written = this.entry.parts.text.value;
    if (written) localStorage.setItem("draft " + this.now.name, written);
    location.assign(`/sandbox/${this.now.name}`);
  }
}
