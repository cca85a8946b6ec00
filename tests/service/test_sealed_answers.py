"""Two offices that received different orders give everybody but the sender the same answers: no page, count, length or
header tells a visitor, a player, a coordinator, a deputy or an administrator what was sent, or whether a guess is
right."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from legation.cli.serving import whole_site
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.desk import mailings
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import open_office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.settings import Settings
from tests.office.fixtures import START
from tests.office.playing import CONSOLE, begin, passes, person, send_all
from tests.service.test_every_route import STREAMS, VALUES, routes_of
from tests.web.clients import client_of, unbound

SHEET = "A par - orl\nA dau S A par - orl"
OTHERS = {
    "other orders": "A par H\nA dau - pro",
    "nothing understood": "what shall I do?",
    "orders ahead": "A par H\nif dislodged A dau: pro, else disband",
    "instructions": "v2 replaces v1 only if the post is late\nA par H",
    "much longer": "A par H\n" + "# and more\n" * 90,
}
DRAWN = re.compile(r'[0-9a-f]{24,}|[\w-]{32,}|(?<=name="once" value=")[\w-]+')
"""Salted commitments, and what is drawn for each."""
GUESSED = ("check", "to-sign")
"""What a player may ask of their own seat with any text: another's sheet for theirs as well."""


class World:
    """A game in its second turn, to which France has sent these orders, with a photograph of the first of them."""

    def __init__(self, folder: Path, text: str) -> None:
        clock = SimulatedClock(START)
        settings = Settings(settling=0, web={"warm": False}, address="http://testserver")
        self.office = open_office(folder, settings, clock, SeededRandomSource("answers"))
        self.record, players, host = begin(self.office, coordinated=True, ready_ends=False, missing="wait")
        self.key, france = self.record.key, players["France"]
        self.readers: dict[str, Actor | None] = {
            "visitor": None,
            "rival": players["England"],
            "coordinator": host,
            **{name: person(self.office, name) for name in ("Stranger", "Deputy", "Clerk")},
        }
        games.name_deputy(self.office, host, self.key, "deputy@example.org")
        people.make_administrator(self.office, CONSOLE, self.reader("Clerk").person or 0)
        send_all(self.office, self.record, players, 1)
        passes(self.office, clock, timedelta(days=1))
        assert (turn := games.game(self.office, france, self.key).turn) and turn.number == 2
        submissions.submit(self.office, france, self.key, "France", text)
        again = submissions.submit(self.office, france, self.key, "France", text + "\n# again")
        submissions.withdraw(self.office, france, again.submission)
        submissions.ready(self.office, france, self.key, "France")
        work.run_due(self.office)
        self.sender = france.person
        number = submissions.mine(self.office, france, self.key, "France")[0].id
        self.values = {**VALUES, "game": self.key, "person": str(france.person), "number": str(number)}
        self.app = whole_site(self.office)

    def reader(self, name: str) -> Actor:
        actor = self.readers[name]
        assert actor is not None
        return actor

    def site(self, name: str) -> TestClient:
        """A browser and a program of a reader's, in one."""
        return client_of(self.app, self.office, self.readers[name], program=True)

    def told(self, name: str) -> Iterator[tuple[str, object]]:
        """Everything that a reader is told of the game, with status, headers and length."""
        site = self.site(name)
        for method, path in sorted(set(routes_of(self.app))):
            of_all = "{game}" not in path and not path.startswith(("/me", "/api/v1/me"))
            of_all = of_all and (path.count("/") > 1 or path == "/sandbox")  # which draws another table each time
            if method != "GET" or path in STREAMS or of_all:
                continue
            for turn in ("now", "1") if "{turn}" in path else ("",):
                where = self.where(path, turn)
                yield where, seen(site.get(where))
        if name == "rival":
            for verb in GUESSED:
                answer = site.post(f"/api/v1/games/{self.key}/seats/England/{verb}", json={"text": SHEET})
                assert answer.status_code == 200
                yield verb, seen(answer)

    def where(self, path: str, turn: str) -> str:
        """A route's address, for this game, the sender's seat and a turn."""
        return re.sub(r"\{(\w+)\}", lambda found: {**self.values, "turn": turn}.get(found[1], "1"), path)

    def mails(self) -> list[str]:
        """What waits to be mailed to everybody but the sender."""
        waiting = [mail for mail in mailings.claim(self.office, limit=500) if mail.person != self.sender]
        return [DRAWN.sub("#", repr((mail.kind, mail.address, mail.facts))) for mail in waiting]


def seen(answer: Any) -> object:
    """An answer with what is drawn left out."""
    assert answer.status_code < 500
    heads = {
        k: DRAWN.sub("#", v)
        for k, v in answer.headers.items()
        if k not in ("date", "set-cookie", "etag", "x-request-id")
    }
    body = answer.content
    if body.startswith(b"%PDF"):
        return answer.status_code
    return answer.status_code, heads, DRAWN.sub("#", body.decode("utf-8", "replace"))


def difference(one: Any, other: Any) -> str:
    """Where two answers part, with what stands around it."""
    one, other = repr(one), repr(other)
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"{one[max(at - 60, 0) : at + 60]} | {other[max(at - 60, 0) : at + 60]}"


@pytest.fixture(scope="module")
def unbounded() -> Iterator[None]:
    """No limit of calls: readers ask for everything at once."""
    with pytest.MonkeyPatch.context() as patch:
        unbound(patch)
        yield


@pytest.fixture(scope="module")
def told_of_sheet(unbounded: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, list[Any]], list[str]]:
    """What each reader is told where France sent SHEET, and the mails to all but France."""
    world = World(tmp_path_factory.mktemp("one"), SHEET)
    told = {name: list(world.told(name)) for name in world.readers}
    mails = world.mails()
    world.office.close()
    return told, mails


@pytest.mark.long
@pytest.mark.parametrize("way", OTHERS)
def test_nobody_but_the_sender_can_tell_which_orders_came(
    way: str, told_of_sheet: tuple[dict[str, list[Any]], list[str]], tmp_path: Path
) -> None:
    told, mails = told_of_sheet
    other = World(tmp_path, OTHERS[way])
    for name in other.readers:
        compared = accepted = 0
        for first, second in zip(told[name], other.told(name), strict=True):
            assert first == second, (name, first[0], difference(first[1], second[1]))
            compared += 1
            accepted += isinstance(first[1], tuple) and first[1][0] == 200
        assert compared > 60 and accepted > 20, (name, compared, accepted)
    assert mails and mails == other.mails()
    other.office.close()
