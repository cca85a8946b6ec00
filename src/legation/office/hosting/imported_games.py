"""Games that were begun elsewhere, in another system: the position in which they go on here, and what is said of it."""

from __future__ import annotations

from typing import Any

import msgspec

from legation.game import position_document, read_position
from legation.judge import Ruleset
from legation.office.context import GameContext
from legation.office.errors import ConflictError, InvalidInputError
from legation.office.game import chain
from legation.office.records import Document
from legation.position import Position
from legation.proofs import kinds
from legation.proofs.results import position_text

MOST_SOURCE = 200  # characters


class BegunElsewhere(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game of another system as its coordinator brings it. ``source`` says where it was played, ``file`` is the
    SHA-256 of the file that it was read from, ``turns`` is how many turns that tells of, ``position`` where the
    game stands."""

    source: str
    file: str
    turns: int
    position: Document


class Taken:
    """A position that was read, and can be written into a game."""

    def __init__(self, begun: BegunElsewhere, position: Position) -> None:
        self.begun = begun
        self.position = position

    def write(self, scene: GameContext) -> None:
        """Write it into the chain and the journal of a game that was just made."""
        rules = scene.rules
        chain.write(
            scene,
            "imported",
            kinds.ImportedLine(
                source=self.begun.source,
                file=self.begun.file,
                turns=self.begun.turns,
                position=position_text(rules, self.position),
            ),
        )
        scene.append_journal(
            "imported",
            source=self.begun.source,
            file=self.begun.file,
            turns=self.begun.turns,
            name=str(self.position.turn),
            position=position_document(rules, self.position),
        )


def read_begun(begun: BegunElsewhere | dict[str, Any], rules: Ruleset) -> Taken:
    """Read where a game stands that was begun elsewhere. Raises InvalidInputError with all that is wrong with it.
    Raises ConflictError for rules that hide positions: nobody could be shown what was played there."""
    try:
        given = begun if isinstance(begun, BegunElsewhere) else msgspec.convert(begun, BegunElsewhere)
    except msgspec.ValidationError as error:
        raise InvalidInputError(f"The game's position cannot be read: {error}", faults=[str(error)]) from None
    faults: list[str] = []
    if not given.source.strip() or len(given.source) > MOST_SOURCE or not given.source.isprintable():
        faults.append(f"source: says where the game was played, in at most {MOST_SOURCE} characters")
    if len(given.file) != 64 or set(given.file) - set("0123456789abcdef"):
        faults.append("file: is a SHA-256 in hexadecimal")
    if given.turns < 0:
        faults.append("turns: is a number from 0")
    position = read_position(rules, given.position, faults)
    if faults:
        raise InvalidInputError("The game can't continue from there: " + "; ".join(faults[:12]), faults=faults)
    if rules.steps["visible_provinces"]:
        raise ConflictError("A game with hidden information can't move to another office.")
    return Taken(given, position)
