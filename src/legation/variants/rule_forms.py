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
from legation.variants.settings import Key, fields_of, keys_of

CLAUSES = re.compile(r"\s*\(([A-Z][\w-]*\d\w*(?: to [A-Z][\w-]*\d\w*)?(?:, [A-Z][\w-]*\d\w*)*)\)")
TYPES: Mapping[Any, str] = {str: "text", int: "int", bool: "bool", float: "float"}


class SettingForm(msgspec.Struct, frozen=True, omit_defaults=True):
    """One setting: ``type`` is int, float, bool, text, list, table, record or any. ``of`` is what each entry of a list
    or table is, ``fields`` are those of a record."""

    type: str
    required: bool = False
    default: Any = None
    of: SettingForm | None = None
    fields: Mapping[str, SettingForm] = {}
    text_too: bool = False
    """Whether a text may stand in its place."""


class RuleForm(msgspec.Struct, frozen=True):
    """One rule: its key in a variant file, a title, what it does, the clauses it carries out, its settings by name
    (``*``: settings of any name)."""

    key: str
    title: str
    text: str
    more: str
    """What else there is to know, of its settings above all."""
    clauses: tuple[str, ...]
    settings: Mapping[str, SettingForm]


def rule_forms(known: Mapping[str, type[Rule]]) -> list[RuleForm]:
    """Return the forms of rule modules, in the order of their titles."""
    return sorted((_rule_form(key, kind) for key, kind in known.items()), key=lambda form: form.title)


def _rule_form(key: str, kind: type[Rule]) -> RuleForm:
    about = inspect.getdoc(sys.modules[kind.__module__]) or ""
    text, _, more = (inspect.getdoc(kind) or about).partition("\n\n")
    clauses = CLAUSES.search(about.partition("\n\n")[0])
    keys, rest = keys_of(kind)
    settings = {name: _setting_form(found) for name, found in keys.items()}
    if rest is not None:
        settings["*"] = _setting_form(Key(rest))
    return RuleForm(
        key=key,
        title=key.replace("_", " ").capitalize(),
        text=CLAUSES.sub("", _plain(text)),
        more=_plain(more),
        clauses=tuple(clauses[1].split(", ")) if clauses else (),
        settings=settings,
    )


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"``|:\w+:`~?(?:[\w.]*\.)?(\w+)`", lambda found: found[1] or "", text)).strip()


def _setting_form(key: Key) -> SettingForm:
    kind = _known(key.kind)
    text_too = kind is not str and str in get_args(key.kind) and get_origin(key.kind) in (Union, UnionType)
    outer, inner = get_origin(kind), get_args(kind)
    default = msgspec.to_builtins(key.default, enc_hook=str) if not key.required else None
    if outer in (list, dict):
        name = "list" if outer is list else "table"
        return SettingForm(name, key.required, default, _setting_form(Key(inner[-1], required=True)), text_too=text_too)
    if inspect.isclass(kind) and issubclass(kind, msgspec.Struct):
        fields = {name: _setting_form(field) for name, field in fields_of(kind).items()}
        return SettingForm("record", key.required, default, fields=fields)
    return SettingForm(TYPES.get(kind, "any"), key.required, default)


def _known(kind: Any) -> Any:
    """The type besides None; of several the first, as a file's reader takes it."""
    if get_origin(kind) in (Union, UnionType):
        return next(form for form in get_args(kind) if form is not NoneType)
    return kind
