"""Games of every kind, turn by turn, as the rules decided and told them when they were looked over: what is decided
otherwise since is seen as a difference.

``played/VARIANT.txt`` holds a game with orders by chance, many of them illegal: what was ordered, what became of each
order and why, what everybody was told, and how the board stood then. ``python -m tests.rules.test_played_turns`` writes
the files anew, with the same orders as long as the same turns come and orders by chance from there on; the difference
is to be read before it is kept."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from legation.game import position_document, read_task
from legation.judge import Ruleset, legal_orders, resolve
from legation.notation import write
from legation.position import Phase, Position
from legation.variants import load
from tests.judge.reasons import UNKNOWN, untrue
from tests.rules.test_random_games import wild_sheets

FOLDER = Path(__file__).parent / "played"
GAMES: dict[str, tuple[int, dict[str, object]]] = {  # by file: how many turns, and the options
    "standard": (24, {}),
    "hundred": (16, {}),
    "1897": (24, {}),
    "1000ad": (18, {}),
    "three-kingdoms": (20, {}),
}


def transcript(rules: Ruleset, sheets: dict[str, dict[str, list[str]]]) -> Iterator[str]:
    """The lines that tell of a game: by turn the orders, what became of them, and how things stand."""
    document: dict[str, Any] = position_document(rules, rules.opening())
    yield from standing(rules, rules.opening())
    for number, (turn, orders) in enumerate(sheets.items()):
        yield ""
        assert document["turn"] == turn, f"after {number} turns comes {document['turn']}, not {turn}"
        yield f"# {turn}"
        yield f"orders: {json.dumps(orders, ensure_ascii=False)}"
        task = read_task({**document, "orders": orders, "seed": "played"})
        resolution = resolve(task.rules, task.position, task.sheets, task.seed)
        faults = untrue(task.rules, task.sheets, resolution)
        assert [fault for fault in faults if not fault.startswith(UNKNOWN)] == []
        for verdict in resolution.verdicts:
            yield f"{verdict.power}: {verdict.explanation}"
        for entry in resolution.dislodged:
            places = resolution.retreats.get(entry.unit.province, ())
            yield f"{entry.unit} of {entry.unit.power} may retreat to: {' '.join(places)}"
        for module in rules.modules:
            yield from module.news(rules, resolution)
        for lot in resolution.lots:
            yield f"drawn: {lot}"
        if resolution.ending is not None:
            yield f"ending: {resolution.ending}"
        document = position_document(rules, resolution.after)
        yield from standing(rules, resolution.after)


def standing(rules: Ruleset, position: Position) -> Iterator[str]:
    """How things stand: what documents say, and what each power may do."""
    document = position_document(rules, position)
    for part in ("turn", "units", "dislodged", "contested", "centers", "state"):
        if document.get(part):
            yield f"{part}: {json.dumps(document[part], ensure_ascii=False)}"
    legal = legal_orders(rules, position)
    for power in rules.powers:
        kinds = Counter(type(order).__name__ for order in legal[power])
        counted = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
        line = f"{power} may give: {counted or 'nothing'}"
        if position.turn.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
            sites = " ".join(rules.build_sites(position, power)) or "none"
            homes = " ".join(rules.homes(position, power)) or "none"
            line += f"; limit {rules.limit(position, power)}, size {rules.size(position, power)}"
            line += f", sites {sites}, homes {homes}"
        yield line
    if refused := rules.refuses_draw(position):
        yield f"no draw: {refused}"


def ordered(lines: list[str]) -> dict[str, dict[str, list[str]]]:
    """The orders of a game, by turn and power."""
    found: dict[str, dict[str, list[str]]] = {}
    for line in lines:
        if line.startswith("# "):
            turn = line.removeprefix("# ")
        elif line.startswith("orders: "):
            found[turn] = json.loads(line.removeprefix("orders: "))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_decided_and_told_as_before(name: str) -> None:
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    again = list(transcript(load(name, GAMES[name][1]), ordered(lines)))
    for was, is_now in zip(lines, again, strict=False):
        assert is_now == was
    assert len(again) == len(lines)


def invent(name: str, kept: dict[str, dict[str, list[str]]]) -> dict[str, dict[str, list[str]]]:
    """Orders by chance for a game; those that are kept, as long as their turns come."""
    turns, options = GAMES[name]
    rules = load(name, options)
    random = Random(name)
    position = rules.opening()
    found = {}
    waiting = list(kept.items())
    for number in range(turns):
        if number < len(waiting) and waiting[number][0] == str(position.turn):
            written = waiting[number][1]
        else:
            waiting = []
            sheets = wild_sheets(rules, position, random)
            written = {sheet.power: [write(order) for order in sheet.orders] for sheet in sheets}
        found[str(position.turn)] = written
        task = read_task({**position_document(rules, position), "orders": written, "seed": "played"})
        resolution = resolve(rules, task.position, task.sheets, "played")
        position = resolution.after
        if resolution.ending is not None:
            break
    return found


if __name__ == "__main__":
    for name, (_, options) in GAMES.items():
        path = FOLDER / f"{name}.txt"
        kept = ordered(path.read_text(encoding="utf-8").splitlines()) if path.exists() else {}
        sheets = invent(name, kept)
        path.write_text("\n".join(transcript(load(name, options), sheets)) + "\n", encoding="utf-8")
