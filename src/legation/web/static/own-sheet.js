// The own sheet on the page of a game: orders by tapping and typing, and the draft that is kept.

import { province } from "./choices.js";
import { openDrawer } from "./drawer.js";
import { $, chart, facts, fresh, here, NARROW, signedOut, store } from "./game-page.js";
import { leftToOrder, OrderEntry, partsOfPage } from "./orders.js";

const LARGE = 120; // places on a board

/** @returns {() => boolean} whether something is written that was not sent */
export function openSheet() {
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
  const unsent = () => text.value.trim() !== "" && text.value.trim() !== sent().trim();
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
  openDrawer(form, (text) => entry.say(text));

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
  return unsent;
}
