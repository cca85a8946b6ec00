// The rules of the variant: modules chosen from a list, their settings as forms, conflicts told at once, and the
// rulebook beside it as players will read it.

import * as edits from "./board.js";
import { call } from "./calls.js";
import { button, check, el, field, select } from "./elements.js";
import { put } from "./history.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {{type: string, required?: boolean, default?: any, of?: string, fields?: Record<string, Setting>}} Setting  as the module declares it */
/** @typedef {{key: string, title: string, text: string, clauses: string[], settings: Record<string, Setting>}} Rule */

/** @param {Table} table */
export function rulesPanel(table) {
  const { rules, document } = table;
  if (!rules.known) {
    fetchRules(table);
    return [el("p", { class: "soft" }, rules.error || "The rules are being fetched …")];
  }
  const { variant } = edits.withVariant(document), chosen = variant.rules || {};
  if (rules.of !== document) fetchBook(table);
  const on = rules.known.rules.filter((rule) => rule.key in chosen), others = rules.known.rules.filter((rule) => !(rule.key in chosen));
  const find = (rules.find || "").toLowerCase();
  return [
    field("rules-of", "Built on the rules of", select([["", "nothing: all rules are chosen here"], ...rules.known.basis.map((one) => [one.name, one.title])], variant.rules_of || "", (name) => set(table, (made) => put(made, ["variant", "rules_of"], () => name || undefined), "Other basis")),
      "What you choose below is added, or takes the place of the same rule there."),
    rules.faults.length ? el("ul", { class: "lines", role: "alert", id: "rule-faults" }, rules.faults.map((fault) => el("li", { class: "wrong-text" }, fault))) : null,
    el("h3", {}, "Chosen rules"),
    on.length ? on.map((rule) => ruleForm(table, rule, chosen[rule.key])) : el("p", { class: "soft" }, "None besides those of the basis."),
    el("h3", {}, "More rules"),
    field("rules-find", "Find", el("input", { type: "search", value: rules.find || "", oninput: (event) => { rules.find = event.target.value; table.render(); } })),
    el("ul", { class: "lines table-rules" }, others.filter((rule) => !find || `${rule.title} ${rule.text} ${rule.key}`.toLowerCase().includes(find)).map((rule) => el("li", {},
      el("div", {}, el("strong", {}, rule.title), " ", clauses(rule), el("p", { class: "soft" }, rule.text)),
      button("Add", () => set(table, (made) => put(made, ["variant", "rules", rule.key], () => defaults(rule)), `Rule: ${rule.title}`), { id: `rule-add-${rule.key}`, class: "plain small", "aria-label": `Add ${rule.title}` })))),
    rules.book ? el("details", { id: "rulebook", open: true }, el("summary", {}, "The rulebook, as players will read it"), el("div", { class: "rulebook" }, rules.book.map(({ title, paragraphs }) => [el("h4", {}, title), ...paragraphs.map((text) => el("p", {}, text))]))) : null,
  ];
}

const clauses = ({ clauses }) => clauses?.length ? el("span", { class: "tag" }, clauses.join(", ")) : null;

function set(table, make, what, group) {
  table.change(what, make(edits.withVariant(table.document)), group);
}

/** What must be set, begun with something that can be changed. @param {Rule} rule */
const defaults = ({ settings }) => Object.fromEntries(Object.entries(settings).filter(([, setting]) => setting.required).map(([name, setting]) => [name, { int: 1, float: 1, bool: true, text: "", list: [], table: {}, record: {} }[setting.type] ?? ""]));

/** @param {Table} table @param {Rule} rule @param {any} values */
function ruleForm(table, rule, values) {
  const at = ["variant", "rules", rule.key], hidden = Object.keys(values).filter((name) => !(name in rule.settings));
  return el("fieldset", { class: "part" }, el("legend", {}, rule.title), el("p", { class: "soft" }, rule.text, " ", clauses(rule)),
    Object.entries(rule.settings).map(([name, setting]) => settingField(table, `rule-${rule.key}-${name}`, name, setting, values[name],
      (value) => set(table, (made) => put(made, [...at, name], () => value), `${rule.title}: ${name}`, `${rule.key} ${name}`))),
    hidden.length ? el("p", { class: "wrong-text" }, `Not a setting of this rule: ${hidden.join(", ")}.`) : null,
    el("p", { class: "acts" }, button("Take it out", () => set(table, (made) => put(made, at, () => undefined), `No rule: ${rule.title}`), { id: `rule-out-${rule.key}`, class: "plain small", "aria-label": `Take out ${rule.title}` })));
}

/** @param {Setting} setting @param {(value: any) => void} give undefined: as usual */
function settingField(table, id, name, setting, value, give) {
  const label = name.replaceAll("_", " ").replace(/^./, (c) => c.toUpperCase()), usual = setting.default;
  const hint = usual === undefined || usual === null || usual === "" || typeof usual === "object" ? "" : `Usually ${usual}.`;
  if (setting.type === "bool") return check(id, label, value ?? usual ?? false, (on) => give(on === (usual ?? false) && !setting.required ? undefined : on));
  if (setting.type === "int" || setting.type === "float")
    return field(id, label, el("input", { type: "number", step: setting.type === "int" ? 1 : "any", value: value ?? "", placeholder: usual ?? "", required: Boolean(setting.required), onchange: (event) => give(event.target.value === "" ? undefined : Number(event.target.value)) }), hint);
  if (setting.type === "text") return field(id, label, el("input", { value: value ?? "", placeholder: usual ?? "", onchange: (event) => give(event.target.value || (setting.required ? "" : undefined)) }), hint);
  const [shown, read, how] = written(setting, value);
  return field(id, label, el("textarea", { rows: Math.max(2, shown.split("\n").length), class: how === JSON_HINT ? "code" : "", spellcheck: "false", value: shown, onchange: (event) => {
    try {
      give(event.target.value.trim() ? read(event.target.value) : setting.required ? read("") : undefined);
    } catch {
      table.say(`${label}: this can’t be read. ${how}`);
    }
  } }), how);
}

const JSON_HINT = "Lists stand in [ ], tables in { }, texts in quotes.";
const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

/** A list or table as lines of text where it can be, and how it is read from there. @returns {[string, (text: string) => any, string]} */
function written(setting, value) {
  if (setting.type === "list" && setting.of === "text") return [(value || []).join("\n"), lines, "One on a line."];
  if (setting.type === "table" && (setting.of === "int" || setting.of === "list")) {
    const many = setting.of === "list";
    const read = (text) => Object.fromEntries(lines(text).map((line) => {
      const [, name, rest] = /^(.+?)\s*[=:]\s*(.+)$/.exec(line);
      return [name, many ? rest.split(",").map((one) => one.trim()).filter(Boolean) : Number(rest)];
    }));
    const shown = Object.entries(value || {}).map(([name, one]) => `${name} = ${many ? one.join(", ") : one}`).join("\n");
    return [shown, read, many ? "One on a line: France = par, mar" : "One on a line: France = 12"];
  }
  return [value === undefined ? "" : JSON.stringify(value, null, 1), (text) => JSON.parse(text || (setting.type === "list" ? "[]" : "{}")), JSON_HINT];
}

async function fetchRules(table) {
  if (table.rules.asked) return;
  table.rules.asked = true;
  try {
    table.rules.known = await call("/table/rules");
    table.rules.known.rules.sort((a, b) => a.title.localeCompare(b.title));
  } catch (error) {
    table.rules.error = error.message;
    table.rules.asked = false;
  }
  if (table.step === "rules") table.render();
}

async function fetchBook(table) {
  const { rules, document } = table;
  rules.of = document;
  try {
    const { sections = [], findings = [] } = await call("/table/rulebook", { document: edits.withVariant(document), grown: Object.fromEntries(Object.entries(table.grown?.files || {}).filter(([name]) => name.endsWith(".csv"))) });
    if (rules.of !== document) return;
    rules.book = sections;
    rules.faults = findings;
  } catch (error) {
    rules.faults = [error.message];
  }
  if (table.step === "rules") table.render();
}
