"""Measure the balance of the shipped variants among bots, by thousands of games: ``python -m legation.lab.balance``.

The tables are written where the pages read them (``legation/bots/balance.json``), from which the manual's pages are
made. ``--results FOLDER`` keeps the games, a folder of results for each variant
and bot, and goes on with those that are there: so the whole can be played in portions."""

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec

from legation.bots.balance import STORED, Balance, PowerBalance, read_stored
from legation.judge import Ruleset
from legation.lab.intervals import all_alike
from legation.lab.results import Results
from legation.lab.running import run
from legation.lab.runs import RunPlan
from legation.variants import load, names

GAMES = {"dumbbot": 1000, "random": 250}


def measure(
    rules: Ruleset, plan: RunPlan, folder: Path | None = None, *, jobs: int = 1, most_pieces: int | None = None
) -> Balance:
    """Play a run in which one bot has all seats, or what is left of it in ``folder``, and return its report.

    ``most_pieces`` ends it early.

    :raises RunError: when it cannot be played."""
    if folder is None:
        with tempfile.TemporaryDirectory() as kept:
            return measure(rules, plan, Path(kept), jobs=jobs, most_pieces=most_pieces)
    results = Results.begin(folder, plan)
    for done, _ in enumerate(run(results, rules, jobs=jobs) if most_pieces != 0 else (), 1):
        if done == most_pieces:
            break
    return read_balance(results, rules)


def read_balance(results: Results, rules: Ruleset) -> Balance:
    """Return the report on the games of a result."""
    played, rows = results.table("games").to_pylist(), results.table("powers").to_pylist()
    by_power: dict[str, list[dict[str, Any]]] = {power: [] for power in rules.powers}
    for row in rows:
        by_power[row["power"]].append(row)
    powers = tuple(
        PowerBalance(
            power, *(fmean(row[what] for row in mine) for what in ("solo", "draw", "survives", "centers", "score"))
        )
        for power, mine in by_power.items()
    )
    unfinished = sum(game["ending"] is None for game in played)
    return Balance(
        ",".join(results.plan.bots),
        len(played),
        results.plan.turns,
        fmean(g["turns"] for g in played),
        powers,
        unfinished,
    )


def page(title: str, variant: str, reports: Sequence[Balance]) -> str:
    """Return the manual's page on a variant, as Markdown."""
    lines = [
        f"# Balance of {title} between bots",
        "",
        "Results of bots differ from those of people, and from bot to bot: look at both tables. Made by "
        f"`python -m legation.lab.balance {variant}`.",
        "",
    ]
    for report in reports:
        lines += table(report)
    return "\n".join(lines)


def table(report: Balance) -> list[str]:
    """Return the lines of one report, as Markdown."""
    p = all_alike([round(row.solos * report.games) for row in report.powers])
    ended = report.games - report.unfinished - report.won
    lines = [
        f"## {report.games:,} games of `{report.bot}`",
        "",
        f"{report.won:,} games were won alone, {ended:,} ended otherwise and {report.unfinished:,} had not ended after "
        f"{report.most_turns} turns. The mean length was {report.mean_turns:.0f} turns. "
        + (
            "If all powers were equally likely to win, solos as uneven as these would have a probability of "
            f"{'less than 1 in 10,000' if p < 1e-4 else f'{p:.2%}'}."
            if report.won
            else "Nobody won alone, so there is no test of solos."
        ),
        "",
        "| power | alone | 95 % interval | shares | survives | centers | score |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in report.powers:
        low, high = report.interval(row)
        lines.append(
            f"| {row.power} | {row.solos:.1%} | {low:.1%} to {high:.1%} | {row.draws:.1%} | {row.survives:.1%} | "
            f"{row.centers:.1f} | {row.score:.1%} |"
        )
    lines += ["", f"An even score is {report.even:.1%}."]
    if report.weak:
        lines.append(f"Less than a third of it: {', '.join(report.weak)}.")
    if report.strong:
        lines.append(f"More than three times as much: {', '.join(report.strong)}.")
    return [*lines, ""]


def write_stored(reports: Mapping[str, Sequence[Balance]], path: Path) -> None:
    """Write the reports of all variants where the pages read them."""
    rounded = msgspec.to_builtins(reports)
    for of_variant in rounded.values():
        for report in of_variant:
            for row in report["powers"]:
                row |= {name: round(value, 6) for name, value in row.items() if isinstance(value, float)}
    path.write_bytes(msgspec.json.format(msgspec.json.encode(rounded), indent=1) + b"\n")


def main() -> None:
    """Play and write."""
    parser = argparse.ArgumentParser(prog="python -m legation.lab.balance", description=__doc__)
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    parser.add_argument("--turns", type=int, default=300, help="the most turns of a game")
    parser.add_argument("--seed", default="balance")
    parser.add_argument("--jobs", type=int, default=1, help="processes on this machine")
    parser.add_argument("--pieces", type=int, help="end each run after so many pieces of 50 games")
    parser.add_argument("--results", type=Path, metavar="FOLDER", help="keep the games here, or go on with them")
    given = parser.parse_args()
    stored: dict[str, Sequence[Balance]] = {**read_stored()}
    for variant in given.variants or names():
        rules = load(variant)
        reports = []
        for name, games in GAMES.items():
            plan = RunPlan(variant, (name,), games, given.seed, given.turns, rules=rules.digest)
            folder = given.results / f"{variant}-{name}" if given.results else None
            reports.append(measure(rules, plan, folder, jobs=given.jobs, most_pieces=given.pieces))
            print(f"{variant}: {reports[-1].games} games of {name}", flush=True)  # noqa: T201
        stored[variant] = tuple(reports)
        write_stored(stored, Path(str(STORED)))


if __name__ == "__main__":
    main()
