"""Lessons: some positions each, every one with a goal, and the judge as the teacher.

Each lesson is a file of ``data``: what it is called, the variant, the clauses that it shows, and its steps."""

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

import msgspec

from legation.formats import read_file, read_toml
from legation.game import SheetCheck, check_sheet, read_task
from legation.judge import Resolution, Ruleset, resolve
from legation.lessons.goals import Goal
from legation.lessons.replies import best_reply
from legation.orders import Order, Sheet
from legation.position import Position

POSITION_KEYS = ("options", "turn", "units", "dislodged", "contested", "centers", "state", "seed")


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position with a goal for ``power``. ``setup`` is a position document with what the others order, if that is
    told. ``whatever``: they order whatever hurts most, and are not told.

    ``solution`` reaches the goal; ``hint`` is for who asks; ``praise`` for who has reached it."""

    power: str
    text: str
    goal: Goal
    setup: dict[str, Any]
    solution: tuple[str, ...]
    hint: str = ""
    praise: str = ""
    whatever: bool = False


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson. ``name`` is how it is reached, ``clauses`` the rules that it shows."""

    name: str
    title: str
    about: str
    variant: str
    clauses: tuple[str, ...]
    steps: tuple[Step, ...]


class JudgedStep(msgspec.Struct, frozen=True):
    """What came of orders for a step: how they were read, the turn's result, and what of the goal is ``missed``."""

    check: SheetCheck
    resolution: Resolution
    missed: tuple[str, ...]


@lru_cache(maxsize=1)
def lessons() -> tuple[Lesson, ...]:
    """All lessons, in the order in which they are taken."""
    folder = resources.files("legation.lessons") / "data"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return tuple(_read(read_toml(read_file(file).decode())) for file in files)


def _read(content: Mapping[str, Any]) -> Lesson:
    """A lesson; the keys of a position stand beside the others in each of its steps."""
    steps = []
    for entry in content["steps"]:
        setup = {key: entry[key] for key in (*POSITION_KEYS, "orders") if key in entry}
        rest = {key: value for key, value in entry.items() if key not in setup}
        steps.append({**rest, "setup": {"variant": content["variant"], **setup}})
    return msgspec.convert({**content, "steps": steps}, Lesson)


def find_step(name: str, number: int) -> tuple[Lesson, Step] | None:
    """Return a lesson and one of its steps, counted from 1; None where there is none."""
    lesson = next((lesson for lesson in lessons() if lesson.name == name), None)
    return (lesson, lesson.steps[number - 1]) if lesson is not None and 0 < number <= len(lesson.steps) else None


def lessons_of_clause(clause: str) -> tuple[Lesson, ...]:
    """Return the lessons that show a clause."""
    return tuple(lesson for lesson in lessons() if clause in lesson.clauses)


def position_of(step: Step) -> tuple[Ruleset, Position]:
    """Return the rules and the position of a step."""
    task = read_task({key: value for key, value in step.setup.items() if key != "orders"})
    return task.rules, task.position


def attempt(step: Step, text: str) -> JudgedStep:
    """Judge a sheet for a step."""
    task = read_task(step.setup)
    check = check_sheet(task.rules, task.position, step.power, text)
    sheet = check.sheet
    if step.whatever:
        resolution = best_reply(task.rules, task.position, sheet, step.goal)
    else:
        resolution = resolve(task.rules, task.position, [*task.sheets, sheet], task.seed)
    return JudgedStep(check, resolution, step.goal.missed(task.rules, resolution))


def orders_of_others(step: Step) -> tuple[tuple[str, Order], ...]:
    """Return what the other powers order, as far as that is told."""
    if step.whatever:
        return ()
    sheets: tuple[Sheet, ...] = read_task(step.setup).sheets
    return tuple((sheet.power, order) for sheet in sheets for order in sheet.orders)


def places_of(step: Step) -> set[str]:
    """Return the provinces that a step is about: of a puzzle the place and its neighbors, else where units stand."""
    rules, position = position_of(step)
    named = set(step.goal.places)
    if step.whatever:
        return named.union(*(rules.board.adjacent(place) for place in named))
    stand = {unit.province for unit in position.units} | {lost.unit.province for lost in position.dislodged}
    return named | stand | set(step.goal.empty)
