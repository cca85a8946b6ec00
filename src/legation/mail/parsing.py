"""The library's parser of mails, with bounds: it takes long over long headers, many headers, many lines and many parts,
and looks at each line once for every multipart that the line is in."""

from collections import Counter
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.parser import BytesFeedParser
from email.policy import EmailPolicy, Policy

LONGEST_FIELD = 10_000  # characters of a header; mail programs and relays write far fewer
LONGEST_PARAMETERS = 4_000  # of one that says what a part is, which is read many times
MOST_FIELDS = 10_000  # headers of a mail and all its parts
MOST_MESSAGES = 2_000  # parts, and blocks of reports, that a mail may consist of
MOST_LINES = 400_000  # of a mail as it is sent: 20 MB of photographs have 270,000
PIECE = 1 << 16  # bytes that the parser is given at once
MOST_LOOKS = 12_000_000  # lines of a mail, times its parts that hold others


class TooManyPartsError(ValueError):
    """A mail of more than ``MOST_MESSAGES`` parts, or of too many multiparts for its lines (``MOST_LOOKS``)."""


class TooManyFieldsError(ValueError):
    """A mail of more than ``MOST_FIELDS`` headers."""


class TooManyLinesError(ValueError):
    """A mail of more than ``MOST_LINES`` lines."""


class _Headers(HeaderRegistry):
    """The library's own classes of headers. It makes one anew for each header, each time that it is looked at."""

    def __init__(self) -> None:
        super().__init__()
        self._made: dict[type, type] = {}

    def __getitem__(self, name: str) -> type:
        kind = self.registry.get(name.lower(), self.default_class)
        if kind not in self._made:
            self._made[kind] = super().__getitem__(name)
        return self._made[kind]


_HEADERS = _Headers()


class _Bounded(EmailPolicy):
    """The library's own policy, with headers cut."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        if name.lower() == "content-transfer-encoding":
            value = value.partition(";")[0].strip()  # else the library decodes nothing
        return name, value[: LONGEST_PARAMETERS if name.lower().startswith("content-") else LONGEST_FIELD]


class _Part(EmailMessage):
    """A part of a mail, counted with all others of the same mail."""

    def __init__(self, policy: Policy | None, counts: Counter[str], most_multiparts: int) -> None:
        super().__init__(policy)
        self._counts, self._most_multiparts = counts, most_multiparts
        self._counts["parts"] += 1
        if self._counts["parts"] > MOST_MESSAGES:
            raise TooManyPartsError

    def set_raw(self, name: str, value: str) -> None:
        """Keep a header as it came."""
        self._counts["headers"] += 1
        if self._counts["headers"] > MOST_FIELDS:
            raise TooManyFieldsError
        if name.lower() == "content-type" and value.lstrip()[:10].lower() == "multipart/":
            self._counts["multiparts"] += 1
            if self._counts["multiparts"] > self._most_multiparts:
                raise TooManyPartsError
        super().set_raw(name, value)


def parse_message(data: bytes) -> EmailMessage:
    """Parse a mail.

    :raises TooManyLinesError: for one of more than ``MOST_LINES`` lines.
    :raises TooManyFieldsError: for one of more than ``MOST_FIELDS`` headers.
    :raises TooManyPartsError: for one of more than ``MOST_MESSAGES`` parts, or of too many multiparts for its lines."""
    lines = count_lines(data)
    if lines > MOST_LINES:
        raise TooManyLinesError
    counts = Counter[str]()

    def part(policy: Policy | None = None) -> EmailMessage:
        return _Part(policy, counts, MOST_LOOKS // max(lines, 1))

    parser = BytesFeedParser(policy=_Bounded(message_factory=part, header_factory=_HEADERS))
    for start in range(0, len(data), PIECE):  # the whole at once takes five times its size
        parser.feed(data[start : start + PIECE])
    message = parser.close()
    assert isinstance(message, EmailMessage)
    return message


def count_lines(data: bytes) -> int:
    """How many lines a mail has, as the parser counts: CR, LF and CR LF each end one."""
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")


def is_cut(value: str) -> bool:
    """Whether a header may have been longer than what is left of it."""
    return len(value) >= LONGEST_FIELD


def clean_line(text: str) -> str:
    """Text on one line without control characters, at most 1,000 characters."""
    plain = "".join(" " if c in "\r\n\t" else c for c in text[:4000] if c.isprintable() or c in "\r\n\t")
    return " ".join(plain.encode("utf-8", "replace").decode().split())[:1000]
