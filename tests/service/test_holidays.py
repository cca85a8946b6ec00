"""A dated absence offers to lend units to an ally (W-12), and prints the half-filled sheet for it."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from legation import load
from legation.game.sheets import interpret_sheet
from legation.office.errors import ConflictError, NotFoundError
from legation.office.hosting import absences
from legation.office.orders.order_codes import SheetCode, read_order_sheet_code
from legation.print.games import GamePapers
from tests.mail.conftest import World, body
from tests.print.papers import pages_of, text_of
from tests.service.conftest import POSTAL, served
from tests.web.clients import client_of
from tests.web.forms import press


@pytest.fixture
def world(world: World) -> World:
    world.begin("three-kingdoms", powers=2, **POSTAL)
    world.settle()
    return world


def attached(mail: EmailMessage) -> dict[str, bytes]:
    return {str(part.get_filename()): part.get_content() for part in mail.iter_attachments()}


@pytest.mark.clause("W-12a")
def test_an_absence_over_a_deadline_offers_the_sheet_on_the_page(world: World) -> None:
    office, (power, player) = world.office, next(iter(world.players.items()))
    site = client_of(served(office), office, player)
    for first, last, offered in (("2026-03-03", "2026-03-05", 0), ("2026-03-10", "2026-03-20", 1)):
        sent = {"first": first, "last": last, "note": "at sea"}
        assert press(site, "/me", "Add", sent, action="/me/absences").status_code == 303
        assert site.get("/me").text.count("You’re away when orders for") == offered
    page = site.get("/me").text
    assert "orders for Summer 1642 Movement of Powick Bridge are due" in page
    assert "Place all my units under the orders of" in page
    (offer,) = absences.lendings(office, player)
    assert power not in offer.allies and len(offer.allies) == 9
    assert 'action="/games/powick-bridge/print/lending.pdf"' in page
    asked = {"power": power, "turn": offer.turn, "to": offer.allies[0]}
    sheet = site.get("/games/powick-bridge/print/lending.pdf", params=asked)
    line = f"Place all my units under the orders of {offer.allies[0]}."
    text = text_of(sheet.content)
    assert pages_of(sheet.content) == [(210.0, 297.0)] and line in text
    assert f"Powick Bridge - {power} - Summer 1642 - Movement Orders - v1" in text
    assert read_order_sheet_code(sheet.content) == SheetCode("powick-bridge", power, "Summer 1642 Movement")
    rules = load("three-kingdoms")
    read = interpret_sheet(rules, rules.opening(), power, line).check
    assert len(read.sheet.orders) == 7 and not read.missing, "the line orders every unit"
    assert site.post(f"/me/absences/{absences.absences(office, player)[-1].id}/remove").status_code == 303
    assert not absences.lendings(office, player)


def test_an_absence_that_is_mailed_is_answered_with_the_sheet(world: World) -> None:
    power = next(iter(world.players))
    answer = world.write(power, "SET ABSENCE 10 Mar TO 20 Mar")
    assert "You're away when orders for Summer 1642 Movement of Powick Bridge are due" in answer
    mail = world.outbox.to(world.address_of(power), "answer")[-1]
    text = text_of(attached(mail)["powick-bridge-lending.pdf"])
    assert "Place all my units under the orders of" in text and power in text
    world.write(power, "SET ABSENCE 3 Mar")
    assert "You're away when" in body(world.outbox.to(world.address_of(power), "answer")[-1]), "the other one stands"


def test_a_movement_that_is_planned_has_a_sheet_too(world: World) -> None:
    office, (power, player) = world.office, next(iter(world.players.items()))
    absences.announce(office, player, "2026-03-25", "2026-04-05")
    (offer,) = absences.lendings(office, player)
    assert offer.turn == "Autumn 1642 Movement"
    pdf = GamePapers(office, player, offer.game).lending(power, offer.turn)
    assert read_order_sheet_code(pdf) == SheetCode("powick-bridge", power, "Autumn 1642 Movement")
    other = next(p for p in world.players if p != power)
    for named, turn, ally in ((other, "", ""), (power, "", "Nobody"), (power, "", power)):
        with pytest.raises(NotFoundError):
            GamePapers(office, player, offer.game).lending(named, turn, ally)
    with pytest.raises(ConflictError):
        GamePapers(office, player, offer.game).lending(power, "Winter 1643 Adjustments")


def test_without_such_a_rule_nothing_is_offered(world: World) -> None:
    world.begin("hundred", name="Naseby", **POSTAL)
    player = world.players["France"]
    absences.announce(world.office, player, "2026-03-10", "2026-03-20")
    assert not [offer for offer in absences.lendings(world.office, player) if offer.name == "Naseby"]
    with pytest.raises(ConflictError):
        GamePapers(world.office, player, world.game.key).lending("France")
