"""The points on which the rulebooks differ, as named options: DATC chapter 4 (STD-P).

Every option names its issue, its readings and the default, which is DATC's preference. A variant may set other defaults
and a game may choose.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from legation.faults import near

Reading: TypeAlias = bool | str


class OptionError(ValueError):
    """Raised for an unknown option, or a value that it does not have."""


class Option(msgspec.Struct, frozen=True):
    """A disputed point of the rules: ``readings`` lists its values, the default first."""

    name: str
    issue: str
    readings: tuple[Reading, ...]
    summary: str

    @property
    def default(self) -> Reading:
        """The value if none is chosen."""
        return self.readings[0]


STANDARD_OPTIONS: tuple[Option, ...] = (
    Option(
        "multi_route_convoy",
        "DATC 4.A.1",
        ("all", "any"),
        "A convoy with several routes fails when all of them are broken, or when any is.",
    ),
    Option(
        "convoy_paradox",
        "DATC 4.A.2",
        ("szykman", "1971", "1982", "2000", "all hold"),
        "How a convoy that undoes its own condition is decided.",
    ),
    Option(
        "adjacent_convoy",
        "DATC 4.A.3",
        ("own fleet", "via convoy", "1971"),
        "When an army goes to a neighboring province by sea: if it says so or a fleet of its own power is "
        "ordered to convoy it; only if it says so; or when it would otherwise meet a unit head to head.",
    ),
    Option(
        "via_convoy_fallback",
        "DATC 4.A.3",
        (False, True),
        "An adjacent army ordered via convoy, for which no convoy is ordered, goes by land instead of staying.",
    ),
    Option(
        "convoyed_attack_cuts_own_target",
        "DATC 4.A.4",
        (False, True),
        "A convoyed army cuts a support that is given to an attack on the province it came from.",
    ),
    Option(
        "retreat_to_convoy_origin",
        "DATC 4.A.5",
        (True, False),
        "A unit dislodged by a convoyed army may retreat to where that army came from.",
    ),
    Option(
        "convoy_route",
        "DATC 4.A.6",
        ("ignored", "binding"),
        "Whether the fleets that an army's order names are the only ones that may convoy it.",
    ),
    Option(
        "dislodged_bounces",
        "DATC 4.A.7",
        ("unless head to head", "never"),
        "Whether a dislodged unit can still bounce others out of the province that its attacker came from.",
    ),
    Option(
        "missing_coast",
        "DATC 4.B.2",
        ("inferred", "fails"),
        "A fleet's move that names no coast where only one is possible.",
    ),
    Option(
        "impossible_coast",
        "DATC 4.B.3",
        ("fails", "corrected"),
        "A fleet's move to a coast that it cannot reach, where it can reach another of the same province.",
    ),
    Option(
        "support_coast",
        "DATC 4.B.4",
        ("optional", "required"),
        "Whether support of a fleet's move must name the coast where there are several.",
    ),
    Option(
        "wrong_unit_coast",
        "DATC 4.B.5",
        ("ignored", "fails"),
        "An order that names the wrong coast of the ordered unit.",
    ),
    Option(
        "irrelevant_coast",
        "DATC 4.B.6",
        ("ignored", "fails"),
        "An order that names a coast where there is none of that name.",
    ),
    Option(
        "missing_kind",
        "DATC 4.C.1",
        ("valid", "fails"),
        "An order that does not say whether the unit is an army or a fleet.",
    ),
    Option("wrong_kind", "DATC 4.C.2", ("ignored", "fails"), "An order that calls an army a fleet, or the reverse."),
    Option(
        "missing_build_kind",
        "DATC 4.C.3",
        ("inferred", "fails"),
        "A build that does not name the kind of unit, where only one is possible.",
    ),
    Option(
        "missing_nationality",
        "DATC 4.C.5",
        ("ignored", "fails"),
        "Support or convoy of a foreign unit that does not name its power.",
    ),
    Option("wrong_nationality", "DATC 4.C.6", ("ignored", "fails"), "Support or convoy that names the wrong power."),
    Option("double_orders", "DATC 4.D.3", ("hold", "first", "last"), "A unit with two different orders on one sheet."),
    Option("excess_builds", "DATC 4.D.4", ("first", "last", "none"), "Which builds count when too many are ordered."),
    Option(
        "double_builds",
        "DATC 4.D.5",
        ("first", "last", "none"),
        "Which build counts when two are ordered in one province.",
    ),
    Option(
        "excess_removals",
        "DATC 4.D.6",
        ("first", "last", "civil disorder"),
        "Which removals count when too many are ordered.",
    ),
    Option(
        "waiving",
        "DATC 4.D.7",
        (True, False),
        "Whether a build may be waived; if not, unused builds are made in the first free sites.",
    ),
    Option(
        "civil_disorder",
        "DATC 4.D.8",
        ("2023", "2000", "1971", "lot"),
        "Which unit is removed when its power orders too few removals: one on no center, farthest from the power's "
        "centers (2023); farthest from its country (2000); farthest from its home centers (1971); always fleets "
        "before armies, then in alphabetical order; or one drawn by lot.",
    ),
    Option(
        "hold_support_in_disorder",
        "DATC 4.D.9",
        (True, False),
        "Whether units of a power that sends no orders can be supported to hold.",
    ),
)


def read_options(declared: tuple[Option, ...], chosen: Mapping[str, object]) -> dict[str, Reading]:
    """Return the value of every declared option.

    :raises OptionError: for a name that is not declared or a reading that the option does not have.
    """
    readings: dict[str, Reading] = {option.name: option.default for option in declared}
    by_name = {option.name: option for option in declared}
    for name, value in chosen.items():
        option = by_name.get(name)
        if option is None:
            raise OptionError(f"no option {name!r}{near(name, by_name)}")
        for reading in option.readings:
            if type(reading) is type(value) and reading == value:
                readings[name] = reading
                break
        else:
            raise OptionError(f"option {name!r} is {' or '.join(map(_as_written, option.readings))}, not {value!r}")
    return readings


def _as_written(reading: object) -> str:
    return str(reading).lower() if isinstance(reading, bool) else repr(reading)
