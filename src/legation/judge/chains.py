"""Chains of fleets: which shores they link, and which of their fleets an army may need on its way.

What a chain comes to depends on the board and its seas alone, so it is worked out once for all positions in which
fleets stand there."""

from __future__ import annotations

from collections.abc import Mapping

from legation.judge.tables import Tables

MOST_CHAINS = 2000  # connected fleets with more ways than this are taken to have a fitting one
MOST_KEPT = 4096  # answers kept for all positions of a board, a few kilobytes each


class Chains:
    """The chains that fleets form, and what was worked out of them: all is forgotten at ``MOST_KEPT`` answers."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.kept = 0
        self._formed: dict[frozenset[str], Fleets] = {}
        self._chains: dict[frozenset[str], Chain] = {}

    def formed_by(self, fleets: frozenset[str]) -> Fleets:
        """Return the chains that fleets in these provinces form."""
        known = self._formed.get(fleets)
        if known is None:
            if self.kept > MOST_KEPT:
                self._formed, self._chains, self.kept = {}, {}, 0
            known = self._formed[fleets] = self._form(fleets)
            self.kept += 1
        return known

    def _form(self, fleets: frozenset[str]) -> Fleets:
        by_sea = self.tables.by_sea
        left = set(fleets)
        formed: dict[str, Chain] = {}
        while left:
            stack = [left.pop()]
            linked = set(stack)
            while stack:
                new = by_sea[stack.pop()] & left
                left -= new
                linked |= new
                stack += new
            seas = frozenset(linked)
            chain = self._chains.get(seas)
            if chain is None:
                chain = self._chains[seas] = Chain(self, seas)
            formed.update(dict.fromkeys(seas, chain))
        return Fleets(self.tables, formed)


class Chain:
    """Fleets that stand side by side: their ``seas``, and the ``shores`` that they touch.

    ``limited`` are the shores from which more than ``MOST_CHAINS`` ways lead over these fleets; each fleet is then
    taken to be of use to every convoy."""

    def __init__(self, chains: Chains, seas: frozenset[str]) -> None:
        tables = chains.tables
        self.seas = seas
        self.shores = frozenset().union(*(tables.by_sea[sea] for sea in seas)) - tables.sea
        self.limited: set[str] = set()
        self._chains = chains
        self._routes: dict[str, Mapping[str, frozenset[str]]] = {}
        self._reached: dict[tuple[str, str], frozenset[str]] = {}

    def reached(self, start: str, without: str = "") -> frozenset[str]:
        """Where the chain could convoy an army from ``start`` without the fleet in the province ``without``."""
        known = self._reached.get((start, without))
        if known is None:
            parts = self._chains.formed_by(self.seas - {without}).touching(start)
            known = frozenset().union(*(part.shores for part in parts)) - {start}
            self._reached[start, without] = known
            self._chains.kept += 1
        return known

    def routes(self, start: str) -> Mapping[str, frozenset[str]]:
        """Where the fleets could convoy an army from ``start``, by the alphabet, and for each goal the seas on the way.

        A way counts if none of its fleets could be left out: only its first touches ``start``, only its last the goal,
        and each only the next."""
        known = self._routes.get(start)
        if known is None:
            bit = self._chains.tables.bit
            seas_to = self._seas_to(start)
            sets = {seas: frozenset([sea for sea in self.seas if bit[sea] & seas]) for seas in set(seas_to.values())}
            known = self._routes[start] = {goal: sets[seas_to[goal]] for goal in sorted(seas_to)}
            self._chains.kept += 1
        return known

    def _seas_to(self, start: str) -> Mapping[str, int]:
        """The seas on the way to each goal. Sets of provinces are numbers here, a bit for each."""
        tables = self._chains.tables
        around, shore, waters, bit = tables.around, tables.shore, tables.waters, tables.bit
        fleets = tables.bits(self.seas)
        later = fleets & ~around[start]  # only the first fleet of a way touches the start
        seas_to: dict[str, int] = {}
        tried = 0
        stack = [(sea, bit[sea], bit[start]) for sea in tables.by_sea[start] & self.seas]
        while stack:
            last, passed, touched = stack.pop()
            tried += 1
            if tried > MOST_CHAINS:
                self.limited.add(start)
                return dict.fromkeys(self.shores - {start}, fleets)
            for goal, there in shore[last]:
                if not touched & there:
                    seas_to[goal] = seas_to.get(goal, 0) | passed
            onward = later & around[last] & ~touched
            if onward:
                touched |= around[last] | bit[last]
                for other, there in waters[last]:
                    if onward & there:
                        stack.append((other, passed | there, touched))
        return seas_to


class Fleets(dict[str, Chain]):
    """The fleets that could convoy in a position: maps the province of each to its chain."""

    def __init__(self, tables: Tables, chains: Mapping[str, Chain]) -> None:
        super().__init__(sorted(chains.items()))
        self._by_sea = tables.by_sea
        self._touching: dict[str, list[Chain]] = {}
        self._reached: dict[tuple[str, str], frozenset[str]] = {}

    def touching(self, province: str) -> list[Chain]:
        """Return the chains that lie beside a province, so that an army there could be convoyed by them."""
        known = self._touching.get(province)
        if known is None:
            around = self._by_sea[province]
            known = list(dict.fromkeys([chain for sea, chain in self.items() if sea in around]))
            self._touching[province] = known
        return known

    def reached(self, start: str, without: str = "") -> frozenset[str]:
        """Return where the fleets could convoy an army from ``start``, without the one in the province ``without``."""
        known = self._reached.get((start, without))
        if known is None:
            chains = self.touching(start)
            parts = [chain.reached(start, without if without in chain.seas else "") for chain in chains]
            known = self._reached[start, without] = parts[0] if len(parts) == 1 else frozenset().union(*parts)
        return known
