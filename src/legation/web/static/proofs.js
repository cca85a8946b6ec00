// What a page can check and sign by itself: canonical JSON, commitments, Ed25519 (docs/proofs.md is the format).

const bytes = (hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16));
export const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// RFC 8785, for the values that Legation writes: no numbers but integers, keys in ASCII.
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join(",")}}`;
}

const statement = (what, value) => new TextEncoder().encode(`legation/${what}/2\n${canonical(value)}`);

export const digest = async (what, value) => hex(await crypto.subtle.digest("SHA-256", statement(what, value)));

export async function signed(key, signature, what, value) {
  const known = await crypto.subtle.importKey("raw", bytes(key), "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", known, bytes(signature), statement(what, value));
}

export const sign = async (pair, what, value) =>
  hex(await crypto.subtle.sign("Ed25519", pair.privateKey, statement(what, value)));

// Whether this browser knows Ed25519; pages without https have no cryptography at all.
export async function knowsKeys() {
  try {
    await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
    return true;
  } catch {
    return false;
  }
}

// The key of a seat: made here, kept in this browser, its private half out of anybody's reach, this page's too.
export async function seatKey(game, seat) {
  const name = `${game} ${seat}`;
  const kept = await keptKey(game, seat);
  if (kept) return kept;
  const pair = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
  const made = { public: hex(await crypto.subtle.exportKey("raw", pair.publicKey)), privateKey: pair.privateKey };
  await keys("readwrite", (store) => store.put(made, name));
  return made;
}

// The key of a seat that this browser has made before, if it has.
export const keptKey = (game, seat) => keys("readonly", (store) => store.get(`${game} ${seat}`));

// The key of this device, to which drafts are sealed that follow their writer (drafts.js).
export async function deviceKey() {
  const kept = await keys("readonly", (store) => store.get("device"));
  if (kept) return kept;
  const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, false, ["deriveKey"]);
  const raw = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const text = btoa(String.fromCharCode(...raw))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  const made = { public: text, privateKey: pair.privateKey };
  await keys("readwrite", (store) => store.put(made, "device"));
  return made;
}

function keys(mode, ask) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("legation", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("seat keys");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const asked = ask(opening.result.transaction("seat keys", mode).objectStore("seat keys"));
      asked.onsuccess = () => {
        opening.result.close();
        resolve(asked.result);
      };
      asked.onerror = () => reject(asked.error);
    };
  });
}

// A text as it is kept from the door on.
export const clean = (text) => text.replace(/\r\n?/g, "\n").normalize("NFC");

// Whether the parts of a sheet, laid over each other, are the sheet: each line in exactly one of them, at its place.
export function isWhole(text, parts) {
  const lines = clean(text).split("\n");
  const laid = parts.map((part) => part.text.split("\n"));
  return (
    laid.every((part) => part.length <= lines.length) &&
    lines.every((line, number) => {
      const here = laid.map((part) => part[number] || "").filter((part) => part);
      return line ? here.length === 1 && here[0] === line : !here.length;
    })
  );
}

// The fields that an opening shows, once they fit its commitment.
export async function fields(opening) {
  const hashes = { ...opening.closed };
  for (const [name, { salt, value }] of Object.entries(opening.opened))
    hashes[name] = await digest("field", { name, salt, value });
  if ((await digest("submission", hashes)) !== opening.commitment)
    throw new Error("what it shows does not fit its commitment");
  return Object.fromEntries(Object.entries(opening.opened).map(([name, field]) => [name, field.value]));
}

// Check a receipt against what this page sent; throws with what is wrong. Says whether the signature was checked, too.
export async function checkReceipt(receipt, sent) {
  const same = (name, value, wanted) => {
    if (canonical(value ?? null) !== canonical(wanted ?? null))
      throw new Error(`it is of another ${name} than was sent`);
  };
  same("game", receipt.game, sent.game);
  same("seat", receipt.seat, sent.seat);
  same("turn", receipt.turn, sent.turn);
  same("number of records", receipt.openings.length, sent.parts.length);
  for (const [number, opening] of receipt.openings.entries()) {
    const shown = await fields(opening);
    const part = sent.parts[number];
    same("commitment", receipt.records[number], { commitment: opening.commitment, turn: part.turn });
    for (const [name, wanted] of Object.entries({
      game: sent.game,
      seat: sent.seat,
      turn: part.turn,
      given_in: sent.turn,
      version: receipt.version,
      received: receipt.received,
    }))
      same(name.replace("_", " "), shown[name], wanted);
    same("sender", shown.entered_by, "holder");
    same("text", shown.text, part.text);
    same("pictures", shown.files, []);
    same("nonce", shown.nonce, sent.nonce);
    same("signature", shown.signature?.signature, part.signature);
  }
  if (!(await knowsKeys())) return false;
  const { signature, openings, ...statement } = receipt;
  if (!(await signed(receipt.office, signature, "receipt", statement)))
    throw new Error("the office’s signature does not fit");
  return true;
}

// A receipt as lines that mail programs leave alone.
export function receiptText(receipt) {
  const packed = btoa(String.fromCharCode(...new TextEncoder().encode(canonical(receipt))));
  return [
    "-----BEGIN LEGATION RECEIPT-----",
    ...(packed.match(/.{1,64}/g) ?? []),
    "-----END LEGATION RECEIPT-----",
    "",
  ].join("\n");
}
