"""``python -m legation``."""

from legation.cli import main

main()
