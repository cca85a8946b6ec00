"""A variant's rules as data, put together from its modules, their settings, the clauses and the options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from legation.judge import Ruleset
from legation.notation import write
from legation.variants.clauses import clauses_of
from legation.variants.order_forms import examples, forms_of

BASICS: Sequence[tuple[str, str]] = (
    (
        "The game",
        "There are no dice. Between turns the players negotiate as they like, and nobody is bound by what was "
        "promised. "
        "Then all write orders in secret, and these are carried out at once: nobody moves first.",
    ),
    (
        "The map",
        "It is divided into provinces: inland, coasts and seas. In a province there is never more than one unit. "
        "Supply centers are what the game is about: each that a power owns keeps one unit in being.",
    ),
    (
        "Units",
        "An army stands on land, a fleet at sea or on a coast; where a province has several coasts a fleet is on one "
        "of "
        "them. All are equally strong unless the rules below say otherwise.",
    ),
    (
        "Moves",
        "In a turn of movement each unit has one order. It holds, moves to a neighboring province that its kind can "
        "enter{move}, supports another, or convoys. Where two equally strong units want the same province, neither "
        "enters, and what stands there stays. Two units cannot exchange their places, unless one goes by convoy.",
    ),
    (
        "Support",
        "A unit lends its strength to another that stays, or that moves to a province which the supporter could enter "
        "itself{support}. Who has more support wins; who comes with as much as stands against him does not get in. "
        "Nobody dislodges a unit of his own power, nor helps to.",
    ),
    (
        "Cutting support",
        "Support counts for nothing when the supporting unit is attacked, however weakly: but not by its own power, "
        "and "
        "from the province at which the support is aimed only if the supporter is dislodged.",
    ),
    (
        "Convoys",
        "A fleet at sea, or a chain of them, carries an army from coast to coast in one turn{convoy}. If a fleet that "
        "is needed for the way is dislodged, the army stays.",
    ),
    (
        "Retreats",
        "A unit that is dislodged goes to an empty neighboring province: not where its attacker came from, and not "
        "where units bounced off each other this turn. It is disbanded if there is none, or two want the same.",
    ),
    (
        "Builds",
        "At certain turns supply centers change hands to whoever stands on them; they are kept when the unit goes on. "
        "Then who has more centers than units may build, and who has fewer must remove units.",
    ),
    (
        "Winning",
        "The game is won by owning as many supply centers as the rules below say. Nobody is bound to lose to a draw: "
        "those who are left may agree on one.",
    ),
    (
        "Slips",
        "A unit without an order holds, and so does one whose order is not possible. What is not understood is told, "
        "and never guessed.",
    ),
)
"""What somebody who has never played must know of every variant (STD-2 to STD-9), with room for examples."""


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
    return {
        "name": rules.name,
        "title": rules.title,
        "summary": facts.get("summary", ""),
        "credits": facts.get("credits", ""),
        "basis": facts.get("basis", ""),
        "basics": basics(written),
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
                "units": [str(u) for u in rules.start if u.power == power.name],
            }
            for power in rules.powers.values()
        ],
        "kinds": [
            {"code": k.code, "name": k.name, "strength": k.strength, "cost": k.cost} for k in rules.kinds.values()
        ],
        "rules": module_rules(rules, standard),
        "forms": [{"name": f.name, "meaning": f.meaning, "examples": written[f.name]} for f in forms_of(rules)],
        "clauses": [{"id": c.id, "summary": c.summary} for c in clauses_of(rules.name)],
        "changed": [o["name"] for o in options if o["usual"] is not None and o["usual"] != o["default"]],
        "options": options,
    }


def basics(written: Mapping[str, Sequence[Mapping[str, str]]]) -> list[dict[str, str]]:
    """The basics by title, with orders of the board at hand as examples."""

    def shown(form: str) -> str:
        samples = written.get(form, ())
        return f" ({samples[-1]['order']!r}: {samples[-1]['sentence']})" if samples else ""

    places = {"move": shown("Move"), "support": shown("Support"), "convoy": shown("Convoy")}
    return [{"title": title, "text": text.format(**places)} for title, text in BASICS]


def module_rules(rules: Ruleset, standard: Ruleset) -> list[dict[str, Any]]:
    """What each module says of its rules, and of each sentence whether the standard game does not have it."""
    usual = {text for _, texts in standard.described() for text in texts}
    return [
        {"module": key, "text": list(texts), "differs": [text not in usual for text in texts]}
        for key, texts in rules.described()
        if texts
    ]
