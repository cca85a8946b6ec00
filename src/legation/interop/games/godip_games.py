"""godip's recorded games: ``game_n.txt`` with PHASE, POSITIONS and ORDERS."""

from __future__ import annotations

import re

from legation.game import Game
from legation.interop.errors import ForeignFileError
from legation.interop.games.missing import shortcomings
from legation.interop.games.record import RecordedGame, RecordedPhase, RecordedUnit
from legation.interop.record import clean
from legation.interop.sources import Source
from legation.orders import Build, Convoy, Disband, Hold, Move, Order, Remove, Retreat, SupportHold, SupportMove
from legation.position import Position

NAME = "godip-game"
TITLE = "godip recorded games (PHASE, POSITIONS, ORDERS)"
PHASE = re.compile(r"PHASE\s+(\d{1,5})\s+(\w+)\s+(Movement|Retreat|Adjustment)s?\s*$")
PHASES = {"Movement": "Movement", "Retreat": "Retreats", "Adjustment": "Adjustments"}
POSITION = re.compile(r"([\w' .-]{1,40}):\s*(fleet|army|supply)(/dislodged)?\s+([\w/]{1,12})\s*$", re.IGNORECASE)
ORDER = re.compile(r"([\w' .-]{1,40}):\s*(.{1,160})$")
MOST_LINES = 60_000


def recognize(source: Source) -> list[str]:
    """Texts with PHASE and POSITIONS."""
    return [
        n
        for n in source.ending(".txt")
        if re.search(rb"(?m)^PHASE \d+", source.bytes(n)) and b"POSITIONS" in source.bytes(n)
    ]


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of a file.

    :raises ForeignFileError: if no phase is in it.
    """
    lines = source.text(entry).splitlines()
    if len(lines) > MOST_LINES:
        raise ForeignFileError(f"{entry}: has more than {MOST_LINES} lines")
    folder = entry.rpartition("/")[0]
    record = RecordedGame(title=entry, format=TITLE, board=folder.rpartition("/")[2].lower(), phases=[])
    part = ""
    phase: RecordedPhase | None = None
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if match := PHASE.match(line):
            season = "" if match[2] == "Year" else match[2]
            phase = RecordedPhase(
                season=season, year=int(match[1]), phase=PHASES[match[3]], orders={}, units=[], dislodged=[], owners={}
            )
            record.phases.append(phase)
            part = ""
        elif line in ("POSITIONS", "ORDERS"):
            part = line
        elif not line or phase is None:
            continue
        elif part == "POSITIONS" and (match := POSITION.match(line)):
            _position(phase, match)
        elif part == "ORDERS" and (match := ORDER.match(line)):
            phase.orders.setdefault(clean(match[1], 40), []).append(_order(match[2], phase.phase))
        else:
            record.left(f"line {number}", clean(line, 80))
    if not record.phases:
        raise ForeignFileError(f"{entry}: holds no PHASE")
    return [record]


def _position(phase: RecordedPhase, match: re.Match[str]) -> None:
    power, kind, dislodged, at = match.groups()
    assert phase.units is not None
    assert phase.dislodged is not None
    assert phase.owners is not None
    if kind.lower() == "supply":
        phase.owners[at] = clean(power, 40)
    else:
        (phase.dislodged if dislodged else phase.units).append(RecordedUnit(clean(power, 40), kind[0].upper(), at))


def _order(written: str, phase: str) -> str:
    """An order in godip's words as ours."""
    order = clean(written, 160)
    order = re.sub(r"\b(move via convoy|via convoy)\b", "via convoy", order, flags=re.IGNORECASE)
    order = re.sub(r"(?i)\bmove\s+(\S+)\s+via convoy", r"- \1 via convoy", order)
    order = re.sub(r"(?i)\bmove\b", "-", order)
    if phase == "Adjustments":
        order = re.sub(r"(?i)^(\S+)\s+disband$", r"remove \1", order)
        order = re.sub(
            r"(?i)^(?:build\s+)?(army|fleet)\s+(\S+)(?:\s+build)?$", lambda m: f"build {m[1][0].upper()} {m[2]}", order
        )
    return order


# --- out


def write_game(game: Game) -> tuple[str, list[str]]:
    """A game as godip records it, and what that cannot say."""
    lines: list[str] = []
    for turn in game.turns:
        lines += _head(turn.resolution.before)
        for sheet in turn.sheets:
            lines += [
                f"{sheet.power}: {text}" for order in sheet.orders if (text := _said(order, turn.resolution.before))
            ]
    lines += _head(game.position)
    return "\n".join(lines) + "\n", shortcomings(game)


def _head(position: Position) -> list[str]:
    turn = position.turn
    phase = (
        next(name for name, ours in PHASES.items() if ours == turn.phase.value)
        if turn.phase.value in PHASES.values()
        else "Movement"
    )
    words = {"A": "army", "F": "fleet"}
    lines = ["", f"PHASE {turn.year} {turn.season or 'Year'} {phase}", "POSITIONS"]
    lines += [f"{u.power}: {words.get(u.kind, 'army')} {u.at}" for u in position.units]
    lines += [f"{d.unit.power}: {words.get(d.unit.kind, 'army')}/dislodged {d.unit.at}" for d in position.dislodged]
    lines += [f"{power}: supply {center}" for center, power in sorted(position.owners.items())]
    return [*lines, "ORDERS"]


def _said(order: Order, position: Position) -> str:
    words = {"A": "army", "F": "fleet", "": ""}
    kind = words.get(getattr(order, "kind", ""), "")
    unit = f"{kind} {getattr(order, 'at', '')}".strip()
    if isinstance(order, Move):
        return f"{unit} move {order.to}" + (" via convoy" if order.via_convoy else "")
    if isinstance(order, Retreat):
        return f"{unit} move {order.to}"
    if isinstance(order, SupportMove):
        return f"{unit} support {order.target} move {order.to}"
    if isinstance(order, SupportHold):
        return f"{unit} support {order.target} hold"
    if isinstance(order, Convoy):
        return f"{unit} convoy {order.target} move {order.to}"
    if isinstance(order, Hold):
        return f"{unit} hold"
    if isinstance(order, Disband):
        return f"{unit} disband"
    if isinstance(order, Build):
        return f"{kind} {order.at}"
    if isinstance(order, Remove):
        return f"{order.at} disband"
    return ""
