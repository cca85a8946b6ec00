"""A designer at the drawing table: by mouse, by touch, or with a keyboard and nothing else. All three draw alike."""

from playwright.sync_api import Page

from tests.web.visiting import IN_PAGES

TOOLS = {
    "choose": "v",
    "place": "p",
    "reach": "a",
    "borders": "b",
    "start": "u",
    "line": "l",
    "off": "x",
    "box": "o",
    "inset": "i",
    "trace": "t",
}
Point = tuple[float, float]


class Mouse:
    """Draws by mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def spot(self, place: Point) -> Point:
        """Where a longitude and latitude is in the window."""
        x, y = self.page.evaluate(IN_PAGES["spotOnSheet"], list(place))["at"]
        return x, y

    def tap(self, place: Point) -> None:
        self.page.mouse.click(*self.spot(place))

    def press(self, name: str) -> None:
        """Press the control with an id."""
        self.page.locator(f"#{name}").click()

    def tool(self, name: str) -> None:
        self.press(f"tool-{name}")

    def write(self, name: str, text: str) -> None:
        """Write into the field with an id."""
        self.page.locator(f"#{name}").fill(text)
        self.page.locator(f"#{name}").press("Enter")

    def choose(self, name: str, text: str) -> None:
        """Choose from the list with an id."""
        self.page.locator(f"#{name}").select_option(label=text)

    def open(self, name: str) -> None:
        """Open the details with an id, if they are not."""
        if not self.page.locator(f"#{name}").evaluate("e => e.open"):
            self.page.locator(f"#{name} > summary").click()

    def place(self, name: str, at: Point) -> None:
        """Place a province and name it."""
        self.tap(at)
        self.page.keyboard.type(name)
        self.page.keyboard.press("Enter")

    def drag(self, start: Point, end: Point) -> None:
        self.page.mouse.move(*self.spot(start))
        self.page.mouse.down()
        (x, y), (to_x, to_y) = self.spot(start), self.spot(end)
        for step in (0.3, 0.7, 1):
            self.page.mouse.move(x + step * (to_x - x), y + step * (to_y - y))
        self.page.mouse.up()

    def grown(self) -> None:
        """Wait until the board is grown as it is."""
        self.page.wait_for_selector("#growing[data-state=whole]", timeout=90_000)


class Finger(Mouse):
    """Draws by touch."""

    def tap(self, place: Point) -> None:
        self.page.touchscreen.tap(*self.spot(place))

    def press(self, name: str) -> None:
        self.page.locator(f"#{name}").tap()

    def open(self, name: str) -> None:
        if not self.page.locator(f"#{name}").evaluate("e => e.open"):
            self.page.locator(f"#{name} > summary").tap()

    def drag(self, start: Point, end: Point) -> None:
        session = self.page.context.new_cdp_session(self.page)
        (x, y), (to_x, to_y) = self.spot(start), self.spot(end)

        def touch(kind: str, *points: dict[str, float]) -> None:
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

        touch("touchStart", {"x": x, "y": y})
        for step in (0.3, 0.7, 1):
            touch("touchMove", {"x": x + step * (to_x - x), "y": y + step * (to_y - y)})
        touch("touchEnd")


class Keys(Mouse):
    """Draws with the keyboard alone: letters for tools, arrows for the cross, F6 and Tab for the rest."""

    def go(self, place: Point) -> None:
        """Move the cross to a place."""
        keyboard = self.page.keyboard
        self.leave_field()
        found = self.page.evaluate(IN_PAGES["spotOnSheet"], list(place))
        if not found["cross"]:
            keyboard.press("ArrowUp")
            found = self.page.evaluate(IN_PAGES["spotOnSheet"], list(place))
        for axis, keys in ((0, ("ArrowLeft", "ArrowRight")), (1, ("ArrowUp", "ArrowDown"))):
            way = found["at"][axis] - found["cross"][axis]
            far, near = divmod(abs(way), 24)
            for key, times in ((keys[way > 0], far), (f"Shift+{keys[way > 0]}", round(near / 4))):
                for _ in range(int(times)):
                    keyboard.press(key)

    def tap(self, place: Point) -> None:
        self.go(place)
        self.page.keyboard.press("Enter")
        if self.page.evaluate("Boolean(table.sheet.held)"):  # a handle is there: it is let go where it is
            self.page.keyboard.press("Enter")

    def tool(self, name: str) -> None:
        self.leave_field()
        self.page.keyboard.press(TOOLS[name])

    def leave_field(self) -> None:
        """Go to the map, where letters are tools."""
        for _ in range(8):
            if self.page.evaluate("document.activeElement.id") == "sheet":
                return
            self.page.keyboard.press("F6")

    def reach(self, name: str) -> None:
        """Come to the control with an id, by F6 and Tab."""
        keyboard = self.page.keyboard
        for part in range(5):
            for key in ["F6", *["Tab"] * (14 + 26 * (part > 1))]:
                if self.page.evaluate("document.activeElement.id") == name:
                    return
                keyboard.press(key)
        for _ in range(250):
            if self.page.evaluate("document.activeElement.id") == name:
                return
            keyboard.press("Tab")
        at = self.page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        raise AssertionError(f"no way to {name} by keyboard; the last stop was {at}")

    def press(self, name: str) -> None:
        self.reach(name)
        self.page.keyboard.press("Enter")

    def write(self, name: str, text: str) -> None:
        self.reach(name)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)
        self.page.keyboard.press("Tab")

    def choose(self, name: str, text: str) -> None:
        self.reach(name)
        self.page.keyboard.type(text)
        self.page.keyboard.press("Tab")

    def open(self, name: str) -> None:
        if not self.page.locator(f"#{name}").evaluate("e => e.open"):
            self.page.locator(f"#{name} > summary").evaluate("e => e.id = e.parentElement.id + '-summary'")
            self.press(f"{name}-summary")

    def drag(self, start: Point, end: Point) -> None:
        self.go(start)
        self.page.keyboard.press("Enter")
        self.go(end)
        self.page.keyboard.press("Enter")
