"""Rule modules in a folder of variants: Python files, which are run as a program is."""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from legation.variants.loader import VariantError


class _FreshSource(SourceFileLoader):
    """Reads the file itself: Python's compiled copies are told apart by the second of their writing, and a designer
    tries things faster; nor is anything written into the designer's folder."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def run_file(file: Path) -> ModuleType:
    """Return a Python file of rule modules, imported under a name of its own.

    :raises VariantError: where it fails when it is run.
    """
    name = f"legation_rules_of_{file.parent.parent.name}_{file.stem}".replace("-", "_")
    spec = importlib.util.spec_from_file_location(name, file, loader=_FreshSource(name, str(file)))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # type hints are looked up there
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise VariantError([f"{file}: {type(error).__name__}: {error}"]) from None
    return module
