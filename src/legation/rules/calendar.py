"""The calendar as data: which phases follow each other, in which seasons and years (STD-1, H3-4, W-2, N-2, K-5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from legation.judge import Module, Option, RulesError
from legation.position import Phase, Turn, TurnTextError

if TYPE_CHECKING:
    from legation.judge import Ruleset


class Calendar(Module):
    """Turns go round a ``cycle``; an ``opening`` may come before it.

    Settings: ``first`` (the opening turn, ``"Spring 1901 Movement"``); ``cycle`` (phases in order, each ``"Season Phase"``, or ``"+5 Phase"`` where turns are years counted from the
    beginning of the cycle); ``years`` (how many years a cycle takes, 1); ``opening`` (turns before the cycle, whole); ``start`` (where in the cycle the game enters it, a turn; by default
    its beginning). ``named`` gives other cycles by name, chosen with the option ``calendar``.
    """

    key = "calendar"

    def __init__(
        self,
        cycle: list[str],
        first: str,
        years: int = 1,
        opening: list[str] | None = None,
        named: dict[str, dict[str, Any]] | None = None,
    ) -> None:
        self.plans = {"": _Plan(cycle, first, years, opening or [])}
        for name, plan in (named or {}).items():
            self.plans[name] = _Plan(
                plan["cycle"], plan["first"], int(plan.get("years", 1)), list(plan.get("opening", []))
            )
        if named:
            self.options = (  # type: ignore[misc]
                Option("calendar", "calendar", ("", *named), "How the turns are named."),
            )

    def plan(self, rules: Ruleset) -> _Plan:
        """The calendar that this game uses."""
        return self.plans[str(rules.options.get("calendar", ""))]

    def first_turn(self, rules: Ruleset) -> Turn:
        plan = self.plan(rules)
        return plan.opening[0] if plan.opening else plan.first

    def next_turn(self, rules: Ruleset, turn: Turn) -> Turn:
        return self.plan(rules).after(turn)

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        plan = self.plan(rules)
        text = [f"The game opens with {self.first_turn(rules)}."]
        span = "year" if plan.years == 1 else f"{plan.years} years"
        steps = ", ".join(
            " ".join(filter(None, (season or (f"+{offset}" if plan.years > 1 else ""), phase.value)))
            for season, offset, phase in plan.steps
        )
        text.append(f"Every {span}: {steps}. Retreats and adjustments are left out when nobody has anything to order.")
        return tuple(text)


class _Plan:
    def __init__(self, cycle: list[str], first: str, years: int, opening: list[str]) -> None:
        self.years = years
        self.steps: list[tuple[str, int, Phase]] = [_step(text) for text in cycle]
        try:
            self.first = Turn.parse(first)
            self.opening = [Turn.parse(text) for text in opening]
        except TurnTextError as error:
            raise RulesError(f"calendar: {error}") from None
        if self.place(self.first) is None:
            raise RulesError(f"calendar: the first turn {first!r} is not in the cycle")

    def place(self, turn: Turn) -> int | None:
        """Where in the cycle a turn is; None if it is in the opening or nowhere."""
        first_year = self.first.year
        for i, (season, offset, phase) in enumerate(self.steps):
            if phase is turn.phase and season == turn.season:
                if season or (turn.year - first_year - offset + self._first_offset) % self.years == 0:
                    return i
        return None

    @property
    def _first_offset(self) -> int:
        for season, offset, phase in self.steps:
            if phase is self.first.phase and season == self.first.season:
                return offset
        return 0

    def after(self, turn: Turn) -> Turn:
        if turn in self.opening:
            i = self.opening.index(turn)
            return self.opening[i + 1] if i + 1 < len(self.opening) else self.first
        place = self.place(turn)
        if place is None:
            known = ", ".join(sorted({" ".join(filter(None, (s, p.value))) for s, _, p in self.steps}))
            raise TurnTextError(f"{turn} is not in the calendar of this variant, which has {known}")
        base = turn.year - self.steps[place][1]
        place += 1
        if place == len(self.steps):
            place, base = 0, base + self.years
        season, offset, phase = self.steps[place]
        return Turn(season, base + offset, phase)


def _step(text: str) -> tuple[str, int, Phase]:
    season, offset = "", 0
    words = text.split()
    if len(words) == 2 and words[0].startswith("+"):
        offset = int(words[0])
    elif len(words) == 2:
        season = words[0]
    for phase in Phase:
        if words and words[-1] == phase.value:
            return season, offset, phase
    raise RulesError(f"calendar: {text!r} is no phase; write 'Season Phase' with {', '.join(p.value for p in Phase)}")
