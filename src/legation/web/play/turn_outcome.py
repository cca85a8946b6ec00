"""The results of a turn, as pages show them: its orders on the map and in rows with why, and where units went."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from legation.board import province_of
from legation.game import read_verdicts
from legation.game.documents import explanations
from legation.judge import ENDED_NOTHING, Outcome, Ruleset, Verdict
from legation.office.records import Document, TurnResult
from legation.orders import Move
from legation.position import Phase
from legation.web.play.shown_game import kept_position
from legation.web.public.maps import LiveMap
from legation.web.public.rulebooks import rule_of
from legation.web.serving.prose import outcome_in_words


class Judged(msgspec.Struct, frozen=True):
    """The parts of a result of which the page's rows and arrows are made; equal ones make equal pages."""

    name: str
    position: Document
    verdicts: tuple[Document, ...]


class TurnShown(msgspec.Struct, frozen=True):
    """The results of a turn, as the page shows them: its state for the map, its rows, and where units went."""

    svg: str
    rows: list[dict[str, Any]]
    steps: list[tuple[str, str]]


def outcome_of(rules: Ruleset, live: LiveMap, result: TurnResult) -> TurnShown:
    """Return the results of a turn, made once for all who see the same of it."""
    return _outcome(rules, live, msgspec.json.encode(Judged(result.name, result.position, result.verdicts)))


@lru_cache(maxsize=256)
def _outcome(rules: Ruleset, live: LiveMap, packed: bytes) -> TurnShown:
    judged = msgspec.json.decode(packed, type=Judged)
    verdicts, numbers = drawn(rules, judged)
    svg = live.atlas.state_layer(kept_position(rules, msgspec.json.encode(judged.position)), verdicts)
    return TurnShown(svg, rows_of(judged, numbers, rules.name), steps_of(verdicts))


def drawn(rules: Ruleset, result: TurnResult | Judged) -> tuple[list[Verdict], dict[int, int]]:
    """The verdicts as the map draws them, and by the number of each verdict its number there; what could not be read is
    on no map."""
    phase = Phase(result.name.rpartition(" ")[2])
    verdicts: list[Verdict] = []
    numbers: dict[int, int] = {}
    for number, document in enumerate(result.verdicts):
        for verdict in read_verdicts(rules, phase, [document], []):
            numbers[number] = len(verdicts)
            verdicts.append(verdict)
    return verdicts, numbers


def rows_of(result: TurnResult | Judged, numbers: Mapping[int, int], variant: str) -> list[dict[str, Any]]:
    """Every order with what came of it and why.

    ``decided`` are the orders that its cause names, by their numbers on the map; ``rule`` is where the rule stands.
    """
    by_text: dict[str, int] = {}
    for number, verdict in enumerate(result.verdicts):
        by_text.setdefault(verdict["order"], number)
    rows = []
    explained = explanations(result.verdicts)
    for number, verdict in enumerate(result.verdicts):
        named = [by_text[text] for text in _texts(verdict["cause"]) if text in by_text]
        outcome = outcome_in_words(verdict["order"], verdict["outcome"], verdict["cause"])
        rows.append(
            {
                "number": numbers.get(number, ""),
                "power": verdict["power"],
                "order": verdict["order"],
                "outcome": outcome,
                "good": verdict["outcome"] == "succeeds" and outcome != ENDED_NOTHING,
                "why": _why(verdict, explained[number]),
                "dislodged": verdict["dislodged_from"],
                "rule": rule_of((verdict["cause"] or {}).get("kind", ""), variant),
                "decided": " ".join(str(numbers[n]) for n in named if n in numbers),
            }
        )
    return rows


def _why(verdict: Document, words: str) -> str:
    """What decided: the explanation without the order, what became of it, and the attack that dislodged the unit, which
    stand beside it."""
    if words.startswith(f"{verdict['order']} "):
        words = words.removesuffix(f"; dislodged by an attack from {verdict['dislodged_from']}").partition(": ")[2]
    return words


def _texts(cause: object) -> list[str]:
    """All texts in the cause of a verdict."""
    if isinstance(cause, str):
        return [cause]
    parts = cause.values() if isinstance(cause, dict) else cause if isinstance(cause, list | tuple) else ()
    return [text for part in parts for text in _texts(part)]


def steps_of(verdicts: list[Verdict]) -> list[tuple[str, str]]:
    """Return the units' moves in a turn, for the map's animation."""
    return [
        (v.order.at, province_of(v.order.to))
        for v in verdicts
        if isinstance(v.order, Move) and v.outcome is Outcome.SUCCEEDS
    ]
