"""The rules of the variants in numbered clauses, kept in ``*.clauses.toml`` beside the variant files."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from legation.formats import read_toml
from legation.variants.keeping import plain_name

FOLDER = files("legation.variants") / "data"
# The order in which the rulebooks are told: the standard game, then those that amend it, oldest first, then the rules
# that only other systems' variants have.
RULEBOOKS = ("standard", "hundred", "1897", "1000ad", "three-kingdoms", "field")


class Clause(msgspec.Struct, frozen=True):
    """A numbered rule, in our own words, and the variants in which it holds; none if no variant that ships has it.

    ``kind`` is ``test`` or, for advice that no program can test, ``text``; ``part`` is ``game`` or, for what the office
    does, ``service``."""

    id: str
    variants: tuple[str, ...]
    kind: Literal["test", "text"]
    part: Literal["game", "service"]
    summary: str


class _File(msgspec.Struct, forbid_unknown_fields=True):
    clause: list[Clause]


@cache
def all_clauses() -> Sequence[Clause]:
    """The clauses of every variant that comes with the project, rulebook by rulebook."""
    clauses: list[Clause] = []
    for name in RULEBOOKS:
        text = (FOLDER / f"{name}.clauses.toml").read_text(encoding="utf-8")
        clauses += msgspec.convert(read_toml(text), _File).clause
    return tuple(clauses)


def clauses_of(variant: str) -> list[Clause]:
    """The clauses that hold in a variant, in the order of its rulebook."""
    return [clause for clause in all_clauses() if plain_name(variant) in clause.variants]
