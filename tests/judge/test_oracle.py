"""The judge against the oracle on random positions, through the same documents that everybody uses.

``python -m tests.judge.test_oracle --count 100000 --variant NAME`` is the long run.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import legation
from legation.game import Task, answer_document
from legation.judge import Module, Ruleset, UnitKind, resolve
from legation.orders import Sheet
from legation.position import Phase, Position, Turn, Unit
from legation.variants import load
from tests.judge.oracle import Answer, Oracle, Ordered, TooTangledError
from tests.judge.positions import document, order_text, random_position, tangled_position

VARIANTS = ["standard", "hundred", "hundred1", "1000ad"]
OPTIONS: dict[str, dict[str, Any]] = {"1000ad": {"ferry": False}}  # the oracle knows no ferries


@cache
def movement_turn(variant: str) -> str:
    rules = load(variant)
    turn = rules.first_turn()
    while turn.phase is not Phase.MOVEMENT:
        turn = rules.next_turn(turn)
    return str(turn)


class StrongArmies(Module):
    """Armies of strength 3 without any other rule about them, to try the general form of strength (K-8)."""

    key = "strong_armies"

    def kinds(self, rules: Ruleset) -> tuple[UnitKind, ...]:
        return (UnitKind("D", "defensive army", "army", strength=3),)


@cache
def strong_rules(variant: str) -> Ruleset:
    rules = load(variant)
    return Ruleset(variant, rules.title, rules.board, tuple(rules.powers.values()), (*rules.modules, StrongArmies()))


def judge(variant: str, units: Sequence[Ordered], strong: bool) -> dict[str, Any]:
    """The judge's answer, through documents; with strong armies, which no document can name here, through the objects."""
    if not strong:
        return legation.adjudicate(document(variant, movement_turn(variant), units, OPTIONS.get(variant)))
    rules = strong_rules(variant)
    position = Position(Turn.parse(movement_turn(variant)), tuple(Unit(u.kind, u.at, u.power) for u in units))
    sheets = tuple(
        Sheet(unit.power, (rules.reader.order(order_text(unit, units), Phase.MOVEMENT, unit.power),)) for unit in units
    )
    return answer_document(Task(rules, position, sheets), resolve(rules, position, sheets, ""))


def differences(variant: str, units: Sequence[Ordered], answer: Answer, strong: bool = False) -> list[str]:
    """Where the judge's answer to a position is not the oracle's."""
    judged = judge(variant, units, strong)
    found: list[str] = []

    def want(what: str, oracle: object, judge: object) -> None:
        if oracle != judge:
            found.append(f"{what}: oracle {oracle}, judge {judge}")

    verdicts = {v["order"].split()[1].partition("/")[0]: v for v in judged["verdicts"]}
    out = {e["unit"].split()[1].partition("/")[0]: e for listed in judged["dislodged"].values() for e in listed}
    for unit in units:
        verdict = verdicts[unit.place]
        text = order_text(unit, units)
        want(text, answer.outcome[unit.place], verdict["outcome"])
        want(f"{text}, dislodged", answer.attacker.get(unit.place), verdict["dislodged_from"])
        want(
            f"{text}, retreats",
            answer.retreats.get(unit.place),
            sorted(out[unit.place]["retreats"]) if unit.place in out else None,
        )
        want(f"{text}, the reason fits", None, misfit(verdict, answer))
    standing = sorted(
        f"{unit.power}: {unit.kind} {answer.after[unit.place]}" for unit in units if unit.place in answer.after
    )
    want("after", standing, sorted(f"{p}: {u}" for p, listed in judged["after"]["units"].items() for u in listed))
    return found


def misfit(verdict: Mapping[str, Any], answer: Answer) -> str | None:
    """What is wrong with the cause that the judge gives: strengths must explain the outcome, and paradoxes be real."""
    cause = verdict["cause"]
    if cause is None:
        return "none given" if verdict["outcome"] not in ("succeeds",) else None
    if cause["kind"] == "paradox" and not answer.paradox:
        return "there is no paradox"
    if "strength" in cause and verdict["order"].split()[2] == "-":
        enough = cause["strength"] > cause["against"]
        if enough != (verdict["outcome"] == "succeeds"):
            return f"strength {cause['strength']} against {cause['against']}"
    return None


def compare(variant: str, units: Sequence[Ordered], counted: Counter[str], strong: bool = False) -> list[str]:
    """What differs in a position, with some counts of what happened in it."""
    try:
        answer = Oracle(load(variant).board, list(units), {"A": 1, "F": 1, "D": 3}).decide()
    except TooTangledError:
        counted["too tangled"] += 1
        return []
    counted["paradox"] += answer.paradox
    counted["circle"] += answer.circle
    counted.update(answer.outcome.values())
    counted["dislodged"] += len(answer.attacker)
    counted["weakened"] += 2 in answer.given.values()
    return differences(variant, units, answer, strong)


def smaller(variant: str, units: list[Ordered], strong: bool) -> list[Ordered]:
    """The same disagreement with as few units and orders as possible."""
    changed = True
    while changed:
        changed = False
        for i, unit in enumerate(units):
            without = units[:i] + units[i + 1 :]
            held = [*units[:i], replace(unit, what="hold", helps="", to="", via=False), *units[i + 1 :]]
            for less in (without, held):
                helped = {u.helps for u in less if u.helps}
                if less != units and helped <= {u.place for u in less} and compare(variant, less, Counter(), strong):
                    units, changed = less, True
                    break
            if changed:
                break
    return units


def run(variant: str, seeds: range, strong: bool = False, tangled: bool = False) -> tuple[list[str], Counter[str]]:
    """Compare on the positions of these seeds; every disagreement is told with its smallest form."""
    board = load(variant).board
    powers = list(load(variant).powers)
    problems: list[str] = []
    counted: Counter[str] = Counter()
    for seed in seeds:
        if tangled:
            units = tangled_position(board, powers, seed)
        else:
            units = random_position(board, powers, seed, strong=0.4 if strong else 0.0)
        if compare(variant, units, counted, strong):
            least = smaller(variant, units, strong)
            orders = "; ".join(f"{u.power} {order_text(u, least)}" for u in least)
            problems.append(f"seed {seed}: {orders} -> {' / '.join(compare(variant, least, Counter(), strong))}")
    return problems, counted


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_judge_agrees_with_the_oracle(variant: str) -> None:
    problems, counted = run(variant, range(400))
    assert problems == []
    assert counted["too tangled"] < 4
    for what in ("illegal", "void", "bounced", "cut", "disrupted", "no convoy", "dislodged", "circle", "paradox"):
        assert counted[what] > 0, f"no position with {what!r}"


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_judge_agrees_with_the_oracle_about_convoys(variant: str) -> None:
    problems, counted = run(variant, range(300), tangled=True)
    assert problems == []
    assert counted["too tangled"] < 10
    assert counted["paradox"] > 10


@pytest.mark.parametrize("variant", ["standard", "hundred"])
def test_the_judge_agrees_with_the_oracle_about_armies_of_strength_3(variant: str) -> None:
    problems, counted = run(variant, range(200), strong=True)
    assert problems == []
    assert counted["too tangled"] < 10
    assert counted["weakened"] > 0


def main() -> None:
    """The long run."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--strong", action="store_true", help="some armies have strength 3")
    parser.add_argument("--tangled", action="store_true", help="convoys that bear on each other")
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.count)
    problems, counted = run(options.variant, seeds, options.strong, options.tangled)
    for problem in problems:
        print(problem)
    print(f"{options.variant}: {options.count} positions, {len(problems)} differ; {dict(counted)}")


if __name__ == "__main__":
    main()
