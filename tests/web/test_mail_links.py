"""Links that stand in mails: opening one does nothing, its button does,
and mail programs unsubscribe with one click."""

import re
from datetime import timedelta

import pytest
from starlette.testclient import TestClient

from legation.office.context import Actor
from legation.office.desk import desk
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.orders import submissions
from legation.office.preferences import QUIET
from legation.web import create_app
from legation.web.public.mail_links import MAILINGS
from tests.mail.conftest import World, body, mail_world  # noqa: F401
from tests.web.clients import client_of

OURS = {"origin": "http://testserver", "sec-fetch-site": "same-origin", "cookie": "session=anything"}


@pytest.fixture
def pages(world: World) -> TestClient:
    return client_of(create_app(world.office), headers={})


def results_link(world: World) -> str:
    world.clock.advance(timedelta(days=1))
    world.settle()
    (mail,) = world.outbox.to(world.address_of("France"), "results")
    return str(mail["List-Unsubscribe"]).strip("<>")


def link_in(world: World, kind: str, at: str, to: str = "") -> str:
    """The link in the one mail of a kind, to France or another address."""
    (asked,) = world.outbox.to(to or world.address_of("France"), kind)
    found = re.search(rf"/{at}/\S+", body(asked))
    assert found
    return found[0]


def quiet(world: World) -> list[str]:
    return list(people.me(world.office, world.players["France"]).preferences.get("quiet", []))


def test_a_mail_program_unsubscribes_with_one_click(world: World, pages: TestClient) -> None:
    link = results_link(world)
    assert pages.get(link).status_code == 200
    assert quiet(world) == []
    for headers in ({}, {"origin": "https://mail.example"}, {"sec-fetch-site": "cross-site", "cookie": "session=x"}):
        answer = pages.post(link, content=b"List-Unsubscribe=One-Click", headers=headers)
        assert answer.status_code == 200
    assert quiet(world) == ["results"]
    assert "We won’t e-mail you this any more: Results." in answer.text
    assert pages.post(link + "x").status_code == 404
    assert pages.post("/release/x", headers={"origin": "https://mail.example"}).status_code == 403


def test_what_is_stopped_by_a_link_is_listed_on_the_own_page() -> None:
    assert MAILINGS.keys() == QUIET


def test_a_mail_is_let_through_by_its_button_only(world: World, pages: TestClient) -> None:
    to = world.office.settings.orders_address
    world.deliver(world.mail(world.address_of("France"), to, "A par - bur", "Powick Bridge - France - Orders"))
    link = link_in(world, "release", "release")
    assert "Was this mail yours?" in pages.get(link).text
    world.settle()
    assert not submissions.mine(world.office, world.players["France"], world.game.key, "France")
    assert pages.post(link, headers=OURS).status_code == 200
    world.settle()
    assert len(submissions.mine(world.office, world.players["France"], world.game.key, "France")) == 1
    assert pages.get(link).status_code == 404


def test_a_new_address_is_confirmed_once(world: World, pages: TestClient) -> None:
    people.ask_change(world.office, world.players["France"], "new@example.org")
    world.settle()
    assert world.outbox.to("new@example.org") == []  # before the old address has agreed
    link = link_in(world, "approve address", "approve-address")
    assert pages.get(link).status_code == 200
    assert "new@example.org" in pages.post(link, headers=OURS).text
    assert pages.post(link, headers=OURS).status_code == 410
    world.settle()
    link = link_in(world, "confirm address", "confirm-address", "new@example.org")
    assert pages.get(link).status_code == 200
    assert people.me(world.office, world.players["France"]).email != "new@example.org"
    assert "new@example.org" in pages.post(link, headers=OURS).text
    assert people.find(world.office, Actor.console(), "new@example.org").name == world.players["France"].name
    assert pages.post(link, headers=OURS).status_code == 410


def test_a_seat_is_given_up_by_the_link_and_not_by_the_mail(world: World, pages: TestClient) -> None:
    world.write("France", "RESIGN")
    link = link_in(world, "confirm resignation", "resign")
    assert "Give up your seat" in pages.get(link).text
    held = [s.state for s in games.game(world.office, Actor.console(), world.game.key).seats if s.power == "France"]
    assert held == ["held"]
    assert "no longer play in this game" in pages.post(link, headers=OURS).text
    assert pages.post(link, headers=OURS).status_code == 410


def test_a_mail_that_was_not_one_s_own_goes_back_to_the_desk(world: World, pages: TestClient) -> None:
    world.deliver(world.mail(world.address_of("France"), "orders@office.example", "A par H", "Powick Bridge"))
    link = link_in(world, "release", "release")
    assert "It was not mine" in pages.get(link).text
    assert "does not count" in pages.post(f"{link}/disown", headers=OURS).text
    assert pages.post(link, headers=OURS).status_code == 404
    (item,) = desk.items(world.office, Actor.console())
    assert "isn't theirs" in item.facts["why"]
