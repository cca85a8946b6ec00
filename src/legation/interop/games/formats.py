"""The formats of games, and which of them a file is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from legation.interop.games.record import RecordedGame
from legation.interop.sources import ForeignFileError, Source, read_formats

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
WRITERS: Mapping[str, Callable[[Game], tuple[str, list[str]]]] = {
    plain.NAME: plain.write_game,
    mila.NAME: mila.write_game,
    diplicity_games.NAME: diplicity_games.write_game,
    godip_games.NAME: godip_games.write_game,
    mails.NAME: mails.write_game,
}


def game_formats() -> Mapping[str, ModuleType]:
    """The formats that games can be read in."""
    return {module.NAME: module for module in MODULES}


def export_formats() -> list[str]:
    """The formats that games can be written in."""
    return list(WRITERS)


def read_games(source: Source, wanted: str = "") -> list[RecordedGame]:
    """All games of a source; an empty list if there is none in a known format.

    :raises ForeignFileError: if none of its files can be read in their format.
    """
    return read_formats(source, game_formats(), wanted)


def export_game(game: Game, wanted: str) -> tuple[str, list[str]]:
    """A game in a format, and the list of what that format cannot say.

    :raises ForeignFileError: for a format that is not known.
    """
    if wanted not in WRITERS:
        raise ForeignFileError(f"{wanted!r} isn't a format to write a game in; they are {', '.join(WRITERS)}")
    return WRITERS[wanted](game)
