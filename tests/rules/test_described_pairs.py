"""No rulebook says two things about one: every two rule modules that can stand together are put together, and the
sentences that players read are held against each other.

Two that speak of no subject in common cannot contradict each other, and are not tried."""

import itertools
import re
from functools import cache

import pytest

from legation.judge import Rule, RulesError, Ruleset
from legation.rules import modules as all_modules
from legation.rules.build_anywhere import BuildAnywhere
from legation.variants import load, load_file, names
from tests.rules.mixes import free, of_modules
from tests.rules.test_field_variants import VARIANTS as FIELD
from tests.sampling import some

SUBJECTS = {
    "where a power builds": r"\bbuilds? (?:only )?in (?:the|any|a|its|vacant)\b|\bno home centers\b",
    "which centers are homes": r"\bno home centers\b|\bare its homes\b|\bhomes? never\b",
    "how many centers win": r"\bwins (?:that|if it) owns\b",
    "how a draw is agreed": r"\bvotes for a draw in the same turn\b|\bA draw may be agreed\b",
    "when the game ends": r"\bgame ends (?:after|with)\b",
    "how many years": r"\bThe game opens with\b",
    "how units are removed": r"\bare removed for it\b",
    "what is seen": r"\bsees its own\b",
    "which turns are passed over": r"\bskipped when nobody\b|\bplayed even where nobody\b",
}
WAYS_TO_WIN = ("captured_homes", "held_centers", "solo", "solo_terms", "solo_with_capitals")
TOGETHER: dict[frozenset[str], str] = {
    **{frozenset(pair): "either of them wins the game" for pair in itertools.combinations(WAYS_TO_WIN, 2)},
    frozenset({"draw_by_vote", "draw_between_kingdoms"}): "the one says how, the other when it may be",
}


@cache
def known_modules() -> dict[str, Rule]:
    """Every module as a variant or the cases of the field have it, or as it is without settings."""
    found = {module.key: module for name in names() for module in load(name).modules}
    for path in FIELD:
        for module in load_file(path).modules:
            found.setdefault(module.key, module)
    for kind in free():
        found.setdefault(kind.key, kind())
    return found


def together(name: str, *further: Rule) -> Ruleset | None:
    """A variant with further modules, which take the place of its own of the same keys; None where they cannot stand
    together."""
    plain = load(name)
    keys = {module.key for module in further}
    modules = [*(m for m in plain.modules if m.key not in keys), *further]
    try:
        return of_modules(plain, modules)
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


@pytest.mark.parametrize("name", some([*names()[3:], *names()[:3]], 8))
def test_no_two_modules_of_a_rulebook_speak_of_one_thing(name: str) -> None:
    speaks: dict[str, set[str]] = {}
    modules = known_modules()
    for key, module in modules.items():
        rules = together(name, module)
        if rules is not None:
            assert contradictions(rules) == []
            told = dict(rules.described()).get(key, ())
            speaks[key] = {subject for subject, form in SUBJECTS.items() if any(re.search(form, t) for t in told)}
    assert len(speaks) > 20
    for one, other in itertools.combinations(speaks, 2):
        if speaks[one] & speaks[other]:
            rules = together(name, modules[one], modules[other])
            assert rules is None or contradictions(rules) == []


def test_every_module_is_known_here() -> None:
    assert all_modules().keys() <= known_modules().keys()


def test_a_module_that_replaces_another_speaks_in_its_place() -> None:
    rules = together("standard", BuildAnywhere())
    assert rules is not None
    told = dict(rules.described())
    assert "homes" not in told and "there are no home centers" in told["build_anywhere"][0]
