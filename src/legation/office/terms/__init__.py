"""The terms of a game: its settings, its schedule of deadlines, and what holds in every game."""
