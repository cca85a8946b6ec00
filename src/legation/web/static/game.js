// The page of a game: the map with the own sheet or with the results of a turn, the time machine, and what happens meanwhile.

import { province } from "./choices.js";
import { openDrawer } from "./drawer.js";
import { follow as listen } from "./live.js";
import { Chart } from "./map.js";
import { leftToOrder, OrderEntry, partsOfPage } from "./orders.js";
import { buttons, enact, follow, placesOf } from "./outcomes.js";
import { openPanel } from "./panel.js";
import { signWords } from "./words.js";

const $ = (id) => document.getElementById(id);
const facts = JSON.parse($("facts").textContent);
const LARGE = 120; // places on a board
const NARROW = 600; // pixels across the map
const A_TURN = 2600; // milliseconds in which a turn is shown to happen
const SOON = 800; // milliseconds after a judgment in which the next turn opens, too
const here = `/games/${facts.game}`;

const fresh = !sessionStorage.getItem("view " + $("chart").dataset.board);
const chart = await new Chart($("chart")).load();
chart.show(JSON.parse($("state").textContent).svg);
window.legation = { chart };

// What the page has to say, above its tabs, with a link.
function announce(text, words, href) {
  const line = Object.assign(document.createElement("p"), { textContent: text });
  const link = Object.assign(document.createElement("a"), { textContent: words, href });
  if (href) line.append(" ", link);
  $("news").replaceChildren(line);
  $("news").hidden = false;
}

function signedOut(text) {
  announce(text, "Sign in", `/sign-in?next=${encodeURIComponent(location.pathname)}`);
  return text;
}

// The own sheet

let unsent = () => false;

function store(name, value) {
  try {
    localStorage.setItem(name, value);
    return true;
  } catch {
    return false; // no room, or none is given
  }
}

function sheet() {
  const live = facts.live;
  const form = $("orders");
  const text = $("text");
  const saved = $("saved");
  const name = `sheet ${facts.game} ${facts.power} ${live.turn}`;
  const post = (where, fields) =>
    fetch(`${here}/sheet/${where}`, { method: "POST", body: new URLSearchParams(fields) });
  const check = async (written) => {
    const answer = await post("check", { text: written });
    if (answer.status === 401)
      return { refused: signedOut("Your session has ended. Sign in to send your orders; they are still here.") };
    return answer.ok
      ? answer.json()
      : { refused: "Your orders can’t be checked right now. They are kept in this browser." };
  };
  const lent =
    live.lends && (async (place) => (await fetch(`${here}/sheet/lent.json?at=${encodeURIComponent(place)}`)).json());
  const parts = { ...partsOfPage(), lent };
  const entry = (window.legation.entry = new OrderEntry(chart, live, parts, check));

  // On a large board, on a phone and in retreats the first view is of the own units and of where they may go, or of where some may be built.
  const own = [...entry.units].filter(([, unit]) => unit.choices.length);
  const large = Object.keys(chart.places).length > LARGE;
  const goals = large
    ? []
    : own.flatMap(([, unit]) =>
        unit.choices.filter((c) => live.gestures[c[0]].taps === "place").map((c) => province(c[3])),
      );
  const near = own.length ? [...own.map(([place]) => place), ...goals] : [...entry.sites.keys()];
  if (fresh && near.length && (large || live.phase === "Retreats" || chart.wide < NARROW))
    chart.lookAt(near, goals.length > 0);
  else if (live.phase !== "Movement") chart.seek(own.length ? own.map(([place]) => place) : near, false);

  // The draft is kept in this browser, and passed on to the person's other devices (drafts.js). Only a receipt takes it
  // away (receipt.js): then it is the copy of what was sent.
  const copy = `sent ${name}`;
  const sent = () => localStorage.getItem(copy) ?? "";
  unsent = () => text.value.trim() !== "" && text.value.trim() !== sent().trim();
  let last = text.value;
  let theirs = null; // what another tab has kept since, until this one writes
  /** @type {import("./drafts.js").Drafts | undefined} the person's other devices */
  let others;
  const keep = () => {
    if (text.value === last) return;
    last = text.value;
    if (theirs !== null && theirs !== last) store(`${name} in another tab`, theirs);
    theirs = null;
    offer();
    saved.textContent = store(name, last)
      ? "Kept in this browser"
      : "This browser has no room to keep your orders. Send them before you leave.";
    others?.changed();
  };
  entry.addEventListener("change", keep);
  form.addEventListener("submit", (event) => {
    keep();
    if (event.submitter?.id === "ready" && !unsent()) {
      text.disabled = true; // what is on the page is sent already, or there is nothing
      setTimeout(() => {
        text.disabled = false;
      });
    } else
      sessionStorage.setItem("sending", JSON.stringify({ name, of: `${facts.game} ${live.turn}`, text: text.value }));
  });
  openDrawer(form);

  // On a phone the panel is out of the way: what is written can be sent from the map.
  const seal = form.querySelector(".seal-acts .primary");
  const send = seal && Object.assign(seal.cloneNode(true), { hidden: true });
  send?.setAttribute("form", form.id);
  send?.classList.add("to-send");
  if (send) chart.tray.append(send);
  const offer = () => send && Object.assign(send, { hidden: !unsent() });

  // Another tab has changed the draft: it is not taken over without a word, and what this tab writes over stays beside it.
  addEventListener("storage", (event) => {
    if (event.key !== name) return;
    theirs = event.newValue;
    if (theirs === null || theirs === text.value) return;
    choose("Another tab has other orders for this turn. ", () => localStorage.getItem(name) ?? "");
  });
  function choose(words, those) {
    const show = Object.assign(document.createElement("button"), {
      type: "button",
      className: "plain",
      textContent: "Show those",
    });
    show.addEventListener("click", () => replace(those(), ""));
    saved.replaceChildren(words, show);
  }
  function replace(written, said) {
    text.value = last = written;
    theirs = null;
    store(name, written);
    saved.textContent = said;
    offer();
    entry.ask(true);
  }

  // What another device wrote is shown at once where nothing else was written here since.
  const take = (content, before) => {
    store(copy, content.sent);
    const here = JSON.stringify({ text: text.value, sent: content.sent });
    if (!text.value.trim() || (before && text.value === JSON.parse(before).text))
      replace(content.text, "From your other device");
    else if (here !== JSON.stringify(content)) {
      theirs = content.text;
      choose("Your other device has other orders for this turn. ", () => content.text);
    }
  };

  // A draft of a turn that is over never becomes the next turn's; it is shown until its writer throws it away.
  const ofSeat = `sheet ${facts.game} ${facts.power} `;
  for (const old of Object.keys(localStorage)) {
    if (old.startsWith(`sent ${ofSeat}`) && old !== copy) localStorage.removeItem(old);
    if (!old.startsWith(ofSeat) || old === name) continue;
    const box = document.createElement("details");
    const head = document.createElement("summary");
    const words = document.createElement("pre");
    const away = document.createElement("button");
    head.textContent = `Orders for ${old.slice(ofSeat.length)} that you never sent`;
    words.textContent = localStorage.getItem(old);
    words.className = "report";
    Object.assign(away, { type: "button", className: "plain", textContent: "Discard" });
    away.addEventListener("click", () => {
      localStorage.removeItem(old);
      box.remove();
    });
    box.className = "old-draft";
    box.append(head, words, away);
    form.after(box);
  }

  const kept = localStorage.getItem(name) ?? localStorage.getItem(copy);
  if (kept !== null && !text.value) text.value = last = kept;
  // Orders taken from a letter come below the draft: a later order for a unit replaces an earlier one.
  if ("taken" in text.dataset) {
    const before = (last = kept ?? "").split("\n").map((line) => line.trim());
    const taken = text.value.split("\n").filter((line) => !before.includes(line.trim()));
    text.value = [...(last.trim() ? [last.trimEnd()] : []), ...taken].join("\n");
    keep();
  }
  if (text.value) entry.ask(true);
  offer();
  if (window.crypto?.subtle)
    import("./drafts.js").then(({ Drafts }) => {
      others = new Drafts(`${here}/sheet/draft`, live.turn, () => ({ text: text.value, sent: sent() }), take);
      return others.start();
    });

  // What is written so far goes along to the sandbox, in this tab alone.
  $("try-out")?.addEventListener("submit", () =>
    sessionStorage.setItem("carried sheet", JSON.stringify({ text: `${facts.power}\n${text.value}`, at: Date.now() })),
  );

  const tally = $("tally");
  const units = [...entry.units.values()].filter((unit) => unit.choices.length).length;
  const due = live.powers[facts.power] ?? {};
  entry.addEventListener("checked", (event) => {
    const { builds, removals } = event.detail.checked.powers[facts.power] ?? due;
    if (!tally) return;
    if (due.removals) tally.textContent = leftToOrder("remove", removals);
    else if (due.builds) tally.textContent = leftToOrder(entry.builds, builds);
    else if (!["Adjustments", "Placement"].includes(live.phase)) {
      const given = units - event.detail.missing;
      tally.textContent =
        units === 1 ? `${given} of ${units} unit has orders` : `${given} of ${units} units have orders`;
    }
  });
}

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

// The time machine

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

function results() {
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
}

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

if (facts.live && $("orders") && $("by-list") && $("undo")) sheet();
else if (facts.turns) results();
else look();
if ($("letter")) letter();

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
  seen = reply.last;
  const lines = [...reply.lines];
  if (reply.unread > unread)
    lines.push(reply.unread - unread === 1 ? "You have a new letter." : "You have new letters.");
  unread = reply.unread;
  if (!lines.length) return;
  const waits = facts.live ? !unsent() : facts.turns && at === facts.turns.at(-1)[0];
  if (reply.judged && waits) {
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
