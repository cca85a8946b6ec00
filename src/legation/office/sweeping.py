"""Housekeeping: answers to old commands are forgotten, and sealed files that no row names are taken away."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from legation.office.act import Act
from legation.office.clock import micros
from legation.office.office import Office
from legation.office.store import queries
from legation.office.store.rows import ArrivalRow, FileRow

ANSWERS_KEPT = timedelta(days=30)
ORPHANS_KEPT = timedelta(days=1)  # a file is written before its row; never sweep what may be on its way


def sweep(act: Act, facts: dict[str, Any], _: object) -> None:
    """Sweep once a day."""
    queries.forget_answers(act.tx, micros(act.now - ANSWERS_KEPT))
    sweep_files(act)
    act.due("sweep", "sweep", act.later(days=1))


def sweep_files(act: Act) -> int:
    """Take away files that no row names and that are older than a day; the answer is how many."""
    gone = 0
    for name, written in list(act.office.files.names()):
        named = act.tx.find(FileRow, stored=name) or act.tx.find(ArrivalRow, stored=name)
        if written < act.now - ORPHANS_KEPT and named is None:
            act.office.files.remove(name)
            gone += 1
    return gone


def start_sweeping(office: Office) -> None:
    """Have the sweep done every day from now on."""
    from legation.office.actor import Actor

    with office.store.transaction() as tx:
        act = Act(office, Actor.clock(), tx, "sweep", office.clock.now())
        act.due("sweep", "sweep", act.at)
