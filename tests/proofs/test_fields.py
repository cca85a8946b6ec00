"""The table of each field of each line (``docs/tables/fields.csv``) says what both verifiers say where those with the
keys write another value into it and make all the rest fit."""

import csv
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest

from legation.proofs import kinds
from legation.proofs.receipts import SignedHead, signed_by
from legation.proofs.records import FIELDS
from legation.proofs.signing import public_key
from tests.proofs.building import HOUR, Office
from tests.proofs.games import fog, full, hidden, kingdoms, seldom
from tests.proofs.tampering import (
    Path_,
    Rows,
    at,
    changed,
    committed,
    first_check,
    replaced,
    resigned,
    rows_of,
    second_check,
    second_game,
    written,
)
from tests.sampling import some

Outcome = Literal["receipts", "told", "word", "fails"]
OUTCOMES: tuple[Outcome, ...] = ("receipts", "told", "word", "fails")  # the least noticed first
GAMES: tuple[Callable[[], Office], ...] = (seldom, hidden, lambda: fog(turns=2), lambda: kingdoms(1), full)


def all_fields() -> list[str]:
    """``kind.field``, ``record.field`` of what a commitment opens to, and what all lines have beside their chain."""
    lines = [
        f"{kind}.{field}" for kind, data in kinds.KINDS.items() for field in data.__struct_fields__ if kind != "private"
    ]
    return [*lines, *(f"record.{field}" for field in FIELDS), "line.at", "line.kind", "private.salt"]


def places(rows: Rows, field: str) -> Iterator[tuple[int, Path_]]:
    """Where a field stands in a transcript, also in an opened private line."""
    kind, _, name = field.partition(".")
    for number, row in enumerate(rows):
        if kind in ("line", "private") and name in row.get(kind, {}):
            yield number, (kind, name)
        if kind == "record" and name in row.get("opening", {}).get("opened", {}):
            yield number, ("opening", "opened", name, "value")
        for group in ("line", "private"):
            entry = row.get(group, {})
            if entry.get("kind") == kind and name in entry["data"]:
                yield number, (group, "data", name)
            for index, said in enumerate(entry.get("data", {}).get("said", ())):
                if group == "private" and said["kind"] == kind and name in said["data"]:
                    yield number, (group, "data", "said", index, "data", name)


def others(office: Office, value: Any) -> list[Any]:
    """Plausible false values for a field: of the same form, and other seats or turns of this game."""
    turns = [turn.name for turn in office.turns]
    for names in (list(office.seats), turns):
        if value in names:
            return [names[names.index(value) - 1]]
    if isinstance(value, dict):
        return [{**value, key: other} for key in value for other in others(office, value[key])]
    if isinstance(value, list) and value:
        return [value[:-1], *([other, *value[1:]] for other in others(office, value[0]))]
    if isinstance(value, int) and not isinstance(value, bool) and value > 10**12:
        return [value - HOUR // 60, value + HOUR // 60]
    return [changed(value)]


@cache
def _honest(office: Callable[[], Office], keeper: bool) -> tuple[Rows, list[list[str]]]:
    rows = resigned(office(), rows_of(office()), keeper=keeper)
    return rows, said(office(), written(rows))


def said(office: Office, data: bytes) -> list[list[str]]:
    """What both verifiers tell of a file that holds: words and what is told, of each."""
    first = first_check(office, data)
    return [first.words, first.told + first.unchecked, *_second(office, data)]


def noticed(game: Callable[[], Office], field: str, row: int, path: Path_, value: Any, *, keeper: bool) -> Any:
    """What each of the verifiers says, or None where nothing is another."""
    office = game()
    keeper = keeper or not office.elsewhere
    honest, before = _honest(game, keeper)
    rows = replaced(rows_of(office), row, path, value)
    if field.startswith("record."):
        rows = committed(rows, row)
    data = written(resigned(office, rows, keeper=keeper))
    if data == written(honest):
        return None
    outcomes: list[Outcome] = []
    report = first_check(office, data)
    now = [report.words, report.told + report.unchecked]
    if report.failures:
        outcomes.append("fails")
    else:
        outcomes.append("word" if now[0] != before[0] else "told" if now[1] != before[1] else "receipts")
    if second_check(office, data):
        outcomes.append("fails")
    else:
        after = _second(office, data)
        outcomes.append("word" if after[0] != before[2] else "told" if after[1] != before[3] else "receipts")
    if "receipts" in outcomes:
        last = office.lines[-1]
        head = signed_by(office.office, SignedHead(game=office.game, n=last.n, hash=last.hash, at=last.at))
        assert not first_check(office, data, [head]).holds and second_check(office, data, [head])
    return outcomes


def _second(office: Office, data: bytes) -> list[list[str]]:
    game = second_game(public_key(office.office), data)
    return [list(game.words), game.notes]


TABLE_FILE = Path(__file__).parents[2] / "docs" / "tables" / "fields.csv"
SAID = {"only receipts": "receipts", "told": "told", "**word**": "word", "**fails**": "fails"}
with TABLE_FILE.open(encoding="utf-8", newline="") as file:
    TABLE = {field.strip("`"): cells for field, *cells in list(csv.reader(file))[1:]}


def test_each_field_has_a_row_and_each_row_a_field() -> None:
    assert sorted(TABLE) == sorted(all_fields())
    assert all(signer and checker for signer, checker, *_ in TABLE.values())


def test_each_further_test_is_there() -> None:
    for *_, tests in TABLE.values():
        for file, name in re.findall(r"`(\w+\.py)::(\w+)`", tests):
            assert f"def {name}(" in Path(__file__).with_name(file).read_text("utf-8")


def promised(cell: str) -> list[int]:
    """The least that each verifier says, by a cell of the table."""
    first, _, second = cell.partition(" / ")
    return [OUTCOMES.index(SAID[part]) for part in (first, second or first)]


@pytest.mark.parametrize("keeper", [False, True], ids=["changed later", "written so"])
@pytest.mark.parametrize("field", some(all_fields(), 30, pytest.mark.longest))
def test_the_verifiers_say_what_the_table_says(field: str, keeper: bool) -> None:
    """In games with the keeper elsewhere and in the folder; there the office's keys are the keeper's as well."""
    cell = TABLE[field][2 + keeper]
    random = Random(field)
    for game in GAMES:
        office = game()
        if cell == "–" or (not keeper and not office.elsewhere):
            continue
        rows = rows_of(office)
        listed = list(places(rows, field))
        for row, path in random.sample(listed, min(1 + (office in (seldom(), hidden())), len(listed))):
            for value in others(office, at(rows, row, path)):
                outcomes = noticed(game, field, row, path, value, keeper=keeper)
                said = [OUTCOMES.index(outcome) for outcome in outcomes or ()]
                least = zip(said, promised(cell), strict=True) if said else ()
                assert all(one >= other for one, other in least), (outcomes, cell, path)
