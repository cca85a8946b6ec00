"""What no linter asks: methods are documented, scripts name no rule, the manual describes every setting."""

import inspect
import pkgutil
import re
import runpy
import tomllib
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import msgspec

import legation
from legation import rules
from legation.notation import Gesture
from legation.rules import modules

ROOT = Path(__file__).parents[2]
DATES = {"calendar"}  # the drawing table lets each edition of a board have a calendar of its own


def test_a_method_without_a_docstring_is_documented_by_the_class_that_it_is_of() -> None:
    bare = [
        f"{module.__name__}.{name}.{method}"
        for module in map(import_module, _modules())
        for name, kind in vars(module).items()
        if inspect.isclass(kind) and kind.__module__ == module.__name__ and not name.startswith("_")
        for method in vars(kind)
        if not method.startswith("_") and callable(getattr(kind, method)) and not inspect.getdoc(getattr(kind, method))
    ]
    assert bare == []


def _modules() -> Iterator[str]:
    """Every module of the package, but for programs, migrations, and what needs PyTorch where that isn't installed."""
    missing = () if find_spec("torch") else ("legation.lab.fitting_network", "legation.lab.policy.training")
    for module in pkgutil.walk_packages(legation.__path__, "legation."):
        if module.name not in missing and not module.name.endswith("__main__") and ".migrations." not in module.name:
            yield module.name


def test_no_script_names_a_rule_or_an_order_of_its_own() -> None:
    """Pages follow what the kinds of order say of themselves: no contract of imports reaches scripts."""
    own = {module.name for module in pkgutil.iter_modules(rules.__path__)}
    for module in modules().values():
        for kind in module.orders:
            own |= {kind.record.__name__}
            own |= {kind.gesture.name} if isinstance(kind.gesture, Gesture) else set()
    assert {"ferry", "proxy", "send", "Convert"} <= own
    literal = re.compile(rf"""["'`]({"|".join(sorted(own - DATES))})["'`]""")
    scripts = [*(ROOT / "src/legation/web/static").rglob("*.js"), *(ROOT / "src/legation/atlas/site").glob("*.js")]
    found = {
        f"{script.name}: {word}"
        for script in scripts
        if script.name not in ("htmx.js", "hx-sse.js")
        for word in literal.findall(script.read_text(encoding="utf-8"))
    }
    assert len(scripts) > 50 and sorted(found) == []


def test_the_manual_describes_every_setting() -> None:
    told = tomllib.loads((ROOT / "docs/tables/settings.toml").read_text(encoding="utf-8"))
    there = runpy.run_path(str(ROOT / "docs/conf.py"))["settings"]()
    assert {table: sorted(names) for table, names in told.items()} == {t: sorted(names) for t, names in there.items()}
    assert msgspec.json.encode(there)  # as the page shows the defaults
