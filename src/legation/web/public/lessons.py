"""Lessons and puzzles on the board: a position with a goal, judged at once. Nobody needs an account."""

import datetime
import re
from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from fastapi import Depends, Form, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from legation.game import check_sheet
from legation.game.documents import verdict_documents
from legation.judge import Ruleset
from legation.languages import said_in
from legation.lessons import JudgedStep, Puzzle, Step, find_step, lessons, puzzle_of_day, puzzles
from legation.lessons.goals import place_in_sentence
from legation.lessons.lesson import attempt, orders_of_others, places_of, position_of
from legation.variants import STANDARD
from legation.web.public.gallery import cards
from legation.web.public.live_turns import line_of, live_turn, summary_of, turn_in
from legation.web.public.maps import known_to, map_of, pictures
from legation.web.public.verdict_rows import verdict_rows
from legation.web.serving.answers import FOREVER, picture_answer
from legation.web.serving.bounds import bound, network_of
from legation.web.serving.pages import PageError, PageRouter, embed, page
from legation.web.serving.sessions import chosen_language

router = PageRouter()
DAY, COUNTED_DAYS = 86_400, 1_000
Orders = Annotated[str, Form(max_length=20_000)]


class Task(msgspec.Struct, frozen=True):
    """A step as a page shows it: where it is reached, what it is called, and what comes after it."""

    step: Step
    variant: str
    address: str
    kicker: str
    title: str
    clauses: tuple[str, ...] = ()
    next: str = ""
    next_title: str = ""


def lesson_task(name: str, number: int | str) -> Task:
    """Return a step of a lesson (PageError: 404 when there is none)."""
    number = int(number) if str(number).isdecimal() else 0
    found = find_step(name, number)
    if found is None:
        raise PageError(404, "There is no such lesson.", ways=[("All lessons", "/lessons")])
    lesson, step = found
    order = [(other, n) for other in lessons() for n in range(1, len(other.steps) + 1)]
    at = order.index((lesson, number))
    following = order[at + 1] if at + 1 < len(order) else None
    title, steps = lesson.title, len(lesson.steps)
    kicker = f"Lesson: {title}, {number} of {steps}" if steps > 1 else f"Lesson: {title}"
    next_title = "" if following is None else "Go on" if following[0] is lesson else f"Next: {following[0].title}"
    return Task(
        step,
        lesson.variant,
        f"/lessons/{name}/{number}",
        kicker,
        lesson.about if number == 1 else lesson.title,
        lesson.clauses,
        f"/lessons/{following[0].name}/{following[1]}" if following else "",
        next_title,
    )


def puzzle_task(variant: str, name: str) -> Task:
    """Return a puzzle (PageError: 404 when there is none)."""
    known = puzzles(variant)
    puzzle = known.get(name)
    if puzzle is None:
        raise PageError(404, "There is no such puzzle.", ways=[("Today’s puzzle", "/puzzles")])
    names = list(known)
    following = names[(names.index(name) + 1) % len(names)]
    title = f"{called_in_title(puzzle)}, whatever the others order"
    return Task(
        puzzle.step,
        variant,
        f"/puzzles/{variant}/{name}",
        "Puzzle",
        title,
        next=f"/puzzles/{variant}/{following}",
        next_title="Another puzzle",
    )


def called_in_title(puzzle: Puzzle) -> str:
    """Return what a puzzle asks for: "Hold Belgium as France"."""
    rules, _ = position_of(puzzle.step)
    place, power = place_in_sentence(rules.board, puzzle.place), rules.named(puzzle.power)
    return f"Hold {place} as {power}" if puzzle.holds else f"Take {place} as {power}"


@router.get("/lessons")
def index(request: Request) -> Response:
    """Show all lessons."""
    known = known_to(request)
    titles = {card.name: card.title for card in cards(known)}
    return page(
        request,
        "lessons/index.html",
        lessons=lessons(),
        titles=titles,
        today=puzzle_today(chosen_language(request)),
        picture_of=pictures(known),
    )


def puzzle_today(language: str) -> tuple[Puzzle, str] | None:
    """Return the puzzle of the day and what it asks for, in a reader's language."""
    puzzle = puzzle_of_day(STANDARD, datetime.datetime.now(datetime.UTC).date())
    if puzzle is None:
        return None
    rules, _ = position_of(puzzle.step)
    return puzzle, said_in(language, rules.board)(called_in_title(puzzle))


@router.get("/puzzles")
@router.get("/puzzles/{variant}")
def daily(variant: str = STANDARD) -> Response:
    """Lead to a variant's puzzle of the day."""
    puzzle = puzzle_of_day(variant, datetime.datetime.now(datetime.UTC).date())
    if puzzle is None:
        raise PageError(404, "There are no puzzles for this variant.", ways=[("Today’s puzzle", "/puzzles")])
    return RedirectResponse(f"/puzzles/{variant}/{puzzle.id}", 303)


def show(
    request: Request,
    task: Task,
    text: str = "",
    tried: JudgedStep | None = None,
    counted: tuple[int, int] | None = None,
) -> Response:
    """Show a step, and once it was tried the results; of a puzzle, how many tried it, and solved it at first."""
    rules, position = position_of(task.step)
    live = map_of(task.variant, known_to(request)).for_reader(request)
    state = {"svg": live.atlas.state_layer(position)}
    if tried is not None:
        state["last"] = live.atlas.state_layer(position, tried.resolution.verdicts)
    rows = [] if tried is None else _rows(rules, tried)
    solved = tried is not None and not tried.missed
    return page(
        request,
        "lessons/step.html",
        task=task,
        rules=rules,
        live=live,
        position=position,
        text=text,
        tried=tried,
        solved=solved,
        counted=counted,
        unread=[entry for entry in tried.check.problems if entry.order is None] if tried else [],
        rows=rows,
        answered=any(row["power"] != task.step.power for row in rows),
        others=[(power, rules.writer.sentence(order)) for power, order in orders_of_others(task.step)],
        solution="\n".join(task.step.solution),
        variants=[card for card in cards(known_to(request)) if puzzles(card.name)],
        data=embed(
            {
                **turn_in(
                    chosen_language(request), live_turn(rules, position, live, (task.step.power,), votes=False), live
                ),
                "check": f"{task.address}/check",
                "view": sorted(places_of(task.step)),
            }
        ),
        state=embed(state),
    )


def _rows(rules: Ruleset, tried: JudgedStep) -> list[dict[str, Any]]:
    """What came of all orders but those of others who gave none."""
    documents = verdict_documents(tried.resolution, ())
    told = verdict_rows(documents, rules.name)
    return [
        row
        for row, document in zip(told, documents, strict=True)
        if row["power"] == tried.check.power or document["cause"] != {"kind": "no order"}
    ]


def count_try(request: Request, task: Task, tried: JudgedStep) -> tuple[int, int] | None:
    """Count a network's first try of a puzzle today; return tries and solutions (None: no office counts)."""
    office = request.app.state.office
    if office is None:
        return None
    shared, name = office.shared, task.address
    first = shared.lease("puzzle tried", f"{name} {network_of(request)}", DAY)
    tries = shared.count(f"puzzle tries {name}", int(first), COUNTED_DAYS * DAY)
    return tries, shared.count(f"puzzle solved {name}", int(first and not tried.missed), COUNTED_DAYS * DAY)


@router.get("/lessons/{name}")
def lesson(name: str) -> Response:
    """Lead to a lesson's first step."""
    lesson_task(name, 1)
    return RedirectResponse(f"/lessons/{name}/1", 303)


def add_tasks(address: str, find: Callable[..., Task]) -> None:
    """Add the addresses of the tasks that ``find`` returns: to show, judge and check one, and its picture."""

    def found(request: Request) -> Task:
        return find(*[request.path_params[name] for name in re.findall(r"{(\w+)", address)])

    task_of_address = Depends(found)

    def show_task(request: Request, task: Task = task_of_address) -> Response:
        """Show a step of a lesson, or a puzzle."""
        return show(request, task)

    def judge_task(request: Request, task: Task = task_of_address, text: Orders = "") -> Response:
        """Judge orders for it; of a puzzle against the reply that hurts most."""
        bound(request, "judge", 60)
        tried = attempt(task.step, text)
        return show(request, task, text, tried, count_try(request, task, tried) if task.step.whatever else None)

    def check_task(request: Request, task: Task = task_of_address, text: Orders = "") -> Response:
        """Return how orders for it are understood, as JSON."""
        bound(request, "check", 400)
        rules, position = position_of(task.step)
        checked = check_sheet(rules, position, task.step.power, text)
        said = map_of(task.variant, known_to(request)).for_reader(request).said_in(chosen_language(request))
        lines = [line_of(rules, checked.power, entry, said=said) for entry in checked.entries]
        return JSONResponse({"lines": lines, "powers": {checked.power: summary_of(checked)}})

    def draw_task(theme: Literal["light", "dark"], task: Task = task_of_address, names: str = "") -> Response:
        """Return its position as a picture, with the names of places in a language."""
        live, (_, position) = map_of(task.variant).in_language(names), position_of(task.step)
        return picture_answer(live.picture(position, theme=theme, view=live.around(places_of(task.step))), FOREVER)

    router.get(address)(show_task)
    router.post(address)(judge_task)
    router.post(f"{address}/check")(check_task)
    router.get(address + "/map-{theme}.svg")(draw_task)


add_tasks("/lessons/{name}/{number}", lesson_task)
add_tasks("/puzzles/{variant}/{name}", puzzle_task)
