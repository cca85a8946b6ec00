"""What the terminal prints on paper, and what it says where it cannot."""

from pathlib import Path

import pytest

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.operation import work
from legation.office.records import GameRecord
from tests.office.playing import begin, person
from tests.office.test_terminal_games import Terminal, signed_in_terminal  # noqa: F401
from tests.print.papers import text_of
from tests.print.test_games import papers_game, play_on  # noqa: F401

Game = tuple[GameRecord, dict[str, Actor], Actor]


@pytest.mark.long
def test_every_kind_of_paper_is_written_to_a_folder(
    terminal: Terminal, office: Office, clock: SimulatedClock, game: Game, tmp_path: Path
) -> None:
    record, players, _ = game
    out = tmp_path / "papers"

    def printed(what: str, *words: str) -> dict[str, str]:
        said = terminal("--as", "coordinator@example.org", "print", record.key, what, "-o", str(out / what), *words)
        lines = said.splitlines()
        if what in ("packets", "labels", "letters"):
            assert lines.pop(0) == "No postal address is known for Burgundy, so nothing is printed for them."
        files = {Path(line).name: text_of(Path(line).read_bytes()) for line in lines}
        assert set(files) == {file.name for file in (out / what).iterdir()}
        return files

    def refused(what: str, *words: str) -> str:
        to = ("-o", str(out / what))
        return terminal("--as", "coordinator@example.org", "print", record.key, what, *to, *words, status=1)

    said = refused("letters")
    assert "No year" in said, said
    play_on(office, clock, record, players, "Adjustments")
    assert list(printed("packets")) == ["packets-England.pdf", "packets-France.pdf"]
    assert "2 rue du #Bac" in printed("roster")["roster.pdf"]
    assert "1 High Street" in printed("labels", "--post", "60")["labels.pdf"]
    maps = ["maps-board-A2.pdf", "maps-board-A3.pdf", "maps-start-units.pdf", "maps-start.pdf"]
    assert sorted(printed("maps")) == maps
    note = tmp_path / "note.txt"
    note.write_text("\ufeffA mild winter.", encoding="utf-8")
    sender = ("--sender", "Ada", "--sender", "12 Mill Lane")
    letters = printed("letters", "--note", str(note), "--power", "France", *sender)
    assert list(letters) == ["letters-France.pdf"] and "A mild winter." in letters["letters-France.pdf"]
    assert "12 Mill Lane" in letters["letters-France.pdf"]
    assert "there is no letter for 'Burgundy', only for England, France" in refused("letters", "--power", "Burgundy")
    note.write_bytes(b"caf\xe9")
    assert "note.txt: is not UTF-8" in refused("letters", "--note", str(note))
    assert "did you mean Burgundy or England or France?" in refused("packets", "--power", "Prussia")
    assert "no sheet of labels" in refused("labels", "--form", "9x9")
    assert "skip: a sheet has 21 labels, so 0 to 20" in refused("labels", "--skip", "21")
    (out / "taken").write_text("a file where the folder should be")
    assert "taken: File exists" in terminal("print", record.key, "roster", "-o", str(out / "taken"), status=1)


@pytest.mark.parametrize("what", ["labels", "envelopes"])
def test_without_an_address_nothing_goes_by_post(terminal: Terminal, office: Office, tmp_path: Path, what: str) -> None:
    record, _, _ = begin(office, coordinated=True, channels={"Movement": ["api", "post"]})
    words = ("print", record.key, what, "-o", str(tmp_path / "out"), "--sender", "Ada", "--sender", "1 Lane")
    said = terminal("--as", "coordinator@example.org", *words[: 5 if what == "labels" else None], status=1)
    assert "You can't see any postal address" in said
    assert not (tmp_path / "out").exists()


def test_a_game_of_bots_needs_no_packets(terminal: Terminal, office: Office, tmp_path: Path) -> None:
    host = person(office, "Coordinator")
    seats = dict.fromkeys(("Burgundy", "England", "France"), "bot:hold")
    plan = {"name": "Formigny", "variant": "hundred", "seats": seats, "settings": {"coordinated": True}}
    made = games.create(office, host, plan)
    work.run_due(office)
    words = ("print", made.key, "packets", "-o", str(tmp_path / "out"))
    said = terminal("--as", "coordinator@example.org", *words, status=1)
    assert "there is nothing to print: no player of formigny is known" in said
