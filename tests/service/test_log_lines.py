"""Every line that is logged while a game is played: by pages, programs, mail and letters, with sign-ins, refusals,
failures in the midst of work and a database that refuses. None holds an address, an order, a letter, a note or anything
that lets somebody in."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
import structlog
from starlette.testclient import TestClient

from legation.children import Children
from legation.cli.serving import whole_site
from legation.mail import intake
from legation.office.desk import letters
from legation.office.errors import OfficeError
from legation.office.game import unsealing
from legation.office.hosting import catalog, games, roster, votes
from legation.office.hosting.catalog import check_package
from legation.office.identity import browsers, people
from legation.office.monitoring import logs
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.pinned_rules import CatalogReader
from legation.office.store.rows import BrowserRow, CatalogPackageRow, MailingRow
from legation.push import PushSender, send_waiting
from legation.variants import ListedVariants
from tests.mail.conftest import World, body, office_by_mail
from tests.office.playing import CONSOLE, alter, begin, passes, refuses
from tests.office.test_catalog import packed
from tests.office.test_orders_ahead import PHOTOGRAPH
from tests.office.test_pushes import Device

OURS = {"origin": "http://testserver"}
MARKED = (
    *("markedorder", "markedletter", "markednote", "markedmail", "Marked Street", "markedword", "markedreason"),
    *("markedendpoint", "markedvote", "push.example.org"),
)
BY_ITSELF = ("A par - orl", "A dau", "example.org")  # orders, and the addresses of all


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with office_by_mail(
        tmp_path, seed="log lines", smtp="smtp://relay", address="http://testserver", orders_address="o@office.invalid"
    ) as made:
        yield made


@pytest.mark.long
def test_no_line_of_a_played_game_tells_what_is_private(
    world: World, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    capfd.readouterr()
    monkeypatch.setattr(intake, "PARSERS", Children(most=1, seconds=30, megabytes=400))  # the machine may be busy
    logs.configure()
    try:
        secrets = play(world, monkeypatch)
    finally:
        structlog.reset_defaults()
    lines = "".join(capfd.readouterr()).splitlines()
    told = [json.loads(line) for line in lines]
    events = {str(line["event"]) for line in told}
    assert {"request", "mail taken", "mail unmatched", "mail put aside", "work failed"} <= events, events
    assert {"notification not sent", "message cannot be read"} <= events, events
    assert "a variant of the catalog cannot be read" in events, events
    errors = {str(line.get("error")) for line in told}
    assert "RuntimeError" in errors and any("Integrity" in error or "Duplicate" in error for error in errors), errors
    for line in lines:
        for private in (*MARKED, *BY_ITSELF, *secrets):
            assert private not in line, (private, line)


def play(world: World, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """A turn of a game, with all that may go wrong; the secrets that came up."""
    office, clock = world.office, world.clock
    world.begin(coordinated=True)
    france, key = world.players["France"], world.game.key
    site = TestClient(whole_site(office), raise_server_exceptions=False, follow_redirects=False)
    token = people.make_token(office, france, "x", ("read", "play")).secret
    secrets, program = {token, *sign_in(site, world)}, {**OURS, "authorization": f"Bearer {token}"}
    seat = f"/api/v1/games/{key}/seats/France"
    sent = {"text": "A par - orl\n# markedorder"}
    assert site.post(f"{seat}/submissions", json=sent, headers=program).status_code == 201
    assert site.post(f"{seat}/submissions", content=b'{"text": "A par - orl markedorder', headers=program).is_error
    site.put(f"{seat}/ready?markedword=1", json={"markedword": "A dau H"}, headers=program)
    letter = {"seat": "France", "to": ["England"], "text": "markedletter: A par - orl"}
    assert site.post(f"/games/{key}/letters", data=letter, headers=OURS).status_code == 303
    assert site.get(f"/games/{key}?text=markedword").status_code == 200
    assert site.get("/games/markedword/A par - orl").status_code == 404
    world.write("England", "A dev - lon\n# markedorder")
    world.deliver(world.mail("stranger@example.org", "o@office.invalid", "A par - orl markedmail", "markedmail"))
    roster.add_address(office, france, ["Somebody", "Marked Street 1"], "Spain", primary=True)
    submissions.submit_pictures(office, france, key, "France", PHOTOGRAPH, "markednote")
    with monkeypatch.context() as patched:
        patched.setattr(world.counter, "_take", broken)
        world.counter.receive(world.mail("a@example.org", "o@office.invalid", "A par - orl markedmail").as_bytes(), ())
    refuse_rows(office, "absences")
    secrets |= notify(site, world, program)
    propose(site, world, program)
    vote(site, world, program)
    day = f"{clock.now():%Y-%m-%d}"
    absence = {"first": day, "last": day, "note": "markednote"}
    assert site.post("/me/absences", data=absence, headers=OURS).status_code == 500
    refuses(OfficeError, games.pause, office, france, key, "markedreason")
    monkeypatch.setattr(unsealing, "open_seals", broken)
    passes(office, clock, timedelta(days=1))
    world.outbox.down = True
    world.counter.send_waiting()
    return secrets


def sign_in(site: TestClient, world: World) -> set[str]:
    """By a link that is mailed; the secrets of the link and of the session."""
    address = world.address_of("France")
    site.post("/sign-in", data={"email": address}, headers=OURS)
    world.settle()
    (mail,) = world.outbox.to(address, "sign in")
    secret = re.findall(r"/sign-in/([\w-]+)", body(mail))[0]
    assert site.get(f"/sign-in/{secret}").status_code == 200
    assert site.post(f"/sign-in/{secret}", headers=OURS).status_code == 303
    assert site.post(f"/sign-in/{secret}", headers=OURS).status_code == 401
    return {secret, site.cookies["session"]}


def notify(site: TestClient, world: World, program: dict[str, str]) -> set[str]:
    """Notifications to a browser whose push service is away, refuses, and whose row is damaged; the secrets of its
    subscription."""
    office, device = world.office, Device("markedendpoint")
    given = {**device.subscription, "label": "markednote"}
    browsers.subscribe(office, world.players["France"], **given)
    for refused in (given, {**given, "endpoint": "https://markedendpoint"}):
        assert site.post("/api/v1/me/browsers", json=refused, headers=program).is_error

    def away(host: str) -> list[tuple[str, int]]:
        raise OSError(f"{host} {device.endpoint} is away")

    sender = PushSender(office, away)
    for text in ("markedletter", "markedletter, again"):
        letters.write(office, world.players["England"], world.game.key, "England", ["France"], text)
        assert send_waiting(office, sender) == 0
    with office.store.transaction() as tx:
        (row,) = tx.all(BrowserRow)
        tx.change(row, content=b"markedendpoint")
        tx.change_where(MailingRow, {"facts": b"markedendpoint", "due": 0}, channel="push", state="waiting")
    assert send_waiting(office, sender) == 0
    return {device.endpoint, *device.subscription.values(), device.secret.hex()}


def propose(site: TestClient, world: World, program: dict[str, str]) -> None:
    """A package that is proposed, one that is none, one that is refused, and one of the catalog that is damaged."""
    office, console = world.office, CONSOLE
    wrong = packed(files={"markednote.toml": "markednote = ["}, authors="markednote")
    for content in (wrong, b"markednote A par - orl"):
        assert site.post("/api/v1/proposals", content=content, headers=OURS).is_error
    good = check_package(packed(authors="markednote a@example.org", source="markednote"))
    proposal = catalog.propose(office, world.players["France"], good)
    catalog.refuse(office, console, proposal.number, "markedreason")
    catalog.add(office, console, check_package(packed("second", authors="markednote")))
    alter(office, CatalogPackageRow, {"rules": b"markednote"})
    office.catalog = CatalogReader(office.store)
    office.variants = ListedVariants(office.variants.shared, office.catalog)
    assert site.get("/variants").status_code == 200


def vote(site: TestClient, world: World, program: dict[str, str]) -> None:
    """Votes that are given, taken back, refused, and that pause a game."""
    office = world.office
    game, players, _ = begin(office, name="Votes")
    (first, anna), (second, ben), *_ = players.items()
    for kind, whom in (("markedvote", ""), ("replace", "markedvote"), ("cancel", "A par - orl")):
        refuses(OfficeError, votes.vote, office, anna, game.key, first, kind, whom, 2, "markedreason")
        site.put(
            f"/api/v1/games/{game.key}/seats/France/votes/{kind}?whom={whom}", json={"whom": whom}, headers=program
        )
    votes.vote(office, anna, game.key, first, "extend", "", 2, "markedreason")
    votes.take_back(office, anna, game.key, first, "extend")
    for power, actor in players.items():
        if games.game(office, actor, game.key).state == "running":
            votes.vote(office, actor, game.key, power, "pause", "", 0, "markedreason")
    assert games.game(office, ben, game.key).state == "paused", second


def refuse_rows(office: Office, table: str) -> None:
    """What is written to a table is against a rule of the database: it fails with all its values at hand."""
    with office.store.engine.begin() as connection:
        rule = f"CREATE TRIGGER refuse BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'markedreason'); END"
        connection.execute(sa.text(rule))


def broken(*_: object, **__: object) -> None:
    orders = "A par - orl markedorder a@example.org"  # values that are at hand when it fails
    raise RuntimeError(orders)
