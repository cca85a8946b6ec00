"""Variants: data files, their rules in clauses, and the loader that makes a ruleset of them."""

from legation.variants.clauses import Clause, all_clauses, clauses_of
from legation.variants.loader import VariantError, board_folder, find_boards, load, load_board, names, variant_facts

__all__ = [
    "Clause",
    "VariantError",
    "all_clauses",
    "board_folder",
    "clauses_of",
    "find_boards",
    "load",
    "load_board",
    "names",
    "variant_facts",
]
