"""Imports as tasks for a child process: what strangers send is read there, with limits of time and memory.

Each takes files by name and gives plain values; :class:`legation.children.Children` calls them."""

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from legation.game import position_document, save_game
from legation.interop.formats import formats, read_variants, recognized
from legation.interop.games import READERS, judge_as_recorded, judged_text, read_games
from legation.interop.games.histories import named_variant
from legation.interop.sources import ForeignFileError, Source, open_source
from legation.interop.writing import report_text, write_variants
from legation.variants import Registry, read_kept


class ImportedVariant(msgspec.Struct, frozen=True):
    """A variant as files by name, with the report; ``others`` are further variants of the same package."""

    files: dict[str, str]
    report: str
    others: list[str]


class ImportedGame(msgspec.Struct, frozen=True):
    """Where a game of another system stands. ``file`` is the SHA-256 of what it was read from, ``unread`` the number of
    orders that weren't understood, ``over`` says how it has ended, if it has. ``saved``: all of it as a saved game;
    empty for one that is too long."""

    title: str
    source: str
    file: str
    variant: str
    options: dict[str, Any]
    turns: int
    differences: int
    unread: int
    position: dict[str, Any]
    over: str
    report: str
    saved: dict[str, Any] = {}


LONGEST_SAVED = 4_000_000  # bytes


def import_variant(uploads: Sequence[tuple[str, bytes]]) -> ImportedVariant:
    """Import the first sound variant of some files.

    :raises ForeignFileError: if there is none, or one cannot be read."""
    with tempfile.TemporaryDirectory(prefix="legation-import-") as made:
        place = Path(made)
        source = _laid_out(uploads, place / "in")
        try:
            variants = read_variants(source)
        except ForeignFileError as error:
            if error.unknown and (titles := recognized(source, READERS.values())):
                told = f"{source.title}: is a game, not a variant ({titles[0]}); bring it with New game, Import it"
                raise ForeignFileError(told) from None
            raise
        written = write_variants(variants, place / "out")
        first = written[0]
        files = {"variant.toml": first.file.read_text(encoding="utf-8")}
        if not first.variant.ours:
            files |= {file.name: file.read_text(encoding="utf-8") for file in sorted(first.board.iterdir())}
        report = report_text(first).replace(f"{place / 'out'}/", "")  # no folder of the machine's
        return ImportedVariant(files, report, [other.variant.title for other in written[1:]])


def import_game(
    uploads: Sequence[tuple[str, bytes]],
    variant: str = "",
    options: Mapping[str, Any] | None = None,
    folder: str = "",
    kept: bytes = b"",
) -> ImportedGame:
    """Read one game of another system and judge it again.

    ``variant``: what it is of, where its files do not say; ``kept``: that variant as it is
    (:class:`legation.variants.KeptVariant`), if nobody else knows it; ``folder``: a folder of further variants.

    :raises ForeignFileError: if there is none or more than one, or it cannot be read."""
    with tempfile.TemporaryDirectory(prefix="legation-import-") as made:
        source = _laid_out(uploads, Path(made) / "in")
        records = [record for record in read_games(source) if not record.varies]
        if not records and (titles := recognized(source, formats().values())):
            raise ForeignFileError(f"{source.title}: is a variant, not a game ({titles[0]}); the designer takes it")
    if not records:
        raise ForeignFileError(f"no game was found; these are read: {', '.join(m.TITLE for m in READERS.values())}")
    if len(records) > 1:
        raise ForeignFileError(f"holds {len(records)} games; bring one at a time")
    record = records[0]
    name = named_variant(record, variant)
    registry = Registry(Path(folder)) if folder else Registry()
    record.options.update(options or {})
    loaded = registry.add_kept(read_kept(kept)) if kept else name
    judged, took = judge_as_recorded(record, partial(registry.load, loaded))
    rules, ending = judged.game.rules, judged.game.ending
    data = b"".join(content for _, content in uploads)
    saved = save_game(judged.game)
    return ImportedGame(
        title=record.title,
        source=f"{record.format}: {record.title}"[:200],
        file=hashlib.sha256(data).hexdigest(),
        variant=name,
        options=dict(rules.chosen),
        turns=judged.turns,
        differences=len(judged.differences),
        unread=len(record.unread) + len(judged.unread),
        position=position_document(rules, judged.stands),
        over=ending.reason if ending is not None and not judged.differences else "",
        report=judged_text(record, judged, took),
        saved=saved if len(msgspec.json.encode(saved)) <= LONGEST_SAVED else {},
    )


def _laid_out(uploads: Sequence[tuple[str, bytes]], place: Path) -> Source:
    """Uploaded files as a source: by their plain names, in a folder that is gone afterwards."""
    place.mkdir()
    for name, content in uploads:
        plain = PurePosixPath(name.replace("\\", "/")).name
        if not plain or plain in (".", "..") or "\0" in plain or len(plain) > 100:
            raise ForeignFileError("a file without a name that can be used")
        (place / plain).write_bytes(content)
    return open_source(place / plain) if len(uploads) == 1 else open_source(place)
