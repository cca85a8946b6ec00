"""Variants of webDiplomacy and vDiplomacy: the tables of ``install.php``, the facts of ``variant.php``, the starting
units of ``classes/adjudicatorPreGame.php``. The PHP is read as data and never run.

It is long because the tables of one file refer to each other by the numbers of their rows, and one reader knows them
all."""

import re
from itertools import takewhile
from typing import Any

import msgspec

from legation.board.model import fold
from legation.interop.coasts import coast_codes, convoying
from legation.interop.matching import board_with
from legation.interop.raster import take_regions
from legation.interop.record import ForeignVariant, Nation, Place, VariantReader, clean
from legation.interop.sources import ForeignFileError, Source
from legation.interop.webdiplomacy import classic
from legation.interop.webdiplomacy.classes import take_extensions, tell_classes
from legation.interop.webdiplomacy.php import NOTHING, Php, key_of, name_of, plain, unquoted
from legation.interop.webdiplomacy.rows import (
    COMMENTS,
    border_columns,
    take_changes,
    take_fixed_units,
    take_neutral_supports,
)
from legation.interop.webdiplomacy.start import StartReader, nobodys_of
from legation.interop.webdiplomacy.years import take_years

NAME = "webdiplomacy"
TITLE = "webDiplomacy and vDiplomacy variants (install.php, variant.php)"
SHARE_TO_WIN = 18 / 34
DEEPEST = 6
PICTURES = tuple(f"{folder}map.{ending}" for folder in ("resources/", "") for ending in ("png", "gif"))
FACTS = ("fullName", "name", "description", "author", "adapter", "countries", "supplyCenterTarget")
ROW_FACTS = ("convoyCoasts", "neutralHold")
"""Facts that number rows of territories."""
CODED = re.compile(r"(.+?) \(([A-Z]{2,3}\d?)\)$")
"""A name with its abbreviation behind it."""
STAND_IN = re.compile(r"(.+?) ?\((?:fake|sea)?[ -]?(?:SC|supply cent(?:er|re))\)$", re.IGNORECASE)
"""A row that stands for the supply center of a territory at sea."""
LOOPS = re.compile(r"foreach\s*\(\s*\$(\w+)\s+as\s+(?:\$\w+\s*=>\s*)?[^{}]{1,200}?\)\s*\{([^{}]{1,800})")
"""Loops over a table: its name, what is done with each row."""
COAST = re.compile(r"(.+?) ?\(([^()]*?) ?coast\)$", re.IGNORECASE)


def recognize(source: Source) -> list[str]:
    """The ``install.php`` files that come with a ``variant.php`` or hold tables of territories."""
    found = source.ending("install.php")
    if not found and source.main.lower().endswith(".php"):
        beside = source.look(source.main, "install.php")
        found = [beside] if beside else []
    return [name for name in found if source.look(name, "variant.php") or "InstallTerritory" in source.glance(name)]


def read(source: Source, entry: str) -> list[ForeignVariant]:
    """The variant of a folder.

    :raises ForeignFileError: if its map is not in one of the forms that are data."""
    reader = _Reader(source, entry)
    reader.run()
    return [reader.variant]


class _Row(msgspec.Struct):
    name: str
    kind: str
    center: bool
    x: float
    y: float
    country: str | int


class _Reader(VariantReader):
    def __init__(self, source: Source, entry: str) -> None:
        folder = entry.rpartition("/")[0]
        self.stem = folder.rpartition("/")[2] or clean(source.title.rstrip("/").rpartition("/")[2], 40).removesuffix(
            ".zip"
        )
        super().__init__(source, ForeignVariant(name=self.stem, title=self.stem, format=TITLE, file=entry))
        self.ids: dict[str, str] = {}
        self.classes: dict[str, str] = {}
        """The variants whose folders hold the classes, as the program names them; none is its own."""
        self.map_file = self.map_text = ""
        """The file that holds the tables of the map, and what stands in it."""
        self.countries: list[str] = []
        self.missing = ""
        """The variant that it extends, if that is not here."""
        self.extends_classic = False
        """Whether it extends Classic, and that is not here."""
        self.convoy_coasts: list[int] = []
        """Rows of territories, from 1, whose fleets convoy."""
        self.known: list[str] = []
        """``variant.php`` and those of the variants that it extends."""
        self.neutral_supports: dict[int, int] = {}
        """Rows of territories, from 1: whose neutral unit supports whose."""

    def run(self) -> None:
        self.facts()
        rows = self.rows(self.entry, 0)
        for what, found in (("territories", rows), ("borders", self.pairs)):
            if not found:
                told = f"holds no table of {what} that is data; a map made by a program cannot be read"
                raise ForeignFileError(f"{self.entry}: {told}")
        self.territories(rows)
        self.take_borders()
        names = [row.name for row in rows]
        take_changes(self.variant, names, self.ids, self.map_text)
        self.imagined({row.name for row in rows if str(row.country).lower() not in ("", "0", "neutral")})
        places = {n: self.ids[name].partition("/")[0] for n, name in enumerate(names, 1) if name in self.ids}
        texts = {name: self.source.text(file) for name in self.classes if (file := self.class_file(name))}
        for n in places.keys() & self.convoy_coasts:
            self.variant.places[places[n]].convoys = True
        convoying(self.variant, "convoyCoasts")
        self.powers(rows)
        self.colors(texts.get("drawMap", ""))
        self.start()
        take_neutral_supports(self.variant, places, self.neutral_supports)
        read = {"userOrderDiplomacy"} if take_fixed_units(self.variant, places, texts) else set()
        tell_classes(self.variant, self.classes, texts, read)
        self.take_regions()

    def take_regions(self) -> None:
        """Take the regions of the map's picture, if it lies here."""
        picture = self.variant.picture
        found = next((at for name in PICTURES if (at := self.source.look(self.map_file, name))), None)
        if found is None:
            self.left(
                "map pictures", "aren't here; the board is drawn in Legation's style from the places of its units"
            )
            return
        try:
            take_regions(picture, self.source.bytes(found), found, self.variant.places)
            self.took(found, f"the outlines of {len(picture.shapes)} provinces, drawn in Legation's style")
        except ForeignFileError as error:
            self.left(found, str(error).removeprefix(f"{found}: "))

    # --- variant.php

    def facts(self) -> None:
        variant = self.variant
        name = self.source.look(self.entry, "variant.php")
        if name is None:
            self.left("variant.php", "is not there: no countries, and no names of turns")
            return
        files = self.family(name)
        texts: dict[str, Any] = {}
        target = None
        for file in reversed(files):
            php = Php(self.source.text(file), file)
            for key, value, _ in php.assigned(*FACTS, *ROW_FACTS):
                texts.update({key: value} if value is not NOTHING else {})
                if key == "supplyCenterTarget":
                    target = None if value is NOTHING else value
                if value is NOTHING and key in ("countries", "supplyCenterTarget"):
                    self.left(f"{file}: {key}", "is made by a program")
            for keys, owner, _ in php.elements("variantClasses"):
                self.classes[str(keys[0])] = owner if isinstance(owner, str) else ""  # $this->name is its own
            if re.search(r"->\s*countries\s*\[", self.source.text(file)):
                self.left(f"{file}: countries", "are changed by a program")
            take_extensions(self.variant, self.source.text(file))
        variant.title = clean(plain(str(texts.get("fullName") or texts.get("name") or self.stem)), 60)
        variant.name = clean(str(texts.get("name") or self.stem), 40)
        variant.summary = clean(plain(re.sub(r"<[^>]{0,300}>", " ", str(texts.get("description", "")))), 400)
        people = [clean(plain(str(texts[key])), 80) for key in ("author", "adapter") if texts.get(key)]
        variant.credits = f"By {', adapted by '.join(people)}." if people else ""
        self.countries = [clean(plain(str(c)), 40) for c in _items(texts.get("countries"))] or self.countries
        if isinstance(target, int) and target > 0:
            variant.to_win = target
            self.took("supplyCenterTarget", f"{target} centers to win")
        self.convoy_coasts = [int(n) for n in _items(texts.get("convoyCoasts")) if is_row(n)]
        held = texts.get("neutralHold")
        self.neutral_supports = (
            {int(a): int(b) for a, b in held.items() if is_row(a) and is_row(b)} if isinstance(held, dict) else {}
        )
        self.known = files
        take_years(variant, map(self.source.text, files))

    def family(self, name: str) -> list[str]:
        """A class file and those of the variants that it extends, the own one first."""
        files = [name]
        for _ in range(DEEPEST):
            text = self.source.text(files[-1])
            match = re.search(r"class\s+\w+\s+extends\s+(\w+?)Variant\b", text)
            if match is None or match[1].lower() == "wd":
                break
            parent = self.source.below(f"{match[1]}/variant.php")
            if parent is None and match[1] == classic.NAME:
                self.extends_classic = True
                self.countries = list(classic.COUNTRIES)
                self.took("extends ClassicVariant", "is not here; it is the standard game")
                break
            if parent is None or parent in files:
                self.missing = match[1]
                self.left(
                    f"extends {match[1]}Variant", f"the variant {match[1]} is not here; give the folder that holds both"
                )
                break
            files.append(parent)
        return files

    # --- install.php

    def rows(self, name: str, depth: int) -> list[_Row]:
        """The territories of a map, with its borders in ``pairs``."""
        self.map_file, self.map_text = name, (text := self.source.text(name))
        php = Php(text, name)
        self.pairs: list[tuple[str, str, bool, bool]] = []
        rows: list[_Row] = []
        for table, line in self.tables(php, "territories", "territoryRawData", "new InstallTerritory"):
            country_first = self.country_first(text, table)
            rows += [self.row(item, country_first, name, line) for item in table]
        rows += self.called(php, name)
        fleets, armies = border_columns(text)
        for table, line in self.tables(php, "borders", "bordersRawData", "addBorder"):
            for item in table:
                if not isinstance(item, list) or len(item) < 4 or not all(isinstance(v, str) for v in item[:4]):
                    raise ForeignFileError(
                        f"{name}:{line}: a border is (from, to, fleets, armies), not {str(item)[:80]}"
                    )
                said = [fleets if isinstance(fleets, str) else item[fleets]]
                said.append(armies if isinstance(armies, str) else item[armies])
                self.pairs.append((key_of(item[0]), key_of(item[1]), yes(said[0]), yes(said[1])))
        self.calls(php)
        if not rows and depth < DEEPEST:
            for wanted in re.findall(r"require(?:_once)?(?:\s*\(\s*|\s*)['\"]([^'\"]{1,120})['\"]", text):
                if wanted.endswith("install.php") and wanted != "variants/install.php":
                    other = self.other_install(name, wanted)
                    if other is None:
                        self.took(f"require {wanted}", "is not here; it is the standard board")
                        return self.classic()
                    self.took(f"require {wanted}", "the map of another variant")
                    return self.rows(other, depth + 1)
        return rows

    def tables(self, php: Php, what: str, usual: str, maker: str) -> list[tuple[list[Any], int]]:
        """The rows of all tables that a loop makes territories or borders of, and where they stand.

        :raises ForeignFileError: if a row is more than data."""
        text = COMMENTS.sub("", self.map_text)
        names = dict.fromkeys([usual, *(name for name, body in LOOPS.findall(text) if maker in body)])
        found: list[tuple[list[Any], int]] = []
        for name in names:
            whole = [(value, line) for _, value, line in php.assigned(name)]
            added = php.appended(name)
            for value, line in (*whole, *added):
                if value is NOTHING or not isinstance(value, list | dict):
                    raise ForeignFileError(f"{php.where}:{line}: the table of {what} holds more than data")
            found += [(_items(value), line) for value, line in whole]
            found += [([value], line) for value, line in added]
            for how, line in php.changed(name):
                self.left(f"{how} of ${name}", f"{php.where}:{line}: the table of {what} is changed by a program")
            if name != usual and not whole and not added:
                self.left(f"${name}", f"{what} that are made by a program")
        return found

    def classic(self) -> list[_Row]:
        self.pairs = list(classic.pairs())
        return [_Row(name, kind, center, 0.0, 0.0, country) for name, kind, center, country in classic.territories()]

    def other_install(self, name: str, wanted: str) -> str | None:
        """The ``install.php`` of another variant, by PHP's path to it; None for Classic, if that is not here."""
        if ".." in wanted or wanted.startswith("/") or ":" in wanted:
            raise ForeignFileError(f"{name}: refers to {wanted[:80]!r}, which is outside the folder")
        tail = "/".join(wanted.split("/")[-2:])
        found = self.source.below(tail)
        if found is None and tail.lower() != f"{classic.NAME}/install.php".lower():
            raise ForeignFileError(
                f"{name}: takes the map of {wanted!r}, which is not here; give the folder that holds both variants"
            )
        return found

    def country_first(self, text: str, rows: list[Any]) -> bool:
        """Whether the country comes before the coordinates: the ``list(...)`` line tells, or else the rows."""
        match = re.search(r"list\s*\(\s*\$(\w+)\s*,\s*\$(\w+)\s*,\s*\$(\w+)\s*,\s*\$(\w+)", text)
        if match:
            return "country" in match[4].lower()
        return bool(rows) and isinstance(rows[0], list) and not isinstance(rows[0][-1], str)

    def row(self, item: Any, country_first: bool, name: str, line: int) -> _Row:
        if not isinstance(item, list) or len(item) < 6 or not isinstance(item[0], str) or not isinstance(item[1], str):
            raise ForeignFileError(f"{name}:{line}: isn't a row of a territory: {str(item)[:80]}")
        country, x, y = (
            (item[3], item[4], item[5]) if country_first else (item[-1] if len(item) >= 8 else 0, item[3], item[4])
        )
        try:
            return _Row(key_of(item[0]), item[1], yes(item[2]), float(x), float(y), _country(country))
        except (TypeError, ValueError):
            raise ForeignFileError(f"{name}:{line}: isn't a row of a territory: {str(item)[:80]}") from None

    def called(self, php: Php, name: str) -> list[_Row]:
        """Territories made by calls, ``new InstallTerritory('Alp', 'Land', 'Yes', 1, 10, 20, 5, 10)``."""
        return [
            self.row(arguments, True, name, line)
            for arguments, _, line in php.calls("InstallTerritory")
            if len(arguments) >= 6 and NOTHING not in arguments[:6]
        ]

    def calls(self, php: Php) -> None:
        """Borders made by calls, ``$Territories['A']->addBorder($Territories['B'],'Yes','No')``."""
        for arguments, at, line in php.calls("addBorder"):
            strings = [t for t in php.tokens[max(0, at - 5) : at] if t.kind == "string"]
            after = [t for t in php.tokens[at : at + 12] if t.kind == "string"]
            said = [a for a in arguments[1:3] if isinstance(a, str)]
            if len(strings) == 1 and len(after) >= 3 and len(said) == 2:
                a, b = (key_of(unquoted(token.text)) for token in (strings[0], after[0]))
                self.pairs.append((a, b, yes(said[0]), yes(said[1])))
            elif strings or any(t.kind == "string" for t in takewhile(lambda t: t.text != ",", php.tokens[at:])):
                named = ", ".join(token.text for token in (*strings, *after[:3]))
                self.left(f"addBorder {named}", f"{php.where}:{line}: a border that is made by a program")

    def territories(self, rows: list[_Row]) -> None:
        variant = self.variant
        names = {row.name for row in rows}
        coded = sum(1 for row in rows if CODED.fullmatch(row.name)) > len(rows) / 2
        parents: dict[str, tuple[str, str]] = {}
        coasts: dict[str, list[str]] = {}
        for row in rows:
            match = COAST.match(row.name)
            if match and match[1] in names:
                parents[row.name] = (match[1], match[2])
                coasts.setdefault(match[1], []).append(match[2])
        codes = {parent: coast_codes(variant, parent, listed) for parent, listed in coasts.items()}
        for row in rows:
            spot = (row.x, row.y)
            if row.name in parents:
                parent, word = parents[row.name]
                if word in codes[parent]:
                    self.ids[row.name] = f"{parent}/{codes[parent][word]}"
                    variant.picture.units[self.ids[row.name]] = spot
                continue
            if row.name in self.ids:
                raise ForeignFileError(f"{self.entry}: two territories are called {row.name[:60]!r}")
            kind = row.kind.strip().lower()
            code = CODED.fullmatch(row.name) if coded else None
            if kind not in ("sea", "coast", "land"):
                self.left(f"{row.name}: {row.kind}", "is neither Sea, Coast nor Land; it counts as Land")
            self.ids[row.name] = row.name
            variant.picture.units[row.name] = spot
            variant.places[row.name] = Place(
                key=row.name,
                name=clean(name_of(code[1] if code else row.name), 60),
                code=code[2].lower() if code else "",
                aliases=[row.name] if code else [],
                sea=kind == "sea",
                shore=kind == "coast",
                coasts=list(codes.get(row.name, {}).values()),
                center=row.center,
            )

    def take_borders(self) -> None:
        """Every row makes both directions, and never takes back what another one gave."""
        variant = self.variant
        for a, b, fleets, armies in self.pairs:
            if a not in self.ids or b not in self.ids:
                self.left(f"{a} - {b}", "one of them isn't a territory")
                continue
            here, there = self.ids[a], self.ids[b]
            pa, pb = variant.places[here.partition("/")[0]], variant.places[there.partition("/")[0]]
            if pa is pb:
                continue
            if armies and not pa.sea and not pb.sea:
                variant.army |= {(pa.key, pb.key), (pb.key, pa.key)}
            if fleets and not (pa.coasts and "/" not in here) and not (pb.coasts and "/" not in there):
                variant.fleet |= {(here, there), (there, here)}
            elif fleets:
                self.guess(f"{a} - {b}", "fleets pass where no coast is named; only the coasts' own borders count")

    def imagined(self, owned: set[str]) -> None:
        """Leave out places that the program keeps for itself, at the corner of the map and on no border, and those
        that show a country's color (``owned``) beside the map."""
        variant = self.variant
        bordered = {at.partition("/")[0] for pair in (*variant.army, *variant.fleet) for at in pair}
        countries = {fold(name) for name in self.countries}
        for key in [key for key in variant.places if key not in bordered]:
            stands = STAND_IN.fullmatch(key)
            sea = variant.places.get(stands[1]) if stands and variant.places[key].center else None
            if sea is not None and sea.sea:
                sea.center = True
                self.took(key, f"stands for the supply center at sea in {sea.name}")
            elif variant.picture.units.get(key) == (0, 0):
                self.left(key, "stands for an order of the program's and no place: it has no border and no spot")
            elif (fold(key) in countries or key in owned) and not variant.places[key].center:
                self.took(key, "names a country beside the map: it has no border")
            else:
                continue
            del variant.places[key], variant.picture.units[key], self.ids[key]

    # --- powers

    def colors(self, text: str) -> None:
        """Take the colors of the countries, which the class that draws the map lists behind that of nobody."""
        for _, value, _ in Php(text, "drawMap").assigned("countryColors"):
            for nation, color in zip(self.variant.nations, _items(value)[1:], strict=False):
                parts = _items(color)
                if len(parts) == 3 and all(isinstance(part, int) and 0 <= part < 256 for part in parts):
                    nation.color = "#{:02x}{:02x}{:02x}".format(*parts)

    def powers(self, rows: list[_Row]) -> None:
        names = list(self.countries)
        if not names:
            said = (row.country for row in rows if isinstance(row.country, str))
            names = [name for name in dict.fromkeys(said) if name and name.lower() != "neutral"]
        if not names:
            self.lent_powers()
            return
        nations = {_letters(name): Nation(name=name) for name in names}
        nobodys = nobodys_of(self.source.text(name) for name in self.known)
        for row in rows:
            if not row.center or row.name not in self.variant.places:
                continue
            name = row.country
            if isinstance(name, int):
                name = names[name - 1] if 0 < name <= len(names) else ""
            if nation := nations.get(_letters(name)):
                nation.homes.append(row.name)
            elif name and name.lower() not in nobodys:
                self.left(f"{row.name}: {name}", "belongs to no country of the variant")
        self.variant.nations = list(nations.values())
        if self.variant.to_win is None:
            centers = sum(1 for place in self.variant.places.values() if place.center)
            self.variant.to_win, today = round(SHARE_TO_WIN * centers), centers // 2 + 1
            told = f"is not set to a number: {self.variant.to_win} centers, webDiplomacy's share of {centers}"
            self.took(
                "supplyCenterTarget",
                told + (f"; vDiplomacy says {today} today" if today != self.variant.to_win else ""),
            )

    def lent_powers(self) -> None:
        """The powers and the start of our variant on a board with the same provinces, where the files name no country.

        :raises ForeignFileError: if there is no such board."""
        variant, lent = self.variant, board_with(self.variant.places)
        if lent is None:
            where = f"in the variant {self.missing}, which is not here; give the folder that holds both"
            raise ForeignFileError(
                f"{self.entry}: names no countries; they stand {where if self.missing else 'in no file that is here'}"
            )
        board, found = lent
        keys = {id: key for key, id in found.items()}
        variant.nations = classic.powers_on(board.name, keys)
        self.guess("countries", f"are in no file here; they are those of our game on the board {board.name!r}")

    def start(self) -> None:
        """The starting units of ``adjudicatorPreGame``, and first builds."""
        start = StartReader(self.source, self.variant, self.ids, [self.source.text(name) for name in self.known])
        found = [self.source.look(name, "classes/adjudicatorPreGame.php") for name in self.known or [self.entry]]
        classes = [(file, self.source.text(file)) for file in found if file]
        start.take(classes, expected="adjudicatorPreGame" in self.classes, standard=self.extends_classic)
        builds = self.class_file("processOrderBuilds")
        if builds and "processOrderBuilds" in self.classes:
            start.first_builds(builds, self.source.text(builds))

    def class_file(self, name: str) -> str | None:
        """The file of a class, in the folder of the variant that brings it in; None if it is not at hand."""
        owner = self.classes.get(name, "").lower()
        parents = (file for file in self.known[1:] if file.rpartition("/")[0].rpartition("/")[2].lower() == owner)
        return self.source.look(next(parents, self.entry) if owner else self.entry, f"classes/{name}.php")


def _country(value: Any) -> str | int:
    """A country of a row by its name, or by its number, which may be quoted."""
    if isinstance(value, str):
        return int(value) if is_row(value.strip()) else plain(value)
    return value if isinstance(value, int) else 0


def _letters(name: str) -> str:
    """A country's name by its letters and digits alone: files spell one with and without signs, in either case."""
    return "".join(filter(str.isalnum, fold(name)))


def _items(array: Any) -> list[Any]:
    """The values of an array of PHP, whatever its keys; none of anything else."""
    return list(array.values()) if isinstance(array, dict) else array if isinstance(array, list) else []


def is_row(value: Any) -> bool:
    """Whether a value numbers a row."""
    return re.fullmatch(r"\d{1,5}", str(value)) is not None


def yes(value: Any) -> bool:
    """Whether a cell says Yes."""
    return str(value).strip().lower() == "yes"
