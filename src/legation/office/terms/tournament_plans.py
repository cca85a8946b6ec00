"""Plan of a tournament: its rounds, its scoring system, how boards are seated, and how its games are played."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from legation.bots import levels
from legation.office.errors import DamagedError, InvalidInputError
from legation.office.store.packing import unpack
from legation.office.terms.plans import LONGEST_NAME, GameSettings, game_key, settings_faults
from legation.scoring import SYSTEMS
from legation.scoring.tournament import TIE_BREAKS
from legation.variants import STANDARD

LONGEST = LONGEST_NAME - len(" R20 B100")
MOST_ROUNDS = 20


class TournamentPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Plan of a tournament.

    ``best``: only so many of each player's rounds count; 0 for all. ``ties``: what tells equal totals apart, one after
    another. ``seating``: "mixed" (nobody meets the same people again where it can be avoided), "final" (the same, but
    in the last round the best sit at the first board), or "standings" (from the second round neighbors in the standings
    sit together). ``online``: games are played in this office by ``settings``; else face to face, and results entered
    by hand. ``bots``: which bot fills up the last board; without one, people sit out in turn. ``listed``: anybody may
    see the tournament.
    """

    name: str
    variant: str = STANDARD
    options: dict[str, Any] = {}
    rounds: int = 3
    system: str = "carnage"
    best: int = 0
    ties: tuple[str, ...] = ("rounds",)
    seating: Literal["mixed", "final", "standings"] = "mixed"
    online: bool = True
    settings: GameSettings = GameSettings()
    bots: str = ""
    listed: bool = True


def read_plan(table: object) -> TournamentPlan:
    """A plan from its table, with its scoring system and whether it is listed in its games' settings.

    :raises InvalidInputError: with all that is wrong.
    """
    try:
        plan = table if isinstance(table, TournamentPlan) else msgspec.convert(table, TournamentPlan)
    except msgspec.ValidationError as error:
        raise InvalidInputError(f"The plan of the tournament cannot be read: {error}", faults=[str(error)]) from None
    settings = msgspec.structs.replace(plan.settings, scoring=plan.system, listed=plan.listed)
    plan = msgspec.structs.replace(plan, settings=settings)
    if faults := [*_faults(plan), *(settings_faults(settings) if plan.system in SYSTEMS else ())]:
        raise InvalidInputError("The tournament can't be made: " + "; ".join(faults), faults=faults)
    return plan


def unpacked_plan(packed: bytes) -> TournamentPlan:
    """A plan as it is stored.

    :raises DamagedError: if it cannot be read any more.
    """
    try:
        return msgspec.convert(unpack(packed), TournamentPlan)
    except msgspec.ValidationError:
        raise DamagedError("The plan of this tournament can no longer be read.") from None


def league_name_faults(name: str) -> list[str]:
    """Return the faults of the name of a tournament or a league."""
    is_plain = name.isprintable() and name == " ".join(name.split()) and game_key(name) not in ("", "new", "leagues")
    return [] if is_plain and len(name) <= LONGEST else [f"name: letters or digits, at most {LONGEST} characters"]


def _faults(plan: TournamentPlan) -> list[str]:
    faults = league_name_faults(plan.name)
    if not 1 <= plan.rounds <= MOST_ROUNDS:
        faults.append(f"rounds: from 1 to {MOST_ROUNDS}")
    if not 0 <= plan.best <= plan.rounds:
        faults.append("best: at most as many as there are rounds; 0 for all")
    if plan.system not in SYSTEMS:
        faults.append(f"system: no system {plan.system[:40]!r}; there are {', '.join(SYSTEMS)}")
    if unknown := [name for name in plan.ties if name not in TIE_BREAKS]:
        faults.append(f"ties: no tie-break {unknown[0][:40]!r}; there are {', '.join(TIE_BREAKS)}")
    if plan.settings.one_orders_all:
        faults.append("settings.one_orders_all: not in a tournament")
    if plan.bots and plan.bots not in levels.names():
        faults.append(f"bots: no bot {plan.bots[:40]!r}; there are {', '.join(levels.names())}")
    return faults
