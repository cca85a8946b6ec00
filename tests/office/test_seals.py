"""Seals, commitments and the keeper; what a player can check alone."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from legation.office.clock import SeededRandomSource, SimulatedClock, micros
from legation.office.context import Actor
from legation.office.errors import KeyNotReleasedError
from legation.office.hosting import games, proofs
from legation.office.keys import seals
from legation.office.keys.keeper import FolderKeeper
from legation.office.keys.notices import KeyRequest, Notice
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from tests.office.playing import begin, send_all


def test_the_keeper_keeps_until_the_deadline_it_was_told_first(tmp_path: Path, clock: SimulatedClock) -> None:
    keeper = FolderKeeper(tmp_path / "keys", clock, SeededRandomSource(1))
    due = clock.now() + timedelta(days=1)
    public = keeper.make("g.1", KeyRequest(micros(due)))
    key = bytes.fromhex(public.public)
    assert keeper.make("g.1", KeyRequest(micros(clock.now()))) == public  # asked again, nothing changes
    keeper.move("g.1", clock.now())  # never earlier
    with pytest.raises(KeyNotReleasedError):
        keeper.key("g.1")
    keeper.move("g.1", due + timedelta(days=1))
    clock.set(due)
    with pytest.raises(KeyNotReleasedError):
        keeper.key("g.1")
    clock.set(due + timedelta(days=1))
    with pytest.raises(KeyNotReleasedError):  # the time alone opens nothing: the turn is closed by a notice
        keeper.key("g.1")
    keeper.close(Notice("g.1", 1, "", 1, "deadline"), "")
    assert seals.unseal(keeper.key("g.1").private, seals.seal(key, b"orders")) == b"orders"
    assert {p.stat().st_mode & 0o777 for p in (tmp_path / "keys").iterdir()} == {0o600}


def test_ready_opens_early_only_where_that_was_said_at_first(tmp_path: Path, clock: SimulatedClock) -> None:
    keeper = FolderKeeper(tmp_path / "keys", clock, SeededRandomSource(1))
    keeper.make("early.1", KeyRequest(micros(clock.now() + timedelta(days=1)), early=True))
    keeper.close(Notice("early.1", 1, "", 1, "all ready"), "")
    assert keeper.key("early.1")
    keeper.make("never.1", KeyRequest(micros(clock.now() + timedelta(days=1)), early=False))
    with pytest.raises(KeyNotReleasedError):
        keeper.close(Notice("never.1", 1, "", 1, "all ready"), "")
    with pytest.raises(KeyNotReleasedError):
        keeper.key("never.1")


def test_no_order_stands_in_the_database_before_the_deadline(office: Office, tmp_path: Path) -> None:
    record, players, _ = begin(office)
    secret = "A par - orl via the forest of Compiegne"
    submissions.submit(office, players["France"].once("key"), record.key, "France", secret)
    submissions.check(office, players["France"], record.key, "France", secret)
    database = sqlite3.connect(tmp_path / "office" / "office.db")
    dump = "\n".join(database.iterdump())
    for text in (secret, "Compiegne", "par - orl"):
        assert text not in dump and text.encode().hex().upper() not in dump.upper()
    for file in (tmp_path / "office").rglob("*"):
        assert not file.is_file() or b"Compiegne" not in file.read_bytes()


def test_every_proof_of_a_game_holds_and_a_changed_sheet_does_not(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office)
    for number in range(4):
        send_all(office, record, players, number)
        clock.advance(timedelta(days=1))
        work.run_due(office)
    found = proofs.verify(office, Actor.visitor(), record.key)
    assert found and all(p.holds for p in found)
    assert {p.what for p in found if not p.checked} == {"to know"} and any(p.checked for p in found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("legation.office.hosting.proofs.verify_transcript", None)
        assert proofs.verify(office, Actor.visitor(), record.key) == found, (
            "nothing is judged again while nothing changes"
        )
    from legation.office.store.rows import LineRow

    with office.store.transaction() as tx:
        (line, *_) = tx.all(LineRow, kind="results")
        tx.change(line, content=line.content.replace(b"succeeds", b"bounced!"))
    failed = [p for p in proofs.verify(office, Actor.visitor(), record.key) if not p.holds]
    assert failed and "line" in failed[0].what


def test_orders_ahead_come_to_count_and_are_not_shown_before(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office, "standard")
    plans = {
        "Austria": "A vie - gal\nif dislodged A bud: tri, else disband",
        "Italy": "A ven - tyr\nA rom - ven",
    }
    receipt = submissions.submit(office, players["Austria"], record.key, "Austria", plans["Austria"])
    assert receipt.checked is not None
    (ahead,) = receipt.checked.ahead
    assert ahead.then == "If A bud is dislodged and nothing else is sent: A bud R tri, else A bud disband."
    bad = submissions.check(
        office, players["Austria"], record.key, "Austria", "if dislodged A bud: lon\nif dislodged A par: bur"
    )
    assert [a.then for a in bad.ahead] == [None, None] and "border" in bad.ahead[0].message
    clock.advance(timedelta(days=1))
    work.run_due(office)
    result = games.result(office, Actor.visitor(), record.key, 1)
    sheet = next(s for s in result.sheets if s.power == "Austria")
    assert sheet.orders == ("A vie - gal",)
    assert sheet.text == "A vie - gal", "what is for later turns is not of this one"
    # the next movement is open: nothing of it can come any more, so the transcript shows all that was sent
    assert "dislodged" in proofs.transcript(office, Actor.visitor(), record.key)


def test_what_is_meant_for_later_is_not_shown_while_it_may_come(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, "standard", coordinated=True, drafts=True, schedule="three-kingdoms")
    text = "A vie - gal\nif dislodged A bud: tri, else disband"
    submissions.submit(office, players["Austria"], record.key, "Austria", text)
    assert record.turn is not None and record.turn.deadline is not None
    clock.set(record.turn.deadline)
    work.run_due(office)
    for reader in (Actor.visitor(), players["Italy"], boss):
        told = [games.result(office, reader, record.key, 1), proofs.transcript(office, reader, record.key)]
        told += [proofs.published(office, reader, record.key, 1), proofs.verify(office, reader, record.key)]
        assert "A vie - gal" in repr(told[0])
        assert "dislodged A bud" not in repr(told)
