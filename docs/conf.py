"""The manual: ``make docs`` builds it into ``docs/_build/html``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from legation import __version__

HERE = Path(__file__).parent

project = "Legation"
author = "The Legation founders"
copyright = "the Legation founders, MIT license"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "examples"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {
    "members": True,
    "show-inheritance": False,
    "exclude-members": "OrderKind, Verb, Opening",  # told in "write a rule", not once more in every module that uses them
}
nitpicky = False

html_theme = "furo"
html_title = f"Legation {version}"
html_static_path = ["_static"]
html_css_files = ["manual.css"]
html_theme_options = {
    "source_view_link": "",
    "light_css_variables": {
        "color-brand-primary": "#7a2b20",
        "color-brand-content": "#7a2b20",
        "font-stack": "EB Garamond, Georgia, serif",
    },
    "dark_css_variables": {"color-brand-primary": "#e0a295", "color-brand-content": "#e0a295"},
}


def write_commands(_app: object) -> None:
    """``reference/commands.md``: what every command says of itself with ``--help``."""
    from legation.cli.app import GROUPS, MODULES

    parts = ["# The commands", "", "Every command says this of itself with `--help`.", ""]
    names = [name for _, commands in MODULES["legation"] for name in commands.split()]
    for name in sorted([*names, *list(GROUPS)[1:]]):
        shown = subprocess.run(
            [sys.executable, "-m", "legation", name, "--help"],
            check=True,
            capture_output=True,
            text=True,
            env={"COLUMNS": "100", "PATH": "", "NO_COLOR": "1", "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        parts += [f"## legation {name}", "", "```text", shown.rstrip(), "```", ""]
    (HERE / "reference" / "commands.md").write_text("\n".join(parts), encoding="utf-8")


def write_api(_app: object) -> None:
    """``reference/api.md``: every call of an office, from its own OpenAPI description."""
    from legation.office.errors import OfficeError
    from legation.web.api.describing import describe

    described = describe("/api")
    parts = [
        "# The HTTP interface",
        "",
        "Every office answers these calls; `/api/openapi.json` is the same description for programs, with the schema of each body and answer. "
        "A token goes into `Authorization: Bearer ...`; an `Idempotency-Key` makes a call that changes something safe to repeat. "
        "What is refused answers with `application/problem+json`: a sentence, a code, suggestions. The codes are "
        + ", ".join(f"`{kind.code}` ({kind.status})" for kind in OfficeError.__subclasses__())
        + ".",
        "",
    ]
    by_tag: dict[str, list[str]] = {}
    for path, calls in described["paths"].items():
        for method, call in calls.items():
            names = [p["name"] for p in call.get("parameters", []) if p["name"] != "Idempotency-Key"]
            body = "".join(call.get("requestBody", {}).get("content", {}))
            lines = [f"### `{method.upper()} {path}`", "", call["summary"], "", call.get("description", ""), ""]
            lines += [f"Arguments: {', '.join(f'`{name}`' for name in names)}", ""] if names else []
            lines += [f"Body: {body}", ""] if body else []
            by_tag.setdefault(call["tags"][0], []).extend(lines)
    for tag, lines in by_tag.items():
        parts += [f"## {tag.capitalize()}", "", *lines]
    (HERE / "reference" / "api.md").write_text("\n".join(parts), encoding="utf-8")


def setup(app: object) -> None:
    """Write the generated pages before the others are read."""
    for write in (write_commands, write_api):
        app.connect("builder-inited", write)  # type: ignore[attr-defined]
