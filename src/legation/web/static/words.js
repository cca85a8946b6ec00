// What the holder of a seat says beside a sheet ("I'm ready", "Withdraw", "It is mine", "Refuse it"), signed with the
// seat's key. A browser that does not have the key says so on the page; then these go unsigned, and are called that.

import { keptKey, sign } from "./proofs.js";

function hidden(form, name, value) {
  const input =
    form.elements[name] || form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name }));
  input.value = value;
}

// Sign the words of all forms of a page in advance: they change only with the page.
export async function signWords(
  page = /** @type {ParentNode} */ (document),
  facts = JSON.parse(document.getElementById("sheet")?.textContent || "null"),
) {
  const forms = page.querySelectorAll("form[data-word]");
  if (!forms.length || !facts?.game || !facts.key) return;
  const own = window.crypto?.subtle ? await keptKey(facts.game, facts.seat).catch(() => null) : null;
  if (own?.public !== facts.key) {
    for (const notice of page.querySelectorAll("[data-unsigned]")) notice.hidden = false;
    return;
  }
  for (const form of forms) {
    const { word, version } = form.dataset;
    const again = word === "ready" && facts.again ? { again: facts.again } : {};
    const about = {
      game: facts.game,
      turn: facts.turn,
      seat: facts.seat,
      version: Number(version ?? facts.version - 1),
      ...again,
    };
    hidden(form, "signature", await sign(own, word, about));
  }
}
