"""Seating of a tournament's rounds, by the worker: what may take seconds is computed in a child process, before the
transaction."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import msgspec

from legation.children import ChildError, Children
from legation.game.report import count
from legation.office.context import CommandContext, by_clock
from legation.office.hosting.standings import standings_of
from legation.office.hosting.tournament_context import TournamentContext
from legation.office.hosting.tournaments import ask_to_seat
from legation.office.office import Office
from legation.office.store.rows import BoardRow, BoardSeatRow, TournamentRow
from legation.scoring.seating import Seating

SOLVERS = Children(most=1, seconds=60, megabytes=3000, nice=10, patience=600)
QUICK, THOROUGH = 5.0, 20.0
"""Seconds for the solver: with powers dealt first, and, if anything comes again by that, for all at once."""
BOT = -1


class Problem(msgspec.Struct, frozen=True):
    """A round to be seated: people by their rows' ids (``BOT``: none), their past boards, boards that are fixed."""

    people: list[int]
    powers: list[str]
    past: list[list[tuple[int, int]]]
    fixed: dict[int, int]
    seed: int


def choose_people(scene: TournamentContext, number: int, chance: random.Random) -> list[int]:
    """Return who plays a round, bots last: substitutes fill the last board, then bots; else who played most sits
    out."""
    played, size = scene.rounds_played(number), len(scene.rules.played)
    by_state: dict[str, list[int]] = {"in": [], "substitute": [], "out": []}
    for entrant in scene.entrants.values():
        by_state[entrant.state].append(entrant.id)
    for listed in by_state.values():
        chance.shuffle(listed)
        listed.sort(key=lambda one: played[one])
    people, substitutes = by_state["in"], by_state["substitute"]
    lack = -len(people) % size
    if lack <= len(substitutes) or (scene.plan.bots and people):
        people = people + substitutes[:lack]
        return people + [BOT] * (-len(people) % size)
    return people[: len(people) - len(people) % size]


def draw_seating(office: Office, facts: dict[str, Any]) -> tuple[Problem, Seating] | None:
    """Seat a round, before the transaction that writes it; None where it isn't to be seated any more."""
    with by_clock(office, write=False) as act:
        scene = TournamentContext(act, act.tx.get(TournamentRow, facts["tournament"]))
        people = choose_people(scene, facts["round"], random.Random(facts["seed"]))
        if scene.row.state not in ("gathering", "running") or not people:
            return None
        problem = _problem(scene, facts["round"], people, facts["seed"])
    if problem.fixed:  # powers dealt without regard to them might not fit
        return problem, _solved(problem, THOROUGH)
    found = _solved(problem, QUICK, dealt=True)
    if found.cost:
        with contextlib.suppress(ChildError):  # what was found quickly stands
            found = min(found, _solved(problem, THOROUGH), key=lambda one: one.cost)
    return problem, found


def _problem(scene: TournamentContext, number: int, people: list[int], seed: int) -> Problem:
    powers, place = list(scene.rules.played), {one: at for at, one in enumerate(people) if one != BOT}
    seats = [scene.seats[board.id] for board in scene.boards if board.round < number]
    past = [[(place[s.entrant], powers.index(s.power)) for s in listed if s.entrant in place] for listed in seats]
    bots = [(at, -1) for at, one in enumerate(people) if one == BOT]
    fixed: dict[int, int] = {}
    plan = scene.plan
    if number > 1 and (plan.seating == "standings" or (plan.seating == "final" and number == plan.rounds)):
        ids = {entrant.number: entrant.id for entrant in scene.entrants.values()}
        order = [ids[line.number] for line in standings_of(scene, number - 1).places if ids[line.number] in place]
        order += [one for one in place if one not in order]
        last = len(order) if plan.seating == "standings" else len(powers)
        fixed = {place[one]: at // len(powers) for at, one in enumerate(order[:last])}
    return Problem(people, powers, [*past, bots], fixed, seed)


def _solved(problem: Problem, seconds: float, *, dealt: bool = False) -> Seating:
    function, powers = "legation.scoring.seating_solver:seat", len(problem.powers)
    given = (len(problem.people), powers, problem.past, problem.fixed, problem.seed, seconds, dealt)
    return SOLVERS.call(Seating, function, *given)


def write_seating(act: CommandContext, facts: dict[str, Any], drawn: tuple[Problem, Seating] | None) -> None:
    """Write the boards of a round, or have it seated anew where people came or went meanwhile."""
    if drawn is None:
        return
    scene = TournamentContext(act, act.tx.get(TournamentRow, facts["tournament"], lock=True))
    problem, found = drawn
    number = facts["round"]
    if any(board.round == number for board in scene.boards) or scene.row.state not in ("gathering", "running"):
        return
    if any(one != BOT and scene.entrants[one].state == "out" for one in problem.people):
        ask_to_seat(scene, number)
        return
    for at, listed in enumerate(found.boards, 1):
        board = act.tx.add(BoardRow(tournament=scene.row.id, round=number, number=at, state="seated"))
        for power, person in zip(problem.powers, listed, strict=True):
            entrant = problem.people[person]
            act.tx.enter(BoardSeatRow(board=board.id, power=power, entrant=None if entrant == BOT else entrant))
    told = {"powers": found.powers, "meetings": found.meetings, "cost": found.cost, "least": found.least}
    scene.append_journal("seated", round=number, boards=len(found.boards), again=_again(found), seating=told)


def _again(found: Seating) -> str:
    if not found.powers and not found.meetings:
        return "nobody meets the same people or plays the same power again"
    proved = ", the least possible" if found.cost <= found.least + 0.5 else ""
    return f"{count(found.powers, 'power')} and {count(found.meetings, 'meeting')} come again{proved}"
