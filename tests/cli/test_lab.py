"""``legation lab``: what is measured is told, and kept."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from legation.bots import balance
from legation.cli import lab
from legation.cli.app import app
from tests.cli.test_commands import run


def test_each_power_has_its_row() -> None:
    done = run("lab", "balance", "hundred3", "--bot", "hold", "--games", "2", "--turns", "3")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "Hundred3: 2 games of hold, 3 turns on average"
    assert [line.split() for line in lines[2:6]] == [
        ["alone", "shared", "survives", "centers", "share"],
        ["Burgundy", "0%", "0%", "100%", "4.0", "28.1%"],
        ["England", "0%", "0%", "100%", "5.0", "43.9%"],
        ["France", "0%", "0%", "100%", "4.0", "28.1%"],
    ]
    assert lines[-2].startswith("Unevenness 0.16 ")


def test_a_bot_for_each_report_or_two_that_are_usual() -> None:
    done = run("lab", "balance", "hundred3", "--games", "1", "--turns", "2", "--json")
    assert [report["bot"] for report in json.loads(done.stdout)] == list(lab.JUDGES)
    assert "did you mean 'dumbbot'?" in run("lab", "balance", "hundred3", "--bot", "dumbot").stderr


def test_reports_of_all_variants_are_kept_where_the_pages_find_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "balance.json"
    monkeypatch.setattr(balance, "STORED", kept)
    monkeypatch.setattr(lab, "STORED", kept)
    monkeypatch.setattr(lab, "JUDGES", ("hold",))
    monkeypatch.setattr("legation.variants.registry.Registry.names", lambda _: ["hundred3"])
    app(["lab", "balance", "--write", "--games", "1"], standalone_mode=False)
    assert capsys.readouterr().out.splitlines() == ["hundred3: 6 games", str(kept)]
    (report,) = balance.stored("hundred3")
    assert (report.bot, report.games, [row.power for row in report.powers]) == (
        "hold",
        6,
        ["Burgundy", "England", "France"],
    )
    assert balance.stored("hundred") == ()
    assert kept.read_bytes() == msgspec.json.format(kept.read_bytes(), indent=1) + b"\n"
