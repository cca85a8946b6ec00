"""Records of arrays as compiled code takes them: by the address of a table of their addresses and shapes.

Numba would pass a record by its members, and an array by its address, shape and strides: a game's tables, state and
work space would be seven hundred arguments of every call. :mod:`~legation.lab.reference_types` says how the code reads
such a table."""

from typing import Any, TypeAlias

import numpy as np

from legation.judge.core import MovementProblem

Form: TypeAlias = tuple[str, tuple[tuple[str, Any], ...]]
"""A record's name, and the name and form of each field: an array's type character and dimensions, another form, or
whether a number is "fixed" (in a tuple) or may be "set"."""


class Reference:
    """A record of whole numbers, C-contiguous arrays and such records, and the table of where they are: a number, or an
    array's address and shape, or the address of another table, as words of 64 bits.

    Neither the arrays nor the table move while it lives.

    :raises ValueError: for an array that does not lie in one piece, as this machine writes numbers."""

    def __init__(self, values: Any) -> None:
        self._kept: dict[str, Any] = {}
        self._fields: dict[str, tuple[int, Any]] = {}
        self._number = "fixed" if isinstance(values, tuple) else "set"
        table: list[int] = []
        for name in getattr(values, "_fields", None) or values.__struct_fields__:
            words, form = self._words(name, getattr(values, name))
            self._fields[name] = len(table), form
            table += words
        self._table = np.array(table, np.int64)
        self.address: int = self._table.__array_interface__["data"][0]
        self.form: Form = type(values).__name__, tuple((name, form) for name, (_, form) in self._fields.items())

    def put(self, name: str, value: Any) -> None:
        """Set a field, between two calls of compiled code.

        :raises TypeError: where it is not of the field's form."""
        start, form = self._fields[name]
        words, found = self._words(name, value)
        if found != form:
            raise TypeError(f"{name} takes other numbers or arrays")
        for place, word in enumerate(words, start):
            self._table[place] = word

    def _words(self, name: str, value: Any) -> tuple[list[int], Any]:
        """Return a value's words in the table and its form, and keep the value alive."""
        if isinstance(value, np.ndarray):
            if not (value.flags.c_contiguous and value.flags.aligned and value.dtype.isnative):
                raise ValueError(f"{name} does not lie in one piece, as this machine writes numbers")
            self._kept[name] = value
            return [value.__array_interface__["data"][0], *value.shape], (value.dtype.char, value.ndim)
        if isinstance(value, MovementProblem):
            self._kept[name] = part = Reference(value)
            return [part.address], part.form
        return [value], self._number
