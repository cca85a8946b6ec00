"""Tournaments as their readers may see them. Where players are anonymous nobody but an organizer who doesn't play
learns who plays what before a board's game is over: not from boards, nor from standings or the record."""

from __future__ import annotations

import base64
import hmac
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from legation.judge import Ruleset
from legation.office import permissions
from legation.office.clock import moment
from legation.office.context import CommandContext, RoleContext, called
from legation.office.errors import DamagedError, InvalidInputError, NotFoundError
from legation.office.hosting.scores import outcome_of_seats
from legation.office.identity.people import profiles_of
from legation.office.records import (
    Board,
    BoardSeat,
    Entrant,
    Readers,
    Tournament,
    TournamentEvent,
    TournamentSummary,
    record_of,
)
from legation.office.store.packing import unpack, unpack_facts
from legation.office.store.queries import present_turns
from legation.office.store.rows import (
    BoardRow,
    BoardSeatRow,
    EntrantRow,
    GameRow,
    JournalRow,
    LeagueRow,
    PersonRow,
    SeatRow,
    TournamentRow,
    WorkRow,
)
from legation.office.terms.plans import TournamentPlan, game_key, unpacked_plan
from legation.scoring import SYSTEMS, Outcome
from legation.variants import VariantError


class TournamentContext(RoleContext):
    """A tournament with the roles that the actor has in it. ``own`` is the actor's own entry."""

    found_by = ("tournament",)
    locked = True

    def __init__(self, act: CommandContext, row: TournamentRow) -> None:
        super().__init__(act)
        self.row = row
        act.tournaments.add(row.id)
        self.plan = unpacked_plan(row.plan)
        self.entrants = {entrant.id: entrant for entrant in self.tx.all(EntrantRow, tournament=row.id, order="number")}
        boards = self.tx.all(BoardRow, tournament=row.id)
        self.boards = sorted(boards, key=lambda board: (board.round, board.number))
        self.seats: dict[int, list[BoardSeatRow]] = {board.id: [] for board in boards}
        for seat in self.tx.all(BoardSeatRow, board=list(self.seats)):
            self.seats[seat.board].append(seat)
        self.own = next((entrant for entrant in self.entrants.values() if entrant.person == act.person), None)
        runs = row.coordinator == act.person and "guest" not in act.roles()
        self.roles = act.roles().union(["player"] * (self.own is not None), ["coordinator"] * runs)

    @classmethod
    def authorized(
        cls, act: CommandContext, key: str, invitation: str = "", *, lock: bool = False
    ) -> TournamentContext:
        """Ask for a command in a tournament; one that isn't listed is shown to those in it, and by its invitation."""
        act.asked = True
        scenes = (cls(act, row) for row in called(act.tx, TournamentRow, key))
        known = [scene for scene in scenes if scene.plan.listed or scene.is_known or scene.takes(invitation)]
        if not known:
            raise NotFoundError(f"There is no tournament {game_key(key)[:60]!r}.")
        scene = cls(act, act.tx.get(TournamentRow, known[0].row.id, lock=lock)) if lock else known[0]
        act.authorize(scene.roles, scene.row.state, "tournament")
        return scene

    @property
    def rules(self) -> Ruleset:
        """The rules that are played. Raises InvalidInputError where the variant can't be loaded any more."""
        try:
            return self.office.variants.load(self.plan.variant, self.plan.options)
        except VariantError as error:
            raise InvalidInputError(
                f"The tournament's variant: {'; '.join(error.faults)}", faults=error.faults
            ) from None

    @property
    def is_known(self) -> bool:
        """Return whether the actor may know of it though it isn't listed."""
        return self.own is not None or self.runs_it or "administrator" in self.roles

    @property
    def invitation(self) -> str:
        """The secret by which a tournament that isn't listed is seen and entered."""
        digest = self.office.keyed("tournament", f"{self.row.id} {self.row.key} {self.row.made}".encode())
        return base64.urlsafe_b64encode(digest[:18]).decode()

    def takes(self, invitation: str) -> bool:
        """Return whether somebody has shown its invitation."""
        return hmac.compare_digest(invitation.encode("utf-8", "replace"), self.invitation.encode())

    @property
    def hides(self) -> bool:
        """Return whether who plays what is hidden from the reader until a board is over."""
        return self.plan.online and self.plan.settings.anonymous and not (self.runs_it and self.own is None)

    @property
    def last_round(self) -> int:
        """The last round that was seated; 0 before the first."""
        return max((board.round for board in self.boards), default=0)

    def of_round(self, number: int) -> list[BoardRow]:
        """The boards of a round. Raises NotFoundError where it isn't seated."""
        if not (listed := [board for board in self.boards if board.round == number]):
            raise NotFoundError(f"Round {number} has no boards yet.")
        return listed

    def rounds_played(self, before: int) -> Counter[int]:
        """How many rounds before one each entrant had a seat in."""
        boards = [board for board in self.boards if board.round < before]
        return Counter(s.entrant for board in boards for s in self.seats[board.id] if s.entrant is not None)

    def entrant(self, number: int) -> EntrantRow:
        """Somebody in the tournament, by number."""
        for entrant in self.entrants.values():
            if entrant.number == number:
                return entrant
        raise NotFoundError(f"Nobody has the number {number} in {self.row.name}.")

    def reload(self) -> TournamentContext:
        """The same after changes."""
        return TournamentContext(self.act, self.tx.get(TournamentRow, self.row.id))

    def append_journal(self, what: str, /, *, seen_by: Readers = "all", **facts: Any) -> None:
        """Write a line of the tournament's record: of the office's journal, with a kind that names the tournament."""
        self.act.append_journal(f"tournament {self.row.key}", seen_by=seen_by, what=what, about=facts)


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
    for entrant in act.tx.all(EntrantRow, tournament=ids):
        people[entrant.tournament].append(entrant)
    rounds = {b.tournament: b.round for b in act.tx.all(BoardRow, tournament=ids, order="round")}
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
    own = act.person in (row.coordinator, *(entrant.person for entrant in people))
    told = {"online": plan.online, "variant": plan.variant, "rounds": plan.rounds, "round": last, "own": own}
    return record_of(TournamentSummary, row, people=sum(one.state == "in" for one in people), **told)


def tournament_record(scene: TournamentContext) -> Tournament:
    """A tournament as a record, for the reader of the scene."""
    row, tx = scene.row, scene.tx
    organizer = tx.find(PersonRow, id=row.coordinator)
    league = tx.find(LeagueRow, id=row.league)
    work = tx.find(WorkRow, name=f"seat {row.key}")
    may = permissions.commands_for(scene.roles, row.state)
    profiles = profiles_of(scene.act, (one.person for one in scene.entrants.values()))
    return Tournament(
        summary=_summary(scene.act, row, scene.plan, list(scene.entrants.values()), scene.last_round),
        organizer=organizer.name if organizer else "",
        plan=msgspec.to_builtins(scene.plan),
        powers=tuple(scene.rules.played),
        entrants=tuple(
            record_of(Entrant, one, own=one == scene.own, profile=profiles.get(one.person or 0))
            for one in scene.entrants.values()
        ),
        boards=tuple(board_records(scene)),
        seating=work.state if work is not None and work.state in ("waiting", "failed") else "",
        league=league.key if league else "",
        may=tuple(name for name in may if name.partition(".")[0] in SUBJECTS),
        hidden=scene.hides,
        invitation="" if scene.plan.listed or not scene.runs_it else scene.invitation,
    )


def outcomes_of(scene: TournamentContext) -> dict[int, Outcome]:
    """Return the outcome of each board: as it ended, or as all may see it now, without the years of eliminations."""
    found = {board.id: outcome for board in scene.boards if (outcome := read_outcome(board)) is not None}
    playing = {board.game: board.id for board in scene.boards if board.game is not None and board.id not in found}
    running = scene.tx.all(GameRow, id=list(playing), state=list(permissions.ALIVE)) if not scene.hides else []
    if running and not scene.rules.steps["visible_provinces"]:
        seats: dict[int, list[SeatRow]] = {game.id: [] for game in running}
        for seat in scene.tx.all(SeatRow, game=list(seats), power=list(scene.rules.played)):
            seats[seat.game].append(seat)
        total = len(scene.rules.board.centers)
        found |= {playing[game]: outcome_of_seats(listed, None, total) for game, listed in seats.items()}
    return found


def read_outcome(board: BoardRow) -> Outcome | None:
    """The outcome of a board that is over. Raises DamagedError if it cannot be read any more."""
    try:
        return msgspec.convert(unpack(board.outcome), Outcome) if board.outcome else None
    except msgspec.ValidationError:
        raise DamagedError(f"The result of board {board.number} can no longer be read.") from None


def board_records(scene: TournamentContext) -> Iterator[Board]:
    """The boards of all rounds, for the reader of the scene."""
    outcomes, ids = outcomes_of(scene), [board.game for board in scene.boards if board.game is not None]
    games = {game.id: game for game in scene.tx.all(GameRow, id=ids)}
    running = [number for number, game in games.items() if game.state in permissions.ALIVE]
    turns = present_turns(scene.tx, running) if running else {}
    for board in scene.boards:
        game, turn = games.get(board.game or 0), turns.get(board.game or 0)
        told = {"game": game.key, "game_state": game.state} if game else {"game": "", "game_state": ""}
        due = moment(turn.deadline) if turn and game and game.state == "running" else None
        seats, name = tuple(_seats(scene, board, outcomes.get(board.id))), turn.name if turn else ""
        yield record_of(Board, board, **told, turn=name, deadline=due, seats=seats)


def _seats(scene: TournamentContext, board: BoardRow, outcome: Outcome | None) -> Iterator[BoardSeat]:
    by_power, first = {seat.power: seat for seat in scene.seats[board.id]}, scene.rules.first_turn().year
    shown, results = board.state == "over" or not scene.hides, dict[str, Literal["won", "draw"]]()
    points: dict[str, float] = {}
    if outcome:
        results |= {**dict.fromkeys(outcome.sharing, "draw"), **dict.fromkeys(outcome.winners, "won")}
        points = SYSTEMS[scene.plan.system].score(outcome)
    for power in filter(by_power.get, scene.rules.played):
        entrant = scene.entrants.get(by_power[power].entrant or 0)
        own = entrant is not None and entrant == scene.own
        known = entrant if own or shown else None
        yield BoardSeat(
            power=power,
            player=known.name if known else "",
            number=known.number if known else 0,
            bot=entrant is None and shown,
            own=own,
            centers=outcome.centers.get(power) if outcome else None,
            out=first + outcome.out[power] - 1 if outcome and board.outcome and power in outcome.out else None,
            result=results.get(power, ""),
            points=points.get(power),
        )


def events(scene: TournamentContext) -> list[TournamentEvent]:
    """The record of a tournament, oldest first, as far as the reader may see it."""
    rows = scene.tx.all(JournalRow, game=None, kind=f"tournament {scene.row.key}")
    rows = [row for row in rows if row.seen_by == "all" or (scene.runs_it and not scene.hides)]
    people = sorted({row.person for row in rows if row.person is not None})
    names = {person.id: person.name for person in scene.tx.all(PersonRow, id=people)}
    return [
        TournamentEvent(at=moment(row.at), who=names.get(row.person or 0, "the office"), text=_text(scene, row))
        for row in rows
    ]


def _text(scene: TournamentContext, row: JournalRow) -> str:
    facts = unpack_facts(row.facts)
    named = {entrant.number: entrant.name for entrant in scene.entrants.values()}
    try:
        about = {key: named.get(value, "somebody") if key in NAMED else value for key, value in facts["about"].items()}
        return EVENTS[facts["what"]].format_map(about)
    except (KeyError, TypeError, ValueError, AttributeError):
        return "This line can no longer be read."
