// Openings on the live map: the chosen line, and that of the row that is pointed at.

import { chart } from "./page-map.js";

const chosen = JSON.parse(document.getElementById("state").textContent).svg;
const known = new Map();
let wanted = "";

function ask(line) {
  if (!known.has(line)) {
    const query = new URLSearchParams(location.search);
    query.set("line", line);
    known.set(
      line,
      fetch(`${location.pathname}/state.svg?${query}`).then((answer) => (answer.ok ? answer.text() : chosen)),
    );
  }
  return known.get(line);
}

async function show(line) {
  wanted = line;
  const state = line ? await ask(line) : chosen;
  if (wanted === line) chart.show(state);
}

for (const row of document.querySelectorAll("[data-line]")) {
  for (const event of ["pointerenter", "focusin"]) row.addEventListener(event, () => show(row.dataset.line));
  for (const event of ["pointerleave", "focusout"]) row.addEventListener(event, () => show(""));
}
document.documentElement.dataset.ready = "yes";
