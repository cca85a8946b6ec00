// The same board as CSV and TOML, shown and edited beside the map.

import { call } from "./calls.js";
import { button, el, select } from "./elements.js";

/** @typedef {import("./table.js").Table} Table */

/** @param {Table} table */
export function filesPanel(table) {
  const { files } = table;
  if (files.of !== table.document) fetchFiles(table);
  const names = Object.keys(files.texts);
  if (!names.length) return [el("p", { class: "soft" }, files.error || "The files are being written …")];
  if (!names.includes(files.name)) files.name = names.find((name) => name === "land.csv") || names[0];
  const text = files.draft ?? files.texts[files.name];
  return [
    el("p", { class: "hint" }, "These files are the board. Change them here or with the commands; the map follows."),
    el(
      "div",
      { class: "field" },
      el("label", { for: "file-name" }, "File"),
      select(
        names.map((name) => [name, name]),
        files.name,
        (name) => {
          files.name = name;
          files.draft = null;
          table.render();
        },
        { id: "file-name" },
      ),
    ),
    el(
      "div",
      { class: "field wide" },
      el("label", { for: "file-text" }, files.name),
      el("textarea", {
        id: "file-text",
        class: "code",
        rows: 22,
        spellcheck: "false",
        wrap: "off",
        value: text,
        readonly:
          WRITTEN.includes(files.name) && !(files.name === "borders.csv" && table.document.borders === "stated"),
        oninput: (event) => {
          files.draft = event.target.value;
        },
      }),
    ),
    files.faults.length
      ? el(
          "div",
          { role: "alert" },
          el(
            "ul",
            { class: "lines" },
            files.faults.map((fault) => el("li", { class: "wrong-text" }, fault)),
          ),
        )
      : null,
    WRITTEN.includes(files.name) ? el("p", { class: "soft" }, "This file is written when the board is grown.") : null,
    el(
      "p",
      { class: "acts" },
      button("Use this text", () => useText(table), { id: "file-use" }),
      button(
        "As before",
        () => {
          files.draft = null;
          files.faults = [];
          table.render();
        },
        { id: "file-back" },
      ),
    ),
  ];
}

const WRITTEN = ["borders.csv", "touching.csv", "shapes.json", "layout.json"];

async function fetchFiles(table) {
  const { files, document } = table;
  files.of = document;
  try {
    const { files: texts } = await call("/table/files", { document: table.sent() });
    if (files.of !== document) return;
    files.texts = {
      ...texts,
      ...Object.fromEntries(Object.entries(table.grown?.files || {}).filter(([name]) => name.endsWith(".csv"))),
    };
    files.error = "";
  } catch (error) {
    files.error = error.message;
  }
  if (table.step === "files") table.render();
}

async function useText(table) {
  const { files } = table;
  if (files.draft === null) return;
  try {
    const sent = Object.fromEntries(
      Object.entries({ ...files.texts, [files.name]: files.draft }).filter(
        ([name]) =>
          !["shapes.json", "layout.json"].includes(name) &&
          !(table.document.borders === "picture" && WRITTEN.includes(name)),
      ),
    );
    const { document, findings = [] } = await call("/table/read", { files: sent });
    files.faults = findings
      .filter((one) => one.level === "fault")
      .map((one) => (one.place ? `${one.place}: ${one.text}` : one.text));
    if (document && !files.faults.length) {
      files.draft = null;
      table.changeWhole(`Edited ${files.name}`, { ...document, borders: table.document.borders });
    }
  } catch (error) {
    files.faults = [error.message];
  }
  table.render();
}
