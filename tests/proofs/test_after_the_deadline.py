"""What an office could do with its own keys once it has read the sheets: which of that both verifiers notice, and which
they tell as its word, because no file can show more."""

import pytest

from legation.proofs.records import EnteredBy
from legation.proofs.signing import public_key
from tests.proofs.building import Office, Sent
from tests.proofs.games import PICTURE
from tests.proofs.tampering import first_check, second_game
from tests.proofs.test_lies import RULES, found, lie, opened, over


def told(office: Office) -> tuple[list[str], list[str]]:
    """What both verifiers tell of a game in which they find nothing wrong."""
    report = first_check(office, office.file(), office.receipts)
    assert report.failures == []
    return report.words + report.told, rare(second_game(public_key(office.office), office.file()).notes)


def rare(notes: list[str]) -> list[str]:
    """What the second verifier tells, without what stands in every game."""
    usual = ("line 1:", "(dealt)", "(held)", "(seat key)", "(turn opened)", "(countersigned)", "(results)")
    return [note.partition(": {")[0] for note in notes if not any(kind in note for kind in usual)]


def last(office: Office, seat: str) -> Sent:
    return [sent for sent in office.turn.sent if sent.seat == seat][-1]


@pytest.mark.parametrize(
    ("entered_by", "erased", "text"),
    [("holder", False, "A par - pic"), ("coordinator", False, "A par - pic"), ("holder", True, "A par - pic"),
     ("holder", False, "")],
)  # fmt: skip
def test_a_text_is_not_written_down_as_another(entered_by: EnteredBy, erased: bool, text: str) -> None:
    """In the place of a sheet the office carries out another text, as if it had read that in a picture; not even where
    nobody sees any more that there was none, nor for a blank sheet."""
    office = opened()
    office.send("Germany", text, entered_by=entered_by, files=())
    office.close()
    sheet = last(office, "Germany")
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
    first, notes = told(office)
    assert sum("Germany was entered by the coordinator" in line for line in first) == 1
    assert sum("had pictures was erased" in line for line in first) == 1
    assert [note.partition("(")[2] for note in notes] == ["transcribed)", "transcribed)", "erased)"]
    # a turn is opened anew with another secret, as if the office had lost its own
    office = opened()
    office.lose_keys(secret=True)
    office.send("France", "A par - bur")
    over(office)
    first, notes = told(office)
    assert any("the office says that the keys of Spring 1901 Movement are lost" in line for line in first)
    assert [note.partition("(")[2] for note in notes] == ["reopened)"]
    # settings that hide when something came are told
    office = opened()
    office.line("settings", senders="shown", anonymous=True, waits=False)
    office.anonymous = True
    over(office)
    first, notes = told(office)
    assert any("from here on players are anonymous" in line for line in first)
    assert [note.partition("(")[2] for note in notes] == ["settings)"]


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
    office = Office(RULES, "lies")
    for seat in RULES.powers:
        office.key(seat)
    (person,) = (line.data["person"] for line in office.lines if line.kind == "held" and line.data["seat"] == "France")
    office.hold("France", "")
    office.open_turn(RULES.opening())
    office.hold("France", person)
    for seat in set(RULES.powers) - {"France"}:
        office.send(seat, "# nothing")
        office.ready(seat)
    office.close("all ready")
    office.publish()
    assert "Spring 1901 Movement: it was closed early, and nobody held France when it opened" in told(office)[0]


def test_a_file_that_ends_before_a_receipt_is_told_so() -> None:
    office = opened()
    data = office.file()
    office.send("Germany", "A ber - kie")
    game = second_game(public_key(office.office), data, office.receipts[-1:])
    assert rare(game.notes) == ["a receipt of line 16, which this file lacks: get a newer one"]
    assert "the file ends at line 15" in first_check(office, data, office.receipts).receipts[-1].what
