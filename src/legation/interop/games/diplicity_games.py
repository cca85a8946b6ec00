"""diplicity's replay fixtures: phases with orders, expected resolutions and the state after each."""

from typing import Any

import msgspec

from legation.board import province_of
from legation.game import Game
from legation.interop.games.missing import orders_of, parts_of, shortcomings, unsaid
from legation.interop.games.record import RecordedGame, RecordedPhase, RecordedUnit, order_text, phase_word
from legation.interop.json_variants import PHASES, name_of, objects, read_json, text
from legation.interop.sources import ForeignFileError, Source, by_marks
from legation.judge import Outcome
from legation.orders import Build, Move, Order, UnitOrder, Waive
from legation.position import Position
from legation.variants import STANDARD

NAME = "diplicity-game"
TITLE = "diplicity replays (JSON)"
recognize = by_marks((".json",), b'"phases"', b'"selected"')


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of a fixture.

    :raises ForeignFileError: if it has no phases."""
    document = read_json(source, entry)
    variant = document.get("variant")
    name = name_of(variant or document.get("variant_name"))
    record = RecordedGame(title=text(document, "name", "id") or entry, format=TITLE, board=name.lower())
    state: Any = None
    phases = objects(document.get("phases"))
    for item in sorted(phases, key=lambda item: number if isinstance(number := item.get("ordinal"), int) else 0):
        kind, year = PHASES.get(text(item, "type")), item.get("year")
        if kind is None or not isinstance(year, int):
            record.left(f"phase {text(item, 'ordinal')}", "has no type or year that is known")
            continue
        phase = RecordedPhase(season=text(item, "season"), year=year, phase=kind)
        _take_state(phase, state)
        results: list[tuple[str, str]] = []
        for order in objects(item.get("orders")):
            selected: Any = order.get("selected")
            written = _order(selected, kind, phase)
            if not written:
                record.misread(phase.name, str(selected))
                continue
            phase.give(name_of(order.get("nation")), written)
            results.append((str(selected[0]), text(order, "expected_resolution", "resolution")))
        if kind == "Movement" and any(result for _, result in results):
            phase.failed = {at for at, result in results if result not in ("OK", "")}
        record.phases.append(phase)
        state = item.get("expected_state_after")
        phase.played = isinstance(state, dict)
    if not record.phases:
        raise ForeignFileError(f"{entry}: holds no phases")
    if isinstance(state, dict):
        record.phases.append(RecordedPhase(season="", year=record.phases[-1].year, phase=""))
        _take_state(record.phases[-1], state)
        record.phases[-1].owners = None  # are those of the year before, if it ends with a movement in fall
    return [record]


def _take_state(phase: RecordedPhase, state: Any) -> None:
    """The position before a phase is the state after the one before."""
    if not isinstance(state, dict):
        return
    phase.units, phase.dislodged = [], []
    for unit in objects(state.get("units")):
        kind = text(unit, "type")[:1] or "A"
        standing = RecordedUnit(name_of(unit.get("nation")), kind, name_of(unit.get("province")))
        phase.stand(standing, out=bool(unit.get("dislodged")))
    if isinstance(centers := state.get("supply_centers"), dict):
        phase.owners = {str(c): name_of(n) for c, n in centers.items() if name_of(n)}


def _order(selected: Any, kind: str, phase: RecordedPhase) -> str:
    """A selection as an order: ``["par", "Move", "bur"]``; with its unit where the state before tells which."""
    if not isinstance(selected, list) or len(selected) < 2 or not all(isinstance(part, str) for part in selected):
        return ""
    at, verb, *rest = selected
    units = (phase.dislodged if kind == "Retreats" else phase.units) or []
    unit = next((f"{u.kind} {at}" for u in units if at in (u.at, u.at.partition("/")[0])), at)
    other, to = rest[0] if rest else "", rest[-1] if rest else ""
    if verb == "Build":
        return order_text(verb, f"{other[:1]} {to if '/' in to else at}") if rest else ""
    if verb == "Move" and kind == "Retreats":
        verb = "Retreat"
    return order_text(
        verb, unit, "" if verb == "Support" and to == other else to, f"{'A ' * (verb == 'Convoy')}{other}"
    )


# --- out

RESULTS = {
    Outcome.SUCCEEDS: "OK",
    Outcome.BOUNCED: "ErrBounce",
    Outcome.CUT: "ErrSupportBroken",
    Outcome.DISRUPTED: "ErrConvoyDislodged",
    Outcome.NO_CONVOY: "ErrMissingConvoyPath",
    Outcome.VOID: "ErrInvalidSupporteeOrder",
    Outcome.ILLEGAL: "ErrIllegalMove",
}


def write_game(game: Game) -> tuple[str, list[str]]:
    """A game as a replay of diplicity, and what that cannot say."""
    kinds = {ours: theirs for theirs, ours in PHASES.items()}
    phases = [
        {
            "ordinal": number,
            "season": turn.resolution.before.turn.season or "Year",
            "year": turn.resolution.before.turn.year,
            "type": kinds[phase_word(turn.resolution.before.turn)],
            "resolution_trigger": "deadline",
            "orders": [
                {
                    "nation": power,
                    "selected": selected,
                    "expected_resolution": RESULTS.get(verdict.outcome, "ErrIllegalMove") if verdict else "OK",
                }
                for power, order, verdict in orders_of(turn, waived=False)
                if (selected := _selected(order))
            ],
            "expected_state_after": _state_of(turn.resolution.after),
        }
        for number, turn in enumerate(game.turns, 1)
    ]
    ending = game.ending
    document = {
        "schema_version": 1,
        "name": game.name or game.rules.name,
        "variant": "classical" if game.rules.name == STANDARD else game.rules.name,
        "outcome": {"type": ending.kind, "winners": list(ending.powers)} if ending else None,
        "phases": phases,
    }
    missing = [text for text in shortcomings(game) if not text.startswith("how the game ended")]
    if any(turn.resolution.before.dislodged for turn in game.turns):
        missing.append("from where dislodged units were attacked")
    given = [order for turn in game.turns for sheet in turn.sheets for order in sheet.orders]
    missing += unsaid([order for order in given if not _selected(order) and not isinstance(order, Waive)])
    return msgspec.json.format(msgspec.json.encode(document), indent=1).decode() + "\n", missing


def _state_of(position: Position) -> dict[str, Any]:
    units = [(unit, False) for unit in position.units] + [(d.unit, True) for d in position.dislodged]
    return {
        "units": [
            {"nation": u.power, "type": "Fleet" if u.kind == "F" else "Army", "province": u.at, "dislodged": gone}
            for u, gone in units
        ],
        "supply_centers": dict(sorted(position.owners.items())),
    }


def _selected(order: Order) -> list[str]:
    verb, target, to = parts_of(order)
    if not isinstance(order, UnitOrder) or not verb:
        return []
    match order:
        case Move():
            return [order.at, verb, province_of(to), *([to] if "/" in to else [])]
        case Build(kind=kind, at=at):
            return [province_of(at), verb, "Fleet" if kind == "F" else "Army", *([at] if "/" in at else [])]
    return [order.at, verb, *([target, to or target] if target else [to] if to else [])]
