// How each line of a sheet was understood, beside it.

import { province } from "./choices.js";

const SIGNS = {
  wrong: { shape: "✕", text: "problem" },
  hinted: { shape: "!", text: "hint" },
  good: { shape: "✓", text: "understood" },
};

function span(text, className = "") {
  const made = document.createElement("span");
  made.textContent = text;
  made.className = className;
  return made;
}

/** An entry for a line that is an order, or should be one. @param {any} line as the checker tells it @param {boolean} several whether orders of several powers stand on the sheet @returns {HTMLLIElement} */
export function mark(line, several) {
  const { problem, hints } = line;
  const item = document.createElement("li");
  item.className = problem ? "wrong" : hints.length ? "hinted" : "good";
  const { shape, text } = SIGNS[item.className];
  const sign = span(shape, "sign");
  sign.setAttribute("aria-label", text);
  sign.setAttribute("role", "img");
  const order = `${several ? line.called + ": " : ""}${line.name || line.order}`;
  item.append(sign, span(line.order ? order : `Line ${line.line}: ${line.text}`));
  if (line.choice?.[1]) item.dataset.place = province(line.choice[1]);
  const meant = problem?.suggestions.length ? `; did you mean ${problem.suggestions.join(", ")}?` : "";
  const why = [...(problem ? [problem.message + meant] : []), ...hints];
  if (why.length) item.append(span(why.join("; "), "why"));
  return item;
}
