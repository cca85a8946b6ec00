"""The page of a game in which one person orders for all powers, without scripts."""

from __future__ import annotations

from legation.cli.serving import whole_site
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.operation import work
from tests.office.playing import begin, person
from tests.web.clients import client_of, new_game

PLAN = new_game("Club night", run="alone", schedule="other", own_schedule="15 min; retreats 5 min", ready_ends="on")


def test_a_turn_is_played_on_the_page(office: Office) -> None:
    host = person(office, "Hilda")
    site = whole_site(office)
    own, visitor = client_of(site, office, host), client_of(site)
    made = own.post("/games/new", data=PLAN)
    assert made.status_code == 303, [part[:160] for part in made.text.split("wrong-text")[1:]]
    work.run_due(office)
    shown = own.get("/games/club-night").text
    assert "Orders of all powers" in shown and "Burgundy:\n\nEngland:\n\nFrance:" in shown
    wrong = own.post("/games/club-night/table", data={"text": "France: A par - nowhere"})
    assert wrong.status_code == 422 and "A par - nowhere" in wrong.text
    kept = own.post("/games/club-night/table", data={"text": "France: A par H", "do": "keep"})
    assert kept.status_code == 303
    work.run_due(office)
    turn = games.game(office, host, "club-night").turn
    assert turn is not None and turn.number == 1, "what is only sealed waits"
    sent = {"text": "France: A par - orl\r\nA orl - par", "turn": turn.name}
    assert own.post("/games/club-night/table", data=sent).headers["location"] == "/games/club-night/table"
    assert "is being judged" in own.get("/games/club-night/table").text
    work.run_due(office)
    after = own.get("/games/club-night").text
    assert f"What happened in {turn.name}" in after
    assert own.post("/games/club-night/table", data=sent).status_code == 409, "that turn is over"
    assert (
        visitor.get("/games/club-night").status_code == 200
        and "Orders of all" not in visitor.get("/games/club-night").text
    )
    assert visitor.post("/games/club-night/table", data=sent).status_code in (303, 401)
    eve = client_of(site, office, person(office, "Eve"))
    assert eve.post("/games/club-night/table", data={"text": "France: A par H"}).status_code == 403
    game, players, _ = begin(office)
    player = client_of(site, office, players["France"])
    assert player.post(f"/games/{game.key}/table", data={"text": "A par H"}).status_code == 409
    assert 'href="/games/club-night/table" aria-current="page"' in after


def test_it_is_no_page_of_a_game_whose_players_order_for_themselves(office: Office) -> None:
    record, players, _ = begin(office, name="Naseby")
    player = next(iter(players.values()))
    site = client_of(whole_site(office), office, player)
    assert site.get(f"/games/{record.key}/table").headers["location"] == f"/games/{record.key}"
