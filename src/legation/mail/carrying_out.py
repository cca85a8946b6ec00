"""The commands of a mail, beside its orders: votes, readiness, absences, letters, what a coordinator asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from legation.game.report import count
from legation.mail import postal
from legation.mail.commands import Absence, Ask, Command, Letter, Misread, Plain, Prefer, SetDeadline, Vote
from legation.mail.content import Lines
from legation.mail.entering import vote_for_draw
from legation.mail.handling import IncomingMail, seat_in_words, turn_named
from legation.mail.questions import ask
from legation.mail.reading import ParsedMail
from legation.mail.subjects import GameNames
from legation.mail.wording import ballot_in_words, called, link, moment_in_words, without_order
from legation.mail.words import word_set
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


def carry_out(mail: IncomingMail, command: Command) -> None:
    """Carry out a command of a mail, and tell what became of it."""
    word = command.word if isinstance(command, Plain) else ""
    coordinates = isinstance(command, SetDeadline) or word in ("process", "eject")
    if mail.reach == "sheet" and not isinstance(command, Misread):
        mail.say("The coordinator passed this mail on to you, so only the orders in it count.")
    elif mail.reach == "player" and coordinates and mail.run_by_sender():
        mail.tell("not verified", address=mail.office.settings.orders_address)
    else:
        _do(mail, command)


def _do(mail: IncomingMail, command: Command) -> None:
    """Whom a mail signs on, and what it orders, is done before (:mod:`.answering`)."""
    match command:
        case Misread(line, text, message):
            mail.say(f"Line {line}, “{text}”: {message}.")
        case Ask():
            mail.answer.blocks += ask(mail.office, mail.actor, command, (mail.seat,) if mail.seat else mail.held)
        case Plain("clear" | "undo" as word):
            _take_back(mail, last=word == "undo")
        case Plain("wait", on=on):
            _wait(mail, on=on)
        case Plain("draw", on=False):
            vote_for_draw(mail, on=False)
        case Plain("share", on=on):
            _share(mail, on=on)
        case Plain("join", game):
            _join(mail, game)
        case Plain("resign"):
            if mail.did(seats.ask_resign, mail.own_seat.game, mail.own_seat.power):
                mail.say(f"We've mailed you a link. Use it to give up {seat_in_words(mail.own_seat)}.")
        case Plain("address", email):
            if mail.did(people.ask_change, email):
                mail.tell("address", email=email)
        case Plain("process", turn):
            _process(mail, turn)
        case Plain("eject", power):
            _eject(mail, power)
        case SetDeadline(when, reason):
            _extend(mail, when, reason)
        case Vote():
            _vote(mail, command)
        case Absence():
            _absence(mail, command)
        case Letter():
            _letter(mail, command)
        case Prefer(powers):
            otherwise = "You haven't signed up for a game that is waiting for players; answer JOIN to join one"
            if key := mail.one_of(mail.gathering(), otherwise):
                _sign_up(mail, key, list(powers), prefers=True)


def _take_back(mail: IncomingMail, *, last: bool) -> None:
    standing = [s for s in mail.sent() if s.standing != "withdrawn"]
    taken = standing[-1:] if last else standing
    if not taken:
        mail.say("You have sent nothing for this turn, so there is nothing to take back.")
    elif all(mail.attempt(submissions.withdraw, record.id) is not None for record in taken):
        left = standing[: len(standing) - len(taken)]
        what = f"version {taken[-1].version}" if last else count(len(taken), "version")
        fate = f"nothing counts now: a unit without an order {without_order(mail.own_turn.name)}"
        then = f"version {left[-1].version} counts again" if left else fate
        mail.say(f"Taken back: {what}; {then}.")


def _wait(mail: IncomingMail, *, on: bool) -> None:
    seat = mail.own_seat
    if on:
        if mail.did(submissions.not_ready, seat.game, seat.power):
            mail.say("Wait is on: the turn won't be processed before its deadline.")
    elif (early := mail.attempt(submissions.ready, seat.game, seat.power)) is not None:
        ready = "You're ready. The turn is processed early once everyone is."
        mail.say("Everyone is ready: the turn is processed now." if early else ready)


def _vote(mail: IncomingMail, wish: Vote) -> None:
    seat = mail.own_seat
    if wish.on:
        record = mail.attempt(votes.vote, seat.game, seat.power, wish.kind, wish.whom, hours=wish.hours)
    else:
        record = mail.attempt(votes.take_back, seat.game, seat.power, wish.kind, wish.whom)
    if record is not None:
        mail.say(ballot_in_words(record, on=wish.on))


def _share(mail: IncomingMail, *, on: bool) -> None:
    if mail.seat is None:
        _share_ahead(mail, on=on)
    elif mail.did(roster.share_address, mail.seat.game, mail.seat.power, on):
        has_any = bool(roster.addresses(mail.office, mail.actor))
        what = "shared" if on and has_any else "shared, none yet" if on else "not shared"
        mail.tell(what, game=mail.seat.name, page=link(mail.office, "/me"))


def _share_ahead(mail: IncomingMail, *, on: bool) -> None:
    otherwise = "You have no seat in a running game and haven't signed up for one that is waiting for players"
    if not (key := mail.one_of(mail.gathering(), otherwise)):
        return
    record = mail.game(key)
    if (
        mail.did(roster.share_address, key, record.powers[0], on)  # whoever was invited has a seat by now
        if record.powers
        else mail.did(seats.sign_up, key, record.wishes or (), share_address=on)
    ):
        mail.tell("will be shared" if on else "won't be shared", game=record.name)


def _absence(mail: IncomingMail, wish: Absence) -> None:
    if wish.on:
        first, last = wish.first.isoformat(), wish.last.isoformat()
        if mail.attempt(absences.announce, first, last, "by mail") is not None:
            days = f"on {day_in_words(first)}"
            if last != first:
                days = f"from {day_in_words(first)} to {day_in_words(last)}"
            mail.tell("away", days=days)
            for lending in absences.lendings(mail.office, mail.actor):
                mail.tell("lending", lending=lending)
                mail.answer.lent.append((lending.game, lending.power, lending.turn))
        return
    gone = [a for a in absences.absences(mail.office, mail.actor) if a.first <= wish.first.isoformat() <= a.last]
    for absence in gone:
        mail.did(absences.take_back, absence.id)
    days = listed([f"{day_in_words(a.first)} to {day_in_words(a.last)}" for a in gone])
    mail.say(f"Taken back: {days}." if gone else "You had no absence on that day.")


def _letter(mail: IncomingMail, letter: Letter) -> None:
    seat = mail.own_seat
    if not letter.ended:
        mail.tell("letter without end")
        return
    if not (to := _recipients(mail, letter)):
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


def _recipients(mail: IncomingMail, letter: Letter) -> list[str]:
    """Whom a letter goes to: powers by name, by their first letters as the Judge takes them (``FRG``), or all but
    some; empty where that is not certain, which is told."""
    game = mail.game(mail.own_seat.game)
    powers = [s.power for s in game.seats]
    if len(letter.to) == 1 and letter.to[0].casefold() == "all" and not letter.but:
        return ["all"]
    wanted: list[str] = []
    for name in letter.but or letter.to:
        found = _powers_named(mail, name, powers)
        if not found and name.upper() in word_set("masters"):
            mail.tell("letter to the coordinator" if game.settings["coordinated"] else "letter to nobody")
            return []
        if not found and letter.but:
            mail.say(f"Your letter was not sent: no power of this game is called {name!r}.")
            return []
        wanted += found or [name]  # the office tells what powers there are
    if letter.but:
        return [power for power in powers if power not in (*wanted, mail.own_seat.power)]
    return list(dict.fromkeys(wanted))


def _powers_named(mail: IncomingMail, name: str, powers: list[str]) -> list[str]:
    reader = mail.office.variants.load(mail.own_seat.variant).reader
    try:
        return [reader.power(name)]
    except OrderTextError:
        pass
    letters_alone = "".join(name.split()) if max(map(len, name.split()), default=0) == 1 else name
    initials = {letter: [p for p in powers if p.upper().startswith(letter)] for letter in letters_alone.upper()}
    certain = letters_alone.isalpha() and len(letters_alone) <= len(powers)
    certain = certain and all(len(meant) == 1 for meant in initials.values())
    return [meant[0] for meant in initials.values()] if certain else []


def _join(mail: IncomingMail, name: str) -> None:
    secret = invitation_quoted(mail.parsed) if mail.reach == "all" else ""
    if secret:
        seats.welcome(mail.office, name, secret, mail.parsed.sender)
    try:
        invited = seats.invitation(mail.office, mail.actor, name, secret)
    except OfficeError:
        invited = None
    try:
        key = invited.game if invited is not None else games.key_meant(mail.office, mail.actor, name)
    except OfficeError as error:  # several have the name
        mail.say(error.message)
        return
    if invited is not None and invited.state in ALIVE:
        if mail.did(seats.take_over, invited.game, invited.power, secret):
            mail.tell("plays", power=invited.called, game=invited.name)
            _ask_address(mail, invited.game)
        return
    try:
        game = mail.game(key)
    except OfficeError:
        game = None
    if invited is None and game is not None and game.state in ("running", "paused"):
        _take_over(mail, game)
        return
    wishes = list(game.wishes or ()) if game is not None else []  # who has signed up keeps what was wished for
    _sign_up(mail, key, wishes, secret if invited is not None else "")


_INVITATION = re.compile(r"/games/[\w-]{1,80}/invitation/([\w-]{24})(?![\w-])")


def invitation_quoted(mail: ParsedMail) -> str:
    """The secret of the invitation whose link stands in a mail, be it in what it quotes; empty where there is none."""
    found = _INVITATION.search(mail.text)
    return found[1] if found else ""


def _sign_up(mail: IncomingMail, key: str, wishes: list[str], secret: str = "", *, prefers: bool = False) -> None:
    if not mail.did(seats.sign_up, key, wishes, secret):
        return
    game = mail.game(key)
    said = "" if prefers else f"You have signed up for {game.name}. "
    if game.powers:
        said = f"You play {called(mail.office, game, game.powers[0])} in {game.name}. "
    elif wishes:
        said += f"Your preferences{f' for {game.name}' if prefers else ''}: {', '.join(wishes)}. "
    elif game.state == "gathering":
        said += "To say which powers you'd like, answer SET PREF with their names. "
    mail.say(said + _how_it_begins(game))
    if game.powers or not prefers:
        _ask_address(mail, key)


def _ask_address(mail: IncomingMail, key: str) -> None:
    game = mail.game(key)
    if postal.settings_of(game).shows_addresses():
        if not roster.addresses(mail.office, mail.actor):
            mail.say(f"This game is played by post. Add your postal address: {link(mail.office, '/me#addresses')}")
        mail.tell("addresses", game=game.name)


def _take_over(mail: IncomingMail, game: GameRecord) -> None:
    """Give the sender the only open seat of a running game; where several are open, or none, say so."""

    def named(powers: Sequence[str]) -> str:
        return listed([called(mail.office, game, power) for power in powers])

    free = [seat.power for seat in game.seats if seat.vacant]
    if game.powers:
        mail.say(f"You already play {named(game.powers)} in {game.name}.")
    elif len(free) > 1:
        page = link(mail.office, f"/games/{game.key}/powers")
        mail.tell("several seats", game=game.name, powers=capital(named(free)), page=page)
    elif not free:
        mail.say(f"{game.name} has begun. No seat is open.")
    elif mail.did(seats.take_over, game.key, free[0]):
        mail.tell("plays", power=named(free), game=game.name)
        _ask_address(mail, game.key)


def _coordinated(mail: IncomingMail) -> str:
    """The game of which the sender asks what only its coordinator may; empty where it is not certain, which is told."""
    return mail.one_of(mail.run_by_sender(), "Only the game's coordinator can ask for that")


def _eject(mail: IncomingMail, power: str) -> None:
    game = _coordinated(mail)
    if game and mail.did(seats.vacate, game, power, "by mail"):
        record = mail.game(game)
        rules = mail.office.variants.load(record.variant, record.options)
        free = rules.named(rules.reader.power(power))
        mail.say(capital(f"{free} {free:is|are} free for another player."))


def _process(mail: IncomingMail, wanted: str) -> None:
    if not (game := _coordinated(mail)):
        return
    record = mail.game(game)
    present = record.turn.name if record.turn else ""
    if turn_named(wanted, GameNames(game, record.name)) != present:
        mail.say(f"{record.name} is in {present}, not in {wanted}; nothing was judged.")
    elif mail.did(processing.process_now, game):
        mail.say("The turn is being judged.")


def _extend(mail: IncomingMail, when: str, reason: str) -> None:
    if not (game := _coordinated(mail)):
        return
    try:
        until = datetime.fromisoformat(when)
    except ValueError:
        mail.say(f"{when!r} isn't a time; write it as 2027-01-20T18:00+00:00.")
        return
    until = until if until.tzinfo else until.replace(tzinfo=mail.received.tzinfo)
    turn = mail.attempt(deadlines.extend, game, until, reason)
    if turn is not None:
        mail.say(f"{turn.name} is now due at {moment_in_words(turn.deadline)}. All players have been told.")


def _how_it_begins(game: GameRecord) -> str:
    if game.state != "gathering":
        return ""
    seats = sum(1 for seat in game.seats if not seat.bot)
    then = "the coordinator can start it" if game.settings["coordinated"] else "it begins"
    if game.signed_up >= seats:
        return f"All players have signed up: {then}, and we'll mail you your power."
    return f"{game.signed_up} of {count(seats, 'player')} have signed up; when all have, {then}, and we'll mail you."
