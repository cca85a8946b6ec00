"""Supports and convoys in writing: what a unit does for another."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from legation.board import ARMY, province_of
from legation.notation import other_languages
from legation.notation.errors import OrderTextError
from legation.notation.forms.form import Opening, OrderKind, Verb, of, write_unit
from legation.notation.forms.gesture import Gesture
from legation.notation.forms.holds import HOLDS
from legation.notation.forms.moves import MOVES, TOWARDS, WAYS, by_convoy, goal, seas_named
from legation.notation.forms.phrases import Phrases
from legation.notation.parsing.orders import Parser
from legation.notation.parsing.places import Mention
from legation.notation.parsing.units import Subject
from legation.notation.small_words import LENDS
from legation.orders import Convoy, Hold, Move, Order, SupportHold, SupportMove

SUPPORTS = (
    frozenset(
        "s sup supp support supports supporting spt suport suports supprot supprots help helps aid aids assist "
        "assists".split()
    )
    | other_languages.SUPPORT
)
CONVOYS = (
    frozenset(
        "c con conv convey conveys t trans convoy convoys convoying transport transports carry carries cvy".split()
    )
    | other_languages.CONVOY
)


# Support


def _read_support(p: Parser, subject: Subject, word: str) -> Order:
    return p.in_brackets(lambda: _supported_order(p, subject))


def _imperative_support(p: Parser, word: str) -> list[Order]:
    """``Support A pic - bel with A bur and F eng``: the orders of the units that are named last."""
    start = p.at
    target = p.unit()
    to = ""
    if p.peek() in MOVES:
        _, to = goal(p, target)
    if not p.take_one(("with", "by", "from", "using")):
        p.fail("say which unit supports, as in 'A ... S A ...'", start)
    orders: list[Order] = []
    for helper in _own_helpers(p, start):
        if to:
            orders.append(SupportMove(helper.kind, helper.at, target.kind, target.at, to, target.power))
        else:
            orders.append(SupportHold(helper.kind, helper.at, target.kind, target.at, target.power))
    return orders


def _support_fits(p: Parser) -> bool:
    """Whether a supported unit is named first, then its supporters: ``support A pic - bel with A bur``."""
    said = [token.text for token in p.tokens[p.at + 1 :]]
    return p.peek(1) not in ("", "-", ":", "hold", "move") and not {"with", "by", "from", "using"}.isdisjoint(said)


def _supported_order(p: Parser, subject: Subject) -> Order:
    if p.peek(-2) in LENDS:  # lends support to A bud
        p.take("to")
    p.take(":")
    p.take("the")
    p.take("of")
    if p.peek() == "-" and p.peek(1) == "hold":  # support-hold
        p.at += 1
    if p.take_one(("hold", "holds")):
        p.take_one(("to", "of", "in", "at", "by"))
        target = p.unit(p.reaches(subject))
        return SupportHold(subject.kind, subject.at, target.kind, target.at, target.power)
    if p.peek() in ("an", "a", "any", "its", "his") and p.peek(1) in OF_MOVES and p.peek(2) not in ("", "-"):
        p.at += 1
    if p.peek() in OF_MOVES and p.peek(1) in ("to", "from", "of", "on", "by"):
        p.at += 1
        return _support_of_move(p, subject)
    if p.peek() in ("move", "moves", "attack") and p.peek(1) not in ("by", *VERB_ENDS):  # the move A bud - rum
        p.at += 1
    if (same := _same(p, subject)) is not None:
        return same(subject)
    start = p.at
    if len(p.together) == 2 and (p.take("each", "other") or p.take("one", "another")):
        other = next(one for one in p.together if one.at != subject.at)
        return SupportHold(subject.kind, subject.at, other.kind, other.at)
    target = p.unit(p.reaches(subject))
    if target.power == p.power != "" and not p.ended and p.may_be_place(start):
        p.fail("this may be a power or a place; write each order on a line of its own", start)
    if p.peek() == "," and p.peek(1) in MOVES:  # Army Carlisle, in Cumberland, to Hexhamshire
        p.at += 1
    if p.peek() in ("in", "with") and p.peek(1) in ("moving", "attacking", "its", "advancing"):
        p.at += 1
        p.take("its")
    if p.peek() in ("move", "attack") and p.peek(1) in TOWARDS and p.peek(1) != "on":
        p.at += 1
    if p.peek() in ("in", "to", "-") and (p.peek(1) in HOLDS or p.peek(1) == "place"):
        p.at += 2
        p.take_one(("put", "still", "place"))
        return SupportHold(subject.kind, subject.at, target.kind, target.at, target.power)
    if p.peek() in HOLDS:
        p.at += 1
        p.take("in", "place")
        return SupportHold(subject.kind, subject.at, target.kind, target.at, target.power)
    if p.bracketed(*HOLDS, "to hold"):
        return SupportHold(subject.kind, subject.at, target.kind, target.at, target.power)
    if p.peek() in p.reader.stays and not p.stopped:  # a unit that converts holds
        p.reader.verbs[p.peek()].read(_stepped(p), target, "")
        return SupportHold(subject.kind, subject.at, target.kind, target.at, target.power)
    if (p.peek() in MOVES and not p.stopped) or (not p.ended and p.only_place_comes()):
        _, to = goal(p, target, subject)
        by_convoy(p)
        power = target.power or p.bracketed_power()
        return SupportMove(subject.kind, subject.at, target.kind, target.at, to, power)
    return SupportHold(subject.kind, subject.at, target.kind, target.at, target.power)


def _same(p: Parser, subject: Subject, kind: type[Order] | None = None) -> Callable[[Subject], Order] | None:
    """What ``supports the same``, ``S it`` or ``supports this`` means right after the order of an own unit that moves,
    or that supports or convoys one; None if no such word ends the order, or none was given."""
    start = p.at
    p.take("the")
    said = p.take_one(SAME) or (p.peek(-1) in IN_FULL and p.stopped)  # A pic - bel. F eng supports.
    if not said or not p.ended or not p.ordered:
        p.at = start
        return None
    p.context_counted = True
    last = list(p.ordered.values())[-1]
    if isinstance(last, Move) and (kind is Convoy or p.reaches(subject)(province_of(last.to))):
        return lambda one: _convoy_of(one, last) if kind is Convoy else _support_of(one, last)
    if isinstance(last, SupportMove | Convoy) and type(last) is (kind or SupportMove):
        return lambda one: msgspec.structs.replace(last, kind=one.kind, at=one.at)
    p.at = start
    return None


def _stepped(p: Parser) -> Parser:
    p.at += 1
    return p


def _support_of_move(p: Parser, subject: Subject) -> Order:
    """``to b from a``, ``from a to b``, ``of A a to b``."""
    if p.take("to") or p.take("on"):
        mention = p.mention()
        target = _from(p, subject)
        to = p.pick(mention, p.lands(target), p.reaches(target), p.reaches(subject))
    else:
        p.at += 1
        target = p.unit()
        if p.peek() in ("on", "against"):  # the attack of A bud on rum
            p.at += 1
            to = p.place(p.lands(target), p.reaches(target), p.reaches(subject))
        else:
            _, to = goal(p, target, subject)
    return SupportMove(subject.kind, subject.at, target.kind, target.at, to, target.power)


def _from(p: Parser, subject: Subject) -> Subject:
    if not p.take("from"):
        p.take("by") or p.take("of") or p.fail("say from where it goes")
    return p.unit()


def _supported(p: Parser, order: Order) -> list[Order]:
    """``with support from A mar``, ``(supported by A mar and A gas)`` after a move or a hold: the orders of the units
    that support it."""
    if not isinstance(order, Move | Hold) or p.stopped:
        return []
    start = p.at
    if isinstance(order, Hold):
        helpers = _helpers(p, SUPPORT_WORDS)
        return _not_given_yet(p, start, [SupportHold(h.kind, h.at, order.kind, order.at) for h in helpers])
    if listed := _all_helpers(p, order):
        return _not_given_yet(p, start, listed)
    helpers = _helpers(p, SUPPORT_WORDS) or _helping(p, SUPPORTS)
    if helpers and order.via_convoy and p.peek(-1) in HELPS | {")"} and p.peek(-1 - (p.peek(-1) == ")")) in HELPS:
        p.fail("say whether it supports or convoys", start)
    return _not_given_yet(p, start, [_support_of(helper, order) for helper in helpers])


def _likewise(p: Parser, order: Order) -> list[Order]:
    """``..., as does F eng``, ``and so does F eng`` after a support: the same order of further own units."""
    if not isinstance(order, SupportMove | SupportHold) or p.stopped:
        return []
    start = p.at
    p.take(",")
    p.take_one(("and", "&"))
    if not (p.take_one(("as", "so")) and p.take_one(AS_DO)):
        p.at = start
        return []
    helpers = _own_helpers(p, start)
    if not p.ended:
        p.fail("say which units do the same", start)
    same = [msgspec.structs.replace(order, kind=helper.kind, at=helper.at) for helper in helpers]
    return _not_given_yet(p, start, same)


def _convoyed(p: Parser, order: Order) -> list[Order]:
    """``convoyed by F nth`` after a move: the orders of the fleets that carry it."""
    if not isinstance(order, Move) or p.stopped:
        return []
    start = p.at
    if order.via_convoy and p.take("by"):  # is convoyed to Denmark by F nth
        helpers = _own_helpers(p, start)
    else:
        helpers = _helpers(p, CONVOY_WORDS) or _helping(p, CONVOYS)
    return _not_given_yet(p, start, [_convoy_of(helper, order) for helper in helpers])


def _support_of(helper: Subject, move: Move) -> SupportMove:
    return SupportMove(helper.kind, helper.at, move.kind, move.at, move.to)


def _convoy_of(helper: Subject, move: Move) -> Convoy:
    return Convoy(helper.kind, helper.at, move.kind, move.at, move.to)


def _all_helpers(p: Parser, move: Move) -> list[SupportMove | Convoy]:
    """``(F nth C, F nwg S)``, ``(convoyed by F nth, supported by F nwg)``: what several units do for a move."""
    start = p.at
    if not p.take("("):
        return []
    found: list[SupportMove | Convoy] = []
    try:
        while True:
            supports = p.peek() in SUPPORT_WORDS
            by = p.peek(1) in ("from", "by", "of")
            if (supports or p.peek() in CONVOY_WORDS) and (by or _unit_comes(p, 1)):
                p.at += 1 + by
                helpers = _own_helpers(p, start)
            else:
                helpers = _own_helpers(p, start)
                p.step_to_verb()
                supports = p.peek() in SUPPORTS
                if not p.take_one(SUPPORTS | CONVOYS):
                    break
            if not supports and any(_is_army(p, helper) for helper in helpers):
                break
            found += [_support_of(h, move) if supports else _convoy_of(h, move) for h in helpers]
            if p.take(")"):
                return found
            if not p.take_one((",", ";", "and", "&")):
                break
            p.take("and")
    except OrderTextError:
        pass
    p.at = start
    return []


def _not_given_yet(p: Parser, start: int, orders: Sequence[SupportHold | SupportMove | Convoy]) -> list[Order]:
    """The orders but those that the sheet has given already; no unit may be ordered to do two things."""
    new: list[Order] = []
    p.context_counted = p.context_counted or bool(orders)
    for order in orders:
        given = p.ordered.get(province_of(order.at))
        if given is None:
            new.append(order)
        elif not (
            isinstance(given, SupportHold | SupportMove | Convoy)
            and type(given) is type(order)
            and province_of(given.target) == province_of(order.target)
            and province_of(getattr(given, "to", "")) == province_of(getattr(order, "to", ""))
        ):
            p.fail("the unit that helps is ordered twice", start)
    return new


IN_FULL = frozenset(["support", "supports", "convoy", "convoys"])  # of sup. a full stop is no end
AS_DO = frozenset(["does", "do", "will", "is"])
SAME = frozenset(["same", "it", "this", "ditto", "likewise"])
OF_MOVES = frozenset(["move", "movement", "attack", "advance"])
VERB_ENDS = frozenset(["", "-", "to", "into"])
HELPS = frozenset(["help", "helps", "aid", "aids", "assist", "assists"])
SUPPORT_WORDS = frozenset(
    "support supported sup supp s sptd spt aid help assistance backing backed helped assisted".split()
)
CONVOY_WORDS = frozenset(["convoy", "convoyed", "c"])


def _helpers(p: Parser, words: frozenset[str]) -> list[Subject]:
    """The own units that are said to help a move; another power's is not ours to order."""
    start, ahead = p.at, 0
    while p.peek(ahead) in (",", ";", "(", "with", "w", "the", "this", "which", "is", "and"):
        ahead += 1
    before = [p.peek(i) for i in range(ahead)]
    bracket = "(" in before
    by = p.peek(ahead + 1) in ("from", "by", "of") or (bracket and p.peek(ahead + 1) == ":")
    direct = (bracket and _unit_after(p, ahead + 1)) or ("with" in before and _unit_ends(p, ahead + 1))
    if p.peek(ahead) not in words or not (by or direct):
        return []
    p.at += ahead + 1 + by
    helpers = _own_helpers(p, start)
    if bracket and not p.take(")"):
        p.fail("a closing bracket is missing")
    return helpers


def _unit_comes(p: Parser, ahead: int) -> bool:
    """Whether a unit is named so far ahead, by its kind."""
    p.at += ahead
    comes = p.names_unit()
    p.at -= ahead
    return comes


def _unit_after(p: Parser, ahead: int) -> bool:
    """Whether an own unit without an order is named so far ahead, and then a bracket closes: ``(S A mar)``."""
    p.at += ahead
    known = p.names_unit()
    p.at -= ahead
    words = [p.peek(ahead + i) for i in range(1, 5)]
    return known and ")" in words and "-" not in words


def _unit_ends(p: Parser, ahead: int) -> bool:
    """Whether an own unit is named so far ahead, by its kind, and then an order may end: ``with support F eng``."""
    before = p.at
    p.at += ahead
    try:
        return p.names_unit() and bool(p.unit(own=True)) and p.ended
    except OrderTextError:
        return False
    finally:
        p.at = before


def _helping(p: Parser, verbs: frozenset[str]) -> list[Subject]:
    """The own units of which nothing is said but that they help: ``, F eng convoys``, ``(A mar and A gas S)``."""
    start = p.at
    bracket = p.take("(")
    if not bracket and p.peek() not in (",", ";", "and", "with"):
        return []
    while not bracket and p.peek() in (",", ";", "and", "with", "my"):
        p.at += 1
    if p.names_unit() or p.own_unit_comes() or p.names_place():
        try:
            helpers = _own_helpers(p, start)
            p.step_to_verb()
            said = p.reader.places.exact(p.peek(), p.power) is None and p.take_one(verbs)  # smy con is a move
            p.take_one(("it", "this", "that"))
            if not said and p.take_one(("supporting",)) and "supporting" in verbs:
                said = "supporting"
            if said and (p.take(")") if bracket else p.ended and not _goes_on(p)):
                return helpers
        except OrderTextError:
            pass
    p.at = start
    return []


def _goes_on(p: Parser) -> bool:
    """Whether a unit follows a verb with a full stop: ``F eng s. A bur`` says what is done for that unit."""
    comes = p.names_unit() or p.own_unit_comes()
    return p.peek(-1) in ("s", "c", "sup", "supp", "conv") and p.stopped and comes


def _own_helpers(p: Parser, start: int) -> list[Subject]:
    """The own units that help, named one by one."""
    helpers: list[Subject] = []
    while not helpers or (p.peek() in ("and", "&") and not p.stopped):
        p.at += bool(helpers)
        helper = p.unit(own=True)
        stands = p.standing.get(province_of(helper.at))
        yours = stands is not None and stands.power == p.power
        if helper.power not in ("", p.power) or (p.power and p.position is not None and not yours):
            p.fail("only units of one's own can be ordered to help; leave the others out", start)
        helpers.append(helper)
    return helpers


def _say_support(o: SupportMove, w: Phrases) -> str:
    return f"{w.unit(o.kind, o.at)} supports {of(o.power)}{w.unit(o.target_kind, o.target)} to {w.place(o.to)}"


SUPPORT_GESTURE = Gesture(
    name="support",
    taps="helped",
    label="Support {whom}[ to {to}]",
    group="Support",
    key="s",
    asks="{unit} S {whom}[ - {to}]",
    stroke="dotted line",
)
SUPPORT_HOLD = OrderKind(
    SupportHold,
    "support",
    lambda o: f"{write_unit(o.kind, o.at)} S {of(o.power)}{write_unit(o.target_kind, o.target)}",
    lambda o, w: f"{w.unit(o.kind, o.at)} supports {of(o.power)}{w.unit(o.target_kind, o.target)}",
    beside=_likewise,
    gesture=SUPPORT_GESTURE,
)
SUPPORT_MOVE = OrderKind(
    SupportMove,
    "support",
    lambda o: f"{write_unit(o.kind, o.at)} S {of(o.power)}{write_unit(o.target_kind, o.target)} - {o.to}",
    _say_support,
    verbs=(Verb(SUPPORTS, _read_support, shared=True),),
    openings=(Opening(frozenset(["support"]), _imperative_support, _support_fits),),
    beside=_supported,
    shown="S",
    gesture=SUPPORT_GESTURE,
)


# Convoy


def _read_convoy(p: Parser, subject: Subject, word: str) -> Order:
    return p.in_brackets(lambda: _convoyed_army(p, subject))


def _convoyed_army(p: Parser, subject: Subject) -> Order:
    if (same := _same(p, subject, Convoy)) is not None:
        return same(subject)
    p.take("the")
    p.take("of")
    if p.take("to"):  # convoy to b from a
        mention: Mention = p.mention()
        by_way = p.peek() in WAYS
        if (p.ended or by_way) and _is_army(p, subject):  # A lon convoys to nwy, through nth
            to = p.pick(mention, p.lands(subject))
            route = seas_named(p) if by_way else ()
            return Move(subject.kind, subject.at, to, via_convoy=not route, route=route)
        army = _from(p, subject)
        to = p.pick(mention, p.lands(army))
    else:
        army = p.unit()
        _, to = goal(p, army)
    by_convoy(p)
    return Convoy(subject.kind, subject.at, army.kind, army.at, to, army.power)


def _is_army(p: Parser, subject: Subject) -> bool:
    """Whether a unit walks, and so can only be convoyed itself."""
    stands = p.standing.get(province_of(subject.at))
    kind = subject.kind or (stands.kind if stands else "")
    return p.reader.travel.get(kind) == ARMY


CONVOY = OrderKind(
    Convoy,
    "a convoy",
    lambda o: f"{write_unit(o.kind, o.at)} C {of(o.power)}{write_unit(o.target_kind, o.target)} - {o.to}",
    lambda o, w: f"{w.unit(o.kind, o.at)} convoys {of(o.power)}{w.unit(o.target_kind, o.target)} to {w.place(o.to)}",
    verbs=(Verb(CONVOYS, _read_convoy, shared=True),),
    beside=_convoyed,
    shown="C",
    gesture=Gesture(
        name="convoy",
        taps="helped",
        label="Convoy {whom}[ to {to}]",
        group="Convoy",
        key="c",
        rank=1,
        asks="{unit} C {whom}[ - {to}]",
        carries=True,
        stroke="wavy line",
    ),
)


KINDS = (SUPPORT_HOLD, SUPPORT_MOVE, CONVOY)
