"""Which version of a seat counts in a turn: asked by the office when it opens the seals, and by whoever verifies."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """A version that a seat has in a turn. ``says_anything``: something of it was understood, or it is a picture, or it
    is left blank on purpose."""

    number: int
    entered_by: str
    says_anything: bool
    withdrawn: bool = False
    refused: bool = False
    confirmed: bool = False


def choose_version(versions: Sequence[Version]) -> int:
    """The number of the version that counts; 0 for none.

    It is the last that says anything and was not withdrawn. What was assigned from a mail of an unknown sender counts
    once the holder confirms it; what the coordinator entered counts unless the holder refuses it, and never in place of
    what the holder sent, but where the holder confirms it.
    """
    standing = [v for v in versions if v.says_anything and not v.withdrawn and not v.refused]
    own = [v for v in standing if v.entered_by in ("holder", "bot") or v.confirmed]
    entered = [v for v in standing if v.entered_by == "coordinator"]
    return max((v.number for v in own or entered), default=0)
