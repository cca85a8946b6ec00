"""A sheet as it comes in: orders for this turn, orders ahead for its later phases, and instructions about its version.

Orders ahead stand under a heading that names a later phase (``Retreats:``, ``Winter 1643 Adjustments``), or are
conditions that can stand anywhere: ``if dislodged A yor: lan, else che``. Lines such as ``v2 replaces v1 only if ...``
are for the coordinator (W-20e): they are never guessed at. All else is ``check_sheet``'s to understand; what was taken
out is replaced by spaces, so that lines and spans stay true."""

import contextlib
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise, zip_longest
from pathlib import PurePath
from typing import Any

import msgspec

from legation.board import province_of
from legation.game.checking import SheetCheck, check_document, check_sheet
from legation.game.reading_sheets import Unread
from legation.judge import Ruleset, legal_orders
from legation.notation import OrderTextError, write
from legation.orders import Disband, Order, Retreat, Sheet, province_at
from legation.position import Phase, Position, Turn, TurnTextError

CONDITION = re.compile(
    r"\s*(?:retreats?\s*:\s*)?if\s+(?:the\s+)?(?:(?P<unit>[^:,]+?)\s+is\s+)?dislodged,?\s*(?P<after>[^:,]*?)\s*(?:[:,]|\bthen\b|->)\s*(?P<to>.+)",
    re.IGNORECASE,
)
INSTRUCTION = re.compile(
    r"\s*(?:(?:version\s+)?instructions?\s*:|(?:v|version)(?:\s*\.)?\s*\d+\b.*\b(?:replaces?|instead|only|if|unless|ignore|use|supersedes?|stands?|counts?)\b"
    r"|(?:use|ignore|disregard)\s+(?:v|version)\s*\d+\b)",
    re.IGNORECASE,
)
HEADING = re.compile(r"\s*(?P<name>[^:;]{3,60}?)\s*(?:orders?)?\s*:?\s*$", re.IGNORECASE)

OR_ELSE = re.compile(r"\s*(?:,?\s*\b(?:or\s+)?else\b|,|;|\bor\b)\s*:?\s*")
RETREATS_TO = re.compile(r"^(?:(?:it\s+)?(?:retreats?|r)\b\s*(?:to\b)?|to\b|-)\s*", re.IGNORECASE)
LONGEST_CONDITION, LONGEST_HEADING = 300, 80  # characters: these patterns are held against nothing longer


class Ahead(msgspec.Struct, frozen=True, kw_only=True):
    """An order for a later phase of the season, in the words of what will happen."""

    line: int
    text: str
    phase: str
    then: str | None  # "If A yor is dislodged: A yor R lan, else A yor R che, else it is disbanded."
    message: str  # what is wrong, if ``then`` is None
    suggestions: tuple[str, ...] = ()


class Parts(msgspec.Struct, frozen=True):
    """A sheet taken apart. ``present`` has the same length as the text."""

    present: str
    ahead: tuple[tuple[int, Phase, str, str], ...]  # line, phase, turn's name or "", text
    conditions: tuple[tuple[int, str, str, str], ...]  # line, unit, destinations, text
    instructions: tuple[str, ...]
    later: tuple[tuple[Phase, str] | None, ...]  # of each line that is for a later turn: phase, turn's name or ""


def take_apart(text: str, turn: Turn) -> Parts:
    """Separate what is for this turn from what is not."""
    present: list[str] = []
    ahead: list[tuple[int, Phase, str, str]] = []
    conditions: list[tuple[int, str, str, str]] = []
    instructions: list[str] = []
    later: list[tuple[Phase, str] | None] = []
    under: tuple[Phase, str] | None = None
    for number, line in enumerate(text.split("\n"), 1):
        plain = line.partition("#")[0].strip()
        heading = _heading(plain)
        condition = CONDITION.fullmatch(plain) if len(plain) < LONGEST_CONDITION else None
        keep, meant = False, None
        if INSTRUCTION.match(plain):
            instructions.append(plain)
        elif condition:
            unit = (condition["unit"] or condition["after"] or "").strip()
            conditions.append((number, unit, condition["to"].strip(), plain))
            meant = Phase.RETREATS, ""
        elif heading is not None:
            under = meant = heading if heading[0] is not turn.phase or heading[1] not in ("", str(turn)) else None
            keep = under is None
        elif under is not None and plain:
            ahead.append((number, *under, plain))
            meant = under
        else:
            keep = True
        later.append(meant)
        present.append(line if keep else re.sub(r"[^\r]", " ", line))
    return Parts("\n".join(present), tuple(ahead), tuple(conditions), tuple(instructions), tuple(later))


def later_turns(rules: Ruleset, turn: Turn) -> tuple[Turn, ...]:
    """The turns of the same season that come after this one, whether or not they will be played."""
    later: list[Turn] = []
    following = rules.next_turn(turn)
    while following.phase not in (Phase.MOVEMENT, Phase.PLACEMENT):
        later.append(following)
        following = rules.next_turn(following)
    return tuple(later)


def split_sheet(text: str, turn: Turn, later: Sequence[Turn]) -> dict[str, str]:
    """What a sheet says for its own turn and for each later turn of the season, by the turn's name.

    Each line stands in one of the texts, at its own place; the others have an empty line there. Lines about no turn of
    the season stay with the sheet's own."""
    named = take_apart(text, turn).later
    owners = [next((t for t in later if to and t.phase is to[0] and to[1] in ("", str(t))), turn) for to in named]
    lines = list(zip(text.split("\n"), owners, strict=True))
    return {
        str(one): "\n".join(line if owner == one else "" for line, owner in lines).rstrip("\n")
        for one in (turn, *later)
    }


def join_parts(parts: Sequence[str]) -> str:
    """A sheet from its parts for several turns (:func:`split_sheet`), laid over each other."""
    lines = zip_longest(*(part.split("\n") for part in parts), fillvalue="")
    return "\n".join(next(filter(None, line), "") for line in lines).rstrip("\n")


def _heading(line: str) -> tuple[Phase, str] | None:
    """The phase that a line names, and the turn if it names one."""
    match = HEADING.fullmatch(line) if len(line) < LONGEST_HEADING else None
    if match is None:
        return None
    name = match["name"].strip().rstrip(":")
    try:
        named = Turn.parse(name)
        return named.phase, str(named)
    except TurnTextError:
        pass
    word = name.casefold()
    phase = Phase.ADJUSTMENTS if word in ("builds", "winter builds", "removals") else Phase.named(word)
    return (phase, "") if phase else None


class Understood(msgspec.Struct, frozen=True):
    """A sheet, understood: what the judge gets, what people are told, and what is kept for later."""

    check: SheetCheck
    parts: Parts
    ahead: tuple[Ahead, ...]

    @property
    def anything(self) -> bool:
        """Whether the sheet says anything at all that can count."""
        return bool(self.check.sheet.orders) or any(a.then for a in self.ahead) or not self.parts.present.strip()


def understood_document(understood: Understood) -> dict[str, Any]:
    """Return a sheet with what it orders ahead as plain data (see ``docs/documents.md``)."""
    ahead = msgspec.to_builtins(understood.ahead)
    return {**check_document(understood.check), "ahead": ahead, "instructions": list(understood.parts.instructions)}


def interpret_sheet(rules: Ruleset, position: Position, power: str, text: str, *, headed: bool = False) -> Understood:
    """Read a sheet of a power in a position."""
    parts = take_apart(text, position.turn)
    check = check_sheet(rules, position, power, parts.present, headed=headed)
    ahead = [
        _told_ahead(line, words, turn or phase.value, partial(_later, rules, power, phase, turn or phase.value, words))
        for line, phase, turn, words in parts.ahead
    ]
    ahead += [
        _told_ahead(line, words, Phase.RETREATS.value, partial(_conditional, rules, position, power, unit, choices))
        for line, unit, choices, words in parts.conditions
    ]
    return Understood(check, parts, tuple(sorted(ahead, key=lambda a: a.line)))


def interpret_message(rules: Ruleset, position: Position, text: str) -> tuple[Understood, ...]:
    """Read the sheets of a text in which headings name the powers, in the order in which they come first; what stands
    above all headings is nobody's."""
    shares = _shares(rules, position, text)
    return tuple(
        interpret_sheet(rules, position, power, share, headed=True) for power, share in shares.items() if power
    )


def _shares(rules: Ruleset, position: Position, text: str, own: str = "") -> dict[str, str]:
    """What of a text is each power's; the rest is spaces there, so that lines and spans stay true."""
    passages = rules.reader.sheet(text, position.turn.phase, own, position)
    starts = [0, *(passage.start for passage in passages[1:]), len(text)]
    blank = re.sub(r"[^\r\n]", " ", text)
    owners: list[str] = []
    for passage in passages:
        alone = passage.order is not None or passage.error is not None or not owners
        owners.append(passage.power or own or ("" if alone else owners[-1]))
    return {
        power: "".join(
            (text if owner == power else blank)[a:b] for owner, (a, b) in zip(owners, pairwise(starts), strict=False)
        )
        for power in dict.fromkeys(owners)
    }


def gather_sheets(
    rules: Ruleset, position: Position, texts: Mapping[str, str], faults: list[str]
) -> tuple[dict[str, Sheet], tuple[Unread, ...], tuple[str, ...]]:
    """The sheets in texts as people send them, by power, what isn't understood, and what isn't for this turn. ``texts``
    go by the names of their sources.

    A text is of the powers that its headings name, or of the one for which its source is named (``france.txt``). What
    is nobody's, and a power with sheets in two texts, is noted in ``faults``."""
    sheets: dict[str, Sheet] = {}
    lost: list[Unread] = []
    left_out: list[str] = []
    origin: dict[str, str] = {}
    for source, text in texts.items():
        try:
            own = rules.reader.power(PurePath(source).stem)
        except OrderTextError:
            own = ""
        shares = {**({own: ""} if own else {}), **_shares(rules, position, text, own)}
        nobodys = rules.reader.sheet(shares.pop("", ""), position.turn.phase, "", position)
        strays = [passage for passage in nobodys if passage.order is not None or passage.error is not None]
        for passage in strays:
            words = " ".join(text[passage.start : passage.end].split())[:80]
            faults.append(f"{source}: line {passage.line}, {words!r}: no heading names the power of this order")
        if not shares and not strays:
            faults.append(f"{source}: it has no order, and no heading with a power")
        for power, share in shares.items():
            if power in origin:
                faults.append(f"{source}: {power} has a sheet in {origin[power]} too; remove one of them")
            origin[power] = source
            parts = take_apart(share, position.turn)
            orders, errors = rules.reader.orders(parts.present, position.turn.phase, own, position)
            sheets[power] = Sheet(power, tuple(orders))
            lost += [Unread(power, error.text, str(error)) for error in errors]
            left_out += [f"{source}: {told}" for told in _left_out(parts)]
    return sheets, tuple(lost), tuple(left_out)


def _left_out(parts: Parts) -> Iterable[str]:
    for number, phase, turn, text in parts.ahead:
        yield f"line {number}, {text!r}: is for {turn or phase.value}"
    for number, _, _, text in parts.conditions:
        yield f"line {number}, {text!r}: is for {Phase.RETREATS.value}"
    for text in parts.instructions:
        yield f"{text!r}: is for the coordinator"


def _told_ahead(line: int, text: str, phase: str, tell: Callable[[], str]) -> Ahead:
    try:
        return Ahead(line=line, text=text, phase=phase, then=tell(), message="")
    except OrderTextError as error:
        return Ahead(line=line, text=text, phase=phase, then=None, message=error.message, suggestions=error.suggestions)


def _later(rules: Ruleset, power: str, phase: Phase, when: str, text: str) -> str:
    order = rules.reader.order(text, phase, power)
    if type(order) not in rules.order_kinds[phase]:
        raise OrderTextError(text, (0, len(text)), f"no such order is given in {phase.value}")
    return f"In {when}, if it is then possible: {write(order)}."


def _conditional(rules: Ruleset, position: Position, power: str, unit: str, choices: str) -> str:
    if position.turn.phase is not Phase.MOVEMENT:
        message = "a condition about dislodgement belongs to a movement turn"
        raise OrderTextError(choices, (0, len(choices)), message)
    orders = _choices(rules, position, power, unit, choices)
    steps = ", else ".join(map(write, orders))
    return (
        f"If {orders[0].kind} {orders[0].at} is dislodged and nothing else is sent: {steps}"
        f"{'' if isinstance(orders[-1], Disband) else ', else it is disbanded'}."
    )


def _choices(rules: Ruleset, position: Position, power: str, unit: str, choices: str) -> list[Retreat | Disband]:
    """The retreats of a condition, the wished one first.

    :raises OrderTextError: for what isn't a unit of the power, or a place it could reach."""
    kind, at = rules.reader.unit(unit, power)
    own = next((u for u in position.units_of(power) if u.province == province_of(at) and kind in ("", u.kind)), None)
    if own is None:
        raise OrderTextError(
            unit,
            (0, len(unit)),
            f"{rules.named(power)} {rules.named(power):has|have} no such unit: {unit}",
            tuple(str(u) for u in position.units_of(power)),
        )
    retreats: list[Retreat | Disband] = []
    for choice in OR_ELSE.split(choices):
        plain = RETREATS_TO.sub("", choice.strip()).rstrip(". ")
        if not plain:
            continue
        if re.fullmatch(r"(?:it\s+(?:is\s+)?)?(?:disbands?|disbanded|d|remove)", plain, re.IGNORECASE):
            retreats.append(Disband(own.kind, own.at))
            break
        to = rules.reader.location(plain, power)
        reach = rules.board.reach(rules.kinds[own.kind].travel, own.at)
        fitting = [r for r in sorted(reach) if r == to or (to == province_of(to) and province_of(r) == to)]
        if not fitting:
            message = f"{own} cannot retreat from {own.at} to {to}: they do not border"
            raise OrderTextError(plain, (0, len(plain)), message, tuple(sorted(reach))[:5])
        retreats.append(Retreat(own.kind, own.at, fitting[0] if len(fitting) == 1 else to))
    if not retreats:
        raise OrderTextError(choices, (0, len(choices)), "name at least one place to retreat to")
    return retreats


def carried(
    rules: Ruleset, position: Position, power: str, text: str, sent_in: Turn, sent_position: Position
) -> list[Order]:
    """The orders that a sheet of an earlier turn of this season gave ahead for the present one: conditions that came
    true, and orders that are legal now."""
    parts = take_apart(text, sent_in)
    turn = position.turn
    orders: list[Order] = []
    for _, phase, name, line in parts.ahead:
        if phase is turn.phase and name in ("", str(turn)):
            try:
                orders.append(rules.reader.order(line, phase, power))
            except OrderTextError:
                continue  # it was told to the sender as not understood
    if turn.phase is Phase.RETREATS:
        legal = set(legal_orders(rules, position)[power])
        ordered = {province_at(order) for order in orders}
        orders += [order for _, order in _came_true(rules, legal, power, parts, sent_position, ordered)]
    return orders


def standing(
    rules: Ruleset, position: Position, power: str, text: str, sent_in: Turn, sent_position: Position
) -> Iterable[tuple[str, Order | None]]:
    """Each line that a movement's sheet gave ahead for the retreats after it, with the order that stands: None where
    its unit was not dislodged, or cannot do it. ``position`` is that after the movement, be there retreats or not."""
    parts, retreats = take_apart(text, sent_in), position.turn.phase is Phase.RETREATS
    legal = set(legal_orders(rules, position).get(power, ())) if retreats else set()
    ordered: set[str] = set()
    for _, phase, _, line in parts.ahead:
        if phase is Phase.RETREATS:
            with contextlib.suppress(OrderTextError):  # it was told when it was read
                order = rules.reader.order(line, phase, power)
                ordered.add(province_at(order))
                yield line, order if order in legal else None
    came_true = dict(_came_true(rules, legal, power, parts, sent_position, ordered))
    for *_, line in parts.conditions:
        yield line, came_true.get(line)


def _came_true(
    rules: Ruleset, legal: Collection[Order], power: str, parts: Parts, sent_position: Position, ordered: set[str]
) -> Iterable[tuple[str, Order]]:
    for _, unit, choices, line in parts.conditions:
        try:
            wishes = _choices(rules, sent_position, power, unit, choices)
        except OrderTextError:
            continue
        if province_of(wishes[0].at) not in ordered and (order := next((w for w in wishes if w in legal), None)):
            ordered.add(province_of(order.at))
            yield line, order


def unread(check: SheetCheck) -> Sequence[tuple[str, str]]:
    """What of a sheet was not understood, and why."""
    return [(e.text, e.problem.message) for e in check.entries if e.given is None and e.problem is not None]
