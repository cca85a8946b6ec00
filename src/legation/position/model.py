"""The records of a position: phases, turns, units."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar

import msgspec

from legation.board import province_of
from legation.frozen import Frozen, freeze


class Phase:
    """The phase of a turn: movement, retreats, adjustments, placement, or one that a rule adds, as in
    ``Phase("Treaties")``.

    There is one object for each name, however often it is made, so phases are compared with ``is``."""

    __slots__ = ("value",)
    value: str
    """The phase as turns name it: a word with a capital."""

    PLACEMENT: ClassVar[Phase]
    MOVEMENT: ClassVar[Phase]
    RETREATS: ClassVar[Phase]
    ADJUSTMENTS: ClassVar[Phase]

    def __new__(cls, value: str) -> Phase:
        """Return the one phase of this name.

        :raises ValueError: for a name that is not one word with a capital."""
        if not re.fullmatch(r"[A-Z][a-z]+", value):
            raise ValueError(f"a phase is one word with a capital, as 'Movement' is, not {value!r}")
        phase = _PHASES.get(value)
        if phase is None:
            phase = super().__new__(cls)
            object.__setattr__(phase, "value", value)
            _PHASES[value] = phase
            for said in (value.casefold(), value.casefold().removesuffix("s")):
                _NAMED.setdefault(said, phase)
        return phase

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a phase is never changed")

    def __reduce__(self) -> tuple[type[Phase], tuple[str]]:
        return Phase, (self.value,)

    def __repr__(self) -> str:
        return f"Phase({self.value!r})"

    @staticmethod
    def named(name: str) -> Phase | None:
        """Return the phase of this name, singular or plural, in any case (``retreat``); None if there is none."""
        return _NAMED.get(name.casefold())

    @staticmethod
    def all() -> tuple[Phase, ...]:
        """Return every phase, those of rules included, in the order in which they were created."""
        return tuple(_PHASES.values())


_PHASES: dict[str, Phase] = {}
_NAMED: dict[str, Phase] = {}  # in either number, without capitals
Phase.PLACEMENT = Phase("Placement")
Phase.MOVEMENT = Phase("Movement")
Phase.RETREATS = Phase("Retreats")
Phase.ADJUSTMENTS = Phase("Adjustments")


class PositionError(ValueError):
    """Raised for an impossible position: a unit where it can't be, or two units in a province."""


class TurnTextError(ValueError):
    """Raised for a text that isn't a turn (``Season Year Phase``)."""


_TURN = re.compile(r"\s*(?:([^\W\d]+)\s+)?(\d{1,5})\s+(\w+)\s*\Z")


class Turn(msgspec.Struct, frozen=True):
    """A turn, as in ``Spring 1901 Movement``; ``season`` is empty if turns are years (``1425 Movement``)."""

    season: str
    year: int
    phase: Phase

    def __str__(self) -> str:
        return f"{self.name} {self.phase.value}"

    @property
    def name(self) -> str:
        """The turn without its phase: ``Spring 1901``."""
        return f"{self.season} {self.year}" if self.season else str(self.year)

    @staticmethod
    def parse(text: str) -> Turn:
        """Return the turn written as ``Season Year Phase``.

        :raises TurnTextError: naming what is wrong."""
        return _known_turn(text) if len(text) < 60 else _read_turn(text)


def _read_turn(text: str) -> Turn:
    match = _TURN.match(text)
    if not match:
        raise TurnTextError(f"a turn is written 'Season Year Phase', as in 'Spring 1901 Movement', not {text!r}")
    season, year, phase = match.groups()
    known = Phase.named(phase)
    if known is None:
        raise TurnTextError(f"{phase!r} isn't a phase; phases are {', '.join(p.value for p in Phase.all())}")
    return Turn((season or "").capitalize(), int(year), known)


_known_turn = lru_cache(maxsize=1_000)(_read_turn)  # a file of turns names few of them, each many times


class Unit(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """A unit: its kind (``A``, ``F``, ``D``), the location where it stands, and the power that owns it."""

    kind: str
    at: str
    power: str

    @property
    def province(self) -> str:
        """The province that the unit occupies."""
        return province_of(self.at)

    def __str__(self) -> str:
        return f"{self.kind} {self.at}"


class Dislodged(msgspec.Struct, frozen=True):
    """A unit that must retreat.

    ``attacker_from`` is the province it may not retreat to (None: its attacker came by convoy)."""

    unit: Unit
    attacker_from: str | None


class Position(msgspec.Struct, frozen=True):
    """One state of a game.

    ``owners`` maps centers to powers. ``contested`` are the provinces left vacant by a standoff (retreats only).
    ``slices`` holds, by the name of a rule, the state which that rule keeps; values are plain JSON data. Both are
    frozen all the way down, so a position can be shared."""

    turn: Turn
    units: tuple[Unit, ...] = ()
    dislodged: tuple[Dislodged, ...] = ()
    contested: frozenset[str] = frozenset()
    owners: Mapping[str, str] = {}
    slices: Mapping[str, Any] = {}

    def __post_init__(self) -> None:
        if type(self.owners) is not Frozen:
            msgspec.structs.force_setattr(self, "owners", Frozen(self.owners))
        if type(self.slices) is not Frozen:
            msgspec.structs.force_setattr(self, "slices", freeze(self.slices))

    def units_of(self, power: str) -> tuple[Unit, ...]:
        """The units of a power on the board, dislodged ones not included."""
        return tuple(u for u in self.units if u.power == power)

    def centers_of(self, power: str) -> tuple[str, ...]:
        """The centers that a power owns."""
        return tuple(c for c, owner in self.owners.items() if owner == power)

    def survivors(self) -> tuple[str, ...]:
        """The powers that have a unit or a center."""
        seen = dict.fromkeys(self.owners.values())
        seen.update(dict.fromkeys(u.power for u in self.units))
        seen.update(dict.fromkeys(d.unit.power for d in self.dislodged))
        return tuple(seen)
