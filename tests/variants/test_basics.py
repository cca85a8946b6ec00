"""What a newcomer reads of the game that it introduces. What each option does is judged by cases of its clause."""

from pathlib import Path
from typing import Any

import pytest

from legation.game import read_task
from legation.judge import explain_cause, legal_orders, resolve
from legation.notation import write
from legation.orders import Sheet, VoteDraw
from legation.variants import STANDARD, load, load_file, names, rulebook
from legation.variants.order_forms import examples
from legation.variants.rulebook import SENTENCES
from tests.rules.small_variant import HOMES, VARIANT, loaded
from tests.sampling import some


def basics(variant: str, options: dict[str, Any] | None = None) -> str:
    """The basics of a variant in a line."""
    book = rulebook(load(variant, options or {}), {}, load(STANDARD))
    return " ".join(part["text"] for part in book["basics"])


READINGS: dict[str, dict[Any, str]] = {
    "multi_route_convoy": {
        "all": "still crosses by any way that is left",
        "any": "If any fleet that convoys it is dislodged",
    },
    "adjacent_convoy": {
        "own fleet": "or if a fleet of its own power is ordered to convoy it",
        "via convoy": "goes by sea only if its order says so (“via convoy”).",
        "1971": "or where it would otherwise meet a unit head to head",
    },
    "via_convoy_fallback": {True: "no convoy of it is ordered, it walks", False: ""},
    "convoy_route": {"binding": "Where its order names the fleets, no others carry it.", "ignored": ""},
    "waiving": {True: "may then build", False: "No build may be waived"},
    "retreat_to_convoy_origin": {True: "(unless that came by convoy)", False: ""},
    "dislodged_bounces": {
        "unless head to head": "dislodged head to head keeps nobody out",
        "never": "A dislodged unit keeps nobody",
    },
    "hold_support_in_disorder": {False: "sends no orders cannot be supported to stay.", True: ""},
    "civil_disorder": {
        "2023": "units on no center go first",
        "lot": "the others are drawn by lot",
        "2000": "those farthest from its country go first",
        "1971": "those farthest from its home centers go first",
    },
    "double_orders": {
        "hold": "A unit with two different orders on one sheet also holds",
        "first": "the first counts",
        "last": "the last counts",
    },
}
"""For each option, the sentence of the rulebook that only this reading has; empty if this reading has none."""


@pytest.mark.parametrize("option", READINGS)
def test_each_reading_of_an_option_is_told_and_no_other(option: str) -> None:
    for reading, own in READINGS[option].items():
        text = basics("standard", {option: reading})
        assert [said for said in READINGS[option].values() if said and said in text] == ([own] if own else [])


def test_where_no_build_is_waived_no_form_shows_it() -> None:
    forms = {form["name"] for form in rulebook(load(STANDARD, {"waiving": False}), {}, load(STANDARD))["forms"]}
    assert "Build" in forms and "Waive" not in forms


@pytest.mark.parametrize("name", names())
def test_basics_speak_of_nothing_that_a_variant_lacks(name: str) -> None:
    """Draws where there are votes, unequal units where there are, and every center, homeland and sea area by name."""
    rules = load(name)
    book = rulebook(rules, {}, load(STANDARD))
    text = basics(name)
    votes = any(VoteDraw in kinds for kinds in rules.order_kinds.values())
    assert ("agree on a draw" in text) is votes
    for kind in rules.kinds.values():
        assert (f"({kind.code}) has strength" in text) is (kind.strength != 1 or kind.cost != 1)
    owned = {*rules.start_owners, *(home for power in rules.powers.values() for home in power.homes)}
    assert len(book["neutral"]) == len(set(rules.board.centers) - owned)
    in_areas = [p for p in rules.board.provinces.values() if p.area]
    assert sum(len(area["regions"]) for area in book["areas"]) == len(in_areas)
    (builds,) = (form["examples"] for form in book["forms"] if form["name"] == "Build")
    shown = {order["order"].split()[1] for order in builds}
    assert set(rules.kinds) <= shown, "every kind that can be built is shown"


FIELD = Path(__file__).parents[1] / "cases" / "field"


@pytest.mark.parametrize(
    ("name", "unsaid", "said"),
    [
        ("friendly-fire", "A unit never dislodges a unit of its own", "A unit may dislodge a unit of its own power"),
        ("friendly-fire", "An attack by a unit of the same power does not count", "cut its support"),
        ("no-retreats", "retreats to an empty neighboring province", "A unit that is dislodged is destroyed."),
        ("no-retreats", "without a possible retreat order", "there are no retreats"),
        ("coastal-crawl", "unless one of them is carried over the sea;", "or both are fleets"),
        ("disorder", "A unit without an order holds, and", "isn't possible, holds if its power orders other units"),
        ("disorder", "retreat order is disbanded.", "is disbanded if its power orders anything."),
        ("uncounted-centers", "each that a power owns pays for one unit.", "those that the rules below leave out"),
        ("sea-centers", "goes to the power whose unit is on it. Passing", "at sea off those that the rules below name"),
        ("solo-by-year", "The rules below say how the game ends", "as many centers as the rules below say"),
    ],
)
def test_a_rule_takes_back_what_it_makes_false(name: str, unsaid: str, said: str) -> None:
    rules = load_file(FIELD / f"{name}.toml")
    book = rulebook(rules, {}, load(STANDARD))
    introduced = " ".join(part["text"] for part in book["basics"])
    assert unsaid not in introduced
    assert said in f"{introduced} {' '.join(text for module in book['rules'] for text in module['text'])}"
    plain = basics("standard") if name != "solo-by-year" else SENTENCES["winning"]
    assert unsaid in plain, "it is what the standard game says"


def test_units_that_nobody_builds_are_no_example_of_a_build() -> None:
    rules = load_file(FIELD / "built-kinds.toml")
    assert [write(order).split()[1] for order in examples(rules)["Build"]] == ["A"]


@pytest.mark.parametrize("part", some(range(4), 4))
def test_every_subject_that_a_rule_takes_back_is_one_of_the_introduction(part: int) -> None:
    for path in sorted(FIELD.glob("*.toml"))[part::4]:
        if not path.name.endswith(".cases.toml"):
            rules = load_file(path)
            assert all(module.basics(rules).keys() <= SENTENCES.keys() for module in rules.modules), path.name
    for name in names():
        rules = load(name)
        assert all(module.basics(rules).keys() <= SENTENCES.keys() for module in rules.modules), name


def test_a_variant_without_adjustments_speaks_of_no_builds(tmp_path: Path) -> None:
    rules = loaded(tmp_path, HOMES, VARIANT.replace('"Winter Adjustments"', '"Fall Movement"'))
    book = rulebook(rules, {}, load(STANDARD))
    titles = {part["title"]: part["text"] for part in book["basics"]}
    assert "Builds" not in titles and titles["Winning"] == SENTENCES["winning"]
    assert not {"Retreat", "Disband"} & {form["name"] for form in book["forms"]}
    assert "the calendar has no retreats" in titles["Retreats"] and "retreat" not in titles["Mistakes"]


def test_homes_that_nobody_owns_at_the_start_are_told() -> None:
    book = rulebook(load("1898"), {}, load(STANDARD))
    assert len(book["neutral"]) + len(book["unowned_homes"]) == 34 - 7
    assert rulebook(load(STANDARD), {}, load(STANDARD))["unowned_homes"] == []


def test_a_vote_that_ends_nothing_is_told_why(tmp_path: Path) -> None:
    """All agreed in a game whose rules know no draw, or not all did."""
    rules = loaded(tmp_path, HOMES)
    assert "agree on a draw" not in " ".join(part["text"] for part in rulebook(rules, {}, load(STANDARD))["basics"])
    start = rules.opening()
    sheets = [Sheet(power, (VoteDraw(),)) for power in start.survivors()]
    reasons = [explain_cause(v.cause) for v in resolve(rules, start, sheets, "0" * 64).verdicts if v.cause]
    assert "this game's rules allow no draw by vote" in reasons
    some = resolve(rules, start, sheets[:1], "0" * 64).verdicts
    assert "not every surviving power voted for a draw" in [explain_cause(v.cause) for v in some]


HOMES_FOR_BUILDS = "A power builds in the vacant home centers that it owns."


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "solo-by-year",
            "wins if it owns at least 4 centers (in 1902 and later; before, 6 in 1901) after",
        ),
        ("solo-lead", "A power also wins if it leads the second by more than 3 centers in 1901, 2 in 1902, and so on."),
        ("league", "France and England are a league: each supports and convoys only the league's units."),
        ("disasters", "it comes to Brest and Marseilles: each army there is destroyed."),
        ("transform", "whether or not it is dislodged."),
        *((name, HOMES_FOR_BUILDS) for name in ("bids", "core-orders", "declared-homes", "claimed-homes")),
    ],
)
def test_sentences_of_a_rule_are_whole_with_its_settings(name: str, said: str) -> None:
    assert said in " ".join(text for _, texts in load_file(FIELD / f"{name}.toml").described() for text in texts)


@pytest.mark.parametrize("name", ["bids", "core-orders", "declared-homes"])
def test_examples_of_homes_to_come_are_no_homes_yet(name: str) -> None:
    rules = load_file(FIELD / f"{name}.toml")
    homes = {home for power in rules.powers.values() for home in power.homes}
    shown = [
        write(order).split()
        for form in ("Bid for a center", "Core", "Declare a home")
        for order in examples(rules).get(form, [])
    ]
    assert shown and not homes & {word for words in shown for word in words}


def test_removals_count_from_what_a_power_has() -> None:
    """Where every center is a home, distance is counted from the centers of the moment."""
    assert "those farthest from its centers go first" in basics("three-kingdoms", {"civil_disorder": "1971"})
    options = {"civil_disorder": "2000"}
    assert "those farthest from its centers go first" in basics("hundred", options)
    center, near, far = "brt", "guy", "tou"  # a center, a province beside it, and one two steps away
    document = {"variant": "hundred", "options": options, "turn": "1430 Adjustments", "centers": {"France": [center]}}
    task = read_task({**document, "units": {"France": [f"A {near}", f"A {far}"]}, "orders": {}})
    after = resolve(task.rules, task.position, task.sheets, "0" * 64).after
    assert [u.at for u in after.units] == [near]


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ("1000ad", "That of a stronger unit is reduced by the strength of the strongest attack on it."),
        ("standard", "Support is cut when the supporting unit is attacked, however weak"),
    ],
)
def test_how_support_is_cut_is_told(variant: str, said: str) -> None:
    assert said in basics(variant)


@pytest.mark.parametrize("variant", names())
def test_more_centers_than_a_win_needs_win_too(variant: str) -> None:
    assert "at least" in basics(variant).partition("A power wins if it owns ")[2][:9]


@pytest.mark.parametrize(("variant", "which"), [("standard", "that it owns at the start"), ("1898", "listed with")])
def test_which_centers_are_homes_is_told(variant: str, which: str) -> None:
    """Liverpool is England's home in both, but in 1898 England has to take it first."""
    rules = load(variant)
    assert any(f"Its home centers are those {which}" in text for _, texts in rules.described() for text in texts)
    assert ("lvp" in rules.start_owners) is (variant == "standard")
    document = {"variant": variant, "turn": "Winter 1901 Adjustments", "units": {}, "centers": {"England": ["lvp"]}}
    task = read_task(document)
    assert "build A lvp" in map(write, legal_orders(task.rules, task.position)["England"])
