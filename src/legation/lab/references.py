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
        self._parts: list[Any] = [values]
        words: list[int] = []
        fields: list[tuple[str, Any]] = []
        for name in getattr(values, "_fields", None) or values.__struct_fields__:
            value = getattr(values, name)
            if isinstance(value, np.ndarray):
                if not (value.flags.c_contiguous and value.flags.aligned and value.dtype.isnative):
                    raise ValueError(f"{name} does not lie in one piece, as this machine writes numbers")
                words += [value.__array_interface__["data"][0], *value.shape]
                fields.append((name, (value.dtype.char, value.ndim)))
            elif isinstance(value, MovementProblem):
                self._parts.append(part := Reference(value))
                words.append(part.address)
                fields.append((name, part.form))
            else:
                words.append(value)
                fields.append((name, "fixed" if isinstance(values, tuple) else "set"))
        self._table = np.array(words, np.int64)
        self.address: int = self._table.__array_interface__["data"][0]
        self.form: Form = type(values).__name__, tuple(fields)
