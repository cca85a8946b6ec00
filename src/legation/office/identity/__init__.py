"""People: accounts, sign-in, tokens, browsers that get notifications."""
