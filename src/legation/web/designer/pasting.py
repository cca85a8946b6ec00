"""Positions that people paste: documents (a position, an answer, a saved game), or words.

In words a position is a turn, and for each power a line or a few with its units and, after ``centers``, what it owns::

    Spring 1902 Movement
    France: A par, A bur, F bre; centers par, mar, bre, spa
    Germany: A mun
    F kie

The e-mail Judges' way is read too, quoted or not: "Starting position for Spring of 1902.", "France: Army Paris.",
"Ownership of supply centers:". Orders alone are enough, each with its unit's kind and place."""

import re
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from legation.board import province_of
from legation.children import ChildError, Children
from legation.formats import decode_json
from legation.game import (
    DocumentError,
    SavedGameError,
    implied_position,
    position_document,
    read_position,
    read_task,
    replay,
)
from legation.game.formats import kind_of
from legation.game.reading_documents import present
from legation.judge import Ruleset
from legation.notation import OrderTextError, write
from legation.orders import Sheet
from legation.position import Position, Turn, TurnTextError
from legation.variants import USUAL, Registry, VariantError, read_kept
from legation.web.designer.uploads import PREFIX, VariantUploads, build
from legation.web.serving.pages import PageError

T = TypeVar("T")

READERS = Children(most=1, seconds=6, megabytes=700)
MOST_FAULTS = 30
CENTERS = re.compile(r"(?i)\s*(?:supply\s+)?cent(?:er|re)s?\b:?\s*")
OWNERSHIP = re.compile(r"(?i)(?:ownership of )?supply cent(?:er|re)s\b.*:")
JUDGE_TURN = re.compile(
    r"(?i)(?:starting position|status of the (\w+) phase|(\w+) (?:orders|phase)) for (\w+) (?:of )?(\d+)\b.*"
)
DISLODGED = re.compile(r"(?i)\s*dislodged\b:?\s*")


class PasteError(ValueError):
    """Pasted text that isn't a position; ``faults`` says why."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("; ".join(faults))


class Pasted(msgspec.Struct, frozen=True):
    """Answer of the child process that reads: variant, chosen options and position as a document, or the faults."""

    variant: str = ""
    options: dict[str, Any] = {}
    position: dict[str, Any] = {}
    sheet: str = ""
    faults: list[str] = []


def read_paste(text: str, variant: str, variant_uploads: VariantUploads) -> tuple[Ruleset, Position, str, str]:
    """The rules, the position, the name of the variant, and the orders if these are what was pasted.

    A document names its variant itself; words are of ``variant``. The text is read by a child process, with limits of
    time and memory (PasteError: with all that is wrong; PageError: 503 where no child is free)."""
    if not text.strip():
        raise PasteError(["Nothing was pasted."])
    folders = variant_uploads.folders
    try:
        if text.lstrip().startswith("{"):
            variant = _ask(str, "named_variant", text)
            known = variant_uploads.files_of(variant), variant_uploads.kept_of(variant)
            read = _ask(Pasted, "read_document", text, folders, *known)
        else:
            variant_uploads.rules(variant)  # there is such a variant
            known = variant_uploads.files_of(variant), variant_uploads.kept_of(variant)
            read = _ask(Pasted, "read_position_words", text, variant, folders, *known)
        if read.faults:
            raise PasteError(read.faults)
        name = variant if known[1] else read.variant  # one of the catalog by the name that lists it
        rules = variant_uploads.registry(name).load(name, read.options)
    except PageError as error:
        if error.status_code == 503:
            raise
        raise PasteError([error.detail]) from None
    faults: list[str] = []
    position = read_position(rules, read.position, faults)
    if faults:
        raise PasteError(faults[:MOST_FAULTS])
    return rules, position, name, read.sheet


def _ask(returns: type[T], function: str, *arguments: object) -> T:
    try:
        return READERS.call(returns, f"{__name__}:{function}", *arguments)
    except ChildError as error:
        if error.reason == "away":
            raise PageError(503, "Other texts are being read right now.", mend="Try again in a minute.") from None
        what = f"it cannot be read ({error.kind})" if error.reason == "failed" else str(error)
        raise PasteError([f"Reading this was stopped: {what}."]) from None


# Run in a child


def named_variant(text: str) -> str:
    """The variant that a document names; empty where it names none."""
    try:
        document = decode_json(text)
    except msgspec.DecodeError:
        return ""
    name = document.get("variant") if isinstance(document, dict) else None
    return name[:80] if isinstance(name, str) else ""


def read_document(text: str, folders: list[str], files: dict[str, dict[str, str]], kept: bytes) -> Pasted:
    """Read a document: a position, an answer, or a saved game. ``files`` are those of an uploaded variant, by its
    name; ``kept`` is one of the catalog."""
    try:
        document = decode_json(text)
        if isinstance(document, dict):
            document = present(document)  # an answer goes on with what came of it
        registry = _registry(tuple(folders), files)
        if kept and isinstance(document, dict):
            document["variant"] = registry.add_kept(read_kept(kept))
        if kind_of(document) == "game":
            game, differences = replay(document, registry)
            if differences:
                return Pasted(
                    faults=[
                        f"Replaying the game gives another result than the file says: {d}" for d in differences[:10]
                    ]
                )
            return _pasted(game.rules, game.position)
        task = read_task(document, registry)
    except msgspec.DecodeError as error:
        return Pasted(faults=[f"This begins like a document but isn't JSON: {error}."])
    except (DocumentError, SavedGameError, VariantError) as error:
        return Pasted(faults=error.faults[:MOST_FAULTS])
    return _pasted(task.rules, task.position)


def read_position_words(
    text: str, variant: str, folders: list[str], files: dict[str, dict[str, str]], kept: bytes
) -> Pasted:
    """Read a position in words."""
    registry = _registry(tuple(folders), files)
    rules = registry.load(registry.add_kept(read_kept(kept)) if kept else variant)
    try:
        return _pasted(rules, read_words(rules, text))
    except PasteError as error:
        return _read_orders_alone(rules, text) or Pasted(faults=error.faults)


def _read_orders_alone(rules: Ruleset, text: str) -> Pasted | None:
    """Orders below the names of their powers, and the position that they imply; None if they imply none."""
    turns = [turn for line in text.splitlines() if (turn := _turn(line.strip(" \t>"), rules.first_turn()))]
    turn = turns[0] if turns else rules.first_turn()
    sheets = [
        Sheet(power, tuple(orders)) for power, (orders, _) in rules.reader.sheets(text, turn.phase).items() if power
    ]
    position, _ = implied_position(rules, turn, sheets)
    if not (position.units or position.dislodged):
        return None
    sheet = "\n\n".join("\n".join([sheet.power, *map(write, sheet.orders)]) for sheet in sheets if sheet.orders)
    owners = position.owners or rules.opening().owners
    return _pasted(rules, msgspec.structs.replace(position, owners=owners), sheet)


def _pasted(rules: Ruleset, position: Position, sheet: str = "") -> Pasted:
    return Pasted(rules.name, dict(rules.chosen), position_document(rules, position), sheet)


def _registry(folders: tuple[str, ...], files: dict[str, dict[str, str]]) -> Registry:
    for name, texts in files.items():
        registry = build(name.removeprefix(PREFIX), texts, folders).registry
        if registry is not None:
            return registry
    return _usual(folders)


@cache
def _usual(folders: tuple[str, ...]) -> Registry:
    return Registry(*(Path(folder) for folder in folders), tolerant=True) if folders else USUAL


def read_words(rules: Ruleset, text: str) -> Position:
    """Read a position in words; by default the first turn and the first owners (PasteError: all that is wrong)."""
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
        raise PasteError(faults[:MOST_FAULTS])
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
