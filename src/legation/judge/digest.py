"""The digest of a ruleset: a short text that changes when the rules of a game do, so that a running game can be pinned
to them.

It has four parts, for the board, the powers, the rules and the options, each the beginning of a SHA-256, long enough
that nobody can make two rulesets alike. What only people read (titles, credits, notes, colors, further names) is no
part of it."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from legation.board import Board
from legation.judge.options import Reading
from legation.judge.powers import Power
from legation.judge.rule import Rule
from legation.position import Unit

JUDGE_VERSION = 1  # raised when the judge itself decides anything otherwise than before
PARTS = ("the board has changed", "the powers have changed", "the rules have changed", "the options have changed")
LENGTH = 32  # hexadecimal digits of each part


def rules_text(
    board: Board,
    powers: Iterable[Power],
    start: Sequence[Unit],
    start_owners: Mapping[str, str],
    modules: Iterable[Rule],
    options: Mapping[str, Reading],
) -> str:
    """All that a ruleset decides by, in four lines of JSON: the board, the powers, the rules, the options."""
    lands = [
        (p.id, p.name, p.sea, p.shore, p.coasts, p.center, p.region, p.area, p.primary, p.capital)
        for p in board.provinces.values()
    ]
    opening = [[(p.name, p.homes, p.homeland) for p in powers], start, start_owners]
    rules = [JUDGE_VERSION, [(m.key, m.version, m.pinned_settings) for m in sorted(modules, key=lambda m: m.key)]]
    parts = ([lands, board.borders], opening, rules, options)
    return "\n".join(msgspec.json.encode(part, order="deterministic").decode() for part in parts)


def digest(text: str) -> str:
    """The digest of a ruleset's text, a part for each line, with hyphens between them."""
    return "-".join(hashlib.sha256(line.encode()).hexdigest()[:LENGTH] for line in text.split("\n"))
