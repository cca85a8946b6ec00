"""No rulebook says two things about one: every pair of rule modules that can stand together is put together, and the
sentences that players read are held against each other."""

from __future__ import annotations

import itertools
import re

import pytest

from legation.judge import Rule, RulesError, Ruleset
from legation.rules.build_anywhere import BuildAnywhere
from legation.variants import load, names
from tests.rules.mixes import FREE

SUBJECTS = {
    "where a power builds": r"\bbuilds? (?:only )?in (?:the|any|a|its|vacant)\b|\bno home centers\b",
    "which centers are homes": r"\bno home centers\b|\bare its homes\b|\bhomes? never\b",
    "how many centers win": r"\bwins that owns\b",
    "how a draw is agreed": r"\bwhen each of them agrees\b|\bA draw may be agreed\b",
    "when the game ends": r"\bgame ends (?:after|with)\b",
    "how many years": r"\bThe game opens with\b",
    "how units are removed": r"\bare removed for it\b",
    "what is seen": r"\bsees its own\b",
}
TOGETHER: dict[frozenset[str], str] = {
    frozenset({"solo", "solo_with_capitals"}): "either of them wins the game",
    frozenset({"draw_by_vote", "draw_between_kingdoms"}): "the one says how, the other when it may be",
}


def known_modules() -> dict[str, Rule]:
    """Every module as a variant has it, or as it is without settings."""
    found = {module.key: module for name in names() for module in load(name).modules}
    for kind in FREE:
        found.setdefault(kind.key, kind())
    return found


def together(name: str, *further: Rule) -> Ruleset | None:
    """A variant with further modules, which take the place of its own of the same keys; None where they cannot stand
    together."""
    plain = load(name)
    keys = {module.key for module in further}
    modules = [*(m for m in plain.modules if m.key not in keys), *further]
    try:
        return Ruleset(
            plain.name, plain.title, plain.board, tuple(plain.powers.values()), modules, start=plain.start,
            owners=plain.start_owners, defaults=dict(plain.defaults),
        )  # fmt: skip
    except (RulesError, ValueError, KeyError):
        return None


def contradictions(rules: Ruleset) -> list[str]:
    found = []
    for subject, form in SUBJECTS.items():
        saying = {key: [t for t in texts if re.search(form, t)] for key, texts in rules.described()}
        keys = [key for key, texts in saying.items() if texts]
        for pair in itertools.combinations(keys, 2):
            if frozenset(pair) not in TOGETHER:
                found.append(f"{subject}: {pair}: {saying[pair[0]][0]} / {saying[pair[1]][0]}")
    return found


@pytest.mark.parametrize("name", names())
def test_no_two_modules_of_a_rulebook_speak_of_one_thing(name: str) -> None:
    modules = known_modules()
    tried = 0
    for one, other in itertools.combinations(modules.values(), 2):
        rules = together(name, one, other)
        if rules is not None:
            tried += 1
            assert contradictions(rules) == []
    assert tried > 20


def test_a_module_that_replaces_another_speaks_in_its_place() -> None:
    rules = together("standard", BuildAnywhere())
    assert rules is not None
    told = dict(rules.described())
    assert "homes" not in told and "there are no home centers" in told["build_anywhere"][0]
