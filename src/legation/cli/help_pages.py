"""What ``--help`` shows for the program, its groups and commands, kept as text.

To build it takes the modules of the commands, and what they need may not be installed.

``python -m legation.cli.help_building`` writes the text anew after a command was added or described otherwise."""

import os
import sys

KEPT = os.path.join(os.path.dirname(__file__), "help_pages.txt")  # noqa: PTH118, PTH120 - pathlib takes longer to import
PROGRAM = "python -m legation"
WIDTH = 80  # columns: the text is broken for these and more
BREAK = "\f\n"


def kept_page(command: list[str], *, asked: bool) -> str | None:
    """The page of a command or a group, with the name by which the program was called; None if it isn't kept, or if a
    command is given instead of ``asked`` about."""
    page = _page(*command) if is_wide() else None
    if page is not None and not asked and " COMMAND [ARGS]" not in page.partition("\n")[0]:
        return None
    if page is None or getattr(sys.modules["__main__"], "__package__", None) == "legation":
        return page
    usage, gap, rest = page.replace(PROGRAM, os.path.basename(sys.argv[0]), 1).partition("\n\n")  # noqa: PTH119
    first, *more = usage.split("\n")
    if more:  # the name that is replaced is longer
        hang = " " * usage.index("[OPTIONS]")
        usage = "\n".join((first, *(hang + line.lstrip() for line in more)))
    return usage + gap + rest


def first_lines(group: str) -> dict[str, str]:
    """What a group's page says of each of its commands."""
    page = _page(*([group] if group != "legation" else [])) or ""
    lines = page.partition("Commands:\n")[2].splitlines()
    return {name: said for name, _, said in (line.strip().partition(" ") for line in lines)}


def _page(*command: str) -> str | None:
    with open(KEPT, encoding="utf-8") as file:  # noqa: PTH123
        pages = file.read().split(BREAK)
    return next((page for page in pages if page.startswith(f"Usage: {' '.join((PROGRAM, *command))} [")), None)


def is_wide() -> bool:
    """Whether the terminal (or what stands for it) has room for the pages as they are kept."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns) >= WIDTH
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns >= WIDTH
    except (OSError, ValueError):  # no terminal: as wide as is usual
        return True
