"""The results of a turn, as pages show them: its orders on the map and in rows with why, and where units went."""

from functools import lru_cache
from typing import Any

import msgspec

from legation.formats import decode_json
from legation.game import read_verdicts
from legation.judge import Ruleset, Verdict
from legation.office.records import Document, TurnResult
from legation.position import Phase
from legation.web.play.shown_game import kept_position
from legation.web.public.maps import LiveMap
from legation.web.public.verdict_rows import Step, steps_of, verdict_rows


class OutcomeFacts(msgspec.Struct, frozen=True):
    """The parts of a result of which the page's rows and arrows are made; equal ones make equal pages."""

    name: str
    position: Document
    verdicts: tuple[Document, ...]


class TurnOutcome(msgspec.Struct, frozen=True):
    """The results of a turn, as the page shows them: its state for the map, its rows, and where units went."""

    svg: str
    rows: list[dict[str, Any]]
    steps: list[Step]


def outcome_of(rules: Ruleset, live: LiveMap, result: TurnResult, hidden: tuple[str, ...] = ()) -> TurnOutcome:
    """Return the results of a turn, cached by what is visible; ``hidden`` are provinces that the reader cannot see."""
    return _outcome(
        rules, live, msgspec.json.encode(OutcomeFacts(result.name, result.position, result.verdicts)), hidden
    )


@lru_cache(maxsize=256)
def _outcome(rules: Ruleset, live: LiveMap, packed: bytes, hidden: tuple[str, ...]) -> TurnOutcome:
    judged = decode_json(packed, type=OutcomeFacts)
    verdicts, numbers = drawn(rules, judged)
    position = kept_position(rules, msgspec.json.encode(judged.position))
    svg = live.atlas.state_layer(position, verdicts, hidden=hidden)
    return TurnOutcome(svg, verdict_rows(judged.verdicts, rules.name, numbers), steps_of(verdicts))


def drawn(rules: Ruleset, result: TurnResult | OutcomeFacts) -> tuple[list[Verdict], dict[int, int]]:
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
