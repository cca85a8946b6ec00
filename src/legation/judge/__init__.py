"""The judge: legality, movement, retreats, ownership, adjustments; verdicts with causes.

It knows no variant by name.
"""

from legation.judge.aftermath import Aftermath
from legation.judge.digest import changes
from legation.judge.legality import Judged, Refusal, Situation
from legation.judge.lots import Lot, commitment, draw, turn_seed, verify
from legation.judge.options import Option, OptionError
from legation.judge.possible import legal_orders
from legation.judge.resolution import Resolution, advance, change_hands, has_business, resolve
from legation.judge.ruleset import Ending, Module, Power, RulesError, Ruleset, UnitKind
from legation.judge.sheets import merge_sheets
from legation.judge.verdicts import Cause, Outcome, Verdict, explain_cause

__all__ = [
    "Aftermath",
    "Cause",
    "Ending",
    "Judged",
    "Lot",
    "Module",
    "Option",
    "OptionError",
    "Outcome",
    "Power",
    "Refusal",
    "Resolution",
    "RulesError",
    "Ruleset",
    "Situation",
    "UnitKind",
    "Verdict",
    "advance",
    "change_hands",
    "changes",
    "commitment",
    "draw",
    "explain_cause",
    "has_business",
    "legal_orders",
    "merge_sheets",
    "resolve",
    "turn_seed",
    "verify",
]
