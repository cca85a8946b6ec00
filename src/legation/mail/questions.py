"""The answers to questions that are asked by mail."""

from collections.abc import Callable, Sequence
from datetime import date

import legation
from legation.game.report import count
from legation.mail import postal
from legation.mail.commands import Ask
from legation.mail.content import Block, Facts, Heading, Lines, Paragraph
from legation.mail.wording import deadline_in_words, moment_in_words, own_units, zone_of
from legation.mail.words import answers
from legation.office.context import Actor
from legation.office.desk.mailroom import SeatRef
from legation.office.errors import OfficeError
from legation.office.game import journal
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.permissions import IN_WORDS
from legation.office.records import GameRecord


def ask(office: Office, actor: Actor, question: Ask, held: Sequence[SeatRef]) -> list[Block]:
    """The answer to a question: ``list``, ``status``, ``summary``, ``history``, ``whogame``, ``version``, ``help``."""
    about, subject = question.about, question.subject
    if about == "help":
        return [Heading("What you can write"), Facts(tuple(answers("help").items()))]
    if about == "version":
        return [Paragraph(f"{office.settings.name} runs on Legation {legation.__version__}.")]
    if about == "list" and not subject:
        return _list(office, actor)
    game = subject or (held[0].game if len(held) == 1 else "")
    if not game:
        names = tuple(h.name for h in held)
        return [Paragraph(f"Say which game, as in {about.upper()} {names[0] if names else 'name'}."), Lines(names)]
    try:
        record = games.game(office, actor, games.key_meant(office, actor, game))
        return _history(office, actor, record, question) if about == "history" else ABOUT[about](office, actor, record)
    except OfficeError as error:
        return [Paragraph(error.message)]


def _list(office: Office, actor: Actor) -> list[Block]:
    rows = []
    for line in games.list_games(office, actor, limit=100):
        free = count(line.open_seats, "open seat") if line.open_seats else ""
        due = f"deadline {moment_in_words(line.deadline)}" if line.deadline else ""
        rows.append(
            (
                line.name,
                ", ".join(filter(None, (line.title, IN_WORDS.get(line.state, line.state), line.turn, free, due))),
            )
        )
    return [Heading("Games"), Facts(tuple(rows))] if rows else [Paragraph("No games are listed right now.")]


def _status(office: Office, actor: Actor, game: GameRecord) -> list[Block]:
    rows = [
        ("Variant", game.title),
        ("State", IN_WORDS.get(game.state, game.state) + (f": {game.paused}" if game.paused else "")),
    ]
    if game.turn is not None:
        rows.append(("Turn", game.turn.name))
        rows.append(("Deadline", deadline_in_words(office, zone_of(office, actor), game.turn.deadline)))
    known = [seat for seat in game.seats if seat.sent is not None]
    if known:
        rows.append(("Orders in", f"{sum(bool(s.sent) for s in known)} of {len(known)} powers"))
    rows += [(f"Your units as {power}", own_units(game, power)) for power in game.powers]
    return [Heading(game.name), Facts(tuple(rows))]


def _summary(office: Office, actor: Actor, game: GameRecord) -> list[Block]:
    rows = [(s.power, f"{count(s.centers, 'center')}, {count(s.units, 'unit')}") for s in game.seats]
    return [Heading(f"{game.name}, {game.turn.name if game.turn else game.state}"), Facts(tuple(rows))]


def _history(office: Office, actor: Actor, game: GameRecord, question: Ask) -> list[Block]:
    entries = journal.entries(office, actor, game.key, limit=1000, newest=True)[::-1]
    first, last = question.first or date.min, question.last or date.max
    most = question.lines or (60 if (first, last) == (date.min, date.max) else 1000)
    shown = [e for e in entries if first <= e.at.date() <= last][-min(most, 1000) :]
    if not shown:
        return [Heading(game.name), Paragraph("Nothing happened on these days.")]
    return [Heading(game.name), Facts(tuple((moment_in_words(e.at), e.text) for e in shown))]


def _players(office: Office, actor: Actor, game: GameRecord) -> list[Block]:
    rows = []
    for seat in game.seats:
        nobody = "a player" if seat.state == "held" else seat.state
        rows.append((seat.power, seat.holder or (f"the bot {seat.bot}" if seat.bot else nobody)))
    runs = ("Coordinator" if game.settings["coordinated"] else "Host", game.coordinator or "none")
    return [Heading(game.name), Facts((runs, *rows))]


ABOUT: dict[str, Callable[[Office, Actor, GameRecord], list[Block]]] = {
    "list": _status,
    "status": _status,
    "summary": _summary,
    "whogame": _players,
    "roster": lambda office, actor, game: postal.players(office, actor, game) or _players(office, actor, game),
}
