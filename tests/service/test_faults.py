"""What may go wrong, and what then: a full disk, a clock that jumps, a relay that is away; nothing is lost,
half-written or done twice."""

import errno
import sqlite3
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient
from structlog.testing import capture_logs

from legation.children import ChildError, Children, end_all
from legation.cli.serving import whole_site
from legation.mail.listening import TryAgain
from legation.mail.mail_service import MailService
from legation.office.clock import SimulatedClock
from legation.office.errors import OfficeError, UnavailableError
from legation.office.game import chain
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from tests.mail.conftest import Outbox
from tests.office.playing import CONSOLE, begin, passes, refuses


def test_a_full_disk_refuses_loudly_and_keeps_nothing_half(office: Office) -> None:
    record, players, _ = begin(office, powers=1)
    (power, actor) = next(iter(players.items()))
    sent = [submissions.submit(office, actor, record.key, power, "# nothing")]

    def full(connection: sa.Connection, *_: object) -> None:
        connection.connection.cursor().execute("PRAGMA max_page_count = 1")

    sa.event.listen(office.store.engine, "begin", full)
    with pytest.raises(UnavailableError, match="disk is full") as caught:
        for _ in range(100):  # what fits into pages that are there already still goes in
            sent.append(submissions.submit(office, actor, record.key, power, "# " + "x" * 50_000))
    assert caught.value.status == 503
    sa.event.remove(office.store.engine, "begin", full)
    office.store.engine.dispose()
    kept = submissions.mine(office, actor, record.key, power)
    assert [s.commitment for s in kept] == [receipt.commitment for receipt in sent]
    assert [s.version for s in kept] == list(range(1, len(kept) + 1))
    assert submissions.read_own(office, actor, sent[-1].submission, sent[-1].reading_key).text.startswith("# ")
    again = submissions.submit(office, actor, record.key, power, "# again")
    assert again.version == len(kept) + 1


def test_a_folder_of_keys_that_takes_no_heads_undoes_nothing_and_one_that_cannot_be_read_is_waited_for(
    office: Office, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, players, _ = begin(office, powers=1)
    (power, actor) = next(iter(players.items()))

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def turn() -> None:
        submissions.submit(office, actor, record.key, power, "# nothing")
        passes(office, clock, timedelta(days=1))

    with monkeypatch.context() as patch, capture_logs() as logged:
        patch.setattr(chain, "replace_private", full)
        turn()
    assert games.turns(office, CONSOLE, record.key)[0].state == "final"
    assert "a head was not kept" in [line["event"] for line in logged]
    heads = office.keys / "heads"
    heads.rename(office.keys / "away")
    heads.write_text("a file where the folder should be")
    with pytest.raises(UnavailableError):
        submissions.submit(office, actor, record.key, power, "# nothing")
    heads.unlink()
    turn()
    assert games.turns(office, CONSOLE, record.key)[1].state == "final" and list(heads.iterdir())


def test_a_clock_that_jumps_back_does_nothing_again_and_one_that_jumps_ahead_does_all_in_order(
    office: Office, clock: SimulatedClock
) -> None:
    record, _, _ = begin(office, powers=1)
    passes(office, clock, timedelta(days=1))
    before = [t.state for t in games.turns(office, CONSOLE, record.key)]
    clock.set(clock.now() - timedelta(hours=5))
    assert work.run_due(office) == 0
    assert [t.state for t in games.turns(office, CONSOLE, record.key)] == before
    passes(office, clock, timedelta(days=30))
    turns = games.turns(office, CONSOLE, record.key)
    assert [t.number for t in turns] == list(range(1, len(turns) + 1))
    assert turns[-1].deadline is not None and turns[-1].deadline > clock.now()  # nobody is late before having seen it


def test_a_database_that_another_holds_locked_answers_503_and_goes_on(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, players, _ = begin(office, powers=1)
    (power, actor) = next(iter(players.items()))

    def soon(connection: sa.Connection, *_: object) -> None:
        connection.connection.cursor().execute("PRAGMA busy_timeout = 50")

    sa.event.listen(office.store.engine, "engine_connect", soon)
    with sqlite3.connect(str(office.store.engine.url.database), isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(OfficeError) as caught:
            submissions.submit(office, actor, record.key, power, "# nothing")
        assert caught.value.status == 503
        assert games.game(office, actor, record.key).state == "running", "it is read all the same"
        other.execute("ROLLBACK")
    assert submissions.submit(office, actor, record.key, power, "# nothing").version == 1


def test_while_a_database_only_reads_commands_and_mail_are_put_off_and_all_goes_on_by_itself(
    office: Office, clock: SimulatedClock
) -> None:
    """As on SQLite whose disk was mounted anew, or on PostgreSQL after a failover."""
    record, players, _ = begin(office, powers=1)
    (power, actor) = next(iter(players.items()))
    site = TestClient(whole_site(office), raise_server_exceptions=False)
    secret = people.make_token(office, actor, "x", ("read", "play")).secret
    seat, told = f"/api/v1/games/{record.key}/seats/{power}/submissions", {"authorization": f"Bearer {secret}"}
    counter = MailService(office, Outbox())
    mail = f"From: eve@example.org\nTo: {office.settings.orders_address}\nMessage-ID: <1@x>\n\nA par H".encode()

    def only_reads(connection: sa.Connection, *_: object) -> None:
        connection.connection.cursor().execute("PRAGMA query_only = ON")

    sa.event.listen(office.store.engine, "begin", only_reads)
    refused = site.post(seat, json={"text": "# nothing"}, headers=told)
    assert refused.status_code == 503 and int(refused.headers["retry-after"])
    assert site.get(f"/games/{record.key}").status_code == 200, "pages are read all the same"
    refuses(TryAgain, counter.receive, mail, ())
    clock.advance(timedelta(days=1))
    refuses(UnavailableError, work.run_due, office)
    sa.event.remove(office.store.engine, "begin", only_reads)
    office.store.engine.dispose()
    counter.receive(mail, ())
    work.run_due(office)
    turn = games.game(office, actor, record.key).turn
    assert turn is not None and turn.number == 2
    assert site.post(seat, json={"text": "# nothing"}, headers=told).status_code == 201


def test_a_database_that_is_damaged_while_it_is_open_answers_503(office: Office) -> None:
    record, _, _ = begin(office, powers=1)
    path = Path(str(office.store.engine.url.database))
    with office.store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    office.store.engine.dispose()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(OfficeError) as caught:
        games.game(office, CONSOLE, record.key)
    assert caught.value.status == 503 and "restore a backup" in caught.value.message
    office.store.engine.dispose()
    path.write_bytes(whole)
    assert games.game(office, CONSOLE, record.key).state == "running"


def test_without_a_child_a_page_that_needs_one_answers_503_and_others_are_served(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object, **__: object) -> object:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    site = TestClient(whole_site(office), raise_server_exceptions=False, headers={"origin": "http://testserver"})
    end_all()  # those that an earlier test has begun
    with monkeypatch.context() as patched:
        patched.setattr(subprocess, "Popen", none)
        assert site.post("/designer", data={"text": "title = 1"}).status_code == 503
        assert site.get("/games").status_code == 200
    assert site.post("/designer", data={"text": "title = 1"}).status_code in (200, 422)


def test_without_descriptors_a_child_is_refused_and_the_next_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Children(most=1, seconds=5, megabytes=300)
    real = subprocess.Popen

    def none(*_: object, **__: object) -> object:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(subprocess, "Popen", none)
    with pytest.raises(ChildError, match="Too many open files") as caught:
        pool.call(float, "math:sqrt", 4.0)
    assert caught.value.reason == "away"
    monkeypatch.setattr(subprocess, "Popen", real)
    assert pool.call(float, "math:sqrt", 4.0) == 2.0
    pool.end()
