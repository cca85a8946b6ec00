"""Positions that people paste: documents (a position, an answer, a saved game), or words.

In words a position is a turn, and for each power a line or a few with its units and, after ``centers``, what it owns::

    Spring 1902 Movement
    France: A par, A bur, F bre; centers par, mar, bre, spa
    Germany: A mun
    F kie

The e-mail Judges' way is read too, quoted or not: "Starting position for Spring of 1902.", "France: Army Paris.",
"Ownership of supply centers:".
"""

from __future__ import annotations

import re

import msgspec

from legation.board import province_of
from legation.game import DocumentError, SavedGameError, read_position, read_task, replay
from legation.game.documents import present
from legation.game.formats import kind_of
from legation.judge import Ruleset
from legation.notation import OrderTextError
from legation.position import Position, Turn, TurnTextError
from legation.web.designer.uploads import VariantUploads
from legation.web.serving.pages import PageError

CENTERS = re.compile(r"(?i)\s*(?:supply\s+)?cent(?:er|re)s?\b:?\s*")
OWNERSHIP = re.compile(r"(?i)(?:ownership of )?supply cent(?:er|re)s\b.*:")
JUDGE_TURN = re.compile(
    r"(?i)(?:starting position|status of the (\w+) phase|(\w+) (?:orders|phase)) for (\w+) (?:of )?(\d+)\b.*"
)
DISLODGED = re.compile(r"(?i)\s*dislodged\b:?\s*")


class PasteError(ValueError):
    """What was pasted is no position; ``faults`` says why."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("; ".join(faults))


def read_paste(text: str, variant: str, workshop: VariantUploads) -> tuple[Ruleset, Position, str]:
    """The rules, the position and the name of the variant. A document names its variant itself; words are of
    ``variant``.

    :raises PasteError: with all that is wrong.
    """
    if not text.strip():
        raise PasteError(["Nothing was pasted."])
    if text.lstrip().startswith("{"):
        return _document(text, workshop)
    try:
        rules = workshop.rules(variant)
    except PageError as error:
        raise PasteError([error.detail]) from None
    return rules, read_words(rules, text), variant


def _document(text: str, workshop: VariantUploads) -> tuple[Ruleset, Position, str]:
    try:
        document = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise PasteError([f"This begins like a document but is no JSON: {error}."]) from None
    if isinstance(document, dict):
        try:
            document = present(document)  # an answer goes on with what came of it
        except DocumentError as error:
            raise PasteError(error.faults) from None
    name = str(document.get("variant", "")) if isinstance(document, dict) else ""
    try:
        registry = workshop.registry(name)
        if kind_of(document) == "game":
            game, differences = replay(document, registry)
            if differences:
                raise PasteError([f"The game does not replay to what it says: {d}" for d in differences[:10]])
            return game.rules, game.position, name
        task = read_task(document, registry)
    except PageError as error:
        raise PasteError([error.detail]) from None
    except (DocumentError, SavedGameError) as error:
        raise PasteError(error.faults[:30]) from None
    return task.rules, task.position, name


def read_words(rules: Ruleset, text: str) -> Position:
    """A position in words. Without a turn it is the first; where nobody's centers are named they are as at the start.

    :raises PasteError: with all that is wrong.
    """
    turn = rules.first_turn()
    document: dict[str, dict[str, list[str]]] = {"units": {}, "centers": {}, "dislodged": {}}
    faults: list[str] = []
    power, listing = "", "units"
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip(" \t>")
        if not line:
            continue
        if (named_turn := _turn(line, turn)) is not None:
            turn = named_turn
            continue
        if OWNERSHIP.fullmatch(line):
            listing, power = "centers", ""
            continue
        named, rest = _heading(rules, line)
        power = named or power
        if not power:
            faults.append(f"Line {number}, “{line[:60]}”: begin with the turn, or with a power before its units.")
            continue
        kind = listing
        for part in re.split(r"[,;]", rest):
            if match := CENTERS.match(part):
                kind, part = "centers", part[match.end() :]
            elif match := DISLODGED.match(part):
                kind, part = "dislodged", part[match.end() :]
            if part.strip():
                document[kind].setdefault(power, []).append(part.strip(" \t."))
    whole: dict[str, object] = {"turn": str(turn), "units": document["units"], "dislodged": document["dislodged"]}
    if document["centers"]:
        whole["centers"] = document["centers"]
    else:
        whole["centers"] = {p: [c for c, owner in rules.opening().owners.items() if owner == p] for p in rules.powers}
    position = read_position(rules, whole, faults)
    if faults:
        raise PasteError(faults[:30])
    return position


def _turn(line: str, first: Turn) -> Turn | None:
    """The turn that a line names, in our words or in a Judge's; a Judge that names no phase means movement."""
    text = line.rstrip(":.")
    if match := JUDGE_TURN.fullmatch(line):
        phase = match[1] or match[2] or ""
        text = f"{match[3]} {match[4]} {'Movement' if phase.lower() in ('', 'movement') else phase}"
    try:
        turn = Turn.parse(text)
    except TurnTextError:
        return None
    return turn if turn.season or not first.season else Turn(first.season, turn.year, turn.phase)


def _heading(rules: Ruleset, line: str) -> tuple[str, str]:
    head, colon, rest = line.partition(":")
    for name, what in ((head, rest), (line.rstrip("."), "")):
        if colon or name != head or name == line:
            try:
                return rules.reader.power(name.strip()), what
            except OrderTextError:
                continue
    return "", line


def position_text(rules: Ruleset, position: Position) -> str:
    """A position in words, as :func:`read_words` reads it."""
    lines = [str(position.turn)]
    for power in rules.powers:
        units = [str(unit) for unit in position.units_of(power)]
        out = [str(d.unit) for d in position.dislodged if d.unit.power == power]
        centers = [province_of(center) for center in position.centers_of(power)]
        if units or out or centers:
            words = ", ".join(units)
            words += f"; dislodged {', '.join(out)}" if out else ""
            lines.append(f"{power}: {words}; centers {', '.join(centers)}" if centers else f"{power}: {words}")
    return "\n".join(lines) + "\n"
