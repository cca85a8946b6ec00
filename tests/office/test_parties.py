"""Each party of the table in ``docs/office.md``, played by somebody who tries: what it can learn and do of orders that
are sealed."""

import hashlib
import hmac
import itertools
import os
import sqlite3
import tarfile
import zlib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog
from starlette.testclient import TestClient

from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor, CommandContext, GameContext
from legation.office.desk import desk, readings
from legation.office.errors import ConflictError, KeyNotReleasedError, NotAllowedError, OfficeError, TooLateError
from legation.office.game import journal, processing, seats
from legation.office.hosting import absences, deadlines, exports, games, proofs, transfer
from legation.office.identity import people
from legation.office.keys import seals
from legation.office.keys.keeper import Keeper
from legation.office.keys.notices import GivenKey, Notice, signed_notice
from legation.office.monitoring import logs
from legation.office.office import Office, open_office
from legation.office.operation import archive, work
from legation.office.orders import submissions
from legation.office.records import GameRecord
from legation.office.settings import Settings
from legation.office.store.rows import GameRow, MailingRow, SubmissionRow, TurnRow
from legation.proofs.verifying import verify
from legation.web import create_app as create_site
from tests.office.fixtures import START
from tests.office.playing import CONSOLE, VISITOR, begin, passes, person, refuses, send_all, stored, the
from tests.proofs.tampering import second_check
from tests.sampling import some

SHEET = "A par - orl\nA dau S A par - orl"
RANDOM = {("submissions", "sealed"), ("submissions", "own"), ("submissions", "commitment"), ("mailings", "facts")}


def shut(office: Office, record: GameRecord, number: int = 1) -> None:
    """Hold that the turn's key cannot be had and that nothing of it is open."""
    refuses(KeyNotReleasedError, office.keeper.key, f"{record.key}.{number}")
    turn = stored(office, TurnRow, number=number)[0]
    assert not turn.sheets and not turn.drawn and not turn.witness


# The administrator with database and files, and the thief of a backup


def rows_of(office: Office) -> dict[str, list[dict[str, Any]]]:
    """Return all stored values by table."""
    with office.store.engine.connect() as connection:
        names = [
            str(n) for n in connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type='table'").scalars()
        ]
        return {
            name: [dict(row) for row in connection.exec_driver_sql(f'SELECT * FROM "{name}"').mappings()]
            for name in sorted(names)
        }


def received(
    folder: Path, seed: str, text: str, second: str, picture: bytes
) -> tuple[dict[str, Any], list[int], list[Any]]:
    """An office that received these sheets under circumstances that are always the same: its tables, the sizes of its
    files, what it logged."""
    office = open_office(folder, Settings(settling=0), SimulatedClock(START), SeededRandomSource("start"))
    with structlog.testing.capture_logs() as logged:
        record, players, boss = begin(office, coordinated=True, missing="wait", ready_ends=False)
        office.random_source = SeededRandomSource(seed)
        france = players["France"]
        sent = submissions.submit(office, france, record.key, "France", text)
        submissions.submit(office, france, record.key, "France", second)
        submissions.check(office, france, record.key, "France", text)
        submissions.withdraw(office, france, sent.submission)
        submissions.submit_pictures(
            office, players["England"], record.key, "England", [("a", picture, "image/jpeg")], text
        )
        submissions.register_posted(office, boss, record.key, "Burgundy", text[:400])
        submissions.ready(office, france, record.key, "France")
        work.run_due(office)
    tables = rows_of(office)
    office.close()
    sizes = sorted(p.stat().st_size for p in (folder / "files").rglob("*") if p.is_file())
    return tables, sizes, logged


def length(value: bytes) -> int:
    """The length of stored bytes; of packed ones before they were packed, since random digits pack as they fall."""
    try:
        return len(zlib.decompress(value))
    except zlib.error:
        return len(value)


def differing(one: dict[str, Any], other: dict[str, Any]) -> set[tuple[str, str]]:
    """The columns that differ; rows and the lengths of bytes never do."""
    found = set()
    assert one.keys() == other.keys()
    for name, rows in one.items():
        assert len(rows) == len(other[name]), name
        for row, twin in zip(rows, other[name], strict=True):
            for column, value in row.items():
                if isinstance(value, bytes):
                    assert length(value) == length(twin[column]), (name, column)
                if value != twin[column]:
                    found.add((name, column))
    return found


WAYS = {
    "other orders": "A par - bur\nA dau H",
    "nothing understood": "what shall I do?",
    "instructions": "v2 replaces v1 only if the post is late\nA par H",
    "orders ahead": "A par H\nif dislodged A dau: pro, else disband",
    "much longer": "A par H\n" + "# and more\n" * 90,
    "nothing at all": "",
}


@pytest.mark.parametrize("way", some(WAYS))
def test_two_offices_that_received_different_sheets_differ_in_nothing_that_is_not_random(
    way: str, tmp_path: Path
) -> None:
    one, sizes, logged = received(tmp_path / "one", "seed 1", SHEET, SHEET + "\nA tou H", b"a picture")
    same, same_sizes, _ = received(tmp_path / "same", "seed 2", SHEET, SHEET + "\nA tou H", b"a picture")
    other, other_sizes, other_logged = received(
        tmp_path / "other", "seed 2", WAYS[way], WAYS[way] + "\nA tou - par", b"another picture" * 50
    )
    by_chance = differing(one, same)
    assert by_chance >= RANDOM, "the same sheets, other chance: what differs is random"
    assert differing(one, other) <= by_chance and sizes == same_sizes == other_sizes
    assert [line["event"] for line in logged] == [line["event"] for line in other_logged]
    assert SHEET.split("\n")[0] not in repr(logged)


def test_what_is_looked_over_and_not_sent_leaves_nothing(
    office: Office, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Drafts stay on the device: what a player has checked, reviewed, changed or prepared for signing is in no row, no
    file, no address and no line of the log; nor does any row tell that they looked."""
    logs.configure()
    record, players, _ = begin(office, ready_ends=True)
    france = people.start_session(office, Actor.clock(), players["France"].person or 0, "x", 1).secret
    text, address = "A par - bur\n# markeddraft", f"https://office.example/games/{record.key}"
    api = f"https://office.example/api/v1/games/{record.key}/seats/France"
    with TestClient(create_site(office), base_url="https://office.example", cookies={"session": france}) as site:
        site.get(address)  # what is noted of a session's first use is noted now
        before, files = rows_of(office), sorted(name for name, _ in office.files.names())
        same = {"origin": "https://office.example"}
        for form in ("sheet/check", "sheet/change", "sheet"):
            assert site.post(f"{address}/{form}", data={"text": text}, headers=same).status_code == 200, form
        told = site.post(f"{address}/ready", data={"text": text, "ready": "true"}, headers=same)
        assert "markeddraft" in told.text, "what is not sent yet is looked over first"
        bearer = {"authorization": f"Bearer {france}", **same}
        for verb in ("check", "to-sign"):
            assert site.post(f"{api}/{verb}", json={"text": text}, headers=bearer).status_code == 200, verb
    assert rows_of(office) == before and sorted(name for name, _ in office.files.names()) == files
    office.close()
    assert not any(b"markeddraft" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    printed = "".join(capfd.readouterr())
    assert "/sheet/check" in printed and "markeddraft" not in printed and "par - bur" not in printed
    structlog.reset_defaults()


def test_no_digest_of_a_guess_is_stored_and_the_keepers_folder_opens_what_is_in_it(
    office: Office, tmp_path: Path
) -> None:
    record, players, _ = begin(office)
    receipt = submissions.submit(office, players["France"], record.key, "France", SHEET)
    database = sqlite3.connect(tmp_path / "office" / "office.db")
    dump = "\n".join(database.iterdump()).lower()
    assert receipt.reading_key and receipt.reading_key.lower() not in dump
    assert record.turn is not None
    parts = [SHEET, "France", record.turn.name, record.key, "submissions.submit"]
    guesses = ["\n".join(some) for n in (1, 2, 3) for some in itertools.permutations(parts, n) if SHEET in some]
    guesses += [
        repr(("submissions.submit", (record.key, "France", SHEET), [])),
        repr(("submissions.submit", (record.key, "France", SHEET, ""), [])),
        msgspec.json.encode(SHEET).decode(),
    ]
    for guess in guesses:
        for kind in ("md5", "sha1", "sha256", "sha512", "blake2b"):
            digest = hashlib.new(kind, guess.encode()).hexdigest()
            assert digest[:24] not in dump, guess
    # what the table concedes is so: who has the folder with the keeper in it opens what is in it
    keys = tmp_path / "office" / "keys"
    kept = Keeper(keys, SimulatedClock(START), SeededRandomSource(1))._read(f"{record.key}.1")
    row = the(office, SubmissionRow)
    opened = seals.open_content(bytes.fromhex(kept.private), (keys / "cabinet").read_bytes(), row.sealed)
    assert opened.text in SHEET and opened.power == "France"


def test_a_backup_holds_nothing_that_opens_a_sheet(office: Office, tmp_path: Path) -> None:
    record, players, _ = begin(office, coordinated=True)
    submissions.submit(office, players["France"], record.key, "France", SHEET)
    submissions.submit_pictures(office, players["England"], record.key, "England", [("a", b"a face", "image/jpeg")])
    archive.backup(tmp_path / "office", tmp_path / "backup.tar.gz")
    assert (tmp_path / "backup.tar.gz").stat().st_mode & 0o777 == 0o600
    with tarfile.open(tmp_path / "backup.tar.gz") as stolen:
        stolen.extractall(tmp_path / "thief", filter="data")
        assert not [name for name in stolen.getnames() if "keys" in name]
    everything = b"".join(p.read_bytes() for p in (tmp_path / "thief").rglob("*") if p.is_file())
    keys = [
        p.read_bytes()
        for p in (tmp_path / "office" / "keys").iterdir()
        if p.is_file() and p.suffix != ".key" and p.name != "lock"
    ]
    kept = Keeper(tmp_path / "office" / "keys", SimulatedClock(START), SeededRandomSource(1))._read(f"{record.key}.1")
    secrets = [k for k in (*keys, bytes.fromhex(kept.private), kept.private.encode()) if len(k) >= 32 and b" " not in k]
    assert len(secrets) >= 3
    for secret in (*secrets, b"A par - orl", b"a face"):
        assert secret not in everything


def test_files_and_keys_are_their_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        office = open_office(tmp_path / "office", Settings(settling=0), SimulatedClock(START), SeededRandomSource(1))
        record, players, _ = begin(office, coordinated=True)
        submissions.submit_pictures(office, players["France"], record.key, "France", [("a", b"a face", "image/jpeg")])
        archive.backup(tmp_path / "office", tmp_path / "backup.tar.gz")
    finally:
        os.umask(before)
    for path in (tmp_path / "office", *(tmp_path / "office").rglob("*"), tmp_path / "backup.tar.gz"):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path
    office.close()


# The coordinator


Players = dict[str, Actor]
FRIEND, LATER = "friend@example.org", START + timedelta(days=3)
ACTS: dict[str, Callable[[Office, str, Actor, Players], object]] = {
    "vacate": lambda office, key, boss, players: [seats.vacate(office, boss, key, power, "away") for power in players],
    "replace": lambda office, key, boss, _: seats.replace(office, boss, key, "England", FRIEND, "late"),
    "bots": lambda office, key, boss, players: [
        (seats.vacate(office, boss, key, p, "away"), seats.seat_bot(office, boss, key, p, "hold")) for p in players
    ],
    "process": lambda office, key, boss, _: processing.process_now(office, boss, key),
    "preview": lambda office, key, boss, _: processing.preview(office, boss, key),
    "publish": lambda office, key, boss, _: processing.publish_draft(office, boss, key),
    "final": lambda office, key, boss, _: processing.publish_final(office, boss, key),
    "take back": lambda office, key, boss, _: processing.take_back_draft(office, boss, key, "a slip"),
    "settings": lambda office, key, boss, _: games.set_settings(
        office, boss, key, {"grace": 0, "ready_ends": True, "missing": "hold", "schedule": "live"}
    ),
    "pause": lambda office, key, boss, _: (games.pause(office, boss, key, "ill"), games.resume(office, boss, key)),
    "extend": lambda office, key, boss, _: deadlines.extend(office, boss, key, LATER, "the post is late"),
    "export": lambda office, key, boss, _: transfer.whole_game(office, boss, key),
    "import": lambda office, key, boss, _: transfer.take_in(office, CONSOLE, transfer.whole_game(office, boss, key)),
    "saved": lambda office, key, boss, _: exports.saved_game(office, boss, key),
    "proofs": lambda office, key, boss, _: proofs.transcript(office, boss, key),
    "deputy": lambda office, key, boss, _: games.name_deputy(office, boss, key, FRIEND),
    "cancel": lambda office, key, boss, _: games.cancel(office, boss, key, "enough"),
}
"""All that a coordinator may try to have the seals opened sooner."""


@pytest.mark.parametrize("act", some(ACTS))
def test_nothing_that_a_coordinator_does_opens_a_seal_sooner(office: Office, clock: SimulatedClock, act: str) -> None:
    record, players, boss = begin(office, coordinated=True, grace=60)
    person(office, "Friend")
    secret = submissions.submit(office, players["France"], record.key, "France", SHEET)
    submissions.submit(office, players["England"], record.key, "England", "A dev H")
    for power in ("France", "England"):
        submissions.ready(office, players[power], record.key, power)
    clock.advance(timedelta(hours=1))
    told: object = None
    try:
        told = ACTS[act](office, record.key, boss, players)
    except OfficeError as error:
        told = error.message
    work.run_due(office)
    passes(office, clock, timedelta(hours=1))
    shut(office, record)
    assert "par - orl" not in repr(told) and secret.reading_key not in repr(told)
    assert "par - orl" not in repr(submissions.overview(office, boss, record.key))
    refuses(OfficeError, submissions.read_own, office, boss, secret.submission)
    if act in ("cancel", "pause", "extend"):
        return
    passes(office, clock, START + timedelta(days=1, minutes=60) - timedelta(microseconds=1))
    shut(office, record)


def test_friends_on_the_seats_cannot_say_ready_for_those_who_sat_there(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, coordinated=True)
    submissions.submit(office, players["France"], record.key, "France", SHEET)
    clock.advance(timedelta(hours=1))
    for number, power in enumerate(players):
        friend = person(office, f"Friend{number}")
        seats.replace(office, boss, record.key, power, f"friend{number}@example.org", "a better player")
        assert submissions.ready(office, friend, record.key, power) is False
    work.run_due(office)
    shut(office, record)


def test_who_vacates_those_who_are_not_ready_waits_like_all(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, coordinated=True)
    first, *others = players
    submissions.submit(office, players[first], record.key, first, "# I wait")
    submissions.ready(office, players[first], record.key, first)
    for power in others:
        seats.vacate(office, boss, record.key, power, "slow")
    assert submissions.ready(office, players[first], record.key, first) is False
    refuses(ConflictError, processing.process_now, office, boss, record.key).match("sealed until the deadline")
    work.run_due(office)
    shut(office, record)


def test_readiness_that_is_taken_back_at_the_last_moment_ends_nothing(office: Office) -> None:
    record, players, _ = begin(office)
    sent = send_all(office, record, players, 1)
    for power, actor in players.items():
        submissions.ready(office, actor, record.key, power)
    power = next(iter(sent))  # the end is due, and not done yet
    submissions.withdraw(office, players[power], sent[power].submission)
    seat = next(s for s in games.game(office, players[power], record.key).seats if s.power == power)
    assert seat.ready is False, "who takes all back is not ready either"
    work.run_due(office)
    shut(office, record)


def test_after_the_closing_nothing_is_taken_and_nothing_reopens(
    make_office: Callable[..., Office], clock: SimulatedClock
) -> None:
    office = make_office()
    record, players, boss = begin(office, coordinated=True, approve=True)
    sent = send_all(office, record, players, 1)
    passes(office, clock, timedelta(days=1))
    name, power = f"{record.key}.1", next(iter(sent))
    assert office.keeper.key(name)
    for refused in (
        lambda: submissions.submit(office, players[power].by("mail", START), record.key, power, "A par H"),
        lambda: submissions.withdraw(office, players[power], sent[power].submission),
        lambda: submissions.register_posted(office, boss, record.key, power),
        lambda: submissions.ready(office, players[power], record.key, power),
        lambda: deadlines.extend(office, boss, record.key, clock.now() + timedelta(days=1), "please"),
        lambda: processing.process_now(office, boss, record.key),
        lambda: processing.take_back_draft(office, boss, record.key, "please"),
        lambda: office.keeper.move(name, clock.now() + timedelta(days=9)),
        lambda: office.keeper.hold(name, "please"),
    ):
        with pytest.raises((TooLateError, ConflictError)):
            refused()
    turn = the(office, TurnRow, 1)
    another = Notice(name, 1, "another head", turn.closed or 0, "deadline")
    refuses(ConflictError, office.keeper.close, another, signed_notice(office.signing, another))
    games.pause(office, boss, record.key, "ill")
    games.resume(office, boss, record.key)
    assert the(office, TurnRow, 1).state == "judged"


# The keeper: keys are bound to the effective close


def put_aside(office: Office, key: str, boss: Actor, players: Players) -> None:
    """Put the open turn aside, as after draft results that were taken back."""
    with office.store.transaction() as tx:
        scene = GameContext(CommandContext(office, boss, tx, "test", office.clock.now()), tx.all(GameRow)[0])
        processing.put_aside(scene, scene.turn())


NEVER = timedelta(days=400)
AWAY = (START + timedelta(days=1)).date().isoformat()
CASES: dict[str, tuple[Callable[[Office, str, Actor, Players], object], timedelta]] = {
    "in grace": (lambda *_: None, timedelta(days=1, minutes=30)),
    "paused": (lambda office, key, boss, _: games.pause(office, boss, key, "ill"), NEVER),
    "extended while paused": (
        lambda office, key, boss, _: (
            games.pause(office, boss, key, "ill"),
            deadlines.extend(office, boss, key, START + timedelta(days=1, hours=1), "still ill"),
        ),
        NEVER,
    ),
    "extended": (ACTS["extend"], timedelta(days=3, minutes=30)),
    "absent": (
        lambda office, _, __, players: absences.announce(office, players["France"], AWAY, AWAY, "a wedding"),
        timedelta(days=2, minutes=30),
    ),
    "waiting": (lambda office, key, boss, _: games.set_settings(office, boss, key, {"missing": "wait"}), NEVER),
    "taken back": (put_aside, NEVER),
}
"""What happens in a turn, and the time after its opening before which the keeper gives no key."""


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("elsewhere", some([False, True], 2))
def test_the_keeper_gives_no_key_before_the_effective_close(
    make_office: Callable[..., Office],
    clock: SimulatedClock,
    keeper_elsewhere: dict[str, str],
    case: str,
    elsewhere: bool,
) -> None:
    """Neither when the office asks, nor when somebody gives notice with the office's own signature."""
    office = make_office(**keeper_elsewhere if elsewhere else {})
    record, players, boss = begin(office, coordinated=True, grace=30, absence_days=5)
    submissions.submit(office, players["England"], record.key, "England", "A dev H")
    happens, time = CASES[case]
    happens(office, record.key, boss, players)
    closes = START + time
    name = f"{record.key}.1"
    for moment in (START + timedelta(days=1), START + timedelta(days=1, minutes=29), closes - timedelta(seconds=1)):
        passes(office, clock, moment)
        refuses(KeyNotReleasedError, office.keeper.key, name)
        for why in ("deadline", "waited"):
            notice = Notice(name, 1, "", 1, why)
            refuses(KeyNotReleasedError, office.keeper.close, notice, signed_notice(office.signing, notice))
    told = [line.what for line in office.keeper.log(name)]
    assert "gave" not in told and told.count("refused") == 6
    if time < NEVER:
        passes(office, clock, closes)
        assert games.result(office, VISITOR, record.key).number == 1
        lines = [line.what for line in office.keeper.log(name)]
        assert lines.index("closed") < lines.index("gave")


def test_the_countersignature_stands_in_the_journal_before_the_key_is_given(
    office: Office, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, players, _ = begin(office)
    send_all(office, record, players, 1)
    stood: list[bool] = []
    give = office.keeper.key

    def key(name: str) -> GivenKey:
        lines = journal.entries(office, VISITOR, record.key, limit=1000)
        stood.append("countersigned" in [line.kind for line in lines])
        return give(name)

    monkeypatch.setattr(office.keeper, "key", key)
    passes(office, clock, timedelta(days=1))
    assert stood and all(stood)


def test_a_pause_moves_the_deadline_as_the_keeper_has_it(office: Office, clock: SimulatedClock) -> None:
    """Also where the keeper's clock says that more time was left; both verifiers find nothing."""
    record, players, boss = begin(office, coordinated=True)
    games.pause(office, boss, record.key, "ill")
    clock.advance(timedelta(days=3))
    folder = office.keeper
    assert isinstance(folder, Keeper)
    folder.clock = SimulatedClock(clock.now() + timedelta(hours=2))  # it was set right meanwhile
    games.resume(office, boss, record.key)
    folder.clock = clock
    turn = games.game(office, boss, record.key).turn
    assert turn is not None and turn.deadline == START + timedelta(days=4, hours=2, minutes=-1)
    send_all(office, record, players, 1)
    passes(office, clock, turn.deadline)
    text = proofs.transcript(office, VISITOR, record.key).encode()
    assert verify(text, [office.public_key], [], office.variants).failures == []
    assert second_check(None, text, [], key=office.public_key) == ""


# What is entered for somebody


def test_what_is_entered_for_somebody_is_called_so_and_can_be_refused(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, coordinated=True)
    france = players["France"]
    registered = submissions.register_posted(
        office, boss, record.key, "France", "blue", [("e", b"\xff\xd8 an envelope", "image/jpeg")]
    )
    assert registered.entered_by == "coordinator after the opening"
    told = [(m.person, m.power) for m in stored(office, MailingRow, kind="envelope came")]
    assert told == [(france.person, "France")], "the holder is told at once"
    (own,) = submissions.mine(office, france, record.key, "France")
    for other in (boss, players["England"], CONSOLE):
        refuses(NotAllowedError, submissions.refuse, office, other, own.id)
    assert submissions.refuse(office, france, own.id).standing == "withdrawn"
    lines = journal.entries(office, VISITOR, record.key, limit=1000)
    assert "entered is refused" in [line.kind for line in lines], "all read it"
    passes(office, clock, timedelta(days=1))
    sheets = {s.power: s for s in games.result(office, boss, record.key, 1).sheets}
    assert sheets["France"].missing


@pytest.mark.parametrize(("shows", "called"), [("envelope", "coordinator after the opening"), ("sheet", "coordinator")])
def test_a_posted_sheet_says_when_it_was_read(office: Office, clock: SimulatedClock, shows: Any, called: str) -> None:
    record, players, boss = begin(office, coordinated=True, drafts=True, schedule="three-kingdoms")
    photograph = [("e", b"\xff\xd8 a photograph", "image/jpeg")]
    submissions.register_posted(office, boss, record.key, "France", "", photograph, shows)
    assert record.turn is not None
    passes(office, clock, record.turn.deadline)
    (item,) = [i for i in desk.items(office, boss) if i.kind == "transcribe"]
    readings.transcribe(office, boss, item.id, "A par H")
    submissions.object_to(office, players["France"], record.key, "France", "1", "I wrote orl")
    with pytest.raises(ConflictError, match="already"):
        submissions.object_to(office, players["France"], record.key, "France", "1", "And again")
    with pytest.raises(ConflictError, match="sent the orders that count yourself"):
        submissions.object_to(office, players["England"], record.key, "England", "1", "no")
    work.run_due(office)
    sheets = {s.power: s for s in games.result(office, boss, record.key, 1).sheets}
    assert sheets["France"].entered_by == called and sheets["France"].transcribed
    assert "objection" in [i.kind for i in desk.items(office, boss)]


# Mail


def test_a_receipt_by_mail_is_not_opened_by_its_message_id(office: Office) -> None:
    """With the database and the Message-ID, which every carrier has seen."""
    message_id = "<orders.1@example.org>"
    guessed = hashlib.sha256(message_id.encode()).hexdigest()
    record, players, _ = begin(office)
    key = office.keyed("commands of a mail", message_id.encode()).hex()
    submissions.submit(office, players["France"].by("mail").once(f"mail {key} 1"), record.key, "France", SHEET)
    stored = [value for rows in rows_of(office).values() for row in rows for value in row.values()]
    label = players["France"].label
    for step in range(3):
        for name in (f"mail {guessed[:32]} {step}", f"mail {guessed} {step}", message_id, guessed):
            secret = hmac.new(name.encode(), label.encode(), hashlib.sha256).digest()
            for value in stored:
                if isinstance(value, bytes) and len(value) > 40:
                    refuses(KeyNotReleasedError, seals.unlock, secret, value)
            assert hashlib.sha256(f"answer to {name}".encode()).hexdigest() not in stored
