"""What a mail leads to: it is matched with a seat, what it asks for is done by the office's commands, and an answer
says what was understood and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

import msgspec

from legation.game.report import count
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
    Share,
    SignOn,
    Undo,
    Vote,
    Wait,
    read_request,
)
from legation.mail.content import Block, Content, Enclosure, Facts, Heading, Lines, Paragraph
from legation.mail.own_words import Words
from legation.mail.qr_codes import DisagreementError, with_codes
from legation.mail.questions import ask
from legation.mail.reading import ParsedMail
from legation.mail.receipts import orders_receipt, picture_receipt, receipt_line, signed_receipt
from legation.mail.said_before import what_was_said
from legation.mail.subjects import GameNames, Subject, asks_for_turn, is_own_subject, read_subject, without_replies
from legation.mail.votes import ballot_in_words
from legation.mail.wording import deadline_in_words, link, moment_in_words, zone_of
from legation.notation import OrderTextError, may_mean_an_order
from legation.office import (
    Actor,
    Office,
    absences,
    games,
    letters,
    people,
    processing,
    roster,
    seats,
    submissions,
    votes,
)
from legation.office.coordination.mailroom import SeatRef, Sender
from legation.office.errors import OfficeError
from legation.office.hosting import deadlines
from legation.office.orders.pictures import Picture
from legation.office.permissions import ALIVE
from legation.office.records import GameLine, GameRecord, Receipt
from legation.position import Phase, Turn, TurnTextError
from legation.proofs.receipts import read_receipt, receipt_text

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

    def content(self, subject: str) -> Content:
        """Return the answer as a mail."""
        blocks = list(self.blocks)
        if self.notes:
            blocks += [Heading("Noted"), Lines(tuple(self.notes))]
        if not blocks:
            blocks.append(
                Paragraph("Your mail came in; nothing in it asked for anything. Write HELP to see what one may ask.")
            )
        return Content(
            subject=subject, title=self.headline or "Your mail", blocks=tuple(blocks), enclosures=tuple(self.enclosures)
        )


class MailHandler:
    """The handler of one mail from a known sender: carries out its requests and writes the answer."""

    def __init__(self, office: Office, mail: ParsedMail, person: int, sender: Sender, received: datetime) -> None:
        self.office = office
        self.mail = mail
        self.actor = people.as_person(office, person)
        self.held = sender.seats
        self.seat = seat = sender.seat
        self.reach = sender.reach
        self.received = received
        self.answer = Answer(seat=seat)
        named = (mail.message_id or mail.text + mail.subject).encode(errors="surrogatepass")
        self.key = office.keyed("commands of a mail", named).hex()
        self.steps = 0
        self.about: tuple[str, int | None, Phase | None] | None = None  # the turn of the mail that is answered

    def once(self) -> Actor:
        """Return the sender; the next command runs once for this mail, however often the mail is delivered."""
        self.steps += 1
        return self.actor.once(f"mail {self.key} {self.steps}")

    # The whole mail

    def act(self) -> Answer:
        """Carry out what the mail asks for, and return the answer."""
        said = what_was_said(self.office, self.actor, self.mail)
        subject = self._subject(said)
        pictures = list(self.mail.pictures)
        request = read_request(self.mail.text, self.received.date(), said)
        self.answer.notes += list(self.mail.notes)
        if pictures and self._are_decoration(request, subject):
            self.answer.notes.append("The pictures within the mail were not kept: its text holds the orders.")
            pictures = []
        if pictures:
            try:
                address = (self.seat.game, self.seat.power) if self.seat is not None else None
                subject = with_codes(subject, self.mail, address)
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
        if not self.answer.blocks and request.notes:
            self.answer.blocks.append(
                Paragraph("There was nothing in your mail but what it quotes, so nothing was entered.")
            )
        return self.answer

    def _subject(self, said: Sequence[Words]) -> Subject:
        """What the subject says; of one that the office wrote only the game and the power count."""
        written = self.mail.subject
        subject = read_subject(written, [_names(self.office, held) for held in self.held])
        plain = without_replies(written)
        if plain == written.strip() or not (is_own_subject(written) or any(known.is_subject(plain) for known in said)):
            return subject
        if asks_for_turn(written):
            self.about = (subject.season, subject.year, subject.phase)
        return Subject(game=subject.game, power=subject.power)

    def _are_decoration(self, request: Request, subject: Subject) -> bool:
        """Whether the pictures are all within the text, and the text gives orders."""
        if not all(file.inline for file in self.mail.attachments) or not request.has_orders:
            return False
        if self.seat is None and not (len(self.held) == 1 or subject.game or subject.power):
            return False
        seat = self.seat or self.held[0]
        try:
            return bool(submissions.check(self.office, self.actor, seat.game, seat.power, request.orders).orders)
        except OfficeError:
            return False

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
                if _is_power(h.power, signed.seat) and _fold(signed.game) in (_fold(h.game), _fold(h.name))
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
        if self._late(game, now):
            return False
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

    def _late(self, game: GameRecord, now: Turn) -> bool:
        """Refuse what was meant for a turn that is over: a mail that came before this turn began, or that answers one
        about the orders of another turn. It never counts for the next."""
        assert game.turn is not None and self.seat is not None
        season, year, phase = self.about or ("", None, None)
        other = (
            self.about is not None and (season, year, phase) != (now.season, now.year, now.phase) and year is not None
        )
        if self.received >= game.turn.opened and not other:
            return False
        came = moment_in_words(self.received, zone_of(self.office, self.actor))
        if other:
            name = f"{season} {year} {phase.value if phase else ''}".strip()
            text = f"Your mail answers one about the orders of {name}; it came on {came}, when that turn was over."
        else:
            text = f"Your mail came on {came}, before {game.turn.name} began, so it was meant for the turn before."
        self._refuse(f"{text} Nothing was entered.")
        rows = [
            ("Came", came),
            ("Now open", game.turn.name),
            ("Due", deadline_in_words(self.office, self.actor, game.turn.deadline)),
        ]
        self.answer.blocks += [
            Facts(tuple(rows)),
            Paragraph(f"{self._what_counts(game)} To order for {game.turn.name}, write a new mail."),
        ]
        return True

    def _what_counts(self, game: GameRecord) -> str:
        """Which version counts of what the seat has sent for the open turn, in a sentence."""
        assert self.seat is not None and game.turn is not None
        sent = submissions.mine(self.office, self.actor, self.seat.game, self.seat.power)
        counting = next((s for s in reversed(sent) if s.standing in ("counts", "asks")), None)
        if counting is None:
            return f"For {game.turn.name} nothing has come from you."
        return f"For {game.turn.name} your version {counting.version} counts."

    def _game(self) -> GameRecord:
        assert self.seat is not None
        return games.game(self.office, self.actor, self.seat.game)

    # Orders and pictures

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
        self.answer.enclosures += signed_receipt(receipt)
        if self.mail.text.strip():
            self.answer.notes.append("The text of your mail is kept, but only the pictures count as orders.")

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
        seat = self._seat()
        if votes and not (request.has_orders or ahead):
            self._vote(seat, on=True)
            return
        text = "\n".join(parts)
        if not ahead and not votes and self._says_nothing(seat, text):
            self.answer.blocks.append(
                Paragraph(
                    f"There were no orders in your mail, so nothing was entered. {self._what_counts(self._game())}"
                )
            )
            return
        receipt = self._submit(seat, text)
        if receipt is None:
            return
        self.answer.turn = receipt.turn
        self.answer.headline = receipt_line(receipt)
        self.answer.blocks += orders_receipt(self.office, self.actor, receipt)
        self.answer.enclosures += signed_receipt(receipt)

    def _submit(self, seat: SeatRef, text: str) -> Receipt | None:
        """Send a sheet in; one that is late is told when it came, when it was due, and what counts instead."""
        before = len(self.answer.blocks)
        receipt = self._try(
            lambda: submissions.submit(self.office, self.once(), seat.game, seat.power, text, "mail", self.received)
        )
        if receipt is None and len(self.answer.blocks) > before:
            game = self._game()
            if game.turn is not None and self.received > game.turn.deadline:
                zone = zone_of(self.office, self.actor)
                self.answer.headline = "Nothing was entered"
                self.answer.blocks.append(
                    Facts(
                        (
                            ("Came", moment_in_words(self.received, zone)),
                            ("Was due", moment_in_words(game.turn.deadline, zone)),
                        )
                    )
                )
                self._say(self._what_counts(game))
        return receipt

    def _says_nothing(self, seat: SeatRef, text: str) -> bool:
        """Whether a text holds no order, nor anything that may be meant as one: thanks, a greeting, talk."""
        try:
            checked = submissions.check(self.office, self.actor, seat.game, seat.power, text)
        except OfficeError:
            return False
        if checked.orders or checked.ahead or checked.instructions:
            return False
        reader = self.office.variants.load(seat.variant).reader
        return not any(
            line.problem and (line.suggestions or may_mean_an_order(line.text, reader)) for line in checked.lines
        )

    def _vote(self, seat: SeatRef, *, on: bool) -> None:
        """Vote for a draw, or take the vote back. A vote goes with a sheet, and what was sent is sealed: a vote alone
        replaces nothing."""
        sent = submissions.mine(self.office, self.actor, seat.game, seat.power)
        counting = next((s for s in reversed(sent) if s.standing in ("counts", "asks")), None)
        if counting is not None:
            with_it = "with SET DRAW among them" if on else "without SET DRAW"
            self._say(
                f"Nothing was changed: your version {counting.version} counts as it was sent. A vote for a draw goes "
                f"with your orders, which are sealed: send them again, {with_it}, and they replace it."
            )
            return
        if not on:
            self._say("You have sent nothing for this turn, so there is no vote to take back.")
            return
        receipt = self._submit(seat, "draw")
        if receipt is not None:
            self.answer.turn = receipt.turn
            self.answer.headline = receipt_line(receipt)
            self.answer.blocks += orders_receipt(self.office, self.actor, receipt)
            self.answer.enclosures += signed_receipt(receipt)

    def _ahead(self, block: ForPhase) -> list[str]:
        """Orders ahead as lines of a sheet; those for no turn at all are not entered, and never for another one."""
        turn = _turn_of(block.turn, _names(self.office, self._seat()))
        if turn:
            return ["", f"{turn}:", block.text]
        text = f"PHASE {block.turn}: that is no turn, so what stands under it was not entered. "
        self.answer.blocks.append(Paragraph(f"{text}Name a turn as in “{self.answer.turn}”.", strong=True))
        return []

    def _seat(self) -> SeatRef:
        assert self.seat is not None
        return self.seat

    # Commands

    def _do(self, command: Command) -> None:
        if self.reach == "sheet" and not isinstance(command, Misread):
            self._say("This mail was passed on to you by the desk, so only the orders in it count.")
            return
        if self.reach == "player" and isinstance(command, Process | Deadline | Eject):
            self._say(
                "Nobody vouches for the address that this mail came from, so it counts as a player's. Write to "
                f"{self.office.settings.orders_address} instead: you get a link to confirm it."
            )
            return
        match command:
            case Misread(line, text, message):
                self.answer.blocks.append(Paragraph(f"Line {line}, “{text}”: {message}."))
            case Clear() | Undo():
                self._take_back(last=isinstance(command, Undo))
            case Wait(on):
                self._wait(on)
            case Draw(False):
                self._vote(self._seat(), on=False)
            case Vote():
                self._ballot(command)
            case Absence():
                self._absence(command)
            case Share(on):
                self._share(on)
            case Address(email):
                if self._try(lambda: people.ask_change(self.office, self.once(), email)) is not None:
                    self._say(
                        f"A link to confirm it went to your present address; then one goes to {email}. Until both are "
                        "used, mail goes where it went."
                    )
            case Prefer(powers):
                if game := self._one_of(
                    self._gathering(), "You have signed up for no game that gathers players: JOIN one"
                ):
                    self._join(game, list(powers))
            case Letter():
                self._letter(command)
            case Ask():
                self.answer.blocks += ask(self.office, self.actor, command, self.held)
            case Join(game):
                self._join(game, [])
            case Resign():
                seat = self._seat()
                if self._done(lambda: seats.ask_resign(self.office, self.once(), seat.game, seat.power)):
                    self._say(f"A link went to your address. When you use it, you have given up {_seat(seat)}.")
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

    def _ballot(self, wish: Vote) -> None:
        """Vote on a question, or take the vote back, and tell how the question stands."""
        seat = self._seat()
        if wish.on:
            record = self._try(
                lambda: votes.vote(
                    self.office, self.once(), seat.game, seat.power, wish.kind, wish.whom, hours=wish.hours
                )
            )
        else:
            record = self._try(
                lambda: votes.take_back(self.office, self.once(), seat.game, seat.power, wish.kind, wish.whom)
            )
        if record is not None:
            self._say(ballot_in_words(record, on=wish.on))

    def _share(self, on: bool) -> None:
        seat = self._seat()
        if not self._done(lambda: roster.share_address(self.office, self.once(), seat.game, seat.power, on)):
            return
        if not on:
            self._say(f"Players of {seat.name} no longer see your postal address; the coordinator still does.")
        elif roster.addresses(self.office, self.actor):
            self._say(f"Players of {seat.name} see your postal address now. SET NOSHARE takes it back.")
        else:
            self._say(
                f"Players of {seat.name} will see your postal address when you have added one on your page: "
                f"{link(self.office, '/me')}"
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
        to = self._recipients(letter)
        if not to:
            return
        if (
            self._try(
                lambda: letters.write(
                    self.office, self.once(), seat.game, seat.power, to, letter.text, letter.anonymous
                )
            )
            is not None
        ):
            self._say(f"Your letter went to {', '.join(to)}.")

    def _recipients(self, letter: Letter) -> list[str]:
        """Whom a letter goes to: powers by name, by their first letters as the Judge takes them (``FRG``), or all but
        some; empty where that is not certain, which is told."""
        seat = self._seat()
        powers = [s.power for s in games.game(self.office, self.actor, seat.game).seats]
        others = [power for power in powers if power != seat.power]
        if letter.to == ("all",) and not letter.but:
            return ["all"]
        wanted: list[str] = []
        for name in letter.but or letter.to:
            found = self._powers_named(name, powers)
            if not found and name.upper() in MASTERS:
                self._say(
                    "Your letter was not sent: letters go between powers here. Write to the coordinator at the address "
                    "on the game's page."
                )
                return []
            if not found and letter.but:
                self._say(f"Your letter was not sent: no power of this game is called {name!r}.")
                return []
            wanted += found or [name]  # the office tells what powers there are
        if letter.but:
            return [power for power in others if power not in wanted]
        return list(dict.fromkeys(wanted))

    def _powers_named(self, name: str, powers: list[str]) -> list[str]:
        """The powers that a word of ``PRESS TO`` means: one by its name, or several by their first letters."""
        reader = self.office.variants.load(self._seat().variant).reader
        try:
            return [reader.power(name)]
        except OrderTextError:
            pass
        initials = {letter: [p for p in powers if p.upper().startswith(letter)] for letter in name.upper()}
        if len(name) > len(powers) or not name.isalpha() or any(len(meant) != 1 for meant in initials.values()):
            return []
        return [meant[0] for meant in initials.values()]

    def _join(self, game: str, wishes: list[str]) -> None:
        if not wishes:  # who has signed up keeps what was wished for
            try:
                wishes = list(games.game(self.office, self.actor, game).wishes or ())
            except OfficeError:
                wishes = []
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
            if error.proof:
                text = receipt_text(read_receipt(error.proof))
                self.answer.enclosures.append(Enclosure("refusal.txt", "text/plain", text.encode()))
            if error.suggestions:
                self.answer.blocks.append(Facts((("Did you mean", ", ".join(error.suggestions)),)))
            return None

    def _done(self, command: Callable[[], object]) -> bool:
        """Carry out a command that answers nothing; whether it was done."""
        return self._try(lambda: (command(), True)[1]) is not None


MASTERS = frozenset(["M", "GM", "MASTER", "COORDINATOR", "JUDGE"])
"""What the e-mail Judge calls who runs a game."""
SEATED = (Clear, Undo, Wait, Draw, Vote, Letter, ForPhase, Resign, Share)


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


def _is_power(power: str, said: str) -> bool:
    """Whether a power is meant by its name or by its beginning, as the Judge has it (``E@blitz``)."""
    return bool(said) and _fold(power).startswith(_fold(said))


def _fold(text: str) -> str:
    return " ".join(text.casefold().replace("-", " ").split())


def _seat(held: SeatRef) -> str:
    return f"{held.power} in {held.name}"


def _names(office: Office, held: SeatRef) -> GameNames:
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
