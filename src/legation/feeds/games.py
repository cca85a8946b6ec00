"""Feeds of the office's games, each with what its reader may see."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from legation.feeds.calendars import Due, DueState, calendar
from legation.feeds.results import Published, results_feed
from legation.office.context import Actor
from legation.office.game import journal
from legation.office.game.orders_ahead import turn_key
from legation.office.hosting import absences, deadlines, games
from legation.office.office import Office
from legation.office.records import Entry, GameRecord, TurnRecord
from legation.office.terms.plans import settings_of
from legation.position import Phase, Turn

_ORDERED = {Phase.RETREATS: "retreat", Phase.ADJUSTMENTS: "adjustment"}
"""What the orders of a phase are called, where not by its name."""
PLANNED = 4  # turns beyond the present one
LATEST = 60  # turns of a game that a calendar goes back
RESULTS = 20  # in a feed of results, and as many lines of other news
NEWS = (
    *("game started", "game paused", "game resumed", "game cancelled", "game ended", "game leaves", "game left"),
    *("deadline moved", "draft taken back", "vote begun", "vote carried", "voted out", "replacement wanted"),
)
"""Lines of the journal that a feed tells besides results."""
MOVES = ("deadline moved", "game paused", "game resumed", "game cancelled", "game ended")  # what changes a calendar


def game_calendar(office: Office, actor: Actor, game: str, post_days: int | None = None) -> bytes:
    """Return the calendar of a game: its deadlines as the reader may see them, planned ones too, and days to post by.
    Raises OfficeError for a game that is unknown or not for this reader."""
    record = games.game(office, actor, game)
    about = f"Deadlines of {record.name} ({record.title}); times are those of {settings_of(record).plan().zone}."
    dues = list(_dues(office, actor, record, post_days))
    return calendar(record.name, _host(office), dues, now=office.clock.now(), description=about)


def personal_calendar(office: Office, actor: Actor, post_days: int | None = None) -> bytes:
    """Return the calendar of a person: the deadlines of all games they play or run, and their absences."""
    dues: list[Due] = []
    for line in games.list_games(office, actor, mine=True, limit=200):
        if line.state in ("running", "paused", "cancelled"):
            dues += _dues(office, actor, games.game(office, actor, line.key), post_days)
    away = absences.absences(office, actor)
    name = f"{office.settings.name}: my games"
    return calendar(name, _host(office), dues, away, now=office.clock.now(), description="Deadlines and absences")


def game_results(office: Office, actor: Actor, game: str) -> bytes:
    """Return the published results of a game as an Atom feed, with its votes, pauses and moved deadlines. Raises
    OfficeError for a game that is unknown or not for this reader."""
    record = games.game(office, actor, game)
    url = office.link(f"/games/{record.key}")
    entries = journal.entries(office, actor, record.key, limit=1000, kinds=("judged",))
    results = []
    for turn in games.turns(office, actor, record.key)[-RESULTS:]:
        if turn.state not in ("draft", "final"):
            continue
        result = games.result(office, actor, record.key, turn.number)
        judged = [e.at for e in entries if e.turn == turn.name]
        results.append(
            Published(
                key=turn.key,
                title=f"{record.name}: {turn.name}" + (" (draft)" if result.state == "draft" else ""),
                published=min([result.published, *judged]),
                updated=result.published,
                report=result.report,
                url=f"{url}/{turn.key}",
            )
        )
    return results_feed(
        f"{record.name}: results and news",
        url,
        [*results, *_news(office, actor, record, url)],
        url=url,
        feed_url=f"{url}/results.atom",
        author=office.settings.name,
        began=record.started or record.created,
    )


def _news(office: Office, actor: Actor, record: GameRecord, url: str) -> Iterator[Published]:
    """What happened between the results, a line of the journal each, as the reader may see it."""
    for entry in journal.entries(office, actor, record.key, limit=RESULTS, kinds=NEWS, newest=True):
        yield Published(
            key=f"{entry.kind.replace(' ', '-')}-{entry.at:%Y%m%dT%H%M%S%f}",
            title=f"{record.name}: {entry.text}",
            published=entry.at,
            updated=entry.at,
            report=entry.text,
            url=url,
        )


def _host(office: Office) -> str:
    return urlsplit(office.settings.address).hostname or "localhost"


def _dues(office: Office, actor: Actor, record: GameRecord, post_days: int | None) -> Iterator[Due]:
    """All deadlines of a game: those that were and the present one, then those that are planned."""
    turns = games.turns(office, actor, record.key)
    entries = journal.entries(office, actor, record.key, limit=1000, kinds=MOVES)
    url = office.link(f"/games/{record.key}")
    settings = settings_of(record)
    zone = settings.plan().zone
    if post_days is None:
        post_days = deadlines.days_in_post(office, actor, record.key)

    def due(turn: Turn, opened: datetime, at: datetime, state: DueState = "planned", **told: Any) -> Due:
        post_by = settings.post_by(turn.phase.value, at, post_days)
        return Due(
            key=f"{record.key}-{turn_key(str(turn))}",
            game=record.name,
            what=f"{turn.name} {_ORDERED.get(turn.phase, turn.phase.value.lower())} orders",
            at=at,
            zone=zone,
            state=state,
            powers=record.powers,
            url=url,
            post_by=post_by if post_by is not None and post_by >= opened.date() else None,
            **told,
        )

    for turn in turns[-LATEST:]:
        changes = [e for e in entries if turn.published is None or e.at <= turn.published]
        own = [e for e in changes if e.turn == turn.name or turn.published is None]
        changed = max([turn.opened, *(e.at for e in own)])
        state, note = _state(record, turn, own)
        told: dict[str, Any] = {"changed": changed, "revision": len(changes) + turn.number, "note": note}
        yield due(Turn.parse(turn.name), turn.opened, turn.deadline, state, **told)
    if turns:
        changed = max([turns[-1].opened, *(e.at for e in entries)])
        told = {"changed": changed, "revision": len(entries) + turns[-1].number}
        for ahead in deadlines.coming(office, actor, record.key, PLANNED + 1):
            if ahead.planned:
                yield due(Turn.parse(ahead.turn), ahead.opens, ahead.due, **told)


def _state(record: GameRecord, turn: TurnRecord, entries: Sequence[Entry]) -> tuple[DueState, str]:
    """Whether a deadline holds, and what is to be said of it."""
    if turn.published is None and record.state == "cancelled":
        return "cancelled", "The game was cancelled."
    if turn.published is None and record.state == "paused":
        return "cancelled", f"The game is paused: {record.paused}. A new deadline is set when it goes on."
    moves = [e for e in entries if e.kind == "deadline moved"]
    return "due", f"Moved: {moves[-1].facts.get('reason', '')}" if moves else ""
