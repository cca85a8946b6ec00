"""The letters at a year's end (W-21a): listed on the desk for each player, printed for that player's eyes, posted."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from legation.office.desk import desk
from legation.office.errors import ConflictError, InvalidInputError, NotAllowedError
from legation.office.game import processing
from legation.office.hosting import roster, year_letters
from legation.office.operation import work
from tests.mail.conftest import World
from tests.office.playing import CONSOLE, refuses, turn_now
from tests.office.test_terminal_games import run
from tests.print.papers import pages_of, text_of
from tests.service.conftest import POSTAL as BY_POST
from tests.service.conftest import served
from tests.web.clients import client_of

POSTAL = {
    **BY_POST,
    "opening_by_post": False,
    "channels": {"Movement": ["post"]},
}


def year_ends(world: World) -> None:
    """Nothing is ordered until the adjustments are published."""
    for _ in range(20):
        turn = turn_now(world.office, world.host, world.game.key)
        if turn.state == "judged":
            processing.publish_draft(world.office, world.host, world.game.key)
            work.run_due(world.office)
            if turn.name.endswith("Adjustments"):
                return
        elif any(item.kind == "final" for item in desk.items(world.office, world.host, world.game.key)):
            processing.publish_final(world.office, world.host, world.game.key)
        else:
            due = work.next_due(world.office)
            world.clock.set(max(due or world.clock.now(), world.clock.now()))
        work.run_due(world.office)
    pytest.fail("no year ended")


@pytest.mark.clause("W-21a")
def test_after_the_adjustments_the_desk_lists_a_letter_for_each_player(world: World, tmp_path: Path) -> None:
    world.begin(**POSTAL)
    office, host, key = world.office, world.host, world.game.key
    for power, who in world.players.items():
        roster.add_address(office, who, [f"1 {power} Street"], "England", primary=True)
    roster.add_address(office, host, ["1 Fish Street"], "England", primary=True)
    roster.share_address(office, world.players["Burgundy"], key, "Burgundy", False)
    assert year_letters.year_letters(office, host, key) is None
    refuses(ConflictError, year_letters.posted_letter, office, host, key, "France")
    year_ends(world)
    (item,) = [item for item in desk.items(office, host, key) if item.kind == "letters"]
    assert item.text == "The year has ended: 3 letters to print and post." and item.page == f"/desk/{key}/letters"
    site = client_of(served(office), office, host)
    page = site.get(item.page).text
    for power in world.players:
        assert f"1 {power} Street" in page
        letter = site.get(f"/games/{key}/print/letters.pdf?power={power}")
        assert f"1 {power} Street" in text_of(letter.content)
    label = text_of(site.get(f"/games/{key}/print/labels.pdf?power=France").content)
    assert "1 France Street" in label and "England Street" not in label
    enclosed = text_of(site.get(f"/games/{key}/print/roster.pdf?power=France").content)
    assert "1 England Street" in enclosed and "1 Burgundy Street" not in enclosed, "as the player sees it"
    assert pages_of(site.get(f"/games/{key}/print/map.pdf?power=France").content)
    for day in ("2026-01-01", (world.clock.now() + timedelta(days=1)).date().isoformat()):
        answer = site.post(f"{item.page}/posted", data={"power": "France", "day": day})
        assert answer.status_code == 422 and "A letter is posted after the results are out" in answer.text
    folder, day = tmp_path / "office", world.clock.now().date().isoformat()
    assert "1 Burgundy Street" in (told := run(folder, "letters", key)) and day not in told
    assert day in run(folder, "letters", key, "Burgundy", "--on", day)
    for power in world.players:
        assert any(i.kind == "letters" for i in desk.items(office, host, key))
        assert site.post(f"{item.page}/posted", data={"power": power}).status_code == 303
    assert not any(i.kind == "letters" for i in desk.items(office, host, key))
    assert site.get(item.page).text.count("Posted on ") == 3
    refuses(NotAllowedError, year_letters.posted_letter, office, world.players["France"], key, "France")
    refuses(InvalidInputError, year_letters.posted_letter, office, CONSOLE, key, "France", "tomorrow")


def test_a_game_without_post_asks_for_no_letters(world: World) -> None:
    world.begin(**{**POSTAL, "channels": {}, "photographs_only": False})
    year_ends(world)
    assert not any(i.kind == "letters" for i in desk.items(world.office, world.host, world.game.key))
