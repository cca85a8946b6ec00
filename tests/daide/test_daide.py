"""Games in DAIDE, played over TCP by a small program of the tests; and bytes that are none."""

import asyncio
import contextlib
import struct
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from legation.daide import Hosting, UnspeakableError, host_game, hosting
from legation.daide.hosting import MOST_WRONG, Host
from legation.daide.language import Language
from legation.daide.words import DIPLOMACY, FAULT, FINAL, INITIAL, Text, Vocabulary, WordsError, common_words, frame
from legation.game import Game
from legation.judge import Ruleset
from legation.orders import Hold, Move, SupportMove
from legation.variants import load
from tests.apart import run_apart
from tests.cli.test_commands import run as command

Message = list[Any]


class Program:
    """A small DAIDE program."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.words = Vocabulary(common_words())
        self.said: list[Message] = []

    async def connect(self, first: bytes = frame(INITIAL, struct.pack(">HH", 1, 0xDA10))) -> tuple[int, bytes]:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.writer.write(first)
        kind, table = await self.frame()
        own = {
            table[i + 2 : i + 5].decode(): struct.unpack_from(">H", table, i)[0] for i in range(0, len(table) - 5, 6)
        }
        if own:
            self.words = Vocabulary(own)
        return kind, table

    async def frame(self) -> tuple[int, bytes]:
        kind, length = struct.unpack(">BxH", await asyncio.wait_for(self.reader.readexactly(4), 60))
        return kind, await self.reader.readexactly(length)

    def say(self, *message: Any) -> None:
        self.writer.write(frame(DIPLOMACY, self.words.encode(message)))

    async def hear(self, *wanted: str) -> Message:
        """The next message that begins with one of some words."""
        while True:
            kind, content = await self.frame()
            assert kind == DIPLOMACY, (kind, content)
            message = self.words.decode(content)
            self.said.append(message)
            if message[0] in wanted:
                return message

    async def join(self, name: str = "small") -> Message:
        await self.connect()
        self.say("NME", [Text(name)], [Text("1")])
        if (await self.hear("YES", "REJ"))[0] == "REJ":
            self.writer.close()
            raise ConnectionRefusedError
        world = await self.hear("MAP")
        self.say("MDF")
        definition = await self.hear("MDF")
        self.say("YES", world)
        return definition


def held(
    rules: Ruleset, plays: Callable[[int], Awaitable[None]], tell: Callable[[str], None] = lambda _: None, **how: Any
) -> Game:
    """A game that is held while a coroutine plays in it."""

    async def both() -> Game:
        port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        game = asyncio.create_task(host_game(rules, Hosting(seed="1", **how), tell=tell, opened=port.set_result))
        await asyncio.wait_for(plays(await port), 120)
        return await asyncio.wait_for(game, 60)

    return run_apart(both())


async def plays_to_the_end(program: Program) -> None:
    """Hold until the second movement, then vote for a draw until the game is over."""
    hello = await program.hear("HLO")
    own, moved = hello[1][0], 0
    while True:
        message = await program.hear("NOW")
        season = message[1][0]
        mine = [unit[:3] for unit in message[2:] if unit[0] == own and len(unit) == 3]
        if season in ("SPR", "FAL"):
            moved += 1
            if moved == 2:
                program.say("DRW")
                await program.hear("YES")
            program.say("SUB", *[[unit, "HLD"] for unit in mine])
            for _ in mine:
                assert (await program.hear("THX"))[2] == ["MBV"]
            assert await program.hear("MIS") == ["MIS"]
            if moved == 2:
                break
    await program.hear("SMR")
    await program.hear("OFF")
    assert (await program.frame())[0] == FINAL


@pytest.mark.parametrize("variant", ["hundred", "standard"])
def test_programs_play_a_game_to_its_end(variant: str, caplog: pytest.LogCaptureFixture) -> None:
    rules = load(variant)
    programs: list[Program] = []

    async def plays(port: int) -> None:
        programs.extend(Program(port) for _ in rules.powers)
        for program in programs:
            await program.join()
        await asyncio.gather(*map(plays_to_the_end, programs))

    game = held(rules, plays, seats=len(rules.powers), seconds=600.0)
    assert not [record.message for record in caplog.records if record.name == "asyncio"]
    assert game.ending is not None and game.ending.kind == "draw" and len(game.turns) >= 2
    first = programs[0].said
    assert ["DRW"] in first and next(m for m in first if m[0] == "SMR")[2][1:3] == [["small"], ["1"]]
    orders = [message for message in first if message[0] == "ORD"]
    assert orders and all(message[3] == ["SUC"] for message in orders)


def test_a_program_plays_against_bots_and_is_told_what_is_wrong() -> None:
    rules = load("standard")

    async def plays(port: int) -> None:
        program = Program(port)
        definition = await program.join()
        borders = {row[0]: row[1:] for row in definition[3]}
        assert ["AMY", "ALB", "BOH"] not in borders["TRI"] and [["FLT", "NCS"], "BAR", "NWY"] in borders["STP"]
        assert {"UNO", "AUS"} <= {group[0] for group in definition[2][0]}
        hello = await program.hear("HLO")
        now = await program.hear("NOW")
        own = hello[1][0]
        mine = [unit for unit in now[2:] if unit[0] == own]
        other = next(unit for unit in now[2:] if unit[0] != own)
        for said, note in (
            ([other, "HLD"], "NYU"),
            ([[own, "AMY", "NAF"], "HLD"], "NSU"),
            ([mine[0], "MTO", "NAF"], "FAR"),
            ([mine[0], "RTO", "NAF"], "NVR"),
            ([mine[0], "HLD"], "MBV"),
        ):
            program.say("SUB", said)
            assert (await program.hear("THX"))[2] == [note]
        assert len(await program.hear("MIS")) <= len(mine) + 1
        program.say("SND", [other[0]], ["PRP", ["PCE", [own, other[0]]]])
        assert (await program.hear("REJ", "YES"))[0] == "REJ"
        program.say("BWX")
        assert (await program.hear("HUH")) == ["HUH", ["ERR", "BWX"]]
        for _ in range(2):
            program.say("GOF")
            now = await program.hear("NOW", "SMR")
        program.writer.close()

    game = held(rules, plays, turns=4, seconds=5.0)
    assert len(game.turns) == 4


def test_a_turn_is_judged_when_all_is_ordered_unless_a_program_says_to_wait() -> None:
    rules = load("hundred")

    async def plays(port: int) -> None:
        program = Program(port)
        await program.join()
        own = (await program.hear("HLO"))[1][0]

        async def units() -> list[Message]:
            return [unit for unit in (await program.hear("NOW"))[2:] if unit[0] == own]

        program.say("SUB", *[[unit, "HLD"] for unit in await units()])
        mine = await units()
        program.say("GOF")  # perhaps meant for that turn, and no word on the next
        await program.hear("YES")
        assert await program.hear("MIS") == ["MIS", *mine]

        program.say("NOT", ["GOF"])
        program.say("SUB", *[[unit, "HLD"] for unit in mine])
        assert await program.hear("MIS") == ["MIS"]
        program.say("TME")
        assert (await program.hear("TME", "ORD"))[0] == "TME"
        program.say("NOT", ["SUB", [mine[0], "HLD"]])
        program.say("GOF")  # without that order
        await program.hear("SMR")

    assert len(held(rules, plays, bot="hold", turns=2, seconds=600.0).turns) == 2


def test_press_of_level_ten_goes_to_whom_it_is_for() -> None:
    rules = load("hundred")

    async def plays(port: int) -> None:
        one, two = Program(port), Program(port)
        for program in (one, two):
            await program.join()
        names = [(await program.hear("HLO"))[1][0] for program in (one, two)]
        for program in (one, two):
            await program.hear("TME")
        peace = ["PRP", ["PCE", names]]
        one.say("SND", [names[1]], peace)
        assert (await one.hear("YES", "REJ"))[0] == "YES"
        assert await two.hear("FRM") == ["FRM", [names[0]], [names[1]], peace]
        two.say("SND", [names[0]], ["YES", peace])
        assert (await one.hear("FRM"))[3] == ["YES", peace]
        one.say("SND", [names[1]], ["PRP", ["XDO", names]])
        assert (await one.hear("HUH", "YES"))[0] == "HUH"
        one.writer.close()
        assert await two.hear("CCD") == ["CCD", names[0]]
        two.writer.close()

    assert len(held(rules, plays, seats=2, press=10, turns=1, seconds=20.0).turns) == 1


@pytest.mark.parametrize(("wrong", "answer"), [(0, "YES"), (MOST_WRONG - 1, "YES"), (MOST_WRONG, "REJ")])
def test_a_program_comes_back_by_its_passcode_which_nobody_finds_by_trying(wrong: int, answer: str) -> None:
    told: list[int] = []

    async def plays(port: int) -> None:
        one, two = Program(port), Program(port)
        for program in (one, two):
            await program.join()
        (own,), (passcode,) = (await one.hear("HLO"))[1:3]
        told.append(passcode)
        await two.hear("HLO")
        one.writer.close()
        assert await two.hear("CCD") == ["CCD", own]
        again = Program(port)
        await again.connect()
        for number in range(wrong):
            again.say("IAM", [own], [passcode % 8191 + 1 if number else 0])
            assert (await again.hear("YES", "REJ"))[0] == "REJ"
        again.say("IAM", [own], [passcode])
        assert (await again.hear("YES", "REJ"))[0] == answer
        if answer == "YES":
            assert await two.hear("NOT") == ["NOT", ["CCD", own]]
        again.writer.close()
        two.writer.close()

    held(load("hundred"), plays, seats=2, turns=1, seconds=60.0)
    assert 1 <= told[0] <= 8191


def test_passcodes_follow_from_nothing_that_others_know() -> None:
    """All of 20 alike by chance: once in 10 to the 75th of cases."""
    assert len({next(iter(Host(load("hundred"), Hosting()).players.values())).passcode for _ in range(20)}) > 1


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (frame(DIPLOMACY, b"\x48\x0c"), 0x02),
        (frame(INITIAL, struct.pack(">HH", 1, 0x10DA)), 0x03),
        (frame(INITIAL, struct.pack(">HH", 1, 0x1234)), 0x04),
        (frame(INITIAL, struct.pack(">HH", 7, 0xDA10)), 0x05),
        (frame(INITIAL, b"\x00"), 0x09),
        (b"GET / HTTP/1.1\r\n\r\n", 0x08),
        (b"\x00\x00\xff\xff", 0x09),
    ],
)
def test_a_first_frame_that_is_none_is_refused(sent: bytes, code: int) -> None:
    hostile(lambda program: program.connect(sent), code)


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"\x48", 0x09), (b"\x7f\xff", 0x0E), (b"\x40\x00" * 100, None), (b"\x40\x01", None), (b"\x48\x0c" * 8000, None)],
)
def test_a_message_that_is_none_is_refused(content: bytes, code: int | None) -> None:
    async def says(program: Program) -> tuple[int, bytes]:
        await program.connect()
        program.writer.write(frame(DIPLOMACY, content))
        return await program.frame()

    hostile(says, code)


def hostile(says: Callable[[Program], Awaitable[tuple[int, bytes]]], code: int | None) -> None:
    """What a stranger sends is refused with a code (or an answer), and the game goes on for others."""

    async def plays(port: int) -> None:
        kind, content = await says(Program(port))
        if code is None:
            assert kind == DIPLOMACY
        else:
            assert (kind, content[0]) == (FAULT, code)
        program = Program(port)
        await program.join()
        await program.hear("HLO")
        program.writer.close()

    assert len(held(load("hundred"), plays, turns=1, seconds=10.0).turns) == 1


def test_questions_by_the_hundred_do_not_hold_up_others_and_a_name_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, definition = 0, Language.map_definition

    def count(language: Language) -> Message:
        nonlocal asked
        asked += 1
        return definition(language)

    monkeypatch.setattr(Language, "map_definition", count)
    told: list[str] = []

    async def plays(port: int) -> None:
        nonlocal asked
        player, flood = Program(port), Program(port)
        await player.join("all\nis lost\x1b[2J")
        await player.hear("HLO")
        await flood.connect()
        asked = 0
        flood.writer.write(frame(DIPLOMACY, flood.words.encode(["MDF"])) * 300)
        player.say("SCO")
        await player.hear("SCO")
        assert asked < 300
        player.writer.close()
        flood.writer.close()

    held(load("hundred"), plays, tell=told.append, turns=1, seconds=10.0)
    assert told[0] == "all is lost[2J joins"


async def gone(program: Program) -> None:
    """Read until the host lets a program go."""
    with contextlib.suppress(ConnectionError):
        while await asyncio.wait_for(program.reader.read(1000), 60):
            pass


async def joins_when_it_can(port: int) -> Program:
    """A program that tries until it has a seat."""
    for _ in range(600):
        program = Program(port)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await program.join()
            return program
        await asyncio.sleep(0.1)
    raise AssertionError("it never had a seat")


def test_connections_that_say_nothing_keep_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither connections without a first frame nor those that say nothing after it keep others out."""
    monkeypatch.setattr(hosting, "SEAT_WITHIN", 1.0)

    async def plays(port: int) -> None:
        silent = [Program(port) for _ in range(hosting.MOST_GUESTS)]
        for n, program in enumerate(silent):
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                if n % 2:
                    await program.connect()
                else:
                    program.reader, program.writer = await asyncio.open_connection("127.0.0.1", port)
        player = await joins_when_it_can(port)
        await player.hear("HLO")
        for program in silent:
            if hasattr(program, "reader"):
                await gone(program)
        player.writer.close()

    assert len(held(load("hundred"), plays, turns=1, seconds=10.0).turns) == 1


def test_one_network_has_a_few_connections_without_a_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    async def plays(port: int) -> None:
        few = 1 + hosting.MOST_OF_ONE
        silent = [Program(port) for _ in range(few)]
        for program in silent:
            await program.connect()
        extra = Program(port)
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await extra.connect()
        silent[0].writer.close()
        player = await joins_when_it_can(port)
        await player.hear("HLO")
        for program in (player, *silent):
            program.writer.close()

    assert len(held(load("hundred"), plays, turns=1, seconds=10.0).turns) == 1


@pytest.mark.parametrize("leaves", [True, False], ids=["leaves", "says no more"])
def test_a_program_that_takes_a_seat_and_no_map_leaves_it_to_others(
    monkeypatch: pytest.MonkeyPatch, leaves: bool
) -> None:
    monkeypatch.setattr(hosting, "SEAT_WITHIN", 1.0)

    async def plays(port: int) -> None:
        first = Program(port)
        await first.connect()
        first.say("NME", [Text("first")], [Text("1")])
        assert (await first.hear("YES", "REJ"))[0] == "YES"
        if leaves:
            first.writer.close()
        second = await joins_when_it_can(port)
        await second.hear("HLO")
        second.writer.close()

    assert len(held(load("hundred"), plays, turns=1, seconds=10.0).turns) == 1


def test_messages_are_read_as_they_were_written() -> None:
    words = Vocabulary(common_words())
    message = ["SUB", [["ENG", "FLT", ["STP", "NCS"]], "MTO", "NTH"], -5, 8191, [Text("a 'text'")]]
    assert words.decode(words.encode(message)) == message
    with pytest.raises(WordsError):
        words.decode(words.encode([[]])[:2])


def test_orders_are_read_and_written() -> None:
    rules = load("standard")
    language = Language(rules)
    opening = rules.opening()
    for order in (
        Hold("A", "par"),
        Move("A", "par", "bur"),
        Move("A", "par", "bre", True, ("eng",)),
        SupportMove("A", "mar", "A", "par", "bur"),
    ):
        assert language.read(opening, "France", language.write(opening, "France", order)) == order
    assert language.is_standard and not language.representation() and not Language(load("hundred")).is_standard


def test_a_variant_that_daide_has_no_words_for_is_named() -> None:
    with pytest.raises(UnspeakableError, match="DAIDE has words for 256 provinces"):
        Language(load("three-kingdoms"))


def test_the_command_says_what_it_cannot_host() -> None:
    for given, words in ((["three-kingdoms"], "256 provinces"), (["hundred", "--seats", "9"], "3 seats")):
        done = command("daide", *given, "--port", "0")
        assert done.returncode != 0 and words in done.stderr
