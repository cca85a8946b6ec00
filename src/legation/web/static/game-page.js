// What the scripts of a game's page share: what the page tells them, and the map with what it shows.

import { chart } from "./page-map.js";

export { chart };

export const $ = (id) => document.getElementById(id);
export const facts = JSON.parse($("facts").textContent);
export const here = `/games/${facts.game}`;
export const NARROW = 600; // pixels across the map
export const fresh = !sessionStorage.getItem("view " + $("chart").dataset.board);

window.legation = { chart };

// What the page has to say, above its tabs, with a link.
export function announce(text, words, href) {
  const line = Object.assign(document.createElement("p"), { textContent: text });
  const link = Object.assign(document.createElement("a"), { textContent: words, href });
  if (href) line.append(" ", link);
  $("news").replaceChildren(line);
  $("news").hidden = false;
}

export function signedOut(text) {
  announce(text, "Sign in", `/sign-in?next=${encodeURIComponent(location.pathname)}`);
  return text;
}

export function store(name, value) {
  try {
    localStorage.setItem(name, value);
    return true;
  } catch {
    return false; // no room, or none is given
  }
}
