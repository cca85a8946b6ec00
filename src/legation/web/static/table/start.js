// Where a board begins: a part of the world, a variant to change, a drawing, a picture, nothing, or one kept here.

import { CallError, call } from "./calls.js";
import { button, el, fileName } from "./elements.js";
import { begin, boards, forget, when } from "./keeping.js";
import { smaller } from "./paper.js";
import { chooseSeas } from "./seas.js";
import { WorldMap } from "./world.js";

const at = (id) => /** @type {any} */ (document.getElementById(id));
const said = at("start-said");

/** Make a board and go to it. @param {any} from @param {{tracing?: any, title?: string}} [more] */
async function start(from, { tracing = null, title = "" } = {}) {
  said.textContent = "The board is being laid out …";
  try {
    const { document: made, unclear } = await call("/table/start", from);
    if (unclear) {
      said.textContent = "";
      return chooseSeas(unclear, (seas) => start({ ...from, seas }, { tracing, title }));
    }
    const id = await begin(title ? titled(made, title) : made, { tracing });
    location.assign(`/table/board#${id}`);
  } catch (error) {
    said.textContent =
      error instanceof CallError
        ? error.message
        : "This browser doesn’t keep boards (private window?). Allow storage for this site and try again.";
  }
}

function titled(made, title) {
  const slug = fileName(title, 40);
  const name = slug && slug !== "board" ? slug : "my-board";
  const variant = Object.keys(made.variant || {}).length ? { ...made.variant, title, board: name } : made.variant;
  return { ...made, board: { ...made.board, name, title }, variant };
}

const edges = ["west", "south", "east", "north"];

/** @param {number[]} values in the order of `edges` @returns {import("./world.js").Box} */
const boxOf = ([west, south, east, north]) => ({ west, south, east, north });

const world = new WorldMap(at("world"), (box) => {
  for (const edge of edges) at(`edge-${edge}`).value = box[edge];
});
for (const edge of edges)
  at(`edge-${edge}`).addEventListener("input", () =>
    world.show(boxOf(edges.map((one) => Number(at(`edge-${one}`).value)))),
  );
const PLACES = [
  { text: "Caribbean", box: [-90, 8, -58, 28] },
  { text: "Mediterranean", box: [-7, 29, 37, 47] },
  { text: "British Isles", box: [-11.5, 49.5, 3, 61] },
  { text: "Japan", box: [127, 29.5, 147, 46.5] },
  { text: "South America", box: [-84, -57, -32, 14] },
  { text: "Africa", box: [-20, -36, 53, 38] },
  { text: "India", box: [65, 5, 96, 37] },
  { text: "South-East Asia", box: [91, -12, 142, 24] },
  { text: "North America", box: [-128, 14, -58, 56] },
  { text: "Aegean", box: [19.5, 34.5, 29.5, 41.5] },
];
at("places").replaceChildren(
  ...PLACES.map(({ text: name, box }) => button(name, () => world.set(boxOf(box), name), { class: "plain small" })),
);
at("from-world").addEventListener("submit", (event) => {
  event.preventDefault();
  const region = Object.fromEntries(edges.map((edge) => [edge, Number(at(`edge-${edge}`).value)]));
  start({ region }, { title: at("world-title").value.trim() });
});
at("from-nothing").addEventListener("submit", (event) => {
  event.preventDefault();
  start(
    { plane: { width: Number(at("plane-width").value), height: Number(at("plane-height").value) } },
    { title: at("plane-title").value.trim() },
  );
});
at("picture-file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  const picture = await smaller(file).catch(() => null);
  const bitmap = picture && (await createImageBitmap(picture));
  if (!bitmap) {
    said.textContent = "This picture can’t be read. PNG, JPEG and WebP can.";
    return;
  }
  const width = 1000;
  const height = Math.round((width * bitmap.height) / bitmap.width);
  const pins = [0.12, 0.88].map((share) => ({
    on: [bitmap.width * share, bitmap.height * share],
    at: [width * share, height * share],
  }));
  start(
    { plane: { width, height } },
    { tracing: { picture, fit: { strength: 0.6, pins } }, title: file.name.replace(/\.\w+$/, "") },
  );
});
at("svg-file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) start({ svg: await file.text() }, { title: file.name.replace(/\.\w+$/, "") });
});
at("pack-file").addEventListener("change", async (event) => {
  const form = new FormData();
  for (const file of event.target.files) form.append("files", file);
  said.textContent = "The files are being read …";
  try {
    const answer = await fetch("/table/open", { method: "POST", body: form, headers: { accept: "application/json" } });
    const told = await answer.json();
    const fault = told.error || (told.document ? "" : told.findings?.[0]?.text || "These files are no board.");
    if (fault) throw new CallError([fault, told.mend].filter(Boolean).join(" "));
    location.assign(`/table/board#${await begin(told.document)}`);
  } catch (error) {
    said.textContent = error instanceof CallError ? error.message : "These files can’t be read.";
  }
});

async function showKept() {
  const list = await boards().catch(() => []);
  at("kept-boards").hidden = !list.length;
  at("kept-list").replaceChildren(
    ...list.map(({ id, title, changed, document: made }) =>
      el(
        "li",
        { class: "with-act" },
        el(
          "span",
          {},
          el("a", { class: "game-name", href: `/table/board#${id}` }, title),
          el(
            "span",
            { class: "soft" },
            ` ${(made.board.land?.length || 0) + (made.board.sea?.length || 0)} provinces, saved ${when(changed)}`,
          ),
        ),
        button(
          "Delete",
          async (event) => {
            const one = event.currentTarget;
            if (one.dataset.sure) return forget(id).then(showKept);
            one.dataset.sure = "yes";
            one.textContent = "Delete for good";
          },
          { class: "plain small", "aria-label": `Delete ${title}` },
        ),
      ),
    ),
  );
}

async function showStarts() {
  try {
    const { variants = [], templates = [] } = await call("/table/starts");
    const card =
      (kind) =>
      ({ name, title, summary, provinces, thumb, thumb_dark }) =>
        el(
          "li",
          {},
          el(
            "button",
            {
              type: "button",
              class: "start-card",
              onclick: () => start({ [kind]: name }, kind === "variant" ? { title: `${title}, changed` } : {}),
            },
            [
              ["light", thumb],
              ["dark", thumb_dark],
            ].map(([theme, src]) =>
              el("img", { class: `themed-${theme}`, src, alt: "", loading: "lazy", width: 720, height: 540 }),
            ),
            el("span", { class: "card-title serif" }, title),
            el(
              "span",
              { class: "soft" },
              kind === "template" && summary ? `${summary} ` : "",
              `${provinces} provinces`,
            ),
          ),
        );
    at("templates").replaceChildren(...templates.map(card("template")));
    at("templates-part").hidden = !templates.length;
    at("variants").replaceChildren(...variants.map(card("variant")));
  } catch (error) {
    at("variants").replaceChildren(el("li", { class: "soft" }, error.message));
  }
}

world.set(boxOf(PLACES[0].box), PLACES[0].text);
await Promise.all([showKept(), showStarts()]);
document.documentElement.dataset.ready = "yes";
