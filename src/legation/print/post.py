"""Address labels and envelopes (W-28, Annexe 3 of the rulebook): the
front for the postman, the back for the recipient."""

from collections.abc import Mapping, Sequence
from datetime import date

import msgspec

from legation.languages import ENGLISH, said_in
from legation.print.records import Address, GameName, Party
from legation.print.typesetting import UnprintableError, one_line, typeset

MOST_LINES = 9


class LabelForm(msgspec.Struct, frozen=True):
    """A sheet of labels on A4: how many, their size, the margins above and on the left, and the distance from one to
    the next; millimeters."""

    columns: int
    rows: int
    width: float
    height: float
    top: float
    left: float
    across: float
    down: float


class EnvelopeForm(msgspec.Struct, frozen=True):
    """An envelope's size in millimeters."""

    width: float
    height: float


LABELS: Mapping[str, LabelForm] = {
    "3x7": LabelForm(3, 7, 63.5, 38.1, 15.15, 7.25, 66.0, 38.1),
    "2x7": LabelForm(2, 7, 99.1, 38.1, 15.15, 4.65, 101.6, 38.1),
    "2x4": LabelForm(2, 4, 99.1, 67.7, 13.1, 4.65, 101.6, 67.7),
}

ENVELOPES: Mapping[str, EnvelopeForm] = {"C5": EnvelopeForm(229, 162), "DL": EnvelopeForm(220, 110)}


class Envelope(msgspec.Struct, frozen=True):
    """One envelope: from whom, to whom, and what its back says: the sender's position, the game, season and year, and
    whether it holds orders."""

    sender: Party
    to: Party
    game: GameName
    season: str
    orders: bool = False


def lines_of(address: Address | None, whose: str) -> list[str]:
    """The lines of an address for paper.

    :raises UnprintableError: for an address that is missing, or longer than a label or envelope can bear."""
    if address is None or not address.block:
        raise UnprintableError(f"{whose} has no address")
    lines = [one_line(line, f"the address of {whose}") for line in address.block]
    if len(lines) > MOST_LINES:
        raise UnprintableError(f"the address of {whose} has {len(lines)} lines; at most {MOST_LINES} can be printed")
    return lines


def labels(addresses: Sequence[Address], day: date, form: str = "3x7", *, skip: int = 0) -> bytes:
    """A sheet of labels (or several); ``skip`` leaves out the first labels of a sheet that is partly used.

    :raises UnprintableError: for an address that cannot be printed.
    :raises KeyError: for a form that is not in :data:`LABELS`."""
    sheet = LABELS[form]
    if not 0 <= skip < sheet.columns * sheet.rows:
        raise ValueError(
            f"skip: a sheet has {sheet.columns * sheet.rows} labels, so 0 to {sheet.columns * sheet.rows - 1}"
        )
    data = {
        "form": msgspec.to_builtins(sheet),
        "skip": skip,
        "labels": [lines_of(address, address.name or "nobody") for address in addresses],
    }
    return typeset("labels.typ", data, day)


def envelopes(given: Sequence[Envelope], day: date, form: str = "C5", *, language: str = ENGLISH) -> bytes:
    """Envelopes, each a page for the front and one for the back.

    :raises UnprintableError: for an address that is missing or cannot be printed.
    :raises KeyError: for a form that is not in :data:`ENVELOPES`."""
    said = said_in(language)
    data = {
        "form": msgspec.to_builtins(ENVELOPES[form]),
        "envelopes": [
            {
                "sender": lines_of(e.sender.address, e.sender.position),
                "to": lines_of(e.to.address, e.to.position),
                "position": said(one_line(e.sender.position, "a position")),
                "game": one_line(e.game.name, "the game"),
                "season": said(one_line(e.season, "the season")),
                "orders": e.orders,
            }
            for e in given
        ],
    }
    return typeset("envelopes.typ", data, day, language=language)
