"""Moves in writing: where a unit goes, and over which seas; where a dislodged one goes."""

from __future__ import annotations

from legation.board import province_of
from legation.notation import other_languages
from legation.notation.gestures import Gesture
from legation.notation.order_kinds import Opening, OrderKind, Verb, write_unit
from legation.notation.parsing.orders import Parser
from legation.notation.parsing.saying import SAYS_NOTHING
from legation.notation.phrases import Phrases
from legation.notation.subjects import Subject
from legation.notation.tokens import BACKWARDS
from legation.orders import Convoy, Disband, Move, Order, Remove, Retreat
from legation.position import Phase

MOVES = (
    frozenset(
        "- to m mv move moves moving go goes going attack attacks attacking into advance advances march "
        "marches sail sails head heads proceed proceeds invade invades enter enters mto cto mt cross crosses take "
        "takes capture captures steam steams travel travels walk walks shift shifts relocate relocates push "
        "pushes slip slips sneak sneaks come comes strike strikes retake retakes run runs occupy occupies "
        "hit hits assault assaults fill fills reenter reenters seize seizes conquer conquers storm storms "
        "charge charges toward towards slides limps hops swings steps raids races rushes "
        "creeps crawls".split()
    )
    | other_languages.GO
)
TOGETHER = frozenset(
    "move go attack advance march sail head proceed invade enter cross take capture steam travel walk shift push "
    "strike".split()
)
"""What may be said of several units: they move to the same place."""
LEAVING = frozenset(["go", "goes", "come", "comes"])
"""What may be said of units that are removed: they ``go off the board``."""
BOARDS = frozenset(["board", "map", "table"])
ATTACKS = frozenset(["attack", "assault", "invade", "strike", "storm"])
DASHES = frozenset(["-", "to"])
TOWARDS = frozenset(["-", "to", "into", "on", "upon", "at", "for", "towards", "toward", "against"])
WAYS = frozenset(["via", "through"])
BY_CONVOY = ("via convoy", "by convoy", "convoy", "by sea", "via sea", "convoyed", "vc", "c")
WHERE = frozenset(
    "north south east west northwards southwards eastwards westwards northward southward eastward westward up down "
    "over overland across back home straight directly quickly on off out inland away along forward forwards".split()
)
"""What may stand between what a unit does and where it goes: ``moves north to``."""


MOST_STEPS = 20  # places that a move names, from the first to the last

# Goals


def goal(p: Parser, moved: Subject, helper: Subject | None = None) -> tuple[tuple[str, ...], str]:
    """``- b``, ``to b``, ``- x - y - b``: the seas passed through, and the destination; or the destination alone, if
    nothing follows."""
    if p.peek() not in MOVES and not p.only_place_comes():
        p.fail("say where it goes")
    while p.peek() in MOVES and not p.name_begins() and not (p.peek(-1) in DASHES and p.short_name_begins()):
        p.at += 1
    if p.peek() == ":" and p.peek(-1) in MOVES - {"-"} and not p.names_unit_after(1):  # Move to: Tyrolia
        p.at += 1
    elif p.peek() == "," and p.peek(-1) in MOVES - DASHES and p.peek(1) in DASHES:  # puts to sea, to the North Sea
        p.at += 2
    opened = p.peek() == "(" and p.peek(1) not in WAYS and p.peek(-1) in MOVES and p.take("(")
    if p.peek(-1) not in DASHES and not opened and not p.name_begins():
        while p.peek() in WHERE and p.peek(1) in TOWARDS | WHERE:
            p.at += 1
        _from_where_it_stands(p, moved)
        _into(p, moved)
        p.take_one(TOWARDS | other_languages.TOWARDS | {"in"} if p.peek(-1) in other_languages.GO else TOWARDS)
        if p.names_unit():  # attacks the German army in Munich
            p.step_over_kind()
    tests = [p.lands(moved), p.reaches(moved)] + ([p.reaches(helper)] if helper else [])
    steps: list[tuple[str, int]] = []
    begin = p.at
    steps.append((p.place(*tests, proper=True), begin))
    if p.tokens[p.at - 1].owns and p.peek() in ("place", "stead"):  # takes Budapest's place
        p.at += 1
    if opened and not p.take(")"):
        p.fail("a closing bracket is missing")
    while p.peek() == "-" and not p.stopped:
        p.at += 1
        begin = p.at
        if len(steps) > MOST_STEPS:
            p.fail(f"a convoy's route names at most {MOST_STEPS} places", begin)
        steps.append((p.place(p.lands(moved)), begin))
    for passed, begin in steps[:-1]:
        _sea_only(p, passed, begin)
    return tuple(place for place, _ in steps[:-1]), steps[-1][0]


def _from_where_it_stands(p: Parser, moved: Subject) -> None:
    """Step over ``from London`` after a unit in London that moves."""
    if p.peek() != "from":
        return
    start = p.at
    p.at += 1
    if province_of(p.place(province_of(moved.at).__eq__)) != province_of(moved.at):
        p.fail("a unit moves from where it stands", start)


def _into(p: Parser, moved: Subject) -> None:
    """Step over ``in`` before another place that the unit can reach: ``goes in Vienna``."""
    if p.peek() != "in" or not p.standing:
        return
    keys = p.longest_name(p.at + 1 + (p.peek(1) == "the"))[0].keys
    p.context_counted = True
    if keys and keys[0] != province_of(moved.at) and p.reaches(moved)(keys[0]):
        p.at += 1


def _sea_only(p: Parser, place: str, begin: int) -> None:
    """A convoy passes over seas; anything else between two dashes is a slip."""
    board = p.reader.board
    province = board.provinces[place.partition("/")[0]]
    if not province.sea:
        p.fail(f"no convoy passes through {province.name}; name one destination", begin)


def by_convoy(p: Parser) -> bool:
    """Step over ``via convoy`` and similar words."""
    if p.bracketed(*BY_CONVOY):
        return True
    if p.peek() in ("via", "by", "using", "with") and p.peek(1) in ("convoy", "sea", "convoys"):
        if p.peek(1) == "convoy" and p.peek(2) in ("of", "from"):  # by convoy of F nth
            return False
        p.at += 2
        return True
    return (
        (p.peek(1) != "by" and p.take("convoyed")) or p.take("vc") or (len(p.tokens) == p.at + 2 and p.take("via", "c"))
    )


def seas_named(p: Parser, moved: Subject, *after: str) -> tuple[str, ...]:
    """``via nth - nwg``, ``(through nth)``: the seas of a unit's convoy, named after it; ``after``: what may follow
    them."""
    board = p.reader.board
    route: list[str] = []
    p.take("(")
    p.take_one(WAYS)
    while True:
        begin = p.at
        p.kind()
        last = province_of(route[-1] if route else moved.at)
        route.append(p.place(lambda at: board.provinces[at].sea, board.adjacent(last).__contains__, p.present()))
        _sea_only(p, route[-1], begin)
        if not (p.peek() in ("-", ",", "and", "&") and _is_sea(p, 1, *after)):
            return tuple(route)
        p.at += 1


AFTER_SEA = ("", "-", ",", "and", ".", ")")


def _is_sea(p: Parser, ahead: int = 1, *after: str) -> bool:
    """Whether a sea comes so far ahead, and no order begins there."""
    meaning, end = p.longest_name(p.at + ahead)
    if not meaning.sure or not p.reader.board.provinces[meaning.keys[0]].sea:
        return False
    ends = end >= len(p.tokens) or p.tokens[end - 1].stop
    return ("" if ends else p.tokens[end].text) in (after or AFTER_SEA)


# Move


def _passes_a_sea(p: Parser, begin: int) -> bool:
    """Whether a sea on the way comes at a token, and then the destination: ``the Black Sea to Bulgaria``."""
    meaning, end = p.longest_name(begin + ([token.text for token in p.tokens[begin : begin + 1]] == ["the"]))
    follows = p.tokens[end].text if end < len(p.tokens) else ""
    return meaning.sure and p.reader.board.provinces[meaning.keys[0]].sea and follows in TOWARDS


def read_move(p: Parser, subject: Subject, word: str) -> Order:
    """Read where a unit goes, behind a word for a move."""
    if p.phase is Phase.ADJUSTMENTS and word in LEAVING and p.units_over() > 0:
        if (word in ("go", "goes") and p.ended) or (p.peek() == "off" and off_board(p)):
            return Remove(subject.kind, subject.at)  # Belgium must go
    if word not in TOWARDS:
        by_way = p.peek() in WAYS | {"over", "across"}
        crosses = word in ("cross", "crosses")
        if p.phase is Phase.MOVEMENT and (by_way or crosses) and _passes_a_sea(p, p.at + by_way):
            p.at += 1 + by_way
            return _read_on_the_way(p, subject, word)
        if word in ("take", "takes") and p.peek() == "over":  # takes over for London
            p.fail("say where it goes")
    if p.peek(-1) != ")":  # (move) Burgundy
        p.at -= 1
    if p.phase is Phase.RETREATS:
        return read_retreat_goal(p, subject)
    if (
        word not in ("-", "to")
        and p.peek(1) in ("by", "via")
        and p.peek(2) in ("convoy", "sea")
        and p.peek(3) in TOWARDS
    ):
        p.at += 3
        route, to = goal(p, subject)
        return Move(subject.kind, subject.at, to, via_convoy=True, route=route)
    if p.peek(1) in ("by", "via") and p.peek(2) == "convoy" and p.peek(3) in ("of", "with", "from"):
        p.at += 3
        return _read_convoyed(p, subject, "by")
    return _moved(p, subject)


def _moved(p: Parser, subject: Subject) -> Order:
    """A move to what comes next, with what may follow it: a convoy, its seas."""
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
            p.fail("the route is given twice")
        p.at += bracket and p.peek(1) not in WAYS  # (NTH) is as good as (via NTH)
        passed = seas_named(p, subject)
        if bracket and not p.take(")"):
            p.fail("a closing bracket is missing")
        p.bracketed("convoy", "convoyed", "by convoy")
        return Move(subject.kind, subject.at, to, route=passed)
    p.bracketed("move", "attack")
    return move


def _read_convoyed(p: Parser, subject: Subject, word: str) -> Order:
    """``is convoyed to b``, ``is carried over to b``."""
    if p.take_one(("by",) if word != "by" else ("of", "with", "from")):  # is carried by F maljur to kinty
        fleet = p.unit(own=True)
        if not p.present("", p.power)(province_of(fleet.at)) or p.peek() not in DASHES:
            p.fail("say which fleet of yours carries it, and where it goes")
        route, to = goal(p, subject)
        if province_of(fleet.at) not in p.ordered:
            p.also.append(Convoy(fleet.kind, fleet.at, subject.kind, subject.at, to))
        return Move(subject.kind, subject.at, to, via_convoy=True, route=route)
    p.take_one(("over", "across"))
    if p.peek() not in DASHES:
        p.fail("say where it goes")
    route, to = goal(p, subject)
    if not route and p.peek() in WAYS:
        route = seas_named(p, subject)
    return Move(subject.kind, subject.at, to, via_convoy=True, route=route)


def _read_attacked(p: Parser, subject: Subject, word: str) -> Order:
    """``Warwickshire is to be entered by Army Worcestershire``: the move of the own unit that is named."""
    start = p.at
    p.take(":")
    if subject.kind or subject.power or p.phase is not Phase.MOVEMENT or not p.take_one(("by", "from")):
        p.fail("say what the unit is to do", start - 1)
    moved = p.unit(own=True)
    mine = p.present("", p.power)
    left = province_of(subject.at) not in p.ordered and mine(province_of(subject.at))
    if not mine(province_of(moved.at)) or not p.reaches(moved)(province_of(subject.at)) or left:
        p.fail("you have no unit that can go there from here; write the unit first, then its destination", start)
    p.context_counted = True
    return Move(moved.kind, moved.at, subject.at)


ATTACKED = frozenset("attacked entered taken occupied invaded seized".split())


def _read_by_sea(p: Parser, subject: Subject, word: str) -> Order:
    """``by convoy to b``."""
    if not p.take_one(("sea", "convoy", "boat", "ship")):
        p.fail("say where it goes")
    return _read_convoyed(p, subject, word)


def _read_on_the_way(p: Parser, subject: Subject, word: str) -> Order:
    """``via nth to b``."""
    p.at -= 1
    route = seas_named(p, subject, *AFTER_SEA, "&", "to")
    _, to = goal(p, subject)
    return Move(subject.kind, subject.at, to, route=route)


def _read_follow(p: Parser, subject: Subject, word: str) -> Order:
    """``follows to b``; of ``follows A a`` it is not clear whether it goes where that unit stands or where it goes."""
    if p.peek() not in ("to", "into", "-"):
        p.fail("say where it goes")
    p.at += 1
    return read_move(p, subject, "to")


def _read_backwards(p: Parser, subject: Subject, word: str) -> Order:
    """``Burgundy <- Paris``: the unit behind the arrow goes to the place before it."""
    if subject.kind or subject.power or p.phase is not Phase.MOVEMENT:
        p.fail("the arrow points backwards; write the unit first, then its destination, as in 'A ... - ...'", p.at - 1)
    start = p.at
    moved = p.subject()
    if not p.present("", p.power)(province_of(moved.at)) or not p.reaches(moved)(province_of(subject.at)):
        p.fail("you have no unit that can go there from here; write the unit first, then its destination", start)
    p.context_counted = True
    return Move(moved.kind, moved.at, subject.at)


def _move_unsaid(p: Parser, subject: Subject) -> Order:
    """``A par bur``."""
    if p.phase is Phase.RETREATS:
        return read_retreat_goal(p, subject)
    if p.phase is not Phase.MOVEMENT:
        p.fail(SAYS_NOTHING)
    return _moved(p, subject)


def read_retreat_goal(p: Parser, subject: Subject) -> Order:
    """Where a dislodged unit goes: to a place, or off the board."""
    while p.peek() in MOVES | RETREAT_WORDS and not p.name_begins():
        p.at += 1
        while p.peek() in WHERE and (p.peek(1) in TOWARDS or p.peek() == "back"):
            p.at += 1
    p.take(":")  # Retreat to: Shrewsbury
    p.skip(other_languages.BACKWARDS)
    p.take_one(TOWARDS | other_languages.TOWARDS | {"in"})
    disbands = p.take("disband") or p.take("disbands")  # A gas R disband
    if disbands or off_board(p) or p.bracketed("otb", "off the board"):
        return Disband(subject.kind, subject.at)
    opened = p.take("(")
    to = p.place(p.lands(subject), p.reaches(subject))
    if opened and not p.take(")"):
        p.fail("a closing bracket is missing")
    p.take_one(other_languages.BACKWARDS)
    _or_disbands(p)
    p.bracketed("retreat", "retreats")
    return Retreat(subject.kind, subject.at, to)


def _or_disbands(p: Parser) -> None:
    """Step over ``or disband if that is not possible``, which the rules say of every retreat."""
    start = p.at
    p.take(",")
    p.take("or")
    p.take_one(("else", "otherwise"))
    said = p.at > start + (p.tokens[start].text == "," if start < len(p.tokens) else 0)
    if not said or not p.take_one(("disband", "disbands", "disbanded", "d", "otb", "dies")):
        p.at = start
        return
    p.take_one(("it", "otherwise"))
    if p.take("if"):
        p.take_one(("it", "that", "this"))
        p.take_one(("is", "fails"))
        p.take("not")
        p.take_one(("possible", "impossible", "allowed", "forbidden"))
    if not p.ended:
        p.at = start


RETREAT_WORDS = (
    frozenset(
        "r ret retr rtr rtt retreat retreats retreating withdraws withdraw rto retires retire flees flee escape "
        "escapes".split()
    )
    | other_languages.RETREAT
)


def off_board(p: Parser) -> bool:
    """Step over ``off the board``."""
    if p.take("otb") or p.take("otm"):
        return True
    if not p.take("off"):
        return False
    p.at += p.peek() == "the" and p.peek(1) in BOARDS
    p.take_one(BOARDS)
    return True


def _imperative_move(p: Parser, word: str) -> list[Order]:
    subject = p.subject()
    _from_where_it_stands(p, subject)
    while p.peek() in WHERE and p.peek(1) in WHERE | {"-", "to", "into"}:  # down to the North Sea
        p.at += 1
    if p.peek() not in ("-", "to", "into"):
        order = _move_unsaid(p, subject)
    else:
        p.at += 1
        order = read_move(p, subject, "to")
    return [order, *p.beside(order)]


def _move_fits(p: Parser) -> bool:
    begin = p.at + 1 + (p.peek(1) == "the")
    end = p.longest_name(begin)[1]
    if end > begin and (p.peek(1) == "the" or end > begin + 1):  # Move the Paris army to Gascony, move North Sea to
        return True
    return (
        (unit_comes(p) and p.peek(1) not in DASHES)
        or (p.peek(1) == "from" and p.reader.places.exact(p.peek(2), p.power) is not None)
        or (p.reader.places.exact(p.peek(1), p.power) is not None and not p.reader.places.exact(p.peek()))
    )


def _moves_fits(p: Parser) -> bool:
    """``England moves London to Wales``: the power's own name stands before it, and behind it a unit and a goal."""
    if p.at == 0 or p.reader.powers.exact(p.peek(-1)) is None or not _move_fits(p):
        return False
    end = p.longest_name(p.at + 1 + (p.peek(1) == "the"))[1]
    return unit_comes(p) or (end < len(p.tokens) and p.tokens[end].text in TOWARDS)


def _from_fits(p: Parser) -> bool:
    """``From Paris to Gascony``."""
    meaning, end = p.longest_name(p.at + 1)
    return bool(meaning.keys) and end < len(p.tokens) and p.tokens[end].text in ("to", "-", "into")


def _leaves_fits(p: Parser) -> bool:
    """``Fall back from Paris to Gascony``."""
    p.at += 1
    fits = p.peek() == "from" and _from_fits(p)
    p.at -= 1
    return fits


def unit_comes(p: Parser) -> bool:
    """Whether a unit follows the word that comes next."""
    p.at += 1
    known = p.names_unit() or (p.peek() in ("unit", "the") and p.peek(1) in p.reader.kinds | {"unit": ""})
    p.at -= 1
    return known


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
        Verb(MOVES - TOGETHER, read_move),
        Verb(TOGETHER, read_move, shared=True),
        Verb(frozenset(["convoyed", "carried", "shipped", "transported"]), _read_convoyed),
        Verb(ATTACKED, _read_attacked),
        Verb(frozenset(["by"]), _read_by_sea),
        Verb(frozenset(["follow", "follows", "following"]), _read_follow),
        Verb(WAYS, _read_on_the_way),
        Verb(frozenset([BACKWARDS]), _read_backwards),
    ),
    openings=(
        Opening(frozenset(["move"]), _imperative_move, _move_fits),
        Opening(frozenset(["moves"]), _imperative_move, _moves_fits),
        Opening(frozenset(["from"]), _imperative_move, _from_fits),
        Opening(frozenset(["go", "goes", "march", "sail"]), _imperative_move, _leaves_fits),
    ),
    unsaid=_move_unsaid,
    shown="-",
    gesture=lambda o: CONVOYED_GESTURE if o.via_convoy or o.route else MOVE_GESTURE,
)


KINDS = (MOVE,)
