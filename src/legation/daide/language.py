"""What a game says in DAIDE: its board, positions, orders and results, and orders as programs write them."""

import struct
from typing import Any

from legation.board import province_of
from legation.daide.words import Message, Vocabulary, common_words, is_of_board
from legation.judge import Outcome, Ruleset, Situation, Verdict
from legation.orders import Build, Convoy, Disband, Hold, Move, Order, Remove, Retreat, SupportHold, SupportMove, Waive
from legation.position import Phase, Position, Turn, Unit

KINDS = {"A": "AMY", "F": "FLT"}
RENAMED = {"bot": "GOB", "eng": "ECH", "lyo": "GOL"}
"""Provinces of the standard board that DAIDE calls otherwise than by their abbreviation."""
COASTS = {"nc": "NCS", "ec": "ECS", "sc": "SCS", "wc": "WCS", "ne": "NEC", "se": "SEC", "sw": "SWC", "nw": "NWC"}
INLAND, SEA, COASTAL, SPLIT = 0x50, 0x52, 0x54, 0x56  # of provinces, and one more where there is a center
RESULTS = {
    Outcome.SUCCEEDS: "SUC",
    Outcome.BOUNCED: "BNC",
    Outcome.CUT: "CUT",
    Outcome.DISRUPTED: "DSR",
    Outcome.NO_CONVOY: "DSR",
    Outcome.DISBANDED: "SUC",
}
YEARS = 8191  # the last year that fits a number


class UnspeakableError(ValueError):
    """A variant that DAIDE has no words for, and why."""


class OrderError(ValueError):
    """An order that is none, with the note that says so."""

    def __init__(self, note: str) -> None:
        super().__init__(note)
        self.note = note


class Language:
    """The words of one variant. Boards other than the standard one have provinces and powers of their own. Raises
    UnspeakableError for a variant with other units than armies and fleets, or coasts of other names."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.board = rules.board
        if others := [kind.name for code, kind in rules.kinds.items() if code not in KINDS]:
            raise UnspeakableError(f"DAIDE has armies and fleets, and no {', '.join(others)}")
        if rules.first_turn().year > YEARS:
            raise UnspeakableError(f"DAIDE counts years to {YEARS}")
        for province in self.board.provinces.values():
            if strange := set(province.coasts) - COASTS.keys():
                raise UnspeakableError(f"DAIDE has no coast {min(strange)!r}, as {province.name} has")
        known = common_words()
        usual = {p: RENAMED.get(p, p.upper()) for p in self.board.provinces}
        powers = {power: power[:3].upper() for power in rules.powers}
        of_standard = {word for word, token in known.items() if is_of_board(token)}
        self.is_standard = of_standard == {*usual.values(), *powers.values()}
        if self.is_standard:
            own = {word: known[word] for word in of_standard}
        else:
            taken = known.keys() - of_standard
            usual = {p: _short(p, taken) for p in usual}
            powers = {power: _short(power, taken) for power in powers}
            own = {powers[power]: 0x4100 | i for i, power in enumerate(powers)}
            own |= {usual[p]: self._token(p, i) for i, p in enumerate(usual)}
        self.places, self.powers = usual, powers
        self.provinces = {word: p for p, word in usual.items()}
        self.power_names = {word: power for power, word in powers.items()}
        self.words = Vocabulary(own)
        self.own = own
        self.coasts = {word: coast for coast, word in COASTS.items()}
        self._first = rules.first_turn().season

    def _token(self, province: str, number: int) -> int:
        if number > 0xFF:
            raise UnspeakableError("DAIDE has words for 256 provinces")
        facts = self.board.provinces[province]
        kind = SEA if facts.sea else SPLIT if facts.coasts else COASTAL if facts.shore else INLAND
        return (kind + bool(facts.center)) << 8 | number

    def representation(self) -> bytes:
        """The table of own words that follows a program's first frame; empty for the standard board."""
        if self.is_standard:
            return b""
        return b"".join(struct.pack(">H4s", token, word.encode("ascii")) for word, token in self.own.items())

    # The board

    def place(self, at: str) -> Any:
        """A location: a province, or one with its coast in brackets."""
        province, _, coast = at.partition("/")
        return [self.places[province], COASTS[coast]] if coast else self.places[province]

    def unit(self, unit: Unit) -> Message:
        """A unit with its power."""
        return [self.powers[unit.power], KINDS[unit.kind], self.place(unit.at)]

    def turn(self, turn: Turn) -> Message:
        """A season and a year."""
        first = turn.season == self._first
        if turn.phase is Phase.MOVEMENT:
            return ["SPR" if first else "FAL", turn.year]
        if turn.phase is Phase.RETREATS:
            return ["SUM" if first else "AUT", turn.year]
        return ["WIN", turn.year]

    def map_definition(self) -> Message:
        """The answer to MDF: powers, provinces with their homes, and what borders what."""
        homes = {
            power: [p for p in self.board.provinces if p in facts.homes] for power, facts in self.rules.powers.items()
        }
        neutral = [p for p in self.board.centers if not any(p in own for own in homes.values())]
        groups = [[self.powers[power], *(self.places[p] for p in own)] for power, own in homes.items() if own]
        if neutral:
            groups.append(["UNO", *(self.places[p] for p in neutral)])
        others = [self.places[p] for p, facts in self.board.provinces.items() if not facts.center]
        return ["MDF", list(self.powers.values()), [groups, others], [self._borders(p) for p in self.board.provinces]]

    def _borders(self, province: str) -> Message:
        facts, ways = self.board.provinces[province], []
        for kind, word in KINDS.items():
            travel = self.rules.kinds[kind].travel
            for at in facts.locations if travel == "fleet" else (province,):
                if not self.board.stands(travel, at):
                    continue
                reached = [self.place(to) for to in sorted(self.board.reach(travel, at))]
                coast = at.partition("/")[2]
                ways.append([[word, COASTS[coast]] if coast else word, *reached])
        return [self.places[province], *ways]

    # Positions and results

    def centers(self, position: Position) -> Message:
        """SCO: who owns which center."""
        groups = [
            [self.powers[p], *(self.places[c] for c in sorted(position.centers_of(p)))] for p in self.rules.powers
        ]
        free = [self.places[c] for c in self.board.centers if c not in position.owners]
        return ["SCO", *groups, *([["UNO", *free]] if free else [])]

    def units(self, position: Position) -> Message:
        """NOW: the turn and all units, the dislodged with where they may retreat to."""
        listed = [self.unit(unit) for unit in position.units]
        situation = Situation(self.rules, position)
        for entry in position.dislodged:
            may = [self.place(at) for at in sorted(situation.dislodged[entry.unit.province][1])]
            listed.append([*self.unit(entry.unit), "MRT", may])
        return ["NOW", self.turn(position.turn), *listed]

    def result(self, before: Position, verdict: Verdict) -> Message:
        """ORD: what became of an order."""
        words = [RESULTS.get(verdict.outcome, "NSO")]
        if verdict.dislodged_from is not None:
            words = [*(words if words != ["SUC"] else []), "RET"]
        return ["ORD", self.turn(before.turn), self.write(before, verdict.power, verdict.order), words]

    # Orders

    def write(self, position: Position, power: str, order: Order) -> Message:
        """An order; what DAIDE has no words for is written as a unit that holds."""

        def unit_at(at: str) -> Message:
            province = province_of(at)
            out = [d.unit for d in position.dislodged if d.unit.province == province and d.unit.power == power]
            found = out if out else [u for u in position.units if u.province == province]
            return self.unit(found[0]) if found else [self.powers[power], "AMY", self.place(at)]

        match order:
            case Waive():
                return [self.powers[power], "WVE"]
            case Build(kind=kind, at=at):
                return [[self.powers[power], KINDS[kind], self.place(at)], "BLD"]
            case Remove(at=at):
                return [unit_at(at), "REM"]
            case Disband(at=at):
                return [unit_at(at), "DSB"]
            case Retreat(at=at, to=to):
                return [unit_at(at), "RTO", self.place(to)]
            case Move(at=at, to=to, via_convoy=via, route=route):
                if via or route:
                    return [unit_at(at), "CTO", self.place(to), "VIA", [self.places[p] for p in route]]
                return [unit_at(at), "MTO", self.place(to)]
            case SupportHold(at=at, target=target):
                return [unit_at(at), "SUP", unit_at(target)]
            case SupportMove(at=at, target=target, to=to):
                return [unit_at(at), "SUP", unit_at(target), "MTO", self.places[province_of(to)]]
            case Convoy(at=at, target=target, to=to):
                return [unit_at(at), "CVY", unit_at(target), "CTO", self.places[province_of(to)]]
        return [unit_at(getattr(order, "at", "")), "HLD"]

    def read(self, position: Position, power: str, said: Any) -> Order:
        """An order of a power, as a program wrote it. Raises OrderError with the note that answers it."""
        match said:
            case [word, "WVE"] if self.power_names.get(word) == power:
                return Waive()
            case [list() as unit, "BLD"]:
                kind, at = self._read_unit(unit, power)
                return Build(kind, at)
        if not isinstance(said, list) or len(said) < 2 or not isinstance(said[0], list):
            raise OrderError("NSO")
        kind, at = self._standing(position, said[0], power)
        match said[1:]:
            case ["HLD"]:
                return Hold(kind, at)
            case ["MTO", to]:
                return Move(kind, at, self._location(to))
            case ["RTO", to]:
                return Retreat(kind, at, self._location(to))
            case ["DSB"]:
                return Disband(kind, at)
            case ["REM"]:
                return Remove(kind, at)
            case ["CTO", to, "VIA", list() as seas]:
                return Move(kind, at, self._location(to), True, tuple(self._location(sea) for sea in seas))
            case ["SUP", list() as other]:
                return SupportHold(kind, at, *self._standing(position, other))
            case ["SUP", list() as other, "MTO", to]:
                return SupportMove(kind, at, *self._standing(position, other), self._location(to))
            case ["CVY", list() as other, "CTO", to]:
                return Convoy(kind, at, *self._standing(position, other), self._location(to))
        raise OrderError("NSO")

    def _location(self, said: Any) -> str:
        match said:
            case str() if said in self.provinces:
                return self.provinces[said]
            case [str(province), str(coast)] if province in self.provinces and coast in self.coasts:
                at = f"{self.provinces[province]}/{self.coasts[coast]}"
                if at in self.board.locations:
                    return at
                raise OrderError("CST")
        raise OrderError("NSP")

    def _read_unit(self, said: Message, power: str = "") -> tuple[str, str]:
        kinds = {word: kind for kind, word in KINDS.items()}
        match said:
            case [str(whose), str(word), at] if whose in self.power_names and word in kinds:
                if power and self.power_names[whose] != power:
                    raise OrderError("NYU")
                return kinds[word], self._location(at)
        raise OrderError("NSU")

    def _standing(self, position: Position, said: Message, power: str = "") -> tuple[str, str]:
        kind, at = self._read_unit(said, power)
        owner = self.power_names[said[0]]
        units = (*position.units, *(entry.unit for entry in position.dislodged))
        if not any(u.kind == kind and u.at == at and u.power == owner for u in units):
            raise OrderError("NSU")
        return kind, at


def _short(name: str, taken: set[str]) -> str:
    """Three capitals for a name, other than those that are taken."""
    letters = [c for c in name.upper() if "A" <= c <= "Z"] + list("XYZQ")
    for i in range(1, len(letters)):
        for j in range(i + 1, len(letters)):
            word = letters[0] + letters[i] + letters[j]
            if word not in taken:
                taken.add(word)
                return word
    raise UnspeakableError(f"there are no three letters left for {name}")
