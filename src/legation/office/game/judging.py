"""Judging: the sheets that count in a turn, those given ahead among them, made into its results."""

from typing import Any

import msgspec

from legation.game import playing
from legation.game.log import PlayedTurn
from legation.game.playing import GivenText, OrderedAhead, play_texts
from legation.judge import changes
from legation.notation import write
from legation.office.context import CommandContext, GameContext
from legation.office.game.orders_ahead import reading_of, text_of
from legation.office.game.turns import phase_of, position_of, results_due, scene_of
from legation.office.game.views import result_document
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import PersonRow, RecordRow, TurnRow
from legation.orders import Order
from legation.position import Phase, Turn


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """Sheet of a power that counts in a turn. ``told``: the text of a transcription as it was published last, or None;
    ``before``: as it was in the results that were corrected; ``reason``: why it was corrected last; ``chosen``: why the
    coordinator chose this version. ``copies``: digests of photographs of the opened letter, not committed to."""

    submission: int = 0
    text: str = ""
    commitment: str = ""
    version: int = 0
    channel: str = ""
    received: int = 0
    files: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    transcribed: bool = False
    corrected: bool = False
    missing: bool = True
    entered_by: str = "holder"
    told: str | None = None
    before: str = ""
    reason: str = ""
    chosen: str = ""
    carried: tuple[str, ...] = ()  # orders given ahead that came to count


READINGS = ("transcribe", "confirm", "decide")
"""Things on the desk by which the text of a sheet is settled, once it is known which version counts."""


def chosen_sheets(turn: TurnRow) -> dict[str, Chosen]:
    """The chosen sheets of a turn by power."""
    return msgspec.convert(unpack(turn.sheets), dict[str, Chosen])


RULES_CHANGED = "were changed since the game began"


def judge(act: CommandContext, facts: dict[str, Any], _: object) -> None:
    """Judge the chosen sheets; the results wait for their publication."""
    scene, turn = scene_of(act, facts["turn"])
    if turn.state != "opened":
        return
    if changes(scene.row.rules_digest, scene.rules):
        reason = f"the rules of {scene.row.variant} {RULES_CHANGED}"
        scene.row = act.tx.change(scene.row, state="paused", paused=scene.at, pause_reason=reason)
        scene.append_journal("game paused", turn=turn, role="clock", reason=reason)
        act.add_task("rules changed", scene.row, turn=turn)
        scene.mail("game paused", reason=reason)
        if scene.row.coordinator not in {None, *(seat.person for seat in scene.seats.values())}:
            act.mail("game paused", act.tx.get(PersonRow, scene.row.coordinator), game=scene.row, reason=reason)
        return
    turn = judge_turn(scene, turn)
    scene.append_journal("judged", turn=turn, seen_by="coordinator", role="clock", name=turn.name)
    if scene.settings.approve or any(sheet.corrected for sheet in chosen_sheets(turn).values()):
        act.add_task("publish", scene.row, turn=turn, due=results_due(scene, turn))
    else:
        act.schedule_job("publish", f"turn {turn.id} publish", act.at, scene.row, turn=turn.id)


def judge_turn(scene: GameContext, turn: TurnRow) -> TurnRow:
    """Work out a turn from its chosen sheets: pure, so that it can be done again at any time."""
    chosen = chosen_sheets(turn)
    played, from_ahead = play_turn(scene, turn)
    for power, orders in from_ahead.items():
        chosen[power] = msgspec.structs.replace(
            chosen[power], carried=tuple(write(order) for order in orders), missing=False
        )
    result = result_document(scene.rules, played)
    return scene.tx.change(turn, state="judged", result=pack(result), sheets=pack(chosen))


def play_turn(scene: GameContext, turn: TurnRow) -> tuple[PlayedTurn, dict[str, tuple[Order, ...]]]:
    """Play a turn from its chosen sheets; also tells by power which orders were given ahead."""
    chosen, given = chosen_sheets(turn), {}
    for power in scene.rules.powers:
        sheet = chosen[power]
        ahead = () if sheet.text.strip() else _ahead(scene, turn, power)
        carried = "\n".join(sheet.carried)  # of what was ordered ahead, what counted before its key was lost
        given[power] = GivenText(sheet.text if sheet.text.strip() or ahead else carried, ahead)
    return play_texts(scene.rules, position_of(scene.rules, turn.position), given, turn.drawn)


def orders_ahead(scene: GameContext, turn: TurnRow, power: str) -> list[str]:
    """The orders that a power gave ahead for this turn, in the last turn of which its sheet counted."""
    position = position_of(scene.rules, turn.position)
    ahead = _ahead(scene, turn, power)
    return [write(order) for order in playing.orders_ahead(scene.rules, position, power, ahead)]


def _ahead(scene: GameContext, turn: TurnRow, power: str) -> tuple[OrderedAhead, ...]:
    sheets: list[OrderedAhead] = []
    if phase_of(turn) in (Phase.MOVEMENT.value, Phase.PLACEMENT.value):
        return ()
    for number in range(turn.number - 1, 0, -1):
        earlier = scene.tx.find(TurnRow, game=scene.row.id, number=number)
        assert earlier is not None
        choice = chosen_sheets(earlier).get(power)
        text = text_ahead(scene, choice, turn.name) if choice is not None else ""
        if text.strip():
            sheets.append(OrderedAhead(text, Turn.parse(earlier.name), position_of(scene.rules, earlier.position)))
        if phase_of(earlier) == Phase.MOVEMENT.value:
            break
    return tuple(sheets)


def text_ahead(scene: GameContext, choice: Chosen, turn: str) -> str:
    """Return what a sheet that counted in an earlier turn says for the one of a name."""
    record = scene.tx.find(RecordRow, submission=choice.submission, turn_name=turn)
    if record is None:  # in a copy of a game that was played in another office
        return choice.text
    office = scene.office
    return reading_of(office, record) or text_of(office, record)
