"""The form of rule modules: which public names are questions, and in which order modules run."""

import difflib
from collections.abc import Sequence
from functools import cached_property
from types import FunctionType
from typing import Any, TypeVar

M = TypeVar("M", bound=Any)
"""A rule module."""


def check_form(cls: type, base: type) -> list[str]:
    """Return what is wrong with the public names of a rule module: one that isn't a question, or takes other arguments
    than its question gives."""
    faults: list[str] = []
    for name, value in vars(cls).items():
        if name.startswith("_") or not isinstance(
            value, staticmethod | classmethod | property | cached_property | FunctionType
        ):
            continue
        question = getattr(base, name, None)
        if question is None:
            near = difflib.get_close_matches(name, [n for n in vars(base) if not n.startswith("_")], 1)
            mend = f"did you mean {near[0]!r}?" if near else "a method of its own begins with an underscore"
            faults.append(f"the judge asks no question {name!r}; {mend}")
        elif isinstance(value, FunctionType) and isinstance(question, FunctionType):
            wanted = _taken(question)
            if _taken(value) != wanted:
                faults.append(f"{name} takes ({', '.join(wanted)})")
        else:
            faults.append(f"{name} is a question, which a plain method answers")
    return faults


def _taken(method: FunctionType) -> tuple[str, ...]:
    """The names of what a method takes; read from its code, as signatures take longer than all else at the start."""
    code = method.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def execution_order(modules: Sequence[M]) -> tuple[M, ...]:
    """Modules in the order in which their steps run: after those that ``runs_after`` names, else by the alphabet of
    their keys.

    :raises ValueError: when two have one key, or some run after each other."""
    waiting = {module.key: module for module in sorted(modules, key=lambda module: module.key)}
    if len(waiting) < len(modules):
        keys = [module.key for module in modules]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        raise ValueError(f"two rules have the key {twice[0]!r}")
    ordered: list[M] = []
    while waiting:
        ready = next((m for m in waiting.values() if not any(key in waiting for key in m.runs_after)), None)
        if ready is None:
            raise ValueError(f"{' and '.join(map(repr, waiting))} each say that they run after another of them")
        ordered.append(waiting.pop(ready.key))
    return tuple(ordered)
