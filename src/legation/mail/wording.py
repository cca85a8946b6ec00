"""Wording shared by all mails: times, units, addresses."""

from datetime import UTC, datetime, timedelta

from legation.game.report import count
from legation.judge import Power
from legation.mail.words import told
from legation.office import clock
from legation.office.context import Actor
from legation.office.errors import OfficeError
from legation.office.identity import people
from legation.office.office import Office
from legation.office.records import GameRecord, VoteRecord
from legation.position import Phase


def moment_in_words(moment: datetime, zone: str = "") -> str:
    """``Thu 14 May 2027, 07:00 UTC``; in the reader's zone where one is known: ``Thu 14 May 2027, 09:00 CEST (07:00
    UTC)``."""
    local, there = moment.astimezone(clock.time_zone(zone)), moment.astimezone(UTC)
    text = clock.moment_in_words(moment, clock.time_zone(zone))
    if not local.utcoffset():
        return text
    day = "" if local.date() == there.date() else clock.day_in_words(there, year=False) + ", "
    return f"{text} ({day}{there:%H:%M} UTC)"


def time_left(moment: datetime, now: datetime) -> str:
    """``in 6 days 11 hours``."""
    if moment <= now:
        return ""
    minutes = int((moment - now).total_seconds() // 60)
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    left = ((days, count(days, "day")), (hours, count(hours, "hour")), (rest, count(rest, "minute")))
    parts = [said for number, said in left if number][:2]
    return f"in {' '.join(parts or ['less than a minute'])}"


def lateness(came: datetime, due: datetime) -> str:
    """How long after a deadline something came: ``1 second``, ``2 hours 5 minutes``."""
    seconds = -((due - came) // timedelta(seconds=1))  # rounded up
    return count(seconds, "second") if seconds < 60 else time_left(came, due).removeprefix("in ")


def deadline_in_words(office: Office, zone: str, deadline: datetime, there: str = "") -> str:
    """A deadline in the reader's time zone, with the time left, and whether clocks change before it, in this zone or
    that of the game (``there``)."""
    now = office.clock.now()
    changes = clock.clock_change(clock.time_zone(zone), now, deadline)
    if not changes and there not in ("", zone):
        changes = clock.clock_change(clock.time_zone(there), now, deadline, there)
    return ", ".join(filter(None, [moment_in_words(deadline, zone), time_left(deadline, now), changes]))


def zone_of(office: Office, actor: Actor) -> str:
    """The time zone that a person reads in; empty where none is set."""
    try:
        return str(people.me(office, actor).preferences.get("zone", ""))
    except OfficeError:
        return ""


def named(office: Office, game: GameRecord, power: str) -> Power:
    """A power of a game, to be named in a sentence."""
    return office.variants.load(game.variant, game.options).named(power)


def own_units(game: GameRecord, power: str) -> str:
    """A power's units in a line."""
    units = (game.position or {}).get("units", {}).get(power, [])
    return ", ".join(units) or "no units"


def without_order(turn: str) -> str:
    """The fate of a unit without an order in a turn."""
    phase = turn.rpartition(" ")[2]
    fates = {Phase.MOVEMENT.value: "will hold", Phase.RETREATS.value: "will be disbanded"}
    return fates.get(phase, "will be removed if the rules choose it")


def ballot_in_words(record: VoteRecord, *, on: bool) -> str:
    """The reply to a voter: how the question stands."""
    if record.carried:
        return told("vote for the coordinator" if record.advises else "vote passed", words=record.words)
    cast = count(record.votes, "vote")
    if record.needed is not None:
        cast = f"{record.votes} of the {count(record.needed, 'vote')} needed"
    back = ballot(record.kind, record.whom)
    return told("voted" if on else "vote taken back", words=record.words, cast=cast, back=back)


def ballot(kind: str, whom: str = "", hours: int = 0) -> str:
    """A question as it is written after SET VOTE."""
    return " ".join(filter(None, [kind.upper(), whom, str(hours or "")]))
