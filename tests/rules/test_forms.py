"""The form of rule modules: what isn't a question, what shares a key, what breaks a position is refused; the order of
tables says nothing."""

from collections.abc import Callable
from random import Random
from types import ModuleType
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest

from legation.atlas import Atlas
from legation.atlas.shapes import read_shapes
from legation.game import position_document, read_task
from legation.judge import Aftermath, Rule, RulesError, Ruleset, UnitKind, Verdict, advance, resolve
from legation.judge.sheets import illegal
from legation.notation import Drawn, Gesture, OnPaper, OrderKind, Production, write
from legation.notation.kind_form import CALLED_WITH, DRAWN_FROM
from legation.notation.order_kinds import STROKES, Place, Strokes
from legation.orders import Hold, Sheet, UnitOrder, VoteDraw
from legation.position import Phase, Position, Turn, Unit
from legation.rules import modules, modules_in
from legation.rules.calendar import Calendar
from legation.variants import USUAL, find_boards, load, names
from legation.variants.loader import prepare
from tests.rules.mixes import mixed, of_modules
from tests.rules.test_random_games import wild_sheets
from tests.sampling import some

# Where the tables stand


def shuffled(name: str, seed: int) -> Ruleset:
    """A shipped variant with its tables of rules in another order."""
    facts = USUAL.facts(name)
    tables = list(facts.get("rules", {}).items())
    Random(seed).shuffle(tables)
    plain = load(name)
    return Ruleset(
        **prepare(name, name, {**facts, "rules": dict(tables)}, modules(), lambda _: plain.board, USUAL.facts)
    )


@pytest.mark.parametrize("name", some(names(), 4))
def test_the_order_of_tables_changes_nothing(name: str) -> None:
    """Nor does a rule that answers no question."""
    plain, others, silent = load(name), [shuffled(name, seed) for seed in (1, 2)], mixed(name, Plain())
    assert len(plain.modules) < 2 or any([m.key for m in o.modules] != [m.key for m in plain.modules] for o in others)
    assert all(other.digest == plain.digest for other in others)
    position, random = plain.opening(), Random(name)
    for _ in range(8):
        sheets = tuple(wild_sheets(plain, position, random))
        answers = [resolve(rules, position, sheets, "s") for rules in (plain, *others, silent)]
        assert all(answer == answers[0] for answer in answers)
        if answers[0].ending is not None:
            break
        position = answers[0].after


def test_modules_run_after_those_that_they_name() -> None:
    for name in names():
        keys = [module.key for module in load(name)._in_turn]
        for module in load(name).modules:
            assert all(keys.index(key) < keys.index(module.key) for key in module.runs_after if key in keys)


# What is refused


def test_a_misspelt_question_is_refused_when_the_class_is_made() -> None:
    with pytest.raises(RulesError, match="no question 'refuse_entry'; did you mean 'refuses_entry'"):
        type("Slip", (Rule,), {"key": "slip", "refuse_entry": lambda self, rules: None})
    with pytest.raises(RulesError, match=r"settle takes \(self, rules, position\)"):
        type("Slip", (Rule,), {"key": "slip", "settle": lambda self, position: position})
    with pytest.raises(RulesError, match="homes is a question, which a plain method answers"):
        type("Slip", (Rule,), {"key": "slip", "homes": property(lambda self: ())})


class Signal(UnitOrder, frozen=True):
    """An order that no variant has."""


def test_a_function_of_an_order_that_takes_other_arguments_is_refused_when_the_class_is_made() -> None:
    kind = OrderKind(
        Signal,
        "a signal",
        lambda order: "",
        lambda order: "",  # type: ignore[arg-type, misc]
        productions=(Production("signals", "says", lambda text, unit: Signal("A", "par")),),
        drawn=Drawn(tag=lambda order: ""),  # type: ignore[arg-type, misc]
        gesture=Gesture(name="signal", label="", to=lambda order, names: ""),  # type: ignore[arg-type, misc]
    )
    with pytest.raises(RulesError) as refused:
        type("Slip", (Rule,), {"key": "slip", "orders": (kind,)})
    assert str(refused.value).partition("Slip: ")[2].split("; ") == [
        "sentence of a signal is called with (order, names)",
        "says of a signal is called with (text, unit, slots)",
        "drawn.tag of a signal is called with (verdict, order)",
        "gesture.to of a signal is called with (order)",
    ]


@pytest.mark.parametrize("strokes", ["arrow", "hollow arrow", "turning arrows"])
def test_strokes_for_which_an_order_lacks_a_field_are_refused_when_the_class_is_made(strokes: Strokes) -> None:
    kind = OrderKind(Signal, "a signal", lambda order: "", lambda order, names: "", drawn=Drawn(strokes=strokes))
    with pytest.raises(RulesError, match=f"{strokes!r} is drawn from the order's 'to', which it lacks"):
        type("Slip", (Rule,), {"key": "slip", "orders": (kind,)})


def test_words_of_a_class_of_the_readers_own_are_refused_when_the_class_is_made() -> None:
    kind = OrderKind(Signal, "a signal", lambda order: "", lambda order, names: "", words=(("HOLD", "signal"),))
    with pytest.raises(RulesError, match="words of a signal: 'HOLD' is a class of the reader's own; choose another"):
        type("Slip", (Rule,), {"key": "slip", "orders": (kind,)})


def test_a_place_of_productions_that_does_not_exist_is_refused_when_the_class_is_made() -> None:
    read = Production("signals", "say", lambda text, unit, slots: None)  # type: ignore[arg-type]
    kind = OrderKind(Signal, "a signal", lambda order: "", lambda order, names: "", productions=(read,))
    with pytest.raises(RulesError, match="'signals' has the place 'say'; choose from says, opens, groups, beside"):
        type("Slip", (Rule,), {"key": "slip", "orders": (kind,)})


def test_every_stroke_tells_what_it_is_drawn_from() -> None:
    assert DRAWN_FROM.keys() == {*STROKES} - {""}


def calls(hint: Any) -> int | None:
    """How many arguments the function takes that a type speaks of; None where this says no function."""
    if get_origin(hint) is Callable:
        return len(get_args(hint)[0])
    return next((count for part in get_args(hint) if (count := calls(part)) is not None), None)


def test_functions_of_orders_are_called_with_what_their_types_say() -> None:
    records = {"": OrderKind, "drawn": Drawn, "gesture": Gesture, "paper": OnPaper}
    typed = {
        f"{field}.{name}".strip("."): count
        for field, record in records.items()
        for name, hint in get_type_hints(record).items()
        if (count := calls(hint)) is not None
    }
    builds = get_args(Place)  # of these the type of ``build`` says nothing
    assert typed == {place: len(given) for place, given in CALLED_WITH.items() if place not in builds}
    assert {*builds} < {*CALLED_WITH}


class Plain(Rule):
    key = "plain"


class First(Rule):
    key = "first"
    runs_after = ("second",)


class Second(Rule):
    key = "second"
    runs_after = ("first",)


def test_shared_keys_and_rounds_are_refused() -> None:
    with pytest.raises(RulesError, match="two rules have the key 'plain'"):
        mixed("standard", Plain(), Plain())
    with pytest.raises(RulesError, match="'first' and 'second' each say that they run after another"):
        mixed("standard", First(), Second())


class Doubling(Rule):
    """Puts a second unit, or what it is told, beside every first."""

    key = "doubling"

    def __init__(self, unit: str = "", power: str = "France") -> None:
        self.unit = unit
        self.power = power

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        kind, _, at = (self.unit or str(aftermath.units[0])).partition(" ")
        aftermath.units.append(Unit(kind, at, self.power))


@pytest.mark.parametrize(
    ("unit", "power", "told"),
    [
        ("", "France", "puts A bud of France where A bud of Austria stands"),
        ("A nth", "France", "puts A nth of France where it cannot stand"),
        ("F mun", "France", "where it cannot stand"),
        ("Z par", "France", "which this game does not have"),
        ("A gas", "Spain", "which this game does not have"),
    ],
)
def test_a_step_that_breaks_a_position_is_told(unit: str, power: str, told: str) -> None:
    rules = mixed("standard", Doubling(unit, power))
    with pytest.raises(RulesError, match=f"doubling: .*{told}"):
        resolve(rules, rules.opening())


class Settling(Doubling):
    """Does so when centers change hands."""

    key = "settling"

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        pass

    def settle(self, rules: Ruleset, position: Position) -> Position:
        return msgspec.structs.replace(position, units=(*position.units, Unit("A", "nth", "France")))


def test_a_change_of_hands_that_breaks_a_position_is_told() -> None:
    rules = mixed("standard", Settling())
    fall = msgspec.structs.replace(rules.opening(), turn=Turn.parse("Fall 1901 Movement"))
    with pytest.raises(RulesError, match=r"settling: .*puts A nth of France where it cannot stand"):
        resolve(rules, fall)


class Opening(Settling):
    """Does so before the game begins."""

    key = "opening_doubly"

    def opening(self, rules: Ruleset, position: Position) -> Position:
        return self.settle(rules, position)


def test_an_opening_that_cannot_be_is_told() -> None:
    with pytest.raises(RulesError, match=r"opening_doubly: .*puts A nth of France where it cannot stand"):
        mixed("standard", Opening()).opening()


class Muzzle(Rule):
    """Takes the votes of France off its sheets."""

    key = "muzzle"

    def rewrite(
        self, rules: Ruleset, position: Position, sheets: tuple[Sheet, ...]
    ) -> tuple[tuple[Sheet, ...], tuple[Verdict, ...]]:
        off = tuple(illegal("France", VoteDraw(), "it has no voice") for s in sheets if s.power == "France")
        return tuple(s for s in sheets if s.power != "France"), off


def test_a_vote_that_a_rule_takes_off_stays_off() -> None:
    rules = mixed("standard", Muzzle())
    votes = [Sheet(power, (VoteDraw(),)) for power in ("France", "Italy")]
    told = [v.explanation for v in resolve(rules, rules.opening(), votes).verdicts if isinstance(v.order, VoteDraw)]
    assert sorted(told) == [
        "draw had no effect: not every surviving power voted for a draw",
        "draw is illegal: it has no voice",
    ]


class OtherCalendar(Calendar):
    key = "other calendar"


def test_a_question_is_answered_by_one_rule() -> None:
    with pytest.raises(RulesError, match="'calendar' and 'other calendar' both answer 'first turn'; pick one of them"):
        mixed("standard", OtherCalendar(["Spring Movement"], "Spring 1901 Movement"))


def test_a_calendar_without_movement_is_told() -> None:
    plain = load("standard")
    kept = [module for module in plain.modules if module.key != "calendar"]
    calendar = Calendar(["Winter Adjustments"], "Winter 1901 Adjustments")
    rules = of_modules(plain, (calendar, *kept))
    with pytest.raises(RuntimeError, match="never comes to a movement turn"):
        advance(rules, rules.opening())


def test_two_rules_of_one_file_have_two_keys() -> None:
    class Again(Plain):
        pass

    source = ModuleType(__name__)
    vars(source).update(Plain=Plain, Again=Again)
    with pytest.raises(RulesError, match="Plain and Again have one key, 'plain'"):
        modules_in(source)


class Wait(UnitOrder, frozen=True):
    """An order whose word is taken."""


class Waiting(Rule):
    key = "waiting"
    orders = (
        OrderKind(
            Wait,
            "waiting",
            lambda o: f"{o.kind} {o.at} stays",
            lambda o, w: "",
            grammar="waits = WAITS",
            words=(("WAITS", "stays"),),
            productions=(Production("waits", "says", lambda t, s, w: Wait(s.kind, s.at)),),
            phases=(Phase.MOVEMENT,),
        ),
    )


def test_a_word_that_introduces_another_order_is_refused() -> None:
    with pytest.raises(RulesError, match="waiting: the word 'stays' introduces a hold already"):
        mixed("standard", Waiting())


# Questions of reach, strength, ownership and removals


class Wings(Rule):
    """An army in Paris flies to Rome, too."""

    key = "wings"

    def reach(self, rules: Ruleset, position: Position, unit: Unit) -> tuple[str, ...]:
        return ("rom",) if unit.at == "par" else ()


class Elan(Rule):
    """Who moves is stronger by one."""

    key = "elan"

    def strength(self, rules: Ruleset, position: Position, unit: Unit, order: Any) -> int:
        return 0 if isinstance(order, Hold) else 1


class Rovers(Rule):
    """Fleets take no centers, and are removed before all others by the alphabet."""

    key = "rovers"

    def refuses_center(self, rules: Ruleset, position: Position, unit: Unit, center: str) -> str | None:
        return "a fleet takes no center" if unit.kind == "F" else None

    def removals(self, rules: Ruleset, position: Position, power: str, units: Any, draw: Any) -> list[tuple[Unit, str]]:
        return [(unit, "as rovers go") for unit in sorted(units, key=lambda u: (u.kind != "F", u.at))]


class Fortresses(Rule):
    """An army in Rome is never dislodged."""

    key = "fortresses"

    def refuses_dislodgement(self, rules: Ruleset, position: Position, unit: Unit) -> str | None:
        return "Rome is a fortress" if unit.at == "rom" else None


class Balloons(Rule):
    """A kind of unit with a symbol of its own."""

    key = "balloons"

    def kinds(self, rules: Ruleset) -> tuple[UnitKind, ...]:
        return (UnitKind("B", "balloon", "army", symbol='<circle id="basket" r="5"/>'),)


def test_kinds_of_units_bring_their_symbols() -> None:
    rules = mixed("standard", Balloons())
    units = (Unit("B", "par", "France"),)
    shapes = read_shapes(find_boards()["standard"])
    assert shapes is not None
    atlas = Atlas(rules.board, shapes, tuple(rules.powers.values()), kinds=tuple(rules.kinds.values()))
    svg = atlas.svg(Position(rules.first_turn(), units))
    assert 'id="basket"' in svg and "balloon of France" in svg


def judged(rules: Ruleset, turn: str, units: dict[str, list[str]], orders: dict[str, list[str]], **more: Any) -> Any:
    position = msgspec.structs.replace(rules.opening(), units=())
    document = {**position_document(rules, position), "turn": turn, "units": units, "orders": {}, **more}
    del document["rules"]
    document["variant"] = "standard"
    task = read_task({**document, "orders": {}})
    read = {p: [rules.reader.order(t, task.position.turn.phase, p) for t in texts] for p, texts in orders.items()}
    return resolve(rules, task.position, [Sheet(p, tuple(found)) for p, found in read.items()])


def test_rules_add_reach_and_strength() -> None:
    units = {"France": ["A par"], "Italy": ["A rom"]}
    orders = {"France": ["A par - rom"], "Italy": ["A rom H"]}
    turn = "Spring 1901 Movement"
    assert [v.outcome.value for v in judged(load("standard"), turn, units, orders).verdicts] == ["illegal", "succeeds"]
    assert judged(mixed("standard", Wings()), turn, units, orders).verdicts[0].outcome.value == "bounced"
    won = judged(mixed("standard", Wings(), Elan()), turn, units, orders)
    assert won.verdicts[0].outcome.value == "succeeds" and won.dislodged[0].unit.at == "rom"


@pytest.mark.parametrize(
    ("italy", "attack", "result"),
    [
        ("A rom H", "A ven - rom", "A ven - rom bounced: Rome is a fortress"),
        ("A rom - nap", "A ven - rom", "A ven - rom succeeds: A rom moved away"),
        ("A rom - ven", "A ven - rom", "A ven - rom bounced: Rome is a fortress"),
        ("A rom - apu", "A ven - rom", "A ven - rom bounced: Rome is a fortress"),
        ("A rom S F nap", "A ven - rom", "A ven - rom bounced: Rome is a fortress"),
    ],
)
def test_a_rule_keeps_a_unit_from_being_dislodged(italy: str, attack: str, result: str) -> None:
    rules = mixed("standard", Fortresses())
    units = {"Italy": ["A rom", "F nap"], "Austria": ["A ven", "A tus", "F tys", "A apu"]}
    orders = {"Italy": [italy], "Austria": [attack, "A tus S A ven - rom", "F tys S A ven - rom"]}
    if italy == "A rom - nap":
        orders["Italy"].append("F nap - ion")
    done = judged(rules, "Spring 1901 Movement", units, orders)
    assert not done.dislodged
    assert [v.explanation for v in done.verdicts if write(v.order) == attack] == [result]
    plain = judged(load("standard"), "Spring 1901 Movement", units, orders)
    assert bool(plain.dislodged) == (italy != "A rom - nap")


def test_rules_decide_on_centers_and_removals() -> None:
    rules = mixed("standard", Rovers())
    units = {"France": ["F bre", "A par", "F mao"], "England": ["F por"]}
    after = judged(rules, "Fall 1901 Retreats", units, {}, centers={"France": ["par"]}).after
    assert "por" not in after.owners and "bre" not in after.owners
    gone = resolve(rules, after).verdicts
    assert [(write(v.order), v.cause.reason) for v in gone if v.power == "France" and v.cause] == [
        ("remove F bre", "as rovers go"),
        ("remove F mao", "as rovers go"),
    ]
