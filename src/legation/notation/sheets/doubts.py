"""Orders that are read and made doubtful by what stands beside them on their line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from legation.notation.errors import OrderTextError
from legation.notation.parsing.saying import NO_VERB, SAYS_NOTHING
from legation.notation.prose import sayings
from legation.notation.sheets.passages import Part, refuse_whole
from legation.orders import SupportHold

CROSSED_OUT = "the mark beside this may cross it out; if it is an order, write it without the mark"
LONGEST_ABBREVIATED = 5  # letters of a name before a full stop that ends no sentence


def with_doubts(parts: Sequence[Part], text: str) -> list[Part]:
    """The parts of a line, those orders refused that a cross follows (``A par - gas. ✗``) or, after abbreviations, the
    name of a place alone, where the unit that is supported may go: ``F. Eng. S. A. Pic. Bel.``; and those that an
    unknown abbreviation may be said of: ``A ukr spt'd. A gal - vie``."""
    result = list(parts)
    for i, (part, after) in enumerate(pairwise(parts)):
        written, follows = text[part.start : part.end], text[after.start : after.end]
        if after.orders and part.error is not None and _ends_unknown(part.error):
            why = f"{written[-60:]!r} before it may belong to it; write what both units should do in full"
            result[i + 1] = _refused(after, follows, why)
        if not part.orders or after.error is None:
            continue
        if follows[:1] in sayings.CROSSES:
            result[i] = _refused(part, written, CROSSED_OUT)
        elif _may_go_on(part, written, follows) and after.error.message.startswith(SAYS_NOTHING):
            why = f"{follows[:60]!r} may belong to it; write the order on a line of its own"
            result[i] = _refused(part, written, why)
    return result


def _ends_unknown(error: OrderTextError) -> bool:
    """Whether a unit is followed by nothing but an unknown word with a full stop, which may be a support."""
    short = error.text.endswith(".") and len(error.text) - error.span[0] <= LONGEST_ABBREVIATED + 1
    return short and NO_VERB in error.message and error.span[1] >= len(error.text)


def _may_go_on(part: Part, written: str, follows: str) -> bool:
    """Whether a support for a unit that stays ends with an abbreviation, and a single word follows."""
    last = written.removesuffix(".").rsplit(maxsplit=1)[-1]
    short = written.endswith(".") and len(last) <= LONGEST_ABBREVIATED
    return short and isinstance(part.orders[-1], SupportHold) and len(follows.split()) == 1


def _refused(part: Part, written: str, why: str) -> Part:
    return msgspec.structs.replace(part, orders=[], error=refuse_whole(written, why))
