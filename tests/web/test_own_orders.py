"""Orders that a rule from outside the package brings, as ``docs/writing-rules.md`` has them: tapped, chosen by list,
typed and drawn on the page like all others."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from legation.variants import Registry
from legation.web import WebSettings, create_app
from legation.web.designer.uploads import VariantUploads
from tests.serving import served
from tests.web.visiting import Visit

pytestmark = pytest.mark.browser

#: From now on the server's answers come half a second later.
SLOWLY = """() => {
    const ask = fetch, later = () => new Promise((done) => setTimeout(done, 500));
    window.fetch = (...asked) => later().then(() => ask(...asked));
}"""


BLOCKADES = """from legation.board import FLEET
from legation.judge import Rule
from legation.notation import Drawn, Gesture, OrderKind, Production, write_unit
from legation.notation.forms.movement import picked
from legation.orders import UnitOrder
from legation.position import Phase


class Blockade(UnitOrder, frozen=True):
    sea: str


def text(order, names=None):
    return f"{write_unit(order.kind, order.at)} blockades {order.sea}"


BLOCKADE = OrderKind(
    Blockade, "a blockade", text, text, phases=(Phase.MOVEMENT,), drawn=Drawn(strokes="ring"),
    grammar="blockade = BLOCKADES sea=PLACE", words=(("BLOCKADES", "blockades"),),
    productions=(Production("blockade", "says", lambda t, u, s: Blockade(u.kind, u.at, picked(t, s["sea"][0]))),),
    gesture=Gesture(name="blockade", taps="place", to=lambda order: order.sea, label="Blockade {to}", rank=2, key="k"),
)


class Blockades(Rule):
    key = "blockades"
    orders = (BLOCKADE,)

    def check(self, rules, position, power, order):
        return None if rules.board.provinces[order.sea].sea else f"nobody blockades {order.sea}, which is land"

    def legal_orders(self, rules, position, power):
        fleets = [unit for unit in position.units_of(power) if unit.kind == "F"]
        return [Blockade("F", unit.at, sea) for unit in fleets for sea in sorted(rules.board.reach(FLEET, unit.at))]

    def describe(self, rules):
        return ("A fleet may blockade a sea.",)
"""
"""A rule whose order names a place to which its unit could move as well."""


WORKS = """from legation.board import FLEET
from legation.judge import Rule
from legation.notation import Drawn, Gesture, OrderKind, Production, write_unit
from legation.notation.forms.movement import picked
from legation.orders import Order, UnitOrder
from legation.position import Phase

WORKS = Phase("Works")


class Fort(Order, frozen=True):
    at: str


class Escort(UnitOrder, frozen=True):
    target: str


def fort(order, names=None):
    return f"fort in {order.at}"


def escort(order, names=None):
    return f"{write_unit(order.kind, order.at)} escorts {order.target}"


FORT = OrderKind(
    Fort, "a fort", fort, fort, phases=(WORKS,), drawn=Drawn(words=lambda power, order: f"{power} builds a fort"),
    grammar="fort = FORT IN at=PLACE", words=(("FORT", "fort"),),
    productions=(Production("fort", "opens", lambda text, slots: Fort(picked(text, slots["at"][0]))),),
    gesture=Gesture(name="fort", taps="site", to=lambda order: "", label="A fort in {at}", stroke="ring"),
)
ESCORT = OrderKind(
    Escort, "an escort", escort, escort, phases=(Phase.MOVEMENT,), drawn=Drawn(strokes="ring"),
    grammar="escort = ESCORTS target=PLACE", words=(("ESCORTS", "escorts"),),
    productions=(Production("escort", "says", lambda t, u, s: Escort(u.kind, u.at, picked(t, s["target"][0]))),),
    gesture=Gesture(name="escort", taps="helped", to=lambda order: "", label="Escort {whom}", group="Escort", key="k"),
)


class Works(Rule):
    key = "works"
    orders = (FORT, ESCORT)
    phases = (WORKS,)

    def check(self, rules, position, power, order):
        if isinstance(order, Fort):
            return None if order.at in position.centers_of(power) else f"{order.at} is no center of {power}"
        return None if self._meets(rules, order.at, order.target) else f"no fleet comes near {order.target}"

    def legal_orders(self, rules, position, power):
        if position.turn.phase is WORKS:
            return [Fort(center) for center in position.centers_of(power)]
        units = position.units_of(power)
        return [
            Escort(unit.kind, unit.at, other.at)
            for unit in units for other in units if unit.kind == "F" and self._meets(rules, unit.at, other.at)
        ]

    def _meets(self, rules, at, other):
        seas = rules.board.reach(FLEET, at)
        return other in {place for sea in seas for place in rules.board.reach(FLEET, sea)} - {at}

    def describe(self, rules):
        return ("A power may build a fort. A fleet may escort another.",)
"""
"""A rule with a phase in which places are tapped, and an order that helps another; neither says how to ask."""


@pytest.fixture
def address(manual_folder: Path) -> Iterator[str]:
    """The address of a site on which the manual's variants can be played."""
    mine = manual_folder / "mine"
    (mine / "rules/blockades.py").write_text(BLOCKADES)
    (mine / "closed.toml").write_text((mine / "passes.toml").read_text().replace("rules.passages", "rules.blockades"))
    (mine / "rules/works.py").write_text(WORKS)
    works = (mine / "congress.toml").read_text().replace("Treaties", "Works").replace("rules.treaties", "rules.works")
    (mine / "works.toml").write_text(works.replace('["F bre", "A mar", "A bur"]', '["F bre", "F gas", "F nwy"]'))
    app = create_app(settings=WebSettings(bounded=False))
    app.state.variant_uploads = VariantUploads(app.state.documents, Registry(mine))
    with served(app) as here:
        yield here


def drawn(visit: Visit) -> int:
    """How many orders the map shows that are not sent yet."""
    return int(visit.page.evaluate("legation.chart.layers.querySelectorAll('[data-slot=draft] > g').length"))


def test_an_order_of_a_rule_is_tapped_typed_listed_and_drawn(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=trenches")
    desk.tap("par")
    page.click(".chips >> text=Army Paris digs in")
    assert desk.text() == "France\nA par digs in\n" and drawn(desk) == 1
    assert page.evaluate("legation.chart.layers.querySelectorAll('[data-slot=draft] circle').length") == 2
    page.fill("#text", "France\nArmy Marseilles digs in\n")
    assert "✓" in desk.understood()[0]
    assert drawn(desk) == 1
    desk.tap("par")  # what was typed is kept as it was
    page.click(".chips >> text=Army Paris digs in")
    assert desk.text() == "France\nA mar digs in\nA par digs in\n"
    page.click("text=Order from a list")
    lists = page.locator("select[data-place=mun]")
    lists.focus()
    lists.select_option("A mun digs in")
    assert "A mun digs in" in desk.text()
    page.click("text=Judge movement")
    page.wait_for_selector("#results")
    expect(page.locator(".results")).to_contain_text("digs in")


@pytest.mark.long
def test_a_gesture_of_a_rules_own_is_tapped_and_chosen_by_its_letter(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=passes")
    desk.tap("mar")
    desk.tap("ruh")  # where the army can't go by itself
    assert desk.text() == "France\nA mar passes through bur to ruh\n" and drawn(desk) == 1
    page.evaluate(SLOWLY)
    page.fill("#text", "")
    desk.tap("mar")
    page.keyboard.press("t")  # before the server has told what was typed
    page.click(".chips >> text=to Munich")
    assert desk.text() == "France\nA mar passes through bur to mun\n"
    page.click("text=Judge movement")
    expect(page.locator(".results")).to_contain_text("A mar passes through bur to mun")


@pytest.mark.long
def test_orders_of_a_phase_of_a_rules_own_are_picked_beside_the_map(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=congress")
    offer = page.get_by_role("combobox", name="France: Offer a treaty")
    offer.select_option("Treaty with Germany")
    assert "treaty with Germany" in desk.text()
    page.keyboard.press("Control+z")
    expect(page.locator("#text")).to_have_value("")
    expect(page.locator("#table-box")).to_be_hidden()  # no unit and no place has orders to list
    desk.tap("mun")
    expect(page.locator("#status")).to_have_text("Munich: army of Germany. It can’t be ordered this turn.")


@pytest.mark.long
def test_a_letter_chooses_what_a_tap_on_a_place_means(desk: Visit) -> None:
    """The fleet could go there as well: after the letter it doesn't."""
    page = desk.go("/sandbox/new?variant=closed")
    desk.tap("bre")
    desk.tap("eng")
    assert desk.text() == "France\nF bre - eng\n"
    for _ in range(2):  # and what was chosen before is forgotten
        desk.tap("bre")
        page.keyboard.press("k")
        desk.tap("mao")
        assert desk.text() == "France\nF bre blockades mao\n"
        desk.tap("bre")
        page.keyboard.press("k")
        page.keyboard.press("Escape")
        desk.tap("mao")
        assert desk.text() == "France\nF bre - mao\n"
    desk.tap("bre")
    page.keyboard.press("k")
    desk.tap("mar")  # no sea beside it
    expect(page.locator("#status")).to_have_text("F bre blockades mar: nobody blockades mar, which is land.")
    assert desk.text() == "France\nF bre - mao\n"
    desk.tap("nth")  # a sea, but too far away; the rule itself has nothing against it
    expect(page.locator("#status")).to_have_text("F bre blockades nth: legal, but it needs other orders to work.")
    expect(page.locator("#chips")).to_contain_text("Order it")


@pytest.mark.long
def test_who_is_refused_is_told_why_where_a_gesture_does_not_say_how_to_ask(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=works")
    status = page.locator("#status")
    expect(status).to_have_text("Tap a highlighted place to build there.")
    desk.tap("mun")
    desk.tap("par")
    assert desk.text() == "France\nfort in par\n\nGermany\nfort in mun\n"
    desk.tap("lon")
    expect(status).to_have_text("fort in lon: lon is no center of France.")
    page.click("text=Judge works")
    page.wait_for_selector("#results")
    desk.tap("bre")
    page.keyboard.press("k")
    desk.tap("nwy")
    expect(status).to_have_text("F bre escorts nwy: no fleet comes near nwy.")
    desk.tap("tun")  # where no unit stands
    expect(status).to_have_text("F bre escorts tun: no fleet comes near tun.")
    desk.tap("gas")
    assert "F bre escorts gas" in desk.text()


@pytest.mark.long
def test_a_reason_that_comes_late_takes_the_place_of_nothing_newer(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=passes")
    answers: list[Route] = []
    page.route("**/check", lambda route: answers.append(route))
    desk.tap("mar")
    with page.expect_request("**/check"):
        desk.tap("nwy")
    expect(page.locator("#status")).to_contain_text("not to Norway")
    with page.expect_request("**/check"):
        desk.tap("par")
    for answer in answers:
        answer.continue_()
    page.unroute("**/check")
    assert desk.understood() == ["✓\nFrance: Army Marseilles passes through Burgundy to Paris"]
    expect(page.locator("#status")).to_have_text("A mar passes through bur to par.")
    desk.tap("ruh")  # an own phase has no say: nobody stands there
    expect(page.locator("#status")).to_have_text("Ruhr: no unit stands there.")
