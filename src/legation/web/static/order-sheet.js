// What is ordered so far: the orders of a sheet, the lines that are kept as they were written, and the steps back.

import { province, write } from "./choices.js";

/**
 * @typedef {import("./choices.js").Choice} Choice
 * @typedef {{orders: [string, import("./choices.js").Given][], unread: Record<string, string[]>, text: string, typed?: boolean}} Step  typed: its text is not read yet
 */

export class OrderSheet {
  /** @type {import("./choices.js").Sheet} */
  orders = new Map();
  /** @type {Record<string, string[]>} by power: lines that are no orders */
  unread = {};
  /** The sheet as text, as it is shown. */
  shown = "";
  /** @type {Step[]} */
  past = [];
  /** @type {Step[]} */
  future = [];

  /** @param {import("./choices.js").Grammar} grammar @param {string[]} powers @param {boolean} several whether more than one of them is ordered here */
  constructor(grammar, powers, several) {
    this.grammar = grammar;
    this.powers = powers;
    this.several = several;
  }

  /** Keep the sheet as it is now, before it changes. */
  remember() {
    this.past.push(this.step());
    this.future.length = 0;
  }

  /** @returns {Step} */
  step() {
    return { orders: [...this.orders], unread: structuredClone(this.unread), text: this.shown };
  }

  /** Take one step back, or forward again; the answer is that step, or null where there is none. @param {boolean} forward @returns {Step | null} */
  go(forward) {
    const [from, to] = forward ? [this.future, this.past] : [this.past, this.future];
    const step = from.pop();
    if (!step) return null;
    to.push(this.step());
    this.orders = new Map(step.orders);
    this.unread = step.unread;
    return step;
  }

  /** Take what was read of a text. @param {import("./choices.js").Line[]} lines @param {string} text */
  read(lines, text) {
    this.remember();
    const { sheet, unread } = this.grammar.read(lines);
    this.orders = sheet;
    this.unread = unread;
    this.shown = text;
  }

  /** @param {string} place */
  delete(place) {
    this.remember();
    this.orders.delete(place);
  }

  /** @param {string} place @param {string} power @param {Choice} choice */
  give(place, power, choice) {
    this.remember();
    this.orders.set(place, { power, choice });
  }

  /** Give an order of no place. @param {string} power @param {Choice} choice */
  add(power, choice) {
    this.give(this.grammar.key(this.orders, power, choice), power, choice);
  }

  /** Empty the sheet. @param {string | null} typed what stands in its place as text, where that is not read yet: a step back brings it back, too */
  clear(typed = null) {
    this.remember();
    if (typed !== null) Object.assign(this.past[this.past.length - 1], { text: typed, typed: true });
    this.orders.clear();
    this.unread = {};
  }

  /** The orders of a power. @param {string} power */
  of(power) {
    return [...this.orders.values()].filter((given) => given.power === power).map((given) => given.choice);
  }

  /** How many orders of a power count as something: a build, a removal. @param {string} power @param {string} what */
  count(power, what) {
    return this.of(power).filter((choice) => this.grammar.gesture(choice).counts === what).length;
  }

  /** Whether a power has an order of a gesture. @param {string} power @param {string} name */
  has(power, name) {
    return this.of(power).some((choice) => choice[0] === name);
  }

  /** The places of the fleets that carry a unit from a place to another. @param {string} at @param {string} to @returns {string[]} */
  carriers(at, to) {
    return [...this.orders.values()]
      .map((given) => given.choice)
      .filter((c) => this.grammar.gesture(c).carries)
      .filter((c) => province(c[2]) === province(at) && province(c[3]) === province(to))
      .map((c) => c[1]);
  }

  text() {
    return write(this.orders, this.unread, this.powers, this.several);
  }
}
