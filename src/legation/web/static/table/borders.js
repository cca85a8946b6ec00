// Borders as a graph over the map: who passes each, and how that is changed.

import * as edits from "./board.js";
import { button } from "./elements.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {{a: string, b: string, at: [number, number], army: boolean, fleet: boolean, path: string, why: string, closed?: boolean}} Knob */

const province = (location) => location.split("/")[0];

/** The knobs of all borders: one for each two provinces that touch, open or not. @param {Table} table @returns {Knob[]} */
export function knobs(table) {
  if (!table.grown) return [];
  const found = new Map();
  const add = (one, closed) => {
    const [a, b] = [province(one.a), province(one.b)].sort();
    const key = `${a} ${b}`;
    const there = found.get(key);
    if (there)
      Object.assign(there, {
        army: there.army || Boolean(one.army),
        fleet: there.fleet || Boolean(one.fleet),
        closed: there.closed && closed,
      });
    else if (one.at)
      found.set(key, {
        a,
        b,
        at: one.at,
        army: Boolean(one.army),
        fleet: Boolean(one.fleet),
        path: one.path || "",
        why: one.why || "",
        closed,
      });
  };
  for (const border of table.grown.borders || []) add(border, false);
  for (const near of table.grown.near || []) add(near, true);
  return [...found.values()];
}

/** The border of two provinces; closed if there is none. @param {Table} table @param {string} a @param {string} b @returns {Knob} */
function borderOf(table, a, b) {
  const [first, second] = [a, b].sort();
  return (
    knobs(table).find((knob) => knob.a === first && knob.b === second) || {
      a: first,
      b: second,
      at: [0, 0],
      army: false,
      fleet: false,
      path: "",
      why: "They don’t touch.",
      closed: true,
    }
  );
}

/** @param {{army: boolean, fleet: boolean}} border */
export const passes = ({ army, fleet }) =>
  army && fleet ? "armies and fleets" : army ? "armies only" : fleet ? "fleets only" : "closed";

/** @param {Table} table @param {import("./table.js").ChosenBorder} border */
export function borderWords(table, { a, b }) {
  const border = borderOf(table, a, b);
  return `${table.name(a)} – ${table.name(b)}: ${passes(border)}. ${border.why}`;
}

/** Whom a border of two provinces can let pass. @param {Table} table */
export function choices(table, a, b) {
  const [one, other] = [table.provinces.get(a), table.provinces.get(b)];
  const dry = (p) => !p.sea && !p.row.coasts;
  return [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ]
    .filter(
      ([army, fleet]) => !(army && (one?.sea || other?.sea)) && !(fleet && one && other && (dry(one) || dry(other))),
    )
    .map(([army, fleet]) => ({ army, fleet, text: passes({ army, fleet }) }));
}

/** @param {Table} table @param {string} a @param {string} b @param {{army: boolean, fleet: boolean}} wanted */
export function openBorder(table, a, b, wanted) {
  const [first, second] = [a, b].sort();
  const now = borderOf(table, first, second);
  table.change(
    `${table.name(first)} – ${table.name(second)}: ${passes(wanted)}`,
    edits.setBorder(table.document, first, second, now, wanted),
  );
}

/** @param {Table} table @param {import("./table.js").ChosenBorder} border */
export function borderChips(table, { a, b }) {
  const border = borderOf(table, a, b);
  return choices(table, a, b).map(({ army, fleet, text }) =>
    button(text[0].toUpperCase() + text.slice(1), () => openBorder(table, a, b, { army, fleet }), {
      "aria-pressed": String(border.army === army && border.fleet === fleet),
      id: `border-${Number(army)}${Number(fleet)}`,
    }),
  );
}

/** @param {Table} table @returns {import("./picture.js").Mark[]} */
export function borderMarks(table) {
  const at = (id) => table.grown.provinces[id]?.unit;
  const chosen = table.chosen?.kind === "border" ? table.chosen : null;
  const marks = [];
  const all = knobs(table);
  for (const { a, b, army, fleet, closed, at: middle } of all) {
    const [from, to] = [at(a), at(b)];
    if (!closed && from && to)
      marks.push({ cls: `edge ${army && fleet ? "both" : army ? "army" : "fleet"}`, line: [from, middle, to] });
  }
  for (const { a, b, army, fleet, closed, at: middle } of all) {
    const mine = chosen?.a === a && chosen.b === b;
    marks.push({
      cls: `knob ${closed || (!army && !fleet) ? "closed" : army && fleet ? "both" : army ? "army" : "fleet"}${mine ? " mine" : ""}`,
      at: middle,
    });
  }
  if (chosen) {
    const { path } = borderOf(table, chosen.a, chosen.b);
    if (path) marks.unshift({ cls: "common", path });
    else if (at(chosen.a) && at(chosen.b)) marks.unshift({ cls: "common", line: [at(chosen.a), at(chosen.b)] });
  }
  if (table.pair && table.grown.provinces[table.pair])
    marks.unshift({ cls: "chosen-province", path: table.grown.provinces[table.pair].path });
  return marks;
}
