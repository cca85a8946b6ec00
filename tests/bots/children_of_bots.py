"""What bots may do to the child process that they work in."""

from random import Random

from legation.judge import Ruleset
from legation.position import Position


def hold(rules: Ruleset, view: Position, power: str, random: Random) -> list[str]:
    return [f"{unit} H" for unit in view.units_of(power)]


def think_forever(rules: Ruleset, view: Position, power: str, random: Random) -> list[str]:
    while True:
        pass


def remember_all(rules: Ruleset, view: Position, power: str, random: Random) -> list[str]:
    return [str(bytes(2_000_000_000))]


def fail(rules: Ruleset, view: Position, power: str, random: Random) -> list[str]:
    raise ZeroDivisionError("France: A par - bur")
