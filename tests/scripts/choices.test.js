// The grammar of orders, by the choices of a made-up turn: no name of an order means anything to it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Grammar, fill, province, reworded, write } from "../../src/legation/web/static/choices.js";

/** @type {Record<string, import("../../src/legation/web/static/choices.js").Gesture>} */
const GESTURES = {
  hold: { taps: "again" },
  march: { taps: "place" },
  sail: { taps: "place", rank: -1 },
  aid: { taps: "helped", rank: 1, label: "Aid {whom}[ to {to}]" },
  carry: { taps: "helped", carries: true },
  found: { taps: "site", counts: "build" },
  pass: { repeats: true, counts: "build" },
  vote: { group: "Vote" },
};
const grammar = new Grammar(GESTURES);
/** @type {(...parts: string[]) => any} */
const choice = (gesture, at = "", whom = "", to = "", text = `${gesture} ${at}`, label = "") => [
  gesture,
  at,
  whom,
  to,
  text,
  label,
];
const unit = {
  kind: "A",
  at: "par",
  power: "France",
  choices: [
    choice("hold", "par"),
    choice("march", "par", "", "bur"),
    choice("sail", "par", "", "bur"),
    choice("aid", "par", "mar", "bur"),
    choice("carry", "par", "mar/sc", "spa"),
    choice("aid", "par", "mun"),
  ],
};
const named = (place) => ({ mar: "Marseilles", bur: "Burgundy" })[place] || place;

test("the province of a coast", () => {
  assert.deepEqual(["par", "spa/sc"].map(province), ["par", "spa"]);
});

test("a template goes without what its brackets hold where their place is empty", () => {
  const template = "{unit} S {whom}[ - {to}]";
  assert.equal(fill(template, { unit: "A par", whom: "A mar", to: "bur" }), "A par S A mar - bur");
  assert.equal(fill(template, { unit: "A par", whom: "A mar", to: "" }), "A par S A mar");
  assert.equal(fill("[always] {gone}", {}), "always ");
});

test("an order that is in no list is asked for as its gesture has it, or like one that is", () => {
  const asking = new Grammar({
    march: { taps: "place", asks: "{unit} - {to}" },
    sail: { taps: "place" },
    aid: { taps: "helped" },
  });
  const mar = { kind: "A", at: "mar", power: "France", choices: [] };
  const other = { kind: "F", at: "nth", power: "France", choices: [] };
  const par = {
    ...mar,
    at: "par",
    choices: [
      choice("sail", "par", "", "bur", "A par sails over par to bur"),
      choice("aid", "par", "mar", "", "A par aids A mar"),
      choice("aid", "par", "mar", "bur", "A par aids A mar to bur"),
    ],
  };
  const units = new Map([mar, other, par].map((one) => [one.at, one]));
  const asked = (...about) => asking.asking(units, par, ...about);
  assert.equal(asked("march", "", "pru"), "A par - pru");
  assert.equal(asked("sail", "", "pru"), "A par sails over par to pru");
  assert.equal(asked("aid", "nth", ""), "A par aids F nth");
  assert.equal(asked("aid", "mar", "gas"), "A par aids A mar to gas");
  assert.equal(asked("aid", "nth", "bur"), "A par aids F nth to bur");
  assert.equal(asking.asking(units, mar, "sail", "", "pru"), "");
});

test("a text is reworded only where it is plain what is meant", () => {
  assert.equal(reworded("fort in par", [["par", "mar"]]), "fort in mar");
  assert.equal(reworded("par to par", [["par", "mar"]]), "");
  assert.equal(reworded("nothing there", [["par", "mar"]]), "");
});

test("a choice is named by its own label, its gesture's, or its text", () => {
  assert.equal(grammar.label(choice("aid", "par", "mar", "bur"), named), "Aid Marseilles to Burgundy");
  assert.equal(grammar.label(choice("aid", "par", "mar"), named), "Aid Marseilles");
  assert.equal(grammar.label(choice("aid", "par", "mar", "", "text", "said"), named), "said");
  assert.equal(grammar.label(choice("hold", "par"), named), "hold par");
  assert.equal(grammar.label(choice("unknown", "par"), named), "unknown par");
});

test("a unit helps whoever stands in a province, on whichever coast", () => {
  assert.deepEqual(
    grammar.helps(unit, "mar").map((c) => c[0]),
    ["aid", "carry"],
  );
  assert.deepEqual(
    grammar.helps(unit, "mar", "carry").map((c) => c[3]),
    ["spa"],
  );
  assert.deepEqual(grammar.helps(unit, "gas"), []);
});

test("the gesture that is meant comes first, the others as they were", () => {
  assert.deepEqual(grammar.named(unit, "helped"), ["carry", "aid"]);
  assert.deepEqual(grammar.named(unit, "place"), ["sail", "march"]);
  const [first, others] = grammar.ranked(unit.choices.slice(0, 3));
  assert.equal(first[0], "sail");
  assert.deepEqual(
    others.map((c) => c[0]),
    ["hold", "march"],
  );
  assert.equal(unit.choices[0][0], "hold", "the unit's own list stays in order");
});

test("gestures that come later count", () => {
  const own = { ...GESTURES };
  const later = new Grammar(own);
  own.lend = { taps: "again" };
  assert.ok(later.taps(choice("lend", "par"), "again"));
});

test("an order has its place on the sheet", () => {
  const sheet = new Map();
  assert.equal(grammar.key(sheet, "France", choice("march", "spa/sc", "", "por")), "spa");
  assert.equal(grammar.key(sheet, "France", choice("found", "spa/sc", "F")), "build spa");
  assert.equal(grammar.key(sheet, "France", choice("vote", "", "Italy")), "vote France Italy");
  const twice = ["", ""].map(() => {
    const given = choice("pass");
    const key = grammar.key(sheet, "France", given);
    sheet.set(key, { power: "France", choice: given });
    return key;
  });
  assert.equal(new Set(twice).size, 2, "what may be given twice stands there twice");
  assert.equal(
    grammar.key(new Map([["vote France Italy", null]]), "France", choice("vote", "", "Italy")),
    "vote France Italy",
  );
});

test("what was typed is read: orders, and lines that stay as they were written", () => {
  const march = choice("march", "par", "", "bur", "A par - bur");
  const pass = choice("pass", "", "", "", "waive");
  const line = (text, given = null, more = {}) => ({ text, power: "France", choice: given, ...more });
  const { sheet, unread } = grammar.read([
    line("A Paris to Burgundy", march),
    line("waive", pass),
    line("waive", pass),
    line("  # a plan"),
    line(""),
    line("A moon - cheese", null, { problem: { message: "no place" } }),
    line("A par - mos", choice("march", "par", "", "mos"), { problem: {} }),
    line("France:", null),
    line("if it rains", null, { keep: true }),
  ]);
  assert.deepEqual([...sheet.keys()].slice(0, 1), ["par"]);
  assert.equal(sheet.get("par").choice, march, "an order that cannot be does not take the place of one that can");
  assert.equal(sheet.size, 3);
  assert.deepEqual(unread, { France: ["  # a plan", "A moon - cheese", "A par - mos", "if it rains"] });
  assert.equal(
    write(sheet, unread, ["France"], false),
    "A par - bur\nwaive\nwaive\n  # a plan\nA moon - cheese\nA par - mos\nif it rains\n",
  );
});

test("a later line for the same unit takes the place of the earlier", () => {
  const { sheet } = grammar.read(
    ["bur", "gas"].map((to) => ({ text: to, power: "France", choice: choice("march", "par", "", to) })),
  );
  assert.deepEqual(
    [...sheet.values()].map((given) => given.choice[3]),
    ["gas"],
  );
});

test("sheets of several powers stand below their names, in the powers' order; an empty sheet is empty", () => {
  const sheet = new Map([
    ["mun", { power: "Germany", choice: choice("hold", "mun") }],
    ["par", { power: "France", choice: choice("hold", "par") }],
  ]);
  assert.equal(
    write(sheet, { Italy: ["# asleep"] }, ["France", "Germany", "Italy", "Turkey"], true),
    "France\nhold par\n\nGermany\nhold mun\n\nItaly\n# asleep\n",
  );
  assert.equal(write(new Map(), {}, ["France"], false), "");
});

test("the shortest chain of a power's own units that carries another of it", () => {
  const sails = (at, ...places) => places.map((to) => choice("sail", at, "", to));
  const army = { kind: "A", at: "lon", power: "England", choices: [choice("march", "lon", "", "tun")] };
  const fleet = (at, power, ...places) => ({
    kind: "F",
    at,
    power,
    choices: [...sails(at, ...places), choice("carry", at, "lon", "tun", `F ${at} C`)],
  });
  const fleets = [
    fleet("nth", "England", "lon", "eng"),
    fleet("eng", "England", "lon", "nth", "mao"),
    fleet("mao", "England", "eng", "wes"),
    fleet("wes", "England", "mao", "tun"),
    fleet("naf", "France", "lon", "tun"),
  ];
  const units = new Map([army, ...fleets].map((one) => [one.at, one]));
  const ways = (may = (_carrier, _choice) => true) =>
    grammar.routes(units, army, "tun", may).map((way) => way.map(([carrier]) => carrier.at));
  assert.deepEqual(ways(), [["eng", "mao", "wes"]]);
  assert.deepEqual(
    ways((carrier) => carrier.at !== "eng"),
    [],
  );
  fleets[0].choices.push(choice("sail", "nth", "", "tun"));
  assert.deepEqual(ways(), [["nth"]]); // the longer way is not asked about
  fleets[1].choices.push(choice("sail", "eng", "", "tun"));
  assert.deepEqual(ways(), [["nth"], ["eng"]]);
  units.delete("eng");
  units.delete("nth");
  assert.deepEqual(ways(), []);
  assert.deepEqual(
    grammar.routes(units, army, "por", () => true),
    [],
  );
});
