"""What a newcomer reads, held against the game that it introduces: each sentence that an option changes is judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from legation.game import read_task
from legation.judge import Outcome, explain_cause, legal_orders, resolve
from legation.notation import write
from legation.orders import Sheet, VoteDraw
from legation.variants import STANDARD, load, load_file, names, rulebook
from legation.variants.order_forms import examples
from legation.variants.rulebook import SENTENCES
from tests.rules.small_variant import VARIANT
from tests.sampling import some


def basics(variant: str, options: dict[str, Any] | None = None) -> str:
    """The basics of a variant in a line."""
    book = rulebook(load(variant, options or {}), {}, load(STANDARD))
    return " ".join(part["text"] for part in book["basics"])


def outcomes(options: dict[str, Any], units: dict[str, list[str]], orders: dict[str, str]) -> dict[str, Any]:
    """What became of each order on the standard board."""
    document = {"variant": "standard", "options": options, "turn": "Spring 1901 Movement", "units": units}
    task = read_task({**document, "orders": orders})
    resolution = resolve(task.rules, task.position, task.sheets, "0" * 64)
    told: dict[str, Any] = {write(v.order): v.outcome for v in resolution.verdicts}
    if resolution.after.dislodged:
        legal = legal_orders(task.rules, resolution.after, list(task.rules.powers))
        told["retreats"] = [write(order) for orders in legal.values() for order in orders]
    return told


CONVOY = {"England": ["A lon", "F nth", "F ech"], "France": ["F bre", "F mao"]}
BREAKS = {
    "England": "A lon - bel\nF nth C A lon - bel\nF ech C A lon - bel",
    "France": "F bre - ech\nF mao S F bre - ech",
}


@pytest.mark.parametrize(
    ("reading", "said", "arrives"),
    [
        ("all", "still crosses by any way that is left", True),
        ("any", "If any fleet that convoys it is dislodged", False),
    ],
)
def test_what_breaks_a_convoy(reading: str, said: str, arrives: bool) -> None:
    options = {"multi_route_convoy": reading}
    assert said in basics("standard", options)
    judged = outcomes(options, CONVOY, BREAKS)
    assert (judged[next(order for order in judged if order.startswith("A lon"))] is Outcome.SUCCEEDS) is arrives


@pytest.mark.parametrize(
    ("reading", "said", "swaps"),
    [
        ("own fleet", "or if a fleet of its own power is ordered to convoy it", True),
        ("via convoy", "goes by sea only if its order says so", False),
        ("1971", "or where it would otherwise meet a unit head to head", True),
    ],
)
def test_when_an_army_that_could_walk_goes_by_sea(reading: str, said: str, swaps: bool) -> None:
    """Two armies exchange places only where one goes by sea; its order does not say so."""
    options = {"adjacent_convoy": reading}
    assert said in basics("standard", options)
    units = {"Russia": ["A nwy", "F ska"], "Germany": ["A swe"]}
    judged = outcomes(options, units, {"Russia": "A nwy - swe\nF ska C A nwy - swe", "Germany": "A swe - nwy"})
    assert (judged["A nwy - swe"] is Outcome.SUCCEEDS) is swaps


@pytest.mark.parametrize("reading", [True, False])
def test_whether_an_army_without_its_convoy_walks(reading: bool) -> None:
    options = {"via_convoy_fallback": reading}
    assert ("no convoy of it is ordered, it walks" in basics("standard", options)) is reading
    judged = outcomes(options, {"Russia": ["A nwy", "F ska"]}, {"Russia": "A nwy - swe via convoy\nF ska H"})
    (army,) = (outcome for order, outcome in judged.items() if order.startswith("A nwy"))
    assert (army is Outcome.SUCCEEDS) is reading


@pytest.mark.parametrize(("reading", "arrives"), [("ignored", True), ("binding", False)])
def test_which_fleets_carry_an_army_whose_order_names_some(reading: str, arrives: bool) -> None:
    options = {"convoy_route": reading}
    assert ("Where its order names the fleets, no others carry it." in basics("standard", options)) is not arrives
    orders = {"England": "A lon - ech - bel\nF nth C A lon - bel\nF ech H"}
    judged = outcomes(options, {"England": CONVOY["England"]}, orders)
    (army,) = (outcome for order, outcome in judged.items() if order.startswith("A lon"))
    assert (army is Outcome.SUCCEEDS) is arrives


@pytest.mark.parametrize("reading", [True, False])
def test_whether_builds_may_be_waived(reading: bool) -> None:
    options = {"waiving": reading}
    text = basics("standard", options)
    assert ("may then build" in text) is reading and ("No build may be waived" in text) is not reading
    forms = {form["name"] for form in rulebook(load("standard", options), {}, load(STANDARD))["forms"]}
    assert ("Waive" in forms) is reading
    document = {"variant": "standard", "options": options, "turn": "Winter 1901 Adjustments"}
    task = read_task({**document, "units": {"France": ["A spa"]}, "centers": {"France": ["par", "bre"]}, "orders": {}})
    after = resolve(task.rules, task.position, task.sheets, "0" * 64).after
    assert len(after.units) == (1 if reading else 2)


@pytest.mark.parametrize("reading", [True, False])
def test_whether_one_retreats_to_where_a_convoyed_attacker_came_from(reading: bool) -> None:
    options = {"retreat_to_convoy_origin": reading}
    assert ("(unless that came by convoy)" in basics("standard", options)) is reading
    units = {"England": ["A nwy", "F ska", "F bot"], "Germany": ["A swe"]}
    orders = {"England": "A nwy - swe via convoy\nF ska C A nwy - swe\nF bot S A nwy - swe", "Germany": "A swe H"}
    assert ("A swe R nwy" in outcomes(options, units, orders)["retreats"]) is reading


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
    assert sum(len(area["regions"]) for area in book["areas"]) == sum(
        bool(p.area) for p in rules.board.provinces.values()
    )
    shown = {
        order["order"].split()[1] for form in book["forms"] if form["name"] == "Build" for order in form["examples"]
    }
    assert set(rules.kinds) <= shown, "every kind that can be built is shown"


FIELD = Path(__file__).parents[1] / "cases" / "field"


@pytest.mark.parametrize(
    ("name", "unsaid", "said"),
    [
        (
            "friendly-fire",
            "A unit never dislodges a unit of its own power",
            "A unit may dislodge a unit of its own power",
        ),
        ("friendly-fire", "An attack by a unit of the same power does not count", "cut its support"),
        ("no-retreats", "retreats to an empty neighboring province", "A unit that is dislodged is destroyed."),
        ("no-retreats", "without a possible retreat order", "there are no retreats"),
        ("coastal-crawl", "unless one of them is carried over the sea;", "or both are fleets"),
        (
            "disorder",
            "A unit without an order holds, and",
            "A unit without an order, or whose order isn't possible, holds if its power orders other units",
        ),
        ("disorder", "retreat order is disbanded.", "is disbanded if its power orders anything."),
        (
            "uncounted-centers",
            "each that a power owns pays for one unit.",
            "but for those that the rules below leave out",
        ),
        (
            "sea-centers",
            "Each then goes to the power whose unit is on it. Passing",
            "or at sea off those that the rules below name",
        ),
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


@pytest.mark.parametrize("name", ["bids", "core-orders", "declared-homes", "claimed-homes"])
def test_what_makes_further_homes_says_that_one_builds_in_homes(name: str) -> None:
    told = [text for _, texts in load_file(FIELD / f"{name}.toml").described() for text in texts]
    assert "A power builds in the vacant home centers that it owns." in told


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


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "units on no center go first"),
        ({"civil_disorder": "lot"}, "the others are drawn by lot"),
        ({"civil_disorder": "1971"}, "those farthest from its home centers go first"),
        ({}, "A unit with two different orders on one sheet also holds"),
        ({"double_orders": "last"}, "the last counts"),
    ],
)
def test_what_costs_a_unit_is_told(options: dict[str, Any], said: str) -> None:
    assert said in basics("standard", options)


def test_a_variant_without_adjustments_speaks_of_no_builds(tmp_path: Path) -> None:
    text = VARIANT.replace('"Winter Adjustments"', '"Fall Movement"').format(rule="[rules.homes]")
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    book = rulebook(load_file(tmp_path / "x.toml"), {}, load(STANDARD))
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
    (tmp_path / "x.toml").write_text(VARIANT.format(rule="[rules.homes]"), encoding="utf-8")
    rules = load_file(tmp_path / "x.toml")
    assert "agree on a draw" not in " ".join(part["text"] for part in rulebook(rules, {}, load(STANDARD))["basics"])
    start = rules.opening()
    sheets = [Sheet(power, (VoteDraw(),)) for power in start.survivors()]
    reasons = [explain_cause(v.cause) for v in resolve(rules, start, sheets, "0" * 64).verdicts if v.cause]
    assert "this game's rules allow no draw by vote" in reasons
    some = resolve(rules, start, sheets[:1], "0" * 64).verdicts
    assert "not every surviving power voted for a draw" in [explain_cause(v.cause) for v in some]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "solo-by-year",
            "A power wins if it owns at least 4 centers (in 1902 and later; before, 6 in 1901) after centers have",
        ),
        ("solo-lead", "A power also wins if it leads the second by more than 3 centers in 1901, 2 in 1902, and so on."),
        ("league", "France and England are a league: each supports and convoys only the league's units."),
        ("disasters", "it comes to Brest and Marseilles: each army there is destroyed."),
        ("transform", "whether or not it is dislodged."),
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


@pytest.mark.parametrize(("reading", "arrives"), [("unless head to head", False), ("never", True)])
def test_whom_a_dislodged_unit_keeps_out(reading: str, arrives: bool) -> None:
    """Of the province that its attacker came from: head to head nobody, by convoy whoever the reading says."""
    options = {"dislodged_bounces": reading}
    said = "A unit that is dislodged head to head keeps nobody out" if not arrives else "A dislodged unit keeps nobody"
    assert said in basics("standard", options)
    met = {"Germany": ["A mun", "A ruh"], "France": ["A bur"], "Italy": ["A boh"]}
    orders = {"Germany": "A mun - bur\nA ruh S A mun - bur", "France": "A bur - mun", "Italy": "A boh - mun"}
    assert outcomes(options, met, orders)["A boh - mun"] is Outcome.SUCCEEDS
    met = {"England": ["A nwy", "F ska", "A fin"], "Germany": ["A swe"], "Russia": ["F nwg"]}
    orders = {
        "England": "A nwy - swe via convoy\nF ska C A nwy - swe\nA fin S A nwy - swe",
        "Germany": "A swe - nwy",
        "Russia": "F nwg - nwy",
    }
    assert (outcomes(options, met, orders)["F nwg - nwy"] is Outcome.SUCCEEDS) is arrives


@pytest.mark.parametrize("reading", [True, False])
def test_whether_units_of_a_silent_power_are_supported(reading: bool) -> None:
    options = {"hold_support_in_disorder": reading}
    said = "A unit whose power sends no orders cannot be supported to stay."
    assert (said in basics("standard", options)) is not reading
    units = {"Germany": ["A mun", "A ruh"], "France": ["A bur"], "Italy": ["A mar"]}
    judged = outcomes(options, units, {"Germany": "A mun - bur\nA ruh S A mun - bur", "Italy": "A mar S A bur"})
    assert (judged["A mun - bur"] is Outcome.BOUNCED) is reading


def test_an_attack_leaves_a_stronger_unit_part_of_its_support() -> None:
    """A defensive army of strength 3 that is attacked by strength 1 still gives 2."""
    assert "That of a stronger unit is reduced by the strength of the strongest attack on it." in basics("1000ad")
    assert "Support is cut when the supporting unit is attacked, however weak" in basics("standard")
    rules = load("1000ad")
    board, power = rules.board, next(iter(rules.powers.values()))
    within = set(power.homeland)
    army, held, rival, third = next(
        (a, b, c, d)
        for a in sorted(within)
        for b in sorted(set(rules.tables.army[a]) & within)
        for c in sorted(set(rules.tables.army[a]) - {b})
        for d in sorted(set(rules.tables.army[b]) - {a, c})
        if all(board.provinces[p].locations == (p,) for p in (a, b, c, d))
    )
    other = next(name for name in rules.powers if name != power.name)
    units = {power.name: [f"D {army}", f"A {held}"], other: [f"A {rival}", f"A {third}"]}
    orders = {power.name: f"D {army} S A {held}", other: f"A {rival} - {army}\nA {third} - {held}"}
    document = {"variant": "1000ad", "turn": "Spring 1000 Movement", "units": units, "orders": orders}
    task = read_task({**document, "centers": {power.name: list(power.homes)}})
    resolution = resolve(task.rules, task.position, task.sheets, "0" * 64)
    (moved,) = (v for v in resolution.verdicts if write(v.order) == f"A {third} - {held}")
    assert moved.outcome is Outcome.BOUNCED and moved.cause is not None
    assert "strength 1 against" in explain_cause(moved.cause) and "strength 3" in explain_cause(moved.cause)


@pytest.mark.parametrize(
    ("variant", "reading", "said"),
    [
        ("standard", "2000", "those farthest from its country go first"),
        ("standard", "1971", "those farthest from its home centers go first"),
        ("hundred", "2000", "those farthest from its centers go first"),
        ("three-kingdoms", "1971", "those farthest from its centers go first"),
    ],
)
def test_removals_count_from_what_a_power_has(variant: str, reading: str, said: str) -> None:
    """Where every center is a home, distance is counted from the centers of the moment."""
    options = {"civil_disorder": reading}
    assert said in basics(variant, options)
    rules = load(variant, options)
    if variant == "hundred":
        center, near, far = _line(rules)
        document = {"variant": variant, "options": options, "turn": "1430 Adjustments", "centers": {"France": [center]}}
        task = read_task({**document, "units": {"France": [f"A {near}", f"A {far}"]}, "orders": {}})
        after = resolve(task.rules, task.position, task.sheets, "0" * 64).after
        assert [u.at for u in after.units] == [near]


def _line(rules: Any) -> tuple[str, str, str]:
    """A center, a province beside it, and one two steps away whose name comes later in the alphabet."""
    board = rules.board
    return next(
        (c, near, far)
        for c in board.centers
        if c not in rules.start_owners
        for near in sorted(rules.tables.army.get(c, ()))
        for far in sorted(rules.tables.army[near])
        if far != c and far not in board.adjacent(c) and board.provinces[near].name < board.provinces[far].name
    )


@pytest.mark.parametrize(
    ("reading", "units", "removed"),
    [
        ("2023", ["A par", "A nwy", "F nwg"], ["remove F nwg", "remove A nwy"]),  # on no center before on one
        ("2023", ["A gas", "F pic"], ["remove F pic"]),  # equally far: fleets before armies
        ("1971", ["A gas", "A bur"], ["remove A bur"]),  # then in alphabetical order
    ],
)
def test_which_units_go_where_too_few_removals_are_ordered(reading: str, units: list[str], removed: list[str]) -> None:
    said = basics("standard", {"civil_disorder": reading})
    assert "Of units equally far, fleets go before armies, then the first in alphabetical order of provinces." in said
    task = read_task(
        {
            "variant": "standard",
            "options": {"civil_disorder": reading},
            "turn": "Winter 1901 Adjustments",
            "units": {"France": units},
            "centers": {"France": ["par"]},
        }
    )
    assert [write(v.order) for v in resolve(task.rules, task.position, task.sheets).verdicts] == removed


@pytest.mark.parametrize("variant", names())
def test_more_centers_than_a_win_needs_win_too(variant: str) -> None:
    assert "at least" in basics(variant).partition("A power wins if it owns ")[2][:9]


@pytest.mark.parametrize(
    ("said", "units", "orders", "judged"),
    [
        (
            "three or more can move round in a circle",
            {"Germany": ["A hol", "A bel", "A ruh"]},
            {"Germany": "A hol - bel\nA bel - ruh\nA ruh - hol"},
            {"A hol - bel", "A bel - ruh", "A ruh - hol"},
        ),
        (
            "A fleet that is attacked but not dislodged still convoys.",
            {"England": ["A lon", "F nth"], "Germany": ["F hel"]},
            {"England": "A lon - nwy\nF nth C A lon - nwy", "Germany": "F hel - nth"},
            {"A lon - nwy", "F nth C A lon - nwy"},
        ),
    ],
)
def test_what_newcomers_often_ask_is_told_and_true(said: str, units: Any, orders: Any, judged: set[str]) -> None:
    assert said in basics("standard")
    assert {order for order, outcome in outcomes({}, units, orders).items() if outcome is Outcome.SUCCEEDS} == judged


@pytest.mark.parametrize(("variant", "which"), [("standard", "that it owns at the start"), ("1898", "listed with")])
def test_which_centers_are_homes_is_told(variant: str, which: str) -> None:
    """Liverpool is England's home in both, but in 1898 England has to take it first."""
    rules = load(variant)
    assert any(f"Its home centers are those {which}" in text for _, texts in rules.described() for text in texts)
    assert ("lvp" in rules.start_owners) is (variant == "standard")
    document = {"variant": variant, "turn": "Winter 1901 Adjustments", "units": {}, "centers": {"England": ["lvp"]}}
    task = read_task(document)
    assert "build A lvp" in map(write, legal_orders(task.rules, task.position)["England"])
