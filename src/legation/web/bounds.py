"""How often one address may do what costs much: ask for links, be seated, judge turns, lay pieces on the bench."""

from __future__ import annotations

from fastapi import Request

from legation.office.allowance import Allowance
from legation.web.pages import PageError


class Bounds:
    """The counts of one site."""

    def __init__(self) -> None:
        self._allowances: dict[str, Allowance] = {}

    def hit(self, what: str, caller: str, a_minute: int) -> bool:
        """Count; False when that is used up."""
        return self._allowances.setdefault(what, Allowance(a_minute, 60)).take(caller)


def bound(request: Request, what: str, a_minute: int) -> None:
    """Let one address do something only so often.

    :raises PageError: 429 when that is used up.
    """
    caller = request.client.host if request.client else ""
    if request.app.state.settings.bounded and not request.app.state.bounds.hit(what, caller, a_minute):
        raise PageError(
            429, "Nothing was done, since so much was asked in the last minute.", mend="Wait a minute and try again."
        )
