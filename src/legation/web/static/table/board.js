// A board's document, read and changed. Every change gives a new document; rows that stay are the same objects.

import { put } from "./history.js";
import { readPoints, writePoints } from "./projection.js";

/**
 * @typedef {import("./history.js").Document} Document
 * @typedef {Record<string, string>} Row
 * @typedef {{id: string, name: string, sea: boolean, row: Row, points: [number, number, number][]}} Province
 */

export const COASTS = { nc: "north coast", sc: "south coast", ec: "east coast", wc: "west coast" };
const WORDS = { nc: "north", sc: "south", ec: "east", wc: "west" };

/** @param {Document} document @returns {Map<string, Province>} */
export function provinces(document) {
  const found = new Map();
  for (const table of ["land", "sea"])
    for (const row of document.board[table] || [])
      found.set(row.id, {
        id: row.id,
        name: row.name || row.id,
        sea: table === "sea",
        row,
        points: readPoints(row.points),
      });
  return found;
}

/** @param {Document} document @param {string} table @param {(rows: Row[]) => Row[]} make */
export const table = (document, table, make) =>
  put(document, ["board", table], (rows) => {
    const made = make(rows || []);
    return made.length ? made : undefined;
  });

const tidy = (row) => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== ""));

/** Change cells of one province; an empty cell is left out. @param {Document} document @param {string} id @param {Row} cells */
export function setCells(document, id, cells) {
  const where = (document.board.sea || []).some((row) => row.id === id) ? "sea" : "land";
  return table(document, where, (rows) => rows.map((row) => (row.id === id ? tidy({ ...row, ...cells }) : row)));
}

/** @param {Document} document @param {string} id @param {number[][]} points */
export const setPoints = (document, id, points) => setCells(document, id, { points: writePoints(points) });

/** An id that is free: three letters of the name where possible, as is the custom. @param {Document} document @param {string} name */
function freeId(document, name) {
  const taken = provinces(document);
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9 ]/g, "")
    .split(" ")
    .filter(Boolean);
  const all = words.join("");
  const tries = [all.slice(0, 3)];
  if (words.length > 1)
    tries.push(
      words
        .map((word) => word[0])
        .join("")
        .slice(0, 3),
      words[0].slice(0, 2) + words[1][0],
      words[0][0] + words[1].slice(0, 2),
    );
  for (let i = 1; i < all.length; i++) for (let j = i + 1; j < all.length; j++) tries.push(all[0] + all[i] + all[j]);
  for (let number = 1; number < 1000; number++) tries.push((all || "p").slice(0, 3) + number);
  return tries.find((id) => id.length >= 2 && !taken.has(id) && !(id in COASTS)) || `p${Date.now() % 1e6}`;
}

/** @param {Document} document @param {{name: string, sea: boolean, points: number[][], cells?: Row}} given @returns {[Document, string]} */
export function addProvince(document, { name, sea, points, cells = {} }) {
  const id = freeId(document, name);
  const row = tidy({ id, name, ...(!sea && { coasts: "single" }), ...cells, points: writePoints(points) });
  return [table(document, sea ? "sea" : "land", (rows) => [...rows, row]), id];
}

const province = (location) => String(location).split("/")[0];
const unitAt = (unit) => String(unit).split(" ")[1] ?? "";

/** Rows of all tables that name a province, and its homes and units. @param {Document} document @param {(location: string) => string | null} at the new location, null for none */
function relocate(document, at) {
  for (const name of ["links", "borders", "touching"])
    if (document.board[name])
      document = table(document, name, (rows) =>
        rows.flatMap((row) => {
          const a = at(row.a);
          const b = at(row.b);
          return a === null || b === null || province(a) === province(b)
            ? []
            : a === row.a && b === row.b
              ? [row]
              : [{ ...row, a, b }];
        }),
      );
  for (const name of ["places", "seas_of_coasts", "names"])
    if (document.board[name])
      document = table(document, name, (rows) =>
        rows.flatMap((row) => {
          const id = at(row.id);
          const seas = row.seas
            ?.split("|")
            .map((sea) => at(sea))
            .filter(Boolean)
            .join("|");
          return id === null || seas === "" ? [] : [{ ...row, id, ...(seas && { seas }) }];
        }),
      );
  document = put(document, ["variant"], (facts) => relocated(facts, at));
  for (const name of Object.keys(document.editions || {}))
    document = put(document, ["editions", name], (facts) => relocated(facts, at));
  return document;
}

/** The homes and units of a variant at their new locations. */
const relocated = (variant, at) =>
  variant?.powers?.length
    ? put(variant, ["powers"], (list) =>
        list.map((power) => {
          const homes = power.homes?.map(at).filter(Boolean);
          const units = power.units?.flatMap((unit) => {
            const to = at(unitAt(unit));
            return to === null ? [] : [`${unit.split(" ")[0]} ${to}`];
          });
          return {
            ...power,
            ...(homes && { homes: [...new Set(homes)] }),
            ...(units && { units: [...new Set(units)] }),
          };
        }),
      )
    : variant;

/** @param {Document} document @param {string} id */
export function removeProvince(document, id) {
  for (const name of ["land", "sea"]) document = table(document, name, (rows) => rows.filter((row) => row.id !== id));
  return relocate(document, (location) => (province(location) === id ? null : location));
}

/** Another id for a province, everywhere. @param {Document} document @param {string} id @param {string} next */
export function renameId(document, id, next) {
  document = setCells(document, id, { id: next });
  return relocate(document, (location) => (province(location) === id ? next + location.slice(id.length) : location));
}

/**
 * One province of two: `id` takes the points of `other`. Where both have a coast, a place, a name or an owner, `id` keeps its own.
 * @param {Document} document @param {string} id @param {string} other
 */
export function merge(document, id, other) {
  const all = provinces(document);
  const [mine, theirs] = [all.get(id), all.get(other)];
  if (!mine || !theirs) return document;
  const takes = !mine.row.coasts && theirs.row.coasts;
  const points = writePoints([...mine.points, ...theirs.points].map(([x, y]) => [x, y]));
  document = setCells(document, id, {
    points,
    form: "",
    center: mine.row.center || theirs.row.center || "",
    coasts: mine.row.coasts || theirs.row.coasts || "",
  });
  document = table(document, theirs.sea ? "sea" : "land", (rows) => rows.filter((row) => row.id !== other));
  for (const name of takes ? ["places", "names"] : ["places", "names", "seas_of_coasts"])
    if (document.board[name]) document = table(document, name, (rows) => rows.filter((row) => row.id !== other));
  document = put(document, ["variant"], (facts) => yielded(facts, id, other));
  for (const name of Object.keys(document.editions || {}))
    document = put(document, ["editions", name], (facts) => yielded(facts, id, other));
  return once(
    relocate(document, (location) =>
      province(location) !== other ? location : takes ? id + location.slice(other.length) : id,
    ),
  );
}

/** The facts of a variant in which `other` is nobody's where `id` is somebody's, and holds no unit where `id` holds one. */
function yielded(facts, id, other) {
  const [mine, theirs] = [id, other].map((one) => ownerOf({ variant: facts }, one));
  if (mine.number < 0 || theirs.number < 0 || (mine.number === theirs.number && !mine.unit)) return facts;
  return settle({ variant: facts }, other, mine.number === theirs.number ? { ...theirs, unit: "" } : { number: -1 })
    .variant;
}

/** With one row for each pair of provinces where two have become one. @param {Document} document */
function once(document) {
  const pair = (row) => [...[row.a, row.b].sort(), row.kind || ""].join();
  for (const name of ["links", "borders", "touching"])
    if (document.board[name])
      document = table(document, name, (rows) => [
        ...rows
          .reduce((found, row) => {
            const there = found.get(pair(row));
            const open = (kind) => (there[kind] === "1" || row[kind] === "1" ? "1" : "0");
            return found.set(
              pair(row),
              !there ? row : name === "borders" ? { ...there, army: open("army"), fleet: open("fleet") } : there,
            );
          }, new Map())
          .values(),
      ]);
  return document;
}

/** Half of a province's points to a new one; of a single point, a second beside it. @param {Document} document @param {string} id @param {string} name @param {[number, number] | null} beside */
export function split(document, id, name, beside) {
  const { points, sea } = provinces(document).get(id) || { points: [], sea: false };
  const half = Math.ceil(points.length / 2);
  const given = points.length > 1 ? points.slice(half) : beside ? [beside] : [];
  if (points.length > 1) document = setPoints(document, id, points.slice(0, half));
  return addProvince(document, {
    name,
    sea,
    points: given.map((point) => /** @type {[number, number]} */ ([point[0], point[1]])),
  });
}

/** Where a name, a unit or a center stands. @param {Document} document @param {string} id @param {string} what @param {number[] | null} point null: where the tool puts it */
export const setPlace = (document, id, what, point) =>
  table(document, "places", (rows) => {
    const others = rows.filter((row) => row.id !== id || row.what !== what);
    const row = rows.find((one) => one.id === id && one.what === what);
    return point ? [...others, { ...row, id, what, point: writePoints([point]) }] : others;
  });

/** The coasts of a land province. @param {Document} document @param {string} id @param {Record<string, string[]>} seas by coast code, the seas it touches */
export function setCoasts(document, id, seas) {
  const codes = Object.keys(seas);
  document = setCells(document, id, { coasts: codes.length ? codes.map((code) => WORDS[code]).join("|") : "single" });
  return table(document, "seas_of_coasts", (rows) => [
    ...rows.filter((row) => row.id !== id),
    ...codes.filter((code) => seas[code].length).map((code) => ({ id, coast: code, seas: seas[code].join("|") })),
  ]);
}

/** The coast codes of a land province with several. @param {Row} row @returns {string[]} */
export function coastsOf(row) {
  const words = (row.coasts || "").split("|").filter((word) => word && word !== "single");
  return words.map((word) => Object.keys(WORDS).find((code) => WORDS[code] === word) || word);
}

/**
 * Who may pass a border: on a board whose borders follow its picture, by a row of links.csv where that differs.
 * @param {Document} document @param {string} a @param {string} b @param {{army: boolean, fleet: boolean}} now as grown
 * @param {{army: boolean, fleet: boolean}} wanted @param {string} [reason]
 */
export function setBorder(document, a, b, now, wanted, reason = "") {
  const same = (row) => (row.a === a && row.b === b) || (row.a === b && row.b === a);
  if (document.borders === "stated")
    return table(document, "borders", (rows) => {
      const others = rows.filter((row) => !same(row));
      const row = rows.find(same) || { a, b };
      return wanted.army || wanted.fleet
        ? [...others, { ...row, army: wanted.army ? "1" : "0", fleet: wanted.fleet ? "1" : "0" }]
        : others;
    });
  return table(document, "links", (rows) => {
    const [others, mine] = [rows.filter((row) => !same(row)), rows.filter(same)];
    const change = {};
    for (const kind of ["army", "fleet"]) {
      const row = mine.find((one) => one.kind === kind || one.kind === "both");
      const picture = row ? row.change === "remove" : now[kind];
      if (picture !== wanted[kind]) change[kind] = wanted[kind] ? "add" : "remove";
    }
    const kinds = change.army && change.army === change.fleet ? ["both"] : Object.keys(change);
    const said = reason || mine[0]?.reason || "";
    return [
      ...others,
      ...kinds.map((kind) =>
        tidy({ a, b, kind, change: change[kind === "both" ? "army" : kind], reason: said, draw: mine[0]?.draw || "" }),
      ),
    ];
  });
}

/** @param {Document} document @returns {any[]} */
export const powers = (document) => document.variant?.powers || [];

/** Centers that win: more than half of them. @param {Document} document */
export const majority = (document) =>
  Math.floor((document.board.land || []).filter((row) => row.center === "1").length / 2) + 1;

/** With a variant of its own, if the board has none yet. @param {Document} document */
export function withVariant(document) {
  if (powers(document).length || Object.keys(document.variant || {}).length > 2) return document;
  const { title, name } = document.board;
  return {
    ...document,
    variant: {
      title,
      board: name,
      rules_of: "standard",
      rules: { solo: { centers: majority(document) } },
      powers: [],
      ...document.variant,
    },
  };
}

/** @param {Document} document @param {number} number @param {any} values */
export const setPower = (document, number, values) =>
  put(document, ["variant", "powers", number], (power) => {
    const made = { ...power, ...values };
    for (const name of Object.keys(values)) if (values[name] === undefined || values[name] === "") delete made[name];
    return made;
  });

/** The power that has its home in a province, and the unit that it begins with there. @param {Document} document @param {string} id */
export function ownerOf(document, id) {
  const number = powers(document).findIndex(
    (power) => (power.homes || []).includes(id) || (power.units || []).some((unit) => province(unitAt(unit)) === id),
  );
  const unit =
    number < 0 ? "" : (powers(document)[number].units || []).find((one) => province(unitAt(one)) === id) || "";
  return { number, unit, home: number >= 0 && (powers(document)[number].homes || []).includes(id) };
}

/**
 * What a province holds when the game begins.
 * @param {Document} document @param {string} id @param {{number: number, unit?: string, home?: boolean}} given number -1: nobody's
 */
export function settle(document, id, { number, unit = "", home = false }) {
  return powers(document).reduce((made, power, i) => {
    const without = {
      homes: (power.homes || []).filter((at) => at !== id),
      units: (power.units || []).filter((one) => province(unitAt(one)) !== id),
    };
    if (i === number && home) without.homes.push(id);
    if (i === number && unit) without.units.push(unit);
    const changes =
      without.homes.length !== (power.homes || []).length ||
      without.units.join() !== (power.units || []).join() ||
      without.homes.join() !== (power.homes || []).join();
    return changes ? setPower(made, i, without) : made;
  }, document);
}

/** Centers to win that nobody chose follow the number of centers. @param {Document} before @param {Document} after */
export function followCenters(before, after) {
  const wanted = majority(after);
  const follow = Object.entries(after.variant?.rules ?? {}).filter(([, set]) => set?.centers === majority(before));
  return follow.reduce(
    (made, [rule]) =>
      wanted === majority(before) ? made : put(made, ["variant", "rules", rule, "centers"], () => wanted),
    after,
  );
}

/**
 * Lands that touch no water have no coast; those that were made inland by this have their coast back when they touch it.
 * @param {Document} document @param {any} grown the whole growth of this document @param {string[]} inland made so before
 * @returns {[Document, string[]]}
 */
export function followShores(document, grown, inland) {
  const wet = (id) => (grown.shores?.[id] || []).some(({ seas }) => seas.length);
  const dry = (document.board.land || [])
    .filter((row) => row.form !== "box" && row.coasts && grown.provinces[row.id] && !wet(row.id))
    .map((row) => row.id);
  const back = inland.filter(
    (id) => wet(id) && (document.board.land || []).some((row) => row.id === id && !row.coasts),
  );
  for (const id of dry) document = setCells(document, id, { coasts: "" });
  for (const id of back) document = setCells(document, id, { coasts: "single" });
  return [document, [...inland.filter((id) => !back.includes(id)), ...dry]];
}
