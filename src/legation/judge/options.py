"""The points on which the rulebooks differ, as named options: DATC chapter 4 (STD-P).

Every option names its issue, its readings and the default, which is DATC's preference. A variant may set other defaults
and a game may choose."""

from collections.abc import Iterator, Mapping
from importlib.resources import files
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


def _standard_options() -> Iterator[Option]:
    for line in (files("legation.judge") / "options.tsv").read_text(encoding="utf-8").splitlines():
        name, issue, readings, summary = line.split("\t")
        values = tuple(WRITTEN.get(reading, reading) for reading in readings.split(" | "))
        yield Option(name, issue, values, summary)


WRITTEN: Mapping[str, Reading] = {"true": True, "false": False}
STANDARD_OPTIONS: tuple[Option, ...] = tuple(_standard_options())
"""The options of every game: by line their name, issue, readings (the default first) and what they decide."""


def read_options(declared: tuple[Option, ...], chosen: Mapping[str, object]) -> dict[str, Reading]:
    """Return the value of every declared option.

    :raises OptionError: for a name that is not declared or a reading that the option does not have."""
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
            written = [str(one).lower() if isinstance(one, bool) else repr(one) for one in option.readings]
            raise OptionError(f"option {name!r} is {' or '.join(written)}, not {value!r}")
    return readings
