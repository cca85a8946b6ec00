// Which shapes of an SVG are water, where its colors don't tell: chosen by taps on the picture or in a list of names.

import { check, el, shape } from "./elements.js";

/** @typedef {{key: string, name: string, path: string, fill: string}} Place */

const at = (id) => /** @type {any} */ (document.getElementById(id));

/**
 * Let the reader choose.
 * @param {{width: number, height: number, places: Place[]}} unclear @param {(seas: string[]) => void} done
 */
export function chooseSeas({ width, height, places }, done) {
  /** @type {Set<string>} */
  const seas = new Set();
  const colored = new Set(places.map(({ fill }) => fill)).size > 1;
  const paths = new Map(
    places.map((place) => [
      place.key,
      shape(
        "path",
        { d: place.path, "fill-rule": "evenodd", class: "seas-land", onclick: () => flood(place) },
        shape("title", {}, place.name),
      ),
    ]),
  );
  const show = () => {
    for (const [key, path] of paths) path.setAttribute("class", seas.has(key) ? "seas-sea" : "seas-land");
    for (const place of places) at(`sea-${place.key}`).checked = seas.has(place.key);
    at("seas-count").textContent = `${seas.size} of ${places.length} are water.`;
  };
  const set = (place, on) => {
    on ? seas.add(place.key) : seas.delete(place.key);
  };
  const flood = (place) => {
    const on = !seas.has(place.key);
    for (const one of colored && on ? places.filter(({ fill }) => fill === place.fill) : [place]) set(one, on);
    show();
  };
  at("seas-picture").replaceChildren(
    shape(
      "svg",
      {
        class: "world",
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": "The shapes of the file; the list of names does the same.",
      },
      [...paths.values()],
    ),
  );
  at("seas-names").replaceChildren(
    ...[...places]
      .sort((a, b) => a.name.localeCompare(b.name))
      .map((place) =>
        el(
          "p",
          {},
          check(`sea-${place.key}`, place.name, false, (on) => {
            set(place, on);
            show();
          }),
        ),
      ),
  );
  at("seas-done").onclick = () => done([...seas]);
  at("choose-seas").hidden = false;
  at("choose-seas").scrollIntoView({ block: "start" });
  show();
  at("seas-done").focus({ preventScroll: true });
}
