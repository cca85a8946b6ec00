"""What variants in JSON have in common: nations, borders, the start, and the picture beside them."""

from collections.abc import Iterable, Mapping
from typing import Any

from legation.interop.coasts import coast_codes
from legation.interop.record import ForeignVariant, Nation, Place, StartingUnit, VariantReader, clean
from legation.interop.sources import ForeignFileError, Source
from legation.interop.sources import read_json as decoded
from legation.interop.svg import take_picture

PHASES = {"Movement": "Movement", "Retreat": "Retreats", "Adjustment": "Adjustments"}
UNITS = {"Army": "army", "Fleet": "fleet"}


def read_json(source: Source, name: str) -> dict[str, Any]:
    """A JSON object.

    :raises ForeignFileError: if it is none."""
    document = decoded(source.bytes(name), name)
    if not isinstance(document, dict):
        raise ForeignFileError(f"{name}: holds no JSON object")
    return dict(document)


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list, whatever else it holds."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def table(item: Any, key: str) -> dict[str, Any]:
    """The object under a key; an empty one if there is none."""
    return value if isinstance(item, dict) and isinstance(value := item.get(key), dict) else {}


def array(item: Any, key: str) -> list[Any]:
    """The list under a key; an empty one if there is none."""
    return value if isinstance(item, dict) and isinstance(value := item.get(key), list) else []


def text(item: Mapping[str, Any], *keys: str) -> str:
    """The first of some keys that is a text or a number, as one line."""
    for key in keys:
        value = item.get(key)
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            return clean(str(value))
    return ""


class DocumentReader(VariantReader):
    """What the kinds of documents have in common."""

    def __init__(self, source: Source, entry: str, document: dict[str, Any], form: str) -> None:
        self.document = document
        title = text(document, "name", "Name", "id") or entry.rpartition("/")[2].partition(".")[0]
        name = text(document, "id") or title
        super().__init__(source, ForeignVariant(name=name, title=title[:60], format=form, file=entry))
        self.variant.summary = clean(text(document, "description", "Description"), 400)
        author = text(document, "author", "CreatedBy")
        self.variant.credits = f"By {author}." if author else ""
        self.coasts: dict[str, dict[str, str]] = {}

    def at(self, location: str) -> str:
        """A location of the document with our code for its coast."""
        key, slash, coast = location.lower().partition("/")
        return f"{key}/{self.coasts.get(key, {}).get(coast, coast)}" if slash else key

    def borders(self, location: str, adjacencies: Any) -> None:
        """The ``adjacencies`` of a province or coast."""
        for item in objects(adjacencies):
            to, passes = self.at(text(item, "to")), text(item, "pass")
            if passes not in ("army", "fleet", "both"):
                self.left(f"{location} - {to}", f"passes {passes!r}, which is neither army, fleet nor both")
                continue
            if passes != "fleet":
                self.variant.army.add((location.partition("/")[0], to.partition("/")[0]))
            if passes != "army":
                self.variant.fleet.add((location, to))

    def places(self, coasts: Iterable[tuple[str, str]], provinces: Iterable[Mapping[str, Any]]) -> None:
        """Places with their coasts, which are pairs of a province and a name."""
        names: dict[str, list[str]] = {}
        for parent, coast in coasts:
            names.setdefault(parent.lower(), []).append(coast)
        self.coasts = {key: coast_codes(self.variant, key, listed) for key, listed in names.items()}
        for item in provinces:
            key, kind = text(item, "id").lower(), text(item, "type")
            self.variant.places[key] = Place(
                key=key,
                name=text(item, "name") or key,
                sea=kind == "sea",
                shore=kind == "coastal",
                coasts=list(self.coasts.get(key, {}).values()),
                center=True in (item.get("supplyCenter"), item.get("supply_center")),
            )

    def drop_vague_coasts(self) -> None:
        """A fleet's border to a province with several coasts, beside that to its coast, says nothing more."""
        several = {key for key, place in self.variant.places.items() if place.coasts}
        self.variant.fleet = {(a, b) for a, b in self.variant.fleet if a not in several and b not in several}

    def picture(self) -> None:
        """The SVG beside the document: ``NAME.d.svg``, ``NAME.svg``."""
        stem = self.entry.rpartition("/")[2].rpartition(".")[0]
        own = text(self.document, "id") or stem
        wanted = (f"{stem}.d.svg", f"{stem}.svg", f"{own}.d.svg", f"svg/{stem}map.svg")
        if "/" not in stem + own and ":" not in stem + own:
            take_picture(self.variant, self.source, self.entry, wanted)

    def nations(self, listed: Iterable[Mapping[str, Any]]) -> dict[str, Nation]:
        """Nations by id and by name."""
        nations: dict[str, Nation] = {}
        for item in listed:
            name = text(item, "name") or text(item, "id", "nation_id")
            key = text(item, "id", "nation_id") or name
            if not name or key in nations:
                self.left(f"nation {key or name}", "has no name, or an id that another nation has")
                continue
            color = text(item, "color")
            plain = "" if color.lower() == "#808080" else color
            nation = Nation(
                name=name[:40], color=plain, owned=[], played=not (item.get("non_playable") or item.get("nonPlayable"))
            )
            nations[key] = nations[key.lower()] = nations[name] = nations[name.lower()] = nation
            self.variant.nations.append(nation)
        return nations

    def start(self, units: Any, centers: Any, nations: Mapping[str, Nation]) -> None:
        """Units and owned centers."""
        for item in objects(units):
            nation = nations.get(name_of(item.get("nation")))
            place = name_of(item.get("location") or item.get("province"))
            kind = UNITS.get(text(item, "type"), text(item, "type"))
            if nation is None:
                self.left(f"unit {kind} {place}", f"belongs to {name_of(item.get('nation'))!r}, who isn't a nation")
            else:
                nation.units.append(StartingUnit(kind, self.at(place)))
        for item in objects(centers):
            nation, key = nations.get(name_of(item.get("nation"))), self.at(name_of(item.get("province")))
            if nation is None or key not in self.variant.places:
                self.left(f"center {key}", "is owned by nobody of the variant, or isn't a province")
            else:
                if not self.variant.places[key].center:
                    self.guess(f"center {key}", "is owned at the start, and so is a center; it is called none")
                self.variant.places[key].center = True
                nation.own(key)


def name_of(value: Any) -> str:
    """A nation or province, by its name or as an object with an id or a name."""
    if isinstance(value, dict):
        return text(value, "id", "name")
    return clean(value) if isinstance(value, str) else ""
