"""Absences: days on which a person is away. If a game allows for it, no deadline falls into one."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from legation.judge import Ruleset
from legation.office.context import CommandContext, GameContext, command, given_note, query
from legation.office.errors import InvalidInputError, LimitExceededError, NotFoundError
from legation.office.hosting.deadlines import coming, make_room
from legation.office.permissions import CREATES
from legation.office.records import AbsenceRecord, Lending, record_of
from legation.office.store.rows import AbsenceRow, GameRow, SeatRow
from legation.office.terms.schedules import calendar_day
from legation.position import Phase, Turn

LONGEST = timedelta(days=366)
MOST = 50  # of one person that are not over
LOOKED_AHEAD = 12  # turns of a game in which units may be lent


@command("me", "POST /me/absences", CREATES, person="any")
def announce(act: CommandContext, first: str, last: str, note: str = "") -> AbsenceRecord:
    """Announce an absence, from one day to another (ISO dates, both included). Where orders are still awaited from who
    tells, the present deadline moves as well."""
    begin, end = read_day(first, "first"), read_day(last, "last")
    if end < begin or end - begin > LONGEST:
        raise InvalidInputError(
            "An absence must end after it begins, within a year.", faults=["last: not before first, within a year"]
        )
    coming = [row for row in act.tx.all(AbsenceRow, person=act.person) if row.last >= act.now.date().isoformat()]
    if len(coming) >= MOST:
        raise LimitExceededError(f"You have {MOST} absences already. Remove one first.")
    told, begins, ends = given_note(note), begin.isoformat(), end.isoformat()
    row = act.tx.add(AbsenceRow(person=act.person, first=begins, last=ends, note=told, made=act.at))
    make_room(act, act.person)
    return _record(act, row)


@command("me", "DELETE /me/absences/{absence}", person="any")
def take_back(act: CommandContext, absence: int) -> None:
    """Cancel an absence."""
    if not act.tx.remove(AbsenceRow, id=act.office.numbers.row("absence", absence), person=act.person):
        raise NotFoundError("This absence doesn't exist.")


@query("read", "GET /me/absences", guest="any", person="any")
def absences(act: CommandContext) -> list[AbsenceRecord]:
    """Return the actor's absences, past and future."""
    return [_record(act, row) for row in act.tx.all(AbsenceRow, order="first", person=act.person)]


@query("read", "GET /me/lendings", guest="any", person="any")
def lendings(act: CommandContext) -> list[Lending]:
    """Return the movements whose orders are due while the actor is away, in games in which an ally may order the
    actor's units meanwhile."""
    person, today = act.person, act.now.date().isoformat()
    away = [row for row in act.tx.all(AbsenceRow, person=person, order="first") if row.last >= today]
    found: list[Lending] = []
    for seat in act.tx.all(SeatRow, person=person) if away else ():
        game = act.tx.get(GameRow, seat.game)
        if game.state == "running" and seat.survives:
            found += _lendings(GameContext(act, game), seat.power, away)
    return sorted(found, key=lambda lending: lending.due)


def lending_order(rules: Ruleset) -> str:
    """Return how one writes that another power may order all of one's units; empty where no rule lets it."""
    papers = (kind.paper for rule in rules.modules for kind in rule.orders)
    return next((paper.lends for paper in papers if paper is not None and paper.lends), "")


def _lendings(scene: GameContext, power: str, away: Sequence[AbsenceRow]) -> Iterable[Lending]:
    order, plan = lending_order(scene.rules), scene.settings.plan()
    for date_due in coming.within(scene, LOOKED_AHEAD) if order else ():
        day = calendar_day(plan, date_due.due - timedelta(microseconds=1)).isoformat()
        absence = next((row for row in away if row.first <= day <= row.last), None)
        if absence is not None and Turn.parse(date_due.turn).phase is Phase.MOVEMENT:
            allies = tuple(s.power for s in scene.seats.values() if s.survives and s.power != power)
            told = {"game": scene.row.key, "name": scene.row.name, "turn": date_due.turn, "due": date_due.due}
            yield record_of(Lending, absence, power=power, order=order, allies=allies, **told)


def read_day(text: str, field: str) -> date:
    """A day as ``2026-11-21``. Raises InvalidInputError if it is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidInputError(f"{text[:40]!r} isn't a day.", faults=[f"{field}: write a day as 2026-11-21"]) from None


def _record(act: CommandContext, row: AbsenceRow) -> AbsenceRecord:
    return record_of(AbsenceRecord, row, id=act.office.numbers.shown("absence", row.id))
