"""Orders as they arrive: versions of sheets, orders of bots, photographs, the codes on printed order sheets."""
