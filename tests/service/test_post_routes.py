"""Days of post by route: set at the desk, told on the roster and in mails, and which address a letter bears."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from icalendar import Calendar

from legation.feeds.games import game_calendar
from legation.office.errors import InvalidInputError
from legation.office.hosting import deadlines, games, roster
from legation.print.games import GamePapers
from tests.cli.test_commands import run
from tests.mail.conftest import START, World
from tests.print.papers import text_of
from tests.service.conftest import POSTAL, served
from tests.web.clients import client_of
from tests.web.forms import press

LAST = date(2026, 3, 14)  # the last calendar day before the orders are due


@pytest.fixture
def world(world: World) -> World:
    """England and the coordinator in England, France in Mexico, Burgundy in France."""
    world.begin(**POSTAL)
    for who, country in (
        (world.host, "England"),
        (world.players["England"], "england"),
        (world.players["France"], "Mexico"),
        (world.players["Burgundy"], "France"),
    ):
        roster.add_address(world.office, who, [f"1 {country} Street"], country, primary=True)
    world.settle()
    return world


def test_the_desk_sets_days_by_route_and_roster_and_mails_tell_the_days_to_post_by(
    world: World, tmp_path: Path
) -> None:
    office, key, app = world.office, world.game.key, served(world.office)
    desk = client_of(app, office, world.host)
    form = {"post_routes": "England - Mexico: 9\nEngland - England: 2\nFrance - England: 4", "post_days": "6"}
    assert press(desk, f"/desk/{key}", "Save settings", form).status_code == 303
    assert games.game(office, world.host, key).settings["post_routes"]["England - Mexico"] == 9
    for power, days in (("England", 2), ("France", 9), ("Burgundy", 4)):
        assert deadlines.days_in_post(office, world.players[power], key) == days
        (due,) = deadlines.coming(office, world.players[power], key, 1)
        assert due.post_by == (LAST - timedelta(days=days)).isoformat(), "orders go to the coordinator"
    ways = {line.power: line for line in roster.roster(office, world.players["England"], key)}
    assert [ways[power].days for power in ("France", "Burgundy")] == [9, 4]
    mexican = {line.power: line for line in roster.roster(office, world.players["France"], key)}
    assert [mexican[power].days for power in ("England", "Burgundy")] == [9, 6], "no route: as the game is set"
    answer = world.write("England", "ROSTER")
    page = client_of(app, office, world.players["England"]).get(f"/games/{key}/roster").text
    paper = text_of(GamePapers(office, world.players["England"], key).roster())
    shown = run("office", "-C", str(tmp_path / "office"), "roster", key).stdout
    assert "9 days in the post; post by Thu 5 Mar 2026" in answer and "4 days in the post" in answer
    assert "A letter of yours takes 9 days; post by Thu 5 Mar 2026" in " ".join(page.split())
    assert "A letter of yours takes 9 days, post by 5 March 2026" in paper and "Days of post" in paper
    assert "England – Mexico 9 days, post by 5 March 2026" in paper and "England 2 days" in paper
    assert "days in the post" in shown
    feed = Calendar.from_ical(game_calendar(office, world.players["France"], key))
    dates = [e.decoded("DTSTART") for e in feed.walk("VEVENT")]
    assert LAST - timedelta(days=9) in dates


def test_each_player_is_reminded_a_day_before_the_own_last_day_to_post(world: World) -> None:
    office, key = world.office, world.game.key
    games.set_settings(office, world.host, key, {"post_routes": {"England - Mexico": 9, "England - England": 2}})
    turn = games.game(office, world.host, key).turn
    assert turn is not None
    deadlines.extend(office, world.host, key, turn.deadline + timedelta(days=1), "the post is on strike")  # plans anew
    world.settle()

    def reminded(power: str) -> int:
        return len(world.outbox.to(world.address_of(power), "reminder"))

    world.passes(days=4)
    assert [reminded(power) for power in ("France", "England")] == [1, 0]
    assert "Post by Fri 6 Mar 2026" in world.told("France", "reminder")
    world.passes(days=7, hours=12)
    assert reminded("England") >= 1


def test_a_single_address_has_days_of_its_own_and_the_address_on_the_letter_follows(world: World) -> None:
    office, key, boss = world.office, world.game.key, world.host
    games.set_settings(office, boss, key, {"post_routes": {"England - Mexico": 9}})
    site = client_of(served(office), office, world.players["France"])
    own = {"lines": "Poste restante", "country": "Mexico", "first": "2026-03-05", "last": "2026-03-09", "days": "3"}
    assert press(site, "/me", "Add", own, action="/me/addresses").status_code == 303
    assert "3 days by post" in site.get("/me").text
    (line,) = [one for one in roster.roster(office, boss, key) if one.power == "France"]
    assert line.days == 3 and line.then is not None and line.then.lines == ("Poste restante",)
    assert "Poste restante" in text_of(GamePapers(office, boss, key).labels())
    assert "1 Mexico Street" in text_of(GamePapers(office, boss, key, 9).labels()), "as somebody says"
    world.clock.set(START + timedelta(days=5))  # it would come when the traveller has left
    (line,) = [one for one in roster.roster(office, boss, key) if one.power == "France"]
    assert line.address is not None and line.address.lines == ("Poste restante",)
    assert line.days == 9 and line.then is not None and line.then.lines == ("1 Mexico Street",)


@pytest.mark.parametrize(
    ("routes", "fault"),
    [
        ({"England": 3}, "write two countries"),
        ({"England - Spain": 99}, "from 0 to 60 days"),
        ({"England - Spain": 3, "spain – England": 4}, "each pair of countries once"),
    ],
)
def test_routes_that_are_none_are_refused(world: World, routes: dict[str, int], fault: str) -> None:
    with pytest.raises(InvalidInputError, match=fault):
        games.set_settings(world.office, world.host, world.game.key, {"post_routes": routes})
