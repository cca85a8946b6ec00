"""The roster (W-23), by the ways in which people give and find addresses: pages, mail and paper."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from legation.office.game import seats
from legation.office.hosting import games, roster
from legation.office.identity import people
from legation.office.store.rows import GameRow
from legation.print.records import Address, Stay
from legation.print.roster import PersonCard, cards
from tests.cli.test_commands import run
from tests.mail.conftest import World
from tests.mail.test_handling import secret_in
from tests.office.playing import alter, begin, gather, person
from tests.print.papers import pages_of, text_of
from tests.service.conftest import POSTAL, served
from tests.web.clients import client_of


def let_through(world: World, address: str, text: str) -> str:
    """Mail from somebody for whom nobody vouches, which they then say is theirs; the answer."""
    world.deliver(world.mail(address, "orders@office.example", text, "Naseby"))
    link = secret_in(world.outbox.to(address, "release")[-1], "release")
    assert client_of(served(world.office), world.office).post(f"/release/{link}").status_code < 400
    return world.told(address)


@pytest.mark.clause("W-23")
def test_a_game_by_post_asks_for_the_address_at_sign_up_and_shares_it_unless_one_says_no(world: World) -> None:
    office, boss = world.office, person(world.office, "Boss")
    key = gather(office, boss, "Naseby", **POSTAL).key
    ann, ben, eve = (person(office, name) for name in ("ann", "ben", "eve"))
    app = served(office)
    for who, sent in (
        (ann, {"lines": "2 Rue Neuve\nParis", "country": "France", "shares": "yes", "wish": "France"}),
        (ben, {"lines": "1 High Street", "country": "England", "wish": "England"}),  # the box was cleared
    ):
        site = client_of(app, office, who)
        page = site.get(f"/games/{key}").text
        assert "Your postal address" in page and 'name="shares" value="yes" checked' in page
        assert site.post(f"/games/{key}/sign-up", data={**sent, "secret": ""}).status_code == 303
    again = client_of(app, office, ben).get(f"/games/{key}").text
    assert "1 High Street, England" in again and 'name="shares" value="yes">' in again, "what was said is kept"
    answer = let_through(world, "eve@example.org", "JOIN Naseby")
    assert "Add your postal address" in answer and "answer SET NOSHARE" in answer
    roster.add_address(office, eve, ["3 Dam"], "Belgium", primary=True)
    assert [s.shared for who in (ann, ben, eve) for s in roster.sharing(office, who)] == [True, False, True]
    games.start(office, boss, key)
    world.settle()
    seen = {line.power: line.address for line in roster.roster(office, ann, key)}
    assert seen["France"] is not None and seen["England"] is None and seen["Burgundy"] is not None


@pytest.mark.clause("W-23")
def test_who_waits_for_the_deal_says_no_by_mail_or_on_the_own_page(world: World) -> None:
    office, boss, ann = world.office, person(world.office, "Boss"), person(world.office, "ann")
    key = gather(office, boss, "Naseby", **POSTAL).key
    seats.sign_up(office, ann, key, ["France"])
    site = client_of(served(office), office, ann)
    assert "Stop sharing with the players of Naseby" in site.get("/me").text
    assert site.post(f"/games/{key}/share", data={"power": "", "on": "no", "from": "me"}).status_code == 303
    assert not roster.sharing(office, ann)[0].shared
    assert games.game(office, ann, key).wishes == ("France",)
    seats.sign_up(office, ann, key, ["England"])
    assert not roster.sharing(office, ann)[0].shared, "other wishes change nothing about it"
    assert site.post(f"/games/{key}/share", data={"power": "", "on": "yes", "from": "me"}).status_code == 303
    answer = let_through(world, "ann@example.org", "SET NOSHARE")
    assert "Players of Naseby won't see your postal address" in answer
    assert not roster.sharing(office, ann)[0].shared


@pytest.mark.clause("W-23")
def test_a_seat_taken_over_by_an_invitation_asks_for_the_address_too(world: World) -> None:
    world.begin(**POSTAL)
    office, key, heir = world.office, world.game.key, person(world.office, "heir")
    seats.vacate(office, world.host, key, "France", "gone")
    secret = games.invite(office, world.host, key, "heir@example.org", "France").secret
    site = client_of(served(office), office, heir)
    assert "Your postal address" in site.get(f"/games/{key}/invitation/{secret}").text
    data = {"power": "France", "secret": secret, "lines": "9 Quai Vieux", "country": "France", "shares": "yes"}
    assert site.post(f"/games/{key}/take-over", data=data).status_code == 303
    (line,) = [one for one in roster.roster(office, world.players["England"], key) if one.power == "France"]
    assert line.address is not None and line.address.lines == ("9 Quai Vieux",)


@pytest.mark.long
@pytest.mark.clause("W-23")
def test_the_roster_has_all_games_of_the_coordinator_with_dated_travel(world: World, tmp_path: Path) -> None:
    """On the page, by mail, on paper and at the terminal; another game's addresses are for those who play it."""
    office = world.office
    world.begin(**POSTAL)
    this, mine = world.game, world.players
    roster.add_address(office, mine["France"], ["2 Rue Neuve"], "France", primary=True)
    roster.add_address(office, mine["France"], ["Hotel Sol"], "Spain", first="2026-03-10", last="2026-03-20")
    other, theirs, _ = begin(office, name="Marston Moor", folk="Other", **POSTAL)
    people.rename(office, theirs["England"], "Olga Other")
    roster.add_address(office, theirs["England"], ["7 Moor Lane"], "England", primary=True)
    masked, _, _ = begin(office, name="Edgehill", folk="Masked", **{**POSTAL, "anonymous": True})
    world.settle()
    alter(office, GameRow, {"coordinator": world.host.person}, key=[other.key, masked.key])
    app = served(office)
    answer = world.write("England", "ROSTER")
    page = client_of(app, office, mine["England"]).get(f"/games/{this.key}/roster").text
    papers = text_of(client_of(app, office, mine["England"]).get(f"/games/{this.key}/print/roster.pdf").content)
    shown = run(
        "office", "-C", str(tmp_path / "office"), "--as", mine["England"].name + "@example.org", "roster", this.key
    ).stdout
    for text in (answer, page, papers, shown):
        for part in ("Marston Moor", "Olga Other", "2 Rue Neuve", "Hotel Sol"):
            assert part.casefold() in text.casefold(), (part, text)
        assert "Edgehill" not in text and "Masked" not in text
    assert "from Tue 10 Mar 2026 to Fri 20 Mar 2026: Hotel Sol, Spain" in answer
    assert "from 10 March 2026 to 20 March 2026" in papers
    for text in (answer, page, papers):
        assert "7 Moor Lane" not in text, "they are told to the players of that game"
    assert "Only its players see their addresses." in page
    for text in (
        client_of(app, office, world.host).get(f"/games/{this.key}/roster").text,
        text_of(client_of(app, office, world.host).get(f"/games/{this.key}/print/roster.pdf").content),
    ):
        assert "7 Moor Lane" in text and "2 Rue Neuve" in text


@pytest.mark.clause("W-23")
def test_there_is_a_card_for_each_person_with_all_that_they_play(world: World) -> None:
    office = world.office
    world.begin(**POSTAL)
    people.rename(office, world.players["France"], "Fleur Français")
    roster.add_address(office, world.players["France"], ["2 Rue Neuve"], "France", primary=True)
    roster.add_address(office, world.players["France"], ["Hotel Sol"], "Spain", first="2026-03-10", last="2026-03-20")
    roster.add_address(office, world.host, ["1 Fish Street"], "England", primary=True)
    site = client_of(served(office), office, world.players["England"])
    pdf = site.get(f"/games/{world.game.key}/print/cards.pdf").content
    assert pages_of(pdf) == [(210.0, 297.0)], "the coordinator and three players"
    text = text_of(pdf)
    assert text.count("Fleur Français") == 1 and text.count("The Coordinator") == 1
    for part in ("France, Powick Bridge", "2 Rue Neuve", "Hotel Sol", "from 10 March 2026 to 20 March 2026"):
        assert part in text
    assert "1 Fish Street" in text and "no address shared" in text


def test_many_cards_and_long_ones_fit() -> None:
    stays = tuple(
        Stay(Address("Ada", ("House of the very long name", f"{n} Street", "Town"), "United Kingdom"), date(2026, 3, n))
        for n in range(1, 9)
    )
    people_told = [PersonCard(f"Person {n}", (("Powick Bridge", "Crown"),), stays) for n in range(9)]
    pdf = cards(people_told, date(2026, 3, 2))
    assert len(pages_of(pdf)) == 2
    assert text_of(pdf, 1).count("8 Street") == 8, "nothing is cut off"
