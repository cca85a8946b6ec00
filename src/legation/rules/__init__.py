"""The mechanisms that variants pick, one module each. Siblings never import each other.

:func:`modules` maps the key under which a variant file names a module (``[rules.<key>]``) to its class.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType

from legation.judge import Rule, RulesError


@cache
def modules() -> dict[str, type[Rule]]:
    """All rule modules by key, found in this folder."""
    by_key: dict[str, type[Rule]] = {}
    for info in pkgutil.iter_modules(__path__):
        by_key |= modules_in(importlib.import_module(f"{__name__}.{info.name}"))
    return by_key


def modules_in(source: ModuleType) -> dict[str, type[Rule]]:
    """The rule modules that a Python module defines, by key.

    :raises RulesError: when two of them have one key.
    """
    by_key: dict[str, type[Rule]] = {}
    for value in vars(source).values():
        if isinstance(value, type) and issubclass(value, Rule) and value.key and value.__module__ == source.__name__:
            if by_key.setdefault(value.key, value) is not value:
                raise RulesError(f"{by_key[value.key].__name__} and {value.__name__} have one key, {value.key!r}")
    return by_key
