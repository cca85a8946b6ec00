"""A rehearsal: it brings what a year brings, touches nothing, and is a folder to leaf through."""

from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import mailings
from legation.office.errors import ConflictError, NotAllowedError, NotFoundError
from legation.office.game import journal, seats
from legation.office.hosting import games, roster
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.terms.plans import preset_for
from legation.rehearsal import Rehearsed, rehearse, write_folder
from tests.office.playing import begin, passes, person, refuses

POSTAL = {**preset_for("three-kingdoms", coordinated=True)}


def gathering(office: Office, variant: str) -> Actor:
    """A game by post that waits for players: one has signed up, one took the seat of an invitation."""
    host = person(office, "Coordinator")
    roster.add_address(office, host, ("1 Fish Street", "London"), "England", primary=True)
    plan = {"name": "Powick Bridge", "variant": variant, "settings": POSTAL}
    made = games.create(office, host, plan)
    seats.sign_up(office, person(office, "Anna"), made.key, [made.seats[1].power])
    secret = games.invite(office, host, made.key, "", made.seats[-1].power).secret
    seats.sign_up(office, person(office, "Bea"), made.key, (), secret)
    return host


def everything(office: Office, game: str) -> tuple[object, ...]:
    """What a game has, that must not change."""
    console = Actor.console()
    record = games.game(office, console, game)
    return record, journal.entries(office, console, game, limit=1000), mailings.waiting(office, console, game)


def kinds(rehearsed: Rehearsed, who: str) -> set[str]:
    """The kinds of mail that somebody gets."""
    return {h.kind for h in rehearsed.happenings if h.sort == "mail" and h.who == who}


@pytest.mark.long
def test_a_game_is_rehearsed_before_it_begins(office: Office) -> None:
    host = gathering(office, "hundred")
    before = everything(office, "powick-bridge")
    turns: list[str] = []
    rehearsed = rehearse(office, host, "powick-bridge", turns.append)
    assert everything(office, "powick-bridge") == before
    assert turns[0] == "1425 Movement" and turns[-1].endswith("Adjustments")
    powers = [seat.power for seat in games.game(office, host, "powick-bridge").seats]
    assert list(rehearsed.players) == powers and rehearsed.players[powers[1]] == "Anna"
    assert rehearsed.players[powers[-1]] == "Bea" and "invitation" not in kinds(rehearsed, powers[-1])
    # the first posts, the second posts and revises, the third only sends a photograph
    for power in powers:
        assert {"game started", "turn opened", "reminder", "draft results", "results"} <= kinds(rehearsed, power)
    assert {"invitation", "envelope came"} <= kinds(rehearsed, powers[0])
    assert {"envelope came", "answer"} <= kinds(rehearsed, powers[1]) and "invitation" not in kinds(
        rehearsed, powers[1]
    )
    assert "envelope came" not in kinds(rehearsed, powers[2])
    assert "desk" in kinds(rehearsed, "Coordinator")
    desk = [h.kind for h in rehearsed.happenings if h.sort == "desk"]
    assert {"start", "transcribe", "unposted", "publish"} <= set(desk)
    assert not [h.title for h in rehearsed.happenings if h.sort == "act"]
    papers = {paper.name for h in rehearsed.happenings for paper in h.papers}
    assert {"powick-bridge-order-sheet.pdf", "powick-bridge-orders.pdf", "envelopes.pdf", "labels.pdf"} <= papers
    assert {f"letter-{power}.pdf" for power in powers} <= papers
    assert any(date.title.startswith("Powick Bridge: last day to post") for date in rehearsed.dates)
    assert rehearsed.lacking == ()


@pytest.mark.long
def test_a_running_game_is_rehearsed_from_where_it_stands(office: Office, clock: SimulatedClock) -> None:
    """What was sent for the open turn is sealed, and no part of the copy; the people are those of the game."""
    record, players, host = begin(office, **POSTAL)
    roster.add_address(office, players["Burgundy"], ("2 Mill Lane",), "France", primary=True)
    submissions.register_posted(office, host, record.key, "Burgundy", "an envelope")
    passes(office, clock, timedelta(days=1))
    before = everything(office, record.key)
    rehearsed = rehearse(office, host, record.key)
    assert everything(office, record.key) == before
    assert rehearsed.players == {line.power: line.name for line in roster.roster(office, host, record.key)}
    assert "envelope came" in kinds(rehearsed, "Burgundy") and "results" in kinds(rehearsed, "England")
    assert "game resumed" not in kinds(rehearsed, "England")
    letters = {paper.name for h in rehearsed.happenings for paper in h.papers if paper.name.startswith("letter-")}
    assert letters == {"letter-Burgundy.pdf"}
    assert any("no postal address" in line for line in rehearsed.lacking)
    assert any("England" in line for line in rehearsed.lacking)


@pytest.mark.long
def test_it_is_kept_as_a_folder(office: Office, tmp_path: Path) -> None:
    host = person(office, "Coordinator")
    plan = {"name": "Powick Bridge", "variant": "hundred", "settings": {"coordinated": True, "approve": True}}
    games.create(office, host, plan)
    rehearsed = rehearse(office, host, "powick-bridge")
    assert {"game started", "results"} <= kinds(rehearsed, "France")
    assert "publish" in {h.kind for h in rehearsed.happenings if h.sort == "desk"}
    assert not [h for h in rehearsed.happenings if h.sort == "paper"], "it is no game by post"
    page = write_folder(rehearsed, tmp_path / "rehearsal").read_text()
    assert "Rehearsal of Powick Bridge" in page and "1425 Movement" in page
    mails = sorted((tmp_path / "rehearsal" / "mails").glob("*.eml"))
    assert len(mails) == sum(h.sort == "mail" for h in rehearsed.happenings)
    for file in mails:
        assert f"mails/{file.name}" in page
        message = message_from_bytes(file.read_bytes(), policy=policy.default)
        assert not [part for part in message.walk() if part.get_content_type() == "application/pdf"]
    for pdf in (tmp_path / "rehearsal" / "papers").iterdir():
        assert f"papers/{pdf.name}" in page and pdf.read_bytes().startswith(b"%PDF")
    refuses(FileExistsError, write_folder, rehearsed, tmp_path / "rehearsal")


def test_only_who_runs_a_game_rehearses_it(office: Office) -> None:
    host = gathering(office, "hundred")
    refuses(NotAllowedError, rehearse, office, person(office, "Zoe"), "powick-bridge")
    games.cancel(office, host, "powick-bridge", "enough")
    refuses(ConflictError, rehearse, office, host, "powick-bridge")
    games.create(office, host, {"name": "Naseby", "variant": "hundred"})
    refuses(ConflictError, rehearse, office, host, "naseby")
    refuses(NotFoundError, rehearse, office, host, "edgehill")


@pytest.mark.long
@pytest.mark.clause("W-20a", "W-21a", "W-22", "W-28")
def test_the_first_year_of_the_three_kingdoms(office: Office, tmp_path: Path) -> None:
    host = gathering(office, "three-kingdoms")
    rehearsed = rehearse(office, host, "powick-bridge")
    turns = list(dict.fromkeys(h.turn for h in rehearsed.happenings))
    assert [turn for turn in turns if not turn.endswith("Retreats")] == [
        "Before the first turn",
        "Summer 1642 Movement",
        "Autumn 1642 Movement",
        "Winter 1643 Adjustments",
    ]
    assert len({paper.name for h in rehearsed.happenings for paper in h.papers if "letter-" in paper.name}) == 10
    assert write_folder(rehearsed, tmp_path / "rehearsal").exists()
