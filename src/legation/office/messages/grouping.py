"""Items on the desk that stand for many of a kind: so that a relay that is away, or a flood of mails, is one thing to
look at and not a thousand."""

from __future__ import annotations

from typing import Any

from legation.office.act import CommandContext
from legation.office.store import pack, unpack
from legation.office.store.rows import DeskRow, GameRow

MOST_LISTED = 50  # entries that an item tells apart; the others are only counted


def add_to_group(
    act: CommandContext, kind: str, game: GameRow | None = None, *, entry: dict[str, Any], **facts: Any
) -> DeskRow:
    """Put something on the desk beside others of its kind that wait there: one item tells how many they are, the last
    of them, and lists ``entry`` of each of the first ones. ``facts`` are those of the newest."""
    rows = act.tx.all(DeskRow, game=game.id if game else None, done=None, lock=True)
    row = next((row for row in rows if row.kind == kind), None)
    now = act.now.isoformat()
    if row is None:
        return act.add_task(kind, game, count=1, since=now, last=now, entries=[{"at": now, **entry}], **facts)
    known = unpack(row.facts)
    entries = [*known.get("entries", []), {"at": now, **entry}][:MOST_LISTED]
    known |= {"count": int(known.get("count", 0)) + 1, "last": now, "entries": entries, **facts}
    return act.tx.change(row, facts=pack(known))


def close_group(act: CommandContext, kind: str, game: GameRow | None = None, note: str = "") -> bool:
    """Put the item of a kind away, as what it told of is over; False where there is none."""
    rows = [row for row in act.tx.all(DeskRow, game=game.id if game else None, done=None) if row.kind == kind]
    for row in rows:
        act.tx.change(row, done=act.at, note=note)
    return bool(rows)
