"""axe on every page there is, in both themes and at both sizes; nothing scrolls sideways on a phone, no request leaves
the site. A page that is not walked here is found by :func:`test_no_page_is_left_out`."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from fastapi import FastAPI
from playwright.sync_api import Browser, FilePayload, Page, expect

from legation.mail.results import preview
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import bridges, desk, letters, mailings, readings
from legation.office.game import processing, seats
from legation.office.hosting import games, imports, leagues, moderation, openings, profiles, rounds, votes
from legation.office.identity import browsers, people, traces
from legation.office.office import Office
from legation.office.operation import demo, work
from legation.office.orders import submissions
from legation.rehearsal.serving import add_rehearsals
from legation.web import create_app
from legation.web.public.rulebooks import proof
from tests.interop import played
from tests.office.playing import begin, close_turn, end_game, person, picture, unmatched_mail
from tests.office.test_archive import old_game
from tests.office.test_catalog import packed
from tests.office.test_pushes import Device
from tests.office.test_tournaments import HEAD, face_to_face, seated, table
from tests.serving import served
from tests.web.test_designer import own_board, zipped
from tests.web.test_desk import postal
from tests.web.test_play import GAME, Club
from tests.web.visiting import DESK, IN_PAGES, PHONE, Visit

ALL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLORS = ["color-contrast"]
STATES: tuple[tuple[Any, Any, list[str]], ...] = (
    (DESK, "light", ALL),
    (DESK, "dark", COLORS),  # the themes differ in colors only
    (PHONE, "dark", COLORS),
    (PHONE, "light", ALL),
)

NO_NEWS = "window.EventSource = class extends EventTarget { close() {} };"
"""Pages that wait go on by themselves when a turn is judged, some time after; on a walk they aren't imported."""

PUBLIC = (
    "/", "/variants", "/variants/{variant}", "/variants/{variant}/balance", "/variants/{variant}/moves", "/press",
    "/variants/{variant}/openings",
    "/variants/{variant}/print", "/variants/{variant}/rules", "/variants/{variant}/rules/{clause}", "/rules",
    "/rules/datc/{case}", "/rules/orders", "/rules/proof", "/rules/verdicts", "/sign-in", "/sign-in/{secret}", "/demo",
    "/games", "/rules/scoring", "/leaderboard", "/people/{number}", "/confirm-address/{secret}",
    "/unsubscribe/{token}", "/offline", "/privacy", "/lessons", "/lessons/{name}/{number}",
    "/puzzles/{variant}/{name}",
)  # fmt: skip
WORKSHOP = (
    *("/sandbox", "/sandbox/start", "/sandbox/new", "/sandbox/{name}"),
    *("/designer", "/designer/{name}", "/table", "/table/board"),
)
PLAYERS = (
    "/games/{game}", "/games/{game}/{tab}", "/games/{game}/invitation/{secret}", "/me", "/me/profile", "/me/bridges",
    "/me/blocks", "/me/record-names", "/report",
)  # fmt: skip
DESKS = (
    "/desk", "/desk/{game}", "/desk/{game}/{item}", "/desk/{game}/results", "/desk/{game}/players",
    "/desk/{game}/paper", "/desk/{game}/gazette", "/desk/{game}/rehearsal", "/desk/{game}/letters",
    "/desk/{game}/postbag", "/desk/{game}/record", "/desk/{game}/bridges", "/moderation", "/moderation/{person}",
    "/games/new",
)  # fmt: skip
TOURNAMENTS = (
    "/tournaments", "/tournaments/new", "/tournaments/{tournament}", "/tournaments/{tournament}/manage",
    "/tournaments/{tournament}/screen", "/leagues/{league}",
)  # fmt: skip
BROUGHT = ("/proposals", "/proposals/new", "/proposals/{number}", "/games/import", "/games/import/{name}")
NO_PAGES = re.compile(
    r"\.(svg|png|jsonl?|txt|csv|html|pdf|ico|js|webmanifest)$|/(live|news|clock)$|^/(assets|maps)/|/pictures/|/rehearsal/pages/|/postbag/|/package(/|$)|^/me/next$|^/table/(coast|starts|templates|rules)"
)
LEAD_ON = ("/lessons/{name}", "/puzzles", "/puzzles/{variant}")
"""Addresses that lead to a page of its own."""
ALIKE = dict.fromkeys(
    ("/release/{secret}", "/approve-address/{secret}", "/resign/{secret}"), "/confirm-address/{secret}"
) | {"/terms": "/privacy"}
"""Pages that are another's with other words."""


def test_no_page_is_left_out(site: FastAPI) -> None:
    paths = {path for path, methods in site.openapi()["paths"].items() if "get" in methods}
    assert {path for path in paths if not NO_PAGES.search(path)} == {
        *PUBLIC,
        *WORKSHOP,
        *PLAYERS,
        *DESKS,
        *BROUGHT,
        *TOURNAMENTS,
        *LEAD_ON,
        *ALIKE,
    }


class Walk(Visit):
    """A browser that looks at pages in all states and notes what is wrong."""

    def __init__(self, browser: Browser, address: str, office: Office, meant: tuple[str, ...]) -> None:
        super().__init__(browser, address, reduced_motion="reduce")
        self.office = office
        self.context.add_init_script(NO_NEWS)
        self.unseen = {path: re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path)) for path in meant}
        self.found: dict[str, object] = {}

    def note(self, trouble: str) -> None:
        if "Failed to load resource: the server responded with a status of 4" in trouble:
            return  # pages of what cannot be done are looked at, too
        self.found.setdefault(self.page.url, trouble)

    def sign_in(self, who: Actor | None) -> None:
        """Sign somebody in, or (None) out."""
        self.context.clear_cookies()
        if who is not None:
            self.be(self.office, who)

    def go(self, path: str) -> Page:
        self.page.goto(self.address + path)
        asked = re.split("[?#]", path)[0]
        for known in [known for known, pattern in self.unseen.items() if pattern.fullmatch(asked)][:1]:
            del self.unseen[known]
        return self.page

    def look(self, path: str = "", name: str = "") -> Page:
        """Look at a page, or (without a path) at the one that is open."""
        page = self.go(path) if path else self.page
        if page.locator("#chart").count() and page.locator("script[type=module]").count() > 1:
            page.wait_for_selector("html[data-ready]")
        page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        page.evaluate(AXE_SCRIPT)
        for size, theme, rules in STATES:
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=theme)
            told = page.evaluate(IN_PAGES["violations"], [rules, size is PHONE and theme == "dark"])
            if size is PHONE and page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                told.append("it scrolls sideways")
            if told:
                self.found[f"{name or path or page.url} {theme} {size['width']}"] = told
        page.set_viewport_size(DESK)
        return page

    def done(self) -> None:
        self.context.close()
        assert not self.found, "\n".join(f"{where}: {what}" for where, what in self.found.items())
        assert not self.unseen, f"not looked at: {sorted(self.unseen)}"


@pytest.fixture
def site(office: Office) -> FastAPI:
    app = create_app(office, mails=preview)
    add_rehearsals(app, office)
    return app


@pytest.fixture
def address(site: FastAPI) -> Iterator[str]:
    with served(site) as here:
        yield here


@pytest.mark.long
@pytest.mark.browser
def test_what_bars_somebody_is_found(browser: Browser, address: str, office: Office) -> None:
    walk = Walk(browser, address, office, ("/rules",))
    walk.look("/rules/orders")
    assert not walk.found
    walk.page.evaluate("document.querySelector('main').style.color = '#bbb'")
    walk.page.evaluate("document.querySelector('h1').style.width = '120vw'")
    walk.look(name="pale and wide")
    assert {name.split(" ", 3)[3] for name in walk.found} == {"light 1440", "dark 390", "light 390"}
    assert "scrolls sideways" in str(walk.found) and "color-contrast" in str(walk.found)
    with pytest.raises(AssertionError):
        walk.done()


def archive(office: Office) -> str:
    """Have an imported game in the archive; the answer is an opening of France."""
    names = {"France": "Anna of Old", "Austria": "Bo"}
    imports.bring(office, Actor.console(), old_game("standard") | {"names": names})
    work.run_due(office)
    return openings.openings(office, Actor.visitor(), "standard", "France").next[0].line


@pytest.mark.longest
@pytest.mark.browser
def test_pages_for_everybody(browser: Browser, address: str, office: Office) -> None:
    office.settings.address = address
    host = person(office, "Host")
    games.create(office, host, {"name": "Powick Bridge", "variant": "hundred"})
    people.set_preferences(office, host, {"profile": True, "ranked": True, "about": "Plays by post."})
    for number in range(2):
        record, players, _ = begin(office, name=f"Rated {number}", rated=True)
        for player in players.values():
            people.set_preferences(office, player, {"profile": True, "ranked": True})
        end_game(office, record.key, ["France"])
    line = archive(office)
    pressed, writers, _ = begin(office, name="Pressed", folk="p")
    letters.write(office, writers["France"], pressed.key, "France", ["all"], "An otter in the Channel.")
    end_game(office, pressed.key, ["France"])
    walk = Walk(browser, address, office, PUBLIC)
    walk.look(f"/people/{profiles.preview(office, players['France']).person}")
    for path in (
        "/", "/variants", "/variants/three-kingdoms", "/variants/hundred/balance",
        "/variants/hundred/moves?place=Paris", "/variants/hundred/moves?place=Parrris",
        "/variants/hundred/print", "/variants/hundred/rules",
        "/variants/hundred/rules/H3-8d", "/rules",
        "/lessons", "/lessons/cut/1", "/rules/datc/6.C.1", "/rules/orders", "/rules/verdicts",
        "/rules/proof", "/sign-in", "/demo", "/games", "/offline", "/rules/scoring", "/leaderboard", "/privacy",
        "/variants/standard/openings?power=France", f"/variants/standard/openings?power=France&line={line}",
        "/press", "/press?words=otter", "/press?words=badger", "/games?how=draw&player=anna+of+old",
        "/confirm-address/abc", "/nowhere", "/variants/nowhere", "/sandbox/nowhere", "/games/nowhere",
    ):  # fmt: skip
        walk.look(path)
    page = walk.go("/puzzles/hundred")
    walk.look(page.url.removeprefix(address))
    page.click("button[form=orders]")
    page.wait_for_selector("#results")
    walk.look(name="a puzzle, missed")
    assert proof._runner is not None
    proof._runner.join(60)
    walk.look("/rules/proof")
    page = walk.go("/sign-in")
    page.fill("#email", "new@example.org")
    page.click("text=Send link")
    walk.look(name="link sent")
    (sent,) = [m for m in mailings.claim(office) if m.kind == "sign in"]
    walk.look(f"/sign-in/{sent.facts['secret']}")
    page.fill("#name", "Newcomer")
    page.click("main .primary")
    walk.look(f"/sign-in/{sent.facts['secret']}", "link used (401)")
    link = mailings.unsubscribe_link(office, msgspec.structs.replace(sent, kind="letter"))
    walk.go(link.removeprefix(address))
    walk.look(name="unsubscribe")
    walk.go("/confirm-address/abc")
    page.click("main .primary")
    walk.look(name="confirm (410)")
    walk.done()


@pytest.mark.long
@pytest.mark.browser
def test_pages_of_tournaments(browser: Browser, address: str, office: Office) -> None:
    host = face_to_face(office)
    seated(office, (1, 2, 3), (4, 5, 6))
    leagues.create(office, host, "Club")
    plan = {"name": "any", "variant": "hundred", "online": False}
    leagues.open_season(office, host, "club", plan, divisions=2)
    walk = Walk(browser, address, office, TOURNAMENTS)
    for path in ("/tournaments", "/tournaments/winter-open", "/tournaments/winter-open/screen", "/leagues/club"):
        walk.look(path)
    walk.sign_in(host)
    for path in ("/tournaments/new", "/leagues/club", "/tournaments/winter-open/manage"):
        walk.look(path)
    rounds.start(office, host, "winter-open", 1)
    rounds.take_results(office, host, "winter-open", HEAD + table(1, 1, ("P1", "P2", "P3")))
    for path in ("/tournaments/winter-open/manage", "/tournaments/winter-open?live=true"):
        walk.look(path, "round begun")
    walk.look("/tournaments/winter-open/screen?show=standings")
    walk.done()


@pytest.mark.longest
@pytest.mark.browser
def test_pages_to_try_things(browser: Browser, address: str, office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("legation.web.designer.checking.GAMES", 1)
    monkeypatch.setattr("legation.web.designer.checking.TURNS", 8)
    walk = Walk(browser, address, office, WORKSHOP)
    for path in ("/sandbox", "/sandbox/start", "/sandbox/new?variant=hundred", "/designer", "/table"):
        walk.look(path)
    page = walk.page
    page.set_viewport_size(DESK)
    page.click("#world-begin")
    page.wait_for_url("**/table/board#*")
    walk.look(page.url.removeprefix(address))
    page.locator("#growing[data-state=whole]").wait_for(timeout=90_000)
    page.locator("#sheet").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    walk.look(name="a province at the table")
    page.goto(address + "/sandbox/new?variant=hundred")
    at = page.url.removeprefix(address)
    page.fill("#text", "A par - brugundyy\nxyzzy")
    page.click(".primary")
    walk.look(name="sandbox, not read")
    page = walk.go(at)
    page.evaluate("localStorage.clear()")
    page = walk.go(at)
    page.fill("#text", "France\nA par - dij\nA orl - xyz\n")
    expect(page.locator("#marks li.wrong")).to_have_count(1)
    page.focus(".sheet-of-map")
    page.evaluate("legation.chart.stand('cal')")
    page.keyboard.press("Enter")
    walk.look(name="sandbox, a unit chosen")
    page.fill("#text", "France\nA par - dij\n")
    page.click("text=Judge movement")
    page.wait_for_selector("#results")
    walk.look(name="sandbox, results")
    page = walk.go("/sandbox/start")
    page.fill("#text", "nonsense")
    page.click("text=Set up")
    walk.look(name="sandbox, pasted nonsense")
    page = walk.go("/designer")
    page.click("text=Check variant")
    page.wait_for_selector("html[data-ready]")
    walk.go(page.url.removeprefix(address))
    walk.look(name="designer, without findings")
    page.click("text=Measure balance with bots")
    walk.look(name="designer, how even")
    page = walk.go("/designer")
    files = {name: text for name, text in own_board().items() if not name.endswith("borders.csv")}
    page.set_input_files("#files", FilePayload(name="mine.zip", mimeType="application/zip", buffer=zipped(files)))
    page.click("text=Check variant")
    walk.look(name="designer, with findings")
    page = walk.go("/designer")
    page.set_input_files("#files", FilePayload(name="x.exe", mimeType="application/zip", buffer=b"MZ"))
    page.click("text=Check variant")
    walk.look(name="designer, refused")
    walk.done()


@pytest.mark.longest
@pytest.mark.browser
def test_pages_of_players(browser: Browser, address: str, office: Office, clock: SimulatedClock) -> None:
    club = Club(office, clock)
    host, ann, bob = (
        people.find(office, Actor.console(), "host@example.org"),
        person(office, "Ann"),
        person(office, "Bob"),
    )
    boss = people.as_person(office, host.id)
    walk = Walk(browser, address, office, PLAYERS)
    page = walk.page
    at = f"/games/{GAME}"
    walk.look(at, "gathering, for a visitor")
    walk.sign_in(ann)
    walk.look(at, "gathering")
    secret = games.invite(office, boss, GAME, "", "France").secret
    walk.look(f"{at}/invitation/{secret}")
    seats.sign_up(office, ann, GAME, ["France"])
    walk.sign_in(boss)
    walk.look(at, "gathering, for its host")
    work.run_due(office)
    walk.sign_in(None)
    walk.look(at, "running, for a visitor")
    walk.sign_in(bob)
    walk.look(f"{at}/sheet", "no seat (403)")
    walk.sign_in(ann)
    letters.write(office, club.others["England"], GAME, "England", ["France"], "Shall we?", orders="A par H")
    walk.look(f"{at}/letters?with=England", "a proposal")
    page = walk.go(at)
    page.wait_for_selector("html[data-ready]")
    page.fill("#text", "A par H\nA orl - xyz\nA dau - can\n")
    expect(page.locator("#marks li.wrong")).to_have_count(1)
    page.evaluate("legation.chart.stand('tou')")
    page.focus(".sheet-of-map")
    page.keyboard.press("Enter")
    walk.look(name="sheet, being written")
    page.click(".seal-acts .primary")
    page.wait_for_selector(".drawer[open] form[data-sheet]")
    walk.look(name="review")
    page.click(".drawer .primary")
    page.wait_for_selector(".drawer [data-check]", state="attached")
    walk.look(name="receipt")
    submissions.submit(office, ann, GAME, "France", "A par H\nA dau - can")
    votes.vote(office, club.others["England"], GAME, "England", "extend", hours=48, reason="A wedding.")
    page = walk.go(at)
    walk.look(name="sheet, sent, with a vote")
    page.click(".versions button >> text=Read")
    walk.look(name="version")
    club.judge(0)
    votes.vote(office, ann, GAME, "France", "extend")
    for path in ("", "/results", "/powers", "/letters", "/proofs"):
        walk.look(at + path, f"retreats{path}")
    submissions.submit(office, ann, GAME, "France", "A par R cha")
    club.judge(1)
    games.pause(office, Actor.clock(), GAME, "the host is ill")
    walk.look(at, "paused")
    games.resume(office, Actor.clock(), GAME)
    submissions.submit(office, ann, GAME, "France", "A cha - dij")
    club.judge(2)
    walk.look(at, "adjustments")
    submissions.submit(office, ann, GAME, "France", "build A orl")
    club.judge(3)
    submissions.submit(office, ann, GAME, "France", "draw")
    club.judge(4)
    walk.look(at, "ended")
    walk.look(f"{at}/powers", "ended, powers")
    browsers.subscribe(office, ann, **Device().subscription, label="Firefox on Windows")
    walk.look("/me/profile")
    bridges.add_own(office, ann, "https://hooks.example.org/x")
    archive(office)
    imports.claim(office, ann, "anna of old")
    walk.look("/me/record-names")
    moderation.block(office, ann, office.numbers.shown("person", bob.person or 0))
    walk.look("/me/blocks")
    walk.look(f"/report?game={GAME}&power=England")
    walk.look("/me/bridges")
    page = walk.go("/me")
    page.click("text=Create a token for programs")
    page.click("text=Create token")
    walk.look(name="me, with a token")
    page.fill("#zone", "Europe/Atlantis")
    page.click("#zone + button")
    walk.look(name="me, refused")
    session, key = demo.seat_guest(office, "hundred")
    walk.sign_in(people.by_secret(office, session.secret))
    walk.look(f"/games/{key}", "a seat for a day")
    walk.look("/sign-in", "as a guest")
    walk.done()


@pytest.mark.longest
@pytest.mark.browser
def test_pages_of_the_desk(browser: Browser, address: str, office: Office, clock: SimulatedClock) -> None:
    record, players, boss = postal(office)
    here = f"/desk/{record.key}"
    walk = Walk(browser, address, office, DESKS)
    walk.sign_in(person(office, "Ann"))
    walk.look("/desk", "a desk with nothing on it")
    walk.sign_in(boss)
    walk.look(here, "before the deadline")
    submissions.register_posted(office, boss, record.key, "Burgundy")
    photographs = [("sheet.jpg", picture(600, 800), "image/jpeg")]
    submissions.submit_pictures(office, players["England"], record.key, "England", photographs)
    for text in ("A par H", "v2 replaces v1 only if England agrees\nA par - dij"):
        submissions.submit(office, players["France"], record.key, "France", text)
    unmatched_mail(office, game=record.key, power="France")
    close_turn(office, clock, record)
    items = {(i.kind, i.power): i.id for i in desk.items(office, boss)}
    walk.look("/desk")
    walk.look(here, "after the deadline")
    for kind in {kind for kind, _ in items} - {"transcribe"}:
        walk.look(f"{here}/{next(number for (k, _), number in items.items() if k == kind)}", kind)
    walk.look(f"{here}/{items['transcribe', 'Burgundy']}", "a posted sheet")
    page = walk.go(f"{here}/{items['transcribe', 'England']}")
    page.fill("#text", "A Devn - brt\nA xyz H")
    expect(page.locator(".reads li.wrong")).to_have_count(2)
    walk.look(name="transcribe")
    ann = people.find(office, Actor.console(), "ann@example.org")
    deputy = people.as_person(office, ann.id)
    games.name_deputy(office, boss, record.key, "ann@example.org")
    for power in ("Burgundy", "England"):
        readings.transcribe(office, boss, items["transcribe", power], "# nothing")
    walk.look(f"{here}/players", "players, with a deputy")
    walk.sign_in(deputy)
    walk.look("/desk", "a deputy's desk")
    for item, text in zip(desk.items(office, deputy), ("# nothing", "A dev H\nxyzzy"), strict=True):
        walk.look(f"{here}/{item.id}", f"a second reading of {item.power}")
        readings.confirm(office, deputy, item.id, text)
    walk.sign_in(boss)
    (open_,) = [item for item in desk.items(office, boss, record.key) if item.kind == "decide"]
    walk.look(f"{here}/{open_.id}", "two readings")
    readings.decide(office, boss, open_.id, "# nothing", "so")
    readings.choose(
        office, boss, items["choose", "France"], submissions.overview(office, boss, record.key)[-1].id, "so"
    )
    for (kind, _), number in items.items():
        if kind == "unposted":
            readings.decide_unposted(office, boss, number, True, "so")
    work.run_due(office)
    assert processing.preview(office, boss, record.key)
    for tab in ("results", "players", "paper", "gazette", "record", "rehearsal", "bridges", "letters", "postbag"):
        walk.look(f"{here}/{tab}")
    report = moderation.report(office, players["France"], "Abuse.", record.key, power="England")
    admin = person(office, "Admin")
    people.make_administrator(office, Actor.console(), admin.person or 0)
    walk.sign_in(admin)
    walk.look("/moderation")
    walk.look(f"/moderation/{moderation.reports(office, admin)[0].person}")
    moderation.decide(office, admin, report.id, "suspension", "abuse", 7)
    walk.look("/moderation", "decided")
    archive(office)
    imports.claim(office, players["France"], "Anna of Old")
    for power in ("France", "England"):
        traces.note(office, Actor.clock(), players[power].person or 0, "192.0.2.0/24", "Firefox")
    walk.look("/moderation", "names and signals")
    walk.sign_in(boss)
    page = walk.go(f"{here}/results")
    page.click("text=Publish the draft results")
    walk.look(name="draft results")
    clock.advance(timedelta(days=1))
    games.pause(office, boss, record.key, "the post is on strike")
    walk.look(here, "paused")
    page = walk.look("/games/new?variant=hundred")
    page.fill("#name", "")
    page.locator("button.primary").first.click()
    walk.look(name="a new game, refused")
    walk.done()


@pytest.mark.longest
@pytest.mark.browser
def test_pages_of_what_is_brought(browser: Browser, address: str, office: Office) -> None:
    """Proposals of variants, and games that began elsewhere."""
    boss, ann = person(office, "Boss"), person(office, "Ann")
    people.make_administrator(office, Actor.console(), boss.person or 0)
    walk = Walk(browser, address, office, BROUGHT)
    walk.sign_in(ann)
    walk.look("/proposals", "no proposals")
    page = walk.look("/proposals/new")
    page.set_input_files("#package", FilePayload(name="x.legation", mimeType="application/zip", buffer=b"MZ"))
    page.locator("main button.primary").click()
    walk.look(name="a proposal, refused")
    page = walk.go("/proposals/new")
    page.set_input_files("#package", FilePayload(name="x.legation", mimeType="application/zip", buffer=packed()))
    page.locator("main button.primary").click()
    page.wait_for_url(re.compile(r"/proposals/\d+$"))
    at = page.url.removeprefix(address)
    walk.look(at, "one's own proposal")
    walk.look("/proposals")
    walk.sign_in(boss)
    walk.look("/proposals", "proposals that wait")
    walk.look(at, "a proposal to be decided")
    page = walk.look("/games/import")
    page.locator("main button.primary").click()
    walk.look(name="an import, refused")
    file = FilePayload(name="x.json", mimeType="application/json", buffer=played.FILES["mila.json"].encode())
    page = walk.go("/games/import")
    page.set_input_files("input[type=file]", file)
    page.locator("main button.primary").click()
    page.wait_for_url(re.compile(r"/games/import/."))
    walk.look(page.url.removeprefix(address))
    walk.done()
