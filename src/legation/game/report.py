"""Reports for people: what a turn led to, in plain text."""

from __future__ import annotations

from collections.abc import Iterable

from legation.board import province_of
from legation.game.reading_sheets import Unread
from legation.judge import Outcome, Resolution, Ruleset, explain_cause
from legation.notation import write
from legation.position import Phase, Position

MARKS = {
    Outcome.SUCCEEDS: "",
    Outcome.BOUNCED: "bounced",
    Outcome.CUT: "cut",
    Outcome.DISRUPTED: "disrupted",
    Outcome.NO_CONVOY: "no convoy",
    Outcome.VOID: "void",
    Outcome.ILLEGAL: "illegal",
    Outcome.DISBANDED: "disbanded",
    Outcome.IGNORED: "ignored",
}


PLAIN = frozenset(["unopposed", "stronger", "vacated", "circle"])
"""Why a move succeeds that nobody asks about; every other reason is told."""


def turn_report(rules: Ruleset, resolution: Resolution, unread: Iterable[Unread] = (), power: str = "") -> str:
    """The report of one turn: orders by power with what became of them, dislodged units, centers, what comes next.

    Where it is for one ``power``, who sees only a part, what others have to adjust is left out.
    """
    reader = power
    lines = [f"{rules.title}: {resolution.before.turn}", ""]
    missed = list(unread)
    for power in rules.powers:
        verdicts = [v for v in resolution.verdicts if v.power == power]
        lost = [u for u in missed if u.power == power]
        if not verdicts and not lost:
            continue
        lines.append(power)
        width = max((len(write(v.order)) for v in verdicts), default=0)
        for verdict in verdicts:
            text = write(verdict.order)
            mark = MARKS[verdict.outcome]
            if verdict.dislodged_from:
                mark = f"{mark}, dislodged by an attack from {verdict.dislodged_from}".lstrip(", ")
            elif verdict.cause is not None and verdict.cause.kind == "no order":
                mark = "no order"
            line = f"  {text:<{width}}  {mark}".rstrip()
            because = explain_cause(verdict.cause)
            told = verdict.outcome is not Outcome.SUCCEEDS or (verdict.cause and verdict.cause.kind not in PLAIN)
            if because and told and mark != "no order":
                line += f"  ({because})" if not mark else f" ({because})"
            lines.append(line)
        lines += [f"  {u.text[:100]}  not understood ({u.reason})" for u in lost]
        lines.append("")
    for entry in resolution.dislodged:
        open_to = resolution.retreats.get(province_of(entry.unit.at))
        where = f" and may retreat to {', '.join(open_to)}" if open_to else " and cannot retreat and is disbanded"
        lines.append(f"{entry.unit.power}'s {entry.unit} was dislodged{where if open_to is not None else ''}.")
    if resolution.dislodged:
        lines.append("")
    lines.append(standing(rules, resolution.after, reader))
    if resolution.ending is not None:
        lines += [
            "",
            f"The game has ended: {resolution.ending.kind} for {', '.join(resolution.ending.powers)} ({resolution.ending.reason}).",
        ]
    else:
        lines += ["", f"Next: {resolution.after.turn}."]
    return "\n".join(lines)


def count(number: int, thing: str) -> str:
    """``1 center``, ``2 centers``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def standing(rules: Ruleset, position: Position, reader: str = "") -> str:
    """Units and centers of each power, a line each; in adjustments what each, or only the reader, may build or must remove."""
    rows = []
    for power in rules.powers:
        units = position.units_of(power)
        centers = position.centers_of(power)
        if not units and not centers:
            continue
        size = rules.size(position, power)
        row = f"{power}: {count(len(centers), 'center')}, {count(len(units), 'unit')}"
        if size != len(units):
            row += f" that count as {size}"
        if position.turn.phase is Phase.ADJUSTMENTS and reader in ("", power):
            row += f" ({business(rules, position, power)})"
        rows.append(row)
    return "\n".join(rows)


def business(rules: Ruleset, position: Position, power: str) -> str:
    """What a power has to do in adjustments: ``may build 2``, ``must remove 1``, ``nothing``."""
    room = rules.limit(position, power) - rules.size(position, power)
    if room < 0:
        return f"must remove {-room}"
    sites = rules.build_sites(position, power)
    if room > 0:
        return f"may build {min(room, len(sites))} in {', '.join(sites)}" if sites else "nowhere to build"
    return "nothing to adjust"
