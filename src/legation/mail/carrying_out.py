"""The commands of a mail, beside its orders: votes, readiness, absences, letters, what a coordinator asks for."""

from __future__ import annotations

import re
from datetime import datetime
from functools import singledispatch

from legation.game.report import count
from legation.mail import commands, postal
from legation.mail.commands import Command
from legation.mail.content import Lines
from legation.mail.entering import vote_for_draw
from legation.mail.handling import IncomingMail, seat_in_words, turn_named
from legation.mail.questions import ask
from legation.mail.reading import ParsedMail
from legation.mail.subjects import GameNames
from legation.mail.wording import ballot_in_words, called, link, moment_in_words, without_order
from legation.notation import OrderTextError, capital, listed
from legation.office.clock import day_in_words
from legation.office.desk import letters
from legation.office.desk.proposed_orders import in_words, split_letter
from legation.office.errors import OfficeError
from legation.office.game import processing, seats
from legation.office.hosting import absences, deadlines, games, roster, votes
from legation.office.identity import people
from legation.office.orders import submissions
from legation.office.permissions import ALIVE
from legation.office.records import GameRecord

MASTERS = frozenset(["M", "GM", "MASTER", "COORDINATOR", "JUDGE"])
"""What the e-mail Judge calls who runs a game."""


def carry_out(mail: IncomingMail, command: Command) -> None:
    """Carry out a command of a mail, and tell what became of it."""
    coordinates = isinstance(command, commands.Process | commands.SetDeadline | commands.Eject)
    if mail.reach == "sheet" and not isinstance(command, commands.Misread):
        mail.say("The coordinator passed this mail on to you, so only the orders in it count.")
    elif mail.reach == "player" and coordinates and mail.run_by_sender():
        mail.say(
            "We can't verify the sender of this mail, so it can only give a player's orders. Write to "
            f"{mail.office.settings.orders_address} instead; you'll get a link to confirm it."
        )
    else:
        _do(command, mail)


@singledispatch
def _do(command: Command, mail: IncomingMail) -> None:
    """Whom a mail signs on, and what it orders, is done before (:mod:`.answering`)."""


@_do.register
def _misread(command: commands.Misread, mail: IncomingMail) -> None:
    mail.say(f"Line {command.line}, “{command.text}”: {command.message}.")


@_do.register
def _draw(command: commands.Draw, mail: IncomingMail) -> None:
    if not command.on:
        vote_for_draw(mail, on=False)


@_do.register
def _set_address(command: commands.SetAddress, mail: IncomingMail) -> None:
    if mail.did(people.ask_change, command.email):
        mail.say(
            f"We've mailed a link to your current address; when you use it, another goes to {command.email}. Until you "
            "use both, mail goes to your current address."
        )


@_do.register
def _ask(command: commands.Ask, mail: IncomingMail) -> None:
    mail.answer.blocks += ask(mail.office, mail.actor, command, (mail.seat,) if mail.seat else mail.held)


@_do.register
def _resign(command: commands.Resign, mail: IncomingMail) -> None:
    seat = mail.own_seat
    if mail.did(seats.ask_resign, seat.game, seat.power):
        mail.say(f"We've mailed you a link. Use it to give up {seat_in_words(seat)}.")


@_do.register(commands.Clear | commands.Undo)
def _take_back(command: commands.Clear | commands.Undo, mail: IncomingMail) -> None:
    last = isinstance(command, commands.Undo)
    seat = mail.own_seat
    standing = [
        s for s in submissions.mine(mail.office, mail.actor, seat.game, seat.power) if s.standing != "withdrawn"
    ]
    taken = standing[-1:] if last else standing
    if not taken:
        mail.say("You have sent nothing for this turn, so there is nothing to take back.")
    for record in taken:
        if mail.attempt(submissions.withdraw, record.id) is None:
            return
    if taken:
        left = standing[: len(standing) - len(taken)]
        what = f"version {taken[-1].version}" if last else count(len(taken), "version")
        fate = f"nothing counts now: a unit without an order {without_order(mail.own_turn.name)}"
        then = f"version {left[-1].version} counts again" if left else fate
        mail.say(f"Taken back: {what}; {then}.")


@_do.register
def _wait(command: commands.Wait, mail: IncomingMail) -> None:
    seat = mail.own_seat
    if command.on:
        if mail.did(submissions.not_ready, seat.game, seat.power):
            mail.say("Wait is on: the turn won't be processed before its deadline.")
    elif (early := mail.attempt(submissions.ready, seat.game, seat.power)) is not None:
        mail.say(
            "Everyone is ready: the turn is processed now."
            if early
            else "You're ready. The turn is processed early once everyone is."
        )


@_do.register
def _ballot(wish: commands.Vote, mail: IncomingMail) -> None:
    seat = mail.own_seat
    if wish.on:
        record = mail.attempt(votes.vote, seat.game, seat.power, wish.kind, wish.whom, hours=wish.hours)
    else:
        record = mail.attempt(votes.take_back, seat.game, seat.power, wish.kind, wish.whom)
    if record is not None:
        mail.say(ballot_in_words(record, on=wish.on))


@_do.register
def _share(command: commands.Share, mail: IncomingMail) -> None:
    on, seat = command.on, mail.seat
    if seat is None:
        otherwise = "You have no seat in a running game and haven't signed up for one that is waiting for players"
        if key := mail.one_of(mail.gathering(), otherwise):
            record = games.game(mail.office, mail.actor, key)
            done = (
                mail.did(roster.share_address, key, record.powers[0], on)  # whoever was invited has a seat by now
                if record.powers
                else mail.did(seats.sign_up, key, record.wishes or (), share_address=on)
            )
            if done:
                see = "will see" if on else "won't see"
                mail.say(f"Players of {record.name} {see} your postal address{'' if on else '; the coordinator will'}.")
        return
    if not mail.did(roster.share_address, seat.game, seat.power, on):
        return
    if not on:
        mail.say(f"Players of {seat.name} no longer see your postal address; the coordinator still does.")
    elif roster.addresses(mail.office, mail.actor):
        mail.say(f"Players of {seat.name} see your postal address now. SET NOSHARE takes it back.")
    else:
        mail.say(
            f"Players of {seat.name} will see your postal address when you have added one on your page: "
            f"{link(mail.office, '/me')}"
        )


@_do.register
def _absence(wish: commands.Absence, mail: IncomingMail) -> None:
    if wish.on:
        first, last = wish.first.isoformat(), wish.last.isoformat()
        if mail.attempt(absences.announce, first, last, "by mail") is not None:
            days = f"on {day_in_words(first)}"
            if last != first:
                days = f"from {day_in_words(first)} to {day_in_words(last)}"
            mail.say(
                f"You are away {days}. The current deadline stays. Later ones avoid these days if the game "
                "allows for absences."
            )
            _offer_to_lend(mail)
        return
    gone = [a for a in absences.absences(mail.office, mail.actor) if a.first <= wish.first.isoformat() <= a.last]
    for absence in gone:
        mail.did(absences.take_back, absence.id)
    mail.say(
        f"Taken back: {listed([f'{day_in_words(a.first)} to {day_in_words(a.last)}' for a in gone])}."
        if gone
        else "You had no absence on that day."
    )


def _offer_to_lend(mail: IncomingMail) -> None:
    """Say in which movements somebody is away whose units an ally may order meanwhile; the sheet for it is enclosed."""
    for lending in absences.lendings(mail.office, mail.actor):
        mail.say(
            f"You're away when orders for {lending.turn} of {lending.name} are due. You can have an ally order your "
            f"units meanwhile: write “{lending.order}” and the ally's name. The order sheet for it, filled in by half, "
            "is enclosed."
        )
        mail.answer.lent.append((lending.game, lending.power, lending.turn))


@_do.register
def _letter(letter: commands.Letter, mail: IncomingMail) -> None:
    if not letter.ended:
        mail.say(
            "The letter has no ENDPRESS, so it was not sent: what follows it may be orders. Send it again with "
            "ENDPRESS on a line of its own."
        )
        return
    seat = mail.own_seat
    to = _recipients(mail, letter)
    if not to:
        return
    text, orders = split_letter(letter.text)
    sent = mail.attempt(letters.write, seat.game, seat.power, to, text, letter.anonymous, orders)
    if sent is None:
        mail.say("Your letter was not sent.")
    elif sent.proposal is not None:
        mail.say(f"Your letter was sent to {listed(to)}, with this proposal for {sent.proposal.turn}:")
        mail.answer.blocks.append(Lines(tuple(in_words(sent.proposal).splitlines())))
    else:
        mail.say(f"Your letter was sent to {listed(to)}.")


def _recipients(mail: IncomingMail, letter: commands.Letter) -> list[str]:
    """Whom a letter goes to: powers by name, by their first letters as the Judge takes them (``FRG``), or all but
    some; empty where that is not certain, which is told."""
    seat = mail.own_seat
    powers = [s.power for s in games.game(mail.office, mail.actor, seat.game).seats]
    others = [power for power in powers if power != seat.power]
    if len(letter.to) == 1 and letter.to[0].casefold() == "all" and not letter.but:
        return ["all"]
    wanted: list[str] = []
    for name in letter.but or letter.to:
        found = _powers_named(mail, name, powers)
        if not found and name.upper() in MASTERS:
            coordinated = games.game(mail.office, mail.actor, seat.game).settings["coordinated"]
            mail.say(
                "Your letter was not sent: letters here are only between powers. "
                + (
                    "Write to the coordinator at the address on the game's page."
                    if coordinated
                    else "This game has no coordinator."
                )
            )
            return []
        if not found and letter.but:
            mail.say(f"Your letter was not sent: no power of this game is called {name!r}.")
            return []
        wanted += found or [name]  # the office tells what powers there are
    if letter.but:
        return [power for power in others if power not in wanted]
    return list(dict.fromkeys(wanted))


def _powers_named(mail: IncomingMail, name: str, powers: list[str]) -> list[str]:
    """The powers that a word of ``PRESS TO`` means: one by its name, or several by their first letters."""
    reader = mail.office.variants.load(mail.own_seat.variant).reader
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


@_do.register
def _prefer(command: commands.Prefer, mail: IncomingMail) -> None:
    otherwise = "You haven't signed up for a game that is waiting for players; answer JOIN to join one"
    if game := mail.one_of(mail.gathering(), otherwise):
        _sign_up(mail, game, list(command.powers), prefers=True)


@_do.register
def _join(command: commands.Join, mail: IncomingMail) -> None:
    secret = invitation_quoted(mail.parsed) if mail.reach == "all" else ""
    if secret:
        seats.welcome(mail.office, command.game, secret, mail.parsed.sender)
    try:
        invited = seats.invitation(mail.office, mail.actor, command.game, secret)
    except OfficeError:
        invited = None
    if invited is None and _take_over(mail, command.game):
        return
    if invited is not None and invited.state in ALIVE:
        if mail.did(seats.take_over, invited.game, invited.power, secret):
            mail.say(f"You play {invited.called} in {invited.name} from now on.")
            _ask_address(mail, invited.game)
        return
    try:  # who has signed up keeps what was wished for
        wishes = list(games.game(mail.office, mail.actor, command.game).wishes or ())
    except OfficeError:
        wishes = []
    _sign_up(mail, command.game, wishes, secret if invited is not None else "")


_INVITATION = re.compile(r"/games/[\w-]{1,80}/invitation/([\w-]{24})(?![\w-])")


def invitation_quoted(mail: ParsedMail) -> str:
    """The secret of the invitation whose link stands in a mail, be it in what it quotes; empty where there is none."""
    found = _INVITATION.search(mail.text)
    return found[1] if found else ""


def _sign_up(mail: IncomingMail, game: str, wishes: list[str], secret: str = "", *, prefers: bool = False) -> None:
    if mail.did(seats.sign_up, game, wishes, secret):
        record = games.game(mail.office, mail.actor, game)
        said = "" if prefers else f"You have signed up for {record.name}. "
        if record.powers:
            mail.say(
                f"You play {called(mail.office, record, record.powers[0])} in {record.name}. {_how_it_begins(record)}"
            )
            _ask_address(mail, game)
            return
        if wishes:
            said += f"Your preferences{f' for {record.name}' if prefers else ''}: {', '.join(wishes)}. "
        elif record.state == "gathering":
            said += "To say which powers you'd like, answer SET PREF with their names. "
        mail.say(said + _how_it_begins(record))
        if not prefers:
            _ask_address(mail, game)


def _ask_address(mail: IncomingMail, key: str) -> None:
    """Ask who has joined a game by post for the postal address, and say who sees it (W-23)."""
    game = games.game(mail.office, mail.actor, key)
    if not postal.settings_of(game).shows_addresses():
        return
    if not roster.addresses(mail.office, mail.actor):
        mail.say(f"This game is played by post. Add your postal address: {link(mail.office, '/me#addresses')}")
    mail.say(
        f"The players of {game.name} and the coordinator see your postal address, so that letters find you. To show it "
        "only to the coordinator, answer SET NOSHARE."
    )


def _take_over(mail: IncomingMail, key: str) -> bool:
    """Give the sender the only open seat of a running game; where several are open, or none, say so. False for a
    game that has not begun."""
    try:
        game = games.game(mail.office, mail.actor, key)
    except OfficeError:
        return False
    if game.state not in ("running", "paused"):
        return False
    if game.powers:
        own = listed([called(mail.office, game, power) for power in game.powers])
        mail.say(f"You already play {own} in {game.name}.")
        return True
    seats_open = [seat.power for seat in game.seats if seat.vacant]
    if len(seats_open) == 1:
        if mail.did(seats.take_over, game.key, seats_open[0]):
            mail.say(f"You play {called(mail.office, game, seats_open[0])} in {game.name} from now on.")
            _ask_address(mail, game.key)
        return True
    page = link(mail.office, f"/games/{game.key}/powers")
    which = "No seat is open."
    if seats_open:
        free = capital(listed([called(mail.office, game, power) for power in seats_open]))
        which = f"{free} need players. Take a seat on the page: {page}"
    mail.say(f"{game.name} has begun. {which}")
    return True


def _coordinated(mail: IncomingMail) -> str:
    """The game of which the sender asks what only its coordinator may; empty where it is not certain, which is told."""
    return mail.one_of(mail.run_by_sender(), "Only the game's coordinator can ask for that")


@_do.register
def _eject(command: commands.Eject, mail: IncomingMail) -> None:
    game = _coordinated(mail)
    if game and mail.did(seats.vacate, game, command.power, "by mail"):
        record = games.game(mail.office, mail.actor, game)
        rules = mail.office.variants.load(record.variant, record.options)
        free = rules.named(rules.reader.power(command.power))
        mail.say(capital(f"{free} {free:is|are} free for another player."))


@_do.register
def _process(command: commands.Process, mail: IncomingMail) -> None:
    game, wanted = _coordinated(mail), command.turn
    if not game:
        return
    record = games.game(mail.office, mail.actor, game)
    present = record.turn.name if record.turn else ""
    if turn_named(wanted, GameNames(game, record.name)) != present:
        mail.say(f"{record.name} is in {present}, not in {wanted}; nothing was judged.")
    elif mail.did(processing.process_now, game):
        mail.say("The turn is being judged.")


@_do.register
def _extend(command: commands.SetDeadline, mail: IncomingMail) -> None:
    game = _coordinated(mail)
    if not game:
        return
    try:
        until = datetime.fromisoformat(command.when)
    except ValueError:
        mail.say(f"{command.when!r} isn't a time; write it as 2027-01-20T18:00+00:00.")
        return
    until = until if until.tzinfo else until.replace(tzinfo=mail.received.tzinfo)
    turn = mail.attempt(deadlines.extend, game, until, command.reason)
    if turn is not None:
        mail.say(f"{turn.name} is now due at {moment_in_words(turn.deadline)}. All players have been told.")


def _how_it_begins(game: GameRecord) -> str:
    """What a game that gathers players waits for, and that a mail tells when it begins."""
    if game.state != "gathering":
        return ""
    seats = sum(1 for seat in game.seats if not seat.bot)
    then = "the coordinator can start it" if game.settings["coordinated"] else "it begins"
    if game.signed_up >= seats:
        return f"All players have signed up: {then}, and we'll mail you your power."
    return f"{game.signed_up} of {count(seats, 'player')} have signed up; when all have, {then}, and we'll mail you."
