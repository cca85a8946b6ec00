/** Leafs through a rehearsal: one entry is shown, by the list, the buttons or the arrow keys; the list by reader and sort. */

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const form = /** @type {HTMLFormElement} */ (document.querySelector("form.choose"));
const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("nav li[data-sort]")]);

/** The reader whose view is chosen; empty for everyone's. */
const reader = () => String(new FormData(form).get("reader") ?? "");

/** Show one of several alike mails: the chosen reader's, or one that is named.
 * @param {HTMLElement} article
 * @param {string} [id] */
function showLeaf(article, id) {
  const leaves = /** @type {HTMLElement[]} */ ([...article.querySelectorAll(".leaf")]);
  const wanted = leaves.find((leaf) => (id ? leaf.id === id : leaf.dataset.who === reader())) ?? leaves[0];
  for (const leaf of leaves) leaf.classList.toggle("shown", leaf === wanted);
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (article.querySelectorAll("[data-leaf]")))
    button.setAttribute("aria-pressed", String(button.dataset.leaf === wanted?.id));
  const mail = /** @type {HTMLElement | null} */ (wanted?.querySelector(".mail"));
  if (!mail || mail.firstChild) return;
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-same-origin"); // for pictures beside a page that is opened as a file
  frame.title = mail.dataset.title ?? "";
  frame.src = mail.dataset.page ?? "";
  mail.append(frame);
}

/** Show the entry that the address names, else the first of the list. */
function show() {
  const seen = rows.filter((row) => !row.hidden);
  const links = seen.map((row) => row.querySelector("a")?.hash ?? "");
  const article = document.getElementById((links.includes(location.hash) ? location.hash : (links[0] ?? "")).slice(1));
  for (const other of main.querySelectorAll("article")) other.classList.toggle("shown", other === article);
  for (const row of rows) {
    const link = /** @type {HTMLAnchorElement} */ (row.querySelector("a"));
    const here = link.hash === `#${article?.id}`;
    if (here) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    if (here) link.scrollIntoView({ block: "nearest" });
  }
  if (article) showLeaf(article);
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (main.querySelectorAll("[data-step]")))
    button.disabled = !beside(Number(button.dataset.step));
}

/** The address of the entry before or after the one that is shown; none at the ends.
 * @param {number} step */
function beside(step) {
  const seen = rows.filter((row) => !row.hidden);
  const at = seen.findIndex((row) => row.querySelector("a")?.hasAttribute("aria-current"));
  return seen[at + step]?.querySelector("a")?.hash;
}

/** @param {number} step */
function leaf(step) {
  const hash = beside(step);
  if (!hash) return;
  location.hash = hash;
}

form.addEventListener("change", () => {
  const sorts = new FormData(form).getAll("sort");
  for (const row of rows) {
    const readers = (row.dataset.who ?? "").split("|");
    const theirs = !reader() || readers.includes(reader()) || row.dataset.sort === "date";
    row.hidden = !theirs || !sorts.includes(row.dataset.sort ?? "");
  }
  for (const turn of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".turn")))
    turn.hidden = !turn.querySelector("li:not([hidden])");
  show();
});
main.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  const article = /** @type {HTMLElement | null} */ (button?.closest("article") ?? null);
  if (button?.dataset.leaf && article) showLeaf(article, button.dataset.leaf);
  if (button?.dataset.step) leaf(Number(button.dataset.step));
});
addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLSelectElement || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowRight") leaf(1);
  if (event.key === "ArrowLeft") leaf(-1);
});
addEventListener("hashchange", () => {
  show();
  if (main.getBoundingClientRect().top < 0) main.scrollIntoView({ block: "start" });
});
show();
