"""Bots for an office's seats and the sandbox, by name; those that search work in a child process with limits of time
and memory, so that nothing they do holds up or ends the process that asks.

The levels of bots for people (``LEVELS``) need the extra ``lab``. Their code is compiled once on a machine, which takes
about half a minute (``legation lab compile``, or the office when it opens); a child then reads it from disk in a second
or two."""

import contextlib
import logging
import threading
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, TypeVar

import msgspec

from legation.bots import BOTS, bot
from legation.bots.seats import refuse_illegal
from legation.children import ChildError, Children
from legation.formats import decode_json
from legation.game import position_document, read_position
from legation.judge import Ruleset
from legation.notation import write
from legation.orders import Sheet
from legation.position import Position
from legation.variants import Registry, VariantError, load

log = logging.getLogger(__name__)
T = TypeVar("T")

LEVELS = ("beginner", "casual", "club", "strong", "strongest")
STAND_IN = "club"
"""The level that a new game proposes for players who leave: neither a gift to their neighbors nor a danger."""
SECONDS = 20  # of processor time for one sheet, where ``strongest`` needs 0.2
COMPILING = 900  # seconds of processor time for what is compiled once on a machine
COMPILE = "legation.lab.games:compile_all"
PATIENCE = 5.0  # seconds to wait for a child that still reads its code
PLAYERS = Children(most=1, seconds=SECONDS, megabytes=3000, nice=5, patience=60.0)


class LostMoveError(Exception):
    """A bot that lost its move, and why."""


class BusyError(Exception):
    """A bot that can be asked again in a while, and why."""


class KeptRules(msgspec.Struct, frozen=True):
    """Rules for a child process, which has no registry of its parent's: the content of their variant as it was kept,
    and the folders with rules in Python. Empty for those that every process loads by name."""

    content: bytes = b""
    folders: tuple[str, ...] = ()


class Asked(msgspec.Struct, frozen=True):
    """A question to a child: the rules by name, or as they were ``kept`` where this installation has others, and what a
    power sees."""

    variant: str
    options: Mapping[str, Any]
    digest: str
    kept: KeptRules
    view: dict[str, Any]
    power: str
    seed: str


def names() -> tuple[str, ...]:
    """Return the bots that can hold seats here, the levels first."""
    return (*(LEVELS if find_spec("numba") is not None else ()), *reversed([*BOTS]))


def ask(
    name: str, rules: Ruleset, view: Position, power: str, seed: str, kept: Callable[[], KeptRules] = KeptRules
) -> Sheet:
    """Return a bot's sheet for a turn; the same seed gives the same sheet. ``kept`` gives the rules where they may be
    others than this installation has by that name.

    :raises LostMoveError: for a bot that fails, takes too long or orders what is illegal.
    :raises BusyError: when no child is free, or its code is still being compiled."""
    try:
        if name in LEVELS:
            texts = ask_child(list[str], f"{__name__}:choose", rules, view, power, seed, kept, name)
            sheet = Sheet(power, tuple(rules.reader.order(text, view.turn.phase, power) for text in texts))
        else:
            sheet = bot(name)(rules, view, power, Random(seed))
        refuse_illegal(rules, view, sheet)
    except (BusyError, LostMoveError):
        raise
    except Exception as error:  # whatever a bot does, the turn goes on
        raise LostMoveError(f"it failed ({type(error).__name__})") from error
    return sheet


def ask_child(
    returns: type[T],
    function: str,
    rules: Ruleset,
    view: Position,
    power: str,
    seed: str,
    kept: Callable[[], KeptRules] = KeptRules,
    *more: object,
) -> T:
    """Have a child call ``function`` (``module:name``) with the rules, the view, the power, randomness and ``more``.

    :raises LostMoveError: where it fails or takes too long.
    :raises BusyError: when no child is free, or its code is still being compiled."""
    if not prepare().wait(PATIENCE):
        raise BusyError("the bots are still starting up")
    brought = KeptRules() if _is_usual(rules) else kept()
    document = position_document(rules, view)
    asked = Asked(rules.name, dict(rules.chosen), rules.digest, brought, document, power, seed)
    try:
        return PLAYERS.call(returns, f"{__name__}:answer", function, msgspec.msgpack.encode(asked), *more)
    except ChildError as error:
        if error.reason == "away":
            raise BusyError("the bots are busy") from None
        reasons = {"time": "it took too long", "memory": "it took too much memory"}
        raise LostMoveError(reasons.get(error.reason, f"it failed ({error.kind})")) from None


# What is compiled

_prepared, _lock = threading.Event(), threading.Lock()
_preparing: list[threading.Thread] = []


def prepare() -> threading.Event:
    """Have a child read, or else compile, the code of the bots that search; the event is set when it can be asked. A
    child that fails at it is asked all the same, and each of its moves is then lost."""
    with _lock:
        if not _preparing:
            _preparing.append(threading.Thread(target=_prepare, daemon=True, name="bots"))
            _preparing[0].start()
    return _prepared


def compile_ahead() -> None:
    """Compile the code of the bots that search before somebody asks them, where that was not done on this machine: in a
    child that leaves the processor to all others, and ends."""
    if set(names()) & set(LEVELS):
        threading.Thread(target=_compile, daemon=True, name="compiling").start()


def _compile() -> None:
    compiler = Children(most=1, seconds=COMPILING, megabytes=3000, nice=19)
    with contextlib.suppress(ChildError):  # who asks a bot has it tried again, and told
        compiler.call(bool, COMPILE)
    compiler.end()


def _prepare() -> None:
    try:
        PLAYERS.call(bool, COMPILE, seconds=COMPILING)
    except Exception as error:  # whatever it is, nobody waits for ever
        log.warning("bots are not prepared: %s", type(error).__name__)
        with _lock:
            _preparing.clear()  # the next who asks has it tried again
    finally:
        _prepared.set()


# In the child


def answer(function: str, content: bytes, *more: Any) -> Any:
    """Call a function with what was asked."""
    asked = msgspec.msgpack.decode(content, type=Asked)
    rules = _rules(asked.variant, msgspec.json.encode(asked.options), asked.kept)
    if rules.digest != asked.digest:
        raise ValueError(f"the rules of {asked.variant} differ from the game's")
    faults: list[str] = []
    view = read_position(rules, asked.view, faults)
    if faults:
        raise ValueError("; ".join(faults))
    module, _, name = function.partition(":")
    return getattr(import_module(module), name)(rules, view, asked.power, Random(asked.seed), *more)


def choose(rules: Ruleset, view: Position, power: str, random: Random, name: str) -> list[str]:
    """Return a bot's orders as text."""
    return [write(order) for order in bot(name)(rules, view, power, random).orders]


@lru_cache(maxsize=8)
def _rules(variant: str, options: bytes, kept: KeptRules) -> Ruleset:
    chosen = decode_json(options)
    if not kept.content:
        return load(variant, chosen)
    registry, name = Registry.with_kept(kept.content, kept.folders)
    return registry.load(name, chosen)


@lru_cache(maxsize=64)
def _is_usual(rules: Ruleset) -> bool:
    """Whether these are the rules that every process of this installation loads by their name."""
    try:
        return load(rules.name, dict(rules.chosen)).digest == rules.digest
    except VariantError:
        return False
