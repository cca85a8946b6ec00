// The page where a sheet is looked over, for a browser that has no drawer for it.

import { sealing } from "./sealing.js";
import { signWords } from "./words.js";

const form = document.querySelector("form[data-sheet]");
await sealing(form, JSON.parse(document.getElementById("sheet").textContent), () => form.submit());
await signWords();
document.documentElement.dataset.ready = "yes";
