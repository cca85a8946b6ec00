"""What an importer takes from a file, in terms of no format: the record between every reader and every writer.

Places keep the key that the source gives them; locations are a key, or ``key/nc`` for one of several coasts. Borders
are directed as most sources write them, so that a way without a way back is seen. Whatever has no counterpart here is
noted by its name in the source: nothing is left out without a word."""

from typing import Any

import msgspec

from legation.interop.sources import Source

Point = tuple[float, float]
Ring = list[Point]
Polygons = list[list[Ring]]
"""Polygons of rings, the first of each the outline and the rest holes; x to the right, y down."""


USUAL_CYCLE = ("Spring Movement", "Spring Retreats", "Fall Movement", "Fall Retreats", "Winter Adjustments")
KINDS = {"A": "army", "F": "fleet"}
"""The kinds of starting units by our letters."""


class Place(msgspec.Struct, kw_only=True):
    """One province of the source. ``shore``: land that a fleet can enter; ``coasts``: our codes of its coasts where it
    has several."""

    key: str
    name: str
    code: str = ""
    """What the source abbreviates it to, if that is not its key."""
    sea: bool = False
    shore: bool = False
    coasts: list[str] = []
    center: bool = False
    aliases: list[str] = []
    convoys: bool = False
    """Whether fleets convoy from this coast."""


class StartingUnit(msgspec.Struct, frozen=True):
    """A unit at the start: ``army`` or ``fleet`` (or a kind that has no counterpart), and its location."""

    kind: str
    at: str


class Nation(msgspec.Struct, kw_only=True):
    """A power of the source. ``owned`` are its centers at the start, its homes if None."""

    name: str
    adjective: str = ""
    aliases: list[str] = []
    homes: list[str] = []
    owned: list[str] | None = None
    units: list[StartingUnit] = []
    color: str = ""
    played: bool = True

    @property
    def centers(self) -> list[str]:
        """Its centers at the start."""
        return self.homes if self.owned is None else self.owned

    def own(self, key: str) -> None:
        """Let a center be its at the start."""
        self.owned = [*(self.owned or []), key]


class SourcePicture(msgspec.Struct, kw_only=True):
    """Where things lie in the source's picture: shapes of provinces, places of units (by location), and shapes that are
    off the board (``land`` or ``water``)."""

    shapes: dict[str, Polygons] = {}
    units: dict[str, Point] = {}
    off_board: list[tuple[str, Polygons]] = []
    waste: list[tuple[str, Point]] = []
    """Where something lies that is off the board: ``land`` or ``water``."""
    colors: dict[str, str] = {}
    """Colors of powers, as CSS writes them, by their names in lower case."""


class Note(msgspec.Struct, frozen=True):
    """One line of the report: the name of the thing in the source, and what became of it."""

    what: str
    text: str


class ForeignVariant(msgspec.Struct, kw_only=True):
    """A variant as it was found."""

    name: str
    title: str
    format: str
    file: str
    board: str = ""
    """The name that variants on the same board share; the variant's own if empty."""
    ours: str = ""
    """The board that comes with Legation which this board is, if it is one."""
    summary: str = ""
    credits: str = ""
    places: dict[str, Place] = {}
    army: set[tuple[str, str]] = set()
    fleet: set[tuple[str, str]] = set()
    nations: list[Nation] = []
    first: str = "Spring 1901 Movement"
    cycle: list[str] = msgspec.field(default_factory=lambda: list(USUAL_CYCLE))
    opening: list[str] = []
    years: int = 1
    before_christ: int = 0
    """The year B.C. in which the game begins; 0 if it begins in a year of ours."""
    rules: dict[str, dict[str, Any]] = {}
    to_win: int | None = None
    draws: bool = True
    """Whether players vote for draws."""
    picture: SourcePicture = msgspec.field(default_factory=SourcePicture)
    taken: list[Note] = []
    not_taken: list[Note] = []
    guessed: list[Note] = []

    def place_of(self, location: str) -> Place | None:
        """The place of a location."""
        return self.places.get(location.partition("/")[0])

    def term(self, kind: str, start: str, end: str, **terms: Any) -> None:
        """Note a border that is ``closed`` on terms, ``weak`` or ``half``, from one key (any if empty) to another."""
        table: dict[str, Any] = {"from": f"@{start}"} if start else {}
        table |= {"to": f"@{end}", **terms}
        listed = self.rules.setdefault("border_terms", {}).setdefault(kind, [])
        if table not in listed:
            listed.append(table)

    def took(self, what: str, text: str) -> None:
        """Note what was taken."""
        _add(self.taken, what, text)

    def left(self, what: str, text: str) -> None:
        """Note what has no counterpart."""
        _add(self.not_taken, what, text)

    def guess(self, what: str, text: str) -> None:
        """Note what was guessed, and why."""
        _add(self.guessed, what, text)

    def take_passive(self, word: str, *, rebuilt: bool = False) -> None:
        """Let the powers that the source has nobody play hold; those without units and centers are left out."""
        idle = [nation for nation in self.nations if not nation.played]
        for nation in [nation for nation in idle if not nation.units and not nation.homes and not nation.owned]:
            self.nations.remove(nation)
            self.took(f"{word} {nation.name}", "has neither units nor centers, and is left out")
            idle.remove(nation)
        if idle and len(idle) == len(self.nations):
            self.left(word, "says that nobody plays any power; somebody must")
        elif idle:
            names = [nation.name for nation in idle]
            self.rules["passive_powers"] = {"powers": names, "rebuilt": True} if rebuilt else {"powers": names}
            self.took(f"{word} {', '.join(names)}", "units that only hold: the rule passive_powers")


class VariantReader:
    """What reads files of a variant into a record, and tells what became of each thing; ``entry`` is its own file."""

    def __init__(self, source: Source, variant: ForeignVariant) -> None:
        self.source, self.variant, self.entry = source, variant, variant.file
        self.left, self.took, self.guess = variant.left, variant.took, variant.guess


def _add(notes: list[Note], what: str, text: str) -> None:
    note = Note(clean(what, 80), clean(text, 400))
    if note not in notes:
        notes.append(note)


def clean(text: str, longest: int = 200) -> str:
    """A text of a stranger's file as one line that a page and a terminal can show."""
    kept = "".join(c if c.isprintable() else " " for c in text[: 4 * longest])
    line = " ".join(kept.split())
    return line if len(line) <= longest else line[: longest - 3] + "..."
