"""Papers over HTTP, below ``/games/GAME/print/`` and ``/tournaments/TOURNAMENT/print/``: for who runs a game all of
today's mailing, for players their own packet and the map; standings and boards for everybody who may see them."""

import io
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from legation.office.context import Actor
from legation.office.errors import ConflictError, InvalidInputError, SignInNeededError
from legation.office.office import Office
from legation.office.terms.plans import game_key
from legation.print import tournaments
from legation.print.games import PAPERS, GamePapers, PaperOptions
from legation.print.typesetting import UnprintableError

Who = Callable[[Request], Actor]
Bounded = Callable[[Request], AbstractContextManager[Any]]
MOST_POST_DAYS = 60
TOURNAMENT_PAPERS: Mapping[str, Callable[[Office, Actor, str], bytes]] = {
    "standings": tournaments.standings_paper,
    "boards": tournaments.board_call,
}


def routes(office: Office, who: Who, bounded: Bounded = nullcontext) -> list[Route]:
    """Return the routes of all papers, to be put before the pages; ``who`` gives the actor of a request, and each is
    made within its ``bounded``.

    ``packets.pdf``, ``envelopes.pdf`` (``?form=C5``), ``labels.pdf`` (``?form=3x7&skip=0``), ``letters.pdf``,
    ``roster.pdf``, ``cards.pdf``; for players ``packet.pdf`` (``?power=``), ``envelope.pdf``, ``map.pdf``
    (``?turn=``) and ``lending.pdf`` (``?turn=&to=``, the sheet by which an ally orders one's units). Several
    papers are one document, in the order of the envelopes. ``?post=N`` says how many days a letter is on its way;
    ``?power=`` makes whoever runs the game the letter or label of one power, or the roster or map as its player sees
    it. Of tournaments: ``standings.pdf``, ``boards.pdf``."""

    def paper(of: str, name: str, request: Request) -> bytes:
        actor, key = who(request), request.path_params[of]
        if of == "tournament":
            return TOURNAMENT_PAPERS[name](office, actor, key)
        if actor.person is None and name != "map":
            raise SignInNeededError("Sign in to continue.")
        days = _number(request, "post", MOST_POST_DAYS) if "post" in request.query_params else None
        papers = GamePapers(office, actor, key, days)
        documents = [*PAPERS[name](papers, _options(papers, name, request)).values()]
        return documents[0] if len(documents) == 1 else bound(documents)

    async def answer(of: str, name: str, request: Request) -> Response:
        try:
            with bounded(request):
                document = await run_in_threadpool(paper, of, name, request)
        except UnprintableError as error:
            raise InvalidInputError(f"This cannot be printed: {error}.", faults=[str(error)]) from None
        headers = {
            "content-disposition": f'inline; filename="{game_key(request.path_params[of])}-{name}.pdf"',
            "cache-control": "private, no-store",
        }
        return Response(document, media_type="application/pdf", headers=headers)

    of_games = [("game", name) for name in PAPERS if name != "maps"]  # which is several documents
    return [
        Route(f"/{of}s/{{{of}}}/print/{name}.pdf", partial(answer, of, name), methods=["GET"], name=f"print {name}")
        for of, name in (*of_games, *(("tournament", name) for name in TOURNAMENT_PAPERS))
    ]


def bound(documents: Iterable[bytes]) -> bytes:
    """Return several PDFs as one, in their order.

    :raises ConflictError: when there is none."""
    import pypdfium2

    whole = pypdfium2.PdfDocument.new()
    for document in documents:
        with pypdfium2.PdfDocument(document) as part:
            whole.import_pages(part)
    if not len(whole):
        raise ConflictError("There is nobody to print this for.")
    out = io.BytesIO()
    whole.save(out)
    whole.close()
    return out.getvalue()


def _options(papers: GamePapers, name: str, request: Request) -> PaperOptions:
    record, power = papers.record, _text(request, "power")
    if name in ("packet", "lending") and not power:
        if not record.powers:
            raise InvalidInputError(
                "Name the power, as in ?power=France.", suggestions=[seat.power for seat in record.seats]
            )
        power = record.powers[0]
    return PaperOptions(
        power="" if name == "packets" else power,
        form=_text(request, "form"),
        skip=_number(request, "skip", 100),
        turn=_text(request, "turn"),
        ally=_text(request, "to"),
    )


def _text(request: Request, name: str) -> str:
    return request.query_params.get(name, "")


def _number(request: Request, name: str, most: int) -> int:
    given = _text(request, name)
    return min(int(given), most) if given.isascii() and given.isdecimal() and len(given) < 5 else 0
