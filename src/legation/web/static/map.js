// The live map: fetches a board, shows states on it, lets people look around and pick places by mouse, touch or keys.
// What stands on the board comes from the server as an SVG of slots; this module only moves the view and marks places.

import { province } from "./choices.js";

const NS = "http://www.w3.org/2000/svg";
const CLOSEST = 140; // units across, at most so close
const LETTERS = ["", "italic "].map((face) => `${face}18px "Legation Garamond"`); // of names
const PATIENCE = 3000; // milliseconds for which names wait for their letters
const PART = 100; // elements that are drawn at a time while a map is opened
const SLICE = 20; // milliseconds of work without a pause
const DOUBLE = 320; // milliseconds between the taps of a double tap
const FINGER = 22; // pixels by which a finger may miss what it means
const NARROW = 544; // pixels: a window of a phone
const LEAST_NAME = 10.5; // units of the map
const ON_PHONE = 1.25; // how much larger the least are there
const [UNIT_R, UNIT_ON_PHONE] = [10.5, 1.6]; // half the width of a unit, and how much larger it is there (style.css)
const FARTHEST = 14; // units, that heads of arrows move back there
const inPixels = (pair) => pair.map((n) => `${n.toFixed(1)}px`).join(" ");
const LEGIBLE = 9; // pixels
const LEAST = 0.75; // of a board that is seen at first, where it fills its window
const NEAR = 1; // pixels to a unit of the map from which rivers and hills are seen
const GENTLE = 0.4; // the cosine of the widest turn of a coast or border that is rounded
const NEVER = 2; // and of no turn
const GRAIN = 4; // tenths of a unit: the points of a board come so exactly
const SHORT = 12; // tenths of a unit: a line between turns that is too short for that
const NAMES = ".names"; // groups of names
const UPON = ["cross", "turning arrows", "ring with a plus"]; // strokes that nothing may cover
const still = matchMedia("(prefers-reduced-motion: reduce)");

// A smooth line through points: the middle of each leg is met, the points between bend it.
const bent = (points) => {
  const at = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const middle = ([a, b], [c, d]) => [(a + c) / 2, (b + d) / 2];
  let d = "M" + at(points[0]);
  for (let i = 1; i < points.length - 1; i++)
    d += `Q${at(points[i])} ${at(i === points.length - 2 ? points[i + 1] : middle(points[i], points[i + 1]))}`;
  return d;
};

let began = 0; // when the last pause ended
/** Time for the hand, and so that no task is long; timers that follow each other would wait four milliseconds each. @returns {Promise<unknown>} */
export const pause = () =>
  /** @type {any} */ (globalThis).scheduler?.yield?.() ?? new Promise((done) => setTimeout(done));
const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

// A pause, if the last one was a while ago.
async function breath() {
  if (performance.now() - began < SLICE) return;
  await pause();
  began = performance.now();
}

/** The root of a drawing from its text, by the parser of HTML: it takes a fraction of the time of XML's. @param {string} text @returns {any} */
export function rootOf(text) {
  const template = document.createElement("template");
  template.innerHTML = text;
  return template.content.firstElementChild;
}

// Lines along points [x, y, x, y, ...] or, backwards, from the last to the first, of which gentle turns are rounded, as
// coasts and borders are; the same from either end. Where they begin, how they go on, and where they end.
function rounded(points, backwards, gentlest = GENTLE) {
  const last = points.length - 2;
  const step = backwards ? -2 : 2;
  let at = backwards ? last : 0;
  let [penX, penY] = [points[at], points[at + 1]];
  const begins = `${penX} ${penY}`;
  if (!last) return [begins, "", begins];
  let [d, round, ax, ay] = ["", false, penX, penY];
  let [x, y] = [points[at + step], points[at + step + 1]];
  at += 2 * step;
  for (let left = last / 2 - 1; left > 0; left--, at += step) {
    const bx = points[at];
    const by = points[at + 1];
    const before = Math.sqrt((x - ax) ** 2 + (y - ay) ** 2);
    const after = Math.sqrt((bx - x) ** 2 + (by - y) ** 2);
    const gentle = (x - ax) * (bx - x) + (y - ay) * (by - y) > gentlest * before * after;
    let toX = x;
    let toY = y;
    if (gentle && before > SHORT && after > SHORT) {
      if (!round) {
        d += `l${((ax + x) >> 1) - penX} ${((ay + y) >> 1) - penY}`;
        penX = (ax + x) >> 1;
        penY = (ay + y) >> 1;
      }
      toX = (x + bx) >> 1;
      toY = (y + by) >> 1;
      d += `q${x - penX} ${y - penY} ${toX - penX} ${toY - penY}`;
      round = true;
    } else {
      d += `l${x - penX} ${y - penY}`;
      round = false;
    }
    penX = toX;
    penY = toY;
    ax = x;
    ay = y;
    x = bx;
    y = by;
  }
  return [begins, `${d}l${x - penX} ${y - penY}`, `${x} ${y}`];
}

// A board's text with its paths, which come as the arcs that they share: "@3@-8z" are the fourth and, backwards, the
// eighth, closed; "~@3" is the fourth as depth lines follow it. An arc that begins where the last one ended goes on from
// there. The arcs are encoded polylines: differences of points, and the lowest bit of an x marks those of depth lines.
async function traced(text) {
  const [start, arcs, rest] = text.split(/<\/?metadata>/);
  /** @type {number[][][]} */
  const [lines, coarse] = [[], []];
  let before = [0, 0];
  for (const arc of arcs.split(" ")) {
    /** @type {number[][]} */
    const [points, marked] = [[], []];
    let [n, bits, mark] = [0, 0, 0];
    for (let at = 0; at < arc.length; at++) {
      const code = arc.charCodeAt(at) - 63;
      n |= (code & 31) << bits;
      bits += 5;
      if (code > 31) continue;
      const across = points.length % 2 === 0;
      if (across) [mark, n] = [n & 1, n >> 1];
      const from = points.length < 2 ? before[points.length] : points[points.length - 2];
      points.push(from + GRAIN * (n & 1 ? ~(n >> 1) : n >> 1));
      if (!across && mark) marked.push(points[points.length - 2], points[points.length - 1]);
      [n, bits] = [0, 0];
    }
    lines.push((before = points));
    coarse.push(marked);
    await breath();
  }
  /** @type {Map<string, string[]>} what is rounded already, by its number */
  const known = new Map();
  const drawn = (number) => {
    const made = +number < 0 ? rounded(lines[~number], true) : rounded(lines[number], false);
    known.set(number, made);
    return made;
  };
  const sharp = (number) =>
    +number < 0 ? rounded(coarse[~number], true, NEVER) : rounded(coarse[number], false, NEVER);
  const path = (refs) => {
    let [d, last] = ["", ""];
    const line = refs[0] === "~" ? sharp : (number) => known.get(number) ?? drawn(number);
    for (const [, number, closed] of refs.matchAll(/@(-?\d+)(z?)/g)) {
      const [first, rest, end] = line(number);
      d += (first === last ? "" : `M${first}`) + rest + closed;
      last = closed ? "" : end;
    }
    return d;
  };
  const parts = rest.split(/ d="(~?@[^"]+)"/);
  for (let n = 1; n < parts.length; n += 2) {
    parts[n] = ` d="${path(parts[n])}"`;
    await breath();
  }
  return start + parts.join("");
}

// A board from its text: definitions, ground, and all upon it, each by itself, with time for the hand in between.
async function parsed(text) {
  const open = text.slice(0, text.indexOf(">") + 1);
  const ends = text.lastIndexOf("</svg>");
  const cuts = [open.length, text.indexOf("</defs>") + 7, text.indexOf('<g class="top"'), ends].filter(
    (cut, n, all) => n === 0 || cut > all[n - 1],
  );
  /** @type {any} */
  let whole = null;
  for (let n = 1; n < cuts.length; n++) {
    const part = document.adoptNode(rootOf(`${open}${text.slice(cuts[n - 1], cuts[n])}</svg>`));
    whole ? whole.append(...part.childNodes) : (whole = part);
    if (n < cuts.length - 1) await pause();
  }
  return whole;
}

const boardOf = async (answer) => parsed(await traced(await answer.text()));

// Fill a group; what it holds already stays, so that only what is new is laid out.
function refill(group, children) {
  const wanted = new Set(children);
  for (const child of [...group.childNodes]) if (!wanted.has(child)) child.remove();
  let next = group.firstChild;
  for (const child of children)
    if (child === next) next = next.nextSibling;
    else group.insertBefore(child, next);
}

function draw(tag, attributes, ...children) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// A map in a section made by chart.html. Events: "pick" with {place}, "over" with {place} or null for a mouse, "back" when Escape or water leads a step back; "drag" and "drop"
// with {from, to} where `grabs(place)` lets what stands there be dragged.
export class Chart extends EventTarget {
  /** @type {((place: string) => boolean) | undefined} whether what stands in a place may be dragged */
  grabs;
  /** @type {((place: string) => boolean) | undefined} whether a tap on a place would choose something */
  meant;
  // What load() sets; nothing is asked of a map before.
  /** @type {Record<string, {name: string, at: [number, number], box: number[], coasts?: Record<string, [number, number]>, part?: number, also?: Record<string, [number, number]>}>} */
  places;
  /** @type {Record<string, string>} names of coasts */
  coasts;
  /** @type {any} the ground */
  svg;
  /** @type {any[]} the ground, the lit places, and all upon them */
  pictures;
  /** @type {HTMLElement} what holds the pictures */
  layers;
  /** @type {Map<string, any>} */
  slots;
  /** @type {any} crosses and new units of a draft */
  upon;
  /** @type {[any, any[], any][]} parts of the map that are to come: a group, its children, the slot that they are in */
  coming;
  /** @type {[any, any[], any][]} and those with names */
  named;
  /** @type {Promise<unknown>} */
  letters;
  /** @type {Promise<any[]> | undefined} rivers and hills */
  relief;
  /** @type {number[]} the box of the whole map */
  full;
  /** @type {number[]} the box that is seen */
  view;
  /** @type {number[]} what is wanted: its middle and its width */
  middle;
  /** @type {number} the window's width and height, in pixels */
  wide;
  /** @type {number} */
  high;
  /** @type {number} pixels at its foot over which lies what is said and offered, and a panel that is pulled up */
  covered;
  /** @type {number} milliseconds after which a tap is a long press */
  longPress = 550;

  constructor(section) {
    super();
    this.section = section;
    this.sheet = section.querySelector(".sheet-of-map");
    this.where = section.querySelector(".where");
    this.told = section.querySelector(".told");
    this.tray = section.querySelector(".tray");
    /** @type {string | null} the place that the keyboard has come to */
    this.walker = null;
    /** @type {Map<string, {line: string, head: string} | null>} arrows as pictures have them, by move; null: asked for */
    this.ways = new Map();
    /** @type {any[]} what is drawn of orders that are not sent yet */
    this.drafted = [];
    /** @type {Map<string, {drawn: any, size: number}>} names by their ids, and how large they are in the map's units */
    this.lettering = new Map();
    /** @type {number[][]} where names are: the middle of each line, and half its width */
    this.lines = [];
    /** @type {Record<string, string>} the lit places */
    this.lit = {};
  }

  /** Open the map, with a state if there is one from the first. @param {string | null} [state] */
  async load(state) {
    const letters = LETTERS.map((font) => document.fonts.load(font));
    const [svg, facts] = await Promise.all([
      fetch(this.section.dataset.board).then(boardOf),
      fetch(this.section.dataset.places).then((answer) => answer.json()),
    ]);
    // Letters that come after the names have the whole map laid out once more, so names come last.
    this.letters = Promise.race([Promise.allSettled(letters), new Promise((done) => setTimeout(done, PATIENCE))]);
    this.measure();
    this.places = facts.places;
    this.coasts = facts.coasts;
    this.svg = svg;
    this.letter();
    await pause();
    // Ground, lit places and all that stands upon them in a picture each, so that lighting a place paints little anew.
    const [lit, top] = [0, 1].map(() => draw("svg", { class: "lg", viewBox: this.svg.getAttribute("viewBox") }));
    lit.append(draw("g", { transform: "scale(.1)" }, this.svg.querySelector('[data-slot="lit"]')));
    top.append(this.svg.querySelector("g.top"));
    this.pictures = [this.svg, lit, top];
    if ("patterns" in document.documentElement.dataset)
      for (const picture of this.pictures) picture.classList.add("hatched");
    this.layers = document.createElement("div");
    this.layers.className = "layers";
    this.layers.append(...this.pictures);
    for (const picture of this.pictures) {
      picture.setAttribute("aria-hidden", "true");
      picture.setAttribute("preserveAspectRatio", "xMidYMid meet");
    }
    // Found before anything is put aside: a state may come while a slot is not in the page yet.
    this.slots = new Map([...this.layers.querySelectorAll("[data-slot]")].map((slot) => [slot.dataset.slot, slot]));
    // Lines of a draft run under the names, as those that are sent do; its crosses and new units lie upon all.
    this.slot("names").before(this.slot("draft"));
    this.upon = draw("g", { class: "draft" });
    top.firstElementChild.append(this.upon);
    this.coming = [];
    this.named = [];
    for (const group of state ? rootOf(state).querySelectorAll("[data-slot]") : []) {
      await breath();
      this.slot(group.dataset.slot)?.replaceChildren(...this.filling(group));
    }
    for (const group of [...this.svg.children, ...top.firstElementChild.children]) {
      await breath();
      if (["defs", "g"].includes(group.tagName)) this.fold(group);
    }
    this.full = this.svg.getAttribute("viewBox").split(" ").map(Number);
    this.view = [...this.full];
    this.sheet.replaceChildren(this.layers);
    this.listen();
    this.section.querySelector(".zoom").hidden = false;
    this.section.dataset.ready = "yes";
    this.unfold();
    const kept = JSON.parse(sessionStorage.getItem(this.keeps()) ?? "null"); // null where the whole map was shown, too
    this.put(kept || this.rest());
    await pause();
    return this;
  }

  // Names are so large that the least are read where a whole board fills a desk; on a phone the least are larger.
  letter() {
    const least = LEAST_NAME * (this.wide < NARROW ? ON_PHONE : 1);
    for (const drawn of this.svg.querySelector('[data-slot="names"]').children) {
      const texts = [...drawn.querySelectorAll("[font-size]")];
      const sizes = texts.map((text) => {
        const smallest = text.firstElementChild ? LEAST_NAME : least; // a curve is no longer than its name
        return Math.max(smallest, Number(text.getAttribute("font-size")));
      });
      texts.forEach((text, n) => {
        text.setAttribute("font-size", String(sizes[n]));
        const [x, y] = [Number(text.getAttribute("x")), Number(text.getAttribute("y"))];
        if (y) this.lines.push([x, y - sizes[n] / 3, (text.textContent.length * sizes[n]) / 4]);
      });
      this.lettering.set(drawn.id, { drawn, size: Math.min(...sizes) });
    }
  }

  // From a spot 8 units toward the nearest name: a unit that stands there grows away from it.
  toward([x, y]) {
    let [toX, toY, least] = [0, 8, Infinity];
    for (const line of this.lines) {
      const half = line[2];
      const dx = line[0] - x + Math.max(-half, Math.min(half, x - line[0]));
      const dy = line[1] - y;
      const far = dx * dx + dy * dy;
      if (far < least) [toX, toY, least] = [dx, dy, far];
    }
    const away = least < Infinity ? 8 / (Math.sqrt(least) || 1) : 1;
    return [toX * away, toY * away];
  }

  // How far a head moves back to lie before all units as large as phones show them, but its own: as a translation.
  back(head, units) {
    const [u, v] = head.dataset.way.split(" ").map(Number);
    const { at } = head.closest("[data-at]").dataset;
    const corners = [...head.innerHTML.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [
      Number(x),
      Number(y),
    ]);
    const spots = corners.flatMap(([a, b]) => corners.map(([c, d]) => [(a + c) / 2, (b + d) / 2]));
    const met = (far) =>
      spots.some(([x, y]) =>
        units.some((unit) => unit.at !== at && Math.hypot(x - u * far - unit.x, y - v * far - unit.y) < unit.r),
      );
    let far = 0;
    while (far < FARTHEST && met(far)) far += 1;
    return far < FARTHEST ? inPixels([-u * far, -v * far]) : "none";
  }

  // Names that are too small to be read are left out until the view comes nearer.
  spell() {
    const least = (LEGIBLE * this.view[2]) / this.wide;
    for (const { drawn, size } of this.lettering.values()) {
      const hidden = size < least;
      if (hidden === drawn.hasAttribute("visibility")) continue;
      hidden ? drawn.setAttribute("visibility", "hidden") : drawn.removeAttribute("visibility");
    }
  }

  // Rivers and hills are seen when the view is near, and fetched when it first is.
  async relieve() {
    const ground = this.painted && this.svg.querySelector(".relief");
    if (!ground) return;
    const near = () => this.wide / this.view[2] >= NEAR;
    const from = this.section.dataset.board.replace("board.svg", "relief.svg");
    if (near())
      this.relief ??= fetch(from)
        .then((answer) => (answer.ok ? answer.text() : ""))
        .then((text) => [...(rootOf(text)?.children ?? [])])
        .catch(() => []);
    const lines = await this.relief;
    if (near() !== ground.hasChildNodes()) ground.replaceChildren(...((near() && lines) || []));
  }

  // A map comes in parts, a frame each, from the ground up: a slow phone is not busy with all of it at once. What is to
  // come is not in the page at all: hidden elements are given their style all the same. Names come last.
  fold(group, names = false, root = group) {
    const into = names || group.matches(NAMES) ? this.named : this.coming;
    let part = [];
    let size = 0;
    const close = () => {
      if (part.length) into.push([group, part, root]);
      [part, size] = [[], 0];
    };
    const children = [...group.children];
    group.replaceChildren();
    for (const child of children) {
      const more = 1 + child.getElementsByTagName("*").length;
      part.push(child);
      size += more;
      const large = more > PART || child.matches(NAMES);
      if (large || size >= PART) close();
      if (large) this.fold(child, into === this.named, child.dataset.slot ? child : root);
    }
    close();
  }

  async unfold() {
    while (this.coming.length || this.named.length) {
      await (this.coming.length ? frame() : this.letters.then(frame));
      const next = this.coming.shift() || this.named.shift(); // a state that came meanwhile may have emptied both
      next?.[0].append(...next[1]);
    }
    this.painted = true;
    this.relieve();
  }

  // What a selector finds on the map, what is still to come as well.
  parts(selector) {
    const coming = [...this.coming, ...this.named].flatMap(([, part]) => part);
    return [this.layers, ...coming].flatMap((part) => [
      ...(part.matches(selector) ? [part] : []),
      ...part.querySelectorAll(selector),
    ]);
  }

  // Texts

  name(at) {
    const [id, coast] = at.split("/");
    return this.places[id] ? this.places[id].name + (coast ? ` (${this.coasts[coast] || coast})` : "") : at;
  }

  spot(at) {
    const [id, coast] = at.split("/");
    const place = this.places[id];
    return (coast && place.coasts?.[coast]) || place.at;
  }

  // Where a place is drawn on a part of the map (0: the map itself, n: its n-th inset), if it is, else where it stands.
  onPart(at, part) {
    const place = this.places[at.split("/")[0]];
    return ((place.part || 0) !== part && place.also?.[part]) || this.spot(at);
  }

  // Where a line between two places begins and ends, and on which part of the map: on one, where one of them is drawn on
  // both.
  ends(a, b) {
    const [from, to] = [a, b].map((at) => this.places[at.split("/")[0]]);
    const [here, there] = [from.part || 0, to.part || 0];
    const part = here === there || to.also?.[here] || !from.also?.[there] ? here : there;
    return { start: this.onPart(a, part), end: this.onPart(b, part), part };
  }

  say(text) {
    this.where.textContent = text;
    this.where.hidden = !text;
  }

  // Show a text and have it read aloud: what the keyboard has come to, or what a tap has shown.
  tell(text) {
    this.say(text);
    this.told.textContent = text;
  }

  // States

  slot(name) {
    return this.slots.get(name);
  }

  // What stands for an element of a state: a name, or what uses the same shape there already, gets its classes.
  known(element, before) {
    const href = element.getAttribute("href");
    const known =
      this.lettering.get(href?.slice(1))?.drawn ?? (href && href === before?.getAttribute("href") && before);
    if (!known) return element;
    const cls = element.getAttribute("class") ?? "";
    if (known.getAttribute("class") !== cls) known.setAttribute("class", cls);
    return known;
  }

  // What fills a slot: a state's group, its names as they stand on this map, its units beside the nearest name.
  filling(group) {
    for (const use of group.querySelectorAll(".names > use")) use.replaceWith(this.known(use));
    const units = [...group.querySelectorAll(".u[data-at]")].map((unit) => {
      const [toX, toY] = this.toward(this.spot(unit.dataset.at));
      unit.style.setProperty("--toward", inPixels([toX, toY]));
      const numbers = unit.getAttribute("transform").match(/-?[\d.]+/g);
      const [x, y, size = 1] = numbers.map(Number);
      const off = (1 - UNIT_ON_PHONE) * size;
      return { at: unit.dataset.at, x: x + off * toX, y: y + off * toY, r: UNIT_R * UNIT_ON_PHONE * size };
    });
    for (const head of group.querySelectorAll("[data-way]")) head.style.setProperty("--back", this.back(head, units));
    const before = this.slot(group.dataset.slot)?.children;
    return [...group.children].map((child, n) => this.known(child, before?.[n]));
  }

  // Fill the slots of the board with those of a state.
  show(state) {
    for (const group of rootOf(state).querySelectorAll("[data-slot]")) {
      const slot = this.slot(group.dataset.slot);
      if (!slot) continue;
      const children = this.filling(group);
      if (this.painted) refill(slot, children);
      else {
        for (const to of ["coming", "named"]) this[to] = this[to].filter(([, , root]) => root !== slot);
        slot.replaceChildren(...children);
        this.fold(slot);
      }
    }
    this.spell();
  }

  // Light up places: {place: class}. With any lit, the rest of the board steps back; those that can be tapped keep their
  // colors and get a line round them in a color that no power has.
  light(places) {
    const slot = this.slot("lit");
    const [, , w, h] = this.full;
    const all = { x: 0, y: 0, width: w * 10, height: h * 10 };
    const shape = ([id, cls]) => draw("use", { href: "#s-" + id, class: cls });
    const lit = Object.entries(places);
    const goals = lit.filter(([, cls]) => /\b(to|helped)\b/.test(cls));
    const mask = draw(
      "mask",
      { id: "stepping-back", maskUnits: "userSpaceOnUse", ...all },
      draw("rect", { class: "back", ...all }),
      ...lit.map(([id]) => shape([id, "front"])),
    );
    slot.replaceChildren(
      ...(lit.length
        ? [
            mask,
            draw("rect", { class: "veil", ...all }),
            ...goals.map(([id]) => shape([id, "edge"])),
            ...lit.map(shape),
          ]
        : []),
    );
    this.lit = places;
  }

  // Drawn orders that are not sent yet: [{stroke, number, at, to, whom, kind, unit, through}]; `unit` is the kind of one
  // that moves, where its arrow is to lie as in pictures.
  draft(arrows) {
    this.drafted = arrows;
    const lines = [];
    const upon = [];
    // Where an arrow bends through who carries it, nobody asks who does.
    const met = arrows.flatMap(({ at, to, through = [] }) =>
      through.map((place) => [place, at, to].map(province).join(" ")),
    );
    const plain = arrows.filter(
      ({ stroke, at, whom, to }) =>
        stroke !== "wavy line" || !to || !met.includes([at, whom, to].map(province).join(" ")),
    );
    for (const arrow of plain) (UPON.includes(arrow.stroke) ? upon : lines).push(this.arrow(arrow));
    this.slot("draft").replaceChildren(...lines.filter(Boolean));
    this.upon.replaceChildren(...upon.filter(Boolean));
    this.pictures[2].classList.toggle("crossed", lines.length > 0);
  }

  // The line and the head of a move as pictures of judged turns have them. Until the answer is there, and offline, an
  // arrow is straight.
  way(unit, at, to, through) {
    const stand = [...this.slot("units").querySelectorAll("[data-at]")].map((unit) => province(unit.dataset.at));
    const free = stand.includes(province(to)) ? "" : "&free=1";
    const move = encodeURIComponent([unit, at, to, ...through.map(province)].join(" ")) + free;
    if (!this.ways.has(move)) {
      this.ways.set(move, null);
      const from = this.section.dataset.places.replace("places.json", "way.json");
      fetch(`${from}${from.includes("?") ? "&" : "?"}move=${move}`)
        .then((answer) => (answer.ok ? answer.json() : null))
        .then((way) => {
          this.ways.set(move, way);
          if (way) this.draft(this.drafted);
        })
        .catch(() => this.ways.delete(move));
    }
    return this.ways.get(move);
  }

  arrow({ stroke, number, at, to, whom, kind, unit, through = [] }) {
    const group = draw("g", { class: `o o${number}` });
    const from = this.spot(at);
    const line = (a, b, cut = 11) => {
      const dx = b[0] - a[0];
      const dy = b[1] - a[1];
      const far = Math.hypot(dx, dy) || 1;
      const start = [a[0] + (dx / far) * Math.min(10, far / 3), a[1] + (dy / far) * Math.min(10, far / 3)];
      const end = [b[0] - (dx / far) * Math.min(cut, far / 2), b[1] - (dy / far) * Math.min(cut, far / 2)];
      return {
        start,
        d: `M${start[0].toFixed(1)} ${start[1].toFixed(1)}L${end[0].toFixed(1)} ${end[1].toFixed(1)}`,
        end,
        ux: dx / far,
        uy: dy / far,
      };
    };
    /** @param {{end: number[], ux: number, uy: number}} line */
    const head = ({ end: [x, y], ux, uy }) => {
      const tip = [x + ux * 4, y + uy * 4];
      const back = [x - ux * 6, y - uy * 6];
      return draw("path", {
        class: "oa",
        d: `M${tip[0].toFixed(1)} ${tip[1].toFixed(1)}L${(back[0] - uy * 5).toFixed(1)} ${(back[1] + ux * 5).toFixed(1)}L${(back[0] + uy * 5).toFixed(1)} ${(back[1] - ux * 5).toFixed(1)}Z`,
      });
    };
    if (stroke.endsWith("arrow")) {
      const stops = through.map((place) => this.spot(place));
      const { start, end } = this.ends(at, to);
      const path = line(stops.at(-1) || start, stops.length ? this.spot(to) : end);
      if (stops.length) path.d = bent([line(from, stops[0]).start, ...stops, path.end]);
      const way = unit && this.way(unit, at, to, through);
      if (way) path.d = way.line;
      const dash = stroke === "broken arrow" ? " r" : stroke === "dashed arrow" && !stops.length ? " d" : "";
      group.append(
        draw("path", { class: "oh", d: path.d }),
        draw("path", { class: "oe", d: path.d }),
        draw("path", { class: "oc" + dash, d: path.d }),
        way ? draw("path", { class: "oa", d: way.head }) : head(path),
      );
    } else if (stroke.endsWith("line")) {
      const { start: a, end: b, part } = to ? this.ends(whom, to) : this.ends(whom, at);
      const aim = to ? [a[0] + (b[0] - a[0]) * 0.55, a[1] + (b[1] - a[1]) * 0.55] : a;
      const path = line(this.onPart(at, part), aim, to ? 3 : 13);
      group.append(
        draw("path", { class: "oh", d: path.d }),
        draw("path", { class: stroke === "wavy line" ? "ow" : "os", d: path.d }),
        draw("circle", { class: "oo", cx: path.end[0], cy: path.end[1], r: 3.2 }),
      );
      if (!to) group.append(draw("circle", { class: "os", cx: a[0], cy: a[1], r: 13.5 }));
    } else if (stroke === "ring") {
      group.append(
        draw("circle", { class: "oh", cx: from[0], cy: from[1], r: 13 }),
        draw("circle", { class: "ob", cx: from[0], cy: from[1], r: 13 }),
      );
    } else if (stroke === "ring with a plus") {
      const site = this.spot(at);
      const unit = draw("g", { class: `u u${number} ghost`, transform: `translate(${site[0]} ${site[1]})` });
      unit.append(draw("use", { href: "#u-" + kind }));
      group.append(unit, draw("circle", { class: "ob", cx: site[0], cy: site[1], r: 14 }));
    } else if (stroke === "cross") {
      group.append(draw("use", { href: "#u-cross", transform: `translate(${from[0]} ${from[1]})` }));
    } else if (stroke === "turning arrows") {
      group.append(draw("use", { href: "#u-turn", transform: `translate(${from[0]} ${from[1]})` }));
    } else return null;
    return group;
  }

  // The view

  // The form of the window. It is asked for when it changes and not each time that the view does, because to ask for it
  // while the map has changed has the browser lay the whole map out at once, a second for the largest on a slow phone.
  measure() {
    this.wide = Math.max(1, this.sheet.clientWidth);
    this.high = Math.max(1, this.sheet.clientHeight);
    const upon = this.tray && getComputedStyle(this.tray).position === "absolute"; // it is beside the map on a phone on its side
    this.covered = upon ? Math.max(0, this.high - this.tray.offsetTop) : 0;
  }

  keeps() {
    return "view " + this.section.dataset.board;
  }

  // What is wanted is kept by its middle, so that a window that changes its form (a phone that is turned) shows it again.
  put(next, wanted = true) {
    const [, , wide, high] = this.full;
    const [fw] = this.shaped(wide, high, this.covered);
    const w = Math.min(fw, Math.max(CLOSEST, next[2]));
    const h = (w * this.high) / this.wide;
    const bound = (low, size, whole) => (size >= whole ? (whole - size) / 2 : Math.min(whole - size, Math.max(0, low)));
    const room = high + (h * this.covered) / this.high;
    this.view = [bound(next[0], w, wide), bound(next[1], h, room), w, h];
    if (wanted) this.middle = [this.view[0] + w / 2, this.view[1] + h / 2, w];
    const [x, y, vw] = this.view;
    const [dx, dy, dw] = this.drawn || this.view;
    const scale = this.wide / vw;
    const moved = this.drawn?.some((n, i) => n !== this.view[i]);
    if (this.drawn)
      this.layers.style.transform = !moved
        ? ""
        : `translate(${(dx - x) * scale}px, ${(dy - y) * scale}px) scale(${dw / vw})`;
    clearTimeout(this.settling); // while the view moves the pictures are moved; they are drawn anew when it rests
    this.drawn ? (this.settling = setTimeout(() => this.settle(), 90)) : this.settle();
  }

  settle() {
    this.drawn = this.view;
    this.layers.style.transform = "";
    const box = this.view.map((n) => n.toFixed(1)).join(" ");
    if (this.svg.getAttribute("viewBox") !== box)
      for (const picture of this.pictures) picture.setAttribute("viewBox", box);
    this.spell();
    this.relieve();
    const whole = this.view[2] >= this.rest()[2] * 0.999;
    sessionStorage.setItem(this.keeps(), JSON.stringify(whole ? null : this.view)); // another page has more or less room
  }

  // The smallest view of the window's form that holds w by h above what is kept free for the tray.
  shaped(w, h, kept) {
    const free = this.wide / Math.max(1, this.high - kept);
    const vw = w / h > free ? w : h * free;
    return [vw, (vw * this.high) / this.wide];
  }

  fitted(x, y, w, h, kept = this.covered) {
    const [vw, vh] = this.shaped(w, h, kept);
    const free = vh * (1 - kept / this.high);
    return [x + (w - vw) / 2, y + (h - free) / 2, vw, vh];
  }

  glide(target) {
    if (!this.painted) this.drawn = null; // nobody has seen another view yet
    const from = [...this.view];
    const start = performance.now();
    const turn = (this.running = (this.running || 0) + 1);
    const step = (now) => {
      if (turn !== this.running) return;
      const t = still.matches || !this.painted ? 1 : Math.min(1, (now - start) / 240);
      const ease = t * t * (3 - 2 * t);
      this.put(from.map((value, i) => value + (target[i] - value) * ease));
      if (t < 1) requestAnimationFrame(step);
    };
    step(start);
  }

  whole() {
    return this.fitted(0, 0, this.full[2], this.full[3]);
  }

  // The largest view in which the window is full of map, about a middle.
  filled([x, y]) {
    const [, , wide, high] = this.full;
    const free = this.high - (this.wide < NARROW ? this.covered : 0); // at a desk little is covered, and in a corner
    const w = Math.min(wide, (high * this.wide) / free);
    return [x - w / 2, y - (w * free) / this.wide / 2, w, (w * this.high) / this.wide];
  }

  // How a board is seen at first: without bars of sea beside it, unless that cut too much of it away; on a phone always.
  rest() {
    const [, , wide, high] = this.full;
    const filled = this.filled([wide / 2, high / 2]);
    const seen = Math.min(1, filled[2] / wide) * Math.min(1, filled[3] / high);
    return this.wide < NARROW || seen > LEAST ? filled : this.whole();
  }

  all() {
    this.glide(this.wide < NARROW ? this.whole() : this.rest());
  }

  // Bring places into view, with some air; only the spots where units stand on them, where all of them would be too much.
  // The window stays full of map as at first, unless all are to be seen.
  lookAt(ids, spots = false, glides = true, all = false) {
    const around = ([x, y]) => [x - 26, y - 26, x + 26, y + 26];
    const boxes = ids
      .filter((id) => this.places[id])
      .map((id) => (spots ? around(this.places[id].at) : this.places[id].box));
    if (!boxes.length) return;
    const left = Math.min(...boxes.map((b) => b[0]));
    const top = Math.min(...boxes.map((b) => b[1]));
    const right = Math.max(...boxes.map((b) => b[2]));
    const bottom = Math.max(...boxes.map((b) => b[3]));
    const w = Math.max(right - left, 320) * 1.1;
    const h = Math.max(bottom - top, 240) * 1.1;
    const fitted = this.fitted((left + right - w) / 2, (top + bottom - h) / 2, w, h);
    const widest = this.wide < NARROW ? this.filled([(left + right) / 2, (top + bottom) / 2]) : this.rest();
    const target = fitted[2] > widest[2] && !all ? this.fullest(widest, boxes) : fitted;
    if (glides) return this.glide(target);
    this.drawn = null;
    this.put(target);
  }

  // A view, or one as wide around one of some boxes, if that shows the middles of more of them.
  fullest(view, boxes) {
    const middles = boxes.map(([left, top, right, bottom]) => [(left + right) / 2, (top + bottom) / 2]);
    const seen = ([x, y, w, h]) => middles.filter(([a, b]) => a > x && a < x + w && b > y && b < y + h).length;
    const views = middles.map(([a, b]) => [a - view[2] / 2, b - view[3] / 2, view[2], view[3]]);
    return views.reduce((best, one) => (seen(one) > seen(best) ? one : best), view);
  }

  // The same at once (or as it glides), where some of them are out of view, or under the tray.
  seek(ids, all = true, glides = false) {
    if (!ids.every((id) => this.shows(id))) this.lookAt(ids, true, glides, all);
  }

  // Whether the spot where a unit stands on a place is in view, and not under the tray.
  shows(id) {
    const [vx, vy, vw, vh] = this.view;
    const [x, y] = this.spot(id);
    return x > vx && x < vx + vw && y > vy && y < vy + vh * (1 - this.covered / this.high);
  }

  zoom(factor, x = this.view[0] + this.view[2] / 2, y = this.view[1] + this.view[3] / 2) {
    this.running = (this.running || 0) + 1;
    this.put([x - (x - this.view[0]) * factor, y - (y - this.view[1]) * factor, this.view[2] * factor]);
  }

  // Twice as near to a spot, or from near by back to the first view.
  nearer(x, y) {
    const w = this.view[2] / 2;
    if (w < CLOSEST) return this.glide(this.rest());
    const h = (w * this.high) / this.wide;
    this.glide([x - w / 2, y - h / 2, w, h]);
  }

  // Hands and keys

  onMap(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  placeAt(event) {
    const element = event.target.closest("[data-at]"); // a province, a unit upon it, or an order that starts there
    return element ? province(element.dataset.at) : null;
  }

  // What a tap means. A finger that chooses nothing means what it would choose a little beside it, if that stands nearer
  // than what stands in the place that it hit.
  aimed(event) {
    const place = this.placeAt(event);
    if (event.pointerType !== "touch" || !this.meant || (place && this.meant(place))) return place;
    const [x, y] = this.onMap(event);
    const scale = this.wide / this.view[2];
    const far = (at) => {
      const [a, b] = this.spot(at);
      return Math.hypot(a - x, b - y) * scale;
    };
    let best = place;
    let least = Math.min(FINGER, place ? far(place) : FINGER);
    for (const at of Object.keys(this.places)) if (this.meant(at) && far(at) < least) [best, least] = [at, far(at)];
    return best;
  }

  listen() {
    const { sheet } = this;
    const fingers = new Map();
    let moved = 0;
    let tapped = { clientX: 0, clientY: 0, timeStamp: -DOUBLE };
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let pressed;
    /** @type {{from: string, to: string | null} | null} a unit that is dragged */
    let carried = null;
    sheet.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && Math.abs(event.deltaY) < 1) return;
        event.preventDefault();
        this.zoom(Math.exp(event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), ...this.onMap(event));
      },
      { passive: false },
    );
    sheet.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, event);
      if (fingers.size === 1) {
        moved = 0;
        const place = this.placeAt(event);
        carried = place && this.grabs?.(place) ? { from: place, to: null } : null;
        clearTimeout(pressed);
        pressed = setTimeout(() => {
          if (moved < 6 && fingers.size === 1 && place) {
            moved = 99;
            this.dispatch("hold", place);
          }
        }, this.longPress);
      }
    });
    addEventListener("pointermove", (event) => {
      const last = fingers.get(event.pointerId);
      if (!last) return;
      const scale = this.view[2] / this.wide;
      const dx = event.clientX - last.clientX;
      const dy = event.clientY - last.clientY;
      moved += Math.abs(dx) + Math.abs(dy);
      if (fingers.size === 1 && moved > 6 && carried) {
        const under = document.elementFromPoint(event.clientX, event.clientY)?.closest(".sheet-of-map [data-at]");
        const to = under ? province(under.dataset.at) : null;
        if (to !== carried.to)
          this.dispatchEvent(new CustomEvent("drag", { detail: { ...carried, to: (carried.to = to) } }));
      } else if (fingers.size === 1 && moved > 6) {
        this.running = (this.running || 0) + 1;
        this.put([this.view[0] - dx * scale, this.view[1] - dy * scale, this.view[2]]);
      } else if (fingers.size === 2) {
        const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
        const before = Math.hypot(last.clientX - other.clientX, last.clientY - other.clientY);
        const after = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
        this.zoom(before / Math.max(1, after), ...this.onMap(other));
      }
      fingers.set(event.pointerId, event);
    });
    for (const end of ["pointerup", "pointercancel"])
      addEventListener(end, (event) => {
        if (fingers.delete(event.pointerId) && carried && moved > 6)
          this.dispatchEvent(
            new CustomEvent("drop", { detail: end === "pointerup" ? carried : { ...carried, to: null } }),
          );
        carried = null;
        clearTimeout(pressed);
      });
    sheet.addEventListener("click", (event) => {
      if (moved > 6) return;
      const place = this.aimed(event);
      const far = Math.hypot(event.clientX - tapped.clientX, event.clientY - tapped.clientY);
      const again = event.timeStamp - tapped.timeStamp < DOUBLE && far < FINGER && event.pointerType === "touch";
      tapped = event;
      if (again && !(place && this.meant?.(place))) return this.nearer(...this.onMap(event));
      place ? this.dispatch("pick", place) : this.dispatchEvent(new Event("back"));
    });
    sheet.addEventListener("pointerover", (event) => {
      if (event.pointerType === "touch") return;
      const place = this.placeAt(event);
      if (place) this.say(this.describe(place));
      const region = event.target.closest(".p:not(:has(title))");
      if (region) region.prepend(draw("title", {}, `${this.name(place)} (${place})`));
      this.dispatch("over", place);
    });
    sheet.addEventListener("pointerleave", () => {
      this.say("");
      this.dispatch("over", null);
    });
    for (const button of this.section.querySelectorAll("[data-zoom]"))
      button.addEventListener("click", () => {
        const how = button.dataset.zoom;
        how === "all" ? this.all() : this.zoom(how === "in" ? 0.7 : 1.43);
      });
    sheet.addEventListener("keydown", (event) => this.key(event));
    const formed = new ResizeObserver(() => this.formed());
    formed.observe(sheet);
    if (this.tray) formed.observe(this.tray);
  }

  // The window, or what lies over it, has another form: what was seen is seen again.
  formed() {
    const before = [this.wide, this.high, this.covered];
    this.measure();
    const [x, y, w] = this.middle;
    const h = (w * this.high) / this.wide;
    if (before[0] !== this.wide || before[1] !== this.high) this.drawn = null;
    this.put([x - w / 2, y - h / 2, w], false);
    if (this.covered > before[2]) this.clear(Object.keys(this.lit));
  }

  // Move the map up by as much as what lies over its foot covers of places that can be tapped.
  clear(ids) {
    const scale = this.wide / this.view[2];
    const low = (id) => (this.spot(id)[1] - this.view[1]) * scale;
    const hidden = ids.map(low).filter((y) => y < this.high && y > this.high - this.covered - FINGER);
    const by = Math.max(0, ...hidden) - (this.high - this.covered - FINGER);
    if (hidden.length) this.put([this.view[0], this.view[1] + by / scale, this.view[2]]);
  }

  describe(place) {
    return this.name(place) + this.sight(place);
  }

  // What follows the name of a place that the reader cannot see.
  sight(place) {
    const unseen = "out of sight";
    return this.parts(`[data-hidden="${place}"]`).length ? `: ${unseen}` : "";
  }

  dispatch(name, place) {
    this.dispatchEvent(new CustomEvent(name, { detail: { place } }));
  }

  key(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (ways[event.key]) {
      event.preventDefault();
      this.walk(ways[event.key]);
    } else if ((event.key === "Enter" || event.key === " ") && this.walker) {
      event.preventDefault();
      this.dispatch("pick", this.walker);
    } else if (event.key === "Escape") this.dispatchEvent(new Event("back"));
    else if (event.key === "+" || event.key === "=") this.zoom(0.7);
    else if (event.key === "-") this.zoom(1.43);
    else if (event.key === "0") this.all();
  }

  // To the nearest place in a direction; among lit places only, while there are some.
  walk([wx, wy]) {
    const middle = [this.view[0] + this.view[2] / 2, this.view[1] + this.view[3] / 2];
    const from = this.walker ? this.places[this.walker].at : middle;
    const chosen = this.lit && Object.keys(this.lit).length ? new Set([...Object.keys(this.lit)]) : null;
    /** @type {string | null} */
    let best = null;
    let least = Infinity;
    for (const [id, place] of Object.entries(this.places)) {
      if (id === this.walker || (chosen && !chosen.has(id))) continue;
      const dx = place.at[0] - from[0];
      const dy = place.at[1] - from[1];
      const ahead = dx * wx + dy * wy;
      const aside = Math.abs(dx * wy) + Math.abs(dy * wx);
      const cost = this.walker ? ahead + 2.2 * aside : Math.hypot(dx, dy);
      if ((ahead > 0 || !this.walker) && (aside <= 2.5 * ahead || chosen || !this.walker) && cost < least) {
        least = cost;
        best = id;
      }
    }
    if (best) this.stand(best);
  }

  // Ring a place while a mouse is over what names it elsewhere on the page; without one the ring goes.
  ring(id) {
    for (const ring of this.layers.querySelectorAll(".ringed")) ring.remove();
    if (id && this.places[id])
      this.slot("draft").parentNode.append(
        draw("circle", { class: "ringed", cx: this.places[id].at[0], cy: this.places[id].at[1], r: 17 }),
      );
  }

  // The keyboard has come to a place.
  stand(id) {
    this.walker = id;
    for (const group of this.layers.querySelectorAll(".walker")) group.remove();
    this.slot("draft").parentNode.append(
      draw("circle", { class: "walker", cx: this.places[id].at[0], cy: this.places[id].at[1], r: 17 }),
    );
    const [x, y] = this.places[id].at;
    const [vx, vy, vw, vh] = this.view;
    if (x < vx + 30 || y < vy + 30 || x > vx + vw - 30 || y > vy + vh - 30)
      this.glide([x - vw / 2, y - vh / 2, vw, vh]);
    this.tell(this.describe(id));
    this.dispatch("walk", id);
  }
}
