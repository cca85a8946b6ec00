// What is chosen, in words and fields; all that the mouse can do to it can be done here.

import * as edits from "./board.js";
import { choices, knobs, openBorder, passes } from "./borders.js";
import { coastAt, giveCoast, seasOf } from "./coasts.js";
import { button, check, el, field, select } from "./elements.js";
import { insetForm } from "./insets.js";
import { readPoints, writePoints } from "./projection.js";
import { LINES } from "./tools.js";

/** @typedef {import("./table.js").Table} Table */

/** @param {Table} table @returns {any[]} */
export function chosenPanel(table) {
  const { chosen } = table;
  if (!chosen) return [];
  if (chosen.kind === "border") return borderForm(table, chosen);
  if (chosen.kind === "insets") return insetForm(table, chosen.row);
  if (chosen.kind !== "province") return lineForm(table, chosen);
  const province = table.provinces.get(chosen.id);
  return province ? provinceForm(table, province) : [];
}

/** @param {Table} table @param {edits.Province} province */
function provinceForm(table, province) {
  const { document } = table;
  const { id, row, sea, name } = province;
  const set = (cells, what, group) =>
    table.change(what, edits.setCells(document, id, cells), group && `${group} ${id}`);
  const land = !sea && row.form !== "box";
  return [
    el(
      "h2",
      { id: "chosen", tabindex: -1 },
      name,
      " ",
      el(
        "span",
        { class: "tag" },
        row.form === "box" ? "off-board box" : sea ? "sea" : row.coasts ? "coastal land" : "inland",
      ),
    ),
    el(
      "div",
      { class: "fields" },
      field(
        "p-name",
        "Name",
        el("input", {
          value: row.name || "",
          maxlength: 60,
          onchange: (event) => set({ name: event.target.value.trim() || id }, `Renamed ${name}`),
        }),
      ),
      field(
        "p-id",
        "Short name",
        el("input", {
          value: id,
          maxlength: 8,
          pattern: "[a-z0-9]{2,8}",
          onchange: (event) => rename(table, id, event.target.value),
        }),
      ),
    ),
    field(
      "p-aliases",
      "Other names",
      el("input", {
        value: (row.aliases || "").replaceAll("|", ", "),
        maxlength: 200,
        onchange: (event) =>
          set(
            {
              aliases: event.target.value
                .split(",")
                .map((one) => one.trim())
                .filter(Boolean)
                .join("|"),
            },
            `Other names of ${name}`,
          ),
      }),
      "With commas between them; players may write them in orders.",
    ),
    land
      ? el(
          "div",
          { class: "acts" },
          check("p-center", "Supply center", row.center === "1", (on) =>
            set({ center: on ? "1" : "" }, `${name}: ${on ? "a center" : "no center"}`),
          ),
          check("p-inland", "Inland, no coast", !row.coasts, (on) =>
            set({ coasts: on ? "" : "single" }, `${name}: ${on ? "inland" : "on the coast"}`),
          ),
          check("p-circle", "Small circle", row.form === "circle", (on) => circle(table, province, on)),
        )
      : null,
    row.form === "circle"
      ? field(
          "p-radius",
          "Radius, km",
          el("input", {
            type: "number",
            min: 0.1,
            step: "any",
            value: province.points[0]?.[2] || 1,
            onchange: (event) =>
              table.change(
                `Circle of ${name}`,
                edits.setPoints(document, id, [
                  [province.points[0][0], province.points[0][1], Number(event.target.value) || 1],
                ]),
              ),
          }),
        )
      : null,
    holdings(table, province),
    land && row.coasts ? coasts(table, province) : null,
    neighbors(table, province),
    points(table, province),
    el(
      "div",
      { class: "acts" },
      row.form ? null : button("Split", () => splitProvince(table, province), { id: "p-split" }),
      row.form === "box" ? null : mergeChoice(table, province),
      table.placed(id, "label") || table.placed(id, "unit")
        ? button(
            "Name and unit where they fit",
            () =>
              table.change(
                `Places of ${name}`,
                ["label", "unit", "center", ...Object.keys(edits.COASTS)].reduce(
                  (made, what) => edits.setPlace(made, id, what, null),
                  document,
                ),
              ),
            { id: "p-places" },
          )
        : null,
      button(
        "Delete",
        () => {
          table.choose(null);
          table.change(`Deleted ${name}`, edits.removeProvince(document, id));
        },
        { id: "p-delete" },
      ),
    ),
  ];
}

function rename(table, id, wanted) {
  const next = wanted.trim().toLowerCase();
  if (next === id) return;
  if (!/^[a-z0-9]{2,8}$/.test(next)) return table.refuse("A short name is 2 to 8 letters a to z or digits.");
  if (table.provinces.has(next)) return table.refuse(`${table.name(next)} has the short name ${next} already.`);
  const made = edits.renameId(table.document, id, next);
  table.chosen = { kind: "province", id: next };
  table.change(`${table.name(id)} is ${next} for short`, made);
}

function circle(table, { id, name, points }, on) {
  const first = points[0] || [0, 0, 0];
  const radius = Number((table.projection.width / 100).toPrecision(2));
  const made = edits.setPoints(table.document, id, on ? [[first[0], first[1], radius]] : [[first[0], first[1]]]);
  table.change(`${name}: ${on ? "a circle" : "no circle"}`, edits.setCells(made, id, { form: on ? "circle" : "" }));
}

/** Whose home it is, and what begins there. */
function holdings(table, { id, name, row, sea }) {
  const list = edits.powers(table.document);
  if (!list.length || row.form === "box") return null;
  const owner = edits.ownerOf(table.document, id);
  const ids = edits.coastsOf(row);
  const give = (number, unit) => {
    const made = edits.settle(table.document, id, { number, unit, home: !sea && number >= 0 });
    table.change(
      `${name}: ${number < 0 ? "nobody’s" : list[number].name}`,
      number >= 0 && !sea ? edits.setCells(made, id, { center: "1" }) : made,
    );
  };
  const units = [
    ["", "no unit"],
    ...(sea ? [] : [[`A ${id}`, "army"]]),
    ...(sea || row.coasts
      ? ids.length
        ? ids.map((coast) => [`F ${id}/${coast}`, `fleet (${edits.COASTS[coast]})`])
        : [[`F ${id}`, "fleet"]]
      : []),
  ];
  return el(
    "div",
    { class: "fields" },
    field(
      "p-home",
      sea ? "Held by" : "Home of",
      select(
        [["-1", "nobody"], ...list.map((power, i) => [String(i), power.name || `Power ${i + 1}`])],
        String(owner.number),
        (value) => give(Number(value), Number(value) < 0 ? "" : owner.unit || (sea ? `F ${id}` : `A ${id}`)),
      ),
    ),
    owner.number >= 0
      ? field(
          "p-unit",
          "Begins with",
          select(units, owner.unit, (value) => give(owner.number, value)),
        )
      : null,
  );
}

/** One coast or several: each sea that touches the land is off one of them. */
function coasts(table, { id, row }) {
  const seas = seasOf(table, id);
  const several = edits.coastsOf(row).length > 0;
  if (seas.length < 2 && !several) return null;
  return el(
    "details",
    { id: "p-coasts", open: several },
    el("summary", {}, "Coasts"),
    el("p", { class: "hint" }, "Where a fleet can’t go from one shore to the other, give each sea its coast."),
    el(
      "ul",
      { class: "lines table-rows" },
      seas.map((sea) =>
        el(
          "li",
          {},
          el("label", { for: `p-coast-${sea}` }, table.name(sea)),
          select(
            [["", "the only coast"], ...Object.entries(edits.COASTS)],
            coastAt(table, id, sea),
            (code) => giveCoast(table, id, sea, code),
            { id: `p-coast-${sea}` },
          ),
        ),
      ),
    ),
  );
}

/** All neighbors, and who passes. */
function neighbors(table, { id, name }) {
  const mine = knobs(table)
    .filter(({ a, b }) => a === id || b === id)
    .map((knob) => ({ ...knob, other: knob.a === id ? knob.b : knob.a }));
  const others = [...table.provinces.values()].filter(
    (one) => one.id !== id && !mine.some(({ other }) => other === one.id),
  );
  const row = ({ other, army, fleet, why }) =>
    el(
      "li",
      {},
      el("label", { for: `p-border-${other}`, title: why }, table.name(other)),
      select(
        choices(table, id, other).map(({ army, fleet, text }) => [`${Number(army)}${Number(fleet)}`, text]),
        `${Number(army)}${Number(fleet)}`,
        (value) => openBorder(table, id, other, { army: value[0] === "1", fleet: value[1] === "1" }),
        { id: `p-border-${other}` },
      ),
    );
  return el(
    "details",
    { id: "p-borders" },
    el("summary", {}, `Borders (${mine.filter((one) => one.army || one.fleet).length})`),
    el(
      "ul",
      { class: "lines table-rows" },
      mine.sort((a, b) => table.name(a.other).localeCompare(table.name(b.other))).map(row),
    ),
    others.length
      ? field(
          "p-join",
          "Join with",
          select([["", "choose a province"], ...others.map((one) => [one.id, one.name])], "", (other) => {
            if (!other) return;
            const [first] = choices(table, id, other);
            openBorder(table, id, other, first);
            table.say(`${name} and ${table.name(other)} are joined: ${passes(first)}.`);
          }),
          "A bridge, a ferry, a way around: drawn as a line.",
        )
      : null,
  );
}

/** @param {Table} table @param {edits.Province} province */
function points(table, { id, name, points, row }) {
  const put = (made, what) => table.change(what, edits.setPoints(table.document, id, made));
  const held = table.chosen?.kind === "province" ? table.chosen.point : undefined;
  return el(
    "details",
    { id: "p-points", open: held !== undefined },
    el("summary", {}, `Points (${points.length})`),
    el(
      "ul",
      { class: "lines table-rows" },
      points.map((point, i) =>
        el(
          "li",
          { class: held === i ? "chosen" : "" },
          el("input", {
            id: `p-point-${i}`,
            "aria-label": `Point ${i + 1} of ${name}`,
            value: writePoints([point]),
            onchange: (event) => {
              const [read] = readPoints(event.target.value);
              read
                ? put(points.with(i, read), `Moved ${name}`)
                : table.refuse("A point is written as two numbers: 9.6 50.5");
            },
          }),
          button("Move", () => table.moveByKeys(id, i), {
            id: `p-move-${i}`,
            class: "plain small",
            "aria-label": `Move point ${i + 1} with the arrow keys`,
          }),
          points.length > 1
            ? button("Remove", () => put(points.toSpliced(i, 1), `Removed a point of ${name}`), {
                id: `p-remove-${i}`,
                class: "plain small",
              })
            : null,
        ),
      ),
    ),
    row.form
      ? null
      : el(
          "p",
          { class: "acts" },
          button("Add points on the map", () => table.useTool("reach"), { id: "p-reach", class: "plain small" }),
        ),
  );
}

function splitProvince(table, { id, name, points }) {
  const beside = table.picture.otherHalf(id, table.projection.seen([points[0][0], points[0][1]]));
  if (points.length < 2 && !beside) return table.refuse("Wait until the board is grown.");
  const [made, other] = edits.split(table.document, id, `${name} 2`, beside && table.projection.point(beside));
  table.change(`Split ${name}`, made);
  table.choose({ kind: "province", id: other });
  table.focus("p-name");
}

function mergeChoice(table, { id, name, sea }) {
  const near = knobs(table)
    .filter(({ a, b }) => a === id || b === id)
    .map(({ a, b }) => (a === id ? b : a))
    .filter((other) => table.provinces.get(other)?.sea === sea);
  if (!near.length) return null;
  return el(
    "span",
    { class: "merge" },
    el("label", { class: "unseen", for: "p-merge" }, `Merge ${name} with`),
    select(
      [["", "Merge with …"], ...near.map((other) => [other, table.name(other)])],
      "",
      (other) => {
        if (other) table.change(`Merged ${table.name(other)} into ${name}`, edits.merge(table.document, id, other));
      },
      { id: "p-merge" },
    ),
  );
}

/** @param {Table} table @param {import("./table.js").ChosenBorder} chosen */
function borderForm(table, { a, b }) {
  const links = (table.document.board.links || []).filter(
    (row) => [row.a, row.b].sort().join() === [a, b].sort().join(),
  );
  const now = knobs(table).find((knob) => knob.a === a && knob.b === b);
  return [
    el("h2", { id: "chosen", tabindex: -1 }, `${table.name(a)} – ${table.name(b)}`),
    el(
      "p",
      {},
      now
        ? `${passes(now)[0].toUpperCase()}${passes(now).slice(1)}. ${now.why}`
        : "They don’t touch, and nobody passes.",
    ),
    el(
      "div",
      { class: "acts" },
      choices(table, a, b).map(({ army, fleet, text }) =>
        button(text[0].toUpperCase() + text.slice(1), () => openBorder(table, a, b, { army, fleet }), {
          id: `f-border-${Number(army)}${Number(fleet)}`,
          "aria-pressed": String(Boolean(now?.army) === army && Boolean(now?.fleet) === fleet),
        }),
      ),
    ),
    ...links.map((row) => {
      const set = (cells) =>
        table.change(
          "A declared border",
          edits.table(table.document, "links", (rows) => rows.map((one) => (one === row ? { ...one, ...cells } : one))),
        );
      return el(
        "div",
        { class: "fields" },
        field(
          `link-reason-${row.kind}`,
          "Reason",
          el("input", {
            value: row.reason || "",
            maxlength: 120,
            onchange: (event) => set({ reason: event.target.value }),
          }),
          "Players read it beside the map.",
        ),
        field(
          `link-draw-${row.kind}`,
          "Drawn as",
          select(
            [
              ["", "what fits"],
              ["bridge", "bridge"],
              ["barrier", "barrier"],
              ["none", "not drawn"],
            ],
            row.draw || "",
            (draw) => set({ draw }),
          ),
        ),
      );
    }),
  ];
}

/** @param {Table} table @param {import("./table.js").ChosenLine} chosen */
function lineForm(table, { kind, row: number }) {
  const row = table.document.board[kind]?.[number];
  if (!row) return [];
  const set = (cells, what) =>
    table.change(
      what,
      edits.table(table.document, kind, (rows) =>
        rows.with(number, Object.fromEntries(Object.entries({ ...row, ...cells }).filter(([, cell]) => cell !== ""))),
      ),
    );
  const text =
    kind === "void"
      ? `Impassable ${row.kind}`
      : Object.values(LINES).find((one) => one.table === kind && one.row.kind === row.kind && one.row.form === row.form)
          ?.text || row.kind;
  return [
    el("h2", { id: "chosen", tabindex: -1 }, text),
    row.form === "line"
      ? field(
          "l-width",
          "Width, km",
          el("input", {
            type: "number",
            min: 0,
            step: "any",
            value: row.width || 1,
            onchange: (event) => set({ width: event.target.value }, "Width of a line"),
          }),
        )
      : null,
    kind === "lines"
      ? field(
          "l-stops",
          "Nobody crosses",
          select(
            [
              ["", "everybody may cross"],
              ["army", "no army"],
              ["fleet", "no fleet"],
              ["both", "no unit"],
            ],
            row.stops || "",
            (stops) => set({ stops }, "Who crosses a line"),
          ),
        )
      : null,
    kind === "lines"
      ? field(
          "l-kind",
          "Drawn as",
          select(
            [
              ["river", "river"],
              ["mountains", "mountains"],
              ["border", "nothing but the border"],
            ],
            row.kind,
            (value) => set({ kind: value }, "A line"),
          ),
        )
      : null,
    field(
      "l-points",
      "Points",
      el("textarea", {
        rows: 3,
        class: "code",
        spellcheck: "false",
        value: row.points,
        onchange: (event) => set({ points: event.target.value }, "Moved a line"),
      }),
    ),
    el(
      "p",
      { class: "acts" },
      button(
        "Delete",
        () => {
          table.choose(null);
          table.change(
            `Deleted: ${text.toLowerCase()}`,
            edits.table(table.document, kind, (rows) => rows.toSpliced(number, 1)),
          );
        },
        { id: "l-delete" },
      ),
    ),
  ];
}
