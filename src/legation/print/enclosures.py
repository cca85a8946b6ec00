"""What goes with a mail of the office: the map, the roster, an order sheet and an envelope, as PDF files."""

from collections.abc import Callable, Iterator
from functools import partial
from urllib.parse import quote

import structlog

from legation.atlas import NoMapError
from legation.atlas.pictures import PicturesMissingError
from legation.office.context import Actor
from legation.office.errors import OfficeError
from legation.office.hosting import games, roster
from legation.office.monitoring.logs import told_of
from legation.office.office import Office
from legation.office.records import Mailing
from legation.print.games import GamePapers
from legation.print.typesetting import UnprintableError

BEGINNINGS = ("game started", "seated")
RESULTS = ("results", "draft results")
OPENING = "turn opened"

log = structlog.get_logger("legation.print")


def enclosures(office: Office, actor: Actor, mailing: Mailing) -> list[tuple[str, bytes, str]]:
    """The PDF files that go with a mailing to a player: their names, what they hold, and the pages where they stand.
    The first mail of a game brings the map (W-25); in a game by post also the roster, an order sheet and the envelope
    for it. There results bring copies of all executed orders (W-21a), and the sheet and the envelope for the turn after
    them if it is open then; else they come when it opens.

    What cannot be printed stays out; the mail goes without it."""
    made = []
    for name, page, make in _wanted(office, actor, mailing):
        try:
            made.append((f"{name}.pdf", make(), page))
        except (OfficeError, UnprintableError, NoMapError, PicturesMissingError, ValueError) as error:
            log.warning("a mail goes without a paper", paper=name, **told_of(error))
    return made


Paper = tuple[str, str, Callable[[], bytes]]
"""A paper's name, the page where it stands, and what makes it."""


def _wanted(office: Office, actor: Actor, mailing: Mailing) -> Iterator[Paper]:
    for game, power, turn in mailing.facts.get("lent", ()):
        yield f"{game}-lending", "", partial(_lending, office, actor, game, power, turn)
    if mailing.kind in (*BEGINNINGS, *RESULTS, OPENING) and mailing.power:
        papers = GamePapers(office, actor, mailing.game)
        for name, page, make in _of_game(papers, mailing):
            yield f"{papers.record.key}-{name}", f"/games/{papers.record.key}/print/{page}", make


def _of_game(papers: GamePapers, mailing: Mailing) -> Iterator[Paper]:
    record, begins = papers.record, mailing.kind in BEGINNINGS
    if begins:
        yield "map", "map.pdf", papers.map
    if not papers.settings.is_postal():
        return
    if mailing.kind in RESULTS:
        yield "orders", f"orders.pdf?turn={quote(mailing.turn)}", partial(papers.orders, mailing.turn)
    if begins:
        yield "roster", "roster.pdf", papers.roster
    turn = record.turn
    if turn is None or turn.state != "open":
        return
    if mailing.kind in RESULTS:
        told = turn.number == games.result(papers.office, papers.actor, record.key, mailing.turn).number + 1
    else:
        told = begins or turn.name == mailing.turn
    if not told:
        return
    own = next((seat for seat in record.seats if seat.power == mailing.power), None)
    if own is None or mailing.power not in record.powers or own.sent is None:  # nothing to order
        return
    yield "order-sheet", f"packet.pdf?power={quote(mailing.power)}", partial(papers.packet, mailing.power)
    wanted = papers.settings.wants_envelope(turn.name.rpartition(" ")[2])
    if wanted and roster.orders_address(papers.office, papers.actor, record.key) is not None:
        yield "envelope", "envelope.pdf", papers.orders_envelope


def _lending(office: Office, actor: Actor, game: str, power: str, turn: str) -> bytes:
    return GamePapers(office, actor, game).lending(power, turn)
