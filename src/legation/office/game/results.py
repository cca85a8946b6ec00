"""The results of a judged turn, as far as each reader sees them."""

from collections.abc import Iterable

import msgspec

from legation.game.sheets import later_turns, standing, take_apart
from legation.notation import write
from legation.office.clock import moment
from legation.office.context import GameContext
from legation.office.game import chain
from legation.office.game.judging import Chosen, chosen_sheets, text_ahead
from legation.office.game.publishing import comes_as_draft, told_before
from legation.office.game.turns import phase_of, position_from, position_of
from legation.office.game.views import OVER, seen_position, seen_result, viewpoint
from legation.office.records import Document, Executed, TurnResult, record_of
from legation.office.store.rows import LineRow, TurnRow
from legation.position import Phase, Turn
from legation.proofs.receipts import SignedHead


def result_record(scene: GameContext, turn: TurnRow) -> TurnResult:
    """The results of a judged turn as a record, as far as the reader sees them."""
    result = seen_result(scene, turn)
    judged = "draft" if comes_as_draft(scene, turn, result) else "final"
    others = scene.tx.all(TurnRow, game=scene.row.id, state="final", final=turn.final or -1, order="number")
    return record_of(
        TurnResult,
        turn,
        comes_as=judged if turn.state == "judged" else turn.state,
        game=scene.row.key,
        state="final" if turn.state == "final" else "draft" if turn.state == "draft" else "judged",
        published=moment(turn.published or turn.closed or turn.opened),
        made_final=tuple(row.name for row in others if row.number < turn.number and row.published != row.final),
        position=seen_position(scene, turn),
        verdicts=tuple(result["verdicts"]),
        dislodged=result["dislodged"],
        after=result["after"],
        ending=result["ending"],
        sheets=tuple(_executed(scene, turn, result["orders"], result["after"])),
        seed=turn.drawn,
        lots=tuple(result["lots"]),
        report=result["report"],
        news=tuple(result.get("news", ())),
        head=_head(scene, turn),
    )


def _head(scene: GameContext, turn: TurnRow) -> Document | None:
    if turn.state not in ("draft", "final") or not chain.is_in(scene, turn):
        return None
    rows = scene.tx.all(LineRow, game=scene.row.id, kind="results", order="-n")
    row = next((row for row in rows if chain.read_content(row.content)["data"]["turn"] == turn.name), None)
    if row is None:
        return None
    head = record_of(SignedHead, row, game=scene.row.ref, office=scene.office.public_key)
    document: Document = msgspec.to_builtins(head)
    return document


def _executed(scene: GameContext, turn: TurnRow, orders: dict[str, list[str]], after: Document) -> Iterable[Executed]:
    awaited = turn.awaited.split("\n")
    power_of_reader = viewpoint(scene)
    anonymous = scene.settings.anonymous and scene.row.state not in OVER and not scene.runs_it
    for power, choice in chosen_sheets(turn).items():
        if power_of_reader not in (None, power):
            continue
        if choice.submission or orders.get(power) or power in awaited:
            told = not anonymous or power in scene.own  # by how and when one sends one can be known
            open_to_reader = not untold(scene, turn, choice.text)
            yield record_of(
                Executed,
                choice,
                power=power,
                text=choice.text if open_to_reader else "",
                orders=tuple(orders.get(power, ())),
                channel=choice.channel if told else "",
                received=moment(choice.received) if choice.received and told else None,
                before=(told_before(choice) if turn.state == "judged" else choice.before) if open_to_reader else "",
                reason=choice.reason if choice.corrected else "",
                conditions=tuple(conditions(scene, turn, power, choice, after)),
            )


def untold(scene: GameContext, turn: TurnRow, text: str) -> bool:
    """Return whether a sheet is kept from all but its power, because it looks ahead in the season."""
    parts = take_apart(text, Turn.parse(turn.name))
    if scene.row.state in OVER or not (parts.ahead or parts.conditions):
        return False
    return (scene.row.turn or 0) <= turn.number or phase_of(scene.turn()) != Phase.MOVEMENT.value


def conditions(scene: GameContext, turn: TurnRow, power: str, choice: Chosen, after: Document) -> Iterable[str]:
    """Return a line for each order that a transcribed sheet gave for the retreats of its season."""
    now, rules = Turn.parse(turn.name), scene.rules
    if not choice.transcribed or turn.state == "final" or not (scene.runs_it or power in scene.own):
        return
    retreats = [str(later) for later in later_turns(rules, now) if later.phase is Phase.RETREATS]
    text = next(filter(str.strip, (text_ahead(scene, choice, turn_name) for turn_name in retreats)), "")
    if not text:
        return
    positions = position_from(rules, after), position_of(rules, turn.position)
    seen, sent = (rules.seen(position, power) for position in positions)
    for line, order in standing(rules, seen, power, text, now, sent):
        if order is not None:
            yield f"Stands: {write(order)}, unless another order is sent (“{line}”)"
        else:
            yield f"Falls: “{line}”"
