"""A game as plain text, of our own making: headers, then turns with their orders, in the short style of orders.

::

    [Variant "standard"]
    [Name "First try"]

    Spring 1901 Movement
    France: A par - bur; A mar S A par - bur; F bre - mao
    Germany: A mun - bur {bounced}

    Winter 1901 Adjustments
    France: build A par

    Result: A draw between France and Germany

``[Option "NAME" "READING"]`` chooses among the variant's options. What stands in braces, and lines that begin with
``#``, is for people. ``docs/bring-your-games.md`` is the manual.
"""

from __future__ import annotations

import re

from legation.game import Game
from legation.game.report import how_it_ended
from legation.interop.games.missing import orders_of
from legation.interop.games.record import RecordedGame, RecordedPhase
from legation.interop.record import clean
from legation.interop.sources import ForeignFileError, Source
from legation.judge import Outcome
from legation.notation import write
from legation.position import Turn, TurnTextError

NAME = "text"
TITLE = "Legation's plain text of a game"
HEADER = re.compile(r'\[(\w+) "([^"]{0,200})"(?: "([^"]{0,200})")?\]\Z')
MOST_LINES = 40_000


def recognize(source: Source) -> list[str]:
    """Text files whose first line is the header of the variant."""
    return [
        name for name in source.names if source.head(name)[:200].lstrip(b"\xef\xbb\xbf \n\r").startswith(b'[Variant "')
    ]


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of a text.

    :raises ForeignFileError: if a line is neither a header, a turn nor a power's orders.
    """
    record = RecordedGame(title=entry, format=TITLE)
    lines = source.text(entry).splitlines()
    if len(lines) > MOST_LINES:
        raise ForeignFileError(f"{entry}: has more than {MOST_LINES} lines")
    for number, line in enumerate(lines, 1):
        line = re.sub(r"\{[^{}]{0,500}\}", "", line).strip()
        if not line or line.startswith("#"):
            continue
        if header := HEADER.match(line):
            _header(record, header)
        elif (turn := _turn(line)) is not None:
            record.phases.append(RecordedPhase(season=turn.season, year=turn.year, phase=turn.phase.value, played=True))
        elif line.startswith("Result:"):
            continue
        elif ":" in line and record.phases:
            power, _, orders = line.partition(":")
            listed = [order.strip() for order in orders.split(";") if order.strip()]
            record.phases[-1].orders.setdefault(clean(power, 60), []).extend(listed)
        else:
            raise ForeignFileError(
                f"{entry}:{number}: is neither a header, a turn nor 'Power: orders': {clean(line, 60)!r}"
            )
    return [record]


def _header(record: RecordedGame, header: re.Match[str]) -> None:
    word, value, further = header.groups()
    if word == "Variant":
        record.board = value
    elif word == "Name":
        record.title = clean(value, 60) or record.title
    elif word == "Option" and further is not None:
        record.options[value] = {"true": True, "false": False}.get(further, further)
    else:
        record.left(f"[{word}]", "isn't a known header")


def _turn(line: str) -> Turn | None:
    try:
        return Turn.parse(line)
    except TurnTextError:
        return None


def write_game(game: Game) -> tuple[str, list[str]]:
    """A game as text, and what that cannot say."""
    lines = [f'[Variant "{game.rules.name}"]']
    if game.name:
        lines.append(f'[Name "{clean(game.name.replace(chr(34), " "), 60)}"]')
    for option, reading in game.rules.chosen.items():
        said = str(reading).lower() if isinstance(reading, bool) else str(reading)
        lines.append(f'[Option "{option}" "{said}"]')
    for turn in game.turns:
        lines += ["", str(turn.resolution.before.turn)]
        told: dict[str, list[str]] = {}
        for power, order, verdict in orders_of(turn):
            outcome = verdict.outcome if verdict else Outcome.SUCCEEDS
            mark = "" if outcome is Outcome.SUCCEEDS else f" {{{outcome.value}}}"
            told.setdefault(power, []).append(write(order) + mark)
        lines += [f"{power}: {'; '.join(orders)}" for power, orders in told.items()]
    missing = []
    if (ending := game.ending) is not None:
        lines += ["", f"Result: {how_it_ended(game.rules, ending.kind, ending.powers, ending.tied)}"]
    if game.seed:
        missing.append("the seed of its lots")
    if game.opening != game.rules.opening():
        missing.append("that it began from a position of its own")
    if any(turn.unread or turn.sent for turn in game.turns):
        missing.append("the texts of the sheets, and what could not be understood of them")
    return "\n".join(lines) + "\n", missing
