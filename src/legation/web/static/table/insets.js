// Insets: a crowded corner shown larger, or land beyond the map, in a box on it. A row of insets.csv each.

import * as edits from "./board.js";
import { button, el, field, shape } from "./elements.js";
import { nearest, readPoints, round, writePoints } from "./projection.js";
import { WorldMap } from "./world.js";

/**
 * @typedef {import("./table.js").Table} Table
 * @typedef {[number, number]} XY
 * @typedef {[number, number, number, number]} Edges  left, top, right, bottom in km on the map
 */

/** A box that is drawn by dragging from a corner; none while the keyboard's cross draws. @param {Table} table @param {XY} at @param {(to: XY) => void} done */
export function drawBox(table, at, done) {
  if (table.sheet.cross) return null;
  const end = () => {
    table.drawing = null;
  };
  return {
    move: (to) => {
      table.drawing = [at, [to[0], at[1]], to, [at[0], to[1]], at];
      table.render();
    },
    drop: (to) => {
      end();
      done(to);
    },
    cancel: end,
  };
}

/** What an inset is drawn smaller for, rather than to cover so much. */
const DEAR = 14;
const MARGIN = 0.006;
const HEAD = 0.018;
const LEAST = 0.03;

const isNear = (inset) => Boolean(inset.window);

/** The insets as grown last whose rows are still there. @param {Table} table */
export const drawn = (table) => (table.grown?.insets || []).filter(({ row }) => table.document.board.insets?.[row]);

const rectangle = ([left, top, right, bottom]) =>
  /** @type {XY[]} */ ([
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
    [left, top],
  ]);
const holds = ([left, top, right, bottom], [x, y]) => left <= x && x <= right && top <= y && y <= bottom;
const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** Change cells of an inset. @param {Table} table @param {number} number @param {Record<string, string>} cells */
const changed = (table, number, cells) =>
  edits.table(table.document, "insets", (rows) =>
    rows.with(
      number,
      Object.fromEntries(Object.entries({ ...rows[number], ...cells }).filter(([, cell]) => cell !== "")),
    ),
  );

const scaled = (scale) => String(Math.max(0.1, round(scale, scale < 2 ? 2 : 1)));

/** What of the insets can be dragged: where a chosen one stands, its size, and the corners of what it shows. @param {Table} table */
export function insetHandles(table) {
  const { chosen, projection } = table;
  const inset = chosen?.kind === "insets" && drawn(table).find(({ row }) => row === chosen.row);
  if (!inset) return [];
  const { field, row } = inset;
  const name = nameOf(table, row);
  const wide = (field[2] - field[0]) / inset.scale;
  /** @param {string} what @param {XY} at @param {string} said @param {(to: XY) => Record<string, string>} cells that it has once it was dragged to a place */
  const handle = (what, at, said, cells) => ({
    kind: "inset",
    what,
    row,
    at,
    mine: true,
    said,
    put: (to) => changed(table, row, cells(to)),
  });
  const sized = (to) => scaled(Math.max(LEAST * projection.longer, to[0] - field[0]) / wide);
  const found = [
    handle("move", [field[0], field[1]], `Moved ${name}`, (to) => ({ at: writePoints([projection.onMap(to)]) })),
    handle("size", [field[2], field[3]], `Resized ${name}`, (to) => ({ scale: sized(to) })),
  ];
  if (isNear(inset)) {
    const [left, top, right, bottom] = inset.window;
    const window = (a, b) => ({ window: writePoints([projection.onMap(a), projection.onMap(b)]) });
    found.push(
      handle("from", [left, top], `${name} shows another part`, (to) => window(to, [right, bottom])),
      handle("to", [right, bottom], `${name} shows another part`, (to) => window([left, top], to)),
    );
  }
  return found;
}

/** The frame that a dragged handle would make. @param {Table} table @returns {import("./picture.js").Mark[]} */
export function insetMarks(table) {
  const marks = [];
  const { dragged, chosen } = table;
  const mine = chosen?.kind === "insets" ? chosen.row : -1;
  for (const inset of drawn(table)) {
    if (inset.row !== mine && table.tool !== INSET) continue;
    let { field, window } = inset;
    if (dragged?.kind === "inset" && dragged.row === inset.row) {
      const [x, y] = dragged.at;
      const high = (field[3] - field[1]) / (field[2] - field[0]);
      if (dragged.what === "move") field = [x, y, x + field[2] - field[0], y + field[3] - field[1]];
      if (dragged.what === "size")
        field = [field[0], field[1], Math.max(x, field[0]), field[1] + high * Math.max(0, x - field[0])];
      if (dragged.what === "from") window = [x, y, window[2], window[3]];
      if (dragged.what === "to") window = [window[0], window[1], x, y];
    }
    marks.push({ cls: `drawn-line ${inset.row === mine ? "mine" : ""}`, line: rectangle(field) });
    if (window) marks.push({ cls: `drawn-line ${inset.row === mine ? "mine" : ""}`, line: rectangle(window) });
  }
  return marks;
}

/** The inset whose frame lies at a place. @param {Table} table @param {XY} at @returns {import("./table.js").Chosen | null} */
export function insetAt(table, at) {
  const found = drawn(table).find(({ box, field }) => holds(box, at) && !holds(field, at));
  return found ? { kind: "insets", row: found.row } : null;
}

/** @param {Table} table @param {number} row */
export const nameOf = (table, row) => table.document.board.insets?.[row]?.title || `Inset ${row + 1}`;

// Making one

/** The box of an inset whose field has this size, its upper left corner here. @param {Table} table */
const boxOf = ({ projection: { longer } }, x, y, wide, high) =>
  /** @type {Edges} */ ([
    x - MARGIN * longer,
    y - HEAD * longer,
    x + wide + MARGIN * longer,
    y + high + MARGIN * longer,
  ]);

/** Where an inset of this size covers least, and how much that is; null where it has no place. @param {Table} table @param {number} wide @param {number} high @param {Edges | null} window @returns {{at: XY, cost: number} | null} */
function room(table, wide, high, window) {
  const { projection, grown } = table;
  const { width, height } = projection;
  const steps = 14;
  const [left, top, right, bottom] = boxOf(table, 0, 0, wide, high);
  const off = MARGIN * projection.longer;
  const free = [width - (right - left) - 2 * off, height - (bottom - top) - 2 * off];
  if (free[0] < 0 || free[1] < 0) return null;
  const taken = [
    ...drawn(table).flatMap(({ box, window }) => (window ? [box, window] : [box])),
    ...Object.values(grown?.provinces || {})
      .map(({ box }) => box)
      .filter(Boolean),
    ...(window ? [window] : []),
  ];
  const rows = [
    ...table.provinces.values(),
    ...(table.document.board.void || []).map((row) => ({ points: readPoints(row.points), sea: row.kind === "water" })),
  ];
  const points = rows.flatMap(({ points, sea }) =>
    points.map(([x, y]) => ({ at: projection.place([x, y]), cost: sea ? 6 : 12 })),
  );
  /** @type {{cost: number, at: XY} | null} */
  let best = null;
  for (let i = 0; i <= steps; i++)
    for (let j = 0; j <= steps; j++) {
      const box = boxOf(table, off + (free[0] * i) / steps - left, off + (free[1] * j) / steps - top, wide, high);
      if (taken.some((other) => meet(box, other))) continue;
      const edge = Math.min(i, steps - i) + Math.min(j, steps - j);
      let cost = edge / steps + points.reduce((sum, point) => sum + (holds(box, point.at) ? point.cost : 0), 0);
      for (const u of [0.1, 0.5, 0.9])
        for (const v of [0.1, 0.5, 0.9])
          cost += table.picture.isLand([box[0] + u * (box[2] - box[0]), box[1] + v * (box[3] - box[1])]) ? 1 : 0;
      if (!best || cost < best.cost) best = { cost, at: /** @type {XY} */ ([box[0] - left, box[1] - top]) };
    }
  return best;
}

/** The points of provinces that lie under a box, moved out of it: none may. @param {Table} table @param {Edges} box */
function clear(table, box) {
  const { projection } = table;
  const near = 0.01 * projection.longer;
  let { document } = table;
  for (const province of table.provinces.values()) {
    const kept = province.points.filter(([x, y]) => !holds(box, projection.place([x, y])));
    if (kept.length === province.points.length || province.row.form === "box") continue;
    if (kept.length) document = edits.setPoints(document, province.id, kept);
    else {
      const [x, y] = projection.place([province.points[0][0], province.points[0][1]]);
      const ways = /** @type {XY[]} */ ([
        [box[0] - near, y],
        [box[2] + near, y],
        [x, box[1] - near],
        [x, box[3] + near],
      ]);
      const inside = ways.filter(([u, v]) => u > 0 && v > 0 && u < projection.width && v < projection.height);
      const [to] = inside.sort((a, b) => Math.hypot(a[0] - x, a[1] - y) - Math.hypot(b[0] - x, b[1] - y));
      if (to) document = edits.setPoints(document, province.id, [projection.onMap(to)]);
    }
  }
  return document;
}

/** Lay an inset where there is room. @param {Table} table @param {Edges | null} window on the map @param {string} corners as the file has them @param {XY} size of the window in km @param {number[]} scales to try */
function lay(table, window, corners, size, scales) {
  const tries = scales
    .filter((scale) => Math.min(...size) * scale >= LEAST * table.projection.longer)
    .flatMap((scale) => {
      const found = room(table, size[0] * scale, size[1] * scale, window);
      return found ? [{ ...found, scale, cost: found.cost + DEAR * (1 - scale / scales[0]) }] : [];
    });
  const [best] = tries.sort((a, b) => a.cost - b.cost);
  if (best) {
    const { scale, at } = best;
    const number = (table.document.board.insets || []).length;
    const group = `inset ${performance.now()}`;
    const before = clear(table, boxOf(table, at[0], at[1], size[0] * scale, size[1] * scale));
    const moved = before !== table.document;
    const add = (title) => {
      table.change(
        `Inset ${title}`,
        edits.table(before, "insets", (rows) => [
          ...rows,
          { title, window: corners, at: writePoints([table.projection.onMap(at)]), scale: scaled(scale) },
        ]),
        group,
      );
      table.choose({ kind: "insets", row: number });
      if (moved) table.say(`Inset ${title}. Points that lay there were moved aside; undo brings them back.`);
    };
    return table.naming.ask(at, `Inset ${number + 1}`, add);
  }
  table.refuse("There is no room for an inset of this part. Take a smaller one.");
}

/** @param {Table} table @param {XY} a @param {XY} b */
function enlarge(table, a, b) {
  table.corner = null;
  const window = /** @type {Edges} */ (
    [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[0], b[0]), Math.max(a[1], b[1])].map((edge, i) =>
      Math.max(0, Math.min(edge, i % 2 ? table.projection.height : table.projection.width)),
    )
  );
  const size = /** @type {XY} */ ([window[2] - window[0], window[3] - window[1]]);
  if (Math.min(...size) < table.projection.longer / 100) {
    table.render();
    return table.refuse("That is too small a part. Drag from corner to corner of what is crowded.");
  }
  lay(
    table,
    window,
    writePoints([table.projection.onMap([window[0], window[1]]), table.projection.onMap([window[2], window[3]])]),
    size,
    [2.5, 2, 1.7, 1.5, 1.3],
  );
}

/** Land beyond the map: a window beside it, to be chosen in the panel. @param {Table} table */
function beyond(table) {
  const { projection } = table;
  const { plane, longer, width } = projection;
  if (plane) {
    const { east, north } = projection.frame;
    const size = Math.max(1, Math.round(longer / 6));
    return lay(
      table,
      null,
      writePoints([
        [Math.round(east + size), Math.round(north - size)],
        [Math.round(east + 2 * size), Math.round(north)],
      ]),
      [size, size],
      [1],
    );
  }
  const high = Math.min(20, Math.max(2, width / 111 / 8));
  const lat = 15;
  const lon = ((((projection.lon + 130) % 360) + 360) % 360) - 180;
  const [west, south] = [Math.round(Math.min(170, lon)), Math.round(lat)];
  const [east, north] = [Math.min(179, west + Math.round(high * 1.2)), Math.round(lat + high)];
  const size = /** @type {XY} */ ([(east - west) * 111 * Math.cos((lat * Math.PI) / 180), (north - south) * 111]);
  lay(
    table,
    null,
    writePoints([
      [west, south],
      [east, north],
    ]),
    size,
    [1, 0.8, 0.6, 0.4],
  );
}

/** @type {import("./tools.js").Tool} */
export const INSET = {
  key: "i",
  text: "Inset",
  icon: "M3 5h18v14H3zM13 11h6v6h-6zM6 8h4v3H6z",
  hint: (table) =>
    table.corner
      ? "Tap the opposite corner of the crowded part."
      : table.chosen?.kind === "insets"
        ? `${nameOf(table, table.chosen.row)}: drag its upper left corner to move it, its lower right to resize it.`
        : "Drag over a crowded part to show it larger in a box of its own, or take land from beyond the map.",
  chips: (table) => [
    button("Land beyond the map", () => beyond(table), { id: "inset-beyond" }),
    ...drawn(table).map(({ row }) =>
      button(nameOf(table, row), () => table.choose({ kind: "insets", row }, true), {
        id: `inset-${row}`,
        "aria-pressed": String(table.chosen?.kind === "insets" && table.chosen.row === row),
      }),
    ),
  ],
  leave: (table) => {
    table.corner = null;
  },
  hand: (table) => ({
    grab: (at, near) => {
      const handle = nearest(insetHandles(table), (one) => one.at, at, near);
      if (handle) return table.carry(handle, false);
      return drawBox(table, at, (to) => enlarge(table, at, to));
    },
    tap: (at) => {
      if (table.corner) return enlarge(table, table.corner, at);
      const there = insetAt(table, at);
      if (there) return table.choose(there);
      table.corner = at;
      table.choose(null);
    },
    back: () => {
      table.corner = null;
      table.choose(null);
    },
    hover: (at) => table.where(at),
  }),
};

// What is chosen, in fields

/** @param {Table} table @param {number} number */
export function insetForm(table, number) {
  const row = table.document.board.insets?.[number];
  if (!row) return [];
  const set = (cells, what) => table.change(what, changed(table, number, cells));
  const inset = drawn(table).find((one) => one.row === number);
  const name = nameOf(table, number);
  const points = (column, label, count, hint = "") =>
    field(
      `i-${column}`,
      label,
      el("input", {
        value: row[column] || "",
        class: "code",
        spellcheck: "false",
        onchange: (event) => {
          const read = readPoints(event.target.value);
          read.length === count
            ? set({ [column]: writePoints(read) }, `Moved ${name}`)
            : table.refuse(
                count === 1
                  ? "A point is written as two numbers: 9.6 50.5"
                  : "A window has two points, opposite corners: 2.6 50.7; 7 53.6",
              );
        },
      }),
      hint,
    );
  return [
    el(
      "h2",
      { id: "chosen", tabindex: -1 },
      name,
      " ",
      el("span", { class: "tag" }, inset && !isNear(inset) ? "inset: beyond the map" : "inset"),
    ),
    el(
      "div",
      { class: "fields" },
      field(
        "i-title",
        "Title",
        el("input", {
          value: row.title || "",
          maxlength: 60,
          onchange: (event) => set({ title: event.target.value.trim() }, `Renamed ${name}`),
        }),
      ),
      field(
        "i-scale",
        "Times as large as the map",
        el("input", {
          type: "number",
          min: 0.1,
          max: 100,
          step: "any",
          value: row.scale || "1",
          onchange: (event) => set({ scale: scaled(Number(event.target.value) || 1) }, `Resized ${name}`),
        }),
      ),
    ),
    points(
      "window",
      table.projection.plane ? "What it shows, km" : "What it shows, longitude and latitude",
      2,
      "Two opposite corners, on the map or beyond it.",
    ),
    inset && !isNear(inset) && !table.projection.plane ? worldPicker(table, number) : null,
    points("at", "Where its upper left corner stands", 1),
    el(
      "p",
      { class: "acts" },
      ...["move", "size", ...(inset && isNear(inset) ? ["from", "to"] : [])].map((what) =>
        button(
          { move: "Move", size: "Resize", from: "Move what it shows: upper left", to: "lower right" }[what],
          () => byKeys(table, what),
          { id: `i-${what}`, class: "plain small" },
        ),
      ),
      button(
        "Delete",
        () => {
          table.choose(null);
          table.change(
            `Deleted ${name}`,
            edits.table(table.document, "insets", (rows) => rows.toSpliced(number, 1)),
          );
        },
        { id: "i-delete" },
      ),
    ),
  ];
}

/** A handle in hand, to be moved by arrow keys. */
function byKeys(table, what) {
  table.useTool("inset");
  const handle = insetHandles(table).find((one) => one.what === what);
  if (!handle) return table.refuse("Wait until the board is grown.");
  table.sheet.lookAt([handle.at]);
  if (table.sheet.take(handle.at))
    table.say(
      `${handle.said.replace(/^Moved|^Resized/, "In hand:")}. Arrow keys move it, Enter lets go, Escape puts it back.`,
    );
}

/** A map of the world to drag the window on. */
function worldPicker(table, number) {
  if (table.worldPicker?.number !== number) {
    const svg = shape("svg", {
      viewBox: "0 0 360 180",
      class: "inset-world",
      role: "img",
      "aria-label": "The world: drag over what the inset shows",
    });
    const map = new WorldMap(svg, (box) => {
      table.worldPicker.box = box;
    });
    svg.addEventListener("pointerup", () => {
      const { box } = table.worldPicker;
      if (box && box.west < box.east)
        table.change(
          `${nameOf(table, number)} shows another part`,
          changed(table, number, {
            window: writePoints([
              [box.west, box.south],
              [box.east, box.north],
            ]),
          }),
        );
    });
    table.worldPicker = { number, svg, map, box: null };
  }
  const [a, b] = readPoints(table.document.board.insets[number].window);
  const { map, svg } = table.worldPicker;
  if (a && b)
    map.show({
      west: Math.min(a[0], b[0]),
      south: Math.min(a[1], b[1]),
      east: Math.max(a[0], b[0]),
      north: Math.max(a[1], b[1]),
    });
  return svg;
}
