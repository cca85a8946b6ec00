"""Every field of every line of a transcript, and what both verifiers say where those with the keys write another value
into it and make all the rest fit."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Literal

from legation.proofs import kinds
from legation.proofs.receipts import SignedHead, signed_by
from legation.proofs.records import FIELDS
from legation.proofs.signing import public_key
from tests.proofs.building import HOUR, Office
from tests.proofs.games import fog, full, hidden, kingdoms, seldom
from tests.proofs.tampering import (
    Path_,
    Rows,
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
    """Other values that a liar might write: of the same form, and of this game where it is a seat or a turn."""
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
