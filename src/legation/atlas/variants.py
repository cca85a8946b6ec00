"""From a variant to its map."""

from __future__ import annotations

from functools import lru_cache

from legation.atlas.cartography import Atlas
from legation.atlas.layout import read_layout
from legation.atlas.shapes import read_shapes
from legation.variants import USUAL, Registry


class NoMapError(ValueError):
    """A variant whose board has no picture, or a faulty one; one line with the mend."""


def for_variant(name: str, variants: Registry = USUAL) -> Atlas:
    """The atlas of a variant; it is made once and shared.

    :raises VariantError: for a variant that cannot be loaded.
    :raises NoMapError: where its board cannot be drawn.
    """
    return _make(variants.name(name), variants.shared)


@lru_cache(maxsize=64)
def _make(name: str, variants: Registry) -> Atlas:
    rules, folder = variants.load(name), variants.folder_of(name)
    try:
        shapes = read_shapes(folder)
        if shapes is not None:
            layout = read_layout(folder, rules.board, shapes)
            return Atlas(rules.board, shapes, tuple(rules.powers.values()), rules.title, layout, rules.kinds.values())
    except ValueError as error:
        raise NoMapError(f"the board {rules.board.name!r} cannot be drawn: {error}") from None
    mend = f"grow them: python -m legation.atlas.grow {folder}"
    raise NoMapError(f"the board {rules.board.name!r} has no shapes yet; {mend}")
