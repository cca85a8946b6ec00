"""What all commands share: reading input, printing errors, exit statuses 0, 1 (the input is at fault), 2 (usage)."""

import codecs
import errno
import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NoReturn

import msgspec
import typer

from legation.cli.files import replace_file
from legation.formats import decode_json
from legation.game import DocumentError, Game, PlayedTurn, SavedGameError, SheetCheck, load_game
from legation.game.json_text import decode
from legation.judge import Ruleset
from legation.judge.options import Reading
from legation.variants import Registry

LARGEST_INPUT = 64 * 1024 * 1024  # bytes; more than any game


# What could steer a terminal or turn the writing round: control characters but tab and line end, and signs of
# direction.
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """A text as a terminal may be given it: what would steer the terminal is written out (``\\x1b``)."""
    return _STEERING.sub(lambda sign: ascii(sign[0])[1:-1], text)


def say(text: str = "", *, err: bool = False, paint: Callable[[str], str] | None = None) -> None:
    """Print a line, the one way in which commands print text.

    What the terminal's encoding lacks is written out, too; ``paint`` colors what is printed."""
    stream = sys.stderr if err else sys.stdout
    encoding = stream.encoding or "utf-8"
    line = plain(text).encode(encoding, "backslashreplace").decode(encoding)
    stream.write(f"{paint(line) if paint else line}\n")
    stream.flush()


def show_progress(text: str) -> None:
    """Put a line of progress in the place of the one before, where errors go to a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()


def say_report(text: str) -> None:
    """Print a report of a turn. A terminal gets it in its width and, unless NO_COLOR is set, the outcomes in color."""
    seen = sys.stdout.isatty()
    lines = text.splitlines()
    if seen or "COLUMNS" in os.environ:
        lines = [part for line in lines for part in _hanging(line)]
    colored = seen and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    say("\n".join(lines), paint=_paint if colored else None)


def _hanging(line: str) -> list[str]:
    """A line of a report over as many as the terminal needs."""
    if len(line) <= width():
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.wrap(
        line, width(), subsequent_indent=indent, drop_whitespace=True, replace_whitespace=False, break_on_hyphens=False
    )


_UNDONE, _WRONG = "33", "31"  # yellow and red, as terminals number them
_OUTCOME = re.compile(
    r"(?m)^(  .*?  )"
    r"(?:(bounced|cut|disrupted|no convoy|no order)|(void|illegal|disbanded|ignored|not understood|dislodged))\b"
)


def _paint(text: str) -> str:
    """The outcomes of a report's orders in color: yellow what did not get through, red what was wrong or is lost."""
    return _OUTCOME.sub(lambda m: f"{m[1]}\x1b[{_UNDONE if m[2] else _WRONG}m{m[2] or m[3]}\x1b[0m", text)


def wipe() -> None:
    """Clear the screen, with what has been scrolled away, so that whoever sits down next sees nothing of what was
    written."""
    if sys.stdout.isatty():
        sys.stdout.write("\x1b[2J\x1b[3J\x1b[H")
        sys.stdout.flush()


def width() -> int:
    """The columns of the terminal; a comfortable number where nobody looks on."""
    return max(
        shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() or "COLUMNS" in os.environ else 100, 40
    )


def wrapped(text: str, lead: str = "", hang: int | None = None) -> str:
    """A text over as many lines as the terminal needs; lines after the first hang under what follows ``lead``."""
    indent = " " * (len(lead) if hang is None else hang)
    lines = textwrap.wrap(
        " ".join(text.split()), width(), initial_indent=lead, subsequent_indent=indent, break_on_hyphens=False
    )
    return "\n".join(lines) or lead.rstrip()


def columns(entries: Sequence[str], indent: int = 2) -> str:
    """Short texts side by side, read downwards, in as many columns as the terminal has room for."""
    widest = max(map(len, entries), default=0) + 2
    across = max((width() - indent) // widest, 1)
    high = -(-len(entries) // across)
    rows = [entries[row::high] for row in range(high)]
    return "\n".join((" " * indent + "".join(f"{text:<{widest}}" for text in row)).rstrip() for row in rows)


def by_unit(orders: Iterable[str]) -> list[str]:
    """Written orders, sorted by the unit that is ordered; those of one unit stay in their order."""
    return sorted(orders, key=lambda order: order.split()[:2])


def lacks(check: SheetCheck) -> list[str]:
    """Return what a sheet lacks: orders, builds, removals."""
    said = [f"no order for {', '.join(check.missing)}"] if check.missing else []
    said += [f"builds left: {check.builds_left}"] if check.builds_left else []
    return said + ([f"removals due: {check.removals_due}"] if check.removals_due else [])


def fail(*messages: str) -> NoReturn:
    """Print what is wrong with the input, a line each, and end with status 1."""
    for message in messages:
        say(f"legation: {message}", err=True)
    raise typer.Exit(1)


def faults_of(error: Exception) -> list[str]:
    """What is wrong, in lines, where an error is one of Legation's own, or of a file; nothing for any other."""
    if isinstance(error, OSError) and (error.filename or error.errno not in (errno.EPIPE, errno.ENOSPC)):
        told = error.strerror or str(error) or type(error).__name__
        return [f"{error.filename}: {told}" if error.filename else told]
    if not type(error).__module__.startswith("legation."):
        return []
    office = sys.modules.get("legation.office.errors")
    if office is None or not isinstance(error, office.OfficeError):
        whole = hasattr(error, "detail")  # what an office answered, its faults included
        return [str(fault) for fault in (not whole and getattr(error, "faults", None)) or [error]]
    lines = [error.message, *(fault for fault in error.faults if fault not in error.message)]
    return lines + ([f"did you mean {' or '.join(error.suggestions[:12])}?"] if error.suggestions else [])


@contextmanager
def faults_as_lines(*kinds: type[Exception], of: object = "") -> Iterator[None]:
    """While in force, an error of one of these kinds ends the command with a line for each of its faults. ``of`` names
    what has them, such as a file, which :func:`faults_of` doesn't."""
    try:
        yield
    except kinds as error:
        lead = f"{of}: " if of else ""
        fail(*(f"{lead}{fault}" for fault in getattr(error, "faults", None) or [error]))


def shown(source: str) -> str:
    """What a source is called in messages."""
    return "standard input" if source == "-" else source


def read_bytes(source: str) -> bytes:
    """The bytes of a file, or of standard input for ``-``."""
    try:
        if source == "-":
            return sys.stdin.buffer.read(LARGEST_INPUT + 1)
        with Path(source).open("rb") as file:
            return file.read(LARGEST_INPUT + 1)
    except OSError as error:
        fail(f"{shown(source)}: {error.strerror or error}")


def text_of(source: str) -> str:
    """The text of a file, or of standard input for ``-``."""
    try:
        return read_bytes(source).decode("utf-8-sig")
    except UnicodeDecodeError:
        fail(f"{shown(source)}: is not UTF-8")


def read_json(source: str) -> object:
    """A JSON document from a file or standard input."""
    data = read_bytes(source)
    name = shown(source)
    if len(data) > LARGEST_INPUT:
        fail(f"{name}: is larger than {LARGEST_INPUT // 1024 // 1024} MB")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return decode(data)
    except DocumentError as error:
        fail(f"{name}: {error}")
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        fail(f"{name}: isn't a JSON document: {placed(data, error)}")


def played_turn(game: Game, text: str) -> PlayedTurn | None:
    """The turn of a game that is meant by its number, from 1, or by the beginning of its name; None where there is
    none."""
    if text.isdecimal() and 1 <= int(text) <= len(game.turns):
        return game.turns[int(text) - 1]
    wanted = text.casefold()
    return next((t for t in game.turns if str(t.resolution.before.turn).casefold().startswith(wanted)), None)


def read_game(source: str) -> Game:
    """A saved game from a file or standard input, or an error message with all that is wrong."""
    with faults_as_lines(SavedGameError, of=shown(source)):
        return load_game(read_json(source), known_variants())


def placed(data: bytes, error: Exception) -> str:
    """What is wrong with a JSON document, with its line and column."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "it is written in UTF-16; save it as UTF-8"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    text = str(error)
    offset = re.search(r" \(byte (\d+)\)", text)
    if offset is None and "truncated" not in text:
        return text
    at = int(offset[1]) if offset else len(data)
    line = data.count(b"\n", 0, at) + 1
    column = len(data[data.rfind(b"\n", 0, at) + 1 : at].decode("utf-8", "replace")) + 1
    words = text.replace(offset[0], "") if offset else "it ends too early"
    return f"{words.removeprefix('JSON is malformed: ')}, at line {line}, column {column}"


def indented(value: object) -> bytes:
    """A JSON document as files have it."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def check_output(path: Path, *endings: str) -> None:
    """End with an error message where long work would find that its file cannot be written; ``endings`` are the only
    ones that its name may have."""
    if endings and path.suffix.lower() not in endings:
        fail(f"{path}: name a file that ends in {' or '.join(endings)}")
    if path.is_dir() or not path.absolute().parent.is_dir():
        fail(f"{path}: {'is a folder; name a file' if path.is_dir() else f'there is no folder {path.parent}'}")


def write_file(path: Path, content: bytes) -> None:
    """Write a file whole, or end with an error message and the old file as it was."""
    try:
        replace_file(path, content)
    except OSError as error:
        fail(f"{path}: {error.strerror or error}")


def write_json(value: object) -> None:
    """Print a JSON document."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    ascii_only = (sys.stdout.encoding or "utf-8").lower().replace("-", "") != "utf8" or _STEERING.search(text)
    say(json.dumps(decode_json(text), indent=2) if ascii_only and not text.isascii() else text)


@cache
def known_variants() -> Registry:
    """The variants that this command knows: those that come along, installed ones, and those of ``legation
    --variants``."""
    return Registry()


def make_known(path: Path) -> str:
    """Let the command know a variant file or a folder of variants, boards and rules; the variant's name, or an error
    message."""
    if path.suffix == ".toml":
        return known_variants().add_file(path)
    known_variants().add_folder(path)
    return ""


def variant_name(text: str) -> str:
    """The name of the variant that is meant by a name or by the path of a file; a file is made known."""
    if text.endswith(".toml"):
        return make_known(Path(text))
    return known_variants().name(text)


def load_variant(text: str, choices: Mapping[str, str] | None = None) -> Ruleset:
    """A variant by name or file, with options as the command line spells them, or an error message."""
    known, name = known_variants(), variant_name(text)
    usual = known.load(name)
    return known.load(name, _options(usual, choices)) if choices else usual


def read_choices(pairs: list[str] | None) -> dict[str, str]:
    """``NAME=READING`` pairs."""
    chosen: dict[str, str] = {}
    for pair in pairs or []:
        name, sign, value = (part.strip() for part in pair.partition("="))
        if not sign:
            raise typer.BadParameter(f"{pair!r}: write NAME=READING", param_hint="--option")
        chosen[name] = value
    return chosen


def spelled(reading: Reading) -> str:
    """A reading of an option as the command line spells it."""
    return str(reading).lower() if isinstance(reading, bool) else reading


def _options(rules: Ruleset, choices: Mapping[str, str]) -> dict[str, object]:
    """The readings that are meant; capitals do not matter.

    Names that aren't options are left for the loader to tell."""
    readings = {option.name: option.readings for option in rules.declared_options}
    chosen: dict[str, object] = {}
    for name, value in choices.items():
        known = {spelled(reading).casefold(): reading for reading in readings.get(name, (value,))}
        if value.casefold() not in known:
            fail(f"option {name!r} is {' or '.join(map(spelled, readings[name]))}, not {value!r}")
        chosen[name] = known[value.casefold()]
    return chosen
