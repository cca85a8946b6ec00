"""An office that lies from the start, with everything else made to fit: what shows it, and to whom.

Each of these passed the check of the first format, or could."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Literal

import msgspec
import pytest

from legation.judge import draw
from legation.proofs import chain, kinds, lots
from legation.proofs.receipts import KeptSignature, SignedHead, signed_by
from legation.proofs.records import make_record, word_statement
from legation.proofs.report import Report
from legation.proofs.signing import public_key, sign
from legation.variants import load
from tests.proofs.building import HOUR, Office, Sent
from tests.proofs.games import Begun, begun_elsewhere
from tests.proofs.tampering import first_check, second_check

RULES = load("standard")


def opened(
    seed: str = "lies", *, elsewhere: bool = True, senders: Literal["shown", "hidden"] = "shown", waits: bool = False
) -> Office:
    office = Office(RULES, seed, elsewhere=elsewhere, senders=senders, waits=waits)
    office.key("England")
    office.open_turn(RULES.opening())
    office.send("France", "A par - bur")
    office.send("France", "A par - pic")
    office.send("England", "F lon - nth")
    return office


def found(office: Office, receipts: Sequence[KeptSignature] = (), *, second: bool = True) -> Report:
    """The report of both verifiers, the first one's as it is."""
    data = office.file()
    report = first_check(office, data, receipts)
    if second:
        assert second_check(office, data, receipts), "the second verifier noticed nothing"
    return report


def lie(report: Report, what: str) -> None:
    assert report.failures, "nothing was noticed"
    assert what in report.failures[0].what, report.failures[0]
    assert report.failures[0].proves == "a lie of the office"


def honest(office: Office) -> None:
    report = first_check(office, office.file(), office.receipts)
    assert report.failures == []
    assert second_check(office, office.file(), office.receipts) == ""


def over(office: Office, why: Literal["deadline", "all ready", "waited"] = "deadline") -> Office:
    office.close(why)
    office.publish()
    return office


def everybody_ready(office: Office, but: str = "") -> None:
    for seat in office.seats:
        if seat != but:
            if seat != "England":
                office.key(seat)
            office.ready(seat)


@pytest.mark.parametrize(
    ("published", "told"),
    [
        ({"carried_out": {"France": "A par - gas"}}, "judged again, it has a different result: after.units"),
        ({"counted": {"France": 1}}, "version 1 of France counted, and version 2 should"),
        ({"counted": {"France": 0}}, "nothing of France counted, and version 2 should"),
        ({"changed": {"verdicts": []}}, "judged again, it has a different result: verdicts"),
    ],
)
def test_another_result_is_published(published: dict[str, Any], told: str) -> None:
    office = opened()
    office.close()
    office.open_turn(office.publish(**published))
    lie(found(office, second=False), told)


def test_another_position_follows() -> None:
    office = over(opened())
    office.open_turn(msgspec.structs.replace(RULES.opening(), turn=RULES.next_turn(RULES.opening().turn)))
    lie(found(office), "another position than the one that the turn before led to")


def test_a_sheet_counts_by_when_it_came() -> None:
    office = opened()
    office.send("Germany", "A ber - kie", received=office.turn.due + 1)
    office.now = office.turn.due + 2
    over(office)
    report = found(office)
    assert any("it was received after the deadline" in failure.what for failure in report.failures)
    # a sheet is filed after the closing
    office = opened()
    office.close()
    office.send("Germany", "A ber - kie", received=office.turn.due - 1)
    office.publish()
    lie(found(office), "is opened by then")
    # a sheet is said to have come earlier than the journal has it
    office = opened()
    office.send("Germany", "A ber - kie", received=office.now + HOUR)
    lie(found(over(office)), "received after the journal tells of it")


def test_a_turn_is_closed_at_its_deadline_or_when_all_are_ready() -> None:
    office = opened()
    office.close(early=True)
    office.publish()
    lie(found(office), "it is closed before its deadline")
    # the turn is closed since all are ready who are not
    office = opened()
    office.ready("England")
    lie(found(over(office, "all ready")), "it is closed because all are ready, and")
    # somebody sent again after being ready
    office = opened()
    everybody_ready(office)
    office.send("France", "A par H")
    lie(found(over(office, "all ready")), "France was ready with version 2, and sent version 3")
    # a seat that is vacated makes no turn closable
    office = opened()
    everybody_ready(office, but="Germany")
    office.hold("Germany", "")
    lie(found(over(office, "all ready")), "and Germany is not")
    # a game that does not wait is not closed after waiting
    office = opened()
    lie(found(over(office, "waited")), "this game does not wait")
    waits = opened(waits=True)
    waits.now = waits.turn.due + HOUR
    waits.send("Germany", "A ber - kie")
    honest(over(waits, "waited"))


def test_a_keeper_elsewhere_wants_signatures_and_one_beside_takes_the_offices_word() -> None:
    office = opened()
    for seat in office.seats:
        office.ready(seat)
    lie(found(over(office, "all ready")), "Austria's key did not sign that it is ready")
    beside = opened(elsewhere=False)
    for seat in beside.seats:
        beside.ready(seat)
    honest(over(beside, "all ready"))
    # a keeper beside believes what is not signed and that is told
    office = opened(elsewhere=False)
    office.keyed.clear()  # its page says "ready" without a signature, as a mail does
    for seat in office.seats:
        office.ready(seat)
    honest(over(office, "all ready"))
    told = "Spring 1901 Movement: only the office says that England was ready; its key did not sign it"
    assert told in first_check(office, office.file()).words


def test_a_deadline_only_moves_later() -> None:
    office = opened()
    office.move_deadline(office.turn.due - HOUR)
    lie(found(over(office)), "the deadline moves to an earlier time")
    # a pause does not bring the deadline forward
    office = opened()
    due = office.turn.due
    office.move_deadline(0, "paused")
    office.move_deadline(due - HOUR, "resumed")
    lie(found(over(office)), "the deadline moves to an earlier time")
    # a pause and a later deadline hold
    office = opened()
    due = office.turn.due
    office.move_deadline(0, "paused")
    office.move_deadline(due + HOUR, "resumed")
    honest(over(office))
    # a game that is held up after its deadline owes no time
    office = opened()
    office.now = office.turn.due + HOUR
    due = office.turn.due
    office.move_deadline(0, "paused")
    office.now += 24 * HOUR
    office.move_deadline(due + 2 * HOUR, "resumed")
    honest(over(office))


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("short", [HOUR, HOUR // 50, 0])
def test_a_pause_leaves_as_much_time_as_there_was(short: int, times: int) -> None:
    """Each pause lasts a day; the deadline after it is a day later, or earlier than that by ``short`` of it."""
    office = opened()
    for _ in range(times):
        due = office.turn.due
        office.move_deadline(0, "paused")
        office.now += 24 * HOUR
        office.move_deadline(due + 24 * HOUR - short, "resumed")
    over(office)
    if short:
        lie(found(office), "a pause took time from the players")
    else:
        honest(office)


def forged_closing(office: Office, key: bytes, at: int) -> None:
    """Close a turn with a countersignature of one's own."""
    turn = office.turn
    office.now = turn.due + 1
    line = office.line("closed", turn=turn.name, why="deadline", due=turn.due)
    statement = chain.closing_statement(office.game, turn.name, line.n, line.hash, at)
    office.line(
        "countersigned", turn=turn.name, line=line.n, head=line.hash, at=at, signature=sign(key, "closing", statement)
    )
    office.line("opened", turn=turn.name, part=turn.part)
    office.publish()


def test_the_keeper_itself_countersigns_after_the_deadline() -> None:
    office = opened()
    forged_closing(office, office.office, office.turn.due + 1)
    lie(found(office), "the closing is not signed by the keeper")
    # the keepers clock had not passed the deadline
    office = opened()
    forged_closing(office, office.keeper, office.turn.due - 1)
    lie(found(office), "the keeper signed the closing before the deadline")


def test_a_sheet_is_signed_by_its_seat_and_sent_once() -> None:
    office = opened()
    office.seats["England"], own = b"\x07" * 32, office.seats["England"]
    office.send("England", "F lon - eng")
    office.seats["England"] = own
    lie(found(over(office)), "signed with a key that was not the seat's")
    # a signed sheet is not sent twice
    office = opened()
    first = next(sent for sent in office.turn.sent if sent.seat == "England")
    office.send("England", "F lon - eng")
    records = [
        make_record(msgspec.structs.replace(record.submission, version=3, received=office.now), office.random_bytes)
        for record in first.records
    ]
    again = Sent("England", 3, records)
    office.turn.sent.append(again)
    listed = [kinds.SentRecord(turn=r.submission.turn, commitment=r.commitment) for r in records]
    office.line("sent", turn=office.turn.name, seat="England", version=3, records=listed)
    lie(found(over(office)), "something was sent twice")


def test_what_others_enter_displaces_nothing_of_the_holders() -> None:
    office = opened()
    office.send("Germany", "A ber - kie", entered_by="assigned")
    office.close()
    office.publish(counted={"Germany": 1})
    lie(found(office), "version 1 of Germany counted, and none should")
    # the coordinator displaces nothing that the holder sent
    office = opened()
    office.send("France", "A par - gas", entered_by="coordinator")
    office.close()
    office.publish(counted={"France": 3})
    lie(found(office, second=False), "version 3 of France counted, and version 2 should")


def test_what_the_coordinator_chooses_is_told() -> None:
    office = opened()
    office.close()
    for seat, version, reason in (
        ("France", 1, "v1 counts if Italy is silent"),
        ("England", 0, "the envelope never came"),
    ):
        office.line("chosen", turn=office.turn.name, seat=seat, version=version, reason=reason)
    office.publish(counted={"France": 1, "England": 0})
    report = first_check(office, office.file())
    assert report.failures == []
    assert (
        "Spring 1901 Movement: the coordinator chose version 1 of France: v1 counts if Italy is silent" in report.told
    )
    assert report.words == [  # England has a key
        "Spring 1901 Movement: the coordinator let no version count of England: the envelope never came"
    ]
    assert report.status == 3


def test_settings_and_objections_hold_in_their_time() -> None:
    office = opened()
    office.line("settings", senders="hidden", anonymous=False, waits=False)
    office.send("Germany", "A ber - kie")  # told at once all the same
    lie(found(over(office)), "who sends is told at once where senders are shown")
    office = opened(waits=True)
    office.line("settings", senders="shown", anonymous=False, waits=False)
    lie(found(over(office, "waited")), "this game does not wait")
    # an objection is to what was sent while it can be mended
    office = opened()
    office.line("objected", turn=office.turn.name, seat="France", version=3)
    lie(found(office), "France has no version 3")
    office = opened()
    office.line("objected", turn=office.turn.name, seat="France", version=2)
    honest(over(office))
    assert (
        "Spring 1901 Movement: France objects to its version 2 as it was entered"
        in first_check(office, office.file()).told
    )
    office.line("objected", turn=office.turn.name, seat="France", version=2)
    lie(found(office), "objections end when results are final")


# Omission: only who keeps a receipt can show it


def without_the_last_sheet(office: Office) -> None:
    """Forget a sheet as if it had never come; the receipt is in its sender's hands."""
    del office.turn.sent[-1]
    gone = office.lines.pop()
    assert gone.kind == "sent"


def test_who_keeps_a_receipt_shows_what_is_left_out() -> None:
    office = opened()
    receipt = office.receipts[-1]
    without_the_last_sheet(office)
    office.line("told", text="Nothing came.")
    over(office)
    assert first_check(office, office.file()).holds
    report = found(office, [receipt])
    lie(report, "there are two journals")
    assert not report.receipts[0].holds
    # a sheet of a hidden sender is left out
    office = opened(senders="hidden")
    receipt = office.receipts[-1]
    del office.turn.sent[-1]
    over(office)
    assert first_check(office, office.file()).holds
    lie(found(office, [receipt]), "version 1 of England is missing from the journal")
    # a record is replaced with all that hangs on it
    office = opened()
    receipt = office.receipts[-1]
    without_the_last_sheet(office)
    office.send("England", "F lon - eng")
    over(office)
    assert first_check(office, office.file()).holds
    lie(found(office, [receipt]), "two journals")


def test_a_game_that_was_begun_elsewhere_goes_on_from_where_its_second_line_says() -> None:
    office: Office = Begun(RULES, "begun")
    office.open_turn(RULES.opening())
    office.send("France", "A par - bur")
    office.close()
    later = office.publish()
    honest(office)
    office = Begun(RULES, "begun")
    office.open_turn(later)
    lie(found(over(office)), "the game begins in another position than line 2 says")
    office = opened()
    office.line("imported", **begun_elsewhere(RULES))
    lie(found(office), "only line 2 tells")


def test_a_restored_office_that_says_nothing_shows_two_journals() -> None:
    office = opened()
    kept = signed_by(
        office.office, SignedHead(game=office.game, n=office.lines[-1].n, hash=office.lines[-1].hash, at=office.now)
    )
    receipt = office.receipts[-1]
    without_the_last_sheet(office)
    office.send("Germany", "A ber - kie")
    over(office)
    for keep in (kept, receipt):
        lie(found(office, [keep]), "two journals")


def test_what_is_withheld_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    office = over(opened())
    transcript = office.transcript()
    for number, opening in enumerate(transcript.openings):
        shorter = transcript.openings[:number] + transcript.openings[number + 1 :]
        told = msgspec.structs.replace(transcript, openings=shorter)
        monkeypatch.setattr(office, "transcript", lambda reader="", told=told: told)
        report = found(office)
        assert "it is not opened, though it should be by now" in report.failures[0].what
        assert report.failures[0].proves == "nothing"
        assert opening.commitment not in {o.commitment for o in shorter}


# Lots


@pytest.mark.parametrize(
    ("part", "believed", "tries", "possible"),
    [
        ("", "", 1, {"a", "b", "c", "d"}),  # the last sender knows neither the turn's secret nor the keeper's part
        ("", "", 50, {"a", "b", "c", "d"}),  # the office knows its secret; the keeper's part comes after the closing
        ("5" * 64, "5" * 64, 200, {"a"}),  # as the manual says
    ],
)
def test_only_office_and_keeper_together_can_choose_what_is_drawn(
    part: str, believed: str, tries: int, possible: set[str]
) -> None:
    """By so many nonces of a seat of one's own; an empty part is any."""
    random, first = Random("grinding"), set()

    def drawn(secret: str, part: str, nonces: list[str]) -> str:
        return draw(lots.lot_seed(secret, part, nonces), "lot", ["a", "b", "c", "d"])[0]

    for _ in range(60):
        secret = lots.turn_secret(random.randbytes(32).hex(), "Winter 1901 Adjustments")
        nonces = [random.randbytes(16).hex() for _ in range(3)]
        tried = [[*nonces, f"{n:032x}"] for n in range(tries)]
        chosen = next((one for one in tried if drawn(secret, believed, one) == "a"), tried[-1])
        first.add(drawn(secret, part or random.randbytes(32).hex(), chosen))
    assert first == possible


@pytest.mark.parametrize("what", ["secret", "part", "nonces"])
def test_the_lots_of_a_turn_are_drawn_again(what: str) -> None:
    office = Office(load("1897"), "lots")
    office.open_turn(office.rules.opening())
    for _ in range(8):
        for seat in list(office.seats)[:2]:
            office.send(seat, "")
        office.close()
        before = len(office.lines)
        office.open_turn(office.publish())
        drawn = [
            line for line in office.lines[before:] if line.kind == "results" and '"lots":[{' in line.data["result"]
        ]
        if drawn:
            break
    assert drawn, "no lot was drawn"
    honest(office)
    turn = office.turns[-2]
    if what == "nonces":
        mine = turn.sent[0].records[0].submission
        turn.sent[0].records[0] = make_record(msgspec.structs.replace(mine, nonce="e" * 32), office.random_bytes)
        assert not found(office).holds
        return
    line = next(
        e for e in office.lines if e.kind == ("opened" if what == "part" else "results") and e.data["turn"] == turn.name
    )
    line.data[what] = "e" * 64
    assert not found(office).holds


def _signed_word(office: Office, kind: str, version: int = 1, turn: str = "", by: str = "England") -> str:
    statement = word_statement(office.game, turn or office.turn.name, "England", version)
    return sign(office.seats[by], kind, statement)


@pytest.mark.parametrize(
    "forged",
    [
        lambda office: "00" * 64,
        lambda office: _signed_word(office, "withdrawn", by="France"),
        lambda office: _signed_word(office, "refused"),
        lambda office: _signed_word(office, "withdrawn", 2),
        lambda office: _signed_word(office, "withdrawn", 1, "Fall 1901 Movement"),
    ],
)
def test_a_withdrawal_is_signed_for_its_version_and_turn_alone(forged: Callable[[Office], str]) -> None:
    office = opened()
    office.line("withdrawn", turn=office.turn.name, seat="England", version=1, signature=forged(office))
    office.close()
    lie(found(office), "that England withdrew version 1 is not signed by its key")


def test_ready_is_said_again_by_its_holder_alone() -> None:
    """What England took back does not come again with the signature of the first time."""
    office = opened()
    office.ready("England")
    first = office.lines[-1].data
    office.line("not ready", turn=office.turn.name, seat="England")
    office.line("ready", **first)
    everybody_ready(office, but="England")
    office.close("all ready")
    lie(found(office), "England was ready 1 times before")
    # ready is said again by its holder
    office = opened()
    everybody_ready(office)
    office.line("not ready", turn=office.turn.name, seat="England")
    office.ready("England")
    honest(over(office, "all ready"))


def test_words_of_hidden_senders_are_signed_by_a_key_of_that_turn() -> None:
    """Their lines come when the turn is closed; the key may have changed since."""
    office = opened(senders="hidden")
    withdrawn = office.send("England", "F lon - eng")
    office.word("withdrawn", withdrawn)
    signed_with = office.seats["England"]
    office.key("England", new=True)
    office.seats["England"] = signed_with
    honest(over(office))
    forging = opened(senders="hidden")
    forging.word("withdrawn", forging.send("England", "F lon - eng"))
    forging.seats["England"] = bytes(32)  # the office signs with a key of its own making
    lie(found(over(forging)), "that England withdrew version 2 is not signed by its key")


# Where a game went, and by whose key


def test_only_the_office_to_which_a_game_was_given_writes_on() -> None:
    office = over(opened())
    old = office.office
    office.transfer()
    office.lines.pop()
    office.heads = {n: head for n, head in office.heads.items() if n <= len(office.lines)}
    office.office = old
    office.offices.pop()
    assert first_check(office, office.file()).holds, "so far it is honest"
    office.line("told", text="The game stays.")
    assert "the game went to another office" in found(office).failures[0].what
    # an office to which nothing was given takes over
    office = over(opened())
    office.line("told", text="Nothing is given.")
    office.office = b"\x07" * 32
    office.offices.append((len(office.lines) + 1, office.office))
    office.line("taken over")
    assert "no office gave the game away" in found(office).failures[0].what


def test_a_game_leaves_in_the_middle_of_a_turn() -> None:
    amid = opened()
    amid.transfer()
    lie(found(amid), "games change their office between turns")


def test_a_keeper_that_the_one_before_did_not_sign_is_noticed() -> None:
    office = over(opened())
    n, other = len(office.lines) + 1, b"\x08" * 32
    statement = chain.succession_statement(office.game, n, public_key(other))
    keeper = kinds.KeeperKey(key=public_key(other), elsewhere=True)
    office.line("keeper", keeper=keeper, signature=sign(other, "key", statement))
    lie(found(office), "the keeper before did not sign this")
