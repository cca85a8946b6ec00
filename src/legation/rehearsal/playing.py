"""The year of a copied game, played by the office as it plays any: only the clock is moved by hand, what leaves by mail
is kept, bots write what players write, and the coordinator's work at the desk is done as it comes."""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from copy import copy as copy_of
from datetime import date, datetime, time, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import Calendar

from legation.feeds import game_calendar
from legation.mail.mail_service import MailService
from legation.mail.reading import OWN_MARK
from legation.mail.sending import MailTransport
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.errors import ConflictError, OfficeError
from legation.office.hosting import games, roster
from legation.office.office import Office
from legation.office.operation import work
from legation.office.records import DeskItem, GameRecord, TurnRecord
from legation.office.terms.plans import settings_of
from legation.position import Phase
from legation.print.enclosures import enclosures
from legation.rehearsal.coordinating import Coordinator
from legation.rehearsal.copying import GameCopy, copy_game
from legation.rehearsal.players import Players
from legation.rehearsal.records import Happening, Paper, Rehearsed, Sort

LONGEST = timedelta(days=800)
AT_THE_DESK = timedelta(hours=3)  # from when something lies there until it is done
MOST_STEPS = 200  # from the deadline of a turn to the next turn
BEFORE = "Before the first turn"
COPY = "legation-rehearsal-"  # with which the name of the copy's folder begins


def rehearse(
    office: Office, actor: Actor, game: str, told: Callable[[str], None] = lambda turn: None, within: Path | None = None
) -> Rehearsed:
    """Play a game to the end of its year, in a copy that is gone when this ends; ``told`` is called with each turn that
    begins. The copy lies ``within`` a folder, or among the system's temporary files. The game itself is only read, and
    no mail leaves. Raises NotAllowedError for who does not run the game, and ConflictError for a game that is over or
    has no coordinator, or whose turn does not end."""
    with tempfile.TemporaryDirectory(prefix=COPY, dir=within) as folder:
        copy = copy_game(office, actor, game, Path(folder) / "office")
        try:
            return _Year(copy, told).play()
        finally:
            copy.office.close()


class _Kept(MailTransport):
    """A transport that gives what is sent to a function."""

    def __init__(self, keep: Callable[[EmailMessage, str], None]) -> None:
        self.keep = keep

    def send(self, message: EmailMessage, sender: str, recipient: str) -> None:
        self.keep(message, recipient)

    def close(self) -> None:
        """No-op: there is no connection."""


class _Year:
    def __init__(self, copy: GameCopy, told: Callable[[str], None]) -> None:
        self.copy = copy
        self.office = copy.office
        self.clock: SimulatedClock = copy.clock
        self.told = told
        self.mail = MailService(copy.office, _Kept(self._note_mail), papers=enclosures)
        self.players = Players(copy, self.mail)
        self.coordinator = Coordinator(copy, self.players)
        self.happenings: list[Happening] = []
        self.seen: set[int] = set()  # items of the desk
        self.delayed: set[int] = set()  # those that could not be done at once
        self.name = BEFORE  # of the turn that goes on

    def play(self) -> Rehearsed:
        """Play until a year's adjustments are final and the next turn is open, or the game is over."""
        began = self.clock.now()
        self._settle()
        if self._turn() is not None:  # a game that goes on: what its players got is about the copy being made
            self.happenings.clear()
        for _ in range(MOST_STEPS):
            if self._turn() is not None:
                break
            self._go_on()
        self._note_papers(self.coordinator.to_post("maps"))
        first, ends = self._turn(), self.clock.now() + LONGEST
        turn = first
        while turn is not None and first is not None and self.clock.now() < ends:
            if turn.number > first.number and Phase.ADJUSTMENTS.value in self.name and turn.state == "open":
                break
            self._play_turn(turn)
            turn = self._turn()
        self._note_papers(self.coordinator.to_post("letter"))
        return self._rehearsed(began)

    # What there is

    def _game(self) -> GameRecord:
        return games.game(self.office, self.copy.coordinator, self.copy.key)

    def _turn(self) -> TurnRecord | None:
        """The turn that goes on; None before the start, and when the game is over."""
        record = self._game()
        return record.turn if record.state in ("running", "paused") else None

    # Time

    def _settle(self) -> None:
        """Do all that is due, send all mail, and look at the desk."""
        while work.run_due(self.office) + self.mail.take_released() + self.mail.send_waiting():
            pass
        for item in self.coordinator.items():
            if item.id not in self.seen:
                self.seen.add(item.id)
                self._note("desk", item.text, text=item.otherwise, kind=item.kind)

    def _until(self, moment: datetime) -> None:
        """Let time go by, with work done when it falls due."""
        while (due := work.next_due(self.office)) is not None and due <= moment:
            self.clock.set(max(due, self.clock.now()))
            self._settle()
        self.clock.set(max(moment, self.clock.now()))
        self._settle()

    def _go_on(self) -> None:
        """Do what lies on the desk, once it has lain there for a while; or wait for what is due next."""
        if self.coordinator.items():
            self._until(self.clock.now() + AT_THE_DESK)
        done = [self._close(item) for item in self.coordinator.items()]
        if not any(done):
            self._until(work.next_due(self.office) or self.clock.now() + timedelta(days=1))
        self._settle()

    def _close(self, item: DeskItem) -> bool:
        """Do what an item of the desk asks for; False where that cannot be done now, which is told once."""
        try:
            self.coordinator.close(item.id)
        except OfficeError as error:
            if item.id not in self.delayed:
                self.delayed.add(item.id)
                self._note("act", f"{item.text} {error.message}")
            return False
        return True

    def _play_turn(self, turn: TurnRecord) -> None:
        """Have the players send their orders for a turn, and wait until another turn is open."""
        self.name = turn.name
        self.told(turn.name)
        if turn.state in ("open", "waiting"):
            for sending in self.players.sendings(self._game()):
                self._until(sending.at)
                self._note("letter", sending.words, who=sending.who, text=sending.subject)
                sending.send()
                self._settle()
            self._until(turn.deadline)
        for _ in range(MOST_STEPS):
            now = self._turn()
            if now is None or (now.number > turn.number and now.state in ("open", "waiting")):
                return
            self._go_on()
        raise ConflictError(f"{turn.name} does not end. Look at the desk of the game, and rehearse it again.")

    # What came

    def _note(self, sort: Sort, title: str, **more: Any) -> None:
        self.happenings.append(Happening(at=self.clock.now(), turn=self.name, sort=sort, title=title, **more))

    def _note_mail(self, message: EmailMessage, recipient: str) -> None:
        papers = tuple(
            Paper(str(part.get_filename()), part.get_content())
            for part in message.iter_attachments()
            if part.get_content_type() == "application/pdf"
        )
        kind, bare = str(message[OWN_MARK]), _without_papers(message)
        lines = roster.roster(self.office, Actor.console(), self.copy.key)
        who = next((line.power for line in lines if line.email == recipient), "") or "Coordinator"
        self._note("mail", str(message["Subject"]), who=who, kind=kind, message=bare, papers=papers)

    def _note_papers(self, printed: Iterable[Paper]) -> None:
        for paper in printed:
            self._note("paper", paper.name, who="Coordinator", papers=(paper,))

    def _rehearsed(self, began: datetime) -> Rehearsed:
        record = self._game()
        zone = settings_of(record).plan().zone
        calendar = game_calendar(self.office, self.copy.coordinator, self.copy.key)
        lines = roster.roster(self.office, Actor.console(), self.copy.key)
        return Rehearsed(
            name=record.name,
            key=record.key,
            variant=record.title,
            began=began,
            ended=self.clock.now(),
            zone=zone,
            players={line.power: line.name for line in lines},
            happenings=tuple(self.happenings),
            lacking=tuple(self.coordinator.lacking()),
            dates=tuple(d for d in _dates(calendar, ZoneInfo(zone)) if d.at >= began),
            calendar=calendar,
        )


def _without_papers(message: EmailMessage) -> EmailMessage:
    """A mail without its PDF files, which are kept once."""
    if message.get_content_type() != "multipart/mixed":
        return message
    bare = copy_of(message)
    bare.set_payload([part for part in message.iter_parts() if part.get_content_type() != "application/pdf"])
    return bare


def _dates(calendar: bytes, zone: ZoneInfo) -> Iterator[Happening]:
    """The entries of a calendar; those of a day, as of its beginning."""
    for event in Calendar.from_ical(calendar).walk("VEVENT"):
        at: datetime | date = event.decoded("DTSTART")
        whole = not isinstance(at, datetime)
        moment = at if isinstance(at, datetime) else datetime.combine(at, time(), zone)
        text = str(event.get("DESCRIPTION", "")) or ("All day." if whole else "")
        yield Happening(at=moment, turn="", sort="date", title=str(event["SUMMARY"]), text=text)
