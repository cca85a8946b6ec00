"""njudge's maps: ``map.NAME`` with numbered blocks, and ``seed.NAME`` with the starting position beside it.

``map`` alone is that of the standard game."""

import re
from collections.abc import Iterator
from itertools import zip_longest

from legation.board import province_of
from legation.interop.calendars import LETTERS, SEASON_LETTERS, start_in_cycle
from legation.interop.coasts import WORDS, convoying
from legation.interop.record import ForeignVariant, Nation, Place, StartingUnit, VariantReader, clean
from legation.interop.sources import ForeignFileError, Source, read_facts
from legation.variants import STANDARD

NAME = "njudge"
TITLE = "njudge maps (map.NAME with seed.NAME)"
KINDS = "lwhvxgr"
"""Land, water, high sea, arctic water, a neutral center, a gateway, a railway."""
POWERS, PROGRAM = "njudge_powers.toml", "njudge_variants.toml"
COAST_TYPES = {"n": "nc", "s": "sc", "e": "ec", "w": "wc"}
MOST_LINES = 8000
BORDERS = re.compile(r"(\w+) ?- ?(\w+)(?: ?:|\s|$)\s*(.*)")
"""A line of borders; the colon may be missing."""
MACHIAVELLI = re.compile(r"([0-9])[.fpP]?V?")
"""What follows the kind of a place of Machiavelli: the income of its city, and its fortress."""
UNIT = re.compile(r"([A-Z0-9&])(?::|[a-z](?=\s))\s*(A|F|W|G|Am|Fl)\s+(?:([A-Z])\s+)?(.+)")
RAILWAY = re.compile(r"(\w+)\s*:\s*([A-Z0-9]+)\s+(\w+(?:\s+\w+)+)")
STEM = re.compile(r"(?:^|/)map(?:\.([A-Za-z0-9_+-]+))?$", re.IGNORECASE)
STANDARD_LETTERS = frozenset("AEFGIRT")


def recognize(source: Source) -> list[str]:
    """Files called ``map.NAME`` or ``map`` whose first block ends with -1."""
    return [name for name in source.names if STEM.search(name) and re.search(r"^-1", source.glance(name), re.MULTILINE)]


def read(source: Source, entry: str) -> list[ForeignVariant]:
    """The variant of a map file.

    :raises ForeignFileError: if a block is missing."""
    match = STEM.search(entry)
    stem = (match[1] or STANDARD) if match else entry.rpartition("/")[2]
    reader = _Reader(source, entry, stem)
    reader.run()
    return [reader.variant]


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


class _Reader(VariantReader):
    def __init__(self, source: Source, entry: str, stem: str) -> None:
        title = stem.replace("_", " ").title()
        super().__init__(source, ForeignVariant(name=stem, title=title, format=TITLE, file=entry))
        self.stem = stem
        self.codes: dict[str, str] = {}
        self.shared: dict[str, str] = {}
        """Codes that a second place has, too, and that place."""
        self.kinds: dict[str, str] = {}
        """All places in the order of the map, with the letter of their kind and its marks."""
        self.letters: dict[str, Nation] = {}
        self.lines: list[tuple[str, list[str]]] = []
        """Railways: the letters of powers that use one, and the places along it."""
        listed = read_facts(POWERS)
        board = "machiavelli" if re.match(r"(dip)?mach", stem.lower()) else stem.lower()  # whose boards share letters
        self.names: dict[str, str] = {**listed["usual"], **listed.get(board, {})}

    def run(self) -> None:
        parts = blocks(self.source.text(self.entry), self.entry)
        if len(parts) < 3:
            raise ForeignFileError(
                f"{self.entry}: needs a block of places and one of borders, each closed by a line -1"
            )
        for number, line in parts[0]:
            if line[:1].isalnum():
                self.place(line, f"{self.entry}:{number}")
        self.machiavelli()
        self.name_by_home()
        self.borders(parts[1])
        self.sections(parts[2])
        seed = self.source.look(self.entry, f"seed.{self.stem}")
        if seed is None:
            self.left("seed", f"there is no seed.{self.stem} beside the map: the powers start without units")
        else:
            self.seed(seed)
        self.variant.nations = list(self.letters.values())
        self.railways()
        self.program()

    def program(self) -> None:
        """What the program ties to the variant's name."""
        variant, name, facts = self.variant, self.stem.lower(), read_facts(PROGRAM)
        if wins := facts["wins"].get(name):
            variant.to_win = wins
            self.took("centers to win", f"{wins}, as njudge's program has it for {name}")
        else:
            self.guess("centers to win", "stand in the program and not in the map; half of all and one more")
        builds = facts["builds"].get(name)
        if builds:
            key, settings = ("build_anywhere", {}) if builds == "any" else ("build_where", {"sites": builds})
            variant.rules[key] = settings
            self.took("builds", f"as njudge's program has them for {name}: the rule {key}")
        dual = [place.key for place in variant.places.values() if place.convoys]
        if dual and facts["duality"].get(name):
            convoying(variant, "duality")
        elif dual:
            self.left(f"duality of {', '.join(dual)}", "can be convoyed through, where a game sets it")
        if name not in facts["wins"]:
            self.left(
                "program",
                "rules that njudge's program ties to the variant's name (builds, duality) are not in its files",
            )

    def place(self, line: str, where: str) -> None:
        """``Name,  K code alias ...``"""
        name, comma, rest = line.rpartition(",")
        words = rest.split()
        if not comma or len(words) < 2:
            self.left(clean(line, 60), f"{where}: a place without a kind or a code")
            return
        kind, listed = words[0], words[1:]
        key = listed[0].lower()
        if key in self.variant.places:
            self.left(clean(line, 60), f"{where}: the code {key} is another place's too")
            return
        first, city = kind[0], MACHIAVELLI.fullmatch(kind[1:])
        place = Place(key=key, name=clean(name, 60) or key, aliases=listed[1:], sea=first in "whv")
        self.variant.places[key] = place
        self.kinds[key] = kind
        for code in map(str.lower, (*listed, place.name)):
            if code == key and code in self.codes:  # a further code of another place
                self.shared[code], self.codes[code] = self.codes[code], key
            elif self.codes.setdefault(code, key) != key:
                self.shared.setdefault(code, key)
        place.center = (first == "x" or is_power(first)) and not (city and city[1] == "0")
        if is_power(first):
            nation = self.nation(first)
            nation.homes += [key] if place.center else []
        elif first not in KINDS:
            self.left(f"{kind} of {key}", f"{where}: isn't a kind of place")
        elif first == "h":
            self.left(f"high sea {key}", "any number of fleets may stand in it; here one")
        if not city:
            self.marks(place, kind, where)

    def marks(self, place: Place, kind: str, where: str) -> None:
        """What stands behind the letter of a kind: places of land and water at once."""
        key = place.key
        for mark in kind[1:]:
            if mark in "wl" and not place.sea:
                place.convoys = place.convoys or mark == "w"
            elif mark == "l":
                self.left(f"{kind} of {key}", f"{where}: water that armies enter, where a game sets duality")
            elif mark != "w":
                self.left(f"{kind} of {key}", f"{where}: {mark!r} isn't a mark of a place")

    def nation(self, letter: str) -> Nation:
        if letter not in self.letters:
            name = self.names.get(letter)
            if name is None or any(n.name == name for n in self.letters.values()):
                name = f"Power {letter}"
            self.letters[letter] = Nation(name=name, aliases=[letter])
        return self.letters[letter]

    def name_by_home(self) -> None:
        """Call powers of one home by it, where most have one; tell what they are called."""
        powers = self.letters.values()
        alone = [n for n in powers if len(n.homes) == 1]
        if 2 * len(alone) > len(powers) and self.letters.keys() != STANDARD_LETTERS:
            for nation in alone:
                nation.name = self.variant.places[nation.homes[0]].name
        called = ", ".join(f"{letter} {nation.name}" for letter, nation in self.letters.items())
        if called:
            self.guess("letters of powers", f"the map has letters only; they are called {called}")

    def machiavelli(self) -> None:
        """Tell what of Machiavelli's marks has no counterpart."""
        cities = [kind for kind in self.kinds.values() if MACHIAVELLI.fullmatch(kind[1:]) and kind[1:].strip("0.")]
        owned = (key for key, kind in self.kinds.items() if is_power(kind[0]))
        held = [key for key in owned if not self.variant.places[key].center]
        if cities:
            self.took("digits of places", "a city's income: a place with a city is a center, one without (0) is none")
            self.left("cities", f"incomes, fortresses and ports of {len(cities)} places")
        if held:
            self.left("places without a city", f"nobody owns at the start what isn't a center: {', '.join(held)}")

    # --- borders

    def borders(self, lines: list[tuple[int, str]]) -> None:
        entries = list(self._entries(lines))
        for key, kind, _, _ in entries:
            if kind in COAST_TYPES and COAST_TYPES[kind] not in self.variant.places[key].coasts:
                self.variant.places[key].coasts.append(COAST_TYPES[kind])
        shores = {key for key, kind, _, _ in entries if kind in ("x", *COAST_TYPES)}
        for place in self.variant.places.values():
            place.shore = not place.sea and place.key in shores
        for key, kind, targets, where in entries:
            for target, after in zip_longest(targets, targets[1:], fillvalue=""):
                self.border(key, kind, target, where)
                if "cc" in target.lower().split("/")[1:]:
                    self.conduit(key, target, after)
        bordered = {province_of(at) for way in self.variant.army | self.variant.fleet for at in way}
        for key in [key for key, kind in self.kinds.items() if kind[0] in "gr" and key not in bordered]:
            del self.variant.places[key]  # a gateway or a railway, which isn't a place but has a name
        for key in [key for key, kind in self.kinds.items() if kind[0] == "v"]:
            self.variant.term("closed", "", key, seasons=["Fall"])
            for other in sorted({province_of(b) for a, b in self.variant.fleet if a == key}):
                self.variant.term("closed", key, other, seasons=["Fall"])
            self.took(f"arctic water {key}", "no way in or out in fall: the rule border_terms")

    def _entries(self, lines: list[tuple[int, str]]) -> Iterator[tuple[str, str, list[str], str]]:
        """Each line of borders: its place, its kind, its targets, where it stands.

        :raises ForeignFileError: if the lines of one place stand apart, as two places share its code."""
        before, seen = "", set[str]()
        for number, line in lines:
            where = f"{self.entry}:{number}"
            if not line[:1].isalnum():
                continue
            match = BORDERS.fullmatch(line)
            if match is None:
                self.left(clean(line, 60), f"{where}: isn't a line of borders")
                continue
            code, kind, rest = match.groups()
            key = self.codes.get(code.strip().lower())
            if key is None:
                self.left(clean(line, 60), f"{where}: {code.strip()!r} isn't a place")
                continue
            if key != before and key in seen and (other := self.shared.get(code.lower())):
                names = " and ".join(self.variant.places[place].name for place in (key, other))
                raise ForeignFileError(f"{where}: {code} is the code of {names}; give each a code of its own")
            before = key
            seen.add(key)
            yield key, kind.lower()[0], rest.split(), where

    def border(self, key: str, kind: str, target: str, where: str) -> None:
        variant = self.variant
        code, *marks = target.lower().split("/")
        other = self.codes.get(code)
        if other is None:
            self.left(f"{key} {target}", f"{where}: isn't a place")
            return
        coast = next((WORDS[m] for m in marks if m in ("nc", "sc", "ec", "wc")), "")
        for mark in marks:
            if mark[:1] == "m":
                variant.term("weak", key, other, kinds=["A"])
                self.took(f"{key} - {target}", "an army counts one less across it: the rule border_terms")
                self.guess("/mx", "no support is given across such a border, either")
            elif mark[:1] in ("h", "l"):
                variant.term("half", key, other, **({"convoyed": True} if mark[:1] == "l" else {}))
                self.took(f"{key} - {target}", "a unit counts half across it: the rule border_terms")
        if other == key:
            return
        here, there = variant.places[key], variant.places[other]
        if kind == "m":
            variant.army.add((key, other))
        elif kind in "xnsew":
            at = f"{key}/{COAST_TYPES[kind]}" if kind in COAST_TYPES and here.coasts else key
            variant.fleet.add((at, f"{other}/{coast}" if coast and there.coasts else other))
        elif kind == "c":
            self.left(f"{key} - {target}", "a conduit")
        else:
            self.left(f"{key} - {target}", f"{where}: a kind of border that is not known")

    def conduit(self, key: str, target: str, guard: str) -> None:
        """Tell of a border that another place guards: ``guard`` is the neighbor listed after it.

        The Judge's program itself lets units pass: the step of its judging that would block them is switched off."""
        place = self.variant.places.get(self.codes.get(guard.lower(), ""))
        name = place.name if place else clean(guard, 20) or "nobody"
        self.left(f"{key} - {target}", f"a conduit, guarded by {name}: units always pass, as in njudge's judging")

    def sections(self, lines: list[tuple[int, str]]) -> None:
        """The third block: centers that do not count for a power, railways; the rest is the program's own."""
        section = ""
        for number, line in lines:
            heads = line[:1].isupper() and ":" not in line.split()[0]
            if heads:
                section = line.split()[0].lower()
                if section not in ("center", "hongkong", "railway"):
                    self.left(clean(line, 60), f"{self.entry}:{number}: a section of the program's own")
            found = False
            if section == "railway" and (match := RAILWAY.fullmatch(line.strip())):
                found = True
                self.railway(match)
            if section == "hongkong":
                for letter, code in re.findall(r"\b([A-Z0-9]):\s*(\w+)", line):
                    found = True
                    self.uncounted(letter, code.lower())
            if section in ("railway", "hongkong") and line[:1].isalnum() and not (found or heads):
                self.left(clean(line, 60), f"{self.entry}:{number}: isn't a line of that section")

    def railway(self, match: re.Match[str]) -> None:
        """``TSR:R Mos Prm Oms``: a name, the letters of powers that use it, and the places along it."""
        name, letters, listed = match.groups()
        keys = [self.codes.get(code.lower(), "") for code in listed.split()]
        if not all(keys) or len(keys) < 3 or len(set(keys)) < len(keys):
            self.left(f"railway {name}", "does not name three places or more of the map")
        else:
            self.lines.append((letters, keys))

    def railways(self) -> None:
        """The lines, where the same powers use all."""
        if not self.lines:
            return
        letters = self.lines[0][0]
        powers = [self.letters[letter].name for letter in letters if letter in self.letters]
        same = [keys for used, keys in self.lines if used == letters]
        self.variant.rules["railways"] = {"lines": [[f"@{key}" for key in keys] for keys in same], "powers": powers}
        self.took(f"{len(same)} railways", f"of {', '.join(powers)}: the rule railways")
        if len(same) < len(self.lines):
            self.left("railways", "others, of other powers")

    def uncounted(self, letter: str, code: str) -> None:
        """A center that does not count for one power."""
        key = self.codes.get(code)
        if key is None or letter not in self.letters:
            self.left(f"HongKong {letter}: {code}", "isn't a place or a power")
            return
        table = self.variant.rules.setdefault("uncounted_centers", {"centers": {}})["centers"]
        table.setdefault(self.letters[letter].name, []).append(f"@{key}")
        self.took(f"HongKong {letter}: {code}", "does not count for that power: the rule uncounted_centers")

    # --- the starting position

    def seed(self, name: str) -> None:
        parts = blocks(self.source.text(name), name)
        lines = [line.strip() for _, line in parts[0] if line.strip()]
        turn = re.fullmatch(r"([SUFW])(\d{1,5})([MRBA])", lines[0]) if lines else None
        if turn is None:
            self.guess(name, "begins with no turn; the game begins in Spring 1901")
        else:
            phase = LETTERS[turn[3]]
            season = "Winter" if phase == "Adjustments" else SEASON_LETTERS[turn[1]]
            if season == "Summer":
                season = "Spring"
                self.left(lines[0], "a game that begins in summer")
            self.variant.first = f"{season} {int(turn[2])} {phase}"
            start_in_cycle(self.variant)
            begins = (self.variant.opening or [self.variant.first])[0]
            self.took(f"{name}: {lines[0]}", f"the game begins with {begins}")
            lines = lines[1:]
        for line in lines:
            self.unit(line, name)
        self.owned([line for _, line in parts[1]] if len(parts) > 1 else [], name)

    def unit(self, line: str, name: str) -> None:
        """``A: F St Petersburg/sc``"""
        match = UNIT.fullmatch(line)
        where, slash, coast = match[4].partition("/") if match else ("", "", "")
        key = self.codes.get(where.strip().lower()) or (match and self._near(where))
        if match is None or key is None or match[2] in "WG" or match[1] == "&":
            self.left(f"{name}: {clean(line, 60)}", "isn't an army or fleet in a place of the map")
            return
        at = f"{key}/{WORDS.get(coast.strip().lower(), '')}" if slash and coast.strip().lower() in WORDS else key
        kind = "army" if match[2] in ("A", "Am") else "fleet"
        if match[1] not in self.letters:
            self.guess(f"{name}: {match[1]}", "the map has no home of this letter; a power without homes")
        self.nation(match[1]).units.append(StartingUnit(kind, at))

    def _near(self, written: str) -> str | None:
        """A place by the beginning of its name, if only one begins so."""
        begin = written.strip().lower()
        found = {key for code, key in self.codes.items() if begin and code.startswith(begin)}
        return found.pop() if len(found) == 1 else None

    def owned(self, lines: list[str], name: str) -> None:
        """The owners at the start: one character for each place in the order of the map, if they are not the homes."""
        text = "".join(line.strip() for line in lines if line.strip() and "ownership" not in line.lower())
        if not text:
            return
        if len(text) > len(self.kinds) + 2 or not re.fullmatch(r"[A-Za-z0-9.]+", text):
            self.left(f"{name}: {text[:40]}", "isn't a list of owners")
            return
        for nation in self.letters.values():
            nation.owned = []
        strange: list[str] = []
        for key, letter in zip(self.kinds, text, strict=False):
            place = self.variant.places.get(key)
            if is_power(letter) and place is not None and place.center:
                nation = self.nation(letter)
                nation.own(key)
            elif is_power(letter):
                strange.append(key)
        self.took(f"{name}: owners", "the centers at the start")
        if strange:
            self.left(f"{name}: owners of {', '.join(strange)}", "which aren't centers: nobody owns them here")
        if len(text) < len(self.kinds):
            self.left(f"{name}: owners", f"are {len(text)}, and places {len(self.kinds)}: the rest is nobody's")


def is_power(letter: str) -> bool:
    """Whether a character stands for a power: a capital letter, or a digit where there are many."""
    return letter.isascii() and (letter.isupper() or letter.isdigit())
