"""Building the pages that ``help_pages`` keeps."""

from __future__ import annotations

from pathlib import Path

from typer.core import TyperGroup
from typer.main import get_command

from legation.cli.app import GROUPS, app
from legation.cli.help_pages import BREAK, KEPT, PROGRAM, WIDTH


def built_pages() -> str:
    """The pages as the commands themselves give them."""
    command = get_command(app)
    assert isinstance(command, TyperGroup)
    with command.make_context(PROGRAM, [], resilient_parsing=True, terminal_width=WIDTH - 2) as context:
        pages = [command.get_help(context)]
        for name in list(GROUPS)[1:]:
            with command.commands[name].make_context(name, [], parent=context, resilient_parsing=True) as inner:
                pages.append(command.commands[name].get_help(inner))
    return BREAK.join(f"{page}\n" for page in pages)


if __name__ == "__main__":
    Path(KEPT).write_text(built_pages(), encoding="utf-8")
