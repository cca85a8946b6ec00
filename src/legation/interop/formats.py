"""The formats of variants, and which of them a file is in."""

import re
from collections.abc import Iterable, Mapping
from types import ModuleType

from legation.interop import diplicity, godip, jdip, njudge
from legation.interop.dpjudge import maps
from legation.interop.record import ForeignVariant
from legation.interop.sources import ForeignFileError, Source, read_formats
from legation.interop.webdiplomacy import reading

COMPANIONS = (
    (r"(^|/)(info|seed|intro)\.\w+$", "goes with an njudge map; import map.NAME, with this file beside it"),
    (
        r"\.(geography|politics|military|locations)$",
        "is a part of a DPjudge map; import the .map file that uses it, with this file beside it",
    ),
    (
        r"\.(svg|ps|eps|pdf|png|gif|jpe?g|webp)$",
        "is a picture, and says nothing of borders and rules; import the file of the variant that it belongs to, "
        "with the picture beside it, or draw over it in the designer",
    ),
)
"""Names of files that belong to a variant without being one, and what is said of them."""
MODULES: tuple[ModuleType, ...] = (maps, jdip, njudge, diplicity, godip, reading)


def formats() -> Mapping[str, ModuleType]:
    """The modules of the formats by name."""
    return {module.NAME: module for module in MODULES}


def read_variants(source: Source, wanted: str = "") -> list[ForeignVariant]:
    """All variants of a source, in whatever formats they are found to be, or in the one that is ``wanted``.

    :raises ForeignFileError: if no format is recognized, or a file cannot be read in it."""
    known = formats()
    if wanted and wanted not in known:
        raise ForeignFileError(f"unknown format {wanted!r}; the formats are {', '.join(known)}")
    if variants := read_formats(source, known, wanted):
        return variants
    titles = "; ".join(module.TITLE for module in known.values())
    name = next(iter(source.names), "")
    companions = [f"{name}: {why}" for pattern, why in COMPANIONS if re.search(pattern, name.lower())]
    raise ForeignFileError(
        *companions[:1],
        f"{source.title}: no variant of a known format was found; these are: {titles}",
        unknown=True,
    )


def recognized(source: Source, modules: Iterable[ModuleType]) -> list[str]:
    """The titles of the formats in which there are files."""
    return [module.TITLE for module in modules if module.recognize(source)]
