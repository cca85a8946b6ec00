"""Each kind of stored thing is broken in turn: its own page says so, and all other pages, mails and jobs go on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from legation.cli.serving import whole_site
from legation.mail.mail_service import MailService
from legation.office import (
    Actor,
    Office,
    SimulatedClock,
    absences,
    desk,
    games,
    letters,
    mailroom,
    people,
    roster,
    work,
)
from legation.office.records import GameRecord
from legation.office.store.tables import metadata
from tests.mail.conftest import Outbox
from tests.office.playing import begin, send_all

GARBAGE = b"\x78\x9c garbage"
BROKEN: list[tuple[str, str, object]] = [
    *(("games", column, GARBAGE) for column in ("settings", "options", "ending")),
    ("games", "variant", "gone"),
    *(("turns", column, GARBAGE) for column in ("position", "sheets", "result")),
    ("turns", "awaited", "No Such"),
    *(("submissions", column, GARBAGE) for column in ("sealed", "own")),
    ("submissions", "commitment", "x"),
    ("letters", "locked", GARBAGE),
    *((table, "facts", GARBAGE) for table in ("journal", "mailings", "work", "desk", "credentials")),
    *((table, "kind", "of no kind") for table in ("journal", "mailings", "work", "desk")),
    ("seats", "state", "of no kind"),
    *(("people", "preferences", kept) for kept in (GARBAGE, b'{"quiet":5}', b'{"zone":7,"form":[]}')),
    ("addresses", "first", "x"),
    ("addresses", "lines", ""),
    ("absences", "first", "x"),
]


class World:
    """Two games; the first is the one whose rows are broken. The second has people of its own."""

    def __init__(self, office: Office, clock: SimulatedClock) -> None:
        self.office, self.clock = office, clock
        self.broken, self.players, self.host = begin(office, "hundred", "Broken", coordinated=True)
        self.other, self.others, self.other_host = begin(office, "hundred", "Other", folk="Other", coordinated=True)
        for number, (game, players) in enumerate(((self.broken, self.players), (self.other, self.others))):
            letters.write(office, players["France"], game.key, "France", ["England"], "Shall we meet?")
            send_all(office, game, players, number)
        roster.add_address(office, self.players["France"], ["7 Lane"], "France", primary=True)
        absences.announce(office, self.players["France"], "2026-05-01", "2026-05-03")
        clock.advance(timedelta(days=1))
        work.run_due(office)
        arrival = mailroom.record(office, "<1@y.example>", b"", "unmatched", None, "")
        desk.file_mail(office, arrival, "x@y.example", game=self.broken.key, power="France")
        self.site = whole_site(office)
        self.clients: dict[int | None, TestClient] = {}

    def pages(self, game: GameRecord) -> Iterator[str]:
        """The pages of a game."""
        assert game.turn is not None
        turn, at = game.turn.key, f"/games/{game.key}"
        below = (
            "",
            "/results",
            "/letters",
            "/proofs",
            "/players",
            "/news",
            f"/{turn}",
            f"/{turn}/map-light.svg",
            "/feed.atom",
        )
        yield from (at + end for end in below)
        api = f"/api/v1/games/{game.key}"
        yield from (api + end for end in ("", "/turns", "/journal", "/holders", "/turns/1/result"))
        yield f"/desk/{game.key}"

    def lists(self) -> tuple[str, ...]:
        """The pages of everybody."""
        return (
            "/",
            "/games",
            "/me",
            "/desk",
            "/variants",
            "/api/v1/games",
            "/api/v1/games?mine=true",
            "/api/v1/desk",
            "/ready",
        )

    def status(self, actor: Actor, address: str) -> int:
        """What somebody is answered."""
        if actor.person not in self.clients:
            client = TestClient(self.site, raise_server_exceptions=False, follow_redirects=True)
            secret = people.start_session(self.office, Actor.clock(), actor.person or 0, "walk", 1).secret
            client.cookies.set("session", secret)
            client.headers["authorization"] = f"Bearer {secret}"
            self.clients[actor.person] = client
        return self.clients[actor.person].get(address).status_code


@pytest.fixture
def world(office: Office, clock: SimulatedClock) -> World:
    return World(office, clock)


def test_one_row_that_is_broken_harms_only_itself(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    office = world.office
    found: list[tuple[str, str, object, str, int]] = []
    for table, column, value in BROKEN:
        ids = _of_the_first_game(world, table)
        assert ids, table
        kept = _break(office, table, column, ids, value)
        for actor in (world.others["France"], world.other_host):
            for address in (*world.lists(), *world.pages(world.other)):
                status = world.status(actor, address)
                if status >= 500:
                    found.append((table, column, value, address, status))
        for actor in (world.players["France"], world.host):
            for address in (*world.lists(), *world.pages(world.broken)):
                status = world.status(actor, address)
                if status == 500:
                    found.append((table, column, value, address, status))
        for id, before in kept.items():
            _set(office, table, column, id, before)
    assert not found, "\n".join(map(str, found))


AT_WORK = frozenset(["games", "turns", "mailings", "work", "people"])
"""The tables that work and mail read."""


@pytest.mark.parametrize(("table", "column", "value"), [broken for broken in BROKEN if broken[0] in AT_WORK])
def test_work_mail_and_commands_go_on_beside_a_broken_row(world: World, table: str, column: str, value: object) -> None:
    office, outbox = world.office, Outbox()
    _break(office, table, column, _of_the_first_game(world, table), value)
    games.pause(office, Actor.console(), world.other.key, "a storm")
    games.resume(office, Actor.console(), world.other.key, "it is over")
    if table == "people":
        games.pause(office, Actor.console(), world.broken.key, "a storm")
        games.resume(office, Actor.console(), world.broken.key, "it is over")
    number = games.turns(office, Actor.console(), world.other.key)[-1].number
    world.clock.advance(timedelta(days=3))
    for _ in range(7):
        work.run_due(office)
        world.clock.advance(timedelta(hours=1))
    assert games.turns(office, Actor.console(), world.other.key)[-1].number > number
    counter = MailService(office, outbox)
    while counter.send_waiting():
        pass
    with office.store.transaction(write=False) as tx:
        to = {people.me(office, actor).email for actor in world.others.values()}
    results = {address for message, address in outbox.sent if message["X-Legation"] == "results"}
    assert to <= results
    assert tx


def _of_the_first_game(world: World, table: str) -> list[int]:
    """The rows of a table that belong to the first game, or to people of it alone."""
    of, known, turns = metadata.tables[table], metadata.tables["games"], metadata.tables["turns"]
    with world.office.store.transaction(write=False) as tx:

        def ids(query: sa.Select[Any]) -> list[int]:
            return list(tx.connection.execute(query).scalars())

        games = ids(sa.select(known.c.id).where(known.c.key == world.broken.key))
        own = [actor.person for actor in world.players.values() if actor.person is not None]
        if table in ("games", "people"):
            return games if table == "games" else own
        among = {"game": games, "person": own, "turn": ids(sa.select(turns.c.id).where(turns.c.game.in_(games)))}
        column = next(column for column in among if column in of.c)
        return ids(sa.select(of.c.id).where(of.c[column].in_(among[column])))


def _break(office: Office, table: str, column: str, ids: list[int], value: object) -> dict[int, object]:
    of = metadata.tables[table]
    with office.store.transaction(write=False) as tx:
        query = sa.select(of.c.id, of.c[column]).where(of.c.id.in_(ids))
        kept: dict[int, object] = dict(tx.connection.execute(query).tuples().all())
    for id in kept:
        _set(office, table, column, id, value)
    return kept


def _set(office: Office, table: str, column: str, id: int, value: object) -> None:
    of = metadata.tables[table]
    with office.store.transaction() as tx:
        tx.connection.execute(sa.update(of).where(of.c.id == id).values({column: value}))


def test_one_faulty_file_in_the_folder_of_variants_is_a_finding_and_the_rest_is_served(
    make_office: object, tmp_path: Path
) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    shipped = Path(games.__file__).parents[2] / "variants" / "data" / "hundred.toml"
    good = shipped.read_text(encoding="utf-8").replace('name = "hundred"\n', "")
    (folder / "athome.toml").write_text(good, encoding="utf-8")
    (folder / "torn.toml").write_text("title = [", encoding="utf-8")
    (folder / "hundred.toml").write_text(good, encoding="utf-8")
    (folder / "rules").mkdir()
    (folder / "rules" / "odd.py").write_text("1 / 0", encoding="utf-8")
    (folder / "island").mkdir()
    (folder / "island" / "board.toml").write_text("title = 1", encoding="utf-8")
    office = make_office(variants=str(folder))  # type: ignore[operator]
    assert "athome" in office.variants.names() and "torn" not in office.variants.names()
    faults = "\n".join(office.variants.troubles)
    assert "torn" in faults and "odd.py: ZeroDivisionError" in faults and "give this file another name" in faults
    client = TestClient(whole_site(office), raise_server_exceptions=False)
    for address in ("/", "/variants", "/variants/athome", "/rules", "/sandbox", "/games", "/api/v1/variants"):
        assert client.get(address).status_code == 200, address
    assert client.get("/variants/torn").status_code == 404
