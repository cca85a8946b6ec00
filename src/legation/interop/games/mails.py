"""Results mails and listings of njudge and the DPjudge: one line an order, results in brackets behind it."""

import quopri
import re

from legation.game import Game
from legation.interop.calendars import LETTERS
from legation.interop.games.missing import orders_of, shortcomings, unsaid
from legation.interop.games.record import ADJUSTMENTS, MOVEMENT, RecordedGame, RecordedPhase, RecordedUnit, phase_word
from legation.interop.judge_layout import marked, words
from legation.interop.record import clean
from legation.interop.sources import ForeignFileError, Source, by_marks
from legation.judge import Ruleset
from legation.notation import write
from legation.orders import Build, Order, Remove, UnitOrder, Waive
from legation.position import Phase, Position

NAME = "judge-mail"
TITLE = "results mails and listings of njudge and the DPjudge"
HEAD = re.compile(
    r"(?:Starting position|Status of the Movement phase|(Movement|Retreat|Adjustment) (?:results|orders))"
    r" for (\w+) of (\d{1,5})\.?",
    re.IGNORECASE,
)
SPOKEN = re.compile(r"([A-Z0-9][\w' &-]{1,40}?):\s*(\w.*[.*)])$")
"""A line of a power's, whatever it says: a long name leaves no blank behind its colon, those of chaos begin with a
number."""
UNIT = re.compile(r"(Army|Fleet)\s+([^\s,>](?:[^,>]*[^\s,>.])?)[ .]*$")
UNORDERED = re.compile(r"(?:Army|Fleet)\s+([^\s,]+(?: [^\s,]+){0,6}?)[,.]?\s+No order", re.IGNORECASE)
WAIVED = re.compile(r"(?:Build|(\d{1,3})\s+(?:unus(?:ed|able) )?builds?)\s+(?:pending|waived)\.", re.IGNORECASE)
REMARK = re.compile(r"[*,]\s*((?:warn|maybe|reorder)[^*,]{0,60})")
HEADERS = re.compile(
    r"(?:X-[\w-]+|From|To|Cc|Bcc|Date|Subject|Reply-To|Sender|Message-ID|Received|Return-Path|Status|Lines|Judge):",
    re.IGNORECASE,
)
QUOTED = re.compile(r"^(?:> ?)+", re.MULTILINE)
"""What stands before the lines of a mail that was passed on."""
PRINTABLE = re.compile(r"^content-transfer-encoding: *quoted-printable", re.IGNORECASE | re.MULTILINE)
VARIANT = re.compile(r"Variant:\s*(\w+)")
LONGEST = 2_000_000
recognize = by_marks(
    (".txt", ".mail", ".mbox", ".eml", ".out", ".results", ".lst", ""),
    rb"((Movement|Adjustment|Retreat) results|(Adjustment|Retreat) orders|Starting position) for \w+ of \d+",
)


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of a listing, or of several results in one file; what is told twice is read once.

    :raises ForeignFileError: if no results are in it."""
    text = source.text(entry, LONGEST)
    if PRINTABLE.search(text):
        text = quopri.decodestring(text.encode()).decode(errors="replace")
    text = QUOTED.sub("", text)
    board = VARIANT.search(text)
    record = RecordedGame(title=entry, format=TITLE, board=board[1].lower() if board else "")
    phase: RecordedPhase | None = None
    for line in _joined(text):
        if head := HEAD.search(line):
            phase = _begun(record, head)
        elif line.startswith(("Ownership of", "Status of", "The next phase", "::")):
            phase = None
        elif phase is not None and (spoken := SPOKEN.match(line)) and not HEADERS.match(line):
            _take(record, phase, *spoken.groups())
    if not record.phases:
        raise ForeignFileError(f"{entry}: holds no results of a turn")
    return [record]


def _joined(text: str) -> list[str]:
    """The lines, with those that go on in the next one (indented) put together."""
    lines: list[str] = []
    for line in text.splitlines():
        plain = line.strip()
        goes_on = lines and line[:1] == " " and re.match(r"[^:]{2,42}:\s*(?:Army|Fleet) ", lines[-1])
        if goes_on and plain and not re.match(r"[A-Z0-9][\w-]+:", plain):
            lines[-1] += " " + plain
        else:
            lines.append(plain)
    return lines


def _begun(record: RecordedGame, head: re.Match[str]) -> RecordedPhase | None:
    """The phase whose results or starting position stand below a heading; None if nothing of it is to be read."""
    phase = RecordedPhase(season=head[2].title(), year=int(head[3]), phase=LETTERS[(head[1] or "M")[0].upper()])
    known = next((p for p in record.phases if p.name == phase.name), None)
    if head[0].lower().startswith("movement orders"):
        record.left(head[0], "orders that were not played yet")
        return None
    if head[1] is None:
        phase.units = []
        if record.phases:
            return None
    elif known is not None and known.played:
        return None
    else:
        phase = known or phase
        phase.played = True
        if phase.phase == MOVEMENT:
            phase.failed, phase.dislodged_now = set(), set()
    record.phases += [] if known else [phase]
    return phase


def _take(record: RecordedGame, phase: RecordedPhase, power: str, said: str) -> None:
    """Take a power's line: a unit of a starting position, or an order with what came of it."""
    unit = UNIT.match(said)
    if not phase.played and phase.units is not None:
        if unit:
            phase.stand(RecordedUnit(clean(power, 60), unit[1][0], clean(unit[2], 80)))
        else:
            record.misread(phase.name, f"{power}: {said}")
    elif gone := UNORDERED.match(said):
        if phase.dislodged_now is not None and "dislodged" in said:
            phase.dislodged_now.add(gone[1])
    else:
        if phase.phase == ADJUSTMENTS:
            said = f"build {said}" if unit else WAIVED.sub(lambda m: "; ".join(["waive"] * int(m[1] or 1)), said)
        phase.text += f"{power}:\n{re.sub(r'[.](?=$|  )', '', said)}\n"  # plain lines are read fastest
        for word in REMARK.findall(said):
            record.left(f"{phase.name}: {said}", f"the remark {word!r}")


# --- out


def write_game(game: Game) -> tuple[str, list[str]]:
    """A game as the listing of results that a Judge sends, and what that cannot say."""
    lines = [f":: Judge: Legation  Game: {clean(game.name or 'game', 30)}  Variant: {game.rules.name}", ""]
    without: list[Order] = []
    for turn in game.turns:
        before = turn.resolution.before
        phase, season = phase_word(before.turn).rstrip("s"), before.turn.season or "Spring"
        lines += [f"{phase} results for {season} of {before.turn.year}.", ""]
        for power, order, verdict in orders_of(turn):
            said = _written(game.rules, before, power, order)
            if verdict is not None and not isinstance(order, Build | Remove | Waive):
                said += marked(verdict.outcome, verdict.dislodged_from is not None)
            lines.append(f"{power}: {said}")
            if not WORDED.match(said):
                without.append(order)
        lines += [
            f"{v.power}: {game.rules.writer.unit(v.order.kind, v.order.at)}, No Order Processed.  (*dislodged*)"
            for v in turn.resolution.verdicts
            if v.dislodged_from is not None and v.cause is not None and v.cause.kind == "no order"
            if isinstance(v.order, UnitOrder)
        ]
        lines.append("")
    lines += ["Ownership of supply centers:", ""]
    for power in game.rules.powers:
        names = [game.rules.board.provinces[c].name for c in game.position.centers_of(power)]
        lines.append(f"{power}: {', '.join(names)}." if names else f"{power}: none.")
    missing = shortcomings(game, waived=True) + unsaid(without)
    if any(not turn.resolution.before.turn.season for turn in game.turns):
        missing.append("turns without a season, which are called Spring")
    return "\n".join(lines) + "\n", missing


WORDED = re.compile(r"Army |Fleet |Build waived|(?:Builds an?|Removes the) (?:army|fleet) ")
"""Orders that the Judge has words for."""


def _written(rules: Ruleset, before: Position, power: str, order: Order) -> str:
    """An order in the Judge's words; with the places' codes where their names mean other places, too."""
    text = words(rules, order)
    read, _ = rules.reader.orders(text, before.turn.phase, power, before)
    if read != [order] and before.turn.phase is Phase.MOVEMENT and isinstance(order, UnitOrder) and order.kind:
        short = write(order).removeprefix(f"{order.kind} ").replace(" - ", " -> ")
        text = f"{rules.writer.kind(order.kind).title()} {short}"
    return f"{text}."
