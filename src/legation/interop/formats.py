"""The formats of variants, and which of them a file is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType

from legation.interop import diplicity, jdip, judge_maps, njudge, webdiplomacy
from legation.interop.errors import ForeignFileError
from legation.interop.record import ForeignVariant
from legation.interop.sources import Source

MODULES: tuple[ModuleType, ...] = (judge_maps, jdip, njudge, diplicity, webdiplomacy)


def formats() -> Mapping[str, ModuleType]:
    """The modules of the formats by name."""
    return {module.NAME: module for module in MODULES}


def read_variants(source: Source, wanted: str = "") -> list[ForeignVariant]:
    """All variants of a source, in the format that it is found to be in, or the one that is ``wanted``.

    :raises ForeignFileError: if no format is recognized, or a file cannot be read in it.
    """
    known = formats()
    if wanted and wanted not in known:
        raise ForeignFileError(f"unknown format {wanted!r}; the formats are {', '.join(known)}")
    for name, module in known.items():
        if wanted and name != wanted:
            continue
        recognize: Callable[[Source], list[str]] = module.recognize
        entries = recognize(source)
        if wanted and not entries and source.main:
            entries = [source.main]
        if entries:
            return [variant for entry in entries for variant in module.read(source, entry)]
    listed = "; ".join(f"{module.NAME}: {module.TITLE}" for module in known.values())
    raise ForeignFileError(f"{source.title}: no variant of a known format was found ({listed})")
