"""The reason that somebody gives for what others have to live with."""

from __future__ import annotations

from legation.office.errors import InvalidInputError

LONGEST_REASON = 500  # characters that are kept


def given_reason(text: str, told: str = "all players see it") -> str:
    """Return a reason as it is kept; ``told``: what becomes of it.

    :raises InvalidInputError: for an empty one.
    """
    reason = text.strip()[:LONGEST_REASON]
    if not reason:
        raise InvalidInputError(f"Give a reason; {told}.", faults=["reason: empty"])
    return reason
