"""Leagues: seasons of tournaments, a division each; after a season the best of a division rise and the last fall."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec

from legation.office import permissions
from legation.office.context import CommandContext, command, query
from legation.office.errors import ConflictError, InvalidInputError, LimitExceededError, NotAllowedError, refuse_faults
from legation.office.hosting.standings import standings_of
from legation.office.hosting.tournament_records import TournamentContext, summaries
from legation.office.hosting.tournaments import add_entrant, make_tournament
from legation.office.permissions import CREATES
from legation.office.records import League, Season, TournamentSummary, record_of
from legation.office.store.rows import EntrantRow, LeagueRow, PersonRow, TournamentRow
from legation.office.terms.plans import TournamentPlan, game_key, league_name_faults, read_tournament_plan

MOST_DIVISIONS, MOST_MOVES, MOST_LEAGUES = 26, 20, 10
SHOWN = 200  # divisions, those of the last seasons


@command("coordinate", "POST /leagues", CREATES, person="any", console="any")
def create(act: CommandContext, name: str, moves: int = 2) -> League:
    """Make a league, whose tournaments its maker organizes. ``moves``: how many rise and fall between divisions."""
    if not act.makes_games:
        raise NotAllowedError("Only administrators can make tournaments here.")
    faults = league_name_faults(name + " S99 DZ")
    if not 0 <= moves <= MOST_MOVES:
        faults.append(f"moves: from 0 to {MOST_MOVES}")
    refuse_faults("The league can't be made", faults)
    if act.person and act.tx.count(LeagueRow, coordinator=act.person) >= MOST_LEAGUES:
        raise LimitExceededError(f"You already organize {MOST_LEAGUES} leagues, the most allowed.")
    row = LeagueRow(key=game_key(name), name=name, coordinator=act.person or None, moves=moves, made=act.at)
    row = act.add_only(row, f"There is already a league called {name!r}. Choose another name.")
    act.append_journal(f"league {row.key}", what="made")
    return _record(act, row)


@query("read", "GET /leagues", visitor="any")
def list_leagues(act: CommandContext) -> list[League]:
    """Return all leagues, the newest first."""
    return [_record(act, row) for row in act.tx.all(LeagueRow, order="-id", limit=50)]


@query("read", "GET /leagues/{league}", visitor="any")
def league(act: CommandContext, league: str) -> League:
    """Return a league with its last seasons, the last first."""
    return _record(act, _authorized(act, league))


@command("coordinate", "POST /leagues/{league}/seasons", CREATES, coordinator="any")
def open_season(act: CommandContext, league: str, plan: TournamentPlan | dict[str, Any], divisions: int = 1) -> League:
    """Open a league's next season: a tournament for each division, by one plan, whose name is made here. Everybody who
    played the last one is entered again: the best of a division one higher, the last one lower; substitutes stay such.

    :raises ConflictError: while the last season is played."""
    row = _authorized(act, league)
    if not 1 <= divisions <= MOST_DIVISIONS:
        raise InvalidInputError(f"A league has from 1 to {MOST_DIVISIONS} divisions.", faults=["divisions: too many"])
    table = plan if isinstance(plan, dict) else msgspec.to_builtins(plan)
    played = act.tx.all(TournamentRow, league=row.id, order="division")
    season = 1 + max((one.season for one in played), default=0)
    counted = [one for one in played if one.state != "cancelled"]  # who was in what is by the last season that counts
    before = [one for one in counted if one.season == max(other.season for other in counted)]
    if going := [one.name for one in before if one.state != "ended"]:
        raise ConflictError(f"The last season isn't over: {', '.join(going)}.")
    scenes = [TournamentContext(act, one) for one in before]
    lists = _moved([_order(scene) for scene in scenes], row.moves)
    for listed, scene in zip(lists, scenes, strict=True):
        listed += [entrant for entrant in scene.entrants.values() if entrant.state == "substitute"]
    if divisions < len(lists):
        raise ConflictError(f"The last season had {len(lists)} divisions; people would have none.")
    for number in range(1, divisions + 1):
        named = read_tournament_plan({**table, "name": f"{row.name} S{season} D{number}"})
        at = {"league": row.id, "season": season, "division": number}
        made = make_tournament(act, named, row.coordinator or 0, **at)
        for entrant in lists[number - 1] if number <= len(lists) else ():
            add_entrant(made, entrant.name, entrant.state, entrant.person)
    act.append_journal(f"league {row.key}", what="season", season=season, divisions=divisions)
    return _record(act, row)


def _order(scene: TournamentContext) -> list[EntrantRow]:
    places = {line.number: place for place, line in enumerate(standings_of(scene).places)}
    listed = [entrant for entrant in scene.entrants.values() if entrant.state == "in"]
    return sorted(listed, key=lambda entrant: places.get(entrant.number, len(places)))


def _moved(orders: Sequence[list[EntrantRow]], moves: int) -> list[list[EntrantRow]]:
    """The people of each division after a season: as many rise as fall."""
    divisions = [list(order) for order in orders]
    for upper, (above, below) in enumerate(pairwise(orders)):
        count = _exchanged(moves, len(above), len(below))
        fall, rise = above[len(above) - count :], below[:count]
        divisions[upper] = [one for one in divisions[upper] if one not in fall] + rise
        divisions[upper + 1] = fall + [one for one in divisions[upper + 1] if one not in rise]
    return divisions


def _exchanged(moves: int, above: int, below: int) -> int:
    """How many fall, and rise, between divisions of so many people: never more than half of either."""
    return min(moves, above // 2, below // 2)


def _authorized(act: CommandContext, key: str) -> LeagueRow:
    act.asked = True
    row = act.wanted(LeagueRow, f"There is no league {game_key(key)[:60]!r}.", key=game_key(key))
    act.authorize(_roles(act, row), what="league")
    return row


def _roles(act: CommandContext, row: LeagueRow) -> frozenset[str]:
    return act.roles().union(["coordinator"] * (row.coordinator == act.person))


def _record(act: CommandContext, row: LeagueRow) -> League:
    shown = act.tx.all(TournamentRow, league=row.id, order="-id", limit=SHOWN)
    lines = sorted(summaries(act, shown), key=lambda line: line.division)
    organizer = act.tx.find(PersonRow, id=row.coordinator)
    may = tuple(name for name in permissions.commands_for(_roles(act, row), "") if name.startswith("leagues."))
    numbers = sorted({line.season for line in lines}, reverse=True)
    seasons = tuple(_season(n, [line for line in lines if line.season == n], row.moves) for n in numbers)
    name = organizer.name if organizer else ""
    return record_of(League, row, organizer=name, seasons=seasons, may=may)


def _season(number: int, divisions: Sequence[TournamentSummary], moves: int) -> Season:
    people = {line.division: line.people for line in divisions}
    exchanged = tuple(_exchanged(moves, people.get(n, 0), people.get(n + 1, 0)) for n in range(1, 1 + max(people)))
    return Season(number=number, divisions=tuple(divisions), exchanged=exchanged)
