"""A game as one reader sees it: its record, its rules, its map, its turns, and what the reader may do."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import msgspec
from fastapi import Request

from legation.bots import PATIENCE
from legation.formats import decode_json
from legation.judge import Ruleset
from legation.office.context import Actor
from legation.office.errors import ConflictError
from legation.office.game import journal
from legation.office.game.turns import position_from
from legation.office.game.views import out_of_sight
from legation.office.hosting import deadlines, games
from legation.office.office import Office
from legation.office.records import Document, DueDate, GameRecord, SeatRecord, TurnRecord, TurnResult
from legation.office.terms import schedules
from legation.office.terms.plans import GameSettings
from legation.orders import VoteDraw
from legation.position import Phase, Position
from legation.web.public.live_turns import live_turn
from legation.web.public.maps import LiveMap
from legation.web.serving.pages import PageError, Times
from legation.web.serving.sessions import actor_of, office_of

PUBLISHED = ("draft", "final")
"""The states of a turn whose results are out."""


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
        return msgspec.convert(self.record.settings, GameSettings)

    @property
    def is_live(self) -> bool:
        """Return whether the game is played by the minute, so that its page has a clock."""
        return schedules.pace(self.settings.plan()) == "live"

    @property
    def present(self) -> TurnRecord:
        """The present turn.

        :raises PageError: 409 for a game that has not begun."""
        if self.record.turn is None:
            raise PageError(409, "This game hasn’t started.", ways=[("The game", self.address())])
        return self.record.turn

    def result(self, turn: str | int = "last") -> TurnResult | None:
        """The published results of a turn; None while there are none."""
        if not any(t.state in PUBLISHED for t in self.turns):
            return None
        try:
            return games.result(*self.of, turn)
        except ConflictError:
            return None

    def position(self, document: Document | None) -> Position:
        """A position, typed."""
        return kept_position(self.rules, msgspec.json.encode(document))

    def layer(self) -> str:
        """The present position, as the map shows it."""
        document = msgspec.json.encode(self.record.position)
        return _kept_layer(self.rules, self.live, document, self.hidden(kept_position(self.rules, document)))

    @property
    def has_fog(self) -> bool:
        """Return whether the map has provinces now that the reader cannot see."""
        return bool(self.begun and self.hidden(self.position(self.record.position)))

    def hidden(self, position: Position) -> tuple[str, ...]:
        """The provinces of a position that the reader cannot see."""
        return out_of_sight(self.rules, self.record, position)

    def live_turn(self) -> Mapping[str, Any]:
        """The present turn for the live map, with the choices of the own power."""
        return _kept_turn(self.rules, self.live, msgspec.json.encode(self.record.position), self.power)

    def may(self, command: str) -> bool:
        """Return whether the reader may give a command now."""
        return command in self.record.may

    def seat(self) -> SeatRecord | None:
        """The reader's own seat."""
        return next((seat for seat in self.record.seats if seat.power == self.power), None)

    @property
    def own_seat(self) -> SeatRecord:
        """The reader's own seat.

        :raises PageError: 403 for who holds none."""
        if (seat := self.seat()) is None:
            raise PageError(403, "You don’t have a seat in this game.", ways=[("The game", self.address())])
        return seat

    @property
    def has_sheet(self) -> bool:
        """Return whether the reader has a sheet to look at: a seat, and a turn whose results are not out."""
        going_on = self.record.state in ("running", "paused") and self.present.state not in PUBLISHED
        return bool(self.power) and going_on

    def bots_draw_after(self) -> int | None:
        """Return after how many rounds of adjustments the game's bots vote for a draw; None where no bot plays, or
        draws are not voted for."""
        playing = any(seat.bot and seat.survives for seat in self.record.seats)
        return PATIENCE if playing and VoteDraw in self.rules.order_kinds[Phase.MOVEMENT] else None

    def without_vote(self) -> list[str]:
        """Return the powers that nobody plays though they survive, so that no draw can be voted; none where draws are
        not voted for."""
        empty = [seat.power for seat in self.record.seats if seat.vacant and seat.survives and not seat.bot]
        return empty if VoteDraw in self.rules.order_kinds[Phase.MOVEMENT] else []

    def opens_next(self) -> DueDate | None:
        """Return the turn that opens next, while none is open."""
        return next((date for date in deadlines.coming(*self.of, 1) if date.planned), None)

    def late_until(self) -> datetime | None:
        """Return the time until which late orders count, where the deadline has passed and the game grants some
        minutes."""
        deadline, grace = self.present.deadline, self.record.settings["grace"]
        late = self.present.state == "open" and deadline < self.times.now
        return deadline + timedelta(minutes=grace) if late and grace else None

    def address(self, *parts: str) -> str:
        """An address below the game's."""
        return "/".join(["/games", self.key, *parts])


@lru_cache(maxsize=256)
def kept_position(rules: Ruleset, document: bytes) -> Position:
    """The position of a JSON document; parsed once and cached."""
    return position_from(rules, decode_json(document))


@lru_cache(maxsize=256)
def _kept_layer(rules: Ruleset, live: LiveMap, document: bytes, hidden: tuple[str, ...]) -> str:
    return live.atlas.state_layer(kept_position(rules, document), hidden=hidden)


@lru_cache(maxsize=128)
def _kept_turn(rules: Ruleset, live: LiveMap, document: bytes, power: str) -> Mapping[str, Any]:
    numbers = {power: live.number(power) for power in rules.powers}
    return MappingProxyType(live_turn(rules, kept_position(rules, document), numbers, (power,)))
