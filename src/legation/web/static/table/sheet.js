// The sheet that one draws on: its view, and hands and keys upon it. Places are km on the map, y down.

/**
 * @typedef {[number, number]} XY
 * @typedef {{move: (at: XY) => void, drop: (at: XY) => void, cancel: () => void}} Drag
 * @typedef {{grab: (at: XY, near: number) => Drag | null, tap: (at: XY, near: number, event: Event) => void, hover?: (at: XY, near: number) => void, back?: () => void, finish?: (at: XY) => void}} Hand
 */

const SETTLE = 90; // milliseconds without a move before pictures are drawn anew
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Events: "view" when it moves, "settled" when it rests, "at" with {at} where the keyboard's cross has come to. */
export class Sheet extends EventTarget {
  /** @type {[number, number, number, number]} left, top, width, height in km; measured when the sheet is made */
  view;
  /** @type {[number, number, number, number] | undefined} the view as it was last settled */
  drawn;
  /** @type {number} how near a finger must come, in pixels */
  near = 10;
  wide = 1;
  high = 1;

  /** @param {HTMLElement} element @param {HTMLElement} layers what moves with the view */
  constructor(element, layers) {
    super();
    this.element = element;
    this.layers = layers;
    /** @type {[number, number]} */
    this.size = [1000, 700];
    /** @type {Hand} */
    this.hand = { grab: () => null, tap: () => {} };
    /** @type {XY | null} the keyboard's cross */
    this.cross = null;
    /** @type {Drag | null} what the keyboard holds */
    this.held = null;
    new ResizeObserver(() => this.measure()).observe(element);
    this.measure();
    this.listen();
  }

  measure() {
    this.wide = Math.max(1, this.element.clientWidth);
    this.high = Math.max(1, this.element.clientHeight);
    this.view && !this.whole ? this.put(this.view, true) : this.all();
  }

  /** Km that a pixel shows. */
  get scale() {
    return this.view[2] / this.wide;
  }

  /** @param {number} width @param {number} height */
  setSize(width, height) {
    if (this.size[0] === width && this.size[1] === height) return;
    this.size = [width, height];
    this.all();
  }

  all() {
    const [w, h] = this.size;
    const free = this.wide / this.high;
    const vw = (w / h > free ? w : h * free) * 1.06;
    this.put([(w - vw) / 2, (h - vw / free) / 2, vw, vw / free], true);
    this.whole = true;
  }

  /** Bring a box into view. @param {XY[]} places */
  lookAt(places) {
    if (!places.length) return;
    const xs = places.map(([x]) => x);
    const ys = places.map(([, y]) => y);
    const air = this.size[0] / 12;
    const x = Math.min(...xs) - air;
    const y = Math.min(...ys) - air;
    const w = Math.max(...xs) + air - x;
    const h = Math.max(...ys) + air - y;
    const [vx, vy, vw, vh] = this.view;
    const inside = x + air >= vx && y + air >= vy && x + w - air <= vx + vw && y + h - air <= vy + vh;
    if (inside && w > vw / 8) return;
    const free = this.wide / this.high;
    const width = Math.max(w / h > free ? w : h * free, this.size[0] / 5);
    this.put([x + w / 2 - width / 2, y + h / 2 - width / free / 2, width, width / free], true);
  }

  put(next, now = false) {
    this.whole = false;
    const [w, h] = this.size;
    const free = this.wide / this.high;
    const most = (w / h > free ? w : h * free) * 1.3;
    const width = Math.min(most, Math.max(w / 60, next[2]));
    const height = width / free;
    const bound = (low, size, whole) =>
      size >= whole ? (whole - size) / 2 : Math.min(whole * 1.05 - size, Math.max(-whole * 0.05, low));
    this.view = [bound(next[0], width, w), bound(next[1], height, h), width, height];
    clearTimeout(this.settling);
    if (now || !this.drawn) return this.settle();
    const [x, y, vw] = this.view;
    const [dx, dy, dw] = this.drawn;
    const scale = this.wide / vw;
    this.layers.style.transform = `translate(${(dx - x) * scale}px, ${(dy - y) * scale}px) scale(${dw / vw})`;
    this.settling = setTimeout(() => this.settle(), SETTLE);
  }

  settle() {
    this.drawn = this.view;
    this.layers.style.transform = "";
    this.dispatchEvent(new Event("settled"));
  }

  zoom(factor, [x, y] = [this.view[0] + this.view[2] / 2, this.view[1] + this.view[3] / 2]) {
    this.put([x - (x - this.view[0]) * factor, y - (y - this.view[1]) * factor, this.view[2] * factor]);
  }

  /** @param {{clientX: number, clientY: number}} event @returns {XY} */
  onMap(event) {
    const box = this.element.getBoundingClientRect();
    const [x, y, w] = this.view;
    return [x + ((event.clientX - box.left) * w) / this.wide, y + ((event.clientY - box.top) * w) / this.wide];
  }

  /** Where a place is in the window, in pixels from the sheet's corner. @param {XY} at @returns {XY} */
  onSheet([x, y]) {
    return [(x - this.view[0]) / this.scale, (y - this.view[1]) / this.scale];
  }

  listen() {
    const { element } = this;
    const fingers = new Map();
    /** @type {Drag | null} */
    let drag = null;
    let moved = 0;
    let start = { clientX: 0, clientY: 0 };
    element.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoom(
          Math.exp(Math.max(-1, Math.min(1, event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)))),
          this.onMap(event),
        );
      },
      { passive: false },
    );
    // After a touch browsers act as if a mouse had clicked, which would take the focus from what the tap has opened.
    element.addEventListener("touchend", (event) => event.preventDefault(), { passive: false });
    element.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      if (event.pointerType !== "mouse") /** @type {HTMLElement} */ (document.activeElement)?.blur();
      this.near = event.pointerType === "mouse" ? 10 : 24;
      this.setCross(null);
      fingers.set(event.pointerId, event);
      element.setPointerCapture(event.pointerId);
      if (fingers.size > 1) {
        drag?.cancel();
        drag = null;
        moved = 99;
        return;
      }
      [moved, start] = [0, event];
      drag = this.hand.grab(this.onMap(event), this.near * this.scale);
    });
    element.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) {
        if (event.pointerType === "mouse") this.hand.hover?.(this.onMap(event), 10 * this.scale);
        return;
      }
      const others = [...fingers.values()].filter((one) => one.pointerId !== event.pointerId);
      fingers.set(event.pointerId, event);
      moved = Math.max(moved, Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY));
      if (others.length) {
        const far = (one) => Math.hypot(one.clientX - others[0].clientX, one.clientY - others[0].clientY) || 1;
        const middle = {
          clientX: (event.clientX + others[0].clientX) / 2,
          clientY: (event.clientY + others[0].clientY) / 2,
        };
        this.zoom(far(before) / far(event), this.onMap(middle));
        this.pan((event.clientX - before.clientX) / 2, (event.clientY - before.clientY) / 2);
      } else if (moved >= (this.near > 10 ? 8 : 4))
        drag ? drag.move(this.onMap(event)) : this.pan(event.clientX - before.clientX, event.clientY - before.clientY);
    });
    const end = (event) => {
      if (!fingers.delete(event.pointerId) || fingers.size) return;
      const at = this.onMap(event);
      const far = moved >= (this.near > 10 ? 8 : 4);
      if (event.type === "pointercancel") drag?.cancel();
      else if (drag && far) drag.drop(at);
      else {
        drag?.cancel();
        if (!far) this.hand.tap(at, this.near * this.scale, event);
      }
      drag = null;
    };
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", end);
    element.addEventListener("dblclick", (event) => this.hand.finish?.(this.onMap(event)));
    element.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("blur", () => {
      if (!this.held) this.setCross(null);
    });
  }

  pan(dx, dy) {
    this.put([this.view[0] - dx * this.scale, this.view[1] - dy * this.scale, this.view[2]]);
  }

  /** @param {XY | null} at */
  setCross(at) {
    this.cross = at;
    this.dispatchEvent(new CustomEvent("at", { detail: { at } }));
  }

  /** Take something by the keyboard: arrows move it, Enter lets go. @param {XY} at @param {number} [near] in pixels */
  take(at, near = 4) {
    this.element.focus();
    this.setCross(at);
    this.from = at;
    this.held = this.hand.grab(at, near * this.scale);
    return Boolean(this.held);
  }

  key(event) {
    if (event.target !== this.element || event.metaKey || event.altKey || (event.ctrlKey && !STEPS[event.key])) return;
    const step = STEPS[event.key];
    if (step) {
      const far = (event.shiftKey ? 4 : event.ctrlKey ? 120 : 24) * this.scale;
      const [x, y] = this.cross || [this.view[0] + this.view[2] / 2, this.view[1] + this.view[3] / 2];
      const at = this.cross ? [x + step[0] * far, y + step[1] * far] : [x, y];
      const inside = /** @type {XY} */ ([
        Math.max(0, Math.min(this.size[0], at[0])),
        Math.max(0, Math.min(this.size[1], at[1])),
      ]);
      const [vx, vy, vw, vh] = this.view;
      this.put(
        [Math.min(inside[0], Math.max(vx, inside[0] - vw)), Math.min(inside[1], Math.max(vy, inside[1] - vh)), vw],
        true,
      );
      this.setCross(inside);
      this.held ? this.held.move(inside) : this.hand.hover?.(inside, 12 * this.scale);
    } else if (event.key === "Enter" && !this.cross)
      this.setCross([this.view[0] + this.view[2] / 2, this.view[1] + this.view[3] / 2]);
    else if (event.key === "Enter" && this.cross && this.held) {
      const { held, from } = this;
      const stayed = from && Math.hypot(this.cross[0] - from[0], this.cross[1] - from[1]) < this.scale;
      this.held = null;
      if (!stayed) held.drop(this.cross);
      else {
        held.cancel();
        this.hand.tap(this.cross, 12 * this.scale, event);
      }
    } else if (event.key === "Enter" && this.cross) {
      this.from = this.cross;
      this.held = this.hand.grab(this.cross, 12 * this.scale);
      if (!this.held) this.hand.tap(this.cross, 12 * this.scale, event);
    } else if (event.key === "Escape") {
      this.held?.cancel();
      this.held ? (this.held = null) : this.hand.back?.();
    } else if (event.key === "+" || event.key === "=") this.zoom(1 / 1.4, this.cross || undefined);
    else if (event.key === "-") this.zoom(1.4, this.cross || undefined);
    else if (event.key === "0") this.all();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
