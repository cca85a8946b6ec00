"""The office as several processes: a worker sends the mails that wait, and leaves them where another process does."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from legation.cli.app import app
from legation.office.context import Actor
from legation.office.identity import people
from legation.office.office import open_office


def test_a_worker_sends_the_mails_that_wait(tmp_path: Path) -> None:
    office = open_office(tmp_path)
    people.register(office, Actor.console(), "Prince Rupert", "rupert@example.org")
    people.ask_link(office, Actor.visitor(), "rupert@example.org")
    office.close()
    left = CliRunner().invoke(app, ["worker", str(tmp_path), "--once", "--no-mail"])
    assert left.exit_code == 0 and "mails" not in left.output
    done = CliRunner().invoke(app, ["worker", str(tmp_path), "--once"])
    assert done.exit_code == 0 and "1 mails sent" in done.output
    assert len(list((tmp_path / "mail" / "new").iterdir())) == 1
    again = CliRunner().invoke(app, ["worker", str(tmp_path), "--once"])
    assert "0 mails sent" in again.output
