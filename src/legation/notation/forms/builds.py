"""Builds in writing, and the homes chosen for the first ones."""

from __future__ import annotations

from legation.board import province_of
from legation.notation import other_languages
from legation.notation.errors import OrderTextError
from legation.notation.forms.waivers import WAIVES, read_waivers
from legation.notation.gestures import Gesture
from legation.notation.order_kinds import Opening, OrderKind, Verb, write_unit
from legation.notation.parsing.orders import Parser
from legation.notation.parsing.places import Test
from legation.notation.parsing.saying import SAYS_NOTHING
from legation.notation.small_words import BOTH, ENDINGS, JOINTS, PREPOSITIONS
from legation.notation.subjects import Subject
from legation.orders import Build, Order
from legation.position import Phase

BUILDS = (
    frozenset(
        "build builds building adding new bld raise raises recruit recruits create creates launch launches place "
        "places put add construct constructs b +".split()
    )
    | other_languages.BUILD
)
BUILT = frozenset("b bld build builds built placed raises launches musters".split())
PLACED = frozenset(["placed", "put", "places", "puts"])
"""Words that say of a unit that it is built, or (``placed under``) in whose hands it is."""


def _build_one(p: Parser, kind: str = "") -> Build:
    p.skip(("me", "us", "the", "new"))
    if p.peek() in ("1", "one", "an") and p.peek(1) in p.reader.codes:
        p.at += 1
    kind = kind or p.kind()
    p.take("each")  # an army each in London and Edinburgh
    p.skip(PREPOSITIONS)
    if p.peek() in ("all", "each") and p.peek(1) == "of":  # in each of Yor, Mer and Wal
        p.at += 2
    if p.peek() == "both" and p.longest_name(p.at + 1)[0].keys:  # in both Paris and Marseilles
        p.at += 1
    if not kind and p.peek() in ("a", "an") and p.peek(1):
        p.at += 1
    site = _site(p, kind)
    if p.peek() == "(" and kind:  # A(Par)
        p.at += 1
        at = p.place(*site)
        if not p.take(")"):
            p.fail("a closing bracket is missing")
        if "/" not in at and (coast := p.coast(province_of(at))):  # F(StP)nc
            at = f"{at}/{coast}"
    else:
        at = p.place(*site)
    if not kind and p.peek() == "(" and p.peek(1) in p.reader.kinds and p.peek(2) == ")":
        kind = p.reader.kinds[p.peek(1)]
        p.at += 3
    if not kind and p.peek() in (":", ",") and p.peek(1 + (p.peek(1) in ("a", "an"))) in p.reader.kinds:
        kind = _built_there(p, at)  # in Brest: a fleet
    if not kind and p.peek() in ("a", "an") and _kind_ends(p, 1):  # make Kiel an army
        kind = p.reader.kinds[p.peek(1)]
        p.at += 2
    if not kind and p.peek() in p.reader.kinds and (p.at + 1 == len(p.tokens) or p.peek(1) in (",", ";", "and")):
        kind = p.reader.kinds[p.peek()]
        p.at += 1
    return Build(kind, at)


def _kind_ends(p: Parser, ahead: int) -> bool:
    """Whether a kind of unit in full stands so far ahead, and then what is said ends."""
    word, after = p.peek(ahead), p.peek(ahead + 1)
    return len(word) > 2 and word in p.reader.kinds and (not after or after in JOINTS | ENDINGS | {"instead"})


def _site(p: Parser, kind: str) -> tuple[Test, ...]:
    """What tells sites of the same name apart: land, on which such a unit can stand, with a center."""
    provinces = p.reader.board.provinces
    return (
        lambda province: not provinces[province].sea,
        p.stands(kind),
        lambda province: provinces[province].center,
    )


def _site_comes(p: Parser, kind: str) -> bool:
    """Whether a place comes next where such a unit may be built, and after it the end of what is said."""
    start = p.at
    try:
        p.skip(PREPOSITIONS)
        p.place(*_site(p, kind))
        return p.ended or p.kind_comes()
    except OrderTextError:
        return False
    finally:
        p.at = start


def _kind_behind_comes(p: Parser) -> bool:
    """Whether a place comes next, behind it the kind of unit in full, and then the end: ``Newcastle fleet``."""
    meaning, end = p.longest_name(p.at + (p.peek() in PREPOSITIONS))
    end += end < len(p.tokens) and p.tokens[end].text in ("a", "an")  # in Kiel a fleet
    kind = p.tokens[end].text if end < len(p.tokens) else ""
    after = p.tokens[end + 1].text if end + 1 < len(p.tokens) else ","
    return bool(meaning.keys) and len(kind) > 2 and kind in p.reader.kinds and after in JOINTS


AGAIN = frozenset(["one", "another", "second", "third", "fourth"])
"""A further unit of the same kind."""


def _build_first(p: Parser, word: str) -> list[Order]:
    start = p.at
    if p.take_one(WAIVES):  # Builds: waive
        return read_waivers(p, word)
    number = p.counted()
    builds: list[Order] = [_build_one(p)]
    announced = [p.count_said]
    while p.peek() in (",", "and", "&", "+") or p.kind_comes():
        before = p.at
        while p.peek() in (",", "and", "&", "+"):
            p.at += 1
        if p.peek() in ("a", "an") and p.peek(1) == "new" and len(p.peek(2)) > 1 and p.peek(2) in p.reader.kinds:
            p.at += 2
        ahead = p.peek() in ("a", "the")
        again = p.peek(ahead) in AGAIN and p.peek(ahead + 1) in PREPOSITIONS  # and one at Luxembourg, and a third in
        if again:
            p.at += 1 + ahead
            p.skip(PREPOSITIONS)
        kind = "" if p.names_unit() else _kind_of(builds[-1])
        named = p.names_unit() or _kind_behind_comes(p)
        if not named and not (kind and _site_comes(p, kind)):
            p.at = before
            break
        further = _build_one(p, "" if named else kind)
        if not p.ended and not p.kind_comes():
            p.at = before
            break
        builds.append(further)
        announced.append(-1 if kind and not again else p.count_said)
    p.expect(announced, start)
    if number != p.claimed + len(builds):  # Build 1: A par. Build 2: F bre
        p.expect_all(number, len(builds), start)
    return builds


def _kind_of(order: Order) -> str:
    """The kind that was named last: ``build armies in Par and Mar``."""
    return order.kind if isinstance(order, Build) else ""


def _build_fits(p: Parser) -> bool:
    if len(p.peek()) > 1 and p.peek() != "new" and p.peek(1) != "-":
        return p.peek(1) != ""
    if p.peek() == "+" and p.phase not in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
        return False
    ahead = 2 if p.peek(1) == "-" else 1
    p.at += ahead
    known = p.names_unit()
    p.at -= ahead
    return known


def _makes(p: Parser) -> bool:
    """Whether units are made where some are built: ``I make an army in Flanders``."""
    if p.phase not in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
        return False
    end = p.longest_name(p.at + 1)[1]
    becomes = end > p.at + 1 and end < len(p.tokens) and p.tokens[end].text in ("a", "an")
    return p.names_unit_after(1) or (becomes and _kind_ends(p, end + 1 - p.at))


def _read_built(p: Parser, subject: Subject, word: str) -> Order:
    if word in PLACED:
        p.take("itself")
        further = p.reader.verbs.get(p.peek())
        if further is not None and further.shared and p.peek() not in BUILT | PLACED:  # placed under somebody's orders
            p.at += 1
            return further.read(p, subject, p.peek(-1))
        if word != "placed":
            p.fail(SAYS_NOTHING, p.at - 1)
    kind = subject.kind
    if not kind and not p.ended:
        kind = p.reader.kinds.get(p.peek(1 if p.peek() in ("a", "an") else 0), "")
        if kind:
            p.at += 2 if p.peek() in ("a", "an") else 1
            return Build(kind, _with_coast(p, subject.at))
    mine = p.position is None or province_of(subject.at) in p.position.centers_of(p.power)
    if not kind and p.peek(-2) in BOTH and not mine:  # A mos, A war, both built: nothing in Bothnia
        p.fail("say which units are built, and where", p.at - 1)
    return Build(kind, subject.at)


def _with_coast(p: Parser, at: str) -> str:
    """A site with the coast that is named behind what is built there: ``builds a fleet on the north coast``."""
    if not p.take("on", "the") or "/" in at:
        return at
    coast = p.coast(province_of(at))
    return f"{at}/{coast}" if coast else at


def _bare(p: Parser, subject: Subject) -> Order:
    return Build(subject.kind, subject.at)


def _bare_in_winter(p: Parser, subject: Subject) -> Order:
    """A unit of which nothing is said is built where none stands in an own center; of one that stands it is not clear
    whether it is to stay."""
    place = province_of(subject.at)
    p.context_counted = True
    if p.position is None or place in p.standing or place not in p.position.centers_of(p.power):
        p.fail(f"{SAYS_NOTHING}; write {p.reader.verbs_shown[p.phase]}")
    return Build(subject.kind, subject.at)


SELECTS = frozenset(
    "select selects choose chooses pick picks start starts begin begins open opens reveal reveals "
    "nominate nominates elect elects".split()
)
HOMES = frozenset(
    "home homes supply center centre base capital initial first regular my our her his its their the as".split()
)


def _select(p: Parser, word: str) -> list[Order]:
    """``London as my initial home center`` after ``I choose``; what is built there is said behind it or not."""
    p.skip(HOMES | {"with"})
    kind = p.kind()
    p.skip(PREPOSITIONS)
    at = p.place(*_site(p, kind))
    p.at += p.peek() in ("my", "our", "her", "his", "its") and p.peek(1) in HOMES
    if p.peek(-1) in HOMES:  # Moscow our home
        p.skip(HOMES)
    elif not p.stopped and p.peek() in ("as", "for", "to"):
        p.at += 1
        p.skip(HOMES | {"be"})
    return [Build(kind or _built_there(p, at), at)]


def _built_there(p: Parser, at: str) -> str:
    """The kind of unit that is said to be built in a home that was chosen: ``with an army``, ``. She builds a fleet
    there.``; nothing where that is not said."""
    start = p.at
    if p.peek() == "(" and p.peek(1) in p.reader.kinds and p.peek(2) == ")":  # London (fleet)
        p.at += 3
        return p.reader.kinds[p.peek(-2)]
    p.skip(
        (
            ",",
            ";",
            ":",
            "and",
            "with",
            "she",
            "he",
            "i",
            "we",
            "it",
            "where",
            "there",
            "should",
            "would",
            "like",
            "want",
        )
    )
    p.skip(("first", "starting", "initial", "start", "begin", "with"))
    builds = p.take_one(BUILDS | {"unit", "muster", "musters"})
    p.take(":")
    ahead = int(p.peek() in ("a", "an") and len(p.peek(1)) > 1 and p.peek(1) in p.reader.kinds)
    kind = p.reader.kinds.get(p.peek(ahead), "")
    if kind:
        p.at += ahead + 1
        if p.take("is", "built", "there") or p.take("there") or p.ended:
            return kind
        if not p.stopped and p.place(*_site(p, kind)) == at:  # Edinburgh: F Edi
            return kind
    if builds:
        p.fail("say what is built, as in 'build A ...'", start)
    p.at = start
    return ""


def _selects(p: Parser) -> bool:
    """Whether a home is chosen: where it is, in the first builds of all."""
    return p.phase is Phase.PLACEMENT


BUILD = OrderKind(
    Build,
    "a build",
    lambda o: f"build {write_unit(o.kind, o.at)}",
    lambda o, w: f"Build {w.unit(o.kind, o.at)}",
    verbs=(Verb(BUILT | PLACED, _read_built, shared=True),),
    openings=(
        Opening(frozenset(["make", "makes", "making"]), _build_first, _makes),
        Opening(BUILDS, _build_first, _build_fits),
        Opening(SELECTS, _select, _selects),
    ),
    bare={Phase.PLACEMENT: _bare, Phase.ADJUSTMENTS: _bare_in_winter},
    shown="'build'",
    shown_in=Phase.ADJUSTMENTS,
    gesture=Gesture(
        name="build",
        taps="site",
        whom=lambda o: o.kind,
        label=lambda o, w: f"{w.unit(o.kind, o.at)}",
        counts="build",
        asks="build {whom} {to}",
        stroke="ring with a plus",
    ),
)
KINDS = (BUILD,)
