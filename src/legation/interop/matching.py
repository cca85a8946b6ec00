"""Two boards held against each other, whatever their provinces and coasts are called: whether they are one board."""

from collections.abc import Mapping

from legation.board import Board, province_of
from legation.board.model import Travel, fold
from legation.interop.record import Place
from legation.variants import find_boards, shipped_board

Fact = tuple[object, ...]


def board_with(places: Mapping[str, Place]) -> tuple[Board, dict[str, str]] | None:
    """The board of ours that has the same provinces by their names, or else their codes, and which of them each is."""
    for _, folder in sorted(find_boards().items()):
        ours = shipped_board(folder)
        names = {fold(name): p.id for p in ours.provinces.values() for name in (p.name, *p.aliases)}
        found = {key: names.get(fold(place.name)) or key for key, place in places.items()}
        same = {key for key, id in found.items() if id in ours.provinces and ours.provinces[id].sea == places[key].sea}
        if len(same) == len(places) == len({*found.values()}) == len(ours.provinces):
            return ours, found
    return None


def counterparts(one: Board, other: Board) -> dict[str, str]:
    """For provinces of one board those of the other: matched by id, else by a name of theirs, else by neighbors."""
    found = {key: key for key in one.provinces if key in other.provinces}
    names = {fold(n): p.id for p in other.provinces.values() for n in (p.name, *p.aliases)}
    for key, province in one.provinces.items():
        said = [names[fold(n)] for n in (province.name, *province.aliases) if fold(n) in names]
        if said and (key not in found or (fold(province.name) in names and names[fold(province.name)] != key)):
            found[key] = said[0]
    for _ in range(4):
        taken = set(found.values())
        for key in [k for k in one.provinces if k not in found]:
            near = {found[n] for n in one.adjacent(key) if n in found}
            fitting = [
                k for k in other.provinces if k not in taken and len(near) > 1 and near <= set(other.adjacent(k))
            ]
            if len(fitting) == 1:
                found[key] = fitting[0]
                taken.add(fitting[0])
    return found


def like_placed(one: Board, other: Board) -> dict[str, str]:
    """For provinces of one board those of the other that lie alike in it, whatever they are called; none if some lie
    alike in one board, or the boards are not alike."""
    first, second = _spots(one), _spots(other)
    at = {spot: key for key, spot in second.items()}
    if len(at) < len(second) or {*first.values()} != at.keys() or len(first) > len(at):
        return {}
    return {key: at[spot] for key, spot in first.items()}


def _spots(board: Board) -> dict[str, int]:
    """A number for each province; two have the same if they agree in kind, coasts and center, and so do all around."""
    spots = {p.id: hash((p.sea, p.shore, len(p.coasts), p.center)) for p in board.provinces.values()}
    ways = {
        key: [
            (travel, at != key, province_of(to))
            for travel in ("army", "fleet")
            for at in (key, *(f"{key}/{coast}" for coast in board.provinces[key].coasts))
            for to in board.reach(travel, at)
        ]
        for key in board.provinces
    }
    kinds = 0
    while len({*spots.values()}) > kinds:
        kinds = len({*spots.values()})
        spots = {
            key: hash((spots[key], *sorted(hash((*how, spots[to])) for *how, to in found)))
            for key, found in ways.items()
        }
    return spots


def locations(one: Board, other: Board, found: Mapping[str, str]) -> dict[str, str]:
    """For provinces and coasts of one board those of the other: a coast that has another name there is the one with the
    same waters."""
    match = dict(found)
    for key, there in found.items():
        free = [coast for coast in other.provinces[there].coasts if coast not in one.provinces[key].coasts]
        for coast in one.provinces[key].coasts:
            if coast in other.provinces[there].coasts:
                match[f"{key}/{coast}"] = f"{there}/{coast}"
                continue
            waters = {found.get(province_of(n)) for n in one.reach("fleet", f"{key}/{coast}")}
            for name in free:
                if {province_of(n) for n in other.reach("fleet", f"{there}/{name}")} == waters:
                    match[f"{key}/{coast}"] = f"{there}/{name}"
    return match


def facts_of(board: Board, names: Mapping[str, str]) -> set[Fact]:
    """What a board says, each fact a tuple: its provinces with their kinds, coasts and centers, and every step of every
    kind of travel. ``names`` are another board's for its provinces and coasts; a coast without one keeps its own, a
    province without one has a question mark."""

    def named(place: str) -> str:
        key, slash, coast = place.partition("/")
        return names.get(place) or names.get(key, f"? {key}") + slash + coast

    provinces = {
        (named(p.id), p.sea, p.shore, p.center, *sorted(named(f"{p.id}/{coast}") for coast in p.coasts))
        for p in board.provinces.values()
    }
    travels: tuple[Travel, ...] = ("army", "fleet")
    return provinces | {
        (travel, named(at), named(to)) for travel in travels for at in board.locations for to in board.reach(travel, at)
    }


def differences(one: Board, other: Board, found: Mapping[str, str]) -> tuple[set[Fact], set[Fact]]:
    """What only the first and only the second of two boards says, in the second one's names; ``found`` are the
    counterparts of the first one's provinces."""
    here, there = facts_of(one, locations(one, other, found)), facts_of(other, {key: key for key in other.provinces})
    return here - there, there - here
