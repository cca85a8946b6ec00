"""Positions and results as they stand in a journal: JSON in a text, without what is only wording."""

from typing import Any

from legation.game import position_document
from legation.game.documents import after_document, ending_document, lots_document
from legation.game.log import PlayedTurn
from legation.judge import Ruleset
from legation.notation import write
from legation.position import Position
from legation.proofs.canonical import compact


def position_text(rules: Ruleset, position: Position) -> str:
    """A position for a ``standing`` line."""
    return compact(_plain(position_document(rules, position)))


def result_text(rules: Ruleset, turn: PlayedTurn) -> str:
    """What came of a turn, for a ``results`` line: orders, verdicts, what was not understood, lots, the position after,
    the ending. Causes are left out: they follow from the rest, and their wording may change."""
    resolution = turn.resolution
    ending = ending_document(resolution.ending)
    verdicts = [
        {"power": v.power, "order": write(v.order), "outcome": v.outcome.value, "dislodged_from": v.dislodged_from}
        for v in resolution.verdicts
    ]
    return compact(
        {
            "orders": {sheet.power: [write(order) for order in sheet.orders] for sheet in turn.sheets},
            "verdicts": sorted(verdicts, key=lambda v: (v["power"], v["order"], v["outcome"])),
            "unread": [[line.power, line.text] for line in turn.unread],
            "lots": lots_document(resolution.lots),
            "after": _plain(after_document(rules, resolution.after, None)),
            "ending": ending and {key: ending[key] for key in ("kind", "powers")},
        }
    )


def _plain(position: dict[str, Any]) -> dict[str, Any]:
    """A position without what line 1 says of the whole game; what is listed in no order is sorted."""
    plain = {key: value for key, value in position.items() if key not in ("format", "rules", "options", "variant")}
    for key in ("units", "centers", "dislodged"):
        if key in plain:
            plain[key] = {power: sorted(listed, key=str) for power, listed in plain[key].items()}
    if "contested" in plain:
        plain["contested"] = sorted(plain["contested"])
    return plain
