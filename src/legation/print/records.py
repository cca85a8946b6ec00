"""The plain records that everything on paper is made from; whoever calls fills them."""

from __future__ import annotations

from datetime import date, datetime

import msgspec


class Address(msgspec.Struct, frozen=True):
    """A postal address: the real name, the lines as they go on an envelope, and the country for post from abroad."""

    name: str
    lines: tuple[str, ...] = ()
    country: str = ""

    @property
    def block(self) -> list[str]:
        """All lines from the name down, the country in capitals as postal services want it; empty ones left out."""
        return [line for line in (self.name, *self.lines, self.country.upper()) if line.strip()]


class Party(msgspec.Struct, frozen=True):
    """One end of a letter: the position in the game (a power, or the coordinator) and, where it is known, the person
    and the address."""

    position: str
    person: str = ""
    address: Address | None = None


class GameName(msgspec.Struct, frozen=True):
    """A game as its post names it (W-26): its own name, its key in
    addresses and codes, and the title of the variant."""

    name: str
    key: str
    title: str = ""


class Deadline(msgspec.Struct, frozen=True):
    """When something is due.

    ``at`` bears its time zone; ``post_by`` is the last day to post what must arrive by then."""

    what: str
    at: datetime
    post_by: date | None = None

    def written(self) -> dict[str, str]:
        """The parts as people write them: ``Thursday 14 May 2026, 07:00 GMT``."""
        return {
            "what": self.what,
            "at": f"{self.at:%A} {long_day(self.at)}, {self.at:%H:%M} {self.at.tzname() or ''}".rstrip(),
            "post_by": f"{self.post_by:%A} {long_day(self.post_by)}" if self.post_by else "",
        }


class Stay(msgspec.Struct, frozen=True):
    """An address, the days for which it is preferred (none: always, unless another is), and whether it is the one for
    today, and for a letter posted today (W-23)."""

    address: Address
    first: date | None = None
    last: date | None = None
    today: bool = False
    posted_today: bool = False


def long_day(day: date) -> str:
    """``14 May 2026``."""
    return f"{day.day} {day:%B %Y}"
