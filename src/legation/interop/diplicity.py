"""diplicity's variants: the variant document (schema version 1), the site's own JSON of it, and the older files
without borders."""

from collections.abc import Mapping
from typing import Any

from legation.board import province_of
from legation.interop.calendars import start_in_cycle, take_cycle
from legation.interop.json_variants import PHASES, DocumentReader, array, name_of, objects, read_json, table, text
from legation.interop.matching import board_with
from legation.interop.record import ForeignVariant, clean
from legation.interop.sources import ForeignFileError, Source, by_marks

NAME = "diplicity"
TITLE = "diplicity variants (JSON)"
KEYS = frozenset(
    "schemaVersion id name description rules author victoryConditions adjudicationModifiers phaseProgression nations"
    " provinces namedCoasts initialState dominanceRules".split()
)
INNER = {
    "nations": {"id", "name", "color", "non_playable"},
    "provinces": {"id", "name", "type", "supplyCenter", "homeNation", "adjacencies"},
    "namedCoasts": {"id", "name", "parentProvince", "adjacencies"},
    "initialState": {"phase", "units", "supplyCenters"},
    "phaseProgression": {"seasons", "transitions"},
}
"""The keys of what lies within."""
REBUILT = "neutral-nations-auto-build"
RESOLUTIONS = {"most-supply-centers": "most_centers", "shared-draw": "year_limit"}
"""How a game ends in a year, as our rules."""
recognize = by_marks((".json",), b'"nations"', b'"provinces"')


def read(source: Source, entry: str) -> list[ForeignVariant]:
    """The variant of a document.

    :raises ForeignFileError: if it is no such document, or has no borders and no board of ours has its provinces."""
    document = read_json(source, entry)
    newer = "schemaVersion" in document or "phaseProgression" in document
    reader = (_Document if newer else _Older)(source, entry, document, TITLE)
    reader.run()
    reader.variant.take_passive("non_playable", rebuilt=newer and REBUILT in array(document, "adjudicationModifiers"))
    reader.picture()
    return [reader.variant]


class _Document(DocumentReader):
    """The variant document of schema version 1."""

    def run(self) -> None:
        document = self.document
        version = document.get("schemaVersion")
        if version != 1:
            raise ForeignFileError(f"{self.entry}: is of schemaVersion {str(version)[:20]}; version 1 can be read")
        for key in sorted(document.keys() - KEYS):
            self.left(str(key)[:60], "isn't a key of the schema")
        for key, known in INNER.items():
            value = document.get(key)
            for item in [value] if isinstance(value, dict) else objects(value):
                for strange in sorted(item.keys() - known):
                    self.left(f"{key}: {strange} of {text(item, 'id') or key}", "isn't a key of the schema")
        self.board()
        nations = self.nations(objects(document.get("nations")))
        for item in objects(document.get("provinces")):
            home = text(item, "homeNation")
            if home and home in nations:
                nations[home].homes.append(self.at(text(item, "id")))
            elif home:
                self.left(f"homeNation {home}", "isn't a nation of the variant")
        state = table(document, "initialState")
        self.start(state.get("units"), state.get("supplyCenters"), nations)
        self.calendar(state.get("phase"))
        self.endings()
        self.modifiers()
        for rule in objects(document.get("dominanceRules")):
            self.left(f"dominanceRules {text(rule, 'province')}", "only colors the source's map")
        if text(document, "rules"):
            self.left("rules", "text; read it with the variant: " + clean(text(document, "rules"), 300))

    def board(self) -> None:
        provinces, coasts = objects(self.document.get("provinces")), objects(self.document.get("namedCoasts"))
        known: set[str] = set()
        for item in provinces:
            key, kind, center = text(item, "id").lower(), text(item, "type"), item.get("supplyCenter", False)
            where = f"{self.entry}: provinces.{key}"
            if not key or key in known:
                raise ForeignFileError(f"{self.entry}: provinces: {key!r} isn't an id of its own")
            if kind not in ("land", "sea", "coastal"):
                raise ForeignFileError(f"{where}: the type {kind!r} is neither land, sea nor coastal")
            if not isinstance(center, bool):
                raise ForeignFileError(f"{where}: supplyCenter is {center!r:.40}; true or false")
            known.add(key)
        named = []
        for item in coasts:
            key, _, coast = text(item, "id").lower().partition("/")
            parent = text(item, "parentProvince").lower() or key
            if parent not in known:
                raise ForeignFileError(f"{self.entry}: namedCoasts: the parentProvince {parent!r} isn't a province")
            named.append((parent, coast or text(item, "name").lower()))
        self.places(named, provinces)
        for item in (*provinces, *coasts):
            self.borders(self.at(text(item, "id")), item.get("adjacencies"))
        self.drop_vague_coasts()

    def calendar(self, phase: Any) -> None:
        """``phaseProgression`` from the first phase on."""
        rows = objects(table(self.document, "phaseProgression").get("transitions"))
        first = phase if isinstance(phase, dict) else {}
        start = text(first, "season"), text(first, "type")
        year = first.get("year")
        year = year if isinstance(year, int) else 1901
        if year < 1:
            self.left("initialState.phase.year", f"the year {year}; the years here count up from 1")
            year = 1
        walked = _walk(rows, start, year)
        if not start[0] or not walked:
            self.left("phaseProgression", "does not return to its first phase; the usual calendar is used")
            self.variant.first = f"Spring {year} Movement"
            return
        turns, years = walked
        take_cycle(self.variant, turns, year, years, "phaseProgression")
        if self.variant.first.split()[-1] != "Movement":
            start_in_cycle(self.variant)

    def endings(self) -> None:
        variant = self.variant
        for item in objects(self.document.get("victoryConditions")):
            kind = text(item, "type")
            number = item.get("supplyCenters")
            year = item.get("year")
            if kind == "supply-center-majority" and isinstance(number, int):
                variant.to_win = number
                self.took(kind, f"{number} centers to win")
            elif kind == "timed-resolution" and isinstance(year, int) and text(item, "resolution") in RESOLUTIONS:
                rule = RESOLUTIONS[text(item, "resolution")]
                season, _, phase = variant.cycle[-1].rpartition(" ")
                turn = f"{season} {year} {phase}" if not season.startswith("+") else f"{year} {phase}"
                variant.rules[rule] = {"last": turn}
                self.took(f"{kind} {year} {text(item, 'resolution')}", f"the rule {rule}")
            elif kind == "province-control":
                held = [f"@{self.at(p)}" for p in item.get("provinces", []) if isinstance(p, str)]
                if variant.rules.get("held_centers") or not all(
                    (place := variant.place_of(key[1:])) is not None and place.center for key in held
                ):
                    self.left(f"{kind} {', '.join(h[1:] for h in held)}", "winning by provinces that aren't centers")
                    continue
                variant.rules["held_centers"] = {"centers": held}
                if isinstance(year, int) and year > 0:
                    variant.rules["held_centers"]["from_year"] = year
                self.took(f"{kind} {', '.join(h[1:] for h in held)}", "the rule held_centers")
            else:
                self.left(f"victoryConditions {kind}", f"isn't known: {clean(str(item), 200)}")

    def modifiers(self) -> None:
        for tag in array(self.document, "adjudicationModifiers"):
            if tag == "allow-builds-in-non-home-centers":
                self.variant.rules["build_anywhere"] = {}
                self.took(tag, "the rule build_anywhere")
            elif tag == REBUILT:
                self.took(tag, "the rule passive_powers, rebuilt")
            else:
                self.left(str(tag)[:80], "is a modifier that has no counterpart")


def _walk(
    rows: list[dict[str, Any]], start: tuple[str, str], year: int
) -> tuple[list[tuple[str, int, str]], int] | None:
    """The turns from the first until it comes round, and the years that takes."""

    def holds(row: dict[str, Any], now: int) -> bool:
        condition = row.get("condition")
        divisor, rest = (table(row, "condition").get(key) for key in ("yearMod", "yearModValue"))
        return not isinstance(condition, dict) or (isinstance(divisor, int) and divisor > 0 and now % divisor == rest)

    divisors = [table(row, "condition").get("yearMod") for row in rows]
    span = max([1, *(d for d in divisors if isinstance(d, int) and d <= 1000)])
    turns: list[tuple[str, int, str]] = []
    at, now = start, year
    for _ in range(60):
        if at[1] not in PHASES:
            return None
        turns.append((at[0], now - year, PHASES[at[1]]))
        fitting = (row for row in rows if _turn(row, "from") == at and holds(row, now) and table(row, "to"))
        row = next(fitting, None)
        if row is None:
            return None
        delta = table(row, "to").get("yearDelta")
        at, now = _turn(row, "to"), now + (delta if isinstance(delta, int) and 0 <= delta <= 1000 else 0)
        if at == start and (now - year) % span == 0 and now > year:
            return turns, now - year
    return None


def _turn(row: dict[str, Any], end: str) -> tuple[str, str]:
    return text(table(row, end), "season"), text(table(row, end), "type")


class _Older(DocumentReader):
    """The site's API, the harness and the older data files: borders only in some of them."""

    def run(self) -> None:
        document, variant = self.document, self.variant
        listed = objects(document.get("provinces"))
        coasts = []
        for item in (item for item in listed if text(item, "type") == "named_coast"):
            key, _, coast = text(item, "id").lower().partition("/")
            parent = name_of(item.get("parent") or item.get("parentId") or item.get("parent_id"))
            coasts.append((parent or key, coast))
        self.places(coasts, (item for item in listed if text(item, "id") and text(item, "type") != "named_coast"))
        for item in listed:
            self.borders(self.at(text(item, "id")), item.get("adjacencies"))
        self.drop_vague_coasts()
        if not variant.army and not variant.fleet:
            self.borrow()
        nations = self.nations(objects(document.get("nations")))
        template = table(document, "templatePhase")
        self.start(
            document.get("initial_units") or template.get("units"),
            document.get("initial_supply_centers") or template.get("supplyCenters"),
            nations,
        )
        if not any(nation.units for nation in variant.nations):
            self.left("start", "the file holds no starting position; the powers start without units and centers")
        for nation in variant.nations:
            nation.homes = list(nation.owned or [])
        self.guess("homes", "are the centers owned at the start, as the file names none")
        self.calendar(document.get("initial_phase"), template)
        number = table(document, "victoryConditions").get("soloVictorySupplyCenters")
        if isinstance(number, int):
            variant.to_win = number
            self.took("soloVictorySupplyCenters", f"{number} centers to win")
        else:
            self.guess("centers to win", "are not in the file; half of all and one more")

    def calendar(self, phase: Any, template: Mapping[str, Any]) -> None:
        """The first turn; which phases follow is not in these files."""
        first = phase if isinstance(phase, dict) else template
        year = first.get("year")
        season = text(first, "season") or "Spring"
        if not isinstance(year, int) or year < 1:
            self.guess("initial_phase", "has no year from 1 on; the game begins in year 1")
            year = 1
        if season not in ("Spring", "Fall"):
            self.left(f"season {season}", "the phases that follow are not in the file; the usual calendar is used")
            season = "Spring"
        self.variant.first = f"{season} {year} Movement"
        self.guess("calendar", "is not in the file; the usual one is used")
        start_in_cycle(self.variant)

    def borrow(self) -> None:
        """Borders of a board of ours that has the same provinces, as the file has none.

        :raises ForeignFileError: if there is no such board."""
        places = self.variant.places
        lent = board_with(places)
        if lent is None:
            raise ForeignFileError(
                f"{self.entry}: is of the older format, which holds no borders, and no board here has these "
                f"{len(places)} provinces; import the variant document (schema version 1), or godip's export, instead"
            )
        board, found = lent
        keys = {id: key for key, id in found.items()}
        for key, place in places.items():
            place.coasts = list(board.provinces[found[key]].coasts)
        for border in board.borders:
            a, b = (end.replace(id := province_of(end), keys[id], 1) for end in (border.a, border.b))
            ways = {(a, b)} if border.one_way else {(a, b), (b, a)}
            self.variant.army |= ways if border.army else set()
            self.variant.fleet |= ways if border.fleet else set()
        self.guess(
            "borders", f"the file has none; they are those of our board {board.name!r}, which has the same provinces"
        )
