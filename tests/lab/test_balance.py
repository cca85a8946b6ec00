"""How even a variant is: what is measured is told, kept where the pages read it, and in the manual."""

import json
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="the lab needs its extra")
pytest.importorskip("pyarrow", reason="the lab needs its extra")

from legation.bots import balance as stored_balance
from legation.bots.balance import Balance, PowerBalance, stored
from legation.cli.app import app
from legation.lab import balance


def lab(*words: str) -> None:
    app(["lab", *words], standalone_mode=False)


@pytest.mark.usefixtures("games_compiled")
def test_each_power_has_its_row(capsys: pytest.CaptureFixture[str]) -> None:
    lab("balance", "hundred3", "--bot", "hold", "--games", "2", "--turns", "3")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Hundred3: 2 games of hold, 3 turns on average"
    assert [line.split() for line in lines[2:6]] == [
        ["alone", "(95", "%)", "shared", "survives", "centers", "score"],
        ["Burgundy", "0.0%", "(0.0%-74.1%)", "0%", "100%", "4.0", "28.1%"],
        ["England", "0.0%", "(0.0%-74.1%)", "0%", "100%", "5.0", "43.9%"],
        ["France", "0.0%", "(0.0%-74.1%)", "0%", "100%", "4.0", "28.1%"],
    ]
    assert "unevenness 0.16 " in lines[7]
    assert lines[8] == "2 games had not ended after 3 turns."


@pytest.mark.usefixtures("games_compiled")
def test_a_bot_for_each_report_or_two_that_are_usual(capsys: pytest.CaptureFixture[str]) -> None:
    lab("balance", "hundred3", "--games", "1", "--turns", "2", "--json")
    assert [report["bot"] for report in json.loads(capsys.readouterr().out)] == ["dumbbot", "random"]
    lab("balance", "hundred3", "--bot", "dumbot")
    assert "did you mean 'dumbbot'?" in capsys.readouterr().err


@pytest.mark.usefixtures("games_compiled")
def test_what_is_measured_is_written_for_the_pages_and_the_manual(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "balance.json"
    kept.write_text('{"hundred": []}')
    monkeypatch.setattr(stored_balance, "STORED", kept)
    monkeypatch.setattr(balance, "STORED", kept)
    monkeypatch.setattr(balance, "GAMES", {"dumbbot": 60, "hold": 3})
    words = ["hundred3", "--turns", "4", "--results", str(tmp_path / "games")]
    monkeypatch.setattr("sys.argv", ["balance", *words, "--pieces", "1"])
    balance.main()
    assert [(r.bot, r.games, r.unfinished) for r in stored("hundred3")] == [("dumbbot", 50, 50), ("hold", 3, 3)]
    monkeypatch.setattr("sys.argv", ["balance", *words])
    balance.main()
    many, few = stored("hundred3")
    assert (many.games, few.games, few.most_turns) == (60, 3, 4)
    assert [(row.power, row.centers, row.survives) for row in few.powers] == [
        ("Burgundy", 4, 1),
        ("England", 5, 1),
        ("France", 4, 1),
    ]
    assert stored("hundred") == ()
    assert "## 60 games of `dumbbot`" in balance.page("Hundred3", "hundred3", stored("hundred3"))


def test_powers_far_from_even_are_named_and_an_interval_counts_all_powers() -> None:
    def report(*scores: float) -> Balance:
        rows = tuple(PowerBalance(str(i), score, 0, 1, 1, score) for i, score in enumerate(scores))
        return Balance("x", 100, 1, 1, rows)

    uneven = report(0.8, 0.1, 0.08, 0.02)
    assert (uneven.weak, uneven.strong, uneven.won) == (["2", "3"], ["0"], 100)
    assert report(0.25, 0.25, 0.25, 0.25).weak == []
    low, high = uneven.interval(uneven.powers[0])
    assert low < 0.711 and high > 0.867  # Wilson's interval for one power alone
