"""A whole history of games in one go: file after file, in several processes, past whatever cannot be read."""

import multiprocessing
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import islice, pairwise
from pathlib import Path, PurePosixPath

import msgspec

from legation.game import save_game
from legation.interop.games import mila
from legation.interop.games.formats import read_games
from legation.interop.games.judging import judge_as_recorded, judged_text
from legation.interop.games.pastes import PAGES
from legation.interop.games.record import RecordedGame
from legation.interop.sources import LARGEST_FILE, ForeignFileError, Source
from legation.judge import Ruleset
from legation.variants import STANDARD

ALIKE = {"classical": STANDARD, "classic": STANDARD}
"""What other systems call the standard game."""
AHEAD = 8
"""Files that wait for each process."""
AT_ONCE = 24
"""Files from which on several processes are worth their start."""

Load = Callable[[str, Mapping[str, object]], Ruleset]
"""Gives the rules of a variant with options."""


class BroughtGame(msgspec.Struct, frozen=True):
    """A game that came in: its saved game as JSON, and the report of it."""

    title: str
    document: bytes
    turns: int
    report: str
    alike: bool
    """Whether everything was understood, and judged as recorded."""


class BroughtFile(msgspec.Struct, frozen=True):
    """What came of a file: its games, and why others aren't among them; neither if no format knows it."""

    name: str
    games: list[BroughtGame]
    refused: list[str]


def named_variant(record: RecordedGame, variant: str = "", mend: str = "name it") -> str:
    """The name of a game's variant: what the record says, if none is given.

    :raises ForeignFileError: if nobody says it, with the ``mend``."""
    if name := variant or ALIKE.get(record.board, record.board):
        return name
    raise ForeignFileError(f"{record.title}: doesn't name its variant; {mend}")


def bring_game(record: RecordedGame, variant: str, load: Load) -> BroughtGame:
    """Judge a game again.

    :raises ForeignFileError: if it cannot be."""
    name = named_variant(record, variant, "name it with --variant")
    judged, options = judge_as_recorded(record, partial(load, name))
    return BroughtGame(
        title=record.title,
        document=msgspec.json.format(msgspec.json.encode(save_game(judged.game)), indent=1) + b"\n",
        turns=len(judged.game.turns),
        report=judged_text(record, judged, options),
        alike=not (judged.differences or judged.unread or record.unread),
    )


def bring_file(source: Source, wanted: str, variant: str, load: Load) -> BroughtFile:
    """Bring all games of a source; whatever goes wrong with one is told, and the others come."""
    name = source.names[0] if source.names else source.title
    try:
        records = read_games(source, wanted)
    except ForeignFileError as error:
        return BroughtFile(name, [], error.faults)
    games, refused = [], []
    for record in records:
        try:
            games.append(bring_game(record, variant, load))
        except ForeignFileError as error:
            refused += error.faults
        except Exception as error:  # one game of thousands must not end the others
            refused.append(f"{record.title}: {type(error).__name__}: {error}; please report this")
    if not records and source.main.endswith(".jsonl"):
        refused.append(f"{source.main}: isn't a game")
    return BroughtFile(name, games, refused)


def parts_of(source: Source) -> list[Callable[[], Source]]:
    """The files of a source, each as a source of its own; pages of one folder together, lines of a file of many apart.

    Each is opened when it is asked for."""
    if source.main and not source.main.lower().endswith(".jsonl"):
        return [lambda: source]
    lined = {*mila.recognize(source.part(source.ending(".jsonl")))}
    together: dict[str, list[str]] = {}
    found: list[Callable[[], Source]] = []
    for name in source.names:
        if name.lower().endswith(PAGES):
            together.setdefault(str(PurePosixPath(name).parent), []).append(name)
        elif name in lined and (path := source.path(name)) is not None:
            with path.open("rb") as file:
                starts = [0]
                while line := file.readline(LARGEST_FILE + 1):
                    starts.append(starts[-1] + len(line))
            found += [partial(_line, path, name, n, *span) for n, span in enumerate(pairwise(starts), 1)]
        else:
            found.append(partial(source.part, [name]))
    return found + [partial(source.part, names) for names in together.values()]


def _line(path: Path, name: str, number: int, start: int, end: int) -> Source:
    with path.open("rb") as file:
        file.seek(start)
        data = file.read(end - start)
    title = f"{name.removesuffix('.jsonl')}-{number}.jsonl"
    return Source(title, [title], lambda _, most: data[:most], title)


_present: tuple[list[Callable[[], Source]], str, str, Load] | None = None
"""What the processes of a history work on: they are forked, and have it."""


def _bring_part(number: int) -> BroughtFile:
    assert _present is not None
    parts, wanted, variant, load = _present
    try:
        return bring_file(parts[number](), wanted, variant, load)
    except (ForeignFileError, OSError, MemoryError, RecursionError) as error:
        return BroughtFile(f"file {number + 1}", [], [f"{type(error).__name__}: {error}"])


def bring_all(
    parts: list[Callable[[], Source]], wanted: str, variant: str, load: Load, jobs: int
) -> Iterator[BroughtFile]:
    """Bring the games of all parts in their order, in several processes if there are many.

    Where a process dies with a file, that file is told, and the others are read."""
    global _present
    _present = parts, wanted, variant, load
    numbers: Iterable[int] = range(len(parts))
    if jobs < 2 or len(parts) < AT_ONCE or sys.platform == "win32":
        yield from map(_bring_part, numbers)
        return
    done, alone = 0, 0
    while done < len(parts):
        numbers = range(done, done + 1 if alone else len(parts))
        try:
            with ProcessPoolExecutor(1 if alone else jobs, mp_context=multiprocessing.get_context("fork")) as pool:
                for brought in _in_order(pool, numbers, jobs):
                    done += 1
                    yield brought
            alone = max(alone - 1, 0)
        except BrokenProcessPool:
            if alone:
                yield BroughtFile(f"file {done + 1}", [], [f"file {done + 1}: the process that read it died"])
                done += 1
            alone = AHEAD * jobs  # one of these died; each by itself shows which


def _in_order(pool: ProcessPoolExecutor, numbers: Iterable[int], jobs: int) -> Iterator[BroughtFile]:
    waiting: list[Future[BroughtFile]] = []
    left = iter(numbers)
    while True:
        waiting += [pool.submit(_bring_part, n) for n in islice(left, AHEAD * jobs - len(waiting))]
        if not waiting:
            return
        yield waiting.pop(0).result()
