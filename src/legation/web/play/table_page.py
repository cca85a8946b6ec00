"""The page of a game in which one person orders for all powers."""

from typing import Annotated, Any

from fastapi import Form, Request
from starlette.responses import RedirectResponse, Response

from legation.office.errors import OfficeError
from legation.office.orders import tables
from legation.web.play.game_frame import render
from legation.web.play.shown_game import PUBLISHED, GamePage
from legation.web.serving.pages import PageRouter, ReadingRoute
from legation.web.serving.sessions import person_of

router = PageRouter(route_class=ReadingRoute)


def table_values(shown: GamePage) -> dict[str, Any]:
    """What the page shows: the last results, and which powers have something to order."""
    due = [seat for seat in shown.record.seats if seat.sent is not None and not seat.bot]
    takes = shown.present.state in ("open", "waiting") and shown.record.state in ("running", "paused")
    out = [turn for turn in shown.turns if turn.state in PUBLISHED]
    return {
        "accepts": takes and not (shown.settings.ready_ends and all(seat.ready for seat in due)),
        "due": due,
        "headings": "\n\n".join(f"{seat.power}:" for seat in due),
        "happened": shown.result(out[-1].key) if out else None,
        "text": "",
        "fault": "",
    }


@router.post("/games/{game}/table")
def order_all(
    request: Request,
    game: str,
    text: Annotated[str, Form(max_length=60_000)] = "",
    turn: Annotated[str, Form(max_length=100)] = "",
    do: Annotated[str, Form(max_length=10)] = "judge",
) -> Response:
    """Send the orders of all powers, and have the turn judged or not; or show again what was typed."""
    person_of(request)
    shown = GamePage(request, game)
    text = text.replace("\r\n", "\n")
    try:
        if turn and shown.begun and turn != shown.present.name:
            fault, status = f"{turn} closed while you wrote; this is {shown.present.name}.", 409
        else:
            tables.order_all(*shown.of, text, do != "keep")
            return RedirectResponse(shown.address("table"), 303)
    except OfficeError as error:
        if error.status in (401, 403, 404) or not shown.begun or not shown.settings.one_orders_all:
            raise
        fault, status = error.message, error.status
    values = {**table_values(shown), "text": text, "fault": fault}
    return render(shown, "table", status, svg=shown.layer(), turn=shown.present, **values)
