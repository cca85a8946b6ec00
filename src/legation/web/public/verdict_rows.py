"""The orders of a turn in rows, as pages show them: each with what came of it, why, and where its rule stands."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from legation.board import Board, province_of
from legation.game.documents import is_told_as_dislodged
from legation.game.report import count
from legation.judge import ENDED_NOTHING, Outcome, Verdict
from legation.notation import write
from legation.office.records import Document
from legation.orders import Move, VoteDraw

PARAGRAPHS = {
    "read": ("refused", "no order", "not understood"),
    "cut": ("attacked", "weakened"),
    "matched": ("not ordered", "not matched", "not legal"),
    "own": ("own support", "own unit"),
    "stronger": ("unopposed", "stronger", "prevented", "held", "head to head", "vacated"),
    "dislodged": ("dislodged",),
    "circle": ("circle",),
    "convoys": ("fleet dislodged", "ferry failed", "no route"),
    "paradox": ("paradox",),
    "retreats": ("clash", "no retreat"),
    "removals": ("civil disorder",),
    "lots": ("by lot",),
}
"""Which paragraph of the page on verdicts tells of which causes; of all others the variant's own rules do."""
UNOPPOSED = ("", "unopposed", "vacated", "no order")
"""The causes of orders that nothing stood against."""
VOTE = write(VoteDraw())
KINDS = {"-": "move", "H": "hold", "S": "support", "C": "convoy", "R": "retreat"}
"""What orders are called, by their sign in short style."""
Step = tuple[str, str, bool, str]
"""From where to where, whether the unit arrived, and whose it is."""
Place = tuple[str, list[dict[str, Any]]]
Folded = tuple[str, str, list[dict[str, Any]]]


def rule_of(cause: str, variant: str) -> str:
    """Return where the rule stands by which a verdict with such a cause was reached: its paragraph."""
    place = next((place for place, causes in PARAGRAPHS.items() if cause in causes), "")
    return f"/rules/verdicts#{place}" if place else f"/variants/{variant}/rules#course"


def verdict_rows(
    verdicts: Sequence[Document], variant: str, numbers: Mapping[int, int] | None = None
) -> list[dict[str, Any]]:
    """Every order with what came of it and why.

    ``numbers``: the number on the map of each verdict that is drawn there; without it, all are, as they are counted.
    ``decided`` are the orders that its cause names, by their numbers on the map; ``rule`` is where the rule stands."""
    drawn = {n: n for n in range(len(verdicts))} if numbers is None else numbers
    by_text: dict[str, int] = {}
    for number, verdict in enumerate(verdicts):
        by_text.setdefault(verdict["order"], number)
    rows = []
    for number, verdict in enumerate(verdicts):
        order, outcome, cause = verdict["order"], verdict["outcome"], verdict["cause"]
        kind, good = (cause or {}).get("kind", ""), outcome == "succeeds"
        if good and order == VOTE and cause:  # something kept the vote from ending the game
            outcome, good = ENDED_NOTHING, False
        elif good and order.endswith(" H"):
            outcome = "holds"
        named = [by_text[text] for text in _texts(cause) if text in by_text]
        rows.append(
            {
                "number": drawn.get(number, ""),
                "power": verdict["power"],
                "order": order,
                "outcome": outcome,
                "good": good,
                "why": _why(verdict),
                "dislodged": verdict["dislodged_from"],
                "rule": rule_of(kind, variant),
                "decided": " ".join(str(drawn[n]) for n in named if n in drawn),
                "opposed": kind not in UNOPPOSED,
            }
        )
    return rows


def told_apart(rows: Sequence[dict[str, Any]], board: Board) -> tuple[list[Place], list[Folded]]:
    """Return what was contested, by place, and what nothing stood against, by power with a few words."""
    against = {n for row in rows if not row["good"] or row["dislodged"] for n in row["decided"].split()}
    places: dict[str, list[dict[str, Any]]] = {}
    folded: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if row["good"] and not row["dislodged"] and not row["opposed"] and str(row["number"]) not in against:
            folded.setdefault(row["power"], []).append(row)
        else:
            place = province_of(_contested(row["order"]))
            name = board.name_of(place) if place in board.provinces else ""
            places.setdefault(name, []).append(row)
    return list(places.items()), [(power, _in_words(quiet), quiet) for power, quiet in folded.items()]


def _contested(order: str) -> str:
    """The location that an order in short style is about: where its unit goes, else where it stands or is built."""
    words = order.split()
    goes = words[2:3] in (["-"], ["R"])
    return words[3 if goes and len(words) > 3 else 1 if words[0].isupper() and len(words) > 1 else -1]


def _in_words(rows: Sequence[dict[str, Any]]) -> str:
    counts: dict[str, int] = {}
    for row in rows:
        words = row["order"].split()
        kind = "build" if words[0] == "build" else KINDS.get(words[2] if len(words) > 2 else "", "order")
        counts[kind] = counts.get(kind, 0) + 1
    return ", ".join(count(number, kind) for kind, number in counts.items())


def _why(verdict: Document) -> str:
    """Return what decided: the explanation without what stands beside it (order, outcome, dislodging attack)."""
    if is_told_as_dislodged(verdict):
        return ""
    words: str = verdict["explanation"]
    if words.startswith(f"{verdict['order']} "):
        words = words.removesuffix(f"; dislodged by an attack from {verdict['dislodged_from']}").partition(": ")[2]
    return words


def _texts(cause: object) -> list[str]:
    if isinstance(cause, str):
        return [cause]
    parts = cause.values() if isinstance(cause, dict) else cause if isinstance(cause, list | tuple) else ()
    return [text for part in parts for text in _texts(part)]


def steps_of(verdicts: Iterable[Verdict]) -> list[Step]:
    """Return where units went in a turn, and where those wanted to go that came back, for the map to show it."""
    return [
        (v.order.at, province_of(v.order.to), v.outcome is Outcome.SUCCEEDS, v.power)
        for v in verdicts
        if isinstance(v.order, Move) and v.outcome in (Outcome.SUCCEEDS, Outcome.BOUNCED)
    ]
