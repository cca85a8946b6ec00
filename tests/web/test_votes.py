"""Votes on the pages: the players' panel, the host's questions, and the calls of the interface."""

from legation.office.context import Actor
from legation.office.hosting import games, votes
from legation.office.office import Office
from tests.office.playing import begin
from tests.web.clients import Visitor
from tests.web.forms import forms_of
from tests.web.test_api import token


def test_players_vote_on_the_page_and_the_host_asks(office: Office, visitor: Visitor) -> None:
    game, players, host = begin(office)
    here, desk = f"/games/{game.key}/powers", f"/desk/{game.key}"
    france, england, boss = (visitor(a) for a in (players["France"], players["England"], host))
    assert "Ask the players" in boss.get(desk).text
    asked = {"question": "extend ", "hours": "48", "reason": "A wedding.", "once": "1"}
    assert boss.post(f"{desk}/ask", data=asked).status_code == 303
    assert boss.post(f"{desk}/ask", data={**asked, "hours": "soon", "once": "2"}).status_code == 422
    sheet = france.get(f"/games/{game.key}").text
    assert "Vote to extend the deadline by 48 hours" in sheet and "A wedding." in sheet
    shown = visitor().get(here).text
    assert "Vote for it" not in shown and "Vote to extend the deadline by 48 hours" in shown
    due = game.turn.deadline if game.turn else None
    ballot = f"/games/{game.key}/votes"
    assert france.post(ballot, data={"kind": "extend", "hours": "48"}).status_code == 303
    assert "You voted for it." in france.get(here).text and "1 of 2 votes: France" in england.get(here).text
    refused = france.post(ballot, data={"kind": "resume"})
    assert refused.status_code == 409 and "The game isn&#39;t paused." in refused.text
    assert visitor().post(ballot, data={"kind": "pause"}).status_code in (303, 401, 403)
    assert england.post(ballot, data={"kind": "extend", "hours": "48"}).status_code == 303
    moved = games.game(office, host, game.key).turn
    assert moved is not None and due is not None and (moved.deadline - due).days == 2
    assert france.post(ballot, data={"kind": "pause"}).status_code == 303
    assert france.post(ballot, data={"kind": "pause", "do": "take back"}).status_code == 303
    seat = f"/api/v1/games/{game.key}/seats/England/votes/pause"
    program = visitor(headers=token(office, players["England"]))
    assert program.put(seat, json={}).json()["mine"] is True
    assert program.delete(seat).json()["votes"] == 0
    (pause, *_) = program.get(f"/api/v1/games/{game.key}/votes").json()
    assert (pause["kind"], pause["needed"]) == ("pause", 2)
    assert france.put(f"/api/v1/games/{game.key}/seats/England/votes/pause", json={}).status_code in (401, 403)


def test_each_vote_is_a_form_on_the_page(office: Office, visitor: Visitor) -> None:
    game, players, _ = begin(office)
    site, here = visitor(players["France"]), f"/games/{game.key}/powers"
    forms = [form for form in forms_of(site.get(here).text, here) if form.action.endswith("/votes")]
    offered = {form.fields["kind"][0]: form for form in forms}
    assert {"pause", "extend", "cancel"} <= set(offered) and {"12", "48"} <= offered["extend"].choices["hours"]
    for kind in ("pause", "extend", "cancel"):
        assert site.post(offered[kind].action, data=offered[kind].fields).status_code == 303
    standing = votes.standing(office, players["France"], game.key)
    assert {vote.kind for vote in standing if vote.mine} == {"pause", "extend", "cancel"}
    assert [vote.hours for vote in standing if vote.kind == "extend"] == [24]


def test_the_vote_that_ends_a_game_for_good_is_asked_about_first(office: Office, visitor: Visitor) -> None:
    game, players, _ = begin(office, ready_ends=False)
    here = f"/games/{game.key}/powers"
    asked = "Yours is the last vote it needs"
    assert "orders are due" in visitor(players["France"]).get(here).text
    for number, power in enumerate(players, 1):
        site = visitor(players[power])
        assert (asked in site.get(here).text) == (number == len(players)), "a vote before can be taken back"
        assert site.post(f"/games/{game.key}/votes", data={"kind": "cancel"}).status_code == 303
    assert games.game(office, Actor.visitor(), game.key).state == "cancelled"
    page = visitor(players["France"]).get(here).text
    assert "Cancelled." in page and "orders are due" not in page


def test_a_vote_to_cancel_in_an_anonymous_game_may_be_the_last(office: Office, visitor: Visitor) -> None:
    """How many votes it needs would tell who is left."""
    game, players, _ = begin(office, anonymous=True, shows_senders="nobody")
    page = visitor(players["France"]).get(f"/games/{game.key}/powers").text
    assert "If yours is the last vote it needs, the game ends at once" in page


def test_the_host_of_bots_alone_decides_at_once(office: Office, visitor: Visitor) -> None:
    game, _, host = begin(office, powers=0)
    site, desk = visitor(host), f"/desk/{game.key}"
    shown = site.get(desk).text
    assert "what you decide happens at once" in shown and "Ask the players" not in shown and "Do it" in shown
    assert site.post(f"{desk}/ask", data={"question": "pause ", "reason": "a look", "once": "1"}).status_code == 303
    paused = games.game(office, host, game.key)
    assert (paused.state, paused.paused) == ("paused", "a look")
    assert site.post(f"{desk}/ask", data={"question": "resume ", "reason": "", "once": "2"}).status_code == 303
    assert games.game(office, host, game.key).state == "running"
    due = games.game(office, host, game.key).turn
    assert site.post(f"{desk}/ask", data={"question": "extend ", "hours": "24", "once": "3"}).status_code == 303
    moved = games.game(office, host, game.key).turn
    assert due is not None and moved is not None and (moved.deadline - due.deadline).days == 1
    assert site.post(f"{desk}/ask", data={"question": "cancel ", "reason": "enough", "once": "4"}).status_code == 303
    assert games.game(office, host, game.key).state == "cancelled"
