"""What the operator sees: logs without private data, figures, supervised threads, rate limits."""
