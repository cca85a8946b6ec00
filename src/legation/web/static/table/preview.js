// How the provinces will lie, at once and in rough: every spot of a landmass or a water goes to the nearest point on it.
// The board that counts is grown by the server; this shows while a point is dragged what will come of it.

const CELLS = 90_000;

/**
 * What draws on a canvas that is not shown. @param {OffscreenCanvas} canvas @param {CanvasRenderingContext2DSettings} [settings]
 * @throws {Error} in a browser that has no canvas left to give
 */
export function brushOf(canvas, settings) {
  const brush = canvas.getContext("2d", settings);
  if (!brush) throw new Error("This browser can’t draw here.");
  return brush;
}

/** Divides the map among points, on a grid of cells. */
export class Preview {
  /** @type {number} cells across */
  w;
  /** @type {number} */
  h;
  /** @type {number[]} cells for a unit of the map, across and down */
  scale;
  /** @type {Uint8Array} 1 for a cell of land */
  land;
  /** @type {Int32Array} the landmass or water of a cell */
  bodies;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.ready = false;
  }

  /** Take the coast of a grown board. @param {any} grown the answer of the server */
  setCoast(grown) {
    const scale = Math.sqrt(CELLS / (grown.width * grown.height));
    const w = Math.max(2, Math.round(grown.width * scale));
    const h = Math.max(2, Math.round(grown.height * scale));
    const brush = brushOf(new OffscreenCanvas(w, h), { willReadFrequently: true });
    brush.scale(w / grown.width, h / grown.height);
    for (const { path, sea } of Object.values(grown.provinces)) if (!sea) brush.fill(new Path2D(path), "evenodd");
    for (const { path, kind } of grown.scenery) if (kind === "land") brush.fill(new Path2D(path), "evenodd");
    const pixels = brush.getImageData(0, 0, w, h).data;
    const land = new Uint8Array(w * h);
    for (let i = 0; i < land.length; i++) land[i] = pixels[4 * i + 3] > 127 ? 1 : 0;
    [this.w, this.h, this.scale, this.land] = [w, h, [w / grown.width, h / grown.height], land];
    this.bodies = bodies(land, w);
    this.ready = true;
  }

  /**
   * Draw the division.
   * @param {{x: number, y: number, sea: boolean, owner: number}[]} seeds owner 0 and above is a province, below is nobody's
   * @param {Record<"land" | "sea" | "waste" | "line" | "chosen", number>} colors as a canvas keeps them @param {number} chosen the owner that is told from others
   */
  draw(seeds, colors, chosen) {
    const { w, h, bodies, land } = this;
    const owner = new Int16Array(w * h).fill(-2);
    /** @type {Map<number, number[]>} */
    const groups = new Map();
    for (const seed of seeds) {
      const x = Math.min(w - 1, Math.max(0, seed.x * this.scale[0]));
      const y = Math.min(h - 1, Math.max(0, seed.y * this.scale[1]));
      const body = this.bodyNear(Math.floor(x), Math.floor(y), seed.sea ? 0 : 1);
      const group = groups.get(body) || [];
      group.push(seed.x * this.scale[0], seed.y * this.scale[1], seed.owner);
      groups.set(body, group);
    }
    const packed = new Map([...groups].map(([body, list]) => [body, Float32Array.from(list)]));
    for (let j = 0, i = 0; j < h; j++)
      for (let k = 0, body = -1, near = packed.get(-1); k < w; k++, i++) {
        if (bodies[i] !== body) near = packed.get((body = bodies[i]));
        if (!near) continue;
        let best = Infinity;
        let whose = -2;
        for (let n = 0; n < near.length; n += 3) {
          const dx = near[n] - k;
          const dy = near[n + 1] - j;
          const d = dx * dx + dy * dy;
          if (d < best) {
            best = d;
            whose = near[n + 2];
          }
        }
        owner[i] = whose;
      }
    if (this.canvas.width !== w || this.canvas.height !== h) Object.assign(this.canvas, { width: w, height: h });
    const brush = this.canvas.getContext("2d");
    if (!brush) return;
    const picture = brush.createImageData(w, h);
    const out = new Uint32Array(picture.data.buffer);
    for (let i = 0; i < out.length; i++) {
      const edge =
        (i % w && (owner[i] !== owner[i - 1] || land[i] !== land[i - 1])) ||
        (i >= w && (owner[i] !== owner[i - w] || land[i] !== land[i - w]));
      out[i] = edge
        ? colors.line
        : owner[i] === chosen && chosen >= 0
          ? colors.chosen
          : land[i]
            ? owner[i] < 0
              ? colors.waste
              : colors.land
            : colors.sea;
    }
    brush.putImageData(picture, 0, 0);
  }

  /** The landmass or water at a cell, or the nearest one of the kind that is wanted. */
  bodyNear(x, y, kind) {
    const { w, h, land, bodies } = this;
    for (let far = 0; far < Math.max(w, h); far++)
      for (let dx = -far; dx <= far; dx++)
        for (const dy of Math.abs(dx) === far ? Array.from({ length: 2 * far + 1 }, (_, n) => n - far) : [-far, far]) {
          const k = x + dx;
          const j = y + dy;
          if (k >= 0 && j >= 0 && k < w && j < h && land[j * w + k] === kind) return bodies[j * w + k];
        }
    return -1;
  }
}

/** The landmasses and waters, numbered: cells of one kind that touch. @param {Uint8Array} land */
function bodies(land, w) {
  const found = new Int32Array(land.length).fill(-1);
  const open = new Int32Array(land.length);
  for (let first = 0, number = 0; first < land.length; first++) {
    if (found[first] >= 0) continue;
    let end = 0;
    const visit = (i) => {
      if (found[i] >= 0 || land[i] !== land[first]) return;
      found[i] = number;
      open[end++] = i;
    };
    visit(first);
    for (let next = 0; next < end; next++) {
      const i = open[next];
      if (i % w) visit(i - 1);
      if ((i + 1) % w) visit(i + 1);
      if (i >= w) visit(i - w);
      if (i + w < land.length) visit(i + w);
    }
    number++;
  }
  return found;
}
