"""Whole games of an honest office hold for both verifiers, and what is said of them is right."""

from collections.abc import Callable

import pytest

from legation.position import Phase
from legation.proofs import kinds
from legation.proofs.receipts import SignedHead, SignedReceipt, signed_by
from legation.proofs.report import Report
from legation.proofs.signing import public_key
from legation.proofs.verifying import verify
from legation.variants import USUAL, Registry
from tests.proofs.building import Office
from tests.proofs.games import PICTURE, fog, fog_registry, full, hidden, kingdoms, phases, seldom
from tests.proofs.tampering import second_check

GAMES = {"full": full, "hidden": hidden, "fog": fog, "kingdoms": kingdoms, "seldom": seldom}


def check(office: Office, *, reader: str = "", receipts: bool = True, variants: Registry | None = None) -> Report:
    known = variants or (fog_registry() if office.hides else USUAL)
    return verify(office.file(reader), [public_key(office.office)], office.receipts if receipts else [], known)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_an_honest_game_holds_with_all_its_receipts(game: Callable[[], Office]) -> None:
    report = check(game())
    assert report.failures == [] and second_check(game(), game().file(), game().receipts) == ""
    assert all(receipt.holds for receipt in report.receipts)
    assert report.key_known and report.office == public_key(game().office)
    assert f"{len(game().lines)} lines of the journal are one chain" in report.checked[0]
    judged = sum(line.kind == "results" for line in game().lines)
    assert f"{judged} results were judged again" in report.checked[2]


def test_the_games_hold_what_they_are_for() -> None:
    assert {Phase.MOVEMENT, Phase.ADJUSTMENTS} <= phases(full())
    assert Phase.RETREATS in phases(kingdoms())
    offices = [game() for game in GAMES.values()]
    private = {entry.kind for office in offices for entry in office.private}
    assert private | {line.kind for office in offices for line in office.lines} >= kinds.KINDS.keys()


def test_in_the_fog_everybody_gets_what_they_may_see() -> None:
    going_on = fog(ended=False)
    for reader in ("", "France"):
        report = check(going_on, reader=reader)
        assert report.failures == []
        assert any("hidden from this reader" in line for line in report.unchecked)
    assert len(going_on.transcript("France").private) > len(going_on.transcript("").private) == 0
    own = {opening.fields()["seat"] for opening in going_on.transcript("France").openings}
    assert own == {"France"}


def test_without_a_key_it_says_what_to_compare() -> None:
    report = verify(full().file())
    assert report.holds
    assert not report.key_known
    assert any(public_key(full().office) in line for line in report.unchecked)


def test_the_key_before_a_signed_change_vouches_too() -> None:
    first = full().lines[0].data["office"]
    assert verify(full().file(), [first]).key_known
    assert verify(full().file(), [], full().receipts[:1]).key_known


def test_another_key_than_the_one_that_is_known() -> None:
    report = verify(full().file(), ["ab" * 32])
    assert "not by the key that you know" in report.failures[0].what
    assert report.failures[0].proves == "an altered file"


def test_other_rules_are_told_and_the_rest_is_checked() -> None:
    report = check(fog(), variants=USUAL)
    assert report.holds
    assert any("is not known here" in line for line in report.unchecked)


def test_who_entered_what_is_told() -> None:
    told = "\n".join(check(full()).told)
    assert "version 1 of Italy was entered by the coordinator; the envelope was read after the opening" in told
    assert "version 1 of Russia was entered by the holder by a picture; written down after the opening" in told
    assert "version 1 of Turkey was entered by somebody whose mail was assigned" in told
    assert "nothing that could count came from Germany" in told
    assert "another office" in told


def standing(office: Office, receipt: SignedReceipt) -> str:
    report = verify(office.file(), [], [receipt])
    assert report.holds
    return report.receipts[0].what


def receipt_of(office: Office, seat: str, turn: str, version: int) -> SignedReceipt:
    return next(r for r in office.receipts if (r.seat, r.turn, r.version) == (seat, turn, version))


@pytest.mark.parametrize(
    ("seat", "version", "what"),
    [
        ("Austria", 1, "replaced by your version 2"),
        ("Austria", 2, "Your sheet counted"),
        ("England", 1, "Your sheet counted"),
        ("England", 2, "was withdrawn"),
        ("France", 1, "nothing of it was understood"),
        ("Germany", 1, "refused version 1"),
        ("Turkey", 2, "did not count; version 1 did"),
        ("Russia", 1, "Your photograph of 1 January 2026 counted: it is version 1 of Russia"),
        ("Italy", 1, "The envelope that was photographed on 1 January 2026 counted: it is version 1 of Italy"),
    ],
)
def test_a_receipt_is_told_what_became_of_its_sheet(seat: str, version: int, what: str) -> None:
    assert what in standing(full(), receipt_of(full(), seat, "Spring 1901 Movement", version))


def test_a_mark_alone_is_told_what_became_of_it() -> None:
    """The commitment of a record, or the SHA-256 of a picture; one that the journal does not have is told as that."""
    office = full()
    commitment = receipt_of(office, "Austria", "Spring 1901 Movement", 1).records[0].commitment
    report = verify(office.file(), [], marks=[commitment, PICTURE.sent, PICTURE.kept, "f" * 64])
    said = [(finding.holds, finding.what) for finding in report.receipts]
    envelope = (True, "The envelope that was photographed on 1 January 2026 counted: it is version 1 of Italy in ")
    assert said[0] == (True, "Your sheet was replaced by your version 2.")
    assert [(holds, what.partition("Spring")[0]) for holds, what in said[1:3]] == [envelope, envelope]
    assert not said[3][0] and said[3][1].startswith("Nothing in the journal has this mark.")
    waiting = hidden().receipts[-1].records[0].commitment
    assert not verify(hidden().file(), [], marks=[waiting]).receipts[0].holds  # it enters when the turn is closed


def test_a_refusal_says_whether_it_came_after_the_deadline() -> None:
    office, turn = full(), "Spring 1901 Movement"
    due = next(line for line in office.lines if line.kind == "closed").data["due"]
    for at, what in (
        (due + 1, " came after the deadline of {}: No."),
        (due, ", before the deadline of {}, was not taken: No."),
    ):
        assert verify(office.file(), [], [office.refusal(at, turn=turn)]).receipts[0].what.endswith(what.format(turn))


def test_heads_refusals_and_receipts_that_were_kept() -> None:
    office = hidden()
    assert "is sealed. It enters the journal when the turn is closed" in standing(office, office.receipts[-1])
    # heads and refusals that were kept
    line = office.lines[30]
    head = signed_by(office.office, SignedHead(game=office.game, n=line.n, hash=line.hash, at=1))
    refusal = office.refusal(1, "It came too late.")
    later = signed_by(office.office, SignedHead(game=office.game, n=len(office.lines) + 5, hash="a" * 64, at=1))
    report = verify(office.file(), [], [head, refusal, later])
    assert [finding.holds for finding in report.receipts] == [True, True, True]
    assert "It came too late" in report.receipts[1].what
    assert "the file ends at line" in report.receipts[2].what
    # receipts of elsewhere
    stranger, other = office.refusal(1, by=b"\x05" * 32), office.refusal(1, game="x")
    report = verify(office.file(), [public_key(office.office)], [other])
    assert (report.receipts[0].holds, report.receipts[0].what) == (False, "This receipt is of another game.")
    assert not verify(office.file(), [], [stranger]).holds


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "the file is empty"),
        (b"{}", "does not end with a line feed"),
        (b"\n", "not JSON"),
        (b"{}\n", "missing required field"),
        (b"[" * 200_000 + b"\n", "deeper than"),
        (b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"\n", "deeper than"),
        (b'{"line":{}}\n', "unknown field"),
        (b"\xff\xfe\n", "not JSON"),
    ],
)
def test_other_files_are_refused(data: bytes, what: str) -> None:
    report = verify(data)
    assert what in report.failures[0].what
    assert report.failures[0].proves == "an altered file"
