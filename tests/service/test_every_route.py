"""Every route of the office, as every role: what is another's is on none of them, before the deadline and after; who
may not know of a game learns nothing of it. The routes are those of the site that is served; a new one is walked by
itself."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from legation.cli.serving import whole_site
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import bridges, desk, letters
from legation.office.hosting import games, roster
from legation.office.identity import browsers, people
from legation.office.office import Office
from legation.office.orders import submissions
from tests.office.playing import CONSOLE, begin, gather, passes, person, picture
from tests.office.test_pushes import Device
from tests.sampling import some
from tests.web.clients import client_of, unbound

NAME = "Quivering Otter"
SHEET = "A Zanzibar H\nA dau - pro"
BEFORE = ("Zanzibar", "A dau - pro", "Dauphine - Provence", "Dauphine to Provence")
ALWAYS = ("Tombuktu", "Leave Calais empty", "7 Hidden Lane", "Quokka")
VALUES = {
    "report": "1", "tournament": "weekend", "league": "club", "round": "1", "board": "1", "power": "France",
    "tab": "sheet", "theme": "light", "version": "1", "secret": "x", "token": "x", "variant": "hundred", "name": "x",
    "clause": "H3-8d", "case": "6.C.1", "kind": "board", "paper": "a4", "digest": "0" * 64, "path": "style.css",
    "subject": "x", "letter": "1", "id": "1", "item": "1", "credential": "1", "absence": "1", "size": "192",
    "file": "thumb-light.webp", "page": "1", "address": "1",
}  # fmt: skip
"""What stands in addresses; a new name must get a value here."""
ENDS = ("/sign-out", "/me/sessions/end", "/me/erase", "/me/credentials/{number}/end")
"""What ends the session that walks; walked last."""
STREAMS = ("/games/{game}/live",)
"""What does not end; ``tests/web/test_live.py`` and ``test_players.py`` have it."""
REFUSED = (401, 403, 404, 405, 409, 410, 413, 422)
VARY = ("keeper.log", "lock")
PAPERS = re.compile(r"/print/(packets|letters|labels|envelopes|roster)\.pdf$")
"""The coordinator's papers, whose letters are packed in a PDF: nobody else is answered."""


def routes_of(site: Any, below: str = "") -> Iterator[tuple[str, str]]:
    """Every method and path of a site, and of what is mounted and included in it."""
    for one in site.routes:
        if isinstance(one, Mount):
            yield from routes_of(one, below + one.path)
        elif isinstance(one, Route):
            for method in sorted(set(one.methods or ()) - {"HEAD", "OPTIONS"}):
                yield method, below + re.sub(r":\w+\}", "}", one.path)
        else:
            yield from routes_of(one.original_router, below)


class World:
    """A game that is not listed, with a power, France, that has things of its own."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.committed: list[str] = []
        self._watch()
        self.app = whole_site(office)
        self.game, self.players, self.host = begin(office, "hundred", NAME, coordinated=True, ready_ends=False)
        games.set_settings(office, self.host, self.game.key, {"listed": False})
        self.france = self.players["France"]
        submissions.submit(office, self.france, self.game.key, "France", SHEET)
        sheet = [("sheet.jpg", picture(), "image/jpeg")]
        submissions.submit_pictures(office, self.france, self.game.key, "France", sheet)
        write, key = letters.write, self.game.key
        letter = write(office, self.france, key, "France", ["Burgundy"], "Leave Calais empty.", orders="A par - orl")
        self.street = roster.add_address(office, self.france, ["7 Hidden Lane"], "France", primary=True)
        given = {**Device().subscription, "endpoint": "https://push.example.net/Quokka"}
        self.device = browsers.subscribe(office, self.france, **given)
        self.stranger = person(office, "Stranger")
        gather(office, self.stranger, "Another", coordinated=True)
        self.administrator = person(office, "Administrator")
        people.make_administrator(office, CONSOLE, self.administrator.person or 0)
        assert self.game.turn is not None
        own = {"game": self.game.key, "turn": self.game.turn.key, "person": str(self.france.person)}
        self.values = {
            **VALUES,
            **own,
            "number": str(submissions.mine(office, self.france, own["game"], "France")[0].id),
        }
        self.values["submission"] = self.values["number"]
        self.values["letter"] = str(letter.id)
        self.values["browser"] = str(self.device.id)
        self.values["bridge"] = str(bridges.add_own(office, self.france, "https://push.example.net/Quokka").id)

    def _watch(self) -> None:
        """Note what is written to the database, once it is committed."""
        pending: list[str] = []

        def note(_1: Any, _2: Any, statement: str, *_: Any) -> None:
            if statement.lstrip()[:6].upper() in ("INSERT", "UPDATE", "DELETE"):
                pending.append(statement)

        def commit(_: Any) -> None:
            self.committed += pending
            pending.clear()

        event.listen(self.office.store.engine, "before_cursor_execute", note)
        event.listen(self.office.store.engine, "commit", commit)
        event.listen(self.office.store.engine, "rollback", lambda _: pending.clear())

    def actor(self, role: str) -> Actor | None:
        known = {"stranger": self.stranger, "rival": self.players["England"], "host": self.host}
        return {"visitor": None, "administrator": self.administrator, **known}[role]

    def browser(self, role: str) -> TestClient:
        """A browser and a program of somebody's, in one."""
        return client_of(self.app, self.office, self.actor(role), program=True)

    def own(self) -> list[object]:
        """What France has, as only France may change it."""
        seat = next(s for s in games.game(self.office, self.france, self.game.key).seats if s.power == "France")
        return [
            [(s.id, s.standing) for s in submissions.mine(self.office, self.france, self.game.key, "France")],
            [a.lines for a in roster.addresses(self.office, self.france)],
            people.me(self.office, self.france),
            browsers.browsers(self.office, self.france),
            (seat.holder, seat.ready),
        ]


def files_of(office: Office) -> list[tuple[Path, int]]:
    """The files and keys of an office, each with its time."""
    folder = Path(office.store.engine.url.database or "").parent
    kept = [path for part in ("files", "keys") for path in (folder / part).rglob("*") if path.name not in VARY]
    return sorted((path, path.stat().st_mtime_ns) for path in kept)


def written_since(world: World) -> Callable[[], list[str]]:
    """What is committed to the database from now on, but for when a session or token was used last."""
    start = len(world.committed)
    return lambda: [told for told in world.committed[start:] if not told.startswith("UPDATE credentials SET last_used")]


def walk(world: World, role: str, secrets: tuple[str, ...], *, asks_only: bool = False) -> int:
    """Ask every route (with ``asks_only`` those that change nothing); the answer is how many there are."""
    site, walked = world.browser(role), 0
    outside = role in ("visitor", "stranger")
    form = {
        "power": "France", "text": "A par H", "to": "France", "reason": "", "turn": "1", "do": "anyway", "name": "",
        "email": "x@y.zz", "label": "x", "version": world.values["number"], "ready": "true", "answer": "{}",
        "variant": "hundred",
    }  # fmt: skip
    for method, path in sorted(routes_of(world.app), key=lambda route: (route[1] in ENDS, route[1])):
        if path in STREAMS or (asks_only and method != "GET"):
            continue
        before, written = files_of(world.office), written_since(world)
        address = re.sub(r"\{(\w+)\}", lambda found: world.values[found[1]], path)
        if method == "GET":
            answer = site.get(address)
        elif path.startswith("/api/"):
            answer = site.request(method, address, json={"text": "A par H"})
        else:
            answer = site.request(method, address, data=form)
        where = f"{role}: {method} {address}: {answer.status_code}"
        assert answer.status_code < 500, where
        if answer.status_code in REFUSED:
            assert written() == [] and files_of(world.office) == before, f"{where} left a trace"
        mine = (
            "@example.org" if path.startswith(("/me", "/api/v1/me")) else ""
        )  # one's own address is on one's own page
        for secret in secrets:
            assert secret == mine or secret not in answer.text, (where, secret)
        if outside:
            assert NAME not in answer.text, where
            if "{game}" in path and not path.endswith("/invitation/{secret}"):  # that page is the same for any game
                assert answer.status_code in (303, 401, 403, 404, 422), where
        if PAPERS.search(path) and not asks_only:  # a player who only asks keeps the seat, and has some
            assert answer.status_code in (303, 401, 403, 404), where
        walked += 1
    return walked


@pytest.mark.long
@pytest.mark.usefixtures("calls")
@pytest.mark.parametrize("role", ["visitor", "stranger", "rival"])
def test_nobody_gets_what_is_anothers_by_any_route(
    office: Office, clock: SimulatedClock, role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    unbound(monkeypatch)
    world = World(office)
    before = world.own()
    secrets = (*BEFORE, *ALWAYS, people.me(office, world.france).email)
    assert walk(world, role, secrets) > 180
    assert world.own() == before
    assert games.game(office, world.host, world.game.key).state == "running"
    passes(office, clock, timedelta(days=2))
    item = next(i for i in desk.items(office, world.host) if i.power == "France")
    world.values |= {"item": str(item.id), "id": str(item.id)}
    if files := desk.item(office, world.host, item.id).facts.get("files"):
        world.values["digest"] = files[0]
    walk(world, role, secrets)  # nothing is published while the coordinator reads
    assert [item.id] == [i.id for i in desk.items(office, world.host) if i.power == "France"]


@pytest.mark.usefixtures("calls")
@pytest.mark.parametrize("role", some(["rival", "host", "administrator"]))
def test_who_asks_alone_reads_no_order_or_letter_before_the_deadline_by_any_route(
    office: Office, role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    unbound(monkeypatch)
    world = World(office)
    before = world.own()
    assert walk(world, role, (*BEFORE, "Tombuktu", "Leave Calais empty"), asks_only=True) > 90
    assert world.own() == before
