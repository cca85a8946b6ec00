"""``python -m legation.web.catalog_building``: bring every catalog up to date with the messages there are.

New messages are added without a text, those that nobody uses are dropped; ``--check`` changes nothing, lists what is
missing, and fails where something is.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.pofile import read_po, write_po
from jinja2 import nodes

from legation.lessons import lessons
from legation.web.languages.catalogs import ENGLISH
from legation.web.languages.messages import Translator
from legation.web.languages.scripts import messages_of
from legation.web.serving.assets import assets
from legation.web.serving.pages import templates

FOLDER = Path(__file__).parent / "languages"
ROOMS = ("web", "office", "game")
"""Rooms whose sentences pages show."""
COUNTED = "counted things"
"""Where a thing is used that is counted, which has a singular and a plural."""
SENTENCE = re.compile(r"[A-Z][\w’']*\b.* .*[.!?:]", re.DOTALL)


def messages() -> dict[str, str]:
    """All messages, with where each is used first."""
    found: dict[str, str] = {}
    for place, message in (*_in_templates(), *_in_scripts(), *_in_lessons(), *_in_code()):
        found.setdefault(" ".join(message.split()), place)
    return found


def _in_templates() -> Iterator[tuple[str, str]]:
    environment = templates(ENGLISH)
    for name in sorted(environment.list_templates(extensions=["html"])):
        told: list[str] = []

        def keep(message: str, told: list[str] = told) -> str:
            told.append(message)
            return message

        assert environment.loader is not None
        tree = environment.parse(environment.loader.get_source(environment, name)[0])
        things = [use.args[0] for use in tree.find_all(nodes.Filter) if use.name == "counted"]
        yield from ((COUNTED, thing.value) for thing in things if isinstance(thing, nodes.Const))
        Translator(keep).walk(tree)
        yield from ((name, message) for message in told)


def _in_scripts() -> Iterator[tuple[str, str]]:
    for path in assets.files:
        if path.endswith(".js"):
            yield from ((path, message) for message in messages_of(assets.files[path].content.decode()))


def _in_lessons() -> Iterator[tuple[str, str]]:
    for lesson in lessons():
        texts = [lesson.title, lesson.about, *(t for step in lesson.steps for t in (step.text, step.hint, step.praise))]
        yield from ((f"lesson {lesson.name}", text) for text in texts if text)


def _in_code() -> Iterator[tuple[str, str]]:
    root = FOLDER.parents[1]
    for path in sorted(path for room in ROOMS for path in (root / room).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        skipped = {id(part) for node in ast.walk(tree) for part in _no_messages(node)}
        for node in ast.walk(tree):
            if id(node) not in skipped and (text := _text_of(node)) and SENTENCE.fullmatch(text):
                yield str(path.relative_to(root)), text


def _no_messages(node: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, and the parts of texts with places."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    if isinstance(node, ast.JoinedStr):
        yield from (part for part in ast.walk(node) if part is not node)


def _text_of(node: ast.AST) -> str:
    """A text, with ``{name}`` where something is put into it."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if not isinstance(node, ast.JoinedStr):
        return ""
    text, taken = "", set[str]()
    for part in node.values:
        if isinstance(part, ast.Constant):
            text += str(part.value)
        elif isinstance(part, ast.FormattedValue):
            name = _called(part.value)
            name = next(free for free in (name, *(f"{name}{n}" for n in range(2, 99))) if free not in taken)
            taken.add(name)
            text += f"{{{name}}}"
    return text


def _called(node: ast.expr) -> str:
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return node.attr
        case ast.Call():
            return _called(node.args[0] if node.args else node.func)
        case ast.Subscript():
            return _called(node.value)
    return "value"


def main() -> None:
    """Do what the module says."""
    parser = argparse.ArgumentParser(prog="python -m legation.web.catalog_building", description=__doc__)
    parser.add_argument("languages", nargs="*", help="such as de; all there are by default, and new ones are begun")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    current = messages()
    missing = 0
    for language in given.languages or sorted(path.stem for path in FOLDER.glob("*.po")):
        missing += _bring_up(language, current, given.check)
    sys.exit(1 if given.check and missing else 0)


def _bring_up(language: str, current: dict[str, str], check: bool) -> int:
    path = FOLDER / f"{language}.po"
    before = read_po(path.open("rb"), language) if path.exists() else ()
    old = {_id(m): m for m in before if m.pluralizable == (current.get(_id(m), COUNTED) == COUNTED)}
    new = Catalog(language, project="Legation", header_comment="", fuzzy=False)
    for message, place in current.items():
        known = old.get(message)
        forms = ("",) * new.num_plurals if place == COUNTED else ""
        key = (message, f"{message}s") if place == COUNTED else message
        new.add(key, known.string if known else forms, auto_comments=[place], flags=known.flags if known else ())
    lacking = [message for message in current if not (known := old.get(message)) or not _whole(known)]
    unused = len(old.keys() - current)
    sys.stdout.write(f"{language}: {len(current)} messages, {len(lacking)} without a text, {unused} not used\n")
    if check:
        for message in lacking[:50]:
            sys.stdout.write(f"  {current[message]}: {message}\n")
    else:
        with path.open("wb") as file:
            write_po(file, new, width=10_000, omit_header=False, include_lineno=False, sort_output=False)
    return len(lacking)


def _whole(message: Message) -> bool:
    forms = message.string if isinstance(message.string, list | tuple) else [message.string]
    return not message.fuzzy and all(forms)


def _id(message: Message) -> str:
    return str(message.id[0] if message.pluralizable else message.id)


if __name__ == "__main__":
    main()
