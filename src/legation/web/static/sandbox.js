// The sandbox: the live map, orders of all powers by tapping or typing, the last turn on the map, a draft that outlives the page.

import { showBranches } from "./branches.js";
import { pause } from "./map.js";
import { OrderEntry, partsOfPage } from "./orders.js";
import { buttons, enact, point } from "./outcomes.js";
import { chart } from "./page-map.js";
import { openPanel } from "./panel.js";
import { Placing } from "./placing.js";

const A_TURN = 2600; // milliseconds in which a turn is shown to happen
const $ = (id) => document.getElementById(id);
const turn = JSON.parse($("turn").textContent);
const state = JSON.parse($("state").textContent).svg;

async function check(text) {
  const answer = await fetch(`/sandbox/${turn.name}/check`, { method: "POST", body: new URLSearchParams({ text }) });
  return answer.ok ? answer.json() : null;
}

await pause();
const parts = partsOfPage();
const entry = new OrderEntry(chart, turn, parts, check);

const last = $("show-last"); // where a turn led here
if (turn.phase !== "Movement")
  chart.seek(Object.keys(chart.lit ?? {}), false); // what is to be done may lie beside what was looked at before
else if (!last && !sessionStorage.getItem("carried sheet")) {
  const units = [...entry.units.keys()]; // of another position, too
  if (units.filter((place) => chart.shows(place)).length * 2 < units.length) chart.seek(units, false);
}

const draft = "draft " + turn.name; // stays when it is judged: a step back finds the orders as they were written
entry.addEventListener("change", () => {
  parts.text.value ? localStorage.setItem(draft, parts.text.value) : localStorage.removeItem(draft);
});
const kept = localStorage.getItem(draft);
if (kept) parts.text.value = kept;

// A sheet that was carried here from a game; an old one was meant for a page that never came.
const carried = JSON.parse(sessionStorage.getItem("carried sheet") ?? "null");
sessionStorage.removeItem("carried sheet");
if (carried && Date.now() - carried.at < 60_000 && !parts.text.value) parts.text.value = carried.text;
if (parts.text.value) entry.ask(true);

// The turn that led here
/** @type {string | null} */
let before = null;
async function showLast(yes) {
  if (yes && !before) before = await fetch(last.dataset.last).then((answer) => answer.text());
  chart.show(yes ? before : state);
  if (yes) {
    chart.draft([]);
    chart.light({});
  } else {
    entry.draw();
    entry.rest();
  }
  for (const picture of chart.pictures) picture.classList.remove("one");
  last.setAttribute("aria-pressed", String(yes));
}
// What was judged is seen first, and happens once.
async function first() {
  await showLast(true);
  entry.say("The last turn, as it was judged. Tap the map to go on.");
  const name = "judged " + turn.name;
  if (sessionStorage.getItem(name)) return;
  sessionStorage.setItem(name, "yes");
  while (!chart.painted) await new Promise((done) => setTimeout(done, 50));
  const goesOn = () => last.getAttribute("aria-pressed") === "true";
  await enact(chart, JSON.parse($("steps").textContent), A_TURN, goesOn);
}
if (last && !parts.text.value) first();

last?.addEventListener("click", () => showLast(last.getAttribute("aria-pressed") !== "true"));
document.querySelector(".results")?.addEventListener("click", async (event) => {
  const row = event.target.closest("tr[data-order]");
  if (!row || event.target.closest("a")) return;
  if (last.getAttribute("aria-pressed") !== "true") await showLast(true);
  point(chart, document, row);
});
buttons(document);

// A position of one's own
const placing = new Placing(chart, entry, parts, turn, state);
$("place").addEventListener("click", async () => {
  if (last?.getAttribute("aria-pressed") === "true") await showLast(false);
  placing.start();
});

chart.addEventListener("pick", () => {
  if (last?.getAttribute("aria-pressed") === "true") showLast(false);
});
if ($("turns") || turn.before === "")
  showBranches(turn, $("turns") ?? $("panel").querySelector("details:last-of-type"));
$("copy-link").addEventListener("click", async ({ target }) => {
  await navigator.clipboard.writeText(location.href);
  target.textContent = "Copied";
});

openPanel(chart, () => (entry.chosen ? [entry.chosen.place] : []));
window.legation = { chart, entry, placing };
document.documentElement.dataset.ready = "yes";
