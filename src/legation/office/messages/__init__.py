"""Letters between players, and all mail that the office sends."""
