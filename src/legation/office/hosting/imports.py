"""Whole records of other systems: games that are over come into the archive, marked as imported, and count in ratings,
profiles and openings.

Who played is what who brings a record says of it. A name stands as text, until the office knows it as somebody's: who
brings the record says so, or the person does and an administrator confirms it; the name is theirs in all records."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import msgspec

from legation.game import Game, position_document
from legation.game.documents import ending_document
from legation.game.log import PlayedTurn
from legation.game.report import AGREED
from legation.game.saved import SavedGameError, load_game
from legation.judge import Ending
from legation.office.clock import micros
from legation.office.context import CommandContext, GameContext, command, query
from legation.office.desk.tasks import close_about
from legation.office.errors import ConflictError, InvalidInputError, converted, refuse_faults
from legation.office.game import chain
from legation.office.game.orders_ahead import turn_key
from legation.office.game.turns import count_seats
from legation.office.game.views import result_document
from legation.office.hosting.game_records import game_record
from legation.office.hosting.moderation import person_by_number
from legation.office.identity.people import fold_email, fold_name
from legation.office.permissions import Call
from legation.office.pinned_rules import keep_rules
from legation.office.records import Document, GameRecord, RecordName
from legation.office.store.packing import pack, unkept_places
from legation.office.store.rows import GameRow, HoldingRow, PersonRow, RecordNameRow, RecordPlayerRow, SeatRow, TurnRow
from legation.office.terms.plans import GameSettings, game_key, name_faults, settings_faults
from legation.variants import plain_name

LONGEST = 60  # characters of a name, a source
MOST_CLAIMED = 20
TASK = "record name"
TIMES = ("opened", "season_opened", "deadline", "first_deadline", "closed", "published", "final")  # of a turn
WAIT = timedelta(minutes=10)  # in which all records that come are rated together


class WholeRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game that is over, as ``legation import`` writes it (``document``), from a ``source``. ``ended``: the day.
    ``names``: who played which power, ``people``: addresses of those with an account here, by power. ``draw``: the
    powers that shared one, where the document doesn't say how the game ended."""

    document: Document
    source: str
    ended: date
    name: str = ""
    names: dict[str, str] = {}
    people: dict[str, str] = {}
    draw: tuple[str, ...] = ()
    scoring: str = ""
    rated: bool = True


@command(
    "coordinate",
    "POST /records",
    Call(body="record", largest=30_000_000, creates=True),
    administrator="any",
    console="any",
)
def bring(act: CommandContext, record: WholeRecord | dict[str, Any]) -> GameRecord:
    """Take a finished game of another system into the archive, marked as imported.

    :raises InvalidInputError: with all that is wrong with it.
    :raises ConflictError: when the name is taken."""
    given = _read(record)
    try:
        game = load_game(given.document, act.office.variants)
        turns = [(turn, result_document(game.rules, turn)) for turn in game.turns]
    except (SavedGameError, LookupError, TypeError, ValueError) as error:
        faults = error.faults if isinstance(error, SavedGameError) else [f"document: {error}"]
        raise InvalidInputError("This record can't be read.", faults=faults[:20]) from None
    people = _people(act, given, game)
    scene = _write(act, given, game, turns)
    for power, name in given.names.items():
        seat, name = scene.seats[power].id, name.strip()
        act.tx.enter(RecordPlayerRow(game=scene.row.id, seat=seat, name=name, key=fold_name(name)))
    for power, person in people.items():
        _give(scene, scene.seats[power], person)
    scene.append_journal("record imported", source=given.source, role="coordinator")
    chain.begin_copy(scene)
    act.schedule_job("archive", f"archive {scene.row.ref}", act.at, scene.row, game=scene.row.id)
    _rate_soon(act)
    return game_record(GameContext(act, act.tx.get(GameRow, scene.row.id)))


def _read(record: WholeRecord | dict[str, Any]) -> WholeRecord:
    given = converted(record, WholeRecord, "This record")
    faults = [f"{place}: has a character that can't be kept" for place in unkept_places(msgspec.to_builtins(given))]
    name = given.name or str(given.document.get("name", ""))
    faults += name_faults(name) + settings_faults(GameSettings(scoring=given.scoring))
    if not _is_line(given.source):
        faults.append(f"source: says where it was played, in at most {LONGEST} characters")
    faults += [f"names.{power}: 1 to {LONGEST} characters" for power, who in given.names.items() if not _is_line(who)]
    refuse_faults("This record can't be imported", faults)
    return msgspec.structs.replace(given, name=name)


def _is_line(text: str) -> bool:
    return bool(text.strip()) and len(text) <= LONGEST and text.isprintable()


def _people(act: CommandContext, given: WholeRecord, game: Game) -> dict[str, int]:
    """Who is known here to have played, by power; all that is wrong with powers and people is told."""
    powers = game.rules.powers
    faults = [
        f"{part}: no power {p!r}"
        for part in ("names", "people", "draw")
        for p in getattr(given, part)
        if p not in powers
    ]
    people: dict[str, int] = {}
    for power, email in given.people.items():
        row = act.tx.find(PersonRow, email=fold_email(email), confirmed=True)
        if row is None:
            faults.append(f"people.{power}: nobody here uses this address")
        else:
            people[power] = row.id
    for power, name in given.names.items():
        known = act.tx.all(RecordNameRow, key=fold_name(name))
        if power not in people and (owner := next((k.person for k in known if k.confirmed is not None), None)):
            people[power] = owner
    if len(set(people.values())) < len(people):
        faults.append("people: nobody plays two powers")
    if given.ended > act.now.date():
        faults.append("ended: isn't over yet")
    if game.ending is None and not given.draw:
        faults.append("draw: the record doesn't say how the game ended; name the powers that shared a draw")
    if not game.turns:
        faults.append("document: has no turns")
    refuse_faults("This record can't be imported", faults)
    if act.tx.find(GameRow, key=game_key(given.name)) is not None:
        raise ConflictError(f"There is already a game called {given.name!r}. Choose another name.")
    return people


def _write(
    act: CommandContext, given: WholeRecord, game: Game, turns: list[tuple[PlayedTurn, Document]]
) -> GameContext:
    """Write the game with its turns and the lines of the journal by which it can be judged again."""
    rules, ended = game.rules, micros(datetime(given.ended.year, given.ended.month, given.ended.day, 12, tzinfo=UTC))
    ending = ending_document(game.ending or Ending("draw", given.draw, AGREED))
    assert ending is not None
    settings = GameSettings(press=(), scoring=given.scoring, rated=given.rated, listed=True)
    row = act.tx.add(
        GameRow(
            key=game_key(given.name),
            name=given.name,
            variant=plain_name(rules.name),
            options=pack(dict(rules.chosen)),
            rules_digest=rules.digest,
            settings=pack(settings),
            state="ended",
            coordinator=None,
            created=act.at,
            deal_commitment="",
            started=ended,
            ended=ended,
            turn=len(game.turns),
            ending=pack(ending),
            how=ending["kind"],
            source=given.source,
        )
    )
    row = act.tx.change(row, kept=keep_rules(act.tx, act.office.variants, row))
    act.tx.enter(*[SeatRow(game=row.id, power=power, state="left") for power in rules.powers])
    scene = GameContext(act, row)
    facts = {"name": row.name, "title": rules.title, "variant": row.variant, "options": dict(rules.chosen)}
    scene.append_journal("game created", **facts, powers=list(rules.powers), role="coordinator")
    shared: dict[str, Any] = dict.fromkeys(TIMES, ended)
    shared |= {"game": row.id, "state": "final", "public_key": b"", "seed_commitment": "", "sealed_by": chain.ELSEWHERE}
    for number, (turn, result) in enumerate(turns, start=1):
        before, name = turn.resolution.before, str(turn.resolution.before.turn)
        key, position, packed = turn_key(name), pack(position_document(rules, before)), pack(result)
        act.tx.enter(
            TurnRow(number=number, name=name, key=key, position=position, result=packed, drawn=turn.seed, **shared)
        )
        scene.append_journal("final results", name=name, orders=result["orders"], seed=turn.seed, role="clock")
    count_seats(scene, game.turns[-1].resolution.after)
    return scene


def _give(scene: GameContext, seat: SeatRow, person: int) -> None:
    """Have a person be who played a seat of an imported record."""
    since = scene.row.started or 0
    scene.seats[seat.power] = scene.tx.change(seat, state="held", person=person, since=since)
    ref = scene.office.random_source.bytes(16).hex()
    scene.tx.add(HoldingRow(seat=seat.id, person=person, bot="", since=since, ref=ref))


def _rate_soon(act: CommandContext) -> None:
    act.schedule_job("rate all", "rate all", micros(act.now + WAIT))


# Whose a name is


@command("me", "PUT /me/record-names/{name}", person="any")
def claim(act: CommandContext, name: str) -> list[RecordName]:
    """Say that a name in imported records is one's own; once an administrator has confirmed it, its games are, too.

    :raises NotFoundError: for a name that no record has.
    :raises ConflictError: for one that is somebody's."""
    own, key = act.person, fold_name(name)
    player = act.wanted(RecordPlayerRow, "No imported record has this name.", key=key)
    rows = act.tx.all(RecordNameRow, key=key)
    if any(row.confirmed is not None and row.person != own for row in rows):
        raise ConflictError("An administrator has confirmed this name for somebody else.")
    if act.tx.count(RecordNameRow, person=own) >= MOST_CLAIMED:
        raise ConflictError(f"You have {MOST_CLAIMED} names, the most allowed.")
    if not any(row.person == own for row in rows):
        act.tx.add(RecordNameRow(key=key, name=player.name, person=own, at=act.at))
        act.add_task(TASK, None, name=player.name, person=act.office.numbers.shown("person", own))
    return _names(act, person=own)


@command("me", "DELETE /me/record-names/{name}", person="any")
def give_up(act: CommandContext, name: str) -> list[RecordName]:
    """Say that a name in imported records is one's own no more; its games aren't either."""
    _release(act, act.person, name, "withdrawn")
    return _names(act, person=act.person)


@query("me", "GET /me/record-names", person="any")
def own_names(act: CommandContext) -> list[RecordName]:
    """Return the names in imported records that one has said are one's own."""
    return _names(act, person=act.person)


@query("coordinate", "GET /record-names", administrator="any", console="any")
def names(act: CommandContext) -> list[RecordName]:
    """Return the names that people have said are theirs."""
    return _names(act)


@command("coordinate", "PUT /record-names/{name}", administrator="any", console="any")
def confirm(act: CommandContext, name: str, person: int) -> list[RecordName]:
    """Confirm that a name in imported records is a person's, by the number that is shown: its games are theirs.

    :raises ConflictError: for a name that is somebody else's, or who would have played two powers of a game."""
    key, row = fold_name(name), person_by_number(act, person)
    player = act.wanted(RecordPlayerRow, "No imported record has this name.", key=key)
    claims = act.tx.all(RecordNameRow, key=key)
    if any(one.confirmed is not None and one.person != row.id for one in claims):
        raise ConflictError("This name is somebody else’s. Refuse it to them first.")
    own = next((one for one in claims if one.person == row.id), None)
    if own is None:
        own = act.tx.add(RecordNameRow(key=key, name=player.name, person=row.id, at=act.at))
    own = act.tx.change(own, confirmed=act.at)
    for scene, seat in _seats_of(act, key):
        if seat.person is None and row.id not in {other.person for other in scene.seats.values()}:
            _give(scene, seat, row.id)
    _settle(act, own, "record name confirmed")
    _tell(act, own, "record name confirmed", row)
    return _names(act)


@command("coordinate", "DELETE /record-names/{name}", administrator="any", console="any")
def refuse(act: CommandContext, name: str, person: int) -> list[RecordName]:
    """Say that a name in imported records isn't a person's: its games aren't theirs."""
    row = person_by_number(act, person)
    _tell(act, _release(act, row.id, name, "record name refused"), "record name refused", row)
    return _names(act)


def _release(act: CommandContext, person: int, name: str, note: str) -> RecordNameRow:
    claim = act.wanted(RecordNameRow, "This name was not claimed.", key=fold_name(name), person=person)
    act.tx.remove(RecordNameRow, id=claim.id)
    for _scene, seat in _seats_of(act, claim.key):
        if seat.person == person:
            act.tx.remove(HoldingRow, seat=seat.id, person=person)
            act.tx.change(seat, state="left", person=None, since=None)
    _settle(act, claim, note)
    return claim


def _seats_of(act: CommandContext, key: str) -> list[tuple[GameContext, SeatRow]]:
    found = act.tx.all(RecordPlayerRow, key=key)
    games = {row.id: GameContext(act, row) for row in act.tx.all(GameRow, id=sorted({p.game for p in found}))}
    return [(games[p.game], s) for p in found for s in games[p.game].seats.values() if s.id == p.seat]


def _settle(act: CommandContext, claim: RecordNameRow, note: str) -> None:
    close_about(act, TASK, note, name=claim.name, person=act.office.numbers.shown("person", claim.person))
    _rate_soon(act)


def _tell(act: CommandContext, claim: RecordNameRow, kind: str, person: PersonRow) -> None:
    act.append_journal(kind, seen_by="office", about=person.id)
    act.mail(kind, person, record_name=claim.name)


def _names(act: CommandContext, **where: Any) -> list[RecordName]:
    rows = act.tx.all(RecordNameRow, order="key", **where)
    decides = not where
    known = {row.id: row for row in act.tx.all(PersonRow, id=[row.person for row in rows])} if decides else {}
    return [
        RecordName(
            name=row.name,
            games=act.tx.count(RecordPlayerRow, key=row.key),
            confirmed=row.confirmed is not None,
            person=act.office.numbers.shown("person", row.person) if decides else 0,
            who=known[row.person].name if decides else "",
        )
        for row in rows
    ]
