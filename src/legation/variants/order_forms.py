"""The forms of orders, for the rulebook: what each is called, how it is written, and an example on the board at hand."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from legation.board import ARMY, FLEET, Board, province_of
from legation.judge import Ruleset
from legation.orders import (
    Build,
    Convert,
    Convoy,
    Disband,
    Ferry,
    Hold,
    Move,
    Order,
    Proxy,
    Remove,
    Retreat,
    Send,
    SupportHold,
    SupportMove,
    VoteDraw,
    Waive,
)


class Form(msgspec.Struct, frozen=True):
    """One form of order. ``kinds`` are the records that it makes, ``ways`` how it may be written on the standard board, the canonical way first."""

    name: str
    meaning: str
    kinds: tuple[type[Order], ...]
    ways: tuple[str, ...]


FORMS: tuple[Form, ...] = (
    Form("Hold", "The unit stays.", (Hold,), ("A par H", "A Paris holds", "army Paris stands")),
    Form(
        "Move",
        "The unit goes to a neighboring province, and attacks what stands there.",
        (Move,),
        ("A par - bur", "A par-bur", "Army Paris to Burgundy"),
    ),
    Form(
        "Support",
        "The unit lends its strength to another that stays, or that moves to a place it could itself go to.",
        (SupportHold, SupportMove),
        ("A mar S A par", "A mar S A par - bur", "Army Marseilles supports Army Paris to Burgundy"),
    ),
    Form(
        "Convoy",
        "A fleet at sea carries an army over.",
        (Convoy,),
        ("F nth C A lon - nwy", "Fleet North Sea convoys Army London to Norway"),
    ),
    Form(
        "Move by convoy",
        "The army goes by sea. It must be said where it could walk, too.",
        (Move,),
        ("A lon - nwy via convoy", "A lon - nth - nwy"),
    ),
    Form(
        "Ferry",
        "A fleet that moves takes an army along.",
        (Ferry, Move),
        ("A lon - fri by ferry F enc - nth", "F enc - nth ferries A lon - fri"),
    ),
    Form(
        "Convert",
        "An army becomes a fleet, or a fleet an army.",
        (Convert,),
        ("A bri converts to F", "Army Bristol converts to a fleet"),
    ),
    Form(
        "Place under another's orders",
        "Another power orders the unit this season.",
        (Proxy,),
        ("A london under Argyll",),
    ),
    Form(
        "Retreat",
        "A dislodged unit goes to a free neighboring province.",
        (Retreat,),
        ("A tri R vie", "A tri - vie", "Army Trieste retreats to Vienna"),
    ),
    Form("Disband", "A dislodged unit leaves the board.", (Disband,), ("A tri disband",)),
    Form(
        "Build",
        "A new unit, where the rules of the variant allow one.",
        (Build,),
        ("build F stp/nc", "Build Fleet St Petersburg (north coast)"),
    ),
    Form("Remove", "A unit leaves the board, for want of supply.", (Remove,), ("remove A par",)),
    Form("Waive", "A build that is not used.", (Waive,), ("waive",)),
    Form("Send supply", "Another power may keep so many more units for a year.", (Send,), ("send 2 to Argyll",)),
    Form("Draw", "The power agrees that the game ends in a draw.", (VoteDraw,), ("draw",)),
)


def forms_of(rules: Ruleset) -> list[Form]:
    """The forms that a variant knows."""
    known = frozenset().union(*rules.order_kinds.values())
    return [form for form in FORMS if known.issuperset(form.kinds)]


def examples(rules: Ruleset) -> dict[str, list[Order]]:
    """Examples of each form that a variant knows, on its own board, by the form's name."""
    return {form.name: _examples(rules, form) for form in forms_of(rules)}


def _examples(rules: Ruleset, form: Form) -> list[Order]:
    board = rules.board
    at, to, helper = _battle(rules)
    other = list(rules.powers)[1 % len(rules.powers)]
    match form.kinds[0].__name__:
        case "Hold":
            return [Hold("A", at)]
        case "Move" if form.name == "Move":
            return [Move("A", at, to)]
        case "SupportHold":
            return [SupportHold("A", helper, "A", to), SupportMove("A", helper, "A", at, to)]
        case "Convoy" | "Move":
            for sea, start, end in _crossings(rules, board):
                convoyed = Move("A", start, end, via_convoy=True)
                return [Convoy("F", sea, "A", start, end)] if form.kinds[0] is Convoy else [convoyed]
        case "Ferry":
            for sea, beyond, start, end in _rides(rules, board):
                ride = Move("A", start, end, ferry=(sea, beyond))
                return [ride, Ferry("F", sea, beyond, "A", start, end)]
        case "Convert":
            return [*[Convert("A", place, "F") for place in _land(rules) if board.stands(FLEET, place)][:1]]
        case "Proxy":
            return [Proxy("A", at, other)]
        case "Retreat":
            return [Retreat("A", at, to)]
        case "Disband":
            return [Disband("A", at)]
        case "Build":
            return [Build("A", at), *[Build("F", p) for p in _land(rules) if board.stands(FLEET, p)][:1]]
        case "Remove":
            return [Remove("A", at)]
        case "Waive":
            return [Waive()]
        case "Send":
            return [Send(2, other)]
        case "VoteDraw":
            return [VoteDraw()]
    return []


def _land(rules: Ruleset) -> list[str]:
    """The provinces on land, home centers first, then where units stand at the start."""
    board = rules.board
    first = [home for power in rules.powers.values() for home in power.homes]
    first += [unit.province for unit in rules.start]
    return [place for place in dict.fromkeys([*first, *board.provinces]) if not board.provinces[place].sea]


def _battle(rules: Ruleset) -> tuple[str, str, str]:
    """An army's place, a neighbor of it, and where a second army can reach that neighbor from."""
    board = rules.board
    for at in _land(rules):
        for to in sorted(board.reach(ARMY, at)):
            for helper in sorted(board.reach(ARMY, to) - {at}):
                return at, to, helper
    at = _land(rules)[0]
    return at, at, at


def _shores(board: Board, sea: str) -> set[str]:
    return {province_of(p) for p in board.reach(FLEET, sea) if not board.provinces[province_of(p)].sea}


def _crossings(rules: Ruleset, board: Board) -> Iterator[tuple[str, str, str]]:
    """A sea, and two of its coasts between which no army can walk."""
    for start in _land(rules):
        for sea in (p.id for p in board.provinces.values() if p.sea):
            shores = _shores(board, sea)
            if start in shores:
                for end in sorted(shores - board.reach(ARMY, start) - {start}):
                    yield sea, start, end


def _rides(rules: Ruleset, board: Board) -> Iterator[tuple[str, str, str, str]]:
    """Two neighboring seas, a coast of the first, and one of the second that an army can reach in no other way."""
    for start in _land(rules):
        for sea in (p.id for p in board.provinces.values() if p.sea):
            shores = _shores(board, sea)
            if start not in shores:
                continue
            for beyond in sorted(p for p in board.reach(FLEET, sea) if board.provinces[province_of(p)].sea):
                for end in sorted(_shores(board, beyond) - shores - board.reach(ARMY, start)):
                    yield sea, beyond, start, end
