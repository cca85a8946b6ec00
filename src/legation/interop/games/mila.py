"""MILA's saved games: JSON, and JSONL with one game a line. Messages between players are left out and never shown."""

import re
from typing import Any

import msgspec

from legation.game import Game
from legation.interop.calendars import LETTERS, SEASON_LETTERS
from legation.interop.games.missing import completed, shortcomings
from legation.interop.games.record import FAILED, RecordedGame, RecordedPhase, RecordedUnit, phase_word
from legation.interop.json_variants import array, table
from legation.interop.record import clean
from legation.interop.sources import ForeignFileError, Source, by_marks, read_json
from legation.judge import Outcome, Resolution
from legation.notation import write
from legation.orders import Build, UnitOrder
from legation.position import Position, Turn

NAME = "mila"
TITLE = "MILA saved games (JSON, JSONL)"
PHASE = re.compile(r"([SUFW])(\d{1,5})([MRA])\Z")
FAILURES = {"no convoy", "bounce", "void", "cut", "disrupted", "10001", "10002", "10003", "10004", "10006"}
DISLODGED = {"dislodged", "10005"}
WORDS = FAILED | {Outcome.DISBANDED: "disband"}
recognize = by_marks((".json", ".jsonl"), b'"phases"', b'"state"')


def read(source: Source, entry: str) -> list[RecordedGame]:
    """All games of a file.

    :raises ForeignFileError: if it holds none."""
    data = source.bytes(entry)
    lines = [line for line in data.splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].strip().endswith(b"}"):
        documents = [read_json(line, f"{entry}:{number}") for number, line in enumerate(lines, 1)]
    else:
        documents = [read_json(data, entry)]
    return [_game(document, entry) for document in documents]


def _game(document: Any, entry: str) -> RecordedGame:
    if not isinstance(document, dict) or not isinstance(document.get("phases"), list):
        raise ForeignFileError(f"{entry}: holds no game with phases")
    record = RecordedGame(
        title=clean(str(document.get("id") or entry), 60), format=TITLE, board=clean(str(document.get("map", "")), 60)
    )
    for rule in array(document, "rules"):
        record.left(f"rule {rule}", "of the source's server")
    messages = 0
    for number, phase in enumerate(document["phases"]):
        if not isinstance(phase, dict):
            raise ForeignFileError(f"{entry}: phases[{number}] isn't an object")
        messages += len(phase.get("messages") or []) if isinstance(phase.get("messages"), list | dict) else 0
        match = PHASE.match(str(phase.get("name", "")))
        if match is None:
            if str(phase.get("name")) != "COMPLETED":
                record.left(f"phases[{number}]", f"{str(phase.get('name'))[:40]!r} isn't a phase")
            elif record.phases:
                record.phases[-1].played = True
            continue
        record.phases.append(_phase(phase, match, f"{entry}: phases[{number}]"))
    if messages:
        record.left("messages", f"{messages} messages between players; they aren't imported")
    return record


def _phase(phase: dict[str, Any], match: re.Match[str], where: str) -> RecordedPhase:
    state = phase.get("state")
    if not isinstance(state, dict):
        raise ForeignFileError(f"{where}: has no state")
    recorded = RecordedPhase(
        season=SEASON_LETTERS[match[1]],
        year=int(match[2]),
        phase=LETTERS[match[3]],
        units=[],
        dislodged=[],
        owners={center: power for power, held in _listed(state.get("centers"), where).items() for center in held},
        orders=_listed(phase.get("orders"), where),
    )
    for power, texts in _listed(state.get("units"), where).items():
        for text in texts:
            kind, _, at = text.lstrip("*").partition(" ")
            recorded.stand(RecordedUnit(power, kind, at), out=text.startswith("*"))
    if (results := table(phase, "results")) and match[3] == "M":
        words = {unit.partition(" ")[2]: {*map(str.lower, said)} for unit, said in _listed(results, where).items()}
        recorded.failed = {at for at, said in words.items() if said & FAILURES}
        recorded.dislodged_now = {at for at, said in words.items() if said & DISLODGED}
    return recorded


def _listed(value: Any, where: str) -> dict[str, list[str]]:
    """The texts that are listed under the names of powers or units."""
    if value is not None and not isinstance(value, dict):
        raise ForeignFileError(f"{where}: isn't a table by power")
    return {name: [*map(str, texts)] for name, texts in (value or {}).items() if isinstance(texts, list)}


# --- out


def phase_name(turn: Turn) -> str:
    """``S1901M``."""
    letter = {"Autumn": "F", "Summer": "U"}.get(turn.season, turn.season[:1] or "S")
    return f"{letter}{turn.year}{phase_word(turn)[0]}"


def write_game(game: Game) -> tuple[str, list[str]]:
    """A game as MILA's JSON, and what that cannot say."""
    rules = game.rules
    phases = [_written(game, turn.resolution, turn.sheets) for turn in game.turns]
    name = phase_name(game.position.turn) if game.ending is None else "COMPLETED"
    phases.append({"name": name, "state": _state(game, game.position), "orders": {}, "results": {}, "messages": []})
    text = msgspec.json.format(
        msgspec.json.encode({"id": game.name or rules.name, "map": rules.name, "rules": [], "phases": phases}), indent=1
    )
    return text.decode() + "\n", shortcomings(game, waived=True)


def _written(game: Game, resolution: Resolution, sheets: Any) -> dict[str, Any]:
    before = resolution.before
    results: dict[str, list[str]] = {f"{u.kind} {u.at.upper()}": [] for u in before.units}
    for verdict in resolution.verdicts:
        at = verdict.order.at if isinstance(verdict.order, UnitOrder) else ""
        standing = (*before.units, *(d.unit for d in before.dislodged))
        unit = next((u for u in standing if at in (u.at, u.province) and u.power == verdict.power), None)
        if unit is None and at and not isinstance(verdict.order, Build):
            continue  # an order to a unit that isn't there
        key = f"{unit.kind} {unit.at.upper()}" if unit else write(verdict.order).upper()
        words = results.setdefault(key, [])
        if verdict.outcome in WORDS and WORDS[verdict.outcome] not in words:
            words.append(WORDS[verdict.outcome])
        if verdict.dislodged_from is not None and "dislodged" not in words:
            words.append("dislodged")
    for dislodged in resolution.dislodged:
        words = results.setdefault(f"{dislodged.unit.kind} {dislodged.unit.at.upper()}", [])
        if "dislodged" not in words:
            words.append("dislodged")
    orders: dict[str, list[str]] = {_power(p): [] for p in game.rules.powers}
    for sheet in sheets:
        orders[_power(sheet.power)] = [
            write(completed(order, before)).upper().replace("VIA CONVOY", "VIA") for order in sheet.orders
        ]
    return {
        "name": phase_name(before.turn),
        "state": _state(game, before),
        "orders": orders,
        "results": results,
        "messages": [],
    }


def _power(name: str) -> str:
    return name.upper().replace(" ", "_")


def _state(game: Game, position: Position) -> dict[str, Any]:
    rules = game.rules
    units = {_power(p): [f"{u.kind} {u.at.upper()}" for u in position.units if u.power == p] for p in rules.powers}
    retreats: dict[str, dict[str, list[str]]] = {_power(p): {} for p in rules.powers}
    for dislodged in position.dislodged:
        unit = dislodged.unit
        units[_power(unit.power)].append(f"*{unit.kind} {unit.at.upper()}")
        retreats[_power(unit.power)][f"{unit.kind} {unit.at.upper()}"] = []
    return {
        "name": phase_name(position.turn),
        "map": rules.name,
        "game_id": game.name or rules.name,
        "rules": [],
        "units": units,
        "retreats": retreats,
        "centers": {_power(p): [c.upper() for c in position.centers_of(p)] for p in rules.powers},
        "homes": {_power(p): [h.upper() for h in rules.homes(position, p)] for p in rules.powers},
        "influence": {_power(p): [] for p in rules.powers},
        "civil_disorder": {_power(p): 0 for p in rules.powers},
        "builds": {_power(p): {"count": 0, "homes": []} for p in rules.powers},
        "note": "",
        "timestamp": 0,
        "zobrist_hash": "0",
    }
