"""Offices to which orders come by post."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.office import open_office
from legation.office.settings import Settings
from legation.print.enclosures import enclosures
from tests.mail.conftest import Outbox, World
from tests.office.begun import copied
from tests.office.fixtures import START


@contextlib.contextmanager
def postal_world(folder: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    """An office whose mails have papers with them."""
    settings = Settings(settling=0, orders_address="orders@office.example", mail_from="office@office.example")
    clock = SimulatedClock(START)
    office = copied(open_office(folder / "office", settings, clock, SeededRandomSource("post")), request)
    made = World(office, clock, Outbox())
    made.counter.papers = enclosures
    yield made
    office.close()
