"""Positions and verdicts read from their documents.

Reading is strict and complete: every fault of a document is reported at once, each with its place. Orders that cannot
be understood are not faults; they are verdicts of the answer, so that a sheet with one bad line still counts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeGuard, TypeVar

import msgspec

from legation.board import province_of
from legation.faults import enough, near, told
from legation.game.formats import ANSWER, POSITION, FormatError, check_format, kind_of
from legation.game.implied import bare_position, implied_position
from legation.game.reading_sheets import Unread, read_orders
from legation.judge import Cause, OptionError, Outcome, Ruleset, Verdict, changes
from legation.notation import OrderTextError
from legation.orders import Order, Sheet
from legation.position import Dislodged, Phase, Position, Turn, TurnTextError, Unit
from legation.variants import USUAL, Registry, VariantError

ENDINGS = ("solo", "draw", "ranking")
T = TypeVar("T")
KEYS = frozenset("format variant options rules turn units dislodged contested centers state orders seed ending".split())

BESIDE_UNITS = dict.fromkeys(("dislodged", "contested", "centers", "state")).keys()
"""What a document says of a position only beside its units."""
DEEPEST_STATE = 50  # lists and objects within each other in what a rule keeps


class DocumentError(ValueError):
    """Raised for a document that can't be used; ``faults`` lists everything wrong with it, each with its place."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = told(faults)
        super().__init__("; ".join(self.faults))


class Task(msgspec.Struct, frozen=True):
    """A position document, read: the rules, the position, and the sheets; ``assumed`` tells what the document leaves
    out and what is taken instead; ``alone``: it has a turn and orders, and its units are not known yet."""

    rules: Ruleset
    position: Position
    sheets: tuple[Sheet, ...]
    unread: tuple[Unread, ...] = ()
    seed: str = ""
    assumed: tuple[str, ...] = ()
    alone: bool = False


def read_task(document: object, variants: Registry | None = None, *, sheets_follow: bool = False) -> Task:
    """Read a position document with its orders. Its variant is one of ``variants``; of those that come along, if none
    are given. ``sheets_follow``: orders come from elsewhere, and may imply the units (:func:`with_implied_units`).

    :raises DocumentError: with all faults."""
    if not isinstance(document, dict):
        raise DocumentError([f"a position document is a JSON object, not {_kind(document)}"])
    document = present(document)
    faults: list[str] = []
    if "format" in document or kind_of(document) == "game":
        try:
            check_format(document, POSITION)
        except FormatError as error:
            raise DocumentError([str(error)]) from None
    for key in document:
        if key not in KEYS and not enough(faults):
            faults.append(f"unknown key {key[:60]!r}{near(key[:60], KEYS)}")
    rules = _rules(document, variants or USUAL, faults)
    assumed: list[str] = []
    if pinned := document.get("rules", ""):
        if isinstance(pinned, str):
            assumed += [
                f"rules: {change} since this was written; the present ones count" for change in changes(pinned, rules)
            ]
        else:
            faults.append(f"rules: the digest of the rules is a text, not {_kind(pinned)}")
    alone = "units" not in document and bool(sheets_follow or document.get("orders"))
    if alone := alone and _read_turn(rules, document, []) != rules.first_turn() and not document.keys() & BESIDE_UNITS:
        position = bare_position(rules, _read_turn(rules, document, faults))
    else:
        position = read_position(rules, document, faults, assumed)
    if ended := _how_ended(document.get("ending"), faults):
        assumed.append(f"ending: the game has ended: {ended}; the turn is judged as if it continued")
    sheets, unread = read_orders(rules, position, document.get("orders", {}), faults)
    seed = document.get("seed", "")
    if not isinstance(seed, str):
        faults.append("seed: must be a text")
    if faults:
        raise DocumentError(faults)
    task = Task(rules, position, sheets, unread, seed, tuple(assumed), alone)
    return task if sheets_follow else with_implied_units(task)


def with_implied_units(task: Task) -> Task:
    """Return a task that has only orders with the units that these name.

    :raises DocumentError: if they name none."""
    if not task.alone:
        return task
    position, faults = implied_position(task.rules, task.position.turn, task.sheets)
    if not any((position.units, position.dislodged, position.owners)):
        raise DocumentError(["units: none are given, and no order names its unit's kind and place"])
    told = ["units: none are given, so they are those that the orders name", *(f"units: {fault}" for fault in faults)]
    told += [] if position.owners else ["centers: none are given, so nobody owns any"]
    return msgspec.structs.replace(task, position=position, assumed=(*task.assumed, *told), alone=False)


def _how_ended(ending: object, faults: list[str]) -> str:
    if ending is None:
        return ""
    kind, reason = (ending.get("kind"), ending.get("reason")) if isinstance(ending, dict) else (None, None)
    if kind not in ENDINGS or not isinstance(reason, str):
        faults.append(f"ending: is null, or an object with 'kind' ({', '.join(ENDINGS)}), 'powers' and 'reason'")
    return f"{kind} ({reason})"


def present(document: dict[str, Any]) -> dict[str, Any]:
    """The position document that is meant: of an answer its ``after``, with the orders that somebody added to it."""
    after = document.get("after")
    if not isinstance(after, dict) or kind_of(document) != "answer":
        return document
    try:
        if "format" in document:
            check_format(document, ANSWER)
    except FormatError as error:
        raise DocumentError([str(error)]) from None
    return {**after, **{key: document[key] for key in ("orders", "seed") if key in document}}


def _kind(value: object) -> str:
    names = {
        type(None): "null",
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return names.get(type(value), "something else")


def _rules(document: Mapping[str, Any], variants: Registry, faults: list[str]) -> Ruleset:
    name = document.get("variant")
    options = document.get("options", {})
    if not isinstance(name, str):
        raise DocumentError([*faults, "variant: names the variant, as a text"])
    if not isinstance(options, dict):
        raise DocumentError([*faults, "options: must be an object"])
    try:
        return variants.load(name, options)
    except (VariantError, OptionError) as error:
        raise DocumentError([*faults, *getattr(error, "faults", [str(error)])]) from None


def _list(value: object, place: str, faults: list[str]) -> list[Any]:
    if not isinstance(value, list):
        faults.append(f"{place}: must be a list, not {_kind(value)}")
        return []
    return value


def _understood(read: Callable[[str], T], text: str, place: str, faults: list[str]) -> T | None:
    """What the reader makes of a text; None with a fault, which says why not while there are few."""
    if enough(faults):
        faults.append(f"{place}: {text[:60]!r}")
        return None
    try:
        return read(text)
    except OrderTextError as error:
        faults.append(f"{place}: {error}")
        return None


def _entries(
    rules: Ruleset, document: Mapping[str, Any], key: str, faults: list[str]
) -> Iterator[tuple[str | None, str, Any]]:
    """Yield the entries of a document's lists by power: the power (None for one that is unknown), the place, the
    entry."""
    given = {} if document.get(key) is None else document[key]
    if not isinstance(given, dict):
        faults.append(f"{key}: must be an object by power, not {_kind(given)}")
        return
    for name, listed in given.items():
        power = name if name in rules.powers else _understood(rules.reader.power, name, key, faults)
        for number, entry in enumerate(_list(listed, f"{key}.{name}", faults)):
            yield power, f"{key}.{name}[{number}]", entry


def _are_by_power(listed: object, rules: Ruleset) -> TypeGuard[dict[str, list[Any]]]:
    """Whether these are lists by power, each under its name."""
    return isinstance(listed, dict) and listed.keys() <= rules.powers.keys() and {*map(type, listed.values())} <= {list}


def _unit(rules: Ruleset, text: object, power: str, place: str, faults: list[str]) -> Unit | None:
    if isinstance(text, str) and power and (known := rules.units_as_written[power].get(text)) is not None:
        return known
    if not isinstance(text, str):
        faults.append(f"{place}: a unit is a text such as 'A par', not {_kind(text)}")
        return None
    read = _understood(lambda text: rules.reader.unit(text, power), text, place, faults)
    if read is None:
        return None
    kind, at = read
    if kind not in rules.kinds:
        faults.append(f"{place}: {text!r} does not say what kind of unit it is; write one of {', '.join(rules.kinds)}")
        return None
    if not rules.board.stands(rules.kinds[kind].travel, at):
        province = rules.board.provinces[province_of(at)]
        if rules.kinds[kind].travel == "fleet" and province.coasts and at == province.id:
            faults.append(f"{place}: {text!r} needs a coast: {' or '.join(province.locations)}")
        else:
            faults.append(f"{place}: {text!r}: no {rules.kinds[kind].name} can stand in {rules.board.name_of(at)}")
        return None
    return Unit(kind, at, power)


def read_position(
    rules: Ruleset, document: Mapping[str, Any], faults: list[str], assumed: list[str] | None = None
) -> Position:
    """Return the position of a document.

    What cannot be read is noted in ``faults``, what is left out and taken from elsewhere in ``assumed``."""
    before = len(faults)
    turn = _read_turn(rules, document, faults)
    if "units" not in document and "turn" not in document:
        for key in BESIDE_UNITS:
            if key in document:
                faults.append(f"{key}: goes with 'turn' and 'units'; without them the variant's opening is meant")
        return rules.opening()
    if _left_out(rules, turn, document, faults, [] if assumed is None else assumed):
        return rules.opening()
    standing = _read_units(rules, document, faults)
    dislodged = _read_dislodged(rules, document, faults)
    contested = set()
    for number, entry in enumerate(_list(document.get("contested", []), "contested", faults)):
        province = _province(rules, entry, f"contested[{number}]", faults)
        if province:
            contested.add(province)
    owners = _read_centers(rules, document, faults)
    state = document.get("state", {})
    if not isinstance(state, dict):
        faults.append(f"state: must be an object, not {_kind(state)}")
        state = {}
    faults += (unfit := _slice_faults(rules, state))
    if turn.phase is Phase.RETREATS:
        for entry in dislodged:
            if (held := standing.get(entry.unit.province)) is not None and held.power == entry.unit.power:
                faults.append(f"dislodged: {entry.unit} was dislodged where its own power has {held}")
    units = tuple(standing.values())
    position = Position(turn, units, tuple(dislodged), frozenset(contested), owners, {} if unfit else state)
    if len(faults) == before:
        for module in rules.modules:
            faults += module.position_faults(rules, position)
        if document.get("ending") is None and (reason := rules.refuses_turn(turn)):
            faults.append(f"turn: {reason}")
    return position


def _read_turn(rules: Ruleset, document: Mapping[str, Any], faults: list[str]) -> Turn:
    turn = rules.first_turn()
    text = document.get("turn")
    if isinstance(text, str):
        try:
            turn = Turn.parse(text)
            rules.next_turn(turn)
        except TurnTextError as error:
            faults.append(f"turn: {error}")
    elif text is not None or "units" in document:
        faults.append("turn: names the turn, as in 'Spring 1901 Movement'")
    return turn


def _read_units(rules: Ruleset, document: Mapping[str, Any], faults: list[str]) -> dict[str, Unit]:
    listed, known, provinces = document.get("units"), rules.units_as_written, rules.tables.province
    if _are_by_power(listed, rules):
        with suppress(KeyError, TypeError):  # an entry that is no text, or one that only the reader knows
            standing: dict[str, Unit] = {}
            for name, texts in listed.items():
                for text in texts:
                    stands = known[name][text]
                    standing[provinces[stands.at]] = stands
            if len(standing) == sum(map(len, listed.values())):
                return standing
    taken: dict[str, Unit] = {}
    for power, place, entry in _entries(rules, document, "units", faults):
        unit = _unit(rules, entry, power or "", place, faults)
        if unit is None or power is None:
            continue
        if (province := provinces[unit.at]) in taken:
            other = taken[province]
            faults.append(f"{place}: {unit} stands where {other.power} has {other}")
        else:
            taken[province] = unit
    return taken


def _read_dislodged(rules: Ruleset, document: Mapping[str, Any], faults: list[str]) -> list[Dislodged]:
    dislodged: list[Dislodged] = []
    out: set[str] = set()
    for power, place, entry in _entries(rules, document, "dislodged", faults):
        if isinstance(entry, str):
            entry = {"unit": entry}
        if not isinstance(entry, dict):
            faults.append(f"{place}: must be an object with 'unit' and 'attacker_from'")
            continue
        for key in entry:
            if key not in ("unit", "attacker_from", "retreats"):
                faults.append(f"{place}: unknown key {key!r}")
        unit = _unit(rules, entry.get("unit"), power or "", place, faults)
        origin = entry.get("attacker_from")
        barred: str | None = None
        if isinstance(origin, str) and origin:
            barred = _province(rules, origin, f"{place}.attacker_from", faults)
        elif origin is not None:
            faults.append(f"{place}.attacker_from: must be a province or null")
        if unit is not None and power is not None:
            if unit.province in out:
                faults.append(f"{place}: two dislodged units in {unit.province}")
            out.add(unit.province)
            dislodged.append(Dislodged(unit, barred))
    return dislodged


def _read_centers(rules: Ruleset, document: Mapping[str, Any], faults: list[str]) -> dict[str, str]:
    listed, centers = document.get("centers"), rules.tables.centers
    if _are_by_power(listed, rules):
        with suppress(TypeError):  # an entry that is no text
            owned = {center: power for power, entries in listed.items() for center in entries}
            if centers.issuperset(owned) and len(owned) == sum(map(len, listed.values())):
                return owned
    owners: dict[str, str] = {}
    for power, place, entry in _entries(rules, document, "centers", faults):
        center = _province(rules, entry, place, faults)
        if center is None or power is None:
            continue
        if center not in centers:
            faults.append(f"{place}: {rules.board.provinces[center].name} isn't a supply center")
        elif center in owners:
            faults.append(f"{place}: {center!r} is listed for {owners[center]} too")
        else:
            owners[center] = power
    return owners


def _left_out(rules: Ruleset, turn: Turn, document: Mapping[str, Any], faults: list[str], assumed: list[str]) -> bool:
    """Note what a document with a turn leaves out; whether the variant's opening is meant."""
    if "units" not in document:
        if turn == rules.first_turn() and not document.keys() & BESIDE_UNITS:
            assumed.append("units: none are given, so the opening's are used")
            return True
        faults.append("units: list the units of each power; only the opening's, and those of orders, can be left out")
    elif "centers" not in document:
        if turn.phase is Phase.ADJUSTMENTS or (turn.phase is Phase.PLACEMENT and rules.start_owners):
            faults.append(f"centers: {turn} needs the centers of each power")
        elif turn.phase is not Phase.PLACEMENT:
            assumed.append("centers: none are given, so nobody owns any")
    return False


def _slice_faults(rules: Ruleset, state: Mapping[str, Any]) -> list[str]:
    """What is wrong with the slices of a position; one that no rule of the variant keeps must be empty."""
    faults: list[str] = []
    keepers = {module.key: module for module in rules.modules} if state else {}
    for key, kept in state.items():
        if _is_deeper(kept, DEEPEST_STATE):
            faults.append(f"state.{key}: is nested more than {DEEPEST_STATE} deep")
        elif key in keepers:
            faults += [f"state.{key}: {fault}" for fault in keepers[key].slice_faults(rules, kept)]
        elif kept:
            faults.append(f"state: no rule of this variant uses {key!r}")
    return faults


def _is_deeper(kept: object, levels: int) -> bool:
    """Whether anything stands within more lists and objects than so many."""
    inner = [kept]
    for _ in range(levels + 1):
        inner = [
            entry
            for value in inner
            if isinstance(value, dict | list)
            for entry in (value.values() if isinstance(value, dict) else value)
        ]
    return bool(inner)


def _province(rules: Ruleset, text: object, place: str, faults: list[str]) -> str | None:
    if isinstance(text, str) and text in rules.board.provinces:
        return text
    if not isinstance(text, str):
        faults.append(f"{place}: a province is a text, not {_kind(text)}")
        return None
    at = _understood(rules.reader.location, text, place, faults)
    return None if at is None else province_of(at)


def read_verdicts(
    rules: Ruleset, phase: Phase, documents: Iterable[Mapping[str, Any]], faults: list[str]
) -> tuple[Verdict, ...]:
    """Return verdicts from their documents; what can't be read under these rules is left out and noted in ``faults``.

    Lines that were never understood have no verdict."""
    verdicts = []
    for document in documents:
        try:
            if (document.get("cause") or {}).get("kind") != "not understood":
                verdicts.append(_read_verdict(rules, phase, document))
        except OrderTextError as error:
            faults.append(f"verdicts: {error}")
    return tuple(verdicts)


def _read_verdict(rules: Ruleset, phase: Phase, document: Mapping[str, Any]) -> Verdict:
    power, cause = document["power"], document["cause"]

    def order(text: str) -> Order:
        return rules.reader.order(text, phase, power)

    if cause is not None:
        by = order(cause["by"]) if cause.get("by") else None
        cause = Cause(cause["kind"], by, cause.get("strength", 0), cause.get("against", 0), cause.get("reason", ""))
    outcome = Outcome(document["outcome"])
    return Verdict(power, order(document["order"]), outcome, cause, document.get("dislodged_from"))
