"""Names in the tables of webDiplomacy and vDiplomacy."""

from __future__ import annotations

import html


def plain(name: str) -> str:
    """A name as people read it: the tables escape some for HTML, and quotes for SQL."""
    return " ".join(html.unescape(name).replace("\\'", "'").replace('\\"', '"').split())


def key_of(name: str) -> str:
    """A territory's name as the key of its place: other marks for those that part keys from coasts and rules."""
    return plain(name).replace("/", "\u2215").replace("@", "\uff20")


def name_of(key: str) -> str:
    """Return a name with the signs that :func:`key_of` replaced in its key."""
    return key.replace("\u2215", "/").replace("\uff20", "@")
