"use strict";
// The moves browser: finds a place by any name, and shows where an army there, or a fleet on each coast, may go.
(() => {
  const board = JSON.parse(document.getElementById("board").textContent);
  const places = board.places; // id -> {name, aliases, facts, note, at, coasts, army, fleet}
  const $ = (id) => document.getElementById(id);
  const svg = document.querySelector("#map > svg");
  const input = $("place");
  const found = $("found");
  const answer = $("answer");
  const clear = $("clear");
  const map = $("map");
  const NS = "http://www.w3.org/2000/svg";
  const hint = answer.firstElementChild;
  const credits = $("credits");
  if (credits && matchMedia("(max-width:760px)").matches) credits.open = false;
  const province = (location) => location.split("/")[0];
  const fold = (text) =>
    text
      .normalize("NFD")
      .replace(/[\u0300-\u036f]/g, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, " ")
      .trim();

  // Names
  const index = [];
  for (const [id, place] of Object.entries(places))
    for (const name of [id, place.name, ...place.aliases]) index.push({ id, name, key: fold(name) });

  function distance(a, b) {
    let row = Array.from({ length: b.length + 1 }, (_, i) => i);
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++)
        next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      row = next;
    }
    return row[b.length];
  }

  function search(text) {
    const key = fold(text);
    if (!key) return [];
    const best = new Map();
    for (const entry of index) {
      let cost;
      if (entry.key === key) cost = 0;
      else if (entry.key.startsWith(key)) cost = 1 + entry.key.length / 100;
      else if ((" " + entry.key).includes(" " + key)) cost = 2 + entry.key.length / 100;
      else if (key.length > 2 && entry.key.includes(key)) cost = 3 + entry.key.length / 100;
      else if (key.length > 3) {
        const away = Math.min(distance(key, entry.key), 0.5 + distance(key, entry.key.slice(0, key.length)));
        if (away > key.length / 3) continue;
        cost = 4 + away;
      } else continue;
      const known = best.get(entry.id);
      if (!known || cost < known.cost) best.set(entry.id, { ...entry, cost });
    }
    return [...best.values()]
      .sort((a, b) => a.cost - b.cost || (places[a.id].name < places[b.id].name ? -1 : 1))
      .slice(0, 12);
  }

  // The list under the box
  let options = [];
  let active = -1;
  function list() {
    options = search(input.value);
    active = options.length ? 0 : -1;
    found.replaceChildren(
      ...options.map((option, i) => {
        const li = document.createElement("li");
        li.id = "found-" + i;
        li.setAttribute("role", "option");
        const name = document.createElement("span");
        const note = document.createElement("small");
        name.textContent = places[option.id].name;
        const other = option.name !== option.id && option.name !== places[option.id].name ? option.name + ", " : "";
        note.textContent = other + option.id;
        li.append(name, note);
        li.addEventListener("pointerdown", (event) => {
          event.preventDefault();
          show(option.id);
        });
        return li;
      }),
    );
    if (!options.length && fold(input.value)) {
      const li = document.createElement("li");
      li.textContent = "No place of that name";
      found.append(li);
    }
    open(found.childElementCount > 0);
    mark();
  }
  function open(yes) {
    found.hidden = !yes;
    input.setAttribute("aria-expanded", String(yes));
    if (!yes) input.removeAttribute("aria-activedescendant");
  }
  function mark() {
    [...found.children].forEach((li, i) => li.setAttribute("aria-selected", String(i === active)));
    if (active >= 0) {
      input.setAttribute("aria-activedescendant", "found-" + active);
      found.children[active].scrollIntoView({ block: "nearest" });
    }
    clear.hidden = !input.value;
  }
  input.addEventListener("input", list);
  input.addEventListener("focus", () => input.select());
  input.addEventListener("blur", () => open(false));
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (found.hidden) return list();
      if (options.length) active = (active + (event.key === "ArrowDown" ? 1 : options.length - 1)) % options.length;
      mark();
    } else if (event.key === "Enter" && active >= 0 && !found.hidden) {
      event.preventDefault();
      show(options[active].id);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      found.hidden ? reset() : open(false);
    }
  });
  clear.addEventListener("click", () => {
    reset();
    input.focus();
  });

  // The answer
  let current = null;
  let kind = "all";
  const goals = document.createElementNS(NS, "g");
  goals.id = "goals";
  svg.querySelector(".top").after(goals);
  const lettering = board.lettering.map((of) => ({ texts: $("n-" + of[0]).querySelectorAll(".n"), of }));
  const nameOf = (location) => {
    const [id, coast] = location.split("/");
    return places[id].name + (coast ? " (" + (board.coasts[coast] || coast) + ")" : "");
  };
  function ways(place) {
    const all = [];
    if (place.army) all.push({ key: "A", kind: "A", title: "An army here", to: place.army });
    for (const [location, to] of Object.entries(place.fleet)) {
      const coast = location.split("/")[1];
      const title = place.sea
        ? "A fleet here"
        : coast
          ? "A fleet on the " + (board.coasts[coast] || coast)
          : "A fleet here";
      all.push({
        key: "F" + (coast || ""),
        kind: "F",
        title,
        short: coast ? "Fleet " + coast.toUpperCase() : "Fleet",
        to,
      });
    }
    return all;
  }
  function element(tag, cls, text) {
    const made = document.createElement(tag);
    if (cls) made.className = cls;
    if (text) made.textContent = text;
    return made;
  }
  function symbol(of) {
    const made = document.createElementNS(NS, "svg");
    const use = document.createElementNS(NS, "use");
    made.setAttribute("viewBox", "-14 -14 28 28");
    made.setAttribute("class", "lg");
    made.setAttribute("aria-hidden", "true");
    use.setAttribute("href", "#u-" + of);
    use.setAttribute("fill", of === "A" ? "#e0786a" : "#6fb1e0");
    made.append(use);
    return made;
  }
  function show(id, zoom = true) {
    if (!places[id]) return;
    if (id !== current) kind = "all";
    current = id;
    const place = places[id];
    open(false);
    input.value = place.name;
    clear.hidden = false;
    if (location.hash !== "#" + id) history.replaceState(null, "", "#" + id);
    const all = ways(place);
    const chosen = all.filter((way) => kind === "all" || way.key === kind);
    const out = [];
    const head = element("h2", "", place.name + " ");
    head.append(element("span", "id", id));
    out.push(head, element("p", "facts", place.facts));
    if (place.note) out.push(element("p", "note", place.note));
    if (all.length > 1) {
      const tabs = element("div", "tabs");
      for (const way of [{ key: "all", short: "All" }, ...all]) {
        const button = element("button", "", way.short || "Army");
        button.type = "button";
        button.setAttribute("aria-pressed", String(kind === way.key));
        button.addEventListener("click", () => {
          kind = way.key;
          show(id, false);
          answer.querySelector("[aria-pressed=true]").focus();
        });
        tabs.append(button);
      }
      out.push(tabs);
    }
    for (const way of chosen) {
      const title = element("h3", way.kind === "A" ? "army" : "fleet");
      title.append(
        symbol(way.kind),
        way.to.length ? `${way.title} may go to ${way.to.length}:` : `${way.title} can go nowhere.`,
      );
      const goes = element("ul", "goes");
      for (const goal of way.to) {
        const item = element("li");
        const button = element("button", "", nameOf(goal) + " ");
        button.type = "button";
        button.append(element("span", "id", goal));
        button.addEventListener("click", () => show(province(goal)));
        item.append(button);
        goes.append(item);
      }
      out.push(title, goes);
    }
    answer.replaceChildren(...out);
    paint(id, chosen, zoom);
  }
  function paint(id, chosen, zoom) {
    for (const group of svg.querySelectorAll(".here,.ra,.rf")) group.classList.remove("here", "ra", "rf");
    goals.replaceChildren();
    if (!id) return;
    $("p-" + id).classList.add("here");
    for (const { texts, of } of lettering) if (of.includes(id)) for (const text of texts) text.classList.add("here");
    const marks = new Map();
    for (const way of chosen)
      for (const goal of way.to) {
        $("p-" + province(goal)).classList.add(way.kind === "A" ? "ra" : "rf");
        const key = goal + way.kind;
        if (!marks.has(key)) marks.set(key, { goal, kind: way.kind });
      }
    const double = new Set([...marks.values()].filter((m) => m.kind === "A").map((m) => m.goal));
    for (const { goal, kind } of marks.values()) {
      const use = document.createElementNS(NS, "use");
      const spot = spotOf(goal);
      const shift = double.has(goal) && marks.has(goal + "F") ? (kind === "A" ? -9 : 9) : 0;
      use.setAttribute("href", "#u-" + kind);
      use.setAttribute("class", kind);
      use.setAttribute("transform", `translate(${spot[0] + shift} ${spot[1]}) scale(.8)`);
      goals.append(use);
    }
    if (zoom) {
      const boxes = [id, ...[...marks.values()].map((m) => province(m.goal))].map((p) => $("p-" + p).getBBox());
      // province outlines are drawn at ten times the scale
      const left = Math.min(...boxes.map((b) => b.x)) / 10;
      const top = Math.min(...boxes.map((b) => b.y)) / 10;
      const right = Math.max(...boxes.map((b) => b.x + b.width)) / 10;
      const bottom = Math.max(...boxes.map((b) => b.y + b.height)) / 10;
      look(
        (left + right) / 2,
        (top + bottom) / 2,
        Math.max(right - left, 320) * 1.08,
        Math.max(bottom - top, 240) * 1.08,
      );
    }
  }
  const spotOf = (at) => {
    const [id, coast] = at.split("/");
    return (coast && places[id].coasts[coast]) || places[id].at;
  };
  function reset() {
    current = null;
    input.value = "";
    clear.hidden = true;
    open(false);
    history.replaceState(null, "", location.pathname + location.search);
    answer.replaceChildren(hint);
    paint(null, [], false);
    lookAtAll();
  }

  // The view: zoom, drag, pinch
  const full = svg.getAttribute("viewBox").split(" ").map(Number);
  let view = [...full];
  let running = 0;
  svg.setAttribute("preserveAspectRatio", "xMidYMid meet");
  function put(next) {
    const most = shape(full[2], full[3])[0] * 1.05; // the whole map, with a little air
    const w = Math.min(most, Math.max(120, next[2]));
    const h = next[3] * (w / next[2]);
    const bound = (low, size, whole) => (size >= whole ? (whole - size) / 2 : Math.min(whole - size, Math.max(0, low)));
    view = [bound(next[0], w, full[2]), bound(next[1], h, full[3]), w, h];
    svg.setAttribute("viewBox", view.map((n) => n.toFixed(1)).join(" "));
  }
  function shape(w, h) {
    // the smallest view of the window's form that holds w by h
    const ratio = map.clientWidth / Math.max(1, map.clientHeight);
    return w / h > ratio ? [w, w / ratio] : [h * ratio, h];
  }
  function look(x, y, w, h) {
    const [tw, th] = shape(w, h);
    const target = [x - tw / 2, y - th / 2, tw, th];
    const from = [...view];
    const start = performance.now();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const turn = ++running;
    const step = (now) => {
      if (turn !== running) return;
      const t = still ? 1 : Math.min(1, (now - start) / 260);
      const e = t * t * (3 - 2 * t);
      put(from.map((v, i) => v + (target[i] - v) * e));
      if (t < 1) requestAnimationFrame(step);
    };
    step(still ? start + 1e6 : start);
    if (!still) requestAnimationFrame(step);
  }
  const lookAtAll = () => look(full[2] / 2, full[3] / 2, full[2], full[3]);
  function zoom(factor, x = view[0] + view[2] / 2, y = view[1] + view[3] / 2) {
    running++;
    put([x - (x - view[0]) * factor, y - (y - view[1]) * factor, view[2] * factor, view[3] * factor]);
  }
  function toMap(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [point.x, point.y];
  }
  map.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoom(Math.exp(event.deltaY * 0.0015), ...toMap(event));
    },
    { passive: false },
  );
  const fingers = new Map();
  let moved = 0;
  svg.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) moved = 0;
  });
  addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const scale = view[2] / map.clientWidth;
    const dx = event.clientX - last.clientX;
    const dy = event.clientY - last.clientY;
    moved += Math.abs(dx) + Math.abs(dy);
    if (fingers.size === 1 && moved > 6) {
      running++;
      put([view[0] - dx * scale, view[1] - dy * scale, view[2], view[3]]);
    } else if (fingers.size === 2) {
      const other = [...fingers.values()].find((f) => f.pointerId !== event.pointerId);
      const before = Math.hypot(last.clientX - other.clientX, last.clientY - other.clientY);
      const after = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
      zoom(before / Math.max(1, after), ...toMap(other));
    }
    fingers.set(event.pointerId, event);
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, (event) => fingers.delete(event.pointerId));
  svg.addEventListener("click", (event) => {
    if (moved > 6) return;
    const group = event.target.closest("[id^='p-']");
    if (group) show(group.id.slice(2), false);
  });
  for (const button of document.querySelectorAll("[data-zoom]"))
    button.addEventListener("click", () => {
      const how = button.dataset.zoom;
      how === "all" ? lookAtAll() : zoom(how === "in" ? 0.7 : 1.4);
    });
  map.addEventListener("keydown", (event) => {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (way) {
      event.preventDefault();
      const from = current ? places[current].at : [full[2] / 2, full[3] / 2];
      /** @type {string | null} */
      let best = null;
      let least = Infinity;
      for (const [id, place] of Object.entries(places)) {
        const dx = place.at[0] - from[0];
        const dy = place.at[1] - from[1];
        const ahead = dx * way[0] + dy * way[1];
        const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
        if (
          id !== current &&
          (ahead > 0 || !current) &&
          ahead + 2.2 * aside < least &&
          aside <= 2 * Math.abs(ahead) + (current ? 0 : 1e9)
        ) {
          least = ahead + 2.2 * aside;
          best = id;
        }
      }
      if (best) show(best);
    } else if (event.key === "+" || event.key === "=") zoom(0.7);
    else if (event.key === "-") zoom(1.4);
    else if (event.key === "0") lookAtAll();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== input) {
      event.preventDefault();
      input.focus();
    } else if (event.key === "Escape") reset();
  });
  addEventListener("resize", () => {
    const [w, h] = shape(view[2], view[3]);
    put([view[0], view[1], w, h]);
  });
  addEventListener("hashchange", () => show(decodeURIComponent(location.hash.slice(1))));
  const [w, h] = shape(full[2], full[3]);
  put([(full[2] - w) / 2, (full[3] - h) / 2, w, h]);
  if (location.hash.length > 1) show(decodeURIComponent(location.hash.slice(1)));
})();
