"""A person with a keyboard and nothing else; wherever they come the focus must be seen."""

from typing import Any

from playwright.sync_api import Page

HERE = """() => {
    const at = document.activeElement, clean = (text) => (text || '').replace(/\\s+/g, ' ').trim();
    if (!at || at === document.body) return null;
    const by = at.getAttribute('aria-labelledby'), [box] = at.getClientRects(), style = getComputedStyle(at);
    const name = at.ariaLabel || (by && document.getElementById(by)?.textContent) || at.labels?.[0]?.textContent
        || at.textContent || at.value || at.id;
    const x = box && Math.max(1, Math.min(innerWidth - 2, box.left + box.width / 2));
    const y = box && Math.max(1, Math.min(innerHeight - 2, box.top + box.height / 2));
    const top = box && document.elementFromPoint(x, y);
    return {
        name: clean(name), inside: Boolean(at.closest('main')), html: at.outerHTML.slice(0, 120),
        // the parts of a date are marked by the browser, inside
        marked: /^date/.test(at.type) || style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1,
        seen: Boolean(top) && (at.contains(top) || top.contains(at)),
    };
}"""


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
        found: dict[str, Any] | None = self.page.evaluate(HERE)
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
            ways = self.page.evaluate(
                """(goal) => {
                    const { chart } = legation, to = chart.places[goal].at;
                    const from = chart.walker && chart.places[chart.walker].at;
                    if (chart.walker === goal) return [];
                    if (!from) return ['ArrowDown'];
                    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
                    const across = dx > 0 ? 'ArrowRight' : 'ArrowLeft', down = dy > 0 ? 'ArrowDown' : 'ArrowUp';
                    return Math.abs(dx) > Math.abs(dy) ? [across, down] : [down, across];
                }""",
                place,
            )
            if not ways:
                return
            at = self.page.evaluate("legation.chart.walker")
            (way, *_) = [w for w in ways if (at, w) not in tried] or ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]
            tried.add((at, way))
            self.press(way)
        raise AssertionError(f"no way to {place} by arrow keys")
