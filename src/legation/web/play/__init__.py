"""Pages of a game: the board, orders, results, files, live news, starting a game."""
