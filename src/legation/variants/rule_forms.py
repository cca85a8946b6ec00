"""Every rule as a form to fill in: its sentence, its clauses, and its settings by type. All of it is read from the
modules themselves, which declare their settings once."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import msgspec

from legation.judge import Rule
from legation.variants.settings import Key, keys_of

CLAUSES = re.compile(r"\s*\(([A-Z][\w-]*\d\w*(?: to [A-Z][\w-]*\d\w*)?(?:, [A-Z][\w-]*\d\w*)*)\)")
TYPES: Mapping[Any, str] = {str: "text", int: "int", bool: "bool", float: "float"}


class SettingForm(msgspec.Struct, frozen=True, omit_defaults=True):
    """One setting: ``type`` is int, float, bool, text, list, table, record or any. ``of`` is the type of the entries of
    a list or table, ``fields`` are those of a record (or of the records in a list or table)."""

    type: str
    required: bool = False
    default: Any = None
    of: str = ""
    fields: Mapping[str, SettingForm] = {}


class RuleForm(msgspec.Struct, frozen=True):
    """One rule: its key in a variant file, a title, what it does, the clauses it carries out, its settings by name."""

    key: str
    title: str
    text: str
    clauses: tuple[str, ...]
    settings: Mapping[str, SettingForm]


def rule_forms(known: Mapping[str, type[Rule]]) -> list[RuleForm]:
    """Return the forms of rule modules, in the order of their titles."""
    return sorted((_rule_form(key, kind) for key, kind in known.items()), key=lambda form: form.title)


def _rule_form(key: str, kind: type[Rule]) -> RuleForm:
    about = inspect.getdoc(sys.modules[kind.__module__]) or ""
    text = _plain((inspect.getdoc(kind) or about).partition("\n\n")[0])
    clauses = CLAUSES.search(about.partition("\n\n")[0])
    keys, rest = keys_of(kind)
    settings = {name: _setting_form(found) for name, found in keys.items()}
    if rest is not None:
        settings["*"] = _setting_form(Key(rest))
    return RuleForm(
        key=key,
        title=key.replace("_", " ").capitalize(),
        text=CLAUSES.sub("", text),
        clauses=tuple(clauses[1].split(", ")) if clauses else (),
        settings=settings,
    )


def _plain(text: str) -> str:
    """A docstring as a reader sees it: in one line, without marks."""
    return re.sub(r"\s+", " ", re.sub(r"``|:\w+:`~?(?:[\w.]*\.)?(\w+)`", lambda found: found[1] or "", text)).strip()


def _setting_form(key: Key) -> SettingForm:
    kind = _known(key.kind)
    name, of, fields = _form_of(kind)
    default = msgspec.to_builtins(key.default, enc_hook=str) if not key.required else None
    return SettingForm(name, key.required, default, of, fields)


def _known(kind: Any) -> Any:
    """The type besides None; of several the first, as a file's reader takes it."""
    if get_origin(kind) in (Union, UnionType):
        return next(form for form in get_args(kind) if form is not NoneType)
    return kind


def _form_of(kind: Any) -> tuple[str, str, Mapping[str, SettingForm]]:
    outer, inner = get_origin(kind), get_args(kind)
    if outer in (list, dict):
        name, _, fields = _form_of(_known(inner[-1]))
        return "list" if outer is list else "table", name, fields
    if inspect.isclass(kind) and issubclass(kind, msgspec.Struct):
        declared = msgspec.structs.fields(kind)
        return "record", "", {field.encode_name: _setting_form(_field_key(field)) for field in declared}
    return TYPES.get(kind, "any"), "", {}


def _field_key(field: msgspec.structs.FieldInfo) -> Key:
    default = field.default if field.default is not msgspec.NODEFAULT else None
    return Key(field.type, field.required, default)
