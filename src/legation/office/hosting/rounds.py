"""Rounds of a tournament: seated by a solver, which the worker runs in a child process before the transaction, begun as
games or face to face, and brought to an end board by board."""

import contextlib
import random
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from legation.children import ChildError, Children
from legation.game.report import count
from legation.office.clock import micros
from legation.office.context import CommandContext, GameContext, by_clock, command, given_reason
from legation.office.errors import ConflictError, InvalidInputError, refuse_faults
from legation.office.game.seat_holders import lose, take_seat
from legation.office.hosting.deadlines import move_deadline
from legation.office.hosting.games import cancel_game, make_game
from legation.office.hosting.scores import outcome_of_scene
from legation.office.hosting.standings import schedule_standings, standings_of, tell_boards
from legation.office.hosting.tournament_records import TournamentContext, tournament_record
from legation.office.hosting.tournaments import ask_to_seat, remove_boards
from legation.office.identity.people import fold_name
from legation.office.office import Office
from legation.office.permissions import ALIVE
from legation.office.records import Readers, Tournament
from legation.office.store.packing import pack
from legation.office.store.rows import BoardRow, BoardSeatRow, EntrantRow, GameRow, PersonRow, TournamentRow
from legation.office.terms.plans import GamePlan
from legation.scoring import Outcome
from legation.scoring.tournament import Line, ResultsError, Seating, outcome_of_lines, read_results

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
    """Return who plays a round: substitutes, then bots fill the last board; else who played most sits out."""
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


@command("coordinate", "POST /tournaments/{tournament}/rounds", coordinator="gathering running")
def seat(scene: TournamentContext) -> Tournament:
    """Have the next round seated, so that people meet others, at other powers, as far as can be; one that is seated and
    hasn't begun is seated anew. The worker does it, in seconds.

    :raises ConflictError: where there are too few people, or all rounds were played."""
    number = scene.last_round
    if not number or any(b.state != "seated" for b in scene.of_round(number)):
        number += 1
    if number > scene.plan.rounds:
        raise ConflictError(f"All {scene.plan.rounds} rounds were played.")
    if not choose_people(scene, number, random.Random(0)):
        raise ConflictError(f"A board needs {len(scene.rules.played)} people.")
    ask_to_seat(scene, number)
    return tournament_record(scene.reload())


@command("coordinate", "POST /tournaments/{tournament}/rounds/{round}/exchange", coordinator="gathering running")
def exchange(scene: TournamentContext, round: int, one: int, other: int) -> Tournament:
    """Have two people, by their numbers, change places in a round that hasn't begun; who has no board takes the
    other's place. Where players are anonymous an organizer who plays would find out by it who plays what."""
    _refuse_who_plays(scene)
    seats = {s.entrant: s for b in scene.of_round(round) if b.state == "seated" for s in scene.seats[b.id]}
    first, second = scene.entrant(one), scene.entrant(other)
    if first.id not in seats and second.id not in seats:
        raise ConflictError("Neither has a place in this round, or it has begun.")
    for mine, theirs in ((first, second), (second, first)):
        if mine.id in seats:
            scene.tx.change(seats[mine.id], entrant=theirs.id)
    scene.append_journal("exchanged", seen_by="coordinator", round=round, one=one, other=other)
    return tournament_record(scene.reload())


def _refuse_who_plays(scene: TournamentContext) -> None:
    if scene.hides:
        raise ConflictError("Players are anonymous, and you're one of them: by this you'd find out who plays what.")


@command("coordinate", "POST /tournaments/{tournament}/rounds/{round}/start", coordinator="gathering running")
def start(scene: TournamentContext, round: int) -> Tournament:
    """Begin a round: its games begin at once, all with the same first deadline; or its boards are called, where they
    are played face to face."""
    boards = [board for board in scene.of_round(round) if board.state == "seated"]
    if not boards:
        raise ConflictError(f"Round {round} has begun.")
    for board in boards:
        game = _make_game(scene, board) if scene.plan.online else None
        scene.tx.change(board, state="playing", game=game)
    scene.tx.change(scene.row, state="running")
    scene.append_journal("begun", round=round)
    tell_boards(scene, round)
    return tournament_record(scene.reload())


def _make_game(scene: TournamentContext, board: BoardRow) -> int:
    act, plan = scene.act, scene.plan
    seats = {seat.power: scene.entrants[seat.entrant] for seat in scene.seats[board.id] if seat.entrant is not None}
    bots = {power: f"bot:{plan.bots}" for power in scene.rules.played if power not in seats}
    name = f"{plan.name} R{board.round} B{board.number}"
    settings = msgspec.structs.replace(plan.settings, listed=plan.settings.listed and plan.listed)
    table = GamePlan(name=name, variant=plan.variant, options=plan.options, settings=settings, seats=bots)
    made = make_game(act, table, scene.row.coordinator or 0)
    for power, entrant in seats.items():
        if entrant.person is None:
            raise ConflictError(f"{entrant.name} has no account here any more.")
        take_seat(made, made.seats[power], entrant.person, "seated by the tournament")
    act.schedule_job("start game", f"game {made.row.id} start", act.at, made.row, game=made.row.id)
    return made.row.id


@command("coordinate", "POST /tournaments/{tournament}/substitutions", coordinator="running")
def substitute(scene: TournamentContext, out: int, into: int) -> Tournament:
    """Have somebody play on for another, both by their numbers, on the board that is being played: the points of that
    board are theirs. The game tells all which power it was: an organizer who plays in an anonymous tournament would
    find out by it who plays that."""
    _refuse_who_plays(scene)
    leaves, comes = scene.entrant(out), scene.entrant(into)
    playing = [
        (b, s) for b in scene.boards if b.state == "playing" for s in scene.seats[b.id] if s.entrant == leaves.id
    ]
    if not playing:
        raise ConflictError(f"{leaves.name} isn't playing.")
    if comes.state == "out":
        raise ConflictError(f"{comes.name} has withdrawn.")
    board, seat_row = playing[-1]
    scene.tx.change(seat_row, entrant=comes.id, left=leaves.number)
    if board.game is not None:
        _seat_instead(scene, scene.tx.get(GameRow, board.game, lock=True), seat_row.power, comes)
    seen_by: Readers = "coordinator" if scene.plan.settings.anonymous else "all"  # the game tells which power it was
    scene.append_journal("substituted", seen_by=seen_by, round=board.round, out=out, into=into)
    return tournament_record(scene.reload())


def _seat_instead(scene: TournamentContext, row: GameRow, power: str, comes: EntrantRow) -> None:
    act, game = scene.act, GameContext(scene.act, row, power)
    if row.state not in ALIVE or comes.person is None:
        raise ConflictError(f"{row.name} isn't running.")
    if game.held.state in ("held", "bot"):
        lose(game, game.held, "left", "a substitute plays on", "replaced")
    take_seat(game, game.seats[power], comes.person, "substitute")
    game.append_journal("replaced", seat=game.seats[power], reason="substitute")
    act.mail("seated", act.tx.get(PersonRow, comes.person), game=row, turn=game.turn(), power=power)


@command("coordinate", "POST /tournaments/{tournament}/rounds/{round}/deadline", coordinator="running")
def extend(scene: TournamentContext, round: int, until: datetime, reason: str) -> Tournament:
    """Move the present deadlines of all games of a round to a time, with the reason; those that are later stay."""
    told, moved = given_reason(reason), 0
    if until.tzinfo is None or not scene.at < micros(until) <= scene.act.later(days=366):
        raise InvalidInputError("Choose a time within a year, with its time zone.", faults=["until: not such a time"])
    for board in scene.of_round(round):
        row = scene.tx.find(GameRow, id=board.game, lock=True)
        if row is None or row.state != "running":
            continue
        game = GameContext(scene.act, row)
        turn = game.turn(lock=True)
        if turn.state in ("open", "waiting") and turn.deadline < micros(until):
            move_deadline(game, turn, micros(until), told)
            moved += 1
    if not moved:
        raise ConflictError("No game of this round waits for an earlier deadline.")
    scene.append_journal("deadlines", round=round, until=until.isoformat(), reason=told)
    return tournament_record(scene.reload())


def count_board(act: CommandContext, facts: dict[str, Any], _: object) -> None:
    """Count the result of a game that has ended."""
    board, game = act.tx.find(BoardRow, game=facts["game"]), act.tx.get(GameRow, facts["game"])
    if board is not None and board.state != "over" and game.state == "ended":
        scene = TournamentContext(act, act.tx.get(TournamentRow, board.tournament))
        _finish(scene, board, outcome_of_scene(GameContext(act, game)), "over")


def _finish(scene: TournamentContext, board: BoardRow, outcome: Outcome, what: str, **facts: Any) -> None:
    """Write the result of a board; the standings are mailed when all boards of the round have results."""
    scene.tx.change(board, state="over", outcome=pack(outcome))
    scene.append_journal(what, round=board.round, board=board.number, **facts)
    if board.state != "over":  # else it was corrected
        schedule_standings(scene, board.round)


def _board(scene: TournamentContext, round_number: int, number: int) -> BoardRow:
    board = next((board for board in scene.of_round(round_number) if board.number == number), None)
    if board is None:
        raise InvalidInputError(f"Round {round_number} has no board {number}.", faults=["board: not there"])
    return board


@command("coordinate", "POST /tournaments/{tournament}/rounds/{round}/boards/{board}/call", coordinator="running")
def call(scene: TournamentContext, round: int, board: int, reason: str) -> Tournament:
    """End a board that is played here as it stands: it counts so, its survivors sharing a draw, and its game is
    cancelled, with the reason."""
    row, told = _board(scene, round, board), given_reason(reason)
    game = scene.tx.find(GameRow, id=row.game, lock=True)
    if game is None or game.state not in ALIVE or row.state == "over":
        raise ConflictError("No game runs at this board.")
    context = GameContext(scene.act, game)
    outcome = outcome_of_scene(context)
    cancel_game(context, told)
    _finish(scene, row, outcome, "called", reason=told)
    return tournament_record(scene.reload())


@command(
    "coordinate", "PUT /tournaments/{tournament}/rounds/{round}/boards/{board}/result", coordinator="running ended"
)
def enter_result(scene: TournamentContext, round: int, board: int, results: dict[str, Line]) -> Tournament:
    """Enter the result of a board by hand: for each power its centers, perhaps the year in which it was eliminated, and
    who won or shares a draw (all survivors, where nobody is said to). What was entered before is corrected.

    :raises ConflictError: while the board's game runs."""
    row = _board(scene, round, board)
    game = scene.tx.find(GameRow, id=row.game)
    if row.state == "seated" or (game is not None and game.state not in ("cancelled", "moved")):
        raise ConflictError("The result of this board comes from its game, or it hasn't begun.")
    lines = {scene.rules.reader.power(name): line for name, line in results.items()}
    refuse_faults("The result can't be entered", list(_result_faults(scene, lines)))
    _finish(scene, row, outcome_of_lines(lines, *_measures(scene)), "result")
    return tournament_record(scene.reload())


def _measures(scene: TournamentContext) -> tuple[int, int]:
    return len(scene.rules.board.centers), scene.rules.first_turn().year


def _result_faults(scene: TournamentContext, lines: Mapping[str, Line]) -> list[str]:
    total, first = _measures(scene)
    faults = [f"{power}: has no result" for power in scene.rules.played if power not in lines]
    faults += [f"{power}: has no seat" for power in lines if power not in scene.rules.played]
    faults += [f"{p}: centers from 0 to {total}" for p, line in lines.items() if not 0 <= line.centers <= total]
    faults += [f"{p}: the first year is {first}" for p, line in lines.items() if line.out and line.out < first]
    faults += [f"{p}: won, draw or nothing" for p, line in lines.items() if line.result not in ("", "won", "draw")]
    if sum(line.centers for line in lines.values()) > total:
        faults.append(f"centers: there are only {total}")
    most = max(lines, key=lambda power: lines[power].centers, default="")
    if most and 2 * lines[most].centers > total and not any(line.result for line in lines.values()):
        faults.append(f"{most}: has more than half of the centers; say who won, or who shares the draw")
    return faults


@command("coordinate", "POST /tournaments/{tournament}/results", coordinator="gathering running")
def take_results(scene: TournamentContext, results: str) -> Tournament:
    """Take results of boards played face to face from a table (CSV: round, board, power, player, centers, and perhaps
    out and result); boards that aren't there yet are made, with people by their names.

    :raises InvalidInputError: with all that is wrong, line by line."""
    if scene.plan.online:
        raise ConflictError("The results of this tournament come from its games.")
    named = {fold_name(entrant.name): entrant for entrant in scene.entrants.values()}
    try:
        found = read_results(results, *_measures(scene))
    except ResultsError as error:
        raise InvalidInputError("The results can't be taken: " + "; ".join(error.faults), faults=error.faults) from None
    faults = [f"nobody is called {n}" for b in found for n in b.players.values() if fold_name(n) not in named]
    played = set(scene.rules.played)
    faults += [f"round {b.round}, board {b.name}: other powers are played" for b in found if b.players.keys() != played]
    faults += [
        f"round {b.round[:40]}, board {b.name[:40]}: both are numbers, and there are {scene.plan.rounds} rounds"
        for b in found
        if not all(text.isdecimal() and len(text) <= 4 for text in (b.round, b.name))
        or not 0 < int(b.round) <= scene.plan.rounds
    ]
    refuse_faults("The results can't be taken", faults)
    places = [(int(told.round), int(told.name)) for told in found]
    twice = [f"round {at[0]}, board {at[1]}: is there twice" for at, times in Counter(places).items() if times > 1]
    refuse_faults("The results can't be taken", twice)
    remove_boards(scene, [board for board in scene.boards if (board.round, board.number) in places])
    for (number, name), told in zip(places, found, strict=True):
        board = scene.tx.add(BoardRow(tournament=scene.row.id, round=number, number=name, state="playing"))
        for power, player in told.players.items():
            scene.tx.enter(BoardSeatRow(board=board.id, power=power, entrant=named[fold_name(player)].id))
        _finish(scene, board, told.outcome, "result")
    scene.tx.change(scene.row, state="running")
    return tournament_record(scene.reload())
