"""Papers over HTTP, below ``/games/GAME/print/`` and ``/tournaments/TOURNAMENT/print/``: for who runs a game all of
today's mailing, for players their own packet and the map; standings and boards for everybody who may see them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from legation.office.context import Actor
from legation.office.errors import ConflictError, InvalidInputError, SignInNeededError
from legation.office.office import Office
from legation.office.terms.plans import game_key
from legation.print import tournaments
from legation.print.games import GamePapers
from legation.print.typesetting import UnprintableError

Who = Callable[[Request], Actor]
MOST_POST_DAYS = 60


def routes(office: Office, who: Who) -> list[Route]:
    """Return the routes of all papers, to be put before the pages; ``who`` gives the actor of a request.

    ``packets.pdf``, ``envelopes.pdf`` (``?form=C5``), ``labels.pdf`` (``?form=3x7&skip=0``), ``letters.pdf``,
    ``roster.pdf``, ``cards.pdf``; for players ``packet.pdf`` (``?power=``), ``envelope.pdf``, ``map.pdf`` and
    ``lending.pdf`` (``?turn=&to=``, the sheet by which an ally orders one's units). Several
    papers are one document, in the order of the envelopes. ``?post=N`` says how many days a letter is on its way;
    ``?power=`` makes whoever runs the game the letter or label of one power, or the roster or map as its player sees
    it. Of tournaments: ``standings.pdf``, ``boards.pdf``.
    """
    makers: dict[str, Callable[[GamePapers, Request], bytes]] = {
        "packets": lambda g, _: bound(g.packets().values()),
        "letters": lambda g, r: bound(g.letters(power=_text(r, "power", "")).values()),
        "labels": lambda g, r: g.labels(_text(r, "form", "3x7"), _number(r, "skip", 0, 100), _text(r, "power", "")),
        "envelopes": lambda g, r: g.envelopes(_text(r, "form", "C5")),
        "envelope": lambda g, r: g.orders_envelope(_text(r, "form", "C5")),
        "roster": lambda g, r: g.for_power(_text(r, "power", "")).roster(),
        "cards": lambda g, r: g.for_power(_text(r, "power", "")).cards(),
        "orders": lambda g, r: g.orders(_text(r, "turn", "last")),
        "packet": lambda g, r: g.packet(_own(g, r)),
        "lending": lambda g, r: g.lending(_own(g, r), _text(r, "turn", ""), _text(r, "to", "")),
        "map": lambda g, r: g.for_power(_text(r, "power", "")).map(),
    }

    of_tournaments: dict[str, Callable[[Actor, str, Request], bytes]] = {
        "standings": lambda a, t, _: tournaments.standings_paper(office, a, t),
        "boards": lambda a, t, _: tournaments.board_call(office, a, t),
    }

    def of_game(make: Callable[[GamePapers, Request], bytes]) -> Callable[[Actor, str, Request], bytes]:
        return lambda actor, game, request: make(GamePapers(office, actor, game, _post_days(request)), request)

    def served(name: str, make: Callable[[Actor, str, Request], bytes], of: str = "game") -> Route:
        async def answer(request: Request) -> Response:
            game = request.path_params[of]

            def made() -> bytes:
                actor = who(request)
                if actor.person is None and of == "game" and name != "map":
                    raise SignInNeededError("Sign in to continue.")
                try:
                    return make(actor, game, request)
                except UnprintableError as error:
                    raise InvalidInputError(f"This cannot be printed: {error}.", faults=[str(error)]) from None

            document = await run_in_threadpool(made)
            headers = {
                "content-disposition": f'inline; filename="{game_key(game)}-{name}.pdf"',
                "cache-control": "private, no-store",
            }
            return Response(document, media_type="application/pdf", headers=headers)

        return Route(f"/{of}s/{{{of}}}/print/{name}.pdf", answer, methods=["GET"], name=f"print {name}")

    listed = [served(name, of_game(make)) for name, make in makers.items()]
    return listed + [served(name, make, "tournament") for name, make in of_tournaments.items()]


def bound(documents: Iterable[bytes]) -> bytes:
    """Return several PDFs as one, in their order.

    :raises ConflictError: when there is none.
    """
    import io

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


def _own(papers: GamePapers, request: Request) -> str:
    record = papers.record
    power = _text(request, "power", record.powers[0] if record.powers else "")
    if not power:
        raise InvalidInputError(
            "Name the power, as in ?power=France.", suggestions=[seat.power for seat in record.seats]
        )
    return power


def _text(request: Request, name: str, otherwise: str) -> str:
    return request.query_params.get(name, "") or otherwise


def _number(request: Request, name: str, otherwise: int, most: int) -> int:
    given = request.query_params.get(name, "")
    return min(int(given), most) if given.isascii() and given.isdecimal() and len(given) < 5 else otherwise


def _post_days(request: Request) -> int | None:
    return _number(request, "post", 0, MOST_POST_DAYS) if "post" in request.query_params else None
