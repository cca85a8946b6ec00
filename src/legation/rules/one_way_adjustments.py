"""No sheet with both builds and removals (W-13f)."""

from legation.judge import Cause, DenseForm, Outcome, Refusal, Rewritten, Rule, Ruleset, Situation, Verdict
from legation.orders import Build, Remove, Sheet
from legation.position import Phase, Position

REASON = "a sheet that lists removals builds nothing"


class OneWayAdjustments(Rule):
    """Builds on a sheet that also lists removals are void; the removals are judged as usual."""

    key = "one_way_adjustments"
    # dense sheets never hold both builds and removals
    dense_form = DenseForm()

    def rewrite(self, rules: Ruleset, position: Position, sheets: tuple[Sheet, ...]) -> Rewritten:
        if position.turn.phase is not Phase.ADJUSTMENTS:
            return sheets, ()
        situation = Situation(rules, position)
        removing = {
            sheet.power
            for sheet in sheets
            for order in sheet.orders
            if isinstance(order, Remove) and not isinstance(situation.interpret(sheet.power, order), Refusal)
        }
        left: list[Sheet] = []
        noted: list[Verdict] = []
        for sheet in sheets:
            if sheet.power in removing:
                builds = [o for o in sheet.orders if isinstance(o, Build)]
                noted += [Verdict(sheet.power, o, Outcome.VOID, Cause("fact", reason=REASON)) for o in builds]
                sheet = Sheet(sheet.power, tuple(o for o in sheet.orders if not isinstance(o, Build)))
            left.append(sheet)
        return tuple(left), tuple(noted)

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            "A sheet may not list both builds and removals.",
            "Decided: on such a sheet the removals stand and the builds are void. A removal that turns out not to be "
            "due is not carried out, yet it makes the builds void; one that "
            "names no unit of the power's own is illegal and makes nothing void.",
        )
