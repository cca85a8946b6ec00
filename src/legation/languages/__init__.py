"""Languages of readers: what the program says, in pages, mails and papers, comes from catalogs of messages."""

from legation.languages.catalogs import (
    CALLED,
    ENGLISH,
    FORMS,
    KINDS,
    POWER,
    TURNS,
    UNITS,
    Catalog,
    catalog,
    languages,
    said_in,
    text_in,
)

__all__ = [
    "CALLED",
    "ENGLISH",
    "FORMS",
    "KINDS",
    "POWER",
    "TURNS",
    "UNITS",
    "Catalog",
    "catalog",
    "languages",
    "said_in",
    "text_in",
]
