"""Every line that is logged while a game is played: by pages, programs, mail and letters, with sign-ins, refusals,
failures in the midst of work and a database that refuses. None holds an address, an order, a letter, a note or anything
that lets somebody in."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
import structlog
from starlette.testclient import TestClient

from legation.children import Children
from legation.cli.serving import whole_site
from legation.mail import intake
from legation.office import (
    Office,
    SeededRandomSource,
    Settings,
    SimulatedClock,
    games,
    open_office,
    people,
    roster,
    submissions,
    work,
)
from legation.office.errors import OfficeError
from legation.office.monitoring import logs
from legation.office.processing import unsealing
from tests.mail.conftest import START, Outbox, World, body
from tests.office.test_orders_ahead import PHOTOGRAPH

OURS = {"origin": "http://testserver"}
MARKED = ("markedorder", "markedletter", "markednote", "markedmail", "Marked Street", "markedword", "markedreason")
BY_ITSELF = ("A par - orl", "A dau", "example.org")  # orders, and the addresses of all


@pytest.fixture
def world(tmp_path: Path) -> World:
    clock = SimulatedClock(START)
    settings = Settings(settling=0, smtp="smtp://relay", address="http://testserver", orders_address="o@office.invalid")
    office = open_office(tmp_path / "office", settings, clock, SeededRandomSource("log lines"))
    return World(office, clock, Outbox())


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
        world.office.close()
    lines = "".join(capfd.readouterr()).splitlines()
    told = [json.loads(line) for line in lines]
    events = {str(line["event"]) for line in told}
    assert {"request", "mail taken", "mail unmatched", "mail put aside", "work failed"} <= events, events
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
    day = f"{clock.now():%Y-%m-%d}"
    absence = {"first": day, "last": day, "note": "markednote"}
    assert site.post("/me/absences", data=absence, headers=OURS).status_code == 500
    with pytest.raises(OfficeError):
        games.pause(office, france, key, "markedreason")
    monkeypatch.setattr(unsealing, "open_seals", broken)
    clock.advance(timedelta(days=1))
    work.run_due(office)
    world.outbox.down = True
    world.counter.send_waiting()
    return secrets


def sign_in(site: TestClient, world: World) -> set[str]:
    """By a link that is mailed; the secrets of the link and of the session."""
    address = world.address_of("France")
    site.post("/sign-in", data={"email": address}, headers=OURS)
    world.flush()
    (mail,) = world.outbox.to(address, "sign in")
    secret = re.findall(r"/sign-in/([\w-]+)", body(mail))[0]
    assert site.get(f"/sign-in/{secret}").status_code == 200
    assert site.post(f"/sign-in/{secret}", headers=OURS).status_code == 303
    assert site.post(f"/sign-in/{secret}", headers=OURS).status_code == 401
    return {secret, site.cookies["session"]}


def refuse_rows(office: Office, table: str) -> None:
    """What is written to a table is against a rule of the database: it fails with all its values at hand."""
    with office.store.engine.begin() as connection:
        rule = f"CREATE TRIGGER refuse BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'markedreason'); END"
        connection.execute(sa.text(rule))


def broken(*_: object, **__: object) -> None:
    orders = "A par - orl markedorder a@example.org"  # values that are at hand when it fails
    raise RuntimeError(orders)
