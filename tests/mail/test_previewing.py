"""What a coordinator looks over before it goes out is told as what it will be: draft results or final ones."""

from datetime import timedelta

import pytest

from legation.mail.results import preview
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk
from legation.office.game import processing
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.orders import submissions
from tests.office.playing import begin, passes

ORDERS = {"England": "A nmd - par\nA cal S A nmd - par", "Burgundy": "A dij S A nmd - par"}
"""Paris is dislodged by these."""


@pytest.mark.parametrize("schedule", ["daily", "three-kingdoms"])
def test_a_preview_is_labelled_as_it_is_published(office: Office, clock: SimulatedClock, schedule: str) -> None:
    record, players, boss = begin(
        office, coordinated=True, approve=True, drafts=True, ready_ends=False, schedule=schedule
    )
    for power, text in ORDERS.items():
        submissions.submit(office, players[power], record.key, power, text)
    seen: set[tuple[str, str]] = set()
    for _ in range(40):  # days
        passes(office, clock, timedelta(days=1))
        for item in desk.items(office, boss, record.key):
            if item.kind == "final":
                processing.publish_final(office, boss, record.key)
            if item.kind == "publish":
                seen.add(_publish(office, boss, record.key))
        if any(phase == "Retreats" for phase, _ in seen) and ("Movement", "draft") in seen:
            return
    raise AssertionError(f"no retreats: {seen}")


def _publish(office: Office, boss: Actor, key: str) -> tuple[str, str]:
    """Publish what was judged, and see that it was told as what it is; the answer is the phase, and what it is."""
    found = processing.preview(office, boss, key)
    labels = {mail.subject.rpartition(": ")[2] for mail in preview(office, boss, key)}
    processing.publish_draft(office, boss, key)
    published = games.result(office, boss, key, found.number)
    assert found.comes_as == published.state == published.comes_as
    assert labels == {"draft results" if published.state == "draft" else "results"}
    return found.name.rpartition(" ")[2], published.state


def test_nothing_goes_to_bots(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, coordinated=True, approve=True, ready_ends=False, powers=2)
    passes(office, clock, timedelta(days=1))
    assert {mail.power for mail in preview(office, boss, record.key)} == set(players)
