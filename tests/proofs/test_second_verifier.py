"""The second verifier, which somebody could write from the document alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from legation.proofs.receipts import receipt_text
from legation.proofs.signing import public_key
from tests.proofs.games import fog, full, hidden, kingdoms
from tests.proofs.tampering import SCRIPT, second_check


@pytest.mark.parametrize("game", [full, hidden, fog, kingdoms])
def test_it_finds_honest_games_to_hold_with_all_receipts(game: object) -> None:
    office = game()  # type: ignore[operator]
    assert second_check(office, office.file(), office.receipts) == ""


def test_it_is_short_and_needs_nothing_of_ours() -> None:
    lines = SCRIPT.read_text(encoding="utf-8").splitlines()
    imports = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert len(lines) < 300
    assert not any("legation" in name for name in imports)
    assert max(map(len, lines)) <= 120


def test_it_runs_by_itself(tmp_path: Path) -> None:
    office = hidden()
    transcript, receipt = tmp_path / "game.jsonl", tmp_path / "receipt.txt"
    transcript.write_bytes(office.file())
    receipt.write_text(f"Dear player,\n{receipt_text(office.receipts[-1])}")
    command = [
        sys.executable,
        str(SCRIPT),
        str(transcript),
        "--key",
        public_key(office.office),
        "--receipt",
        str(receipt),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "All that is checked here holds" in done.stdout
    transcript.write_bytes(office.file().replace(b'"why":"deadline"', b'"why":"waited"', 1))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "This does not hold." in done.stderr
