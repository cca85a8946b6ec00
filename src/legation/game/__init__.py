"""Games: documents, the game as a log of turns, replay, saved games."""

from legation.game.audit import Difference, replay
from legation.game.checking import CheckedEntry, Problem, SheetCheck, check_document, check_orders, check_sheet
from legation.game.documents import adjudicate, answer_document, position_document
from legation.game.implied import bare_position, implied_position, sheets_apart
from legation.game.log import Game, PlayedTurn, save_game
from legation.game.reading_documents import DocumentError, Task, read_position, read_task, read_verdicts
from legation.game.reading_sheets import Unread, read_orders
from legation.game.saved import SavedGameError, load_game, read_turn
from legation.game.sheets import gather_sheets

__all__ = [
    "CheckedEntry",
    "Difference",
    "DocumentError",
    "Game",
    "PlayedTurn",
    "Problem",
    "SavedGameError",
    "SheetCheck",
    "Task",
    "Unread",
    "adjudicate",
    "answer_document",
    "bare_position",
    "check_document",
    "check_orders",
    "check_sheet",
    "gather_sheets",
    "implied_position",
    "load_game",
    "position_document",
    "read_orders",
    "read_position",
    "read_task",
    "read_turn",
    "read_verdicts",
    "replay",
    "save_game",
    "sheets_apart",
]
