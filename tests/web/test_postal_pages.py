"""Pages of a game by post: the roster, one's own address, and the sheet that goes on paper."""

import pytest

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.game import seats
from legation.office.hosting import games, roster
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.terms.plans import preset_for
from tests.office.playing import begin, passes, person, picture, turn_now
from tests.web.clients import Visitor

POSTAL = preset_for("three-kingdoms", coordinated=True)


@pytest.mark.clause("W-23")
def test_an_address_is_shared_on_the_roster_and_on_one_s_own_page(office: Office, visitor: Visitor) -> None:
    record, players, boss = begin(office, **POSTAL)
    page = f"/games/{record.key}/roster"
    roster.add_address(office, boss, ["1 Fish Street", "London"], "England", primary=True)
    roster.add_address(office, players["France"], ["2 Rue Neuve"], "France", primary=True)
    france, england = visitor(players["France"]), visitor(players["England"])
    assert "2 Rue Neuve" in england.get(page).text
    france.post(f"/games/{record.key}/share", data={"power": "France", "on": "no"})
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
    assert roster.sharing(office, players["France"])[0].shared and roster.sharing(office, players["England"])[0].shared


def test_a_sheet_that_goes_on_paper_is_not_sent_from_the_page(office: Office, visitor: Visitor) -> None:
    record, players, _ = begin(office, **POSTAL)
    shown = visitor(players["France"]).get(f"/games/{record.key}").text
    assert "In this game orders are on paper. Post your first orders of the season" in shown
    assert "Seal and send</button>" not in shown and "Seal and send the pictures</button>" in shown
    assert "print/packet.pdf" in shown and "print/envelope.pdf" in shown


def test_a_photograph_counts_only_if_its_envelope_comes(office: Office, visitor: Visitor) -> None:
    record, players, boss = begin(office, **POSTAL)
    photographs = [("sheet.jpg", picture(), "image/jpeg")]
    submissions.submit_pictures(office, players["France"], record.key, "France", photographs)
    page = f"/games/{record.key}"
    shown = visitor(players["France"]).get(page).text
    assert "<strong>Version 1 has been sent</strong>, but your envelope hasn't arrived." in shown
    submissions.register_posted(office, boss, record.key, "France")
    shown = visitor(players["France"]).get(page).text
    assert "<strong>Version 1 has been sent</strong> and counts" in shown and "Changes are a draft" not in shown
    assert "waiting for you to confirm it" in shown and "It is mine</button>" in shown
    *_, envelope = submissions.mine(office, players["France"], record.key, "France")
    submissions.confirm(office, players["France"], envelope.id)
    shown = visitor(players["France"]).get(page).text
    assert "<strong>Version 2 has been sent</strong> and counts" in shown and "replaced by a later version" in shown


def test_a_waiting_game_tells_how_it_begins(office: Office, visitor: Visitor) -> None:
    host, ann, ben = (person(office, name) for name in ("host", "ann", "ben"))
    key = games.create(office, host, {"name": "Marston Moor", "variant": "hundred", "settings": POSTAL}).key
    secret = games.invite(office, host, key, "ann@example.org", "England").secret
    desk = visitor(host).get(f"/desk/{key}").text
    assert desk.count("invited, no answer yet") == 1 and desk.count(">open<") == 2
    seats.sign_up(office, ann, key, invitation=secret)
    assert "invited, no answer yet" not in visitor(host).get(f"/desk/{key}").text
    seats.sign_up(office, ben, key)
    shown = visitor(ben).get(f"/games/{key}").text
    assert "We’ll e-mail you when the coordinator starts the game." in shown and "/me#addresses" in shown
    assert "all orders: by post or as a photograph, never as text" in shown


def test_between_turns_the_page_tells_when_the_next_one_opens(
    office: Office, clock: SimulatedClock, visitor: Visitor
) -> None:
    record, players, _ = begin(office, coordinated=True, schedule="three-kingdoms")
    present = turn_now(office, Actor.console(), record.key)
    passes(office, clock, present.deadline)
    assert turn_now(office, Actor.console(), record.key).state == "final"
    shown = visitor(players["France"]).get(f"/games/{record.key}").text
    assert "Results are out. 1430 Movement opens" in shown
    assert "Orders are being judged" not in shown


def test_the_gazette_is_edited_at_the_desk(office: Office, clock: SimulatedClock, visitor: Visitor) -> None:
    record, players, boss = begin(office, coordinated=True, channels={"Movement": ["web", "post"]})
    page = f"/desk/{record.key}/gazette"
    desk = visitor(boss)
    early = desk.get(page)
    assert early.status_code == 409 and "No year of Powick Bridge has ended yet." in early.text
    while "1435" not in turn_now(office, boss, record.key).name:
        passes(office, clock, work.next_due(office) or clock.now())
    assert f'href="{page}"' in desk.get(f"/desk/{record.key}/paper").text
    shown = desk.get(page).text
    assert "The game’s records tell the year." in shown and "# Who is near to winning" in shown
    assert desk.post(f"{page}/edit", data={"text": "# Snow\nIt snowed."}, follow_redirects=False).status_code == 303
    shown = desk.get(page).text
    assert "This is your text." in shown and "# Snow\nIt snowed.</textarea>" in shown
    refused = desk.post(f"{page}/edit", data={"text": "x" * 20_001})
    assert refused.status_code == 422 and "at most 20000 characters" in refused.text
    desk.post(f"{page}/told", data={})
    assert "The game’s records tell the year." in desk.get(page).text
    for stranger in (visitor(), visitor(players["France"])):
        assert stranger.get(page, follow_redirects=False).status_code in (303, 401, 403)
