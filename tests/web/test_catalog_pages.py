"""The catalog's pages: proposed from the designer or as a package, answered, rated, taken along; what strangers
write stays text."""

import pytest

from legation.office.context import Actor
from legation.office.hosting import catalog, ratings
from legation.office.identity import people
from legation.office.office import Office
from legation.office.store.rows import GameRow
from legation.web.designer.proposing import packed_files
from tests.office.playing import alter, begin, person
from tests.office.test_catalog import TEXT, checked, packed
from tests.web.test_players import as_person, visitor

SCRIPT = "<script>alert(1)</script>"


@pytest.mark.long
def test_a_variant_goes_from_the_designer_into_the_catalog(office: Office) -> None:
    anna, ada = person(office, "Anna"), person(office, "Ada")
    people.make_administrator(office, Actor.console(), ada.person or 0)
    site, desk = as_person(office, anna), as_person(office, ada)
    at = site.post("/designer", data={"text": TEXT.format(centers=20)}).headers["location"]
    upload = at.rpartition("/")[2]
    assert f"/proposals/new?upload={upload}" in site.get(at).text
    form = site.get(f"/proposals/new?upload={upload}").text
    assert 'value="the-duel"' in form and 'name="authors" maxlength="300" value="Anna"' in form
    given = {
        "upload": upload,
        "name": "the-duel",
        "version": "1.0",
        **dict.fromkeys(("authors", "license", "notes"), SCRIPT),
    }
    wrong = site.post("/proposals", data={**given, "version": "one"})
    assert wrong.status_code == 422 and "numbers with points" in wrong.text and SCRIPT not in wrong.text
    assert site.post("/proposals", data={**given, "name": "../x"}).status_code == 422
    assert "comes with Legation" in site.post("/proposals", data={**given, "name": "hundred"}).text
    made = site.post("/proposals", data={**given, "source": "javascript:alert(1)"})
    assert made.status_code == 303, made.text
    number = int(made.headers["location"].rpartition("/")[2])
    assert number > 9, "it tells nobody how many were proposed before"
    assert [site.get(f"/proposals/{other}").status_code for other in (1, number + 1, -1, 10**30)] == [404] * 4
    for reader in (site, desk):
        shown = reader.get(f"/proposals/{number}").text
        assert SCRIPT not in shown and "&lt;script&gt;" in shown and 'href="javascript' not in shown
    assert "Refuse it" not in site.get(f"/proposals/{number}").text
    assert site.post(f"/proposals/{number}", data={"do": "take in"}).status_code == 403
    assert visitor(office).get("/variants/the-duel").status_code == 404

    assert f"/proposals/{number}" in desk.get("/desk").text
    laid = desk.post(f"/proposals/{number}/open").headers["location"]
    assert "No problems found" in desk.get(laid).text
    assert desk.post(f"/proposals/{number}", data={"do": "refuse", "reason": " "}).status_code == 422
    assert desk.post(f"/proposals/{number}", data={"do": "take in"}).status_code == 303
    guest = visitor(office)
    listed = guest.get("/variants?origin=catalog&search=script").text
    assert "The Duel" in listed and SCRIPT not in listed
    page = guest.get("/variants/the-duel")
    assert page.status_code == 200 and SCRIPT not in page.text and "Remove from the catalog" not in page.text
    opened = guest.get("/sandbox/new?variant=the-duel").headers["location"]
    for pasted in (guest.get(f"{opened}/position.json").text, "Spring 1905 Movement\nFrance: A bur"):
        again = guest.post("/sandbox", data={"text": pasted, "variant": "the-duel"})
        assert again.status_code == 303, again.text
        assert guest.get(f"{again.headers['location']}/position.json").json()["variant"] == "the-duel"
    pack = guest.get("/variants/the-duel/package/1.0")
    assert pack.content[:2] == b"PK" and "attachment" in pack.headers["content-disposition"]
    for part in ("/rules", "/balance"):
        assert guest.get(f"/variants/the-duel{part}").status_code == 200, part
    assert 'value="the-duel" selected' in site.get("/games/new?variant=the-duel").text
    assert guest.post("/variants/the-duel/remove", data={"reason": "x"}).status_code in (303, 401)
    assert site.post("/variants/the-duel/remove", data={"reason": "x"}).status_code == 403
    assert desk.post("/variants/the-duel/remove", data={"reason": "x"}).status_code == 303
    assert guest.get("/variants/the-duel").status_code == 404


def test_a_pack_is_proposed_and_harm_is_told(office: Office) -> None:
    site = as_person(office, person(office, "Anna"))
    for content, told in (
        (b"", "Choose the package"),
        (b"PK\x03\x04" + bytes(100), "a zip archive"),
        (packed(files={"rules/tides.py": "raise SystemExit"}), "brings Python"),
    ):
        name = "" if not content else "x.legation"
        answer = site.post("/proposals", files={"package": (name, content)})
        assert answer.status_code in (400, 422) and told in answer.text
    assert site.post("/proposals", files={"package": ("x.legation", packed())}).status_code == 303
    assert visitor(office).post("/proposals", files={"package": ("x", packed())}).status_code in (303, 401)
    assert len(catalog.proposals(office, Actor.console())) == 1


def test_the_administrator_is_shown_what_else_is_proposed_under_the_name(office: Office) -> None:
    anna, ben, ada = (person(office, name) for name in ("Anna", "Ben", "Ada"))
    people.make_administrator(office, Actor.console(), ada.person or 0)
    first, second = catalog.propose(office, ben, checked()), catalog.propose(office, anna, checked())
    for one, other in ((first, second), (second, first)):
        shown = as_person(office, ada).get(f"/proposals/{one.number}").text
        assert f'href="/proposals/{other.number}"' in shown and "with the same rules" in shown
    assert f"/proposals/{first.number}" not in as_person(office, anna).get(f"/proposals/{second.number}").text


@pytest.mark.long
def test_ratings_are_given_on_the_page_and_told_as_a_mean(office: Office) -> None:
    catalog.add(office, Actor.console(), checked())
    game, players, host = begin(office, "duel", "First")
    site, other = as_person(office, players["France"]), as_person(office, host)
    at = "/variants/duel"
    assert "rate it" not in site.get(at).text
    alter(office, GameRow, {"state": "ended"}, key=game.key)
    assert "rate it" in site.get(at).text and "rate it" not in other.get(at).text
    assert other.post(f"{at}/rating", data={"stars": "1"}).status_code == 403
    assert site.post(f"{at}/rating", data={"stars": "9"}).status_code == 422
    assert site.post(f"{at}/rating", data={"stars": "4"}).status_code == 303
    assert "4.0 of 5" in visitor(office).get(at).text and "by 1 person" in visitor(office).get(at).text
    assert "rated 4.0 of 5" in visitor(office).get("/variants?sort=rating").text
    assert site.post(f"{at}/rating", data={"do": "take back"}).status_code == 303
    assert ratings.ratings(office, Actor.visitor()) == []


def test_the_files_of_a_piece_lie_in_a_package_as_they_should() -> None:
    files = {"variant.toml": 'name = "x"\nboard = "isle"\n', "board.toml": "b", "land.csv": "l", "import.md": "r"}
    assert packed_files("mine", files) == {
        "mine.toml": '\nboard = "isle"\n',
        "isle/board.toml": "b",
        "isle/land.csv": "l",
    }
    edition = {"a-duel.toml": 'title = "A duel"\nboard = "isle"\n', "isle.toml": 'board = "isle"\n'}
    assert packed_files("mine", edition) == {"mine.toml": 'board = "isle"\n'}, "the one that is played in the designer"
