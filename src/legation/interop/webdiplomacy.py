"""Variants of webDiplomacy and vDiplomacy: the tables of ``install.php``, the facts of ``variant.php``, the starting
units of ``classes/adjudicatorPreGame.php``. The PHP is read as data and never run."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from legation.interop.coasts import coast_codes
from legation.interop.errors import ForeignFileError
from legation.interop.passive import take_passive
from legation.interop.php import NOTHING, Php
from legation.interop.record import ForeignVariant, Nation, Place, StartingUnit, clean
from legation.interop.sources import Source
from legation.interop.webdiplomacy_classes import tell_classes

NAME = "webdiplomacy"
TITLE = "webDiplomacy and vDiplomacy variants (install.php, variant.php)"
SHARE_TO_WIN = 18 / 34
DEEPEST = 6
COAST = re.compile(r"(.+?) ?\(([^()]*?) ?coast\)$", re.IGNORECASE)


def recognize(source: Source) -> list[str]:
    """The ``install.php`` files that come with a ``variant.php`` or hold tables of territories."""
    found = [
        name
        for name in source.ending("install.php")
        if "erritor" in source.text(name) or "require" in source.text(name)
    ]
    if not found and source.main.lower().endswith(".php"):
        beside = source.look(source.main, "install.php")
        found = [beside] if beside else []
    return [name for name in found if source.look(name, "variant.php") or "InstallTerritory" in source.text(name)]


def read(source: Source, entry: str) -> list[ForeignVariant]:
    """The variant of a folder.

    :raises ForeignFileError: if its map is not in one of the forms that are data.
    """
    reader = _Reader(source, entry)
    reader.run()
    return [reader.variant]


class _Row(msgspec.Struct):
    """A row of the table of territories."""

    name: str
    kind: str
    center: bool
    x: float
    y: float
    country: str | int


class _Reader:
    """Reads a variant's folder."""

    def __init__(self, source: Source, entry: str) -> None:
        self.source = source
        self.entry = entry
        folder = entry.rpartition("/")[0]
        self.stem = folder.rpartition("/")[2] or clean(source.title.rstrip("/").rpartition("/")[2], 40).removesuffix(
            ".zip"
        )
        self.variant = ForeignVariant(name=self.stem, title=self.stem, format=TITLE, file=entry, nations=[])
        self.ids: dict[str, str] = {}
        self.classes: dict[str, int] = {}
        self.countries: list[str] = []

    def run(self) -> None:
        """Read everything."""
        self.facts()
        rows = self.rows(self.entry, 0)
        if not rows:
            raise ForeignFileError(
                f"{self.entry}: holds no table of territories that is data; a map made by a program cannot be read"
            )
        self.territories(rows)
        if not self.pairs:
            raise ForeignFileError(
                f"{self.entry}: holds no table of borders that is data; a map made by a program cannot be read"
            )
        self.take_borders()
        self.powers(rows)
        self.start()
        tell_classes(self.variant, self.classes, self._class_texts())
        self.variant.left(
            "map pictures", "are made of dots; the board is drawn in our hand from the places of its units"
        )

    # --- variant.php

    def facts(self) -> None:
        """Names, countries, centers to win, years."""
        variant = self.variant
        name = self.source.look(self.entry, "variant.php")
        if name is None:
            variant.left("variant.php", "is not there: no countries, and no names of turns")
            return
        files = self.family(name)
        texts: dict[str, Any] = {}
        target = None
        for file in reversed(files):
            php = Php(self.source.text(file), file)
            for key, value, _ in php.assigned(
                "fullName", "name", "description", "author", "adapter", "countries", "supplyCenterTarget"
            ):
                texts.update({key: value} if value is not NOTHING else {})
            for keys, value, line in php.elements("variantClasses"):
                if isinstance(value, str) and keys:
                    self.classes[str(keys[0])] = line
            target = texts.get("supplyCenterTarget", target)
        variant.title = clean(str(texts.get("fullName") or texts.get("name") or self.stem), 60)
        variant.name = clean(str(texts.get("name") or self.stem), 40)
        variant.summary = clean(re.sub(r"<[^>]{0,300}>", " ", str(texts.get("description", ""))), 400)
        people = [clean(str(texts[key]), 80) for key in ("author", "adapter") if texts.get(key)]
        variant.credits = f"By {', adapted by '.join(people)}." if people else ""
        countries = texts.get("countries")
        if isinstance(countries, list):
            self.countries = [clean(str(c), 40) for c in countries]
        if isinstance(target, int) and target > 0:
            variant.to_win = target
            variant.took("supplyCenterTarget", f"{target} centers to win")
        self.years(files)

    def family(self, name: str) -> list[str]:
        """A class file and those of the variants that it extends, the own one first."""
        files = [name]
        for _ in range(DEEPEST):
            text = self.source.text(files[-1])
            match = re.search(r"class\s+(\w+?)Variant\s+extends\s+(\w+?)Variant\b", text)
            if match is None or match[2].lower() == "wd":
                break
            parent = self.folder_of(match[2])
            if parent is None or parent in files:
                self.variant.left(
                    f"extends {match[2]}Variant", f"the variant {match[2]} is not here; give the folder that holds both"
                )
                break
            files.append(parent)
        return files

    def folder_of(self, variant: str) -> str | None:
        """The ``variant.php`` of another variant beside this one."""
        for name in (f"{variant}/variant.php", f"variants/{variant}/variant.php"):
            found = next(
                (
                    n
                    for n in self.source.ending("variant.php")
                    if n.lower() == name.lower() or n.lower().endswith("/" + name.lower())
                ),
                None,
            )
            if found:
                return found
        return None

    def years(self, files: list[str]) -> None:
        """What ``turnAsDate`` says, if it says it as most do."""
        variant = self.variant
        for file in files:
            text = self.source.text(file)
            body = re.search(
                r"function\s+turnAsDate\s*\(.*?\n\s*(?:public\s+)?function", text + "\nfunction", re.DOTALL
            )
            if body is None:
                continue
            seasons = re.search(r'\$turn\s*%\s*2\s*\?\s*"(\w+)[,\s]*"\s*:\s*"(\w+)[,\s]*"', body[0])
            year = re.search(r"floor\(\s*\$turn\s*/\s*2\s*\)\s*\+\s*(\d{1,4})", body[0])
            if seasons and year:
                second, first = seasons[1], seasons[2]
                variant.first = f"{first} {int(year[1])} Movement"
                variant.cycle = [
                    f"{first} Movement",
                    f"{first} Retreats",
                    f"{second} Movement",
                    f"{second} Retreats",
                    "Winter Adjustments",
                ]
                if "Winter" in (first, second):
                    variant.cycle[-1] = f"{second} Adjustments"
                variant.took("turnAsDate", f"the game begins with {variant.first}")
            else:
                variant.left("turnAsDate", "names of turns made by a program; the usual calendar from 1901 holds")
            return
        variant.first = "Spring 1901 Movement"
        variant.cycle[2:4] = ["Autumn Movement", "Autumn Retreats"]

    # --- install.php

    def rows(self, name: str, depth: int) -> list[_Row]:
        """The territories of a map, with its borders in ``pairs``."""
        text = self.source.text(name)
        php = Php(text, name)
        self.pairs: list[tuple[str, str, bool, bool]] = []
        rows: list[_Row] = []
        tables = [(v, line) for _, v, line in php.assigned("territoryRawData")]
        for value, line in tables:
            if value is NOTHING or not isinstance(value, list):
                raise ForeignFileError(f"{name}:{line}: the table of territories holds more than data")
            country_first = self.country_first(text, value)
            rows += [self.row(item, country_first, name, line) for item in value]
        rows += self.called(php, name)
        for _, value, line in php.assigned("bordersRawData"):
            if value is NOTHING or not isinstance(value, list):
                raise ForeignFileError(f"{name}:{line}: the table of borders holds more than data")
            for item in value:
                if not isinstance(item, list) or len(item) < 4 or not all(isinstance(v, str) for v in item[:4]):
                    raise ForeignFileError(
                        f"{name}:{line}: a border is (from, to, fleets, armies), not {str(item)[:80]}"
                    )
                self.pairs.append((item[0], item[1], yes(item[2]), yes(item[3])))
        self.calls(php)
        if not rows and depth < DEEPEST:
            for wanted in re.findall(r"require(?:_once)?(?:\s*\(\s*|\s*)['\"]([^'\"]{1,120})['\"]", text):
                if wanted.endswith("install.php") and wanted != "variants/install.php":
                    other = self.other_install(name, wanted)
                    self.variant.took(f"require {wanted}", "the map of another variant")
                    return self.rows(other, depth + 1)
        return rows

    def other_install(self, name: str, wanted: str) -> str:
        """The ``install.php`` of another variant, by the path that PHP is given."""
        if ".." in wanted or wanted.startswith("/") or ":" in wanted:
            raise ForeignFileError(f"{name}: refers to {wanted[:80]!r}, which leads out of the folder")
        tail = "/".join(wanted.split("/")[-2:]).lower()
        found = next(
            (n for n in self.source.ending("install.php") if n.lower() == tail or n.lower().endswith("/" + tail)), None
        )
        if found is None:
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
            raise ForeignFileError(f"{name}:{line}: is no row of a territory: {str(item)[:80]}")
        country, x, y = (
            (item[3], item[4], item[5]) if country_first else (item[-1] if len(item) >= 8 else 0, item[3], item[4])
        )
        try:
            return _Row(
                item[0], item[1], yes(item[2]), float(x), float(y), country if isinstance(country, str | int) else 0
            )
        except (TypeError, ValueError):
            raise ForeignFileError(f"{name}:{line}: is no row of a territory: {str(item)[:80]}") from None

    def called(self, php: Php, name: str) -> list[_Row]:
        """Territories made by calls, ``new InstallTerritory('Alp', 'Land', 'Yes', 1, 10, 20, 5, 10)``."""
        rows = []
        for arguments, _, line in php.calls("InstallTerritory"):
            if len(arguments) >= 6 and NOTHING not in arguments[:6]:
                rows.append(self.row(arguments, True, name, line))
        return rows

    def calls(self, php: Php) -> None:
        """Borders made by calls, ``$Territories['A']->addBorder($Territories['B'],'Yes','No')``."""
        for arguments, at, _ in php.calls("addBorder"):
            strings = [t.text for t in php.tokens[max(0, at - 5) : at] if t.kind == "string"]
            after = [t for t in php.tokens[at : at + 12] if t.kind == "string"]
            if (
                len(strings) == 1
                and len(after) >= 3
                and len(arguments) >= 3
                and all(isinstance(a, str) for a in arguments[1:3])
            ):
                self.pairs.append((strings[0][1:-1], after[0].text[1:-1], yes(arguments[1]), yes(arguments[2])))

    def territories(self, rows: list[_Row]) -> None:
        """Places, coasts, positions."""
        variant = self.variant
        names = {row.name for row in rows}
        parents: dict[str, tuple[str, str]] = {}
        coasts: dict[str, list[str]] = {}
        for row in rows:
            match = COAST.match(" ".join(row.name.split()))
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
            if kind not in ("sea", "coast", "land"):
                variant.left(f"{row.name}: {row.kind}", "is neither Sea, Coast nor Land; it counts as Land")
            self.ids[row.name] = row.name
            variant.picture.units[row.name] = spot
            variant.places[row.name] = Place(
                key=row.name,
                name=clean(row.name, 60),
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
                variant.left(f"{a} - {b}", "one of them is no territory")
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
                variant.guess(f"{a} - {b}", "fleets pass where no coast is named; only the coasts' own borders count")

    # --- powers

    def powers(self, rows: list[_Row]) -> None:
        """Countries with their homes."""
        names = list(self.countries)
        for row in rows:
            if (
                isinstance(row.country, str)
                and row.country
                and row.country.lower() != "neutral"
                and row.country not in names
                and not self.countries
            ):
                names.append(row.country)
        nations = {name: Nation(name=name) for name in names}
        for row in rows:
            if not row.center or row.name not in self.variant.places:
                continue
            name = (
                row.country
                if isinstance(row.country, str)
                else names[row.country - 1]
                if 0 < row.country <= len(names)
                else ""
            )
            if name in nations:
                nations[name].homes.append(row.name)
            elif name and name.lower() not in ("neutral", "neutral units"):
                self.variant.left(f"{row.name}: {name}", "belongs to no country of the variant")
        self.variant.nations = list(nations.values())
        if self.variant.to_win is None:
            centers = sum(1 for place in self.variant.places.values() if place.center)
            self.variant.to_win = round(SHARE_TO_WIN * centers)
            self.variant.took(
                "supplyCenterTarget", f"is not set: {self.variant.to_win} centers, the system's share of {centers}"
            )

    def start(self) -> None:
        """The starting units of ``adjudicatorPreGame``."""
        variant = self.variant
        files = [
            f
            for name in self.family(self.source.look(self.entry, "variant.php") or self.entry)
            if (f := self.source.look(name, "classes/adjudicatorPreGame.php"))
        ]
        units: dict[str, Any] = {}
        for file in files:
            php = Php(self.source.text(file), file)
            for _, value, line in php.assigned("countryUnits"):
                if value is NOTHING:
                    variant.left(f"{file}:{line}: countryUnits", "starting units made by a program")
                elif isinstance(value, dict):
                    units = units or value
            for keys, value, _ in php.elements("countryUnits"):
                if len(keys) == 1 and isinstance(value, dict):
                    units.setdefault(str(keys[0]), value)
        by_name = {nation.name.lower(): nation for nation in variant.nations}
        neutral: list[tuple[str, str]] = []
        for country, listed in units.items():
            nation = by_name.get(str(country).lower())
            for where, kind in listed.items() if isinstance(listed, dict) else ():
                at = self.ids.get(str(where))
                if at is None:
                    variant.left(f"{kind} {where} of {country}", "stands in no territory")
                elif nation is None:
                    neutral.append((str(kind).lower(), at))
                else:
                    nation.units.append(StartingUnit(str(kind).lower(), at))
        if units:
            variant.took("class adjudicatorPreGame", f"the starting units of {len(units)} countries")
        if neutral:
            self.neutral(neutral)
        if not any(nation.units for nation in variant.nations):
            self.no_units(bool(files))

    def _class_texts(self) -> dict[str, str]:
        """The PHP of the classes that are at hand."""
        found = {name: self.source.look(self.entry, f"classes/{name}.php") for name in self.classes}
        return {name: self.source.text(file) for name, file in found.items() if file}

    def neutral(self, places: list[tuple[str, str]]) -> None:
        """Units that nobody orders."""
        name = "Neutral" if all(n.name != "Neutral" for n in self.variant.nations) else "Neutral units"
        units = [StartingUnit(kind, at) for kind, at in places]
        self.variant.nations.append(Nation(name=name, owned=[], units=units, color="#9a9a92", played=False))
        take_passive(self.variant, "Neutral units")

    def no_units(self, stated: bool) -> None:
        """A start without units: the game begins with builds."""
        variant = self.variant
        if not stated and "adjudicatorPreGame" in self.classes:
            variant.left(
                "classes/adjudicatorPreGame.php", "is not here, and holds the starting units: the powers start without"
            )
        else:
            variant.guess("first phase", "there are no starting units: the game begins with builds")
        _season, year, _ = variant.first.split()
        if int(year) > 1:
            variant.opening = [f"{variant.cycle[-1].split()[0]} {int(year) - 1} Adjustments"]


def yes(value: Any) -> bool:
    """Whether a cell says Yes."""
    return str(value).strip().lower() == "yes"
