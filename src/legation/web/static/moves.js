// The browser of moves: the page answers by itself; this lights the answer up on the map, and lets the map ask.

import { province } from "./choices.js";
import { chart } from "./page-map.js";

const form = document.getElementById("ask");
const input = form.elements.place;
const answer = document.getElementById("answer");
const here = location.pathname;

function mark(zoom) {
  const article = answer.querySelector("[data-found]");
  const lit = {};
  if (article) {
    for (const list of article.querySelectorAll(".places"))
      for (const goal of list.querySelectorAll("[data-at]")) {
        const id = province(goal.dataset.at);
        const cls = list.dataset.kind === "A" ? "for-army" : "for-fleet";
        lit[id] = lit[id] && lit[id] !== cls ? "for-both" : cls;
      }
    lit[article.dataset.found] = "here";
    if (zoom) chart.lookAt(Object.keys(lit));
  }
  chart.light(lit);
}

async function ask(place, { remember = true, zoom = true } = {}) {
  const query = new URLSearchParams({ place });
  const got = await fetch(`${here}?${query}&part=true`);
  if (!got.ok) return;
  const html = await got.text();
  const inside = answer.contains(document.activeElement);
  answer.innerHTML = html;
  const article = answer.querySelector("[data-found]");
  if (inside) (answer.querySelector("a, button") || input).focus();
  if (article) input.value = chart.name(article.dataset.found);
  if (remember) history.pushState(null, "", place ? `${here}?${query}` : here);
  mark(zoom);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask(input.value);
});
input.addEventListener("change", () => {
  if (Object.values(chart.places).some((place) => place.name === input.value)) ask(input.value);
});
input.addEventListener("focus", () => input.select());
answer.addEventListener("click", (event) => {
  const link = event.target.closest("[data-go]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  ask(link.dataset.go);
});
chart.addEventListener("pick", (event) => ask(event.detail.place, { zoom: false }));
chart.addEventListener("back", () => {
  input.value = "";
  ask("");
});
addEventListener("popstate", () => ask(new URLSearchParams(location.search).get("place") || "", { remember: false }));
addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== input) {
    event.preventDefault();
    input.focus();
  }
});
mark(true);
document.documentElement.dataset.ready = "yes";
