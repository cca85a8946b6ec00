"""What cannot be changed: what is shared between games, answers and threads is frozen all the way down."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

import msgspec

K = TypeVar("K")
V = TypeVar("V")


class Frozen(dict[K, V]):
    """A dictionary that cannot be changed. It is written as JSON, compared, pickled and looked up as any other."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        """Refuse to be changed."""
        raise TypeError("this is shared and cannot be changed; take a copy: dict(...), or thaw(...) for all of it")

    __setitem__ = __delitem__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __ior__(self, other: object) -> NoReturn:  # type: ignore[misc]
        self._refuse()

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __copy__(self) -> Frozen[K, V]:
        return self

    def __deepcopy__(self, memo: object) -> Frozen[K, V]:
        return self

    def __reduce__(self) -> tuple[type, tuple[dict[K, V]]]:
        return type(self), (dict(self),)


class Immutable:
    """An object that takes no new values once it is :meth:`complete`; what it works out later, it keeps in cached
    properties."""

    def complete(self) -> None:
        """Freeze what the object holds, and let nothing be set from now on."""
        for name, value in vars(self).items():
            self.__dict__[name] = freeze(value)
        self.__dict__["_complete"] = True

    def __setattr__(self, name: str, value: object) -> None:
        if "_complete" in self.__dict__:
            raise AttributeError(f"{type(self).__name__} is shared and cannot be changed; make another one")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is shared and cannot be changed; make another one")


def freeze(value: Any) -> Any:
    """The same data with dictionaries frozen, lists as tuples and sets as frozen sets, all the way down."""
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None or kind is Frozen:
        return value
    if kind is dict or isinstance(value, Mapping):
        return Frozen({key: freeze(entry) for key, entry in value.items()})
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        frozen = tuple(freeze(entry) for entry in value)
        return value if frozen == value and all(map(operator.is_, frozen, value)) else frozen
    if isinstance(value, set):
        return frozenset(value)
    if isinstance(value, msgspec.Struct):
        changed = {name: freeze(entry) for name, entry in msgspec.structs.asdict(value).items()}
        same = all(entry is getattr(value, name) for name, entry in changed.items())
        return value if same else msgspec.structs.replace(value, **changed)
    return value


def thaw(value: Any) -> Any:
    """A copy of frozen data, as dictionaries and lists that are the caller's own."""
    if isinstance(value, Mapping):
        return {key: thaw(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [thaw(entry) for entry in value]
    return value
