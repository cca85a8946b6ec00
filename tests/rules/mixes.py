"""Rule modules put together by chance, beyond what any variant plays."""

from collections.abc import Sequence
from contextlib import suppress
from random import Random

from legation.judge import Rule, RulesError, Ruleset
from legation.judge.ruleset import Answering
from legation.rules.anarchy import Anarchy
from legation.rules.build_anywhere import BuildAnywhere
from legation.rules.coastal_crawl import CoastalCrawl
from legation.rules.colonial_builds import ColonialBuilds
from legation.rules.concessions import Concessions
from legation.rules.conversion import Conversion
from legation.rules.defensive_army import DefensiveArmy
from legation.rules.ferry import FastFerry
from legation.rules.fog_of_war import FogOfWar
from legation.rules.free_removals import FreeRemovals
from legation.rules.friendly_fire import FriendlyFire
from legation.rules.kept_turns import KeptTurns
from legation.rules.landed_fleets import LandedFleets
from legation.rules.mercy import Mercy
from legation.rules.movement_disbands import MovementDisbands
from legation.rules.one_way_adjustments import OneWayAdjustments
from legation.rules.proxy import ProxyOrders
from legation.rules.supply_transfer import SupplyTransfer
from legation.rules.weak_bounces import WeakBounces
from legation.variants import load

FREE = (
    Anarchy,
    BuildAnywhere,
    CoastalCrawl,
    ColonialBuilds,
    Concessions,
    Conversion,
    DefensiveArmy,
    FastFerry,
    FogOfWar,
    FreeRemovals,
    FriendlyFire,
    KeptTurns,
    LandedFleets,
    Mercy,
    MovementDisbands,
    OneWayAdjustments,
    ProxyOrders,
    SupplyTransfer,
    WeakBounces,
)
"""Modules that need no settings, so that any variant can take them."""


def mixed(name: str, *further: Rule) -> Ruleset:
    """A variant with further modules beside its own."""
    plain = load(name)
    own = {module.key for module in plain.modules}
    return of_modules(plain, [*plain.modules, *(module for module in further if module.key not in own)])


def of_modules(plain: Ruleset, modules: Sequence[Answering]) -> Ruleset:
    """A variant with other modules in place of its own."""
    return Ruleset(
        plain.name,
        plain.title,
        plain.board,
        tuple(plain.powers.values()),
        modules,
        start=plain.start,
        owners=plain.start_owners,
        defaults=dict(plain.defaults),
    )


def mixture(name: str, random: Random) -> Ruleset:
    """A variant with some modules more, drawn by lot until they can stand together."""
    while True:
        with suppress(RulesError):
            return mixed(name, *(module() for module in random.sample(FREE, random.randint(1, len(FREE)))))
