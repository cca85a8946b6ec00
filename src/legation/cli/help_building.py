"""Building the pages that ``help_pages`` keeps."""

from pathlib import Path

from typer.main import get_command

from legation.cli.app import CommandGroup, app
from legation.cli.help_pages import BREAK, KEPT, PROGRAM, WIDTH


def built_pages() -> str:
    """The pages as the commands themselves give them."""
    command = get_command(app)
    pages = []
    with command.make_context(PROGRAM, [], resilient_parsing=True, terminal_width=WIDTH - 2) as context:
        named = [(command, context)]
        for one, inner in named:
            if isinstance(one, CommandGroup):
                one.commands = {name: one.get_command(inner, name) for name in one.list_commands(inner)}
                named += [
                    (sub, sub.make_context(name, [], parent=inner, resilient_parsing=True))
                    for name, sub in one.commands.items()
                ]
            pages.append(one.get_help(inner))
    return BREAK.join(f"{page}\n" for page in pages)


if __name__ == "__main__":
    Path(KEPT).write_text(built_pages(), encoding="utf-8")
