"""Where a game hides who has sent, no reader who may not know it tells from anything whether, when or how often another
seat sent orders."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk, mailings
from legation.office.errors import OfficeError
from legation.office.game import journal
from legation.office.hosting import absences, games, proofs, transfer, votes
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.permissions import commands
from legation.office.records import GameRecord
from legation.office.store.rows import GameRow, MailingRow, SubmissionRow, TurnRow
from tests.office.playing import begin, person, unmatched_mail

DAY = timedelta(days=1)


def questions() -> Iterator[tuple[str, Any]]:
    """All questions about a game that anybody may ask in some role."""
    for command in commands().values():
        if not command.writes:
            yield command.name, command.function


def looks(office: Office, actor: Actor, record: GameRecord, power: str, mark: str) -> dict[str, object]:
    """Everything that somebody can ask about a game, with the answers or refusals."""
    given = {"game": record.key, "power": power, "turn": "now", "since": mark, "text": "", "number": 1}
    told: dict[str, object] = {}
    for name, function in questions():
        wanted = list(inspect.signature(function).parameters.values())[1:]
        needed = {p.name for p in wanted if p.default is inspect.Parameter.empty}
        if needed <= given.keys():
            known = {
                p.name: given[p.name] for p in wanted if (p.name in given and p.name != "since") or p.name in needed
            }
            for turn in ("now", "last") if "turn" in known else ("",):
                try:
                    told[f"{name} {turn}"] = function(office, actor, **known | ({"turn": turn} if turn else {}))
                except OfficeError as error:
                    told[f"{name} {turn}"] = error.message
    return told


def others_mails(office: Office, but: Actor) -> list[tuple[object, ...]]:
    with office.store.transaction(write=False) as tx:
        return [(row.id, row.kind, row.person) for row in tx.all(MailingRow, order="id") if row.person != but.person]


def at_the_closing(office: Office, clock: SimulatedClock, record: GameRecord) -> None:
    """All commitments come out when the turn is closed, sorted, and say nothing of whose they are or when they came."""
    clock.advance(2 * DAY)
    with office.store.transaction() as tx:
        turn = tx.find(TurnRow, name=record.turn.name if record.turn else "")
        assert turn is not None and turn.state in ("open", "waiting")
        tx.change(turn, state="closed")
        made = sorted(row.commitment for row in tx.all(SubmissionRow, turn=turn.id))
    told = submissions.commitments(office, Actor.visitor(), record.key)
    assert [one.commitment for one in told] == made and len(made) == 2
    assert {(one.power, one.version, one.received, one.channel, one.standing) for one in told} == {
        ("", 0, None, "", "")
    }
    assert proofs.published(office, Actor.visitor(), record.key, "now")["commitments"] == made


def test_a_coordinator_who_may_not_know_the_senders_knows_what_they_entered_and_what_is_to_be_read(
    office: Office, clock: SimulatedClock
) -> None:
    record, players, boss = begin(office, coordinated=True, shows_senders="nobody")

    def told(actor: Actor) -> list[tuple[object, ...]]:
        rows = submissions.overview(office, actor, record.key)
        return [(row.power, row.version, row.kind, row.standing, row.sender) for row in rows]

    submissions.submit(office, players["France"], record.key, "France", "A par H")
    entered = submissions.register_posted(office, boss, record.key, "France", "an envelope")
    assert (entered.power, entered.version, entered.kind) == ("France", 0, "posted")
    assert told(boss) == [("France", 0, "posted", "counts", "Coordinator")]
    own = submissions.mine(office, players["France"], record.key, "France")
    submissions.refuse(office, players["France"], own[1].id)
    assert told(boss) == [("France", 0, "posted", "withdrawn", "Coordinator")]
    refusals = [line for line in journal.entries(office, boss, record.key, limit=500) if "refused" in line.kind]
    assert refusals == [], "which version it was tells of others"
    submissions.submit_pictures(
        office, players["England"], record.key, "England", [("a.jpg", b"a sheet", "image/jpeg")]
    )
    clock.advance(2 * DAY)
    work.run_due(office)  # the seals are open, and the photograph is to be read
    assert {row[:3] for row in told(boss)} == {
        ("France", 1, "text"),
        ("France", 2, "posted"),
        ("England", 1, "pictures"),
    }


def test_when_others_sent_is_told_where_players_are_known_and_when_the_game_is_over(
    office: Office, clock: SimulatedClock
) -> None:
    for name, anonymous in (("Powick Bridge", False), ("Stow", True)):
        record, players, _ = begin(office, name=name, folk=name[:4], anonymous=anonymous)
        submissions.submit(office, players["France"].by("mail"), record.key, "France", "A par H")
        for who, knows in (("France", True), ("England", not anonymous)):
            (sent,) = submissions.commitments(office, players[who], record.key)
            assert (sent.power, sent.version, sent.received is not None) == ("France", 1, knows), (name, who)
            assert (sent.channel, bool(sent.id)) == (("mail", True) if who == "France" else ("", False))
        with office.store.transaction() as tx:
            tx.change_where(GameRow, {"state": "ended"}, key=record.key)
        (sent,) = submissions.commitments(office, players["England"], record.key)
        assert sent.received is not None


@pytest.mark.parametrize("shows", ["nobody", "coordinator"])
@pytest.mark.parametrize("waits", [False, True], ids=["before the deadline", "waiting"])
def test_nobody_tells_that_another_seat_sent(office: Office, clock: SimulatedClock, shows: str, waits: bool) -> None:
    record, players, boss = begin(office, coordinated=True, shows_senders=shows, missing="wait", anonymous=True)
    sender, rival = players["France"], players["England"]
    if waits:
        clock.advance(DAY)
        work.run_due(office)
    readers = {"visitor": Actor.visitor(), "stranger": person(office, "Stranger"), "rival": rival}
    if shows == "nobody":
        readers["coordinator"] = boss
    mark = journal.mark(office)

    def seen() -> dict[str, dict[str, object]]:
        own = {"rival": "England"}
        return {name: looks(office, who, record, own.get(name, "France"), mark) for name, who in readers.items()}

    before, mails = seen(), others_mails(office, sender)
    assert len(before["visitor"]) > 25 and {"submissions.commitments now", "journal.is_news "} <= before["rival"].keys()
    submissions.set_key(office, sender, record.key, "France", "ab" * 32)
    sent = submissions.submit(office, sender.by("api"), record.key, "France", "A par - bur")
    submissions.submit(office, sender.by("api"), record.key, "France", "A par H")
    submissions.withdraw(office, sender, sent.submission)
    if not waits:
        submissions.ready(office, sender, record.key, "France")
    work.run_due(office)
    after = seen()
    differ = [(who, name) for who in readers for name in before[who] if before[who][name] != after[who][name]]
    assert not differ, str(differ)
    assert others_mails(office, sender) == mails
    told = {mail.kind for mail in mailings.waiting(office, boss, record.key)}
    assert ("orders missing" in told) is (waits and shows == "coordinator")
    assert all(not item.facts.get("powers") for item in desk.items(office, boss, record.key)) or shows == "coordinator"
    if shows == "nobody":
        at_the_closing(office, clock, record)
    assert submissions.mine(office, sender, record.key, "France"), "the sender sees what was sent"
    assert any(line.power == "France" for line in submissions.commitments(office, sender, record.key))


def test_a_mail_that_waits_for_its_senders_word_is_on_no_desk_of_who_may_not_know_who_sent(office: Office) -> None:
    """A player's mail for which nobody vouches waits for the player's word; its place, time and sender would tell the
    coordinator who has sent."""
    record, _, boss = begin(office, coordinated=True, shows_senders="nobody")
    shown, _, other = begin(office, name="Stow", folk="Stow", coordinated=True)
    clerk = person(office, "Clerk")
    people.make_administrator(office, Actor.console(), clerk.person or 0)
    item = unmatched_mail(office, "player1@example.org", record.key, "France")
    unmatched_mail(office, "stowplayer1@example.org", shown.key, "France")
    assert desk.items(office, boss) == desk.items(office, boss, record.key) == []
    assert [(i.power or i.facts["likely"]) for i in desk.items(office, other)] == ["France"]
    assert {i.id: (i.game, i.facts["likely"]) for i in desk.items(office, clerk)}[item] == ("", "")


def test_a_mail_that_did_not_arrive_tells_no_coordinator_who_was_to_be_reminded(
    office: Office, clock: SimulatedClock
) -> None:
    record, players, boss = begin(office, coordinated=True, shows_senders="nobody", reminder_hours=6)
    clerk = person(office, "Clerk")
    people.make_administrator(office, Actor.console(), clerk.person or 0)
    for power in set(players) - {"France"}:
        submissions.submit(office, players[power], record.key, power, "# nothing")
    mailings.claim(office, limit=500)
    clock.advance(DAY - timedelta(hours=5))
    work.run_due(office)
    (reminder,) = [mail for mail in mailings.claim(office, limit=500) if mail.kind == "reminder"]
    mailings.failed(office, reminder, "no such address", lasting=True)
    assert desk.items(office, boss) == []
    (item,) = desk.items(office, clerk)
    assert item.kind == "failed mails" and "France" not in repr(item) and "remind" not in repr(item)


def test_whom_a_vote_was_mailed_to_is_not_told_where_senders_are_hidden(office: Office, clock: SimulatedClock) -> None:
    """Who has gone gets no mail of a vote."""
    settings: dict[str, Any] = {"missing_after": 1, "votes": "majority", "ready_ends": False}
    record, players, boss = begin(office, coordinated=True, shows_senders="nobody", **settings)
    for power in set(players) - {"France"}:
        submissions.submit(office, players[power], record.key, power, "# nothing")
    clock.advance(DAY)
    work.run_due(office)
    mailings.claim(office, limit=500)
    votes.vote(office, players["England"], record.key, "England", "pause")
    assert "vote" not in {mail.kind for mail in mailings.waiting(office, boss, record.key)}


def test_an_exported_game_does_not_tell_who_sent_or_whose_vote_came_first(office: Office) -> None:
    record, players, boss = begin(office, coordinated=True, shows_senders="nobody", votes="majority")
    before = transfer.whole_game(office, boss, record.key)
    submissions.submit(office, players["France"], record.key, "France", "# nothing")
    submissions.ready(office, players["France"], record.key, "France")
    votes.vote(office, players["France"], record.key, "France", "pause", reason="a funeral")
    after = transfer.whole_game(office, boss, record.key)
    (begun,) = after["journal"][len(before["journal"]) :]
    assert (begun["kind"], begun["person"], begun["power"]) == ("vote begun", None, "")
    assert {**after, "journal": 0, "transcript": 0} == {**before, "journal": 0, "transcript": 0}


@pytest.mark.parametrize("hidden", [True, False])
def test_whether_an_absence_moves_a_deadline_does_not_hang_on_who_has_sent(
    office: Office, clock: SimulatedClock, hidden: bool
) -> None:
    """The line that the deadline moved names who is away, where players are not anonymous."""
    shows = "coordinator" if hidden else "all"
    record, players, _ = begin(office, shows_senders=shows, absence_days=3)
    assert record.turn is not None
    submissions.submit(office, players["France"], record.key, "France", "# nothing")
    today = clock.now().date()
    absences.announce(office, players["France"], today.isoformat(), (today + 2 * DAY).isoformat())
    moved = games.game(office, Actor.visitor(), record.key).turn
    assert moved is not None and (moved.deadline > record.turn.deadline) is hidden
