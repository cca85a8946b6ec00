"""A game by post, told to its players by mail: what the first mail brings, what has not come, what came."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from legation.office.context import Actor
from legation.office.game import seats
from legation.office.hosting import games, roster
from legation.office.identity import people
from legation.office.orders import submissions
from legation.office.terms.plans import preset_for
from legation.print.enclosures import enclosures
from tests.mail.conftest import START, World, body, office_by_mail
from tests.office.playing import picture
from tests.print.papers import text_of

HOME = ("1 Fish Street", "London")
POSTAL = {**preset_for("three-kingdoms", coordinated=True)}


@pytest.fixture
def unbegun(tmp_path: Path) -> Iterator[World]:
    """An office that encloses papers."""
    with office_by_mail(tmp_path, seed="post", papers=enclosures) as made:
        yield made


@pytest.fixture
def world(unbegun: World) -> World:
    unbegun.begin(**POSTAL)
    unbegun.settle()
    return unbegun


def wait(world: World, until: datetime) -> None:
    world.clock.set(until)
    world.settle()


@pytest.mark.clause("W-20a", "W-25", "W-28")
def test_the_first_mail_brings_all_that_a_game_by_post_needs(unbegun: World) -> None:
    world, office, outbox = unbegun, unbegun.office, unbegun.outbox
    boss = people.register(office, Actor.console(), "Coordinator", "coordinator@example.org")
    roster.add_address(office, people.as_person(office, boss.id), HOME, "England", primary=True)
    world.begin(**POSTAL)
    roster.add_address(office, world.players["France"], ["2 Mill Lane"], "France", primary=True)
    world.settle()
    (homeless,) = outbox.to(world.address_of("England"), "game started")
    told = " ".join(body(homeless).split())
    assert "You haven't given a postal address" in told and "/me#addresses" in told and "SET SHARE" not in told
    (mail,) = outbox.to(world.address_of("France"), "game started")
    said = " ".join(body(mail).split())
    assert "answer SET SHARE" in said and "haven't given" not in said
    assert "POST YOUR ORDERS TO Coordinator 1 Fish Street London England" in said
    assert "1425 Movement" in said and "Post by" in said and "Mon 9 Mar 2026" in said  # five days before 14 March
    assert "write a new sheet and answer this mail with a photograph" in said
    assert "one on each line" not in said  # which this game does not take
    assert "ROSTER" in said and "no address shared yet" in said
    files = {str(part.get_filename()): part.get_content() for part in mail.iter_attachments()}
    assert [name.removeprefix("powick-bridge-") for name in files] == [
        "map.pdf",
        "roster.pdf",
        "order-sheet.pdf",
        "envelope.pdf",
    ]
    envelope = text_of(files["powick-bridge-envelope.pdf"])
    for part in ("1 Fish Street", "France", "Powick Bridge", "1425", "Orders"):
        assert part in envelope
    assert "1 Fish Street" in text_of(files["powick-bridge-order-sheet.pdf"])


@pytest.mark.clause("W-20a", "W-20b")
def test_reminders_and_receipts_say_that_the_envelope_has_not_come(world: World) -> None:
    roster.add_address(world.office, world.host, HOME, "England", primary=True)
    world.settle()
    assert "1 Fish Street" in world.told("France", "orders address")
    # a day before the last day to post
    wait(world, START + timedelta(days=5, hours=19))
    reminder = world.told("France", "reminder")
    assert "Your envelope hasn't arrived, and you've sent nothing else" in reminder
    assert "Post by Mon 9 Mar 2026" in reminder and "1 Fish Street" in reminder
    # a photograph, and still no envelope
    receipt = world.write("France", "A par H", "Orders", ("sheet.jpg", picture(), "image/jpeg"))
    assert "1 picture received" in receipt and "Your envelope hasn't arrived." in receipt
    assert "kept, but only the pictures count as orders" in receipt
    submissions.register_posted(world.office, world.host, world.game.key, "England")
    came = world.told("England", "envelope came")
    assert "The coordinator has your envelope for 1425 Movement. It stays closed until the deadline." in came
    before = len(world.outbox.to(world.address_of("England"), "reminder"))
    wait(world, START + timedelta(days=10))
    assert "Your envelope hasn't arrived. Your version 1 arrived" in world.told("France", "reminder")
    assert "sent nothing else" in world.told("Burgundy", "reminder")
    late = world.told("Burgundy", "reminder")
    assert "It's too late to post an envelope, but until the deadline you can write a new sheet" in late
    assert "Post your first orders" not in late and "Post by" not in late
    for page in ("/variants/hundred/rules", "/variants/hundred/moves", "/calendar.ics"):
        assert page in late, "every mail of a game names its pages"
    assert len(world.outbox.to(world.address_of("England"), "reminder")) == before


@pytest.mark.clause("W-20b")
def test_a_late_photograph_is_told_when_it_came_and_what_counts(world: World) -> None:
    wait(world, START + timedelta(days=11))
    turn = games.game(world.office, world.host, world.game.key).turn
    assert turn is not None
    wait(world, turn.deadline + timedelta(minutes=5))
    answer = world.write("France", "", "", ("s.jpg", picture(), "image/jpeg"))
    assert "Nothing was entered" in answer and "Late by 5 minutes" in answer and "Was due" in answer
    assert "You have sent nothing for 1425 Movement." in answer


@pytest.mark.clause("W-23")
def test_an_address_is_shared_by_mail_and_is_nobody_else_s(world: World) -> None:
    """Without it only the coordinator sees it; who comes after one shares nothing."""
    office, game = world.office, world.game.key
    roster.add_address(office, world.players["France"], ["2 Rue Neuve"], "France", primary=True)
    assert "no address shared yet" in world.write("England", "ROSTER")
    assert "see your postal address now" in world.write("France", "SET SHARE")
    assert "2 Rue Neuve" in world.write("England", "ROSTER")
    assert [s.shared for s in roster.sharing(office, world.players["France"])] == [True]
    assert "no longer see" in world.write("France", "SET NOSHARE")
    assert "2 Rue Neuve" not in world.write("England", "ROSTER")
    (line,) = [one for one in roster.roster(office, world.host, game) if one.power == "France"]
    assert line.address is not None and not line.shared
    world.write("France", "SET SHARE")
    seats.replace(office, world.host, game, "France", "heir@example.org", "moved abroad")
    heir = people.as_person(office, people.find(office, Actor.console(), "heir@example.org").id)
    roster.add_address(office, heir, ["9 Quai Vieux"], "France", primary=True)
    (line,) = [one for one in roster.roster(office, world.players["England"], game) if one.power == "France"]
    assert line.address is None and line.alternatives == ()


def test_the_holder_is_mailed_who_entered_a_photographed_sheet(world: World) -> None:
    sheet = [("sheet.jpg", picture(), "image/jpeg")]
    submissions.register_posted(world.office, world.host, world.game.key, "England", pictures=sheet, shows="sheet")
    mail = world.told("England", "entered for you")
    assert "The coordinator entered version 1 for you, from paper." in mail
    assert "the coordinator knows what it says" in mail and "How it came post Commitment" in mail
