"""Waivers in writing: builds that a power does not use."""

from __future__ import annotations

from legation.board import province_of
from legation.notation.gestures import Gesture
from legation.notation.order_kinds import Opening, OrderKind, Verb
from legation.notation.parsing.orders import Parser
from legation.notation.parsing.saying import SAYS_NOTHING
from legation.notation.parsing.waivers import OF_NOW
from legation.notation.small_words import JOINTS, PREPOSITIONS
from legation.notation.subjects import Subject
from legation.orders import Order, Waive
from legation.position import Phase

WAIVES = frozenset("wve waive waives waived".split())


def _read_waived(p: Parser, subject: Subject, word: str) -> Order:
    """``Munich waived``: the build in an own center where none stands."""
    place = province_of(subject.at)
    free = p.position is not None and place in p.position.centers_of(p.power) and place not in p.standing
    p.context_counted = True
    if p.phase is not Phase.ADJUSTMENTS or not free or subject.kind or p.peek(-2) == ",":
        p.fail(SAYS_NOTHING, p.at - 1)
    p.take_one(("this", "that"))
    return Waive()


def read_waivers(p: Parser, word: str) -> list[Order]:
    """``one``, ``both``, ``the rest`` behind ``waive``: as many as are said, or are left."""
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


WAIVE = OrderKind(
    Waive,
    "a waiver",
    lambda o: "waive",
    lambda o, w: "Waive",
    verbs=(Verb(frozenset(["waived", "unused"]), _read_waived),),
    openings=(
        Opening(WAIVES, read_waivers),
        Opening(frozenset(["w"]), read_waivers, _letter_alone),
        Opening(SPARES, read_waivers, _spares),
        Opening(frozenset(["not", "unused"]), _not_used, _not_used_fits),
        Opening(frozenset(["no"]), _no, lambda p: _no_builds(p) > 0 or _no_more_fits(p)),
    ),
    gesture=Gesture(name="waive", label="Waive one", counts="build", repeats=True),
)
KINDS = (WAIVE,)
