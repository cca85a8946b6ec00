"""What mails say in the same words everywhere: times, units, addresses, and what one may write."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from legation.game.report import count
from legation.office import Actor, Office, people
from legation.office.errors import OfficeError
from legation.office.records import GameRecord
from legation.position import Phase

HELP = (
    ("orders", "one a line, in any usual notation; a new sheet replaces the one before it"),
    ("SIGNON power@game", "which seat is meant, if you hold several"),
    ("CLEAR, UNDO", "take back all versions, or the last"),
    ("SET WAIT, SET NOWAIT", "not before the deadline; ready"),
    ("SET DRAW", "vote for a draw, in a mail with your orders"),
    ("SET VOTE PAUSE, RESUME, CANCEL", "vote for it, with the other players; SET NOVOTE PAUSE takes a vote back"),
    ("SET VOTE EXTEND 48", "vote for a deadline that many hours later"),
    ("SET VOTE REPLACE Power", "vote for another player for a power whose player has gone"),
    ("SET ABSENCE 20 Jan TO 30 Jan", "days on which you are away; SET NOABSENCE takes one back"),
    ("SET ADDRESS name@example.org", "where mail goes; a link confirms it"),
    ("SET SHARE, SET NOSHARE", "whether the players of a postal game see your postal address"),
    ("SET PREF Power, Power", "which powers you would like, before the start"),
    ("PHASE Winter 1643 Adjustments", "what follows is for that later phase"),
    ("PRESS TO Power, Power ... ENDPRESS", "a letter; PRESS GREY TO ... is anonymous, where the game allows it"),
    ("BROADCAST ... ENDPRESS", "a letter to all"),
    ("LIST, STATUS, SUMMARY, WHOGAME", "games; where yours stands; centers; who plays"),
    ("ROSTER", "who plays what, with the postal addresses that you may see"),
    ("HISTORY game FROM 3 Jan TO 9 Jan", "what happened, on these days or last"),
    ("JOIN game, RESIGN", "take part, or take over a seat that is open; give your seat up"),
    ("SIGNOFF", "nothing after it is read"),
)


def moment_in_words(moment: datetime, zone: str = "") -> str:
    """``Thu 14 May 2027, 07:00 UTC``, and the same in the reader's zone where one is known."""
    text = f"{moment.astimezone(UTC):%a %-d %b %Y, %H:%M} UTC"
    try:
        own = moment.astimezone(ZoneInfo(zone)) if zone else None
    except (ZoneInfoNotFoundError, ValueError):
        own = None
    return f"{text} ({own:%a %-d %b, %H:%M} {zone})" if own is not None and own.utcoffset() else text


def time_left(moment: datetime, now: datetime) -> str:
    """``in 6 days 11 hours``."""
    if moment <= now:
        return ""
    minutes = int((moment - now).total_seconds() // 60)
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [count(n, word) for n, word in ((days, "day"), (hours, "hour"), (rest, "minute")) if n][:2]
    return "in " + " ".join(parts or ["less than a minute"])


def deadline_in_words(office: Office, actor: Actor, deadline: datetime) -> str:
    """A deadline for who reads it, in both zones, and how long that is from now."""
    left = time_left(deadline, office.clock.now())
    return ", ".join(filter(None, [moment_in_words(deadline, zone_of(office, actor)), left]))


def zone_of(office: Office, actor: Actor) -> str:
    """The time zone that a person reads in; empty where none is set."""
    try:
        return str(people.me(office, actor).preferences.get("zone", ""))
    except OfficeError:
        return ""


def own_units(game: GameRecord, power: str) -> str:
    """A power's units in a line."""
    units = (game.position or {}).get("units", {}).get(power, [])
    return ", ".join(units) or "no units"


def without_order(turn: str) -> str:
    """What becomes of a unit that is given no order in a turn."""
    phase = turn.rpartition(" ")[2]
    fates = {Phase.MOVEMENT.value: "will hold", Phase.RETREATS.value: "will be disbanded"}
    return fates.get(phase, "will be removed if the rules choose it")


def link(office: Office, path: str) -> str:
    """The address of a page of the office."""
    return office.settings.address.rstrip("/") + path
