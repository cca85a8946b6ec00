"""The table of permissions is the whole of what may be done: every command and view has its row, and every row its
command."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import legation.office
from legation.office import permissions
from legation.office.errors import NotAllowedError, SignInNeededError
from legation.office.permissions import ROLES, SCOPES, STATES, TABLE


def commands() -> set[str]:
    found = set()
    for module in pkgutil.walk_packages(legation.office.__path__, "legation.office."):
        if ".migrations" in module.name:
            continue
        room = importlib.import_module(module.name)
        for name, thing in vars(room).items():
            if getattr(thing, "is_command", False) or getattr(thing, "is_query", False):
                if thing.__module__ == room.__name__:
                    found.add(f"{module.name.rpartition('.')[2]}.{name}")
    return found


def test_every_command_has_its_row_and_every_row_its_command() -> None:
    assert commands() == set(TABLE)


@pytest.mark.parametrize("name", sorted(TABLE))
def test_rows_are_kept_to(name: str) -> None:
    """For each role and state the answer is the table's, and only with the scope."""
    row = TABLE[name]
    assert row.scope in SCOPES and row.roles.keys() <= set(ROLES)
    for role in ROLES:
        for state in STATES:
            allowed = state in row.roles.get(role, ())
            assert permissions.allows(name, frozenset([role]), state) is allowed
            if allowed:
                permissions.ask(name, frozenset([role]), ("everything",), state)
                permissions.ask(name, frozenset([role]), (row.scope,), state)
                with pytest.raises(NotAllowedError):
                    permissions.ask(name, frozenset([role]), tuple(s for s in SCOPES if s != row.scope), state)
            else:
                with pytest.raises((NotAllowedError, SignInNeededError)):
                    permissions.ask(name, frozenset([role]), ("everything",), state)


def test_a_coordinator_cannot_order_and_a_player_cannot_coordinate() -> None:
    for name in ("submissions.submit", "submissions.read_own", "submissions.confirm", "letters.write"):
        assert "coordinator" not in TABLE[name].roles and "console" not in TABLE[name].roles
    for name in ("deadlines.extend", "desk.choose", "desk.transcribe", "processing.publish_draft", "seats.replace"):
        assert not {"player", "holder", "person", "visitor"} & TABLE[name].roles.keys()
