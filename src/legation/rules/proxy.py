"""Units placed under another power's orders for a season (W-12): the order, how it is read and written, and its
effect."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

import msgspec

from legation.board import province_of
from legation.frozen import Frozen
from legation.judge import (
    Aftermath,
    Cause,
    DenseForm,
    Outcome,
    Refusal,
    Resolution,
    Rewritten,
    Rule,
    Ruleset,
    Situation,
    Verdict,
)
from legation.judge.sheets import DIFFERENT, illegal
from legation.judge.slices import POWER, PROVINCE
from legation.notation import (
    Drawn,
    Gesture,
    OnPaper,
    OrderKind,
    Production,
    Slots,
    Subject,
    Text,
    capital,
    possessive,
    refuse,
    write,
    write_unit,
)
from legation.notation.forms import GRAMMAR as CORE_GRAMMAR
from legation.notation.forms import own_group
from legation.orders import Build, Disband, Order, Remove, Retreat, Sheet, UnitOrder, province_at
from legation.position import Phase, Position


class Proxy(UnitOrder, frozen=True):
    """``A lon under Argyll``: another power orders the unit this season (W-12)."""

    power: str


# In writing

GRAMMAR = """
lent_units = unit=UNIT (AND* (("of" | "over") unit=UNIT | unit=UNIT))*
commander = "the"? power=POWER ("," TITLES "of" POWER | TITLES "of" POWER)? ORDERED? ("until" "the"? SEASON)?
authority = UNDER TO? ("the"? (ORDERED | "control") "of")? commander
obey = (PUTS "itself")? authority | (AUX | MAY | "be")* LENT "over"? TO commander | (AUX | MAY
    | "be")* COMMANDED BY commander
no_power = UNDER "the"? ORDERED POWER? END
lend_nobody = LENDS lent_units POWER? END
lend = PUTS lent_units authority | LENDS "over"? lent_units "over"? (TO | "-") commander (AND* lent_units (TO
    | "-") commander)* | LENDS commander (ORDERED ("of" | "over"))? lent_units | LENDS ORDERED ("of"
    | "over") lent_units TO commander
offer = ORDERED ("of" | "over") lent_units (AUX | LENT | TO)* TO commander (AND* ("of"
    | "over") lent_units TO commander)*
may_order = "the"? power=POWER (MAY ORDERS | DIRECTS) ("all" | "any")? ARTICLE? lent_units
    | LETS "the"? power=POWER ORDERS lent_units | "the"? power=POWER "has" ORDERED "of" lent_units
may_order_all = "the"? power=POWER (MAY ORDERS | DIRECTS) which but? | PUTS which but? authority
"""
WORDS = (
    ("UNDER", "under, obeys, obey, proxy, proxies, proxied, takes its orders from, takes orders from, "
     "take orders from, "
     "follows the orders of, obeys the orders of, receives its orders from, gets its orders from, placed under, "
     "is placed under, put under, is under"),
    ("LENT", "lent, given, offered, handed, assigned, entrusted"),
    ("COMMANDED", "ordered, commanded, directed, may be ordered, can be ordered"),
    ("MAY", "may, can, shall"),
    ("ORDERS", "order, command, direct"),
    ("DIRECTS", "commands, directs"),
    ("ORDERED", "orders, order, command, control"),
    ("LENDS", "proxy, lend, give, offer, offers, hand, hands, assign, assigns, entrust, entrusts, lends, gives"),
    ("PUTS", "put, puts, place, places, putting, placing"),
    ("LETS", "let"),
    ("TITLES", "duke, earl, marquess, marquis, lord, prince, king, count"),
)  # fmt: skip


def _obey(text: Text, unit: Subject, slots: Slots) -> Order:
    """``Army London is lent to Argyll``, ``A lon under Argyll``."""
    return Proxy(unit.kind, unit.at, slots["power"][0])


def _no_power(text: Text, *_: object) -> Order:
    """``A london under orders Argyll``, ``proxy A london Argyll``."""
    raise refuse("say power", text.text)


def _lend(text: Text, slots: Slots) -> list[Order] | None:
    """``Proxy A london to Argyll, A essex to Ormond``, ``Argyll may order Army London``: each unit goes with the power
    that is named behind it, or before all of them."""
    orders: list[Order] = []
    waiting: list[Subject] = []
    power = ""
    for name, value in slots[""]:
        if name == "unit":
            unit = text.own_unit(value)
            if unit is None:
                return None
            waiting.append(unit)
        elif name == "power":
            power = value
            orders += [Proxy(unit.kind, unit.at, power) for unit in waiting]
            waiting = []
    return [*orders, *(Proxy(unit.kind, unit.at, power) for unit in waiting)] if power else None


def _lend_all(text: Text, slots: Slots) -> list[Order] | None:
    """``Argyll may order all my units except Fleet Thames``."""
    units = own_group(text, slots)
    return None if units is None else [Proxy(unit.kind, unit.at, slots["power"][0]) for unit in units] or None


PROXY = OrderKind(
    Proxy,
    "placing a unit under another power's orders",
    lambda o: f"{write_unit(o.kind, o.at)} under {o.power}",
    lambda o, w: f"{w.unit(o.kind, o.at)} is under the orders of {o.power}",
    grammar=CORE_GRAMMAR + GRAMMAR,
    words=WORDS,
    productions=(
        Production("obey", "says", _obey, shared=True),
        Production("no_power", "says", _no_power),
        Production("lend_nobody", "opens", _no_power),
        Production("lend", "opens", _lend),
        Production("offer", "opens", _lend),
        Production("may_order", "opens", _lend),
        Production("may_order_all", "opens", _lend_all),
    ),
    phases=(Phase.MOVEMENT,),
    title="Place under another's orders",
    meaning="Another power orders the unit this season.",
    ways=("A london under Argyll",),
    examples=lambda rules, land: [Proxy("A", land[0], [*rules.powers][:2][-1])],
    drawn=Drawn(tag=lambda verdict, order: f"under {order.power}", legend="obeys another power"),
    gesture=Gesture(
        name="under",
        whom=lambda o: o.power,
        label=lambda o, w: f"Under {possessive(o.power, '’')} orders",
        group="Place under another power’s orders",
        stroke="turning arrows",
    ),
    paper=OnPaper(
        reminder="You may place a unit under another power's orders for this season.",
        rows=("",) * 4,
        lends="Place all my units under the orders of",
    ),
)


# The rule


class ProxyOrders(Rule):
    """The owner of a unit can let another power order it for one season, including its retreat.

    The other power's orders for the unit replace the grant on the owner's sheet, and are judged as the owner's. The
    slice ``proxy`` maps the provinces of dislodged units to the powers that order their retreats."""

    key = "proxy"
    slice_form = Frozen({PROVINCE: POWER})
    slice_told = "maps provinces of dislodged units to the powers that order their retreats"
    orders: ClassVar[tuple[OrderKind, ...]] = (PROXY,)
    runs_after = ("fog_of_war",)  # orders are judged by what the power that wrote them sees
    # dense games grant no proxies
    dense_form = DenseForm()

    def check(self, rules: Ruleset, position: Position, power: str, order: Order) -> str | None:
        assert isinstance(order, Proxy)
        if order.power not in rules.powers:
            return f"there is no power {order.power!r}"
        if order.power == power:
            return f"the unit is under the orders of {rules.named(power)} anyway"
        if order.power not in position.survivors():
            gone = rules.named(order.power)
            return f"{gone} {gone:is|are} out of the game"
        return None

    def on_condition(self, rules: Ruleset, position: Position, power: str, order: Order, owner: str) -> str | None:
        if isinstance(order, Proxy | Remove | Build):
            return None
        lender = rules.named(owner)
        return f"if {lender} {lender:places|place} it under {rules.named(power).whose} orders"

    def legal_orders(self, rules: Ruleset, position: Position, power: str) -> Sequence[Order]:
        if position.turn.phase is Phase.RETREATS:
            commanders = self._kept(position)
            orders: list[Order] = []
            for unit, open_to in Situation(rules, position).dislodged.values():
                if commanders.get(unit.province) == power:
                    orders.append(Disband(unit.kind, unit.at))
                    orders += [Retreat(unit.kind, unit.at, to) for to in sorted(open_to)]
            return orders
        if position.turn.phase is not Phase.MOVEMENT:
            return ()
        others = [p for p in position.survivors() if p != power and p in rules.powers]
        return [Proxy(unit.kind, unit.at, other) for unit in position.units_of(power) for other in others]

    def position_faults(self, rules: Ruleset, position: Position) -> Sequence[str]:
        owners = {d.unit.province: d.unit.power for d in position.dislodged}
        faults = []
        for place, commander in self._kept(position).items():
            if place not in owners:
                faults.append(f"state.{self.key}.{place}: no dislodged unit is there")
            elif owners[place] == commander:
                own = rules.named(commander)
                faults.append(f"state.{self.key}.{place}: the unit is under the orders of {own} anyway")
        return faults

    def rewrite(self, rules: Ruleset, position: Position, sheets: tuple[Sheet, ...]) -> Rewritten:
        if position.turn.phase is Phase.MOVEMENT:
            return _movement(rules, position, sheets)
        if position.turn.phase is Phase.RETREATS:
            return _retreats(Situation(rules, position), sheets, self._kept(position))
        return sheets, ()

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        aftermath.slices.pop(self.key, None)
        if aftermath.before.turn.phase is not Phase.MOVEMENT:
            return
        granted = {province_of(grant.at): grant.power for _, grant in aftermath.successful(Proxy)}
        _tell(rules, aftermath)
        out = [d.unit.province for d in aftermath.dislodged]
        retreating = {place: granted[place] for place in out if place in granted and aftermath.retreats.get(place)}
        if retreating:
            aftermath.slices[self.key] = retreating

    def news(self, rules: Ruleset, resolution: Resolution) -> Sequence[str]:
        owners = {d.unit.province: d.unit for d in resolution.after.dislodged}
        return [
            f"{capital(rules.powers[commander].called)} may order the retreat of "
            f"{possessive(rules.powers[owners[place].power].called)} unit in {rules.board.name_of(place)}, unless "
            f"{rules.powers[owners[place].power].called} does."
            for place, commander in self._kept(resolution.after).items()
            if place in owners
        ]

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            "A power may place a unit of its own under another power's orders for one season; the order that the other "
            "gives for the unit is then carried out.",
            "This ends with the season. Until the deadline the owner may take the unit back by sending orders in which "
            "it isn't placed. An order for a unit that wasn't placed under a power's orders is ignored, without "
            "penalty.",
            "Decided: a unit that was placed under another's orders and got none holds, and so does one that got an "
            "illegal order; both powers are told of that order. The other power cannot place the unit under anybody's "
            "orders in turn. The unit remains its owner's in every respect: what it can attack, cut and own, and whose "
            "centers it converts in.",
            "Decided: to place a unit and to order it on the same sheet is to give it two orders, and so is to place "
            "it under the orders of two powers. If the unit is dislodged, the other may order its retreat too, unless "
            "the owner does.",
        )


def _given(sheet: Sheet, owners: Mapping[str, str]) -> Iterator[tuple[Order, str, str]]:
    """The orders of a sheet, each with its unit's province and that unit's owner (empty where there is no unit)."""
    for order in sheet.orders:
        place = province_at(order)
        yield order, place, owners.get(place, "")


def _ignored(power: str, order: Order, reason: str) -> Verdict:
    return Verdict(power, order, Outcome.IGNORED, Cause("fact", reason=reason))


def _not_lent(rules: Ruleset, owner: str, power: str) -> str:
    return f"{rules.named(owner)} did not place the unit under {rules.named(power).whose} orders"


Grants: TypeAlias = "dict[tuple[str, str], list[Order]]"
"""By province and commander: what the commander orders the unit that was placed under its orders."""


def _movement(rules: Ruleset, position: Position, sheets: tuple[Sheet, ...]) -> Rewritten:
    situation = Situation(rules, position)
    proxies = (_proxy(situation, sheet, order) for sheet in sheets for order in sheet.orders)
    grants: Grants = {(province_of(proxy.at), proxy.power): [] for proxy in proxies if proxy is not None}
    noted: list[Verdict] = []
    own = [_own_orders(situation, sheet, grants, noted) for sheet in sheets]
    used: set[tuple[str, str]] = set()
    result = tuple(_with_granted(situation, sheet, grants, used, noted) for sheet in own)
    return result, tuple(noted)


def _proxy(situation: Situation, sheet: Sheet, order: Order) -> Proxy | None:
    """An order by which a unit is legally placed under another power's orders; None if it isn't one."""
    effect = situation.interpret(sheet.power, order) if isinstance(order, Proxy) else None
    return effect if isinstance(effect, Proxy) else None


def _own_orders(situation: Situation, sheet: Sheet, grants: Grants, noted: list[Verdict]) -> Sheet:
    """A sheet without orders for other powers' units: those that count are added to ``grants``, the others noted."""
    owners = {u.province: u.power for u in situation.position.units}
    places = [place for place, _ in grants]
    power = sheet.power
    kept: list[Order] = []
    for order, place, owner in _given(sheet, owners):
        if not owner or owner == power:
            kept.append(order)
        elif power in situation.silenced:
            noted.append(illegal(power, order, situation.silenced[power]))
        elif (place, power) not in grants:
            noted.append(_ignored(power, order, _not_lent(situation.rules, owner, power)))
        elif isinstance(order, Proxy):
            reason = "a unit that was placed under another power's orders can't be passed on"
            noted.append(_ignored(power, order, reason))
        elif places.count(place) > 1:
            noted.append(_ignored(power, order, "the unit was placed under several powers' orders"))
        else:
            grants[place, power].append(order)
    return Sheet(power, tuple(kept))


def _with_granted(
    situation: Situation, sheet: Sheet, grants: Grants, used: set[tuple[str, str]], noted: list[Verdict]
) -> Sheet:
    """A sheet with what the commanders order in the place of its proxies; ``used`` are those that were carried out."""
    written: list[Order] = []
    for order in sheet.orders:
        effect = _proxy(situation, sheet, order)
        grant = ("", "") if effect is None else (province_of(effect.at), effect.power)
        if grant in used:
            noted.append(_ignored(sheet.power, order, "it was given twice"))
            continue
        counting: list[Order] = []
        if grants.get(grant):
            used.add(grant)
            counting, refused = _weigh(situation, sheet, grants[grant])
            for given, reason in refused:  # told to both
                noted += [illegal(sheet.power, given, reason), illegal(grant[1], given, reason)]
        if counting:
            reason = f"{grant[1]} orders {' and '.join(dict.fromkeys(map(write, counting)))}"
            noted.append(Verdict(sheet.power, order, Outcome.SUCCEEDS, Cause("fact", reason=reason)))
            written += counting
        else:
            written.append(order)
    return Sheet(sheet.power, tuple(written))


def _weigh(situation: Situation, sheet: Sheet, given: list[Order]) -> tuple[list[Order], list[tuple[Order, str]]]:
    """Of a commander's orders for a unit of the sheet's power those that count, and the others with the reason why they
    do not."""
    power = sheet.power
    counting: list[Order] = []
    refused: list[tuple[Order, str]] = []
    effects = []
    for order in given:
        effect = situation.interpret(power, order)
        if isinstance(effect, Refusal):
            refused.append((order, effect.reason))
        else:
            counting.append(order)
            effects.append(effect)
    place = province_at(given[0])
    for order in sheet.orders:  # an order of the owner's for the same unit is another
        if not isinstance(order, Proxy) and province_at(order) == place:
            effect = situation.interpret(power, order)
            effects += [] if isinstance(effect, Refusal) else [effect]
    if situation.rules.options["double_orders"] == "hold" and any(effect != effects[0] for effect in effects):
        return [], refused + [(order, DIFFERENT) for order in counting]
    return counting, refused


def _tell(rules: Ruleset, aftermath: Aftermath) -> None:
    """Tell of each grant that led to nothing why: no order was sent, or only what could not be carried out."""
    for number, verdict in enumerate(aftermath.verdicts):
        order = verdict.order
        if not isinstance(order, Proxy) or verdict.outcome is not Outcome.SUCCEEDS or verdict.cause is not None:
            continue
        place = province_of(order.at)
        bad = dict.fromkeys(
            write(v.order)
            for v in aftermath.verdicts
            if v.power == order.power and v.outcome is Outcome.ILLEGAL and province_at(v.order) == place
        )
        outcome = Outcome.VOID if bad else Outcome.SUCCEEDS
        lender, wrong = rules.named(order.power), " and ".join(bad)
        reason = f"{lender} sent no order for it, so the unit holds"
        if bad:
            reason = f"{lender} ordered {wrong}, which {'is' if len(bad) == 1 else 'are'} illegal, so the unit holds"
        cause = Cause("fact", reason=reason)
        aftermath.verdicts[number] = msgspec.structs.replace(verdict, outcome=outcome, cause=cause)


def _retreats(situation: Situation, sheets: tuple[Sheet, ...], commanders: Mapping[str, Any]) -> Rewritten:
    owners = {d.unit.province: d.unit.power for d in situation.position.dislodged}
    by_owner = {
        place
        for sheet in sheets
        for order, place, owner in _given(sheet, owners)
        if owner == sheet.power and not isinstance(situation.interpret(owner, order), Refusal)
    }
    noted: list[Verdict] = []
    result: dict[str, list[Order]] = {sheet.power: [] for sheet in sheets}
    for sheet in sheets:
        for order, place, owner in _given(sheet, owners):
            if not owner or owner == sheet.power:
                result[sheet.power].append(order)
            elif sheet.power in situation.silenced:
                noted.append(illegal(sheet.power, order, situation.silenced[sheet.power]))
            elif commanders.get(place) != sheet.power:
                noted.append(_ignored(sheet.power, order, _not_lent(situation.rules, owner, sheet.power)))
            elif place in by_owner:
                lender = situation.rules.named(owner)
                noted.append(_ignored(sheet.power, order, f"{lender} {lender:orders|order} the retreat itself"))
            else:
                result.setdefault(owner, []).append(order)
    return tuple(Sheet(power, tuple(orders)) for power, orders in result.items()), tuple(noted)
