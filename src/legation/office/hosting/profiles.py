"""Profiles of people who want one. They tell of finished games that anybody may see, so of nobody who plays what."""

from typing import Any

from legation.game.report import place_in_words
from legation.office.context import CommandContext, query
from legation.office.errors import NotFoundError
from legation.office.game.reliability import reliability_of
from legation.office.hosting.player_ratings import rating_record
from legation.office.hosting.scores import ending_of
from legation.office.preferences import Preferences, read_preferences
from legation.office.records import PlayedGame, Profile, record_of
from legation.office.store.packing import unpack_facts
from legation.office.store.rows import GameRow, HoldingRow, PersonRow, RatedPlayerRow, SeatRow

MOST_GAMES = 200


@query("read", "GET /people/{person}", visitor="any")
def profile(act: CommandContext, person: int) -> Profile:
    """Return a person's profile, by the number that pages show.

    :raises NotFoundError: for somebody who shows none."""
    row = act.tx.find(PersonRow, id=act.office.numbers.row("person", person), confirmed=True)
    preferences = read_preferences(row.preferences) if row is not None else Preferences()
    if row is None or not preferences.profile:
        raise NotFoundError("This person has no public profile.")
    return _profile(act, row, preferences)


@query("me", "GET /me/profile", person="any")
def preview(act: CommandContext) -> Profile:
    """Return one's own profile as others see it, or would see it if it were public."""
    row = act.tx.get(PersonRow, act.person)
    return _profile(act, row, read_preferences(row.preferences))


def _profile(act: CommandContext, row: PersonRow, preferences: Preferences) -> Profile:
    rated = act.tx.all(RatedPlayerRow, person=row.id, order="family") if preferences.ranked else []
    ratings = tuple(rating_record(act, one, row.name, history=True) for one in rated)
    played = {"reliability": reliability_of(act, row.id), "ratings": ratings, "games": tuple(_games(act, row.id))}
    number = act.office.numbers.shown("person", row.id)
    return record_of(Profile, row, person=number, about=preferences.about, public=preferences.profile, **played)


def _games(act: CommandContext, person: int) -> list[PlayedGame]:
    holdings = act.tx.all(HoldingRow, person=person, order="-id", limit=5 * MOST_GAMES)
    if not holdings:
        return []
    seats = {row.id: row for row in act.tx.all(SeatRow, id=sorted({h.seat for h in holdings}))}
    over = act.tx.all(GameRow, id=sorted({s.game for s in seats.values()}), state="ended")
    games = {row.id: row for row in over if _is_told(unpack_facts(row.settings))}
    told = []
    for holding in {holding.seat: holding for holding in reversed(holdings)}.values():  # the latest of each seat
        game, power = games.get(seats[holding.seat].game), seats[holding.seat].power
        if game is not None and (holding.until is None or holding.until > (game.started or 0)):
            result = "left" if holding.until is not None else result_for(power, game)
            told.append(record_of(PlayedGame, game, power=power, result=result))
    return sorted(told, key=lambda game: game.ended, reverse=True)[:MOST_GAMES]


def _is_told(settings: dict[str, Any]) -> bool:
    """Whether anybody may see a game of these settings, and its powers had players of their own."""
    return settings.get("listed") is not False and not settings.get("one_orders_all")


def result_for(power: str, game: GameRow) -> str:
    """Return what came of a game for a power, in words."""
    ending = ending_of(game.ending)
    if ending is None or power not in ending.powers:
        return "lost"
    if ending.kind == "ranking":
        return place_in_words(power, ending.powers, ending.tied)
    return "won" if ending.kind == "solo" else "shared a draw"
