"""Downloads of a game: its transcript, the saved game, a turn or proposed orders as a picture."""

from functools import lru_cache
from typing import Literal

import msgspec
from fastapi import Depends, Request
from starlette.responses import Response

from legation.atlas.painting import PAINTER
from legation.atlas.style import ThemeName
from legation.board import province_of
from legation.judge import Outcome, Verdict
from legation.notation import OrderTextError
from legation.office.errors import NotFoundError
from legation.office.hosting import exports, games, proofs
from legation.office.records import Proposal
from legation.office.terms.plans import game_key
from legation.position import Phase, Position
from legation.web.play.shown_game import PUBLISHED, GamePage
from legation.web.public.maps import LiveMap
from legation.web.serving.answers import file_answer, picture_answer
from legation.web.serving.bounds import count_journal, painting
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


@router.get("/games/{game}/{turn}/map.png", dependencies=[Depends(painting)])
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


@router.get("/games/{game}/letters/{letter}/map-{theme}.svg")
def proposal_picture(
    request: Request, game: str, letter: int, theme: Literal["light", "dark"], patterns: bool = False
) -> Response:
    """Draw what a letter proposes: its orders as arrows, on the part of the map that they touch."""
    shown = GamePage(request, game)
    proposal = shown.proposal(letter)
    turn = next((turn for turn in shown.turns if turn.name == proposal.turn), None)
    if turn is None:
        raise NotFoundError(f"{proposal.turn} was opened anew.")
    position, drawn = shown.position(games.position(*shown.of, turn.key)), _proposed(shown, proposal)
    title = f"{shown.record.name}, {proposal.turn}: proposed orders"
    named = (str(getattr(v.order, part, "") or "") for v in drawn for part in ("at", "to", "target"))
    view = shown.live.around([province_of(place) for place in named])
    hidden = shown.hidden(position)
    svg = shown.live.picture(position, drawn, theme, title, view, patterns=patterns, hidden=hidden)
    return picture_answer(svg, "private, no-store")


def _proposed(shown: GamePage, proposal: Proposal) -> list[Verdict]:
    """The orders as the map draws them, as if each succeeded."""
    reader, phase = shown.rules.reader, Phase(proposal.turn.rpartition(" ")[2])
    drawn = []
    for power, listed in proposal.orders.items():
        for one in listed:
            try:
                drawn.append(Verdict(power, reader.order(one.order, phase, power), Outcome.SUCCEEDS))
            except OrderTextError:  # the rules have changed since
                continue
    return drawn
