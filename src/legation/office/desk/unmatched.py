"""Mail that fits no seat: it is listed on the desk, and passed on, unread, to the holder whose it may be."""

from __future__ import annotations

from legation.notation import capital
from legation.office.clock import moment
from legation.office.context import CommandContext, by_clock, command, read_settings
from legation.office.desk.mailroom import UNMATCHED, Arrival, give_to
from legation.office.desk.tasks import item_record
from legation.office.errors import ConflictError, NotFoundError
from legation.office.identity.people import ADDRESS
from legation.office.office import Office
from legation.office.records import DeskItem
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import ArrivalRow, DeskRow, GameRow


def file_mail(office: Office, arrival: Arrival, sender: str, game: str = "", power: str = "", why: str = "") -> int:
    """Put a mail on the desk that fits no seat: only who sent it and when is told. The answer is the item's number.
    ``game`` and ``power``: what it names. A mail that seems to be a player's is on the office's own desk where nobody
    is shown who has sent orders."""
    with by_clock(office) as act:
        row = act.tx.find(GameRow, key=game) if game else None
        if row is not None and power and read_settings(row).shows_senders == "nobody":
            row, power = None, ""
        received = arrival.at.isoformat()
        item = act.add_task(
            "unmatched mail",
            row,
            arrival=arrival.id,
            sender=sender[:254],
            received=received,
            likely=power,
            why=why[:300],
        )
        return office.numbers.shown("desk item", item.id)


@command("coordinate", "POST /desk/{item}/assign", coordinator="alive", administrator="alive")
def assign(act: CommandContext, item: int, game: str, power: str, arrival: int = 0) -> DeskItem:
    """Assign an unmatched mail to a seat. It stays locked, and on the desk, until the holder of that seat confirms it
    by a link; then its orders count for that seat, as of when it came, if the seals are not open yet. Its sender is
    told.

    ``arrival``: the number of the mail, where an item lists several.

    :raises NotFoundError: for a coordinator, where it does not name the own game."""
    scene = act.authorize_game(game, power)
    row = act.tx.find(DeskRow, id=act.office.numbers.row("desk item", item), kind=list(UNMATCHED), done=None, lock=True)
    if row is None or not (scene.roles & {"administrator", "console"} or row.game == scene.row.id):
        raise NotFoundError("This item isn't on the desk.")
    facts = unpack(row.facts)
    wanted = act.office.numbers.row("mail", arrival)
    listed = [entry for entry in facts.get("entries", ()) if entry.get("arrival") == wanted]
    mail = listed[0] if listed else facts
    waiting = act.tx.find(ArrivalRow, id=mail.get("arrival", 0), lock=True)
    if waiting is None or waiting.state not in ("unmatched", "waits"):
        raise ConflictError("This mail can no longer be passed on. Ask its sender to send it again.")
    if scene.held.person is None:
        empty = scene.named(scene.held.power)
        raise ConflictError(capital(f"{empty} {empty:has|have} no player who could confirm it."))
    give_to(act, waiting, scene.held, mail["sender"])
    if ADDRESS.fullmatch(mail["sender"]) and "assigned" not in mail:
        act.mail("mail passed on", None, address=mail["sender"], at=moment(waiting.at).isoformat())
    scene.append_journal("mail assigned", seat=scene.held, seen_by="coordinator")
    mail["assigned"] = f"{scene.held.power} in {scene.row.name}"
    return item_record(act, act.tx.change(row, facts=pack(facts)))
