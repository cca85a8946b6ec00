"""The store: the only room of the office that knows SQL."""
