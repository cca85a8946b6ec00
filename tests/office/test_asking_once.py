"""What a transaction has read it does not ask for again, and what has changed since it never gives."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from legation.office.clock import SimulatedClock, micros
from legation.office.context import Actor, CommandContext
from legation.office.desk import mailings
from legation.office.errors import UnavailableError
from legation.office.game import seats
from legation.office.hosting import games, proofs
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from legation.office.operation.work import Kind
from legation.office.records import Proof
from legation.office.store.rows import TABLES, GameRow, LineRow, PersonRow, TurnRow, WorkRow
from legation.office.store.transaction import RowCache, Transaction
from legation.web.app import create_app
from tests.office.playing import CONSOLE, VISITOR, begin, gather, passes, refuses, send_all


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


CHANGES: dict[str, Callable[[Transaction, PersonRow], object]] = {
    "a row": lambda tx, row: tx.change(row, name="New"),
    "rows": lambda tx, row: tx.change_where(PersonRow, {"name": "New"}, id=row.id),
    "by a statement": lambda tx, row: tx.connection.execute(sa.update(TABLES[PersonRow]).values(name="New")),
}


@pytest.mark.parametrize("way", CHANGES)
def test_what_is_changed_is_read_as_it_is_now(office: Office, way: str) -> None:
    people.register(office, CONSOLE, "Old", "old@example.org")
    with office.store.transaction() as tx:
        row = tx.get(PersonRow, 1)
        assert tx.find(PersonRow, email="old@example.org") == row
        CHANGES[way](tx, row)
        assert tx.get(PersonRow, 1).name == "New"
        assert [found.name for found in tx.all(PersonRow)] == ["New"]
        tx.add(PersonRow(name="Another", email="b@example.org", since=0))
        assert tx.count(PersonRow) == len(tx.all(PersonRow)) == 2
        tx.remove(PersonRow, id=2)
        assert tx.count(PersonRow) == len(tx.all(PersonRow)) == 1


def test_a_value_that_the_database_refuses_is_not_known(office: Office) -> None:
    if not office.store.sqlite:
        pytest.skip("PostgreSQL does nothing more in such a transaction")
    for name in ("Ann", "Bob"):
        people.register(office, CONSOLE, name, f"{name}@example.org")
    with office.store.transaction() as tx:
        bob = tx.get(PersonRow, 2)
        refuses(sa.exc.IntegrityError, tx.change, bob, email="ann@example.org")
        assert tx.get(PersonRow, 2) == bob and tx.find(PersonRow, email="ann@example.org") == tx.get(PersonRow, 1)


def test_only_what_depends_on_a_change_is_asked_again(office: Office, asked: list[str]) -> None:
    """Every question by, or in the order of, a column that was written; all others know the row as it is now."""
    for name in ("Ann", "Bob"):
        people.register(office, CONSOLE, name, f"{name}@example.org")

    def questions(tx: Transaction) -> list[object]:
        return [
            [row.name for row in tx.all(PersonRow, order="-name")],
            [row.name for row in tx.all(PersonRow, confirmed=True)],
            [row.name for row in tx.all(PersonRow, name=["Ann", "Zoe"])],
            tx.count(PersonRow, name="Ann"),
            tx.find(PersonRow, email="ann@example.org"),
            tx.count(PersonRow, confirmed=True),
        ]

    with office.store.transaction() as tx:
        questions(tx)
        tx.change(tx.get(PersonRow, 1), name="Zoe")
        asked.clear()
        after = questions(tx)
        assert selects(asked) == 3, "what is ordered by the name, found by it, counted by it"
        tx.cache.forget()
        assert after == questions(tx)
        assert after[:2] == [["Zoe", "Bob"], ["Zoe", "Bob"]]


def test_a_part_that_is_undone_leaves_nothing_known(office: Office) -> None:
    people.register(office, CONSOLE, "Old", "old@example.org")
    with office.store.transaction() as tx:
        row = tx.get(PersonRow, 1)
        with pytest.raises(ZeroDivisionError), office.store.transaction() as part:
            part.change(row, name="New")
            assert part.get(PersonRow, 1).name == "New"
            raise ZeroDivisionError
        assert tx.get(PersonRow, 1).name == "Old"


@pytest.mark.parametrize("before", [True, False], ids=["asked before", "not asked before"])
def test_a_change_that_is_not_written_yet_moves_a_row_in_its_answers(office: Office, before: bool) -> None:
    for name in ("Anna", "Ben"):
        people.register(office, CONSOLE, name, f"{name.casefold()}@example.org")
    with office.store.transaction() as tx:
        anna = tx.get(PersonRow, 1)

        def told() -> list[list[str]]:
            in_order, plain = tx.all(PersonRow, order="name"), tx.all(PersonRow, administrator=False)
            return [[row.name for row in in_order], [row.name for row in plain]]

        if before:
            assert told() == [["Anna", "Ben"], ["Anna", "Ben"]]
        tx.change(anna, name="Zoe")
        assert [row.name for row in tx.all(PersonRow, order="name")] == ["Ben", "Zoe"]
        tx.change(anna, administrator=True)
        assert told() == [["Ben", "Zoe"], ["Ben"]]
        tx.change(anna, administrator=False)
        assert tx.count(PersonRow, administrator=False) == 2


def test_what_is_not_written_yet_is_read_all_the_same(office: Office, asked: list[str]) -> None:
    """What was changed or entered is in every answer to which it belongs, and in no other; also after a part that was
    undone."""
    for name in ("Anna", "Ben"):
        people.register(office, CONSOLE, name, f"{name.casefold()}@example.org")
    with office.store.transaction() as tx:
        assert [row.name for row in tx.all(PersonRow, administrator=False, order="-name")] == ["Ben", "Anna"]
        anna, asked[:] = tx.get(PersonRow, 1), []
        tx.change(tx.change(anna, name="Cleo"), administrator=True)
        tx.enter(PersonRow(name="Dora", email=None, since=5))
        assert not asked
        assert [row.name for row in tx.all(PersonRow, email=["anna@example.org", "ben@example.org"])] == ["Cleo", "Ben"]
        assert selects(asked) == len(asked) == 1  # which says nothing of what is to be written
        with pytest.raises(ZeroDivisionError), office.store.transaction() as part:
            part.change(part.get(PersonRow, 2), name="Emil")
            assert [row.name for row in part.all(PersonRow, order="name")] == ["Cleo", "Dora", "Emil"]
            raise ZeroDivisionError
        assert [row.name for row in tx.all(PersonRow, confirmed=[True, False], order="-name")] == [
            "Dora",
            "Cleo",
            "Ben",
        ]
        assert tx.count(PersonRow, administrator=True) == tx.count(PersonRow, since=5) == 1
        tx.change(anna, email="c@example.org")  # by which she is the only one: written at once
        tx.change(anna, administrator=False)
        names = tx.ask(sa.select(TABLES[PersonRow].c.name).where(sa.not_(TABLES[PersonRow].c.administrator)))
        assert sorted(names.scalars()) == ["Ben", "Cleo", "Dora"]
    with office.store.transaction(write=False) as tx:
        assert [(row.name, row.email) for row in tx.all(PersonRow)][::2] == [("Cleo", "c@example.org"), ("Dora", None)]


def test_the_same_is_asked_once_unless_others_write_meanwhile(office: Office, asked: list[str]) -> None:
    with office.store.transaction(write=False) as tx:
        first, second = tx.all(PersonRow, confirmed=True), tx.all(PersonRow, confirmed=True)
        first.append(PersonRow(name="x", email=None, since=0))  # a caller's list is its own
        assert second == tx.all(PersonRow, confirmed=True) == []
        assert tx.count(PersonRow, confirmed=True) == tx.count(PersonRow, confirmed=True) == 0
    assert selects(asked) == 2
    known = RowCache(lasts=False)  # as on PostgreSQL
    known.keep(PersonRow, "question", [])
    assert known.find(PersonRow, "question") is None


def test_questions_within_reading_are_one_transaction(office: Office, asked: list[str]) -> None:
    people.register(office, CONSOLE, "Old", "old@example.org")
    asked.clear()
    with office.store.reading():
        for _ in range(3):
            with office.store.transaction(write=False) as tx:
                assert tx.get(PersonRow, 1).name == "Old"
        other = threading.Thread(target=lambda: rename(office, "By another"))
        other.start()
        other.join()
        with office.store.transaction(write=False) as tx:
            assert tx.get(PersonRow, 1).name == "Old"  # one state for all
            assert tx.find(PersonRow, name="By another") is None
        rename(office, "New")  # in between: what follows sees it
        with office.store.transaction(write=False) as tx:
            assert tx.get(PersonRow, 1).name == "New"
    assert asked.count("BEGIN") == 2
    with office.store.transaction(write=False) as tx:
        assert tx.get(PersonRow, 1).name == "New"


def rename(office: Office, name: str) -> None:
    with office.store.transaction() as tx:
        tx.change(tx.get(PersonRow, 1), name=name)


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
    together = [1, 2] if office.store.sqlite else []
    assert begun == [*together, 1, 2, 3]
    with office.store.transaction(write=False) as tx:
        assert [row.state for row in tx.all(TurnRow, number=1)] == ["final", "open", "final"]
        assert [row.game for row in tx.all(LineRow, kind="closed")] == [1, 3]
        (waiting,) = tx.all(WorkRow, kind="close turn", state="waiting", game=2)
    assert waiting.attempts == 1
    monkeypatch.setattr(work, "_kinds", lambda: kinds)
    passes(office, clock, timedelta(minutes=1))
    with office.store.transaction(write=False) as tx:
        assert {row.state for row in tx.all(TurnRow, number=1)} == {"final"}
        for record in records:
            row = tx.find(GameRow, key=record.key)
            lines = [line.n for line in tx.all(LineRow, game=row.id, order="n")] if row else []
            assert row is not None and lines == list(range(1, row.lines + 1))


def test_what_is_due_by_work_is_a_part_of_it(
    office: Office, clock: SimulatedClock, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A turn whose seals are opened is judged and published with it; a part that fails is undone alone, and waits."""
    record, _, _ = begin(office, "hundred")
    kinds = work._kinds()
    assert record.turn is not None
    clock.set(record.turn.deadline)

    def fails(act: CommandContext, facts: dict[str, Any], _: object) -> None:
        act.tx.change(act.tx.get(TurnRow, facts["turn"]), state="judged")
        raise ZeroDivisionError

    monkeypatch.setattr(work, "_kinds", lambda: {**kinds, "judge": Kind(fails)})
    work.run_due(office)
    with office.store.transaction(write=False) as tx:
        (waiting,) = tx.all(WorkRow, kind="judge")
        assert tx.get(TurnRow, waiting.game).state == "opened"
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
    assert max(told) <= 24, told
    checked: list[object] = []

    def check(*given: object) -> Iterator[Proof]:
        checked.append(given)
        return iter(())

    monkeypatch.setattr(proofs, "_checked", check)
    assert site.get(f"/games/{record.key}/proofs").status_code == 200 and not checked
    with office.store.transaction() as tx:
        line = tx.all(LineRow, kind="results")[0]
        tx.change(line, content=line.content + b" ")
    assert site.get(f"/games/{record.key}/proofs").status_code == 200 and len(checked) == 1


def test_results_wait_while_turns_are_due(office: Office, clock: SimulatedClock) -> None:
    """Mails that somebody waits for go first; results let turns be published, though never for long."""
    record, _, _ = begin(office, "hundred")
    assert record.turn is not None
    passes(office, clock, record.turn.deadline)
    people.ask_link(office, VISITOR, "coordinator@example.org")
    with office.store.transaction() as tx:
        game = tx.all(WorkRow, kind="publish")[0].game
        late = WorkRow(kind="judge", name="of another", due=micros(clock.now()), game=game, facts=b"")
        late = tx.add(late)
    told = mailings.claim(office)
    assert told
    assert "results" not in {mailing.kind for mailing in told}
    clock.advance(timedelta(seconds=mailings.GIVE_WAY + 1))
    assert {mailing.kind for mailing in mailings.claim(office)} == {"results"}
    with office.store.transaction() as tx:
        tx.change(late, state="done")
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
