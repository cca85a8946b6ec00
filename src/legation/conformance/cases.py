"""Case files: a position, orders, and what must come of them, with the clauses that this proves.

A file holds ``[[case]]`` tables; ``docs/cases.md`` describes the keys. Everything that a case states is checked, and a
case that states no expectation is a fault. The files stand in ``tests/cases`` of a checkout and in this package when it
is installed."""

from collections.abc import Collection, Iterator, Mapping
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
from legation.orders import Order
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


def cases_folder() -> Path:
    """Where the case files stand."""
    packaged = Path(__file__).parent / "cases"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "tests" / "cases"


def find_cases() -> list[Path]:
    """All case files."""
    return sorted(cases_folder().rglob("*.cases.toml"))


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
    check = _Check(case)
    try:
        check.run()
    except (VariantError, OrderTextError, CaseFault) as error:
        check.problems.append(str(error))
    return CaseResult(case, tuple(check.problems))


@lru_cache(maxsize=8)
def _registry_beside(path: Path, changed: int) -> tuple[Registry, str]:
    """The variant of a file beside a case file, and its name; ``changed`` is when the file was."""
    variants = Registry()
    return variants, variants.add_file(path)


class _Check:
    def __init__(self, case: Case) -> None:
        self.case = case
        self.problems: list[str] = []
        self.variants = USUAL

    def run(self) -> None:
        body = self.case.body
        variant = self.case.variant
        if variant.endswith(".toml"):
            path = self.case.path.parent / variant
            self.variants, variant = _registry_beside(path, path.stat().st_mtime_ns if path.exists() else 0)
        document: dict[str, Any] = {
            key: body[key]
            for key in ("options", "turn", "units", "dislodged", "contested", "centers", "state", "seed")
            if key in body
        }
        document["variant"] = variant
        rules = self.variants.load(variant, body.get("options", {}))
        self.names(rules, body)
        self.facts(rules, body)
        steps = [body, *body.get("then", [])]
        if not any(step.keys() & STEP_KEYS for step in steps):
            return
        seed = body.get("seed", "")
        for number, step in enumerate(steps, 1):
            prefix = f"turn {number}: " if len(steps) > 1 else ""
            position = self.step(document, step, prefix)
            if position is None:
                return
            document = {**position, "seed": seed} if seed else position

    def want(self, prefix: str, what: str, wanted: object, actual: object) -> None:
        if wanted != actual:
            self.problems.append(f"{prefix}{what}: expected {wanted}, found {actual}")

    # Names and facts

    def names(self, rules: Ruleset, body: Mapping[str, Any]) -> None:
        """``read``: text -> canonical order, unit or place; ``unread``: text -> part of the error."""
        phase = Phase.MOVEMENT
        power = str(body.get("facts", {}).get("power", ""))
        for text, wanted in body.get("read", {}).items():
            try:
                if str(wanted) in rules.board.locations:
                    reading = rules.reader.location(text, power)
                else:
                    reading = write(rules.reader.order(text, self._phase(str(wanted), phase), power))
            except OrderTextError as error:
                reading = str(error)
            self.want("", f"{text!r} reads as", wanted, reading)
        for text, wanted in body.get("unread", {}).items():
            try:
                self.problems.append(f"{text!r} was read as {write(rules.reader.order(text, phase, power))}")
            except OrderTextError as error:
                if str(wanted) not in str(error):
                    self.problems.append(f"{text!r}: expected an error with {wanted!r}, found {error}")
        for unit, wanted in body.get("reach", {}).items():
            kind, at = rules.reader.unit(unit)
            reached = sorted(rules.board.reach(rules.kinds[kind].travel, at))
            self.want("", f"{unit} reaches", sorted(rules.reader.location(p) for p in wanted), reached)

    @staticmethod
    def _phase(wanted: str, phase: Phase) -> Phase:
        if wanted.startswith(("build", "remove", "waive", "send")):
            return Phase.ADJUSTMENTS
        return Phase.RETREATS if " R " in wanted or wanted.endswith(" disband") else phase

    def facts(self, rules: Ruleset, body: Mapping[str, Any]) -> None:
        """``facts``: numbers and lists that the variant and its board must have."""
        for key, stated in body.get("facts", {}).items():
            if key == "power":
                continue
            found = find_fact(rules, key, stated)
            if found is None:
                raise CaseFault(f"{self.case.id}: facts: unknown key {key!r}")
            self.want("", key, *found)

    # Turns

    def step(self, document: Mapping[str, Any], step: Mapping[str, Any], prefix: str) -> dict[str, Any] | None:
        """Judge one turn and check what is stated of it; the next position."""
        try:
            task = read_task({**document, "orders": step.get("orders", {})}, self.variants)
        except DocumentError as error:
            if "fault" not in step or str(step["fault"]) not in str(error):
                self.problems.append(f"{prefix}{error}")
            return None
        if "fault" in step:
            self.problems.append(f"{prefix}expected the fault {step['fault']!r}, but the document was read")
        self.before(task, step, prefix)
        resolution = resolve(task.rules, task.position, task.sheets, task.seed)
        answer = answer_document(task, resolution)
        self.expect(task, answer, step.get("expect", {}), prefix)
        self.explanations(task, answer, step.get("why", {}), prefix)
        self.units_after(answer, step, prefix)
        if "next" in step:
            self.want(prefix, "the next turn", step["next"], answer["after"]["turn"])
        if "winner" in step:
            self.want(prefix, "the winner", step["winner"] or None, answer["winner"])
        if "ending" in step:
            self.ending(answer["ending"], list(step["ending"]), prefix)
        self.rules_after(task.rules, resolution.after, step, prefix)
        return dict(answer["after"])

    def explanations(self, task: Task, answer: Mapping[str, Any], why: Mapping[str, str], prefix: str) -> None:
        """``why``: order -> part of its verdict's explanation."""
        for text, wanted in why.items():
            verdict = self.verdict(task, answer["verdicts"], text, [])
            explanation = verdict["explanation"] if verdict else "no verdict"
            if str(wanted) not in explanation:
                self.problems.append(f"{prefix}{text}: expected {wanted!r} in the explanation, found {explanation!r}")

    def units_after(self, answer: Mapping[str, Any], step: Mapping[str, Any], prefix: str) -> None:
        """``dislodged_to``: unit -> its retreats; ``after``, ``owns``: power -> units, centers; ``gone``: units."""
        after = answer["after"]
        dislodged = {e["unit"]: e for listed in answer["dislodged"].values() for e in listed}
        for unit, wanted in step.get("dislodged_to", {}).items():
            found = sorted(dislodged[unit]["retreats"]) if unit in dislodged else "not dislodged"
            self.want(prefix, f"{unit} may retreat to", sorted(wanted), found)
        for power, units in step.get("after", {}).items():
            self.want(prefix, f"{power} has", sorted(units), sorted(after["units"].get(power, [])))
        standing = {u for units in after["units"].values() for u in units}
        self.problems += [f"{prefix}{unit} should be gone" for unit in step.get("gone", []) if unit in standing]
        for power, centers in step.get("owns", {}).items():
            self.want(prefix, f"{power} owns", sorted(centers), sorted(after["centers"].get(power, [])))

    def ending(self, ending: Mapping[str, Any] | None, wanted: list[str], prefix: str) -> None:
        """``ending``: its kind, and the powers; their order counts in a ranking."""
        actual = [ending["kind"], *ending["powers"]] if ending else []
        if not ending or ending["kind"] != "ranking":
            wanted, actual = ([*words[:1], *sorted(words[1:])] for words in (wanted, actual))
        self.want(prefix, "the ending", wanted, actual)

    def rules_after(self, rules: Ruleset, position: Position, step: Mapping[str, Any], prefix: str) -> None:
        """``state_after``, ``homes``, ``sites`` and ``limit``: what the rules say of the next position."""
        for key, wanted in step.get("state_after", {}).items():
            self.want(prefix, f"state {key}", wanted, position_document(rules, position)["state"].get(key))
        for power, wanted in step.get("homes", {}).items():
            self.want(prefix, f"{power}'s homes", sorted(wanted), sorted(rules.homes(position, power)))
        for power, wanted in step.get("sites", {}).items():
            self.want(prefix, f"{power}'s build sites", sorted(wanted), sorted(rules.build_sites(position, power)))
        for power, wanted in step.get("limit", {}).items():
            self.want(prefix, f"{power}'s limit", wanted, rules.limit(position, power))

    def before(self, task: Task, step: Mapping[str, Any], prefix: str) -> None:
        """``legal`` and ``not_legal``: orders that the list of legal orders has or lacks; ``builds``: how many a power
        may build (below 0: must remove)."""
        if "legal" in step or "not_legal" in step:
            listed = {
                power: {write(o) for o in orders} for power, orders in legal_orders(task.rules, task.position).items()
            }
            for power, orders in step.get("legal", {}).items():
                self.problems += [
                    f"{prefix}{order!r} should be legal for {power}" for order in orders if order not in listed[power]
                ]
            for power, orders in step.get("not_legal", {}).items():
                self.problems += [
                    f"{prefix}{order!r} should not be legal for {power}" for order in orders if order in listed[power]
                ]
        for power, wanted in step.get("builds", {}).items():
            room = task.rules.limit(task.position, power, task.sheets) - task.rules.size(task.position, power)
            self.want(prefix, f"{power} may build", wanted, room)

    def expect(self, task: Task, answer: Mapping[str, Any], expected: Mapping[str, str], prefix: str) -> None:
        """``expect``: order -> outcome, with ``dislodged`` or ``destroyed`` behind it where the unit was."""
        used: list[int] = []
        dislodged = {
            province_of(e["unit"].partition(" ")[2]): e for listed in answer["dislodged"].values() for e in listed
        }
        for text, wanted in expected.items():
            verdict = self.verdict(task, answer["verdicts"], text, used)
            if verdict is None:
                self.problems.append(f"{prefix}no verdict on {text!r}")
                continue
            words = str(wanted).split()
            fate = words.pop() if words[-1] in ("dislodged", "destroyed") else ""
            outcome = " ".join(words)
            actual = verdict["outcome"]
            if outcome and outcome not in OUTCOMES:
                raise CaseFault(
                    f"{self.case.id}: {text}: {outcome!r} isn't an outcome; known are {', '.join(sorted(OUTCOMES))}"
                )
            if outcome and actual != outcome:
                self.problems.append(f"{prefix}{text}: expected {wanted}, found {actual} ({verdict['explanation']})")
            if task.position.turn.phase is not Phase.MOVEMENT:
                if fate:
                    raise CaseFault(f"{self.case.id}: {text}: a unit is {fate} in movement only")
                continue
            real = ""
            if verdict["dislodged_from"]:
                at = self._at(task, verdict["order"], verdict["power"])
                entry = dislodged.get(at)
                real = "dislodged" if entry and entry["retreats"] else "destroyed"
            if real != fate:
                self.problems.append(
                    f"{prefix}{text}: expected {fate or 'not dislodged'}, found {real or 'not dislodged'}"
                )

    @staticmethod
    def _at(task: Task, text: str, power: str) -> str:
        order = task.rules.reader.order(text, task.position.turn.phase, power)
        return province_of(str(getattr(order, "at", "")))

    def verdict(self, task: Task, verdicts: list[dict[str, Any]], text: str, used: list[int]) -> dict[str, Any] | None:
        """The verdict on an order: the same text, or else the same kind of order to the same unit.

        ``Power: order`` narrows it down."""
        power, colon, bare = text.partition(": ")
        if not colon or power not in task.rules.powers:
            power, bare = "", text
        mine = [(i, v) for i, v in enumerate(verdicts) if i not in used and power in ("", v["power"])]
        for i, verdict in mine:
            if verdict["order"] == bare:
                used.append(i)
                return verdict
        wanted = task.rules.reader.order(bare, task.position.turn.phase, power)
        best: tuple[int, int] | None = None
        for i, verdict in mine:
            try:
                judged = task.rules.reader.order(verdict["order"], task.position.turn.phase, verdict["power"])
            except OrderTextError:
                continue
            likeness = _likeness(wanted, judged)
            if likeness and (best is None or likeness > best[0]):
                best = (likeness, i)
        if best is None:
            return None
        used.append(best[1])
        return verdicts[best[1]]


def _likeness(wanted: Order, judged: Order) -> int:
    """How alike two orders are: 0 if they are for different units, more the more fields agree."""
    if type(wanted) is not type(judged):
        return 0
    score = 1
    for field in wanted.__struct_fields__:
        a, b = getattr(wanted, field), getattr(judged, field)
        if isinstance(a, str) and isinstance(b, str) and field in ("at", "to", "target"):
            if province_of(a) != province_of(b):
                return 0
            score += 2 * (a == b)
        elif a == b:
            score += 1
    return score
