"""Reliability of a person: turns sent in time and seats kept, over the last year. So that it doesn't tell who plays
what, games that go on count only where everybody sees who plays, has sent, and is left."""

from legation.office.clock import micros
from legation.office.context import CommandContext, GameContext, game_settings
from legation.office.errors import DamagedError, NotAllowedError
from legation.office.records import Reliability
from legation.office.store import queries
from legation.office.store.rows import GameRow, HoldingRow, JournalRow, RatedPlayerRow, SeatRow, TurnRow
from legation.office.store.transaction import Since
from legation.position import Phase
from legation.variants import plain_name

YEAR = 365 * 86_400_000_000
SCALE = 60
LEAST_TURNS = 1  # turns from which on somebody may be refused a seat: a first game is never barred
NAMED = (Phase.MOVEMENT.value, Phase.PLACEMENT.value)


def reliability_of(act: CommandContext, person: int) -> Reliability:
    """Return how reliable a person was in the last year."""
    tx, since = act.tx, micros(act.now) - YEAR
    holdings = [h for h in tx.all(HoldingRow, person=person) if h.until is None or h.until >= since]
    seats = {row.id: row for row in tx.all(SeatRow, id=sorted({h.seat for h in holdings}))}
    games = {row.id: row for row in tx.all(GameRow, id=sorted({s.game for s in seats.values()}))}
    counted = {id: game for id, game in games.items() if _counts(act, game, since)}
    held = [h for h in holdings if seats[h.seat].game in counted and _in_game(h, counted[seats[h.seat].game])]
    left = sum(h.until is not None for h in held)
    states, listed = ["judged", "draft", "final"], list(counted) if held else []
    turns = tx.all(TurnRow, light=True, game=listed, closed=Since(since), state=states)
    numbers = sorted({h.seat for h in held})
    missed = {(row.turn, row.seat) for row in tx.all(JournalRow, seat=numbers, kind="missed")}
    sent = queries.first_sent(tx, numbers, since) if numbers else {}
    due = in_time = gone = 0
    for holding in held:
        seat = seats[holding.seat]
        game = counted[seat.game]
        grace, hides = game_settings(game).grace * 60_000_000, _hides(act, game)
        for turn in turns:
            closed = turn.closed or 0
            mine = turn.game == seat.game and holding.since <= closed <= (holding.until or closed)
            told = not hides or turn.name.rpartition(" ")[2] in NAMED  # else nobody notes who misses a turn
            if not mine or not told or seat.power not in turn.awaited.split("\n"):
                continue
            due += 1
            if (turn.id, seat.id) in missed:
                gone += 1
            elif sent.get((turn.id, seat.id), 0) <= turn.deadline + grace:  # or it was ordered ahead
                in_time += 1
    return Reliability(turns=due, in_time=in_time, missed=gone, seats=len(held), left=left)


def _in_game(holding: HoldingRow, game: GameRow) -> bool:
    return game.started is not None and (holding.until is None or holding.until > game.started)


def _counts(act: CommandContext, game: GameRow, since: int) -> bool:
    settings = game_settings(game)
    if settings.one_orders_all or game.source:
        return False
    if game.state == "ended":
        return (game.ended or 0) >= since
    open_to_all = settings.listed and not settings.anonymous and settings.shows_senders == "all"
    return game.state in ("running", "paused") and open_to_all and not _hides(act, game)


def _hides(act: CommandContext, game: GameRow) -> bool:
    try:
        return bool(act.office.rules(game).steps["visible_provinces"])
    except DamagedError:
        return True


def refuse_unfit(scene: GameContext) -> None:
    """Raise NotAllowedError for somebody with fewer turns sent in time, fewer finished games or a lower rating than a
    game asks of its players. Newcomers are let in, and so are people without a rating."""
    settings, person = scene.settings, scene.actor.person
    if person is None or not (settings.reliability or settings.finished or settings.rating):
        return
    held = [seat.game for seat in scene.tx.all(SeatRow, person=person)]
    found, finished = reliability_of(scene.act, person), scene.tx.count(GameRow, id=held, state="ended")
    if not finished and found.turns < LEAST_TURNS:
        return
    if found.turns >= LEAST_TURNS and (found.percent or 0) < settings.reliability:
        raise NotAllowedError(
            f"This game asks for {settings.reliability}% of turns sent in time over the last year; you sent "
            f"{found.percent}%."
        )
    if finished < settings.finished:
        raise NotAllowedError(f"This game asks for {settings.finished} finished games; you have {finished}.")
    row = scene.tx.find(RatedPlayerRow, family=family_of(scene.act, scene.row), person=person)
    if row is not None and shown_rating(row.mu) < settings.rating:
        raise NotAllowedError(f"This game asks for a rating of {settings.rating}; yours is {shown_rating(row.mu)}.")


def family_of(act: CommandContext, game: GameRow) -> str:
    """The family of variants (those on one board) whose games are rated together with a game."""
    try:
        return act.office.rules(game).board.name
    except DamagedError:
        return plain_name(game.variant)


def shown_rating(millionths: int) -> int:
    """A rating on the scale that people see: 25 is 1500."""
    return round(SCALE * millionths / 1_000_000)
