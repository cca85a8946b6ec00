// Orders are sealed: their parts are compared with what was written and signed with the seat's own key before they are
// sent; the receipt is compared with what was sent. On pages of their own (send.js, receipt.js) or in a drawer over the
// map (drawer.js).

import { checkReceipt, clean, hex, isWhole, knowsKeys, receiptText, seatKey, sign } from "./proofs.js";

function put(form, name, value) {
  const input =
    form.elements[name] || form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name }));
  input.value = value;
}

/** Have a reviewed sheet signed when it is sent. @param {HTMLFormElement} form @param {any} facts what is signed @param {() => unknown} send */
export async function sealing(form, facts, send) {
  const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
  const other = /** @type {HTMLElement | null} */ (form.querySelector("[data-other-key]"));
  const signs = facts.game && (await knowsKeys());
  const own = signs ? await seatKey(facts.game, facts.seat) : null;
  const elsewhere = Boolean(own && facts.key && facts.key !== own.public);
  if (other) other.hidden = !elsewhere;
  form.addEventListener("submit", async (event) => {
    if (event.submitter?.hasAttribute("formaction")) return;
    event.preventDefault();
    try {
      if (window.crypto?.subtle && facts.game) await prepare(form, facts, own, elsewhere);
      await send();
    } catch (error) {
      status.textContent = error.message;
    }
  });
}

async function prepare(form, facts, own, elsewhere) {
  const text = clean(form.elements.text.value);
  if (!isWhole(text, facts.parts))
    throw new Error(
      "The office read another text than you wrote. Nothing was sent. Go back to your orders and try again.",
    );
  const nonce = form.elements.nonce?.value || hex(crypto.getRandomValues(new Uint8Array(16))); // tried again, it is the same sheet
  const uses = own && (!elsewhere || form.elements.new_key?.checked);
  const parts = facts.parts.map((part) => ({ ...part }));
  if (uses) {
    for (const part of parts)
      part.signature = await sign(own, "sheet", {
        game: facts.game,
        turn: part.turn,
        given_in: facts.turn,
        seat: facts.seat,
        text: part.text,
        files: [],
        nonce,
      });
    if (facts.key !== own.public) put(form, "page_key", own.public);
    put(form, "signatures", parts.map((part) => part.signature).join(" "));
    // Signed only by who says so: whoever has the signature can show the keeper that the seat is ready.
    const word = { game: facts.game, turn: facts.turn, seat: facts.seat, version: facts.version };
    const again = facts.again ? { again: facts.again } : {};
    const ready = form.elements.ready?.checked ? await sign(own, "ready", { ...word, ...again }) : "";
    put(form, "ready_signature", ready);
  }
  put(form, "nonce", nonce);
  sessionStorage.setItem(
    "sent",
    JSON.stringify({ game: facts.game, seat: facts.seat, turn: facts.turn, nonce, parts }),
  );
}

/** Check a receipt, keep the key of the own copy, and let go of the draft. @param {HTMLElement} page @param {any} proof */
export async function received(page, proof) {
  const { submission, readingKey } = page.dataset;
  if (readingKey) localStorage.setItem(`reading ${submission}`, readingKey);
  const title = /** @type {HTMLElement} */ (page.querySelector("h1[data-version]"));
  const said = /** @type {HTMLElement} */ (page.querySelector("[data-check]"));
  const sent = JSON.parse(sessionStorage.getItem("sent") || "null");
  let wrong = false;
  if (proof?.openings?.length && sent && window.crypto?.subtle)
    try {
      await check(page, proof, sent, title, said);
    } catch (error) {
      wrong = true;
      title.textContent = "This receipt is wrong";
      said.className = "notice wrong";
      said.textContent = `Don’t rely on it: ${error.message}. Save it, send your orders again, and tell the other players if this goes on.`;
    }
  const link = /** @type {HTMLAnchorElement | null} */ (page.querySelector("a[data-save]"));
  if (proof && link) link.href = URL.createObjectURL(new Blob([receiptText(proof)], { type: "text/plain" }));

  // What was sent is no draft any more; the copy of it stays.
  const sending = JSON.parse(sessionStorage.getItem("sending") ?? "null");
  if (wrong || !sending || sending.of !== page.dataset.sent) return;
  localStorage.setItem(`sent ${sending.name}`, sending.text);
  if (localStorage.getItem(sending.name) === sending.text) localStorage.removeItem(sending.name);
  sessionStorage.removeItem("sending");
}

async function check(page, proof, sent, title, said) {
  const known = localStorage.getItem("office key");
  const whole = await checkReceipt(proof, sent);
  title.textContent = `Version ${title.dataset.version} is sealed`;
  said.textContent = whole
    ? "This page has checked the receipt: it is signed, and commits to exactly what you sent."
    : "This page has checked the receipt: it commits to exactly what you sent. (This browser can’t check its signature.)";
  if (known && known !== proof.office)
    said.textContent += " The office signs with another key than before; its mails should say so.";
  localStorage.setItem("office key", proof.office);
  sessionStorage.removeItem("sent");
  page.querySelector("[data-proof]").open = false; // the key is kept and all is well
}
