"""Case files: a position, orders, and what must come of them, with the clauses that this proves.

A file holds ``[[case]]`` tables; ``docs/cases.md`` describes the keys. Everything that a case states is checked, and a
case that states no expectation is a fault. The files stand in ``tests/cases`` of a checkout and in this package when it
is installed."""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from legation.board import province_of
from legation.conformance.facts import find_fact
from legation.formats import read_file, read_toml
from legation.game import DocumentError, Task, answer_document, position_document, read_task
from legation.judge import Outcome, Ruleset, legal_orders, resolve
from legation.notation import OrderTextError, write
from legation.orders import Order, kind_and_provinces, province_at
from legation.position import Phase, Position
from legation.variants import USUAL, Registry, VariantError, names

HEAD_KEYS = frozenset(
    "id title clauses note variant options turn units dislodged contested centers "
    "state seed read unread reach facts".split()
)
STEP_KEYS = frozenset(
    "orders expect why after gone dislodged_to owns next winner ending "
    "legal not_legal fault builds homes sites state_after limit then".split()
)
EXPECTATIONS = STEP_KEYS - {"orders", "then"} | {"read", "unread", "reach", "facts"}
POSITION_KEYS = ("options", "turn", "units", "dislodged", "contested", "centers", "state", "seed")
MAY_BE_EMPTY = frozenset(["winner", "ending"])  # nobody has won; the game goes on
OUTCOMES = frozenset(outcome.value for outcome in Outcome)


class CaseFault(ValueError):
    """A case file that cannot be used."""


class Case(msgspec.Struct, frozen=True):
    """One case on one variant: where it stands, what it proves, and its text.

    Cases that name several variants are read once for each."""

    id: str
    title: str
    clauses: tuple[str, ...]
    path: Path
    variant: str
    body: dict[str, Any]

    @property
    def shipped(self) -> bool:
        """Whether it runs on a variant as it comes with the project, not on one made up for the cases."""
        return self.variant in names()

    @property
    def name(self) -> str:
        """Its id, and the variant where that is one made up for the cases."""
        return self.id if self.shipped else f"{self.id} (on {self.variant.removesuffix('.toml')})"

    @property
    def note(self) -> str | None:
        """A remark, such as why the case departs from its source."""
        note = self.body.get("note")
        return str(note) if note else None


class CaseResult(msgspec.Struct, frozen=True):
    """What came of a case: nothing in ``problems`` if it passed."""

    case: Case
    problems: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether everything that the case states holds."""
        return not self.problems


def find_cases() -> list[Path]:
    """All case files."""
    packaged = Path(__file__).parent / "cases"
    folder = packaged if packaged.is_dir() else Path(__file__).parents[3] / "tests" / "cases"
    return sorted(folder.rglob("*.cases.toml"))


def read_cases(path: Path) -> list[Case]:
    """The cases of one file.

    :raises CaseFault: naming the file, the case and the fault."""
    try:
        content = read_toml(read_file(path).decode())
    except (OSError, ValueError) as error:
        raise CaseFault(f"{path}: {error}") from None
    shared = content.pop("shared", {})
    cases: list[Case] = []
    for number, entry in enumerate(content.pop("case", []), 1):
        body = {**shared, **entry}
        place = f"{path.name}: case {body.get('id', number)}"
        if fault := next(_faults(body), ""):
            raise CaseFault(f"{place}: {fault}")
        named = body.get("variant", "")
        variants: list[str] = named if isinstance(named, list) else [named]
        if not variants or not all(v and isinstance(v, str) for v in variants) or len(set(variants)) < len(variants):
            raise CaseFault(f"{place}: needs 'variant', a variant or a list of different ones")
        cases += [
            Case(str(body["id"]), str(body["title"]), tuple(body["clauses"]), path, name, {**body, "variant": name})
            for name in variants
        ]
    for key in content:
        raise CaseFault(f"{path}: unknown key {key!r}; a case file has [[case]] and [shared]")
    return cases


def _faults(body: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a case, its variants aside."""
    later = body.get("then", [])
    yield from (f"unknown key {key!r}" for key in body.keys() - HEAD_KEYS - STEP_KEYS)
    yield from (f"needs {key!r}" for key in ("id", "title", "clauses") if not body.get(key))
    for number, step in enumerate(later, 2):
        yield from (f"turn {number}: unknown key {key!r}" for key in step.keys() - STEP_KEYS | (step.keys() & {"then"}))
    for part in (body, *later):
        empty = [key for key in EXPECTATIONS & part.keys() - MAY_BE_EMPTY if part[key] in ({}, [], "")]
        yield from (f"{key!r} is empty, which states nothing" for key in empty)
    if body.get("facts", {}).keys() == {"power"} and not body.keys() & {"read", "unread"}:
        yield "facts: 'power' says who writes what is read or unread, and nothing is"
    if not _expects(body):
        yield "states nothing that could fail"


def _expects(body: Mapping[str, Any]) -> bool:
    return bool(EXPECTATIONS & body.keys()) or any(_expects(step) for step in body.get("then", []))


def run_cases(variants: Collection[str] | None = None) -> list[CaseResult]:
    """Run all cases, or those on some of the shipped variants and on those that were made up for the cases.

    :raises CaseFault: for a file that cannot be used."""
    cases = [case for path in find_cases() for case in read_cases(path)]
    return [run_case(case) for case in cases if variants is None or case.variant in variants or not case.shipped]


def run_case(case: Case) -> CaseResult:
    """Run one case; whatever does not hold is said in ``problems``."""

    def problems() -> Iterator[str]:
        try:
            yield from _problems(case)
        except (VariantError, OrderTextError, CaseFault) as error:
            yield str(error)

    return CaseResult(case, tuple(problems()))


@lru_cache(maxsize=8)
def _registry_beside(path: Path, changed: int) -> tuple[Registry, str]:
    """The variant of a file beside a case file, and its name; ``changed`` is when the file was."""
    variants = Registry()
    return variants, variants.add_file(path)


def _problems(case: Case) -> Iterator[str]:
    """Yield what a case states of names, facts and turns and the judge contradicts."""
    body, variants, variant = case.body, USUAL, case.variant
    if variant.endswith(".toml"):
        path = case.path.parent / variant
        variants, variant = _registry_beside(path, path.stat().st_mtime_ns if path.exists() else 0)
    rules = variants.load(variant, body.get("options", {}))
    yield from _names(rules, body)
    for key, stated in body.get("facts", {}).items():
        if key != "power":
            found = find_fact(rules, key, stated)
            if found is None:
                raise CaseFault(f"{case.id}: facts: unknown key {key!r}")
            yield from _want(key, *found)
    steps = [body, *body.get("then", [])]
    if not any(step.keys() & STEP_KEYS for step in steps):
        return
    seed = {"seed": body["seed"]} if body.get("seed") else {}
    document = {key: body[key] for key in POSITION_KEYS if key in body} | {"variant": variant}
    for number, step in enumerate(steps, 1):
        prefix = f"turn {number}: " if len(steps) > 1 else ""
        try:
            task = read_task({**document, "orders": step.get("orders", {})}, variants)
        except DocumentError as error:
            if "fault" not in step or str(step["fault"]) not in str(error):
                yield f"{prefix}{error}"
            return
        resolution = resolve(task.rules, task.position, task.sheets, task.seed)
        turn = _Turn(case.id, task, answer_document(task, resolution), resolution.after)
        for problem in turn.problems(step):
            yield prefix + problem
        document = {**turn.answer["after"], **seed}


def _want(what: str, wanted: object, actual: object) -> Iterator[str]:
    if wanted != actual:
        yield f"{what}: expected {wanted}, found {actual}"


def _names(rules: Ruleset, body: Mapping[str, Any]) -> Iterator[str]:
    """``read``: text -> canonical order, unit or place; ``unread``: text -> part of the error; ``reach``: unit -> where
    it may go."""
    power = str(body.get("facts", {}).get("power", ""))
    for text, wanted in body.get("read", {}).items():
        try:
            if str(wanted) in rules.board.locations:
                reading = rules.reader.location(text, power)
            else:
                reading = write(rules.reader.order(text, _phase(str(wanted)), power))
        except OrderTextError as error:
            reading = str(error)
        yield from _want(f"{text!r} reads as", wanted, reading)
    for text, wanted in body.get("unread", {}).items():
        try:
            yield f"{text!r} was read as {write(rules.reader.order(text, Phase.MOVEMENT, power))}"
        except OrderTextError as error:
            if str(wanted) not in str(error):
                yield f"{text!r}: expected an error with {wanted!r}, found {error}"
    for unit, wanted in body.get("reach", {}).items():
        kind, at = rules.reader.unit(unit)
        reached = sorted(rules.board.reach(rules.kinds[kind].travel, at))
        yield from _want(f"{unit} reaches", sorted(rules.reader.location(p) for p in wanted), reached)


def _phase(order: str) -> Phase:
    if order.startswith(("build", "remove", "waive", "send")):
        return Phase.ADJUSTMENTS
    return Phase.RETREATS if " R " in order or order.endswith(" disband") else Phase.MOVEMENT


class _Turn:
    """A turn of a case: the task, the answer to it, and the position after it."""

    def __init__(self, case: str, task: Task, answer: dict[str, Any], after: Position) -> None:
        self.case = case
        self.task = task
        self.answer = answer
        self.after = after
        self.rules = task.rules
        self.dislodged = {e["unit"]: e for listed in answer["dislodged"].values() for e in listed}

    def problems(self, step: Mapping[str, Any]) -> Iterator[str]:
        """Yield what a step states of the turn and the judge contradicts."""
        if "fault" in step:
            yield f"expected the fault {step['fault']!r}, but the document was read"
        yield from self._legal(step)
        yield from self._outcomes(step.get("expect", {}))
        for text, wanted in step.get("why", {}).items():
            verdict = self._verdict(text, [])
            explanation = verdict["explanation"] if verdict else "no verdict"
            if str(wanted) not in explanation:
                yield f"{text}: expected {wanted!r} in the explanation, found {explanation!r}"
        after = self.answer["after"]
        standing = {unit for units in after["units"].values() for unit in units}
        yield from (f"{unit} should be gone" for unit in step.get("gone", []) if unit in standing)
        if "next" in step:
            yield from _want("the next turn", step["next"], after["turn"])
        if "winner" in step:
            yield from _want("the winner", step["winner"] or None, self.answer["winner"])
        if "ending" in step:
            yield from self._ending(list(step["ending"]))
        for key, (what, find) in self._stated().items():
            for name, wanted in step.get(key, {}).items():
                in_any_sequence = isinstance(wanted, list) and key != "state_after"
                yield from _want(what.format(name), sorted(wanted) if in_any_sequence else wanted, find(name))

    def _stated(self) -> dict[str, tuple[str, Callable[[str], object]]]:
        """What a step may state of units and powers, by key: how a problem is told, and what there is, lists sorted."""
        task, rules, after, position = self.task, self.rules, self.answer["after"], self.after

        def retreats(unit: str) -> object:
            return sorted(self.dislodged[unit]["retreats"]) if unit in self.dislodged else "not dislodged"

        def builds(power: str) -> int:
            return rules.limit(task.position, power, task.sheets) - rules.size(task.position, power)

        return {
            "builds": ("{} may build", builds),  # below 0: must remove
            "dislodged_to": ("{} may retreat to", retreats),
            "after": ("{} has", lambda power: sorted(after["units"].get(power, []))),
            "owns": ("{} owns", lambda power: sorted(after["centers"].get(power, []))),
            "state_after": ("state {}", lambda key: position_document(rules, position)["state"].get(key)),
            "homes": ("{}'s homes", lambda power: sorted(rules.homes(position, power))),
            "sites": ("{}'s build sites", lambda power: sorted(rules.build_sites(position, power))),
            "limit": ("{}'s limit", lambda power: rules.limit(position, power)),
        }

    def _ending(self, wanted: list[str]) -> Iterator[str]:
        """``ending``: its kind, and the powers; their order counts in a ranking."""
        ending = self.answer["ending"]
        actual = [ending["kind"], *ending["powers"]] if ending else []
        if not ending or ending["kind"] != "ranking":
            wanted, actual = ([*words[:1], *sorted(words[1:])] for words in (wanted, actual))
        yield from _want("the ending", wanted, actual)

    def _legal(self, step: Mapping[str, Any]) -> Iterator[str]:
        """``legal`` and ``not_legal``: orders that the list of legal orders has or lacks."""
        listed = legal_orders(self.rules, self.task.position) if step.keys() & {"legal", "not_legal"} else {}
        legal = {power: set(map(write, orders)) for power, orders in listed.items()}
        for key, is_legal in (("legal", True), ("not_legal", False)):
            for power, orders in step.get(key, {}).items():
                should = f"should {'' if is_legal else 'not '}be legal for {power}"
                yield from (f"{order!r} {should}" for order in orders if (order in legal[power]) is not is_legal)

    def _outcomes(self, expected: Mapping[str, str]) -> Iterator[str]:
        """``expect``: order -> outcome, with ``dislodged`` or ``destroyed`` behind it where the unit was."""
        used: list[int] = []
        dislodged = {province_of(unit.partition(" ")[2]): entry for unit, entry in self.dislodged.items()}
        for text, wanted in expected.items():
            verdict = self._verdict(text, used)
            if verdict is None:
                yield f"no verdict on {text!r}"
                continue
            words = str(wanted).split()
            fate = words.pop() if words[-1] in ("dislodged", "destroyed") else ""
            outcome, actual = " ".join(words), verdict["outcome"]
            if outcome and outcome not in OUTCOMES:
                known = ", ".join(sorted(OUTCOMES))
                raise CaseFault(f"{self.case}: {text}: {outcome!r} isn't an outcome; known are {known}")
            if outcome and actual != outcome:
                yield f"{text}: expected {wanted}, found {actual} ({verdict['explanation']})"
            if self.task.position.turn.phase is not Phase.MOVEMENT:
                if fate:
                    raise CaseFault(f"{self.case}: {text}: a unit is {fate} in movement only")
                continue
            real = ""
            if verdict["dislodged_from"]:
                order = self._read(verdict["order"], verdict["power"])
                entry = dislodged.get(province_at(order))
                real = "dislodged" if entry and entry["retreats"] else "destroyed"
            if real != fate:
                yield f"{text}: expected {fate or 'not dislodged'}, found {real or 'not dislodged'}"

    def _read(self, text: str, power: str) -> Order:
        return self.rules.reader.order(text, self.task.position.turn.phase, power)

    def _verdict(self, text: str, used: list[int]) -> dict[str, Any] | None:
        """The verdict on an order: the same text, or else the same kind of order to the same unit.

        ``Power: order`` narrows it down; one that was ``used`` is passed over."""
        verdicts: list[dict[str, Any]] = self.answer["verdicts"]
        power, colon, bare = text.partition(": ")
        if not colon or power not in self.rules.powers:
            power, bare = "", text
        mine = [i for i, v in enumerate(verdicts) if i not in used and power in ("", v["power"])]
        found = next((i for i in mine if verdicts[i]["order"] == bare), None)
        if found is None:
            wanted, alike = self._read(bare, power), list[tuple[bool, int]]()
            for i in mine:
                with suppress(OrderTextError):
                    judged = self._read(verdicts[i]["order"], verdicts[i]["power"])
                    if kind_and_provinces(judged) == kind_and_provinces(wanted):
                        alike.append((judged != wanted, i))
            if not alike:
                return None
            found = min(alike)[1]
        used.append(found)
        return verdicts[found]
