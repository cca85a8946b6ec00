"""Monitoring for operators: logs without private data, figures, supervised threads, rate limits."""
