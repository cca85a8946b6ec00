"""Preferences of a person for mails and notifications: typed and bounded, whatever a program sends."""

from datetime import datetime, time, timedelta
from functools import cache
from typing import Annotated, Any, Literal
from zoneinfo import available_timezones

import msgspec

from legation.office.clock import names_place, time_zone, zone_fault
from legation.office.errors import InvalidInputError, refuse_faults
from legation.office.store.packing import pack, unpack_facts


@cache
def time_zones() -> frozenset[str]:
    """The names of all time zones that say where clocks change: to find them takes a look at six hundred files."""
    return frozenset(filter(names_place, available_timezones()))


MOST_REMINDER_HOURS = 14 * 24
QUIET = frozenset(
    "results,draft results,reminder,orders missing,deadline moved,letter,receipt,game started,game ended,game paused,"
    "game resumed,game cancelled,turn opened,seated,seat lost,desk,deputy,second reading,vote,seat vacant,"
    "round begun,standings,seat free".split(",")
)
"""Kinds of mailing that a person may do without."""


PUSHED = {
    "turn": "It’s your turn.",
    "results": "Results are out.",
    "reminder": "Orders are due soon.",
    "letter": "A letter came.",
    "clock": "The deadline or the state of the game has changed.",
    "vote": "The players are voting.",
    "desk": "Something waits on your desk.",
}
"""Kinds of notifications in a browser, and what each says: what may stand on a locked screen."""
PUSHED_MAIL = {
    "results": "results",
    "draft results": "results",
    "reminder": "reminder",
    "orders missing": "reminder",
    "letter": "letter",
    "deadline moved": "clock",
    "keys lost": "clock",
    "game paused": "clock",
    "game resumed": "clock",
    "game cancelled": "clock",
    "vote": "vote",
}
"""The kind of notification that goes with a kind of mail."""
HourAndMinute = Annotated[str, msgspec.Meta(pattern=r"^(([01]\d|2[0-3]):[0-5]\d)?\Z")]


class Preferences(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """``quiet``: kinds of mailing that are not wanted. ``attached``: whether files that make a mail large are attached,
    or stand behind links. ``zone``: in which mails tell times. ``reminder_hours``: how
    long before a deadline; 0 for never, None for as long as the game says. ``unpushed``: kinds of notifications that
    browsers do not get; from ``quiet_from`` to ``quiet_to`` (``22:00``) none comes, and no mail about
    what waits on the desk. ``profile``: others may see the person's profile; ``about``: its line about the person.
    ``ranked``: ratings are shown to others, in the profile and in lists."""

    quiet: Annotated[tuple[str, ...], msgspec.Meta(max_length=len(QUIET))] = ()
    form: Literal["html", "text"] = "html"
    attached: Literal["small", "all"] = "small"
    language: Annotated[str, msgspec.Meta(max_length=35)] = ""
    zone: Annotated[str, msgspec.Meta(max_length=60)] = ""
    reminder_hours: Annotated[int, msgspec.Meta(ge=0, le=MOST_REMINDER_HOURS)] | None = None
    unpushed: Annotated[tuple[str, ...], msgspec.Meta(max_length=len(PUSHED))] = ()
    quiet_from: HourAndMinute = ""
    quiet_to: HourAndMinute = ""
    profile: bool = False
    about: Annotated[str, msgspec.Meta(max_length=200)] = ""
    ranked: bool = False

    def wakes(self, at: datetime) -> datetime:
        """Return when a notification of this time may come: at once, or at the end of the person's quiet hours."""
        if not self.quiet_from or not self.quiet_to or self.quiet_from == self.quiet_to:
            return at
        zone = time_zone(self.zone)
        here = at.astimezone(zone)
        now = f"{here:%H:%M}"
        overnight = self.quiet_from > self.quiet_to
        inside = self.quiet_from <= now or now < self.quiet_to if overnight else self.quiet_from <= now < self.quiet_to
        if not inside:
            return at
        day = here.date() + timedelta(days=1 if overnight and now >= self.quiet_from else 0)
        return datetime.combine(day, time.fromisoformat(self.quiet_to), zone)


def read_preferences(packed: bytes) -> Preferences:
    """The preferences that a row holds; what is broken or no longer known is left out."""
    told = {}
    for name, value in unpack_facts(packed).items():
        try:
            msgspec.convert({name: value}, Preferences)
        except msgspec.ValidationError:
            continue
        told[name] = value
    return msgspec.convert(told, Preferences)


def change_preferences(packed: bytes, changes: dict[str, Any]) -> bytes:
    """The row's value with changes; InvalidInputError for what is not known, or has another type."""
    old = msgspec.to_builtins(read_preferences(packed))
    try:
        wanted = msgspec.convert({**old, **changes}, Preferences)
    except msgspec.ValidationError as error:
        raise InvalidInputError(f"The preferences cannot be used: {error}.", faults=[f"preferences: {error}"]) from None
    faults = [f"preferences.quiet: not {kind[:40]!r}" for kind in wanted.quiet if kind not in QUIET]
    faults += [f"preferences.unpushed: not {kind[:40]!r}" for kind in wanted.unpushed if kind not in PUSHED]
    if bool(wanted.quiet_from) != bool(wanted.quiet_to):
        faults.append("preferences.quiet_from: quiet hours have a beginning and an end")
    if wanted.zone and "zone" in changes and (fault := zone_fault(wanted.zone)):
        faults.append(f"preferences.zone: {fault}")
    if not wanted.about.isprintable():
        faults.append("preferences.about: one line of text")
    refuse_faults("The preferences cannot be used", faults)
    return pack(msgspec.to_builtins(wanted))
