"""Moderation: reports of people, what administrators decide, and whom somebody blocks.

A report comes with its evidence: who got a letter may show it to the administrators, who read no other. Every decision
has a reason, and is a line of the office's journal. Who is suspended plays on in the games they are in, but joins,
makes and writes nothing."""

from datetime import timedelta
from typing import Literal

from legation.office.clock import micros, moment
from legation.office.context import DAY, CommandContext, GameContext, command, given_note, given_reason, query
from legation.office.desk import letters
from legation.office.desk.tasks import close_about
from legation.office.errors import ConflictError, InvalidInputError, LimitExceededError, NotAllowedError, NotFoundError
from legation.office.identity.personal_data import report_text
from legation.office.keys import seals
from legation.office.permissions import Call
from legation.office.records import Block, PersonsRecord, Report, record_of
from legation.office.store.rows import BlockRow, GameRow, PersonNoteRow, PersonRow, ReportRow, SeatRow
from legation.office.store.transaction import Since
from legation.office.terms.plans import game_key

LONGEST = 4000  # characters
MOST_A_DAY = 10
MOST_BLOCKED = 200
LONGEST_DAYS = 3660
TASK = "report"

Decision = Literal["nothing", "warning", "suspension"]


@command("play", "POST /reports", Call(creates=True, largest=20_000), person="any")
def report(act: CommandContext, text: str, game: str = "", power: str = "", letter: int = 0, person: int = 0) -> Report:
    """Report somebody to the administrators: a power of a game, the sender of a ``letter`` that one got, which is shown
    to them with the report, or a ``person`` by the number of a public profile.

    :raises LimitExceededError: after ten reports in a day."""
    reporter = act.allow()
    if not text.strip() or len(text) > LONGEST or "\x00" in text:
        raise InvalidInputError(f"Say what happened, in 1 to {LONGEST} characters.", faults=["text: empty or too long"])
    if act.tx.count(ReportRow, reporter=reporter, at=Since(act.at - DAY)) >= MOST_A_DAY:
        raise LimitExceededError(f"You’ve made {MOST_A_DAY} reports in a day. Try again tomorrow.")
    row, about, evidence = None, act.office.numbers.row("person", person) if person else None, ""
    if game:
        row, about, evidence = _in_game(act, game, power, letter)
    found = act.tx.find(PersonRow, id=about)
    if found is None or found.id == reporter:
        raise NotFoundError("Nobody plays there now whom you could report.")
    content = seals.lock(act.office.master_key, f"{text.strip()}\x00{evidence}".encode())
    made = act.tx.add(
        ReportRow(reporter=reporter, person=found.id, game=row.id if row else None, content=content, at=act.at)
    )
    act.append_journal("reported", seen_by="office", report=made.id)
    act.add_task(TASK, None, report=act.office.numbers.shown("report", made.id))
    return _report(act, made)


def _in_game(act: CommandContext, game: str, power: str, letter: int) -> tuple[GameRow, int | None, str]:
    """The game that a report is about, the person, and the letter that the reporter shows."""
    row = act.wanted(GameRow, "There is no such game.", key=game_key(game))
    scene = GameContext(act, row)
    if not (scene.settings.listed or scene.own or scene.invited() or scene.runs_it):
        raise NotFoundError("There is no such game.")
    if letter:
        sender, evidence = letters.shown_to_administrators(scene, letter)
        return row, sender, evidence
    return row, scene.seats[scene.power(power)].person if power else None, ""


@query("play", "GET /reports", person="any", administrator="any", console="any")
def reports(act: CommandContext) -> list[Report]:
    """Return reports, the latest first: one's own; an administrator's are all, but those of games that they play in."""
    if not act.administers:
        return [_report(act, row) for row in act.tx.all(ReportRow, reporter=act.person, order="-id", limit=100)]
    return [_report(act, row) for row in act.tx.all(ReportRow, order="-id", limit=200) if not _plays_with(act, row)]


# No route: for the page of the administrators.
@query("coordinate", administrator="any", console="any")
def ask_to_decide(act: CommandContext) -> None:
    """Refuse who decides on no reports."""


@command("coordinate", "POST /reports/{report}/decision", administrator="any", console="any")
def decide(act: CommandContext, report: int, decision: Decision, reason: str, days: int = 0) -> Report:
    """Decide on a report, with a reason: ``nothing``, a ``warning`` or a ``suspension`` for some days. The person is
    mailed a warning or suspension with its reason, the reporter that it was decided.

    :raises NotAllowedError: for a report of somebody with whom one plays, or of oneself."""
    row = act.wanted(ReportRow, "There is no such report.", id=act.office.numbers.row("report", report), lock=True)
    if _plays_with(act, row):
        raise NotAllowedError("You are in this game yourself; another administrator decides.")
    if row.decided is not None:
        raise ConflictError("This report was decided already.")
    told = given_reason(reason, "it is kept, and told to who is warned or suspended")
    person = act.tx.find(PersonRow, id=row.person)
    if decision == "suspension":
        if not 1 <= days <= LONGEST_DAYS:
            raise InvalidInputError(f"Suspend for 1 to {LONGEST_DAYS} days.", faults=["days: too few or too many"])
        if person is not None:
            until = max(person.suspended or 0, micros(act.now + timedelta(days=days)))
            person = act.tx.change(person, suspended=until)
    row = act.tx.change(row, decided=act.at, decision=decision, reason=told, days=days * (decision == "suspension"))
    act.append_journal("report decided", seen_by="office", report=row.id, decision=decision, days=days, reason=told)
    close_about(act, TASK, decision, report=report)
    if person is not None and decision != "nothing":
        until_told = moment(person.suspended).isoformat() if decision == "suspension" and person.suspended else ""
        act.mail(decision, person, reason_given=told, until=until_told)
    reporter = act.tx.find(PersonRow, id=row.reporter)
    if reporter is not None:
        act.mail("report decided", reporter, at=moment(row.at).isoformat())
    return _report(act, row)


@command("coordinate", "DELETE /people/{person}/suspension", administrator="any", console="any")
def lift(act: CommandContext, person: int, reason: str = "") -> None:
    """End somebody's suspension."""
    row = person_by_number(act, person)
    if row.suspended is None or row.suspended <= act.at:
        raise ConflictError(f"{row.name} isn’t suspended.")
    act.tx.change(row, suspended=None)
    act.append_journal("suspension lifted", seen_by="office", about=row.id, reason=given_note(reason))


@command("coordinate", "POST /people/{person}/notes", Call(creates=True), administrator="any", console="any")
def note(act: CommandContext, person: int, text: str) -> PersonsRecord:
    """Add a note on a person, for administrators; the person's own export holds it."""
    row, told = person_by_number(act, person), given_reason(text, "administrators and the person's own export have it")
    act.tx.add(PersonNoteRow(person=row.id, author=act.actor.name, text=told, at=act.at))
    act.append_journal("note on a person", seen_by="office", about=row.id)
    return _record(act, row)


@query("coordinate", "GET /people/{person}/record", administrator="any", console="any")
def record(act: CommandContext, person: int) -> PersonsRecord:
    """Return what administrators know of a person: reports that were decided, notes, a suspension."""
    return _record(act, person_by_number(act, person))


@command("me", "PUT /me/blocks/{person}", person="any")
def block(act: CommandContext, person: int) -> list[Block]:
    """Block somebody, by the number of their profile or of their seat: no invitation of theirs reaches you, they can't
    sign up for games that you host, and no mail tells of their letters where you know who writes."""
    row = person_by_number(act, person)
    if row.id == act.person:
        raise InvalidInputError("You can’t block yourself.", faults=["person: yourself"])
    if act.tx.count(BlockRow, person=act.person) >= MOST_BLOCKED:
        raise LimitExceededError(f"You block {MOST_BLOCKED} people, the most allowed.")
    if act.tx.find(BlockRow, person=act.person, blocked=row.id) is None:
        act.tx.add(BlockRow(person=act.person, blocked=row.id, at=act.at))
    return _blocks(act)


@command("me", "DELETE /me/blocks/{person}", person="any")
def unblock(act: CommandContext, person: int) -> list[Block]:
    """Block somebody no more."""
    act.tx.remove(BlockRow, person=act.person, blocked=act.office.numbers.row("person", person))
    return _blocks(act)


@query("me", "GET /me/blocks", person="any")
def blocks(act: CommandContext) -> list[Block]:
    """Return whom the actor blocks."""
    return _blocks(act)


def _blocks(act: CommandContext) -> list[Block]:
    rows = act.tx.all(BlockRow, person=act.person)
    known = {row.id: row for row in act.tx.all(PersonRow, id=[row.blocked for row in rows])}
    shown = act.office.numbers.shown
    return [Block(person=shown("person", r.blocked), name=known[r.blocked].name, since=moment(r.at)) for r in rows]


def _plays_with(act: CommandContext, row: ReportRow) -> bool:
    """Whether an administrator is in the game that a report is about, or is whom it is about: others decide it."""
    return row.person == act.person or bool(row.game and act.tx.count(SeatRow, game=row.game, person=act.person))


def person_by_number(act: CommandContext, person: int) -> PersonRow:
    """Return a person by the number that pages show; NotFoundError for none."""
    row = act.tx.find(PersonRow, id=act.office.numbers.row("person", person))
    if row is None or row.email is None:
        raise NotFoundError("Nobody has this number.")
    return row


def _report(act: CommandContext, row: ReportRow) -> Report:
    """A report as its reader may see it: the name of whom it is about only for who decides."""
    decides = act.administers and row.reporter != act.actor.person
    text, _, evidence = report_text(act.office, row).partition("\x00")
    person, reporter = (act.tx.find(PersonRow, id=number) for number in (row.person, row.reporter))
    game = act.tx.find(GameRow, id=row.game)
    return record_of(
        Report,
        row,
        id=act.office.numbers.shown("report", row.id),
        game=game.key if game else "",
        text=text,
        evidence=evidence,
        person=act.office.numbers.shown("person", row.person) if decides and row.person else 0,
        name=person.name if decides and person else "",
        reporter=reporter.name if decides and reporter else "",
        **({} if decides else {"decision": "", "reason": "", "days": 0}),
    )


def _record(act: CommandContext, row: PersonRow) -> PersonsRecord:
    listed = act.tx.all(ReportRow, person=row.id, order="-id")
    suspended = row.suspended if row.suspended is not None and row.suspended > act.at else None
    return PersonsRecord(
        person=act.office.numbers.shown("person", row.id),
        name=row.name,
        suspended=moment(suspended) if suspended is not None else None,
        reports=tuple(_report(act, one) for one in listed if one.decided is not None and not _plays_with(act, one)),
        notes=tuple(f"{moment(n.at):%Y-%m-%d} {n.author}: {n.text}" for n in act.tx.all(PersonNoteRow, person=row.id)),
    )
