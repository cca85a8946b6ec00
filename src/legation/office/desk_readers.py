"""Whose each item on the desk is, and which of them are mailed at once: for the desk, and for the mails about it."""

from legation.office.store.packing import unpack_facts
from legation.office.store.rows import DeskRow, GameRow, PersonRow, SeatRow
from legation.office.store.transaction import Transaction

COORDINATORS, DEPUTYS = "desk", "second reading"
MAILS = (COORDINATORS, DEPUTYS)
"""Kinds of mail that tell what waits on the desk: the coordinator's (of an item that no coordinator has, the
administrators'), and the deputy's."""
URGENT = frozenset(
    ["start", "choose", "transcribe", "unposted", "publish", "final", "wait", "voted", "rules changed", "failed"]
)
"""Kinds of items that hold a game up, or are soon too late. They come a few times a season, those of a turn all at the
same moment; others come one by one, and are gathered."""


def is_coordinated(game: GameRow) -> bool:
    """Whether a game has a coordinator, whose desk it is on."""
    return game.coordinator is not None and bool(unpack_facts(game.settings).get("coordinated"))


def readers(tx: Transaction, kind: str, game: GameRow | None) -> list[tuple[str, PersonRow]]:
    """The people whom an item is for, each with the kind of mail that tells of it."""
    if game is not None and kind == "confirm":
        return [(DEPUTYS, tx.get(PersonRow, game.deputy))] if game.deputy is not None else []
    if game is not None and is_coordinated(game):
        return [(COORDINATORS, tx.get(PersonRow, game.coordinator))]
    playing = {seat.person for seat in tx.all(SeatRow, game=game.id)} if game is not None else set()
    chiefs = tx.all(PersonRow, administrator=True)
    return [(COORDINATORS, chief) for chief in chiefs if chief.id not in playing]


def coordinators_items(tx: Transaction, person: int | None) -> list[DeskRow]:
    """The open items of the games that a person coordinates."""
    mine = [game.id for game in tx.all(GameRow, coordinator=person) if is_coordinated(game)] if person else []
    return tx.all(DeskRow, game=mine, done=None)


def deputys_items(tx: Transaction, person: int | None) -> list[DeskRow]:
    """The open items that a person has to read as a deputy."""
    lent = [game.id for game in tx.all(GameRow, deputy=person)] if person else []
    return tx.all(DeskRow, game=lent, kind="confirm", done=None)


def offices_items(tx: Transaction, person: int | None) -> list[DeskRow]:
    """The open items of the whole office, for an administrator: without the games that they play in."""
    played = {seat.game for seat in tx.all(SeatRow, person=person)} if person else set()
    return [row for row in tx.all(DeskRow, done=None) if row.game not in played]


def mailed_items(tx: Transaction, person: PersonRow, mail: str) -> list[DeskRow]:
    """The open items that a kind of mail tells a person of."""
    if mail == DEPUTYS:
        return deputys_items(tx, person.id)
    rows = {row.id: row for row in coordinators_items(tx, person.id) if row.kind != "confirm"}
    if person.administrator:
        known: dict[int | None, bool] = {None: False}
        for row in offices_items(tx, person.id):
            if row.game not in known:
                known[row.game] = is_coordinated(tx.get(GameRow, row.game))
            if not known[row.game]:
                rows[row.id] = row
    return list(rows.values())
