"""The drawing table from a click on "New board" to a pack: a board of thirty provinces with seas, a canal, a box, two
coasts and four powers, drawn by mouse, by keyboard alone and by touch, linted clean, tried, played and packed. What
comes of the pack does not depend on who drew it: one of the three is played for long, and in another office."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from legation.atlas.grow.__main__ import main as grow
from legation.board import read_board
from legation.board.lint import lint
from legation.office.office import Office
from legation.variants.packages import install, read_package
from tests.office.playing import begin
from tests.web.drawing import Finger, Keys, Mouse
from tests.web.visiting import LANDSCAPE, PHONE, Visit

pytestmark = pytest.mark.browser

TABLET = {"width": 1024, "height": 768}
LANDS = {
    "Cornwall": (-4.6, 50.5), "Wessex": (-2.0, 51.2), "Kent": (0.4, 51.2), "Wales": (-3.7, 52.3),
    "Mercia": (-1.6, 52.5), "Anglia": (0.9, 52.6), "Lancaster": (-2.6, 54.0), "York": (-1.1, 54.0),
    "Northumbria": (-2.0, 55.1), "Galloway": (-4.3, 55.3), "Lothian": (-3.2, 55.8), "Argyll": (-4.9, 56.4),
    "Highlands": (-4.5, 57.9), "Moray": (-3.0, 57.2), "Ulster": (-6.8, 54.7), "Connacht": (-8.8, 53.6),
    "Leinster": (-6.9, 53.0), "Munster": (-8.7, 52.2),
}  # fmt: skip
SEAS = {
    "Irish Sea": (-4.9, 53.9), "Severn Sea": (-5.7, 51.8), "Celtic Sea": (-8.0, 50.4), "Western Ocean": (-10.7, 54.2),
    "Minch": (-5.8, 58.4), "Northern Ocean": (-5.0, 60.2), "German Sea": (1.3, 57.2), "Dogger Bank": (1.8, 54.4),
    "Thames Mouth": (2.0, 51.9), "Channel": (-2.4, 50.1), "North Channel": (-6.8, 55.5),
}  # fmt: skip
HOMES = {
    "England": ("Wessex", "Kent", "York"),
    "Wales": ("Wales", "Cornwall", "Lancaster"),
    "Scotland": ("Lothian", "Moray", "Argyll"),
    "Ireland": ("Munster", "Leinster", "Ulster"),
}
FLEETS = ("Kent", "Cornwall", "Lothian", "Ulster")
NEUTRAL = ("Mercia", "Northumbria", "Connacht", "Galloway")


def new_board(visit: Visit) -> Page:
    page = visit.page
    page.goto(f"{visit.address}/table")
    page.wait_for_selector("html[data-ready]")
    page.get_by_role("button", name="British Isles").click()
    for edge, value in {"west": -11.5, "south": 49.7, "east": 3, "north": 61}.items():
        page.locator(f"#edge-{edge}").fill(str(value))
    page.get_by_role("button", name="New board").click()
    page.wait_for_url("**/table/board*")
    page.wait_for_selector("html[data-ready]")
    page.wait_for_selector("#growing[data-state=whole]", timeout=90_000)
    assert "Problems" not in page.locator("#panel-body").inner_text(), "an empty board has none yet"
    return page


def draw(hand: Mouse) -> None:
    """Draw the board."""
    hand.tool("place")
    for name, at in {**LANDS, **SEAS}.items():
        hand.place(name, at)
    hand.tool("line")
    hand.press("line-strait")
    for at in ((-3.95, 57.7), (-4.6, 57.15), (-5.3, 56.55)):
        hand.tap(at)
    hand.press("line-finish")
    hand.tool("box")
    hand.tap((-11.0, 60.6))
    hand.tap((-9.0, 59.6))
    hand.page.keyboard.type("Iceland")
    hand.page.keyboard.press("Enter")
    hand.grown()
    hand.open("p-borders")
    hand.choose("p-join", "Northern Ocean")
    hand.tool("choose")
    hand.tap(LANDS["Highlands"])
    hand.grown()
    hand.open("p-coasts")
    for name in hand.page.locator("#p-coasts select").evaluate_all("all => all.map((one) => one.id)"):
        west = hand.page.locator(f"label[for={name}]").inner_text() in ("North Channel", "Western Ocean")
        hand.choose(name, "west coast" if west else "east coast")
    hand.tool("start")
    for number, (power, homes) in enumerate(HOMES.items()):
        hand.press("power-new")
        hand.write(f"power-name-{number}", power)
        hand.tool("start")
        hand.press(f"power-{number}")
        for home in homes:
            for _ in range(1 + (home in FLEETS)):
                hand.tap(LANDS[home])
    hand.press("power-none")
    for name in NEUTRAL:
        hand.tap(LANDS[name])
    hand.grown()


def document(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("table.document")
    return found


def played_with_bots(game: Page, turns: int) -> None:
    """The board is played for some turns in the sandbox; bots order for the other powers."""
    for _ in range(turns):
        game.wait_for_selector("html[data-ready]")
        before = game.url
        game.locator(".primary[form=orders]").press("Enter")
        expect(game).not_to_have_url(before, timeout=90_000)
    game.get_by_text(f"{turns} earlier turn").wait_for(state="attached")
    powers = game.locator("table.ledger", has_text="Centers").inner_text()
    assert powers.count("dumbbot") == len(HOMES) - 1
    game.close()


def begun_elsewhere(pack: bytes, make_office: Callable[..., Office], folder: Path) -> None:
    """The pack is installed where another office looks for its variants, and a game of it begins there."""
    assert install(read_package(pack), folder) == ["british-isles"]
    record, actors, _ = begin(make_office(variants=str(folder)), "british-isles", name="The Isles")
    assert record.state == "running" and set(actors) == set(HOMES)


def whole(hand: Mouse, folder: Path, turns: int = 1) -> bytes:
    """What was drawn is what was meant; it is linted clean, tried, played and packed."""
    page = hand.page
    draw(hand)
    drawn = document(page)
    assert {row["name"] for row in drawn["board"]["land"]} == {*LANDS, "Iceland"}
    assert {row["name"] for row in drawn["board"]["sea"]} == set(SEAS)
    (canal,) = drawn["board"]["carve"]
    assert (canal["kind"], canal["form"], len(canal["points"].split(";"))) == ("water", "line", 3)
    (high,) = [row for row in drawn["board"]["land"] if row["name"] == "Highlands"]
    assert set(high["coasts"].split("|")) == {"west", "east"}
    assert [power["name"] for power in drawn["variant"]["powers"]] == list(HOMES)
    assert [len(power["units"]) for power in drawn["variant"]["powers"]] == [3, 3, 3, 3]
    assert drawn["variant"]["rules"]["solo"]["centers"] == 9
    assert page.evaluate("table.findings") == []
    hand.press("step-draw")
    page.wait_for_selector("#no-problems")

    hand.press("step-try")
    with page.context.expect_page() as opened:
        hand.press("try-play")
    played_with_bots(opened.value, turns)

    hand.press("step-publish")
    with page.expect_download() as download:
        hand.press("pub-pack")
    pack = Path(download.value.path()).read_bytes()
    with zipfile.ZipFile(io.BytesIO(pack)) as archive:
        archive.extractall(folder)
    assert json.loads((folder / "package.json").read_text())["title"] == "British Isles"
    board = folder / "british-isles"
    assert len(read_board(board).provinces) == 30
    assert lint(board) == []
    return pack


@pytest.mark.longest
def test_a_board_is_drawn_by_mouse_and_played(
    visit: Callable[..., Visit], tmp_path: Path, make_office: Callable[..., Office]
) -> None:
    pack = whole(Mouse(new_board(visit())), tmp_path, turns=10)
    board = tmp_path / "british-isles"
    packed = {file.name: file.read_bytes() for file in board.iterdir()}
    assert grow([str(board), "--borders"]) == 0
    assert {file.name: file.read_bytes() for file in board.iterdir()} == packed  # the commands make the same
    begun_elsewhere(pack, make_office, tmp_path / "variants")


@pytest.mark.longest
def test_a_board_is_drawn_by_touch_on_a_tablet(visit: Callable[..., Visit], tmp_path: Path) -> None:
    whole(Finger(new_board(visit(viewport=TABLET, has_touch=True, is_mobile=True))), tmp_path)


@pytest.mark.longest
def test_a_board_is_drawn_with_the_keyboard_alone(visit: Callable[..., Visit], tmp_path: Path) -> None:
    whole(Keys(new_board(visit())), tmp_path)


def lay_insets(hand: Mouse) -> None:
    """Lay an inset of a corner, move, resize and remove it; and one of land beyond the map, with a province there."""
    page = hand.page
    hand.tool("place")
    for name in ("Wessex", "York", "Ulster", "Munster", "Kent"):
        hand.place(name, LANDS[name])
    for name in ("Western Ocean", "German Sea", "Channel"):
        hand.place(name, SEAS[name])
    hand.grown()
    hand.tool("inset")
    hand.tap((-2.5, 52.5))
    hand.tap((1.8, 50.8))
    page.keyboard.type("The south")
    page.keyboard.press("Enter")
    hand.grown()
    (row,) = document(page)["board"]["insets"]
    assert row["title"] == "The south" and page.evaluate("table.findings") == []
    here = page.evaluate("table.grown.insets[0]")
    assert here["window"]
    kent = page.evaluate("[...table.provinces.values()].find((one) => one.name === 'Kent').id")
    left, top, right, bottom = here["field"]
    x, y = page.evaluate(f"table.grown.provinces['{kent}'].unit")
    assert left < x < right and top < y < bottom  # it stands in the inset
    if isinstance(hand, Keys):
        hand.press("i-move")
        for _ in range(2):
            page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
    else:
        lon, lat = (float(number) for number in row["at"].split())
        hand.drag((lon, lat), (lon, lat + 0.4))
    hand.grown()
    (moved,) = document(page)["board"]["insets"]
    assert moved["at"] != row["at"] and moved["scale"] == row["scale"]
    hand.write("i-scale", "1.1")
    hand.grown()
    assert page.evaluate("table.grown.insets[0].scale") == 1.1
    hand.press("i-delete")
    hand.grown()
    assert "insets" not in document(page)["board"]
    hand.tool("inset")
    hand.press("inset-beyond")
    page.keyboard.type("Faroes")
    page.keyboard.press("Enter")
    hand.grown()
    hand.write("i-window", "-7.8 61.3; -6.2 62.5")
    hand.grown()
    hand.tool("place")
    hand.place("Faroes", (-6.95, 62.1))
    hand.grown()
    (made,) = [row for row in document(page)["board"]["land"] if row["name"] == "Faroes"]
    x, y = page.evaluate(f"table.grown.provinces['{made['id']}'].unit")
    left, top, right, bottom = page.evaluate("table.grown.insets[0].field")
    assert left < x < right and top < y < bottom
    assert [finding["text"] for finding in page.evaluate("table.findings")] == [
        "Faroes has no border; add rows to borders.csv"
    ]
    hand.tool("choose")
    hand.tap(SEAS["Western Ocean"])
    hand.tool("reach")
    hand.tap((-7.6, 61.5))  # in the inset
    hand.grown()
    assert page.evaluate("table.findings") == []


@pytest.mark.long
@pytest.mark.parametrize("hand", [Mouse, Finger, Keys])
def test_insets_are_laid_by_mouse_by_touch_and_by_keyboard(visit: Callable[..., Visit], hand: type[Mouse]) -> None:
    touch: dict[str, Any] = {"viewport": TABLET, "has_touch": True, "is_mobile": True} if hand is Finger else {}
    lay_insets(hand(new_board(visit(**touch))))


@pytest.mark.long
def test_on_a_phone_a_step_is_seen_when_it_is_tapped(visit: Callable[..., Visit]) -> None:
    page = new_board(visit(viewport=PHONE, has_touch=True, is_mobile=True))
    for step, part in (("rules", "panel"), ("draw", "board"), ("powers", "panel")):
        page.locator(f"#step-{step}").tap()
        top = f"document.getElementById('{part}').getBoundingClientRect().top"
        page.wait_for_function(f"0 <= {top} + 5 && {top} < 300")
    page.locator("#new-power").tap()
    page.locator("#power-set-0").tap()
    expect(page.locator("#sheet")).to_be_in_viewport(ratio=0.5)
    page.set_viewport_size(LANDSCAPE)
    page.wait_for_function("innerWidth > innerHeight")
    sheet, tray = page.locator("#sheet").bounding_box(), page.locator(".tray").bounding_box()
    assert sheet and tray and sheet["height"] > 0.7 * LANDSCAPE["height"] and tray["x"] >= sheet["x"] + sheet["width"]


@pytest.mark.long
def test_a_tablet_shows_all_tools_large_enough_for_a_finger(visit: Callable[..., Visit]) -> None:
    page = new_board(visit(viewport=TABLET, has_touch=True, is_mobile=True))
    tools = page.locator(".table-tools button")
    assert tools.count() == 10
    for tool in tools.all():
        expect(tool).to_be_in_viewport(ratio=1)
        box = tool.bounding_box()
        assert box is not None and box["height"] >= 44
    hand = Finger(page)
    for name in ("reach", "borders", "start"):  # there is no province yet, and a tap for one is told so
        hand.tool(name)
        hand.tap(LANDS["Munster"])
        expect(page.locator(".table-refusal")).to_contain_text("No province lies there.")
        page.evaluate("document.getElementById('said').className = 'unseen'")
