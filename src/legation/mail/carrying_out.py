"""The commands of a mail, beside its orders: votes, readiness, absences, letters, what a coordinator asks for."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from legation.game.report import count
from legation.mail.commands import (
    Absence,
    Ask,
    Clear,
    Command,
    Draw,
    Eject,
    Join,
    Letter,
    Misread,
    Prefer,
    Process,
    Resign,
    SetAddress,
    SetDeadline,
    Share,
    Undo,
    Vote,
    Wait,
)
from legation.mail.content import Paragraph
from legation.mail.entering import EnteringHandler
from legation.mail.handling import seat_in_words, turn_named
from legation.mail.questions import ask
from legation.mail.subjects import GameNames
from legation.mail.votes import ballot_in_words
from legation.mail.wording import called, link, moment_in_words, without_order
from legation.notation import OrderTextError, capital, listed
from legation.office.clock import day_in_words
from legation.office.desk import letters
from legation.office.errors import OfficeError
from legation.office.game import processing, seats
from legation.office.hosting import absences, deadlines, games, roster, votes
from legation.office.identity import people
from legation.office.orders import submissions
from legation.office.records import GameRecord

MASTERS = frozenset(["M", "GM", "MASTER", "COORDINATOR", "JUDGE"])
"""What the e-mail Judge calls who runs a game."""


class CommandHandler(EnteringHandler):
    """Carries out the commands of a mail."""

    def _do(self, command: Command) -> None:
        if self.reach == "sheet" and not isinstance(command, Misread):
            self._say("The coordinator passed this mail on to you, so only the orders in it count.")
            return
        if self.reach == "player" and isinstance(command, Process | SetDeadline | Eject) and self._run_by_sender():
            self._say(
                "We can't verify the sender of this mail, so it can only give a player's orders. Write to "
                f"{self.office.settings.orders_address} instead; you'll get a link to confirm it."
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
            case SetAddress(email):
                if self._try(lambda: people.ask_change(self.office, self.once(), email)) is not None:
                    self._say(
                        f"We've mailed a link to your current address; when you use it, another goes to {email}. Until "
                        "you use both, mail goes to your current address."
                    )
            case Prefer(powers):
                if game := self._one_of(
                    self._gathering(),
                    "You haven't signed up for a game that is waiting for players; answer JOIN to join one",
                ):
                    self._join(game, list(powers), prefers=True)
            case Letter():
                self._letter(command)
            case Ask():
                self.answer.blocks += ask(self.office, self.actor, command, (self.seat,) if self.seat else self.held)
            case Join(game):
                self._join(game, [])
            case Resign():
                seat = self._seat()
                if self._done(lambda: seats.ask_resign(self.office, self.once(), seat.game, seat.power)):
                    self._say(f"We've mailed you a link. Use it to give up {seat_in_words(seat)}.")
            case Process() | SetDeadline() | Eject():
                self._coordinate(command)

    def _take_back(self, *, last: bool) -> None:
        seat = self._seat()
        standing = [
            s for s in submissions.mine(self.office, self.actor, seat.game, seat.power) if s.standing != "withdrawn"
        ]
        taken = standing[-1:] if last else standing
        if not taken:
            self._say("You have sent nothing for this turn, so there is nothing to take back.")
        for record in taken:
            if self._try(partial(submissions.withdraw, self.office, self.once(), record.id)) is None:
                return
        if taken:
            left = standing[: len(standing) - len(taken)]
            what = f"version {taken[-1].version}" if last else count(len(taken), "version")
            fate = f"nothing counts now: a unit without an order {without_order(self._turn().name)}"
            then = f"version {left[-1].version} counts again" if left else fate
            self._say(f"Taken back: {what}; {then}.")

    def _wait(self, on: bool) -> None:
        seat = self._seat()
        if on:
            if self._done(lambda: submissions.not_ready(self.office, self.once(), seat.game, seat.power)):
                self._say("Wait is on: the turn won't be processed before its deadline.")
        elif (
            early := self._try(lambda: submissions.ready(self.office, self.once(), seat.game, seat.power))
        ) is not None:
            self._say(
                "Everyone is ready: the turn is processed now."
                if early
                else "You're ready. The turn is processed early once everyone is."
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
                days = f"on {day_in_words(first)}"
                if last != first:
                    days = f"from {day_in_words(first)} to {day_in_words(last)}"
                self._say(
                    f"You are away {days}. The current deadline stays. Later ones avoid these days if the game "
                    "allows for absences."
                )
            return
        gone = [a for a in absences.absences(self.office, self.actor) if a.first <= wish.first.isoformat() <= a.last]
        for absence in gone:
            self._done(partial(absences.take_back, self.office, self.once(), absence.id))
        self._say(
            f"Taken back: {listed([f'{day_in_words(a.first)} to {day_in_words(a.last)}' for a in gone])}."
            if gone
            else "You had no absence on that day."
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
            self._say(f"Your letter was sent to {listed(to)}.")
        else:
            self._say("Your letter was not sent.")

    def _recipients(self, letter: Letter) -> list[str]:
        """Whom a letter goes to: powers by name, by their first letters as the Judge takes them (``FRG``), or all but
        some; empty where that is not certain, which is told."""
        seat = self._seat()
        powers = [s.power for s in games.game(self.office, self.actor, seat.game).seats]
        others = [power for power in powers if power != seat.power]
        if len(letter.to) == 1 and letter.to[0].casefold() == "all" and not letter.but:
            return ["all"]
        wanted: list[str] = []
        for name in letter.but or letter.to:
            found = self._powers_named(name, powers)
            if not found and name.upper() in MASTERS:
                coordinated = games.game(self.office, self.actor, seat.game).settings["coordinated"]
                self._say(
                    "Your letter was not sent: letters here are only between powers. "
                    + (
                        "Write to the coordinator at the address on the game's page."
                        if coordinated
                        else "This game has no coordinator."
                    )
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
        letters_alone = "".join(name.split()) if max(map(len, name.split()), default=0) == 1 else name
        initials = {letter: [p for p in powers if p.upper().startswith(letter)] for letter in letters_alone.upper()}
        if (
            len(letters_alone) > len(powers)
            or not letters_alone.isalpha()
            or any(len(meant) != 1 for meant in initials.values())
        ):
            return []
        return [meant[0] for meant in initials.values()]

    def _join(self, game: str, wishes: list[str], *, prefers: bool = False) -> None:
        if not prefers and self._take_over(game):
            return
        if not wishes:  # who has signed up keeps what was wished for
            try:
                wishes = list(games.game(self.office, self.actor, game).wishes or ())
            except OfficeError:
                wishes = []
        if self._done(lambda: seats.sign_up(self.office, self.once(), game, wishes)):
            record = games.game(self.office, self.actor, game)
            said = "" if prefers else f"You have signed up for {record.name}. "
            if wishes:
                said += f"Your preferences{f' for {record.name}' if prefers else ''}: {', '.join(wishes)}. "
            elif record.state == "gathering":
                said += "To say which powers you'd like, answer SET PREF with their names. "
            self._say(said + _how_it_begins(record))

    def _take_over(self, key: str) -> bool:
        """Give the sender the only open seat of a running game; where several are open, or none, say so. False for a
        game that has not begun."""
        try:
            game = games.game(self.office, self.actor, key)
        except OfficeError:
            return False
        if game.state not in ("running", "paused"):
            return False
        if game.powers:
            own = listed([called(self.office, game, power) for power in game.powers])
            self._say(f"You already play {own} in {game.name}.")
            return True
        seats_open = [seat.power for seat in game.seats if seat.vacant]
        if len(seats_open) == 1:
            if self._done(lambda: seats.take_over(self.office, self.once(), game.key, seats_open[0])):
                self._say(f"You play {called(self.office, game, seats_open[0])} in {game.name} from now on.")
            return True
        page = link(self.office, f"/games/{game.key}/powers")
        which = "No seat is open."
        if seats_open:
            free = capital(listed([called(self.office, game, power) for power in seats_open]))
            which = f"{free} need players. Take a seat on the page: {page}"
        self._say(f"{game.name} has begun. {which}")
        return True

    def _coordinate(self, command: Process | SetDeadline | Eject) -> None:
        """Carry out a request that only the coordinator may make."""
        game = self._one_of(self._run_by_sender(), "Only the game's coordinator can ask for that")
        if not game:
            return
        match command:
            case Process(turn):
                self._process(game, turn)
            case SetDeadline(when, reason):
                self._extend(game, when, reason)
            case Eject(power):
                if self._done(lambda: seats.vacate(self.office, self.once(), game, power, "by mail")):
                    record = games.game(self.office, self.actor, game)
                    rules = self.office.variants.load(record.variant, record.options)
                    free = rules.named(rules.reader.power(power))
                    self._say(capital(f"{free} {free:is|are} free for another player."))

    def _process(self, game: str, wanted: str) -> None:
        record = games.game(self.office, self.actor, game)
        present = record.turn.name if record.turn else ""
        if turn_named(wanted, GameNames(game, record.name)) != present:
            self._say(f"{record.name} is in {present}, not in {wanted}; nothing was judged.")
        elif self._done(lambda: processing.process_now(self.office, self.once(), game)):
            self._say("The turn is being judged.")

    def _extend(self, game: str, when: str, reason: str) -> None:
        try:
            until = datetime.fromisoformat(when)
        except ValueError:
            self._say(f"{when!r} isn't a time; write it as 2027-01-20T18:00+00:00.")
            return
        until = until if until.tzinfo else until.replace(tzinfo=self.received.tzinfo)
        turn = self._try(lambda: deadlines.extend(self.office, self.once(), game, until, reason))
        if turn is not None:
            self._say(f"{turn.name} is now due at {moment_in_words(turn.deadline)}. All players have been told.")


def _how_it_begins(game: GameRecord) -> str:
    """What a game that gathers players waits for, and that a mail tells when it begins."""
    if game.state != "gathering":
        return ""
    seats = sum(1 for seat in game.seats if not seat.bot)
    then = "the coordinator can start it" if game.settings["coordinated"] else "it begins"
    if game.signed_up >= seats:
        return f"All players have signed up: {then}, and we'll mail you your power."
    return f"{game.signed_up} of {count(seats, 'player')} have signed up; when all have, {then}, and we'll mail you."
