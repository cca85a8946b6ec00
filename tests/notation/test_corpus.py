"""Lines as people write them, on all boards: each means what the tables say, or is refused for the reason that they
give.

What the rows of all tables but ``corpus.tsv``, ``messages.tsv``, ``ways.tsv`` and ``marks.tsv`` mean was written down
before any of them was read; those of ``ways.tsv`` and ``marks.tsv``, and the last rows for each board in ``mails.tsv``,
were written with the code at hand. What the rulebooks print is in ``rulebooks.tsv``. Refusals were recorded afterwards
in many of them, and where the reader learned to read what it had refused, its reading was recorded.

A row that begins with ``@`` tells board, turn, power and, where it is not the opening, units, dislodged units and
centers; the rows below it hold a line (``\\n`` and ``\\t`` written so) and what it means: its orders in short style, in
any order, and behind ``!`` the codes of ``reasons.tsv`` for each part that is refused, in the order told."""

import runpy
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from legation.game import read_orders
from legation.judge import Ruleset
from legation.notation import OrderTextError, Passage, write
from legation.notation.errors import reasons
from legation.position import Dislodged, Position, Turn, Unit
from legation.variants import load
from tests.sampling import some

TABLES = (
    "corpus strangers sheets letters phrases people players writers senders ordinary messages plain habits ways marks "
    "rulebooks mails"
)
CORPORA = [Path(__file__).with_name(f"{name}.tsv") for name in TABLES.split()]


class Setting(msgspec.Struct, frozen=True):
    board: str
    turn: str
    power: str
    units: str
    dislodged: str
    centers: str = ""


def units(rules: Ruleset, text: str) -> tuple[Unit, ...]:
    found = []
    for entry in filter(None, text.split(";")):
        power, _, listed = entry.strip().partition(": ")
        found += [Unit(*rules.reader.unit(unit), power) for unit in listed.split(", ")]
    return tuple(found)


def situation(setting: Setting) -> tuple[Ruleset, Position]:
    rules = load(setting.board)
    position = msgspec.structs.replace(rules.opening(), turn=Turn.parse(setting.turn))
    if setting.units:
        position = msgspec.structs.replace(position, units=units(rules, setting.units))
    if setting.centers:
        owned = (entry.strip().partition(": ") for entry in setting.centers.split(";"))
        owners = {center: power for power, _, listed in owned for center in listed.split(", ")}
        position = msgspec.structs.replace(position, owners=owners)
    out = tuple(Dislodged(unit, None) for unit in units(rules, setting.dislodged))
    return rules, msgspec.structs.replace(position, dislodged=out)


def unescaped(text: str) -> str:
    marks = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
    parts = text.split("\\")
    done = [parts[0]]
    i = 1
    while i < len(parts):
        if parts[i]:
            done.append(marks[parts[i][0]] + parts[i][1:])
        else:
            done.append("\\" + parts[i + 1])
            i += 1
        i += 1
    return "".join(done)


def corpus(*tables: Path) -> dict[Setting, list[tuple[str, str]]]:
    found: dict[Setting, list[tuple[str, str]]] = {}
    setting = Setting("", "", "", "", "")
    for row in (row for table in tables for row in table.read_text(encoding="utf-8").split("\n")):
        if row.startswith("@\t"):
            setting = Setting(*row.split("\t")[1:])
        elif row:
            line, _, meaning = row.partition("\t")
            found.setdefault(setting, []).append((unescaped(line), meaning))
    return found


ROWS = corpus(*CORPORA)


def test_the_corpus_is_large_and_of_all_boards() -> None:
    assert sum(map(len, ROWS.values())) > 1000
    assert {setting.board for setting in ROWS} >= {"standard", "hundred", "1000ad", "three-kingdoms", "1897", "1898"}


def meaning_of(passages: Sequence[Passage]) -> list[str]:
    """What a line means, as a row has it: its orders, and the codes of what is refused."""
    orders = [write(p.order) for p in passages if p.order is not None]
    return [*orders, *(f"! {p.error.code}" for p in passages if p.error is not None)]


def parted(meaning: Sequence[str]) -> tuple[Counter[str], list[str]]:
    """The orders of a meaning, and its codes."""
    return Counter(m for m in meaning if not m.startswith("!")), [m for m in meaning if m.startswith("!")]


@pytest.mark.parametrize(
    "setting", some(ROWS, 3), ids=lambda s: f"{s.board}-{s.power}-{s.turn.split()[-1]}".replace(" ", "")
)
def test_each_line_means_what_the_corpus_says_and_nothing_is_left_out(setting: Setting) -> None:
    rules, position = situation(setting)
    wrong = []
    known = rules.reader.known_orders
    for line, meaning in ROWS[setting]:
        before = known._count
        for time in ("first", "second"):
            if time == "second" and known._count == before:
                break  # nothing of it is kept, or it would have to mean the same when it comes again
            passages = rules.reader.sheet(line, position.turn.phase, setting.power, position)
            found = meaning_of(passages)
            if parted(found) != parted(meaning.split(" | ") if meaning else []):
                wrong.append((line, time, meaning, found))
            assert_covered(line, passages)
            for passage in passages:
                assert passage.error is None or is_whole(passage.error), line
    assert wrong == []


def test_each_reason_is_that_of_a_line() -> None:
    """But for those that only a single order has, and those of limits."""
    found = {code for rows in ROWS.values() for _, meaning in rows for code in parted(meaning.split(" | "))[1]}
    assert found == {f"! {code}" for code in reasons().keys() - {"no order", "too long", "too many"}}


def is_whole(error: OrderTextError) -> bool:
    """Whether a message has nothing that is left unfilled, but for what it quotes."""
    unfilled = any(part in error.message and part not in error.text for part in ("{", "''", "  "))
    return bool(error.message) and error.message == error.message.strip() and not unfilled


def assert_covered(line: str, passages: Sequence[Passage]) -> None:
    """Every character of a line is in a passage, and what an error points at is too."""
    covered = [False] * len(line)
    for passage in passages:
        assert 0 <= passage.start <= passage.end <= len(line)
        for i in range(passage.start, passage.end):
            covered[i] = True
        if passage.error is not None:
            first, last = passage.error.span
            assert passage.start + first <= passage.start + last <= passage.end
    assert all(done or char.isspace() for done, char in zip(covered, line, strict=True)), line


@pytest.mark.parametrize(
    "setting",
    some([setting for setting in ROWS if setting.power], 8),  # a list has the orders of one power
    ids=lambda s: f"{s.board}-{s.power}-{s.turn.split()[-1]}".replace(" ", ""),
)
def test_a_list_and_a_text_mean_the_same(setting: Setting) -> None:
    rules, position = situation(setting)
    for number, (line, _) in enumerate(ROWS[setting]):
        if number % 4 and "\n" not in line:
            continue  # what is on one line is one entry of the list
        faults: list[str] = []
        as_text, untold = read_orders(rules, position, {setting.power: line}, faults)
        as_list, lost = read_orders(rules, position, {setting.power: line.split("\n")}, faults)
        whole = read_orders(rules, position, {setting.power: [line]}, faults)[0] if "\n" in line else as_list
        assert as_text == as_list == whole
        assert [u.text for u in untold] == [u.text for u in lost]
        assert faults == []


def test_the_examples_of_the_manual_are_read() -> None:
    """Those on the page on how orders are read, each in the phase in which it can be given."""
    rules = load("standard")
    phases = {"a retreat": "Fall 1902 Retreats", "a build or a removal": "Winter 1901 Adjustments"}
    for noun, *texts in runpy.run_path(str(Path(__file__).parents[2] / "docs" / "conf.py"))["EXAMPLES"]:
        turn = Turn.parse(phases.get(noun, "Spring 1901 Movement"))
        for text in ["\n".join(texts)] if noun == "a table with a head" else texts:
            position = rules.opening() if text.casefold().startswith(("all ", "everything ")) else None
            orders, errors = rules.reader.orders(text, turn.phase, "France", position)
            assert orders and errors == [], text
