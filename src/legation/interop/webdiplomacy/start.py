"""How a webDiplomacy or vDiplomacy variant begins: the starting units of its classes, neutral units, first builds."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from legation.board.model import fold
from legation.interop.record import ForeignVariant, Nation, StartingUnit, VariantReader
from legation.interop.sources import Source
from legation.interop.webdiplomacy import classic
from legation.interop.webdiplomacy.classes import begin_with_builds
from legation.interop.webdiplomacy.php import NOTHING, Php, plain

NO_UNITS = re.compile(r"function\s+assignUnits\s*\([^)]{0,80}\)\s*\{\s*\}")
NOBODYS = re.compile(r"\$countryName\s*={2,3}\s*['\"]([^'\"]{1,60})['\"]")
"""A name that a variant's ``countryID`` knows beside those of its countries."""


def nobodys_of(facts: Iterable[str]) -> set[str]:
    """The names, in lower case, of what stands on the board and is nobody's; ``facts`` are files ``variant.php``."""
    return {"neutral", "neutral units"} | {name.lower() for text in facts for name in NOBODYS.findall(text)}


class StartReader(VariantReader):
    """Takes the start of a variant; ``ids`` are the locations by the names of territories."""

    def __init__(self, source: Source, variant: ForeignVariant, ids: Mapping[str, str], facts: Sequence[str]) -> None:
        super().__init__(source, variant)
        self.ids = {fold(name): at for name, at in ids.items()}  # compared as the database does
        self.nations = {nation.name.lower(): nation for nation in variant.nations}
        self.nobodys = nobodys_of(facts)

    def take(self, classes: Sequence[tuple[str, str]], *, expected: bool, standard: bool) -> None:
        """The starting units of ``adjudicatorPreGame``: names and texts of the files, the variant's own first, then
        those of the variants that it extends. ``expected``: the variant says that it has such a class. ``standard``: it
        extends Classic, whose class is not here."""
        units: dict[str, Any] = {}
        for name, text in classes:
            units = self.listed(name, text)
            if units or NO_UNITS.search(text):
                break  # what a parent's class says does not hold any more
        if standard and not units and not any(NO_UNITS.search(text) for _, text in classes):
            units = dict(classic.units())
        neutral: list[StartingUnit] = []
        for country, unit in self.units(units):
            nation = self.nations.get(country.lower())
            (neutral if nation is None else nation.units).append(unit)
        if placed := sum(1 for listed in units.values() if listed):
            self.took("class adjudicatorPreGame", f"the starting units of {placed} countries")
        if neutral:
            self.neutral(neutral)
        if not any(nation.units for nation in self.variant.nations):
            if expected and not classes:
                told = "is not here, and holds the starting units: the powers start without"
                self.left("classes/adjudicatorPreGame.php", told)
            else:
                self.guess("first phase", "there are no starting units: the game begins with builds")
            begin_with_builds(self.variant)

    def listed(self, name: str, text: str) -> dict[str, Any]:
        """The table ``countryUnits`` of a class: by country the kinds of units by territory."""
        php = Php(text, name)
        units: dict[str, Any] = {}
        for _, value, line in php.assigned("countryUnits"):
            if value is NOTHING:
                self.left(f"{name}:{line}: countryUnits", "units made by a program")
            elif isinstance(value, dict):
                units = units or value
        for keys, value, line in php.elements("countryUnits"):
            if len(keys) == 1 and isinstance(value, dict):
                units.setdefault(str(keys[0]), value)
            elif len(keys) == 2 and isinstance(value, str) and isinstance(units.get(str(keys[0]), {}), dict):
                units[str(keys[0])] = {**units.get(str(keys[0]), {}), keys[1]: value}
            elif value != []:
                self.left(f"{name}:{line}: countryUnits of {keys[0]}", "units made by a program")
        return units

    def units(self, table: Mapping[str, Any]) -> Iterator[tuple[str, StartingUnit]]:
        """The units of a table with the names of their countries; those of nobody and nowhere are told."""
        for key, listed in table.items():
            country = plain(str(key))
            known = country.lower() in self.nations or country.lower() in self.nobodys
            if listed and not known and not country.lower().startswith("neutral"):
                self.left(f"units of {country}", "which isn't a country of the variant")
                continue
            for where, kind in listed.items() if isinstance(listed, dict) else ():
                at = self.ids.get(fold(plain(str(where))))
                if at is None:
                    self.left(f"{kind} {where} of {country}", "stands in no territory")
                else:
                    yield country, StartingUnit(str(kind).lower(), at)

    def neutral(self, units: list[StartingUnit]) -> None:
        """Units that nobody orders."""
        name = "Neutral" if "neutral" not in self.nations else "Neutral units"
        self.variant.nations.append(Nation(name=name, owned=[], units=units, color="#9a9a92", played=False))
        self.variant.take_passive("Neutral units")

    def first_builds(self, name: str, text: str) -> None:
        """Units that ``processOrderBuilds`` builds first, if their country orders nothing else."""
        default: dict[str, list[str]] = {}
        for country, unit in self.units(self.listed(name, text)):
            nation = self.nations.get(country.lower())
            if nation is None:
                continue
            if unit.at.partition("/")[0] not in nation.centers:
                self.left(
                    f"first builds of {country}", f"{unit.at} is none of its centers: nothing can be built there here"
                )
            else:
                default.setdefault(nation.name, []).append(f"{unit.kind[:1].upper()} @{unit.at}")
                if nation.units:
                    self.left(
                        f"first builds of {country}", "would be made beside the units that it has, if it orders none"
                    )
        alone = {power: units for power, units in default.items() if not self.nations[power.lower()].units}
        if alone:
            begin_with_builds(self.variant)
            self.variant.rules["default_builds"] = {"units": alone}
            self.took(
                "class processOrderBuilds",
                f"first builds of {', '.join(alone)} that order none: the rule default_builds",
            )
