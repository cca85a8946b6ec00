"""Games by post, by all the ways in which people write and read: the roster (W-23), days of post by route, dated
absences that lend units to an ally (W-12), the letters at a year's end (W-21a), and the postbag, one scan of all opened
letters."""

import contextlib
import io
from datetime import date, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from fastapi.testclient import TestClient
from icalendar import Calendar
from PIL import Image

from legation import load
from legation.feeds.games import game_calendar
from legation.game.sheets import interpret_sheet
from legation.office.desk import desk, postbag, readings
from legation.office.errors import ConflictError, InvalidInputError, NotAllowedError, NotFoundError, UnavailableError
from legation.office.game import processing, seats
from legation.office.hosting import absences, deadlines, games, roster, year_letters
from legation.office.identity import people
from legation.office.operation import work
from legation.office.orders import order_codes, submissions
from legation.office.orders.order_codes import SheetCode, read_order_sheet_code
from legation.office.orders.pictures import PictureError, decode
from legation.office.store.rows import GameRow
from legation.print.games import GamePapers
from legation.print.roster import cards
from legation.print.serving import bound
from tests.cli.test_commands import run
from tests.mail.conftest import START, World, body
from tests.mail.test_handling import secret_in
from tests.office.playing import CONSOLE, alter, begin, gather, passes, person, refuses, turn_now
from tests.print.papers import address, pages_of, roster_of, text_of
from tests.service.conftest import POSTAL, served
from tests.web.clients import client_of
from tests.web.forms import press

BY_LETTER = {**POSTAL, "opening_by_post": False, "channels": {"Movement": ["post"]}}
LAST = date(2026, 3, 14)  # the last calendar day before the orders are due


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
        address(n, ("House of the very long name", f"{n} Street", "Town"), "United Kingdom", f"2026-03-0{n}")
        for n in range(1, 9)
    )
    pdf = cards([roster_of(*(("Crown", f"Person {n}", stays) for n in range(9)))], "", date(2026, 3, 2))
    assert len(pages_of(pdf)) == 2
    assert text_of(pdf, 1).count("8 Street") == 8, "nothing is cut off"


# Routes


def begin_with_routes(world: World) -> None:
    """England and the coordinator are in England, France in Mexico, Burgundy in France."""
    world.begin(**POSTAL)
    countries = {"England": "england", "France": "Mexico", "Burgundy": "France"}
    for who, country in ((world.host, "England"), *((world.players[p], c) for p, c in countries.items())):
        roster.add_address(world.office, who, [f"1 {country} Street"], country, primary=True)
    world.settle()


def test_the_desk_sets_days_by_route_and_roster_and_mails_tell_the_days_to_post_by(
    world: World, tmp_path: Path
) -> None:
    begin_with_routes(world)
    office, key, app = world.office, world.game.key, served(world.office)
    desk = client_of(app, office, world.host)
    form = {"post_routes": "England - Mexico: 9\nEngland - England: 2\nFrance - England: 4", "post_days": "6"}
    assert press(desk, f"/desk/{key}", "Save settings", form).status_code == 303
    assert games.game(office, world.host, key).settings["post_routes"]["England - Mexico"] == 9
    for power, days in (("England", 2), ("France", 9), ("Burgundy", 4)):
        assert deadlines.days_in_post(office, world.players[power], key) == days
        (due,) = deadlines.coming(office, world.players[power], key, 1)
        assert due.post_by == (LAST - timedelta(days=days)).isoformat(), "orders go to the coordinator"
    ways = {line.power: line for line in roster.roster(office, world.players["England"], key)}
    assert [ways[power].days for power in ("France", "Burgundy")] == [9, 4]
    mexican = {line.power: line for line in roster.roster(office, world.players["France"], key)}
    assert [mexican[power].days for power in ("England", "Burgundy")] == [9, 6], "no route: as the game is set"
    answer = world.write("England", "ROSTER")
    page = client_of(app, office, world.players["England"]).get(f"/games/{key}/roster").text
    paper = text_of(GamePapers(office, world.players["England"], key).roster())
    shown = run("office", "-C", str(tmp_path / "office"), "roster", key).stdout
    assert "9 days in the post; post by Thu 5 Mar 2026" in answer and "4 days in the post" in answer
    assert "A letter of yours takes 9 days; post by Thu 5 Mar 2026" in " ".join(page.split())
    assert "A letter of yours takes 9 days, post by 5 March 2026" in paper and "Days of post" in paper
    assert "England – Mexico 9 days, post by 5 March 2026" in paper and "England 2 days" in paper
    assert "days in the post" in shown
    feed = Calendar.from_ical(game_calendar(office, world.players["France"], key))
    dates = [e.decoded("DTSTART") for e in feed.walk("VEVENT")]
    assert LAST - timedelta(days=9) in dates


def test_each_player_is_reminded_a_day_before_the_own_last_day_to_post(world: World) -> None:
    begin_with_routes(world)
    office, key = world.office, world.game.key
    games.set_settings(office, world.host, key, {"post_routes": {"England - Mexico": 9, "England - England": 2}})
    turn = games.game(office, world.host, key).turn
    assert turn is not None
    deadlines.extend(office, world.host, key, turn.deadline + timedelta(days=1), "the post is on strike")  # plans anew
    world.settle()

    def reminded(power: str) -> int:
        return len(world.outbox.to(world.address_of(power), "reminder"))

    world.passes(days=4)
    assert [reminded(power) for power in ("France", "England")] == [1, 0]
    assert "Post by Fri 6 Mar 2026" in world.told("France", "reminder")
    world.passes(days=7, hours=12)
    assert reminded("England") >= 1


def test_a_single_address_has_days_of_its_own_and_the_address_on_the_letter_follows(world: World) -> None:
    begin_with_routes(world)
    office, key, boss = world.office, world.game.key, world.host
    games.set_settings(office, boss, key, {"post_routes": {"England - Mexico": 9}})
    site = client_of(served(office), office, world.players["France"])
    own = {"lines": "Poste restante", "country": "Mexico", "first": "2026-03-05", "last": "2026-03-09", "days": "3"}
    assert press(site, "/me", "Add", own, action="/me/addresses").status_code == 303
    assert "3 days by post" in site.get("/me").text
    (line,) = [one for one in roster.roster(office, boss, key) if one.power == "France"]
    assert line.days == 3 and line.then is not None and line.then.lines == ("Poste restante",)
    assert "Poste restante" in text_of(GamePapers(office, boss, key).labels())
    assert "1 Mexico Street" in text_of(GamePapers(office, boss, key, 9).labels()), "as somebody says"
    world.clock.set(START + timedelta(days=5))  # it would come when the traveller has left
    (line,) = [one for one in roster.roster(office, boss, key) if one.power == "France"]
    assert line.address is not None and line.address.lines == ("Poste restante",)
    assert line.days == 9 and line.then is not None and line.then.lines == ("1 Mexico Street",)


@pytest.mark.parametrize(
    ("routes", "fault"),
    [
        ({"England": 3}, "write two countries"),
        ({"England - Spain": 99}, "from 0 to 60 days"),
        ({"England - Spain": 3, "spain – England": 4}, "each pair of countries once"),
    ],
)
def test_routes_that_are_none_are_refused(world: World, routes: dict[str, int], fault: str) -> None:
    begin_with_routes(world)
    with pytest.raises(InvalidInputError, match=fault):
        games.set_settings(world.office, world.host, world.game.key, {"post_routes": routes})


# Absences


def attached(mail: EmailMessage) -> dict[str, bytes]:
    return {str(part.get_filename()): part.get_content() for part in mail.iter_attachments()}


@pytest.mark.clause("W-12a")
def test_an_absence_over_a_deadline_offers_the_sheet_on_the_page(world: World) -> None:
    world.begin("three-kingdoms", powers=2, **POSTAL)
    world.settle()
    office, (power, player) = world.office, next(iter(world.players.items()))
    site = client_of(served(office), office, player)
    for first, last, offered in (("2026-03-03", "2026-03-05", 0), ("2026-03-10", "2026-03-20", 1)):
        sent = {"first": first, "last": last, "note": "at sea"}
        assert press(site, "/me", "Add", sent, action="/me/absences").status_code == 303
        assert site.get("/me").text.count("You’re away when orders for") == offered
    page = site.get("/me").text
    assert "orders for Summer 1642 Movement of Powick Bridge are due" in page
    assert "Place all my units under the orders of" in page
    (offer,) = absences.lendings(office, player)
    assert power not in offer.allies and len(offer.allies) == 9
    assert 'action="/games/powick-bridge/print/lending.pdf"' in page
    asked = {"power": power, "turn": offer.turn, "to": offer.allies[0]}
    sheet = site.get("/games/powick-bridge/print/lending.pdf", params=asked)
    line = f"Place all my units under the orders of {offer.allies[0]}."
    text = text_of(sheet.content)
    assert pages_of(sheet.content) == [(210.0, 297.0)] and line in text
    assert f"Powick Bridge - {power} - Summer 1642 - Movement Orders - v1" in text
    assert read_order_sheet_code(sheet.content) == SheetCode("powick-bridge", power, "Summer 1642 Movement")
    rules = load("three-kingdoms")
    read = interpret_sheet(rules, rules.opening(), power, line).check
    assert len(read.sheet.orders) == 7 and not read.missing, "the line orders every unit"
    assert site.post(f"/me/absences/{absences.absences(office, player)[-1].id}/remove").status_code == 303
    assert not absences.lendings(office, player)


def test_an_absence_that_is_mailed_is_answered_with_the_sheet(world: World) -> None:
    world.begin("three-kingdoms", powers=2, **POSTAL)
    world.settle()
    power = next(iter(world.players))
    answer = world.write(power, "SET ABSENCE 10 Mar TO 20 Mar")
    assert "You're away when orders for Summer 1642 Movement of Powick Bridge are due" in answer
    mail = world.outbox.to(world.address_of(power), "answer")[-1]
    text = text_of(attached(mail)["powick-bridge-lending.pdf"])
    assert "Place all my units under the orders of" in text and power in text
    world.write(power, "SET ABSENCE 3 Mar")
    assert "You're away when" in body(world.outbox.to(world.address_of(power), "answer")[-1]), "the other one stands"


def test_a_movement_that_is_planned_has_a_sheet_too(world: World) -> None:
    world.begin("three-kingdoms", powers=2, **POSTAL)
    world.settle()
    office, (power, player) = world.office, next(iter(world.players.items()))
    absences.announce(office, player, "2026-03-25", "2026-04-05")
    (offer,) = absences.lendings(office, player)
    assert offer.turn == "Autumn 1642 Movement"
    pdf = GamePapers(office, player, offer.game).lending(power, offer.turn)
    assert read_order_sheet_code(pdf) == SheetCode("powick-bridge", power, "Autumn 1642 Movement")
    other = next(p for p in world.players if p != power)
    for named, turn, ally in ((other, "", ""), (power, "", "Nobody"), (power, "", power)):
        refuses(NotFoundError, GamePapers(office, player, offer.game).lending, named, turn, ally)
    refuses(ConflictError, GamePapers(office, player, offer.game).lending, power, "Winter 1643 Adjustments")


def test_without_such_a_rule_nothing_is_offered(world: World) -> None:
    world.begin("three-kingdoms", powers=2, **POSTAL)
    world.settle()
    world.begin("hundred", name="Naseby", **POSTAL)
    player = world.players["France"]
    absences.announce(world.office, player, "2026-03-10", "2026-03-20")
    assert not [offer for offer in absences.lendings(world.office, player) if offer.name == "Naseby"]
    refuses(ConflictError, GamePapers(world.office, player, world.game.key).lending, "France")


# The year's letters


def year_ends(world: World) -> None:
    """Nothing is ordered until the adjustments are published."""
    for _ in range(20):
        turn = turn_now(world.office, world.host, world.game.key)
        if turn.state == "judged":
            processing.publish_draft(world.office, world.host, world.game.key)
            work.run_due(world.office)
            if turn.name.endswith("Adjustments"):
                return
        elif any(item.kind == "final" for item in desk.items(world.office, world.host, world.game.key)):
            processing.publish_final(world.office, world.host, world.game.key)
        else:
            due = work.next_due(world.office)
            world.clock.set(max(due or world.clock.now(), world.clock.now()))
        work.run_due(world.office)
    pytest.fail("no year ended")


@pytest.mark.clause("W-21a")
def test_after_the_adjustments_the_desk_lists_a_letter_for_each_player(world: World, tmp_path: Path) -> None:
    world.begin(**BY_LETTER)
    office, host, key = world.office, world.host, world.game.key
    for power, who in world.players.items():
        roster.add_address(office, who, [f"1 {power} Street"], "England", primary=True)
    roster.add_address(office, host, ["1 Fish Street"], "England", primary=True)
    roster.share_address(office, world.players["Burgundy"], key, "Burgundy", False)
    assert year_letters.year_letters(office, host, key) is None
    refuses(ConflictError, year_letters.posted_letter, office, host, key, "France")
    year_ends(world)
    (item,) = [item for item in desk.items(office, host, key) if item.kind == "letters"]
    assert item.text == "The year has ended: 3 letters to print and post." and item.page == f"/desk/{key}/letters"
    site = client_of(served(office), office, host)
    page = site.get(item.page).text
    for power in world.players:
        assert f"1 {power} Street" in page
        letter = site.get(f"/games/{key}/print/letters.pdf?power={power}")
        assert f"1 {power} Street" in text_of(letter.content)
    label = text_of(site.get(f"/games/{key}/print/labels.pdf?power=France").content)
    assert "1 France Street" in label and "England Street" not in label
    enclosed = text_of(site.get(f"/games/{key}/print/roster.pdf?power=France").content)
    assert "1 England Street" in enclosed and "1 Burgundy Street" not in enclosed, "as the player sees it"
    assert pages_of(site.get(f"/games/{key}/print/map.pdf?power=France").content)
    for day in ("2026-01-01", (world.clock.now() + timedelta(days=1)).date().isoformat()):
        answer = site.post(f"{item.page}/posted", data={"power": "France", "day": day})
        assert answer.status_code == 422 and "A letter is posted after the results are out" in answer.text
    at, day = ("office", "-C", str(tmp_path / "office")), world.clock.now().date().isoformat()
    assert "1 Burgundy Street" in (told := run(*at, "letters", key).stdout) and day not in told
    assert day in run(*at, "letters", key, "Burgundy", "--on", day).stdout
    for power in world.players:
        assert any(i.kind == "letters" for i in desk.items(office, host, key))
        assert site.post(f"{item.page}/posted", data={"power": power}).status_code == 303
    assert not any(i.kind == "letters" for i in desk.items(office, host, key))
    assert site.get(item.page).text.count("Posted on ") == 3
    refuses(NotAllowedError, year_letters.posted_letter, office, world.players["France"], key, "France")
    refuses(InvalidInputError, year_letters.posted_letter, office, CONSOLE, key, "France", "tomorrow")


def test_a_game_without_post_asks_for_no_letters(world: World) -> None:
    world.begin(**{**BY_LETTER, "channels": {}, "photographs_only": False})
    year_ends(world)
    assert not any(i.kind == "letters" for i in desk.items(world.office, world.host, world.game.key))


# The postbag


def scan(world: World, *powers: str) -> bytes:
    """One PDF of what was in the envelopes: of each power the printed sheet, or for none a page without a code."""
    return bound([_page(GamePapers(world.office, world.host, world.game.key), power) for power in powers])


KEPT: dict[str, bytes] = {}
"""Pages by power: they are the same in every test, whose games are."""


def _page(papers: GamePapers, power: str) -> bytes:
    if power not in KEPT:
        out = io.BytesIO()
        if power:
            packet = pypdfium2.PdfDocument(papers.packet(power))
            one = pypdfium2.PdfDocument.new()
            one.import_pages(packet, [len(packet) - 1])
            one.save(out)
        else:
            Image.effect_noise((600, 800), 40).convert("RGB").save(out, "PDF")
        KEPT[power] = out.getvalue()
    return KEPT[power]


def close(world: World) -> None:
    turn = turn_now(world.office, world.host, world.game.key)
    passes(world.office, world.clock, turn.deadline)


def put_in(site: TestClient, key: str, pdf: bytes, status: int = 200) -> str:
    answer = site.post(f"/desk/{key}/postbag", files={"pictures": ("letters.pdf", pdf, "application/pdf")})
    assert answer.status_code == status, answer.text[-400:]
    return answer.text


@pytest.mark.clause("W-20d")
def test_nothing_of_a_postbag_is_read_before_the_deadline(
    world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    world.begin(**POSTAL)
    looked: list[str] = []
    monkeypatch.setattr(order_codes, "decode", lambda *given: looked.append(str(given)))
    key, site = world.game.key, client_of(served(world.office), world.office, world.host)
    submissions.register_posted(world.office, world.host, key, "France")
    pdf = scan(world, "France")
    assert "Keep the envelopes closed" in site.get(f"/desk/{key}/postbag").text
    assert "Keep the envelopes closed" in put_in(site, key, pdf, 409)
    (tmp_path / "letters.pdf").write_bytes(pdf)
    said = run("office", "-C", str(tmp_path / "office"), "postbag", key, str(tmp_path / "letters.pdf"))
    assert "Keep the envelopes closed" in said.stderr and not looked
    with pytest.raises(ConflictError, match="Keep the envelopes closed"):
        postbag.file_pages(world.office, world.host, key, [("p", b"x", "image/png", "")])


@pytest.mark.clause("W-20a", "W-21a")
def test_pages_are_sorted_by_their_codes_and_the_others_wait_to_be_named(world: World) -> None:
    world.begin(**POSTAL)
    office, host, key = world.office, world.host, world.game.key
    pdf = scan(world, "France", "", "England", "Burgundy")
    for power in ("France", "England"):
        submissions.register_posted(office, host, key, power)
    submissions.register_posted(office, host, key, "England")  # two envelopes
    close(world)
    site = client_of(served(office), office, host)
    page = put_in(site, key, pdf)
    assert "France: 1 page" in " ".join(page.split())
    assert "no code" in page and "the sheet of England; 2 letters were registered" in page
    assert "the sheet of Burgundy; no letter was registered" in page
    (item,) = [item for item in desk.items(office, host, key) if item.kind == "postbag"]
    assert item.text.startswith("3 pages") and item.page == f"/desk/{key}/postbag"
    (reading,) = [i for i in desk.items(office, host, key) if i.kind == "transcribe" and i.power == "France"]
    (digest,) = desk.item(office, host, reading.id).facts["files"]
    assert readings.picture(office, host, reading.id, digest)[2].startswith(b"\x89PNG")
    bag = postbag.postbag(office, host, key)
    assert bag.letters == {"England": (1, 2), "France": (1,)}
    waiting = {page.why.partition(";")[0]: page.page for page in bag.waiting}
    shown = site.get(f"/desk/{key}/postbag/{waiting['no code']}")
    assert shown.headers["content-type"] == "image/png" and "no-store" in shown.headers["cache-control"]
    work.run_due(office)
    assert not work.orphans(office)
    unnamed = {"page": str(waiting["no code"]), "letter": "", "do": "name"}
    assert "Choose the letter" in site.post(f"/desk/{key}/postbag/name", data=unnamed).text
    for number, letter, do in (
        (waiting["no code"], "France 1", "name"),
        (waiting["the sheet of England"], "England 1", "name"),
        (waiting["the sheet of Burgundy"], "", "drop"),
    ):
        data = {"page": str(number), "letter": letter, "do": do}
        assert site.post(f"/desk/{key}/postbag/name", data=data).status_code == 303
    assert not [item for item in desk.items(office, host, key) if item.kind == "postbag"]
    assert len(desk.item(office, host, reading.id).facts["files"]) == 2
    # the page belongs to version 1 of England, whichever of both is chosen
    (asked,) = [i for i in desk.items(office, host, key) if i.kind == "transcribe" and i.power == "England"]
    came = submissions.overview(office, host, key)
    (first,) = [s.id for s in came if s.power == "England" and s.version == 1]
    assert not desk.item(office, host, asked.id).facts["files"]
    assert len(desk.item(office, host, asked.id).facts["pictures"]["1"]) == 1
    chosen = [i for i in desk.items(office, host, key) if i.kind == "choose" and i.power == "England"]
    readings.choose(office, host, chosen[0].id, first, "the first envelope says so")
    (asked,) = [i for i in desk.items(office, host, key) if i.kind == "transcribe" and i.power == "England"]
    assert len(desk.item(office, host, asked.id).facts["files"]) == 1


@pytest.mark.long
def test_a_postbag_at_the_terminal(world: World, tmp_path: Path) -> None:
    world.begin(**POSTAL)
    office, host, key = world.office, world.host, world.game.key
    (tmp_path / "letters.pdf").write_bytes(scan(world, "France", "England", ""))
    for power in ("France", "England"):
        submissions.register_posted(office, host, key, power)
    close(world)
    at = ("office", "-C", str(tmp_path / "office"))
    said = run(*at, "postbag", key, str(tmp_path / "letters.pdf"), "-o", str(tmp_path / "pages")).stdout
    assert "France: 1 page filed" in said and "England: 1 page filed" in said and "no code" in said
    (page,) = postbag.postbag(office, host, key).waiting
    assert len(list((tmp_path / "pages").iterdir())) == 1
    assert "France: 1 page filed" in run(*at, "name-page", key, str(page.page), "France").stdout
    assert "No page waits" in run(*at, "postbag", key).stdout
    refuses(NotAllowedError, postbag.postbag, office, world.players["France"], key)


def test_the_same_page_is_kept_once(world: World) -> None:
    world.begin(**POSTAL)
    office, host, key = world.office, world.host, world.game.key
    pdf = scan(world, "France", "")
    submissions.register_posted(office, host, key, "France")
    close(world)
    site = client_of(served(office), office, host)
    for _ in range(2):
        put_in(site, key, pdf)
    assert len(postbag.postbag(office, host, key).waiting) == 1
    (reading,) = [i for i in desk.items(office, host, key) if i.kind == "transcribe" and i.power == "France"]
    assert len(desk.item(office, host, reading.id).facts["files"]) == 1
    assert "isn't a JPEG, PNG, HEIC or PDF" in put_in(site, key, b"not a picture", 422).replace("&#39;", "'")


@pytest.mark.long
def test_a_scan_that_would_eat_the_memory_is_refused_before_its_pages_are_made(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.begin(**POSTAL)
    pdf, made = scan(world, "", ""), []
    monkeypatch.setattr(order_codes, "MOST_TOGETHER", 3)
    whole = decode

    def counted(returns: Any, function: str, *given: Any) -> Any:
        made.append(function.rpartition(":")[2])
        return whole(returns, function, *given)

    monkeypatch.setattr(order_codes, "decode", counted)
    with pytest.raises(PictureError, match="have 4 pages; at most 3"):
        order_codes.scanned_pages([("one.pdf", pdf), ("two.pdf", pdf)])
    assert made == ["pages_in"] * 2
    monkeypatch.setattr(order_codes, "MOST_BYTES", 1000)
    refuses(PictureError, order_codes.scanned_pages, [("one.pdf", pdf)]).match("send fewer at once")


def test_scans_wait_for_each_other_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_codes, "PATIENCE", 0.01)
    with contextlib.ExitStack() as others:
        for _ in range(2):
            others.enter_context(order_codes._reading)
        refuses(UnavailableError, order_codes.scanned_pages, [("one.pdf", b"%PDF-")]).match("Other scans")
