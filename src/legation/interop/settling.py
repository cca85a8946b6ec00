"""What a foreign record leaves open, settled once for all formats: ids, coasts, doubled names, borders both ways.

Each decision is told in the record's report."""

import re
import unicodedata
from collections.abc import Iterator, Mapping

import msgspec

from legation.atlas.style import difference
from legation.board import Board, Border, Province, province_of
from legation.board.model import COAST_NAMES, fold, parts
from legation.interop.matching import counterparts, differences, like_placed, locations
from legation.interop.record import ForeignVariant, Nation, Place, StartingUnit, clean
from legation.interop.renaming import rename_places, without_marks
from legation.interop.sources import ForeignFileError
from legation.notation.lexicon import lexicon
from legation.rules.calendar import COUNT_YEARS, FEWEST_DOWN
from legation.variants import find_boards, shipped_board

MOST_PLACES = 1500
PLAIN = 0.03
"""From which difference on two powers' colors are apart (:func:`legation.atlas.style.difference`)."""
SQUARE = re.compile(r"[A-Za-z] \d{1,3}")
"""A name of a letter and a number, which are written together."""


def settle(variant: ForeignVariant) -> ForeignVariant:
    """The record with our ids for its keys, borders both ways, and nothing that a board cannot hold.

    :raises ForeignFileError: if nothing is left that could be played."""
    if not variant.places:
        raise ForeignFileError(f"{variant.file}: no province was found")
    if len(variant.places) > MOST_PLACES:
        raise ForeignFileError(f"{variant.file}: has more than {MOST_PLACES} provinces")
    if not variant.nations:
        raise ForeignFileError(f"{variant.file}: no power was found")
    if parted := [key for key in variant.places if "/" in key]:
        raise ForeignFileError(
            f"{variant.file}: the code {parted[0][:40]!r} has a slash, which parts codes from coasts"
        )
    whole = msgspec.convert(msgspec.to_builtins(variant), ForeignVariant)
    _ends(whole)
    _both_ways(whole)
    _shores(whole)
    _drop_impassable(whole)
    _rename(whole)
    _names(whole)
    _powers(whole)
    _as_ours(whole)
    _before_christ(whole)
    whole.rules = without_marks(whole.rules)
    return whole


def _before_christ(variant: ForeignVariant) -> None:
    """Years before Christ are counted down, where the game is long enough before it and no rule counts years."""
    if not variant.before_christ:
        return
    told = f"{variant.before_christ} B.C."
    counting = sorted(variant.rules.keys() & COUNT_YEARS)
    season, _, rest = variant.first.partition(" ")
    if variant.before_christ < FEWEST_DOWN or variant.opening or counting:
        why = f", as {', '.join(counting)} counts them" if counting else ""
        variant.left(told, f"years before Christ; the years here count up from 1{why}")
        return
    if season.isdecimal():  # turns are years
        variant.first = f"{variant.before_christ} {rest}"
    else:
        variant.first = f"{season} {variant.before_christ} {rest.partition(' ')[2]}"
    variant.rules["calendar"] = {"down": True}
    variant.took(told, "years are counted down: the rule calendar")


def _known(variant: ForeignVariant, location: str) -> bool:
    place = variant.place_of(location)
    return place is not None and location.partition("/")[2] in ("", *place.coasts)


def _ends(variant: ForeignVariant) -> None:
    """Borders end at places that exist; fleets' at the coasts of a place with several."""
    for place in variant.places.values():
        if len(place.coasts) == 1:
            _one_coast(variant, place)
    unknown = sorted({end for a, b in variant.army | variant.fleet for end in (a, b) if not _known(variant, end)})
    for end in unknown[:40]:
        variant.left(end, "borders name it, but no such province or coast is listed; those borders are left out")

    def sound(ways: set[tuple[str, str]]) -> set[tuple[str, str]]:
        return {way for way in ways if not {*unknown} & {*way} and province_of(way[0]) != province_of(way[1])}

    variant.army = {(province_of(a), province_of(b)) for a, b in sound(variant.army)}
    variant.fleet = sound(variant.fleet)
    for place in [p for p in variant.places.values() if p.coasts]:
        _whole_coasts(variant, place)
    for a, b in sorted((a, b) for a, b in variant.army if variant.places[a].sea or variant.places[b].sea):
        variant.army.discard((a, b))
        variant.left(f"{a} - {b}", "an army's border at sea")


def _one_coast(variant: ForeignVariant, place: Place) -> None:
    """A province with one named coast has a shore in one piece."""
    old = f"{place.key}/{place.coasts[0]}"
    place.coasts, place.shore = [], True
    variant.fleet = {(place.key if a == old else a, place.key if b == old else b) for a, b in variant.fleet}
    for nation in variant.nations:
        nation.units = [msgspec.structs.replace(u, at=place.key) if u.at == old else u for u in nation.units]


def _whole_coasts(variant: ForeignVariant, place: Place) -> None:
    """Fleet borders of a province with several coasts that name no coast: those of the coasts that state the way, or of
    the only coast that fits."""
    for a, b in sorted((a, b) for a, b in variant.fleet if place.key in (a, b)):
        variant.fleet.discard((a, b))
        other = b if a == place.key else a
        at = {coast: f"{place.key}/{coast}" for coast in place.coasts}
        stated = [c for c in place.coasts if {(at[c], other), (other, at[c])} & variant.fleet]
        chosen = stated or _only_fitting(variant, place, other)
        for coast in chosen:
            variant.fleet.add((at[coast], b) if a == place.key else (a, at[coast]))
        if not stated:
            text = f"the fleets' border {a} - {b} names no coast; " + (
                f"the coast {chosen[0]} is the only one that fits"
                if chosen
                else "it is left out, as more than one or none would fit"
            )
            (variant.guess if chosen else variant.left)(place.name, text)


def _only_fitting(variant: ForeignVariant, place: Place, other: str) -> list[str]:
    """The coast of a province from which fleets reach a sea that another place reaches too, if only one does."""

    def near(location: str) -> set[str]:
        seas = {to for at, to in variant.fleet if at == location} | {at for at, to in variant.fleet if to == location}
        return {sea for sea in seas if variant.places[province_of(sea)].sea}

    shores = near(other)
    fitting = [coast for coast in place.coasts if near(f"{place.key}/{coast}") & shores]
    return fitting if len(fitting) == 1 else []


def _both_ways(variant: ForeignVariant) -> None:
    """Borders that are stated in one direction only are one-way; fleets go back from where they couldn't leave."""
    for trap in sorted({b for _, b in variant.fleet} - {a for a, _ in variant.fleet}):
        near = sorted(a for a, b in variant.fleet if b == trap)
        variant.fleet |= {(trap, a) for a in near}
        variant.guess(
            f"{', '.join(near)} - {trap}", f"fleets could come to {trap} and never leave it; they may go back"
        )
    for what, ways in (("armies", variant.army), ("fleets", variant.fleet)):
        for a, b in sorted(ways):
            if (b, a) not in ways:
                variant.took(f"{a} - {b}", f"{what} pass from {a} to {b} and not back")


def _shores(variant: ForeignVariant) -> None:
    """Land that fleets reach has a shore, other land has none; coasts that nobody reaches are none."""
    ends = {end for pair in variant.fleet for end in pair}
    on_land = {end for pair in variant.army for end in pair}
    for place in variant.places.values():
        if place.sea:
            place.coasts, place.shore = [], False
            continue
        reached = [c for c in place.coasts if f"{place.key}/{c}" in ends]
        for coast in [c for c in place.coasts if c not in reached]:
            variant.left(f"{place.name} ({COAST_NAMES[coast]})", "no fleet can reach this coast")
        if len(reached) == 1 and len(place.coasts) > 1:
            place.coasts = reached
            _one_coast(variant, place)
            ends = {end for pair in variant.fleet for end in pair}
        elif place.coasts:
            place.coasts = reached
        shore = bool(place.coasts) or place.key in ends
        if place.shore and not shore and place.key in on_land:
            variant.guess(place.name, "is called a coast, but no fleet can reach it: it is inland")
        place.shore = shore


def _drop_impassable(variant: ForeignVariant) -> None:
    """Provinces that nothing borders on are impassable: off the board."""
    near: dict[str, set[str]] = {key: set() for key in variant.places}
    for a, b in variant.army | variant.fleet:
        near[province_of(a)].add(province_of(b))
        near[province_of(b)].add(province_of(a))
    alone = [key for key, others in near.items() if not others]
    used = {province_of(u.at) for n in variant.nations for u in n.units}
    if len(alone) == len(variant.places):
        raise ForeignFileError(f"{variant.file}: no borders were found; a board without borders cannot be played")
    for key in alone:
        place = variant.places.pop(key)
        text, kind = "nothing borders on it; it is off the board, as scenery", "water" if place.sea else "land"
        (variant.left if place.center or key in used else variant.took)(place.name, text)
        if key in variant.picture.shapes:
            variant.picture.off_board.append((kind, variant.picture.shapes.pop(key)))
        if key in variant.picture.units:
            variant.picture.waste.append((kind, variant.picture.units[key]))
    used |= {home for nation in variant.nations for home in (*nation.homes, *(nation.owned or ()))}
    for part in parts({key: near[key] for key in variant.places})[1:]:
        names = ", ".join(sorted(variant.places[key].name for key in part)[:6])
        if part & used:
            raise ForeignFileError(f"{variant.file}: no unit can reach {names} from the rest of the board")
        variant.left(names, "no unit can reach them from the rest of the board; they are off it")
        variant.army = {way for way in variant.army if not part & {*map(province_of, way)}}
        variant.fleet = {way for way in variant.fleet if not part & {*map(province_of, way)}}
        for key in part:
            del variant.places[key]
            variant.picture.shapes.pop(key, None)
            variant.picture.units.pop(key, None)


def _rename(variant: ForeignVariant) -> None:
    """Our ids for the source's keys, which stay as other names."""
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for key, place in variant.places.items():
        plain = re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", key).encode("ascii", "ignore").decode().lower())
        coded = place.code or (plain if fold(key) != fold(place.name) else "")
        ids[key] = _free([*([coded] if coded else []), *abbreviations(place.name)], taken)
        taken.add(ids[key])
        if ids[key] != plain and plain:
            place.aliases.append(key)
        if coded and ids[key] != coded and is_misread(coded):
            variant.guess(f"the code {coded}", f"is a word of orders; {place.name} is {ids[key]} here")
    changed = {key: new for key, new in ids.items() if key.lower() != new}
    if changed:
        some = ", ".join(f"{key} is {new}" for key, new in list(changed.items())[:6])
        variant.guess("abbreviations", f"made for {len(changed)} provinces: {some}{' ...' if len(changed) > 6 else ''}")
    rename_places(variant, ids)


def is_misread(code: str) -> bool:
    """Whether orders that name a place by this code are read as others: ``par - hold`` holds, ``the`` is left out."""
    return not fold(code) or code in lexicon().words("HOLD", "BUILD")


def _as_ours(variant: ForeignVariant) -> None:
    """A board that comes with Legation is that board, by whatever names the source calls it, and has its map."""
    try:
        board = board_of(variant, "x")
    except ValueError:
        return  # told when the board is written
    for name, folder in find_boards().items():
        ours = shipped_board(folder)
        if (len(ours.provinces), len(ours.centers)) != (len(board.provinces), len(board.centers)):
            continue
        found = next((ways for ways in _ways_to_match(board, ours) if _same(board, ours, ways)), None)
        if found is None:
            continue
        pairs = [(board.provinces[key], ours.provinces[id]) for key, id in found.items()]
        strange = {a.id: b.id for a, b in pairs if a.id != b.id and not _knows(b, a.id)}
        foreign = {a.name: b.name for a, b in pairs if not _knows(b, a.name)}
        match = locations(board, ours, found)
        coasts = {at: to for at, to in match.items() if at.partition("/")[2] != to.partition("/")[2]}
        rename_places(variant, match)
        variant.ours = name
        variant.took("board", f"is the board {name!r} that comes with Legation, and has its map")
        if coasts:
            variant.took("coasts", f"by their waters: {', '.join(f'{at} is {to}' for at, to in coasts.items())}")
        for what, unknown in (("abbreviations", strange), ("names", foreign)):
            if unknown:
                some = ", ".join(f"{theirs} is {here}" for theirs, here in list(unknown.items())[:12])
                variant.left(what, f"of the source that this board does not know: {some}")
        return


def _ways_to_match(board: Board, ours: Board) -> Iterator[Mapping[str, str]]:
    """Which provinces of a board may be which of ours: by names, then by how they lie, if half have our names."""
    yield counterparts(board, ours)
    found = like_placed(board, ours)
    known = sum(1 for key, id in found.items() if key == id or _knows(ours.provinces[id], board.provinces[key].name))
    if 2 * known >= len(ours.provinces):
        yield found


def _same(board: Board, ours: Board, found: Mapping[str, str]) -> bool:
    return len({*found.values()}) == len(ours.provinces) and not any(differences(board, ours, found))


def _knows(province: Province, name: str) -> bool:
    return fold(name) in {fold(known) for known in (province.id, province.name, *province.aliases)}


def board_of(variant: ForeignVariant, name: str) -> Board:
    """The board of a settled record."""
    provinces = [
        Province(
            id=p.key,
            name=p.name,
            sea=p.sea,
            shore=p.shore and not p.sea,
            coasts=tuple(p.coasts),
            center=p.center,
            aliases=tuple(p.aliases),
        )
        for p in variant.places.values()
    ]
    return Board(name, variant.title, provinces, _borders(variant))


def _borders(variant: ForeignVariant) -> list[Border]:
    """One row for each pair and direction: what passes both ways together, what passes one way by itself."""
    rows: list[Border] = []
    pairs = {(min(a, b), max(a, b)) for a, b in variant.army | variant.fleet}
    for a, b in sorted(pairs):
        both = {t: (a, b) in ways and (b, a) in ways for t, ways in (("army", variant.army), ("fleet", variant.fleet))}
        if both["army"] or both["fleet"]:
            rows.append(Border(a, b, both["army"], both["fleet"]))
        for x, y in ((a, b), (b, a)):
            army = (x, y) in variant.army and not both["army"]
            fleet = (x, y) in variant.fleet and not both["fleet"]
            if army or fleet:
                rows.append(Border(x, y, army, fleet, one_way=True))
    return rows


def abbreviations(name: str) -> list[str]:
    """Abbreviations of a name, the best first: three letters of one word, of several their first letters."""
    words = [
        "".join(c for c in w if c.isascii() and c.isalnum()) for w in fold(re.sub(r"\([^()]*\)", "", name)).split()
    ]
    words = [w for w in words if w]
    whole = "".join(words)
    if not whole:
        return []
    found: list[str] = []
    if len(words) >= 3:
        found.append("".join(w[0] for w in words[:3]))
    if len(words) == 2:
        found += [words[0][0] + words[1][:2], words[0][:2] + words[1][0]]
    found.append(whole[:3])
    found += [
        whole[0] + whole[i] + whole[j] for i in range(1, min(len(whole), 9)) for j in range(i + 1, min(len(whole), 10))
    ]
    return list(dict.fromkeys(f for f in found if 2 <= len(f) <= 8))


def _free(wanted: list[str], taken: set[str]) -> str:
    first = (wanted or ["pr"])[0]
    candidates = [*wanted, *(f"{first[:4]}{n}" for n in range(2, MOST_PLACES + 2))]
    return next(c for c in candidates if c not in taken and 2 <= len(c) <= 8 and not is_misread(c))


def _names(variant: ForeignVariant) -> None:
    """No name means two provinces; a name that does is left to the first."""
    seen: dict[str, str] = {fold(key): key for key in variant.places}
    for key, place in variant.places.items():
        place.name = clean(place.name.replace("|", " ").replace("@", " at "), 60) or key.upper()
        if SQUARE.fullmatch(place.name):  # as in ``A B 3 - C 3``, where A and B could be more than names
            place.aliases.append(place.name)
            place.name = place.name.replace(" ", "")
        if not fold(place.name) or seen.get(fold(place.name), key) != key:
            old = place.name
            place.name = f"{old} ({key})"
            variant.guess(old, f"names two places; this one is called {place.name}")
        seen[fold(place.name)] = key
    dropped = 0
    for key, place in variant.places.items():
        kept: list[str] = []
        for alias in (clean(a.replace("|", " ").replace("@", " "), 60) for a in place.aliases):
            folded = fold(alias)
            if folded and seen.setdefault(folded, key) == key:
                if folded not in (fold(key), fold(place.name), *map(fold, kept)):
                    kept.append(alias)
            else:
                dropped += 1
        place.aliases = kept
    if dropped:
        variant.left("other names", f"{dropped} of them mean another province too, or say nothing")


def _powers(variant: ForeignVariant) -> None:
    """Homes and owned centers that are centers, units that can stand where they are."""
    names: dict[str, int] = {}
    taken: set[str] = set()
    owners: set[str] = set()
    colors: list[str] = []
    for nation in variant.nations:
        nation.name = clean(nation.name, 40) or "Power"
        names[nation.name] = names.get(nation.name, 0) + 1
        if names[nation.name] > 1:
            nation.name = f"{nation.name} {names[nation.name]}"
        nation.homes = _real_centers(variant, nation, nation.homes, "home")
        if nation.owned is not None:
            nation.owned = _real_centers(variant, nation, nation.owned, "center")
        if nation.owned is None and owners & {*nation.homes}:
            nation.owned = [home for home in nation.homes if home not in owners]
        owned = nation.centers
        nation.owned = nation.owned and [c for c in owned if c not in owners]
        owners |= {*owned}
        nation.units = [u for unit in nation.units if (u := _standing(variant, nation, unit, taken)) is not None]
        if not re.fullmatch(r"#[0-9a-fA-F]{6}", nation.color):
            nation.color = ""
        elif any(difference(nation.color, color) < PLAIN for color in colors):
            variant.left(f"color {nation.color} of {nation.name}", "is too like another power's")
            nation.color = ""
        colors += [nation.color] if nation.color else []


def _real_centers(variant: ForeignVariant, nation: Nation, keys: list[str], what: str) -> list[str]:
    centers = {place.key for place in variant.places.values() if place.center}
    for key in dict.fromkeys(key for key in keys if key not in centers):
        variant.left(f"{what} {key} of {nation.name}", "isn't a supply center of the board")
    return [key for key in dict.fromkeys(keys) if key in centers]


def _standing(variant: ForeignVariant, nation: Nation, unit: StartingUnit, taken: set[str]) -> StartingUnit | None:
    """A starting unit that stands, at a coast if it must; None, told, if it cannot."""
    place, coast = variant.place_of(unit.at), unit.at.partition("/")[2]
    told = f"{unit.kind} {unit.at} of {nation.name}"
    if place is None or place.key in taken:
        variant.left(told, "another unit stands there already" if place else "stands in no province of the board")
        return None
    kind, at = unit.kind, place.key
    if kind == "garrison" and not place.sea:
        fixed = variant.rules.setdefault("fixed_units", {"provinces": [], "kept": False})
        fixed["provinces"] = [*fixed["provinces"], place.key]
        variant.guess(told, "is an army that never moves here")
        kind = "army"
    if not ((kind == "army" and not place.sea) or (kind == "fleet" and (place.sea or place.shore))):
        variant.left(told, "cannot stand there")
        return None
    if kind == "fleet" and place.coasts:
        at = unit.at if coast in place.coasts else f"{place.key}/{place.coasts[0]}"
        if at != unit.at:
            variant.guess(told, f"no coast is named; it stands on the {COAST_NAMES[place.coasts[0]]}")
    taken.add(place.key)
    return StartingUnit(kind, at)
