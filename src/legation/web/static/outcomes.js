// Results beside their map: a row shows its order on the map with what decided it, a place on the map shows its order's row.

import { province } from "./choices.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

// What the map has of a row: its order, and the orders that decided it.
function parts(chart, row) {
  const shown = (number) => (number === "" ? [] : chart.parts(`[data-order="${number}"]`));
  return {
    main: shown(row.dataset.order),
    others: row.dataset.decided ? row.dataset.decided.split(" ").flatMap(shown) : [],
  };
}

// The places of a row's order and of those that decided it.
export function placesOf(chart, row) {
  const { main, others } = row ? parts(chart, row) : { main: [], others: [] };
  return [...main, ...others]
    .map((part) => part.dataset.at)
    .filter(Boolean)
    .map(province);
}

// Let an order stand out on the map; without a row, all stand alike again.
function bring(chart, row) {
  const { main, others } = row ? parts(chart, row) : { main: [], others: [] };
  for (const part of chart.parts(".shown")) part.classList.remove("shown");
  for (const part of [...main, ...others]) part.classList.add("shown");
  for (const picture of chart.pictures) picture.classList.toggle("one", main.length > 0);
}

const chosen = (around) => around.querySelector(".results .chosen");

function unchoose(around) {
  for (const row of around.querySelectorAll(".results .chosen")) row.classList.remove("chosen");
}

// Choose a row: its order stands out, comes into view and is read aloud with its result.
export function point(chart, around, row) {
  bring(chart, row);
  unchoose(around);
  row.classList.add("chosen");
  const fold = row.closest("details");
  if (fold) fold.open = true;
  chart.seek(placesOf(chart, row), true, true);
  const told = row.cells[1].cloneNode(true);
  for (const link of told.querySelectorAll("a, .by")) link.remove();
  chart.tell(row.cells[0].textContent + ": " + told.textContent.trim());
}

// Each order becomes a button, for the keyboard.
export function buttons(around) {
  for (const row of around.querySelectorAll(".results tr[data-order]")) {
    const cell = row.cells[0];
    const button = document.createElement("button");
    button.type = "button";
    button.className = "as-text order";
    button.textContent = cell.textContent;
    button.title = "Show it on the map";
    cell.replaceChildren(button);
  }
}

/**
 * Show a turn happen: units go to where they went, and those that were thrown back go half the way and return. Meanwhile
 * no orders are drawn; afterwards they are, and the units stand where they were given.
 * @param {import("./map.js").Chart} chart @param {[from: string, to: string, arrives: boolean][]} steps @param {number} time in milliseconds @param {() => boolean} goesOn
 */
export async function enact(chart, steps, time, goesOn) {
  const moves = steps.flatMap(([from, to, arrives]) => {
    const unit = chart.parts(`.u[data-at="${from}"]:not([data-dislodged])`)[0];
    const base = unit?.getAttribute("transform")?.match(/translate\(([-\d.]+)[ ,]([-\d.]+)\)/);
    if (!base) return [];
    const { start, end } = chart.ends(from, to);
    const way = [0, 1].map((n) => end[n] - start[n]);
    return [{ unit, arrives, way, home: [Number(base[1]), Number(base[2])] }];
  });
  if (!moves.length || still.matches) return;
  const put = (t) => {
    for (const { unit, arrives, way, home } of moves) {
      const far = arrives ? t * t * (3 - 2 * t) : 0.45 * Math.sin(Math.PI * t) ** 2;
      unit.setAttribute("transform", `translate(${home[0] + way[0] * far} ${home[1] + way[1] * far})`);
    }
  };
  chart.layers.classList.add("enacted");
  const start = performance.now();
  for (let t = 0; t < 1 && goesOn(); ) {
    t = Math.min(1, ((await new Promise(requestAnimationFrame)) - start) / time);
    put(Math.max(0, t));
  }
  if (goesOn()) await new Promise((done) => setTimeout(done, time / 4));
  put(0);
  chart.layers.classList.remove("enacted");
}

const rowAt = (chart, around, place) => {
  const [part] = chart.parts(`.o[data-at^="${place}"], [data-order][data-at^="${place}"]`);
  return part && around.querySelector(`.results tr[data-order="${part.dataset.order}"]`);
};

// Rows and map follow each other. A mouse over a row shows its order for as long as it is there; a tap chooses it.
export function follow(chart, around) {
  around.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-order]");
    if (row && !event.target.closest("a")) point(chart, around, row);
  });
  let over = null;
  around.addEventListener("pointerover", (event) => {
    const row = event.pointerType === "mouse" ? event.target.closest("tr[data-order]") : null;
    if (event.pointerType !== "mouse" || row === over) return;
    over = row;
    bring(chart, row || chosen(around));
  });
  around.addEventListener("pointerleave", () => {
    if (over) bring(chart, chosen(around));
    over = null;
  });
  chart.addEventListener("over", ({ detail: { place } }) => {
    const row = place && rowAt(chart, around, place);
    for (const other of around.querySelectorAll(".results .near")) if (other !== row) other.classList.remove("near");
    row?.classList.add("near");
  });
  chart.addEventListener("pick", ({ detail: { place } }) => {
    const row = rowAt(chart, around, place);
    if (row) {
      point(chart, around, row);
      row.scrollIntoView({ block: "nearest" });
    } else chart.tell(`${chart.name(place)}: no order.`);
  });
  chart.addEventListener("back", () => {
    unchoose(around);
    bring(chart, null);
    chart.say("");
  });
  buttons(around);
}
