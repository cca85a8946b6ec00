"""Pages, files and papers of tournaments and leagues: what people do there without scripts, and what others see."""

import re

import pytest
from starlette.testclient import TestClient

from legation.cli.serving import whole_site
from legation.office.context import Actor
from legation.office.hosting import leagues, rounds, tournaments
from legation.office.hosting.tournaments import NewEntrant
from legation.office.office import Office
from legation.office.operation import work
from tests.office.playing import person
from tests.office.test_tournaments import HEAD, KEY, board_of, face_to_face, online, seated, table
from tests.web.clients import client_of

AT = f"/tournaments/{KEY}"
NEW = {
    "name": "Winter Open", "variant": "hundred", "rounds": "2", "best": "0", "system": "carnage", "ties": "rounds",
    "seating": "mixed", "online": "no", "listed": "on",
}  # fmt: skip


@pytest.fixture
def host(office: Office) -> Actor:
    return person(office, "Hilda")


def clients(office: Office, host: Actor) -> tuple[TestClient, TestClient]:
    site = whole_site(office)
    return client_of(site, office, host), client_of(site)


def text_of(client: TestClient, path: str, **query: str) -> str:
    answer = client.get(path, params=query)
    assert answer.status_code == 200, (path, answer.status_code, answer.text[:2000])
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text))


def test_a_tournament_face_to_face_is_run_by_its_pages(office: Office, host: Actor) -> None:
    own, visitor = clients(office, host)
    offered = own.get("/tournaments/new", headers={"accept-language": "es"}).text
    assert "con el bot principiante" in offered and "Por puestos" in offered and "Reparto de mesas" in offered
    refused = own.post("/tournaments/new", data={**NEW, "rounds": "99"})
    assert refused.status_code == 422 and "rounds: from 1 to 20" in refused.text and "Winter Open" in refused.text
    assert own.post("/tournaments/new", data=NEW).headers["location"] == f"{AT}/manage"
    assert "Winter Open" in text_of(visitor, "/tournaments")
    assert visitor.get(f"{AT}/manage").headers["location"].startswith("/sign-in")
    assert client_of(whole_site(office), office, person(office, "Eve")).get(f"{AT}/manage").status_code == 404
    own.post(f"{AT}/manage/people", data={"people": "name,substitute\n" + "".join(f"P{n},\n" for n in range(1, 7))})
    seated(office, (1, 2, 3), (4, 5, 6))
    assert "Begin round 1" in text_of(own, f"{AT}/manage")
    own.post(f"{AT}/manage/exchange", data={"round": "1", "one": "1", "other": "4"})
    assert "Board call, round 1" in text_of(visitor, f"{AT}/screen")
    assert visitor.get(f"{AT}/screen").headers["refresh"] == "20"
    own.post(f"{AT}/manage/start", data={"round": "1"})
    sent = {"round": "1", "board": "1", "power": ["Burgundy", "England", "France"], "centers Burgundy": "8"}
    wrong = own.post(f"{AT}/manage/result", data={**sent, "centers England": "many", "centers France": "3"})
    assert wrong.status_code == 422 and "Write a whole number" in wrong.text and 'value="many"' in wrong.text
    fine = {**sent, "centers England": "6", "centers France": "3"}
    assert own.post(f"{AT}/manage/result", data=fine).status_code == 303
    assert own.post(f"{AT}/manage/substitute", data={"out": "1", "into": "2"}).status_code == 409
    shown = text_of(visitor, AT)
    assert "1 P4 3008 3008" in shown and "1 board is not over yet" in shown and "Burgundy P4 3008" in shown
    rows = table(1, 2, ("P1", "P5", "P6")) + table(2, 1, ("P1", "P2", "P3"))
    assert own.post(f"{AT}/manage/results", data={"results": HEAD + rows}).status_code == 303
    assert "Standings after round 1" in text_of(visitor, AT, round="1")
    own.post(f"{AT}/manage/entrant", data={"number": "6", "do": "out"})
    assert "P6 withdrew" in text_of(visitor, AT)
    assert own.post(f"{AT}/manage/end").status_code == 303
    assert "Ended; 5 players" in text_of(visitor, AT) and "Finished" in text_of(visitor, "/tournaments")
    assert "The tournament ended." in text_of(visitor, AT)


def test_files_and_papers_of_a_tournament(office: Office) -> None:
    host = face_to_face(office)
    _, visitor = clients(office, host)
    assert visitor.get(f"{AT}/print/standings.pdf").status_code == 409
    results = HEAD + table(1, 1, ("P1", "P2", "P3")) + table(1, 2, ("P4", "P5", "P6"), (6, 6, 5))
    rounds.take_results(office, host, KEY, results)
    assert visitor.get(f"{AT}/results.csv").text.replace("\r\n", "\n") == results
    assert visitor.get(f"{AT}/people.csv").text.splitlines()[1] == "1,P1,,in"
    assert visitor.get(f"{AT}/standings.csv").text.splitlines()[:2] == ["place,player,total,round 1", "1,P1,3009,3009"]
    for name in ("standings", "boards"):
        paper = visitor.get(f"{AT}/print/{name}.pdf")
        assert paper.status_code == 200 and paper.content.startswith(b"%PDF"), paper.text
    tournaments.add_people(office, host, KEY, [NewEntrant("=1+1")])
    assert visitor.get(f"{AT}/people.csv").text.splitlines()[-1] == "7,'=1+1,,in"


def test_people_enter_withdraw_and_find_their_boards(office: Office) -> None:
    host, people = online(office, 3, settings={"anonymous": True})
    site = whole_site(office)
    eve = client_of(site, office, person(office, "Eve"))
    assert "stays hidden until a game ends" in text_of(eve, AT)
    assert eve.post(f"{AT}/enter", data={"substitute": "yes"}).status_code == 303
    assert "as a substitute" in text_of(eve, AT) and "Withdraw" in text_of(eve, AT)
    assert eve.post(f"{AT}/withdraw").status_code == 303 and "Eve withdrew" in text_of(eve, AT)
    seated(office, (1, 2, 3))
    rounds.start(office, host, KEY, 1)
    work.run_due(office)
    key = board_of(tournaments.tournament(office, host, KEY)).game
    mine, others = client_of(site, office, people[0]), client_of(site)
    assert "Burgundy Player0" in text_of(mine, AT) and "England hidden" in text_of(mine, AT)
    for path in (AT, f"{AT}/screen?show=boards", f"{AT}?live=true", f"{AT}/results.csv", f"{AT}/standings.csv"):
        told = text_of(others, path)
        assert "Burgundy Player0" not in told and "Place Player" not in told, path
    assert key in others.get(AT).text and f'href="{AT}"' in others.get(f"/games/{key}/powers").text
    own = client_of(site, office, host)
    until = office.clock.now().replace(year=office.clock.now().year + 9)
    late = {"round": "1", "until": f"{until:%Y-%m-%dT%H:%M}", "reason": "x"}
    assert own.post(f"{AT}/manage/extend", data=late).status_code == 422
    assert own.post(f"{AT}/manage/call", data={"round": "1", "board": "1", "reason": "it is late"}).status_code == 303
    assert "Burgundy Player0" in text_of(others, AT)
    assert own.post(f"{AT}/manage/cancel", data={"reason": "no time"}).status_code == 303
    assert "Cancelled" in text_of(others, AT)


def test_a_league_shows_its_seasons(office: Office, host: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    own, visitor = clients(office, host)
    league = own.post("/tournaments/new", data={"league": "yes", "name": "Club", "moves": "2"})
    assert league.headers["location"] == "/leagues/club"
    assert own.post("/leagues/club/season", data={**NEW, "divisions": "0"}).status_code == 422
    assert own.post("/leagues/club/season", data={**NEW, "divisions": "2"}).status_code == 303
    for line, names in zip(leagues.league(office, host, "club").seasons[0].divisions, ("ABC", "DEF"), strict=True):
        tournaments.add_people(office, host, line.key, [NewEntrant(name) for name in names])
        rounds.take_results(office, host, line.key, HEAD + table(1, 1, names))
    shown = text_of(visitor, "/leagues/club")
    assert "Season 1" in shown and "Division 2" in shown and "1 D 3009" in shown and "Open season 2" not in shown
    assert "Open season 2" in text_of(own, "/leagues/club")
    shown = visitor.get("/leagues/club").text
    assert (shown.count('class="rises"'), shown.count('class="falls"')) == (1, 1), "never more than half of three"
    for number in (1, 2):  # standings of the last two seasons are worked out: a league has ever more
        for line in leagues.league(office, host, "club").seasons[0].divisions:
            tournaments.cancel(office, host, line.key, "rain")
        assert own.post("/leagues/club/season", data={**NEW, "divisions": "2"}).status_code == 303
        assert ("1 D 3009" in text_of(visitor, "/leagues/club")) is (number == 1)
    monkeypatch.setattr(leagues, "SHOWN", 3)
    listed = [(one.number, len(one.divisions)) for one in leagues.league(office, host, "club").seasons]
    assert listed == [(3, 2), (2, 1)]
