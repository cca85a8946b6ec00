// The page of a game: the map with the own sheet (own-sheet.js) or with the results of a turn (time-machine.js), notes and
// letters, and what happens meanwhile.

import { province } from "./choices.js";
import { $, announce, chart, facts, here, store } from "./game-page.js";
import { follow as listen } from "./live.js";
import { pause } from "./map.js";
import { placesOf } from "./outcomes.js";
import { openPanel } from "./panel.js";
import { signWords } from "./words.js";

const SOON = 800; // milliseconds after a judgment in which the next turn opens, too

// No orders are given here: a tap tells what it hit, and on the page of orders why none can be.
function look() {
  const units = new Map((facts.live?.units ?? []).map(([kind, at, power]) => [province(at), { kind, power }]));
  chart.describe = (place) => {
    const unit = units.get(place);
    return unit
      ? `${chart.name(place)}: ${facts.live.kinds[unit.kind]} of ${facts.live.powers[unit.power]?.called || unit.power}`
      : chart.name(place) + chart.sight(place);
  };
  const why = $("no-orders")?.textContent.trim().replace(/\s+/g, " ");
  chart.addEventListener("pick", ({ detail: { place } }) => {
    if (why) $("status").textContent = `${chart.describe(place)}. ${why}`;
    else chart.tell(chart.describe(place));
  });
  chart.addEventListener("back", () => (why ? $("status").replaceChildren() : chart.say("")));
}

// Notes to oneself: of this browser, for all turns of the game

function notes(box) {
  const name = `notes ${facts.game} ${facts.power}`;
  const written = box.querySelector("textarea");
  const hint = box.querySelector(".hint");
  written.value = localStorage.getItem(name) ?? "";
  box.open = written.value !== "";
  written.addEventListener("input", () => {
    if (!written.value) localStorage.removeItem(name);
    else if (!store(name, written.value)) hint.textContent = "This browser has no room to keep your notes.";
  });
}
if ($("notes-box")) notes($("notes-box"));

// The keys that open the own copies of what was sent: the receipt left them in this browser.
for (const form of document.querySelectorAll("form.reading")) {
  const key = localStorage.getItem(`reading ${form.dataset.submission}`);
  const field = form.elements.reading_key;
  if (key && field) {
    field.value = key;
    field.parentElement.hidden = true;
  }
}

// A letter that is being written is kept until it stands among those that were sent.

function letter() {
  const text = $("letter");
  const whom = text.form.dataset.with;
  const name = `letter ${facts.game} ${facts.power}${whom && " to " + whom}`;
  const boxes = [...text.form.querySelectorAll("input[type=checkbox][name=to]")];
  const chosen = `addressees ${facts.game} ${facts.power}`;
  const plain = (written) => written.trim().replace(/\s+/g, " ");
  const alike = (written) =>
    [...document.querySelectorAll(".letter-text")].filter((sent) => plain(sent.textContent) === plain(written)).length;
  const sending = JSON.parse(sessionStorage.getItem("sending letter") ?? "null");
  sessionStorage.removeItem("sending letter");
  if (sending && alike(sending.text) > sending.before && localStorage.getItem(sending.name) === sending.text)
    for (const one of [sending.name, sending.chosen]) localStorage.removeItem(one);
  text.value ||= localStorage.getItem(name) ?? "";
  text.addEventListener("input", () => store(name, text.value));
  const theirs = JSON.parse(localStorage.getItem(chosen) ?? "[]");
  if (!boxes.some((box) => box.checked)) for (const box of boxes) box.checked = theirs.includes(box.value);
  for (const box of boxes)
    box.addEventListener("change", () =>
      store(chosen, JSON.stringify(boxes.filter(({ checked }) => checked).map(({ value }) => value))),
    );
  text.form.addEventListener("submit", () =>
    sessionStorage.setItem(
      "sending letter",
      JSON.stringify({ name, chosen, text: text.value, before: alike(text.value) }),
    ),
  );
  if (document.querySelector(".conversation")) {
    const show = () => text.form.scrollIntoView({ block: "nearest" }); // below the last letter
    show();
    document.fonts.ready.then(show); // letters are higher in their own font
  }
}

/** @type {() => boolean} whether the next turn may take the place of what is shown */
let waits = () => Boolean(facts.live);
if (facts.live && $("orders") && $("by-list") && $("undo")) {
  const { openSheet } = await import("./own-sheet.js");
  const unsent = openSheet();
  waits = () => !unsent();
} else if (facts.turns) waits = (await import("./time-machine.js")).openTurns();
else look();
if ($("letter")) letter();

await pause();
openPanel(chart, () => {
  const { entry } = window.legation;
  if (!entry) return placesOf(chart, document.querySelector(".results .chosen"));
  const own = [...entry.units].filter(([, unit]) => unit.choices.length).map(([place]) => place);
  return entry.chosen ? [entry.chosen.place] : own;
});

// What happened in the last turn stands first, and open until it was seen.
const since = $("since");
if (since) {
  const last = `seen ${facts.game}`;
  since.open = localStorage.getItem(last) !== since.dataset.turn;
  localStorage.setItem(last, since.dataset.turn);
}

// What happens meanwhile

let seen = facts.seen;
let leaving = false;
let unread = Number(document.querySelector(".count")?.firstChild?.textContent || 0);

async function news() {
  let reply;
  try {
    const answer = await fetch(`${here}/news?after=${seen}`);
    if (!answer.ok) return;
    reply = await answer.json();
  } catch {
    return;
  }
  if (!reply.stale) seen = reply.last; // what is told of another turn stays, with what comes after it
  const lines = [...reply.lines];
  if (reply.unread > unread)
    lines.push(reply.unread - unread === 1 ? "You have a new letter." : "You have new letters.");
  unread = reply.unread;
  if (!lines.length) return;
  if (reply.judged && waits()) {
    if (!leaving) setTimeout(() => location.assign(`${here}/${facts.present}`), SOON);
    leaving = true; // further news of the same judgment would call the next page off, and ask for it again
    return;
  }
  if (reply.stale) announce(lines.join(" "), "Show the current turn", here);
  else if (lines.some((line) => line.includes("etter"))) announce(lines.join(" "), "Read", `${here}/letters`);
  else announce(lines.join(" "));
}

if (facts.live_updates) listen(facts.game, () => seen, news);

await signWords();
document.documentElement.dataset.ready = "yes";
