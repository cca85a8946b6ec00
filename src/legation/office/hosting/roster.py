"""The roster (W-23): games, powers, players, postal addresses and their dates. Addresses are seen by the coordinator of
a game by post, and by its players unless the person said no."""

import contextlib
from collections.abc import Sequence
from datetime import date
from itertools import combinations_with_replacement

from legation.office.context import CommandContext, GameContext, SeatContext, command, game_settings, query
from legation.office.errors import DamagedError, NotFoundError, refuse_faults
from legation.office.game.postal_addresses import address_at, address_record, letter_address, post_by
from legation.office.hosting.absences import read_day
from legation.office.hosting.deadlines import refuse_days
from legation.office.permissions import ALIVE, CREATES
from legation.office.records import AddressRecord, GameRoster, OrdersAddress, PostRoute, RosterLine, Sharing
from legation.office.store.rows import AddressRow, GameRow, PersonRow, SeatRow, SignUpRow
from legation.office.terms.plans import MOST_POST_DAYS

MOST = 20


@command("me", "POST /me/addresses", CREATES, person="any")
def add_address(
    act: CommandContext,
    lines: Sequence[str],
    country: str,
    first: str | None = None,
    last: str | None = None,
    primary: bool = False,
    days: int | None = None,
) -> AddressRecord:
    """Add a postal address: the primary one, or one that is preferred from a day to another (ISO dates, both included).
    ``days``: how long a letter to it or from it takes, where that isn't as usual for its country.

    A new primary address takes the place of the old one."""
    kept = tuple(" ".join(line.split()) for line in lines if line.strip())
    fits = 1 <= len(kept) <= 8 and all(len(line) <= 80 and line.isprintable() for line in kept)
    faults = [] if fits else ["lines: 1 to 8 of at most 80 characters"]
    if not country.strip() or len(country) > 60 or not country.isprintable():
        faults.append("country: its name")
    if primary and (first or last):
        faults.append("primary: has no dates; add a second address for those days")
    if not primary and not (first or last):
        faults.append("first, last: say from when or to when it is preferred, or make it the primary one")
    begin = read_day(first, "first").isoformat() if first else ""
    end = read_day(last, "last").isoformat() if last else ""
    if begin and end and end < begin:
        faults.append("last: not before first")
    if days is not None and not 0 <= days <= MOST_POST_DAYS:
        faults.append(f"days: from 0 to {MOST_POST_DAYS}")
    if act.tx.count(AddressRow, person=act.person) >= MOST:
        faults.append(f"at most {MOST} addresses")
    refuse_faults("The address can't be used", faults)
    if primary:
        act.tx.remove(AddressRow, person=act.person, is_primary=True)
    text, land = "\n".join(kept), country.strip()
    row = AddressRow(
        person=act.person, lines=text, country=land, first=begin, last=end, is_primary=primary, made=act.at, days=days
    )
    added = act.tx.add(row)
    for game in act.tx.all(GameRow, coordinator=act.person, state=list(ALIVE)):
        scene = GameContext(act, game)
        if scene.settings.opening_by_post:  # its players post orders to this address
            scene.mail("orders address")
    return address_record(act.office, added)


@command("me", "DELETE /me/addresses/{address}", person="any")
def remove_address(act: CommandContext, address: int) -> None:
    """Remove an address."""
    if not act.tx.remove(AddressRow, id=act.office.numbers.row("address", address), person=act.person):
        raise NotFoundError("There is no such address.")


@query("me", "GET /me/addresses", guest="any", person="any")
def addresses(act: CommandContext) -> list[AddressRecord]:
    """Return the person's own postal addresses."""
    return [address_record(act.office, row) for row in act.tx.all(AddressRow, person=act.person)]


@command("play", "PUT /games/{game}/seats/{power}/address-shared", holder="gathering alive")
def share_address(scene: SeatContext, share: bool = True) -> None:
    """Share one's postal address with the other players of a game, or stop sharing it."""
    scene.tx.change(scene.held, shares_address=share)


@query("me", "GET /me/sharing", guest="any", person="any")
def sharing(act: CommandContext) -> list[Sharing]:
    """Return the person's games by post, and whether players see the person's address in each."""
    seats = act.tx.all(SeatRow, person=act.person)
    seated = {seat.game for seat in seats}
    signed = act.tx.all(SignUpRow, person=act.person, withdrawn=None)
    told = [(s.game, s.power, s.shares_address) for s in seats]
    told += [(s.game, "", s.shares_address) for s in signed if s.game not in seated]
    states = ["gathering", *ALIVE]
    rows = act.tx.all(GameRow, id=[game for game, _, _ in told], state=states)
    games = {row.id: row for row in rows}
    return [
        Sharing(game=games[game].key, name=games[game].name, power=power, shared=shared)
        for game, power, shared in told
        if game in games and game_settings(games[game]).is_postal()
    ]


@query("read", "GET /games/{game}/roster", player="any", host="any", coordinator="any")
def roster(scene: GameContext, on: str = "", days_in_post: int | None = None) -> list[RosterLine]:
    """Return who plays which power, and which address holds on a day (today); for players only the addresses that were
    agreed to. ``days_in_post``: how long the reader's letters take, if not as the routes between countries say."""
    refuse_days(days_in_post)
    return _lines(scene, read_day(on, "on") if on else scene.now.date(), days_in_post)


@query("read", "GET /games/{game}/rosters", player="any", host="any", coordinator="any")
def rosters(scene: GameContext, days_in_post: int | None = None) -> list[GameRoster]:
    """Return the roster of a game, with today's addresses, and after it those of the other games by post that its
    coordinator runs, as far as the reader may know of them: addresses only where one plays, too. ``days_in_post`` as in
    :func:`roster`."""
    refuse_days(days_in_post)
    shown = [scene]
    if scene.settings.coordinated and scene.row.coordinator is not None:
        for row in scene.tx.all(GameRow, coordinator=scene.row.coordinator, state=list(ALIVE), order="key"):
            with contextlib.suppress(DamagedError):  # the other rosters are good without it
                other = GameContext(scene.act, row)
                known = other.settings.listed or other.runs_it or other.own
                if known and row.id != scene.row.id and other.settings.shows_addresses():
                    shown.append(other)
    return [_game_roster(one, days_in_post) for one in shown]


def _game_roster(scene: GameContext, days_in_post: int | None) -> GameRoster:
    game, name, powers, told = scene.row.key, scene.row.name, tuple(scene.rules.powers), _is_told(scene)
    lines = tuple(_lines(scene, scene.now.date(), days_in_post))
    to = orders_address.within(scene) if told else None
    routes = _routes(scene, [a for a in (*(line.then for line in lines), to.address if to else None) if a])
    return GameRoster(
        game=game, name=name, powers=powers, own=scene.own, told=told, lines=lines, routes=routes, orders_to=to
    )


def _routes(scene: GameContext, addresses: Sequence[AddressRecord]) -> tuple[PostRoute, ...]:
    countries = sorted({address.country for address in addresses}, key=str.casefold)
    made = []
    for ends in combinations_with_replacement(countries, 2):
        days = scene.settings.route_days(*ends)
        last = post_by(scene, days)
        made.append(PostRoute(ends=ends, days=days, post_by=last.isoformat() if last else None))
    return tuple(made)


def _lines(scene: GameContext, day: date, days_in_post: int | None) -> list[RosterLine]:
    act = scene.act
    writer = act.actor.person or scene.row.coordinator
    here = address_at(act, writer, act.now.date()) if writer is not None else None
    lines = []
    for seat, person in scene.people():
        mine = scene.runs_it or seat.power in scene.own
        if scene.settings.anonymous and not mine:
            continue
        address, then, days = None, None, scene.settings.post_days
        kept: list[AddressRecord] = []
        shared = seat.shares_address and _is_told(scene)
        if seat.power in scene.own or (scene.settings.is_postal() and (scene.runs_it or shared)):
            address = address_at(act, person.id, day)
            kept = [address_record(act.office, row) for row in act.tx.all(AddressRow, person=person.id)]
            then, days = letter_address(act, scene.settings, here, person.id, days_in_post)
        last = post_by(scene, days) if then is not None else None
        line = RosterLine(
            game=scene.row.key,
            power=seat.power,
            name=person.name,
            email=person.email if mine else None,
            address=address,
            alternatives=tuple(other for other in kept if address is None or other.id != address.id),
            shared=seat.shares_address and mine,
            person=act.shown_person(person.id),
            then=then,
            days=days,
            post_by=last.isoformat() if last else None,
        )
        lines.append(line)
    return lines


def _is_told(scene: GameContext) -> bool:
    return scene.runs_it or bool(scene.roles & {"player", "host"})


@query("read", "GET /games/{game}/orders-address", player="any", coordinator="any")
def orders_address(scene: GameContext) -> OrdersAddress | None:
    """Return where players post their orders: the coordinator's name and today's address, in a game that is played by
    post; None where there is none."""
    person = scene.tx.find(PersonRow, id=scene.row.coordinator)
    if person is None or not (scene.settings.coordinated and scene.settings.is_postal()):
        return None
    address = address_at(scene.act, person.id, scene.now.date())
    return OrdersAddress(name=person.name, address=address) if address is not None else None
