"""A large office: ``python -m bench.company`` fills a database with 50,000 people and 500,000 rated games (made up) and
prints how long ratings take to be computed anew, and the pages of a profile and the leaderboard, lists of the archive
and a search of 200,000 public letters to be read.

``--database URL`` measures an empty database of PostgreSQL instead of one of SQLite; ``--games`` and ``--people`` make
a smaller office. Times are the processor's of this process and, behind a slash, the clock's.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import sqlalchemy as sa
from msgspec.structs import asdict
from starlette.testclient import TestClient

from legation.cli.serving import whole_site
from legation.office.clock import SeededRandomSource, SimulatedClock, micros
from legation.office.context import Actor
from legation.office.game import seats
from legation.office.hosting import games, player_ratings, press
from legation.office.identity import people
from legation.office.office import Office, open_office
from legation.office.operation import work
from legation.office.settings import Settings
from legation.office.store.packing import pack
from legation.office.store.rows import TABLES, GameRow, HoldingRow, LetterRow, PersonRow, PressRow, Row, SeatRow

START = datetime(2026, 1, 1, tzinfo=UTC)
FIRST = 10_000  # id of the first row that is made up
AT_ONCE = 5000
SECOND = 1_000_000
VISITOR, CONSOLE = Actor.visitor(), Actor.console()


def template(office: Office) -> tuple[GameRow, list[SeatRow]]:
    """A game of the office's own making, for the others to be like."""
    host = _person(office, "Host")
    made = games.create(office, host, {"name": "First", "variant": "standard", "settings": {"rated": True}})
    for number, seat in enumerate(made.seats):
        seats.sign_up(office, _person(office, f"First{number}"), made.key, [seat.power])
    work.run_due(office)
    with office.store.transaction() as tx:
        game = tx.find(GameRow, key=made.key)
        assert game is not None
        return game, tx.all(SeatRow, game=game.id)


def _person(office: Office, name: str) -> Actor:
    return Actor("person", people.register(office, CONSOLE, name, f"{name.lower()}@example.org").id, name)


def fill(office: Office, count: int, folk: int) -> None:
    """Write the people and games."""
    game, powers = template(office)
    with office.store.transaction() as tx:
        put(tx.connection, PersonRow, persons(folk))
        rows: dict[type[Row], list[dict[str, Any]]] = {GameRow: [], SeatRow: [], HoldingRow: []}
        for number, made in enumerate(played(game, powers, count, folk)):
            for kind, values in made:
                rows[kind].append(values)
            if number % AT_ONCE == AT_ONCE - 1 or number == count - 1:
                for kind, listed in rows.items():
                    put(tx.connection, kind, listed)
                    listed.clear()
    with office.store.engine.connect() as connection:
        connection.exec_driver_sql("ANALYZE")
        connection.commit()


def persons(folk: int) -> list[dict[str, Any]]:
    """Rows of people who show their profiles and ratings."""
    shown = pack({"profile": True, "ranked": True})
    like = PersonRow(name="", email="", since=1, confirmed=True, preferences=shown)
    return [asdict(like) | {"id": FIRST + n, "name": f"Person {n}", "email": f"p{n}@example.org"} for n in range(folk)]


def played(
    game: GameRow, powers: list[SeatRow], count: int, folk: int
) -> Iterator[list[tuple[type[Row], dict[str, Any]]]]:
    """Games that have ended, one each second, with their seats and holders."""
    rnd, now, seat = Random(1), micros(START), FIRST
    like, of_power = asdict(game), [asdict(power) for power in powers]
    for number in range(count):
        winners = rnd.sample([power.power for power in powers], rnd.choice([1, 2, 3]))
        kind = "solo" if len(winners) == 1 else "draw"
        ended = now - 100 * 86_400 * SECOND + number * SECOND
        about = {"id": FIRST + number, "key": f"g{number}", "name": f"Game {number}", "ref": f"r{number}"}
        how = pack({"kind": kind, "powers": winners, "reason": "made up"})
        about |= {
            "state": "ended",
            "started": ended - 100,
            "ended": ended,
            "ending": how,
            "turn": rnd.randint(5, 60),
            "how": kind,
        }
        made: list[tuple[type[Row], dict[str, Any]]] = [(GameRow, like | about)]
        for power, who in zip(of_power, rnd.sample(range(folk), len(powers)), strict=True):
            seat += 1
            held = {"id": seat, "game": FIRST + number, "person": FIRST + who, "centers": rnd.randint(0, 9)}
            made.append((SeatRow, power | held))
            made.append((HoldingRow, asdict(HoldingRow(id=seat, seat=seat, person=FIRST + who, bot="", since=1))))
        yield made


def fill_press(office: Office, count: int) -> None:
    """Write public letters of a hundred words out of a thousand."""
    rnd = Random(2)
    with office.store.transaction() as tx:
        made, found = [], []
        for number in range(FIRST, FIRST + count):
            text = "peace " + " ".join(f"word{rnd.randrange(1000)}" for _ in range(100))
            game = FIRST + number % 500
            letter = LetterRow(
                id=number, game=game, turn=None, sender=FIRST + 1, at=1, anonymous=True, public=True, locked=b""
            )
            made.append(asdict(letter))
            found.append(asdict(PressRow(id=number, letter=number, game=game, text=text)))
        put(tx.connection, LetterRow, made)
        put(tx.connection, PressRow, found)


def put(connection: sa.Connection, kind: type[Row], rows: list[dict[str, Any]]) -> None:
    """Write rows of a kind."""
    for first in range(0, len(rows), AT_ONCE):
        connection.execute(sa.insert(TABLES[kind]), rows[first : first + AT_ONCE])


def timed(what: str, do: Callable[[], object], times: int = 10) -> None:
    """Print how long something takes, on average."""
    if times > 1:
        do()
    processor, clock = time.process_time(), time.perf_counter()
    for _ in range(times):
        do()
    processor, clock = time.process_time() - processor, time.perf_counter() - clock
    unit, scale = ("ms", 1000) if times > 1 else ("s", 1)
    print(f"{what}: {processor * scale / times:.1f} / {clock * scale / times:.1f} {unit}", flush=True)


def main() -> None:
    """Fill an office and measure it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=500_000)
    parser.add_argument("--people", type=int, default=50_000)
    parser.add_argument("--letters", type=int, default=200_000)
    parser.add_argument("--database", default="", metavar="URL")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="company-") as place:
        settings = Settings(database=given.database, settling=0)
        office = open_office(Path(place), settings, SimulatedClock(START), SeededRandomSource("company"))
        timed("filling", lambda: fill(office, given.games, given.people), 1)
        timed("ratings computed anew", lambda: player_ratings.recompute(office, CONSOLE), 1)
        shown = office.numbers.shown("person", FIRST + 5)
        browser = TestClient(whole_site(office))
        timed("profile", lambda: browser.get(f"/people/{shown}").raise_for_status())
        timed("leaderboard", lambda: browser.get("/leaderboard").raise_for_status())
        fill_press(office, given.letters)
        timed("public press, rare words", lambda: press.search(office, VISITOR, "word123 word456"))
        timed("public press, a word of most letters", lambda: press.search(office, VISITOR, "peace"))
        timed("archive", lambda: games.list_games(office, VISITOR, "ended"))
        timed("archive, of a player", lambda: games.list_games(office, VISITOR, "ended", player="Person 7"))
        timed("archive, long draws", lambda: games.list_games(office, VISITOR, "ended", how="draw", turns_from=59))
        office.close()


if __name__ == "__main__":
    main()
