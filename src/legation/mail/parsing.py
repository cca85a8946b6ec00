"""The library's parser of mails, with bounds: it takes quadratic time over long headers and many parts."""

from __future__ import annotations

import email
from email.message import EmailMessage
from email.policy import EmailPolicy
from typing import Any

LONGEST_FIELD = 10_000  # characters of a header; mail programs and relays write far fewer
LONGEST_PARAMETERS = 4_000  # of one that says what a part is, which is read many times
MOST_MESSAGES = 2_000  # parts, and blocks of reports, that a mail may consist of


class TooManyPartsError(ValueError):
    """A mail of more than ``MOST_MESSAGES`` parts."""


class _Bounded(EmailPolicy):
    """The library's own policy, with headers cut."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[: LONGEST_PARAMETERS if name.lower().startswith("content-") else LONGEST_FIELD]


def parse_message(data: bytes) -> EmailMessage:
    """Parse a mail.

    :raises TooManyPartsError: for one of more than ``MOST_MESSAGES`` parts.
    """
    count = 0

    def part(policy: Any = None) -> EmailMessage:
        nonlocal count
        count += 1
        if count > MOST_MESSAGES:
            raise TooManyPartsError
        return EmailMessage(policy)

    message = email.message_from_bytes(data, policy=_Bounded(message_factory=part))
    assert isinstance(message, EmailMessage)
    return message


def is_cut(value: str) -> bool:
    """Whether a header may have been longer than what is left of it."""
    return len(value) >= LONGEST_FIELD
