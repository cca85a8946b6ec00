// The figures of several games on a board as one report.

import assert from "node:assert/strict";
import { test } from "node:test";
import { reportOf } from "../../src/legation/web/static/table/tries.js";

const power = (name, solos, score) => ({ power: name, solos, score, survives: 1 });

test("figures are means of a game, and nothing is unreached that one game reached", () => {
  const one = { powers: [power("N", 1, 1), power("S", 0, 0)], turns: [2, 0], centers: { a: 2 }, unreached: ["x", "y"] };
  const two = {
    powers: [power("N", 0, 0.5), power("S", 0, 0.5)],
    turns: [4],
    centers: { a: 1, b: 3 },
    unreached: ["y"],
  };
  assert.deepEqual(reportOf([one, two]), {
    games: 2,
    powers: [power("N", 0.5, 0.75), power("S", 0, 0.25)],
    unevenness: 0.5,
    mean_turns: 1.5,
    turns: [3, 0],
    centers: [
      { center: "a", changes: 1.5 },
      { center: "b", changes: 1.5 },
    ],
    unreached: ["y"],
  });
});
