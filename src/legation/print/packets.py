"""The turn packet of one player: where everybody stands, what one's own units can do, and an order sheet to fill in and
photograph."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from legation.atlas import Atlas
from legation.atlas.pictures import white
from legation.game.report import business, count
from legation.judge import Ruleset, legal_orders
from legation.languages import said_in
from legation.notation import OnPaper, gesture_of, kind_of
from legation.office.orders.order_codes import SheetCode, order_sheet_code
from legation.orders import Build, Move, Moving, Order, Remove, Retreat, Waive
from legation.position import Phase, Position, Turn, Unit
from legation.print.letters import map_height
from legation.print.post import lines_of
from legation.print.records import Directions, GameName, Party
from legation.print.typesetting import one_line, typeset

SUBMISSIONS = {
    Phase.MOVEMENT: "Movement Orders",
    Phase.RETREATS: "Retreat Orders",
    Phase.ADJUSTMENTS: "Adjustment Orders",
    Phase.PLACEMENT: "Placement Orders",
}
HEADINGS = {
    Phase.MOVEMENT: "Your units and where they can move",
    Phase.RETREATS: "Your dislodged units and where they can retreat",
    Phase.ADJUSTMENTS: "Your adjustments",
    Phase.PLACEMENT: "What you can place",
}
NO_DIRECTIONS = Directions()
SHORT = 9  # lines of what can be ordered that leave room for the map on their page
SPARE = 4  # lines on the order sheet for what is not known beforehand


def turn_packet(
    game: GameName,
    rules: Ruleset,
    atlas: Atlas,
    view: Position,
    to: Party,
    day: date,
    directions: Directions = NO_DIRECTIONS,
) -> bytes:
    """Return the packet of the power ``to.position``, in its player's language; ``view`` is the position as that power
    sees it.

    :raises KeyError: for a power that is not in the game.
    :raises UnprintableError: for text that cannot be printed."""
    power = rules.powers[to.position].name
    phase = view.turn.phase
    code = SheetCode(game.key, power, str(view.turn))
    legal = legal_orders(rules, view, [power])[power]
    name = one_line(game.name, "the game")
    hidden = rules.hidden_provinces(view, power)
    svg = atlas.for_reader(to.language).svg(
        view, title=name, interactive=False, hidden=hidden, said=said_in(to.language), relief=False
    )
    entries = _entries(rules, view, power, legal)
    rows = _rows(rules, view, power, legal)
    length = sum(1 + sum(1 + len(line["places"]) // 90 for line in entry["lines"]) for entry in entries)
    short = length <= SHORT
    data: dict[str, Any] = {
        **_sheet(game, power, view.turn, to.person, directions),
        "map_height": min(map_height(svg), 165) if short else map_height(svg),
        "short": short,
        "summary": _summary(rules, view, power),
        "heading": HEADINGS.get(phase, "What you can order"),
        "entries": entries,
        "columns": 2 if length > 40 else 1,
        "note": _note(legal, phase),
        "how": "One order on each line, with full names or abbreviations. The last version before the deadline counts, "
        "unless your version instructions say otherwise.",
        "rows": rows,
        "row_height": 11 if len(rows) <= 16 else 8.5,
    }
    pictures = {"map.svg": white(svg), "code.svg": order_sheet_code(code)}
    return typeset("packet.typ", data, day, pictures, to.language, rules.board)


def _sheet(game: GameName, power: str, turn: Turn, person: str, directions: Directions) -> dict[str, Any]:
    """What stands on an order sheet beside its lines."""
    name = one_line(game.name, "the game")
    submission = SUBMISSIONS.get(turn.phase) or f"{turn.phase.value} Orders"
    return {
        "title": f"{name}: {power}, {turn}",
        "game": name,
        "power": power,
        "turn": str(turn),
        "season": turn.name,
        "person": one_line(person, "a name"),
        "deadlines": directions.deadlines,
        "submission": submission,
        "subject": f"{name} - {power} - {turn.name} - {submission} - v1",
        "orders_address": directions.orders_address,
        "post_to": lines_of(directions.post_to, "the coordinator") if directions.post_to else [],
    }


def lending_sheet(
    game: GameName,
    turn: Turn,
    order: str,
    to: Party,
    day: date,
    ally: str = "",
    directions: Directions = NO_DIRECTIONS,
) -> bytes:
    """Return the order sheet, filled in by half, with which the power ``to.position`` has an ``ally`` (or whoever is
    written there) order its units in a movement, for instance while its player is away. ``order`` is how that is
    written before the ally's name.

    :raises UnprintableError: for text that cannot be printed."""
    data = {
        **_sheet(game, to.position, turn, to.person, directions),
        "how": "Your units then do what your ally orders. Units that your ally doesn't order hold.",
        "rows": [f"{order} {ally}.", ""] if ally else [order, ""],
        "row_height": 14,
    }
    code = order_sheet_code(SheetCode(game.key, to.position, str(turn)))
    return typeset("lending.typ", data, day, {"code.svg": code}, to.language)


def _summary(rules: Ruleset, view: Position, power: str) -> str:
    centers, units = len(view.centers_of(power)), len(view.units_of(power))
    text = f"You own {count(centers, 'center')} and have {count(units, 'unit')}."
    dislodged = sum(d.unit.power == power for d in view.dislodged)
    if dislodged:
        return f"{text[:-1]} in place, and {dislodged} that {'was' if dislodged == 1 else 'were'} dislodged."
    if view.turn.phase is Phase.ADJUSTMENTS:
        room = rules.limit(view, power) - rules.size(view, power)
        if room < 0:
            more = f"You must remove {-room}."
        else:
            more = f"You can build {room}." if room else "You have nothing to build or remove."
        return f"{text} " + more
    return text


def _places(rules: Ruleset, locations: Sequence[str]) -> str:
    """Places by names that mean nothing else, as a player may write them."""
    names = {rules.writer.place(at) for at in locations}
    return ", ".join(sorted(names, key=lambda name: name.removeprefix("the "))) or "nowhere"


def _entries(rules: Ruleset, view: Position, power: str, legal: list[Order]) -> list[dict[str, Any]]:
    """What is printed of each unit (or site): its name, and lines of what it can do."""
    phase = view.turn.phase
    if phase is Phase.MOVEMENT:
        return [_moves(rules, unit, legal) for unit in view.units_of(power)]
    if phase is Phase.RETREATS:
        return [
            _entry(
                rules.writer.unit(d.unit.kind, d.unit.at),
                {
                    "to": _places(rules, [o.to for o in legal if isinstance(o, Retreat) and o.at == d.unit.at]),
                    "or": "disband",
                },
            )
            for d in view.dislodged
            if d.unit.power == power
        ] or [_entry("None of your units was dislodged", {"": "There is nothing to order."})]
    if phase not in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
        said = [rules.writer.sentence(order) for order in legal]
        return [_entry("Orders", {"": text}) for text in said] or [_entry("Nothing to order", {"": ""})]
    room = rules.limit(view, power) - rules.size(view, power)
    verb = "Place" if phase is Phase.PLACEMENT else "Build"
    builds: dict[str, list[str]] = {}
    for order in legal:
        if isinstance(order, Build):
            builds.setdefault(order.kind, []).append(order.at)
    entries = [
        _entry(f"{verb} {rules.kinds[kind].one}", {"in": _places(rules, sites)}) for kind, sites in builds.items()
    ]
    if room < 0:
        names = sorted(rules.writer.unit(unit.kind, unit.at) for unit in view.units_of(power))
        entries.append(
            _entry("Remove one of these" if room == -1 else f"Remove {-room} of these", {"": ", ".join(names)})
        )
    others = [o for o in legal if not isinstance(o, Build | Remove | Waive)]
    return entries or ([] if others else [_entry("Nothing to order", {"": business(rules, view, power)})])


def _entry(name: str, lines: dict[str, str]) -> dict[str, Any]:
    return {"name": name, "lines": [{"what": what, "places": places} for what, places in lines.items()]}


def _moves(rules: Ruleset, unit: Unit, legal: list[Order]) -> dict[str, Any]:
    """Where a unit can go by itself, by convoy and as rules let it, and what else it can do by a rule of the game."""
    own = [o for o in legal if getattr(o, "at", "") == unit.at]
    moves = [o for o in own if isinstance(o, Move)]
    mine = [o for o in moves if not _paper(o).places]
    reach = rules.board.reach(rules.kinds[unit.kind].travel, unit.at)
    alone = [o.to for o in mine if not o.via_convoy and o.to in reach]
    lines = {"to": _places(rules, alone)}
    convoyed = [o.to for o in mine if o.to not in alone]
    if convoyed:
        lines["by convoy"] = _places(rules, convoyed)
    going = [o for o in own if isinstance(o, Moving) and _paper(o).places]
    for heading in dict.fromkeys(_paper(o).places for o in going):
        lines[heading] = _places(rules, [o.to for o in going if _paper(o).places == heading])
    name = rules.writer.unit(unit.kind, unit.at)
    others = [(gesture_of(o), o) for o in own if not isinstance(o, Moving)]
    said = [g.label(o, rules.writer) for g, o in others if not (g.taps or g.group or isinstance(g.label, str))]
    if said:
        lines["also"] = "; ".join(text[:1].lower() + text[1:] for text in (s.removeprefix(f"{name} ") for s in said))
    return _entry(name, lines)


def _paper(order: Order) -> OnPaper:
    return kind_of(order).paper or OnPaper()


def _papers(legal: list[Order]) -> list[OnPaper]:
    """Return what sheets say of the kinds of orders that rules have brought, each once."""
    kinds = {type(o): kind_of(o) for o in legal}
    return [kind.paper for kind in kinds.values() if kind.paper is not None]


def _note(legal: list[Order], phase: Phase) -> str:
    parts = []
    if phase is Phase.MOVEMENT:
        parts.append(
            "Every unit can also hold, and support a unit in, or moving into, any place that it could reach by itself."
        )
        parts.append("Convoys are possible where there are fleets at sea.")
    if phase is Phase.RETREATS and legal:
        parts.append("A unit without an order is disbanded.")
    parts += [paper.reminder for paper in _papers(legal) if paper.reminder]
    return " ".join(parts)


def _rows(rules: Ruleset, view: Position, power: str, legal: list[Order]) -> list[str]:
    """The lines of the order sheet: the unit's name where there is one."""
    phase = view.turn.phase
    if phase is Phase.MOVEMENT:
        spare = _spare(legal) or ["", ""]
        return [rules.writer.unit(u.kind, u.at) for u in view.units_of(power)] + spare
    if phase is Phase.RETREATS:
        return [rules.writer.unit(d.unit.kind, d.unit.at) for d in view.dislodged if d.unit.power == power]
    if phase not in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
        return [""] * SPARE
    room = rules.limit(view, power) - rules.size(view, power)
    rows = ["Build"] * max(room, 0) + ["Remove"] * max(-room, 0)
    return rows + _spare(legal)


def _spare(legal: list[Order]) -> list[str]:
    """Return the words that begin lines left empty for orders of the game's rules."""
    return [row for paper in _papers(legal) for row in paper.rows]
