"""A Python bot in a process of its own: ``python -m legation.bots.serving NAME``.

It speaks the lines of :mod:`legation.bots.programs`. Whatever the bot prints goes nowhere; what it raises is told in
the answer."""

import os
import sys
from pathlib import Path
from random import Random
from typing import IO, Any

import msgspec

from legation.bots import Bot, bot
from legation.formats import decode_json
from legation.game import read_position
from legation.judge import Ruleset
from legation.notation import write
from legation.orders import Sheet
from legation.variants import load


class RulesDifferError(ValueError):
    """Rules here that are not those of the game."""


def main() -> None:
    """Answer each turn until the input ends."""
    source, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("r+b", buffering=0) as nothing:  # what a bot prints must not stand between two answers
        os.dup2(nothing.fileno(), 0)
        os.dup2(nothing.fileno(), 1)
    play, rules = None, None
    for line in source:
        try:
            told = decode_json(line)
            if told["type"] == "game":
                rules = _rules(told)
                continue
            play = play or bot(sys.argv[1])
            assert rules is not None
            answer: dict[str, Any] = {"orders": _orders(play, rules, told)}
        except Exception as error:  # whatever a bot does, it is asked again next turn
            answer = {"error": f"{type(error).__name__}: {error}"}
            if rules is None:
                _answer(out, answer)
                return
        _answer(out, answer)


def _rules(told: dict[str, Any]) -> Ruleset:
    rules = load(told["variant"], told["options"])
    if rules.digest != told["rules"]:
        raise RulesDifferError(f"the rules of {told['variant']} differ from the game's")
    return rules


def _orders(play: Bot, rules: Ruleset, told: dict[str, Any]) -> list[str]:
    faults: list[str] = []
    view = read_position(rules, told["position"], faults)
    if faults:
        raise ValueError("; ".join(faults))
    sheet = play(rules, view, told["power"], Random(told["seed"]))
    if not isinstance(sheet, Sheet) or sheet.power != told["power"]:
        raise TypeError(f"answered {sheet!r:.80} instead of a sheet of {told['power']}")
    return [write(order) for order in sheet.orders]


def _answer(out: IO[bytes], answer: dict[str, Any]) -> None:
    out.write(msgspec.json.encode(answer) + b"\n")
    out.flush()


if __name__ == "__main__":
    main()
