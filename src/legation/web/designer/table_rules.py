"""The rules of a variant on the drawing table: every rule as a form, and the rulebook as players will read it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import msgspec
from fastapi import Request
from starlette.responses import Response

from legation.atlas.table.document import read_document, variant_files, write_files
from legation.judge import Ruleset
from legation.variants import STANDARD, Registry, VariantError, rule_forms, rulebook
from legation.web.designer.table import COARSE, Body, call_child, json_answer, read_json
from legation.web.public.maps import known_to
from legation.web.serving.bounds import bound
from legation.web.serving.pages import PageRouter

router = PageRouter(prefix="/table")
BORDERS = ("borders.csv", "touching.csv")
A_MINUTE = 120


class SentRules(msgspec.Struct, kw_only=True):
    """A document, and its borders as they were grown last."""

    document: dict[str, Any]
    grown: dict[str, str] = {}


class RulebookSection(msgspec.Struct, frozen=True):
    """A part of a rulebook."""

    title: str
    paragraphs: list[str]


class Book(msgspec.Struct, frozen=True):
    """A rulebook, or why there is none yet."""

    sections: list[RulebookSection] = []
    findings: list[str] = []


@router.get("/rules")
def rules(request: Request) -> Response:
    """List all rules as forms, and the variants whose rules can be built on."""
    variants = known_to(request)
    basis = []
    for name in variants.names():
        calendar = variants.facts(name).get("rules", {}).get("calendar")
        basis.append({"name": name, "title": variants.load(name).title, "calendar": calendar})
    answer = json_answer({"rules": rule_forms(variants.rules()), "basis": basis})
    answer.headers["cache-control"] = "private, max-age=600"
    return answer


@router.post("/rulebook")
def show_rulebook(request: Request, body: Body) -> Response:
    """Show the rulebook of a document's variant, or what is wrong with its rules."""
    bound(request, "table", A_MINUTE)
    sent = read_json(body, SentRules)
    return json_answer(call_child(COARSE, Book, f"{__name__}:book_of", sent.document, sent.grown))


def book_of(value: object, grown: dict[str, str]) -> Book:
    """Return the rulebook of a document; run in a child.

    :raises DocumentError: when it isn't a document.
    """
    document = read_document(value)
    if not document.shown_variant:
        return Book(findings=["There are no powers yet: add them under Powers."])
    files = write_files(document)
    if document.borders == "picture":
        files |= {name: text for name, text in grown.items() if name in BORDERS}
    with tempfile.TemporaryDirectory(prefix="legation-table-") as scratch:
        folder = Path(scratch)
        folder.joinpath(document.name).mkdir()
        for name, text in files.items():
            folder.joinpath(document.name, name).write_text(text, encoding="utf-8")
        name, text = next(iter(variant_files(document).items()))
        variant = folder / name
        variant.write_text(text, encoding="utf-8")
        try:
            registry = Registry(installed=False)
            made = registry.load(registry.add_file(variant))
        except VariantError as error:
            return Book(findings=[fault.removeprefix(f"{variant.name}: ") for fault in error.faults])
        return Book(_sections(made, rulebook(made, registry.facts(made.name), registry.load(STANDARD))))


def _sections(rules: Ruleset, book: dict[str, Any]) -> list[RulebookSection]:
    powers = [f"{p['name']}: {', '.join(p['units']) or 'no units'}" for p in book["powers"]]
    sections = [RulebookSection("Powers", powers)]
    for rule in book["rules"]:
        sections.append(RulebookSection(rule["module"].replace("_", " ").capitalize(), rule["text"]))
    return sections + [RulebookSection(part["title"], [part["text"]]) for part in book["basics"]]
