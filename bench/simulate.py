"""What so many players ask of an office, reckoned from what is measured here: ``python -m bench.office --simulate
100000``.

A day is played by chance: when people look at their games, send sheets, and when turns fall due. Costs of the parts
(seconds of processor time, bytes) are measured on this machine first, by the office's own commands; what is printed is
the load of the busiest minute and the machines that carry it. It is a reckoning, not a measurement of such an office.
"""

import logging
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from random import Random

import msgspec
import structlog
from fastapi.testclient import TestClient

from legation.mail import results
from legation.mail.mail_service import MailService
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.game import seats
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office, open_office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.settings import Settings
from legation.office.store.rows import GameRow, LineRow, MailingRow, SubmissionRow, TurnRow
from legation.web import WebSettings, create_app

GAMES_EACH = 10
SEATS = 7
LOOKS = 3.0  # pages of each game that a player looks at in a day
SHEETS = 1.5  # that a player sends for each turn
BY_MAIL = 0.2  # of the sheets
EVENING = (0.6, 19.0, 2.5)  # the share of a day's doings around an hour, and its spread in hours
BUSY = 0.6  # of a core that is used on purpose
SHEET = "A par - orl\nA dau - can\nA tou S A dau - can\nA orl H"


class Costs(msgspec.Struct, frozen=True):
    """Processor time in seconds, and bytes, of one of each."""

    page: float
    sheet: float
    turn: float
    drawing: float
    mail: float
    mail_bytes: int
    turn_bytes: int


class Sink:
    """Takes every mail, and counts its bytes."""

    taken = 0
    count = 0

    def send(self, message: EmailMessage, sender: str, recipient: str) -> None:
        """Write the mail as it would leave."""
        self.taken += len(message.as_bytes(policy=SMTP))
        self.count += 1

    def close(self) -> None:
        """Nothing is open."""


def processor(times: int, do: Callable[[int], object]) -> float:
    """The processor time of one of so many calls."""
    begun = time.process_time()
    for number in range(times):
        do(number)
    return (time.process_time() - begun) / times


def measure(count: int = 20) -> Costs:
    """Measure the parts on a small office."""
    with tempfile.TemporaryDirectory() as place:
        clock = SimulatedClock(datetime.now(UTC) - timedelta(days=2))
        office = open_office(Path(place), Settings(settling=0, most_games=10**6), clock, SeededRandomSource(1))
        folk = [
            people.register(office, Actor.console(), name, f"{name}@example.org") for name in ("Anna", "Ben", "Cleo")
        ]
        actors = [people.as_person(office, person.id) for person in folk]
        keys = []
        for number in range(count):
            plan = {"name": f"Game {number}", "variant": "hundred", "settings": {"ready_ends": False}}
            keys.append(games.create(office, Actor.console(), plan).key)
            for actor, power in zip(actors, ("France", "England", "Burgundy"), strict=True):
                seats.sign_up(office, actor, keys[-1], [power])
        work.run_due(office)
        powers = [games.game(office, actors[0], key).powers[0] for key in keys]
        page = _page(office, folk[0].id, keys)
        sheet = processor(count, lambda n: submissions.submit(office, actors[0], keys[n], powers[n], SHEET))
        with office.store.transaction() as tx:
            tx.change_where(MailingRow, {"state": "sent"})
        clock.advance(timedelta(days=1))
        turn = processor(1, lambda _: work.run_due(office)) / count
        sink = Sink()
        counter = MailService(office, sink)
        begun = time.perf_counter()
        mail = processor(1, lambda _: _send(counter)) / max(1, sink.count)
        drawing = max(0.0, (time.perf_counter() - begun) / count - mail * sink.count / count)
        with office.store.transaction(write=False) as tx:
            kinds = (GameRow, TurnRow, SubmissionRow, LineRow)
            kept = sum(len(msgspec.msgpack.encode(row)) for kind in kinds for row in tx.all(kind))
        office.close()
        results._drawn.cache_clear()
        return Costs(page, sheet, turn, drawing, mail, sink.taken // max(1, sink.count), kept // count)


def _page(office: Office, person: int, keys: list[str]) -> float:
    """What a player's page of a game costs, with what asks for it here."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))  # no line a page
    secret = people.start_session(office, Actor.clock(), person, "bench", 1).secret
    site = TestClient(create_app(office, WebSettings(bounded=False)), headers={"cookie": f"session={secret}"})

    def look(number: int) -> None:
        assert site.get(f"/games/{keys[number % len(keys)]}").status_code == 200

    processor(len(keys), look)  # maps and templates are prepared
    return processor(2 * len(keys), look)


def _send(counter: MailService) -> None:
    while counter.send_waiting():
        pass


def busiest(count: int, random: Random) -> int:
    """How many of so many doings of a day fall into its busiest minute."""
    share, hour, spread = EVENING
    sample = min(count, 200_000)
    minutes = [0] * 1440
    for _ in range(sample):
        at = random.gauss(hour, spread) % 24 if random.random() < share else random.random() * 24
        minutes[int(at * 60) % 1440] += 1
    return round(max(minutes) * count / sample)


def simulate(players: int) -> None:
    """Print what so many players with ten games each ask of each part in the busiest minute, and the cores for it."""
    costs, random = measure(), Random(players)
    running = players * GAMES_EACH // SEATS
    looks = busiest(round(players * GAMES_EACH * LOOKS), random)
    sheets = busiest(round(players * GAMES_EACH * SHEETS), random)
    due = busiest(running, random)
    mails = due * SEATS + round(sheets * BY_MAIL)
    web = (looks * costs.page + sheets * (1 - BY_MAIL) * 4 * costs.sheet) / 60
    working = (due * (costs.turn + costs.drawing) + mails * costs.mail + sheets * BY_MAIL * 4 * costs.sheet) / 60
    writes = (sheets * 2 + due * 8 + mails * 2) / 60
    print(f"{players:,} players with {GAMES_EACH} games each: {running:,} running games, a turn a day")
    parts = (("page", costs.page), ("sheet", costs.sheet), ("turn", costs.turn), ("drawing", costs.drawing))
    told = ", ".join(f"{name} {seconds * 1000:.1f}" for name, seconds in (*parts, ("mail", costs.mail)))
    print(f"measured here, in ms (drawing as it passes): {told}; a mail {costs.mail_bytes // 1000} kB")
    print(f"the busiest minute: {looks:,} pages, {sheets:,} sheets, {due:,} turns due, {mails:,} mails")
    print(f"web: {web:.1f} cores' work, {round(web / BUSY + 0.5)} cores")
    print(f"workers: {working:.1f} cores' work, {round(working / BUSY + 0.5)} cores")
    print(f"database: {writes:,.0f} transactions that write and {looks / 60:,.0f} that read a second")
    print(f"relay: {mails / 60:,.0f} mails and {mails * costs.mail_bytes / 60e6:,.1f} MB a second")
    print(f"kept: {running * costs.turn_bytes * 365 / 1e9:,.0f} GB a year in the database")
