"""Maps of the DPjudge and of MILA: one line language, ``.map`` files that may use others.

A line whose first word is no directive and that has no ``=`` is a power: so a misspelled directive becomes one there,
and is told here. The case of a province's code in a list of borders says which units pass: ``TUS`` both, ``tus``
armies only, ``Tus`` fleets only.
"""

from __future__ import annotations

import msgspec

from legation.interop.errors import ForeignFileError
from legation.interop.judge_boards import CODE, JudgeMap, JudgePower, JudgeSite, place_in
from legation.interop.judge_calendars import PHASES
from legation.interop.judge_positions import positions_beside
from legation.interop.record import ForeignVariant, Nation, StartingUnit, clean
from legation.interop.sources import Source

NAME = "dpjudge"
TITLE = "DPjudge and MILA maps (.map)"
TERRAIN = frozenset(["WATER", "LAND", "COAST", "PORT", "SHUT"])
NOTES = {
    "FLAG": "pictures of flags",
    "FLAGS": "pictures of flags",
    "NOTIFY": "a mail address",
    "ROTATE": "powers whose control goes round",
    "CONTROL": "powers that order other powers' units",
    "TEAM": "players with several powers",
    "TEAMS": "players with several powers",
}
DEEPEST = 12
MOST_LINES = 20_000


def recognize(source: Source) -> list[str]:
    """The maps of a source: files that end in ``.map``, and are not parts of others; njudge's are named ``map.x``."""
    maps = source.ending(".map")
    if source.main or len(maps) < 2:
        return maps
    used: set[str] = set()
    for name in maps:
        for line in source.text(name).splitlines()[:400]:
            words = line.split()
            if words and words[0].upper() in ("USE", "USES", "MAP"):
                used |= {w.lower() if "." in w else f"{w.lower()}.map" for w in words[1:]}
    alone = [name for name in maps if any(w in source.text(name).upper() for w in ("ABUTS", "USE"))]
    return alone or [name for name in maps if name.rpartition("/")[2].lower() not in used]


def read(source: Source, entry: str) -> list[ForeignVariant]:
    """The variant of one map file.

    :raises ForeignFileError: if a file that it uses is missing, or it has no powers or no borders.
    """
    name = entry.rpartition("/")[2].rpartition(".")[0] or entry
    variant = ForeignVariant(name=name, title=name.replace("_", " ").title(), format=TITLE, file=entry, nations=[])
    reader = _Reader(source, variant)
    reader.file(entry, 0)
    reader.finish()
    picture = positions_beside(source, entry, reader.pictures)
    if picture is not None:
        found, file = picture
        variant.picture = found
        variant.took(
            file,
            f"positions of {len(found.units)} places" + (f" and shapes of {len(found.shapes)}" if found.shapes else ""),
        )
    return [variant]


class _Reader(JudgeMap):
    """Reads the lines of a map and of those that it uses."""

    def __init__(self, source: Source, variant: ForeignVariant) -> None:
        super().__init__(variant)
        self.source = source
        self.used: set[str] = set()
        self.pictures: list[str] = []
        self.current: JudgePower | None = None
        self.unplayed: list[str] = []
        self.lines = 0
        self.foreign = ""
        """The block whose lines hold for some games or turns only, in which the reader is: DIRECTIVES, IN, FROM."""

    def file(self, name: str, depth: int) -> None:
        """Read a file now."""
        if depth > DEEPEST:
            raise ForeignFileError(f"{name}: files use each other too deeply")
        if name in self.used:
            self.variant.left(f"USE {name}", "used a second time; read once")
            return
        self.used.add(name)
        for number, line in enumerate(self.source.text(name).splitlines(), 1):
            self.lines += 1
            if self.lines > MOST_LINES:
                raise ForeignFileError(f"{name}: has more than {MOST_LINES} lines")
            if line.strip() and not line.startswith("#"):
                self.line(line.strip(), f"{name}:{number}", name, depth)

    def line(self, line: str, where: str, file: str, depth: int) -> None:
        """One line."""
        words = line.split()
        word = words[0].upper()
        if words[-1].upper() in ("DIRECTIVE", "DIRECTIVES") and len(words) < 3:
            if len(words) == 2 and word != "END":
                self.foreign = clean(f"{word} DIRECTIVES", 40)
            elif self.foreign != "IN or FROM":
                self.foreign = ""
        elif self.foreign and word in ("IN", "FROM") and self.foreign == "IN or FROM":
            self.foreign = ""
            self.dynamic(line, words)
        elif self.foreign:
            self.variant.left(clean(line, 60), f"{where}: stands inside {self.foreign}")
        elif word in ("USE", "USES", "MAP"):
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
            self.variant.took("TEXTONLY", "the source has no picture")
        elif word in TERRAIN:
            self.terrain(word, words, where)
        elif word == "AMEND":
            self.amend(words, where)
        elif word == "DROP":
            for code in words[1:]:
                self.drop(code.lower())
        else:
            self.about_play(line, word, words, where)

    def finish(self) -> None:
        """Tell which powers are left out for good, and put all that was read into the record."""
        for name in dict.fromkeys(self.unplayed):
            again = name in self.powers
            self.variant.took(
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
        if (
            words[0].upper() == "IN"
            and when.strip().isalpha()
            and len(then) == 2
            and then[0].upper() in TERRAIN - {"SHUT"}
            and CODE.match(then[1])
        ):
            code = then[1].lower()
            self.open_in.setdefault(code, []).append(when.strip().lower())
            self.sites.setdefault(code, JudgeSite("SHUT")).opened = then[0].upper()
            return
        self.variant.left(clean(line, 60), "places and borders that change with the season or the turn")
        self.foreign = "" if colon else "IN or FROM"

    def place_name(self, line: str, where: str) -> None:
        """``[old ->] Name = code alias ...``"""
        left, _, right = line.partition("=")
        old = ""
        if "->" in left:
            old, _, left = left.partition("->")
        listed = right.split()
        if not listed or not left.strip():
            self.variant.left(clean(line, 60), f"{where}: a name without a code")
            return
        code = listed[0].lower()
        if not CODE.match(code):
            self.variant.left(clean(line, 60), f"{where}: {listed[0]!r} is no code of three letters")
            return
        if old.strip():
            self.rename(old.strip().lower(), code)
        aliases = [a.replace("+", " ") for a in listed[1:] if not a.endswith("?")]
        self.names[code] = (left.strip().replace("+", " "), aliases)

    def rename(self, old: str, code: str) -> None:
        """A place gets another code, everywhere."""
        found = next((c for c, (name, aliases) in self.names.items() if old in (c, name.lower())), old)
        if found == code:
            return
        self.names.pop(found, None)
        if found in self.sites:
            self.sites[code] = self.sites.pop(found)
        for site in self.sites.values():
            site.abuts = [self._renamed(item, found, code) for item in site.abuts]
        self.neutral = [code if c == found else c for c in self.neutral]
        for power in self.powers.values():
            nation = power.nation
            nation.homes = [code if h == found else h for h in nation.homes]
            nation.units = [msgspec.structs.replace(u, at=code) if u.at == found else u for u in nation.units]
            power.owned = power.owned and [code if h == found else h for h in power.owned]
            power.inhabits = power.inhabits and [code if h == found else h for h in power.inhabits]

    def _renamed(self, item: str, old: str, new: str) -> str:
        place = place_in(item)
        if place.lower() != old:
            return item
        return item.replace(place, new.upper() if place.isupper() else new.title() if place[0].isupper() else new)

    def terrain(self, word: str, words: list[str], where: str) -> None:
        """``COAST code [ABUTS x ...]``: the list replaces an earlier one."""
        if len(words) < 2 or not CODE.match(words[1]):
            self.variant.left(clean(" ".join(words), 60), f"{where}: terrain without a code of three letters")
            return
        code = words[1].lower()
        self.in_one_piece(words[1])
        site = self.sites.get(code) or JudgeSite(word)
        site.terrain = word
        site.lower = words[1][:3].islower() and any(c.isalpha() for c in words[1][:3])
        if len(words) > 2:
            if words[2].upper() != "ABUTS":
                self.variant.left(clean(" ".join(words), 60), f"{where}: {words[2]!r} stands where ABUTS should")
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
            self.variant.left(clean(" ".join(words), 60), f"{where}: amends a place that is not there")
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
            power.owned = power.owned and [c for c in power.owned if not gone(c)]

    # --- powers, calendar, rules

    def about_play(self, line: str, word: str, words: list[str], where: str) -> None:
        """Everything but places."""
        if word in ("UNOWNED", "NEUTRAL") or (word == "CENTERS" and self.current is None):
            for center in words[1:]:
                if center.startswith("-"):
                    self.neutral = [c for c in self.neutral if c != center[1:].lower()]
                else:
                    self.add_neutral(center.lower())
            self.current = None
        elif word in ("OWNS", "CENTERS"):
            self.owns(word, words[1:], line)
        elif word in ("INHABITS", "HOME", "HOMES"):
            self.inhabits(word, words[1:])
        elif word in ("A", "F") and len(words) == 2:
            self.unit(word, words[1].lower(), where)
        elif word == "UNITS":
            if self.current is not None:
                self.current.nation.units = []
        elif word in ("UNPLAYED", "DUMMY", "DUMMIES"):
            self.not_played(word, words[1:])
        elif word == "VICTORY":
            self.win = [int(n) for n in words[1:] if n.isdigit() and len(n) < 5]
        elif word == "BEGIN":
            self.begin(words[1:])
        elif word == "REFLOW" and len(words) == 1:
            self.flow = []
        elif word == "FLOW":
            self.flow = [*self.flow, *words[1:]] if len(words) > 1 else []
        elif word in ("RULE", "RULES"):
            self.take_rules(words[1:])
        elif word in ("RESERVES", "MILITIA"):
            self.reserves(word, words[1:], line)
        elif word == "NEWHOMES":
            self.new_homes += [int(year) for year in words[1:] if year.isdigit() and len(year) < 6]
            self.variant.took(clean(line, 60), "centers that become homes in a year: the rule gained_homes")
        elif word == "LEAGUE":
            if self.current is None:
                self.variant.left(clean(line, 60), "a league of no power")
            else:
                self.current.league = [w.upper() for w in words[1:12]]
        elif word in NOTES:
            self.variant.left(clean(line, 60), NOTES[word])
        else:
            self.power(line, words, where)

    def add_neutral(self, code: str) -> None:
        if code not in self.neutral:
            self.neutral.append(code)

    def power(self, line: str, words: list[str], where: str) -> None:
        """``[old ->] POWER [(own:L)] [home ...]``"""
        old = ""
        if "->" in words:
            at = words.index("->")
            old, words = "_".join(words[:at]).upper(), words[at + 1 :]
        if not words:
            return
        name = words[0].upper()
        rest = words[1:]
        own, letter = "", ""
        if rest and rest[0].startswith("("):
            own, _, letter = rest.pop(0).strip("()").partition(":")
            letter = letter.partition(":")[0]
        if old and old in self.powers:
            self.powers[name] = self.powers.pop(old)
            self.powers[name].nation.name = power_name(name)
        if name not in self.powers:
            if (
                not own
                and not rest
                and not old
                and words == [words[0]]
                and not name.lstrip("_").replace("+", "").isalpha()
            ):
                self.variant.left(clean(line, 60), f"{where}: neither a directive nor a power")
                return
            self.powers[name] = JudgePower(Nation(name=power_name(name)))
        power = self.current = self.powers[name]
        if own:
            power.nation.adjective = own.replace("+", " ").title()
        if letter or own:
            power.letter = (letter or own[:1]).upper()
        for word in rest:
            self.home(power, word, clean(line, 60))

    def home(self, power: JudgePower, word: str, line: str) -> None:
        """A center of a power line, with its marks."""
        if word.startswith("-"):
            code = word[1:].lower()
            power.nation.homes = [h for h in power.nation.homes if h != code]
            if code not in self.neutral:
                self.neutral.append(code)
        elif CODE.match(word):
            code = word.lower()
            if code not in power.nation.homes:
                power.nation.homes.append(code)
        elif word.upper() == "&SC":
            power.any_claims += 1
            self.variant.took(
                f"&SC of {power.nation.name}",
                "a center, whichever it is, that becomes home when it is built in: gained_homes",
            )
        elif word[0] in "+*@~&":
            self.marked(power, word)
        else:
            self.variant.left(word, f"stands among the homes in {line!r} and is no code")

    def marked(self, power: JudgePower, word: str) -> None:
        """A site of builds with marks: ``+X`` a factory, ``*X`` for partisans, ``@X(H)`` a home that makes no further
        builds, ``~X`` one whose builds are hidden; marks combine."""
        told = f"{word} of {power.nation.name}"
        code, _, instead = word.lstrip("+*@~&").rstrip(")").partition("(")
        marks = word[: len(word) - len(word.lstrip("+*@~&"))]
        code, homes = code.lower(), [f"@{home.strip().lower()}" for home in instead.split(",") if home.strip()]
        name = next(key for key, known in self.powers.items() if known is power)
        if not CODE.match(code):
            self.variant.left(told, "is no place")
            return
        if "~" in marks:
            self.variant.left(told, "a hidden home has no counterpart; builds there are shown")
        if "+" in marks or "*" in marks:
            kind = "partisans" if "*" in marks else "always"
            self.sites_of_builds.setdefault(kind, {}).setdefault(name, []).append(f"@{code}")
            self.variant.took(told, "a site of builds that is no home: the rule further_sites")
        elif "&" in marks:
            power.claims.append(f"@{code}")
            self.variant.took(told, "a center that becomes home when it is built in: the rule gained_homes")
        else:
            power.nation.homes += [code] if code not in power.nation.homes else []
            if "@" in marks:
                self.sites_of_builds.setdefault("alternatives", {}).setdefault(name, {})[f"@{code}"] = homes
                self.variant.took(told, "a home that is built in for another one: the rule further_sites")

    def owns(self, word: str, codes: list[str], line: str) -> None:
        if self.current is None:
            self.variant.left(clean(line, 60), "says what a power owns, but names none")
            return
        plain = [c.rstrip("!?").lower() for c in codes if not c.startswith("SC") or c[2:3] not in "!?"]
        power = self.current
        if choices := [code for code in codes if code in ("SC!", "SC?")]:
            power.choices += len(choices)
            self.variant.took(" ".join(choices), "first builds in any vacant home: the rule mobilization")
        power.owned = [*([] if word == "CENTERS" else power.owned or []), *plain]

    def reserves(self, word: str, numbers: list[str], line: str) -> None:
        """Units above the number of centers."""
        if self.current is None:
            self.variant.left(clean(line, 60), "units above the centers, of no power")
            return
        number = int(numbers[0]) if numbers and numbers[0].isdigit() and len(numbers[0]) < 4 else 1
        if word == "MILITIA":
            self.current.militia = True
            if number > 1:
                self.variant.left(clean(line, 60), "more than one unit for each that stands on a home; here one")
        else:
            self.current.reserves = number
        self.variant.took(clean(line, 60), "units above the number of centers: the rule extra_units")

    def inhabits(self, word: str, codes: list[str]) -> None:
        if self.current is None:
            return
        power = self.current
        if power.inhabits is None or word != "INHABITS":
            power.inhabits = []
        for code in codes:
            if CODE.match(code):
                power.inhabits.append(code.lower())
            else:
                self.home(power, code, word)

    def unit(self, kind: str, at: str, where: str) -> None:
        if self.current is None:
            self.variant.left(f"{kind} {at}", f"{where}: a unit of no power")
            return
        for power in self.powers.values():
            power.nation.units = [u for u in power.nation.units if u.at[:3] != at[:3]]
        self.current.nation.units.append(StartingUnit("army" if kind == "A" else "fleet", at))

    def not_played(self, word: str, names: list[str]) -> None:
        """UNPLAYED powers are gone, DUMMY powers stand and hold."""
        listed = [n.strip(",").upper() for n in names if n.strip(",")]
        if not listed and self.current is not None:
            listed = [next(n for n, p in self.powers.items() if p is self.current)]
        elif listed and listed[0] == "ALL":
            out = listed[2:] if listed[1:2] == ["EXCEPT"] else []
            listed = [name for name in self.powers if name not in out]
        for name in listed:
            if name not in self.powers:
                self.variant.left(f"{word} {name}", "there is no such power")
            elif word == "UNPLAYED":
                power = self.powers.pop(name)
                for home in power.nation.homes:
                    self.add_neutral(home)
                self.unplayed.append(name)
            else:
                self.powers[name].played = False

    def begin(self, words: list[str]) -> None:
        if len(words) != 3 or not words[1].lstrip("-").isdigit() or len(words[1]) > 5:
            self.variant.left(
                f"BEGIN {' '.join(words)[:40]}", "is no season, year and phase; the game begins in Spring 1901"
            )
            return
        season, year, phase = words[0].title(), words[1], words[2].title()
        self.variant.first = f"{season} {year} {PHASES.get(phase[:1], phase)}"

    def take_rules(self, names: list[str]) -> None:
        for name in names:
            if name.startswith("!"):
                self.rules = [r for r in self.rules if r != name[1:]]
            else:
                self.rules.append(name)


def power_name(word: str) -> str:
    """A power's name as people see it: ``_NEW+ZEALAND`` is New Zealand."""
    parts = word.lstrip("_").replace("+", " ").replace("_", " ").split()
    if len(parts) > 1 and all(len(part) == 1 for part in parts):
        return clean("".join(parts).upper(), 40)  # U+S+A
    return clean(" ".join(part.upper() if "." in part else part.title() for part in parts), 40)
