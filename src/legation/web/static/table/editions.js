// Several editions of a board: further variants on the same map, with powers, starts, dates and rules of their own. The
// edition at hand is edited as the document's variant; where it is kept, it stands among the editions.

import * as edits from "./board.js";
import { button, el, field, fileName, select } from "./elements.js";
import { put } from "./history.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./history.js").Document} Document */

const FIRST = "0-first"; // the variant itself, while an edition stands in its place

const swapped = (document, name, other) => ({
  ...document,
  variant: document.editions[name],
  editions: Object.fromEntries(
    Object.entries(document.editions).map(([key, facts]) => (key === name ? [other, document.variant] : [key, facts])),
  ),
});

/** A document with an edition in the place of its variant. @param {Document} document @param {string} name empty: the variant itself */
export const viewed = (document, name) =>
  name && document.editions?.[name] ? swapped(document, name, FIRST) : document;

/** The document that is seen so. @param {Document} document @param {string} name */
export const unviewed = (document, name) =>
  name && document.editions?.[FIRST] ? swapped(document, FIRST, name) : document;

/** A file name for an edition that is free. @param {Document} document @param {string} title */
function freeName(document, title) {
  const slug = fileName(title, 50) || "edition";
  const taken = new Set([document.board.name, "board", FIRST, ...Object.keys(document.editions || {})]);
  for (let number = 1; ; number++) {
    const name = number === 1 ? slug : `${slug}-${number}`;
    if (!taken.has(name)) return name;
  }
}

/** @param {Table} table */
export function editionsPart(table) {
  const whole = table.history.document;
  const { variant } = table.document;
  const editions = Object.entries(whole.editions || {});
  if (!edits.powers(table.document).length && !editions.length) return [];
  const calendar = variant.rules?.calendar;
  const basis = table.rules.known?.basis.find((one) => one.name === variant.rules_of)?.calendar;
  const set = (path, value, what) =>
    table.change(
      what,
      put(table.document, ["variant", ...path], () => value),
      path.join(),
    );
  return [
    editions.length
      ? field(
          "edition",
          "Edition",
          select(
            [
              ["", whole.variant?.title || "The first"],
              ...editions.map(([name, facts]) => [name, facts.title || name]),
            ],
            table.edition,
            (name) => table.showEdition(name),
          ),
          "Powers, starts, rules and dates are those of this edition; the map is the same.",
        )
      : null,
    el(
      "div",
      { class: "fields" },
      field(
        "edition-title",
        editions.length ? "Its title" : "Title of the variant",
        el("input", {
          value: variant.title || "",
          maxlength: 80,
          onchange: (event) => set(["title"], event.target.value.trim() || undefined, "Title"),
        }),
      ),
      calendar || basis
        ? field(
            "edition-first",
            "First turn",
            el("input", {
              value: calendar?.first ?? "",
              placeholder: basis?.first ?? "",
              maxlength: 60,
              onchange: (event) =>
                set(
                  ["rules", "calendar"],
                  event.target.value.trim() ? { ...basis, ...calendar, first: event.target.value.trim() } : undefined,
                  "First turn",
                ),
            }),
          )
        : null,
    ),
    el(
      "p",
      { class: "acts" },
      button("Copy as another edition", () => addEdition(table), { id: "edition-copy" }),
      table.edition ? button("Remove this edition", () => removeEdition(table), { id: "edition-remove" }) : null,
    ),
  ];
}

/** @param {Table} table */
function addEdition(table) {
  const whole = table.history.document;
  const count = Object.keys(whole.editions || {}).length + 2;
  const facts = {
    ...table.document.variant,
    title: `${table.document.variant.title || whole.board.title}, edition ${count}`,
  };
  const name = freeName(whole, facts.title);
  table.changeWhole(`New edition: ${facts.title}`, { ...whole, editions: { ...whole.editions, [name]: facts } });
  table.showEdition(name);
  table.focus("edition-title");
}

/** @param {Table} table */
function removeEdition(table) {
  const whole = table.history.document;
  const { [table.edition]: gone, ...editions } = whole.editions;
  table.showEdition("");
  table.changeWhole(`Removed ${gone.title || "an edition"}`, { ...whole, editions });
}
