"""Subject lines as they come from cameras, scanners, phones and people in a hurry; what each means was written down
first."""

from __future__ import annotations

import pytest

from legation.mail.subjects import GameNames, read_subject
from legation.position import Phase

SEASONS = ("Spring", "Summer", "Autumn", "Winter")
POWERS = ("Crown", "Newcastle", "Manchester", "Montrose", "Argyll", "Confederacy")
BRIDGE = GameNames("powick-bridge", "Powick Bridge", POWERS, (("english", "Crown"),), SEASONS, (1642, 1742))
VALMY = GameNames("valmy", "Valmy", ("England", "France", "Burgundy"), (("french", "France"),), ("",), (1425, 1525))
GAMES = (BRIDGE, VALMY)
M, R, A = Phase.MOVEMENT, Phase.RETREATS, Phase.ADJUSTMENTS
B, V = "powick-bridge", "valmy"

CASES: list[tuple[str, tuple[str, str, str, int | None, Phase | None, int | None]]] = [
    # cameras, scanners, phones
    ("IMG_2041", ("", "", "", None, None, None)),
    ("IMG_1642.JPG", ("", "", "", None, None, None)),
    ("IMG-20261112-WA0007", ("", "", "", None, None, None)),
    ("DSC01643", ("", "", "", None, None, None)),
    ("DSCN 1650.jpg", ("", "", "", None, None, None)),
    ("PXL_20261112_164200123", ("", "", "", None, None, None)),
    ("20261112_153000.jpg", ("", "", "", None, None, None)),
    ("Photo 12-11-2026", ("", "", "", None, None, None)),
    ("Photo 12/11/26", ("", "", "", None, None, None)),
    ("Scan 2026-11-12 16:42", ("", "", "", None, None, None)),
    ("Scan 204", ("", "", "", None, None, None)),
    ("Screenshot 2026-11-12 at 16.42.10", ("", "", "", None, None, None)),
    ("Document 7", ("", "", "", None, None, None)),
    ("image001.png", ("", "", "", None, None, None)),
    ("Foto 2043", ("", "", "", None, None, None)),
    ("WhatsApp Image 2026-11-12 at 15:30", ("", "", "", None, None, None)),
    ("Sent from my iPhone 15", ("", "", "", None, None, None)),
    ("Page 1 of 2", ("", "", "", None, None, None)),
    # the same with something of the game
    ("Powick Bridge - Crown - IMG_2041", (B, "Crown", "", None, None, None)),
    ("IMG_2041 Crown Summer 1643 movement", ("", "Crown", "Summer", 1643, M, None)),
    ("Photo of orders, Newcastle, Autumn 1642", ("", "Newcastle", "Autumn", 1642, None, None)),
    ("Photo 1643 Crown", ("", "Crown", "", 1643, None, None)),
    ("Crown 12-11-2026", ("", "Crown", "", None, None, None)),
    ("Powick Bridge 2026", (B, "", "", None, None, None)),
    ("Powick Bridge 1644", (B, "", "", 1644, None, None)),
    ("Crown orders 12/11/2026 Summer 1644", ("", "Crown", "Summer", 1644, None, None)),
    ("My orders as of 15:30, Argyll, retreats", ("", "Argyll", "", None, R, None)),
    ("Scan 3 - Valmy - France - 1431 - movement - v2", (V, "France", "", 1431, M, 2)),
    ("photos 2 Montrose Spring 1645 builds", ("", "Montrose", "Spring", 1645, A, None)),
    ("Valmy Burgundy 1430 Movement Version 3 IMG_0042", (V, "Burgundy", "", 1430, M, 3)),
    # years in other places
    ("1643 Summer Crown", ("", "Crown", "Summer", 1643, None, None)),
    ("Summer of 1643, Crown", ("", "Crown", "Summer", 1643, None, None)),
    ("Crown, Summer '1643", ("", "Crown", "Summer", 1643, None, None)),
    ("Summer1643 Crown", ("", "Crown", "Summer", 1643, None, None)),
    ("Crown Summer 2043", ("", "Crown", "Summer", 2043, None, None)),  # a year that is not: told as another turn
    ("movement 1643", ("", "", "", 1643, M, None)),
    ("movement 2043", ("", "", "", None, M, None)),
    ("1643", ("", "", "", 1643, None, None)),
    ("2043", ("", "", "", None, None, None)),
    ("invoice 1337", ("", "", "", None, None, None)),
    ("Ticket #4711 Crown", ("", "Crown", "", None, None, None)),
    ("S1643M Crown", ("", "Crown", "Spring", 1643, M, None)),
    ("crown u1643r", ("", "Crown", "Summer", 1643, R, None)),
    ("CROWN W1645A", ("", "Crown", "Winter", 1645, A, None)),
    ("Re: Re: AW: Crown - Autumn 1643 - Retreat orders", ("", "Crown", "Autumn", 1643, R, None)),
    # versions
    ("Crown Summer 1643 v2", ("", "Crown", "Summer", 1643, None, 2)),
    ("Crown Summer 1643 rev. 4", ("", "Crown", "Summer", 1643, None, 4)),
    ("Crown - Summer 1643 - 3", ("", "Crown", "Summer", 1643, None, 3)),
    ("Crown 2nd version Summer 1643", ("", "Crown", "Summer", 1643, None, 2)),
    ("Summer 1643 Crown movement version no. 12", ("", "Crown", "Summer", 1643, M, 12)),
    ("Crown, Summer 1643, Movement, v.1", ("", "Crown", "Summer", 1643, M, 1)),
    ("v3 Autumn 1644 retreats, Argyll", ("", "Argyll", "Autumn", 1644, R, 3)),
    # names
    ("powick-bridge crown", (B, "Crown", "", None, None, None)),
    ("POWICK BRIDGE: NEWCASTLE", (B, "Newcastle", "", None, None, None)),
    ("english retreat orders", ("", "Crown", "", None, R, None)),
    ("Crown & Argyll summer 1643", ("", "", "Summer", 1643, None, None)),
    ("Powick Bridge vs Valmy", ("", "", "", None, None, None)),
    ("Manchestr Summer 1643", ("", "", "Summer", 1643, None, None)),
    ("Montrosse - Winter 1643 - Adjustments", ("", "Montrose", "Winter", 1643, A, None)),
    ("Fwd: orders", ("", "", "", None, None, None)),
    ("🏰 Crown ⚔ Summer 1643", ("", "Crown", "Summer", 1643, None, None)),
    ("valmy france 1425 builds", (V, "France", "", 1425, A, None)),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_a_subject_means_what_its_writer_meant(text: str, expected: tuple[object, ...]) -> None:
    found = read_subject(text, GAMES)
    assert (found.game, found.power, found.season, found.year, found.phase, found.version) == expected


def test_without_known_years_a_number_counts_only_beside_something_understood() -> None:
    games = (GameNames("powick-bridge", "Powick Bridge", POWERS, (), SEASONS),)
    assert read_subject("2041", games).year is None
    assert read_subject("Crown 1642", games).year == 1642
    assert read_subject("IMG_2041 Crown", games).year is None


def test_what_was_put_aside_is_told() -> None:
    assert read_subject("Crown IMG_2041", GAMES).unread == ("IMG_2041",)


def test_instructions_may_lead() -> None:
    found = read_subject("v2 replaces v1 only if it came in time", GAMES)
    assert (found.version, found.instruction) == (2, "replaces v1 only if it came in time")
