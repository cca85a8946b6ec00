"""Times and days in words, as pages, mails, the journal and refusals tell them."""

from __future__ import annotations

from datetime import UTC, date, datetime, tzinfo
from zoneinfo import ZoneInfo


def time_zone(name: str) -> tzinfo:
    """Return the time zone of a name; UTC where none is given, or none has this name."""
    try:
        return ZoneInfo(name) if name and name != "UTC" else UTC
    except (ValueError, OSError, LookupError):
        return UTC


def moment_in_words(at: datetime, zone: tzinfo = UTC, *, year: bool = True) -> str:
    """``Thu 14 May 2027, 07:00 UTC``."""
    local = at.astimezone(zone)
    return f"{day_in_words(local, year=year)}, {local:%H:%M} {zone_in_words(local)}"


def day_in_words(day: date | str, *, year: bool = True) -> str:
    """``Thu 14 May 2027``, of a day or of one as ``2027-05-14``; a damaged row's text stays as it is."""
    try:
        day = date.fromisoformat(day) if isinstance(day, str) else day
    except ValueError:
        return str(day)
    return f"{day:%a} {day.day} {day:%b}" + (f" {day.year}" if year else "")


def zone_in_words(local: datetime) -> str:
    """The zone of a time: ``CEST``, or ``UTC+5:45`` where it has no letters, as browsers tell it, too."""
    name = local.tzname() or "UTC"
    if name.isalpha():
        return name
    sign, hours, minutes = f"{local:%z}"[0], f"{local:%z}"[1:3].lstrip("0"), f"{local:%z}"[3:5]
    return f"UTC{sign}{hours or 0}" + (f":{minutes}" if minutes != "00" else "")
