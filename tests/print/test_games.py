"""What is printed for a game of the office: by whom it may be, and that it has the game's own facts."""

from datetime import timedelta
from pathlib import Path

import pytest
import zxingcpp

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.errors import ConflictError, InvalidInputError, NotAllowedError, OfficeError
from legation.office.game import journal
from legation.office.hosting import games, roster, year_letters
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from legation.office.records import GameRecord
from legation.print.games import GamePapers
from legation.print.records import Address
from legation.proofs.canonical import encode
from legation.proofs.receipts import read_receipt
from tests.cli.test_commands import run
from tests.office.playing import begin, send_all
from tests.print.papers import pages_of, picture_of, text_of

HERE = Address("Ada O'Brien", ("12 Mill Lane", "Worcester"), "United Kingdom")


@pytest.fixture(name="game")
def papers_game(office: Office) -> tuple[GameRecord, dict[str, Actor], Actor]:
    """A postal game with three players, two of whom have addresses, one with another for some days."""
    record, players, host = begin(office, coordinated=True, channels={"Movement": ["api", "post"]})
    england, france = players["England"], players["France"]
    roster.add_address(office, england, ["1 High Street", "Oxford"], "United Kingdom", primary=True)
    roster.add_address(office, england, ["Hotel Sol", "Sevilla"], "Spain", first="2026-03-05", last="2026-03-20")
    roster.add_address(office, france, ["2 rue du #Bac", "Paris"], "France", primary=True)
    return record, players, host


def play_on(office: Office, clock: SimulatedClock, record: GameRecord, players: dict[str, Actor], until: str) -> None:
    """Play until a turn of a phase has been played."""
    console = Actor.console()
    for number in range(12):
        present = games.game(office, console, record.key).turn
        assert present is not None
        send_all(office, record, players, number)
        clock.set(present.deadline or clock.now() + timedelta(days=1))
        work.run_due(office)
        if present.name.endswith(until):
            return


def test_a_packet_is_for_its_player_and_the_coordinator(office: Office, clock: SimulatedClock) -> None:
    record, players, host = begin(office, coordinated=True, opening_by_post=True, approve=True)
    own = text_of(GamePapers(office, players["England"], record.key, 0).packet("England"))
    assert own.startswith("England Powick Bridge 1425 Movement Player")
    assert "Powick Bridge 1425 Movement" in own
    assert "Powick Bridge - England - 1425 - Movement Orders - v1" in own
    assert "post by Tuesday 3 March 2026" in own
    late = text_of(GamePapers(office, players["England"], record.key, 5).packet("England"))
    assert "post by" not in late, "a day that has passed helps nobody"
    games.pause(office, host, record.key, "a strike of the post")
    paused = text_of(GamePapers(office, players["England"], record.key, 0).packet("England"))
    assert "3 March" not in paused, "no deadline runs"
    games.resume(office, host, record.key)
    with pytest.raises(OfficeError):
        GamePapers(office, players["England"], record.key).packet("France")
    with pytest.raises(OfficeError):
        GamePapers(office, host, record.key).packet("Nobody")
    assert GamePapers(office, host, record.key).packets() == {}, "by post a packet goes where an address is known"
    roster.add_address(office, players["England"], ["1 High Street"], "United Kingdom", primary=True)
    assert set(GamePapers(office, host, record.key).packets()) == {"England"}
    present = games.game(office, host, record.key).turn
    assert present is not None
    clock.set(present.deadline)
    work.run_due(office)
    with pytest.raises(ConflictError, match="1425 Movement is closed"):
        GamePapers(office, host, record.key).packets()


@pytest.mark.clause("W-23", "W-28")
def test_labels_and_envelopes_go_where_a_letter_arrives(
    office: Office, game: tuple[GameRecord, dict[str, Actor], Actor]
) -> None:
    record, _, host = game
    assert "Hotel Sol" in text_of(GamePapers(office, host, record.key, 5).labels())
    today = text_of(GamePapers(office, host, record.key, 0).labels())
    assert "1 High Street" in today
    assert "2 rue du #Bac" in today
    pdf = GamePapers(office, host, record.key).envelopes("DL", HERE)
    assert pages_of(pdf) == [(220.0, 110.0)] * 4
    assert "Hotel Sol Sevilla SPAIN" in text_of(pdf, 1)
    assert "The Coordinator Powick Bridge 1425" in text_of(pdf, 2)
    with pytest.raises(ConflictError, match="return address"):
        GamePapers(office, host, record.key).envelopes()
    roster.add_address(office, host, ["12 Mill Lane"], "United Kingdom", primary=True)
    assert "12 Mill Lane" in text_of(GamePapers(office, host, record.key).envelopes(), 1)
    sheet = text_of(GamePapers(office, host, record.key).packet("England"))
    assert "marked “Orders”, to Coordinator, 12 Mill Lane, UNITED KINGDOM" in sheet
    with pytest.raises(OfficeError, match="no sheet of labels"):
        GamePapers(office, host, record.key).labels("9x9")
    text = text_of(GamePapers(office, host, record.key, 5).roster())  # all addresses, with their days
    assert "from 5 March 2026 to 20 March 2026" in text
    assert "SPAIN ✉" in text
    assert "1 High Street" in text


def test_addresses_are_not_printed_for_who_may_not_see_them(
    office: Office, game: tuple[GameRecord, dict[str, Actor], Actor]
) -> None:
    record, players, host = game
    for power in ("England", "France"):
        roster.share_address(office, players[power], record.key, power, False)
    own, theirs = (GamePapers(office, who, record.key) for who in (host, players["England"]))
    for seen, hidden in ((own.roster, theirs.roster), (own.cards, theirs.cards)):
        assert "rue du #Bac" in text_of(seen()) and "rue du #Bac" not in text_of(hidden())
    with pytest.raises(ConflictError):
        GamePapers(office, players["Burgundy"], record.key).labels()
    strange = GamePapers(office, Actor.visitor(), record.key)
    for printed in (strange.labels, strange.envelopes, strange.roster, strange.cards):
        with pytest.raises(OfficeError):
            printed()


@pytest.mark.clause("W-23")
def test_a_player_writes_as_the_power_that_it_is(
    office: Office, game: tuple[GameRecord, dict[str, Actor], Actor]
) -> None:
    """Nobody poses as another (W-27): a player's envelopes bear the player's own position and address."""
    record, players, _ = game
    pdf = GamePapers(office, players["England"], record.key).envelopes()
    assert len(pages_of(pdf)) == 2
    assert "1 High Street" in text_of(pdf, 1)
    assert "2 rue du #Bac" in text_of(pdf, 1)
    assert "England Powick Bridge 1425" in text_of(pdf, 2)
    with pytest.raises(OfficeError, match="Only the coordinator"):
        GamePapers(office, players["England"], record.key).letters()
    assert "1 High Street" not in text_of(GamePapers(office, players["England"], record.key).packet("England"))


def test_year_end_letters_tell_the_year(
    office: Office, clock: SimulatedClock, game: tuple[GameRecord, dict[str, Actor], Actor]
) -> None:
    record, players, host = game
    with pytest.raises(ConflictError, match="No year"):
        GamePapers(office, host, record.key).letters(sender=HERE)
    play_on(office, clock, record, players, "Adjustments")
    letters = GamePapers(office, host, record.key).letters("A mild winter.", HERE)
    assert set(letters) == {"England", "France"}
    text = text_of(letters["France"])
    for part in (
        "2 rue du #Bac",
        "A mild winter.",
        "The powers",
        "1425 Movement",
        "1430 Adjustments",
        "Keep this code",
    ):
        assert part in text
    pages = [picture_of(letters["France"], number + 1) for number in range(len(pages_of(letters["France"])))]
    codes = [code.text for page in pages for code in zxingcpp.read_barcodes(page)]
    head = games.result(office, host, record.key, "1430-adjustments").head
    assert head is not None and codes == [encode(head).decode()]
    assert read_receipt(codes[0]).game == head["game"]
    assert len(GamePapers(office, host, record.key).maps()) == 4


def test_the_gazette_is_told_from_the_records_until_it_is_edited(
    office: Office, clock: SimulatedClock, game: tuple[GameRecord, dict[str, Actor], Actor]
) -> None:
    record, players, host = game
    with pytest.raises(ConflictError, match="No year"):
        year_letters.gazette(office, host, record.key)
    play_on(office, clock, record, players, "Adjustments")
    told = year_letters.gazette(office, host, record.key)
    assert told.turn == "1430 Adjustments" and not told.edited
    assert "year that ends with 1430" in told.text and "# Who is near to winning" in told.text
    in_letter = " ".join(text_of(GamePapers(office, host, record.key).letters(sender=HERE)["France"]).split())
    assert "The year to 1430" in in_letter and "Who is near to winning" in in_letter and "# Who" not in in_letter
    with pytest.raises(NotAllowedError):
        year_letters.edit_gazette(office, players["France"], record.key, "Vive la France")
    with pytest.raises(NotAllowedError):
        year_letters.gazette(office, players["France"], record.key)
    with pytest.raises(InvalidInputError):
        year_letters.edit_gazette(office, host, record.key, "x" * 30_000)
    edited = year_letters.edit_gazette(office, host, record.key, "# Snow\nIt *snowed*.  \n\n\nNobody moved.\n")
    assert edited.edited and edited.text == "# Snow\nIt *snowed*.\n\n\nNobody moved."
    letters = GamePapers(office, host, record.key).letters(sender=HERE)
    for letter in letters.values():
        said = text_of(letter)
        assert "Snow It *snowed*. Nobody moved." in said and "near to winning" not in said and "The powers" in said
    lines = journal.entries(office, host, record.key, kinds=("gazette",))
    assert [line.text for line in lines] == [
        "The text of the letter on the year that ends with 1430 Adjustments was edited."
    ]
    assert not journal.entries(office, players["France"], record.key, kinds=("gazette",)), "the coordinator's own"
    year_letters.edit_gazette(office, host, record.key, edited.text)  # the same again is no line
    assert len(journal.entries(office, host, record.key, kinds=("gazette",))) == 1
    assert year_letters.edit_gazette(office, host, record.key, " ") == told


@pytest.mark.long
def test_a_coordinator_edits_the_gazette_at_the_terminal(
    tmp_path: Path, office: Office, clock: SimulatedClock, game: tuple[GameRecord, dict[str, Actor], Actor]
) -> None:
    record, players, host = game
    base = ("office", "-C", str(tmp_path / "office"), "--as", people.me(office, host).email, "gazette", record.key)
    assert "No year" in run(*base).stderr
    play_on(office, clock, record, players, "Adjustments")
    told = run(*base)
    assert told.returncode == 0 and "year that ends with 1430" in told.stdout, told.stderr
    (tmp_path / "year.txt").write_text("# Snow\nIt snowed.\n", encoding="utf-8")
    done = run(*base, str(tmp_path / "year.txt"))
    assert "1430 Adjustments has your text" in done.stdout, done.stderr
    assert run(*base).stdout.strip() == "# Snow\nIt snowed."
    assert "told from the records again" in run(*base, "--reset").stdout
    assert run(*base).stdout == told.stdout
    assert run(*base, "-", "--reset").returncode == 2
