"""Look-up tables of a board, made once for each ruleset, for legality and for the dense core."""

from collections.abc import Iterable, Mapping

from legation.board import ARMY, FLEET, Board, province_of
from legation.frozen import Immutable


class Tables(Immutable):
    """Reach by location and province (``ways``: by the alphabet), and which provinces fleets pass between.

    ``numbers`` has the number of each location's province, ``near`` is a square of bytes, side ``count``: 1 where a
    fleet can pass between two provinces (by their numbers). ``bit`` has a bit for each province: sets of provinces that
    are searched often are numbers."""

    def __init__(self, board: Board, convoying: Iterable[str] = ()) -> None:
        self.index: Mapping[str, int] = dict(board.index)
        self.names: tuple[str, ...] = tuple(self.index)
        self.count = len(self.index)
        self.province: Mapping[str, str] = {loc: province_of(loc) for loc in board.locations}
        self.numbers: Mapping[str, int] = {loc: self.index[place] for loc, place in self.province.items()}
        self.army: Mapping[str, frozenset[str]] = {p: board.reach(ARMY, p) for p in board.provinces}
        self.fleet: Mapping[str, frozenset[str]] = {loc: board.reach(FLEET, loc) for loc in board.locations}
        self.army_ways: Mapping[str, tuple[str, ...]] = {p: tuple(sorted(reach)) for p, reach in self.army.items()}
        self.fleet_ways: Mapping[str, tuple[str, ...]] = {p: tuple(sorted(reach)) for p, reach in self.fleet.items()}
        # a unit supports into any province it can move to, whatever the coast
        self.fleet_into: Mapping[str, frozenset[str]] = {
            loc: frozenset(province_of(to) for to in reach) for loc, reach in self.fleet.items()
        }
        self.fleet_ways_into = {loc: tuple(sorted(into)) for loc, into in self.fleet_into.items()}
        self.centers: frozenset[str] = frozenset(p.id for p in board.provinces.values() if p.center)
        near = bytearray(self.count * self.count)
        self.sea: frozenset[str] = frozenset(p.id for p in board.provinces.values() if p.sea)
        # where a fleet may convoy: at sea, and on the coasts that a rule names
        self.convoying: frozenset[str] = self.sea.union(convoying)
        by_sea: dict[str, frozenset[str]] = {}
        for province in board.provinces.values():
            around = frozenset().union(*(self.fleet_into[loc] for loc in {province.id, *province.locations}))
            by_sea[province.id] = around
            for other in around:
                near[self.index[province.id] * self.count + self.index[other]] = 1
        self.near = bytes(near)
        self.by_sea: Mapping[str, frozenset[str]] = by_sea
        self.bit: Mapping[str, int] = {place: 1 << n for place, n in self.index.items()}
        # around each province by sea: neighbors on land, then those where a fleet may convoy, each with its bit
        self.shore = {p: [(q, self.bit[q]) for q in sorted(around - self.sea)] for p, around in by_sea.items()}
        self.waters = {p: [(q, self.bit[q]) for q in sorted(around & self.convoying)] for p, around in by_sea.items()}
        self.around = {p: sum(self.bit[q] for q in around) for p, around in by_sea.items()}
        self.complete()

    def bits(self, places: Iterable[str]) -> int:
        """A set of provinces as a number, a bit for each."""
        return sum(self.bit[place] for place in places)
