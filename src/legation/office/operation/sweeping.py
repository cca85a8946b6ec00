"""Housekeeping: answers to old commands are forgotten; guests' seats for a day, what erased people sent for turns that
are final, and sealed files that nothing names are taken away; who has something on the desk and no mail of it due is
mailed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from legation.office.clock import micros
from legation.office.context import GUESTS, CommandContext, by_clock
from legation.office.desk import mailings
from legation.office.hosting import erasing
from legation.office.office import Office
from legation.office.store import queries
from legation.office.store.rows import (
    AbsenceRow,
    AddressRow,
    AnswerRow,
    ArrivalRow,
    BrowserRow,
    CredentialRow,
    FileRow,
    GameRow,
    JournalRow,
    MailingRow,
    PersonRow,
    PostbagRow,
    SignUpRow,
)

ANSWERS_KEPT = timedelta(days=30)
GUESTS_KEPT = timedelta(days=2)  # their sessions last for one
UNCONFIRMED_KEPT = timedelta(days=7)
AT_ONCE = 500  # names of files in one question
ORPHANS_KEPT = timedelta(days=1)  # a file is written before its row; never sweep what may be on its way


def sweep(act: CommandContext, facts: dict[str, Any], files: list[str]) -> None:
    """Sweep once a day."""
    queries.forget_answers(act.tx, micros(act.now - ANSWERS_KEPT))
    queries.forget_shared(act.tx, act.at)
    sweep_guests(act)
    forget_unconfirmed(act)
    erasing.forget_sheets(act)
    sweep_files(act, files)
    act.office.outbox_keys.forget(act.at)
    mailings.write_missing_desk_mails(act)
    act.schedule_job("sweep", "sweep", act.later(days=1))


def sweep_guests(act: CommandContext) -> int:
    """Delete guests whose day is long over, with the games that were theirs alone, and return their number.

    Who plays or runs anything beside the own demonstration stays.
    """
    gone = 0
    for guest in queries.guests(act.tx, GUESTS, micros(act.now - GUESTS_KEPT)):
        own = {game.id for game in act.tx.all(GameRow, coordinator=guest)}
        if queries.games_of(act.tx, guest) - own or any(queries.people_of(act.tx, game) - {guest} for game in own):
            continue
        act.append_journal("guest gone", seen_by="office")  # first, so that the journal's last number never falls
        for game in own:
            queries.forget_game(act.tx, game)
        for kind in (CredentialRow, BrowserRow, AddressRow, AbsenceRow, SignUpRow, MailingRow, JournalRow):
            act.tx.remove(kind, person=guest)
        act.tx.remove(AnswerRow, actor=f"person {guest}")
        erasing.forget_moderation(act.tx, guest)
        act.tx.remove(PersonRow, id=guest)
        gone += 1
    return gone


def forget_unconfirmed(act: CommandContext) -> int:
    """Take away accounts that were asked for and never used, and nobody was seated or invited by; the answer is how
    many."""
    gone = queries.never_confirmed(act.tx, micros(act.now - UNCONFIRMED_KEPT))
    for person in gone:
        for kind in (CredentialRow, BrowserRow, MailingRow):
            act.tx.remove(kind, person=person)
        erasing.forget_moderation(act.tx, person)
        act.tx.remove(PersonRow, id=person)
    return len(gone)


def orphans(office: Office, _: object = None) -> list[str]:
    """The files that no row names and that are older than a day: looked for outside any transaction, many at a time."""
    before = office.clock.now() - ORPHANS_KEPT
    old = [name for name, written in office.files.names() if written < before]
    return [name for part in batched(old, AT_ONCE) for name in _unnamed(office, part)]


def _unnamed(office: Office, names: list[str]) -> list[str]:
    with office.store.transaction(write=False) as tx:
        named = {row.stored for row in tx.all(FileRow, stored=names)}
        named |= {row.stored for row in tx.all(ArrivalRow, stored=names)}
        named |= {row.stored for row in tx.all(PostbagRow, stored=names)}
    return [name for name in names if name not in named]


def batched(names: list[str], size: int) -> Iterator[list[str]]:
    """The names, so many at a time."""
    return (names[start : start + size] for start in range(0, len(names), size))


def sweep_files(act: CommandContext, names: list[str]) -> int:
    """Take away these orphans, as far as no row names them now; the answer is how many."""
    gone = 0
    for part in batched(names, AT_ONCE):
        for name in _unnamed(act.office, part):
            act.office.files.remove(name)
            gone += 1
    return gone


def start_sweeping(office: Office) -> None:
    """Schedule the daily sweep."""
    with by_clock(office) as act:
        act.schedule_job("sweep", "sweep", act.at)
