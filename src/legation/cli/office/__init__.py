"""``legation office`` and ``legation catalog``: an office from a terminal of its machine."""
