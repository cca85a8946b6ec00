"""Pages of one's own account: settings, passkeys, signing in."""
