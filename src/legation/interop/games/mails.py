"""Results mails and listings of njudge and the DPjudge: one line an order, results in brackets behind it."""

from __future__ import annotations

import re

from legation.game import Game
from legation.interop.games.missing import orders_of, shortcomings, unsaid
from legation.interop.games.record import (
    ADJUSTMENTS,
    FAILED,
    MOVEMENT,
    RETREATS,
    RecordedGame,
    RecordedPhase,
    RecordedUnit,
    phase_word,
)
from legation.interop.record import clean
from legation.interop.sources import ForeignFileError, Source
from legation.judge import Ruleset, Verdict
from legation.notation import write
from legation.orders import Build, Order, Remove, UnitOrder, Waive
from legation.position import Position

NAME = "judge-mail"
TITLE = "results mails and listings of njudge and the DPjudge"
HEAD = re.compile(
    r"(?:Starting position|Status of the Movement phase|(Movement|Retreat|Adjustment) (?:results|orders))"
    r" for (\w+) of (\d{1,5})\.?",
    re.IGNORECASE,
)
POWER = r"^([A-Z0-9][\w' &-]{1,40}?):\s*"
"""A long name leaves no blank behind its colon; those of chaos begin with a number."""
ORDER = re.compile(POWER + r"(Army|Fleet)\s+(.+?)\s*$")
ADJUST = re.compile(
    POWER + r"(Builds|Removes|Disbands|Defaults, removing)\s+(?:an?|the)\s+(army|fleet)"
    r"\s+(?:in|from)\s+(?:the\s+)?(.+?)\.\s*$",
    re.IGNORECASE,
)
WAIVED = re.compile(
    POWER + r"(?:Build|(\d{1,3})\s+(?:(?:unus(?:ed|able) )?builds?))\s+(?:pending|waived)\.", re.IGNORECASE
)
SPOKEN = re.compile(POWER + r"\w.*[.*)]$")
"""A line of a power's, whatever it says."""
HEADERS = re.compile(
    r"(?:X-[\w-]+|From|To|Cc|Bcc|Date|Subject|Reply-To|Sender|Message-ID|Received|Return-Path|Status|Lines|Judge):",
    re.IGNORECASE,
)
QUOTED = re.compile(r"^(?:> ?)+", re.MULTILINE)
"""What stands before the lines of a mail that was passed on."""
VARIANT = re.compile(r"Variant:\s*(\w+)")
WORDS = re.compile(r"\(\*([^*]{1,80})\*\)")
LONGEST = 2_000_000
FAILURES = ("bounce", "void", "cut", "no convoy", "disrupted", "invalid", "blocked", "no support")


def recognize(source: Source) -> list[str]:
    """Texts with the heading of results."""
    endings = (".txt", ".mail", ".eml", ".out", ".results", ".lst", "")
    return [
        name
        for name in source.names
        if (name.lower().endswith(endings[:-1]) or "." not in name.rpartition("/")[2])
        and re.search(
            rb"((Movement|Adjustment|Retreat) results|(Adjustment|Retreat) orders|Starting position) for \w+ of \d+",
            source.head(name),
        )
    ]


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of a listing, or of several results in one file.

    :raises ForeignFileError: if no results are in it.
    """
    text = QUOTED.sub("", source.text(entry, LONGEST))
    board = VARIANT.search(text)
    record = RecordedGame(title=entry, format=TITLE, board=board[1].lower() if board else "")
    seen: dict[str, RecordedPhase] = {}
    phase: RecordedPhase | None = None
    placed: RecordedPhase | None = None
    for line in _joined(text):
        head = HEAD.search(line)
        if head:
            phase = placed = None
            if head[0].lower().startswith("movement orders"):
                record.left(head[0], "orders that were not played yet")
            elif not head[1]:
                placed = _starting(record, head[2], head[3])
            else:
                kind = {"m": MOVEMENT, "r": RETREATS, "a": ADJUSTMENTS}[head[1][0].lower()]
                failed: set[str] | None = set() if kind == MOVEMENT else None
                phase = RecordedPhase(season=head[2].title(), year=int(head[3]), phase=kind, failed=failed, played=True)
                began = record.phases[0] if record.phases and not seen else None
                if phase.name in seen:
                    phase = None  # told twice
                elif began is not None and began.name == phase.name:
                    began.failed, began.played = failed, True
                    seen[phase.name] = phase = began
                else:
                    seen[phase.name] = phase
                    record.phases.append(phase)
        elif placed is not None and placed.units is not None and (match := ORDER.match(line)):
            placed.units.append(RecordedUnit(clean(match[1], 60), match[2][0], clean(match[3].rstrip(" ."), 80)))
        elif line.startswith(("Ownership of", "Status of", "The next phase", "::")):
            phase = placed = None
        elif phase is not None:
            _line(record, phase, line)
        elif placed is not None:
            _strange(record, placed, line)
    if not record.phases:
        raise ForeignFileError(f"{entry}: holds no results of a turn")
    return [record]


def _starting(record: RecordedGame, season: str, year: str) -> RecordedPhase | None:
    """The phase that a starting position is of; None if it was told before."""
    if record.phases:
        return None
    record.phases.append(RecordedPhase(season=season.title(), year=int(year), phase=MOVEMENT, units=[], failed=None))
    return record.phases[0]


def _joined(text: str) -> list[str]:
    """The lines, with those that go on in the next one (indented) put together."""
    lines: list[str] = []
    for line in text.splitlines():
        plain = line.strip()
        if lines and line[:1] == " " and ORDER.match(lines[-1]) and plain and not re.match(r"[A-Z0-9][\w-]+:", plain):
            lines[-1] += " " + plain
        else:
            lines.append(plain)
    return lines


def _line(record: RecordedGame, phase: RecordedPhase, line: str) -> None:
    if match := ADJUST.match(line):
        verb = "build" if match[2].lower() == "builds" else "remove"
        _give(phase, match[1], f"{verb} {match[3][0].upper()} {match[4]}")
        return
    if match := WAIVED.match(line):
        for _ in range(int(match[2] or 1)):
            _give(phase, match[1], "waive")
        return
    match = ORDER.match(line)
    if match is None:
        _strange(record, phase, line)
        return
    power, kind, rest = match.groups()
    words = [w.strip().lower() for found in WORDS.findall(rest) for w in found.split(",")]
    rest = " ".join(WORDS.sub("", rest).strip().rstrip(".").split())
    at = re.split(r" (?:->|SUPPORT|CONVOY|HOLD|DISBAND)|,", rest)[0].strip()
    if phase.failed is not None and "dislodged" in words:
        phase.dislodged_now = (phase.dislodged_now or set()) | {at}
    if ", No Order Processed" in rest or "No order" in rest:
        return
    text = re.sub(r" ?-> ?", " - ", f"{kind[0]} {rest}")
    if phase.phase == ADJUSTMENTS and at == rest:
        text = f"build {text}"  # a power that sets up its units
    _give(phase, power, text)
    if phase.failed is not None:
        if any(word.startswith(FAILURES) for word in words):
            phase.failed.add(at)
    for word in words:
        if word.startswith(("warn", "maybe", "reorder")):
            record.left(clean(f"{phase.name}: {at}", 60), f"the remark {word!r}")


def _strange(record: RecordedGame, phase: RecordedPhase, line: str) -> None:
    """Tell of a power's line that says neither an order nor a unit, as of wings and garrisons."""
    if SPOKEN.match(line) and not HEADERS.match(line):
        record.misread(phase.name, line)


def _give(phase: RecordedPhase, power: str, order: str) -> None:
    phase.orders.setdefault(clean(power, 60), []).append(clean(order, 200))


# --- out


def write_game(game: Game) -> tuple[str, list[str]]:
    """A game as the listing of results that a Judge sends, and what that cannot say."""
    lines = [f":: Judge: Legation  Game: {clean(game.name or 'game', 30)}  Variant: {game.rules.name}", ""]
    without: list[Order] = []
    for turn in game.turns:
        before = turn.resolution.before
        now = before.turn
        lines += [f"{HEADS[phase_word(now)]} results for {now.season or 'Spring'} of {now.year}.", ""]
        for power, order, verdict in orders_of(turn):
            words = _written(game.rules, before, power, order)
            lines.append(f"{power}: {words}{_results(order, verdict)}")
            if not any(known.match(lines[-1]) for known in (ORDER, ADJUST, WAIVED)):
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


HEADS = {MOVEMENT: "Movement", RETREATS: "Retreat", ADJUSTMENTS: "Adjustment"}


def _written(rules: Ruleset, before: Position, power: str, order: Order) -> str:
    """An order in the Judge's words; with the places' codes where their names mean other places, too."""
    writer = rules.writer
    if isinstance(order, Build):
        kind = writer.kind(order.kind)
        return f"Builds {'an' if kind[0] in 'aeiou' else 'a'} {kind} in {writer.place(order.at)}."
    if isinstance(order, Remove):
        kind = writer.kind(order.kind) if order.kind else "army"
        return f"Removes the {kind} in {writer.place(order.at)}."
    if isinstance(order, Waive):
        return "Build waived."
    text = writer.judge(order)
    read, _ = rules.reader.orders(text.rstrip("."), before.turn.phase, power, before)
    if read != [order] and isinstance(order, UnitOrder) and order.kind:
        text = (
            f"{writer.kind(order.kind).title()} {write(order).removeprefix(f'{order.kind} ').replace(' - ', ' -> ')}."
        )
    return text.replace(" retreats to ", " -> ")


def _results(order: Order, verdict: Verdict | None) -> str:
    if verdict is None or isinstance(order, Build | Remove | Waive):
        return ""
    words = [FAILED[verdict.outcome]] if verdict.outcome in FAILED else []
    words += ["dislodged"] if verdict.dislodged_from is not None else []
    return f"  (*{', '.join(words)}*)" if words else ""
