"""A game as plain text, of our own making: headers, then turns with their orders, in the short style of orders.

``[Option "NAME" "READING"]`` chooses among the variant's options. What stands in braces, and lines that begin with
``#``, is for people, and stays with the turn. Between lines with ``(`` and ``)`` stands a variation: another course of
the game from the turn above it on, which is read as a game of its own. ``docs/bring-your-games.md`` has the grammar."""

import re
from collections.abc import Sequence

import msgspec

from legation.game import Game, PlayedTurn
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
COMMENT = re.compile(r"\{([^{}]{0,500})\}")
VARIATION = re.compile(r'\(\s*(?:"([^"]{0,80})")?\Z')
MOST_LINES, MOST_GAMES, DEEPEST = 40_000, 200, 20
LONGEST = 500
"""Characters of a comment."""
OUTCOMES = frozenset(outcome.value for outcome in Outcome)


def recognize(source: Source) -> list[str]:
    """Text files whose first line is the header of the variant."""
    return [
        name for name in source.names if source.head(name)[:200].lstrip(b"\xef\xbb\xbf \n\r").startswith(b'[Variant "')
    ]


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of a text.

    :raises ForeignFileError: if a line is neither a header, a turn nor a power's orders."""
    lines = source.text(entry).splitlines()
    if len(lines) > MOST_LINES:
        raise ForeignFileError(f"{entry}: has more than {MOST_LINES} lines")
    games = [RecordedGame(title=entry, format=TITLE)]
    open_ = [games[0]]
    comments: list[str] = []
    for number, line in enumerate(lines, 1):
        said = [line.strip("# \t")] if line.lstrip().startswith("#") else COMMENT.findall(line)
        comments += [clean(words, LONGEST) for words in said if words.strip() not in ("", *OUTCOMES)]
        line = COMMENT.sub("", line).strip()
        record = open_[-1]
        if not line or line.startswith(("#", "Result:")):
            pass
        elif header := HEADER.match(line):
            _header(record, header)
        elif (turn := _turn(line)) is not None:
            record.phases.append(RecordedPhase(season=turn.season, year=turn.year, phase=turn.phase.value, played=True))
        elif (varies := VARIATION.match(line)) and record.phases and len(open_) < DEEPEST and len(games) < MOST_GAMES:
            games.append(_variation(record, varies[1] or f"variation {len(games)}"))
            open_.append(games[-1])
        elif line == ")" and len(open_) > 1:
            open_.pop()
        elif ":" in line and record.phases:
            power, _, orders = line.partition(":")
            for order in filter(None, map(str.strip, orders.split(";"))):
                record.phases[-1].give(power, order)
        else:
            raise ForeignFileError(
                f"{entry}:{number}: is neither a header, a turn nor 'Power: orders': {clean(line, 60)!r}"
            )
        if open_[-1].phases:  # what stands above the first turn is that turn's
            open_[-1].phases[-1].comments += comments
            comments = []
    if len(open_) > 1:
        raise ForeignFileError(f"{entry}: a variation isn't closed; write ) on a line of its own")
    return games


def _variation(record: RecordedGame, name: str) -> RecordedGame:
    """Another course of a game from its present turn on."""
    phases = [
        msgspec.structs.replace(phase, orders={p: [*orders] for p, orders in phase.orders.items()}, comments=[])
        for phase in record.phases[:-1]
    ]
    title = clean(f"{record.title}, {name}", 60)
    return RecordedGame(
        title=title, format=TITLE, board=record.board, phases=phases, options=dict(record.options), varies=True
    )


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


def write_game(game: Game, variations: Sequence[Game] = ()) -> tuple[str, list[str]]:
    """A game as text, and what that cannot say. Each of ``variations`` comes after the first turn that is another."""
    lines = [f'[Variant "{game.rules.name}"]']
    if game.name:
        lines.append(f'[Name "{_quotable(game.name)}"]')
    for option, reading in game.rules.chosen.items():
        said = str(reading).lower() if isinstance(reading, bool) else str(reading)
        lines.append(f'[Option "{option}" "{said}"]')
    varying: dict[int, list[Game]] = {}
    for other in variations:
        pairs = zip(game.turns, other.turns, strict=False)
        same = next((n for n, (ours, theirs) in enumerate(pairs) if ours.sheets != theirs.sheets), len(game.turns))
        varying.setdefault(same, []).append(other)
    for number, turn in enumerate(game.turns):
        lines += _turn_lines(turn)
        for other in varying.get(number, ()):
            lines += ["", f'( "{_quotable(other.name)}"' if other.name else "("]
            lines += [line for played in other.turns[number:] for line in _turn_lines(played)] + [")"]
    missing = []
    if (ending := game.ending) is not None:
        lines += ["", f"Result: {how_it_ended(game.rules, ending.kind, ending.powers, ending.tied)}"]
    if game.seed:
        missing.append("the seed of its lots")
    if game.opening != game.rules.opening():
        missing.append("that it began from a position of its own")
    if any(turn.unread or turn.sent for turn in game.turns):
        missing.append("the texts of the sheets, and what could not be understood of them")
    if same_course := varying.get(len(game.turns)):
        names = ", ".join(other.name or "without a name" for other in same_course)
        missing.append(f"variations that are another in none of its turns: {names}")
    return "\n".join(lines) + "\n", missing


def _quotable(name: str) -> str:
    return clean(name.replace('"', " "), 60)


def _turn_lines(turn: PlayedTurn) -> list[str]:
    told: dict[str, list[str]] = {}
    for power, order, verdict in orders_of(turn):
        outcome = verdict.outcome if verdict else Outcome.SUCCEEDS
        mark = "" if outcome is Outcome.SUCCEEDS else f" {{{outcome.value}}}"
        told.setdefault(power, []).append(write(order) + mark)
    lines = [f"{power}: {'; '.join(orders)}" for power, orders in told.items()]
    comments = [f"# {comment}" for comment in turn.comments]
    return ["", str(turn.resolution.before.turn), *comments, *lines]
