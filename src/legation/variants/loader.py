"""Reads a variant file, checks it, and builds its :class:`~legation.judge.Ruleset`.

A variant is one TOML file: a board (the name of one that comes with the project, or a folder beside the file), powers, and a table for each rule module with its settings.
``docs/variants.md`` describes every key. All faults are reported at once, each with its place; unknown keys are faults.
"""

from __future__ import annotations

import difflib
import inspect
import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from legation.board import Board, BoardFileError, province_of, read_board
from legation.judge import Module, OptionError, Power, RulesError, Ruleset
from legation.notation import OrderTextError
from legation.position import Unit
from legation.rules import modules

KEYS = frozenset(["name", "title", "board", "summary", "credits", "rules", "powers", "options"])
POWER_KEYS = frozenset(["name", "adjective", "aliases", "homes", "homeland", "centers", "units", "color"])
DATA = files("legation.variants") / "data"
BOARDS = files("legation.variants") / "boards"


class VariantError(ValueError):
    """A variant that cannot be used; ``faults`` lists all that is wrong, each with its place."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("\n".join(faults))


def names() -> list[str]:
    """The variants that come with the project."""
    return sorted(f.name.removesuffix(".toml") for f in DATA.iterdir() if f.name.endswith(".toml"))


def find_boards() -> dict[str, Path]:
    """The boards that come with the project, and their folders."""
    return {f.name: Path(str(f)) for f in sorted(BOARDS.iterdir(), key=lambda f: f.name) if f.is_dir()}


def variant_facts(name: str) -> dict[str, Any]:
    """The variant file as it stands: of a variant by name, or of a file by path.

    :raises VariantError: if there is none or it is no TOML.
    """
    source = DATA / f"{name}.toml"
    if re.fullmatch(r"[\w-]+", name) and source.is_file():
        text = source.read_text(encoding="utf-8")
    elif name.endswith(".toml") and Path(name).is_file():
        text = Path(name).read_text(encoding="utf-8", errors="replace")
    elif name.endswith(".toml"):
        raise VariantError([f"{name}: there is no such file"])
    else:
        near = difflib.get_close_matches(name, names(), 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names())}"
        raise VariantError([f"unknown variant {name!r}; {hint}"])
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise VariantError([f"{name}: {error}"]) from None


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
    if re.fullmatch(r"[\w-]+", name) and (BOARDS / name).is_dir():
        return Path(str(BOARDS / name))
    folder = (beside or Path()) / name
    if folder.is_dir():
        return folder
    raise VariantError([f"there is no board {name!r}; there are {', '.join(find_boards())}"])


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
    where = Path(name).name if name.endswith(".toml") else f"{name}.toml"
    faults: list[str] = []
    for key in facts.keys() - KEYS:
        faults.append(f"{where}: unknown key {key!r}{_near(key, KEYS)}")
    for key in ("name", "title", "board"):
        if not isinstance(facts.get(key), str):
            faults.append(f"{where}: needs a text {key!r}")
    for key in ("summary", "credits"):
        if not isinstance(facts.get(key, ""), str):
            faults.append(f"{where}: {key!r} must be a text")
    for key in ("rules", "options"):
        if not isinstance(facts.get(key, {}), dict):
            faults.append(f"{where}: {key!r} must be a table ([{key}])")
    if not isinstance(facts.get("powers"), list) or not facts["powers"]:
        faults.append(f"{where}: needs at least one [[powers]]")
    if faults:
        raise VariantError(faults)
    try:
        board = load_board(facts["board"], Path(name).parent if name.endswith(".toml") else None)
    except VariantError as error:
        raise VariantError([f"{where}: {fault}" for fault in error.faults]) from None
    powers = [_power(where, number, entry, board, faults) for number, entry in enumerate(facts["powers"], 1)]
    for repeated in {p.name for p in powers if [q.name for q in powers].count(p.name) > 1}:
        faults.append(f"{where}: two powers are called {repeated!r}")
    made = _modules(where, facts.get("rules", {}), faults)
    if faults:
        raise VariantError(faults)
    parts: dict[str, Any] = {
        "name": facts["name"] if not name.endswith(".toml") else name,
        "title": facts["title"],
        "board": board,
        "powers": powers,
        "modules": made,
    }
    try:
        plain = Ruleset(**parts, defaults=facts.get("options", {}))
    except (RulesError, OptionError) as error:
        raise VariantError([f"{where}: {error}"]) from None
    units, owners = _start(where, facts["powers"], plain, faults)
    if faults:
        raise VariantError(faults)
    try:
        return Ruleset(**parts, start=units, owners=owners, defaults=facts.get("options", {}), options=options)
    except OptionError as error:
        raise VariantError([f"options: {error}"]) from None


def _near(word: str, known: frozenset[str] | Mapping[str, Any]) -> str:
    near = difflib.get_close_matches(word, list(known), 1)
    return f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(sorted(known))}"


def _power(where: str, number: int, entry: Mapping[str, Any], board: Board, faults: list[str]) -> Power:
    place = f"{where}: power {entry.get('name', number)}"
    for key in entry.keys() - POWER_KEYS:
        faults.append(f"{place}: unknown key {key!r}{_near(key, POWER_KEYS)}")
    if not isinstance(entry.get("name"), str):
        faults.append(f"{place}: needs a name")
    for key in ("homes", "centers"):
        for center in entry.get(key, ()):
            province = board.provinces.get(center)
            if province is None:
                faults.append(
                    f"{place}: {key}: no province {center!r}{_near(center, board.provinces) if len(center) > 1 else ''}"
                )
            elif not province.center:
                faults.append(f"{place}: {key}: {center!r} is no supply center on this board")
    region = str(entry.get("homeland", ""))
    homeland = [p.id for p in board.provinces.values() if region and p.region == region]
    if region and not homeland:
        faults.append(f"{place}: homeland: no province of the board has the region {region!r}")
    return Power(
        name=str(entry.get("name", "")),
        adjective=str(entry.get("adjective", "")),
        aliases=tuple(entry.get("aliases", ())),
        homes=tuple(entry.get("homes", ())),
        homeland=tuple(dict.fromkeys((*entry.get("homes", ()), *homeland))),
        color=str(entry.get("color", "")),
    )


def _modules(where: str, rules: Mapping[str, Any], faults: list[str]) -> list[Module]:
    known = modules()
    made: list[Module] = []
    for key, settings in rules.items():
        kind = known.get(key)
        if kind is None:
            faults.append(f"{where}: rules: no rule {key!r}{_near(key, known)}")
            continue
        if not isinstance(settings, dict):
            faults.append(f"{where}: rules.{key}: settings are a table ([rules.{key}])")
            continue
        try:
            inspect.signature(kind).bind(**settings)
        except TypeError as error:
            faults.append(f"{where}: rules.{key}: {error}")
            continue
        try:
            made.append(kind(**settings))
        except (RulesError, ValueError, TypeError, KeyError) as error:
            faults.append(f"{where}: rules.{key}: {error}")
    return made


def _start(
    where: str, entries: list[Mapping[str, Any]], rules: Ruleset, faults: list[str]
) -> tuple[list[Unit], dict[str, str]]:
    units: list[Unit] = []
    owners: dict[str, str] = {}
    taken: dict[str, str] = {}
    for entry in entries:
        power = entry["name"]
        place = f"{where}: power {power}"
        for text in entry.get("units", ()):
            try:
                kind, at = rules.reader.unit(text, power)
            except OrderTextError as error:
                faults.append(f"{place}: units: {error}")
                continue
            if kind not in rules.kinds or not rules.board.stands(rules.kinds[kind].travel, at):
                faults.append(f"{place}: units: {text!r} cannot stand there")
            elif province_of(at) in taken:
                faults.append(f"{place}: units: {province_of(at)} is already {taken[province_of(at)]}'s")
            else:
                taken[province_of(at)] = power
                units.append(Unit(kind, at, power))
        for center in entry.get("centers", entry.get("homes", ())):
            if center in owners:
                faults.append(f"{place}: {center!r} already belongs to {owners[center]}")
            owners[center] = power
    return units, owners
