"""The error for text that is not understood."""

from __future__ import annotations

from typing import Literal

FaultKind = Literal["not understood", "not yours", "superseded"]


class OrderTextError(ValueError):
    """Raised for a text that can't be read: which part (``span``, in characters of ``text``), why (``message``), and
    what may have been meant (``suggestions``).

    ``kind`` tells text that means nothing from orders that are understood to be another power's, or that a later line
    corrects, or that correct what isn't there.
    """

    def __init__(
        self,
        text: str,
        span: tuple[int, int],
        message: str,
        suggestions: tuple[str, ...] = (),
        kind: FaultKind = "not understood",
    ) -> None:
        self.text = text
        self.span = span
        self.message = message
        self.suggestions = suggestions
        self.kind: FaultKind = kind
        super().__init__(text, span, message, suggestions)

    def __str__(self) -> str:
        return said_of(self.text, self.message, self.suggestions)


def quoted(text: str) -> str:
    """Return a text in quotation marks, on one line; only its beginning if it is longer than 120 characters."""
    return repr(" ".join((text if len(text) <= 120 else text[:117] + "...").split()))


def said_of(text: str, message: str, suggestions: tuple[str, ...] = ()) -> str:
    """Return what is wrong with a text, in one line: the text unless the message quotes it, the message, and what may
    have been meant."""
    where = "" if quoted(text) in message else f"{quoted(text)}: "
    hint = f"; did you mean {' or '.join(suggestions)}?" if suggestions else ""
    return f"{where}{message}{hint}"
