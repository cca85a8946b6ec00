"""Functions that only compiled functions call: kept as they were translated, and made into machine code with those that
call them.

Numba makes machine code of every function by itself, and anew with each function that calls it, so that the innermost
are made dozens of times; and it translates a function anew for each constant and size of number that it is given."""

from importlib import import_module
from typing import Any, ClassVar

codegen: Any = import_module("numba.core.codegen")
compiler: Any = import_module("numba.core.compiler")
types: Any = import_module("numba.core.types")

WHOLE = types.Integer, types.IntegerLiteral


class _NoEnvironments:
    """What Python needs to call a function is not set for functions that it never calls."""

    @staticmethod
    def set_env(name: str, environment: object) -> None:
        """Do nothing."""


class LinkedLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The code of one function and of all that it calls, for others to be linked with; none of it runs by itself."""

    codegen = _NoEnvironments

    def finalize(self) -> None:
        """Link what the function calls; nothing is optimized, and no machine code is made."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


class SharedFlags(compiler.Flags):  # type: ignore[misc]
    """Compiler flags shared as one object, so that comparing them is cheap: numba does it 100,000 times."""

    known: ClassVar[dict[str, "SharedFlags"]] = {}

    def copy(self) -> "SharedFlags":
        """Return the same object, which nothing changes."""
        return self

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


class InnerCompiler(compiler.Compiler):  # type: ignore[misc]
    """Compiles a function that only compiled functions call."""

    def compile_extra(self, function: Any) -> Any:
        """Translate a function into a library that is only linked."""
        flags = self.state.flags
        self.state.flags = SharedFlags.known.setdefault(repr(flags), SharedFlags(flags))
        self.state.library = LinkedLibrary(self.state.targetctx.codegen(), function.__qualname__)
        return super().compile_extra(function)


def widen_numbers(function: Any) -> None:
    """Have numba compile a function once, with all integers as int64, not once for each integer type and constant."""
    find_template = function.get_call_template

    def find_wide(given: Any, named: Any) -> Any:
        return find_template([types.int64 if isinstance(kind, WHOLE) else kind for kind in given], named)

    function.get_call_template = find_wide
