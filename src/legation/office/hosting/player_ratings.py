"""Ratings of players, by the model of Plackett and Luce (openskill): for each family of variants (those on one board),
from rated games alone, in the order in which they ended.

A result is the points of the game's scoring system, or the draw size. Who held a seat from its first turn to the end is
rated by it; who left or lost it comes last; who took it over isn't rated. Bots are rated apart, by the mean of their
seats; ``ANCHOR`` keeps its rating, so that the scale stays. Programs of people and the bot that holds aren't rated."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import Any

import msgspec
from openskill.models import PlackettLuce

from legation.office.clock import moment
from legation.office.context import CommandContext, command, game_settings, query
from legation.office.errors import NotFoundError
from legation.office.game.reliability import family_of, shown_rating
from legation.office.hosting.scores import ending_of, outcome_of_seats
from legation.office.preferences import read_preferences
from legation.office.records import Leaderboard, PlayerRating, record_of
from legation.office.store import queries
from legation.office.store.rows import GameRow, HoldingRow, PersonRow, RatedGameRow, RatedPlayerRow, SeatRow
from legation.scoring import SYSTEMS

MODEL = PlackettLuce()
MILLION = 1_000_000
FIRST_MU, FIRST_SIGMA = 25 * MILLION, 25 * MILLION // 3
ANCHOR, ANCHOR_SIGMA = "bot dumbbot", MILLION
AT_ONCE = 500
SHOWN = 100


class Held(msgspec.Struct, frozen=True):
    """A rating, in millionths, after so many games, of which the last ended at a time and has an id."""

    mu: int = FIRST_MU
    sigma: int = FIRST_SIGMA
    games: int = 0
    at: int = 0
    last: int = 0

    def values(self) -> dict[str, Any]:
        """The columns of the rating; ``least`` is the value that the player almost surely has at least."""
        return {**msgspec.structs.asdict(self), "least": self.mu - 3 * self.sigma}


def rated_anew(known: Mapping[str, Held], scores: Mapping[str, float], game: GameRow) -> dict[str, Held]:
    """Return the ratings of players after a game in which each had a score."""
    names = sorted(scores)
    before = {n: known.get(n) or (Held(sigma=ANCHOR_SIGMA) if n == ANCHOR else Held()) for n in names}
    teams = [[MODEL.rating(mu=before[n].mu / MILLION, sigma=before[n].sigma / MILLION)] for n in names]
    after = MODEL.rate(teams, scores=[scores[name] for name in names])
    changed = {}
    for name, (rating,) in zip(names, after, strict=True):
        mu, sigma = round(rating.mu * MILLION), round(rating.sigma * MILLION)
        if name == ANCHOR:
            mu, sigma = FIRST_MU, ANCHOR_SIGMA
        changed[name] = Held(mu, sigma, before[name].games + 1, game.ended or 0, game.id)
    return changed


def scores_of(game: GameRow, seats: Sequence[SeatRow], holdings: Mapping[int, list[HoldingRow]]) -> dict[str, float]:
    """Return what a game counts as for each rated player; nothing where fewer than two are, or no person."""
    outcome = outcome_of_seats(list(seats), ending_of(game.ending))
    points = SYSTEMS[game_settings(game).scoring or "draw-size"].score(outcome)
    people: dict[str, float] = {}
    bots: dict[str, list[float]] = defaultdict(list)
    for seat in seats:
        held = [h for h in holdings.get(seat.id, ()) if h.until is None or h.until > (game.started or 0)]
        if not held or seat.machine:
            continue
        first, everybody = held[0], {h.person for h in held if h.person is not None}
        if first.person is not None:
            kept = everybody == {first.person} and seat.person == first.person
            people[f"person {first.person}"] = points[seat.power] if kept else min(points.values()) - 1
        elif not everybody and first.bot not in ("", "hold"):
            bots[f"bot {first.bot}"].append(points[seat.power])
    scores = people | {name: fmean(values) for name, values in bots.items()}
    return scores if people and len(scores) > 1 else {}


def rate_game(act: CommandContext, facts: dict[str, Any], _: object) -> None:
    """Rate the players of a game that has ended; all games anew where one of them has played a later one since."""
    game = act.tx.get(GameRow, facts["game"])
    if game.state != "ended" or act.tx.count(RatedGameRow, game=game.id):
        return
    for _game, family, scores in _results(act, [game]):
        rows = {row.player: row for row in act.tx.all(RatedPlayerRow, family=family, player=sorted(scores), lock=True)}
        if any((row.at, row.last) > (game.ended or 0, game.id) for row in rows.values()):
            rate_all(act)
            return
        people = _about(act, scores.keys() - rows.keys())
        known = {name: Held(row.mu, row.sigma, row.games, row.at, row.last) for name, row in rows.items()}
        for name, held in rated_anew(known, scores, game).items():
            if name in rows:
                row = act.tx.change(rows[name], **held.values())
            else:
                row = act.tx.add(RatedPlayerRow(family=family, player=name, **people[name], **held.values()))
            act.tx.enter(RatedGameRow(game=game.id, rated=row.id, mu=held.mu, sigma=held.sigma, at=held.at))


def _about(act: CommandContext, players: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Who these players are, and whether they want to be listed: columns of their ratings."""
    people = {int(n): name for name in players for kind, _, n in [name.partition(" ")] if kind == "person"}
    rows = act.tx.all(PersonRow, id=list(people))
    shown = {people[row.id]: {"person": row.id, "shown": read_preferences(row.preferences).ranked} for row in rows}
    return {name: shown.get(name, {"person": None, "shown": False}) for name in players}


def _results(act: CommandContext, games: Sequence[GameRow]) -> Iterator[tuple[GameRow, str, dict[str, float]]]:
    rated = [game for game in games if game_settings(game).rated]
    if not rated:
        return
    seats: dict[int, list[SeatRow]] = defaultdict(list)
    for seat in act.tx.all(SeatRow, game=[game.id for game in rated]):
        seats[seat.game].append(seat)
    holdings: dict[int, list[HoldingRow]] = defaultdict(list)
    for holding in queries.holdings_of(act.tx, [game.id for game in rated]):
        holdings[holding.seat].append(holding)
    for game in rated:
        if scores := scores_of(game, seats[game.id], holdings):
            yield game, family_of(act, game), scores


@command("coordinate", "POST /leaderboard", console="any", administrator="any")
def recompute(act: CommandContext) -> int:
    """Compute all ratings anew from the record; return the number of rated games."""
    return rate_all(act)


def rate_all(act: CommandContext) -> int:
    """Compute all ratings anew, as :func:`recompute`."""
    known: dict[str, dict[str, Held]] = defaultdict(dict)
    ids: dict[tuple[str, str], int] = {}
    counted, after = 0, (0, 0)
    for kind in (RatedGameRow, RatedPlayerRow):
        act.tx.remove(kind)
    while games := queries.ended_games(act.tx, after, AT_ONCE):
        lines: list[dict[str, Any]] = []
        new: list[dict[str, Any]] = []
        results = list(_results(act, games))
        people = _about(act, {name for _, family, scores in results for name in scores if name not in known[family]})
        for game, family, scores in results:
            counted += 1
            for name, held in rated_anew(known[family], scores, game).items():
                if name not in known[family]:
                    ids[family, name] = len(ids) + 1
                    about = {"id": ids[family, name], "family": family, "player": name, **people[name]}
                    new.append(about | held.values())
                known[family][name] = held
                of = {"game": game.id, "rated": ids[family, name]}
                lines.append({**of, "mu": held.mu, "sigma": held.sigma, "at": held.at})
        queries.write_ratings(act.tx, new, [], lines)
        after = (games[-1].ended or 0, games[-1].id)
    changed = [{"of": id, **known[family][name].values()} for (family, name), id in ids.items()]
    queries.write_ratings(act.tx, [], changed, [])
    return counted


@query("read", "GET /leaderboard", visitor="any")
def leaderboard(act: CommandContext, family: str = "") -> Leaderboard:
    """Return the rated players of a family of variants who want to be listed, and its bots; of the first family where
    none is named.

    :raises NotFoundError: for a family in which nobody is rated, or where this office has no leaderboards."""
    if not act.office.settings.leaderboards:
        raise NotFoundError("This site has no leaderboards.")
    families = queries.rated_families(act.tx)
    if family and family not in families:
        raise NotFoundError(f"Nobody is rated on a board {family[:60]!r}.", suggestions=families)
    wanted = family or next(iter(families), "")
    best = partial(act.tx.all, RatedPlayerRow, order="-least", limit=SHOWN, family=wanted)  # the surest first
    rated = best(shown=True)
    known, players = {row.id: row for row in act.tx.all(PersonRow, id=[one.person for one in rated])}, []
    for row in rated:
        person = known[row.person or 0]
        number = act.shown_person(person.id) if read_preferences(person.preferences).profile else 0
        players.append(msgspec.structs.replace(rating_record(act, row, person.name), person=number))
    bots = [rating_record(act, row, row.player.removeprefix("bot ")) for row in best(person=None)]
    return Leaderboard(family=wanted, families=tuple(families), players=tuple(players), bots=tuple(bots))


def rating_record(act: CommandContext, row: RatedPlayerRow, name: str, *, history: bool = False) -> PlayerRating:
    """A rating as people see it."""
    lines = act.tx.all(RatedGameRow, rated=row.id, order="-at", limit=SHOWN) if history else []
    past = tuple((moment(line.at), shown_rating(line.mu)) for line in reversed(lines))
    rating, uncertainty = shown_rating(row.mu), shown_rating(2 * row.sigma)
    return record_of(PlayerRating, row, name=name, person=0, rating=rating, uncertainty=uncertainty, history=past)
