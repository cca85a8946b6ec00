"""Records of the requests a mail can make: commands of the e-mail Judge, letters, orders ahead."""

from __future__ import annotations

from datetime import date
from typing import TypeAlias

import msgspec


class SignOn(msgspec.Struct, frozen=True, tag=True):
    """``SIGNON crown@powick-bridge``: which seat is meant, where a person holds several."""

    seat: str
    game: str


class Clear(msgspec.Struct, frozen=True, tag=True):
    """``CLEAR``: take back what was sent for this phase."""


class Undo(msgspec.Struct, frozen=True, tag=True):
    """``UNDO``: take back the last version, so that the one before it counts again."""


class Wait(msgspec.Struct, frozen=True, tag=True):
    """``SET WAIT``: not before the deadline; ``SET NOWAIT``: as soon as everybody is ready."""

    on: bool


class Draw(msgspec.Struct, frozen=True, tag=True):
    """``SET DRAW`` and ``SET NODRAW``: a vote, which goes with this phase's sheet."""

    on: bool


class Vote(msgspec.Struct, frozen=True, tag=True):
    """``SET VOTE PAUSE``, ``RESUME``, ``CANCEL``, ``EXTEND 48``, ``REPLACE Power``; with ``NOVOTE`` it is taken
    back."""

    kind: str
    on: bool
    hours: int = 0
    whom: str = ""


class Absence(msgspec.Struct, frozen=True, tag=True):
    """``SET ABSENCE 20 Jan TO 30 Jan``, ``SET NOABSENCE 20 Jan``; both days are days away."""

    first: date
    last: date
    on: bool


class SetAddress(msgspec.Struct, frozen=True, tag=True):
    """``SET ADDRESS eve@example.org``: where mail is to go."""

    email: str


class Share(msgspec.Struct, frozen=True, tag=True):
    """``SET SHARE`` and ``SET NOSHARE``: whether the players of the game see one's postal address."""

    on: bool


class Prefer(msgspec.Struct, frozen=True, tag=True):
    """``SET PREF Crown, Argyll``: which powers one would like, best first."""

    powers: tuple[str, ...]


class Letter(msgspec.Struct, frozen=True, tag=True):
    """``PRESS TO ...`` to ``ENDPRESS``, or ``BROADCAST``; ``ended`` tells whether its end was written, ``but`` whom it
    leaves out (``PRESS TO ALL BUT G``)."""

    to: tuple[str, ...]
    text: str
    anonymous: bool
    ended: bool
    but: tuple[str, ...] = ()


class ForPhase(msgspec.Struct, frozen=True, tag=True):
    """``PHASE Autumn 1642 Movement``: what follows it is meant for that turn."""

    turn: str
    text: str


class Ask(msgspec.Struct, frozen=True, tag=True):
    """A question: ``list``, ``status``, ``summary``, ``history``, ``whogame``, ``roster``, ``version`` or ``help``, and
    about what; of a history the first and last day, and how many lines at most (0: as many as usual)."""

    about: str
    subject: str = ""
    first: date | None = None
    last: date | None = None
    lines: int = 0


class Join(msgspec.Struct, frozen=True, tag=True):
    """``JOIN powick-bridge``: take part in a game that gathers players."""

    game: str


class Resign(msgspec.Struct, frozen=True, tag=True):
    """``RESIGN``: give the seat up."""


class Process(msgspec.Struct, frozen=True, tag=True):
    """A coordinator's ``PROCESS Summer 1642 Movement``: judge now."""

    turn: str


class SetDeadline(msgspec.Struct, frozen=True, tag=True):
    """A coordinator's ``SET DEADLINE 2027-01-20 18:00 because the post is late``."""

    when: str
    reason: str


class Eject(msgspec.Struct, frozen=True, tag=True):
    """A coordinator's ``EJECT Crown``: the seat is free for a replacement."""

    power: str


class Misread(msgspec.Struct, frozen=True, tag=True):
    """A command that is not complete or not understood, with what is wrong and how it is written."""

    line: int
    text: str
    message: str


Command: TypeAlias = (
    SignOn
    | Clear
    | Undo
    | Wait
    | Draw
    | Vote
    | Absence
    | SetAddress
    | Share
    | Prefer
    | Letter
    | ForPhase
    | Ask
    | Join
    | Resign
    | Process
    | SetDeadline
    | Eject
    | Misread
)


class Request(msgspec.Struct, frozen=True):
    """A mail's text taken apart.

    ``orders`` has as many lines as the text; lines that were something else are empty there. ``notes`` say what was
    left out.
    """

    commands: tuple[Command, ...] = ()
    orders: str = ""
    notes: tuple[str, ...] = ()

    @property
    def has_orders(self) -> bool:
        """Whether anything is left that may be a sheet."""
        return bool(self.orders.strip())
