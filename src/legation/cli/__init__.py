"""The command line. Commands import what they need when they run, so that ``legation --help`` is quick."""

from __future__ import annotations


def main() -> None:
    """Run the command line."""
    from legation.cli.app import app

    app()
