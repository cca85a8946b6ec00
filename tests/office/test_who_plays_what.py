"""Who plays what in an anonymous game is told by nothing before it is over: two offices that differ only in which of
two people plays which power give everybody else the same answers to every question, the same mails and messages."""

import itertools
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
from legation.office.desk import bridges, letters, mailings
from legation.office.errors import NotAllowedError
from legation.office.game import seats
from legation.office.hosting import leagues, moderation, rounds, scores, standings, tournaments
from legation.office.identity import people
from legation.office.office import Office, open_office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.settings import Settings
from tests.office.fixtures import START
from tests.office.playing import VISITOR, administrator, begin, end_game, passes, person, refuses
from tests.office.test_bridges import HOOK, Taken
from tests.office.test_hidden_senders import UNTOLD, everything, plain
from tests.office.test_tournaments import KEY, board_of, make, online, seated
from tests.service.test_every_route import STREAMS, routes_of
from tests.web.clients import unbound

DRAWN = re.compile(rf'{UNTOLD.pattern}|(?<=name="once" value=")[\w-]+')


class World:
    """An office with a finished rated game of three people, who show their profiles and ratings, and an anonymous rated
    game of a tournament, in which the first two play Burgundy and England, or the other way round. Burgundy's player
    sends, writes and blocks; England's misses a turn and resigns."""

    def __init__(self, place: Path, *, exchanged: bool) -> None:
        self.clock = SimulatedClock(START)
        given = Settings(settling=0, web={"warm": False})
        self.office = office = open_office(place, given, self.clock, SeededRandomSource("who plays what"))
        self.before, players, _ = begin(office, rated=True)
        self.folk = list(players.values())
        end_game(office, self.before.key, ["France"])
        for actor in self.folk:
            people.set_preferences(office, actor, {"profile": True, "ranked": True})
        self.host, stranger, admin = person(office, "Hilda"), person(office, "Eve"), administrator(office)
        letters_of = ["public", "private", "anonymous"]
        make(office, self.host, online=True, settings={"anonymous": True, "rated": True, "press": letters_of})
        for actor in (*self.folk, self.host):
            tournaments.enter(office, actor, KEY)
        leagues.create(office, self.host, "Club")
        seated(office, (2, 1, 3) if exchanged else (1, 2, 3))
        rounds.start(office, self.host, KEY, 1)
        work.run_due(office)
        self.key = f"{KEY}-r1-b1"
        first, second, third = self.folk
        self.burgundy, self.england = (second, first) if exchanged else (first, second)
        self.readers = {
            "visitor": VISITOR,
            "stranger": stranger,
            "player": third,
            "organizer who plays": self.host,
            "administrator": admin,
        }
        self.taken = Taken()
        bridges.add(office, self.host, self.key, HOOK, ("results", "deadlines", "letters"))
        bridges.add_own(office, third, HOOK)
        self.taken.all(office)

    def play(self) -> None:
        """A turn in which Burgundy's player is there and England's isn't."""
        office, key = self.office, self.key
        submissions.submit(office, self.burgundy, key, "Burgundy", "# nothing")
        letters.write(office, self.burgundy, key, "Burgundy", ["all"], "An otter.")
        letters.write(office, self.burgundy, key, "Burgundy", ["France"], "Another otter.", anonymous=True)
        moderation.block(office, self.burgundy, office.numbers.shown("person", self.host.person or 0))
        passes(office, self.clock, timedelta(days=8))
        seats.resign(office, self.england, key, "England")
        passes(office, self.clock, timedelta(days=8))

    def answers(self) -> Iterator[tuple[str, str]]:
        """What each reader is told: the answers to all questions, mails, and what goes over bridges."""
        shown = [self.office.numbers.shown("person", actor.person or 0) for actor in self.folk]
        given: dict[str, list[Any]] = {
            "game": [self.key, self.before.key], "tournament": [KEY], "league": ["club"], "variant": ["hundred"],
            "person": shown, "player": ["", "Player0", "Player1"], "power": ["Burgundy", "England"],
            "turn": ["now", "last", 1], "round": [0, 1], "board": [1], "live": [True], "words": ["otter"],
            "number": [1, 2], "state": ["", "running", "ended"], "name": ["Winter Open R1 B1"], "text": [""],
            "since": [""], "family": ["hundred"], "page": [1], "after": [], "letter": [1], "digest": ["0" * 64],
        }  # fmt: skip
        for who, actor in self.readers.items():
            yield from ((f"{who}: {name}", told) for name, told in everything(self.office, actor, given))
        told_to = {actor.person: who for who, actor in self.readers.items()}
        for mailing in mailings.claim(self.office, limit=500):
            if mailing.person in told_to:
                yield f"{told_to[mailing.person]}: mail {mailing.kind}", plain(mailing.facts)
        yield from (("bridge", text) for text in self.taken.all(self.office))

    def pages(self) -> Iterator[tuple[str, str]]:
        """What each reader is given at every address that a reader may ask for, but papers and pictures."""
        site, shown = whole_site(self.office), self.office.numbers.shown
        given = {
            "game": [self.key], "tournament": [KEY], "league": ["club"], "variant": ["hundred"], "turn": ["now", "1"],
            "person": [str(shown("person", actor.person or 0)) for actor in self.folk], "power": ["England"],
            "tab": ["sheet", "results", "letters", "powers", "proofs"], "round": ["1"], "board": ["1"],
        }  # fmt: skip
        for who, actor in self.readers.items():
            client = TestClient(site, follow_redirects=False)
            if actor.person is not None:
                client.cookies.set("session", people.start_session(self.office, Actor.clock(), actor.person).secret)
            for method, path in routes_of(site):
                names = re.findall(r"\{(\w+)\}", path)
                if method != "GET" or path.startswith("/api/") or path in STREAMS or not given.keys() >= {*names}:
                    continue
                for values in itertools.product(*(given[name] for name in names)):
                    address = path.format(**dict(zip(names, values, strict=True)))
                    answer = client.get(address)
                    readable = answer.headers.get("content-type", "text").startswith(("text", "application/json"))
                    if readable and answer.status_code != 202:  # a page that is still being made
                        yield f"{who}: {address}", f"{answer.status_code} {DRAWN.sub('#', answer.text)}"


@pytest.fixture
def worlds(tmp_path: Path) -> Iterator[tuple[World, World]]:
    one, other = World(tmp_path / "one", exchanged=False), World(tmp_path / "other", exchanged=True)
    yield one, other
    one.office.close()
    other.office.close()


def differing(worlds: tuple[World, World]) -> list[str]:
    """What tells one world from the other."""
    one, other = (list(world.answers()) for world in worlds)
    assert [name for name, _ in one] == [name for name, _ in other]
    return [name for (name, told), (_, again) in zip(one, other, strict=True) if told != again]


@pytest.mark.long
def test_nothing_tells_who_plays_what_before_an_anonymous_game_is_over(worlds: tuple[World, World]) -> None:
    for world in worlds:
        world.play()
    assert differing(worlds) == []
    for world in worlds:
        end_game(world.office, world.key, "France")
    told = {name.partition(" {")[0] for name in differing(worlds)}
    assert {"visitor: profiles.profile", "visitor: seats.holders", "visitor: tournaments.tournament"} <= told


def test_in_the_fog_no_standings_tell_how_a_board_stands(foggy: Office) -> None:
    office = foggy
    host, folk = online(office, 7, variant="foggy", settings={"scoring": "carnage"})
    rounds.seat(office, host, KEY)
    work.run_due(office)
    key = board_of(rounds.start(office, host, KEY, 1)).game
    work.run_due(office)
    for reader in (VISITOR, folk[0], host):
        live = standings.standings(office, reader, KEY, live=True)
        assert (live.places, live.awards, live.playing) == ((), (), 0)
        (board,) = tournaments.tournament(office, reader, KEY).boards
        assert {(seat.centers, seat.points, seat.result) for seat in board.seats} == {(None, None, "")}
        refuses(NotAllowedError, scores.points, office, reader, key, "carnage")
    end_game(office, key, "France")
    assert len(standings.standings(office, VISITOR, KEY, live=True).places) == 7


@pytest.mark.long
def test_no_page_tells_who_plays_what(worlds: tuple[World, World], monkeypatch: pytest.MonkeyPatch) -> None:
    unbound(monkeypatch)
    for world in worlds:
        world.play()
    one, other = (dict(world.pages()) for world in worlds)
    both = [where for where in one if where in other]
    assert [where for where in both if one[where] != other[where]] == []
    assert len([where for where in both if one[where].startswith("200")]) > 200
