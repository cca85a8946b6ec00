"""Logs say what happened and nothing of what people wrote, who they are, or what lets them in."""

from __future__ import annotations

from datetime import timedelta

import pytest
import structlog

from legation.office.clock import SimulatedClock
from legation.office.context import CommandContext
from legation.office.desk import letters
from legation.office.game import unsealing
from legation.office.hosting import roster
from legation.office.identity import people
from legation.office.monitoring import logs
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from tests.office.playing import begin


def test_nothing_private_is_logged(
    office: Office, clock: SimulatedClock, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    logs.configure()
    office.log = structlog.get_logger("office")
    record, players, _ = begin(office)
    france = players["France"]
    token = people.make_token(office, france, "x", ("read",)).secret
    submissions.submit(office, france, record.key, "France", "A par - orl\n# markedorder")
    letters.write(office, france, record.key, "France", ["England"], "markedletter")
    roster.add_address(office, france, ["Markedname", "Marked Street 1"], "Spain", primary=True)

    def fail(act: CommandContext, facts: object, key: object) -> None:
        orders = "A par - orl markedorder"  # a value that is at hand when it fails
        raise RuntimeError(orders)

    monkeypatch.setattr(unsealing, "open_seals", fail)
    clock.advance(timedelta(days=1))
    work.run_due(office)
    printed = "".join(capfd.readouterr())
    assert "work failed" in printed and "RuntimeError" in printed
    for private in ("markedorder", "par - orl", "markedletter", "Marked", "@example.org", token):
        assert private not in printed
    structlog.reset_defaults()


def test_what_is_handed_over_by_mistake_is_kept_out() -> None:
    line = logs.keep_out(None, "info", {"event": "x", "email": "a@example.org", "text": "A par H", "work": 3})
    assert line == {"event": "x", "work": 3}
