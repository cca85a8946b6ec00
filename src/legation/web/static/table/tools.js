// The tools of the table: what a tap, a drag and Enter do with each.

import * as edits from "./board.js";
import { borderChips, borderWords, knobs } from "./borders.js";
import { nextCoast, seasOf } from "./coasts.js";
import { button, el } from "./elements.js";
import { drawBox, INSET, insetAt, insetHandles } from "./insets.js";
import { keepPaper, layPaper } from "./paper.js";
import { addPower, swatch } from "./powers.js";
import { far, nearest, readPoints, writePoints } from "./projection.js";

/**
 * @typedef {import("./table.js").Table} Table
 * @typedef {[number, number]} XY
 * @typedef {{key: string, text: string, icon: string, hint: (table: Table) => string, hand: (table: Table) => import("./sheet.js").Hand, chips?: (table: Table) => any[], leave?: (table: Table) => void}} Tool
 */

/** What to do at a tool for provinces: while seas are parted between coasts, with a province chosen, and before. @param {Table} table @param {(name: string) => string} chosen @param {string} before @returns {string} */
function provinceHint(table, chosen, before) {
  const parted = table.parting();
  if (parted) return `Tap each sea until it names the coast of ${table.name(parted)} that it touches.`;
  return table.chosen?.kind === "province" ? chosen(table.name(table.chosen.id)) : before;
}

// Choose and move

const MANY = 12; // points of a province, as of one taken from a drawing: more are there only when it is chosen

/** What can be dragged: the points of provinces, of what is off the board, of a chosen line, and a chosen province's name, unit and center. @param {Table} table */
export function handles(table) {
  const { document, projection, chosen } = table;
  const found = [];
  for (const province of table.provinces.values()) {
    const mine = chosen?.kind === "province" && chosen.id === province.id;
    if (mine || province.points.length <= MANY)
      province.points.forEach((point, i) =>
        found.push({
          kind: "point",
          id: province.id,
          i,
          at: projection.seen([point[0], point[1]]),
          mine,
          put: (at) =>
            edits.setPoints(document, province.id, province.points.with(i, [...projection.point(at), point[2]])),
          said: `Moved ${province.name}`,
        }),
      );
  }
  for (const name of /** @type {const} */ (["void", "carve", "lines"]))
    (document.board[name] || []).forEach((row, r) => {
      const mine = chosen?.kind === name && chosen.row === r;
      if (name !== "void" && !mine) return;
      readPoints(row.points).forEach((point, i, points) =>
        found.push({
          kind: name,
          row: r,
          i,
          at: projection.seen([point[0], point[1]]),
          mine,
          said: name === "void" ? "Moved impassable ground" : "Moved a line",
          put: (at) =>
            edits.table(document, name, (rows) =>
              rows.with(r, { ...row, points: writePoints(points.with(i, [...projection.point(at), point[2]])) }),
            ),
        }),
      );
    });
  const grown = chosen?.kind === "province" && table.grown?.provinces[chosen.id];
  if (grown)
    for (const [what, at] of [
      ["label", grown.label],
      ["unit", grown.unit],
      ["center", grown.center],
      ...Object.entries(grown.coasts || {}),
    ])
      if (at && (what !== "center" || table.provinces.get(chosen.id)?.row.center === "1"))
        found.push({
          kind: what in edits.COASTS ? "coast" : what,
          what,
          id: chosen.id,
          at: table.placed(chosen.id, what) || at,
          mine: true,
          said: `Moved the ${what === "label" ? "name" : what in edits.COASTS ? edits.COASTS[what] : what} of ${table.name(chosen.id)}`,
          put: (to) => edits.setPlace(document, chosen.id, what, projection.point(to)),
        });
  return [...found, ...insetHandles(table)];
}

/** @type {Tool} */
const choose = {
  key: "v",
  text: "Select",
  icon: "M5 3l14 9-6.5 1.2L9.5 20z",
  hint: (table) =>
    provinceHint(
      table,
      (name) => `${name}: drag its points to move its borders, or its name, unit and star.`,
      "Tap a province to choose it. Drag a point and see the board grow.",
    ),
  chips: (table) =>
    table.chosen?.kind === "province" && seasOf(table, table.chosen.id).length > 1
      ? [
          button(
            "Several coasts",
            () => {
              table.coasts = !table.coasts;
              table.render();
            },
            { id: "coasts", "aria-pressed": String(Boolean(table.parting())) },
          ),
        ]
      : [],
  leave: (table) => {
    table.coasts = false;
  },
  hand: (table) => ({
    grab: (at, near) => {
      if (table.parting()) return null;
      const all = handles(table);
      const own = all.filter((handle) => handle.mine);
      const handle = nearest(own, (one) => one.at, at, near) || nearest(all, (one) => one.at, at, near * 0.7);
      if (!handle) return null;
      return table.carry(handle, handle.kind === "point" || handle.kind === "void");
    },
    tap: (at, near) => {
      const parted = table.parting();
      const sea = parted && table.picture.provinceAt(at);
      if (sea && seasOf(table, parted).includes(sea)) return nextCoast(table, parted, sea);
      const handle = nearest(
        handles(table).filter((one) => one.kind === "point" || one.kind === "void"),
        (one) => one.at,
        at,
        near * 0.7,
      );
      if (handle?.kind === "void") return table.choose({ kind: "void", row: handle.row });
      const line = insetAt(table, at) || table.lineAt(at, near * 0.6);
      if (!handle && line) return table.choose(line);
      const id = handle ? handle.id : table.picture.provinceAt(at);
      table.choose(id ? { kind: "province", id, ...(handle && { point: handle.i }) } : null);
    },
    hover: (at) => table.where(at),
    back: () => table.choose(null),
  }),
};

/** @type {Tool} */
const place = {
  key: "p",
  text: "Provinces",
  icon: "M12 2a7 7 0 0 1 7 7c0 5-7 13-7 13S5 14 5 9a7 7 0 0 1 7-7zm0 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  hint: (table) =>
    table.picture.hasLand()
      ? "Tap where a province lies, then type its name. On water it becomes a sea."
      : "Tap where a sea lies, then type its name. For land, draw its coast first: Lines, then Land.",
  hand: (table) => ({
    grab: () => null,
    tap: (at) => {
      table.naming.finish();
      const sea = !table.picture.isLand(at);
      const count = table.document.board[sea ? "sea" : "land"]?.length || 0;
      const before = table.document;
      const group = `place ${performance.now()}`;
      const point = table.projection.point(at);
      table.naming.ask(at, `${sea ? "Sea" : "Land"} ${count + 1}`, (name) => {
        const [made, id] = edits.addProvince(before, { name, sea, points: [point] });
        table.change(`Placed ${name}`, made, group);
        table.choose({ kind: "province", id });
      });
    },
    hover: (at) => table.where(at),
  }),
};

/** @type {Tool} */
const reach = {
  key: "a",
  text: "Reach",
  icon: "M6 6a2.4 2.4 0 1 0 .1 0zM18 6a2.4 2.4 0 1 0 .1 0zM12 18a2.4 2.4 0 1 0 .1 0zM8 7.5h8M7.2 9.8l3.6 6.6M16.8 9.8l-3.6 6.6",
  hint: (table) =>
    provinceHint(
      table,
      (name) => `Tap where ${name} reaches to: each point makes it longer or broader.`,
      "Tap a province, then tap where it reaches to.",
    ),
  hand: (table) => ({
    grab: () => null,
    tap: (at) => {
      const { chosen, document } = table;
      if (chosen?.kind !== "province") {
        const id = provinceHit(table, at, "Tap the province that reaches farther.");
        return id && table.choose({ kind: "province", id });
      }
      const province = table.provinces.get(chosen.id);
      if (province)
        table.change(
          `Added a point to ${province.name}`,
          edits.setPoints(document, chosen.id, [...province.points, table.projection.point(at)]),
        );
    },
    hover: (at) => table.where(at),
    back: () => table.choose(null),
  }),
};

/** What a tap hit; where that is no province, everybody is told so. @param {Table} table @param {XY} at @param {string} what a tap is for @returns {string | null} */
function provinceHit(table, at, what) {
  const id = table.picture.provinceAt(at);
  if (!id) table.refuse(`No province lies there. ${what}`);
  return id;
}

/** @type {Tool} */
const off = {
  key: "x",
  text: "Impassable",
  icon: "M12 3a9 9 0 1 0 .1 0zM6 6l12 12",
  hint: () => "Tap land or water that is off the board: mountains, deserts, ice.",
  hand: (table) => ({
    grab: () => null,
    tap: (at) => {
      const land = table.picture.isLand(at);
      const rows = table.document.board.void || [];
      const row = {
        id: `off${rows.length + 1}`,
        kind: land ? "land" : "water",
        points: writePoints([table.projection.point(at)]),
      };
      table.change(
        `Impassable ${row.kind}`,
        edits.table(table.document, "void", (there) => [...there, row]),
      );
      table.choose({ kind: "void", row: rows.length });
    },
    hover: (at) => table.where(at),
  }),
};

// Lines

/** What can be drawn as a line or an outline, and the row that it becomes. */
export const LINES = {
  river: { text: "River", table: "lines", row: { kind: "river" }, says: "a river between lands; armies cross it" },
  mountains: {
    text: "Mountains",
    table: "lines",
    row: { kind: "mountains", stops: "army" },
    says: "a range that armies can’t cross",
  },
  border: { text: "Border", table: "lines", row: { kind: "border" }, says: "borders follow this line" },
  strait: {
    text: "Strait or canal",
    table: "carve",
    row: { kind: "water", form: "line" },
    wide: 0.012,
    says: "water that fleets pass",
  },
  isthmus: {
    text: "Land bridge",
    table: "carve",
    row: { kind: "land", form: "line" },
    wide: 0.012,
    says: "land where the coast has none",
  },
  lake: { text: "Lake or bay", table: "carve", row: { kind: "water", form: "area" }, says: "an outline of water" },
  island: { text: "Land", table: "carve", row: { kind: "land", form: "area" }, says: "an outline of land" },
};

/** Fewer points, none farther than `most` from the line that was drawn. @param {XY[]} line @param {number} most @returns {XY[]} */
export function simplified(line, most) {
  if (line.length < 3) return line;
  const last = line[line.length - 1];
  const [[ax, ay], [bx, by]] = [line[0], last];
  const length = Math.hypot(bx - ax, by - ay);
  let worst = 0;
  let at = 0;
  for (let i = 1; i < line.length - 1; i++) {
    const d = length
      ? Math.abs((bx - ax) * (ay - line[i][1]) - (ax - line[i][0]) * (by - ay)) / length
      : far(line[i], line[0]);
    if (d > worst) [worst, at] = [d, i];
  }
  return worst <= most
    ? [line[0], last]
    : [...simplified(line.slice(0, at + 1), most).slice(0, -1), ...simplified(line.slice(at), most)];
}

function finishLine(table) {
  const { drawing } = table;
  const kind = LINES[table.lineKind];
  table.drawing = null;
  const least = kind.row.form === "area" ? 3 : 2;
  if (!drawing || drawing.length < least) {
    if (drawing?.length) table.refuse(`Not drawn: ${kind.text.toLowerCase()} needs ${least} points or more.`);
    return table.render();
  }
  const points = writePoints(drawing.map((at) => table.projection.point(at)));
  const row = {
    ...kind.row,
    points,
    ...(kind.wide && { width: String(Math.max(0.1, Number((kind.wide * table.projection.width).toPrecision(2)))) }),
  };
  const rows = table.document.board[kind.table] || [];
  table.change(
    `Drew: ${kind.text.toLowerCase()}`,
    edits.table(table.document, kind.table, (there) => [...there, row]),
  );
  table.choose({ kind: kind.table, row: rows.length });
}

/** @type {Tool} */
const line = {
  key: "l",
  text: "Lines",
  icon: "M3 18c4-9 6 2 9-5s5-2 9-9",
  hint: (table) =>
    table.drawing?.length
      ? `${table.drawing.length} points. Tap the next, or Finish (Enter twice).`
      : `${LINES[table.lineKind].text}: ${LINES[table.lineKind].says}. Tap point by point, or draw it in one stroke.`,
  chips: (table) => [
    ...Object.entries(LINES).map(([kind, { text }]) =>
      button(
        text,
        () => {
          table.lineKind = kind;
          table.drawing = null;
          table.render();
        },
        { "aria-pressed": String(table.lineKind === kind), id: `line-${kind}` },
      ),
    ),
    table.drawing?.length ? button("Finish", () => finishLine(table), { id: "line-finish" }) : null,
  ],
  leave: (table) => {
    table.drawing = null;
  },
  hand: (table) => ({
    grab: (at) => {
      if (table.sheet.cross) return null; // by keyboard: point by point
      const stroke = [at];
      return {
        move: (to) => {
          stroke.push(to);
          table.drawing = stroke;
          table.render();
        },
        drop: () => {
          table.drawing = simplified(stroke, 2 * table.sheet.scale);
          finishLine(table);
        },
        cancel: () => {
          if (stroke.length > 1) table.drawing = null;
        },
      };
    },
    tap: (at, near) => {
      const drawn = table.drawing || [];
      if (drawn.length && far(drawn[drawn.length - 1], at) < near / 3) return finishLine(table);
      table.drawing = [...drawn, at];
      table.render();
    },
    back: () => {
      const { drawing } = table;
      table.drawing = drawing && drawing.length > 1 ? drawing.slice(0, -1) : null;
      table.render();
    },
    finish: () => finishLine(table),
    hover: (at) => table.where(at),
  }),
};

// Borders

/** @type {Tool} */
const borders = {
  key: "b",
  text: "Borders",
  icon: "M4 4h6v6H4zM14 14h6v6h-6zM10 8.5l4.5 5.5",
  hint: (table) =>
    table.chosen?.kind === "border"
      ? borderWords(table, table.chosen)
      : table.pair
        ? `${table.name(table.pair)} and …: tap the other province.`
        : "Tap the knob of a border to change it, or two provinces to join or part them.",
  chips: (table) => (table.chosen?.kind === "border" ? borderChips(table, table.chosen) : []),
  leave: (table) => {
    table.pair = null;
  },
  hand: (table) => ({
    grab: () => null,
    tap: (at, near) => {
      const knob = nearest(knobs(table), (one) => one.at, at, near * 1.2);
      if (knob) {
        table.pair = null;
        return table.choose({ kind: "border", a: knob.a, b: knob.b });
      }
      const id = provinceHit(table, at, "Tap the knob of a border, or two provinces.");
      if (!id || id === table.pair) {
        table.pair = null;
        return table.choose(null);
      }
      if (!table.pair || table.chosen?.kind === "border") {
        table.pair = id;
        return table.choose(null);
      }
      const [a, b] = [table.pair, id].sort();
      table.pair = null;
      table.choose({ kind: "border", a, b });
    },
    hover: (at) => table.where(at),
    back: () => {
      table.pair = null;
      table.choose(null);
    },
  }),
};

// Boxes

/** @type {Tool} */
const box = {
  key: "o",
  text: "Box",
  icon: "M4 6h16v12H4z",
  hint: (table) =>
    table.corner ? "Tap the opposite corner." : "An off-board box: drag from corner to corner, then type its name.",
  leave: (table) => {
    table.corner = null;
  },
  hand: (table) => {
    const make = (a, b) => {
      table.corner = null;
      const before = table.document;
      const group = `box ${performance.now()}`;
      const points = [table.projection.point(a), table.projection.point(b)];
      const sea = table.boxSea || false;
      table.naming.ask(
        b,
        `Box ${1 + (before.board[sea ? "sea" : "land"] || []).filter((row) => row.form === "box").length}`,
        (name) => {
          const [made, id] = edits.addProvince(before, { name, sea, points, cells: { form: "box" } });
          table.change(`Box ${name}`, made, group);
          table.choose({ kind: "province", id });
        },
      );
    };
    return {
      grab: (at) => drawBox(table, at, (to) => make(at, to)),
      tap: (at) => {
        if (table.corner) return make(table.corner, at);
        table.corner = at;
        table.render();
      },
      back: () => {
        table.corner = null;
        table.render();
      },
    };
  },
  chips: (table) =>
    /** @type {[string, boolean][]} */ ([
      ["Land", false],
      ["Sea", true],
    ]).map(([text, sea]) =>
      button(
        text,
        () => {
          table.boxSea = sea;
          table.render();
        },
        { "aria-pressed": String((table.boxSea || false) === sea), id: `box-${text}` },
      ),
    ),
};

// Centers, homes and units

/** What a tap does next: star, then home with an army, a fleet, no unit, and nothing. @param {Table} table @param {string} id */
function nextHolding(table, id) {
  const { document } = table;
  const province = table.provinces.get(id);
  if (!province) return;
  const { name } = province;
  if (table.power < 0) {
    if (province.sea) return table.refuse(`${name} is a sea; only land has a center.`);
    const center = province.row.center === "1" ? "" : "1";
    return table.change(
      `${name}: ${center ? "a center" : "no center"}`,
      edits.setCells(edits.settle(document, id, { number: -1 }), id, { center }),
    );
  }
  const owner = edits.ownerOf(document, id);
  const power = edits.powers(document)[table.power].name;
  const wet = province.sea || Boolean(province.row.coasts);
  const mine = owner.number === table.power;
  const kind = mine ? owner.unit.split(" ")[0] : "";
  const coast = edits.coastsOf(province.row)[0];
  const fleet = `F ${id}${coast ? `/${coast}` : ""}`;
  const home = !province.sea;
  const step = !mine
    ? province.sea
      ? "F"
      : "A"
    : kind === "A"
      ? wet
        ? "F"
        : "home"
      : kind === "F"
        ? home
          ? "home"
          : ""
        : "";
  const unit = step === "A" ? `A ${id}` : step === "F" ? fleet : "";
  let made = edits.settle(document, id, { number: step ? table.power : -1, unit, home: Boolean(step) && home });
  if (home && step) made = edits.setCells(made, id, { center: "1" });
  table.change(
    step === "home"
      ? `${name}: home of ${power}, no unit`
      : step
        ? `${name}: ${step === "A" ? "army" : "fleet"} of ${power}`
        : `${name}: not ${power}’s`,
    made,
  );
}

/** @type {Tool} */
const start = {
  key: "u",
  text: "Centers",
  icon: "M12 3l2.6 5.9 6.4.6-4.8 4.3 1.4 6.3L12 16.8 6.4 20.1l1.4-6.3L3 9.5l6.4-.6z",
  hint: (table) =>
    table.power < 0
      ? "Tap a province to give it a supply center, or take it away."
      : `Tap ${edits.powers(table.document)[table.power]?.name}’s homes: army, fleet, no unit, not theirs.`,
  chips: (table) => [
    button(
      "Neutral center",
      () => {
        table.power = -1;
        table.render();
      },
      { "aria-pressed": String(table.power < 0), id: "power-none" },
    ),
    ...edits.powers(table.document).map((power, i) =>
      el(
        "button",
        {
          type: "button",
          class: "plain",
          id: `power-${i}`,
          "aria-pressed": String(table.power === i),
          onclick: () => {
            table.power = i;
            table.render();
          },
        },
        swatch(power.color),
        power.name,
      ),
    ),
    button("New power", () => addPower(table), { id: "power-new" }),
  ],
  hand: (table) => ({
    grab: () => null,
    tap: (at) => {
      const id = provinceHit(table, at, "Place one first, then make it a center or a home.");
      if (!id) return;
      table.choose({ kind: "province", id });
      nextHolding(table, id);
    },
    hover: (at) => table.where(at),
    back: () => table.choose(null),
  }),
};

// Tracing paper

/** @param {Table} table @param {import("./paper.js").Fit} paper */
const paperChips = (table, paper) => [
  el(
    "label",
    { class: "inline", for: "tracing-strength" },
    "Strength",
    el("input", {
      type: "range",
      id: "tracing-strength",
      min: 0,
      max: 100,
      value: paper.strength * 100,
      oninput: (event) => {
        if (table.picture.paper) table.picture.paper.strength = event.target.value / 100;
        table.picture.trace();
        keepPaper(table);
      },
    }),
  ),
  button("Take it away", () => layPaper(table, null), { id: "tracing-away" }),
];

/** @type {Tool} */
const trace = {
  key: "t",
  text: "Tracing",
  icon: "M5 3h10l4 4v14H5zM8 13c2-4 4 3 8-2",
  hint: (table) =>
    table.picture.paper
      ? "Tap a spot of the picture to set the nearer pin there; drag the pin to where that spot belongs."
      : "Lay a picture under the table to draw after. It stays in this browser.",
  chips: (table) => [
    el("label", { class: "button", for: "tracing-file" }, table.picture.paper ? "Another picture" : "Choose a picture"),
    el("input", {
      type: "file",
      id: "tracing-file",
      class: "unseen",
      accept: "image/png,image/jpeg,image/webp",
      onchange: (event) => layPaper(table, event.target.files[0]),
    }),
    ...(table.picture.paper ? paperChips(table, table.picture.paper) : []),
  ],
  hand: (table) => ({
    grab: (at, near) => {
      const { paper } = table.picture;
      const pin = paper && nearest(paper.pins, (one) => one.at, at, near * 1.5);
      const other = paper?.pins.find((one) => one !== pin);
      if (!pin || !other) return null;
      const from = pin.at;
      return {
        move: (to) => {
          pin.at = to;
          table.picture.trace();
          table.render();
        },
        drop: (to) => {
          const apart = far(other.at, to) > near;
          pin.at = apart ? to : from;
          if (!apart) table.refuse("The two pins can’t stand in one place: the picture would shrink to nothing.");
          keepPaper(table);
          table.picture.trace();
          table.render();
        },
        cancel: () => {
          pin.at = from;
          table.picture.trace();
          table.render();
        },
      };
    },
    tap: (at) => {
      const { paper } = table.picture;
      const pin = paper && nearest(paper.pins, (one) => one.at, at, Infinity);
      if (!pin) return;
      pin.on = table.picture.spot(paper, at);
      pin.at = at;
      keepPaper(table);
      table.render();
    },
  }),
};

/** @type {Record<string, Tool>} */
export const TOOLS = { choose, place, reach, borders, start, line, off, box, inset: INSET, trace };
