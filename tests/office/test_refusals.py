"""What the office says when it cannot do what was asked: each refusal in its own words, and nothing is changed."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from legation.office.clock import SimulatedClock
from legation.office.context import Actor, CommandContext, command
from legation.office.desk import desk, letters, mailings, readings, unmatched
from legation.office.errors import (
    ConflictError,
    InvalidInputError,
    KeyNotReleasedError,
    LimitExceededError,
    NotAllowedError,
    NotFoundError,
    OfficeError,
    TooLateError,
)
from legation.office.game import processing, seats
from legation.office.hosting import absences, deadlines, exports, games, roster
from legation.office.identity import people
from legation.office.keys import seals
from legation.office.monitoring.rate_limits import Allowance
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.orders.pictures import PictureError, take_pictures
from legation.office.records import AddressRecord, GameRecord
from legation.office.settings import Settings
from legation.office.store.rows import SharedRow
from legation.office.terms import schedules
from tests.office.playing import begin, person, send_all, unmatched_mail

Game = tuple[GameRecord, dict[str, Actor], Actor]
PICTURE = ("sheet.jpg", b"\xff\xd8 a photograph", "image/jpeg")


def refused(kind: type[OfficeError], words: str, do: Callable[..., object], *given: Any) -> OfficeError:
    """The refusal, which is of this kind and has these words."""
    with pytest.raises(kind) as caught:
        do(*given)
    assert words in caught.value.message, caught.value.message
    return caught.value


# People


def test_people_and_their_credentials(office: Office, clock: SimulatedClock) -> None:
    ann, ben = person(office, "Ann"), person(office, "Ben")
    refused(
        NotAllowedError, "the office itself", lambda: people.register(office, Actor.visitor(), "A", "ann@example.org")
    )
    assert people.register(office, Actor.console(), "Another", "ANN@example.org").name == "Ann"
    refused(
        InvalidInputError, "from 1 to 3660 days", lambda: people.make_token(office, ann, "long", ("read",), days=4000)
    )
    refused(
        NotFoundError, "Nobody here uses this address", lambda: people.find(office, Actor.console(), "x@example.org")
    )
    people.ask_change(office, ann, "new@example.org")
    from legation.office.desk import mailings

    (mail,) = [m for m in mailings.claim(office) if m.kind == "approve address"]
    assert people.approve_change(office, Actor.visitor(), mail.facts["secret"]) == "new@example.org"
    (mail,) = [m for m in mailings.claim(office) if m.kind == "confirm address"]
    people.register(office, Actor.console(), "Carol", "new@example.org")
    refused(
        ConflictError,
        "belongs to another",
        lambda: people.confirm_change(office, Actor.visitor(), mail.facts["secret"]),
    )
    assert people.me(office, ann).email == "ann@example.org"
    assert ben.person != ann.person


def test_an_absence_ends_after_it_begins(office: Office) -> None:
    ann = person(office, "Ann")
    for last in ("2026-03-01", "2028-01-01"):
        refused(
            InvalidInputError,
            "end after it begins, within a year",
            absences.announce,
            office,
            ann,
            "2026-03-02",
            last,
        )
    assert absences.absences(office, ann) == []


def test_postal_addresses(office: Office) -> None:
    ann = person(office, "Ann")
    lines = ["1 High Street", "Oxford"]
    told = refused(
        InvalidInputError,
        "can't be used",
        lambda: roster.add_address(office, ann, lines, "UK", first="2026-04-01", primary=True),
    )
    assert told.faults == ("primary: has no dates; add a second address for those days",)
    for number in range(roster.MOST):
        roster.add_address(office, ann, [f"{number} High Street"], "UK", first="2026-04-01")
    told = refused(
        InvalidInputError, "can't be used", lambda: roster.add_address(office, ann, lines, "UK", last="2026-04-01")
    )
    assert told.faults == (f"at most {roster.MOST} addresses",)
    refused(NotFoundError, "no such address", lambda: roster.remove_address(office, ann, 999))


def test_which_of_two_addresses_is_written_on_a_letter(office: Office) -> None:
    record, players, host = begin(office, coordinated=True, channels={"Movement": ["api", "post"]})
    france = players["France"]

    def ask(days: int) -> AddressRecord:
        return roster.address_on(office, host, record.key, "France", days_in_post=days)

    refused(NotFoundError, "France has given no address for Wed 4 Mar 2026", ask, 2)
    roster.add_address(office, france, ["an open end"], "UK", first="2026-03-01")
    roster.add_address(office, france, ["a week"], "UK", first="2026-03-04", last="2026-03-10")
    assert [ask(days).lines for days in (0, 2, 9)] == [("an open end",), ("a week",), ("an open end",)]
    refused(InvalidInputError, "takes 0 to 60 days", ask, 61)
    other = players["England"]
    roster.share_address(office, france, record.key, "France", False)
    refused(NotAllowedError, "can't see", lambda: roster.address_on(office, other, record.key, "France"))


# Games


def test_games_that_are_not_made(make_office: Callable[..., Office], tmp_path: Path) -> None:
    office = make_office(most_games=1, open_to_all=False)
    ann = person(office, "Ann")
    plan = {"name": "Naseby", "variant": "hundred"}
    refused(NotAllowedError, "Only administrators", lambda: games.create(office, ann, plan))
    assert ann.person is not None
    people.make_administrator(office, Actor.console(), ann.person)
    (tmp_path / "own.toml").write_text('title = "Own"')
    told = refused(
        InvalidInputError,
        "The game can't be created",
        lambda: games.create(office, ann, {**plan, "variant": str(tmp_path / "own.toml")}),
    )
    assert "Own" not in str(told.faults), "nothing that a plan names opens a file"
    refused(
        InvalidInputError,
        "channels.Movement: name at least one of",
        lambda: games.create(office, ann, {**plan, "settings": {"channels": {"Movement": []}}}),
    )
    told = refused(
        InvalidInputError, "no bot 'hal'", lambda: games.create(office, ann, {**plan, "seats": {"France": "bot:hal"}})
    )
    games.create(office, ann, plan)
    refused(LimitExceededError, "You already run 1 game", lambda: games.create(office, ann, {**plan, "name": "Valmy"}))
    assert [line.name for line in games.list_games(office, Actor.console())] == ["Naseby"]


def test_settings_that_are_not_changed(office: Office) -> None:
    record, _, host = begin(office, coordinated=True)

    def change(game: GameRecord, **changes: Any) -> Callable[[], object]:
        return lambda: games.set_settings(office, host, game.key, changes)

    fixed = change(record, press=[], anonymous=True)
    refused(ConflictError, "While a game runs, anonymous, press cannot be changed", fixed)
    made = games.create(office, host, {"name": "Naseby", "variant": "hundred"})
    refused(InvalidInputError, "The settings cannot be read", change(made, grace="long"))
    refused(InvalidInputError, "The settings cannot be used: settings.grace: from 0 to", change(made, grace=-1))
    assert games.game(office, host, made.key).settings == made.settings


def test_a_list_goes_on_past_games_that_are_not_for_everybody(office: Office) -> None:
    ann = person(office, "Ann")
    for name, listed in (("A", False), ("B", False), ("C", True), ("D", True)):
        games.create(office, ann, {"name": name, "variant": "hundred", "settings": {"listed": listed}})
    assert [line.name for line in games.list_games(office, Actor.visitor(), limit=1)] == ["C"]
    assert [line.name for line in games.list_games(office, ann, limit=3)] == ["A", "B", "C"]


# Seats


def test_seats_that_are_not_given(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, coordinated=True)
    made = games.create(
        office,
        boss,
        {"name": "Naseby", "variant": "hundred", "settings": {"coordinated": True}, "seats": {"England": "bot:hold"}},
    )
    refused(ConflictError, "The coordinator can't play in the game", lambda: seats.sign_up(office, boss, made.key))
    seats.sign_up(office, players["France"], made.key)
    refused(
        ConflictError, "2 of 3 powers have no player yet", lambda: games.start(office, boss, made.key)
    ) if False else None
    told = refused(ConflictError, "of 3 powers have no player yet", lambda: games.start(office, boss, made.key))
    assert told.message.startswith("1 of 3")
    seats.seat_bot(office, boss, made.key, "England", "random")
    assert [h.bot for h in seats.holders(office, boss, made.key)] == ["hold", "random"]
    france = players["France"]
    refused(ConflictError, "France has a player", lambda: seats.seat_bot(office, boss, record.key, "France", "hold"))
    refused(
        ConflictError,
        "plays in this game already",
        lambda: seats.replace(office, boss, record.key, "England", people.me(office, france).email),
    )
    seats.vacate(office, boss, record.key, "France", "gone")
    refused(ConflictError, "France has no player", lambda: seats.vacate(office, boss, record.key, "France", "gone"))
    refused(
        ConflictError,
        "can't play in the game",
        lambda: seats.take_over(office, boss, record.key, "France", secret(office, boss, record, "France")),
    )
    refused(ConflictError, "England has a player", lambda: secret(office, boss, record, "England"))
    refused(InvalidInputError, "Name the power", lambda: secret(office, boss, record))
    link = secret(office, boss, record, "France")
    seats.take_over(office, person(office, "Eve"), record.key, "France", link)
    refused(OfficeError, "", lambda: seats.take_over(office, person(office, "Bob"), record.key, "France", link))
    holder = next(s.holder for s in games.game(office, boss, record.key).seats if s.power == "France")
    assert holder == "Eve"


def secret(office: Office, boss: Actor, record: GameRecord, power: str = "") -> str:
    """A link to a seat."""
    return games.invite(office, boss, record.key, "", power).secret


def test_a_seat_that_was_taken_by_invitation_can_be_given_back(office: Office) -> None:
    host, eve = person(office, "Host"), person(office, "Eve")
    made = games.create(office, host, {"name": "Naseby", "variant": "hundred"})
    seats.sign_up(office, eve, made.key, invitation=secret(office, host, made, "France"))
    refused(ConflictError, "You already play France", lambda: seats.sign_up(office, eve, made.key))
    seats.withdraw_sign_up(office, eve, made.key)
    assert {seat.state for seat in games.game(office, host, made.key).seats} == {"open"}
    assert seats.sign_ups(office, host, made.key) == []


def test_an_answer_is_given_again_though_its_invitation_is_used_up(office: Office) -> None:
    """Whoever asks the same once more, with the same key, has lost the answer; the link is good once all the same."""
    host, ann, eve = (person(office, name) for name in ("Host", "Ann", "Eve"))
    plan = {"name": "Naseby", "variant": "hundred", "settings": {"listed": False}}
    made = games.create(office, host, plan)
    link, keyed = games.invite(office, host, made.key).secret, ann.once("signing up")
    answer = seats.sign_up(office, keyed, made.key, ["France"], link)
    assert seats.sign_up(office, keyed, made.key, ["France"], link) == answer
    refused(NotFoundError, "already used", lambda: seats.sign_up(office, ann.once("other"), made.key, ["France"], link))
    refused(NotFoundError, "already used", lambda: seats.sign_up(office, eve.once("signing up"), made.key, (), link))
    refused(ConflictError, "have not signed up", lambda: seats.withdraw_sign_up(office, host, gathering(office)))


def gathering(office: Office) -> str:
    """A game that gathers, of somebody else."""
    return games.create(office, person(office, "Else"), {"name": "Stow", "variant": "hundred"}).key


def test_nobody_has_the_office_mail_strangers_without_end(office: Office) -> None:
    """An account is no way to send mails to any number of addresses, by whichever door."""
    record, _, boss = begin(office, coordinated=True)
    seats.vacate(office, boss, record.key, "France", "gone")
    office.mailed_to = Allowance(2, 60)
    games.invite(office, boss, record.key, "a@example.org", "France")
    games.name_deputy(office, boss, record.key, "b@example.org")
    many = "as many invitations as a day allows"
    refused(LimitExceededError, many, games.invite, office, boss, record.key, "c@example.org", "France")
    refused(LimitExceededError, many, games.name_deputy, office, boss, record.key, "c@example.org")
    refused(LimitExceededError, many, seats.replace, office, boss, record.key, "France", "c@example.org")
    invited = {"name": "Naseby", "variant": "hundred", "seats": {"France": "c@example.org"}}
    refused(LimitExceededError, many, games.create, office, boss, invited)
    games.invite(office, boss, record.key, "", "France")  # a link that the office mails to nobody
    assert not {"c@example.org"} & {mail.address for mail in mailings.claim(office, limit=100)}


def test_one_address_gets_one_invitation_a_day_and_none_where_it_wants_none(
    office: Office, clock: SimulatedClock
) -> None:
    """60 invitations to one foreign address were 60 mails."""
    record, _, boss = begin(office, coordinated=True)
    seats.vacate(office, boss, record.key, "France", "gone")
    stow = gathering(office)
    host = person(office, "Else")
    games.invite(office, boss, record.key, "a@example.org", "France")
    today = "went to this address today already"
    refused(LimitExceededError, today, games.invite, office, boss, record.key, "A@example.org", "France")
    refused(LimitExceededError, today, games.invite, office, host, stow, "a@example.org")
    games.name_deputy(office, boss, record.key, "b@example.org")
    refused(LimitExceededError, today, games.name_deputy, office, boss, record.key, "b@example.org")
    games.invite(office, host, stow)  # a link to send oneself
    (mail,) = [mail for mail in mailings.claim(office, limit=100) if mail.kind == "invitation"]
    link = mailings.unsubscribe_link(office, mail)
    assert link and mailings.unsubscribe(office, link.rpartition("/")[2]) == "invitation"
    clock.advance(timedelta(days=400))
    refused(LimitExceededError, "takes no invitations", games.invite, office, host, stow, "a@example.org")
    games.invite(office, host, stow, "c@example.org")
    with office.store.transaction(write=False) as tx:
        assert not any("a@example.org" in str(row) for row in tx.all(SharedRow))


def test_what_one_player_writes_for_ever_has_an_end(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("legation.office.orders.submissions.MOST_CHANGES", 2)
    monkeypatch.setattr("legation.office.desk.letters.MOST_A_DAY", 2)
    record, players, _ = begin(office)
    seat = office, players["France"], record.key, "France"
    for key in ("a" * 64, "b" * 64):
        submissions.set_key(*seat, key)
        submissions.ready(*seat)
        submissions.not_ready(*seat)
        letters.write(*seat, ["England"], "Hello.")
    refused(LimitExceededError, "too many new keys", submissions.set_key, *seat, "c" * 64)
    refused(LimitExceededError, "too often this turn", submissions.ready, *seat)
    refused(LimitExceededError, "2 letters in a day", letters.write, *seat, ["England"], "Hello.")
    letters.write(office, players["England"], record.key, "England", ["France"], "Hello.")


# Orders


def test_orders_that_are_not_taken(make_office: Callable[..., Office], clock: SimulatedClock) -> None:
    office = make_office(largest_sheet=1000, most_versions=2, largest_file=1000)
    record, players, boss = begin(office, coordinated=True, ready_ends=False)
    france, key = players["France"], record.key

    def send(text: str) -> Callable[[], object]:
        return lambda: submissions.submit(office, france, key, "France", text)

    refused(InvalidInputError, "A sheet has at most 1,000 characters", send("A par H\n" * 200))
    refused(InvalidInputError, "without null characters", send("A par H\0"))
    refused(InvalidInputError, "whole characters", send("A par H \ud800"))
    long = "A par H\n" * 200
    refused(
        InvalidInputError,
        "A sheet has at most 1,000 characters",
        lambda: submissions.check(office, france, key, "France", long),
    )
    refused(NotFoundError, "Name the power", lambda: submissions.check(office, boss, key, "", "A par H"))
    for picture in (
        ("a.gif", b"GIF89a", "image/gif"),
        ("a.jpg", b"", "image/jpeg"),
        ("a.jpg", b"x" * 1001, "image/jpeg"),
    ):
        refused(
            InvalidInputError,
            "can't be accepted",
            submissions.submit_pictures,
            office,
            france,
            key,
            "France",
            [picture],
        )
    send("A par H")()
    send("A par - orl")()
    refused(LimitExceededError, "France has sent 2 versions this turn", send("A par H"))
    submissions.submit_pictures(office, players["England"], key, "England", [PICTURE])
    clock.advance(timedelta(days=1))
    work.run_due(office)  # the picture waits to be read, so the turn is not judged
    refused(TooLateError, "is closed and takes no more orders", send("A par H"))
    for do in (submissions.ready, submissions.not_ready):
        refused(TooLateError, "is closed", do, office, france, key, "France")
    until = datetime(2026, 4, 1, tzinfo=UTC)
    refused(ConflictError, "can't be moved any more", lambda: deadlines.extend(office, boss, key, until, "no"))
    refused(ConflictError, "1425 Movement is opened already", lambda: processing.process_now(office, boss, key))
    (item,) = desk.items(office, boss)
    refused(NotFoundError, "no such picture", lambda: readings.picture(office, boss, item.id, "0" * 64))
    refused(
        ConflictError,
        "no versions to choose from here",
        lambda: readings.choose(office, boss, item.id, 1, "this"),
    )
    refused(NotFoundError, "isn't on the desk", lambda: desk.item(office, boss, 999))
    made = games.create(office, boss, {"name": "Naseby", "variant": "hundred"})
    assert submissions.commitments(office, boss, made.key) == []


def test_letters_that_are_not_sent(office: Office) -> None:
    record, players, _ = begin(office, press=["private"])
    for text in (" ", "x" * 20_001, "a\0b"):
        letter = (office, players["France"], record.key, "France", ["England"], text)
        refused(InvalidInputError, "A letter must have 1 to", letters.write, *letter)
    assert letters.letters(office, players["England"], record.key, "England") == []


def test_a_seal_opens_to_its_own_key_alone() -> None:
    one, other = seals.make_keys(bytes(32)), seals.make_keys(bytes([1]) * 32)
    sealed = seals.seal(one.public, b"A par H")
    assert seals.unseal(one.private, sealed) == b"A par H"
    refused(KeyNotReleasedError, "does not open this seal", lambda: seals.unseal(other.private, sealed))


# What lies on the desk of the whole office


def test_what_belongs_to_no_game_is_the_administrators(office: Office) -> None:
    record, players, boss = begin(office, coordinated=True)
    item = unmatched_mail(office, "a@b.example")
    refused(NotAllowedError, "for the coordinator or deputy or administrator", lambda: desk.item(office, boss, item))
    refused(
        ConflictError, "doesn't belong to a seat", lambda: readings.suggest(office, Actor.console(), item, "A par H")
    )
    other, _, _ = begin(office, name="Naseby", coordinated=True)
    of_one = unmatched_mail(office, "a@b.example", record.key)
    refused(NotFoundError, "isn't on the desk", lambda: unmatched.assign(office, boss, of_one, other.key, "France"))
    refused(NotFoundError, "isn't on the desk", lambda: unmatched.assign(office, boss, item, record.key, "France"))
    unmatched.assign(office, boss, of_one, record.key, "France")
    assert submissions.mine(office, players["France"], record.key, "France") == []  # before the player confirmed it


# Commands


def test_a_command_that_asks_no_permission_is_a_fault_of_the_program(office: Office) -> None:
    @command("me")
    def forgetful(act: CommandContext) -> str:
        return "done"

    with pytest.raises(AssertionError, match="was not asked of the table of permissions"):
        forgetful(office, Actor.console())


# Schedules


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"steps": 3}, "cannot be read"),
        ({"quiet": list(schedules.WEEKDAYS)}, "quiet: a week needs a day that is not quiet"),
        ({"quiet": [f"{m:02}-{d:02}" for m in range(1, 13) for d in range(1, 32)]}, "quiet: at most 100 days"),
        ({"first_days": 400}, "first_days: from 0 to 366"),
        ({"step": {"phases": ["Movement", "Tea"]}}, "steps[0]: phases: there is no phase 'Tea'"),
        ({"step": {"days": -1}}, "steps[0]: a length is from one minute to 366 days"),
        ({"step": {"days": 10**15}}, "steps[0]: a length is from one minute to 366 days"),
        ({"step": {"at": "6 pm"}}, "steps[0]: at: a time of day is written '18:00', not '6 pm'"),
        ({"quiet": ["Sun"], "step": {"at": "18:00", "weekdays": ["Sun"]}}, "steps[0]: weekdays: all of them are quiet"),
    ],
)
def test_a_schedule_that_cannot_be_kept(change: dict[str, Any], fault: str) -> None:
    first = {"phases": ["Movement"], "days": 2, **change.pop("step", {})}
    rest = {"phases": ["Placement", "Retreats", "Adjustments"], "days": 1}
    table = {"name": "own", "title": "Own", "steps": [first, rest], **change}
    told = refused(InvalidInputError, fault, lambda: schedules.read(table))
    assert len(told.faults) == 1, told.faults


def test_a_phase_of_a_rules_own_lasts_as_long_as_adjustments() -> None:
    schedule = schedules.find("weekly")
    assert schedule.step("Haggling") == schedule.step("Adjustments")


def test_a_deadline_after_an_absence_keeps_clear_of_quiet_days() -> None:
    table = {
        "name": "own",
        "title": "Own",
        "quiet": ["Sun"],
        "steps": [{"phases": ["Movement", "Placement", "Retreats", "Adjustments"], "days": 1}],
    }
    due = datetime(2026, 3, 5, 18, tzinfo=UTC)  # a Thursday
    away = [(datetime(2026, 3, 5).date(), datetime(2026, 3, 7).date())]
    assert schedules.after_absences(schedules.read(table), due, away, 14) == datetime(2026, 3, 9, 18, tzinfo=UTC)


# Pictures


def png(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("1", (width, height)).save(out, "PNG", compress_level=1)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (lambda: b"", "sheet is empty; send it again"),
        (lambda: b"\xff\xd8\xff" + bytes(60_000_000), "MB; at most"),
        (lambda: png(12_000, 12_000), "has 12000 x 12000 pixels, which is too many; send it smaller"),
        (lambda: png(30_000, 10_000), "has too many pixels; send it smaller"),
        (lambda: png(20, 20)[:45], "cannot be read as a picture; send it again"),
        (lambda: b"%PDF-1.7 and nothing more", "cannot be read as a PDF; send it again"),
    ],
)
def test_pictures_that_are_not_taken(data: Callable[[], bytes], told: str) -> None:
    with pytest.raises(PictureError) as caught:
        take_pictures("sheet", data())
    assert told in str(caught.value)


def test_what_is_not_there_to_export(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office)
    send_all(office, record, players, 1)
    assert exports.saved_game(office, Actor.visitor(), record.key)["turns"] == []
    refused(OfficeError, "are not published yet", lambda: games.result(office, Actor.visitor(), record.key, 1))


def test_one_key_for_several_machines(make_office: Callable[..., Office]) -> None:
    key = "ab" * 32
    one, two = make_office(cabinet_key=key), make_office(cabinet_key=key)
    assert seals.unlock(two.master_key, seals.lock(one.master_key, b"a draft")) == b"a draft"
    with pytest.raises(ValueError):
        Settings(cabinet_key="short")
