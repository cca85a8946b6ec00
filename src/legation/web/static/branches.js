// The turns of a sandbox as a tree: what was tried from each position. This browser keeps it; the server knows of each
// position only where it came from.

const KEPT = "sandbox tree";
const MOST = 400; // positions that are kept

/** @typedef {Record<string, [before: string, turn: string, led: string]>} Known  by the position's name */

/** Note a position and show its tree in a box, once there is more than one way. @param {{name: string, before: string, turn: string, led: string}} here @param {HTMLElement} after */
export function showBranches({ name, before, turn, led }, after) {
  /** @type {Known} */
  const known = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  delete known[name];
  known[name] = [before, turn, led];
  const kept = Object.fromEntries(Object.entries(known).slice(-MOST));
  localStorage.setItem(KEPT, JSON.stringify(kept));
  let root = name;
  while (kept[kept[root][0]]) root = kept[root][0];
  const next = (at) => Object.keys(kept).filter((other) => kept[other][0] === at);
  const branches = Object.keys(kept).some((at) => next(at).length > 1 && within(at));
  function within(at) {
    while (at !== root && kept[at]) at = kept[at][0];
    return at === root;
  }
  if (!branches) return;
  const box = document.createElement("details");
  box.append(Object.assign(document.createElement("summary"), { textContent: "All that was tried" }), list([root]));
  after.after(box);

  function list(names) {
    const made = document.createElement("ol");
    made.className = "branches";
    for (const at of names) made.append(...line(at));
    return made;
  }

  // A position, and those after it: in line while there is one way, set in where there are several.
  function line(at) {
    const item = document.createElement("li");
    const [, turned, orders] = kept[at];
    const link = Object.assign(document.createElement(at === name ? "strong" : "a"), { textContent: turned });
    link.className = "line-link";
    if (link instanceof HTMLAnchorElement) link.href = `/sandbox/${at}`;
    item.append(link, Object.assign(document.createElement("span"), { className: "soft small", textContent: orders }));
    const then = next(at);
    if (then.length > 1) item.append(list(then));
    return then.length === 1 ? [item, ...line(then[0])] : [item];
  }
}
