"""The scoring systems, each a declaration with its formula, its source, a worked example, and one small function."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import msgspec

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
    points: Callable[[Outcome], Points]
    constant: bool = True
    takes_all: bool = True
    differs: str = ""

    def score(self, outcome: Outcome) -> Points:
        """Return the points of each power."""
        return {power: round(points, 6) for power, points in self.points(outcome).items()}


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


WIKI = "World Diplomacy Wiki"
DATABASE = "World Diplomacy Database"
VISUALISER = "Diplomacy Tournament Visualiser (Chris Brand)"
CARNAGE = Example(
    (14, 7, 6, 4, 3, 0, 0),
    (7014, 6007, 5006, 4004, 3003, 2000, 1000),
    (5, 3),
    source="webDiplomacy’s forum, note on Carnage",
)
NAMUR = (0, 4, 7, 9, 10, 11, 12)
SYSTEMS: dict[str, System] = {
    system.key: system
    for system in (
        System(
            "draw-size",
            "Draw size",
            "100 points to a solo, or divided equally among those who share the draw. Nobody else scores.",
            ("The rules of Diplomacy", "webDiplomacy: draw-size scoring"),
            Example(
                (14, 12, 8, 0, 0, 0, 0),
                (100 / 3, 100 / 3, 100 / 3, 0, 0, 0, 0),
                source="PlayDiplomacy’s forum: a third each in a three-way draw",
            ),
            "The same for any number of powers.",
            _draw_size,
        ),
        System(
            "sum-of-squares",
            "Sum of squares",
            "100 points to a solo. Otherwise 100 points divided by the squares of the centers that each power owns.",
            ("DAANZ: Squares Scoring System", "webDiplomacy: sum of squares"),
            Example((15, 14, 5, 0, 0, 0, 0), (22500 / 446, 19600 / 446, 2500 / 446, 0, 0, 0, 0)),
            "The same for any number of powers and centers.",
            _squares,
        ),
        System(
            "c-diplo",
            "C-Diplo",
            "1 point for playing, 1 for each center, 38 for the first place, 14 for the second and 7 for the third; "
            "ties share. A solo scores 100, and nobody else anything.",
            (f"{DATABASE}: C-Diplo 100 (Bruno-André Giraudon)", "Toby Harris, “C-Diplo – Saint or Sinner?”"),
            Example((9, 7, 7, 4, 4, 3, 0), (48, 18.5, 18.5, 5, 5, 4, 1), source=f"{DATABASE}: C-Diplo 100"),
            "Bonuses stay as they are; a solo scores what a game gives out.",
            partial(_c_diplo, prize=lambda powers, centers: powers + centers + sum(BONUSES[:powers])),
            differs="Many tournaments score a solo 73: that is C-Diplo 73.",
        ),
        System(
            "c-diplo-73",
            "C-Diplo 73",
            "C-Diplo, but a solo scores 73: 38 for the first place, 34 centers and 1 for playing.",
            ("Diplomania: C-Diplo, official system", "EuroDipCon 4, tournament rules (1996)"),
            Example(
                (11, 8, 8, 3, 3, 1, 0),
                (50, 19.5, 19.5, 4, 4, 2, 1),
                source="EuroDipCon 4, tournament rules: the game of its example",
            ),
            "Bonuses stay as they are; a solo scores the board’s centers and 39.",
            partial(_c_diplo, prize=lambda _, centers: centers + 39),
            differs="EuroDipCon 4 gave losers of a solo their point for playing; Diplomania’s wiki gives them 0, as "
            "here.",
        ),
        System(
            "c-diplo-namur",
            "C-Diplo Namur",
            "C-Diplo with points for survival: 4 for 1 center, 7 for 2, 9 for 3, 10 for 4, 11 for 5, 12 for 6 or "
            "more. A solo scores 73, and everybody else -15.",
            ("Diplomacy National World Cup, edition one", "stabbeurfou.org: C-Diplo Namur with solo aggravation"),
            Example((11, 8, 8, 3, 3, 1, 0), (62, 31.5, 31.5, 13, 13, 6, 1)),
            "Bonuses stay as they are; a solo scores the board’s centers and 39.",
            partial(_c_diplo, prize=lambda _, centers: centers + 39, lost=-15, survival=NAMUR),
            constant=False,
            takes_all=False,
        ),
        System(
            "carnage",
            "Carnage",
            "7000 points for the first place, 6000 for the second, down to 1000; 1 for each center. Ties share. Powers "
            "that are out come after the others, the last one eliminated first. A solo takes all 28034.",
            (f"{WIKI}: Carnage", "Liberty Cup, scoring"),
            CARNAGE,
            "As many thousands for the first place as there are powers; a solo takes all places and all centers.",
            _carnage,
        ),
        System(
            "carnage-dead-equal",
            "Carnage, eliminated powers equal",
            "Carnage, but powers that are out share their places, whenever they were eliminated.",
            (VISUALISER,),
            Example((5, 5, 5, 5, 4, 4, 4), (5505, 5505, 5505, 5505, 2004, 2004, 2004), source=VISUALISER),
            "As Carnage.",
            partial(_carnage, dead_equal=True),
        ),
        System(
            "carnage-2023",
            "Carnage 2023",
            "Carnage, and 300 points to a sole leader for each center ahead of the second.",
            (VISUALISER,),
            Example((14, 7, 6, 4, 3, 0, 0), (9114, 6007, 5006, 4004, 3003, 2000, 1000), (5, 3)),
            "As Carnage. Between two powers, a large lead can be worth more than a solo.",
            partial(_carnage, lead=300),
            constant=False,
        ),
        System(
            "carnage-centers",
            "Center-count Carnage",
            "7007 points for the first place, 6006 for the second, down to 1001; 500 for each center. A solo scores "
            "39028, and everybody else 1000.",
            (VISUALISER,),
            Example((14, 7, 6, 4, 3, 0, 0), (14007, 9506, 8005, 6004, 4503, 2002, 1001), (5, 3)),
            "1001 for each place; a solo takes all places and all centers, less 1000 for each of the others.",
            partial(_carnage, place=1001, center=500, lost=1000),
            takes_all=False,
        ),
        System(
            "tribute",
            "Tribute",
            "1 point for each center; survivors divide 66 points. Each survivor pays the leader 1 point for each "
            "center that the leader has beyond 6, but not more than was received for surviving; leaders who tie "
            "divide it. A solo takes all 100.",
            ("Windy City Weasels: Tribute (Brandon Fogel)", f"{WIKI}: Tribute"),
            Example(
                (13, 12, 4, 4, 1, 0, 0), (54.2, 18.2, 10.2, 10.2, 7.2, 0, 0), source="Windy City Weasels, game 398"
            ),
            "A board’s centers count as 34, so each may count for more or less than one.",
            _tribute,
        ),
        System(
            "open-tribute",
            "OpenTribute",
            "34 points and 3 for each center. Each power, also one that is out, pays the leader 1 point for each "
            "center that it is behind. Leaders who tie, say two, get a quarter of it each, rounded down. Who is out "
            "ends with 0. A solo takes 340.",
            ("Windy City Weasels: OpenTribute", "diplobn.com: OpenTribute"),
            Example(
                (13, 12, 4, 4, 1, 0, 0),
                (130, 69, 37, 37, 25, 0, 0),
                source="Windy City Weasels: 10 × centers to a sole leader, 34 + 4 × centers - the leader’s to other "
                "survivors",
            ),
            "As many points as the board has centers instead of 34; a solo takes 3 more than there are powers for "
            "each.",
            _open_tribute,
            constant=False,
        ),
        System(
            "detour",
            "Detour",
            "Survivors get 2 points, 1 for each center, 4, 3, 2 and 1 for the first four places (ties get the points "
            "of the lowest place that they share), and a sole leader the lead over the second; all that is scaled to "
            "100. Powers that are out get 0.25 for each year before the one in which they were eliminated, at most 2. "
            "A solo scores 110.",
            ("Diplomacy National World Cup, edition two", VISUALISER),
            Example((12, 8, 8, 4, 2, 0, 0), (2200 / 57, 1200 / 57, 1200 / 57, 700 / 57, 400 / 57, 1, 0.25), (5, 2)),
            "The same for any number of powers and centers.",
            _detour,
            constant=False,
            differs="The Visualiser gives losers of a solo 0.25 a year, too; the World Cup’s rules give them nothing, "
            "as here. Detour 98 gives 1 point for surviving instead of 2.",
        ),
        System(
            "bangkok",
            "Bangkok",
            "1 point for each center; 12 divided by shares: 3 for leaders, 2 for powers one center behind, 1 for those "
            "two behind; 3 for surviving, or 0.3 for each year until elimination. A solo scores 41, and others half a "
            "point for each center.",
            (f"{WIKI}: Bangkok 2020",),
            Example(
                (12, 11, 10, 1, 0, 0, 0), (21, 18, 15, 4, 1.5, 1.5, 1.5), (5, 5, 5), source=f"{WIKI}: Bangkok 2020"
            ),
            "A solo scores one more than half of the centers, and 23.",
            _bangkok,
            constant=False,
            takes_all=False,
            differs="The Visualiser counts one year less for powers that are out; the wiki’s example (1905: five "
            "years) is followed.",
        ),
        System(
            "manorcon",
            "ManorCon",
            "Of 100 points, survivors get the share that S² + 4S + 16 has in the sum of all powers’, S being their "
            "centers. Powers that are out get 0.1 for each year that they played. A solo scores 75, and others 0.1 a "
            "year.",
            ("ManorCon: Diplomacy tournament scoring system",),
            Example(
                (12, 10, 6, 4, 2, 0, 0),
                (20800 / 548, 15600 / 548, 7600 / 548, 4800 / 548, 2800 / 548, 0.5, 0.3),
                (5, 3),
            ),
            "The same for any number of powers and centers.",
            _manorcon,
            constant=False,
            takes_all=False,
            differs="Older forms score a solo 100 (stabbeurfou.org: Squares). The Visualiser doesn’t count the year "
            "of the elimination; ManorCon’s page does, as here.",
        ),
        System(
            "dixie",
            "Dixie",
            "270 points for a win, 70 for the second place, then 50, 34, 20, 10, 0; 4 for each center. Who is in a "
            "draw divides the points of the first places, as many as they are; ties share. Powers that are out come "
            "last, the last one eliminated first.",
            ("DixieCon, tournament rules (David Hood, Mike Lowry)",),
            Example(
                (17, 17, 0, 0, 0, 0, 0),
                (238, 238, 50, 34, 20, 10, 0),
                (7, 6, 5, 4, 3),
                2,
                "DixieCon: 170 each in a two-way draw",
            ),
            "The first six places score; others score for their centers alone.",
            _dixie,
            takes_all=False,
        ),
        System(
            "rank",
            "Rank",
            "7 points for the first place, 6 for the second, down to 1; ties share. Powers that are out come last, the "
            "last one eliminated first. A solo takes all 28.",
            ("Carnage without its points for centers, as for games online (NoPunIn10Did)",),
            Example((8, 8, 7, 6, 4, 1, 0), (6.5, 6.5, 5, 4, 3, 2, 1)),
            "As many points for the first place as there are powers.",
            _rank,
        ),
        System(
            "solo",
            "Solo only",
            "100 points to a solo. In every other game nobody scores.",
            ("stabbeurfou.org and the Visualiser: solos",),
            Example((18, 10, 6, 0, 0, 0, 0), (100, 0, 0, 0, 0, 0, 0)),
            "The same for any number of powers.",
            lambda o: _won(o, 100) if o.winners else dict.fromkeys(o.centers, 0.0),
        ),
    )
}
