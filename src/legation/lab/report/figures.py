"""The numbers of a result that a report tells: read from its tables, with intervals."""

import math
from bisect import bisect_right
from collections import defaultdict
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from legation.bots.intervals import wilson
from legation.judge import Ruleset
from legation.lab.dense.tables import turns_of
from legation.lab.intervals import all_alike, scores_alike
from legation.lab.report.charts import Interval
from legation.lab.results import Results


class ReportFigures:
    """What is counted of one result; arrays are games x powers unless told otherwise."""

    def __init__(self, results: Results, rules: Ruleset) -> None:
        self.results = results
        self.rules = rules
        self.plan = results.plan
        self.powers = list(rules.powers)
        self.recorded = results.plan.record
        self.played = results.table("games").to_pydict()
        self.games = len(self.played["game"])
        self.index = {game: n for n, game in enumerate(self.played["game"])}
        rows = results.table("powers")
        at = self.rows_of(rows["game"]), self._columns_of(rows["power"])
        self.solo, self.draw, self.survives = (self._spread(rows[name], at) for name in ("solo", "draw", "survives"))
        self.centers, self.score, self.faults = (
            self._spread(rows[name], at) for name in ("centers", "score", "faults")
        )
        self.z = NormalDist().inv_cdf(1 - 0.05 / (2 * len(self.powers)))

    def rows_of(self, games: Any) -> Any:
        """Return the place of each game in the arrays."""
        known = np.array(self.played["game"])
        return np.searchsorted(known, games.to_numpy())

    def _columns_of(self, powers: Any) -> Any:
        return pc.index_in(powers, value_set=pa.array(self.powers)).to_numpy()

    def _spread(self, column: Any, at: tuple[Any, Any]) -> Any:
        values = np.zeros((self.games, len(self.powers)))
        values[at] = column.to_numpy(zero_copy_only=False)
        return values

    # Shares

    def share(self, what: Any) -> list[Interval]:
        """Return each power's share with Wilson's interval, at 95 % for all powers together."""
        counts = what.sum(axis=0)
        found = []
        for count in counts.tolist():
            low, high = wilson(int(count), self.games, self.z)
            found.append((low, count / self.games, high))
        return found

    @cached_property
    def scores(self) -> list[Interval]:
        """Each power's mean score, at 95 % for all powers together."""
        mean = self.score.mean(axis=0)
        error = self.score.std(axis=0, ddof=1) / math.sqrt(self.games) if self.games > 1 else np.full(len(mean), 1.0)
        return [
            (max(0.0, m - self.z * e), m, min(1.0, m + self.z * e))
            for m, e in zip(mean.tolist(), error.tolist(), strict=True)
        ]

    @cached_property
    def alike(self) -> tuple[float, float]:
        """How often solos, and scores, at least as uneven would come about if all powers were alike."""
        return all_alike([int(count) for count in self.solo.sum(axis=0)]), scores_alike(self.score)

    # Length

    @cached_property
    def endings(self) -> dict[str, int]:
        """How many games ended how; ``""`` for those whose turns ran out."""
        counts: dict[str, int] = defaultdict(int)
        for ending in self.played["ending"]:
            counts[ending or ""] += 1
        return dict(counts)

    @cached_property
    def last_years(self) -> Any:
        """The year in which each game ended."""
        return np.array(self.played["year"])

    # Over the years

    @cached_property
    def calendar(self) -> list[int]:
        """The years that are played, one after the other; a variant may leave some out."""
        return sorted({turn.year for turn in turns_of(self.rules)})

    @cached_property
    def lengths(self) -> Any:
        """How many years of the calendar each game had."""
        return np.searchsorted(self.calendar, self.last_years) + 1

    @cached_property
    def over_years(self) -> tuple[list[int], Any]:
        """The years, and each power's centers after each of them, games x years x powers; a game that has ended keeps
        the centers it ended with."""
        rows = self.results.table("turns")
        years = self.calendar[: int(self.lengths.max())]
        counts = np.full((self.games, len(years), len(self.powers)), -1, np.int16)
        when = np.searchsorted(self.calendar, rows["year"].to_numpy())
        at = self.rows_of(rows["game"]), when, self._columns_of(rows["power"])
        counts[at] = rows["centers"].to_numpy()  # a later turn of the year overwrites an earlier one
        for n in range(1, len(years)):
            gone = counts[:, n] < 0
            counts[:, n][gone] = counts[:, n - 1][gone]
        return years, counts

    @cached_property
    def eliminated(self) -> list[tuple[float, float | None]]:
        """For each power the share of games in which it is gone at the end, and the mean year of that."""
        rows = self.results.table("turns")
        alive = (rows["centers"].to_numpy() > 0) | (rows["units"].to_numpy() > 0)
        last = np.full((self.games, len(self.powers)), self.rules.first_turn().year - 1)
        at = self.rows_of(rows["game"])[alive], self._columns_of(rows["power"])[alive]
        np.maximum.at(last, at, rows["year"].to_numpy()[alive])
        gone = self.survives == 0
        return [
            (float(gone[:, n].mean()), float(last[gone[:, n], n].mean()) if gone[:, n].any() else None)
            for n in range(len(self.powers))
        ]

    # What was recorded

    @cached_property
    def contacts(self) -> dict[tuple[str, str], tuple[float, float]]:
        """For each pair of powers the share of games in which they met, and the median year of their first contact."""
        rows = self.results.table("contacts").to_pydict()
        met: dict[tuple[str, str], list[int]] = defaultdict(list)
        for power, other, year in zip(rows["power"], rows["other"], rows["year"], strict=True):
            if year is not None:
                met[power, other].append(year)
        return {pair: (len(years) / self.games, float(np.median(years))) for pair, years in met.items()}

    @cached_property
    def places(self) -> dict[str, tuple[float, float, float]]:
        """For each province, over all games: turns with a unit in it, changes of hands a game, and the share of games
        in which a center got another owner than in the beginning."""
        rows = self.results.table("places")
        sums = rows.group_by("province").aggregate([("stays", "sum"), ("changes", "sum"), ("taken", "count")])
        return {
            row["province"]: (row["stays_sum"], row["changes_sum"] / self.games, row["taken_count"] / self.games)
            for row in sums.to_pylist()
        }

    @cached_property
    def borders(self) -> dict[tuple[str, str], tuple[float, float, float]]:
        """For each border, both ways together: moves, bounces and dislodgements a game; names in their order."""
        rows = self.results.table("borders").group_by(["from", "to"])
        sums = rows.aggregate([(name, "sum") for name in ("moves", "bounced", "dislodged")]).to_pylist()
        found: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
        for row in sums:
            pair = (min(row["from"], row["to"]), max(row["from"], row["to"]))
            for k, name in enumerate(("moves", "bounced", "dislodged")):
                found[pair][k] += row[f"{name}_sum"] / self.games
        return {pair: (v[0], v[1], v[2]) for pair, v in found.items()}

    @cached_property
    def orders(self) -> dict[str, dict[str, int]]:
        """For each kind of order, how many there were by outcome."""
        sums = self.results.table("orders").group_by(["what", "outcome"]).aggregate([("count", "sum")]).to_pylist()
        found: dict[str, dict[str, int]] = defaultdict(dict)
        for row in sums:
            found[row["what"]][row["outcome"]] = row["count_sum"]
        return dict(found)

    @cached_property
    def openings(self) -> dict[str, list[tuple[str, int, float]]]:
        """For each power its opening sheets, how often each was played and the mean score with it; the commonest
        first."""
        rows = self.results.table("openings").to_pydict()
        column = {power: n for n, power in enumerate(self.powers)}
        found: dict[str, dict[str, list[float]]] = {power: defaultdict(list) for power in self.powers}
        for game, power, text in zip(rows["game"], rows["power"], rows["orders"], strict=True):
            found[power][text].append(self.score[self.index[game], column[power]])
        return {
            power: sorted(
                ((text, len(scores), float(np.mean(scores))) for text, scores in sheets.items()),
                key=lambda item: (-item[1], item[0]),
            )
            for power, sheets in found.items()
        }

    @cached_property
    def still(self) -> Any:
        """For each game, how many years of the calendar at its end no center changed hands."""
        rows = self.results.table("changed").to_pydict()
        last = np.zeros(self.games, int)
        turns = self.results.table("turns")
        kept = turns.filter(pc.equal(turns["power"], self.powers[0]))
        played, numbers, years = (kept[name].to_pylist() for name in ("game", "number", "year"))
        when = dict(zip(zip(played, numbers, strict=True), years, strict=True))
        for game, number in zip(rows["game"], rows["number"], strict=True):
            n = self.index[game]
            last[n] = max(last[n], bisect_right(self.calendar, when[game, number]))
        return self.lengths - last

    @cached_property
    def changes_a_year(self) -> float:
        """How many centers change hands in a year of the calendar, first captures among them."""
        years = self.lengths.sum()
        return float(sum(self.results.table("changed")["changed"].to_pylist()) / max(1, years))
