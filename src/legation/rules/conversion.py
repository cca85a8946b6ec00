"""Conversion of armies to fleets and back (W-11): the order, how it is read and written, and its effect."""

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from legation.board import ARMY, COAST_NAMES, FLEET, Province, province_of
from legation.board.capitals import names
from legation.judge import Aftermath, Cause, DenseForm, Option, Outcome, Resolution, Rule, RulesError, Ruleset
from legation.judge.slices import PROVINCE
from legation.notation import Drawn, Gesture, OrderKind, Phrases, Production, Slots, Subject, Text, write, write_unit
from legation.notation.forms import GRAMMAR as CORE_GRAMMAR
from legation.notation.forms.movement import picked
from legation.orders import Move, Order, SupportHold, UnitOrder
from legation.position import Phase, Position, Unit

WHERE = {
    "owned": "in a coastal center that its power already owns",
    "homes": "in a coastal home that its power owns",
    "while home": "in a coastal center that its power already owns, while the power owns one of its homes,",
    "centers": "in a coastal center, whoever owns it,",
    "anywhere": "on a coast",
}
"""Where units convert, and how it is told."""
KINDS = ("A", "F")  # what can be converted, and into what


class Convert(UnitOrder, frozen=True):
    """``A bri converts to F`` (``A caern converts to F nc`` where there are several coasts); ``to`` is the new kind,
    ``coast`` its coast (W-11)."""

    to: str
    coast: str = ""


# In writing

GRAMMAR = """
into = (TO | INTO | "-" | "the" | ARTICLE)* A!!? new=KIND
on = ("," | IN | "the" | "/")* coast=COAST | "(" coast=COAST ")" | ("/" | ",") coast=COASTLETTER | IN? where=PLACE
stage = ("," | "(" | "for" | "the" | ORDINAL | STAGE | NUM | IN | "running" | "consecutive"
    | "successive")* STAGE ("," | IN | "the" | NUM | STAGE | ")" | "running")*
turns = CONVERTS | BECOMES | CONVERSION
made = into on? stage? | "(" KIND (TO | INTO | "-") new=KIND ")" stage?
convert = "-"? CONVERTS made | "-"? CONVERTS stage? | "(" turns into on? ")" | "-" A? new=KIND END
become = "-"? (BECOMES | CONVERSION) made
support_converting = helps target=UNIT turns (into on?)?
convert_alone = CONVERSION stage?
convert_first = CONVERTS ":"? unit=UNIT (turns? into on?)? stage?
become_first = (BECOMES | CONVERSION) ":"? unit=UNIT turns? into on? stage? | CONVERSION ":"? unit=UNIT stage? END
"""
MOVEMENT = (Phase.MOVEMENT,)
WORDS = (
    (
        "CONVERTS",
        "convert, converts, converting, converted, begins conversion, begin conversion, starts conversion, start "
        "conversion, begins its conversion, begins converting, begins to convert, starts converting, starts its "
        "conversion, starts to convert, keeps converting, continues converting, continues its conversion, continues "
        "to convert, completes its conversion, finishes its conversion, finishes converting",
    ),
    ("CONVERSION", "conversion"),
    ("BECOMES", "becomes, become, becoming, turns, turned, changes, changed, change, turn, turns into"),
    ("INTO", "into, to, in, unto"),
    ("STAGE", "turn, turns, season, seasons, time, stage, step, move, half"),
)


def _becomes(text: Text, unit: Subject, slots: Slots) -> Order | None:
    kind = unit.kind
    stands = text.standing.get(province_of(unit.at))
    if not kind and "new" not in slots and stands is not None and stands.power == text.power:
        kind = stands.kind
    others = [code for code in text.reader.travel if code != kind]
    if "new" not in slots and (not kind or len(others) != 1):
        return None
    where = [place for place in slots.get("where", ()) if province_of(unit.at) not in place.meaning.keys]
    coasts = [*slots.get("coast", ()), *(place.coast for place in slots.get("where", ()) if place.coast)]
    return None if where else Convert(kind, unit.at, slots.get("new", others)[0], *coasts[:1])


def _support(text: Text, unit: Subject, slots: Slots) -> Order:
    """``A wilts S F bristl converting to A``: who converts stays in its place."""
    target = slots["target"][0]
    tests = text.stands(target.kind), text.present(target.kind, target.power), text.reaches(unit.kind, unit.at)
    return SupportHold(unit.kind, unit.at, target.kind, picked(text, target.place, *tests), target.power)


def _first(text: Text, slots: Slots) -> Order | None:
    unit = text.own_unit(slots["unit"][0])
    return None if unit is None else _becomes(text, unit, slots)


def _say(o: Convert, w: Phrases) -> str:
    return f"{w.unit(o.kind, o.at)} converts to {_one(w.kind(o.to))}{_on_coast(o)}"


def _one(kind: str) -> str:
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"


def _on_coast(o: Convert) -> str:
    return f" ({COAST_NAMES.get(o.coast, o.coast)})" if o.coast else ""


def _tag(verdict: Any, order: Convert) -> str:
    """How far the conversion has come, where the verdict tells."""
    cause: Cause | None = getattr(verdict, "cause", None)
    return cause.reason if cause is not None and cause.kind == "fact" else ""


CONVERT = OrderKind(
    Convert,
    "conversion",
    lambda o: f"{write_unit(o.kind, o.at)} converts to {o.to}" + (f" {o.coast}" if o.coast else ""),
    _say,
    grammar=CORE_GRAMMAR + GRAMMAR,
    words=WORDS,
    productions=(
        Production("convert", "says", _becomes, shared=True, stays=True),
        Production("become", "says", _becomes, MOVEMENT, shared=True, stays=True),
        Production("convert_alone", "says", _becomes, stays=True),
        Production("support_converting", "says", _support, (Phase.MOVEMENT,)),
        Production("convert_first", "opens", _first),
        Production("become_first", "opens", _first, MOVEMENT),
    ),
    phases=(Phase.MOVEMENT,),
    title="Convert",
    meaning="An army becomes a fleet, or a fleet an army.",
    ways=("A bri converts to F", "Army Bristol converts to a fleet"),
    examples=lambda rules, land: [Convert("A", p, "F") for p in land if rules.board.stands(FLEET, p)][:1],
    drawn=Drawn(strokes="turning arrows", tag=_tag, legend="converts", reach=1.75),
    gesture=Gesture(
        name="convert",
        whom=lambda o: o.to,
        to=lambda o: o.coast,
        label=lambda o, w: f"Convert to {w.kind(o.to)}{_on_coast(o)}",
        stroke="turning arrows",
    ),
    becomes=lambda o: (o.to, f"{province_of(o.at)}/{o.coast}" if o.coast else province_of(o.at)),
)


# The rule


class Conversion(Rule):
    """A unit in a coastal center that its power owns changes between army and fleet by the same order in consecutive
    movement turns.

    Settings: ``turns`` (how many, 2), ``where`` (in centers that its power owns, ``"owned"``; in homes that it owns,
    ``"homes"``; in centers that it owns while it owns a home, ``"while home"``; in any center, ``"centers"``; on any
    coast, ``"anywhere"``), ``winter`` (in adjustments, at once, instead of in movement turns).

    The slice ``conversion`` maps a province to ``{"to": "F bri", "turns": 1}``: the unit to come, and the number of
    undisturbed turns so far."""

    key = "conversion"
    slice_told = "maps provinces to conversions under way, each written {'to': 'F bri', 'turns': 1}"
    added_settings = frozenset(["where", "winter"])
    orders: ClassVar[tuple[OrderKind, ...]] = (CONVERT,)
    options = (
        Option(
            "convert_across_winter",
            "conversion",
            (True, False),
            "Whether the last movement turn before adjustments and the first one after them are consecutive for a "
            "conversion.",
        ),
    )

    def __init__(self, turns: int = 2, where: str = "owned", winter: bool = False) -> None:
        if turns < 1:
            raise RulesError(f"conversion: turns must be at least 1, not {turns}")
        if where not in WHERE:
            raise RulesError(f"where: is one of {', '.join(map(repr, WHERE))}, not {where!r}")
        self.turns = turns
        self.where = where
        self.phase = Phase.ADJUSTMENTS if winter else Phase.MOVEMENT
        self.slice_form = {PROVINCE: {"to": str, "turns": range(1, turns)}}

    def order_kinds(self, rules: Ruleset, phase: Phase) -> tuple[type[Order], ...]:
        return (Convert,) if phase is self.phase else ()

    def check(self, rules: Ruleset, position: Position, power: str, order: Order) -> str | None:
        assert isinstance(order, Convert)
        province = rules.board.provinces[province_of(order.at)]
        if order.kind not in KINDS or order.to not in KINDS:
            return "only an army can become a fleet, and a fleet an army"
        if order.to == order.kind:
            return f"it is {rules.kinds[order.to].one} already"
        if reason := self._refused(rules, position, power, province):
            return reason
        if rules.kinds[order.to].travel == ARMY or not province.coasts:
            if order.coast and rules.options["irrelevant_coast"] == "fails":
                return "this province has no separate coasts; leave the coast out"
        elif f"{province.id}/{self._coast(position, order)}" not in province.locations:
            return f"name the coast: {' or '.join(province.locations)}"
        return None

    def _refused(self, rules: Ruleset, position: Position, power: str, province: Province) -> str | None:
        """Why no unit of a power converts in a province."""
        if not province.shore or (self.where != "anywhere" and not province.center):
            return f"{province.name} isn't a {'coast' if self.where == 'anywhere' else 'coastal center'}"
        if self.where in ("anywhere", "centers"):
            return None
        named = rules.named(power)
        if position.owners.get(province.id) != power:
            return f"{named} {named:does|do} not own {province.name} yet"
        homes = rules.homes(position, power) if self.where != "owned" else ()
        if self.where == "homes" and province.id not in homes:
            return f"{province.name} isn't a home of {named}"
        if self.where == "while home" and not any(position.owners.get(home) == power for home in homes):
            return f"{named} {named:owns|own} none of {named:its|their} homes"
        return None

    def _coast(self, position: Position, order: Convert) -> str:
        """The coast that an order means: the one that it names, or the one of the conversion under way."""
        under_way = self._kept(position).get(province_of(order.at), {}).get("to", "")
        kind, _, at = under_way.partition(" ")
        return order.coast or (at.partition("/")[2] if kind == order.to else "")

    def _result(self, rules: Ruleset, position: Position, order: Convert, power: str) -> Unit:
        """The unit that a legal conversion leads to."""
        province = rules.board.provinces[province_of(order.at)]
        if rules.kinds[order.to].travel == ARMY or not province.coasts:
            return Unit(order.to, province.id, power)
        return Unit(order.to, f"{province.id}/{self._coast(position, order)}", power)

    def position_faults(self, rules: Ruleset, position: Position) -> Sequence[str]:
        standing = {u.province: u for u in (*position.units, *(d.unit for d in position.dislodged))}
        faults = []
        for place, under_way in self._kept(position).items():
            unit = standing.get(place)
            if unit is None:
                faults.append(f"state.{self.key}.{place}: no unit stands there")
                continue
            legal = self._legal(rules, position, unit)
            results = [str(self._result(rules, position, order, unit.power)) for order in legal]
            if under_way["to"] not in results:
                listed = " or ".join(results) or "nothing"
                faults.append(f"state.{self.key}.{place}: {unit} can become {listed}, not {under_way['to']!r}")
        return faults

    def legal_orders(self, rules: Ruleset, position: Position, power: str) -> Sequence[Order]:
        if position.turn.phase is not self.phase:
            return ()
        return [order for unit in position.units_of(power) for order in self._legal(rules, position, unit)]

    def _legal(self, rules: Ruleset, position: Position, unit: Unit) -> list[Convert]:
        """The conversions of a unit, each with its coast where there are several."""
        coasts = rules.board.provinces[unit.province].coasts or ("",)
        orders = [
            Convert(unit.kind, unit.at, code, coast)
            for code in KINDS
            for coast in (("",) if rules.kinds[code].travel == ARMY else coasts)
        ]
        return [order for order in orders if self.check(rules, position, unit.power, order) is None]

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        phase = aftermath.before.turn.phase
        if self.phase is Phase.ADJUSTMENTS:
            if phase is self.phase:
                self._convert_at_once(rules, aftermath)
            return
        if phase is Phase.MOVEMENT:
            progress = self._advance(rules, aftermath)
        elif phase is Phase.ADJUSTMENTS:  # a removed unit leaves nothing behind
            standing = {u.province for u in aftermath.units}
            progress = {place: kept for place, kept in self._kept(aftermath.before).items() if place in standing}
        else:
            return
        self._keep(aftermath, progress)

    def _convert_at_once(self, rules: Ruleset, aftermath: Aftermath) -> None:
        """Carry out the conversions of adjustments: one for each unit that is still there."""
        done: set[str] = set()
        for verdict in aftermath.verdicts:
            order = verdict.order
            if not isinstance(order, Convert) or verdict.outcome is not Outcome.SUCCEEDS or order.at in done:
                continue
            done.add(order.at)
            for number, unit in enumerate(aftermath.units):
                if unit.at == order.at and unit.power == verdict.power:
                    aftermath.units[number] = self._result(rules, aftermath.before, order, verdict.power)

    def _advance(self, rules: Ruleset, aftermath: Aftermath) -> dict[str, Any]:
        """Carry out, disrupt or count on every conversion of a movement turn; what is still under way afterwards."""
        earlier = self._kept(aftermath.before)
        progress: dict[str, Any] = {}
        for number, verdict in enumerate(aftermath.verdicts):
            order = verdict.order
            if not isinstance(order, Convert) or verdict.outcome is not Outcome.SUCCEEDS:
                continue
            place = province_of(order.at)
            if aftermath.attacks.get(place, frozenset()) - {verdict.power}:
                cause = Cause("attacked", by=_attack(aftermath, place, verdict.power))
                outcome = Outcome.DISRUPTED
            else:
                outcome = Outcome.SUCCEEDS
                unit = self._result(rules, aftermath.before, order, verdict.power)
                before = earlier.get(place)
                done = 1
                if before is not None and before["to"] == str(unit):
                    done += int(before["turns"])
                if done >= self.turns:
                    at = next(i for i, u in enumerate(aftermath.units) if u.province == place)
                    aftermath.units[at] = unit
                    cause = Cause("fact", reason=_now(unit))
                else:
                    progress[place] = {"to": str(unit), "turns": done}
                    cause = Cause("fact", reason=_counted(done, self.turns))
            aftermath.verdicts[number] = msgspec.structs.replace(verdict, outcome=outcome, cause=cause)
        return progress

    def news(self, rules: Ruleset, resolution: Resolution) -> Sequence[str]:
        """Conversions begun, done, broken by an attack, and those that lapsed as they were not ordered again."""
        earlier, now = self._kept(resolution.before), self._kept(resolution.after)
        board, broken = rules.board, []
        begun: dict[tuple[str, int], list[str]] = {}
        done: dict[str, list[str]] = {}
        if resolution.before.turn.phase is Phase.MOVEMENT:
            for place, under_way in sorted(now.items()):
                begun.setdefault((rules.kinds[under_way["to"][:1]].name, under_way["turns"]), []).append(place)
        ordered = {province_of(v.order.at): v for v in resolution.verdicts if isinstance(v.order, Convert)}
        for place, verdict in sorted(ordered.items()):
            if verdict.outcome is Outcome.DISRUPTED:
                broken.append(
                    f"The conversion in {board.name_of(place)} was broken by an attack; the count starts again."
                )
            elif verdict.outcome is Outcome.SUCCEEDS and place not in now:
                assert isinstance(verdict.order, Convert)
                done.setdefault(rules.kinds[verdict.order.to].name, []).append(place)
        lapsed = [place for place in sorted(earlier) if place not in now and place not in ordered]
        news = [
            _becoming(names(board, places, "and"), _kind(kind, places), turns, self.turns, several=len(places) > 1)
            for (kind, turns), places in sorted(begun.items())
        ]
        news += broken
        news += [
            _became(names(board, places, "and"), _kind(kind, places), several=len(places) > 1)
            for kind, places in sorted(done.items())
        ]
        if lapsed:
            where = names(board, lapsed, "and")
            news.append(
                f"The conversions in {where} have lapsed."
                if len(lapsed) > 1
                else f"The conversion in {where} has lapsed."
            )
        return news

    def settle(self, rules: Ruleset, position: Position) -> Position:
        return position if rules.options["convert_across_winter"] is True else self._with_kept(position, None)

    def dense(self, rules: Ruleset) -> DenseForm | None:
        if self.where != "owned" or self.phase is not Phase.MOVEMENT:
            return None
        owner = next(iter(rules.powers))
        becomes: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for kind, at in rules.standing.values():
            place = province_of(at)
            unit = Unit(kind, at, owner)
            view = Position(rules.first_turn(), (unit,), owners={place: owner})
            if results := [self._result(rules, view, order, owner) for order in self._legal(rules, view, unit)]:
                becomes[kind, place] = [(unit.kind, unit.at) for unit in results]
        return DenseForm(
            conversion_turns=self.turns,
            conversions=becomes,
            across_winter=rules.options["convert_across_winter"] is True,
            records={"convert": Convert},
        )

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        opening = (
            f"A unit {WHERE[self.where]} may convert from army to fleet or from fleet to army (naming the coast where "
            "there are several)."
        )
        takes = (
            "It takes one order, after which the unit is replaced."
            if self.turns == 1
            else f"It takes the same order in {self.turns} consecutive movement turns; after the last of them the "
            "unit is replaced."
        )
        if self.phase is Phase.ADJUSTMENTS:
            return (opening, "It does so in adjustments, by an order, and at once.")
        return (
            opening,
            f"{takes} Meanwhile it holds and supports nobody, but may be supported to hold.",
            "Any attack on it by another power's unit disrupts the conversion, whether or not it is dislodged"
            f"{', and the count starts again' if self.turns > 1 else ''}.",
            *(self._in_several_turns(rules) if self.turns > 1 else ()),
            "Decided: an attack by a unit of its own power disrupts nothing, nor does an army whose convoy fails. It "
            "does not matter who gave the order.",
        )

    def _in_several_turns(self, rules: Ruleset) -> tuple[str, ...]:
        """What is decided on a conversion that takes more than one turn."""
        return (
            "Decided: the last movement turn before winter and the first after it are consecutive, as winter has no "
            "movement turn."
            if rules.options["convert_across_winter"] is True
            else "Decided: a conversion does not go on across winter.",
            "Decided: ordering another coast is another order; in the second turn the coast need not be named again.",
        )


def _becoming(places: str, kind: str, turn: int, turns: int, *, several: bool) -> str:
    if several:
        return f"The units in {places} are becoming {kind}: turn {turn} of {turns}."
    return f"The unit in {places} is becoming {kind}: turn {turn} of {turns}."


def _became(places: str, kind: str, *, several: bool) -> str:
    return f"The units in {places} are now {kind}." if several else f"The unit in {places} is now {kind}."


def _now(unit: Unit) -> str:
    return f"it is now {unit}"


def _counted(turn: int, turns: int) -> str:
    return f"turn {turn} of {turns}"


def _kind(kind: str, places: Sequence[str]) -> str:
    """``a fleet``, ``armies``: there are no other kinds to become."""
    if len(places) > 1:
        return {"army": "armies", "fleet": "fleets"}[kind]
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"


def _attack(aftermath: Aftermath, place: str, power: str) -> Order | None:
    """An order of another power's unit to move to a province; of several the first by the alphabet."""
    attacks = (
        verdict.order
        for verdict in aftermath.verdicts
        if isinstance(verdict.order, Move)
        and verdict.power != power
        and province_of(verdict.order.to) == place
        and verdict.outcome in (Outcome.SUCCEEDS, Outcome.BOUNCED)
    )
    return min(attacks, key=write, default=None)
