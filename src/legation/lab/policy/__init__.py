"""The policy of human orders: a network over the board that scores the legal orders of every unit, on any variant."""
