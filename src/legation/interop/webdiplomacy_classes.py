"""What the classes of a webDiplomacy or vDiplomacy variant change, and which rules of ours that comes to."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import pairwise

from legation.interop.php import Php
from legation.interop.record import ForeignVariant

SILENT = frozenset(
    [
        "drawMap",
        "OrderInterface",
        "Chatbox",
        "panelGame",
        "panelGameBoard",
        "panelGameHome",
        "panelMember",
        "panelMemberHome",
        "panelMembers",
        "panelMembersHome",
        "OrderArchiv",
        "drawMapXML",
        "userOrder",
    ]
)
"""Classes that draw and show, and decide nothing."""
SCORING = frozenset(["makeBet", "pointsWon", "awardPoints", "setWon", "setDrawn", "setSurvived"])
"""Functions that deal with points: no rules of the game."""
TOLD = {
    "processOrderBuilds": "how builds are processed",
    "userOrderBuilds": "where builds may go",
    "OrderBuilds": "where builds may go",
    "adjudicatorPreGame": "the start of the game",
    "adjudicatorDiplomacy": "how movement is judged",
    "adjudicatorRetreats": "how retreats are judged",
    "adjudicatorBuilds": "how builds are judged",
    "adjMove": "how moves are judged",
    "userOrderDiplomacy": "which orders may be given in movement",
    "userOrderRetreats": "which retreats may be ordered",
    "processOrderDiplomacy": "how orders in movement are processed",
    "processOrderRetreats": "how retreats are processed",
    "processGame": "how turns follow each other",
    "processMembers": "who wins, and with how many centers",
    "processMember": "what a player is",
    "Chatbox": "press",
}


def tell_classes(variant: ForeignVariant, classes: Collection[str], texts: Mapping[str, str]) -> None:
    """Tell what each class changes, by the functions that it has; ``texts`` are those that are at hand."""
    for name in sorted(set(classes) - SILENT):
        functions = _functions(texts.get(name, ""))
        if name == "adjudicatorPreGame" and name in texts and not functions:
            continue  # starting units alone, which are read
        if functions and SCORING.issuperset(functions):
            variant.left(f"class {name}", f"deals with points ({', '.join(functions)}), which are no rule of the game")
            continue
        what = f"changes {TOLD.get(name, 'what the program does')}"
        named = f" in {', '.join(functions[:8])}" if functions else ""
        variant.left(f"class {name}", f"{what}{named}; what it does is not read")
    _builds(variant, texts)
    _convoys(variant, texts)
    _transforms(variant, texts)
    _winning(variant, texts)


def _functions(text: str) -> list[str]:
    """The names of a class's functions, constructors left out."""
    found = [
        after.text
        for token, after in pairwise(Php(text, "class").tokens if text else [])
        if token.text == "function" and not after.text.startswith("__") and after.text.isidentifier()
    ]
    return list(dict.fromkeys(found))


def _builds(variant: ForeignVariant, texts: Mapping[str, str]) -> None:
    builds = texts.get("userOrderBuilds", "") + texts.get("OrderBuilds", "")
    code = "".join(t.text + " " for t in Php(builds, "builds").tokens) if builds else ""
    if "countryID" in code and "supply" in code and "t . countryID" not in code and "t.countryID" not in code:
        variant.rules["build_anywhere"] = {}
        variant.guess(
            "class userOrderBuilds", "asks who owns the center, not whose home it is: the rule build_anywhere"
        )


def _convoys(variant: ForeignVariant, texts: Mapping[str, str]) -> None:
    moves = texts.get("userOrderDiplomacy", "") + texts.get("adjudicatorDiplomacy", "")
    if re.search(r"(?i)coastconvoy|convoy.{0,40}coast", moves):
        variant.left("convoys from coasts", "which coasts is not read; the rule convoying_coasts can say it")


def _transforms(variant: ForeignVariant, texts: Mapping[str, str]) -> None:
    """Units that change their kind: the programs that know the word play it in one way."""
    orders = texts.get("userOrderDiplomacy", "") + texts.get("processOrderDiplomacy", "")
    if any("transform" in token.text.lower() for token in (Php(orders, "orders").tokens if orders else ())):
        variant.rules["conversion"] = {"turns": 1, "where": "centers"}
        variant.guess("orders to transform", "a unit in a coastal center changes its kind: the rule conversion")


def _winning(variant: ForeignVariant, texts: Mapping[str, str]) -> None:
    """A number of centers that a power has at the start wins nothing where the variant's program decides who wins."""
    most = max((len(nation.homes if nation.owned is None else nation.owned) for nation in variant.nations), default=0)
    if "checkForWinner" in _functions(texts.get("processMembers", "")) and (variant.to_win or most + 1) <= most:
        variant.guess(
            "centers to win",
            f"{variant.to_win} are what a power has at the start, and the variant's program decides who wins; half of "
            "all and one more",
        )
        variant.to_win = None
