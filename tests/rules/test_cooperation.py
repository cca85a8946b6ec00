"""Random whole games with conversion, proxies, transfers and mercy together: what must hold whatever is ordered."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from legation.board import province_of
from legation.game import Game, position_document, read_position, replay, save_game
from legation.judge import Outcome, Resolution, Ruleset, legal_orders
from legation.orders import Build, Move, Order, Remove, Sheet
from legation.position import Phase, Position
from legation.rules.conversion import Convert
from legation.rules.proxy import Proxy
from legation.rules.supply_transfer import Send
from legation.variants import Registry, load
from tests.rules.test_random_games import check as check_turn

VARIANTS = Registry()
ISLES = VARIANTS.add_file(Path(__file__).parents[1] / "cases" / "three-kingdoms" / "isles.toml")
GAMES = 40
TURNS = 45


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return VARIANTS.load(ISLES)


def sheets_for(rules: Ruleset, position: Position, random: Random) -> list[Sheet]:
    """Wild sheets: legal orders, proxies that are used, misused and passed on, transfers beyond what there is, builds
    beside removals."""
    legal = legal_orders(rules, position)
    written: dict[str, list[Order]] = {power: [] for power in rules.powers}
    if position.turn.phase is Phase.MOVEMENT:
        for unit in position.units:
            orders: list[Order] = [o for o in legal[unit.power] if getattr(o, "at", "") == unit.at]
            own = [o for o in orders if not isinstance(o, Proxy)]
            grants = [o for o in orders if isinstance(o, Proxy)]
            conversions: list[Order] = [o for o in orders if isinstance(o, Convert)]
            order = random.choice(conversions) if conversions and random.random() < 0.4 else random.choice(own)
            dice = random.random()
            if grants and dice < 0.25:
                grant = random.choice(grants)
                written[unit.power].append(grant)
                if random.random() < 0.8:
                    written[grant.power].append(order)
                if random.random() < 0.1:
                    written[grant.power].append(random.choice(grants))
                if random.random() < 0.1:
                    written[unit.power].append(random.choice(own))
            elif dice < 0.35:
                written[random.choice(list(rules.powers))].append(order)
            elif dice < 0.95:
                written[unit.power].append(order)
    elif position.turn.phase is Phase.RETREATS:
        for power, orders in legal.items():
            for order in orders:
                if random.random() < 0.5:
                    written[power if random.random() < 0.6 else random.choice(list(rules.powers))].append(order)
    else:
        for power, orders in legal.items():
            sends = [o for o in orders if isinstance(o, Send) and (o.count <= 2 or random.random() < 0.05)]
            written[power] += random.sample(sends, min(len(sends), random.choice((0, 0, 1, 2))))
            sites = rules.build_sites(position, power)
            written[power] += [Build(random.choice("AF"), site) for site in sites if random.random() < 0.6]
            if random.random() < 0.3:
                written[power] += [Remove(u.kind, u.at) for u in position.units_of(power) if random.random() < 0.3]
            random.shuffle(written[power])
    return [Sheet(power, tuple(orders)) for power, orders in written.items() if orders or random.random() < 0.5]


def check(rules: Ruleset, sheets: list[Sheet], resolution: Resolution, counted: Counter[str]) -> None:
    before, after = resolution.before, resolution.after
    phase = before.turn.phase
    check_turn(rules, resolution)
    if before.owners != after.owners:
        assert after.turn.phase is Phase.ADJUSTMENTS
        assert phase in (Phase.MOVEMENT, Phase.RETREATS)

    # every order gets at least one verdict
    given = sum(len(s.orders) for s in sheets)
    assert len(resolution.verdicts) >= given
    for verdict in resolution.verdicts:
        counted[f"{type(verdict.order).__name__} {verdict.outcome.value}"] += 1

    if phase is Phase.MOVEMENT:
        # nobody commands but the owner, or who has the owner's grant
        grants = {(province_of(o.at), o.power) for s in sheets for o in s.orders if isinstance(o, Proxy)}
        ordered = {(province_of(getattr(o, "at", "")), s.power) for s in sheets for o in s.orders}
        for unit in before.units:
            moved = [
                v
                for v in resolution.verdicts
                if isinstance(v.order, Move)
                and province_of(v.order.at) == unit.province
                and v.outcome is Outcome.SUCCEEDS
            ]
            if moved:
                assert [v.power for v in moved] == [unit.power]
                commanders = {power for place, power in ordered if place == unit.province}
                assert unit.power in commanders
                assert isinstance(moved[0].order, Move)
                if moved[0].order not in next(s for s in sheets if s.power == unit.power).orders:
                    assert any((unit.province, power) in grants for power in commanders - {unit.power})
                    counted["moves by proxy"] += 1
        # units come and go only by dislodgement
        lost = Counter(u.power for u in before.units) - Counter(u.power for u in after.units)
        assert lost <= Counter(d.unit.power for d in resolution.dislodged)
        # a conversion has the same unit behind it, in its owner's center, and was not attacked by others
        changed = {u.province: u.kind for u in after.units}
        for unit in before.units:
            converts = [
                v
                for v in resolution.verdicts
                if isinstance(v.order, Convert) and v.order.at == unit.at and v.power == unit.power
            ]
            if any(v.outcome is Outcome.SUCCEEDS for v in converts):
                assert before.owners.get(unit.province) == unit.power
                assert unit.province in changed
                earlier = before.slices.get("conversion", {}).get(unit.province, {})
                if changed[unit.province] != unit.kind:
                    assert earlier["to"].startswith(changed[unit.province])
                    counted["conversions"] += 1
                else:
                    assert after.slices["conversion"][unit.province]["turns"] == 1
        kept = after.slices.get("conversion", {})
        assert all(any(u.province == place for u in after.units) for place in kept)
    if phase is Phase.ADJUSTMENTS:
        transfers = after.slices.get("supply_transfer", [])
        for power in rules.powers:
            limit = rules.limit(after, power)
            sent = sum(t["count"] for t in transfers if t["from"] == power)
            got = sum(t["count"] for t in transfers if t["to"] == power)
            owned = len(after.centers_of(power))
            assert sent <= owned
            alive = bool(after.units_of(power))
            assert limit == max(owned - sent + got, 0) + (1 if alive and not owned else 0)
            if not owned and before.units_of(power):
                assert alive
                counted["mercy"] += 1
            built = len(set(after.units_of(power)) - set(before.units_of(power)))
            gone = len(set(before.units_of(power)) - set(after.units_of(power)))
            assert not (built and gone)
        counted["transfers"] += len(transfers)
    elif after.turn.phase is Phase.ADJUSTMENTS:
        assert "supply_transfer" not in after.slices
    else:
        assert after.slices.get("supply_transfer") == before.slices.get("supply_transfer")


@pytest.mark.long
def test_random_games_hold_together(rules: Ruleset) -> None:
    counted: Counter[str] = Counter()
    for number in range(GAMES):
        random = Random(number)
        game = Game(rules, seed=f"game {number}")
        for _ in range(TURNS):
            sheets = sheets_for(rules, game.position, random)
            check(rules, sheets, game.play(sheets), counted)
            if game.ending is not None:
                break
        saved: dict[str, Any] = json.loads(json.dumps(save_game(game)))
        counted["lots"] += sum(len(t["lots"]["drawn"]) for t in saved["turns"] if "lots" in t)
        if number % 8 == 0:
            _, differences = replay(saved, VARIANTS)
            assert differences == []
    for happened in (
        "moves by proxy",
        "conversions",
        "transfers",
        "mercy",
        "lots",
        "Convert disrupted",
        "Convert illegal",
        "Proxy succeeds",
        "Proxy ignored",
        "Move ignored",
        "Build void",
        "Send succeeds",
        "Send illegal",
        "Retreat ignored",
    ):
        assert counted[happened] > 0, (happened, counted)


JUNK: tuple[Any, ...] = (
    None,
    3,
    "x",
    [1],
    [None],
    {"x": 4},
    {"grace": ["x"]},
    {"homes": {"France": 5}},
    {"initial": []},
)


@pytest.mark.parametrize("variant", ["1000ad", "1897", "three-kingdoms"])
def test_state_that_makes_no_sense_is_a_fault(variant: str) -> None:
    rules = load(variant)
    document = position_document(rules, rules.opening())
    keepers = [m for m in rules.modules if m.slice_form is not None]
    assert keepers
    for module in keepers:
        for junk in JUNK:
            for extra in (junk, {"york": junk}, [{"from": junk, "to": "Crown", "count": 1}]):
                faults: list[str] = []
                read_position(rules, {**document, "state": {module.key: extra}}, faults)
                assert len(faults) >= 1
                assert all(fault.startswith(f"state.{module.key}: ") for fault in faults)
    faults = []
    read_position(rules, {**document, "state": {"nonsense": 1}}, faults)
    assert faults == ["state: no rule of this variant uses 'nonsense'"]
