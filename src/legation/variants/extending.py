"""A variant that changes another: ``extends`` names it, and the file says only what is different."""

from collections.abc import Callable, Mapping
from typing import Any

OWN = ("title", "name", "summary")
"""What is said of one variant only, and not taken from the other."""


def extended(facts: dict[str, Any], facts_of: Callable[[str], Mapping[str, Any]], faults: list[str]) -> dict[str, Any]:
    """The facts of a variant file together with those of the variant that it ``extends``.

    A rule's settings and the options replace the other's one by one, and so do the keys of a power of the same name;
    further powers and rules come after the other's. ``without`` lists powers and rules that are left out."""
    name = facts.get("extends")
    if not isinstance(name, str) or "rules_of" in facts:
        faults.append("extends: names one variant, as a text; 'rules_of' takes rules only, so leave one of the two out")
        return facts
    other = facts_of(name)
    own = {key: value for key, value in facts.items() if key not in ("extends", "without")}
    if not all(isinstance(own.get(key, {}), dict) for key in ("rules", "options")):
        return own  # told when it is read
    merged = {**{key: value for key, value in other.items() if key not in OWN}, **own}
    rules = dict(other.get("rules", {}))
    for key, settings in own.get("rules", {}).items():
        rules[key] = {**rules.get(key, {}), **settings} if isinstance(settings, dict) else settings
    merged["rules"] = rules
    merged["options"] = {**other.get("options", {}), **own.get("options", {})}
    merged["powers"] = _powers(other.get("powers", []), own.get("powers", []))
    return _left_out(merged, facts.get("without", []), faults)


def _powers(theirs: list[dict[str, Any]], own: Any) -> Any:
    if not isinstance(own, list) or not all(isinstance(power, dict) for power in own):
        return own  # told when it is read
    said = {power["name"]: power for power in own if isinstance(power.get("name"), str)}
    known = {power["name"] for power in theirs}
    changed = [{**power, **said.get(power["name"], {})} for power in theirs]
    return changed + [power for power in own if power.get("name") not in known]


def _left_out(merged: dict[str, Any], without: Any, faults: list[str]) -> dict[str, Any]:
    if not isinstance(without, list) or not all(isinstance(name, str) for name in without):
        faults.append("without: lists the names of powers and the keys of rules that are left out")
        return merged
    powers, rules = merged["powers"], merged["rules"]
    for name in without:
        if name not in rules and name not in [power.get("name") for power in powers]:
            faults.append(f"without: there is neither a power nor a rule {name[:60]!r}")
    return {
        **merged,
        "powers": [power for power in powers if power.get("name") not in without],
        "rules": {key: settings for key, settings in rules.items() if key not in without},
    }
