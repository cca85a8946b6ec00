"""What a turn packet says in each phase: convoys, ferries, removals, and the phases that rules bring."""

from pathlib import Path

from legation.atlas import for_variant
from legation.bots import BOTS
from legation.bots.matches import match
from legation.judge import Ruleset, legal_orders, resolve
from legation.position import Dislodged, Position, Turn, Unit
from legation.print.letters import YearEnd, year_end_letter
from legation.print.packets import turn_packet
from legation.print.records import Directions, GameName, Party
from legation.rules.ferry import Ride
from legation.variants import Registry, load
from tests.print.papers import text_of
from tests.print.test_papers import COORDINATOR, DAY, HOME

GAME = GameName("Edgehill", "edgehill", "A Game")
BY_MAIL = Directions((), "orders@example.org")


def packet(rules: Ruleset, position: Position, power: str, variants: Registry | None = None) -> str:
    atlas = for_variant(rules.name, variants) if variants is not None else for_variant(rules.name)
    return text_of(turn_packet(GAME, rules, atlas, position, Party(power, "Ada", HOME), DAY, BY_MAIL))


def units(power: str, *written: str) -> tuple[Unit, ...]:
    return tuple(Unit(text.split()[0], text.split()[1], power) for text in written)


def test_the_packet_says_where_fleets_carry_armies_and_what_may_be_built() -> None:
    rules = load("standard")
    position = Position(Turn.parse("Fall 1901 Movement"), units("England", "A lon", "F nth"))
    text = packet(rules, position, "England")
    assert "Army London to Wales, Yorkshire by convoy " in text
    assert "Norway" in text.partition("by convoy ")[2]
    owners = {"par": "France", "bre": "France"}
    position = Position(Turn.parse("Winter 1901 Adjustments"), (), owners=owners)
    text = packet(rules, position, "France")
    assert "Build an army in Brest, Paris" in text and "Build a fleet in Brest" in text


def test_where_fleets_ferry_armies_the_packet_says_so() -> None:
    rules = load("1000ad")
    turns = match(rules, dict.fromkeys(rules.powers, BOTS["random"]), "a seed", 6)
    for position in (turn.after for turn in turns):
        legal = legal_orders(rules, position)
        power = next((p for p, orders in legal.items() if any(isinstance(order, Ride) for order in orders)), None)
        if power is not None:
            assert " by ferry " in packet(rules, position, power)
            return
    raise AssertionError("nobody can be ferried")


def test_what_must_be_removed_is_said_with_what_there_is_to_remove() -> None:
    rules = load("standard")
    owners = {"par": "France", "mar": "France"}
    position = Position(
        Turn.parse("Winter 1901 Adjustments"), units("France", "A par", "A mar", "F bre"), owners=owners
    )
    text = packet(rules, position, "France")
    assert "You own 2 centers and have 3 units. You must remove 1." in text
    assert "Remove one of these Army Marseilles, Army Paris, Fleet Brest" in text
    even = Position(Turn.parse("Winter 1901 Adjustments"), units("France", "A par", "A mar"), owners=owners)
    assert "You have nothing to build or remove." in packet(rules, even, "France")


def test_what_may_retreat_may_disband_and_does_so_without_an_order() -> None:
    rules = load("standard")
    turn = Turn.parse("Fall 1901 Retreats")
    gone = Dislodged(Unit("A", "par", "France"), "bur")
    position = Position(turn, (*units("France", "A mar"), *units("Germany", "A par")), dislodged=(gone,))
    text = packet(rules, position, "France")
    assert "have 1 unit in place, and 1 that was dislodged." in text
    assert "A unit without an order is disbanded." in text
    assert "Army Paris to Brest, Gascony, Picardy or disband" in text
    none = packet(rules, position, "Germany")
    assert "None of your units was dislodged" in none and "There is nothing to order." in none


def test_phases_and_orders_that_a_rule_brings_are_in_the_packet(manual_folder: Path) -> None:
    variants = Registry(manual_folder / "mine")
    rules = variants.load("congress")
    text = packet(rules, rules.opening(), "France", variants)
    assert "What you can order" in text and "Treaty with Germany" in text
    assert "Edgehill - France - Spring 1901 - Treaties Orders - v1" in text
    told = {"trenches": "Army Paris to Brest, Burgundy, Gascony, Picardy also digs in",
            "passes": "Army Marseilles to Burgundy, Gascony, Piedmont, Spain "
            "through an army that stays Belgium, Munich, Paris, Picardy, Ruhr"}  # fmt: skip
    for variant, line in told.items():
        rules = variants.load(variant)
        assert line in packet(rules, rules.opening(), "France", variants)


def test_a_letter_on_a_year_that_ended_before_its_adjustments_leaves_out_who_is_gone() -> None:
    rules = load("standard")
    owners = {"par": "France", "lon": "England"}
    last = resolve(
        rules, Position(Turn.parse("Fall 1901 Movement"), units("France", "A pic", "F bel"), owners=owners), [], "x"
    )
    letter = year_end_letter(
        GAME, rules, for_variant("standard"), YearEnd((last,)), COORDINATOR, Party("France", "Ada", HOME), DAY
    )
    rows = text_of(letter)
    assert "France 2 +1 2" in rows and "England 1 0 0" in rows and "\nTurkey " not in rows


def test_a_place_bears_a_name_that_means_nothing_else_and_a_unit_no_article() -> None:
    """The Wight Sea Area lies around the Isle of Wight: whoever writes ``Wight`` may mean either."""
    rules = load("three-kingdoms")
    first = packet(rules, rules.opening(), "Newcastle")
    assert "the Wight Sea Area" in first and ", Wight" not in first
    position = Position(Turn.parse("Autumn 1642 Movement"), units("Crown", "F wigsea"))
    text = packet(rules, position, "Crown")
    assert "Fleet Wight Sea Area" in text and "Fleet the" not in text
    assert rules.writer.unit("F", "wigsea") == "Fleet Wight Sea Area"


def test_who_has_nothing_to_build_may_still_send_supply() -> None:
    rules = load("three-kingdoms")
    sites = sorted(rules.opening().centers_of("Crown"))
    armies = units("Crown", *(f"A {site}" for site in sites))
    owners = {**dict.fromkeys(sites, "Crown"), "dubli": "Ormond"}
    position = Position(Turn.parse("Winter 1643 Adjustments"), armies, owners=owners)
    text = packet(rules, position, "Crown")
    assert "You may send supply to another power" in text and "Nothing to order" not in text
