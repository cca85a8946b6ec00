"""Actors: a person, somebody unknown, the clock, or the console of the office's own machine."""

from __future__ import annotations

import msgspec

EVERYTHING = ("everything",)


class Actor(msgspec.Struct, frozen=True):
    """Somebody who gives a command or asks. ``scopes`` limit what a token may do; ``key`` makes the next command
    idempotent; ``via`` is what they came with ("session 5", "token 7", "mail"); a ``guest`` has a seat for a day and no
    account."""

    kind: str
    person: int | None = None
    name: str = ""
    scopes: tuple[str, ...] = EVERYTHING
    key: str = ""
    via: str = ""
    guest: bool = False

    @staticmethod
    def visitor() -> Actor:
        """Return the actor for a visitor without a session."""
        return Actor("visitor", name="a visitor")

    @staticmethod
    def clock() -> Actor:
        """The office's own clock: what happens because it is time."""
        return Actor("clock", name="the clock")

    @staticmethod
    def clock_for(person: int, name: str) -> Actor:
        """The office itself, where it seats a guest."""
        return Actor("clock", person, name)

    @staticmethod
    def console() -> Actor:
        """The operator, at the server's command line."""
        return Actor("console", name="the console")

    def once(self, key: str) -> Actor:
        """Return this actor with an idempotency key: a command repeated with it is carried out once."""
        return msgspec.structs.replace(self, key=key)

    @property
    def label(self) -> str:
        """The actor in the table of answers."""
        return f"person {self.person}" if self.person is not None else self.kind
