"""The judge against the oracle on random positions, through the same documents that everybody uses.

``python -m tests.judge.test_oracle --count 100000 --variant NAME`` is the long run."""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import Any

import pytest

import legation
from legation.board import Board
from legation.game import Task, answer_document
from legation.judge import Rule, Ruleset, UnitKind, resolve
from legation.orders import Sheet
from legation.position import Phase, Position, Unit
from legation.variants import load
from tests.judge.oracle import Answer, Oracle, Ordered, TooManyGuessesError
from tests.judge.positions import (
    convoy_position,
    document,
    dressed,
    ferry_position,
    first_turn_of,
    order_text,
    random_position,
    readings_by_chance,
)
from tests.rules.mixes import mixed
from tests.sampling import some

VARIANTS = ["standard", "hundred", "hundred1", "1000ad", "three-kingdoms"]
SOME, REST = (*range(100), 196), range(100, 400)  # 196: the first position of hundred1 with a disrupted convoy
SEEDS = pytest.mark.parametrize("seeds", [SOME, pytest.param(REST, marks=pytest.mark.longest)], ids=["some", "rest"])


class StrongArmies(Rule):
    """Armies of strength 3 without any other rule about them, to try the general form of strength (K-8)."""

    key = "strong_armies"

    def kinds(self, rules: Ruleset) -> tuple[UnitKind, ...]:
        return (UnitKind("D", "defensive army", "army", strength=3),)


@cache
def strong_rules(variant: str) -> Ruleset:
    return mixed(variant, StrongArmies())


@dataclass
class Trial:
    """What is tried: a variant, which kind of positions, and in which reading: its own, or with every option drawn by
    lot for each position (``mixed``)."""

    variant: str
    make: Callable[[Board, Sequence[str], int], list[Ordered]] = random_position
    strong: bool = False
    mixed: bool = False
    counted: Counter[str] = field(default_factory=Counter)

    def rules(self, seed: int) -> Ruleset:
        plain = load(self.variant)
        return load(self.variant, readings_by_chance(plain, Random(seed))) if self.mixed else plain

    def position(self, seed: int) -> list[Ordered]:
        rules = load(self.variant)
        if self.strong:
            return random_position(rules.board, list(rules.powers), seed, strong=0.4)
        return dressed(rules, self.make(rules.board, list(rules.powers), seed), Random(seed))

    def judge(self, units: Sequence[Ordered], seed: int = 0) -> dict[str, Any]:
        """The judge's answer, through documents that list the units in any order; with strong armies, which no
        document can name here, through the objects."""
        if not self.strong:
            listed = Random(seed).sample(units, len(units))
            rules = self.rules(seed)
            return legation.adjudicate(document(self.variant, str(first_turn_of(rules)), listed, dict(rules.chosen)))
        rules = strong_rules(self.variant)
        position = Position(first_turn_of(rules), tuple(Unit(u.kind, u.at, u.power) for u in units))
        sheets = tuple(
            Sheet(unit.power, (rules.reader.order(order_text(unit, units), Phase.MOVEMENT, unit.power),))
            for unit in units
        )
        return answer_document(Task(rules, position, sheets), resolve(rules, position, sheets, ""))

    def compare(self, units: list[Ordered], seed: int) -> list[str]:
        """What differs in a position."""
        rules = self.rules(seed)
        options = {"ferry": False, **rules.options}
        try:
            answer = Oracle(rules.board, units, {"A": 1, "F": 1, "D": 3}, options).decide()
        except TooManyGuessesError:
            self.counted["too many guesses"] += 1
            return []
        self.counted["paradox"] += answer.paradox
        self.counted["circle"] += answer.circle
        self.counted.update(answer.outcome.values())
        self.counted.update(u.what for u in units)
        self.counted["lent"] += sum(bool(u.under) for u in units)
        self.counted["ferried"] += sum(bool(u.ferry) and answer.outcome[u.place] == "succeeds" for u in units)
        self.counted["dislodged"] += len(answer.attacker)
        self.counted["weakened"] += 2 in answer.given.values()
        # what is illegal is told to both powers, so that it would have two verdicts
        given = [replace(u, under="") if answer.outcome[u.place] == "illegal" else u for u in units]
        return differences(units, answer, self.judge(given, seed))

    def smaller(self, units: list[Ordered], seed: int) -> list[Ordered]:
        """The same disagreement with as few units and orders as possible."""
        before = self.counted.copy()
        left = units
        while (less := next((x for x in reductions(left) if self.compare(x, seed)), None)) is not None:
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
            if self.compare(units, seed):
                least = self.smaller(units, seed)
                orders = "; ".join(f"{u.power} {order_text(u, least)}" for u in least)
                problems.append(f"seed {seed}: {orders} -> {' / '.join(self.compare(least, seed))}")
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

    given = [v for v in judged["verdicts"] if " under " not in v["order"]]
    verdicts = {v["order"].split()[1].partition("/")[0]: v for v in given}
    out = {e["unit"].split()[1].partition("/")[0]: e for listed in judged["dislodged"].values() for e in listed}
    for unit in units:
        place = unit.place
        verdict = verdicts[place]
        text = order_text(unit, units)
        want(text, answer.outcome[place], verdict["outcome"])
        want(f"{text}, dislodged", answer.attacker.get(place), verdict["dislodged_from"])
        retreats = sorted(out[place]["retreats"]) if place in out else None
        want(f"{text}, retreats", answer.retreats.get(place), retreats)
        if verdict["cause"] and verdict["cause"]["kind"] == "paradox":
            want(f"{text}, a paradox", True, answer.paradox)
    standing = sorted(f"{u.power}: {u.kind} {answer.after[u.place]}" for u in units if u.place in answer.after)
    want("after", standing, sorted(f"{p}: {u}" for p, listed in judged["after"]["units"].items() for u in listed))
    return found


@SEEDS
@pytest.mark.parametrize("variant", some(VARIANTS, 2))
def test_the_judge_agrees_with_the_oracle(variant: str, seeds: Sequence[int]) -> None:
    trial = Trial(variant)
    assert trial.run(seeds) == []
    assert trial.counted["too many guesses"] < 4
    for what in ("illegal", "void", "bounced", "cut", "disrupted", "no convoy", "dislodged", "circle"):
        assert trial.counted[what] > 0, f"no position with {what!r}"


@SEEDS
@pytest.mark.parametrize("variant", some(VARIANTS, 3))
def test_the_judge_agrees_with_the_oracle_about_convoys(variant: str, seeds: Sequence[int]) -> None:
    trial = Trial(variant, make=convoy_position)
    assert trial.run(seeds) == []
    assert trial.counted["too many guesses"] < 10
    assert trial.counted["paradox"] > 0


@SEEDS
@pytest.mark.parametrize("variant", some(VARIANTS, 3))
def test_the_judge_agrees_with_the_oracle_in_any_mixture_of_readings(variant: str, seeds: Sequence[int]) -> None:
    """Every option drawn by lot, with conversions and units under other powers' orders where the variant has them."""
    trials = [Trial(variant, make=make, mixed=True) for make in (random_position, convoy_position)]
    assert [problem for trial in trials for problem in trial.run(seeds[::2])] == []
    counted = sum((trial.counted for trial in trials), Counter[str]())
    assert counted["too many guesses"] < 10 and (counted["paradox"] > 0 or seeds is SOME)
    if variant == "three-kingdoms":
        assert counted["convert"] > 20 and counted["lent"] > 120


@pytest.mark.parametrize("variant", ["standard", "hundred"])
def test_the_judge_agrees_with_the_oracle_about_armies_of_strength_3(variant: str) -> None:
    trial = Trial(variant, strong=True)
    assert trial.run(SOME) == []
    assert trial.counted["too many guesses"] < 10
    assert trial.counted["weakened"] > 0


@SEEDS
@pytest.mark.parametrize("mixed", some([True, False], 2))
def test_the_judge_agrees_with_the_oracle_about_ferries(mixed: bool, seeds: Sequence[int]) -> None:
    trial = Trial("1000ad", make=ferry_position, mixed=mixed)
    assert trial.run(seeds) == []
    assert trial.counted["too many guesses"] < 4
    assert trial.counted["ferried"] > 10


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
    parser.add_argument("--convoys", action="store_true", help="convoys that bear on each other")
    parser.add_argument("--ferries", action="store_true", help="armies carried by moving fleets")
    parser.add_argument("--mixed", action="store_true", help="every option drawn by lot for each position")
    given = parser.parse_args()
    make = convoy_position if given.convoys else ferry_position if given.ferries else random_position
    trial = Trial(given.variant, make, given.strong, given.mixed)
    problems = trial.run(range(given.first, given.first + given.count))
    for problem in problems:
        print(problem)
    print(f"{given.variant}: {given.count} positions, {len(problems)} differ; {dict(trial.counted)}")


if __name__ == "__main__":
    main()
