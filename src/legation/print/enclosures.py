"""What goes with a mail of the office: the map, the roster, an order sheet and an envelope, as PDF files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import structlog

from legation.atlas import NoMapError
from legation.atlas.pictures import PicturesMissingError
from legation.office.context import Actor
from legation.office.errors import OfficeError
from legation.office.hosting import games, roster
from legation.office.monitoring.logs import told_of
from legation.office.office import Office
from legation.office.records import GameRecord, Mailing
from legation.print import games as papers
from legation.print.typesetting import UnprintableError

BEGINNINGS = ("game started", "seated")
RESULTS = ("results", "draft results")
OPENING = "turn opened"

log = structlog.get_logger("legation.print")


def enclosures(office: Office, actor: Actor, mailing: Mailing) -> list[tuple[str, bytes]]:
    """The PDF files that go with a mailing to a player, by name. The first mail of a game brings the map (W-25); in a
    game by post also the roster, an order sheet and the envelope for it. There results bring copies of all executed
    orders (W-21a), and the sheet and the envelope for the turn after them if it is open then; else they come when it
    opens.

    What cannot be printed stays out; the mail goes without it.
    """
    made: list[tuple[str, bytes]] = []
    for name, make in _wanted(office, actor, mailing):
        try:
            made.append((f"{name}.pdf", make()))
        except (OfficeError, UnprintableError, NoMapError, PicturesMissingError, ValueError) as error:
            log.warning("a mail goes without a paper", paper=name, **told_of(error))
    return made


def _wanted(office: Office, actor: Actor, mailing: Mailing) -> Iterator[tuple[str, Callable[[], bytes]]]:
    for game, power, turn in mailing.facts.get("lent", ()):
        yield f"{game}-lending", partial(papers.lending, office, actor, game, power, turn)
    if mailing.kind in (*BEGINNINGS, *RESULTS, OPENING) and mailing.power:
        record = games.game(office, actor, mailing.game)
        for name, make in _papers(office, actor, mailing, record):
            yield f"{record.key}-{name}", make


def _papers(
    office: Office, actor: Actor, mailing: Mailing, record: GameRecord
) -> Iterator[tuple[str, Callable[[], bytes]]]:
    begins = mailing.kind in BEGINNINGS
    if begins:
        yield "map", lambda: papers.current_map(office, actor, record.key)
    if not papers.is_by_post(record):
        return
    if mailing.kind in RESULTS:
        yield "orders", lambda: papers.orders_of_turn(office, actor, record.key, mailing.turn)
    if begins:
        yield "roster", lambda: papers.game_roster(office, actor, record.key)
    turn = record.turn
    if turn is None or turn.state != "open":
        return
    if mailing.kind in RESULTS:
        told = turn.number == games.result(office, actor, record.key, mailing.turn).number + 1
    else:
        told = begins or turn.name == mailing.turn
    if not told:
        return
    own = next((seat for seat in record.seats if seat.power == mailing.power), None)
    if own is None or mailing.power not in record.powers or own.sent is None:  # nothing to order
        return
    yield "order-sheet", lambda: papers.packet_of(office, actor, record.key, mailing.power)
    if papers.wants_envelope(record) and roster.orders_address(office, actor, record.key) is not None:
        yield "envelope", lambda: papers.orders_envelope(office, actor, record.key)
