"""Pages for everybody: home, games, variants and their rules, maps, the links in mails."""
