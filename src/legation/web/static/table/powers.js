// The powers: names, colors that every eye can tell apart, homes, and what stands where when the game begins.

import * as edits from "./board.js";
import { alike, free } from "./colors.js";
import { editionsPart } from "./editions.js";
import { button, el, field, shape } from "./elements.js";
import { fetchRules } from "./rules.js";

/** @typedef {import("./table.js").Table} Table */

/** A power's shield. @param {string} [color] */
export function swatch(color = "#888888") {
  const made = shape(
    "svg",
    { class: "table-swatch", viewBox: "-9 -10 18 21", "aria-hidden": "true" },
    shape("path", { d: "M-8.2-9.2Q0-7.6 8.2-9.2V.4C8.2 5.6 4.2 8.6 0 10.4C-4.2 8.6-8.2 5.6-8.2.4Z" }),
  );
  made.firstChild.style.fill = color;
  return made;
}

/** @param {Table} table */
export function addPower(table) {
  const made = edits.withVariant(table.document);
  const list = edits.powers(made);
  const name = `Power ${list.length + 1}`;
  const color = free(list.map((power) => power.color).filter(Boolean));
  table.power = list.length;
  table.change(`New power`, {
    ...made,
    variant: { ...made.variant, powers: [...list, { name, color, homes: [], units: [] }] },
  });
  table.show("powers", `power-name-${list.length}`);
}

/** @param {Table} table @param {number} number */
function removePower(table, number) {
  const list = edits.powers(table.document);
  table.power = -1;
  table.change(`Removed ${list[number].name}`, {
    ...table.document,
    variant: { ...table.document.variant, powers: list.filter((_, i) => i !== number) },
  });
}

/** @param {Table} table */
export function powersPanel(table) {
  const list = edits.powers(table.document);
  const colored = list.filter((power) => /^#[0-9a-f]{6}$/i.test(power.color || ""));
  const told = alike(colored);
  if (!table.rules.known) fetchRules(table);
  return [
    ...editionsPart(table),
    el(
      "p",
      { class: "hint" },
      "Choose the tool Centers, then a power, and tap its homes on the map: once for an army, again for a fleet. Or set them in the list of each province.",
    ),
    ...list.map((power, i) => powerForm(table, power, i)),
    el(
      "p",
      { class: "acts" },
      button("New power", () => addPower(table), { id: "new-power" }),
    ),
    el("h3", {}, "Colors"),
    list.length < 2
      ? el(
          "p",
          { class: "soft" },
          "With two powers or more, their colors are compared here: for every eye, and in gray.",
        )
      : told.length
        ? el(
            "ul",
            { class: "lines" },
            told.map(({ text, grave }) => el("li", { class: grave ? "wrong-text" : "soft" }, text)),
          )
        : el("p", { class: "good-text" }, "All colors stay apart for every eye and in gray."),
    told.some(({ grave }) => grave)
      ? button(
          "Choose colors that stay apart",
          () => {
            const colors = [];
            for (const _ of list) colors.push(free(colors));
            table.change(
              "Other colors",
              list.reduce((made, _, i) => edits.setPower(made, i, { color: colors[i] }), table.document),
            );
          },
          { id: "colors-apart" },
        )
      : null,
  ];
}

function powerForm(table, power, i) {
  const set = (values, what) =>
    table.change(what, edits.setPower(table.document, i, values), `power ${i} ${Object.keys(values)}`);
  const names = (ids) => ids.map((id) => table.name(id)).join(", ");
  const units = (power.units || []).map((unit) => `${unit.split(" ")[0]} ${table.name(unit.split(" ")[1])}`).join(", ");
  return el(
    "fieldset",
    { class: "part" },
    el("legend", {}, swatch(power.color), " ", power.name || "A power without a name"),
    el(
      "div",
      { class: "fields" },
      field(
        `power-name-${i}`,
        "Name",
        el("input", {
          value: power.name || "",
          maxlength: 40,
          oninput: (event) => set({ name: event.target.value }, "Named a power"),
        }),
      ),
      field(
        `power-adjective-${i}`,
        "Adjective",
        el("input", {
          value: power.adjective || "",
          maxlength: 40,
          oninput: (event) => set({ adjective: event.target.value }, "Named a power"),
        }),
      ),
      field(
        `power-color-${i}`,
        "Color",
        el("input", {
          type: "color",
          value: power.color || "#888888",
          oninput: (event) => set({ color: event.target.value }, `Color of ${power.name}`),
        }),
      ),
    ),
    el(
      "dl",
      { class: "facts" },
      el("dt", {}, "Homes"),
      el("dd", {}, names(power.homes || []) || "none yet"),
      el("dt", {}, "Begins with"),
      el("dd", {}, units || "no units yet"),
    ),
    el(
      "p",
      { class: "acts" },
      button(
        "Set on the map",
        () => {
          table.power = i;
          table.useTool("start");
        },
        { id: `power-set-${i}` },
      ),
      button("Remove", () => removePower(table, i), { id: `power-remove-${i}` }),
    ),
  );
}

/** What stands where at first, upon the map. @param {Table} table @returns {import("./picture.js").Mark[]} */
export function powerMarks(table) {
  const marks = [];
  const list = edits.powers(table.document);
  for (const [id, province] of table.provinces) {
    const grown = table.grown?.provinces[id];
    if (!grown) continue;
    const owner = edits.ownerOf(table.document, id);
    if (owner.number >= 0)
      marks.push({
        cls: `held${owner.number === table.power ? " mine" : ""}`,
        path: grown.path,
        fill: list[owner.number].color,
      });
    if (province.row.center === "1") marks.push({ cls: "star", at: grown.center, text: "★" });
    if (owner.unit) marks.push({ cls: "stands", at: grown.unit, text: owner.unit.split(" ")[0] });
  }
  return marks;
}
