"""What a mail leads to: it is matched with a seat, what it asks for is done by the office's commands, and an answer
says what was understood and what became of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

import msgspec

from legation.game.report import count
from legation.mail.coded import DisagreementError, with_codes
from legation.mail.commands import (
    Absence,
    Address,
    Ask,
    Clear,
    Command,
    Deadline,
    Draw,
    Eject,
    ForPhase,
    Join,
    Letter,
    Misread,
    Prefer,
    Process,
    Request,
    Resign,
    SignOn,
    Undo,
    Wait,
    read_request,
)
from legation.mail.content import Block, Content, Facts, Heading, Lines, Paragraph
from legation.mail.questions import ask
from legation.mail.reading import Inbound
from legation.mail.receipts import orders_receipt, picture_receipt, receipt_line
from legation.mail.subjects import GameNames, Subject, read_subject
from legation.mail.wording import moment_in_words
from legation.office import Actor, Office, absences, deadlines, games, letters, people, processing, seats, submissions
from legation.office.errors import OfficeError
from legation.office.mailroom import Held
from legation.office.permissions import ALIVE
from legation.office.pictures import Picture, PictureError, take_pictures
from legation.office.records import GameLine, GameRecord
from legation.position import Phase, Turn, TurnTextError

T = TypeVar("T")

YEARS = 100  # a game does not last longer


class Answer(msgspec.Struct):
    """The answer to a mail while it is written: blocks, what was noted, and the seat that it is about."""

    seat: Held | None = None
    turn: str = ""
    headline: str = ""
    blocks: list[Block] = []
    notes: list[str] = []

    def content(self, subject: str) -> Content:
        """The answer as a mail."""
        blocks = list(self.blocks)
        if self.notes:
            blocks += [Heading("Noted"), Lines(tuple(self.notes))]
        if not blocks:
            blocks.append(
                Paragraph("Your mail came in; nothing in it asked for anything. Write HELP to see what one may ask.")
            )
        return Content(subject=subject, title=self.headline or "Your mail", blocks=tuple(blocks))


class Correspondence:
    """One mail of somebody who may act, and the work of answering it."""

    def __init__(
        self, office: Office, mail: Inbound, person: int, held: tuple[Held, ...], seat: Held | None, received: datetime
    ) -> None:
        self.office = office
        self.mail = mail
        self.actor = people.as_person(office, person)
        self.held = held
        self.seat = seat
        self.received = received
        self.answer = Answer(seat=seat)
        self.key = hashlib.sha256((mail.message_id or mail.text + mail.subject).encode()).hexdigest()[:32]
        self.steps = 0

    def once(self) -> Actor:
        """The sender, whose next command is carried out once for this mail, however often the mail is delivered."""
        self.steps += 1
        return self.actor.once(f"mail {self.key} {self.steps}")

    # The whole mail

    def act(self) -> Answer:
        """Do what the mail asks for and tell of it."""
        subject = read_subject(self.mail.subject, [_names(self.office, held) for held in self.held])
        pictures = self._pictures()
        request = read_request(self.mail.text, self.received.date())
        self.answer.notes += list(self.mail.notes)
        if pictures:
            try:
                address = (self.seat.game, self.seat.power) if self.seat is not None else None
                subject = with_codes(subject, pictures, address)
            except DisagreementError as error:
                self._refuse(str(error))
                return self.answer
            if self._choose_seat(subject, request) and self._fits(subject):
                self._send_pictures(pictures, subject)
            return self.answer
        self.answer.notes += list(request.notes)
        needs_seat = request.has_orders or any(isinstance(c, SEATED) for c in request.commands)
        if needs_seat and not (self._choose_seat(subject, request) and self._fits(subject)):
            return self.answer
        self._send_orders(request, subject)
        for command in request.commands:
            self._do(command)
        return self.answer

    # Which seat

    def _choose_seat(self, subject: Subject, request: Request) -> bool:
        """Settle which of the sender's seats is meant; ask where that is not certain."""
        signed = next((c for c in request.commands if isinstance(c, SignOn)), None)
        candidates = list(self.held)
        if self.seat is not None:
            candidates = [self.seat]
        for guess in subject.guessed:
            self.answer.notes.append(f"In the subject {guess}.")
        if signed is not None:
            candidates = [
                h
                for h in candidates
                if _fold(h.power) == _fold(signed.seat) and _fold(signed.game) in (_fold(h.game), _fold(h.name))
            ]
        for wanted, part in ((subject.game, "game"), (subject.power, "power")):
            if wanted:
                candidates = [h for h in candidates if getattr(h, part) == wanted]
        if len(candidates) == 1:
            self.seat = self.answer.seat = candidates[0]
            return True
        if not self.held:
            text = "You hold no seat in a running game. JOIN with the name of a game asks to take part in it."
        elif not candidates and self.seat is not None:
            text = f"The subject names another seat than the address that you wrote to, which is {_seat(self.seat)}."
        elif not candidates:
            text = "No seat of yours is the one that this mail names."
        else:
            text = "You hold several seats; say which is meant."
        self._refuse(text, [_seat(h) for h in self.held])
        return False

    def _fits(self, subject: Subject) -> bool:
        """Whether the turn that the subject names, if any, is the one that is open."""
        assert self.seat is not None
        game = self._game()
        assert game.turn is not None  # seats are of games that run
        self.answer.turn = game.turn.name
        now = Turn.parse(game.turn.name)
        named = (subject.season or now.season, subject.year or now.year, subject.phase or now.phase)
        same_season = (named[0], named[1]) == (now.season, now.year)
        if same_season and (named[2] is now.phase or not subject.phase):
            return True
        if same_season and not self.mail.attachments and now.phase is Phase.MOVEMENT:
            return True  # orders ahead, which stand under their own headings
        named_turn = f"{named[0]} {named[1]} {named[2].value}".strip()
        self._refuse(
            f"The subject names {named_turn}, but {game.name} is in {game.turn.name}. Nothing was entered; send it "
            "again with this turn in the subject."
        )
        return False

    def _game(self) -> GameRecord:
        assert self.seat is not None
        return games.game(self.office, self.actor, self.seat.game)

    # Orders and pictures

    def _pictures(self) -> list[Picture]:
        pictures: list[Picture] = []
        for file in self.mail.attachments:
            try:
                pictures += take_pictures(file.name, file.data)
            except PictureError as error:
                self.answer.notes.append(f"{error}.")
        return pictures

    def _send_pictures(self, pictures: list[Picture], subject: Subject) -> None:
        assert self.seat is not None
        note = self.mail.text.strip()[:20_000]
        if subject.instruction:
            note = f"Version instructions: {subject.instruction}\n\n{note}".strip()
        files = [(p.name or f"picture {n}", p.data, p.kind) for n, p in enumerate(pictures, 1)]
        receipt = self._try(
            lambda: submissions.submit_pictures(
                self.office, self.once(), self._seat().game, self._seat().power, files, note, "mail", self.received
            )
        )
        if receipt is None:
            return
        self.answer.headline = f"{receipt.power}, {receipt.turn}: {count(len(pictures), 'picture')} received"
        self.answer.blocks += picture_receipt(self.office, self.actor, receipt, pictures)
        if self.mail.text.strip():
            self.answer.notes.append("The text of the mail is kept and not read as orders: the pictures are.")

    def _send_orders(self, request: Request, subject: Subject) -> None:
        ahead = [c for c in request.commands if isinstance(c, ForPhase)]
        votes = [c for c in request.commands if isinstance(c, Draw) and c.on]
        if not (request.has_orders or ahead or votes):
            return
        parts = [request.orders.rstrip()]
        parts += ["draw"] if votes else []
        if subject.instruction:
            parts.append(f"Instructions: v{subject.version or ''} {subject.instruction}")
        for block in ahead:
            parts += self._ahead(block)
        text = "\n".join(parts)
        seat = self._seat()
        receipt = self._try(
            lambda: submissions.submit(self.office, self.once(), seat.game, seat.power, text, "mail", self.received)
        )
        if receipt is None:
            return
        self.answer.turn = receipt.turn
        self.answer.headline = receipt_line(receipt)
        self.answer.blocks += orders_receipt(self.office, self.actor, receipt)

    def _ahead(self, block: ForPhase) -> list[str]:
        """Orders ahead as lines of a sheet; those for no turn at all are not entered, and never for another one."""
        turn = _turn_of(block.turn, _names(self.office, self._seat()))
        if turn:
            return ["", f"{turn}:", block.text]
        text = f"PHASE {block.turn}: that is no turn, so what stands under it was not entered. "
        self.answer.blocks.append(Paragraph(f"{text}Name a turn as in “{self.answer.turn}”.", strong=True))
        return []

    def _seat(self) -> Held:
        assert self.seat is not None
        return self.seat

    # Commands

    def _do(self, command: Command) -> None:
        match command:
            case Misread(line, text, message):
                self.answer.blocks.append(Paragraph(f"Line {line}, “{text}”: {message}."))
            case Clear() | Undo():
                self._take_back(last=isinstance(command, Undo))
            case Wait(on):
                self._wait(on)
            case Draw(False):
                self._say(
                    "A vote for a draw goes with a sheet: send your orders without it and they replace those with it."
                )
            case Absence():
                self._absence(command)
            case Address(email):
                if self._try(lambda: people.ask_change(self.office, self.once(), email)) is not None:
                    self._say(f"A link to confirm it went to {email}; until it is used, mail goes where it went.")
            case Prefer(powers):
                if game := self._one_of(
                    self._gathering(), "You have signed up for no game that gathers players: JOIN one"
                ):
                    self._join(game, list(powers))
            case Letter():
                self._letter(command)
            case Ask(about, subject):
                self.answer.blocks += ask(self.office, self.actor, about, subject, self.held)
            case Join(game):
                self._join(game, [])
            case Resign():
                seat = self._seat()
                if self._done(lambda: seats.resign(self.office, self.once(), seat.game, seat.power, "by mail")):
                    self._say(f"You gave up {_seat(seat)}.")
            case Process() | Deadline() | Eject():
                self._coordinate(command)

    def _take_back(self, *, last: bool) -> None:
        seat = self._seat()
        standing = [
            s for s in submissions.mine(self.office, self.actor, seat.game, seat.power) if s.standing != "withdrawn"
        ]
        taken = standing[-1:] if last else standing
        if not taken:
            self._say("Nothing was sent for this turn, so there is nothing to take back.")
        for record in taken:
            if self._try(lambda r=record: submissions.withdraw(self.office, self.once(), r.id)) is None:  # type: ignore[misc]
                return
        if taken:
            left = standing[: len(standing) - len(taken)]
            what = f"version {taken[-1].version}" if last else count(len(taken), "version")
            then = f"version {left[-1].version} counts again" if left else "nothing counts now: your units will hold"
            self._say(f"Taken back: {what}; {then}.")

    def _wait(self, on: bool) -> None:
        seat = self._seat()
        if on:
            if self._done(lambda: submissions.not_ready(self.office, self.once(), seat.game, seat.power)):
                self._say("Wait is on: the turn is not judged before its deadline for your sake.")
        elif (
            early := self._try(lambda: submissions.ready(self.office, self.once(), seat.game, seat.power))
        ) is not None:
            self._say(
                "You are ready, and so are all others: the turn is judged now."
                if early
                else "You are ready; the turn is judged early if all are."
            )

    def _absence(self, wish: Absence) -> None:
        if wish.on:
            first, last = wish.first.isoformat(), wish.last.isoformat()
            if self._try(lambda: absences.announce(self.office, self.once(), first, last, "by mail")) is not None:
                self._say(
                    f"You are away from {first} to {last}. The present deadline stays; later ones keep clear of it "
                    "where a game allows for absences."
                )
            return
        gone = [a for a in absences.absences(self.office, self.actor) if a.first <= wish.first.isoformat() <= a.last]
        for absence in gone:
            self._done(lambda a=absence: absences.take_back(self.office, self.once(), a.id))  # type: ignore[misc]
        self._say(
            "Taken back: " + ", ".join(f"{a.first} to {a.last}" for a in gone) + "."
            if gone
            else "You had told of no absence on that day."
        )

    def _letter(self, letter: Letter) -> None:
        if not letter.ended:
            self._say(
                "The letter has no ENDPRESS, so it was not sent: what follows it may be orders. Send it again with "
                "ENDPRESS on a line of its own."
            )
            return
        seat = self._seat()
        to = ["all"] if letter.to == ("all",) else list(letter.to)
        if (
            self._try(
                lambda: letters.write(
                    self.office, self.once(), seat.game, seat.power, to, letter.text, letter.anonymous
                )
            )
            is not None
        ):
            self._say(f"Your letter went to {', '.join(to)}.")

    def _join(self, game: str, wishes: list[str]) -> None:
        if self._done(lambda: seats.sign_up(self.office, self.once(), game, wishes)):
            name = games.game(self.office, self.actor, game).name
            then = f", with {', '.join(wishes)} as your wishes." if wishes else "."
            self._say(f"You have signed up for {name}{then}")

    def _coordinate(self, command: Process | Deadline | Eject) -> None:
        """What only the coordinator of a game may ask for."""
        game = self._one_of(self._run_by_sender(), "Only who coordinates the game may ask for that")
        if not game:
            return
        match command:
            case Process(turn):
                self._process(game, turn)
            case Deadline(when, reason):
                self._extend(game, when, reason)
            case Eject(power):
                if self._done(lambda: seats.vacate(self.office, self.once(), game, power, "by mail")):
                    self._say(f"{power} is free for another player.")

    def _process(self, game: str, wanted: str) -> None:
        record = games.game(self.office, self.actor, game)
        present = record.turn.name if record.turn else ""
        if _turn_of(wanted, GameNames(game, record.name)) != present:
            self._say(f"{record.name} is in {present}, not in {wanted}; nothing was judged.")
        elif self._done(lambda: processing.process_now(self.office, self.once(), game)):
            self._say("The turn is being judged.")

    def _extend(self, game: str, when: str, reason: str) -> None:
        try:
            until = datetime.fromisoformat(when)
        except ValueError:
            self._say(f"{when!r} is no time; write it as 2027-01-20T18:00+00:00.")
            return
        until = until if until.tzinfo else until.replace(tzinfo=self.received.tzinfo)
        turn = self._try(lambda: deadlines.extend(self.office, self.once(), game, until, reason))
        if turn is not None:
            self._say(f"{turn.name} is now due at {moment_in_words(turn.deadline)}. All players are told.")

    # Which game, where it is not a seat's

    def _run_by_sender(self) -> list[GameNames]:
        """The games that go on which the sender coordinates."""
        return [_named(line) for line in self._mine() if line.state in ALIVE and "coordinator" in line.roles]

    def _gathering(self) -> list[GameNames]:
        """The games that gather players which the sender has signed up for or made."""
        return [_named(line) for line in self._mine() if line.state == "gathering"]

    def _mine(self) -> list[GameLine]:
        return games.list_games(self.office, self.actor, mine=True, limit=200)

    def _one_of(self, known: list[GameNames], otherwise: str) -> str:
        """The one of these games that is meant: the subject names it, or names none and there is no other. Empty where
        it is not certain, which is told."""
        named = read_subject(self.mail.subject, [_named(line) for line in self._mine()]).game
        if named in {game.key for game in known}:
            return named
        if not named and len(known) == 1:
            return known[0].key
        if not named and known:
            self._say(f"Say in the subject which game is meant: {', '.join(game.name for game in known)}.")
        else:
            self._say(f"{otherwise}.")
        return ""

    # What is said

    def _say(self, text: str) -> None:
        self.answer.blocks.append(Paragraph(text))

    def _refuse(self, text: str, choices: list[str] | None = None) -> None:
        self.answer.headline = "Nothing was entered"
        self.answer.blocks.append(Paragraph(text, strong=True))
        if choices:
            self.answer.blocks += [Heading("Your seats"), Lines(tuple(choices))]

    def _try(self, command: Callable[[], T]) -> T | None:
        """Carry out a command; a refusal is told in its own words."""
        try:
            return command()
        except OfficeError as error:
            if error.status == 503:
                raise
            self.answer.blocks.append(Paragraph(error.message, strong=True))
            if error.suggestions:
                self.answer.blocks.append(Facts((("Did you mean", ", ".join(error.suggestions)),)))
            return None

    def _done(self, command: Callable[[], object]) -> bool:
        """Carry out a command that answers nothing; whether it was done."""
        return self._try(lambda: (command(), True)[1]) is not None


SEATED = (Clear, Undo, Wait, Draw, Letter, ForPhase, Resign)


def _named(line: GameLine) -> GameNames:
    return GameNames(line.key, line.name)


def _turn_of(text: str, game: GameNames) -> str:
    """A turn that was named as ``F1901M`` or in words, or a phase of the present season; empty for anything else."""
    subject = read_subject(text, [game])
    if subject.season and subject.year and subject.phase:
        return f"{subject.season} {subject.year} {subject.phase.value}"
    try:
        return str(Turn.parse(text))
    except TurnTextError:
        alone = subject.phase if not (subject.season or subject.year) else None
        return alone.value if alone else ""


def _fold(text: str) -> str:
    return " ".join(text.casefold().replace("-", " ").split())


def _seat(held: Held) -> str:
    return f"{held.power} in {held.name}"


def _names(office: Office, held: Held) -> GameNames:
    """What may be named in a subject of a game."""
    rules = office.variants.load(held.variant)
    aliases = tuple(
        (alias, power.name) for power in rules.powers.values() for alias in (*power.aliases, power.adjective) if alias
    )
    first = turn = rules.first_turn()
    seasons = set()
    for _ in range(24):
        seasons.add(turn.season)
        turn = rules.next_turn(turn)
    return GameNames(
        held.game,
        held.name,
        tuple(rules.powers),
        aliases,
        tuple(sorted(s for s in seasons if s)),
        (first.year, first.year + YEARS),
    )
