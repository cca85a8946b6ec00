"""Tournaments as their readers may see them. Where players are anonymous nobody but an organizer who doesn't play
learns who plays what before a board's game is over: not from boards, nor from standings or the record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from legation.office import permissions
from legation.office.clock import moment, moment_or_none
from legation.office.context import CommandContext
from legation.office.errors import DamagedError
from legation.office.hosting.profile_links import profiles_of
from legation.office.hosting.scores import outcome_of_seats
from legation.office.hosting.tournament_context import TournamentContext
from legation.office.records import (
    Board,
    BoardSeat,
    Entrant,
    Tournament,
    TournamentEvent,
    TournamentSummary,
    record_of,
)
from legation.office.store.packing import pack, unpack, unpack_facts
from legation.office.store.queries import present_turns
from legation.office.store.rows import (
    BoardRow,
    EntrantRow,
    GameRow,
    JournalRow,
    LeagueRow,
    PersonRow,
    SeatRow,
    TournamentRow,
    WorkRow,
)
from legation.office.terms.tournament_plans import TournamentPlan, unpacked_plan
from legation.scoring import SYSTEMS, Outcome

SUBJECTS = ("tournaments", "rounds", "standings")
EVENTS = {
    "made": "The tournament was made.",
    "changed": "The plan was changed: {what}.",
    "entered": "{name} entered.",
    "substitute": "{name} entered as a substitute.",
    "left": "{name} withdrew.",
    "seated": "Round {round} was seated: {again}.",
    "exchanged": "{one} and {other} changed places in round {round}.",
    "begun": "Round {round} began.",
    "substituted": "{into} plays on for {out} in round {round}.",
    "deadlines": "The deadlines of round {round} were moved: {reason}.",
    "called": "Board {board} of round {round} was called as it stood: {reason}.",
    "result": "The result of board {board} in round {round} was entered.",
    "over": "Board {board} of round {round} is over.",
    "ended": "The tournament ended.",
    "cancelled": "The tournament was cancelled: {reason}.",
}
NAMED = ("name", "one", "other", "into", "out")


def summaries(act: CommandContext, rows: Sequence[TournamentRow]) -> list[TournamentSummary]:
    """Those of these tournaments that the reader may see, in a line each."""
    ids = [row.id for row in rows]
    people: dict[int, list[EntrantRow]] = {number: [] for number in ids}
    for entrant in act.tx.all(EntrantRow, tournament=ids) if ids else ():
        people[entrant.tournament].append(entrant)
    rounds = {b.tournament: b.round for b in act.tx.all(BoardRow, tournament=ids, order="round")} if ids else {}
    everything, lines = bool({"administrator", "console", "clock"} & act.roles()), []
    for row in rows:
        try:
            plan = unpacked_plan(row.plan)
        except DamagedError:  # the others are listed all the same
            continue
        line = _summary(act, row, plan, people[row.id], rounds.get(row.id, 0))
        if line.own or plan.listed or everything:
            lines.append(line)
    return lines


def _summary(
    act: CommandContext, row: TournamentRow, plan: TournamentPlan, people: Sequence[EntrantRow], last: int
) -> TournamentSummary:
    own = act.actor.person is not None and act.actor.person in (row.coordinator, *(e.person for e in people))
    told = {"online": plan.online, "variant": plan.variant, "rounds": plan.rounds, "round": last, "own": own}
    return record_of(TournamentSummary, row, people=sum(one.state == "in" for one in people), **told)


def tournament_record(scene: TournamentContext) -> Tournament:
    """A tournament as a record, for the reader of the scene."""
    row, tx = scene.row, scene.tx
    organizer = tx.find(PersonRow, id=row.coordinator) if row.coordinator else None
    league = tx.find(LeagueRow, id=row.league) if row.league else None
    work = tx.find(WorkRow, name=f"seat {row.key}")
    may = permissions.commands_for(scene.roles, row.state)
    return Tournament(
        summary=_summary(scene.act, row, scene.plan, list(scene.entrants.values()), scene.last_round),
        organizer=organizer.name if organizer else "",
        plan=msgspec.to_builtins(scene.plan),
        powers=tuple(scene.rules.played),
        entrants=_entrants(scene),
        boards=tuple(board_records(scene)),
        seating=work.state if work is not None and work.state in ("waiting", "failed") else "",
        league=league.key if league else "",
        may=tuple(name for name in may if name.partition(".")[0] in SUBJECTS),
        hidden=scene.hides,
        invitation="" if scene.plan.listed or not scene.runs_it else scene.invitation,
    )


def _entrants(scene: TournamentContext) -> tuple[Entrant, ...]:
    profiles = profiles_of(scene.act, (one.person for one in scene.entrants.values()))
    return tuple(
        record_of(Entrant, row, own=row == scene.own, profile=profiles.get(row.person or 0))
        for row in scene.entrants.values()
    )


class Standing(msgspec.Struct, frozen=True):
    """How a board stands: its outcome, None before there is any the reader may know; its game's state and turn."""

    outcome: Outcome | None
    game: GameRow | None
    turn: str = ""
    deadline: datetime | None = None


def how_boards_stand(scene: TournamentContext) -> dict[int, Standing]:
    """Return how each board stands: as it ended, or as all may see it now, without the years of eliminations."""
    ids = [board.game for board in scene.boards if board.game is not None]
    games = {game.id: game for game in scene.tx.all(GameRow, id=ids)} if ids else {}
    running = [number for number, game in games.items() if game.state in permissions.ALIVE]
    turns = present_turns(scene.tx, running) if running else {}
    seats: dict[int, list[SeatRow]] = {number: [] for number in running}
    for seat in scene.tx.all(SeatRow, game=running) if running else ():
        seats[seat.game].append(seat)
    fog = bool(running) and bool(scene.rules.steps["visible_provinces"])
    standing = {}
    for board in scene.boards:
        game = games.get(board.game or 0)
        outcome = read_outcome(board)
        if outcome is None and board.game in seats and not fog and not scene.hides:
            outcome = outcome_of_seats([s for s in seats[board.game] if s.power in scene.rules.played], None)
        turn = turns.get(board.game or 0)
        due = moment_or_none(turn.deadline) if turn and game and game.state == "running" else None
        standing[board.id] = Standing(outcome, game, turn.name if turn else "", due)
    return standing


def read_outcome(board: BoardRow) -> Outcome | None:
    """The outcome of a board that is over.

    :raises DamagedError: if it cannot be read any more.
    """
    try:
        return msgspec.convert(unpack(board.outcome), Outcome) if board.outcome else None
    except msgspec.ValidationError:
        raise DamagedError(f"The result of board {board.number} can no longer be read.") from None


def packed_outcome(outcome: Outcome) -> bytes:
    """An outcome as it is stored."""
    return pack(msgspec.to_builtins(outcome))


def board_records(scene: TournamentContext) -> Iterator[Board]:
    """The boards of all rounds, for the reader of the scene."""
    first, standing = scene.rules.first_turn().year, how_boards_stand(scene)
    for board in scene.boards:
        stands = standing[board.id]
        points = SYSTEMS[scene.plan.system].score(stands.outcome) if stands.outcome else {}
        yield Board(
            round=board.round,
            number=board.number,
            state=board.state,
            game=stands.game.key if stands.game else "",
            game_state=stands.game.state if stands.game else "",
            turn=stands.turn,
            deadline=stands.deadline,
            seats=tuple(_seats(scene, board, stands.outcome, points, first)),
        )


def _seats(
    scene: TournamentContext, board: BoardRow, outcome: Outcome | None, points: Mapping[str, float], first: int
) -> Iterator[BoardSeat]:
    by_power = {seat.power: seat for seat in scene.seats[board.id]}
    over = board.state == "over"
    for power in scene.rules.played:
        if (seat := by_power.get(power)) is None:
            continue
        entrant = scene.entrants.get(seat.entrant or 0)
        own = entrant is not None and entrant == scene.own
        known = entrant if own or over or not scene.hides else None
        yield BoardSeat(
            power=power,
            player=known.name if known else "",
            number=known.number if known else 0,
            bot=entrant is None and (over or not scene.hides),
            own=own,
            centers=outcome.centers.get(power) if outcome else None,
            out=first + outcome.out[power] - 1 if outcome and over and power in outcome.out else None,
            result=_result(power, outcome) if outcome else "",
            points=points.get(power),
        )


def _result(power: str, outcome: Outcome) -> Any:
    return "won" if power in outcome.winners else "draw" if power in outcome.sharing else ""


def events(scene: TournamentContext) -> list[TournamentEvent]:
    """The record of a tournament, oldest first, as far as the reader may see it."""
    rows = scene.tx.all(JournalRow, game=None, kind=f"tournament {scene.row.key}")
    rows = [row for row in rows if row.seen_by == "all" or (scene.runs_it and not scene.hides)]
    people = sorted({row.person for row in rows if row.person is not None})
    names = {person.id: person.name for person in scene.tx.all(PersonRow, id=people)} if people else {}
    return [
        TournamentEvent(at=moment(row.at), who=names.get(row.person or 0, "the office"), text=_text(scene, row))
        for row in rows
    ]


def _text(scene: TournamentContext, row: JournalRow) -> str:
    """A line in a sentence; people stand in it by their numbers, since names are not for ever."""
    facts = unpack_facts(row.facts)
    named = {entrant.number: entrant.name for entrant in scene.entrants.values()}
    try:
        about = {key: named.get(value, "somebody") if key in NAMED else value for key, value in facts["about"].items()}
        return EVENTS[facts["what"]].format_map(about)
    except (KeyError, TypeError, ValueError, AttributeError):
        return "This line can no longer be read."
