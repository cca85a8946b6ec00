"""webDiplomacy's page of orders (Archive, Orders), saved or pasted: the last turn first, orders by country and phase.

A turn's orders are a text for the variant's reader (:mod:`legation.interop.games.written`). The page's slips are taken
out of it: behind an order to disband or to destroy it says a second one."""

import re

from legation.interop.games.pastes import PAGES, without_tags
from legation.interop.games.record import ADJUSTMENTS, MOVEMENT, RETREATS, RecordedGame, RecordedPhase
from legation.interop.record import clean
from legation.interop.sources import ForeignFileError, Source, by_marks

NAME = "webdiplomacy-orders"
TITLE = "webDiplomacy's page of orders, saved or pasted"
LONGEST = 2_000_000
SECTIONS = {"diplomacy": MOVEMENT, "retreats": RETREATS, "unit-placement": ADJUSTMENTS, "builds": ADJUSTMENTS}
SEASONS = ("spring", "summer", "autumn", "fall", "winter")
TURN = re.compile(r"^([A-Z]\w{2,20})[, ]+(\d{1,5})\b[^.]{0,60}$")
COUNTRY = re.compile(r"^([^\W\d][\w'&. -]{1,40}?)\s*:?$")
ORDER = re.compile(
    r"^(?:The (?:army|fleet) at |Build (?:army|fleet) at |Do not use build order|Destroy the unit at )", re.I
)
SLIP = re.compile(r"(?<=disband)Build .*|(?<=\w)The (?:army |fleet )? ?at .*", re.I)
"""A second order behind one to disband or to destroy."""
CONVOY = re.compile(r"\bconvoy to (.{1,60}) from (.{1,60}?)(?=\.|$)", re.I)
recognize = by_marks(
    (".txt", ".text", ".md", *PAGES),
    rb"(?mi)(?:^[^\w\n]{0,20}|>\s*)The (?:army|fleet) at .{2,60} (?:hold|move to|support hold|support move|convoy)\b",
)


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of a pasted page.

    :raises ForeignFileError: if it is too long, or no order stands under a turn and a country."""
    text = source.text(entry, LONGEST)
    if entry.lower().endswith(PAGES):
        text = without_tags(text)
    record = RecordedGame(title=entry, format=TITLE)
    turns: dict[tuple[str, int], dict[str, RecordedPhase]] = {}
    turn: tuple[str, int] | None = None
    country = ""
    section = headed = MOVEMENT
    for line in text.splitlines():
        line = " ".join(line.split()).lstrip("*•-– ")
        if not line:
            continue
        if ORDER.match(line):
            if turn is None or not country:
                record.left(line, "is under no turn and country")
                continue
            phase = turns.setdefault(turn, {}).setdefault(section, _begin(turn, section))
            order = (
                "waive" if line.lower().startswith("do not") else CONVOY.sub(r"convoy A \2 to \1", SLIP.sub("", line))
            )
            phase.text += f"{country}:\n{order}\n"
        elif line.lower().rstrip(":") in SECTIONS:
            section = SECTIONS[line.lower().rstrip(":")]
        elif match := TURN.match(line):
            turn, country = (match[1], int(match[2])), ""
            section = headed = SECTIONS.get(line.lower().rpartition(" ")[2].rstrip(":"), MOVEMENT)
        elif match := COUNTRY.match(line):
            country, section = clean(match[1], 40), headed
        else:
            record.left(line, "is neither a turn, a country nor an order")
    if not turns:
        raise ForeignFileError(f"{entry}: holds no order under a turn and a country")
    played = list(turns)
    if _when(played[0]) >= _when(played[-1]):  # the page has the last turn first
        played.reverse()
    for key in played:
        record.phases += [turns[key][word] for word in (MOVEMENT, RETREATS, ADJUSTMENTS) if word in turns[key]]
    return [record]


def _when(turn: tuple[str, int]) -> tuple[int, int]:
    return turn[1], SEASONS.index(turn[0].lower()) if turn[0].lower() in SEASONS else 0


def _begin(turn: tuple[str, int], section: str) -> RecordedPhase:
    """A phase of a turn; of a movement the page tells what failed and who was dislodged."""
    season, moves = "Fall" if turn[0] == "Autumn" else turn[0], section == MOVEMENT
    failed, gone = (set[str](), set[str]()) if moves else (None, None)
    return RecordedPhase(season=season, year=turn[1], phase=section, failed=failed, dislodged_now=gone)
