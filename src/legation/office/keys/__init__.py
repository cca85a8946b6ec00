"""The keys that seal a turn: sealed records, the keeper of the keys, here or on another machine."""
