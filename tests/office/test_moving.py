"""A game goes on in another office by the same journal: everybody checks both parts as one, and the old office, and its
keeper, take nothing more. New keys of an office and of a keeper are told in the journals."""

import base64
import contextlib
import inspect
import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from nacl.public import SealedBox
from nacl.signing import SigningKey

from legation.office.clock import SeededRandomSource, SimulatedClock, micros
from legation.office.context import Actor
from legation.office.errors import ConflictError, InvalidInputError, KeyNotReleasedError, NotAllowedError, OfficeError
from legation.office.game import seats
from legation.office.hosting import deadlines, exports, games, moving, proofs, transfer
from legation.office.hosting.moving import new_signing_key
from legation.office.keys import keeper, seals
from legation.office.keys.keeper import IDENTITY, Keeper
from legation.office.keys.notices import KeyRequest, Notice, signed_notice
from legation.office.office import Office, open_office
from legation.office.operation import archive, work
from legation.office.orders import submissions
from legation.office.records import GameRecord, Receipt
from legation.office.settings import Settings
from legation.office.store.rows import MailingRow, TurnRow
from legation.proofs.receipts import read_receipt
from legation.proofs.report import LIE, Report
from legation.proofs.signing import public_key
from legation.proofs.verifying import verify
from tests.office.fixtures import START
from tests.office.playing import CONSOLE, VISITOR, begin, passes, person, refuses, send_all, stored, turn_now
from tests.office.test_transfer import kept, other_office  # noqa: F401
from tests.proofs.tampering import second_check
from tests.sampling import some


def card_of(office: Office) -> str:
    """The card of an office, as its operator copies it."""
    return json.dumps(moving.card(office, VISITOR), separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def day(office: Office, clock: SimulatedClock) -> None:
    passes(office, clock, timedelta(days=1))


def left(
    office: Office, clock: SimulatedClock, other: Office, **settings: Any
) -> tuple[GameRecord, dict[str, Actor], list[Receipt]]:
    """A game that has left for the other office after its first season."""
    record, players, boss = begin(office, coordinated=True, **settings)
    sent = list(send_all(office, record, players, 1).values())
    moving.leave(office, boss, record.key, card_of(other))
    for _ in range(3):
        if games.game(office, CONSOLE, record.key).state != "moved":
            day(office, clock)
    work.run_due(office)
    assert games.game(office, CONSOLE, record.key).state == "moved"
    return record, players, sent


def checked(office: Office, key: str, known: str, receipts: list[Receipt], *, judges: bool = False) -> Report:
    """What both verifiers find in a transcript, by the key of an office and with receipts."""
    text = proofs.transcript(office, VISITOR, key)
    kept = [read_receipt(receipt.proof) for receipt in receipts]
    report = verify(text.encode(), [known], kept, office.variants, judges=judges)
    assert report.failures == [] and all(receipt.holds for receipt in report.receipts) and report.key_known
    assert second_check(None, text.encode(), kept, key=known) == ""
    return report


def go_on(other: Office, clock: SimulatedClock, taken: GameRecord, known: dict[str, Actor]) -> list[Receipt]:
    """Seat who is missing, resume, and play a turn in the new office."""
    sitting = dict(known)
    for seat in taken.seats:
        if seat.power not in sitting:
            sitting[seat.power] = person(other, f"New-{seat.power}")
            seats.replace(other, CONSOLE, taken.key, seat.power, f"new-{seat.power}@example.org", "from elsewhere")
    games.resume(other, CONSOLE, taken.key)
    sent = list(send_all(other, games.game(other, CONSOLE, taken.key), sitting, "on").values())
    day(other, clock)
    return sent


@pytest.mark.parametrize("settings", [{}, {"shows_senders": "nobody", "anonymous": True}], ids=["shown", "hidden"])
def test_a_game_goes_on_elsewhere_by_the_same_journal(
    office: Office, clock: SimulatedClock, other: Office, settings: dict[str, Any]
) -> None:
    record, players, before = left(office, clock, other, **settings)
    power = next(iter(players))
    known = {power: person(other, players[power].name)}
    taken = transfer.take_in(other, CONSOLE, kept(office, record.key))
    assert taken.state == "paused" and taken.turn is not None and taken.turn.deadline is not None
    after = go_on(other, clock, taken, known)
    assert games.result(other, CONSOLE, taken.key).number == taken.turn.number
    checked(other, taken.key, other.public_key, after)
    report = checked(other, taken.key, office.public_key, before + after, judges=True)  # or with the old key
    assert any("goes on in another office" in line for line in report.told)
    assert not any("did not confirm" in line for line in report.words), "the old keeper vouches for the new one"
    checked(office, record.key, office.public_key, before)


def test_the_old_office_and_its_keeper_take_nothing_more_and_no_third_goes_on(
    office: Office, clock: SimulatedClock, other: Office, tmp_path: Path
) -> None:
    record, players, _ = left(office, clock, other)
    power = next(iter(players))
    tried: list[Callable[[], Any]] = [
        lambda: submissions.submit(office, players[power], record.key, power, "A par H"),
        lambda: submissions.ready(office, players[power], record.key, power),
        lambda: games.resume(office, CONSOLE, record.key),
        lambda: games.cancel(office, CONSOLE, record.key, "mine"),
        lambda: games.set_settings(office, CONSOLE, record.key, {"grace": 5}),
        lambda: deadlines.extend(office, CONSOLE, record.key, clock.now() + timedelta(days=9), "again"),
        lambda: seats.replace(office, CONSOLE, record.key, power, "x@example.org", "mine"),
        lambda: moving.stay(office, CONSOLE, record.key),
        lambda: moving.leave(office, CONSOLE, record.key, card_of(other)),
    ]
    before = proofs.transcript(office, VISITOR, record.key)
    for attempt in tried:
        refuses(NotAllowedError, attempt)
    day(office, clock)
    assert proofs.transcript(office, VISITOR, record.key) == before
    assert '"kind":"transferred"' in before
    turn = stored(office, TurnRow, order="-number", limit=1)[0]
    game = games.game(office, CONSOLE, record.key)
    told = [row for row in stored(office, MailingRow) if row.kind in ("game leaves", "game left")]
    assert game.turn is not None and turn.number == game.turn.number
    assert len(told) == 2 * len(players), "everybody was told before and after"
    _keeper_is_gone(office, clock, record)
    _nobody_else_goes_on(office, clock, other, record, tmp_path)


def _keeper_is_gone(office: Office, clock: SimulatedClock, record: GameRecord) -> None:
    """The keeper serves the old office in this game no more, and in others it does."""
    ref = json.loads(proofs.transcript(office, VISITOR, record.key).splitlines()[0])["game"]
    keeper = office.keeper
    asked = KeyRequest(micros(clock.now()), office=office.public_key, game=ref, turn="Spring 1999 Movement")
    refuses(ConflictError, keeper.make, f"{record.key}.99", asked).match("another office")
    refuses(ConflictError, keeper.follow, ref, 99, "0" * 64, "0" * 64).match("another office")
    assert keeper.make("another.1", msgspec.structs.replace(asked, game="ab" * 16)).public, "other games go on"


def _nobody_else_goes_on(
    office: Office, clock: SimulatedClock, other: Office, record: GameRecord, tmp_path: Path
) -> None:
    """Only the office that a game was given to goes on with it, once; what another makes of it is a copy."""
    document = kept(office, record.key)
    third = open_office(tmp_path / "third", Settings(settling=0), clock, SeededRandomSource("third"))
    refused = refuses(InvalidInputError, transfer.take_in, third, CONSOLE, document)
    assert refused.value.faults == ("handed: it is sealed to another office than this, or was changed on its way",)
    copied = transfer.take_in(third, CONSOLE, {**document, "handed": "", "transcript": document["transcript"]})
    text = proofs.transcript(third, VISITOR, copied.key)
    first = json.loads(text.splitlines()[1])["line"]["data"]
    assert first["game"] != json.loads(document["transcript"].splitlines()[0])["game"], "a copy is a game of its own"
    third.close()
    for changed in (document["handed"][:-8] + "AAAAAAA=", "no base64", "AAAA"):
        refuses(InvalidInputError, transfer.take_in, other, CONSOLE, {**document, "handed": changed})
    transfer.take_in(other, CONSOLE, document)
    refuses(ConflictError, transfer.take_in, other, CONSOLE, document).match("already taken over")
    with pytest.raises((ConflictError, InvalidInputError)):
        transfer.take_in(office, CONSOLE, document)


def test_no_turn_that_is_open_when_a_game_is_said_to_leave_is_countersigned_after(
    tmp_path: Path, clock: SimulatedClock
) -> None:
    """The attack: an office hands a game over and closes a turn of its own all the same."""
    keeper = Keeper(tmp_path / "keys", clock, SeededRandomSource("keys"))
    own, game, until = b"o" * 32, "cd" * 16, micros(clock.now() + timedelta(hours=1))
    keeper.make("game.1", KeyRequest(until, office=public_key(own), game=game, turn="Spring 1 Movement"))
    keeper.follow(game, 9, "1" * 64, "2" * 64)
    clock.advance(timedelta(days=1))
    notice = Notice("game.1", 9, "0" * 64, 1, "deadline")
    refuses(KeyNotReleasedError, keeper.close, notice, signed_notice(own, notice)).match("another office")
    refuses(ConflictError, keeper.move, "game.1", clock.now()).match("another office")
    refuses(ConflictError, keeper.hold, "game.1", "x").match("another office")
    refuses(KeyNotReleasedError, keeper.key, "game.1")
    assert [line.what for line in keeper.log("game.1")].count("refused") == 3


def test_a_restored_office_goes_on_with_no_game_that_left(
    office: Office, clock: SimulatedClock, other: Office, tmp_path: Path
) -> None:
    """A database of before the game left comes back: by ``restore``, by hand, and by an office that lies."""
    folder, backup = tmp_path / "office", tmp_path / "backup.tar.gz"
    record, players, boss = begin(office, coordinated=True)
    power, player = next(iter(players.items()))
    archive.backup(folder, backup)
    with contextlib.closing(sqlite3.connect(folder / "office.db")) as now:
        before = now.serialize()
    sent = list(send_all(office, record, players, 1).values())
    moving.leave(office, boss, record.key, card_of(other))
    while games.game(office, CONSOLE, record.key).state != "moved":
        day(office, clock)
    transfer.take_in(other, CONSOLE, kept(office, record.key))
    moved = proofs.transcript(office, VISITOR, record.key).encode()
    office.close()

    def come_back(keys: Path, name: str, database: bytes = b"") -> Office:
        place = tmp_path / name
        if database:
            shutil.copytree(keys, place / "keys")
            (place / "office.db").write_bytes(database[:18] + b"\1\1" + database[20:])  # without a log
        else:
            assert archive.restore(backup, place, keys=keys).left == (record.name,)
        return open_office(place, Settings(settling=0), clock, SeededRandomSource(name))

    restored = come_back(folder / "keys", "restored")
    assert games.game(restored, CONSOLE, record.key).state == "moved"
    refuses(NotAllowedError, submissions.submit, restored, player, record.key, power, "A par H")
    restored.close()
    clock.set(START + timedelta(hours=1))  # before the deadline of the turn that was open then
    by_hand = come_back(folder / "keys", "by hand", before)
    refuses(ConflictError, submissions.submit, by_hand, player, record.key, power, "A par H").match("continued at")
    day(by_hand, clock)
    assert proofs.transcript(by_hand, VISITOR, record.key).count('"line"') == 7, "no line more than there was"
    by_hand.close()
    for note in (folder / "keys" / "heads", folder / "keys" / "moved"):
        shutil.rmtree(note)  # what is told apart from the database: only the keeper knows better
    clock.set(START + timedelta(hours=1))
    lying = come_back(folder / "keys", "lying", before)
    fork = read_receipt(submissions.submit(lying, player, record.key, power, "A par H").proof)
    day(lying, clock)
    day(lying, clock)
    assert turn_now(lying, CONSOLE, record.key).state == "closed", "the keeper countersigns nothing of it"
    for data, receipt in (
        (moved, fork),
        (proofs.transcript(lying, CONSOLE, record.key).encode(), read_receipt(sent[0].proof)),
    ):
        report = verify(data, [lying.public_key], [receipt], lying.variants, judges=False)
        assert [f.proves for f in report.failures] == [LIE] and not report.receipts[0].holds
        assert second_check(None, data, [receipt], key=lying.public_key)
    lying.close()


def test_the_keeper_stays_where_both_offices_ask_the_same(
    make_office: Callable[..., Office], clock: SimulatedClock, tmp_path: Path, keeper_elsewhere: dict[str, Any]
) -> None:
    office = make_office(**keeper_elsewhere)
    other = open_office(tmp_path / "other", Settings(settling=0, **keeper_elsewhere), clock, SeededRandomSource("o"))
    record, _, before = left(office, clock, other)
    taken = transfer.take_in(other, CONSOLE, kept(office, record.key))
    after = go_on(other, clock, taken, {})
    report = checked(other, taken.key, office.public_key, before + after)
    assert not any("another keeper" in line for line in report.words)
    assert not any("keeper is in the office" in line for line in report.unchecked)
    turn = stored(office, TurnRow, order="-number", limit=1)[0]
    refuses(ConflictError, office.keeper.move, f"{record.key}.{turn.number + 1}", clock.now() + timedelta(days=1))
    other.close()


def test_what_was_ordered_ahead_is_opened_before_a_game_leaves(
    office: Office, clock: SimulatedClock, other: Office
) -> None:
    record, players, boss = begin(office, coordinated=True)
    sent = submissions.submit(office, players["France"], record.key, "France", "A par H\nRetreats:\nA par R gas")
    moving.leave(office, boss, record.key, card_of(other))
    day(office, clock)
    document = kept(office, record.key)
    taken = transfer.take_in(other, CONSOLE, document)
    assert "A par R gas" in proofs.transcript(other, VISITOR, taken.key), "the next season has begun there"
    checked(other, taken.key, other.public_key, [sent])


def test_a_game_that_is_to_leave_may_stay_and_goes_by_a_card_alone(
    office: Office, clock: SimulatedClock, other: Office
) -> None:
    record, players, boss = begin(office, coordinated=True)
    moving.leave(office, boss, record.key, card_of(other))
    moving.stay(office, boss, record.key)
    refuses(ConflictError, moving.stay, office, boss, record.key).match("wasn't going to move")
    send_all(office, record, players, 1)
    day(office, clock)
    assert games.game(office, boss, record.key).state == "running"
    for stranger in (VISITOR, *players.values()):
        refuses(OfficeError, moving.leave, office, stranger, record.key, card_of(other))
    # a card that is none is refused
    card = card_of(other)
    changed = card.replace('"address":"', '"address":"x')
    for wrong in ("", "{}", card[:-2], changed, card + "x", "[" * 5000, card_of(office)):
        refuses(InvalidInputError, moving.leave, office, boss, record.key, wrong)


class Path16(bytes):
    """Random bytes that a dishonest office writes as a path."""

    def hex(self, *_: Any) -> str:
        return "../elsewhere"


class Paths(SeededRandomSource):
    """Draws by lot, and gives a game a random name by which its files lie where the office wants them."""

    def bytes(self, count: int) -> bytes:
        drawn = super().bytes(count)
        return Path16(drawn) if count == 16 and inspect.stack()[1].function == "_create" else drawn


def test_no_game_that_comes_has_files_written_elsewhere(
    tmp_path: Path, clock: SimulatedClock, other: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game's random name is part of the names of files among the keys; the office that it comes from chose it."""
    dishonest = open_office(tmp_path / "dishonest", Settings(settling=0), clock, Paths("paths"))
    with monkeypatch.context() as lax:
        lax.setattr(keeper, "NAME", re.compile(".*"))  # its keeper looks away
        for folder in (tmp_path / "dishonest" / "keys" / "left", tmp_path / "other" / "keys" / "heads"):
            folder.mkdir()  # as where games have left, and games run
        record, _, _ = left(dishonest, clock, other)
        document = kept(dishonest, record.key)
    dishonest.close()
    before = set(tmp_path.rglob("*"))
    refused = refuses(InvalidInputError, transfer.take_in, other, CONSOLE, document)
    assert "which isn't a random name" in refused.value.faults[0]
    assert set(tmp_path.rglob("*")) == before


DEEP = "DEEP"
WRONG: tuple[Any, ...] = (None, "x", -1, 2**70, [], {}, {"commitment": 7}, DEEP)
HARMLESS = re.compile(
    r"\('(persons|keys)'|\('lines', 0, 'data', '(old|options)'|'signature', 'value'\): None|'files', 'value'\): \[\]|"
    r"'closed'\): \{\}|\('readers', [0-9]+\): x"
)
"""Places and values in them that say nothing else, or only of seats whose players aren't known."""


def damaged(whole: Any, wrong: Any) -> Iterator[tuple[str, Any]]:
    """Copies of a document in which a wrong value stands in one place, each in turn, of lists the first and last."""

    def places(value: Any) -> Iterator[tuple[Any, ...]]:
        listed = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, inner in listed:
            if isinstance(value, dict) or key in (0, len(value) - 1):
                yield (key,)
                yield from ((key, *rest) for rest in places(inner))

    for place in places(whole):
        copy = json.loads(json.dumps(whole))
        inner = copy
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = wrong
        yield f"{place}: {wrong}", copy


def resealed(other: Office, sealed: str, wrong: Any) -> Iterator[tuple[str, str]]:
    """What one office sealed to another, opened by that one's key, damaged at one place, and sealed again."""
    private = SigningKey(other.signing).to_curve25519_private_key()
    plain = json.loads(seals.unpad(SealedBox(private).decrypt(base64.b64decode(sealed))))
    for place, changed in damaged(plain, wrong):
        content = json.dumps(changed).encode().replace(b'"DEEP"', b"[" * 20_000 + b"]" * 20_000)
        yield place, base64.b64encode(SealedBox(private.public_key).encrypt(seals.pad(content))).decode()


@pytest.mark.parametrize("wrong", some(WRONG, 8), ids=repr)
def test_a_damaged_game_is_refused_with_its_fault(
    office: Office, clock: SimulatedClock, other: Office, monkeypatch: pytest.MonkeyPatch, wrong: Any
) -> None:
    """Whatever stands in the sealed part, an administrator reads what is wrong with it."""
    record, _, _ = left(office, clock, other, shows_senders="nobody")
    document = kept(office, record.key)
    undone = "taken, and undone by the test"
    monkeypatch.setattr(exports.rebuild, "within", lambda scene: [undone])
    taken: list[str] = []
    for place, sealed in resealed(other, document["handed"], wrong):
        refused = refuses(InvalidInputError, transfer.take_in, other, CONSOLE, {**document, "handed": sealed})
        assert refused.value.faults[0].startswith(("handed: ", undone)), place
        taken += [place] if refused.value.faults == (undone,) else []
    assert [place for place in taken if not HARMLESS.search(place)] == []


# New keys


def test_a_new_key_of_the_office_is_signed_by_the_one_before(
    office: Office, clock: SimulatedClock, tmp_path: Path
) -> None:
    record, players, _ = begin(office, coordinated=True)
    sent = list(send_all(office, record, players, 1).values())
    before = office.public_key
    new_signing_key(office)
    assert moving.renew(office, CONSOLE) == 1 and moving.renew(office, CONSOLE) == 0
    assert office.public_key != before
    day(office, clock)  # the keeper knows the turn's notices by the key before
    again = open_office(tmp_path / "office", Settings(settling=0), clock, SeededRandomSource("again"))
    sent += send_all(again, games.game(again, CONSOLE, record.key), players, 2).values()
    day(again, clock)
    report = checked(again, record.key, before, sent)
    assert report.office == again.public_key and not any("did not sign that" in line for line in report.words)
    again.close()


def test_a_turn_that_opened_under_a_key_before_closes_by_it_among_several(
    office: Office, clock: SimulatedClock
) -> None:
    """The newest are tried first: the keeper refuses as few notices as it can."""
    record, players, _ = begin(office, coordinated=True)
    sent = list(send_all(office, record, players, 1).values())
    first = office.public_key
    for number in (1, 2):
        new_signing_key(office)
        moving.renew(office, CONSOLE)
        if number == 1:
            day(office, clock)
            sent += send_all(office, games.game(office, CONSOLE, record.key), players, 2).values()
    day(office, clock)
    told = [line.what for line in office.keeper.log(f"{record.key}.2")]
    assert told.count("refused") == 1 and "gave" in told
    assert checked(office, record.key, first, sent).office == office.public_key


def test_a_key_that_is_lost_is_said_to_be(office: Office, clock: SimulatedClock, tmp_path: Path) -> None:
    record, players, _ = begin(office, coordinated=True)
    before = office.public_key
    office.signing = b"n" * 32
    assert moving.renew(office, CONSOLE) == 1
    text = proofs.transcript(office, VISITOR, record.key).encode()
    report = verify(text, [office.public_key], variants=office.variants, judges=False)
    assert report.failures == [] and any("the key before did not sign that" in line for line in report.words)
    assert not verify(text, [before], variants=office.variants, judges=False).key_known, (
        "the old key vouches for nothing after it"
    )
    assert second_check(None, text, key=before) == ""
    assert players


@pytest.mark.parametrize("kept", [True, False], ids=["signed", "lost"])
def test_a_new_key_of_the_keeper_is_told_in_the_turn(
    office: Office, clock: SimulatedClock, tmp_path: Path, kept: bool
) -> None:
    record, players, _ = begin(office, coordinated=True)
    sent = list(send_all(office, record, players, 1).values())
    identity = tmp_path / "office" / "keys" / IDENTITY
    if kept:
        identity.with_name(f"{IDENTITY}.before").write_bytes(identity.read_bytes())
    identity.write_bytes(b"k" * 32)
    day(office, clock)
    report = checked(office, record.key, office.public_key, sent)
    assert any("another keeper, which the one before did not confirm" in line for line in report.words) is not kept
