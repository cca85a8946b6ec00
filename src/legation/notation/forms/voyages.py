"""What is said of an army aboard a fleet that moves: over which sea it goes, and where the army lands."""

from __future__ import annotations

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.forms.moves import MOVES, TOWARDS, WAYS
from legation.notation.parsing.orders import Parser
from legation.notation.subjects import Subject

LANDS_ELSEWHERE = "say where the army lands, as in 'F ... - ... ferries A ... - ...'"
"""What a ferry lacks whose army's own order, on another line, may say it."""
LANDS = frozenset("lands land landing disembarks disembark disembarking debarks".split())
_LANDING = (
    ("goes", "ashore"),
    ("go", "ashore"),
    ("going", "ashore"),
    ("steps", "ashore"),
    ("gets", "off"),
    ("is", "landed"),
    ("is", "put", "ashore"),
    ("is", "set", "down"),
    ("sets", "it", "down"),
    ("puts", "it", "ashore"),
    ("puts", "it", "down"),
    ("lands", "it"),
    ("landing", "it"),
)
"""Words for a landing besides."""
_BETWEEN = frozenset(", ; ( ) and then which who that it where with both the they".split())
_ABOARD = frozenset("army fleet ship ships men troops".split())
_AT = frozenset(["in", "at", "on"])


def read_voyage(p: Parser, army: Subject, fleet: Subject, sea: str = "") -> tuple[str, str]:
    """Return the sea that a fleet moves to, unless it was said before, and the coast where the army aboard lands, as
    the next clauses name them in either order: ``which moves to nwg, and lands in nwy``."""
    land = ""
    while not (sea and land):
        begin = p.at
        _step_between(p, army, fleet)
        landing = _landing(p)
        moving = False
        while p.peek() in (MOVES | TOWARDS | WAYS | _AT if not landing else TOWARDS | _AT):
            p.at += 1
            moving = True
        if not (landing or moving):
            what = "where the army lands" if sea else "where the fleet goes that it boards, and where the army lands"
            p.fail(f"say {what}", begin)
        place = p.place(p.lands(army)) if landing else p.place(p.reaches(fleet))
        at_sea = p.reader.board.provinces[province_of(place)].sea
        if (at_sea and (sea or landing)) or (land and not at_sea):
            p.fail("say where the army lands" if at_sea else "say where the fleet goes", begin)
        sea, land = (place, land) if at_sea else (sea, place)
    p.take(")")
    return sea, land


def _step_between(p: Parser, army: Subject, fleet: Subject) -> None:
    """Step over what joins two clauses, and over the army or the fleet where it is named again."""
    while p.peek() in _BETWEEN or (p.peek() in _ABOARD and _acts(p, 1)):
        p.at += 1
    start = p.at
    try:
        named = p.unit()
        if _acts(p, 0) and province_of(named.at) in (province_of(army.at), province_of(fleet.at)):
            return
    except OrderTextError:
        pass
    p.at = start


def _acts(p: Parser, ahead: int) -> bool:
    """Whether the words that many tokens ahead say what the army or the fleet does."""
    said = tuple(p.peek(ahead + i) for i in range(3))
    return said[0] in MOVES | LANDS | WAYS or any(said[: len(words)] == words for words in _LANDING)


def _landing(p: Parser) -> bool:
    """Step over words for a landing."""
    return bool(p.take_one(LANDS)) or any(p.take(*words) for words in sorted(_LANDING, key=len, reverse=True))
