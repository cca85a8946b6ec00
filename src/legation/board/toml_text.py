"""Documents as TOML. The standard library reads it and does not write it."""

import json
import re
from collections.abc import Mapping
from typing import Any

BARE = re.compile(r"[A-Za-z0-9_-]+")
DEEPEST = 8
"""How deep tables and lists may lie in each other."""


def toml_value(value: object, depth: int = 0) -> str:
    """A value in one line.

    :raises ValueError: for what TOML cannot hold, or what is nested too deeply."""
    if depth > DEEPEST:
        raise ValueError("is nested too deeply")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(item, depth + 1) for item in value) + "]"
    if isinstance(value, Mapping):
        items = (f"{toml_key(str(key))} = {toml_value(item, depth + 1)}" for key, item in value.items())
        return f"{{ {', '.join(items)} }}" if value else "{}"
    if value is None:
        raise ValueError("holds an empty value")
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "").encode("utf-8", "replace").decode()


def toml_key(key: str) -> str:
    """A key, quoted where it must be."""
    return key if BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False).replace("\x7f", "")


def toml_document(document: Mapping[str, Any]) -> str:
    """A document, its values first, then its tables, each under a heading of its own.

    :raises ValueError: for what TOML cannot hold, with its place."""
    return "\n".join(_lines(document, ())).lstrip("\n") + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    if len(path) > DEEPEST:
        raise ValueError(f"{'.'.join(path)[:60]} is nested too deeply")
    lines: list[str] = []
    for key, value in table.items():
        if not _has_heading(value):
            try:
                lines.append(f"{toml_key(key)} = {toml_value(value)}")
            except ValueError as error:
                raise ValueError(f"{'.'.join((*path, key))[:60]} {error}") from None
    for key, value in table.items():
        name = ".".join(toml_key(part) for part in (*path, key))
        if isinstance(value, Mapping) and value and all(isinstance(item, Mapping) for item in value.values()):
            lines += _lines(value, (*path, key))  # only tables in it: they have headings enough
        elif isinstance(value, Mapping):
            lines += ["", f"[{name}]", *_lines(value, (*path, key))]
        elif _has_heading(value):
            for item in value:
                lines += ["", f"[[{name}]]", *_lines(item, (*path, key))]
    return lines


def _has_heading(value: object) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)
    )
