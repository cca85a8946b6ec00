"""webDiplomacy's page of orders (Archive, Orders) as people paste it: the last turn first, orders by country and phase.

What each line says follows from how the page is made: ``The fleet at London move to North Sea. (fail)``. Its slips are
read, too: behind an order to disband or to destroy it says a second one.
"""

from __future__ import annotations

import re

import msgspec

from legation.interop.games.record import ADJUSTMENTS, MOVEMENT, RETREATS, RecordedGame, RecordedPhase
from legation.interop.record import clean
from legation.interop.sources import ForeignFileError, Source

NAME = "webdiplomacy-orders"
TITLE = "webDiplomacy's page of orders, as pasted"
LONGEST = 2_000_000
SECTIONS = {"diplomacy": MOVEMENT, "retreats": RETREATS, "unit-placement": ADJUSTMENTS, "builds": ADJUSTMENTS}
SEASONS = ("spring", "summer", "autumn", "fall", "winter")
TURN = re.compile(r"^([A-Z]\w{2,20})[, ]+(\d{1,5})\b[^.]{0,60}$")
COUNTRY = re.compile(r"^([^\W\d][\w'&. -]{1,40}?)\s*:?$")
ORDER = re.compile(
    r"^(?:The (?:army|fleet) at |Build (?:army|fleet) at |Do not use build order|Destroy the unit at )", re.I
)
RESULT = re.compile(r"\((fail|dislodged)\)$", re.I)
DISBANDED = re.compile(r"^The (army|fleet) at (.{1,60}?) disband(?:Build (?:army|fleet) at .{1,60})?$", re.I)
DESTROYED = re.compile(r"^Destroy the unit at (.{1,60}?)(?:The (?:army|fleet)? ?at .{1,60})?$", re.I)
BUILT = re.compile(r"^Build (army|fleet) at (.{1,60})$", re.I)
UNIT = re.compile(
    r"^The (?P<kind>army|fleet) at (?P<at>.{1,60}?) (?P<verb>hold|move|support hold|support move|convoy|retreat)"
    r"(?: to (?P<to>.{1,60}?))?(?: from (?P<start>.{1,60}?))?(?P<via> via convoy)?$",
    re.I,
)


class _Told(msgspec.Struct, frozen=True):
    """An order in our words, where its unit stands and whether it moves, and the results that the page has for it."""

    order: str
    at: str
    moves: bool
    results: frozenset[str]


def recognize(source: Source) -> list[str]:
    """Texts in which units are ordered in the page's words."""
    return [
        name
        for name in source.ending(".txt", ".text", ".md")
        if re.search(
            r"(?mi)^[^\w\n]{0,20}The (?:army|fleet) at .{2,60} (?:hold|move to|support hold|support move|convoy)\b",
            source.glance(name),
        )
    ]


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of a pasted page.

    :raises ForeignFileError: if it is too long, or no order stands under a turn and a country.
    """
    text = source.text(entry, LONGEST)
    record = RecordedGame(title=entry, format=TITLE)
    turns: dict[tuple[str, int], dict[str, RecordedPhase]] = {}
    turn: tuple[str, int] | None = None
    country, section = "", MOVEMENT
    for line in text.splitlines():
        line = " ".join(line.split()).lstrip("*•-– ")
        if not line:
            continue
        if ORDER.match(line):
            told = _told(line)
            if told is None:
                record.misread(" ".join(map(str, turn or ())), f"{country}: {line}")
            elif turn is None or not country:
                record.left(line, "is under no turn and country")
            else:
                _give(turns.setdefault(turn, {}), turn, section, country, told)
        elif line.lower().rstrip(":") in SECTIONS:
            section = SECTIONS[line.lower().rstrip(":")]
        elif match := TURN.match(line):
            turn, country, section = (match[1], int(match[2])), "", MOVEMENT
        elif match := COUNTRY.match(line):
            country, section = clean(match[1], 40), MOVEMENT
        else:
            record.left(line, "is neither a turn, a country nor an order")
    if not turns:
        raise ForeignFileError(f"{entry}: holds no order under a turn and a country")
    for key in _in_order(list(turns)):
        record.phases += [turns[key][word] for word in (MOVEMENT, RETREATS, ADJUSTMENTS) if word in turns[key]]
    return [record]


def _in_order(turns: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The turns as they were played; the page has the last one first."""

    def when(turn: tuple[str, int]) -> tuple[int, int]:
        return turn[1], SEASONS.index(turn[0].lower()) if turn[0].lower() in SEASONS else 0

    return turns if when(turns[0]) < when(turns[-1]) else turns[::-1]


def _told(line: str) -> _Told | None:
    """What a line orders; None if it is none of the page's orders."""
    results: set[str] = set()
    while found := RESULT.search(line):
        results.add(found[1].lower())
        line = line[: found.start()].rstrip()
    line = line.rstrip(" .")
    at, moves = "", False
    if line.lower().startswith("do not"):
        order = "waive"
    elif match := BUILT.match(line):
        order = f"build {match[1][0].upper()} {match[2]}"
    elif match := DESTROYED.match(line):
        order = f"remove {match[1]}"
    elif match := DISBANDED.match(line):
        order = f"{match[1][0].upper()} {match[2]} disband"
    elif match := UNIT.match(line):
        at, order, moves = match["at"], _unit(match), match["verb"].lower() == "move"
    else:
        order = ""
    return _Told(clean(order, 200), at, moves, frozenset(results)) if order else None


def _unit(match: re.Match[str]) -> str:
    """An order of a unit in our words; empty if it lacks what it needs."""
    unit, verb = f"{match['kind'][0].upper()} {match['at']}", match["verb"].lower()
    to, start = match["to"], match["start"]
    if verb == "hold":
        return f"{unit} H"
    if to is None or (start is None and verb in ("support move", "convoy")):
        return ""
    return {
        "move": f"{unit} - {to}{match['via'] or ''}",
        "support hold": f"{unit} S {to}",
        "support move": f"{unit} S {start} - {to}",
        "convoy": f"{unit} C A {start} - {to}",
        "retreat": f"{unit} R {to}",
    }[verb]


def _give(phases: dict[str, RecordedPhase], turn: tuple[str, int], section: str, country: str, told: _Told) -> None:
    season = "Fall" if turn[0] == "Autumn" else turn[0]
    moves = section == MOVEMENT
    phase = phases.setdefault(
        section,
        RecordedPhase(
            season=season,
            year=turn[1],
            phase=section,
            failed=set() if moves else None,
            dislodged_now=set() if moves else None,
        ),
    )
    phase.orders.setdefault(country, []).append(told.order)
    if phase.failed is not None and told.moves and "fail" in told.results:
        phase.failed.add(told.at)  # of supports and convoys the page says what depends on others
    if phase.dislodged_now is not None and "dislodged" in told.results:
        phase.dislodged_now.add(told.at)
