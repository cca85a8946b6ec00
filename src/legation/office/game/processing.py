"""Coordinators' commands on a turn in processing: process without orders, preview, publish, withdraw a draft."""

from legation.office.clock import moment, moment_in_words
from legation.office.context import GameContext, command, given_reason, query
from legation.office.errors import ConflictError
from legation.office.game import chain
from legation.office.game.closing import close
from legation.office.game.publishing import go_on, publish_turn
from legation.office.game.results import result_record
from legation.office.game.turns import position_from, results_due, turn_record
from legation.office.records import TurnRecord, TurnResult
from legation.office.store.packing import unpack
from legation.office.store.rows import DeskRow, TurnRow, WorkRow
from legation.proofs import kinds


@command("coordinate", "POST /games/{game}/process", coordinator="running")
def process_now(scene: GameContext) -> TurnRecord:
    """Process a turn without the orders that it waits for, once the deadline has passed.

    A coordinator can't end a turn before its deadline.

    :raises ConflictError: while it has to wait."""
    turn = scene.turn(lock=True)
    if turn.state == "waiting" and scene.at >= turn.closes:
        return turn_record(close(scene, turn, early=False))
    if turn.state in ("open", "waiting"):
        raise ConflictError("Orders are sealed until the deadline, or until everyone is ready.")
    raise ConflictError(f"{turn.name} is closed already.")


@command("coordinate", "POST /games/{game}/publish-draft", coordinator="alive")
def publish_draft(scene: GameContext) -> TurnRecord:
    """Publish the judged results (as draft results, if the game has drafts)."""
    turn = scene.turn(lock=True)
    if turn.state != "judged":
        raise ConflictError(f"There are no results of {turn.name} to publish.")
    publish_turn(scene, turn)
    return turn_record(scene.tx.get(TurnRow, turn.id))


@command("coordinate", "POST /games/{game}/take-back-draft", coordinator="alive")
def take_back_draft(scene: GameContext, reason: str) -> TurnRecord:
    """Withdraw the last draft results, before the seals of the turn after them are open.

    They are published anew with :func:`publish_draft`."""
    drafts = scene.tx.all(TurnRow, game=scene.row.id, state="draft", order="-number", limit=1)
    if not drafts:
        raise ConflictError("There are no draft results to withdraw.")
    turn = withdraw_draft(scene, drafts[0], given_reason(reason))
    await_publishing(scene, turn)
    return turn_record(turn)


def withdraw_draft(scene: GameContext, turn: TurnRow, reason: str) -> TurnRow:
    """Withdraw draft results: the turn is judged, and the one after it put aside."""
    present = scene.turn(lock=True)
    if present.number > turn.number:
        put_aside(scene, present)
    turn = scene.tx.change(turn, state="judged", published=None)
    scene.row = scene.tx.change(scene.row, turn=turn.number)
    scene.tx.remove(WorkRow, name=f"turn {turn.id} next", state="waiting")
    scene.act.close_tasks("taken back", turn=turn.id, kind="final")
    chain.write(scene, "taken back", kinds.PlainTurnLine(turn=turn.name), turn)
    scene.append_journal("draft taken back", turn=turn, name=turn.name, reason=reason)
    return turn


def await_publishing(scene: GameContext, turn: TurnRow) -> None:
    """Add a judged turn to the desk, to be published."""
    if not scene.tx.count(DeskRow, turn=turn.id, kind="publish", done=None):
        scene.act.add_task("publish", scene.row, turn=turn, due=results_due(scene, turn))


def put_aside(scene: GameContext, turn: TurnRow) -> None:
    """Put the open turn aside; what was sent for it stays and counts when it opens again."""
    if turn.state not in ("open", "waiting"):
        raise ConflictError(f"The seals of {turn.name} are open already; earlier results can't be withdrawn.")
    names = [f"turn {turn.id} {what}" for what in ("close", "bots", "early")]
    scene.tx.remove(WorkRow, name=names, state="waiting")
    scene.office.keeper.hold(turn.sealed_by, "the results before it were withdrawn", stops=False)
    chain.write(scene, "aside", kinds.PlainTurnLine(turn=turn.name), turn)
    scene.tx.change(turn, state="aside")


@command("coordinate", "POST /games/{game}/publish-final", coordinator="alive")
def publish_final(scene: GameContext) -> TurnRecord:
    """Make the draft results of the season final; the next season opens on schedule.

    :raises ConflictError: when a turn of the season is still open."""
    turn = scene.turn(lock=True)
    if turn.state != "draft":
        raise ConflictError("There are no draft results to make final.")
    if turn.final_due is not None and scene.at < turn.final_due:
        raise ConflictError(
            f"The season's results are final from {moment_in_words(moment(turn.final_due))}; until then a "
            "transcription can be corrected."
        )
    go_on(scene, turn, position_from(scene.rules, unpack(turn.result)["after"]))
    return turn_record(scene.turn())


@query("coordinate", "GET /games/{game}/preview", coordinator="alive")
def preview(scene: GameContext) -> TurnResult:
    """Return what will be published: for the coordinator, once the turn is judged."""
    turn = scene.turn()
    if turn.state != "judged":
        raise ConflictError(f"There are no results of {turn.name} to look over.")
    return result_record(scene, turn)
