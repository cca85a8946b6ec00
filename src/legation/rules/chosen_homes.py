"""Homes that are chosen at the start and fixed later (N-2 to N-5)."""

from collections.abc import Sequence

from legation.board import province_of
from legation.frozen import Frozen
from legation.judge import Aftermath, Cause, DenseForm, Outcome, Rule, Ruleset, UnitKind, Verdict
from legation.judge.setting_names import PowerName
from legation.judge.slices import CENTER, POWER
from legation.notation import capital
from legation.orders import Build, Sheet
from legation.position import Phase, Position, Turn, TurnTextError, Unit


class ChosenHomes(Rule):
    """Each power chooses its first home by building its only unit there. Later all centers that it owns become its
    homes for good.

    In placement a power builds one unit in one of its regular homes (``homes`` in the variant file); that center is
    then the only one it owns, and the only one in which it can build until the homes are fixed. A power that names a
    permitted home and no kind of unit gets an army there. One that orders nothing valid gets an army in one of its
    permitted homes, drawn by lot.

    Settings: ``fixed`` (the turn in whose adjustments homes are fixed, ``"Winter 1899"``), ``forbidden`` (by power,
    homes that it may not choose)."""

    key = "chosen_homes"
    version = 2
    slice_form = Frozen({"initial?": {POWER: CENTER}, "homes?": {POWER: (CENTER,)}})
    slice_told = (
        "has the first homes by power under 'initial' and, once they are fixed, lists of homes by power under 'homes'"
    )

    def __init__(self, fixed: str, forbidden: dict[PowerName, list[str]] | None = None) -> None:
        self.fixed = fixed
        self.forbidden = forbidden or {}

    def faults(self, rules: Ruleset) -> Sequence[str]:
        faults = [
            f"forbidden: {home!r} isn't a home of {power}"
            for power, homes in self.forbidden.items()
            for home in homes
            if home not in rules.powers[power].homes
        ]
        try:
            turn = Turn.parse(f"{self.fixed} {Phase.ADJUSTMENTS.value}")
            rules.next_turn(turn)
            if turn.name != self.fixed:
                faults.append(f"fixed: write {turn.name!r}, not {self.fixed!r}")
        except TurnTextError as error:
            faults.append(f"fixed: names the turn whose adjustments fix the homes, as in 'Winter 1899' ({error})")
        faults += [
            f"{p.name} has no homes to choose from" for p in rules.powers.values() if not self._permitted(rules, p.name)
        ]
        return faults

    def position_faults(self, rules: Ruleset, position: Position) -> Sequence[str]:
        place = f"state.{self.key}"
        state = self._kept(position)
        if position.turn.phase is Phase.PLACEMENT:
            return [f"{place}: nobody has a home in placement"] if state else ()
        fixed = self._fixing(position) or self._past(rules, position.turn)
        if fixed and not self._fixing(position) and "homes" not in state:
            return [f"{place}.homes: the homes of {self.fixed} are needed, a list of centers for each power"]
        if not fixed and "homes" in state:
            return [f"{place}.homes: homes are fixed in {self.fixed}, not before"]
        if not fixed and "initial" not in state:
            return [f"{place}.initial: the initial homes are needed, one center for each power"]
        faults = []
        for power, home in state.get("initial", {}).items():
            if home not in self._permitted(rules, power):
                faults.append(f"{place}.initial: {home!r} isn't a home that {power} may choose")
        owner: dict[str, str] = {}
        for power, homes in state.get("homes", {}).items():
            for home in homes:
                if owner.setdefault(home, power) != power:
                    faults.append(f"{place}.homes: {home!r} is home to {owner[home]} and {power}")
        if not fixed:
            playing = {*(u.power for u in position.units), *position.owners.values()}
            missing = [power for power in rules.powers if power in playing and power not in state["initial"]]
            faults += [f"{place}.initial: the initial home of {power} is missing" for power in missing]
        return faults

    def _past(self, rules: Ruleset, turn: Turn) -> bool:
        last = Turn.parse(f"{self.fixed} {Phase.ADJUSTMENTS.value}")
        while turn.year <= last.year:
            if turn == last:
                return False
            turn = rules.next_turn(turn)
        return True

    def _permitted(self, rules: Ruleset, power: str) -> tuple[str, ...]:
        return tuple(h for h in rules.powers[power].homes if h not in self.forbidden.get(power, ()))

    def homes(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        state = self._kept(position)
        if "homes" in state:
            return tuple(state["homes"].get(power, ()))
        if self._fixing(position):  # a document may leave out what its centers tell
            return position.centers_of(power)
        if "initial" in state:
            return tuple(c for p, c in state["initial"].items() if p == power)
        return self._permitted(rules, power)

    def _fixing(self, position: Position) -> bool:
        return position.turn.name == self.fixed and position.turn.phase is Phase.ADJUSTMENTS

    def build_sites(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        if position.turn.phase is Phase.PLACEMENT:
            return self._permitted(rules, power)
        return tuple(h for h in self.homes(rules, position, power) if position.owners.get(h) == power)

    def supply(self, rules: Ruleset, position: Position, power: str, sheets: Sequence[Sheet]) -> int:
        """In placement, when nobody owns anything, every power has one unit to place."""
        return 1 if position.turn.phase is Phase.PLACEMENT else 0

    def kind_to_build(self, rules: Ruleset, position: Position, power: str, province: str) -> str | None:
        """The choice is of the home: without a kind it is an army (N-2d)."""
        return "A" if position.turn.phase is Phase.PLACEMENT else None

    def refuses_build(
        self, rules: Ruleset, position: Position, power: str, kind: UnitKind, province: str
    ) -> str | None:
        if position.turn.phase is Phase.PLACEMENT and kind.cost > 1:
            return f"{kind.one} costs more than one center"
        return None

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        if self._fixing(aftermath.before):
            aftermath.slices = dict(self.settle(rules, aftermath.before).slices)
        if aftermath.before.turn.phase is not Phase.PLACEMENT:
            return
        placed = {unit.power: unit for unit in aftermath.units}
        for power in rules.powers:
            if power not in placed:
                home = aftermath.draw(f"initial home of {power}", self._permitted(rules, power))[0]
                placed[power] = Unit("A", home, power)
                aftermath.units.append(placed[power])
                reason = "nothing valid was ordered, so the home was drawn by lot"
                cause = Cause("by lot", reason=reason)
                aftermath.verdicts.append(Verdict(power, Build("A", home), Outcome.SUCCEEDS, cause))
        initial = {power: province_of(placed[power].at) for power in rules.powers}
        aftermath.owners = {center: power for power, center in initial.items()}
        aftermath.slices[self.key] = {"initial": initial}

    def settle(self, rules: Ruleset, position: Position) -> Position:
        state = self._kept(position)
        if position.turn.name != self.fixed or "homes" in state:
            return position
        homes = {power: sorted(position.centers_of(power)) for power in rules.powers}  # whatever order owners stand in
        return self._with_kept(position, {**state, "homes": homes})

    def status_notes(self, rules: Ruleset, position: Position, power: str) -> Sequence[str]:
        if position.turn.phase is Phase.PLACEMENT:
            return (
                f"The center in which a power places its unit is the only one it owns, and until {self.fixed} it "
                "builds only there. A power without a valid order gets an army in one of its home centers, by lot.",
            )
        named = rules.named(power)
        if self._fixing(position):
            homes = ", ".join(rules.board.name_of(home) for home in self.homes(rules, position, power))
            return (
                (capital(f"{named} {named:has|have} these homes for the rest of the game: {homes}."),) if homes else ()
            )
        state = self._kept(position)
        home = state.get("initial", {}).get(power)
        if home is None or "homes" in state:
            return ()
        return (f"Until {self.fixed}, {named} {named:builds|build} only in {rules.board.name_of(home)}.",)

    def dense(self, rules: Ruleset) -> DenseForm:
        return DenseForm(homes_fixed=Turn.parse(f"{self.fixed} {Phase.ADJUSTMENTS.value}"))

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        text = [
            "The board is empty at the start. Each power builds one unit in one of its regular home centers (those "
            "listed with the powers), sealed and at once with all others; that center is its initial home and the only "
            "one it owns. Nobody may waive this build.",
            f"Until the adjustments of {self.fixed} a power builds only in its initial home, if it owns it and it is "
            "vacant.",
            f"All centers that a power owns when the adjustments of {self.fixed} begin are its homes from then on, and "
            "count at once; regular homes that it does not own then aren't homes to it. It builds in "
            "those of its homes that it owns and that are vacant.",
            "Decided: a power that names a permitted home and no kind of unit gets an army there; one without a valid "
            "order gets a permitted home and an army there by verifiable lot. A power "
            "that owns nothing when homes are fixed has none, and never builds again.",
        ]
        for power, homes in self.forbidden.items():
            text.append(
                capital(f"{rules.named(power)} may not choose {' or '.join(rules.board.name_of(h) for h in homes)}.")
            )
        return tuple(text)
