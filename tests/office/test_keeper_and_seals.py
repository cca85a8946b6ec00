"""What the keeper of the keys promises, sentence by sentence, in a folder and as a service on another machine (a real
one, on a free port), and what seals are made of."""

import fcntl
import hashlib
import os
import shutil
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest

from legation.office.clock import SeededRandomSource, SimulatedClock, micros, moment
from legation.office.desk import mailings
from legation.office.errors import ConflictError, InvalidInputError, KeyNotReleasedError, UnavailableError
from legation.office.game import journal
from legation.office.hosting import deadlines, games, proofs
from legation.office.keys import seals
from legation.office.keys.day_keys import KEPT, DayKeys
from legation.office.keys.keeper import Keeper, lasting_secret, replace_private, write_private
from legation.office.keys.notices import KeyRequest, Notice, SaidReady, Witness, signed_notice
from legation.office.keys.remote_keeper import create_app, remote_keeper
from legation.office.keys.seals import SealContent, SealedPicture
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.store.rows import MailingRow
from legation.proofs.chain import closing_statement, deadline_statement, succession_statement, turn_statement
from legation.proofs.lots import part_commitment
from legation.proofs.records import ready_statement
from legation.proofs.signing import public_key, sign, signed
from tests.office.fixtures import TOKEN
from tests.office.playing import CONSOLE, VISITOR, begin, passes, refuses, send_all, stored, turn_now
from tests.serving import served

DAY, TICK = timedelta(days=1), timedelta(microseconds=1)
OFFICE = bytes(range(32))


@pytest.fixture
def keeper(tmp_path: Path, clock: SimulatedClock) -> Keeper:
    return Keeper(tmp_path / "keys", clock, SeededRandomSource(1))


def request(due: datetime | None = None, turn: str = "1425 Movement", **more: Any) -> KeyRequest:
    """What the office asks for a turn of its game."""
    asked = {"office": public_key(OFFICE), "game": "ref", "turn": turn, **more}
    return KeyRequest(None if due is None else micros(due), **asked)


def open_turn(keeper: Keeper, name: str = "g.1", **more: Any) -> None:
    keeper.make(name, request(keeper.clock.now() + DAY, **more))


def close(
    keeper: Keeper,
    name: str = "g.1",
    why: str = "deadline",
    line: int = 9,
    by: bytes = OFFICE,
    ready: Sequence[SaidReady] = (),
) -> Witness:
    notice = Notice(name, line, "ab" * 32, 7, why)
    return keeper.close(notice, signed_notice(by, notice), ready)


def holds(witness: Witness) -> bool:
    """Whether a countersignature is by the keeper that it names."""
    statement = closing_statement(witness.game, witness.turn, witness.line, witness.head, witness.seen)
    return signed(witness.keeper, witness.signature, "closing", statement)


def refused(keeper: Keeper, match: str, **notice: Any) -> None:
    refuses(KeyNotReleasedError, close, keeper, **notice).match(match)
    refuses(KeyNotReleasedError, keeper.key, str(notice.get("name", "g.1"))).match("when the turn is closed for good")


def done(keeper: Keeper, name: str = "g.1") -> list[str]:
    return [line.what for line in keeper.log(name)]


def test_it_closes_at_the_deadline_and_not_a_microsecond_before(keeper: Keeper, clock: SimulatedClock) -> None:
    open_turn(keeper)
    clock.advance(DAY - TICK)
    assert not keeper.passed("g.1")
    refused(keeper, "its deadline has not passed")
    clock.advance(TICK)
    assert keeper.passed("g.1")
    assert close(keeper).seen == micros(clock.now())
    assert done(keeper) == ["made", "refused", "closed"]
    told = [line.about for line in keeper.log("g.1")]
    assert told[1:] == ["its deadline has not passed", f"deadline, line 9, head {'ab' * 32}"]


def test_what_it_countersigned_stands(keeper: Keeper, clock: SimulatedClock) -> None:
    open_turn(keeper)
    clock.advance(DAY)
    witness = close(keeper)
    assert (witness.game, witness.turn, witness.line, witness.head) == ("ref", "1425 Movement", 9, "ab" * 32)
    assert witness.keeper == keeper.identity() and holds(witness)
    for changed in ({"game": "x"}, {"turn": "x"}, {"line": 8}, {"head": "cd" * 32}, {"seen": 0}):
        assert not holds(msgspec.structs.replace(witness, **changed))
    clock.advance(DAY)
    assert close(keeper) == witness  # the same notice again: the same answer, with the time of the first
    for told in (
        lambda: close(keeper, line=10),
        lambda: keeper.move("g.1", clock.now() + DAY),
        lambda: keeper.hold("g.1", "x"),
    ):
        refuses(ConflictError, told).match("closed")
    assert done(keeper) == ["made", "closed", "refused", "refused", "refused"]
    given = keeper.key("g.1")
    assert (len(given.private), given.part) == (32, "")
    assert done(keeper)[-1] == "gave"


def test_only_the_office_that_opened_a_turn_closes_it(keeper: Keeper, clock: SimulatedClock) -> None:
    open_turn(keeper)
    open_turn(keeper, "g.2")
    clock.advance(DAY)
    refused(keeper, "not signed by the office that opened it", by=bytes(32))
    other = Notice("g.2", 9, "ab" * 32, 7, "deadline")
    with pytest.raises(KeyNotReleasedError, match="not signed"):  # the word about another turn
        keeper.close(msgspec.structs.replace(other, name="g.1"), signed_notice(OFFICE, other))
    refuses(KeyNotReleasedError, keeper.close, other, "").match("not signed")


def test_what_is_held_up_is_not_closed(keeper: Keeper, clock: SimulatedClock) -> None:
    open_turn(keeper)
    due = micros(clock.now() + DAY)
    held = keeper.hold("g.1", "paused")
    assert keeper.hold("g.1", "paused") == held
    assert signed(keeper.identity(), held, "deadline", deadline_statement("ref", "1425 Movement", 0))
    due += 86_400_000_000 - 60_000_000  # what was left is left, but for a minute
    clock.advance(DAY)
    assert keeper.passed("g.1")  # no deadline stands
    for why in ("deadline", "all ready", "waited"):
        refused(keeper, r"held up \(paused\)", why=why)
    keeper.hold("g.1", "waiting")
    refused(keeper, r"held up \(waiting\)")
    told = keeper.move("g.1", clock.now() - DAY)  # an earlier one lets it go on, and the later one stands
    assert signed(keeper.identity(), told, "deadline", deadline_statement("ref", "1425 Movement", due))
    refused(keeper, "its deadline has not passed")
    clock.set(moment(due))
    close(keeper)
    assert done(keeper) == ["made", "held", *["refused"] * 3, "held", "refused", "moved", "refused", "closed"]


def test_no_word_of_the_office_takes_back_that_time_stood_still(keeper: Keeper, clock: SimulatedClock) -> None:
    open_turn(keeper)
    keeper.hold("g.1", "put aside", stops=False)
    clock.advance(DAY / 4)
    keeper.hold("g.1", "paused")  # from now on it stands still: half a day and a quarter are left
    clock.advance(DAY / 4)
    for stops in (False, True):
        keeper.hold("g.1", "put aside", stops=stops)
    clock.advance(DAY * 3)
    again = clock.now()
    keeper.move("g.1", again - DAY)
    for early in (timedelta(0), DAY * 3 / 4 - timedelta(minutes=1) - TICK):
        clock.set(again + early)
        refused(keeper, "its deadline has not passed")
    clock.advance(TICK)
    assert holds(close(keeper))


def test_a_later_deadline_than_what_was_left_stands(keeper: Keeper, clock: SimulatedClock) -> None:
    open_turn(keeper)
    keeper.hold("g.1", "paused")
    keeper.move("g.1", clock.now() + DAY * 2)
    assert keeper.make("g.1", KeyRequest()).due == micros(clock.now() + DAY * 2)
    clock.advance(DAY * 2)
    keeper.hold("g.1", "it waits")  # its deadline has passed: nothing is left
    clock.advance(DAY)
    keeper.move("g.1", clock.now() - DAY)
    assert holds(close(keeper, why="waited"))


def test_deadlines_move_later_and_never_earlier(keeper: Keeper, clock: SimulatedClock) -> None:
    open_turn(keeper)
    due = clock.now() + DAY
    for until, stands in ((due - TICK, due), (due, due), (due + DAY, due + DAY), (due, due + DAY)):
        signature = keeper.move("g.1", until)
        assert signed(
            keeper.identity(), signature, "deadline", deadline_statement("ref", "1425 Movement", micros(stands))
        )
    assert done(keeper) == ["made", "moved"]
    clock.advance(2 * DAY - TICK)
    refused(keeper, "its deadline has not passed")


@pytest.mark.parametrize(
    ("elsewhere", "early", "why", "closes"),
    [
        (False, True, "all ready", True),
        (False, False, "all ready", False),
        (False, True, "waited", False),
        (False, True, "deadline", False),
        (True, True, "all ready", False),  # it takes nobody's word
    ],
)
def test_before_the_deadline_a_turn_is_closed_only_when_all_are_ready(
    tmp_path: Path, clock: SimulatedClock, elsewhere: bool, early: bool, why: str, closes: bool
) -> None:
    keeper = Keeper(tmp_path, clock, SeededRandomSource(1), believes=not elsewhere, elsewhere=elsewhere)
    open_turn(keeper, early=early)
    assert keeper.takes_early("g.1") is (early and not elsewhere)
    if closes:
        assert holds(close(keeper, why=why))
    else:
        refused(keeper, "its deadline has not passed", why=why)


def test_the_deal_needs_no_deadline(tmp_path: Path, clock: SimulatedClock) -> None:
    """And a keeper elsewhere adds a part to lots, to which it commits before it is asked for it."""
    keeper = Keeper(tmp_path, clock, SeededRandomSource(1), believes=False, elsewhere=True)
    opened = keeper.make("g.deal", request(turn="deal", secret="ee" * 32))
    assert (opened.due, keeper.passed("g.deal"), keeper.takes_early("g.deal")) == (0, True, True)
    refused(keeper, "its deadline has not passed", name="g.deal")
    close(keeper, "g.deal", "dealt")
    given = keeper.key("g.deal")
    assert len(given.part) == 64 and part_commitment(given.part) == opened.part
    statement = turn_statement("ref", "deal", opened.public, "ee" * 32, opened.part, 0)
    assert signed(keeper.identity(), opened.signature, "turn", statement)
    assert next(line.about for line in keeper.log("g.deal")) == ""


def test_a_key_that_was_made_ahead_waits_for_its_turn(keeper: Keeper, clock: SimulatedClock) -> None:
    open_turn(keeper)
    ahead = keeper.make("g.1.retreats", request(turn="1425 Retreats", after="g.1"))
    assert not keeper.takes_early("g.1.retreats")
    refused(keeper, "its deadline has not passed", name="g.1.retreats", why="all ready")
    refused(keeper, "the turn in which its key was made is not closed", name="g.1.retreats", why="skipped")
    refused(keeper, "the turn has opened", why="skipped")  # which was never made ahead
    for due in (clock.now(), clock.now() + DAY):  # whoever rules the office's machine: a deadline that has passed
        asked = request(due, turn="1425 Retreats")
        refuses(ConflictError, keeper.make, "g.1.retreats", asked).match("is not closed")
    refuses(ConflictError, keeper.make, "g.1", request(clock.now(), game="other")).match("another game")
    clock.advance(DAY)
    close(keeper)
    opened = keeper.make("g.1.retreats", KeyRequest(micros(clock.now() + DAY), early=False, after="g.1"))
    assert (opened.public, opened.due) == (ahead.public, micros(clock.now() + DAY))
    assert keeper.make("g.1.retreats", KeyRequest(micros(clock.now()))) == opened  # a turn opens once
    refused(keeper, "the turn has opened", name="g.1.retreats", why="skipped")
    refused(keeper, "its deadline has not passed", name="g.1.retreats", why="all ready")
    assert done(keeper, "g.1.retreats") == ["made", *["refused"] * 4, "opened", "refused", "refused"]
    clock.advance(DAY)
    close(keeper, "g.1.retreats")


@pytest.mark.parametrize("torn", ["2027-01-", "2027-01-15T20:00:00+00:00 made", "then made g.1 for long", "\udcff"])
def test_a_line_that_a_full_disk_cut_off_hides_no_other(keeper: Keeper, torn: str) -> None:
    open_turn(keeper)
    with (keeper.folder / "keeper.log").open("ab") as log:
        log.write(torn.encode(errors="surrogateescape") + b"\n")
    keeper.hold("g.1", "a reason")
    assert done(keeper) == ["made", "held"]


def test_it_tells_what_it_did_about_one_key_and_when(keeper: Keeper, clock: SimulatedClock) -> None:
    began = clock.now()
    open_turn(keeper)
    open_turn(keeper, "g.11")
    clock.advance(DAY / 2)
    keeper.hold("g.1", "a  reason\nof two lines " + "x" * 300)
    made, held = keeper.log("g.1")
    assert (made.at, made.what, made.about) == (began, "made", f"for {(began + DAY).isoformat()}")
    assert (held.at, held.what) == (began + DAY / 2, "held")
    assert held.about.startswith("a reason of two lines xxx") and len(held.about) == 200
    assert Keeper(keeper.folder.parent / "other", clock, SeededRandomSource(2)).log("g.1") == []
    keeper.make("g.2", request(after="g.0"))
    open_turn(keeper, "g.2")
    due = f"for {(clock.now() + DAY).isoformat()}"
    assert [(line.what, line.about) for line in keeper.log("g.2")] == [("made", ""), ("opened", due)]


def test_a_file_of_a_key_is_whole_on_the_disk_and_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(os.fstat(fd).st_size))
    path = tmp_path / "a.key"
    write_private(path, b"a long content")
    write_private(path, b"short")
    replace_private(path, b"other")
    assert (path.read_bytes(), synced) == (b"other", [14, 5, 5]) and list(tmp_path.iterdir()) == [path]
    write_private(path, b"x", lasting=False)
    replace_private(path, b"y", lasting=False)
    assert synced == [14, 5, 5]
    refuses(FileExistsError, write_private, path, b"z", new=True)
    assert path.read_bytes() == b"y"

    class Another:
        """Chance of a process beside which another one makes the same file first."""

        def bytes(self, n: int) -> bytes:
            write_private(tmp_path / "identity", b"the first one's")
            return b"x" * n

    assert lasting_secret(tmp_path / "identity", Another()) == b"the first one's"


def test_others_wait_while_a_key_is_written(keeper: Keeper) -> None:
    open_turn(keeper)
    with (keeper.folder / "lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        other = threading.Thread(target=keeper.hold, args=("g.1", "paused"))
        other.start()
        other.join(0.2)
        assert other.is_alive() and done(keeper) == ["made"]
    other.join(60)
    assert done(keeper) == ["made", "held"]


def test_a_keeper_whose_log_cannot_be_written_goes_on_and_one_that_cannot_note_a_move_says_so(
    keeper: Keeper, clock: SimulatedClock
) -> None:
    (keeper.folder / "keeper.log").mkdir()
    open_turn(keeper)
    clock.advance(DAY)
    assert holds(close(keeper))
    (keeper.folder / "left").write_text("a file where the folder should be")
    refuses(UnavailableError, keeper.follow, "ref", 1, "", "cd" * 32).match("can't record that ref is moving")
    refuses(ValueError, keeper.follow, "../ref", 1, "", "cd" * 32).match("isn't a game")


def test_a_keys_name_is_no_path(keeper: Keeper) -> None:
    for name in ("0", "a" * 120):
        assert keeper.make(name, KeyRequest()).public
    for name in ("", "A", ".a", "a/b", "a\n", "a" * 121):
        refuses(ValueError, keeper.make, name, KeyRequest()).match("a name of a key")


def test_a_key_that_is_lost_or_damaged_is_told(keeper: Keeper) -> None:
    for ask in (keeper.key, keeper.passed, keeper.takes_early, lambda name: keeper.hold(name, "x")):
        refuses(UnavailableError, ask, "g.9").match(r"no key for g\.9; restore the folder of keys")
    open_turn(keeper)
    (keeper.folder / "g.1.key").write_bytes(b"{}")
    refuses(UnavailableError, keeper.key, "g.1").match(r"The key of g\.1 cannot be read")
    shutil.rmtree(keeper.folder)
    keeper.folder.write_text("a file where the folder was")
    refuses(UnavailableError, keeper.make, "g.1", KeyRequest()).match(r"The key of g\.1 cannot be")


def test_a_keeper_signs_the_key_that_follows_its_own(keeper: Keeper, clock: SimulatedClock) -> None:
    before, identity = keeper.identity(), keeper.folder / "identity"
    assert keeper.succeeds("game", 5, before) == "", "there is no key before this one"
    identity.rename(identity.with_suffix(".before"))
    now = keeper.identity()
    signature = keeper.succeeds("game", 5, before)
    assert now != before and signed(before, signature, "key", succession_statement("game", 5, now))
    assert keeper.succeeds("game", 5, now) == "", "it was another one's key that came before"
    signature = keeper.follow("game", 5, before, "cd" * 32)
    assert signed(now, signature, "key", succession_statement("game", 5, before))
    assert keeper.follow("game", 5, now, "cd" * 32) == "", "it stays the keeper"
    assert [(line.what, line.about) for line in keeper.log("game")] == [
        ("left", f"for the office {'cd' * 32}, line 5")
    ] * 2


# Seals

CONTENT = SealContent(
    power="France",
    turn="1425 Movement",
    text="A par H",
    files=("aa" * 32,),
    note="a note",
    sender="Frank",
    pictures=(SealedPicture("aa" * 32, "p", "image/png"),),
    bundle=b"k" * 32,
    records=(b"r",),
)


def sealed_with(text: str) -> bytes:
    pair = seals.make_keys(b"s" * 32)
    return seals.seal_content(pair.public, b"m" * 32, msgspec.structs.replace(CONTENT, text=text))


def locked_with(text: str) -> bytes:
    return seals.lock_content(b"m" * 32, msgspec.structs.replace(CONTENT, text=text))


def test_lengths_tell_nothing_but_the_step_and_what_is_cut_is_refused() -> None:
    steps = {0: 4096, 4088: 4096, 4089: 8192, 8184: 8192, 8185: 16384}
    assert {length: len(seals.pad(b"x" * length)) for length in steps} == steps
    assert (len(seals.pad(b"x", 16)), len(seals.pad(b"x" * 8, 16)), len(seals.pad(b"x" * 9, 16))) == (16, 16, 32)
    for length in steps:
        assert seals.unpad(seals.pad(b"x" * length)) == b"x" * length
        assert seals.unlock_padded(b"k" * 32, seals.lock_padded(b"k" * 32, b"x" * length)) == b"x" * length
    for make in (sealed_with, locked_with):
        assert len(make("")) == len(make("x" * 15_000)) < len(make("x" * 17_000))
    # what holds less than it says is refused
    whole = seals.pad(b"orders")
    assert seals.unpad(whole[:14]) == b"orders"
    for cut in (b"", whole[:7], whole[:13]):
        refuses(KeyNotReleasedError, seals.unpad, cut).match("less than it says")


def test_a_seal_opens_with_both_keys_and_no_other() -> None:
    pair, other, key = seals.make_keys(b"s" * 32), seals.make_keys(b"t" * 32), b"m" * 32
    assert pair == seals.make_keys(b"s" * 32) != other
    sealed = seals.seal_content(pair.public, key, CONTENT)
    assert seals.open_content(pair.private, key, sealed) == CONTENT
    for private, master in ((other.private, key), (pair.private, b"n" * 32)):
        refuses(KeyNotReleasedError, seals.open_content, private, master, sealed).match(r"(does not|doesn't) open")
    refuses(KeyNotReleasedError, seals.unlock, b"short", seals.lock(key, b"x")).match("doesn't open it")


def test_a_text_is_cleaned_at_the_door_and_nowhere_else() -> None:
    assert seals.at_the_door("A par H\r\nF bre H\rA mu\u0308n H\n") == "A par H\nF bre H\nA m\u00fcn H\n"
    for text, fault in {
        "A par\x00": "text: it has null characters",
        "A par \ud83d": "text: character 7 is half a character (a lone surrogate)",
    }.items():
        assert refuses(InvalidInputError, seals.at_the_door, text).value.faults == (fault,)
    # white space at the ends of lines is left out
    assert seals.canonical("\r\n A par H  \r\n\rF bre H\t\n\n") == " A par H\n\nF bre H"
    assert seals.digest(b"x") == hashlib.sha256(b"x").hexdigest()


NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def derived(day: bytes) -> bytes:
    return hashlib.sha256(day).digest()


def test_a_key_of_a_folder_is_made_once_a_day_and_destroyed_when_it_is_old(tmp_path: Path) -> None:
    keys = DayKeys(tmp_path / "keys", SeededRandomSource(1), derived)
    assert keys.find(micros(NOON)) is None and not (tmp_path / "keys").exists(), "to look for one makes none"
    first = keys.key(micros(NOON))
    assert len(first) == 32 and first == keys.key(micros(NOON + timedelta(hours=11, minutes=59)))
    second = keys.key(micros(NOON + timedelta(hours=12)))
    assert second != first and derived(b"2026-03-02") not in (first, second)
    assert {path.name for path in (tmp_path / "keys").iterdir()} == {"outbox.2026-03-02", "outbox.2026-03-03"}
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in (tmp_path / "keys").iterdir())
    other = tmp_path / "keys" / "outbox.2026-03-02.part"
    other.write_bytes(b"")
    keys.forget(micros(NOON + KEPT))
    assert keys.find(micros(NOON)) == first, "it is kept so long"
    keys.forget(micros(NOON + KEPT + timedelta(days=1)))
    assert keys.find(micros(NOON)) is None and keys.find(micros(NOON + timedelta(days=1))) == second
    assert other.exists(), "what isn't a key of a day is left alone"
    again = DayKeys(tmp_path / "keys", SeededRandomSource(2), derived)
    assert again.find(micros(NOON + timedelta(days=1))) == second
    assert again.key(micros(NOON)) != first, "a key that is gone is gone"


ADDRESS = "somebody@example.org"


def waiting(office: Office) -> MailingRow:
    """The mail that waits."""
    assert mailings.queue(office, "answer", {"text": "Your move"}, address=ADDRESS)
    return stored(office, MailingRow, order="-id", limit=1)[0]


def test_what_waits_is_locked_with_a_key_of_its_day(office: Office) -> None:
    row = waiting(office)
    refuses(KeyNotReleasedError, seals.unlock_padded, office.master_key, row.facts)
    (day,) = office.keys.glob("outbox.*")
    assert day.stat().st_mode & 0o777 == 0o600
    assert b"Your move" in seals.unlock_padded(day.read_bytes(), row.facts)
    (mail,) = mailings.claim(office)
    assert mail.facts["text"] == "Your move"


def test_an_old_copy_of_the_database_tells_nothing_when_the_days_key_is_gone(
    office: Office, clock: SimulatedClock
) -> None:
    work.start_sweeping(office)
    row = waiting(office)
    (mail,) = mailings.claim(office)
    assert mailings.sent(office, mail)
    passes(office, clock, timedelta(days=14))
    assert list(office.keys.glob("outbox.*"))  # a mail may wait on the desk so long
    passes(office, clock, timedelta(days=2))
    for path in office.keys.iterdir():
        if path.is_file() and path.stat().st_size == 32:
            refuses(KeyNotReleasedError, seals.unlock_padded, path.read_bytes(), row.facts)
    with office.store.transaction() as tx:  # the copy of the database is put back
        tx.add(msgspec.structs.replace(row, id=None, message_id="<again@x>"))
    assert mailings.claim(office) == []
    assert "cannot be read" in stored(office, MailingRow, state="failed")[0].error


def test_offices_that_share_a_key_share_those_of_the_days(make_office: Callable[..., Office]) -> None:
    one, other = make_office(cabinet_key="ab" * 32), make_office(cabinet_key="ab" * 32)
    waiting(one)
    assert [mail.facts["text"] for mail in mailings.claim(other)] == ["Your move"]
    one.outbox_keys.forget(micros(one.clock.now()))
    assert not list(one.keys.glob("outbox.*")), "there is nothing to destroy"


# A keeper elsewhere


TURN = "1425 Movement"


@pytest.fixture
def service(keeper_elsewhere: dict[str, str]) -> str:
    """The URL of a running keeper."""
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
    ann, bob = b"a" * 32, b"b" * 32
    seats = {"France": public_key(ann), "England": public_key(bob)}
    open_turn(keeper, seats=seats)
    true = [said(ann, "France", 2), said(bob, "England", 1, 3)]
    lies: list[list[SaidReady]] = [
        [],
        true[:1],
        [true[0], true[0]],
        [true[0], said(OFFICE, "England")],
        [true[0], said(ann, "England")],
        [true[0], said(bob, "England", turn="1425 Retreats")],
        [true[0], msgspec.structs.replace(true[1], version=2)],
        [true[0], msgspec.structs.replace(true[1], again=0)],
        [true[0], msgspec.structs.replace(true[1], signature="")],
        [true[0], SaidReady("England", 1, 3, true[0].signature)],
        [said(OFFICE, name) for name in seats],
    ]
    # other keys are told by asking for the turn's key again: those of the opening stand
    for others in ({"France": public_key(ann)}, {name: public_key(OFFICE) for name in seats}):
        keeper.make("g.1", request(clock.now(), seats=others))
    for lie in lies:
        assert not keeper.takes_early("g.1", lie)
        refused(keeper, "its deadline has not passed", why="all ready", ready=lie)
    assert done(keeper).count("refused") == len(lies)
    keeper.make("g.2", request(seats=seats))  # without a deadline, as the deal has none
    for why in ("all ready", "dealt", "deadline"):
        refused(keeper, "its deadline has not passed", name="g.2", why=why, ready=lies[-1])
    # nor does what all have signed close a turn for another reason, or by another's notice, or while it is held up
    refused(keeper, "its deadline has not passed", ready=true)
    refused(keeper, "not signed by the office", why="all ready", by=ann, ready=true)
    keeper.hold("g.1", "paused")
    refused(keeper, "held up", why="all ready", ready=true)
    keeper.move("g.1", clock.now() + 2 * DAY)
    assert keeper.takes_early("g.1", true)
    assert holds(close(keeper, why="all ready", ready=true))
    assert len(keeper.key("g.1").private) == 32


def test_seats_without_a_key_of_the_opening_wait_for_the_deadline(clock: SimulatedClock, tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, clock, SeededRandomSource(1), believes=False, elsewhere=True)
    ann = b"a" * 32
    of_ann, of_office = {"France": public_key(ann)}, {"France": public_key(OFFICE)}
    for name, seats in {"none": {}, "keyless": {"France": ""}, "mixed": {**of_ann, "England": ""}}.items():
        open_turn(keeper, name, seats=seats)
        assert not keeper.takes_early(name, [said(ann, "France"), said(OFFICE, "England")])
    open_turn(keeper, "late", early=False, seats=of_ann)
    assert not keeper.takes_early("late", [said(ann, "France")])  # the game ends no turn early
    # of a key that was made ahead, the keys are those of the turn's own opening
    keeper.make("ahead", request(after="gone", seats=of_office))
    assert not keeper.takes_early("ahead", [said(OFFICE, "France")])
    open_turn(keeper, "ahead", seats=of_ann)
    assert not keeper.takes_early("ahead", [said(OFFICE, "France")])
    assert keeper.takes_early("ahead", [said(ann, "France")])


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
        due = clock.now() + DAY
        for keeper in (near, far):
            keeper.make("g.1", request(due, secret="ee" * 32, seats={"France": public_key(b"a" * 32)}))
            keeper.make("g.2", request(due, early=False))
            keeper.make("g.1.retreats", request(turn="1425 Retreats", after="g.1"))
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
            close,
            lambda keeper: keeper.key("g.1"),
            lambda keeper: keeper.log("g.1"),
        ]
        for ask in asked:
            assert ask(far) == ask(near)
