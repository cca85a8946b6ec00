"""The DPjudge's calendars: FLOW, a list of seasons with their phases, and BEGIN."""

import re

from legation.interop.calendars import LETTERS, first_turn, start_in_cycle, take_cycle
from legation.interop.record import ForeignVariant


def calendar(variant: ForeignVariant, flow: list[str]) -> None:
    """The calendar of FLOW and BEGIN, as far as it is seasons with phases."""
    season, year, phase = first_turn(variant.first)
    if year.startswith("-"):
        variant.before_christ, year = int(year[1:]), "1"
    variant.first = f"{season} {int(year)} {phase}"
    if flow:
        what = f"FLOW {' '.join(flow)[:60]}"
        found = _walked(flow, variant.first)
        if found is None:
            variant.left(what, "does not return to its first turn; the usual calendar is used")
        else:
            turns, years, faults = found
            for fault in faults:
                variant.left(*fault)
            if years < 0 and not variant.before_christ:  # years before Christ, counted down
                variant.before_christ, year, years = int(year), "1", -years
            take_cycle(variant, turns, int(year), years, what)
            if not variant.first.split()[0].isalpha():
                return  # turns are years
            season, year, phase = first_turn(variant.first)
            at = next((i for i, turn in enumerate(variant.cycle) if turn.endswith("Movement")), 0)
            variant.cycle = variant.cycle[at:] + variant.cycle[:at]
    seasons = [turn.split()[0] for turn in variant.cycle]
    if season not in seasons:
        variant.guess(f"BEGIN {variant.first}", f"{season} is not in the calendar; the game begins with its first turn")
        season, phase = variant.cycle[0].split()[:2]
    variant.first = f"{season} {int(year)} {phase}"
    start_in_cycle(variant)


def _walked(flow: list[str], start: str) -> tuple[list[tuple[str, int, str]], int, list[tuple[str, str]]] | None:
    """The turns of a FLOW from the first one until it comes round (season, years since the beginning, phase), the years
    that takes (below 0 if they are counted down), and what of it is not known; None if it does not come round."""
    season, year, phase = first_turn(start)
    steps, faults = _steps(flow)
    numbered = any(what == "year" for what, *_ in steps)
    span = max([1, *(a for what, _, a, _ in steps if what == "if")])
    begin = next((i for i, (what, name, *_) in enumerate(steps) if what == phase and name == season), None)
    if begin is None:
        return None
    turns: list[tuple[str, int, str]] = []
    now, at = int(year), begin
    for _ in range(600):
        what, name, a, b = steps[at]
        if turns and at == begin and (now - int(year)) % span == 0 and now != int(year):
            return turns, now - int(year), faults
        if what == "year":
            now += a
        elif what != "if":
            turns.append((name, abs(now - int(year)), what))
        again = what == "if" and now % a != b
        at = 0 if again or at + 1 == len(steps) else at + 1
        now += 1 if at == 0 and not numbered else 0
        if now < 1:
            return None
    return None


def _steps(flow: list[str]) -> tuple[list[tuple[str, str, int, int]], list[tuple[str, str]]]:
    """The steps of a FLOW: phases with their seasons, years that count on, conditions; and what is not known."""
    steps: list[tuple[str, str, int, int]] = []
    faults: list[tuple[str, str]] = []
    for word in flow[:60]:
        head, _, rest = word.partition(":")
        if head.upper() == "NEWYEAR":
            steps.append(("year", "", int(rest) if re.fullmatch(r"-?\d{1,4}", rest) else 1, 0))
        elif head.upper() == "IFYEARDIV":
            match = re.fullmatch(r"(\d{1,4})(?:=(\d{1,4}))?", rest)
            if match and int(match[1]):
                steps.append(("if", "", int(match[1]), int(match[2] or 0)))
            else:
                faults.append((word, "a condition that cannot be read"))
        else:
            for name in (part.strip().upper() for part in rest.split(",")):
                if name in PHASE_WORDS:
                    steps.append((LETTERS[name[0]], head.title(), 0, 0))
                elif name:
                    faults.append((word, f"the phase {name.title()}"))
    return steps, faults


PHASE_WORDS = frozenset(["M", "R", "A", "B", "MOVEMENT", "RETREAT", "RETREATS", "ADJUSTMENT", "ADJUSTMENTS", "BUILDS"])
