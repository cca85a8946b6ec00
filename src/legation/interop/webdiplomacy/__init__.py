"""Variants of webDiplomacy and vDiplomacy: the tables and classes of their PHP, read as data and never run."""
