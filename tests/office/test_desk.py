"""The coordinator's desk: pictures, envelopes, version instructions, corrections; drafts taken back."""

from datetime import timedelta
from typing import Any

import pytest

from legation.game import replay
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk, postbag, readings
from legation.office.errors import (
    ConflictError,
    InvalidInputError,
    KeyNotReleasedError,
    LimitExceededError,
    NotAllowedError,
    NotFoundError,
    SignInNeededError,
)
from legation.office.game import journal, processing, seats
from legation.office.hosting import erasing, exports, games, proofs
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.records import DeskItem, Executed, GameRecord, Receipt
from legation.office.store.rows import FileRow
from tests.office.playing import (
    CONSOLE,
    VISITOR,
    begin,
    close_turn,
    gather,
    passes,
    person,
    refuses,
    send_all,
    turn_now,
)

PICTURE = b"\xff\xd8 a photograph"
OTHER = b"\x89PNG another"


def coordinated(office: Office, **settings: Any) -> tuple[GameRecord, dict[str, Actor], Actor]:
    return begin(office, coordinated=True, ready_ends=False, **settings)


def others_send(office: Office, clock: SimulatedClock, record: GameRecord, players: dict[str, Actor]) -> None:
    """All but England send a sheet, and the deadline comes."""
    send_all(office, record, {p: a for p, a in players.items() if p != "England"}, 1)
    close_turn(office, clock, record)


def sheet_of(office: Office, record: GameRecord, turn: int = 1) -> Executed:
    """What counted of England's, as everybody reads it."""
    return next(s for s in games.result(office, VISITOR, record.key, turn).sheets if s.power == "England")


def test_photographs_of_an_opened_letter_are_looked_at_beside_the_task(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = coordinated(office, opening_by_post=True)
    submissions.register_posted(office, boss, record.key, "England", pictures=[("envelope.jpg", OTHER, "image/jpeg")])
    others_send(office, clock, record, players)
    item = next(item for item in desk.items(office, boss) if item.power == "England")
    (digest,) = postbag.add_copies(office, boss, record.key, "England", "1", [("letter.jpg", PICTURE, "image/jpeg")])
    assert digest in desk.item(office, boss, item.id).facts["files"]
    assert readings.picture(office, boss, item.id, digest) == ("letter.jpg", "image/jpeg", PICTURE)
    kept = {name for name, _ in office.files.names()}
    for photographs in ([PICTURE + bytes([n]) for n in range(office.settings.most_files)], [OTHER, b""]):
        with pytest.raises((LimitExceededError, InvalidInputError)):
            pictures = [("letter.jpg", data, "image/jpeg") for data in photographs]
            postbag.add_copies(office, boss, record.key, "England", "1", pictures)
    assert {name for name, _ in office.files.names()} == kept, "what is refused leaves no file"
    with office.store.transaction() as tx:
        tx.remove(FileRow, digest=digest)
    refuses(NotFoundError, readings.picture, office, boss, item.id, digest).match("no such picture")


@pytest.mark.clause("W-20b")
def test_pictures_wait_for_their_transcription_and_nobody_sees_them_before(
    office: Office, clock: SimulatedClock
) -> None:
    record, players, boss = coordinated(office)
    england = players["England"]
    receipt = submissions.submit_pictures(
        office, england, record.key, "England", [("sheet.jpg", PICTURE, "image/jpeg")], "see photo"
    )
    assert receipt.checked is None and len(receipt.commitment) == 64
    assert desk.items(office, boss, record.key) == []
    came = submissions.overview(office, boss, record.key)
    assert {(s.power, s.files) for s in came if s.kind == "pictures" or s.files} == {("England", 1)}
    others_send(office, clock, record, players)
    refuses(ConflictError, games.result, office, players["France"], record.key, 1)
    (item,) = desk.items(office, boss)
    assert item.kind == "transcribe" and item.power == "England"
    (digest,) = desk.item(office, boss, item.id).facts["files"]
    assert readings.picture(office, boss, item.id, digest) == ("sheet.jpg", "image/jpeg", PICTURE)
    refuses(NotAllowedError, readings.picture, office, players["France"], item.id, digest)
    assert readings.suggest(office, boss, item.id, "A dev H\nA xyz - abc").lines[1].problem == "not understood"
    readings.transcribe(office, boss, item.id, "A dev H")
    work.run_due(office)
    sheet = sheet_of(office, record)
    assert sheet.orders == ("A dev H",) and sheet.transcribed and sheet.files == (digest,)
    assert all(p.holds for p in proofs.verify(office, players["France"], record.key))


def read_by_two(office: Office, clock: SimulatedClock) -> tuple[GameRecord, dict[str, Actor], Actor, Actor, DeskItem]:
    """A game with a deputy, and what of it the deputy is to read: England's photograph, written down as ``A dev H``."""
    record, players, boss = coordinated(office)
    deputy = person(office, "Deputy")
    assert games.name_deputy(office, boss, record.key, "Deputy@example.org").deputy == "Deputy"
    submissions.submit_pictures(office, players["England"], record.key, "England", [("a.jpg", PICTURE, "image/jpeg")])
    others_send(office, clock, record, players)
    assert desk.items(office, deputy) == desk.items(office, deputy, record.key) == []
    (item,) = desk.items(office, boss)
    refuses(NotFoundError, desk.item, office, deputy, item.id)
    for what in (readings.suggest, readings.transcribe):
        with pytest.raises((NotFoundError, NotAllowedError)):
            what(office, deputy, item.id, "A dev H")
    readings.transcribe(office, boss, item.id, "A dev H\nF lon H")
    work.run_due(office)
    assert turn_now(office, boss, record.key).state == "opened"
    (second,) = desk.items(office, deputy)
    assert (second.kind, second.power) == ("confirm", "England")
    return record, players, boss, deputy, desk.item(office, deputy, second.id)


def told(office: Office, reader: Actor, record: GameRecord, *kinds: str) -> list[tuple[str, str]]:
    return [
        (entry.kind, entry.facts.get("text", "")) for entry in journal.entries(office, reader, record.key, kinds=kinds)
    ]


def test_two_who_read_the_same(office: Office, clock: SimulatedClock) -> None:
    """With a deputy, a transcription counts when a second person has read the same, in whatever notation."""
    record, players, boss, deputy, item = read_by_two(office, clock)
    assert item.facts["readings"] == ["A dev H\nF lon H"]
    (digest,) = item.facts["files"]
    assert readings.picture(office, deputy, item.id, digest)[2] == PICTURE
    for other in (boss, players["France"], players["England"]):
        refuses(NotAllowedError, readings.confirm, office, other, item.id, "A dev H")
    refuses(ConflictError, readings.correct, office, boss, record.key, "England", "1", "A dev - brt", "it says so")
    readings.confirm(office, deputy, item.id, "army devon holds\n\nf LON holds")
    work.run_due(office)
    assert sheet_of(office, record).orders == ("A dev H", "F lon H")
    kinds = ("transcribed", "confirmed", "differs")
    assert told(office, players["France"], record, *kinds) == [("transcribed", ""), ("confirmed", "")]
    assert told(office, boss, record, *kinds) == [("transcribed", "A dev H\nF lon H"), ("confirmed", "")]
    refuses(ConflictError, readings.confirm, office, deputy, item.id, "A dev H").match("already dealt with")


def test_two_who_read_otherwise(office: Office, clock: SimulatedClock) -> None:
    """The coordinator says which reading counts, with a reason that all read; nothing goes on before. No reading is
    longer than a sheet."""
    record, players, boss, deputy, item = read_by_two(office, clock)
    long, most = "A dev H\n" * 10_000, "60,000 characters"
    for reader, what in ((boss, readings.suggest), (deputy, readings.confirm)):
        refuses(InvalidInputError, what, office, reader, item.id, long).match(most)
    readings.confirm(office, deputy, item.id, "A dev - brt\nF lon H")
    work.run_due(office)
    assert desk.items(office, deputy) == []
    (open_,) = desk.items(office, boss)
    assert open_.kind == "decide" and "readings" not in open_.facts
    assert desk.item(office, boss, open_.id).facts["readings"] == ["A dev H\nF lon H", "A dev - brt\nF lon H"]
    refuses(NotFoundError, desk.item, office, deputy, open_.id)
    refuses(InvalidInputError, readings.decide, office, boss, open_.id, "A dev - brt\nF lon H", " ")
    refuses(InvalidInputError, readings.decide, office, boss, open_.id, long, "it says so").match(most)
    readings.decide(office, boss, open_.id, "A dev - brt\nF lon H", "the word is Bristol")
    work.run_due(office)
    sheet = sheet_of(office, record)
    assert sheet.orders == ("A dev - brt", "F lon H") and sheet.transcribed
    (decided,) = journal.entries(office, players["France"], record.key, kinds=("decided",))
    assert "the word is Bristol" in decided.text and decided.who == "the coordinator"
    (differs,) = journal.entries(office, boss, record.key, kinds=("differs",))
    assert differs.who == "the deputy"


def test_nobody_waits_for_a_deputy_who_is_gone(office: Office, clock: SimulatedClock) -> None:
    record, _, boss, deputy, _ = read_by_two(office, clock)
    erasing.erase(office, deputy)
    assert games.game(office, boss, record.key).deputy is None and desk.items(office, boss) == []
    work.run_due(office)
    assert sheet_of(office, record).orders == ("A dev H", "F lon H")


def test_another_deputy_goes_on_where_the_first_was_and_then_one_reading_is_enough(
    office: Office, clock: SimulatedClock
) -> None:
    record, players, boss, deputy, item = read_by_two(office, clock)
    heir = person(office, "Heir")
    games.name_deputy(office, boss, record.key, "heir@example.org")
    assert desk.items(office, deputy) == []
    with pytest.raises((NotFoundError, NotAllowedError)):
        readings.confirm(office, deputy, item.id, "A dev H\nF lon H")
    (second,) = desk.items(office, heir)
    readings.confirm(office, heir, second.id, "A dev H\nF lon H")
    work.run_due(office)
    submissions.submit_pictures(office, players["England"], record.key, "England", [("b.jpg", PICTURE, "image/jpeg")])
    others_send(office, clock, record, players)
    (item,) = desk.items(office, boss)
    readings.transcribe(office, boss, item.id, "A dev H\nF lon H")
    assert [i.kind for i in desk.items(office, heir)] == ["confirm"]
    games.name_deputy(office, boss, record.key, "")  # the coordinator reads alone again, also what waits
    work.run_due(office)
    assert desk.items(office, heir) == [] and not [i for i in desk.items(office, boss) if i.kind == "confirm"]
    assert sheet_of(office, record, 2).orders == ("A dev H", "F lon H")
    kinds = [kind for kind, _ in told(office, boss, record, "deputy named", "confirmed", "deputy gone")]
    assert kinds == ["deputy named", "deputy named", "confirmed", "deputy gone"]


def test_who_reads_sheets_does_not_play(office: Office) -> None:
    record, players, boss = coordinated(office)
    plays = "can't play in the game"
    refuses(ConflictError, games.name_deputy, office, boss, record.key, "player0@example.org").match(plays)
    refuses(ConflictError, games.name_deputy, office, boss, record.key, "coordinator@example.org").match("second")
    for other in (players["France"], VISITOR):
        with pytest.raises((NotAllowedError, SignInNeededError)):
            games.name_deputy(office, other, record.key, "")
    deputy = person(office, "Deputy")
    games.name_deputy(office, boss, record.key, "deputy@example.org")
    assert [line.roles for line in games.list_games(office, deputy, mine=True)] == [("deputy",)]
    refuses(ConflictError, seats.replace, office, boss, record.key, "France", "deputy@example.org", "ill").match(
        "second"
    )
    games.name_deputy(office, boss, record.key)
    games.name_deputy(office, boss, record.key)
    assert games.list_games(office, deputy, mine=True) == []
    lines = [e.text for e in journal.entries(office, boss, record.key, kinds=("deputy named", "deputy gone"))]
    assert lines[0].startswith("Deputy is") and len(lines) == 2
    made = gather(office, boss, "Naseby", coordinated=True)
    games.name_deputy(office, boss, made.key, "deputy@example.org")
    link = games.invite(office, boss, made.key, "deputy@example.org", "France").secret
    for invitation in ("", link):
        refuses(ConflictError, seats.sign_up, office, deputy, made.key, ["France"], invitation).match(plays)
    games.name_deputy(office, boss, made.key)
    seats.sign_up(office, deputy, made.key, ["France"], link)
    refuses(ConflictError, games.name_deputy, office, boss, made.key, "deputy@example.org").match(plays)
    alone, _, host = begin(office, name="Alone")
    with pytest.raises((ConflictError, NotAllowedError)):
        games.name_deputy(office, host, alone.key, "deputy@example.org")


@pytest.mark.clause("W-20e")
def test_version_instructions_are_the_coordinators_to_read(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = coordinated(office)

    def send(text: str) -> Receipt:
        return submissions.submit(office, players["England"], record.key, "England", text)

    first = send("A dev H")
    second = send("v2 replaces v1 only if France has not written to me by Friday\nA dev - brt")
    assert second.checked is not None and second.checked.instructions and second.checked.orders == ("A dev - brt",)
    assert second.checked.lines[-1].line == 2  # lines keep their numbers
    others_send(office, clock, record, players)
    (item,) = desk.items(office, boss)
    assert item.kind == "choose" and item.submissions == (first.submission, second.submission)
    (other,) = submissions.mine(office, players["France"], record.key, "France")
    for number in (other.id, 999):
        refuses(NotFoundError, readings.choose, office, boss, item.id, number, "a slip").match("doesn't exist")
    readings.choose(office, boss, item.id, first.submission, "France had written")
    # two coordinators press at once: one acts, the other is told
    refuses(ConflictError, readings.choose, office, boss, item.id, second.submission, "no")
    work.run_due(office)
    sheet = sheet_of(office, record)
    assert (sheet.version, sheet.orders) == (1, ("A dev H",))
    assert "chosen" in [e.kind for e in journal.entries(office, VISITOR, record.key)]


@pytest.mark.clause("W-20e")
def test_paper_may_be_chosen_though_a_text_came_after_it_and_its_reading_stays_when_it_is_chosen_again(
    office: Office, clock: SimulatedClock
) -> None:
    record, players, boss = coordinated(office)
    deputy, key = person(office, "Deputy"), record.key
    games.name_deputy(office, boss, key, "Deputy@example.org")
    first = submissions.submit_pictures(office, players["England"], key, "England", [("a.jpg", PICTURE, "image/jpeg")])
    submissions.submit(office, players["England"], key, "England", "A dev H")
    others_send(office, clock, record, players)
    (item,) = desk.items(office, boss)
    assert item.kind == "choose" and len(desk.item(office, boss, item.id).facts["pictures"]["1"]) == 1
    readings.choose(office, boss, item.id, first.submission, "“this counts if France is still at peace with us”")
    (reading,) = desk.items(office, boss)
    readings.transcribe(office, boss, reading.id, "A dev - brt")
    (second,) = desk.items(office, deputy)
    readings.choose(office, boss, second.id, first.submission, "so it says, indeed")
    assert [(i.kind, i.id) for i in desk.items(office, deputy)] == [("confirm", second.id)]
    readings.confirm(office, deputy, second.id, "A dev - brt")
    work.run_due(office)
    sheet = sheet_of(office, record)
    assert (sheet.version, sheet.orders, sheet.chosen) == (1, ("A dev - brt",), "so it says, indeed")


@pytest.mark.clause("W-20a")
def test_a_revision_without_the_posted_sheet_is_decided(office: Office, clock: SimulatedClock) -> None:
    """W-20a, W-20b."""
    record, players, boss = coordinated(office, opening_by_post=True)
    submissions.register_posted(office, boss, record.key, "France", "envelope with a blue stamp")
    submissions.submit_pictures(office, players["England"], record.key, "England", [("a.jpg", PICTURE, "image/jpeg")])
    close_turn(office, clock, record)
    kinds = {(i.kind, i.power): i for i in desk.items(office, boss)}
    assert set(kinds) == {("transcribe", "France"), ("transcribe", "England"), ("unposted", "England")}
    readings.decide_unposted(office, boss, kinds["unposted", "England"].id, False, "nothing came by post")
    assert [(i.kind, i.power) for i in desk.items(office, boss)] == [("transcribe", "France")]
    readings.transcribe(office, boss, kinds["transcribe", "France"].id, "A par H")
    work.run_due(office)
    result = games.result(office, boss, record.key, 1)
    assert {s.power: s.missing for s in result.sheets} == {"Burgundy": True, "England": True, "France": False}


def test_a_transcription_is_corrected_until_it_is_final(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = coordinated(office, drafts=True, approve=True, schedule="three-kingdoms")
    submissions.submit_pictures(office, players["England"], record.key, "England", [("a.jpg", PICTURE, "image/jpeg")])
    others_send(office, clock, record, players)
    (item,) = desk.items(office, boss)
    readings.transcribe(office, boss, item.id, "A dev H")
    work.run_due(office)
    refuses(ConflictError, games.result, office, players["France"], record.key, 1)
    refuses(NotAllowedError, processing.preview, office, players["France"], record.key)
    assert games.list_games(office, boss)[0].deadline is None, "nothing is due while results are reviewed"
    assert processing.preview(office, boss, record.key).state == "judged"
    processing.publish_draft(office, boss, record.key)
    assert games.result(office, players["France"], record.key, 1).state == "draft"
    readings.correct(office, boss, record.key, "England", "1", "A dev - brt", "it says Bristol")
    # nobody sees it before the coordinator has looked at it
    refuses(ConflictError, games.result, office, players["France"], record.key, 1)
    (changed,) = [s for s in processing.preview(office, boss, record.key).sheets if s.before]
    assert (changed.power, changed.before, changed.reason) == ("England", "A dev H", "it says Bristol")
    processing.publish_draft(office, boss, record.key)
    sheet = sheet_of(office, record)
    assert sheet.orders == ("A dev - brt",) and sheet.corrected
    assert games.result(office, VISITOR, record.key, 1).state == "draft"
    refuses(ConflictError, readings.correct, office, boss, record.key, "France", "1", "A par H", "no")
    processing.take_back_draft(office, boss, record.key, "one more look")
    refuses(ConflictError, games.result, office, players["France"], record.key, 1)
    processing.publish_draft(office, boss, record.key)
    passes(office, clock, timedelta(days=40))
    for _ in range(3):  # retreats, if there are any, close by themselves and are published
        present = turn_now(office, boss, record.key)
        if present.state == "judged":
            processing.publish_draft(office, boss, record.key)
        if turn_now(office, boss, record.key).state == "draft":
            processing.publish_final(office, boss, record.key)
        work.run_due(office)
    assert games.result(office, boss, record.key, 1).state == "final"
    refuses(ConflictError, readings.correct, office, boss, record.key, "England", "1", "A dev H", "too late")
    assert exports.rebuild(office, boss, record.key) == []
    assert replay(exports.saved_game(office, boss, record.key))[1] == []


@pytest.mark.clause("W-20d")
def test_nothing_is_opened_before_the_deadline(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = coordinated(office)
    receipt = submissions.submit(office, players["England"], record.key, "England", "A dev H")
    # not even its sender, without the key of the receipt
    for key, told in (
        ("", r"lost it, send your orders again\.$"),
        ("A" * 43 + "=", "doesn't open it"),
        ("no base64 at all!", r"isn't a reading key\. Copy it from your receipt"),
    ):
        refuses(KeyNotReleasedError, submissions.read_own, office, players["England"], receipt.submission, key).match(
            told
        )
    own = submissions.read_own(office, players["England"], receipt.submission, receipt.reading_key)
    assert own.text == "A dev H"
    for other in (players["France"], boss, CONSOLE):
        refuses(NotAllowedError, submissions.read_own, office, other, receipt.submission)
    refuses(KeyNotReleasedError, office.keeper.key, f"{record.key}.1")
    seen = [e for e in journal.entries(office, players["England"], record.key) if e.kind == "opened"]
    assert [e.facts["why"] for e in seen] == ["read by its own power"]
    assert not [e for e in journal.entries(office, boss, record.key) if e.kind == "opened"]


@pytest.mark.clause("W-20a")
def test_an_envelope_displaces_what_was_sent_only_by_its_senders_word(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = coordinated(office, opening_by_post=True, schedule="three-kingdoms")
    submissions.submit(office, players["France"], record.key, "France", "A par H")
    photograph = [("a.jpg", PICTURE, "image/jpeg")]
    submissions.submit_pictures(office, players["England"], record.key, "England", photograph)
    registered = {
        power: submissions.register_posted(office, boss, record.key, power, "", photograph)
        for power in ("France", "England")
    }
    refuses(NotAllowedError, submissions.confirm, office, boss, registered["England"].id)
    submissions.confirm(office, players["England"], registered["England"].id)
    close_turn(office, clock, record)
    found = {(i.kind, i.power): i for i in desk.items(office, boss)}
    assert set(found) == {("choose", "France"), ("choose", "England"), ("transcribe", "England")}
    assert {i.due for i in found.values()} == {record.turn and record.turn.opened.replace(day=17, hour=7)}
    revision, posted = found["choose", "France"].submissions
    assert desk.item(office, boss, found["choose", "France"].id).facts["choice"] == [revision]
    assert len(desk.item(office, boss, found["choose", "England"].id).facts["choice"]) == 2, "England confirmed it"
    better = (office, boss, found["choose", "France"].id, posted, "I like it better")
    refuses(NotAllowedError, readings.choose, *better).match("count only if they confirm it")
    readings.choose(office, boss, found["choose", "France"].id, revision, "written after the sheet")
    assert ("transcribe", "France") not in {(i.kind, i.power) for i in desk.items(office, boss)}
    choice = desk.item(office, boss, found["choose", "England"].id)
    (digest,) = choice.facts["pictures"]["1"]
    assert readings.picture(office, boss, choice.id, digest)[2] == PICTURE
    readings.choose(office, boss, choice.id, choice.submissions[1], "posted last")
    (last,) = desk.items(office, boss)
    assert last.facts["posted"] and last.power == "England"
    readings.transcribe(office, boss, last.id, "A dev H")
    work.run_due(office)
    sheets = {s.power: s for s in games.result(office, boss, record.key, 1).sheets}
    told = {power: (s.orders, s.transcribed, s.entered_by) for power, s in sheets.items()}
    assert told["France"] == (("A par H",), False, "holder")
    assert told["England"] == (("A dev H",), True, "coordinator after the opening")
