"""What waits on the desk is settled on its page: versions chosen, revisions decided on, pictures read beside what they
say, mails matched, failures tried again."""

import io

import pytest
from PIL import Image

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk, readings
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.records import DeskItem
from tests.office.playing import close_turn, person, picture, turn_now, unmatched_mail
from tests.web.clients import Visitor
from tests.web.test_desk import postal


def item_of(office: Office, boss: Actor, kind: str, power: str) -> DeskItem:
    return next(i for i in desk.items(office, boss) if (i.kind, i.power) == (kind, power))


@pytest.mark.clause("W-20g")
def test_a_photograph_is_read_beside_its_lines(office: Office, clock: SimulatedClock, visitor: Visitor) -> None:
    record, players, boss = postal(office, opening_by_post=False)
    pictures = [(name, picture(), "image/jpeg") for name in ("a.jpg", "b.jpg")]
    submissions.submit_pictures(office, players["England"], record.key, "England", pictures)
    submissions.submit(office, players["France"], record.key, "France", "A par H")
    close_turn(office, clock, record)
    item = item_of(office, boss, "transcribe", "England")
    address = f"/desk/{record.key}/{item.id}"
    site, other = visitor(boss), visitor(players["France"])
    (digest, *_) = desk.item(office, boss, item.id).facts["files"]
    turned = site.get(f"{address}/pictures/{digest}?quarters=1")
    assert Image.open(io.BytesIO(turned.content)).size == (40, 60) and "no-store" in turned.headers["cache-control"]
    for path in (address, f"{address}/pictures/{digest}"):
        assert other.get(path).status_code == 403 and visitor().get(path).status_code in (303, 401)
    assert other.post(f"{address}/transcribe", data={"text": "A dev H", "do": "sign"}).status_code == 403
    # without a script: the picture is turned and made nearer, and what was typed stays
    looked = site.post(
        f"{address}/transcribe", data={"text": "A dev H", "view": "nearer", "zoom": "2", "quarters": "1"}
    )
    assert "zoom-3" in looked.text and "?quarters=1" in looked.text and ">A dev H</textarea>" in looked.text
    other_picture = site.post(f"{address}/transcribe", data={"text": "", "view": "picture 1", "zoom": "2"})
    assert "picture 2 of 2" in other_picture.text and "zoom-1" in other_picture.text
    # what is not understood is told with its readings, and one of them is taken
    read = site.post(f"{address}/readings", data={"text": "A Devn - brt\nA xyz H"}).text
    assert "A xyz H" in read and "Which do you mean?" in read
    place = read.split('name="take" value="')[1].split('"')[0]
    taken = site.post(f"{address}/transcribe", data={"text": "A Devn - brt", "take": place})
    assert ">A dev - brt</textarea>" in taken.text
    for nowhere in ("x:y:dev", "3"):
        kept = site.post(f"{address}/transcribe", data={"text": "A Devn - brt", "take": nowhere})
        assert ">A Devn - brt</textarea>" in kept.text
    unsigned = site.post(f"{address}/transcribe", data={"text": "A dev - brt\nA xyz H", "do": "sign"})
    assert unsigned.status_code == 200 and "Sign off anyway" in unsigned.text
    assert item_of(office, boss, "transcribe", "England")
    signed = site.post(f"{address}/transcribe", data={"text": "A dev - brt\nA xyz H", "do": "anyway"})
    assert (signed.status_code, signed.headers["location"]) == (303, f"/desk/{record.key}")
    assert site.post(f"{address}/transcribe", data={"text": "A dev H", "do": "anyway"}).status_code == 409
    work.run_due(office)
    assert turn_now(office, boss, record.key).state == "judged"


def test_a_photograph_is_read_by_two(office: Office, clock: SimulatedClock, visitor: Visitor) -> None:
    """The deputy compares the picture with what was written down; what differs is shown side by side and decided."""
    record, players, boss = postal(office, opening_by_post=False)
    deputy, here = person(office, "Deputy"), f"/desk/{record.key}"
    site, other, third = visitor(boss), visitor(deputy), visitor(players["France"])
    assert site.post(f"{here}/deputy", data={"email": ""}).status_code == 422
    assert site.post(f"{here}/deputy", data={"email": "player0@example.org"}).status_code == 409
    assert site.post(f"{here}/deputy", data={"email": "deputy@example.org"}).status_code == 303
    assert "<strong>Deputy</strong> checks each sheet" in site.get(f"{here}/players").text
    assert other.get(here).status_code == 403 and record.name in other.get("/desk").text
    for power in ("England", "France"):
        photographs = [("a.jpg", picture(), "image/jpeg")]
        submissions.submit_pictures(office, players[power], record.key, power, photographs)
    close_turn(office, clock, record)
    assert "to read" not in other.get("/desk").text
    for power, text in (("England", "A dev - brt"), ("France", "A par H\nA cal - dij")):
        readings.transcribe(office, boss, item_of(office, boss, "transcribe", power).id, text)
    assert "2 photographs to read a second time for Powick Bridge" in other.get("/desk").text
    assert "2 sheets waiting for the deputy’s reading" in site.get("/desk").text
    items = {item.power: item for item in desk.items(office, deputy)}
    first, second = (f"{here}/{items[power].id}" for power in ("England", "France"))
    page = other.get(first).text
    assert ">A dev - brt</textarea>" in page and "Sign off my reading" in page
    (digest,) = desk.item(office, deputy, items["England"].id).facts["files"]
    assert other.get(f"{first}/pictures/{digest}").status_code == 200
    waits = site.get(first).text
    assert "Sign off my reading" not in waits and "Waiting for a second reading by Deputy" in waits
    assert third.get(first).status_code == 403
    for nobody in (site, third):
        assert nobody.post(f"{first}/transcribe", data={"text": "A dev H", "do": "sign"}).status_code == 403
    same = other.post(f"{first}/transcribe", data={"text": "army devon to brittany", "do": "anyway"})
    assert (same.status_code, same.headers["location"]) == (303, second)
    otherwise = other.post(f"{second}/transcribe", data={"text": "A par H\nA cal - ghe", "do": "anyway"})
    assert (otherwise.status_code, otherwise.headers["location"]) == (303, "/desk")
    work.run_due(office)
    item = item_of(office, boss, "decide", "France")
    address = f"{here}/{item.id}"
    page = site.get(address).text
    rows = [row.split("</tr>")[0] for row in page.split("two-readings")[1].split("<tr")[2:]]
    assert [("differs" in row) for row in rows] == [False, True]
    assert "A cal - dij" in rows[1] and "A cal - ghe" in rows[1]
    assert ">A par H\nA cal - dij</textarea>" in page
    taken = site.post(f"{address}/transcribe", data={"text": "A par H", "reading": "1", "reason": "a g"})
    assert ">A par H\nA cal - ghe</textarea>" in taken.text and 'value="a g"' in taken.text
    bare = site.post(f"{address}/transcribe", data={"text": "A par H\nA cal - ghe", "do": "anyway"})
    assert bare.status_code == 422 and "Give a reason" in bare.text and "A cal - ghe</textarea>" in bare.text
    decided = {"text": "A par H\nA cal - ghe", "do": "anyway", "reason": "it is a g"}
    assert site.post(f"{address}/transcribe", data=decided).status_code == 303
    work.run_due(office)
    assert turn_now(office, boss, record.key).state == "judged"
    assert site.post(f"{here}/deputy", data={"do": "end"}).status_code == 303
    assert "Name a deputy" in site.get(f"{here}/players").text and other.get(first).status_code == 403


@pytest.mark.clause("W-20e")
def test_versions_are_chosen_and_revisions_decided(office: Office, clock: SimulatedClock, visitor: Visitor) -> None:
    record, players, boss = postal(office)
    site = visitor(boss)
    for text in ("A dev H", "v2 replaces v1 only if France agrees\nA dev - brt"):
        submissions.submit(office, players["England"], record.key, "England", text)
    submissions.register_posted(office, boss, record.key, "England")
    submissions.submit(office, players["France"], record.key, "France", "A par H")
    close_turn(office, clock, record)
    choice = item_of(office, boss, "choose", "England")
    address = f"/desk/{record.key}/{choice.id}"
    shown = site.get(address).text
    assert "only if France agrees" in shown and "Version 3" in shown
    first = str(choice.submissions[0])
    assert "Written beside the photographs" not in site.get(address).text
    refused = site.post(f"{address}/choose", data={"version": first, "reason": ""})
    assert refused.status_code == 422 and f'value="{first}" checked' in refused.text
    assert "Choose the version" in site.post(f"{address}/choose", data={"reason": "so"}).text
    chosen = site.post(f"{address}/choose", data={"version": first, "reason": "France had not agreed"})
    revision = item_of(office, boss, "unposted", "France")
    assert chosen.headers["location"] == f"/desk/{record.key}/{revision.id}"
    there = f"/desk/{record.key}/{revision.id}"
    assert site.post(f"{there}/unposted", data={"do": "accept", "reason": ""}).status_code == 422
    assert site.post(f"{there}/unposted", data={"do": "accept", "reason": "the strike"}).status_code == 303
    work.run_due(office)
    assert turn_now(office, boss, record.key).state == "judged"


def test_mails_are_matched_and_failures_tried_again(office: Office, visitor: Visitor) -> None:
    record, players, boss = postal(office)
    number = unmatched_mail(office, game=record.key, power="England", text="A dev H", why="no such address")
    site, address = visitor(boss), f"/desk/{record.key}/{number}"
    shown = site.get(address).text
    assert "x@example.org" in shown and "A dev H" not in shown and f"{record.key} England" in shown
    assert site.post(f"{address}/assign", data={"seat": ""}).status_code == 422
    assert site.post(f"{address}/assign", data={"seat": f"{record.key} England"}).status_code == 303
    assert "England in" in site.get(address).text  # it lies there until the player has confirmed it
    assert site.post(f"{address}/settle", data={"note": "it was another’s"}).status_code == 303
    late = unmatched_mail(office, "y@example.org", record.key, text="buy")
    assert visitor(players["France"]).get(f"/desk/{record.key}/{late}").status_code == 403
    assert site.get(f"/desk/another/{late}").status_code == 404
    assert site.post(f"/desk/{record.key}/{late}/settle", data={"note": "spam"}).status_code == 303
    assert desk.items(office, boss) == []
