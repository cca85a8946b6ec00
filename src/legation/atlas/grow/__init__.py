"""Growing province shapes from places, and laying out names and symbols: the authoring side of the atlas.

``python -m legation.atlas.grow BOARD_FOLDER`` reads the seed points of a board folder and writes its ``shapes.json``
and ``layout.json``; ``docs/drawing-boards.md`` is the manual. Growing needs the extra ``authoring`` (shapely, numpy);
laying out, playing and drawing need it not."""

CREDIT = "Made with Natural Earth"
EUROPE, NONE = "europe", "none"
SHIPPED = {EUROPE: "land.json.gz", "world-10m": "world-10m.json.gz", "world-50m": "world-50m.json.gz"}
"""The coastlines of the package, by the name that ``[grow] coastline`` gives them."""
