"""Pages of a game in Chromium: a newcomer plays one to its end on a simulated clock, by map and text; what waits goes
on by itself, times are the reader's, and what the keyboard comes to in the fog is said to be out of sight."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from legation.bots import levels
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import mailings
from legation.office.game import seats
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.variants import load
from legation.web import create_app
from tests.office.playing import begin, passes, person
from tests.office.test_hidden_senders import World, foggy_office  # noqa: F401
from tests.sampling import some
from tests.serving import served
from tests.web.visiting import DESK, LANDSCAPE, TOUCHED, Visit, visited

pytestmark = pytest.mark.browser

GAME = "powick-bridge"
SCRIPT = [  # what the others send, turn by turn; the newcomer is France
    {"England": "A nmd - par\nA cal S A nmd - par", "Burgundy": "A dij S A nmd - par"},
    {},
    {"England": "A par H", "Burgundy": "A dij - lor"},
    {"England": "waive"},
    {"England": "draw", "Burgundy": "draw"},
]


class Club:
    """An office, a game that waits for its third player, and the other two."""

    def __init__(self, office: Office, clock: SimulatedClock) -> None:
        self.office, self.clock = office, clock
        host = person(office, "Host")
        games.create(office, host, {"name": "Powick Bridge", "variant": "hundred", "settings": {"ready_ends": False}})
        self.others = {power: person(office, f"{power}er") for power in ("England", "Burgundy")}
        for power, actor in self.others.items():
            seats.sign_up(office, actor, GAME, [power])

    def link(self) -> str:
        """Where the last mailed link leads."""
        (*_, last) = [m for m in mailings.claim(self.office, limit=100) if m.kind == "sign in"]
        return f"/sign-in/{last.facts['secret']}?next={last.facts['next']}"

    def judge(self, turn: int) -> None:
        """The others send, and a day passes."""
        for power, text in SCRIPT[turn].items():
            submissions.submit(self.office, self.others[power].by("api"), GAME, power, text)
        passes(self.office, self.clock, timedelta(days=1, minutes=1))


@pytest.fixture(name="address")
def office_address(office: Office) -> Iterator[str]:
    with served(create_app(office)) as here:
        yield here


@pytest.fixture(name="club")
def playing_club(office: Office, clock: SimulatedClock) -> Club:
    return Club(office, clock)


def sign_in_and_join(club: Club, visit: Visit) -> Page:
    """What a newcomer does first."""
    page = visit.go("/games")
    page.get_by_role("link", name="Sign in").first.click()
    page.get_by_label("E-mail address").fill("new@example.org")
    page.get_by_role("button", name="Send link").click()
    expect(page.get_by_role("heading", name="Check your e-mail")).to_be_visible()
    visit.go(club.link())
    page.get_by_label("Your name").fill("Newcomer")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name=re.compile("Powick Bridge")).first.click()
    page.get_by_label("First choice").select_option("France")
    page.get_by_role("button", name="Sign up").click()
    work.run_due(club.office)
    page.wait_for_selector("#chart[data-ready]")  # the page goes on by itself when the game begins
    page.wait_for_selector("html[data-ready]")
    return page


def seal(page: Page, told: str = "is sealed") -> None:
    """Seal the sheet and send it; ``told``: what the page then says, which without scripts checks nothing itself."""
    page.get_by_role("button", name="Review and send", exact=True).first.click()
    expect(page.get_by_role("heading", name="Review France’s orders")).to_be_visible()
    page.get_by_role("button", name="Seal and send", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile(told))).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("phone", [False, True])
def test_a_newcomer_plays_a_game_to_its_end(club: Club, visit: Callable[..., Visit], phone: bool) -> None:
    newcomer = visit(reduced_motion="no-preference", **(TOUCHED if phone else {}))
    page = sign_in_and_join(club, newcomer)
    expect(page.locator("#owed")).to_contain_text("0 of 5 units have orders")
    newcomer.tap("par")
    newcomer.tap("par")
    newcomer.tap("orl")
    newcomer.tap("brt")
    expect(page.locator("#text")).to_have_value("A par H\nA orl - brt\n")
    newcomer.pull_up()
    page.locator("#text").fill("A par H\nA orl - brt\nArmy Dauphine to Cantons\n")
    expect(page.locator("#tally")).to_have_text("3 of 5 units have orders")
    expect(page.locator("#saved")).to_have_text("Kept in this browser")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert "Army Dauphine to Cantons" in newcomer.text()  # nothing is lost
    newcomer.pull_up()
    page.get_by_text("Notes to yourself").click()
    page.get_by_label("Plans, promises").fill("England lied in 1425.")
    page.get_by_text("Try your orders in the sandbox").click()
    page.get_by_role("button", name="Open this position in the sandbox").click()
    expect(page.locator("#text")).to_have_value(re.compile("^France\nA par H\nA orl - brt"))
    page.wait_for_selector("html[data-ready]")
    page.go_back()
    page.wait_for_selector("html[data-ready]")
    expect(page.get_by_label("Plans, promises")).to_have_value("England lied in 1425.")
    newcomer.pull_up()
    seal(page)
    page.get_by_role("link", name="Back to the game").click()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator(".sent")).to_contain_text("Version 1 has been sent")
    club.judge(0)
    page.wait_for_url("**/1425-movement")
    page.wait_for_selector("html[data-ready]")
    newcomer.pull_up()
    page.get_by_role("link", name="Give orders for 1425 Retreats").click()  # the page goes on to the results by itself
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#since[open]")).to_contain_text("Army Paris was dislodged")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#since:not([open])")).to_have_count(1)  # it was seen
    expect(page.locator("#turn-name")).to_have_text("1425 Retreats")
    newcomer.tap("par")
    newcomer.tap("cha")
    expect(page.locator("#text")).to_have_value("A par R cha\n")
    seal(page)
    club.judge(1)
    newcomer.go(f"/games/{GAME}/1425-movement")
    newcomer.pull_up()
    row = page.get_by_role("row", name=re.compile("^A par H"))
    expect(row).to_contain_text("dislodged by an attack from nmd")
    expect(page.locator(".happened")).to_contain_text("France's Army Paris was dislodged")
    page.locator(".folded", has_text="France").locator("summary").click()
    expect(page.get_by_role("row", name=re.compile("^A pro H"))).to_contain_text("holds")
    expect(page.locator('[data-slot="names"] *')).not_to_have_count(0)  # names come last
    row.get_by_role("button").click()
    assert page.evaluate("document.querySelectorAll('.chart .shown').length") > 0
    page.get_by_role("slider", name="Turn").press("ArrowRight")
    expect(page.locator("#turn-name")).to_have_text("1425 Retreats")
    assert page.url.endswith("/1425-retreats")
    page.get_by_role("slider", name="Turn").press("ArrowLeft")
    expect(page.locator(".told")).to_contain_text("1425 Movement. France's Army Paris was dislodged")  # read aloud
    newcomer.go(f"/games/{GAME}")
    newcomer.pull_up()
    page.get_by_role("textbox", name="Your orders").fill("A cha - dij")
    seal(page)
    club.judge(2)
    newcomer.go(f"/games/{GAME}")
    expect(page.locator("#turn-name")).to_have_text("1430 Adjustments")
    expect(page.locator("#open")).to_contain_text("1 to build")
    expect(page.locator("#owed")).to_have_text("1 to build, not sent yet")
    expect(page.locator("#orders-hint .order")).to_have_text(re.compile("^build [AF] ..."))
    newcomer.tap("orl")
    expect(page.locator("#text")).to_have_value("build A orl\n")
    expect(page.locator("#open")).to_contain_text("all builds ordered")
    expect(page.locator("#owed")).to_have_text("all builds ordered, not sent yet")
    seal(page)
    club.judge(3)
    newcomer.go(f"/games/{GAME}")
    newcomer.pull_up()
    page.get_by_role("button", name=re.compile("Vote for a draw")).click()
    seal(page)
    club.judge(4)
    newcomer.go(f"/games/{GAME}")
    expect(page.locator(".panel .notice").first).to_contain_text("The game has ended.")
    expect(page.locator(".strip-due")).to_have_text("A draw between Burgundy, England and France.")
    expect(page.locator("#owed")).to_have_text("shares the draw")
    assert games.game(club.office, Actor.visitor(), GAME).state == "ended"
    assert not newcomer.troubles


@pytest.mark.parametrize("settings", some([{"viewport": DESK}, TOUCHED], 2))
def test_who_plays_now_has_a_board_at_once_and_results_without_asking(
    office: Office, browser: Browser, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any]
) -> None:
    monkeypatch.setattr(levels, "find_spec", lambda name: None)  # bots that need no compiled code
    with visited(office, browser, **settings) as visit:
        page = visit.go("/")
        page.get_by_role("link", name="Play now, no account").click()
        page.get_by_role("button", name="Play France in Hundred", exact=True).click()
        page.wait_for_selector("html[data-ready]")
        seen, whole = page.evaluate("[legation.chart.view[2], legation.chart.full[2]]")
        assert (seen < whole * 0.8) == (settings is TOUCHED), "on a phone the first view is of the own units"
        work.run_due(office)  # the bots send
        visit.tap("par")
        visit.tap("par")
        seal(page)  # and so is ready
        expect(page.locator("main")).to_contain_text("goes on to the results by itself")
        work.run_due(office)
        page.wait_for_url("**/1425-movement")
        expect(page.locator(".results")).to_contain_text("A par H")
        expect(page.get_by_role("link", name=re.compile("Give orders for"))).to_be_visible()


def test_a_tap_that_is_refused_says_why_and_what_is_sent_lies_at_the_foot_of_the_panel(
    office: Office, browser: Browser
) -> None:
    record, players, _ = begin(office, name="The Treaties of Cateau-Cambresis")
    with visited(office, browser, players["France"], reduced_motion="reduce") as visit:
        page = visit.go(f"/games/{record.key}")
        visit.tap("dij")
        expect(page.locator("#status")).to_have_text("Dijon: army of Burgundy: not your unit.")
        visit.tap("par")
        visit.tap("can")
        expect(page.locator("#status")).to_have_text("A par - can: A par cannot reach can.")
        page.fill("#text", "A par H\nA orl - brt\nA dau H\nA tou H\nF pro H\n")
        expect(page.locator("#marks li")).to_have_count(5)
        for size in (DESK, LANDSCAPE):
            page.set_viewport_size(size)
            bar, panel = (page.locator(where).bounding_box() for where in (".seal-acts", ".panel"))
            assert bar and panel and bar["y"] + bar["height"] <= panel["y"] + panel["height"] + 1, "in sight"
            due, left = (page.locator(where).bounding_box() for where in (".strip-due", ".strip-due > .left"))
            assert due and left and left["x"] + left["width"] <= due["x"] + due["width"] + 1, "the time left is whole"


@pytest.mark.long
def test_what_the_map_says_of_an_order_goes_with_its_turn(
    office: Office, clock: SimulatedClock, browser: Browser
) -> None:
    record, players, _ = begin(office)
    for text in ("A par - orl\nA orl - par", "A par - dij\nA dau S A par - dij"):
        submissions.submit(office, players["France"], record.key, "France", text)
        passes(office, clock, timedelta(days=1, minutes=1))
    with visited(office, browser, reduced_motion="reduce") as visit:
        asked: list[str] = []
        visit.page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
        page = visit.go(f"/games/{record.key}/1425-movement")
        assert "time-machine.js" in asked and not {"orders.js", "own-sheet.js"} & {*asked}, "no orders are given here"
        page.get_by_role("button", name="A par - orl").click()
        expect(page.locator(".where")).to_contain_text("A par - orl: bounced")
        page.get_by_role("link", name="Next: 1430 Movement").click()
        expect(page.locator("#turn-name")).to_have_text("1430 Movement")
        expect(page.locator(".where")).to_be_hidden()
        visit.go(f"/games/{record.key}/powers")
        visit.tap("par")
        expect(page.locator(".where")).to_have_text("Paris")
        visit.be(office, players["England"])
        page = visit.go(f"/games/{record.key}")
        visit.tap("lon")
        expect(page.locator("#status")).to_contain_text(
            "London: fleet of England. You have nothing to order in 1430 Retreats"
        )


@pytest.mark.long
@pytest.mark.clause("N-2b")
@pytest.mark.parametrize("phone", [False, True])
def test_a_first_unit_is_placed_by_tapping(
    office: Office, clock: SimulatedClock, browser: Browser, phone: bool
) -> None:
    """The game begins with an empty board: a refused place says why, a coast asks for the kind, and the center in which
    the unit is placed is told to be the only one to build in."""
    record, players, _ = begin(office, "1897")
    with visited(office, browser, players["France"], **(TOUCHED if phone else {"viewport": DESK})) as visit:
        page = visit.go(f"/games/{record.key}")
        status, still = page.locator("#status"), page.locator("#open")
        expect(page.locator("#owed")).to_have_text("1 to place, not sent yet")
        expect(status).to_have_text("Tap a highlighted province to place a unit there.")
        expect(still).to_have_text("1 to place")
        visit.tap("bur")
        expect(status).to_have_text("build A bur: Burgundy isn't a home of France.")
        visit.tap("mar")
        expect(status).to_have_text("Marseilles: pick what to place.")
        visit.tap("bre")
        page.get_by_role("button", name="Fleet Brest").click()
        expect(page.locator("#text")).to_have_value("build F bre\n")
        expect(page.locator("#owed")).to_have_text("all units ordered, not sent yet")
        expect(still).to_have_text("all units ordered")
        visit.tap("bre")
        expect(page.locator("#text")).to_have_value("")
        visit.tap("par")
        expect(page.locator("#text")).to_have_value("build A par\n")
        seal(page)
        passes(office, clock, timedelta(days=2))
        page = visit.go(f"/games/{record.key}")
        expect(page.locator("#turn-name")).to_have_text("Spring 1898 Movement")
        expect(page.locator("#since[open]")).to_contain_text("What happened in Winter 1897 Placement")
        expect(page.locator("#since")).to_contain_text("France takes Paris.")
        expect(page.locator(".panel .notice")).to_contain_text("Until Winter 1899, France builds only in Paris.")
        visit.tap("par")
        visit.tap("pic")
        expect(page.locator("#text")).to_have_value("A par - pic\n")
        visit.pull_up()
        page.get_by_role("link", name="See it on the map, with all reasons").click()
        page.wait_for_selector("html[data-ready]")
        visit.pull_up()
        page.locator(".folded", has_text="France").locator("summary").click()
        expect(page.get_by_role("row", name=re.compile("^build A par"))).to_contain_text("succeeds")


@pytest.mark.long
@pytest.mark.clause("W-12a")
def test_another_s_unit_is_ordered_by_tapping(office: Office, browser: Browser) -> None:
    """Where the rules know of units under another's orders: by an act of its own, told on what condition it counts."""
    record, players, _ = begin(office, "three-kingdoms", powers=2)
    (mine, other), rules = players, load("three-kingdoms")
    unit = next(u for u in rules.opening().units_of(other) if u.kind == "A")
    with visited(office, browser, players[mine], reduced_motion="reduce") as visit:
        page = visit.go(f"/games/{record.key}")
        page.evaluate("place => legation.chart.dispatch('pick', place)", unit.province)
        page.get_by_role("button", name=f"Order it, with the permission of {other}").click()
        expect(page.locator("#status")).to_contain_text("It counts if its owner places it under your orders.")
        page.get_by_role("button", name="Hold").click()
        expect(page.locator("#text")).to_have_value(f"{unit} H\n")
        expect(page.locator("#marks li")).to_contain_text(
            f"if {rules.named(other)} places it under {rules.named(mine).whose} orders"
        )
        page.locator("#undo").click()
        expect(page.locator("#text")).to_have_value("")


@pytest.mark.long
def test_the_page_of_a_game_that_gathers_tells_who_joins_and_opens_the_board(office: Office, browser: Browser) -> None:
    game = games.create(office, person(office, "Host"), {"name": "Powick Bridge", "variant": "hundred"})
    ann, bob, cid = (person(office, name) for name in ("Ann", "Bob", "Cid"))
    with visited(office, browser, ann) as visit:
        shown: list[str] = []
        visit.page.on("framenavigated", lambda frame: shown.append(frame.url))
        page = visit.go(f"/games/{game.key}")
        expect(page.locator(".lede")).to_contain_text("3 of 3 seats are open")
        seats.sign_up(office, bob, game.key, [])
        expect(page.locator(".lede")).to_contain_text("2 of 3 seats are open")
        page.get_by_label("First choice").select_option("France")
        seats.sign_up(office, cid, game.key, [])
        seats.sign_up(office, ann, game.key, [])
        work.run_due(office)
        page.wait_for_selector("html[data-ready] #chart")
        assert len(shown) == 3, f"it came, told of Bob, and opened the board; a choice is kept meanwhile: {shown}"


@pytest.mark.long
def test_a_server_that_did_not_answer_is_asked_again(office: Office, browser: Browser) -> None:
    game = games.create(office, person(office, "Host"), {"name": "Powick Bridge", "variant": "hundred"})
    ann = person(office, "Ann")
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(status=503)
        elif len(asked) == 2:
            route.abort()
        else:
            route.continue_()

    with visited(office, browser, ann) as visit:
        visit.page.route("**/news?*", answer)
        page = visit.go(f"/games/{game.key}")
        expect(page.locator(".lede")).to_contain_text("3 of 3 seats are open")
        seats.sign_up(office, person(office, "Bob"), game.key, [])
        expect(page.locator(".lede")).to_contain_text("2 of 3 seats are open", timeout=30_000)
        assert len(asked) == 3
        visit.troubles.clear()  # the answers that failed on purpose


@pytest.mark.parametrize(
    ("zone", "first", "then"),
    [
        ("Asia/Kathmandu", "17:45 UTC+5:45", "17:45 UTC+5:45"),
        pytest.param("America/New_York", "07:00 UTC-5", "07:00 EST", marks=pytest.mark.long),
    ],
)
def test_a_time_is_the_readers_at_once_and_stays(
    office: Office, browser: Browser, zone: str, first: str, then: str
) -> None:
    """The first page is written in UTC, and anew by its script; the next comes in the reader's zone."""
    record, _, _ = begin(office)
    with visited(office, browser, timezone_id=zone) as visit:
        for told in (first, then):
            page = visit.go(f"/games/{record.key}/powers")
            page.wait_for_selector("html[data-ready]")
            expect(page.locator(".strip-due time")).to_contain_text(told)
            expect(page).to_have_title(re.compile(rf"^\(1 d\) {record.name}, "))  # what is left, in the tab, too


@pytest.mark.long
def test_a_place_out_of_sight_is_said_to_be(browser: Browser, tmp_path: Path, fog: Path) -> None:
    world = World(tmp_path / "office", fog, "France")
    with visited(world.office, browser, world.players["England"], reduced_motion="reduce") as visit:
        page = visit.go(f"/games/{world.key}")
        page.wait_for_selector("#chart[data-ready]")
        page.wait_for_selector("[data-hidden=mos]", state="attached")
        page.locator(".sheet-of-map").focus()
        told, said = page.locator(".told"), set()
        for key in 10 * ["ArrowLeft"] + 8 * ["ArrowUp"]:
            page.keyboard.press(key)
            expect(told).not_to_be_empty()
            said.add(told.inner_text())
        hidden = {text for text in said if text.endswith(": out of sight")}
        assert hidden and said - hidden, said
        assert not any(text.startswith(("London", "Edinburgh", "Liverpool")) for text in hidden), hidden
