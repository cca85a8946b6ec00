"""Shared parts of pages: templates, assets, sessions, forms, headers, errors, limits."""
