"""Games that are over: found by how they ended, openings counted once, public press found by its words, whole records
of other systems; analyzed when somebody asks, by the worker, once. None of it tells of a game that goes on."""

import threading
from collections.abc import Callable
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest

from legation.bots import bot
from legation.children import ChildError
from legation.cli.serving import start_workers
from legation.game import Game, save_game
from legation.notation import write
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk, letters
from legation.office.errors import (
    ConflictError,
    InvalidInputError,
    LimitExceededError,
    NotAllowedError,
    NotFoundError,
    SignInNeededError,
)
from legation.office.game import seats
from legation.office.hosting import (
    erasing,
    exports,
    games,
    imports,
    openings,
    player_ratings,
    press,
    profiles,
    retrospects,
)
from legation.office.identity import people, traces
from legation.office.office import Office
from legation.office.operation import health, work
from legation.office.orders import submissions
from legation.office.store.packing import unpack
from legation.office.store.rows import DeskRow, GameRow, PressRow, SharedRow, TraceRow
from legation.orders import VoteDraw
from legation.variants import load
from tests.office.playing import (
    CONSOLE,
    VISITOR,
    administrator,
    alter,
    begin,
    end_game,
    gather,
    passes,
    person,
    refuses,
    set_past,
    stored,
)


def play(
    office: Office, clock: SimulatedClock, name: str = "Powick Bridge", **settings: Any
) -> tuple[str, dict[str, Actor]]:
    """A game of the standard board whose first turn was played: France holds, the others send nothing."""
    record, players, _ = begin(office, "standard", name, **{"ready_ends": False, **settings})
    submissions.submit(office, players["France"], record.key, "France", "A par - bur\nF bre - mao\nA mar - spa")
    submissions.submit(office, players["Austria"], record.key, "Austria", "A vie - gal\nA bud - ser\nF tri - alb")
    passes(office, clock, timedelta(days=2))
    return record.key, players


def old_game(variant: str = "hundred", name: str = "Old Game") -> dict[str, Any]:
    """A whole record of another system: a game of one turn, which France shared."""
    rules = load(variant)
    game = Game(rules, name)
    game.play([bot("dumbbot")(rules, game.position, power, Random(power)) for power in rules.powers])
    return {"document": save_game(game), "source": "webDiplomacy", "ended": "2019-05-01", "draw": ["France"]}


def saved(office: Office, key: str) -> dict[str, Any]:
    """A finished game as a saved game."""
    return exports.saved_game(office, VISITOR, key)


def test_openings_are_counted_when_a_game_is_over_and_once(
    make_office: Callable[..., Office], database: str, clock: SimulatedClock
) -> None:
    office = make_office(database=database)
    key, _ = play(office, clock)
    assert openings.openings(office, VISITOR, "standard", "France").next == ()
    end_game(office, key, ["France"])
    end_game(office, key, ["France"])
    told = openings.openings(office, VISITOR, "standard", "France")
    (first,) = told.next
    assert first.turn == "Spring 1901 Movement" and {*first.orders} == {"A par - bur", "F bre - mao", "A mar - spa"}
    assert (first.games, first.won, first.drawn, first.survived, first.imported) == (1, 1, 0, 0, 0)
    lost = openings.openings(office, VISITOR, "standard", "Austria").next[0]
    assert (lost.games, lost.won, lost.survived) == (1, 0, 1)
    assert openings.openings(office, VISITOR, "standard", "England").next == ()  # which sent nothing
    other, _ = play(office, clock, "Marston Moor")
    end_game(office, other, ["France", "Austria"], "draw")
    (again,) = openings.openings(office, VISITOR, "standard", "France").next
    assert (again.games, again.won, again.drawn) == (2, 1, 1)
    after = openings.openings(office, VISITOR, "standard", "France", again.line)
    assert after.path == (again,) and after.next == ()
    refuses(NotFoundError, openings.openings, office, VISITOR, "standard", "Austria", again.line)
    refuses(NotFoundError, openings.openings, office, VISITOR, "standard", "Spain")


def test_games_that_nobody_may_see_count_nowhere(office: Office, clock: SimulatedClock) -> None:
    key, players = play(office, clock)
    set_past(office, key, listed=False)
    letters.write(office, players["France"], key, "France", ["all"], "Zanzibar is mine.")
    end_game(office, key, ["France"])
    assert openings.openings(office, VISITOR, "standard", "France").next == ()
    assert press.search(office, VISITOR, "zanzibar") == []


def test_public_letters_are_found_by_their_words_when_the_game_is_over(
    make_office: Callable[..., Office], database: str, clock: SimulatedClock
) -> None:
    office = make_office(database=database)
    key, players = play(office, clock, press=("public", "private", "anonymous"))
    write = letters.write
    write(office, players["France"], key, "France", ["all"], "Peace for the Channel, said the Otter.")
    write(office, players["Austria"], key, "Austria", ["all"], "An otter stole my fleet.", anonymous=True)
    write(office, players["France"], key, "France", ["Austria"], "The otter is a lie.")
    assert press.search(office, VISITOR, "otter") == []
    end_game(office, key, ["France"])
    found = press.search(office, VISITOR, "OTTER")
    assert [(one.sender, one.game) for one in found] == [("", key), ("France", key)]
    assert [one.text for one in press.search(office, VISITOR, "otter channel")] == [found[1].text]
    assert press.search(office, VISITOR, "otter", after=found[0].id) == [found[1]]
    assert press.search(office, VISITOR, "otter", variant="hundred") == press.search(office, VISITOR, "lie") == []
    assert press.search(office, VISITOR, "ott' OR *") == []  # words, and no language of questions
    with office.store.transaction() as tx:
        tx.remove(PressRow)
    assert press.search(office, VISITOR, "otter") == []  # the index of words knows
    refuses(InvalidInputError, press.search, office, VISITOR, " - ")
    refuses(InvalidInputError, press.search, office, VISITOR, "a b c d e f g h i")
    refuses(InvalidInputError, press.search, office, VISITOR, "o" * 201)
    refuses(NotFoundError, press.search, office, VISITOR, "otter", "atlantis")


def test_the_list_of_games_finds_finished_ones(office: Office, clock: SimulatedClock) -> None:
    key, players = play(office, clock)
    end_game(office, key, ["France"])
    open_one, _, _ = begin(office, "standard", "Roundway Down", folk="x")

    def keys(**asked: Any) -> list[str]:
        return [line.key for line in games.list_games(office, VISITOR, **asked)]

    assert keys(how="solo") == keys(turns_from=1, turns_to=2) == [key] and keys(how="draw") == keys(turns_from=30) == []
    assert keys(how="solo", state="alive") == []
    left = {line.key: set(line.alive) for line in games.list_games(office, VISITOR)}
    assert left[key] == {"France"} and len(left[open_one.key]) == 7
    name = people.me(office, players["France"]).name
    assert keys(player=name) == []  # who shows no profile is found by no name
    people.set_preferences(office, players["France"], {"profile": True})
    assert keys(player=f" {name.lower()}") == [key]
    assert open_one.key in keys() and keys(variant="hundred") == []
    refuses(NotFoundError, games.list_games, office, VISITOR, variant="atlantis")


def bring(office: Office, document: dict[str, Any], **more: Any) -> Any:
    """Bring a record as an administrator does."""
    given = {"document": document, "source": "webDiplomacy", "ended": date(2019, 5, 1), "name": "Old Game", **more}
    return imports.bring(office, CONSOLE, imports.WholeRecord(**given))


def test_a_whole_record_counts_and_is_marked_as_imported(
    make_office: Callable[..., Office], database: str, clock: SimulatedClock
) -> None:
    office = make_office(database=database)
    key, _ = play(office, clock)
    end_game(office, key, ["France"])
    anna, boris = person(office, "Anna"), person(office, "Boris")
    names = {"France": "anna the great", "Austria": "B. B.", "Turkey": "Nobody Known"}
    made = bring(
        office, saved(office, key), names=names, people={"France": "anna@example.org"}, draw=("France", "Austria")
    )
    assert (made.state, made.source) == ("ended", "webDiplomacy")
    seats = {seat.power: (seat.holder, seat.person) for seat in made.seats}
    assert seats["France"] == ("anna the great", None) and seats["Turkey"] == ("Nobody Known", None)
    assert exports.rebuild(office, CONSOLE, made.key) == []  # judged again, it is the same
    assert [line.source for line in games.list_games(office, VISITOR, "ended")] == ["webDiplomacy", ""]
    work.run_due(office)
    (first,) = openings.openings(office, VISITOR, "standard", "France").next
    assert (first.games, first.imported, first.won, first.drawn) == (2, 1, 1, 1)
    assert [line.key for line in games.list_games(office, VISITOR, player="b. b.")] == [made.key]
    # one rated player is no game; a second one's name is confirmed
    assert player_ratings.recompute(office, CONSOLE) == 0
    refuses(NotFoundError, imports.claim, office, boris, "Somebody Else")
    assert imports.claim(office, boris, "b.  b.")[0].confirmed is False
    assert profiles.preview(office, boris).games == ()
    refuses(NotAllowedError, imports.confirm, office, boris, "B. B.", boris.person or 0)
    assert imports.confirm(office, CONSOLE, "B. B.", _number(office, boris))[0].confirmed
    passes(office, clock, timedelta(minutes=11))
    shown = profiles.preview(office, boris)
    told = [(game.key, game.result, game.source) for game in shown.games]
    assert told == [(made.key, "shared a draw", "webDiplomacy")] and shown.reliability.seats == 0
    people.set_preferences(office, boris, {"ranked": True, "profile": True})
    (rated,) = profiles.preview(office, boris).ratings
    assert rated.games == 1
    refuses(ConflictError, imports.claim, office, anna, "b. b.")
    imports.give_up(office, boris, "B. B.")
    assert profiles.preview(office, boris).games == ()
    # of two who claim a name each is answered
    for who in (anna, boris):
        imports.claim(office, who, "nobody known")
    imports.refuse(office, CONSOLE, "Nobody Known", _number(office, boris))
    (item,) = [item for item in desk.items(office, CONSOLE) if item.kind == imports.TASK]
    assert item.facts["person"] == _number(office, anna)
    imports.give_up(office, anna, "Nobody Known")
    assert not [item for item in desk.items(office, CONSOLE) if item.kind == imports.TASK]
    imports.confirm(office, CONSOLE, "B. B.", _number(office, boris))
    erasing.erase(office, boris)
    holders = {seat.power: seat.holder for seat in games.game(office, VISITOR, made.key).seats}
    assert holders["Austria"] == "erased" and holders["Turkey"] == "Nobody Known"
    tasks = stored(office, DeskRow, kind=imports.TASK)
    assert tasks and all(task.done is not None and "B. B." not in repr(unpack(task.facts)) for task in tasks)


def _number(office: Office, actor: Actor) -> int:
    assert actor.person is not None
    return office.numbers.shown("person", actor.person)


def test_a_record_is_refused_with_all_that_is_wrong(office: Office, clock: SimulatedClock) -> None:
    key, players = play(office, clock)
    end_game(office, key, ["France"])
    document = saved(office, key)
    whole = {"document": document, "source": "", "ended": date(2019, 5, 1)}
    refuses(NotAllowedError, imports.bring, office, players["France"], whole)
    refuses(InvalidInputError, imports.bring, office, CONSOLE, {"document": {}})
    refuses(InvalidInputError, imports.bring, office, CONSOLE, whole)
    told = refuses(InvalidInputError, bring, office, document, people={"Spain": "x@y.zz", "France": "x@y.zz"})
    places = {place.partition(":")[0] for place in told.value.faults}
    assert places == {"people", "people.Spain", "people.France", "draw"}
    refuses(InvalidInputError, bring, office, {**document, "turns": "x"})
    turn = document["turns"][0]
    turns = [{**turn, "position": {**turn["position"], "units": "x"}}]  # which is read when it's asked for
    refuses(InvalidInputError, bring, office, {**document, "turns": turns}, draw=("France",))
    refuses(ConflictError, bring, office, document, name="Powick Bridge", draw=("France",))


def test_a_game_may_ask_for_finished_games_and_a_rating_but_never_of_newcomers(
    office: Office, clock: SimulatedClock
) -> None:
    key, players = play(office, clock, rated=True)
    end_game(office, key, ["France"])
    host, newcomer = person(office, "Host"), person(office, "Newcomer")
    for number, (finished, rating) in enumerate(((2, 0), (0, 1500), (1, 1500))):
        made = gather(office, host, f"Asks {number}", "standard", finished=finished, rating=rating).key
        refuses(NotAllowedError, seats.sign_up, office, players["Austria"], made, [])
        seats.sign_up(office, newcomer, made, [])
        if finished < 2:
            seats.sign_up(office, players["France"], made, [])  # who has won
        else:
            refuses(NotAllowedError, seats.sign_up, office, players["France"], made, [])
    refuses(InvalidInputError, games.set_settings, office, host, made, {"finished": -1})


def test_traces_keep_no_address_and_go_after_two_weeks(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office)
    france, england = players["France"], players["England"]
    chief = administrator(office, "Chief")
    for who, network, device in ((france, "192.0.2.0/24", "Firefox"), (england, "192.0.2.0/24", "Chrome")):
        traces.note(office, Actor.clock(), who.person or 0, network, device)
        traces.note(office, Actor.clock(), who.person or 0, network, device)
    traces.note(office, Actor.clock(), chief.person or 0, "192.0.2.0/24", "Chrome")  # who plays in no game of theirs
    (signal,) = traces.signals(office, chief)
    assert signal.games == (record.key,) and len(signal.network) == 1 and signal.device == ()
    refuses(NotAllowedError, traces.signals, office, france)
    kept = stored(office, TraceRow)
    assert len(kept) == 6 and not any("192.0" in row.digest or "Firefox" in row.digest for row in kept)
    salts = stored(office, SharedRow, kind="salt")
    work.start_sweeping(office)
    passes(office, clock, timedelta(days=1))
    assert salts and not stored(office, SharedRow, kind="salt")  # nobody can compute the digests of a day again
    traces.note(office, Actor.clock(), england.person or 0, "192.0.2.0/24", "Firefox")
    assert [s.network for s in traces.signals(office, chief)] == [signal.network]  # another day's are no match
    passes(office, clock, timedelta(days=15))
    assert traces.signals(office, chief) == []
    assert stored(office, TraceRow) == []


# Analyses


FOUND = {"turns": [{"number": 0, "turn": "1425 Movement", "outlooks": {"France": 1.0}, "sheets": []}], "points": []}


Calls = list[tuple[Any, ...]]


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> Calls:
    calls: Calls = []

    def call(_: type, name: str, *given: Any) -> object:
        calls.append((name, *given))
        return FOUND

    monkeypatch.setattr(retrospects.ANALYSTS, "call", call)
    monkeypatch.setattr(retrospects, "is_available", lambda: True)
    return calls


def ended(office: Office, clock: SimulatedClock) -> str:
    """A game that its players have drawn."""
    record, players, _ = begin(office)
    for power, actor in players.items():
        submissions.submit(office, actor, record.key, power, write(VoteDraw()))
    passes(office, clock, timedelta(days=30))
    assert games.game(office, CONSOLE, record.key).state == "ended"
    return record.key


def test_it_is_made_once_by_the_worker_for_all(office: Office, clock: SimulatedClock, called: Calls) -> None:
    key, anna = ended(office, clock), person(office, "Anna")
    assert retrospects.retrospect(office, VISITOR, key).state == "none"
    refuses(SignInNeededError, retrospects.ask, office, VISITOR, key)
    assert retrospects.ask(office, anna, key).state == "waiting"
    assert retrospects.retrospect(office, anna, key).state == "waiting" and not called
    assert retrospects.ask(office, anna, key).state == "waiting"
    work.run_due(office)
    found = retrospects.retrospect(office, VISITOR, key)
    assert (found.state, list(found.turns)) == ("made", FOUND["turns"])
    assert retrospects.ask(office, anna, key).state == "made"
    work.run_due(office)
    assert [name for name, *_ in called] == ["legation.lab.analysis:analyze_saved"]


@pytest.mark.usefixtures("called")
def test_the_analysis_of_a_game_that_was_swept_away_is_not_another_s(office: Office, clock: SimulatedClock) -> None:
    """SQLite gives the number of a last row that is gone to the next one."""
    key, anna = ended(office, clock), person(office, "Anna")
    retrospects.ask(office, anna, key)
    work.run_due(office)
    assert retrospects.retrospect(office, anna, key).state == "made"
    alter(office, GameRow, {"ref": "0" * 32}, key=key)
    assert retrospects.retrospect(office, anna, key).state == "none"


@pytest.mark.long
def test_turns_do_not_wait_for_an_analysis(
    office: Office, clock: SimulatedClock, called: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, over, stop = threading.Event(), threading.Event(), threading.Event()

    def call(*_: object) -> object:
        begun.set()
        assert over.wait(60)
        return FOUND

    monkeypatch.setattr(retrospects.ANALYSTS, "call", call)
    key, anna = ended(office, clock), person(office, "Anna")
    other, _, _ = begin(office, name="Another game", folk="Other", powers=0)
    retrospects.ask(office, anna, key)
    workers = start_workers(office, stop)
    assert begun.wait(60)
    clock.advance(timedelta(hours=47))
    while (turn := games.game(office, CONSOLE, other.key).turn) is not None and turn.number == 1:
        assert workers[0].is_alive() and not over.wait(0.02)
    state = health.health(office)
    assert state.late < health.LATE_SECONDS and state.good
    assert retrospects.retrospect(office, anna, key).state == "waiting"
    over.set()
    while retrospects.retrospect(office, anna, key).state != "made":
        assert not stop.wait(0.02)
    stop.set()
    for worker in workers:
        worker.join(60)


def test_nobody_has_every_game_analyzed_at_once(office: Office, clock: SimulatedClock, called: Calls) -> None:
    anna, keys = person(office, "Anna"), []
    for n in range(retrospects.MOST_WAITING + 1):
        record, _, _ = begin(office, name=f"Game {'abcdef'[n]}", folk=f"Folk{n}", powers=0)
        keys.append(record.key)
    alter(office, GameRow, {"state": "ended"}, key=keys)
    for key in keys[:-1]:
        assert retrospects.ask(office, anna, key).state == "waiting"
    refuses(LimitExceededError, retrospects.ask, office, anna, keys[-1]).match("3 games that you asked for wait")
    assert retrospects.ask(office, anna, keys[0]).state == "waiting"
    assert retrospects.ask(office, person(office, "Bob"), keys[-1]).state == "waiting"
    work.run_due(office)
    assert retrospects.ask(office, anna, keys[0]).state == "made"
    assert len(called) == len(keys)


def test_a_game_that_runs_is_not_looked_at(office: Office, called: Calls) -> None:
    record, _, host = begin(office)
    for ask in (retrospects.ask, retrospects.retrospect):
        refuses(NotAllowedError, ask, office, host, record.key).match("while the game is over")
    retrospects.analyze_game(office, {"game": 1})  # even if work were due
    assert not called


def test_what_cannot_be_analyzed_is_told_and_not_tried_again(
    office: Office, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch, called: Calls
) -> None:
    def call(*_: object) -> object:
        raise ChildError("time", "it takes too long")

    key, anna = ended(office, clock), person(office, "Anna")
    monkeypatch.setattr(retrospects.ANALYSTS, "call", call)
    retrospects.ask(office, anna, key)
    work.run_due(office)
    found = retrospects.ask(office, anna, key)
    assert (found.state, found.why) == ("failed", "it took too long")
