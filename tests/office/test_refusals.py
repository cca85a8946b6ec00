"""What the office says when it cannot do what was asked: each refusal in its own words, and nothing is changed."""

import contextlib
import importlib
import inspect
import os
import pkgutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import legation.office
from legation.office import permissions
from legation.office.clock import SimulatedClock
from legation.office.context import Actor, CommandContext, command
from legation.office.desk import bridges, desk, letters, mailings, readings
from legation.office.errors import (
    ConflictError,
    InvalidInputError,
    LimitExceededError,
    NotAllowedError,
    NotFoundError,
    OfficeError,
    SignInNeededError,
    TooLateError,
)
from legation.office.game import processing, seats
from legation.office.hosting import absences, deadlines, exports, games, leagues, retrospects, roster, tournaments
from legation.office.identity import browsers, people
from legation.office.monitoring.rate_limits import Allowance
from legation.office.office import Office
from legation.office.operation import demo, work
from legation.office.orders import submissions
from legation.office.permissions import ROLES, SCOPES, STATES, commands
from legation.office.records import GameRecord
from legation.office.store.packing import unpack
from legation.office.store.rows import GameRow, JournalRow, SharedRow, TournamentRow
from legation.office.terms import schedules
from tests.office.playing import (
    CONSOLE,
    VISITOR,
    administrator,
    alter,
    begin,
    gather,
    person,
    refuses,
    stored,
    unmatched_mail,
)
from tests.office.test_pushes import Device
from tests.office.test_random_roles import POOLS

Game = tuple[GameRecord, dict[str, Actor], Actor]
PICTURE = ("sheet.jpg", b"\xff\xd8 a photograph", "image/jpeg")


def refused(kind: type[OfficeError], words: str, do: Callable[..., object], *given: Any, **named: Any) -> OfficeError:
    """The refusal, which is of this kind and has these words."""
    caught = refuses(kind, do, *given, **named)
    assert words in caught.value.message, caught.value.message
    return caught.value


# People


def test_people_and_their_credentials(office: Office, clock: SimulatedClock) -> None:
    ann = person(office, "Ann")
    refused(NotAllowedError, "the office itself", people.register, office, VISITOR, "A", "ann@example.org")
    assert people.register(office, CONSOLE, "Another", "ANN@example.org").name == "Ann"
    refused(InvalidInputError, "from 1 to 3660 days", people.make_token, office, ann, "long", ("read",), days=4000)
    refused(NotFoundError, "Nobody here uses this address", people.find, office, CONSOLE, "x@example.org")
    people.ask_change(office, ann, "new@example.org")

    (mail,) = [m for m in mailings.claim(office) if m.kind == "approve address"]
    assert people.approve_change(office, VISITOR, mail.facts["secret"]) == "new@example.org"
    (mail,) = [m for m in mailings.claim(office) if m.kind == "confirm address"]
    people.register(office, CONSOLE, "Carol", "new@example.org")
    refused(ConflictError, "belongs to another", people.confirm_change, office, VISITOR, mail.facts["secret"])
    assert people.me(office, ann).email == "ann@example.org"


def test_absences_addresses_and_lists_have_bounds(office: Office) -> None:
    ann = person(office, "Ann")
    for last in ("2026-03-01", "2028-01-01"):
        away = (office, ann, "2026-03-02", last)
        refused(InvalidInputError, "end after it begins, within a year", absences.announce, *away)
    assert absences.absences(office, ann) == []
    # postal addresses
    lines = ["1 High Street", "Oxford"]
    own = (office, ann, lines, "UK")
    told = refused(InvalidInputError, "can't be used", roster.add_address, *own, first="2026-04-01", primary=True)
    assert told.faults == ("primary: has no dates; add a second address for those days",)
    dates = {"first": "2026-03-09", "last": "2026-03-01"}
    told = refused(InvalidInputError, "can't be used", roster.add_address, office, ann, [], "", **dates)
    assert len(told.faults) == 3
    for number in range(roster.MOST):
        roster.add_address(office, ann, [f"{number} High Street"], "UK", first="2026-04-01")
    told = refused(InvalidInputError, "can't be used", roster.add_address, *own, last="2026-04-01")
    assert told.faults == (f"at most {roster.MOST} addresses",)
    refused(NotFoundError, "no such address", roster.remove_address, office, ann, 999)
    # a list goes on past games that are not for everybody
    for name, listed in (("A", False), ("B", False), ("C", True), ("D", True)):
        gather(office, ann, name, listed=listed)
    assert [line.name for line in games.list_games(office, VISITOR, limit=1)] == ["C"]
    assert [line.name for line in games.list_games(office, ann, limit=3)] == ["A", "B", "C"]


# Games


def test_games_that_are_not_made(make_office: Callable[..., Office], tmp_path: Path) -> None:
    office = make_office(most_games=1, open_to_all=False)
    ann = person(office, "Ann")
    plan = {"name": "Naseby", "variant": "hundred"}
    refused(NotAllowedError, "Only administrators", games.create, office, ann, plan)
    refused(NotAllowedError, "Only administrators", leagues.create, office, ann, "Club")
    assert ann.person is not None
    people.make_administrator(office, CONSOLE, ann.person)
    (tmp_path / "own.toml").write_text('title = "Own"')
    own = {**plan, "variant": str(tmp_path / "own.toml")}
    told = refused(InvalidInputError, "The game can't be created", games.create, office, ann, own)
    assert "Own" not in str(told.faults), "nothing that a plan names opens a file"
    for more, words in (
        ({"settings": {"channels": {"Movement": []}}}, "channels.Movement: name at least one of"),
        ({"seats": {"France": "bot:hal"}}, "no bot 'hal'"),
        ({"settings": {"stand_in": "deepblue"}}, "no bot 'deepblue'"),
    ):
        refused(InvalidInputError, words, games.create, office, ann, {**plan, **more})
    games.create(office, ann, plan)
    refused(LimitExceededError, "You already run 1 game", games.create, office, ann, {**plan, "name": "Valmy"})
    assert [line.name for line in games.list_games(office, CONSOLE)] == ["Naseby"]


def test_settings_that_are_not_changed(office: Office) -> None:
    record, _, host = begin(office, coordinated=True)

    def change(game: GameRecord, **changes: Any) -> Callable[[], object]:
        return lambda: games.set_settings(office, host, game.key, changes)

    fixed = change(record, press=[], anonymous=True)
    refused(ConflictError, "While a game runs, anonymous, press cannot be changed", fixed)
    made = gather(office, host, "Naseby")
    refused(InvalidInputError, "The settings cannot be read", change(made, grace="long"))
    refused(InvalidInputError, "The settings cannot be used: settings.grace: from 0 to", change(made, grace=-1))
    assert games.game(office, host, made.key).settings == made.settings


def test_a_reason_is_taken_whole_or_not_at_all(office: Office) -> None:
    record, players, host = begin(office, coordinated=True)
    due = office.clock.now() + timedelta(days=20)
    asked: list[Callable[[str], object]] = [
        lambda why: games.cancel(office, host, record.key, why),
        lambda why: games.pause(office, host, record.key, why),
        lambda why: deadlines.extend(office, host, record.key, due, why),
        lambda why: seats.vacate(office, host, record.key, "France", why),
    ]
    for do in asked:
        refused(InvalidInputError, "Give a reason", do, " ")
        refused(InvalidInputError, "can have at most 500 characters", do, "x" * 501)
    away = (office, players["France"], "2026-03-01", "2026-03-02", "x" * 501)
    refused(InvalidInputError, "can have at most 500 characters", absences.announce, *away)
    named: list[Callable[[str], object]] = [
        lambda name: people.make_token(office, host, name, ("read",)),
        lambda name: people.token_for(office, CONSOLE, host.person or 0, name),
        lambda name: submissions.submit_pictures(
            office, players["France"], record.key, "France", [(name, *PICTURE[1:])]
        ),
    ]
    for do in named:
        refused(InvalidInputError, "can have at most" if do is not named[-1] else "is too long", do, "x" * 256)
    assert people.make_token(office, host, "x" * 120, ("read",)).label == "x" * 120
    seats.vacate(office, host, record.key, "France", f" {'x' * 500}\n")
    (line,) = stored(office, JournalRow, kind="civil disorder")
    assert unpack(line.facts)["reason"] == "x" * 500


# Seats


def test_seats_that_are_not_given(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, coordinated=True)
    made = gather(office, boss, "Naseby", chairs={"England": "bot:hold"}, coordinated=True)
    refused(ConflictError, "The coordinator can't play in the game", seats.sign_up, office, boss, made.key)
    seats.sign_up(office, players["France"], made.key)
    told = refused(ConflictError, "of 3 powers have no player yet", games.start, office, boss, made.key)
    assert told.message.startswith("1 of 3")
    refused(InvalidInputError, "There is no bot 'hal'", games.start, office, boss, made.key, "hal")
    seats.seat_bot(office, boss, made.key, "England", "random")
    assert [h.bot for h in seats.holders(office, boss, made.key)] == ["hold", "random"]
    own = people.me(office, players["France"]).email
    refused(ConflictError, "France has a player", seats.seat_bot, office, boss, record.key, "France", "hold")
    refused(ConflictError, "plays in this game already", seats.replace, office, boss, record.key, "England", own)
    seats.vacate(office, boss, record.key, "France", "gone")
    refused(ConflictError, "France has no player", seats.vacate, office, boss, record.key, "France", "gone")
    link = secret(office, boss, record, "France")
    refused(ConflictError, "can't play in the game", seats.take_over, office, boss, record.key, "France", link)
    refused(ConflictError, "England has a player", secret, office, boss, record, "England")
    refused(InvalidInputError, "Name the power", secret, office, boss, record)
    link = secret(office, boss, record, "France")
    seats.take_over(office, person(office, "Eve"), record.key, "France", link)
    refused(OfficeError, "", seats.take_over, office, person(office, "Bob"), record.key, "France", link)
    holder = next(s.holder for s in games.game(office, boss, record.key).seats if s.power == "France")
    assert holder == "Eve"


def secret(office: Office, boss: Actor, record: GameRecord, power: str = "") -> str:
    """A link to a seat."""
    return games.invite(office, boss, record.key, "", power).secret


def test_a_seat_that_was_taken_by_invitation_can_be_given_back(office: Office) -> None:
    host, eve = person(office, "Host"), person(office, "Eve")
    made = gather(office, host, "Naseby")
    seats.sign_up(office, eve, made.key, invitation=secret(office, host, made, "France"))
    refused(ConflictError, "You already play France", seats.sign_up, office, eve, made.key)
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
    refused(NotFoundError, "already used", seats.sign_up, office, ann.once("other"), made.key, ["France"], link)
    refused(NotFoundError, "already used", seats.sign_up, office, eve.once("signing up"), made.key, (), link)
    refused(ConflictError, "have not signed up", seats.withdraw_sign_up, office, host, gathering(office))


def gathering(office: Office) -> str:
    """A game that gathers, of somebody else."""
    return gather(office, person(office, "Else"), "Stow").key


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
    assert not any("a@example.org" in str(row) for row in stored(office, SharedRow))


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


def test_orders_that_are_not_taken(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, coordinated=True, ready_ends=False)
    france, key = players["France"], record.key

    def send(text: str) -> Callable[[], object]:
        return lambda: submissions.submit(office, france, key, "France", text)

    refused(InvalidInputError, "null characters", send("A par H\0"))
    refused(InvalidInputError, "halves of characters", send("A par H \ud800"))
    refused(NotFoundError, "Name the power", submissions.check, office, boss, key, "", "A par H")
    send("A par H")()
    submissions.submit_pictures(office, players["England"], key, "England", [PICTURE])
    clock.advance(timedelta(days=1))
    work.run_due(office)  # the picture waits to be read, so the turn is not judged
    refused(TooLateError, "is closed and takes no more orders", send("A par H"))
    for do in (submissions.ready, submissions.not_ready):
        refused(TooLateError, "is closed", do, office, france, key, "France")
    until = datetime(2026, 4, 1, tzinfo=UTC)
    refused(ConflictError, "can't be moved any more", deadlines.extend, office, boss, key, until, "no")
    refused(ConflictError, "1425 Movement is closed already", processing.process_now, office, boss, key)
    (item,) = desk.items(office, boss)
    refused(NotFoundError, "no such picture", readings.picture, office, boss, item.id, "0" * 64)
    refused(ConflictError, "no versions to choose from here", readings.choose, office, boss, item.id, 1, "this")
    refused(NotFoundError, "isn't on the desk", desk.item, office, boss, 999)
    refused(ConflictError, "are not published yet", games.result, office, boss, key, 1)
    assert exports.saved_game(office, boss, key)["turns"] == []
    made = gather(office, boss, "Naseby")
    assert submissions.commitments(office, boss, made.key) == []


def test_what_belongs_to_no_game_is_the_administrators(office: Office) -> None:
    _, _, boss = begin(office, coordinated=True)
    item = unmatched_mail(office, "a@b.example")
    refused(NotAllowedError, "for the coordinator or deputy or administrator", desk.item, office, boss, item)
    refused(ConflictError, "doesn't belong to a seat", readings.suggest, office, CONSOLE, item, "A par H")


# Commands


def test_a_command_of_a_game_that_asks_no_permission_is_a_fault_of_the_program_and_others_are_asked_for(
    office: Office,
) -> None:
    @command("me", console="any")
    def forgetful(act: CommandContext, game: str = "") -> str:
        return "done"

    @command("me", console="any")
    def outside(act: CommandContext) -> str:
        return "done"

    refuses(AssertionError, forgetful, office, CONSOLE).match("was not asked of the table of permissions")
    refuses(NotAllowedError, outside, office, VISITOR)
    assert outside(office, CONSOLE) == "done"


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
    told = refused(InvalidInputError, fault, schedules.read, table)
    assert len(told.faults) == 1, told.faults


TABLE = commands()


def test_every_command_is_found() -> None:
    for module in pkgutil.walk_packages(legation.office.__path__, "legation.office."):
        if ".migrations" not in module.name:
            importlib.import_module(module.name)
    declared = {
        n for n, command in permissions._DECLARED.items() if command.function.__module__.startswith("legation.")
    }
    missing = declared - permissions.commands().keys()
    assert not missing, "a module of commands is missing among permissions.SUBJECTS"


def test_each_row_names_scopes_and_roles_that_there_are_and_a_token_that_reads_sets_nothing_to_work() -> None:
    assert all(row.scope in SCOPES and row.roles.keys() <= set(ROLES) for row in TABLE.values())
    found = [row for row in TABLE.values() if row.scope == "read"]
    assert len(found) > 20 and [row.name for row in found if row.writes] == []


def test_a_coordinator_cannot_order_and_a_player_cannot_coordinate() -> None:
    for name in ("submissions.submit", "submissions.read_own", "submissions.confirm", "letters.write"):
        assert "coordinator" not in TABLE[name].roles and "console" not in TABLE[name].roles
    for name in (
        "deadlines.extend",
        "readings.choose",
        "readings.transcribe",
        "processing.publish_draft",
        "seats.replace",
    ):
        assert not {"player", "holder", "person", "visitor"} & TABLE[name].roles.keys()


GUEST = "A trial seat can't do that. Sign in with your own address."
OVER = "This can be done only while the game is running or paused; it is over."
BEGUN = "This can be done only while the game is waiting for players; it is running."
SCOPE = "This token may not do that; it needs the scope 'coordinate'."


@pytest.mark.parametrize(
    ("name", "roles", "scopes", "state", "told"),
    [
        ("readings.choose", "coordinator", "read", "running", SCOPE),
        ("submissions.withdraw", "visitor", "everything", "running", "Sign in to continue."),
        ("roster.roster", "visitor", "everything", "running", "Sign in to continue."),
        ("absences.announce", "visitor guest", "everything", "", GUEST),
        ("readings.choose", "visitor guest", "everything", "running", GUEST),
        ("submissions.withdraw", "visitor person player holder", "everything", "ended", OVER),
        ("games.start", "visitor person host", "everything", "running", BEGUN),
        ("readings.choose", "person player holder", "everything", "running", "That is for the coordinator."),
        (
            "mailroom.assign",
            "visitor person",
            "everything",
            "running",
            "That is for the coordinator or administrator.",
        ),
        ("submissions.withdraw", "console", "everything", "running", "That is for the holder."),
        ("transfer.take_in", "person", "everything", "", "That is for the administrator."),
    ],
)
def test_a_refusal_says_what_would_help(name: str, roles: str, scopes: str, state: str, told: str) -> None:
    kind = SignInNeededError if told == "Sign in to continue." else NotAllowedError
    caught = refuses(kind, permissions.ask, name, frozenset(roles.split()), (scopes,), state)
    assert caught.value.message == told


def test_the_terminal_may_what_a_coordinator_may_and_no_more() -> None:
    for row in TABLE.values():
        if "coordinator" in row.roles:
            assert row.roles["console"] == row.roles["coordinator"], row.name
    assert TABLE["desk.retry_all"].roles["console"] == STATES


Trace = dict[str, tuple[int, int]]
VARY = ("keeper.log", "office.db-shm", "lock")
"""Files that tell of a refusal (the keeper's own log) or of a reader."""


def trace(folder: Path) -> Trace:
    """Size and time of every file in a folder, the database's among them: they change if anything is written."""
    found: Trace = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                found |= trace(Path(entry.path))
            elif entry.name not in VARY:
                stat = entry.stat()
                found[entry.path] = stat.st_size, stat.st_mtime_ns
    return found


class UndoneError(Exception):
    """Ends a transaction whose work is not to stay."""


class Everyone:
    """An office with a game that somebody coordinates and one that runs itself, and somebody of every role."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.record, players, boss = begin(office, coordinated=True)
        own, folk, host = begin(office, name="Stow", folk="Stow")
        self.games = {"coordinated": self.record.key, "own": own.key}
        holder, rival = players["France"], players[next(power for power in players if power != "France")]
        deputy, admin, stranger = person(office, "Deputy"), administrator(office, "Admin"), person(office, "Stranger")
        games.name_deputy(office, boss, self.record.key, "deputy@example.org")
        guest, _ = demo.seat_guest(office, "hundred")
        known = {"visitor", "person"}
        self.who: dict[str, tuple[Actor, dict[str, set[str]]]] = {
            "visitor": (VISITOR, {"": {"visitor"}}),
            "guest": (people.by_secret(office, guest.secret), {"": {"visitor", "guest"}}),
            "person": (stranger, {"": known}),
            "player": (rival, {"": known, "coordinated": known | {"player"}}),
            "holder": (holder, {"": known, "coordinated": known | {"player", "holder"}}),
            "holder of their own": (folk["France"], {"": known, "own": known | {"player", "holder"}}),
            "host": (host, {"": known, "own": known | {"host"}}),
            "coordinator": (boss, {"": known, **dict.fromkeys(("coordinated", "tournament"), known | {"coordinator"})}),
            "deputy": (deputy, {"": known, "coordinated": known | {"deputy"}}),
            "administrator": (admin, {"": known | {"administrator"}}),
            "console": (CONSOLE, {"": {"visitor", "console"}}),
            "clock": (Actor.clock(), {"": {"visitor", "clock"}}),
        }
        tournaments.create(office, boss, {"name": "Weekend", "variant": "hundred"})
        leagues.create(office, boss, "Club")
        sent = submissions.submit(office, holder, self.record.key, "France", "A par H")
        self.things: dict[str, Any] = {
            "submission": sent.submission,
            "item": (item := unmatched_mail(office, game=self.record.key)),
            "id": item,
            "absence": absences.announce(office, holder, "2026-06-01", "2026-06-02").id,
            "address": roster.add_address(office, holder, ["1 High Street"], "UK", primary=True).id,
            "browser": browsers.subscribe(office, holder, **Device("x").subscription).id,
            "bridge": bridges.add_own(office, holder, "https://push.example.org/hook").id,
            "until": office.clock.now() + timedelta(days=3),
            "tournament": "weekend",
            "league": "club",
        }

    def given(self, name: str, function: Callable[..., Any], game: str) -> dict[str, Any]:
        """Something for each argument that a row's command or view needs; the game and the seat that are meant."""
        told: dict[str, Any] = {"game": game, "power": "France", "turn": "now", **self.things}
        for argument in list(inspect.signature(function).parameters.values())[1:]:
            if argument.name in told or argument.default is not inspect.Parameter.empty:
                continue
            pool = POOLS.get(f"{name} {argument.name}", POOLS.get(argument.name))
            told[argument.name] = pool[0] if pool else {"int": 1, "str": "x"}.get(str(argument.annotation), {})
        wanted = inspect.signature(function).parameters
        return {argument: value for argument, value in told.items() if argument in wanted}


def rows(states: bool) -> Iterator[tuple[str, Callable[..., Any], str]]:
    """Each row with its command or view, and which game it is asked of: none, the coordinated one, or either."""
    for name, row in commands().items():
        function = row.function
        takes = inspect.signature(function).parameters
        if "game" in takes and takes["game"].default is inspect.Parameter.empty and "item" not in takes:
            yield from ((name, function, which) for which in ("coordinated", "own"))
        elif {"submission", "item"} & takes.keys() or name == "desk.item":
            yield name, function, "coordinated"
        elif {"tournament", "league"} & takes.keys():
            yield name, function, "tournament"
        elif not states:
            yield name, function, ""


def asked(ask: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """What the table is asked meanwhile, and its answers."""
    answers: list[tuple[str, bool]] = []
    real = permissions.ask

    def noted(name: str, *args: Any) -> None:
        try:
            real(name, *args)
        except (NotAllowedError, SignInNeededError):
            answers.append((name, False))
            raise
        answers.append((name, True))

    with monkeypatch.context() as patched:
        patched.setattr(permissions, "ask", noted)
        with contextlib.suppress(Exception):
            ask()
    return answers


@pytest.mark.parametrize("state", [s if s == "running" else pytest.param(s, marks=pytest.mark.long) for s in STATES])
def test_who_may_is_let_through_and_who_may_not_leaves_nothing(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    monkeypatch.setattr(retrospects, "is_available", lambda: False)
    world, wrong, silent, accepted = Everyone(office), [], set(), set()
    alter(office, GameRow, {"state": state}, key=list(world.games.values()))
    alter(office, TournamentRow, {"state": state}, key="weekend")
    for name, function, which in rows(states=state != "running"):
        given = world.given(name, function, world.games.get(which, ""))

        def call(actor: Actor) -> object:
            return function(office, actor, **given)  # noqa: B023 - called before the next

        def undone(actor: Actor) -> None:
            with office.store.transaction():
                call(actor)
                raise UndoneError

        refused = []
        for who, (actor, roles) in world.who.items():
            expected = permissions.allows(name, frozenset(roles.get(which, roles[""])), state if which else "")
            answers = asked(lambda: undone(actor), monkeypatch)  # noqa: B023
            if not answers:
                silent.add(name)
            elif answers[0] != (name, expected):
                wrong.append((name, which, who, answers[0], expected))
            elif expected:
                accepted.add(name)
            else:
                refused.append(actor)
        before = trace(tmp_path)
        for actor in refused:
            with pytest.raises((NotAllowedError, SignInNeededError)):
                call(actor)
        assert trace(tmp_path) == before, name
    assert wrong == []
    assert silent == set()
    walked = {name for name, *_ in rows(states=state != "running")}
    of_people = {name for name, _, which in rows(states=False) if not which}
    assert accepted == {
        name for name in walked if name in of_people or any(state in s for s in commands()[name].roles.values())
    }
    before = trace(tmp_path)
    people.rename(office, world.who["person"][0], "Another")
    assert trace(tmp_path) != before, "what is written is seen"
