"""A game goes on in another office, and offices and keepers get new keys: what the journals say of it. A game leaves
where a season begins, when nothing sealed waits; where that can't be waited for, it is copied (``transfer``)."""

import msgspec

from legation.office.context import CommandContext, GameContext, command, query
from legation.office.errors import ConflictError, InvalidInputError
from legation.office.game import chain
from legation.office.game.publishing import ASKED, TAKEN_BACK, can_leave, hand_over, make_final, next_office
from legation.office.game.turns import position_from
from legation.office.hosting.game_records import game_record
from legation.office.keys.keeper import write_private
from legation.office.office import SIGNING, Office
from legation.office.records import PUBLISHED, Document, GameRecord
from legation.office.store.packing import unpack
from legation.office.store.rows import GameRow
from legation.proofs.kinds import KeeperKey
from legation.proofs.receipts import CardError, OfficeCard, read_card, signed_by


@query("read", "GET /office", visitor="any")
def card(act: CommandContext) -> Document:
    """Return what another office needs to know of this one to hand a game over: its key, its keeper's and its address,
    signed by itself."""
    office = act.office
    keeper = KeeperKey(key=office.keeper.identity(), elsewhere=office.keeper.remote)
    made = signed_by(office.signing, OfficeCard(keeper=keeper, address=office.settings.address))
    document: Document = msgspec.to_builtins(made)
    return document


@command("coordinate", "PUT /games/{game}/next-office", coordinator="alive", lock=True)
def leave(scene: GameContext, card: str) -> GameRecord:
    """Move a game to the office with this card, from the next season on; at once if none is being played. All
    players are told.

    :raises InvalidInputError: for what isn't a card, or this office's own."""
    try:
        other = read_card(card)
    except CardError as error:
        raise InvalidInputError(str(error), faults=["card: cannot be read"]) from None
    if other.office == scene.office.public_key:
        raise InvalidInputError("The game is in that office.", faults=["card: this office's own"])
    scene.append_journal(ASKED, address=other.address, office=other.office, card=card.strip())
    chain.tell(scene, f"The game leaves for {other.address} when its season is over")
    scene.mail("game leaves", address_of=other.address)
    turn = scene.turn(lock=True)
    if turn.state in PUBLISHED and can_leave(position_from(scene.rules, unpack(turn.result)["after"])):
        make_final(scene)
        hand_over(scene, other)
    return game_record(scene)


@command("coordinate", "DELETE /games/{game}/next-office", coordinator="alive", lock=True)
def stay(scene: GameContext) -> GameRecord:
    """Cancel the move of a game that hasn't left yet."""
    if next_office(scene) is None:
        raise ConflictError(f"{scene.row.name} wasn't going to move.")
    scene.append_journal(TAKEN_BACK)
    chain.tell(scene, "The game stays in this office")
    scene.mail("game stays")
    return game_record(scene)


# No route: for the console.
@command("coordinate", console="any")
def renew(act: CommandContext) -> int:
    """Write into the journals of all games that the office signs with another key now, or is witnessed by another
    keeper; the answer is how many had to be told. A key that is gone is said to be gone."""
    told = 0
    for row in act.tx.all(GameRow):
        scene = GameContext(act, row)
        if row.state != "moved":
            before = scene.row.lines
            chain.tell_new_keys(scene)
            told += scene.row.lines > before
    return told


def new_signing_key(office: Office) -> None:
    """Make a new key for the office to sign with. The old one stays beside it: with it each journal is told of the new
    one (:func:`renew`). Raises ConflictError where several machines share a key that is not in the folder."""
    path = office.keys / SIGNING
    if not path.exists() or office.settings.cabinet_key:
        raise ConflictError("This office signs with the key that its machines share, 'cabinet_key'.")
    old = path.read_bytes()
    write_private(path.with_name(f"{SIGNING}.before.{office.clock.now():%Y%m%d%H%M%S}"), old, new=True)
    write_private(path, office.random_source.bytes(32))
    office.signing = path.read_bytes()
