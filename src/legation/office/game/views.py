"""Views of a game whose rules hide anything: positions, results, the journal. A player sees what the rules show that
power, others what is hidden from none; who runs the game sees all, and so does everybody once it is over."""

from functools import lru_cache
from typing import Any

from legation.game import position_document, read_turn
from legation.game.documents import (
    after_document,
    dislodged_document,
    ending_document,
    lots_document,
    unread_document,
    verdict_documents,
)
from legation.game.log import PlayedTurn
from legation.game.report import happened, turn_report
from legation.game.saved import SavedGameError
from legation.game.views import seen_turn
from legation.judge import Ruleset, commitment
from legation.notation import write
from legation.office.context import RUN_IT, GameContext
from legation.office.errors import ConflictError
from legation.office.game.turns import position_of
from legation.office.records import Document, GameRecord
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import JournalRow, TurnRow
from legation.position import Position

NOBODY = ""
OVER = ("ended", "cancelled")
PRIVATE = tuple(
    "submitted,seat key,withdrawn,entered is confirmed,entered is refused,objection,ready,not ready,chosen,"
    "unposted,transcribed,confirmed,differs,decided,corrected,replacement wanted".split(",")
)
"""Lines of the journal that tell who had anything to order, and so where there are units."""
READINGS = ("transcribed", "confirmed", "differs", "decided", "corrected")
"""Lines of the journal with the text of a sheet, which players read in the results when these are out."""


def viewpoint(scene: GameContext) -> str | None:
    """Return the power whose view of the game the reader has: None for all of it, ``""`` for what everybody sees."""
    if not scene.rules.steps["visible_provinces"] or scene.runs_it or scene.row.state in OVER:
        return None
    return scene.own[0] if scene.own else NOBODY


def out_of_sight(rules: Ruleset, record: GameRecord, position: Position) -> tuple[str, ...]:
    """Return the provinces of a position that a record's reader cannot see, as maps shade them."""
    if RUN_IT & set(record.roles) or record.state in OVER:
        return ()
    return rules.hidden_provinces(position, record.powers[0] if record.powers else NOBODY)


def seen_position(scene: GameContext, turn: TurnRow) -> Document:
    """The position of a turn as a document, as the reader sees it."""
    power = viewpoint(scene)
    if power is None:
        return unpack(turn.position)
    rules = scene.rules
    try:
        position = position_of(rules, turn.position)
    except ValueError:
        raise ConflictError(
            f"{turn.name} opened under other rules than the current ones, so what {power or 'you'} can see of it can't "
            "be determined."
        ) from None
    return position_document(rules, rules.seen(position, power))


def seen_result(scene: GameContext, turn: TurnRow) -> Document:
    """The stored result of a turn, as the reader sees it."""
    power = viewpoint(scene)
    if power is None:
        return unpack(turn.result)
    try:
        return result_document(
            scene.rules, seen_turn(scene.rules, _played(scene.rules, pack(saved_turn(turn))), power), power
        )
    except SavedGameError:
        raise ConflictError(
            f"{turn.name} was judged by other rules than the current ones, so what {power or 'you'} saw of it can't be "
            "determined."
        ) from None


@lru_cache(maxsize=128)
def _played(rules: Ruleset, packed: bytes) -> PlayedTurn:
    return read_turn(rules, unpack(packed))


def result_document(rules: Ruleset, turn: PlayedTurn, power: str = "") -> Document:
    """Return the document of a judged turn, as it is stored and shown; with ``power``, what that power saw of it."""
    resolution = turn.resolution
    return {
        "verdicts": [*verdict_documents(resolution, turn.unread), *(unread_document(u) for u in turn.unread)],
        "orders": {s.power: [write(o) for o in s.orders] for s in turn.sheets},
        "dislodged": dislodged_document(resolution.dislodged, resolution.retreats),
        "after": after_document(rules, resolution.after, resolution.ending),
        "ending": ending_document(resolution.ending),
        "lots": lots_document(resolution.lots),
        "news": happened(rules, resolution, power),
        "report": turn_report(rules, resolution, turn.unread, power),
    }


def saved_turn(turn: TurnRow) -> Document:
    """A judged turn as a saved game has it."""
    result = unpack(turn.result)
    understood = [v for v in result["verdicts"] if not _lost(v)]
    item: Document = {"position": unpack(turn.position), "orders": result["orders"], "verdicts": understood}
    if lost := [v for v in result["verdicts"] if _lost(v)]:
        item["unread"] = lost
    if result["lots"]:
        item["lots"] = {"seed": turn.drawn, "commitment": commitment(turn.drawn), "drawn": result["lots"]}
    item["after"] = result["after"]
    if result["ending"]:
        item["ending"] = result["ending"]
    return item


def _lost(verdict: Document) -> bool:
    return (verdict["cause"] or {}).get("kind") == "not understood"


def seen_facts(scene: GameContext, row: JournalRow) -> dict[str, Any]:
    """The facts of a line of the journal, as the reader may know them."""
    facts = unpack(row.facts)
    if row.kind in READINGS and not scene.runs_it:
        facts.pop("text", None)
    if row.kind == "submitted" and not scene.runs_it and facts.get("power") not in scene.own:
        facts.pop("channel", None)  # by which somebody can be known
    if row.kind == "waiting" and scene.settings.shows_senders != "all":
        facts.pop("seats", None)
    if viewpoint(scene) is None:
        return facts
    for name in ("awaited", "corrected"):
        if name in facts:
            facts[name] = [power for power in facts[name] if power in scene.own]
    if row.kind in ("draft results", "final results"):
        facts["orders"] = {power: orders for power, orders in facts["orders"].items() if power in scene.own}
    if row.kind == "waiting":
        facts.pop("seats", None)
    return facts
