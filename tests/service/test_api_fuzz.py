"""The API called with whatever its description allows and much that it does not, by every role: no call ends in a fault
of the office, and no answer tells an order before the deadline.

``FUZZ=50`` in the environment is the long run (so many calls of every operation; a few by default)."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from legation.office.context import Actor
from legation.office.orders import submissions
from legation.web.api import application
from legation.web.api.application import PREFIX
from legation.web.api.describing import describe
from tests.web.test_api import ORDERS, World, api_world  # noqa: F401

CALLS = int(os.environ.get("FUZZ", "3"))
ROLES = ("france", "england", "coordinator", "administrator", "outsider", "nobody")
SECRETS = ("Dauphine - Provence", "A dau - pro")  # of the sheet that France sends
UNDOING = ("DELETE /me", "DELETE /sessions")  # they end the caller; called with no token only


def described_operations() -> dict[str, Any]:
    """All calls that the description has, by method and path."""
    import schemathesis  # no other test needs it, and it takes long to load

    schema: Any = schemathesis.openapi.from_dict(describe(PREFIX))
    found = [operation.ok() for operation in schema.get_all_operations()]
    return {f"{operation.method.upper()} {operation.path}": operation for operation in found}


@pytest.fixture
def unhindered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Without the limits on how often one may call, which have tests of their own."""
    monkeypatch.setattr(application, "_count", lambda *_: None)
    yield


@pytest.mark.long
def test_every_operation_withstands_every_role(world: World, unhindered: None) -> None:
    record = world.game
    receipt = submissions.submit(world.office, world.players["France"], record.key, "France", ORDERS)
    operations = described_operations()
    assert len(operations) > 80
    for name, operation in operations.items():
        roles = (
            ("nobody",)
            if any(name.endswith(u.partition(" ")[2]) and name.startswith(u[:6]) for u in UNDOING)
            else ROLES
        )

        @settings(max_examples=CALLS, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy(), role=st.sampled_from(roles), real=st.booleans())
        def call(case: Any, role: str, real: bool) -> None:
            _call(world, case, role, real)

        call()
    kept = submissions.commitments(world.office, Actor.console(), record.key, "1")
    assert receipt.commitment in [c.commitment for c in kept]  # whatever came, what France sent is there


def _call(world: World, case: Any, role: str, real: bool) -> None:
    """One call; ``real``: with the names of the running game in its path, so that it goes further than "not found"."""
    if real:
        case.path_parameters = {
            name: {"game": world.game.key, "power": "France", "turn": "now", "submission": 1}.get(name, value)
            for name, value in (case.path_parameters or {}).items()
        }
    asked = case.as_transport_kwargs(base_url="http://testserver")
    headers = {
        k: v for k, v in (asked.get("headers") or {}).items() if k.lower() not in ("authorization", "content-length")
    }
    if role != "nobody":
        headers |= getattr(world, role)
    try:
        answer = world.http.request(
            asked["method"],
            asked["url"],
            headers=headers,
            params=asked.get("params"),
            json=asked.get("json"),
            content=asked["data"] if isinstance(asked.get("data"), (bytes, str)) else None,
        )
    except (UnicodeError, ValueError, TypeError):
        return  # what no HTTP client can put on the wire
    told = f"{asked['method']} {asked['url']} by {role}: {answer.status_code} {answer.text[:300]}"
    assert answer.status_code < 500, told
    if answer.status_code >= 400:
        assert answer.headers["content-type"].startswith("application/problem+json"), told
    if role != "france":
        assert not any(secret in answer.text for secret in SECRETS), told
