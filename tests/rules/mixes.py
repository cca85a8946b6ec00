"""Rule modules put together by chance, beyond what any variant plays."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from random import Random

from legation.judge import Rule, RulesError, Ruleset
from legation.rules import modules
from legation.variants import load


@cache
def free() -> tuple[type[Rule], ...]:
    """The rules that need no settings, and can be added to the standard game."""
    found = []
    for kind in modules().values():
        with suppress(TypeError, RulesError):
            mixed("standard", kind())
            found.append(kind)
    return tuple(found)


def mixed(name: str, *further: Rule) -> Ruleset:
    """A variant with further modules beside its own."""
    plain = load(name)
    own = {module.key for module in plain.modules}
    return of_modules(plain, [*plain.modules, *(module for module in further if module.key not in own)])


def of_modules(plain: Ruleset, modules: Sequence[Rule]) -> Ruleset:
    """A variant with other modules in place of its own."""
    return Ruleset(
        plain.name,
        plain.title,
        plain.board,
        tuple(plain.powers.values()),
        modules,
        start=plain.start,
        owners=plain.start_owners,
        defaults=dict(plain.defaults),
    )


def mixture(name: str, random: Random) -> Ruleset:
    """A variant with some modules more, drawn by lot until they can stand together."""
    while True:
        with suppress(RulesError):
            return mixed(name, *(module() for module in random.sample(free(), random.randint(1, len(free())))))
