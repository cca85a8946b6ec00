"""The desk: the coordinator's open tasks, and closing them. Before the deadline none says more than that something
came."""

from collections.abc import Sequence

import msgspec

from legation.office.context import CommandContext, GameContext, by_clock, command, given_note, query
from legation.office.desk.mailings import TELLS_SENDERS
from legation.office.desk.mailroom import UNMATCHED
from legation.office.desk.tasks import choice_of, found, is_deputy, item_record, may_displace
from legation.office.desk_readers import coordinators_items, deputys_items, mailed_items, offices_items
from legation.office.errors import ConflictError, NotAllowedError
from legation.office.game.judging import READINGS
from legation.office.office import Office
from legation.office.orders.contents import copies_of
from legation.office.records import DeskItem
from legation.office.store.packing import unpack
from legation.office.store.rows import ArrivalRow, DeskRow, MailingRow, PersonRow, SubmissionRow, TurnRow, WorkRow
from legation.office.store.transaction import Not

CLOSABLE = frozenset(
    "failed,failed mails,relay,unread mails,unmatched mails,unmatched mail,replace,wait,rules changed,"
    "objection,voted,letters,postbag".split(",")
)


@query("coordinate", "GET /desk", person="any", coordinator="any", deputy="any")
def items(act: CommandContext, game: str = "") -> list[DeskItem]:
    """Return the open items, most urgent first: of one game, or of all that the person coordinates (the console: of the
    whole office)."""
    if game:
        scene = GameContext.authorized(act, game)
        if not scene.roles & {"coordinator", "deputy", "console", "administrator"}:
            raise NotAllowedError("Only the coordinator or host can see the desk.")
        rows = act.tx.all(DeskRow, game=scene.row.id, done=None)
        if is_deputy(scene):
            rows = [row for row in rows if row.kind == "confirm"]
    else:
        person = act.allow()
        if act.roles() & {"console", "administrator"}:
            rows = offices_items(act.tx, person)
        else:
            rows = coordinators_items(act.tx, person) + deputys_items(act.tx, person)
    return _in_order(act, rows)


def _in_order(act: CommandContext, rows: Sequence[DeskRow]) -> list[DeskItem]:
    waiting = [item_record(act, row) for row in sorted(rows, key=lambda row: row.id)]
    return sorted(waiting, key=lambda item: (item.due is None, item.due or item.opened))


def mailed(office: Office, person: int, mail: str) -> list[DeskItem]:
    """Return the items that a kind of mail tells a person of now, most urgent first."""
    with by_clock(office, write=False) as act:
        return _in_order(act, mailed_items(act.tx, act.tx.get(PersonRow, person), mail))


@query("coordinate", "GET /desk/{id}", coordinator="any", deputy="any", administrator="any")
def item(act: CommandContext, id: int) -> DeskItem:
    """Return an item of the desk, with everything needed to close it."""
    row, _ = found(act, id, done=True)
    shown = item_record(act, row, whole=True)
    if row.kind not in ("choose", *READINGS):
        return shown
    among = unpack(row.facts)["submissions"]
    versions = act.tx.all(SubmissionRow, id=among, withdrawn=None)
    copies = {str(v.version): copies_of(act, v) for v in versions}
    pictures = {name: [*shown.facts.get("pictures", {}).get(name, ()), *own] for name, own in copies.items()}
    facts = {
        **shown.facts,
        "pictures": {**shown.facts.get("pictures", {}), **pictures},
        "choice": [act.office.numbers.shown("submission", v.id) for v in versions if may_displace(act, v, among)],
    }
    if row.kind in READINGS and (choice := choice_of(act, row)) is not None:
        facts["files"] = [*facts["files"], *choice.copies]
    return msgspec.structs.replace(shown, facts=facts)


@command("coordinate", "POST /desk/{item}/settle", coordinator="any", administrator="any")
def settle(act: CommandContext, item: int, note: str = "", retry: bool = False) -> DeskItem:
    """Close an item of the desk; with ``retry``, retry its failed work or mails; without, its mails are given up."""
    row, scene = found(act, item)
    if row.kind not in CLOSABLE and not _is_over(act, row, scene):
        raise ConflictError("This item can't be dismissed. Do what it asks for.")
    facts = unpack(row.facts)
    again = {"state": "waiting", "due": act.at, "attempts": 0, "error": ""}
    if retry and row.kind == "failed" and "work" in facts:
        act.tx.change_where(WorkRow, again, id=facts["work"], state=["failed", "waiting"])
    if row.kind == "failed mails":  # those listed are of other games where the item may not tell whose
        ended = again if retry else {"state": "needless", "done": act.at, "facts": b""}
        listed = [entry.get("mailing", 0) for entry in facts.get("entries", ())]
        hidden = TELLS_SENDERS if scene is not None and scene.settings.shows_senders == "nobody" else ()
        for which in ({"game": row.game, "kind": Not(hidden)}, {"id": listed}):
            act.tx.change_where(MailingRow, {**ended, "lease": ""}, **which, state="failed")
        act.tx.notifications.add("mail")
    if row.kind == "unread mails":
        act.tx.change_where(
            ArrivalRow, {"state": "again"} if retry else {"state": "ignored", "stored": ""}, state="aside"
        )
        act.tx.notifications.add("mail")
    if row.kind in UNMATCHED:  # their locked copies go with the next sweep
        put_away = [facts.get("arrival", 0), *(entry.get("arrival", 0) for entry in facts.get("entries", ()))]
        done = {"state": "ignored", "stored": "", "secret": ""}
        act.tx.change_where(ArrivalRow, done, id=put_away, state=["unmatched", "waits"])
    row = act.tx.change(row, done=act.at, person=act.actor.person, note=given_note(note))
    if scene is not None:
        scene.append_journal("desk settled", seen_by="coordinator", what=row.kind, note=row.note)
    return item_record(act, row)


ASKED_IN = {"publish": ("judged",), "final": ("draft",)}
"""The states of a turn in which something can be done that lies on the desk; of all else: before it is judged."""


def _is_over(act: CommandContext, row: DeskRow, scene: GameContext | None) -> bool:
    if scene is None or row.turn is None or scene.row.state in ("ended", "cancelled"):
        return True
    turn = act.tx.get(TurnRow, row.turn)
    return turn.state not in ASKED_IN.get(row.kind, ("opened",))


@command("coordinate", "POST /desk/retry", administrator="any", console="any")
def retry_all(act: CommandContext) -> int:
    """Retry everything that failed, in the whole office: work, mails that did not arrive, mails that could not be
    read. The answer is how much that is."""
    again = {"state": "waiting", "due": act.at, "attempts": 0, "error": ""}
    count = act.tx.change_where(WorkRow, again, state="failed")
    count += act.tx.change_where(MailingRow, {**again, "lease": ""}, state="failed")
    count += act.tx.change_where(ArrivalRow, {"state": "again"}, state="aside")
    act.close_tasks("tried again", person=act.actor.person, kind=["failed", "failed mails", "unread mails"])
    act.tx.notifications |= {"work", "mail"}
    return count
