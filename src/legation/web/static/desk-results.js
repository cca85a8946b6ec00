// Results as the coordinator looks them over: the rows and the live map, which comes in parts and keeps a phone free.

import { follow } from "./outcomes.js";
import { chart } from "./page-map.js";

follow(chart, document.querySelector(".with-map"));
window.legation = { chart };
document.documentElement.dataset.ready = "yes";
