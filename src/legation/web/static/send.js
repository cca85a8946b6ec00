// The page where a sheet is looked over: its parts are compared with what was written and signed with the seat's own
// key before they are sent, and noted for the page of the receipt, which compares them with what was sealed.

import { clean, hex, isWhole, knowsKeys, seatKey, sign } from "./proofs.js";
import { signWords } from "./words.js";

const form = document.querySelector("form[data-sheet]");
const facts = JSON.parse(document.getElementById("sheet").textContent);
const status = form.querySelector("[role=status]");
const other = form.querySelector("[data-other-key]");

const signs = facts.game && (await knowsKeys());
const own = signs ? await seatKey(facts.game, facts.seat) : null;
const elsewhere = Boolean(own && facts.key && facts.key !== own.public);
if (other) other.hidden = !elsewhere;

function put(name, value) {
  const input =
    form.elements[name] || form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name }));
  input.value = value;
}

async function prepare() {
  const text = clean(form.elements.text.value);
  if (!isWhole(text, facts.parts))
    throw new Error(
      "The office read another text than you wrote. Nothing was sent. Go back to your orders and try again.",
    );
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
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
    if (facts.key !== own.public) put("page_key", own.public);
    put("signatures", parts.map((part) => part.signature).join(" "));
    const again = facts.again ? { again: facts.again } : {};
    put(
      "ready_signature",
      await sign(own, "ready", {
        game: facts.game,
        turn: facts.turn,
        seat: facts.seat,
        version: facts.version,
        ...again,
      }),
    );
  }
  put("nonce", nonce);
  sessionStorage.setItem(
    "sent",
    JSON.stringify({ game: facts.game, seat: facts.seat, turn: facts.turn, nonce, parts }),
  );
}

form.addEventListener("submit", async (event) => {
  if (event.submitter?.hasAttribute("formaction") || !window.crypto?.subtle || !facts.game) return;
  event.preventDefault();
  try {
    await prepare();
    form.submit();
  } catch (error) {
    status.textContent = error.message;
  }
});
await signWords();
document.documentElement.dataset.ready = "yes";
