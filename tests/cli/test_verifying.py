"""``legation verify``: what it prints, and the status that says whether all holds."""

import json
from pathlib import Path

import msgspec
import pytest

from legation.proofs.receipts import SignedHead, receipt_text, signed_by
from legation.proofs.signing import public_key
from tests.cli.test_commands import run
from tests.proofs.games import hidden, kingdoms


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(hidden().file())
    return path


def test_what_is_only_the_offices_word_has_a_status_of_its_own(transcript: Path, tmp_path: Path) -> None:
    """Keys that are said to be lost, and what of a seat its own key did not sign."""
    done = run("verify", str(transcript), "--key", public_key(hidden().office))
    assert done.returncode == 3
    assert "Everything that can be checked holds. What only the office says is listed below" in done.stdout
    assert "Only the office says this (if you know otherwise, it lies):" in done.stdout
    path = tmp_path / "kingdoms.jsonl"
    path.write_bytes(kingdoms().file())
    assert run("verify", str(path), "--key", public_key(kingdoms().office)).returncode == 0
    assert json.loads(run("verify", str(transcript), "--json").stdout)["status"] == 3
    receipt = tmp_path / "receipt.txt"
    receipt.write_text(receipt_text(hidden().receipts[-1]))
    done = run("verify", str(transcript), "--key", public_key(hidden().office), "--receipt", str(receipt))
    assert done.returncode == 3  # its keys were lost once
    assert "Everything that can be checked holds." in done.stdout
    assert "What you sent is sealed." in done.stdout
    assert "compare it with your mails" not in done.stdout


def test_two_players_compare_what_they_were_told_of_the_journal(tmp_path: Path) -> None:
    office = hidden()

    def compared(n: int, line_hash: str, m: int, other: str) -> tuple[int, str]:
        names = []
        for name, number, digest in (("mine", n, line_hash), ("theirs", m, other)):
            head = signed_by(office.office, SignedHead(game=office.game, n=number, hash=digest, at=1))
            (tmp_path / name).write_text(f"Dear player,\n> {receipt_text(head)}")
            names.append(str(tmp_path / name))
        done = run("compare", *names)
        return done.returncode, " ".join(done.stdout.split())

    line = office.lines[20]
    assert compared(line.n, line.hash, line.n, line.hash) == (
        0,
        f"Both are of one journal up to line {line.n}: nobody was shown another game up to there.",
    )
    status, told = compared(line.n, line.hash, line.n, "ab" * 32)
    assert status == 1 and told.startswith(f"The office signed two different lines {line.n}: it shows two journals")
    status, told = compared(line.n, line.hash, line.n + 1, line.hash)
    assert status == 3 and "Compare two of the same results" in told


def test_published_heads_show_a_journal_that_was_forked_or_cut_off(transcript: Path, tmp_path: Path) -> None:
    office = hidden()
    mine, published = tmp_path / "mine.txt", tmp_path / "heads.json"
    line = office.lines[20]

    def publish(*heads: tuple[str, int, str]) -> None:
        made = [signed_by(office.office, SignedHead(game=game, n=n, hash=digest, at=1)) for game, n, digest in heads]
        published.write_bytes(msgspec.json.encode(made))

    def compared() -> tuple[int, str]:
        done = run("compare", str(mine), str(published))
        return done.returncode, " ".join(done.stdout.split())

    def verified() -> tuple[int, str]:
        done = run("verify", str(transcript), "--heads", str(published))
        return done.returncode, " ".join(done.stdout.split())

    mine.write_text(
        receipt_text(signed_by(office.office, SignedHead(game=office.game, n=line.n, hash=line.hash, at=1)))
    )
    publish(("other", 3, "cd" * 32), (office.game, line.n, line.hash))
    assert compared()[0] == 0 and verified()[0] == 3
    assert f"The journal holds what the office signed at line {line.n}." in verified()[1]
    publish(("other", 3, "cd" * 32), (office.game, line.n, "ab" * 32))
    assert compared()[0] == 1
    status, told = verified()
    assert status == 1 and "there are two journals" in told
    publish(("other", 3, "cd" * 32), ("others", 3, "cd" * 32))
    assert compared() == (3, "No head in this file is of the game of yours.")
    assert "the published heads: none is of this game" in verified()[1]
    published.write_bytes(published.read_bytes().replace(b"cd" * 32, b"ce" * 32))
    done = run("verify", str(transcript), "--heads", str(published))
    assert done.returncode == 1 and "its signature does not match" in done.stderr


def test_a_game_that_does_not(transcript: Path) -> None:
    transcript.write_bytes(transcript.read_bytes().replace(b'"kind":"closed"', b'"kind":"opened"', 1))
    done = run("verify", str(transcript), "--json")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert not report["holds"]
    assert report["failures"][0]["proves"] == "an altered file"
    said = run("verify", str(transcript))
    assert said.returncode == 1
    assert said.stdout.startswith("This does not hold. journal line ")
    assert "It proves an altered file." in said.stdout


def test_what_cannot_be_taken_is_told(transcript: Path, tmp_path: Path) -> None:
    assert "a key has 64 digits" in run("verify", str(transcript), "--key", "abc").stderr
    receipt = tmp_path / "receipt.txt"
    receipt.write_text("hello")
    assert "not a receipt" in run("verify", str(transcript), "--receipt", str(receipt)).stderr
