"""The whole service at work: a year of the rulebook, whole games, faults, hostile mail."""
