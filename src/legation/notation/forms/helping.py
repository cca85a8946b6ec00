"""What is said of a unit's helpers beside its own order: ``with support from A mar``, ``convoyed by F nth``."""

from __future__ import annotations

from collections.abc import Sequence

from legation.board import ARMY, province_of
from legation.notation import other_languages
from legation.notation.errors import OrderTextError
from legation.notation.forms.moves import MOVES, TOWARDS
from legation.notation.parsing.orders import Parser
from legation.notation.subjects import Subject
from legation.orders import Convoy, Hold, Move, Order, SupportHold, SupportMove, UnitOrder

SUPPORTS = (
    frozenset(
        "s sup supp support supports supporting spt suport suports supprot supprots help helps aid aids assist "
        "assists backs".split()
    )
    | other_languages.SUPPORT
)
CONVOYS = (
    frozenset(
        "c con conv convey conveys t trans convoy convoys convoying transport transports carry carries cvy ship "
        "ships".split()
    )
    | other_languages.CONVOY
)
HELPS = frozenset(["help", "helps", "aid", "aids", "assist", "assists", "backs"])
SUPPORT_WORDS = frozenset(
    "support supported sup supp s sd supd suppd sptd spt aid aided help assistance backing backed helped "
    "assisted".split()
)
CONVOY_WORDS = frozenset(["convoy", "convoyed", "carried", "c"])
_UNHELPED = tuple(
    tuple(said.split())
    for said in (
        *(f"{by} {who}" for by in ("supported by", "s by", "by", "with support from", "with help from", "helped by")
          for who in ("nobody", "noone", "no one", "none", "nothing", "no unit")),
        "with no support", "no support", "without support", "unsupported", "alone", "with nobody", "unaided",
    )
)  # fmt: skip
"""That nobody helps a unit says nothing of it."""
_UNHELPED_BEGIN = frozenset(words[0] for words in _UNHELPED)
_YET = (("yet",), ("at", "all"), ("this", "time"), ("this", "turn"))
HELPING = frozenset("supporting helping assisting aiding backing".split())
HELP_WORDS = SUPPORT_WORDS | CONVOY_WORDS
MOST_HELPING = 12  # words of helpers before an order


def supported(p: Parser, order: Order) -> list[Order]:
    """``with support from A mar``, ``(supported by A mar and A gas)`` after a move or a hold: the orders of the units
    that support it."""
    if not isinstance(order, Move | Hold) or p.stopped:
        return []
    if _is_unhelped(p):
        return []
    start = p.at
    if isinstance(order, Hold):
        helpers = _helpers(p, SUPPORT_WORDS) or _helping(p, SUPPORTS, pointing=True)
        return not_given_yet(p, start, [SupportHold(h.kind, h.at, order.kind, order.at) for h in helpers])
    if listed := _all_helpers(p, order) or _helpers_one_by_one(p, order):
        return not_given_yet(p, start, listed)
    helpers = _helpers(p, SUPPORT_WORDS) or _helping(p, SUPPORTS)
    if helpers and order.via_convoy and p.peek(-1) in HELPS | {")"} and p.peek(-1 - (p.peek(-1) == ")")) in HELPS:
        p.fail("say whether it supports or convoys", start)
    return not_given_yet(p, start, [support_of(helper, order) for helper in helpers])


def _is_unhelped(p: Parser) -> bool:
    """Step over ``supported by nobody``, ``(s by nothing yet)``; whether that comes next."""
    start = p.at
    if p.peek(int(p.peek() in ("(", ","))) not in _UNHELPED_BEGIN:
        return False
    bracket = p.take("(")
    p.at += not bracket and p.peek() == ","
    said = any(p.take(*words) for words in _UNHELPED)
    said = said and not (p.peek(-1) == "alone" and not bracket)
    if said and (bracket or not p.stopped):
        any(p.take(*words) for words in _YET)
    if said and (p.take(")") if bracket else p.ended):
        return True
    p.at = start
    return False


def helped_on_the_way(p: Parser, subject: Subject) -> list[Order]:
    """``A bur, supported by A par, moves to mun``, ``A pic (convoyed by F eng) - wal``: the order of the unit and those
    of its helpers, which stand between it and what it does; nothing where none comes."""
    start = p.at
    convoys = _ahead(p, CONVOY_WORDS)
    helpers = _helpers(p, HELP_WORDS) if convoys or _ahead(p, SUPPORT_WORDS) else []
    if not helpers:
        p.at = start
        return []
    closed = p.peek(-1) == ")" or p.take(",")
    verb_at = p.step_to_verb()
    acts = p.peek() in (MOVES - TOWARDS if not closed else MOVES) | {"hold", "holds", "stands"}
    if not acts:
        p.at = start
        return []
    order = p.verb_of(subject, verb_at)
    return [order, *not_given_yet(p, start, _helping_orders(p, start, order, helpers, convoys=convoys))]


def _ahead(p: Parser, words: frozenset[str]) -> bool:
    """Whether one of these words is the first that says something."""
    ahead = 0
    while p.peek(ahead) in (",", "(", "with", "the", "which", "is"):
        ahead += 1
    return p.peek(ahead) in words


def _helping_orders(
    p: Parser, start: int, order: Order, helpers: Sequence[Subject], *, convoys: bool
) -> list[SupportHold | SupportMove | Convoy]:
    """What the helpers of an order are to do; of ``A mar supported by A bur moves to mun``, where only the helper can
    go there, it is not clear which unit moves."""
    if isinstance(order, Hold) and not convoys:
        return [SupportHold(h.kind, h.at, order.kind, order.at) for h in helpers]
    if not isinstance(order, Move):
        p.fail("say where it goes", start)
    if convoys:
        return [convoy_of(helper, order) for helper in helpers]
    to = province_of(order.to)
    mine = Subject(order.kind, order.at)
    if not p.reaches(mine)(to) and any(p.reaches(helper)(to) for helper in helpers):
        p.fail("write one order for the unit that goes there and another for the unit that helps it", start)
    return [support_of(helper, order) for helper in helpers]


def helped_first(p: Parser) -> list[Order]:
    """``With support from F eng, A pic attacks bel``: the order that follows, and those of its helpers; nothing where
    no helpers come."""
    start = p.at
    ahead = int(p.peek() == "with")
    ahead += p.peek(ahead) == "the"
    if p.peek(ahead) not in HELP_WORDS or p.peek(ahead + 1) not in ("by", "from", "of"):
        return []
    convoys = _ahead(p, CONVOY_WORDS)
    if "," not in [p.peek(ahead + i) for i in range(MOST_HELPING)]:
        return _helped_at_once(p, convoys=convoys)
    helpers = _helpers(p, HELP_WORDS)
    if not p.take(","):
        p.fail("say which unit is helped", start)
    orders = p.orders()
    given = _helping_orders(p, start, orders[0], helpers, convoys=convoys) if len(orders) == 1 else []
    if not given:
        p.fail("say which unit is helped", start)
    return [*orders, *not_given_yet(p, start, given)]


def _helped_at_once(p: Parser, *, convoys: bool) -> list[Order]:
    """``With the support of Marseilles Paris goes to Burgundy``: as :func:`helped_first`, where only the order of
    another own unit can begin behind the helper."""
    start = p.at
    try:
        helpers = _helpers(p, HELP_WORDS)
        if len(helpers) == 1 and not p.ended and (p.names_unit() or p.own_unit_comes()):
            orders = p.orders()
            given = _helping_orders(p, start, orders[0], helpers, convoys=convoys) if len(orders) == 1 else []
            if given:
                return [*orders, *not_given_yet(p, start, given)]
    except OrderTextError:
        pass
    p.at = start
    return []


def convoyed(p: Parser, order: Order) -> list[Order]:
    """``convoyed by F nth`` after a move: the orders of the fleets that carry it."""
    if not isinstance(order, Move) or p.stopped:
        return []
    start = p.at
    by_fleet = p.peek() == "by" and (order.via_convoy or _is_at_sea(p, 1))
    by_fleet = by_fleet or (p.peek() == "(" and p.peek(1) == "by" and _is_at_sea(p, 2))  # A lon - rou (by F enc)
    with_fleet = p.peek() in ("with", "from", "using", "over", "(") and order.via_convoy and _is_at_sea(p, 1)
    with_fleet = with_fleet or (p.peek() == "with" and _only_by_sea(p, order))
    if by_fleet or with_fleet:  # is convoyed to Denmark by F nth, A lon - rou by ENC, by convoy (Irish Sea)
        bracket = p.peek() == "("
        p.at += 1 + (bracket and p.peek(1) == "by")
        helpers = own_helpers(p, start)
        ashore = any(not p.reader.board.provinces[province_of(helper.at)].sea for helper in helpers)
        if (bracket and not p.take(")")) or ashore:
            p.at = start  # (F eng convoys A lon - bri)
            return []
    else:
        helpers = _helpers(p, CONVOY_WORDS) or _helping(p, CONVOYS)
    return not_given_yet(p, start, [convoy_of(helper, order) for helper in helpers])


def _only_by_sea(p: Parser, move: Move) -> bool:
    """Whether an army can get to where it goes only with the own fleet that is named next, from a sea between them:
    ``A lon crosses to pic with the Channel fleet``."""
    start = p.at
    unit, to = Subject(move.kind, move.at), province_of(move.to)
    if not is_army(p, unit) or p.reaches(unit)(to) or not _is_at_sea(p, 1 + (p.peek(1) == "the")):
        return False
    try:
        p.at += 1
        sea = province_of(p.unit(own=True).at)
    except OrderTextError:
        return False
    finally:
        p.at = start
    beside = p.reader.board.adjacent(sea)
    return p.present("", p.power)(sea) and to in beside and province_of(move.at) in beside


def _is_at_sea(p: Parser, ahead: int) -> bool:
    """Whether a sea, or a fleet there, is named so far ahead."""
    start = p.at
    p.at += ahead
    p.kind()
    keys = p.longest_name(p.at)[0].keys
    p.at = start
    return any(p.reader.board.provinces[province_of(key)].sea for key in keys)


def support_of(helper: Subject, move: Move) -> SupportMove:
    """Return the support that a helper gives to a move."""
    return SupportMove(helper.kind, helper.at, move.kind, move.at, move.to)


def convoy_of(helper: Subject, move: Move) -> Convoy:
    """Return the convoy of a move by a fleet."""
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
                helpers = own_helpers(p, start)
            else:
                helpers = own_helpers(p, start)
                p.step_to_verb()
                supports = p.peek() in SUPPORTS
                if not p.take_one(SUPPORTS | CONVOYS):
                    break
            if not supports and any(is_army(p, helper) for helper in helpers):
                break
            found += [support_of(h, move) if supports else convoy_of(h, move) for h in helpers]
            if p.take(")"):
                return found
            if not p.take_one((",", ";", "and", "&")):
                break
            p.take("and")
    except OrderTextError:
        pass
    p.at = start
    return []


def _helpers_one_by_one(p: Parser, move: Move) -> list[SupportMove | Convoy]:
    """``A gal - rum, s A bud, s A ser`` or ``s A bud, A ser``, or each on a line of its own below the move: what own
    units do for it that can do that and have no order yet."""
    found: list[SupportMove | Convoy] = []
    to = province_of(move.to)
    while (length := _names_help(p)) and _unit_ends(p, length):
        word, before = p.peek(1)[0], p.at
        p.at += length
        try:
            helpers = own_helpers(p, before)
        except OrderTextError:
            helpers = []
        for helper in helpers:
            at = province_of(helper.at)
            helps = p.reaches(helper)(to) if word == "s" else p.reader.board.provinces[at].sea
            if not helps or at in p.ordered:
                helpers = []
        if not helpers:
            p.at = before
            return found
        found += [support_of(helper, move) if word == "s" else convoy_of(helper, move) for helper in helpers]
    return found


def _names_help(p: Parser) -> int:
    """How many tokens ``, s`` or ``; supports:`` take that come next; 0 where they do not."""
    labelled = p.peek(2) == ":" and p.peek(1) in ("support", "supports", "convoy", "convoys")
    if labelled and p.peek() in (",", ";"):
        return 3
    return 2 * (p.peek() == "," and p.peek(1) in ("s", "c"))


def not_given_yet(p: Parser, start: int, orders: Sequence[UnitOrder]) -> list[Order]:
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
            p.fail("the unit that helps has another order; give each unit one order", start)
    return new


def others_help_end(p: Parser) -> int:
    """Where words end that come next and tell that another power's unit helps, ``with support from the German army in
    the Ruhr``; 0 where none come. They order nothing."""
    start = p.at
    p.take(",")
    with_it = p.take("with")
    p.take("the")
    try:
        if not p.take_one(SUPPORT_WORDS - {"s"}) or not p.take_one(("from", "of", "by") if with_it else ("by",)):
            return 0
        helper = p.unit()
        stands = p.standing.get(province_of(helper.at))
        whose = helper.power or (stands.power if stands is not None else "")
        return p.at if whose not in ("", p.power) and (stands is None or stands.power == whose) and p.ended else 0
    except OrderTextError:
        return 0
    finally:
        p.at = start


def _helpers(p: Parser, words: frozenset[str]) -> list[Subject]:
    """The own units that are said to help a move; another power's is not ours to order."""
    start, ahead = p.at, 0
    if p.peek() in (",", "with", "supported") and others_help_end(p):
        return []
    while p.peek(ahead) in (",", ";", "(", "with", "w", "the", "this", "which", "is", "and") or (
        p.peek(ahead) == "by" and p.peek(ahead + 1) in CONVOY_WORDS
    ):
        ahead += 1
    before = [p.peek(i) for i in range(ahead)]
    bracket = "(" in before
    placed = 2 * (p.peek(ahead + 1) == "in" and p.peek(ahead + 2) == "place")  # supported in place by
    by = p.peek(ahead + 1 + placed) in ("from", "by", "of") or (bracket and p.peek(ahead + 1) == ":")
    direct = (bracket and _unit_after(p, ahead + 1)) or ("with" in before and _unit_ends(p, ahead + 1))
    if p.peek(ahead) not in words or not (by or direct):
        return []
    p.at += ahead + 1 + placed + by
    helpers = own_helpers(p, start)
    if bracket and not p.take(")"):
        p.fail("a closing bracket is missing")
    return helpers


def _unit_comes(p: Parser, ahead: int) -> bool:
    """Whether a unit is named so far ahead, by its kind, or by the place where an own one stands that has no order."""
    mine = p.present("", p.power)
    meaning = p.longest_name(p.at + ahead)[0]
    p.context_counted = True
    return p.names_unit_after(ahead) or (meaning.sure and mine(meaning.keys[0]) and meaning.keys[0] not in p.ordered)


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
        named = p.names_unit() or p.names_place(ending=True)
        return named and bool(p.unit(own=True)) and p.ended
    except OrderTextError:
        return False
    finally:
        p.at = before


def _helping(p: Parser, verbs: frozenset[str], *, pointing: bool = False) -> list[Subject]:
    """Return the own units that are only said to help: ``, F eng convoys``, ``(A mar and A gas S)``. With ``pointing``
    it must also be said what they help, as in ``F eng supports it``.
    """
    start = p.at
    bracket = p.take("(")
    if not bracket and p.peek() not in (",", ";", "and", "+", "with"):
        return []
    while not bracket and p.peek() in (",", ";", "and", "+", "with", "my", "let", "have"):
        p.at += 1
    if p.names_unit() or p.own_unit_comes() or p.names_place() or (p.peek(-1) == "with" and _helper_named(p)):
        try:
            helpers = own_helpers(p, start)
            p.step_to_verb()
            said = p.reader.places.exact(p.peek(), p.power) is None and p.take_one(verbs)  # smy con is a move
            said = (p.take_one(("it", "this", "that")) or not pointing) and said
            if not said and "supporting" in verbs:
                said = p.take_one(HELPING) or ("in" if p.take("in", "support") else "")
                p.take_one(("it", "them", "him", "her", "this"))
            if said and (p.take(")") if bracket else p.ended and not _goes_on(p)):
                return helpers
        except OrderTextError:
            pass
    p.at = start
    return []


def _helper_named(p: Parser) -> bool:
    """Whether a place comes next and then that its unit helps: ``with Orleanais in support``."""
    end = p.longest_name(p.at)[1]
    said = [token.text for token in p.tokens[end : end + 2]]
    return end > p.at and (said == ["in", "support"] or (said[:1] != [] and said[0] in HELPING))


def _goes_on(p: Parser) -> bool:
    """Whether a unit follows a verb with a full stop: ``F eng s. A bur`` says what is done for that unit."""
    comes = p.peek() not in ("", ",", ";")
    return p.peek(-1) in ("s", "c", "sup", "supp", "conv") and p.stopped and comes


def own_helpers(p: Parser, start: int) -> list[Subject]:
    """The own units that help, named one by one; with commas between them where nothing else is said of the last."""
    helpers: list[Subject] = []
    while not helpers or ((p.peek() in ("and", "&", "+") or _only_units_follow(p)) and not p.stopped):
        if helpers and p.peek(1) in ("let", "have"):  # and let Venice hold
            break
        p.at += bool(helpers)
        p.take_one(("and", "&"))
        p.take("by")  # by Army Carlisle and by Fleet Solway Firth
        helper = p.unit(own=True)
        stands = p.standing.get(province_of(helper.at))
        yours = stands is not None and stands.power == p.power
        if helper.power not in ("", p.power) or (p.power and p.position is not None and not yours):
            p.fail("you can order only your own units to help; leave the others out", start)
        helpers.append(helper)
    return helpers


def _only_units_follow(p: Parser) -> bool:
    """Whether after a comma units come, with more commas, and then the end of what is said."""
    if p.peek() != ",":
        return False
    before = p.at
    try:
        while p.peek() in (",", "and", "&", "+") and not p.stopped:
            p.at += 1
            p.take_one(("and", "&"))
            if not p.names_unit():
                return False
            p.unit(own=True)
        p.at += p.peek() in SUPPORTS | CONVOYS and p.peek(1) == ")"
        return p.at == len(p.tokens) or p.stopped or p.peek() in (")", ";", "|")
    except OrderTextError:
        return False
    finally:
        p.at = before


def is_army(p: Parser, subject: Subject) -> bool:
    """Whether a unit walks, and so can only be convoyed itself."""
    stands = p.standing.get(province_of(subject.at))
    p.context_counted = p.context_counted or not subject.kind
    kind = subject.kind or (stands.kind if stands else "")
    return p.reader.travel.get(kind) == ARMY
