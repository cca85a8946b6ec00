"""A mail from a known sender while it is handled: its seat, game and turn, and the answer so far."""

import hashlib
import itertools
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property
from typing import Concatenate, ParamSpec, TypeVar

import msgspec

from legation.mail.commands import SignOn
from legation.mail.content import Block, Content, Enclosure, Facts, Paragraph, listing
from legation.mail.reading import ParsedMail
from legation.mail.subjects import GameNames, MailSubject, fold, read_subject
from legation.mail.wording import deadline_in_words, moment_in_words, zone_of
from legation.mail.words import told
from legation.office.context import Actor
from legation.office.desk.mailroom import MailSender, SeatRef, present_turn
from legation.office.errors import NotFoundError, OfficeError
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.permissions import ALIVE
from legation.office.records import GameRecord, GameSummary, SubmissionRecord, TurnRecord
from legation.position import Phase, Turn, TurnTextError
from legation.proofs.receipts import read_receipt, receipt_text

P = ParamSpec("P")
T = TypeVar("T")

YEARS = 100  # a game does not last longer


class Answer(msgspec.Struct):
    """The answer to a mail while it is written: blocks, what was noted, and the seat that it is about."""

    seat: SeatRef | None = None
    turn: str = ""
    headline: str = ""
    blocks: list[Block] = []
    notes: list[str] = []
    enclosures: list[Enclosure] = []
    lent: list[tuple[str, str, str]] = []  # game, power and turn of each sheet for an ally's orders that goes with it

    def content(self, subject: str) -> Content:
        """Return the answer as a mail."""
        blocks = [*self.blocks, *listing("Noted", self.notes)] or [Paragraph(told("nothing found"))]
        return Content(subject, self.headline or "Your mail", tuple(blocks), enclosures=tuple(self.enclosures))


class IncomingMail:
    """A mail from a known sender, and the answer to it."""

    def __init__(self, office: Office, mail: ParsedMail, sender: MailSender, received: datetime) -> None:
        self.office = office
        self.parsed = mail
        assert sender.person is not None
        self.actor = people.as_person(office, sender.person).by("mail", received)
        self.held = sender.seats
        self.seat = seat = sender.seat
        self.reach = sender.reach
        self.received = received
        self.turn: TurnRecord  # the one that is open for the seat, once that was chosen
        self.answer = Answer(seat=seat)
        own = mail.message_id.encode()  # the sender's part in the lots, which counts once; none without a Message-ID
        self.nonce = hashlib.sha256(own).hexdigest() if own else ""
        self.about: tuple[str, int | None, Phase | None] | None = None  # the turn of the mail that is answered

    @property
    def own_seat(self) -> SeatRef:
        """The seat that the mail is for, once it was chosen."""
        assert self.seat is not None
        return self.seat

    @cached_property
    def zone(self) -> str:
        """The time zone that the sender reads in."""
        return zone_of(self.office, self.actor)

    def game(self, key: str) -> GameRecord:
        """A game as the sender sees it."""
        return games.game(self.office, self.actor, key)

    # Which seat and turn

    def choose_seat(self, subject: MailSubject) -> bool:
        """Settle which of the sender's seats is meant; ask where that is not certain."""
        signed = next((c for c in self.parsed.request.commands if isinstance(c, SignOn)), None)
        self.answer.notes += [f"In the subject {guess}." for guess in subject.guessed]
        candidates = [
            held
            for held in ([self.seat] if self.seat is not None else self.held)
            if (signed is None or signs_on(signed, held))
            and subject.game in ("", held.game)
            and subject.power in ("", held.power)
        ]
        if len(candidates) == 1:
            self.seat = self.answer.seat = candidates[0]
            try:
                self.turn = present_turn(self.office, candidates[0])
            except NotFoundError as error:
                self.refuse(str(error))
                return False
            return True
        text = "You have several seats. Say which one you mean."
        if not self.held:
            text = "You have no seat in a running game. To join one, answer JOIN and its name."
        elif not candidates and self.seat is not None:
            what = "SIGNON" if signed is not None and not signs_on(signed, self.seat) else "The subject"
            text = f"{what} names a different seat from the address you wrote to, {seat_in_words(self.seat)}."
        elif not candidates:
            text = "You don't play the seat that this mail names."
        self.refuse(text, [seat_in_words(h) for h in self.held])
        return False

    def fits(self, subject: MailSubject) -> bool:
        """Whether the turn that the subject names, if any, is the one that is open."""
        self.answer.turn = self.turn.name
        now = Turn.parse(self.turn.name)
        if self._late(self.turn, now):
            return False
        phase = subject.phase or now.phase
        if {phase, now.phase} == {Phase.ADJUSTMENTS, Phase.PLACEMENT}:  # both are called builds
            phase = now.phase
        season, year = subject.season or now.season, subject.year or now.year
        same_season = now.season in (season, subject.or_season) and year == now.year
        ahead = not self.parsed.attachments and now.phase is Phase.MOVEMENT  # under their own headings
        if same_season and (phase is now.phase or ahead):
            return True
        seasons = " or ".join(filter(None, (season, subject.or_season)))
        named = f"{seasons} {year} {phase.value}".strip()
        self.refuse(told("another turn", named=named, game=self.own_seat.name, turn=self.turn.name))
        return False

    def _late(self, turn: TurnRecord, now: Turn) -> bool:
        """Refuse what was meant for a turn that is over: a mail that came before this turn began, or that answers one
        about the orders of another turn. It never counts for the next."""
        season, year, phase = self.about or ("", None, None)
        other = year is not None and (season, year, phase) != (now.season, now.year, now.phase)
        if self.received >= turn.opened and not other:
            return False
        came = moment_in_words(self.received, self.zone)
        turns = games.turns(self.office, self.actor, self.own_seat.game)
        if other:
            name = f"{season} {year} {phase.value if phase else ''}".strip()
            text = f"You answered a mail about the orders for {name}; it came on {came}, when that turn was over."
            meant = [t for t in turns if t.name == name][-1:]
        else:
            text = f"Your mail came on {came}, before {turn.name} began, so it was meant for the turn before."
            meant = [t for t in turns if t.opened <= self.received][-1:]
        self.refuse(f"{text} Nothing was entered.")
        for then in meant:
            counted = self.counting(then.key)
            what = "none of your orders" if counted is None else f"your version {counted.version}"
            self.say(f"In {then.name} {what} counted.")
        due = deadline_in_words(self.office, self.zone, turn.deadline)
        was_due = [("Was due", moment_in_words(then.deadline, self.zone)) for then in meant]
        self.answer.blocks.append(Facts((("Came", came), *was_due, ("Now open", turn.name), ("Due", due))))
        self.say(f"{self.what_counts()} To order for {turn.name}, write a new mail.")
        return True

    def what_counts(self) -> str:
        """Which version is the last of what the seat has sent for the open turn, in a sentence. Before the deadline
        only its receipt says whether anything in it was understood."""
        counting = self.counting()
        if counting is None:
            return f"You have sent nothing for {self.turn.name}."
        return f"For {self.turn.name} your last version is {counting.version}; its receipt says what counts."

    def counting(self, turn: str = "now") -> SubmissionRecord | None:
        """The version that counts of what a seat has sent for a turn, the open one if none is named."""
        sent = submissions.mine(self.office, self.actor, self.own_seat.game, self.own_seat.power, turn)
        return next((s for s in reversed(sent) if s.standing in ("counts", "asks")), None)

    # Which game, where it is not a seat's

    def run_by_sender(self) -> list[GameNames]:
        """The games that go on which the sender coordinates."""
        return self._mine(lambda line: line.state in ALIVE and "coordinator" in line.roles)

    def gathering(self) -> list[GameNames]:
        """The games that gather players which the sender has signed up for or made."""
        return self._mine(lambda line: line.state == "gathering")

    def _mine(self, fits: Callable[[GameSummary], bool] = lambda line: True) -> list[GameNames]:
        mine = games.list_games(self.office, self.actor, mine=True, limit=200)
        return [GameNames(line.key, line.name) for line in mine if fits(line)]

    def one_of(self, known: list[GameNames], otherwise: str) -> str:
        """The one of these games that is meant: the subject names it, or names none and there is no other. Empty where
        it is not certain, which is told."""
        named = read_subject(self.parsed.subject, self._mine()).game
        meant = [game.key for game in known if named in ("", game.key)]
        if len(meant) == 1:
            return meant[0]
        self.say(f"Name the game in the subject: {', '.join(g.name for g in known)}." if meant else f"{otherwise}.")
        return ""

    # What is said

    def say(self, text: str) -> None:
        """Add a paragraph to the answer."""
        self.answer.blocks.append(Paragraph(text))

    def tell(self, name: str, **facts: object) -> None:
        """Add a paragraph of the table to the answer."""
        self.say(told(name, **facts))

    def refuse(self, text: str, choices: Sequence[str] = ()) -> None:
        """Answer that nothing was entered, and why; ``choices``: the seats that may be meant."""
        self.answer.headline = "Nothing was entered"
        self.answer.blocks.append(Paragraph(text, strong=True))
        self.answer.blocks += listing("Your seats", choices)

    def attempt(
        self, command: Callable[Concatenate[Office, Actor, P], T], *args: P.args, **options: P.kwargs
    ) -> T | None:
        """Carry out a command of the office for the sender; a refusal is told in its own words."""
        try:
            return command(self.office, self.actor, *args, **options)
        except OfficeError as error:
            if error.status == 503:
                raise
            self.answer.blocks.append(Paragraph(error.message, strong=True))
            if error.proof:
                text = receipt_text(read_receipt(error.proof))
                self.answer.enclosures.append(Enclosure("refusal.txt", "text/plain", text.encode()))
            if error.suggestions:
                self.answer.blocks.append(Facts((("Did you mean", ", ".join(error.suggestions)),)))
            return None

    def did(self, command: Callable[Concatenate[Office, Actor, P], object], *args: P.args, **options: P.kwargs) -> bool:
        """Carry out a command that answers nothing; whether it was done."""
        return self.attempt(lambda office, actor: [command(office, actor, *args, **options)]) is not None


def turn_named(text: str, game: GameNames) -> str:
    """A turn that was named as ``F1901M`` or in words, or a phase of the present season; empty for anything else."""
    subject = read_subject(text, [game])
    if subject.season and subject.year and subject.phase:
        return f"{subject.season} {subject.year} {subject.phase.value}"
    try:
        return str(Turn.parse(text))
    except TurnTextError:
        alone = subject.phase if not (subject.season or subject.year) else None
        return alone.value if alone else ""


def is_power(power: str, said: str) -> bool:
    """Whether a power is meant by its name or by its beginning, as the Judge has it (``E@blitz``)."""
    return bool(said) and _fold(power).startswith(_fold(said))


def signs_on(signed: SignOn, seat: SeatRef) -> bool:
    """Whether a seat is meant by ``SIGNON power@game``, or as the Judge has it (``SIGNON Pgame``); a password behind
    the game is passed over."""
    games = {_fold(seat.game), _fold(seat.name)}
    game = _fold(signed.game)
    if not signed.seat:
        return any(game.endswith(name) and is_power(seat.power, game.removesuffix(name)) for name in games)
    return is_power(seat.power, signed.seat) and bool(games & {game, game.rpartition(" ")[0]})


def _fold(text: str) -> str:
    return fold(text).replace("-", " ")


def seat_in_words(held: SeatRef) -> str:
    """Return a seat as a sentence names it."""
    return f"{held.power} in {held.name}"


def seat_names(office: Office, held: SeatRef) -> GameNames:
    """Return what may be named in a subject of a game."""
    rules = office.variants.load(held.variant)
    aliases = [
        (alias, power.name)
        for power in rules.powers.values()
        for alias in filter(None, (*power.aliases, power.adjective, *dict(power.names).values()))
    ]
    first = rules.first_turn()
    turns = itertools.accumulate(range(24), lambda turn, _: rules.next_turn(turn), initial=first)
    seasons = sorted({turn.season for turn in turns} - {""})
    years = (first.year, first.year + YEARS)
    return GameNames(held.game, held.name, tuple(rules.powers), tuple(aliases), tuple(seasons), years)
