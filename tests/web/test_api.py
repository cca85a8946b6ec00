"""The API: every command has a route, answers and refusals have their form, and nobody gets what is not theirs."""

import json

import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from legation.office.context import Actor
from legation.office.identity import people
from legation.office.office import Office
from legation.office.permissions import commands
from legation.web import create_app
from legation.web.api import application
from legation.web.api.calling import ROUTES, arguments_of
from legation.web.serving import forms
from tests.office.playing import begin, person, picture
from tests.web.clients import asked_by_hand

ORDERS = "A Paris H\nA Dauphine - Provence"


def token(office: Office, actor: Actor, scopes: tuple[str, ...] = ("everything",)) -> dict[str, str]:
    assert actor.person is not None
    made = people.token_for(office, Actor.console(), actor.person, "tests", scopes)
    return {"Authorization": f"Bearer {made.secret}"}


class World:
    """An office with a game, and programs that call it."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.game, self.players, self.host = begin(office, "hundred", coordinated=True)
        self.http = TestClient(create_app(office), raise_server_exceptions=True)
        self.france = token(office, self.players["France"])
        self.england = token(office, self.players["England"])
        self.coordinator = token(office, self.host)
        self.outsider = token(office, person(office, "Outsider"))
        boss = person(office, "Boss")
        assert boss.person is not None
        people.make_administrator(office, Actor.console(), boss.person)
        self.administrator = token(office, boss)

    def seat(self, path: str, power: str = "France") -> str:
        return f"/api/v1/games/{self.game.key}/seats/{power}{path}"

    def at(self, path: str) -> str:
        return f"/api/v1/games/{self.game.key}{path}"


@pytest.fixture(name="world")
def api_world(office: Office) -> World:
    return World(office)


def test_every_command_has_a_route_of_its_own_and_takes_all_its_arguments() -> None:
    routed = [(command.method, command.path) for command in commands().values() if command.path]
    assert len(set(routed)) == len(routed)
    for route in ROUTES:
        wanted = arguments_of(route.name)
        assert set(wanted.path) == {part.split("}")[0] for part in route.path.split("{")[1:]}, route.path


def test_a_sheet_is_checked_sent_and_read_by_its_own_power(world: World) -> None:
    checked = world.http.post(world.seat("/check"), json={"text": ORDERS}, headers=world.france).json()
    assert checked["orders"] == ["A par H", "A dau - pro"]
    sent = world.http.post(world.seat("/submissions"), json={"text": ORDERS}, headers=world.france)
    assert sent.status_code == 201
    receipt = sent.json()
    assert receipt["version"] == 1
    assert len(receipt["commitment"]) == 64
    listed = world.http.get(world.seat("/submissions"), headers=world.france).json()
    key = {"reading_key": receipt["reading_key"]}
    unlocked, own = (
        world.http.post(f"/api/v1/submissions/{listed[0]['id']}/read", json=given, headers=world.france)
        for given in ({}, key)
    )
    assert unlocked.status_code == 403 and own.json()["text"] == ORDERS


def test_scopes_of_a_token_are_kept_and_cookies_from_another_site_refused(world: World) -> None:
    reader = token(world.office, world.players["France"], ("read",))
    assert world.http.get(world.at(""), headers=reader).status_code == 200
    refused = world.http.post(world.seat("/submissions"), json={"text": ORDERS}, headers=reader)
    assert refused.status_code == 403
    assert refused.headers["content-type"] == "application/problem+json"
    assert "scope" in refused.json()["detail"]
    headers = {**world.france, "Origin": "https://evil.example", "Cookie": "x=y"}
    assert world.http.post(world.seat("/submissions"), json={"text": ORDERS}, headers=headers).status_code == 403


def test_a_command_with_a_key_is_carried_out_once(world: World) -> None:
    headers = {**world.france, "Idempotency-Key": "one"}
    first = world.http.post(world.seat("/submissions"), json={"text": ORDERS}, headers=headers)
    again = world.http.post(world.seat("/submissions"), json={"text": ORDERS}, headers=headers)
    told, kept = first.json(), again.json()  # what opens it, and what it says, is stored nowhere
    whole, bare = (json.loads(answer.pop("proof")) for answer in (told, kept))
    assert whole.pop("openings") and bare.pop("openings") == [] and whole == bare
    assert told.pop("checked") and not kept.pop("checked") and told.pop("reading_key") and not kept.pop("reading_key")
    assert told == kept
    assert len(world.http.get(world.seat("/submissions"), headers=world.france).json()) == 1
    other = world.http.post(world.seat("/submissions"), json={"text": "A par H"}, headers=headers)
    assert other.status_code == 409


def test_refusals_name_the_place_and_the_mend(world: World) -> None:
    wrong = [
        world.http.post(world.seat("/submissions"), json={"txt": ORDERS}, headers=world.france),
        world.http.post(world.seat("/submissions"), content=b"{", headers=world.france),
        world.http.get("/api/v1/games?limit=many", headers=world.france),
        world.http.get("/api/v1/games?lmit=1", headers=world.france),
        *(world.http.get(f"/api/v1/games?{asked}") for asked in ("state=runing", "pace=slowly", "how=won")),
        world.http.get("/api/v1/tournaments?state=over"),
        world.http.post("/api/v1/games", json={"name": "x"}, headers=world.france),
    ]
    for answer in wrong:
        assert answer.status_code == 422, answer.text
        assert answer.json()["faults"]
    missing = world.http.get(world.seat("/submissions", "Frnace"), headers=world.france)
    assert missing.status_code == 404
    assert "France" in str(missing.json()["suggestions"])
    head = world.france
    for answer, status, told in (
        (world.http.get("/api/v1/me"), 401, ""),
        (world.http.get("/api/v1/me", headers={"Authorization": "Bearer wrong"}), 401, ""),
        (world.http.get("/api/v1/me", headers={**head, "idempotency-key": "x" * 300}), 422, "printable characters"),
        (world.http.post("/api/v1/games", headers=head, content=b"x" * 2_000_001), 413, "at most"),
        (world.http.get("/api/v1/nowhere", headers=head), 404, '"code":"not_found"'),
        (world.http.delete("/api/v1/games", headers=head), 405, '"code":"method_not_allowed"'),
    ):
        assert answer.status_code == status and told in answer.text, answer.text
        assert answer.headers["content-type"].startswith("application/problem+json")


def test_what_has_not_changed_is_not_sent_again_and_lists_come_in_pages(world: World) -> None:
    first = world.http.get(world.at(""), headers=world.france)
    again = world.http.get(world.at(""), headers={**world.france, "If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    assert not again.content
    page = world.http.get(world.at("/journal?limit=2"), headers=world.france)
    assert len(page.json()) == 2
    link = page.headers["link"].split(";")[0].strip("<>")
    following = world.http.get(link, headers=world.france).json()
    assert following[0]["id"] > page.json()[-1]["id"]


def test_pictures_are_sent_as_files(world: World) -> None:
    files = [("pictures", ("sheet.png", picture(form="PNG"), "image/png"))]
    sent = world.http.post(world.seat("/pictures"), files=files, headers=world.france)
    assert sent.status_code == 201, sent.text
    for number, told in ((1, "a JPEG, PNG, HEIC or PDF"), (13, "The form cannot be read: Too many files")):
        bad = world.http.post(
            world.seat("/pictures"), files=number * [("pictures", ("x", b"GIF"))], headers=world.france
        )
        assert bad.status_code == 422 and told in bad.text
    (record,) = world.http.get(world.seat("/submissions"), headers=world.france).json()
    assert record["kind"] == "pictures"
    key = {"reading_key": sent.json()["reading_key"]}
    gone = world.http.post(f"/api/v1/submissions/{record['id']}/files/{'0' * 64}", json=key, headers=world.france)
    assert gone.status_code == 404 and "There is no such picture." in gone.text


def test_nobodys_pictures_are_looked_at_who_may_not_send_them(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor those for a game or a power that there is not."""
    looked: list[str] = []

    def look(name: str, _: bytes) -> tuple[()]:
        looked.append(name)
        return ()

    monkeypatch.setattr(forms, "take_pictures", look)
    files, own = {"pictures": ("sheet.jpg", b"\xff\xd8", "image/jpeg")}, world.seat("/pictures")
    for who in (world.england, world.coordinator, world.administrator, world.outsider, {}, world.france):
        for path in (
            world.seat("/pictures"),
            world.seat("/pictures", "Spain"),
            "/api/v1/games/x/seats/France/pictures",
        ):
            if (who, path) != (world.france, own):
                assert world.http.post(path, files=files, headers=who).status_code in (401, 403, 404), (who, path)
    assert looked == []


def test_the_description_is_whole_and_answers_keep_to_it(world: World) -> None:
    described = world.http.get("/openapi.json").json()
    assert described["openapi"] == "3.1.0"
    for path in ("", "/turns", "/journal", "/deadlines", "/holders"):
        schema = described["paths"][f"/api/v1/games/{{game}}{path}"]["get"]["responses"]["200"]["content"][
            "application/json"
        ]["schema"]
        whole = {**schema, "components": described["components"]}
        Draft202012Validator(whole).validate(world.http.get(world.at(path), headers=world.coordinator).json())
    refs = json.dumps(described).split("#/components/schemas/")[1:]
    assert {ref.split('"')[0] for ref in refs} <= described["components"]["schemas"].keys()


def test_who_calls_too_often_is_told_to_wait(world: World) -> None:
    answers = [world.http.post("/api/v1/sign-in-links", json={"email": f"a{n}@example.org"}) for n in range(12)]
    assert [a.status_code for a in answers].count(429) == 2
    assert answers[-1].headers["retry-after"] == "60"


def test_an_administrator_takes_a_whole_game_in(world: World) -> None:
    kept = world.http.get(world.at("/archive"), headers=world.coordinator).json()
    kept["journal"][0]["facts"]["note"] = "x" * 3_000_000  # a long game is as large
    for who, status in ((world.coordinator, 403), (world.administrator, 201)):
        answer = world.http.post("/api/v1/archives", json=kept, headers=who)
        assert answer.status_code == status, answer.text[:300]
    assert answer.json()["key"] == f"{world.game.key}-2"
    kept["turns"] = "none"
    refused = world.http.post("/api/v1/archives", json=kept, headers=world.administrator)
    assert refused.status_code == 422 and refused.json()["faults"] == ["turns: Expected `array`, got `str`"]


# How often


def test_blanks_before_a_token_gain_no_calls_and_guesses_are_counted(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls are counted by who calls, by whatever credential and however it is written."""
    monkeypatch.setattr(application, "READS_A_MINUTE", 5)
    world.http = TestClient(create_app(world.office))
    bearer, actor = world.france["Authorization"], world.players["France"]
    other = token(world.office, actor)["Authorization"]
    ways = [bearer, bearer.replace(" ", "  "), bearer.replace("Bearer", "bearer"), f"{bearer} ", other]
    statuses = [world.http.get("/api/v1/me", headers={"Authorization": way}).status_code for way in [*ways, *ways]]
    assert statuses == [200] * 5 + [429] * 5
    assert world.http.get("/api/v1/me", headers=world.england).status_code == 200
    monkeypatch.setattr(application, "WRITES_A_MINUTE", 1)
    at, sheet = world.seat("/submissions", "England"), {"text": "F lon H"}
    sent = [world.http.post(at, json=sheet, headers=world.england).status_code for _ in range(2)]
    assert sent == [201, 429], "what writes is counted apart"
    # guesses are counted by the network
    monkeypatch.setattr(application, "CALLS_A_MINUTE", 3)
    world.http = TestClient(create_app(world.office))
    guesses = [{"Authorization": f"Bearer guess {number}"} for number in range(5)]
    assert [world.http.get("/api/v1/me", headers=g).status_code for g in guesses] == [401] * 3 + [429] * 2


def test_whole_games_are_checked_for_a_stranger_so_often_and_no_more(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each check reads the whole journal of a game; a visitor could have it done all day."""
    monkeypatch.setattr(application, "PROOFS_A_MINUTE", 2)
    world.http = TestClient(create_app(world.office))
    mark = {"receipt": "0" * 64}
    statuses = [world.http.post(world.at("/receipt"), json=mark).status_code for _ in range(3)]
    assert statuses == [200, 200, 429] and world.http.get(world.at("/transcript")).status_code == 429
    assert world.http.get(world.at("")).status_code == 200
    assert world.http.get(world.at("/transcript"), headers=world.france).status_code == 200


def test_what_may_not_be_given_is_not_read(world: World) -> None:
    """Whoever may not give a command is refused before its body is decoded, whatever is in it."""
    for who, path in (
        (world.outsider, world.at("/pause")),
        ({}, "/api/v1/archives"),
        (world.outsider, "/api/v1/archives"),
    ):
        answer = world.http.post(path, content=b"{" * 1000, headers=who)
        assert answer.status_code in (401, 403), answer.text
    assert world.http.post(world.at("/pause"), content=b"{", headers=world.coordinator).status_code == 422


def test_packages_are_read_a_few_times_a_minute(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that is made to take long keeps a child busy for 18 seconds, while all others wait."""
    monkeypatch.setattr(application, "PACKAGES_A_MINUTE", 2)
    world.http = TestClient(create_app(world.office))
    callers = [*[world.france] * 3, world.england]
    answers = [world.http.post("/api/v1/proposals", content=b"none", headers=who).status_code for who in callers]
    assert answers == [422, 422, 429, 422]


def test_no_more_of_a_body_is_read_than_its_call_takes(world: World) -> None:
    """Whoever sends 30 MB where 10 kB are taken fills no memory."""
    bearer, pieces = world.france["Authorization"], 0

    async def receive() -> dict[str, object]:
        nonlocal pieces
        pieces += 1
        return {"type": "http.request", "body": b" " * 4000, "more_body": pieces < 5000}

    told = asked_by_hand(create_app(world.office), "PUT", "/api/v1/me/preferences", receive, authorization=bearer)
    assert told[0]["status"] == 413 and pieces == 3
