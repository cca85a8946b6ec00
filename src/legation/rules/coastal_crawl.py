"""Fleets that pass each other along two coasts of one province. No built-in variant uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from legation.judge import Rule
from legation.judge.core import BY_COAST, BY_LAND, MOVE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from legation.judge import Ruleset
    from legation.judge.matching import Matching


class CoastalCrawl(Rule):
    """Two fleets can exchange places if one leaves a province from another coast than the one at which the other
    arrives."""

    key = "coastal_crawl"

    def match(self, rules: Ruleset, matching: Matching) -> None:
        for i, unit in enumerate(matching.units):
            if matching.order[i] != MOVE or "/" not in unit.at:
                continue
            j = matching.occupant[matching.target[i]]
            if j < 0 or matching.order[j] != MOVE or matching.target[j] != matching.place[i]:
                continue
            if "/" in matching.arrives[j] and matching.arrives[j] != unit.at:
                for k in (i, j):
                    matching.via[k] = BY_COAST if matching.via[k] == BY_LAND else matching.via[k]

    def basics(self, rules: Ruleset) -> Mapping[str, str]:
        text = (
            "Two units cannot exchange places, unless one of them is carried over the sea, or both are fleets "
            "that pass along different coasts; three or more can move round in a circle."
        )
        return {"exchange": text}

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            "Two fleets that move to each other's provinces pass each other if one of them leaves a province by "
            "another coast than that at which the other arrives.",
        )
