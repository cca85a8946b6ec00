// A name is asked for where the province was placed, and the next tap goes on.

import { el } from "./elements.js";

/** The little form upon the map. */
export class Naming {
  /** @param {HTMLElement} section @param {import("./sheet.js").Sheet} sheet */
  constructor(section, sheet) {
    this.sheet = sheet;
    this.input = el("input", {
      id: "name-of-place",
      type: "text",
      maxlength: 60,
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": "Name of the new province",
      enterkeyhint: "done",
    });
    this.form = el(
      "form",
      {
        class: "namer",
        hidden: true,
        onsubmit: (event) => {
          event.preventDefault();
          this.finish(true);
        },
      },
      this.input,
      el("button", { class: "plain" }, "Done"),
    );
    this.input.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.input.value = this.usual;
      this.finish(true);
    });
    this.form.addEventListener("focusout", (event) => {
      if (!this.form.contains(event.relatedTarget)) this.finish();
    });
    section.append(this.form);
  }

  /**
   * @param {[number, number]} at km on the map @param {string} usual the name until another is given
   * @param {(name: string) => void} give called at once with the usual name, and again with the chosen one
   */
  ask(at, usual, give) {
    this.usual = usual;
    this.give = give;
    give(usual);
    const [x, y] = this.sheet.onSheet(at);
    const { style } = this.form;
    this.form.hidden = false;
    style.left = `${Math.max(8, Math.min(this.sheet.wide - this.form.offsetWidth - 8, x - 60))}px`;
    style.top = `${y + 76 > this.sheet.high ? y - 70 : y + 16}px`;
    this.input.value = usual;
    this.input.focus({ preventScroll: true });
    this.input.select();
  }

  /** Take the name that stands there. @param {boolean} [back] whether the map gets the focus */
  finish(back = false) {
    if (this.form.hidden) return;
    this.form.hidden = true;
    const name = this.input.value.replace(/\s+/g, " ").trim();
    if (name && name !== this.usual) this.give?.(name);
    if (back) this.sheet.element.focus({ preventScroll: true });
  }
}
