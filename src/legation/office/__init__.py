"""The office: the server that runs games with sealed orders and deadlines.

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

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from legation.office import processing
    from legation.office.accounts import browsers, people, seats
    from legation.office.actor import Actor
    from legation.office.clock import SeededRandomSource, SimulatedClock, SystemClock, SystemRandomSource
    from legation.office.coordination import copies, desk, mailroom, readings, unmatched
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
        rematches,
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

_SUBJECTS = {
    "accounts": ("browsers", "people", "seats"),
    "coordination": ("copies", "desk", "mailroom", "readings", "unmatched"),
    "hosting": (
        "absences",
        "catalog",
        "deadlines",
        "erasing",
        "exports",
        "games",
        "moving",
        "played",
        "ratings",
        "rematches",
        "retrospects",
        "roster",
        "transfer",
        "votes",
    ),
    "messages": ("letters", "mailings", "pushes"),
    "operation": ("archive", "demo", "doctor", "health", "lost_keys", "work"),
    "orders": ("submissions",),
    "proving": ("proofs", "receipts"),
    "terms": ("schedules",),
    "turn": ("journal", "views"),
    "": ("processing",),
}
"""The modules that are subjects, by folder."""
_NAMES = {
    "Actor": "actor",
    "SeededRandomSource": "clock",
    "SimulatedClock": "clock",
    "SystemClock": "clock",
    "SystemRandomSource": "clock",
    "OfficeError": "errors",
    "Office": "office",
    "open_office": "office",
    "Settings": "settings",
    "read_settings": "settings",
}
"""What else is found here, by its module."""
_PLACES = {
    name: f"{__name__}.{folder}.{name}".replace("..", ".") for folder, names in _SUBJECTS.items() for name in names
}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it first is: a child process that takes one mail apart needs little of all this."""
    if name in _PLACES:
        return import_module(_PLACES[name])
    if name in _NAMES:
        return getattr(import_module(f"{__name__}.{_NAMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
    "readings",
    "receipts",
    "rematches",
    "retrospects",
    "roster",
    "schedules",
    "seats",
    "submissions",
    "transfer",
    "unmatched",
    "views",
    "votes",
    "work",
]
