"""People and their seats: accounts, sign-in, tokens, preferences, who plays which power."""
