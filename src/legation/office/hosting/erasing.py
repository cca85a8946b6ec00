"""Erasing a person. What is theirs alone goes at once, what they sent when its turn is final. What was played stays,
and its proofs hold: orders that were carried out, commitments, and letters in others' hands."""

import email
import email.utils
from typing import Any

import msgspec

from legation.office.context import CommandContext, GameContext, command
from legation.office.desk.mailroom import UNMATCHED
from legation.office.desk.tasks import close_about
from legation.office.errors import ConflictError
from legation.office.game import chain
from legation.office.game.seat_holders import leave, start_if_full
from legation.office.hosting import catalog, imports, moderation
from legation.office.hosting.games import end_deputy
from legation.office.hosting.tournaments import forget_entrant
from legation.office.keys import seals
from legation.office.store import queries, rows
from legation.office.store.packing import pack, unpack, unpack_facts
from legation.proofs import kinds
from legation.proofs.canonical import decode, encode
from legation.proofs.records import Opening

GONE = "erased"  # the name that remains


@command("me", "DELETE /me", guest="any", person="any")
def erase(act: CommandContext) -> None:
    """Erase who asks, as this module says. Seats that are held, and games that are run, must be given up before."""
    alive = ["running", "paused"]
    seats = act.tx.all(rows.SeatRow, person=act.person)
    held = act.tx.all(rows.GameRow, id=[s.game for s in seats], state=alive)
    if held:
        raise ConflictError("Resign from your running games first: " + ", ".join(game.name for game in held))
    own = act.tx.all(rows.GameRow, coordinator=act.person, state=["gathering", *alive])
    if run := [game.name for game in own if unpack(game.settings).get("coordinated")]:
        raise ConflictError("Nobody else can run these games, so cancel them first: " + ", ".join(run))
    if events := act.tx.all(rows.TournamentRow, coordinator=act.person, state=["gathering", "running"]):
        names = ", ".join(event.name for event in events)
        raise ConflictError(f"Nobody else can run these tournaments, so end or cancel them first: {names}")
    for game in act.tx.all(rows.GameRow, deputy=act.person):
        end_deputy(GameContext(act, game))
    for game in act.tx.all(rows.GameRow, id=[s.game for s in seats], state="gathering"):
        scene = GameContext(act, game)
        for power in scene.own:
            leave(scene, scene.seats[power], "open", "left before the game began")
        scene.append_journal("sign-up withdrawn", role="person")
    wanted = [row.game for row in act.tx.all(rows.SignUpRow, person=act.person, withdrawn=None)]
    erase_person(act, act.tx.get(rows.PersonRow, act.person))
    for game in act.tx.all(rows.GameRow, id=wanted, state="gathering"):
        start_if_full(GameContext(act, game))
    act.append_journal("erased", seen_by="office")


def forget_moderation(act: CommandContext, person: int) -> None:
    """Take somebody's blocks, notes and reports that wait away, and the name from those that were decided."""
    tx = act.tx
    for row in tx.all(rows.ReportRow, reporter=person, decided=None):
        close_about(act, moderation.TASK, "erased", report=act.office.numbers.shown("report", row.id))
        tx.remove(rows.ReportRow, id=row.id)
    tx.remove(rows.BlockRow, person=person)
    tx.remove(rows.BlockRow, blocked=person)
    tx.remove(rows.PersonNoteRow, person=person)
    for column in ("reporter", "person"):
        tx.change_where(rows.ReportRow, {column: None}, **{column: person})


def erase_person(act: CommandContext, person: rows.PersonRow) -> None:
    """Erase all data of a person without a seat."""
    tx, address = act.tx, person.email or ""
    own = [row.key for row in tx.all(rows.RecordNameRow, person=person.id) if row.confirmed is not None]
    tx.change_where(rows.RecordPlayerRow, {"name": GONE, "key": ""}, key=own)
    catalog.forget_proposer(act, person.id)
    forget_entrant(act, person.id)
    for kind in (
        rows.CredentialRow,
        rows.BrowserRow,
        rows.BridgeRow,
        rows.AddressRow,
        rows.AbsenceRow,
        rows.RatingRow,
        rows.RecordNameRow,
        rows.TraceRow,
    ):
        tx.remove(kind, person=person.id)
    for task in tx.all(rows.DeskRow, kind=imports.TASK):  # each has a name that they said is theirs
        if unpack_facts(task.facts).get("person") == act.office.numbers.shown("person", person.id):
            tx.change(task, done=task.done or act.at, note="erased", facts=pack({}))
    forget_moderation(act, person.id)
    tx.remove(rows.AnswerRow, actor=f"person {person.id}")
    tx.change_where(rows.SignUpRow, {"withdrawn": act.at}, person=person.id, withdrawn=None)
    tx.change_where(rows.RatedPlayerRow, {"shown": False}, person=person.id)  # what others' ratings rest on stays
    nothing = {"address": "", "facts": b"", "error": "", "state": "erased"}
    tx.change_where(rows.MailingRow, nothing, person=person.id)
    if address:
        tx.change_where(rows.MailingRow, nothing, person=None, address=address)
        tx.change_where(rows.InvitationRow, {"email": "", "expires": act.at}, email=address)
        _forget_mails(act, person.id, address)
    tx.change(person, name=GONE, email=None, confirmed=False, administrator=False, preferences=b"")
    forget_sheets(act)


def forget_sheets(act: CommandContext) -> None:
    """Take away what erased people sent, as they wrote it, wherever nothing comes of it any more."""
    games: dict[int, list[int]] = {}
    for submission in queries.sheets_of_erased(act.tx):
        act.tx.change_where(rows.SubmissionRow, {"sealed": b"", "own": b""}, id=submission)
        act.tx.remove(rows.FileRow, submission=submission)  # the files themselves are swept
        turn = act.tx.get(rows.TurnRow, act.tx.get(rows.SubmissionRow, submission).turn)
        games.setdefault(turn.game, []).append(submission)
    for game, submissions in games.items():
        _forget_in_chain(GameContext(act, act.tx.get(rows.GameRow, game)), submissions)


def _forget_in_chain(scene: GameContext, submissions: list[int]) -> None:
    """Take the salts of notes and pictures away, by a line of the chain; orders stay, and their proof holds."""
    tx, master_key = scene.tx, scene.office.master_key
    erased = []
    for record in tx.all(rows.RecordRow, submission=submissions):
        if record.opening:
            opening = msgspec.convert(decode(seals.unlock_padded(master_key, record.opening)), Opening)
            left = encode(opening.without(("files", "note")).document())
            tx.change(record, opening=seals.lock_padded(master_key, left))
            erased.append(kinds.ErasedRecord(commitment=record.commitment, fields=["files", "note"]))
    if erased:
        line = kinds.ErasedLine(persons=[], records=erased)
        if chain.hides(scene):
            chain.write_private_line(scene, [("erased", line, None)])
        else:
            chain.write(scene, "erased", line)


def _forget_mails(act: CommandContext, person: int, address: str) -> None:
    for row in act.tx.all(rows.ArrivalRow, state=["waits", "released", "unmatched"]):
        if row.person == person or (row.stored and _sender(act, row) == address):
            act.tx.change(row, state="ignored", person=None, stored="", secret="")
    for item in act.tx.all(rows.DeskRow, kind=list(UNMATCHED), lock=True):
        facts = unpack(item.facts)
        left = [mail for mail in facts.get("entries", ()) if not _is_from(mail, address)]
        if gone := len(facts.get("entries", ())) - len(left):
            facts |= {"entries": left, "count": facts["count"] - gone}
        elif _is_from(facts, address):
            facts = {"received": facts["received"], "why": "Who sent it was erased."}
        else:
            continue
        done = None if facts.get("count") else act.at
        act.tx.change(item, done=item.done or done, facts=pack(facts))


def _is_from(mail: dict[str, Any], address: str) -> bool:
    return str(mail.get("sender", "")).encode().lower().decode() == address


def _sender(act: CommandContext, row: rows.ArrivalRow) -> str:
    message = email.message_from_bytes(seals.unlock_padded(act.office.master_key, act.office.files.get(row.stored)))
    return email.utils.parseaddr(str(message.get("From", "")))[1].casefold()
