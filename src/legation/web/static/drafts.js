// Drafts in step between the devices of a person. Each device has a key of its own, whose private half nobody reads; a
// draft is sealed to all of them before it leaves the browser, in a size that tells nothing of its content. The office
// keeps the last one, and can't open it.

import { deviceKey } from "./proofs.js";

const PAUSE = 1200; // milliseconds without a change before a draft is passed on
const LOOK = 30000; // milliseconds between two looks at what other devices wrote
const LEAST = 4096; // bytes of the smallest draft
const CURVE = { name: "ECDH", namedCurve: "P-256" };
const WRAP = { name: "AES-KW", length: 256 };

const text64 = (bytes) =>
  btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const bytes64 = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
const publicKey = (text) => crypto.subtle.importKey("raw", bytes64(text), CURVE, true, []);
const shared = (own, theirs, use) => crypto.subtle.deriveKey({ name: "ECDH", public: theirs }, own, WRAP, false, [use]);

/** Seal something to the keys of devices. @param {any} content @param {string[]} devices */
export async function sealed(content, devices) {
  const plain = new TextEncoder().encode(JSON.stringify(content));
  const padded = new Uint8Array(Math.max(LEAST, 2 ** Math.ceil(Math.log2(plain.length))));
  padded.set(plain);
  const once = await crypto.subtle.generateKey(CURVE, false, ["deriveKey"]);
  const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, true, ["encrypt"]);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const keys = {};
  for (const device of devices) {
    const wrap = await shared(once.privateKey, await publicKey(device), "wrapKey");
    keys[device] = text64(await crypto.subtle.wrapKey("raw", key, wrap, "AES-KW"));
  }
  const box = text64(await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, padded));
  return { from: text64(await crypto.subtle.exportKey("raw", once.publicKey)), iv: text64(iv), box, keys };
}

/** Open what was sealed to a device's key. @param {any} seal @param {any} own */
export async function opened(seal, own) {
  const wrap = await shared(own.privateKey, await publicKey(seal.from), "unwrapKey");
  const key = await crypto.subtle.unwrapKey("raw", bytes64(seal.keys[own.public]), wrap, "AES-KW", "AES-GCM", false, [
    "decrypt",
  ]);
  const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv: bytes64(seal.iv) }, key, bytes64(seal.box));
  return JSON.parse(new TextDecoder().decode(plain).replace(/\0+$/, ""));
}

/** A draft that follows the person. ``take`` gets what another device wrote, ``now`` tells what stands here. */
export class Drafts {
  constructor(where, turn, now, take) {
    this.where = where;
    this.turn = turn;
    this.now = now;
    this.take = take;
    this.known = ""; // the last seal that was made or opened here
    this.told = ""; // what it holds
    this.devices = [];
  }

  async start() {
    this.own = await deviceKey();
    await this.look();
    addEventListener("visibilitychange", () => (document.hidden ? this.pass() : this.look()));
    setInterval(() => document.hidden || this.look(), LOOK);
  }

  async ask(seal) {
    const fields = { device: this.own.public, turn: this.turn, ...(seal && { sealed: seal }) };
    const answer = await fetch(this.where, { method: "POST", body: new URLSearchParams(fields), keepalive: !!seal });
    return answer.ok ? answer.json() : null;
  }

  async look() {
    const answer = await this.ask("").catch(() => null);
    if (!answer) return;
    const more = answer.devices.some((device) => !this.devices.includes(device));
    this.devices = answer.devices;
    if (answer.sealed && answer.sealed !== this.known) {
      const seal = JSON.parse(answer.sealed);
      this.known = answer.sealed;
      if (seal.keys[this.own.public]) {
        const content = await opened(seal, this.own);
        const before = this.told;
        this.told = JSON.stringify(content);
        if (this.told !== JSON.stringify(this.now())) this.take(content, before);
        return;
      }
    }
    if (more) this.pass(true); // to a device that could not open the last one
  }

  changed() {
    clearTimeout(this.waits);
    this.waits = setTimeout(() => this.pass(), PAUSE);
  }

  async pass(again = false) {
    clearTimeout(this.waits);
    const content = this.now();
    const told = JSON.stringify(content);
    const news = told !== this.told && (content.text || this.told);
    if (this.devices.length < 2 || !(news || (again && this.told))) return;
    const seal = JSON.stringify(await sealed(content, this.devices));
    if (await this.ask(seal).catch(() => null)) [this.known, this.told] = [seal, told];
  }
}
