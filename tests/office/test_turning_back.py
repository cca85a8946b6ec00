"""Turns that are taken back, put aside and opened again, and games that pause between two steps."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk, readings
from legation.office.errors import ConflictError
from legation.office.game import journal, processing
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.records import GameRecord, TurnRecord
from tests.office.playing import begin, send_all, sheets

PICTURE = ("sheet.jpg", b"\xff\xd8 a photograph", "image/jpeg")
SEED = 86  # bots' orders by which an army of France is dislodged from Paris


def present(office: Office, record: GameRecord) -> TurnRecord:
    turn = games.game(office, Actor.console(), record.key).turn
    assert turn is not None
    return turn


def drafted(office: Office, clock: SimulatedClock, ahead: str = "") -> tuple[GameRecord, dict[str, Actor], Actor]:
    """A game whose movement is published as a draft, with Burgundy's sheet transcribed; its retreats are open.

    ``ahead``: what France ordered for them already, so that it may be ready at once.
    """
    record, players, boss = begin(
        office, coordinated=True, ready_ends=bool(ahead), drafts=True, approve=True, schedule="three-kingdoms"
    )
    read = sheets(office, record, SEED, ["Burgundy"])["Burgundy"]
    submissions.submit_pictures(office, players["Burgundy"], record.key, "Burgundy", [PICTURE])
    send_all(office, record, {p: a for p, a in players.items() if p != "Burgundy"}, SEED)
    if ahead:
        own = sheets(office, record, SEED, ["France"])["France"]
        submissions.submit(office, players["France"], record.key, "France", f"{own}\n{ahead}")
    clock.set(present(office, record).deadline or clock.now())
    work.run_due(office)
    (item,) = desk.items(office, boss)
    readings.transcribe(office, boss, item.id, read)
    work.run_due(office)
    processing.publish_draft(office, boss, record.key)
    assert (present(office, record).name, present(office, record).state) == ("1425 Retreats", "open")
    return record, players, boss


def test_drafts_taken_back_put_the_retreats_aside_and_open_them_again(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = drafted(office, clock)
    key, france = record.key, players["France"]
    submissions.submit(office, france, key, "France", "A par D")
    due = present(office, record).deadline
    processing.take_back_draft(office, boss, key, "a sheet was misread")
    assert (present(office, record).name, present(office, record).state) == ("1425 Movement", "judged")
    burgundy = sheets(office, record, SEED, ["Burgundy"])["Burgundy"]
    readings.correct(office, boss, key, "1", "Burgundy", f"{burgundy}\n# as it is", "a second look")
    assert present(office, record).state == "judged", (
        "what is judged is judged again, and published when it is approved"
    )
    processing.publish_draft(office, boss, key)
    again = present(office, record)
    assert (again.name, again.state) == ("1425 Retreats", "open")
    assert again.deadline is not None and due is not None and again.deadline >= due
    (sent,) = submissions.mine(office, france, key, "France")
    assert sent.standing == "counts", "what was sent for it stays"
    kinds = [entry.kind for entry in journal.entries(office, boss, key, limit=1000)]
    assert "draft taken back" in kinds and kinds.count("corrected") == 1


def test_a_correction_of_drafts_judges_them_anew_while_the_retreats_are_open(
    office: Office, clock: SimulatedClock
) -> None:
    record, _, boss = drafted(office, clock)
    result = games.result(office, Actor.visitor(), record.key, 1)
    assert result.dislodged
    readings.correct(office, boss, record.key, "1", "Burgundy", "# nothing", "the sheet was another game's")
    assert present(office, record).state == "judged"
    processing.publish_draft(office, boss, record.key)
    anew = games.result(office, Actor.visitor(), record.key, 1)
    sheet = next(s for s in anew.sheets if s.power == "Burgundy")
    assert sheet.corrected and sheet.orders == () and anew.state == "draft"


def test_nothing_is_taken_back_once_the_seals_after_it_are_open(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = drafted(office, clock)
    submissions.submit(office, players["France"], record.key, "France", "A par D")
    clock.set(present(office, record).deadline or clock.now())
    work.run_due(office)
    assert (present(office, record).name, present(office, record).state) == ("1425 Retreats", "judged")
    with pytest.raises(ConflictError, match="The seals of 1425 Retreats are open already"):
        processing.take_back_draft(office, boss, record.key, "too late")


def test_results_are_final_when_the_season_is_over_and_not_before(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(
        office, coordinated=True, ready_ends=False, drafts=True, approve=True, schedule="three-kingdoms"
    )
    send_all(office, record, players, 1)  # nobody is dislodged
    clock.set(present(office, record).deadline or clock.now())
    work.run_due(office)
    processing.publish_draft(office, boss, record.key)
    with pytest.raises(
        ConflictError, match=r"are final from \w+ 1\d Mar 2026, 07:00 UTC; until then a transcription can be"
    ):
        processing.publish_final(office, boss, record.key)
    with pytest.raises(ConflictError, match="1425 Movement is draft; there is nothing to publish"):
        processing.publish_draft(office, boss, record.key)
    clock.advance(timedelta(days=3))
    work.run_due(office)
    assert [item.kind for item in desk.items(office, boss)] == ["final"]
    assert processing.publish_final(office, boss, record.key).number == 2


def test_a_game_that_paused_between_two_seasons_goes_on(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, coordinated=True, ready_ends=False, schedule="three-kingdoms")
    send_all(office, record, players, 1)
    clock.set(present(office, record).deadline or clock.now())
    work.run_due(office)
    assert (present(office, record).number, present(office, record).state) == (1, "final")
    games.pause(office, boss, record.key, "the coordinator moves house")
    clock.advance(timedelta(days=40))
    work.run_due(office)
    assert present(office, record).number == 1, "no season opens while the game is paused"
    games.resume(office, boss, record.key)
    work.run_due(office)
    assert (present(office, record).number, present(office, record).state) == (2, "open")


def test_a_game_that_paused_while_its_seals_settled_goes_on(
    make_office: Callable[..., Office], clock: SimulatedClock
) -> None:
    office = make_office(settling=60)
    record, players, boss = begin(office, coordinated=True, ready_ends=False)
    send_all(office, record, players, 1)
    clock.set(present(office, record).deadline or clock.now())
    work.run_due(office)
    assert present(office, record).state == "open", "what came in time is filed first"
    games.pause(office, boss, record.key, "a moment")
    clock.advance(timedelta(seconds=30))
    games.resume(office, boss, record.key)
    clock.advance(timedelta(seconds=91))
    work.run_due(office)
    assert games.result(office, Actor.visitor(), record.key).number == 1


def test_a_deadline_that_moved_closes_at_the_new_one(office: Office, clock: SimulatedClock) -> None:
    """Work that came due for the old deadline waits for the new one, and for the minutes of grace."""
    record, players, _ = begin(office, grace=30, ready_ends=False)
    due = present(office, record).deadline
    assert due is not None
    clock.set(due)
    work.run_due(office)
    assert present(office, record).state == "open", "who is a little late is not too late"
    send_all(office, record, players, 1)
    clock.set(due + timedelta(minutes=30))
    work.run_due(office)
    assert games.result(office, Actor.visitor(), record.key).number == 1
