"""Bots play every variant with legal orders only, the same by the same seed, and DumbBot plays better than chance."""

from random import Random
from statistics import fmean

import msgspec
import pytest

from legation.bots import BOTS, PATIENCE, Bot, NoSuchBotError, bot
from legation.bots.dumbbot import pick
from legation.bots.matches import match, share
from legation.bots.worth import Worth, counted_next
from legation.judge import Outcome, Ruleset, resolve
from legation.orders import Build, Hold, Move, Remove, Retreat, Sheet, SupportMove, VoteDraw, Waive
from legation.position import Dislodged, Phase, Position, Turn, Unit
from legation.rules.conversion import Convert
from legation.rules.supply_transfer import Send
from legation.variants import load, names
from tests.sampling import some

TURNS = 60


def faults(rules: Ruleset, position: Position, sheet: Sheet) -> list[str]:
    """What the judge says against a sheet, judged alone: nobody else's supply can then upset it."""
    verdicts = resolve(rules, position, [sheet], "alone").verdicts
    bad = (Outcome.ILLEGAL, Outcome.IGNORED)
    return [v.explanation for v in verdicts if v.power == sheet.power and v.order in sheet.orders and v.outcome in bad]


@pytest.mark.parametrize("variant", some(names(), 8))
@pytest.mark.parametrize("name", BOTS)
def test_every_bot_plays_every_variant_with_legal_orders_only(name: str, variant: str) -> None:
    rules = load(variant)
    play = BOTS[name]
    position = rules.opening()
    given = 0
    for _ in range(TURNS if name != "random" else TURNS // 2):
        sheets = [play(rules, position, power, Random(f"{position.turn} {power}")) for power in rules.powers]
        for sheet in sheets:
            assert not faults(rules, position, sheet), str(position.turn)
            given += len(sheet.orders)
            if position.turn.phase is Phase.MOVEMENT and not rules.refuses_orders(position, sheet.power):
                ordered = [str(getattr(o, "at", "")) for o in sheet.orders if not isinstance(o, VoteDraw)]
                assert sorted(ordered) == sorted(u.at for u in position.units_of(sheet.power)), (
                    "one order for each unit"
                )
        resolution = resolve(rules, position, sheets, "seed")
        if resolution.ending is not None:
            break
        position = resolution.after
    assert given > 100


@pytest.mark.parametrize("name", BOTS)
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    rules = load("1000ad")
    seats = dict.fromkeys(rules.powers, BOTS[name])
    first, again, other = (
        [r.after for r in match(rules, seats, seed, turns=6)] for seed in ("one seed", "one seed", "another")
    )
    assert first == again
    assert name == "hold" or first != other


def shares_of_dumbbot(variant: str, others: str, games: int, turns: int) -> list[float]:
    """DumbBot's part of each game at its end; its seat goes round the powers."""
    rules, shares = load(variant), []
    for number, seat in zip(range(games), rules.powers, strict=False):
        seats = {power: BOTS["dumbbot" if power == seat else others] for power in rules.powers}
        *_, last = match(rules, seats, f"1: {number}", turns)
        shares.append(share(last.after, seat))
    return shares


@pytest.mark.parametrize(("others", "least"), [("random", 0.6), ("hold", 0.6)])
def test_dumbbot_beats_chance_and_inertia(others: str, least: float) -> None:
    shares = shares_of_dumbbot("standard", others, games=7, turns=150)
    assert fmean(shares) > least and 0 not in shares


@pytest.mark.parametrize("variant", some(["hundred", "1897", "1000ad", "three-kingdoms"], 4))
def test_dumbbot_beats_chance_in_other_variants(variant: str) -> None:
    assert fmean(shares_of_dumbbot(variant, "random", games=3, turns=30)) > 1.5 / len(load(variant).powers)


def test_bots_tire_of_a_game_without_end() -> None:
    rules = load("standard")
    *turns, last = match(rules, dict.fromkeys(rules.powers, BOTS["hold"]), "seed", turns=500)
    assert last.ending is not None
    assert last.ending.kind == "draw"
    assert last.before.turn == Turn("Spring", 1901 + PATIENCE, Phase.MOVEMENT)
    assert not any(isinstance(v.order, VoteDraw) for r in turns for v in r.verdicts)


def test_bots_are_found_by_name() -> None:
    assert bot(" DumbBot") is BOTS["dumbbot"]
    with pytest.raises(NoSuchBotError, match="did you mean 'dumbbot'"):
        bot("dumbot")
    with pytest.raises(NoSuchBotError, match="choose from beginner, casual, club, dumbbot"):
        bot("xyzzy")


def fixed(*numbers: int) -> Random:
    """A source of chance that gives these numbers."""
    following = iter(numbers)

    class Fixed(Random):
        def randrange(self, *_: object, **__: object) -> int:
            return next(following)

    return Fixed()


def test_a_later_item_is_picked_by_its_gap() -> None:
    close, far = [(100, "a"), (99, "b"), (98, "c")], [(100, "a"), (80, "b")]
    assert pick(close, fixed(50, 99)) == 0  # not considered
    assert pick(close, fixed(49, 4)) == 0  # 1 in 100: 5 in a hundred against it
    assert pick(close, fixed(49, 5, 49, 5)) == 2
    assert pick(far, fixed(0, 99)) == 0  # a fifth less is never taken
    assert pick([(0, "a"), (0, "b")], fixed(0, 0)) == 1
    assert pick([(10, "a"), (20, "b")], fixed(49, 0)) == 1  # upward, as for removals: half the time


def start_of(worth: Worth, attack: int, defense: int) -> dict[tuple[str, str], int]:
    """The worth of centers before it spreads, by node."""
    return dict(zip(worth._graphs.nodes, worth._start(attack, defense), strict=True))


def test_centers_are_worth_what_their_owners_weigh() -> None:
    """S(3) = 37, S(4) = 48, twelve unowned centers together S(12) = 208; one's own by who could enter."""
    rules = load("standard")
    opening = rules.opening()
    start = start_of(Worth(rules, opening, "Turkey"), 700, 300)
    assert start["army", "bul"] == start["fleet", "bul/ec"] == 700 * 208
    assert start["army", "sev"] == 700 * 48
    assert start["army", "vie"] == 700 * 37
    assert start["army", "ank"] == start["army", "arm"] == 0
    moved = tuple(Unit("F", "bla", u.power) if str(u) == "F sev" else u for u in opening.units)
    threatened = msgspec.structs.replace(opening, units=moved)
    start = start_of(Worth(rules, threatened, "Turkey"), 700, 300)
    assert start["army", "ank"] == start["fleet", "con"] == 300 * 48
    assert start["army", "smy"] == 0
    # many unowned centers do not drown the others
    rules = load("1897")
    assert start_of(Worth(rules, rules.opening(), "Turkey"), 1, 1)["army", "mos"] == 208


def test_worth_spreads_by_the_best_of_a_provinces_coasts() -> None:
    rules = load("standard")
    graphs = Worth(rules, rules.opening(), "Turkey")._graphs
    start = [0] * len(graphs.nodes)
    start[graphs.index["fleet", "spa/sc"]] = start[graphs.index["fleet", "spa/nc"]] = 1000
    after = graphs.spread(start)
    count, total = graphs.share[-1]
    assert after[graphs.index["fleet", "mao"]] == after[graphs.index["fleet", "mar"]] == 1000 * count // total
    assert after[graphs.index["army", "mar"]] == 0


def test_the_season_that_counts_is_the_last_movement_before_adjustments() -> None:
    standard, hundred, kingdoms = load("standard"), load("hundred"), load("three-kingdoms")
    assert not counted_next(standard, Turn.parse("Spring 1901 Movement"))
    assert not counted_next(standard, Turn.parse("Spring 1901 Retreats"))
    assert counted_next(standard, Turn.parse("Fall 1901 Movement"))
    assert not counted_next(hundred, Turn.parse("1425 Movement"))
    assert counted_next(hundred, Turn.parse("1430 Movement"))
    counted = [counted_next(kingdoms, Turn.parse(f"{s} 1642 Movement")) for s in ("Spring", "Summer", "Autumn")]
    assert counted == [False, False, True]


def test_two_units_that_want_one_contested_center_come_together() -> None:
    """Whatever chance says, no two units of a power go to one place, and somewhere a move is supported."""
    rules = load("standard")
    owners = {**dict.fromkeys(rules.board.centers, "France"), "par": "Germany"}
    units = (Unit("A", "pic", "France"), Unit("A", "gas", "France"), Unit("A", "par", "Germany"))
    position = Position(Turn.parse("Fall 1901 Movement"), units, owners=owners)
    supported = 0
    for seed in range(20):
        sheet = BOTS["dumbbot"](rules, position, "France", Random(seed))
        goals = [o.to for o in sheet.orders if isinstance(o, Move)]
        assert len(goals) == len(set(goals))
        supported += any(isinstance(o, SupportMove) and o.to == "par" for o in sheet.orders)
    assert supported > 10


def test_units_that_wait_for_each_other_do_not_wait_for_ever() -> None:
    rules = load("standard")
    for seed in range(50):
        units = (Unit("F", "con", "Turkey"), Unit("A", "bul", "Turkey"), Unit("A", "smy", "Turkey"))
        position = Position(Turn.parse("Spring 1901 Movement"), units, owners={"con": "Turkey"})
        assert len(BOTS["dumbbot"](rules, position, "Turkey", Random(seed)).orders) == 3


def test_retreats_of_one_power_go_apart() -> None:
    rules = load("standard")
    out = tuple(Dislodged(Unit("A", at, "Austria"), attacker) for at, attacker in (("vie", "boh"), ("bud", "rum")))
    blocked = tuple(Unit("A", at, "Russia") for at in ("vie", "bud", "gal", "tri", "tyr"))
    position = Position(Turn.parse("Fall 1901 Retreats"), blocked, dislodged=out, owners={"ser": "Austria"})
    for seed in range(20):
        sheet = BOTS["dumbbot"](rules, position, "Austria", Random(seed))
        goals = [o.to for o in sheet.orders if isinstance(o, Retreat)]
        assert len(sheet.orders) == 2
        assert len(goals) == len(set(goals)) >= 1


def test_an_army_that_can_go_nowhere_becomes_a_fleet() -> None:
    """An isle with one center has nothing for an army to walk to."""
    rules = load("three-kingdoms")
    isle = next(c for c in rules.board.centers if rules.board.provinces[c].shore and not rules.board.reach("army", c))
    power = next(iter(rules.powers))
    position = Position(Turn.parse("Spring 1643 Movement"), (Unit("A", isle, power),), owners={isle: power}, slices={})
    (order,) = BOTS["dumbbot"](rules, position, power, Random(1)).orders
    assert isinstance(order, Convert)
    assert (order.at, order.to) == (isle, "F")
    again = resolve(rules, position, [Sheet(power, (order,))]).after
    (order,) = BOTS["dumbbot"](rules, again, power, Random(2)).orders
    assert resolve(rules, again, [Sheet(power, (order,))]).after.units == (Unit("F", isle, power),)


def test_a_costly_unit_removed_leaves_no_build() -> None:
    """One removal is due; a defensive army frees two centers' worth, and nothing may be built for the other."""
    rules = load("1000ad")
    owners = {"lon": "British", "par": "Franks"}
    position = Position(
        Turn.parse("Winter 1004 Adjustments"),
        (Unit("D", "wwa", "British"), Unit("A", "par", "Franks")),
        owners={**owners, "maa": "British"},
    )
    short = msgspec.structs.replace(position, owners=owners)
    assert [type(o) for o in BOTS["dumbbot"](rules, short, "British", Random(1)).orders] == [Remove]
    assert BOTS["hold"](rules, position, "British", Random(1)).orders == ()


def test_what_is_sent_is_not_built_on() -> None:
    """Sheets by chance that send supply build or remove by what is left to them."""
    rules = load("three-kingdoms")
    position = rules.opening()
    turn = Turn.parse("Winter 1642 Adjustments")
    position = msgspec.structs.replace(position, turn=turn, units=position.units[::2])
    sending = 0
    for seed in range(60):
        power = list(rules.powers)[seed % len(rules.powers)]
        sheet = BOTS["random"](rules, position, power, Random(seed))
        sending += any(isinstance(o, Send) for o in sheet.orders)
        assert not faults(rules, position, sheet)
    assert sending >= 3


def test_hold_waives_what_it_may_build_and_places_at_the_start() -> None:
    rules = load("standard")
    position = Position(Turn.parse("Winter 1901 Adjustments"), (), owners={"lon": "England", "edi": "England"})
    assert BOTS["hold"](rules, position, "England", Random(1)).orders == (Waive(), Waive())
    rules = load("1897")
    placed = BOTS["hold"](rules, rules.opening(), "England", Random(1)).orders
    assert [type(o) for o in placed] == [Build]
    units = (Unit("A", "lon", "England"),)
    position = Position(Turn.parse("Spring 1898 Movement"), units)
    assert BOTS["hold"](rules, position, "England", Random(1)).orders == (Hold("A", "lon"),)


def test_a_bot_sees_only_its_view() -> None:
    """Two positions that look alike to a power get the same sheet: a bot keeps nothing between turns."""
    rules = load("standard")
    play: Bot = BOTS["dumbbot"]
    first = play(rules, rules.opening(), "Italy", Random(5))
    play(load("hundred"), load("hundred").opening(), "France", Random(9))
    assert play(rules, rules.opening(), "Italy", Random(5)) == first
