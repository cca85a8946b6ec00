"""Variants of webDiplomacy and vDiplomacy: the tables and classes of their PHP, read as data and never run."""

from legation.interop.webdiplomacy.reading import NAME, TITLE, read, recognize

__all__ = ["NAME", "TITLE", "read", "recognize"]
