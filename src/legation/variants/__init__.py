"""Variants: data files, and the loader that makes a ruleset of them."""

from legation.variants.loader import VariantError, board_folder, find_boards, load, load_board, names, variant_facts

__all__ = ["VariantError", "board_folder", "find_boards", "load", "load_board", "names", "variant_facts"]
