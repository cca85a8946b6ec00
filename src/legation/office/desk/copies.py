"""Photographs of posted letters, taken after the envelope is opened, for all players."""

from __future__ import annotations

import hashlib

import msgspec

from legation.notation import capital
from legation.office.context import CommandContext, command
from legation.office.errors import ConflictError, LimitExceededError
from legation.office.game.chosen_sheets import chosen_sheets
from legation.office.game.turns import find_turn
from legation.office.keys import seals
from legation.office.orders.filing import refuse_pictures
from legation.office.store.packing import pack
from legation.office.store.rows import FileRow, TurnRow


@command("coordinate", "POST /games/{game}/turns/{turn}/sheets/{power}/copies", coordinator="alive")
def add_copies(
    act: CommandContext, game: str, turn: str, power: str, pictures: list[tuple[str, bytes, str]]
) -> tuple[str, ...]:
    """Add photographs of an opened letter to the orders that count of a power: (name, content, media type) of each, as
    channels have cleaned them. All who play get them with the copies of the executed orders (W-21a). The answer is the
    digests of all that are there.

    :raises ConflictError: before the seals are open, after the results are final, and for orders that did not come
        by post.
    """
    scene = act.authorize_game(game, power)
    refuse_pictures(act, scene, pictures)
    row = act.tx.get(TurnRow, find_turn(scene, turn).id, lock=True)
    if row.state not in ("opened", "judged", "draft"):
        raise ConflictError(
            f"{row.name} is {row.state}: letters are photographed between the deadline and the final results."
        )
    choice = chosen_sheets(row)[scene.held.power]
    if choice.channel != "post":
        raise ConflictError(f"{capital(scene.named(scene.held.power).whose)} orders that count didn't come by post.")
    copies = choice.copies
    for name, content, media_type in pictures:
        digest = hashlib.sha256(content).hexdigest()
        if digest in (*choice.files, *copies):
            continue
        stored = act.keep_file(seals.lock_padded(act.office.master_key, content))
        act.tx.add(
            FileRow(
                submission=choice.submission,
                stored=stored,
                digest=digest,
                name=name[:120],
                media_type=media_type,
                size=len(content),
            )
        )
        copies = (*copies, digest)
    if len(copies) > act.office.settings.most_files:
        raise LimitExceededError(f"A letter has at most {act.office.settings.most_files} photographs.")
    sheets = {**chosen_sheets(row), scene.held.power: msgspec.structs.replace(choice, copies=copies)}
    row = act.tx.change(row, sheets=pack(msgspec.to_builtins(sheets)))
    scene.append_journal("photographed", turn=row, seat=scene.held)
    return copies
