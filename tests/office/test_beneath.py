"""What the office does when something beneath it fails or comes twice: nothing is done again, nothing is lost, and who
can mend it is told."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from legation import variants
from legation.judge import Power
from legation.office.clock import SimulatedClock
from legation.office.context import CROSSINGS, Actor, CommandContext, by_clock, command
from legation.office.desk import desk, mailings, mailroom
from legation.office.errors import ConflictError, SerializationConflictError, SignInNeededError, UnavailableError
from legation.office.game import journal
from legation.office.game.journal import sentence
from legation.office.hosting import exports, games
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import archive, work
from legation.office.operation.work import Kind
from legation.office.orders import submissions
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import GameRow, JournalRow, RecordRow, SubmissionRow, TurnRow, WorkRow
from legation.office.store.transaction import DuplicateRowError, Transaction
from tests.office.later import release
from tests.office.playing import CONSOLE, VISITOR, alter, begin, passes, person, refuses, send_all, the, turn_now


def due(office: Office, kind: str, turn: int) -> None:
    """Have a piece of work done now, though the clock did not ask for it."""
    with by_clock(office) as act:
        act.schedule_job(kind, f"again {kind}", act.at, act.tx.get(GameRow, 1), turn=turn)


@pytest.mark.parametrize(
    "kind", ["close turn", "end early", "open seals", "judge", "next turn", "remind", "bot orders"]
)
def test_work_that_comes_again_does_nothing(office: Office, clock: SimulatedClock, kind: str) -> None:
    record, players, _ = begin(office)
    send_all(office, record, players, 1)
    passes(office, clock, timedelta(days=1))
    everything = journal.entries(office, CONSOLE, record.key, limit=1000)
    waiting = mailings.waiting(office, CONSOLE, record.key)
    due(office, kind, 1)
    assert work.run_due(office) == 1
    assert journal.entries(office, CONSOLE, record.key, limit=1000) == everything
    assert mailings.waiting(office, CONSOLE, record.key) == waiting


def test_a_turn_is_not_closed_before_its_deadline(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office)
    send_all(office, record, players, 1)
    due(office, "close turn", 1)
    work.run_due(office)
    assert turn_now(office, CONSOLE, record.key).state == "open"
    passes(office, clock, timedelta(days=1))
    assert games.result(office, VISITOR, record.key).number == 1, "it closes then all the same"


def _fail(office: Office, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Let the turn's work fail until it is the desk's."""

    def refuse(*_: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(work, "_kinds", lambda: dict.fromkeys(("close turn", "remind"), Kind(refuse)))
        for _ in range(work.ATTEMPTS):
            assert work.run_due(office) == 0
            clock.advance(timedelta(hours=1))


def test_work_that_keeps_failing_is_the_desk_s_until_it_is_done(
    office: Office, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, players, _ = begin(office)
    send_all(office, record, players, 1)
    clock.advance(timedelta(days=1))

    _fail(office, clock, monkeypatch, ConflictError("The judge is not at home."))
    failed = [item for item in desk.items(office, CONSOLE) if item.kind == "failed"]
    assert {item.facts["error"] for item in failed} == {"The judge is not at home."}
    work.run_due(office)
    assert turn_now(office, CONSOLE, record.key).number == 1
    for item in failed:
        desk.settle(office, CONSOLE, item.id, "the judge is back", retry=True)
    work.run_due(office)
    assert games.result(office, VISITOR, record.key).number == 1
    # what fails for a while leaves the desk once it is done
    send_all(office, record, players, 1)
    clock.advance(timedelta(days=1))

    _fail(office, clock, monkeypatch, UnavailableError("The keeper is away."))
    (item,) = [item for item in desk.items(office, CONSOLE) if "close turn" in item.text]
    assert item.text == "Something keeps failing: close turn."
    work.run_due(office)
    assert games.result(office, VISITOR, record.key).number == 2
    assert [item.text for item in desk.items(office, CONSOLE) if "close turn" in item.text] == []


def test_work_that_another_has_done_meanwhile_is_not_noted_as_failed(
    office: Office, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(office)
    due(office, "judge", 1)

    def gone(office: Office, facts: dict[str, Any]) -> None:
        with office.store.transaction() as tx:
            tx.remove(WorkRow, kind="judge")
        raise UnavailableError("The keeper is away.")

    monkeypatch.setattr(work, "_kinds", lambda: {"judge": Kind(lambda *_: None, gone)})
    assert work.run_due(office) == 0
    assert desk.items(office, CONSOLE) == []


# The store


def test_commands_that_keep_crossing_are_left_to_be_tried_later(office: Office) -> None:
    tried: list[int] = []

    @command("me", console="any")
    def unlucky(act: CommandContext) -> None:
        tried.append(1)
        raise SerializationConflictError("Two commands stood in each other's way.")

    refuses(SerializationConflictError, unlucky, office, CONSOLE)
    assert len(tried) == CROSSINGS + 1


def test_two_versions_at_the_same_moment_are_not_one(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    record, players, _ = begin(office)
    add = Transaction.add

    def twice(self: Transaction, row: Any) -> Any:
        if isinstance(row, SubmissionRow):
            raise DuplicateRowError("submissions")
        return add(self, row)

    with monkeypatch.context() as patch:
        patch.setattr(Transaction, "add", twice)
        with pytest.raises(ConflictError, match=r"at the same moment\. Send this one again"):
            submissions.submit(office, players["France"], record.key, "France", "A par H")
    assert submissions.submit(office, players["France"], record.key, "France", "A par H").version == 1


def test_a_row_that_must_be_there_and_databases_of_two_versions(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with office.store.transaction(write=False) as tx, pytest.raises(LookupError, match="no games 999"):
        tx.get(GameRow, 999)
    release(monkeypatch, tmp_path)
    with pytest.raises(ConflictError, match="different versions; open the older one with this version first"):
        archive.move(office, f"sqlite:///{tmp_path / 'other.db'}")


# What was changed behind the office's back


def test_a_result_that_the_journal_does_not_lead_to_and_a_line_that_is_gone_are_told(
    office: Office, clock: SimulatedClock
) -> None:
    record, players, _ = begin(office)
    send_all(office, record, players, 1)
    passes(office, clock, timedelta(days=1))
    assert exports.rebuild(office, CONSOLE, record.key) == []
    result = unpack(the(office, TurnRow, 1).result)
    result["after"]["units"]["France"] = []
    alter(office, TurnRow, {"result": pack(result)}, id=1)
    assert exports.rebuild(office, CONSOLE, record.key) == ["1425 Movement: the position after it is another one"]
    with office.store.transaction() as tx:
        tx.remove(JournalRow, kind="final results")
    assert exports.rebuild(office, CONSOLE, record.key) == ["1425 Movement: the journal has 1425 Movement"]


def test_a_line_of_a_kind_that_nobody_knows_is_shown_by_its_kind() -> None:
    assert sentence("comet seen", {}, Power) == "comet seen."
    assert sentence("withdrawn", {"power": "France", "version": 2}, Power) == "France withdrew version 2."


@pytest.mark.parametrize(
    ("kind", "facts", "told"),
    [
        ("civil disorder", {"power": "Franks"}, "The Franks are in civil disorder."),
        ("seated", {"power": "British"}, "The British have a player."),
        ("replacement wanted", {"power": "France"}, "France needs a new player."),
        ("bot seated", {"power": "Magyars & Polacks", "bot": "hold"}, "The bot hold plays the Magyars & Polacks."),
        ("resigned", {"power": "Vikings"}, "The Vikings' player resigned."),
        ("confirmed", {"power": "British"}, "The deputy read the British orders the same way."),
        ("resigned", {"power": "Crown"}, "The Crown's player resigned."),
        ("ready", {"power": "Protectorate"}, "The Protectorate is ready."),
        ("game created", {"name": "blitz", "title": "Hundred"}, "blitz was created: Hundred."),
    ],
)
def test_a_line_agrees_with_its_power(kind: str, facts: dict[str, str], told: str) -> None:
    rules = variants.load("three-kingdoms")
    assert sentence(kind, facts, rules.named) == told


# Mail and passkeys


def test_a_mail_that_is_recorded_twice_is_one_and_is_asked_about_once(office: Office) -> None:
    ann = person(office, "Ann")
    sender = mailroom.MailSender(ann.person, (), None, False, ann.person)
    first = mailroom.record(office, [b"<1@example.org>"], "waits", sender)
    again = mailroom.record(office, [b"<1@example.org>"], "waits", sender)
    assert (first.new, again.new, again.id) == (True, False, first.id)
    for _ in range(2):
        mailroom.ask_release(office, first, "ann@example.org", "Orders")
    assert [mailing.kind for mailing in mailings.claim(office)].count("release") == 1


def test_a_passkey_is_kept_once_and_ends_the_sessions_that_it_made_and_no_others_when_it_is_removed(
    office: Office,
) -> None:
    ann = person(office, "Ann")
    assert ann.person is not None
    for key in ("phone", "stick"):
        people.keep_passkey(office, ann, key, key, {}, people.passkey_challenge(office, ann.person))
    with pytest.raises(ConflictError, match="already registered"):
        people.keep_passkey(office, ann, "phone", "phone", {}, people.passkey_challenge(office, ann.person))
    with pytest.raises(SignInNeededError):
        people.use_passkey(office, Actor.clock(), "another", {}, people.passkey_challenge(office))
    by_mail = people.start_session(office, Actor.clock(), ann.person).secret
    by_phone, by_stick = (
        people.use_passkey(office, Actor.clock(), key, {}, people.passkey_challenge(office)).secret
        for key in ("phone", "stick")
    )
    (phone,) = [one for one in people.credentials(office, ann) if one.label == "phone"]
    people.end(office, people.by_secret(office, by_mail), phone.id)
    refuses(SignInNeededError, people.by_secret, office, by_phone)
    assert {people.by_secret(office, secret).person for secret in (by_mail, by_stick)} == {ann.person}


def test_a_ready_power_waits_for_the_bots(office: Office) -> None:
    record, players, _ = begin(office, powers=2)
    with office.store.transaction() as tx:
        tx.remove(RecordRow)
        assert tx.remove(SubmissionRow, channel="bot") == 1
    for power, actor in players.items():
        assert submissions.ready(office, actor, record.key, power) is False, "the bot has sent nothing yet"
