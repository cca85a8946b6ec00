"""A variant's rules as data, put together from its modules, their settings, the clauses and the options."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from legation.board import Province
from legation.judge import Rule, Ruleset
from legation.notation import write
from legation.orders import Disband, Order, Retreat, Waive
from legation.position import Phase
from legation.variants.clauses import clauses_of
from legation.variants.order_forms import examples, forms_of


class Basics:
    """What somebody who has never played must know of a variant (STD-2 to STD-9), true under the options in force and
    beside its rules: a rule says which of the general sentences it makes false
    (:meth:`~legation.judge.rule.Rule.basics`).
    ``shown`` are orders of the board at hand as examples, by the form that they show."""

    def __init__(self, rules: Ruleset, shown: Mapping[str, str]) -> None:
        self.rules = rules
        self.shown = shown
        turn = rules.first_turn()
        self.phases = {turn.phase}
        """Return the phases that the calendar has, from its first years."""
        for _ in range(64):  # it comes round in far fewer steps
            turn = rules.next_turn(turn)
            self.phases.add(turn.phase)
        self.own: dict[str, list[str]] = {}
        for module in rules.modules:
            for subject, text in module.basics(rules).items():
                self.own.setdefault(subject, []).append(text)
        self.retreats = Phase.RETREATS in self.phases and "retreats" not in self.own
        """Whether dislodged units retreat."""

    def parts(self) -> list[tuple[str, str]]:
        """The titles with their texts."""
        dislodged = DISLODGED[str(self.rules.options["dislodged_bounces"])]  # whom it still keeps out (DATC 4.A.7)
        told = [
            ("The basics", GAME),
            ("The map", f"{MAP} {self._said('supply')}"),
            ("Units", " ".join([UNITS, *self._kinds()])),
            ("Moves", f"{MOVES.format(example=self.shown.get('Move', ''))} {dislodged} {self._said('exchange')}"),
            ("Support", self._support()),
            ("Cutting support", self._cutting()),
            ("Convoys", " ".join(self._convoys()) if self.shown.get("Convoy") else ""),
            ("Retreats", self._retreats()),
            ("Builds", self._builds() if Phase.ADJUSTMENTS in self.phases else ""),
            ("Winning", f"{self._said('winning')} {self._said('draw')}"),
            ("Mistakes", self._mistakes()),
        ]
        return [(title, text.strip()) for title, text in told if text.strip()]

    def unused_orders(self) -> set[type[Order]]:
        """Orders that nobody gives: retreats where dislodged units are destroyed, and builds waived where none may."""
        retreats: set[type[Order]] = set() if self.retreats else {Retreat, Disband}
        unused = retreats - self.rules.order_kinds[Phase.MOVEMENT]
        return unused if self.rules.options["waiving"] is True else {*unused, Waive}

    def _said(self, subject: str) -> str:
        """What holds of a subject: the rules' own sentences, or else the general one."""
        return " ".join(filter(None, dict.fromkeys(self.own.get(subject, [SENTENCES[subject]]))))

    def _kinds(self) -> list[str]:
        further = [kind for kind in self.rules.kinds.values() if kind.code not in ("A", "F")]
        unequal = [kind for kind in further if kind.strength != 1 or kind.cost != 1]
        alike = [f"{kind.name} ({kind.code})" for kind in further if kind not in unequal]
        told = [
            f"{kind.one.capitalize()} ({kind.code}) has strength {kind.strength} and counts as "
            f"{'1 unit' if kind.cost == 1 else f'{kind.cost} units'}."
            for kind in unequal
        ]
        if alike:
            told.append(f"There are other units, too, described in the rules below: {', '.join(alike)}.")
        return ["Armies and fleets are equally strong.", *told]

    def _support(self) -> str:
        told = [SUPPORT.format(example=self.shown.get("Support", "")), self._said("own units")]
        if self.rules.options["hold_support_in_disorder"] is not True:
            told.append("A unit whose power sends no orders cannot be supported to stay.")
        return " ".join(told)

    def _cutting(self) -> str:
        stronger = any(kind.strength > 1 for kind in self.rules.kinds.values())
        convoyed = self.rules.options["convoyed_attack_cuts_own_target"] is True
        aimed = CUT_BY_CONVOY if convoyed else CUT_WHERE_AIMED
        return f"{CUTTING_OF_STRONGER if stronger else CUTTING} {self._said('own attacks')} {aimed}"

    def _convoys(self) -> Iterator[str]:
        options = self.rules.options
        yield CONVOYS.format(example=self.shown["Convoy"])
        yield ATTACKED
        if options["multi_route_convoy"] == "all":
            yield "If a fleet is dislodged, the army still crosses by any way that is left; without one it stays."
        else:
            yield "If any fleet that convoys it is dislodged, the army stays, even where others could carry it."
        if options["convoy_route"] == "binding":
            yield "Where its order names the fleets, no others carry it."
        walks = {
            "own fleet": "An army that could also walk goes by sea if its order says so (“via convoy”), or if a fleet "
            "of its own power is ordered to convoy it, even where its own order does not say so.",
            "via convoy": "An army that could also walk goes by sea only if its order says so (“via convoy”).",
            "1971": "An army that could also walk goes by sea only if its order says so (“via convoy”), or where it "
            "would otherwise meet a unit head to head.",
        }
        yield walks[str(options["adjacent_convoy"])]
        if options["via_convoy_fallback"] is True:
            yield "If its order says so and no convoy of it is ordered, it walks."

    def _retreats(self) -> str:
        if Phase.RETREATS not in self.phases:
            return "A unit that is dislodged is destroyed: the calendar has no retreats."
        if "retreats" in self.own:
            return self._said("retreats")
        origin = "to where its attacker came from"
        if self.rules.options["retreat_to_convoy_origin"] is True:
            origin += " (unless that came by convoy)"
        return SENTENCES["retreats"].format(origin=origin)

    def _builds(self) -> str:
        builds = BUILDS if self.rules.options["waiving"] is True else BUILDS_ALL
        return f"{self._said('taking')} {builds} {self._removals()}"

    def _removals(self) -> str:
        """Which units go where too few removals are ordered; a rule that chooses them says so itself."""
        if any(type(module).removals is not Rule.removals for module in self.rules.modules):
            return ""
        reading, home = str(self.rules.options["civil_disorder"]), self._said("home")
        country = "country" if any(power.homeland for power in self.rules.powers.values()) else home
        return TOO_FEW_REMOVALS.get(reading, "").format(country=country, home=home)

    def _mistakes(self) -> str:
        unanswered = self._said("no retreat order") if self.retreats else ""
        twice = TWICE_ORDERED[str(self.rules.options["double_orders"])]
        return " ".join(filter(None, [self._said("no order"), unanswered, twice, NOT_UNDERSTOOD]))


SENTENCES = {
    "supply": "Supply centers are what the game is about: each that a power owns pays for one unit.",
    "exchange": "Two units cannot exchange places, unless one of them is carried over the sea; three or more can move "
    "round in a circle.",
    "own units": "A unit never dislodges a unit of its own power, or helps to.",
    "own attacks": "An attack by a unit of the same power does not count.",
    "retreats": "A unit that is dislodged retreats to an empty neighboring province that its kind can enter: not "
    "{origin}, and not where units bounced off each other this turn. It never retreats by convoy. It is "
    "disbanded if there is no such province, or if another unit retreats to the same one.",
    "taking": "Supply centers change hands only when the calendar comes to adjustments. Each then goes to the power "
    "whose unit is on it. Passing through in an earlier turn changes nothing, and a center without a unit on it stays "
    "with its owner.",
    "home": "home centers",
    "no order": "A unit without an order holds, and so does one whose order isn't possible.",
    "no retreat order": "A dislodged unit without a possible retreat order is disbanded.",
    "winning": "The rules below say how the game ends and who wins.",
    "draw": "",
}
"""The general sentences that a rule may replace, by subject."""

GAME = (
    "No dice decide a battle. Between turns the players may negotiate, and no promise is binding. "
    "Then all write orders in secret, and these are carried out at once: nobody moves first."
)
MAP = "The map is divided into provinces: inland, coasts and seas. A province never holds more than one unit."
UNITS = (
    "An army stands on land, a fleet at sea or on a coast. Where a province has several coasts, a fleet is on one of "
    "them, and an order to build it names the coast."
)
MOVES = (
    "In a turn of movement each unit has one order. It holds, moves to a neighboring province that its kind can "
    "enter{example}, supports another, or convoys. Where two equally strong units want the same province, neither "
    "enters, and neither dislodges what stands there."
)
DISLODGED = {
    "unless head to head": "A unit that is dislodged head to head keeps nobody out of the province that its attacker "
    "came from.",
    "never": "A dislodged unit keeps nobody out of the province that its attacker came from.",
}
SUPPORT = (
    "A unit lends its strength to another that stays, or that moves to a province which the supporter could enter "
    "itself{example}. The support counts only if the other unit is ordered to do just that: a unit that is ordered to "
    "move cannot be supported to stay, even if its move fails. The stronger side wins; an attack that is only as "
    "strong as what stands against it fails."
)
CUTTING = "Support is cut when the supporting unit is attacked, however weak the attack."
CUTTING_OF_STRONGER = (
    "The support of a unit of strength 1 is cut when it is attacked, however weak the attack. That of a stronger unit "
    "is reduced by the strength of the strongest attack on it."
)
CUT_WHERE_AIMED = (
    "An attack from the province at which the support is aimed does not count either, unless it dislodges the "
    "supporting unit."
)
CUT_BY_CONVOY = (
    "An attack from the province at which the support is aimed does not count either, unless it dislodges the "
    "supporting unit or comes by convoy."
)
CONVOYS = "A fleet at sea, or a chain of them, carries an army from coast to coast in one turn{example}."
ATTACKED = "A fleet that is attacked but not dislodged still convoys."
BUILDS = "A power with more centers than units may then build, and one with fewer must remove units."
BUILDS_ALL = (
    "A power with more centers than units then builds, and one with fewer must remove units. No build may be waived: "
    "what is not ordered is built in the first free sites."
)
EQUALLY_FAR = "Of units equally far, fleets go before armies, then the first in alphabetical order of provinces."
TOO_FEW_REMOVALS = {
    "2023": "If it orders too few removals, units on no center go first, then the farthest from its centers. "
    + EQUALLY_FAR,
    "2000": "If it orders too few removals, those farthest from its {country} go first. " + EQUALLY_FAR,
    "1971": "If it orders too few removals, those farthest from its {home} go first. " + EQUALLY_FAR,
    "lot": "If it orders too few removals, the others are drawn by lot.",
}
TWICE_ORDERED = {
    "hold": "A unit with two different orders on one sheet also holds.",
    "first": "If a sheet has two different orders for a unit, the first counts.",
    "last": "If a sheet has two different orders for a unit, the last counts.",
}
NOT_UNDERSTOOD = "You are told what was not understood; nothing is guessed."


AREAS = (
    "The primary region of each is named first; the others are local. A local region borders all regions of its area, "
    "each region of another area that it touches with that area's primary region, and the coasts it touches. A primary "
    "region borders the local regions of its area and those of others that border its area, the primary regions of "
    "bordering areas, and the coasts of its area."
)


def rulebook(rules: Ruleset, facts: dict[str, Any], standard: Ruleset) -> dict[str, Any]:
    """The rules as data: what a newcomer must know, powers, each module's rules, the form of every order, the clauses,
    and every option with its readings.

    What differs from the ``standard`` game is marked: ``differs`` has a truth value for each sentence of a module,
    ``changed`` the options whose default is another, and ``usual`` of an option is that game's reading (null: it does
    not know the option)."""
    written = {
        name: [{"order": write(order), "sentence": rules.writer.sentence(order)} for order in orders]
        for name, orders in examples(rules).items()
    }
    options, areas = _options(rules, standard), _areas(rules)
    basics = Basics(rules, {form: _sample(written.get(form, ())) for form in ("Move", "Support", "Convoy")})
    owned = {*rules.start_owners, *(home for power in rules.powers.values() for home in power.homes)}
    unowned = owned - rules.start_owners.keys()
    name_of, centers = rules.board.name_of, rules.board.centers
    return {
        "name": rules.name,
        "title": rules.title,
        "summary": facts.get("summary", ""),
        "credits": facts.get("credits", ""),
        "basis": facts.get("basis", ""),
        "basics": [{"title": title, "text": text} for title, text in basics.parts()],
        "board": _board(rules),
        "powers": _powers(rules),
        "neutral": [name_of(c) for c in centers if c not in owned],
        "unowned_homes": [name_of(c) for c in centers if c in unowned],
        "areas": areas,
        "areas_told": AREAS if areas else "",
        "kinds": [
            {"code": k.code, "name": k.name, "strength": k.strength, "cost": k.cost} for k in rules.kinds.values()
        ],
        "rules": module_rules(rules, standard),
        "forms": [
            {"name": form.name, "meaning": form.meaning, "examples": written[form.name]}
            for form in forms_of(rules)
            if form.kinds[0] not in basics.unused_orders()
        ],
        "default_options": rules.options == rules.defaults,
        "clauses": [{"id": c.id, "part": c.part, "summary": c.summary} for c in clauses_of(rules.name)],
        "changed": [o["name"] for o in options if o["usual"] is not None and o["usual"] != o["default"]],
        "options": options,
    }


def _options(rules: Ruleset, standard: Ruleset) -> list[dict[str, Any]]:
    return [
        {
            "name": o.name,
            "issue": o.issue,
            "summary": o.summary,
            "readings": list(o.readings),
            "default": rules.defaults[o.name],
            "chosen": rules.options[o.name],
            "usual": standard.defaults.get(o.name),
        }
        for o in rules.declared_options
    ]


def _board(rules: Ruleset) -> dict[str, Any]:
    board = rules.board
    return {
        "provinces": len(board.provinces),
        "centers": len(board.centers),
        "credits": board.credits,
        "reconstructed": board.reconstructed,
        "notes": board.notes,
        "remarks": [
            {"id": p.id, "name": p.name, "center": p.center, "remark": p.remark}
            for p in board.provinces.values()
            if p.remark
        ],
    }


def _powers(rules: Ruleset) -> list[dict[str, Any]]:
    """What each power has in the opening; its homeland where rules speak of it and it is more than its homes."""
    powers = rules.powers.values()
    told_homelands = any(set(power.homeland) - set(power.homes) for power in powers) and any(
        "homeland" in text for _, texts in rules.described() for text in texts
    )
    return [
        {
            "name": power.name,
            "centers": [c for c, owner in rules.start_owners.items() if owner == power.name],
            "homes": list(power.homes),
            "homeland": [rules.board.name_of(place) for place in sorted(power.homeland)] if told_homelands else [],
            "units": [str(u) for u in rules.start if u.power == power.name],
        }
        for power in powers
    ]


def _sample(examples: Sequence[Mapping[str, str]]) -> str:
    return f" ({examples[-1]['order']!r}: {examples[-1]['sentence']})" if examples else ""


def _areas(rules: Ruleset) -> list[dict[str, Any]]:
    """The sea areas, where the board has any, with their primary region first."""
    members: dict[str, list[Province]] = {}
    for province in rules.board.provinces.values():
        if province.area:
            members.setdefault(province.area, []).append(province)
    return [
        {"name": area, "regions": [p.name for p in sorted(regions, key=lambda p: not p.primary)]}
        for area, regions in sorted(members.items())
    ]


def module_rules(rules: Ruleset, standard: Ruleset) -> list[dict[str, Any]]:
    """What each module says of its rules, and of each sentence whether the standard game does not have it."""
    usual = {text for _, texts in standard.described() for text in texts}
    return [
        {"module": key, "text": list(texts), "differs": [text not in usual for text in texts]}
        for key, texts in rules.described()
        if texts
    ]
