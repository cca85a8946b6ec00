// Boards of the drawing table: provinces that become one, what was written of both, and centers that are counted.

import assert from "node:assert/strict";
import { test } from "node:test";
import { followCenters, merge, split } from "../../src/legation/web/static/table/board.js";

const land = (id, more = {}) => ({ id, name: id.toUpperCase(), coasts: "single", points: "1 1", ...more });
const document = (board = {}, variant = {}) => ({
  borders: "picture",
  board: {
    land: [land("one"), land("two", { center: "1", points: "2 2; 3 3 r4" }), land("tre")],
    sea: [{ id: "sea", name: "Sea", points: "9 9" }],
    ...board,
  },
  variant,
});
const row = (made, id) => made.board.land.find((one) => one.id === id);

test("of two provinces one is left, with the points and the center of both", () => {
  const made = merge(document(), "one", "two");
  assert.deepEqual(
    made.board.land.map(({ id }) => id),
    ["one", "tre"],
  );
  assert.equal(row(made, "one").points, "1 1; 2 2; 3 3");
  assert.equal(row(made, "one").center, "1");
});

test("links of both to a third are one link, and those between them are gone", () => {
  const links = [
    ["one", "two"],
    ["one", "tre"],
    ["tre", "two"],
  ].map(([a, b]) => ({ a, b, kind: "both", change: "remove" }));
  assert.deepEqual(merge(document({ links }), "one", "two").board.links, [
    { a: "one", b: "tre", kind: "both", change: "remove" },
  ]);
});

test("stated borders of both to a third let pass whom either let pass", () => {
  const borders = [
    { a: "one", b: "two", army: "1", fleet: "1" },
    { a: "one", b: "tre", army: "1", fleet: "0" },
    { a: "two", b: "tre", army: "0", fleet: "1" },
  ];
  assert.deepEqual(merge(document({ borders }), "one", "two").board.borders, [
    { a: "one", b: "tre", army: "1", fleet: "1" },
  ]);
});

test("names and places are those of the province that is left", () => {
  const made = merge(
    document({
      places: [
        { id: "one", what: "label", point: "1 1" },
        { id: "two", what: "label", point: "2 2" },
      ],
      names: [
        { id: "one", language: "de", name: "Eins" },
        { id: "two", language: "de", name: "Zwei" },
      ],
    }),
    "one",
    "two",
  );
  assert.deepEqual(made.board.places, [{ id: "one", what: "label", point: "1 1" }]);
  assert.deepEqual(made.board.names, [{ id: "one", language: "de", name: "Eins" }]);
});

test("an inland province that takes one on the coast has its coasts; one on the coast keeps its own", () => {
  const coasts = { coasts: "north|south" };
  const seas_of_coasts = [{ id: "two", coast: "nc", seas: "sea" }];
  const units = { powers: [{ homes: ["two"], units: ["F two/nc"] }] };
  const inland = merge(
    document({ land: [land("one", { coasts: "" }), land("two", coasts)], seas_of_coasts }, units),
    "one",
    "two",
  );
  assert.equal(row(inland, "one").coasts, "north|south");
  assert.deepEqual(inland.board.seas_of_coasts, [{ id: "one", coast: "nc", seas: "sea" }]);
  assert.deepEqual(inland.variant.powers[0].units, ["F one/nc"]);
  const single = merge(document({ land: [land("one"), land("two", coasts)], seas_of_coasts }, units), "one", "two");
  assert.equal(row(single, "one").coasts, "single");
  assert.equal(single.board.seas_of_coasts, undefined);
  assert.deepEqual(single.variant.powers[0].units, ["F one"]);
});

test("what was two powers' is the power's whose province is left, with one unit at most", () => {
  const two = merge(
    document(
      {},
      {
        powers: [
          { homes: ["one"], units: ["A one"] },
          { homes: ["two", "tre"], units: ["F two"] },
        ],
      },
    ),
    "one",
    "two",
  );
  assert.deepEqual(two.variant.powers, [
    { homes: ["one"], units: ["A one"] },
    { homes: ["tre"], units: [] },
  ]);
  const own = merge(document({}, { powers: [{ homes: ["one", "two"], units: ["A one", "F two"] }] }), "one", "two");
  assert.deepEqual(own.variant.powers, [{ homes: ["one"], units: ["A one"] }]);
  const free = {
    ...document({}, { powers: [] }),
    editions: { late: { powers: [{ homes: ["two"], units: ["A two"] }] } },
  };
  assert.deepEqual(merge(free, "one", "two").editions.late.powers, [{ homes: ["one"], units: ["A one"] }]);
});

test("a province of several points gives half of them away, one of a single point a place beside it", () => {
  const [halved, id] = split(document(), "two", "New", null);
  assert.deepEqual([row(halved, "two").points, row(halved, id).points], ["2 2", "3 3"]);
  const [made, other] = split(document(), "one", "New", [5, 5]);
  assert.deepEqual([row(made, "one").points, row(made, other).points], ["1 1", "5 5"]);
});

test("centers to win that nobody chose follow the number of centers, in whichever rule counts them", () => {
  const lands = (count) => ({ land: Array.from({ length: count }, (_, i) => land(`p${i}`, { center: "1" })) });
  const rules = { solo: { centers: 2 }, shared: { centers: 2, powers: 3 }, chosen: { centers: 7 } };
  const made = followCenters(document(lands(3), { rules }), document(lands(9), { rules }));
  assert.deepEqual(made.variant.rules, {
    solo: { centers: 5 },
    shared: { centers: 5, powers: 3 },
    chosen: { centers: 7 },
  });
  const same = document(lands(3), { rules });
  assert.equal(followCenters(same, same), same);
});
