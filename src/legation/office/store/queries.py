"""SQL for questions that need more than the rows with given values, such as joins; a short function for each."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa

from legation.office.store.rows import (
    TABLES,
    ArrivalRow,
    GameRow,
    HoldingRow,
    JournalRow,
    LetterRow,
    LineRow,
    MailingRow,
    PersonRow,
    PressRow,
    RecordRow,
    SeatRow,
    SignUpRow,
    SubmissionRow,
    TournamentRow,
    TurnRow,
    WorkRow,
    metadata,
)
from legation.office.store.transaction import Not, Since, Transaction, light_columns

files, games, holdings, journal, copies, letters, lines, mailings = (
    metadata.tables[name] for name in "files games holdings journal letter_copies letters lines mailings".split()
)
people, ratings, records, seats, shared, rated_games, rated_players, wishes, sent, turns, work = (
    metadata.tables[name]
    for name in "people ratings records seats shared rated_games rated_players sign_ups submissions turns work".split()
)
press, names, traces = (metadata.tables[name] for name in "press record_players traces".split())

Named = TypeVar("Named", GameRow, TournamentRow)


def next_due(tx: Transaction, but: Sequence[str] = ()) -> int | None:
    """Return the time at which the next work is due, of all kinds ``but`` some."""
    first = tx.all(WorkRow, order="due", limit=1, state="waiting", kind=Not(tuple(but)))
    return first[0].due if first else None


def claim_work(tx: Transaction, ids: Sequence[int], now: int) -> set[int]:
    """Take pieces of work as done in this transaction; without those that another worker has, or had."""
    wanted = sa.select(work.c.id).where(work.c.id.in_(ids), work.c.state == "waiting", work.c.due <= now)
    if tx.locks:
        wanted = wanted.with_for_update(skip_locked=True)
    query = sa.update(work).where(work.c.id.in_(wanted), work.c.state == "waiting").values(state="done")
    return {row.id for row in tx.rows(WorkRow, query.returning(work))}


class Lease(msgspec.Struct, frozen=True):
    """A channel's right to send mailings, until a time."""

    channel: str
    name: str
    until: int


def lease_mailings(
    tx: Transaction, lease: Lease, now: int, limit: int, last: Sequence[str], held: int | None, but: Sequence[str]
) -> list[MailingRow]:
    """Lease mailings that are due, ``but`` to some addresses, kinds ``last`` at the end and if due before ``held``."""
    wanted = (
        sa.select(mailings.c.id)
        .where(mailings.c.state == "waiting", mailings.c.channel == lease.channel, mailings.c.due <= now)
        .order_by(mailings.c.kind.in_(last), mailings.c.due, mailings.c.id)
        .limit(limit)
    )
    if but:
        wanted = wanted.where(mailings.c.address.not_in(but))
    if held is not None:
        wanted = wanted.where(sa.or_(mailings.c.kind.not_in(last), mailings.c.due <= held))
    if tx.locks:
        wanted = wanted.with_for_update(skip_locked=True)
    query = sa.update(mailings).where(mailings.c.id.in_(wanted), mailings.c.due <= now)
    query = query.values(due=lease.until, lease=lease.name).returning(mailings)
    return sorted(tx.rows(MailingRow, query), key=lambda row: (row.kind in last, row.id))


def _held_by(person: int) -> sa.Select[Any]:
    """The games in which a person held a seat at any time."""
    return sa.select(seats.c.game).join(holdings, holdings.c.seat == seats.c.id).where(holdings.c.person == person)


def have_met(tx: Transaction, person: int, other: int) -> bool:
    """Return whether a person has held a seat of a game that another one runs, or has held a seat of, too."""
    shared_game = sa.or_(games.c.id.in_(_held_by(other)), games.c.coordinator == other)
    query = sa.select(games.c.id).where(games.c.id.in_(_held_by(person)), shared_game)
    return tx.ask(query.limit(1)).first() is not None


class JournalReader(msgspec.Struct, frozen=True):
    """A journal's reader: of one of these kinds, with these seats; ``private`` kinds of lines are for these alone."""

    game: int
    seen_by: tuple[str, ...]
    seats: tuple[int, ...]
    private: tuple[str, ...]


def journal_after(
    tx: Transaction, reader: JournalReader, after: int, limit: int, kinds: Sequence[str] = (), *, newest: bool = False
) -> list[JournalRow]:
    """Lines of a game's journal for a reader; with ``newest`` those before a number (0: all), the last first."""
    query = sa.select(journal).where(_for_reader(reader))
    if after or not newest:
        query = query.where(journal.c.id < after if newest else journal.c.id > after)
    if kinds:
        query = query.where(journal.c.kind.in_(kinds))
    return tx.rows(JournalRow, query.order_by(journal.c.id.desc() if newest else journal.c.id).limit(limit))


def _for_reader(reader: JournalReader) -> sa.ColumnElement[bool]:
    own = journal.c.seat.in_(reader.seats)
    seen = sa.or_(journal.c.seen_by.in_(reader.seen_by), sa.and_(journal.c.seen_by == "seat", own))
    return sa.and_(journal.c.game == reader.game, seen, sa.or_(journal.c.kind.not_in(reader.private), own))


def journal_numbers(tx: Transaction, reader: JournalReader) -> list[int]:
    """The numbers of all lines that :func:`journal_after` gives a reader, in order."""
    return list(tx.ask(sa.select(journal.c.id).where(_for_reader(reader)).order_by(journal.c.id)).scalars())


def latest_entry(tx: Transaction) -> int:
    """The number of the journal's last line."""
    last = tx.all(JournalRow, id=Since(1), order="-id", limit=1)
    return last[0].id if last else 0


def games_changed(tx: Transaction, after: int) -> list[str]:
    """The keys of the games with lines of the journal after this one."""
    query = sa.select(games.c.key).distinct().join(journal, journal.c.game == games.c.id).where(journal.c.id > after)
    return [str(key) for key in tx.ask(query).scalars()]


def games_of(tx: Transaction, person: int) -> set[int]:
    """The games that a person plays, coordinates, is deputy of, or wishes to play."""
    query = sa.union(
        sa.select(seats.c.game).where(seats.c.person == person),
        sa.select(games.c.id).where(sa.or_(games.c.coordinator == person, games.c.deputy == person)),
        sa.select(wishes.c.game).where(wishes.c.person == person, wishes.c.withdrawn.is_(None)),
    )
    return tx.once(("games of", person), lambda: {int(game) for game in tx.ask(query).scalars()})


def plays_others(tx: Transaction, person: int, game: int) -> bool:
    """Return whether a person holds a seat in another running game than this one."""
    query = sa.select(seats.c.id).join(games, games.c.id == seats.c.game)
    query = query.where(seats.c.person == person, games.c.id != game, games.c.state == "running")
    return tx.ask(query.limit(1)).first() is not None


def people_of(tx: Transaction, game: int) -> set[int]:
    """Return everybody who ever held a seat of a game or signed up for one."""
    query = sa.union(
        sa.select(holdings.c.person).join(seats, seats.c.id == holdings.c.seat).where(seats.c.game == game),
        sa.select(seats.c.person).where(seats.c.game == game),
        sa.select(wishes.c.person).where(wishes.c.game == game),
    )
    return {int(person) for person in tx.ask(query).scalars() if person is not None}


class GameSearch(msgspec.Struct, frozen=True):
    """Which games are listed: by states, ``only`` some, a part of the name, the variant, or with a ``vacant`` seat.
    Of those that ended: by how, turns, and who held a seat last (``people``, or whom a record calls ``record_key``)."""

    states: tuple[str, ...] = ()
    only: set[int] | None = None
    name: str = ""
    variant: str = ""
    vacant: bool = False
    how: str = ""
    turns: tuple[int, int] | None = None
    record_key: str = ""
    people: tuple[int, ...] = ()


def list_games(tx: Transaction, wanted: GameSearch, after: str, limit: int) -> list[GameRow]:
    """Games in the order of their keys."""
    free = sa.or_(seats.c.state.in_(("open", "civil disorder", "left")), seats.c.stand_in)
    of_records = sa.select(names.c.game).where(names.c.key == wanted.record_key)
    of_people = sa.select(seats.c.game).where(seats.c.person.in_(wanted.people))
    conditions: list[tuple[object, sa.ColumnElement[bool]]] = [
        (wanted.states, games.c.state.in_(wanted.states)),
        (wanted.only is not None, games.c.id.in_(wanted.only or ())),
        (wanted.name, games.c.key.contains(wanted.name, autoescape=True)),
        (wanted.variant, games.c.variant == wanted.variant),
        (wanted.vacant, sa.exists().where(seats.c.game == games.c.id, free)),
        (wanted.how, games.c.how == wanted.how),
        (wanted.turns, games.c.turn.between(*(wanted.turns or (0, 0)))),
        (wanted.record_key, games.c.id.in_(of_records.union(of_people))),
    ]
    query = sa.select(games).where(games.c.key > after, *(condition for asked, condition in conditions if asked))
    return tx.rows(GameRow, query.order_by(games.c.key).limit(limit))


def called(tx: Transaction, kind: type[Named], key: str) -> list[Named]:
    """Return the games or tournaments of this key, first, then of those with random letters at its end the newest."""
    table = metadata.tables["games" if kind is GameRow else "tournaments"]
    query = sa.select(table).where(sa.or_(table.c.key == key, table.c.key.like(f"{key}-{'_' * 8}")))
    return tx.rows(kind, query.order_by(table.c.key != key, table.c.id.desc()))


def present_turns(tx: Transaction, games_ids: list[int]) -> dict[int, TurnRow]:
    """The present turn of each of these games, without what is heavy in it."""
    present = sa.and_(games.c.id == turns.c.game, games.c.turn == turns.c.number)
    query = sa.select(*light_columns(TurnRow)).join(games, present).where(games.c.id.in_(games_ids))
    return {row.game: row for row in tx.rows(TurnRow, query)}


def have_sent(tx: Transaction, of_turns: list[int], of_seats: list[int]) -> set[tuple[int, int]]:
    """The turns among these, each with a seat among these that has sent something in it that counts."""
    query = sa.select(sent.c.turn, sent.c.seat).distinct().where(sent.c.counts, sent.c.withdrawn.is_(None))
    answer = tx.ask(query.where(sent.c.turn.in_(of_turns), sent.c.seat.in_(of_seats)))
    return {(int(turn), int(seat)) for turn, seat in answer}


def turn_lines(tx: Transaction, game: int) -> list[TurnRow]:
    """The turns of a game without what is heavy in them."""
    return tx.all(TurnRow, light=True, order="number", game=game, number=Since(1))


def records_of(tx: Transaction, game: int) -> list[tuple[int, RecordRow]]:
    """The records of all that was sent in a game, the first first, each with the turn in which it was sent."""
    answer: Any = tx.ask(_records(game, sent.c.turn, *records.c))
    names = tuple(answer.keys())[1:]
    return [(int(turn), RecordRow(**dict(zip(names, row, strict=True)))) for turn, *row in answer]


def _records(game: int, *columns: sa.Column[Any]) -> sa.Select[Any]:
    sheets = records.join(sent, sent.c.id == records.c.submission).join(turns, turns.c.id == sent.c.turn)
    return sa.select(*columns).select_from(sheets).where(turns.c.game == game).order_by(records.c.id)


def last_signed(tx: Transaction) -> list[tuple[str, LineRow]]:
    """Return the last line that the office signed of each game's chain, with the name of the chain."""
    signed = lines.c.signature != ""
    last = sa.select(lines.c.game, sa.func.max(lines.c.n).label("n")).where(signed).group_by(lines.c.game).subquery()
    is_last = sa.and_(lines.c.game == last.c.game, lines.c.n == last.c.n)
    rows = tx.rows(LineRow, sa.select(lines).join(last, is_last))
    refs = {int(id): str(ref) for id, ref in tx.ask(sa.select(games.c.id, games.c.ref))}
    return [(refs[row.game], row) for row in rows]


def records_ahead(tx: Transaction, game: int) -> list[RecordRow]:
    """The records of a game that were sealed to the key of a later turn, the first sent first."""
    return tx.rows(RecordRow, _records(game, *records.c).where(records.c.sealed != b""))


def sealed_ahead(tx: Transaction, game: int | None = None) -> list[tuple[int, str]]:
    """Turns (of one game or all) with orders ahead still sealed, each with the name of the turn they're for."""
    query = (
        sa.select(sent.c.turn, records.c.turn_name)
        .distinct()
        .join(sent, sent.c.id == records.c.submission)
        .where(records.c.sealed != b"", records.c.opening == b"", records.c.lost.is_(None))
    )
    if game is not None:
        query = query.join(turns, turns.c.id == sent.c.turn).where(turns.c.game == game)
    return [(int(turn), str(name)) for turn, name in tx.ask(query)]


def last_version(tx: Transaction, turn: TurnRow, seat: int) -> int:
    """The number of the last version of a seat in a turn, those included whose key was lost; 0 where it sent none."""
    query = sa.select(sa.func.max(sent.c.version)).join(turns, turns.c.id == sent.c.turn)
    query = query.where(sent.c.seat == seat, turns.c.game == turn.game, turns.c.name == turn.name)
    return int(tx.ask(query).scalar() or 0)


def letters_for(
    tx: Transaction, game: int, seats: Sequence[int], everything: bool, after: int, limit: int, *, newest: bool = False
) -> list[LetterRow]:
    """Letters that these seats may read, the first first: after this number, or the ``newest`` before it."""
    number = letters.c.id
    query = sa.select(letters).where(letters.c.game == game, number < after if newest else number > after)
    if not everything:
        copied = sa.select(copies.c.letter).where(copies.c.seat.in_(seats))
        query = query.where(sa.or_(letters.c.public, letters.c.sender.in_(seats), number.in_(copied)))
    rows = tx.rows(LetterRow, query.order_by(number.desc() if newest else number).limit(limit))
    return rows[::-1] if newest else rows


def guests(tx: Transaction, domain: str, before: int) -> list[int]:
    """People with addresses in a domain who came before a time."""
    query = sa.select(people.c.id).where(people.c.email.endswith(domain, autoescape=True), people.c.since < before)
    return [int(id) for id in tx.ask(query).scalars()]


def never_confirmed(tx: Transaction, before: int) -> list[int]:
    """People who came before a time, never signed in, and have no part in any game."""
    parts = [TABLES[kind].c.person for kind in (HoldingRow, SeatRow, SignUpRow, SubmissionRow, JournalRow, ArrivalRow)]
    query = sa.select(people.c.id).where(
        people.c.confirmed.is_(False),
        people.c.email.is_not(None),
        people.c.since < before,
        *(~sa.exists().where(column == people.c.id) for column in (*parts, games.c.coordinator, games.c.deputy)),
    )
    return [int(id) for id in tx.ask(query).scalars()]


def sheets_of_erased(tx: Transaction) -> list[int]:
    """Return what was sent by people who are erased, where it is still kept and the turn is final or the game over."""
    query = (
        sa.select(sent.c.id)
        .join(people, people.c.id == sent.c.person)
        .join(turns, turns.c.id == sent.c.turn)
        .join(games, games.c.id == turns.c.game)
        .where(people.c.email.is_(None))
        .where(sa.or_(turns.c.state == "final", games.c.state.in_(("ended", "cancelled"))))
        .where(sa.or_(sent.c.sealed != b"", sa.exists().where(files.c.submission == sent.c.id)))
    )
    return [int(id) for id in tx.ask(query).scalars()]


def forget_game(tx: Transaction, game: int) -> None:
    """Take a game away with every row that belongs to it, or to its turns, seats, submissions and letters."""
    gone: dict[str, list[int]] = {"games": [game]}
    for table in metadata.sorted_tables:  # what others point at comes first
        links = [
            c.in_(gone[k.column.table.name]) for c in table.c for k in c.foreign_keys if k.column.table.name in gone
        ]
        if links:
            ids = tx.connection.execute(sa.select(table.c.id).where(sa.or_(*links))).scalars()
            gone[table.name] = [int(id) for id in ids]
    for table in reversed(metadata.sorted_tables):
        if table.name in gone:
            tx.connection.execute(sa.delete(table).where(table.c.id.in_(gone[table.name])))


def make_room(tx: Transaction, kind: str, room: int) -> None:
    """Delete shared values of a kind, those unused for longest first, until they take at most ``room`` bytes."""
    taken = sa.func.sum(shared.c.number).over(order_by=(shared.c.until.desc(), shared.c.id.desc())).label("taken")
    newest = sa.select(shared.c.id, taken).where(shared.c.kind == kind).subquery()
    gone = sa.select(newest.c.id).where(newest.c.taken > room)
    tx.connection.execute(sa.delete(shared).where(shared.c.id.in_(gone)))


def mean_ratings(tx: Transaction, variant: str = "") -> dict[str, tuple[float, int]]:
    """The mean of the ratings of each variant (or of one) and their number."""
    counted = sa.select(ratings.c.variant, sa.func.sum(ratings.c.stars), sa.func.count()).group_by(ratings.c.variant)
    answer: Any = tx.ask(counted.where(ratings.c.variant == variant) if variant else counted)
    return {str(name): (int(stars) / int(count), int(count)) for name, stars, count in answer}


def variants_played(tx: Transaction, person: int) -> list[str]:
    """The variants of the games that have ended in which a person held a seat at any time."""
    ended = sa.select(games.c.variant).distinct().where(games.c.state == "ended")
    query = ended.where(games.c.id.in_(_held_by(person)))
    return [str(name) for name in tx.ask(query).scalars()]


def latest_ended(tx: Transaction, variant: str) -> list[GameRow]:
    """Return the latest ended games, at most 3,000, of variants whose names begin so, the last first."""
    query = sa.select(games).where(games.c.state == "ended", games.c.variant.istartswith(variant, autoescape=True))
    return tx.rows(GameRow, query.order_by(games.c.id.desc()).limit(3000))


def ended_games(tx: Transaction, after: tuple[int, int], limit: int) -> list[GameRow]:
    """Games that have ended, in the order of when they did: those after one that ended at a time and has an id."""
    later = sa.or_(games.c.ended > after[0], sa.and_(games.c.ended == after[0], games.c.id > after[1]))
    query = sa.select(games).where(games.c.state == "ended", games.c.ended >= after[0], later)  # by the index of times
    query = query.order_by(games.c.state, games.c.ended, games.c.id).limit(limit)
    return tx.rows(GameRow, query)


def holdings_of(tx: Transaction, of_games: Sequence[int]) -> list[HoldingRow]:
    """Who held the seats of some games, in the order of time."""
    query = sa.select(holdings).join(seats, seats.c.id == holdings.c.seat).where(seats.c.game.in_(of_games))
    return tx.rows(HoldingRow, query.order_by(holdings.c.id))


def write_ratings(
    tx: Transaction, new: list[dict[str, Any]], changed: list[dict[str, Any]], lines: list[dict[str, Any]]
) -> None:
    """Write ratings with their ids: ``new`` ones, values of those ``changed`` (id as ``of``), and those after games."""
    connection = tx.connection
    _insert(connection, rated_players, new)
    if changed:
        values: dict[str, Any] = {name: sa.bindparam(name) for name in changed[0] if name != "of"}
        query = sa.update(rated_players).where(rated_players.c.id == sa.bindparam("of")).values(values)
        connection.execute(query, changed)
    _insert(connection, rated_games, lines)
    if new:
        number_on(connection, rated_players)


def number_on(connection: sa.Connection, table: sa.Table) -> None:
    """Have PostgreSQL number the next row of a table after those that were written with their numbers."""
    if connection.dialect.name == "postgresql":
        top = f"(SELECT COALESCE(MAX(id), 0) + 1 FROM {table.name})"
        connection.exec_driver_sql(f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), {top}, false)")


def _insert(connection: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
    """Write many new rows of numbers and text; on PostgreSQL as one value, since a statement for each takes longest."""
    if rows and connection.dialect.name == "postgresql":
        names, like = ", ".join(rows[0]), f"CAST(NULL AS {table.name})"
        told = sa.text(f"INSERT INTO {table.name} ({names}) SELECT {names} FROM json_populate_recordset({like}, :rows)")
        connection.execute(told, {"rows": msgspec.json.encode(rows).decode()})
    elif rows:
        connection.execute(sa.insert(table), rows)


def rated_families(tx: Transaction) -> list[str]:
    """The families of variants in which anybody is rated."""
    found: list[str] = []
    least = sa.select(sa.func.min(rated_players.c.family))  # one look into the index for each, however many players
    while (family := tx.ask(least.where(rated_players.c.family > (found[-1] if found else ""))).scalar()) is not None:
        found.append(str(family))
    return found


def first_sent(tx: Transaction, of_seats: Sequence[int], since: int) -> dict[tuple[int, int], int]:
    """When the first thing was sent for a turn, by turn and seat."""
    query = (
        sa.select(sent.c.turn, sent.c.seat, sa.func.min(sent.c.received))
        .where(sent.c.seat.in_(of_seats), sent.c.received >= since)
        .group_by(sent.c.turn, sent.c.seat)
    )
    return {(int(turn), int(seat)): int(at) for turn, seat, at in tx.ask(query)}


def people_called(tx: Transaction, name: str) -> list[PersonRow]:
    """People who have confirmed their address and have this name."""
    query = sa.select(people).where(sa.func.lower(people.c.name) == name.lower(), people.c.confirmed)
    return tx.rows(PersonRow, query.limit(50))


def found_press(tx: Transaction, words: Sequence[str], variant: str, before: int, limit: int) -> list[PressRow]:
    """Public letters with all of these words, the latest first: those before one of this number (0: all)."""
    if tx.connection.dialect.name == "postgresql":
        asked = sa.func.plainto_tsquery(sa.text("'simple'"), " ".join(words))
        found: sa.ColumnElement[bool] = sa.func.to_tsvector(sa.text("'simple'"), press.c.text).bool_op("@@")(asked)
    else:
        quoted = " ".join(f'"{word}"' for word in words)
        rows = sa.text("SELECT rowid FROM press_words WHERE press_words MATCH :quoted").bindparams(quoted=quoted)
        found = press.c.id.in_(rows.columns(sa.column("rowid", sa.Integer)))
    query = sa.select(press).where(found)
    if before:
        query = query.where(press.c.id < before)
    if variant:
        query = query.join(games, games.c.id == press.c.game).where(games.c.variant == variant)
    return tx.rows(PressRow, query.order_by(press.c.id.desc()).limit(limit))


def alike_traces(tx: Transaction) -> list[tuple[int, int, str, str]]:
    """Two people who came by one network or device on one day: both, the kind, and the day."""
    other = traces.alias()
    same = (traces.c.day == other.c.day, traces.c.kind == other.c.kind, traces.c.digest == other.c.digest)
    both = sa.and_(*same, traces.c.person < other.c.person)
    answer: Any = tx.ask(sa.select(traces.c.person, other.c.person, traces.c.kind, traces.c.day).join(other, both))
    return [(int(one), int(two), str(kind), str(day)) for one, two, kind, day in answer]
