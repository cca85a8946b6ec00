"""Proofs: that what was judged is what was sealed, and that lots fell as they had to.

Everybody can repeat them; ``docs/office.md`` has the lines to do it alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from legation.judge import commitment as seed_commitment
from legation.judge import draw
from legation.office import seals
from legation.office.act import Act, Scene, query
from legation.office.records import Document, Executed, Proof, TurnResult
from legation.office.results import result_record
from legation.office.seats import deal
from legation.office.store import queries, unpack
from legation.office.store.rows import JournalRow, SubmissionRow, TurnRow
from legation.office.submissions import find_turn

PUBLISHED = ("draft", "final")


@query
def published(act: Act, game: str, turn: str | int = "last") -> Document:
    """What proves a turn: commitments, salts and sheets, the seed and its commitment, the lots.

    Salts and sheets that look ahead are published when the season is over.
    """
    scene = act.game(game)
    row = find_turn(scene, turn)
    facts: Document = {
        "game": scene.row.key,
        "turn": row.name,
        "seed_commitment": row.seed_commitment,
        "sheets": [],
        "lots": [],
        "seed": "",
    }
    facts["commitments"] = [s.commitment for s in act.tx.all(SubmissionRow, turn=row.id)]
    if row.state in PUBLISHED:
        result = result_record(scene, row)
        facts["seed"], facts["lots"] = result.seed, list(result.lots)
        facts["sheets"] = [_sheet(sheet) for sheet in result.sheets if sheet.commitment]
    return facts


def _sheet(sheet: Executed) -> dict[str, Any]:
    return {
        "power": sheet.power, "version": sheet.version, "commitment": sheet.commitment, "salt": sheet.salt,
        "text": "" if sheet.transcribed else sheet.text, "files": list(sheet.files),
    }  # fmt: skip


@query
def verify(act: Act, game: str) -> list[Proof]:
    """Repeat every check of a game: the deal, each sheet that counted, each lot."""
    scene = act.game(game)
    return list(checks(scene))


def checks(scene: Scene) -> Iterator[Proof]:
    """The same for a game that was asked for."""
    yield from _deal(scene)
    known = _noted(scene)
    for row in queries.turn_lines(scene.tx, scene.row.id):
        if row.state in PUBLISHED:
            turn = scene.tx.get(TurnRow, row.id)
            result = result_record(scene, turn)
            yield from _seed(result)
            yield from (_executed(turn, sheet, known) for sheet in result.sheets if sheet.commitment and sheet.salt)


def _noted(scene: Scene) -> dict[str, int]:
    """When each commitment was published, by the journal."""
    rows = scene.tx.all(JournalRow, game=scene.row.id, kind=["submitted", "committed"])
    return {unpack(row.facts)["commitment"]: row.at for row in rows}


def _executed(turn: TurnRow, sheet: Executed, known: dict[str, int]) -> Proof:
    text = "" if sheet.transcribed else sheet.text
    fresh = seals.commitment(sheet.salt, sheet.power, turn.name, text, sheet.files)
    in_time = sheet.commitment in known and known[sheet.commitment] <= (turn.closed or 0)
    holds = fresh == sheet.commitment and in_time
    detail = (
        "the sheet is the one that was sealed before the deadline" if holds else "the sheet does not fit its commitment"
    )
    if fresh == sheet.commitment and not in_time:
        detail = "the commitment was not published before the seals were opened"
    return Proof(
        turn=turn.name,
        what=f"orders of {sheet.power}, version {sheet.version}",
        commitment=sheet.commitment,
        holds=holds,
        detail=detail,
    )


def _seed(result: TurnResult) -> Iterator[Proof]:
    holds = seed_commitment(result.seed) == result.seed_commitment
    detail = "the seed is the one that was committed to when the turn opened" if holds else "the seed is another one"
    yield Proof(
        turn=result.name, what="seed of the lots", commitment=result.seed_commitment, holds=holds, detail=detail
    )
    for lot in result.lots:
        fell = draw(result.seed, lot["label"], lot["items"]) == lot["order"]
        detail = ", ".join(lot["order"]) if fell else "the lot falls otherwise"
        yield Proof(
            turn=result.name, what=f"lot: {lot['label']}", commitment=result.seed_commitment, holds=fell, detail=detail
        )


def _deal(scene: Scene) -> Iterator[Proof]:
    row = scene.tx.find(JournalRow, game=scene.row.id, kind="seats dealt")
    if row is None:
        return
    facts = unpack(row.facts)
    holds = seed_commitment(facts["seed"]) == scene.row.deal_commitment
    again = deal(facts["seed"], scene.row.name, facts["sign_ups"], facts["free"])
    fits = holds and again == facts["dealt"]
    detail = (
        ", ".join(f"{sign}: {power}" for sign, power in facts["dealt"].items()) if fits else "the deal falls otherwise"
    )
    yield Proof(turn="", what="deal of the powers", commitment=scene.row.deal_commitment, holds=fits, detail=detail)
