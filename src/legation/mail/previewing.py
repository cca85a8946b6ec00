"""Previews of the results mail to each player, for the coordinator to review before publishing."""

from __future__ import annotations

import msgspec

from legation.mail.content import as_text
from legation.mail.results import results_to_come
from legation.office.context import Actor
from legation.office.game import processing
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office


class Preview(msgspec.Struct, frozen=True):
    """A mail that would go out: to whom, and what it says (the map comes with it when it is sent)."""

    power: str
    name: str
    subject: str
    text: str


def preview(office: Office, actor: Actor, game: str) -> list[Preview]:
    """The mails that publishing the judged turn would send, in the order of the powers.

    :raises OfficeError: for who may not publish, or while nothing is judged.
    """
    result = processing.preview(office, actor, game)
    previews = []
    for seat in games.game(office, Actor.console(), game).seats:
        if seat.person is None:
            continue
        reader = people.as_person(office, seat.person)
        content = results_to_come(office, reader, seat.power, games.game(office, reader, game), result)
        previews.append(Preview(seat.power, seat.holder or "", content.subject, as_text(content)))
    return previews
