"""Proposed orders on pages: written, drawn, taken, answered; and nobody else's."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, expect

from legation.cli.serving import whole_site
from legation.office.clock import SimulatedClock
from legation.office.desk import letters
from legation.office.office import Office
from legation.office.orders import submissions
from tests.office.playing import begin, passes, person
from tests.web.clients import client_of
from tests.web.visiting import visited


def test_a_proposal_goes_round(office: Office, clock: SimulatedClock) -> None:
    game, players, host = begin(office, ready_ends=False, coordinated=True)
    site, at = whole_site(office), f"/games/{game.key}/letters"
    france, england = (client_of(site, office, players[power]) for power in ("France", "England"))
    wrong = france.post(at, data={"to": "England", "text": "Hm", "orders": "A par - nowhere"})
    assert wrong.status_code == 422 and "A par - nowhere" in wrong.text and "a place on this board" in wrong.text
    sent = {"to": "England", "text": "Shall we?", "orders": "France: A par - orl\r\nEngland: A cal H"}
    assert france.post(at, data=sent).status_code == 303
    (letter,) = letters.letters(office, players["England"], game.key)
    shown = england.get(f"{at}?with=France").text
    assert "Proposed for 1425 Movement" in shown and "A par - orl" in shown and "into my draft" in shown
    for theme in ("light", "dark"):
        drawn = england.get(f"{at}/{letter.id}/map-{theme}.svg")
        assert drawn.status_code == 200 and drawn.headers["cache-control"] == "private, no-store"
        assert "viewBox" in drawn.text and drawn.text.count("<path") > 10
    taken = england.post(f"{at}/{letter.id}/take")
    area = re.search(r"<textarea id=\"text\"[^>]*>([^<]*)<", taken.text)
    assert area is not None and area[1] == "A cal H" and "data-taken" in area[0]
    assert submissions.mine(office, players["England"], game.key, "England") == [], "nothing was sent"
    answer = england.get(f"{at}?with=France&answer={letter.id}").text
    assert "France: A par - orl\nEngland: A cal H" in answer or "England: A cal H\nFrance: A par - orl" in answer
    changed = {"to": "France", "text": "", "orders": "England: A cal - par", "answers": str(letter.id)}
    assert england.post(at, data=changed).status_code == 303
    assert f'href="#letter-{letter.id}"' in france.get(f"{at}?with=England").text
    stranger, third = client_of(site, office, person(office, "Eve")), client_of(site, office, players["Burgundy"])
    for other in (stranger, third, client_of(site, office, host), client_of(site)):
        assert other.get(f"{at}/{letter.id}/map-light.svg").status_code == 404
        assert other.post(f"{at}/{letter.id}/take").status_code in (303, 401, 403, 404)
        assert "A par - orl" not in other.get(f"{at}?with=France").text
    submissions.submit(office, players["France"], game.key, "France", "A par - orl")
    passes(office, clock, timedelta(days=1))
    after = england.get(f"{at}?with=France").text
    assert ">kept<" in after and ">not kept<" in after and "into my draft" not in after
    assert england.post(f"{at}/{letter.id}/take").status_code == 409


@pytest.mark.browser
def test_one_tap_adds_a_proposal_to_the_draft(browser: Browser, office: Office) -> None:
    """What was written stays above it, and is written to the browser's draft; a second tap adds nothing."""
    game, players, _ = begin(office, ready_ends=False)
    letters.write(
        office, players["France"], game.key, "France", ["England"], "", orders="England: A cal - par, F lon H"
    )
    with visited(office, browser, players["England"], whole_site(office)) as visit:
        page = visit.go(f"/games/{game.key}")
        page.fill("#text", "A guy H")
        expect(page.locator("#saved")).to_have_text("Kept in this browser")
        for _ in range(2):
            visit.go(f"/games/{game.key}/letters?with=France")
            heading, proposal = (
                page.locator(f".conversation {part}").bounding_box() for part in ("strong >> nth=0", ".proposal")
            )
            assert heading and proposal and heading["y"] + heading["height"] <= proposal["y"], "below, not beside"
            page.click("text=into my draft")
            page.wait_for_selector("html[data-ready]")
            expect(page.locator("#text")).to_have_value("A guy H\nA cal - par\nF lon H")
        visit.go(f"/games/{game.key}")
        expect(page.locator("#text")).to_have_value("A guy H\nA cal - par\nF lon H")
