"""``legation office ...``: the coordinator at a terminal of the office's machine."""

from legation.cli.commands.office import games, desk, turns, records  # noqa: F401, I001  (in the order of the help)
from legation.cli.commands.office.group import office

__all__ = ["office"]
