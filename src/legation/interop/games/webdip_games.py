"""webDiplomacy's API: the answer of ``game/status``, with all phases, for the boards whose numbers are known."""

from importlib.resources import files
from typing import Any

from legation.formats import read_toml
from legation.interop.games.record import RecordedGame, RecordedPhase, RecordedUnit, order_text
from legation.interop.json_variants import objects, read_json
from legation.interop.sources import ForeignFileError, Source, by_marks

NAME = "webdiplomacy-game"
TITLE = "webDiplomacy API answers (game/status)"
PHASES = {"Diplomacy": "Movement", "Retreats": "Retreats", "Builds": "Adjustments"}
MAPS = "webdip_maps.toml"
recognize = by_marks((".json",), b'"variantID"', b'"terrID"')


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of an answer.

    :raises ForeignFileError: if its variant's numbers are not known."""
    document = read_json(source, entry)
    maps = read_toml(files("legation.interop.games").joinpath(MAPS).read_text(encoding="utf-8"))
    number = document.get("variantID")
    if str(number) not in maps:
        raise ForeignFileError(
            f"{entry}: the numbers of the territories of variant {str(number)[:20]} aren't known; "
            f"known are those of {', '.join(maps)}"
        )
    reader = _Reader(maps[str(number)], document, entry)
    return [reader.run()]


class _Reader:
    def __init__(self, known: dict[str, Any], document: dict[str, Any], entry: str) -> None:
        self.places: list[str] = known["places"]
        self.countries: list[str] = known["countries"]
        self.year: int = known["year"]
        self.document = document
        self.entry = entry
        self.record = RecordedGame(
            title=f"game {document.get('gameID', '')}".strip(), format=TITLE, board=known["board"]
        )

    def run(self) -> RecordedGame:
        listed = objects(self.document.get("phases")) or [self.document]
        for item in listed:
            turn, phase = item.get("turn"), PHASES.get(str(item.get("phase")))
            if not isinstance(turn, int) or turn < 0 or phase is None:
                if str(item.get("phase")) not in ("Pre-game", "Finished"):
                    self.record.left(f"phase {str(item.get('phase'))[:40]}", "isn't a known phase")
                continue
            self.phase(item, turn, phase)
        if any(item.get("messages") for item in listed):
            self.record.left("messages", "messages between players; they aren't imported")
        if not self.record.phases:
            raise ForeignFileError(f"{self.entry}: holds no phase")
        return self.record

    def place(self, number: Any) -> str:
        return self.listed(self.places, number, "territory")

    def country(self, number: Any) -> str:
        return self.listed(self.countries, number, "country")

    def listed(self, names: list[str], number: Any, what: str) -> str:
        if not isinstance(number, int) or not 1 <= number <= len(names):
            raise ForeignFileError(f"{self.entry}: {str(number)[:20]} isn't a {what} of the map")
        return names[number - 1]

    def phase(self, item: dict[str, Any], turn: int, phase: str) -> None:
        units: list[RecordedUnit] = []
        dislodged: list[RecordedUnit] = []
        for unit in objects(item.get("units")):
            told = RecordedUnit(
                self.country(unit.get("countryID")), str(unit.get("unitType"))[:1], self.place(unit.get("terrID"))
            )
            (dislodged if unit.get("retreating") == "Yes" else units).append(told)
        season, year = "Fall" if turn % 2 else "Spring", self.year + turn // 2
        recorded = RecordedPhase(season=season, year=year, phase=phase, units=units, dislodged=dislodged)
        centers = objects(item.get("centers"))
        if centers:
            recorded.owners = {
                self.place(c.get("terrID")).partition("/")[0]: self.country(c.get("countryID"))
                for c in centers
                if c.get("countryID")
            }
        kinds = {unit.at: unit.kind for unit in (*units, *dislodged)}
        failed: set[str] = set()
        for order in objects(item.get("orders")):
            text = self.order(order, kinds)
            if text:
                recorded.give(self.country(order.get("countryID")), text)
                if order.get("success") == "No" and order.get("type") == "Move":
                    failed.add(self.place(order.get("terrID")))
        recorded.failed = failed if phase == "Movement" and recorded.orders else None
        self.record.phases.append(recorded)

    def order(self, order: dict[str, Any], kinds: dict[str, str]) -> str:
        verb = str(order.get("type"))
        word, _, what = verb.partition(" ")
        at, to, start = (
            self.place(order[key]) if order.get(key) else "" for key in ("terrID", "toTerrID", "fromTerrID")
        )
        if word in ("Build", "Destroy"):
            at = to or at
        kind = what[:1] if word == "Build" else kinds.get(at) or str(order.get("unitType") or "")[:1]
        if word == "Move" and order.get("viaConvoy") == "Yes":
            word = "MoveViaConvoy"
        other = to if verb == "Support hold" else start
        unit = f"{kind} {at if kind != 'A' else at.partition('/')[0]}"
        text = order_text(
            word, unit, "" if other == to else to, f"{kinds.get(other, 'A' * (word == 'Convoy'))} {other}"
        )
        if not text:
            self.record.misread("", f"order {verb[:40]}")
        return text
