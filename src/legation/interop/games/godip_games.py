"""godip's recorded games: ``game_n.txt`` with PHASE, POSITIONS and ORDERS."""

import re

from legation.board import province_of
from legation.game import Game
from legation.interop.games.missing import orders_of, parts_of, shortcomings, unsaid
from legation.interop.games.record import RecordedGame, RecordedPhase, RecordedUnit, phase_word
from legation.interop.json_variants import PHASES
from legation.interop.record import KINDS, clean
from legation.interop.sources import ForeignFileError, Source, by_marks
from legation.orders import Build, Order, Remove, UnitOrder
from legation.position import Position

NAME = "godip-game"
TITLE = "godip recorded games (PHASE, POSITIONS, ORDERS)"
PHASE = re.compile(r"PHASE\s+(\d{1,5})\s+(\w+)\s+(Movement|Retreat|Adjustment)s?\s*$")
POSITION = re.compile(r"([\w' .&-]{1,40}):\s*(fleet|army|supply)(/dislodged)?\s+([\w/]{1,12})\s*$", re.IGNORECASE)
ORDER = re.compile(r"(?:([\w' .&-]{1,40}):\s*)?(.{1,160})$")
PLACE = re.compile(r"(?:build\s+(?:anywhere\s+)?)?(?:(?:army|fleet|remove)\s+)?([\w/]{1,12})", re.IGNORECASE)
"""The place of an order's unit, or of a build."""
MOST_LINES = 60_000
recognize = by_marks((".txt",), rb"(?m)^PHASE \d+", b"POSITIONS")


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of a file.

    :raises ForeignFileError: if no phase is in it."""
    lines = source.text(entry).splitlines()
    if len(lines) > MOST_LINES:
        raise ForeignFileError(f"{entry}: has more than {MOST_LINES} lines")
    record = RecordedGame(title=entry, format=TITLE, board=_board(source, entry))
    part = ""
    phase: RecordedPhase | None = None
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if match := PHASE.match(line):
            season = "" if match[2] == "Year" else match[2]
            phase = RecordedPhase(
                season=season, year=int(match[1]), phase=PHASES[match[3]], units=[], dislodged=[], owners={}
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
            power = match[1] or _power(record, match[2])
            if power:
                phase.give(power, _order(match[2], phase.phase))
            else:
                record.left(f"line {number}", f"{clean(line, 80)}: nobody has a unit or center there")
        else:
            record.left(f"line {number}", clean(line, 80))
    if not record.phases:
        raise ForeignFileError(f"{entry}: holds no PHASE")
    return [record]


def _board(source: Source, entry: str) -> str:
    """The variant whose folder a game lies in, or in whose folder ``games`` it lies."""
    if source.main:
        return ""  # of a file by itself only the name is known
    folders = f"{source.title}/{entry}".replace("\\", "/").lower().split("/")[:-1]
    named = [name for name in folders if name not in ("", ".", "games") and not name.endswith((".zip", ".txt"))]
    return named[-1] if named else ""


def _position(phase: RecordedPhase, match: re.Match[str]) -> None:
    power, kind, dislodged, at = match.groups()
    if kind.lower() == "supply":
        phase.owners = {**(phase.owners or {}), at: clean(power, 40)}
    else:
        unit = RecordedUnit(clean(power, 40), kind[0].upper(), at)
        if unit not in ((phase.dislodged if dislodged else phase.units) or ()):  # some are listed twice
            phase.stand(unit, out=bool(dislodged))


def _power(record: RecordedGame, order: str) -> str:
    """Whose order it is, where the line does not say: the unit's, or the owner's of the center that builds."""
    phase = record.phases[-1]
    match = PLACE.match(order)
    at = match[1].lower() if match else ""

    def standing(units: list[RecordedUnit] | None) -> RecordedUnit | None:
        near = [u for u in units or () if province_of(u.at.lower()) == province_of(at)]
        return next((u for u in near if u.at.lower() == at), near[0] if near else None)

    if phase.phase == "Adjustments" and order.lower().startswith("build"):
        return next(
            (power for center, power in (phase.owners or {}).items() if province_of(center.lower()) == province_of(at)),
            "",
        )
    unit = standing(phase.dislodged if phase.phase == "Retreats" else phase.units)
    if unit is None and phase.phase == "Retreats" and len(record.phases) > 1:
        unit = standing(record.phases[-2].units)  # units that disband at once are left out of some positions
        now = standing(phase.units)
        if unit is None or (now is not None and now.power == unit.power):
            return ""
        phase.stand(unit, out=True)
    return unit.power if unit else ""


def _order(written: str, phase: str) -> str:
    """An order as the variant's reader takes it, which knows godip's words, but no builds without a verb."""
    order = re.sub(r"(?i)\bmove via convoy (\S+)", r"move \1 via convoy", clean(written, 160))
    if phase == "Adjustments":
        order = re.sub(r"(?i)^(?:build )?(?:anywhere )?(army|fleet) (\S+)(?: build)?$", r"build \1 \2", order)
    return order


# --- out


def write_game(game: Game) -> tuple[str, list[str]]:
    """A game as godip records it, and what that cannot say."""
    lines: list[str] = []
    without: list[Order] = []
    for turn in game.turns:
        lines += _head(turn.resolution.before)
        for power, order, _ in orders_of(turn, waived=False):
            if text := _said(order):
                lines.append(f"{power}: {text}")
            else:
                without.append(order)
    lines += _head(game.position)
    return "\n".join(lines) + "\n", shortcomings(game) + unsaid(without)


def _head(position: Position) -> list[str]:
    turn = position.turn
    phase = next(name for name, ours in PHASES.items() if ours == phase_word(turn))
    lines = ["", f"PHASE {turn.year} {turn.season or 'Year'} {phase}", "POSITIONS"]
    lines += [f"{u.power}: {KINDS.get(u.kind, 'army')} {u.at}" for u in position.units]
    lines += [f"{d.unit.power}: {KINDS.get(d.unit.kind, 'army')}/dislodged {d.unit.at}" for d in position.dislodged]
    lines += [f"{power}: supply {center}" for center, power in sorted(position.owners.items())]
    return [*lines, "ORDERS"]


def _said(order: Order) -> str:
    verb, target, to = parts_of(order)
    if not isinstance(order, UnitOrder) or not verb:
        return ""
    kind = KINDS.get(order.kind, "") if not isinstance(order, Remove) else ""
    if isinstance(order, Build):
        return f"{kind} {order.at}"
    ends = f"{target} {f'move {to}' if to else 'hold'}" if target else to
    said = f"move {to} via convoy" if verb == "MoveViaConvoy" else f"{verb.lower()} {ends}"
    return f"{kind} {order.at} {said}".strip()
