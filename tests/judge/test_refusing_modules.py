"""A module that closes a province, or forbids support there, is heard wherever a unit might go or be helped to go."""

from itertools import product
from typing import Any

import pytest

from legation.judge import Ending, Outcome, Refusal, Rule, Ruleset, Situation, legal_orders, resolve
from legation.notation import write
from legation.orders import Sheet, VoteDraw
from legation.position import Dislodged, Phase, Position, Turn, Unit
from legation.variants import VariantError, load, names
from tests.rules.mixes import mixed


class Plague(Rule):
    """No army enters Burgundy or Belgium, and nobody supports anything in Munich."""

    key = "plague"

    def refuses_entry(self, rules: Ruleset, position: Position, unit: Unit, province: str) -> str | None:
        return "the plague is there" if province in ("bur", "bel") and unit.kind == "A" else None

    def refuses_support(
        self, rules: Ruleset, position: Position, unit: Unit, target: Unit, province: str
    ) -> str | None:
        return "nobody goes near Munich" if province == "mun" else None


def outcomes(turn: str, units: dict[str, list[str]], orders: dict[str, list[str]], **more: Any) -> dict[str, str]:
    here = mixed("standard", Plague())
    standing = tuple(Unit(*here.reader.unit(text, power), power) for power, texts in units.items() for text in texts)
    position = Position(turn=Turn.parse(turn), units=standing, **more)
    phase = position.turn.phase
    sheets = [Sheet(power, tuple(here.reader.order(t, phase, power) for t in texts)) for power, texts in orders.items()]
    return {
        v.explanation.partition(" ")[0] + " " + write(v.order)[2:]: v.explanation
        for v in resolve(here, position, sheets).verdicts
    }


def test_no_army_moves_or_is_convoyed_there_but_a_fleet_goes() -> None:
    found = outcomes(
        "Spring 1901 Movement",
        {"France": ["A par", "A bre", "F eng", "F pic"], "England": ["A lon", "F nth"]},
        {
            "France": ["A par - bur", "A bre - bel", "F eng C A bre - bel", "F pic - bel"],
            "England": ["A lon - bel", "F nth C A lon - bel"],
        },
    )
    assert found["A par - bur"] == "A par - bur is illegal: the plague is there"
    assert found["A bre - bel"] == "A bre - bel is illegal: the plague is there"
    assert found["F eng C A bre - bel"].startswith("F eng C A bre - bel is illegal: ")
    assert found["F nth C A lon - bel"].startswith("F nth C A lon - bel is illegal: ")
    assert found["F pic - bel"] == "F pic - bel succeeds: nothing stands against it"


def test_what_may_not_go_there_is_not_supported_there() -> None:
    found = outcomes(
        "Spring 1901 Movement",
        {"France": ["A par", "A mar"], "Germany": ["A kie", "A mun", "A ber"], "Austria": ["A tyr"]},
        {"France": ["A mar S A par - bur"], "Germany": ["A kie S A mun"], "Austria": ["A tyr S A ber - mun"]},
    )
    assert found["A mar S A par - bur"] == "A mar S A par - bur is illegal: the plague is there"
    assert found["A kie S A mun"] == "A kie S A mun is illegal: nobody goes near Munich"
    assert found["A tyr S A ber - mun"] == "A tyr S A ber - mun is illegal: nobody goes near Munich"


def test_nobody_retreats_there() -> None:
    here = mixed("standard", Plague())
    position = Position(
        turn=Turn("Spring", 1901, Phase.RETREATS),
        units=(Unit("A", "par", "Germany"),),
        dislodged=(Dislodged(Unit("A", "pic", "France"), "par"),),
    )
    listed = {write(order) for order in legal_orders(here, position)["France"]}
    assert listed == {"A pic R bre", "A pic disband"}
    fallen = resolve(here, position, [Sheet("France", (here.reader.order("A pic R bel", Phase.RETREATS, "France"),))])
    assert [v.outcome for v in fallen.verdicts] == [Outcome.ILLEGAL]
    assert not fallen.after.units_of("France")


def test_none_of_it_is_listed() -> None:
    here = mixed("standard", Plague())
    units = [
        ("A", "par", "France"),
        ("A", "bre", "France"),
        ("F", "eng", "France"),
        ("A", "mar", "France"),
        ("A", "tyr", "Austria"),
        ("A", "mun", "Germany"),
        ("A", "ber", "Germany"),
    ]
    position = Position(turn=Turn("Spring", 1901, Phase.MOVEMENT), units=tuple(Unit(*u) for u in units))
    listed = {write(order) for orders in legal_orders(here, position).values() for order in orders}
    assert not {o for o in listed if o.startswith("A") and (o.endswith(("- bur", "- bel")))}
    assert not {o for o in listed if " S " in o and o.endswith(("- mun", "S A mun"))}
    assert not {o for o in listed if " C " in o and o.endswith("- bel")}
    assert {"A par - pic", "F eng - bel", "F eng C A bre - lon"} <= listed


def test_legal_orders_of_some_powers_only() -> None:
    here = load("standard")
    everything = legal_orders(here, here.opening())
    assert list(legal_orders(here, here.opening(), ["France", "Italy"])) == ["France", "Italy"]
    assert legal_orders(here, here.opening(), ["France"])["France"] == everything["France"]


def test_an_option_that_there_is_not_is_told_with_the_one_that_was_meant() -> None:
    with pytest.raises(VariantError, match=r"no option 'civil_disorderr'; did you mean 'civil_disorder'\?"):
        load("standard", {"civil_disorderr": "2023"})


class Feud(Rule):
    """No army of France supports a unit of Germany's that isn't a fleet."""

    key = "feud"
    restricted_kinds = frozenset({"A"})

    def refuses_support(
        self, rules: Ruleset, position: Position, unit: Unit, target: Unit, province: str
    ) -> str | None:
        feud = unit.power == "France" and unit.kind == "A" and target.power == "Germany" and target.kind == "A"
        return "there is a feud" if feud else None


def test_who_supports_whom_is_asked_in_lists_and_verdicts_alike() -> None:
    here = mixed("standard", Feud())
    standing = (Unit("A", "bur", "France"), Unit("A", "ruh", "Germany"), Unit("F", "hol", "Germany"))
    position = Position(Turn.parse("Spring 1901 Movement"), standing)
    listed = {write(order) for order in legal_orders(here, position, ["France"])["France"]}
    assert not {"A bur S A ruh", "A bur S A ruh - mun", "A bur S A ruh - bel"} & listed
    assert "A bur S F hol - bel" in listed
    situation = Situation(here, position)
    for text, allowed in (("A bur S A ruh", False), ("A bur S A ruh - mun", False), ("A bur S F hol - bel", True)):
        effect = situation.interpret("France", here.reader.order(text, Phase.MOVEMENT, "France"))
        assert isinstance(effect, Refusal) != allowed, text


@pytest.mark.parametrize("variant", names())
def test_a_rule_refuses_nothing_of_the_kinds_that_it_does_not_name(variant: str) -> None:
    """Nobody asks about them when legal orders are listed."""
    rules = load(variant)
    position = rules.opening()
    target = position.units[0] if position.units else Unit("A", next(iter(rules.board.provinces)), rules.played[0])
    for rule in rules.modules:
        free = () if rule.restricted_kinds is None else rules.kinds.keys() - rule.restricted_kinds
        for kind, power, place in product(free, rules.powers, rules.board.provinces):
            unit = Unit(kind, place, power)
            for province in (place, target.province):
                assert rule.refuses_entry(rules, position, unit, province) is None
                assert rule.refuses_support(rules, position, unit, target, province) is None


def test_units_that_a_rule_names_are_asked_about() -> None:
    rules = load("1000ad")
    reach = rules.tables.army
    power, here, abroad = next(
        (power.name, place, abroad)
        for power in rules.powers.values()
        for place in power.homeland
        if place in reach and (abroad := reach[place].difference(power.homeland))
    )
    position = Position(Turn("Spring", rules.first_turn().year, Phase.MOVEMENT), (Unit("D", here, power),))
    listed = {write(order) for order in legal_orders(rules, position)[power]}
    assert f"D {here} H" in listed
    assert not {f"D {here} - {place}" for place in abroad} & listed


class NoDraws(Rule):
    """There are no draws, and one vote for one would end the game."""

    key = "no_draws"

    def refuses_draw(self, rules: Ruleset, position: Position) -> str | None:
        return "this war is fought to its end"

    def ending(
        self, rules: Ruleset, before: Position, after: Position, votes: frozenset[str], settled: bool
    ) -> Ending | None:
        return Ending("draw", tuple(votes), "somebody voted for it") if len(votes) > 0 else None


def test_votes_for_a_draw_that_a_module_refuses_are_counted_by_no_other() -> None:
    here = mixed("standard", NoDraws())
    found = resolve(here, here.opening(), [Sheet("France", (VoteDraw(),))])
    assert found.ending is None
    assert [v.explanation for v in found.verdicts if isinstance(v.order, VoteDraw)] == [
        "draw is void: this war is fought to its end"
    ]
