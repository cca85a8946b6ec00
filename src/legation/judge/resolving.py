"""One turn from sheets to the next position: :func:`resolve` is the judge's whole work in one call."""

from collections.abc import Iterable

import msgspec

from legation.board import province_of
from legation.frozen import Frozen
from legation.judge.adjustments import resolve_adjustments
from legation.judge.aftermath import Aftermath
from legation.judge.legality import Situation
from legation.judge.movement import NO_ORDER, Movement
from legation.judge.plain_orders import Refusal
from legation.judge.resolution import Ending, Resolution
from legation.judge.retreats import resolve_retreats
from legation.judge.ruleset import Ruleset
from legation.judge.sheets import illegal, merge_sheets, without_illegal
from legation.judge.verdicts import Cause, Outcome, Verdict, Verdicts
from legation.orders import Sheet, VoteDraw
from legation.position import Phase, Position


def resolve(rules: Ruleset, position: Position, sheets: Iterable[Sheet] = (), seed: str = "") -> Resolution:
    """Judge one turn: pure and deterministic. ``seed`` feeds lots, where the rules draw any.

    >>> from legation import load, resolve
    >>> from legation.orders import Move, Sheet
    >>> rules = load("standard")
    >>> resolution = resolve(rules, rules.opening(), [Sheet("France", (Move("A", "par", "bur"),))])
    >>> resolution.verdicts[0].outcome.value, str(resolution.after.turn)
    ('succeeds', 'Fall 1901 Movement')"""
    given = merge_sheets(sheets)
    early: tuple[Verdict, ...] = ()
    for module in rules.steps["rewrite"]:
        given, noted = module.rewrite(rules, position, given)
        early += noted
    moving = position.turn.phase is Phase.MOVEMENT
    result, votes = RESOLVED.get(position.turn.phase, _resolve_declarations)(rules, position, given, seed)
    if not moving:
        result.sheets = without_illegal(given, result.verdicts)
    if early:
        result.verdicts = _told_once(result.verdicts, early) if moving else [*result.verdicts, *early]
    for module in rules.steps["after"]:
        stood = list(result.units)
        module.after(rules, result)
        if result.units != stood:
            rules.check_units(result.units, module)
    dislodged = tuple(result.dislodged)
    result.dislodged = [d for d in dislodged if result.retreats.get(province_of(d.unit.at))]
    if not result.dislodged:
        result.contested = frozenset()
    played = result.position
    after, settled = advance(rules, played)
    after = rules.in_order(after)
    refusal = rules.refuses_draw(after) if votes else None
    ending = _ending(rules, position, after, frozenset() if refusal else votes, settled)
    if votes:
        result.verdicts = _votes_told(rules, result.verdicts, votes, after, ending, refusal)
    retreats = Frozen(result.retreats)
    verdicts = Verdicts(lambda: result.verdicts)
    return Resolution(position, verdicts, after, dislodged, retreats, ending, tuple(result.lots), result.limits)


def _resolve_movement(
    rules: Ruleset, position: Position, sheets: tuple[Sheet, ...], seed: str
) -> tuple[Aftermath, frozenset[str]]:
    """The aftermath of a movement phase, and who voted for a draw."""
    movement = Movement(rules, position, sheets)
    result = movement.aftermath(sheets, seed)
    if not movement.all_legal:
        result.sheets = without_illegal(sheets, result.verdicts)
    return result, movement.votes


def _resolve_declarations(
    rules: Ruleset, position: Position, sheets: tuple[Sheet, ...], seed: str
) -> tuple[Aftermath, frozenset[str]]:
    """The aftermath of a phase of a rule's own, and who voted for a draw: every legal order succeeds and moves no unit;
    the rules' steps carry it out."""
    result = Aftermath(position, sheets, seed, units=list(position.units), slices=dict(position.slices))
    situation = Situation(rules, position)
    votes: set[str] = set()
    for sheet in sheets:
        for order in sheet.orders:
            effect = situation.interpret(sheet.power, order)
            if isinstance(effect, Refusal):
                result.verdicts.append(illegal(sheet.power, order, effect.reason))
                continue
            if isinstance(effect, VoteDraw):
                votes.add(sheet.power)
            result.verdicts.append(Verdict(sheet.power, effect, Outcome.SUCCEEDS))
    return result, frozenset(votes)


def _told_once(verdicts: list[Verdict], early: tuple[Verdict, ...]) -> list[Verdict]:
    """The verdicts with those on orders that rules took off the sheets: of a unit that is left without an order by it,
    that verdict is told in the place of its hold."""
    waiting: dict[tuple[str, str], Verdict] = {}
    for verdict in early:
        if place := province_of(getattr(verdict.order, "at", "")):
            waiting.setdefault((verdict.power, place), verdict)
    told: list[Verdict] = []
    used: set[int] = set()
    for verdict in verdicts:
        instead = waiting.get((verdict.power, province_of(getattr(verdict.order, "at", ""))))
        if instead is not None and verdict.cause == NO_ORDER:
            used.add(id(instead))
            told.append(msgspec.structs.replace(instead, dislodged_from=verdict.dislodged_from))
        else:
            told.append(verdict)
    return told + [verdict for verdict in early if id(verdict) not in used]


def _ending(rules: Ruleset, before: Position, after: Position, votes: frozenset[str], settled: bool) -> Ending | None:
    """How the game ended, by the first rule that says so.

    Adjustments show what centers changing hands has led to, and so may have ended the game before they begin."""
    nobody: frozenset[str] = frozenset()
    shown = [(before, nobody, True)] if before.turn.phase is Phase.ADJUSTMENTS else []
    for position, voted, counted in (*shown, (after, votes, settled)):
        for module in rules.steps["ending"]:
            if ending := module.ending(rules, before, position, voted, counted):
                return ending
    return None


def _votes_told(
    rules: Ruleset,
    verdicts: list[Verdict],
    votes: frozenset[str],
    after: Position,
    ending: Ending | None,
    refusal: str | None,
) -> list[Verdict]:
    """The verdicts with what became of the votes for a draw. One that ended nothing was refused by a rule, or somebody
    did not vote, no rule lets the powers agree on a draw, or the game had ended otherwise."""
    if not refusal and ending is not None and ending.kind == "draw":
        return verdicts
    agreed = votes.issuperset(power for power in after.survivors() if power in rules.played)
    reason = "this game's rules allow no draw by vote" if agreed else "not every surviving power voted for a draw"
    if ending is not None:
        reason = (
            f"{' and '.join(ending.powers)} had already won" if ending.kind == "solo" else "the game had already ended"
        )
    told = list(verdicts)
    for number, verdict in enumerate(verdicts):
        if not isinstance(verdict.order, VoteDraw):
            continue
        if refusal:
            told[number] = Verdict(verdict.power, verdict.order, Outcome.VOID, Cause("refused", reason=refusal))
        elif verdict.outcome is Outcome.SUCCEEDS:
            told[number] = msgspec.structs.replace(verdict, cause=Cause("fact", reason=reason))
    return told


RESOLVED = {
    Phase.MOVEMENT: _resolve_movement,
    Phase.RETREATS: resolve_retreats,
    Phase.ADJUSTMENTS: resolve_adjustments,
    Phase.PLACEMENT: resolve_adjustments,
}
"""What judges each phase; those of rules' own are declarations."""


def advance(rules: Ruleset, position: Position) -> tuple[Position, bool]:
    """Return the position in the next turn in which anyone has anything to order, and whether centers changed hands on
    the way.

    Centers change hands when the calendar comes to adjustments (STD-5). Retreats without dislodged units, adjustments
    without builds, removals or other business, and phases of rules' own in which there is nothing to order are
    skipped."""
    settled = False
    turn = position.turn
    for _ in range(64):  # a calendar comes round in far fewer steps
        turn = rules.next_turn(turn)
        if turn.phase is Phase.RETREATS and not position.dislodged and not rules.steps["keeps_turn"]:
            continue
        position = msgspec.structs.replace(position, turn=turn)
        if turn.phase is Phase.RETREATS:
            if position.dislodged or rules.keeps_turn(position):
                return position, settled
        elif turn.phase is Phase.ADJUSTMENTS:
            position = change_hands(rules, position)
            settled = True
        elif turn.phase in (Phase.MOVEMENT, Phase.PLACEMENT):
            return position, settled
        if rules.keeps_turn(position):
            return position, settled
        if turn.phase is not Phase.RETREATS and any(has_business(rules, position, power) for power in rules.powers):
            return position, settled
    raise RuntimeError("the calendar never comes to a movement turn")


def change_hands(rules: Ruleset, position: Position) -> Position:
    """Return the position with each center owned by the power whose unit is on it; others keep their owner (STD-5)."""
    owners = dict(position.owners)
    centers, province = rules.tables.centers, rules.tables.province
    asked = rules.steps["refuses_center"]
    for unit in position.units:
        place = province[unit.at]
        if place in centers and not (asked and rules.refuses_center(position, unit, place)):
            owners[place] = unit.power
    position = msgspec.structs.replace(position, owners=owners)
    for module in rules.steps["settle"]:
        stood = position.units
        position = module.settle(rules, position)
        if position.units is not stood:
            rules.check_units(position.units, module)
    return position


def has_business(rules: Ruleset, position: Position, power: str) -> bool:
    """Return whether a power can build, must remove, or can give other orders, in adjustments, placement or a phase
    that a rule adds."""
    if any(module.legal_orders(rules, position, power) for module in rules.steps["legal_orders"]):
        return True
    if position.turn.phase not in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
        return False
    if rules.frees_units(position, power) and position.units_of(power):
        return True
    room = rules.limit(position, power) - rules.size(position, power)
    return room < 0 or (room > 0 and bool(rules.build_sites(position, power)))
