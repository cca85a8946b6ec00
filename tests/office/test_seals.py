"""Seals, commitments and the keeper; what a player can check alone."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from legation.office import Actor, Office, SeededChance, SimulatedClock, games, manual, proofs, seals, submissions, work
from legation.office.errors import NotAllowed, Sealed
from legation.office.keeper import FolderKeeper
from tests.office.playing import begin, send_all

MANUAL = Path(__file__).parents[2] / "docs" / "office.md"


def test_the_keeper_keeps_until_the_deadline_it_was_told_first(tmp_path: Path, clock: SimulatedClock) -> None:
    keeper = FolderKeeper(tmp_path / "keys", clock, SeededChance(1))
    due = clock.now() + timedelta(days=1)
    public = keeper.make("g.1", due)
    assert keeper.make("g.1", clock.now()) == public  # asked again, nothing changes
    keeper.move("g.1", clock.now())  # never earlier
    with pytest.raises(Sealed):
        keeper.key("g.1")
    keeper.move("g.1", due + timedelta(days=1))
    clock.set(due)
    with pytest.raises(Sealed):
        keeper.key("g.1")
    clock.set(due + timedelta(days=1))
    assert seals.unseal(keeper.key("g.1"), seals.seal(public, b"orders")) == b"orders"
    assert {p.stat().st_mode & 0o777 for p in (tmp_path / "keys").iterdir()} == {0o600}


def test_ready_opens_early_only_where_that_was_said_at_first(tmp_path: Path, clock: SimulatedClock) -> None:
    keeper = FolderKeeper(tmp_path / "keys", clock, SeededChance(1))
    keeper.make("early.1", clock.now() + timedelta(days=1), early=True)
    keeper.release("early.1", "every seat is ready")
    assert keeper.key("early.1")
    keeper.make("never.1", clock.now() + timedelta(days=1), early=False)
    with pytest.raises(Sealed):
        keeper.release("never.1", "every seat is ready")
    with pytest.raises(Sealed):
        keeper.key("never.1")


def test_no_order_stands_in_the_database_before_the_deadline(office: Office, tmp_path: Path) -> None:
    record, players, _ = begin(office)
    secret = "A par - orl via the forest of Compiegne"
    submissions.submit(office, players["France"].once("key"), record.key, "France", secret)
    submissions.save_draft(office, players["France"], record.key, "France", secret)
    database = sqlite3.connect(tmp_path / "office" / "office.db")
    dump = "\n".join(database.iterdump())
    for text in (secret, "Compiegne", "par - orl"):
        assert text not in dump and text.encode().hex().upper() not in dump.upper()
    for file in (tmp_path / "office").rglob("*"):
        assert not file.is_file() or b"Compiegne" not in file.read_bytes()
    assert submissions.draft(office, players["France"], record.key, "France") == secret
    with pytest.raises(NotAllowed):
        submissions.draft(office, players["England"], record.key, "France")


def test_a_player_checks_alone_with_the_lines_of_the_manual(
    office: Office, clock: SimulatedClock, tmp_path: Path
) -> None:
    record, players, _ = begin(office)
    receipts = send_all(office, record, players, 1)
    clock.advance(timedelta(days=1))
    work.run_due(office)
    lines = re.findall(r"```python\n(.*?)```", MANUAL.read_text("utf-8"), re.DOTALL)[0]
    document = proofs.published(office, Actor.visitor(), record.key, 1)
    assert {s["commitment"] for s in document["sheets"]} == {r.commitment for r in receipts.values()}

    def check() -> str:
        (tmp_path / "turn.json").write_text(json.dumps(document))
        call = [sys.executable, "-c", lines, str(tmp_path / "turn.json")]
        return subprocess.run(call, capture_output=True, text=True, check=True).stdout

    assert check().count(" holds") == len(receipts) + 1 and "NOT" not in check()
    document["sheets"][0]["text"] += "\nA par H"
    assert check().count("DOES NOT HOLD") == 1


def test_every_proof_of_a_game_holds_and_a_changed_sheet_does_not(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office)
    for number in range(4):
        send_all(office, record, players, number)
        clock.advance(timedelta(days=1))
        work.run_due(office)
    found = proofs.verify(office, Actor.visitor(), record.key)
    assert found and all(p.holds for p in found)
    assert {p.what.split(" ")[0] for p in found} >= {"deal", "seed", "orders"}
    from legation.office.store.rows import TurnRow

    with office.store.transaction() as tx:
        turn = tx.find(TurnRow, number=1)
        assert turn is not None
        tx.change(turn, drawn="another seed")
    assert [p.what for p in proofs.verify(office, Actor.visitor(), record.key) if not p.holds] == ["seed of the lots"]


def test_the_manual_has_the_tables_as_they_are() -> None:
    text = MANUAL.read_text("utf-8")
    assert manual.fill(text) == text and manual.permission_table() in text and manual.schedule_list() in text


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
    # the next movement is open: nothing of it can come any more, so the whole sheet is shown
    assert "dislodged" in sheet.text and sheet.salt


def test_what_was_meant_for_later_is_shown_when_the_game_is_given_up(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, "standard", coordinated=True, drafts=True, schedule="three-kingdoms")
    text = "A vie - gal\nif dislodged A bud: tri, else disband"
    submissions.submit(office, players["Austria"], record.key, "Austria", text)
    assert record.turn is not None and record.turn.deadline is not None
    clock.set(record.turn.deadline)
    work.run_due(office)

    def shown() -> tuple[str, bool]:
        sheets = games.result(office, Actor.visitor(), record.key, 1).sheets
        return next((s.text, bool(s.salt)) for s in sheets if s.power == "Austria")

    assert shown() == ("", False), "retreats may still come in this season"
    games.cancel(office, boss, record.key, "nobody plays any more")
    assert shown() == (text, True)
    proven = {p.what for p in proofs.verify(office, Actor.visitor(), record.key) if p.holds}
    assert "orders of Austria, version 1" in proven
