"""Pages of the drawing table: where a board begins, and the table itself. Both are the same for everybody; the board is
in the reader's browser."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from legation.web.designer.table import need_libraries
from legation.web.serving.pages import page
from legation.web.serving.routing import PageRouter

router = PageRouter()


@router.get("/table")
def begin(request: Request) -> Response:
    """Show the ways to begin a board, and those that this browser keeps."""
    need_libraries()
    return page(request, "table/start.html")


@router.get("/table/board")
def board(request: Request) -> Response:
    """Show the table; which board lies on it is told by the part of the address that browsers keep for themselves."""
    need_libraries()
    return page(request, "table/board.html")
