"""Where commands take positions from: a variant (its opening), a position document, an answer (what came of it), a
saved game (as it stands)."""

from collections.abc import Iterable
from pathlib import Path

from legation.cli.app import Choices, Source, app
from legation.cli.terminal import (
    fail,
    faults_as_lines,
    known_variants,
    load_variant,
    read_bytes,
    read_choices,
    read_json,
    say,
    shown,
    write_json,
)
from legation.game import DocumentError, SavedGameError, Unread, gather_sheets, load_game, position_document, read_task
from legation.game.documents import ending_document
from legation.game.formats import kind_of
from legation.game.reading_documents import present
from legation.judge import Ruleset
from legation.orders import Sheet
from legation.position import Position


def standing(source: str, choices: list[str] | None = None, variant: str = "") -> tuple[Ruleset, Position, object]:
    """The rules and the position that a source stands for, or an error message; its orders do not matter. With the
    game's ending as documents have it, which is told; None while it goes on.

    A document that names no variant is of ``variant``."""
    if is_variant(source):
        rules = load_variant(source, read_choices(choices))
        return rules, rules.opening(), None
    if choices:
        fail(f"the options of {shown(source)} are fixed; leave out --option")
    document = read_json(source)
    with faults_as_lines(DocumentError, SavedGameError, of=shown(source)):
        if kind_of(document) == "game":
            game = load_game(document, known_variants())
            rules, position, ending = game.rules, game.position, ending_document(game.ending)
        else:
            if isinstance(document, dict):
                document = {**({"variant": variant} if variant else {}), **present(document), "orders": {}}
            task = read_task(document, known_variants())
            rules, position = task.rules, task.position
            ending = document.get("ending") if isinstance(document, dict) else None
    if ending is not None:
        say(f"legation: {shown(source)}: the game has ended: {ending['reason']}", err=True)
    return rules, position, ending


def is_variant(source: str) -> bool:
    """Whether a source is a variant's name or its file, and no document."""
    return source != "-" and (source.endswith(".toml") or not (source.endswith(".json") or Path(source).is_file()))


@app.command("position", epilog="Example: legation position hundred > turn.json")
def print_position(source: Source, option: Choices = None) -> None:
    """Print a position as a document.

    The opening of a variant, the position after a turn, or that of a saved game."""
    rules, position, ending = standing(source, option)
    document = position_document(rules, position)
    document |= {} if ending is None else {"ending": ending}
    write_json({**document, "orders": {power: [] for power in rules.powers if power in position.survivors()}})


def read_sheets(
    rules: Ruleset, position: Position, sources: Iterable[str]
) -> tuple[dict[str, Sheet], tuple[Unread, ...]]:
    """The sheets in files, and in the files of folders, or an error message with all that is wrong."""
    faults: list[str] = []
    texts: dict[str, str] = {}
    for source in _files(sources, faults):
        data = read_bytes(source)
        try:
            texts[shown(source)] = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            faults.append(f"{shown(source)}: line {line} is not UTF-8; save the file in that encoding")
    sheets, unread, left_out = gather_sheets(rules, position, texts, faults)
    if faults:
        fail(*faults)
    for told in left_out:
        say(f"legation: {told}, and isn't judged here", err=True)
    return sheets, unread


def _files(sources: Iterable[str], faults: list[str]) -> list[str]:
    files: list[str] = []
    for source in sources:
        folder = Path(source)
        if source == "-" or not folder.is_dir():
            files.append(source)
            continue
        inside = sorted(p for p in folder.iterdir() if p.is_file() and not p.name.startswith("."))
        if not inside:
            faults.append(f"{source}: there are no files in this folder")
        files += map(str, inside)
    return files
