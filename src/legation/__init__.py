"""Legation: run games of Diplomacy and its variants."""
