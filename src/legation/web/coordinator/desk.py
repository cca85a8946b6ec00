"""The desk: what waits for whoever runs games, the next due first; one game's strip, senders, deadline and acts.

Before a deadline nothing here says more than that something came, at what time, and by which way."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
from fastapi import Request
from starlette.responses import Response

from legation.bots import levels
from legation.game.report import count
from legation.office.context import Actor
from legation.office.desk import desk
from legation.office.errors import InvalidInputError
from legation.office.game import journal, processing, seats
from legation.office.hosting import deadlines, games, roster, votes
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.records import DeskItem, GameRecord, GameSummary, SeatRecord, SubmissionRecord
from legation.office.terms import schedules
from legation.office.terms.plans import GameSettings, settings_of
from legation.position import Turn
from legation.scoring import SYSTEMS
from legation.web.play.new_game import sent_settings
from legation.web.public.maps import known_to, pictures
from legation.web.serving.forms import Forms, SentForm, add_forms, of, whole_number
from legation.web.serving.pages import PageError, PageRouter, ReadingRoute, page
from legation.web.serving.sessions import office_of, person_of

router = PageRouter(route_class=ReadingRoute)

RUNS = frozenset(["coordinator", "host"])
LATEST = 8  # lines of the journal on a game's desk
WAYS = {
    "api": "by program",
    "web": "by page",
    "mail": "by e-mail",
    "post": "by post",
    "console": "at the terminal",
    "ahead": "in advance",
    "bot": "by bot",
    "desk": "at the desk",
}
"""How a version of orders came."""


class Waiting(msgspec.Struct, frozen=True):
    """A row of the desk: what is needed, in words, where it is done, by when, and since when it waits."""

    text: str
    address: str
    due: datetime | None
    since: datetime | None
    game: str
    kind: str


@router.get("/desk")
def whole_desk(request: Request) -> Response:
    """Show the deadlines and open items of all games that the reader runs."""
    office, actor = office_of(request), person_of(request)
    mark = journal.mark(office)
    mine = games.list_games(office, actor, mine=True, limit=200)
    order = ("running", "paused", "gathering", "ended", "cancelled", "moved")
    lines = sorted((g for g in mine if RUNS & set(g.roles)), key=lambda g: (order.index(g.state), g.key))
    lent = [g for g in mine if "deputy" in g.roles and g.state in order[:3]]  # whose sheets are read a second time
    rows = waiting(mine, desk.items(office, actor))
    coming = [line for line in lines if line.deadline is not None and line.deadline > office.clock.now()]
    return page(
        request,
        "desk/desk.html",
        rows=rows,
        coming=sorted(coming, key=lambda line: (line.deadline, line.key)),
        senders={line.key: senders_in_words(games.game(office, actor, line.key)) for line in coming},
        lines=lines,
        lent=lent,
        mark=mark,
        picture_of=pictures(known_to(request)),
    )


def senders_in_words(game: GameRecord) -> str:
    """Return the number of powers that have sent orders, in words: ``7 of 10 have sent, 4 are ready``."""
    known = [seat for seat in game.seats if seat.sent is not None]
    if not known:
        return ""
    ready = sum(bool(seat.ready) for seat in known)
    sent, all_known = sum(bool(seat.sent) for seat in known), len(known)
    told = f"{sent} of {all_known} have sent"
    return f"{told}, {ready} ready" if ready else told


# What waits, in words


def waiting(listed: Sequence[GameSummary | GameRecord], items: Sequence[DeskItem]) -> list[Waiting]:
    """The rows of a desk with these games, the next due first; sheets that are to be read are one row a turn."""
    known = {game.key: game for game in listed}
    rows: dict[tuple[str, str, str, object], list[DeskItem]] = {}
    for item in items:
        together = item.kind in ("transcribe", "confirm")
        rows.setdefault((item.game, item.turn, item.kind, None if together else item.id), []).append(item)
    told = [_row(known.get(group[0].game), group) for group in rows.values()]
    return sorted(told, key=lambda row: (row.due is None, row.due or row.since))


def _row(game: GameSummary | GameRecord | None, group: list[DeskItem]) -> Waiting:
    first = group[0]
    where = ", ".join(filter(None, [game.name if game else first.game, season_of(first.turn)]))
    words = f"{where}: {first.text}" if where else first.text
    if first.kind == "transcribe":
        words = f"{sheets_in_words(group)} to read for {where}"
    if first.kind == "confirm":
        words = f"{sheets_in_words(group)} to read a second time for {where}"
        if game is None or "deputy" not in game.roles:
            words = f"{where}: {count(len(group), 'sheet')} waiting for the deputy’s reading"
    return Waiting(words, first.page, first.due, first.opened, first.game, first.kind)


def season_of(turn: str) -> str:
    """The season of a turn, as people call it: ``Summer 1643``."""
    return Turn.parse(turn).name if turn else ""


def sheets_in_words(group: Sequence[DeskItem]) -> str:
    """``4 photographs``, ``2 posted sheets and a photograph``."""
    posted = sum(bool(item.facts.get("posted")) for item in group)
    pictures = sum(len(item.facts.get("files", ())) for item in group)
    parts = [count(posted, "posted sheet")] if posted else []
    parts += [count(pictures, "photograph")] if pictures else []
    return " and ".join(parts) or count(len(group), "sheet")


# One game


def game_run(request: Request, game: str) -> GameRecord:
    """A game, for who runs it (PageError: for everybody else)."""
    record = games.game(office_of(request), person_of(request), game)
    if not RUNS & set(record.roles):
        raise PageError(
            403, "Only the coordinator or host can manage this game.", ways=[("The game", f"/games/{record.key}")]
        )
    return record


@router.get("/desk/{game}")
def show(request: Request, game: str) -> Response:
    """Show a game's desk to its coordinator or host."""
    office, actor = office_of(request), person_of(request)
    seen = journal.mark(office)
    record = game_run(request, game)
    coordinated = "desk.item" in record.may
    items = desk.items(office, actor, record.key) if coordinated else []
    settings = settings_of(record)
    zone = ZoneInfo(settings.plan().zone)
    begun = record.turn is not None
    return page(
        request,
        "desk/game.html",
        game=record,
        coordinated=coordinated,
        rows=waiting([record], items),
        senders=senders(office, actor, record) if begun and coordinated else [],
        said=senders_in_words(record),
        postal=settings.is_postal(),
        homeless=coordinated and settings.opening_by_post and roster.orders_address(office, actor, record.key) is None,
        takes_post=begun and record.turn is not None and settings.takes("post", record.turn.name.rpartition(" ")[2]),
        zone=zone.key,
        whole_days=settings.plan().day_ends != "00:00",
        local_deadline=f"{record.turn.deadline.astimezone(zone):%Y-%m-%dT%H:%M}" if record.turn is not None else "",
        plans=[*((name, schedules.find(name).title) for name in schedules.names()), ("other", "custom")],
        own_schedule=_own_schedule(settings),
        schedule_hint=schedules.HOW,
        routes="\n".join(f"{route}: {days}" for route, days in settings.post_routes.items()),
        bots=levels.names(),
        stand_ins=[
            ("", "the seat stays empty"),
            *((name, f"a bot plays until someone takes over: {name}") for name in levels.names()),
        ],
        scoring_systems=[("", "none"), *((system.key, system.name) for system in SYSTEMS.values())],
        questions=votes.standing(office, actor, record.key) if "votes.ask" in record.may else [],
        history=[m for m in deadlines.history(office, actor, record.key) if record.turn and m.turn == record.turn.name],
        latest=journal.entries(office, actor, record.key, limit=LATEST, newest=True),
        sign_ups=seats.sign_ups(office, actor, record.key) if record.state == "gathering" else [],
        invited=invited(office, actor, record),
        live=request.app.state.variant_uploads.map_of(record.variant),
        seen=seen,
    )


def invited(office: Office, actor: Actor, game: GameRecord) -> set[str]:
    """The powers to which somebody was invited in the last month, while a game waits for players."""
    if game.state != "gathering":
        return set()
    since = office.clock.now() - timedelta(days=seats.INVITATION_DAYS)
    lines = journal.entries(office, actor, game.key, kinds=("invited",), newest=True)
    return {line.power or str(line.facts.get("power", "")) for line in lines if line.at > since}


def _own_schedule(settings: GameSettings) -> str:
    """The schedule of a game that plays by none that ships, as it was written; a table, by its title."""
    if isinstance(settings.schedule, str):
        return "" if settings.schedule in schedules.names() else settings.schedule
    return settings.plan().title


class SenderLine(msgspec.Struct, frozen=True):
    """A row in the list of senders: the seat, the last version and the envelope that came, and what is said of them."""

    seat: SeatRecord
    versions: int
    last: SubmissionRecord | None
    envelope: SubmissionRecord | None
    received: str
    awaits_envelope: bool


def senders(office: Office, actor: Actor, record: GameRecord) -> list[SenderLine]:
    """Return what came from whom and when, in the order of the powers; nothing of what it says."""
    came: dict[str, list[SubmissionRecord]] = {}
    for submission in submissions.overview(office, actor, record.key):
        if submission.standing != "withdrawn":
            came.setdefault(submission.power, []).append(submission)
    state = record.turn.state if record.turn else None
    collects = state in ("open", "waiting")
    unseen = record.settings["shows_senders"] == "nobody" and (collects or state == "closed")
    rows = []
    for seat in record.seats:
        own = sorted(came.get(seat.power, []), key=lambda s: s.version)
        posted = [s for s in own if s.kind == "posted"]
        said = _sent_in_words(seat, own, unseen, collects)
        awaits = seat.state == "held" and collects and (unseen or seat.sent is not None)
        rows.append(SenderLine(seat, len(own), own[-1] if own else None, posted[-1] if posted else None, said, awaits))
    return rows


def _sent_in_words(seat: SeatRecord, own: Sequence[SubmissionRecord], unseen: bool, collects: bool) -> str:
    """What follows the time at which the last version came (``by e-mail, 2 versions, ready``), or why none did."""
    if own:
        versions = count(len(own), "version") if len(own) > 1 else ""
        return ", ".join(filter(None, (WAYS.get(own[-1].channel, ""), versions, "ready" if seat.ready else "")))
    if unseen:
        return "not shown"
    if seat.sent is None:
        return "nothing to order" if seat.state in ("held", "bot") else "no player"
    if seat.sent:
        return "received"
    return "not yet" if collects else "nothing"


# Acts


def _until(sent: SentForm) -> datetime:
    """The time to which the deadline moves, as it is written in the zone of the game's schedule."""
    zone = settings_of(game_run(sent.request, sent.game)).plan().zone
    try:
        return datetime.fromisoformat(sent.text("until")).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    except ValueError:
        raise InvalidInputError("Enter the new deadline as a date and time.", faults=["until: not a time"]) from None


def _ask_players(sent: SentForm) -> object:
    kind, _, whom = sent.text("question").partition(" ")
    hours = whole_number(sent.form, "hours") if kind == "extend" else 0
    return votes.ask(sent.office, sent.actor, sent.game, kind, whom, hours, sent.text("reason"))


def _change_settings(sent: SentForm) -> object:
    gathers = "scoring" in sent.form  # its form is longer: it may still be rated or not
    changes = sent_settings(sent.form, ("ready_ends", "listed", "machines", *(["rated"] if gathers else [])))
    if sent.text("schedule") == "other":
        now = settings_of(games.game(sent.office, sent.actor, sent.game))
        if changes["schedule"] == _own_schedule(now):  # a table stays what it is
            del changes["schedule"]
    if "post_routes" in sent.form:
        changes["post_routes"] = _routes(sent.text("post_routes"))
    return games.set_settings(sent.office, sent.actor, sent.game, changes)


def _routes(written: str) -> dict[str, int]:
    """Days by route, from lines as ``France - Spain: 6`` (InvalidInputError: for a line that is none)."""
    routes = {}
    for line in filter(None, map(str.strip, written.splitlines())):
        route, _, days = line.rpartition(":")
        if not route or not (days.strip().isdecimal() and len(days.strip()) < 4):
            raise InvalidInputError(
                "Write each route as France - Spain: 6", faults=[f"post_routes: {line[:60]!r} is no route"]
            )
        routes[" ".join(route.split())] = int(days)
    return routes


COMMANDS: Forms = {
    # an envelope came by post; it stays closed
    "posted": ("posted {power}", of(submissions.register_posted, "power", "note")),
    "extend": ("extend", of(deadlines.extend, _until, "reason")),
    "pause": ("pause", of(games.pause, "reason")),
    "resume": ("resume", of(games.resume, "reason")),
    # without the orders that are missing
    "go-on": ("go on", of(processing.process_now)),
    "start": ("start", of(games.start, "bots")),
    "ask": ("ask", _ask_players),
    "cancel": ("cancel", of(games.cancel, "reason")),
    "settings": ("settings", _change_settings),
}
add_forms(router, "/desk/{game}", COMMANDS, show)
