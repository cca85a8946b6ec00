"""Several units of which one thing is said: lists, all others, and those that are left out."""

from __future__ import annotations

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.parsing.orders import Parser
from legation.notation.small_words import AUXILIARIES, BOTH, ENDINGS, JOINTS, THANKS
from legation.notation.subjects import Subject

ALL = frozenset("all everything everyone everybody rest others other remaining remainder unordered".split())
REST = frozenset("rest remaining remainder others other unordered".split())
LAND = "land"
"""Words for all armies."""


def listed_units(p: Parser, opening: str, closing: str = "") -> set[str]:
    """The provinces of the units that are named behind ``others hold``: ``(Vistula, Prague)``, ``: nmd, guy``; none
    where no such list comes."""
    start = p.at
    named: set[str] = set()
    try:
        if not p.take(opening):
            return set()
        while not named or (p.peek() in (",", "and", "&") and not (closing == "," and _verb_after_comma(p))):
            p.at += bool(named)
            p.take_one(("and", "&"))
            named.add(province_of(p.subject().at))
        if p.take(closing) if closing else p.ended:
            return named
    except OrderTextError:
        pass
    p.at = start
    return set()


def _verb_after_comma(p: Parser) -> bool:
    """Whether a comma and what units do come next: ``the rest, Calais and Northumbria, hold``."""
    word = p.peek(1)
    acts = word in p.reader.stays or word in AUXILIARIES or word in BOTH
    return p.peek() == "," and acts and p.reader.places.exact(word, p.power) is None


ARMIES = frozenset(["armies", "fleets"])
UNITS = frozenset(["units", "unit", "pieces", "troops", "forces"])
EXCEPT = frozenset(["except", "but", "besides", "excepting", "save", "bar", "barring"])
EXCEPT_FOR = (("apart", "from"), ("other", "than"), ("with", "the", "exception", "of"))


def excepts(p: Parser) -> bool:
    """Step over what leaves units out: ``except``, ``apart from``."""
    excepts = bool(p.take_one(EXCEPT)) or any(p.take(*words) for words in EXCEPT_FOR)
    p.at += excepts and p.peek() == "that"  # except that A par goes to gas
    return excepts


def units_left_out(p: Parser) -> set[str]:
    """The provinces of the units that are left out: ``except Fleet Dublin and Army Meath``, ``but Paris``."""
    if not excepts(p):
        return set()
    p.take("for")
    named = [p.subject()]
    while p.peek() in (",", "and", "&", "or") and not p.stopped:
        p.at += 1
        named.append(p.subject())
    p.take(",")
    return {province_of(subject.at) for subject in named}


def kind_of_all(p: Parser) -> str:
    """Step over ``armies``, ``fleets`` or both with ``and`` between them; return the kind, empty of both."""
    if p.peek() in ARMIES and p.peek(1) in ("and", "&") and p.peek(2) in ARMIES:
        p.at += 3
        return ""
    return p.reader.kinds.get(p.take_one(ARMIES), "")


def all_or_rest(p: Parser) -> list[Subject]:
    """``All my units``, ``all others``, ``everything else``, ``my fleets``: the own units that are meant."""
    rest = p.take_one(ALL) in REST
    rest = bool(p.take_one(("other", "others", "else", "remaining"))) or rest
    p.take("of")
    p.skip(("my", "our", "the"))
    start = p.at
    number = p.number()
    kind = kind_of_all(p)
    p.take_one(UNITS)
    units = p.all_units(kind, rest=rest)
    p.expect_all(number, len(units), start)
    return units


STAYING = (
    ("where", "it", "is"),
    ("where", "they", "are"),
    ("where", "it", "stands"),
    ("where", "they", "stand"),
    ("in", "place"),
    ("in", "position"),
    ("there",),
    ("put",),
    ("still",),
    ("at", "home"),
    ("be",),
    ("as", "it", "is"),
    ("as", "they", "are"),
    ("in", "peace"),
)
"""How a sentence ends by which units are kept where they are."""


def _kind_behind_comes(p: Parser) -> bool:
    """Whether a place comes next, and behind it the kind of unit in full."""
    meaning, end = p.longest_name(p.at)
    word = p.tokens[end].text if end < len(p.tokens) else ""
    return bool(meaning.keys) and len(word) >= SHORTEST_KIND and word in p.reader.kinds


def with_kind_behind(p: Parser, unit: Subject) -> Subject:
    """A unit with its kind from the word behind its place: ``the Paris army``."""
    word = p.peek()
    if unit.kind or p.stopped or len(word) < SHORTEST_KIND or word not in p.reader.kinds:
        return unit
    after = p.at + 1
    ends = JOINTS | ENDINGS | THANKS
    if after < len(p.tokens) and p.tokens[after].text not in {*ends, *(w for words in STAYING for w in words)}:
        return unit
    p.at += 1
    return Subject(p.reader.kinds[word], unit.at, unit.power)


SHORTEST_KIND = 4  # letters of a kind of unit in full


def own_place_alone(p: Parser) -> bool:
    """Whether the place of an own unit comes next and ends the order: ``remove gas eng``."""
    meaning, end = p.longest_name(p.at)
    after = p.tokens[end].text if end < len(p.tokens) else ""
    p.context_counted = True
    return (not after or after == ",") and any(p.present("", p.power)(key) for key in meaning.keys)


def _misspelled_alone(p: Parser) -> bool:
    """Whether what is left, with a wrong letter, can only be the place of an own unit: ``English Chanel``."""
    words = [token.text for token in p.tokens[p.at :]]
    if not 0 < len(words) < 5 or not all(word.isalpha() for word in words):
        return False
    p.context_counted = True
    meant = p.reader.places.misspelled(" ".join(words), p.power)
    return bool(meant) and p.present("", p.power)(meant)


BETWEEN = frozenset([",", ";", "and", "&", "+", "then"])
"""What stands between the units of a list: ``Par, Mar and Bre hold``."""


def several(p: Parser) -> list[Subject]:
    """One unit, or several with commas or ``and`` between them."""
    units = [with_kind_behind(p, p.subject())]
    while p.peek() in BETWEEN or p.kind_comes() or own_place_alone(p):
        before = p.at
        while p.peek() in BETWEEN:
            p.at += 1
        p.take("the")
        named = p.names_unit() or p.names_place(ending=True) or _kind_behind_comes(p)
        if not named and not _misspelled_alone(p):
            p.at = before
            break
        units.append(with_kind_behind(p, p.subject()))
        if not p.ended and not p.kind_comes():  # a unit with an order of its own
            units.pop()
            p.at = before
            break
    return units
