"""Notifications that wait for people's browsers. They say the game's name and their kind alone, since they may stand on
a locked screen; one that isn't true any more is dropped, and none is worth more than a day."""

import msgspec

from legation.formats import decode_json
from legation.languages import text_in
from legation.office.context import DAY, CommandContext, by_clock
from legation.office.desk.mailings import claim_messages, finish, try_later
from legation.office.desk_readers import MAILS, mailed_items
from legation.office.errors import OfficeError
from legation.office.identity.browsers import Subscription, is_signed_in, read_subscription
from legation.office.keys import seals
from legation.office.office import Office
from legation.office.preferences import PUSHED, read_preferences
from legation.office.store.rows import BrowserRow, GameRow, MailingRow, PersonRow, SeatRow, SubmissionRow, TurnRow
from legation.office.store.transaction import Transaction

KEPT = DAY
PAUSES = (60, 600, 3600)  # seconds after the first, second, ... failure; then it is given up
MOST_FAILURES = 20  # in a row, until a browser is forgotten


class Push(msgspec.Struct, frozen=True):
    """A notification to a person's browsers, by their numbers; ``again``: those that it did not reach before."""

    id: int
    lease: str
    kind: str
    title: str
    body: str
    url: str
    browsers: dict[int, Subscription]


def claim(office: Office, limit: int = 20) -> list[Push]:
    """Notifications to send now, this sender's for ten minutes; one that can't be read is given up alone."""
    return claim_messages(office, "push", _read, limit)


def _read(act: CommandContext, row: MailingRow) -> Push | None:
    browsers = _browsers(act, row)
    person, game = act.tx.find(PersonRow, id=row.person), act.tx.find(GameRow, id=row.game)
    if person is None or not browsers or act.at - row.made > KEPT:
        return None
    if not (_holds(act, row, game) if game else any(mailed_items(act.tx, person, mail) for mail in MAILS)):
        return None
    title = game.name if game is not None else act.office.settings.name
    url = "/desk" if game is None else f"/games/{game.key}" + ("/letters" if row.kind == "letter" else "")
    body = text_in(read_preferences(person.preferences).language, PUSHED[row.kind])
    return Push(row.id, row.lease, row.kind, title, body, url, browsers)


def _browsers(act: CommandContext, row: MailingRow) -> dict[int, Subscription]:
    key = act.office.master_key
    again = decode_json(seals.unlock(key, row.facts), type=list[int]) if row.facts else None
    found = {}
    for browser in act.tx.all(BrowserRow, person=row.person):
        if not is_signed_in(act, browser):
            act.tx.remove(BrowserRow, id=browser.id)
        elif again is None or browser.id in again:
            try:
                found[browser.id] = read_subscription(act.office, browser)
            except (OfficeError, msgspec.DecodeError):  # another key, a damaged row
                act.tx.remove(BrowserRow, id=browser.id)
    return found


def _holds(act: CommandContext, row: MailingRow, game: GameRow) -> bool:
    seat = act.tx.find(SeatRow, game=game.id, power=row.power)
    if seat is None or seat.person != row.person:
        return False
    if row.kind in ("turn", "reminder"):
        turn = act.tx.find(TurnRow, id=row.turn)
        if turn is None or turn.state not in ("open", "waiting") or game.state != "running":
            return False
        return not act.tx.count(SubmissionRow, turn=turn.id, seat=seat.id, withdrawn=None)
    return True


def sent(office: Office, push: Push, reached: list[int], gone: list[int], failed: list[int]) -> None:
    """Note which browsers were ``reached``, which are ``gone``, and which ``failed``, to be tried for an hour."""
    with by_clock(office) as act:
        row = act.tx.find(MailingRow, id=push.id, lease=push.lease, state="waiting", lock=True)
        for number in gone:
            act.tx.remove(BrowserRow, id=number)
        for number in reached:
            act.tx.change_where(BrowserRow, {"last_sent": act.at, "failures": 0}, id=number)
        left = [number for number in failed if _failed(act.tx, number)]
        if row is None:
            return
        facts = seals.lock(office.master_key, msgspec.json.encode(left))
        if not (left and try_later(act, row, PAUSES, facts=facts)):
            finish(act, row, "sent" if reached else "done")


def _failed(tx: Transaction, number: int) -> bool:
    row = tx.find(BrowserRow, id=number)
    if row is None:
        return False
    if row.failures + 1 >= MOST_FAILURES:
        tx.remove(BrowserRow, id=number)
        return False
    tx.change(row, failures=row.failures + 1)
    return True
