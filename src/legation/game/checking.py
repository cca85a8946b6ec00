"""Check a sheet before the deadline: line by line what was understood, what is wrong, and what may be missing.

The page, the terminal, the API and the mail service all ask :func:`check_sheet`, so a sheet means the same to each, and
the same as to the judge."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from legation.board import province_of
from legation.formats import decode_json
from legation.judge import Outcome, Refusal, Ruleset, Situation, resolve
from legation.notation import Passage, find_kind, write
from legation.orders import (
    Build,
    Convoy,
    Move,
    Order,
    Remove,
    Sheet,
    SupportHold,
    SupportMove,
    VoteDraw,
    Waive,
    province_at,
)
from legation.position import Phase, Position

ProblemKind = Literal["not understood", "illegal", "superseded", "not yours"]


class Problem(msgspec.Struct, frozen=True):
    """Why an entry does not count, or not as written.

    ``span`` is what exactly is at fault, in characters of the whole text."""

    kind: ProblemKind
    message: str
    suggestions: tuple[str, ...] = ()
    span: tuple[int, int] = (0, 0)


class CheckedEntry(msgspec.Struct, frozen=True):
    """One order of a sheet, or a part of it that isn't an order.

    ``line`` counts from 1; ``span`` are characters of the whole text. ``order`` is the order in short style and
    ``given`` the same typed; both are None where nothing was understood, or where there was nothing to order (a
    heading, a greeting, a comment: then ``problem`` is None too)."""

    line: int
    span: tuple[int, int]
    text: str
    order: str | None = None
    given: Order | None = None
    problem: Problem | None = None
    hints: tuple[str, ...] = ()


class SheetCheck(msgspec.Struct, frozen=True):
    """A checked sheet.

    ``missing`` are the power's units (``A par``) without an order that counts; the three numbers are what is still open
    in adjustments."""

    power: str
    entries: tuple[CheckedEntry, ...]
    sheet: Sheet
    missing: tuple[str, ...] = ()
    builds_left: int = 0
    removals_due: int = 0
    sends_left: int = 0

    @property
    def problems(self) -> tuple[CheckedEntry, ...]:
        """Return the entries with a problem."""
        return tuple(entry for entry in self.entries if entry.problem is not None)


def check_sheet(rules: Ruleset, position: Position, power: str, text: str, *, headed: bool = False) -> SheetCheck:
    """Read a sheet of ``power`` and say of each part whether it counts in this position.

    Nothing is judged against other powers' orders, which are not known here. ``headed``: a heading names the power, as
    in a text with the sheets of several.

    >>> from legation import check_sheet, load
    >>> rules = load("hundred")
    >>> check = check_sheet(rules, rules.opening(), "France", "A par - cal\\nA dau - lon")
    >>> check.entries[0].order, check.entries[1].problem.message
    ('A par - cal', 'A dau cannot reach lon')
    >>> check.missing
    ('A dau', 'A orl', 'A tou', 'A pro')"""
    passages = rules.reader.sheet(text, position.turn.phase, "" if headed else power, position)
    drafts = [_Draft(text, passage) for passage in passages]
    situation = Situation(rules, position)
    for draft in drafts:
        if draft.given is not None:
            _judge(situation, power, draft)
    if position.turn.phase in (Phase.MOVEMENT, Phase.RETREATS):
        _find_repeats(rules, drafts)
    counted = [d.given for d in drafts if d.given is not None and d.problem is None]
    if position.turn.phase is Phase.MOVEMENT:
        _hint_movement(situation, power, drafts)
    sheet = Sheet(power, tuple(d.given for d in drafts if d.given is not None))
    if position.turn.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
        _hint_adjustments(rules, position, sheet, drafts)
    builds, removals, sends = _open_business(rules, position, power, counted)
    return SheetCheck(
        power, tuple(d.entry() for d in drafts), sheet, _missing(position, power, counted), builds, removals, sends
    )


def check_orders(rules: Ruleset, position: Position, power: str, orders: Sequence[Order]) -> SheetCheck:
    """Check orders that are typed already, each as if it stood on a line of its own."""
    return check_sheet(rules, position, power, "\n".join(write(order) for order in orders))


def check_document(check: SheetCheck) -> dict[str, Any]:
    """Return a checked sheet as plain data (see ``docs/documents.md``)."""
    document: dict[str, Any] = decode_json(msgspec.json.encode(check))
    del document["sheet"]
    for entry in document["entries"]:
        del entry["given"]
    return document


class _Draft:
    def __init__(self, text: str, passage: Passage) -> None:
        self.line = passage.line
        self.span = (passage.start, passage.end)
        self.text = text[passage.start : passage.end]
        self.given = passage.order
        self.effect: Order | None = None  # the order as it takes effect, if it is legal
        self.hints: list[str] = []
        self.problem: Problem | None = None
        error = passage.error
        if error is not None:
            at = (passage.start + error.span[0], passage.start + error.span[1])
            self.problem = Problem(error.kind, error.message, error.suggestions, at)

    def refuse(self, kind: ProblemKind, message: str) -> None:
        self.problem = Problem(kind, message, (), self.span)

    def entry(self) -> CheckedEntry:
        order = None if self.given is None else write(self.given)
        return CheckedEntry(self.line, self.span, self.text, order, self.given, self.problem, tuple(self.hints))


def _judge(situation: Situation, power: str, draft: _Draft) -> None:
    """Whether an order is legal as things stand; an order for another's unit waits for that power's grant where there
    are such."""
    assert draft.given is not None
    phase = situation.position.turn.phase
    judged = situation.interpret(power, draft.given)
    if not isinstance(judged, Refusal):
        draft.effect = judged
        return
    if phase is Phase.RETREATS:
        owner = next(
            (d.unit.power for d in situation.position.dislodged if d.unit.province == province_at(draft.given)), ""
        )
    elif isinstance(draft.given, Build):
        owner = ""
    else:
        unit = situation.units.get(province_at(draft.given))
        owner = unit.power if unit is not None else ""
    if not owner or owner == power:
        draft.refuse("illegal", judged.reason)
    elif condition := situation.rules.on_condition(situation.position, power, draft.given, owner):
        draft.hints.append(condition)
    else:
        draft.refuse("not yours", f"the unit in {province_at(draft.given)} belongs to {owner}")


def _find_repeats(rules: Ruleset, drafts: Sequence[_Draft]) -> None:
    """Say of each unit that is ordered twice which order counts (DATC 4.D.3)."""
    ordered: dict[str, list[_Draft]] = {}
    for draft in drafts:
        if draft.given is not None and draft.problem is None and province_at(draft.given):
            ordered.setdefault(province_at(draft.given), []).append(draft)
    for place, several in ordered.items():
        first, last = several[0], several[-1]
        for draft in several[1:]:
            if draft.effect == first.effect and draft.effect is not None:
                draft.refuse("superseded", f"line {first.line} says the same")
        different = [d for d in several if d.problem is None]
        if len(different) < 2:
            continue
        reading = rules.options["double_orders"]
        if reading == "hold":
            for draft in different:
                draft.refuse("superseded", f"the unit in {place} has different orders on this sheet, so it holds")
            continue
        winner = first if reading == "first" else last
        for draft in different:
            if draft is not winner:
                draft.refuse(
                    "superseded", f"line {winner.line} orders the unit in {place}, and that is the order that counts"
                )
        winner.hints.append("the unit is ordered more than once; this order counts")


def _hint_adjustments(rules: Ruleset, position: Position, sheet: Sheet, drafts: Sequence[_Draft]) -> None:
    """Orders that are legal each by itself, but too many, or not due, as far as this sheet tells: what another power
    sends may make room for them."""
    waiting = [draft for draft in drafts if draft.effect is not None and draft.problem is None]
    for verdict in resolve(rules, position, (sheet,)).verdicts:
        if verdict.power != sheet.power or verdict.outcome is not Outcome.ILLEGAL or verdict.cause is None:
            continue
        draft = next((d for d in reversed(waiting) if verdict.order in (d.effect, d.given)), None)
        if draft is not None:
            waiting.remove(draft)
            why = verdict.cause.reason
            draft.hints.append(f"as things stand, {why}")


def _hint_movement(situation: Situation, power: str, drafts: Sequence[_Draft]) -> None:
    """What looks forgotten: a support or convoy for an own unit that does something else, a convoyed army without its
    fleets."""
    effects = {province_at(d.effect): d.effect for d in drafts if d.effect is not None and d.problem is None}
    for draft in drafts:
        order = draft.effect
        if order is None or draft.problem is not None:
            continue
        if isinstance(order, SupportMove | Convoy | SupportHold):
            target = situation.units.get(province_of(order.target))
            if target is None or target.power != power:
                continue
            helped = effects.get(target.province)
            goes = province_of(helped.to) if isinstance(helped, Move) else ""
            if isinstance(order, SupportHold):
                if goes:
                    draft.hints.append(f"{target} is ordered to move to {goes}, so support to hold won't count")
            elif goes != province_of(order.to):
                to = province_of(order.to)
                if helped is None:
                    draft.hints.append(f"{target} has no order to move to {to}")
                else:
                    draft.hints.append(f"{target} is ordered {write(helped)}, not to move to {to}")
        elif type(order) is Move:
            hint = _convoy_hint(situation, power, order, effects)
            if hint and type(_as_judged(situation, power, drafts).get(province_at(order))) is Move:
                draft.hints.append(hint)


def _as_judged(situation: Situation, power: str, drafts: Sequence[_Draft]) -> dict[str, Order]:
    """The orders by province as rules have them judged: an army goes by its own fleet's ferry, though its order does
    not say so."""
    orders = tuple(draft.given for draft in drafts if draft.given is not None and draft.problem is None)
    sheets: tuple[Sheet, ...] = (Sheet(power, orders),)
    for module in situation.rules.steps["rewrite"]:
        sheets, _ = module.rewrite(situation.rules, situation.position, sheets)
    return {province_at(order): order for sheet in sheets for order in sheet.orders}


def _convoy_hint(situation: Situation, power: str, order: Move, effects: dict[str, Order]) -> str:
    unit = situation.units[province_of(order.at)]
    to = province_of(order.to)
    if not situation.kinds[unit.kind].convoyed or (to in situation.reach_provinces(unit) and not order.via_convoy):
        return ""
    seas = [
        sea
        for sea, fleet in situation.units.items()
        if sea in situation.clusters
        and (
            fleet.power != power
            or (isinstance(c := effects.get(sea), Convoy) and (province_of(c.target), c.to) == (unit.province, to))
        )
    ]
    boarded = situation.rules.chains.formed_by(frozenset(seas)).touching(unit.province)
    if any(to in chain.shores for chain in boarded):
        if all(situation.units[sea].power != power for chain in boarded for sea in chain.seas):
            return "its convoy depends on other powers' fleets"
        return ""
    return f"no fleets on this sheet convoy it to {to}"


def _open_business(rules: Ruleset, position: Position, power: str, counted: Sequence[Order]) -> tuple[int, int, int]:
    """Builds left, removals due and supply that can still be sent, when the orders that count are taken off."""
    phase = position.turn.phase
    if phase not in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
        return 0, 0, 0
    sheets = (Sheet(power, tuple(counted)),)
    room = rules.limit(position, power, sheets) - rules.size(position, power)
    kinds = (find_kind(record) for record in rules.order_kinds[phase])
    sends = sum(kind.left(rules, position, power, counted) for kind in kinds if kind is not None and kind.left)
    if room < 0:
        due = -room
        for order in counted:
            if isinstance(order, Remove):
                unit = next((u for u in position.units if u.province == province_at(order)), None)
                due -= rules.kinds[unit.kind].cost if unit is not None else 0
        return 0, max(due, 0), sends
    sites = len(rules.build_sites(position, power))
    for order in counted:
        if isinstance(order, Build):
            room -= rules.kinds[order.kind].cost if order.kind in rules.kinds else 1
            sites -= 1
        elif isinstance(order, Waive):
            room -= 1
            sites -= 1
    return max(min(room, sites), 0), 0, sends


def _missing(position: Position, power: str, counted: Sequence[Order]) -> tuple[str, ...]:
    if position.turn.phase is Phase.RETREATS:
        waiting = [d.unit for d in position.dislodged if d.unit.power == power]
    elif position.turn.phase is Phase.MOVEMENT:
        waiting = list(position.units_of(power))
    else:
        return ()
    ordered = {province_at(order) for order in counted if not isinstance(order, VoteDraw)}
    return tuple(str(unit) for unit in waiting if unit.province not in ordered)
