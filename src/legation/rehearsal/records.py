"""What a rehearsal brings, in the order of time."""

from datetime import datetime
from email.message import EmailMessage
from typing import Literal

import msgspec

Sort = Literal["mail", "letter", "paper", "desk", "act", "date"]


class Paper(msgspec.Struct, frozen=True):
    """A PDF file by its name."""

    name: str
    content: bytes


class Happening(msgspec.Struct, frozen=True, kw_only=True):
    """A thing that comes at a time, under the turn in which it comes.

    ``mail``: a mail to ``who``, of a ``kind`` of the office's mails, as it was sent but for its ``papers``. ``letter``:
    what arrives, by post or by mail. ``paper``: what is printed for ``who``. ``desk``: what waits at the desk. ``act``:
    why something can't be done there yet. ``date``: an entry of the calendar, at its own time."""

    at: datetime
    turn: str
    sort: Sort
    title: str
    who: str = ""
    kind: str = ""
    text: str = ""
    message: EmailMessage | None = None
    papers: tuple[Paper, ...] = ()


class Rehearsed(msgspec.Struct, frozen=True, kw_only=True):
    """All that a rehearsal brought: of a game, from a time to another, and the calendar of the whole of it."""

    name: str
    key: str
    variant: str
    began: datetime
    ended: datetime
    zone: str
    players: dict[str, str]
    lacking: tuple[str, ...]
    happenings: tuple[Happening, ...]
    dates: tuple[Happening, ...]
    calendar: bytes
