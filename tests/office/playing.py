"""What tests of the office share: people with tokens, games that have begun, sheets."""

import io
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage
from random import Random
from typing import Any, ParamSpec, TypeVar

import pytest
from PIL import Image

from legation.bots import bot
from legation.game import read_position
from legation.notation import write
from legation.office.clock import SimulatedClock
from legation.office.context import Actor, by_clock
from legation.office.desk import mailings, mailroom
from legation.office.game import seats
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.records import GameRecord, Receipt, TurnRecord
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import TABLES, GameRow, Row
from legation.position import Position
from tests.office.begun import done_once

E = TypeVar("E", bound=Exception)
P = ParamSpec("P")
R = TypeVar("R", bound=Row)
CONSOLE, VISITOR = Actor.console(), Actor.visitor()


def person(office: Office, name: str) -> Actor:
    """Somebody with a token."""
    known = people.register(office, Actor.console(), name, f"{name.lower()}@example.org")
    token = people.token_for(office, Actor.console(), known.id, "tests")
    return people.by_secret(office, token.secret)


def administrator(office: Office, name: str = "Chief") -> Actor:
    """Somebody with a token who administers the office."""
    made = person(office, name)
    people.make_administrator(office, Actor.console(), made.person or 0)
    return made


def told_by_mail(office: Office, kind: str) -> list[str]:
    """The names of those to whom a mail of this kind waits."""
    return sorted(mailing.name for mailing in mailings.claim(office, limit=500) if mailing.kind == kind)


def refuses(kind: type[E], do: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> pytest.ExceptionInfo[E]:
    """What comes of a call that is refused: an error of this kind."""
    with pytest.raises(kind) as caught:
        do(*args, **kwargs)
    return caught


def stored(office: Office, kind: type[R], /, **where: Any) -> list[R]:
    """The rows with these values."""
    with office.store.transaction(write=False) as tx:
        return tx.all(kind, **where)


def the(office: Office, kind: type[R], id: int | None = None, /, **where: Any) -> R:
    """The one row with this number, or with these values."""
    (row,) = stored(office, kind, **({"id": id} if id is not None else where))
    return row


def counted(office: Office, kind: type[Row], /, **where: Any) -> int:
    """How many rows have these values."""
    with office.store.transaction(write=False) as tx:
        return tx.count(kind, **where)


def alter(office: Office, kind: type[Row], values: dict[str, Any], /, **where: Any) -> None:
    """Write values into the rows with these values, past what the office allows."""
    with office.store.transaction() as tx:
        tx.change_where(kind, values, **where)


def set_past(office: Office, game: str, **settings: Any) -> None:
    """Write settings into a game, past what the office allows."""
    packed = the(office, GameRow, key=game).settings
    alter(office, GameRow, {"settings": pack({**unpack(packed), **settings})}, key=game)


def row_with(kind: type[R], /, **values: Any) -> R:
    """A row with nothing in the columns of which nothing is said."""
    columns = [c for c in TABLES[kind].columns if not c.primary_key]
    empty: dict[str, Any] = {c.name: None if c.nullable else c.type.python_type() for c in columns}
    return kind(**empty | values)


def passes(office: Office, clock: SimulatedClock, time: timedelta | datetime) -> None:
    """Let time go by, or come to a moment, and have the office do what is due."""
    if isinstance(time, datetime):
        clock.set(time)
    else:
        clock.advance(time)
    work.run_due(office)


def close_turn(office: Office, clock: SimulatedClock, record: GameRecord) -> None:
    """Come to the deadline of a game's turn."""
    passes(office, clock, turn_now(office, Actor.console(), record.key).deadline)


def deadline_of(record: GameRecord) -> datetime:
    """The deadline of the turn that a game was in."""
    assert record.turn is not None
    return record.turn.deadline


def turn_now(office: Office, actor: Actor, game: str) -> TurnRecord:
    """The turn that a game is in, as the reader sees it."""
    turn = games.game(office, actor, game).turn
    assert turn is not None
    return turn


def gather(
    office: Office,
    host: Actor,
    name: str,
    variant: str = "hundred",
    chairs: dict[str, str] | None = None,
    **settings: Any,
) -> GameRecord:
    """A game that gathers its players."""
    plan = {"name": name, "variant": variant, "seats": chairs or {}, "settings": settings}
    return games.create(office, host, plan)


def begin(
    office: Office,
    variant: str = "hundred",
    name: str = "Powick Bridge",
    powers: int | None = None,
    folk: str = "",
    **settings: Any,
) -> tuple[GameRecord, dict[str, Actor], Actor]:
    """A game that has begun: its record, who plays which power, and its coordinator (or host).

    ``powers``: so many are people, the rest hold. ``folk``: what their names begin with, where the usual people are not
    to play."""
    what = (variant, name, powers, folk, repr(sorted(settings.items())))
    record, players, host = done_once(office, what, lambda: _begin(office, variant, name, powers, folk, settings))
    return record, dict(players), host


def _begin(
    office: Office, variant: str, name: str, powers: int | None, folk: str, settings: dict[str, Any]
) -> tuple[GameRecord, dict[str, Actor], Actor]:
    host = person(office, f"{folk}Coordinator")
    made = gather(office, host, name, variant, **settings)
    names = [seat.power for seat in made.seats]
    played = names if powers is None else names[:powers]
    for power in names[len(played) :]:
        seats.seat_bot(office, host, made.key, power, "hold")
    actors = [person(office, f"{folk}Player{number}") for number, _ in enumerate(played)]
    for power, actor in zip(played, actors, strict=True):
        seats.sign_up(office, actor, made.key, [power])
    if made.settings["coordinated"]:
        games.start(office, host, made.key)
    work.run_due(office)
    record = games.game(office, host, made.key)
    assert record.state == "running"
    holders = {seat.power: seat.person for seat in games.game(office, Actor.console(), made.key).seats}
    return record, {power: a for a in actors for power, who in holders.items() if who == a.person}, host


def end_game(office: Office, key: str, powers: str | Iterable[str], kind: str = "solo", at: int = 0) -> None:
    """End a game as its last turn does, and do the work that is due then."""
    with by_clock(office) as act:
        row = act.wanted(GameRow, "There is no such game.", key=key)
        told = {"kind": kind, "powers": [powers] if isinstance(powers, str) else list(powers), "reason": "it ended"}
        act.tx.change(row, state="ended", ended=at or act.at, ending=pack(told), how=kind)
        for what in ("archive", "rate", "count board"):
            act.schedule_job(what, f"{what} {row.ref}", act.at, row, game=row.id)
    work.run_due(office)


def picture(width: int = 60, height: int = 40, form: str = "JPEG", mode: str = "RGB") -> bytes:
    """A plain picture."""
    made = io.BytesIO()
    Image.new(mode, (width, height), "white").save(made, form)
    return made.getvalue()


def position_of(office: Office, record: GameRecord) -> Position:
    """The present position of a game, typed."""
    faults: list[str] = []
    rules = office.variants.load(record.variant, record.options)
    position = read_position(rules, games.position(office, Actor.console(), record.key), faults)
    assert not faults
    return position


def sheets(
    office: Office, record: GameRecord, seed: object, powers: Sequence[str], name: str = "random"
) -> dict[str, str]:
    """Sheets for these powers by a bot."""
    rules, position = office.variants.load(record.variant, record.options), position_of(office, record)
    return {
        power: "\n".join(write(o) for o in bot(name)(rules, position, power, Random(f"{seed} {power}")).orders)
        for power in powers
    }


def unmatched_mail(
    office: Office, sender: str = "x@example.org", game: str = "", power: str = "", text: str = "A par H", why: str = ""
) -> int:
    """A mail that fits no seat, on the desk; the number of the item."""
    mail = EmailMessage()
    mail["From"], mail["Subject"] = sender, "Orders"
    mail["Message-ID"] = f"<{office.random_source.bytes(6).hex()}@example.org>"
    mail.set_content(text)
    data = mail.as_bytes()
    arrival = mailroom.record(office, [data], "unmatched", stored=mailroom.keep(office, data))
    return mailroom.file_mail(office, arrival, sender, game, power, why)


def send_all(office: Office, record: GameRecord, players: dict[str, Actor], seed: object) -> dict[str, Receipt]:
    """Everybody who has something to order sends a sheet, also where only they know that they do."""
    present = games.game(office, Actor.console(), record.key)

    def awaited(power: str) -> bool:
        seen = games.game(office, players[power], record.key)
        return next(seat.sent for seat in seen.seats if seat.power == power) is False

    sending = [seat.power for seat in present.seats if seat.power in players and awaited(seat.power)]
    texts = sheets(office, present, seed, sending)
    return {
        power: submissions.submit(office, players[power].by("api"), record.key, power, text or "# nothing")
        for power, text in texts.items()
    }
