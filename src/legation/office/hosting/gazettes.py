"""The gazette: the text of a year's letter. The records of the year tell it until the coordinator edits it; then their
text is kept in the journal, and printed instead."""

from __future__ import annotations

from legation.game import replay
from legation.game.chronicle import chronicle
from legation.judge import Resolution, Ruleset
from legation.office.context import CommandContext, GameContext, command, query
from legation.office.errors import ConflictError, InvalidInputError
from legation.office.game.turns import find_turn
from legation.office.hosting import exports
from legation.office.records import Record
from legation.office.store.packing import unpack
from legation.office.store.rows import JournalRow
from legation.position import Phase

LONGEST = 20_000  # characters
EDITED = "gazette"  # the kind of its lines in the journal


class Gazette(Record, frozen=True, kw_only=True):
    """The text of the letter on the year that ends with a turn: paragraphs apart by an empty line, and headings, which
    begin with ``#``. ``edited``: the coordinator wrote it; else it is told from the records."""

    turn: str
    text: str
    edited: bool


# No route: for the letters, which are made from it.
@query("coordinate", coordinator="any")
def settled_year(act: CommandContext, game: str) -> tuple[Ruleset, tuple[Resolution, ...]]:
    """Return the rules, and the turns of the last year that is settled, up to the adjustments.

    :raises ConflictError: while no year has ended."""
    return _settled_year(act.authorize_game(game))


def _settled_year(scene: GameContext) -> tuple[Ruleset, tuple[Resolution, ...]]:
    saved = {**exports.saved_document(scene), "variant": scene.row.variant}
    game, _ = replay(saved, scene.act.office.variants)
    turns = [turn.resolution for turn in game.turns]
    ends = [i for i, r in enumerate(turns) if r.before.turn.phase is Phase.ADJUSTMENTS or r.ending is not None]
    if not ends:
        raise ConflictError(f"No year of {scene.row.name} has ended yet.")
    begins = ends[-2] + 1 if len(ends) > 1 else 0
    return game.rules, tuple(turns[begins : ends[-1] + 1])


@query("coordinate", "GET /games/{game}/gazette", coordinator="any")
def gazette(act: CommandContext, game: str) -> Gazette:
    """Return the text of the last year's letter: as the coordinator wrote it, else as the records tell it. Where rules
    hide something, letters that nobody edited tell each player what that power saw.

    :raises ConflictError: while no year has ended."""
    return _gazette(act.authorize_game(game))


def _gazette(scene: GameContext) -> Gazette:
    rules, turns = _settled_year(scene)
    name = str(turns[-1].before.turn)
    row = find_turn(scene, name)
    lines = scene.tx.all(JournalRow, game=scene.row.id, turn=row.id, kind=EDITED, order="-id", limit=1)
    written = str(unpack(lines[0].facts)["text"]) if lines else ""
    told = written or chronicle(rules, turns, turns[0].before.owners)
    return Gazette(turn=name, text=told, edited=bool(written))


@command("coordinate", "PUT /games/{game}/gazette", coordinator="any")
def edit(act: CommandContext, game: str, text: str) -> Gazette:
    """Write the text of the last year's letter; without any, it is told from the records again.

    :raises ConflictError: while no year has ended."""
    scene = act.authorize_game(game, lock=True)
    if len(text) > LONGEST or "\x00" in text:
        raise InvalidInputError(f"The text can have at most {LONGEST} characters.", faults=["text: too long"])
    known = _gazette(scene)
    written = "\n".join(line.rstrip() for line in text.strip().splitlines())
    if written != known.text:
        row = find_turn(scene, known.turn)
        scene.append_journal(EDITED, turn=row, name=known.turn, seen_by="coordinator", text=written)
    return _gazette(scene)
