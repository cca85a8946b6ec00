"""Whole sheets: every character is part of an order, of something that is none (a heading, a greeting, a comment), or
is told as not understood.

Each layer stands on the one before: what was read so far (:mod:`.progress`), one line in its parts (:mod:`.parts`),
which of them are doubtful (:mod:`.doubts`), remarks beside orders, by what they say (:mod:`.asides`, :mod:`.reasons`)
and by what they don't (:mod:`.harmless`), which sentences speak of something else (:mod:`.apart`), lines that correct
others, in short (:mod:`.replacing`) and in prose (:mod:`.restating`), a line of orders among the others
(:mod:`.order_lines`), headings (:mod:`.headings`), what else holds no orders (:mod:`.remarks`), the sheet from top to
bottom (:mod:`.sheet`).
"""

from legation.notation.sheets.passages import Passage
from legation.notation.sheets.progress import LONGEST_LINE, MOST_ORDERS
from legation.notation.sheets.sheet import SheetReader

__all__ = ["LONGEST_LINE", "MOST_ORDERS", "Passage", "SheetReader"]
