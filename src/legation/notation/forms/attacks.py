"""An attack of several units, told part by part: ``attack Paris: Calais moves, Normandy supports``."""

from __future__ import annotations

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.forms.helping import SUPPORTS, support_of
from legation.notation.forms.moves import ATTACKS, MOVES, WHERE, goal
from legation.notation.order_kinds import Opening
from legation.notation.parsing.kinds import PLURAL
from legation.notation.parsing.orders import Parser
from legation.notation.parsing.saying import SAYS_NOTHING
from legation.notation.small_words import ARTICLES, JOINTS, LENDS
from legation.notation.subjects import Subject
from legation.orders import Move, Order, SupportMove
from legation.position import Phase

WHO_DOES_WHAT = f"{SAYS_NOTHING}; write an order for each of these units"
LONGEST_ATTACK = 20  # words before a colon
_ATTACKS = frozenset(["attack", "attacking"])
_BY = ("from", "with")
_UNITED = frozenset(["together", "jointly"])


def attack_of_several(p: Parser) -> list[Order]:
    """``Calais and Normandy attack Paris: Calais moves, Normandy supports``: the orders behind the colon, which must be
    of the same units; nothing where no such attack comes."""
    start = p.at
    said = [p.peek(i) for i in range(LONGEST_ATTACK)]
    if ":" not in said or MOVES.isdisjoint(said[: said.index(":")]) or p.phase is not Phase.MOVEMENT:
        return []
    try:
        units = _units(p)
        p.step_to_verb()
        if len(units) < 2 or p.peek() not in MOVES:
            raise OrderTextError(p.text, (0, 0), "")
        _, goal_of_all = goal(p, units[0])
        p.take_one(_UNITED)
        comes = p.take(":")
    except OrderTextError:
        comes = False
    if not comes:
        p.at = start
        return []
    told = _parts(p, goal_of_all, start)
    if {province_of(_at(order)) for order in told} != {province_of(unit.at) for unit in units}:
        p.fail(WHO_DOES_WHAT, start)
    return told


def told_of_units(p: Parser) -> list[Order]:
    """``A edi & A lon: Edi-Cly, Lon S Edi-Cly``, ``both fleets out: Lon to Nth, Edi to Nwg``: the orders behind the
    colon, one of each unit before it; nothing where they are not of the same units."""
    start = p.at
    if ":" not in [p.peek(i) for i in range(LONGEST_ATTACK)] or p.phase is not Phase.MOVEMENT:
        return []
    found: list[Order] = []
    try:
        units = _all_of_a_kind(p) or _units(p)
        comes = len(units) > 1 and p.take(":")
        while comes and (not found or p.peek() in JOINTS) and len(found) < len(units):
            p.skip(JOINTS)
            found += p.orders()
    except OrderTextError:
        comes = False
    if not comes or sorted(province_of(_at(o)) for o in found) != sorted(province_of(unit.at) for unit in units):
        p.at = start
        return []
    return found


def _all_of_a_kind(p: Parser) -> list[Subject]:
    """The own units without orders that ``both fleets``, ``my armies`` mean, behind them ``out`` or ``move north`` up
    to a colon; none where that doesn't come."""
    start = p.at
    both = p.take("both")
    p.skip(ARTICLES | {"of"})
    kind = p.reader.kinds.get(p.peek(), "") if p.peek() in PLURAL else ""
    p.at += 1
    before = p.at - both  # Fleets: goes without saying
    p.skip(MOVES | WHERE)
    units = [unit for unit in p.standing.values() if unit.power == p.power and unit.kind == kind != ""]
    units = [unit for unit in units if unit.province not in p.ordered]
    p.context_counted = True
    if p.peek() != ":" or p.at == before or (both and len(units) != 2):
        p.at = start
        return []
    return [Subject(unit.kind, unit.at) for unit in units]


def _units(p: Parser) -> list[Subject]:
    """Units with ``and`` or commas between them."""
    units = [p.subject()]
    while p.peek() in (",", "and", "&"):
        p.skip((",", "and", "&"))
        units.append(p.subject())
    return units


def _at(order: Order) -> str:
    return str(getattr(order, "at", ""))


def _attack(p: Parser, word: str) -> list[Order]:
    p.take_one(("on", "against"))
    start = p.at
    attacked = p.place(p.present())
    if p.take_one(_BY):
        return _attacked_by(p, attacked, start)
    if not p.take(":"):
        p.fail("say which unit attacks it, as in 'A ... - ...'", start)
    return _parts(p, attacked, start)


def _attacked_by(p: Parser, attacked: str, start: int) -> list[Order]:
    """``Attack Norway from St Petersburg``, ``with F nth``: the move of the one own unit that is named."""
    unit = p.unit(own=True)
    at = province_of(unit.at)
    fits = p.present("", p.power)(at) and p.reaches(unit)(province_of(attacked)) and at not in p.ordered
    if not fits or (p.peek() in ("and", "&", ",", "or") and not p.stopped and _further(p)):
        p.fail("say which unit attacks it, as in 'A ... - ...'", start)
    p.context_counted = True
    move = Move(unit.kind, unit.at, attacked)
    return [move, *p.beside(move)]


def _further(p: Parser) -> bool:
    """Whether behind a joint another place comes, of which nothing is said."""
    before = p.at
    p.skip((",", "and", "&", "or"))
    p.step_over_kind()
    meaning, p.at = p.longest_name(p.at)
    ends = bool(meaning.keys) and p.ended
    p.at = before
    return ends


def _attack_fits(p: Parser) -> bool:
    """Whether a place and a colon come."""
    if p.phase is not Phase.MOVEMENT:
        return False
    begin = p.at + 1 + (p.peek(1) in ("on", "against"))
    end = p.longest_name(begin + ([t.text for t in p.tokens[begin : begin + 1]] == ["the"]))[1]
    return end > begin and [t.text for t in p.tokens[end : end + 1]] in ([":"], *([word] for word in _BY))


def _parts(p: Parser, attacked: str, start: int) -> list[Order]:
    """The orders of an attack on a place: each in full or in a word, ``Calais moves, Normandy supports``."""
    found: list[Order] = []
    helpers: list[Subject] = []
    while not (found or helpers) or (p.peek() in JOINTS and not p.stopped):
        while p.peek() in JOINTS:
            p.at += 1
        before = p.at
        unit = p.subject()
        p.step_to_verb()
        p.take_one(LENDS)
        word = p.peek()
        ends = p.at + 1 >= len(p.tokens) or p.tokens[p.at].stop or p.peek(1) in JOINTS
        if not ends or word not in MOVES | SUPPORTS | _ATTACKS:
            p.at = before
            found += p.orders()
            continue
        p.at += 1
        if word in SUPPORTS:
            helpers.append(unit)
        else:
            found.append(Move(unit.kind, unit.at, attacked))
    moves = [order for order in found if isinstance(order, Move) and province_of(order.to) == province_of(attacked)]
    wrong = [order for order in found if isinstance(order, Move) and order not in moves]
    elsewhere = [o for o in found if isinstance(o, SupportMove) and province_of(o.to) != province_of(attacked)]
    if len(moves) != 1 or wrong or elsewhere:
        p.fail(WHO_DOES_WHAT, start)
    p.context_counted = True
    return [*found, *(support_of(helper, moves[0]) for helper in helpers)]


ATTACK = Opening(ATTACKS, _attack, _attack_fits)
"""``Attack Paris: Calais moves, Normandy supports``."""
