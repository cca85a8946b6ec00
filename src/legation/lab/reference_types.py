"""The numba type of a :class:`~legation.lab.references.Reference`: compiled code reads it as a record."""

from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from legation.lab.references import Reference

extending: Any = import_module("numba.extending")
implementing: Any = import_module("numba.core.imputils")
ir: Any = import_module("llvmlite.ir")
numpy_support: Any = import_module("numba.np.numpy_support")
numpy_arrays: Any = import_module("numba.np.arrayobj")
templates: Any = import_module("numba.core.typing.templates")
types: Any = import_module("numba.core.types")

WORD = ir.IntType(64)


class ReferenceType(types.Type):  # type: ignore[misc]
    """The type of a reference, from its form: the type of each field, and the word of the table where it begins."""

    def __init__(self, form: Any) -> None:
        name, fields = form
        super().__init__(name)
        self.form = form
        self.fields: dict[str, tuple[int, Any]] = {}
        self.fixed = {field for field, of in fields if of != "set"}
        word = 0
        for field, of in fields:
            kind: Any = types.int64
            if isinstance(of[1], int):
                kind = types.Array(numpy_support.from_dtype(np.dtype(of[0])), of[1], "C")
            elif isinstance(of, tuple):
                kind = reference_type(of)
            self.fields[field] = word, kind
            word += 1 + getattr(kind, "ndim", 0)

    @property
    def key(self) -> Any:
        """The identity of the type, for numba."""
        return self.form


reference_type = cache(ReferenceType)


@extending.typeof_impl.register(Reference)  # type: ignore[untyped-decorator]
def _type_of(value: Reference, _context: object) -> ReferenceType:
    return reference_type(value.form)


@extending.register_model(ReferenceType)
class _Address(extending.models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: ReferenceType) -> None:
        super().__init__(manager, kind, WORD.as_pointer())


@extending.unbox(ReferenceType)  # type: ignore[untyped-decorator]
def _unbox(_: ReferenceType, value: Any, context: Any) -> Any:
    number = context.pyapi.object_getattr_string(value, "address")
    address = context.builder.bitcast(context.pyapi.long_as_voidptr(number), WORD.as_pointer())
    context.pyapi.decref(number)
    return extending.NativeValue(address)


@templates.infer_getattr
class _Fields(templates.AttributeTemplate):  # type: ignore[misc]
    key = ReferenceType

    def generic_resolve(self, kind: ReferenceType, field: str) -> Any:
        """Return a field's type; None where there is none."""
        return kind.fields.get(field, (0, None))[1]


def _place(builder: Any, table: Any, word: int, kind: Any) -> Any:
    return builder.bitcast(builder.gep(table, [ir.Constant(WORD, word)]), kind.as_pointer())


@implementing.lower_getattr_generic(ReferenceType)  # type: ignore[untyped-decorator]
def _read(context: Any, builder: Any, kind: ReferenceType, table: Any, field: str) -> Any:
    """Read a field. Addresses and shapes never change while code runs, which is told to the compiler."""

    def load(word: int, of: Any) -> Any:
        loaded = builder.load(_place(builder, table, word, of))
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    word, found = kind.fields[field]
    if isinstance(found, ReferenceType):
        return load(word, WORD.as_pointer())
    if field not in kind.fixed:
        return builder.load(_place(builder, table, word, WORD))
    if found is types.int64:
        return load(word, WORD)
    element = context.get_data_type(found.dtype)
    shape = [load(word + 1 + axis, WORD) for axis in range(found.ndim)]
    strides = [ir.Constant(WORD, context.get_abi_sizeof(element))]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    array = numpy_arrays.make_array(found)(context, builder)
    data = load(word, element.as_pointer())
    numpy_arrays.populate_array(array, data=data, shape=shape, strides=strides, itemsize=strides[-1], meminfo=None)
    return array._getvalue()


@implementing.lower_setattr_generic(ReferenceType)  # type: ignore[untyped-decorator]
def _write(context: Any, builder: Any, signature: Any, given: Any, field: str) -> None:
    """Set a whole number."""
    (kind, of), (table, value) = signature.args, given
    word, _ = kind.fields[field]
    builder.store(context.cast(builder, value, of, types.int64), _place(builder, table, word, WORD))
