"""Variants: data files, their rules in clauses, the loader that makes rulesets of them, and the registry that knows
them by name."""

from collections.abc import Mapping
from pathlib import Path

from legation.judge import Ruleset
from legation.variants.clauses import all_clauses, clauses_of
from legation.variants.keeping import KeptVariant, plain_name, read_kept
from legation.variants.listed import ListedVariants
from legation.variants.loader import VariantError, findings
from legation.variants.order_forms import FORMS, examples
from legation.variants.registry import DATA, STANDARD, USUAL, Registry, find_boards, shipped_board, variant_files
from legation.variants.rule_forms import SettingForm, rule_forms
from legation.variants.rulebook import module_rules, rulebook


def names() -> list[str]:
    """The variants that come with the project."""
    return [path.stem for path in variant_files(DATA)]


def load(name: str, options: Mapping[str, object] | None = None) -> Ruleset:
    """The ruleset of a variant by name, with a game's options; see :meth:`Registry.load`.

    >>> from legation import load
    >>> rules = load("standard", {"convoy_paradox": "1971"})
    >>> rules.title, len(rules.board.centers), rules.options["convoy_paradox"]
    ('Diplomacy', 34, '1971')

    :raises VariantError: for an unknown variant, a faulty file, or options that do not exist."""
    return USUAL.load(name, options)


def load_file(path: Path | str) -> Ruleset:
    """The ruleset of a variant file, read anew; boards may lie beside it.

    :raises VariantError: for a faulty file."""
    registry = Registry()
    return registry.load(registry.add_file(Path(path), replace=True))


__all__ = [
    "FORMS",
    "STANDARD",
    "USUAL",
    "KeptVariant",
    "ListedVariants",
    "Registry",
    "SettingForm",
    "VariantError",
    "all_clauses",
    "clauses_of",
    "examples",
    "find_boards",
    "findings",
    "load",
    "load_file",
    "module_rules",
    "names",
    "plain_name",
    "read_kept",
    "rule_forms",
    "rulebook",
    "shipped_board",
    "variant_files",
]
