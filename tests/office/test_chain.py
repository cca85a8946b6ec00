"""Games of a real office, checked by the verifier alone, from their transcripts."""

import json
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy.exc import IntegrityError

from legation.game.sheets import later_turns, split_sheet
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.desk import mailroom, readings
from legation.office.errors import ConflictError, InvalidInputError, NotAllowedError, TooLateError
from legation.office.game import journal, processing, seats
from legation.office.hosting import deadlines, erasing, games, proofs
from legation.office.office import Office, open_office
from legation.office.operation import archive, lost_keys, work
from legation.office.orders import submissions
from legation.office.records import GameRecord, Receipt
from legation.office.settings import Settings
from legation.office.store.rows import GameRow, LineRow, MailingRow, PrivateRow, RecordRow, SubmissionRow, TurnRow
from legation.position import Turn
from legation.proofs.receipts import SignedHead, SignedRefusal, read_heads, read_receipt, signed_by
from legation.proofs.records import ready_statement, sheet_statement
from legation.proofs.signing import public_key, sign
from legation.proofs.verifying import verify
from tests.office.playing import (
    CONSOLE,
    VISITOR,
    alter,
    begin,
    passes,
    person,
    refuses,
    send_all,
    sheets,
    stored,
    the,
    turn_now,
)
from tests.office.test_orders_ahead import PHOTOGRAPH, SEED, dislodged, drafted, end_turn, report, transcribe
from tests.proofs.tampering import changed, second_check, second_game
from tests.sampling import some


def rows_of(office: Office, record: GameRecord, kind: str) -> list[dict[str, Any]]:
    """The data of the lines of a kind that all may read."""
    rows = [json.loads(row) for row in proofs.transcript(office, VISITOR, record.key).splitlines()]
    return [row["line"]["data"] for row in rows if row.get("line", {}).get("kind") == kind]


def played(
    office: Office, clock: SimulatedClock, turns: int = 4, **settings: Any
) -> tuple[GameRecord, dict[str, Actor], Actor, list[str]]:
    """A game after some turns, with the receipts of all that was sent."""
    record, players, host = begin(office, **settings)
    receipts: list[str] = []
    for number in range(turns):
        present = stored(office, TurnRow, order="-number", limit=1)[0]
        awaited = [power for power in present.awaited.split("\n") if power in players]
        now = games.game(office, CONSOLE, record.key)
        own = settings.get("variant") == "foggy"  # which the drawers of sheets do not know
        texts = dict.fromkeys(awaited, "# I hold") if own else sheets(office, now, number, awaited)
        for power, text in texts.items():
            sent = submissions.submit(office, players[power], record.key, power, text, nonce=f"{len(receipts):032x}")
            receipts.append(sent.proof)
        passes(office, clock, timedelta(days=1))
    return record, players, host, receipts


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"shows_senders": "nobody"},
        *(
            pytest.param(settings, marks=pytest.mark.long)
            for settings in (
                {"shows_senders": "coordinator", "anonymous": True},
                {"missing": "wait"},
                *({"variant": name} for name in ("standard", "three-kingdoms", "1000ad", "1897")),
            )
        ),
    ],
    ids=repr,
)
def test_a_game_verifies_with_all_its_receipts(office: Office, clock: SimulatedClock, settings: dict[str, Any]) -> None:
    record, players, _, receipts = played(office, clock, **settings)
    found = report(office, record, receipts=receipts)
    assert found.failures == []
    assert [r for r in found.receipts if not r.holds] == [] and len(found.receipts) == len(receipts) > 3
    assert any("judged again" in line for line in found.checked)
    power = next(iter(players))
    assert report(office, record, players[power]).failures == []
    assert all(p.holds for p in proofs.verify(office, VISITOR, record.key))


def test_what_happens_between_deadlines_verifies(office: Office, clock: SimulatedClock) -> None:
    """Withdrawals, readiness, pauses, deadlines that move, seats that change hands, turns that end early."""
    record, players, boss = begin(office, coordinated=True, missing="wait")
    sent = send_all(office, record, players, 1)
    power = next(iter(sent))
    submissions.withdraw(office, players[power], sent[power].submission)
    submissions.ready(office, players[power], record.key, power)
    submissions.not_ready(office, players[power], record.key, power)
    submissions.submit(office, players[power], record.key, power, "# I hold", nonce="0f" * 16)
    games.pause(office, boss, record.key, "ill")
    clock.advance(timedelta(days=2))
    games.resume(office, boss, record.key, "well again")
    deadlines.extend(office, boss, record.key, clock.now() + timedelta(days=5), "floods")
    for name, actor in players.items():
        submissions.ready(office, actor, record.key, name)
    work.run_due(office)
    assert report(office, record).failures == [] and games.result(office, boss, record.key).number == 1
    person(office, "Friend")
    seats.replace(office, boss, record.key, power, "friend@example.org", "away")
    seats.vacate(office, boss, record.key, next(p for p in players if p != power), "away")
    passes(office, clock, timedelta(days=1))
    found = report(office, record)
    assert found.failures == []


def test_a_game_in_the_fog_verifies_for_each_reader_while_it_runs(foggy: Office, clock: SimulatedClock) -> None:
    office = foggy
    record, players, host, receipts = played(office, clock, 2, variant="foggy")
    for reader in (VISITOR, players["France"], host):
        assert report(office, record, reader).failures == []
    text = proofs.transcript(office, players["France"], record.key)
    assert '"seat":"Turkey","turn"' not in text.replace(" ", ""), "nothing tells what Turkey has to order"
    games.cancel(office, CONSOLE, record.key, "enough")
    assert report(office, record, receipts=receipts).failures == []


def test_drafts_that_are_taken_back_and_transcriptions_verify(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = drafted(office, clock)
    submissions.submit(office, players["France"], record.key, "France", "A par D")
    processing.take_back_draft(office, boss, record.key, "a sheet was misread")
    burgundy = sheets(office, record, SEED, ["Burgundy"])["Burgundy"]
    readings.correct(office, boss, record.key, "Burgundy", "1", f"{burgundy}\n# as it is", "a second look")
    processing.publish_draft(office, boss, record.key)
    found = report(office, record)
    assert found.failures == [] and any("written down after the opening" in line for line in found.told)


def test_a_keeper_elsewhere_witnesses_and_has_a_part_in_the_lots(
    make_office: Callable[..., Office], clock: SimulatedClock, keeper_elsewhere: dict[str, str]
) -> None:
    office = make_office(**keeper_elsewhere)
    record, _, _, receipts = played(office, clock, 2)
    found = report(office, record, receipts=receipts)
    assert found.failures == [] and not [line for line in found.unchecked if "keeper is in the office" in line]


def test_an_office_that_comes_back_from_a_backup_says_what_it_lost(
    office: Office, clock: SimulatedClock, tmp_path: Path
) -> None:
    record, players, _ = begin(office)
    archive.backup(tmp_path / "office", tmp_path / "backup.tar.gz")
    send_all(office, record, players, 1)
    passes(office, clock, timedelta(days=1))
    office.close()
    (tmp_path / "office" / "office.db").unlink()
    for beside in (tmp_path / "office").glob("office.db-*"):
        beside.unlink()
    archive.restore(tmp_path / "backup.tar.gz", tmp_path / "office")
    again = open_office(tmp_path / "office", Settings(settling=0), clock, SeededRandomSource("again"))
    assert submissions.submit(again, players["France"], record.key, "France", "A par H").version == 1
    found = report(again, record)
    assert found.failures == [] and any("came back from a backup" in line for line in found.words)
    again.close()


@pytest.mark.parametrize("entered", ["envelope", "sheet"])
def test_what_is_entered_after_the_opening_is_told_by_the_verifier(
    office: Office, clock: SimulatedClock, entered: Any
) -> None:
    record, _, boss = begin(office, coordinated=True)
    came = submissions.register_posted(office, boss, record.key, "France", "", PHOTOGRAPH, entered)
    standing = proofs.standing(office, VISITOR, record.key, came.commitment)
    assert standing.holds and standing.what.endswith("1425 Movement is not judged yet.")
    passes(office, clock, timedelta(days=1))
    transcribe(office, boss, "A par H")
    found = report(office, record)
    assert found.failures == []
    called = {"envelope": "The envelope that was photographed on", "sheet": "The photograph of"}[entered]
    counted = proofs.standing(office, VISITOR, record.key, f" {came.commitment.upper()}\n").what
    assert counted == f"{called} 2 March 2026 counted: it is version 1 of France in 1425 Movement."
    assert not proofs.standing(office, VISITOR, record.key, "f" * 64).holds
    told = [line for line in found.told if "of France was entered by the coordinator" in line]
    assert len(told) == 1 and ("after the opening" in told[0])


def test_a_seats_own_key_signs_sheets_and_readiness(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office)
    private, france = bytes(range(32)), players["France"]
    submissions.set_key(office, france, record.key, "France", public_key(private))
    ref, turn, nonce = the(office, GameRow).ref, turn_now(office, VISITOR, record.key).name, "ab" * 16
    signatures = signatures_of(office, record, "France", private, "A par H", nonce)
    with pytest.raises(InvalidInputError, match="did not sign this"):
        submissions.submit(office, france, record.key, "France", "A par - orl", nonce=nonce, signatures=signatures)
    with pytest.raises(InvalidInputError, match="nonce"):
        submissions.submit(office, france, record.key, "France", "A par H", nonce="short")
    secret = mailroom.reply_address(office, record.key, "France", france.person)
    with pytest.raises(InvalidInputError, match="secret reply address"):
        submissions.submit(
            office, france, record.key, "France", f"A par H\nTo: {secret}", nonce=nonce, signatures=signatures
        )
    sent = submissions.submit(office, france, record.key, "France", "A par H", nonce=nonce, signatures=signatures)
    with pytest.raises(InvalidInputError, match="signature doesn't match"):
        submissions.ready(office, france, record.key, "France", "00" * 64)
    for power, actor in players.items():
        statement = ready_statement(ref, turn, power, 1)
        submissions.ready(
            office, actor, record.key, power, sign(private, "ready", statement) if power == "France" else ""
        )
    work.run_due(office)
    assert games.result(office, VISITOR, record.key).number == 1
    assert report(office, record, receipts=[sent.proof]).failures == []


def signatures_of(
    office: Office, record: GameRecord, power: str, private: bytes, text: str, nonce: str
) -> tuple[str, ...]:
    """Sign a sheet with a seat's key as the page does: one signature for each turn of the season."""
    game = the(office, GameRow, key=record.key)
    turn = Turn.parse(stored(office, TurnRow, game=game.id, number=game.turn)[0].name)
    return tuple(
        sign(private, "sheet", sheet_statement(game.ref, name, str(turn), power, part, [], nonce))
        for name, part in split_sheet(text, turn, later_turns(office.rules(game), turn)).items()
    )


def signed_sheet(office: Office, actor: Actor, record: GameRecord, power: str, private: bytes, text: str) -> str:
    """Send a sheet as a page does that has just made this key; the receipt."""
    submissions.set_key(office, actor, record.key, power, public_key(private))
    nonce = office.random_source.bytes(16).hex()
    signatures = signatures_of(office, record, power, private, text, nonce)
    return submissions.submit(office, actor, record.key, power, text, nonce=nonce, signatures=signatures).proof


@pytest.mark.parametrize("fog", some([True, False], 2), ids=["fog", "hidden senders"])
def test_a_page_that_makes_its_key_as_it_sends_tells_nobody_that_it_sent(
    foggy: Office, clock: SimulatedClock, fog: bool
) -> None:
    """The key's line waits for the closing; both verifiers know which keys a seat had, two in one turn as well."""
    office = foggy
    told: dict[str, Any] = {"variant": "foggy", "powers": 3} if fog else {"shows_senders": "nobody"}
    record, players, _ = begin(office, **told)
    (power, actor), (_, rival), *_ = players.items()

    def seen(who: Actor) -> tuple[object, ...]:
        lines = journal.entries(office, who, record.key, limit=500)
        return lines, [row for row in proofs.transcript(office, who, record.key).splitlines() if '"line"' in row[:8]]

    others = (VISITOR, rival)
    before = [seen(other) for other in others]
    receipts = [signed_sheet(office, actor, record, power, bytes([n]) * 32, f"# {n}") for n in (1, 2)]
    assert [seen(other) for other in others] == before
    for n in (3, 2):
        passes(office, clock, timedelta(days=1))
        receipts.append(signed_sheet(office, actor, record, power, bytes([n]) * 32, f"# {n} again"))
    seats.resign(office, actor, record.key, power)  # the key goes with the holder, and nobody reads it from that
    passes(office, clock, timedelta(days=1))
    if fog:
        assert '"kind":"seat key"' not in proofs.transcript(office, VISITOR, record.key)
        games.cancel(office, CONSOLE, record.key, "enough")
    for reader in (VISITOR, rival, actor):
        assert report(office, record, reader, receipts).failures == []
        text = proofs.transcript(office, reader, record.key).encode()
        kept = [read_receipt(proof) for proof in receipts]
        assert second_check(None, text, kept, key=office.public_key) == ""


def test_somebody_who_is_erased_breaks_no_chain_and_no_proof(office: Office, clock: SimulatedClock) -> None:
    record, players, boss, receipts = played(office, clock, 1, coordinated=True)
    france = players["France"]
    sent = submissions.submit_pictures(office, france, record.key, "France", PHOTOGRAPH, "call me Zelda")
    passes(office, clock, timedelta(days=1))
    transcribe(office, boss, "A par H")
    seats.resign(office, france, record.key, "France")
    erasing.erase(office, france)
    found = report(office, record, receipts=[*receipts, sent.proof])
    assert found.failures == [] and any("which were erased" in line for line in found.unchecked)
    assert "Zelda" not in proofs.transcript(office, CONSOLE, record.key)
    result = games.result(office, VISITOR, record.key)
    assert result.head is not None and result.head["office"] == office.public_key
    head = msgspec.json.encode(result.head, order="sorted").decode()
    assert report(office, record, receipts=[head]).failures == []


@pytest.mark.parametrize("senders", ["all", "nobody"])
def test_the_holders_words_are_signed_by_the_seats_key(office: Office, clock: SimulatedClock, senders: str) -> None:
    """A withdrawal and "ready" are taken with the key's own signature or none; a forged one, one of another version and
    one that was given before are refused and leave no trace."""
    record, players, boss = begin(office, coordinated=True, shows_senders=senders)
    private, france = bytes(range(32)), players["France"]
    submissions.set_key(office, france, record.key, "France", public_key(private))
    ref, turn = the(office, GameRow).ref, turn_now(office, VISITOR, record.key).name

    def by_key(what: str, version: int, again: int = 0) -> str:
        return sign(private, what, ready_statement(ref, turn, "France", version, again))

    for number in (1, 2):
        submissions.submit(office, france, record.key, "France", f"A par {'H' if number == 1 else '- orl'}")
    submissions.ready(office, france, record.key, "France", by_key("ready", 2))
    _, second = submissions.mine(office, france, record.key, "France")
    for forged in ("00" * 64, by_key("refused", 2), by_key("withdrawn", 1), by_key("ready", 2)):
        with pytest.raises(InvalidInputError, match="signature doesn't match"):
            submissions.withdraw(office, france, second.id, forged)
    assert [v.standing for v in submissions.mine(office, france, record.key, "France")] == ["replaced", "counts"]
    submissions.withdraw(office, france, second.id, by_key("withdrawn", 2))  # and what was ready is not any more
    with pytest.raises(InvalidInputError, match="signature doesn't match"):
        submissions.ready(office, france, record.key, "France", by_key("ready", 2))
    submissions.ready(office, france, record.key, "France", by_key("ready", 2, again=1))
    submissions.register_posted(office, boss, record.key, "France", "", PHOTOGRAPH, "sheet")
    entered = submissions.mine(office, france, record.key, "France")[-1]
    submissions.refuse(office, france, entered.id, by_key("refused", 3))
    submissions.register_posted(office, boss, record.key, "France", "", PHOTOGRAPH, "sheet")
    entered = submissions.mine(office, france, record.key, "France")[-1]
    submissions.withdraw(office, france, entered.id, by_key("withdrawn", 4))  # as a mail that clears all does
    passes(office, clock, timedelta(days=1))
    found = report(office, record)
    assert found.failures == [] and all(" sent version " in line for line in found.words)
    rows = [json.loads(row) for row in proofs.transcript(office, VISITOR, record.key).splitlines()]
    lines = [row.get("line") or row.get("private") or {"kind": ""} for row in rows]
    words = [line for line in lines if line["kind"] in ("withdrawn", "refused", "ready")]
    said = {
        "all": ["ready", "withdrawn", "ready", "refused", "withdrawn"],
        "nobody": ["withdrawn", "withdrawn", "refused"],
    }
    told = [word["kind"] for word in words]  # private ones stand in the order of their random hashes
    assert (told if senders == "all" else sorted(told, reverse=True)) == said[senders]
    assert all(len(word["data"]["signature"]) == 128 for word in words)


def test_a_new_version_takes_ready_back(office: Office) -> None:
    """ "Ready" is said of what was sent before: a turn does not end early by it once something else was sent."""
    record, players, _ = begin(office)
    for power, actor in players.items():
        submissions.submit(office, actor, record.key, power, "A par H")
    submissions.ready(office, players["France"], record.key, "France")
    sent = submissions.submit(office, players["France"], record.key, "France", "A par - orl")
    assert "You were ready with version 1. Say so again if you are." in sent.notes
    others = [submissions.ready(office, a, record.key, p) for p, a in players.items() if p != "France"]
    assert not any(others)
    assert submissions.ready(office, players["France"], record.key, "France")
    said = [e.text for e in journal.entries(office, VISITOR, record.key) if e.kind in ("ready", "not ready")]
    assert said[:2] == ["France is ready.", "France is no longer ready."] and said[-1] == "France is ready."
    work.run_due(office)
    assert games.result(office, VISITOR, record.key).number == 1
    assert report(office, record).failures == []


def held(office: Office, record: GameRecord) -> list[tuple[str, str]]:
    """Who has held each seat, in turn, by the journal: pairs of seat and person."""
    return [(entry["seat"], entry["person"]) for entry in rows_of(office, record, "held")]


def test_who_holds_a_seat_is_told_by_a_reference_that_stays_with_them_in_a_game(office: Office) -> None:
    """Nobody shares one, who comes back has the one of before, and no other game tells who they are."""
    record, players, _ = begin(office)
    first = dict(held(office, record))
    assert first.keys() == players.keys() and len(set(first.values())) == len(players)
    new = person(office, "Newcomer")
    for after, actor in (("moved", new), ("is back", players["France"])):
        holder = players["France"] if actor is new else new
        seats.resign(office, holder, record.key, "France", after)
        seats.take_over(office, actor, record.key, "France")
    assert [person for seat, person in held(office, record) if seat == "France"][1::2] == ["", ""]
    (_, before), (_, came), (_, back) = [entry for entry in held(office, record) if entry[0] == "France" and entry[1]]
    assert back == before == first["France"] and came not in first.values()
    other, _, _ = begin(office, name="Edgehill")
    assert not {person for _, person in held(office, other)} & {person for _, person in held(office, record)}


def test_the_last_signed_head_and_what_is_refused_are_signed(office: Office, clock: SimulatedClock) -> None:
    record, players, *_ = played(office, clock, 1)
    before = read_heads(msgspec.json.encode(proofs.heads(office, VISITOR)))
    assert [(head.office, record.key in str(head)) for head in before] == [(office.public_key, False)]
    text = proofs.transcript(office, CONSOLE, record.key)
    found = verify(text.encode(), variants=office.variants, heads=before)
    assert found.holds and [receipt.holds for receipt in found.receipts] == [True]
    forked = signed_by(office.signing, SignedHead(game=before[0].game, n=before[0].n, hash="ab" * 32, at=before[0].at))
    assert not verify(text.encode(), variants=office.variants, heads=[forked]).holds
    # what is refused is signed
    clock.advance(timedelta(days=1, seconds=1))
    with pytest.raises(TooLateError) as caught:
        submissions.submit(office, players["France"], record.key, "France", "A par H", nonce="cd" * 16)
    refusal = read_receipt(caught.value.proof)
    assert isinstance(refusal, SignedRefusal) and refusal.office == office.public_key
    assert (refusal.seat, refusal.reason, refusal.nonce) == ("France", caught.value.message, "cd" * 16)


def test_a_backup_that_runs_beside_its_office_is_a_fork_that_published_heads_show(
    office: Office, clock: SimulatedClock, tmp_path: Path
) -> None:
    """A copy with the same keys takes other sheets. Each of the two holds by itself; the heads of either convict it."""
    record, players, *_ = played(office, clock, 1)
    archive.backup(tmp_path / "office", tmp_path / "backup.tar.gz")
    archive.restore(tmp_path / "backup.tar.gz", tmp_path / "beside", keys=tmp_path / "office" / "keys")
    beside = open_office(tmp_path / "beside", Settings(settling=0), clock, SeededRandomSource("beside"))
    try:
        for number, one in enumerate((office, beside)):
            send_all(one, record, players, number)
        clock.advance(timedelta(days=2))
        told = {}
        for one in (office, beside):
            work.run_due(one)
            told[one] = proofs.transcript(one, CONSOLE, record.key).encode(), proofs.heads(one, VISITOR)
        (own, own_heads), (other, other_heads) = told[office], told[beside]
        for text, heads, holds in (
            (own, own_heads, True),
            (other, other_heads, True),
            (own, other_heads, False),
            (other, own_heads, False),
        ):
            assert verify(text, [office.public_key], variants=office.variants, heads=heads).holds is holds
    finally:
        beside.close()


def lose(office: Office, *names: str) -> None:
    """The files of these keys are gone; of all of them where none is named."""
    files = [office.keys / f"{name}.key" for name in names] or list(office.keys.glob("*.key"))
    for file in files:
        file.unlink()


def burnt(office: Office, clock: SimulatedClock) -> Office:
    """The office as it goes on after its whole folder of keys was lost."""
    office.close()
    shutil.rmtree(office.keys)
    return open_office(office.keys.parent, office.settings, clock, SeededRandomSource("new keys"), new_key=True)


def send(office: Office, record: GameRecord, players: dict[str, Actor], seed: int) -> dict[str, Receipt]:
    """Every player sends a sheet."""
    texts = sheets(office, record, seed, list(players))
    return {
        power: submissions.submit(office, actor, record.key, power, texts[power] or "# nothing")
        for power, actor in players.items()
    }


def check(office: Office, record: GameRecord, receipts: list[str]) -> str:
    """Both verifiers find the game to hold with these receipts; what the first tells of them."""
    found = report(office, record, receipts=receipts)
    assert found.failures == []
    second = second_game(office.public_key, proofs.transcript(office, VISITOR, record.key).encode())
    assert second.offices[-1] == office.public_key
    return "\n".join([receipt.what for receipt in found.receipts] + found.words + found.told + found.unchecked)


@pytest.mark.parametrize("senders", ["all", "nobody"])
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_a_turn_whose_key_is_lost_opens_anew(office: Office, clock: SimulatedClock, senders: str, closed: bool) -> None:
    record, players, boss = begin(office, coordinated=True, shows_senders=senders)
    with pytest.raises(ConflictError, match="none of the game is lost"):
        lost_keys.reopen(office, CONSOLE, record.key, "now", "no reason")
    before = send(office, record, players, 1)
    first = turn_now(office, boss, record.key)
    lose(office)
    if closed:
        passes(office, clock, timedelta(days=30))
    for actor in (boss, players["France"]):
        refuses(NotAllowedError, lost_keys.reopen, office, actor, record.key, "now", "I wish to see another result")
    told = lost_keys.reopen(office, CONSOLE, record.key, first.name, "the disk died")
    assert (told.name, told.number, told.state) == (first.name, 1, "open")
    assert told.deadline >= max(first.deadline, clock.now() + (first.deadline - first.opened))
    old = the(office, TurnRow, state="lost")
    assert len(stored(office, SubmissionRow, turn=old.id)) == len(before), "nothing is erased"
    assert all(row.lost for row in stored(office, RecordRow))
    assert len(stored(office, MailingRow, kind="keys lost")) == len(players) + 1
    after = send(office, record, players, 2)
    assert {receipt.version for receipt in after.values()} == {2}
    assert submissions.mine(office, players["France"], record.key, "France")[0].version == 2
    passes(office, clock, timedelta(days=60))
    result = games.result(office, boss, record.key, first.key)
    assert {sheet.version for sheet in result.sheets if sheet.commitment} == {2}
    told_of = check(office, record, [r.proof for r in (*before.values(), *after.values())])
    assert "send your orders again" in told_of and "counted" in told_of and "are lost" in told_of


def test_orders_ahead_whose_key_is_lost_are_given_up_and_the_game_goes_on(
    office: Office, clock: SimulatedClock
) -> None:
    record, receipts = dislodged(office, clock)
    ahead = f"{record.key}.1901-winter-adjustments"
    lose(office, ahead)
    assert lost_keys.find(office, CONSOLE, record.key).turns == ("Winter 1901 Adjustments",)
    lost_keys.reopen(office, CONSOLE, record.key, "Winter 1901 Adjustments", "the file was damaged")
    assert lost_keys.find(office, CONSOLE, record.key).turns == ()
    end_turn(office, clock)
    assert turn_now(office, CONSOLE, record.key).name == "Winter 1901 Adjustments"
    end_turn(office, clock)
    assert "Winter 1901 Adjustments are lost" in check(office, record, receipts)


def test_a_key_that_is_lost_before_its_turn_opens_is_noticed(office: Office, clock: SimulatedClock) -> None:
    record, receipts = dislodged(office, clock)
    lose(office, f"{record.key}.1901-winter-adjustments")
    end_turn(office, clock)
    assert turn_now(office, CONSOLE, record.key).name == "Fall 1901 Retreats", "it waits for the operator's word"
    assert lost_keys.reopen_all(office, CONSOLE, "the disk died") == [f"{record.key}: Winter 1901 Adjustments"]
    passes(office, clock, timedelta(hours=2))
    assert turn_now(office, CONSOLE, record.key).name == "Winter 1901 Adjustments"
    check(office, record, receipts)


def test_drafts_are_taken_back_and_published_anew_after_all_keys_were_lost(
    office: Office, clock: SimulatedClock
) -> None:
    record, players, boss = drafted(office, clock)
    before = [row.proof for row in send(office, record, {"France": players["France"]}, 1).values()]
    office = burnt(office, clock)
    lost = lost_keys.find(office, CONSOLE, record.key)
    assert lost.office and set(lost.turns) >= {"1425 Movement", "1425 Retreats"}
    assert lost_keys.reopen_all(office, CONSOLE, "the house burnt down")
    told = check(office, record, before)
    assert "1425 Movement: not judged again, since a key was lost" in told
    processing.take_back_draft(office, boss, record.key, "Burgundy's sheet was misread")
    readings.correct(office, boss, record.key, "Burgundy", "1", "# nothing", "it was another game's")
    processing.publish_draft(office, boss, record.key)
    first, now = (games.result(office, CONSOLE, record.key, 1), games.game(office, boss, record.key).turn)
    assert first.state == "draft" and now is not None and (now.name, now.state) == ("1425 Retreats", "open")
    assert all(proof.holds for proof in proofs.verify(office, VISITOR, record.key))
    assert check(office, record, before).count("1425 Movement: not judged again, since a key was lost") == 2
    passes(office, clock, timedelta(days=60))
    assert all(proof.holds for proof in proofs.verify(office, VISITOR, record.key))
    assert "send your orders again" in check(office, record, before)


def test_orders_given_ahead_that_counted_count_when_their_turn_is_published_anew_without_the_key(
    office: Office, clock: SimulatedClock
) -> None:
    record, players, boss = drafted(office, clock, ahead="if dislodged A par: cha")
    assert submissions.ready(office, players["France"], record.key, "France")
    work.run_due(office)
    processing.publish_draft(office, boss, record.key)
    first = games.result(office, CONSOLE, record.key, 2)
    france = next(sheet for sheet in first.sheets if sheet.power == "France")
    assert first.state == "draft" and france.orders == ("A par R cha",)
    office = burnt(office, clock)
    lost_keys.reopen_all(office, CONSOLE, "the house burnt down")
    processing.take_back_draft(office, boss, record.key, "a second look")
    processing.publish_draft(office, boss, record.key)
    again = games.result(office, CONSOLE, record.key, 2)
    assert again.state == "draft" and again.sheets == first.sheets
    check(office, record, [])
    told = rows_of(office, record, "results")
    assert [data["turn"] for data in told[1:]] == ["1425 Retreats"] * 2 and told[1] == told[2]


MEANS_NOTHING = {
    "LineRow.n": "a copy, by which lines are put in order: that of the last line changes none",
    "LineRow.at": "a copy of what stands in the line, for questions",
    "LineRow.kind": "likewise",
    "LineRow.hash": "likewise, where the line is not signed: it is worked out from the line",
    "PrivateRow.seat": "who may read it before all may",
    "RecordRow.commitment": "a copy of what stands in the chain and in the opening",
    "RecordRow.turn_name": "likewise: when it is shown",
    "RecordRow.sealed": "what was opened: the opening beside it is what is shown, and fits the commitment or not",
    "RecordRow.reading": "what was read in a picture for a later turn, until that turn opens: this one has",
    "RecordRow.lost": "that its key was lost, of a record that was never opened; this one is",
}


def holds(office: Office, record: GameRecord) -> bool:
    """Whether the transcript can be written, and holds."""
    try:
        text = proofs.transcript(office, VISITOR, record.key)
    except Exception:
        return False
    return verify(text.encode(), [office.public_key], variants=office.variants).holds


def other(value: Any) -> Any:
    if isinstance(value, bytes):
        return value[:-1] + bytes([value[-1] ^ 1]) if value else b"x"
    return 1 if value is None else changed(value)


def test_every_stored_value_of_the_chain(office: Office, clock: SimulatedClock) -> None:
    """Rows are changed behind the office's back: its transcript shows it, or the row means nothing, and why."""
    record, players, _ = begin(office, shows_senders="nobody")
    send_all(office, record, players, 1)
    passes(office, clock, timedelta(days=1))
    power = next(iter(players))
    submissions.submit(office, players[power], record.key, power, "# I hold")
    assert holds(office, record)
    missed = set()
    game = the(office, GameRow, key=record.key).id
    lines = {row.kind: row for row in stored(office, LineRow, game=game)}
    rows: list[Any] = [*lines.values(), *stored(office, PrivateRow, game=game)[:2]]
    rows += [row for row in stored(office, RecordRow) if row.opening][:2]
    for row in rows:
        for column in msgspec.structs.fields(row):
            if column.name in ("id", "game", "submission"):
                continue
            name = f"{type(row).__name__}.{column.name}"
            try:
                alter(office, type(row), {column.name: other(getattr(row, column.name))}, id=row.id)
            except IntegrityError:
                continue  # the database itself refuses it
            if holds(office, record):
                missed.add(name)
            alter(office, type(row), {column.name: getattr(row, column.name)}, id=row.id)
    assert missed - MEANS_NOTHING.keys() == set()
    assert holds(office, record)
