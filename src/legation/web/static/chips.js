// Small controls beside the map: a button for each thing that may be done, a list where there are several of a kind.

/**
 * What may be done: `action` at once, or one of `pick` ([text, action, choice]). `of`: whom it concerns, for who only hears it.
 * @typedef {{text: string, action?: () => unknown, on?: boolean, pick?: any[][], of?: string}} Chip
 */

const LONG = 12; // entries of one list; more are chosen in two steps

/** The control of a chip. @param {Chip} chip @param {(action: any) => unknown} run does what was chosen @param {HTMLElement} box where it will stand @returns {any} */
export function control({ text, action, on, pick, of }, run, box) {
  if (pick && pick.length > LONG && pick[0][2])
    return control({ text, of, pick: inTwoSteps(text, pick, of, run, box) }, run, box);
  if (pick) return list(text, pick, of, run);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain";
  button.textContent = text;
  if (of) button.setAttribute("aria-label", `${of}: ${text}`);
  if (on !== undefined) button.setAttribute("aria-pressed", String(on));
  button.addEventListener("click", () => run(action));
  return button;
}

function list(text, pick, of, run) {
  const select = document.createElement("select");
  select.setAttribute("aria-label", of ? `${of}: ${text}` : text);
  select.append(new Option(text + "…", ""), ...pick.map(([name], i) => new Option(name, String(i))));
  select.addEventListener("change", () => {
    if (select.value) run(pick[Number(select.value)][1]);
  });
  return select;
}

// First whom it concerns, then which; the second list takes the place of the first, which may have been made anew meanwhile.
function inTwoSteps(text, pick, of, run, box) {
  const label = of ? `${of}: ${text}` : text;
  const second = (whom) => {
    const theirs = pick.filter(([, , choice]) => choice[2] === whom).map(([said, action]) => [said, action]);
    const next = control({ text: `${text}: ${whom}`, of, pick: theirs }, run, box);
    [...box.querySelectorAll("select")].find((select) => select.ariaLabel === label)?.replaceWith(next);
    next.focus();
  };
  return [...new Set(pick.map(([, , choice]) => choice[2]))].map((whom) => [whom, () => second(whom)]);
}

/** Put other controls into a box. The keyboard stays with the one of the same name, or goes elsewhere. @param {HTMLElement} box @param {Node[]} made @param {() => void} elsewhere */
export function replace(box, made, elsewhere) {
  const was = box.contains(document.activeElement) ? document.activeElement : null;
  const name = (control) => control.ariaLabel || control.textContent;
  const alike = () => [...box.querySelectorAll("button, select")].filter((control) => name(control) === name(was));
  const place = was ? alike().indexOf(was) : 0;
  box.replaceChildren(...made);
  if (!was) return;
  const controls = /** @type {HTMLElement[]} */ (alike());
  const same = controls[place] || controls[0];
  same ? same.focus() : elsewhere();
}
