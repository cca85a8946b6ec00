"""How even every variant is among bots, by thousands of games: ``python -m legation.lab.balance -o docs/balance``.

For each variant a page with a row for each power: how often it won alone, with Wilson's interval (at 95 % for all its
powers together), shared a draw or a ranking, and survived, its mean centers, and its mean score (1 for a solo, 0 where
another won, else its share of the sum of squares of centers).
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import NormalDist, fmean
from typing import Any

from legation.judge import Ruleset
from legation.lab.intervals import all_alike, wilson
from legation.lab.results import Results
from legation.lab.running import run
from legation.lab.runs import Plan
from legation.variants import load, names

BOTS = ("dumbbot", "random")


def measure(rules: Ruleset, name: str, games: int, seed: str, turns: int) -> list[str]:
    """The lines of a table for games in which a bot has every seat."""
    plan = Plan(rules.name, (name,), games, seed, turns, rules=rules.digest)
    with tempfile.TemporaryDirectory() as folder:
        results = Results.begin(Path(folder), plan)
        for _ in run(results, rules):
            pass
        played, rows = results.table("games").to_pylist(), results.table("powers").to_pylist()
    return tabulated(rules, name, played, rows)


def tabulated(rules: Ruleset, name: str, played: list[dict[str, Any]], rows: list[dict[str, Any]]) -> list[str]:
    """The table of some games."""
    games = len(played)
    z = NormalDist().inv_cdf(1 - 0.05 / (2 * len(rules.powers)))
    by_power = {power: [row for row in rows if row["power"] == power] for power in rules.powers}
    solos = {power: sum(row["solo"] for row in mine) for power, mine in by_power.items()}
    lengths = [game["turns"] for game in played]
    won, ended = sum(solos.values()), sum(game["ending"] is not None for game in played)
    p = all_alike(list(solos.values()))
    lines = [
        f"## {games:,} games of `{name}`",
        "",
        f"{won:,} games were won alone, {ended - won:,} ended otherwise and {games - ended:,} had not ended after "
        f"{max(lengths)} turns; a game had {fmean(lengths):.0f} turns in the mean. "
        + (
            f"That all powers win alike would give solos as uneven as these with a chance of "
            f"{'less than 1 in 10,000' if p < 1e-4 else f'{p:.2%}'}."
            if won
            else "Nobody won alone, so nothing is said about who would."
        ),
        "",
        "| power | alone | 95 % interval | shares | survives | centers | score |",
        "|---|---|---|---|---|---|---|",
    ]
    for power, mine in by_power.items():
        low, high = wilson(solos[power], games, z)
        shares, survives = (fmean(row[what] for row in mine) for what in ("draw", "survives"))
        lines.append(
            f"| {power} | {solos[power] / games:.1%} | {low:.1%} to {high:.1%} | {shares:.1%} | {survives:.1%} | "
            f"{fmean(row['centers'] for row in mine):.1f} | {fmean(row['score'] for row in mine):.1%} |"
        )
    even = 1 / len(rules.powers)
    scores = {power: fmean(row["score"] for row in mine) for power, mine in by_power.items()}
    little = [power for power, score in scores.items() if score < even / 3]
    much = [power for power, score in scores.items() if score > 3 * even]
    lines += ["", f"An even score is {even:.1%}."]
    if little:
        lines.append(f"Less than a third of it: {', '.join(little)}.")
    if much:
        lines.append(f"More than three times as much: {', '.join(much)}.")
    return [*lines, ""]


def main() -> None:
    """Play and write the pages."""
    parser = argparse.ArgumentParser(prog="python -m legation.lab.balance", description=__doc__)
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--seed", default="balance")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    for variant in given.variants or names():
        rules = load(variant)
        lines = [
            f"# How even {rules.title} is among bots",
            "",
            "Shares of bots are not shares of people, and shift with the bot: look at both tables. Made by "
            f"`python -m legation.lab.balance {variant} --games {given.games} -o docs/balance`.",
            "",
        ]
        for name in BOTS:
            lines += measure(
                rules, name, given.games if name == "dumbbot" else given.games // 4, given.seed, given.turns
            )
        (given.output / f"{variant}.md").write_text("\n".join(lines))
        print(f"{given.output / variant}.md", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
