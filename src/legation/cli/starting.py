"""Build only the commands that a command line names: of the others at most their first lines are shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

import typer

COMPLETES = "_LEGATION_COMPLETE"  # a shell asks for completions, of whatever command


def build_named(app: typer.Typer, words: Iterable[str]) -> None:
    """Leave out the arguments and options of all commands that no word names, and the commands of such groups."""
    if COMPLETES in os.environ:
        return
    named = set(words)
    for command in app.registered_commands:
        if command.callback is not None and _name(command.name, command.callback) not in named:
            command.callback = _first_line_of(command.callback)
    for group in app.registered_groups:
        inside = group.typer_instance
        if inside is not None and (group.name or inside.info.name) not in named:
            inside.registered_commands, inside.registered_groups = [], []


def _name(given: str | None, callback: Callable[..., Any]) -> str:
    return given or callback.__name__.lower().replace("_", "-")


def _first_line_of(callback: Callable[..., Any]) -> Callable[[], None]:
    """A command of the same name and help that takes nothing."""

    def stub() -> None:
        raise AssertionError("a command that was not named is never run")  # not reached: it is built when it is named

    stub.__name__, stub.__doc__ = callback.__name__, callback.__doc__
    return stub
