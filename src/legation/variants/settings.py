"""Reads the tables of a variant file by type: what a setting must be is said once, by the record or the module that
takes it.

Everything that does not fit is noted with its place and the mend; nothing is converted on the quiet."""

import inspect
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET

from legation.faults import enough, near

Record = TypeVar("Record", bound=msgspec.Struct)

WORDS: Mapping[Any, str] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    float: "a number with a fraction",
    list: "a list",
    dict: "a table",
}
# What neither a page nor a picture can show; lines may end in a longer text.
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")


class Key(msgspec.Struct, frozen=True):
    """A key that a table may have: the type of its value, whether it must be there, and which argument it gives."""

    kind: Any
    required: bool = False
    default: Any = None
    argument: str = ""


def keys_of(call: Callable[..., object]) -> tuple[dict[str, Key], Any]:
    """Return the keys that ``call`` takes as keyword arguments, and the type of further ones (None: it takes none)."""
    maker = call.__init__ if inspect.isclass(call) else call
    hints = get_type_hints(maker)
    keys: dict[str, Key] = {}
    rest = None
    parameters = {} if maker is object.__init__ else inspect.signature(maker).parameters
    for name, parameter in list(parameters.items())[inspect.isclass(call) :]:
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            rest = hints[name]
        else:
            required = parameter.default is inspect.Parameter.empty
            keys[name] = Key(hints[name], required, None if required else parameter.default, name)
    return keys, rest


@cache
def fields_of(record: type[msgspec.Struct]) -> Mapping[str, Key]:
    """Return the keys that the table of a record may have."""
    hints, keys = get_type_hints(record), dict[str, Key]()
    for field in msgspec.structs.fields(record):
        default = None if field.default is msgspec.NODEFAULT else field.default
        if field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        keys[field.encode_name] = Key(hints[field.name], field.required, default, field.name)
    return keys


def read_record(table: Mapping[str, Any], record: type[Record], faults: list[str]) -> Record | None:
    """A table as a record, of all that fits; ``faults`` tells what does not.

    None where something is missing that must be there."""
    value = _value(dict(table), record, "", faults)
    return value if isinstance(value, record) else None


def read_settings(call: Callable[..., object], table: Mapping[str, Any], faults: list[str]) -> dict[str, Any] | None:
    """A table as the keyword arguments of ``call``, by its type hints;
    None where ``faults`` tells why they are none."""
    before = len(faults)
    keys, rest = keys_of(call)
    arguments = _table(table, keys, rest, "", faults)
    return arguments if len(faults) == before else None


def faults_of_settings(call: Callable[..., object]) -> list[str]:
    """What of a rule's settings no variant file can give, as their types are unknown: each with its place."""
    maker = call.__init__ if inspect.isclass(call) else call
    if maker is object.__init__:
        return []
    code = getattr(maker, "__code__", None)
    place = (
        f"{Path(code.co_filename).name}:{code.co_firstlineno}" if code is not None else getattr(call, "__name__", "")
    )
    try:
        hints = get_type_hints(maker)
    except (NameError, TypeError, AttributeError) as error:
        return [f"{place}: the type of a setting is not known ({error})"]
    faults = []
    for name in list(inspect.signature(maker).parameters)[inspect.isclass(call) :]:
        if name not in hints:
            faults.append(f"{place}: {name} says no type; {SETTING_TYPES}")
        elif not _is_known(hints[name]):
            shown = str(hints[name]).removeprefix("typing.").removeprefix("collections.abc.")
            faults.append(f"{place}: {name} is of the type {shown}, which no file can give; {SETTING_TYPES}")
    return faults


SETTING_TYPES = (
    "a setting is str, int, bool, float, a list or dict[str, ...] of such, a msgspec.Struct, or one of these or None"
)


def _is_known(kind: Any) -> bool:
    outer, inner = get_origin(kind), get_args(kind)
    if outer in (Union, UnionType):
        return all(form is NoneType or _is_known(form) for form in inner)
    if outer is list:
        return _is_known(inner[0])
    if outer is dict:
        return inner[0] is str and _is_known(inner[1])
    if inspect.isclass(kind) and issubclass(kind, msgspec.Struct):
        return all(_is_known(key.kind) for key in fields_of(kind).values())
    return kind is Any or kind in (str, int, bool, float)


def _note(faults: list[str], path: str, text: str) -> None:
    faults.append(f"{path}: {text}" if path else text)


def _table(
    table: Mapping[str, Any], keys: Mapping[str, Key], rest: Any, path: str, faults: list[str]
) -> dict[str, Any]:
    values = {}
    for key, value in table.items():
        if key in keys or rest is not None:
            fitting = _value(value, keys[key].kind if key in keys else rest, f"{path}.{key}".lstrip("."), faults)
            if fitting is not UNSET:
                values[key] = fitting
        else:
            mend = "" if enough(faults) else near(key, keys) if keys else "; this takes no settings"
            _note(faults, path, f"unknown key {key!r}{mend}")
    for name, wanted in keys.items():
        if wanted.required and name not in table:
            _note(faults, path, f"needs {name!r}, {WORDS[_outer(wanted.kind)]}")
    return values


def _value(value: Any, kind: Any, path: str, faults: list[str]) -> Any:
    """A value as ``kind``, of all in it that fits; UNSET where it does not fit itself."""
    if kind is Any:
        return value
    if get_origin(kind) in (Union, UnionType):
        forms = [form for form in get_args(kind) if form is not NoneType]
        kind = next((form for form in forms if type(value) is _outer(form)), forms[0])
    outer, inner = _outer(kind), get_args(kind)
    if type(value) is not outer:
        _note(faults, path, f"must be {WORDS[outer]}, not {_shown(value)}{_mend(value, outer, inner)}")
        return UNSET
    if outer is str and CONTROL.search(value):
        _note(faults, path, f"{value[:40]!r} has control characters; leave them out")
        return UNSET
    if inspect.isclass(kind) and issubclass(kind, msgspec.Struct):
        keys = fields_of(kind)
        values = _table(value, keys, None, path, faults)
        whole = all(name in values for name, key in keys.items() if key.required)
        return kind(**{keys[name].argument: v for name, v in values.items()}) if whole else UNSET
    if outer is list:
        entries = [_value(entry, inner[0], f"{path}[{number}]", faults) for number, entry in enumerate(value)]
        return [entry for entry in entries if entry is not UNSET]
    if outer is dict:
        pairs = {key: _value(entry, inner[1], f"{path}.{key}", faults) for key, entry in value.items()}
        return {key: entry for key, entry in pairs.items() if entry is not UNSET}
    return value


def _outer(kind: Any) -> Any:
    if inspect.isclass(kind) and issubclass(kind, msgspec.Struct):
        return dict
    return get_origin(kind) or kind


def _shown(value: object) -> str:
    word = WORDS.get(type(value), "a date")
    return f"{word} ({str(value)[:40]!r})" if isinstance(value, str) else f"{str(value)[:40]} ({word})"


def _mend(value: object, outer: Any, inner: tuple[Any, ...]) -> str:
    if outer is list and isinstance(value, str) and inner[0] is str:
        return f'; write ["{value[:40]}"]'
    if outer is str and type(value) is int:
        return f'; write "{value}", in quotes'
    if outer in (int, bool) and isinstance(value, str) and re.fullmatch(r"-?\d+|true|false", value):
        return f"; write {value[:40]}, without quotes"
    return ""
