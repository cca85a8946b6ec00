"""Every command by everybody, with whatever is at hand: after each of them nobody plays and coordinates, nobody plays
and reads what others wrote, no letter is read by whom it was not written to and no order before its turn is closed, and
in the end the journal is the game."""

import contextlib
import inspect
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk, letters
from legation.office.errors import OfficeError
from legation.office.game import journal, seats
from legation.office.hosting import exports, games, moving, proofs, retrospects, transfer
from legation.office.hosting.tournaments import NewEntrant
from legation.office.hosting.votes import VOTE_KINDS
from legation.office.identity import people
from legation.office.keys.public_numbers import Kind
from legation.office.office import Office, open_office
from legation.office.operation import demo, work
from legation.office.orders import submissions
from legation.office.permissions import commands
from legation.office.records import TurnRecord
from legation.office.settings import Settings
from legation.office.store.packing import unpack
from legation.office.store.rows import (
    AbsenceRow,
    AddressRow,
    ArrivalRow,
    BridgeRow,
    BrowserRow,
    CredentialRow,
    DeskRow,
    GameRow,
    LetterCopyRow,
    LetterRow,
    ReportRow,
    Row,
    SeatRow,
    SubmissionRow,
    TournamentRow,
    TurnRow,
)
from legation.office.terms import invariants
from legation.office.terms.invariants import faults
from legation.proofs.kinds import KeeperKey
from legation.proofs.receipts import OfficeCard, receipt_json, signed_by
from legation.proofs.signing import public_key
from legation.scoring.tournament import Line
from tests.office.fixtures import START
from tests.office.playing import CONSOLE, VISITOR, counted, person, stored, unmatched_mail
from tests.office.test_archive import old_game
from tests.office.test_catalog import checked

POWERS = ("France", "England", "Burgundy")
PEOPLE = ("Ann", "Ben", "Carl", "Dora", "Eve")
WHO = (*PEOPLE, "guest", "token", "console", "visitor")
SETTINGS: tuple[dict[str, Any], ...] = (
    {"coordinated": True},
    {"coordinated": False},
    {"coordinated": True, "reads_letters": True},
    {"reads_letters": True},
    {"listed": False},
    {"anonymous": True},
    {"grace": 10},
)
OLD_GAME = old_game() | {"names": {"France": "Anna of Old"}, "people": {"England": "ben@example.org"}}
POOLS: dict[str, tuple[Any, ...]] = {
    "power": POWERS, "name": ("Somebody", ""),
    "email": (*(f"{p.lower()}@example.org" for p in PEOPLE), "", "x@new.example"),
    "text": ("A par H", "", "v2 replaces v1 only if it rains\nA par H"), "reason": ("why not", ""), "note": ("a note",),
    "changes": SETTINGS, "preferences": (["France"], []), "to": (["England"], ["all"]), "bot": ("hold", "hal"),
    "plan": tuple(
        {"name": f"Game {n}", "variant": "hundred", "settings": s} for n, s in enumerate((SETTINGS[0], {}, SETTINGS[2]))
    ),
    "scopes": (("read",), ("me", "play")), "label": ("mine",), "lines": (["1 High Street"],), "country": ("UK",),
    "first": ("2026-04-01",), "last": ("2026-04-02",), "primary": (False,), "share": (True, False),
    "disorder": (True, False), "accept": (True, False), "retry": (True, False), "anonymous": (True, False),
    "days": (1,), "person": (1, 2, 3), "kind": ("letter",), "people.readdress to": ("x@new.example",),
    "pictures": ([("a.jpg", b"\xff\xd8", "image/jpeg")],),
    "received": (None,), "people.readdress email": ("nobody@example.org",),
    "people.set_preferences preferences": ({"quiet": ["letter"]}, {"quiet": 5}),
    "turn": ("now", "1"), "key_id": ("a key",), "facts": ({},), "challenge": (b"x",),
    "next_page": ("/games",), "reading_key": ("",), "ready": (True,),
    "endpoint": ("https://push.example.org/1", "https://push.example.org/2", "http://localhost"), "auth": ("A" * 22,),
    "p256dh": ("BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",),
    "whom": ("", *POWERS), "who": (*POWERS, "all"), "number": (1, 2), "stars": (0, 5),
    "variant": ("hundred", "duel"), "hours": (0, 24, 999),
    "votes.vote kind": VOTE_KINDS, "votes.take_back kind": VOTE_KINDS, "votes.ask kind": VOTE_KINDS,
    "tournament": ("weekend", "club-s1-d1", "none"), "league": ("club", "none"), "round": (1, 2), "board": (1, 2),
    "one": (1,), "other": (2,), "out": (1, 2), "into": (1, 3), "moves": (1,), "divisions": (1, 2),
    "state": ("in", "out"),
    "page": (1, 2), "pages": ([("1.png", b"\xff\xd8", "image/jpeg", "")], [("1.png", b"x", "image/png", "no code")]),
    "substitute": (True, False), "people": ([NewEntrant("Kim")],), "leagues.create name": ("Club",),
    "tournaments.create plan": ({"name": "Weekend", "variant": "hundred", "bots": "hold"},),
    "leagues.open_season plan": ({"name": "any", "variant": "hundred", "online": False},),
    "tournaments.set_plan changes": ({"rounds": 4}, {"settings": {"coordinated": True}}),
    "results": ({}, {power: Line(5) for power in POWERS}), "rounds.take_results results": ("", "x"),
    "bridges.add address": ("https://push.example.org/hook",), "bridges.add_own address": ("https://localhost/",),
    "record": ({}, OLD_GAME), "device": ("Firefox",), "network": ("192.0.2.0/24", "2001:db8::/48", ""),
    "imports.claim name": ("Anna of Old", "Nobody"), "imports.give_up name": ("Anna of Old",),
    "imports.confirm name": ("Anna of Old",), "imports.refuse name": ("Anna of Old",),
    "decision": ("nothing", "warning", "suspension"), "letter": (0,),
    "shows": ("envelope", "sheet"), "nonce": ("", "00" * 16), "signatures": ((),), "key": ("ab" * 32, "", "no key"),
}  # fmt: skip
"""By the name of an argument, what it may be; others are taken from what there is in the office."""


COMMANDS = [(command.name, command.function) for command in commands().values() if command.writes]
NUMBERED: dict[str, tuple[Kind, type[Row]]] = {
    "item": ("desk item", DeskRow),
    "submission": ("submission", SubmissionRow),
    "arrival": ("mail", ArrivalRow),
    "credential": ("credential", CredentialRow),
    "address": ("address", AddressRow),
    "absence": ("absence", AbsenceRow),
    "bridge": ("bridge", BridgeRow),
    "report": ("report", ReportRow),
    "browser": ("browser", BrowserRow),
}
FOUND = {*NUMBERED, "game", "invitation", "secret", "until", "numbers", "card", "document", "package"}
"""Arguments that are something in the office."""


def needed(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The arguments of a command, but for those that may be left out and that nobody here has anything for."""
    wanted = list(inspect.signature(function).parameters.values())[1:]
    return [p for p in wanted if p.name in POOLS or p.name in FOUND or p.default is inspect.Parameter.empty]


VIEWS: tuple[Callable[[Office, Actor, str], object], ...] = (
    games.game, journal.entries, submissions.commitments, submissions.overview, proofs.transcript, exports.saved_game,
    transfer.whole_game, desk.items,
)  # fmt: skip
STEPS = 110
OFTEN = (
    "sign_up", "start", "set_settings", "name_deputy", "renew", "reopen", "vote", "ask", "submit", "write", "resume",
    "register_posted", "set_key", "ready", "submit_pictures", "transcribe",
)  # fmt: skip
"""What brings people where they may not be together, and games on."""
ENDS = ("games.cancel", "moving.leave", "transfer.take_in", "games.pause")
"""What takes a game from play, or fills the office with copies: given now and then."""


class Everybody:
    """An office in which everybody tries everything."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.done: set[str] = set()  # the commands that somebody gave with success
        self.clock = SimulatedClock(START)
        self.office = open_office(self.folder, Settings(settling=0), self.clock, SeededRandomSource(1))
        self.who = {name: person(self.office, name) for name in PEOPLE}
        people.make_administrator(self.office, CONSOLE, self.who["Eve"].person or 0)
        given, _ = demo.seat_guest(self.office, "hundred")
        self.who["guest"] = people.by_secret(self.office, given.secret)
        narrow = people.make_token(self.office, self.who["Ann"], "narrow", ("me", "coordinate"))
        self.who["token"] = people.by_secret(self.office, narrow.secret)
        self.who |= {"console": CONSOLE, "visitor": VISITOR}
        games.create(self.office, self.who["Ann"], POOLS["plan"][0])
        games.create(self.office, self.who["Ben"], POOLS["plan"][1])
        self.secrets, self.named = ["guessed"], 1
        self.lost: set[str] = set()  # games of which a key is gone, and with it what was sealed by it
        self.marks: dict[str, tuple[str, int]] = {}  # what sheets are marked by, with the game and the turn
        unmatched_mail(self.office, game="game-0")
        keeper = KeeperKey(key=public_key(b"k" * 32), elsewhere=False)
        self.cards = [
            receipt_json(signed_by(b"o" * 32, OfficeCard(keeper=keeper, address="https://other.example"))),
            json.dumps(moving.card(self.office, VISITOR), sort_keys=True, separators=(",", ":")),
            "no card",
        ]

    def value(self, random: Random, name: str) -> Any:
        """Something for an argument: out of the pools, else of what there is."""
        if name == "plan":
            self.named += 1
            return {**random.choice(POOLS["plan"]), "name": f"Game {self.named}"}
        if name in POOLS:
            return random.choice(POOLS[name])
        shown = self.office.numbers.shown
        if name in NUMBERED:
            kind, table = NUMBERED[name]
            return random.choice([shown(kind, row.id) for row in stored(self.office, table)] or [1])
        keys = [row.key for row in stored(self.office, GameRow, state=["gathering", "running", "paused"])] or ["none"]
        letters_there = [shown("letter", row.id) for row in stored(self.office, LetterRow)]
        if name == "document":
            with contextlib.suppress(OfficeError):
                return transfer.whole_game(self.office, CONSOLE, random.choice(keys))
            return {}
        there: dict[str, list[Any]] = {
            "game": keys,
            "numbers": [letters_there, [5]],
            "card": self.cards,
            "package": [checked(), checked(version="1.1")],
            "invitation": ["", "", "", random.choice(self.secrets)],
            "secret": self.secrets,
            "until": [self.clock.now() + timedelta(days=3)],
        }
        return random.choice(there[name])

    def step(self, random: Random) -> None:
        """Something of all that may happen."""
        match random.choices(["anything", "often", "wait", "fill"], [50, 34, 6, 10])[0]:
            case "anything":
                name, function = random.choice(COMMANDS)
                if name not in ENDS or random.random() < 0.5:
                    self.all_give(random, name, function)
            case "often":
                verb = random.choice(OFTEN)
                self.all_give(random, *random.choice([c for c in COMMANDS if c[0].endswith(f".{verb}")]))
            case "wait":
                self.clock.advance(timedelta(hours=random.choice([1, 25])))
                work.run_due(self.office)
            case "fill":
                self.fill(random)

    def mend_and_move(self, random: Random) -> None:
        """What few may do and no draw brings about: a key is lost and the turn opened anew, the office signs with
        another key, a game is to leave, stays, and leaves."""
        self.fill(random)
        if not self.coordinated():
            self.begin({**self.value(random, "plan"), "settings": {"coordinated": True}})
        game = self.coordinated()[0]
        name = next(t.sealed_by for t in stored(self.office, TurnRow, game=game.id) if t.number == game.turn)
        (self.folder / "keys" / f"{name}.key").unlink(missing_ok=True)
        self.lost.add(game.key)
        self.everybody(random, "lost_keys.reopen", game=game.key, turn="now", reason="it burned")
        self.clock.advance(timedelta(seconds=1))
        moving.new_signing_key(self.office)
        self.everybody(random, "moving.renew")
        self.everybody(random, "moving.leave", game=game.key, card=self.cards[0])
        self.everybody(random, "moving.stay", game=game.key)

    def all_give(self, random: Random, name: str, function: Callable[..., Any]) -> None:
        """Have everybody give a command with whatever is at hand."""
        if name in ("erasing.erase", "people.end_all_sessions", "people.end"):
            return  # who is gone tries nothing more
        wanted = {p.name: f"{name} {p.name}" for p in needed(function)}
        given = {arg: self.value(random, exact if exact in POOLS else arg) for arg, exact in wanted.items()}
        if name == "submissions.submit":
            given["text"] += self.mark(given["game"])
        self.everybody(random, name, **given)

    def everybody(self, random: Random, name: str, /, **given: Any) -> None:
        """Have everybody give a command with these arguments, in any order; on their own seats, where they have one in
        that game, more often than not."""
        function = dict(COMMANDS)[name]
        for who in random.sample(WHO, len(WHO)):
            own = self.own_power(who, given) if random.random() < 0.7 else {}
            try:
                answer = function(self.office, self.who[who], **given | own)
            except OfficeError:
                continue
            self.done.add(name)
            if secret := getattr(answer, "secret", ""):
                self.secrets.append(secret)

    def mark(self, game: str) -> str:
        """A remark for a sheet, by which it is known wherever somebody sees it."""
        mark = f"mark{len(self.marks):04}"
        if (turn := self.turn(game)) is not None:
            self.marks[mark] = game, turn.number
        return f"\n# {mark}"

    def turn(self, game: str) -> TurnRecord | None:
        with contextlib.suppress(OfficeError):
            return games.game(self.office, CONSOLE, game).turn
        return None

    def own_power(self, who: str, given: dict[str, Any]) -> dict[str, str]:
        """The power that somebody plays in the game that is named, in place of any."""
        person = self.who[who].person
        if person is None or not {"power", "game"} <= given.keys():
            return {}
        games = [game.id for game in stored(self.office, GameRow, key=given["game"])]
        held = stored(self.office, SeatRow, game=games, person=person)
        return {"power": held[0].power} if held else {}

    def fill(self, random: Random) -> None:
        """Another game begins with all its players, where few are played."""
        if counted(self.office, GameRow, state="running") > 3:
            return
        self.begin(self.value(random, "plan"))

    def coordinated(self) -> list[GameRow]:
        """The games that somebody coordinates and that are played now, the last first."""
        running = stored(self.office, GameRow, state="running", order="-id")
        return [game for game in running if unpack(game.settings).get("coordinated") and game.turn is not None]

    def begin(self, plan: dict[str, Any]) -> None:
        """Begin a game with all its players, and send a sheet for each of them."""
        key = ""
        with contextlib.suppress(OfficeError):
            key = games.create(self.office, self.who["Ben"], plan).key
            for name, power in zip(("Carl", "Dora", "Eve"), POWERS, strict=True):
                seats.sign_up(self.office, self.who[name], key, [power])
            games.start(self.office, self.who["Ben"], key)
        work.run_due(self.office)
        for name, power in zip(("Carl", "Dora", "Eve"), POWERS, strict=True):
            with contextlib.suppress(OfficeError):
                submissions.submit(self.office, self.who[name], key, power, f"A par H{self.mark(key)}")

    def every_game_is_as_it_must_be(self) -> None:
        """Nobody plays and coordinates, or is deputy where they play."""
        with self.office.store.transaction(write=False) as tx:
            for game in tx.all(GameRow):
                assert list(faults(tx, game)) == [], game.name
                told = unpack(game.settings)
                players = {seat.person for seat in tx.all(SeatRow, game=game.id) if seat.person is not None}
                assert game.deputy not in players
                assert not (told.get("coordinated") and game.coordinator in players)
            for tournament in tx.all(TournamentRow):
                assert list(invariants.tournament_faults(tx, tournament)) == [], tournament.name

    def no_order_is_seen_early(self) -> None:
        """Whatever anybody asks of a game tells no sheet of its turn, as long as that is sealed."""
        for key in sorted({game for game, _ in self.marks.values()}):
            turn = self.turn(key)
            if turn is None or turn.state not in ("open", "waiting", "closed"):
                continue
            early = [mark for mark, sent in self.marks.items() if sent == (key, turn.number)]
            for who in self.who.values() if early else ():
                seen = []
                for view in VIEWS:
                    with contextlib.suppress(OfficeError):
                        seen.append(msgspec.json.encode(view(self.office, who, key)).decode())
                assert not [mark for mark in early if any(mark in told for told in seen)], who

    def the_journal_is_the_game(self) -> None:
        keys = {game.key for game in stored(self.office, GameRow, state="running")} - self.lost
        assert keys
        for key in sorted(keys):
            assert exports.rebuild(self.office, CONSOLE, key) == [], key
            assert [proof for proof in proofs.verify(self.office, CONSOLE, key) if not proof.holds] == [], key

    def letters_are_read_by_their_readers(self) -> None:
        """Nobody else finds one in any list."""
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
                shown = self.office.numbers.shown("letter", row.id)
                assert shown not in seen or actor.person in allowed, f"{name} read a letter"


def test_whatever_everybody_does_nobody_reads_or_is_what_they_may_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The steps are drawn evenly: a search for the smallest failure would try like things again and again, and get no
    game as far as to be played, moved or mended."""
    monkeypatch.setattr(retrospects, "is_available", lambda: False)  # nothing here waits for a game to be analyzed
    world, random = Everybody(tmp_path), Random("roles")
    for number in range(STEPS):
        if number % 60 == 40:
            world.mend_and_move(random)
        else:
            world.step(random)
        world.every_game_is_as_it_must_be()
        if number % 6 == 5:
            world.letters_are_read_by_their_readers()
            world.no_order_is_seen_early()
    world.the_journal_is_the_game()
    assert world.marks
    assert world.done >= {"lost_keys.reopen", "moving.renew", "moving.leave", "moving.stay"} and len(world.done) > 15
    world.office.close()


def test_every_command_can_be_given() -> None:
    """Every argument that a command needs has something to be."""
    for name, function in COMMANDS:
        wanted = {p.name for p in needed(function)}
        assert wanted <= POOLS.keys() | FOUND, (name, wanted - POOLS.keys() - FOUND)
