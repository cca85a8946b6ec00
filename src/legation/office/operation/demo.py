"""A demonstration: a game of every variant in mid-play, with one seat for whoever looks at it and bots on the others,
and a table that is open."""

import contextlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from legation.bots import bot, levels
from legation.notation import write
from legation.office.clock import SimulatedClock
from legation.office.context import GUESTS, Actor
from legation.office.desk import bot_letters
from legation.office.errors import InvalidInputError
from legation.office.game import seats
from legation.office.game.turns import position_from
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office, open_office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.records import Credential
from legation.office.settings import Settings
from legation.variants import names

NAMES = (
    "Powick Bridge,Bosworth Field,Castillon,Stamford Bridge,Adwalton Moor,Valmy,Lepanto,Nördlingen,Lützen,Naseby"
).split(",")
MEETINGS = "Accord Conference Congress Diet League Peace Treaty Truce".split()
PLACES = (
    "Adrianople Arras Augsburg Berwick Bologna Brétigny Calais Cambrai Copenhagen Cordoba Granada Kalmar Kilkenny "
    "Lisbon Lodi Lübeck Madrid Münster Newport Novgorod Osnabrück Oxford Pavia Picquigny Prague Ragusa Ripon Roskilde "
    "Stirling Thorn Tours Troyes Utrecht Uxbridge Vienna Westminster Windsor York Zaragoza"
).split()
"""Of what the games of guests are named: ``Peace of Utrecht``."""
TURNS = 4
ADDRESS = "demo@localhost"


def fill(folder: Path, settings: Settings, turns: int = TURNS) -> list[str]:
    """Make the games, play some turns, and return the keys; a folder with games stays as it is."""
    clock = SimulatedClock(datetime.now(UTC) - timedelta(days=turns, hours=12))
    with contextlib.closing(open_office(folder, settings, clock)) as office:
        if games.list_games(office, Actor.console(), limit=1):
            return []
        you = people.as_person(office, people.register(office, Actor.console(), "Demo Player", ADDRESS).id)
        keys = [_make(office, you, name, variant) for name, variant in zip(NAMES, names(), strict=False)]
        for turn in range(turns):
            for key in keys:
                _play(office, you, key, turn)
            clock.advance(timedelta(days=1))
            work.run_due(office)
        if len(keys) < len(NAMES):  # a table that is open
            variant = min(names(), key=lambda known: len(office.variants.load(known).powers))
            keys.append(games.create(office, you, {"name": NAMES[len(keys)], "variant": variant}).key)
        return keys


def _make(office: Office, you: Actor, name: str, variant: str) -> str:
    own, *others = office.variants.load(variant).powers
    chairs = dict.fromkeys(others, "bot:dumbbot")
    settings = {"ready_ends": False, "missing": "hold", "missing_after": 20}
    plan = {"name": name, "variant": variant, "seats": chairs, "settings": settings}
    game = games.create(office, you, plan)
    seats.sign_up(office, you, game.key, [own])
    work.run_due(office)
    return game.key


def guest_levels() -> tuple[str, ...]:
    """The levels that a guest can choose from; none where the lab is not installed, and bots are ``dumbbot`` then."""
    return tuple(name for name in levels.names() if name in levels.LEVELS)


def seat_guest(office: Office, variant: str, power: str = "", level: str = "") -> tuple[Credential, str]:
    """Seat somebody without an account for a day, in a game of their own against bots; return the session and the
    game's key. ``power`` is what they play: the variant's first if it is empty. ``level`` is one of
    :func:`guest_levels`, ``dumbbot`` if it is empty; levels that write letters write the guest, too. Raises
    InvalidInputError for a power that the variant does not have, and a level that there is not. No mail goes out to a
    guest, nor for one: a guest invites nobody and has no token. The turn ends when the guest is ready; when nothing
    more comes the game waits, and costs nothing."""
    rules = office.variants.load(variant)
    if power and power not in rules.powers:
        raise InvalidInputError(f"{rules.title} has no power {power[:60]!r}.", faults=["power: not in this variant"])
    choices = guest_levels()
    if level and level not in choices:
        raise InvalidInputError(
            f"There is no level {level[:40]!r}.", suggestions=choices, faults=[f"level: not {level[:40]!r}"]
        )
    code = office.random_source.bytes(4).hex()
    known = people.register(office, Actor.console(), "Guest", f"guest-{code}{GUESTS}")
    guest = Actor("clock", known.id, known.name)  # the office itself seats them
    powers = list(rules.powers)
    own = power or powers[0]
    played_by = level or "dumbbot"
    chairs = dict.fromkeys([other for other in powers if other != own], f"bot:{played_by}")
    press = ["private"] if played_by in bot_letters.SPEAKERS else []
    settings = {"listed": False, "ready_ends": True, "missing": "wait", "press": press, "votes": "none"}
    meeting, place = office.random_source.bytes(2)
    name = f"{MEETINGS[meeting % len(MEETINGS)]} of {PLACES[place % len(PLACES)]}"  # others may have it, too
    plan = {"name": name, "variant": variant, "seats": chairs, "settings": settings}
    game = games.create(office, guest, plan)
    seats.sign_up(office, guest, game.key, [own])
    work.run_due(office, lane="work")
    return people.start_session(office, Actor.clock(), known.id, "a seat for a day", 1), game.key


def _play(office: Office, you: Actor, key: str, seed: int) -> None:
    game = games.game(office, you, key)
    rules = office.variants.load(game.variant, game.options)
    for seat in game.seats:
        if seat.power in game.powers and seat.sent is False and game.position is not None:
            position = position_from(rules, game.position)
            sheet = bot("dumbbot")(rules, position, seat.power, Random(f"{key} {seed}"))
            orders = "\n".join(write(order) for order in sheet.orders)
            submissions.submit(office, you, key, seat.power, orders)
