"""``legation lab``: how even a variant is among bots."""

from __future__ import annotations

from pathlib import Path

import msgspec

from legation.bots import NoSuchBotError
from legation.bots.balance import STORED, Balance, measure
from legation.cli.terminal import fail, load_variant, say
from legation.variants import USUAL

JUDGES = ("dumbbot", "random")


def play_test(variant: str, bots: list[str], games: int, turns: int, seed: str, as_json: bool) -> None:
    """Play games of bots and tell what each power won."""
    rules = load_variant(variant)
    try:
        reports = [measure(rules, name, games, turns=turns, seed=seed) for name in bots or JUDGES]
    except NoSuchBotError as error:
        fail(str(error))
    if as_json:
        say(msgspec.json.format(msgspec.json.encode(reports), indent=1).decode())
        return
    for report in reports:
        for line in _lines(rules.title, report):
            say(line)


def _lines(title: str, report: Balance) -> list[str]:
    width = max(len(row.power) for row in report.powers)
    lines = [
        f"{title}: {report.games} games of {report.bot}, {report.mean_turns:.0f} turns on average",
        "",
        f"  {'':<{width}}   alone  shared  survives  centers   share",
    ]
    for row in report.powers:
        parts = f"{row.solos:7.0%} {row.draws:7.0%} {row.survives:9.0%} {row.centers:8.1f} {row.share:7.1%}"
        lines.append(f"  {row.power:<{width}} {parts}")
    lines += ["", f"Unevenness {report.unevenness:.2f} (0: even, 1: one power takes all). Bots are not people.", ""]
    return lines


def write_reports(games: int) -> None:
    """Measure all variants that come along, by two bots, and keep the reports beside the bots; the pages show them."""
    balances: dict[str, list[Balance]] = {}
    for variant in USUAL.names():
        rules = load_variant(variant)
        few = max(6, games * 80 // max(80, len(rules.board.provinces)))
        balances[variant] = [measure(rules, name, few) for name in JUDGES]
        say(f"{variant}: {few} games")
    path = Path(str(STORED))
    path.write_bytes(msgspec.json.format(msgspec.json.encode(balances), indent=1) + b"\n")
    say(str(path))
