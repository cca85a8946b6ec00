// The rules of the variant: modules chosen from a list, their settings as forms, conflicts told at once, and the
// rulebook beside it as players will read it.

import * as edits from "./board.js";
import { call } from "./calls.js";
import { button, el, field, select } from "./elements.js";
import { put } from "./history.js";
import { begun, settingField, words } from "./settings.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {{key: string, title: string, text: string, more: string, clauses: string[], settings: Record<string, import("./settings.js").Setting>}} Rule */

/** @param {Table} table */
export function rulesPanel(table) {
  const { rules, document } = table;
  if (!rules.known) {
    fetchRules(table);
    return [el("p", { class: "soft" }, rules.error || "The rules are being fetched …")];
  }
  const { variant } = edits.withVariant(document);
  const chosen = variant.rules || {};
  if (rules.of !== document) fetchBook(table);
  const on = rules.known.rules.filter((rule) => rule.key in chosen);
  const others = rules.known.rules.filter((rule) => !(rule.key in chosen));
  const find = (rules.find || "").toLowerCase();
  return [
    field(
      "rules-of",
      "Built on the rules of",
      select(
        [["", "nothing: all rules are chosen here"], ...rules.known.basis.map((one) => [one.name, one.title])],
        variant.rules_of || "",
        (name) => set(table, (made) => put(made, ["variant", "rules_of"], () => name || undefined), "Other basis"),
      ),
      "What you choose below is added, or takes the place of the same rule there.",
    ),
    rules.faults.length
      ? el(
          "div",
          { role: "alert", id: "rule-faults" },
          el(
            "ul",
            { class: "lines" },
            rules.faults.map((fault) => el("li", { class: "wrong-text" }, fault)),
          ),
        )
      : null,
    words(table),
    el("h3", {}, "Chosen rules"),
    on.length
      ? on.map((rule) => ruleForm(table, rule, chosen[rule.key]))
      : el("p", { class: "soft" }, "None besides those of the basis."),
    el("h3", {}, "More rules"),
    field(
      "rules-find",
      "Find",
      el("input", {
        type: "search",
        value: rules.find || "",
        oninput: (event) => {
          rules.find = event.target.value;
          table.render();
        },
      }),
    ),
    el(
      "ul",
      { class: "lines table-rules" },
      others
        .filter((rule) => !find || `${rule.title} ${rule.text} ${rule.key}`.toLowerCase().includes(find))
        .map((rule) =>
          el(
            "li",
            {},
            el("div", {}, el("strong", {}, rule.title), " ", clauses(rule), el("p", { class: "soft" }, rule.text)),
            button(
              "Add",
              () =>
                set(
                  table,
                  (made) => put(made, ["variant", "rules", rule.key], () => defaults(rule)),
                  `Rule: ${rule.title}`,
                ),
              { id: `rule-add-${rule.key}`, class: "plain small", "aria-label": `Add ${rule.title}` },
            ),
          ),
        ),
    ),
    rules.book
      ? el(
          "details",
          { id: "rulebook", open: true },
          el("summary", {}, "The rulebook, as players will read it"),
          el(
            "div",
            { class: "rulebook" },
            rules.book.map(({ title, paragraphs }) => [
              el("h4", {}, title),
              ...paragraphs.map((text) => el("p", {}, text)),
            ]),
          ),
        )
      : null,
  ];
}

const clauses = ({ clauses }) => (clauses?.length ? el("span", { class: "tag" }, clauses.join(", ")) : null);

function set(table, make, what, group) {
  table.change(what, make(edits.withVariant(table.document)), group);
}

/** What must be set, begun with something that can be changed. @param {Rule} rule */
const defaults = ({ settings }) =>
  Object.fromEntries(
    Object.entries(settings)
      .filter(([, setting]) => setting.required)
      .map(([name, setting]) => [name, begun(setting)]),
  );

/** @param {Table} table @param {Rule} rule @param {any} values */
function ruleForm(table, rule, values) {
  const { "*": any, ...settings } = rule.settings;
  const at = ["variant", "rules", rule.key];
  const others = Object.fromEntries(Object.entries(values).filter(([name]) => !(name in settings)));
  const to = (name) => ({
    id: `rule-${rule.key}-${name}`,
    table,
    give: (value) =>
      set(table, (made) => put(made, [...at, name], () => value), `${rule.title}: ${name}`, `${rule.key} ${name}`),
  });
  return el(
    "fieldset",
    { class: "part" },
    el("legend", {}, rule.title),
    el("p", { class: "soft" }, rule.text, " ", clauses(rule)),
    rule.more
      ? el("details", { id: `rule-${rule.key}-more` }, el("summary", {}, "About its settings"), el("p", {}, rule.more))
      : null,
    Object.entries(settings).map(([name, setting]) => settingField(to(name), name, setting, values[name])),
    any
      ? settingField(
          {
            ...to("any"),
            give: (value) =>
              set(
                table,
                (made) =>
                  put(made, at, (now) => ({
                    ...Object.fromEntries(Object.entries(now).filter(([name]) => name in settings)),
                    ...value,
                  })),
                rule.title,
                rule.key,
              ),
          },
          "Options",
          { type: "table", of: any },
          others,
        )
      : Object.keys(others).length
        ? el("p", { class: "wrong-text" }, `Not a setting of this rule: ${Object.keys(others).join(", ")}.`)
        : null,
    el(
      "p",
      { class: "acts" },
      button("Take it out", () => set(table, (made) => put(made, at, () => undefined), `No rule: ${rule.title}`), {
        id: `rule-out-${rule.key}`,
        class: "plain small",
        "aria-label": `Take out ${rule.title}`,
      }),
    ),
  );
}

export async function fetchRules(table) {
  if (table.rules.asked) return;
  table.rules.asked = true;
  try {
    table.rules.known = await call("/table/rules");
    table.rules.known.rules.sort((a, b) => a.title.localeCompare(b.title));
  } catch (error) {
    table.rules.error = error.message;
    table.rules.asked = false;
  }
  if (table.step === "rules" || table.step === "powers") table.render();
}

async function fetchBook(table) {
  const { rules, document } = table;
  rules.of = document;
  try {
    const { sections = [], findings = [] } = await call("/table/rulebook", {
      document: table.sent(edits.withVariant(document)),
      grown: Object.fromEntries(Object.entries(table.grown?.files || {}).filter(([name]) => name.endsWith(".csv"))),
    });
    if (rules.of !== document) return;
    rules.book = sections;
    rules.faults = findings;
  } catch (error) {
    rules.faults = [error.message];
  }
  if (table.step === "rules") table.render();
}
