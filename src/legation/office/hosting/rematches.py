"""Rematches: a new game with the people, variant and settings of one that has ended."""

import itertools
import re

from legation.office.context import GameContext, command, query
from legation.office.errors import ConflictError, NotAllowedError
from legation.office.game.seat_holders import start_if_full
from legation.office.game.seats import invite_person
from legation.office.hosting.game_records import game_lines, game_record
from legation.office.hosting.games import listed_game, make_game
from legation.office.records import GameRecord, GameSummary
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import GameRow, SignUpRow
from legation.office.terms.plans import LONGEST_NAME, GamePlan


@command("coordinate", "POST /games/{game}/rematch", player="ended", host="ended", coordinator="ended", lock=True)
def offer(scene: GameContext) -> GameRecord:
    """Make a new game with the variant, options, settings and bots of one that has ended, and invite everybody who
    played it to the end, by mail. Powers are dealt anew among the people.

    Who offers it runs it, and is signed up if they played. There is one rematch of a game, unless it is cancelled.
    Where a coordinator ran the game, the coordinator offers it.

    :raises ConflictError: when there is a rematch already.
    :raises NotAllowedError: for a player of a game that a coordinator ran, and for guests of a day."""
    if "guest" in scene.roles:
        raise NotAllowedError("A trial seat can't do that. Sign in with your own address.")
    if scene.settings.coordinated and not scene.runs_it:
        raise NotAllowedError("The coordinator of this game can offer a rematch.")
    if (known := _rematch_of(scene)) is not None:
        raise ConflictError(f"A rematch already exists: {known.name}.")
    asks = scene.actor.person or scene.row.coordinator or 0
    bots = {s.power: f"bot:{s.bot}" for s in scene.seats.values() if s.state == "bot" and not s.stand_in}
    row, options = scene.row, unpack(scene.row.options)
    plan = GamePlan(name=_name(scene), variant=row.variant, options=options, settings=scene.settings, seats=bots)
    made = make_game(scene.act, plan, asks)
    made.row = scene.tx.change(made.row, follows=scene.row.id)
    for seat, person in scene.people():
        if seat.stand_in:
            continue
        if person.id == asks and not made.settings.coordinated:
            scene.tx.add(SignUpRow(game=made.row.id, person=asks, preferences=pack([]), at=scene.at))
            made.append_journal("signed up", role="person")
        elif person.id != asks and person.email:
            invite_person(made, person.email, "")
    start_if_full(made)
    return game_record(GameContext(scene.act, scene.tx.get(GameRow, made.row.id)))


@query("read", "GET /games/{game}/rematch", player="ended", host="ended", coordinator="ended")
def rematch(scene: GameContext) -> GameSummary | None:
    """Return the rematch of a game, in a line; None while nobody has offered one."""
    row = _rematch_of(scene)
    return game_lines(scene.act, [row])[0] if row is not None else None


def _rematch_of(scene: GameContext) -> GameRow | None:
    made = scene.tx.all(GameRow, follows=scene.row.id, order="-id")
    return next((row for row in made if row.state != "cancelled"), None)


def _name(scene: GameContext) -> str:
    name, _, number = scene.row.name.rpartition(" ")
    first = int(number) if name and re.fullmatch("[1-9][0-9]{0,2}", number) else 1
    base = name if first > 1 else scene.row.name
    names = (f"{base[: LONGEST_NAME - len(str(n)) - 1].rstrip()} {n}" for n in itertools.count(first + 1))
    return next(name for name in names if scene.act.own_game(name) is None and not listed_game(scene.act, name))
