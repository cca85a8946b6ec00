"""Pages of a game by post: the roster, one's own address, and the sheet that goes on paper."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from legation.office import Actor, Office, people, roster
from legation.office.terms.presets import preset_for
from legation.web import create_app
from tests.office.playing import begin, person

Visitor = Callable[..., TestClient]
POSTAL = preset_for("three-kingdoms", coordinated=True)
OURS = {"origin": "http://testserver", "sec-fetch-site": "same-origin"}


@pytest.fixture
def visitor(office: Office) -> Visitor:
    app = create_app(office)

    def visit(actor: Actor | None = None) -> TestClient:
        site = TestClient(app, follow_redirects=False, raise_server_exceptions=False, headers=OURS)
        if actor is not None and actor.person is not None:
            site.cookies.set("session", people.start_session(office, Actor.clock(), actor.person, "tests").secret)
        return site

    return visit


@pytest.mark.clause("W-23")
def test_an_address_is_shared_on_the_roster_and_on_one_s_own_page(office: Office, visitor: Visitor) -> None:
    record, players, boss = begin(office, **POSTAL)
    page = f"/games/{record.key}/roster"
    roster.add_address(office, boss, ["1 Fish Street", "London"], "England", primary=True)
    roster.add_address(office, players["France"], ["2 Rue Neuve"], "France", primary=True)
    france, england = visitor(players["France"]), visitor(players["England"])
    shown = france.get(page).text
    assert "1 Fish Street" in shown and "2 Rue Neuve" in shown and "The other players don’t." in shown
    assert "2 Rue Neuve" not in england.get(page).text and "No address shared." in england.get(page).text
    assert "2 Rue Neuve" in visitor(boss).get(page).text
    for stranger in (visitor(), visitor(person(office, "Stranger"))):
        answer = stranger.get(page, follow_redirects=False)
        assert answer.status_code in (303, 401, 403) and "2 Rue Neuve" not in answer.text
    # nobody shares another's address
    refused = england.post(f"/games/{record.key}/share", data={"power": "France", "on": "yes"})
    assert refused.status_code == 403 and "2 Rue Neuve" not in england.get(page).text
    data = {"power": "France", "on": "yes", "from": "me"}
    assert france.post(f"/games/{record.key}/share", data=data, follow_redirects=False).status_code == 303
    assert "2 Rue Neuve" in england.get(page).text
    assert "Stop sharing with the players of Powick Bridge" in france.get("/me").text
    assert (
        roster.sharing(office, players["France"])[0].shared and not roster.sharing(office, players["England"])[0].shared
    )


def test_a_sheet_that_goes_on_paper_is_not_sent_from_the_page(office: Office, visitor: Visitor) -> None:
    record, players, _ = begin(office, **POSTAL)
    shown = visitor(players["France"]).get(f"/games/{record.key}").text
    assert "In this game orders are on paper. Post your first orders of the season" in shown
    assert "Seal and send</button>" not in shown and "Seal and send the pictures</button>" in shown
    assert "print/packet.pdf" in shown and "print/envelope.pdf" in shown
