"""Every route by every method as everybody: whoever the table of permissions does not name is refused, and whatever is
refused leaves no trace in database, files or keys. Everybody has signed in as people do, by a mailed link."""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from starlette.testclient import TestClient

from legation.office import permissions
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.desk import bridges, desk, letters, mailings, readings
from legation.office.game import processing, seats
from legation.office.hosting import absences, games, leagues, roster, rounds, tournaments
from legation.office.hosting.tournaments import NewEntrant
from legation.office.identity import people
from legation.office.keys.public_numbers import Kind
from legation.office.office import open_office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.permissions import Command, commands
from legation.office.settings import Settings
from legation.office.store.rows import BoardRow
from legation.proofs.cards import card_json, make_card
from legation.proofs.kinds import KeeperKey
from legation.proofs.receipts import make_refusal, receipt_json
from legation.web import WebSettings, create_app
from legation.web.api import application
from legation.web.api.calling import PICTURES, ROUTES
from tests.office.fixtures import START
from tests.office.playing import unmatched_mail
from tests.web.clients import OURS

API = "/api/v1"
HOME, OPENED, PAUSED, FORMING, HOSTED, DRAFT, AWAY = "home", "opened", "paused", "forming", "hosted", "draft", "away"
WEEKEND, TABLES = "weekend", "tables"
POWERS = ("France", "England", "Burgundy")


def picture() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (40, 30), "white").save(file, "JPEG")
    return file.getvalue()


class Snapshot:
    """What an office has on disk: the database as it is, the files and the keys."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.marks = self.marks_now()
        with closing(sqlite3.connect(folder / "office.db")) as database:
            self.database = database.serialize()
        self.files = {
            path: path.read_bytes()
            for room in ("files", "keys")
            for path in (folder / room).rglob("*")
            if path.is_file()
        }

    def marks_now(self) -> dict[Path, tuple[int, int]]:
        """How big and how old each file is: where that is as it was, nothing need be read again."""
        found = {}
        for path in self.folder.rglob("*"):
            if not path.name.endswith("-shm") and path.is_file():  # SQLite's shared memory is written by readers, too
                stat = path.stat()
                found[path] = (stat.st_size, stat.st_mtime_ns)
        return found

    def again(self) -> Snapshot:
        """What is on disk now; this same snapshot if nothing has changed."""
        if self.marks_now() == self.marks:
            return self
        now = Snapshot(self.folder)
        if now != self:
            return now
        self.marks = now.marks
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Snapshot) and (self.database, self.files) == (other.database, other.files)

    def restore(self) -> None:
        """Put it all back; no connection may be open."""
        (self.folder / "office.db").write_bytes(self.database)
        for rest in ("office.db-wal", "office.db-shm"):
            (self.folder / rest).unlink(missing_ok=True)
        for room in ("files", "keys"):
            for path in (self.folder / room).rglob("*"):
                if path.is_file() and path not in self.files:
                    path.unlink()
        for path, content in self.files.items():
            if not path.is_file() or path.read_bytes() != content:
                path.write_bytes(content)

    def told(self, other: Snapshot) -> str:
        """In which tables two differ, and which files."""
        with closing(sqlite3.connect(":memory:")) as one, closing(sqlite3.connect(":memory:")) as two:
            for database, snapshot in ((one, self), (two, other)):
                database.deserialize(snapshot.database[:18] + b"\1\1" + snapshot.database[20:])  # without a log
            tables = [name for (name,) in one.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            query = "SELECT * FROM {}"
            changed = [t for t in tables if list(one.execute(query.format(t))) != list(two.execute(query.format(t)))]
        return f"{changed}, {sorted(str(p) for p in self.files.keys() ^ other.files.keys())}"


class World:
    """An office with games in every state, and people who have signed in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = SimulatedClock(START)
        settings = Settings(settling=0, address="http://testserver", most_games=500)
        self.office = open_office(folder, settings, self.clock, SeededRandomSource("walk"))
        self.app = create_app(self.office, WebSettings(bounded=False))
        self.http = TestClient(self.app, raise_server_exceptions=False, follow_redirects=False)
        self.secrets: dict[str, str] = {"visitor": ""}
        for name in ("France", "England", "Burgundy", "registered", "coordinator", "deputy", "administrator"):
            self.secrets[name] = self.sign_in(name)
        for name in ("other player", "other coordinator"):
            self.secrets[name] = self.sign_in(name)
        people.make_administrator(self.office, Actor.console(), self.actor("administrator").person or 0)
        for name, scope in (("France", "read"), ("France", "play"), ("France", "me"), ("coordinator", "coordinate")):
            made = self.http.post(
                f"{API}/me/tokens", json={"label": scope, "scopes": [scope]}, headers=self.bearer(name)
            )
            self.secrets[f"{name} by {scope}"] = made.json()["secret"]
        self.numbers: dict[str, Any] = {}
        self.begin()
        guest = self.http.post("/demo", data={"variant": "hundred"}, headers=OURS)
        self.secrets["guest"] = guest.cookies["session"]
        self.http.cookies.clear()

    def sign_in(self, name: str) -> str:
        """The session of somebody new, by the link that was mailed."""
        address = f"{name.lower().replace(' ', '.')}@example.org"
        assert self.http.post(f"{API}/people", json={"name": name, "email": address}).status_code == 204
        (mail,) = [m for m in mailings.claim(self.office, limit=500) if m.address == address]
        answer = self.http.post(f"{API}/sessions", json={"secret": mail.facts["secret"]})
        return str(answer.json()["secret"])

    def bearer(self, name: str) -> dict[str, str]:
        secret = self.secrets[name]
        return {"Authorization": f"Bearer {secret}"} if secret else {}

    def actor(self, name: str) -> Actor:
        return people.by_secret(self.office, self.secrets[name])

    def game(self, key: str, boss: str = "coordinator", players: tuple[str, ...] = POWERS, **settings: Any) -> None:
        """A game that has begun, if it is given players."""
        office, host = self.office, self.actor(boss)
        made = {"name": key, "variant": "hundred", "settings": {"coordinated": True, "ready_ends": False, **settings}}
        games.create(office, host, made)
        for power, player in zip(POWERS, players, strict=False):
            seats.sign_up(office, self.actor(player), key, [power])
        for power in POWERS[len(players) :] if players else ():
            seats.seat_bot(office, host, key, power, "hold")
        if len(players) == 3 or players == ("other player",):
            games.start(office, host, key)
            work.run_due(office)

    def begin(self) -> None:
        """Games in every state, with something at hand for every command."""
        office, boss, france = self.office, self.actor("coordinator"), self.actor("France")
        self.game(OPENED)
        self.game(DRAFT, approve=True, drafts=True)
        games.name_deputy(office, boss, OPENED, "deputy@example.org")
        file = [("sheet.jpg", picture(), "image/jpeg")]
        for power in ("France", "England"):
            submissions.submit_pictures(office, self.actor(power), OPENED, power, file, "see the photograph")
        for text in ("A dij H", "v2 replaces v1 only if it rains\nA dij - lor"):
            submissions.submit(office, self.actor("Burgundy"), OPENED, "Burgundy", text)
        for power in POWERS:
            submissions.submit_pictures(office, self.actor(power), DRAFT, power, file)
        self.clock.advance(timedelta(days=1, hours=1))
        work.run_due(office)
        for item in desk.items(office, boss, DRAFT):
            readings.transcribe(office, boss, item.id, "# nothing")
        work.run_due(office)
        waiting = {item.kind: item for item in desk.items(office, boss, OPENED)}
        (first, _) = [item for item in desk.items(office, boss, OPENED) if item.kind == "transcribe"]
        readings.transcribe(office, boss, first.id, "A par H")
        waiting |= {item.kind: item for item in desk.items(office, boss, OPENED)}
        self.game(HOME, reads_letters=False, channels={"Movement": ["web", "api", "mail", "post"]})
        games.name_deputy(office, boss, HOME, "deputy@example.org")
        self.game(PAUSED)
        games.pause(office, boss, PAUSED, "a holiday")
        self.game(AWAY, "other coordinator", ("other player",))
        self.game(FORMING, players=("registered",))
        self.game(HOSTED, players=(), coordinated=False)
        self.weekend()
        bridges.add(office, self.actor("coordinator"), HOME, "https://hooks.example.org/game")
        own = bridges.add_own(office, france, "https://hooks.example.org/own").id
        receipt = submissions.submit(office, france, HOME, "France", "A par H")
        shown = submissions.submit_pictures(office, france, HOME, "France", file)
        letter = letters.write(office, france, HOME, "France", ["England"], "Shall we meet?")
        submissions.ready(office, france, HOME, "France")
        whole = desk.item(office, boss, waiting["transcribe"].id)
        self.numbers = {
            "submission": receipt.submission,
            "pictured": shown.submission,
            "waiting": waiting,
            "letter": letter.id,
            "own bridge": own,
            "digest": whole.facts["files"][0],
            "mail": unmatched_mail(office, game=HOME, power="France"),
            "key": receipt.reading_key,
            "pictures key": shown.reading_key,
            "picture": submissions.read_own(office, france, shown.submission, shown.reading_key).files[0],
        }
        work.run_due(office)

    def weekend(self) -> None:
        """A tournament that is played here, one that is played face to face, whose second board waits for its result,
        and a league."""
        office, boss = self.office, self.actor("coordinator")
        tournaments.create(office, boss, {"name": WEEKEND, "variant": "hundred"})
        for name in POWERS:
            tournaments.enter(office, self.actor(name), WEEKEND)
        tournaments.create(office, boss, {"name": TABLES, "variant": "hundred", "online": False})
        tournaments.add_people(office, boss, TABLES, [NewEntrant(name) for name in "ABCDEFG"])
        rows = "".join(f"1,{1 + number // 3},{POWERS[number % 3]},{name},5\n" for number, name in enumerate("ABCDEF"))
        rounds.take_results(office, boss, TABLES, "round,board,power,player,centers\n" + rows)
        with office.store.transaction() as tx:
            tx.change_where(BoardRow, {"state": "playing", "outcome": b""}, number=2)
        leagues.create(office, boss, "Club")

    def see_all(self) -> None:
        """Have everybody be seen within the hour, so that looking leaves no trace."""
        for who in self.secrets:
            self.call(next(r for r in ROUTES if r.name == "games.list_games"), who)

    def undo(self, before: Snapshot) -> None:
        """Have everything be as it was."""
        self.office.store.engine.dispose()
        before.restore()

    # Calls

    def path(self, route: Command, game: str = HOME, **given: Any) -> str:
        numbers, waiting = self.numbers, self.numbers["waiting"]
        item = {"readings.confirm": "confirm", "readings.choose": "choose"}.get(route.name, "transcribe")
        values = {
            "game": game,
            "power": "France",
            "turn": "now",
            "submission": numbers["submission"],
            "id": waiting[item].id,
            "item": numbers["mail"] if route.name in ("unmatched.assign", "desk.settle") else waiting[item].id,
            "digest": numbers["digest"],
            "kind": "draw",
            "number": numbers["letter"],
            "name": "pond",
            "variant": "hundred",
            "person": "1",
            "tournament": WEEKEND,
            "league": "club",
            "round": 1,
            "board": 2,
            **given,
        }
        for kind in ROWS:
            values.setdefault(kind, self.office.numbers.shown(kind, 1))
        return API + route.path.format(**values)

    def call(self, route: Command, who: str, body: dict[str, Any] | None = None, **given: Any) -> int:
        sent = BODIES.get(route.name, {}) if body is None else body
        json = None if route.method in ("GET", "DELETE") else sent
        answer = self.http.request(route.method, self.path(route, **given), headers=self.bearer(who), json=json)
        assert answer.status_code < 500, (route.path, who, answer.text)
        self.http.cookies.clear()
        return answer.status_code

    def roles(self, who: str, power: str = "France") -> frozenset[str]:
        """The roles that somebody has in the game at home, on a power's seat, as this test knows them."""
        name = who.partition(" by ")[0]
        if name in ("visitor", "guest"):
            return frozenset({"visitor", name})
        own = {"player", *(["holder"] if name == power else [])} if name in POWERS else set()
        return frozenset({"visitor", "person", *own, *({name} & {"coordinator", "deputy", "administrator"})})

    def may(self, who: str, name: str) -> bool:
        """Whether the table lets somebody do this at all, in any state of a game."""
        _, _, scope = who.partition(" by ")
        return scope in ("", commands()[name].scope) and permissions.allows(name, self.roles(who), "")


ROWS: tuple[Kind, ...] = (
    "bridge",
    "report",
    "browser",
    "credential",
    "absence",
    "address",
    "page",
)  # what is named by number in a path
REFUSED = receipt_json(make_refusal(b"k" * 32, game="x", seat="", turn="", at=1, reason="No."))

BODIES: dict[str, dict[str, Any]] = {
    "people.join": {"name": "Eve", "email": "eve@example.org"},
    "people.ask_link": {"email": "eve@example.org"},
    "people.use_link": {"secret": "guessed"},
    "people.approve_change": {"secret": "guessed"},
    "people.confirm_change": {"secret": "guessed"},
    "people.rename": {"name": "Somebody else"},
    "people.set_preferences": {"form": "text"},
    "people.ask_change": {"email": "eve@example.org"},
    "people.make_token": {"label": "mine", "scopes": ["read"]},
    "absences.announce": {"first": "2026-04-01", "last": "2026-04-02"},
    "roster.add_address": {"lines": ["1 High Street"], "country": "UK", "primary": True},
    "games.create": {"name": "Another", "variant": "hundred"},
    "transfer.take_in": {"format": "legation kept game 1"},
    "moving.leave": {"card": card_json(make_card(b"c" * 32, KeeperKey(key="ab" * 32, elsewhere=False), "elsewhere"))},
    "games.set_settings": {"grace": 5},
    "games.name_deputy": {"email": "eve@example.org"},
    "games.invite": {"email": "eve@example.org"},
    "games.cancel": {"reason": "no time"},
    "games.pause": {"reason": "a holiday"},
    "deadlines.extend": {"until": "2026-03-20T12:00:00Z", "reason": "a holiday"},
    "seats.replace": {"email": "eve@example.org"},
    "seats.vacate": {"reason": "gone"},
    "seats.seat_bot": {"bot": "hold"},
    "postbag.file_pages": {"pages": []},
    "postbag.name_page": {"power": "France"},
    "seats.confirm_resign": {"secret": "guessed"},
    "letters.write": {"to": ["England"], "text": "Hello"},
    "letters.mark_read": {"numbers": [5]},
    "letters.mute": {"who": "England"},
    "roster.share_address": {"share": True},
    "submissions.check": {"text": "A par H"},
    "submissions.submit": {"text": "A par H"},
    "submissions.set_key": {"key": "ab" * 32},
    "receipts.to_sign": {"text": "A par H"},
    "receipts.standing": {"receipt": REFUSED},
    "readings.correct": {"text": "A par H", "reason": "it says so"},
    "copies.add_copies": {"pictures": [["a.jpg", "AAAA", "image/jpeg"]]},
    "readings.suggest": {"text": "A par H"},
    "readings.transcribe": {"text": "A par H"},
    "readings.confirm": {"text": "A par H"},
    "readings.decide": {"text": "A par H", "reason": "it says so"},
    "readings.decide_unposted": {"accept": True, "reason": "the strike"},
    "unmatched.assign": {"game": HOME, "power": "France"},
    "imports.bring": {"record": {}},
    "moderation.report": {"text": "Abuse.", "game": HOME, "power": "England"},
    "moderation.note": {"text": "a note"},
    "moderation.decide": {"decision": "nothing", "reason": "no"},
    "tables.order_all": {"text": "A par H"},
    "bridges.add": {"address": "https://hooks.example.org/1"},
    "bridges.add_own": {"address": "https://hooks.example.org/1"},
    "tournaments.create": {"name": "Another", "variant": "hundred"},
    "tournaments.set_plan": {"rounds": 4},
    "tournaments.add_people": {"people": [{"name": "Kim"}]},
    "tournaments.set_entrant": {"state": "out"},
    "tournaments.cancel": {"reason": "no hall"},
    "rounds.exchange": {"one": 4, "other": 7},
    "rounds.substitute": {"out": 4, "into": 7},
    "rounds.extend": {"until": "2026-03-20T12:00:00Z", "reason": "a holiday"},
    "rounds.call": {"reason": "it is late"},
    "rounds.enter_result": {"results": {power: {"centers": 5} for power in POWERS}},
    "rounds.take_results": {"results": "round,board,power,player,centers\n"},
    "leagues.create": {"name": "Another"},
    "leagues.open_season": {"plan": {"name": "any", "variant": "hundred"}},
}


ELSEWHERE = {
    "seats.declare_machine": "needs a game that allows programs: tests/office/test_machines.py",
    "submissions.confirm": "something is entered for the holder: tests/office/test_parties.py",
    "submissions.refuse": "something is entered for the holder: tests/office/test_parties.py",
    "submissions.object_to": "something is entered for the holder: tests/office/test_parties.py",
    "submissions.executed_picture": "needs results of a photographed sheet: tests/print/test_executed.py",
    "copies.add_copies": "needs an opened letter: tests/office/test_desk_season.py",
    **dict.fromkeys(
        ("postbag.postbag", "postbag.file_pages", "postbag.name_page", "postbag.drop_page", "postbag.page_picture"),
        "needs opened letters: tests/service/test_postbag.py",
    ),
    **dict.fromkeys(("gazettes.gazette", "gazettes.edit"), "needs a year that has ended: tests/print/test_games.py"),
    "year_letters.posted_letter": "needs a year that has ended: tests/service/test_year_letters.py",
    **dict.fromkeys(("gazettes.gazette", "gazettes.edit"), "needs a year that has ended: tests/print/test_games.py"),
    "readings.decide_unposted": "the post is awaited for days: tests/web/test_desk_items.py",
    "processing.take_back_draft": "needs a season with retreats: tests/office/test_orders_ahead.py",
    "processing.publish_final": "needs a season with retreats: tests/office/test_desk.py",
    "browsers.subscribe": "needs a browser's keys: tests/web/test_notifications.py",
    "browsers.remove": "needs a browser that is told: tests/web/test_notifications.py",
    "votes.vote": "needs a question that may be asked now: tests/office/test_votes.py",
    "votes.take_back": "needs a vote: tests/office/test_votes.py",
    "votes.ask": "needs a question that may be asked now: tests/office/test_votes.py",
    "processing.process_now": "nothing is to be processed early: tests/office/test_terminal_games.py",
    "retrospects.ask": "needs a game that is over: tests/office/test_retrospects.py",
    "retrospects.retrospect": "needs a game that is over: tests/office/test_retrospects.py",
    "transfer.take_in": "needs another office: tests/office/test_transfer.py",
    "moving.stay": "a game is to leave: tests/office/test_moving.py",
    "catalog.add": "needs a package: tests/web/test_catalog_pages.py",
    "catalog.propose": "needs a package: tests/web/test_catalog_pages.py",
    **dict.fromkeys(
        ("catalog.package", "catalog.remove"),
        "needs a variant of the catalog: tests/web/test_catalog_pages.py",
    ),
    **dict.fromkeys(
        ("catalog.proposal", "catalog.proposed_package", "catalog.withdraw", "catalog.take_in", "catalog.refuse"),
        "needs a proposal: tests/office/test_catalog.py",
    ),
    **dict.fromkeys(
        ("rounds.exchange", "rounds.start", "rounds.extend", "rounds.call", "tournaments.end"),
        "needs boards of games, or of none: tests/office/test_tournaments.py",
    ),
    "press.search": "needs words: tests/office/test_archive.py",
    **dict.fromkeys(
        ("imports.bring", "imports.claim", "imports.give_up", "imports.confirm", "imports.refuse"),
        "needs a whole record: tests/office/test_archive.py",
    ),
    **dict.fromkeys(
        ("moderation.decide", "moderation.lift", "moderation.note", "moderation.record", "moderation.block"),
        "needs a report, or a person by the number that pages show: tests/office/test_moderation.py",
    ),
    **dict.fromkeys(
        ("waiting_lists.wait", "waiting_lists.stop"),
        "needs a game that runs itself and has begun: tests/office/test_waiting_lists.py",
    ),
    "tables.order_all": "needs a game in which one person orders for all: tests/office/test_tables.py",
    "ratings.rate": "needs a game that is over: tests/office/test_catalog.py",
    "scores.points": "needs a game that is over: tests/office/test_player_ratings.py",
    "profiles.profile": "needs somebody who shows one: tests/office/test_player_ratings.py",
    "rematches.offer": "needs a game that is over: tests/office/test_votes.py",
    "rematches.rematch": "needs a game that is over: tests/office/test_votes.py",
}
"""Rows that are used in other tests, each with the reason."""
OF_TABLES = ("tournaments.add_people", "rounds.substitute", "rounds.enter_result", "rounds.take_results")
"""Rows that are used in a tournament that is played face to face."""


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The world, with no bound on how often it is asked."""
    patch = pytest.MonkeyPatch()
    for name in ("CALLS_A_MINUTE", "READS_A_MINUTE", "WRITES_A_MINUTE", "LINKS_A_MINUTE"):
        patch.setattr(application, name, 10**9)
    made = World(tmp_path_factory.mktemp("walk") / "office")
    yield made
    made.office.close()
    patch.undo()


def tried(world: World, before: Snapshot, call: Callable[[], int], told: object) -> bool:
    """Whether a call is accepted; one that is refused leaves no trace, and one that is accepted is undone."""
    status = call()
    after = before.again()
    if status >= 400:
        assert after == before, (told, status, before.told(after))
    elif after != before:
        world.undo(before)
    return status < 400


@pytest.mark.long
def test_every_route_as_everybody(walked: World) -> None:
    """The walk: the table is the whole of what may be done, and each of its rows is used by somebody."""
    world = walked
    world.see_all()
    before, accepted = Snapshot(world.folder), set()
    for route in ROUTES:
        for who in world.secrets:
            if tried(world, before, partial(world.call, route, who), (route.path, who)):
                assert world.may(who, route.name), (route.method, route.path, who)
                accepted.add(route.name)
    accepted |= accepted_elsewhere(world, before)
    unused = {command.name for command in commands().values() if command.path} - accepted
    assert unused == ELSEWHERE.keys(), "a command that nobody can give"


def accepted_elsewhere(world: World, before: Snapshot) -> set[str]:
    """The rows that need a game in another state, or something that was mailed, each used by whom it is for; in that
    same state everybody whom the table does not name is refused."""
    routes = {route.name: route for route in ROUTES}
    numbers, waiting = world.numbers, world.numbers["waiting"]
    cases: list[tuple[str, str, dict[str, Any]]] = [
        *((name, "France", {"bridge": numbers["own bridge"]}) for name in ("bridges.remove_own", "bridges.test_own")),
        ("games.start", "coordinator", {"game": FORMING}),
        ("games.resume", "coordinator", {"game": PAUSED}),
        ("games.cancel", "coordinator", {"game": HOSTED}),
        ("games.set_settings", "coordinator", {"game": HOSTED, "body": {"listed": False}}),
        ("games.invite", "coordinator", {"game": FORMING}),
        ("games.name_deputy", "coordinator", {"game": FORMING}),
        ("tournaments.set_entrant", "coordinator", {"number": 1}),
        *((name, "coordinator", {"tournament": TABLES}) for name in OF_TABLES),
        ("seats.sign_up", "other player", {"game": HOSTED, "body": {"preferences": ["France"]}}),
        ("seats.withdraw_sign_up", "registered", {"game": FORMING}),
        ("seats.seat_bot", "coordinator", {"game": HOSTED}),
        ("processing.preview", "coordinator", {"game": DRAFT}),
        ("processing.publish_draft", "coordinator", {"game": DRAFT}),
        ("readings.confirm", "deputy", {"item": waiting["confirm"].id}),
        ("readings.choose", "coordinator", {
            "item": waiting["choose"].id,
            "body": {"submission": waiting["choose"].submissions[0], "reason": "it did not rain"},
        }),
        ("readings.correct", "coordinator", {"game": DRAFT, "turn": "1"}),
        ("desk.settle", "administrator", {"item": numbers["mail"]}),
        ("submissions.read_own", "France", {"body": {"reading_key": numbers["key"]}}),
        ("submissions.own_file", "France", {
            "submission": numbers["pictured"], "digest": numbers["picture"],
            "body": {"reading_key": numbers["pictures key"]},
        }),
    ]  # fmt: skip
    done = set()
    for name, who, given in cases:
        route = routes[name]
        for other in world.secrets:
            if not world.may(other, name) and other != who:
                call = partial(world.call, route, other, **given)
                assert not tried(world, before, call, (name, other)), (name, other)
        assert tried(world, before, partial(world.call, route, who, **given), (name, who)), (name, who)
        done.add(name)
    return done | by_steps(world, before, routes)


def by_steps(world: World, before: Snapshot, routes: dict[str, Command]) -> set[str]:
    """The rows that come after others: links that were mailed, results that were published, seats that are free."""
    office = world.office

    def secret(kind: str) -> str:
        return str([m.facts["secret"] for m in mailings.claim(office, limit=500) if m.kind == kind][-1])

    def does(name: str, who: str, **given: Any) -> None:
        assert world.call(routes[name], who, **given) < 400, (name, who)
        done.add(name)

    done: set[str] = set()
    does("people.ask_change", "registered", body={"email": "elsewhere@example.org"})
    does("people.approve_change", "visitor", body={"secret": secret("approve address")})
    does("people.confirm_change", "visitor", body={"secret": secret("confirm address")})
    does("people.ask_link", "visitor", body={"email": "deputy@example.org"})
    does("people.use_link", "visitor", body={"secret": secret("sign in")})
    seats.ask_resign(office, world.actor("England"), HOME, "England")
    does("seats.confirm_resign", "visitor", body={"secret": secret("confirm resignation")})
    made = world.http.post(
        f"{API}/games/{HOME}/invitations", json={"power": "England"}, headers=world.bearer("coordinator")
    )
    does("seats.take_over", "registered", power="England", body={"invitation": made.json()["secret"]})
    does("absences.announce", "registered")
    (absence,) = absences.absences(office, world.actor("registered"))
    does("absences.take_back", "registered", absence=absence.id)
    does("roster.add_address", "registered")
    (address,) = roster.addresses(office, world.actor("registered"))
    does("roster.remove_address", "registered", address=address.id)
    number = people.make_token(office, world.actor("registered"), "more", ("read",)).id
    does("people.end", "registered", credential=number)
    world.http.put(f"{API}/games/{HOME}/seats/England/address-shared", json={}, headers=world.bearer("registered"))
    does("roster.add_address", "registered")
    does("roster.address_on", "coordinator", power="England")
    readings.confirm(office, world.actor("deputy"), world.numbers["waiting"]["confirm"].id, "A par - orl")
    (differs,) = [i for i in desk.items(office, world.actor("coordinator"), OPENED) if i.kind == "decide"]
    does("readings.decide", "coordinator", item=differs.id)
    processing.publish_draft(office, world.actor("coordinator"), DRAFT)
    does("games.result", "visitor", game=DRAFT, turn="1")
    does("people.end_all_sessions", "registered")
    does("erasing.erase", "administrator")
    world.undo(before)
    return done | {PICTURES.name}


def test_pictures_as_everybody(walked: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's pictures are looked at who may not send them, nor those for a game or a power that there is not."""
    world = walked
    looked: list[str] = []
    from legation.web.api import uploads

    def look(name: str, data: bytes) -> tuple[()]:
        looked.append(name)
        return ()

    monkeypatch.setattr(uploads, "take_pictures", look)
    world.see_all()
    before = Snapshot(world.folder)
    for who in world.secrets:
        for game, power in ((HOME, "France"), ("nowhere", "France"), (HOME, "Spain")):
            if (who, game, power) in (("France", HOME, "France"), ("France by play", HOME, "France")):
                continue
            path = f"{API}/games/{game}/seats/{power}/pictures"
            files = {"pictures": (f"{who}.jpg", picture(), "image/jpeg")}
            answer = world.http.post(path, files=files, headers=world.bearer(who))
            assert answer.status_code in (401, 403, 404), (who, path, answer.text)
    after = before.again()
    assert looked == [] and after == before, before.told(after)
