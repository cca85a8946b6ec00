// Names in other languages: a table of the board (names.csv), which maps show to readers who ask for it.

import { powers, setPower, table as rowsOf } from "./board.js";
import { button, el, field, select } from "./elements.js";

/** @typedef {import("./table.js").Table} Table */

const TAG = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/;
const OFFERED = [
  "cs",
  "da",
  "de",
  "el",
  "en",
  "es",
  "fi",
  "fr",
  "hu",
  "it",
  "ja",
  "ko",
  "la",
  "nl",
  "no",
  "pl",
  "pt",
  "ro",
  "ru",
  "sv",
  "tr",
  "uk",
  "zh",
];

/** A language by its name. @param {string} tag */
function languageName(tag) {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(tag) || tag;
  } catch {
    return tag;
  }
}

/** @param {import("./history.js").Document} document @returns {string[]} */
const languages = (document) =>
  [
    ...new Set([
      ...(document.board.names || []).map((row) => row.language),
      ...powers(document).flatMap((power) => Object.keys(power.names || {})),
    ]),
  ].sort();

const nameIn = (document, id, language) =>
  (document.board.names || []).find((row) => row.id === id && row.language === language)?.name ?? "";

/** @param {import("./history.js").Document} document @param {string} id @param {string} language @param {string} name empty: none */
export const setName = (document, id, language, name) =>
  rowsOf(document, "names", (rows) => {
    const at = rows.findIndex((row) => row.id === id && row.language === language);
    if (!name) return at < 0 ? rows : rows.toSpliced(at, 1);
    return at < 0 ? [...rows, { id, language, name }] : rows.with(at, { id, language, name });
  });

/** @param {import("./history.js").Document} document @param {number} number @param {string} language @param {string} name empty: none */
function namePower(document, number, language, name) {
  const names = Object.entries({ ...powers(document)[number].names, [language]: name }).filter(([, there]) => there);
  return setPower(document, number, { names: names.length ? Object.fromEntries(names) : undefined });
}

/** @param {Table} table */
export function languagesPart(table) {
  const { document } = table;
  const there = languages(document);
  const asked = there.includes(table.language) || table.newLanguage === table.language ? table.language : "";
  const choices = [...new Set([...there, ...(table.newLanguage ? [table.newLanguage] : [])])];
  return el(
    "details",
    { id: "pub-names", open: Boolean(asked) },
    el("summary", {}, `Names in other languages${there.length ? ` (${there.map(languageName).join(", ")})` : ""}`),
    el("p", { class: "hint" }, "Readers choose the language at the foot of the page; orders may use these names too."),
    choices.length
      ? field(
          "names-language",
          "Language on the map",
          select([["", "as drawn"], ...choices.map((tag) => [tag, languageName(tag)])], asked, (tag) =>
            table.showLanguage(tag),
          ),
        )
      : null,
    el(
      "p",
      { class: "acts" },
      el("input", {
        id: "names-new",
        list: "names-tags",
        maxlength: 20,
        "aria-label": "Tag of another language, as de or fr",
        placeholder: "de",
        onkeydown: (event) => {
          if (event.key === "Enter") add(table, event.target);
        },
      }),
      el(
        "datalist",
        { id: "names-tags" },
        OFFERED.map((tag) => el("option", { value: tag }, languageName(tag))),
      ),
      button("Add a language", (event) => add(table, event.target.ownerDocument.getElementById("names-new")), {
        id: "names-add",
        class: "plain small",
      }),
    ),
    asked
      ? [...table.provinces.values()]
          .sort((a, b) => a.name.localeCompare(b.name))
          .map(({ id, name }) =>
            field(
              `names-${id}`,
              name,
              el("input", {
                lang: asked,
                maxlength: 60,
                value: nameIn(document, id, asked),
                onchange: (event) =>
                  table.change(
                    `${name} in ${languageName(asked)}`,
                    setName(table.document, id, asked, event.target.value.trim()),
                  ),
              }),
            ),
          )
      : null,
    asked && powers(document).length
      ? [
          el("h3", {}, "Powers"),
          ...powers(document).map((power, i) =>
            field(
              `names-power-${i}`,
              power.name,
              el("input", {
                lang: asked,
                maxlength: 40,
                value: power.names?.[asked] ?? "",
                onchange: (event) =>
                  table.change(
                    `${power.name} in ${languageName(asked)}`,
                    namePower(table.document, i, asked, event.target.value.trim()),
                  ),
              }),
            ),
          ),
        ]
      : null,
  );
}

/** @param {Table} table @param {any} input */
function add(table, input) {
  const tag = input.value.trim().toLowerCase();
  if (!TAG.test(tag)) return table.refuse("Write the tag of a language: de, fr, pt-br.");
  table.newLanguage = tag;
  table.showLanguage(tag);
}
