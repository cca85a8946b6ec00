"""Deadlines: moved later with a reason, never earlier; each has a history (W-21c)."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import dropwhile, islice

from legation.office.clock import micros, moment
from legation.office.context import CommandContext, GameContext, command, given_reason, query
from legation.office.errors import ConflictError, InvalidInputError
from legation.office.game import chain
from legation.office.game.postal_addresses import days_to_coordinator
from legation.office.game.readiness import take_back_ready
from legation.office.game.submission_records import hold_up, keep_until
from legation.office.game.turns import absences_of, effective_close, is_waited_for, schedule_turn, turn_record
from legation.office.records import DeadlineMove, DueDate, TurnRecord, record_of
from legation.office.store import queries
from legation.office.store.packing import unpack
from legation.office.store.rows import GameRow, JournalRow, ReadinessRow, SeatRow, SubmissionRow, TurnRow
from legation.office.terms.plans import MOST_POST_DAYS
from legation.office.terms.schedules import Schedule, after_absences, planned
from legation.position import Turn

FURTHEST_DAYS = 366


@command("coordinate", "POST /games/{game}/deadlines", coordinator="alive", clock="alive", lock=True)
def extend(scene: GameContext, until: datetime, reason: str) -> TurnRecord:
    """Move the deadline of the present turn later, with the reason, which all players read.

    :raises ConflictError: when the turn is closed.
    :raises InvalidInputError: for an earlier time, a time far away, or no reason."""
    turn = scene.turn(lock=True)
    if turn.state not in ("open", "waiting"):
        raise ConflictError(f"{turn.name} is closed; its deadline can't be moved any more.")
    if until.tzinfo is None:
        raise InvalidInputError("Say in which time zone.", faults=["until: has no time zone"])
    new = micros(until)
    if new <= max(turn.deadline, scene.at):
        raise InvalidInputError(
            "A deadline can only move later: orders are sealed until the time that was promised.",
            faults=["until: must be later than the present deadline"],
        )
    if new > scene.act.later(days=FURTHEST_DAYS):
        raise InvalidInputError("Choose a time within a year.", faults=["until: too far away"])
    return turn_record(move_deadline(scene, turn, new, given_reason(reason)))


def move_deadline(scene: GameContext, turn: TurnRow, new: int, reason: str, *, mailed: bool = True) -> TurnRow:
    """Move a deadline later; the keeper keeps the key as long, or longer if more time was left by its clock when the
    turn was held up. ``mailed``: players get a mail about it. In a paused game the turn is held up still."""
    told = max(turn.closes, effective_close(scene, new))
    closes = keep_until(scene, turn, told, reason)
    new += closes - told
    season = turn.season_opened + new - turn.deadline  # what comes after it keeps its distance
    turn = scene.tx.change(turn, deadline=new, closes=closes, state="open", moves=turn.moves + 1, season_opened=season)
    scene.append_journal("deadline moved", turn=turn, deadline=moment(new).isoformat(), reason=reason)
    for said in scene.tx.all(ReadinessRow, turn=turn.id):  # it was said of the deadline before
        take_back_ready(scene, turn, scene.tx.get(SeatRow, said.seat))
    schedule_turn(scene, turn)
    if scene.row.state == "paused":
        hold_up(scene, turn, "the game is paused")
    if mailed:
        scene.mail("deadline moved", turn, reason=reason, deadline=moment(new).isoformat())
    return turn


def make_room(act: CommandContext, person: int) -> None:
    """Move the present deadlines of a person's games out of the days on which the person is away, as far as each game
    allows; where the orders are in, nobody has to wait. Where not all may know who has sent, a deadline that moved or
    did not would tell it: so it moves whether or not they are."""
    for seat in act.tx.all(SeatRow, person=person):
        game = act.tx.get(GameRow, seat.game, lock=True)
        if game.state != "running":
            continue
        scene = GameContext(act, game)
        turn, most = scene.turn(lock=True), scene.settings.absence_days
        if not most or turn.state != "open" or turn.deadline <= act.at:
            continue
        sent = act.tx.count(SubmissionRow, turn=turn.id, seat=seat.id, counts=True, withdrawn=None)
        if not is_waited_for(scene, seat, turn.awaited.split("\n")) or (sent and chain.shows_senders(scene)):
            continue
        due, furthest = moment(turn.deadline), moment(turn.first_deadline) + timedelta(days=most)
        away = absences_of(act.tx, [person])
        new = after_absences(scene.settings.plan(), due, away, max(0, (furthest - due).days))
        if new > due:
            move_deadline(scene, turn, micros(new), "a player is away")


@query("read", "GET /games/{game}/deadlines", visitor="any")
def history(scene: GameContext) -> list[DeadlineMove]:
    """Return the history of a game's deadlines: each as first set, and each move with its reason."""
    names = {t.id: t.name for t in queries.turn_lines(scene.tx, scene.row.id)}
    rows = scene.tx.all(JournalRow, game=scene.row.id, kind=["turn opened", "deadline moved"])
    moves = []
    for row in rows:
        facts, who = unpack(row.facts), "the office" if row.role in ("clock", "player") else "the coordinator"
        told = {"deadline": datetime.fromisoformat(facts["deadline"]), "reason": facts.get("reason", "")}
        moves.append(record_of(DeadlineMove, row, turn=names.get(row.turn or 0, ""), who=who, **told))
    return moves


COMING = 40  # turns at most


@query("read", "GET /games/{game}/dates", visitor="any")
def coming(scene: GameContext, turns: int = 8, post_days: int | None = None) -> list[DueDate]:
    """Return the coming dates: when the open turn is due, then those that are planned, if all comes as soon as
    may be. ``post_days``: how long a letter is on its way, if not as the reader's orders are. Nothing while no turn
    runs."""
    refuse_days(post_days, "post_days")
    if scene.row.state != "running":
        return []
    row, settings = scene.turn(), scene.settings
    plan = settings.plan()
    in_post = days_in_post.within(scene) if post_days is None else post_days
    dates: list[DueDate] = []
    at, season, turn = moment(row.deadline), moment(row.season_opened), Turn.parse(row.name)

    def date_of(turn: Turn, opens: datetime, due: datetime, *, planned: bool) -> DueDate:
        last = settings.post_by(turn.phase.value, due, in_post)
        post_by = last.isoformat() if last and last >= max(opens, scene.now).date() else None
        return DueDate(turn=str(turn), opens=opens, due=due, post_by=post_by, planned=planned)

    if row.state in ("open", "waiting"):
        dates.append(date_of(turn, moment(row.opened), moment(row.deadline), planned=False))
    if next(planned(plan, scene.rules, turn, at, season))[2] <= scene.now:  # results are late, and so is what follows
        at = scene.now
    further: Iterator[tuple[Turn, datetime, datetime]] = islice(
        planned(plan, scene.rules, turn, at, season), 2 * COMING
    )
    if row.state in ("draft", "final"):  # the results are out, and tell which turn follows
        after = unpack(row.result)["after"]["turn"]
        further = dropwhile(lambda line: str(line[0]) != after, further)
    for following, opens, due in islice(further, max(0, min(turns, COMING))):
        dates.append(date_of(following, opens, due.astimezone(UTC), planned=True))
    return dates[: max(turns, 0)]


def refuse_days(in_post: int | None, name: str = "days_in_post") -> None:
    """Refuse a number of days that no letter takes."""
    if in_post is not None and not 0 <= in_post <= MOST_POST_DAYS:
        raise InvalidInputError(f"A letter takes from 0 to {MOST_POST_DAYS} days.", faults=[f"{name}: out of bounds"])


@query("read", "GET /games/{game}/days-in-post", visitor="any")
def days_in_post(scene: GameContext) -> int:
    """Return how many days the reader's orders are in the post; for who plays none, as the game is set."""
    return days_to_coordinator(scene, scene.seats[scene.own[0]] if scene.own else None)


@query("read", "GET /games/{game}/schedule", visitor="any")
def plan(scene: GameContext) -> Schedule:
    """Return a game's schedule."""
    return scene.settings.plan()
