"""Questions to the store that are more than rows with given values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from legation.office.store.packing import unpack
from legation.office.store.rows import (
    AnswerRow,
    ArrivalRow,
    CredentialRow,
    FileRow,
    GameRow,
    HoldingRow,
    JournalRow,
    LetterCopyRow,
    LetterRow,
    MailingRow,
    PersonRow,
    RatingRow,
    RecordRow,
    SeatRow,
    SharedRow,
    SignUpRow,
    SubmissionRow,
    TurnRow,
    WorkRow,
)
from legation.office.store.store import Transaction
from legation.office.store.tables import TABLES, metadata


def due_work(tx: Transaction, now: int, limit: int, only: Sequence[str] = (), but: Sequence[str] = ()) -> list[WorkRow]:
    """Work that is due, the longest waiting first; ``only`` of some kinds, or of all ``but`` some."""
    work = TABLES[WorkRow]
    query = sa.select(work).where(work.c.state == "waiting", work.c.due <= now).order_by(work.c.due, work.c.id)
    if only:
        query = query.where(work.c.kind.in_(only))
    if but:
        query = query.where(work.c.kind.not_in(but))
    return tx.rows(WorkRow, query.limit(limit))


def next_due(tx: Transaction, but: Sequence[str] = ()) -> int | None:
    """When the next work is due, of all kinds ``but`` some."""
    work = TABLES[WorkRow]
    query = sa.select(sa.func.min(work.c.due)).where(work.c.state == "waiting", work.c.kind.not_in(but))
    first = tx.connection.execute(query).scalar_one()
    return None if first is None else int(first)


def oldest_mail(tx: Transaction) -> int | None:
    """When the mailing was due that waits for the longest."""
    mailings = TABLES[MailingRow]
    first = tx.connection.execute(sa.select(sa.func.min(mailings.c.due)).where(mailings.c.state == "waiting"))
    due = first.scalar_one()
    return None if due is None else int(due)


def claim_work(tx: Transaction, id: int, now: int) -> WorkRow | None:
    """Take a piece of work as done in this transaction; None if another worker has it, or had it."""
    work = TABLES[WorkRow]
    wanted = sa.select(work.c.id).where(work.c.id == id, work.c.state == "waiting", work.c.due <= now)
    if tx.locks:
        wanted = wanted.with_for_update(skip_locked=True)
    query = sa.update(work).where(work.c.id.in_(wanted), work.c.state == "waiting")
    query = query.values(state="done").returning(work)
    return next(iter(tx.rows(WorkRow, query)), None)


def drop_work(tx: Transaction, names: list[str]) -> None:
    """Work that need not be done any more."""
    work = TABLES[WorkRow]
    tx.connection.execute(sa.delete(work).where(work.c.name.in_(names), work.c.state == "waiting"))


def lease_mailings(tx: Transaction, channel: str, now: int, until: int, lease: str, limit: int) -> list[MailingRow]:
    """Mailings that are due, taken by a counter until a time; one whose lease ran out is taken again."""
    mailings = TABLES[MailingRow]
    wanted = (
        sa.select(mailings.c.id)
        .where(mailings.c.state == "waiting", mailings.c.channel == channel, mailings.c.due <= now)
        .order_by(mailings.c.due, mailings.c.id)
        .limit(limit)
    )
    if tx.locks:
        wanted = wanted.with_for_update(skip_locked=True)
    query = sa.update(mailings).where(mailings.c.id.in_(wanted), mailings.c.due <= now)
    query = query.values(due=until, lease=lease).returning(mailings)
    return sorted(tx.rows(MailingRow, query), key=lambda row: row.id)


def mailed_since(tx: Transaction, kind: str, address: str, since: int) -> bool:
    """Whether a mailing of a kind was made for an address since a time."""
    mailings = TABLES[MailingRow]
    query = sa.select(mailings.c.id).where(
        mailings.c.address == address, mailings.c.kind == kind, mailings.c.made > since
    )
    return tx.connection.execute(query.limit(1)).first() is not None


def journal_after(
    tx: Transaction,
    game: int,
    after: int,
    limit: int,
    seen_by: tuple[str, ...],
    seats: tuple[int, ...],
    kinds: tuple[str, ...] = (),
    *,
    private: tuple[str, ...] = (),
    newest: bool = False,
) -> list[JournalRow]:
    """Lines of a game's journal for readers of these kinds and holders of these seats, the ``private`` kinds only for
    these seats; with ``newest`` those before a number (0: all), the last first."""
    journal = TABLES[JournalRow]
    seen = sa.or_(journal.c.seen_by.in_(seen_by), sa.and_(journal.c.seen_by == "seat", journal.c.seat.in_(seats)))
    within = journal.c.id > after if not newest else journal.c.id < after if after else sa.true()
    query = sa.select(journal).where(journal.c.game == game, within, seen)
    if kinds:
        query = query.where(journal.c.kind.in_(kinds))
    if private:
        query = query.where(sa.or_(journal.c.kind.not_in(private), journal.c.seat.in_(seats)))
    return tx.rows(JournalRow, query.order_by(journal.c.id.desc() if newest else journal.c.id).limit(limit))


def journal_numbers(
    tx: Transaction, game: int, seen_by: tuple[str, ...], seats: tuple[int, ...], private: tuple[str, ...]
) -> list[int]:
    """The numbers of all lines that :func:`journal_after` gives such a reader, in order."""
    journal = TABLES[JournalRow]
    seen = sa.or_(journal.c.seen_by.in_(seen_by), sa.and_(journal.c.seen_by == "seat", journal.c.seat.in_(seats)))
    told = sa.or_(journal.c.kind.not_in(private), journal.c.seat.in_(seats))
    query = sa.select(journal.c.id).where(journal.c.game == game, seen, told).order_by(journal.c.id)
    return [row[0] for row in tx.connection.execute(query)]


def latest_entry(tx: Transaction) -> int:
    """The number of the journal's last line."""
    journal = TABLES[JournalRow]
    return int(tx.connection.execute(sa.select(sa.func.coalesce(sa.func.max(journal.c.id), 0))).scalar_one())


def games_changed(tx: Transaction, after: int) -> list[str]:
    """The keys of the games with lines of the journal after this one."""
    journal, games = TABLES[JournalRow], TABLES[GameRow]
    query = sa.select(games.c.key).distinct().join(journal, journal.c.game == games.c.id).where(journal.c.id > after)
    return [str(key) for key in tx.connection.execute(query).scalars()]


def games_of(tx: Transaction, person: int) -> set[int]:
    """The games that a person plays, coordinates, is deputy of, or wishes to play."""
    seats, games, wishes = TABLES[SeatRow], TABLES[GameRow], TABLES[SignUpRow]
    query = sa.union(
        sa.select(seats.c.game).where(seats.c.person == person),
        sa.select(games.c.id).where(sa.or_(games.c.coordinator == person, games.c.deputy == person)),
        sa.select(wishes.c.game).where(wishes.c.person == person, wishes.c.withdrawn.is_(None)),
    )
    return {int(game) for game in tx.connection.execute(query).scalars()}


def people_of(tx: Transaction, game: int) -> set[int]:
    """Everybody who ever held a seat of a game, or wishes to."""
    seats, holdings, wishes = TABLES[SeatRow], TABLES[HoldingRow], TABLES[SignUpRow]
    query = sa.union(
        sa.select(holdings.c.person).join(seats, seats.c.id == holdings.c.seat).where(seats.c.game == game),
        sa.select(seats.c.person).where(seats.c.game == game),
        sa.select(wishes.c.person).where(wishes.c.game == game),
    )
    return {int(person) for person in tx.connection.execute(query).scalars() if person is not None}


def list_games(
    tx: Transaction, state: str | None, only: set[int] | None, after: str, limit: int, name: str = "", variant: str = ""
) -> list[GameRow]:
    """Games in the order of their keys."""
    games = TABLES[GameRow]
    query = sa.select(games).where(games.c.key > after)
    if state:
        query = query.where(games.c.state == state)
    if only is not None:
        query = query.where(games.c.id.in_(only))
    if name:
        query = query.where(games.c.key.contains(name, autoescape=True))
    if variant:
        query = query.where(games.c.variant == variant)
    return tx.rows(GameRow, query.order_by(games.c.key).limit(limit))


def present_turns(tx: Transaction, games_ids: list[int]) -> dict[int, TurnRow]:
    """The present turn of each of these games."""
    games, turns = TABLES[GameRow], TABLES[TurnRow]
    query = sa.select(turns).join(games, sa.and_(games.c.id == turns.c.game, games.c.turn == turns.c.number))
    rows = tx.rows(TurnRow, query.where(games.c.id.in_(games_ids)))
    return {row.game: row for row in rows}


def turn_lines(tx: Transaction, game: int) -> list[TurnRow]:
    """The turns of a game without what is heavy in them."""
    turns = TABLES[TurnRow]
    query = sa.select(*_light(turns)).where(turns.c.game == game, turns.c.number > 0).order_by(turns.c.number)
    return tx.rows(TurnRow, query)


def turns_named(tx: Transaction, ids: list[int]) -> list[TurnRow]:
    """These turns without what is heavy in them."""
    turns = TABLES[TurnRow]
    return tx.rows(TurnRow, sa.select(*_light(turns)).where(turns.c.id.in_(ids))) if ids else []


def _light(turns: sa.Table) -> list[sa.ColumnElement[Any]]:
    heavy = ("position", "sheets", "result")
    return [c if c.name not in heavy else sa.literal(b"").label(c.name) for c in turns.c]


def records_ahead(tx: Transaction, game: int) -> list[RecordRow]:
    """The records of a game that were sealed to the key of a later turn, the first sent first."""
    records, sent, turns = TABLES[RecordRow], TABLES[SubmissionRow], TABLES[TurnRow]
    query = (
        sa.select(records)
        .join(sent, sent.c.id == records.c.submission)
        .join(turns, turns.c.id == sent.c.turn)
        .where(turns.c.game == game, records.c.sealed != b"")
    )
    return tx.rows(RecordRow, query.order_by(records.c.id))


def sealed_ahead(tx: Transaction, game: int | None = None) -> list[tuple[int, str]]:
    """Turns in which something was ordered ahead that is still sealed, each with the name of the turn that it is for;
    of one game or of all."""
    records, sent, turns = TABLES[RecordRow], TABLES[SubmissionRow], TABLES[TurnRow]
    query = (
        sa.select(sent.c.turn, records.c.turn_name)
        .distinct()
        .join(sent, sent.c.id == records.c.submission)
        .where(records.c.sealed != b"", records.c.opening == b"", records.c.lost.is_(None))
    )
    if game is not None:
        query = query.join(turns, turns.c.id == sent.c.turn).where(turns.c.game == game)
    return [(int(turn), str(name)) for turn, name in tx.connection.execute(query)]


def last_version(tx: Transaction, turn: TurnRow, seat: int) -> int:
    """The number of the last version of a seat in a turn, those included whose key was lost; 0 where it sent none."""
    sent, turns = TABLES[SubmissionRow], TABLES[TurnRow]
    query = (
        sa.select(sa.func.max(sent.c.version))
        .join(turns, turns.c.id == sent.c.turn)
        .where(sent.c.seat == seat, turns.c.game == turn.game, turns.c.name == turn.name)
    )
    return int(tx.connection.execute(query).scalar() or 0)


def letters_for(
    tx: Transaction, game: int, seats: tuple[int, ...], everything: bool, after: int, limit: int
) -> list[LetterRow]:
    """Letters that are public, or were sent by or to these seats."""
    letters, copies = TABLES[LetterRow], TABLES[LetterCopyRow]
    query = sa.select(letters).where(letters.c.game == game, letters.c.id > after)
    if not everything:
        to = sa.select(copies.c.letter).where(copies.c.seat.in_(seats))
        query = query.where(sa.or_(letters.c.public, letters.c.sender.in_(seats), letters.c.id.in_(to)))
    return tx.rows(LetterRow, query.order_by(letters.c.id).limit(limit))


def forget_answers(tx: Transaction, before: int) -> int:
    """Drop the answers to commands that were given before a time."""
    answers = TABLES[AnswerRow]
    return tx.connection.execute(sa.delete(answers).where(answers.c.at < before)).rowcount


def use_credential(tx: Transaction, id: int, now: int) -> bool:
    """Use up a one-use credential; False if it was used before."""
    table = TABLES[CredentialRow]
    query = sa.update(table).where(table.c.id == id, table.c.ended.is_(None)).values(ended=now, last_used=now)
    return tx.connection.execute(query).rowcount == 1


def guests(tx: Transaction, domain: str, before: int) -> list[int]:
    """People with addresses in a domain who came before a time."""
    people = TABLES[PersonRow]
    query = sa.select(people.c.id).where(people.c.email.endswith(domain, autoescape=True), people.c.since < before)
    return [int(id) for id in tx.connection.execute(query).scalars()]


def never_confirmed(tx: Transaction, before: int) -> list[int]:
    """People who came before a time, never signed in, and have no part in any game."""
    people, games = TABLES[PersonRow], TABLES[GameRow]
    parts = [TABLES[kind].c.person for kind in (HoldingRow, SeatRow, SignUpRow, SubmissionRow, JournalRow, ArrivalRow)]
    query = sa.select(people.c.id).where(
        people.c.confirmed.is_(False),
        people.c.email.is_not(None),
        people.c.since < before,
        *(~sa.exists().where(column == people.c.id) for column in (*parts, games.c.coordinator, games.c.deputy)),
    )
    return [int(id) for id in tx.connection.execute(query).scalars()]


def sheets_of_erased(tx: Transaction) -> list[int]:
    """What was sent by people who are erased, where it is still kept and the turn is final or the game over."""
    sent, turns, games, people = TABLES[SubmissionRow], TABLES[TurnRow], TABLES[GameRow], TABLES[PersonRow]
    files = TABLES[FileRow]
    query = (
        sa.select(sent.c.id)
        .join(people, people.c.id == sent.c.person)
        .join(turns, turns.c.id == sent.c.turn)
        .join(games, games.c.id == turns.c.game)
        .where(people.c.email.is_(None))
        .where(sa.or_(turns.c.state == "final", games.c.state.in_(("ended", "cancelled"))))
        .where(sa.or_(sent.c.sealed != b"", sa.exists().where(files.c.submission == sent.c.id)))
    )
    return [int(id) for id in tx.connection.execute(query).scalars()]


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


def add_shared(tx: Transaction, name: str, number: int, until: int) -> int:
    """Add to a count that processes share; the answer is how many there are now."""
    shared = TABLES[SharedRow]
    insert = postgresql.insert if tx.connection.dialect.name == "postgresql" else sqlite.insert
    query = insert(shared).values(kind="count", name=name, until=until, number=number, content=b"")
    query = query.on_conflict_do_update(index_elements=["name"], set_={"number": shared.c.number + number})
    return int(tx.connection.execute(query.returning(shared.c.number)).scalar_one())


def make_room(tx: Transaction, kind: str, room: int) -> int:
    """Take away what is shared of a kind and was not asked for the longest, down to so many bytes; the answer is how
    much of it."""
    shared = TABLES[SharedRow]
    own = shared.c.kind == kind
    taken = int(
        tx.connection.execute(sa.select(sa.func.coalesce(sa.func.sum(shared.c.number), 0)).where(own)).scalar_one()
    )
    gone = []
    for row in tx.connection.execute(sa.select(shared.c.id, shared.c.number).where(own).order_by(shared.c.until)):
        if taken <= room:
            break
        taken -= row.number
        gone.append(row.id)
    if gone:
        tx.connection.execute(sa.delete(shared).where(shared.c.id.in_(gone)))
    return len(gone)


def forget_shared(tx: Transaction, now: int) -> int:
    """Take away what processes shared and is over; the answer is how much of it."""
    shared = TABLES[SharedRow]
    return tx.connection.execute(sa.delete(shared).where(shared.c.until < now)).rowcount


def mean_ratings(tx: Transaction, variant: str = "") -> dict[str, tuple[float, int]]:
    """The mean of the ratings of each variant (or of one) and their number."""
    ratings = TABLES[RatingRow]
    query = sa.select(ratings.c.variant, sa.func.sum(ratings.c.stars), sa.func.count()).group_by(ratings.c.variant)
    if variant:
        query = query.where(ratings.c.variant == variant)
    return {str(name): (int(stars) / int(count), int(count)) for name, stars, count in tx.connection.execute(query)}


def variants_played(tx: Transaction, person: int) -> list[str]:
    """The variants of the games that have ended in which a person held a seat at any time."""
    seats, holdings, games = TABLES[SeatRow], TABLES[HoldingRow], TABLES[GameRow]
    query = (
        sa.select(games.c.variant)
        .distinct()
        .join(seats, seats.c.game == games.c.id)
        .join(holdings, holdings.c.seat == seats.c.id)
        .where(holdings.c.person == person, games.c.state == "ended")
    )
    return [str(name) for name in tx.connection.execute(query).scalars()]


class EndedSeat(msgspec.Struct, frozen=True):
    """A seat of a game that has ended, with what of the game a report asks for."""

    game: int
    variant: str
    turns: int
    listed: bool
    solo: bool
    winners: tuple[str, ...]
    power: str
    human: bool
    """Whether a person held it at the end, and no program of theirs."""
    survives: bool
    centers: int


def seats_of_ended(tx: Transaction, variant: str, most: int = 20_000) -> list[EndedSeat]:
    """The seats of the latest games that have ended, of a variant in all its versions (and of others whose names begin
    alike)."""
    seats, games = TABLES[SeatRow], TABLES[GameRow]
    query = (
        sa.select(
            games.c.id, games.c.variant, games.c.turn, games.c.settings, games.c.ending,
            seats.c.power, seats.c.bot, seats.c.machine, seats.c.survives, seats.c.centers,
        )
        .join(seats, seats.c.game == games.c.id)
        .where(games.c.state == "ended", games.c.variant.istartswith(variant, autoescape=True))
        .order_by(games.c.id.desc(), seats.c.id)
        .limit(most)
    )  # fmt: skip
    found = []
    for game, name, turns, settings, ending, power, bot, machine, survives, centers in tx.connection.execute(query):
        how = unpack(bytes(ending)) or {}
        listed = bool((unpack(bytes(settings)) or {}).get("listed", True))
        winners = tuple(map(str, how.get("powers", ())))
        solo, human = how.get("kind") == "solo", not bot and not machine
        found.append(
            EndedSeat(
                int(game), str(name), int(turns or 0), listed, solo, winners, str(power), human, bool(survives), centers
            )
        )
    return found
