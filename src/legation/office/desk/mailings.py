"""The outbox: one row for each message to one person, written in the transaction that gives the reason for it.

The service that sends claims rows for a while, sends, and says so. The Message-ID is fixed with the row, so that a
second attempt after a crash can't show twice. What a mail about the desk says is asked of the desk as it is sent."""

import contextlib
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, TypeVar

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer

from legation.formats import decode_json
from legation.office.clock import micros
from legation.office.context import DAY, NO_MORE, Actor, CommandContext, GameContext, by_clock, game_settings, query
from legation.office.desk.tasks import add_to_group
from legation.office.desk_readers import MAILS, mailed_items, readers
from legation.office.errors import DamagedError, KeyNotReleasedError, NotFoundError, UnavailableError
from legation.office.game.readiness import lacks_envelope
from legation.office.game.turns import awaited_seats, phase_of
from legation.office.identity import people
from legation.office.keys import seals
from legation.office.monitoring.logs import told_of
from legation.office.office import Office
from legation.office.preferences import QUIET, read_preferences
from legation.office.records import Mailing, MailingState, record_of
from legation.office.store import queries
from legation.office.store.rows import (
    DeskRow,
    GameRow,
    MailingRow,
    PersonRow,
    ReadinessRow,
    SeatRow,
    SubmissionRow,
    TurnRow,
    WorkRow,
)
from legation.office.store.transaction import Before, Since, Transaction

LEASE_SECONDS = 600
PAUSES = (60, 300, 1800, 7200, *[21600] * 19)  # seconds after the first, second, ... failure; five days in all
REMINDERS = frozenset(["reminder", "orders missing"])  # kinds that are true only as long as the orders are awaited

UNHURRIED = ("draft results", "results", "game ended")
"""Kinds of mails that go out many at once, and what follows them. They leave after those that somebody waits for, and
give way to turns that are due."""
GIVE_WAY = 60  # seconds, and no longer: perhaps no worker runs
TURNS = ("close turn", "end early", "notice", "open seals", "judge", "publish", "next turn")
"""Work by which a turn's results come out."""


T = TypeVar("T")


def claim(office: Office, limit: int = 20) -> list[Mailing]:
    """Mailings to send now, as :func:`claim_messages` gives them; one that cannot be read goes to the desk."""
    with office.store.reading():  # what several are about is read once
        return claim_messages(office, "mail", _claimed, limit, write=False)


def claim_messages(
    office: Office,
    channel: str,
    read: Callable[[CommandContext, MailingRow], T | None],
    limit: int,
    but: Sequence[str] = (),
    *,
    write: bool = True,
) -> list[T]:
    """What waits on a channel, to all addresses ``but`` some. It is this sender's for ten minutes; what was neither
    sent nor failed by then is given out again. Each is read by itself: what can't be, or isn't true any more, is given
    up and stops no other. Results are claimed last, and for a minute not at all while other turns are due."""
    now = micros(office.clock.now())
    lease = queries.Lease(channel, office.random_source.bytes(8).hex(), now + LEASE_SECONDS * 1_000_000)
    with office.store.transaction() as tx:
        waits = tx.find(WorkRow, state="waiting", due=Before(now + 1), kind=TURNS) is not None
        held = now - GIVE_WAY * 1_000_000 if waits else None
        rows = queries.lease_mailings(tx, lease, now, limit, UNHURRIED, held, but)
    return [message for row in rows if (message := _read_alone(office, row, read, write=write)) is not None]


def _read_alone(
    office: Office, row: MailingRow, read: Callable[[CommandContext, MailingRow], T | None], *, write: bool
) -> T | None:
    message = None
    try:
        with by_clock(office, write=write) as act:
            message = read(act, row)
    except UnavailableError:
        raise
    except Exception as error:  # a damaged row, a key that is gone
        office.log.error("message cannot be read", mailing=row.id, **told_of(error))
        office.figures.failures.labels(row.channel, "unreadable").inc()
        if row.channel == "mail":
            failed(office, row, f"it cannot be read ({type(error).__name__})", lasting=True)
            return None
    if message is None:
        with by_clock(office) as act:
            finish(act, row, "needless")
    return message


def finish(act: CommandContext, row: MailingRow, state: MailingState) -> None:
    """Note what came of a message in the end; what it said is forgotten."""
    ended = {"state": state, "done": act.at, "facts": b"", "lease": ""}
    act.tx.change_where(MailingRow, ended, id=row.id, lease=row.lease)


def try_later(act: CommandContext, row: MailingRow, pauses: Sequence[int], **values: Any) -> bool:
    """Have a message tried again after the next of these ``pauses`` (seconds); False where there is none left."""
    if row.attempts >= len(pauses):
        return False
    due = act.later(seconds=pauses[row.attempts])
    act.tx.change(row, attempts=row.attempts + 1, due=due, lease="", **values)
    return True


def _claimed(act: CommandContext, row: MailingRow) -> Mailing | None:
    facts: dict[str, Any] = {}
    if row.facts:
        key = act.office.outbox_keys.find(row.made)
        if key is None:
            raise KeyNotReleasedError("The key of its day is gone.")
        facts = dict(decode_json(seals.unlock_padded(key, row.facts)))
    return msgspec.structs.replace(_mailing(act.tx, row), facts=facts) if _holds(act.tx, row) else None


def _holds(tx: Transaction, row: MailingRow) -> bool:
    """Whether a reminder is still true: it may have waited for a relay until the orders came or the turn was over."""
    if row.kind in MAILS and row.person is not None:
        return bool(mailed_items(tx, tx.get(PersonRow, row.person), row.kind))
    if row.kind not in REMINDERS or row.game is None or row.turn is None:
        return True
    turn, seat = tx.get(TurnRow, row.turn), tx.find(SeatRow, game=row.game, power=row.power)
    runs = tx.get(GameRow, row.game).state == "running" and turn.state in ("open", "waiting")
    if not runs or seat is None or seat.person != row.person:
        return False
    sent = tx.all(SubmissionRow, turn=turn.id, seat=seat.id, withdrawn=None)
    wanted = turn.state == "open" and game_settings(tx.get(GameRow, row.game)).wants_envelope(phase_of(turn))
    return not sent or (wanted and not any(version.kind == "posted" for version in sent))


def give_back(office: Office, mailing: Mailing) -> None:
    """Release a mailing that was not tried, for the next sender."""
    with office.store.transaction() as tx:
        now = micros(office.clock.now())
        tx.change_where(MailingRow, {"due": now, "lease": ""}, id=mailing.id, lease=mailing.lease, state="waiting")


def sent(office: Office, mailing: Mailing) -> bool:
    """Mark a mailing as sent; return False if its lease had run out."""
    with office.store.transaction() as tx:
        row = tx.find(MailingRow, id=mailing.id, lease=mailing.lease, state="waiting", lock=True)
        if row is None:
            return False
        tx.change(row, state="sent", done=micros(office.clock.now()), facts=b"", attempts=row.attempts + 1)
        return True


def failed(office: Office, mailing: Mailing | MailingRow, error: str, *, lasting: bool = False) -> None:
    """Mark a mailing as failed: tried again for five days, later each time, then (or if ``lasting``) on the desk."""
    with by_clock(office) as act:
        row = act.tx.find(MailingRow, id=mailing.id, lease=mailing.lease, state="waiting", lock=True)
        if row is None:
            return
        if lasting or not try_later(act, row, PAUSES, error=error[:300]):
            act.tx.change(row, attempts=row.attempts + 1, error=error[:300], lease="", state="failed")
            _to_desk(act, row, error)


def _to_desk(act: CommandContext, row: MailingRow, error: str) -> None:
    """Tell the desk of a mail that did not arrive; the office's own, where it would tell who has sent orders."""
    game = act.tx.find(GameRow, id=row.game)
    what = f"the mail {row.kind!r} to {row.power or 'a person'}"
    hides = True
    with contextlib.suppress(DamagedError):
        hides = game is not None and game_settings(game).shows_senders == "nobody"
    if hides and row.kind in TELLS_SENDERS:
        game, what = None, "a mail to a player"
    why = error[:300]
    add_to_group(act, "failed mails", game, entry={"mailing": row.id, "what": what, "why": why}, why=why)


def relay_away(office: Office, mailings: Sequence[Mailing], error: str) -> None:
    """Say that no mail can leave just now: what was taken waits until the relay is back, and the desk tells it once."""
    with by_clock(office) as act:
        waits = {"due": act.at, "lease": "", "error": error[:300]}
        for mailing in mailings:
            act.tx.change_where(MailingRow, waits, id=mailing.id, lease=mailing.lease, state="waiting")
        if not act.tx.count(DeskRow, kind="relay", game=None, done=None):
            act.add_task("relay", None, since=act.now.isoformat(), why=error[:300])


def relay_back(office: Office) -> None:
    """Say that a mail has left: what the desk tells of a relay that is away is over."""
    with office.store.transaction(write=False) as tx:
        told = tx.count(DeskRow, kind="relay", game=None, done=None)
    if told:
        with by_clock(office) as act:
            act.close_tasks("mail leaves again", kind="relay", game=None)


def bounced(office: Office, message_id: str, status: str) -> None:
    """Note that a mail came back for good: the desk is told once for each mail."""
    with by_clock(office) as act:
        row = act.tx.find(MailingRow, message_id=message_id, state="sent", lock=True) if message_id else None
        if row is None:
            return
        act.tx.change(row, state="bounced", error=status)
        _to_desk(act, row, f"it came back ({status})")


def queue(
    office: Office,
    kind: str,
    facts: dict[str, Any],
    *,
    person: int | None = None,
    address: str = "",
    game: str = "",
    turn: str = "",
    power: str = "",
) -> bool:
    """Queue a message for a channel; False if there is nowhere to send it."""
    with by_clock(office) as act:
        row = act.tx.find(GameRow, key=game) if game else None
        of_turn = act.tx.find(TurnRow, game=row.id, name=turn) if row is not None and turn else None
        to = act.tx.find(PersonRow, id=person)
        return act.mail(kind, to, address=address, game=row, turn=of_turn, power=power, **facts)


def answered_today(office: Office, address: str) -> bool:
    """Return whether an answer went to an address, or waits to go, that is less than a day old."""
    with office.store.transaction(write=False) as tx:
        return tx.count(MailingRow, kind="answer", address=address, made=Since(micros(office.clock.now()) - DAY)) > 0


# Unsubscribing, by the link that each mail has

FOR_EVER = 50 * 365 * 86_400.0  # seconds


def unsubscribe_link(office: Office, mailing: Mailing) -> str:
    """Return the address that stops such mailings, or invitations to this address; empty where none can be."""
    if mailing.kind == "invitation":
        token = _signer(office).dumps([office.address_digest(mailing.address), mailing.kind])
    elif mailing.person is not None and mailing.kind in QUIET:
        token = _signer(office).dumps([mailing.person, mailing.kind])
    else:
        return ""
    return office.link(f"/unsubscribe/{token}")


def kind_of_link(office: Office, token: str) -> str:
    """Return the kind of mailing that a link stops; NotFoundError for a token that no mail of ours had."""
    return _read_token(office, token)[1]


def unsubscribe(office: Office, token: str) -> str:
    """Stop what a link in a mail names, and return its kind; NotFoundError for a token that isn't ours."""
    whose, kind = _read_token(office, token)
    if kind == "invitation":
        office.shared.put(NO_MORE, str(whose), b"", FOR_EVER)
    else:
        people.unsubscribe(office, Actor.clock(), int(whose), kind)
    return kind


def _read_token(office: Office, token: str) -> tuple[int | str, str]:
    try:
        whose, kind = _signer(office).loads(token)
    except BadSignature:
        raise NotFoundError("This link is incomplete. Copy all of it from the mail.") from None
    return whose, str(kind)


def _signer(office: Office) -> URLSafeSerializer:
    return URLSafeSerializer(office.master_key.hex(), salt="unsubscribe")


@query("coordinate", "GET /games/{game}/mailings", coordinator="any")
def waiting(scene: GameContext) -> list[Mailing]:
    """Return the mailings waiting to be sent in a game, without their text, and without those that would tell who has
    sent orders where nobody is shown that."""
    rows = scene.tx.all(MailingRow, game=scene.row.id, state=["waiting", "failed"], channel="mail")
    if scene.settings.shows_senders == "nobody":
        rows = [row for row in rows if row.kind not in TELLS_SENDERS]
    return [_listed(scene.act, row) for row in rows]


def _listed(act: CommandContext, row: MailingRow) -> Mailing:
    mailing = msgspec.structs.replace(_mailing(act.tx, row), id=act.office.numbers.shown("mailing", row.id), lease="")
    if row.kind == "invitation" or row.person is None:
        return msgspec.structs.replace(mailing, person=None, name="")
    return msgspec.structs.replace(mailing, person=act.shown_person(row.person))


SAME_REMINDER = 3_600_000_000  # microseconds: an office that was away has two due at once
TELLS_SENDERS = ("answer", "reminder", "orders missing", "seat key", "unsigned", "vote")
"""Mails that go to whoever has sent something, or nothing; those about a vote to all who have not gone."""


def remind(act: CommandContext, facts: dict[str, Any], _: object) -> None:
    """Remind those who have sent nothing yet, and those whose envelope hasn't arrived."""
    turn = act.tx.get(TurnRow, facts["turn"])
    scene = GameContext(act, act.tx.get(GameRow, turn.game))
    if turn.state != "open" or scene.row.turn != turn.number or scene.row.state != "running":
        return
    if facts.get("to_all"):
        act.tell_bridges("reminder", scene.row, turn)
    sent_in = {s.seat for s in act.tx.all(SubmissionRow, turn=turn.id)} | {
        r.seat for r in act.tx.all(ReadinessRow, turn=turn.id)
    }
    awaited = {s.id for s in awaited_seats(scene, turn)}
    reminded = act.tx.all(MailingRow, game=turn.game, turn=turn.id, kind="reminder")
    lately = {(mail.person, mail.power) for mail in reminded if act.at - mail.made < SAME_REMINDER}
    for seat, person in scene.people():
        owes = seat.id not in sent_in or lacks_envelope(scene, turn, seat.id)
        if (person.id, seat.power) in lately:
            continue
        if owes and seat.id in awaited and seat.id in facts.get("seats", awaited):
            act.mail("reminder", person, game=scene.row, turn=turn, power=seat.power)


def _mailing(tx: Transaction, row: MailingRow) -> Mailing:
    person = tx.find(PersonRow, id=row.person)
    game = tx.find(GameRow, id=row.game)
    turn = tx.find(TurnRow, id=row.turn)
    return record_of(
        Mailing,
        row,
        name=person.name if person else "",
        game=game.key if game else "",
        turn=turn.name if turn else "",
        facts={},
    )


DESK_MAIL_AGAIN = timedelta(days=1)


def write_desk_mail(act: CommandContext, facts: dict[str, Any], _: object) -> None:
    """Write the mail about somebody's desk, with a notification, and again a day later while anything waits."""
    person, mail = act.tx.find(PersonRow, id=facts["person"]), facts["mail"]
    if person is None or not mailed_items(act.tx, person, mail):
        return
    if micros(read_preferences(person.preferences).wakes(act.now)) > act.at:  # quiet hours that were set since
        act.schedule_desk_mail(mail, person, act.now)
        return
    act.push("desk", person)
    waits = act.tx.count(MailingRow, person=person.id, kind=mail, channel="mail", state="waiting")  # the relay is away
    if waits or act.mail(mail, person):
        act.schedule_desk_mail(mail, person, act.now + DESK_MAIL_AGAIN)


def write_missing_desk_mails(act: CommandContext) -> None:
    """Have everybody mailed for whom something waits on the desk and no mail is due."""
    for row in act.tx.all(DeskRow, done=None):
        for mail, person in readers(act.tx, row.kind, act.tx.find(GameRow, id=row.game)):
            act.schedule_desk_mail(mail, person, act.now, move=False)
