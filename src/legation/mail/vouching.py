"""Whether the server that takes our mail vouches for a mail's sender (RFC 8601, ``Authentication-Results``).

Only the topmost of these fields is read, and only if it bears the name of the server that is trusted: all others came
with the mail, and anybody may have written them. Alignment is strict: the domain of the one address in ``From`` must be
the very domain that DKIM, SPF or DMARC found good. What cannot be parsed, to the last character, vouches for nobody; a
mail that is not vouched for is not lost, but confirmed by its sender."""

import re
from collections.abc import Iterator
from email.errors import InvalidHeaderDefect
from email.headerregistry import AddressHeader
from email.message import EmailMessage
from typing import Any

import authres
from authres import dmarc

from legation.mail.parsing import is_cut

UNNAMED = "unnamed"  # the trusted server's name where it writes none (Exchange Online)
HEAD_END = re.compile(rb"\r?\n\r?\n")
LONGEST = 8192  # characters of the field
FIELD = "authentication-results"
DOMAIN = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)+")
HARMLESS = frozenset(["pass", "none"])  # results of DMARC beside which DKIM or SPF may still vouch


class StrictHeader(authres.core.AuthenticationResultsHeader):  # type: ignore[misc]
    """A strict parser of the field: a property that cannot be read is a fault of the whole.

    Beside RFC 8601 it takes properties of any type, and those without one (``action=none``, Exchange's)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.strict = True

    def _parse_rfc5322_cfws(self) -> None:
        """Comments and blanks, however many follow each other."""
        while self._parse_pattern(authres.core.RFC5322_FWS_PATTERN) or self._parse_rfc5322_comment():
            pass

    def _parse_propspec(self) -> Any:
        kind, name = self._parse_key_atom(), ""
        if not kind:
            return None
        self._parse_rfc5322_cfws()
        if self._parse_pattern(r"\."):
            self._parse_rfc5322_cfws()
            name = self._parse_dot_key_atom()
        self._parse_rfc5322_cfws()
        if not self._parse_pattern(r"=") or name is None:
            raise authres.core.SyntaxError("a property without a value", self._parse_text)
        return authres.core.AuthenticationResultProperty(kind, name, self._parse_pvalue())

    def _parse_pvalue(self) -> str:
        """A value. What was quoted keeps its quotes, so that it never equals a domain."""
        self._parse_rfc5322_cfws()
        if not self._parse_text.startswith('"'):
            return str(self._parse_pattern(rf"{authres.core.PTEXT_PATTERN}*").group())
        local = f'"{self._parse_rfc5322_quoted_string()}"'
        domain = self._parse_pattern(rf"@{authres.core.PTEXT_PATTERN}*")
        return local + (domain.group() if domain else "")


CONTEXT = authres.FeatureContext(dmarc)
CONTEXT.header_class = StrictHeader


def author(message: EmailMessage) -> str:
    """The one address that a mail is from, in lower case; empty where there is none, or more than one could be meant,
    as where the field is so long that it was cut.

    Only ASCII letters are folded: no other letter ever becomes one of an address that is known."""
    written = [str(value) for name, value in message.raw_items() if name.lower() == "from"]
    if len(written) != 1 or is_cut(written[0]):
        return ""
    try:
        field = message["From"]
    except Exception:  # the parsers of single headers raise what they like on garbage
        return ""
    if not isinstance(field, AddressHeader) or len(field.addresses) != 1:
        return ""
    if any(isinstance(defect, InvalidHeaderDefect) for defect in getattr(field, "defects", ())):
        return ""
    return str(field.addresses[0].addr_spec).encode("utf-8", "surrogateescape").lower().decode("utf-8", "replace")


def is_vouched(message: EmailMessage, trusted: str) -> bool:
    """Whether the ``trusted`` server vouches for the sender of a mail; False where none is trusted."""
    domain = author(message).rpartition("@")[2]
    if not trusted or not DOMAIN.fullmatch(domain):
        return False
    written = next((str(value) for name, value in message.raw_items() if name.lower() == FIELD), "")
    return not is_cut(written) and vouches(written, trusted, domain)


def has_plain_head(data: bytes) -> bool:
    """Whether all lines of a mail's head end in one way, CR LF or LF. Of a bare CR, or LF beside others, a server and
    the parser here don't see the same fields: one could be hidden from the server that is to remove it."""
    head = HEAD_END.split(data, maxsplit=1)[0]
    bare = head.replace(b"\r\n", b"")
    return b"\r" not in bare and (b"\n" not in bare or b"\r" not in head)


def from_elsewhere(data: bytes, trusted: str) -> bytes:
    """Return a mail that did not come by the ``trusted`` server, below fields that say so, as the first server of one's
    own writes them (RFC 8601, 5): whatever stands below in that server's name, somebody else has written. ``Received``
    tells no time: it came when the office took it."""
    server = "" if trusted.lower() == UNNAMED else f"{trusted}; "
    return f"Authentication-Results: {server}none\r\nReceived: from elsewhere by {trusted}\r\n".encode() + data


def vouches(field: str, trusted: str, domain: str) -> bool:
    """Whether a field of the ``trusted`` server vouches for a ``domain`` (in lower case)."""
    text = re.sub(r"\r?\n(?=[ \t])", "", field).strip()
    if trusted.lower() == UNNAMED:
        text = f"{UNNAMED}; {text}"
    if len(text) > LONGEST or not text.isascii() or not text.replace("\t", " ").isprintable():
        return False
    try:
        header = CONTEXT.parse_value(text)
    except (authres.AuthResError, ValueError, RecursionError):
        return False
    if header.authserv_id != trusted.lower():
        return False
    refused = any(
        result.method == "dmarc"
        and result.result not in HARMLESS
        and set(_values(result, "header", "from")) <= {domain}
        for result in header.results
    )
    return not refused and any(_passes(result, domain) for result in header.results)


def _passes(result: Any, domain: str) -> bool:
    """Whether a result is good, of a version that is known, and about this domain alone."""
    if result.result != "pass" or result.version not in (None, "1"):
        return False
    match result.method:
        case "dkim":
            return list(_values(result, "header", "d")) == [domain]
        case "dmarc":
            return list(_values(result, "header", "from")) == [domain]
        case "spf":
            return [value.rpartition("@")[2] for value in _values(result, "smtp", "mailfrom")] == [domain]
    return False


def _values(result: Any, kind: str, name: str) -> Iterator[str]:
    for known in result.properties:
        if (known.type.lower(), known.name.lower()) == (kind, name):
            yield known.value.lower()
