// A page that waits: for a game to begin, or for a turn to be judged. It goes on by itself when that has happened.

import { follow } from "./live.js";

const { game, seen, then } = document.querySelector("[data-waits]").dataset;
const chosen = () =>
  [...document.querySelectorAll("main select")].some(
    (select) => select.selectedIndex > 0 && !select.querySelector("option[selected]"),
  );
const AGAIN = 2000; // milliseconds after which a server that did not answer is asked again
const SOON = 800; // milliseconds after a judgment in which the next turn opens, too
let after = seen;
let leaving = false;
/** @type {number | undefined} */
let again;

async function look() {
  clearTimeout(again);
  const answer = await fetch(`/games/${game}/news?after=${after}`).catch(() => null);
  if (!answer || answer.status >= 500) again = setTimeout(look, AGAIN);
  if (!answer?.ok) return;
  const news = await answer.json();
  after = news.last;
  if (news.judged && !leaving) setTimeout(() => location.assign(then), SOON);
  leaving ||= news.judged; // further news of the same judgment would call the next page off, and ask for it again
  if (leaving) return;
  if (news.lines.length && then === location.pathname && !chosen()) location.reload(); // somebody has joined, say
}

follow(game, () => after, look);
