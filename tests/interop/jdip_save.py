"""Games as jDip saves them: objects as XML, each written once and referred to afterwards."""

from collections.abc import Iterable, Mapping
from typing import Any
from xml.sax.saxutils import quoteattr

from legation.board import province_of
from legation.game import Game
from legation.interop.games.missing import parts_of
from legation.interop.games.record import FAILED
from legation.orders import Move, Remove, Retreat, UnitOrder
from legation.position import Position, Unit
from legation.variants import load
from tests.interop import played

LAND, COASTS = 2, {"": 3, "nc": 4, "sc": 5, "wc": 6, "ec": 7}
"""The numbers of the coasts of armies and of fleets."""
SUCCESS, FAILURE, DISLODGED = 20, 30, 40


class Thing:
    """An object of a class, with fields, and values that its class writes besides."""

    def __init__(self, kind: str, /, *values: object, tag: str = "object", **fields: object) -> None:
        self.kind, self.values, self.tag, self.fields = kind, values, tag, fields


def array(kind: str, *values: object) -> Thing:
    """An array of a class."""
    return Thing(kind, *values, tag="array")


def listed(*values: object) -> Thing:
    """A list."""
    return Thing("java.util.ArrayList", *values, tag="collection")


def table(pairs: dict[object, object], kind: str = "java.util.HashMap") -> Thing:
    """A map: what it writes of its sizes, then keys and values."""
    sizes = (len(pairs),) if kind.endswith("TreeMap") else (16, len(pairs))
    return Thing(kind, *sizes, *(part for pair in pairs.items() for part in pair))


class Writer:
    """Writes objects as XML."""

    def __init__(self) -> None:
        self.known: dict[int, str] = {}
        self.lines: list[str] = []

    def write(self, value: object, field: str = "") -> None:
        """Write a value, as a field if one is named."""
        named = f' field="{field}"' if field else ""
        if value is None:
            self.lines.append(f"<null{named}/>")
        elif isinstance(value, bool):
            self.lines.append(f'<primitive type="boolean" value="{str(value).lower()}"{named}/>')
        elif isinstance(value, int):
            self.lines.append(f'<primitive type="int" value="{value}"{named}/>')
        elif isinstance(value, str):
            self.lines.append(f'<string id="s{len(self.lines)}" value={quoteattr(value)}{named}/>')
        elif id(value) in self.known:
            self.lines.append(f'<reference idref="{self.known[id(value)]}"{named}/>')
        else:
            assert isinstance(value, Thing)
            key = self.known[id(value)] = f"i{len(self.known)}"
            word = "base" if value.tag == "array" else "class"
            self.lines.append(f'<{value.tag} {word}="{value.kind}" id="{key}"{named}>')
            self.lines += ["<default>"] if value.fields else []
            for name, held in value.fields.items():
                self.write(held, name)
            self.lines += ["</default>"] if value.fields else []
            for held in value.values:
                self.write(held)
            self.lines.append(f"</{value.tag}>")


class Save:
    """The objects of a game on the standard board."""

    def __init__(self) -> None:
        rules = load("standard")
        self.powers = {
            name: Thing("dip.world.Power", names=array("java.lang.String", name), adjective=name, isActive=True)
            for name in rules.powers
        }
        self.coasts = {index: Thing("dip.world.Coast", name="c", abbreviation="c", index=index) for index in range(8)}
        kinds = {"A": "army", "F": "fleet"}
        self.kinds = {kind: Thing("dip.world.Unit$Type", internalName=name) for kind, name in kinds.items()}
        self.provinces = {
            key: Thing(
                "dip.world.Province", fullName=p.name, shortNames=array("java.lang.String", key), supplyCenter=p.center
            )
            for key, p in rules.board.provinces.items()
        }
        for key, province in self.provinces.items():  # provinces stand in provinces, as deep as the board is large
            near = (self.location("F", n) for n in sorted(rules.board.adjacent(key)))
            province.fields["adjacency"] = Thing(
                "dip.world.Province$Adjacency", adjLoc=table({self.coasts[LAND]: array("dip.world.Location", *near)})
            )
        self.map = Thing(
            "dip.world.Map",
            powers=array("dip.world.Power", *self.powers.values()),
            provinces=array("dip.world.Province", *self.provinces.values()),
        )

    def coast(self, kind: str, at: str) -> Thing:
        """The coast on which a unit stands."""
        return self.coasts[LAND if kind == "A" else COASTS[at.partition("/")[2]]]

    def location(self, kind: str, at: str) -> Thing:
        """Where a unit stands or goes."""
        return Thing("dip.world.Location", province=self.provinces[province_of(at)], coast=self.coast(kind, at))

    def order(self, power: str, word: str, kind: str, at: str, **fields: Any) -> Thing:
        """An order by the name of its class."""
        fields |= {"power": self.powers[power], "src": self.location(kind, at), "srcUnitType": self.kinds[kind]}
        return Thing(f"dip.gui.order.GUI{word}", **fields)

    def order_of(self, power: str, order: UnitOrder, there: Mapping[str, Unit]) -> Thing:
        """An order of ours; ``there`` are the units by their provinces."""
        verb, target, to = parts_of(order)
        fields: dict[str, Any] = {}
        if isinstance(order, Move | Retreat):
            verb, fields["dest"] = type(order).__name__, self.location(order.kind, to)
            fields |= {"_isViaConvoy": order.via_convoy, "convoyRoutes": None} if isinstance(order, Move) else {}
        elif target:
            other, word = there[province_of(target)], "convoy" if verb == "Convoy" else "sup"
            fields[f"{word}UnitType"] = self.kinds[other.kind]
            fields[f"{word}Src"] = self.location(other.kind, other.at)
            fields[f"{word}Dest"] = self.location(other.kind, to) if to else None
        return self.order(power, "Remove" if isinstance(order, Remove) else verb, order.kind, order.at, **fields)

    def position(self, position: Position) -> Thing:
        """Units and owners, by the number of the province."""
        data = {key: Thing("dip.world.Position$ProvinceData") for key in self.provinces}
        standing = [("unit", unit) for unit in position.units]
        for field, unit in (*standing, *(("dislodgedUnit", dislodged.unit) for dislodged in position.dislodged)):
            kind, owner, coast = self.kinds[unit.kind], self.powers[unit.power], self.coast(unit.kind, unit.at)
            data[unit.province].fields[field] = Thing("dip.world.Unit", type=kind, owner=owner, coast=coast)
        for center, power in position.owners.items():
            data[center].fields["SCOwner"] = self.powers[power]
        held = (d if d.fields else None for d in data.values())
        return Thing("dip.world.Position", map=self.map, provArray=array("dip.world.Position$ProvinceData", *held))

    def turn(
        self, before: Position, orders: Mapping[str, list[Thing]], results: Mapping[Thing, int] | None
    ) -> tuple[Thing, Thing]:
        """A turn by its phase; ``results``: None while it is not over."""
        turn = before.turn
        when = Thing(
            "dip.world.Phase",
            seasonType=Thing("dip.world.Phase$SeasonType", position=1000 if turn.season == "Spring" else 2000),
            yearType=Thing("dip.world.Phase$YearType", year=turn.year),
            phaseType=Thing("dip.world.Phase$PhaseType", constName=turn.phase.value.upper().rstrip("S")),
        )
        told = [
            Thing(
                "dip.order.result.OrderResult",
                order=order,
                resultType=Thing("dip.order.result.OrderResult$ResultType", ordering=result),
                message=None,
                power=order.fields["power"],
            )
            for order, result in (results or {}).items()
        ]
        given = table({self.powers[power]: listed(*kept) for power, kept in orders.items()})
        state = Thing(
            "dip.world.TurnState",
            phase=when,
            resultList=listed(*told),
            orderMap=given,
            isSCOwnerChanged=False,
            position=self.position(before),
            isEnded=False,
            isResolved=results is not None,
        )
        return when, state

    def turns(self, game: Game) -> list[tuple[Thing, Thing]]:
        """The turns of a game that are over."""
        found = []
        for turn in game.turns:
            before = turn.resolution.before
            orders: dict[str, list[Thing]] = {}
            results: dict[Thing, int] = {}
            for power, order, verdict in played.ordered(turn):
                made = self.order_of(power, order, {unit.province: unit for unit in before.units})
                orders.setdefault(power, []).append(made)
                failed = FAILURE if verdict.outcome in FAILED else SUCCESS
                results[made] = failed if verdict.dislodged_from is None else DISLODGED
            found.append(self.turn(before, orders, results))
        return found

    def text(self, turns: Iterable[tuple[Thing, Thing]]) -> str:
        """The file, before it is compressed."""
        about = table(
            {
                "_variant_info_": Thing("dip.world.World$VariantInfo", variantName="Standard", mapName="m"),
                "_world_metadata_": Thing(
                    "dip.world.metadata.GameMetadata", gameName="short", moderatorEmail="gm@example.org"
                ),
            }
        )
        kept = Thing(
            "java.util.Collections$SynchronizedSortedMap", m=table(dict(turns), "java.util.TreeMap"), mutex=None
        )
        world = Thing("dip.world.World", map=self.map, nonTurnData=about, turnStates=kept)
        writer = Writer()
        writer.write(world)
        return '<?xml version="1.0" encoding="UTF-8"?>\n<jsx major="1" minor="1" format="JSX">\n{}\n</jsx>\n'.format(
            "\n".join(writer.lines)
        )


def short_game() -> str:
    """The two turns of :mod:`tests.interop.played`; orders of the second are not carried out yet."""
    save, game = Save(), Game("standard")
    game.play({"France": "A par - bur; A mar S A par - bur; F bre - mao", "Germany": "A mun - bur; F kie - den"})
    waiting = {"France": [save.order("France", "Hold", "A", "bur")]}
    return save.text([*save.turns(game), save.turn(game.position, waiting, None)])
