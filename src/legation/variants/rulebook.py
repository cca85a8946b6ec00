"""A variant's rules as data, put together from its modules, their settings, the clauses and the options."""

from __future__ import annotations

from typing import Any

from legation.judge import Ruleset
from legation.variants.clauses import clauses_of


def rulebook(rules: Ruleset, facts: dict[str, Any]) -> dict[str, Any]:
    """The rules as data: powers, each module's rules, the clauses, and every option with its readings."""
    return {
        "name": rules.name,
        "title": rules.title,
        "summary": facts.get("summary", ""),
        "credits": facts.get("credits", ""),
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
        "rules": [{"module": m.key, "text": list(m.describe(rules))} for m in rules.modules if m.describe(rules)],
        "clauses": [{"id": c.id, "summary": c.summary} for c in clauses_of(rules.name)],
        "options": [
            {
                "name": o.name,
                "issue": o.issue,
                "summary": o.summary,
                "readings": list(o.readings),
                "default": rules.defaults[o.name],
                "chosen": rules.options[o.name],
            }
            for o in rules.declared_options
        ],
    }
