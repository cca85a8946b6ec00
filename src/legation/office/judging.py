"""Judging: the chosen sheets of a turn, those given ahead among them, made into its results."""

from __future__ import annotations

from typing import Any

import msgspec

from legation.game.log import PlayedTurn
from legation.game.reading_sheets import Unread
from legation.judge import resolve
from legation.notation import write
from legation.office.act import Act, Scene
from legation.office.chosen import chosen_sheets
from legation.office.sheets import carried, interpret_sheet, unread
from legation.office.store import pack
from legation.office.store.rows import TurnRow
from legation.office.turns import phase_of, position_of, results_due, scene_of
from legation.office.views import result_document
from legation.orders import Sheet
from legation.position import Phase, Turn


def judge(act: Act, facts: dict[str, Any], _: object) -> None:
    """Judge the chosen sheets; the results wait for their publication."""
    scene, turn = scene_of(act, facts["turn"])
    if turn.state != "opened":
        return
    if scene.rules.digest != scene.row.rules_digest:
        reason = f"the rules of {scene.row.variant} were changed since the game began"
        scene.row = act.tx.change(scene.row, state="paused", paused=act.at, pause_reason=reason)
        scene.note("game paused", turn=turn, role="clock", reason=reason)
        act.desk("rules changed", scene.row, turn=turn)
        return
    turn = judge_turn(act, scene, turn)
    scene.note("judged", turn=turn, seen_by="coordinator", role="clock", name=turn.name)
    if scene.settings.approve:
        act.desk("publish", scene.row, turn=turn, due=results_due(scene, turn))
    else:
        act.due("publish", f"turn {turn.id} publish", act.at, scene.row, turn=turn.id)


def judge_turn(act: Act, scene: Scene, turn: TurnRow) -> TurnRow:
    """Work out a turn from its chosen sheets: pure, so that it can be done again at any time."""
    position = position_of(scene.rules, turn.position)
    chosen = chosen_sheets(turn)
    sheets: list[Sheet] = []
    lost: list[Unread] = []
    for power, choice in chosen.items():
        given = interpret_sheet(scene.rules, scene.rules.seen(position, power), power, choice.text)
        orders = list(given.check.sheet.orders)
        lost += [Unread(power, text, why) for text, why in unread(given.check)]
        if not orders:
            ahead = orders_ahead(scene, turn, power) if not choice.text.strip() else []
            orders += [scene.rules.reader.order(text, position.turn.phase, power) for text in ahead]
            if ahead:
                chosen[power] = msgspec.structs.replace(choice, carried=tuple(ahead), missing=False)
        if orders:
            sheets.append(Sheet(power, tuple(orders)))
    resolution = resolve(scene.rules, position, sheets, turn.drawn)
    result = result_document(scene.rules, PlayedTurn(tuple(sheets), resolution, tuple(lost)))
    return act.tx.change(turn, state="judged", result=pack(result), sheets=pack(msgspec.to_builtins(chosen)))


def orders_ahead(scene: Scene, turn: TurnRow, power: str) -> list[str]:
    """The orders that a power gave ahead for this turn, in the last turn of which its sheet counted."""
    rules = scene.rules
    position = position_of(rules, turn.position)
    if position.turn.phase in (Phase.MOVEMENT, Phase.PLACEMENT):
        return []
    for number in range(turn.number - 1, 0, -1):
        earlier = scene.tx.find(TurnRow, game=scene.row.id, number=number)
        assert earlier is not None
        choice = chosen_sheets(earlier).get(power)
        if choice is not None and choice.text:
            sent = rules.seen(position_of(rules, earlier.position), power)
            orders = carried(rules, rules.seen(position, power), power, choice.text, Turn.parse(earlier.name), sent)
            if orders:
                return [write(order) for order in orders]
        if phase_of(earlier) == Phase.MOVEMENT.value:
            break
    return []
