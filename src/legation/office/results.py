"""The results of a judged turn, as far as each reader sees them."""

from __future__ import annotations

from collections.abc import Iterable

from legation.office.act import Scene
from legation.office.chosen import chosen_sheets
from legation.office.clock import moment
from legation.office.publishing import comes_as_draft
from legation.office.records import Executed, TurnResult
from legation.office.sheets import take_apart
from legation.office.store.rows import TurnRow
from legation.office.turns import phase_of
from legation.office.views import eyes, seen_position, seen_result
from legation.position import Phase, Turn


def result_record(scene: Scene, turn: TurnRow) -> TurnResult:
    """The results of a judged turn as a record, as far as the reader sees them."""
    result = seen_result(scene, turn)
    judged = "draft" if comes_as_draft(scene, turn, result) else "final"
    return TurnResult(
        comes_as=judged if turn.state == "judged" else turn.state,
        game=scene.row.key, number=turn.number, name=turn.name, key=turn.key, state=turn.state,
        published=moment(turn.published or turn.closed or turn.opened), position=seen_position(scene, turn),
        verdicts=tuple(result["verdicts"]), dislodged=result["dislodged"], after=result["after"],
        ending=result["ending"], sheets=tuple(_executed(scene, turn, result["orders"])), seed=turn.drawn,
        seed_commitment=turn.seed_commitment, lots=tuple(result["lots"]), report=result["report"],
        news=tuple(result.get("news", ())),
    )  # fmt: skip


def _executed(scene: Scene, turn: TurnRow, orders: dict[str, list[str]]) -> Iterable[Executed]:
    awaited = turn.awaited.split("\n")
    power_of_reader = eyes(scene)
    for power, choice in chosen_sheets(turn).items():
        if power_of_reader not in (None, power):
            continue
        if choice.submission or orders.get(power) or power in awaited:
            open_to_reader = not untold(scene, turn, choice.text)
            yield Executed(
                power=power, text=choice.text if open_to_reader else "", orders=tuple(orders.get(power, ())),
                version=choice.version, channel=choice.channel,
                received=moment(choice.received) if choice.received else None, commitment=choice.commitment,
                salt=choice.salt if open_to_reader else "", transcribed=choice.transcribed, corrected=choice.corrected,
                missing=choice.missing, files=choice.files,
            )  # fmt: skip


def untold(scene: Scene, turn: TurnRow, text: str) -> bool:
    """Whether a sheet is kept from all but its power, because it tells what that means to do later in the season."""
    parts = take_apart(text, Turn.parse(turn.name))
    return bool(parts.ahead or parts.conditions) and not _is_over(scene, turn)


def _is_over(scene: Scene, turn: TurnRow) -> bool:
    """Whether nothing that was ordered ahead in a turn can come any more: the next movement is open, or the game has
    ended."""
    if scene.row.state in ("ended", "cancelled"):
        return True
    return (scene.row.turn or 0) > turn.number and phase_of(scene.turn()) == Phase.MOVEMENT.value
