"""The error for text that is not understood."""

from __future__ import annotations

from typing import Literal

FaultKind = Literal["not understood", "not yours", "superseded"]


class OrderTextError(ValueError):
    """A text that cannot be read: which part of it (``span``, in characters of ``text``), why, and what may have been
    meant.

    ``kind`` tells text that means nothing from orders that are understood to be another power's, or that a later line
    corrects.
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
        shown = self.text if len(self.text) <= 120 else self.text[:117] + "..."
        shown = " ".join(shown.split())
        hint = f": did you mean {' or '.join(self.suggestions)}?" if self.suggestions else ""
        return f"{self.message} in {shown!r}{hint}"
