"""A turn as the live map needs it: units, what each power has open, and every legal order in short style with what to
tap for it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from legation.board import province_of
from legation.game import CheckedEntry, SheetCheck
from legation.judge import Ruleset, legal_orders
from legation.languages import ENGLISH, text_in
from legation.notation import Gesture, find_kind, gesture_of, write
from legation.orders import Order, VoteDraw
from legation.position import Phase, Position
from legation.web.public.maps import LiveMap

Say = Callable[[str], str]
Choice = tuple[str, ...]
"""A legal order: its gesture, the location of its unit, whom it helps or concerns, where to, and its text; and what a
button says of it where its gesture has no words for that."""


def choice(rules: Ruleset, order: Order) -> Choice:
    """Return an order as the map takes it."""
    gesture = gesture_of(order)
    at = str(getattr(order, "at", ""))
    row = (gesture.name, at, gesture.whom(order), gesture.to(order), write(order))
    return row if isinstance(gesture.label, str) else (*row, gesture.label(order, rules.writer))


def choice_in(said: Say, found: Choice) -> Choice:
    """Return a choice with its words in a language."""
    return (*found[:5], *map(said, found[5:]))


def gesture_in(language: str, facts: dict[str, Any]) -> dict[str, Any]:
    """Return how an order is given, with its words in a language."""
    return facts | {key: text_in(language, facts[key]) for key in ("label", "group", "note") if key in facts}


EXAMPLES = ("move", "retreat", "build", "remove", "hold")


def usual_order(choices: Sequence[Choice]) -> str:
    """Return an order to show as an example, as it is written: a move if there is one among the choices, else a
    retreat, build, removal or hold; empty if there is none of these."""
    by_verb = {choice[0]: choice[4] for choice in reversed(choices)}
    return next((by_verb[verb] for verb in EXAMPLES if verb in by_verb), "")


def turn_in(language: str, turn: Mapping[str, Any], live: LiveMap) -> dict[str, Any]:
    """Return a turn for the live map with its words in a language."""
    told = dict(turn)
    if language == ENGLISH:
        return told
    said = live.said_in(language)
    told["gestures"] = {name: gesture_in(language, facts) for name, facts in turn["gestures"].items()}
    told["choices"] = {power: [choice_in(said, c) for c in found] for power, found in turn["choices"].items()}
    told["kinds"] = {code: said(name) for code, name in turn["kinds"].items()}
    told["powers"] = {power: facts | {"called": said(power)} for power, facts in turn["powers"].items()}
    return told


def line_of(rules: Ruleset, power: str, entry: CheckedEntry, line: int = 0, said: Say = str) -> dict[str, Any]:
    """A part of a checked sheet as the map's script takes it, with its words as ``said`` has them; ``line``: of the
    whole text, where that has other sheets, too."""
    problem = entry.problem and msgspec.to_builtins(entry.problem)
    return {
        "line": line or entry.line,
        "power": power,
        "called": said(power),
        "text": entry.text,
        "order": entry.order,
        "choice": choice_in(said, choice(rules, entry.given)) if entry.given is not None else None,
        "name": said(rules.writer.sentence(entry.given)) if entry.given is not None else "",
        "problem": problem and {**problem, "message": said(problem["message"])},
        "hints": [said(hint) for hint in entry.hints],
    }


def summary_of(checked: SheetCheck) -> dict[str, Any]:
    """What of a power's checked sheet counts, and what is still open."""
    return {
        "missing": list(checked.missing),
        "builds": checked.builds_left,
        "removals": checked.removals_due,
        "sheet": [write(order) for order in checked.sheet.orders],
    }


def live_turn(
    rules: Ruleset, position: Position, live: LiveMap, of: tuple[str, ...] = (), *, votes: bool = True
) -> dict[str, Any]:
    """The turn for the live map; with the choices of some powers only (``of``), of all if none are named.

    ``votes``: whether those powers may vote for a draw."""
    legal = legal_orders(rules, position, of or None)
    orders = {power: list(possible) for power, possible in legal.items()}
    if (
        votes and VoteDraw in rules.order_kinds[position.turn.phase] and not rules.refuses_draw(position)
    ):  # it is no unit's order
        for power in of:
            orders.setdefault(power, []).append(VoteDraw())
    adjusting = position.turn.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT)
    powers = {}
    for power in rules.powers:
        room = rules.limit(position, power) - rules.size(position, power) if adjusting else 0
        sites = len(rules.build_sites(position, power)) if adjusting else 0
        powers[power] = {
            "number": live.number(power),
            "called": rules.named(power).called,
            "builds": max(0, min(room, sites)),
            "removals": max(0, -room),
        }
    return {
        "turn": str(position.turn),
        "phase": position.turn.phase.value,
        "units": [[unit.kind, unit.at, unit.power] for unit in position.units],
        "dislodged": [[d.unit.kind, d.unit.at, d.unit.power] for d in position.dislodged],
        "kinds": {kind.code: kind.name for kind in rules.kinds.values()},
        "powers": powers,
        "choices": {power: [choice(rules, order) for order in given] for power, given in orders.items()},
        "gestures": gestures(order for given in orders.values() for order in given),
        "asks": refused_by_tap(rules, position.turn.phase),
        "lends": bool(rules.steps["on_condition"]) and position.turn.phase is Phase.MOVEMENT,
    }


def gestures(orders: Iterable[Order]) -> dict[str, dict[str, Any]]:
    """Return by name how orders are given, on the map and in lists."""
    found = {}
    for order in orders:
        gesture = gesture_of(order)
        if gesture.name not in found:
            found[gesture.name] = gesture.facts()
    return found


def refused_by_tap(rules: Ruleset, phase: Phase) -> dict[str, str]:
    """Return by tap how the order is written that nobody may give, so that the checker says why: of all kinds of a
    phase, because what is not legal is in no list."""
    kinds = [kind for record in rules.order_kinds[phase] if (kind := find_kind(record)) is not None]
    found = [kind.gesture for kind in kinds if isinstance(kind.gesture, Gesture) and kind.gesture.asks]
    return {gesture.taps: gesture.asks for gesture in sorted(found, key=lambda gesture: (-gesture.rank, gesture.name))}


def lent_choices(
    rules: Ruleset, position: Position, power: str, place: str, live: LiveMap, language: str
) -> dict[str, Any]:
    """Return what a power may order another's unit if its owner lets it, and how; nothing without such a rule."""
    said = live.said_in(language)
    unit = next((u for u in position.units if u.province == province_of(place) and u.power != power), None)
    if unit is None or position.turn.phase is not Phase.MOVEMENT or not rules.steps["on_condition"]:
        return {"choices": [], "gestures": {}}
    orders = [o for o in legal_orders(rules, position, (unit.power,))[unit.power] if getattr(o, "at", "") == unit.at]
    lent = [order for order in orders if rules.on_condition(position, power, order, unit.power)]
    ways = {name: gesture_in(language, facts) for name, facts in gestures(lent).items()}
    return {"choices": [choice_in(said, choice(rules, order)) for order in lent], "gestures": ways}
