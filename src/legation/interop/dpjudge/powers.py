"""Powers in the maps of the DPjudge and of MILA: their lines, homes with marks, what they own, their units."""

from legation.interop.dpjudge.boards import CODE, JudgeMap, JudgePower
from legation.interop.record import ForeignVariant, Nation, StartingUnit, clean
from legation.interop.sources import Source

MARKS = "+*@~&"
"""What may stand before a home: a factory, partisans, an alternative, a hidden one, one that is claimed."""

OF_POWERS = frozenset(
    "UNOWNED NEUTRAL CENTERS OWNS INHABITS HOME HOMES A F UNITS UNPLAYED DUMMY DUMMIES RESERVES MILITIA LEAGUE".split()
)
"""Lines of one power, or of none."""


class PowerLines(JudgeMap):
    """Reads what the lines of a map say of powers."""

    def __init__(self, source: Source, variant: ForeignVariant) -> None:
        super().__init__(source, variant)
        self.current: JudgePower | None = None
        """The power that the last line of one named; what a power owns and its units follow it."""
        self.unplayed: list[str] = []

    def about_power(self, line: str, word: str, rest: list[str], where: str) -> bool:
        """Take a line of the power that was named last, or of none; whether it is one."""
        if word in ("UNOWNED", "NEUTRAL") or (word == "CENTERS" and self.current is None):
            self.current = None
            for center in rest:
                if center.startswith("-"):
                    self.neutral = [c for c in self.neutral if c != center[1:].lower()]
                else:
                    self.add_neutral(center.lower())
        elif word in ("OWNS", "CENTERS"):
            self.owns(word, rest, line)
        elif word in ("INHABITS", "HOME", "HOMES"):
            self.inhabits(word, rest)
        elif word in ("A", "F"):
            self.unit(word, rest, where)
        elif word == "UNITS" and self.current is not None:
            self.current.nation.units = []
        elif word in ("UNPLAYED", "DUMMY", "DUMMIES"):
            self.not_played(word, rest)
        elif word in ("RESERVES", "MILITIA"):
            self.reserves(word, rest, line)
        elif word == "LEAGUE" and self.current is not None:
            self.current.league = [w.upper() for w in rest[:11]]
        elif word == "LEAGUE":
            self.left(clean(line, 60), "a league of no power")
        return word in OF_POWERS

    def add_neutral(self, code: str) -> None:
        """Note a center that nobody owns at the start."""
        if code not in self.neutral:
            self.neutral.append(code)

    def power(self, line: str, words: list[str], where: str) -> None:
        """``[old ->] POWER [(own:L)] [home ...]``"""
        old = ""
        if "->" in words:
            at = words.index("->")
            old, words = power_key("_".join(words[:at])), words[at + 1 :]
        if not words:
            return
        name = power_key(words[0])
        rest = words[1:]
        own, letter = "", ""
        if rest and rest[0].startswith("("):
            own, _, letter = rest.pop(0).strip("()").partition(":")
            letter = letter.partition(":")[0]
        if old and old in self.powers:
            self.powers[name] = self.powers.pop(old)
            self.powers[name].nation.name = power_name(words[0])
        if name not in self.powers:
            letters = name.isalpha()
            if not own and not (all(map(is_home, rest)) and (rest or old or letters)):
                self.left(clean(line, 60), f"{where}: neither a directive nor a power")
                return
            self.powers[name] = JudgePower(Nation(name=power_name(words[0])), bare=not own)
        power = self.current = self.powers[name]
        if "+" in words[0] and power.nation.name != power_name(words[0]):
            self.guess(words[0], f"is the power {power.nation.name}, in another spelling")
            power.nation.name = power_name(words[0])
        if own:
            power.nation.adjective = own.replace("+", " ").title()
        if letter or own:
            power.letter = (letter or own[:1]).upper()
        for word in rest:
            self.home(power, power.nation.homes, word, clean(line, 60))

    def home(self, power: JudgePower, homes: list[str], word: str, line: str) -> None:
        """A center of a line of homes, with its marks."""
        if word.startswith("-"):
            code = word[1:].lower()
            homes[:] = [home for home in homes if home != code]
            self.add_neutral(code)
        elif CODE.match(word):
            code = word.lower()
            if code not in homes:
                homes.append(code)
        elif word.upper() == "&SC":
            power.any_claims += 1
            self.took(
                f"&SC of {power.nation.name}",
                "a center, whichever it is, that becomes home when it is built in: gained_homes",
            )
        elif word[0] in MARKS:
            self.marked(power, homes, word)
        else:
            self.left(word, f"stands among the homes in {line!r} and isn't a code")

    def marked(self, power: JudgePower, homes: list[str], word: str) -> None:
        """A site of builds with marks: ``+X`` a factory, ``*X`` for partisans, ``@X(H)`` a home that makes no further
        builds, ``~X`` one whose builds are hidden; marks combine."""
        told = f"{word} of {power.nation.name}"
        code, _, instead = word.lstrip(MARKS).rstrip(")").partition("(")
        marks = word[: len(word) - len(word.lstrip(MARKS))]
        code, others = code.lower(), [f"@{home.strip().lower()}" for home in instead.split(",") if home.strip()]
        if not CODE.match(code):
            self.left(told, "isn't a place")
            return
        if "~" in marks:
            self.hidden.append(f"@{code}")
            self.took(told, "builds there are hidden until the next movement is over: the rule hidden_builds")
        if "+" in marks or "*" in marks:
            kind = "partisans" if "*" in marks else "always"
            power.sites.setdefault(kind, []).append(f"@{code}")
            self.took(told, "a site of builds that isn't a home: the rule further_sites")
        elif "&" in marks:
            power.claims.append(f"@{code}")
            self.took(told, "a center that becomes home when it is built in: the rule gained_homes")
        else:
            homes += [code] if code not in homes else []
            if "@" in marks:
                power.sites.setdefault("alternatives", {})[f"@{code}"] = others
                self.took(told, "a home that is built in for another one: the rule further_sites")

    def owns(self, word: str, codes: list[str], line: str) -> None:
        """``OWNS code ...`` and ``CENTERS code ...``: the centers of the power that was named last."""
        if self.current is None:
            self.left(clean(line, 60), "says what a power owns, but names none")
            return
        plain = [c.rstrip("!?").lower() for c in codes if not c.startswith("SC") or c[2:3] not in "!?"]
        power, nation = self.current, self.current.nation
        if choices := [code for code in codes if code in ("SC!", "SC?")]:
            power.choices += len(choices)
            self.took(" ".join(choices), "first builds in any vacant home: the rule mobilization")
        nation.owned = [*([] if word == "CENTERS" else nation.owned or []), *plain]

    def reserves(self, word: str, numbers: list[str], line: str) -> None:
        """Units above the number of centers."""
        if self.current is None:
            self.left(clean(line, 60), "units above the centers, of no power")
            return
        number = int(numbers[0]) if numbers and numbers[0].isdecimal() and len(numbers[0]) < 4 else 1
        if word == "MILITIA":
            self.current.militia = True
            if number > 1:
                self.left(clean(line, 60), "more than one unit for each that stands on a home; here one")
        else:
            self.current.reserves = number
        self.took(clean(line, 60), "units above the number of centers: the rule extra_units")

    def inhabits(self, word: str, codes: list[str]) -> None:
        """``INHABITS code ...`` adds homes to the power that was named last; ``HOME``, ``HOMES`` replace them."""
        if self.current is None:
            self.left(clean(f"{word} {' '.join(codes)}", 60), "says what a power's homes are, but names none")
            return
        power = self.current
        if power.inhabits is None or word != "INHABITS":
            power.inhabits = []
        for code in codes:
            self.home(power, power.inhabits, code, word)

    def unit(self, kind: str, words: list[str], where: str) -> None:
        """``A place`` or ``F place``: a starting unit of the power that was named last, in place of any other there."""
        at = clean(" ".join(words), 40).lower()
        if len(words) != 1:
            self.left(f"{kind} {at}", f"{where}: a unit stands in one place")
            return
        if self.current is None:
            self.left(f"{kind} {at}", f"{where}: a unit of no power")
            return
        for power in self.powers.values():
            power.nation.units = [u for u in power.nation.units if u.at[:3] != at[:3]]
        self.current.nation.units.append(StartingUnit("army" if kind == "A" else "fleet", at))

    def not_played(self, word: str, names: list[str]) -> None:
        """UNPLAYED powers are gone, DUMMY powers stand and hold."""
        listed = [power_key(n.strip(",")) for n in names if n.strip(",")]
        if not listed and self.current is not None:
            listed = [next(n for n, p in self.powers.items() if p is self.current)]
        elif listed and listed[0] == "ALL":
            out = listed[2:] if listed[1:2] == ["EXCEPT"] else []
            listed = [name for name in self.powers if name not in out]
        for name in listed:
            if name not in self.powers:
                self.left(f"{word} {name}", "there is no such power")
            elif word == "UNPLAYED":
                power = self.powers.pop(name)
                for home in power.nation.homes:
                    self.add_neutral(home)
                self.unplayed.append(name)
            else:
                self.powers[name].nation.played = False


def is_home(word: str) -> bool:
    """Whether a word of a power's line is a home, with or without marks, or takes one back."""
    return CODE.match(word) is not None or word[0] in MARKS or word[0] == "-"


def power_key(word: str) -> str:
    """A power's name without what only says how it is shown: ``C+S+A`` is CSA."""
    return word.upper().lstrip("_").replace("+", "")


def power_name(word: str) -> str:
    """A power's name as people see it: ``_NEW+ZEALAND`` is New Zealand."""
    parts = word.lstrip("_").replace("+", " ").replace("_", " ").split()
    if len(parts) > 1 and all(len(part) == 1 for part in parts):
        return clean("".join(parts).upper(), 40)  # U+S+A
    return clean(" ".join(part.upper() if "." in part else part.title() for part in parts), 40)
