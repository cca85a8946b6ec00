/**
 * What tests have pages run and tell, by name (`IN_PAGES` in visiting.py).
 */

export const misses = () => {
  // Spots beside a unit that hit a place without one: [x, y, unit meant, place hit, where a unit would stand there].
  const { chart, entry } = legation;
  const view = chart.svg.getScreenCTM();
  const found = [];
  const spot = (at) => {
    const p = new DOMPoint(...chart.spot(at)).matrixTransform(view);
    return [p.x, p.y];
  };
  for (const place of entry.units.keys())
    for (let angle = 0; angle < 6.2; angle += 0.4) {
      const [x, y] = spot(place);
      const [a, b] = [x + 15 * Math.cos(angle), y + 15 * Math.sin(angle)];
      const hit = document.elementFromPoint(a, b)?.closest(".sheet-of-map [data-at]")?.dataset.at;
      if (!hit || entry.units.has(hit)) continue;
      const near = [...entry.units.keys()].map((at) => [Math.hypot(spot(at)[0] - a, spot(at)[1] - b), at]).sort()[0];
      const own = Math.hypot(spot(hit)[0] - a, spot(hit)[1] - b);
      if (near[0] < 20 && own > near[0] + 4) found.push([a, b, near[1], hit, ...spot(hit)]);
    }
  return found;
};

export const linesOf = (drawn) =>
  [...document.querySelectorAll("[data-slot=lit] > " + drawn)].map((e) => {
    const style = getComputedStyle(e);
    return [style.fill, style.stroke, parseFloat(style.strokeWidth)];
  });

export const veil = () => {
  const style = getComputedStyle(document.querySelector("[data-slot=lit] > .veil"));
  return [Number(style.fillOpacity), style.maskImage];
};

export const colors = () =>
  [...document.querySelectorAll("[data-slot=control] use[class]")].map((e) => getComputedStyle(e).fill);

export const parsedBoth = async ([map, board]) => {
  // A board by the quick parser and by the strict one, as texts.
  const { rootOf } = await import(map);
  const text = await (await fetch(board)).text();
  const written = (root) => new XMLSerializer().serializeToString(root);
  return [rootOf(text), new DOMParser().parseFromString(text, "image/svg+xml").documentElement].map(written);
};

export const measured = (board) => {
  // Boxes and lengths of the paths on the page, and of those of a board, by id.
  const box = document.createElement("div");
  box.innerHTML = board;
  document.body.append(box);
  const measure = (path) => {
    const { x, y, width, height } = path.getBBox();
    return [x, y, width, height, path.getTotalLength()];
  };
  const sizes = (root) => [...root.querySelectorAll("path[id]")].map((path) => [path.id, measure(path)]);
  return [Object.fromEntries(sizes(legation.chart.svg)), Object.fromEntries(sizes(box))];
};

export const folded = () => {
  // The ids of a map's parts, of those with names, and the size of the largest part.
  const { chart } = legation;
  for (const picture of chart.pictures)
    for (const group of picture.children) if (["defs", "g"].includes(group.tagName)) chart.fold(group);
  const ids = (parts) => parts.flatMap(([, part]) => part.map((child) => child.id)).filter(Boolean);
  const sizes = [...chart.coming, ...chart.named].map(([, part]) =>
    part.reduce((all, child) => all + 1 + child.getElementsByTagName("*").length, 0),
  );
  return [ids(chart.coming), ids(chart.named), Math.max(...sizes)];
};

export const shownAgain = ([empty, full]) => {
  // What stays when another state is shown.
  const { chart } = legation;
  const names = () => [...chart.slot("names").children, ...chart.slot("units").querySelectorAll(".names > *")];
  const before = names();
  chart.show(full);
  const held = chart.slot("control").querySelector('[href="#s-par"]');
  const there = [names().map((name) => [name.id, name.getAttribute("class")]), held.getAttribute("class")];
  chart.show(empty);
  const stay = names().every((name) => before.includes(name)) && names().length === before.length;
  return [...there, stay, held === chart.slot("control").querySelector('[href="#s-par"]')];
};

export const violations = async ([rules, shown]) => {
  // What axe finds. Of the dark page on a phone (`shown`) it looks at what shows there alone: all else has the colors
  // that it has on a desk, over what it lies over in the light.
  const places = [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility());
  const further = places.filter((element) => !element.axeLooked);
  for (const element of shown ? [] : places) element.axeLooked = true;
  if (shown && !further.length) return [];
  const options = { runOnly: rules, resultTypes: ["violations"], preload: false };
  const found = await axe.run(shown ? { include: further } : document, options);
  const told = (node) => node.html.slice(0, 140) + " | " + node.failureSummary.slice(0, 200);
  return found.violations.map((fault) => fault.id + ": " + fault.nodes.slice(0, 3).map(told));
};

export const seatKeys = async () => {
  // How many keys of seats the browser holds.
  if (!(await indexedDB.databases()).some((known) => known.name === "legation")) return 0;
  const database = await new Promise((done) => {
    const asked = indexedDB.open("legation");
    asked.onsuccess = () => done(asked.result);
  });
  const keys =
    database.objectStoreNames.contains("seat keys") &&
    (await new Promise((done) => {
      const asked = database.transaction("seat keys").objectStore("seat keys").count();
      asked.onsuccess = () => done(asked.result);
    }));
  database.close();
  return Number(keys);
};

export const countAsking = () => {
  window.asked = 0;
  const ask = Notification.requestPermission;
  Notification.requestPermission = () => {
    window.asked++;
    return ask.call(Notification);
  };
};

export const shownNotification = async () => {
  // The first notification that the browser shows within two seconds: its title, text and where it leads.
  const worker = await navigator.serviceWorker.ready;
  for (let i = 0; i < 20; i++) {
    const all = await worker.getNotifications();
    if (all.length) return [all[0].title, all[0].body, all[0].data.url];
    await new Promise((again) => setTimeout(again, 100));
  }
  return null;
};

export const clicked = async () => {
  // What a click on the first notification opens, and how many are left; no click of a person's, so it is only noted.
  const opened = [];
  clients.openWindow = async (address) => opened.push(new URL(address).pathname);
  const [notification] = await registration.getNotifications();
  const click = new NotificationEvent("notificationclick", { notification });
  click.waitUntil = () => {};
  dispatchEvent(click);
  for (let i = 0; i < 500 && !opened.length; i++) await new Promise((again) => setTimeout(again, 20));
  return [opened, (await registration.getNotifications()).length];
};

export const focused = () => {
  const at = document.activeElement;
  const clean = (text) => (text || "").replace(/\s+/g, " ").trim();
  if (!at || at === document.body) return null;
  const by = at.getAttribute("aria-labelledby");
  const [box] = at.getClientRects();
  const style = getComputedStyle(at);
  const name =
    at.ariaLabel ||
    (by && document.getElementById(by)?.textContent) ||
    at.labels?.[0]?.textContent ||
    at.textContent ||
    at.value ||
    at.id;
  const x = box && Math.max(1, Math.min(innerWidth - 2, box.left + box.width / 2));
  const y = box && Math.max(1, Math.min(innerHeight - 2, box.top + box.height / 2));
  const top = box && document.elementFromPoint(x, y);
  return {
    name: clean(name),
    inside: Boolean(at.closest("main")),
    html: at.outerHTML.slice(0, 120),
    // the parts of a date are marked by the browser, inside
    marked: /^date/.test(at.type) || (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1),
    seen: Boolean(top) && (at.contains(top) || top.contains(at)),
  };
};

export const spotOnSheet = ([lon, lat]) => {
  const { table } = globalThis;
  const [x, y] = table.sheet.onSheet(table.projection.place([lon, lat]));
  const box = document.getElementById("sheet").getBoundingClientRect();
  const cross = table.sheet.cross;
  const inWindow = ([left, top]) => [box.left + left, box.top + top];
  return { at: inWindow([x, y]), cross: cross && inWindow(table.sheet.onSheet(cross)) };
};

export const coveredHeads = () => {
  // How many heads of arrows lie below other units.
  const units = [...document.querySelectorAll(".chart .u > use")];
  const meets = (head, use) =>
    [...head.querySelectorAll("path")].some((path) => {
      const { left, right, top, bottom } = use.getBoundingClientRect();
      const points = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => path.getPointAtLength((path.getTotalLength() * n) / 8));
      return points
        .map((point) => point.matrixTransform(path.getScreenCTM()))
        .some(({ x, y }) => Math.hypot(x - (left + right) / 2, y - (top + bottom) / 2) < (right - left) * 0.4);
    });
  const at = (part) => part.closest("[data-at]").dataset.at;
  const heads = [...document.querySelectorAll("[data-way]")];
  return heads.filter((head) => units.some((use) => at(use) !== at(head) && meets(head, use))).length;
};

export const waysTo = (goal) => {
  // The keys that lead toward a place; none where the walk is there.
  const { chart } = legation;
  const to = chart.places[goal].at;
  const from = chart.walker && chart.places[chart.walker].at;
  if (chart.walker === goal) return [];
  if (!from) return ["ArrowDown"];
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const across = dx > 0 ? "ArrowRight" : "ArrowLeft";
  const down = dy > 0 ? "ArrowDown" : "ArrowUp";
  return Math.abs(dx) > Math.abs(dy) ? [across, down] : [down, across];
};

export const editedOften = async ([from, to]) => {
  // Edits of a province at the drawing table, from the one number to the other.
  const main = document.querySelector('script[src*="table.js"]').src;
  const { setCells, setPoints } = await import(main.replace("table.js", "board.js"));
  const [id] = table.provinces.keys();
  for (let i = from; i < to; i++) {
    const { document: made } = table;
    const points = [[-1.6 - (i % 7) / 100, 52.6]];
    table.change("edit " + i, i % 2 ? setPoints(made, id, points) : setCells(made, id, { name: "M " + i }));
    table.drag({ kind: "point", id, i: 0, at: [300 + (i % 40), 500] }, true);
    table.drag(null);
    if (i % 5 === 0) await new Promise((done) => setTimeout(done));
  }
  await table.keeper.now();
};
