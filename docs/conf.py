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
    "exclude-members": "OrderKind, Production",  # told in "write a rule", not once more in every module that uses them
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


SAID_OF_ACTS = {
    "beside": "the order that it stands behind or below",
    "named": "the orders whose unit, place or target it names",
    "sheet": "the whole sheet (*all of the above*, *these orders*)",
}
EXAMPLES = (
    ("a move", "A par - bur", "Army Paris moves to Burgundy", "Paris to Burgundy", "A lon - nth - nwy", "A lon - nwy via convoy"),
    ("a hold", "A par H", "Army Paris holds", "Paris and Brest stand", "all others hold", "everything holds except A par"),
    ("a support", "A mar S A par - bur", "Marseilles supports Paris to Burgundy", "A mar S A par", "A par - bur, supported by A mar"),
    ("a convoy", "F nth C A lon - nwy", "Fleet North Sea convoys Army London to Norway"),
    ("a retreat", "A vie R tyr", "Vienna retreats to Tyrolia", "A vie disbands"),
    ("a build or a removal", "build A par", "Build a fleet in Brest", "remove A pic", "waive", "waive the rest"),
    ("a vote", "draw", "I vote for a draw"),
)


def write_reading(_app: object) -> None:
    """``reference/reading-orders.md``: what may be written, from the reader's own grammar and tables."""
    from importlib.resources import files

    from legation.notation.acts import effects
    from legation.notation.errors import reasons
    from legation.notation.lexicon import table

    grammar = files("legation.notation").joinpath("grammar.txt").read_text(encoding="utf-8")
    parts = [
        "# How orders are read",
        "",
        "You can write orders as you like: in short style, in sentences, one a line or several, in a list or a table. An order counts only if "
        "all of its words are understood. Everything else on the sheet is told: as a heading, as a remark, or with the reason why it isn't an order.",
        "",
        "## What may be written",
        "",
        *(f"- {noun}: {', '.join(f'`{text}`' for text in texts)}" for noun, *texts in EXAMPLES),
        "",
        "Further orders of a game's own rules are in its rulebook, each with examples.",
        "",
        "## What stands beside orders",
        "",
        "A sentence that takes back, corrects, denies, doubts or asks counts against the orders that it speaks of, and never against others. "
        "A sentence that speaks of no order changes nothing.",
        "",
        "| what is said | " + " | ".join(SAID_OF_ACTS.values()) + " |",
        "|---|" + "---|" * len(SAID_OF_ACTS),
    ]
    said = {"stop": "doesn't count", "keep": "counts"}
    for kind in dict.fromkeys(kind for kind, _ in effects()):
        told = (said.get(effects().get((kind, scope), ""), "") for scope in SAID_OF_ACTS)
        parts.append(f"| {kind} | {' | '.join(told)} |")
    parts += ["", "## Why a text isn't carried out", "", "| reason | what you are told |", "|---|---|"]
    parts += [f"| {code} | {message.replace('{', '*').replace('}', '*')} |" for code, (_, message) in reasons().items()]
    parts += ["", "## The grammar", "", "```text", *(line for line in grammar.splitlines()), "```", ""]
    parts += ["## The words", "", "Each class of the grammar with its words, of all languages that are read.", ""]
    words: dict[str, list[str]] = {}
    for name, listed in table():
        words.setdefault(name, []).append(listed)
    parts += [f"- `{name}`: {', '.join(listed)}" for name, listed in words.items() if name.partition("=")[0] in grammar]
    (HERE / "reference" / "reading-orders.md").write_text("\n".join(parts) + "\n", encoding="utf-8")


def write_scoring(_app: object) -> None:
    """``reference/scoring.md``: the scoring systems, from their declarations."""
    from legation.scoring import manual

    (HERE / "reference" / "scoring.md").write_text(manual.page() + "\n", encoding="utf-8")


def setup(app: object) -> None:
    """Write the generated pages before the others are read."""
    for write in (write_commands, write_api, write_reading, write_scoring):
        app.connect("builder-inited", write)  # type: ignore[attr-defined]
