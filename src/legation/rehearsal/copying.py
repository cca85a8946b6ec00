"""A copy of a game in an office of its own, with a clock that is moved by hand."""

from pathlib import Path

import msgspec

from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.errors import ConflictError, NotAllowedError
from legation.office.game import seats
from legation.office.hosting import games, roster, transfer
from legation.office.hosting.handover_document import KeptGame
from legation.office.identity import people
from legation.office.office import Office, open_office
from legation.office.records import AddressRecord, GameRecord

DOMAIN = "rehearsal.example"  # where no mail can go (RFC 2606)
HOME = (("The street of {power}’s player", "Their town"), "Their country")
"""The address of somebody whose address the coordinator can't know yet."""


class GameCopy(msgspec.Struct, frozen=True):
    """The office with the copy, its clock, the game's key there, who runs it, and who reads transcriptions a second
    time."""

    office: Office
    clock: SimulatedClock
    key: str
    coordinator: Actor
    deputy: Actor | None = None


def rehearsable(office: Office, actor: Actor, game: str) -> GameRecord:
    """Return a game that the actor may rehearse. Raises NotAllowedError for who does not coordinate the game, and
    ConflictError for a game that is over, or has no coordinator."""
    record = games.game(office, actor, game)
    if not record.settings["coordinated"]:
        raise ConflictError(f"{record.name} runs itself; only a game with a coordinator can be rehearsed.")
    if "coordinator" not in record.roles and actor.kind != "console":
        raise NotAllowedError("Only the coordinator can rehearse the game.")
    if record.state not in ("gathering", "running", "paused"):
        raise ConflictError(f"{record.name} is over, so there is nothing to rehearse.")
    return record


def copy_game(office: Office, actor: Actor, game: str, folder: Path) -> GameCopy:
    """Copy a game that the actor coordinates into a new office in a folder, and start it there: a game that waits for
    its players with stand-ins in the seats that nobody has taken, any other with its people, from where it stands.
    Raises NotAllowedError for who does not run the game, and ConflictError for a game that is over, or has no
    coordinator."""
    record = rehearsable(office, actor, game)
    clock = SimulatedClock(office.clock.now())
    alone = dict.fromkeys(("database", "keeper", "keeper_token", "files", "cabinet_key", "smtp"), "")
    settings = office.settings.model_copy(update={**alone, "settling": 0, "after_outage": 0, "open_to_all": True})
    copy = open_office(folder, settings, clock, SeededRandomSource(f"rehearsal of {record.key}"))
    copy.variants = office.variants  # with its catalog, which is read from there
    begin = _begin if record.state == "gathering" else _go_on
    return begin(copy, clock, office, actor, record)


def _register(copy: Office, name: str, address: str) -> Actor:
    return people.as_person(copy, people.register(copy, Actor.console(), name, address).id)


def _begin(copy: Office, clock: SimulatedClock, office: Office, actor: Actor, record: GameRecord) -> GameCopy:
    """Make a game of the same plan, with the people who have signed up, and stand-ins who are invited."""
    coordinator = _register(copy, record.coordinator or "Coordinator", f"coordinator@{DOMAIN}")
    known = roster.orders_address(office, actor, record.key)
    if known is not None:
        _add_address(copy, coordinator, known.address)
    bots = {seat.power: f"bot:{seat.bot}" for seat in record.seats if seat.bot}
    plan = {
        "name": record.name,
        "variant": record.variant,
        "options": record.options,
        "settings": record.settings,
        "seats": bots,
    }
    key = games.create(copy, coordinator, plan).key
    taken = {seat.person: seat.power for seat in record.seats if seat.person is not None}
    free = [seat.power for seat in record.seats if not seat.bot and seat.person is None]
    for number, sign in enumerate(seats.sign_ups(office, actor, record.key), 1):
        power = taken.get(sign.person)
        if power is None and not free:  # more people than seats
            break
        name = sign.name or f"Player {number}"
        player = _register(copy, name, f"player-{number}@{DOMAIN}")
        _move_in(copy, player, name)
        if power is not None:  # by an invitation to it
            secret = games.invite(copy, coordinator, key, "", power).secret
            seats.sign_up(copy, player, key, (), secret)
        else:
            free.remove(next((wish for wish in sign.preferences if wish in free), free[-1]))
            seats.sign_up(copy, player, key, sign.preferences)
    for power in free:
        name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in power.casefold())
        address = f"{name}@{DOMAIN}"
        secret = games.invite(copy, coordinator, key, address, power).secret
        player = _register(copy, f"{power}’s player", address)
        _move_in(copy, player, power)
        seats.sign_up(copy, player, key, (), secret)
    deputy = None
    if record.deputy:
        deputy = _register(copy, record.deputy, f"deputy@{DOMAIN}")
        games.name_deputy(copy, coordinator, key, f"deputy@{DOMAIN}")
    return GameCopy(copy, clock, key, coordinator, deputy)


def _move_in(copy: Office, player: Actor, power: str) -> None:
    lines, country = HOME
    roster.add_address(copy, player, [line.format(power=power) for line in lines], country, primary=True)


def _add_address(copy: Office, person: Actor, address: AddressRecord) -> None:
    first, last = (None, None) if address.primary else (address.first, address.last)
    roster.add_address(copy, person, address.lines, address.country, first, last, primary=address.primary)


def _go_on(copy: Office, clock: SimulatedClock, office: Office, actor: Actor, record: GameRecord) -> GameCopy:
    """Take in the whole game, as another office would, with its people and their addresses, and resume it."""
    document = transfer.whole_game(office, actor, record.key)
    kept = msgspec.convert(document, KeptGame)
    known = {person.number: _register(copy, person.name, person.email) for person in kept.people if person.email}
    key = transfer.take_in(copy, Actor.console(), document).key
    coordinator = known.get(kept.coordinator or 0) or Actor.console()
    persons = {seat.power: known.get(seat.person or 0) for seat in kept.seats}
    for line in roster.roster(office, actor, record.key):
        person = persons[line.power]
        if person is not None:
            for address in [*([line.address] if line.address else []), *line.alternatives]:
                _add_address(copy, person, address)
    orders = roster.orders_address(office, actor, record.key)
    if orders is not None and coordinator.person is not None:
        _add_address(copy, coordinator, orders.address)
    games.resume(copy, Actor.console(), key, "The rehearsal begins.")
    return GameCopy(copy, clock, key, coordinator, known.get(kept.deputy or 0))
