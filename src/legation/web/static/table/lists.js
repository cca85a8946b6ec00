// Everything on the board as lists: for those who listen to the page, for keys, and to see what is still wrong.

import { el } from "./elements.js";
import { nameOf } from "./insets.js";
import { LINES } from "./tools.js";

/** @typedef {import("./table.js").Table} Table */

/** A button that chooses what a list names. @param {Table} table @param {string} id @param {any} what @param {string} text */
function chooser(table, id, what, text) {
  return el("button", { type: "button", class: "as-text", id, onclick: () => table.choose(what, true) }, text);
}

/** @param {Table} table */
export function problems(table) {
  const { findings } = table;
  if (table.growing.state === "failed") return el("p", { class: "notice wrong" }, table.growing.error);
  if (!findings.length)
    return el(
      "p",
      { class: table.growing.state === "grown" ? "good-text" : "soft", id: "no-problems" },
      table.growing.state === "grown" ? "No problems found." : "Being checked …",
    );
  return el(
    "ol",
    { class: "marks findings", id: "problems", "aria-label": "Problems" },
    findings.map((finding, i) =>
      el(
        "li",
        { class: `${finding.level === "note" ? "hinted" : "wrong"}${table.finding === i ? " chosen" : ""}` },
        el(
          "button",
          { type: "button", class: "as-text", id: `finding-${i}`, onclick: () => table.showFinding(i) },
          finding.text,
        ),
      ),
    ),
  );
}

/** @param {Table} table */
export function provinceList(table) {
  const entry = (province) => {
    const holds = table.heldBy(province.id);
    return el(
      "li",
      {},
      el(
        "button",
        {
          type: "button",
          class: "as-text",
          id: `list-${province.id}`,
          "aria-current": table.chosen?.kind === "province" && table.chosen.id === province.id ? "true" : null,
          onclick: () => table.choose({ kind: "province", id: province.id }, true),
        },
        province.name,
      ),
      el("span", { class: "soft" }, [province.row.center === "1" ? "center" : "", holds].filter(Boolean).join(", ")),
    );
  };
  const part = (title, id, list) =>
    list.length
      ? el(
          "details",
          { id, open: true },
          el("summary", {}, `${title} (${list.length})`),
          el("ul", { class: "lines table-list" }, list.map(entry)),
        )
      : null;
  const all = [...table.provinces.values()].sort((a, b) => a.name.localeCompare(b.name));
  const lines = ["lines", "carve", "void"].flatMap((kind) =>
    (table.document.board[kind] || []).map((row, number) => ({ kind, row, number })),
  );
  return [
    part(
      "Lands",
      "list-lands",
      all.filter((one) => !one.sea && one.row.form !== "box"),
    ),
    part(
      "Seas",
      "list-seas",
      all.filter((one) => one.sea && one.row.form !== "box"),
    ),
    part(
      "Boxes",
      "list-boxes",
      all.filter((one) => one.row.form === "box"),
    ),
    (table.document.board.insets || []).length
      ? el(
          "details",
          { id: "list-insets", open: true },
          el("summary", {}, `Insets (${table.document.board.insets.length})`),
          el(
            "ul",
            { class: "lines table-list" },
            table.document.board.insets.map((_row, number) =>
              el(
                "li",
                {},
                chooser(table, `list-inset-${number}`, { kind: "insets", row: number }, nameOf(table, number)),
              ),
            ),
          ),
        )
      : null,
    lines.length
      ? el(
          "details",
          { id: "list-lines" },
          el("summary", {}, `Lines and impassable ground (${lines.length})`),
          el(
            "ul",
            { class: "lines table-list" },
            lines.map(({ kind, row, number }) =>
              el(
                "li",
                {},
                chooser(
                  table,
                  `list-${kind}-${number}`,
                  { kind, row: number },
                  kind === "void"
                    ? `Impassable ${row.kind}${row.note ? `, ${row.note}` : ""}`
                    : `${lineName(kind, row)}${row.note ? `, ${row.note}` : ""}`,
                ),
              ),
            ),
          ),
        )
      : null,
  ];
}

const lineName = (kind, row) =>
  Object.values(LINES).find((one) => one.table === kind && one.row.kind === row.kind && one.row.form === row.form)
    ?.text || row.kind;
