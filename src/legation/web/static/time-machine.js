// The results of a turn on the page of a game, and the time machine.

import { province } from "./choices.js";
import { $, chart, facts, fresh, here, NARROW, store } from "./game-page.js";
import { buttons, enact, follow } from "./outcomes.js";

const A_TURN = 2600; // milliseconds in which a turn is shown to happen

const kept = new Map();
let at = facts.at;
let steps = facts.steps || [];
let playing = 0;

async function fetched(key) {
  if (!kept.has(key))
    kept.set(
      key,
      fetch(`${here}/${key}/shown.json`).then((answer) => (answer.ok ? answer.json() : null)),
    );
  return kept.get(key);
}

async function go(key, remember = true) {
  if (!playing) playing++; // what plays itself ends
  const shown = key && (await fetched(key));
  if (!shown) return false;
  at = key;
  steps = shown.steps;
  chart.show(shown.svg);
  for (const picture of chart.pictures) picture.classList.remove("one");
  const play = $("play")?.getAttribute("aria-pressed");
  const focused = $("results-part").contains(document.activeElement) && document.activeElement.id;
  $("results-part").outerHTML = shown.html;
  if (play === "true") $("play")?.setAttribute("aria-pressed", "true");
  if (focused !== false)
    [$(focused || "turns"), $("turns")]
      .find((control) => control?.matches("a[href], input, button:not(:disabled)"))
      ?.focus();
  $("turn-name").textContent = shown.name;
  chart.say(""); // it told of an order of the turn before
  chart.told.textContent = [
    shown.name,
    ...[...document.querySelectorAll(".happened li")].map((line) => line.textContent),
  ].join(". ");
  document.title = document.title.replace(/^(.*?), .*? · Legation$/, `$1, ${shown.name} · Legation`);
  if (remember) history.replaceState(null, "", `${here}/${key}`);
  buttons(document);
  const next = facts.turns[facts.turns.findIndex(([name]) => name === key) + 1];
  if (next) fetched(next[0]);
  return true;
}

const beside = (step) => facts.turns[facts.turns.findIndex(([key]) => key === at) + step]?.[0];

async function play() {
  const turn = ++playing;
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  $("play").setAttribute("aria-pressed", "true");
  if (!beside(1)) await go(facts.turns[0][0]);
  while (playing === turn) {
    await pause(700);
    if (playing !== turn) return;
    await enact(chart, steps, A_TURN / 2, () => playing === turn);
    const next = beside(1);
    if (playing !== turn) return;
    if (!next || !(await go(next))) break;
  }
  stop();
}

function stop() {
  playing++;
  const button = $("play");
  button?.setAttribute("aria-pressed", "false");
}

// A turn that is looked at for the first time plays itself once. On a phone the view is of the own units in it.
async function first() {
  const own = steps.filter(([, , , power]) => power === facts.power).flatMap(([from, to]) => [from, to].map(province));
  if (fresh && own.length && chart.wide < NARROW) chart.lookAt(own, true, false);
  const name = `played ${facts.game}`;
  if (localStorage.getItem(name) === at) return;
  store(name, at);
  while (!chart.painted) await new Promise((done) => setTimeout(done, 50));
  const turn = playing;
  await enact(chart, steps, A_TURN, () => playing === turn);
}

/** @returns {() => boolean} whether the last turn is shown */
export function openTurns() {
  first();
  chart.addEventListener("pick", () => playing++);
  const panel = document.querySelector(".panel");
  panel.addEventListener("click", (event) => {
    const link = event.target.closest("#earlier, #later");
    if (event.target.closest("#play")) $("play").getAttribute("aria-pressed") === "true" ? stop() : play();
    else if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      stop();
      go(beside(link.id === "later" ? 1 : -1));
    }
  });
  panel.addEventListener("input", (event) => {
    if (event.target.id !== "turns") return;
    stop();
    go(facts.turns[Number(event.target.value)][0]);
  });
  addEventListener("keydown", (event) => {
    if (
      event.target.closest?.("input, textarea, select, .sheet-of-map") ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step && beside(step)) {
      event.preventDefault();
      stop();
      go(beside(step));
    }
  });
  follow(chart, panel);
  return () => at === facts.turns.at(-1)[0];
}
