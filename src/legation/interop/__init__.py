"""Other systems' files: reading their variants and games, and writing ours for them.

One module or folder a format; :mod:`legation.interop.record` is what they all read into.
``docs/bring-your-variant.md`` and ``docs/bring-your-games.md`` are the manuals."""

from legation.interop.formats import formats, read_variants
from legation.interop.record import ForeignVariant
from legation.interop.sources import ForeignFileError, Source, open_source
from legation.interop.writing import Written, report_text, write_variants

__all__ = [
    "ForeignFileError",
    "ForeignVariant",
    "Source",
    "Written",
    "formats",
    "open_source",
    "read_variants",
    "report_text",
    "write_variants",
]
