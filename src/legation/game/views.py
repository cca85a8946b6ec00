"""What each power may know of a game: every document, report, map, list and explanation for a power is made from its
view.

A view is made of the same records as the game itself (:class:`~legation.position.Position`,
:class:`~legation.judge.Resolution`), with what is hidden left out. Where no rule hides anything it is the game itself,
except for what is always a power's own: its sheets and what of them was not understood."""

from typing import Any

import msgspec

from legation.board import province_of
from legation.game.documents import answer_document
from legation.game.log import Game, PlayedTurn
from legation.game.reading_documents import Task
from legation.judge import Cause, Ending, Outcome, Resolution, Ruleset, Verdict
from legation.notation import write
from legation.orders import Build, Disband, Move, Order, Remove, Retreat, province_at
from legation.position import Position, Unit

UNSEEN = Cause("fact", reason="what decided it is out of sight")
# Causes that tell of nothing but the order itself and the board.
PLAIN = frozenset(
    ["unopposed", "no order", "no retreat", "no route", "refused", "civil disorder", "by lot", "fact", "paradox"]
)
# Causes that tell how strong somebody was, and so what stood behind him.
MEASURED = frozenset(["stronger", "prevented", "held", "head to head", "own support", "weakened"])


class View(msgspec.Struct, frozen=True):
    """A game as one power sees it: the present position, the turns that were played, and how it ended."""

    power: str
    position: Position
    turns: tuple[PlayedTurn, ...]
    ending: Ending | None


def view_for(game: Game, power: str) -> View:
    """A game as ``power`` sees it. Of every turn it has its own sheet, and what it saw of the others."""
    rules = game.rules
    turns = tuple(seen_turn(rules, turn, power) for turn in game.turns)
    return View(power, rules.seen(game.position, power), turns, game.ending)


def seen_turn(rules: Ruleset, turn: PlayedTurn, power: str) -> PlayedTurn:
    """A turn that was played, as a power saw it. Its seed is shown where lots are."""
    resolution = seen_resolution(rules, turn.resolution, power)
    return PlayedTurn(
        tuple(sheet for sheet in turn.sheets if sheet.power == power),
        resolution,
        tuple(line for line in turn.unread if line.power == power),
        turn.seed if resolution.lots else "",
        {name: text for name, text in turn.sent.items() if name == power},
    )


def answer_for(task: Task, resolution: Resolution, power: str) -> dict[str, Any]:
    """The answer to a position document as one power may read it."""
    lost = tuple(line for line in task.unread if line.power == power)
    return answer_document(msgspec.structs.replace(task, unread=lost), seen_resolution(task.rules, resolution, power))


def seen_resolution(rules: Ruleset, resolution: Resolution, power: str) -> Resolution:
    """What a power learns of a turn: what became of its own orders, and who of the others moved into what it saw."""
    sees = rules.visible_provinces(resolution.before, power)
    if sees is None:
        return resolution
    if len(sees) == len(rules.board.provinces):
        return _all_but_hidden(rules, resolution, power, sees)
    before = resolution.before
    learned = [
        v
        for v in resolution.verdicts
        if v.power == power or (_noticed(v, sees) and rules.sees_unit(before, power, _unit_of(v), sees))
    ]
    known = [v.order for v in learned]
    standing = (*before.units, *(d.unit for d in before.dislodged))
    units = {u.province for u in standing if rules.sees_unit(before, power, u, sees)}
    own = {d.unit.province for d in resolution.dislodged if d.unit.power == power}
    return Resolution(
        rules.seen(resolution.before, power),
        tuple(_learned_verdict(v, power, known, sees, units) for v in learned),
        rules.seen(resolution.after, power),
        tuple(d for d in resolution.dislodged if rules.sees_unit(before, power, d.unit, sees)),
        {place: open_to for place, open_to in resolution.retreats.items() if place in own},
        resolution.ending,
        tuple(lot for lot in resolution.lots if lot.label.endswith(f" {power}")),
    )


def _all_but_hidden(rules: Ruleset, resolution: Resolution, power: str, sees: frozenset[str]) -> Resolution:
    """What a power learns of a turn that sees every province: everything but units that a rule hides."""
    after = resolution.after
    told = []
    for verdict in resolution.verdicts:
        unit = _unit_of(verdict)
        if not unit.at or rules.sees_unit(after, power, unit, sees):
            told.append(verdict)
    return msgspec.structs.replace(
        resolution,
        before=rules.seen(resolution.before, power),
        verdicts=tuple(told),
        after=rules.seen(after, power),
        lots=tuple(lot for lot in resolution.lots if lot.label.endswith(f" {power}")),
    )


def _unit_of(verdict: Verdict) -> Unit:
    """Return the ordered unit, at the place it is ordered to, or where it stands if it does not move."""
    order = verdict.order
    at = str(getattr(order, "to", "") or getattr(order, "at", ""))
    return Unit(str(getattr(order, "kind", "")), at, verdict.power)


def _noticed(verdict: Verdict, sees: frozenset[str]) -> bool:
    """Whether a power that sees these provinces notices what another power's unit does."""
    order = verdict.order
    if isinstance(order, Move):
        return verdict.outcome in (Outcome.SUCCEEDS, Outcome.BOUNCED) and province_of(order.to) in sees
    if verdict.outcome is not Outcome.SUCCEEDS:
        return False
    if isinstance(order, Retreat):
        return province_of(order.to) in sees
    return isinstance(order, Build | Remove | Disband) and province_of(order.at) in sees


def _learned_verdict(
    verdict: Verdict, power: str, known: list[Order], sees: frozenset[str], units: set[str]
) -> Verdict:
    """A verdict with the cause that its reader may know."""
    cause = _cause(verdict, power, known, units)
    origin = verdict.dislodged_from
    if verdict.power != power and province_at(verdict.order) not in sees:
        origin = None
    return msgspec.structs.replace(verdict, cause=cause, dislodged_from=origin)


def _cause(verdict: Verdict, power: str, known: list[Order], units: set[str]) -> Cause | None:
    cause = verdict.cause
    if cause is None or (cause.by is None and cause.kind in PLAIN and verdict.power == power):
        return cause
    if cause.by is None:
        return None if verdict.outcome is Outcome.SUCCEEDS else UNSEEN
    if cause.by in known:
        return Cause("fact", reason=f"against {write(cause.by)}") if cause.kind in MEASURED else cause
    place = getattr(cause.by, "at", "")
    if province_of(place) in units and cause.kind in MEASURED | {"own unit"}:
        return Cause("fact", reason=f"{getattr(cause.by, 'kind', '')} {place} stood there")
    return None if verdict.outcome is Outcome.SUCCEEDS else UNSEEN
