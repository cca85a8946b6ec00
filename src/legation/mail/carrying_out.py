"""The commands of a mail, beside its orders: votes, readiness, absences, letters, what a coordinator asks for."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from legation.game.report import count
from legation.mail.commands import Absence, Ask, Command, Letter, Misread, Plain, Prefer, SetDeadline, Vote
from legation.mail.content import Lines
from legation.mail.entering import vote_for_draw
from legation.mail.handling import IncomingMail, seat_in_words, turn_named
from legation.mail.questions import ask
from legation.mail.reading import ParsedMail
from legation.mail.subjects import GameNames
from legation.mail.wording import ballot_in_words, moment_in_words, named, without_order
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
from legation.office.terms.plans import settings_of


def carry_out(mail: IncomingMail, command: Command) -> None:
    """Carry out a command of a mail, and tell what became of it. Whom a mail signs on, and what it orders, is done
    before (:mod:`.answering`)."""
    what = command.word if isinstance(command, Plain) else type(command)
    if mail.reach == "sheet" and what is not Misread:
        mail.say("The coordinator passed this mail on to you, so only the orders in it count.")
    elif what in _PLAYERS:
        _PLAYERS[what](mail, command)
    elif what in _COORDINATORS:
        run = mail.run_by_sender()
        if run and mail.reach == "player":
            mail.tell("not verified", address=mail.office.settings.orders_address)
        elif game := mail.one_of(run, "Only the game's coordinator can ask for that"):
            _COORDINATORS[what](mail, game, command)


def _answer(mail: IncomingMail, question: Ask) -> None:
    mail.answer.blocks += ask(mail.office, mail.actor, question, (mail.seat,) if mail.seat else mail.held)


def _resign(mail: IncomingMail, _: Plain) -> None:
    if mail.did(seats.ask_resign, mail.own_seat.game, mail.own_seat.power):
        mail.say(f"We've mailed you a link. Use it to give up {seat_in_words(mail.own_seat)}.")


def _change_address(mail: IncomingMail, wish: Plain) -> None:
    if mail.did(people.ask_change, wish.text):
        mail.tell("address", email=wish.text)


def _prefer(mail: IncomingMail, wish: Prefer) -> None:
    otherwise = "You haven't signed up for a game that is waiting for players; answer JOIN to join one"
    if key := mail.one_of(mail.gathering(), otherwise):
        _sign_up(mail, key, list(wish.powers), prefers=True)


def _take_back(mail: IncomingMail, wish: Plain) -> None:
    last, seat = wish.word == "undo", mail.own_seat
    sent = submissions.mine(mail.office, mail.actor, seat.game, seat.power)
    standing = [s for s in sent if s.standing != "withdrawn"]
    taken = standing[-1:] if last else standing
    if not taken:
        mail.say("You have sent nothing for this turn, so there is nothing to take back.")
    elif all(mail.attempt(submissions.withdraw, record.id) is not None for record in taken):
        left = standing[: len(standing) - len(taken)]
        what = f"version {taken[-1].version}" if last else count(len(taken), "version")
        fate = f"nothing counts now: a unit without an order {without_order(mail.turn.name)}"
        then = f"version {left[-1].version} counts again" if left else fate
        mail.say(f"Taken back: {what}; {then}.")


def _wait(mail: IncomingMail, wish: Plain) -> None:
    seat = mail.own_seat
    if wish.on:
        if mail.did(submissions.not_ready, seat.game, seat.power):
            mail.say("Wait is on: the turn won't be processed before its deadline.")
    elif (early := mail.attempt(submissions.ready, seat.game, seat.power)) is not None:
        ready = "You're ready. The turn is processed early once everyone is."
        mail.say("Everyone is ready: the turn is processed now." if early else ready)


def _vote(mail: IncomingMail, wish: Vote) -> None:
    about = mail.own_seat.game, mail.own_seat.power, wish.kind, wish.whom
    if wish.on:
        record = mail.attempt(votes.vote, *about, hours=wish.hours)
    else:
        record = mail.attempt(votes.take_back, *about)
    if record is not None:
        mail.say(ballot_in_words(record, on=wish.on))


def _share(mail: IncomingMail, wish: Plain) -> None:
    on = wish.on
    if mail.seat is not None:
        if mail.did(roster.share_address, mail.seat.game, mail.seat.power, on):
            what = "not shared" if not on else "shared" if roster.addresses(mail.office, mail.actor) else "none shared"
            mail.tell(what, game=mail.seat.name, page=mail.office.link("/me"))
        return
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
    whom = "everybody" if to == ["all"] else listed(to)
    if sent is None:
        mail.say("Your letter was not sent.")
    elif sent.proposal is not None:
        mail.say(f"Your letter was sent to {whom}, with this proposal for {sent.proposal.turn}:")
        mail.answer.blocks.append(Lines(tuple(in_words(sent.proposal).splitlines())))
    else:
        mail.say(f"Your letter was sent to {whom}.")


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


def _join(mail: IncomingMail, wish: Plain) -> None:
    name, secret = wish.text, invitation_quoted(mail.parsed) if mail.reach == "all" else ""
    if secret:
        seats.welcome(mail.office, name, secret, mail.parsed.sender)
    invited = game = None
    with suppress(OfficeError):
        invited = seats.invitation(mail.office, mail.actor, name, secret)
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
    with suppress(OfficeError):
        game = mail.game(key)
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
        said = f"You play {named(mail.office, game, game.powers[0]).called} in {game.name}. "
    elif wishes:
        said += f"Your preferences{f' for {game.name}' if prefers else ''}: {', '.join(wishes)}. "
    elif game.state == "gathering":
        said += "To say which powers you'd like, answer SET PREF with their names. "
    mail.say(said + _how_it_begins(game))
    if game.powers or not prefers:
        _ask_address(mail, key)


def _ask_address(mail: IncomingMail, key: str) -> None:
    game = mail.game(key)
    if settings_of(game).shows_addresses():
        if not roster.addresses(mail.office, mail.actor):
            mail.say(f"This game is played by post. Add your postal address: {mail.office.link('/me#addresses')}")
        mail.tell("addresses", game=game.name)


def _take_over(mail: IncomingMail, game: GameRecord) -> None:
    """Give the sender the only open seat of a running game; where several are open, or none, say so."""

    def names(powers: Sequence[str]) -> str:
        return listed([named(mail.office, game, power).called for power in powers])

    free = [seat.power for seat in game.seats if seat.vacant]
    if game.powers:
        mail.say(f"You already play {names(game.powers)} in {game.name}.")
    elif len(free) > 1:
        page = mail.office.link(f"/games/{game.key}/powers")
        mail.tell("several seats", game=game.name, powers=capital(names(free)), page=page)
    elif not free:
        mail.say(f"{game.name} has begun. No seat is open.")
    elif mail.did(seats.take_over, game.key, free[0]):
        mail.tell("plays", power=names(free), game=game.name)
        _ask_address(mail, game.key)


def _eject(mail: IncomingMail, game: str, wish: Plain) -> None:
    if mail.did(seats.vacate, game, wish.text, "by mail"):
        record = mail.game(game)
        rules = mail.office.variants.load(record.variant, record.options)
        free = rules.named(rules.reader.power(wish.text))
        mail.say(capital(f"{free} {free:is|are} free for another player."))


def _process(mail: IncomingMail, game: str, wish: Plain) -> None:
    record = mail.game(game)
    present = record.turn.name if record.turn else ""
    if turn_named(wish.text, GameNames(game, record.name)) != present:
        mail.say(f"{record.name} is in {present}, not in {wish.text}; nothing was judged.")
    elif mail.did(processing.process_now, game):
        mail.say("The turn is being judged.")


def _extend(mail: IncomingMail, game: str, wish: SetDeadline) -> None:
    try:
        until = datetime.fromisoformat(wish.when)
    except ValueError:
        mail.say(f"{wish.when!r} isn't a time; write it as 2027-01-20T18:00+00:00.")
        return
    until = until if until.tzinfo else until.replace(tzinfo=mail.received.tzinfo)
    turn = mail.attempt(deadlines.extend, game, until, wish.reason)
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


_PLAYERS: dict[object, Callable[[IncomingMail, Any], None]] = {
    Misread: lambda mail, bad: mail.say(f"Line {bad.line}, “{bad.text}”: {bad.message}."),
    Ask: _answer,
    Vote: _vote,
    Absence: _absence,
    Letter: _letter,
    Prefer: _prefer,
    "clear": _take_back,
    "undo": _take_back,
    "wait": _wait,
    "draw": lambda mail, wish: None if wish.on else vote_for_draw(mail, on=False),
    "share": _share,
    "join": _join,
    "resign": _resign,
    "address": _change_address,
}
_COORDINATORS: dict[object, Callable[[IncomingMail, str, Any], None]] = {
    SetDeadline: _extend,
    "process": _process,
    "eject": _eject,
}
"""What is done with each command, by its word or its record; with a coordinator's, in which game."""
