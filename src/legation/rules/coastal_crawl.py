"""Fleets that pass each other along two coasts of one province. No built-in variant uses it."""

from collections.abc import Mapping

from legation.board import province_of
from legation.judge import Matching, Rule, Ruleset


class CoastalCrawl(Rule):
    """Two fleets can exchange places if one leaves a province from another coast than the one at which the other
    arrives."""

    key = "coastal_crawl"

    def match(self, rules: Ruleset, matching: Matching) -> None:
        for i, unit in enumerate(matching.units):
            if not matching.moves(i) or "/" not in unit.at:
                continue
            j = matching.unit_at(matching.arrives[i])
            meets = j >= 0 and matching.moves(j) and province_of(matching.arrives[j]) == unit.province
            if meets and "/" in matching.arrives[j] and matching.arrives[j] != unit.at:
                matching.pass_by(i)
                matching.pass_by(j)

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
