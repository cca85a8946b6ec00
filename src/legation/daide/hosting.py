"""A game that programs join over TCP and play in DAIDE; bots have the other seats.

It is long because one table of a game, its guests and what each message of theirs does share one state and one lock."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from legation.bots.seats import BotSeats
from legation.daide.language import Language, OrderError
from legation.daide.words import (
    DIPLOMACY,
    FAULT,
    FINAL,
    INITIAL,
    NOT_FIRST,
    REPRESENTATION,
    SECOND_INITIAL,
    UNKNOWN,
    FrameError,
    Message,
    Text,
    WordsError,
    check_initial,
    frame,
    read_frame,
)
from legation.game import Game
from legation.game.playing import awaited_powers
from legation.judge import Refusal, Ruleset, Situation
from legation.networks import network
from legation.orders import Build, Order, Remove, Retreat, Sheet, VoteDraw, Waive
from legation.position import Phase

FIRST_WITHIN = 30.0  # seconds for a program's first frame
SEAT_WITHIN = 60.0  # seconds until it has a seat and, before the game begins, has taken the map
LAST_WITHIN = 5.0  # seconds for a program to read the last ones
MOST_GUESTS = 16  # connections beside the seats
MOST_OF_ONE = 8  # of them from one network
MOST_WRONG = 50  # passcodes for a seat, of the few that a number of the protocol can tell
LARGEST_PASSCODE = 8191  # of 14 bits with a sign
MOST_WAITING = 1 << 20  # bytes that a program may leave unread before it is let go
PRESS = 10
NOTES = {Retreat: "NVR", Build: "HSC", Remove: "NMR"}
"""What is said of an order that is not legal, by its kind; of any other FAR."""


class Hosting(msgspec.Struct, frozen=True, kw_only=True):
    """How a game is held: so many seats for programs, a bot for the others, seconds for a turn, the press level."""

    seats: int = 1
    bot: str = "dumbbot"
    seconds: float = 60.0
    press: int = 0
    seed: str = ""
    turns: int = 500


class Guest:
    """A connection: a program that plays, or has not said its name yet."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self.network = network(str((writer.get_extra_info("peername") or ("",))[0]))
        self.power = ""

    def send(self, kind: int, content: bytes = b"") -> None:
        """Send a frame; a program that does not read is let go."""
        if self.writer.is_closing():
            return
        if self.writer.transport.get_write_buffer_size() > MOST_WAITING:
            self.writer.transport.abort()
            return
        self.writer.write(frame(kind, content))


class ProgramSeat:
    """A seat for a program, whether one is connected or not."""

    def __init__(self, power: str) -> None:
        self.power = power
        self.passcode = 1 + secrets.randbelow(LARGEST_PASSCODE)  # never by the game's seed, which others may know
        self.wrong = 0  # passcodes
        self.name = Text("")
        self.version = Text("")
        self.guest: Guest | None = None
        self.has_map = False
        self.ready: bool | None = None  # as GOF and NOT GOF say
        self.late = False  # whether a GOF may still be on its way that was meant for the turn before
        self.votes = False
        self.orders: dict[str, Order] = {}


class Host:
    """One game and its programs."""

    def __init__(self, rules: Ruleset, hosting: Hosting, tell: Callable[[str], None] = lambda _: None) -> None:
        self.rules, self.hosting, self.tell = rules, hosting, tell
        self.language = Language(rules)
        self.game = Game(rules, name="daide", seed=hosting.seed)
        self.random = Random(hosting.seed)
        drawn = self.random.sample(list(rules.played), min(hosting.seats, len(rules.played)))
        self.players = {power: ProgramSeat(power) for power in drawn}
        self.guests: set[Guest] = set()
        self.begun = False
        self.changed = asyncio.Event()
        self.history: dict[str, list[Message]] = {}
        self.out: dict[str, int] = {}  # the years in which powers were eliminated
        self.due = 0.0

    # Connections

    async def welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Speak with a program until it goes."""
        guest = Guest(writer)
        if self._is_full(guest.network):
            writer.transport.abort()
            return
        self.guests.add(guest)
        watch = asyncio.get_running_loop().call_later(SEAT_WITHIN, self._let_go_of_silent, guest)
        try:
            kind, content = await asyncio.wait_for(read_frame(reader), FIRST_WITHIN)
            check_initial(kind, content)
            guest.send(REPRESENTATION, self.language.representation())
            while True:
                kind, content = await read_frame(reader)
                if kind in (FINAL, FAULT):
                    break
                if kind == INITIAL:
                    raise FrameError(SECOND_INITIAL)
                if kind != DIPLOMACY:
                    raise FrameError(UNKNOWN if kind == REPRESENTATION else NOT_FIRST)
                self._hear(guest, content)
                await writer.drain()
                await asyncio.sleep(0)  # the others' turn, however much one asks
        except FrameError as error:
            guest.send(FAULT, bytes([error.code, 0]))
        except (EOFError, OSError, TimeoutError, asyncio.CancelledError):
            pass  # cancelled where the game is given up: Python 3.11 prints a traceback of a connection that says so
        finally:
            watch.cancel()
            self.guests.discard(guest)
            self._gone(guest)
            with contextlib.suppress(OSError):
                writer.close()

    def _is_full(self, home: str) -> bool:
        of_one = sum(guest.network == home for guest in self.guests)
        seats = len(self.players)
        return len(self.guests) >= seats + MOST_GUESTS or of_one >= seats + MOST_OF_ONE

    def _let_go_of_silent(self, guest: Guest) -> None:
        """Close a connection that has taken no seat, or not the map, so that others can come in."""
        player = self.players.get(guest.power)
        if player is None or not (self.begun or player.has_map):
            guest.writer.transport.abort()

    def _gone(self, guest: Guest) -> None:
        player = self.players.get(guest.power)
        if player is not None and player.guest is guest:
            player.guest = None
            if not self.begun:
                player.name, player.version, player.has_map = Text(""), Text(""), False
            if self.begun and self.game.ending is None:
                self._announce(["CCD", self.language.powers[player.power]])
            self.changed.set()

    def _say(self, guest: Guest | None, message: Message) -> None:
        if guest is not None:
            guest.send(DIPLOMACY, self.language.words.encode(message))

    def _announce(self, message: Message) -> None:
        for player in self.players.values():
            self._say(player.guest, message)

    def _hear(self, guest: Guest, content: bytes) -> None:
        try:
            message = self.language.words.decode(content)
        except WordsError as error:
            self._say(guest, ["PRN", [Text(str(error))]])
            return
        answer = self._answer(guest, message)
        for said in answer if answer is not None else [["HUH", ["ERR", *message]]]:
            self._say(guest, said)

    # What programs say

    def _answer(self, guest: Guest, message: Message) -> list[Message] | None:
        """What a message is answered with; None where it is not understood."""
        player = self.players.get(guest.power)
        match message:
            case ["NME", [Text() as name], [Text() as version]] if player is None:
                return self._name(guest, message, name, version)
            case ["OBS"]:
                return [["REJ", message]]
            case ["IAM", [str(word)], [int(passcode)]] if player is None:
                return self._rejoin(guest, message, word, passcode)
            case ["MAP"] if player is not None:
                return [self._map()]
            case ["MDF"]:
                return [self.language.map_definition()]
            case ["YES", ["MAP", [Text()]]] if player is not None:
                player.has_map = True
                self.changed.set()
                return []
        if player is None or not self.begun or self.game.ending is not None:
            return [["REJ", message]] if player is not None else None
        return self._play(guest, player, message)

    def _play(self, guest: Guest, player: ProgramSeat, message: Message) -> list[Message] | None:
        match message:
            case ["SUB", *orders] if orders and all(isinstance(order, list) for order in orders):
                if orders[0] == self.language.turn(self.game.position.turn):
                    orders = orders[1:]
                elif len(orders[0]) == 2 and isinstance(orders[0][1], int):
                    return [["REJ", message]]
                return self._submit(player, orders)
            case ["NOT", ["SUB"]]:
                player.orders = {}
                return [["YES", message]]
            case ["NOT", ["SUB", list() as order]]:
                return [["YES" if self._take_back(player, order) else "REJ", message]]
            case ["GOF"] | ["NOT", ["GOF"]]:
                return self._go(player, message)
            case ["DRW"] | ["NOT", ["DRW"]] if VoteDraw in self.rules.order_kinds[Phase.MOVEMENT]:
                player.votes = message == ["DRW"]
                return [["YES", message]]
            case ["SND", *_]:
                return self._pass_on(player, message)
            case ["YES" | "REJ", list()]:
                return []
        return self._told(player, message)

    def _told(self, player: ProgramSeat, message: Message) -> list[Message] | None:
        """Answer a question about the game; None for what is none."""
        match message:
            case ["HLO"]:
                return [self._hello(player)]
            case ["SCO"]:
                return [self.language.centers(self.game.position)]
            case ["NOW"]:
                return [self.language.units(self.game.position)]
            case ["MIS"]:
                return [self._missing(player)]
            case ["TME"]:
                return [["TME", [max(0, int(self.due - time.monotonic()))]]]
            case ["TME", [int()]]:
                return [["REJ", message]]
            case ["HST", [str(season), int(year)]]:
                told: list[Message] = self.history.get(f"{season} {year}", [["REJ", message]])
                return told
        return None

    def _name(self, guest: Guest, message: Message, name: Text, version: Text) -> list[Message]:
        free = [player for player in self.players.values() if player.guest is None and not player.name]
        if self.begun or not free:
            return [["REJ", message]]
        player = free[0]
        player.name, player.version, player.guest = Text(name[:60]), Text(version[:60]), guest
        guest.power = player.power
        self.tell(f"{_one_line(player.name)} joins")
        return [["YES", message], self._map()]

    def _rejoin(self, guest: Guest, message: Message, word: str, passcode: int) -> list[Message]:
        player = self.players.get(self.language.power_names.get(word, ""))
        if player is None or player.guest is not None or not player.name or player.wrong >= MOST_WRONG:
            return [["REJ", message]]
        if player.passcode != passcode:
            player.wrong += 1
            if player.wrong == MOST_WRONG:
                self.tell(f"{MOST_WRONG} wrong passcodes for {player.power}: no program comes back to it")
            return [["REJ", message]]
        player.guest, guest.power = guest, player.power
        self._announce(["NOT", ["CCD", word]])
        return [["YES", message], self._map()]

    def _map(self) -> Message:
        return ["MAP", [Text(self.rules.name)]]

    def _hello(self, player: ProgramSeat) -> Message:
        options: Message = [
            ["LVL", self.hosting.press],
            *([name, int(self.hosting.seconds)] for name in ("MTL", "RTL", "BTL")),
        ]
        return ["HLO", [self.language.powers[player.power]], [player.passcode], options]

    def _go(self, player: ProgramSeat, message: Message) -> list[Message]:
        """Take a GOF for this turn, unless it may have been sent before the program knew of it."""
        if message == ["GOF"] and player.late:
            player.late = False
            return [["YES", message], self._missing(player)]
        player.ready = message == ["GOF"]
        self.changed.set()
        return [["YES", message]]

    # Orders

    def _submit(self, player: ProgramSeat, orders: list[Message]) -> list[Message]:
        position = self.game.position
        situation = Situation(self.rules, self.rules.seen(position, player.power))
        answers: list[Message] = []
        player.late = False
        for said in orders:
            try:
                order = self.language.read(position, player.power, said)
                effect = situation.interpret(player.power, order)
                if isinstance(effect, Refusal):
                    raise OrderError(NOTES.get(type(order), "FAR"))
                self._keep(player, order)
            except OrderError as error:
                answers.append(["THX", said, [error.note]])
            else:
                answers.append(["THX", said, ["MBV"]])
        self.changed.set()
        return [*answers, self._missing(player)]

    def _keep(self, player: ProgramSeat, order: Order) -> None:
        place = getattr(order, "at", f"waived {len(player.orders)}").partition("/")[0]
        builds = isinstance(order, Build | Waive)
        room = self._room(player.power) if builds else 1
        if builds and place not in player.orders and len(player.orders) >= room:
            raise OrderError("NMB")
        player.orders[place] = order

    def _take_back(self, player: ProgramSeat, said: Message) -> bool:
        try:
            order = self.language.read(self.game.position, player.power, said)
        except OrderError:
            return False
        for place, known in player.orders.items():
            if known == order:
                del player.orders[place]
                return True
        return False

    def _missing(self, player: ProgramSeat) -> Message:
        """MIS: the units without orders, or how many builds or removals are owed."""
        position, power = self.game.position, player.power
        if position.turn.phase is Phase.MOVEMENT:
            left = [unit for unit in position.units_of(power) if unit.province not in player.orders]
            return ["MIS", *map(self.language.unit, left)]
        if position.turn.phase is Phase.RETREATS:
            out = [d.unit for d in position.dislodged if d.unit.power == power and d.unit.province not in player.orders]
            return ["MIS", *map(self.language.unit, out)]
        owed = abs(self._room(power)) - len(player.orders)
        return ["MIS", [owed]] if owed > 0 else ["MIS"]

    def _is_done(self, player: ProgramSeat) -> bool:
        """Whether a turn waits for a player no longer: it says so, has ordered all it may, or has gone."""
        if player.guest is None:
            return True
        return self._missing(player) == ["MIS"] if player.ready is None else player.ready

    def _room(self, power: str) -> int:
        """How many units a power may build; how many it must remove, where negative."""
        return self.rules.limit(self.game.position, power) - self.rules.size(self.game.position, power)

    # Press

    def _pass_on(self, player: ProgramSeat, message: Message) -> list[Message] | None:
        parts = message[1:]
        if parts and parts[0] == self.language.turn(self.game.position.turn):
            parts = parts[1:]
        match parts:
            case [list() as to, list() as press] if to and all(isinstance(w, str) for w in to):
                pass
            case _:
                return None
        if self.hosting.press < PRESS:
            return [["REJ", message]]
        if not set(to) <= self.language.power_names.keys() or not self._is_press(press):
            return None
        own = self.language.powers[player.power]
        reached = [self.players.get(self.language.power_names[word]) for word in to]
        if own in to or any(seat is None or seat.guest is None for seat in reached):
            return [["REJ", message]]
        for seat in reached:
            self._say(seat.guest if seat else None, ["FRM", [own], to, press])
        return [["YES", message]]

    def _is_press(self, press: Message) -> bool:
        match press:
            case ["PRP", list() as proposal] | ["YES" | "REJ" | "BWX", ["PRP", list() as proposal]]:
                return self._is_proposal(proposal)
        return False

    def _is_proposal(self, said: Message) -> bool:
        def powers(words: Any) -> bool:
            return isinstance(words, list) and bool(words) and all(w in self.language.power_names for w in words)

        match said:
            case ["PCE", who]:
                return powers(who)
            case ["ALY", who, "VSS", whom]:
                return powers(who) and powers(whom)
            case ["DRW"]:
                return True
            case ["SLO", [str(word)]]:
                return word in self.language.power_names
            case ["NOT" | "NAR", list() as inner]:
                return self._is_proposal(inner)
        return False

    # The game

    async def play(self) -> Game:
        """Wait for the programs, play the game to its end, and say goodbye."""
        await self._until(lambda: all(player.has_map for player in self.players.values()))
        self.begun = True
        others = {power: self.hosting.bot for power in self.rules.played if power not in self.players}
        with BotSeats(self.rules, others) as table:
            for player in self.players.values():
                self._say(player.guest, self._hello(player))
            self._announce(self.language.centers(self.game.position))
            self._announce(self.language.units(self.game.position))
            while self.game.ending is None and len(self.game.turns) < self.hosting.turns:
                await self._turn(table)
        await self._close()
        return self.game

    async def _turn(self, table: BotSeats) -> None:
        position = self.game.position
        awaited = awaited_powers(self.rules, position)
        asked = [player for player in self.players.values() if player.power in awaited]
        for player in self.players.values():
            player.late = bool(self.game.turns) and not player.ready
            player.ready, player.votes, player.orders = None, False, {}
        if asked:
            self.due = time.monotonic() + self.hosting.seconds
            self._announce(["TME", [int(self.hosting.seconds)]])
            with contextlib.suppress(TimeoutError, asyncio.TimeoutError):
                await asyncio.wait_for(self._until(lambda: all(map(self._is_done, asked))), self.hosting.seconds)
        bots = await asyncio.to_thread(table.sheets, position, self.hosting.seed)
        sheets = [sheet for sheet in bots if sheet.power in awaited]
        for player in self.players.values():
            votes = (VoteDraw(),) if player.votes and position.turn.phase is Phase.MOVEMENT else ()
            sheets.append(Sheet(player.power, (*player.orders.values(), *votes)))
        self.game.play(sheets)
        self._report(position)

    def _report(self, before: Any) -> None:
        verdicts = self.game.turns[-1].resolution.verdicts
        for power in set(before.survivors()) - set(self.game.position.survivors()):
            self.out[power] = before.turn.year
        said = [self.language.result(before, v) for v in verdicts if not isinstance(v.order, VoteDraw)]
        if self.game.position.owners != before.owners or self.game.position.turn.year != before.turn.year:
            said.append(self.language.centers(self.game.position))
        now = self.language.units(self.game.position)
        for message in (*said, now):
            self._announce(message)
        season, year = self.language.turn(before.turn)
        self.history[f"{season} {year}"] = [*said, now]
        self.tell(f"{before.turn}: {len(verdicts)} orders")

    async def _close(self) -> None:
        ending, position, language = self.game.ending, self.game.position, self.language
        if ending is not None and ending.kind == "solo":
            self._announce(["SLO", [language.powers[ending.powers[0]]]])
        elif ending is not None:
            self._announce(["DRW"])
        rows = []
        for power, word in language.powers.items():
            player = self.players.get(power)
            name, version = (player.name, player.version) if player else (Text(self.hosting.bot), Text("legation"))
            out = [self.out[power]] if power in self.out else []
            rows.append([word, [name or Text("?")], [version or Text("?")], len(position.centers_of(power)), *out])
        self._announce(["SMR", language.turn(position.turn), *rows])
        self._announce(["OFF"])
        leaving = list(self.guests)
        for guest in leaving:
            guest.send(FINAL)
            guest.writer.close()
        farewells = (guest.writer.wait_closed() for guest in leaving)
        with contextlib.suppress(TimeoutError, asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.gather(*farewells, return_exceptions=True), LAST_WITHIN)

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self.changed.clear()
            await self.changed.wait()


def _one_line(text: str) -> str:
    """What a program says, on one line and without signs that steer a terminal."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())


async def host_game(
    rules: Ruleset,
    hosting: Hosting,
    address: str = "127.0.0.1",
    port: int = 0,
    tell: Callable[[str], None] = lambda _: None,
    opened: Callable[[int], None] = lambda _: None,
) -> Game:
    """Listen at a port until the seats are filled, and hold the game; ``opened`` is told the port. Raises
    UnspeakableError for a variant that DAIDE has no words for."""
    host = Host(rules, hosting, tell)
    server = await asyncio.start_server(host.welcome, address, port)
    async with server:
        opened(server.sockets[0].getsockname()[1])
        return await host.play()
