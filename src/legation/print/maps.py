"""The set of maps that players get at the start (Annexe 2 of the rulebook, W-25)."""

from __future__ import annotations

from collections.abc import Mapping

from legation.atlas import Atlas
from legation.judge import Ruleset


def map_set(rules: Ruleset, atlas: Atlas) -> Mapping[str, bytes]:
    """PDF documents by name: the start with control, the start with control and units, and boards to print and play on,
    without control, in A3 and A2."""
    start = rules.opening()
    return {
        "start": atlas.pdf(start, title=rules.title, control=True, units=False),
        "start-units": atlas.pdf(start, title=rules.title, control=True, units=True),
        "board-A3": atlas.pdf(None, title=rules.title, control=False, units=False, paper="A3"),
        "board-A2": atlas.pdf(None, title=rules.title, control=False, units=False, paper="A2"),
    }
