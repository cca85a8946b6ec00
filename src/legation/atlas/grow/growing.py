"""From a plan and the land to the shapes of a board."""

import math
from collections.abc import Callable, Mapping

import msgspec
from shapely.geometry.base import BaseGeometry

from legation.atlas.contacts import Link, seas_by_compass, silent_coasts
from legation.atlas.grow.coastline import Land
from legation.atlas.grow.enlarging import at_home, enlarge, enlarged_lines
from legation.atlas.grow.ground import cut_ground
from legation.atlas.grow.labels import dense
from legation.atlas.grow.natural import naturalize
from legation.atlas.grow.partition import MARGIN, Partition, divide
from legation.atlas.grow.places import Bodies, drawn_links, find_places
from legation.atlas.grow.plan import LAND, WATER, Plan, PlanError
from legation.atlas.grow.topology import Topology, build
from legation.atlas.shapes import DrawnLink, Scenery, Shape, Shapes, contacts
from legation.board.files import BoardFault

DRAWN_RIMS = ("river", "mountains")


class Grown(msgspec.Struct, frozen=True):
    """The shapes, and what the author should look at."""

    shapes: Shapes
    warnings: list[BoardFault]


def grow(plan: Plan, land: Land, declare: Callable[[Shapes], list[Link]] | None = None) -> Grown:
    """Compute the shapes of a board. The same plan and land give the same shapes.

    ``declare`` gives the declared links once the shapes are known, in place of the plan's.

    :raises PlanError: when a province gets no place on the map."""
    return grow_on(plan, cut_ground(plan, land), declare)


def grow_on(
    plan: Plan,
    ground: BaseGeometry,
    declare: Callable[[Shapes], list[Link]] | None = None,
    *,
    unfinished: bool = False,
    quick: bool = False,
) -> Grown:
    """Do what :func:`grow` does, on what :func:`~legation.atlas.grow.ground.cut_ground` made of the land.

    A board that is ``unfinished`` may have provinces without a place, which are told and left out. A ``quick`` growth
    leaves the lines as they are divided, and puts names and symbols in the middle."""
    parted = divide(plan, ground)
    margins = {piece.owner for piece in parted.pieces if piece.owner.startswith(MARGIN)}
    fixed = {*parted.circles, *plan.boxes, *margins}

    def least(a: str, b: str) -> float:
        """The least common length of two lands or two waters that may be bent; 0 for any other line."""
        if a in fixed or b in fixed or a.startswith("~") or b.startswith("~"):
            return 0.0
        wet = plan.plots[a].sea, plan.plots[b].sea
        return 0.0 if wet[0] != wet[1] else plan.least.sea if wet[0] else plan.least.border

    topology = build(parted.pieces, least, parted.edge)
    missing = _without_place(plan, topology)
    if missing and not unfinished:
        told = {fault.place for fault in parted.warnings}
        raise PlanError([*parted.warnings, *(fault for fault in missing if fault.place not in told)])
    if missing:
        plan = _placed_alone(plan, topology)
    if not quick:
        naturalize(topology, plan, fixed, parted.edge)
    plan = _with_seas_of_coasts(plan, topology)
    for margin in margins:
        topology.rings.pop(margin, None)
    for inset in plan.insets:
        enlarge(topology, inset)
    drawn = {name: topology.body(name) for name in plan.plots}
    home = {name: at_home(plan, body) for name, body in drawn.items()}
    widths = sorted(
        math.sqrt(home[name].area) for name, plot in plan.plots.items() if not plot.sea and name not in parted.circles
    ) or [plan.frame.width / 12]
    bodies = Bodies(drawn, widths[len(widths) // 2], home)
    placed = find_places(plan, bodies, parted.circles, quick=quick)
    shapes = _shapes(plan, topology, placed)
    if declare is not None:
        plan = msgspec.structs.replace(plan, links=declare(shapes))
    links = drawn_links(plan, bodies, contacts(shapes)) + _drawn_rims(plan, parted)
    return Grown(msgspec.structs.replace(shapes, links=links), [*parted.warnings, *missing])


def _without_place(plan: Plan, topology: Topology) -> list[BoardFault]:
    return [
        BoardFault(
            next((s.place for s in (*plan.land, *plan.sea) if s.owner == name), "land.csv"),
            f"{name} has no place on the map: its points lie outside the frame or on no "
            f"{'water' if plot.sea else 'land'}",
        )
        for name, plot in plan.plots.items()
        if name not in topology.rings
    ]


def _placed_alone(plan: Plan, topology: Topology) -> Plan:
    plots = {name: plot for name, plot in plan.plots.items() if name in topology.rings}
    declared = [link for link in plan.links if plots.keys() >= {*link.pair}]
    seas = {coast: frozenset(s for s in seas if s in plots) for coast, seas in plan.seas_of_coasts.items()}
    return msgspec.structs.replace(plan, plots=plots, links=declared, seas_of_coasts=seas)


def _shapes(plan: Plan, topology: Topology, placed: Mapping[str, Shape]) -> Shapes:
    """The lines as they were grown, with the places of names and symbols, and no links yet."""
    return Shapes(
        projection=msgspec.to_builtins(plan.projection),
        width=plan.frame.width,
        height=plan.frame.height,
        least=plan.least,
        arcs=[[(x / 10, y / 10) for x, y in arc.line] for arc in topology.arcs],
        provinces={name: msgspec.structs.replace(shape, rings=topology.rings[name]) for name, shape in placed.items()},
        scenery=[
            Scenery(kind, [polygon])
            for owner, kind in ((LAND, "land"), (WATER, "water"))
            for polygon in topology.rings.get(owner, [])
        ],
        insets=[inset.drawn for inset in plan.insets] or msgspec.UNSET,
    )


def _drawn_rims(plan: Plan, parted: Partition) -> list[DrawnLink]:
    """The lines along which the plan parts provinces, where they are drawn or stop units; enlarged in insets, too."""
    own = [
        DrawnLink("", "", rim.kind, [(round(x, 1), round(y, 1)) for x, y in line.coords], rim.stops)
        for rim, line in parted.rims
        if rim.kind in DRAWN_RIMS or rim.stops
    ]
    enlarged = [
        DrawnLink("", "", rim.kind, line)
        for rim, whole in parted.rims
        if rim.kind in DRAWN_RIMS
        for inset in plan.insets
        for line in enlarged_lines(whole, inset)
    ]
    return own + enlarged


def _with_seas_of_coasts(plan: Plan, topology: Topology) -> Plan:
    """The plan with the seas of those coasts of which the board says nothing, where the picture tells them."""
    if not silent_coasts(plan.plots, plan.seas_of_coasts):
        return plan
    nowhere = Shape(rings=[], label=(0, 0), unit=(0, 0), center=(0, 0))
    shapes = _shapes(plan, topology, dict.fromkeys(plan.plots, nowhere))
    seas = seas_by_compass(shapes, plan.plots, plan.seas_of_coasts)
    return msgspec.structs.replace(plan, seas_of_coasts={**plan.seas_of_coasts, **seas})


def write(shapes: Shapes) -> str:
    """``shapes.json``: compact, one arc and one province a line."""
    document = msgspec.to_builtins(shapes)

    def number(value: float) -> int | float:
        return int(value) if value == int(value) else value

    arcs = ",\n".join(dense([[number(x), number(y)] for x, y in arc]) for arc in document.pop("arcs"))
    provinces = ",\n".join(f"{dense(k)}:{dense(v)}" for k, v in document.pop("provinces").items())
    scenery = ",\n".join(dense(scene) for scene in document.pop("scenery"))
    links = ",\n".join(dense(link) for link in document.pop("links"))
    head = dense(document)[1:-1]
    return (
        f'{{{head},\n"arcs":[\n{arcs}],\n"provinces":{{\n{provinces}}},\n'
        f'"scenery":[\n{scenery}],\n"links":[\n{links}]}}\n'
    )
