"""jDip's variant packages: ``variants.xml`` with its adjacency file and its SVG map, in a folder or a zip archive."""

import re

from legation.interop.calendars import start_in_cycle
from legation.interop.coasts import WORDS, convoying, location
from legation.interop.record import ForeignVariant, Nation, Place, StartingUnit, VariantReader, clean
from legation.interop.sources import ForeignFileError, Source
from legation.interop.svg import take_picture
from legation.interop.xml_tree import Element, parse_xml

NAME = "jdip"
TITLE = "jDip variant packages (variants.xml)"
PROGRAM_DEFAULTS = {"YEARS_WITHOUT_SC_CAPTURE": 7, "GAME_LENGTH": 35}
"""What jDip writes into most of its variants without meaning anything by it."""
OPTIONS: dict[str, dict[str, dict[str, str]]] = {
    "VALUE_BUILDS_HOME_ONLY": {},
    "VALUE_WINGS_DISABLED": {},
    "VALUE_PATHS_EITHER": {},
    "VALUE_BUILDS_ANY_OWNED": {"build_anywhere": {}},
    "VALUE_BUILDS_ANY_IF_HOME_OWNED": {"build_where": {"sites": "while home"}},
}
"""Options by their values, as rules here."""
KINDS = {"army": "A", "fleet": "F", "a": "A", "f": "F"}
PHASES = {"movement": "Movement", "retreat": "Retreats", "adjustment": "Adjustments"}


def recognize(source: Source) -> list[str]:
    """The files called ``variants.xml``, or a file that was given and holds VARIANTS."""
    found = source.ending("variants.xml")
    if not found and source.main.lower().endswith(".xml") and b"<VARIANT" in source.head(source.main):
        found = [source.main]
    return found


def read(source: Source, entry: str) -> list[ForeignVariant]:
    """All variants of a package.

    :raises ForeignFileError: if a file is missing or cannot be read."""
    root = parse_xml(source.bytes(entry), entry)
    newest: dict[str, Element] = {}
    for element in root.all("VARIANT"):
        name = element.get("name")
        if name and (name not in newest or _version(element) >= _version(newest[name])):
            newest[name] = element
    if not newest:
        raise ForeignFileError(f"{entry}: holds no VARIANT")
    return [_Package(source, entry, root, element).variant for element in newest.values()]


def _version(element: Element) -> float:
    try:
        return float(element.get("version", "0"))
    except ValueError:
        return 0.0


class _Package(VariantReader):
    def __init__(self, source: Source, entry: str, root: Element, element: Element) -> None:
        title = clean(element.get("name"), 60)
        super().__init__(source, ForeignVariant(name=title, title=title, format=TITLE, file=entry))
        self.layers: dict[str, dict[str, list[str]]] = {}
        self.keys: dict[str, str] = {}
        """Provinces by whatever the files may call them: short names, else other names, else full ones."""
        description = next(iter(element.own("DESCRIPTION")), None)
        if description is not None:
            self.variant.summary = clean(re.sub(r"<[^>]{0,300}>", " ", description.text), 400)
        where = element.first("MAP")
        if where is None or not where.get("adjacencyURI"):
            raise ForeignFileError(f"{entry}:{element.line}: the variant {title} names no adjacencyURI")
        self.variant.board = clean(where.get("adjacencyURI").rpartition("/")[2].rpartition(".")[0], 40)
        self.adjacency(source.beside(entry, where.get("adjacencyURI"), "its adjacencyURI is"))
        self.powers(element)
        self.calendar(element)
        self.endings(element)
        self.options(element)
        self.picture(root, where)

    # --- the board

    def adjacency(self, name: str) -> None:
        root = parse_xml(self.source.bytes(name), name)
        variant = self.variant
        borders = {b.get("id"): b for b in root.all("BORDER")}
        elements = list(root.all("PROVINCE"))
        for element in elements:
            key = element.get("shortname").lower()
            if not key or key in variant.places:
                self.left(key or "PROVINCE", f"{name}:{element.line}: no short name of its own")
                continue
            layers: dict[str, list[str]] = {}
            for listed in element.own("ADJACENCY"):
                layer = listed.get("type", "mv").lower()
                if layer in layers:
                    self.left(f"{key} {layer}", f"{name}:{listed.line}: a second list of one kind; both count here")
                layers[layer] = [*layers.get(layer, ()), *map(location, listed.words("refs"))]
            self.layers[key] = layers
            coasts: list[str] = [c for c in ("nc", "sc", "ec", "wc") if c in layers]
            if "xc" in layers and coasts:
                raise ForeignFileError(f"{name}:{element.line}: {key} has xc beside named coasts")
            variant.places[key] = Place(
                key=key,
                name=clean(element.get("fullname"), 60) or key,
                aliases=[u.get("name") for u in element.own("UNIQUENAME")],
                sea="mv" not in layers and "xc" in layers,
                shore="xc" in layers or bool(coasts),
                coasts=coasts,
                convoys=element.get("isConvoyableCoast").lower() == "true",
            )
        for place in variant.places.values():
            for said in (*place.aliases, place.name):
                self.keys.setdefault(said.lower(), place.key)
        self.keys |= {key: key for key in variant.places}
        self.misplaced_seas()
        for key, layers in self.layers.items():
            for layer, refs in layers.items():
                self.layer(key, layer, refs)
        for element in elements:
            for name in element.words("borders"):
                if name in borders:
                    self.border_rule(element.get("shortname").lower(), borders[name])
                else:
                    self.left(f"border {name}", "is not defined")
        convoying(variant, "isConvoyableCoast")

    def misplaced_seas(self) -> None:
        """Seas whose neighbors are listed as an army's, while each of these lists the sea as a fleet's."""
        for key, layers in self.layers.items():
            near = {self.keys.get(ref.partition("/")[0], "") for ref in layers.get("mv", ())} - {key, ""}
            back = {
                (other, layer == "mv")
                for other, listed in self.layers.items()
                for layer, refs in listed.items()
                if other != key and key in {self.keys.get(ref.partition("/")[0]) for ref in refs}
            }
            if layers.keys() == {"mv"} and near and back == {(other, False) for other in near}:
                layers["xc"] = layers.pop("mv")
                self.variant.places[key].sea = True
                self.guess(f"{key} mv", "a sea, as all its neighbors list it under xc; its list is read so")

    def layer(self, key: str, layer: str, refs: list[str]) -> None:
        variant = self.variant
        for ref in refs:
            said, _, coast = ref.partition("/")
            other = self.keys.get(said)
            if other is None:
                self.left(f"{key} {layer} {ref}", "isn't a province of the board")
                continue
            if other == key:
                continue  # an island that names itself has no neighbor by land
            if layer == "mv":
                variant.army.add((key, other))
            elif layer in ("xc", "nc", "sc", "ec", "wc"):
                here = key if layer == "xc" else f"{key}/{layer}"
                there = variant.places[other]
                if there.sea or there.shore:
                    variant.fleet.add((here, f"{other}/{coast}" if coast in there.coasts else other))
                else:
                    self.left(f"{key} {layer} {ref}", "no fleet can go there: it states no coast of its own")
            else:
                self.left(f"{key} {layer}", "isn't a kind of border")

    def border_rule(self, key: str, border: Element) -> None:
        """One BORDER of a province, which is the one that is entered: what it closes and what it weakens."""
        variant = self.variant
        what = f"BORDER {border.get('id')} of {key}"
        said = clean(border.get("description"), 120)
        starts = self.border_starts(border, what)
        units = [*map(str.lower, border.words("unitTypes"))]
        kinds = [KINDS[w] for w in units if w in KINDS]
        if units and not kinds:
            self.left(what, f"is for {' and '.join(units)} alone, which have no counterpart ({said})")
        if not starts or (units and not kinds):
            return
        terms: dict[str, object] = {"kinds": kinds} if kinds else {}
        modifier = border.get("baseMoveModifier").lstrip("+")
        if modifier == "-1":
            for start in starts:
                for nearby in [start] if start else sorted({a for a, b in variant.army if b == key}):
                    variant.term("weak", nearby, key, **terms)
            self.took(what, f"a move across counts one less, and no support is given across ({said}): border_terms")
        elif modifier not in ("", "0"):
            self.left(what, f"a move across counts {modifier} ({said})")
        if modifier in ("", "0") or any(border.get(name) for name in ("orderTypes", "season", "phase", "year")):
            self.closed(key, border, starts, terms, what)

    def border_starts(self, border: Element, what: str) -> list[str]:
        """Where a BORDER is crossed from: provinces, one empty key for all, or none, which is told."""
        words = [location(word) for word in border.words("from")]
        starts: list[str] = []
        for word in words:
            said, _, coast = word.partition("/")
            start = self.keys.get(said)
            if start is None:
                self.left(f"{what}, from {word}", "isn't a province of the board")
            elif coast in self.variant.places[start].coasts:
                self.left(f"{what}, from {word}", "is for one coast alone; terms here are for whole provinces")
            else:
                starts.append(start)
        return starts if words else [""]

    def closed(self, key: str, border: Element, starts: list[str], terms: dict[str, object], what: str) -> None:
        """Take what a BORDER forbids while all that it states holds."""
        variant = self.variant
        said = clean(border.get("description"), 120)
        orders = {word.rpartition(".")[2] for word in border.words("orderTypes")}
        if orders and "Move" not in orders:
            self.left(what, f"forbids {', '.join(sorted(orders))} ({said})")
            return
        if seasons := [w.title() for w in border.words("season")]:
            terms["seasons"] = seasons
        phases = [PHASES[w] for w in map(str.lower, border.words("phase")) if w in PHASES]
        if orders and "Retreat" not in orders and not phases:
            phases = ["Movement"]
        if phases:
            terms["phases"] = phases
        if year := border.get("year").lower():
            terms["years"] = _years(year)
            if not terms["years"]:
                self.left(what, f"the years {clean(year, 40)} ({said})")
                return
        if terms or orders:
            for start in starts:
                variant.term("closed", start, key, **terms)
            supports = "; supports across, too" if orders and not any("Support" in order for order in orders) else ""
            self.took(what, f"closed on terms ({said}): the rule border_terms{supports}")
        else:
            self.took(what, f"forbids nothing, as it states no criterion ({said})")

    # --- powers, calendar, endings

    def powers(self, element: Element) -> None:
        variant = self.variant
        nations: dict[str, Nation] = {}
        for power in element.own("POWER"):
            name = clean(power.get("name"), 40)
            if not name:
                continue
            others = power.get("altnames") or power.get("altname")
            nation = Nation(
                name=name,
                adjective=clean(power.get("adjective"), 40),
                aliases=[clean(a, 40) for a in others.split(",") if a.strip() and a.strip().lower() != "none"],
                owned=[],
                played=power.get("active", "true").lower() != "false",
            )
            variant.nations.append(nation)
            nations[name.lower()] = nation
        for nation in variant.nations:
            for alias in nation.aliases:  # centers and units may name a power so
                nations.setdefault(alias.lower(), nation)
        for center in element.own("SUPPLYCENTER"):
            said = center.get("province").lower()
            key = self.keys.get(said, "")
            if not key:
                self.left(f"SUPPLYCENTER {said}", "isn't a province of the board")
                continue
            variant.places[key].center = True
            for attribute in ("homepower", "owner"):
                name = center.get(attribute, "none").lower()
                if name == "any":
                    self.left(f"{attribute} any of {key}", "a center of every power's has no counterpart")
                elif name not in (*nations, "", "none"):
                    self.left(f"{attribute} {name} of {key}", "isn't a power of the variant")
                elif name in nations and attribute == "owner":
                    nations[name].own(key)
                elif name in nations:
                    nations[name].homes += [key] if key not in nations[name].homes else []
        for state in element.own("INITIALSTATE"):
            self.unit(state, nations)
        variant.take_passive("active=false")

    def unit(self, state: Element, nations: dict[str, Nation]) -> None:
        key, name, kind = state.get("province").lower(), state.get("power").lower(), state.get("unit").lower()
        key = self.keys.get(key, key)
        coast = WORDS.get(state.get("unitcoast").lower(), "")
        if name not in nations or kind not in ("army", "fleet"):
            text = "wings have no counterpart" if kind == "wing" else "isn't a unit of a power of the variant"
            self.left(f"INITIALSTATE {key} {name} {kind}", text)
            return
        nations[name].units.append(StartingUnit(kind, f"{key}/{coast}" if coast else key))

    def calendar(self, element: Element) -> None:
        """STARTINGTIME; the year is always spring, fall, adjustments."""
        variant = self.variant
        time = element.first("STARTINGTIME")
        text = time.get("turn") if time else ""
        words = re.findall(r"[A-Za-z]+|-?\d+", text)
        season = next((w.title() for w in words if w.lower() in ("spring", "fall")), "Spring")
        year = next((w for w in words if w.removeprefix("-").isdecimal() and len(w) < 6), "1901")
        phase = next((PHASES[w.lower().rstrip("s")] for w in words if w.lower().rstrip("s") in PHASES), "Movement")
        if not text:
            self.guess("STARTINGTIME", "is missing; the game begins in Spring 1901")
        if year.startswith("-") or "BC" in text.upper().split():
            variant.before_christ, year = int(year.lstrip("-")), "1"
        variant.first = f"{'Winter' if phase == 'Adjustments' else season} {int(year)} {phase}"
        self.took(f"STARTINGTIME {text}", f"the game begins with {variant.first}; adjustments are called Winter here")
        start_in_cycle(variant)

    def endings(self, element: Element) -> None:
        """VICTORYCONDITIONS."""
        variant = self.variant
        block = element.first("VICTORYCONDITIONS")
        for condition in block.children if block else []:
            value = condition.get("value")
            number = int(value) if value.isdecimal() and len(value) < 6 else 0
            if condition.name == "WINNING_SUPPLY_CENTERS" and number:
                variant.to_win = number
                self.took(condition.name, f"{number} centers to win")
            elif condition.name in PROGRAM_DEFAULTS and number:
                standard = PROGRAM_DEFAULTS[condition.name]
                if number == standard:
                    self.guess(
                        f"{condition.name} {number}",
                        "jDip's default, which most variants carry without meaning it; left out",
                    )
                elif condition.name == "GAME_LENGTH":
                    year = int(variant.first.split()[-2]) - (1 if variant.opening else 0) + number - 1
                    variant.rules["year_limit"] = {"last": f"Winter {year} Adjustments"}
                    self.took(f"GAME_LENGTH {number}", f"a draw of all survivors after {year}: the rule year_limit")
                else:
                    variant.rules["unchanged_years"] = {"years": number}
                    text = f"a draw after {number} years in which no center changes its owner: the rule unchanged_years"
                    self.took(f"{condition.name} {number}", text)
            elif condition.name not in (*PROGRAM_DEFAULTS, "WINNING_SUPPLY_CENTERS") or not value.strip().isdecimal():
                self.left(f"{condition.name} {clean(value, 40)}", "isn't a known condition")

    def options(self, element: Element) -> None:
        """RULEOPTIONS."""
        variant = self.variant
        for option in element.all("RULEOPTION"):
            value = option.get("value")
            told = f"{option.get('name')} {value}"
            if value in OPTIONS:
                variant.rules |= {rule: dict(settings) for rule, settings in OPTIONS[value].items()}
                self.took(told, f"the rule {', '.join(OPTIONS[value])}" if OPTIONS[value] else "as usual")
            else:
                self.left(told, "has no counterpart")

    # --- the picture

    def picture(self, root: Element, where: Element) -> None:
        """The map that the variant takes by default, or the first that can be read."""
        graphics = sorted(where.own("MAP_GRAPHIC"), key=lambda g: g.get("default").lower() != "true")
        files = {d.get("id"): d.get("URI") for d in root.all("MAP_DEFINITION")}
        candidates = [files.get(g.get("ref"), "") for g in graphics]
        candidates += [g.get("uri") or g.get("URI") for g in where.own("GRAPHIC")]
        take_picture(self.variant, self.source, self.entry, filter(None, candidates), named=True)


def _years(text: str) -> str:
    """The years of a border as our rule has them; empty if they are none, or all before Christ."""
    if text in ("odd", "even"):
        return text
    years = text.replace(",", " ").split()
    if not 1 <= len(years) <= 2 or not all(re.fullmatch(r"-?\d{1,5}", year) for year in years):
        return ""
    first, last = int(years[0]), int(years[-1])
    return f"{max(first, 0)}-{last}" if last >= max(first, 0) else ""
