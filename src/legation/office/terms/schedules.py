"""Schedules: when orders are due, as data (TOML or JSON; those that ship are beside this), and how it is computed.

Local times are computed in the schedule's zone, so that 18:00 stays 18:00; lengths in hours are real hours. Calendar
days (``season = true``) are the rulebook's: the day on which a season opened is day 0, and a day ends at ``day_ends``
on the day after (W-21a, W-21b)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

import msgspec

from legation.formats import read_toml
from legation.judge import Ruleset
from legation.office.clock import zone_fault
from legation.office.errors import InvalidInputError
from legation.position import Phase, Turn

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
PHASES = tuple(phase.value for phase in (Phase.PLACEMENT, Phase.MOVEMENT, Phase.RETREATS, Phase.ADJUSTMENTS))
DAY = timedelta(days=1)
MOST_QUIET = 100  # so that there is a day on which something can be due
MOST_STEPS = 20
LONGEST_TITLE = 200  # characters
Pace: TypeAlias = Literal["live", "daily", "slow"]


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Length of some phases. ``days``, ``hours``, ``minutes`` from the turn's opening; with ``at`` (``"18:00"``) moved
    on to that time of day; with ``weekdays`` to the first of these days at that time, but not sooner than the length.
    With ``season`` the days are calendar days of the season, to the end of the day. ``lasts``: the next season opens so
    many calendar days after this one."""

    phases: tuple[str, ...]
    days: int = 0
    hours: int = 0
    minutes: int = 0
    at: str = ""
    weekdays: tuple[str, ...] = ()
    season: bool = False
    lasts: int = 0

    @property
    def length(self) -> timedelta:
        """The length in real time."""
        return timedelta(days=self.days, hours=self.hours, minutes=self.minutes)


class Schedule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Schedule of deadlines. ``quiet`` are weekdays or dates (``"Sun"``, ``"2026-12-25"``, ``"12-25"``) on which
    nothing is due: it is due a day later, at the same time of day."""

    name: str
    title: str
    steps: tuple[Step, ...]
    zone: str = "UTC"
    day_ends: str = "00:00"
    quiet: tuple[str, ...] = ()
    first_days: int = 0  # more for the first turn

    def step(self, phase: str) -> Step:
        """Return how long a phase lasts; one that the schedule doesn't name, as long as adjustments."""
        for step in self.steps:
            if phase in step.phases:
                return step
        return self.step(Phase.ADJUSTMENTS.value)


def deadline(
    schedule: Schedule, phase: str, opened: datetime, season_opened: datetime, *, first: bool = False
) -> datetime:
    """Return the deadline, in UTC, of a turn that opened at ``opened``. ``first``: it is the game's first turn."""
    step = schedule.step(phase)
    more = timedelta(days=schedule.first_days if first else 0)
    zone = ZoneInfo(schedule.zone)
    if step.season:
        day = calendar_day(schedule, season_opened) + timedelta(days=step.days) + more
        day = max(day, _late_end(schedule, step, calendar_day(schedule, opened), day))
        return _unquiet(schedule, day_start(schedule, day + DAY), zone)
    if not step.at:
        return _unquiet(schedule, opened + step.length + more, zone)
    local = (opened + timedelta(hours=step.hours, minutes=step.minutes)).astimezone(zone)
    earliest = (local.replace(tzinfo=None) + timedelta(days=step.days) + more).replace(tzinfo=zone).astimezone(UTC)
    day = earliest.astimezone(zone).date()
    while True:
        due = datetime.combine(day, time.fromisoformat(step.at), zone).astimezone(UTC)
        fits = not step.weekdays or WEEKDAYS[day.weekday()] in step.weekdays
        if due >= earliest and due > opened and fits and not _is_quiet(schedule, day):
            return due
        day += DAY


def _late_end(schedule: Schedule, step: Step, opens: date, planned: date) -> date:
    """The last day of a phase, seen from when it really opens: a late one keeps its length (W-21a)."""
    before = max(
        (s.days for s in schedule.steps if s.season and s.lasts == step.lasts and s.days < step.days), default=0
    )
    length = timedelta(days=max(1, step.days - before))
    return opens + length if before and opens > planned - length + DAY else opens + DAY


def end_of_day(schedule: Schedule, phase: str, due: datetime) -> datetime:
    """A moved deadline as the schedule wants it: the end of its day, where days of the season count (W-21b)."""
    if not schedule.step(phase).season:
        return due
    day = calendar_day(schedule, due)
    if day_start(schedule, day) == due:
        return due
    return _unquiet(schedule, day_start(schedule, day + DAY), ZoneInfo(schedule.zone))


def pace(schedule: Schedule) -> Pace:
    """Return a game's pace: movement takes at most an hour, at most two days, or longer."""
    step = schedule.step(Phase.MOVEMENT.value)
    if step.season or (step.weekdays and len(step.weekdays) < 4) or step.length > 2 * DAY:
        return "slow"
    return "live" if step.length <= timedelta(hours=1) and not step.at else "daily"


def season_end(schedule: Schedule, phase: str, season_opened: datetime) -> datetime | None:
    """Return the earliest opening of the next season, once a phase of this one is done; None: at once."""
    step = schedule.step(phase)
    return (
        day_start(schedule, calendar_day(schedule, season_opened) + timedelta(days=step.lasts)) if step.lasts else None
    )


def calendar_day(schedule: Schedule, at: datetime) -> date:
    """The calendar day in which a moment lies: 06:59 on the 2nd is the 1st, where days end at 07:00 (W-21b)."""
    local = at.astimezone(ZoneInfo(schedule.zone)).replace(tzinfo=None)
    ends = time.fromisoformat(schedule.day_ends)
    return (local - timedelta(hours=ends.hour, minutes=ends.minute)).date()


def day_start(schedule: Schedule, day: date) -> datetime:
    """The first moment of a calendar day, which is the last of the day before, in UTC."""
    return datetime.combine(day, time.fromisoformat(schedule.day_ends), ZoneInfo(schedule.zone)).astimezone(UTC)


def planned(
    schedule: Schedule, rules: Ruleset, turn: Turn, due: datetime, season_opened: datetime
) -> Iterator[tuple[Turn, datetime, datetime]]:
    """The turns after one, each with when it opens and is due if all come as soon as may be."""
    season = season_opened
    while True:
        following = rules.next_turn(turn)
        opened = due
        if following.name != turn.name:
            opened = season = max(due, season_end(schedule, turn.phase.value, season) or due)
        turn, due = following, deadline(schedule, following.phase.value, opened, season)
        yield turn, opened, due


def after_absences(
    schedule: Schedule, due: datetime, absences: Iterable[tuple[date, date]], most_days: int
) -> datetime:
    """A deadline moved to the first day, same time, after every absence it falls into, by so many days at most."""
    zone = ZoneInfo(schedule.zone)
    local = due.astimezone(zone)
    day, last = local.date(), local.date() + timedelta(days=most_days)
    away = sorted(absences)
    moved = True
    while moved:
        moved = False
        for begin, end in away:
            if begin <= day <= end:
                day, moved = end + DAY, True
        while _is_quiet(schedule, day):
            day, moved = day + DAY, True
    day = min(day, last)
    return datetime.combine(day, local.time(), zone).astimezone(UTC) if day > local.date() else due


def _unquiet(schedule: Schedule, due: datetime, zone: ZoneInfo) -> datetime:
    local = due.astimezone(zone)
    day = local.date()
    while _is_quiet(schedule, day):
        day += DAY
    return due if day == local.date() else datetime.combine(day, local.time(), zone).astimezone(UTC)


def _is_quiet(schedule: Schedule, day: date) -> bool:
    return bool({WEEKDAYS[day.weekday()], day.isoformat(), day.isoformat()[5:]} & set(schedule.quiet))


@cache
def _shipped() -> dict[str, Schedule]:
    folder = files("legation.office.terms") / "schedules"
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return {file.name.removesuffix(".toml"): read(read_toml(file.read_text("utf-8"))) for file in found}


def names() -> tuple[str, ...]:
    """The schedules that ship."""
    return tuple(_shipped())


def find(name: str) -> Schedule:
    """Return a schedule by the name of one that ships, or as it is written: ``36 h``, ``5 min; retreats 2 min``, ``Mon
    Wed Fri 20:00 Europe/London; builds 24 h``. Raises InvalidInputError if it is neither."""
    if name in _shipped():
        return _shipped()[name]
    if len(name) > LONGEST_WRITTEN:
        message = f"A schedule has at most {LONGEST_WRITTEN} characters."
        raise InvalidInputError(message, faults=[f"schedule: at most {LONGEST_WRITTEN} characters"])
    if name[:1].isdigit() or name[:3].title() in WEEKDAYS:
        return _written(name)
    raise InvalidInputError(
        f"There is no schedule {name[:60]!r}. {HOW}",
        suggestions=names(),
        faults=[f"schedule: not {name[:60]!r}; {HOW[0].lower()}{HOW[1:]}"],
    )


LONGEST_WRITTEN = 200  # characters
HOW = (
    "Write a length ('36 h', '5 min', '2 days'), or weekdays with a time and a zone "
    "('Mon Wed Fri 20:00 Europe/London'); other lengths for retreats and adjustments follow after semicolons "
    "('36 h; retreats 12 h; adjustments 12 h')."
)
_PARTS = {
    "": ("Movement", "Placement", "Retreats", "Adjustments"),
    "retreats": ("Retreats",),
    "adjustments": ("Adjustments",),
    "builds": ("Adjustments",),
}
_PART = re.compile(r"(?P<phase>retreats|adjustments|builds)?\s*(?P<when>.*)", re.IGNORECASE | re.DOTALL)
_LENGTH = re.compile(r"(\d{1,6})\s*(d|days?|h|hours?|m|min|minutes?)\b\s*", re.IGNORECASE)
_DAYS = re.compile(r"([a-z][a-z\s,-]*?)\s+(\d?\d:\d\d)(?:\s+(\S+))?", re.IGNORECASE)


@lru_cache(maxsize=256)
def _written(text: str) -> Schedule:
    by_phase: dict[str, Step] = {}
    zones: set[str] = set()
    for part in text.split(";"):
        match = _PART.fullmatch(part.strip())
        assert match  # it takes anything
        made, zone = _step(match["when"].strip())
        zones |= {zone} - {""}
        by_phase |= dict.fromkeys(_PARTS[(match["phase"] or "").lower()], made)
    if len(zones) > 1:
        raise InvalidInputError("Use one time zone for all times.", faults=["schedule: has more than one time zone"])
    steps: dict[Step, list[str]] = {}
    for phase, step in by_phase.items():
        steps.setdefault(step, []).append(phase)
    table = [{**msgspec.to_builtins(step), "phases": phases} for step, phases in steps.items()]
    return read({"name": "written", "title": " ".join(text.split()), "zone": min(zones, default="UTC"), "steps": table})


def _step(when: str) -> tuple[Step, str]:
    lengths = _LENGTH.findall(when)
    if lengths and not _LENGTH.sub("", when):
        total = {"d": 0, "h": 0, "m": 0}
        for number, unit in lengths:
            total[unit[0].lower()] += int(number)
        return Step(phases=(), days=total["d"], hours=total["h"], minutes=total["m"]), ""
    match = _DAYS.fullmatch(when)
    days = _weekdays(match[1]) if match else ()
    if not match or not days:
        raise InvalidInputError(f"The schedule {when[:60]!r} can't be read. {HOW}", faults=[f"schedule: {HOW}"])
    return Step(phases=(), weekdays=days, at=f"{match[2]:0>5}", hours=1), match[3] or ""


def _weekdays(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for word in re.findall(r"[a-z]+(?:\s*-\s*[a-z]+)?", text, re.IGNORECASE):
        ends = [end.strip()[:3].title() for end in word.split("-")]
        if not all(end in WEEKDAYS for end in ends):
            return ()
        first, last = WEEKDAYS.index(ends[0]), WEEKDAYS.index(ends[-1])
        found += [WEEKDAYS[(first + n) % 7] for n in range((last - first) % 7 + 1)]
    return tuple(dict.fromkeys(found))


def read(table: object) -> Schedule:
    """A schedule from its table. Raises InvalidInputError with all that is wrong."""
    try:
        schedule = msgspec.convert(table, Schedule)
    except msgspec.ValidationError as error:
        raise InvalidInputError(f"The schedule cannot be read: {error}", faults=[f"schedule: {error}"]) from None
    faults = list(_faults(schedule))
    if faults:
        raise InvalidInputError(
            "The schedule cannot be used: " + "; ".join(faults), faults=[f"schedule: {f}" for f in faults]
        )
    return schedule


def _faults(schedule: Schedule) -> Iterable[str]:
    if fault := zone_fault(schedule.zone):
        yield f"zone: {fault}"
    if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", schedule.day_ends):
        yield f"day_ends: a time of day is written '07:00', not {schedule.day_ends!r}"
    if len({q for q in schedule.quiet if q in WEEKDAYS}) == len(WEEKDAYS):
        yield "quiet: a week needs a day that is not quiet"
    if len(schedule.quiet) > MOST_QUIET:
        yield f"quiet: at most {MOST_QUIET} days"
    for quiet in schedule.quiet:
        if quiet not in WEEKDAYS and not re.fullmatch(r"(\d{4}-)?\d\d-\d\d", quiet):
            yield f"quiet: {quiet!r} isn't a weekday ({', '.join(WEEKDAYS)}) or a date ('2026-12-25', '12-25')"
    if not 0 <= schedule.first_days <= 366:
        yield "first_days: from 0 to 366"
    for phase in PHASES:
        if sum(phase in step.phases for step in schedule.steps) != 1 and phase != Phase.PLACEMENT.value:
            yield f"steps: {phase} must be in exactly one step"
    if not any(Phase.PLACEMENT.value in step.phases for step in schedule.steps):
        yield "steps: Placement must be in exactly one step"
    for number, step in enumerate(schedule.steps):
        yield from (f"steps[{number}]: {fault}" for fault in _step_faults(step, schedule))


def new_faults(schedule: Schedule) -> Iterable[str]:
    """Return what keeps a schedule from a new game (not from one that goes on): texts and lists without end. The title
    stands in mails to strangers whom somebody invites."""
    for field in ("name", "title"):
        text = getattr(schedule, field)
        if len(text) > LONGEST_TITLE or not text.isprintable():
            yield f"{field}: at most {LONGEST_TITLE} characters, all of which can be shown, in one line"
    if len(schedule.steps) > MOST_STEPS:
        yield f"steps: at most {MOST_STEPS}"
    for number, step in enumerate(schedule.steps[:MOST_STEPS]):
        for field in ("phases", "weekdays"):
            if has_twice(getattr(step, field)):
                yield f"steps[{number}].{field}: name each once"
        if step.lasts > 366:
            yield f"steps[{number}].lasts: at most 366 days"


def has_twice(names: Sequence[str]) -> bool:
    """Return whether a name is in a list more than once: such a list has no end."""
    return len(set(names)) < len(names)


def _step_faults(step: Step, schedule: Schedule) -> Iterable[str]:
    for phase in step.phases:
        if phase not in (known.value for known in Phase.all()):
            yield f"phases: there is no phase {phase!r}; phases are {', '.join(p.value for p in Phase.all())}"
    lengths = (step.days, step.hours, step.minutes, step.lasts)
    if min(lengths) < 0 or max(lengths) > 366 * 24 * 60 or step.length > timedelta(days=366):
        yield "a length is from one minute to 366 days"
    if step.at and not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", step.at):
        yield f"at: a time of day is written '18:00', not {step.at!r}"
    if step.weekdays and not step.at:
        yield "weekdays: say at what time of day, with 'at'"
    for day in step.weekdays:
        if day not in WEEKDAYS:
            yield f"weekdays: {day!r} is none of {', '.join(WEEKDAYS)}"
    if step.weekdays and set(step.weekdays) <= set(schedule.quiet):
        yield "weekdays: all of them are quiet"
    if not step.at and not any(lengths[:3]) and not step.season:
        yield "a phase lasts at least one minute"


def schedule_list() -> str:
    """The schedules that ship, in Markdown."""
    return "\n".join(f"- `{name}`: {find(name).title}." for name in names())
