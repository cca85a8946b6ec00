"""Mails and papers in the language of who gets them; here in one that is made up, in which no word is English."""

import re
from functools import cache

import pypdfium2
import pytest

from legation.languages import POWER, Catalog, catalogs
from legation.office.context import Actor
from legation.office.hosting import games
from legation.office.identity import people
from legation.print.games import GamePapers
from legation.web.catalog_building import COUNTED, messages
from tests.mail.conftest import World, body
from tests.mail.test_handling import ORDERS

TWO_WORDS = re.compile(r"\b[a-z']{3,} [a-z']{3,}\b|\b[A-Z][a-z']+ [a-z']{2,}\b")
NEUTRAL = re.compile(r"“.*?”|--- Reply above this line ---|^ÉÉÉ ÉÉÉÉÉÉ\n\n(?:  .*\n|\n)+", re.MULTILINE)
"""What is the same in every language: what somebody wrote, where an answer goes, all orders."""


def made_up(message: str) -> str:
    """A message of which only the places are left."""
    return "".join(
        part if part.startswith("{") else re.sub("[a-z]", "é", re.sub("[A-Z]", "É", part))
        for part in re.split(r"(\{\w+\})", message)
    )


@cache
def made_up_catalog() -> Catalog:
    """A catalog that has every message in a made-up language, under the name of one that there is."""
    known = messages()
    counted = {thing: (made_up(thing),) for thing, place in known.items() if place == COUNTED}
    said = {message: made_up(message) for message in known}
    clauses = [message for message, place in known.items() if not place.endswith((".html", ".js"))]
    powers = {name: (said[name],) for name, place in known.items() if place == POWER}
    return Catalog("es", said, counted, lambda number: 0, clauses, powers)


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    made = made_up_catalog()
    monkeypatch.setattr(catalogs, "catalog", lambda language: made)


def english_in(text: str) -> list[str]:
    """Words of English sentences in a text."""
    return TWO_WORDS.findall(text)


def test_mails_of_a_turn_are_in_the_language_of_who_gets_them(world: World, elsewhere: None) -> None:
    for power in ("France", "Burgundy"):
        people.set_preferences(world.office, world.players[power], {"language": "es", "reminder_hours": 5})
    world.write("France", f"{ORDERS}\nF lon H\nA mun - ber\nOrleanais - Brittany\ndraw")
    world.write("England", ORDERS)
    for _ in range(48):
        world.passes(hours=1)
    own = [m for power in ("France", "Burgundy") for m in world.outbox.to(world.address_of(power))[1:]]
    assert {message["X-Legation"] for message in own} >= {"answer", "results", "reminder"}
    for message in own:
        text = body(message)
        told = NEUTRAL.sub("", text)
        assert "éééé" in text and not english_in(told), told
        assert 'lang="es"' in message.get_body(("html",)).get_content()  # type: ignore[union-attr]
    (english,) = world.outbox.to(world.address_of("England"), "answer")
    assert "Understood" in body(english) or "UNDERSTOOD" in body(english)


def test_an_order_sheet_is_in_the_language_of_its_player(world: World, elsewhere: None) -> None:
    def printed() -> str:
        paper = GamePapers(world.office, world.players["France"], world.game.key).packet("France")
        with pypdfium2.PdfDocument(paper) as document:
            return "\n".join(page.get_textpage().get_text_range() for page in list(document)[1:])  # below the map

    assert "You own 4 centers and have 5 units." in " ".join(printed().split())
    people.set_preferences(world.office, world.players["France"], {"language": "es"})
    text = printed()
    subject = "Movement Orders - v1"  # the office reads it again
    assert "éééé" in text and subject in text and not english_in(text.replace(subject, "")), text


def test_who_has_no_account_is_written_to_in_the_language_of_the_page(world: World) -> None:
    """A link to sign in is asked for on a page; an invitation is in the language of who invites."""
    people.ask_link(world.office, Actor.visitor().reading("fr"), "claire@example.org")
    made = games.create(world.office, world.host, {"name": "Naseby", "variant": "hundred"})
    games.invite(world.office, world.host.reading("de"), made.key, "klaus@example.org")
    world.settle()
    ((link,), (invitation,)) = (world.outbox.to(f"{name}@example.org") for name in ("claire", "klaus"))
    assert 'lang="fr"' in link.get_body(("html",)).get_content()  # type: ignore[union-attr]
    assert "Ce lien vous connecte" in body(link)
    assert 'lang="de"' in invitation.get_body(("html",)).get_content()  # type: ignore[union-attr]
    people.set_preferences(world.office, world.players["France"], {"language": "es"})
    people.ask_link(world.office, Actor.visitor().reading("fr"), world.address_of("France"))
    world.settle()
    assert 'lang="es"' in world.outbox.to(world.address_of("France"))[-1].get_body(("html",)).get_content()  # type: ignore[union-attr]
