"""Records of the requests a mail can make: commands of the e-mail Judge, letters, orders ahead."""

from datetime import date
from typing import Literal, TypeAlias

import msgspec

Word: TypeAlias = Literal["clear", "undo", "wait", "draw", "share", "join", "resign", "process", "eject", "address"]


class Plain(msgspec.Struct, frozen=True, tag=True):
    """A command that is a word, whether it is on or off, and at most one thing that it names:

    ``CLEAR`` takes back what was sent for this phase, ``UNDO`` the last version; ``SET WAIT``: not before the deadline,
    ``SET NOWAIT``: as soon as everybody is ready; ``SET DRAW``: a vote, which goes with this phase's sheet; ``SET
    SHARE``: whether the players of the game see one's postal address; ``JOIN game``; ``RESIGN``: give the seat up;
    ``SET ADDRESS eve@example.org``: where mail is to go; a coordinator's ``PROCESS turn``: judge now; ``EJECT power``.
    """

    word: Word
    text: str = ""
    on: bool = True


class SignOn(msgspec.Struct, frozen=True, tag=True):
    """``SIGNON crown@powick-bridge``: which seat is meant, where a person holds several."""

    seat: str
    game: str


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


class SetDeadline(msgspec.Struct, frozen=True, tag=True):
    """A coordinator's ``SET DEADLINE 2027-01-20 18:00 because the post is late``."""

    when: str
    reason: str


class Misread(msgspec.Struct, frozen=True, tag=True):
    """A command that is not complete or not understood, with what is wrong and how it is written."""

    line: int
    text: str
    message: str


Command: TypeAlias = Plain | SignOn | Vote | Absence | Prefer | Letter | ForPhase | Ask | SetDeadline | Misread


class Request(msgspec.Struct, frozen=True):
    """A mail's text taken apart.

    ``orders`` has as many lines as the text; lines that were something else are empty there. ``notes`` say what was
    left out."""

    commands: tuple[Command, ...] = ()
    orders: str = ""
    notes: tuple[str, ...] = ()

    @property
    def has_orders(self) -> bool:
        """Whether anything is left that may be a sheet."""
        return bool(self.orders.strip())

    def asks(self, *words: Word) -> list[Plain]:
        """Return its commands of these words."""
        return [c for c in self.commands if isinstance(c, Plain) and c.word in words]
