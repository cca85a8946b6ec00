// The page of a receipt. It says "sealed" only after it has compared the commitments with what this browser sent; it
// keeps the key that opens the own copy, because the office does not have it, and offers the receipt to be saved.

import { checkReceipt, receiptText } from "./proofs.js";
import { signWords } from "./words.js";

const page = document.querySelector("article[data-reading-key]");
const { submission, readingKey } = page?.dataset || {};
if (readingKey) localStorage.setItem(`reading ${submission}`, readingKey);

const title = page?.querySelector("[data-checked]");
const said = page?.querySelector("[data-check]");
const proof = JSON.parse(document.getElementById("proof")?.textContent || "null");
const sent = JSON.parse(sessionStorage.getItem("sent") || "null");

async function check() {
  const known = localStorage.getItem("office key");
  const whole = await checkReceipt(proof, sent);
  title.textContent = title.dataset.checked;
  said.textContent = whole
    ? "This page has checked the receipt: it is signed, and commits to exactly what you sent."
    : "This page has checked the receipt: it commits to exactly what you sent. (This browser can’t check its signature.)";
  if (known && known !== proof.office)
    said.textContent += " The office signs with another key than before; its mails should say so.";
  localStorage.setItem("office key", proof.office);
  sessionStorage.removeItem("sent");
  page.querySelector("[data-proof]").open = false; // the key is kept and all is well
}

let wrong = false;
if (proof?.openings?.length && sent && window.crypto?.subtle)
  try {
    await check();
  } catch (error) {
    wrong = true;
    title.textContent = "This receipt is wrong";
    said.className = "notice wrong";
    said.textContent = `Don’t rely on it: ${error.message}. Save it, send your orders again, and tell the other players if this goes on.`;
  }

const link = page?.querySelector("a[data-save]");
if (proof && link) link.href = URL.createObjectURL(new Blob([receiptText(proof)], { type: "text/plain" }));

// What was sent is no draft any more; the copy of it stays.
const sending = JSON.parse(sessionStorage.getItem("sending") ?? "null");
if (page && !wrong && sending && sending.of === page.dataset.sent) {
  localStorage.setItem(`sent ${sending.name}`, sending.text);
  if (localStorage.getItem(sending.name) === sending.text) localStorage.removeItem(sending.name);
  sessionStorage.removeItem("sending");
}
await signWords();
document.documentElement.dataset.ready = "yes";
