"""A game that runs itself, from its making to its turns, on a simulated clock."""

from datetime import timedelta
from pathlib import Path

import pytest

from legation.office.clock import SimulatedClock
from legation.office.context import Actor, by_clock
from legation.office.game import journal, seats
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office, open_office
from legation.office.operation import demo, work
from legation.office.operation.work import sweep_guests
from legation.office.orders import submissions
from legation.office.settings import Settings
from legation.variants import ListedVariants, Registry, names
from tests.office.playing import CONSOLE, VISITOR, begin, gather, passes, person, send_all, turn_now
from tests.rules.small_variant import HOMES, VARIANT


def test_a_game_of_hundred_plays_itself(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office)
    assert record.turn is not None and record.turn.name == "1425 Movement"
    assert sorted(players) == sorted(s.power for s in record.seats)
    for number in range(1, 7):
        present = turn_now(office, VISITOR, record.key)
        assert present.number == number
        receipts = send_all(office, record, players, number)
        for power, receipt in receipts.items():
            assert receipt.turn == present.name and receipt.power == power and receipt.checked is not None
        passes(office, clock, present.deadline - timedelta(microseconds=1))
        assert turn_now(office, VISITOR, record.key) == present
        passes(office, clock, present.deadline)
        result = games.result(office, VISITOR, record.key, number)
        assert result.state == "final"
        by_power = {sheet.power: sheet for sheet in result.sheets}
        for power, receipt in receipts.items():
            assert by_power[power].commitment == receipt.commitment
            assert receipt.checked is not None and by_power[power].orders == receipt.checked.orders
    kinds = [entry.kind for entry in journal.entries(office, VISITOR, record.key, limit=1000)]
    assert kinds.count("final results") == 6


def test_bots_play_on_their_own(office: Office, clock: SimulatedClock) -> None:
    host = person(office, "Host")
    chairs = {"France": "bot:dumbbot", "England": "bot:random", "Burgundy": "bot:hold"}
    made = gather(office, host, "Bots", chairs=chairs)
    games.start(office, host, made.key)
    work.run_due(office)
    for _ in range(4):
        passes(office, clock, timedelta(days=1))
    assert len(games.turns(office, VISITOR, made.key)) == 5
    assert sorted(h.bot for h in seats.holders(office, VISITOR, made.key)) == ["dumbbot", "hold", "random"]
    assert all(sheet.orders for sheet in games.result(office, VISITOR, made.key, 1).sheets)


@pytest.mark.long
def test_a_demonstration_is_made_once(tmp_path: Path) -> None:
    keys = demo.fill(tmp_path, Settings(settling=0), turns=2)
    office = open_office(tmp_path, Settings(settling=0))
    you = people.as_person(office, people.find(office, CONSOLE, demo.ADDRESS).id)
    *played, table = [games.game(office, you, key) for key in keys]
    assert [game.variant for game in played] == list(names())
    for game in played:
        assert game.state == "running" and len(game.powers) == 1
        assert game.turn is not None and game.turn.number == 3 and game.turn.deadline is not None
        assert game.turn.deadline > office.clock.now(), "the present turn is open to whoever looks"
        (own,) = (line for line in games.turns(office, you, game.key) if line.number == 1)
        assert own.state == "final"
        sent = submissions.mine(office, you, game.key, game.powers[0], "1")
        assert [line.channel for line in sent] == ["web"], "the demo player has ordered, too"
    assert table.state == "gathering" and len(table.seats) == min(len(game.seats) for game in played)
    office.close()
    assert demo.fill(tmp_path, Settings(settling=0)) == []


def test_guests_are_seated_though_all_names_were_given_before(
    office: Office, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guests' games are swept away after two days; their keys stay with the keeper, which gives a name once."""
    monkeypatch.setattr(demo, "MEETINGS", ("Peace",))
    monkeypatch.setattr(demo, "PLACES", ("Utrecht", "Lodi"))
    seen = set()
    for day in range(4):
        seen.add(demo.seat_guest(office, "hundred")[1])
        clock.advance(timedelta(days=4))
        with by_clock(office) as act:
            assert sweep_guests(act) == 1, day
    assert len(seen) == 4


def test_the_seat_of_nobody_is_filled(office: Office, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(VARIANT.format(rule=f"{HOMES}[rules.passive_powers]\npowers = ['Turkey']"))
    office.variants = ListedVariants(Registry(tmp_path), office.catalog)
    made = gather(office, person(office, "Host"), "Quiet", variant="x")
    bots = {seat.power: seat.bot for seat in games.game(office, CONSOLE, made.key).seats}
    assert bots == {"France": "", "Italy": "", "Turkey": "hold"}


def test_who_gave_a_seat_back_and_signs_up_again_waits_like_all(office: Office, clock: SimulatedClock) -> None:
    host, eve, *others = (person(office, name) for name in ("Host", "Eve", "Ann", "Bob", "Cy"))
    made = gather(office, host, "Naseby", coordinated=True)

    def seated(who: Actor, power: str) -> None:
        link = games.invite(office, host, made.key, "", power).secret
        seats.sign_up(office, who, made.key, invitation=link)

    seated(eve, "France")
    clock.advance(timedelta(minutes=1))
    seats.withdraw_sign_up(office, eve, made.key)
    for who, seat in zip(others, made.seats, strict=True):
        seated(who, seat.power)
    clock.advance(timedelta(minutes=1))
    seats.sign_up(office, eve, made.key)
    games.start(office, host, made.key)
    assert games.game(office, eve, made.key).waits
