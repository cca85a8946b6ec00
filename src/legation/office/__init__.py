"""The office: games run by themselves, sealed, on time.

A subject is a module, what people do is a function in it; this is the door to the subjects that other rooms use:
``submissions.submit(office, actor, "powick-bridge", "Crown", text)``. Every command is one transaction: permission
(``permissions``), journal, changed rows, due work and outbox rows, then the answer (``records``). Queries take the
actor too and leave out what that reader may not see. Time and chance are passed in.

>>> from legation.office import Actor, games, open_office, people, seats, submissions, work
>>> office = open_office("folder")                                                # doctest: +SKIP
>>> anna = people.by_secret(office, "the secret of a session or token")           # doctest: +SKIP
>>> games.create(office, anna, {"name": "Powick Bridge", "variant": "hundred"})   # doctest: +SKIP
>>> submissions.submit(office, anna, "powick-bridge", "France", "A par - orl")    # doctest: +SKIP
>>> work.run_due(office)  # what is due: deadlines, judging, the next turn        # doctest: +SKIP
"""

from legation.office import processing
from legation.office.accounts import browsers, people, seats
from legation.office.actor import Actor
from legation.office.clock import SeededRandomSource, SimulatedClock, SystemClock, SystemRandomSource
from legation.office.coordination import copies, desk, mailroom
from legation.office.errors import OfficeError
from legation.office.hosting import (
    absences,
    catalog,
    deadlines,
    erasing,
    exports,
    games,
    moving,
    played,
    ratings,
    retrospects,
    roster,
    transfer,
    votes,
)
from legation.office.messages import letters, mailings, pushes
from legation.office.office import Office, open_office
from legation.office.operation import archive, demo, doctor, health, lost_keys, work
from legation.office.orders import submissions
from legation.office.proving import proofs, receipts
from legation.office.settings import Settings, read_settings
from legation.office.terms import schedules
from legation.office.turn import journal, views

__all__ = [
    "Actor",
    "Office",
    "OfficeError",
    "SeededRandomSource",
    "Settings",
    "SimulatedClock",
    "SystemClock",
    "SystemRandomSource",
    "absences",
    "archive",
    "browsers",
    "catalog",
    "copies",
    "deadlines",
    "demo",
    "desk",
    "doctor",
    "erasing",
    "exports",
    "games",
    "health",
    "journal",
    "letters",
    "lost_keys",
    "mailings",
    "mailroom",
    "moving",
    "open_office",
    "people",
    "played",
    "processing",
    "proofs",
    "pushes",
    "ratings",
    "read_settings",
    "receipts",
    "retrospects",
    "roster",
    "schedules",
    "seats",
    "submissions",
    "transfer",
    "views",
    "votes",
    "work",
]
