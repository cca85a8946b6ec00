// Results as the coordinator looks them over: the rows and the live map, which comes in parts and keeps a phone free.

import { Chart } from "./map.js";
import { follow } from "./outcomes.js";

const state = JSON.parse(document.getElementById("state").textContent).svg;
const chart = await new Chart(document.getElementById("chart")).load(state);
follow(chart, document.querySelector(".with-map"));
window.legation = { chart };
document.documentElement.dataset.ready = "yes";
