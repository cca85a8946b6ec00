// The drawing table: joins the board's document, the sheet, the tools and the panels.

import { followCenters, followShores, ownerOf, powers, provinces } from "./board.js";
import { borderMarks } from "./borders.js";
import { Grower } from "./calls.js";
import { coastMarks, seasOf } from "./coasts.js";
import { button, counted, el, renew, shape } from "./elements.js";
import { unviewed, viewed } from "./editions.js";
import { filesPanel } from "./files.js";
import { History } from "./history.js";
import { Keeper, board, savedAt } from "./keeping.js";
import { drawn, insetMarks } from "./insets.js";
import { problems, provinceList } from "./lists.js";
import { Naming } from "./naming.js";
import { layPaper, paperMarks } from "./paper.js";
import { Picture } from "./picture.js";
import { powerMarks, powersPanel } from "./powers.js";
import { Projection, readPoints } from "./projection.js";
import { chosenPanel } from "./province_panel.js";
import { publishPanel } from "./publish.js";
import { rulesPanel } from "./rules.js";
import { Sheet } from "./sheet.js";
import { TOOLS, handles } from "./tools.js";
import { tryPanel } from "./tries.js";

/**
 * What is chosen: a province and perhaps one of its points, a border by its two provinces, or a row of a table of the board.
 * @typedef {{kind: "province", id: string, point?: number}} ChosenProvince
 * @typedef {{kind: "border", a: string, b: string}} ChosenBorder
 * @typedef {{kind: "lines" | "carve" | "void", row: number}} ChosenLine
 * @typedef {ChosenProvince | ChosenBorder | ChosenLine | {kind: "insets", row: number}} Chosen
 */

const STEPS = {
  draw: { text: "Draw" },
  powers: { text: "Powers" },
  rules: { text: "Rules" },
  try: { text: "Try" },
  publish: { text: "Publish" },
  files: { text: "Files" },
};
const PANELS = { powers: powersPanel, rules: rulesPanel, try: tryPanel, publish: publishPanel, files: filesPanel };
/** What is written upon a handle. */
const LETTERS = { label: "a", unit: "u", center: "★", move: "✥", size: "⤡", from: "◤", to: "◢" };
const at = (id) => /** @type {any} */ (document.getElementById(id));

/** Go to the map or the panel, where they stand one below the other. @param {string} part */
const seen = (part) => {
  if (matchMedia("(max-width: 59.99rem)").matches) at(part).scrollIntoView({ block: "start" });
};

export class Table {
  /** @type {Map<string, import("./board.js").Province>} */
  provinces;
  /** @type {Projection} */
  projection;
  /** @type {string} the name of the edition at hand; empty: the variant itself */
  edition;
  /** @type {import("./tools.js").XY[] | null} a line that is being drawn */
  drawing;
  /** @type {string | null} the first province of a border that is being made */
  pair;
  /** @type {import("./tools.js").XY | null} the first corner of a box */
  corner;
  /** @type {boolean} whether the next box is of the sea */
  boxSea;
  /** @type {string} why no pack was made */
  packError;
  /** @type {string} how much the boards in this browser use */
  storage;
  /** @type {number} the clock of the refusal that is shown */
  refused;
  /** @type {{of: import("./history.js").Document, edition: string, document: import("./history.js").Document} | null} the document as it is edited, and what it was made of */
  seen = null;

  /** @param {import("./keeping.js").Kept} kept */
  constructor(kept) {
    this.history = new History(kept.document, kept.done, kept.undone);
    this.keeper = new Keeper(kept, this.history);
    this.growing = new Grower(this.history);
    this.tag = kept.tag || {};
    this.edition = this.growing.shown = kept.edition && kept.document.editions?.[kept.edition] ? kept.edition : "";
    this.picture = new Picture(at("layers"));
    this.sheet = new Sheet(at("sheet"), at("layers"));
    this.naming = new Naming(at("board"), this.sheet);
    /** @type {Chosen | null} */
    this.chosen = null;
    this.language = this.newLanguage = "";
    this.tool = TOOLS.choose;
    this.step = "draw";
    this.power = -1;
    this.lineKind = "river";
    this.finding = -1;
    this.files = { texts: {}, name: "", draft: null, faults: [], of: null, error: "" };
    /** @type {{known: {rules: import("./rules.js").Rule[], basis: any[]} | null, faults: string[], book: {title: string, paragraphs: string[]}[] | null, of: any, [more: string]: any}} */
    this.rules = { known: null, faults: [], book: null, of: null };
    this.tries = { games: "20", reports: [], running: null, done: 0, of: 0, busy: false, error: "" };
    this.read();
    this.listen();
    this.useTool(this.provinces.size ? "choose" : "place");
    this.growing.ask(0);
    if (kept.tracing) layPaper(this, kept.tracing.picture, kept.tracing.fit);
  }

  /** The document as it is edited: the edition at hand in the place of its variant. */
  get document() {
    const { document } = this.history;
    if (!this.seen || this.seen.of !== document || this.seen.edition !== this.edition)
      this.seen = { of: document, edition: this.edition, document: viewed(document, this.edition) };
    return this.seen.document;
  }

  /** What the server is sent. @param {import("./history.js").Document} [document] as it is edited */
  sent(document = this.document) {
    return { ...unviewed(document, this.edition), shown: this.edition };
  }

  get grown() {
    return this.growing.grown;
  }
  get findings() {
    return this.grown?.findings || [];
  }

  /** Read the document anew, after a change. */
  read() {
    if (this.edition && !this.history.document.editions?.[this.edition]) this.edition = this.growing.shown = "";
    this.provinces = provinces(this.document);
    const { projection, frame } = this.document.board;
    this.projection = new Projection(projection || {}, frame || {});
    this.projection.setInsets(drawn(this));
    if (this.power >= powers(this.document).length) this.power = -1;
    if (this.chosen?.kind === "province" && !this.provinces.has(this.chosen.id)) this.chosen = null;
  }

  name(id) {
    return this.provinces.get(String(id).split("/")[0])?.name ?? String(id);
  }

  /** Where the author wants a name, a unit or a center. @returns {[number, number] | null} */
  placed(id, what) {
    const row = (this.document.board.places || []).find((one) => one.id === id && one.what === what);
    const [point] = readPoints(row?.point);
    return point ? this.projection.seen([point[0], point[1]]) : null;
  }

  /** The chosen land whose coast taps part; empty where they do not. */
  parting() {
    const land = this.coasts && this.chosen?.kind === "province" ? this.chosen.id : "";
    return land && seasOf(this, land).length > 1 ? land : "";
  }

  heldBy(id) {
    const owner = ownerOf(this.document, id);
    const name = powers(this.document)[owner.number]?.name;
    return name ? `${name}${owner.unit ? `, ${owner.unit.startsWith("A") ? "army" : "fleet"}` : ""}` : "";
  }

  // Changes

  /** @param {string} what @param {any} document @param {string} [group] changes of one group that follow each other are undone at once */
  change(what, document, group) {
    this.history.change(what, unviewed(followCenters(this.document, document), this.edition), group);
  }

  /** Change the document with all its editions. @param {string} what @param {any} document */
  changeWhole(what, document) {
    this.history.change(what, document);
  }

  /** @param {string} tag of a language in which the map is lettered; empty: as drawn */
  showLanguage(tag) {
    this.language = this.growing.language = tag;
    this.growing.ask(0);
    this.render();
  }

  /** @param {string} name of an edition; empty: the variant itself */
  showEdition(name) {
    this.edition = this.growing.shown = name;
    this.keeper.set({ edition: name });
    this.power = -1;
    this.read();
    this.growing.ask(0);
    this.render();
  }

  /** @param {Chosen | null} chosen @param {boolean} [show] whether the map goes there */
  choose(chosen, show = false) {
    const other = JSON.stringify(chosen) !== JSON.stringify(this.chosen);
    if (other) this.coasts = false;
    this.chosen = chosen;
    if (chosen && show) this.lookAt(chosen);
    if (chosen && other && this.step !== "draw" && this.step !== "powers") this.step = "draw";
    this.render();
    if (show) at("chosen")?.focus({ preventScroll: false });
  }

  /** @param {Chosen} chosen */
  lookAt(chosen) {
    const inset = chosen.kind === "insets" && drawn(this).find((one) => one.row === chosen.row);
    const ids = chosen.kind === "province" ? [chosen.id] : chosen.kind === "border" ? [chosen.a, chosen.b] : [];
    const points =
      "row" in chosen
        ? readPoints(this.document.board[chosen.kind]?.[chosen.row]?.points)
        : ids.flatMap((id) => this.provinces.get(id)?.points || []);
    this.sheet.lookAt(
      inset
        ? [
            [inset.box[0], inset.box[1]],
            [inset.box[2], inset.box[3]],
          ]
        : points.map(([x, y]) => this.projection.seen([x, y])),
    );
  }

  /** @param {keyof typeof TOOLS} name */
  useTool(name) {
    this.naming.finish();
    this.tool.leave?.(this);
    this.tool = TOOLS[name];
    this.sheet.hand = this.tool.hand(this);
    if (this.step !== "draw" && !(this.step === "powers" && name === "start")) this.step = "draw";
    this.render();
    if (at("board").getBoundingClientRect().bottom < innerHeight / 2) seen("board"); // a tool chosen in the panel is for the map
  }

  show(step, focus) {
    this.step = step;
    this.render();
    if (focus) this.focus(focus);
  }

  /** Show a step, and where map and panel stand one below the other, go to it. @param {keyof typeof STEPS} name */
  turnTo(name) {
    this.show(name);
    seen(name === "draw" ? "board" : "panel");
  }

  focus(id) {
    const found = at(id);
    found?.focus();
    found?.select?.();
  }

  moveByKeys(id, i) {
    const point = this.provinces.get(id)?.points[i];
    if (!point) return;
    const [x, y] = point;
    const place = this.projection.seen([x, y]);
    this.useTool("choose");
    this.choose({ kind: "province", id, point: i });
    this.sheet.lookAt([place]);
    if (this.sheet.take(place))
      this.say(
        `Point ${i + 1} of ${this.name(id)} is in hand. Arrow keys move it, Enter lets go, Escape puts it back.`,
      );
  }

  showFinding(number) {
    const finding = this.findings[number];
    this.finding = this.finding === number ? -1 : number;
    const places = finding.at
      ? [finding.at]
      : (finding.provinces || []).flatMap(
          (id) => this.provinces.get(id)?.points.map(([x, y]) => this.projection.seen([x, y])) || [],
        );
    if (this.finding >= 0) this.sheet.lookAt(places);
    this.render();
  }

  /** Make lands inland that touch no water; whether that changed anything. */
  followShores() {
    const inland = this.keeper.kept.inland || [];
    const [made, now] = followShores(this.document, this.grown, inland);
    if (made === this.document || this.document.borders === "stated") return false;
    this.keeper.follow({ inland: now });
    this.history.amend(unviewed(made, this.edition));
    return true;
  }

  // While something is dragged

  /** What a hand does with a handle. @param {any} handle @param {boolean} rough whether provinces follow it */
  carry(handle, rough) {
    return {
      move: (to) => this.drag({ ...handle, at: to }, rough),
      drop: (to) => {
        this.drag(null);
        this.change(handle.said, handle.put(to));
        if (handle.kind === "point" && !handle.mine) this.choose({ kind: "province", id: handle.id, point: handle.i });
      },
      cancel: () => this.drag(null),
    };
  }

  /** @param {any} handle with its place now, or null when it is let go @param {boolean} [rough] whether provinces follow it */
  drag(handle, rough = false) {
    this.dragged = handle;
    if (handle && rough) {
      const ids = [...this.provinces.keys()];
      this.picture.drag(this.seeds(handle), handle.kind === "point" ? ids.indexOf(handle.id) : -1);
    } else if (!handle) this.picture.rough.hidden = true;
    this.drawMarks();
  }

  /** Where a point that is put at a place claims ground: on the map, or in an inset that shows what lies beyond. @param {[number, number]} at */
  claimed(at) {
    return this.projection.place(this.projection.point(at));
  }

  /** All points that claim ground, with one of them where it is dragged to. */
  seeds(handle) {
    const found = [];
    [...this.provinces.values()].forEach((province, owner) => {
      if (province.row.form) return;
      province.points.forEach(([x, y], i) => {
        const [px, py] =
          handle.kind === "point" && handle.id === province.id && handle.i === i
            ? this.claimed(handle.at)
            : this.projection.place([x, y]);
        found.push({ x: px, y: py, sea: province.sea, owner });
      });
    });
    (this.document.board.void || []).forEach((row, r) =>
      readPoints(row.points).forEach(([x, y], i) => {
        const [px, py] =
          handle.kind === "void" && handle.row === r && handle.i === i
            ? this.claimed(handle.at)
            : this.projection.place([x, y]);
        found.push({ x: px, y: py, sea: row.kind === "water", owner: -1 });
      }),
    );
    return found;
  }

  /** A line or outline near a place. @param {[number, number]} place @param {number} near @returns {Chosen | null} */
  lineAt([x, y], near) {
    for (const kind of /** @type {const} */ (["lines", "carve"]))
      for (const [row, line] of (this.document.board[kind] || []).entries()) {
        const points = readPoints(line.points).map((point) => this.projection.place([point[0], point[1]]));
        for (let i = 1; i < points.length; i++) {
          const [[ax, ay], [bx, by]] = [points[i - 1], points[i]];
          const l = (bx - ax) ** 2 + (by - ay) ** 2 || 1;
          const t = Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / l));
          if (Math.hypot(ax + t * (bx - ax) - x, ay + t * (by - ay) - y) < near) return { kind, row };
        }
      }
    return null;
  }

  // What is told

  /** @param {string} text for a screen reader; others see what changed */
  say(text) {
    at("said").className = "unseen";
    at("said").textContent = text;
  }

  /** Tell everybody why nothing was changed. @param {string} text */
  refuse(text) {
    this.say(text);
    at("said").className = "table-refusal";
    clearTimeout(this.refused);
    this.refused = setTimeout(
      () => {
        at("said").className = "unseen";
      },
      Math.max(6000, 90 * text.length),
    );
  }

  /** Tell of what lasts. @param {...any} parts */
  notify(...parts) {
    at("notice").replaceChildren(...parts);
    at("notice").hidden = false;
  }

  /** Tell what lies at a place. @param {[number, number]} place */
  where(place) {
    const id = this.picture.provinceAt(place);
    const text = id ? this.name(id) : this.picture.isLand(place) ? "land" : "water";
    if (at("where").textContent !== text) at("where").textContent = text;
    clearTimeout(this.listening);
    if (this.sheet.cross && !this.sheet.held) this.listening = setTimeout(() => this.say(text), 350);
  }

  // Drawing

  drawMarks() {
    const { grown, chosen, tool, picture } = this;
    const marks = [];
    if (grown) {
      const far = 9 * (grown.width + grown.height);
      marks.push({
        cls: "mat",
        path: `M${-far} ${-far}H${2 * far}V${2 * far}H${-far}ZM0 0V${grown.height}H${grown.width}V0Z`,
      });
      const lit = new Set(
        this.finding >= 0
          ? this.findings[this.finding]?.provinces
          : this.findings.filter((one) => one.level !== "note").flatMap((one) => one.provinces || []),
      );
      if (tool === TOOLS.start && !(grown.drawn && this.growing.state === "grown")) marks.push(...powerMarks(this));
      for (const id of lit)
        if (grown.provinces[id])
          marks.push({ cls: this.finding >= 0 ? "glow strong" : "glow", path: grown.provinces[id].path });
      if (chosen?.kind === "province" && grown.provinces[chosen.id] && !this.dragged)
        marks.push({ cls: "chosen-province", path: grown.provinces[chosen.id].path });
      if (tool === TOOLS.borders) marks.push(...borderMarks(this));
      const parted = this.parting();
      if (parted) marks.push(...coastMarks(this, parted));
      const finding = this.findings[this.finding];
      if (finding?.at) marks.push({ cls: "finding-spot", at: finding.at });
    }
    for (const kind of /** @type {const} */ (["lines", "carve"]))
      (this.document.board[kind] || []).forEach((row, r) => {
        const mine = chosen?.kind === kind && chosen.row === r;
        if (mine || tool === TOOLS.line)
          marks.push({
            cls: `drawn-line ${row.form === "area" ? "area" : ""} ${mine ? "mine" : ""}`,
            line: readPoints(row.points).map(([x, y]) => this.projection.place([x, y])),
          });
      });
    marks.push(...insetMarks(this));
    if (tool === TOOLS.trace) marks.push(...paperMarks(this));
    else if (tool !== TOOLS.borders && tool !== TOOLS.start && !this.parting())
      for (const handle of handles(this)) {
        const held =
          this.dragged &&
          this.dragged.kind === handle.kind &&
          this.dragged.id === handle.id &&
          this.dragged.row === handle.row &&
          this.dragged.i === handle.i &&
          this.dragged.what === handle.what;
        marks.push({
          cls: `dot ${handle.kind}${handle.mine ? " mine" : ""}${held ? " held" : ""}`,
          at: held ? this.dragged.at : handle.at,
        });
        if (handle.what)
          marks.push({ cls: "dot-letter", at: held ? this.dragged.at : handle.at, text: LETTERS[handle.what] ?? "f" });
      }
    if (this.drawing)
      marks.push(
        { cls: `drawing ${this.tool === TOOLS.line && !this.sheet.cross ? "" : ""}`, line: this.drawing },
        ...this.drawing.slice(0, 1).map((place) => ({ cls: "dot mine", at: place })),
      );
    if (this.corner) marks.push({ cls: "dot mine", at: this.corner });
    if (this.sheet.cross)
      marks.push({ cls: "cross-out", at: this.sheet.cross }, { cls: "cross-in", at: this.sheet.cross });
    picture.mark(marks);
  }

  render() {
    const { tool, step, history } = this;
    for (const [name, one] of Object.entries(TOOLS)) {
      at(`tool-${name}`).setAttribute("aria-pressed", String(one === tool));
      at(`tool-${name}`).tabIndex = one === tool ? 0 : -1;
    }
    for (const name of Object.keys(STEPS))
      name === step
        ? at(`step-${name}`).setAttribute("aria-current", "page")
        : at(`step-${name}`).removeAttribute("aria-current");
    for (const [id, steps, word] of /** @type {const} */ ([
      ["undo", history.done, "Undo"],
      ["redo", history.undone, "Redo"],
    ])) {
      at(id).disabled = !steps.length;
      const last = steps.at(-1);
      at(id).title = last ? `${word}: ${last.what}` : "";
    }
    const { title } = this.document.board;
    const { length } = this.findings;
    at("title").textContent = title;
    document.title = `${title} · Designer · Legation`;
    at("hint").textContent = tool.hint(this);
    renew(at("chips"), tool.chips?.(this) || []);
    at("panel-title").textContent = STEPS[step].text;
    at("panel-title").classList.toggle("unseen", step === "draw");
    const lands = [...this.provinces.values()].filter((one) => !one.sea).length;
    renew(
      at("panel-body"),
      step !== "draw"
        ? PANELS[step](this)
        : [
            ...chosenPanel(this),
            ...(this.provinces.size
              ? [el("h2", {}, length ? `Problems (${length})` : "Problems"), problems(this)]
              : []),
            el("h2", {}, "Everything on the board"),
            el(
              "p",
              { class: "soft" },
              this.provinces.size
                ? `${counted(lands, "land")} and ${counted(this.provinces.size - lands, "sea")}, ${counted((this.document.board.land || []).filter((row) => row.center === "1").length, "center")}.`
                : "Nothing yet. Tap the map to place the first province.",
            ),
            ...provinceList(this),
          ],
    );
    this.drawMarks();
  }

  listen() {
    const { history, growing, sheet, keeper } = this;
    history.addEventListener("change", (event) => {
      this.read();
      this.finding = -1;
      if (event.detail.what) this.say(event.detail.what);
      this.render();
    });
    growing.addEventListener("state", (event) => {
      const { state, error } = event.detail;
      growing.error = error;
      const whole = this.grown?.stage === "full";
      at("growing").textContent = {
        waiting: "Growing …",
        busy: "Waiting for the server …",
        failed: "Not grown",
        grown: whole ? "Up to date" : "Growing …",
      }[state];
      at("growing").dataset.state = state === "grown" && whole ? "whole" : state;
      const fresh = this.grown && this.grown !== this.picture.grown;
      if (fresh) {
        this.projection.setInsets(drawn(this));
        this.sheet.setSize(this.grown.width, this.grown.height);
        this.picture.show(this.grown, event.detail.document);
      }
      if (fresh && whole && state === "grown" && this.followShores()) return;
      if (fresh || state === "failed" || state === "grown") this.render();
    });
    at("kept").textContent = savedAt(keeper.kept.changed);
    keeper.addEventListener("passed", () =>
      this.notify(
        "This board was changed in another tab. ",
        button("Show it as it is there", () => location.reload(), { id: "show-other" }),
        " If you draw on here, your board becomes a copy.",
      ),
    );
    keeper.addEventListener("copied", (event) => {
      globalThis.history.replaceState(null, "", `#${keeper.kept.id}`);
      this.notify(
        `This board was changed in another tab too. What you draw here is kept as “${event.detail.title}”; both are in `,
        el("a", { href: "/table" }, "your boards"),
        ".",
      );
    });
    keeper.addEventListener("state", (event) => {
      at("kept").textContent = event.detail.text;
      at("kept").classList.toggle("wrong-text", event.detail.wrong);
    });
    sheet.addEventListener("settled", () => this.picture.look(sheet.view, sheet.wide, sheet.high));
    sheet.addEventListener("at", () => this.drawMarks());
    this.sheet.setSize(this.projection.width, this.projection.height);
    this.picture.look(sheet.view, sheet.wide, sheet.high);
    at("tools").replaceChildren(
      ...Object.entries(TOOLS).map(([name, tool]) =>
        el(
          "button",
          {
            type: "button",
            id: `tool-${name}`,
            title: `${tool.text} (${tool.key.toUpperCase()})`,
            "aria-keyshortcuts": tool.key,
            onclick: () => this.useTool(name),
          },
          shape("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, shape("path", { d: tool.icon })),
          el("span", {}, tool.text),
        ),
      ),
    );
    at("steps").replaceChildren(
      ...Object.entries(STEPS).map(([name, { text }]) =>
        el(
          "button",
          { type: "button", id: `step-${name}`, onclick: () => this.turnTo(/** @type {keyof typeof STEPS} */ (name)) },
          text,
        ),
      ),
    );
    at("undo").addEventListener("click", () => history.undo());
    at("redo").addEventListener("click", () => history.redo());
    at("board")
      .querySelectorAll("[data-zoom]")
      .forEach((one) =>
        one.addEventListener("click", () =>
          ({ in: () => sheet.zoom(1 / 1.5), out: () => sheet.zoom(1.5), all: () => sheet.all() })[one.dataset.zoom](),
        ),
      );
    addEventListener("keydown", (event) => this.key(event));
    at("tools").addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      const all = [...at("tools").children];
      if (!step) return;
      event.preventDefault();
      all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
    });
  }

  /** Go to the next part of the table: map, choices, panel, tools. @param {number} step */
  nextPart(step) {
    const parts = [
      at("sheet"),
      at("chips").querySelector("button, input, select"),
      at("panel-body").querySelector("h2[tabindex], button, input, select, a, summary"),
      at("tools").querySelector('[tabindex="0"]'),
    ];
    const homes = [at("sheet"), at("chips"), at("panel"), at("tools")];
    const now = homes.findIndex((home) => home.contains(document.activeElement));
    for (let i = 1; i <= parts.length; i++) {
      const part = parts[(now + i * step + 2 * parts.length) % parts.length];
      if (part) return part.focus();
    }
  }

  key(event) {
    if (event.key === "F6") {
      event.preventDefault();
      return this.nextPart(event.shiftKey ? -1 : 1);
    }
    const writes = event.target.closest("input, textarea, select");
    const wide = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (wide && (key === "z" || key === "y") && !(writes && event.target.matches("textarea, input")))
      key === "z" && !event.shiftKey ? this.history.undo() : this.history.redo();
    else if (!wide && !event.altKey && !writes) {
      const found = Object.entries(TOOLS).find(([, tool]) => tool.key === key);
      if (!found && event.key !== "Delete") return;
      if (found) {
        this.useTool(found[0]);
        this.say(`${found[1].text}. ${found[1].hint(this)}`);
      } else (at("p-delete") || at("l-delete") || at("i-delete"))?.click();
    } else return;
    event.preventDefault();
  }
}

const id = location.hash.slice(1);
const kept = id ? await board(id).catch(() => undefined) : undefined;
if (!kept) location.replace("/table");
else {
  at("loading").hidden = true;
  Object.assign(globalThis, { table: new Table(kept) });
  document.documentElement.dataset.ready = "yes";
}
