"""Pages of the variant designer: upload, check, try."""
