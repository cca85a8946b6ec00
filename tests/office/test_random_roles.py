"""Every command by everybody, with whatever is at hand: after each of them nobody plays and coordinates, nobody plays
and reads what others wrote, and no letter is read by whom it was not written to."""

from __future__ import annotations

import inspect
import shutil
import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import legation.office
from legation.office import (
    Actor,
    SeededRandomSource,
    Settings,
    SimulatedClock,
    demo,
    games,
    letters,
    open_office,
    people,
    work,
)
from legation.office.errors import OfficeError
from legation.office.hosting import retrospects
from legation.office.hosting.votes import VOTE_KINDS
from legation.office.permissions import TABLE
from legation.office.store import unpack
from legation.office.store.rows import DeskRow, GameRow, LetterCopyRow, LetterRow, SeatRow, SubmissionRow
from legation.office.terms.invariants import faults
from tests.office.fixtures import START
from tests.office.playing import person, unmatched

POWERS = ("France", "England", "Burgundy")
PEOPLE = ("Ann", "Ben", "Carl", "Dora", "Eve")
WHO = (*PEOPLE, "guest", "token", "console", "visitor")
SETTINGS: tuple[dict[str, Any], ...] = (
    {"coordinated": True}, {"coordinated": False}, {"coordinated": True, "reads_letters": True},
    {"reads_letters": True}, {"listed": False}, {"anonymous": True}, {"grace": 10},
)  # fmt: skip
POOLS: dict[str, tuple[Any, ...]] = {
    "power": POWERS, "name": ("Somebody", ""),
    "email": (*(f"{p.lower()}@example.org" for p in PEOPLE), "", "x@new.example"),
    "text": ("A par H", "", "v2 replaces v1 only if it rains\nA par H"), "reason": ("why not", ""), "note": ("a note",),
    "changes": SETTINGS, "preferences": (["France"], []), "to": (["England"], ["all"]), "bot": ("hold", "hal"),
    "plan": tuple(
        {"name": f"Game {n}", "variant": "hundred", "settings": s} for n, s in enumerate((SETTINGS[0], {}, SETTINGS[2]))
    ),
    "scopes": (("read",), ("me", "play")), "label": ("mine",), "lines": (["1 High Street"],), "country": ("UK",),
    "first": ("2026-04-01",), "last": ("2026-04-02",), "primary": (True,), "share": (True, False),
    "disorder": (True, False), "accept": (True, False), "retry": (True, False), "anonymous": (True, False),
    "days": (1,), "person": (1, 2, 3), "credential": (1, 2, 3), "address": (1, 2), "absence": (1, 2),
    "card": ({},), "numbers": ([1, 2], [5]), "kind": ("letter",), "people.readdress to": ("x@new.example",),
    "pictures": ([("a.jpg", b"\xff\xd8", "image/jpeg")],), "channel": ("web",),
    "received": (None,), "people.readdress email": ("nobody@example.org",),
    "people.set_preferences preferences": ({"quiet": ["letter"]}, {"quiet": 5}),
    "turn": ("now", "1"), "document": ({},), "key_id": ("a key",), "facts": ({},), "challenge": (b"x",),
    "next_page": ("/games",), "reading_key": ("",), "arrival": (0,), "ready": (True,),
    "endpoint": ("https://push.example.org/1", "https://push.example.org/2", "http://localhost"), "auth": ("A" * 22,),
    "p256dh": ("BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",),
    "browser": (1, 2), "whom": ("", *POWERS), "hours": (0, 24, 999),
    "votes.vote kind": VOTE_KINDS, "votes.take_back kind": VOTE_KINDS, "votes.ask kind": VOTE_KINDS,
    "shows": ("envelope", "sheet"), "nonce": ("", "00" * 16), "signatures": ((),), "key": ("ab" * 32, "", "no key"),
}  # fmt: skip
"""By the name of an argument, what it may be; others are taken from what there is in the office."""


def commands() -> list[tuple[str, Callable[..., Any]]]:
    found = []
    for name in TABLE:
        room, _, verb = name.partition(".")
        function = getattr(getattr(legation.office, room), verb)
        if hasattr(function, "is_command"):
            found.append((name, function))
    return found


COMMANDS = commands()
FOUND = {"game", "item", "submission", "invitation", "secret", "until"}
"""Arguments that are something in the office."""


def needed(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The arguments of a command, but for those that may be left out and that nobody here has anything for."""
    wanted = list(inspect.signature(function).parameters.values())[1:]
    return [p for p in wanted if p.name in POOLS or p.name in FOUND or p.default is inspect.Parameter.empty]


class RandomRoles(RuleBasedStateMachine):
    """An office in which everybody tries everything."""

    @initialize()
    def open(self) -> None:
        retrospects.is_available = lambda: False  # nothing here waits for a game to be analyzed
        self.folder = Path(tempfile.mkdtemp())
        self.clock = SimulatedClock(START)
        self.office = open_office(self.folder, Settings(settling=0), self.clock, SeededRandomSource(1))
        self.who = {name: person(self.office, name) for name in PEOPLE}
        people.make_administrator(self.office, Actor.console(), self.who["Eve"].person or 0)
        given, _ = demo.seat_guest(self.office, "hundred")
        self.who["guest"] = people.by_secret(self.office, given.secret)
        narrow = people.make_token(self.office, self.who["Ann"], "narrow", ("me", "coordinate"))
        self.who["token"] = people.by_secret(self.office, narrow.secret)
        self.who |= {"console": Actor.console(), "visitor": Actor.visitor()}
        games.create(self.office, self.who["Ann"], POOLS["plan"][0])
        games.create(self.office, self.who["Ben"], POOLS["plan"][1])
        self.secrets = ["guessed"]
        unmatched(self.office, game="game-0")

    def value(self, data: st.DataObject, name: str) -> Any:
        """Something for an argument: out of the pools, else of what there is."""
        if name in POOLS:
            return data.draw(st.sampled_from(POOLS[name]), label=name)
        with self.office.store.transaction(write=False) as tx:
            there: dict[str, list[Any]] = {
                "game": [row.key for row in tx.all(GameRow)],
                "item": [row.id for row in tx.all(DeskRow)],
                "submission": [row.id for row in tx.all(SubmissionRow)],
                "invitation": ["", *self.secrets],
                "secret": self.secrets,
                "until": [self.clock.now() + timedelta(days=3)],
            }
        return data.draw(st.sampled_from(there[name] or [1]), label=name)

    @rule(data=st.data(), who=st.sampled_from(WHO), command=st.sampled_from(COMMANDS))
    def give(self, data: st.DataObject, who: str, command: tuple[str, Callable[..., Any]]) -> None:
        name, function = command
        if name in ("erasing.erase", "people.end_all_sessions", "people.end"):
            return  # who is gone tries nothing more
        wanted = needed(function)
        whole = {p.name: f"{name} {p.name}" for p in wanted}
        given = {arg: self.value(data, exact if exact in POOLS else arg) for arg, exact in whole.items()}
        try:
            answer = function(self.office, self.who[who], **given)
        except OfficeError:
            return
        if secret := getattr(answer, "secret", ""):
            self.secrets.append(secret)

    @rule(data=st.data(), who=st.sampled_from(PEOPLE), verb=st.sampled_from(["sign_up", "set_settings", "name_deputy"]))
    def crowd(self, data: st.DataObject, who: str, verb: str) -> None:
        """What most of all brings people where they may not be together."""
        self.give(data, who, next(c for c in COMMANDS if c[0].endswith(f".{verb}")))

    @rule(hours=st.sampled_from([1, 25]))
    def wait(self, hours: int) -> None:
        self.clock.advance(timedelta(hours=hours))
        work.run_due(self.office)

    @invariant()
    def every_game_is_as_it_must_be(self) -> None:
        with self.office.store.transaction(write=False) as tx:
            for game in tx.all(GameRow):
                assert list(faults(tx, game)) == [], game.name
                told = unpack(game.settings)
                players = {seat.person for seat in tx.all(SeatRow, game=game.id) if seat.person is not None}
                assert game.deputy not in players
                assert not (told.get("coordinated") and game.coordinator in players)

    @invariant()
    def letters_are_read_by_their_readers(self) -> None:
        with self.office.store.transaction(write=False) as tx:
            private = [row for row in tx.all(LetterRow) if not row.public]
            seats = {seat.id: seat.person for seat in tx.all(SeatRow)}
            readers = {
                row.id: {seats[row.sender], *(seats[c.seat] for c in tx.all(LetterCopyRow, letter=row.id))}
                for row in private
            }
            keys = {game.id: game for game in tx.all(GameRow)}
        for row in private:
            game = keys[row.game]
            told = unpack(game.settings)
            allowed = set(readers[row.id])
            if told.get("reads_letters") and told.get("coordinated"):
                allowed.add(game.coordinator)
            for name in (*PEOPLE, "guest", "visitor"):
                actor = self.who[name]
                try:
                    seen = {letter.id for letter in letters.letters(self.office, actor, game.key, limit=500)}
                except OfficeError:
                    continue
                assert row.id not in seen or actor.person in allowed, f"{name} read a letter"

    def teardown(self) -> None:
        if hasattr(self, "office"):
            self.office.close()
            shutil.rmtree(self.folder, ignore_errors=True)


RandomRoles.TestCase.settings = settings(
    max_examples=6,
    stateful_step_count=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],  # a failure is long enough in coming
)
TestRandomRoles = RandomRoles.TestCase


def test_every_command_can_be_given() -> None:
    """Every argument that a command needs has something to be."""
    for name, function in COMMANDS:
        wanted = {p.name for p in needed(function)}
        assert wanted <= POOLS.keys() | FOUND, (name, wanted - POOLS.keys() - FOUND)
