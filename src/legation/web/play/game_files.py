"""Downloads of a game: its transcript, the saved game, a turn as a picture."""

from functools import lru_cache
from typing import Literal

import msgspec
from fastapi import Request
from starlette.responses import Response

from legation.atlas.painting import PAINTER
from legation.atlas.style import ThemeName
from legation.judge import Verdict
from legation.office.hosting import exports, games, proofs
from legation.office.terms.plans import game_key
from legation.position import Position
from legation.web.play.shown_game import PUBLISHED, GamePage
from legation.web.public.maps import LiveMap
from legation.web.serving.bounds import count_journal
from legation.web.serving.headers import file_answer, picture_answer
from legation.web.serving.pages import PageRouter
from legation.web.serving.sessions import actor_of, office_of

router = PageRouter()


@router.get("/games/{game}/transcript.jsonl")
def transcript(request: Request, game: str) -> Response:
    """The game's transcript, to be checked without trusting the office."""
    count_journal(request)
    text = proofs.transcript(office_of(request), actor_of(request), game)
    return file_answer(text, "application/jsonl", f"{game_key(game)}.transcript.jsonl")


@router.get("/games/{game}/saved.json")
def saved(request: Request, game: str) -> Response:
    """The game as a saved game that replays anywhere."""
    count_journal(request)
    document = exports.saved_game(office_of(request), actor_of(request), game)
    return file_answer(msgspec.json.encode(document), "application/json", f"{document['name']}.json")


@router.get("/games/{game}/{turn}/map-{theme}.svg")
def picture(
    request: Request, game: str, turn: str, theme: Literal["light", "dark"], patterns: bool = False
) -> Response:
    """A turn as a picture, with its orders once they are published."""
    shown = GamePage(request, game, turn)
    position, verdicts, title = _pictured(shown, turn)
    hidden = shown.hidden(position)
    return picture_answer(shown.live.picture(position, verdicts, theme, title, patterns=patterns, hidden=hidden))


@router.get("/games/{game}/{turn}/map.png")
def picture_to_share(request: Request, game: str, turn: str, theme: Literal["light", "dark"] = "light") -> Response:
    """Return the map of a turn as PNG, for sharing."""
    shown = GamePage(request, game, turn)
    position, verdicts, title = _pictured(shown, turn)
    png = _png(shown.live, position, verdicts, shown.hidden(position), title, theme)
    return Response(png, media_type="image/png")


@lru_cache(maxsize=16)
def _png(
    live: LiveMap,
    position: Position,
    verdicts: tuple[Verdict, ...],
    hidden: tuple[str, ...],
    title: str,
    theme: ThemeName,
) -> bytes:
    svg = live.atlas.svg(position, verdicts, interactive=False, title=title, theme=theme, hidden=hidden)
    return PAINTER.png(svg, 1600)


def _pictured(shown: GamePage, turn: str) -> tuple[Position, tuple[Verdict, ...], str]:
    result = shown.result(turn) if turn not in ("now", shown.present.key) or shown.present.state in PUBLISHED else None
    if result is not None:
        return shown.position(result.position), shown.drawn(result), f"{shown.record.name}, {result.name}"
    document = games.position(*shown.of, turn)
    return shown.position(document), (), f"{shown.record.name}, {document['turn']}"
