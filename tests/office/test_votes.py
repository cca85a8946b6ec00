"""Votes of the players: who has one, how many carry a question, what comes of it, and what no vote can do."""

from datetime import timedelta
from typing import Any

import pytest

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk, letters, mailings
from legation.office.errors import (
    ConflictError,
    InvalidInputError,
    LimitExceededError,
    NotAllowedError,
    NotFoundError,
    SignInNeededError,
)
from legation.office.game import journal, seats
from legation.office.hosting import games, proofs, rematches, votes
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import demo, work
from legation.office.orders import submissions
from legation.office.records import GameRecord, VoteRecord
from legation.office.store.rows import GameRow, MailingRow
from tests.office.playing import CONSOLE, VISITOR, alter, begin, counted, passes, person, refuses, set_past, turn_now

HOUR = timedelta(hours=1)


def asked(office: Office, actor: Actor, game: GameRecord) -> dict[str, VoteRecord]:
    return {record.kind + record.whom: record for record in votes.standing(office, actor, game.key)}


def told(office: Office, game: GameRecord, reader: Actor | None = None) -> list[str]:
    return [e.text for e in journal.entries(office, reader or VISITOR, game.key, limit=1000)]


def mails(office: Office, kind: str) -> int:
    return counted(office, MailingRow, kind=kind)


def chain_holds(office: Office, game: GameRecord) -> bool:
    return all(p.holds for p in proofs.verify(office, VISITOR, game.key))


def test_a_majority_pauses_and_has_the_game_go_on(office: Office, clock: SimulatedClock) -> None:
    game, players, _ = begin(office)
    due = turn_now(office, CONSOLE, game.key).deadline
    first = votes.vote(office, players["France"], game.key, "France", "pause", reason="I am moving house.")
    assert (first.votes, first.needed, first.mine, first.carried, first.voters) == (1, 2, True, False, ("France",))
    assert mails(office, "vote") == 2  # to the two others
    last = votes.vote(office, players["England"], game.key, "England", "pause")
    assert last.carried
    assert games.game(office, VISITOR, game.key).state == "paused"
    passes(office, clock, timedelta(days=5))
    assert turn_now(office, CONSOLE, game.key).state == "open"
    assert asked(office, players["France"], game).keys() == {"resume", "cancel"}
    votes.vote(office, players["England"], game.key, "England", "resume")
    votes.vote(office, players["Burgundy"], game.key, "Burgundy", "resume")
    assert turn_now(office, CONSOLE, game.key).deadline == due + timedelta(days=5)
    lines = told(office, game)
    assert "France votes to pause the game." in lines and "The players have voted to go on with the game." in lines
    assert "The game was paused: the players voted for it: England and France." in lines
    assert chain_holds(office, game)


def test_who_voted_last_is_not_who_did_it(office: Office) -> None:
    game, players, _ = begin(office, anonymous=True)
    for power in ("France", "England"):
        votes.vote(office, players[power], game.key, power, "pause")
    (line,) = [e for e in journal.entries(office, VISITOR, game.key, limit=1000) if e.kind == "game paused"]
    assert line.who == "the office" and "Player" not in repr(told(office, game))


def test_the_longest_extension_that_enough_would_give_and_cancelling_by_all(office: Office) -> None:
    game, players, _ = begin(office)
    due = turn_now(office, CONSOLE, game.key).deadline
    votes.vote(office, players["France"], game.key, "France", "extend", hours=72)
    done = votes.vote(office, players["England"], game.key, "England", "extend", hours=48)
    assert done.carried and done.words == "to extend the deadline by 48 hours"
    assert turn_now(office, CONSOLE, game.key).deadline == due + 48 * HOUR
    assert asked(office, players["France"], game)["extend"].votes == 0
    refuses(InvalidInputError, votes.vote, office, players["France"], game.key, "France", "extend", hours=15 * 24)
    # cancelling needs all who are there
    for power in ("France", "England"):
        assert not votes.vote(office, players[power], game.key, power, "cancel").carried
    votes.take_back(office, players["England"], game.key, "England", "cancel")
    assert not votes.vote(office, players["Burgundy"], game.key, "Burgundy", "cancel").carried
    assert votes.vote(office, players["England"], game.key, "England", "cancel").carried
    assert games.game(office, VISITOR, game.key).state == "cancelled"
    refuses(NotAllowedError, votes.vote, office, players["England"], game.key, "England", "pause")
    assert chain_holds(office, game)


def test_all_where_the_game_says_so(office: Office) -> None:
    game, players, _ = begin(office, votes="all")
    for power in ("France", "England"):
        assert not votes.vote(office, players[power], game.key, power, "pause").carried
    assert votes.vote(office, players["Burgundy"], game.key, "Burgundy", "pause").carried


def play_without(office: Office, clock: SimulatedClock, game: GameRecord, players: dict[str, Actor], gone: str) -> None:
    for power in players:
        if power != gone:
            submissions.submit(office, players[power], game.key, power, "# all hold")
    passes(office, clock, timedelta(hours=25))


def test_a_player_who_has_gone_is_replaced(office: Office, clock: SimulatedClock) -> None:
    game, players, _ = begin(office, missing="replace", missing_after=1, ready_ends=False)
    with pytest.raises(ConflictError, match="can't be replaced yet"):
        votes.vote(office, players["France"], game.key, "France", "replace", "England")
    play_without(office, clock, game, players, "England")
    assert mails(office, "vote") == 3 and desk.items(office, CONSOLE, game.key) == []
    assert asked(office, players["France"], game)["replaceEngland"].needed == 2  # of France and Burgundy
    with pytest.raises(ConflictError, match="own seat"):
        votes.vote(office, players["England"], game.key, "England", "replace", "England")
    votes.vote(office, players["France"], game.key, "France", "replace", "England")
    assert votes.vote(office, players["Burgundy"], game.key, "Burgundy", "replace", "England").carried
    seat = next(s for s in games.game(office, VISITOR, game.key).seats if s.power == "England")
    assert seat.vacant and seat.person is None
    (lost,) = games.game(office, players["England"], game.key).lost
    assert lost.how == "voted"
    seats.take_over(office, person(office, "Newcomer"), game.key, "England")
    assert chain_holds(office, game)


def test_a_game_that_waits_for_somebody_goes_on_without(office: Office, clock: SimulatedClock) -> None:
    game, players, _ = begin(office, missing="wait", ready_ends=False)
    play_without(office, clock, game, players, "England")
    assert turn_now(office, CONSOLE, game.key).state == "waiting"
    assert "replaceEngland" not in asked(office, players["France"], game)  # not a day yet
    clock.advance(timedelta(hours=24))
    for power in ("France", "Burgundy"):
        votes.vote(office, players[power], game.key, power, "replace", "England")
    work.run_due(office)
    assert turn_now(office, CONSOLE, game.key).number > 1
    assert chain_holds(office, game)


def test_no_vote_opens_a_seal_early_or_a_turn_again(office: Office, clock: SimulatedClock) -> None:
    game, players, _ = begin(office, missing_after=1)
    play_without(office, clock, game, players, "England")
    due = turn_now(office, CONSOLE, game.key).deadline
    for power in ("France", "Burgundy"):
        submissions.submit(office, players[power], game.key, power, "# all hold")
        submissions.ready(office, players[power], game.key, power)
    for kind, whom in (("replace", "England"), ("extend", ""), ("pause", ""), ("resume", "")):
        for power in ("France", "Burgundy"):
            votes.vote(office, players[power], game.key, power, kind, whom)
        work.run_due(office)
        assert (
            turn_now(office, CONSOLE, game.key).state == "open" and turn_now(office, CONSOLE, game.key).deadline >= due
        )
    passes(office, clock, timedelta(days=3))
    closed = games.turns(office, VISITOR, game.key)[0]
    assert closed.published is not None and closed.state in ("draft", "final")


def test_votes_end_when_the_turn_closes(office: Office, clock: SimulatedClock) -> None:
    game, players, _ = begin(office, ready_ends=False)
    votes.vote(office, players["France"], game.key, "France", "pause")
    passes(office, clock, timedelta(hours=25))
    assert asked(office, players["France"], game)["pause"].votes == 0
    assert not votes.vote(office, players["England"], game.key, "England", "pause").carried


def test_who_comes_back_in_time_stays(office: Office, clock: SimulatedClock) -> None:
    game, players, _ = begin(office, missing_after=1, ready_ends=False)
    play_without(office, clock, game, players, "England")
    votes.vote(office, players["France"], game.key, "France", "replace", "England")
    submissions.submit(office, players["England"], game.key, "England", "A cal H")
    with pytest.raises(ConflictError, match="can't be replaced yet"):
        votes.vote(office, players["Burgundy"], game.key, "Burgundy", "replace", "England")


def test_bots_programs_and_who_has_left_do_not_count(office: Office) -> None:
    game, players, _ = begin(office, powers=2, machines=True)
    stays, power = players
    assert asked(office, players[stays], game)["pause"].needed == 2
    votes.vote(office, players[power], game.key, power, "pause")
    seats.declare_machine(office, players[power], game.key, power)
    assert asked(office, players[stays], game)["pause"].votes == 0
    refuses(ConflictError, votes.vote, office, players[power], game.key, power, "pause").match("Programs")
    seats.resign(office, players[power], game.key, power)
    assert asked(office, players[stays], game)["pause"].needed == 1
    assert votes.vote(office, players[stays], game.key, stays, "pause").carried


def test_secret_where_senders_are(office: Office) -> None:
    game, players, _ = begin(office, shows_senders="nobody")
    votes.vote(office, players["Burgundy"], game.key, "Burgundy", "cancel")
    before = journal.mark(office)
    votes.vote(office, players["France"], game.key, "France", "cancel")
    votes.take_back(office, players["France"], game.key, "France", "cancel")
    submissions.ready(office, players["France"], game.key, "France")
    letters.write(office, players["France"], game.key, "France", ["Burgundy"], "Are you ready?")
    heard = {power: journal.is_news(office, actor, game.key, before) for power, actor in players.items()}
    assert heard == {"France": True, "Burgundy": True, "England": False}, "not even that somebody did something"
    assert not journal.is_news(office, VISITOR, game.key, before)
    votes.vote(office, players["France"], game.key, "France", "pause")
    seen = asked(office, players["England"], game)["pause"]
    assert (seen.votes, seen.voters, seen.mine) == (1, None, False)
    assert not any("France votes" in text for text in told(office, game, players["England"]))
    assert any("France votes" in text for text in told(office, game, players["France"]))
    for reader in (VISITOR, players["England"]):
        assert "France votes" not in proofs.transcript(office, reader, game.key)
    votes.vote(office, players["England"], game.key, "England", "pause")
    assert "The game was paused: the players voted for it." in told(office, game)
    assert chain_holds(office, game)


@pytest.mark.parametrize("hidden", ["senders", "positions"])
def test_who_has_gone_is_not_told_where_senders_are_hidden(foggy: Office, clock: SimulatedClock, hidden: str) -> None:
    """Whoever asks what can be voted on, or votes, learns neither who has sent nothing nor who has come back."""
    office = foggy
    told: dict[str, Any] = {"shows_senders": "nobody"} if hidden == "senders" else {"variant": "foggy", "powers": 3}
    game, players, host = begin(office, missing_after=1, ready_ends=False, **told)
    one, gone, other = players

    def shown() -> list[list[VoteRecord]]:
        return [votes.standing(office, reader, game.key) for reader in (VISITOR, players[other], host)]

    fresh = shown()
    assert {record.whom for record in fresh[0]} >= {gone, other} and not any(r.needed for r in fresh[0])
    assert not votes.vote(office, players[one], game.key, one, "replace", other).carried
    assert not votes.vote(office, players[gone], game.key, gone, "replace", other).carried
    play_without(office, clock, game, players, gone)
    absent = shown()
    submissions.submit(office, players[gone], game.key, gone, "# here I am")
    assert absent == shown()
    for voter in (one, other):
        assert not votes.vote(office, players[voter], game.key, voter, "replace", gone).carried
    play_without(office, clock, game, players, gone)
    votes.vote(office, players[one], game.key, one, "replace", gone)
    assert votes.vote(office, players[other], game.key, other, "replace", gone).carried


def test_a_coordinator_is_told_and_decides(office: Office) -> None:
    game, players, boss = begin(office, coordinated=True)
    refuses(ConflictError, votes.vote, office, players["France"], game.key, "France", "pause").match("no votes")
    assert votes.standing(office, boss, game.key) == []
    game, players, boss = begin(office, name="Marston Moor", folk="M", coordinated=True, votes="majority")
    for power in ("France", "England"):
        record = votes.vote(office, players[power], game.key, power, "pause")
    assert record.carried and record.advises
    assert games.game(office, boss, game.key).state == "running"
    (item,) = desk.items(office, boss, game.key)
    assert item.text == "The players have voted to pause the game; the decision is yours."
    desk.settle(office, boss, item.id)
    refuses(NotAllowedError, votes.ask, office, boss, game.key, "pause")


def test_a_host_asks_and_the_players_decide(office: Office) -> None:
    game, players, host = begin(office)
    record = votes.ask(office, host, game.key, "extend", hours=48, reason="Half of you are at a wedding.")
    assert (record.votes, record.begun, record.hours, record.may) == (0, True, 48, False)
    assert mails(office, "vote") == 3
    refuses(ConflictError, votes.ask, office, host, game.key, "extend", hours=24).match("already")
    refuses(NotAllowedError, votes.ask, office, players["France"], game.key, "pause")
    votes.vote(office, players["France"], game.key, "France", "extend", hours=48)
    assert mails(office, "vote") == 3  # they were asked


def test_where_bots_have_all_seats_it_is_done_at_once(office: Office) -> None:
    game, _, host = begin(office, powers=0)
    for kind, state in (("pause", "paused"), ("resume", "running"), ("cancel", "cancelled")):
        assert votes.ask(office, host, game.key, kind).carried
        assert games.game(office, VISITOR, game.key).state == state
    assert "The game was paused: the host decided it; bots have all seats." in told(office, game)


def test_who_has_a_vote_and_how_often(office: Office) -> None:
    game, players, host = begin(office)
    for actor in (host, person(office, "Stranger"), players["England"], CONSOLE):
        refuses(NotAllowedError, votes.vote, office, actor, game.key, "France", "pause")
    refuses(SignInNeededError, votes.vote, office, VISITOR, game.key, "France", "pause")
    refuses(InvalidInputError, votes.vote, office, players["France"], game.key, "France", "win")
    # the same vote twice is one
    once = players["France"].once("a mail")
    before = len(told(office, game))
    for _ in range(2):
        assert not votes.vote(office, once, game.key, "France", "pause").carried
    votes.vote(office, players["France"], game.key, "France", "pause")
    assert len(told(office, game)) == before + 2  # asked, and voted
    # changing ones mind has an end
    with pytest.raises(LimitExceededError):
        for _ in range(30):
            votes.vote(office, players["France"], game.key, "France", "pause")
            votes.take_back(office, players["France"], game.key, "France", "pause")
    assert mails(office, "vote") == 2
    # what an office paused no vote resumes
    games.pause(office, Actor.clock(), game.key, "restored from a backup")
    refuses(ConflictError, votes.vote, office, players["England"], game.key, "England", "resume").match("did not pause")


def end(office: Office, *keys: str) -> None:
    """End games."""
    alter(office, GameRow, {"state": "ended"}, key=list(keys))


def test_a_rematch_has_the_same_people_settings_and_bots(office: Office) -> None:
    record, players, _ = begin(office, powers=2, press=["public"], grace=7)
    set_past(office, record.key, listed=False)
    (france, ann), (_, bob) = players.items()
    (bots,) = [seat.power for seat in record.seats if seat.bot]
    refuses(NotAllowedError, rematches.offer, office, ann, record.key).match("while the game is over")
    end(office, record.key)
    assert rematches.rematch(office, bob, record.key) is None
    mailings.claim(office, limit=500)
    made = rematches.offer(office, ann, record.key)
    assert (made.name, made.variant) == ("Powick Bridge 2", record.variant)
    assert made.settings == {**record.settings, "listed": False}
    assert [(s.power, s.bot) for s in made.seats if s.bot] == [(bots, "hold")]
    assert made.roles == ("visitor", "person", "host") and made.wishes == () and made.signed_up == 1
    invited = [mail.address for mail in mailings.claim(office, limit=500) if mail.kind == "invitation"]
    assert invited == [people.me(office, bob).email], "not who offers it, and not who only hosted"
    refuses(ConflictError, rematches.offer, office, bob, record.key).match("Powick Bridge 2")
    line = rematches.rematch(office, bob, record.key)
    assert line is not None and line.key == made.key
    stranger = person(office, "Stranger")
    for who in (stranger, VISITOR):
        with pytest.raises((NotAllowedError, SignInNeededError, NotFoundError)):
            rematches.rematch(office, who, record.key)
        refuses(NotFoundError, games.game, office, who, made.key)
    seats.sign_up(office, bob, made.key, [france])  # by the page of the old game, without the link of the mail
    work.run_due(office)
    assert games.game(office, bob, made.key).state == "running"
    assert games.game(office, ann, made.key).powers != ()


def test_who_may_not_offer_one(office: Office) -> None:
    record, players, boss = begin(office, coordinated=True, name="Stow 9")
    guest, key = demo.seat_guest(office, "hundred")
    end(office, record.key, key)
    with pytest.raises(NotAllowedError, match="The coordinator of this game"):
        rematches.offer(office, players["France"], record.key)
    refuses(NotAllowedError, rematches.offer, office, people.by_secret(office, guest.secret), key).match("trial seat")
    made = rematches.offer(office, boss, record.key)
    assert made.name == "Stow 10" and "coordinator" in made.roles and made.signed_up == 0


def test_who_was_replaced_does_not_come_back_by_a_rematch_and_one_that_is_cancelled_takes_no_place(
    office: Office,
) -> None:
    record, players, boss = begin(office, coordinated=True)
    set_past(office, record.key, listed=False)
    gone = players["France"]
    seats.vacate(office, boss, record.key, "France", "abuse")
    end(office, record.key)
    made = rematches.offer(office, boss, record.key)
    refuses(NotFoundError, games.game, office, gone, made.key)
    refuses(NotFoundError, seats.sign_up, office, gone, made.key, [])
    assert made.key not in {line.key for line in games.list_games(office, gone)}
    assert games.game(office, players["England"], made.key).name == "Powick Bridge 2"
    games.cancel(office, boss, made.key, "a slip")
    assert rematches.rematch(office, players["England"], record.key) is None
    again = rematches.offer(office, boss, record.key)
    assert again.name == "Powick Bridge 3"
    line = rematches.rematch(office, players["England"], record.key)
    assert line is not None and line.key == again.key
