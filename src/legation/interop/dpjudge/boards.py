"""What the lines of a map of the DPjudge or of MILA come to together: places, borders, powers and rules of a record."""

import re
from typing import Any

import msgspec

from legation.interop.calendars import first_turn
from legation.interop.coasts import coast_codes, convoying
from legation.interop.dpjudge.calendars import calendar
from legation.interop.record import ForeignVariant, Nation, Place, VariantReader
from legation.interop.sources import Source, read_facts

CODE = re.compile(r"[^\W_]{3}(/[^\W\d_]{2})?\Z")
FACTS = read_facts("dpjudge_rules.toml")
"""What rules and lines are here: ``rules``, ``dummies`` (rules of powers that nobody plays) and ``notes``."""
HOMES = frozenset(["build_anywhere", "build_where"])


class JudgeSite(msgspec.Struct):
    """A place or coast with its terrain and its borders as they are written."""

    terrain: str
    abuts: list[str] = []
    lower: bool = False
    opened: str = ""
    """The terrain in seasons in which it is not shut."""


class JudgePower(msgspec.Struct):
    """A power while it is read."""

    nation: Nation
    letter: str = ""
    inhabits: list[str] | None = None
    bare: bool = False
    """Whether no own word tells that its line is a power's."""
    reserves: int = 0
    militia: bool = False
    choices: int = 0
    """First builds in any vacant home."""
    claims: list[str] = []
    """Centers in which it may build once it owns them, marked as rules mark places."""
    any_claims: int = 0
    sites: dict[str, Any] = {}
    """Places of builds off the homes, by the setting of ``further_sites``."""
    league: list[str] = []
    """What its LEAGUE line says: the league's name, STRICT or BENIGN, other leagues."""


class JudgeMap(VariantReader):
    """A map as its lines say it, and how it is put into a record."""

    def __init__(self, source: Source, variant: ForeignVariant) -> None:
        super().__init__(source, variant)
        self.names: dict[str, tuple[str, list[str]]] = {}
        self.sites: dict[str, JudgeSite] = {}
        self.powers: dict[str, JudgePower] = {}
        self.neutral: list[str] = []
        self.flow: list[str] = []
        self.rules: list[str] = []
        self.win: list[int] = []
        self.new_homes: list[int] = []
        self.hidden: list[str] = []
        """Places whose builds are hidden, marked as rules mark places."""
        self.open_in: dict[str, list[str]] = {}
        """Places that are shut but in these seasons."""
        self.bound: list[tuple[str, str, str]] = []
        """Borders that are open to powers of some letters only."""

    def finish(self) -> None:
        """Put the places, borders, powers and rules into the record."""
        variant = self.variant
        self._places()
        self._borders()
        self._powers()
        calendar(variant, self.flow)
        self._shut_places()
        self._rules()

    def _rules(self) -> None:
        for rule in dict.fromkeys(self.rules):
            self._rule(rule)
        self._first_builds()
        rules, powers = self.variant.rules, self.powers.values()
        for power in powers:
            for kind, sites in power.sites.items():
                rules.setdefault("further_sites", {}).setdefault(kind, {})[power.nation.name] = sites
        if self.hidden and "hidden_builds" not in rules:  # which hides all of them
            rules["hidden_builds"] = {"provinces": list(dict.fromkeys(self.hidden))}
        extra = {
            "reserves": {p.nation.name: p.reserves for p in powers if p.reserves},
            "militia": [p.nation.name for p in powers if p.militia],
        }
        gained = {
            "years": self.new_homes,
            "claims": {p.nation.name: p.claims for p in powers if p.claims},
            "any_claims": {p.nation.name: p.any_claims for p in powers if p.any_claims},
        }
        if any(extra.values()):
            rules.setdefault("extra_units", {}).update({key: value for key, value in extra.items() if value})
        if any(gained.values()) and rules.keys() & HOMES:
            self.left("NEWHOMES and &", "beside a rule by which builds do not go to homes")
        elif any(gained.values()):
            rules["gained_homes"] = {key: value for key, value in gained.items() if value}
        self._leagues()
        self._winning()

    def _rule(self, rule: str) -> None:
        variant = self.variant
        if rule in FACTS["dummies"] and "passive_powers" in variant.rules:
            self.took(f"RULE {rule}", f"{FACTS['dummies'][rule]}: the rule passive_powers")
        elif rule == "NO_DRAW":
            variant.draws = False
            self.took("RULE NO_DRAW", "there are no votes for a draw")
        elif rule == "HIBERNATE" and "border_terms" in variant.rules:
            self.took("RULE HIBERNATE", "units in a place that is shut hold: border_terms")
        elif rule in ("VASSAL_DUMMIES", "TORN_ALLEGIANCE"):
            self._vassals(rule)
        elif rule in FACTS["rules"]:
            [(key, settings)] = FACTS["rules"][rule].items()
            variant.rules.setdefault(key, {}).update(settings)
            self.took(f"RULE {rule}", f"the rule {key}")
        else:
            self.left(f"RULE {rule}", "no counterpart, or a setting of the office, not of the variant")

    def _first_builds(self) -> None:
        variant = self.variant
        if choices := {p.nation.name: p.choices for p in self.powers.values() if p.choices}:
            variant.rules.setdefault("mobilization", {})["powers"] = choices
        if "mobilization" in variant.rules and not variant.opening:
            winter = next((turn for turn in variant.cycle if turn.endswith("Adjustments")), "Winter Adjustments")
            season, year, _ = first_turn(variant.first)
            if season.isalpha() and int(year) > 1:
                variant.opening = [f"{winter.split()[0]} {int(year) - 1} Adjustments"]
            else:
                del variant.rules["mobilization"]
                told = "there is no turn before the first in which units could be built"
                self.left("RULE MOBILIZE, SC! and SC?", told)
        if len(variant.rules.keys() & HOMES) > 1:
            variant.rules.pop("build_where")
            self.left("RULES", "several that say where builds go; builds go to every owned center")

    def _vassals(self, rule: str) -> None:
        """Dummies that become vassals of whoever stands on all their homes."""
        variant = self.variant
        idle = [p.nation.name for p in self.powers.values() if not p.nation.played and p.nation.homes]
        if not idle:
            self.left(f"RULE {rule}", "there is no power with homes that nobody plays")
            return
        settings = variant.rules.setdefault("controlled_powers", {"vassals": idle})
        if rule == "TORN_ALLEGIANCE":
            settings["torn"] = True
        self.took(f"RULE {rule}", f"{', '.join(idle)}: the rule controlled_powers")
        variant.taken = [note for note in variant.taken if not note.what.startswith("DUMMY ")]
        passive = variant.rules.get("passive_powers", {})
        passive["powers"] = [name for name in passive.get("powers", ()) if name not in idle]
        if not passive["powers"]:
            variant.rules.pop("passive_powers", None)

    def _leagues(self) -> None:
        variant = self.variant
        members: dict[str, list[JudgePower]] = {}
        for power in self.powers.values():
            if power.league:
                members.setdefault(power.league[0], []).append(power)
        found: dict[bool, list[list[str]]] = {}
        for name, powers in members.items():
            played = [power for power in powers if power.nation.played]
            ways = {tuple(power.league[1:]) for power in played}
            told = f"LEAGUE {name} ({', '.join(p.nation.name for p in powers)})"
            if ways <= {()}:
                self.took(told, "restricts no power that somebody plays")
            elif ways in ({("STRICT",)}, {("BENIGN",)}) and len(powers) > 1:
                found.setdefault(ways == {("BENIGN",)}, []).append([p.nation.name for p in powers])
                self.took(told, "supports and convoys by league: the rule leagues")
            else:
                self.left(told, "restricts supports and convoys of its powers in different ways")
        if len(found) > 1:
            self.left("LEAGUE", "some leagues are strict and some benign; the strict ones hold")
        for benign, leagues in sorted(found.items())[:1]:
            variant.rules["leagues"] = {"leagues": leagues, **({"benign": True} if benign else {})}

    def _shut_places(self) -> None:
        variant = self.variant
        moving = (turn for turn in variant.cycle if not turn.endswith("Adjustments"))
        seasons = list(dict.fromkeys(turn.rpartition(" ")[0] for turn in moving))
        for key, opened in self.open_in.items():
            shut = [season for season in seasons if season.lower() not in opened]
            when, site = ", ".join(opened).upper(), self.sites.get(key)
            if site is None or site.terrain != "SHUT":
                self.left(f"IN {when}: {key}", "a place whose kind changes with the season; it keeps its own")
            elif key not in variant.places:
                continue
            elif len(shut) + len(opened) != len(seasons):
                self.left(f"IN {when}: {key}", "no season of the calendar; it is open all the time")
            elif shut:
                table = {"to": f"@{key}", "seasons": shut}
                variant.rules.setdefault("border_terms", {}).setdefault("shut", []).append(table)
                self.took(f"SHUT {key}", f"nobody enters it in {', '.join(shut)}, and units in it hold: border_terms")

    def _winning(self) -> None:
        variant = self.variant
        if self.win:
            variant.to_win = self.win[-1]
            self.took(f"VICTORY {' '.join(map(str, self.win))}", f"{self.win[-1]} centers to win")
        if "solo_terms" in variant.rules or len(set(self.win)) > 1:
            centers = sum(1 for place in variant.places.values() if place.center)
            numbers = [min(max(number, 1), max(centers, 1)) for number in self.win[:60]]
            settings = variant.rules.setdefault("solo_terms", {})
            variant.rules["solo_terms"] = {"centers": numbers or [centers // 2 + 1], **settings}
            if len(set(numbers)) > 1:
                self.took(f"VICTORY {' '.join(map(str, numbers))}", "a number for each year: the rule solo_terms")

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
                self.guess(key, "has no name in the source; its code is its name")
            terrain = site.terrain if site else "COAST"
            if terrain == "SHUT" and site and site.opened:
                terrain = site.opened
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
                self.took(f"SHUT {key}", "nobody can enter it: it is off the board")
        convoying(self.variant, "PORT")
        for code in self.names:
            if code.partition("/")[0] not in keys:
                self.left(code, "has a name but no terrain: it is not on the board")

    def _borders(self) -> None:
        shut = {code for code, site in self.sites.items() if site.terrain == "SHUT" and not site.opened}
        for code, site in self.sites.items():
            for item in site.abuts:
                target = self._target(code, item)
                if target is not None and not shut & {code, target}:
                    self._border(code, site, item, target)

    def _target(self, code: str, item: str) -> str | None:
        """The location that an item of a list means; modifiers are told."""
        bare = place_in(item)
        if not CODE.match(bare):
            self.left(f"{code} ABUTS {item}", "isn't a place")
            return None
        return bare.lower() if item == bare or self._modified(code, item, bare.lower()) else None

    def _modified(self, code: str, item: str, target: str) -> bool:
        """Take what modifies a border, as far as it has a counterpart; whether the border is there at all."""
        variant = self.variant
        what = f"{code} ABUTS {item}"
        start, end = code.partition("/")[0], target.partition("/")[0]
        if item.startswith(":") or item.endswith(":"):
            self.took(what, "no way in this direction: a one-way border")
            return False
        if "~" in item:
            variant.term("weak", start, end)
            self.took(what, "a weak border: a move counts one less, and no support is given across: border_terms")
            self.guess("~ borders", "an unsupported move over one has strength 0 here, and may still cut a support")
        elif "(" in item:
            centers = [c.strip().lower() for c in item.partition("(")[2].rstrip(")").split(",") if c.strip()]
            if strange := [center for center in centers if center not in variant.places]:
                self.left(what, f"open only to the owner of {', '.join(strange)}, which isn't a place; open to all")
                return True
            variant.term("closed", start, end, owners=[f"@{center}" for center in centers])
            self.took(what, "open only to the owner of the centers: the rule border_terms")
        elif ":" in item:
            self.bound.append((start, end, item.rpartition(":")[0].upper()))
            self.took(what, "open only to some powers: the rule border_terms")
        elif "*" in item:
            variant.term("half", start, end, convoyed=True)
            self.took(what, "a move counts half across it, and no support is given across: border_terms")
            self.guess("* borders", "a unit that retreats over one does not give way to others here")
        else:
            self.left(what, "a mark of a border that is not known")
        return True

    def _border(self, code: str, site: JudgeSite, item: str, target: str) -> None:
        variant = self.variant
        key, _, coast = code.partition("/")
        other, _, _ = target.partition("/")
        there = variant.places.get(other)
        here = variant.places[key]
        if there is None:
            self.left(f"{code} ABUTS {item}", "isn't a place of the board")
            return
        letters = re.sub(r"[^A-Za-z]", "", place_in(item)[:3])
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
            named = [*nation.homes, *(power.inhabits or []), *(nation.owned or [])]
            centers.update(dict.fromkeys(c.partition("/")[0] for c in named))
            if power.inhabits is not None:
                nation.owned = nation.centers
                nation.homes = power.inhabits
            nation.units = [msgspec.structs.replace(u, at=self._location(u.at)) for u in nation.units]
            if power.letter:
                nation.aliases = [power.letter[:1]]
        for code in centers:
            if code in variant.places:
                variant.places[code].center = True
            else:
                self.left(f"center {code}", "isn't a place of the board")
        for start, end, allowed in self.bound:
            names = [p.nation.name for p in self.powers.values() if p.letter and p.letter in allowed]
            variant.term("closed", start, end, **({"except": names} if names else {}))
        letters: set[str] = set()
        for power in self.powers.values():
            power.nation.aliases = [a for a in power.nation.aliases if a not in letters]
            letters |= set(power.nation.aliases)
        for power in [p for p in self.powers.values() if not (p.nation.homes or p.nation.units or p.nation.owned)]:
            self.left(
                power.nation.name, "a line that reads as a power without homes and units: a misspelled directive?"
            )
        armed = any(power.nation.units for power in self.powers.values())
        for power in [p for p in self.powers.values() if armed and p.bare and p.nation.homes and not p.nation.units]:
            self.guess(
                power.nation.name,
                "is a power, as its line begins with no directive; it has no units: is it misspelled?",
            )
        variant.nations = [p.nation for p in self.powers.values() if p.nation.homes or p.nation.units or p.nation.owned]
        variant.take_passive("DUMMY")


def place_in(item: str) -> str:
    """The place of an item without what modifies it: ``EI:NAF`` is NAF, ``AEG(CON,SMY)`` AEG."""
    bare = item.partition("(")[0]
    bare = bare.rpartition(":")[2] if not bare.endswith(":") else bare.rstrip(":")
    return bare.strip("~*:")
