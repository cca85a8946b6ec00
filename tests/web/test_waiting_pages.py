"""The waiting list on a game's page."""

from __future__ import annotations

from legation.cli.serving import whole_site
from legation.office.game import seats
from legation.office.office import Office
from tests.office.playing import begin, person
from tests.web.clients import client_of


def test_one_waits_for_a_seat_and_takes_it(office: Office) -> None:
    game, players, _ = begin(office)
    site, at = whole_site(office), f"/games/{game.key}"
    own, visitor = client_of(site, office, person(office, "Ann")), client_of(site)
    assert "Wait for a seat" in own.get(f"{at}/powers").text
    assert visitor.post(f"{at}/waiting").status_code == 401
    assert own.post(f"{at}/waiting").status_code == 303
    shown = own.get(f"{at}/powers").text
    assert "Stop waiting for a seat" in shown and "1 waiting." in shown
    assert own.post(f"{at}/waiting", data={"stop": "true"}).status_code == 303
    assert own.post(f"{at}/waiting", data={"stop": "true"}).status_code == 409
    seats.resign(office, players["France"], game.key, "France")
    assert "Take over a seat" in own.get(f"{at}/powers").text and "Wait for a seat" not in own.get(f"{at}/powers").text
