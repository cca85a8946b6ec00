"""Analysis of finished games: how every power's outlook moved, what a strong bot would have ordered, and which orders
cost or saved most.

A sheet is judged by what it leads to on average: against samples of what the others might have ordered (drawn from the
policy of human orders), by the outlook of the position that follows. So a sheet that was only unlucky is no mistake,
and one that was only lucky is."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import numpy as np

from legation.formats import decode_json
from legation.game import Game, load_game
from legation.game.log import PlayedTurn
from legation.game.scores import outcomes
from legation.judge import Ruleset
from legation.lab.dense.layout import *
from legation.lab.dense.tables import why_interpreted
from legation.lab.games import Games
from legation.lab.openings import opening_name
from legation.lab.policy.drawing import Policy
from legation.lab.policy.encoding import Memory, graph_of, remember
from legation.notation import write
from legation.position import Phase, Position
from legation.variants import Registry, plain_name

REPLIES = 512
"""So many samples of what the others order: by the first half the best sheet is chosen, by the second it is priced, as
what is best in some samples looks better there than it is."""
DRAWN = 128
"""So many sheets of each power are drawn for the samples, which combine them."""
LIKELY, LIKELY_DRAWN = 24, 24
"""Sheets of a power that are compared: the likeliest ones by the policy, and others drawn from it."""
FIRST, FINALISTS = 32, 12
"""Samples by which all sheets are compared first, and how many of the best are then compared by half of all samples."""
LIKELIER = 0.004
"""How much worse a sheet may be for each unit of the logarithm by which it is likelier."""
MISTAKE, BLUNDER = 0.05, 0.1
"""How much of a whole game a sheet must cost to be called so."""
DECISIVE = 0.01
"""How much an order must gain or cost to be told as the decisive one."""
TURNING = 0.08
"""How much an outlook must move in one turn to make it a turning point."""


class AnalysisError(ValueError):
    """A game that cannot be analyzed, and why."""


class Edit(msgspec.Struct, frozen=True):
    """One unit's order, a better one, and how much that alone gains."""

    order: str
    better: str
    gain: float


class JudgedSheet(msgspec.Struct, frozen=True):
    """What a power ordered in a movement turn, beside the best sheet that was found.

    ``outlook`` is the mean over the samples, with what was ordered; ``best_outlook`` with the best sheet; ``centers``
    how many more centers the best sheet would have held against what the others really ordered."""

    power: str
    orders: tuple[str, ...]
    best: tuple[str, ...]
    outlook: float
    best_outlook: float
    centers: int
    edits: tuple[Edit, ...] = ()

    @property
    def loss(self) -> float:
        """How much the sheet cost, as a part of a whole game."""
        return max(0.0, self.best_outlook - self.outlook)

    @property
    def grade(self) -> str:
        """``blunder``, ``mistake`` or nothing."""
        return "blunder" if self.loss >= BLUNDER else "mistake" if self.loss >= MISTAKE else ""


class AnalyzedTurn(msgspec.Struct, frozen=True):
    """A turn: every power's outlook when it began (about the score to come, 0 to 1), and in movement its sheets and a
    sentence on the order that decided most. ``openings`` are the names of first sheets that have one, by power."""

    number: int
    turn: str
    outlooks: Mapping[str, float]
    sheets: tuple[JudgedSheet, ...] = ()
    decisive: str = ""
    openings: Mapping[str, str] = {}


class TurningPoint(msgspec.Struct, frozen=True):
    """A turn in which a power's outlook moved much."""

    turn: str
    power: str
    before: float
    after: float


class Analyst:
    """Judges positions and sheets of one variant.

    :raises AnalysisError: for a variant that has no dense form."""

    def __init__(self, rules: Ruleset, seed: str = "analysis") -> None:
        if reason := why_interpreted(rules):
            raise AnalysisError(f"{rules.title} can’t be analyzed: {reason}")
        self.rules = rules
        self.seed = seed
        self.games = Games(rules, ["position"])
        self.powers = self.games.codec.powers

    def outlooks(self, position: Position) -> dict[str, float]:
        """Return every power's outlook; outlooks are 0 or more and add up to 1."""
        self.games.set_position(0, position)
        values = np.clip(self.games.outlooks(0), 0, None)
        total = values.sum()
        shares = values / total if total > 0 else np.full(len(values), 1 / len(values))
        return dict(zip(self.powers, shares.round(4).tolist(), strict=True))

    def sheets(self, turn: PlayedTurn, number: int, memory: Memory | None = None) -> Iterator[JudgedSheet]:
        """Judge what every power with units ordered in a movement turn; ``memory`` is of the movement turn before.

        Which sheets are weighed doesn't depend on the seed, only what they are weighed against."""
        position = turn.resolution.before
        games = self.games
        games.set_position(0, position)
        codes = self._codes()
        owners = games.state.units[0, POWER, : games.state.game[0, COUNT]].copy()
        actual = self._played(turn, codes)
        policy = Policy(self.rules, position, memory)
        replies = self._replies(policy, codes, owners, Random(f"{self.seed}: {number}"))
        for power, name in enumerate(self.powers):
            units = np.flatnonzero(owners == power)
            if not len(units):
                continue
            likely = self._likely(policy, name, Random(f"{number}: {name}"))
            sheets = np.array([self._encoded(orders, codes, actual, units) for orders in likely])
            best = self._best(power, units, sheets, np.array([*likely.values()]), replies[: REPLIES // 2])
            yield self._judged(name, power, units, actual, best, replies[REPLIES // 2 :], codes)

    def decisive(self, turn: PlayedTurn) -> str:
        """Return a sentence on the order that gained its power most in a movement turn, against the same orders with
        that unit holding."""
        games = self.games
        games.set_position(0, turn.resolution.before)
        codes = self._codes()
        actual = self._played(turn, codes)
        count = len(actual)
        tried = np.tile(actual, (count + 1, 1))
        tried[np.arange(count), np.arange(count)] = HOLDS
        *without, given = games.try_movements(0, tried)
        owners = games.state.units[0, POWER, :count]
        gains = given - np.array(without).reshape(count, len(self.powers))
        own = gains[np.arange(count), owners]
        if not count or own.max() < DECISIVE:
            return "No single order decided much."
        i = int(own.argmax())
        order, power, other = codes[i][1][int(actual[i])], self.powers[owners[i]], int(gains[i].argmin())
        cost = f" and cost {self.powers[other]} {points(-gains[i, other])}" if gains[i, other] <= -DECISIVE else ""
        return f"{order} ({power}) decided most: it gained {points(own[i])} of 100{cost}."

    def _likely(self, policy: Policy, name: str, random: Random) -> dict[tuple[str, ...], float]:
        """Sheets that a power might have sent, with the logarithm of how likely people are to."""
        likely: dict[tuple[str, ...], float] = {}
        for sheet, chance in (*policy.likeliest(name, LIKELY), *policy.draw(name, random, LIKELY_DRAWN)):
            likely.setdefault(tuple(sorted(map(write, sheet.orders))), chance)
        return likely

    def _best(self, power: int, units: Any, sheets: Any, chances: Any, replies: Any) -> Any:
        """The sheet that does best; of two that do as well, the likelier."""
        worth = self._means(power, units, sheets, replies[:FIRST]) + LIKELIER * chances
        last = np.argsort(-worth, kind="stable")[:FINALISTS]
        worth = self._means(power, units, sheets[last], replies) + LIKELIER * chances[last]
        return sheets[last[int(np.argmax(worth))]]

    def _judged(
        self, name: str, power: int, units: Any, actual: Any, best: Any, replies: Any, codes: Any
    ) -> JudgedSheet:
        changed = [i for i in units.tolist() if best[i] != actual[i]]
        tried = np.tile(actual, (2 + len(changed), 1))
        tried[1] = best
        for row, i in enumerate(changed, 2):
            tried[row, i] = best[i]
        played, value, *each = self._means(power, units, tried, replies).tolist()
        if value <= played:
            best, value, changed = actual, played, []
        edits = [
            Edit(codes[i][1][int(actual[i])], codes[i][1][int(best[i])], round(gained - played, 4))
            for i, gained in zip(changed, each, strict=False)
        ]
        edits.sort(key=lambda edit: -edit.gain)
        held = self._held(power, units, best, actual) - self._held(power, units, actual, actual)
        texts = [tuple(codes[i][1][int(sheet[i])] for i in units) for sheet in (actual, best)]
        return JudgedSheet(name, texts[0], texts[1], round(played, 4), round(value, 4), held, tuple(edits))

    def _codes(self) -> list[tuple[dict[str, int], dict[int, str]]]:
        found: list[tuple[dict[str, int], dict[int, str]]] = [({}, {}) for _ in range(self.games.state.game[0, COUNT])]
        for i, code, order in self.games.list_codes(0):
            text = write(order)
            found[i][0][text], found[i][1][code] = code, text
        return found

    def _played(self, turn: PlayedTurn, codes: Any) -> Any:
        """The orders that took effect, by unit; a unit without one that dense games know holds."""
        written = {write(verdict.order) for verdict in turn.resolution.verdicts}
        return np.array([next((codes[i][0][t] for t in codes[i][0] if t in written), HOLDS) for i in range(len(codes))])

    def _encoded(self, orders: Sequence[str], codes: Any, actual: Any, units: Any) -> Any:
        sheet = actual.copy()
        for i in units.tolist():
            sheet[i] = next((codes[i][0][text] for text in orders if text in codes[i][0]), HOLDS)
        return sheet

    def _replies(self, policy: Policy, codes: Any, owners: Any, random: Random) -> Any:
        """Return samples of what all powers might order (samples x units). Each sheet drawn for a power comes in
        several samples, each time with other sheets of the other powers."""
        samples = np.full((REPLIES, len(codes)), HOLDS, np.int64)
        none = samples[0]
        for power, name in enumerate(self.powers):
            units = np.flatnonzero(owners == power)
            if not len(units):
                continue
            rows = []
            for found in policy.draw(name, random, DRAWN):
                texts = [write(order) for order in found.sheet.orders]
                rows.append(self._encoded(texts, codes, none, units)[units])
            for begin in range(0, REPLIES, DRAWN):
                samples[begin : begin + DRAWN, units] = np.array(random.sample(rows, DRAWN))
        return samples

    def _means(self, power: int, units: Any, sheets: Any, replies: Any) -> Any:
        """The mean outlook of a power with each of some sheets of its own, against the samples."""
        orders = np.tile(replies, (len(sheets), 1))
        orders[:, units] = np.repeat(sheets[:, units], len(replies), axis=0)
        outlooks = self.games.try_movements(0, orders)[:, power]
        return outlooks.reshape(len(sheets), len(replies)).mean(axis=1)

    def _held(self, power: int, units: Any, sheet: Any, others: Any) -> int:
        orders = others.copy()
        orders[units] = sheet[units]
        self.games.try_movements(0, orders[None])
        t, s = self.games.tables, self.games.state
        trial = len(self.games)
        holder = s.places[trial, OWNER].copy()
        count = s.game[trial, COUNT]
        holder[t.province[s.units[trial, LOCATION, :count]]] = s.units[trial, POWER, :count]
        return int(((holder == power) & (t.places[IS_CENTER] == 1)).sum())


def analyze(game: Game, only: int | None = None, seed: str = "analysis") -> Iterator[AnalyzedTurn]:
    """Yield the analysis of every turn of a game that has ended; sheets of turn number ``only`` alone, where given.

    :raises AnalysisError: for a variant that has no dense form, and for a turn that the game has not."""
    if only is not None and not 0 <= only < len(game.turns):
        raise AnalysisError(f"the game has turns 1 to {len(game.turns)}, not {only + 1}")
    analyst = Analyst(game.rules, seed)
    memory: Memory | None = None
    for number, turn in enumerate(game.turns):
        before = turn.resolution.before
        movement = before.turn.phase is Phase.MOVEMENT
        sheets: tuple[JudgedSheet, ...] = ()
        decisive = ""
        if movement and only in (None, number):
            sheets, decisive = tuple(analyst.sheets(turn, number, memory)), analyst.decisive(turn)
        if movement:
            memory = remember(graph_of(game.rules), before, turn.resolution.verdicts)
        openings = opening_names(game.rules, turn) if before.turn == game.rules.first_turn() else {}
        yield AnalyzedTurn(number, str(before.turn), analyst.outlooks(before), sheets, decisive, openings)
    yield AnalyzedTurn(len(game.turns), "The end", final_outlooks(game), ())


def opening_names(rules: Ruleset, turn: PlayedTurn) -> dict[str, str]:
    """Return the names of the first sheets that have one, by power."""
    orders: dict[str, list[str]] = {}
    for verdict in turn.resolution.verdicts:
        orders.setdefault(verdict.power, []).append(write(verdict.order))
    names = {power: opening_name(plain_name(rules.name), power, orders.get(power, ())) for power in rules.powers}
    return {power: name for power, name in names.items() if name}


def final_outlooks(game: Game) -> dict[str, float]:
    """Return what came of the game for every power: all for a solo, equal parts of a draw, else shares of the squared
    centers."""
    told = outcomes(game.position, game.ending, game.rules.powers)
    return {power: round(value, 4) for power, value in told.items()}


def turning_points(turns: Sequence[AnalyzedTurn]) -> list[TurningPoint]:
    """Return the turns in which a power's outlook moved most, in their order: of each turn the power that moved
    most."""
    found = []
    for turn, following in pairwise(turns):
        power = max(turn.outlooks, key=lambda name: abs(following.outlooks[name] - turn.outlooks[name]))
        before, after = turn.outlooks[power], following.outlooks[power]
        if abs(after - before) >= TURNING and following.turn != "The end":
            found.append(TurningPoint(turn.turn, power, before, after))
    return found


def points(part: float) -> str:
    """Return a part of the game as a phrase: "1 point", "12 points"."""
    count = round(100 * part)
    return f"{count} point{'' if count == 1 else 's'}"


def told(judged: JudgedSheet) -> list[str]:
    """Return what is said of a sheet, line by line; nothing where nothing better was found."""
    if not judged.grade:
        return []
    lines = [
        f"{judged.power}: a {judged.grade}. It cost {points(judged.loss)} of 100 against what the others might have "
        "ordered"
        + (
            f", and {judged.centers} center{'' if judged.centers == 1 else 's'} against what they did order."
            if judged.centers > 0
            else "."
        )
    ]
    for edit in judged.edits:
        if edit.gain > 0.005:
            lines.append(f"{edit.better} instead of {edit.order} alone gains {points(edit.gain)}.")
    lines.append(f"Best found: {'; '.join(judged.best)}.")
    return lines


def analyze_saved(kept: bytes, saved: bytes, folders: Sequence[str] = ()) -> dict[str, Any]:
    """Return the analysis of a saved game (JSON) by the kept rules of its variant, as plain values for a page: run in a
    child process. ``folders`` hold rules in Python.

    ``turns`` have the outlooks, the order that decided most, the names of openings, and the sheets that were mistakes,
    with what is told of them; ``points`` are the turning points."""
    registry, variant = Registry.with_kept(kept, folders)
    turns = list(analyze(load_game({**decode_json(saved), "variant": variant}, registry)))
    return {
        "turns": [
            {
                "number": turn.number,
                "turn": turn.turn,
                "outlooks": dict(turn.outlooks),
                "decisive": turn.decisive,
                "openings": dict(turn.openings),
                "sheets": [
                    {**msgspec.to_builtins(sheet), "grade": sheet.grade, "loss": sheet.loss, "told": told(sheet)}
                    for sheet in turn.sheets
                    if sheet.grade
                ],
            }
            for turn in turns
        ],
        "points": msgspec.to_builtins(turning_points(turns)),
    }
