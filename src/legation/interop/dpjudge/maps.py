"""Maps of the DPjudge and of MILA: one line language, ``.map`` files that may use others.

A line whose first word isn't a directive and that has no ``=`` is a power: so a misspelled directive becomes one there,
and is told here. The case of a province's code in a list of borders says which units pass: ``TUS`` both, ``tus``
armies only, ``Tus`` fleets only."""

import re
from contextlib import suppress
from itertools import product

import msgspec

from legation.interop.calendars import LETTERS
from legation.interop.coasts import WORDS
from legation.interop.dpjudge.boards import CODE, FACTS, JudgeSite, place_in
from legation.interop.dpjudge.powers import PowerLines
from legation.interop.record import ForeignVariant, SourcePicture, clean
from legation.interop.renaming import renamed
from legation.interop.sources import ForeignFileError, Source
from legation.interop.svg import picture_of_svg

NAME = "dpjudge"
TITLE = "DPjudge and MILA maps (.map)"
TERRAIN = frozenset(["WATER", "LAND", "COAST", "PORT", "SHUT"])
DEEPEST = 12
MOST_LINES = 20_000
INFO = re.compile(r"%\s+(-?\d+)\s+(-?\d+)\s+([A-Za-z0-9]{3})(?:/([A-Za-z]{2}))?\s+\S", re.MULTILINE)
TERRITORY = re.compile(
    r"^[ \t]*\(([A-Za-z0-9]{3})(?:/([A-Za-z]{2}))?\)[ \t]+(-?\d+)[ \t]+(-?\d+)[ \t]+[a-z]\s*$", re.MULTILINE
)
"""Lines of a PostScript map that say where a place lies: of its block of comments, and of its lists."""
OF_A_MAP = re.compile(r"ABUTS|USE|^[ \t]*MAP[ \t]", re.MULTILINE | re.IGNORECASE)


def recognize(source: Source) -> list[str]:
    """The maps of a source: files that end in ``.map``, of several those with borders or that use others; njudge's are
    named ``map.x``."""
    maps = source.ending(".map")
    if source.main or len(maps) < 2:
        return maps
    return [name for name in maps if OF_A_MAP.search(source.glance(name))] or maps


def read(source: Source, entry: str) -> list[ForeignVariant]:
    """The variant of one map file.

    :raises ForeignFileError: if a file that it uses is missing, or it has no powers or no borders."""
    name = entry.rpartition("/")[2].rpartition(".")[0] or entry
    variant = ForeignVariant(name=name, title=name.replace("_", " ").title(), format=TITLE, file=entry)
    reader = _Reader(source, variant)
    reader.file(entry, 0)
    reader.finish()
    picture = _positions_beside(source, entry, reader.pictures)
    if picture is not None:
        found, file = picture
        variant.picture = found
        variant.took(
            file,
            f"positions of {len(found.units)} places" + (f" and shapes of {len(found.shapes)}" if found.shapes else ""),
        )
    return [variant]


class _Reader(PowerLines):
    def __init__(self, source: Source, variant: ForeignVariant) -> None:
        super().__init__(source, variant)
        self.used: set[str] = set()
        self.pictures: list[str] = []
        self.lines = 0
        self.foreign = ""
        """The block whose lines hold for some games or turns only, in which the reader is: DIRECTIVES, IN, FROM."""

    def file(self, name: str, depth: int) -> None:
        if depth > DEEPEST:
            raise ForeignFileError(f"{name}: files use each other too deeply")
        if name in self.used:
            self.left(f"USE {name}", "used a second time; read once")
            return
        self.used.add(name)
        for number, line in enumerate(self.source.text(name).splitlines(), 1):
            self.lines += 1
            if self.lines > MOST_LINES:
                raise ForeignFileError(f"{name}: has more than {MOST_LINES} lines")
            if line.strip() and not line.startswith("#"):
                self.line(line.strip(), f"{name}:{number}", name, depth)
        self.foreign = ""  # a block ends with its file at the latest

    def line(self, line: str, where: str, file: str, depth: int) -> None:
        words = line.split()
        word = words[0].upper()
        if self.in_block(line, words, where):
            return
        if word in ("USE", "USES", "MAP"):
            for wanted in words[1:]:
                target = self.source.beside(file, wanted if "." in wanted else f"{wanted}.map", "uses")
                if word == "MAP":
                    self.pictures.append(target)
                self.file(target, depth + 1)
        elif word in ("IN", "FROM"):
            self.dynamic(line, words)
        elif "=" in line:
            self.place_name(line, where)
        elif word == "TEXTONLY":
            self.took("TEXTONLY", "the source has no picture")
        elif word in TERRAIN:
            self.terrain(word, words, where)
        elif word == "AMEND":
            self.amend(words, where)
        elif word == "DROP":
            for code in words[1:]:
                self.drop(code.lower())
        else:
            self.about_play(line, word, words, where)

    def in_block(self, line: str, words: list[str], where: str) -> bool:
        """Whether a line begins or ends a block whose lines hold for some games or turns only, or stands in one."""
        word = words[0].upper()
        if words[-1].upper() in ("DIRECTIVE", "DIRECTIVES") and len(words) < 3:
            if len(words) == 2 and word != "END":
                self.foreign = clean(f"{word} DIRECTIVES", 40)
            elif self.foreign != "IN or FROM":
                self.foreign = ""
        elif word in ("IN", "FROM") and self.foreign == "IN or FROM":
            self.foreign = ""
            self.dynamic(line, words)
        elif self.foreign:
            self.left(clean(line, 60), f"{where}: stands inside {self.foreign}")
        else:
            return False
        return True

    def finish(self) -> None:
        """Tell which powers are left out for good, and put all that was read into the record."""
        for name in dict.fromkeys(self.unplayed):
            again = name in self.powers
            self.took(
                f"UNPLAYED {name}",
                "what stood before is forgotten; the map sets the power up anew"
                if again
                else "the power is left out, and its centers belong to nobody",
            )
        super().finish()

    def dynamic(self, line: str, words: list[str]) -> None:
        """``IN season: WATER code`` opens a place that is shut; what else changes in time is told."""
        when, colon, what = line.partition(" ")[2].partition(":")
        then = what.split()
        if words[0].upper() == "FROM" and when.strip().upper() == "START":
            return
        opens = len(then) == 2 and then[0].upper() in TERRAIN - {"SHUT"} and CODE.match(then[1])
        if words[0].upper() == "IN" and when.strip().isalpha() and opens:
            code = then[1].lower()
            self.open_in.setdefault(code, []).append(when.strip().lower())
            self.sites.setdefault(code, JudgeSite("SHUT")).opened = then[0].upper()
            return
        self.left(clean(line, 60), "places and borders that change with the season or the turn")
        self.foreign = "" if colon else "IN or FROM"

    def place_name(self, line: str, where: str) -> None:
        """``[old ->] Name = code alias ...``"""
        left, _, right = line.partition("=")
        old = ""
        if "->" in left:
            old, _, left = left.partition("->")
        listed = right.split()
        if not listed or not left.strip():
            self.left(clean(line, 60), f"{where}: a name without a code")
            return
        code = listed[0].lower()
        if not CODE.match(code):
            self.left(clean(line, 60), f"{where}: {listed[0]!r} isn't a code of three letters")
            return
        if old.strip():
            self.rename(old.strip().lower(), code)
        aliases = [a.replace("+", " ") for a in listed[1:] if not a.endswith("?")]
        for alias in [a for a in listed[1:] if a.endswith("?")]:
            self.left(f"{alias} of {code}", "a name that means another place, too, where that fits")
        self.names[code] = (left.strip().replace("+", " "), aliases)

    def rename(self, old: str, code: str) -> None:
        found = next((c for c, (name, aliases) in self.names.items() if old in (c, name.lower())), old)
        if found == code:
            return
        self.names.pop(found, None)
        if found in self.sites:
            self.sites[code] = self.sites.pop(found)
        for site in self.sites.values():
            site.abuts = [_neighbor(item, found, code) for item in site.abuts]
        self.neutral = [code if c == found else c for c in self.neutral]

        def new(place: str) -> str:
            return code if place == found else place

        for power in self.powers.values():
            nation = power.nation
            nation.homes = [*map(new, nation.homes)]
            nation.units = [msgspec.structs.replace(u, at=new(u.at)) for u in nation.units]
            nation.owned = nation.owned and [*map(new, nation.owned)]
            power.inhabits = power.inhabits and [*map(new, power.inhabits)]
            power.claims, power.sites = renamed(power.claims, new), renamed(power.sites, new)
        self.hidden = renamed(self.hidden, new)
        if found in self.open_in:
            self.open_in[code] = self.open_in.pop(found)

    def terrain(self, word: str, words: list[str], where: str) -> None:
        """``COAST code [ABUTS x ...]``: the list replaces an earlier one."""
        if len(words) < 2 or not CODE.match(words[1]):
            self.left(clean(" ".join(words), 60), f"{where}: terrain without a code of three letters")
            return
        code = words[1].lower()
        self.in_one_piece(words[1])
        site = self.sites.get(code) or JudgeSite(word)
        site.terrain = word
        site.lower = words[1][:3].islower() and any(c.isalpha() for c in words[1][:3])
        if len(words) > 2:
            if words[2].upper() != "ABUTS":
                self.left(clean(" ".join(words), 60), f"{where}: {words[2]!r} stands where ABUTS should")
            site.abuts = words[3:]
        self.sites[code] = site

    def in_one_piece(self, written: str) -> None:
        """A place that had coasts, and is written in capitals now, has none any more."""
        site = self.sites.get(written.lower())
        if site is not None and site.lower and written.isupper():
            site.lower = False
            for coast in [code for code in self.sites if code.startswith(f"{written.lower()}/")]:
                self.drop(coast)

    def amend(self, words: list[str], where: str) -> None:
        """``AMEND code [ABUTS x.. -y..]``: adds borders, takes some away."""
        if len(words) < 2:
            return
        code = words[1].lower()
        site = self.sites.get(code)
        if site is None:
            self.left(clean(" ".join(words), 60), f"{where}: amends a place that is not there")
            return
        self.in_one_piece(words[1])
        if words[1][:3].islower() != site.lower and words[1] != words[1].upper():
            site.lower = True
        for item in words[3:]:
            if item.startswith("-"):
                site.abuts = [a for a in site.abuts if not a.lower().startswith(item[1:].lower())]
            else:
                site.abuts = [a for a in site.abuts if a.lower() != item.lower()] + [item]

    def drop(self, code: str) -> None:
        """Forget a place, its coasts, borders, homes and units."""

        def gone(location: str) -> bool:
            return location.lower() == code or location.lower().startswith(f"{code}/")

        for table in (self.sites, self.names):
            for key in [key for key in table if gone(key)]:
                table.pop(key)
        for site in self.sites.values():
            site.abuts = [a for a in site.abuts if not gone(place_in(a))]
        self.neutral = [c for c in self.neutral if not gone(c)]
        for power in self.powers.values():
            power.nation.homes = [c for c in power.nation.homes if not gone(c)]
            power.nation.units = [u for u in power.nation.units if not gone(u.at)]
            power.nation.owned = power.nation.owned and [c for c in power.nation.owned if not gone(c)]

    # --- powers, calendar, rules

    def about_play(self, line: str, word: str, words: list[str], where: str) -> None:
        if self.about_power(line, word, words[1:], where):
            return
        if word == "VICTORY":
            self.win = [int(n) for n in words[1:] if n.isdecimal() and len(n) < 5]
            if len(self.win) < len(words[1:]) or not self.win:
                self.left(clean(line, 60), f"{where}: isn't a list of numbers of centers")
        elif word == "BEGIN":
            self.begin(words[1:])
        elif word == "REFLOW" and len(words) == 1:
            self.flow = []
        elif word == "FLOW":
            self.flow = [*self.flow, *words[1:]] if len(words) > 1 else []
        elif word in ("RULE", "RULES"):
            self.take_rules(words[1:])
        elif word == "NEWHOMES":
            self.new_homes += [int(year) for year in words[1:] if year.isdecimal() and len(year) < 6]
            self.took(clean(line, 60), "centers that become homes in a year: the rule gained_homes")
        elif word in FACTS["notes"]:
            self.left(clean(line, 60), FACTS["notes"][word])
        else:
            self.power(line, words, where)

    def begin(self, words: list[str]) -> None:
        if len(words) != 3 or not words[1].removeprefix("-").isdecimal() or len(words[1]) > 5:
            self.left(f"BEGIN {' '.join(words)[:40]}", "isn't a season, year and phase; the game begins in Spring 1901")
            return
        season, year, phase = words[0].title(), words[1], words[2].title()
        self.variant.first = f"{season} {year} {LETTERS.get(phase[:1], phase)}"

    def take_rules(self, names: list[str]) -> None:
        for name in names:
            if name.startswith("!"):
                self.rules = [r for r in self.rules if r != name[1:].upper()]
            else:
                self.rules.append(name.upper())


def _neighbor(item: str, old: str, new: str) -> str:
    """An item of a list of borders, whose place may have another code now; its case stays."""
    place = place_in(item)
    if place.lower() != old:
        return item
    return item.replace(place, new.upper() if place.isupper() else new.title() if place[0].isupper() else new)


def _positions_beside(source: Source, entry: str, others: list[str]) -> tuple[SourcePicture, str] | None:
    """The picture that lies beside a map, by the map's name or that of one whose picture it takes; None without one."""
    stems = [name.rpartition("/")[2].rpartition(".")[0] for name in (entry, *others)]
    for stem, folder, ending in product(stems, ("", "svg/", "psmaps/"), (".svg", ".ps")):
        if (found := source.look(entry, f"{folder}{stem}{ending}")) is None:
            continue
        with suppress(ForeignFileError):  # a broken picture: another one, or none
            picture = picture_of_svg(source, found) if ending == ".svg" else _postscript(source.text(found))
            if picture.units or picture.shapes:
                return picture, found
    return None


def _postscript(text: str) -> SourcePicture:
    """Positions of a PostScript map, y turned down. It is read as text; nothing of it is run."""
    units: dict[str, tuple[float, float]] = {}
    block = text.partition("% INFO")[2].partition("% MAP")[0] or text
    for pattern, part, order in ((INFO, block, (1, 2, 3, 4)), (TERRITORY, text, (3, 4, 1, 2))):
        for match in pattern.finditer(part):
            x, y, code, coast = (match[i] for i in order)
            at = code.lower() + (f"/{WORDS.get(coast.lower(), coast.lower())}" if coast else "")
            units.setdefault(at, (float(x), -float(y)))
    return SourcePicture(units=units)
