"""jDip's saved games: the program's objects as XML, compressed.

Each turn has its phase, the position before it, the orders by power, and the results."""

import zlib
from collections.abc import Iterator
from typing import Any

from legation.formats import MEGABYTE
from legation.interop.calendars import LETTERS
from legation.interop.games.java_objects import JavaObject, JavaObjects
from legation.interop.games.record import ADJUSTMENTS, MOVEMENT, RETREATS, RecordedGame, RecordedPhase, order_text
from legation.interop.games.record import RecordedUnit as Unit
from legation.interop.record import clean
from legation.interop.sources import ForeignFileError, Source

NAME = "jdip-game"
TITLE = "jDip saved games (XML, compressed or not)"
GZIP = b"\x1f\x8b"
ROOT = b"<jsx"
LOOKED_AT = 4096  # bytes, unpacked
LARGEST = 64 * MEGABYTE
SPRING = 1000
COASTS = {4: "/nc", 5: "/sc", 6: "/wc", 7: "/ec"}
FAILED, DISLODGED = (10, 30, 40), 40
"""Numbers of results: an order that is not valid, one that failed, a unit that was dislodged."""
KINDS = {"army": "A", "fleet": "F"}
BUILDS = {"OptionValue.any-owned": "build_anywhere", "OptionValue.any-if-home-owned": "build_where"}


def recognize(source: Source) -> list[str]:
    """Files that begin so, whatever they are called."""
    return [name for name in source.names if _starts_as_one(source.head(name))]


def _starts_as_one(data: bytes) -> bool:
    if data.startswith(GZIP):
        try:
            data = zlib.decompressobj(wbits=31).decompress(data, LOOKED_AT)
        except zlib.error:
            return False
    return ROOT in data[:LOOKED_AT]


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of a file.

    :raises ForeignFileError: if it cannot be read, or is more than it may be."""
    reader = JavaObjects()
    reader.read(_unpacked(source.bytes(entry), entry), entry)
    world = next((v for v in reader.known.values() if isinstance(v, JavaObject) and v.kind == "dip.world.World"), None)
    if world is None:
        raise ForeignFileError(f"{entry}: holds no game of jDip")
    return [_World(world, entry).record]


def _unpacked(data: bytes, entry: str) -> bytes:
    if not data.startswith(GZIP):
        return data
    unpacker = zlib.decompressobj(wbits=31)
    try:
        text = unpacker.decompress(data, LARGEST)
    except zlib.error:
        raise ForeignFileError(f"{entry}: cannot be unpacked") from None
    if unpacker.unconsumed_tail:
        raise ForeignFileError(f"{entry}: unpacks to more than {LARGEST // MEGABYTE} MB")
    if not unpacker.eof:
        raise ForeignFileError(f"{entry}: cannot be unpacked; its end is missing")
    return text


class _World:
    def __init__(self, world: JavaObject, entry: str) -> None:
        self.entry = entry
        self.record = RecordedGame(title=entry, format=TITLE)
        self.provinces = [self.province(p) for p in _values(world.get("map", "provinces"))]
        about = {key: value for key, value in _pairs(world.get("nonTurnData")) if isinstance(key, str)}
        self.about(about)
        for _, turn in _pairs(world.get("turnStates", "m") or world.get("turnStates")):
            if isinstance(turn, JavaObject):
                self.turn(turn)
        if not self.record.phases:
            raise ForeignFileError(f"{entry}: holds no turn")
        order = {MOVEMENT: 0, RETREATS: 1, ADJUSTMENTS: 2}
        self.record.phases.sort(key=lambda p: (p.year, p.season != "Spring", order[p.phase]))

    def about(self, about: dict[str, Any]) -> None:
        record = self.record
        variant = about.get("_variant_info_")
        if isinstance(variant, JavaObject):
            record.board = clean(str(variant.get("variantName") or ""), 60).lower()
            for option, value in _pairs(variant.get("ruleOptions", "optionMap")):
                said = value.get("name") if isinstance(value, JavaObject) else ""
                if said in BUILDS:
                    name = option.get("name") if isinstance(option, JavaObject) else "builds"
                    record.left(f"{name} {said}", f"a rule of the variant here: {BUILDS[said]}")
        name = about["_world_metadata_"].get("gameName") if "_world_metadata_" in about else ""
        if isinstance(name, str) and clean(name, 60):
            record.title = clean(name, 60)
        if "_world_metadata_" in about:
            record.left("names, addresses and notes", "of the game and its players; they aren't imported")

    def turn(self, turn: JavaObject) -> None:
        phase = LETTERS.get(str(turn.get("phase", "phaseType", "constName"))[:1].upper())
        year = turn.get("phase", "yearType", "year")
        if phase is None or not isinstance(year, int):
            raise ForeignFileError(f"{self.entry}: a turn without a phase")
        season = "Spring" if turn.get("phase", "seasonType", "position") == SPRING else "Fall"
        recorded = RecordedPhase(season=season, year=year, phase=phase, units=[], dislodged=[], owners={})
        self.position(turn.get("position", "provArray"), recorded)
        over, played = turn.get("isEnded") is True, turn.get("isResolved") is True
        listed = [order for _, orders in _pairs(turn.get("orderMap")) for order in _values(orders)]
        if over and not listed:
            return  # the game ended before it
        if not played and listed:
            self.record.left(f"orders of {recorded.name}", f"{len(listed)} orders of a turn that is not over")
        if played:
            recorded.played = True
            for order in listed:
                self.order(order, recorded)
            self.results(_values(turn.get("resultList")), recorded)
        self.record.phases.append(recorded)

    def position(self, places: Any, phase: RecordedPhase) -> None:
        """Units and owners by the number of the province."""
        owners: dict[str, str] = {}
        for province, data in zip(self.provinces, _values(places), strict=False):
            if not isinstance(data, JavaObject):
                continue
            for field in ("unit", "dislodgedUnit"):
                unit = data.get(field)
                if isinstance(unit, JavaObject):
                    kind = self.kind(unit.get("type"))
                    coast = COASTS.get(unit.get("coast", "index"), "") if kind == "F" else ""
                    standing = Unit(self.power(unit.get("owner")), kind, province + coast)
                    phase.stand(standing, out=field != "unit")
            if isinstance(data.get("SCOwner"), JavaObject):
                owners[province] = self.power(data.get("SCOwner"))
        # before retreats jDip has given centers away already
        phase.owners = None if phase.phase == RETREATS else owners

    def order(self, order: Any, phase: RecordedPhase) -> None:
        if not isinstance(order, JavaObject):
            return
        word = order.kind.rpartition(".")[2].removeprefix("GUI")
        if order.get("_isViaConvoy") is True:
            word = "MoveExplicit"
        elif word == "Retreat" and order.get("dest") is None:
            word = "Disband"
        helped = {"Support": "sup", "Convoy": "convoy"}.get(word, "")
        unit = self.unit(order.get("src"), order.get("srcUnitType")) if word != "Waive" else ""
        other = self.unit(order.get(f"{helped}Src"), order.get(f"{helped}UnitType")) if helped else ""
        goal, kind = order.get(f"{helped}Dest" if helped else "dest"), order.get(f"{helped or 'src'}UnitType")
        text = order_text(word, unit, self.place(goal, kind) if isinstance(goal, JavaObject) else "", other)
        if not text:
            raise ForeignFileError(f"{self.entry}: {phase.name}: {word[:40]!r} isn't a known order")
        phase.give(self.power(order.get("power")), text)

    def results(self, results: list[Any], phase: RecordedPhase) -> None:
        phase.failed, phase.dislodged_now = set(), set()
        for result in results:
            number = result.get("resultType", "ordering") if isinstance(result, JavaObject) else None
            order = result.get("order") if number in FAILED else None
            if isinstance(order, JavaObject):
                at = self.place(order.get("src"), None)
                phase.failed.add(at)
                if number == DISLODGED:
                    phase.dislodged_now.add(at)

    # --- names

    def province(self, province: Any) -> str:
        return self.first(province, "shortNames", "a province without a short name")

    def power(self, power: Any) -> str:
        return self.first(power, "names", "an order or a unit of no power")

    def first(self, named: Any, field: str, fault: str) -> str:
        names = _values(named.get(field)) if isinstance(named, JavaObject) else []
        if not names or not isinstance(names[0], str):
            raise ForeignFileError(f"{self.entry}: {fault}")
        return clean(names[0], 40)

    def kind(self, kind: Any) -> str:
        word = str(kind.get("internalName") if isinstance(kind, JavaObject) else "").lower()
        if word not in KINDS:
            raise ForeignFileError(f"{self.entry}: {word[:40] or 'nothing'!r} is neither army nor fleet")
        return KINDS[word]

    def unit(self, location: Any, kind: Any) -> str:
        return f"{self.kind(kind)} {self.place(location, kind)}"

    def place(self, location: Any, kind: Any) -> str:
        """A location; coasts are fleets' alone."""
        if not isinstance(location, JavaObject):
            raise ForeignFileError(f"{self.entry}: an order without a place")
        coast = COASTS.get(location.get("coast", "index"), "") if kind is None or self.kind(kind) == "F" else ""
        return self.province(location.get("province")) + coast


def _values(held: Any) -> list[Any]:
    return held.values if isinstance(held, JavaObject) else []


def _pairs(table: Any) -> Iterator[tuple[Any, Any]]:
    return table.pairs() if isinstance(table, JavaObject) else iter(())
