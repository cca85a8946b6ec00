"""The mechanisms that variants choose from, one module each. They never import each other.

:func:`modules` maps the key that names a rule in a variant file (``[rules.<key>]``) to its class."""

import importlib
import pkgutil
from functools import cache
from types import ModuleType

from legation.judge import Rule, RulesError


@cache
def modules() -> dict[str, type[Rule]]:
    """All rule modules by key, found in this folder; of several versions of a rule, the newest."""
    return _found()[0]


@cache
def older_versions() -> dict[tuple[str, int], type[Rule]]:
    """The older versions of rules by key and version, each in a file of its own in this folder. They judge the games
    that began under them."""
    return _found()[1]


@cache
def _found() -> tuple[dict[str, type[Rule]], dict[tuple[str, int], type[Rule]]]:
    newest: dict[str, type[Rule]] = {}
    older: dict[tuple[str, int], type[Rule]] = {}
    for info in pkgutil.iter_modules(__path__):
        for kind in modules_in(importlib.import_module(f"{__name__}.{info.name}")).values():
            add_version(kind, newest, older)
    return newest, older


def add_version(
    kind: type[Rule], newest: dict[str, type[Rule]], older: dict[tuple[str, int], type[Rule]]
) -> type[Rule] | None:
    """Add a rule to those that are known: the newest version of each, and those before it. The answer is the rule of
    the same key and version that stands in its way, if there is one."""
    known = newest.setdefault(kind.key, kind)
    if known is kind:
        return None
    if known.version == kind.version:
        return known
    first, last = sorted((known, kind), key=lambda each: each.version)
    newest[kind.key] = last
    there = older.setdefault((first.key, first.version), first)
    return None if there is first else there


def modules_in(source: ModuleType) -> dict[str, type[Rule]]:
    """The rule modules that a Python module defines, by key.

    :raises RulesError: when two of them have one key."""
    by_key: dict[str, type[Rule]] = {}
    for value in vars(source).values():
        if isinstance(value, type) and issubclass(value, Rule) and value.key and value.__module__ == source.__name__:
            if by_key.setdefault(value.key, value) is not value:
                raise RulesError(f"{by_key[value.key].__name__} and {value.__name__} have one key, {value.key!r}")
    return by_key
