"""The short game as jDip saves it: objects as XML, each written once and referred to afterwards."""

from xml.sax.saxutils import quoteattr

from legation.board import read_board
from legation.variants import find_boards
from tests.interop import played

COASTS = {"": 3, "NC": 4, "SC": 5, "WC": 6, "EC": 7}
SEASONS = {"Spring": 1000, "Fall": 2000}
RESULTS = {"success": 20, "failure": 30, "dislodged": 40}


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
        self.board = read_board(find_boards()["standard"])
        names = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
        self.powers = {
            name.upper(): Thing("dip.world.Power", names=array("java.lang.String", name), adjective=name, isActive=True)
            for name in names
        }
        self.coasts = {index: Thing("dip.world.Coast", name="c", abbreviation="c", index=index) for index in range(8)}
        self.kinds = {
            "A": Thing("dip.world.Unit$Type", internalName="army"),
            "F": Thing("dip.world.Unit$Type", internalName="fleet"),
        }
        self.provinces = {
            key: Thing(
                "dip.world.Province", fullName=p.name, shortNames=array("java.lang.String", key), supplyCenter=p.center
            )
            for key, p in self.board.provinces.items()
        }
        for key, province in self.provinces.items():  # provinces stand in provinces, as deep as the board is large
            near = (self.location(n.upper()) for n in sorted(self.board.adjacent(key)))
            province.fields["adjacency"] = Thing(
                "dip.world.Province$Adjacency", adjLoc=table({self.coasts[2]: array("dip.world.Location", *near)})
            )
        self.map = Thing(
            "dip.world.Map",
            powers=array("dip.world.Power", *self.powers.values()),
            provinces=array("dip.world.Province", *self.provinces.values()),
        )

    def location(self, at: str, coast: int | None = None) -> Thing:
        """A location."""
        key, _, word = at.partition("/")
        index = COASTS[word] if coast is None else coast
        return Thing("dip.world.Location", province=self.provinces[key.lower()], coast=self.coasts[index])

    def order(self, power: str, kind: str, unit: str, **fields: object) -> Thing:
        """An order of a unit: ``A PAR``."""
        letter, _, at = unit.partition(" ")
        coast = 2 if letter == "A" else None
        order = Thing(
            f"dip.gui.order.GUI{kind}",
            power=self.powers[power],
            src=self.location(at, coast),
            srcUnitType=self.kinds[letter],
        )
        order.fields |= fields
        return order

    def support(self, power: str, unit: str, source: str, to: str) -> Thing:
        """The support of a move by an army of the same power."""
        return self.order(
            power,
            "Support",
            unit,
            supSrc=self.location(source, 2),
            supDest=self.location(to, 2),
            supUnitType=self.kinds["A"],
            supPower=self.powers[power],
        )

    def move(self, power: str, unit: str, to: str) -> Thing:
        """A move."""
        coast = 2 if unit[0] == "A" else None
        return self.order(power, "Move", unit, dest=self.location(to, coast), convoyRoutes=None, _isViaConvoy=False)

    def position(
        self,
        units: dict[str, list[str]],
        dislodged: dict[str, list[str]],
        owners: dict[str, list[str]] = played.CENTERS,
    ) -> Thing:
        """Units and owners, by the number of the province."""
        data = {key: Thing("dip.world.Position$ProvinceData") for key in self.provinces}
        for field, standing in (("unit", units), ("dislodgedUnit", dislodged)):
            for power, kept in standing.items():
                for unit in kept:
                    letter, _, at = unit.partition(" ")
                    key, _, word = at.partition("/")
                    coast = self.coasts[2 if letter == "A" else COASTS[word]]
                    data[key.lower()].fields[field] = Thing(
                        "dip.world.Unit", type=self.kinds[letter], owner=self.powers[power], coast=coast
                    )
        for power, centers in owners.items():
            for center in centers:
                data[center.lower()].fields["SCOwner"] = self.powers[power]
        held = (d if d.fields else None for d in data.values())
        return Thing("dip.world.Position", map=self.map, provArray=array("dip.world.Position$ProvinceData", *held))

    def turn(
        self,
        season: str,
        year: int,
        phase: str,
        position: Thing,
        orders: dict[str, list[Thing]],
        results: dict[Thing, str] | None,
    ) -> tuple[Thing, Thing]:
        """A turn by its phase; ``results``: None while it is not over."""
        when = Thing(
            "dip.world.Phase",
            seasonType=Thing("dip.world.Phase$SeasonType", position=SEASONS[season]),
            yearType=Thing("dip.world.Phase$YearType", year=year),
            phaseType=Thing("dip.world.Phase$PhaseType", constName=phase.upper()),
        )
        told = [
            Thing(
                "dip.order.result.OrderResult",
                order=order,
                resultType=Thing("dip.order.result.OrderResult$ResultType", ordering=RESULTS[result]),
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
            position=position,
            isEnded=False,
            isResolved=results is not None,
        )
        return when, state

    def text(self, turns: list[tuple[Thing, Thing]]) -> str:
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
    save = Save()
    paris = save.move("FRANCE", "A PAR", "BUR")
    support = save.support("FRANCE", "A MAR", "PAR", "BUR")
    brest, munich = save.move("FRANCE", "F BRE", "MAO"), save.move("GERMANY", "A MUN", "BUR")
    kiel = save.move("GERMANY", "F KIE", "DEN")
    orders = {"FRANCE": [paris, support, brest], "GERMANY": [munich, kiel]}
    results = {paris: "success", support: "success", brest: "success", munich: "failure", kiel: "success"}
    waiting = {"FRANCE": [save.order("FRANCE", "Hold", "A BUR")]}
    return save.text(
        [
            save.turn("Spring", 1901, "Movement", save.position(played.START, {}), orders, results),
            save.turn("Fall", 1901, "Movement", save.position(played.AFTER, {}), waiting, None),
        ]
    )
