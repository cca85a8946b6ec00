"""What an operator does and meets: the doctor, drills with backups and keys, upgrades, settings that nobody reads, a
second office on one folder, and ending in time."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import httpx2
import pytest

from legation.cli import listening
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.desk import letters
from legation.office.errors import InvalidInputError
from legation.office.hosting import games, proofs
from legation.office.identity import people
from legation.office.keys.remote_keeper import create_app as create_keeper
from legation.office.office import Office, open_office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.settings import Settings, refuse_unknown_variables
from legation.web.settings import web_settings
from tests.apart import no_loop
from tests.cli.test_serving import program, run, told
from tests.office.later import release
from tests.office.playing import begin
from tests.office.test_orders_ahead import dislodged
from tests.serving import free_port, served
from tests.waiting import wait_for


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An office with a running game, a letter and an open turn."""
    made = tmp_path / "office"
    office = opened(made)
    record, players, _ = begin(office)
    letters.write(office, players["France"], record.key, "France", ["England"], "Shall we meet?", False)
    office.close()
    close_to_others(made)
    return made


def close_to_others(folder: Path) -> None:
    folder.chmod(0o700)
    for file in folder.glob("office.db*"):
        file.chmod(0o600)


def opened(folder: Path) -> Office:
    clock = SimulatedClock(datetime.now(UTC) - timedelta(minutes=5))
    return open_office(folder, Settings(settling=0), clock, SeededRandomSource("operating"))


def findings(folder: Path, status: int = 1) -> dict[str, str]:
    """What the doctor finds wrong."""
    said = json.loads(run("doctor", folder, "--json", status=status))
    return {entry["name"]: entry["text"] for entry in said if not entry["good"]}


@pytest.mark.long
def test_the_doctor_finds_each_thing_that_is_wrong_and_nothing_else(folder: Path) -> None:
    assert findings(folder, 0) == {}
    assert "ok    games: 1 can be judged" in run("doctor", folder)
    (folder / "office.db").chmod(0o644)
    assert "chmod 600" in findings(folder)["permissions"]
    (folder / "office.db").chmod(0o600)
    keys = folder / "keys"
    master_key = (keys / "cabinet").read_bytes()
    (keys / "cabinet").write_bytes(bytes(32))
    assert "is not the key of this office" in findings(folder)["keys"]
    (keys / "cabinet").unlink()
    assert "is missing" in findings(folder)["keys"]
    (keys / "cabinet").write_bytes(master_key)
    (keys / "cabinet").chmod(0o600)
    keys_are_missed(folder, "powick-bridge.1", "powick-bridge.1425-retreats")
    with sqlite3.connect(folder / "office.db") as database:
        database.execute("UPDATE games SET variant = 'no such'")
    assert findings(folder, 0) == {}, "the game goes on by the rules that were kept with it"
    with sqlite3.connect(folder / "office.db") as database:
        database.execute("UPDATE games SET kept = ''")
        database.execute("UPDATE journal SET at = at + 864000000000")
        values = "('judge', 'x', 1, '', 5, 'no', 'failed')"
        database.execute(f"INSERT INTO work (kind, name, due, facts, attempts, error, state) VALUES {values}")
    wrong = findings(folder)
    assert "unknown variant 'no such'" in wrong["games"] and "set the clock" in wrong["clock"]
    assert wrong["work"] == "judge: no"


def test_a_new_office_is_well_and_what_is_wrong_with_one_is_told_with_its_mend(tmp_path: Path, folder: Path) -> None:
    new = tmp_path / "new"
    assert "No office was found" in run("office", "-C", new, "person", "Ann", "ann@example.org")
    assert findings(new, 0) == {}
    (new / "office.toml").write_text('adress = "https://play.example.org"\n', encoding="utf-8")
    assert findings(new)["settings"] == "adress: there is no such setting; did you mean address?"
    (new / "office.toml").write_text("address = https", encoding="utf-8")
    assert findings(new)["settings"].startswith("office.toml cannot be read: ")
    (new / "office.toml").unlink()
    whole = (folder / "office.db").read_bytes()
    (folder / "office.db").write_bytes(whole[:8192] + b"\xff" * 20_000 + whole[28_192:])
    assert "damaged" in findings(folder)["database"] and "restore a backup" in findings(folder)["database"]
    said = run("backup", folder, tmp_path / "backup", status=1)
    assert "damaged" in said and "Restore an earlier backup" in " ".join(said.split())
    assert not list(tmp_path.glob("backup*"))
    assert "There is no folder" in run("backup", new, tmp_path / "no" / "backup", status=1)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_root_makes_no_keys_that_the_offices_user_could_not_read(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, 65534, 65534)
    said = run("office", "-C", folder, "games", status=1)
    assert "runuser -u" in said and "Traceback" not in said
    assert "runuser -u" in run("worker", folder, "--once", status=1)
    assert findings(folder, 0) == {}
    os.chown(folder / "keys" / "cabinet", 0, 0)
    assert "cabinet (it belongs to root)" in findings(folder)["permissions"]


def keys_are_missed(folder: Path, *names: str) -> None:
    """Each of these keys of turns, taken away alone, is missed by the doctor."""
    for name in names:
        file = folder / "keys" / f"{name}.key"
        file.rename(folder / "elsewhere")
        (wrong,) = findings(folder).items()
        assert wrong[0] == "keeper" and f"no key {name}: put the copy of the folder of keys back" in wrong[1]
        (folder / "elsewhere").rename(file)


def test_a_turn_that_was_ordered_ahead_for_is_open_by_the_key_that_was_made_then(tmp_path: Path) -> None:
    folder = tmp_path / "office"
    clock = SimulatedClock(datetime.now(UTC) - timedelta(days=2, minutes=5))
    office = open_office(folder, Settings(settling=0), clock, SeededRandomSource("ahead"))
    record, _ = dislodged(office, clock)
    office.close()
    close_to_others(folder)
    assert findings(folder, 0) == {}
    keys_are_missed(folder, f"{record.key}.1901-fall-retreats", f"{record.key}.1901-winter-adjustments")


def test_a_turn_whose_key_is_lost_is_opened_anew_and_the_office_is_well(folder: Path) -> None:
    key = folder / "keys" / "powick-bridge.1.key"
    content = key.read_bytes()
    key.write_bytes(b"{}")
    assert "reopen-all" in findings(folder)["keeper"]
    key.write_bytes(content)
    assert "is not lost" in run("office", "-C", folder, "reopen", "powick-bridge", "now", "no reason", status=1)
    assert "No game has lost a key" in run("office", "-C", folder, "reopen-all", "no reason")
    key.unlink()
    assert "is open until" in run("office", "-C", folder, "reopen", "powick-bridge", "now", "the disk died")
    assert findings(folder, 0) == {}
    (folder / "keys" / "powick-bridge.1425-retreats.key").unlink()
    assert "powick-bridge: 1425 Retreats" in run("office", "-C", folder, "reopen-all", "the disk died")
    assert findings(folder, 0) == {}


def test_settings_that_nobody_reads_are_faults() -> None:
    with pytest.raises(InvalidInputError, match="did you mean LEGATION_SETTLING") as caught:
        refuse_unknown_variables({"LEGATION_SETLING": "2", "LEGATION_FOLDER": "x", "HOME": "y"})
    assert len(caught.value.faults) == 1
    with pytest.raises(InvalidInputError, match="shelf"):
        web_settings(Settings(web={"shelf": 3}))
    assert web_settings(Settings(web={"largest_body": 200_000})).largest_body == 200_000


def test_an_office_that_a_test_starts_knows_all_variables_of_the_tests() -> None:
    root = Path(__file__).parents[2]
    told = [root / "Makefile", root / ".ci" / "run", *root.glob("tests/**/*.py")]
    named = {
        name
        for file in told
        if file.exists()
        for name in re.findall(r"(?:export |environ\b.{0,9})\W*(LEGATION_[A-Z]+)", file.read_text("utf-8"))
    }
    assert "LEGATION_GAMES" in named
    refuse_unknown_variables(dict.fromkeys(named, "x"))


def test_the_relay_and_the_mailbox_are_tried_by_the_doctor(folder: Path) -> None:
    port = free_port()
    text = f'smtp = "smtp://127.0.0.1:{port}?plain"\n[mail]\nimap = "imap://a:secret@127.0.0.1:{port}/INBOX?plain"\n'
    (folder / "office.toml").write_text(text)
    (folder / "office.toml").chmod(0o600)
    wrong = findings(folder)
    assert set(wrong) == {"relay", "mailbox"} and "secret" not in str(wrong)


@pytest.mark.long
def test_a_second_office_on_a_folder_is_refused(folder: Path) -> None:
    with program("serve", folder, "--port", free_port()) as first:
        told(first, "The office is open")
        assert "Another process serves the office" in run("serve", folder, "--port", free_port(), status=1)
        moved = run("office", "-C", folder, "move", f"sqlite:///{folder}/elsewhere.db", status=1)
        assert "Another process serves the office" in moved


@pytest.mark.long
def test_a_backup_changes_nothing_and_is_restored_with_its_keys_or_says_what_is_lost(
    folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "backup.tar.gz"
    before = sqlite3.connect(folder / "office.db").execute("SELECT version_num FROM alembic_version").fetchone()
    run("backup", folder, file)
    assert sqlite3.connect(folder / "office.db").execute("SELECT version_num FROM alembic_version").fetchone() == before
    assert file.stat().st_mode & 0o777 == 0o600
    said = run("restore", file, tmp_path / "refused", status=1)
    assert "1 letter, " in said and "the orders of 1 open turn" in " ".join(said.split()) and "--without-keys" in said
    assert not (tmp_path / "refused" / "office.db").exists()
    run("restore", file, tmp_path / "whole", "--keys", folder / "keys", "--paused")
    office = opened(tmp_path / "whole")
    (game,) = games.list_games(office, Actor.console())
    assert game.state == "paused"
    seats = games.game(office, Actor.console(), game.key).seats
    ben = people.as_person(office, next(seat.person for seat in seats if seat.power == "England") or 0)
    (letter,) = letters.letters(office, ben, game.key, "England")
    assert letter.text == "Shall we meet?"
    office.close()
    assert "1 game resumed: powick-bridge" in run("office", "-C", tmp_path / "whole", "resume-all", "restored")
    said = run("restore", file, tmp_path / "lost", "--without-keys", "--paused")
    assert "It has new keys" in said and "1 letter, " in said and "1 running game paused" in said
    assert "1425 Movement" in run("office", "-C", tmp_path / "lost", "reopen-all", "the house burnt down")
    assert "1 game resumed" in run("office", "-C", tmp_path / "lost", "resume-all", "with new keys")
    assert "keeper" not in findings(tmp_path / "lost")


@pytest.mark.long
def test_a_game_goes_on_and_verifies_after_all_keys_were_lost(tmp_path: Path) -> None:
    folder, lost, file = tmp_path / "office", tmp_path / "lost", tmp_path / "backup.tar.gz"
    clock = SimulatedClock(datetime.now(UTC) - timedelta(days=2, minutes=5))
    office = open_office(folder, Settings(settling=0), clock, SeededRandomSource("whole"))
    record, receipts = dislodged(office, clock)
    before = office.public_key
    office.close()
    run("backup", folder, file)
    run("restore", file, lost, "--without-keys", "--paused")
    assert f"{record.key}: Fall 1901 Retreats" in run("office", "-C", lost, "reopen-all", "the house burnt down")
    run("office", "-C", lost, "resume-all", "with new keys")
    said = " ".join(run("office", "-C", lost, "verify", record.key).split())
    assert "a key was lost that opens what Austria sent" in said and "FAIL" not in said
    kept, receipt = tmp_path / "game.jsonl", tmp_path / "receipt"
    kept.write_text(run("office", "-C", lost, "proof", record.key), encoding="utf-8")
    receipt.write_text(receipts[0], encoding="utf-8")
    said = " ".join(run("verify", kept, "--key", before, "--receipt", receipt, status=3).split())
    assert "counted" in said and "The key that would open it is lost" in said, said


def test_an_older_database_is_saved_before_it_is_upgraded_and_a_newer_or_damaged_one_is_told(folder: Path) -> None:
    def alter(version: str) -> None:
        with sqlite3.connect(folder / "office.db") as database:
            database.execute("UPDATE alembic_version SET version_num = ?", (version,))

    newest = sqlite3.connect(folder / "office.db").execute("SELECT version_num FROM alembic_version").fetchone()[0]
    alter("9999")
    said = run("serve", folder, "--port", free_port(), status=1)
    assert "made by a newer program" in " ".join(said.split()) and "Traceback" not in said
    assert "newer program" in findings(folder)["database"]
    alter(newest)
    (folder / "office.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 8000)
    for leftover in ("office.db-wal", "office.db-shm"):
        (folder / leftover).unlink(missing_ok=True)
    said = run("serve", folder, "--port", free_port(), status=1)
    assert "damaged" in said and "restore a backup" in " ".join(said.split())


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ('smtp = "smtps://us:markedword@relay.example:465"', False),
        ('[mail]\nimap = "imaps://us:markedword@mail.example/INBOX"', False),
        ('keeper = "https://keeper.example"\nkeeper_token = "markedword"', False),
        ('orders_address = "orders@office.example"', True),
    ],
)
def test_who_restores_an_office_is_told_that_its_passwords_are_to_be_written_again(
    folder: Path, tmp_path: Path, settings: str, kept: bool
) -> None:
    (folder / "office.toml").write_text(f"{settings}\n", encoding="utf-8")
    (folder / "office.toml").chmod(0o600)
    file, new = tmp_path / "backup.tar.gz", tmp_path / "new"
    run("backup", folder, file)
    said = " ".join(run("restore", file, new, "--keys", folder / "keys").split())
    assert ("passwords of the settings are not in a backup: write them into" in said) is not kept, said
    assert "markedword" not in (new / "office.toml").read_text(encoding="utf-8")


def test_serve_saves_an_office_before_it_upgrades_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from legation.cli.serving import open_with_backup

    open_with_backup(tmp_path, Settings()).close()
    assert not (tmp_path / "backups").exists()
    release(monkeypatch, tmp_path)
    open_with_backup(tmp_path, Settings()).close()
    (saved,) = (tmp_path / "backups").glob("before-*.tar.gz")
    open_with_backup(tmp_path, Settings()).close()
    assert list((tmp_path / "backups").glob("*.gz")) == [saved]
    assert "rows" in run("restore", saved, tmp_path / "again")


@pytest.mark.long
def test_a_web_process_that_is_killed_loses_and_doubles_no_sheet(folder: Path) -> None:
    """What was answered is there, what was not is sent again under its key, and is there once."""
    office = opened(folder)
    (game,) = games.list_games(office, Actor.console())
    seats = games.game(office, Actor.console(), game.key).seats
    anna = people.as_person(office, next(seat.person for seat in seats if seat.power == "France") or 0)
    secret = people.make_token(office, anna, "x", ("read", "play")).secret
    office.close()
    answered: dict[str, str] = {}

    def send(port: int) -> None:
        at = f"http://127.0.0.1:{port}/api/v1/games/{game.key}/seats/France/submissions"
        while True:  # until it is killed
            key = str(len(answered))
            told = {"authorization": f"Bearer {secret}", "idempotency-key": key}
            answered[key] = httpx2.post(at, json={"text": f"# {key}"}, headers=told).json()["commitment"]

    def enough(most: int) -> bool:
        return len(answered) >= most

    for most in (3, 8, 11, 20):
        port = free_port()
        words = [sys.executable, "-m", "legation", "serve", str(folder), "--port", str(port)]
        running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            assert running.stdout is not None
            assert any("The office is open" in line for line in running.stdout)
            with ThreadPoolExecutor(1) as sender:
                sending = sender.submit(send, port)
                wait_for(partial(enough, most))
                running.kill()
                assert isinstance(sending.exception(), httpx2.HTTPError)
        finally:
            running.kill()
            running.communicate()
    office = opened(folder)
    kept = [version.commitment for version in submissions.mine(office, anna, game.key, "France")]
    office.close()
    assert kept[: len(answered)] == list(answered.values()) and len(kept) <= len(answered) + 1


HANGS = """
import os, sys, threading, time, traceback
from legation.cli import listening, serving
from legation.office.operation import work
listening.ENDING = 1.0
work.run_due = lambda *_, **__: time.sleep(600)
threading.Thread(target=lambda: time.sleep(600)).start()
def fill():
    if not sys.stdin.readline():
        return
    os.set_blocking(2, False)
    try:
        while os.write(2, b"x" * 1000 + b"\\n"):
            pass
    except BlockingIOError:
        os.set_blocking(2, True)
        os.write(1, b"full\\n")
threading.Thread(target=fill, daemon=True).start()
try:
    serving.serve(__import__("pathlib").Path(sys.argv[1]), int(sys.argv[2]))
except BaseException:
    traceback.print_exc()
    os._exit(7)
"""


@pytest.mark.long
@pytest.mark.parametrize("full", [False, True], ids=["work and a thread", "whoever reads the log, too"])
def test_sigterm_ends_an_office_in_time_whatever_hangs(folder: Path, full: bool) -> None:
    """Within ten seconds, of which it waits one here, and the log names what hung, where it can be written."""
    assert listening.ENDING + listening.LAST_WORD < 10
    port = free_port()
    given = [sys.executable, "-c", HANGS, str(folder), str(port)]
    pipe = subprocess.PIPE
    running = subprocess.Popen(given, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    told(running, "The office is open")
    httpx2.get(f"http://127.0.0.1:{port}/health")
    if full:
        assert running.stdin is not None
        print(file=running.stdin, flush=True)
        told(running, "full")
    begun = time.monotonic()
    running.send_signal(signal.SIGTERM)
    running.wait(timeout=60)
    taken = time.monotonic() - begun
    _, errors = running.communicate()
    assert running.returncode == 1 and taken < 10, taken
    assert full or "ended by force" in errors


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_told_to_end_before_it_runs_ends_in_good_order(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder, number: int
) -> None:
    async def app(scope: object, receive: object, send: object) -> None:
        raise AssertionError("asked")

    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        signal.raise_signal(number)

    monkeypatch.setattr(listening, "end_within", lambda seconds: said.append("ends"))
    monkeypatch.setattr(listening, "say", say)
    monkeypatch.setattr(listening, "look_for_cycles_seldom", lambda: None)
    try:
        with socket.create_server(("127.0.0.1", 0)) as door, no_loop():
            listening.run(app, door, "It is open.", lifespan="off")
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    assert said[:2] == ["It is open.", "ends"] and not recwarn.list


def test_a_client_that_never_finishes_its_request_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async def app(scope: object, receive: object, send: Callable[..., Awaitable[None]]) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    monkeypatch.setattr(listening, "HEAD_SECONDS", 0.3)
    monkeypatch.setattr(listening, "MOST_OF_ONE", 310)
    with served(app, http=listening.BoundedProtocol, lifespan="off") as base:
        port = int(base.rpartition(":")[2])
        slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(300)]
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        assert httpx2.get(base).status_code == 204
        for connection in slow:
            connection.settimeout(30)
            assert _closed(connection)
            connection.close()
        monkeypatch.setattr(listening, "MOST_OF_ONE", 2)
        monkeypatch.setattr(listening, "HEAD_SECONDS", 60)  # the two are there still, however busy the machine is
        kept = [socket.create_connection(("127.0.0.1", port)) for _ in range(2)]
        with pytest.raises(httpx2.HTTPError):
            httpx2.get(base)
        for connection in kept:
            connection.close()


def _closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except OSError:
        return True


def test_an_office_that_plays_gives_its_keys_to_a_keeper_of_its_own(folder: Path, tmp_path: Path) -> None:
    """As docs/hosting.md says: the turn that was open meanwhile is closed and judged with its key, and the game
    verifies. The doctor names what a keeper lacks, or refuses."""
    token, keeper = "a token that nobody guesses", tmp_path / "keeper"
    keeper.mkdir(0o700)
    clock = SimulatedClock(datetime.now(UTC) + timedelta(days=2))
    with served(create_keeper(keeper, token, clock, SeededRandomSource("keeper"))) as address:

        def said(given: str = token, status: int = 1) -> str:
            around = {"LEGATION_KEEPER": address, "LEGATION_KEEPER_TOKEN": given}
            found = json.loads(run("doctor", folder, "--json", status=status, **around))
            return "; ".join(entry["text"] for entry in found if not entry["good"])

        assert "no key powick-bridge.1, powick-bridge.1425-retreats" in said() and "into its folder" in said()
        for file in [folder / "keys" / "identity", *(folder / "keys").glob("*.key")]:
            file.rename(keeper / file.name)
        assert "rejected the office's token" in said("another token that nobody guesses")
        assert said(status=0) == ""
        office = open_office(folder, Settings(settling=0, keeper=address, keeper_token=token), clock)
        work.run_due(office)
        assert games.turns(office, Actor.console(), "powick-bridge")[0].state == "final"
        assert all(check.holds for check in proofs.verify(office, Actor.console(), "powick-bridge"))
        office.close()
