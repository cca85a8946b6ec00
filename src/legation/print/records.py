"""The plain records that everything on paper is made from; whoever calls fills them."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

import msgspec

from legation.languages import ENGLISH
from legation.office.records import AddressRecord

COORDINATOR = "The Coordinator"


class Address(msgspec.Struct, frozen=True):
    """A postal address: the real name, the lines as they go on an envelope, and the country for post from abroad."""

    name: str
    lines: tuple[str, ...] = ()
    country: str = ""

    @property
    def block(self) -> list[str]:
        """All lines from the name down, the country in capitals as postal services want it; empty ones left out."""
        return [line for line in (self.name, *self.lines, self.country.upper()) if line.strip()]


def address_of(name: str, record: AddressRecord) -> Address:
    """Return an address of somebody, whose name may stand in it already."""
    return Address(name, tuple(line for line in record.lines if line.casefold() != name.casefold()), record.country)


class Party(msgspec.Struct, frozen=True):
    """One end of a letter: the position in the game (a power, or the coordinator) and, where it is known, the person
    and the address; the language of their packet."""

    position: str
    person: str = ""
    address: Address | None = None
    language: str = ENGLISH


class Directions(msgspec.Struct, frozen=True):
    """Where orders go and until when: by e-mail to ``orders_address``, by post to ``post_to``, if these are given."""

    deadlines: Sequence[Mapping[str, str]] = ()
    orders_address: str = ""
    post_to: Address | None = None


class GameName(msgspec.Struct, frozen=True):
    """A game as its post names it (W-26): its own name, its key in
    addresses and codes, and the title of the variant."""

    name: str
    key: str
    title: str = ""


def deadline(what: str, at: datetime, post_by: str | None = None) -> dict[str, str]:
    """When something is due and the last day to post what must arrive by then, as people write them: ``Thursday 14 May
    2026, 07:00 GMT``. ``at`` bears its time zone."""
    last = date.fromisoformat(post_by) if post_by else None
    return {
        "what": what,
        "at": f"{at:%A} {long_day(at)}, {at:%H:%M} {at.tzname() or ''}".rstrip(),
        "post_by": f"{last:%A} {long_day(last)}" if last else "",
    }


def long_day(day: date) -> str:
    """``14 May 2026``."""
    return f"{day.day} {day:%B %Y}"
