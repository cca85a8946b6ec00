// The panel of a board's page. Beside the map it can be made narrower or hidden; on a phone it is a sheet that is pulled
// up over the map, in three steps, and leaves in sight what it is about.

const STEPS = ["low", "half", "high"];
const NARROWEST = 288; // pixels
const PULL = 8; // pixels after which a finger pulls and does not tap
const ZOOM = "zoom buttons";
const KEPT = "panel"; // where it is kept what was chosen

/** @param {import("./map.js").Chart} chart @param {() => string[]} about the places that the panel is about now */
export function openPanel(chart, about = () => []) {
  const main = /** @type {HTMLElement} */ (document.querySelector("main.board"));
  const box = /** @type {HTMLElement} */ (document.getElementById("panel"));
  const head = /** @type {HTMLElement} */ (box.querySelector(".panel-head"));
  const edge = /** @type {HTMLButtonElement} */ (box.querySelector(".edge"));
  const sash = document.createElement("div");
  Object.assign(sash, { className: "sash", tabIndex: 0, role: "separator" });
  sash.setAttribute("aria-label", "Width of the panel");
  sash.setAttribute("aria-orientation", "vertical");
  box.append(sash);

  const isSheet = () => getComputedStyle(box).position === "absolute";
  const step = () => main.dataset.sheet ?? (box.offsetHeight > main.offsetHeight / 3 ? "high" : "low");

  function changed() {
    const open = isSheet() ? step() !== "low" : main.dataset.panel !== "hidden";
    edge.setAttribute("aria-expanded", String(open));
    edge.setAttribute("aria-label", open ? "Hide the panel" : "Show the panel");
    sash.setAttribute("aria-valuenow", String(Math.round((100 * box.offsetWidth) / main.offsetWidth)));
    chart.formed();
    chart.seek(about());
  }

  function pull(to) {
    main.dataset.sheet = to;
    main.style.removeProperty("--sheet");
    box.classList.remove("pulled");
    setTimeout(changed, 200); // it has moved by then
  }

  // Beside the map: so many pixels wide, or hidden; without either, as wide as the map leaves it.
  function widen(to) {
    if (to) main.dataset.panel = to === "hidden" ? to : "own";
    else delete main.dataset.panel;
    if (to && to !== "hidden") main.style.setProperty("--panel", `${Math.max(NARROWEST, Number(to))}px`);
    localStorage.setItem(KEPT, to);
    changed();
  }

  edge.addEventListener("click", () => {
    if (isSheet()) pull(step() === "low" ? "half" : "low");
    else widen(main.dataset.panel === "hidden" ? "" : "hidden");
  });
  head.addEventListener("click", (event) => {
    const tab = /** @type {Element} */ (event.target).closest('a[aria-current="page"]');
    if (!tab || !isSheet()) return;
    event.preventDefault();
    pull(step() === "low" ? "half" : "low");
  });
  box.addEventListener("focusin", (event) => {
    if (isSheet() && step() === "low" && !head.contains(/** @type {Node} */ (event.target))) pull("half");
  });
  sash.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: 32, ArrowRight: -32 }[event.key];
    if (!by) return;
    event.preventDefault();
    widen(String(box.offsetWidth + by));
  });

  // A finger or a mouse upon the head of the sheet, or upon the edge between panel and map
  for (const handle of [head, sash])
    handle.addEventListener("pointerdown", (event) => {
      if (isSheet() === (handle === sash) || event.button) return;
      const [y, high] = [event.clientY, box.offsetHeight];
      let moved = 0;
      const move = (/** @type {PointerEvent} */ now) => {
        moved = isSheet() ? y - now.clientY : event.clientX - now.clientX;
        if (Math.abs(moved) < PULL) return;
        if (!isSheet()) return widen(String(main.getBoundingClientRect().right - now.clientX));
        box.classList.add("pulled");
        main.style.setProperty("--sheet", `${Math.min(main.offsetHeight - 96, Math.max(48, high + moved))}px`);
      };
      const end = () => {
        removeEventListener("pointermove", move);
        if (Math.abs(moved) < PULL || !isSheet()) return;
        const from = STEPS.indexOf(step());
        pull(
          STEPS[Math.min(2, Math.max(0, from + Math.sign(moved) * (Math.abs(moved) > main.offsetHeight / 3 ? 2 : 1)))],
        );
        addEventListener("click", (click) => click.preventDefault(), { once: true, capture: true });
      };
      addEventListener("pointermove", move);
      addEventListener("pointerup", end, { once: true });
      addEventListener("pointercancel", end, { once: true });
    });

  // Buttons for who can't zoom by fingers or keys, on request
  const zoom = /** @type {HTMLButtonElement} */ (document.getElementById("zoom-buttons"));
  const buttons = (shown) => {
    main.toggleAttribute("data-zoom-buttons", shown);
    zoom.setAttribute("aria-pressed", String(shown));
  };
  zoom.addEventListener("click", () => {
    const shown = zoom.getAttribute("aria-pressed") !== "true";
    localStorage.setItem(ZOOM, shown ? "yes" : "");
    buttons(shown);
  });
  buttons(localStorage.getItem(ZOOM) === "yes");

  const wide = localStorage.getItem(KEPT);
  if (wide) widen(wide);
  changed();
  return { pull };
}
