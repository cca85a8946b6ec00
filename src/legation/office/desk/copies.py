"""Photographs of posted letters, taken after the envelope is opened, for all players."""

from __future__ import annotations

import hashlib

import msgspec

from legation.notation import capital
from legation.office.context import CommandContext, GameContext, command
from legation.office.errors import ConflictError, LimitExceededError
from legation.office.game.judging import chosen_sheets
from legation.office.game.turns import find_turn
from legation.office.keys import seals
from legation.office.orders.contents import copies_of
from legation.office.orders.filing import refuse_pictures
from legation.office.store.packing import pack
from legation.office.store.rows import FileRow, SubmissionRow, TurnRow


@command("coordinate", "POST /games/{game}/turns/{turn}/sheets/{power}/copies", coordinator="alive")
def add_copies(
    act: CommandContext, game: str, turn: str, power: str, pictures: list[tuple[str, bytes, str]]
) -> tuple[str, ...]:
    """Add photographs of an opened letter to the orders that count of a power: (name, content, media type) of each, as
    channels have cleaned them. All who play get them with the copies of the executed orders (W-21a). The answer is the
    digests of all that are there.

    :raises ConflictError: before the seals are open, after the results are final, and for orders that did not come
        by post."""
    scene = act.authorize_game(game, power)
    refuse_pictures(scene, pictures)
    row = act.tx.get(TurnRow, find_turn(scene, turn).id, lock=True)
    if row.state not in ("opened", "judged", "draft"):
        raise ConflictError(
            f"{row.name} is {row.state}: letters are photographed between the deadline and the final results."
        )
    choice = chosen_sheets(row)[scene.held.power]
    if choice.channel != "post":
        raise ConflictError(f"{capital(scene.named(scene.held.power).whose)} orders that count didn't come by post.")
    letter = act.tx.get(SubmissionRow, choice.submission)
    for name, content, media_type in pictures:
        row = keep_copy(scene, row, letter, name, content, media_type)
    scene.append_journal("photographed", turn=row, seat=scene.held)
    return chosen_sheets(row)[scene.held.power].copies


def keep_copy(
    scene: GameContext, turn: TurnRow, letter: SubmissionRow, name: str, content: bytes, media_type: str
) -> TurnRow:
    """Keep a photograph of an opened letter, once; LimitExceededError where a letter has too many."""
    act, digest, known = scene.act, hashlib.sha256(content).hexdigest(), copies_of(scene.act, letter)
    power, choice = next(((p, c) for p, c in chosen_sheets(turn).items() if c.submission == letter.id), ("", None))
    if digest in (*known, *(choice.files if choice is not None else ())):
        return turn
    if len(known) >= act.office.settings.most_files:
        raise LimitExceededError(f"A letter has at most {act.office.settings.most_files} photographs.")
    stored = act.keep_file(seals.lock_padded(act.office.master_key, content))
    act.tx.add(
        FileRow(
            submission=letter.id,
            stored=stored,
            digest=digest,
            name=name[:120],
            media_type=media_type,
            size=len(content),
        )
    )
    if choice is None:
        return turn
    sheets = {**chosen_sheets(turn), power: msgspec.structs.replace(choice, copies=(*choice.copies, digest))}
    return act.tx.change(turn, sheets=pack(msgspec.to_builtins(sheets)))
