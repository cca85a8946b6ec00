"""The atlas: boards, positions and orders as maps.

:func:`for_variant` gives the :class:`Atlas` of a variant, which draws whole maps (``svg``, ``png``, ``pdf``), and for
pages the board and each turn's state as two layers (``board_layer``, ``state_layer``). :func:`moves_page` writes the
browser of moves; reports as PDF are in :mod:`legation.atlas.pictures`."""

from legation.atlas.cartography import Atlas, BoardLayer, NoMapError, for_variant
from legation.atlas.site import moves_page
from legation.atlas.style import assign_colors
from legation.atlas.stylesheet import font_faces, font_files

__all__ = [
    "Atlas",
    "BoardLayer",
    "NoMapError",
    "assign_colors",
    "font_faces",
    "font_files",
    "for_variant",
    "moves_page",
]
