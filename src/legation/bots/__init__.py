"""Bots for every variant: they choose from the judge's legal orders and know no rules themselves.

A bot is a function ``orders(rules, view, power, random) -> Sheet``. ``view`` is the position as that power sees it; the
sheet depends on nothing but the four. :data:`BOTS` has them by name; :func:`bot` finds one. Bots place no unit under
another's orders and send no supply, except the one that plays by chance. In a long game every bot agrees to a draw
(:data:`PATIENCE`)."""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache, wraps
from importlib.metadata import EntryPoint, entry_points
from random import Random
from typing import TypeAlias

from legation.bots import chance, dumbbot, holding
from legation.faults import near
from legation.judge import Ruleset
from legation.orders import Sheet, VoteDraw
from legation.position import Phase, Position, Turn

Bot: TypeAlias = Callable[[Ruleset, Position, str, Random], Sheet]

PATIENCE = 40  # rounds of adjustments after which a bot agrees to a draw, so that games of bots end


class NoSuchBotError(ValueError):
    """Raised for a name that no bot has, with the nearest."""


def _patient(play: Bot) -> Bot:
    """The same bot, which agrees to a draw once the game has gone on for long enough."""

    @wraps(play)
    def orders(rules: Ruleset, view: Position, power: str, random: Random) -> Sheet:
        sheet = play(rules, view, power, random)
        if view.turn.phase is not Phase.MOVEMENT or power not in view.survivors():
            return sheet
        if VoteDraw not in rules.order_kinds[Phase.MOVEMENT] or _rounds(rules, view.turn) < PATIENCE:
            return sheet
        return sheet if rules.refuses_draw(view) else Sheet(power, (*sheet.orders, VoteDraw()))

    return orders


@lru_cache(maxsize=1024)
def _rounds(rules: Ruleset, turn: Turn) -> int:
    """How many rounds of adjustments lie between the first turn and this one, ``PATIENCE`` at most."""
    passed = 0
    at = rules.first_turn()
    while at != turn and passed < PATIENCE:
        at = rules.next_turn(at)
        passed += at.phase is Phase.ADJUSTMENTS
    return passed


BOTS: Mapping[str, Bot] = {
    "hold": _patient(holding.orders),
    "random": _patient(chance.orders),
    "dumbbot": _patient(dumbbot.orders),
}


@cache
def installed() -> Mapping[str, EntryPoint]:
    """Return the entry points (group ``legation.bots``) of bots of other packages and of those that need an extra, by
    name."""
    return {
        point.name.lower(): point for point in entry_points(group="legation.bots") if point.name.lower() not in BOTS
    }


def bot(name: str) -> Bot:
    """Return the bot of this name; capitals do not matter.

    :raises NoSuchBotError: naming those that there are, or why the one of this name cannot be had."""
    chosen = BOTS.get(name.strip().lower())
    if chosen is None and (point := installed().get(name.strip().lower())) is not None:
        try:
            found: Bot = point.load()
        except Exception as error:  # whatever a package does when it is imported
            raise NoSuchBotError(f"the bot {point.name!r} of {point.value} cannot be loaded: {error}") from error
        return _patient(found)
    if chosen is None:
        raise NoSuchBotError(f"no bot is called {name!r}{near(name.strip(), {**BOTS, **installed()})}")
    return chosen


def is_foreign(name: str) -> bool:
    """Whether a bot of this name comes from another package, and is to be played in a process of its own."""
    point = installed().get(name.strip().lower())
    return point is not None and point.module.partition(".")[0] != __name__.partition(".")[0]


__all__ = ["BOTS", "PATIENCE", "Bot", "NoSuchBotError", "bot", "installed", "is_foreign"]
