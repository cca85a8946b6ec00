"""What is ordered ahead is sealed until the turn that it is for is closed, whoever looks for it, and counts then."""

from collections.abc import Callable, Iterable
from datetime import timedelta

import msgspec
import pytest

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk, readings
from legation.office.errors import ConflictError, KeyNotReleasedError
from legation.office.game import journal, processing
from legation.office.game.judging import chosen_sheets
from legation.office.game.orders_ahead import later_keys
from legation.office.hosting import games, proofs
from legation.office.keys import seals
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.records import GameRecord
from legation.office.store.packing import unpack_facts
from legation.office.store.rows import TABLES, RecordRow, SeatRow, TurnRow
from legation.proofs.receipts import read_receipt
from legation.proofs.report import Report
from legation.proofs.verifying import verify
from tests.office.playing import CONSOLE, VISITOR, begin, close_turn, passes, send_all, sheets, stored, the, turn_now

WHOLE = """F tri H
if dislodged F tri: alb, else adr
Winter 1901 Adjustments
remove A bud"""
PHOTOGRAPH = [("sheet", b"\xff\xd8 a photograph", "image/jpeg")]


def end_turn(office: Office, clock: SimulatedClock) -> None:
    passes(office, clock, timedelta(days=1))


def readable(office: Office) -> str:
    """All that can be read by who has the database, the office's own key, and each key that its keeper gives."""
    given = {}
    for turn in stored(office, TurnRow):
        for name in (turn.sealed_by, *(key.name for key in later_keys(turn).values())):
            try:
                given[name] = office.keeper.key(name).private
            except KeyNotReleasedError:
                continue
    found = []
    for kind in TABLES:
        for row in stored(office, kind):
            for value in msgspec.structs.asdict(row).values():
                found += [repr(value), *(_opened(office, value, given.values()) if isinstance(value, bytes) else ())]
    return "\n".join(found)


def _opened(office: Office, value: bytes, keys: Iterable[bytes]) -> list[str]:
    """What the keys open of a value: locked by the office, and inside that sealed to a turn, perhaps."""
    try:
        inside = seals.unlock(office.master_key, value)
    except KeyNotReleasedError:
        return [repr(unpack_facts(value))]
    found = [repr(inside)]
    for key in keys:
        try:
            found.append(repr(seals.unseal(key, inside)))
        except KeyNotReleasedError:
            continue
    return found


def transcribe(office: Office, coordinator: Actor, text: str) -> None:
    """Write down the one sheet on the desk that is to be read, and do the work that is due then."""
    (item,) = [item for item in desk.items(office, coordinator) if item.kind == "transcribe"]
    readings.transcribe(office, coordinator, item.id, text)
    work.run_due(office)


def dislodged(office: Office, clock: SimulatedClock, *, picture: bool = False) -> tuple[GameRecord, list[str]]:
    """A game in which Austria was dislodged from Trieste in Fall 1901, having sent :data:`WHOLE`; the receipts."""
    record, players, boss = begin(office, "standard", coordinated=True, missing="disorder", missing_after=1)
    receipts = []

    def send(power: str, text: str) -> None:
        receipts.append(submissions.submit(office, players[power], record.key, power, text).proof)

    for power in players:
        send(power, "A ven - tyr\nA rom - ven" if power == "Italy" else "# nothing")
    end_turn(office, clock)
    for power in players:
        if power != "Austria":
            send(power, "A tyr - tri\nA ven S A tyr - tri" if power == "Italy" else "# nothing")
    if picture:
        sent = submissions.submit_pictures(office, players["Austria"], record.key, "Austria", PHOTOGRAPH)
        receipts.append(sent.proof)
    else:
        send("Austria", WHOLE)
    end_turn(office, clock)
    if picture:
        transcribe(office, boss, WHOLE)
    assert turn_now(office, boss, record.key).name == "Fall 1901 Retreats"
    return record, receipts


def report(office: Office, record: GameRecord, reader: Actor = VISITOR, receipts: Iterable[str] = ()) -> Report:
    """What the verifier finds in the transcript that a reader gets."""
    text = proofs.transcript(office, reader, record.key)
    return verify(text.encode(), [office.public_key], [*map(read_receipt, receipts)], office.variants)


def check(office: Office, record: GameRecord, receipts: list[str]) -> None:
    found = report(office, record, receipts=receipts)
    assert found.failures == [] and all(receipt.holds for receipt in found.receipts)
    assert all(proof.holds for proof in proofs.verify(office, VISITOR, record.key))


def test_what_is_ordered_ahead_is_sealed_until_its_own_turn(office: Office, clock: SimulatedClock) -> None:
    record, receipts = dislodged(office, clock)
    assert "F tri H" in readable(office), "the turn that is over is open"
    assert "dislodged F" not in readable(office) and "remove A bud" not in readable(office)
    check(office, record, receipts)
    end_turn(office, clock)
    result = games.result(office, VISITOR, record.key)
    austria = next(sheet for sheet in result.sheets if sheet.power == "Austria")
    assert austria.orders == ("F tri R alb",) and not austria.missing
    assert the(office, SeatRow, power="Austria").missed == 0, "it gave its orders ahead"
    assert "dislodged F" in readable(office) and "remove A bud" not in readable(office)
    check(office, record, receipts)
    end_turn(office, clock)
    austria = next(s for s in games.result(office, VISITOR, record.key).sheets if s.power == "Austria")
    assert austria.orders == ("remove A bud",)
    assert "remove A bud" in readable(office)
    check(office, record, receipts)


def test_what_a_picture_says_for_later_is_shown_when_that_turn_is(office: Office, clock: SimulatedClock) -> None:
    record, receipts = dislodged(office, clock, picture=True)
    told = repr([chosen_sheets(turn) for turn in stored(office, TurnRow)])
    told += proofs.transcript(office, VISITOR, record.key)
    told += repr(games.result(office, VISITOR, record.key))
    assert "F tri H" in told and "dislodged F" not in told and "remove A bud" not in told
    check(office, record, receipts)
    end_turn(office, clock)
    assert "F tri R alb" in repr(games.result(office, VISITOR, record.key).sheets)
    told = proofs.transcript(office, VISITOR, record.key)
    assert "dislodged F" in told and "remove A bud" not in told
    check(office, record, receipts)
    end_turn(office, clock)
    assert "remove A bud" in proofs.transcript(office, VISITOR, record.key)
    check(office, record, receipts)


def test_a_turn_that_never_came_is_opened_when_the_next_season_has_begun(office: Office, clock: SimulatedClock) -> None:
    """Its holder reads all of it back: by the key of the receipt at once; without it, what is open by then."""
    record, players, _ = begin(office, "standard")
    text = "A vie - gal\nif dislodged A bud: tri"
    sent = submissions.submit(office, players["Austria"], record.key, "Austria", text)
    own = submissions.read_own(office, players["Austria"], sent.submission, sent.reading_key)
    assert own.text == text and len(own.openings) == 2
    other = submissions.submit(office, players["Italy"], record.key, "Italy", "A ven H\nRetreats:\nA ven - apu")
    end_turn(office, clock)
    rows = stored(office, RecordRow)
    assert len(rows) == 4 and all(row.opening for row in rows)
    (earlier, present) = stored(office, TurnRow, order="number")
    name = f"{record.key}.1901-spring-retreats"
    assert [line.what for line in office.keeper.log(name)] == ["made", "closed", "gave"]
    assert office.keeper.log(name)[1].about.startswith("skipped, line ")
    assert not later_keys(earlier) and set(later_keys(present)) == {"Fall 1901 Retreats", "Winter 1901 Adjustments"}
    check(office, record, [sent.proof, other.proof])
    assert "A ven - apu" in proofs.transcript(office, VISITOR, record.key)
    assert submissions.read_own(office, players["Austria"], sent.submission).text == text


def test_results_that_are_taken_back_leave_what_was_ordered_ahead_sealed(office: Office, clock: SimulatedClock) -> None:
    """The turn that opens again is the same one, with the same key."""
    record, players, boss = begin(office, "standard", coordinated=True, drafts=True, schedule="three-kingdoms")

    def on(*texts: tuple[str, str]) -> None:
        for power, text in texts:
            submissions.submit(office, players[power], record.key, power, text)
        close_turn(office, clock, record)

    on(("Italy", "A ven - tyr\nA rom - ven"))
    for _ in range(3):
        if turn_now(office, boss, record.key).name == "Fall 1901 Movement":
            break
        passes(office, clock, timedelta(days=30))
    submissions.submit_pictures(office, players["Italy"], record.key, "Italy", PHOTOGRAPH)
    on(("Austria", WHOLE))
    attack = "A tyr - tri\nA ven S A tyr - tri"
    transcribe(office, boss, attack)
    first = stored(office, TurnRow, order="-number", limit=1)[0]
    assert first.name == "Fall 1901 Retreats"
    processing.take_back_draft(office, boss, record.key, "misread")
    readings.correct(office, boss, record.key, "Italy", str(first.number - 1), f"{attack}\nA rom H", "misread")
    processing.publish_draft(office, boss, record.key)
    work.run_due(office)
    again = stored(office, TurnRow, order="-number", limit=1)[0]
    assert (again.id, again.name, again.sealed_by) == (first.id, first.name, first.sealed_by)
    assert "dislodged F" not in readable(office)
    assert all(p.holds for p in proofs.verify(office, VISITOR, record.key))


SEED = 86  # bots' orders by which an army of France is dislodged from Paris


def drafted(office: Office, clock: SimulatedClock, ahead: str = "") -> tuple[GameRecord, dict[str, Actor], Actor]:
    """A game whose movement is published as a draft, with Burgundy's sheet transcribed; its retreats are open.

    ``ahead``: what France ordered for them already, so that it may be ready at once."""
    record, players, boss = begin(
        office, coordinated=True, ready_ends=bool(ahead), drafts=True, approve=True, schedule="three-kingdoms"
    )
    read = sheets(office, record, SEED, ["Burgundy"])["Burgundy"]
    submissions.submit_pictures(office, players["Burgundy"], record.key, "Burgundy", PHOTOGRAPH)
    send_all(office, record, {p: a for p, a in players.items() if p != "Burgundy"}, SEED)
    if ahead:
        own = sheets(office, record, SEED, ["France"])["France"]
        submissions.submit(office, players["France"], record.key, "France", f"{own}\n{ahead}")
    close_turn(office, clock, record)
    transcribe(office, boss, read)
    processing.publish_draft(office, boss, record.key)
    turn = turn_now(office, CONSOLE, record.key)
    assert (turn.name, turn.state) == ("1425 Retreats", "open")
    return record, players, boss


def test_drafts_taken_back_put_the_retreats_aside_and_open_them_again(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = drafted(office, clock)
    key, france = record.key, players["France"]
    submissions.submit(office, france, key, "France", "A par D")
    due = turn_now(office, CONSOLE, record.key).deadline
    processing.take_back_draft(office, boss, key, "a sheet was misread")
    turn = turn_now(office, CONSOLE, key)
    assert (turn.name, turn.state) == ("1425 Movement", "judged")
    burgundy = sheets(office, record, SEED, ["Burgundy"])["Burgundy"]
    readings.correct(office, boss, key, "Burgundy", "1", f"{burgundy}\n# as it is", "a second look")
    assert turn_now(office, CONSOLE, record.key).state == "judged", (
        "what is judged is judged again, and published when it is approved"
    )
    processing.publish_draft(office, boss, key)
    again = turn_now(office, CONSOLE, record.key)
    assert (again.name, again.state) == ("1425 Retreats", "open")
    assert again.deadline >= due
    (sent,) = submissions.mine(office, france, key, "France")
    assert sent.standing == "counts", "what was sent for it stays"
    kinds = [entry.kind for entry in journal.entries(office, boss, key, limit=1000)]
    assert "draft taken back" in kinds and kinds.count("corrected") == 1


def test_nothing_is_taken_back_once_the_seals_after_it_are_open(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = drafted(office, clock)
    submissions.submit(office, players["France"], record.key, "France", "A par D")
    close_turn(office, clock, record)
    turn = turn_now(office, CONSOLE, record.key)
    assert (turn.name, turn.state) == ("1425 Retreats", "judged")
    with pytest.raises(ConflictError, match="The seals of 1425 Retreats are open already"):
        processing.take_back_draft(office, boss, record.key, "too late")


def test_results_are_final_when_the_season_is_over_and_not_before(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(
        office, coordinated=True, ready_ends=False, drafts=True, approve=True, schedule="three-kingdoms"
    )
    send_all(office, record, players, 1)  # nobody is dislodged
    close_turn(office, clock, record)
    processing.publish_draft(office, boss, record.key)
    with pytest.raises(
        ConflictError, match=r"are final from \w+ 1\d Mar 2026, 07:00 UTC; until then a transcription can be"
    ):
        processing.publish_final(office, boss, record.key)
    with pytest.raises(ConflictError, match="no results of 1425 Movement to publish"):
        processing.publish_draft(office, boss, record.key)
    passes(office, clock, timedelta(days=3))
    assert [item.kind for item in desk.items(office, boss)] == ["final"]
    assert processing.publish_final(office, boss, record.key).number == 2


def test_a_game_that_paused_between_two_seasons_goes_on(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, coordinated=True, ready_ends=False, schedule="three-kingdoms")
    send_all(office, record, players, 1)
    close_turn(office, clock, record)
    assert (turn_now(office, CONSOLE, record.key).number, turn_now(office, CONSOLE, record.key).state) == (1, "final")
    games.pause(office, boss, record.key, "the coordinator moves house")
    passes(office, clock, timedelta(days=40))
    assert turn_now(office, CONSOLE, record.key).number == 1, "no season opens while the game is paused"
    games.resume(office, boss, record.key)
    work.run_due(office)
    assert (turn_now(office, CONSOLE, record.key).number, turn_now(office, CONSOLE, record.key).state) == (2, "open")


def test_a_game_that_paused_while_its_seals_settled_goes_on(
    make_office: Callable[..., Office], clock: SimulatedClock
) -> None:
    office = make_office(settling=60)
    record, players, boss = begin(office, coordinated=True, ready_ends=False)
    send_all(office, record, players, 1)
    close_turn(office, clock, record)
    assert turn_now(office, CONSOLE, record.key).state == "open", "what came in time is filed first"
    games.pause(office, boss, record.key, "a moment")
    clock.advance(timedelta(seconds=30))
    games.resume(office, boss, record.key)
    passes(office, clock, timedelta(seconds=91))
    assert games.result(office, VISITOR, record.key).number == 1


def test_a_deadline_that_moved_closes_at_the_new_one(office: Office, clock: SimulatedClock) -> None:
    """Work that came due for the old deadline waits for the new one, and for the minutes of grace."""
    record, players, _ = begin(office, grace=30, ready_ends=False)
    due = turn_now(office, CONSOLE, record.key).deadline
    passes(office, clock, due)
    assert turn_now(office, CONSOLE, record.key).state == "open", "who is a little late is not too late"
    send_all(office, record, players, 1)
    passes(office, clock, due + timedelta(minutes=30))
    assert games.result(office, VISITOR, record.key).number == 1
