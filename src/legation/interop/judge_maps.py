"""Maps of the DPjudge and of MILA: one line language, ``.map`` files that may use others.

A line whose first word is no directive and that has no ``=`` is a power: so a misspelled directive becomes one there,
and is told here. The case of a province's code in a list of borders says which units pass: ``TUS`` both, ``tus``
armies only, ``Tus`` fleets only.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from legation.interop.calendars import take_cycle
from legation.interop.coasts import coast_codes
from legation.interop.errors import ForeignFileError
from legation.interop.judge_positions import positions_beside
from legation.interop.passive import take_passive
from legation.interop.record import ForeignVariant, Nation, Place, StartingUnit, clean
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
    "LEAGUE": "leagues that limit supports and convoys",
    "RESERVES": "units above the number of centers",
    "MILITIA": "units above the number of centers, for those at home",
    "NEWHOMES": "centers that become homes in a year",
}
DEEPEST = 12
MOST_LINES = 20_000
CODE = re.compile(r"[A-Za-z0-9]{3}(/[A-Za-z]{2})?\Z")
RULES: dict[str, tuple[str, dict[str, Any]]] = {
    "BUILD_ANY": ("build_anywhere", {}),
    "REMOTE_BUILDS": ("build_where", {"sites": "while home"}),
    "HOME_BUILDS": ("build_where", {"sites": "any home"}),
    "COASTAL_CONVOY": ("convoying_coasts", {"all_coasts": True}),
    "BLIND": ("fog_of_war", {}),
}
"""Rules of the game that are modules here. BLIND is nearly ours; the report says so."""


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


class _Site(msgspec.Struct):
    """A place or coast with its terrain and its borders as they are written."""

    terrain: str
    abuts: list[str] = []
    lower: bool = False


class _Power(msgspec.Struct):
    """A power while it is read."""

    nation: Nation
    letter: str = ""
    owned: list[str] | None = None
    inhabits: list[str] | None = None
    played: bool = True


class _Reader:
    """Reads the lines of a map and of those that it uses."""

    def __init__(self, source: Source, variant: ForeignVariant) -> None:
        self.source = source
        self.variant = variant
        self.used: set[str] = set()
        self.pictures: list[str] = []
        self.names: dict[str, tuple[str, list[str]]] = {}
        self.sites: dict[str, _Site] = {}
        self.powers: dict[str, _Power] = {}
        self.current: _Power | None = None
        self.neutral: list[str] = []
        self.flow: list[str] = []
        self.rules: list[str] = []
        self.win: list[int] = []
        self.lines = 0
        self.bound: list[tuple[str, str, str]] = []
        """Borders that are open to powers of some letters only."""
        self.foreign = False
        """Inside DIRECTIVES, or after an IN or FROM line without an end."""

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
        if self.foreign:
            self.variant.left(clean(line, 60), f"{where}: stands inside DIRECTIVES, IN or FROM")
            if word == "END":
                self.foreign = False
            return
        if (len(words) > 1 and words[1].upper() in ("DIRECTIVE", "DIRECTIVES")) or word in ("DIRECTIVE", "DIRECTIVES"):
            self.variant.left(clean(line, 60), f"{where}: lines for a game's status file")
            self.foreign = True
        elif word in ("USE", "USES", "MAP"):
            for wanted in words[1:]:
                target = self.source.beside(file, wanted if "." in wanted else f"{wanted}.map", "uses")
                if word == "MAP":
                    self.pictures.append(target)
                self.file(target, depth + 1)
        elif "=" in line and word not in ("IN", "FROM"):
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
        elif word in ("IN", "FROM"):
            self.variant.left(clean(line, 60), "places and borders that change with the season or the turn")
            self.foreign = ":" not in line
        else:
            self.about_play(line, word, words, where)

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
        self.names[code] = (left.strip(), aliases)

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

    def _renamed(self, item: str, old: str, new: str) -> str:
        if item.lower() != old:
            return item
        return new.upper() if item.isupper() else new.title() if item[0].isupper() else new

    def terrain(self, word: str, words: list[str], where: str) -> None:
        """``COAST code [ABUTS x ...]``: the list replaces an earlier one."""
        if len(words) < 2 or not CODE.match(words[1]):
            self.variant.left(clean(" ".join(words), 60), f"{where}: terrain without a code of three letters")
            return
        code = words[1].lower()
        site = self.sites.get(code) or _Site(word)
        site.terrain = word
        site.lower = words[1][:3].islower() and any(c.isalpha() for c in words[1][:3])
        if len(words) > 2:
            if words[2].upper() != "ABUTS":
                self.variant.left(clean(" ".join(words), 60), f"{where}: {words[2]!r} stands where ABUTS should")
            site.abuts = words[3:]
        self.sites[code] = site

    def amend(self, words: list[str], where: str) -> None:
        """``AMEND code [ABUTS x.. -y..]``: adds borders, takes some away."""
        if len(words) < 2:
            return
        code = words[1].lower()
        site = self.sites.get(code)
        if site is None:
            self.variant.left(clean(" ".join(words), 60), f"{where}: amends a place that is not there")
            return
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
            site.abuts = [a for a in site.abuts if not gone(_bare(a))]
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
        elif word == "FLOW":
            self.flow = [*self.flow, *words[1:]] if len(words) > 1 else []
        elif word in ("RULE", "RULES"):
            self.take_rules(words[1:])
        elif word in NOTES:
            self.variant.left(clean(line, 60), NOTES[word])
        else:
            self.power(line, words, where)

    def add_neutral(self, code: str) -> None:
        if code not in self.neutral:
            self.neutral.append(code)
        for power in self.powers.values():
            power.nation.homes = [h for h in power.nation.homes if h != code]

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
            self.powers[name] = _Power(Nation(name=power_name(name)))
        power = self.current = self.powers[name]
        if own:
            power.nation.adjective = own.replace("+", " ").title()
        if letter or own:
            power.letter = (letter or own[:1]).upper()
        for word in rest:
            self.home(power, word, clean(line, 60))

    def home(self, power: _Power, word: str, line: str) -> None:
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
        elif word[0] in "+*@~&":
            marks = {
                "+": "a factory",
                "*": "a partisan site",
                "@": "an alternative home",
                "~": "a hidden home",
                "&": "a claimable center",
            }
            self.variant.left(f"{word} of {power.nation.name}", f"{marks[word[0]]} has no counterpart")
            bare = re.sub(r"[^A-Za-z0-9].*", "", word.lstrip("+*@~&"))
            if word[0] in "~" and CODE.match(bare):
                power.nation.homes.append(bare.lower())
        else:
            self.variant.left(word, f"stands among the homes in {line!r} and is no code")

    def owns(self, word: str, codes: list[str], line: str) -> None:
        if self.current is None:
            self.variant.left(clean(line, 60), "says what a power owns, but names none")
            return
        plain = [c.rstrip("!?").lower() for c in codes if not c.startswith("SC") or c[2:3] not in "!?"]
        for choice in (c for c in codes if c in ("SC!", "SC?")):
            self.variant.left(choice, "a first build in any vacant home")
        power = self.current
        power.owned = [*([] if word == "CENTERS" else power.owned or []), *plain]

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
                self.variant.took(f"UNPLAYED {name}", "the power is left out, and its centers belong to nobody")
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

    # --- what all lines together say

    def finish(self) -> None:
        """Put the places, borders, powers and rules into the record."""
        variant = self.variant
        self._places()
        self._borders()
        self._powers()
        calendar(variant, self.flow)
        for rule in dict.fromkeys(self.rules):
            if rule in RULES:
                key, settings = RULES[rule]
                variant.rules[key] = settings
                variant.took(f"RULE {rule}", f"the rule {key}")
                if rule == "BLIND":
                    variant.guess("RULE BLIND", "the fog here lifts over owned centers, units and what borders on them")
            else:
                variant.left(f"RULE {rule}", "no counterpart, or one of the office's and not of the variant's")
        if self.win:
            variant.to_win = self.win[-1]
            variant.took(f"VICTORY {' '.join(map(str, self.win))}", f"{self.win[-1]} centers to win")
            if len(set(self.win)) > 1:
                variant.left(
                    f"VICTORY {' '.join(map(str, self.win))}", "other numbers in the first years; the last one counts"
                )

    def _places(self) -> None:
        coasts: dict[str, list[str]] = {}
        for code in [*self.sites, *self.names]:
            key, slash, coast = code.partition("/")
            if slash and coast not in coasts.setdefault(key, []):
                coasts[key].append(coast)
        self.coast_codes = {key: coast_codes(self.variant, key, listed) for key, listed in coasts.items()}
        keys = dict.fromkeys(code.partition("/")[0] for code in self.sites)
        for key in keys:
            site = self.sites.get(key)
            name, aliases = self.names.get(key, (key.title(), []))
            if key not in self.names:
                self.variant.guess(key, "has no name in the source; its code is its name")
            terrain = site.terrain if site else "COAST"
            self.variant.places[key] = Place(
                key=key,
                name=name,
                aliases=aliases,
                sea=terrain == "WATER",
                shore=terrain in ("COAST", "PORT") or key in coasts,
                coasts=list(self.coast_codes.get(key, {}).values()),
                convoys=terrain == "PORT",
            )
            if terrain == "SHUT":
                self.variant.took(f"SHUT {key}", "nobody can enter it: it is off the board")
        ports = [p.key for p in self.variant.places.values() if p.convoys]
        if ports:
            convoying(self.variant, ports, "PORT")
        for code in self.names:
            if code.partition("/")[0] not in keys:
                self.variant.left(code, "has a name but no terrain: it is not on the board")

    def _borders(self) -> None:
        shut = {code for code, site in self.sites.items() if site.terrain == "SHUT"}
        for code, site in self.sites.items():
            for item in site.abuts:
                target = self._target(code, item)
                if target is None or target in shut or code in shut:
                    continue
                self._border(code, site, item, target)

    def _target(self, code: str, item: str) -> str | None:
        """The location that an item of a list means; modifiers are told."""
        bare = _bare(item)
        target = bare.lower()
        if not CODE.match(bare):
            self.variant.left(f"{code} ABUTS {item}", "is no place")
            return None
        if item != bare:
            return target if self._modified(code, item, target) else None
        return target

    def _modified(self, code: str, item: str, target: str) -> bool:
        """Take what modifies a border, as far as it has a counterpart; whether the border is there at all."""
        variant = self.variant
        what = f"{code} ABUTS {item}"
        start, end = code.partition("/")[0], target.partition("/")[0]
        if item.startswith(":") or item.endswith(":"):
            variant.took(what, "no way in this direction: a one-way border")
            return False
        if "~" in item:
            variant.term("weak", start, end)
            variant.took(what, "a weak border: a move counts one less, and nobody supports across: border_terms")
            variant.guess("~ borders", "an unsupported move over one has strength 0 here, and may still cut a support")
        elif "(" in item:
            centers = [c.strip().lower() for c in item.partition("(")[2].rstrip(")").split(",") if c.strip()]
            variant.term("closed", start, end, owners=[f"@{center}" for center in centers])
            variant.took(what, "open only to the owner of the centers: the rule border_terms")
        elif ":" in item:
            self.bound.append((start, end, item.rpartition(":")[0].upper()))
            variant.took(what, "open only to some powers: the rule border_terms")
        else:
            variant.left(what, "a border that a move crosses with half its strength")
        return True

    def _border(self, code: str, site: _Site, item: str, target: str) -> None:
        variant = self.variant
        key, _, coast = code.partition("/")
        other, _, _ = target.partition("/")
        there = variant.places.get(other)
        here = variant.places[key]
        if there is None:
            variant.left(f"{code} ABUTS {item}", "is no place of the board")
            return
        letters = re.sub(r"[^A-Za-z]", "", _bare(item)[:3])
        lower, title = letters.islower(), letters[:1].isupper() and letters[1:].islower()
        armies = not here.sea and not there.sea and not coast and not (title and len(letters) > 1)
        fleets = not lower and not (site.lower and here.coasts)
        if armies:
            variant.army.add((key, other))  # to a coast, too: an army walks into its province
        if fleets and (here.sea or here.shore) and (there.sea or there.shore) and not (here.coasts and not coast):
            if there.coasts and "/" not in target:
                return  # the coasts stand in the list themselves
            variant.fleet.add((self._location(code), self._location(target)))

    def _location(self, code: str) -> str:
        key, slash, coast = code.partition("/")
        return f"{key}/{self.coast_codes.get(key, {}).get(coast, coast)}" if slash else key

    def _powers(self) -> None:
        variant = self.variant
        centers = dict.fromkeys(self.neutral)
        for power in self.powers.values():
            nation = power.nation
            named = [*nation.homes, *(power.inhabits or []), *(power.owned or [])]
            centers.update(dict.fromkeys(c.partition("/")[0] for c in named))
            if power.inhabits is not None:
                if power.owned is None:
                    power.owned = list(nation.homes)
                nation.homes = power.inhabits
            nation.owned = power.owned
            nation.units = [msgspec.structs.replace(u, at=self._location(u.at)) for u in nation.units]
            if power.letter:
                nation.aliases = [power.letter] if len(power.letter) == 1 else []
            nation.played = power.played
        for code in centers:
            if code in variant.places:
                variant.places[code].center = True
            else:
                variant.left(f"center {code}", "is no place of the board")
        for start, end, allowed in self.bound:
            names = [p.nation.name for p in self.powers.values() if p.letter and p.letter in allowed]
            variant.term("closed", start, end, **({"except": names} if names else {}))
        letters: set[str] = set()
        for power in self.powers.values():
            power.nation.aliases = [a for a in power.nation.aliases if a not in letters]
            letters |= set(power.nation.aliases)
        for power in [p for p in self.powers.values() if not (p.nation.homes or p.nation.units or p.nation.owned)]:
            variant.left(
                power.nation.name, "a line that reads as a power without homes and units: a misspelled directive?"
            )
        variant.nations = [p.nation for p in self.powers.values() if p.nation.homes or p.nation.units or p.nation.owned]
        take_passive(variant, "DUMMY")


def _bare(item: str) -> str:
    """The place of an item without what modifies it: ``EI:NAF`` is NAF, ``AEG(CON,SMY)`` AEG."""
    bare = item.partition("(")[0]
    bare = bare.rpartition(":")[2] if not bare.endswith(":") else bare.rstrip(":")
    return bare.strip("~*:")


def power_name(word: str) -> str:
    """A power's name as people see it: ``_NEW+ZEALAND`` is New Zealand."""
    return clean(
        " ".join(part.capitalize() for part in word.lstrip("_").replace("+", " ").replace("_", " ").split()), 40
    )


PHASES = {"M": "Movement", "R": "Retreats", "A": "Adjustments", "B": "Adjustments"}


def convoying(variant: ForeignVariant, keys: list[str], word: str) -> None:
    """Take the coasts whose fleets convoy."""
    variant.rules["convoying_coasts"] = {"provinces": [f"@{key}" for key in keys]}
    variant.took(word, f"fleets convoy from {len(keys)} coasts ({', '.join(keys[:12])}): the rule convoying_coasts")


def calendar(variant: ForeignVariant, flow: list[str]) -> None:
    """The calendar of FLOW and BEGIN, as far as it is seasons with phases."""
    season, year, phase = first_turn(variant.first)
    if year.startswith("-"):
        variant.left(f"BEGIN {variant.first}", "years before Christ; the game begins in the year 1")
        year = "1"
    variant.first = f"{season} {int(year)} {phase}"
    if flow:
        what = f"FLOW {' '.join(flow)[:60]}"
        found = _walked(flow, variant.first)
        if found is None:
            variant.left(what, "does not come round from the first turn; the usual calendar holds")
        else:
            turns, years, faults = found
            for fault in faults:
                variant.left(*fault)
            take_cycle(variant, turns, int(year), years, what)
            if not variant.first.split()[0].isalpha():
                return  # turns are years
            season, year, phase = first_turn(variant.first)
            at = next((i for i, turn in enumerate(variant.cycle) if turn.endswith("Movement")), 0)
            variant.cycle = variant.cycle[at:] + variant.cycle[:at]
    seasons = [turn.split()[0] for turn in variant.cycle]
    if season not in seasons:
        variant.guess(f"BEGIN {variant.first}", f"{season} is not in the calendar; the game begins with its first turn")
        season, phase = variant.cycle[0].split()[:2]
    variant.first = f"{season} {int(year)} {phase}"
    start_in_cycle(variant)


def first_turn(text: str) -> tuple[str, str, str]:
    """Season, year and phase of ``Spring 1901 Movement``."""
    words = text.split()
    return " ".join(words[:-2]), words[-2], words[-1]


def start_in_cycle(variant: ForeignVariant) -> None:
    """Let a game that begins elsewhere in the year begin there: the rest of that year is the calendar's opening."""
    season, year, phase = first_turn(variant.first)
    turns = [tuple(turn.rsplit(" ", 1)) for turn in variant.cycle]
    if (season, phase) not in turns:
        fitting = [s for s, p in turns if p == phase]
        if not fitting:
            variant.guess(variant.first, "is no turn of the calendar; the game begins with the first")
            variant.first = f"{turns[0][0]} {year} {turns[0][1]}"
            return
        season = fitting[0]
    at = turns.index((season, phase))
    if at:
        variant.opening = [f"{s} {year} {p}" for s, p in turns[at:]]
        variant.first = f"{turns[0][0]} {int(year) + 1} {turns[0][1]}"
    else:
        variant.first = f"{season} {year} {phase}"


def _walked(flow: list[str], start: str) -> tuple[list[tuple[str, int, str]], int, list[tuple[str, str]]] | None:
    """The turns of a FLOW from the first one until it comes round (season, years since the beginning, phase), the years
    that takes, and what of it is not known; None if it does not come round."""
    season, year, phase = first_turn(start)
    steps, faults = _steps(flow)
    numbered = any(what == "year" for what, *_ in steps)
    span = max([1, *(a for what, _, a, _ in steps if what == "if")])
    begin = next((i for i, (what, name, *_) in enumerate(steps) if what == phase and name == season), None)
    if begin is None:
        return None
    turns: list[tuple[str, int, str]] = []
    now, at = int(year), begin
    for _ in range(600):
        what, name, a, b = steps[at]
        if turns and at == begin and (now - int(year)) % span == 0 and now > int(year):
            return turns, now - int(year), faults
        if what == "year":
            now += a
        elif what != "if":
            turns.append((name, now - int(year), what))
        again = what == "if" and now % a != b
        at = 0 if again or at + 1 == len(steps) else at + 1
        now += 1 if at == 0 and not numbered else 0
        if now < 1:
            return None
    return None


def _steps(flow: list[str]) -> tuple[list[tuple[str, str, int, int]], list[tuple[str, str]]]:
    """The steps of a FLOW: phases with their seasons, years that count on, conditions; and what is not known."""
    steps: list[tuple[str, str, int, int]] = []
    faults: list[tuple[str, str]] = []
    for word in flow[:60]:
        head, _, rest = word.partition(":")
        if head.upper() == "NEWYEAR":
            steps.append(("year", "", int(rest) if re.fullmatch(r"-?\d{1,4}", rest) else 1, 0))
        elif head.upper() == "IFYEARDIV":
            match = re.fullmatch(r"(\d{1,4})(?:=(\d{1,4}))?", rest)
            if match and int(match[1]):
                steps.append(("if", "", int(match[1]), int(match[2] or 0)))
            else:
                faults.append((word, "a condition that cannot be read"))
        else:
            for name in (part.strip().upper() for part in rest.split(",")):
                if name in PHASE_WORDS:
                    steps.append((PHASES[name[0]], head.title(), 0, 0))
                elif name:
                    faults.append((word, f"the phase {name.title()}"))
    return steps, faults


PHASE_WORDS = frozenset(["M", "R", "A", "B", "MOVEMENT", "RETREAT", "RETREATS", "ADJUSTMENT", "ADJUSTMENTS", "BUILDS"])
