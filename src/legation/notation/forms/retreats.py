"""Retreats and disbandments in writing."""

from __future__ import annotations

import msgspec

from legation.notation import other_languages
from legation.notation.forms.lists import ARMIES, UNITS, several
from legation.notation.forms.moves import RETREAT_WORDS, off_board, read_retreat_goal
from legation.notation.gestures import Gesture
from legation.notation.order_kinds import Opening, OrderKind, Verb, write_unit
from legation.notation.parsing.orders import Parser
from legation.notation.small_words import BOTH
from legation.notation.subjects import Subject
from legation.orders import Disband, Order, Remove, Retreat
from legation.position import Phase

LEAVES = (
    frozenset(
        "d dis disband disb dsb dbd dsbd remd rmvd "
        "rem disbands disbanded disbanding remove removes removed destroy destroyed dissolves "
        "dissolved otb otm off dies discharged dismissed dissolve perish perishes annihilated scuttle scuttles "
        "scuttled scrapped sunk deleted".split()
    )
    | other_languages.DISBAND
)
REMOVES = (
    frozenset(
        "remove removes removing remvoe remov rmv removal removals disband disbands disb dsb rem destroy destroys "
        "delete discharge discharges dismiss dismisses dissolve kill lose loses scrap scuttle sink drop drops "
        "minus r d".split()
    )
    | other_languages.REMOVE
)


RETREAT_FIRST = frozenset(["retreat", "retreats", "ret", "rtr", "withdraw"]) | other_languages.RETREAT


def _read_retreat(p: Parser, subject: Subject, word: str) -> Order:
    if word == "r" and p.phase is Phase.ADJUSTMENTS and p.ended:  # F eng R
        return Remove(subject.kind, subject.at)
    return read_retreat_goal(p, subject)


def _retreat_first(p: Parser, word: str) -> list[Order]:
    subject = p.subject()
    goes = p.peek() in ("-", "to", "into", "otb", "off") or p.ended or p.only_place_comes()
    if not goes:
        p.fail("say where it goes")
    return [read_retreat_goal(p, subject)]


def _retreat_fits(p: Parser) -> bool:
    start = p.at
    p.at += 1 + (p.peek(1) == ":" and p.phase is Phase.RETREATS)  # Retreat: A ser - rum, Retreat: A tri - alb
    p.at += p.peek() == "the"
    known = p.names_unit() or p.peek() == "from" or p.longest_name(p.at)[1] > p.at
    p.at = start
    return known


def leave(p: Parser, subject: Subject) -> Order:
    """A removal in adjustments, a disbandment otherwise."""
    kind = Remove if p.phase is Phase.ADJUSTMENTS else Disband
    return kind(subject.kind, subject.at)


def _read_leave(p: Parser, subject: Subject, word: str) -> Order:
    if word == "off":
        p.at -= 1
        off_board(p)
    elif p.take("from"):
        p.take("the")
        if not p.take_one(("board", "map", "game", "play")):
            p.at -= 1 + (p.peek(-1) == "the")
    return leave(p, subject)


def _leave_first(p: Parser, word: str) -> list[Order]:
    if word == "r" and p.phase is Phase.RETREATS:
        return _retreat_first(p, word)
    p.leaving = True
    kind = Disband if p.phase is Phase.RETREATS else Remove
    if p.peek() == "both" and p.peek(1) in ("", "units", "of", ","):
        p.at += 1
        p.skip(("of", "them", "my", "units"))
        leaving = p.all_units(rest=False)
        if len(leaving) != 2:
            p.fail(f"this says 2, but there are {len(leaving)}; name the units", p.at - 1)
        return [kind(subject.kind, subject.at) for subject in leaving]
    if p.take_one(("all", "everything", "everyone")):
        p.skip(("my", "dislodged", "units", "unit"))
        return [kind(subject.kind, subject.at) for subject in p.all_units(rest=False)]
    start = p.at
    number = p.counted()
    p.skip(BOTH)
    p.take("dislodged")
    if p.peek() in ARMIES | UNITS and p.peek(1) == ",":  # both armies, Dauphine and Toulouse
        p.tokens[p.at + 1] = msgspec.structs.replace(p.tokens[p.at + 1], text=":")
    leaving = several(p)
    p.expect_all(number, len(leaving), start)
    return [kind(subject.kind, subject.at) for subject in leaving]


def _rid_of(p: Parser, word: str) -> list[Order]:
    p.at += 2
    return _leave_first(p, word)


def _taken_off(p: Parser, word: str) -> list[Order]:
    """``Take off A stp``, ``take A stp off the board``."""
    if p.take("off"):
        return _leave_first(p, word)
    units = [p.subject()]
    while p.peek() in (",", "and", "&") and not p.stopped:
        p.at += 1
        p.take("and")
        units.append(p.subject())
    if p.peek() in p.reader.kinds and len(units) == 1 and not units[0].kind:  # the mid atlantic fleet
        p.at += 1
    if not p.take("off"):
        p.fail("say what is to become of it")
    p.at -= 1
    off_board(p)
    return [leave(p, unit) for unit in units]


def _off_board_first(p: Parser, word: str) -> list[Order]:
    p.at -= 1
    off_board(p)
    p.take_one(("with", ":"))
    return _leave_first(p, "remove")


def _off_board_fits(p: Parser) -> bool:
    """Whether units are named behind the words for leaving the board: ``Off the board with A stp``."""
    start = p.at
    off_board(p)
    joined = p.take_one(("with", ":"))
    p.skip(("the", "my"))
    comes = bool(joined) and (p.names_unit() or p.longest_name(p.at)[1] > p.at)
    p.at = start
    return comes and p.phase is not Phase.MOVEMENT


def _taken_off_comes(p: Parser) -> bool:
    """Whether what follows takes units off the board: ``take F mao off the board``."""
    return p.phase is not Phase.MOVEMENT and "off" in [p.peek(i) for i in range(1, 10)]


def _leave_fits(p: Parser) -> bool:
    if len(p.peek()) > 1:
        return p.peek(1) not in ("", "-") or (p.peek(1) == "-" and p.names_unit_after(2))  # Removal - Army Kiel
    ahead = 2 if p.peek(1) == ":" and p.phase is Phase.ADJUSTMENTS else 1
    return p.names_unit_after(ahead)


RETREAT = OrderKind(
    Retreat,
    "a retreat",
    lambda o: f"{write_unit(o.kind, o.at)} R {o.to}",
    lambda o, w: f"{w.unit(o.kind, o.at)} retreats to {w.place(o.to)}",
    verbs=(Verb(RETREAT_WORDS, _read_retreat),),
    openings=(Opening(RETREAT_FIRST, _retreat_first, _retreat_fits),),
    shown="R",
    shown_in=Phase.RETREATS,
    gesture=Gesture(name="retreat", taps="place", label="To {to}", asks="{unit} R {to}", stroke="broken arrow"),
)
DISBAND = OrderKind(
    Disband,
    "a disbandment",
    lambda o: f"{write_unit(o.kind, o.at)} disband",
    lambda o, w: f"{w.unit(o.kind, o.at)} disbands",
    verbs=(Verb(LEAVES, _read_leave, shared=True),),
    shown="D",
    shown_in=Phase.RETREATS,
    gesture=Gesture(name="disband", taps="again", label="Disband", key="h", stroke="cross"),
)
REMOVE = OrderKind(
    Remove,
    "a removal",
    lambda o: f"remove {write_unit(o.kind, o.at)}",
    lambda o, w: f"Remove {w.unit(o.kind, o.at)}",
    openings=(
        Opening(REMOVES, _leave_first, _leave_fits),
        Opening(frozenset(["get"]), _rid_of, lambda p: p.peek(1) == "rid" and p.peek(2) == "of"),
        Opening(frozenset(["take", "takes"]), _taken_off, _taken_off_comes),
        Opening(frozenset(["off", "otb", "otm"]), _off_board_first, _off_board_fits),
    ),
    shown="'remove'",
    shown_in=Phase.ADJUSTMENTS,
    gesture=Gesture(
        name="remove", taps="again", label="Remove", asks="remove {unit}", counts="removal", stroke="cross"
    ),
)
KINDS = (RETREAT, DISBAND, REMOVE)
