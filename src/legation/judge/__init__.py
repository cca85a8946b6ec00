"""The judge: legality, movement, retreats, ownership, adjustments; verdicts with causes.

It knows no variant by name."""

from legation.judge.aftermath import Aftermath
from legation.judge.dense_form import DenseForm
from legation.judge.legality import Situation
from legation.judge.lots import Lot, commitment, draw, turn_seed, verify
from legation.judge.matching import Matching
from legation.judge.options import Option, OptionError
from legation.judge.plain_orders import Judged, Refusal
from legation.judge.possible import legal_orders
from legation.judge.powers import Power
from legation.judge.resolution import Ending, Resolution
from legation.judge.resolving import advance, change_hands, has_business, resolve
from legation.judge.rule import EndingByCenters, Rule, RulesError
from legation.judge.ruleset import Ruleset, changes
from legation.judge.sheets import merge_sheets, refuse_orders
from legation.judge.unit_kinds import UnitKind
from legation.judge.verdicts import ENDED_NOTHING, Cause, Outcome, Rewritten, Verdict, explain_cause, explain_written

__all__ = [
    "ENDED_NOTHING",
    "Aftermath",
    "Cause",
    "DenseForm",
    "Ending",
    "EndingByCenters",
    "Judged",
    "Lot",
    "Matching",
    "Option",
    "OptionError",
    "Outcome",
    "Power",
    "Refusal",
    "Resolution",
    "Rewritten",
    "Rule",
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
    "explain_written",
    "has_business",
    "legal_orders",
    "merge_sheets",
    "refuse_orders",
    "resolve",
    "turn_seed",
    "verify",
]
