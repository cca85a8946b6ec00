"""The players' pages without a browser: signing in, the lobby, the sheet, results, and who may see what."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from legation.office import Actor, Office, games, mailings, people
from legation.web import create_app
from tests.office.conftest import clock, make_office, office  # noqa: F401
from tests.office.playing import person
from tests.web.test_skeleton import OURS


def visitor(office: Office) -> TestClient:
    """A browser with no cookies."""
    return TestClient(create_app(office), follow_redirects=False, headers=OURS)


def as_person(office: Office, who: Actor) -> TestClient:
    """A browser in which somebody has signed in."""
    assert who.person is not None
    site = visitor(office)
    site.cookies.set("session", people.start_session(office, Actor.clock(), who.person).secret)
    return site


def link(office: Office) -> str:
    """The secret of the last link that was mailed."""
    return str([m.facts["secret"] for m in mailings.claim(office) if m.kind == "sign in"][-1])


def test_a_mailed_link_signs_in_once(office: Office) -> None:
    site = visitor(office)
    assert "on its way" in site.post("/sign-in", data={"email": "ann@example.org", "next": "/variants"}).text
    secret = link(office)
    for _ in range(3):  # programs that look at mail do not use it up
        assert site.get(f"/sign-in/{secret}?next=/variants").status_code == 200
    answer = site.post(f"/sign-in/{secret}", data={"next": "/variants"})
    assert answer.headers["location"] == "/variants"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=lax" in cookie
    assert "My page" in site.get("/").text
    assert visitor(office).post(f"/sign-in/{secret}").status_code == 401
    kept = dict(site.cookies)
    site.post("/sign-out")
    assert "My page" not in site.get("/").text
    again = visitor(office)
    again.cookies.update(kept)
    assert "My page" not in again.get("/").text


def test_nobody_learns_who_is_known(office: Office) -> None:
    person(office, "Ann")
    site = visitor(office)
    known, unknown = (site.post("/sign-in", data={"email": f"{name}@example.org"}).text for name in ("ann", "bob"))
    assert known.replace("ann@", "bob@") == unknown
    wrong = site.post("/sign-in", data={"email": "nobody"})
    assert wrong.status_code == 422 and "name@example.org" not in wrong.text and "nobody" in wrong.text


@pytest.mark.parametrize("next_page", ["https://evil.example", "//evil.example", "/\\evil.example", "evil"])
def test_one_is_led_on_within_the_site_only(office: Office, next_page: str) -> None:
    site = visitor(office)
    site.post("/sign-in", data={"email": "ann@example.org", "next": next_page})
    answer = site.post(f"/sign-in/{link(office)}", data={"next": next_page})
    assert answer.headers["location"] == "/games"


def test_a_game_is_found_joined_and_left(office: Office) -> None:
    host, ann = person(office, "Host"), person(office, "Ann")
    made = games.create(office, host, {"name": "Powick Bridge", "variant": "hundred"})
    site = as_person(office, ann)
    assert "Powick Bridge" in site.get("/games").text and "Powick Bridge" in visitor(office).get("/").text
    page = site.get(f"/games/{made.key}").text
    assert "Sign up" in page and "Orders are due" in page
    site.post(f"/games/{made.key}/sign-up", data={"wish": ["France", "", "England"]})
    assert "You are signed up" in site.get(f"/games/{made.key}").text
    assert "waits for players" in site.get("/games").text
    site.post(f"/games/{made.key}/withdraw")
    assert "You are signed up" not in site.get(f"/games/{made.key}").text
    asked = visitor(office).post(f"/games/{made.key}/sign-up", data={})
    assert asked.status_code == 401


def test_an_invitation_opens_a_game_that_is_not_listed(office: Office) -> None:
    host, ann = person(office, "Host"), person(office, "Ann")
    plan = {"name": "Hidden", "variant": "hundred", "settings": {"listed": False}}
    made = games.create(office, host, plan)
    secret = games.invite(office, host, made.key).secret
    site = as_person(office, ann)
    assert site.get(f"/games/{made.key}").status_code == 404
    assert "Accept" in site.get(f"/games/{made.key}/invitation/{secret}").text
    site.post(f"/games/{made.key}/sign-up", data={"secret": secret})
    assert "You are signed up" in site.get(f"/games/{made.key}").text


def test_a_seat_for_a_day_needs_nothing(office: Office) -> None:
    site = visitor(office)
    answer = site.post("/demo", data={"variant": "hundred"})
    assert "max-age=86400" in answer.headers["set-cookie"].lower()
    assert site.get(answer.headers["location"]).status_code == 200
    assert visitor(office).get(answer.headers["location"]).status_code == 404
    assert not [m for m in mailings.claim(office) if "demo.invalid" in m.address]
