// Provinces with several coasts: each sea that touches one belongs to a coast, chosen from a list or by taps on the seas.

import * as edits from "./board.js";

/** @typedef {import("./table.js").Table} Table */

const OPPOSITE = { nc: "sc", sc: "nc", ec: "wc", wc: "ec" };

/** The seas that a land touches. @param {Table} table @param {string} id @returns {string[]} */
export const seasOf = (table, id) => [...new Set((table.grown?.shores?.[id] || []).flatMap((shore) => shore.seas))];

const given = (table, id) =>
  Object.fromEntries(
    (table.document.board.seas_of_coasts || [])
      .filter((row) => row.id === id)
      .map((row) => [row.coast, row.seas.split("|")]),
  );

/** The coast of a land that a sea touches; "" while it has one only. @param {Table} table @param {string} id @param {string} sea */
export const coastAt = (table, id, sea) =>
  Object.entries(given(table, id)).find(([, seas]) => seas.includes(sea))?.[0] || "";

/** Give a sea its coast; the first choice parts the coast in two. @param {Table} table @param {string} id @param {string} sea @param {string} code */
export function giveCoast(table, id, sea, code) {
  const before = given(table, id);
  const made = Object.fromEntries(
    Object.entries(before).map(([one, seas]) => [one, seas.filter((other) => other !== sea)]),
  );
  if (code) made[code] = [...(made[code] || []), sea];
  if (code && !Object.keys(before).length) made[OPPOSITE[code]] = seasOf(table, id).filter((other) => other !== sea);
  const kept = Object.fromEntries(Object.entries(made).filter(([, seas]) => seas.length));
  table.change(
    `${table.name(id)}: ${table.name(sea)} is off ${code ? `its ${edits.COASTS[code]}` : "its only coast"}`,
    edits.setCoasts(table.document, id, Object.keys(kept).length > 1 ? kept : {}),
  );
}

/** The next coast for a sea that was tapped. @param {Table} table @param {string} id @param {string} sea */
export function nextCoast(table, id, sea) {
  const others = seasOf(table, id)
    .filter((other) => other !== sea)
    .map((other) => coastAt(table, id, other))
    .filter(Boolean);
  const codes = Object.keys(edits.COASTS).filter((code) => !others.length || others.some((other) => other !== code)); // else all is one coast
  giveCoast(table, id, sea, codes[codes.indexOf(coastAt(table, id, sea)) + 1] ?? "");
}

/** The seas around a land with the coasts they touch. @param {Table} table @param {string} id @returns {import("./picture.js").Mark[]} */
export const coastMarks = (table, id) =>
  seasOf(table, id)
    .filter((sea) => table.grown.provinces[sea])
    .flatMap((sea) => [
      { cls: "touched-sea", path: table.grown.provinces[sea].path },
      {
        cls: "coast-name",
        at: table.grown.provinces[sea].unit,
        text: edits.COASTS[coastAt(table, id, sea)] || "one coast",
      },
    ]);
