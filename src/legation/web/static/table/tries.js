// Trying the board: in the sandbox, against bots, and many games between bots to see how even it is.

import { call } from "./calls.js";
import { button, el, field, select, shape } from "./elements.js";
import { swatch } from "./powers.js";

/** @typedef {import("./table.js").Table} Table */

/** @param {Table} table */
export function tryPanel(table) {
  const { tries } = table;
  const powers = table.document.variant?.powers || [];
  const faults = table.findings.filter((one) => one.level === "fault");
  return [
    faults.length
      ? el(
          "p",
          { class: "notice wrong" },
          faults.length > 1
            ? `${faults.length} problems must be mended first; see the list under Draw.`
            : "A problem must be mended first; see the list under Draw.",
        )
      : null,
    tries.error ? el("p", { class: "notice wrong", role: "alert" }, tries.error) : null,
    el("h3", {}, "Sandbox"),
    el(
      "p",
      {},
      "Order for all powers, see results and reasons, step back. The board opens as it is now, in a new tab.",
    ),
    el(
      "p",
      { class: "acts" },
      button("Open in the sandbox", () => open(table, "sandbox"), {
        id: "try-sandbox",
        class: "primary",
        disabled: tries.busy,
      }),
    ),
    el("h3", {}, "Against bots"),
    el("p", {}, "Play one power yourself, and bots play the others."),
    powers.length
      ? el(
          "div",
          { class: "fields" },
          field(
            "try-power",
            "Your power",
            select(
              powers.map(({ name }) => [name, name]),
              tries.power || powers[0].name,
              (name) => {
                tries.power = name;
              },
            ),
          ),
        )
      : null,
    el(
      "p",
      { class: "acts" },
      button("Play against bots now", () => open(table, "play"), {
        id: "try-play",
        disabled: tries.busy || !powers.length,
      }),
    ),
    el("h3", {}, "Balance"),
    el(
      "p",
      {},
      "Bots play many games; see who wins, which centers change hands and when, and what nobody ever reaches.",
    ),
    el(
      "div",
      { class: "fields" },
      field(
        "try-games",
        "Games",
        select(
          [
            ["20", "A first look: 20"],
            ["60", "60"],
            ["200", "Some minutes: 200"],
          ],
          tries.games,
          (games) => {
            tries.games = games;
          },
        ),
      ),
    ),
    el(
      "p",
      { class: "acts" },
      tries.running
        ? button(
            "Stop",
            () => {
              tries.running = null;
              table.render();
            },
            { id: "try-stop" },
          )
        : button("Measure the balance", () => measure(table), { id: "try-balance", disabled: faults.length > 0 }),
    ),
    tries.running
      ? el(
          "label",
          { for: "try-progress" },
          `${tries.done} of ${tries.of} games`,
          el("progress", { id: "try-progress", max: tries.of, value: tries.done }),
        )
      : null,
    el(
      "div",
      { class: "compare" },
      tries.reports.map((one, i) => report(table, one, i)),
    ),
  ];
}

async function open(table, way) {
  const { tries } = table;
  const tab = window.open("", "_blank"); // at once, for browsers that stop later ones
  tries.busy = true;
  tries.error = "";
  table.render();
  try {
    const address = `/sandbox/new?variant=${await keep(table)}${way === "play" ? `&play=${encodeURIComponent(tries.power || table.document.variant.powers[0].name)}` : ""}`;
    tab ? tab.location.replace(address) : location.assign(address);
  } catch (error) {
    tab?.close();
    tries.error = error.message;
  }
  tries.busy = false;
  table.render();
}

/** Have the board kept as a variant that can be played; its name there. */
export async function keep(table) {
  const { variant, findings = [] } = await call("/table/try", { document: table.sent() });
  if (!variant || !table.document.variant?.powers?.length)
    throw new Error("This board has no powers yet: add them under Powers.");
  if (findings.length) table.say(findings.join(" "));
  return variant;
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function measure(table) {
  const { tries } = table;
  const run = (tries.running = {});
  const games = [];
  Object.assign(tries, { done: 0, of: Number(tries.games), error: "" });
  table.render();
  try {
    const variant = await keep(table);
    while (tries.running === run && games.length < tries.of) {
      const game = await call("/table/balance", { variant, number: games.length }).catch((error) => {
        if (error.status === 503 || error.status === 429) return null;
        throw error;
      });
      if (!game) await pause(2000);
      if (!game || tries.running !== run) continue;
      tries.done = games.push(game);
      const mine = tries.reports.find((one) => one.run === run);
      if (mine) mine.report = reportOf(games);
      else {
        const after = table.history.done.at(-1)?.what || "";
        tries.reports = [...tries.reports.slice(-1), { run, report: reportOf(games), after }];
      }
      table.render();
    }
  } catch (error) {
    tries.error = error.message;
  }
  if (tries.running === run) tries.running = null;
  table.render();
}

/** The figures of games together: means of a game, and what none of them reached. */
export function reportOf(games) {
  const [first] = games;
  const mean = (figure) => games.reduce((sum, game) => sum + figure(game), 0) / games.length;
  const powers = first.powers.map(({ power }, n) => ({
    power,
    ...Object.fromEntries(["solos", "score", "survives"].map((what) => [what, mean((game) => game.powers[n][what])])),
  }));
  const off = powers.reduce((sum, { score }) => sum + Math.abs(score - 1 / powers.length), 0);
  const length = Math.max(...games.map((game) => game.turns.length));
  const centers = [...new Set(games.flatMap((game) => Object.keys(game.centers)))];
  return {
    games: games.length,
    powers,
    unevenness: powers.length > 1 ? off / 2 / (1 - 1 / powers.length) : 0,
    mean_turns: mean((game) => game.turns.length),
    turns: Array.from({ length }, (_, n) => mean((game) => game.turns[n] || 0)),
    centers: centers
      .map((center) => ({ center, changes: mean((game) => game.centers[center] || 0) }))
      .sort((a, b) => b.changes - a.changes),
    unreached: first.unreached.filter((name) => games.every((game) => game.unreached.includes(name))),
  };
}

const percent = (share) => `${Math.round(100 * share)} %`;

/** One run; beside it the one before. */
function report(table, { report, after }, i) {
  const before = i ? table.tries.reports[i - 1].report : null;
  const colors = new Map((table.document.variant?.powers || []).map((power) => [power.name, power.color]));
  const change = (now, then) =>
    then === undefined || Math.round(100 * now) === Math.round(100 * then)
      ? ""
      : ` (${now > then ? "+" : "−"}${Math.abs(Math.round(100 * (now - then)))})`;
  const powers = report.powers.map((row) => {
    const then = before?.powers.find((one) => one.power === row.power);
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, el("span", { class: "power" }, swatch(colors.get(row.power)), row.power)),
      el("td", { class: "number" }, percent(row.solos), change(row.solos, then?.solos)),
      el("td", { class: "number" }, percent(row.score), change(row.score, then?.score)),
      el("td", { class: "number" }, percent(row.survives)),
    );
  });
  const never = report.unreached;
  const hot = report.centers.slice(0, 8);
  const most = Math.max(...report.turns, 0.01);
  return el(
    "section",
    {},
    el(
      "h4",
      {},
      i < table.tries.reports.length - 1 ? el("span", {}, "Before") : el("span", {}, "Now"),
      after ? el("span", { class: "tag" }, ` after “${after}”`) : null,
    ),
    el(
      "div",
      { class: "scroll", tabindex: 0, role: "group", "aria-label": "Results by power" },
      el(
        "table",
        { class: "ledger" },
        el("caption", {}, `${report.games} games`),
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "col" }, "Power"),
            el("th", { scope: "col", class: "number" }, "Won"),
            el("th", { scope: "col", class: "number" }, "Score"),
            el("th", { scope: "col", class: "number" }, "Alive"),
          ),
        ),
        el("tbody", {}, powers),
      ),
    ),
    el(
      "p",
      { class: "soft" },
      `Imbalance ${report.unevenness.toFixed(2)}: 0 is even, 1 means one power takes everything. ${Math.round(report.mean_turns)} turns on average.`,
    ),
    report.turns.length
      ? el(
          "figure",
          { class: "plate" },
          shape(
            "svg",
            {
              viewBox: `0 0 ${report.turns.length * 4} 40`,
              class: "turns-chart",
              preserveAspectRatio: "none",
              role: "img",
              "aria-label": "Centers that change hands, turn by turn",
            },
            report.turns.map((n, turn) =>
              shape("rect", { x: turn * 4, width: 3, y: 40 - (38 * n) / most, height: (38 * n) / most }),
            ),
          ),
          el("figcaption", {}, "Centers that change hands, turn by turn."),
        )
      : null,
    hot.length
      ? el(
          "p",
          {},
          el("strong", {}, "Most fought over: "),
          hot.map(({ center, changes }) => `${table.name(center)} (${changes.toFixed(1)} times a game)`).join(", "),
        )
      : null,
    never.length
      ? el("p", {}, el("strong", {}, "Never reached: "), never.map((id) => table.name(id)).join(", "))
      : null,
  );
}
