"""One command or question: a transaction, who acts, and the one place where permission is asked.

A command is a function of a :class:`CommandContext` that :func:`command` makes callable as ``subject.verb(office,
actor, ...)``; one of a :class:`GameContext`, a :class:`SeatContext` or a tournament's is callable as
``subject.verb(office, actor, game, ...)`` and so on, and runs only once permission was asked. All that it does is one
transaction, checked by ``invariants`` before it is committed; a command that is refused leaves nothing: no row, no
mail, no file. With ``actor.once(key)`` the answer is kept, without its secrets, and given again for the same key of the
same credential, once permission was asked anew."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import hmac
import inspect
import typing
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, ClassVar, Concatenate, ParamSpec, Protocol, TypeVar

import msgspec

from legation.formats import decode_json
from legation.judge import Power, Ruleset
from legation.notation import OrderTextError
from legation.office import desk_readers, permissions
from legation.office.clock import micros
from legation.office.errors import (
    ConflictError,
    DamagedError,
    InvalidInputError,
    LimitExceededError,
    NotFoundError,
    OfficeError,
    SerializationConflictError,
)
from legation.office.keys import seals
from legation.office.office import Office
from legation.office.permissions import PLAIN, Call
from legation.office.preferences import PUSHED_MAIL, read_preferences
from legation.office.records import Readers
from legation.office.store import queries
from legation.office.store.packing import pack
from legation.office.store.rows import (
    AnswerRow,
    BlockRow,
    BridgeRow,
    BrowserRow,
    DeskRow,
    GameRow,
    HoldingRow,
    InvitationRow,
    JournalRow,
    LineRow,
    MailingRow,
    PersonRow,
    Row,
    SeatRow,
    SignUpRow,
    TournamentRow,
    TurnRow,
    WorkRow,
)
from legation.office.store.transaction import DuplicateRowError, Since, Transaction
from legation.office.terms import invariants
from legation.office.terms.bridge_targets import TOLD
from legation.office.terms.plans import GameSettings, game_key, unpacked_settings

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R", bound=Row)
C = TypeVar("C", bound="RoleContext")

EVERYTHING = ("everything",)


class Actor(msgspec.Struct, frozen=True):
    """Somebody who gives a command or asks. ``scopes`` limit what a token may do; ``key`` makes the next command
    idempotent; ``via`` is what they came with ("session 5", "token 7", "mail"); a ``guest`` has a seat for a day and no
    account. ``channel`` is how they send something in, ``received`` when that reached the office, where a channel took
    it in before (mail); ``language`` is that of the page they came from."""

    kind: str
    person: int | None = None
    name: str = ""
    scopes: tuple[str, ...] = EVERYTHING
    key: str = ""
    via: str = ""
    guest: bool = False
    channel: str = "web"
    received: datetime | None = None
    language: str = ""

    @staticmethod
    def visitor(network: str = "") -> Actor:
        """Return the actor for a visitor without a session, who comes from a network."""
        return Actor("visitor", name="a visitor", via=network)

    def reading(self, language: str) -> Actor:
        """Return this actor, who came from a page in a language."""
        return msgspec.structs.replace(self, language=language)

    @staticmethod
    def clock() -> Actor:
        """The office's own clock: what happens because it is time."""
        return Actor("clock", name="the clock")

    @staticmethod
    def console() -> Actor:
        """The operator, at the server's command line."""
        return Actor("console", name="the console")

    def once(self, key: str) -> Actor:
        """Return this actor with an idempotency key: a command repeated with it is carried out once."""
        return msgspec.structs.replace(self, key=key)

    def by(self, channel: str, received: datetime | None = None) -> Actor:
        """Return this actor, whose next command came by a channel."""
        return msgspec.structs.replace(self, channel=channel, received=received)

    @property
    def label(self) -> str:
        """The actor in the table of answers."""
        return f"person {self.person}" if self.person is not None else self.kind


LONGEST = 500  # characters of a reason or a note
LONGEST_LABEL = 120  # of a name for what is one's own
GATHERED = timedelta(hours=1)  # the time in which items on the desk that are not urgent are gathered for one mail
AT_DESK = timedelta(minutes=15)
"""How long after closing an item a coordinator counts as at the desk, and isn't mailed at once."""
DAY = 24 * 60 * 60 * 1_000_000  # microseconds
NO_MORE = "no invitations"  # the shared values of addresses whose owners want none
MOST_OVER_A_BRIDGE = 200
"""Messages a day over one bridge: who plays can write letters, and so can't flood what it leads to."""
CROSSINGS = 3  # how often a command is tried again that was undone because another stood in its way
GUESTS = "@demo.invalid"  # the domain of the addresses of a demo's guests; nothing can be sent there
RUN_IT = frozenset(["coordinator", "console", "clock"])
"""Roles whose holders see all of a game: its coordinator, and who stands in for one."""
NOTED = ("holder", "coordinator", "deputy", "host", "player", "console", "clock")
"""The roles that lines of a game's journal name, the first that somebody has."""
OF_ONE = frozenset(["game", "tournament", "league"])
"""Parameters by which a command is one of a game, tournament or league; it asks for permission when it has read that.
"""
OUTSIDE = frozenset(["visitor", "guest", "person", "clock", "console", "administrator"])
"""Roles that people have outside any game."""
MEMBERS = frozenset(["player", "holder", "host", "coordinator", "deputy", "clock", "console", "administrator"])


class AlreadyDone(Exception):
    """A command came with a key that was used; permission for it was asked again, and the kept answer may be given."""


class CommandContext:
    """Context of a command. ``now`` is when it came in, ``at`` the same in microseconds."""

    found_by: ClassVar[tuple[str, ...]] = ()
    locked: ClassVar[bool] = False

    def __init__(
        self, office: Office, actor: Actor, tx: Transaction, name: str, now: datetime, files: list[str] | None = None
    ) -> None:
        self.office = office
        self.actor = actor
        self.tx = tx
        self.name = name
        self.now = now
        self.at = micros(now)
        self.asked = False
        self.done_before = False
        self.games: set[int] = set()  # which were looked at, and may have been changed
        self.tournaments: set[int] = set()  # the same
        self.due_now: list[WorkRow] = []  # what is due by this
        self._files = [] if files is None else files

    # Permission

    def roles(self) -> frozenset[str]:
        """The actor's roles outside any game."""
        roles = {"visitor", self.actor.kind}
        if self.actor.kind == "person":
            person = self.tx.get(PersonRow, self.actor.person)
            if is_guest(person):
                roles = {"visitor", "guest"}
            elif person.administrator:
                roles.add("administrator")
            if person.suspended is not None and person.suspended > self.at:
                roles.add(permissions.SUSPENDED)
        return frozenset(roles)

    @property
    def administers(self) -> bool:
        """Return whether the actor is an administrator, or at the console."""
        return bool(self.roles() & {"administrator", "console"})

    @property
    def makes_games(self) -> bool:
        """Return whether the actor may make games, tournaments and leagues: not everybody, where the office says so."""
        return self.actor.kind != "person" or self.office.settings.open_to_all or "administrator" in self.roles()

    @property
    def person(self) -> int:
        """The acting person's number (0 for none)."""
        return self.actor.person or 0

    def allow(self) -> int:
        """Authorize a command outside any game; return the acting person's number (0 for none)."""
        self.authorize(self.roles())
        return self.person

    def authorized(self, *, lock: bool) -> CommandContext:
        """Authorize a command outside any game, and return its context; there is no row to lock."""
        self.allow()
        return self

    def authorize(self, roles: frozenset[str], state: str = "", what: str = "game") -> None:
        """Ask the table. Whoever may repeat a command carried out before gets its kept answer, whatever the state."""
        self.asked = True
        permissions.ask(self.name, roles, self.actor.scopes, "" if self.done_before else state, what)
        if self.done_before:
            raise AlreadyDone

    def own_game(self, name: str) -> GameRow | None:
        """Return the game of a key or a name that the actor is in or invited to: one that isn't listed may have the
        name of another. Of several, the one that goes on. Raises ConflictError where that isn't certain."""
        own = [row for row in called(self.tx, GameRow, name) if GameContext(self, row).is_own()]
        meant = [row for row in own if row.key == game_key(name)]
        meant = meant or [row for row in own if row.state not in permissions.OVER] or own
        if len(meant) > 1:
            keys = ", ".join(row.key for row in meant)
            raise ConflictError(
                f"Several games are called {own[0].name}. Write the address of the one you mean: {keys}."
            )
        return meant[0] if meant else None

    def free_key(self, kind: type[GameRow | TournamentRow], name: str, *, listed: bool) -> str:
        """Return the key of something new; of what isn't listed it ends in random, so that it tells of no other."""
        key = game_key(name)
        plain = listed and self.tx.find(kind, key=key) is None
        return key if plain else f"{key}-{self.office.random_source.bytes(4).hex()}"

    def scene(
        self, row: GameRow, power: str = "", nothing: str = "Nothing has that number.", *, invited: bool = False
    ) -> GameContext:
        """Return the context of a game found by something in it, once permission was asked. ``nothing``: what is told
        of a game that the actor may not know of, as if there were none. ``invited``: the actor has shown an invitation
        to it."""
        self.asked = True
        scene = (SeatContext if power else GameContext)(self, row)
        if not (invited or scene.is_known()):
            raise NotFoundError(nothing)
        scene.sit(power)
        self.authorize(scene.roles, row.state)
        return scene

    def wanted(self, kind: type[R], refusal: str, *, lock: bool = False, **where: Any) -> R:
        """Return the one row with these values; NotFoundError with this refusal where there is none."""
        row = self.tx.find(kind, lock=lock, **where)
        if row is None:
            raise NotFoundError(refusal)
        return row

    def add_only(self, row: R, refusal: str) -> R:
        """Write a new row, and return it with its id; ConflictError with this refusal where one like it is there."""
        try:
            return self.tx.add(row)
        except DuplicateRowError:
            raise ConflictError(refusal) from None

    def keep_file(self, content: bytes) -> str:
        """Store a file and return its name. It is taken away again if the command is refused."""
        name = self.office.files.put(content)
        self._files.append(name)
        return name

    # What is written

    def append_journal(
        self,
        kind: str,
        game: GameRow | None = None,
        *,
        turn: TurnRow | None = None,
        seat: SeatRow | None = None,
        seen_by: Readers = "all",
        role: str = "",
        **facts: Any,
    ) -> None:
        """Write a line of the journal."""
        if game is not None:
            self.tx.notifications.add(f"game {game.key}")
        about = {"person": self.actor.person, "role": role or self.actor.kind, **_ids(game=game, turn=turn, seat=seat)}
        self.tx.enter(JournalRow(kind=kind, at=self.at, seen_by=seen_by, **about, facts=pack(facts)))

    def schedule_job(self, kind: str, name: str, at: int, game: GameRow | None = None, /, **facts: Any) -> None:
        """Schedule work for a time. Work of the same name that was not done yet is moved; what was done is due anew."""
        if at <= self.at:
            self.tx.notifications.add("work")
        row = WorkRow(kind=kind, name=name, due=at, **_ids(game=game), facts=pack(facts))
        self.tx.enter(row)
        if at <= self.at:
            self.due_now.append(row)

    def add_task(
        self,
        kind: str,
        game: GameRow | None,
        *,
        turn: TurnRow | None = None,
        seat: SeatRow | None = None,
        due: int | None = None,
        **facts: Any,
    ) -> DeskRow:
        """Add a task to the desk; whose it is, is mailed."""
        for mail, person in desk_readers.readers(self.tx, kind, game):
            closed = self.tx.count(DeskRow, person=person.id, done=Since(micros(self.now - AT_DESK)))
            urgent = kind in desk_readers.URGENT and self.actor.person != person.id and not closed
            self.schedule_desk_mail(mail, person, self.now if urgent else self.now + GATHERED)
        about = _ids(game=game, turn=turn, seat=seat)
        return self.tx.add(DeskRow(kind=kind, opened=self.at, due=due, **about, facts=pack(facts)))

    def close_tasks(self, note: str = "", *, person: int | None = None, **where: Any) -> int:
        """Close open tasks on the desk with these values; return how many there were."""
        return self.tx.change_where(DeskRow, {"done": self.at, "person": person, "note": note}, done=None, **where)

    def schedule_desk_mail(self, mail: str, person: PersonRow, at: datetime, *, move: bool = True) -> None:
        """Mail somebody about the desk at a time, out of quiet hours; ``move``: a later mail comes then instead."""
        name, due = f"{mail} mail to {person.id}", micros(read_preferences(person.preferences).wakes(at))
        known = self.tx.find(WorkRow, name=name)
        if known is not None and (known.state == "failed" or (known.state == "waiting" and not move)):
            return
        if known is None or known.state != "waiting" or known.due > due:
            self.schedule_job("desk mail", name, due, None, mail=mail, person=person.id)

    def mail(
        self,
        kind: str,
        person: PersonRow | None,
        *,
        address: str = "",
        game: GameRow | None = None,
        turn: TurnRow | None = None,
        power: str = "",
        **facts: Any,
    ) -> bool:
        """Queue a message; False where there is nowhere to send it, or the person doesn't want it."""
        if person is not None and game is not None and kind in PUSHED_MAIL:
            self.push(PUSHED_MAIL[kind], person, game, turn, power)
        to = address or (person.email if person and person.email else "")
        if not to or to.endswith(GUESTS):
            return False
        if person is not None and kind in read_preferences(person.preferences).quiet:
            return False
        answers = person is None or not person.confirmed or self.actor.person in (None, person.id)
        if answers and self.actor.language:
            facts["language"] = self.actor.language  # for who has chosen none
        host = self.office.settings.mail_from.rpartition("@")[2]
        unique = f"<{kind.replace(' ', '-')}.{self.office.random_source.bytes(12).hex()}@{host}>"
        thread = f"{game.key}.{turn.key}" if game and turn else game.key if game else ""
        locked = seals.lock_padded(self.office.outbox_keys.key(self.at), msgspec.json.encode(facts))
        about = {"kind": kind, "address": to, "power": power, "message_id": unique, "thread": thread}
        self._enter_mailing("mail", person, game, turn, **about, facts=locked, due=self.at)
        return True

    def _enter_mailing(
        self, channel: str, person: PersonRow | None, game: GameRow | None, turn: TurnRow | None, **values: Any
    ) -> None:
        self.tx.notifications.add(channel)
        about = _ids(person=person, game=game, turn=turn)
        self.tx.enter(MailingRow(channel=channel, made=self.at, **about, **values))

    def shown_person(self, person: int) -> int:
        """Return the number that is shown for a person: the row's own to the office itself and at its terminal."""
        return person if self.actor.kind in ("clock", "console") else self.office.numbers.shown("person", person)

    def refuse_unwanted_mail(self, sender: int | None, kind: str, address: str, game: GameRow | None = None) -> None:
        """Count a mail that somebody has the office send to an address of their choice, who may be a stranger: to one
        address goes one of a kind a day, but for people who have been in a game together, and no invitation where its
        owner wants none. Raises LimitExceededError when that, or as much as a sender or a game has in a day, is used
        up."""
        if sender is None:  # the operator
            return
        person = self.tx.find(PersonRow, email=address, confirmed=True)
        if person is not None and self.tx.find(BlockRow, person=person.id, blocked=sender) is not None:
            raise LimitExceededError("This address takes no invitations. Send a link yourself.")
        known = person is not None and (kind != "invitation" or queries.have_met(self.tx, person.id, sender))
        if not known and self.tx.count(MailingRow, kind=kind, address=address, made=Since(self.at - DAY)):
            raise LimitExceededError(
                "Such a mail went to this address today already. Send a link yourself, or try again tomorrow."
            )
        if kind == "invitation" and self.office.shared.get(NO_MORE, self.office.address_digest(address)) is not None:
            raise LimitExceededError("This address takes no invitations. Send a link yourself.")
        for whose in (f"person {sender}", f"game {game.id}" if game else ""):
            if whose and not self.office.mailed_to.take(whose):
                raise LimitExceededError("You have sent as many invitations as a day allows. Try again tomorrow.")

    def push(
        self, kind: str, person: PersonRow, game: GameRow | None = None, turn: TurnRow | None = None, power: str = ""
    ) -> None:
        """Queue a notification for a person's browsers, if wanted; it comes when their quiet hours are over."""
        if not self.office.settings.push or not self.tx.count(BrowserRow, person=person.id):
            return
        preferences = read_preferences(person.preferences)
        if kind in preferences.unpushed:
            return
        unique = f"<push.{self.office.random_source.bytes(12).hex()}>"
        due, thread = max(self.at, micros(preferences.wakes(self.now))), game.key if game else kind
        about = {"kind": kind, "address": "", "power": power, "message_id": unique, "thread": thread}
        self._enter_mailing("push", person, game, turn, **about, facts=b"", due=due)

    def tell_bridges(self, kind: str, game: GameRow, turn: TurnRow | None = None, **facts: Any) -> None:
        """Queue what all of a game are told for its bridges, and for those of the people who play it."""
        if not self.office.settings.bridges:
            return
        people = [seat.person for seat in self.tx.all(SeatRow, game=game.id) if seat.person is not None]
        bridges = [*self.tx.all(BridgeRow, game=game.id)]
        bridges += self.tx.all(BridgeRow, person=people, game=None)
        for bridge in bridges:
            if bridge.confirmed is not None and TOLD[kind] in bridge.tells.split():
                self.send_over(bridge, kind, game, turn, **facts)

    def send_over(
        self, bridge: BridgeRow, kind: str, game: GameRow | None = None, turn: TurnRow | None = None, **facts: Any
    ) -> None:
        """Queue a message over a bridge, as long as it has had less than a day allows."""
        address = f"bridge {bridge.id}"
        if self.tx.count(MailingRow, address=address, made=Since(self.at - DAY)) >= MOST_OVER_A_BRIDGE:
            return
        person = self.tx.find(PersonRow, id=bridge.person)
        about = {"kind": kind, "address": address, "power": "", "thread": game.key if game else ""}
        unique = f"msg_{self.office.random_source.bytes(16).hex()}"
        locked = seals.lock_padded(self.office.outbox_keys.key(self.at), msgspec.json.encode(facts))
        self._enter_mailing("bridge", person, game, turn, **about, message_id=unique, facts=locked, due=self.at)

    def later(self, **step: float) -> int:
        """A time from now, in microseconds."""
        return micros(self.now + timedelta(**step))


def _ids(**rows: Row | None) -> dict[str, Any]:
    return {name: row.id if row is not None else None for name, row in rows.items()}


def game_settings(row: GameRow) -> GameSettings:
    """The settings of a game. Raises DamagedError if they cannot be read."""
    try:
        return unpacked_settings(row.settings)
    except msgspec.ValidationError:
        raise DamagedError(f"The settings of {row.name} can no longer be read.") from None


def called(tx: Transaction, kind: type[queries.Named], name: str) -> list[queries.Named]:
    """Return the games or tournaments with a key or a name; of those that aren't listed several may have the same."""
    key = game_key(name)
    return [row for row in queries.called(tx, kind, key) if key in (row.key, game_key(row.name))]


class RoleContext:
    """A game or tournament in which a command is given, and the ``roles`` that the actor has in it."""

    found_by: ClassVar[tuple[str, ...]]
    """The arguments of a command by which its context is found."""
    locked: ClassVar[bool] = False
    """Whether every command locks the row of its game or tournament, not only those declared with ``lock``."""
    roles: frozenset[str]

    def __init__(self, act: CommandContext) -> None:
        self.act, self.tx, self.office = act, act.tx, act.office
        self.actor, self.now, self.at = act.actor, act.now, act.at

    @property
    def runs_it(self) -> bool:
        """Return whether the actor coordinates or organizes it, or stands in for who does."""
        return bool(self.roles & RUN_IT)


class GameContext(RoleContext):
    """A game with the roles that the actor has in it. ``seat`` is the seat that is meant."""

    found_by: ClassVar[tuple[str, ...]] = ("game",)

    def __init__(self, act: CommandContext, row: GameRow, power: str = "") -> None:
        super().__init__(act)
        self.row = row
        act.games.add(row.id)
        self.settings = game_settings(row)
        self.seats = {seat.power: seat for seat in act.tx.all(SeatRow, game=row.id)}
        self.seat: SeatRow | None = None
        self.last_line: LineRow | None = None  # of the journal's chain, where it was written here
        self.looked_at: set[str] = set()  # what of the chain's end needs no second look
        person = act.actor.person
        self.own = tuple(s.power for s in self.seats.values() if person is not None and s.person == person)
        roles = set(act.roles())
        if self.own:
            roles.add("player")
            roles.discard("administrator")  # who plays sees no more of the game than other players
        if person is not None and row.coordinator == person and "guest" not in roles:
            roles.add("coordinator" if self.settings.coordinated else "host")
        if person is not None and row.deputy == person:
            roles.add("deputy")
        self.roles = frozenset(roles)
        if power:
            self.sit(power)

    @staticmethod
    def authorized(act: CommandContext, game: str, power: str = "", *, lock: bool = False) -> GameContext:
        """Ask for a command in a game, on the seat of a power where one is named."""
        row = act.tx.find(GameRow, key=game_key(game), lock=lock)
        nothing = f"There is no game {game_key(game)[:60]!r}."
        if row is None or not GameContext(act, row).is_known():
            own = act.own_game(game)
            if own is None:
                act.asked = True
                raise NotFoundError(nothing)
            row = act.tx.get(GameRow, own.id, lock=lock)
        return act.scene(row, power, nothing)

    def sit(self, power: str) -> None:
        """Mean the seat of a power, by any of its names; none where it is empty."""
        if power:
            self.seat = self.seats[self.power(power)]
            if self.seat.power in self.own:
                self.roles |= {"holder"}

    @property
    def rules(self) -> Ruleset:
        """The game's rules."""
        return self.office.rules(self.row)

    def named(self, power: str) -> Power:
        """Return a power, to be named in a sentence."""
        return self.office.named(self.row, power)

    @property
    def held(self) -> SeatRow:
        """The seat that is meant."""
        if self.seat is None:
            raise NotFoundError("Name the power.")
        return self.seat

    def power(self, name: str) -> str:
        """A power by any of its names."""
        if name in self.seats:
            return name
        try:
            return self.rules.reader.power(name)
        except OrderTextError as error:
            message = f"There is no power {name[:60]!r} in {self.row.name}."
            raise NotFoundError(message, suggestions=error.suggestions or tuple(self.seats)) from None

    def is_known(self) -> bool:
        """Return whether the actor may know of the game."""
        return self.settings.listed or bool(self.roles & MEMBERS) or self.invited()

    def is_own(self) -> bool:
        """Return whether the actor is in the game, or invited to it."""
        if self.roles & MEMBERS or self.invited():
            return True
        person = self.tx.find(PersonRow, id=self.actor.person)
        sent = self.tx.all(InvitationRow, game=self.row.id, email=person.email) if person and person.email else ()
        return any(link.used is None and link.expires >= self.at for link in sent)

    def invited(self) -> bool:
        """Return whether the actor signed up, held a seat, or played to the end the game that this is a rematch of."""
        person = self.actor.person
        if person is None:
            return False
        if self.row.follows is not None:
            before = [seat.id for seat in self.tx.all(SeatRow, game=self.row.follows)]
            if self.tx.count(HoldingRow, person=person, seat=before, until=None):
                return True
        held = self.tx.count(HoldingRow, person=person, seat=[seat.id for seat in self.seats.values()])
        return bool(held) or self.tx.find(SignUpRow, game=self.row.id, person=person) is not None

    def turn(self, *, lock: bool = False) -> TurnRow:
        """The present turn."""
        if self.row.turn is None:
            raise ConflictError(f"{self.row.name} has not begun.")
        row = self.tx.find(TurnRow, game=self.row.id, number=self.row.turn, lock=lock)
        assert row is not None
        return row

    def people(self) -> Iterable[tuple[SeatRow, PersonRow]]:
        """Return the holders of the seats."""
        ids = [s.person for s in self.seats.values() if s.person is not None]
        known = {p.id: p for p in self.tx.all(PersonRow, id=ids)}
        for seat in self.seats.values():
            if seat.person in known:
                yield seat, known[seat.person]

    def mail(self, kind: str, turn: TurnRow | None = None, powers: Collection[str] | None = None, **facts: Any) -> None:
        """Mail the holders of the seats of some powers, or of all; what all are told goes over bridges, too."""
        if powers is None and kind in TOLD:
            self.act.tell_bridges(kind, self.row, turn, **facts)
        told: set[int] = set()
        for seat, person in self.people():
            if powers is None or seat.power in powers:
                if self.settings.one_orders_all and person.id in told:
                    continue  # of all powers once
                told.add(person.id)
                self.act.mail(kind, person, game=self.row, turn=turn, power=seat.power, **facts)

    def append_journal(self, kind: str, **facts: Any) -> None:
        """Write a line of this game's journal; one about a seat tells its power."""
        if "seat" in facts:
            facts["power"] = facts["seat"].power
        facts.setdefault("role", next((role for role in NOTED if role in self.roles), "person"))
        self.act.append_journal(kind, self.row, **facts)


class SeatContext(GameContext):
    """A game with the seat of the power that a command names."""

    found_by = ("game", "power")


class GameCommand(Protocol[P, T]):
    """A command of a game; ``within`` carries it out in one in which permission was asked already."""

    within: Callable[Concatenate[GameContext, P], T]

    def __call__(self, office: Office, actor: Actor, game: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Carry the command out for an actor, once permission was asked."""


class command:  # noqa: N801 - a decorator
    """Declare a command, ``verb(office, actor, ...)``, one transaction, all or nothing: the scope that a token needs,
    its route in the API, and for each role the states of the game in which it may (``any`` where there is no game).

    Permission is asked before a function of a game, a seat or a tournament runs, whose row is locked with ``lock``, and
    before one that names none of them and is for nobody in one; all others ask by themselves.

    >>> @command("coordinate", "POST /games/{game}/pause", coordinator="running", clock="running")  # doctest: +SKIP"""

    writes = True

    def __init__(self, scope: str, route: str = "", call: Call = PLAIN, /, *, lock: bool = False, **who: str) -> None:
        self._declared = scope, route, call, who
        self._lock = lock

    @typing.overload
    def __call__(
        self, function: Callable[Concatenate[CommandContext, P], T]
    ) -> Callable[Concatenate[Office, Actor, P], T]: ...

    @typing.overload
    def __call__(self, function: Callable[Concatenate[GameContext, P], T]) -> GameCommand[P, T]: ...

    @typing.overload
    def __call__(
        self, function: Callable[Concatenate[SeatContext, P], T]
    ) -> Callable[Concatenate[Office, Actor, str, str, P], T]: ...

    @typing.overload
    def __call__(self, function: Callable[Concatenate[C, P], T]) -> Callable[Concatenate[Office, Actor, str, P], T]: ...

    def __call__(self, function: Callable[..., T]) -> Callable[..., T]:
        """Wrap a function of a context as a command or query, and declare it."""
        name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        within, function = function, self._authorized(function, name)

        @functools.wraps(function)
        def answered(office: Office, actor: Actor, /, *args: Any, **kwargs: Any) -> T:
            with office.store.transaction(write=False) as tx:
                act = CommandContext(office, actor, tx, name, office.clock.now())
                return _asked(act, function(act, *args, **kwargs))

        @functools.wraps(function)
        def carried_out(office: Office, actor: Actor, /, *args: Any, **kwargs: Any) -> T:
            now = office.clock.now()
            for _ in range(CROSSINGS):
                with contextlib.suppress(SerializationConflictError, DuplicateRowError):  # of a row added meanwhile
                    return _once(name, now, function, office, actor, args, kwargs)
            return _once(name, now, function, office, actor, args, kwargs)

        run = carried_out if self.writes else answered
        vars(run)["within"] = within
        permissions.declare(name, run, *self._declared, writes=self.writes)
        return run

    def _authorized(self, function: Callable[..., T], name: str) -> Callable[..., T]:
        """Return a command's function as one of a :class:`CommandContext`, which asks for permission as declared; what
        its own context is found by are the first of its arguments."""
        first, *others = inspect.signature(function).parameters.values()
        kind, who = function.__globals__.get(first.annotation, first.annotation), self._declared[3]
        if kind is CommandContext:
            if OF_ONE & {parameter.name for parameter in others} or not who.keys() <= OUTSIDE:
                return function
            assert {*who.values()} <= {"any"}, f"{name} is asked for before it has a game, so in no state of one"
        lock = self._lock or (self.writes and kind.locked)
        found_by = dict.fromkeys(kind.found_by, "str")
        shown = [inspect.Parameter(key, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation="str") for key in found_by]
        signature = inspect.Signature([first.replace(name="act"), *shown, *others])

        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> T:
            given = signature.bind(*args, **kwargs).arguments
            context = kind.authorized(*(given.pop(key) for key in ("act", *found_by)), lock=lock)
            return function(context, **given)

        vars(run)["__signature__"] = signature
        run.__annotations__ = {**found_by, **function.__annotations__}
        return run


class query(command):  # noqa: N801 - a decorator
    """Declare a query, ``verb(office, actor, ...)``, like a command; it writes nothing."""

    writes = False


def _once(
    name: str, now: datetime, function: Callable[..., T], office: Office, actor: Actor, args: Any, kwargs: Any
) -> T:
    with _undone_if_refused(office) as files, office.store.transaction() as tx:
        act = CommandContext(office, actor, tx, name, now, files)
        if not actor.key or actor.kind == "visitor":  # visitors have no key that is theirs alone
            return _done(act, function(act, *args, **kwargs))
        place = _digest(actor, office, "place")
        asked = _digest(actor, office, repr((name, args, sorted(kwargs.items()))))
        stored = tx.find(AnswerRow, actor=actor.label, name=place)
        if stored is not None and stored.asked != asked:
            raise ConflictError("This key was already used for another command. Use a new key for every command.")
        act.done_before = stored is not None
        try:
            answer = _done(act, function(act, *args, **kwargs))
        except AlreadyDone:
            assert stored is not None
            kept = seals.unlock_padded(_key_lock(actor, office), stored.answer)
            return typing.cast(T, decode_json(kept, type=typing.get_type_hints(function)["return"]))
        _keep(act, place, asked, answer)
        return answer


@contextlib.contextmanager
def by_clock(office: Office, *, write: bool = True) -> Iterator[CommandContext]:
    """A transaction of the office's own, for what happens because it is time or because a channel says so."""
    with office.store.transaction(write=write) as tx:
        yield CommandContext(office, Actor.clock(), tx, "clock", office.clock.now())


def ask_first(office: Office, actor: Actor, name: str, game: str = "", power: str = "") -> None:
    """Refuse as a command would, before anything is read for it."""
    with office.store.transaction(write=False) as tx, contextlib.suppress(AlreadyDone):
        act = CommandContext(office, actor, tx, name, office.clock.now())
        act.done_before = bool(actor.key)  # perhaps; then the state of the game does not matter
        if game:
            GameContext.authorized(act, game, power)
        else:
            act.allow()


@contextlib.contextmanager
def _undone_if_refused(office: Office) -> Iterator[list[str]]:
    files: list[str] = []
    try:
        yield files
    except BaseException:
        for name in files:
            with contextlib.suppress(OfficeError):
                office.files.remove(name)
        raise


def _asked(act: CommandContext, answer: T) -> T:
    if not act.asked:
        raise AssertionError(f"{act.name} was not asked of the table of permissions")
    return answer


def _done(act: CommandContext, answer: T) -> T:
    invariants.check(act.tx, act.games, act.tournaments)
    return _asked(act, answer)


# Answers that are given again


def _keep(act: CommandContext, place: str, asked: str, answer: object) -> None:
    """Keep an answer for the actor's key; a record with secrets tells by ``kept()`` what of it may be stored."""
    told = answer.kept() if hasattr(answer, "kept") else answer
    if told is None and answer is not None:
        return
    locked = seals.lock_padded(_key_lock(act.actor, act.office), msgspec.json.encode(told))
    row = AnswerRow(actor=act.actor.label, name=place, command=act.name, asked=asked, answer=locked, at=act.at)
    act.add_only(row, "The same request is already being processed.")


def _digest(actor: Actor, office: Office, text: str) -> str:
    return hmac.new(_key_lock(actor, office), text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def _key_lock(actor: Actor, office: Office) -> bytes:
    return office.keyed("answer", msgspec.json.encode([actor.label, actor.via, actor.key]))


def is_guest(person: PersonRow) -> bool:
    """Return whether somebody has a seat for a day, without an address."""
    return bool(person.email and person.email.endswith(GUESTS))


def given_reason(text: str, told: str = "all players see it") -> str:
    """Return a reason as it is kept; ``told``: what becomes of it. Raises InvalidInputError for none, or a long one."""
    if not (reason := given_note(text)):
        raise InvalidInputError(f"Give a reason; {told}.", faults=["reason: empty"])
    return reason


def given_note(text: str, name: str = "reason", most: int = LONGEST) -> str:
    """Return what somebody says about a command, or calls something; InvalidInputError for more than is kept."""
    if len(note := text.strip()) > most:
        raise InvalidInputError(f"The text can have at most {most} characters.", faults=[f"{name}: too long"])
    return note


def given_label(text: str) -> str:
    """Return the label of a credential or browser, on one line; refused where it is too long, as :func:`given_note`."""
    return given_note(" ".join(text.split()), "label", LONGEST_LABEL)
