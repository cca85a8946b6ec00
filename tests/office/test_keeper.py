"""The keeper on another machine: a real service on a free port."""

import base64
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest

from legation.office.clock import SeededRandomSource, SimulatedClock, micros
from legation.office.errors import KeyNotReleasedError, UnavailableError
from legation.office.game import journal
from legation.office.hosting import deadlines, games, proofs
from legation.office.keys.keeper import Keeper
from legation.office.keys.notices import KeyRequest, Notice, SaidReady, signed_notice
from legation.office.keys.remote_keeper import create_app, remote_keeper
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.proofs.records import ready_statement
from legation.proofs.signing import public_key, sign
from tests.office.fixtures import TOKEN
from tests.office.playing import CONSOLE, VISITOR, begin, passes, refuses, send_all, turn_now
from tests.office.test_keeper_and_seals import holds
from tests.serving import served

TURN = "1425 Movement"


@pytest.fixture
def service(keeper_elsewhere: dict[str, str]) -> str:
    """The URL of a keeper that listens."""
    return keeper_elsewhere["keeper"]


@pytest.fixture
def elsewhere(make_office: Callable[..., Office], keeper_elsewhere: dict[str, str]) -> Office:
    """An office whose keeper of keys runs as a service of its own."""
    return make_office(**keeper_elsewhere)


def test_a_game_with_its_keys_elsewhere(elsewhere: Office, clock: SimulatedClock, tmp_path: Path) -> None:
    office = elsewhere
    record, players, _ = begin(office)
    france = players["France"]
    receipt = submissions.submit(office, france, record.key, "France", "A par H")
    assert not list((tmp_path / "office" / "keys").glob("*.key"))
    # without the key of its receipt nobody reads it back
    with pytest.raises(KeyNotReleasedError, match=r"lost it, send your orders again\.$"):
        submissions.read_own(office, france, receipt.submission)
    with pytest.raises(KeyNotReleasedError):
        submissions.read_own(office, france, receipt.submission, base64.b64encode(bytes(32)).decode())
    with pytest.raises(KeyNotReleasedError, match=r"isn't a reading key\. Copy it from your receipt"):
        submissions.read_own(office, france, receipt.submission, "no base64 at all!")
    assert submissions.read_own(office, france, receipt.submission, receipt.reading_key).text == "A par H"
    refuses(KeyNotReleasedError, office.keeper.key, f"{record.key}.1")
    passes(office, clock, timedelta(days=1))
    assert games.result(office, VISITOR, record.key).number == 1
    log = (tmp_path / "keeper" / "keeper.log").read_text()
    assert f"gave {record.key}.1" in log and f"closed {record.key}.1" in log


def test_a_keeper_that_is_away_stops_no_submission(elsewhere: Office, clock: SimulatedClock) -> None:
    office = elsewhere
    record, players, _ = begin(office)
    there = office.keeper
    office.keeper = remote_keeper("http://127.0.0.1:9", TOKEN)
    send_all(office, record, players, 1)
    passes(office, clock, timedelta(days=1))
    present = turn_now(office, VISITOR, record.key)
    assert (present.number, present.state) == (1, "closed")
    office.keeper = there
    passes(office, clock, timedelta(minutes=1))
    assert games.result(office, VISITOR, record.key).number == 1


def test_who_has_not_the_token_gets_nothing(service: str, clock: SimulatedClock) -> None:
    keeper = remote_keeper(service, TOKEN)
    public = keeper.make("game.1", KeyRequest(micros(clock.now() + timedelta(days=1))))
    assert keeper.make("game.1", KeyRequest(micros(clock.now()))) == public
    refuses(UnavailableError, remote_keeper(service, "another").key, "game.1")
    refuses(UnavailableError, keeper.key, "../etc/passwd")
    refuses(KeyNotReleasedError, keeper.key, "game.1")
    refuses(ValueError, create_app, Path(), "short", clock, SeededRandomSource(1)).match("at least 20")


def test_what_the_keeper_is_asked_amiss_is_told(service: str, clock: SimulatedClock, tmp_path: Path) -> None:
    auth = {"Authorization": f"Bearer {TOKEN}"}

    def ask(verb: str, content: str = "{}") -> tuple[int, str]:
        answer = httpx2.post(f"{service}/{verb}", headers=auth, content=content)
        return answer.status_code, answer.json()["message"]

    assert ask("burn") == (404, "There is no such verb.")
    for content in (
        "{",
        "[]",
        '{"not_before": "soon"}',
        '{"not_before": 1e400}',
        '{"not_before": 253402300800000000}',
        '{"not_before": -1}',
        '{"seats": {"France": 1}}',
        '{"not_before": 99999999999999999999}',
    ):
        assert ask("make", content) == (400, "That cannot be read.")
        assert ask("make", f'{{"name": "game.1", "request": {content}}}') == (400, "That cannot be read.")
    own = '{"name": "game.1"}'
    assert ask("key", '{"name": "../etc/passwd"}') == ask("key") == (400, "That cannot be read.")
    assert ask("key", own) == (503, "The keeper has no key for game.1; restore the folder of keys.")
    assert httpx2.get(f"{service}/health").json() == {"keeper": "ok"}
    remote_keeper(service, TOKEN).make("game.1", KeyRequest(micros(clock.now() + timedelta(days=1))))
    (tmp_path / "keeper" / "game.1.key").write_text("not a key")
    assert ask("key", own)[0] == 503


def test_a_folder_of_keys_that_cannot_be_used_is_told(tmp_path: Path, clock: SimulatedClock) -> None:
    keeper = Keeper(tmp_path / "keys", clock, SeededRandomSource("keys"))
    (tmp_path / "keys").rmdir()
    (tmp_path / "keys").write_text("a file where the folder was")
    refuses(UnavailableError, keeper.make, "game.1", KeyRequest()).match(r"The key of game\.1 cannot be")


def test_a_deadline_stays_where_the_keeper_cannot_note_another(
    office: Office, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, _, boss = begin(office, coordinated=True)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("legation.office.keys.keeper.write_private", full)
        with pytest.raises(
            UnavailableError, match=r"The key of powick-bridge\.1 cannot be written: .*No space left on device"
        ):
            deadlines.extend(office, boss, record.key, clock.now() + timedelta(days=9), "floods")
    assert games.game(office, boss, record.key).turn == record.turn, "nothing has changed"
    until = clock.now() + timedelta(days=9)
    assert deadlines.extend(office, boss, record.key, until, "floods").deadline == until


def test_a_keeper_elsewhere_takes_nobodys_word_that_all_are_ready(elsewhere: Office, clock: SimulatedClock) -> None:
    office = elsewhere
    record, players, _ = begin(office)
    send_all(office, record, players, 1)
    for _ in range(2):
        for power, actor in players.items():
            submissions.ready(office, actor, record.key, power)
        work.run_due(office)
        submissions.not_ready(office, players["France"], record.key, "France")
    present = turn_now(office, VISITOR, record.key)
    assert (present.number, present.state) == (1, "open")
    told = [e.text for e in journal.entries(office, VISITOR, record.key, limit=1000) if e.kind == "keeper waits"]
    assert told == ["Everyone is ready, but the keeper releases this turn's key only at the deadline."]
    refuses(KeyNotReleasedError, office.keeper.key, f"{record.key}.1")
    passes(office, clock, timedelta(days=1))
    assert games.result(office, VISITOR, record.key).number == 1


def said(secret: bytes, seat: str, version: int = 1, again: int = 0, *, turn: str = TURN) -> SaidReady:
    """A seat's word that it is ready, signed by the holder of this key."""
    return SaidReady(seat, version, again, sign(secret, "ready", ready_statement("ref", turn, seat, version, again)))


def test_no_lie_of_the_office_closes_a_turn_before_the_seats_have_signed(clock: SimulatedClock, tmp_path: Path) -> None:
    """Who rules the office's machine signs notices as it does, but has no seat's key: whatever it shows the keeper
    before the deadline, only what every awaited seat signed of this turn closes it."""
    keeper = Keeper(tmp_path, clock, SeededRandomSource(1), believes=False, elsewhere=True)
    own, ann, bob = bytes(32), b"a" * 32, b"b" * 32
    seats = {"France": public_key(ann), "England": public_key(bob)}
    told: dict[str, Any] = {"office": public_key(own), "game": "ref", "turn": TURN}
    keeper.make("g.1", KeyRequest(micros(clock.now() + timedelta(days=1)), seats=seats, **told))
    notice = Notice("g.1", 9, "ab" * 32, 7, "all ready")
    true = [said(ann, "France", 2), said(bob, "England", 1, 3)]
    lies: list[list[SaidReady]] = [
        [],
        true[:1],
        [true[0], true[0]],
        [true[0], said(own, "England")],
        [true[0], said(ann, "England")],
        [true[0], said(bob, "England", turn="1425 Retreats")],
        [true[0], msgspec.structs.replace(true[1], version=2)],
        [true[0], msgspec.structs.replace(true[1], again=0)],
        [true[0], msgspec.structs.replace(true[1], signature="")],
        [true[0], SaidReady("England", 1, 3, true[0].signature)],
    ]
    # other keys are told by asking for the turn's key again: those of the opening stand
    keeper.make("g.1", KeyRequest(micros(clock.now()), seats={"France": public_key(ann)}, **told))
    keeper.make("g.1", KeyRequest(micros(clock.now()), seats={name: public_key(own) for name in seats}, **told))
    lies.append([said(own, name) for name in seats])
    for lie in lies:
        assert not keeper.takes_early("g.1", lie)
        with pytest.raises(KeyNotReleasedError, match="its deadline has not passed"):
            keeper.close(notice, signed_notice(own, notice), lie)
        refuses(KeyNotReleasedError, keeper.key, "g.1")
    assert [line.what for line in keeper.log("g.1")].count("refused") == len(lies)
    keeper.make("g.2", KeyRequest(None, seats=seats, **told))  # without a deadline, as the deal has none
    for why in ("all ready", "dealt", "deadline"):
        free = Notice("g.2", 9, "ab" * 32, 7, why)
        refuses(KeyNotReleasedError, keeper.close, free, signed_notice(own, free), lies[-1])
    # nor does what all have signed close a turn for another reason, or by another's notice, or while it is held up
    early = Notice("g.1", 9, "ab" * 32, 7, "deadline")
    refuses(KeyNotReleasedError, keeper.close, early, signed_notice(own, early), true).match("deadline has not passed")
    with pytest.raises(KeyNotReleasedError, match="not signed by the office"):
        keeper.close(notice, signed_notice(ann, notice), true)
    keeper.hold("g.1", "paused")
    refuses(KeyNotReleasedError, keeper.close, notice, signed_notice(own, notice), true).match("held up")
    keeper.move("g.1", clock.now() + timedelta(days=2))
    assert keeper.takes_early("g.1", true)
    assert holds(keeper.close(notice, signed_notice(own, notice), true))
    assert len(keeper.key("g.1").private) == 32


def test_seats_without_a_key_of_the_opening_wait_for_the_deadline(clock: SimulatedClock, tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, clock, SeededRandomSource(1), believes=False, elsewhere=True)
    own, ann, due = bytes(32), b"a" * 32, clock.now() + timedelta(days=1)
    told: dict[str, Any] = {"office": public_key(own), "game": "ref", "turn": TURN}
    seats = {"none": {}, "keyless": {"France": ""}, "mixed": {"France": public_key(ann), "England": ""}}
    for name, keys in seats.items():
        keeper.make(name, KeyRequest(micros(due), seats=keys, **told))
        assert not keeper.takes_early(name, [said(ann, "France"), said(own, "England")])
    keeper.make("late", KeyRequest(micros(due), early=False, seats={"France": public_key(ann)}, **told))
    assert not keeper.takes_early("late", [said(ann, "France")])  # the game ends no turn early
    # of a key that was made ahead, the keys are those of the turn's own opening
    keeper.make("ahead", KeyRequest(after="gone", seats={"France": public_key(own)}, **told))
    assert not keeper.takes_early("ahead", [said(own, "France")])
    keeper.make("ahead", KeyRequest(micros(due), seats={"France": public_key(ann)}, **told))
    assert not keeper.takes_early("ahead", [said(own, "France")]) and keeper.takes_early("ahead", [said(ann, "France")])


def test_a_turn_ends_early_by_the_seats_own_signatures(elsewhere: Office, clock: SimulatedClock) -> None:
    """In the turn in which the pages make their keys a turn waits for its deadline; in the next all may end it."""
    office = elsewhere
    record, players, _ = begin(office)
    secrets = {power: power.encode().ljust(32, b"x") for power in players}

    def ready(power: str, again: int = 0, secret: bytes = b"") -> bool:
        present = turn_now(office, CONSOLE, record.key)
        told = proofs.to_sign(office, players[power], record.key, power, "")
        assert told.again == again
        statement = ready_statement(told.game, present.name, power, told.version - 1, again)
        signature = sign(secret or secrets[power], "ready", statement)
        return submissions.ready(office, players[power], record.key, power, signature)

    for power, actor in players.items():
        submissions.set_key(office, actor, record.key, power, public_key(secrets[power]))
        ready(power)
    work.run_due(office)
    passes(office, clock, timedelta(days=1))
    assert games.result(office, VISITOR, record.key).number == 1
    first, *others = send_all(office, record, players, 2)
    ready(first)
    submissions.not_ready(office, players[first], record.key, first)
    for power in others:
        ready(power)
    ready(first, again=1)
    work.run_due(office)
    assert games.result(office, VISITOR, record.key).number == 2


@pytest.mark.parametrize("believes", [False, True])
def test_a_keeper_elsewhere_answers_as_one_in_a_folder_would(
    tmp_path: Path, clock: SimulatedClock, believes: bool
) -> None:
    """Everything that a keeper is asked comes to it whole, and so does its answer."""
    near = Keeper(tmp_path / "near", clock, SeededRandomSource(1), believes=believes, elsewhere=True)
    with served(create_app(tmp_path / "far", TOKEN, clock, SeededRandomSource(1), believes=believes)) as here:
        far = remote_keeper(here, TOKEN)
        due, office = clock.now() + timedelta(days=1), public_key(bytes(32))
        for keeper in (near, far):
            told = {"office": office, "game": "ref", "turn": TURN, "secret": "ee" * 32}
            keeper.make("g.1", KeyRequest(micros(due), early=True, **told, seats={"France": public_key(b"a" * 32)}))
            keeper.make("g.2", KeyRequest(micros(due), early=False))
            keeper.make("g.1.retreats", KeyRequest(office=office, game="ref", turn="1425 Retreats", after="g.1"))
        notice = Notice("g.1", 9, "ab" * 32, 7, "deadline")
        asked: list[Callable[[Keeper], object]] = [
            lambda keeper: keeper.identity(),
            lambda keeper: keeper.make("g.1", KeyRequest(micros(due))),
            lambda keeper: [keeper.takes_early(name) for name in ("g.1", "g.2", "g.1.retreats")],
            lambda keeper: keeper.takes_early("g.1", [said(b"a" * 32, "France")]),
            lambda keeper: [keeper.passed(name) for name in ("g.1", "g.1.retreats")],
            lambda keeper: keeper.hold("g.1", "paused"),
            lambda keeper: keeper.passed("g.1"),
            lambda keeper: keeper.move("g.1", due - timedelta(hours=1)),
            lambda keeper: keeper.move("g.1", due + timedelta(hours=1)),
            lambda keeper: clock.set(due + timedelta(hours=1)),
            lambda keeper: keeper.close(notice, signed_notice(bytes(32), notice)),
            lambda keeper: keeper.key("g.1"),
            lambda keeper: keeper.log("g.1"),
        ]
        for ask in asked:
            assert ask(far) == ask(near)
