"""Results are looked over with all that will be sent, published, mended, taken back and made final; players are
replaced; papers are printed for those entitled."""

from datetime import timedelta

import pytest

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.hosting import games, roster
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from tests.office.playing import close_turn, person
from tests.web.clients import Visitor
from tests.web.test_desk import postal
from tests.web.test_desk_items import item_of


def test_what_happened_is_read_before_it_is_published(office: Office, clock: SimulatedClock, visitor: Visitor) -> None:
    record, _, boss = postal(office)
    submissions.register_posted(office, boss, record.key, "England")
    close_turn(office, clock, record)
    site, item = visitor(boss), item_of(office, boss, "transcribe", "England")
    text = "A nmd - par\nA cal S A nmd - par"
    site.post(f"/desk/{record.key}/{item.id}/transcribe", data={"text": text, "do": "sign"})
    work.run_due(office)
    shown = site.get(f"/desk/{record.key}/results").text
    assert "Publish the draft results" in shown
    assert "France&#39;s Army Paris was dislodged" in shown.partition("<table")[0]


@pytest.mark.clause("W-21a")
def test_results_are_looked_over_published_mended_and_made_final(
    office: Office, clock: SimulatedClock, visitor: Visitor
) -> None:
    record, players, boss = postal(office)
    site, desk = visitor(boss), f"/desk/{record.key}"
    submissions.register_posted(office, boss, record.key, "England")
    assert "No results yet" in site.get(f"{desk}/results").text
    close_turn(office, clock, record)
    item = item_of(office, boss, "transcribe", "England")
    assert site.post(f"{desk}/{item.id}/transcribe", data={"text": "A dev H", "do": "sign"}).status_code == 303
    work.run_due(office)
    shown = site.get(f"{desk}/results").text
    assert "Publish the draft results" in shown and "3 mails will be sent" in shown
    assert "YOUR ORDERS AS ENGLAND" in shown and "A dev H" in shown
    assert site.get(f"{desk}/results/map-light.svg").headers["content-type"].startswith("image/svg")
    for way in ("results", "results/map-light.svg"):
        assert visitor(players["France"]).get(f"{desk}/{way}").status_code == 403
    assert visitor(players["France"]).post(f"{desk}/publish", data={"turn": "1"}).status_code == 403
    assert site.post(f"{desk}/publish", data={"turn": "2"}).status_code == 409
    assert site.post(f"{desk}/publish", data={"turn": "1"}).status_code == 303
    assert games.result(office, players["France"], record.key).state == "draft"
    shown = site.get(f"{desk}/results").text
    assert "These results are final" in shown and "Make the season’s results final" not in shown
    mend = {"power": "England", "turn": "1", "text": "A dev - brt", "reason": ""}
    refused = site.post(f"{desk}/correct", data=mend)
    assert refused.status_code == 422 and "A dev - brt</textarea>" in refused.text
    assert site.post(f"{desk}/correct", data={**mend, "reason": "it says Brittany"}).status_code == 303
    shown = site.get(f"{desk}/results").text
    assert "Publish the corrected draft results" in shown and "is:  A dev - brt" in shown and "was: A dev H" in shown
    assert site.post(f"{desk}/publish", data={"turn": "1"}).status_code == 303
    sheets = {s.power: s for s in games.result(office, players["France"], record.key).sheets}
    assert sheets["England"].orders == ("A dev - brt",) and sheets["England"].corrected
    assert site.post(f"{desk}/take-back", data={"reason": ""}).status_code == 422
    assert site.post(f"{desk}/take-back", data={"reason": "one more look"}).status_code == 303
    assert site.post(f"{desk}/publish", data={"turn": "1"}).status_code == 303
    clock.advance(timedelta(days=10))
    work.run_due(office)
    assert "Make the season’s results final" in site.get(f"{desk}/results").text
    assert site.post(f"{desk}/final").status_code == 303
    assert games.result(office, boss, record.key, 1).state == "final"
    assert "checks hold" in site.get(f"{desk}/record").text


def test_players_are_invited_and_replaced(office: Office, visitor: Visitor) -> None:
    record, _, boss = postal(office)
    site, desk = visitor(boss), f"/desk/{record.key}"
    assert site.post(f"{desk}/replace", data={"power": "France", "email": "new@example.org"}).status_code == 422
    refused = site.post(f"{desk}/replace", data={"power": "France", "email": "nobody", "reason": "ill"})
    assert refused.status_code == 422 and 'value="nobody"' in refused.text and 'value="ill"' in refused.text
    replaced = site.post(f"{desk}/replace", data={"power": "France", "email": "new@example.org", "reason": "ill"})
    assert replaced.status_code == 303
    new = people.find(office, Actor.console(), "new@example.org")
    assert {s.power: s.person for s in games.game(office, Actor.console(), record.key).seats}["France"] == new.id
    assert "ill" in site.get(f"{desk}/players").text
    assert "No postal address: nothing can be posted" in site.get(f"{desk}/players").text
    assert site.post(f"{desk}/vacate", data={"power": "England", "reason": "left"}).status_code == 303
    invited = site.post(f"{desk}/invite", data={"power": "England", "email": ""})
    link = invited.text.split('id="link" readonly value="')[1].split('"')[0]
    there = visitor(person(office, "Somebody")).get(link.removeprefix("http://testserver"))
    assert there.status_code == 200 and "We mail it" not in invited.text
    assert site.post(f"{desk}/invite", data={"power": "France"}).status_code == 409
    assert site.post(f"{desk}/bot", data={"power": "England", "bot": "hold"}).status_code == 303


@pytest.mark.clause("W-23")
def test_papers_are_for_those_entitled(office: Office, visitor: Visitor) -> None:
    record, players, boss = postal(office)
    for actor, line in ((boss, "1 Office Row"), (players["France"], "4 Rue Haute"), (players["England"], "2 High St")):
        roster.add_address(office, actor, [line], "Somewhere", primary=True)
    roster.add_address(office, players["France"], ["Beach 1"], "Somewhere", first="2026-03-04", last="2026-03-30")
    site, paper = visitor(boss), f"/games/{record.key}/print"
    shown = site.get(f"/desk/{record.key}/players").text
    assert "Beach 1" in shown and "not today’s address" in shown
    for name in ("envelopes", "labels", "roster", "packets", "packet.pdf?power=France", "map"):
        answer = site.get(f"{paper}/{name if '?' in name else name + '.pdf'}")
        assert answer.status_code == 200 and answer.content.startswith(b"%PDF"), name
    assert site.get(f"{paper}/letters.pdf").status_code == 409
    own = visitor(players["France"])
    for name in ("packet", "map"):  # the map as PDF is online, too
        assert own.get(f"{paper}/{name}.pdf").content.startswith(b"%PDF")
    for name in ("packet.pdf?power=England", "letters.pdf", "packets.pdf"):
        assert own.get(f"{paper}/{name}").status_code in (403, 404, 409), name
    for name in ("packets", "labels", "envelopes", "roster", "letters", "packet"):
        assert visitor().get(f"{paper}/{name}.pdf").status_code in (303, 401), name
    assert own.get(f"/desk/{record.key}/players").status_code == 403
