"""A seat of an office's game that a program may play."""

from typing import Any

from legation.office.context import Actor
from legation.office.game import seats
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from tests.office.playing import person


def seated(office: Office, **settings: Any) -> tuple[str, str]:
    """A game of the hundred years with France held by Host; its key and Host's token for programs."""
    host = person(office, "Host")
    assert host.person is not None
    plan = {"name": "Castillon", "variant": "hundred", "settings": {"machines": True, **settings}}
    made = games.create(office, host, {**plan, "seats": {"England": "bot:hold", "Burgundy": "bot:hold"}})
    seats.sign_up(office, host, made.key, ["France"])
    work.run_due(office)
    return made.key, people.token_for(office, Actor.console(), host.person, "program", ("read", "play")).secret
