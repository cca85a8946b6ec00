"""What goes on paper: letters, turn packets, order sheets that file themselves, labels, envelopes, the roster, and the
set of maps.

Pure functions from plain records to PDF. Text comes as data and never as markup, so nothing that people write can act
in a template; what no font at hand can show is told (:class:`UnprintableError`). Needs the extra ``legation[office]``.
"""

from legation.office.orders.order_codes import CodeError, SheetCode, order_sheet_code, read_order_sheet_code
from legation.print.enclosures import enclosures
from legation.print.executed import ExecutedSheet, executed_orders
from legation.print.games import map_set
from legation.print.letters import YearEnd, year_end_letter
from legation.print.packets import lending_sheet, turn_packet
from legation.print.post import ENVELOPES, LABELS, Envelope, EnvelopeForm, LabelForm, envelopes, labels
from legation.print.records import Address, Deadline, GameName, Party, Stay
from legation.print.roster import PersonCard, RosterSeat, cards, roster
from legation.print.serving import routes
from legation.print.typesetting import UnprintableError

__all__ = [
    "ENVELOPES",
    "LABELS",
    "Address",
    "CodeError",
    "Deadline",
    "Envelope",
    "EnvelopeForm",
    "ExecutedSheet",
    "GameName",
    "LabelForm",
    "Party",
    "PersonCard",
    "RosterSeat",
    "SheetCode",
    "Stay",
    "UnprintableError",
    "YearEnd",
    "cards",
    "enclosures",
    "envelopes",
    "executed_orders",
    "labels",
    "lending_sheet",
    "map_set",
    "order_sheet_code",
    "read_order_sheet_code",
    "roster",
    "routes",
    "turn_packet",
    "year_end_letter",
]
