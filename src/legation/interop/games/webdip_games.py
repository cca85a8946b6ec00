"""webDiplomacy's API: the answer of ``game/status``, with all phases, for the boards whose numbers are known."""

from collections.abc import Mapping
from typing import Any

from legation.interop.games.record import RecordedGame, RecordedPhase, RecordedUnit, order_text
from legation.interop.json_variants import objects, read_json
from legation.interop.sources import ForeignFileError, Source, by_marks, read_facts

NAME = "webdiplomacy-game"
TITLE = "webDiplomacy API answers (game/status)"
PHASES = {"Diplomacy": "Movement", "Retreats": "Retreats", "Builds": "Adjustments"}
recognize = by_marks((".json",), b'"variantID"', b'"terrID"')


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of an answer.

    :raises ForeignFileError: if its variant's numbers are not known."""
    document = read_json(source, entry)
    maps = read_facts("webdip_maps.toml")
    number = str(document.get("variantID"))
    if number not in maps:
        raise ForeignFileError(
            f"{entry}: the numbers of the territories of variant {number[:20]} aren't known; "
            f"known are those of {', '.join(maps)}"
        )
    return [_Reader(maps[number], document, entry).record]


class _Reader:
    def __init__(self, known: Mapping[str, Any], document: dict[str, Any], entry: str) -> None:
        self.known, self.entry = known, entry
        title = f"game {document.get('gameID', '')}".strip()
        self.record = RecordedGame(title=title, format=TITLE, board=known["board"])
        listed = objects(document.get("phases")) or [document]
        for item in listed:
            turn, phase = item.get("turn"), PHASES.get(str(item.get("phase")))
            if isinstance(turn, int) and turn >= 0 and phase is not None:
                self.phase(item, turn, phase)
            elif str(item.get("phase")) not in ("Pre-game", "Finished"):
                self.record.left(f"phase {str(item.get('phase'))[:40]}", "isn't a known phase")
        if any(item.get("messages") for item in listed):
            self.record.left("messages", "messages between players; they aren't imported")
        if not self.record.phases:
            raise ForeignFileError(f"{entry}: holds no phase")

    def place(self, number: Any) -> str:
        return self.listed("places", number, "territory")

    def country(self, number: Any) -> str:
        return self.listed("countries", number, "country")

    def listed(self, table: str, number: Any, what: str) -> str:
        names: list[str] = self.known[table]
        if not isinstance(number, int) or not 1 <= number <= len(names):
            raise ForeignFileError(f"{self.entry}: {str(number)[:20]} isn't a {what} of the map")
        return names[number - 1]

    def phase(self, item: Mapping[str, Any], turn: int, phase: str) -> None:
        season, year = "Fall" if turn % 2 else "Spring", self.known["year"] + turn // 2
        recorded = RecordedPhase(season=season, year=year, phase=phase, units=[], dislodged=[])
        kinds: dict[str, str] = {}
        for unit in sorted(objects(item.get("units")), key=lambda unit: unit.get("retreating") == "Yes"):
            at, kind = self.place(unit.get("terrID")), str(unit.get("unitType"))[:1]
            kinds[at] = kind
            told = RecordedUnit(self.country(unit.get("countryID")), kind, at)
            recorded.stand(told, out=unit.get("retreating") == "Yes")
        if centers := objects(item.get("centers")):
            recorded.owners = {
                self.place(c.get("terrID")).partition("/")[0]: self.country(c.get("countryID"))
                for c in centers
                if c.get("countryID")
            }
        failed: set[str] = set()
        for order in objects(item.get("orders")):
            if text := self.order(order, kinds):
                recorded.give(self.country(order.get("countryID")), text)
                if order.get("success") == "No" and order.get("type") == "Move":
                    failed.add(self.place(order.get("terrID")))
        recorded.failed = failed if phase == "Movement" and recorded.orders else None
        self.record.phases.append(recorded)

    def order(self, order: Mapping[str, Any], kinds: Mapping[str, str]) -> str:
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
        helped = f"{kinds.get(other, 'A' * (word == 'Convoy'))} {other}"
        text = order_text(word, unit, "" if other == to else to, helped)
        if not text:
            self.record.misread("", f"order {verb[:40]}")
        return text
