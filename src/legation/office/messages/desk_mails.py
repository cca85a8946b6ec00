"""Mails about what waits on the desk: when they are written. What one says is asked of the desk as it is sent."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from legation.office.act import CommandContext
from legation.office.clock import micros
from legation.office.desk_readers import mailed_items, readers
from legation.office.preferences import read_preferences
from legation.office.store.rows import DeskRow, GameRow, MailingRow, PersonRow

DESK_MAIL_AGAIN = timedelta(days=1)


def write_desk_mail(act: CommandContext, facts: dict[str, Any], _: object) -> None:
    """Write the mail about what waits on somebody's desk, with a notification for their browsers, and again a day later
    while anything does."""
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
    """Have everybody mailed for whom something waits and no mail is due: who coordinates since it came, or wants mails
    again."""
    for row in act.tx.all(DeskRow, done=None):
        for mail, person in readers(act.tx, row.kind, act.tx.get(GameRow, row.game) if row.game is not None else None):
            act.schedule_desk_mail(mail, person, act.now, move=False)
