// A sheet of orders and the steps back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Grammar } from "../../src/legation/web/static/choices.js";
import { OrderSheet } from "../../src/legation/web/static/order-sheet.js";

const march = /** @type {any} */ (["march", "par", "", "bur", "A par - bur", ""]);

function sheet() {
  const made = new OrderSheet(new Grammar({ march: { taps: "place" } }), ["France"], false);
  made.give("par", "France", march);
  made.shown = made.text();
  return made;
}

test("a step back brings cleared orders back, a step forward clears them again", () => {
  const made = sheet();
  made.clear();
  assert.equal(made.text(), "");
  made.shown = "";
  assert.deepEqual(made.go(false)?.text, "A par - bur\n");
  assert.equal(made.text(), "A par - bur\n");
  assert.deepEqual(made.go(true)?.text, "");
  assert.equal(made.text(), "");
  assert.equal(made.go(true), null);
});

test("what was typed and not read yet comes back as it was typed, to be read", () => {
  const made = sheet();
  made.clear("A Paris to Burgundy, please");
  made.shown = "";
  const step = made.go(false);
  assert.equal(step?.text, "A Paris to Burgundy, please");
  assert.equal(step?.typed, true);
  assert.equal(made.text(), "A par - bur\n");
});
