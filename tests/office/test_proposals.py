"""Orders that letters propose: how they are read, who ever sees them, and whether they were kept."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import letters
from legation.office.desk.proposed_orders import in_words, split_letter
from legation.office.errors import ConflictError, InvalidInputError, NotFoundError
from legation.office.game import seats
from legation.office.hosting import games, transfer
from legation.office.identity import people
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.records import LetterRecord
from legation.office.store.rows import LetterRow
from tests.office.playing import CONSOLE, VISITOR, alter, begin, passes, person, the
from tests.office.test_hidden_senders import write_foggy

ORDERS = "France: A par - orl, A dau H\nEngland: A cal H"
"""What France proposes to England."""


def orders_of(letter: LetterRecord) -> dict[str, list[tuple[str, bool | None]]]:
    assert letter.proposal is not None
    return {power: [(one.order, one.kept) for one in listed] for power, listed in letter.proposal.orders.items()}


def reads(office: Office, who: Actor, key: str) -> str:
    """All that somebody can read of the game's letters, one by one and in the list."""
    told = letters.letters(office, who, key)
    found: list[object] = list(told)
    for number in range(1, 30):
        try:
            found.append(letters.letter(office, who, key, office.numbers.shown("letter", number)))
        except NotFoundError:
            continue
    return msgspec.json.encode(found).decode()


@pytest.mark.parametrize("to", [["England"], ["all"]])
def test_nobody_else_ever_sees_a_proposal(office: Office, clock: SimulatedClock, to: list[str]) -> None:
    """Not another power, a visitor, the coordinator who reads the letters, an administrator, nor the console; nor does
    the database tell, nor an export."""
    game, players, host = begin(office, coordinated=True, reads_letters=True)
    key = game.key
    admin = person(office, "Admin")
    people.make_administrator(office, CONSOLE, admin.person or 0)
    sent = letters.write(office, players["France"], key, "France", to, "Look at this", orders="France: A par - orl")
    assert orders_of(sent) == {"France": [("A par - orl", None)]}
    got = letters.letters(office, players["England"], key)[0]
    assert orders_of(got) == orders_of(sent)
    others = [host, admin, CONSOLE, VISITOR, person(office, "Eve")]
    for who in [*others, *(players[p] for p in players if p not in ("France", "England") and to != ["all"])]:
        assert "A par - orl" not in reads(office, who, key), who
    row = the(office, LetterRow)
    assert row.proposal is not None and b"par" not in row.proposal and b"par" not in row.locked
    assert "par - orl" not in msgspec.json.encode(transfer.whole_game(office, CONSOLE, key)).decode()
    passes(office, clock, timedelta(days=2))
    assert "A par - orl" not in reads(office, person(office, "Late"), key)


def test_one_answers_only_what_one_may_read_while_one_holds_the_seat(office: Office) -> None:
    game, players, _ = begin(office)
    key = game.key
    first = letters.write(office, players["France"], key, "France", ["England"], "", orders=ORDERS)
    third = next(power for power in players if power not in ("France", "England"))
    for number in (first.id, 5, 2**31):
        with pytest.raises(NotFoundError):
            letters.write(office, players[third], key, third, ["France"], "x", orders=ORDERS, answers=number)
    changed = letters.write(
        office, players["England"], key, "England", ["France", third], "Or so", orders="A cal H", answers=first.id
    )
    assert changed.proposal is not None and changed.proposal.answers == first.id
    told = next(one for one in letters.letters(office, players[third], key) if one.id == changed.id)
    assert told.proposal is not None and told.proposal.answers == 0, "who didn't get it isn't told of it"
    # a new holder of the seat reads it and the old one no more
    seats.resign(office, players["England"], game.key, "England")
    assert "A par - orl" not in reads(office, players["England"], game.key)


def test_how_a_proposal_is_read(office: Office) -> None:
    game, players, _ = begin(office)

    def propose(orders: str) -> LetterRecord:
        return letters.write(office, players["France"], game.key, "France", ["England"], "", orders=orders)

    assert orders_of(propose("A par - orl\nA cal H")) == {
        "France": [("A par - orl", None)],
        "England": [("A cal H", None)],
    }
    for wrong, said in (
        ("nonsense", "none"), ("A par - london bridge", "london bridge"), ("France: A cal H", "belongs to England"),
        ("A par - lon", "an"), ("", "1 to"), ("x" * 7000, "at most"),
    ):  # fmt: skip
        with pytest.raises(InvalidInputError) as refused:
            propose(wrong)
        assert said in refused.value.message, (wrong, refused.value.message)
    text, orders = split_letter("Dear England,\n\nshall we?\n\nProposal:\nFrance: A par - orl\n")
    assert (text, orders) == ("Dear England,\n\nshall we?", "France: A par - orl")
    proposed = propose(orders).proposal
    assert proposed is not None and in_words(proposed) == "France: A par - orl"
    assert split_letter("A proposal for you: let us meet") == ("A proposal for you: let us meet", "")


def test_whether_it_was_kept(office: Office, clock: SimulatedClock) -> None:
    game, players, _ = begin(office, ready_ends=False)
    key = game.key
    letters.write(office, players["France"], key, "France", ["England"], "", orders=ORDERS)
    submissions.submit(office, players["France"], key, "France", "A par - orl")
    submissions.submit(office, players["England"], key, "England", "A cal - par")
    told = letters.letters(office, players["England"], key)[0]
    assert {kept for listed in orders_of(told).values() for _, kept in listed} == {None}, "nothing before the results"
    passes(office, clock, timedelta(days=1))
    told = letters.letters(office, players["England"], key)[0]
    assert orders_of(told) == {"France": [("A par - orl", True), ("A dau H", True)], "England": [("A cal H", False)]}
    assert told.proposal is not None and not told.proposal.takes_orders


def test_in_the_fog_a_proposal_tells_nothing_that_is_hidden(
    make_office: Callable[..., Office], tmp_path: Path, clock: SimulatedClock
) -> None:
    """Orders for what stands out of sight are taken or refused alike, whether it stands there or not; and what others
    ordered out of sight isn't told by whether a proposal was kept."""
    write_foggy(tmp_path)
    office = make_office(variants=str(tmp_path))
    game, players, _ = begin(office, variant="foggy", ready_ends=False)
    key, france = game.key, players["France"]

    def said(orders: str) -> str:
        try:
            letters.write(office, france, key, "France", ["England"], "", orders=orders)
        except InvalidInputError as refused:
            return refused.message
        return "sent"

    for there, nowhere in (("F sev - bla", "F arm - bla"), ("A mos - war", "A ukr - war"), ("A ven H", "A tus H")):
        assert said(f"Russia: {there}") == said(f"Russia: {nowhere}") == "sent"
        place = {there: there.split()[1], nowhere: nowhere.split()[1]}
        told = [said(orders).replace(at, "AT").replace(at.title(), "AT") for orders, at in place.items()]
        assert told[0] == told[1] != "sent"
    submissions.submit(office, players["Russia"], key, "Russia", "A mos - war\nF sev - bla")
    passes(office, clock, timedelta(days=1))
    for who in (france, players["England"]):
        for letter in letters.letters(office, who, key):
            assert {kept for listed in orders_of(letter).values() for _, kept in listed} == {None}


def test_a_damaged_proposal_harms_only_itself(office: Office) -> None:
    game, players, _ = begin(office)
    letters.write(office, players["France"], game.key, "France", ["England"], "Hello", orders=ORDERS)
    alter(office, LetterRow, {"proposal": b"damaged"}, game=1)
    (told,) = letters.letters(office, players["England"], game.key)
    assert told.text == "Hello" and told.proposal is None


def test_none_is_sent_while_no_turn_takes_orders(office: Office, clock: SimulatedClock) -> None:
    game, players, _ = begin(office, coordinated=True, approve=True)
    passes(office, clock, timedelta(days=2))
    assert games.game(office, players["France"], game.key).turn is not None
    with pytest.raises(ConflictError):
        letters.write(office, players["France"], game.key, "France", ["England"], "", orders=ORDERS)
