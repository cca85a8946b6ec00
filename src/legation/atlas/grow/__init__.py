"""Growing province shapes from places: the authoring side of the atlas.

``python -m legation.atlas.grow BOARD_FOLDER`` reads the seed points of a board folder and writes its ``shapes.json``; ``docs/drawing-boards.md`` is
the manual. Needs the extra ``authoring`` (shapely, numpy); playing and drawing need neither.
"""
