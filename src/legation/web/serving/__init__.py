"""What every page needs: templates, assets, sessions, forms, headers, errors, limits."""
