// The map of a page, with what it shows: opened as soon as its board is there, while the page's other scripts still come.

import { Chart } from "./map.js";

const state = document.getElementById("state");

export const chart = await new Chart(document.getElementById("chart")).load(state && JSON.parse(state.textContent).svg);
