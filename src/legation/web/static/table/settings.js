// The settings of a rule as fields, by the types that the rule declares: texts, numbers, lists, tables and records, one
// within another.

import { powers } from "./board.js";
import { button, check, el, field } from "./elements.js";

/**
 * @typedef {{type: string, required?: boolean, default?: any, of?: Setting, fields?: Record<string, Setting>, text_too?: boolean}} Setting  as the rule declares it
 * @typedef {{id: string, table: import("./table.js").Table, give: (value: any) => void}} Place  where a value belongs; giving undefined: as usual
 */

const SIMPLE = ["text", "int", "float"];
const NUMBER = ["int", "float"];
export const WORDS = "rule-words";

/** What a value begins as. @param {Setting} setting */
export const begun = (setting) =>
  setting.type === "record"
    ? Object.fromEntries(
        Object.entries(setting.fields || {})
          .filter(([, one]) => one.required)
          .map(([name, one]) => [name, begun(one)]),
      )
    : ({ int: 1, float: 1, bool: true, text: "", list: [], table: {} }[setting.type] ?? "");

/** The provinces and powers that a browser offers while one is typed. @param {import("./table.js").Table} table */
export const words = (table) =>
  el(
    "datalist",
    { id: WORDS },
    [...table.provinces.values()].map(({ id, name }) => el("option", { value: id }, name)),
    powers(table.document).map(({ name }) => el("option", { value: name })),
  );

/** What was typed, with a province's id for its name. */
function meant(table, text) {
  const typed = text.trim();
  return (
    [...table.provinces.values()].find(
      (one) =>
        one.name.toLowerCase() === typed.toLowerCase() && !powers(table.document).some(({ name }) => name === one.name),
    )?.id ?? typed
  );
}

/** @param {Place} place @param {string} name @param {Setting} setting @param {any} value */
export function settingField(place, name, setting, value) {
  const { id, table, give } = place;
  const usual = setting.default;
  const label = name.replaceAll("_", " ").replace(/^./, (c) => c.toUpperCase());
  const hint =
    usual === undefined || usual === null || usual === "" || typeof usual === "object" ? "" : `Usually ${usual}.`;
  const nothing = setting.required ? begun(setting) : undefined;
  if (setting.text_too && typeof value === "string") setting = { ...setting, type: "text" };
  if (setting.type === "bool")
    return check(id, label, value ?? usual ?? false, (on) =>
      give(on === (usual ?? false) && !setting.required ? undefined : on),
    );
  if (NUMBER.includes(setting.type))
    return field(
      id,
      label,
      el("input", {
        type: "number",
        step: setting.type === "int" ? 1 : "any",
        value: value ?? "",
        placeholder: usual ?? "",
        required: Boolean(setting.required),
        onchange: (event) => give(event.target.value === "" ? undefined : Number(event.target.value)),
      }),
      hint,
    );
  if (setting.type === "text")
    return field(
      id,
      label,
      el("input", {
        value: value ?? "",
        list: WORDS,
        placeholder: usual ?? "",
        onchange: (event) => give(meant(table, event.target.value) || (setting.required ? "" : undefined)),
      }),
      hint,
    );
  if (setting.type === "list" && SIMPLE.includes(setting.of?.type || ""))
    return linesField(place, label, setting, value || []);
  if (setting.type === "list")
    return entries(place, label, (made) => give(made.length ? made : nothing), setting.of, value || []);
  if (setting.type === "table") return namedEntries(place, label, setting, value || {}, nothing);
  if (setting.type === "record")
    return el(
      "fieldset",
      { class: "record" },
      el("legend", {}, label),
      el(
        "div",
        { class: "fields" },
        Object.entries(setting.fields || {}).map(([one, form]) =>
          settingField(
            { id: `${id}-${one}`, table, give: (now) => give(without({ ...value, [one]: now })) },
            one,
            form,
            value?.[one],
          ),
        ),
      ),
    );
  return field(
    id,
    label,
    el("textarea", {
      rows: 2,
      class: "code",
      spellcheck: "false",
      value: value === undefined ? "" : JSON.stringify(value, null, 1),
      onchange: (event) => {
        try {
          give(event.target.value.trim() ? JSON.parse(event.target.value) : nothing);
        } catch {
          table.refuse(`${label}: this can’t be read.`);
        }
      },
    }),
    "Lists stand in [ ], tables in { }, texts in quotes.",
  );
}

const without = (record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

/** A list of texts or numbers, one on a line. */
function linesField({ id, table, give }, label, setting, value) {
  const numbers = NUMBER.includes(setting.of.type);
  return field(
    id,
    label,
    el("textarea", {
      rows: Math.max(2, value.length),
      spellcheck: "false",
      value: value.join("\n"),
      onchange: (event) => {
        const given = event.target.value
          .split("\n")
          .map((line) => line.trim())
          .filter(Boolean)
          .map((line) => (numbers ? Number(line) : meant(table, line)));
        if (given.some(Number.isNaN)) table.refuse(`${label}: numbers, one on a line.`);
        else give(given.length || setting.required ? given : undefined);
      },
    }),
    numbers ? "One number on a line." : "One on a line.",
  );
}

/** Entries that can be taken out, and how others come: `rows` are {key, name, one, give, remove, called}. */
function entrySet(id, table, label, of, rows, more) {
  const entry = ({ key, name, one, give, remove, called }) =>
    el(
      "div",
      { class: "entry" },
      settingField({ id: `${id}-${key}`, table, give: (now) => give(now ?? begun(of)) }, name, of, one),
      button("Remove", remove, { id: `${id}-${key}-out`, class: "plain small", "aria-label": called }),
    );
  return el("fieldset", { class: "entries" }, el("legend", {}, label), rows.map(entry), more);
}

/** A list of records, lists or tables: each with its own fields. */
function entries({ id, table }, label, give, of, list) {
  const rows = list.map((one, i) => ({
    key: i,
    name: `${i + 1}`,
    one,
    give: (now) => give(list.map((old, j) => (j === i ? now : old))),
    remove: () => give(list.filter((_, j) => j !== i)),
    called: `Remove ${label} ${i + 1}`,
  }));
  const add = () => give([...list, begun(of)]);
  const more = button("Add", add, { id: `${id}-add`, class: "plain small", "aria-label": `Add to ${label}` });
  return entrySet(id, table, label, of, rows, more);
}

/** A table: values by names of the author’s choice. */
function namedEntries({ id, table, give }, label, setting, value, nothing) {
  const { of } = setting;
  const set = (made) => give(Object.keys(made).length ? made : nothing);
  const input = el("input", {
    id: `${id}-new`,
    list: WORDS,
    "aria-label": `New name under ${label}`,
    onkeydown: (event) => {
      if (event.key === "Enter") add(null);
    },
  });
  const add = (made) => {
    const name = meant(table, input.value);
    if (name && !(name in value)) give({ ...value, [name]: made ?? begun(of) });
    else table.refuse(name ? `${name} is there already.` : `${label}: type a name first, a power or a province.`);
  };
  const rows = Object.entries(value).map(([name, one]) => ({
    key: name.replace(/\W+/g, "_"),
    name: table.provinces.get(name)?.name ?? name,
    one,
    give: (now) => set({ ...value, [name]: now }),
    remove: () => set(Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))),
    called: `Remove ${name} under ${label}`,
  }));
  return entrySet(
    id,
    table,
    label,
    of,
    rows,
    el(
      "p",
      { class: "acts" },
      input,
      button("Add", () => add(null), { id: `${id}-add`, class: "plain small", "aria-label": `Add to ${label}` }),
      of.text_too ? button("Add a text", () => add(""), { id: `${id}-add-text`, class: "plain small" }) : null,
    ),
  );
}
