"""Deadlines, posting-by dates and absences as an iCalendar document (RFC 5545, RFC 7986)."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

import msgspec
from icalendar import Calendar, Event, vDuration, vText

from legation.office.records import AbsenceRecord
from legation.version import VERSION

DueState = Literal["due", "planned", "cancelled"]
REFRESH = timedelta(hours=1)
"""How often a program should look again: a deadline that moves is known to all within the hour."""
STATUS: dict[DueState, str] = {"due": "CONFIRMED", "planned": "TENTATIVE", "cancelled": "CANCELLED"}
DAY = timedelta(days=1)


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """A deadline. ``key`` never changes while it is the same thing; ``revision`` rises whenever anything
    about it changes, and ``changed`` is when that was.

    ``at`` is the moment and ``zone`` the time zone that the game lives by. ``planned``: it comes only if the game goes
    on as expected. ``post_by``: the last day to post what must arrive by then."""

    key: str
    game: str
    what: str
    at: datetime
    changed: datetime
    zone: str = "UTC"
    revision: int = 0
    state: DueState = "due"
    powers: tuple[str, ...] = ()
    note: str = ""
    url: str = ""
    post_by: date | None = None


class Text(vText):
    """Text as it was typed: the library takes a backslash before an N for the end of a line."""

    def to_ical(self) -> bytes:
        """Escape the text as RFC 5545 says, 3.3.11."""
        escaped = self.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")
        return escaped.encode()


def calendar(
    name: str, host: str, dues: list[Due], away: Iterable[AbsenceRecord] = (), *, now: datetime, description: str = ""
) -> bytes:
    """Return an iCalendar document to subscribe to. ``host`` makes identifiers unique; ``now`` dates absences.

    An event keeps its UID for ever. Its SEQUENCE is the revision, so that programs see that a deadline has moved; one
    that is not due any more stays, as cancelled."""
    feed = Calendar()
    feed.add("PRODID", f"-//Legation//Legation {VERSION}//EN")
    feed.add("VERSION", "2.0")
    for key in ("NAME", "X-WR-CALNAME"):
        feed.add(key, Text(_line(name)))
    if description:
        feed.add("DESCRIPTION", Text(_line(description)))
    feed.add("REFRESH-INTERVAL", REFRESH, parameters={"VALUE": "DURATION"})
    feed.add("X-PUBLISHED-TTL", vDuration(REFRESH))
    for due in dues:
        feed.add_component(_deadline(due, host))
        if due.post_by is not None:
            summary = f"{due.game}: last day to post {due.what}"
            event = _event(f"{due.key}-post", host, summary, due.changed, due.revision, due.state)
            feed.add_component(_days(event, due.post_by, due.post_by))
    for absence in away:
        feed.add_component(_absence(absence, host, now))
    years = [due.at.year for due in dues] or [now.year]
    feed.add_missing_timezones(first_date=date(min(years) - 1, 1, 1), last_date=date(max(years) + 2, 1, 1))
    document: bytes = feed.to_ical()
    return document


def _line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _event(key: str, host: str, summary: str, changed: datetime, revision: int, state: DueState) -> Event:
    event = Event()
    event.add("UID", f"{key}@{host}")
    event.add("DTSTAMP", changed.astimezone(UTC))
    event.add("LAST-MODIFIED", changed.astimezone(UTC))
    event.add("SEQUENCE", revision)
    event.add("STATUS", STATUS[state])
    event.add("SUMMARY", Text(_line(summary)))
    event.add("TRANSP", "TRANSPARENT")  # a deadline does not make one busy
    return event


def _deadline(due: Due, host: str) -> Event:
    """A moment: an event of no length, in the game's time zone."""
    mine = f" ({', '.join(due.powers)})" if due.powers else ""
    event = _event(due.key, host, f"{due.game}: {due.what}{mine}", due.changed, due.revision, due.state)
    local = due.at.astimezone(ZoneInfo(due.zone)) if due.zone != "UTC" else due.at.astimezone(UTC)
    event.add("DTSTART", local)
    in_utc = f" ({due.at.astimezone(UTC):%H:%M} UTC)" if local.tzname() != "UTC" else ""
    lines = [f"Due {local:%A} {local.day} {local:%B %Y}, {local:%H:%M} {local.tzname()}{in_utc}."]
    if due.post_by is not None:
        lines.append(f"Post what must arrive by then until {due.post_by:%A} {due.post_by.day} {due.post_by:%B %Y}.")
    if due.state == "planned":
        lines.append("Planned, if the game continues as expected.")
    event.add("DESCRIPTION", Text("\n".join([*lines, *([_line(due.note)] if due.note else [])])))
    if due.url:
        event.add("URL", due.url)
    return event


def _absence(absence: AbsenceRecord, host: str, now: datetime) -> Event:
    summary = f"Away: {absence.note}" if absence.note else "Away"
    event = _event(f"absence-{absence.id}", host, summary, now, 0, "due")
    return _days(event, date.fromisoformat(absence.first), date.fromisoformat(absence.last))


def _days(event: Event, first: date, last: date) -> Event:
    event.add("DTSTART", first)
    event.add("DTEND", last + DAY)  # the end is the first day that is no part of it
    return event
