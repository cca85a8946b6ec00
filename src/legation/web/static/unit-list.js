// The same choices without the map: a row for each unit or building site, with a list of what can be ordered there.

/**
 * @typedef {import("./choices.js").Choice} Choice
 * @typedef {{place: string, name: string, choices: Choice[], label: (choice: Choice) => string, given: () => Choice | undefined, give: (choice: Choice | undefined) => void}} Row
 */

let count = 0;

/**
 * The row of a unit, and what shows its order there. Its list is filled when somebody comes to it: all lists of a large
 * board together take long.
 * @param {Row} row @returns {{element: HTMLTableRowElement, show: () => void}}
 */
export function unitRow(row) {
  const made = document.createElement("tr");
  const head = document.createElement("th");
  const cell = document.createElement("td");
  const select = document.createElement("select");
  made.dataset.place = select.dataset.place = row.place;
  head.scope = "row";
  head.textContent = row.name;
  head.id = `row-${++count}`;
  select.setAttribute("aria-labelledby", head.id);
  select.append(new Option("no order", ""));
  const filled = () => fill(select, row);
  select.addEventListener("focus", filled);
  select.addEventListener("pointerdown", filled);
  select.addEventListener("change", () => row.give(row.choices.find((choice) => choice[4] === select.value)));
  cell.append(select);
  made.append(head, cell);
  const show = () => {
    if (row.given()) filled();
    select.value = row.given()?.[4] || "";
  };
  return { element: made, show };
}

function fill(select, row) {
  if (select.options.length > 1) return;
  for (const choice of row.choices) select.append(new Option(row.label(choice), choice[4]));
  select.value = row.given()?.[4] || "";
}
