"""An office that clients call, and a seat of its game that a program may play."""

from collections.abc import Iterator
from typing import Any

import pytest

from legation.office.context import Actor
from legation.office.game import seats
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from legation.web import create_app
from tests.office.playing import person
from tests.serving import served


@pytest.fixture(name="address")
def served_address(office: Office) -> Iterator[str]:
    with served(create_app(office)) as here:
        yield here


def seated(office: Office, **settings: Any) -> tuple[str, str]:
    """A game of the hundred years with France held by Host; its key and Host's token for programs."""
    host = person(office, "Host")
    assert host.person is not None
    plan = {"name": "Castillon", "variant": "hundred", "settings": {"machines": True, **settings}}
    made = games.create(office, host, {**plan, "seats": {"England": "bot:hold", "Burgundy": "bot:hold"}})
    seats.sign_up(office, host, made.key, ["France"])
    work.run_due(office)
    return made.key, people.token_for(office, Actor.console(), host.person, "program", ("read", "play")).secret
