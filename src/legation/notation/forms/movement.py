"""Hold, move, support and convoy in writing."""

from __future__ import annotations

from collections.abc import Sequence

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.forms.form import Opening, OrderKind, Verb, of, write_unit
from legation.notation.forms.gesture import Gesture
from legation.notation.forms.phrases import Phrases
from legation.notation.parsing.orders import SAYS_NOTHING, Parser
from legation.notation.parsing.places import Mention
from legation.notation.parsing.units import Subject
from legation.notation.small_words import LENDS
from legation.orders import Convoy, Disband, Hold, Move, Order, Retreat, SupportHold, SupportMove, UnitOrder
from legation.position import Phase

HOLDS = frozenset(
    "h hold holds holding hld stand stands standing std stnd stay stays remain remains defend defends".split()
)
MOVES = frozenset(
    "- to m mv move moves moving go goes going attack attacks attacking into advance advances march marches sail sails "
    "head heads proceed proceeds invade invades enter enters mto cross crosses take takes capture "
    "captures".split()
)
TOGETHER = frozenset("move go attack advance march sail head proceed invade enter cross take capture".split())
"""What may be said of several units: they move to the same place."""
DASHES = frozenset(["-", "to"])
TOWARDS = frozenset(["-", "to", "into", "on", "upon", "for", "towards", "toward", "against"])
SUPPORTS = frozenset("s sup supp support supports supporting spt".split())
CONVOYS = frozenset("c con conv convoy convoys convoying transport transports carry carries cvy".split())
ALL = frozenset("all everything everyone everybody rest others remaining".split())
WAYS = frozenset(["via", "through"])
BY_CONVOY = ("via convoy", "by convoy", "convoy", "by sea", "via sea", "convoyed", "vc")


# Goals


def goal(p: Parser, moved: Subject, helper: Subject | None = None) -> tuple[tuple[str, ...], str]:
    """``- b``, ``to b``, ``- x - y - b``: the seas passed through, and the destination; or the destination alone, if
    nothing follows."""
    if p.peek() not in MOVES and not p.only_place_comes():
        p.fail("say where it goes")
    while p.peek() in MOVES and not p.name_begins():
        p.at += 1
    if p.peek(-1) not in DASHES and not p.name_begins():
        p.take_one(TOWARDS)
    tests = [p.lands(moved), p.reaches(moved)] + ([p.reaches(helper)] if helper else [])
    steps: list[tuple[str, int]] = []
    begin = p.at
    steps.append((p.place(*tests), begin))
    while p.peek() == "-" and not p.stopped:
        p.at += 1
        begin = p.at
        steps.append((p.place(p.lands(moved)), begin))
    for passed, begin in steps[:-1]:
        _sea_only(p, passed, begin)
    return tuple(place for place, _ in steps[:-1]), steps[-1][0]


def _sea_only(p: Parser, place: str, begin: int) -> None:
    """A convoy passes over seas; anything else between two dashes is a slip."""
    board = p.reader.board
    province = board.provinces[place.partition("/")[0]]
    if not province.sea:
        p.fail(f"no convoy passes through {province.name}; name one destination", begin)


def by_convoy(p: Parser) -> bool:
    """Step over ``via convoy`` and the like."""
    if p.bracketed(*BY_CONVOY):
        return True
    if p.peek() in ("via", "by", "using", "with") and p.peek(1) in ("convoy", "sea", "convoys"):
        p.at += 2
        return True
    return (p.peek(1) != "by" and p.take("convoyed")) or p.take("vc")


def _via(p: Parser) -> tuple[str, ...]:
    """``via nth - nwg``, ``(through nth)``: the seas of a convoy, named after it."""
    route = []
    p.take("(")
    p.take_one(WAYS)
    while True:
        begin = p.at
        p.kind()
        route.append(p.place(lambda province: p.reader.board.provinces[province].sea))
        _sea_only(p, route[-1], begin)
        if not (p.peek() in ("-", ",", "and") and _is_sea(p)):
            return tuple(route)
        p.at += 1


def _is_sea(p: Parser, ahead: int = 1, *after: str) -> bool:
    """Whether the word so far ahead is a sea, and no order begins there."""
    key = p.reader.places.exact(p.peek(ahead), p.power)
    after = after or ("", "-", ",", "and", ".", ")")
    return key is not None and p.reader.board.provinces[key].sea and p.peek(ahead + 1) in after


# Hold


def _read_hold(p: Parser, subject: Subject, word: str) -> Order:
    if word in ("remain", "remains", "stay", "stays", "stand", "stands", "standing", "hold", "holds"):
        p.take_one(("still", "put", "fast", "firm", "position"))
        if not (p.take("in", "place") or p.take("its", "position") or p.take("where", "it", "is")):
            _in_its_place(p, subject)
    return Hold(subject.kind, subject.at)


def _in_its_place(p: Parser, subject: Subject) -> None:
    """Step over ``in Trieste`` after a fleet in Trieste that stays."""
    if p.peek() in ("in", "at"):
        start = p.at
        p.at += 1
        if p.place(province_of(subject.at).__eq__) != subject.at:
            p.fail("a unit holds where it stands", start)


def _all_hold(p: Parser, word: str) -> list[Order]:
    if word == "rest" or word == "remaining":
        rest = True
    else:
        rest = (
            word == "others"
            or p.take("others")
            or p.take("other")
            or p.take("else")
            or p.take("remaining")
            or p.take("the", "rest")
        )
    p.take("of")
    p.take("them")
    p.skip(("my", "our", "the"))
    p.own_name()
    kind = p.reader.kinds.get(p.peek(), "") if len(p.peek()) > 1 else ""
    if kind:
        p.at += 1
    else:
        p.take_one(("units", "unit", "pieces"))
    left_out = units_left_out(p)
    verb = p.reader.verbs.get(p.peek()) if p.peek() not in ("is", "are", "to", "will", "shall") else None
    if verb is None:
        p.step_to_verb()
        verb = p.reader.verbs.get(p.peek())
    if verb is None or not verb.shared:
        p.fail("say what all units are to do")
    at = p.at
    name = p.at
    units = [unit for unit in p.all_units(kind, rest=rest) if province_of(unit.at) not in left_out]
    orders = []
    for one in units:
        p.at = at + 1
        orders.append(verb.read(p, one, p.tokens[name].text))
    if not orders:
        p.at = at + 1
        verb.read(p, Subject("", next(iter(p.reader.board.provinces))), p.tokens[name].text)
    if word == "both" and len(orders) != 2:
        p.fail(f"it speaks of 2 and there are {len(orders)}", name)
    return _but_some(p, [order for order in orders if getattr(order, "target", "") != getattr(order, "at", None)])


EXCEPT = frozenset(["except", "but", "besides", "excepting", "save"])


def units_left_out(p: Parser) -> set[str]:
    """The provinces of the units that are left out: ``except Fleet Dublin and Army Meath``, ``but Paris``."""
    if not p.take_one(EXCEPT):
        return set()
    p.take("for")
    named = [p.subject()]
    while p.peek() in (",", "and", "&", "or") and not p.stopped:
        p.at += 1
        named.append(p.subject())
    p.take(",")
    return {province_of(subject.at) for subject in named}


def _but_some(p: Parser, orders: list[Order]) -> list[Order]:
    """``... except A par - gas``: those of which something else is said, and the others; ``... except A par``: all
    others."""
    if p.peek() == "," and p.peek(1) in EXCEPT:
        p.at += 1
    if not p.take_one(EXCEPT):
        return orders
    p.take("for")
    start = p.at
    try:
        p.at -= 1
        left_out = units_left_out(p)
        if p.ended:
            return [o for o in orders if isinstance(o, UnitOrder) and province_of(o.at) not in left_out]
    except OrderTextError:
        pass
    p.at = start
    others: list[Order] = []
    while not others or (p.peek() in (",", "and", "&") and not p.stopped):
        p.at += bool(others)
        others += p.orders()
    places = {province_of(order.at) for order in others if isinstance(order, UnitOrder)}
    return [o for o in orders if isinstance(o, UnitOrder) and province_of(o.at) not in places] + others


def _both_fits(p: Parser) -> bool:
    """``Both hold``, ``both armies disband``; not the beginning of a name."""
    ahead = 1
    while p.peek(ahead) in {
        "of",
        "them",
        "my",
        "our",
        "units",
        "are",
        "will",
        "shall",
        "must",
        "to",
        "be",
        *p.reader.kinds,
    }:
        ahead += 1
    verb = p.reader.verbs.get(p.peek(ahead))
    return verb is not None and verb.shared and p.peek(ahead) not in MOVES


def _mine_fits(p: Parser) -> bool:
    """``My fleets hold``."""
    return p.peek(1) in ("units", "armies", "fleets", "pieces")


def _all_fits(p: Parser) -> bool:
    return p.reader.places.exact(p.peek()) is None


def _imperative_hold(p: Parser, word: str) -> list[Order]:
    if p.peek() in ALL:
        rest = p.take_one(ALL) in ("rest", "others", "remaining")
        rest = bool(p.take_one(("other", "others", "else", "remaining"))) or rest
        p.take("of")
        p.skip(("my", "our", "the"))
        p.take_one(("units", "pieces"))
        if not p.ended:
            p.fail(f"cannot read {p.peek()[:60]!r}")
        return [Hold(unit.kind, unit.at) for unit in p.all_units(rest=rest)]
    return [Hold(subject.kind, subject.at) for subject in several(p)]


def several(p: Parser) -> list[Subject]:
    """One unit, or several with commas or ``and`` between them."""
    units = [p.subject()]
    while p.peek() in (",", "and", "&", "+", "then") or p.kind_comes():
        before = p.at
        while p.peek() in (",", "and", "&", "+", "then"):
            p.at += 1
        if not p.names_unit() and not p.names_place(ending=True):
            p.at = before
            break
        units.append(p.subject())
        if not p.ended and not p.kind_comes():  # a unit with an order of its own
            units.pop()
            p.at = before
            break
    return units


def _hold_fits(p: Parser) -> bool:
    if p.peek(1) == ":" and p.peek(2):
        return True
    return p.peek() in ("hold", "holds") and (_unit_comes(p) or p.peek(1) in ALL)


def _unit_comes(p: Parser) -> bool:
    """Whether a unit follows the word that comes next."""
    p.at += 1
    known = p.names_unit() or (p.peek() in ("unit", "the") and p.peek(1) in p.reader.kinds | {"unit": ""})
    p.at -= 1
    return known


HOLD = OrderKind(
    Hold,
    "a hold",
    lambda o: f"{write_unit(o.kind, o.at)} H",
    lambda o, w: f"{w.unit(o.kind, o.at)} holds",
    verbs=(Verb(HOLDS, _read_hold, shared=True, stays=True),),
    openings=(
        Opening(ALL, _all_hold, _all_fits),
        Opening(frozenset(["both"]), _all_hold, _both_fits),
        Opening(frozenset(["my", "our"]), _all_hold, _mine_fits),
        Opening(frozenset(["hold", "holds", "holding"]), _imperative_hold, _hold_fits),
    ),
    shown="H",
    gesture=Gesture(name="hold", taps="again", label="Hold", key="h", stroke="ring"),
)


# Move


def _read_move(p: Parser, subject: Subject, word: str) -> Order:
    if word not in TOWARDS:
        p.take("over")
    p.at -= 1
    if p.phase is Phase.RETREATS:
        return read_retreat_goal(p, subject)
    if word not in ("-", "to") and p.peek(1) in ("by", "via") and p.peek(2) == "convoy" and p.peek(3) in TOWARDS:
        p.at += 3
        route, to = goal(p, subject)
        return Move(subject.kind, subject.at, to, via_convoy=True, route=route)
    route, to = goal(p, subject)
    move = Move(subject.kind, subject.at, to, route=route)
    for form in p.reader.forms:
        if form.after_move is not None and (made := form.after_move(p, move)) is not None:
            return made
    if by_convoy(p):
        return Move(subject.kind, subject.at, to, via_convoy=True, route=route)
    lands = not p.reader.board.provinces[province_of(to)].sea
    bracket = p.peek() == "(" and (p.peek(1) in WAYS or (lands and _is_sea(p, 1, ")")))
    if bracket or p.peek() in WAYS:
        if p.at + 1 == len(p.tokens):
            p.at += 1
            return Move(subject.kind, subject.at, to, via_convoy=True, route=route)
        if route:
            p.fail("the way is named twice")
        p.at += bracket and p.peek(1) not in WAYS  # (NTH) is as good as (via NTH)
        passed = _via(p)
        if bracket and not p.take(")"):
            p.fail("a closing bracket is missing")
        return Move(subject.kind, subject.at, to, route=passed)
    p.bracketed("move", "attack")
    return move


def _read_convoyed(p: Parser, subject: Subject, word: str) -> Order:
    """``is convoyed to b``."""
    if p.peek() not in DASHES:
        p.fail("say where it goes")
    route, to = goal(p, subject)
    return Move(subject.kind, subject.at, to, via_convoy=True, route=route)


def _read_on_the_way(p: Parser, subject: Subject, word: str) -> Order:
    """``via nth to b``."""
    p.at -= 1
    route = _via(p)
    _, to = goal(p, subject)
    return Move(subject.kind, subject.at, to, route=route)


def _move_unsaid(p: Parser, subject: Subject) -> Order:
    """``A par bur``."""
    if p.phase is Phase.RETREATS:
        return read_retreat_goal(p, subject)
    if p.phase is not Phase.MOVEMENT:
        p.fail(SAYS_NOTHING)
    _, to = goal(p, subject)
    return Move(subject.kind, subject.at, to)


def read_retreat_goal(p: Parser, subject: Subject) -> Order:
    """Where a dislodged unit goes: to a place, or off the board."""
    while p.peek() in MOVES | RETREAT_WORDS and not p.name_begins():
        p.at += 1
    if off_board(p):
        return Disband(subject.kind, subject.at)
    to = p.place(p.lands(subject), p.reaches(subject))
    p.bracketed("retreat", "retreats")
    return Retreat(subject.kind, subject.at, to)


RETREAT_WORDS = frozenset(
    "r ret rtr retreat retreats retreating withdraws withdraw rto retires retire flees flee".split()
)


def off_board(p: Parser) -> bool:
    """Step over ``off the board``."""
    return p.take("otb") or p.take("off", "the", "board") or p.take("off", "board") or p.take("off")


def _imperative_move(p: Parser, word: str) -> list[Order]:
    subject = p.subject()
    if p.peek() not in ("-", "to", "into"):
        return [_move_unsaid(p, subject)]
    p.at += 1
    return [_read_move(p, subject, "to")]


def _move_fits(p: Parser) -> bool:
    return _unit_comes(p) or (
        p.reader.places.exact(p.peek(1), p.power) is not None and not p.reader.places.exact(p.peek())
    )


def _write_move(o: Move) -> str:
    steps = " - ".join((*o.route, o.to))
    return f"{write_unit(o.kind, o.at)} - {steps}" + (" via convoy" if o.via_convoy else "")


def _say_move(o: Move, w: Phrases) -> str:
    text = f"{w.unit(o.kind, o.at)} moves to " + " - ".join(w.place(p) for p in (*o.route, o.to))
    return text + (" via convoy" if o.via_convoy else "")


MOVE_GESTURE = Gesture(name="move", taps="place", label="To {to}", asks="{unit} - {to}", stroke="arrow")
CONVOYED_GESTURE = Gesture(
    name="via", taps="place", label="To {to} by convoy", group="By convoy", key="v", rank=1, stroke="dashed arrow"
)
MOVE = OrderKind(
    Move,
    "a move",
    _write_move,
    _say_move,
    verbs=(
        Verb(MOVES - TOGETHER, _read_move),
        Verb(TOGETHER, _read_move, shared=True),
        Verb(frozenset(["convoyed"]), _read_convoyed),
        Verb(WAYS, _read_on_the_way),
    ),
    openings=(Opening(frozenset(["move"]), _imperative_move, _move_fits),),
    unsaid=_move_unsaid,
    shown="-",
    gesture=lambda o: CONVOYED_GESTURE if o.via_convoy or o.route else MOVE_GESTURE,
)


# Support


def _read_support(p: Parser, subject: Subject, word: str) -> Order:
    return p.in_brackets(lambda: _supported_order(p, subject))


def _supported_order(p: Parser, subject: Subject) -> Order:
    if p.peek(-2) in LENDS:  # lends support to A bud
        p.take("to")
    p.take("the")
    p.take("of")
    if p.peek() == "-" and p.peek(1) == "hold":  # support-hold
        p.at += 1
    if p.take_one(("hold", "holds")):
        p.take_one(("to", "of", "in", "at", "by"))
        target = p.unit(p.reaches(subject))
        return SupportHold(subject.kind, subject.at, target.kind, target.at, target.power)
    if p.peek() in ("move", "attack") and p.peek(1) in ("to", "from", "of", "on"):
        p.at += 1
        return _support_of_move(p, subject)
    if p.peek() in ("move", "moves", "attack") and p.peek(1) not in ("by", *VERB_ENDS):  # the move A bud - rum
        p.at += 1
    start = p.at
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
        return SupportHold(subject.kind, subject.at, target.kind, target.at, target.power)
    if p.peek() in HOLDS:
        p.at += 1
        p.take("in", "place")
        return SupportHold(subject.kind, subject.at, target.kind, target.at, target.power)
    if p.bracketed("hold", "holds", "h", "holding", "to hold"):
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
    """``with support from A mar``, ``(supported by A mar and A gas)`` after a move: the orders of the units that
    support it."""
    if not isinstance(order, Move) or p.stopped:
        return []
    start = p.at
    helpers = _helpers(p, SUPPORT_WORDS) or _helping(p, SUPPORTS)
    return _not_given_yet(p, start, [SupportMove(h.kind, h.at, order.kind, order.at, order.to) for h in helpers])


def _convoyed(p: Parser, order: Order) -> list[Order]:
    """``convoyed by F nth`` after a move: the orders of the fleets that carry it."""
    if not isinstance(order, Move) or p.stopped:
        return []
    start = p.at
    helpers = _helpers(p, CONVOY_WORDS) or _helping(p, CONVOYS)
    return _not_given_yet(p, start, [Convoy(h.kind, h.at, order.kind, order.at, order.to) for h in helpers])


def _not_given_yet(p: Parser, start: int, orders: Sequence[SupportMove | Convoy]) -> list[Order]:
    """The orders but those that the sheet has given already; no unit may be ordered to do two things."""
    new: list[Order] = []
    p.context_counted = p.context_counted or bool(orders)
    for order in orders:
        given = p.ordered.get(province_of(order.at))
        if given is None:
            new.append(order)
        elif not (
            isinstance(given, SupportMove | Convoy)
            and type(given) is type(order)
            and province_of(given.target) == province_of(order.target)
            and province_of(given.to) == province_of(order.to)
        ):
            p.fail("the unit that helps is ordered twice", start)
    return new


VERB_ENDS = frozenset(["", "-", "to", "into"])
SUPPORT_WORDS = frozenset(["support", "supported", "sup", "supp", "s"])
CONVOY_WORDS = frozenset(["convoy", "convoyed", "c"])


def _helpers(p: Parser, words: frozenset[str]) -> list[Subject]:
    """The own units that are said to help a move; another power's is not ours to order."""
    start, ahead = p.at, 0
    while p.peek(ahead) in (",", "(", "with", "the"):
        ahead += 1
    if p.peek(ahead) not in words or p.peek(ahead + 1) not in ("from", "by", "of"):
        return []
    bracket = "(" in [p.peek(i) for i in range(ahead)]
    p.at += ahead + 2
    helpers = _own_helpers(p, start)
    if bracket and not p.take(")"):
        p.fail("a closing bracket is missing")
    return helpers


def _helping(p: Parser, verbs: frozenset[str]) -> list[Subject]:
    """The own units of which nothing is said but that they help: ``, F eng convoys``, ``(A mar and A gas S)``."""
    start = p.at
    bracket = p.take("(")
    if not bracket and p.peek() not in (",", ";", "and", "with"):
        return []
    while not bracket and p.peek() in (",", ";", "and", "with", "my"):
        p.at += 1
    if p.names_unit():
        try:
            helpers = _own_helpers(p, start)
            p.step_to_verb()
            said = p.take_one(verbs)
            p.take_one(("it", "this", "that"))
            if said and (p.take(")") if bracket else p.ended):
                return helpers
        except OrderTextError:
            pass
    p.at = start
    return []


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
    gesture=SUPPORT_GESTURE,
)
SUPPORT_MOVE = OrderKind(
    SupportMove,
    "support",
    lambda o: f"{write_unit(o.kind, o.at)} S {of(o.power)}{write_unit(o.target_kind, o.target)} - {o.to}",
    _say_support,
    verbs=(Verb(SUPPORTS, _read_support, shared=True),),
    beside=_supported,
    shown="S",
    gesture=SUPPORT_GESTURE,
)


# Convoy


def _read_convoy(p: Parser, subject: Subject, word: str) -> Order:
    return p.in_brackets(lambda: _convoyed_army(p, subject))


def _convoyed_army(p: Parser, subject: Subject) -> Order:
    p.take("the")
    p.take("of")
    if p.take("to"):  # convoy to b from a
        mention: Mention = p.mention()
        army = _from(p, subject)
        to = p.pick(mention, p.lands(army))
    else:
        army = p.unit()
        _, to = goal(p, army)
    by_convoy(p)
    return Convoy(subject.kind, subject.at, army.kind, army.at, to, army.power)


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
KINDS = (HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, CONVOY)
