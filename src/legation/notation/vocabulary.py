"""The names of a variant's places, powers and kinds of units."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from legation.board import Board, Travel
from legation.notation.names import Named, fold, place_names, power_names
from legation.notation.other_languages import UNITS
from legation.notation.peoples import also_of_lands, peoples

ABBREVIATIONS = {
    "fl": "F",
    "flt": "F",
    "amy": "A",
    "amry": "A",
    "armey": "A",
    "flet": "F",
    "fleeet": "F",
    "fleat": "F",
    "aa": "A",
    "ff": "F",
} | UNITS
PLURALS = {"army": "armies"}
NO_NAMES = frozenset("via by is are will shall and from with using to then please at on in".split())
"""Words that end the name of a place, beside those that say what a unit does."""


class KindName(Protocol):
    """The facts about a kind of unit that notation needs."""

    @property
    def name(self) -> str:
        """The kind's name, in small letters."""

    @property
    def also(self) -> tuple[str, ...]:
        """What else players call it."""

    @property
    def travel(self) -> Travel:
        """Which borders it crosses: an army's or a fleet's."""


class Vocabulary:
    """The names of one variant.

    ``kinds`` maps the codes of units to records with ``name`` and ``travel``; ``verb_words`` are those that say what a
    unit does.
    """

    def __init__(
        self, board: Board, powers: Sequence[Named], kinds: Mapping[str, KindName], verb_words: Collection[str]
    ) -> None:
        self.board = board
        self.places = place_names(board)
        self.powers = power_names(powers)
        self.peoples = peoples(board, self.powers, self.places)
        self.also_of_lands = also_of_lands(board, self.places)
        self.costs = {code: int(getattr(kind, "cost", 1)) for code, kind in kinds.items()}
        self.travel: dict[str, Travel] = {code: kind.travel for code, kind in kinds.items()}
        self.kinds = _spellings(kinds)  # what a kind of unit may be called
        self.codes = frozenset(code.casefold() for code in kinds)
        self.verb_words = frozenset(verb_words)
        self.ends_name = NO_NAMES | self.verb_words


def _spellings(kinds: Mapping[str, KindName]) -> dict[str, str]:
    """The codes of kinds of units by what they may be called."""
    spelled: dict[str, str] = {}
    for code, kind in kinds.items():
        name = fold(kind.name)
        plural = PLURALS.get(name.rsplit(" ", 1)[-1], "")
        for said in (
            code.casefold(),
            name,
            name + "s",
            name.rsplit(" ", 1)[0] + " " + plural if " " in name and plural else plural,
        ):
            if said:
                spelled[said] = code
    for said, code in ABBREVIATIONS.items():
        if code in kinds:
            spelled.setdefault(said, code)
    for code, kind in kinds.items():
        for said in kind.also:
            spelled.setdefault(said, code)
    return spelled
