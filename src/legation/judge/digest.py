"""The digest of a ruleset: a short text that changes when the rules of a game do, so that a running game can be pinned
to them.

It has four parts, for the board, the powers, the rules and the options, each the beginning of a SHA-256. What only
people read (titles, credits, notes, colors, further names) is no part of it.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from legation.judge.ruleset import Ruleset

JUDGE_VERSION = 1  # raised when the judge itself decides anything otherwise than before
PARTS = ("the board has changed", "the powers have changed", "the rules have changed", "the options have changed")
LENGTH = 8  # hexadecimal digits of each part


def digest(rules: Ruleset) -> str:
    """The digest of a ruleset: ``3f2a90c1-5be41d77-90aa01fe-e3b0c442``."""
    board = [
        [
            (p.id, p.name, p.sea, p.shore, p.coasts, p.center, p.region, p.area, p.primary, p.capital)
            for p in rules.board.provinces.values()
        ],
        rules.board.borders,
    ]
    powers = [
        [(p.name, p.homes, p.homeland) for p in rules.powers.values()],
        rules.start,
        rules.start_owners,
    ]
    modules = [JUDGE_VERSION, [(m.key, m.version, m.settings) for m in sorted(rules.modules, key=lambda m: m.key)]]
    return "-".join(_short(part) for part in (board, powers, modules, rules.options))


def changes(pinned: str, rules: Ruleset) -> list[str]:
    """What has changed since a digest was taken: ``the board has changed``; nothing if it is the ruleset's own."""
    parts = zip(PARTS, pinned.split("-"), rules.digest.split("-"), strict=True)
    try:
        return [part for part, old, new in parts if old != new]
    except ValueError:  # not of as many parts
        return ["the rules have changed"]


def _short(part: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(part, order="deterministic")).hexdigest()[:LENGTH]
