"""The atlas: boards, positions and orders as maps, in SVG; as PNG and PDF in :mod:`legation.atlas.pictures`; as a page of moves."""

from legation.atlas.cartography import Atlas
from legation.atlas.site import moves_page
from legation.atlas.style import assign_colors

__all__ = ["Atlas", "assign_colors", "moves_page"]
