"""Games: documents, the game as a log of turns, replay, saved games."""

from legation.game.documents import (
    DocumentError,
    Task,
    Unread,
    adjudicate,
    answer_document,
    position_document,
    read_orders,
    read_position,
    read_task,
    verdict_document,
)
from legation.game.log import Difference, Game, PlayedTurn, SavedGameError, load_game, replay, save_game

__all__ = [
    "Difference",
    "DocumentError",
    "Game",
    "PlayedTurn",
    "SavedGameError",
    "Task",
    "Unread",
    "adjudicate",
    "answer_document",
    "load_game",
    "position_document",
    "read_orders",
    "read_position",
    "read_task",
    "replay",
    "save_game",
    "verdict_document",
]
