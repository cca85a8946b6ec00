// Findings of the designer on the map. A place that a finding names is lit; the finding and its places show each other.

import { chart } from "./page-map.js";

const marked = JSON.parse(document.getElementById("marked").textContent);
const list = document.getElementById("findings");

function show(numbers, zoom) {
  const lit = {};
  for (const [place, numbered] of Object.entries(marked))
    if (!numbers || numbered.some((number) => numbers.includes(number))) lit[place] = "wrong-place";
  chart.light(lit);
  if (zoom && Object.keys(lit).length) chart.lookAt(Object.keys(lit));
}

for (const type of ["click", "focusin"])
  list?.addEventListener(type, (event) => {
    const item = event.target.closest("[data-finding]");
    if (item) show([Number(item.dataset.finding)], true);
  });
chart.addEventListener("pick", (event) => {
  const numbers = marked[event.detail.place] || [];
  show(numbers.length ? numbers : null, false);
  for (const item of list?.children || [])
    item.classList.toggle("chosen", numbers.includes(Number(item.dataset.finding)));
  list?.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
  chart.tell(
    numbers.length === 1
      ? `${chart.name(event.detail.place)}: 1 problem found.`
      : numbers.length
        ? `${chart.name(event.detail.place)}: ${numbers.length} problems found.`
        : `${chart.name(event.detail.place)}: no problems found.`,
  );
});
chart.addEventListener("back", () => show(null, false));
show(null, false);
document.documentElement.dataset.ready = "yes";
