// The desk as it is now: when something happens in a game, the parts of the page that tell of it are fetched anew. What is being written stays, and so does the place of the keyboard.

import { tell } from "./times.js";

const { page, watch, seen } = document.querySelector("[data-watch]").dataset;
const games = watch.split(" ").filter(Boolean).slice(0, 4); // browsers hold few connections to one site
const controls = (part) => [...part.querySelectorAll("a, button, input, select, summary")];
const name = (control) => control.ariaLabel || control.textContent;
let asked = 0;
let streams = [];
let last = seen; // the line of the journal up to which the page tells

async function refresh() {
  const turn = ++asked;
  const answer = await fetch(page).catch(() => null);
  if (!answer?.ok || turn !== asked) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  last = fresh.querySelector("[data-seen]")?.dataset.seen ?? last;
  for (const part of document.querySelectorAll("[data-live]")) {
    const now = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
    const here = part.contains(document.activeElement) && document.activeElement;
    if (!now) continue;
    part.replaceChildren(...now.childNodes);
    tell(part);
    if (here)
      (
        controls(part).find((control) => name(control) === name(here)) ||
        controls(part)[0] ||
        document.querySelector("main a")
      )?.focus();
  }
}

function listen() {
  for (const stream of streams) stream.close();
  streams = document.hidden ? [] : games.map((game) => new EventSource(`/games/${game}/live?after=${last}`));
  for (const stream of streams) stream.addEventListener("news", refresh);
}
listen();
document.addEventListener("visibilitychange", () => {
  listen();
  if (!document.hidden) refresh();
});
document.documentElement.dataset.ready = "yes";
