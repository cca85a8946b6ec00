"""Rules pages: the rulebook of each variant, the examples of its clauses, how orders are written and judged, what is
proved."""

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

import msgspec
import structlog
from fastapi import Request, Response

from legation.board import province_of
from legation.conformance import Case, clause_table, datc_table, find_cases, read_cases
from legation.conformance.cases import POSITION_KEYS
from legation.game import DocumentError, position_document, read_task
from legation.game.documents import verdict_documents
from legation.judge import Resolution, Ruleset, resolve
from legation.lessons import lessons_of_clause
from legation.office.monitoring.logs import told_of
from legation.office.office import Office
from legation.orders import Sheet
from legation.position import Position
from legation.scoring import SYSTEMS
from legation.variants import FORMS, STANDARD, clauses_of, rulebook
from legation.web.public.gallery import card, cards
from legation.web.public.maps import LiveMap, Names, known_to, map_of, rules_of
from legation.web.public.verdict_rows import verdict_rows
from legation.web.serving.answers import PICTURE_POLICY, Packed
from legation.web.serving.pages import PageError, PageRouter, page

router = PageRouter()
log = structlog.get_logger("legation.web")
DATC = "DATC "  # begins the name of a clause that is a case of the Diplomacy Adjudicator Test Cases


class Example(msgspec.Struct, frozen=True):
    """A turn of a worked example: its position and the results of its orders."""

    id: str
    title: str
    rules: Ruleset
    before: Position
    sheets: tuple[Sheet, ...]
    seed: str
    resolution: Resolution

    @property
    def digest(self) -> str:
        """Names its picture."""
        content = json.dumps([self.id, str(self.before.turn), [str(v.order) for v in self.resolution.verdicts]])
        return hashlib.sha256(content.encode()).hexdigest()[:12]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Its orders with what came of them and why."""
        return verdict_rows(verdict_documents(self.resolution, ()), self.rules.name)


@lru_cache(maxsize=1)
def _cases() -> list[Case]:
    return [case for path in find_cases() for case in read_cases(path)]


def drawn_cases(variant: str) -> Iterator[tuple[Case, list[str]]]:
    """Yield the cases that prove clauses of a variant as it is shipped, with these clauses, where there are orders."""
    held = {clause.id for clause in clauses_of(variant)}
    for case in _cases():
        clauses = [clause for clause in case.clauses if clause in held or clause.startswith(DATC)]
        if case.variant == variant and case.body.get("orders") and clauses:
            yield case, clauses


@lru_cache(maxsize=64)
def examples_of(variant: str) -> dict[str, list[Example]]:
    """The examples of each clause of a variant."""
    examples: dict[str, list[Example]] = {}
    for case, clauses in drawn_cases(variant):
        turns = list(_play(case, variant))
        for clause in clauses:
            examples.setdefault(clause, []).extend(turns)
    return examples


def _play(case: Case, variant: str) -> list[Example]:
    """The turns of a case, as far as they have orders; at most four, more is a game and no example."""
    document: dict[str, Any] = {key: case.body[key] for key in POSITION_KEYS if key in case.body}
    document["variant"] = variant
    turns = []
    for step in [case.body, *case.body.get("then", [])][:4]:
        if "orders" not in step:
            break
        try:
            task = read_task({**document, "orders": step["orders"]})
        except DocumentError:  # the case proves that such a document is refused
            break
        resolution = resolve(task.rules, task.position, task.sheets, task.seed)
        turns.append(Example(case.id, case.title, task.rules, task.position, tuple(task.sheets), task.seed, resolution))
        document = {**position_document(task.rules, resolution.after), "seed": task.seed}
    return turns


@router.get("/rules")
def index(request: Request) -> Response:
    """Show the list of rules pages."""
    return page(request, "rules/index.html", cards=cards(known_to(request)))


@router.get("/variants/{variant}/rules")
def rules_page(request: Request, variant: str) -> Response:
    """The rulebook of a variant, what differs from the standard game in the second ink."""
    variants = known_to(request)
    rules = rules_of(variant, variants)
    return page(
        request,
        "rules/rulebook.html",
        card=card(variant, variants),
        live=map_of(variant, variants).for_reader(request),
        book=rulebook(rules, variants.facts(variant), rules_of(STANDARD)),
        rules=rules,
        notes=bool(rules.board.notes),
        examples={clause: len(turns) for clause, turns in examples_of(variant).items()},
    )


@router.get("/variants/{variant}/rules/{clause}")
def clause_page(request: Request, variant: str, clause: str) -> Response:
    """A clause with its examples, drawn and judged."""
    variants = known_to(request)
    rules = rules_of(variant, variants)
    clauses = clauses_of(variant)
    number = next((i for i, c in enumerate(clauses) if c.id == clause), None)
    if number is None:
        ways = [(f"The rules of {rules.title}", f"/variants/{variant}/rules")]
        raise PageError(404, f"{rules.title} has no clause {clause[:20]}.", ways=ways)
    examples = examples_of(variant).get(clause, [])[:12]
    return page(
        request,
        "rules/clause.html",
        card=card(variant, variants),
        live=map_of(variant, variants).for_reader(request),
        rules=rules,
        clause=clauses[number],
        lessons=lessons_of_clause(clause),
        before=clauses[number - 1] if number else None,
        after=clauses[number + 1] if number + 1 < len(clauses) else None,
        examples=[(example, example.rows) for example in examples],
    )


@router.get("/variants/{variant}/examples/{clause}/{digest}-{theme}.svg")
def example_picture(
    request: Request, variant: str, clause: str, digest: str, theme: Literal["light", "dark"], names: Names = ""
) -> Response:
    """The part of the map where an example plays, with its orders; with ``names`` in a language of the board."""
    example = example_of(variant, clause, digest)
    return _picture(example, map_of(variant).in_language(names), theme).answer(request)


def example_of(variant: str, clause: str, digest: str) -> Example:
    """Return a worked example (PageError: 404 when there is none of this name)."""
    for example in examples_of(rules_of(variant).name).get(clause, []):
        if example.digest == digest:
            return example
    raise PageError(404, "There is no such example.", ways=[("The clause", f"/variants/{variant}/rules/{clause}")])


@lru_cache(maxsize=128)
def _picture(example: Example, live: LiveMap, theme: Literal["light", "dark"]) -> Packed:
    places = {unit.province for unit in example.before.units} | {d.unit.province for d in example.before.dislodged}
    for verdict in example.resolution.verdicts:
        named = (getattr(verdict.order, field, "") or "" for field in ("at", "to", "target", "target_to"))
        places |= set(map(province_of, named))
    title = f"{example.title}, {example.before.turn}"
    svg = live.picture(example.before, example.resolution.verdicts, theme, title, live.around(places))
    return Packed(svg.encode(), "image/svg+xml", PICTURE_POLICY)


# Orders, verdicts, proofs


@router.get("/rules/orders")
def orders_page(request: Request) -> Response:
    """Show how orders are written."""
    return page(request, "rules/orders.html", forms=FORMS)


FIGURES = {
    "worth": ("6.D.1", "A supported unit stays; an attack of equal strength bounces."),
    "cut": ("6.D.2", "An attack on the supporter cuts the support, and the unit is dislodged."),
    "circle": ("6.C.1", "Three units move in a circle; all succeed."),
    "convoy": ("6.F.9", "A convoy disrupted on one of its routes may still have another."),
    "retreat": ("6.H.7", "Two that retreat to the same place are both disbanded."),
}
"""Cases that the page on verdicts shows beside its sections."""


@router.get("/rules/scoring")
def scoring_systems(request: Request) -> Response:
    """Show the scoring systems, each with its formula, its source and an example."""
    return page(request, "rules/scoring.html", systems=SYSTEMS.values())


@router.get("/rules/verdicts")
def verdicts_page(request: Request) -> Response:
    """Show how verdicts are reached."""
    shown = {}
    for section, (case, caption) in FIGURES.items():
        if examples := examples_of(STANDARD).get(DATC + case):
            shown[section] = {"case": case, "caption": caption, "example": examples[-1]}
    live = map_of(STANDARD).for_reader(request)
    return page(request, "rules/verdicts.html", options=rules_of(STANDARD).declared_options, figures=shown, live=live)


@router.get("/rules/datc/{case}")
def datc_page(request: Request, case: str) -> Response:
    """A case of the DATC, drawn and judged."""
    turns = examples_of(STANDARD).get(DATC + case)
    if not turns:
        ways = [("All cases", "/rules/proof")]
        raise PageError(404, f"There is no drawing for case {case[:20]}.", ways=ways)
    examples = [(example, example.rows) for example in turns]
    live = map_of(STANDARD).for_reader(request)
    return page(request, "rules/datc.html", case=case, clause=DATC + case, examples=examples, live=live)


class _Proof:
    """The tables of conformance, made once by running all cases, which takes some seconds."""

    AGAIN = 60.0  # seconds until what failed is tried again, however many ask

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runner: threading.Thread | None = None
        self._failed: float | None = None
        self.tables: tuple[list[dict[str, Any]], list[dict[str, Any]]] | None = None

    def start(self, office: Office | None) -> bool:
        """Begin to run the cases, if nobody has, or if that failed a while ago; False while it has failed."""
        with self._lock:
            if self.tables is None and (self._runner is None or not self._runner.is_alive()):
                if self._failed is not None and time.monotonic() < self._failed + self.AGAIN:
                    return False
                self._runner = threading.Thread(target=self._run, args=(office,), daemon=True, name="conformance")
                self._runner.start()
            return True

    def _run(self, office: Office | None) -> None:
        try:
            self.tables = clause_table("game"), datc_table()
        except Exception as error:  # whatever it is, the page says so
            self._failed = time.monotonic()
            log.error("thread failed", thread="conformance", **told_of(error))
            if office is not None:
                office.figures.failures.labels("conformance", type(error).__name__).inc()


proof = _Proof()


@router.get("/rules/proof")
def proof_page(request: Request) -> Response:
    """Show what is proved, each clause and each case of the DATC, as run here since the site started."""
    if not proof.start(request.app.state.office):
        raise PageError(503, "The cases could not be run on this server. Try again in a minute.")
    if proof.tables is None:
        return page(request, "rules/proof_runs.html", 202)
    clauses, datc = proof.tables
    drawn = {clause.removeprefix(DATC) for clause in examples_of(STANDARD) if clause.startswith(DATC)}
    known = {*known_to(request).names()}
    return page(request, "rules/proof.html", clauses=clauses, datc=datc, drawn=drawn, known=known)
