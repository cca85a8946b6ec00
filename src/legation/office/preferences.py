"""What is sent to a person and how: typed and bounded, whatever a program sends."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from zoneinfo import available_timezones

import msgspec

from legation.office.errors import InvalidInputError
from legation.office.store import pack, unpack_facts

MOST_REMINDER_HOURS = 14 * 24
QUIET = frozenset(
    "results,draft results,reminder,orders missing,deadline moved,letter,receipt,game started,game ended,game paused,"
    "game resumed,game cancelled,seated,seat lost,deputy,second reading,vote,seat vacant".split(",")
)
"""Kinds of mailing that a person may do without."""


class Preferences(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """``quiet``: kinds of mailing that are not wanted. ``zone``: in which mails tell times. ``reminder_hours``: how
    long before a deadline; 0 for never, None for as long as the game says."""

    quiet: Annotated[tuple[str, ...], msgspec.Meta(max_length=len(QUIET))] = ()
    form: Literal["html", "text"] = "html"
    language: Annotated[str, msgspec.Meta(max_length=35)] = ""
    zone: Annotated[str, msgspec.Meta(max_length=60)] = ""
    reminder_hours: Annotated[int, msgspec.Meta(ge=0, le=MOST_REMINDER_HOURS)] | None = None


def read_preferences(packed: bytes) -> Preferences:
    """The preferences that a row holds; what an earlier version took and nobody can mean is left out."""
    told = {}
    for name, value in unpack_facts(packed).items():
        try:
            msgspec.convert({name: value}, Preferences)
        except msgspec.ValidationError:
            continue
        told[name] = value
    return msgspec.convert(told, Preferences)


def change_preferences(packed: bytes, changes: dict[str, Any]) -> bytes:
    """The row's value with changes; what is not named stays.

    :raises InvalidInputError: for what is not known, or has another type.
    """
    old = msgspec.to_builtins(read_preferences(packed))
    try:
        wanted = msgspec.convert({**old, **changes}, Preferences)
    except msgspec.ValidationError as error:
        raise InvalidInputError(f"The preferences cannot be used: {error}.", faults=[f"preferences: {error}"]) from None
    faults = [f"preferences.quiet: not {kind[:40]!r}" for kind in wanted.quiet if kind not in QUIET]
    if wanted.zone and wanted.zone not in available_timezones():
        faults.append("preferences.zone: write a zone as Europe/Paris")
    if faults:
        raise InvalidInputError("The preferences cannot be used: " + "; ".join(faults), faults=faults)
    return pack(msgspec.to_builtins(wanted))
