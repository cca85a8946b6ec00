"""Remarks beside a complete order that cannot change it, whatever they say: no word of theirs takes an order back,
makes it depend on something, leaves a choice or names another place where the unit could go."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from legation.board import province_of
from legation.notation import other_languages
from legation.notation.names import COASTS, SHORTEST_BEGINNING
from legation.notation.parsing.orders import Parser
from legation.notation.prose import sayings
from legation.notation.sheets.grounds import orders_own, power_of
from legation.notation.small_words import ARTICLES, AUXILIARIES
from legation.notation.subjects import Subject
from legation.notation.tokens import SIGNS
from legation.orders import Build, Disband, Hold, Order, Remove, SupportHold, Waive
from legation.position import Phase

LEAST_WORDS = 3  # of a remark that is a sentence
MOST_WORDS = 25
_AGES = frozenset("old last former first second".split())
_CHANGES = (
    (sayings.OPENS - {"because", "while", "when"})
    | (sayings.DOUBTS - {"wait"})
    | (sayings.RETRACTS - {"take", "make", "mind"})
    | (sayings.CORRECTS - frozenset("no not take make should second".split()))
    | (sayings.DRAFTS - {"next", "later", "tomorrow"})
    | (sayings.OF_OTHER_TURNS - _AGES)
    | (sayings.ORDERING - {"plan", "plans"})
    | sayings.QUOTES
    | sayings.CROSSES
    | sayings.HELPED
    | sayings.HAPPENED
    | other_languages.DOUBT
    | frozenset(
        "? - : wait better safer best prefer preferable want wants wanted provided providing alternatively choice "
        "choose decide decided confirm confirms confirmed check checked tbc "
        "await awaiting approve approved revised revise erase must needed only then also too "
        "same likewise ditto both everything everyone these those above below following version letter stop nope nah "
        "event case condition debate discussion rest others other remaining remainder "
        "yesterday hypothetically supposedly allegedly pretend dream hypothetical joke kidding sure certain yet still "
        "via route overland convoy convoys convoyed ferry ferries carried coast please could let lets try".split()
    )
)
"""Words of remarks that may say whether, or how, an order is meant, or speak of others."""
_AIMS = tuple(
    (*lead, "to", word) for lead in (("just",), ("only",), ()) for word in ("see", "test", "check", "learn", "find")
)
_WHETHER = frozenset("whether if what how who where which out".split())
"""Words of what an order is to show: ``just to see whether swaps work``."""
_DENIES = sayings.DENIES | {"but"}
_OF_THE_ORDER = frozenset(
    "it this that its order move unit army fleet please just so and then now really absolutely definitely do i we you "
    "im ive ill weve or if".split()
)
"""Words before a negation that may be of the order itself."""
_LITTLE = frozenset("longer more way thanks good need needs one unit change changes".split())
"""What ``no`` before it may say of an order."""
_TELLS = frozenset("see know trust believe care mind like expect understand envy blame hear".split())
"""What a writer may say not to do, and leave an order as it is."""
_OTHERS = frozenset("he she they who everybody everyone someone somebody people there".split())
_FORBIDDEN = frozenset("tell worry mention laugh ask mind mock blame".split())
"""What a writer may tell others not to do."""
_TIMES = frozenset("turn turns season year time order orders spring summer fall autumn winter month week".split())
_STATED = frozenset(
    "is was are were has had will would should may might can must looks seems deserves counts stays".split()
)
PLANS = frozenset("help support attack follow return rebuild we ill well".split())
"""First words of what is to come in a later turn."""
_LATER = frozenset("next later tomorrow".split())
_GOES_ON = frozenset("which who and then it he she they this that while where".split())
_COUNTS = frozenset("one two three four five six third fourth fifth sixth last waive waived".split())
_SAID_OF_ALL = AUXILIARIES | frozenset(
    "can may one put make makes making take takes come comes see get run runs keep keeps unused stand play go goes "
    "going give gives owe help helps from to in as for b s h c d r w bounce bounces cut cuts cover covers back "
    "attack attacks draw my our no taken".split()
)
"""Words for what units do that are said of much else."""


def changes_nothing(said: Sequence[str], parser: Parser, order: Order) -> bool:
    """Whether a remark of several words leaves the order beside it as it is."""
    if (aim := next((words for words in _AIMS if tuple(said[: len(words)]) == words), None)) is not None:
        said = [word for word in said[len(aim) :] if word not in _WHETHER]
    words = [word for word in said if word.isalnum()]
    if not (1 if aim else LEAST_WORDS) <= len(words) <= MOST_WORDS or _changes(said, words):
        return False
    if any(_denies_it(said, i, parser) for i, word in enumerate(said) if word in _DENIES):
        return False
    if not _LATER.isdisjoint(words) and words[0] not in PLANS and not _is_of_another(words[0], parser, order):
        return False
    if isinstance(order, Build | Remove | Waive) and not _COUNTS.isdisjoint(words):
        return False
    return not (_acts(words, parser, order) or orders_own(said, parser) or _names_another(said, parser, order))


def _changes(said: Sequence[str], words: Sequence[str]) -> bool:
    """Whether a word of a remark may change the order, or speaks of an earlier one: not in ``nothing better``, ``nicer
    than``, ``can wait``, ``at last``."""
    harmless = {word for word, after in pairwise(words) if after == "than"}
    harmless |= {"better"} & {after for word, after in pairwise(words) if word in ("nothing", "nowhere", "no")}
    harmless |= {word for before, word in pairwise(words) if before in _STATED and word == "wait"}
    if not (_CHANGES - harmless).isdisjoint(said):
        return True
    aged = [word for before, word in pairwise(["", *words]) if before != "at" or word != "last"]
    return any(word in _AGES and (after in _TIMES or not after) for word, after in pairwise([*aged, ""]))


def _denies_it(said: Sequence[str], at: int, parser: Parser) -> bool:
    """Whether a negation may be said of the order, and not of what somebody else does: ``not this time``; no ``he won't
    come``."""
    if said[at] in ("dont", "never", "not") and said[at + 1 : at + 2] != [] and said[at + 1] in _FORBIDDEN:
        return False
    if said[at] == "nothing" and said[at + 1 : at + 2] in (["better"], ["left"], ["to"]):  # nothing better to do
        return False
    if said[at] == "no" and len(said) > at + 2:  # no quarrel with Germany
        thing = said[at + 1]
        return thing in parser.reader.telling_words or thing in _LITTLE or len(thing) < 3
    before = at - 1
    while before >= 0 and (said[before] in AUXILIARIES or said[before] in ("is", "are", "was", "were", "be")):
        before -= 1
    subject = said[before] if before >= 0 else ""
    if subject in ("i", "we", "im", "ive"):
        return said[at + 1 : at + 2] == [] or said[at + 1] not in _TELLS
    return not subject.isalpha() or subject in _OF_THE_ORDER


def _is_of_another(word: str, parser: Parser, order: Order) -> bool:
    """Whether a word names a power, or a place that the order does not."""
    keys = parser.reader.places.meaning(word, parser.power).keys if len(word) >= SHORTEST_BEGINNING else ()
    named = {province_of(key) for key in keys}
    return (
        word in _OTHERS or bool(power_of(word, parser.reader)) or (bool(named) and named.isdisjoint(_places_of(order)))
    )


def _places_of(order: Order) -> set[str]:
    """The provinces that an order names."""
    return {province_of(getattr(order, name, "") or "") for name in ("at", "to", "target")}


def _acts(words: Sequence[str], parser: Parser, order: Order) -> bool:
    """Whether words say what a unit does: ``which holds``, ``with the support of Pie``."""
    reader = parser.reader
    if words[0] in reader.openings and words[0] not in _SAID_OF_ALL:
        return True
    doing = (reader.verbs.keys() | reader.openings.keys() | {"support", "supports"}) - _SAID_OF_ALL
    if isinstance(order, Hold):
        doing -= reader.stays  # (stays as guard)
    if any(word in doing for word in words):
        return True
    return any(
        (word in reader.kinds and len(word) < 2 and bool(reader.places.meaning(after, parser.power).keys))
        or (after in reader.verbs and len(after) > 1 and (word in _GOES_ON or word in reader.kinds))
        for word, after in pairwise([word for word in words if word not in ARTICLES])
    )


def _names_another(said: Sequence[str], parser: Parser, order: Order) -> bool:
    """Whether words name another coast, another kind of unit, or a place that the order could be of instead."""
    reader = parser.reader
    kinds = {reader.kinds[word] for word in said if len(word) > 1 and word in reader.kinds}
    if isinstance(order, Build) and kinds - {order.kind}:
        return True
    if not COASTS.keys().isdisjoint(said):
        return True
    named = _named(said, parser) - _places_of(order)
    if isinstance(order, SupportHold):
        return bool(named)  # it may be where the supported unit goes
    if isinstance(order, Build | Remove | Disband) and parser.phase is not Phase.MOVEMENT:
        mine = {unit.province for unit in parser.standing.values() if unit.power == parser.power}
        mine |= set(parser.position.centers_of(parser.power)) if parser.position else set()
        return bool(named & mine)
    at = getattr(order, "at", "")
    reaches = parser.reaches(Subject(getattr(order, "kind", ""), at)) if at else lambda _: True
    return any(reaches(place) for place in named)


def _named(said: Sequence[str], parser: Parser) -> set[str]:
    """The provinces that words name, but for those of which something is told: ``better than Pro``, ``Holland was worth
    it``."""
    found: set[str] = set()
    told = len(said) >= LEAST_WORDS and not _STATED.isdisjoint(said)
    for at, word in enumerate(said):
        if len(word) < SHORTEST_BEGINNING or word in ARTICLES or word in SIGNS:
            continue
        before = [one for one in said[:at] if one not in ARTICLES][-1:]
        keys = parser.reader.places.meaning(word, parser.power).keys
        if before == ["than"] or (told and at + 1 < len(said) and said[at + 1] in _STATED | {"and"}):
            continue
        found |= {province_of(key) for key in keys}
    return found
