"""Supports and convoys in writing: what a unit does for another."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.forms.attacks import ATTACK, attack_of_several, told_of_units
from legation.notation.forms.helping import (
    CONVOYS,
    SUPPORTS,
    convoy_of,
    convoyed,
    helped_first,
    helped_on_the_way,
    is_army,
    own_helpers,
    support_of,
    supported,
)
from legation.notation.forms.holds import AT_REST, HOLDS
from legation.notation.forms.likewise import likewise
from legation.notation.forms.moves import MOVES, TOWARDS, WAYS, WHERE, by_convoy, goal, read_move, seas_named
from legation.notation.gestures import Gesture
from legation.notation.names import LETTERS
from legation.notation.order_kinds import Opening, OrderKind, Verb, of, write_unit
from legation.notation.parsing.orders import Parser
from legation.notation.parsing.places import Mention
from legation.notation.phrases import Phrases
from legation.notation.small_words import LENDS
from legation.notation.subjects import Subject
from legation.orders import Convoy, Hold, Move, Order, SupportHold, SupportMove
from legation.position import Phase

# Support


def _read_support(p: Parser, subject: Subject, word: str) -> Order:
    return p.in_brackets(lambda: _supported_order(p, subject))


def _imperative_support(p: Parser, word: str) -> list[Order]:
    """``Support A pic - bel with A bur and F eng``, ``support Paris from Marseilles into Burgundy``: the orders of the
    units that are named last."""
    start = p.at
    target = p.unit()
    to = ""
    if p.peek() in MOVES:
        _, to = goal(p, target)
    if not p.take_one(("with", "by", "from", "using")):
        p.fail("say which unit supports, as in 'A ... S A ...'", start)
    orders: list[Order] = []
    helpers = own_helpers(p, start)
    if not to and p.peek() == "to":  # from Marseilles to Burgundy may be the move that is supported
        p.fail("say which unit supports which, as in 'A ... S A ... - ...'", start)
    if not to and p.peek() == "into":
        _, to = goal(p, target)
    for helper in helpers:
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
    if p.peek(-2) in LENDS or p.peek(-3) in LENDS:  # lends its support to A bud
        p.take("to")
    if p.peek(-1) == "backs":
        p.take("up")
    p.take(":")
    p.take("the")
    if p.take("of"):
        _coast_or_support(p, subject)
    if p.peek() == "-" and p.peek(1) in ("hold", "holds"):  # support-hold
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
    said = p.at < len(p.tokens) and not p.tokens[p.at].stop
    if said and p.peek() in ("move", "moves", "attack") and p.peek(1) not in ("by", *VERB_ENDS):  # the move A bud - rum
        p.at += 1
    if (same := _same(p, subject)) is not None:
        return same(subject)
    if (entry := _entry(p, subject)) is not None:
        return entry
    if (p.stopped and p.peek(-1) in IN_FULL) or p.at >= len(p.tokens):  # A dau supports. A orl goes to brt.
        p.fail(SAY_HELPED)
    start = p.at
    if len(p.together) == 2 and (p.take("each", "other") or p.take("one", "another")):
        other = next(one for one in p.together if one.at != subject.at)
        return SupportHold(subject.kind, subject.at, other.kind, other.at)
    target = p.unit(p.reaches(subject))
    if target.power == p.power != "" and not p.ended and p.may_be_place(start):
        p.fail("this may be a power or a place; write each order on a line of its own", start)
    _step_over_its_place(p, target)
    if p.peek() == "," and p.peek(1) in ("which", "who") and p.peek(2) in HOLDS:  # ..., which holds
        p.at += 3
        mine = p.present("", p.power)(province_of(target.at))
        if mine and province_of(target.at) not in p.ordered:
            p.also.append(Hold(target.kind, target.at))
        return SupportHold(subject.kind, subject.at, target.kind, target.at, target.power)
    if p.peek() == "," and p.peek(1) in MOVES:  # Army Carlisle, in Cumberland, to Hexhamshire
        p.at += 1
    if p.peek() in ("in", "with") and p.peek(1) in ("moving", "attacking", "its", "advancing"):
        p.at += 1
        p.take("its")
    if p.peek() in ("move", "attack") and p.peek(1) in TOWARDS and p.peek(1) != "on":
        p.at += 1
    if p.peek() in _AT_REST_BEGIN and any(p.take(*words) for words in AT_REST):  # where it stands
        return SupportHold(subject.kind, subject.at, target.kind, target.at, target.power)
    p.in_as_to(target)
    if p.peek() in ("in", "to", "-") and (p.peek(1) in HOLDS or p.peek(1) == "place"):
        p.at += 2
        p.take_one(("put", "still", "place"))
        p.take("in", "place")
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
        power = target.power or p.power_behind(target.at)
        return SupportMove(subject.kind, subject.at, target.kind, target.at, to, power)
    return SupportHold(subject.kind, subject.at, target.kind, target.at, target.power)


def _step_over_its_place(p: Parser, target: Subject) -> None:
    """Step over ``in Piedmont`` after a unit in Piedmont, and nothing else."""
    if p.peek() not in ("in", "at"):
        return
    meaning, end = p.longest_name(p.at + 1)
    start, p.at = p.at, end
    if province_of(target.at) not in {province_of(key) for key in meaning.keys} or not p.ended:
        p.at = start


def _coast_or_support(p: Parser, subject: Subject) -> None:
    """Refuse ``F bot - S of StP``: of a place with a south coast, in the unit's reach, a move there may be meant."""
    code = LETTERS.get(p.peek(-2), "")
    for key in p.longest_name(p.at)[0].keys:
        if code in p.reader.board.provinces[key].coasts and p.reaches(subject)(key):
            p.fail(f"say whether it supports or moves to {key}/{code}", p.at - 2)


def _same(p: Parser, subject: Subject, kind: type[Order] | None = None) -> Callable[[Subject], Order] | None:
    """What ``supports the same``, ``S it`` or ``supports this`` means right after the order of an own unit that moves,
    or that supports or convoys one; None if no such word ends the order, or none was given."""
    start = p.at
    pointed = p.take_one(("the", "this", "that")) or ("the" if p.peek(-1) == "the" else "")
    said = attack = bool(pointed) and bool(p.take_one(OF_MOVES))  # F nwg supports the attack
    said = said or bool(p.take_one(SAME)) or pointed in ("this", "that")
    said = said or (p.peek(-1) in IN_FULL and p.stopped)  # A pic - bel. F eng supports.
    said = said or (p.peek(-1) in ("s", "c") and p.peek() == ";")  # A pic - bel; F eng s;
    attack = p.take_one(("too", "also", "there", "in")) == "there" or attack  # supports it there
    if not said or not p.ended or not p.ordered or p.after_fault:
        p.at = start
        return None
    p.context_counted = True
    last = list(p.ordered.values())[-1]
    if isinstance(last, SupportMove | Convoy) and type(last) is not (kind or SupportMove):
        moved = p.ordered.get(province_of(last.target))  # the army that the fleet before this unit convoys
        last = moved if isinstance(moved, Move) and moved.to == last.to else last
    if isinstance(last, Move) and (kind is Convoy or attack or p.reaches(subject)(province_of(last.to))):
        return lambda one: convoy_of(one, last) if kind is Convoy else support_of(one, last)
    if isinstance(last, Convoy) and kind is None and p.reaches(subject)(province_of(last.to)):
        if not p.reaches(subject)(province_of(last.at)):  # else the fleet may be meant
            return lambda one: SupportMove(one.kind, one.at, last.target_kind, last.target, last.to, last.power)
    if isinstance(last, Hold) and kind is None and p.reaches(subject)(province_of(last.at)):
        return lambda one: SupportHold(one.kind, one.at, last.kind, last.at)
    if isinstance(last, SupportMove | Convoy) and type(last) is (kind or SupportMove):
        return lambda one: msgspec.structs.replace(last, kind=one.kind, at=one.at)
    p.at = start
    return None


def _read_ditto(p: Parser, subject: Subject, word: str) -> Order:
    """``fleet Lewis ditto``: the same as the own unit right before it, which stays, helps another or leaves."""
    p.at -= 1
    same: Order | None = p.does_the_same(subject)
    if same is None:
        p.fail("say what the unit should do")
    return same


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
        given = p.ordered.get(province_of(target.at))
        if p.ended and isinstance(given, Move):  # the attack of A bud, ordered above
            p.context_counted = True
            return SupportMove(subject.kind, subject.at, target.kind, target.at, given.to, target.power)
        if p.peek() in ("on", "against"):  # the attack of A bud on rum
            p.at += 1
            to = p.place(p.lands(target), p.reaches(target), p.reaches(subject))
        else:
            _, to = goal(p, target, subject)
    return SupportMove(subject.kind, subject.at, target.kind, target.at, to, target.power)


def _from(p: Parser, subject: Subject) -> Subject:
    if not p.take("from"):
        p.take("by") or p.take("of") or p.fail("say where it moves from")
    return p.unit()


SAY_HELPED = "say which unit it supports, as in 'A ... S A ...'"
_AT_REST_BEGIN = frozenset(words[0] for words in AT_REST)
IN_FULL = frozenset(["support", "supports", "convoy", "convoys"])  # of sup. a full stop is no end
SAME = frozenset(["same", "it", "him", "this", "ditto", "likewise", "latter"])


def _entry(p: Parser, subject: Subject) -> Order | None:
    """``supports (a)``, ``support no. 1``: what stands in another entry of a list; None where none is named."""
    start = p.at
    said = p.take_one(("no", "nr", "number", "order", "entry"))
    bracket = p.take("(")
    label = p.peek()
    p.at += 1
    known = p.entries.get(label) if said or bracket or label.isdecimal() else None
    if known is None or (bracket and not p.take(")")) or not p.ended:
        p.at = start
        return None
    p.context_counted = True
    if isinstance(known, Move) and p.reaches(subject)(province_of(known.to)):
        return support_of(subject, known)
    if isinstance(known, Hold | SupportHold | SupportMove | Convoy) and p.reaches(subject)(province_of(known.at)):
        return SupportHold(subject.kind, subject.at, known.kind, known.at)
    p.fail(f"it can't support what {label} says", start)


DITTO = frozenset(["ditto", "likewise"])
OF_MOVES = frozenset(["move", "movement", "attack", "advance"])
VERB_ENDS = frozenset(["", "-", "to", "into"])


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
    beside=likewise,
    gesture=SUPPORT_GESTURE,
)
SUPPORT_MOVE = OrderKind(
    SupportMove,
    "support",
    lambda o: f"{write_unit(o.kind, o.at)} S {of(o.power)}{write_unit(o.target_kind, o.target)} - {o.to}",
    _say_support,
    verbs=(Verb(SUPPORTS, _read_support, shared=True), Verb(DITTO, _read_ditto, shared=True)),
    openings=(Opening(frozenset(["support"]), _imperative_support, _support_fits), ATTACK),
    beside=supported,
    helped=helped_on_the_way,
    helped_first=lambda p: attack_of_several(p) or told_of_units(p) or helped_first(p),
    shown="S",
    gesture=SUPPORT_GESTURE,
)


# Convoy


def _read_convoy(p: Parser, subject: Subject, word: str) -> Order:
    return p.in_brackets(lambda: _convoyed_army(p, subject, word))


def _convoyed_army(p: Parser, subject: Subject, word: str) -> Order:
    if (same := _same(p, subject, Convoy)) is not None:
        return same(subject)
    if p.reader.places.exact(word) is not None and is_army(p, subject):  # smy con con bul
        p.fail("this may be a place or a convoy; write each order on a line of its own", p.at - 1)
    p.take("the")
    p.take("of")
    if p.take("to"):  # convoy to b from a
        mention: Mention = p.mention()
        by_way = p.peek() in WAYS
        if (p.ended or by_way) and is_army(p, subject):  # A lon convoys to nwy, through nth
            to = p.pick(mention, p.lands(subject))
            route = seas_named(p, subject) if by_way else ()
            return Move(subject.kind, subject.at, to, via_convoy=not route, route=route)
        army = _from(p, subject)
        to = p.pick(mention, p.lands(army))
    elif p.at >= len(p.tokens):
        p.fail("say which army it convoys and where, as in 'F ... C A ... - ...'")
    else:
        army = p.unit()
        while p.peek() in WHERE and p.peek(1) in TOWARDS | WHERE:  # carries A lon across to nwy
            p.at += 1
        _, to = goal(p, army)
    by_convoy(p)
    convoy = Convoy(subject.kind, subject.at, army.kind, army.at, to, army.power)
    for form in p.reader.forms:
        if form.after_convoy is not None and (made := form.after_convoy(p, convoy)) is not None:
            return made
    return convoy


_CARRIED_BY = frozenset(["with", "by", "using", "via", "through", "over", "across"])


def _imperative_convoy(p: Parser, word: str) -> list[Order]:
    """``Convoy Edinburgh to Denmark with the North Sea fleet``: the convoy, and the move of the army if it is an own
    one."""
    army = p.unit()
    _, to = goal(p, army)
    p.take("across")
    start = p.at
    if not p.take_one(_CARRIED_BY):
        p.fail("say which fleet convoys it, as in 'convoy A ... to ... with F ...'", start)
    fleets = own_helpers(p, start)
    stands = p.standing.get(province_of(army.at))
    whose = army.power or (stands.power if stands is not None else "")
    convoys = [Convoy(fleet.kind, fleet.at, army.kind, army.at, to, army.power) for fleet in fleets]
    if whose and whose != p.power:
        return [*convoys]
    if province_of(army.at) in p.ordered:
        p.fail("the army is ordered twice", start)
    move = Move(army.kind, army.at, to, via_convoy=True)
    return [move, *convoys, *p.beside(move)]


def _convoy_fits(p: Parser) -> bool:
    """Whether an army comes that is to be carried, and where."""
    if p.phase is not Phase.MOVEMENT or p.tokens[p.at].stop:
        return False
    ends = [p.peek(i) for i in range(1, 12)]
    return not {"to", "-", "into"}.isdisjoint(ends) and not _CARRIED_BY.isdisjoint(p.peek(i) for i in range(1, 20))


TAKES = frozenset(["take", "takes", "taking", "bring", "brings", "bringing"])


def _read_take(p: Parser, subject: Subject, word: str) -> Order:
    """``F ech takes A dev across to brt``, a convoy; of any other unit a move: ``A par takes Burgundy``."""
    start = p.at
    if p.names_unit() and not is_army(p, subject):
        try:
            army = p.unit()
            p.skip(WHERE)
            if is_army(p, army) and p.peek() in TOWARDS:
                p.at = start
                return _convoyed_army(p, subject, "carries")
        except OrderTextError:
            pass
    p.at = start
    return read_move(p, subject, word)


CONVOY = OrderKind(
    Convoy,
    "a convoy",
    lambda o: f"{write_unit(o.kind, o.at)} C {of(o.power)}{write_unit(o.target_kind, o.target)} - {o.to}",
    lambda o, w: f"{w.unit(o.kind, o.at)} convoys {of(o.power)}{w.unit(o.target_kind, o.target)} to {w.place(o.to)}",
    verbs=(Verb(CONVOYS, _read_convoy, shared=True), Verb(TAKES, _read_take, shared=True)),
    openings=(Opening(frozenset(["convoy", "transport", "ship"]), _imperative_convoy, _convoy_fits),),
    beside=convoyed,
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
