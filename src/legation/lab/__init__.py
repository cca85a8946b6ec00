"""The lab: compiled batch play for researchers. Needs the extra ``lab`` (numba, numpy)."""

from importlib.util import find_spec

for _package in ("numba", "numpy"):
    if find_spec(_package) is None:
        raise ModuleNotFoundError(
            f"the lab needs {_package}; install it with: pip install 'legation[lab]'", name=_package
        )
