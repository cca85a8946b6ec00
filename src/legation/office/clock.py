"""Time and randomness, passed in: a whole year is played in a test in seconds, and every draw can be repeated. The
store keeps microseconds since 1970 (``int``); people see aware ``datetime`` in UTC, or words."""

import secrets
import threading
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo
from random import Random
from typing import Protocol
from zoneinfo import ZoneInfo

from legation.office.errors import DamagedError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
JUMP = timedelta(seconds=30)


def micros(at: datetime) -> int:
    """A time as the store keeps it."""
    return (at - EPOCH) // MICROSECOND


def moment(at: int) -> datetime:
    """A time as people see it. Raises DamagedError for a number that isn't a time."""
    try:
        return EPOCH + timedelta(microseconds=at)
    except OverflowError:
        raise DamagedError("A time on record is damaged. Tell whoever runs the office.") from None


def moment_or_none(at: int | None) -> datetime | None:
    """A time, where there is one."""
    return None if at is None else moment(at)


class Clock(Protocol):
    """Source of the time."""

    def now(self) -> datetime:
        """The present time, in UTC."""


def _since_boot() -> float:
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class SystemClock(Clock):
    """The machine's time, never going back while the process lives. Small corrections (NTP) are followed. A clock that
    jumps by more than :data:`JUMP`, ahead or back, is not: time goes on at its own pace, so that nothing closes early
    and nobody is late by it, until the machine's clock is right again or the process is started anew. ``jumped`` tells
    by how much it is off."""

    def __init__(
        self, wall: Callable[[], datetime] = lambda: datetime.now(UTC), steady: Callable[[], float] = _since_boot
    ) -> None:
        self._wall, self._steady = wall, steady
        self._latest, self._at = wall(), steady()
        self._lock = threading.Lock()
        self.jumped: timedelta | None = None

    def now(self) -> datetime:
        with self._lock:
            wall, at = self._wall(), self._steady()
            expected = self._latest + timedelta(seconds=max(0.0, at - self._at))
            off = wall - expected
            self.jumped = off if abs(off) > JUMP else None
            self._latest = expected if self.jumped else max(self._latest, wall)
            self._at = at
            return self._latest


class SimulatedClock(Clock):
    """A clock that is moved by hand."""

    def __init__(self, start: datetime) -> None:
        self._now = start.astimezone(UTC)

    def now(self) -> datetime:
        return self._now

    def advance(self, step: timedelta) -> datetime:
        """Advance the time by a step."""
        self._now += step
        return self._now

    def set(self, at: datetime) -> datetime:
        """Set the time, forward or back."""
        self._now = at.astimezone(UTC)
        return self._now


class RandomSource(Protocol):
    """Source of secrets and seeds."""

    def bytes(self, count: int) -> bytes:
        """Return ``count`` cryptographically random bytes."""


class SystemRandomSource(RandomSource):
    """Operating-system randomness (`os.urandom`)."""

    def bytes(self, count: int) -> bytes:
        return secrets.token_bytes(count)


class SeededRandomSource(RandomSource):
    """Reproducible randomness for tests and demonstrations: the same seed gives the same bytes. Not for real games."""

    def __init__(self, seed: object) -> None:
        self._random = Random(str(seed))

    def bytes(self, count: int) -> bytes:
        return self._random.randbytes(count)


def time_zone(name: str) -> tzinfo:
    """Return the time zone of a name; UTC where none is given, or none has this name."""
    try:
        return ZoneInfo(name) if name and name != "UTC" else UTC
    except (ValueError, OSError, LookupError):
        return UTC


PLACES = (
    "America/New_York America/Chicago America/Denver America/Los_Angeles America/Halifax America/Anchorage "
    "America/Phoenix America/Panama America/Havana Pacific/Honolulu Europe/London Europe/Dublin Europe/Lisbon "
    "Europe/Paris Europe/Berlin Europe/Athens Europe/Helsinki Europe/Moscow Africa/Johannesburg Africa/Lagos "
    "Africa/Nairobi Asia/Jerusalem Asia/Karachi Asia/Kolkata Asia/Shanghai Asia/Manila Asia/Seoul Asia/Tokyo "
    "Australia/Perth Australia/Adelaide Australia/Brisbane Australia/Sydney Pacific/Auckland"
).split()
"""Places that people may mean by the abbreviation of a time zone."""
HALVES = (datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 7, 1, tzinfo=UTC))


def names_place(zone: str) -> bool:
    """Return whether the name of a time zone is a place's, or UTC: ``Etc/GMT-2`` is an offset, and lies east."""
    return zone == "UTC" or ("/" in zone and not zone.startswith("Etc/GMT"))


def zone_fault(zone: str) -> str:
    """Return what is wrong with the name of a time zone (fixed offsets as EST have no summer time), or nothing."""
    if names_place(zone):
        try:
            ZoneInfo(zone)
        except (LookupError, ValueError, OSError):
            return f"there is no time zone {zone[:60]!r}; write one like 'Europe/London'"
        return ""
    wanted = zone.upper() if len(zone) != 2 else f"{zone[0].upper()}ST"  # ET
    meant = [place for place in PLACES if wanted in {half.astimezone(ZoneInfo(place)).tzname() for half in HALVES}]
    may = f"; it may mean {', '.join(meant[:-1])}{' or ' if len(meant) > 1 else ''}{meant[-1]}" if meant else ""
    return f"{zone[:60]!r} doesn't say where clocks change{may}; write a place's, like 'America/New_York'"


def clock_change(zone: tzinfo, start: datetime, end: datetime, there: str = "") -> str:
    """Say that the clocks of a zone change between two times, if they do: ``clocks go back 1 hour on Sun 25 Oct``; if
    it is another than the reader's, ``there`` is its name."""
    before, after = (at.astimezone(zone).utcoffset() or timedelta() for at in (start, end))
    if before == after or end <= start:
        return ""
    while end - start > timedelta(minutes=1):
        middle = start + (end - start) / 2
        start, end = (middle, end) if middle.astimezone(zone).utcoffset() == before else (start, middle)
    minutes = abs(after - before) // timedelta(minutes=1)
    length = f"{minutes // 60} hour{'s' * (minutes > 60)}" if minutes % 60 == 0 else f"{minutes} minutes"
    day = day_in_words(start.astimezone(zone), year=False)
    if there:
        return f"the game's clocks ({there}) go {'forward' if after > before else 'back'} {length} on {day}"
    return f"clocks go {'forward' if after > before else 'back'} {length} on {day}"


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
