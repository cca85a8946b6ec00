"""Which of the orders that paper gave ahead stand once a movement is judged: told with the draft to whoever runs the
game, and to their power. Those that were sent as text stay sealed until their own turn."""

from __future__ import annotations

from collections.abc import Iterable

from legation.game.sheets import later_turns, standing
from legation.notation import write
from legation.office.context import GameContext
from legation.office.game.chosen_sheets import Chosen
from legation.office.game.judging import text_ahead
from legation.office.game.turns import position_of
from legation.office.records import Document
from legation.office.store.packing import pack
from legation.office.store.rows import TurnRow
from legation.position import Phase, Turn


def conditions(scene: GameContext, turn: TurnRow, power: str, choice: Chosen, after: Document) -> tuple[str, ...]:
    """Return a line for each order that a transcribed sheet gave for the retreats of its season."""
    now, rules = Turn.parse(turn.name), scene.rules
    if not choice.transcribed or turn.state == "final" or not (scene.runs_it or power in scene.own):
        return ()
    for later in later_turns(rules, now):
        text = text_ahead(scene, choice, str(later)) if later.phase is Phase.RETREATS else ""
        if text.strip():
            return tuple(_lines(scene, turn, power, text, after))
    return ()


def _lines(scene: GameContext, turn: TurnRow, power: str, text: str, after: Document) -> Iterable[str]:
    rules, sent = scene.rules, position_of(scene.rules, turn.position)
    position = position_of(rules, pack(after))
    seen = [rules.seen(one, power) for one in (position, sent)]
    for line, order in standing(rules, seen[0], power, text, Turn.parse(turn.name), seen[1]):
        if order is not None:
            yield f"Stands: {write(order)}, unless another order is sent (“{line}”)"
        else:
            yield f"Falls: “{line}”"
