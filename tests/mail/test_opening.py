"""Seasons whose next turn opens some days after the results: each mail tells once what is due, in the order of
events."""

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from tests.mail.conftest import START, World, body, office_by_mail

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


def said(mail: EmailMessage) -> tuple[str, str, str]:
    """The kind of a mail, its turn by the subject, and the turn that it says is due next, or open."""
    rows = [line.split(maxsplit=1)[1] for line in body(mail).splitlines() if line.startswith(("  Next", "  Turn"))]
    turn = str(mail["Subject"]).partition(" - ")[2].partition(":")[0]
    (row,) = rows
    return str(mail["X-Legation"]), turn, row


def season(folder: Path, **settings: Any) -> list[tuple[str, str, str]]:
    """What France is told of a season in which it is driven out of Paris."""
    with office_by_mail(folder, seed="opening") as world:
        world.begin(schedule=CYCLE, reminder_hours=0, **settings)
        world.write("England", "A nor - par\nA cal S A nor - par")
        world.until(START + timedelta(days=3))
        results = body(world.outbox.to(world.address_of("France"), "draft results" if settings else "results")[-1])
        assert "A par H: it was given no order; dislodged by an attack from nmd" in " ".join(results.split())
        assert "  A par R " in results and "  A par disband\n" in results
        assert "A par: will be disbanded" in world.write("France", "A par R dau or cha")
        world.until(START + timedelta(days=6))
        late = world.write("France", "A orl H")
        assert "1425 Retreats is closed" in late and "Next 1430 Movement Opens Mon 9 Mar 2026" in late
        world.until(START + timedelta(days=8))
        sent = world.outbox.to(world.address_of("France"))
        return [said(mail) for mail in sent[1:] if mail["X-Legation"] != "answer"]


def test_results_say_what_they_led_to_and_adjustments_that_open_later_what_may_be_built(world: World) -> None:
    world.begin("standard", name="Slow", schedule=CYCLE, reminder_hours=0)
    for orders in ("A mun - tyr\nF kie - den", "A tyr H"):
        world.write("Germany", orders)
        world.until(world.clock.now() + timedelta(days=7, hours=1))
    results = world.told("Germany", "results")
    assert "WHAT HAPPENED Germany takes Denmark." in results
    opened = world.told("Germany", "turn opened")
    assert "Winter 1901 Adjustments" in opened and "You may build 1 unit, in Kiel or Munich." in opened


def test_a_seasons_drafts_become_final_in_one_mail_and_a_turn_that_opens_later_is_told_then(tmp_path: Path) -> None:
    assert season(tmp_path / "drafts", drafts=True) == [
        ("draft results", "1425 Movement", "1425 Retreats"),
        ("draft results", "1425 Retreats", "1430 Movement"),
        ("results", "1425 Retreats", "1430 Movement"),
    ]
    assert season(tmp_path / "none") == [
        ("results", "1425 Movement", "1425 Retreats"),
        ("results", "1425 Retreats", "1430 Movement"),
        ("turn opened", "1430 Movement", "1430 Movement"),
    ]
