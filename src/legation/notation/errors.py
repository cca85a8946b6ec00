"""The error for text that is not understood or not carried out, and its reasons: one table, ``reasons.tsv``."""

from functools import cache
from importlib.resources import files
from typing import Literal

FaultKind = Literal["not understood", "not yours", "superseded"]
LONGEST_QUOTED = 120


class OrderTextError(ValueError):
    """Raised for a text that isn't carried out: which part (``span``, in characters of ``text``), why (``code``, a
    reason of the table, and its ``message``), and what may have been meant (``suggestions``).

    ``kind`` tells text that means nothing from orders that are understood to be another power's, or that a later line
    corrects."""

    def __init__(
        self,
        text: str,
        span: tuple[int, int],
        message: str,
        suggestions: tuple[str, ...] = (),
        kind: FaultKind = "not understood",
        code: str = "not order",
    ) -> None:
        self.text = text
        self.span = span
        self.message = message
        self.suggestions = suggestions
        self.kind: FaultKind = kind
        self.code = code
        super().__init__(text, span, message, suggestions)

    def __str__(self) -> str:
        return said_of(self.text, self.message, self.suggestions)


@cache
def reasons() -> dict[str, tuple[FaultKind, str]]:
    """Return the kind and the message of each reason."""
    text = files("legation.notation").joinpath("reasons.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    kinds: dict[str, FaultKind] = {"": "not understood", "yours": "not yours", "superseded": "superseded"}
    return {code: (kinds[kind], message) for code, kind, message, *_ in rows}


def refuse(
    code: str, text: str, span: tuple[int, int] | None = None, suggestions: tuple[str, ...] = (), **said: object
) -> OrderTextError:
    """Return the error for a reason of the table; ``said`` fills its message, ``span`` is the whole text if left
    out."""
    kind, message = reasons()[code]
    return OrderTextError(text, span or (0, len(text)), message.format(**said), suggestions, kind, code)


def quoted(text: str) -> str:
    """Return a text in quotation marks, on one line; only its beginning if it is longer than 120 characters."""
    return repr(" ".join((text if len(text) <= LONGEST_QUOTED else text[: LONGEST_QUOTED - 3] + "...").split()))


def said_of(text: str, message: str, suggestions: tuple[str, ...] = ()) -> str:
    """Return what is wrong with a text, in one line: the text unless the message quotes it, the message, and what may
    have been meant."""
    where = "" if quoted(text) in message else f"{quoted(text)}: "
    hint = f"; did you mean {' or '.join(suggestions)}?" if suggestions else ""
    return f"{where}{message}{hint}"
