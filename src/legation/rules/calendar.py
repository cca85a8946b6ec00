"""The calendar: which phases follow each other, in which seasons and years (STD-1, H3-4, W-2, N-2, K-5)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from legation.frozen import Immutable
from legation.judge import DenseForm, Option, Rule, RulesError, Ruleset
from legation.position import Phase, Position, Turn, TurnTextError

FEWEST_DOWN = 100  # no game lasts so long that it comes to the year 0
COUNT_YEARS = frozenset(["border_terms", "gained_homes", "held_centers", "most_centers", "solo_terms", "year_limit"])
"""Rules that compare years, or say from when on something holds."""
PLAIN = "plain"  # the reading of the option that means the calendar itself


class CalendarSettings(msgspec.Struct, frozen=True):
    """A calendar's settings: see :class:`Calendar`."""

    cycle: list[str]
    first: str
    years: int = 1
    opening: list[str] = []


class Calendar(Rule):
    """The turns of the game: a ``cycle`` of phases that repeats, after an ``opening`` if there is one.

    Settings: ``first`` (the turn with which the game enters the cycle, ``"Spring 1901 Movement"``), ``cycle`` (the
    phases in order, each ``"Season Phase"``, or ``"+5 Phase"`` if turns are years counted from the beginning of the
    cycle), ``years`` (how many years a cycle takes, 1), ``opening`` (turns before the cycle), ``named`` (other
    calendars by name, each with these settings; the option ``calendar`` chooses one), ``down`` (years count down, as
    before Christ)."""

    key = "calendar"
    added_settings = frozenset(["down"])

    def __init__(
        self,
        cycle: list[str],
        first: str,
        years: int = 1,
        opening: list[str] | None = None,
        named: dict[str, CalendarSettings] | None = None,
        down: bool = False,
    ) -> None:
        plans = {PLAIN: CalendarSettings(cycle, first, years, opening or []), **(named or {})}
        self.plans = {name: _Course(plan, down) for name, plan in plans.items()}
        if named:
            if PLAIN in named:
                raise RulesError(f"named: {PLAIN!r} is the calendar itself; give the other one another name")
            self.options = (Option("calendar", "calendar", tuple(plans), "How the turns are named."),)

    def _plan(self, rules: Ruleset) -> _Course:
        return self.plans[str(rules.options.get("calendar", PLAIN))]

    def first_turn(self, rules: Ruleset) -> Turn:
        plan = self._plan(rules)
        return plan.opening[0] if plan.opening else plan.first

    def next_turn(self, rules: Ruleset, turn: Turn) -> Turn:
        return self._plan(rules).after(turn)

    def faults(self, rules: Ruleset) -> Sequence[str]:
        counting = [m.key for m in rules.modules if m.key in COUNT_YEARS]
        if counting and any(plan.down for plan in self.plans.values()):
            return [f"down: {', '.join(counting)} would take earlier years for later ones; leave it out"]
        return ()

    def position_faults(self, rules: Ruleset, position: Position) -> tuple[str, ...]:
        plan = self._plan(rules)
        if plan.comes_before(position.turn):
            return (f"turn: {position.turn} comes before the game opens, with {self.first_turn(rules)}",)
        return ()

    def dense(self, rules: Ruleset) -> DenseForm | None:
        return None if self._plan(rules).down else DenseForm()

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        left_out = " Retreats and adjustments are skipped when nobody has anything to order."
        return (
            f"The game opens with {self.first_turn(rules)}.",
            self._plan(rules).in_words() + ("" if rules.steps["keeps_turn"] else left_out),
            *(["Years are counted down, from one to the one before."] if self._plan(rules).down else []),
        )


class _Course(Immutable):
    """A plan, read: the turns and how they follow each other."""

    def __init__(self, plan: CalendarSettings, down: bool) -> None:
        if plan.years < 1:
            raise RulesError(f"years: a cycle takes at least 1 year, not {plan.years}")
        if not plan.cycle:
            raise RulesError("cycle: lists the phases, as in 'Spring Movement'")
        self.years = plan.years
        self.down = down
        self._sign = -1 if down else 1
        self.steps = tuple(_step(text) for text in plan.cycle)
        try:
            self.first = Turn.parse(plan.first)
            self.opening = tuple(Turn.parse(text) for text in plan.opening)
        except TurnTextError as error:
            raise RulesError(str(error)) from None
        phase, season = self.first.phase, self.first.season
        self._first_offset = next((years for name, years, of in self.steps if of is phase and name == season), 0)
        if (opens := self.place(self.first)) is None:
            raise RulesError(f"first: {plan.first!r} is not in the cycle")
        self._opens = opens
        if down and (self.first.year < FEWEST_DOWN or self.opening):
            raise RulesError(f"down: needs a first year of {FEWEST_DOWN} or more, and no opening")
        self.complete()

    def in_words(self) -> str:
        """The cycle for players: its phases by the years in which they come."""
        by_year: dict[int, list[str]] = {}
        for season, offset, phase in self.steps:
            by_year.setdefault(offset, []).append(f"{season} {phase.value}".strip())
        if self.years == 1 and len(by_year) == 1:
            return f"Every year: {', '.join(*by_year.values())}."
        sentences = []
        for offset, phases in by_year.items():
            later = (offset - self._first_offset) % self.years
            several = ", ".join(str(self.first.year + self._sign * (later + self.years * i)) for i in range(3))
            sentences.append(f"In {several} and so on: {', '.join(phases)}.")
        return " ".join(sentences)

    def place(self, turn: Turn) -> int | None:
        """Where in the cycle a turn is; None if it is in the opening or nowhere."""
        first_year = self.first.year
        for i, (season, offset, phase) in enumerate(self.steps):
            if phase is turn.phase and season == turn.season:
                later = self._sign * (turn.year - first_year) - offset + self._first_offset
                if (season and not self.down) or later % self.years == 0:
                    return i
        return None

    def comes_before(self, turn: Turn) -> bool:
        """Whether a turn of the cycle lies before the first one."""
        if turn in self.opening:
            return False
        place = self.place(turn)
        return place is not None and (self._sign * (turn.year - self.first.year), place) < (0, self._opens)

    def after(self, turn: Turn) -> Turn:
        """Return the turn that follows.

        :raises TurnTextError: for one that is not of the plan."""
        if turn in self.opening:
            i = self.opening.index(turn)
            return self.opening[i + 1] if i + 1 < len(self.opening) else self.first
        place = self.place(turn)
        if place is None:
            known = ", ".join(sorted({" ".join(filter(None, (s, p.value))) for s, _, p in self.steps}))
            raise TurnTextError(f"{turn} is not in the calendar of this variant, which has {known}")
        base = turn.year - self._sign * self.steps[place][1]
        place += 1
        if place == len(self.steps):
            place, base = 0, base + self._sign * self.years
        season, offset, phase = self.steps[place]
        return Turn(season, base + self._sign * offset, phase)


def _step(text: str) -> tuple[str, int, Phase]:
    match = re.fullmatch(r"(?:\+(\d{1,4})|([^\W\d]+)) (\w+)", " ".join(text.split()))
    for phase in Phase.all():
        if match and match[3] == phase.value:
            return (match[2] or "").capitalize(), int(match[1] or 0), phase
    known = ", ".join(phase.value for phase in Phase.all())
    raise RulesError(f"cycle: {text!r} isn't a phase; write 'Season Phase' or '+5 Phase' with {known}")
