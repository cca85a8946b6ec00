"""What feeds are made from."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

import msgspec

DueState = Literal["due", "planned", "cancelled"]


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """A deadline. ``key`` never changes while it is the same thing; ``revision`` rises whenever anything
    about it changes, and ``changed`` is when that was.

    ``at`` is the moment and ``zone`` the time zone that the game lives by. ``planned``: it comes only if the game goes
    on as expected. ``post_by``: the last day to post what must arrive by then.
    """

    key: str
    game: str
    what: str
    at: datetime
    changed: datetime
    zone: str = "UTC"
    revision: int = 0
    state: DueState = "due"
    powers: tuple[str, ...] = ()
    note: str = ""
    url: str = ""
    post_by: date | None = None


class Away(msgspec.Struct, frozen=True, kw_only=True):
    """An absence, from its first to its last day."""

    key: str
    first: date
    last: date
    note: str = ""


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a turn: ``key`` never changes, ``updated`` does when draft results become final; ``report`` is
    plain text."""

    key: str
    title: str
    published: datetime
    updated: datetime
    report: str
    url: str = ""
