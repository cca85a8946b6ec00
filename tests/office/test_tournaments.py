"""Tournaments and leagues: boards that meet others, results, standings, who may see what, and what never holds."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from legation.mail.content import Content, as_text
from legation.mail.messages import message
from legation.office.clock import SimulatedClock
from legation.office.context import Actor, by_clock
from legation.office.desk import mailings
from legation.office.errors import ConflictError, InvalidInputError, NotAllowedError, NotFoundError, SignInNeededError
from legation.office.game import seats
from legation.office.hosting import erasing, games, leagues, moderation, profiles, rounds, standings, tournaments
from legation.office.hosting.tournaments import NewEntrant, read_people
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from legation.office.records import Board, Tournament
from legation.office.store.rows import BoardRow, BoardSeatRow, EntrantRow, MailingRow, TournamentRow
from legation.office.terms import invariants
from legation.scoring.tournament import Line
from tests.office.playing import CONSOLE, VISITOR, counted, end_game, gather, passes, person, refuses, turn_now
from tests.office.test_terminal_games import run

KEY = "winter-open"


def make(office: Office, host: Actor, **plan: Any) -> Tournament:
    """A tournament of the small variant, face to face unless it is said to be online."""
    given = {"name": "Winter Open", "variant": "hundred", "rounds": 2, "online": False, **plan}
    return tournaments.create(office, host, given)


def table(round_number: int | str, board: int | str, players: Iterable[str], centers: Iterable[int] = (9, 5, 3)) -> str:
    powers = ("Burgundy", "England", "France")
    rows = zip(powers, players, centers, strict=True)
    return "".join(f"{round_number},{board},{power},{player},{count},,\n" for power, player, count in rows)


HEAD = "round,board,power,player,centers,out,result\n"


def face_to_face(office: Office, people: int = 6, **plan: Any) -> Actor:
    """A tournament that is played at tables, with so many people: its host."""
    host = person(office, "Hilda")
    make(office, host, **plan)
    tournaments.add_people(office, host, KEY, [NewEntrant(f"P{number}") for number in range(1, people + 1)])
    return host


def online(office: Office, people: int = 3, **plan: Any) -> tuple[Actor, list[Actor]]:
    """A tournament that is played here, whose people have entered."""
    host = person(office, "Hilda")
    make(office, host, online=True, **plan)
    entered = [person(office, f"Player{number}") for number in range(people)]
    for one in entered:
        tournaments.enter(office, one, KEY)
    return host, entered


def seated(office: Office, *boards: Iterable[int], number: int = 1) -> None:
    """Seat a round by hand: on each board the people with these numbers, in the order of the powers."""
    with by_clock(office) as act:
        numbers = {row.number: row.id for row in act.tx.all(EntrantRow)}
        for at, listed in enumerate(boards, 1):
            board = act.tx.add(BoardRow(tournament=1, round=number, number=at, state="seated"))
            for power, one in zip(("Burgundy", "England", "France"), listed, strict=True):
                act.tx.add(BoardSeatRow(board=board.id, power=power, entrant=numbers[one] if one else None))


def board_of(told: Tournament, round_number: int = 1, number: int = 1) -> Board:
    return next(b for b in told.boards if (b.round, b.number) == (round_number, number))


def test_a_plan_with_faults_is_refused_with_all_of_them(office: Office) -> None:
    host = person(office, "Hilda")
    with pytest.raises(InvalidInputError) as refused:
        make(office, host, rounds=0, best=3, system="chess", ties=["lots"], bots="none such")
    assert [fault.partition(":")[0] for fault in refused.value.faults] == ["rounds", "best", "system", "ties", "bots"]
    refuses(InvalidInputError, make, office, host, variant="nowhere").match("variant")
    unasked = {"reliability": 80, "finished": 2, "rating": 1600}  # of who enters, so it must not seem to be
    refused = refuses(InvalidInputError, make, office, host, settings=unasked)
    assert list(refused.value.faults) == [f"settings.{name}: not in a tournament" for name in unasked]
    make(office, host)
    refuses(ConflictError, make, office, host).match("already a tournament")
    refuses(SignInNeededError, make, office, VISITOR)


def test_people_of_a_list_are_entered_once_each_by_a_name_of_their_own(office: Office) -> None:
    host = person(office, "Hilda")
    make(office, host)
    people = read_people("name,substitute\nAda,\nBob,yes\nAda,\n")
    told = tournaments.add_people(office, host, KEY, [*people, NewEntrant("ADA")])  # results of a table name either
    assert [(e.number, e.name, e.state) for e in told.entrants] == [
        (1, "Ada", "in"), (2, "Bob", "substitute"), (3, "Ada 2", "in"), (4, "ADA 3", "in"),
    ]  # fmt: skip
    assert read_people("Ada\nBob\n") == [NewEntrant("Ada"), NewEntrant("Bob")]
    refuses(InvalidInputError, tournaments.add_people, office, host, KEY, [NewEntrant(" ")]).match("line 1")
    refuses(NotAllowedError, tournaments.add_people, office, person(office, "Eve"), KEY, people)


def test_results_of_a_table_make_the_standings_and_the_awards(office: Office) -> None:
    host = face_to_face(office)
    text = HEAD + table(1, 1, ("P1", "P2", "P3")) + table(1, 2, ("P4", "P5", "P6"), (6, 6, 5))
    rounds.take_results(office, host, KEY, text + table(2, 1, ("P2", "P3", "P1")))
    told = standings.standings(office, VISITOR, KEY)
    carnage = {"P1": 3009 + 1003, "P2": 2005 + 3009, "P3": 1003 + 2005, "P4": 2506, "P5": 2506, "P6": 1005}
    assert {line.name: line.total for line in told.places} == carnage
    assert [(line.place, line.name) for line in told.places] == [
        (1, "P2"), (2, "P1"), (3, "P3"), (4, "P4"), (4, "P5"), (6, "P6"),
    ]  # fmt: skip
    assert [(a.power, a.name, a.centers) for a in told.awards] == [
        ("Burgundy", "P1", 9), ("England", "P5", 6), ("France", "P6", 5),
    ]  # fmt: skip
    after_one = standings.standings(office, VISITOR, KEY, round=1)
    assert after_one.round == 1 and {line.name: line.total for line in after_one.places}["P2"] == 2005
    with pytest.raises(InvalidInputError, match="nobody is called Nobody"):
        rounds.take_results(office, host, KEY, HEAD + table(2, 2, ("Nobody", "P4", "P5")))


def test_ties_are_told_apart_as_the_plan_says(office: Office) -> None:
    host = face_to_face(office, system="rank", ties=["leads", "centers"])
    rounds.take_results(
        office, host, KEY, HEAD + table(1, 1, ("P1", "P2", "P3")) + table(1, 2, ("P4", "P5", "P6"), (10, 4, 3))
    )
    told = standings.standings(office, VISITOR, KEY)
    assert [(line.place, line.name) for line in told.places][:3] == [(1, "P4"), (2, "P1"), (3, "P2")]


def test_a_result_is_entered_and_corrected_by_hand(office: Office) -> None:
    host = face_to_face(office)
    seated(office, (1, 2, 3), (4, 5, 6))
    rounds.start(office, host, KEY, 1)
    wrong = {"Burgundy": Line(12), "England": Line(9, result="lost")}
    refused = refuses(InvalidInputError, rounds.enter_result, office, host, KEY, 1, 1, wrong)
    assert [fault.partition(":")[0] for fault in refused.value.faults] == ["France", "England", "centers"]
    won = {"Burgundy": Line(10, result="won"), "England": Line(0, out=1426), "France": Line(7)}
    told = rounds.enter_result(office, host, KEY, 1, 1, won)
    seat = {s.power: s for s in board_of(told).seats}
    assert (seat["Burgundy"].result, seat["England"].out, seat["France"].centers) == ("won", 1426, 7)
    assert seat["Burgundy"].points == 6017 and board_of(told).state == "over"
    rounds.enter_result(
        office, host, KEY, 1, 1, {**won, "Burgundy": Line(9, result="draw"), "France": Line(8, result="draw")}
    )
    assert standings.standings(office, VISITOR, KEY).places[0].total == 3009
    refuses(ConflictError, tournaments.end, office, host, KEY).match("Board 2")
    rounds.enter_result(office, host, KEY, 1, 2, won)
    assert tournaments.end(office, host, KEY).summary.state == "ended"
    assert [event.text for event in tournaments.history(office, VISITOR, KEY)][-2:] == [
        "The result of board 2 in round 1 was entered.",
        "The tournament ended.",
    ]


def test_a_round_is_played_in_games_of_the_office(make_office: Callable[..., Office], database: str) -> None:
    office = make_office(database=database)
    host, people = online(office, 4)
    seated(office, (1, 2, 3))
    told = rounds.start(office, host, KEY, 1)
    work.run_due(office)
    key = board_of(told).game
    game = games.game(office, people[0], key)
    assert game.state == "running" and game.powers == ("Burgundy",) and game.settings["scoring"] == "carnage"
    assert game.name == "Winter Open R1 B1"
    live = standings.standings(office, VISITOR, KEY, live=True)
    assert live.playing == 1 and len(live.places) == 3
    assert standings.standings(office, VISITOR, KEY).places == ()
    told = rounds.substitute(office, host, KEY, 2, 4)
    assert games.game(office, people[3], key).powers == ("England",)
    assert {s.power: s.player for s in board_of(told).seats}["England"] == "Player3"
    seats.resign(office, people[3], key, "England")
    with pytest.raises(ConflictError, match="tournament’s board"):
        seats.take_over(office, person(office, "Passerby"), key, "England")
    seats.take_over(office, people[3], key, "England")
    until = office.clock.now() + timedelta(days=9)
    rounds.extend(office, host, KEY, 1, until, "the holidays")
    assert turn_now(office, host, key).deadline == until
    refuses(ConflictError, rounds.extend, office, host, KEY, 1, until, "again").match("earlier deadline")
    end_game(office, key, "France")
    told = tournaments.tournament(office, VISITOR, KEY)
    assert board_of(told).state == "over" and {s.result for s in board_of(told).seats} == {"won", ""}
    places = standings.standings(office, VISITOR, KEY).places
    assert [(line.place, line.name) for line in places] == [(1, "Player2"), (2, "Player0"), (2, "Player3")]


def mailed(office: Office, kind: str) -> dict[str, Content]:
    """The mails of a kind, by whom they go to."""
    found = [mailing for mailing in mailings.claim(office, limit=500) if mailing.kind == kind]
    return {mailing.name: message(office, mailing) for mailing in found}


@pytest.mark.parametrize("anonymous", [False, True])
def test_mails_tell_ones_board_and_the_standings(office: Office, clock: SimulatedClock, anonymous: bool) -> None:
    host, _ = online(office, settings={"anonymous": anonymous})
    seated(office, (1, 2, 3))
    rounds.start(office, host, KEY, 1)
    told = mailed(office, "round begun")
    assert sorted(told) == ["Player0", "Player1", "Player2"]
    text = as_text(told["Player0"])
    assert "you play Burgundy" in told["Player0"].subject and ("Player1 (England)" in text) is not anonymous
    work.run_due(office)
    end_game(office, f"{KEY}-r1-b1", "France")
    assert mailed(office, "standings") == {}, "further results may come"
    passes(office, clock, timedelta(minutes=1))
    told = mailed(office, "standings")
    assert sorted(told) == ["Player0", "Player1", "Player2"]
    assert "1. Player2: " in as_text(told["Player0"])
    passes(office, clock, timedelta(days=1))
    assert counted(office, MailingRow, kind="standings") == 3


def test_a_board_shows_public_profiles_offers_no_seat_and_is_called_as_it_stands(office: Office) -> None:
    host, (first, *_) = online(office)
    people.set_preferences(office, first, {"profile": True})
    seated(office, (1, 2, 3))
    rounds.start(office, host, KEY, 1)
    work.run_due(office)
    told = tournaments.tournament(office, VISITOR, KEY)
    number = told.entrants[0].profile
    assert number is not None and [one.profile for one in told.entrants[1:]] == [None, None]
    assert profiles.profile(office, VISITOR, number).name == "Player0"
    key = board_of(told).game
    assert [seat.profile for seat in games.game(office, VISITOR, key).seats] == [number, None, None]
    # the organizer says who plays on, so no list offers a seat that is vacant, and no page
    seats.resign(office, first, key, "Burgundy")
    assert games.list_games(office, VISITOR, open_seats=True) == []
    assert not any(seat.vacant for seat in games.game(office, VISITOR, key).seats)
    refuses(ConflictError, seats.take_over, office, person(office, "Eve"), key, "Burgundy")
    # it ends late
    refuses(NotAllowedError, rounds.call, office, first, KEY, 1, 1, "it is late")
    told = rounds.call(office, host, KEY, 1, 1, "it is late")
    assert board_of(told).state == "over" and games.game(office, host, key).state == "cancelled"
    assert len(standings.standings(office, VISITOR, KEY).places) == 3
    refuses(ConflictError, rounds.call, office, host, KEY, 1, 1, "again").match("No game runs")


def test_a_board_may_have_bots(office: Office) -> None:
    host, people = online(office, 2, bots="hold")
    seated(office, (1, 2, 0))
    told = rounds.start(office, host, KEY, 1)
    work.run_due(office)
    assert games.game(office, people[0], board_of(told).game).seats[2].bot == "hold"
    end_game(office, board_of(told).game, "France")
    assert {line.name: line.total for line in standings.standings(office, VISITOR, KEY).places} == {
        "Player0": 0, "Player1": 0,
    }  # fmt: skip


def told_of(office: Office, actor: Actor) -> str:
    """All that a reader gets of the tournament, as text."""
    parts = [
        tournaments.tournament(office, actor, KEY).boards,
        tournaments.history(office, actor, KEY),
        standings.standings(office, actor, KEY, live=True),
    ]
    return repr(parts)


def test_of_anonymous_boards_an_organizer_who_does_not_play_learns_who_plays_what_and_all_at_their_end(
    office: Office,
) -> None:
    """What nobody else learns before: :mod:`tests.office.test_who_plays_what`."""
    host, people = online(office, 4, settings={"anonymous": True})
    everybody = {"Player0", "Player1", "Player2"}

    def seen(reader: Actor) -> set[str]:
        return {seat.player for seat in board_of(tournaments.tournament(office, reader, KEY)).seats}

    seated(office, (1, 2, 3))
    rounds.exchange(office, host, KEY, 1, 1, 2)
    told = rounds.start(office, host, KEY, 1)
    work.run_due(office)
    assert seen(host) == everybody and seen(VISITOR) == seen(people[3]) == {""} and seen(people[0]) == {"", "Player0"}
    rounds.substitute(office, host, KEY, 3, 4)
    for said in ("changed places", "plays on for"):
        assert said in told_of(office, host) and said not in told_of(office, VISITOR)
    rounds.substitute(office, host, KEY, 4, 3)
    tournaments.enter(office, host, KEY)  # who plays along learns no more than the others
    assert seen(host) == {""} and "changed places" not in told_of(office, host)
    end_game(office, board_of(told).game, "France")
    assert seen(VISITOR) == everybody and len(standings.standings(office, VISITOR, KEY).places) == 3


def test_an_organizer_who_plays_finds_out_no_place_of_an_anonymous_round(office: Office) -> None:
    host, _ = online(office, 4, settings={"anonymous": True})
    tournaments.enter(office, host, KEY)
    seated(office, (1, 2, 5))
    refuses(ConflictError, rounds.exchange, office, host, KEY, 1, 5, 2).match("Players are anonymous")
    (own,) = [s for s in board_of(tournaments.tournament(office, host, KEY)).seats if s.player]
    assert (own.power, own.own) == ("France", True)
    rounds.start(office, host, KEY, 1)
    work.run_due(office)
    for comes in (5, 3):  # the game tells which power is somebody else's now
        refuses(ConflictError, rounds.substitute, office, host, KEY, 1, comes).match("Players are anonymous")
    assert told_of(office, host).count("plays on for") == 0
    rounds.substitute(office, CONSOLE, KEY, 1, 3)


def test_a_tournament_that_is_not_listed_is_unknown_to_others(office: Office) -> None:
    host = face_to_face(office, listed=False)
    for reader in (VISITOR, person(office, "Eve")):
        assert tournaments.list_tournaments(office, reader) == []
        for ask in (tournaments.tournament, tournaments.history, standings.standings):
            refuses(NotFoundError, ask, office, reader, KEY)
    (key,) = [line.key for line in tournaments.list_tournaments(office, host)]
    assert key.startswith(f"{KEY}-"), "another may have the name, and learns nothing by it"
    secret = tournaments.tournament(office, host, KEY).invitation
    assert tournaments.tournament(office, VISITOR, KEY, secret).invitation == ""
    standings.standings(office, VISITOR, KEY, invitation=secret)
    refuses(NotFoundError, tournaments.enter, office, person(office, "Kim"), KEY, invitation="guessed")
    ann = person(office, "Ann")
    tournaments.enter(office, ann, KEY, invitation=secret)
    assert [line.key for line in tournaments.list_tournaments(office, ann)] == [key]
    make(office, person(office, "Eve"))
    assert tournaments.tournament(office, VISITOR, KEY).organizer == "Eve"


def test_games_of_a_tournament_that_is_not_listed_are_not_listed(office: Office) -> None:
    host, people = online(office, 3, settings={"listed": True})
    seated(office, (1, 2, 3))
    tournaments.set_plan(office, host, KEY, {"listed": False})
    rounds.start(office, host, KEY, 1)
    work.run_due(office)
    assert games.list_games(office, VISITOR) == [] == games.list_games(office, person(office, "Eve"))
    assert len(games.list_games(office, people[0])) == 1


@pytest.mark.parametrize(
    ("round_number", "board", "told"),
    [
        ("0001" + "9" * 30, "1", "both are numbers"),
        ("1", "12345", "both are numbers"),
        ("1", "9" * 5000, "both are numbers"),
        ("0", "1", "both are numbers"),
        ("-1", "1", "both are numbers"),
        ("1", "02", "round 1, board 2: is there twice"),
    ],
)
def test_numbers_that_are_none_of_a_table_of_results_are_refused(
    office: Office, round_number: str, board: str, told: str
) -> None:
    host = face_to_face(office)
    text = HEAD + table(round_number, board, ("P1", "P2", "P3")) + table(1, 2, ("P4", "P5", "P6"))
    refuses(InvalidInputError, rounds.take_results, office, host, KEY, text).match(told)


def test_who_withdraws_has_the_round_seated_anew_and_who_is_erased_leaves_a_number(office: Office) -> None:
    host, people = online(office, 3)
    seated(office, (1, 2, 3))
    tournaments.withdraw(office, people[1], KEY)
    told = tournaments.tournament(office, host, KEY)
    assert told.boards == () and told.seating == "waiting"
    work.run_due(office)
    assert tournaments.tournament(office, host, KEY).boards == (), "too few are left"
    refuses(ConflictError, rounds.seat, office, host, KEY).match("needs 3 people")
    refuses(ConflictError, tournaments.set_entrant, office, host, KEY, 2, "in").match("can enter again")
    tournaments.enter(office, people[1], KEY, substitute=True)
    assert tournaments.tournament(office, host, KEY).entrants[1].state == "substitute"
    # an erased person leaves a number behind
    erasing.erase(office, people[0])
    told = tournaments.tournament(office, host, KEY)
    assert (told.entrants[0].name, told.entrants[0].state) == ("erased 1", "out")
    assert "Player0" not in told_of(office, host)
    # who organizes it ends it before
    refuses(ConflictError, erasing.erase, office, host).match("these tournaments.*: Winter Open")
    tournaments.cancel(office, host, KEY, "nobody is left")
    erasing.erase(office, host)


def test_what_never_holds_is_refused_whatever_was_done(office: Office) -> None:
    face_to_face(office)
    seated(office, (1, 2, 3), (1, 5, 6))
    with by_clock(office) as act:
        act.tx.change(act.tx.get(EntrantRow, 6), state="out")
    with office.store.transaction(write=False) as tx:
        row = tx.get(TournamentRow, 1)
        assert list(invariants.tournament_faults(tx, row)) == [
            "P1 would sit on two boards of round 1.",
            "P6 has withdrawn.",
        ]
    refuses(ConflictError, tournaments.set_plan, office, CONSOLE, KEY, {"best": 1}).match("two boards")


def test_a_coordinator_of_the_games_cannot_play(office: Office) -> None:
    host = person(office, "Hilda")
    make(office, host, online=True, settings={"coordinated": True})
    refuses(ConflictError, tournaments.enter, office, host, KEY).match("can't play")


def test_a_plan_changes_while_nobody_is_deceived(office: Office) -> None:
    host, _ = online(office, 1)
    assert (
        tournaments.set_plan(office, host, KEY, {"system": "dixie", "rounds": 4}).plan["settings"]["scoring"] == "dixie"
    )
    refuses(ConflictError, tournaments.set_plan, office, host, KEY, {"variant": "standard"}).match("variant")
    with pytest.raises(ConflictError, match="stays as it is"):
        tournaments.set_plan(office, host, KEY, {"settings": {"anonymous": True}})


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"rated": True}, "unrated"),
        ({"coordinated": True, "reads_letters": True}, "can't read letters"),
        ({"coordinated": True, "opening_by_post": True}, "without post"),
    ],
)
def test_nobody_who_entered_plays_by_terms_they_never_agreed_to(
    office: Office, settings: dict[str, Any], told: str
) -> None:
    host, _ = online(office, 1)
    refuses(ConflictError, tournaments.set_plan, office, host, KEY, {"settings": settings}).match(told)
    gathers = gather(office, host, "Thursday", coordinated="coordinated" in settings)
    seats.sign_up(office, person(office, "Ada"), gathers.key)
    refuses(ConflictError, games.set_settings, office, host, gathers.key, settings).match(told)


def test_what_was_private_when_people_entered_stays_so(office: Office) -> None:
    host, first = person(office, "Hilda"), person(office, "Ada")
    told = make(office, host, online=True, listed=False)
    tournaments.enter(office, first, told.summary.key, invitation=told.invitation)
    refuses(ConflictError, tournaments.set_plan, office, host, told.summary.key, {"listed": True}).match("private")


def test_who_is_blocked_by_an_organizer_enters_nothing_of_theirs(office: Office) -> None:
    host, (first, *_) = online(office, 2)
    moderation.block(office, host, office.numbers.shown("person", first.person or 0))
    tournaments.withdraw(office, first, KEY)
    refuses(NotAllowedError, tournaments.enter, office, first, KEY)
    tournaments.enter(office, person(office, "Ada"), KEY)


def test_a_board_counts_as_it_stands_whether_it_is_played_or_called(office: Office) -> None:
    """Centers that nobody owns count among the board's, too."""
    host, _ = online(office, 3, system="tribute")
    seated(office, (1, 2, 3))
    rounds.start(office, host, KEY, 1)
    work.run_due(office)
    live = standings.standings(office, VISITOR, KEY, live=True).places
    rounds.call(office, host, KEY, 1, 1, "it is late")
    assert [line.total for line in live] == [line.total for line in standings.standings(office, VISITOR, KEY).places]


def test_substitutes_of_a_league_neither_rise_nor_fall_and_stay_substitutes(office: Office) -> None:
    host = person(office, "Hilda")
    leagues.create(office, host, "Club", moves=1)
    plan = {"variant": "hundred", "rounds": 1, "online": False, "name": "any"}
    leagues.open_season(office, host, "club", plan, divisions=2)
    for key, names in (("club-s1-d1", "ABC"), ("club-s1-d2", "DEF")):
        tournaments.add_people(office, host, key, [NewEntrant(f"{names} stands by", substitute=True)])
        tournaments.add_people(office, host, key, [NewEntrant(name) for name in names])
        rounds.take_results(office, host, key, HEAD + table(1, 1, names))
        tournaments.end(office, host, key)
    leagues.open_season(office, host, "club", plan, divisions=2)
    entered = [tournaments.tournament(office, host, f"club-s2-d{number}").entrants for number in (1, 2)]
    assert [{(e.name, e.state) for e in listed} for listed in entered] == [
        {("A", "in"), ("B", "in"), ("D", "in"), ("ABC stands by", "substitute")},
        {("C", "in"), ("E", "in"), ("F", "in"), ("DEF stands by", "substitute")},
    ]


def test_a_league_has_the_best_rise_and_the_last_fall(office: Office) -> None:
    host = person(office, "Hilda")
    leagues.create(office, host, "Club", moves=1)
    plan = {"variant": "hundred", "rounds": 1, "online": False, "name": "any"}
    told = leagues.open_season(office, host, "club", plan, divisions=2)
    keys = [line.key for line in told.seasons[0].divisions]
    for key, names in zip(keys, ("ABC", "DEF"), strict=True):
        tournaments.add_people(office, host, key, [NewEntrant(name) for name in names])
    refuses(ConflictError, leagues.open_season, office, host, "club", plan, divisions=2).match("isn't over")
    for key, names in zip(keys, ("ABC", "DEF"), strict=True):
        rounds.take_results(office, host, key, HEAD + table(1, 1, names))
        tournaments.end(office, host, key)
    told = leagues.open_season(office, host, "club", plan, divisions=2)
    assert [season.number for season in told.seasons] == [2, 1]
    for again in (True, False):  # a season that was cancelled changes nothing: the next one has the same people
        keys = [line.key for line in told.seasons[0].divisions]
        people = [{e.name for e in tournaments.tournament(office, host, key).entrants} for key in keys]
        assert people == [{"A", "B", "D"}, {"C", "E", "F"}]
        if again:
            for key in keys:
                tournaments.cancel(office, host, key, "the wrong plan")
            told = leagues.open_season(office, host, "club", plan, divisions=2)
    refuses(NotAllowedError, leagues.open_season, office, person(office, "Eve"), "club", plan)


# Seating, by the solver


def played_before(told: Tournament) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """How often each played a power, and each two met."""
    powers = Counter((s.player, s.power) for b in told.boards for s in b.seats if s.player)
    met = Counter(pair for b in told.boards for pair in combinations(sorted(s.player for s in b.seats if s.player), 2))
    return powers, met


def test_nobody_meets_the_same_people_or_power_twice_where_it_can_be_avoided(office: Office) -> None:
    host = face_to_face(office, 9, rounds=3)
    told = None
    for number in (1, 2):
        assert rounds.seat(office, host, KEY).seating == "waiting"
        work.run_due(office)
        told = tournaments.tournament(office, host, KEY)
        assert told.seating == "" and len(told.boards) == 3 * number
        rounds.start(office, host, KEY, number)
    assert told is not None
    powers, met = played_before(told)
    assert set(powers.values()) == {1} and set(met.values()) == {1} and len(met) == 18
    said = "Round 2 was seated: nobody meets the same people or plays the same power again."
    assert said in [event.text for event in tournaments.history(office, VISITOR, KEY)]


def test_who_sits_out_takes_turns_and_substitutes_fill_the_last_board(office: Office) -> None:
    host = face_to_face(office, 4, rounds=4)
    for number in (1, 2, 3):
        rounds.seat(office, host, KEY)
        work.run_due(office)
        rounds.start(office, host, KEY, number)
    told = tournaments.tournament(office, host, KEY)
    assert sorted(Counter(s.player for b in told.boards for s in b.seats).values()) == [2, 2, 2, 3]
    tournaments.add_people(office, host, KEY, [NewEntrant("S1", True), NewEntrant("S2", True)])
    rounds.seat(office, host, KEY)
    work.run_due(office)
    told = tournaments.tournament(office, host, KEY)
    last = [b for b in told.boards if b.round == 4]
    assert len(last) == 2 and {"S1", "S2"} < {s.player for b in last for s in b.seats}


@pytest.mark.parametrize("seating", ["standings", "final"])
def test_the_best_may_sit_together(office: Office, seating: str) -> None:
    host = face_to_face(office, 6, seating=seating)
    rounds.take_results(
        office, host, KEY, HEAD + table(1, 1, ("P1", "P2", "P3")) + table(1, 2, ("P4", "P5", "P6"), (8, 6, 3))
    )
    rounds.seat(office, host, KEY)
    work.run_due(office)
    told = tournaments.tournament(office, host, KEY)
    assert {s.player for s in board_of(told, 2, 1).seats} == {"P1", "P4", "P5"}
    assert set(played_before(told)[0].values()) == {1}


def test_a_tournament_is_run_from_the_terminal(tmp_path: Path) -> None:
    folder = tmp_path / "office"
    run(folder, "person", "Anna Ash", "anna@example.org")
    plan, people, results = tmp_path / "plan.toml", tmp_path / "people.csv", tmp_path / "results.csv"
    plan.write_text('name = "Winter Open"\nvariant = "hundred"\nrounds = 1\nonline = false\n')
    people.write_text("name\nP1\nP2\nP3\n")
    results.write_text(HEAD + table(1, 1, ("P1", "P2", "P3")))
    assert "There are no tournaments." in run(folder, "tournaments")
    assert "winter-open" in run(folder, "tournaments", "--new", str(plan), "--as", "anna@example.org")
    assert "3 entered" in run(folder, "tournament", KEY, "people", str(people))
    assert "name the file" in run(folder, "tournament", KEY, "results", status=1)
    assert "running" in run(folder, "tournament", KEY, "results", str(results))
    shown = run(folder, "tournament", KEY)
    assert "Best Burgundy: P1, 9 centers, 3009 points" in shown and "Round 1, board 1: Burgundy P1" in shown
    assert json.loads(run(folder, "tournament", KEY, "--json"))["places"][0]["name"] == "P1"
    assert "ended" in run(folder, "tournament", KEY, "end")
