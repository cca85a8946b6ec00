"""Commands and queries of the office that have no command of their own here, by their names in the API: each is made
from its declaration."""

import inspect
import sys
from inspect import Parameter
from typing import Annotated, Any

import msgspec
import typer

from legation.cli.office.terminal import Answer, By, command
from legation.cli.terminal import write_json
from legation.formats import decode_json
from legation.office.permissions import commands
from legation.web.api.calling import convert, parameters_of

JSON = "As text, or as JSON where it is no text."


def declare(name: str) -> None:
    """Declare ``legation office SUBJECT.VERB``; what the command needs is an argument, all else an option."""
    if (known := commands().get(name)) is None:
        return
    wanted = parameters_of(known)

    def run(by: By, /, **given: str | bool | None) -> Answer:
        values = {key: _value(key, text, wanted[key][0]) for key, text in given.items() if text is not None}
        answer = known.function(*by, **values)
        return Answer(answer, lambda: _print(answer))

    told = [Parameter("by", Parameter.POSITIONAL_OR_KEYWORD, annotation=By)]
    told += sorted(
        (_parameter(key, kind, default) for key, (kind, default) in wanted.items()),
        key=lambda p: p.default is not p.empty,
    )
    run.__signature__ = inspect.Signature(told, return_annotation=Answer)  # type: ignore[attr-defined]
    run.__doc__ = f"{inspect.getdoc(known.function)}\n\nFor: {', '.join(known.roles)}. Prints JSON."
    needed = [key.upper() for key, (_, default) in wanted.items() if default is ...]
    command(" ".join([name, *needed]), name=name)(run)


def _parameter(name: str, kind: Any, default: Any) -> Parameter:
    about = str if kind is not bool else bool
    help_ = "" if kind in (str, bool) else JSON
    if default is ...:
        shown: Any = Annotated[about, typer.Argument(metavar=name.upper(), help=help_)]
        return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, annotation=shown)
    shown = Annotated[about | None, typer.Option(f"--{name.replace('_', '-')}", help=help_)]
    return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, annotation=shown, default=None)


def _value(name: str, given: str | bool, kind: Any) -> Any:
    """A value of a parameter: text as it is where a text is wanted, else what it says as JSON."""
    if kind is str or isinstance(given, bool):
        return given
    try:
        value = decode_json(given)
    except msgspec.DecodeError:
        value = given
    return convert(value, kind, name)


def _print(answer: object) -> None:
    """Print an answer as JSON; a file as it is."""
    if isinstance(answer, tuple) and answer and isinstance(answer[-1], bytes):
        sys.stdout.buffer.write(answer[-1])
    elif answer is not None:
        write_json(answer)
