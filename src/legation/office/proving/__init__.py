"""Proofs: the transcript of a game, signed receipts, the proofs that moved games bring along."""
