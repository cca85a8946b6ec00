"""The mechanisms that variants pick, one module each. Siblings never import each other.

:func:`modules` maps the key under which a variant file names a module (``[rules.<key>]``) to its class.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from legation.judge import Module


@cache
def modules() -> dict[str, type[Module]]:
    """All rule modules by key, found in this folder."""
    found: dict[str, type[Module]] = {}
    for info in pkgutil.iter_modules(__path__):
        source = importlib.import_module(f"{__name__}.{info.name}")
        for value in vars(source).values():
            if (
                isinstance(value, type)
                and issubclass(value, Module)
                and value.key
                and value.__module__ == source.__name__
            ):
                found[value.key] = value
    return found
