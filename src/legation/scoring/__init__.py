"""Scoring systems: what a finished or running game is worth to each power in a tournament, a league or a club."""

from legation.scoring.outcome import Outcome, Standing, outcome_of, outcome_of_game
from legation.scoring.systems import SYSTEMS, Example, System

__all__ = ["SYSTEMS", "Example", "Outcome", "Standing", "System", "outcome_of", "outcome_of_game"]
