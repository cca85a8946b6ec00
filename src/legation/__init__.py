"""Legation: run games of Diplomacy and its variants.

What is here is all that most programs need; the rooms below (``legation.judge``, ``legation.game`` and so on) have the
rest. Each name is imported when it is first used.

>>> import legation
>>> game = legation.Game("standard")
>>> resolution = game.play({"France": "A Par - Bur\\nA Mar S A Par - Bur", "Germany": ["A Mun - Bur"]})
>>> next(v.explanation for v in resolution.verdicts if v.power == "Germany" and v.order.at == "mun")
'A mun - bur bounced: strength 1 against A par - bur, strength 2'
>>> str(game.position.turn)
'Fall 1901 Movement'"""

from __future__ import annotations

from importlib import import_module

from legation.version import VERSION

TYPE_CHECKING = False  # type checkers know better; typing itself would take longer to import than all the rest
if TYPE_CHECKING:
    from legation.atlas.notebook import draw
    from legation.game import Game, adjudicate, check_sheet
    from legation.judge import Rule, Ruleset, legal_orders, resolve
    from legation.position import Position
    from legation.variants import load

__version__ = VERSION
__all__ = [
    "Game",
    "Position",
    "Rule",
    "Ruleset",
    "adjudicate",
    "check_sheet",
    "draw",
    "legal_orders",
    "load",
    "resolve",
]

_ROOMS = {
    "Game": "legation.game",
    "Rule": "legation.judge",
    "Position": "legation.position",
    "Ruleset": "legation.judge",
    "adjudicate": "legation.game",
    "check_sheet": "legation.game",
    "draw": "legation.atlas.notebook",
    "legal_orders": "legation.judge",
    "load": "legation.variants",
    "resolve": "legation.judge",
}


def __getattr__(name: str) -> object:
    """Import a name when it is first asked for, which keeps ``import legation`` light."""
    if name not in _ROOMS:
        raise AttributeError(f"module 'legation' has no attribute {name!r}")
    member = getattr(import_module(_ROOMS[name]), name)
    globals()[name] = member
    return member


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
