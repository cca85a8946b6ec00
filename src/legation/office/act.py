"""One command or question: a transaction, who acts, and the one place where permission is asked.

A command is a function whose first argument is an :class:`Act`; :func:`command` makes it callable as
``subject.verb(office, actor, ...)``. All that it does happens in one transaction: permission, journal entry, changed
rows, due work, outbox rows, answer. With ``actor.once(key)`` the answer is kept, locked with the key, and given again
when the same command comes with the same key.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import hmac
import typing
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec

from legation.judge import Ruleset
from legation.notation import OrderTextError
from legation.office import permissions, seals
from legation.office.actor import Actor
from legation.office.clock import micros
from legation.office.errors import Conflict, Crossed, NotFound
from legation.office.office import Office
from legation.office.plans import GameSettings, game_key
from legation.office.store import Transaction, Twice, pack, unpack
from legation.office.store.rows import (
    AnswerRow,
    DeskRow,
    GameRow,
    HoldingRow,
    JournalRow,
    MailingRow,
    PersonRow,
    SeatRow,
    SignUpRow,
    TurnRow,
    WorkRow,
)

P = ParamSpec("P")
T = TypeVar("T")

CROSSINGS = 3  # how often a command is tried again that was undone because another stood in its way
MEMBERS = frozenset(["player", "holder", "host", "coordinator", "deputy", "clock", "console", "administrator"])


class Act:
    """What a command does its work with. ``now`` is when it came in, ``at`` the same in microseconds."""

    def __init__(self, office: Office, actor: Actor, tx: Transaction, name: str, now: datetime) -> None:
        self.office = office
        self.actor = actor
        self.tx = tx
        self.name = name
        self.now = now
        self.at = micros(now)
        self.asked = False

    # Permission

    def roles(self) -> frozenset[str]:
        """The actor's roles outside any game."""
        roles = {"visitor", self.actor.kind}
        if self.actor.kind == "person" and self.tx.get(PersonRow, self.actor.person).administrator:
            roles.add("administrator")
        return frozenset(roles)

    def allow(self) -> int:
        """Ask for a command that belongs to no game; the answer is the person who acts (0 for none)."""
        self.asked = True
        permissions.ask(self.name, self.roles(), self.actor.scopes)
        return self.actor.person or 0

    def game(self, game: str, power: str = "", *, lock: bool = False) -> Scene:
        """Ask for a command in a game, on the seat of a power where one is named."""
        row = self.tx.find(GameRow, key=game_key(game), lock=lock)
        if row is None:
            raise NotFound(f"There is no game {game_key(game)[:60]!r}.")
        return self.scene(row, power)

    def scene(self, row: GameRow, power: str = "") -> Scene:
        """The same for a game that was found already."""
        scene = Scene(self, row, power)
        self.asked = True
        if not scene.settings.listed and not scene.roles & MEMBERS and not scene.invited():
            raise NotFound(f"There is no game {row.key[:60]!r}.")  # told as if there were none
        permissions.ask(self.name, scene.roles, self.actor.scopes, row.state)
        return scene

    # What is written

    def note(
        self, kind: str, game: GameRow | None = None, *, turn: TurnRow | None = None, seat: SeatRow | None = None,
        seen_by: str = "all", role: str = "", **facts: Any,
    ) -> None:  # fmt: skip
        """Write a line of the journal."""
        if game is not None:
            self.tx.rings.add(f"game {game.key}")
        self.tx.enter(
            JournalRow(
                game=game.id if game else None,
                at=self.at,
                kind=kind,
                person=self.actor.person,
                role=role or self.actor.kind,
                seen_by=seen_by,
                turn=turn.id if turn else None,
                seat=seat.id if seat else None,
                facts=pack(facts),
            )
        )

    def due(self, kind: str, name: str, at: int, game: GameRow | None = None, /, **facts: Any) -> None:
        """Have work done at a time. Work of the same name that was not done yet is moved; what was done is due anew."""
        if at <= self.at:
            self.tx.rings.add("work")
        known = self.tx.find(WorkRow, name=name, lock=True)
        if known is not None:
            self.tx.change(known, due=at, facts=pack(facts), state="waiting", attempts=0, error="")
        else:
            self.tx.add(WorkRow(kind=kind, name=name, due=at, game=game.id if game else None, facts=pack(facts)))

    def desk(
        self, kind: str, game: GameRow | None, *, turn: TurnRow | None = None, seat: SeatRow | None = None,
        due: int | None = None, **facts: Any
    ) -> DeskRow:  # fmt: skip
        """Put something on the desk."""
        return self.tx.add(
            DeskRow(
                game=game.id if game else None,
                kind=kind,
                turn=turn.id if turn else None,
                seat=seat.id if seat else None,
                opened=self.at,
                due=due,
                facts=pack(facts),
            )
        )

    def mail(
        self, kind: str, person: PersonRow | None, *, address: str = "", game: GameRow | None = None,
        turn: TurnRow | None = None, power: str = "", channel: str = "mail", **facts: Any,
    ) -> MailingRow | None:  # fmt: skip
        """Queue a message to a person, or to an address; None where there is nowhere to send it, or the person does not
        want it."""
        to = address or (person.email if person and person.email else "")
        if channel == "mail" and not to:
            return None
        if person is not None and kind in unpack(person.preferences).get("quiet", ()):
            return None
        host = self.office.settings.mail_from.rpartition("@")[2]
        self.tx.rings.add("mail")
        return self.tx.add(
            MailingRow(
                kind=kind,
                channel=channel,
                person=person.id if person else None,
                address=to,
                game=game.id if game else None,
                turn=turn.id if turn else None,
                power=power,
                message_id=f"<{kind.replace(' ', '-')}.{self.office.chance.bytes(12).hex()}@{host}>",
                thread=f"{game.key}.{turn.key}" if game and turn else game.key if game else "",
                facts=seals.lock(self.office.cabinet, msgspec.json.encode(facts)),
                made=self.at,
                due=self.at,
            )
        )

    def later(self, **step: float) -> int:
        """A time from now, in microseconds."""
        return micros(self.now + timedelta(**step))


class Scene:
    """A game with the roles that the actor has in it. ``seat`` is the seat that is meant."""

    def __init__(self, act: Act, row: GameRow, power: str = "") -> None:
        self.act = act
        self.tx = act.tx
        self.row = row
        self.settings = msgspec.convert(unpack(row.settings), GameSettings)
        self.seats = {seat.power: seat for seat in act.tx.all(SeatRow, game=row.id)}
        person = act.actor.person
        self.own = tuple(s.power for s in self.seats.values() if person is not None and s.person == person)
        self.seat: SeatRow | None = self.seats[self.power(power)] if power else None
        roles = set(act.roles())
        if self.own:
            roles.add("player")
        if self.seat is not None and self.seat.power in self.own:
            roles.add("holder")
        if person is not None and row.coordinator == person:
            roles.add("coordinator" if self.settings.coordinated else "host")
        if person is not None and row.deputy == person:
            roles.add("deputy")
        self.roles = frozenset(roles)

    @property
    def rules(self) -> Ruleset:
        """The game's rules."""
        return self.act.office.rules(self.row)

    @property
    def held(self) -> SeatRow:
        """The seat that is meant."""
        if self.seat is None:
            raise NotFound("Name the power.")
        return self.seat

    @property
    def runs_it(self) -> bool:
        """Whether the actor is the coordinator, or stands in for one."""
        return bool(self.roles & {"coordinator", "console", "clock"})

    def power(self, name: str) -> str:
        """A power by any of its names."""
        if name in self.seats:
            return name
        try:
            return self.rules.reader.power(name)
        except OrderTextError as error:
            message = f"There is no power {name[:60]!r} in {self.row.name}."
            raise NotFound(message, suggestions=error.suggestions or tuple(self.seats)) from None

    def invited(self) -> bool:
        """Whether the actor has signed up for the game, or held a seat in it."""
        person = self.act.actor.person
        if person is None:
            return False
        held = self.tx.count(HoldingRow, person=person, seat=[seat.id for seat in self.seats.values()])
        return bool(held) or self.tx.find(SignUpRow, game=self.row.id, person=person) is not None

    def turn(self, *, lock: bool = False) -> TurnRow:
        """The present turn."""
        if self.row.turn is None:
            raise Conflict(f"{self.row.name} has not begun.")
        row = self.tx.find(TurnRow, game=self.row.id, number=self.row.turn, lock=lock)
        assert row is not None
        return row

    def people(self) -> Iterable[tuple[SeatRow, PersonRow]]:
        """Who holds the seats."""
        ids = [s.person for s in self.seats.values() if s.person is not None]
        known = {p.id: p for p in self.tx.all(PersonRow, id=ids)} if ids else {}
        for seat in self.seats.values():
            if seat.person in known:
                yield seat, known[seat.person]

    def note(self, kind: str, **facts: Any) -> None:
        """Write a line of this game's journal."""
        if "role" not in facts:
            facts["role"] = next(
                (
                    r
                    for r in ("holder", "coordinator", "deputy", "host", "player", "console", "clock")
                    if r in self.roles
                ),
                "person",
            )
        self.act.note(kind, self.row, **facts)


def command(function: Callable[Concatenate[Act, P], T]) -> Callable[Concatenate[Office, Actor, P], T]:
    """A command: ``verb(office, actor, ...)``, one transaction, all or nothing."""
    name = _name(function)

    @functools.wraps(function)
    def run(office: Office, actor: Actor, /, *args: P.args, **kwargs: P.kwargs) -> T:
        now = office.clock.now()
        for _ in range(CROSSINGS):
            with contextlib.suppress(Crossed):
                return once(office, actor, now, *args, **kwargs)
        return once(office, actor, now, *args, **kwargs)

    def once(office: Office, actor: Actor, now: datetime, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with office.store.transaction() as tx:
            act = Act(office, actor, tx, name, now)
            if not actor.key:
                return _done(act, function(act, *args, **kwargs))
            asked = hashlib.sha256(repr((name, args, sorted(kwargs.items()))).encode()).hexdigest()
            stored = tx.find(AnswerRow, actor=actor.label, name=_key_name(actor))
            if stored is not None:
                if stored.asked != asked:
                    raise Conflict("This key was used for another command; give every command a key of its own.")
                return typing.cast(T, _stored(function, seals.unlock(_key_lock(actor), stored.answer)))
            answer = _done(act, function(act, *args, **kwargs))
            kept = seals.lock(_key_lock(actor), msgspec.json.encode(answer))
            try:
                tx.add(
                    AnswerRow(
                        actor=actor.label, name=_key_name(actor), command=name, asked=asked, answer=kept, at=act.at
                    )
                )
            except Twice:
                raise Conflict("The same command is being carried out just now.") from None
            return answer

    run.is_command = True  # type: ignore[attr-defined]
    return run


def query(function: Callable[Concatenate[Act, P], T]) -> Callable[Concatenate[Office, Actor, P], T]:
    """A question: ``verb(office, actor, ...)``; nothing is written."""
    name = _name(function)

    @functools.wraps(function)
    def run(office: Office, actor: Actor, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with office.store.transaction(write=False) as tx:
            act = Act(office, actor, tx, name, office.clock.now())
            return _done(act, function(act, *args, **kwargs))

    run.is_query = True  # type: ignore[attr-defined]
    return run


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


def _done(act: Act, answer: T) -> T:
    if not act.asked:
        raise AssertionError(f"{act.name} was not asked of the table of permissions")
    return answer


def _stored(function: Callable[..., Any], answer: bytes) -> object:
    kind = typing.get_type_hints(function)["return"]
    return msgspec.json.decode(answer, type=kind)


def _key_name(actor: Actor) -> str:
    return hashlib.sha256(f"answer to {actor.key}".encode()).hexdigest()


def _key_lock(actor: Actor) -> bytes:
    """Only who knows the key can read the answer again: it may tell what was ordered."""
    return hmac.new(actor.key.encode(), actor.label.encode(), hashlib.sha256).digest()
