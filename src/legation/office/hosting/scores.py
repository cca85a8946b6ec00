"""Points of finished games, by the scoring system that each was played by."""

import msgspec

from legation.judge import Ending
from legation.office.context import GameContext, query
from legation.office.errors import InvalidInputError
from legation.office.game.turns import opening_of, position_of
from legation.office.records import PUBLISHED, Points
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import SeatRow, TurnRow
from legation.scoring import SYSTEMS, Outcome, outcome_of
from legation.scoring.outcome import decided_by, standing_of


@query("read", "GET /games/{game}/points", visitor="ended")
def points(scene: GameContext, system: str = "") -> Points | None:
    """Return what a finished game is worth to each power: by the system that it was played by, or by another one; None
    for a game that was played by none.

    :raises InvalidInputError: for a system that there is not."""
    name = system or scene.settings.scoring
    if not name:
        return None
    if name not in SYSTEMS:
        there = tuple(SYSTEMS)
        raise InvalidInputError(f"There is no scoring system {name[:40]!r}.", suggestions=there, faults=["system"])
    found = SYSTEMS[name]
    return Points(system=found.key, name=found.name, formula=found.formula, points=found.score(outcome_of_scene(scene)))


def outcome_of_scene(scene: GameContext) -> Outcome:
    """The outcome of a game, or how it stands."""
    rules, rows = scene.rules, scene.tx.all(TurnRow, game=scene.row.id, state=list(PUBLISHED), order="number")
    positions = [position_of(rules, row.position) for row in rows]
    last = [position_of(rules, pack(unpack(rows[-1].result)["after"]))] if rows else [opening_of(scene)]
    standings = [standing_of(position) for position in positions + last]
    return outcome_of(rules.played, len(rules.board.centers), standings, ending_of(scene.row.ending))


def ending_of(packed: bytes) -> Ending | None:
    """The ending of a game, as its row has it."""
    told = unpack(packed)
    return msgspec.convert(told, Ending) if told else None


def outcome_of_seats(seats: list[SeatRow], ending: Ending | None, total: int = 0) -> Outcome:
    """The outcome of a game by its seats alone, without the years of eliminations. ``total``: the board's centers, if
    not all of them are owned."""
    return Outcome(
        {seat.power: seat.centers for seat in seats},
        total or max(1, sum(seat.centers for seat in seats)),
        out={seat.power: 1 for seat in seats if not seat.survives},
        **decided_by(ending),
    )
