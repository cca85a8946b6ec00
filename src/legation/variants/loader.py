"""Reads a variant file, checks it, and builds its :class:`~legation.judge.Ruleset`.

A variant is one TOML file: a board (the name of one that comes with the project, or a folder beside the file), powers, and a table for each rule module with its settings.
``docs/variants.md`` describes every key. All faults are reported at once, each with its place; unknown keys are faults.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from legation.board import Board, BoardFileError, province_of, read_board
from legation.judge import Module, OptionError, Power, RulesError, Ruleset
from legation.notation import OrderTextError
from legation.position import Phase, Turn, TurnTextError, Unit
from legation.rules import modules
from legation.variants.settings import near, read_record, read_settings

LONGEST_CALENDAR = 128  # turns that are tried; more than any calendar takes to come round
DATA = files("legation.variants") / "data"
BOARDS = files("legation.variants") / "boards"


class VariantError(ValueError):
    """A variant that cannot be used; ``faults`` lists all that is wrong, each with its place."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("\n".join(faults))


class Variant(msgspec.Struct):
    """A variant file; ``title``, ``board`` and ``powers`` must be there."""

    title: str = ""
    board: str = ""
    powers: list[dict[str, Any]] = []
    name: str = ""
    summary: str = ""
    credits: str = ""
    rules_of: str = ""
    rules: dict[str, dict[str, Any]] = {}
    options: dict[str, Any] = {}


class Entry(msgspec.Struct):
    """One of the ``[[powers]]`` of a variant file; ``centers`` are its homes if left out."""

    name: str
    adjective: str = ""
    aliases: list[str] = []
    homes: list[str] = []
    homeland: str = ""
    centers: list[str] | None = None
    units: list[str] = []
    color: str = ""


def names() -> list[str]:
    """The variants that come with the project."""
    return sorted(
        f.name.removesuffix(".toml")
        for f in DATA.iterdir()
        if f.name.endswith(".toml") and not f.name.endswith(".clauses.toml")
    )


def find_boards() -> dict[str, Path]:
    """The boards that come with the project, and their folders."""
    return {f.name: Path(str(f)) for f in sorted(BOARDS.iterdir(), key=lambda f: f.name) if f.is_dir()}


def variant_facts(name: str) -> dict[str, Any]:
    """The variant file as it stands: of a variant by name, or of a file by path.

    :raises VariantError: if there is none, it cannot be read, or it is no TOML.
    """
    try:
        if name.endswith(".toml"):
            data = Path(name).read_bytes()
        elif name in names():
            data = (DATA / f"{name}.toml").read_bytes()
        else:
            raise VariantError([f"unknown variant {name[:60]!r}{near(name[:60], names())}"])
        return tomllib.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise VariantError([f"{name[:200]}: {error.strerror or error}"]) from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise VariantError([f"{name}: line {line} is not UTF-8; save the file in that encoding"]) from None
    except RecursionError:
        raise VariantError([f"{name}: is nested too deeply"]) from None
    except ValueError as error:  # no TOML, a number of thousands of digits, a path that no system takes
        if isinstance(error, VariantError):
            raise
        raise VariantError([f"{name[:200]}: {error}"]) from None


def load(name: str, options: Mapping[str, object] | None = None) -> Ruleset:
    """The ruleset of a variant (by name, or the path of a variant file), with a game's options.

    :raises VariantError: for an unknown variant, a faulty file, or options that do not exist.
    """
    key = tuple(sorted((k, repr(v)) for k, v in (options or {}).items()))
    known = _loaded.get((name, key))
    if known is None:
        known = _build(name, options or {})
        if not name.endswith(".toml"):  # a file may change while it is being written
            if len(_loaded) > 256:
                _loaded.clear()
            _loaded[name, key] = known
    return known


_loaded: dict[tuple[str, tuple[tuple[str, str], ...]], Ruleset] = {}


@lru_cache(maxsize=32)
def _own_board(name: str) -> Board:
    return read_board(BOARDS / name)


def board_folder(name: str, beside: Path | None = None) -> Path:
    """Where a board is kept: one that comes with the project, or a folder beside a variant file.

    :raises VariantError: if there is no such board.
    """
    own = find_boards()
    if name in own:
        return own[name]
    folder = (beside or Path()) / name
    try:
        found = bool(name) and folder.is_dir()
    except OSError:  # such as a name that is too long
        found = False
    if not found:
        raise VariantError([f"there is no board {name[:60]!r}{near(name[:60], own)}"])
    return folder


def load_board(name: str, beside: Path | None = None) -> Board:
    """A board that comes with the project, or one in a folder beside a variant file.

    :raises VariantError: if there is no such board or it is faulty.
    """
    folder = board_folder(name, beside)
    try:
        return _own_board(name) if folder == Path(str(BOARDS / name)) else read_board(folder)
    except BoardFileError as error:
        raise VariantError([f"board {name!r}: {fault}" for fault in error.faults]) from None


def _build(name: str, options: Mapping[str, object]) -> Ruleset:
    facts = variant_facts(name)
    path = Path(name)
    where = path.name if name.endswith(".toml") else f"{name}.toml"
    faults: list[str] = []

    def stop() -> NoReturn:
        raise VariantError([f"{where}: {fault}" for fault in faults])

    variant = read_record(facts, Variant, faults) or Variant()
    for key, mend in (("title", "a text"), ("board", "a text"), ("powers", "at least one [[powers]]")):
        if not facts.get(key):
            faults.append(f"needs {key!r}, {mend}")
    if variant.name not in ("", path.stem if name.endswith(".toml") else name):
        faults.append(f"name: a variant is called what its file is called, not {variant.name!r}; leave this out")
    if variant.rules_of:
        _take_rules(variant, faults)
    made = _modules(variant.rules, faults)
    try:
        board = load_board(variant.board, path.parent if name.endswith(".toml") else None) if variant.board else None
    except VariantError as error:
        faults += error.faults
        board = None
    entries = _entries(variant.powers, board, faults)
    if faults or board is None:
        stop()
    parts: dict[str, Any] = {
        "name": name,
        "title": variant.title,
        "board": board,
        "powers": [_power(entry, board) for entry in entries],
        "modules": made,
        "defaults": variant.options,
    }
    try:
        plain = Ruleset(**parts)
    except RulesError as error:
        faults.append(f"rules: {error}")
        stop()
    except OptionError as error:
        faults.append(f"options: {error}")
        stop()
    parts["start"], parts["owners"] = _start(entries, plain, faults)
    if not faults:
        _try(parts, faults)
    if faults:
        stop()
    try:
        rules = Ruleset(**parts, options=options)
        rules.opening()  # two readings may not fit together
    except (OptionError, RulesError) as error:
        raise VariantError([f"options: {error}"]) from None
    return rules


def _take_rules(variant: Variant, faults: list[str]) -> None:
    """Give a variant the rules and options of another; a table of its own replaces the other's of that name."""
    if variant.rules_of not in names():
        faults.append(f"rules_of: no variant {variant.rules_of[:60]!r}{near(variant.rules_of[:60], names())}")
        return
    other = variant_facts(variant.rules_of)
    variant.rules = {**other.get("rules", {}), **variant.rules}
    variant.options = {**other.get("options", {}), **variant.options}


def _entries(tables: list[dict[str, Any]], board: Board | None, faults: list[str]) -> list[Entry]:
    """The powers' tables, read; faults name the power."""
    entries: list[Entry] = []
    for number, table in enumerate(tables, 1):
        name = table.get("name")
        found: list[str] = []
        entry = read_record(table, Entry, found)
        if entry is not None:
            found += _faults_of(entry)
            found += _faults_on(entry, board) if board is not None else ()
            if entry.name in [other.name for other in entries]:
                found.append("another power has this name")
            entries.append(entry)
        place = f"power {name}" if name and isinstance(name, str) else f"power {number}"
        faults += [f"{place}: {fault}" for fault in found]
    return entries


def _faults_of(entry: Entry) -> Iterator[str]:
    if not entry.name.strip() or entry.name != " ".join(entry.name.split()):
        yield f"name: {entry.name!r} is no name; write words with single spaces between them"
    if entry.color and not re.fullmatch(r"#[0-9a-fA-F]{6}", entry.color):
        yield f"color: is written '#rrggbb', as in '#355ba1', not {entry.color!r}"


def _faults_on(entry: Entry, board: Board) -> Iterator[str]:
    for key, centers in (("homes", entry.homes), ("centers", entry.centers or [])):
        for center in centers:
            province = board.provinces.get(center)
            if province is None:
                yield f"{key}: no province {center!r}{near(center, board.provinces) if len(center) > 1 else ''}"
            elif not province.center:
                yield f"{key}: {center!r} is no supply center on this board"
    regions = {p.region for p in board.provinces.values() if p.region}
    if entry.homeland and entry.homeland not in regions:
        yield f"homeland: no province of the board has the region {entry.homeland!r}{near(entry.homeland, regions)}"


def _power(entry: Entry, board: Board) -> Power:
    homeland = [p.id for p in board.provinces.values() if entry.homeland and p.region == entry.homeland]
    return Power(
        name=entry.name,
        adjective=entry.adjective,
        aliases=tuple(entry.aliases),
        homes=tuple(entry.homes),
        homeland=tuple(dict.fromkeys((*entry.homes, *homeland))),
        color=entry.color,
    )


def _modules(rules: Mapping[str, dict[str, Any]], faults: list[str]) -> list[Module]:
    known = modules()
    made: list[Module] = []
    for key, table in rules.items():
        kind = known.get(key)
        if kind is None:
            faults.append(f"rules: no rule {key!r}{near(key, known)}")
            continue
        found: list[str] = []
        settings = read_settings(kind, table, found)
        if settings is not None:
            try:
                made.append(kind(**settings))
            except RulesError as error:
                found.append(str(error).removeprefix(f"{key}: "))
        faults += [f"rules.{key}: {fault}" for fault in found]
    return made


def _start(entries: list[Entry], rules: Ruleset, faults: list[str]) -> tuple[list[Unit], dict[str, str]]:
    units: list[Unit] = []
    owners: dict[str, str] = {}
    taken: dict[str, str] = {}
    for entry in entries:
        place = f"power {entry.name}"
        try:
            rules.reader.power(entry.name)
        except OrderTextError as error:
            faults.append(f"{place}: name: {error}")
        for text in entry.units:
            try:
                kind, at = rules.reader.unit(text, entry.name)
            except OrderTextError as error:
                faults.append(f"{place}: units: {error}")
                continue
            if kind not in rules.kinds or not rules.board.stands(rules.kinds[kind].travel, at):
                faults.append(f"{place}: units: {text!r} cannot stand there")
            elif province_of(at) in taken:
                faults.append(f"{place}: units: {province_of(at)} is already {taken[province_of(at)]}'s")
            else:
                taken[province_of(at)] = entry.name
                units.append(Unit(kind, at, entry.name))
        for center in entry.homes if entry.centers is None else entry.centers:
            if center in owners:
                faults.append(f"{place}: {center!r} already belongs to {owners[center]}")
            owners[center] = entry.name
    return units, owners


def _try(parts: Mapping[str, Any], faults: list[str]) -> None:
    """Open a game with every reading of the options that the rules add, and go round its calendar."""
    games: list[tuple[str, dict[str, object]]] = [("", {})]
    for option in (option for module in parts["modules"] for option in module.options):
        games += [(f"with {option.name} = {reading}: ", {option.name: reading}) for reading in option.readings]
    told: set[str] = set()
    for label, options in games:
        try:
            rules = Ruleset(**parts, options=options)
            rules.opening()
            found = walk(rules)
        except (RulesError, OrderTextError, TurnTextError) as error:
            found = str(error)
        if found and found not in told:
            told.add(found)
            faults.append(f"{label}{found}")


def walk(rules: Ruleset) -> str | None:
    """What is wrong with a calendar, found by going from turn to turn."""
    turn = rules.first_turn()
    passed: dict[Turn, None] = {}
    before = turn
    while len(passed) < LONGEST_CALENDAR:
        if turn in passed:
            return f"calendar: {turn} comes twice; give the phases of a cycle different seasons, or the cycle years"
        if turn.year < before.year:
            return f"calendar: {turn} comes after {before}"
        if Turn.parse(str(turn)) != turn:
            return f"calendar: {str(turn)!r} is read as {str(Turn.parse(str(turn)))!r}; write it so"
        passed[turn] = None
        before, turn = turn, rules.next_turn(turn)
    if Phase.MOVEMENT not in (turn.phase for turn in list(passed)[LONGEST_CALENDAR // 2 :]):
        return "calendar: the cycle has no Movement"
    return None
