"""What ``legation --help`` shows, kept as text: it is there in a quarter of the time that building the commands takes.

``python -m legation.cli.first_page`` writes the text anew after a command was added or described otherwise.
"""

from __future__ import annotations

import os
import sys

KEPT = os.path.join(os.path.dirname(__file__), "first_page.txt")  # noqa: PTH118, PTH120 - pathlib takes longer to import
PROGRAM = "python -m legation"
WIDTH = 80  # columns: the text is broken for these and more


def first_page() -> str:
    """The kept page, with the name by which the program was called."""
    with open(KEPT, encoding="utf-8") as file:  # noqa: PTH123
        page = file.read()
    if getattr(sys.modules["__main__"], "__package__", None) == "legation":
        return page
    return page.replace(PROGRAM, os.path.basename(sys.argv[0]), 1)  # noqa: PTH119


def is_wide() -> bool:
    """Whether the terminal (or what stands for it) has room for the page as it is kept."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns) >= WIDTH
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns >= WIDTH
    except (OSError, ValueError):  # no terminal: as wide as is usual
        return True


def built_page() -> str:
    """The page as the commands themselves give it."""
    import typer

    from legation.cli.commands.app import app

    command = typer.main.get_command(app)
    with command.make_context(PROGRAM, [], resilient_parsing=True, terminal_width=WIDTH - 2) as context:
        return command.get_help(context) + "\n"


if __name__ == "__main__":
    with open(KEPT, "w", encoding="utf-8") as kept:  # noqa: PTH123
        kept.write(built_page())
