"""A game as one reader sees it: its record, its rules, its map, its turns and their results, what the reader may do,
and the frame of its page around what a tab shows."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import msgspec
from fastapi import Request
from starlette.responses import Response

from legation.bots import PATIENCE
from legation.formats import decode_json
from legation.game import read_verdicts
from legation.game.documents import ending_in_words
from legation.judge import Ruleset, Verdict
from legation.office.context import Actor
from legation.office.desk import letters
from legation.office.errors import ConflictError, NotFoundError
from legation.office.game import journal
from legation.office.game.turns import position_from
from legation.office.game.views import out_of_sight
from legation.office.hosting import deadlines, games, rematches, retrospects, votes
from legation.office.office import Office
from legation.office.records import Document, DueDate, GameRecord, Proposal, SeatRecord, TurnRecord, TurnResult
from legation.office.terms import schedules
from legation.office.terms.plans import GameSettings, settings_of
from legation.orders import VoteDraw
from legation.position import Phase, Position
from legation.web.public.live_turns import live_turn
from legation.web.public.lobby import owed_in
from legation.web.public.maps import LiveMap
from legation.web.public.verdict_rows import Step, steps_of, verdict_rows
from legation.web.serving.pages import PageError, Times, embed, page
from legation.web.serving.sessions import actor_of, office_of

PUBLISHED = ("draft", "final")
"""The states of a turn whose results are out."""
TABS = {
    "sheet": "Orders",
    "table": "Orders",
    "results": "Results",
    "powers": "Powers",
    "analysis": "Analysis",
    "letters": "Letters",
    "roster": "Roster",
    "proofs": "Proofs",
}


class TurnOutcome(msgspec.Struct, frozen=True):
    """The results of a turn, as the page shows them: its state for the map, its rows, and where units went."""

    svg: str
    rows: list[dict[str, Any]]
    steps: list[Step]


class GamePage:
    """A game with all that its page asks for, for one reader. ``turn`` is the one that is looked at."""

    def __init__(self, request: Request, game: str, turn: str = "") -> None:
        self.request = request
        self.office: Office = office_of(request)
        self.actor: Actor = actor_of(request)
        self.seen = journal.mark(self.office)  # before all else: what comes after it is news
        self.record: GameRecord = games.game(self.office, self.actor, game)
        self.key = self.record.key  # its name in addresses
        self.of = self.office, self.actor, self.key
        self.begun = self.record.turn is not None
        self.times = Times(request)
        variant_uploads = request.app.state.variant_uploads
        self.rules: Ruleset = variant_uploads.rules(self.record.variant, self.record.options)
        self.live: LiveMap = variant_uploads.map_of(self.record.variant).for_reader(request)
        self.turns: list[TurnRecord] = games.turns(self.office, self.actor, game) if self.begun else []
        self.power = self.record.powers[0] if self.record.powers else ""
        self.asked = turn

    @property
    def settings(self) -> GameSettings:
        """The game's settings, read."""
        return settings_of(self.record)

    @property
    def is_live(self) -> bool:
        """Return whether the game is played by the minute, so that its page has a clock."""
        return schedules.pace(self.settings.plan()) == "live"

    @property
    def present(self) -> TurnRecord:
        """The present turn (PageError: 409 for a game that has not begun)."""
        if self.record.turn is None:
            raise PageError(409, "This game hasn’t started.", ways=[("The game", self.address())])
        return self.record.turn

    @property
    def published(self) -> list[TurnRecord]:
        """The turns whose results are out, the first one first."""
        return [turn for turn in self.turns if turn.state in PUBLISHED]

    @property
    def accepts(self) -> bool:
        """Return whether orders are taken for the present turn."""
        return self.present.state in ("open", "waiting") and self.record.state in ("running", "paused")

    def result(self, turn: str | int = "last") -> TurnResult | None:
        """The published results of a turn; None while there are none."""
        if not self.published:
            return None
        try:
            return games.result(*self.of, turn)
        except ConflictError:
            return None

    def position(self, document: Document | None) -> Position:
        """A position, typed."""
        return kept_position(self.rules, msgspec.json.encode(document))

    def layer(self) -> str:
        """The present position, or that in which the game ended, as the map shows it."""
        last = self.result() if self.record.state == "ended" else None
        document = msgspec.json.encode(last.after if last else self.record.position)
        return _kept_layer(self.rules, self.live, document, self.hidden(kept_position(self.rules, document)))

    @property
    def has_fog(self) -> bool:
        """Return whether the map has provinces now that the reader cannot see."""
        return bool(self.begun and self.hidden(self.position(self.record.position)))

    def hidden(self, position: Position) -> tuple[str, ...]:
        """The provinces of a position that the reader cannot see."""
        return out_of_sight(self.rules, self.record, position)

    def drawn(self, result: TurnResult) -> tuple[Verdict, ...]:
        """The verdicts of a turn as the map draws them; what could not be read is on no map."""
        return tuple(_drawn(self.rules, result.name, result.verdicts).values())

    def outcome(self, result: TurnResult) -> TurnOutcome:
        """The results of a turn as the reader sees them; equal ones are made once."""
        hidden = self.hidden(self.position(result.position))
        known = msgspec.json.encode((result.name, result.position, result.verdicts))
        return _kept_outcome(self.rules, self.live, known, hidden)

    def live_turn(self) -> Mapping[str, Any]:
        """The present turn for the live map, with the choices of the own power."""
        return _kept_turn(self.rules, self.live, msgspec.json.encode(self.record.position), self.power)

    def proposal(self, letter: int) -> Proposal:
        """Return what a letter proposes to its sender or readers (NotFoundError: for all others, or if nothing)."""
        if (found := letters.letter(*self.of, letter).proposal) is None:
            raise NotFoundError("There is no such proposal.")
        return found

    def may(self, command: str) -> bool:
        """Return whether the reader may give a command now."""
        return command in self.record.may

    def seat(self) -> SeatRecord | None:
        """The reader's own seat."""
        return next((seat for seat in self.record.seats if seat.power == self.power), None)

    @property
    def own_seat(self) -> SeatRecord:
        """The reader's own seat (PageError: 403 for who holds none)."""
        if (seat := self.seat()) is None:
            raise PageError(403, "You don’t have a seat in this game.", ways=[("The game", self.address())])
        return seat

    @property
    def has_sheet(self) -> bool:
        """Return whether the reader has a sheet to look at: a seat, and a turn whose results are not out."""
        going_on = self.record.state in ("running", "paused") and self.present.state not in PUBLISHED
        return bool(self.power) and going_on

    def bots_draw_after(self) -> int | None:
        """Return after how many adjustments the bots vote for a draw; None without bots or votes."""
        playing = any(seat.bot and seat.survives for seat in self.record.seats)
        return PATIENCE if playing and VoteDraw in self.rules.order_kinds[Phase.MOVEMENT] else None

    def without_vote(self) -> list[str]:
        """Return the surviving powers without a player, which prevent a draw; none where nobody votes for draws."""
        empty = [seat.power for seat in self.record.seats if seat.vacant and seat.survives and not seat.bot]
        return empty if VoteDraw in self.rules.order_kinds[Phase.MOVEMENT] else []

    def opens_next(self) -> DueDate | None:
        """Return the turn that opens next, while none is open."""
        return next((date for date in deadlines.coming(*self.of, 1) if date.planned), None)

    def late_until(self) -> datetime | None:
        """Return until when late orders count, if the deadline has passed and the game grants some minutes."""
        deadline, grace = self.present.deadline, self.record.settings["grace"]
        late = self.present.state == "open" and deadline < self.times.now
        return deadline + timedelta(minutes=grace) if late and grace else None

    def address(self, *parts: str) -> str:
        """An address below the game's."""
        return "/".join(["/games", self.key, *parts])

    def has_tab(self, name: str) -> bool:
        """Return whether the reader may look at a tab. The roster is that of a game by post, while players have names;
        the analysis, of one that is over, where it can be made here."""
        match name:
            case "sheet" | "table":
                return self.has_sheet and self.settings.one_orders_all == (name == "table")
            case "letters":
                return bool(self.record.settings["press"])
            case "roster":
                return self.settings.shows_addresses() and self.may("roster.roster")
            case "analysis":
                return self.record.state == "ended" and retrospects.is_available() and self.begun
        return True

    def page(self, tab: str, status: int = 200, *, data: Any = None, **values: Any) -> Response:
        """The page around what a tab shows: strip, map, tabs. ``turn`` and ``svg`` are the present ones unless given;
        ``data`` is for its scripts."""
        owed, owes = owed_in(self.record) if self.power else ("", False)
        facts = {
            "game": self.key,
            "power": self.power,
            "seen": self.seen,
            "present": self.present.key,
            "live_updates": self.record.state in ("running", "paused"),
        }
        given = {"turn": self.present, **values}
        return page(
            self.request,
            f"games/{tab}.html",
            status,
            shown=self,
            game=self.record,
            live=self.live,
            tab=tab,
            tabs=[name for name in TABS if name == tab or self.has_tab(name)],
            names=TABS,
            state=embed({"svg": given.pop("svg", None) or self.layer()}),
            facts=embed(facts | (data or {})),
            owed=owed,
            owes=owes,
            ended=ending_in_words(self.rules, self.record.ending),
            unread=self.record.unread,
            has_others=self.power and not owes and not self.actor.guest and self.record.plays_others,
            rematch=rematches.rematch(*self.of) if self.may("rematches.rematch") else None,
            questions=votes.standing(*self.of),
            **given,
        )


@lru_cache(maxsize=256)
def kept_position(rules: Ruleset, document: bytes) -> Position:
    """The position of a JSON document; parsed once and cached."""
    return position_from(rules, decode_json(document))


@lru_cache(maxsize=256)
def _kept_layer(rules: Ruleset, live: LiveMap, document: bytes, hidden: tuple[str, ...]) -> str:
    return live.atlas.state_layer(kept_position(rules, document), hidden=hidden)


@lru_cache(maxsize=128)
def _kept_turn(rules: Ruleset, live: LiveMap, document: bytes, power: str) -> Mapping[str, Any]:
    return MappingProxyType(live_turn(rules, kept_position(rules, document), live, (power,)))


@lru_cache(maxsize=256)
def _kept_outcome(rules: Ruleset, live: LiveMap, known: bytes, hidden: tuple[str, ...]) -> TurnOutcome:
    name, document, documents = decode_json(known, type=tuple[str, Document, tuple[Document, ...]])
    verdicts = _drawn(rules, name, documents)
    position = kept_position(rules, msgspec.json.encode(document))
    svg = live.atlas.state_layer(position, tuple(verdicts.values()), hidden=hidden)
    numbers = {place: number for number, place in enumerate(verdicts)}
    return TurnOutcome(svg, verdict_rows(documents, rules.name, numbers), steps_of(verdicts.values()))


def _drawn(rules: Ruleset, turn: str, documents: Sequence[Document]) -> dict[int, Verdict]:
    """The verdicts of a turn that can be read, each by its number among all."""
    phase = Phase(turn.rpartition(" ")[2])
    read = enumerate(read_verdicts(rules, phase, [document], []) for document in documents)
    return {number: found[0] for number, found in read if found}
