"""Pages of people who play: profiles, lists of rated players, points, and the settings of a game that counts."""

from __future__ import annotations

from legation.bots import levels
from legation.office.context import Actor
from legation.office.hosting import games, profiles
from legation.office.office import Office
from legation.scoring import SYSTEMS
from legation.web import create_app
from tests.office.playing import begin, end_game, person
from tests.web.clients import client_of, new_game


def test_a_profile_is_shown_to_others_once_its_owner_says_so(office: Office) -> None:
    record, players, _ = begin(office, rated=True)
    end_game(office, record.key, ["France"])
    france, app = players["France"], create_app(office)
    own, visitor = client_of(app, office, france), client_of(app)
    at = f"/people/{profiles.preview(office, france).person}"
    assert visitor.get(at).status_code == 404
    assert visitor.get("/me/profile").status_code in (303, 401)
    assert "Only you see this." in own.get("/me/profile").text
    assert own.post("/me/profile", data={"profile": "on", "ranked": "on", "about": "Hello <b>"}).status_code == 303
    told = visitor.get(at).text
    assert "Hello &lt;b&gt;" in told and record.name in told and "1 rated game" in told
    assert "This is what others see." in own.get("/me/profile").text
    assert at in visitor.get("/leaderboard").text and "@example.org" not in told
    refused = own.post("/me/profile", data={"about": "x" * 201})
    assert refused.status_code == 422 and "x" * 201 in refused.text
    own.post("/me/profile", data={})
    assert visitor.get(at).status_code == 404 and france.name not in visitor.get("/leaderboard").text


def test_points_stand_on_the_page_of_a_finished_game(office: Office) -> None:
    record, _, _ = begin(office, scoring="draw-size")
    site = client_of(create_app(office))
    assert ">Points<" not in site.get(f"/games/{record.key}/powers").text
    end_game(office, record.key, ["France"])
    told = site.get(f"/games/{record.key}/powers").text
    assert ">Points<" in told and "Draw size" in told and '<td class="number">100</td>' in told


def test_a_host_chooses_what_a_game_counts_for(office: Office) -> None:
    host = person(office, "Host")
    site = client_of(create_app(office), office, host)
    form = site.get("/games/new").text
    assert all(f'value="{key}"' in form for key in SYSTEMS)
    if levels.STAND_IN in levels.names():
        assert f'value="{levels.STAND_IN}" selected' in form, "a bot plays on for players who leave"
    assert f'value="{levels.STAND_IN}" selected' not in site.get("/games/new?like=post").text
    sent = new_game("Counted", votes="usual", stand_in="", scoring="carnage", rated="on", reliability="80")
    assert site.post("/games/new", data={**sent, "reliability": "x"}).status_code == 422
    assert site.post("/games/new", data=sent).status_code == 303
    settings = games.game(office, Actor.console(), "counted").settings
    assert (settings["scoring"], settings["rated"], settings["reliability"]) == ("carnage", True, 80)
    told = client_of(create_app(office)).get("/games/counted").text
    assert "80% of turns in time" in told and "Carnage" in told
    assert all(system.formula.split(";")[0] in site.get("/rules/scoring").text for system in SYSTEMS.values())
