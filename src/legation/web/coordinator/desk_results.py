"""Coordinator pages of results: looked over with all that will be sent, published as a draft or for good, taken back,
slips of transcription mended."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Literal

from fastapi import Request
from starlette.responses import Response

from legation.office.context import Actor
from legation.office.desk import desk, readings
from legation.office.errors import ConflictError, OfficeError
from legation.office.game import processing
from legation.office.hosting import deadlines, games
from legation.office.office import Office
from legation.office.records import TurnResult
from legation.web.coordinator.desk import game_run
from legation.web.play.shown_game import GamePage
from legation.web.serving.answers import picture_answer
from legation.web.serving.forms import Forms, SentForm, add_forms, of
from legation.web.serving.pages import PageError, PageRouter, embed, page

router = PageRouter()


Mails = Callable[[Office, Actor, str], Sequence[Any]]
"""What publishing the judged turn of a game would send: mails, each with ``power``, ``name``, ``subject`` and
``text``."""


@router.get("/desk/{game}/results")
def show(request: Request, game: str) -> Response:
    """Show a turn's results to the coordinator, with what can be done with them."""
    record = game_run(request, game)
    shown = GamePage(request, record.key)
    result = _latest_result(shown)
    values: dict[str, Any] = {"rows": [], "mails": None, "mended": []}
    if result is not None:
        outcome = shown.outcome(result)
        values["rows"], values["state"] = outcome.rows, embed({"svg": outcome.svg})
        values["mended"] = [s for s in result.sheets if s.transcribed]
        if result.state == "judged" and request.app.state.mails is not None:
            values["mails"] = request.app.state.mails(*shown.of)
    drafts = [turn for turn in shown.turns if turn.state == "draft"]
    return page(
        request,
        "desk/results.html",
        game=record,
        result=result,
        as_draft=result is not None and result.comes_as == "draft",
        drafts=drafts,
        season_over=record.turn is not None and record.turn.state == "draft",
        final_from=_final_from(shown),
        live=shown.live,
        **values,
    )


def _final_from(shown: GamePage) -> datetime | None:
    if not shown.begun or shown.present.state != "draft":
        return None
    if any(item.kind == "final" for item in desk.items(*shown.of)):
        return None
    ahead = (d.opens for d in deadlines.coming(*shown.of, 1) if d.planned)
    return next((opens for opens in ahead if opens > shown.office.clock.now()), None)


def _latest_result(shown: GamePage) -> TurnResult | None:
    """Return the judged but unpublished results, else the draft, else the last results."""
    if shown.may("processing.preview") and shown.begun and shown.present.state == "judged":
        return processing.preview(*shown.of)
    drafts = [turn.number for turn in shown.turns if turn.state == "draft"]
    try:
        return games.result(*shown.of, drafts[-1] if drafts else "last")
    except OfficeError:
        return None


@router.get("/desk/{game}/results/map-{theme}.svg")
def results_map(request: Request, game: str, theme: Literal["light", "dark"], patterns: bool = False) -> Response:
    """The judged turn on the map."""
    shown = GamePage(request, game_run(request, game).key)
    result = _latest_result(shown)
    if result is None:
        raise PageError(404, "There are no results yet.")
    position, title = shown.position(result.position), f"{shown.record.name}: {result.name}"
    hidden = shown.hidden(position)
    svg = shown.live.picture(position, shown.drawn(result), theme, title, patterns=patterns, hidden=hidden)
    return picture_answer(svg, "private, no-store")


def _publish(sent: SentForm) -> object:
    """Publish what was looked at: if it was judged again in between, it is shown again first."""
    if sent.text("turn") != str(processing.preview(sent.office, sent.actor, sent.game).number):
        raise ConflictError("Another turn has been processed in the meantime. Review it before you publish.")
    return processing.publish_draft(sent.office, sent.actor, sent.game)


COMMANDS: Forms = {
    "publish": ("publish", _publish),
    "take-back": ("take back", of(processing.take_back_draft, "reason")),
    "final": ("final", of(processing.publish_final)),
    "correct": ("correct {power}", of(readings.correct, "power", "turn", "text", "reason")),
}
add_forms(router, "/desk/{game}", COMMANDS, show, "/desk/{game}/results")
