"""Read a variant file, check it, and prepare the arguments of its :class:`~legation.judge.Ruleset`.

A variant is one TOML file: a board (the name of one that comes with the project, or a folder beside the file), powers,
and a table for each rule module with its settings. ``docs/variants.md`` describes every key. All errors are reported at
once, each with its place; unknown keys are errors."""

import importlib.util
import itertools
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NoReturn

import msgspec

from legation.board import Board, province_of
from legation.board.files import LANGUAGE
from legation.faults import enough, near, told
from legation.formats import FormatError, read_file, read_toml
from legation.judge import OptionError, Power, Rule, RulesError, Ruleset
from legation.notation import OrderTextError
from legation.position import Phase, Turn, TurnTextError, Unit
from legation.rules import modules
from legation.variants.settings import faults_of_settings, read_record, read_settings

LONGEST_CALENDAR = 128  # turns that are tried; more than any calendar takes to come round
MOST_POWERS = 200  # likewise
OWN = ("title", "name", "summary")
"""What is said of one variant only, and not taken from the other."""


class VariantError(ValueError):
    """Raised for a variant that can't be used; ``faults`` lists all errors, each with its place."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = told(faults)
        super().__init__("\n".join(self.faults))


class Variant(msgspec.Struct):
    """A variant file; ``title``, ``board`` and ``powers`` must be there."""

    title: str = ""
    board: str = ""
    powers: list[dict[str, Any]] = []
    name: str = ""
    summary: str = ""
    credits: str = ""
    basis: str = ""
    rules_of: str = ""
    rules: dict[str, dict[str, Any]] = {}
    options: dict[str, Any] = {}


class PowerEntry(msgspec.Struct):
    """One of the ``[[powers]]`` of a variant file; ``centers`` are its homes if left out."""

    name: str
    adjective: str = ""
    aliases: list[str] = []
    homes: list[str] = []
    homeland: str = ""
    centers: list[str] | None = None
    units: list[str] = []
    color: str = ""
    names: dict[str, str] = {}


def read_facts(path: Path, shown: str) -> dict[str, Any]:
    """Return a variant file as a dict; ``shown`` is its name in errors.

    :raises VariantError: if it doesn't exist, can't be read, or isn't TOML."""
    try:
        if not path.is_file():
            raise VariantError([f"{str(path)[:200]}: there is no such file"])
        data = read_file(path)
        return read_toml(data.decode("utf-8-sig"))
    except OSError as error:
        raise VariantError([f"{str(path)[:200]}: {error.strerror or error}"]) from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise VariantError([f"{shown}: line {line} is not UTF-8; save the file in that encoding"]) from None
    except FormatError as error:
        raise VariantError([f"{shown}: {error}"]) from None
    except VariantError:
        raise
    except ValueError as error:  # a path that no system takes
        raise VariantError([f"{shown[:200]}: {error}"]) from None


# A variant that changes another: its file says only what is different


def extended(facts: dict[str, Any], facts_of: Callable[[str], Mapping[str, Any]], faults: list[str]) -> dict[str, Any]:
    """The facts of a variant file together with those of the variant that it ``extends``.

    A rule's settings and the options replace the other's one by one, and so do the keys of a power of the same name;
    further powers and rules come after the other's. ``without`` lists powers and rules that are left out."""
    name = facts.get("extends")
    if not isinstance(name, str) or "rules_of" in facts:
        faults.append("extends: names one variant, as a text; 'rules_of' takes rules only, so leave one of the two out")
        return facts
    facts_of_other = facts_of(name)
    other = _shared(name, facts_of_other)
    own = {key: value for key, value in facts.items() if key not in ("extends", "without")}
    powers = own.get("powers", [])
    if not all(isinstance(own.get(key, {}), dict) for key in ("rules", "options")) or not _are_tables(powers):
        return own  # told when it is read
    rules = dict(other.rules)
    for key, settings in own.get("rules", {}).items():
        rules[key] = {**rules.get(key, {}), **settings} if isinstance(settings, dict) else settings
    said = {str(power.get("name")): power for power in powers}
    known = [str(power.get("name")) for power in other.powers]
    merged = {
        **{key: value for key, value in facts_of_other.items() if key not in OWN},
        **own,
        "rules": rules,
        "options": {**other.options, **own.get("options", {})},
        "powers": [{**power, **said.get(name, {})} for name, power in zip(known, other.powers, strict=True)]
        + [power for power in powers if str(power.get("name")) not in known],
    }
    return _left_out(merged, facts.get("without", []), faults)


def _shared(name: str, facts: Mapping[str, Any]) -> Variant:
    """What another variant takes from this one, which may be faulty itself.

    :raises VariantError: where what is taken is not of its type."""
    faults: list[str] = []
    variant = read_record({key: facts[key] for key in ("rules", "options", "powers") if key in facts}, Variant, faults)
    if faults or variant is None:
        raise VariantError([f"the variant {name!r}: {fault}" for fault in faults])
    return variant


def _are_tables(powers: object) -> bool:
    return isinstance(powers, list) and all(isinstance(power, dict) for power in powers)


def _left_out(merged: dict[str, Any], without: Any, faults: list[str]) -> dict[str, Any]:
    if not isinstance(without, list) or not all(isinstance(name, str) for name in without):
        faults.append("without: lists the names of powers and the keys of rules that are left out")
        return merged
    powers, rules = merged["powers"], merged["rules"]
    for name in without:
        if name not in rules and name not in [power.get("name") for power in powers]:
            faults.append(f"without: there is neither a power nor a rule {name[:60]!r}")
    return {
        **merged,
        "powers": [power for power in powers if power.get("name") not in without],
        "rules": {key: settings for key, settings in rules.items() if key not in without},
    }


# The rules of a variant


def prepare(
    name: str,
    where: str,
    facts: Mapping[str, Any],
    known: Mapping[str, type[Rule]],
    find_board: Callable[[str], Board],
    facts_of: Callable[[str], Mapping[str, Any]],
) -> Mapping[str, Any]:
    """Return the arguments with which a variant's :class:`Ruleset` is made, checked by making one; a game's options
    are not among them.

    ``where`` is the file's name in errors, ``known`` has the rule modules by key, ``facts_of`` returns the file of a
    variant by name.

    :raises VariantError: with all errors in the file."""
    faults: list[str] = []

    def stop() -> NoReturn:
        raise VariantError([f"{where}: {fault}" for fault in faults])

    variant = _read(name, facts, faults)
    if len(variant.powers) > MOST_POWERS:
        stop()
    if variant.rules_of:
        _take_rules(variant, facts_of, faults)
    chosen = _modules(variant.rules, known, faults)
    try:
        board = find_board(variant.board) if variant.board else None
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
        "modules": chosen,
        "defaults": variant.options,
        "unplayed": [kind for key, module in sorted(modules().items()) for kind in module.orders],
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
    return parts


def _read(name: str, facts: Mapping[str, Any], faults: list[str]) -> Variant:
    """Read the keys of a variant file. Faults that need neither its board nor its rules are added to ``faults``."""
    variant = read_record(facts, Variant, faults) or Variant()
    for key, mend in (("title", "a text"), ("board", "a text"), ("powers", "at least one [[powers]]")):
        if not facts.get(key):
            faults.append(f"needs {key!r}, {mend}")
    if variant.name not in ("", name):
        faults.append(f"name: a variant is called what its file is called, not {variant.name!r}; leave this out")
    if len(variant.powers) > MOST_POWERS:
        faults.append(f"powers: there are {len(variant.powers):,}; a game has at most {MOST_POWERS}")
    return variant


def findings(rules: Ruleset) -> list[str]:
    """Return findings about a valid variant that its designer should know, a sentence each."""
    return ["powers: there is only one; a game needs at least two [[powers]]"] if len(rules.powers) < 2 else []


def _take_rules(variant: Variant, facts_of: Callable[[str], Mapping[str, Any]], faults: list[str]) -> None:
    """Give a variant the rules and options of another; a table of its own replaces the other's of that name."""
    try:
        other = _shared(variant.rules_of, facts_of(variant.rules_of))
    except VariantError as error:
        faults += [f"rules_of: {fault}" for fault in error.faults]
        return
    variant.rules = {**other.rules, **variant.rules}
    variant.options = {**other.options, **variant.options}


def _entries(tables: list[dict[str, Any]], board: Board | None, faults: list[str]) -> list[PowerEntry]:
    entries: list[PowerEntry] = []
    names: set[str] = set()
    for number, table in enumerate(tables, 1):
        name = table.get("name")
        its_faults: list[str] = []
        entry = read_record(table, PowerEntry, its_faults)
        if entry is not None:
            its_faults += _faults_of(entry)
            its_faults += _faults_on(entry, board) if board is not None else ()
            if entry.name in names:
                its_faults.append("another power has this name")
            names.add(entry.name)
            entries.append(entry)
        place = f"power {name}" if name and isinstance(name, str) else f"power {number}"
        faults += [f"{place}: {fault}" for fault in its_faults]
        if enough(faults):
            break
    return entries


def _faults_of(entry: PowerEntry) -> Iterator[str]:
    if not entry.name.strip() or entry.name != " ".join(entry.name.split()):
        yield f"name: {entry.name!r} isn't a name; write words with single spaces between them"
    if entry.color and not re.fullmatch(r"#[0-9a-fA-F]{6}", entry.color):
        yield f"color: is written '#rrggbb', as in '#355ba1', not {entry.color!r}"
    for tag, name in entry.names.items():
        if not LANGUAGE.match(tag):
            yield f"names: {tag[:40]!r} isn't a tag of a language; write it in small letters: de, fr, pt-br"
        if not name.strip() or name != " ".join(name.split()):
            yield f"names: {name[:60]!r} isn't a name; write words with single spaces between them"


def _faults_on(entry: PowerEntry, board: Board) -> Iterator[str]:
    for key, centers in (("homes", entry.homes), ("centers", entry.centers or [])):
        for center in centers:
            province = board.provinces.get(center)
            if province is None:
                yield f"{key}: no province {center!r}{near(center, board.provinces) if len(center) > 1 else ''}"
            elif not province.center:
                yield f"{key}: {center!r} isn't a supply center on this board"
    regions = {p.region for p in board.provinces.values() if p.region}
    if entry.homeland and entry.homeland not in regions:
        yield f"homeland: no province of the board has the region {entry.homeland!r}{near(entry.homeland, regions)}"


def _power(entry: PowerEntry, board: Board) -> Power:
    homeland = [p.id for p in board.provinces.values() if entry.homeland and p.region == entry.homeland]
    return Power(
        name=entry.name,
        adjective=entry.adjective,
        aliases=tuple(entry.aliases),
        homes=tuple(entry.homes),
        homeland=tuple(dict.fromkeys((*entry.homes, *homeland))),
        color=entry.color,
        names=tuple(sorted(entry.names.items())),
    )


def _modules(rules: Mapping[str, dict[str, Any]], known: Mapping[str, type[Rule]], faults: list[str]) -> list[Rule]:
    chosen: list[Rule] = []
    for key, table in rules.items():
        kind = known.get(key)
        if kind is None:
            faults.append(f"rules: no rule {key!r}{near(key, known)}")
            continue
        its_faults = faults_of_settings(kind)
        settings = None if its_faults else read_settings(kind, table, its_faults)
        if settings is not None:
            try:
                chosen.append(kind(**settings))
            except RulesError as error:
                its_faults.append(str(error).removeprefix(f"{key}: "))
        faults += [f"rules.{key}: {fault}" for fault in its_faults]
    return chosen


def _start(entries: list[PowerEntry], rules: Ruleset, faults: list[str]) -> tuple[list[Unit], dict[str, str]]:
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
    reported: set[str] = set()
    for label, options in games:
        try:
            rules = Ruleset(**parts, options=options)
            rules.opening()
            fault = walk(rules)
        except (RulesError, OrderTextError, TurnTextError) as error:
            fault = str(error)
        if fault and fault not in reported:
            reported.add(fault)
            faults.append(f"{label}{fault}")


def walk(rules: Ruleset) -> str | None:
    """Return what is wrong with a calendar, found by going from turn to turn; None if nothing is."""
    turn = rules.first_turn()
    passed: dict[Turn, None] = {}
    while len(passed) < LONGEST_CALENDAR:
        if turn in passed:
            return f"calendar: {turn} comes twice; give the phases of a cycle different seasons, or the cycle years"
        if Turn.parse(str(turn)) != turn:
            return f"calendar: {str(turn)!r} is read as {str(Turn.parse(str(turn)))!r}; write it so"
        passed[turn] = None
        turn = rules.next_turn(turn)
    if any(turn.year > before.year for before, turn in itertools.pairwise(passed)):  # years are not counted down
        for before, turn in itertools.pairwise(passed):
            if turn.year < before.year:
                return f"calendar: {turn} comes after {before}"
    if Phase.MOVEMENT not in (turn.phase for turn in list(passed)[LONGEST_CALENDAR // 2 :]):
        return "calendar: the cycle has no Movement"
    for before, turn in itertools.pairwise(passed):
        if turn.phase is Phase.RETREATS and before.phase is not Phase.MOVEMENT:
            return f"calendar: {turn} comes after {before}; units are dislodged in Movement and retreat right after it"
    return None


class _FreshSource(SourceFileLoader):
    """Reads the file itself: Python's compiled copies are told apart by the second of their writing, and a designer
    tries things faster; nor is anything written into the designer's folder."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def run_file(file: Path) -> ModuleType:
    """Return a Python file of rule modules, imported under a name of its own.

    :raises VariantError: where it fails when it is run."""
    name = f"legation_rules_of_{file.parent.parent.name}_{file.stem}".replace("-", "_")
    spec = importlib.util.spec_from_file_location(name, file, loader=_FreshSource(name, str(file)))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # type hints are looked up there
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise VariantError([f"{file}: {type(error).__name__}: {error}"]) from None
    return module
