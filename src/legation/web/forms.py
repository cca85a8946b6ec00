"""The forms of orders, for the rulebook: what each is called, and how it is written in three styles."""

from __future__ import annotations

import msgspec

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
    """One form of order. ``kinds`` are the records that it makes, ``ways`` how it may be written, the canonical way first."""

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
        "The army goes by sea though it could walk.",
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
