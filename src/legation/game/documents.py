"""Documents: positions, answers and endings as plain JSON data (schemas in ``legation/game/schemas``)."""

from collections.abc import Iterable, Mapping
from typing import Any

from legation.board import province_of
from legation.frozen import thaw
from legation.game.formats import ANSWER, POSITION
from legation.game.reading_documents import Task, read_task
from legation.game.reading_sheets import Unread
from legation.game.report import how_it_ended
from legation.judge import Ending, Lot, Outcome, Resolution, Ruleset, Verdict, explain_written, resolve
from legation.notation import write
from legation.position import Dislodged, Position
from legation.variants import Registry, plain_name

OUTCOMES = {outcome: outcome.value for outcome in Outcome}  # the property of enumerations is slow


def position_document(rules: Ruleset, position: Position) -> dict[str, Any]:
    """Return a position as a document, without orders."""
    units: dict[str, list[str]] = {}
    for unit in position.units:
        units.setdefault(unit.power, []).append(f"{unit.kind} {unit.at}")
    centers: dict[str, list[str]] = {}
    for center, power in position.owners.items():
        centers.setdefault(power, []).append(center)
    document: dict[str, Any] = {
        "format": POSITION,
        "variant": plain_name(rules.name),
        "options": dict(rules.chosen),
        "rules": rules.digest,
        "turn": str(position.turn),
        "units": units,
    }
    if position.dislodged:
        document["dislodged"] = dislodged_document(position.dislodged)
    if position.contested:
        document["contested"] = sorted(position.contested)
    document["centers"] = centers
    document["state"] = thaw(position.slices)
    return document


def after_document(rules: Ruleset, position: Position, ending: Ending | None) -> dict[str, Any]:
    """Return the position that a turn led to, as a document; if the game has ended, with its ending."""
    document = position_document(rules, position)
    return document if ending is None else {**document, "ending": ending_document(ending)}


def dislodged_document(
    dislodged: tuple[Dislodged, ...], retreats: Mapping[str, tuple[str, ...]] | None = None
) -> dict[str, list[dict[str, Any]]]:
    """Dislodged units by power, with their retreats where these are given."""
    by_power: dict[str, list[dict[str, Any]]] = {}
    for entry in dislodged:
        item: dict[str, Any] = {"unit": str(entry.unit), "attacker_from": entry.attacker_from}
        if retreats is not None:
            item["retreats"] = list(retreats.get(province_of(entry.unit.at), ()))
        by_power.setdefault(entry.unit.power, []).append(item)
    return by_power


def verdict_document(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as a document; of its cause the kind, the order by which, and the strengths where they
    decided."""
    cause = verdict.cause
    order, by = write(verdict.order), ""
    told: dict[str, Any] | None = None
    if cause is not None:
        told = {"kind": cause.kind}
        if cause.by is not None:
            told["by"] = by = write(cause.by)
        if cause.strength or cause.against:
            told["strength"] = cause.strength
            told["against"] = cause.against
        if cause.reason:
            told["reason"] = cause.reason
    return {
        "power": verdict.power,
        "order": order,
        "outcome": OUTCOMES[verdict.outcome],
        "dislodged_from": verdict.dislodged_from,
        "cause": told,
        "explanation": explain_written(verdict, order, by),
    }


NO_ORDER = "it was given no order"
UNCLEAR_ORDER = "no order for it was understood"


def verdict_documents(resolution: Resolution, unread: Iterable[Unread]) -> list[dict[str, Any]]:
    """Return the verdicts of a turn as documents. They don't say that a unit was given no order where its power sent
    something that was not understood, which may have been for that unit."""
    documents = [verdict_document(v) for v in resolution.verdicts]
    unclear = {line.power for line in unread}
    for document in documents if unclear else ():
        if document["power"] in unclear and (document["cause"] or {}).get("kind") == "no order":
            document["explanation"] = document["explanation"].replace(NO_ORDER, UNCLEAR_ORDER, 1)
    return documents


def is_told_as_dislodged(verdict: Mapping[str, Any]) -> bool:
    """Return whether an order failed because its unit was dislodged, which is told with where the attack came from."""
    return bool(verdict["dislodged_from"]) and (verdict["cause"] or {}).get("kind") == "dislodged"


def unread_document(unread: Unread) -> dict[str, Any]:
    """Return the verdict on a line that was not understood, as a document."""
    return {
        "power": unread.power,
        "order": unread.text if len(unread.text) <= 200 else unread.text[:200] + "…",
        "outcome": Outcome.ILLEGAL.value,
        "dislodged_from": None,
        "cause": {"kind": "not understood", "reason": unread.reason},
        "explanation": unread.reason,
    }


def ending_document(ending: Ending | None) -> dict[str, Any] | None:
    """Return how a game ended, as a document; None while it runs."""
    if ending is None:
        return None
    document = {"kind": ending.kind, "powers": list(ending.powers), "reason": ending.reason}
    return document | {"tied": [list(powers) for powers in ending.tied]} if ending.tied else document


def ending_in_words(rules: Ruleset, ending: Mapping[str, Any] | None) -> str:
    """Return how a game ended, for people: ``A draw between England and France``; empty for a game that goes on."""
    if not ending:
        return ""
    return how_it_ended(rules, ending["kind"], ending["powers"], ending.get("tied", ()))


def lots_document(lots: Iterable[Lot]) -> list[dict[str, Any]]:
    """Return the lots that were drawn, a dict each: their purpose, the items, and the order in which they came."""
    return [{"label": lot.label, "items": list(lot.items), "order": list(lot.order)} for lot in lots]


def answer_document(task: Task, resolution: Resolution) -> dict[str, Any]:
    """Return the answer to a position document."""
    ending = resolution.ending
    return {
        "format": ANSWER,
        "variant": plain_name(task.rules.name),
        "turn": str(resolution.before.turn),
        "verdicts": verdict_documents(resolution, task.unread) + [unread_document(u) for u in task.unread],
        "dislodged": dislodged_document(resolution.dislodged, resolution.retreats),
        "after": after_document(task.rules, resolution.after, ending),
        "winner": ending.powers[0] if ending is not None and ending.kind == "solo" else None,
        "ending": ending_document(ending),
        "lots": lots_document(resolution.lots),
        "warnings": warnings(task, resolution),
    }


def warnings(task: Task, resolution: Resolution) -> list[str]:
    """What whoever asked should know of an answer: what was assumed, lots that nobody can check, what was not tried in
    full."""
    notes = list(task.assumed)
    if resolution.lots and not task.seed:
        labels = ", ".join(lot.label for lot in resolution.lots)
        notes.append(f"seed: lots were drawn without one, so the draw means nothing; give a 'seed' ({labels})")
    notes += resolution.limits
    return notes


def adjudicate(document: object, variants: Registry | None = None) -> dict[str, Any]:
    """Judge a position document: the whole of ``legation adjudicate`` in one call. ``variants`` are as in
    :func:`read_task`.

    >>> from legation import adjudicate
    >>> document = {
    ...     "variant": "hundred",
    ...     "turn": "1425 Movement",
    ...     "units": {"France": ["A par"], "England": ["F lon"]},
    ...     "orders": {"France": ["Army Paris moves to Orleanais"]},
    ... }
    >>> answer = adjudicate(document)
    >>> answer["verdicts"][0]["outcome"], answer["after"]["units"]
    ('succeeds', {'England': ['F lon'], 'France': ['A orl']})

    :raises DocumentError: with all faults of the document, each with its place."""
    task = read_task(document, variants)
    return answer_document(task, resolve(task.rules, task.position, task.sheets, task.seed))
