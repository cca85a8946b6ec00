"""Of which own units, or which builds, a sentence speaks that gives no order: ``I'm not sure about Marseilles yet``. It
leaves the orders of all others as they are."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from legation.board import province_of
from legation.notation.names import SHORTEST_BEGINNING
from legation.notation.parsing.orders import Parser
from legation.notation.prose import sayings
from legation.notation.prose.small_talk import joins
from legation.notation.small_words import ARTICLES, AUXILIARIES, PREPOSITIONS
from legation.notation.tokens import Token
from legation.position import Phase

REST = "the rest"
"""Stands for the units or builds of which no order was given yet."""
_REST = frozenset("rest others remaining remainder".split())
_ABOUT = frozenset("about for on of with whether what where which regarding concerning sure see know".split())
"""Words after which a unit is what a sentence speaks of."""
_OF_ITS_OWN = (
    ("not", "sure"),
    ("not", "certain"),
    ("not", "decided"),
    ("not", "yet"),
    ("no", "idea"),
    ("no", "decision"),
    ("as", "for"),
    ("as", "to"),
    ("dont", "know"),
    ("do", "not"),
    ("havent", "decided"),
)
"""Negations with which a sentence of its own begins."""
_BEGINS = frozenset(
    "i im ive ill we were weve still for about on regarding concerning undecided unsure what where how whether maybe "
    "perhaps".split()
)
_CONDITIONS = frozenset("if when unless should once provided in".split())
"""First words of a sentence that is a condition before what a unit is to do."""
_FAILING = frozenset("cant cannot couldnt fails fail bounces bounce blocked impossible illegal stuck".split())
_WANTS = frozenset(["want", "like", "let", "have", "then", ",", "prefer", "send"])
"""What stands before the unit there."""
_TOWARDS = frozenset("to into - towards toward against at from via through in near".split())
_POINTS = frozenset(
    "this these those that them following below above so former latter both all everything everyone orders order moves "
    "plan plans wrong forget scratch scrap cancel ignore disregard mistake instead".split()
)
"""Words by which a sentence may speak of other orders, too."""
_BEFORE_UNITS = ARTICLES | {"and", "but", "either", "a", "an"}
_POINTS_AT_ALL = frozenset(
    "these those them both all everything everyone orders moves above following wrong forget scratch scrap cancel "
    "ignore disregard mistake instead latter former".split()
)
_PRONOUNS = frozenset("it they he she him her its their".split())
_RESULTS = frozenset("works work fails fail succeeds succeed bounces bounce happens is goes".split())
_COUNTED = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "2nd": 2, "3rd": 3, "4th": 4}
_COUNTED |= {"other": 2, "last": 2, "5th": 5, "6th": 6}
_ONES = frozenset("one build builds removal removals unit".split())


def concerned(parser: Parser, begin: int, end: int, given: int) -> frozenset[str]:
    """Return the provinces of the own units of which alone the words from ``begin`` to ``end`` speak, or ``REST`` where
    they speak of what has no order yet; empty where they may speak of other orders, too. ``given``: the builds and
    removals so far."""
    words = [token.text for token in parser.tokens[begin:end]]
    named = units_named(parser, begin, end)
    first = min(named, default=end) - begin
    counted = _counted(parser, words, given)
    first = min(first, counted) if counted >= 0 else first
    before = words[:first]
    if first >= len(words) or _points(words, before):
        return frozenset()
    if not _begins_anew(words, before, parser.reader.kinds) or not _PRONOUNS.isdisjoint(_without_results(before)):
        return frozenset()
    if words[0] in _CONDITIONS:
        of_one = _fails(words, [at - begin for at in named])
        if not of_one and not _has_main_clause(parser, words, [at - begin for at in named], counted):
            return frozenset()
    elif _acts(parser, before):
        return frozenset()
    units = frozenset(named.values())
    return units | ({REST} if counted >= 0 else frozenset())


def _points(words: Sequence[str], before: Sequence[str]) -> bool:
    """Whether a sentence may speak of other orders, too: it points at all, or at something before it names a unit."""
    kept = _without_results(words)
    if not _POINTS_AT_ALL.isdisjoint(kept):
        return True
    pointing = [
        word
        for earlier, word, after in zip(["", *before], before, [*before[1:], "-"], strict=False)
        if word in _POINTS and not joins(earlier, word, after)
    ]
    return bool(_without_results(pointing))


def _begins_anew(words: Sequence[str], before: Sequence[str], kinds: Collection[str]) -> bool:
    """Whether a sentence begins with what it speaks of, or with words that say that it speaks of something."""
    placed = [*before[:-1], ""] if before and before[-1] in PREPOSITIONS and before[-2:-1] != [] else before
    small = [word for word in placed if word and word not in _BEFORE_UNITS and word not in kinds]
    if not small or words[0] in _CONDITIONS or tuple(words[:2]) in _OF_ITS_OWN:
        return True
    return words[0] in _BEGINS and (
        len(small) < 2 or (before[-1] in _ABOUT | _BEGINS | ARTICLES or before[-1] in kinds)
    )


def _acts(parser: Parser, before: Collection[str]) -> bool:
    """Whether words before a unit say what another is to do."""
    reader = parser.reader
    doing = (reader.verbs.keys() | reader.openings.keys() | sayings.RETRACTS | {"change"}) - AUXILIARIES - {"not", "no"}
    return any(len(word) > 1 and word in doing for word in before if word not in _ABOUT | {"make", "mind"})


def _fails(words: Sequence[str], named: Sequence[int]) -> bool:
    """Whether a sentence says what comes next if one own unit cannot do what was ordered, and names no other one: ``If
    Mar can't go there, hold``."""
    if len(named) != 1 or words[0] not in ("if", "should") or named[0] > 4 or "," not in words:
        return False
    behind = words[named[0] + 1 : words.index(",")]
    return not _FAILING.isdisjoint(behind)


def _has_main_clause(parser: Parser, words: Sequence[str], named: Sequence[int], counted: int) -> bool:
    """Whether behind a condition it is said of an own unit what it does: ``If Italy attacks, Mar holds``."""
    for at in [*named, *([counted] * (counted >= 0))]:
        before = at
        while before and (words[before - 1] in ARTICLES or words[before - 1] in parser.reader.kinds):
            before -= 1
        if before and words[before - 1] in PREPOSITIONS and words[before - 2] in parser.reader.kinds:
            before -= 2
        if before > 1 and words[before - 1] in _WANTS:
            return True
    return False


def _without_results(words: Sequence[str]) -> list[str]:
    """The words less ``it works``, ``that fails``, which only say what a condition is."""
    return [
        word
        for i, word in enumerate(words)
        if not (word in ("it", "that", "this") and i + 1 < len(words) and words[i + 1] in _RESULTS)
    ]


def units_named(parser: Parser, begin: int, end: int) -> dict[int, str]:
    """The own units that do something or are spoken of, by the tokens where their names begin; no places where one
    goes."""
    mine = own_places(parser)
    kept, found, at = parser.at, {}, begin
    while at < end:
        token = parser.tokens[at]
        meaning, stop = parser.longest_name(at)
        where = next((province_of(key) for key in meaning.keys if province_of(key) in mine), "")
        if where and len(token.text) >= SHORTEST_BEGINNING:
            if not _goes_there(parser.tokens, begin, at, parser.reader.kinds):
                found[at] = where
            at = max(stop, at + 1)
            continue
        if len(token.text) > 1 and (kind := parser.reader.kinds.get(token.text)):
            of_kind = [place for place, one in mine.items() if one == kind]
            follows = parser.tokens[at + 1].text if at + 1 < end else ""
            if len(of_kind) == 1 and follows not in PREPOSITIONS and at > begin:
                if parser.tokens[at - 1].text in ARTICLES:
                    found[at] = of_kind[0]
        at += 1
    parser.at = kept
    return found


def own_places(parser: Parser) -> dict[str, str]:
    """Where this power's units stand that may be ordered now, with their kinds; where builds are due, its centers
    too."""
    position = parser.position
    if position is None:
        return {}
    units = [out.unit for out in position.dislodged] if parser.phase is Phase.RETREATS else list(position.units)
    mine = {unit.province: unit.kind for unit in units if unit.power == parser.power}
    if parser.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
        mine = {**dict.fromkeys(position.centers_of(parser.power), ""), **mine}
    return mine


def _goes_there(tokens: Sequence[Token], begin: int, at: int, kinds: Collection[str]) -> bool:
    """Whether a place is named as where something goes or lies: ``to Marseilles``, not ``the army in Marseilles``."""
    before = at - 1
    while before >= begin and tokens[before].text in ARTICLES:
        before -= 1
    word = tokens[before].text if before >= begin else ""
    if word in PREPOSITIONS and before > begin and tokens[before - 1].text in kinds:
        return False
    return word in _TOWARDS


def _counted(parser: Parser, words: Sequence[str], given: int) -> int:
    """Where words begin that speak of what has no order yet: ``the second one``, ``the rest``; -1 where none do."""
    if words[0] in _REST or (words[0] in ARTICLES and words[1:2] != [] and words[1] in _REST):
        return 0
    if parser.phase is Phase.MOVEMENT:
        return -1
    for i, word in enumerate(words):
        after = words[i + 1] if i + 1 < len(words) else ""
        before = words[i - 1] if i else ""
        if word in _COUNTED and _COUNTED[word] > given > 0 and (after in _ONES or before in ARTICLES):
            return i
    return -1
