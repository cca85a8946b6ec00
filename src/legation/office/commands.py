"""All commands and queries of the office, by the names that the table of permissions has for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from legation.office.context import is_command, is_query
from legation.office.desk import copies, desk, letters, mailings, readings, unmatched
from legation.office.game import journal, processing, seats
from legation.office.hosting import (
    absences,
    catalog,
    deadlines,
    erasing,
    exports,
    games,
    moving,
    played,
    player_ratings,
    profiles,
    proofs,
    ratings,
    receipts,
    rematches,
    retrospects,
    roster,
    scores,
    transfer,
    votes,
)
from legation.office.identity import browsers, people
from legation.office.operation import lost_keys
from legation.office.orders import submissions

_SUBJECTS = (
    *(absences, browsers, catalog, copies, deadlines, desk, erasing, exports, games, journal, letters, lost_keys),
    *(
        mailings,
        moving,
        people,
        played,
        player_ratings,
        processing,
        profiles,
        proofs,
        ratings,
        readings,
        receipts,
        rematches,
        retrospects,
    ),
    *(roster, scores, seats, submissions, transfer, unmatched, votes),
)
COMMANDS: dict[str, Callable[..., Any]] = {
    f"{subject.__name__.rpartition('.')[2]}.{name}": function
    for subject in _SUBJECTS
    for name, function in vars(subject).items()
    if callable(function) and function.__module__ == subject.__name__ and (is_command(function) or is_query(function))
}
"""``games.create``, ``submissions.submit`` and so on."""
