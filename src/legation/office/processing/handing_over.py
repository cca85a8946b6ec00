"""A game leaves for another office: between seasons, by the last line of its chain here.

The keeper is told with the office, irrevocably; it serves this office in that game no more.
"""

from __future__ import annotations

from legation.office.act import GameContext
from legation.office.store import unpack
from legation.office.store.rows import JournalRow
from legation.office.turn import chain
from legation.office.turn.ahead import schedule_skipped
from legation.position import Phase, Position
from legation.proofs import kinds
from legation.proofs.cards import OfficeCard, read_card

ASKED, TAKEN_BACK = "game leaves", "game stays"


def next_office(scene: GameContext) -> OfficeCard | None:
    """Return the office to which a game moves when its season is over, if any."""
    asked = scene.tx.all(JournalRow, game=scene.row.id, kind=[ASKED, TAKEN_BACK], order="-id", limit=1)
    return read_card(unpack(asked[0].facts)["card"]) if asked and asked[0].kind == ASKED else None


def can_leave(after: Position) -> bool:
    """Return whether a game can leave before this position is played: where a season begins, nothing that was sealed
    waits."""
    return after.turn.phase in (Phase.MOVEMENT, Phase.PLACEMENT)


def hand_over(scene: GameContext, card: OfficeCard) -> None:
    """Write the line after which this office takes nothing more of a game, and have the keeper refuse it."""
    act, office = scene.act, scene.act.office
    chain.tell_new_keys(scene)
    chain.tell(scene, f"The game goes on at {card.address}")
    signature = office.keeper.follow(scene.row.ref, scene.row.lines + 1, card.keeper.key, card.office)
    line = chain.write(
        scene, "transferred", kinds.TransferredLine(key=card.office, keeper=card.keeper, signature=signature)
    )
    scene.row = act.tx.change(scene.row, state="moved")
    chain.keep_left(scene, card.address or card.office)
    schedule_skipped(scene, line)
    scene.append_journal("game left", turn=scene.turn(), role="clock", address=card.address, office=card.office)
    scene.mail("game left", address_of=card.address)
