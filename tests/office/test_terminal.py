"""The coordinator's terminal, backup and restore."""

from __future__ import annotations

import json
import re
import tarfile
import tomllib
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from legation.cli.app import app
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk
from legation.office.errors import ConflictError, InvalidInputError, UnavailableError
from legation.office.hosting import exports, games
from legation.office.office import Office, open_office
from legation.office.operation import archive, work
from legation.office.orders import submissions
from tests.office.playing import begin, send_all


def run(folder: Path, *words: str, status: int = 0, text: str | None = None) -> str:
    """A command of the terminal; what it prints."""
    done = CliRunner().invoke(app, ["office", "-C", str(folder), *words], input=text)
    assert done.exit_code == status, done.output
    return done.output


@pytest.mark.long
def test_a_coordinator_runs_a_game_from_the_terminal(tmp_path: Path) -> None:
    folder = tmp_path / "office"
    secret = run(folder, "person", "Anna Ash", "anna@example.org", "--token").splitlines()[-1]
    assert len(secret) == 32
    plan = tmp_path / "game.toml"
    plan.write_text(
        'name = "Powick Bridge"\nvariant = "hundred"\n[settings]\nschedule = "weekly"\ncoordinated = true\n'
    )
    assert "committed to by" in run(folder, "--as", "anna@example.org", "create", str(plan))
    assert "already a game called" in run(folder, "create", "--name", "Powick Bridge", "--variant", "hundred", status=1)
    for power in ("France", "England", "Burgundy"):
        run(folder, "bot", "powick-bridge", power, "hold")
    assert "1425 Movement" in run(folder, "start", "powick-bridge")
    assert json.loads(run(folder, "games", "--json"))[0]["state"] == "running"
    assert "moved to" not in run(folder, "journal", "powick-bridge")
    run(folder, "extend", "powick-bridge", "2099-01-15", "far away", status=1)
    assert "goes on" in run(folder, "pause", "powick-bridge", "ill") + run(folder, "resume", "powick-bridge")
    assert "The desk is empty." in run(folder, "desk")
    assert re.search(r"[1-9] steps? done", run(folder, "process", "powick-bridge"))  # the bots have sent their orders
    assert "sealed until the deadline" in run(folder, "process", "powick-bridge", status=1)
    run(folder, "replace", "powick-bridge", "France", "anna@example.org", status=1)  # who coordinates does not play
    run(folder, "replace", "powick-bridge", "France", "ben@example.org", "moved abroad")
    assert "New player" in run(folder, "show", "powick-bridge")  # who has no name yet
    assert "  no  " not in run(folder, "verify", "powick-bridge")
    assert json.loads(run(folder, "export", "powick-bridge"))["variant"] == "hundred"
    assert "no game" in run(folder, "show", "nowhere", status=1)


@pytest.mark.clause("W-20g")
def test_a_transcription_at_the_terminal(office: Office, clock: SimulatedClock, tmp_path: Path) -> None:
    record, players, boss = begin(office, coordinated=True, ready_ends=False)
    submissions.submit_pictures(
        office, players["England"], record.key, "England", [("a.jpg", b"\xff\xd8", "image/jpeg")]
    )
    clock.advance(timedelta(days=1))
    work.run_due(office)
    (item,) = desk.items(office, boss)
    folder = tmp_path / "office"
    run(folder, "look", str(item.id), "-o", str(tmp_path / "pictures"))
    assert [p.read_bytes() for p in (tmp_path / "pictures").iterdir()] == [b"\xff\xd8"]
    assert "did you mean" in run(folder, "transcribe", str(item.id), "-", "--try", text="A callaiz H\n")
    assert "A cal H" in run(folder, "transcribe", str(item.id), "-", text="A cal H\n")
    assert "Army Calais holds" in run(folder, "result", "powick-bridge", "1")


def test_the_terminal_names_a_power_with_its_article(office: Office, tmp_path: Path) -> None:
    record, _, _ = begin(office, "three-kingdoms", name="Naseby", coordinated=True, ready_ends=False)
    folder = tmp_path / "office"
    told = run(folder, "vacate", record.key, "charles stuart", "gone")
    assert "The Crown has no player and is in civil disorder." in told
    assert "The Crown is played by hold." in run(folder, "bot", record.key, "crown", "hold")
    assert "The Crown has a new player." in run(folder, "replace", record.key, "Crown", "ben@example.org", "moved")


SETTINGS_WITH_SECRETS = {
    "an address": 'smtp = "smtp://anna:sesame-open@relay.example.org:587"  # ask post@example.org\n',
    "a table": '[mail]\nimap = "imaps://orders:sesame-open@mail.example.org"\n',
    "a table in a line": "mail = {imap = 'imaps://orders:sesame-open@mail.example.org', every = 60}\n",
    "a database": 'database = "postgresql://legation:sesame-open@db/legation"\n',
    "odd characters": 'database = "postgresql://legation:a\'sesame-open@db/legation"\n',
    "two signs": 'smtp = "smtp://anna@example.org:se@sesame-open@relay.example.org"\n',
    "several lines": 'cabinet_key = """\nsesame-open"""\n',
    "a comment": 'keeper_token = "sesame-open"\n# keeper_token was sesame-open in spring\n',
    "escaped": 'keeper_token = "x"\n"watch\\u005ftoken" = "sesame-open"\n',
}


@pytest.mark.parametrize("where", SETTINGS_WITH_SECRETS)
def test_no_password_of_the_settings_is_in_a_backup(where: str) -> None:
    """A thief would read the mailbox to which orders are sent, or the database."""
    text = f"settling = 3\n{SETTINGS_WITH_SECRETS[where]}"
    left = archive.without_keys(text)
    assert "sesame" not in left and archive.NOT_KEPT in left
    tomllib.loads(left)
    assert ("settling = 3" in left) is (
        where in ("an address", "a table", "a table in a line", "a database", "two signs")
    )
    assert ("relay.example.org:587" in left) is (where == "an address"), "all but the password is kept"


def test_a_backup_has_everything_but_the_keys(office: Office, clock: SimulatedClock, tmp_path: Path) -> None:
    record, players, boss = begin(office, coordinated=True)
    for number in range(2):
        send_all(office, record, players, number)
        clock.advance(timedelta(days=1))
        work.run_due(office)
    submissions.submit_pictures(office, players["France"], record.key, "France", [("a.jpg", b"x", "image/jpeg")])
    file = tmp_path / "backup.tar.gz"
    keys = f'cabinet_key = "{"5a" * 32}"\n"keeper_token"="whisper"  # of both\n'
    (tmp_path / "office" / "office.toml").write_text(f'settling = 3\n{keys}orders_address = "a@example.org"\n')
    archive.backup(office, tmp_path / "office", file)
    with tarfile.open(file) as tar:
        assert not [name for name in tar.getnames() if "key" in name]
        settings = tar.extractfile("office.toml")
        assert settings is not None and settings.read().decode().splitlines() == [
            "settling = 3",
            "# cabinet_key: not in backups",
            "# keeper_token: not in backups",
            'orders_address = "a@example.org"',
        ]
    with pytest.raises(ConflictError):
        archive.backup(office, tmp_path / "office", file)
    with pytest.raises(ConflictError):
        archive.restore(file, tmp_path / "office")
    archive.restore(file, tmp_path / "again", keys=tmp_path / "office" / "keys")
    again = open_office(tmp_path / "again", clock=clock)
    assert exports.saved_game(again, boss, record.key) == exports.saved_game(office, boss, record.key)
    assert games.game(again, Actor.visitor(), record.key) == games.game(office, Actor.visitor(), record.key)
    assert [name for name, _ in again.files.names()] == [name for name, _ in office.files.names()]
    again.close()
    (tmp_path / "broken.tar.gz").write_bytes(file.read_bytes()[:200])
    with pytest.raises(InvalidInputError):
        archive.restore(tmp_path / "broken.tar.gz", tmp_path / "third")


def test_no_office_is_made_by_mistake(tmp_path: Path) -> None:
    for words in (["games"], ["verify", "x"], ["move", "sqlite:////x.db"]):
        assert "There is no office in" in run(tmp_path / "nowhere", *words, status=1)
    assert not (tmp_path / "nowhere").exists()


def test_a_database_that_cannot_be_used_is_told(office: Office) -> None:
    with pytest.raises(InvalidInputError, match="postgresql://"):
        archive.move(office, "mysql://localhost/x")
    with pytest.raises(InvalidInputError):
        archive.move(office, "postgresql://localhost:port/x")
    with pytest.raises(UnavailableError, match="cannot be opened") as caught:
        archive.move(office, "postgresql://somebody:secret@127.0.0.1:1/x")
    assert "secret" not in caught.value.message
