"""Every value of a transcript is changed, and lines are deleted, moved, copied and forged: what is not noticed is
listed here by name, with the reason why it means nothing or who notices it instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest

from tests.proofs.building import Office
from tests.proofs.games import fog, full, hidden, kingdoms, seldom
from tests.proofs.tampering import (
    Rows,
    at,
    by_shape,
    changed,
    first_check,
    replaced,
    resigned,
    rows_of,
    second_check,
    swapped,
    written,
)

GAMES: dict[str, Callable[[], Office]] = {
    "full": full,
    "hidden": hidden,
    "seldom": seldom,
    "fog": lambda: fog(turns=2),
    "kingdoms": lambda: kingdoms(1),
}
QUICK = ("hidden", "seldom")
ALL = [pytest.param(game, id=name, marks=[pytest.mark.long] * (name not in QUICK)) for name, game in GAMES.items()]
TWO = [pytest.param(full, id="full", marks=pytest.mark.long), pytest.param(hidden, id="hidden")]
SEED = "tampering"

TAIL = "after the last closing nothing is signed by the keeper yet; who holds a later head or receipt notices it"
OPEN_TURN = "the turn is not closed yet: the keeper's signature of its closing, and heads in mails, will pin it"
THEIR_WORD = "the office's word, which decides nothing; it is told as that"

BY_THE_OFFICE_ALONE = {
    "ended.how": "that a game was cancelled is the office's word, and told as that; a result's ending is checked",
    "ended.seats": "likewise",
    "results.draft": "whether results may still be corrected: corrections are lines of their own",
    "erased.persons": THEIR_WORD,
    "told.text": THEIR_WORD,
    "turn opened.office_key": "what sheets of a turn that is still open are sealed to; " + TAIL,
    "private ready.version": "that a seat is ready from which nothing is awaited ends no turn",
    "private.salt": "a salt that the office makes anew before anybody saw the line; " + TAIL,
}
"""What an office can change with its own key alone, so that only a head, a receipt or a person notices it."""

WITH_THE_KEEPER = BY_THE_OFFICE_ALONE | {
    "transcribed.text": "a letter too many in what was read from a picture; what it orders is judged again",
    "ready.version": "what a seat without a key said, and said again later: only the last word ends a turn",
    "line.at": "office and keeper together say what time it is; receipts and heads name theirs",
    "countersigned.at": "likewise",
    "deadline.why": THEIR_WORD,
    "deadline.due": "likewise",
    "turn opened.due": "a deadline that office and keeper agree on, no earlier than it was; players were told another",
    "turn opened.key": "what sheets are sealed to: nothing that comes out hangs on it",
    "turn opened.secret": OPEN_TURN,
    "turn opened.part": OPEN_TURN,
    "held.person": "a random name; that it changes is told to the players",
    "game.variant": "a variant that is not known here: that nothing was judged again is said",
    "game.options": "likewise",
    "game.anonymous": "asks for less to be open until the end, when all is; players know how their game was announced",
    "game.waits": "that a game waits for orders, which its players know; used only where it is",
    "game.keeper.elsewhere": "that it is, players read in the announcement; here the journal holds with either",
    "transferred.keeper.elsewhere": "likewise, in what the new office tells its players",
    "game.lots": "the game's secret is not out yet; then it is compared",
    "game.old": "what was played before: the digests stand in the receipts of the first format",
    "game.old.journal": "likewise",
    "game.old.commitments": "likewise",
    "game.old.commitments[]": "likewise",
    "dealt.name": "the deal may fall the same by chance in a game of three seats",
    "dealt.sign_ups[].wishes": "likewise, and where wishes did not decide",
    "dealt.sign_ups[].wishes[]": "likewise",
    "dealt.sign_ups[].nonce": "likewise",
    "settings.anonymous": "likewise; a change of settings is told to the players",
    "keeper.keeper.elsewhere": "as of the first keeper",
    "imported.source": "what was played elsewhere is the word of whoever brought it, and told as that",
    "imported.file": "likewise",
    "imported.turns": "likewise",
    "restored.head": "what was lost is told; who has a receipt or a head of it shows which lines these were",
    "restored.lost_to": "likewise",
    "chosen.reason": THEIR_WORD,
    "transcribed.reason": THEIR_WORD,
    "transcribed.opened_after": "whether a sheet or an envelope was photographed: the picture shows it",
    "erased.records": "more may be erased than is open; what is open may not",
    "erased.records[].fields": "notes are never due",
}
"""What an office and its keeper together can change in a journal that nobody has seen anything of."""


def one_of_each(office: Office, rows: Rows) -> Iterator[tuple[str, int, tuple[object, ...]]]:
    """A place of each shape; in other games than the full one of those that it has not, and of some others."""
    random = Random(SEED)
    known = by_shape(rows_of(full())) if office is not full() else {}
    if office is seldom():
        known |= by_shape(rows_of(hidden()))
    for shape, listed in by_shape(rows).items():
        if shape not in known or random.random() < 0.2:
            yield (shape, *random.choice(listed))


@pytest.mark.parametrize("game", ALL)
def test_no_value_of_a_file_can_be_changed_on_its_way(game: Callable[[], Office]) -> None:
    office = game()
    rows = rows_of(office)
    missed = []
    for shape, row, path in one_of_each(office, rows):
        data = written(replaced(rows, row, path, changed(at(rows, row, path))))
        if first_check(office, data).holds:
            missed.append(f"first: {shape}")
        if not second_check(office, data):
            missed.append(f"second: {shape}")
    assert missed == []


@pytest.mark.parametrize("game", TWO)
def test_no_two_values_of_a_file_can_change_places(game: Callable[[], Office]) -> None:
    office = game()
    rows = rows_of(office)
    missed = []
    for shape, fresh in swapped(rows, Random(SEED)):
        data = written(fresh)
        if first_check(office, data).holds or not second_check(office, data):
            missed.append(shape)
    assert missed == []


@pytest.mark.parametrize("game", ALL)
def test_no_row_of_a_file_can_be_deleted_copied_or_moved(game: Callable[[], Office]) -> None:
    office = game()
    rows = rows_of(office)
    random = Random(SEED)
    missed = []
    kinds = {
        (next(iter(row)), str(next(iter(row.values()))["kind"]) if "line" in row else ""): n
        for n, row in enumerate(rows)
        if n
    }
    for kind, n in kinds.items():
        other = random.choice([m for m in range(1, len(rows)) if m != n])
        without = rows[:n] + rows[n + 1 :]
        for what, fresh in {
            "deleted": without,
            "copied": [*rows[:n], rows[n], *rows[n:]],
            "moved": [*without[:other], rows[n], *without[other:]],
        }.items():
            if fresh == rows:
                continue
            data = written(fresh)
            if first_check(office, data).holds or not second_check(office, data):
                missed.append((kind, what))
    assert missed == []


@pytest.mark.parametrize("game", ALL)
@pytest.mark.parametrize("keeper", [False, True], ids=["office", "office and keeper"])
def test_what_those_with_the_keys_can_change_is_listed(game: Callable[[], Office], keeper: bool) -> None:
    """Chain, heads and what else they sign is made to fit again; nobody kept a receipt or a head."""
    office = game()
    rows = rows_of(office)
    keeper = keeper or not office.elsewhere  # in its folder the office has the keeper's key
    listed = WITH_THE_KEEPER if keeper else BY_THE_OFFICE_ALONE
    honest = written(resigned(office, rows, keeper=keeper))
    assert first_check(office, honest).holds
    missed = set()
    for shape, row, path in one_of_each(office, rows):
        if "opening" in rows[row] or "head" in rows[row] or row == 0:
            continue  # these are not signed, but bound: the tests above change them
        data = written(resigned(office, replaced(rows, row, path, changed(at(rows, row, path))), keeper=keeper))
        if data != honest and first_check(office, data).holds:
            missed.add(shape)
    assert missed - listed.keys() == set()


@pytest.mark.parametrize("game", TWO)
def test_with_the_receipts_of_all_nothing_before_the_last_can_be_changed(game: Callable[[], Office]) -> None:
    office = game()
    rows = rows_of(office)
    last = max(receipt.line for receipt in office.receipts)
    missed = []
    honest = written(resigned(office, rows, keeper=True))
    for shape, row, path in one_of_each(office, rows[: last + 1]):
        if row == 0:
            continue
        data = written(resigned(office, replaced(rows, row, path, changed(at(rows, row, path))), keeper=True))
        if data == honest:
            continue
        report = first_check(office, data, office.receipts)
        if report.holds:
            missed.append(f"first: {shape}")
        if not second_check(office, data, office.receipts):
            missed.append(f"second: {shape}")
    assert missed == []
