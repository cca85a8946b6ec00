"""A variant's rules as data, put together from its modules, their settings, the clauses and the options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from legation.board import Province
from legation.judge import Ruleset
from legation.notation import write
from legation.orders import VoteDraw
from legation.variants.clauses import clauses_of
from legation.variants.order_forms import examples, forms_of


class Basics:
    """What somebody who has never played must know of a variant (STD-2 to STD-9), true under the options in force.
    ``shown`` are orders of the board at hand as examples, by the form that they show."""

    def __init__(self, rules: Ruleset, shown: Mapping[str, str]) -> None:
        self.rules = rules
        self.shown = shown
        self.votes = any(VoteDraw in kinds for kinds in rules.order_kinds.values())

    def parts(self) -> list[tuple[str, str]]:
        """The titles with their texts."""
        return [
            ("The game", GAME),
            ("The map", MAP),
            ("Units", " ".join(filter(None, [UNITS, *self._kinds()]))),
            ("Moves", MOVES.format(self.shown.get("Move", ""))),
            ("Support", SUPPORT.format(self.shown.get("Support", ""))),
            ("Cutting support", self._cutting()),
            *([("Convoys", " ".join(self._convoys()))] if self.shown.get("Convoy") else []),
            ("Retreats", self._retreats()),
            ("Builds", BUILDS),
            ("Winning", WINNING + (" The players who are left may also agree on a draw." if self.votes else "")),
            ("Mistakes", MISTAKES),
        ]

    def _kinds(self) -> list[str]:
        """Kinds of unit that are not like armies and fleets."""
        alike = "Armies and fleets are equally strong."
        return [alike] + [
            f"A {kind.name} ({kind.code}) has strength {kind.strength} and counts as {kind.cost} units."
            for kind in self.rules.kinds.values()
            if kind.strength != 1 or kind.cost != 1
        ]

    def _cutting(self) -> str:
        own = ", unless the attack comes by convoy" if self.rules.options["convoyed_attack_cuts_own_target"] else ""
        return CUTTING.format(own)

    def _convoys(self) -> Iterator[str]:
        options = self.rules.options
        yield CONVOYS.format(self.shown["Convoy"])
        if options["multi_route_convoy"] == "all":
            yield "If a fleet is dislodged, the army still crosses by any way that is left; without one it stays."
        else:
            yield "If any fleet that convoys it is dislodged, the army stays, even where others could carry it."
        walks = {
            "own fleet": "An army that could also walk goes by sea if its order says so (“via convoy”), or if a fleet "
            "of its own power, needed for the way, is ordered to convoy it.",
            "via convoy": "An army that could also walk goes by sea only if its order says so (“via convoy”).",
            "1971": "An army that could also walk goes by sea only where it would otherwise meet a unit head to head.",
        }
        yield walks[str(options["adjacent_convoy"])]

    def _retreats(self) -> str:
        origin = "not where its attacker came from"
        if self.rules.options["retreat_to_convoy_origin"]:
            origin += " (unless that came by convoy)"
        return RETREATS.format(origin)


GAME = (
    "There are no dice. Between turns the players negotiate as they like, and nobody is bound by what was "
    "promised. Then all write orders in secret, and these are carried out at once: nobody moves first."
)
MAP = (
    "It is divided into provinces: inland, coasts and seas. In a province there is never more than one unit. "
    "Supply centers are what the game is about: each that a power owns pays for one unit."
)
UNITS = (
    "An army stands on land, a fleet at sea or on a coast; where a province has several coasts a fleet is on one of "
    "them."
)
MOVES = (
    "In a turn of movement each unit has one order. It holds, moves to a neighboring province that its kind can "
    "enter{}, supports another, or convoys. Where two equally strong units want the same province, neither "
    "enters, and what stands there stays. Two units cannot exchange their places, unless one goes by convoy."
)
SUPPORT = (
    "A unit lends its strength to another that stays, or that moves to a province which the supporter could enter"
    " itself{}. Who has more support wins; who comes with as much as stands against them does not get in. Nobody "
    "dislodges a unit of their own power, or helps to."
)
CUTTING = (
    "Support counts for nothing when the supporting unit is attacked, however weakly: but not by its own power, "
    "and from the province at which the support is aimed only if the supporter is dislodged{}."
)
CONVOYS = "A fleet at sea, or a chain of them, carries an army from coast to coast in one turn{}."
RETREATS = (
    "A unit that is dislodged goes to an empty neighboring province: {}, and not where units bounced off each "
    "other this turn. It is disbanded if there is none, or two want the same."
)
BUILDS = (
    "At certain turns supply centers change hands to whoever stands on them; they are kept when the unit goes on."
    " Then who has more centers than units may build, and who has fewer must remove units."
)
WINNING = "The game is won by owning as many supply centers as the rules below say."
MISTAKES = (
    "A unit without an order holds, and so does one whose order is not possible; a dislodged unit is disbanded. "
    "What is not understood is told, and never guessed."
)


def rulebook(rules: Ruleset, facts: dict[str, Any], standard: Ruleset) -> dict[str, Any]:
    """The rules as data: what a newcomer must know, powers, each module's rules, the form of every order, the clauses,
    and every option with its readings.

    What differs from the ``standard`` game is marked: ``differs`` has a truth value for each sentence of a module,
    ``changed`` the options whose default is another, and ``usual`` of an option is that game's reading (null: it does
    not know the option).
    """
    written = {
        name: [{"order": write(order), "sentence": rules.writer.sentence(order)} for order in orders]
        for name, orders in examples(rules).items()
    }
    options = [
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
    owned = {*rules.start_owners, *(home for power in rules.powers.values() for home in power.homes)}
    told_homelands = any(set(power.homeland) - set(power.homes) for power in rules.powers.values()) and any(
        "homeland" in text for _, texts in rules.described() for text in texts
    )
    return {
        "name": rules.name,
        "title": rules.title,
        "summary": facts.get("summary", ""),
        "credits": facts.get("credits", ""),
        "basis": facts.get("basis", ""),
        "basics": basics(rules, written),
        "board": {
            "provinces": len(rules.board.provinces),
            "centers": len(rules.board.centers),
            "credits": rules.board.credits,
            "reconstructed": rules.board.reconstructed,
            "notes": rules.board.notes,
            "remarks": [
                {"id": p.id, "name": p.name, "center": p.center, "remark": p.remark}
                for p in rules.board.provinces.values()
                if p.remark
            ],
        },
        "powers": [
            {
                "name": power.name,
                "centers": [c for c, owner in rules.start_owners.items() if owner == power.name],
                "homes": list(power.homes),
                "homeland": [rules.board.name_of(place) for place in sorted(power.homeland)] if told_homelands else [],
                "units": [str(u) for u in rules.start if u.power == power.name],
            }
            for power in rules.powers.values()
        ],
        "neutral": [rules.board.name_of(c) for c in rules.board.centers if c not in owned],
        "areas": areas_of(rules),
        "kinds": [
            {"code": k.code, "name": k.name, "strength": k.strength, "cost": k.cost} for k in rules.kinds.values()
        ],
        "rules": module_rules(rules, standard),
        "forms": [{"name": f.name, "meaning": f.meaning, "examples": written[f.name]} for f in forms_of(rules)],
        "clauses": [{"id": c.id, "summary": c.summary} for c in clauses_of(rules.name)],
        "changed": [o["name"] for o in options if o["usual"] is not None and o["usual"] != o["default"]],
        "options": options,
    }


def basics(rules: Ruleset, written: Mapping[str, Sequence[Mapping[str, str]]]) -> list[dict[str, str]]:
    """The basics by title, with orders of the board at hand as examples."""

    def shown(form: str) -> str:
        samples = written.get(form, ())
        return f" ({samples[-1]['order']!r}: {samples[-1]['sentence']})" if samples else ""

    examples = {form: shown(form) for form in ("Move", "Support", "Convoy")}
    return [{"title": title, "text": text} for title, text in Basics(rules, examples).parts()]


def areas_of(rules: Ruleset) -> list[dict[str, Any]]:
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
