"""The formats of games, and which of them a file is in."""

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from types import ModuleType

from legation.game import Game
from legation.interop.games import (
    archives,
    backstabbr,
    daide_logs,
    diplicity_games,
    godip_games,
    jdip_cases,
    jdip_saves,
    mails,
    mila,
    pastes,
    plain,
    webdip_games,
)
from legation.interop.games.judging import judge_again
from legation.interop.games.record import RecordedGame
from legation.interop.sources import ForeignFileError, Source, read_formats
from legation.judge import Ruleset

# Each has a ``NAME`` and a ``TITLE``; one that is read ``recognize`` and ``read``, tried in this order; one that is
# written ``write_game``.
MODULES: tuple[ModuleType, ...] = (
    jdip_saves,
    jdip_cases,
    plain,
    mila,
    diplicity_games,
    webdip_games,
    godip_games,
    daide_logs,
    mails,
    backstabbr,
    archives,
    pastes,
)
READERS: Mapping[str, ModuleType] = {module.NAME: module for module in MODULES if hasattr(module, "read")}
WRITERS: Mapping[str, Callable[[Game], tuple[str, list[str]]]] = {
    module.NAME: module.write_game for module in MODULES if hasattr(module, "write_game")
}


def read_games(source: Source, wanted: str = "") -> list[RecordedGame]:
    """All games of a source; an empty list if there is none in a known format.

    :raises ForeignFileError: if none of its files can be read in their format."""
    return read_formats(source, READERS, wanted)


def export_game(game: Game, wanted: str, variations: Sequence[Game] = ()) -> tuple[str, list[str]]:
    """A game in a format, and the list of what that format cannot say. ``variations`` are other courses of the game.

    :raises ForeignFileError: for a format that is not known, or has no variations."""
    if variations and wanted != plain.NAME:
        raise ForeignFileError(f"{wanted} has no variations; {plain.NAME} does")
    if wanted not in WRITERS:
        raise ForeignFileError(f"{wanted!r} isn't a format to write a game in; they are {', '.join(WRITERS)}")
    text, missing = plain.write_game(game, variations) if variations else WRITERS[wanted](game)
    return text, [*missing, *(_otherwise(game, wanted, text) if wanted in READERS else ())]


def _otherwise(game: Game, wanted: str, text: str) -> list[str]:
    """Read what was written again, and tell which turns come out otherwise than in the game."""

    def no_options(_: Mapping[str, object]) -> Ruleset:
        raise ValueError("only these rules are tried")

    data = text.encode()
    try:
        source = Source("game", ["game"], lambda _, most: data[:most], "game")
        record = READERS[wanted].read(source, "game")[0]
        again = judge_again(record, game.rules, no_options).game
    except ForeignFileError as error:
        return [f"anything that can be read again here: {error}"]
    pairs = zip_longest((t.resolution for t in game.turns), (t.resolution for t in again.turns))
    apart = [ours or theirs for ours, theirs in pairs if not (ours and theirs and ours.after == theirs.after)]
    if not apart or apart[0] is None:
        return []
    turns = "a turn" if len(apart) == 1 else f"{len(apart)} turns"
    return [f"what decides {turns}: read again here they come out otherwise, the first {apart[0].before.turn}"]
