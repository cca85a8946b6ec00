// Elements of the page: made, and made anew without the reader losing their place.

const NS = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, any>} Attributes  `on...` are listeners; true and false are attributes with and without */

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in made && made.tagName !== "OPTION" && made.tagName !== "LI") made.value = value;
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  if ("value" in attributes && made.tagName === "SELECT") made.value = attributes.value;
  return made;
}

/** An element of the page. @param {string} tag @param {Attributes} [attributes] @param {...any} children @returns {any} */
export const el = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);

/** An element of a picture. @param {string} tag @param {Attributes} [attributes] @param {...any} children @returns {any} */
export const shape = (tag, attributes = {}, ...children) => filled(document.createElementNS(NS, tag), attributes, children);

/** A labelled input. @param {string} id @param {string} label @param {any} input @param {string} [hint] */
export function field(id, label, input, hint = "") {
  input.id = id;
  if (hint) input.setAttribute("aria-describedby", `${id}-hint`);
  return el("div", { class: "field" }, el("label", { for: id }, label), input, hint && el("p", { class: "hint", id: `${id}-hint` }, hint));
}

/** @param {string} id @param {string} label @param {boolean} checked @param {(checked: boolean) => void} change */
export const check = (id, label, checked, change) => el("label", { class: "inline", for: id },
  el("input", { type: "checkbox", id, checked, onchange: (event) => change(event.target.checked) }), label);

/** @param {string} text @param {(event: any) => unknown} click @param {Attributes} [attributes] */
export const button = (text, click, attributes = {}) => el("button", { type: "button", class: "plain", onclick: click, ...attributes }, text);

/**
 * A list to choose from. While its reader types the beginning of an entry, the choice waits until they are done.
 * @param {any[][]} options value and text @param {string} value @param {(value: string) => void} change @param {Attributes} [attributes]
 */
export function select(options, value, change, attributes = {}) {
  let typing = false, later = 0, kept = value;
  const made = el("select", { value, ...attributes }, options.map(([option, text]) => el("option", { value: option }, text)));
  const give = () => {
    clearTimeout(later);
    typing = false;
    if (made.value === kept) return;
    kept = made.value;
    change(kept);
  };
  made.addEventListener("keydown", (event) => { typing = event.key.length === 1 && event.key !== " " ? true : typing && event.key === " "; });
  made.addEventListener("change", () => {
    clearTimeout(later);
    typing ? (later = setTimeout(give, 900)) : give();
  });
  made.addEventListener("blur", give);
  return made;
}

/** Put other contents in a place; what had the focus, by its id, has it again. @param {HTMLElement} place @param {...any} children */
export function renew(place, ...children) {
  const active = place.contains(document.activeElement) ? document.activeElement : null;
  const id = active?.id, range = active && "selectionStart" in active ? [active.selectionStart, active.selectionEnd] : null;
  const open = new Set([...place.querySelectorAll("details[open][id]")].map((one) => one.id)), top = place.scrollTop;
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
  for (const one of place.querySelectorAll("details[id]")) if (open.has(one.id)) one.open = true;
  place.scrollTop = top;
  const again = id && document.getElementById(id);
  if (!again) return;
  again.focus({ preventScroll: true });
  if (range && range[0] !== null && "setSelectionRange" in again) again.setSelectionRange(range[0], range[1]);
}
