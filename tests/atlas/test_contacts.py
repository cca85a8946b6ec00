"""The picture held against the tables: two lands, A and B, side by side above a sea S."""

import msgspec

from legation.atlas.contacts import Link, compare, derive, measure_contacts
from legation.atlas.shapes import Least, Shape, Shapes, contacts, meetings
from legation.board.model import Board, Border, Province

PLACE = (1.0, 1.0)


def picture(least: float = 5.0, split: float = 10.0) -> Shapes:
    """A and B share 10 km of line; A has ``split`` km of shore, B the rest of 20."""
    return Shapes(
        projection={},
        width=20,
        height=20,
        least=Least(border=least, sea=2, coast=2),
        arcs=[
            [(0, 10), (0, 0), (10, 0)],
            [(10, 0), (split, 10)],
            [(10, 0), (20, 0), (20, 10)],
            [(0, 10), (split, 10)],
            [(split, 10), (20, 10)],
            [(0, 10), (0, 20), (20, 20), (20, 10)],
        ],
        provinces={
            "a": Shape([[[0, 1, ~3]]], PLACE, PLACE, PLACE),
            "b": Shape([[[2, ~4, ~1]]], PLACE, PLACE, PLACE),
            "s": Shape([[[3, 4, ~5]]], PLACE, PLACE, PLACE),
        },
    )


def board(*borders: Border, inland: str = "", area: str = "") -> Board:
    a, b = (Province(id=name, name=name.upper(), shore=inland != name) for name in "ab")
    sea = Province(id="s", name="S", sea=True, area=area, primary=bool(area))
    return Board("test", "Test", [a, b, sea], borders)


WHOLE = (Border("a", "b", True, True), Border("a", "s", False, True), Border("b", "s", False, True))


def test_lengths_and_meetings_come_from_the_arcs() -> None:
    shapes = picture()
    assert contacts(shapes) == {("a", "b"): 10.0, ("a", "s"): 10.0, ("b", "s"): 10.0}
    assert meetings(shapes)["a", "b"] == {"s"}
    assert compare(board(*WHOLE), shapes, []) == [], "a sound board has no fault"


def test_a_border_that_nobody_could_see_on_a_map_of_its_size_is_told() -> None:
    large = msgspec.structs.replace(picture(), width=7100)
    told = [fault.message for fault in compare(board(*WHOLE), large, [])]
    assert [message.partition(" share ")[0] for message in told] == ["a and b", "a and s", "b and s"]
    assert "only 10.0 km, too little to be seen on a map of 7,100 km" in told[0] and "least_border = 18" in told[0]
    assert compare(board(*WHOLE), msgspec.structs.replace(large, width=6900), []) == []
    bridge = Link("a", "b", True, True, True, "bridge", "the ford")
    assert len(compare(board(*WHOLE), large, [bridge])) == 2  # a bridge is drawn to be seen


def test_a_touch_without_a_border_is_told_with_length_and_mend_unless_a_barrier_is_declared() -> None:
    faults = compare(board(*WHOLE[1:]), picture(), [])
    assert [f.message.partition(":")[0] for f in faults] == [
        "a and b touch for 10 km on the picture but have no border for armies",
        "a and b are two coasts that meet at s on the picture, but no fleet may pass",
    ]
    assert all(f.place == "borders.csv" and "declare a barrier in links.csv" in f.message for f in faults)
    barrier = Link("a", "b", True, True, False)
    assert compare(board(*WHOLE[1:]), picture(), [barrier]) == []
    assert {f.place for f in compare(board(*WHOLE), picture(), [barrier])} == {"links.csv"}


def test_a_border_without_a_touch_is_told_unless_a_bridge_is_declared() -> None:
    apart = picture(least=15)
    faults = compare(board(*WHOLE), apart, [])
    assert "a and b are neighbors for armies but share only 10.0 km" in str(faults[0])
    assert len(faults) == 2
    assert compare(board(*WHOLE), apart, [Link("a", "b", True, True, True)]) == []
    (left,) = compare(board(*WHOLE), apart, [Link("a", "b", True, False, True)])
    assert "for fleets" in left.message


def test_a_link_that_the_tables_do_not_know_is_told() -> None:
    added = [Link("b", "s", False, True, True)]
    (fault,) = compare(board(Border("a", "b", True, False), WHOLE[1]), picture(split=19), added)
    assert fault.place == "links.csv"
    assert "b and s" in fault.message


def test_coasts_without_a_common_sea_and_inland_with_a_shore_are_told() -> None:
    shapes = picture(split=19)  # B has one kilometer of shore, too little to count
    assert measure_contacts(board(*WHOLE).provinces, shapes).coasting == {}
    faults = compare(board(WHOLE[0], WHOLE[1]), shapes, [])
    assert faults[0].message.startswith("a and b are neighbors for fleets but meet at no common sea")
    assert len(faults) == 1
    faults = compare(board(Border("a", "b", True, False), WHOLE[1], inland="b"), picture(), [])
    assert [f.message.partition(":")[0] for f in faults] == ["b is inland but has 10 km of coast on s in the picture"]


def test_missing_and_unknown_shapes_are_told() -> None:
    more = Board("t", "T", [*board().provinces.values(), Province(id="z", name="Z")], WHOLE)
    assert "z is not drawn" in str(compare(more, picture(), [])[0])
    fewer = Board("t", "T", [p for p in board().provinces.values() if p.id != "b"], [WHOLE[1]])
    assert any("b is drawn but isn't a province" in str(f) for f in compare(fewer, picture(), []))


def test_borders_derive_from_the_picture_and_the_links() -> None:
    provinces = board().provinces
    seen = measure_contacts(provinces, picture())
    borders, touching = derive(provinces, seen, [], {})
    assert tuple(borders) == WHOLE
    assert touching == []
    borders, _ = derive(provinces, seen, [Link("a", "s", False, True, False), Link("a", "b", True, False, False)], {})
    assert borders == [Border("a", "b", False, True), WHOLE[2]]
    areas = board(area="The Sea").provinces  # only touching is derived for them
    assert derive(areas, measure_contacts(areas, picture()), [], {}) == ([WHOLE[0]], [("a", "s"), ("b", "s")])
    seen = measure_contacts(provinces, picture(split=19))  # B has one kilometer of shore, too little to count
    assert derive(provinces, seen, [], {})[0] == [Border("a", "b", True, False), WHOLE[1]]
    borders, _ = derive(provinces, seen, [Link("b", "s", False, True, True)], {})
    assert borders == [Border("a", "b", True, False), WHOLE[1], WHOLE[2]]


def test_links_add_and_remove_contacts_with_the_areas_of_seas() -> None:
    """What fleets may do between two coasts follows from the contacts with the area, declared ones too."""
    whole = board(*WHOLE, area="The Sea")
    assert compare(whole, picture(), []) == []
    closed = [Link("b", "s", False, True, False), Link("a", "b", False, True, False)]
    assert [str(f) for f in compare(whole, picture(), closed) if f.place == "links.csv"] == [
        "links.csv: a and b are parted for fleets here but not in borders.csv",
        "links.csv: b and s are parted for fleets here but not in borders.csv",
    ]
    assert compare(board(Border("a", "b", True, False), WHOLE[1], area="The Sea"), picture(), closed) == []
    assert [str(f) for f in compare(board(*WHOLE[:2], area="The Sea"), picture(), [])] == [
        "borders.csv: b and s touch for 10 km on the picture but have no border for fleets: "
        "add it to borders.csv or declare a barrier in links.csv"
    ]
    opened = [Link("b", "s", False, True, True)]
    assert compare(board(Border("a", "b", True, False), *WHOLE[1:], area="The Sea"), picture(split=19), opened) == []


def test_what_follows_from_an_area_alone_is_no_difference_of_the_picture() -> None:
    """A coast that touches a region has to do with the primary one as well (W-8b): that is the board's, not the
    picture's, and told of its own contacts."""
    land = [Province(id=name, name=name.upper(), shore=True) for name in "ab"]
    seas = [Province(id=name, name=name.upper(), sea=True, area="The Sea", primary=name == "p") for name in "sp"]
    short = Board("test", "Test", [*land, *seas], [*WHOLE, Border("p", "s", False, True)])
    assert [str(fault) for fault in compare(short, picture(), [])] == [
        "shapes.json: p is not drawn: give it points and grow the board again"
    ]


def test_a_coast_gets_the_seas_that_the_board_gives_it() -> None:
    provinces = dict(board().provinces)
    provinces["a"] = Province(id="a", name="A", shore=True, coasts=("nc", "sc"))
    seas = {("a", "nc"): frozenset({"s"}), ("a", "sc"): frozenset({"t"})}
    borders, _ = derive(provinces, measure_contacts(provinces, picture()), [], seas)
    assert [(b.a, b.b, b.army, b.fleet) for b in borders] == [
        ("a", "b", True, False),
        ("a/nc", "b", False, True),
        ("a/nc", "s", False, True),
        ("b", "s", False, True),
    ]
