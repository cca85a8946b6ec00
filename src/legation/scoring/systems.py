"""The scoring systems: each a declaration in ``systems.toml`` with its formula, its sources and a worked example, and a
small function here (:data:`POINTS`)."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.resources import files

import msgspec

from legation.formats import read_toml
from legation.game.scores import square_shares
from legation.scoring.outcome import Outcome, by_place

Points = dict[str, float]


class Example(msgspec.Struct, frozen=True):
    """A result of seven powers on 34 centers and its points, in the same order.

    ``out``: the year in which each power without a center was eliminated. ``source``: who published it; empty for one
    that was worked out by hand from the formula."""

    centers: tuple[int, ...]
    points: tuple[float, ...]
    out: tuple[int, ...] = ()
    sharing: int = 0
    source: str = ""

    def outcome(self) -> Outcome:
        """The outcome of powers called 1, 2, and so on."""
        powers = [str(number) for number in range(1, len(self.centers) + 1)]
        dead = [power for power, count in zip(powers, self.centers, strict=True) if not count]
        years = dict(zip(dead, self.out or [1] * len(dead), strict=True))
        winners = tuple(power for power, count in zip(powers, self.centers, strict=True) if count >= 18)
        centers = dict(zip(powers, self.centers, strict=True))
        return Outcome(centers, 34, 8, years, winners, tuple(powers[: self.sharing]))


class System(msgspec.Struct, frozen=True):
    """A scoring system.

    ``sizes``: what becomes of it on boards of other sizes. ``constant``: a game that nobody won gives out the same sum
    whatever its result, where all centers are owned. ``takes_all``: who wins alone gets everything, others nothing.
    ``differs``: where sources differ, and which is followed."""

    key: str
    name: str
    formula: str
    sources: tuple[str, ...]
    example: Example
    sizes: str
    constant: bool = True
    takes_all: bool = True
    differs: str = ""

    def score(self, outcome: Outcome) -> Points:
        """Return the points of each power."""
        return {power: round(points, 6) for power, points in POINTS[self.key](outcome).items()}


def _won(outcome: Outcome, prize: float, others: Mapping[str, float] | float = 0.0) -> Points:
    """The points of a game that was won: the prize to the winner (shared, where the rules let several win)."""
    lost = others if isinstance(others, Mapping) else dict.fromkeys(outcome.centers, others)
    return {p: prize / len(outcome.winners) if p in outcome.winners else lost[p] for p in outcome.centers}


def _percent(points: Mapping[str, float]) -> Points:
    total = sum(points.values()) or 1
    return {power: 100 * value / total for power, value in points.items()}


def _draw_size(o: Outcome) -> Points:
    sharing = o.winners or o.drawn
    return {power: 100 / len(sharing) if power in sharing else 0.0 for power in o.centers}


def _squares(o: Outcome) -> Points:
    return _won(o, 100) if o.winners else {power: 100 * part for power, part in square_shares(o.centers).items()}


BONUSES = (38, 14, 7)
"""C-Diplo’s, for the first three places."""


def _c_diplo(
    o: Outcome, prize: Callable[[int, int], float], lost: float = 0.0, survival: Sequence[int] = (0,)
) -> Points:
    """``prize``: the winner's points on a board of so many powers and centers; ``survival``: by number of centers."""
    if o.winners:
        return _won(o, prize(len(o.centers), o.total), lost)
    placed = by_place(o.places(dead_equal=True), BONUSES)
    return {p: 1 + c + placed[p] + survival[min(c, len(survival) - 1)] for p, c in o.centers.items()}


def _carnage(
    o: Outcome, place: int = 1000, center: int = 1, lead: int = 0, lost: int = 0, dead_equal: bool = False
) -> Points:
    """``place``: how much each place is worth beyond the next; ``lead``: what each center of the lead is worth."""
    worth = [place * number for number in range(len(o.centers), 0, -1)]
    if o.winners:
        return _won(o, sum(worth) + center * o.total - lost * (len(o.centers) - len(o.winners)), lost)
    placed = by_place(o.places(dead_equal=dead_equal), worth)
    ahead = lead * o.lead
    return {p: placed[p] + center * c + (ahead if p in o.leaders else 0) for p, c in o.centers.items()}


def _tribute(o: Outcome) -> Points:
    if o.winners:
        return _won(o, 100)
    part = 34 / o.total  # a board's centers count as 34, whatever their number
    survival = 66 / len(o.alive) if o.alive else 0.0
    paid = min(survival, max(0.0, part * o.most - 6))
    received = paid * (len(o.alive) - len(o.leaders)) / len(o.leaders)
    gains = {p: survival + (received if p in o.leaders else -paid) for p in o.alive}
    return {p: part * c + gains.get(p, 0.0) for p, c in o.centers.items()}


def _open_tribute(o: Outcome) -> Points:
    if o.winners:
        return _won(o, (len(o.centers) + 3) * o.total)
    received = sum(o.most - c for c in o.centers.values()) // len(o.leaders) ** 2
    points = {p: float(o.total + 3 * c - (o.most - c)) if p in o.alive else 0.0 for p, c in o.centers.items()}
    return {p: value + (received if p in o.leaders else 0) for p, value in points.items()}


def _detour(o: Outcome) -> Points:
    if o.winners:
        return _won(o, 110)
    placed = by_place(o.places(dead_equal=True), (4, 3, 2, 1), lower=True)
    raw = {p: 2 + o.centers[p] + placed[p] + (o.lead if p in o.leaders else 0) for p in o.alive}
    dead = {power: 0.25 * min(8, year - 1) for power, year in o.out.items()}
    return {power: {**dead, **_percent(raw)}[power] for power in o.centers}


def _bangkok(o: Outcome) -> Points:
    if o.winners:
        return _won(o, o.total // 2 + 1 + 12 + 8 + 3, {p: c / 2 for p, c in o.centers.items()})
    shares = {p: max(0, 3 - (o.most - c)) for p, c in o.centers.items()}
    bonus = {p: 12 * share / sum(shares.values()) for p, share in shares.items()}
    return {p: c + bonus[p] + (0.3 * o.out[p] if p in o.out else 3) for p, c in o.centers.items()}


def _manorcon(o: Outcome) -> Points:
    lived = {p: 0.1 * o.out.get(p, o.years) for p in o.centers}
    if o.winners:
        return _won(o, 75, lived)
    percent = _percent({p: c**2 + 4 * c + 16 for p, c in o.centers.items()})
    return {p: percent[p] if p in o.alive else lived[p] for p in o.centers}


def _dixie(o: Outcome) -> Points:
    places = o.places()
    if not o.winners:  # the draw is the first place, which all who are in it share
        places = (o.drawn, *(left for tied in places if (left := tuple(p for p in tied if p not in o.drawn))))
    placed = by_place(places, (270, 70, 50, 34, 20, 10))
    return {p: placed[p] + 4 * c for p, c in o.centers.items()}


def _rank(o: Outcome) -> Points:
    worth = range(len(o.centers), 0, -1)
    return _won(o, sum(worth)) if o.winners else by_place(o.places(), worth)


POINTS: Mapping[str, Callable[[Outcome], Points]] = {
    "draw-size": _draw_size,
    "sum-of-squares": _squares,
    "c-diplo": partial(_c_diplo, prize=lambda powers, centers: powers + centers + sum(BONUSES[:powers])),
    "c-diplo-73": partial(_c_diplo, prize=lambda _, centers: centers + 39),
    "c-diplo-namur": partial(
        _c_diplo, prize=lambda _, centers: centers + 39, lost=-15, survival=(0, 4, 7, 9, 10, 11, 12)
    ),
    "carnage": _carnage,
    "carnage-dead-equal": partial(_carnage, dead_equal=True),
    "carnage-2023": partial(_carnage, lead=300),
    "carnage-centers": partial(_carnage, place=1001, center=500, lost=1000),
    "tribute": _tribute,
    "open-tribute": _open_tribute,
    "detour": _detour,
    "bangkok": _bangkok,
    "manorcon": _manorcon,
    "dixie": _dixie,
    "rank": _rank,
    "solo": lambda o: _won(o, 100) if o.winners else dict.fromkeys(o.centers, 0.0),
}
"""The points of each power, by the keys of the systems."""
DECLARED = read_toml(files("legation.scoring").joinpath("systems.toml").read_text(encoding="utf-8"))["system"]
SYSTEMS = {system.key: system for system in msgspec.convert(DECLARED, list[System])}
