"""The second verifier, which somebody could write from the document alone."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from legation.proofs.canonical import CanonicalError, decode
from legation.proofs.receipts import receipt_text
from legation.proofs.signing import public_key
from legation.proofs.transcript import TranscriptError, read_transcript
from tests.proofs.games import hidden, kingdoms
from tests.proofs.tampering import SCRIPT, second


def test_it_is_short_and_needs_nothing_of_ours() -> None:
    lines = SCRIPT.read_text(encoding="utf-8").splitlines()
    imports = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert len(lines) < 330
    assert not any("legation" in name for name in imports)
    assert max(map(len, lines)) <= 120


def test_it_runs_by_itself(tmp_path: Path) -> None:
    office = kingdoms()
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
    reopened = tmp_path / "hidden.jsonl"
    reopened.write_bytes(hidden().file())
    done = subprocess.run([sys.executable, str(SCRIPT), str(reopened)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (3, "")
    assert "ONLY THE OFFICE SAYS THIS" in done.stdout
    transcript.write_bytes(office.file().replace(b'"why":"deadline"', b'"why":"waited"', 1))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "This does not hold." in done.stderr


def test_what_is_no_transcript_is_told_in_one_line(tmp_path: Path) -> None:
    """Files that strangers make, and files that are not there: no traceback, and the same bounds as in Legation."""
    path, header = tmp_path / "game.jsonl", hidden().file().split(b"\n")[0] + b"\n"
    files = {
        "deeper than 24 levels": b"[" * 100_000 + b"]" * 100_000,
        "'line'": b'{"line":' * 30 + b"1" + b"}" * 30,
        "deeper": b'{"line":' + b"[" * 24 + b"1" + b"]" * 24 + b"}",
        "Expecting": b"[" * 24,
        "not canonical": b'{"line": 1}',
        "limit": b'{"line":' + b"9" * 5000 + b"}",
    }
    for words, row in files.items():
        path.write_bytes(header + row + b"\n")
        second.PLACE[0] = "file"
        told = second.main([str(path)])
        assert told is not None and told.startswith("This does not hold. file: ") and "\n" not in told, words
        with pytest.raises(TranscriptError, match="line 2 of the file"):
            read_transcript(path.read_bytes())
    for arguments in ([], [str(tmp_path)], [str(tmp_path / "nowhere")], ["\0"]):
        second.PLACE[0] = "file"
        told = second.main(arguments)
        assert told is not None and told.startswith("This does not hold. file: not of its form: ")


@pytest.mark.parametrize("levels", [1, 23, 24, 25, 26])
@pytest.mark.parametrize("within", [b"", b"1", b'"[[["', b"{}", b'{"a":"}"}'])
def test_both_count_levels_alike(levels: int, within: bytes) -> None:
    data = b"[" * levels + within + b"]" * levels
    deep = levels + (b"{" in within)

    def taken(read: Callable[[bytes], object], error: type[Exception]) -> bool:
        try:
            read(data)
        except error as refused:
            assert "24 levels" in str(refused)
            return False
        return True

    assert taken(second.parse, second.WrongError) == taken(decode, CanonicalError) == (deep <= 24)
