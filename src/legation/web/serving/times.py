"""Times in the reader's zone, with the time that is left."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from fastapi import Request
from markupsafe import Markup, escape

from legation.office.clock import moment_in_words
from legation.web.serving.sessions import office_of, zone_of


class Times:
    """The times of one page, for its reader.

    The page's script writes them anew where the browser's zone is another one.
    """

    def __init__(self, request: Request) -> None:
        self.zone: tzinfo = zone_of(request)
        self.now: datetime = office_of(request).clock.now()

    def at(self, moment: datetime) -> Markup:
        """A time as ``Thu 14 May, 07:00 UTC``."""
        at = moment.astimezone(UTC).isoformat(timespec="seconds")
        return Markup(f'<time datetime="{at}" data-at="{self.zone}">{escape(self.words(moment))}</time>')

    def due(self, moment: datetime) -> Markup:
        """Return a time with what is left until then: ``Thu 14 May, 07:00 UTC, in 2 d 4 h``."""
        left = round((moment - self.now).total_seconds())
        words = left_in_words(moment - self.now)
        return Markup(f'{self.at(moment)}, <span class="left" data-left="{left}">{words}</span>')

    def words(self, moment: datetime) -> str:
        """A time in the reader's zone."""
        another_year = moment.astimezone(self.zone).year != self.now.astimezone(self.zone).year
        return moment_in_words(moment, self.zone, year=another_year)


def left_in_words(left: timedelta) -> str:
    """Return what is left until a time, in its two largest parts: ``in 2 d 4 h``."""
    minutes = int(left.total_seconds() // 60)
    if minutes < 0:
        return "past"
    (days, rest), hour = divmod(minutes, 24 * 60), 60
    parts = [(days, "d"), (rest // hour, "h")] if days else [(rest // hour, "h"), (rest % hour, "min")]
    return " ".join(["in", *(f"{n} {unit}" for n, unit in parts if n)]) if minutes else "in less than a minute"
