"""Whole games as arrays of numbers, thousands at once: the rules of the judge, written so that they run interpreted and
compiled, and held equal to it."""
