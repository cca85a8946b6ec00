"""A running game of another system comes in on the pages: read and shown first, made only when its host says so."""

import io
import zipfile

from starlette.testclient import TestClient

from legation.office.context import Actor
from legation.office.game import journal
from legation.office.hosting import games
from legation.office.office import Office
from legation.web.play.import_pages import MOST_BYTES
from tests.interop import played, toy
from tests.office.playing import person
from tests.web.clients import new_game
from tests.web.test_players import as_person, visitor


def bring(site: TestClient, content: bytes, name: str = "short.json", **fields: str) -> str:
    answer = site.post("/games/import", files={"file": (name, content)}, data=fields)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_a_game_is_shown_with_its_differences_and_goes_on_when_the_host_says_so(office: Office) -> None:
    site = as_person(office, person(office, "Host"))
    assert 'href="/games/import"' in site.get("/games/new").text
    at = bring(site, played.FILES["mila.json"].encode())
    shown = site.get(at).text
    assert "Fall 1901 Movement" in shown and "SECRETWORD" not in shown and "/tmp" not in shown
    assert b"<svg" in site.get(f"{at}/map-dark.svg").content[:500]
    assert games.list_games(office, Actor.console()) == []
    name = at.rpartition("/")[2]
    form = site.get(f"/games/new?imported={name}").text
    assert "goes on here from Fall 1901 Movement" in form and "Rule options</legend>" not in form
    seats = {"seat France": "invite", "mail France": "fred@example.org", "seat England": "hold"}
    made = site.post("/games/new", data=new_game("Moved house") | {**seats, "imported": name})
    assert made.status_code == 303, made.text
    game = games.game(office, Actor.console(), "moved-house")
    assert game.variant == "standard" and {seat.power: seat.bot for seat in game.seats}["England"] == "hold"
    assert any(line.kind == "imported" for line in journal.entries(office, Actor.console(), game.key))
    wrong = played.FILES["short.txt"].replace("{bounced}", "").replace("A mun - bur", "A mun - bur {bounced}")
    answer = site.post("/games/import", data={"text": wrong})
    assert answer.status_code == 303, answer.text
    shown = site.get(answer.headers["location"]).text
    assert "Nothing has been created yet" in shown and "Report" in shown
    whole = played.FILES["short.txt"]
    for text, alike, lost in ((whole, True, False), (whole.replace("A mun - bur", "A mun - xyz"), False, True)):
        shown = site.get(site.post("/games/import", data={"text": text}).headers["location"]).text
        assert ("every result is as in the file" in shown, "Not understood: 1 order." in shown) == (alike, lost)


def test_harm_is_told_and_nothing_is_made(office: Office) -> None:
    site = as_person(office, person(office, "Host"))
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("game.json", b" " * 60_000_000)
    mila = played.FILES["mila.json"]
    for name, content, told in (
        ("x.json", b"", "Choose the game"),
        ("x.json", b"\x00" * (MOST_BYTES + 1), "are read"),
        ("../../x.json", b"{}", ""),
        ("x.json", b"[" * 100_000, ""),
        ("x.zip", bomb.getvalue(), ""),
        (
            "toy.map",
            toy.JUDGE.encode(),
            "toy.map: is a variant, not a game (DPjudge and MILA maps (.map)); the designer",
        ),
        ("x.json", mila.replace("A MAR", "A <script>alert(1)</script>").encode(), ""),
    ):
        answer = site.post("/games/import", files={"file": (name if content else "", content)})
        assert answer.status_code in (413, 422), (name, answer.status_code)
        assert told in answer.text and "<script>alert" not in answer.text and "/tmp" not in answer.text
    assert site.post("/games/import", files={"file": ("x", mila)}, data={"variant": "none"}).status_code == 404
    for address in ("/games/import/aaaaaaaaaaaaaaaa", "/games/new?imported=aaaaaaaaaaaaaaaa"):
        assert site.get(address).status_code == 404
    stranger = visitor(office)
    for answer in (stranger.get("/games/import"), stranger.post("/games/import", files={"file": ("x", mila)})):
        assert answer.status_code in (303, 401)
    assert games.list_games(office, Actor.console()) == []
