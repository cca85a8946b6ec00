"""Holds in writing: of one unit, of several, and of all others."""

from __future__ import annotations

from legation.board import ARMY, province_of
from legation.notation import other_languages
from legation.notation.errors import OrderTextError
from legation.notation.forms.lists import (
    ALL,
    ARMIES,
    BETWEEN,
    EXCEPT,
    LAND,
    REST,
    STAYING,
    UNITS,
    all_or_rest,
    excepts,
    listed_units,
    own_place_alone,
    several,
    units_left_out,
    with_kind_behind,
)
from legation.notation.forms.moves import MOVES, unit_comes
from legation.notation.gestures import Gesture
from legation.notation.order_kinds import Opening, OrderKind, Verb, write_unit
from legation.notation.parsing.orders import Parser
from legation.notation.small_words import NUMBERS, PREPOSITIONS
from legation.notation.subjects import Subject
from legation.orders import Build, Hold, Order, UnitOrder
from legation.position import Phase

HOLDS = (
    frozenset(
        "h hold holds holding hld stand stands standing std stdg stnd stay stays staying sit sits waits remain "
        "remains defend defends".split()
    )
    | other_languages.HOLD
)
ONLY_STAYS = "this only says what stays, so it wasn't read; write only what is built or removed"
AT_REST = (
    ("in", "place"),
    ("in", "port"),
    ("in", "position"),
    ("in", "present", "positions"),
    ("in", "present", "position"),
    ("in", "its", "present", "position"),
    ("in", "their", "present", "positions"),
    ("in", "its", "position"),
    ("in", "their", "positions"),
    ("in", "harbor"),
    ("in", "harbour"),
    ("at", "anchor"),
    ("at", "home"),
    ("there",),
    ("here",),
    ("on", "guard"),
    ("ready",),
    ("ready", "at", "home"),
    ("behind",),
    ("in", "reserve"),
    ("where", "it", "is"),
    ("where", "he", "is"),
    ("where", "she", "is"),
    ("where", "you", "are"),
    ("where", "they", "are"),
    ("where", "they", "stand"),
    ("where", "it", "stands"),
    ("as", "they", "are"),
    ("as", "it", "is"),
    ("for", "now"),
    ("for", "the", "moment"),
)
"""What may follow a word for a hold: ``F Bre stays in port``."""


def _read_hold(p: Parser, subject: Subject, word: str) -> Order:
    if p.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT) and p.position is not None:
        p.fail(ONLY_STAYS, p.at - 1)
    if len(word) > 1:
        p.take("the", "line")
        p.take_one(
            (
                "still",
                "stopped",
                "there",
                "guard",
                "put",
                "fast",
                "firm",
                "position",
                "tight",
                "home",
                "staan",
                "stehen",
            )
        )
        if not (any(p.take(*words) for words in AT_REST) or _position(p)):
            _in_its_place(p, subject)
        _against(p)
        again = p.peek() == "," and p.peek(1) in ("h", "hold", "holds") and not p.peek(2)
        p.at += 2 * again  # stays where it is, hold
    return Hold(subject.kind, subject.at)


def _position(p: Parser) -> bool:
    """Step over ``its position``, ``their positions``."""
    whats = ("position", "positions", "ground", "stellung")
    return any(p.take(whose, what) for whose in ("its", "their", "die") for what in whats)


def _against(p: Parser) -> None:
    """Step over ``against Germany``, ``against the German army in Tyrolia``: whom a unit holds off."""
    start = p.at
    if not p.take("against"):
        return
    p.skip(("the", "any"))
    if p.power_next() and p.ended:
        return
    p.at = start + 1
    try:
        p.unit()
    except OrderTextError:
        p.at = start
    if not p.ended:
        p.at = start


def _in_its_place(p: Parser, subject: Subject) -> None:
    """Step over ``in Trieste``, or ``Trieste``, after a fleet in Trieste that stays."""
    start = p.at
    elsewhere = p.peek(-1) in other_languages.HOLD and p.peek() in other_languages.IN and not p.stopped
    if elsewhere and province_of(subject.at) in p.longest_name(p.at + 1)[0].keys:  # reste a Paris
        p.at = p.longest_name(p.at + 1)[1]
    elif p.peek() in ("in", "at"):
        p.at += 1
        if p.place(province_of(subject.at).__eq__) != subject.at:
            p.fail("a unit holds where it is; leave the place out", start)
    elif p.only_place_comes():
        p.at = p.longest_name(p.at)[1]
        if p.reader.places.meaning(" ".join(t.text for t in p.tokens[start : p.at]), p.power).keys != (
            province_of(subject.at),
        ):
            p.at = start


def _all_hold(p: Parser, word: str) -> list[Order]:
    if word in REST:
        rest = True
    else:
        rest = (
            word == "others"
            or p.take("others")
            or p.take("other")
            or p.take("else")
            or p.take("remaining")
            or p.take("the", "rest")
            or p.take("the", "others")
            or p.take("the", "other")
            or (word == "both" and p.peek() in ("other", "others") and bool(p.take_one(REST)))
        )
    p.take("of")
    p.take("them")
    p.skip(("my", "our", "the"))
    p.own_name()
    rest = bool(p.take_one(("other", "remaining"))) or rest  # all my other armies
    if rest and p.take("as", "follows", ":"):
        return _as_follows(p)
    p.at -= word in ARMIES
    start = p.at
    number = p.number()
    if p.phase is Phase.RETREATS:
        p.take_one(("retreating", "dislodged"))
    kind = p.reader.kinds.get(p.peek(), "") if len(p.peek()) > 1 else ""
    if kind:
        p.at += 1
    elif p.peek() == "land" and p.peek(1) in UNITS:
        p.at += 2
        kind = LAND
    else:
        p.take_one(UNITS)
    where = p.take_one(("at",)) and p.take_one(("home", "sea"))
    listed = listed_units(p, "(", ")") or (listed_units(p, ",", ",") if rest else set())
    left_out = units_left_out(p)
    p.take_one(("all", "both"))  # fleets all hold
    p.take_one(("can", "may", "just"))
    p.at += p.peek() in ("-", ":") and p.peek(1) in p.reader.verbs
    verb = p.reader.verbs.get(p.peek()) if p.peek() not in ("is", "are", "to", "will", "shall") else None
    if verb is None:
        p.step_to_verb()
        verb = p.reader.verbs.get(p.peek())
    if verb is None or not verb.shared or (p.peek() in p.reader.kinds and p.kind_comes()):
        p.fail("say what all units should do")
    at = p.at
    name = p.at
    number = 2 if word == "both" else number
    named = set() if rest else _listed_behind(p, number)
    units = [
        unit
        for unit in p.all_units("" if kind == LAND else kind, rest=rest or bool(named))
        if province_of(unit.at) not in left_out and (not named or province_of(unit.at) in named)
    ]
    units = [unit for unit in units if kind != LAND or p.reader.travel[unit.kind] == ARMY]
    if where and not named and not listed:
        p.fail("name the units that are meant", start)
    orders = []
    for one in units:
        p.at = at + 1
        orders.append(verb.read(p, one, p.tokens[name].text))
    if not orders:
        p.at = at + 1
        verb.read(p, Subject("", next(iter(p.reader.board.provinces))), p.tokens[name].text)
    if any(isinstance(order, Build) for order in orders):
        p.fail("say which units are built, and where", start)
    listed = listed or listed_units(p, "(", ")") or listed_units(p, ":")
    if listed and listed != {province_of(getattr(order, "at", "")) for order in orders}:
        p.fail(f"this names {len(listed)} units, but they are not all that are meant; name each", start)
    if number and len(orders) != number:
        p.fail(f"this says {number}, but there are {len(orders)}; name the units", name if word == "both" else start)
    return _but_some(p, [order for order in orders if getattr(order, "target", "") != getattr(order, "at", None)])


def _as_follows(p: Parser) -> list[Order]:
    """The orders behind ``All others as follows:``."""
    orders: list[Order] = []
    while not orders or p.peek() in BETWEEN:
        p.skip(BETWEEN)
        orders += p.orders()
    return orders


def _listed_behind(p: Parser, number: int) -> set[str]:
    """Where the units stand that are listed behind the verb where others have orders and none of them has one: ``all
    hold (F sev, A ukr)``; or as many of them as a number says: ``both fleets hold (Bristol and Rouen)``."""
    start = p.at
    p.at += 1
    named = listed_units(p, "(", ")") or listed_units(p, ":")
    p.at = start
    return named if (p.ordered or len(named) == number) and named.isdisjoint(p.ordered) else set()


def _but_some(p: Parser, orders: list[Order]) -> list[Order]:
    """``... except A par - gas``: those of which something else is said, and the others; ``... except A par``: all
    others."""
    if p.peek() == "," and p.peek(1) in EXCEPT:
        p.at += 1
    begin = p.at
    if not excepts(p):
        return orders
    p.take("for")
    start = p.at
    try:
        p.at = begin
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
    p.general -= places
    return [o for o in orders if isinstance(o, UnitOrder) and province_of(o.at) not in places] + others


def _kind_fits(p: Parser) -> bool:
    """``Armies hold``; not ``armies Lon and Yor hold``."""
    verb = p.reader.verbs.get(p.peek(1 + (p.peek(1) == "all")))
    return p.peek() in p.reader.kinds and verb is not None and verb.shared and p.peek(1) not in MOVES


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
        "other",
        "others",
        "at",
        "home",
        "sea",
        *p.reader.kinds,
    }:
        ahead += 1
    verb = p.reader.verbs.get(p.peek(ahead))
    return verb is not None and verb.shared and p.peek(ahead) not in MOVES


def _mine_fits(p: Parser) -> bool:
    """``My fleets hold``."""
    ahead = 2 if p.peek(1).isdecimal() or p.peek(1) in NUMBERS else 1
    ahead += p.peek(ahead) in REST
    placed = p.peek(ahead + 1) in PREPOSITIONS  # my armies in Vienna and Trieste
    return p.peek(ahead) in UNITS | ARMIES and not placed


def _all_fits(p: Parser) -> bool:
    counted = p.peek() == "other" and p.peek(1) in NUMBERS  # the other two hold
    counted = counted and (p.peek(2) in UNITS | ARMIES | {",", "("} or p.peek(2) in p.reader.stays)
    if p.peek() in ("other", "unordered") and p.peek(1) not in UNITS | ARMIES and not counted:
        return False
    return p.reader.places.exact(p.peek()) is None


def _imperative_hold(p: Parser, word: str) -> list[Order]:
    if p.at == len(p.tokens):
        return [Hold(unit.kind, unit.at) for unit in _only_unit(p)]
    p.take("with")
    if p.peek() == "both" and (p.peek(1) in UNITS | ARMIES | OF_BOTH or not own_place_alone(p)):
        return _hold_both(p)
    p.at += p.peek() == "the" and p.peek(1) in ALL
    if p.peek() in ALL:
        orders = _but_some(p, [Hold(unit.kind, unit.at) for unit in all_or_rest(p)])
        _each_named(p, orders)
        if not p.ended:
            p.fail(f"cannot read {p.peek()[:60]!r}")
        return orders
    p.take_one(("in", "at"))
    holds = [Hold(subject.kind, subject.at) for subject in several(p)]
    return [*holds, *(p.beside(holds[0]) if len(holds) == 1 else [])]


def _each_named(p: Parser, orders: list[Order]) -> None:
    """Step over a list of the holds that all are said to be: ``hold all armies: A lon H, A edi H``."""
    start = p.at
    if not p.take(":"):
        return
    named: list[Order] = []
    try:
        while not named or p.peek() in BETWEEN:
            p.skip(BETWEEN)
            named += p.orders()
    except OrderTextError:
        p.at = start
        return
    places = [province_of(order.at) for order in named if isinstance(order, Hold)]
    if len(places) != len(named) or sorted(places) != sorted(province_of(getattr(o, "at", "")) for o in orders):
        p.fail("this names other units or orders than all that are meant; write an order for each unit", start)


OF_BOTH = frozenset(["of", "them", "my", "our", "the"])


def _hold_both(p: Parser) -> list[Order]:
    """``Hold both fleets``: the two own units of a kind."""
    start = p.at
    p.at += 1
    p.skip(OF_BOTH)
    kind = p.reader.kinds.get(p.peek(), "") if p.peek() in ARMIES else ""
    p.take_one(UNITS | ARMIES)
    units = p.all_units(kind, rest=False)
    p.expect_all(2, len(units), start)
    return [Hold(unit.kind, unit.at) for unit in units]


def _letter_for_all(p: Parser) -> bool:
    """``H all other units``, ``H rest``, ``H: Gal, Ukr``."""
    if p.peek(1) == ":" and p.phase is Phase.MOVEMENT:
        return any(map(p.present("", p.power), p.longest_name(p.at + 2)[0].keys)) or p.names_unit_after(2)
    ahead = 1 + (p.peek(1) == "the")
    return p.peek(ahead) in ALL and p.reader.places.exact(p.peek(ahead), p.power) is None


KEEPS = frozenset(["keep", "keeps", "leave", "leaves"])


def _keep(p: Parser, word: str) -> list[Order]:
    """``Keep Paris where it is``; of ``keep Paris`` alone it is not clear whether a unit or a center is meant."""
    start = p.at
    units = _kept(p)
    if p.standing and not all(map(p.present("", p.power), (province_of(unit.at) for unit in units))):
        p.fail("only your own units can be kept where they are", start)
    if not any(p.take(*words) for words in STAYING) and not (len(units) == 1 and _where_it_stands(p, units[0])):
        p.fail("say what the unit should do, as in 'A ... H'")
    return [Hold(unit.kind, unit.at) for unit in units]


def _where_it_stands(p: Parser, unit: Subject) -> bool:
    """Step over ``in Paris`` after a unit in Paris."""
    start = p.at
    if p.take_one(("in", "at")):
        meaning, end = p.longest_name(p.at)
        if province_of(unit.at) in meaning.keys:
            p.at = end
            return True
    p.at = start
    return False


def _kept(p: Parser) -> list[Subject]:
    """The units that are kept: ``my fleets``, ``everything else``, ``Brest and the Paris army``."""
    whose = p.take_one(("my", "our", "the"))
    if p.peek() in ALL | (UNITS | ARMIES if whose else frozenset()):
        return all_or_rest(p)
    units: list[Subject] = []
    while not units or p.peek() in (",", "and", "&", "+"):
        p.at += bool(units)
        p.take("and")
        units.append(with_kind_behind(p, p.subject()))
    return units


def _keep_fits(p: Parser) -> bool:
    """Whether units come that stay where they are, and nothing else of them."""
    if p.phase is not Phase.MOVEMENT:
        return False
    said = [token.text for token in p.tokens[p.at + 1 : p.at + MOST_KEPT]]
    if any(tuple(said[i : i + len(words)]) == words for words in STAYING for i in range(1, len(said))):
        return True
    before = p.at
    p.at += 1
    try:  # Keep A par in Paris
        return _where_it_stands(p, p.subject())
    except OrderTextError:
        return False
    finally:
        p.at = before


MOST_KEPT = 30  # words of units that are kept where they are


def _only_unit(p: Parser) -> list[Subject]:
    """The only unit of this power, if it has one."""
    mine = [unit for unit in p.standing.values() if unit.power == p.power]
    p.context_counted = True
    return [Subject(unit.kind, unit.at) for unit in mine] if len(mine) == 1 else []


def _hold_fits(p: Parser) -> bool:
    if len(p.tokens) == 1 and p.peek() in ("hold", "holds"):
        return p.phase is Phase.MOVEMENT and len(_only_unit(p)) == 1
    if p.peek(1) == ":" and p.peek(2):
        return True
    ahead = 1 + (p.peek(1) == "with")
    if p.peek(ahead) == "the" and p.peek(ahead + 1) in REST:
        return True
    if p.peek(1) == "with":
        return p.peek(2) in ALL | {"both"} or p.names_unit_after(2)
    if p.peek() not in ("hold", "holds"):
        in_place = p.peek() == "holding" and p.peek(1) in ("in", "at")
        return p.peek(1) in ALL or (in_place and bool(p.longest_name(p.at + 2)[0].keys))
    ahead = 2 if p.peek(1) in ("in", "at") else 1
    return unit_comes(p) or p.peek(1) in ALL or p.reader.places.exact(p.peek(ahead), p.power) is not None


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
        Opening(ARMIES, _all_hold, _kind_fits),
        Opening(frozenset(["hold", "holds", "holding", "stand", "stay"]), _imperative_hold, _hold_fits),
        Opening(frozenset(["h"]), _imperative_hold, _letter_for_all),
        Opening(KEEPS, _keep, _keep_fits),
    ),
    shown="H",
    gesture=Gesture(name="hold", taps="again", label="Hold", asks="{unit} H", key="h", stroke="ring"),
)
KINDS = (HOLD,)
