"""The judge against the oracle on random positions, through the same documents that everybody uses.

``python -m tests.judge.test_oracle --count 100000 --variant NAME`` is the long run.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from tests.judge.positions import document, ferry_position, order_text, random_position, tangled_position

VARIANTS = ["standard", "hundred", "hundred1", "1000ad", "three-kingdoms"]
FIXED: dict[str, dict[str, Any]] = {  # ferries have trials of their own, and the oracle reads as the DATC prefers
    "1000ad": {
        "ferry": False,
        "multi_route_convoy": "all",
        "convoy_paradox": "szykman",
        "adjacent_convoy": "own fleet",
    }
}
READINGS: list[dict[str, Any]] = [
    {"multi_route_convoy": "any"},
    {"adjacent_convoy": "via convoy"},
    {"via_convoy_fallback": True},
    {"convoyed_attack_cuts_own_target": True},
    {"retreat_to_convoy_origin": False},
    {"dislodged_bounces": "never"},
]


class StrongArmies(Module):
    """Armies of strength 3 without any other rule about them, to try the general form of strength (K-8)."""

    key = "strong_armies"

    def kinds(self, rules: Ruleset) -> tuple[UnitKind, ...]:
        return (UnitKind("D", "defensive army", "army", strength=3),)


@cache
def movement_turn(variant: str) -> str:
    rules = load(variant)
    turn = rules.first_turn()
    while turn.phase is not Phase.MOVEMENT:
        turn = rules.next_turn(turn)
    return str(turn)


@cache
def strong_rules(variant: str) -> Ruleset:
    rules = load(variant)
    return Ruleset(variant, rules.title, rules.board, tuple(rules.powers.values()), (*rules.modules, StrongArmies()))


@dataclass
class Trial:
    """What is tried: a variant, the readings of its options, and which kind of positions."""

    variant: str
    options: dict[str, Any] = field(default_factory=dict)
    strong: bool = False
    tangled: bool = False
    ferries: bool = False
    counted: Counter[str] = field(default_factory=Counter)

    def position(self, seed: int) -> list[Ordered]:
        rules = load(self.variant)
        if self.ferries:
            return ferry_position(rules.board, list(rules.powers), seed)
        if self.tangled:
            return tangled_position(rules.board, list(rules.powers), seed)
        return random_position(rules.board, list(rules.powers), seed, strong=0.4 if self.strong else 0.0)

    def judge(self, units: Sequence[Ordered]) -> dict[str, Any]:
        """The judge's answer, through documents; with strong armies, which no document can name here, through the
        objects."""
        turn = movement_turn(self.variant)
        if not self.strong:
            options = {**FIXED.get(self.variant, {}), **self.options}
            if self.ferries:
                options["ferry"] = True
            return legation.adjudicate(document(self.variant, turn, units, options))
        rules = strong_rules(self.variant)
        position = Position(Turn.parse(turn), tuple(Unit(u.kind, u.at, u.power) for u in units))
        sheets = tuple(
            Sheet(unit.power, (rules.reader.order(order_text(unit, units), Phase.MOVEMENT, unit.power),))
            for unit in units
        )
        return answer_document(Task(rules, position, sheets), resolve(rules, position, sheets, ""))

    def compare(self, units: list[Ordered]) -> list[str]:
        """What differs in a position."""
        try:
            answer = Oracle(
                load(self.variant).board, units, {"A": 1, "F": 1, "D": 3}, {**self.options, "ferry": self.ferries}
            ).decide()
        except TooTangledError:
            self.counted["too tangled"] += 1
            return []
        self.counted["paradox"] += answer.paradox
        self.counted["circle"] += answer.circle
        self.counted.update(answer.outcome.values())
        self.counted["dislodged"] += len(answer.attacker)
        self.counted["weakened"] += 2 in answer.given.values()
        return differences(units, answer, self.judge(units))

    def smaller(self, units: list[Ordered]) -> list[Ordered]:
        """The same disagreement with as few units and orders as possible."""
        before = self.counted.copy()
        left = units
        while (less := next((x for x in reductions(left) if self.compare(x)), None)) is not None:
            left = less
        self.counted = before
        return left

    def run(self, seeds: Iterable[int]) -> list[str]:
        """The disagreements on the positions of these seeds, each in its smallest form."""
        problems: list[str] = []
        for seed in seeds:
            if len(problems) == 20:
                return [*problems, "and more"]
            units = self.position(seed)
            if self.compare(units):
                least = self.smaller(units)
                orders = "; ".join(f"{u.power} {order_text(u, least)}" for u in least)
                problems.append(f"seed {seed}: {orders} -> {' / '.join(self.compare(least))}")
        return problems


def reductions(units: list[Ordered]) -> Iterable[list[Ordered]]:
    """The position without one of its units, or with one that holds."""
    helped = {u.helps for u in units}
    for i, unit in enumerate(units):
        if unit.place not in helped:
            yield units[:i] + units[i + 1 :]
        if unit.what != "hold":
            yield [*units[:i], replace(unit, what="hold", helps="", to="", via=False), *units[i + 1 :]]


def differences(units: Sequence[Ordered], answer: Answer, judged: Mapping[str, Any]) -> list[str]:
    """Where the judge's answer to a position is not the oracle's."""
    found: list[str] = []

    def want(what: str, oracle: object, judge: object) -> None:
        if oracle != judge:
            found.append(f"{what}: oracle {oracle}, judge {judge}")

    verdicts = {v["order"].split()[1].partition("/")[0]: v for v in judged["verdicts"]}
    out = {e["unit"].split()[1].partition("/")[0]: e for listed in judged["dislodged"].values() for e in listed}
    for unit in units:
        place = unit.place
        verdict = verdicts[place]
        text = order_text(unit, units)
        want(text, answer.outcome[place], verdict["outcome"])
        want(f"{text}, dislodged", answer.attacker.get(place), verdict["dislodged_from"])
        retreats = sorted(out[place]["retreats"]) if place in out else None
        want(f"{text}, retreats", answer.retreats.get(place), retreats)
        want(f"{text}, the reason fits", None, misfit(verdict, answer))
    standing = sorted(f"{u.power}: {u.kind} {answer.after[u.place]}" for u in units if u.place in answer.after)
    want("after", standing, sorted(f"{p}: {u}" for p, listed in judged["after"]["units"].items() for u in listed))
    return found


def misfit(verdict: Mapping[str, Any], answer: Answer) -> str | None:
    """What is wrong with the cause that the judge gives: strengths must explain the outcome, and paradoxes be real."""
    cause = verdict["cause"]
    if cause is None:
        return None if verdict["outcome"] == "succeeds" else "none given"
    if cause["kind"] == "paradox" and not answer.paradox:
        return "there is no paradox"
    words = verdict["order"].split()
    if words[2] == "-" and verdict["outcome"] in ("succeeds", "bounced"):
        place = words[1].partition("/")[0]
        if place not in answer.strengths:
            return "it has no route"
        attack, against = answer.strengths[place]
        if cause["kind"] in ("unopposed", "vacated", "circle"):
            return None if against == 0 else f"there is {against} against it"
        if cause["kind"] == "own unit":
            return None if attack == 0 else f"it attacks with {attack}"
        if cause["against"] != against:
            return f"{cause['against']} against it, not {against}"
        if cause["strength"] != attack:
            return f"strength {cause['strength']}, not {attack}"
    if cause["kind"] == "circle" and not answer.circle:
        return "there is no circle"
    return None


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_judge_agrees_with_the_oracle(variant: str) -> None:
    trial = Trial(variant)
    assert trial.run(range(400)) == []
    assert trial.counted["too tangled"] < 4
    for what in ("illegal", "void", "bounced", "cut", "disrupted", "no convoy", "dislodged", "circle"):
        assert trial.counted[what] > 0, f"no position with {what!r}"


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_judge_agrees_with_the_oracle_about_convoys(variant: str) -> None:
    trial = Trial(variant, tangled=True)
    assert trial.run(range(300)) == []
    assert trial.counted["too tangled"] < 10
    assert trial.counted["paradox"] > 10


@pytest.mark.parametrize("options", READINGS, ids=str)
def test_the_judge_agrees_with_the_oracle_about_other_readings(options: dict[str, Any]) -> None:
    trials = [Trial("standard", options), Trial("standard", options, tangled=True)]
    assert [problem for trial in trials for problem in trial.run(range(300))] == []
    plain = [Trial("standard", tangled=trial.tangled).judge(trial.position(s)) for trial in trials for s in range(300)]
    other = [trial.judge(trial.position(s)) for trial in trials for s in range(300)]
    assert [(a["verdicts"], a["dislodged"]) for a in plain] != [(a["verdicts"], a["dislodged"]) for a in other]


@pytest.mark.parametrize("variant", ["standard", "hundred"])
def test_the_judge_agrees_with_the_oracle_about_armies_of_strength_3(variant: str) -> None:
    trial = Trial(variant, strong=True)
    assert trial.run(range(200)) == []
    assert trial.counted["too tangled"] < 10
    assert trial.counted["weakened"] > 0


def test_the_judge_agrees_with_the_oracle_about_ferries() -> None:
    trial = Trial("1000ad", ferries=True)
    assert trial.run(range(400)) == []
    assert trial.counted["too tangled"] < 4


def test_strong_supports_that_weaken_each_other_give_only_what_is_certain() -> None:
    judged = Trial("standard", strong=True).judge(
        [
            Ordered("France", "D", "bur", "support", "tyr", "mun"),
            Ordered("France", "A", "tyr", "move", to="mun"),
            Ordered("Germany", "D", "mun", "support", "gas", "bur"),
            Ordered("Germany", "A", "gas", "move", to="bur"),
        ]
    )
    assert [v["outcome"] for v in judged["verdicts"]] == ["cut", "bounced", "cut", "bounced"]
    assert judged["dislodged"] == {}


def main() -> None:
    """The long run."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--strong", action="store_true", help="some armies have strength 3")
    parser.add_argument("--tangled", action="store_true", help="convoys that bear on each other")
    parser.add_argument("--ferries", action="store_true", help="armies carried by moving fleets")
    parser.add_argument("--reading", type=int, help="the number of a reading in READINGS")
    given = parser.parse_args()
    readings = {} if given.reading is None else READINGS[given.reading]
    trial = Trial(given.variant, readings, given.strong, given.tangled, given.ferries)
    problems = trial.run(range(given.first, given.first + given.count))
    for problem in problems:
        print(problem)
    print(f"{given.variant} {readings}: {given.count} positions, {len(problems)} differ; {dict(trial.counted)}")


if __name__ == "__main__":
    main()
