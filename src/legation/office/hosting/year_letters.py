"""The letters at a year's end (W-21a): for each player what goes into the post, and on which day it went."""

from __future__ import annotations

from datetime import date

from legation.office.context import CommandContext, GameContext, command, query
from legation.office.errors import ConflictError, InvalidInputError
from legation.office.hosting.absences import read_day
from legation.office.records import YearLetter, YearLetters
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import DeskRow, TurnRow

LETTERS = "letters"  # the item on the desk of a game whose year has ended


@query("coordinate", "GET /games/{game}/year-letters", coordinator="any")
def year_letters(act: CommandContext, game: str) -> YearLetters | None:
    """Return the letters on the last year that has ended, with the days on which they were posted; None while no year
    has."""
    scene = act.authorize_game(game)
    row = _item(scene)
    return _told(scene, row) if row is not None else None


@command("coordinate", "PUT /games/{game}/year-letters/{power}", coordinator="any")
def posted_letter(act: CommandContext, game: str, power: str, day: str = "") -> YearLetters:
    """Say on which day (today, if none is said) the letter to a power was posted; once all are, nothing waits on the
    desk.

    :raises ConflictError: where no letter is due to that power.
    :raises InvalidInputError: for a day that is not over, or was before the results."""
    scene = act.authorize_game(game, power)
    row = _item(scene)
    letters = unpack(row.facts)["letters"] if row is not None else {}
    if row is None or scene.held.power not in letters:
        raise ConflictError(f"No year-end letter is due to {scene.named(scene.held.power)}.")
    on = read_day(day, "day") if day else act.now.date()
    ended = date.fromisoformat(unpack(row.facts)["ended"])
    if not ended <= on <= act.now.date():
        raise InvalidInputError(
            "A letter is posted after the results are out, and today at the latest.", faults=["day: out of bounds"]
        )
    letters[scene.held.power] = on.isoformat()
    left = sum(not posted for posted in letters.values())
    facts = {**unpack(row.facts), "letters": letters, "count": left}
    done = {"done": act.at, "person": act.actor.person, "note": "posted"} if not left and row.done is None else {}
    row = act.tx.change(row, facts=pack(facts), **done)
    turn = act.tx.get(TurnRow, row.turn)
    scene.append_journal("letter posted", turn=turn, seat=scene.held, name=turn.name, day=on.isoformat())
    return _told(scene, row)


def _item(scene: GameContext) -> DeskRow | None:
    rows = scene.tx.all(DeskRow, game=scene.row.id, kind=LETTERS, order="-id", limit=1)
    return rows[0] if rows else None


def _told(scene: GameContext, row: DeskRow) -> YearLetters:
    letters, turn = unpack(row.facts)["letters"], scene.tx.get(TurnRow, row.turn)
    people = {seat.power: person.name for seat, person in scene.people()}
    return YearLetters(
        game=scene.row.key,
        turn=turn.name,
        letters=tuple(
            YearLetter(power=power, name=people.get(power, ""), posted=posted or None)
            for power, posted in letters.items()
        ),
    )
