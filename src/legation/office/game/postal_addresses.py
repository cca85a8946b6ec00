"""Postal addresses of people, and how long letters between them are on their way."""

from datetime import date, timedelta

from legation.office.clock import moment
from legation.office.context import CommandContext, GameContext
from legation.office.office import Office
from legation.office.records import AddressRecord, record_of
from legation.office.store.rows import AddressRow, SeatRow
from legation.office.terms.plans import GameSettings
from legation.position import Phase


def address_record(office: Office, row: AddressRow) -> AddressRecord:
    """Return an address as people see it."""
    number, lines = office.numbers.shown("address", row.id), tuple(row.lines.split("\n"))
    dates = {"first": row.first or None, "last": row.last or None}
    return record_of(AddressRecord, row, id=number, lines=lines, primary=row.is_primary, **dates)


def address_at(act: CommandContext, person: int, day: date) -> AddressRecord | None:
    """Return a person's address on a day: that of the shortest dates (the last added), else the primary one."""
    office, rows = act.office, act.tx.all(AddressRow, person=person)
    dated = [r for r in rows if not r.is_primary and (r.first or "0") <= day.isoformat() <= (r.last or "9")]
    if dated:
        return address_record(office, min(dated, key=lambda r: (_length(r), -r.made, -r.id)))
    return next((address_record(office, r) for r in rows if r.is_primary), None)


def _length(row: AddressRow) -> int:
    if not row.first or not row.last:
        return 10**6
    return (date.fromisoformat(row.last) - date.fromisoformat(row.first)).days


def days_between(settings: GameSettings, origin: AddressRecord | None, to: AddressRecord | None) -> int:
    """Return how many days a letter takes, by the addresses (the slower), else the countries, else the game."""
    if own := [one.days for one in (origin, to) if one is not None and one.days is not None]:
        return max(own)
    return settings.route_days(origin.country, to.country) if origin and to else settings.post_days


def letter_address(
    act: CommandContext, settings: GameSettings, origin: AddressRecord | None, person: int, days: int | None = None
) -> tuple[AddressRecord | None, int]:
    """The address at which a letter posted today finds a person, and how many ``days`` it takes."""
    today = act.now.date()
    arrives = days
    for row in act.tx.all(AddressRow, person=person, order="is_primary"):
        address = address_record(act.office, row)
        arrives = days_between(settings, origin, address) if days is None else days
        if address_at(act, person, today + timedelta(days=arrives)) == address:
            return address, arrives
    if arrives is None:
        arrives = days_between(settings, origin, None)
    return address_at(act, person, today + timedelta(days=arrives)), arrives


def days_to_coordinator(scene: GameContext, seat: SeatRow | None) -> int:
    """Return how many days the orders of a seat's player are in the post."""
    act, coordinator = scene.act, scene.row.coordinator
    if seat is None or seat.person is None or coordinator is None:
        return scene.settings.post_days
    own = address_at(act, seat.person, act.now.date())
    return letter_address(act, scene.settings, own, coordinator)[1]


def post_by(scene: GameContext, days: int) -> date | None:
    """Return the last day to post a letter that comes before the open movement's orders are due; None if past."""
    if scene.row.state != "running":
        return None
    turn = scene.turn()
    if turn.state != "open" or turn.name.rpartition(" ")[2] != Phase.MOVEMENT.value:
        return None
    last = scene.settings.posted_for(moment(turn.deadline), days)
    return last if last >= scene.now.date() else None
