"""Builds, waivers and the vote for a draw in writing."""

from __future__ import annotations

from legation.board import province_of
from legation.notation import other_languages
from legation.notation.errors import OrderTextError
from legation.notation.gestures import Gesture
from legation.notation.order_kinds import Opening, OrderKind, Verb, write_unit
from legation.notation.parsing.orders import Parser
from legation.notation.parsing.places import Test
from legation.notation.parsing.saying import SAYS_NOTHING
from legation.notation.parsing.waivers import OF_NOW
from legation.notation.small_words import BOTH, ENDINGS, JOINTS, PREPOSITIONS
from legation.notation.subjects import Subject
from legation.orders import Build, Order, VoteDraw, Waive
from legation.position import Phase

BUILDS = (
    frozenset(
        "build builds building new bld raise raises recruit recruits create creates launch launches place places put "
        "add construct constructs b +".split()
    )
    | other_languages.BUILD
)
BUILT = frozenset("b bld build builds built placed raises launches musters".split())
PLACED = frozenset(["placed", "put", "places", "puts"])
"""Words that say of a unit that it is built, or (``placed under``) in whose hands it is."""
WAIVES = frozenset("wve waive waives waived".split())


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
    if p.take("waived"):
        return [Waive()]
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


def _read_waived(p: Parser, subject: Subject, word: str) -> Order:
    """``Munich waived``: the build in an own center where none stands."""
    place = province_of(subject.at)
    free = p.position is not None and place in p.position.centers_of(p.power) and place not in p.standing
    p.context_counted = True
    if p.phase is not Phase.ADJUSTMENTS or not free or subject.kind or p.peek(-2) == ",":
        p.fail(SAYS_NOTHING, p.at - 1)
    p.take_one(("this", "that"))
    return Waive()


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


def _waive(p: Parser, word: str) -> list[Order]:
    count = 1
    while not p.stopped and p.peek() in WAIVES:  # waive waive
        p.at, count = p.at + 1, count + 1
    if not p.stopped and count == 1:
        p.take("on")
        p.take_one(("the", "my", "our", "its"))
        p.take_one(COUNTED)
        if p.take_one(("all", "any", "rest", "remaining", "remainder", "others")):
            p.skip(("of", "the", "my", "other", "others", "remaining"))
            count = _open_builds(p)
        elif p.take(*LEFT):
            count = _open_builds(p)
        else:
            count = (
                2 if p.take("both") or p.take("two") else p.number() or (_open_builds(p) if p.peek() == "builds" else 1)
            )
    if not p.stopped:
        p.take_one(("build", "builds"))
        p.take(*LATER)
        _where(p)
        if p.peek() == "(" and p.peek(1) in WAIVES and p.peek(2) == ")":
            p.at += 3
    return [Waive()] * min(count, 20)


def _where(p: Parser) -> None:
    """Step over the own center where a build is waived: ``waive Munich``, ``waive the build in Munich``."""
    start = p.at
    p.take_one(PREPOSITIONS)
    meaning, p.at = p.longest_name(p.at)
    mine = p.position is not None and any(key in p.position.centers_of(p.power) for key in meaning.keys)
    if not mine or not p.ended or any(key in p.standing for key in meaning.keys[:1]):
        p.at = start


COUNTED = frozenset("other first second third fourth fifth sixth seventh eighth last final 1st 2nd 3rd 4th 5th".split())
LATER = ("for", "later")
LEFT = ["what", "is", "left"]
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
    p.skip((",", ";", ":", "and", "with", "she", "he", "i", "we", "it", "there", "should", "would", "like", "want"))
    p.skip(("first", "starting", "initial"))
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


def _builds_no_more(p: Parser, word: str) -> list[Order]:
    """``No third build``, ``no more units``: one is waived that is counted, else all that are left."""
    counted = p.take_one(("third", "second", "fourth", "other"))
    p.take_one(FURTHER)
    p.take_one(("build", "builds", "unit", "units", "one"))
    p.skip(("this", "winter", "year", "time", "season", "turn"))
    return [Waive()] * (1 if counted else min(_open_builds(p), 20))


def _no_builds(p: Parser) -> int:
    """How many tokens say, alone in a sentence, that nothing is built in Winter: ``no build for me this time``."""
    if p.phase is not Phase.ADJUSTMENTS or p.units_over() >= 0 or p.peek() != "no":
        return 0
    if p.peek(1) not in ("build", "builds"):
        return 0
    end = 2
    while p.peek(end) in OF_NOW and not p.tokens[p.at + end - 1].stop:
        end += 1
    return end if not p.peek(end) or p.tokens[p.at + end - 1].stop or p.peek(end) in JOINTS else 0


def _build_none(p: Parser, word: str) -> list[Order]:
    p.at -= 1
    p.at += _no_builds(p)
    if p.claimed:
        p.fail(
            "this says that nothing is built, and something else is; write 'waive' for each build that you don't use", 0
        )
    p.general |= {""}
    return [Waive()] * min(_open_builds(p), 20)


def _no(p: Parser, word: str) -> list[Order]:
    p.at -= 1
    none = _no_builds(p) > 0
    p.at += 1
    return _build_none(p, word) if none else _builds_no_more(p, word)


FURTHER = frozenset("more further new additional".split())


def _no_more_fits(p: Parser) -> bool:
    """Whether the text says, in Winter, that no further unit is built."""
    if p.phase is not Phase.ADJUSTMENTS:
        return False
    counted = p.peek(1) in ("third", "second", "fourth", "other")
    counts = p.peek(1) in FURTHER and p.peek(2) in ("build", "builds", "unit", "units")
    follows = p.peek(2)
    return counts or (counted and (not follows or follows in JOINTS or follows in ("build", "builds", "unit", "one")))


SPARES = frozenset(["skip", "save", "defer", "postpone"])


def _spares(p: Parser) -> bool:
    """Whether a build is spared in Winter: ``skip one``, ``save the third``, ``save the others``."""
    ahead = 1 + (p.peek(1) == "the")
    left = p.peek(ahead) in ("rest", "others", "remaining") or [p.peek(ahead + i) for i in range(3)] == LEFT
    if p.phase is Phase.ADJUSTMENTS and left and not p.reader.places.exact(p.peek(ahead)):
        return True
    said = [p.peek(i) for i in range(1 + (p.peek(1) == "on"), 5)]
    ends = said.index("") if "" in said else len(said)
    if LATER[0] in said[1:ends]:  # save the third for later
        ends = said.index(LATER[0])
    spared = {
        "the",
        "my",
        "other",
        "first",
        "second",
        "third",
        "last",
        "one",
        "build",
        "builds",
        "two",
        "both",
        "1",
        "2",
    }
    return p.phase is Phase.ADJUSTMENTS and 0 < ends < len(said) and set(said[:ends]) <= spared


def _letter_alone(p: Parser) -> bool:
    """Whether the Judge's ``W`` stands alone in Winter."""
    return p.phase is Phase.ADJUSTMENTS and (not p.peek(1) or p.peek(1) in JOINTS)


def _not_used(p: Parser, word: str) -> list[Order]:
    p.take_one(USED)
    return [Waive()]


USED = frozenset(["used", "taken", "needed"])


def _not_used_fits(p: Parser) -> bool:
    """Whether a numbered build isn't used: ``Build 3: not used``."""
    headed = p.phase is Phase.ADJUSTMENTS and p.bare is not p.reader.bare.get(p.phase)
    said = [p.peek(i) for i in range(1 + (p.peek() == "not"))]
    return headed and not p.peek(len(said)) and (said == ["unused"] or said[-1] in USED)


def _open_builds(p: Parser) -> int:
    """How many builds the power's centers leave, less those that the sheet has named; at least one, so that the waiver
    is seen."""
    if p.after_fault:
        p.fail("say how many builds are waived, since what stands before it isn't understood", max(p.at - 1, 0))
    if p.position is None or not p.power:
        return 1
    return max(-p.units_over() - p.claimed, 1)


def _draw(p: Parser, word: str) -> list[Order]:
    p.at -= 1
    start = p.at
    p.take_one(("vote", "votes", "agree", "agrees"))
    p.take(":")
    p.take_one(("yes", "aye"))
    p.take_one(("for", "to", "on", "with"))
    p.take_one(("a", "the"))
    if p.take("draw"):
        p.take("vote")
        if not p.take(":") or p.take_one(("yes", "aye", "agreed")):
            return [VoteDraw()]
    p.at = len(p.tokens)
    p.fail("write 'draw' to vote for a draw; to vote against it, write nothing", start)


def _draw_fits(p: Parser) -> bool:
    return "draw" in [p.peek(i) for i in range(5)]


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
WAIVE = OrderKind(
    Waive,
    "a waiver",
    lambda o: "waive",
    lambda o, w: "Waive",
    verbs=(Verb(frozenset(["waived", "unused"]), _read_waived),),
    openings=(
        Opening(WAIVES, _waive),
        Opening(frozenset(["w"]), _waive, _letter_alone),
        Opening(SPARES, _waive, _spares),
        Opening(frozenset(["not", "unused"]), _not_used, _not_used_fits),
        Opening(frozenset(["no"]), _no, lambda p: _no_builds(p) > 0 or _no_more_fits(p)),
    ),
    gesture=Gesture(name="waive", label="Waive one", counts="build", repeats=True),
)
DRAW = OrderKind(
    VoteDraw,
    "a vote for a draw",
    lambda o: "draw",
    lambda o, w: "Draw",
    openings=(Opening(frozenset(["draw", "vote", "votes", "agree"]), _draw, _draw_fits),),
    gesture=Gesture(
        name="draw",
        label="Vote for a draw",
        note="If every player votes for it in the same turn, the game is drawn.",
    ),
)
KINDS = (BUILD, WAIVE, DRAW)
