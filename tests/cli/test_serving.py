"""The office as programs: they say where they are, do their work, and close in good order when they are told to."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx2
import pytest
from typer.testing import CliRunner

from legation.cli.app import app
from legation.client import Client
from legation.office.clock import micros
from legation.office.context import Actor
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.keys.notices import KeyRequest, Notice
from legation.office.keys.remote_keeper import remote_keeper
from legation.office.office import open_office
from legation.variants import names
from tests.serving import free_port
from tests.waiting import wait_for

COLD = '{"warm": false}'  # no map is drawn before it is asked for


@contextlib.contextmanager
def program(*words: object, number: int = signal.SIGTERM, **around: str) -> Iterator[subprocess.Popen[str]]:
    """``legation`` with these words, as a program that is told to end with the block, and does so in good order."""
    running = subprocess.Popen(
        [sys.executable, "-m", "legation", *map(str, words)],
        env={**os.environ, "LEGATION_WEB": COLD, **around},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield running
        running.send_signal(number)
        _, errors = running.communicate(timeout=60)
        lines = [json.loads(line) for line in errors.splitlines()]
        assert (running.returncode, [line for line in lines if line["level"] != "info"]) == (0, [])
    finally:
        running.kill()
        running.wait()
        for stream in (running.stdout, running.stderr):
            if stream is not None:
                stream.close()


def told(running: subprocess.Popen[str], until: str) -> list[str]:
    """The lines that a program prints up to one that has these words."""
    assert running.stdout is not None and running.stderr is not None
    lines: list[str] = []
    for line in running.stdout:
        lines.append(line.rstrip("\n"))
        if until in line:
            return lines
    raise AssertionError(f"it ended: {lines} {running.stderr.read()}")


def run(*words: object, status: int = 0, **around: str) -> str:
    """A command that ends by itself; what it prints."""
    done = CliRunner().invoke(app, list(map(str, words)), env=around)
    assert done.exit_code == status, done.output
    return done.output


def get(address: str) -> httpx2.Response:
    """An answer, however busy the machine is."""
    return httpx2.get(address, timeout=60)


@pytest.mark.long
def test_an_office_opens_answers_and_closes(tmp_path: Path) -> None:
    port = free_port()
    at = f"http://localhost:{port}"
    with program("serve", tmp_path, "--port", port, "--demo") as running:
        *made, you, way, place = told(running, "The office is open")
        games = [line.rpartition("/")[2] for line in made]
        assert made == [f"  {at}/games/{key}" for key in games] and len(games) > len(names())
        assert place == f"The office is open at {at} (folder {tmp_path}; Ctrl-C closes it)."
        token = re.fullmatch(r"You are Demo Player <demo@localhost>; your token for the API is (\S+)", you)
        assert token is not None and str(tmp_path / "mail") in way
        assert get(f"{at}/ready").json()["good"] is True
        assert "legation_" in get(f"{at}/metrics").text
        assert "Powick Bridge" in get(f"{at}/games").text
        assert get(f"{at}/games/{games[0]}/calendar.ics").headers["content-type"].startswith("text/calendar")
        assert get(f"{at}/games/{games[0]}/print/map.pdf").content.startswith(b"%PDF")
        mine = Client(at, token[1]).call("GET", "/games", mine=True)
        assert {line["key"] for line in mine} == set(games)
        second = run("serve", tmp_path / "second", "--port", port, status=1)
        assert second == (
            f"legation: cannot listen at 127.0.0.1, port {port}: Address already in use; "
            "choose others with --host and --port\n"
        )
        assert not (tmp_path / "second").exists(), "nothing was begun"
    socket.create_server(("127.0.0.1", port)).close()  # nobody listens there any more


@pytest.mark.long
def test_an_office_with_games_gets_no_demo_and_ctrl_c_closes_it(tmp_path: Path) -> None:
    office = open_office(tmp_path)
    games.create(office, Actor.console(), {"name": "Naseby", "variant": "hundred"})
    office.close()
    port = free_port()
    words = ("serve", tmp_path, "--port", port, "--demo", "--no-worker", "--no-mail", "--host", "127.0.0.1")
    with program(*words, number=signal.SIGINT, LEGATION_ADDRESS="https://office.example") as running:
        assert told(running, "The office is open") == [
            "This office has games of its own; no demo games were made.",
            f"The office is open at https://office.example (folder {tmp_path}; Ctrl-C closes it).",
        ]
        assert get(f"http://127.0.0.1:{port}/health").status_code == 200
    assert not (tmp_path / "mail").exists()
    assert [line.name for line in games.list_games(open_office(tmp_path), Actor.console())] == ["Naseby"]


@pytest.mark.long
def test_an_office_that_cannot_be_opened_says_why(tmp_path: Path) -> None:
    port = free_port()

    def refused(settings: str, *words: str) -> str:
        (tmp_path / "office.toml").write_text(settings)
        return run("serve", tmp_path, "--port", port, "--no-worker", *words, status=1)

    assert "settling: Input should be less than or equal to 60" in refused("settling = 61")
    assert "office.toml cannot be read" in refused("settling =")
    assert "setling: there is no such setting; did you mean settling?" in refused("setling = 3")
    assert "mail: a place to listen at is written host:port, not '2525'" in refused('mail = {listen = "2525"}')
    assert "mail: a mailbox is written imaps://" in refused('mail = {imap = "pop3://host"}')
    assert "mail: a relay is written smtp://" in refused('smtp = "sendmail"')
    gone = tmp_path / "gone.pem"
    assert f"mail: the certificate {gone} cannot be read (No such file or directory)" in refused(
        f'mail = {{listen = "127.0.0.1:{free_port()}", certificate = "{gone}"}}'
    )
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        assert f"Mail can't be received at {place}: " in refused(f'mail = {{listen = "{place}"}}')
    assert "cannot be opened" in refused('database = "postgresql://somebody@127.0.0.1:1/x"')


@pytest.mark.long
def test_a_worker_of_its_own_sends_what_waits_until_it_is_stopped(tmp_path: Path) -> None:
    office = open_office(tmp_path)
    people.register(office, Actor.console(), "Prince Rupert", "rupert@example.org")
    with program("worker", tmp_path):
        people.ask_link(office, Actor.visitor(), "rupert@example.org")
        wait_for(lambda: list((tmp_path / "mail" / "new").glob("*")))
    with program("worker", tmp_path, "--no-mail", number=signal.SIGINT):
        bots = dict.fromkeys(("England", "France", "Burgundy"), "bot:hold")
        plan = {"name": "Naseby", "variant": "hundred", "seats": bots}
        key = games.create(office, Actor.console(), plan).key
        wait_for(lambda: games.game(office, Actor.console(), key).state == "running")
    office.close()


def test_a_worker_sends_the_mails_that_wait(tmp_path: Path) -> None:
    """And leaves them where another process does."""
    office = open_office(tmp_path)
    people.register(office, Actor.console(), "Prince Rupert", "rupert@example.org")
    people.ask_link(office, Actor.visitor(), "rupert@example.org")
    office.close()
    assert "mails" not in run("worker", tmp_path, "--once", "--no-mail")
    assert "1 mails sent" in run("worker", tmp_path, "--once")
    assert len(list((tmp_path / "mail" / "new").iterdir())) == 1
    assert "0 mails sent" in run("worker", tmp_path, "--once")


def test_a_keeper_on_a_machine_of_its_own(tmp_path: Path) -> None:
    short = run("keeper", tmp_path, status=1, LEGATION_KEEPER_TOKEN="short")
    assert "LEGATION_KEEPER_TOKEN: the keeper's token has at least 20 characters" in short
    port, token = free_port(), "a token that is long enough"
    with program("keeper", tmp_path, "--port", port, LEGATION_KEEPER_TOKEN=token) as running:
        told(running, f"The keeper listens at http://127.0.0.1:{port} (keys in {tmp_path}).")
        keeper = remote_keeper(f"http://127.0.0.1:{port}", token)
        assert len(keeper.make("naseby-1", KeyRequest(micros(datetime.now(UTC)))).public) == 64
        keeper.close(Notice("naseby-1", 1, "", 1, "deadline"), "")
        assert len(keeper.key("naseby-1").private) == 32
        assert token not in (tmp_path / "keeper.log").read_text()


def test_a_backup_and_what_was_restored_of_it(tmp_path: Path) -> None:
    at, file, again = tmp_path / "office", tmp_path / "office.tar.gz", tmp_path / "again"
    assert "There is no office in" in run("backup", at, file, status=1)
    at.mkdir()
    (at / "office.toml").write_text('name = "The Office"\n')
    office = open_office(at)
    people.register(office, Actor.console(), "Anna", "anna@example.org")
    office.close()
    assert "keep a copy of" in run("backup", at, file)
    assert "is there already" in run("backup", at, file, status=1)
    assert " rows." in run("restore", file, again, "--keys", at / "keys")
    assert (again / "office.toml").read_text() == 'name = "The Office"\n', "its settings are restored, too"
    office = open_office(again)
    assert people.find(office, Actor.console(), "anna@example.org").name == "Anna"
    office.close()
    assert f"There is an office in {again} already." in run("restore", file, again, status=1)
    assert "There is no file" in run("restore", tmp_path / "gone.tar.gz", tmp_path / "third", status=1)
    with tarfile.open(tmp_path / "other.tar.gz", "w:gz") as other:
        other.add(at / "office.toml", "office.toml")
    assert "isn't a backup of an office" in run("restore", tmp_path / "other.tar.gz", tmp_path / "third", status=1)
    shutil.rmtree(tmp_path / "third", ignore_errors=True)
    (tmp_path / "third").write_text("a file where the folder should be")
    assert "third: File exists" in run("restore", file, tmp_path / "third", status=1)
