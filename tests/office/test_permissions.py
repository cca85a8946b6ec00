"""What is declared of the commands is the whole of what may be done, and it is kept to."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import legation.office
from legation.office import permissions
from legation.office.errors import NotAllowedError, SignInNeededError
from legation.office.permissions import ROLES, SCOPES, STATES, commands

TABLE = commands()


def test_every_command_is_found() -> None:
    for module in pkgutil.walk_packages(legation.office.__path__, "legation.office."):
        if ".migrations" not in module.name:
            importlib.import_module(module.name)
    declared = {
        n for n, command in permissions._DECLARED.items() if command.function.__module__.startswith("legation.")
    }
    missing = declared - permissions.commands().keys()
    assert not missing, "a module of commands is missing among permissions.SUBJECTS"


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


def test_a_token_that_reads_sets_nothing_to_work() -> None:
    found = [row for row in TABLE.values() if row.scope == "read"]
    assert len(found) > 20 and [row.name for row in found if row.writes] == []


def test_a_coordinator_cannot_order_and_a_player_cannot_coordinate() -> None:
    for name in ("submissions.submit", "submissions.read_own", "submissions.confirm", "letters.write"):
        assert "coordinator" not in TABLE[name].roles and "console" not in TABLE[name].roles
    for name in (
        "deadlines.extend",
        "readings.choose",
        "readings.transcribe",
        "processing.publish_draft",
        "seats.replace",
    ):
        assert not {"player", "holder", "person", "visitor"} & TABLE[name].roles.keys()


GUEST = "A trial seat can't do that. Sign in with your own address."
OVER = "This can be done only while the game is running or paused; it is over."
BEGUN = "This can be done only while the game is waiting for players; it is running."
SCOPE = "This token may not do that; it needs the scope 'coordinate'."


@pytest.mark.parametrize(
    ("name", "roles", "scopes", "state", "told"),
    [
        ("readings.choose", "coordinator", "read", "running", SCOPE),
        ("submissions.withdraw", "visitor", "everything", "running", "Sign in to continue."),
        ("roster.roster", "visitor", "everything", "running", "Sign in to continue."),
        ("absences.announce", "visitor guest", "everything", "", GUEST),
        ("readings.choose", "visitor guest", "everything", "running", GUEST),
        ("submissions.withdraw", "visitor person player holder", "everything", "ended", OVER),
        ("games.start", "visitor person host", "everything", "running", BEGUN),
        ("readings.choose", "person player holder", "everything", "running", "That is for the coordinator."),
        (
            "unmatched.assign",
            "visitor person",
            "everything",
            "running",
            "That is for the coordinator or administrator.",
        ),
        ("submissions.withdraw", "console", "everything", "running", "That is for the holder."),
        ("transfer.take_in", "person", "everything", "", "That is for the administrator."),
    ],
)
def test_a_refusal_says_what_would_help(name: str, roles: str, scopes: str, state: str, told: str) -> None:
    kind = SignInNeededError if told == "Sign in to continue." else NotAllowedError
    with pytest.raises(kind) as caught:
        permissions.ask(name, frozenset(roles.split()), (scopes,), state)
    assert caught.value.message == told


def test_the_terminal_may_what_a_coordinator_may_and_no_more() -> None:
    for row in TABLE.values():
        if "coordinator" in row.roles:
            assert row.roles["console"] == row.roles["coordinator"], row.name
    assert TABLE["desk.retry_all"].roles["console"] == STATES
