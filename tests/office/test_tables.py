"""Games in which one person orders for all powers."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import mailings
from legation.office.errors import ConflictError, InvalidInputError, NotAllowedError, OfficeError, SignInNeededError
from legation.office.game import seats
from legation.office.hosting import games, profiles, votes
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import tables
from tests.office.playing import CONSOLE, VISITOR, begin, gather, passes, person, refuses
from tests.office.test_hidden_senders import write_foggy

KEY = "table"


def table(office: Office, host: Actor, **settings: Any) -> None:
    made = {"schedule": "live", "one_orders_all": True, **settings}
    gather(office, host, "Table", **made)
    work.run_due(office)


def test_one_person_plays_a_turn_for_all(office: Office, clock: SimulatedClock) -> None:
    host = person(office, "Hilda")
    table(office, host)
    game = games.game(office, host, KEY)
    assert game.state == "running" and set(game.powers) == {"Burgundy", "England", "France"}
    assert [m.kind for m in mailings.claim(office)] == ["game started"], "one mail, not one for each power"
    for wrong in ("A par - nowhere", "France: A cal H", "England: A par H"):
        refuses(InvalidInputError, tables.order_all, office, host, KEY, wrong)
    got = tables.order_all(office, host, KEY, "A par - orl\nEngland: A cal H, F lon H")
    assert sorted(receipt.power for receipt in got) == ["Burgundy", "England", "France"]
    work.run_due(office)
    result = games.result(office, VISITOR, KEY)
    given = {sheet.power: sheet.orders for sheet in result.sheets}
    assert given["France"] == ("A par - orl",) and given["England"] == ("A cal H", "F lon H")
    assert len(mailings.claim(office)) == 1
    turn = games.game(office, host, KEY).turn
    assert turn is not None and turn.name != result.name
    passes(office, clock, timedelta(minutes=11))
    later = games.game(office, host, KEY).turn
    assert later is not None and later.number > turn.number, "its phases are timed"


def test_nobody_else_sits_or_orders_there(office: Office) -> None:
    host, eve = person(office, "Hilda"), person(office, "Eve")
    table(office, host)
    for who, refusal in ((eve, NotAllowedError), (VISITOR, SignInNeededError)):
        refuses(refusal, tables.order_all, office, who, KEY, "A par H")
    seats.resign(office, host, KEY, "France")
    refuses(ConflictError, seats.take_over, office, eve, KEY, "France").match("One person")
    refuses(OfficeError, votes.vote, office, host, KEY, "England", "pause")


def test_elsewhere_each_power_has_its_own_player(office: Office) -> None:
    game, players, host = begin(office)
    refuses(ConflictError, tables.order_all, office, players["France"], game.key, "A par H")
    refuses(OfficeError, games.set_settings, office, host, game.key, {"one_orders_all": True})
    made = gather(office, host, "Other")
    refuses(ConflictError, games.set_settings, office, host, made.key, {"one_orders_all": True})


@pytest.mark.parametrize("settings", [{"coordinated": True}, {"anonymous": True}, {"rated": True}])
def test_it_is_no_contest(office: Office, settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        table(office, person(office, "Hilda"), **settings)


def test_it_tells_nothing_of_a_player(office: Office) -> None:
    host = person(office, "Hilda")
    people.set_preferences(office, host, {"profile": True})
    table(office, host)
    tables.order_all(office, host, KEY, "")
    work.run_due(office)
    told = profiles.preview(office, host)
    assert told.games == () and told.reliability.turns == 0


def test_hidden_positions_are_no_game_for_one(make_office: Any, tmp_path: Any) -> None:
    write_foggy(tmp_path)
    office = make_office(variants=str(tmp_path))
    host = person(office, "Hilda")
    plan = {"name": "Table", "variant": "foggy", "settings": {"one_orders_all": True}}
    refuses(InvalidInputError, games.create, office, host, plan)
    refuses(InvalidInputError, games.create, office, CONSOLE, {**plan, "variant": "hundred"})
