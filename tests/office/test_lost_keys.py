"""Keys that are lost: the turn opens anew, what was sealed stays and never counts, all are told, the proofs say so."""

from __future__ import annotations

import json
import shutil
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.desk import readings
from legation.office.errors import ConflictError, NotAllowedError
from legation.office.game import processing
from legation.office.hosting import games, proofs
from legation.office.office import Office, open_office
from legation.office.operation import lost_keys, work
from legation.office.orders import submissions
from legation.office.records import GameRecord, Receipt
from legation.office.store.rows import MailingRow, RecordRow, SubmissionRow, TurnRow
from legation.proofs.receipts import read_receipt
from legation.proofs.verifying import verify
from tests.office.playing import begin, sheets
from tests.office.test_orders_ahead import dislodged, end_turn
from tests.office.test_turning_back import drafted

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
CONSOLE = Actor.console()


def lose(office: Office, *names: str) -> None:
    """The files of these keys are gone; of all of them where none is named."""
    files = [office.keys / f"{name}.key" for name in names] or list(office.keys.glob("*.key"))
    for file in files:
        file.unlink()


def burnt(office: Office, clock: SimulatedClock) -> Office:
    """The office as it goes on after its whole folder of keys was lost."""
    office.close()
    shutil.rmtree(office.keys)
    return open_office(office.keys.parent, office.settings, clock, SeededRandomSource("new keys"), new_key=True)


def send(office: Office, record: GameRecord, players: dict[str, Actor], seed: int) -> dict[str, Receipt]:
    """Every player sends a sheet."""
    texts = sheets(office, record, seed, list(players))
    return {
        power: submissions.submit(office, actor, record.key, power, texts[power] or "# nothing")
        for power, actor in players.items()
    }


def check(office: Office, game: str, receipts: list[str]) -> str:
    """Both verifiers find the game to hold with these receipts; what the first tells of them."""
    from verify import Game, read  # type: ignore[import-not-found]

    text = proofs.transcript(office, Actor.visitor(), game)
    report = verify(text.encode(), [office.public_key], [read_receipt(receipt) for receipt in receipts])
    assert report.holds, report.failures
    second = Game(*read(text.encode()), [office.public_key])
    assert second.offices[-1] == office.public_key
    return "\n".join([receipt.what for receipt in report.receipts] + report.words + report.told + report.unchecked)


@pytest.mark.parametrize("senders", ["all", "nobody"])
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_a_turn_whose_key_is_lost_opens_anew(office: Office, clock: SimulatedClock, senders: str, closed: bool) -> None:
    record, players, boss = begin(office, coordinated=True, shows_senders=senders)
    with pytest.raises(ConflictError, match="none of the game is lost"):
        lost_keys.reopen(office, CONSOLE, record.key, "now", "no reason")
    before = send(office, record, players, 1)
    first = games.game(office, boss, record.key).turn
    assert first is not None
    lose(office)
    if closed:
        clock.advance(timedelta(days=30))
        work.run_due(office)
    for actor in (boss, players["France"]):
        with pytest.raises(NotAllowedError):
            lost_keys.reopen(office, actor, record.key, "now", "I wish to see another result")
    told = lost_keys.reopen(office, CONSOLE, record.key, first.name, "the disk died")
    assert (told.name, told.number, told.state) == (first.name, 1, "open")
    assert told.deadline >= max(first.deadline, clock.now() + (first.deadline - first.opened))
    with office.store.transaction(write=False) as tx:
        (old,) = tx.all(TurnRow, state="lost")
        assert tx.count(SubmissionRow, turn=old.id) == len(before), "nothing is erased"
        assert all(row.lost for row in tx.all(RecordRow))
        assert tx.count(MailingRow, kind="keys lost") == len(players) + 1
    after = send(office, record, players, 2)
    assert {receipt.version for receipt in after.values()} == {2}
    assert submissions.mine(office, players["France"], record.key, "France")[0].version == 2
    clock.advance(timedelta(days=60))
    work.run_due(office)
    result = games.result(office, boss, record.key, first.key)
    assert {sheet.version for sheet in result.sheets if sheet.commitment} == {2}
    told_of = check(office, record.key, [r.proof for r in (*before.values(), *after.values())])
    assert "send your orders again" in told_of and "counted" in told_of and "are lost" in told_of


def test_orders_ahead_whose_key_is_lost_are_given_up_and_the_game_goes_on(
    office: Office, clock: SimulatedClock
) -> None:
    record, receipts = dislodged(office, clock)
    ahead = f"{record.key}.1901-winter-adjustments"
    lose(office, ahead)
    assert lost_keys.find(office, CONSOLE, record.key).turns == ("Winter 1901 Adjustments",)
    lost_keys.reopen(office, CONSOLE, record.key, "Winter 1901 Adjustments", "the file was damaged")
    assert lost_keys.find(office, CONSOLE, record.key).turns == ()
    end_turn(office, clock)
    turn = games.game(office, CONSOLE, record.key).turn
    assert turn is not None and turn.name == "Winter 1901 Adjustments"
    end_turn(office, clock)
    assert "Winter 1901 Adjustments are lost" in check(office, record.key, receipts)


def test_a_key_that_is_lost_before_its_turn_opens_is_noticed(office: Office, clock: SimulatedClock) -> None:
    record, receipts = dislodged(office, clock)
    lose(office, f"{record.key}.1901-winter-adjustments")
    end_turn(office, clock)
    turn = games.game(office, CONSOLE, record.key).turn
    assert turn is not None and turn.name == "Fall 1901 Retreats", "it waits for the operator's word"
    assert lost_keys.reopen_all(office, CONSOLE, "the disk died") == [f"{record.key}: Winter 1901 Adjustments"]
    clock.advance(timedelta(hours=2))
    work.run_due(office)
    turn = games.game(office, CONSOLE, record.key).turn
    assert turn is not None and turn.name == "Winter 1901 Adjustments"
    check(office, record.key, receipts)


def test_drafts_are_taken_back_and_published_anew_after_all_keys_were_lost(
    office: Office, clock: SimulatedClock
) -> None:
    record, players, boss = drafted(office, clock)
    before = [row.proof for row in send(office, record, {"France": players["France"]}, 1).values()]
    office = burnt(office, clock)
    lost = lost_keys.find(office, CONSOLE, record.key)
    assert lost.office and set(lost.turns) >= {"1425 Movement", "1425 Retreats"}
    assert lost_keys.reopen_all(office, CONSOLE, "the house burnt down")
    told = check(office, record.key, before)
    assert "1425 Movement: not judged again, since a key was lost" in told
    processing.take_back_draft(office, boss, record.key, "Burgundy's sheet was misread")
    readings.correct(office, boss, record.key, "1", "Burgundy", "# nothing", "it was another game's")
    processing.publish_draft(office, boss, record.key)
    first, now = (games.result(office, CONSOLE, record.key, 1), games.game(office, boss, record.key).turn)
    assert first.state == "draft" and now is not None and (now.name, now.state) == ("1425 Retreats", "open")
    assert all(proof.holds for proof in proofs.verify(office, Actor.visitor(), record.key))
    assert check(office, record.key, before).count("1425 Movement: not judged again, since a key was lost") == 2
    clock.advance(timedelta(days=60))
    work.run_due(office)
    assert all(proof.holds for proof in proofs.verify(office, Actor.visitor(), record.key))
    assert "send your orders again" in check(office, record.key, before)


def test_orders_given_ahead_that_counted_count_when_their_turn_is_published_anew_without_the_key(
    office: Office, clock: SimulatedClock
) -> None:
    record, players, boss = drafted(office, clock, ahead="if dislodged A par: cha")
    assert submissions.ready(office, players["France"], record.key, "France")
    work.run_due(office)
    processing.publish_draft(office, boss, record.key)
    first = games.result(office, CONSOLE, record.key, 2)
    france = next(sheet for sheet in first.sheets if sheet.power == "France")
    assert first.state == "draft" and france.orders == ("A par R cha",)
    office = burnt(office, clock)
    lost_keys.reopen_all(office, CONSOLE, "the house burnt down")
    processing.take_back_draft(office, boss, record.key, "a second look")
    processing.publish_draft(office, boss, record.key)
    again = games.result(office, CONSOLE, record.key, 2)
    assert again.state == "draft" and again.sheets == first.sheets
    check(office, record.key, [])
    lines = [json.loads(line) for line in proofs.transcript(office, CONSOLE, record.key).splitlines()]
    told = [entry["line"]["data"] for entry in lines if entry.get("line", {}).get("kind") == "results"]
    assert [data["turn"] for data in told[1:]] == ["1425 Retreats"] * 2 and told[1] == told[2]
