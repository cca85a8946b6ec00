// The world to choose a part of: a map to drag a box on, by mouse, touch or the fields beside it.

import { call } from "./calls.js";
import { shape } from "./elements.js";

/** @typedef {{west: number, south: number, east: number, north: number}} Box  degrees; west may be more than east, across 180° */

const whole = (degrees) => Math.round(degrees * 2) / 2;

/** Draws the world, and a box upon it. */
export class WorldMap {
  /** @param {SVGSVGElement} svg with a view of 360 by 180 degrees @param {(box: Box) => void} tell */
  constructor(svg, tell) {
    this.svg = svg;
    this.tell = tell;
    this.lands = shape("path", { class: "w-land" });
    this.box = shape("path", { class: "w-box" });
    this.svg.append(this.lands, this.box);
    this.listen();
    call("/table/coast")
      .then(({ path }) => this.lands.setAttribute("d", path))
      .catch(() => {});
  }

  /** @param {Box} box @param {string} [name] of the place, for the title */
  set(box, name = "") {
    this.show(box);
    this.tell(box);
    const title = /** @type {HTMLInputElement | null} */ (document.getElementById("world-title"));
    if (name && title && (!title.value || title.dataset.usual === title.value))
      title.value = title.dataset.usual = name;
  }

  /** @param {Box} box */
  show({ west, south, east, north }) {
    const part = (a, b) => `M${a + 180} ${90 - north}H${b + 180}V${90 - south}H${a + 180}Z`;
    if ([west, south, east, north].every(Number.isFinite))
      this.box.setAttribute("d", west <= east ? part(west, east) : part(west, 180) + part(-180, east));
  }

  listen() {
    /** @type {number[] | null} */
    let from = null;
    const place = (event) => {
      const box = this.svg.getBoundingClientRect();
      return [
        Math.max(-180, Math.min(180, ((event.clientX - box.left) / box.width) * 360 - 180)),
        Math.max(-90, Math.min(90, 90 - ((event.clientY - box.top) / box.height) * 180)),
      ];
    };
    /** @param {number[]} a @param {number[]} b @returns {Box} */
    const between = (a, b) => ({
      west: whole(Math.min(a[0], b[0])),
      south: whole(Math.min(a[1], b[1])),
      east: whole(Math.max(a[0], b[0])),
      north: whole(Math.max(a[1], b[1])),
    });
    this.svg.addEventListener("pointerdown", (event) => {
      from = place(event);
      this.svg.setPointerCapture(event.pointerId);
    });
    this.svg.addEventListener("pointermove", (event) => {
      const box = from && between(from, place(event));
      if (box && box.east - box.west >= 1 && box.north - box.south >= 1) this.set(box);
    });
    for (const type of ["pointerup", "pointercancel"])
      this.svg.addEventListener(type, () => {
        from = null;
      });
  }
}
