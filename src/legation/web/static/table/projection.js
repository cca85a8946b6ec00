// Points of the files (longitude and latitude, or km in a plane) and places on the map (km from its top left, y down).
// Lambert's azimuthal equal-area projection: J. P. Snyder, Map Projections: A Working Manual (1987), chapter 24.

/**
 * @typedef {[number, number]} XY
 * @typedef {{west: number, south: number, east: number, north: number}} Frame  edges in km in the plane
 */

const RADIUS = 6371;
const DEGREE = Math.PI / 180;

/** How far one place is from another. @param {number[]} one @param {number[]} other */
export const far = ([a, b], [c, d]) => Math.hypot(a - c, b - d);

/** The nearest of some things within reach. @template T @param {T[]} things @param {(thing: T) => XY} where @param {XY} at @param {number} near @returns {T | null} */
export function nearest(things, where, at, near) {
  /** @type {T | null} */
  let found = null;
  for (const thing of things) {
    const d = far(where(thing), at);
    if (d <= near) [found, near] = [thing, d];
  }
  return found;
}

/** Where points lie on the map. */
export class Projection {
  /** @param {{kind?: string, lon?: number, lat?: number}} projection @param {{unit?: string} & Partial<Frame>} frame as board.toml has them */
  constructor(projection, frame) {
    this.kind = projection.kind || "laea";
    this.plane = this.kind === "plane";
    this.lon = Number(projection.lon) || 0;
    this.lat = Number(projection.lat) || 0;
    /** @type {Frame} */
    this.frame = this.framed(frame);
    this.width = Math.round((this.frame.east - this.frame.west) * 10) / 10;
    this.height = Math.round((this.frame.north - this.frame.south) * 10) / 10;
    this.longer = Math.max(this.width, this.height);
    /** @type {{field: number[], scale: number, window?: number[], far: Projection | null}[]} */
    this.insets = [];
  }

  /** @param {any[]} insets as the server tells of them */
  setInsets(insets) {
    this.insets = insets.map((one) => ({ ...one, far: one.window ? null : new Projection(one.projection, one.frame) }));
  }

  /** @returns {Frame} */
  framed({ unit = "km", west = -100, south = -100, east = 100, north = 100 }) {
    if (unit !== "degrees") return { west, south, east, north };
    const steps = Array.from({ length: 60 }, (_, i) => i / 59);
    const edge = [];
    for (const t of steps) {
      const lon = west + t * (east - west);
      const lat = south + t * (north - south);
      edge.push(
        this.onPlane([lon, south]),
        this.onPlane([lon, north]),
        this.onPlane([west, lat]),
        this.onPlane([east, lat]),
      );
    }
    const xs = edge.map(([x]) => x);
    const ys = edge.map(([, y]) => y);
    return {
      west: Math.round(Math.min(...xs)),
      south: Math.round(Math.min(...ys)),
      east: Math.round(Math.max(...xs)),
      north: Math.round(Math.max(...ys)),
    };
  }

  /** @param {XY} point longitude, latitude @returns {XY} km from the middle, y to the north */
  onPlane([lon, lat]) {
    if (this.plane) return [lon, lat];
    if (this.kind === "equal-earth") return equalEarth(((((lon - this.lon + 180) % 360) + 360) % 360) - 180, lat);
    const lam = (lon - this.lon) * DEGREE;
    const phi = lat * DEGREE;
    const phi0 = this.lat * DEGREE;
    const c = Math.sin(phi0) * Math.sin(phi) + Math.cos(phi0) * Math.cos(phi) * Math.cos(lam);
    const k = RADIUS * Math.sqrt(2 / Math.max(1 + c, 1e-9));
    return [
      k * Math.cos(phi) * Math.sin(lam),
      k * (Math.cos(phi0) * Math.sin(phi) - Math.sin(phi0) * Math.cos(phi) * Math.cos(lam)),
    ];
  }

  /** A point of a file as a place on the map, or in the inset that shows it where it lies beyond. @param {XY} point @returns {XY} */
  place(point) {
    const [x, y] = this.onPlane(point);
    const place = /** @type {XY} */ ([x - this.frame.west, this.frame.north - y]);
    if (!this.insets.length || (place[0] >= 0 && place[1] >= 0 && place[0] <= this.width && place[1] <= this.height))
      return place;
    for (const { far, field, scale } of this.insets) {
      const [u, v] = far?.place(point) || [-1, -1];
      if (far && u >= 0 && v >= 0 && u <= far.width && v <= far.height)
        return [field[0] + u * scale, field[1] + v * scale];
    }
    return place;
  }

  /** A point of a file where it is seen best: in the inset that shows it larger. @param {XY} point @returns {XY} */
  seen(point) {
    const [x, y] = this.place(point);
    for (const { window, field, scale } of this.insets)
      if (window && x >= window[0] && y >= window[1] && x <= window[2] && y <= window[3])
        return [field[0] + (x - window[0]) * scale, field[1] + (y - window[1]) * scale];
    return [x, y];
  }

  /** A place on the map, or in an inset, as a point of a file. @param {XY} place @returns {XY} */
  point([x, y]) {
    for (const { far, window, field, scale } of this.insets)
      if (x >= field[0] && y >= field[1] && x <= field[2] && y <= field[3]) {
        const [u, v] = [(x - field[0]) / scale, (y - field[1]) / scale];
        return window ? this.onMap([window[0] + u, window[1] + v]) : (far || this).onMap([u, v]);
      }
    return this.onMap([x, y]);
  }

  /** A place on the map as a point of a file, with as many digits as can be seen. @param {XY} place @returns {XY} */
  onMap([left, top]) {
    const x = left + this.frame.west;
    const y = this.frame.north - top;
    if (this.plane) return [round(x, this.digits()), round(y, this.digits())];
    if (this.kind === "equal-earth") {
      const [lon, lat] = fromEqualEarth(x, y);
      return [round(((((lon + this.lon + 180) % 360) + 360) % 360) - 180, this.digits()), round(lat, this.digits())];
    }
    const rho = Math.hypot(x, y);
    const c = 2 * Math.asin(Math.min(1, rho / (2 * RADIUS)));
    const phi0 = this.lat * DEGREE;
    const lat = rho ? Math.asin(Math.cos(c) * Math.sin(phi0) + (y * Math.sin(c) * Math.cos(phi0)) / rho) : phi0;
    const lam = rho
      ? Math.atan2(x * Math.sin(c), rho * Math.cos(phi0) * Math.cos(c) - y * Math.sin(phi0) * Math.sin(c))
      : 0;
    const lon = ((((this.lon + lam / DEGREE + 180) % 360) + 360) % 360) - 180;
    return [round(lon, this.digits()), round(lat / DEGREE, this.digits())];
  }

  /** Digits behind the point: a thousandth of the map's width, or less, is told apart. */
  digits() {
    const km = this.width / 4000;
    return Math.max(0, Math.min(this.plane ? 2 : 4, Math.ceil(-Math.log10(this.plane ? km : km / 111))));
  }
}

// Equal Earth: Šavrič, Patterson, Jenny 2018.
const [A0, A1, A2, A3] = [1.340264, -0.081106, 0.000893, 0.003796];
const slope = (t) => A0 + 3 * A1 * t ** 2 + 7 * A2 * t ** 6 + 9 * A3 * t ** 8;
const rise = (t) => A0 * t + A1 * t ** 3 + A2 * t ** 7 + A3 * t ** 9;

/** @returns {XY} */
function equalEarth(lon, lat) {
  const t = Math.asin((Math.sqrt(3) / 2) * Math.sin(lat * DEGREE));
  return [(RADIUS * 2 * Math.sqrt(3) * lon * DEGREE * Math.cos(t)) / (3 * slope(t)), RADIUS * rise(t)];
}

/** @returns {XY} */
function fromEqualEarth(x, y) {
  let t = y / RADIUS;
  for (let i = 0; i < 12; i++) t -= (rise(t) - y / RADIUS) / slope(t);
  return [
    (3 * x * slope(t)) / (RADIUS * 2 * Math.sqrt(3) * Math.cos(t)) / DEGREE,
    Math.asin(Math.max(-1, Math.min(1, (2 * Math.sin(t)) / Math.sqrt(3)))) / DEGREE,
  ];
}

export const round = (number, digits) => Number(number.toFixed(digits));

/** The points of a cell: `9.6 50.5; -1.3 52.7 r4`. @param {string} cell @returns {[number, number, number][]} with radius, 0 for none */
export function readPoints(cell) {
  const points = [];
  for (const written of (cell || "").split(";")) {
    const found = /^\s*(-?[\d.]+)[\s,]+(-?[\d.]+)(?:\s+r\s*([\d.]+))?\s*$/.exec(written);
    if (found) points.push([Number(found[1]), Number(found[2]), Number(found[3] || 0)]);
  }
  return points;
}

/** Points as a cell. @param {number[][]} points */
export const writePoints = (points) => points.map(([x, y, r]) => `${x} ${y}${r ? ` r${round(r, 2)}` : ""}`).join("; ");
