"""Variants as they were at one time: all that decides a game, kept so that games go on when the variant is changed.

What is kept is addressed by its content: ``standard@3f2a90c1...`` is the variant *standard* whose file, board and rules
had this digest. A rule itself is Python and not kept here: its version is, and an older version stays at hand as
a module of its own (:func:`legation.rules.older_versions`)."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from legation.formats import decode_json

MARK = "@"  # between a variant's name and the digest of what is kept
LENGTH = 32  # hexadecimal digits: nobody can make two variants alike
KEPT = ("*.toml", "*.csv", "shapes.json", "layout.json", "relief.json")  # the files of a board that anything reads
MERGED = ("rules", "options")  # what a variant takes from the one that its ``rules_of`` names


class KeptVariant(msgspec.Struct, frozen=True):
    """A variant as it was: its file with what it took from other variants, the version of each of its rules, and its
    board's files by name."""

    name: str
    facts: dict[str, Any]
    versions: dict[str, int]
    board: dict[str, str]

    def content(self) -> bytes:
        """The variant in bytes that depend on nothing else."""
        return msgspec.json.encode(self, order="deterministic")

    @property
    def address(self) -> str:
        """The name by which a registry that was given this knows it."""
        return f"{self.name}{MARK}{hashlib.sha256(self.content()).hexdigest()[:LENGTH]}"


def read_kept(content: bytes) -> KeptVariant:
    """A kept variant from its bytes.

    :raises msgspec.MsgspecError: where they are none."""
    return decode_json(content, type=KeptVariant)


def as_it_is(
    name: str, facts: Mapping[str, Any], other: Mapping[str, Any], versions: Mapping[str, int], board: Path
) -> KeptVariant:
    """A variant as it is now. ``facts`` is its file, ``other`` that of the variant whose rules it takes, ``versions``
    are those of all rules, ``board`` is its board's folder."""
    whole = {key: value for key, value in facts.items() if key not in ("name", "rules_of")}
    for key in MERGED:
        whole[key] = {**other.get(key, {}), **facts.get(key, {})}
    files = sorted(path for pattern in KEPT for path in board.glob(pattern))
    return KeptVariant(
        name,
        msgspec.to_builtins(whole),
        {key: versions[key] for key in sorted(whole["rules"]) if key in versions},
        {path.name: path.read_text(encoding="utf-8") for path in files},
    )


def plain_name(name: str) -> str:
    """The variant's name without what says at which time it is meant."""
    return name.partition(MARK)[0]
