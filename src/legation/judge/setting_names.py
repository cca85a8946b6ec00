"""Types of settings that name powers, provinces, centers or kinds of unit, and the names that nothing has."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec


class _Known(NamedTuple):
    names: Callable[[Any], Any]
    told: str


PowerName = Annotated[str, _Known(attrgetter("powers"), "there is no power {!r}")]
ProvinceId = Annotated[str, _Known(attrgetter("board.provinces"), "there is no province {!r}")]
CenterId = Annotated[str, _Known(attrgetter("board.centers"), "{!r} isn't a supply center")]
KindCode = Annotated[str, _Known(attrgetter("kinds"), "{!r} isn't a kind of unit here")]


@cache
def _hints(call: Callable[..., object]) -> Mapping[str, Any]:
    return get_type_hints(call, include_extras=True)


def unknown_names(rules: Any, call: Callable[..., object], settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield a fault for each name in the settings of ``call`` that nothing of its type has in this game."""
    for setting, value in settings.items():
        for place, name, known in _named(value, _hints(call).get(setting), setting):
            if name not in known.names(rules):
                yield f"{place}: {known.told.format(name)}"


def _named(value: Any, hint: Any, place: str) -> Iterator[tuple[str, str, _Known]]:
    outer, inner = get_origin(hint), get_args(hint)
    if outer is Annotated:
        yield place, value, inner[1]
    elif outer in (Union, UnionType):
        for form in inner if value is not None else ():
            yield from _named(value, form, place)
    elif outer is dict:
        for key, entry in value.items():
            yield from _named(key, inner[0], place)
            yield from _named(entry, inner[1], place)
    elif outer is list:
        for number, entry in enumerate(value):
            yield from _named(entry, inner[0], f"{place}[{number}]" if isinstance(entry, msgspec.Struct) else place)
    elif isinstance(value, msgspec.Struct):
        for field in msgspec.structs.fields(value):
            if (part := getattr(value, field.name)) != field.default:
                yield from _named(part, field.type, f"{place}.{field.encode_name}")
