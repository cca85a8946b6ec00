"""Play a seat of an office's game with a bot: look, order, wait for the next turn, until the game ends."""

import contextlib
import os
import secrets
import time
from collections.abc import Callable
from random import Random
from typing import Any
from urllib.parse import urlsplit

import httpx2
import msgspec

from legation.bots import Bot, NoSuchBotError, bot, is_foreign
from legation.bots.programs import Program, ProgramError, check_command
from legation.client.client import Client, Refused
from legation.game import read_position
from legation.judge import Ruleset, changes, legal_orders
from legation.notation import write
from legation.position import Position
from legation.variants import load

TOKEN = "LEGATION_TOKEN"  # a variable of the environment
PROGRAM = "run:"
PATIENCE = 20  # calls in a row that may fail before it gives up
SLOWEST = 300.0  # seconds between two calls that fail


class SeatError(ValueError):
    """Raised for a seat that can't be played from here, with the reason."""


class SeatPlayed(msgspec.Struct):
    """The result of :func:`play_as`: the turns that were ordered, by name, and the moves that the bot lost, with the
    last reason."""

    game: str
    power: str
    turns: list[str] = []
    faults: int = 0
    reason: str = ""
    ending: dict[str, Any] | None = None


def find_game(address: str) -> tuple[str, str]:
    """Return the office's address and the game's key, from the address of the game's page. Raises SeatError for any
    other text."""
    parts = urlsplit(address)
    before, found, after = parts.path.partition("/games/")
    key = after.strip("/").partition("/")[0]
    if parts.scheme not in ("http", "https") or not parts.netloc or not found or not key:
        raise SeatError(
            f"{address!r} is not the address of a game; it looks like https://games.example.org/games/naseby"
        )
    return f"{parts.scheme}://{parts.netloc}{before}", key


def play_as(
    player: str | Bot,
    game: str,
    *,
    token: str = "",
    power: str = "",
    seed: str = "",
    seconds: float = 30.0,
    pause: float = 30.0,
    turns: int | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> SeatPlayed:
    """Play a seat of an office's game until the game ends, or so many turns.

    ``player`` is a bot by name, ``run: COMMAND``, or a function ``orders(rules, view, power, random) -> Sheet``.
    ``game`` is the address of the game's page; ``token`` (else ``$LEGATION_TOKEN``) is the seat holder's, with the
    scopes ``read`` and ``play``. The seat is marked as a machine's, which the game's host must have allowed.
    ``pause`` is what it waits between two looks, in seconds.

    A bot that raises, takes longer than ``seconds`` (a program, or a bot of another package), or orders what is illegal
    loses its move; an office that does not answer is asked again.

    :raises SeatError: where the token holds no seat, or the game's rules are not known here.
    :raises Refused: where the office refuses: a token that has ended, a game that takes no machines."""
    office, key = find_game(game)
    with Client(office, token or os.environ.get(TOKEN, "")) as client, contextlib.ExitStack() as opened:
        record = _insist(lambda: client.game(key), pause)
        rules = rules_of(record)
        own = own_seat(record, power)
        played = SeatPlayed(key, own)
        chosen = _player(player, rules, own, seconds, opened)
        seat = _Seat(client, rules, chosen, played, Random(seed or None), pause, tell)
        _insist(lambda: client.declare_machine(key, own), pause)
        answered = 0
        while True:
            record = _insist(lambda: client.game(key), pause)
            if record["state"] in ("ended", "cancelled", "moved"):
                played.ending = record["ending"]
                return played
            turn = record["turn"]
            if record["state"] == "running" and turn and turn["state"] == "open" and turn["number"] > answered:
                answered = turn["number"]
                if seat.order(record):
                    played.turns.append(turn["name"])
                if turns is not None and len(played.turns) >= turns:
                    return played
            time.sleep(pause)


def rules_of(record: dict[str, Any]) -> Ruleset:
    """Return the rules of a game, as this version of Legation has them. Raises SeatError where they are not known, or
    not the same."""
    try:
        rules = load(record["variant"], record["options"])
    except ValueError as error:
        raise SeatError(f"the game's rules aren't available here: {error}") from None
    if changes(record["rules_digest"], rules):
        raise SeatError(f"the game's rules of {record['variant']} are not those of this version of Legation")
    return rules


def own_seat(record: dict[str, Any], power: str = "") -> str:
    """Return the power that the caller plays. Raises SeatError where it plays none, or another."""
    own: list[str] = [name for name in record["powers"] if not power or name == power]
    if not own:
        raise SeatError(f"the token's person does not play {power or 'any power'} in {record['name']}")
    return own[0]


def view_of(rules: Ruleset, record: dict[str, Any]) -> Position:
    """The present position as the caller sees it. Raises SeatError where it cannot be read."""
    faults: list[str] = []
    view = read_position(rules, record["position"], faults)
    if faults:
        raise SeatError("the office's position cannot be read: " + "; ".join(faults[:3]))
    return view


def _player(player: str | Bot, rules: Ruleset, power: str, seconds: float, opened: contextlib.ExitStack) -> Bot:
    if not isinstance(player, str):
        return player
    if player.startswith(PROGRAM):
        command = player.removeprefix(PROGRAM)
        try:
            check_command(command)
        except ProgramError as error:
            raise SeatError(str(error)) from None
        program = Program(command, rules, power, seconds=seconds)
    elif is_foreign(player):
        program = Program.of_bot(player, rules, power, seconds=seconds)
    else:
        try:
            return bot(player)
        except NoSuchBotError as error:
            raise SeatError(str(error)) from None
    opened.callback(program.close)
    return program


class _Seat(msgspec.Struct, frozen=True):
    """A seat for which ``player`` orders; ``played`` records what it has played so far."""

    client: Client
    rules: Ruleset
    player: Bot
    played: SeatPlayed
    random: Random
    pause: float
    tell: Callable[[str], None]

    def order(self, record: dict[str, Any]) -> bool:
        """Send the orders of one turn; whether there were any to send."""
        client, power, view = self.client, self.played.power, view_of(self.rules, record)
        if not legal_orders(self.rules, view, [power])[power]:
            return False
        try:
            sheet = self.player(self.rules, view, power, self.random)
            text = "\n".join(write(order) for order in sheet.orders)
        except Exception as error:  # whatever a bot does, it is asked again next turn
            self._lose(record, f"{type(error).__name__}: {error}")
            return True
        game, once = record["key"], secrets.token_hex(16)
        try:
            checked = _insist(lambda: client.check(game, power, text), self.pause)
            if wrong := [line["message"] for line in checked["lines"] if line["problem"]]:
                self._lose(record, f"orders that are wrong: {'; '.join(wrong[:3])}")
                return True
            _insist(lambda: client.submit(game, power, text, key=once), self.pause)
        except Refused as error:
            if error.status not in (400, 409, 422):  # 409: the turn has ended meanwhile
                raise
            self._lose(record, str(error))
            return True
        self.tell(f"{record['turn']['name']}: {len(sheet.orders)} orders of {power}")
        with contextlib.suppress(Refused):  # nobody asks whether one is ready
            _insist(lambda: client.ready(game, power), self.pause)
        return True

    def _lose(self, record: dict[str, Any], reason: str) -> None:
        played = self.played
        played.faults += 1
        played.reason = f"{record['turn']['name']}: {reason}"[:300]
        self.tell(f"{played.power} lost its move: {played.reason}")


def _insist(ask: Callable[[], Any], pause: float) -> Any:
    """What a call answers, asked again while the office is not there."""
    for failed in range(PATIENCE):
        try:
            return ask()
        except httpx2.TransportError:
            time.sleep(min(SLOWEST, pause * 2**failed))
        except Refused as error:
            if error.status < 500 and error.status != 429:
                raise
            time.sleep(min(SLOWEST, pause * 2**failed))
    return ask()
