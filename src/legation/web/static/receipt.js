// The page of a receipt.

import { received } from "./sealing.js";
import { signWords } from "./words.js";

const page = document.querySelector("article[data-reading-key]");
if (page) await received(page, JSON.parse(document.getElementById("proof")?.textContent || "null"));
await signWords();
document.documentElement.dataset.ready = "yes";
