"""What all commands share: reading input, printing errors, exit statuses 0, 1 (the input is at fault), 2 (usage)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import msgspec
import typer

from legation.judge import Ruleset
from legation.variants import VariantError, load

LARGEST_INPUT = 64 * 1024 * 1024  # bytes; more than any game


def fail(*messages: str) -> NoReturn:
    """Print what is wrong with the input, a line each, and end with status 1."""
    for message in messages:
        typer.echo(f"legation: {message}", err=True)
    raise typer.Exit(1)


def read_bytes(source: str) -> bytes:
    """The bytes of a file, or of standard input for ``-``."""
    try:
        if source == "-":
            return sys.stdin.buffer.read(LARGEST_INPUT + 1)
        with Path(source).open("rb") as file:
            return file.read(LARGEST_INPUT + 1)
    except OSError as error:
        fail(f"{source}: {error.strerror or error}")


def read_json(source: str) -> object:
    """A JSON document from a file or standard input."""
    data = read_bytes(source)
    name = "standard input" if source == "-" else source
    if len(data) > LARGEST_INPUT:
        fail(f"{name}: is larger than {LARGEST_INPUT // 1024 // 1024} MB")
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        fail(f"{name}: is no JSON document: {error}")


def write_json(value: object, *, indent: int = 2) -> None:
    """Print a JSON document."""
    data = msgspec.json.encode(value)
    typer.echo(msgspec.json.format(data, indent=indent).decode())


def load_variant(name: str, options: Mapping[str, object] | None = None) -> Ruleset:
    """A variant by name or file, or an error message."""
    try:
        return load(name, options)
    except VariantError as error:
        fail(*error.faults)


def read_choices(pairs: list[str] | None) -> dict[str, object]:
    """``name=reading`` pairs as options; ``true`` and ``false`` are truth values."""
    chosen: dict[str, object] = {}
    for pair in pairs or []:
        name, sign, value = pair.partition("=")
        if not sign:
            fail(f"option {pair!r}: write name=reading")
        chosen[name.strip()] = {"true": True, "false": False}.get(value.strip(), value.strip())
    return chosen
