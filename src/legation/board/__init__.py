"""Boards: provinces, coasts, adjacency by travel, centers and names; the board file, its reader and linter."""

from legation.board.document import board_document, board_schema
from legation.board.files import BoardFault, BoardFileError, read_board
from legation.board.model import ARMY, COAST_NAMES, FLEET, Board, Border, Province, Travel, province_of

__all__ = [
    "ARMY",
    "COAST_NAMES",
    "FLEET",
    "Board",
    "BoardFault",
    "BoardFileError",
    "Border",
    "Province",
    "Travel",
    "board_document",
    "board_schema",
    "province_of",
    "read_board",
]
