"""njudge's maps: ``map.NAME`` with numbered blocks, and ``seed.NAME`` with the starting position beside it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files

from legation.interop.coasts import WORDS
from legation.interop.errors import ForeignFileError
from legation.interop.record import ForeignVariant, Nation, Place, StartingUnit, clean
from legation.interop.sources import Source

NAME = "njudge"
TITLE = "njudge maps (map.NAME with seed.NAME)"
KINDS = {
    "l": "land",
    "w": "water",
    "h": "high sea",
    "v": "arctic water",
    "x": "neutral center",
    "g": "gateway",
    "r": "railway",
}
POWERS = "njudge_powers.toml"
SEASONS = {"S": "Spring", "U": "Summer", "F": "Fall", "W": "Winter"}
COAST_TYPES = {"n": "nc", "s": "sc", "e": "ec", "w": "wc"}
MOST_LINES = 8000
STEM = re.compile(r"(?:^|/)map\.([A-Za-z0-9_+-]+)$", re.IGNORECASE)


def recognize(source: Source) -> list[str]:
    """Files called ``map.NAME`` whose first block ends with -1."""
    return [name for name in source.names if STEM.search(name) and re.search(r"^-1", source.text(name), re.MULTILINE)]


def read(source: Source, entry: str) -> list[ForeignVariant]:
    """The variant of a map file.

    :raises ForeignFileError: if a block is missing.
    """
    match = STEM.search(entry)
    stem = match[1] if match else entry.rpartition("/")[2]
    variant = ForeignVariant(name=stem, title=stem.replace("_", " ").title(), format=TITLE, file=entry, nations=[])
    reader = _Reader(source, variant, entry, stem)
    reader.run()
    return [variant]


def blocks(text: str, name: str) -> list[list[tuple[int, str]]]:
    """The lines of each block with their numbers."""
    found: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(text.splitlines(), 1):
        if number > MOST_LINES:
            raise ForeignFileError(f"{name}: has more than {MOST_LINES} lines")
        if line.startswith("-1"):
            found.append([])
        else:
            found[-1].append((number, line))
    return found


class _Reader:
    """Reads a map and its seed."""

    def __init__(self, source: Source, variant: ForeignVariant, entry: str, stem: str) -> None:
        self.source = source
        self.variant = variant
        self.entry = entry
        self.stem = stem
        self.codes: dict[str, str] = {}
        self.order: list[str] = []
        self.letters: dict[str, Nation] = {}
        self.arctic: list[str] = []
        listed = tomllib.loads(files("legation.interop").joinpath(POWERS).read_text(encoding="utf-8"))
        self.names: dict[str, str] = {**listed["usual"], **listed.get(stem.lower(), {})}

    def run(self) -> None:
        """Read everything."""
        parts = blocks(self.source.text(self.entry), self.entry)
        if len(parts) < 3:
            raise ForeignFileError(
                f"{self.entry}: needs a block of places and one of borders, each closed by a line -1"
            )
        for number, line in parts[0]:
            if line[:1].isalnum():
                self.place(line, f"{self.entry}:{number}")
        self.borders(parts[1])
        self.sections(parts[2])
        seed = self.source.look(self.entry, f"seed.{self.stem}")
        if seed is None:
            self.variant.left("seed", f"there is no seed.{self.stem} beside the map: the powers start without units")
        else:
            self.seed(seed)
        self.variant.nations = list(self.letters.values())
        self.variant.guess("centers to win", "stand in the program and not in the map; half of all and one more")
        self.variant.left(
            "program", "rules that njudge's program ties to the variant's name (builds, duality) are not in its files"
        )

    def place(self, line: str, where: str) -> None:
        """``Name,  K code alias ...``"""
        name, comma, rest = line.rpartition(",")
        words = rest.split()
        if not comma or len(words) < 2:
            self.variant.left(clean(line, 60), f"{where}: a place without a kind or a code")
            return
        kind, listed = words[0], words[1:]
        key = listed[0].lower()
        if key in self.variant.places:
            self.variant.left(clean(line, 60), f"{where}: the code {key} is another place's too")
            return
        first, marks = kind[0], kind[1:]
        place = Place(key=key, name=clean(name, 60) or key, aliases=listed[1:], sea=first in "whv")
        self.variant.places[key] = place
        self.order.append(key)
        for code in (*listed, place.name):
            self.codes.setdefault(code.lower(), key)
        if first == "x":
            place.center = True
        elif first.isupper():
            place.center = True
            self.nation(first).homes.append(key)
        elif first not in KINDS:
            self.variant.left(f"{kind} of {key}", f"{where}: is no kind of place")
        if first == "v":
            self.arctic.append(key)
        elif first in "hgr":
            self.variant.left(f"{KINDS[first]} {key}", TOLD[first])
        for mark in marks:
            if mark in "wl" and first not in "wvh":
                place.convoys = place.convoys or mark == "w"
                self.variant.left(f"{kind} of {key}", "duality: can be convoyed through, where the program sets it")
            elif not mark.isspace() and mark not in "wl":
                self.variant.left(f"{kind} of {key}", "income or fortress of Machiavelli")

    def nation(self, letter: str) -> Nation:
        """The power of a letter."""
        if letter not in self.letters:
            name = self.names.get(letter)
            if name is None or any(n.name == name for n in self.letters.values()):
                name = f"Power {letter}"
            self.variant.guess(f"power {letter}", f"the map has letters only; it is called {name}")
            self.letters[letter] = Nation(name=name, aliases=[letter])
        return self.letters[letter]

    # --- borders

    def borders(self, lines: list[tuple[int, str]]) -> None:
        """The second block."""
        entries = list(self._entries(lines))
        for key, kind, _, _ in entries:
            if kind in COAST_TYPES and COAST_TYPES[kind] not in self.variant.places[key].coasts:
                self.variant.places[key].coasts.append(COAST_TYPES[kind])
        for place in self.variant.places.values():
            place.shore = not place.sea and (
                bool(place.coasts) or any(k == place.key and t == "x" for k, t, _, _ in entries)
            )
        for key, kind, targets, where in entries:
            for target in targets:
                self.border(key, kind, target, where)
        for key in self.arctic:
            self.variant.term("closed", "", key, seasons=["Fall"])
            for other in sorted({b.partition("/")[0] for a, b in self.variant.fleet if a == key}):
                self.variant.term("closed", key, other, seasons=["Fall"])
            self.variant.took(f"arctic water {key}", "no way in or out in fall: the rule border_terms")

    def _entries(self, lines: list[tuple[int, str]]) -> Iterator[tuple[str, str, list[str], str]]:
        for number, line in lines:
            where = f"{self.entry}:{number}"
            head, colon, rest = line.partition(":")
            code, dash, kind = head.strip().partition("-")
            if not line[:1].isalnum():
                continue
            if not colon or not dash or not kind:
                self.variant.left(clean(line, 60), f"{where}: is no line of borders")
                continue
            key = self.codes.get(code.strip().lower())
            if key is None:
                self.variant.left(clean(line, 60), f"{where}: {code.strip()!r} is no place")
                continue
            yield key, kind.strip().lower()[0], rest.split(), where

    def border(self, key: str, kind: str, target: str, where: str) -> None:
        """One target of a line."""
        variant = self.variant
        code, *marks = target.lower().split("/")
        other = self.codes.get(code)
        if other is None:
            variant.left(f"{key} {target}", f"{where}: is no place")
            return
        coast = next((WORDS[m] for m in marks if m in ("nc", "sc", "ec", "wc")), "")
        for mark in marks:
            if mark[:1] == "m":
                variant.term("weak", key, other, kinds=["A"])
                variant.took(f"{key} - {target}", "an army counts one less across it: the rule border_terms")
                variant.guess("/mx", "nobody supports across such a border, either")
            elif mark[:1] in ("h", "l"):
                variant.term("half", key, other, **({"convoyed": True} if mark[:1] == "l" else {}))
                variant.took(f"{key} - {target}", "a unit counts half across it: the rule border_terms")
            elif mark[:1] in MODIFIERS and mark not in ("nc", "sc", "ec", "wc"):
                variant.left(f"{key} - {target}", MODIFIERS[mark[:1]])
        if other == key:
            return
        here, there = variant.places[key], variant.places[other]
        if kind == "m":
            if here.sea or there.sea:
                variant.left(f"{key} - {target}", f"{where}: an army's border at sea")
            else:
                variant.army.add((key, other))
        elif kind in "xnsew":
            at = f"{key}/{COAST_TYPES[kind]}" if kind in COAST_TYPES and here.coasts else key
            variant.fleet.add((at, f"{other}/{coast}" if coast and there.coasts else other))
        elif kind == "c":
            variant.left(f"{key} - {target}", "a conduit")
        else:
            variant.left(f"{key} - {target}", f"{where}: a kind of border that is not known")

    def sections(self, lines: list[tuple[int, str]]) -> None:
        """The third block: what has a counterpart here is nothing but the order of the centers."""
        section = ""
        for number, line in lines:
            if line[:1].isupper():
                section = line.split()[0].lower()
                if section not in ("center", "hongkong"):
                    self.variant.left(clean(line, 60), f"{self.entry}:{number}: a section of the program's own")
            if section == "hongkong":
                for letter, code in re.findall(r"\b([A-Z]):\s*(\w+)", line):
                    self.uncounted(letter, code.lower())

    def uncounted(self, letter: str, code: str) -> None:
        """A center that does not count for one power."""
        key = self.codes.get(code)
        if key is None or letter not in self.letters:
            self.variant.left(f"HongKong {letter}: {code}", "is no place, or no power")
            return
        table = self.variant.rules.setdefault("uncounted_centers", {"centers": {}})["centers"]
        table.setdefault(self.letters[letter].name, []).append(f"@{key}")
        self.variant.took(f"HongKong {letter}: {code}", "does not count for that power: the rule uncounted_centers")

    # --- the starting position

    def seed(self, name: str) -> None:
        """``seed.NAME``."""
        parts = blocks(self.source.text(name), name)
        lines = [line.strip() for _, line in parts[0] if line.strip()]
        turn = re.fullmatch(r"([SUFW])(\d{1,5})([MRBA])", lines[0]) if lines else None
        if turn is None:
            self.variant.guess(name, "begins with no turn; the game begins in Spring 1901")
        else:
            self.variant.first = f"{SEASONS[turn[1]]} {int(turn[2])} {'Movement' if turn[3] == 'M' else 'Adjustments'}"
            if turn[1] == "U":
                self.variant.first = f"Spring {int(turn[2])} Movement"
                self.variant.left(lines[0], "a game that begins in summer")
            self.variant.took(f"{name}: {lines[0]}", f"the game begins with {self.variant.first}")
            lines = lines[1:]
        for line in lines:
            self.unit(line, name)
        self.owned([line for _, line in parts[1]] if len(parts) > 1 else [], name)

    def unit(self, line: str, name: str) -> None:
        """``A: F St Petersburg/sc``"""
        match = re.fullmatch(r"([A-Z]):\s*(A|F|W|Am|Fl)\s+(?:([A-Z])\s+)?(.+)", line)
        where, slash, coast = match[4].partition("/") if match else ("", "", "")
        key = self.codes.get(where.strip().lower()) or (match and self._near(where))
        if match is None or key is None or match[2] == "W":
            self.variant.left(f"{name}: {clean(line, 60)}", "is no army or fleet in a place of the map")
            return
        at = f"{key}/{WORDS.get(coast.strip().lower(), '')}" if slash and coast.strip().lower() in WORDS else key
        kind = "army" if match[2] in ("A", "Am") else "fleet"
        self.nation(match[1]).units.append(StartingUnit(kind, at))

    def _near(self, written: str) -> str | None:
        """A place by the beginning of its name, if only one begins so."""
        found = {
            key for code, key in self.codes.items() if code.startswith(written.strip().lower()) and written.strip()
        }
        return found.pop() if len(found) == 1 else None

    def owned(self, lines: list[str], name: str) -> None:
        """The owners at the start: one character for each place in the order of the map, if they are not the homes."""
        text = "".join(line.strip() for line in lines if line.strip() and "ownership" not in line.lower())
        if not text:
            return
        if len(text) > len(self.order) + 2 or not re.fullmatch(r"[A-Za-z.]+", text):
            self.variant.left(f"{name}: {text[:40]}", "is no list of owners")
            return
        for nation in self.letters.values():
            nation.owned = []
        for key, letter in zip(self.order, text, strict=False):
            if letter.isupper() and self.variant.places[key].center:
                nation = self.nation(letter)
                nation.owned = [*(nation.owned or []), key]
        self.variant.took(f"{name}: owners", "the centers at the start")


TOLD = {
    "h": "any number of fleets may stand in it; here one",
    "g": "a gateway between others; here a place like any other",
    "r": "a railway; here a place like any other",
}
MODIFIERS = {
    "c": "a conduit, with its gatekeeper",
}
