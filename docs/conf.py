"""The manual: ``make docs`` builds it into ``docs/_build/html``."""

from __future__ import annotations

import csv
import inspect
import re
import subprocess
import sys
import tomllib
from collections import Counter
from itertools import groupby
from pathlib import Path

from legation import __version__

HERE = Path(__file__).parent

project = "Legation"
author = "The Legation founders"
copyright = "the Legation founders, MIT license"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "examples", "tables"]
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


def write(page: str, lines: list[str]) -> None:
    """Write a page that is made from code or from a table."""
    (HERE / f"{page}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


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
    write("reference/commands", parts)


def write_api(_app: object) -> None:
    """``reference/api.md``: every call of an office, from its own OpenAPI description."""
    from legation.office.errors import OfficeError
    from legation.web.api.describing import describe

    described = describe("/api")
    parts = [
        "# The HTTP interface",
        "",
        "Every office answers these calls; `/api/openapi.json` is the same description for programs, with the schema "
        "of each body and answer. A token goes into `Authorization: Bearer ...`; an `Idempotency-Key` makes a call "
        "that changes something safe to repeat. A refusal is `application/problem+json`: a sentence, a code, "
        "suggestions. The codes are "
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
    write("reference/api", parts)


SAID_OF_ACTS = {
    "beside": "the order that it stands behind or below",
    "named": "the orders whose unit, place or target it names",
    "sheet": "the whole sheet (*all of the above*, *these orders*)",
}
EXAMPLES = (
    (
        "a move",
        "A par - bur",
        "Army Paris moves to Burgundy",
        "Paris to Burgundy",
        "A lon - nth - nwy",
        "A lon - nwy via convoy",
    ),
    (
        "a hold",
        "A par H",
        "Army Paris holds",
        "Paris and Brest stand",
        "all others hold",
        "everything holds except A par",
    ),
    (
        "a support",
        "A mar S A par - bur",
        "Marseilles supports Paris to Burgundy",
        "A mar S A par",
        "A par - bur, supported by A mar",
    ),
    ("a convoy", "F nth C A lon - nwy", "Fleet North Sea convoys Army London to Norway"),
    ("a retreat", "A vie R tyr", "Vienna retreats to Tyrolia", "A vie disbands"),
    ("a build or a removal", "build A par", "Build a fleet in Brest", "remove A pic", "waive", "waive the rest"),
    ("a vote", "draw", "I vote for a draw"),
    ("several units", "All my units except Fleet Brest hold", "With support from A Mar, A Par attacks Bur"),
    ("a list from a program", '["A PAR - GAS", "F BRE H"]', "A,par,move,gas", "((FRA AMY PAR) MTO GAS)"),
    ("a table with a head", "unit;from;order;to;remark", "A;PAR;move;GAS;", "F;BRE;support;PAR-GAS;with luck"),
)


def write_reading(_app: object) -> None:
    """``reference/reading-orders.md``, what may be written, and ``reference/order-grammar.md``, which has all forms and
    words: from the reader's own grammar and tables."""
    from importlib.resources import files

    from legation.notation.acts import effects
    from legation.notation.errors import reasons
    from legation.notation.lexicon import table

    grammar = files("legation.notation").joinpath("grammar.txt").read_text(encoding="utf-8")
    parts = [
        "# How orders are read",
        "",
        "You can write orders as you like: in short style, in sentences, one a line or several, in a list or a table. "
        "An order counts only if all of its words are understood. Everything else on the sheet is told: as a heading, "
        "as a remark, or with the reason why it isn't an order.",
        "",
        "## What may be written",
        "",
        *(f"- {noun}: {', '.join(f'`{text}`' for text in texts)}" for noun, *texts in EXAMPLES),
        "",
        "Further orders of a game's own rules are in its rulebook, each with examples. [The grammar of orders]"
        "(order-grammar.md) has all forms, words and reasons.",
        "",
        "## What stands beside orders",
        "",
        "A sentence that takes back, corrects, denies, doubts or asks counts against the orders that it speaks of, and "
        "never against others. A sentence that speaks of no order changes nothing.",
        "",
        "| what is said | " + " | ".join(SAID_OF_ACTS.values()) + " |",
        "|---|" + "---|" * len(SAID_OF_ACTS),
    ]
    said = {"stop": "doesn't count", "keep": "counts"}
    for kind in dict.fromkeys(kind for kind, _ in effects()):
        told = (said.get(effects().get((kind, scope), ""), "") for scope in SAID_OF_ACTS)
        parts.append(f"| {kind} | {' | '.join(told)} |")
    write("reference/reading-orders", parts)
    parts = ["# The grammar of orders", "", "## Why a text isn't carried out", ""]
    parts += ["| reason | what you are told |", "|---|---|"]
    parts += [f"| {code} | {message.replace('{', '*').replace('}', '*')} |" for code, (_, message) in reasons().items()]
    parts += ["", "## The grammar", "", "```text", *(line for line in grammar.splitlines()), "```", ""]
    parts += ["## The words", "", "Each class of the grammar with its words, of all languages that are read.", ""]
    words: dict[str, list[str]] = {}
    for name, listed in table():
        words.setdefault(name, []).append(listed)
    parts += [f"- `{name}`: {', '.join(listed)}" for name, listed in words.items() if name.partition("=")[0] in grammar]
    write("reference/order-grammar", parts)


def write_modules(_app: object) -> None:
    """``reference/modules.md``: every rule module, as its file describes it."""
    from legation.rules import modules

    parts = [
        "# The rule modules",
        "",
        "A variant lists these under `[rules.<key>]`. `legation rules VARIANT` describes them with its settings.",
        "",
    ]
    first: dict[str, str] = {}
    for key, rule in sorted(modules().items()):
        other = first.setdefault(rule.__module__, key)
        shown = ["```{eval-rst}", f".. automodule:: {rule.__module__}", "```"]
        parts += [f"## {key}", "", *(shown if other == key else [f"See [{other}](#{other}).", ""]), ""]
    write("reference/modules", parts)


def write_questions(_app: object) -> None:
    """``reference/questions.md``: every question that a rule can answer, by how several answers are combined."""
    from legation.judge import Rule

    parts = [
        "# The questions",
        "",
        "A rule answers one by [defining the method of that name](../writing-rules.md#what-a-rule-can-answer). "
        "[Every question, with an example](../questions.md) shows each in use.",
    ]
    for group in (inspect.getdoc(Rule) or "").split("\n\n"):
        if names := re.findall(r":meth:`(\w+)`", group):
            head = " ".join(group.split()).partition(": :meth:")[0].partition(" (")[0]
            parts += ["", f"## {head}", "", "| question | what it does |", "|---|---|"]
            for name in names:
                method = getattr(Rule, name)
                given = ", ".join(list(inspect.signature(method).parameters)[1:])
                said = " ".join((inspect.getdoc(method) or "").partition("\n\n")[0].replace(":meth:", "").split())
                parts.append(f"| `{name}({given})` | {said} |")
    write("reference/questions", parts)


def write_permissions(_app: object) -> None:
    """``reference/permissions.md``: who may use which command of an office, and when."""
    from legation.office.permissions import ROLES, STATES, commands

    roles = [role for role in ROLES if role not in ("clock", "console")]
    table = ["| command or view | " + " | ".join(roles) + " |", "|---|" + "---|" * len(roles)]
    for row in commands().values():
        if any(role in row.roles for role in roles):
            cells = [row.roles.get(role, ()) for role in roles]
            told = ["always" if set(states) == set(STATES) else ", ".join(states) for states in cells]
            table.append(f"| `{row.name}` | " + " | ".join(told) + " |")
    write(
        "reference/permissions",
        [
            "# Permissions",
            "",
            "Each column lists the states of a game in which that role can use a command. A *guest* has a seat in a "
            "demo game for a day, and can't invite, write to or sign for anyone. An administrator who plays in a game "
            "sees only what players see. At the command line of the office's machine, the operator can do what a "
            "coordinator can.",
            "",
            *table,
        ],
    )


def write_schedules(_app: object) -> None:
    """``reference/schedules.md``: the schedules that ship."""
    from legation.office.terms.schedules import schedule_list

    write("reference/schedules", ["# Built-in schedules", "", schedule_list()])


def write_mail_commands(_app: object) -> None:
    """``reference/mail-commands.md``: what ``HELP`` answers."""
    from legation.mail.words import answers

    parts = [
        "# Commands in a mail",
        "",
        "[For players](../for-players.md#commands-in-a-mail) tells what needs care.",
        "",
    ]
    parts += ["| command | what it does |", "|---|---|"]
    parts += [f"| `{command}` | {does} |" for command, does in answers("help").items()]
    write("reference/mail-commands", parts)


def write_settings(_app: object) -> None:
    """``reference/settings.md``: every setting of a game and of an office, with the default that the code has."""
    from msgspec import json

    told = tomllib.loads((HERE / "tables" / "settings.toml").read_text(encoding="utf-8"))
    heads = {"game": "A game", "office": "An office", "mail": "Its table `[mail]`", "web": "Its table `[web]`"}
    parts = [
        "# Settings",
        "",
        "[The office](../office.md#plans) shows a game's plan, [Hosting](../hosting.md) an office's file.",
    ]
    for table, defaults in settings().items():
        parts += ["", f"## {heads[table]}", "", "| setting | what it does | default |", "|---|---|---|"]
        for name, default in defaults.items():
            shown = "all" if name == "channels" else f"`{json.encode(default).decode()}`"
            parts.append(f"| `{name}` | {told[table][name]} | {shown} |")
    write("reference/settings", parts)


def settings() -> dict[str, dict[str, object]]:
    """Return the default of each setting of a game and of the tables of ``office.toml``."""
    from msgspec import NODEFAULT
    from msgspec.structs import fields

    from legation.mail.service import MailSettings
    from legation.office.settings import Settings
    from legation.office.terms.plans import GameSettings
    from legation.web.settings import WebTable

    office = {name: field.default for name, field in Settings.model_fields.items() if name not in ("mail", "web")}
    tables = {"game": GameSettings, "mail": MailSettings, "web": WebTable}
    found = {
        table: {
            field.name: field.default_factory() if field.default is NODEFAULT else field.default
            for field in fields(kind)
        }
        for table, kind in tables.items()
    }
    return {"game": found.pop("game"), "office": office, **found}


def write_balance(_app: object) -> None:
    """``balance/VARIANT.md``: how each power does between bots."""
    from legation.bots.balance import stored
    from legation.lab.balance import page
    from legation.variants import load, names

    for name in names():
        write(f"balance/{name}", page(load(name).title, name, stored(name)).splitlines())


def write_promises(_app: object) -> None:
    """``reference/promises.md``: what the office promises, and the tests that try to break it."""
    parts = [
        "# Promises and their tests",
        "",
        "[The office](../office.md#seals-and-what-they-protect-from) explains them.",
    ]
    for title in ("promises", "parties"):
        parts += ["", f"## {title.capitalize()}", "", *table(title)]
    write("reference/promises", parts)


def write_faults(_app: object) -> None:
    """``reference/faults.md``: what happens when something fails."""
    write("reference/faults", ["# When something fails", "", *table("faults")])


def write_rooms(_app: object) -> None:
    """``reference/rooms.md``: the rooms and the folders of the office, from the lowest, as each says of itself, and
    what is our own code though libraries do something like it; all with lines of code."""
    from importlib import import_module

    contracts = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    parts = [
        "# The rooms",
        "",
        "Each imports only those above it; those in one row of `pyproject.toml` don't know each other.",
    ]
    titles = {"": "The package", "legation.office": "The office", "legation.web": "The pages"}
    for contract in contracts["contracts"]:
        base = "".join(contract.get("containers", []))
        if contract["type"] == "layers" and base in titles:
            parts += ["", f"## {titles[base]}", "", "| name | lines | what lives there |", "|---|--:|---|"]
            for name in (name for layer in reversed(contract["layers"]) for name in re.findall(r"[\w.]+", layer)):
                module = f"{base}.{name}" if base else name
                said = (import_module(module).__doc__ or "").partition("\n\n")[0]
                counted = lines_of(module.partition(".")[2].replace(".", "/"))
                parts.append(f"| `{name.removeprefix('legation.')}` | {counted} | {' '.join(said.split())} |")
    head, line, *rows = table("own-code")
    parts += ["", "## Our own code instead of a library", "", f"{head} lines |", f"{line}--:|"]
    parts += [f"{row} {lines_of(re.search('`(.+?)`', row)[1])} |" for row in rows]
    write("reference/rooms", parts)


def lines_of(path: str) -> int:
    """Return how many lines of Python a module or package of ours has, by its path with or without ``.py``."""
    here = HERE.parent / "src" / "legation" / path
    files = here.rglob("*.py") if here.is_dir() else [here.with_suffix(".py")]
    return sum(file.read_bytes().count(b"\n") for file in files)


def table(name: str) -> list[str]:
    """Return a table of ``tables/`` in Markdown; names of tests are shortened to their file and function."""
    with (HERE / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    if head[-1] == "tests":
        rows = [[*row[:-1], ", ".join(f"`{test}`" for test in row[-1].split("; "))] for row in rows]
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


COUNTED = {"board": "board", "variant": "board", "default": "board", "office": "office", "options": "module"}
"""What a cell of ``tables/rules-of-other-systems.csv`` that names no module may begin with, and how it counts."""


def kind_of(here: str) -> str:
    """Return how a row counts by its last cell.

    :raises KeyError: when it begins with nothing that there is.
    """
    from legation.rules import modules

    for start, kind in (("not here; would need ", "not"), ("out of scope", "scope"), ("partly: ", "part")):
        if here.startswith(start):
            return kind
    first = re.split(r"[ ,;:(]", here.replace("`", ""))[0]
    return "module" if first in modules() else COUNTED[first]


def rules_of_others() -> list[dict[str, str]]:
    """Return the rows of ``tables/rules-of-other-systems.csv``."""
    with (HERE / "tables" / "rules-of-other-systems.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_rules_of_others(_app: object) -> None:
    """``reference/rules-of-other-systems.md``: what other systems have, and what there is here instead."""
    rows = rules_of_others()
    count = Counter(kind_of(row["here"]) for row in rows)
    here = count["module"] + count["board"] + count["office"]
    parts = [
        "# Rules of other systems",
        "",
        f"Look up a rule or option of another system to find its counterpart here. Of {len(rows)} rules {here} are "
        f"here: {count['module']} as a rule module or an option, {count['board']} in the board, the variant file or "
        f"by default, {count['office']} in the office. {count['part']} are here in part, {count['scope']} are out of "
        f"scope (press, scoring, coloring), and {count['not']} are not here; the table says what they would need.",
        "",
        "Systems: **D** DPjudge, **N** njudge, **J** jDip, **W** webDiplomacy, **V** vDiplomacy, **G** godip and "
        "diplicity, **M** MILA, **O** DiploGM.",
        "",
    ]
    for part, listed in groupby(rows, lambda row: row["part"]):
        parts += [f"## {part}", "", "| rule | systems | meaning | here |", "|---|---|---|---|"]
        parts += [f"| {' | '.join(row[key] for key in ('rule', 'systems', 'meaning', 'here'))} |" for row in listed]
        parts.append("")
    write("reference/rules-of-other-systems", parts)


def write_scoring(_app: object) -> None:
    """``reference/scoring.md``: the scoring systems, from their declarations."""
    from legation.scoring import manual

    write("reference/scoring", manual.page().splitlines())


def setup(app: object) -> None:
    """Write the generated pages before the others are read."""
    for made in (
        write_commands,
        write_api,
        write_reading,
        write_modules,
        write_questions,
        write_permissions,
        write_schedules,
        write_mail_commands,
        write_settings,
        write_balance,
        write_promises,
        write_faults,
        write_rooms,
        write_rules_of_others,
        write_scoring,
    ):
        app.connect("builder-inited", made)  # type: ignore[attr-defined]
