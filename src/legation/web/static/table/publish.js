// What the board is called, whose it is, and how it leaves this browser.

import * as edits from "./board.js";
import { button, el, field } from "./elements.js";
import { put } from "./history.js";
import { room } from "./keeping.js";
import { languagesPart } from "./languages.js";
import { keep } from "./tries.js";

/** @typedef {import("./table.js").Table} Table */

/** @param {Table} table */
export function publishPanel(table) {
  const { document, tag } = table;
  const { board, variant = {} } = document;
  const set = (path, what) => (event) =>
    table.change(
      what,
      put(document, path, () => event.target.value.trim() || undefined),
      path.join("."),
    );
  const label = (name) => (event) => {
    tag[name] = event.target.value;
    table.keeper.set({ tag });
  };
  return [
    field(
      "pub-title",
      "Title of the board",
      el("input", {
        value: board.title || "",
        maxlength: 80,
        required: true,
        onchange: set(["board", "title"], "Title"),
      }),
    ),
    field(
      "pub-variant",
      "Title of the variant",
      el("input", {
        value: variant.title || "",
        maxlength: 80,
        onchange: (event) =>
          table.change(
            "Title",
            put(edits.withVariant(document), ["variant", "title"], () => event.target.value.trim() || undefined),
          ),
      }),
    ),
    field(
      "pub-summary",
      "Summary",
      el("input", {
        value: variant.summary || "",
        maxlength: 200,
        onchange: (event) =>
          table.change(
            "Summary",
            put(edits.withVariant(document), ["variant", "summary"], () => event.target.value.trim() || undefined),
          ),
      }),
      "One sentence: players read it in the list of variants.",
    ),
    field(
      "pub-credits",
      "Credits",
      el("input", { value: board.credits || "", maxlength: 300, onchange: set(["board", "credits"], "Credits") }),
      "Whose map, whose idea; printed below the map.",
    ),
    field(
      "pub-notes",
      "Notes",
      el("textarea", {
        rows: 5,
        value: document.notes || "",
        onchange: (event) => table.change("Notes", { ...document, notes: event.target.value }),
      }),
      "History, sources, what to look out for. Markdown.",
    ),
    languagesPart(table),
    el(
      "div",
      { class: "fields" },
      field(
        "pub-version",
        "Version",
        el("input", { value: tag.version || "1.0", maxlength: 20, onchange: label("version") }),
      ),
      field(
        "pub-license",
        "License",
        el("input", { value: tag.license || "CC-BY-4.0", maxlength: 60, onchange: label("license") }),
      ),
    ),
    table.packError ? el("p", { class: "notice wrong", role: "alert" }, table.packError) : null,
    el(
      "p",
      { class: "acts" },
      button("Download the package", () => download(table), { id: "pub-pack", class: "primary" }),
    ),
    el(
      "p",
      { class: "hint" },
      "One file with board, map, rules and texts. Another office installs it with ",
      el("code", {}, "legation variant install FILE -o FOLDER"),
      ", FOLDER being that of its setting ",
      el("code", {}, "variants"),
      ".",
    ),
    offers()
      ? el(
          "p",
          { class: "acts" },
          button("Propose it for the catalog", () => propose(table), { id: "pub-propose" }),
        )
      : null,
    used(table),
  ];
}

/** How much the boards in this browser use, once that is known. @param {import("./table.js").Table} table */
function used(table) {
  if (table.storage) return el("p", { class: "soft small" }, `Boards in this browser use ${table.storage}.`);
  room().then((text) => {
    table.storage = text;
    if (table.step === "publish") table.render();
  });
  return null;
}

/** Whether this site has a catalog, and somebody is signed in who may propose for it. */
const offers = () => document.body.querySelector("#title")?.dataset.proposes === "yes";

/** Open the form for a proposal, with the board as it is now. */
async function propose(table) {
  table.packError = "";
  try {
    const upload = (await keep(table)).replace(/^bench-/, "");
    location.assign(
      `/proposals/new?${new URLSearchParams({ upload, version: table.tag.version || "1.0", license: table.tag.license || "CC-BY-4.0" })}`,
    );
  } catch (error) {
    table.packError = error.message;
    table.render();
  }
}

async function download(table) {
  table.packError = "";
  try {
    const answer = await fetch("/table/pack", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({
        document: table.history.document,
        tag: { version: table.tag.version || "1.0", license: table.tag.license || "CC-BY-4.0" },
      }),
    });
    if (!answer.ok) {
      const told = await answer.json().catch(() => ({}));
      throw new Error([told.error || told.detail || "The package can’t be made.", told.mend].filter(Boolean).join(" "));
    }
    const address = URL.createObjectURL(await answer.blob());
    const name =
      /filename="?([^";]+)/.exec(answer.headers.get("content-disposition") || "")?.[1] ||
      `${table.document.board.name}.legation`;
    el("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    table.say(`${name} is downloaded.`);
  } catch (error) {
    table.packError = error.message;
  }
  table.render();
}
