"""The parts of ``docs/office.md`` that are made from the tables: who may do what, and the schedules that ship.

``python -m legation.office.terms.manual docs/office.md`` writes them.
"""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path

from legation.office.permissions import ROLES, STATES, Command, commands
from legation.office.terms import schedules

MARK = "<!-- {name} -->"


def permission_table() -> str:
    """The table of permissions in Markdown."""
    roles = [role for role in ROLES if role not in ("clock", "console")]
    lines = ["| command or view | " + " | ".join(roles) + " |", "|---|" + "---|" * len(roles)]
    for row in commands().values():
        if any(role in row.roles for role in roles):
            lines.append(f"| `{row.name}` | " + " | ".join(_cell(row, role) for role in roles) + " |")
    return "\n".join(lines)


def _cell(row: Command, role: str) -> str:
    states = row.roles.get(role)
    if not states:
        return ""
    return "always" if set(states) == set(STATES) else ", ".join(states)


def schedule_list() -> str:
    """The schedules that ship, in Markdown."""
    return "\n".join(f"- `{name}`: {schedules.find(name).title}." for name in schedules.names())


def fill(text: str) -> str:
    """The page with its tables as they are now."""
    for name, content in (("permissions", permission_table()), ("schedules", schedule_list())):
        begin, end = MARK.format(name=name), MARK.format(name=f"end of {name}")
        text = re.sub(f"{begin}.*?{end}", partial(_put, f"{begin}\n{content}\n{end}"), text, flags=re.DOTALL)
    return text


def _put(table: str, _: re.Match[str]) -> str:
    """The table in the place of what was found, whatever signs it has."""
    return table


if __name__ == "__main__":
    page = Path(sys.argv[1])
    page.write_text(fill(page.read_text("utf-8")), "utf-8")
