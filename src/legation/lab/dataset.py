"""Games as a table to learn from: a row for each power in each turn, with what it saw, could order and did order.

The planes are those of :class:`~legation.lab.planes.Planes`, as whole numbers 0 and 1 without the last (the year has a
column of its own), row by row; their names and shape stand in the file's metadata (``planes``, ``locations``), with the
variant. One file holds games of one variant."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from legation.game import Game
from legation.game.scores import outcomes
from legation.judge import Outcome, Ruleset, legal_orders
from legation.lab.planes import Planes
from legation.notation import write

ROWS = 2000
"""So many rows are held before they are written."""


class DatasetError(ValueError):
    """Raised for games that can't be put into one table."""


def schema_of(rules: Ruleset) -> pa.Schema:
    """Return the columns of a variant's table."""
    planes = Planes(rules)
    told = {
        "variant": rules.name,
        "rules": rules.digest,
        "planes": msgspec.json.encode(planes.names[:-1]),
        "locations": msgspec.json.encode(planes.locations),
    }
    return pa.schema(
        [
            ("game", pa.string()),
            ("number", pa.int32()),  # of the turn in the game
            ("turn", pa.string()),
            ("year", pa.int32()),
            ("phase", pa.string()),
            ("power", pa.string()),
            ("planes", pa.list_(pa.uint8(), planes.shape[0] * (planes.shape[1] - 1))),
            ("legal", pa.list_(pa.string())),  # its legal orders, sorted
            ("orders", pa.list_(pa.string())),  # that took effect
            ("chosen", pa.list_(pa.int32())),  # where they stand among the legal ones; -1 for those that do not
            ("succeeds", pa.list_(pa.bool_())),  # what came of them
            ("centers", pa.int32()),  # before the turn
            ("centers_after", pa.int32()),
            ("score", pa.float32()),  # of the whole game: 1 for a solo, parts of a draw, else of squared centers
            ("ended", pa.bool_()),  # whether the game came to an ending
        ],
        metadata=told,
    )


def rows_of(game: Game, planes: Planes, name: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of one game."""
    rules = game.rules
    scores = outcomes(game.position, game.ending, game.rules.powers)
    for number, turn in enumerate(game.turns):
        before, after = turn.resolution.before, turn.resolution.after
        legal = legal_orders(rules, before)
        for power in rules.powers:
            verdicts = [v for v in turn.resolution.verdicts if v.power == power]
            if not verdicts and not legal[power]:
                continue
            listed = sorted(write(order) for order in legal[power])
            place = {text: n for n, text in enumerate(listed)}
            orders = [write(verdict.order) for verdict in verdicts]
            yield {
                "game": name,
                "number": number,
                "turn": str(before.turn),
                "year": before.turn.year,
                "phase": before.turn.phase.value,
                "power": power,
                "planes": planes.of(before, power)[:, :-1].astype("uint8").ravel(),
                "legal": listed,
                "orders": orders,
                "chosen": [place.get(text, -1) for text in orders],
                "succeeds": [verdict.outcome is Outcome.SUCCEEDS for verdict in verdicts],
                "centers": len(before.centers_of(power)),
                "centers_after": len(after.centers_of(power)),
                "score": scores[power],
                "ended": game.ending is not None,
            }


def write_dataset(games: Iterable[tuple[str, Game]], path: Path) -> tuple[int, int]:
    """Write games, given with their names, as one Parquet file; return how many games and rows there are.

    The file appears whole or not at all; memory does not grow with the games.

    :raises DatasetError: for no games, and for games of several variants or editions."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    waiting: list[dict[str, Any]] = []
    first: Ruleset | None = None
    count = rows = 0
    try:
        with ExitStack() as opened:
            for name, game in games:
                if first is None:
                    first, planes, schema = game.rules, Planes(game.rules), schema_of(game.rules)
                    writer = opened.enter_context(pq.ParquetWriter(unfinished, schema, compression="zstd"))
                elif game.rules.digest != first.digest:
                    raise DatasetError(
                        f"{name} is played by {game.rules.title}, the first game by {first.title} (or another edition "
                        "of it); write a file for each"
                    )
                count += 1
                for row in rows_of(game, planes, name):
                    waiting.append(row)
                    rows += 1
                    if len(waiting) >= ROWS:
                        writer.write_table(pa.Table.from_pylist(waiting, schema=schema))
                        waiting = []
            if first is None:
                raise DatasetError("there are no games")
            if waiting:
                writer.write_table(pa.Table.from_pylist(waiting, schema=schema))
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return count, rows
