"""Results in the layout of the e-mail Judge, which its players read at a glance and their tools read by machine."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from legation.judge import Outcome, Ruleset
from legation.notation import OrderTextError
from legation.orders import Build, Disband, Order, Remove, Retreat, VoteDraw, Waive
from legation.position import Phase, Turn

WIDTH = 78
HEADS = {Phase.RETREATS: "Retreat", Phase.ADJUSTMENTS: "Adjustment"}
MARKS = {
    Outcome.BOUNCED: "bounce",
    Outcome.CUT: "cut",
    Outcome.DISRUPTED: "disrupted",
    Outcome.NO_CONVOY: "no convoy",
    **dict.fromkeys((Outcome.VOID, Outcome.ILLEGAL, Outcome.IGNORED), "void"),
}
"""The Judge's words for what kept an order from being carried out."""


def results(rules: Ruleset, game: str, number: int, result: Mapping[str, Any]) -> str:
    """The results of a turn; ``result`` is an answer document with the ``verdicts``, ``dislodged`` and ``after``."""
    turn = Turn.parse(str(result["turn"]))
    when = f"{turn.season} of {turn.year}" if turn.season else str(turn.year)
    head = HEADS.get(turn.phase, turn.phase.value)
    gap = " " if turn.phase is Phase.MOVEMENT else "  "
    parts = [f"{head} results for {when}.{gap}({game}.{number:03d})", ""]
    for power in rules.powers:
        lines = [line for v in result["verdicts"] if v["power"] == power for line in _order(rules, turn, power, v)]
        parts += lines
    dislodged = list(_dislodged(rules, result.get("dislodged", {})))
    if dislodged:
        parts += ["", "The following units were dislodged:", "", *dislodged]
    parts += ["", *_owners(rules, result["after"])]
    return "\n".join(parts)


def _unit(rules: Ruleset, kind: str, at: str) -> str:
    """``Army Paris``; the place alone where the order has no kind of unit."""
    place = rules.board.name_of(at)
    return f"{rules.kinds[kind].name.title()} {place}" if kind else place


def _order(rules: Ruleset, turn: Turn, power: str, verdict: Mapping[str, Any]) -> Iterator[str]:
    try:
        text = words(rules, rules.reader.order(verdict["order"], turn.phase, power))
    except OrderTextError:  # a kind of order that only the short style has words for
        text = str(verdict["order"])
    line = f"{power}: {text}.{marked(Outcome(verdict['outcome']), bool(verdict.get('dislodged_from')))}"
    yield from textwrap.wrap(line, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def marked(outcome: Outcome, dislodged: bool) -> str:
    """Return what stands behind an order of which something came that it was not meant to."""
    said = [*([MARKS[outcome]] if outcome in MARKS else ()), *(["dislodged"] if dislodged else ())]
    return f" (*{', '.join(said)}*)" if said else ""


def words(rules: Ruleset, order: Order) -> str:
    """Return an order in the Judge's words, without the full stop."""
    match order:
        case Retreat(kind, at, to):
            return f"{_unit(rules, kind, at)} -> {rules.board.name_of(to)}"
        case Disband(kind, at):
            return f"{_unit(rules, kind, at)} DISBAND"
        case Build(kind, at):
            return f"Builds {rules.kinds[kind].one if kind else 'a unit'} in {rules.board.name_of(at)}"
        case Remove(kind, at):
            return f"Removes the {rules.kinds[kind].name if kind else 'unit'} in {rules.board.name_of(at)}"
        case Waive():
            return "Build waived"
        case VoteDraw():
            return "Votes for a draw"
    return rules.writer.judge(order).rstrip(".")


def _dislodged(rules: Ruleset, dislodged: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    for power, units in dislodged.items():
        adjective = rules.powers[power].adjective or power
        for entry in units:
            kind, at = rules.reader.unit(str(entry["unit"]), power)
            unit = f"The {adjective} {rules.kinds[kind].name.title()} in {rules.board.name_of(at)}"
            open_to = [rules.board.name_of(to) for to in entry.get("retreats", [])]
            if open_to:
                line = f"{unit} can retreat to {' or '.join(open_to)}."
            else:
                line = f"{unit} with no valid retreats was destroyed."
            yield from textwrap.wrap(line, WIDTH)


def _owners(rules: Ruleset, after: Mapping[str, Any]) -> Iterator[str]:
    """Who owns which centers, names from the twelfth column on, or further right where a power's name is long."""
    yield "Ownership of supply centers:"
    yield ""
    owned = {power: list(after.get("centers", {}).get(power, ())) for power in rules.powers}
    held = {center for centers in owned.values() for center in centers}
    owned["Unowned"] = [center for center in rules.board.centers if center not in held]
    across = max(11, *(len(power) + 2 for power in owned))
    for power, centers in owned.items():
        names = ", ".join(rules.board.name_of(center) for center in centers) or "none"
        yield from textwrap.wrap(
            f"{names}.",
            WIDTH,
            initial_indent=f"{power + ':':<{across}}",
            subsequent_indent=" " * across,
            break_on_hyphens=False,
        )
