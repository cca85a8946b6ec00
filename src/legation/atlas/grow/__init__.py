"""Growing province shapes from places, and laying out names and symbols: the authoring side of the atlas.

``python -m legation.atlas.grow BOARD_FOLDER`` reads the seed points of a board folder and writes its ``shapes.json``
and ``layout.json``; ``docs/drawing-boards.md`` is the manual. Growing needs the extra ``authoring`` (shapely, numpy);
laying out, playing and drawing need it not.
"""
