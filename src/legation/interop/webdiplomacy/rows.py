"""What a webDiplomacy or vDiplomacy variant says of territories by the numbers of their rows, from 1."""

import re
from collections.abc import Mapping, Sequence

from legation.interop.record import ForeignVariant
from legation.interop.webdiplomacy.php import key_of

Rows = Mapping[int, str]
"""The keys of places by the numbers of their rows."""
NUMBERS = r"(?:\s*['\"]?\d{1,5}['\"]?\s*,?)+"
UNMOVED = re.compile(
    r"in_array\(\s*\$this->Unit->terrID\s*,\s*(?:array\s*\(|\[)(" + NUMBERS + r")[)\]]\s*\)\s*&&\s*"
    r"\$this->type\s*==\s*['\"]Move['\"]\s*\)\s*\{?\s*return\s+false"
)
"""No move for a unit in one of these territories."""
KEPT = re.compile(r"\$this->type\s*==\s*['\"]Destroy['\"]\s*\)\s*\{\s*if\s*\(([^;{}]{1,400})\)\s*return\s+false")
"""No removal of a unit in one of these territories."""
STANDING = re.compile(r"occupyingUnitID[^;]{0,80}FROM\s+wD_TerrStatus\s+WHERE\s+terrID\s*=\s*(\d{1,5})", re.DOTALL)
"""The unit of one territory, which a program keeps in mind."""

COMMENTS = re.compile(r"/\*.*?(?:\*/|\Z)|^[^\S\n]*(?://|#)[^\n]*", re.DOTALL | re.MULTILINE)
STATEMENTS = re.compile(r"sql_put\s*\((.{1,2000}?)\)\s*;", re.DOTALL)
MADE_CENTER = re.compile(r"\$Territories\[\s*['\"]([^\]]{1,80})['\"]\s*\]\s*->\s*supply\s*=\s*['\"]Yes['\"]")
"""A center that a table of distances is to begin from; most variants take it back in the next statement."""
UNMADE = re.compile(r"UPDATE\s+wD_Territories\s+SET\s+supply\s*=\s*[\\\\'\"]*No", re.IGNORECASE)
UNLINKED = re.compile(
    r"\s*['\"]DELETE\s+FROM\s+wD_(Coastal)?Borders\s+WHERE\s+mapID\s*=[^;=]{0,60}?"
    r"((?:AND\s+(?:from|to)TerrID\s*=\s*['\"]?\d{1,5}\b['\"]?\s*){1,2})\W*",
    re.IGNORECASE,
)
"""Ways from, to or between territories that are taken back once the map is made."""
LOOP = re.compile(
    r"(?:list\s*\(|\[)((?:\s*\$\w+\s*,?){4})[)\]]\s*=\s*\$border\w*\s*;[^{}]{0,200}?->\s*addBorder\s*\(\s*"
    r"InstallTerritory::\$Territories\[\s*\$\w+\s*\]\s*,\s*([^,()]{1,40}),\s*([^,()]{1,40})\)"
)
"""What the columns of a border are called, and which of them the program takes for fleets and armies."""


def border_columns(text: str) -> tuple[int | str, int | str]:
    """Which column of a row of borders says whether fleets pass, and which armies; or what holds for all rows."""
    match = LOOP.search(COMMENTS.sub("", text))
    if match is None:
        return 2, 3
    names = re.findall(r"\$\w+", match[1])
    fleets, armies = (
        names.index(used) if (used := said.strip()) in names else used.strip("'\"") if used[:1] in "'\"" else usual
        for said, usual in ((match[2], 2), (match[3], 3))
    )
    return fleets, armies


def take_changes(variant: ForeignVariant, names: Sequence[str], ids: Mapping[str, str], text: str) -> None:
    """Take back ways that statements delete from the tables, which makes borders one-way, and make the centers that
    are made behind the table and stay; tell of other statements."""
    ends = {n: ids[name] for n, name in enumerate(names, 1) if name in ids}
    text = COMMENTS.sub("", text)
    made = MADE_CENTER.findall(text)
    if made and not UNMADE.search(text):
        for place in [variant.places[name] for name in map(key_of, made) if name in variant.places]:
            place.center = True
            variant.took(f"{place.name}->supply", "made a center after the table")
    for statement in STATEMENTS.findall(text):
        match = UNLINKED.fullmatch(statement)
        if match is None and made and UNMADE.search(statement):
            continue
        if match is None:
            variant.left("sql_put", f"changes the tables of the map: {' '.join(statement.split())[:120]}")
        elif match[1]:
            asked = {
                end.lower(): ends.get(int(n), "") for end, n in re.findall(r"(from|to)\w+\D+(\d+)", match[2], re.I)
            }
            for ways in (variant.army, variant.fleet):
                ways -= {(a, b) for a, b in ways if asked.get("from", a) == a and asked.get("to", b) == b}


def take_neutral_supports(variant: ForeignVariant, places: Rows, listed: Mapping[int, int]) -> None:
    """Take neutral units that support each other."""
    supports = {f"@{places[a]}": f"@{places[b]}" for a, b in listed.items() if a in places and b in places}
    if supports and "passive_powers" in variant.rules:
        variant.rules["passive_powers"]["supports"] = supports
        told = ", ".join(f"{a[1:]} supports {b[1:]}" for a, b in supports.items())
        variant.took("neutralHold", f"neutral units that support to hold: {told}")
    elif supports:
        variant.left("neutralHold", "there are no neutral units that could support each other")


def take_fixed_units(variant: ForeignVariant, places: Rows, texts: Mapping[str, str]) -> bool:
    """Take territories whose units never move; whether the class that says so is read with that."""
    said = UNMOVED.search(texts.get("userOrderDiplomacy", ""))
    kept = KEPT.search(texts.get("userOrderBuilds", ""))
    fixed = _places(places, said[1] if said else "")
    held = _places(places, kept[1] if kept else "")
    if fixed:
        same = set(held) == set(fixed)
        variant.rules["fixed_units"] = {"provinces": [f"@{key}" for key in fixed], **({"kept": True} if same else {})}
        never = "never move" + (", and are never removed" if same else "")
        variant.took("class userOrderDiplomacy", f"units in {', '.join(fixed)} {never}: the rule fixed_units")
    if held and set(held) != set(fixed):
        variant.left("class userOrderBuilds", f"units in {', '.join(held)} cannot be removed there")
    one = STANDING.search(texts.get("adjudicatorPreGame", ""))
    if one and "NoMove(" in texts.get("OrderInterface", "") and (key := places.get(int(one[1]))):
        variant.rules["fixed_units"] = {"provinces": [f"@{key}"]}
        variant.guess(
            "class OrderInterface",
            f"the unit that stands in {key} at the start never moves; here no unit in it does: the rule fixed_units",
        )
    return bool(fixed)


def _places(places: Rows, text: str) -> list[str]:
    return list(dict.fromkeys(places[int(n)] for n in re.findall(r"\d{1,5}", text) if int(n) in places))
