"""Lessons and puzzles: every solution reaches its goal, a blank sheet reaches none, and no reply refutes a puzzle."""

import datetime
from random import Random

import msgspec
import pytest

from legation.judge import legal_orders, resolve
from legation.lessons import Lesson, find_step, lessons, lessons_of_clause, puzzle_of_day, puzzles
from legation.lessons.goals import Goal, place_in_sentence
from legation.lessons.lesson import attempt, orders_of_others, position_of
from legation.lessons.puzzles import find
from legation.orders import Order, Sheet, UnitOrder
from legation.variants import STANDARD, USUAL, clauses_of, names

STEPS = [(lesson, number) for lesson in lessons() for number in range(1, len(lesson.steps) + 1)]


@pytest.mark.parametrize(("lesson", "number"), STEPS, ids=[f"{lesson.name}-{n}" for lesson, n in STEPS])
def test_a_solution_is_needed_and_reaches_the_goal(lesson: Lesson, number: int) -> None:
    step = lesson.steps[number - 1]
    tried = attempt(step, "\n".join(step.solution))
    assert not tried.check.problems and tried.missed == ()
    assert attempt(step, "").missed, "nothing needs to be ordered"
    for left_out in step.solution:
        rest = [order for order in step.solution if order != left_out]
        if left_out.endswith(" H"):
            continue
        assert attempt(step, "\n".join(rest)).missed, f"{left_out} is not needed"


def test_every_clause_of_a_lesson_is_one_of_its_variant_and_leads_back() -> None:
    for lesson in lessons():
        known = {clause.id for clause in clauses_of(lesson.variant)}
        assert set(lesson.clauses) <= known
        assert all(lesson in lessons_of_clause(clause) for clause in lesson.clauses)


def test_every_family_of_variants_has_a_lesson() -> None:
    taught = {lesson.variant for lesson in lessons()}
    assert {"standard", "hundred", "hundred3", "1000ad", "1897", "three-kingdoms"} <= taught


def test_what_is_missed_is_told() -> None:
    goal = Goal(
        stands={"France": ("A bur",), "Germany": ("mun",)},
        empty=("par",),
        dislodged=("A mar",),
        owns={"France": ("bel",)},
        winner="France",
    )
    found = find_step("move", 1)
    assert found is not None
    rules, position = position_of(found[1])
    assert goal.missed(rules, resolve(rules, position, [])) == (
        "France has no army in Burgundy.",
        "Germany has no unit in Munich.",
        "Paris isn’t empty.",
        "The army in Marseilles wasn’t dislodged.",
        "France doesn’t own Belgium.",
        "France has not won.",
    )


SHIPPED = [
    (variant, name)
    for variant in names()
    for name in Random(variant).sample(sorted(puzzles(variant)), k=min(4, len(puzzles(variant))))
]


@pytest.mark.parametrize(("variant", "name"), SHIPPED)
def test_a_solution_stands_whatever_the_others_order(variant: str, name: str) -> None:
    """The search leaves out what cannot matter: here the others order anything legal. Nothing less solves it."""
    puzzle = puzzles(variant)[name]
    rules, position = position_of(puzzle.step)
    assert orders_of_others(puzzle.step) == ()
    legal = legal_orders(rules, position)
    random = Random(name)
    for solution in puzzle.solutions:
        orders = tuple(rules.reader.order(text, position.turn.phase, puzzle.power) for text in solution)
        for _ in range(50):
            sheets = [
                Sheet(power, _any_orders(legal[power], random)) for power in rules.powers if power != puzzle.power
            ]
            resolution = resolve(rules, position, [Sheet(puzzle.power, orders), *sheets])
            assert not puzzle.step.goal.missed(rules, resolution), [str(v.order) for v in resolution.verdicts]
        assert attempt(puzzle.step, "\n".join(solution)).missed == ()
        for left_out in solution:
            assert attempt(puzzle.step, "\n".join(text for text in solution if text != left_out)).missed


def _any_orders(legal: list[Order], random: Random) -> tuple[Order, ...]:
    by_unit: dict[str, list[Order]] = {}
    for order in legal:
        if isinstance(order, UnitOrder):
            by_unit.setdefault(order.at, []).append(order)
    return tuple(random.choice(orders) for orders in by_unit.values())


@pytest.mark.long
def test_puzzles_are_found_again() -> None:
    """What is shipped is what the search finds in the position."""
    variant, name = SHIPPED[0]
    puzzle = puzzles(variant)[name]
    rules, position = position_of(puzzle.step)
    again = {found.id: found for found in find(rules, position, puzzle.source)}
    assert msgspec.to_builtins(again[name]) == msgspec.to_builtins(puzzle)


def test_a_puzzle_a_day() -> None:
    first = datetime.date(2026, 1, 1)
    count = len(puzzles(STANDARD))
    shown = [puzzle_of_day(STANDARD, first + datetime.timedelta(days=n)) for n in range(count)]
    assert len({puzzle.id for puzzle in shown if puzzle is not None}) == count
    assert puzzle_of_day("no such variant", first) is None


@pytest.mark.parametrize(
    ("variant", "name", "called"),
    [
        ("standard", "Ionian Sea", "the Ionian Sea"),
        ("standard", "Ruhr", "the Ruhr"),
        ("standard", "Gulf of Lyon", "the Gulf of Lyon"),
        ("standard", "Spain", "Spain"),
        ("hundred", "The Wash", "the Wash"),
        ("three-kingdoms", "Cardigan Bay", "Cardigan Bay"),
        ("three-kingdoms", "Isle of Man", "the Isle of Man"),
    ],
)
def test_places_have_their_article_within_a_sentence(variant: str, name: str, called: str) -> None:
    board = USUAL.load(variant).board
    location = next(place.id for place in board.provinces.values() if place.name == name)
    assert place_in_sentence(board, location) == called
