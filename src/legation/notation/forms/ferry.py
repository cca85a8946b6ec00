"""The fast ferry in writing (K-9b)."""

from __future__ import annotations

from legation.notation.forms.form import OrderForm, Verb, unit
from legation.notation.forms.movement import goal
from legation.notation.parsing import Parser, Subject
from legation.orders import Ferry, Move, Order

FERRIES = frozenset(["ferries", "ferry", "ferrying"])


def _ride(p: Parser) -> tuple[str, str]:
    """The fleet and where it moves: ``F nth - nwg``."""
    fleet = p.unit()
    return fleet.at, _one_step(p, fleet)


def _one_step(p: Parser, unit: Subject) -> str:
    """Where a unit goes, without anything between."""
    begin = p.at
    route, to = goal(p, unit)
    if route:
        p.fail("name one destination", begin)
    return to


def _after_move(p: Parser, move: Move) -> Order | None:
    if p.stopped:
        return None
    if p.peek() in ("by", "via"):
        ahead = 1
        while p.peek(ahead) in ("the", "fast", "a"):
            ahead += 1
        if p.peek(ahead) not in FERRIES:
            return None
        p.at += ahead + 1
        p.take_one(("of", "on"))
        return Move(move.kind, move.at, move.to, route=move.route, ferry=_ride(p))
    if p.peek() in FERRIES or (p.peek() in ("and", ",") and p.peek(1) in FERRIES):
        p.at += 1 if p.peek() in FERRIES else 2
        if move.kind == "A":  # what an army can do with a ferry is to ride on it
            return Move(move.kind, move.at, move.to, route=move.route, ferry=_ride(p))
        army = p.unit()
        if move.route:
            p.fail("a ferry moves to one sea")
        return Ferry(move.kind, move.at, move.to, army.kind, army.at, _one_step(p, army))
    return None


def _ferried(p: Parser, subject: Subject, word: str) -> Order:
    """``A lon ferried by F nth - nwg to nwy``."""
    if not p.take("by"):
        p.fail("say by which fleet")
    fleet = p.unit()
    p.at += 1
    sea = p.place(p.reaches(fleet))
    if p.peek() not in ("-", "to"):
        p.fail("say where the army lands")
    p.at += 1
    to = p.place(p.lands(subject))
    return Move(subject.kind, subject.at, to, ferry=(fleet.at, sea))


FERRY = OrderForm(
    Ferry,
    "the fast ferry",
    lambda o: f"{unit(o.kind, o.at)} - {o.to} ferries {unit(o.target_kind, o.target)} - {o.target_to}",
    lambda o, w: (
        f"{w.unit(o.kind, o.at)} moves to {w.place(o.to)} and ferries {w.unit(o.target_kind, o.target)} to {w.place(o.target_to)}"
    ),
    verbs=(Verb(frozenset(["ferried"]), _ferried),),
    after_move=_after_move,
)
FORMS = (FERRY,)
