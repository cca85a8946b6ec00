"""Anarchy: the fate of a power that has lost all its home centers (K-13)."""

from collections.abc import Sequence

from legation.board import province_of
from legation.frozen import Frozen
from legation.judge import Aftermath, DenseForm, Power, Resolution, Rule, Ruleset
from legation.judge.slices import POWER
from legation.notation import capital
from legation.position import Phase, Position

LISTS = ("grace", "retaken", "anarchy")


class Anarchy(Rule):
    """A power that owns none of its home centers when centers have changed hands has one movement season to retake one;
    otherwise it's in anarchy: its units hold, and it builds nothing.

    The slice ``anarchy`` lists the powers in ``grace``, those that have ``retaken`` a home (a unit of theirs stood in
    one at the end of that season, and they must own one at the next adjustments) and those in ``anarchy``. A power that
    owns a home at an adjustment is removed from all three lists."""

    key = "anarchy"
    slice_form = Frozen({f"{name}?": (POWER,) for name in LISTS})
    slice_told = "has lists of powers under 'grace', 'retaken' and 'anarchy'"
    dense_form = DenseForm(anarchy=True)

    def _state(self, position: Position) -> dict[str, list[str]]:
        state = self._kept(position)
        return {name: list(state.get(name, ())) for name in LISTS}

    def position_faults(self, rules: Ruleset, position: Position) -> Sequence[str]:
        listed = [power for powers in self._state(position).values() for power in powers]
        faults = [
            f"state.{self.key}: {power} is listed twice" for power in dict.fromkeys(listed) if listed.count(power) > 1
        ]
        for power in dict.fromkeys(listed):
            owned = [home for home in rules.homes(position, power) if position.owners.get(home) == power]
            if owned:
                faults.append(f"state.{self.key}: {power} owns {owned[0]}, a home of its own")
        return faults

    def settle(self, rules: Ruleset, position: Position) -> Position:
        state = self._state(position)
        for power in rules.powers:
            homes = rules.homes(position, power)
            owned = position.centers_of(power)
            lost = bool(homes and owned) and not any(position.owners.get(h) == power for h in homes)
            back = power in state["retaken"]
            if back or not lost:
                for listed in state.values():
                    if power in listed:
                        listed.remove(power)
            if lost and not any(power in listed for listed in state.values()):
                state["anarchy" if back else "grace"].append(power)  # who was back has stepped out again
        return self._with_kept(position, _kept(state))

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        """At the end of a movement season the grace ends."""
        phase = aftermath.before.turn.phase
        retreating = any(aftermath.retreats.values())
        if phase is not Phase.RETREATS and (phase is not Phase.MOVEMENT or retreating):
            return
        state = self._state(aftermath.before)
        if not state["grace"]:
            return
        for power in state["grace"]:
            homes = rules.homes(aftermath.before, power)
            back = any(u.power == power and province_of(u.at) in homes for u in aftermath.units)
            state["retaken" if back else "anarchy"].append(power)
        state["grace"] = []
        aftermath.slices[self.key] = _kept(state)

    def status_notes(self, rules: Ruleset, position: Position, power: str) -> Sequence[str]:
        named = rules.named(power)
        told = {
            "grace": f"{named} {named:owns none of its|own none of their} homes: {named:it has|they have} the coming "
            f"movement season to stand in one, or {named:falls|fall} into anarchy.",
            "retaken": f"{named} {named:stands|stand} in a home again, and must own one when centers next change "
            "hands.",
            "anarchy": f"{named} {named:is|are} in anarchy: {_idle(named)}, until a home is {named:its|their} own "
            "again.",
        }
        state = self._state(position)
        return [capital(words) for name, words in told.items() if power in state[name]]

    def news(self, rules: Ruleset, resolution: Resolution) -> Sequence[str]:
        state = self._state(resolution.after)
        earlier = self._state(resolution.before)
        told = state["retaken"]
        if resolution.after.turn.phase is not Phase.RETREATS:
            told = [*state["grace"], *told]
        news = [text for power in told for text in self.status_notes(rules, resolution.after, power)]
        for power in state["anarchy"]:
            named = rules.named(power)
            idle = _idle(named)
            falls = f"{named} {named:falls|fall} into anarchy: {idle}."
            news.append(
                capital(f"{named} {named:is|are} in anarchy: {idle}." if power in earlier["anarchy"] else falls)
            )
        return news

    def refuses_orders(self, rules: Ruleset, position: Position, power: str) -> str | None:
        if power in self._kept(position).get("anarchy", ()):
            named = rules.named(power)
            return f"{named} {named:is|are} in anarchy"
        return None

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            "A power that has lost all its home centers when centers change hands has the movement season that follows "
            "to retake one. Decided: standing in one at the end of that season, "
            "after its retreats, counts, and it must then own one when centers next change hands: stepping in and out "
            "again isn't a recapture, and gives no second grace.",
            "If it fails it is in anarchy: its units hold, may be supported, are destroyed when dislodged, and it "
            "builds nothing. Decided: removals that fall due are made for it by the rule for civil disorder.",
            "It still survives until it has lost every center. Decided: anarchy would end if one of its home centers "
            "were its own again at an adjustment; as its units hold, none of them can come to stand in one, so "
            "anarchy lasts to the end. A power in anarchy still has its voice when a draw is asked for.",
        )


def _idle(power: Power) -> str:
    return f"{power:its units hold and it builds|their units hold and they build} nothing"


def _kept(state: dict[str, list[str]]) -> dict[str, list[str]]:
    """The slice as it is kept: the lists that nobody is on are left out, except the two that every reader looks for."""
    return {name: listed for name, listed in state.items() if listed or name != "retaken"}
