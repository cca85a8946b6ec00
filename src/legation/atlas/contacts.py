"""Where provinces touch in the shapes of a board: which borders that shows, and where its tables say otherwise; and
which seas the named coasts of a province touch. Pure Python.

Two lands touch when their common line is long enough (``least`` in ``shapes.json``), likewise two seas, and a land and
a sea. Two coasts are neighbors for fleets where the line between their lands ends at a sea that both touch.

Where a board says nothing of the seas of coasts, the compass does: a province with as many coasts as its shore has
stretches has one coast on each, and one with as many coasts as seas has one on each of these. In every other case
somebody must say it."""

import itertools
import math
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

import msgspec

from legation.atlas.shapes import Place, Shapes, closed_by_lines, contacts, meetings, true_sides
from legation.board.files import COAST_CODES, BoardFault, BoardFiles, build_board
from legation.board.model import Board, Border, Province, parts, province_of
from legation.board.seas import derive_sea_borders

Pair = tuple[str, str]
Shore = tuple[list[Place], str]
"""A line of a shore and the sea along it."""
SeasOfCoasts = Mapping[tuple[str, str], frozenset[str]]
"""Which seas each named coast touches."""


class Link(msgspec.Struct, frozen=True):
    """A row of ``links.csv``: two locations, who is concerned, whether the connection is added to the picture's or
    removed, and how it is to be drawn."""

    a: str
    b: str
    army: bool
    fleet: bool
    add: bool
    draw: str = ""
    """``bridge``, ``barrier``, ``none``, or empty: as is usual."""
    reason: str = ""

    @property
    def pair(self) -> Pair:
        """The two provinces."""
        return _pair(province_of(self.a), province_of(self.b))


class Contacts(msgspec.Struct, frozen=True):
    """What the picture shows: common lengths in km of lands, of seas, of land and sea; and for coasts that meet, the
    seas where they do."""

    lands: Mapping[Pair, float]
    waters: Mapping[Pair, float]
    shores: Mapping[Pair, float]
    coasting: Mapping[Pair, frozenset[str]]


def _pair(a: str, b: str) -> Pair:
    return (a, b) if a < b else (b, a)


def measure_contacts(provinces: Mapping[str, Province], shapes: Shapes) -> Contacts:
    """Measure the picture. Contacts below the least lengths are left out."""
    lands: dict[Pair, float] = {}
    waters: dict[Pair, float] = {}
    shores: dict[Pair, float] = {}
    boxes = {name for name, shape in shapes.provinces.items() if shape.box}
    for (a, b), length in contacts(shapes).items():
        if a not in provinces or b not in provinces or a in boxes or b in boxes:
            continue
        wet = provinces[a].sea + provinces[b].sea
        lengths, least = ((lands, shapes.least.border), (shores, shapes.least.coast), (waters, shapes.least.sea))[wet]
        if length >= least:
            lengths[a, b] = length
    coasting: dict[Pair, frozenset[str]] = {}
    for (a, b), others in meetings(shapes).items():
        if (a, b) in lands:
            seas = frozenset(o for o in others if _pair(a, o) in shores and _pair(b, o) in shores)
            if seas and not provinces[a].inland and not provinces[b].inland:
                coasting[a, b] = seas
    return Contacts(lands, waters, shores, coasting)


def derive(
    provinces: Mapping[str, Province], measured: Contacts, links: Iterable[Link], seas_of_coasts: SeasOfCoasts
) -> tuple[list[Border], list[Pair]]:
    """The borders that follow from the picture and the declared links, and the touching pairs where seas form areas
    (else none)."""
    army, fleet = {*measured.lands}, {*measured.waters}

    def locations(province: str, seas: Iterable[str]) -> list[str]:
        coasts = provinces[province].coasts
        washed = [coast for coast in coasts if seas_of_coasts.get((province, coast), frozenset()) & {*seas}]
        return [f"{province}/{coast}" for coast in washed] if coasts else [province]

    for a, b in measured.shores:
        land, sea = (b, a) if provinces[a].sea else (a, b)
        if not provinces[land].inland:
            fleet |= {_pair(location, sea) for location in locations(land, [sea])}
    for (a, b), seas in measured.coasting.items():
        for sea in seas:
            fleet |= {_pair(la, lb) for la in locations(a, [sea]) for lb in locations(b, [sea])}
    for link in links:
        if link.army:
            (army.add if link.add else army.discard)(link.pair)
        if link.fleet and link.add:
            fleet.add(_pair(link.a, link.b))
        elif link.fleet:
            fleet = {(a, b) for a, b in fleet if not _covers(link, a, b)}
    touching: list[Pair] = []
    if any(p.sea and p.area for p in provinces.values()):
        touching = sorted((a, b) for a, b in fleet if provinces[province_of(a)].sea or provinces[province_of(b)].sea)
        fleet -= {*touching}
    pairs = sorted(army | fleet)
    return [Border(a, b, (a, b) in army, (a, b) in fleet) for a, b in pairs], touching


def closed_links(shapes: Shapes, known: Container[str]) -> list[Link]:
    """What the lines of a board close, as links."""
    return [
        Link(a, b, link.stops in ("army", "both"), link.stops in ("fleet", "both"), False, "none", RIMS[link.kind])
        for (a, b), link in sorted(closed_by_lines(shapes).items())
        if a in known and b in known
    ]


RIMS = {"river": "a river", "mountains": "mountains", "border": "a closed border"}
"""What a line is called, as a reason."""


def border_tables(files: BoardFiles, shapes: Shapes) -> dict[str, list[dict[str, str]]]:
    """The tables ``borders`` and (where seas form areas) ``touching``, as they follow from the picture and the links of
    a board; what is wrong with the board is noted with the files."""
    board = build_board(files)
    measured = measure_contacts(board.provinces, shapes)
    links = [*closed_links(shapes, board.provinces), *read_links(files, board.provinces)]
    seas = {
        (row["id"], COAST_CODES.get(row["coast"], row["coast"])): frozenset(row["seas"].split("|"))
        for row in files.rows("seas_of_coasts")
    }
    seas |= seas_by_compass(shapes, board.provinces, seas)
    silent = silent_coasts(board.provinces, seas)
    for row in files.rows("land"):
        if row["id"] in silent:
            words = ", ".join(f"{row['id']},{coast},..." for coast in silent[row["id"]])
            files.fault(
                row.place,
                f"nothing says which seas the coasts of {row['id']} touch: add rows to seas_of_coasts.csv ({words})",
            )
    borders, touching = derive(board.provinces, measured, links, seas)
    tables = {"borders": [{"a": b.a, "b": b.b, "army": str(int(b.army)), "fleet": str(int(b.fleet))} for b in borders]}
    return tables | ({"touching": [{"a": a, "b": b} for a, b in touching]} if touching else {})


def _covers(link: Link, a: str, b: str) -> bool:
    """Whether a link speaks of two locations; a province stands for all its coasts."""
    one, other = (a, province_of(a)), (b, province_of(b))
    return (link.a in one and link.b in other) or (link.a in other and link.b in one)


def compare(board: Board, shapes: Shapes, links: Sequence[Link]) -> list[BoardFault]:
    """Every difference between the picture and the board's borders that no link declares, and every border that is too
    short to be seen, each with its mend."""
    provinces = board.provinces
    links = [*links, *closed_links(shapes, provinces)]
    measured = measure_contacts(provinces, shapes)
    lengths = contacts(shapes)
    faults = _not_drawn(board, shapes)
    for travel, people in (("army", "armies"), ("fleet", "fleets")):
        spoken = [link for link in links if (link.army if travel == "army" else link.fleet)]
        drawn = {*measured.lands} if travel == "army" else drawn_for_fleets(provinces, measured, links)
        stated = {b.pair for b in board.borders if (b.army if travel == "army" else b.fleet)}
        added = {link.pair for link in spoken if link.add}
        removed = {link.pair for link in spoken if not link.add}
        for a, b in sorted(drawn - stated - removed - added):
            if length := lengths.get((a, b), 0.0):  # else it follows from a sea area, whose own contacts are told
                meeting = travel == "fleet" and not (provinces[a].sea or provinces[b].sea)
                faults.append(_unstated(a, b, people, length, measured.coasting[a, b] if meeting else ()))
        for a, b in sorted(stated - drawn - added):
            faults.append(_undrawn(a, b, people, lengths, travel == "fleet" and (a, b) in measured.lands))
        for pairs, word in ((added - stated, "joined"), (removed & stated, "parted")):
            faults += [
                BoardFault("links.csv", f"{a} and {b} are {word} for {people} here but not in borders.csv")
                for a, b in sorted(pairs)
            ]
    return [*faults, *_shores_of_inland(provinces, measured, links), *_hardly_seen(board, shapes, measured, links)]


def _not_drawn(board: Board, shapes: Shapes) -> list[BoardFault]:
    """Provinces without a shape, and shapes of no province."""
    missing, strange = "is not drawn: give it points and", "is drawn but isn't a province of the board:"
    told = [f"{name} {missing}" for name in board.provinces if name not in shapes.provinces]
    told += [f"{name} {strange}" for name in shapes.provinces if name not in board.provinces]
    return [BoardFault("shapes.json", f"{text} grow the board again") for text in told]


def drawn_for_fleets(provinces: Mapping[str, Province], measured: Contacts, links: Sequence[Link] = ()) -> set[Pair]:
    """Between which provinces the picture lets fleets pass."""
    touching = [*measured.waters, *(p for p in measured.shores if not _inland(provinces, p))]
    if not any(p.sea and p.area for p in provinces.values()):
        return {*measured.coasting, *touching}
    for link in links:  # a declared contact with one region of an area is a contact with the area
        if link.fleet:
            wet = [p for p in link.pair if provinces[p].sea]
            if wet and link.add:
                touching.append(link.pair)
            elif wet:
                touching = [p for p in touching if p != link.pair]
    return {*measured.coasting, *(_pair(b.a, b.b) for b in derive_sea_borders(provinces, touching))}


def _unstated(a: str, b: str, people: str, length: float, seas: Iterable[str]) -> BoardFault:
    """A border that the picture shows and no table states; ``seas``: where two coasts meet."""
    what = (
        f"are two coasts that meet at {_some(seas)} on the picture, but no fleet may pass"
        if seas
        else f"touch for {length:.0f} km on the picture but have no border for {people}"
    )
    return BoardFault("borders.csv", f"{a} and {b} {what}: add it to borders.csv or declare a barrier in links.csv")


def _undrawn(a: str, b: str, people: str, lengths: Mapping[Pair, float], at_no_sea: bool) -> BoardFault:
    """A border that is stated and that the picture does not show."""
    length = lengths.get((a, b), 0.0)
    short = f"share only {length:.1f} km of line" if length else f"do not touch{_between(a, b, lengths)}"
    return BoardFault(
        "borders.csv",
        f"{a} and {b} are neighbors for {people} but {'meet at no common sea' if at_no_sea else short} on the picture: "
        "mend the points or declare a bridge in links.csv",
    )


def _shores_of_inland(
    provinces: Mapping[str, Province], measured: Contacts, links: Sequence[Link]
) -> Iterator[BoardFault]:
    for a, b in sorted(p for p in measured.shores if _inland(provinces, p)):
        if not any(link.pair == (a, b) and not link.add for link in links):
            land, sea = (b, a) if provinces[a].sea else (a, b)
            yield BoardFault(
                "land.csv",
                f"{land} is inland but has {measured.shores[a, b]:.0f} km of coast on {sea} in the picture: "
                "give it a coast, or move points, or declare a barrier in links.csv",
            )


HARDLY_SEEN = 1 / 700
"""The share of a map's longer side below which a border is not seen: two dots of type on a page."""


def _hardly_seen(board: Board, shapes: Shapes, measured: Contacts, links: Sequence[Link]) -> Iterator[BoardFault]:
    """Borders that the picture shows over so short a line that nobody would see them there."""
    size = max(shapes.width, shapes.height)
    stated = {border.pair for border in board.borders}
    declared = {link.pair for link in links}
    for (a, b), length in sorted({**measured.lands, **measured.waters, **measured.shores}.items()):
        if (a, b) in stated - declared and length < size * HARDLY_SEEN:
            yield BoardFault(
                "borders.csv",
                f"{a} and {b} share only {length:.1f} km, too little to be seen on a map of {size:,.0f} km: move their "
                f"points, or part them (least_border = {size / 400:.0f} in board.toml's [grow] parts all such)",
            )


def _between(a: str, b: str, lengths: Mapping[Pair, float]) -> str:
    """Which provinces lie between two that do not touch, if they are next to both."""
    beside = [{p for pair in lengths if end in pair for p in pair if p != end and p[0] != "~"} for end in (a, b)]
    return f" ({_some(beside[0] & beside[1])} between them)" if beside[0] & beside[1] else ""


def _inland(provinces: Mapping[str, Province], pair: Pair) -> bool:
    return any(provinces[p].inland for p in pair)


def _some(names: Iterable[str]) -> str:
    return " and ".join(sorted(names))


def read_links(files: BoardFiles, known: Container[str] | None = None) -> list[Link]:
    """The declared links of a board folder; where it is said which provinces are ``known``, those between them."""
    links = [
        Link(
            row["a"],
            row["b"],
            row["kind"] in ("army", "both"),
            row["kind"] in ("fleet", "both"),
            row["change"] == "add",
            row["draw"],
            row["reason"],
        )
        for row in files.rows("links")
    ]
    return [link for link in links if known is None or all(end in known for end in link.pair)]


WAYS: Mapping[str, float] = {"ec": 0, "nec": 45, "nc": 90, "nwc": 135, "wc": 180, "swc": 225, "sc": 270, "sec": 315}
"""Where each coast lies, in degrees against the clock from the east."""
MOST_COASTS = 5


def shores_of(shapes: Shapes, provinces: Mapping[str, Province]) -> dict[str, list[list[Shore]]]:
    """Return the shores of each land province, the longest first; a shore is a chain of border lines along water."""
    arcs: dict[str, list[Shore]] = defaultdict(list)
    for arc, beside, _ in true_sides(shapes):
        for name, other in itertools.permutations(beside, 2):
            if name in provinces and other in provinces and not provinces[name].sea and provinces[other].sea:
                arcs[name].append((arc, other))
    return {name: _stretches(lines) for name, lines in arcs.items()}


def length_of(line: Sequence[Place]) -> float:
    """The length of a line."""
    return sum(math.dist(p, q) for p, q in itertools.pairwise(line))


def _stretches(lines: list[Shore]) -> list[list[Shore]]:
    at: dict[Place, set[int]] = defaultdict(set)
    for number, (line, _) in enumerate(lines):
        for end in (line[0], line[-1]):
            at[end].add(number)
    found = parts({number: at[line[0]] | at[line[-1]] for number, (line, _) in enumerate(lines)})
    stretches = [[lines[number] for number in sorted(part)] for part in found]
    return sorted(stretches, key=lambda part: (-sum(length_of(line) for line, _ in part), part[0][0]))


def silent_coasts(provinces: Mapping[str, Province], known: SeasOfCoasts) -> dict[str, tuple[str, ...]]:
    """The coasts of those provinces of which no coast has its seas listed by the board."""
    return {
        name: p.coasts
        for name, p in provinces.items()
        if p.coasts and not any((name, coast) in known for coast in p.coasts)
    }


def seas_by_compass(shapes: Shapes, provinces: Mapping[str, Province], known: SeasOfCoasts) -> SeasOfCoasts:
    """The seas that each coast touches of which the board says nothing; those of which the picture tells nothing for
    certain are left out."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    silent = silent_coasts(provinces, known)
    shores = shores_of(shapes, provinces) if silent else {}
    for name, codes in silent.items():
        stretches = shores.get(name, [])
        by_sea: dict[str, list[Shore]] = defaultdict(list)
        for shore in itertools.chain(*stretches):
            by_sea[shore[1]].append(shore)
        shared = stretches if len(stretches) == len(codes) else list(by_sea.values())
        if len(shared) != len(codes) or not 2 <= len(codes) <= MOST_COASTS:
            continue
        for code, part in zip(codes, _turned(shared, codes), strict=True):
            found[name, code] = frozenset(sea for _, sea in part)
    return found


def _turned(parts: list[list[Shore]], codes: Sequence[str]) -> Sequence[list[Shore]]:
    """The parts in the order of the coasts that they fit best."""
    middles = [_middle([line for line, _ in part]) for part in parts]
    x, y = (sum(middle[i] for middle in middles) / len(middles) for i in (0, 1))

    def misfit(order: tuple[int, ...]) -> float:
        way = 0.0
        for code, number in zip(codes, order, strict=True):
            angle = math.radians(WAYS[code])
            mx, my = middles[number]
            far = math.dist((x, y), (mx, my)) or 1.0
            way -= ((mx - x) * math.cos(angle) - (my - y) * math.sin(angle)) / far
        return round(way, 9)

    best = min(itertools.permutations(range(len(parts))), key=lambda order: (misfit(order), order))
    return [parts[number] for number in best]


def _middle(lines: Sequence[Sequence[Place]]) -> Place:
    x = y = whole = 0.0
    for (ax, ay), (bx, by) in itertools.chain(*map(itertools.pairwise, lines)):
        length = math.dist((ax, ay), (bx, by))
        x, y, whole = x + length * (ax + bx) / 2, y + length * (ay + by) / 2, whole + length
    return (x / whole, y / whole) if whole else lines[0][0]
