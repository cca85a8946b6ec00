"""Pages of the archive: openings on the map, public press, finished games; names and signals for administrators."""

from datetime import date

from legation.office.clock import SimulatedClock
from legation.office.desk import letters
from legation.office.hosting import imports, openings
from legation.office.identity import people, traces
from legation.office.office import Office
from legation.web import create_app
from tests.office.playing import CONSOLE, VISITOR, begin, end_game, person
from tests.office.test_archive import play, saved
from tests.web.clients import client_of


def test_openings_are_shown_on_the_map(office: Office, clock: SimulatedClock) -> None:
    key, _ = play(office, clock)
    site = client_of(create_app(office), office)
    assert "No finished public game tells" in site.get("/variants/standard/openings").text
    end_game(office, key, ["France"])
    page = site.get("/variants/standard/openings?power=France")
    assert page.status_code == 200 and "A par - bur" in page.text and "100%" in page.text
    (first,) = openings.openings(office, VISITOR, "standard", "France").next
    chosen = site.get(f"/variants/standard/openings?power=France&line={first.line}").text
    assert "Spring 1901 Movement" in chosen and "No finished game here tells more" in chosen
    state = site.get(f"/variants/standard/openings/state.svg?power=France&line={first.line}")
    assert state.headers["content-type"].startswith("image/svg+xml") and state.text.count('data-at="') >= 3
    assert site.get(f"/variants/standard/openings/map-dark.svg?power=France&line={first.line}").status_code == 200
    assert site.get("/variants/standard/openings?power=Spain").status_code == 404
    assert site.get("/variants/standard/openings?power=France&line=x").status_code == 404


def test_public_press_is_searched(office: Office, clock: SimulatedClock) -> None:
    key, players = play(office, clock)
    letters.write(office, players["France"], key, "France", ["all"], "An otter & <b>a heron</b> in the Channel.")
    end_game(office, key, ["France"])
    site = client_of(create_app(office), office)
    found = site.get("/press?words=otter").text
    assert "An otter &amp; &lt;b&gt;a heron" in found and f'href="/games/{key}/letters"' in found
    assert "No letter has all of these words" in site.get("/press?words=badger").text
    assert "Search for 1 to 8 words" in site.get("/press?words=--").text


def test_imported_games_are_found_and_a_name_in_one_is_claimed_and_confirmed(
    office: Office, clock: SimulatedClock
) -> None:
    key, _ = play(office, clock)
    end_game(office, key, ["France"])
    record = {"document": saved(office, key), "source": "webDiplomacy", "ended": date(2019, 5, 1), "name": "Old Game"}
    imports.bring(office, CONSOLE, {**record, "names": {"France": "Anna of Old"}, "draw": ["France"]})
    site = client_of(create_app(office), office)
    found = site.get("/games?how=draw&player=anna+of+old&turns_from=&turns_to=9").text
    assert "Old Game" in found and "imported" in found and "Powick Bridge" not in found and "drawn" in found
    assert "No games match" in site.get("/games?how=ranking").text
    shown = site.get("/games/old-game/powers").text
    assert "Anna of Old" in shown and "webDiplomacy" in shown
    assert site.get("/games/old-game").status_code == site.get("/games/old-game/proofs").status_code == 200
    anna, chief = person(office, "Anna"), person(office, "Chief")
    people.make_administrator(office, CONSOLE, chief.person or 0)
    own, desk = (client_of(create_app(office), office, who, follow_redirects=True) for who in (anna, chief))
    assert "No imported record" in own.post("/me/record-names/add", data={"name": "Nobody"}).text
    assert "waits for an administrator" in own.post("/me/record-names/add", data={"name": "anna of  old"}).text
    assert "Anna of Old" in desk.get("/desk").text
    shown = desk.get("/moderation").text
    assert "Anna of Old" in shown and "Nothing." in shown
    number = str(office.numbers.shown("person", anna.person or 0))
    assert "confirmed" in desk.post("/moderation/confirm", data={"name": "Anna of Old", "person": number}).text
    assert "Old Game" in own.get("/me/profile").text
    assert own.get("/moderation").status_code == 403
    assert "Take it back" not in desk.post("/moderation/refuse", data={"name": "Anna of Old", "person": number}).text
    assert "Old Game" not in own.get("/me/profile").text


def test_who_sends_orders_leaves_a_trace_without_an_address(office: Office) -> None:
    record, players, _ = begin(office, "standard")
    app = create_app(office)
    assert record.turn is not None
    for power in ("France", "Austria"):
        site = client_of(app, office, players[power], client=("192.0.2.7", 50_000))
        sent = {"text": "", "turn": record.turn.name}
        assert site.post(f"/games/{record.key}/sheet/send", data=sent).status_code in (200, 303)
    (signal,) = traces.signals(office, CONSOLE)
    assert signal.games == (record.key,) and len(signal.network) == len(signal.device) == 1
