"""Legal orders written in many hands: with names in full or short, signs or words for what units do, and whatever parts
one order from the next. All of them are read; with a letter wrong in one name, none is read as anything else."""

from collections.abc import Callable
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legation.board import Board, province_of
from legation.judge import Ruleset, legal_orders
from legation.notation import write
from legation.notation.known_orders import KnownOrders
from legation.notation.lexicon import lexicon
from legation.notation.sheet_reader import read_sheet
from legation.orders import Build, Hold, Move, Order, Remove, SupportMove
from legation.position import Phase, Turn, Unit
from legation.variants import load

VARIANTS = {name: load(name) for name in ("standard", "hundred", "hundred3", "three-kingdoms")}
LEGAL = {
    name: {
        power: [o for o in orders if isinstance(o, Hold | Move | SupportMove) and not getattr(o, "via_convoy", False)]
        for power, orders in legal_orders(rules, rules.opening()).items()
    }
    for name, rules in VARIANTS.items()
}
Written = Hold | Move | SupportMove
SHORTEST_MISSPELLED = 6  # letters of a name in which one is left out
SHORTEST_WORD = 4


class Hand(msgspec.Struct):
    """How somebody writes: each field gives a piece of text."""

    full: bool
    kinds: dict[str, str]
    move: str
    support: str
    hold: str
    case: Callable[[str], str]
    between: str
    misspelled: int = -1  # the letter that is left out of the first long name

    def name(self, board: Board, at: str) -> str:
        """A place as this hand writes it, with its coast."""
        province, _, coast = at.partition("/")
        said = board.provinces[province].name if self.full else province
        if len(said) > self.misspelled >= 0 and len(said) >= SHORTEST_MISSPELLED:
            before, after = said[: self.misspelled], said[self.misspelled :]
            word = before.split(" ")[-1] + after.split(" ")[0]  # of a short word a single letter may be left
            if len(word) >= SHORTEST_WORD and word.isalpha() and before[-1:].isalpha():
                said, self.misspelled = before + after[1:], -1
        return self.case(said) + (f" ({coast})" if coast else "")

    def order(self, board: Board, order: Written) -> str:
        """An order as this hand writes it."""
        unit = f"{self.kinds[order.kind]}{self.name(board, order.at)}"
        if isinstance(order, Move):
            return unit + self.move + self.name(board, order.to)
        if isinstance(order, SupportMove):
            helped = f"{self.kinds[order.target_kind]}{self.name(board, order.target)}"
            return unit + self.support + helped + self.move + self.name(board, order.to)
        return unit + self.hold


WORDS = {name: sorted(w for w in lexicon().words(name) if len(w) > 1) for name in ("MOVE", "SUPPORT", "HOLD")}
"""The lexicon's words and phrases for what units do, but for its letters."""


def spoken(signs: list[str], name: str, *ends: str) -> st.SearchStrategy[str]:
    """Signs, or words of a class, with what may stand behind them."""
    words = st.builds("{0}{1}".format, st.sampled_from(WORDS[name]).map(" {}".format), st.sampled_from(ends))
    return st.one_of(st.sampled_from(signs), words)


HANDS = st.builds(
    Hand,
    full=st.booleans(),
    kinds=st.sampled_from(
        [{"A": "A ", "F": "F "}, {"A": "a ", "F": "f "}, {"A": "Army ", "F": "Fleet "}, {"A": "", "F": ""}]
    ),
    move=spoken([" - ", "-", " to ", " -> ", "→", " – "], "MOVE", " ", " to "),
    support=spoken([" S ", " s ", " S. "], "SUPPORT", " "),
    hold=spoken([" H", " h"], "HOLD", ""),
    case=st.sampled_from([str, str.upper, str.lower]),
    between=st.sampled_from(["\n", ", ", "; ", ". ", " / ", "\n- "]),
)


@st.composite
def sheets(draw: st.DrawFn) -> tuple[str, str, list[Written], Hand]:
    """A variant, a power, orders for different units of it, and a hand."""
    name = draw(st.sampled_from(sorted(LEGAL)))
    power = draw(st.sampled_from(sorted(power for power, orders in LEGAL[name].items() if orders)))
    orders = draw(
        st.lists(st.sampled_from(LEGAL[name][power]), min_size=1, max_size=6, unique_by=lambda o: province_of(o.at))
    )
    return name, power, orders, draw(HANDS)


def read(name: str, power: str, text: str) -> tuple[list[str], list[str]]:
    """The orders that are read, without kinds, and what is told."""
    rules = VARIANTS[name]
    passages = rules.reader.sheet(text, rules.opening().turn.phase, power, rules.opening())
    orders = [plain(p.order) for p in passages if p.order is not None]
    return orders, [p.error.message for p in passages if p.error is not None]


def plain(order: Order) -> str:
    """An order by its provinces alone: which kind stands there, and whose it is, the position tells."""
    bare = {name: "" for name in ("kind", "target_kind", "power") if hasattr(order, name)}
    places = {name: province_of(getattr(order, name)) for name in ("at", "to", "target") if hasattr(order, name)}
    return write(msgspec.structs.replace(order, **bare, **places))


@given(sheets())
@settings(max_examples=100, deadline=None)
def test_orders_are_read_in_every_hand(sheet: tuple[str, str, list[Written], Hand]) -> None:
    name, power, orders, hand = sheet
    text = hand.between.join(hand.order(VARIANTS[name].board, order) for order in orders)
    assert read(name, power, text) == ([plain(order) for order in orders], [])


class Searching(KnownOrders):
    """Knows no order, so that each is searched for."""

    def find(self, text: str, phase: Phase, power: str) -> None:
        """Find nothing."""


@given(sheets(), st.data())
@settings(max_examples=100, deadline=None)
def test_an_order_in_a_known_wording_is_what_a_search_finds(
    sheet: tuple[str, str, list[Written], Hand], data: st.DataObject
) -> None:
    """Whatever places are put in it, and wherever units stand."""
    name, power, orders, hand = sheet
    rules = VARIANTS[name]
    reader, opening = rules.reader, rules.opening()
    locations = st.sampled_from(sorted(rules.board.locations))
    for order in orders:
        drawn = {field: data.draw(locations) for field in ("at", "to", "target") if hasattr(order, field)}
        text = hand.order(rules.board, msgspec.structs.replace(order, **drawn))
        known = reader.known_orders.find(text, opening.turn.phase, power)
        if known is not None:
            searching = Searching(reader)
            found = read_sheet(reader, searching, text, opening.turn.phase, power, opening)
            assert [p.order for p in found if p.order is not None or p.error is not None] == [known]


@pytest.mark.parametrize("name", ["standard", "1000ad", "three-kingdoms"])
@pytest.mark.parametrize("record", [Build, Remove])
def test_builds_and_removals_are_read_as_they_are_written(name: str, record: type[Build | Remove]) -> None:
    """Alone, and beside another on one line: a coast behind a slash is no choice, whatever else is called so."""
    rules = load(name)
    power, *_ = rules.powers
    at = [(kind, at) for at in rules.board.locations for kind in rules.kinds if _stands(rules, kind, at)]
    sites = {
        province_of(place): record(kind, place) for kind, place in at if record is Remove or _is_center(rules, place)
    }
    coasts = [record(kind, place) for kind, place in at if "/" in place and province_of(place) in sites]
    orders = [*coasts, *list(sites.values())[::3]]
    units = [Unit(order.kind, order.at, power) for order in sites.values()] if record is Remove else []
    owners = {} if units else dict.fromkeys(sites, power)
    turn = Turn.parse("Winter 1901 Adjustments")
    position = msgspec.structs.replace(rules.opening(), turn=turn, units=tuple(units), owners=owners)
    for one, other in pairwise(orders):
        for written in ([one], [one, other])[: 1 + (province_of(one.at) != province_of(other.at))]:
            text = ", ".join(map(write, written))
            passages = rules.reader.sheet(text, turn.phase, power, position)
            assert [p.order for p in passages if p.order is not None or p.error is not None] == written, text


def _stands(rules: Ruleset, kind: str, at: str) -> bool:
    return rules.board.stands(rules.kinds[kind].travel, at)


def _is_center(rules: Ruleset, at: str) -> bool:
    return rules.board.provinces[province_of(at)].center


@given(sheets(), st.integers(1, 20))
@settings(max_examples=100, deadline=None)
def test_no_order_is_another_for_a_letter(sheet: tuple[str, str, list[Written], Hand], at: int) -> None:
    name, power, orders, hand = sheet
    hand.full, hand.misspelled = True, at
    text = hand.between.join(hand.order(VARIANTS[name].board, order) for order in orders)
    found, _ = read(name, power, text)
    assert set(found) <= {plain(order) for order in orders}
