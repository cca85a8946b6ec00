"""The tables of the manual that are made from the office's own: who may do what, and the schedules that ship."""

from __future__ import annotations

from legation.office.permissions import ROLES, STATES, Command, commands
from legation.office.terms import schedules


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
