"""How often the database is asked, and how much is done together."""

import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from legation.office.clock import SimulatedClock
from legation.office.context import Actor, CommandContext, by_clock
from legation.office.desk import mailings
from legation.office.errors import UnavailableError
from legation.office.game import seats
from legation.office.hosting import games, proofs
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from legation.office.operation.work import Kind
from legation.office.records import Proof
from legation.office.store.rows import GameRow, LineRow, PersonRow, TurnRow, WorkRow
from legation.web.app import create_app
from tests.office.playing import CONSOLE, VISITOR, alter, begin, deadline_of, gather, passes, send_all, stored, the


@pytest.fixture
def asked(office: Office) -> Iterator[list[str]]:
    """The statements that the database is given."""
    told: list[str] = []

    def note(_c: object, _k: object, statement: str, *_: object) -> None:
        told.append(statement)

    sa.event.listen(office.store.engine, "before_cursor_execute", note)
    yield told
    sa.event.remove(office.store.engine, "before_cursor_execute", note)


def selects(asked: list[str]) -> int:
    """How many questions there were."""
    return sum(statement.lstrip().startswith("SELECT") for statement in asked)


def test_the_same_is_asked_once_where_nothing_is_written(office: Office, asked: list[str]) -> None:
    people.register(office, CONSOLE, "Old", "old@example.org")
    asked.clear()
    with office.store.transaction(write=False) as tx:
        first, second = tx.all(PersonRow, name=["Old"]), tx.all(PersonRow, name=["Old"])
        first.clear()  # a caller's list is its own
        assert second == tx.all(PersonRow, name=["Old"]) == [tx.get(PersonRow, 1)]
        assert tx.count(PersonRow, confirmed=True) == tx.count(PersonRow, confirmed=True) == 1
    assert selects(asked) == 3
    with office.store.transaction() as tx:
        assert tx.get(PersonRow, 1).name == "Old"
        alter(office, PersonRow, {"name": "New"}, id=1)
        assert tx.get(PersonRow, 1).name == "New"


def test_questions_within_reading_are_one_transaction(office: Office, asked: list[str]) -> None:
    people.register(office, CONSOLE, "Old", "old@example.org")
    asked.clear()
    with office.store.reading():
        for _ in range(3):
            assert the(office, PersonRow, 1).name == "Old"
        other = threading.Thread(target=lambda: alter(office, PersonRow, {"name": "By another"}, id=1))
        other.start()
        other.join()
        assert the(office, PersonRow, 1).name == "Old"  # one state for all
        assert stored(office, PersonRow, name="By another") == []
        alter(office, PersonRow, {"name": "New"}, id=1)  # in between: what follows sees it
        assert the(office, PersonRow, 1).name == "New"
    assert asked.count("BEGIN") == 2
    assert the(office, PersonRow, 1).name == "New"


def test_reading_gives_its_connection_back_and_tells_of_a_database_that_is_away(office: Office) -> None:
    with pytest.raises(UnavailableError), office.store.reading(), office.store.transaction(write=False) as tx:
        tx.ask(sa.text("SELECT * FROM nothing_of_this_name"))
    with pytest.raises(ValueError), office.store.reading(), office.store.transaction(write=False) as tx:
        tx.count(PersonRow)
        raise ValueError
    pool = office.store.engine.pool
    assert isinstance(pool, sa.QueuePool) and pool.checkedout() == 0


def test_of_turns_that_are_closed_together_one_that_fails_harms_no_other(
    office: Office, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step of several turns is one transaction. Where it fails for one, all is undone, and each is tried alone."""
    records = [begin(office, "hundred", name=f"Game {number}", folk=f"of{number}")[0] for number in range(3)]
    kinds = work._kinds()
    assert records[0].turn is not None
    clock.set(records[0].turn.deadline)
    close, begun = kinds["close turn"], []

    def fails(act: CommandContext, facts: dict[str, Any], passed: bool) -> None:
        begun.append(facts["turn"])
        assert close.do is not None
        close.do(act, facts, passed)
        if facts["turn"] == 2:
            raise ZeroDivisionError

    monkeypatch.setattr(work, "_kinds", lambda: {**kinds, "close turn": Kind(fails, close.prepare)})
    monkeypatch.setattr(work, "LONGEST", 600.0)  # seconds: a busy machine parts nothing
    work.run_due(office)
    assert begun == [1, 2, 1, 2, 3]
    assert [row.state for row in stored(office, TurnRow, number=1)] == ["final", "open", "final"]
    assert [row.game for row in stored(office, LineRow, kind="closed")] == [1, 3]
    assert the(office, WorkRow, kind="close turn", state="waiting", game=2).attempts == 1
    monkeypatch.setattr(work, "_kinds", lambda: kinds)
    passes(office, clock, timedelta(minutes=1))
    assert {row.state for row in stored(office, TurnRow, number=1)} == {"final"}
    for record in records:
        row = the(office, GameRow, key=record.key)
        assert [line.n for line in stored(office, LineRow, game=row.id, order="n")] == [*range(1, row.lines + 1)]


def test_what_is_due_by_work_is_a_part_of_it(
    office: Office, clock: SimulatedClock, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A turn whose seals are opened is judged and published with it; a part that fails is undone alone, and waits."""
    record, _, _ = begin(office, "hundred")
    kinds = work._kinds()
    clock.set(deadline_of(record))

    def fails(act: CommandContext, facts: dict[str, Any], _: object) -> None:
        act.tx.change(act.tx.get(TurnRow, facts["turn"]), state="judged")
        raise ZeroDivisionError

    monkeypatch.setattr(work, "_kinds", lambda: {**kinds, "judge": Kind(fails)})
    work.run_due(office)
    waiting = the(office, WorkRow, kind="judge")
    assert the(office, TurnRow, waiting.game).state == "opened"
    assert (waiting.state, waiting.attempts) == ("waiting", 1)
    assert "ZeroDivisionError" in waiting.error
    monkeypatch.setattr(work, "_kinds", lambda: kinds)
    passes(office, clock, timedelta(minutes=1))
    second = games.turns(office, CONSOLE, record.key)[1]
    clock.set(second.deadline)
    asked.clear()
    assert work.run_due(office) == 5  # closed, witnessed, opened, judged, published
    assert asked.count("BEGIN IMMEDIATE") == 3
    assert games.turns(office, CONSOLE, record.key)[1].state == "final"


@pytest.fixture
def site(office: Office) -> TestClient:
    """A browser; nothing is drawn for it beforehand, so that its pages alone ask the database."""
    return TestClient(create_app(office))


def questions(asked: list[str], site: TestClient, address: str) -> int:
    """How many questions a page asks when it is shown again."""
    for _ in range(2):
        asked.clear()
        assert site.get(address).status_code == 200
    return selects(asked)


def test_a_page_asks_for_many_games_at_once(
    office: Office, clock: SimulatedClock, asked: list[str], site: TestClient
) -> None:
    record, players, _ = begin(office, name="Valmy")
    secret = people.start_session(office, Actor.clock(), players["France"].person or 0, "asks", 1).secret
    site.cookies.set("session", secret)
    pages = {"/games": 18, "/": 15, f"/games/{record.key}": 23}  # each own game once took six more
    for name in ("Jena", "Ulm", "Eylau"):
        key = gather(office, CONSOLE, name).key
        for power, actor in players.items():
            seats.sign_up(office, actor, key, [power])
    gather(office, CONSOLE, "Lodi")
    work.run_due(office)
    games.pause(office, CONSOLE, "ulm", "a strike")
    told = site.get("/games").text
    assert told.count("orders are due") == 3 and "paused: a strike" in told
    many = {page: questions(asked, site, page) for page in pages}
    assert all(many[page] <= most for page, most in pages.items()), many


def test_the_proofs_of_many_turns_are_asked_for_at_once_and_checked_once(
    office: Office, clock: SimulatedClock, asked: list[str], site: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, players, _ = begin(office)
    secret = people.start_session(office, Actor.clock(), players["France"].person or 0, "asks", 1).secret
    site.cookies.set("session", secret)
    told: list[int] = []
    for turn in range(3):
        send_all(office, record, players, turn)
        passes(office, clock, timedelta(days=1))
        told.append(questions(asked, site, f"/games/{record.key}/proofs"))
    assert max(told) <= 26, told
    checked: list[object] = []

    def check(*given: object) -> Iterator[Proof]:
        checked.append(given)
        return iter(())

    monkeypatch.setattr(proofs, "_checked", check)
    assert site.get(f"/games/{record.key}/proofs").status_code == 200 and not checked
    line = stored(office, LineRow, kind="results")[0]
    alter(office, LineRow, {"content": line.content + b" "}, id=line.id)
    assert site.get(f"/games/{record.key}/proofs").status_code == 200 and len(checked) == 1


def test_results_wait_while_turns_are_due(office: Office, clock: SimulatedClock) -> None:
    """Mails that somebody waits for go first; results let turns be published, though never for long."""
    record, _, _ = begin(office, "hundred")
    passes(office, clock, deadline_of(record))
    people.ask_link(office, VISITOR, "coordinator@example.org")
    with by_clock(office) as act:
        late = act.tx.add(WorkRow(kind="judge", name="of another", due=act.at, game=1))
    told = mailings.claim(office)
    assert told
    assert "results" not in {mailing.kind for mailing in told}
    clock.advance(timedelta(seconds=mailings.GIVE_WAY + 1))
    assert {mailing.kind for mailing in mailings.claim(office)} == {"results"}
    alter(office, WorkRow, {"state": "done"}, id=late.id)
    for mailing in told:
        mailings.give_back(office, mailing)
    clock.advance(timedelta(seconds=mailings.LEASE_SECONDS))
    kinds = [mailing.kind for mailing in mailings.claim(office)]
    assert kinds[-3:] == ["results"] * 3
    assert "results" not in kinds[:-3]


def test_what_one_sender_gives_back_the_next_one_sends_at_once(office: Office) -> None:
    people.register(office, CONSOLE, "Ann", "ann@example.org")
    people.ask_link(office, VISITOR, "ann@example.org")
    (claimed,) = mailings.claim(office)
    assert not mailings.claim(office), "it is somebody's own for a while"
    mailings.give_back(office, claimed)
    (again,) = mailings.claim(office)
    assert again.id == claimed.id and again.lease != claimed.lease
    mailings.give_back(office, claimed)  # which isn't its own any more
    assert not mailings.claim(office)
