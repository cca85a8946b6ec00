"""Mutants of the variants' files and of the boards' tables: each number, name and row changed in turn."""

import csv
import io
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.mutants.code import ROOT, SOURCE, Mutant

VARIANTS = SOURCE / "legation" / "variants"
PROSE = frozenset(["title", "summary", "credits", "color"])  # what is read and seen only
# What rules hang on. Points, and the tables that only the picture is drawn from, are held by lint against the shapes.
COLUMNS = frozenset(
    "id name aliases region area kind coasts coast center capital home a b army fleet change seas".split()
)
TABLES = frozenset("land sea borders touching seas_of_coasts links".split())


def data_files() -> list[Path]:
    """The variants that come with the project, and the tables of their boards."""
    variants = [p for p in sorted((VARIANTS / "data").glob("*.toml")) if not p.name.endswith(".clauses.toml")]
    return variants + [p for p in sorted((VARIANTS / "boards").rglob("*.csv")) if p.stem in TABLES]


def mutants_of_data(path: Path) -> list[Mutant]:
    """Every mutant of a file."""
    text = path.read_text(encoding="utf-8")
    found = _of_variant(text) if path.suffix == ".toml" else _of_table(text, _one_area(path))
    place = path.relative_to(ROOT).as_posix()
    mutants = {}
    for line, where, old, new, changed in found:
        mutant = Mutant(place, line, where, old, new, changed)
        mutants[mutant.key] = mutant
    return list(mutants.values())


# Variants


def _of_variant(text: str) -> Iterator[tuple[int, str, str, str, str]]:
    facts = tomllib.loads(text)
    for trail in _trails(facts):
        if trail[-1] in PROSE:
            continue
        for new in _changes(_at(facts, trail)):
            changed = deepcopy(facts)
            holder = _at(changed, trail[:-1])
            if new is None:
                del holder[trail[-1]]
            else:
                holder[trail[-1]] = new
            where = ".".join(map(str, trail))
            yield 1, where, _shown(_at(facts, trail)), "(gone)" if new is None else _shown(new), _toml(changed)


def _trails(value: Any, trail: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each table, list and value."""
    if trail:
        yield trail
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield from _trails(entry, (*trail, key))


def _at(facts: Any, trail: Sequence[Any]) -> Any:
    for key in trail:
        facts = facts[key]
    return facts


def _changes(value: Any) -> list[Any]:
    """What a value is changed to; None leaves it out."""
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1, value - 1]
        case str():
            return [None, f"{value}x"]
        case list() if len(value) > 1:
            return [None, [*value[1:], value[0]]]
    return [None]


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:200]


def _toml(value: Any, inner: bool = False) -> str:
    match value:
        case dict() if inner:
            return "{" + ", ".join(f"{json.dumps(k)} = {_toml(v, True)}" for k, v in value.items()) + "}"
        case dict():
            return "".join(f"{json.dumps(key)} = {_toml(entry, True)}\n" for key, entry in value.items())
        case list():
            return "[" + ", ".join(_toml(entry, True) for entry in value) + "]"
    return json.dumps(value, ensure_ascii=False)


# Tables of boards


def _one_area(path: Path) -> dict[str, str]:
    """Sea region -> its area, for the table of what touches: regions of
    one area are neighbors, touching or not (W-8b)."""
    if path.stem != "touching":
        return {}
    with path.with_name("sea.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row["area"] for row in csv.DictReader(file)}


def _of_table(text: str, areas: Mapping[str, str]) -> Iterator[tuple[int, str, str, str, str]]:
    head, *rows = list(csv.reader(io.StringIO(text)))
    for number, row in enumerate(rows):
        line = number + 2
        if areas and areas.get(row[0]) == areas.get(row[1], ""):
            continue
        yield line, row[0], ",".join(row), "(gone)", _csv([head, *rows[:number], *rows[number + 1 :]])
        for column, (name, value) in enumerate(zip(head, row, strict=True)):
            if name not in COLUMNS:
                continue
            for new in _cells(name, value, {r[column] for r in rows}):
                changed = [*row[:column], new, *row[column + 1 :]]
                where = f"{'-'.join(row[:2]) if head[:2] == ['a', 'b'] else row[0]} {name}"
                yield line, where, value, new, _csv([head, *rows[:number], changed, *rows[number + 1 :]])


def _cells(column: str, value: str, others: set[str]) -> list[str]:
    """What a cell is changed to: another of few values, one name less, or a different name."""
    if column == "aliases":
        names = [name for name in value.split("|") if name]
        return ["|".join(names[:i] + names[i + 1 :]) for i in range(len(names))]
    if len(others) < 12:
        return sorted(others - {value})[:2]
    if column in ("a", "b"):
        return []  # no other border than the rows that are left out
    return [f"{value}x"] if value else []


def _csv(rows: Sequence[Sequence[str]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()
