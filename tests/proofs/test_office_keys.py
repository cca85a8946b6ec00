"""What somebody with a copy of the office's keys (and, where it is in the folder, the keeper's) can write into a game:
all of it fits, and each time both verifiers say that it is only the office's word, or that it can't be."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import pytest

from legation.proofs import kinds
from legation.proofs.kinds import KeeperKey
from legation.proofs.lots import turn_commitment
from legation.proofs.records import EnteredBy, SeatSignature, make_record
from legation.proofs.report import Report
from legation.proofs.signing import public_key, sign
from tests.proofs.building import HOUR, Office, Sent
from tests.proofs.games import PICTURE, fog, fog_registry, full
from tests.proofs.tampering import first_check, second_check, second_game
from tests.proofs.test_lies import everybody_ready, forged_closing, found, lie, opened, over

TURN = "Spring 1901 Movement"
MODES = pytest.mark.parametrize("elsewhere", [True, False], ids=["keeper elsewhere", "keeper in the folder"])
SENDERS = pytest.mark.parametrize("senders", ["shown", "hidden"])


def notes(office: Office) -> list[str]:
    return list(second_game(public_key(office.office), office.file(), office.receipts).words)


def word(office: Office, what: str) -> Report:
    """Both verifiers find no contradiction, and call it the office's word: their exit status differs."""
    report = first_check(office, office.file(), office.receipts)
    assert report.failures == []
    assert [line for line in report.words if what in line], report.words
    assert report.status == 3
    assert notes(office), "the second verifier says nothing"
    return report


def told(office: Office, what: str, noted: str = "") -> None:
    """The first verifier tells it once, in these words, and the second in its own, so that whoever knows otherwise sees
    it."""
    report = first_check(office, office.file(), office.receipts)
    assert report.failures == []
    assert len([line for line in report.told + report.words if what in line]) == 1, report.told + report.words
    assert [note for note in second_game(public_key(office.office), office.file()).notes if noted in note]


@pytest.mark.parametrize("office", [lambda: over(opened()), full, fog])
def test_an_honest_game_in_which_all_is_signed_has_status_0(office: Callable[[], Office]) -> None:
    game = office()
    report = first_check(game, game.file(), game.receipts)
    assert report.failures == []
    if game is not full():  # in which a key is changed, a version entered and much else
        assert (report.words, report.status, notes(game)) == ([], 0, [])


# A version (T1)


@MODES
@SENDERS
def test_a_version_that_the_seats_key_did_not_sign(elsewhere: bool, senders: str) -> None:
    office = opened(elsewhere=elsewhere, senders=senders)  # type: ignore[arg-type]
    office.send("England", "F lon - eng", signs=False)
    over(office)
    report = word(office, f"{TURN}: only the office says that its holder sent version 2 of England by web")
    own = next(number for number, kept in enumerate(office.receipts) if kept.seat == "England")
    assert "replaced by version 2, which your seat's key did not sign" in report.receipts[own].what


def test_a_sheet_that_was_signed_without_pictures_had_none() -> None:
    office = opened()
    sent = office.send("England", "")
    office.close()
    office.transcribe(sent, "F lon - eng")
    office.publish()
    erase_pictures(office, sent)
    lie(found(office), "another text was written down for it")


@MODES
@pytest.mark.parametrize("entered_by", ["coordinator", "assigned", "bot"])
def test_a_version_that_somebody_else_entered_for_a_seat_with_a_key(elsewhere: bool, entered_by: str) -> None:
    office = opened(elsewhere=elsewhere)
    office.send("England", "F lon - eng", entered_by=entered_by, signs=False)  # type: ignore[arg-type]
    word(over(office), f"{TURN}: only the office says that")


def entered(office: Office, seat: str, text: str, **said: Any) -> Sent:
    """File a sheet whose record says something else than what came."""
    sent = office.send(seat, text)
    office.lines.pop()
    office.receipts.pop()
    submissions = [msgspec.structs.replace(record.submission, **said) for record in sent.records]
    sent.records[:] = [make_record(submission, office.random_bytes) for submission in submissions]
    office.line("sent", office._sent(office.turn, sent))
    return sent


@MODES
@pytest.mark.parametrize("entered_by", ["coordinator", "assigned", "bot"])
def test_what_the_seats_key_signed_is_not_called_anothers(elsewhere: bool, entered_by: str) -> None:
    """Else it would not count, or only behind another."""
    office = opened(elsewhere=elsewhere)
    entered(office, "England", "F lon - eng", entered_by=entered_by)
    lie(found(over(office)), "the seat's key signed it, and it is called entered by")


def erase_pictures(office: Office, sent: Sent) -> None:
    records = [kinds.ErasedRecord(commitment=record.commitment, fields=["files"]) for record in sent.records]
    office.erased |= {record.commitment: {"files"} for record in sent.records}
    office.line("erased", persons=[], records=records)


@MODES
def test_a_forged_signature_does_not_hide_behind_erased_pictures(elsewhere: bool) -> None:
    office = opened(elsewhere=elsewhere)
    forged = SeatSignature(public_key(office.seats["England"]), "00" * 64)
    sent = entered(office, "England", "F lon - eng", signature=forged)
    over(office)
    erase_pictures(office, sent)
    word(office, f"{TURN}: only the office says that its holder sent version 2 of England by web")


@MODES
def test_a_seat_that_nobody_holds_sends_nothing(elsewhere: bool) -> None:
    office = Office(opened().rules, "vacant", elsewhere=elsewhere)
    office.hold("Germany", "")
    office.open_turn(office.rules.opening())
    office.send("Germany", "A ber - kie")
    word(over(office), f"{TURN}: only the office says that its holder sent version 1 of Germany")


# A key (T2, T3)


def other_key(office: Office, seat: str, key: str) -> None:
    office.line("seat key", seat=seat, key=key)


def unsigned(office: Office, kind: str, version: int = 1) -> None:
    turn = office.turn.name
    if kind == "ready":
        office.line("ready", turn=turn, seat="England", version=version, signature="")
    else:
        office.line(kind, turn=turn, seat="England", version=version)


@MODES
@pytest.mark.parametrize("kind", ["withdrawn", "refused", "confirmed", "ready"])
def test_a_word_while_the_seats_key_is_taken_away(kind: str, elsewhere: bool) -> None:
    office = opened(elsewhere=elsewhere)
    other_key(office, "England", "")
    unsigned(office, kind)
    if kind in ("withdrawn", "refused"):  # which the office made it
        setattr(office.turn.sent[-1], kind, True)
    other_key(office, "England", public_key(office.seats["England"]))
    over(office)
    said = "was ready" if kind == "ready" else kind.replace("withdrawn", "withdrew")
    word(office, f"{TURN}: only the office says that England {said}")
    word(office, "England's key signs no more")


@MODES
def test_a_seat_that_changes_its_key_or_holder_and_back(elsewhere: bool) -> None:
    office = opened(elsewhere=elsewhere)
    person = holder(office, "England")
    own, office.seats["England"] = office.seats["England"], b"\x07" * 32
    office.hold("England", "0" * 16)
    office.key("England")
    office.send("England", "F lon - eng")
    office.hold("England", person)
    office.seats["England"] = own
    office.key("England")
    word(over(office), "England passes from")
    # another key signs for the same holder
    office = opened(elsewhere=elsewhere)
    office.key("England", new=True)
    word(over(office), "another key signs for England")


def test_a_change_of_key_is_signed_once_by_the_key_before() -> None:
    office = opened()
    before, office.seats["England"] = office.seats["England"], b"\x08" * 32
    key = public_key(office.seats["England"])
    statement = {"game": office.game, "seat": "England", "key": key, "before": public_key(before)}
    signature = sign(before, "seat key", statement)
    office.line("seat key", seat="England", key=key, signature=signature)
    office.send("England", "F lon - eng")
    over(office)
    assert first_check(office, office.file(), office.receipts).status == 0
    assert (second_check(office, office.file()), notes(office)) == ("", [])
    forged = opened()
    forged.line("seat key", seat="England", key=key, signature="00" * 64)
    lie(found(over(forged)), "the key before did not sign")
    # a change of key is signed once
    office = opened()
    own, key = office.seats["England"], public_key(office.seats["England"])
    signature = sign(own, "seat key", {"game": office.game, "seat": "England", "key": "", "before": key})
    off = {"seat": "England", "key": "", "signature": signature}
    office.line("seat key", **off)
    other_key(office, "England", key)
    over(office)
    assert first_check(office, office.file()).status == 0 and notes(office) == []
    office = opened()
    office.line("seat key", **off)
    other_key(office, "England", key)
    office.line("seat key", **off)
    office.send("England", "F lon - eng", signs=False)
    other_key(office, "England", key)
    word(over(office), "England's key signs no more")
    word(office, f"{TURN}: only the office says that its holder sent version 2 of England")
    # the first key of each seat is told to be compared
    told(over(opened()), f"its key is {public_key(opened().seats['England'])} from line")


@MODES
def test_what_is_public_elsewhere_is_not_said_once_more_in_private(elsewhere: bool) -> None:
    """In a private line nobody could see that a "ready" was taken back before."""
    office = opened(elsewhere=elsewhere)
    office.ready("England")
    said = office.lines[-1]
    office.line("not ready", turn=TURN, seat="England")
    everybody_ready(office, but="England")
    office.private_line([("ready", kinds.read_data("ready", said.data), "")])
    lie(found(over(office, "all ready")), "who sends is told at once where senders are shown")


def test_what_was_said_before_keys_were_lost_is_not_said_once_more_where_senders_are_hidden() -> None:
    office = opened(senders="hidden")
    for seat in office.seats:
        office.key(seat)
        office.ready(seat)
    office.lose_keys()
    office.turn.ready = dict.fromkeys(office.seats, 0) | {"England": 1, "France": 2}
    for seat in office.seats:
        office.turn.times_ready[seat] = 0  # the signatures of before
    lie(found(over(office, "all ready")), "was ready 1 times before")


# A restore (T4)


@MODES
def test_a_restore_excuses_only_what_it_lost(elsewhere: bool) -> None:
    office = opened(elsewhere=elsewhere)
    n = len(office.lines) + 1
    office.line("restored", lost_to=n + 1000, head="ab" * 32)
    office.send("England", "F lon - eng")
    receipt = office.receipts[-1]
    del office.turn.sent[-1]
    office.lines.pop()  # the version is dropped
    office.line("told", text="Nothing came.")
    lie(found(over(office), [receipt]), "there are two journals")
    # what a restore lost has a status of its own
    office = opened(elsewhere=elsewhere)
    last = office.lines.pop()
    del office.turn.sent[-1]
    office.line("restored", lost_to=last.n, head=last.hash)
    report = word(over(office), "came back from a backup and lost its lines")
    word(office, "as it says on 1 January 2026 00:")
    assert "was lost" in report.receipts[-1].what and "Send the office this receipt" in report.receipts[-1].what


# Deadlines (T5, and the silent ones)


@MODES
def test_a_turn_that_opens_again_has_as_much_time_as_before(elsewhere: bool) -> None:
    office = opened(elsewhere=elsewhere)
    turn = office.turn
    office.move_deadline(0, "paused")
    office.line("aside", turn=turn.name)
    office.open_turn(turn.position, 1, again=turn)
    lie(found(over(office)), "the deadline moves to an earlier time")
    # a pause that ends by opening again leaves as much time as there was
    office = opened()
    turn, due = office.turn, office.turn.due
    office.move_deadline(0, "paused")
    office.now += 20 * HOUR
    office.line("aside", turn=turn.name)
    office.open_turn(turn.position, (due - office.now) // HOUR + 1, again=turn)
    lie(found(over(office)), "a pause took time from the players")


@MODES
def test_deadlines_and_secrets_are_told(elsewhere: bool) -> None:
    office = opened(elsewhere=elsewhere)
    told(office, f"{TURN}: opened 1 January 2026 00:00:11, ")
    told(office, ", deadline 2 January 2026 00:00:10", f'"due":{office.turn.due}')
    # a new secret of a turn is told
    office = opened(elsewhere=elsewhere)
    secret = turn_commitment(office.turn.secret)
    told(office, f"draws committed to by {secret}", secret)
    # a grace that nobody gave is told
    office = opened(elsewhere=elsewhere)
    office.move_deadline(office.turn.due + HOUR, "grace")
    told(over(office), "deadline 2 January 2026 01:00:10 (grace)", '"why":"grace"')
    # when a turn was paused is told
    office = opened(elsewhere=elsewhere)
    due = office.turn.due
    office.now = due + HOUR
    office.move_deadline(0, "paused")
    office.move_deadline(office.now + HOUR // 60, "goes on")
    told(over(office), "2 January 2026 01:00:11: no deadline (paused)", f'"at":{due + HOUR + 1_000_000},"due":0')
    # who holds which seat is told
    office = opened(elsewhere=elsewhere)
    for seat in office.seats:
        person = holder(office, seat)
        told(office, f"{seat}: held by {person} from line", f'"person":"{person}","seat":"{seat}"')


@MODES
@pytest.mark.parametrize("seconds", [1, 600])
def test_a_late_sheet_that_is_backdated_is_told(seconds: int, elsewhere: bool) -> None:
    office = opened(elsewhere=elsewhere)
    office.now = office.turn.due + seconds * 1_000_000 - 60_000_000
    office.send("Germany", "A ber - kie", received=office.turn.due - 1)
    told(over(office), "version 1 of Germany entered the journal")


def test_a_closing_that_the_keeper_saw_late_is_told() -> None:
    """The lines themselves can be dated back; the keeper's time can't."""
    office = opened()
    forged_closing(office, office.keeper, office.turn.due + 3 * HOUR)
    told(office, "countersigned by the keeper 2 January 2026 03:00:10")


def test_when_sheets_came_is_the_offices_word_while_senders_are_hidden() -> None:
    office = over(opened(senders="hidden"))
    report = first_check(office, office.file())
    assert [line for line in report.unchecked if line.startswith("when sheets came")]
    # that senders were hidden for a while is told
    office.line("settings", senders="shown", anonymous=False, waits=False)
    assert [line for line in first_check(office, office.file()).unchecked if line.startswith("when sheets came")]


# Early closings (T6)


def holder(office: Office, seat: str) -> str:
    lines = [line for line in office.lines if line.kind == "held" and line.data["seat"] == seat]
    return str(lines[-1].data["person"])


@MODES
@pytest.mark.parametrize("person", ["", "bot"])
def test_seats_that_are_given_away_before_a_turn_opens_and_closed_early_are_told(person: str, elsewhere: bool) -> None:
    office = Office(opened().rules, "colluder", elsewhere=elsewhere)
    for seat in office.seats:
        if seat != "England":
            office.hold(seat, person)
    office.key("England")
    office.open_turn(office.rules.opening())
    office.send("England", "F lon - nth")
    office.ready("England")
    office.close("all ready")
    office.publish()
    who = "a bot" if person else "nobody"
    word(office, f"{TURN}: it was closed early, and {who} held France when it opened")


@MODES
@pytest.mark.parametrize("person", ["", "bot"])
def test_seats_that_are_given_away_while_a_turn_is_set_aside_end_it_no_earlier(person: str, elsewhere: bool) -> None:
    office = opened(elsewhere=elsewhere)
    turn = office.turn
    office.line("aside", turn=turn.name)
    for seat in office.seats:
        if seat != "England":
            office.hold(seat, person)
    office.open_turn(turn.position, again=turn)
    office.ready("England")
    lie(found(over(office, "all ready")), "and Austria is not")


# Holders and secrets


def test_the_deal_is_told_whole_and_there_is_one() -> None:
    """Its name is the office's choice, and so it could try one name after the other; nobody has a receipt of it."""
    office = opened()
    (dealt,) = (line for line in office.lines if line.kind == "dealt")
    one = dealt.data["sign_ups"][0]
    said = f"Germany, Italy, Russia, Turkey: {one['number']} {one['nonce']} wished"
    told(office, f"as Powick Bridge, of Austria, England, France, {said}", str(one["wishes"][0]))
    office.line("dealt", **dealt.data)
    lie(found(office), "the seats were dealt before")


def test_what_nobody_can_check_is_named() -> None:
    office = opened()
    office.hold("England", "0" * 16)
    office.send("England", "F lon - eng", signs=False)
    unchecked = first_check(over(office), office.file()).unchecked
    assert [line for line in unchecked if line.startswith("what came from Austria, England, France")]
    # seats without a key are named
    office = over(opened())
    unchecked = first_check(office, office.file()).unchecked
    assert [line for line in unchecked if line.startswith("what came from Austria, France") and "no key" in line]
    # whether secrets of draws follow from the games is unchecked until its end
    office = over(opened())
    assert [line for line in first_check(office, office.file()).unchecked if "secrets of draws" in line]
    office.final()
    office.end()
    assert not [line for line in first_check(office, office.file()).unchecked if "secrets of draws" in line]
    # a holder that changes is the offices word
    office = opened()
    one, other = holder(office, "England"), holder(office, "France")
    office.hold("England", other)
    office.hold("France", one)
    word(over(office), f"England passes from {one} to {other}")
    # an assigned mail that nobody confirmed is not chosen
    office = opened()
    office.send("Germany", "A ber - kie", entered_by="assigned")
    office.close()
    office.line("chosen", turn=TURN, seat="Germany", version=1, reason="it is theirs")
    office.publish(counted={"Germany": 1})
    lie(found(office), "Germany has no version 1 that could be chosen")


# The fog


NONE = kinds.CountedLine(turn=TURN, sheets=[kinds.CountedSheet(seat="England", version=0, commitment="")])
FALSE: dict[str, dict[str, Any]] = {
    "standing": {"awaited": []},
    "seat turn": {"said": [kinds.Said(kind="counted", data=NONE.document())]},
    "result": {"result": "{}"},
}


class TwoFaced(Office):
    """An office that shows England one thing, and has another stand for it at the end."""

    kind = ""

    def private_line(self, entries: Iterable[tuple[str, kinds.LineData, str]], *, ordered: bool = False) -> None:
        listed = list(entries)
        own = [entry for entry in listed if (entry[0], entry[2]) == (self.kind, "England")]
        shown = [entry for entry in own if [said.kind for said in getattr(entry[1], "said", ())] in ([], ["counted"])]
        false = [(kind, msgspec.structs.replace(data, **FALSE[kind]), reader) for kind, data, reader in shown]
        super().private_line([*false, *listed], ordered=ordered)


@pytest.mark.parametrize("kind", FALSE)
def test_in_the_fog_a_seat_is_shown_one_thing(kind: str) -> None:
    office = TwoFaced(fog_registry().load("standard-fog"), "views")
    office.kind = kind
    office.open_turn(office.rules.opening())
    office.send("England", "F lon - nth")
    over(office)
    office.end()
    lie(found(office), "England's turn is told twice" if kind == "seat turn" else "England is shown two")


def test_in_the_fog_a_receipt_shows_at_once_that_a_sheet_was_dropped() -> None:
    """Who sent it sees all that came of the own seat, and needn't wait for the end of the game."""
    office = Office(fog_registry().load("standard-fog"), "dropped")
    office.open_turn(office.rules.opening())
    office.close()
    office.open_turn(office.publish())
    office.send("England", "F lon - nth")
    office.turn.sent.clear()
    over(office)
    data, receipts = office.file("England"), office.receipts
    lie(first_check(office, data, receipts), "version 1 of England is missing from the journal")
    assert "the journal has another" in second_check(office, data, receipts)
    assert "check it with the one" in first_check(office, office.file(), receipts).receipts[0].what


# The office and its keeper


def test_a_key_of_the_office_or_a_keeper_that_nobody_signed_has_a_status_of_its_own() -> None:
    office = opened()
    office.keeper = office.random_bytes(32)
    keeper = KeeperKey(key=public_key(office.keeper), elsewhere=True)
    office.line("keeper", keeper=keeper, signature="")
    word(over(office), "another keeper, which the one before did not confirm")
    office = over(opened())
    beside = KeeperKey(key=public_key(office.keeper), elsewhere=False)  # which believes the office
    to = office.random_bytes(32)
    office.line("transferred", key=public_key(to), keeper=beside, signature="")
    office.office = to
    office.offices.append((len(office.lines) + 1, to))
    office.line("taken over")
    word(office, "another keeper, which the one before did not confirm")
    office = opened()
    office.office = b"\x09" * 32
    office.offices.append((len(office.lines) + 1, office.office))
    office.line("office key", key=public_key(office.office), signature="")
    word(over(office), "the key before did not sign that")


# After the deadline


@pytest.mark.parametrize(
    ("entered_by", "erased", "text"),
    [("holder", False, "A par - pic"), ("coordinator", False, "A par - pic"), ("holder", True, "A par - pic"),
     ("holder", False, "")],
)  # fmt: skip
def test_a_text_is_not_written_down_as_another(entered_by: EnteredBy, erased: bool, text: str) -> None:
    """In the place of a sheet the office carries out another text, as if it had read that in a picture; not even where
    nobody sees any more that there was none, nor for a blank sheet."""
    office = opened()
    sheet = office.send("Germany", text, entered_by=entered_by)
    office.close()
    office.transcribe(sheet, "A mun - ruh")
    office.publish()
    if erased:
        office.erase(sheet, "files")
    lie(found(office), "another text was written down for it")


def test_what_is_the_offices_word_after_the_deadline_is_told() -> None:
    office = opened()
    paper = office.send("Germany", "", entered_by="coordinator")
    photograph = office.send("Italy", "", files=(PICTURE,))
    office.close()
    office.transcribe(paper, "A mun - ruh", opened_after=True)
    office.transcribe(photograph, "A ven H")
    office.publish()
    office.erase(photograph, "files")
    told(office, "Germany was entered by the coordinator", "(transcribed)")
    told(office, "had pictures was erased", "(erased)")
    # a turn is opened anew with another secret, as if the office had lost its own
    office = opened()
    office.lose_keys(secret=True)
    office.send("France", "A par - bur")
    told(over(office), "the office says that the keys of Spring 1901 Movement are lost", "(reopened)")
    # settings that hide when something came are told
    office = opened()
    office.line("settings", senders="shown", anonymous=True, waits=False)
    office.anonymous = True
    told(over(office), "from here on players are anonymous", "(settings)")


def test_final_results_stay() -> None:
    """By another choice among versions, or by the same one."""
    for version in (1, 2):
        office = opened()
        office.close()
        office.publish()
        office.line("counted", **office.lines[-2].data)
        if version == 1:
            office.line("chosen", turn=office.turn.name, seat="France", version=1, reason="meant")
        office.publish(counted={"France": version})
        lie(found(office), "are final")


def test_a_seat_that_nobody_held_while_the_turn_opened_is_told_where_it_closes_early() -> None:
    office = Office(opened().rules, "lies")
    for seat in office.seats:
        office.key(seat)
    person = holder(office, "France")
    office.hold("France", "")
    office.open_turn(office.rules.opening())
    office.hold("France", person)
    for seat in office.seats.keys() - {"France"}:
        office.send(seat, "# nothing")
        office.ready(seat)
    word(over(office, "all ready"), f"{TURN}: it was closed early, and nobody held France when it opened")


def test_a_file_that_ends_before_a_receipt_is_told_so() -> None:
    office = opened()
    data = office.file()
    office.send("Germany", "A ber - kie")
    game = second_game(public_key(office.office), data, office.receipts[-1:])
    assert "a receipt of line 16, which this file lacks: get a newer one" in game.notes
    assert "the file ends at line 15" in first_check(office, data, office.receipts).receipts[-1].what
