"""A person with a keyboard and nothing else; wherever they come the focus must be seen."""

from typing import Any

from playwright.sync_api import Page

from tests.web.visiting import IN_PAGES


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
