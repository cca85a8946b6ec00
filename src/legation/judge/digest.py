"""The digest of a ruleset: a short text that changes when the rules of a game do, so that a running game can be pinned
to them.

It has four parts, for the board, the powers, the rules and the options, each the beginning of a SHA-256, long enough
that nobody can make two rulesets alike. What only people read (titles, credits, notes, colors, further names) is no
part of it."""

import hashlib

JUDGE_VERSION = 1  # raised when the judge itself decides anything otherwise than before
PARTS = ("the board has changed", "the powers have changed", "the rules have changed", "the options have changed")
LENGTH = 32  # hexadecimal digits of each part


def digest(text: str) -> str:
    """The digest of a ruleset's text, a part for each line, with hyphens between them."""
    return "-".join(hashlib.sha256(line.encode()).hexdigest()[:LENGTH] for line in text.split("\n"))
