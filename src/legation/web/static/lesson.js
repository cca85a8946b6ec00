// A lesson or a puzzle: orders by tapping or typing, and what came of them on the map until the next order.

import { OrderEntry, partsOfPage } from "./orders.js";
import { buttons, point } from "./outcomes.js";
import { chart } from "./page-map.js";
import { openPanel } from "./panel.js";

const $ = (id) => document.getElementById(id);
const turn = JSON.parse($("turn").textContent);
const { svg, last } = JSON.parse($("state").textContent);

async function check(text) {
  const answer = await fetch(turn.check, { method: "POST", body: new URLSearchParams({ text }) });
  return answer.ok ? answer.json() : null;
}

const parts = partsOfPage();
const entry = new OrderEntry(chart, turn, parts, check);
if (parts.text.value) entry.ask(true);

let after = Boolean(last); // the result is shown until somebody orders again
function show(result) {
  after = result;
  chart.show(result ? last : svg);
  result ? chart.draft([]) : entry.draw();
}
if (after) show(true);
chart.addEventListener("pick", () => after && show(false));
parts.text.addEventListener("input", () => after && show(false));
document.querySelector(".results")?.addEventListener("click", (event) => {
  const row = event.target.closest("tr[data-order]");
  if (!row || event.target.closest("a")) return;
  if (!after) show(true);
  point(chart, document, row);
});
buttons(document);

openPanel(chart, () => (entry.chosen ? [entry.chosen.place] : []));
chart.lookAt(turn.view);
window.legation = { chart, entry };
document.documentElement.dataset.ready = "yes";
