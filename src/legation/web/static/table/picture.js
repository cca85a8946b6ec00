// The board as it is drawn on the sheet: the grown map below, tracing paper and preview upon it, marks and handles on top.

import { shape } from "./elements.js";
import { brushOf, Preview } from "./preview.js";
import { far } from "./projection.js";

/**
 * @typedef {[number, number]} XY
 * @typedef {{cls: string, path?: string, at?: XY, r?: number, line?: XY[], text?: string, fill?: string}} Mark
 */

/** The map's colors in the reader's theme, as a canvas keeps them. */
function colors() {
  const probe = document.createElement("span");
  const found = /** @type {Record<"land" | "sea" | "waste" | "line" | "chosen", number>} */ ({});
  document.body.append(probe);
  for (const name of ["land", "sea", "waste", "line", "chosen"]) {
    probe.className = `table-color ${name}`;
    const [r, g, b] = getComputedStyle(probe)
      .color.split(/[^\d.]+/)
      .filter(Boolean)
      .map(Number);
    found[name] = (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
  }
  probe.remove();
  return found;
}

/** All layers of the sheet. */
export class Picture {
  /** @type {[number, number, number, number]} what is in view, on the map: left, top, width, height */
  view;
  /** @type {number} pixels of the sheet */
  wide;
  /** @type {number} */
  high;
  /** @type {OffscreenCanvasRenderingContext2D} */
  probe;

  /** @param {HTMLElement} layers */
  constructor(layers) {
    this.ground = shape("svg", { class: "rough", "aria-hidden": "true" });
    this.map = shape("svg", { class: "lg", "aria-hidden": "true" });
    this.tracing = document.createElement("canvas");
    this.tracing.className = "tracing";
    this.rough = document.createElement("canvas");
    this.rough.className = "preview";
    this.rough.hidden = true;
    this.marks = shape("svg", { class: "marks-layer", "aria-hidden": "true" });
    this.preview = new Preview(this.rough);
    this.sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.sheet];
    /** @type {{bitmap: ImageBitmap, pins: {on: XY, at: XY}[], strength: number} | null} */
    this.paper = null;
    /** @type {any} */
    this.grown = null;
    this.paths = new Map();
    this.scale = 1;
    layers.append(this.ground, this.map, this.rough, this.tracing, this.marks);
  }

  /** Show what the server has grown. @param {any} grown @param {import("./board.js").Document} board */
  show(grown, board) {
    this.grown = grown;
    this.paths.clear();
    this.preview.setCoast(grown);
    this.rough.hidden = true;
    const whole = Boolean(grown.drawn);
    if (whole) this.showMap(grown.drawn);
    else this.showGround(grown, board);
    this.map.toggleAttribute("hidden", !whole);
    this.ground.toggleAttribute("hidden", whole);
  }

  showMap({ svg, css, state, scale }) {
    const parse = (text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    const made = document.adoptNode(parse(svg));
    this.sheet.replaceSync(css);
    for (const group of state ? parse(state).querySelectorAll("[data-slot]") : []) {
      const slot = made.querySelector(`[data-slot="${group.getAttribute("data-slot")}"]`);
      slot?.replaceChildren(...group.childNodes);
    }
    for (const name of made.getAttributeNames())
      if (name === "class") this.map.setAttribute(name, made.getAttribute(name) || "lg");
    this.map.replaceChildren(...made.childNodes);
    this.scale = scale;
    if (this.view) this.look(this.view, this.wide, this.high);
  }

  showGround(grown, board) {
    const names = new Map(
      ["land", "sea"].flatMap((table) => (board.board[table] || []).map((row) => [row.id, row.name])),
    );
    const entries = Object.entries(grown.provinces);
    this.ground.replaceChildren(
      shape("rect", { class: "r-sea", x: 0, y: 0, width: grown.width, height: grown.height }),
      ...grown.scenery.map(({ kind, path }) =>
        shape("path", { class: kind === "land" ? "r-waste" : "r-sea", d: path, "fill-rule": "evenodd" }),
      ),
      ...entries.map(([, { path, sea }]) =>
        shape("path", { class: sea ? "r-water" : "r-land", d: path, "fill-rule": "evenodd" }),
      ),
      ...entries.map(([id, { label, sea }]) =>
        shape("text", { class: sea ? "r-name r-at-sea" : "r-name", x: label[0], y: label[1] }, names.get(id) || id),
      ),
    );
  }

  /** Show a part of the map. @param {[number, number, number, number]} view @param {number} wide @param {number} high */
  look(view, wide, high) {
    [this.view, this.wide, this.high] = [view, wide, high];
    const box = view.map((n) => n.toFixed(3)).join(" ");
    this.ground.setAttribute("viewBox", box);
    this.marks.setAttribute("viewBox", box);
    this.map.setAttribute("viewBox", view.map((n) => (n * this.scale).toFixed(2)).join(" "));
    for (const layer of [this.ground, this.marks]) layer.style.setProperty("--u", `${view[2] / wide}px`);
    if (this.grown) {
      const { style } = this.rough;
      const per = wide / view[2];
      [style.left, style.top] = [`${-view[0] * per}px`, `${-view[1] * per}px`];
      [style.width, style.height] = [`${this.grown.width * per}px`, `${this.grown.height * per}px`];
    }
    this.trace();
  }

  // Tracing paper: a picture of one's own, laid so that two spots of it come to lie on two places of the map.

  /** How the picture lies: km = pixel turned, scaled and moved. @param {import("./paper.js").Fit} paper @returns {[number, number, number, number]} */
  lie({ pins: [a, b] }) {
    const [px, py] = [b.on[0] - a.on[0], b.on[1] - a.on[1]];
    const [mx, my] = [b.at[0] - a.at[0], b.at[1] - a.at[1]];
    const size = px * px + py * py || 1;
    const c = (mx * px + my * py) / size;
    const s = (my * px - mx * py) / size;
    return [c, s, a.at[0] - c * a.on[0] + s * a.on[1], a.at[1] - s * a.on[0] - c * a.on[1]];
  }

  /** The spot of the picture that lies at a place. @param {import("./paper.js").Fit} paper @param {XY} at @returns {XY} */
  spot(paper, [x, y]) {
    const [c, s, dx, dy] = this.lie(paper);
    const size = c * c + s * s || 1;
    return [((x - dx) * c + (y - dy) * s) / size, ((y - dy) * c - (x - dx) * s) / size];
  }

  trace() {
    const { tracing, paper } = this;
    const dots = devicePixelRatio || 1;
    tracing.hidden = !paper;
    if (!paper || !this.view) return;
    tracing.width = this.wide * dots;
    tracing.height = this.high * dots;
    const brush = tracing.getContext("2d");
    if (!brush) return;
    const per = (this.wide / this.view[2]) * dots;
    const [c, s, dx, dy] = this.lie(paper);
    brush.globalAlpha = paper.strength;
    brush.setTransform(per * c, per * s, -per * s, per * c, per * (dx - this.view[0]), per * (dy - this.view[1]));
    brush.drawImage(paper.bitmap, 0, 0);
  }

  // What lies where

  /** @param {XY} at @param {string} path */
  covers([x, y], path) {
    this.probe ??= brushOf(new OffscreenCanvas(1, 1));
    const known = this.paths.get(path) || new Path2D(path);
    this.paths.set(path, known);
    return this.probe.isPointInPath(known, x, y, "evenodd");
  }

  /** The province at a place; a box before what lies below it. @param {XY} at @returns {string | null} */
  provinceAt(at) {
    const found = Object.entries(this.grown?.provinces || {}).filter(([, { path }]) => this.covers(at, path));
    return (found.find(([, { box }]) => box) || found[0])?.[0] ?? null;
  }

  /**
   * A second place in a province, so that as much of its ground is nearer to it as to the first; null where it has none.
   * @param {string} id @param {XY} first @returns {XY | null}
   */
  otherHalf(id, first) {
    const { path } = this.grown?.provinces[id] || {};
    const corners = (path || "").match(/-?[\d.]+ -?[\d.]+/g)?.map((pair) => pair.split(" ").map(Number)) || [];
    if (!corners.length) return null;
    const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis]));
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const steps = Array.from({ length: 18 }, (_, i) => (i + 0.5) / 18);
    const ground = steps
      .flatMap((u) => steps.map((v) => /** @type {XY} */ ([left + u * (right - left), top + v * (bottom - top)])))
      .filter((at) => this.covers(at, path));
    const size = far([left, top], [right, bottom]);
    const uneven = (place) =>
      Math.abs(2 * ground.filter((at) => far(at, place) < far(at, first)).length - ground.length) / ground.length -
      (0.2 * far(place, first)) / size;
    const tried = ground.map((place) => ({ place, cost: uneven(place) }));
    const least = Math.min(...tried.map(({ cost }) => cost));
    return tried.find(({ cost }) => cost === least)?.place ?? null;
  }

  lands() {
    return [
      ...Object.values(this.grown?.provinces || {}).filter(({ sea }) => !sea),
      ...(this.grown?.scenery || []).filter(({ kind }) => kind === "land"),
    ];
  }

  /** Whether a place is on land. @param {XY} at */
  isLand(at) {
    return this.lands().some(({ path }) => this.covers(at, path));
  }

  /** Whether there is any land to place provinces on; yes, while nothing is grown yet. */
  hasLand() {
    return !this.grown || this.lands().length > 0;
  }

  /** Draw the division that dragged points would make. */
  drag(seeds, chosen) {
    if (!this.preview.ready) return;
    if (this.rough.hidden || !this.colors) this.colors = colors();
    this.rough.hidden = false;
    this.preview.draw(seeds, this.colors, chosen);
  }

  /** Put marks upon the map. @param {Mark[]} marks */
  mark(marks) {
    this.marks.replaceChildren(
      ...marks.map(({ cls, path, at, line, text, r, fill }) => {
        if (path !== undefined) {
          const made = shape("path", { class: cls, d: path, "fill-rule": "evenodd" });
          if (fill) made.style.fill = fill;
          return made;
        }
        if (line)
          return shape("path", {
            class: cls,
            d:
              line.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(3)} ${y.toFixed(3)}`).join("") +
              (cls.includes("area") ? "Z" : ""),
          });
        const [x, y] = at || [0, 0];
        if (text !== undefined) return shape("text", { class: cls, x, y }, text);
        return shape("circle", { class: cls, cx: x, cy: y, ...(r && { r }) });
      }),
    );
  }
}
