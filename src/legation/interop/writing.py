"""From the record of a foreign variant to a variant folder of ours: the TOML file, the board beside it, its picture.

What the record leaves open is settled here once for all formats (ids, coasts, doubled names), and told in the report.
"""

from __future__ import annotations

import csv
import io
import re
import tempfile
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from legation.board import Board, BoardFileError, Border, Province, province_of, read_board
from legation.board.lint import lint
from legation.board.model import COAST_NAMES
from legation.board.spelling import fold
from legation.board.toml_text import toml_value
from legation.interop.errors import ForeignFileError
from legation.interop.record import ForeignVariant, Nation, Picture, Place, clean
from legation.variants import Registry, VariantError

RESERVED = frozenset(["all", "con", "nul", "via", "hold", "and", "the"]) - {"con"}
MOST_PLACES = 1500
COAST_CODES = tuple(COAST_NAMES)


BOARD_FILES = ("board.toml", "land.csv", "sea.csv", "borders.csv", "links.csv", "shapes.json", "layout.json")


class Written(msgspec.Struct, frozen=True):
    """A variant that was written: its file, its board's folder, and how its picture came about (empty: none)."""

    file: Path
    board: Path
    origin: str
    variant: ForeignVariant


def slug(text: str, longest: int = 40) -> str:
    """A text as the name of a file: lower-case letters, digits and dashes."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:longest].strip("-")


def write_variants(variants: list[ForeignVariant], folder: Path, picture: bool = True) -> list[Written]:
    """Write variants into a folder, each only when it is sound.

    :raises ForeignFileError: if one cannot be made sound; nothing of it is written then.
    """
    boards: dict[str, dict[str, str]] = {}
    names: set[str] = set()
    return [_write(variant, folder, picture, boards, names) for variant in variants]


def _write(
    variant: ForeignVariant, folder: Path, picture: bool, boards: dict[str, dict[str, str]], names: set[str]
) -> Written:
    """Write one variant; ``boards`` are those that earlier ones wrote, ``names`` their own names."""
    sound = settle(variant)
    name = _unused(slug(sound.name) or "variant", names)
    board_name = slug(sound.board or sound.name) or "board"
    files = _tables(sound, _board(sound, board_name))
    if board_name in boards and boards[board_name] != files:
        board_name = _unused(f"{board_name}-{name}"[:60], set(boards))
        files = _tables(sound, _board(sound, board_name))
    new = board_name not in boards
    with tempfile.TemporaryDirectory(prefix="legation-import-") as made:
        place = Path(made)
        board_folder = place / board_name
        board_folder.mkdir()
        for file, text in files.items():
            (board_folder / file).write_text(text, encoding="utf-8")
        origin = ""
        try:
            board = read_board(board_folder)
        except BoardFileError as error:
            raise ForeignFileError(*(f"{sound.file}: the board is not sound: {f}" for f in error.faults[:12])) from None
        if new and picture:
            origin = _draw(sound, board, board_folder)
        elif new:
            _declare_passages(board, board_folder)
        else:
            sound.took("board", f"the same as that of an earlier variant: {board_name}")
            _copy(folder / board_name, board_folder)
        if faults := lint(board_folder):
            raise ForeignFileError(*(f"{sound.file}: the board is not sound: {fault}" for fault in faults[:12]))
        (place / f"{name}.toml").write_text(variant_text(sound, board_name), encoding="utf-8")
        try:
            known = Registry()
            known.load(known.add_file(place / f"{name}.toml", replace=True))
        except VariantError as error:
            raise ForeignFileError(
                *(f"{sound.file}: the variant is not sound: {f}" for f in error.faults[:12])
            ) from None
        try:
            _copy(board_folder, folder / board_name)
            (folder / f"{name}.toml").write_bytes((place / f"{name}.toml").read_bytes())
        except OSError as error:
            raise ForeignFileError(f"{error.filename}: {error.strerror}") from None
    boards[board_name] = files
    names.add(name)
    return Written(folder / f"{name}.toml", folder / board_name, origin, sound)


def _unused(wanted: str, taken: set[str]) -> str:
    return next(name for name in (wanted, *(f"{wanted}-{n}" for n in range(2, 1000))) if name not in taken)


def _copy(start: Path, goal: Path) -> None:
    """Copy the files of a folder into another, which loses what else was a board's there."""
    goal.mkdir(parents=True, exist_ok=True)
    for old in BOARD_FILES:
        (goal / old).unlink(missing_ok=True)
    for file in sorted(start.iterdir()):
        (goal / file.name).write_bytes(file.read_bytes())


def _draw(variant: ForeignVariant, board: Board, folder: Path) -> str:
    """Draw the board and lay it out; a board that cannot be drawn stays without a picture, and the report says so."""
    try:
        from legation.atlas.grow.growing import write
        from legation.interop.drawing.drawing import DrawingError, draw, lonely_passages
    except ImportError:
        variant.left("picture", "drawing needs the geometry libraries: pip install 'legation[authoring]'")
        _declare_passages(board, folder)
        return ""
    from legation.atlas.grow.layout import lay_out, write_layout
    from legation.atlas.shapes import contacts, read_shapes

    try:
        drawn = draw(board, variant.places, variant.picture)
        (folder / "shapes.json").write_text(write(drawn.shapes), encoding="utf-8")
        rows = [
            (k.a, k.b, _travel(k.army, k.fleet), "add" if k.add else "remove", REASONS[k.add], k.draw)
            for k in drawn.links
        ]
        _write_links(folder, rows)
        touching = contacts(drawn.shapes)
        shapes = read_shapes(folder)  # as they are kept
        assert shapes is not None
        (folder / "layout.json").write_text(write_layout(lay_out(board, shapes)), encoding="utf-8")
    except (DrawingError, ValueError) as error:
        for file in ("shapes.json", "layout.json"):
            (folder / file).unlink(missing_ok=True)
        variant.left("picture", f"could not be drawn: {error}")
        _write_links(folder, [(a, b, "fleet", "add", REASONS[True], "none") for a, b in sorted(lonely_passages(board))])
        return ""
    unseen = sum(1 for k in drawn.links if k.add and k.draw == "none" and (k.a, k.b) not in touching)
    barriers = sum(1 for k in drawn.links if k.draw == "barrier")
    bridges = sum(1 for k in drawn.links if k.draw == "bridge")
    said = {
        "shapes": "redrawn from the shapes of the source",
        "positions": "grown from the places of the units on the source's map; its lines are ours, a diagram of what "
        "borders on what",
        "borders": "laid out from the borders alone, as the source has no positions; it is a diagram, no map",
    }[drawn.origin]
    marked = f"; {bridges} borders are drawn as bridges and {barriers} as barriers" if bridges or barriers else ""
    if unseen > len(board.provinces) // 4:
        marked += f"; {unseen} borders of provinces that do not touch are not drawn, as there are so many"
    (variant.took if drawn.origin == "shapes" else variant.guess)("picture", said + marked)
    return drawn.origin


REASONS = {True: "as in the source", False: "no border in the source"}


def _declare_passages(board: Board, folder: Path) -> None:
    """Without the geometry libraries: declare passages from shore to shore that no sea shows."""
    seas = {at: {n for n in board.reach("fleet", at) if board.provinces[province_of(n)].sea} for at in board.locations}
    lonely = sorted(
        {
            (min(a, b), max(a, b))
            for border in board.borders
            if border.fleet and not seas[border.a] & seas[border.b]
            for a, b in [(province_of(border.a), province_of(border.b))]
            if not board.provinces[a].sea and not board.provinces[b].sea
        }
    )
    _write_links(folder, [(a, b, "fleet", "add", REASONS[True], "none") for a, b in lonely])


def _travel(army: bool, fleet: bool) -> str:
    return "both" if army and fleet else "army" if army else "fleet"


def _write_links(folder: Path, rows: list[tuple[str, str, str, str, str, str]]) -> None:
    if rows:
        text = table(("a", "b", "kind", "change", "reason", "draw"), rows)
        (folder / "links.csv").write_text(text, encoding="utf-8")


def table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """A table as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


# --- settling what a record leaves open


def settle(variant: ForeignVariant) -> ForeignVariant:
    """The record with our ids for its keys, borders both ways, and nothing that a board cannot hold.

    :raises ForeignFileError: if nothing is left that could be played.
    """
    if not variant.places:
        raise ForeignFileError(f"{variant.file}: no province was found")
    if len(variant.places) > MOST_PLACES:
        raise ForeignFileError(f"{variant.file}: has more than {MOST_PLACES} provinces")
    if not variant.nations:
        raise ForeignFileError(f"{variant.file}: no power was found")
    whole = msgspec.convert(msgspec.to_builtins(variant), ForeignVariant)
    _ends(whole)
    _both_ways(whole)
    _shores(whole)
    _drop_impassable(whole)
    _rename(whole)
    _names(whole)
    _centers(whole)
    _powers(whole)
    return whole


def _known(variant: ForeignVariant, location: str) -> bool:
    key, _, coast = location.partition("/")
    place = variant.places.get(key)
    return place is not None and (not coast or coast in place.coasts)


def _ends(variant: ForeignVariant) -> None:
    """Borders end at places that exist; fleets' at the coasts of a place with several."""
    for place in variant.places.values():
        if len(place.coasts) == 1:
            _one_coast(variant, place)
    unknown = sorted({end for a, b in variant.army | variant.fleet for end in (a, b) if not _known(variant, end)})
    for end in unknown[:40]:
        variant.left(end, "borders name it, but no such province or coast is listed; those borders are left out")
    variant.army = {
        (province_of(a), province_of(b)) for a, b in variant.army if _known(variant, a) and _known(variant, b)
    }
    variant.army = {(a, b) for a, b in variant.army if a != b}
    variant.fleet = {(a, b) for a, b in variant.fleet if _known(variant, a) and _known(variant, b)}
    variant.fleet = {(a, b) for a, b in variant.fleet if province_of(a) != province_of(b)}
    for place in [p for p in variant.places.values() if p.coasts]:
        _whole_coasts(variant, place)
    for a, b in sorted(variant.army):
        wet = [end for end in (a, b) if variant.places[end].sea]
        if wet:
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
    """Borders that are stated in one direction only are one-way."""
    for what, ways in (("armies", variant.army), ("fleets", variant.fleet)):
        for a, b in sorted(ways):
            if (b, a) not in ways:
                variant.took(f"{a} - {b}", f"{what} pass from {a} to {b} and not back")


def _shores(variant: ForeignVariant) -> None:
    """Land that fleets reach has a shore, other land has none; coasts that nobody reaches are none."""
    ends = {end for pair in variant.fleet for end in pair}
    for place in variant.places.values():
        if place.sea:
            place.coasts, place.shore = [], False
            continue
        reached = [c for c in place.coasts if f"{place.key}/{c}" in ends]
        for coast in [c for c in place.coasts if c not in reached]:
            variant.left(f"{place.name} ({COAST_NAMES[coast]})", "no fleet can come to this coast")
        if len(reached) == 1 and len(place.coasts) > 1:
            place.coasts = reached
            _one_coast(variant, place)
            ends = {end for pair in variant.fleet for end in pair}
        elif place.coasts:
            place.coasts = reached
        shore = bool(place.coasts) or place.key in ends
        if place.shore and not shore:
            variant.guess(place.name, "is called a coast, but no fleet can come to it: it is inland")
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
        text = "nothing borders on it; it is off the board, as scenery"
        (variant.left if place.center or key in used else variant.took)(place.name, text)
        if key in variant.picture.shapes:
            kind = "water" if place.sea else "land"
            variant.picture.off_board.append((kind, variant.picture.shapes.pop(key)))
        if key in variant.picture.units:
            variant.picture.waste.append(("water" if place.sea else "land", variant.picture.units[key]))
    parts = _parts({key: near[key] for key in variant.places})
    for part in parts[1:]:
        names = ", ".join(sorted(variant.places[key].name for key in part)[:6])
        raise ForeignFileError(f"{variant.file}: nobody can come to {names} from the rest of the board")


def _parts(near: Mapping[str, set[str]]) -> list[set[str]]:
    left, parts = set(near), []
    while left:
        part: set[str] = set()
        edge = {min(left)}
        while edge:
            part |= edge
            edge = {b for a in edge for b in near[a]} - part
        parts.append(part)
        left -= part
    return sorted(parts, key=len, reverse=True)


def _rename(variant: ForeignVariant) -> None:
    """Our ids for the source's keys."""
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for key, place in variant.places.items():
        plain = re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", key).encode("ascii", "ignore").decode().lower())
        coded = 2 <= len(plain) <= 8 and fold(key) != fold(place.name)
        ids[key] = _free([plain] if coded else abbreviations(place.name), taken)
        taken.add(ids[key])
        if ids[key] != plain and plain:
            place.aliases.append(key)
    changed = {key: new for key, new in ids.items() if key.lower() != new}
    if changed:
        some = ", ".join(f"{key} is {new}" for key, new in list(changed.items())[:6])
        variant.guess("abbreviations", f"made for {len(changed)} provinces: {some}{' ...' if len(changed) > 6 else ''}")

    def at(location: str) -> str:
        key, slash, coast = location.partition("/")
        return ids.get(key, key) + slash + coast

    variant.places = {ids[key]: msgspec.structs.replace(place, key=ids[key]) for key, place in variant.places.items()}
    variant.army = {(at(a), at(b)) for a, b in variant.army}
    variant.fleet = {(at(a), at(b)) for a, b in variant.fleet}
    for nation in variant.nations:
        nation.homes = [at(home) for home in nation.homes]
        nation.owned = None if nation.owned is None else [at(center) for center in nation.owned]
        nation.units = [msgspec.structs.replace(unit, at=at(unit.at)) for unit in nation.units]
    picture = variant.picture
    variant.picture = Picture(
        shapes={ids[k]: v for k, v in picture.shapes.items() if k in ids},
        units={at(k): v for k, v in picture.units.items() if province_of(k) in ids},
        centers={ids[k]: v for k, v in picture.centers.items() if k in ids},
        off_board=picture.off_board,
        waste=picture.waste,
    )
    variant.rules = _renamed(variant.rules, ids)
    _terms(variant)


def _terms(variant: ForeignVariant) -> None:
    """Terms of borders between provinces that are there."""
    terms = variant.rules.get("border_terms", {})
    for kind, listed in list(terms.items()):
        terms[kind] = [t for t in listed if t.get("to") and t.get("from", True) and t.get("owners", True)]
        if not terms[kind]:
            del terms[kind]
    if not terms:
        variant.rules.pop("border_terms", None)


def _renamed(value: Any, ids: Mapping[str, str]) -> Any:
    """Settings of rules with our ids for keys, which importers mark as ``@key``."""
    if isinstance(value, dict):
        return {key: _renamed(item, ids) for key, item in value.items()}
    if isinstance(value, list):
        kept = [_renamed(item, ids) for item in value]
        return [item for item in kept if item is not None]
    if isinstance(value, str) and value.startswith("@"):
        return ids.get(value[1:])
    return value


def abbreviations(name: str) -> list[str]:
    """Abbreviations of a name, the best first: three letters of one word, of several their first letters."""
    words = ["".join(c for c in w if c.isascii() and c.isalnum()) for w in fold(re.sub(r"\(.*?\)", "", name)).split()]
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
    return next(c for c in candidates if c not in taken and 2 <= len(c) <= 8)


def _names(variant: ForeignVariant) -> None:
    """No name means two provinces; a name that does is left to the first."""
    seen: dict[str, str] = {fold(key): key for key in variant.places}
    for key, place in variant.places.items():
        place.name = clean(place.name.replace("|", " ").replace("@", " at "), 60) or key.upper()
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


def _centers(variant: ForeignVariant) -> None:
    for place in variant.places.values():
        if place.center and place.sea:
            place.center = False
            variant.left(place.name, "a supply center at sea; here centers are on land")


def _powers(variant: ForeignVariant) -> None:
    """Homes and owned centers that are centers, units that can stand where they are."""
    names: dict[str, int] = {}
    taken: set[str] = set()
    owners: set[str] = set()
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
        owned = nation.homes if nation.owned is None else nation.owned
        nation.owned = nation.owned and [c for c in owned if c not in owners]
        owners |= {*owned}
        nation.units = [
            unit for unit in (_standing(variant, nation, u, taken) for u in nation.units) if unit is not None
        ]
        if not re.fullmatch(r"#[0-9a-fA-F]{6}", nation.color):
            nation.color = ""


def _real_centers(variant: ForeignVariant, nation: Nation, keys: list[str], what: str) -> list[str]:
    kept: list[str] = []
    for key in dict.fromkeys(keys):
        place = variant.places.get(key)
        if place is None or not place.center:
            variant.left(f"{what} {key} of {nation.name}", "is no supply center of the board")
        else:
            kept.append(key)
    return kept


def _standing(variant: ForeignVariant, nation: Nation, unit: Any, taken: set[str]) -> Any:
    """A starting unit that stands, at a coast if it must; None, told, if it cannot."""
    place = variant.place_of(unit.at)
    told = f"{unit.kind} {unit.at} of {nation.name}"
    if place is None:
        variant.left(told, "stands in no province of the board")
        return None
    if place.key in taken:
        variant.left(told, "another unit stands there already")
        return None
    coast = unit.at.partition("/")[2]
    if unit.kind == "army":
        fine, at = not place.sea, place.key
    elif unit.kind == "fleet":
        fine, at = place.sea or place.shore, unit.at
        if place.coasts and coast not in place.coasts:
            at = f"{place.key}/{place.coasts[0]}"
            variant.guess(told, f"no coast is named; it stands on the {COAST_NAMES[place.coasts[0]]}")
        elif coast and not place.coasts:
            at = place.key
    else:
        fine, at = False, unit.at
    if not fine:
        variant.left(told, "cannot stand there")
        return None
    taken.add(place.key)
    return msgspec.structs.replace(unit, at=at)


# --- the files


def _board(variant: ForeignVariant, name: str) -> Board:
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


def _tables(variant: ForeignVariant, board: Board) -> dict[str, str]:
    land, sea = [], []
    for p in board.provinces.values():
        aliases = "|".join(p.aliases)
        if p.sea:
            sea.append((p.id, p.name, aliases))
        else:
            words = [COAST_NAMES[c].partition(" ")[0] for c in p.coasts]
            coasts = "|".join(words) if words else "single" if p.shore else ""
            land.append((p.id, p.name, aliases, coasts, "1" if p.center else "0"))
    one_way = any(b.one_way for b in board.borders)
    head = ("a", "b", "army", "fleet", "one_way") if one_way else ("a", "b", "army", "fleet")
    rows = [(b.a, b.b, int(b.army), int(b.fleet), int(b.one_way))[: len(head)] for b in board.borders]
    credits = f"Imported from {variant.format}. {variant.credits}".strip()
    files = {
        "board.toml": "".join(
            f"{key} = {toml_value(value)}\n"
            for key, value in (("name", board.name), ("title", variant.title), ("credits", credits))
        ),
        "land.csv": table(("id", "name", "aliases", "coasts", "center"), land),
        "borders.csv": table(head, rows),
    }
    if sea:
        files["sea.csv"] = table(("id", "name", "aliases"), sea)
    return files


def variant_text(variant: ForeignVariant, board: str) -> str:
    """The variant file."""
    lines = [f"title = {toml_value(variant.title)}", f"board = {toml_value(board)}"]
    for key, text in (("summary", variant.summary), ("credits", variant.credits)):
        if text:
            lines.append(f"{key} = {toml_value(text)}")
    calendar: dict[str, Any] = {"first": variant.first, "cycle": variant.cycle}
    if variant.opening:
        calendar["opening"] = variant.opening
    if variant.years != 1:
        calendar["years"] = variant.years
    rules: dict[str, dict[str, Any]] = {"calendar": calendar, **variant.rules}
    centers = sum(1 for place in variant.places.values() if place.center)
    if not {"build_anywhere", "homes", "chosen_homes"} & rules.keys():
        rules["homes"] = {}
    if not {"solo", "solo_with_capitals"} & rules.keys():
        rules["solo"] = {"centers": min(max(variant.to_win or centers // 2 + 1, 1), max(centers, 1))}
    if "draw_by_vote" not in rules:
        rules["draw_by_vote"] = {}
    for key, settings in rules.items():
        lines += ["", f"[rules.{key}]"]
        lines += [f"{name} = {toml_value(value)}" for name, value in settings.items()]
    if variant.options:
        lines += ["", "[options]", *(f"{name} = {toml_value(value)}" for name, value in variant.options.items())]
    for nation in variant.nations:
        lines += ["", *_power_lines(nation)]
    return "\n".join(lines) + "\n"


def _power_lines(nation: Nation) -> list[str]:
    lines = ["[[powers]]", f"name = {toml_value(nation.name)}"]
    if nation.adjective:
        lines.append(f"adjective = {toml_value(nation.adjective)}")
    if nation.aliases:
        lines.append(f"aliases = {toml_value(nation.aliases)}")
    if nation.color:
        lines.append(f"color = {toml_value(nation.color)}")
    lines.append(f"homes = {toml_value(nation.homes)}")
    if nation.owned is not None and sorted(nation.owned) != sorted(nation.homes):
        lines.append(f"centers = {toml_value(nation.owned)}")
    units = [f"{'A' if unit.kind == 'army' else 'F'} {unit.at}" for unit in nation.units]
    lines.append(f"units = {toml_value(units)}")
    return lines
