"""Results of a run: a folder with its plan and its tables as Parquet, one file of each for every finished piece.

``plan.json`` is the :class:`~legation.lab.runs.RunPlan`; ``games/*.parquet`` has a row for each game, ``powers`` one
for each power in each game, ``turns`` one for each power after each turn; a run that records has the tables of
:mod:`legation.lab.history` as well. pandas, DuckDB and Arrow read each of them as one table
(``pandas.read_parquet("results/games")``). A piece is written as a whole or not at all, so a stopped run can be
used, and continued."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from legation.formats import decode_json
from legation.game.scores import square_shares
from legation.judge import Ruleset
from legation.lab.history import RECORDED, columns, tabulate_history
from legation.lab.runs import PlayedGame, RunError, RunPlan, Standing, record_piece

GAMES = columns(
    "game int64, seed string, turns int32, last_turn string, year int32, ending string, winner string"
).append(pa.field("named", pa.list_(pa.string())))
"""``ending`` is solo, draw or ranking, null where the turns ran out; ``winner`` is that of a solo; ``named`` lists the
powers that the ending names, the best first."""
POWERS = columns(
    "game int64, power string, bot string, solo bool, draw bool, survives bool, centers int32, units int32, "
    "share float64, score float64, faults int32, fault string"
)
"""``draw``: it shares a draw or a ranking; ``share`` is of the sum of squares of centers; ``score`` 1 for a solo, else
the share, and 0 in a game that another won; ``faults`` are moves that the bot lost, ``fault`` when and why it lost the
last of them."""
TURNS = columns(
    "game int64, number int32, turn string, year int32, power string, centers int32, units int32, dislodged int32"
)
"""``dislodged`` are those of all powers that are still to retreat."""
TABLES = {"games": GAMES, "powers": POWERS, "turns": TURNS}
PLAN = "plan.json"


def tabulate(plan: RunPlan, powers: Sequence[str], played: Sequence[PlayedGame]) -> dict[str, pa.Table]:
    """Return the tables of some games."""
    games: list[tuple[Any, ...]] = []
    seats: list[tuple[Any, ...]] = []
    nothing = Standing("", 0, (0,) * len(powers), (0,) * len(powers), 0)
    for game in played:
        last = game.turns[-1] if game.turns else nothing
        kind, named = (game.ending.kind, game.ending.powers) if game.ending is not None else (None, ())
        winner = named[0] if kind == "solo" else None
        seed = plan.seed_of(game.number)
        games.append((game.number, seed, len(game.turns), last.turn, last.year, kind, winner, list(named)))
        shares = square_shares(dict(zip(powers, last.centers, strict=True)))
        for i, power in enumerate(powers):
            solo, draw = (power in named, False) if kind == "solo" else (False, power in named)
            standing = power in game.survivors, last.centers[i], last.units[i]
            worth = shares[power], float(solo) if kind == "solo" else shares[power]
            lost = game.faults.get(power, 0), game.reasons.get(power)
            seats.append((game.number, power, game.seats[i], solo, draw, *standing, *worth, *lost))
    turns = [
        (game.number, number, turn.turn, turn.year, power, turn.centers[i], turn.units[i], turn.dislodged)
        for game in played
        for number, turn in enumerate(game.turns)
        for i, power in enumerate(powers)
    ]
    return {"games": _table(games, GAMES), "powers": _table(seats, POWERS), "turns": _table(turns, TURNS)}


def _table(rows: Sequence[tuple[Any, ...]], schema: pa.Schema) -> pa.Table:
    """A table from its rows, in the order of its columns."""
    columns: list[Any] = list(zip(*rows, strict=True)) or [[]] * len(schema)
    return pa.table(columns, schema=schema)


def tabulate_piece(plan: RunPlan, piece: int, rules: Ruleset) -> dict[str, pa.Table]:
    """Play a piece and return the tables of its games."""
    played, history = record_piece(plan, piece, rules)
    tables = tabulate(plan, list(rules.powers), played)
    return tables if history is None else tables | tabulate_history(rules, history)


class Results:
    """The results of a run: a folder of Parquet tables.

    :raises RunError: if the folder has no results."""

    def __init__(self, folder: Path, plan: RunPlan) -> None:
        self.folder = folder
        self.plan = plan

    @classmethod
    def begin(cls, folder: Path, plan: RunPlan) -> Results:
        """Create the folder, or continue with one that has the same plan.

        :raises RunError: if the folder has another run or anything else in it."""
        if folder.exists() and not folder.is_dir():
            raise RunError(f"{folder} is a file; name a folder for the results")
        if folder.is_dir() and any(folder.iterdir()):
            known = cls.read(folder).plan
            if msgspec.structs.replace(known, games=plan.games) != plan or known.games > plan.games:
                raise RunError(f"{folder} contains a different run: {_difference(known, plan)}; name another folder")
        results = cls(folder, plan)
        for name in results.schemas:
            (folder / name).mkdir(parents=True, exist_ok=True)
        _replace(folder / PLAN, msgspec.json.format(msgspec.json.encode(plan), indent=1) + b"\n")
        return results

    @classmethod
    def read(cls, folder: Path) -> Results:
        """Open the results in a folder.

        :raises RunError: if it has none."""
        try:
            plan = decode_json((folder / PLAN).read_bytes(), type=RunPlan)
        except (OSError, msgspec.DecodeError) as error:
            reason = (error.strerror if isinstance(error, OSError) else "") or error
            raise RunError(f"{folder} holds no results: {PLAN}: {reason}") from None
        return cls(folder, plan)

    @property
    def schemas(self) -> dict[str, pa.Schema]:
        """Return the schemas of the tables, by name."""
        return TABLES | RECORDED if self.plan.record else TABLES

    @property
    def left(self) -> list[int]:
        """Return the pieces still to be played: those with missing files or other games."""
        return [piece for piece in range(self.plan.pieces) if not self._is_whole(piece)]

    def _is_whole(self, piece: int) -> bool:
        numbers = self.plan.numbers(piece)
        try:
            rows = {name: pq.read_metadata(self._file(name, piece)).num_rows for name in self.schemas}
        except (OSError, pa.ArrowInvalid):
            return False
        return bool(rows["games"] == len(numbers))

    def _file(self, table: str, piece: int) -> Path:
        return self.folder / table / f"{piece:06}.parquet"

    def add(self, piece: int, tables: dict[str, pa.Table]) -> None:
        """Write the files of a piece; the one of the games comes last and marks the piece as complete."""
        for name in sorted(self.schemas, key=lambda name: name == "games"):
            path = self._file(name, piece)
            unfinished = path.with_suffix(".unfinished")
            pq.write_table(tables[name], unfinished, compression="zstd")
            unfinished.replace(path)

    def table(self, name: str) -> pa.Table:
        """Return a table of all complete pieces.

        :raises RunError: if a file can't be read, or the run did not record this table."""
        if name not in self.schemas:
            raise RunError(f"{self.folder} has no table {name}: the games were played without recording it")
        whole = [self._file(name, piece) for piece in range(self.plan.pieces) if self._is_whole(piece)]
        try:
            return pa.concat_tables([pq.read_table(path) for path in whole] or [self.schemas[name].empty_table()])
        except (OSError, pa.ArrowInvalid) as error:
            raise RunError(f"{self.folder / name}: {error} Run the same command to play it again.") from None


def _difference(known: RunPlan, plan: RunPlan) -> str:
    fields = [name for name in plan.__struct_fields__ if getattr(known, name) != getattr(plan, name)]
    return ", ".join(f"{name} {getattr(known, name)!r} instead of {getattr(plan, name)!r}" for name in fields)


def _replace(path: Path, content: bytes) -> None:
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_bytes(content)
    unfinished.replace(path)
