"""Seasons whose next turn opens some days after the results: each mail tells once what is due, in the order of
events."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from legation.office import SeededRandomSource, Settings, SimulatedClock, open_office
from tests.mail.conftest import START, Outbox, World, body
from tests.mail.office_with_mail import OfficeWithMail

CYCLE = {
    "name": "slow",
    "title": "The next turn opens two days after the results",
    "zone": "UTC",
    "steps": [
        {"phases": ["Movement", "Placement"], "season": True, "days": 2, "lasts": 7},
        {"phases": ["Retreats"], "season": True, "days": 3, "lasts": 7},
        {"phases": ["Adjustments"], "season": True, "days": 2, "lasts": 7},
    ],
}


class Slow(World, OfficeWithMail):
    """A game that is played by the cycle."""


def said(mail: EmailMessage) -> tuple[str, str, str]:
    """The kind of a mail, its turn by the subject, and the turn that it says is due next, or open."""
    rows = [line.split(maxsplit=1)[1] for line in body(mail).splitlines() if line.startswith(("  Next", "  Turn"))]
    turn = str(mail["Subject"]).partition(" - ")[2].partition(":")[0]
    (row,) = rows
    return str(mail["X-Legation"]), turn, row


def season(folder: Path, **settings: Any) -> list[tuple[str, str, str]]:
    """What France is told of a season in which it is driven out of Paris."""
    there = Settings(settling=0, orders_address="orders@office.example", mail_from="office@office.example")
    clock = SimulatedClock(START)
    office = open_office(folder / "office", there, clock, SeededRandomSource("opening"))
    with contextlib.closing(office):
        world = Slow(office, clock, Outbox())
        world.begin(schedule=CYCLE, reminder_hours=0, **settings)
        world.write("England", "A nor - par\nA cal S A nor - par")
        world.until(START + timedelta(days=3))
        results = body(world.outbox.to(world.address_of("France"), "draft results" if settings else "results")[-1])
        assert "A par H: it was given no order; dislodged by an attack from nmd" in " ".join(results.split())
        assert "  A par R " in results and "  A par disband\n" in results
        assert "A par: will be disbanded" in world.write("France", "A par R dau or cha")
        world.until(START + timedelta(days=6))
        late = " ".join(world.write("France", "A orl H").split())
        assert "1425 Retreats is closed" in late and "Next 1430 Movement Opens Mon 9 Mar 2026" in late
        world.until(START + timedelta(days=8))
        sent = world.outbox.to(world.address_of("France"))
        return [said(mail) for mail in sent[1:] if mail["X-Legation"] != "answer"]


def test_a_game_that_begins_without_units_says_what_to_place(world: World) -> None:
    world.begin("1897", name="Empty")
    world.flush()
    first = " ".join(body(world.outbox.to(world.address_of("Germany"), "game started")[-1]).split())
    assert "You may place 1 unit, in Berlin, Kiel, Munich. Write for example “build A ber”." in first


def test_a_seasons_drafts_become_final_in_one_mail_that_tells_what_is_due(tmp_path: Path) -> None:
    assert season(tmp_path, drafts=True) == [
        ("draft results", "1425 Movement", "1425 Retreats"),
        ("draft results", "1425 Retreats", "1430 Movement"),
        ("results", "1425 Retreats", "1430 Movement"),
    ]


def test_a_turn_that_opens_after_its_results_is_told_when_it_opens(tmp_path: Path) -> None:
    assert season(tmp_path) == [
        ("results", "1425 Movement", "1425 Retreats"),
        ("results", "1425 Retreats", "1430 Movement"),
        ("turn opened", "1430 Movement", "1430 Movement"),
    ]
