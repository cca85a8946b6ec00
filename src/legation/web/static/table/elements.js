// Elements of the page: made, and made anew without the reader losing their place.

const NS = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, any>} Attributes  `on...` are listeners; true and false are attributes with and without */

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value" && "defaultValue" in made)
      made.defaultValue = value; // and so the value, until somebody types
    else if (name === "value" && "value" in made && made.tagName !== "OPTION" && made.tagName !== "LI")
      made.value = value;
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
export const shape = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS(NS, tag), attributes, children);

/** A labelled input. @param {string} id @param {string} label @param {any} input @param {string} [hint] */
export function field(id, label, input, hint = "") {
  input.id = id;
  if (hint) input.setAttribute("aria-describedby", `${id}-hint`);
  return el(
    "div",
    { class: "field" },
    el("label", { for: id }, label),
    input,
    hint && el("p", { class: "hint", id: `${id}-hint` }, hint),
  );
}

/** @param {string} id @param {string} label @param {boolean} checked @param {(checked: boolean) => void} change */
export const check = (id, label, checked, change) =>
  el(
    "label",
    { class: "inline", for: id },
    el("input", { type: "checkbox", id, checked, onchange: (event) => change(event.target.checked) }),
    label,
  );

/** @param {string} text @param {(event: any) => unknown} click @param {Attributes} [attributes] */
export const button = (text, click, attributes = {}) =>
  el("button", { type: "button", class: "plain", onclick: click, ...attributes }, text);

/**
 * A list to choose from. While its reader types the beginning of an entry, the choice waits until they are done.
 * @param {any[][]} options value and text @param {string} value @param {(value: string) => void} change @param {Attributes} [attributes]
 */
export function select(options, value, change, attributes = {}) {
  let typing = false;
  let later = 0;
  let kept = value;
  const made = el(
    "select",
    { value, ...attributes },
    options.map(([option, text]) => el("option", { value: option }, text)),
  );
  const give = () => {
    clearTimeout(later);
    typing = false;
    if (made.value === kept) return;
    kept = made.value;
    change(kept);
  };
  made.addEventListener("keydown", (event) => {
    typing = event.key.length === 1 && event.key !== " " ? true : typing && event.key === " ";
  });
  made.addEventListener("change", () => {
    clearTimeout(later);
    typing ? (later = setTimeout(give, 900)) : give();
  });
  made.addEventListener("blur", give);
  return made;
}

const LEAVING = ["change", "blur", "focusout"];
const hush = (event) => event.stopImmediatePropagation();

/** Put into a field made anew what its reader is typing, and give it when they leave the field: browsers tell of their own typing alone. */
function carryOver(text, field) {
  let given = false;
  field.value = text;
  field.addEventListener("change", () => {
    given = true;
  });
  field.addEventListener("blur", () => {
    if (!given) field.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

/**
 * Put other contents in a place. What had the focus, by its id, has it again, with what was typed there and not given yet.
 * @param {HTMLElement} place @param {...any} children
 */
export function renew(place, ...children) {
  const active = /** @type {any} */ (place.contains(document.activeElement) ? document.activeElement : null);
  const id = active?.id;
  const range = active && "selectionStart" in active ? [active.selectionStart, active.selectionEnd] : null;
  const open = new Set([...place.querySelectorAll("details[open][id]")].map((one) => one.id));
  const top = place.scrollTop;
  // A field that is taken away while somebody types tells in some browsers that it was left, half a name in it.
  for (const kind of LEAVING) place.addEventListener(kind, hush, true);
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
  for (const kind of LEAVING) place.removeEventListener(kind, hush, true);
  for (const one of place.querySelectorAll("details[id]")) if (open.has(one.id)) one.open = true;
  place.scrollTop = top;
  const again = /** @type {any} */ (id && document.getElementById(id));
  if (!again) return;
  const typed = "defaultValue" in active && active.value !== active.defaultValue;
  if (typed && again.defaultValue === active.defaultValue) carryOver(active.value, again);
  again.focus({ preventScroll: true });
  if (range && range[0] !== null && "setSelectionRange" in again) again.setSelectionRange(range[0], range[1]);
}

/** A number with its noun: `1 sea`, `2 seas`. @param {number} number @param {string} noun */
export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** A title as a name of files: `the-west-indies`. @param {string} title @param {number} most letters */
export const fileName = (title, most) =>
  title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, most);
