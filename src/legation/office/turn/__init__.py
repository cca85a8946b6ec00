"""One turn of a game: its state, what was sent, who is ready, who sees what, and its lines in the journal."""
