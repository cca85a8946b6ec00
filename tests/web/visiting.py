"""A visitor with a page in a browser, at a desk or with a phone, or with keys and nothing else: wherever they come the
focus must be seen."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize
from playwright.sync_api import Error as PageError

from legation.office.context import Actor
from legation.office.identity import people
from legation.office.office import Office
from legation.web import create_app
from tests.serving import served

DESK: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
TOUCHED: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
_FUNCTIONS = Path(__file__).with_name("pages.js").read_text(encoding="utf-8").split("export const ")[1:]
IN_PAGES = {name: text.strip().removesuffix(";") for name, _, text in (one.partition(" = ") for one in _FUNCTIONS)}
"""Functions that tests have pages run, by name."""
LANDSCAPE: ViewportSize = {"width": PHONE["height"], "height": PHONE["width"]}


def until(page: Page, holds: str, given: object = None) -> None:
    """Wait until a function of JavaScript answers yes; ``wait_for_function`` is not let by the pages' security policy.

    :raises PageError: when it does not within a minute."""
    page.evaluate(
        f"""async (given) => {{ const holds = {holds}, end = Date.now() + 60000;
            while (!holds(given)) {{
                if (Date.now() > end) throw new Error(`not within a minute: ${{holds}}`);
                await new Promise(requestAnimationFrame); }} }}""",
        given,
    )


class Visit:
    """A visitor with one page; what goes wrong in it or leaves the site is noted."""

    def __init__(self, browser: Browser, address: str, **settings: Any) -> None:
        self.address = address
        self.context: BrowserContext = browser.new_context(**{"viewport": DESK, **settings})
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(90_000)
        self.troubles: list[str] = []
        self.page.on("request", lambda r: None if r.url.startswith((address, "data:")) else self.note(r.url))
        self.page.on("pageerror", lambda error: self.note(str(error)))
        self.page.on("console", lambda told: self.note(told.text) if told.type == "error" else None)

    def note(self, trouble: str) -> None:
        """Remember what went wrong."""
        self.troubles.append(trouble)

    def be(self, office: Office, who: Actor) -> None:
        """Sign somebody in."""
        secret = people.start_session(office, Actor.clock(), who.person or 0, "tests").secret
        self.context.add_cookies([{"name": "session", "value": secret, "url": self.address}])

    def go(self, path: str) -> Page:
        try:
            self.page.goto(self.address + path)
        except PageError:  # the page went on by itself meanwhile
            self.page.wait_for_load_state()
            self.page.goto(self.address + path)
        if self.page.locator("#chart").count() and self.page.locator("script[type=module]").count():
            self.page.wait_for_selector("html[data-ready]")
        return self.page

    def set_up(self, position: str, variant: str = "") -> Page:
        """Set up a position in the sandbox, in words."""
        page = self.go("/sandbox/start")
        page.fill("#text", position)
        if variant:
            page.select_option("#variant", variant)
        page.click("text=Set up")
        page.wait_for_selector("html[data-ready]")
        return page

    def spot(self, place: str) -> tuple[float, float]:
        """Where on the screen the unit of a place stands, or would."""
        x, y = self.page.evaluate(
            """(at) => { const { chart } = legation, [x, y] = chart.spot(at);
                const p = new DOMPoint(x, y).matrixTransform(chart.svg.getScreenCTM()); return [p.x, p.y]; }""",
            place,
        )
        return x, y

    def pull_up(self) -> None:
        """Pull the panel up over the map, where it is down: on a phone."""
        edge = self.page.locator(".edge[aria-expanded=false]")
        if edge.count():
            edge.click()
            self.page.wait_for_selector(".edge[aria-expanded=true]")

    def tap(self, place: str) -> None:
        """Tap where the unit of a place stands, or would, once the whole map has come."""
        until(self.page, "() => window.legation?.chart.painted")
        self.page.evaluate("(at) => legation.chart.clear([at])", place)  # who taps below the tray drags the map up
        spot = self.spot(place)
        if self.context.browser and self.page.evaluate("matchMedia('(pointer: coarse)').matches"):
            self.touch(*spot)
        else:
            self.page.mouse.click(*spot)

    def touch(self, x: float, y: float) -> None:
        """Tap a spot with a finger; the browser makes a click of it a moment later, which is waited for.

        The finger comes and goes by two messages: between them a busy machine may take as long as a long press."""
        self.page.evaluate(
            """() => { const chart = window.legation?.chart, usual = chart?.longPress;
                window.touched = false;
                if (chart) chart.longPress = 60000;
                const heard = () => setTimeout(() => { if (chart) chart.longPress = usual; window.touched = true; });
                addEventListener('click', heard, { once: true, capture: true }); }"""
        )
        self.page.touchscreen.tap(x, y)
        until(self.page, "() => window.touched")

    def text(self) -> str:
        """The sheet as text, once what was typed before a tap is read and the tap is entered."""
        text: str = self.page.evaluate(
            "async () => { await legation.entry?.reading; return document.getElementById('text').value; }"
        )
        return text

    def understood(self) -> list[str]:
        """The marks beside the sheet, once they are those of what is written."""
        until(self.page, "() => !legation.entry.dirty && legation.entry.marked === legation.entry.asked")
        return self.page.locator("#marks li").all_inner_texts()


class Keys:
    """The keys of a page. Every stop is checked: it is marked as the place of the focus, and nothing covers it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def write(self, text: str) -> None:
        self.page.keyboard.insert_text(text)

    def here(self) -> dict[str, Any]:
        """Where the focus is."""
        found: dict[str, Any] | None = self.page.evaluate(IN_PAGES["focused"])
        assert found is not None, "the focus is lost"
        assert found["marked"], f"nothing marks the focus: {found['html']}"
        assert found["seen"], f"the focus is covered: {found['html']}"
        return found

    def reach(self, name: str, key: str = "Tab", limit: int = 150) -> None:
        """Go on until the control of a name has the focus: the first in the page's own part whose name begins so."""
        stops = []
        for _ in range(limit):
            self.press(key)
            if self.page.evaluate("document.activeElement === document.body"):
                continue  # round the end of the page
            at = self.here()
            stops.append(at["name"])
            if at["inside"] and at["name"].startswith(name):
                return
        raise AssertionError(f"no way to {name!r} by keyboard; stops were {list(dict.fromkeys(stops))}")

    def use(self, name: str, key: str = "Tab") -> None:
        """Go to a control and press Enter there."""
        self.reach(name, key)
        self.press("Enter")

    def follow(self, name: str) -> None:
        """Use a control that leads to another page, and wait for that."""
        self.reach(name)
        with self.page.expect_navigation():
            self.press("Enter")
        if self.page.locator("#chart").count():
            self.page.wait_for_selector("html[data-ready]")

    def walk(self, place: str) -> None:
        """Walk on the map to a place by arrow keys."""
        tried: set[tuple[str, str]] = set()
        for _ in range(60):
            ways = self.page.evaluate(IN_PAGES["waysTo"], place)
            if not ways:
                return
            at = self.page.evaluate("legation.chart.walker")
            (way, *_) = [w for w in ways if (at, w) not in tried] or ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]
            tried.add((at, way))
            self.press(way)
        raise AssertionError(f"no way to {place} by arrow keys")


@contextmanager
def visited(
    office: Office, browser: Browser, who: Actor | None = None, app: Any = None, **settings: Any
) -> Iterator[Visit]:
    """A visitor of an office's pages (``app``: as it serves them), or somebody who has signed in; no script may fail
    meanwhile."""
    with served(app or create_app(office)) as here:
        visit = Visit(browser, here, **settings)
        if who is not None:
            visit.be(office, who)
        yield visit
        assert not visit.troubles, visit.troubles
        visit.context.close()
