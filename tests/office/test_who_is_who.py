"""Attacks on who is who: credentials that give more than they have, keys that are used again, invitations that are used
twice, seats that see too much. Each was tried by somebody with an account, the source or the database."""

import itertools
import re
import sqlite3
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from legation.mail.composing import compose
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk, letters, mailings, mailroom
from legation.office.errors import (
    ConflictError,
    InvalidInputError,
    KeyNotReleasedError,
    LimitExceededError,
    NotAllowedError,
    NotFoundError,
    OfficeError,
    SignInNeededError,
)
from legation.office.game import seats
from legation.office.game.seat_holders import deal_key
from legation.office.hosting import absences, erasing, games
from legation.office.identity import people
from legation.office.identity.credentials import MOST_CREDENTIALS, secret_digest
from legation.office.identity.people import MOST_GOOD_LINKS
from legation.office.office import LINKS_AN_HOUR, Office
from legation.office.operation import demo, work
from legation.office.orders import submissions
from legation.office.store.rows import ArrivalRow, CredentialRow, PersonRow
from tests.office.fixtures import START
from tests.office.playing import (
    CONSOLE,
    VISITOR,
    administrator,
    begin,
    counted,
    gather,
    passes,
    person,
    refuses,
    row_with,
    unmatched_mail,
)

PLAN = {"name": "Naseby", "variant": "hundred", "settings": {"coordinated": True}}


def token(office: Office, actor: Actor, *scopes: str) -> Actor:
    """The same person by a token with these scopes, made by the console."""
    made = people.token_for(office, CONSOLE, actor.person or 0, "tests", scopes)
    return people.by_secret(office, made.secret)


def session(office: Office, actor: Actor) -> Actor:
    return people.by_secret(office, people.start_session(office, Actor.clock(), actor.person or 0).secret)


def sent(office: Office, kind: str) -> list[str]:
    """The secrets in the mails of a kind."""
    return [m.facts["secret"] for m in mailings.claim(office, limit=500) if m.kind == kind]


# Credentials


def test_no_token_gives_what_it_does_not_have(office: Office, clock: SimulatedClock) -> None:
    ann = person(office, "Ann")
    mine = token(office, ann, "me")
    for scopes in (("play",), ("me", "coordinate"), ("read", "me")):
        refuses(NotAllowedError, people.make_token, office, mine, "more", scopes).match("does not have the scope")
    refuses(NotAllowedError, people.make_feed, office, mine)
    with pytest.raises(NotAllowedError):
        people.keep_passkey(office, mine, "a key", "id", {}, people.passkey_challenge(office, ann.person or 0))
    short = people.make_token(office, session(office, ann), "short", ("me", "read"), days=2)
    child = people.make_token(office, people.by_secret(office, short.secret), "child", ("me", "read"), days=900)
    assert child.expires == short.expires
    grandchild = people.make_token(office, people.by_secret(office, child.secret), "grandchild", ("read",))
    assert grandchild.expires == short.expires
    people.end(office, session(office, ann), short.id)  # and what was made with it
    for ended in (short, child, grandchild):
        refuses(SignInNeededError, people.by_secret, office, ended.secret)


def test_nobody_has_credentials_without_bound(office: Office) -> None:
    ann = person(office, "Ann")
    with pytest.raises(LimitExceededError, match="End one of them"):
        for number in range(MOST_CREDENTIALS + 1):
            people.make_token(office, ann, str(number), ("read",))


def test_whether_an_address_is_known_is_told_nowhere(office: Office) -> None:
    ann = person(office, "Ann")
    told = [people.join(office, VISITOR, "Eve", f"{name}@example.org") for name in ("ann", "bob")]
    told += [people.ask_link(office, VISITOR, f"{name}@example.org") for name in ("ann", "carl")]
    assert told == [None] * 4
    assert people.me(office, ann).name == "Ann"
    changes = [people.ask_change(office, ann, f"{name}@example.org") for name in ("bob", "nobody")]
    assert changes[0] == changes[1]


def test_no_number_tells_whether_an_address_is_known(office: Office) -> None:
    """Who asks for a link makes an account of an address that was unknown: two numbers of one's own accounts must not
    tell whether there is another between them."""
    ann, key = person(office, "Ann"), "apart"
    gather(office, ann, key)
    mine = [person(office, "Eve 1".replace(" ", ""))]
    people.ask_link(office, VISITOR, "unknown@example.org")
    mine.append(person(office, "Eve2"))
    people.ask_link(office, VISITOR, "ann@example.org")
    mine.append(person(office, "Eve3"))
    for actor in mine:
        seats.sign_up(office, actor, key, [])
    work.run_due(office)
    shown = [people.me(office, actor).id for actor in mine]
    gaps = [abs(b - a) for a, b in itertools.pairwise(shown)]
    assert min(gaps) > 1000, "counted, they would be 2 and 1 apart"
    listed = [sign.person for sign in seats.sign_ups(office, ann, key)]
    seated = {seat.person for seat in games.game(office, VISITOR, key).seats}
    assert listed == shown and set(shown) == seated, "the same number everywhere"
    assert people.rename(office, mine[0], "Eve").id == shown[0] == people.export(office, mine[0])["person"]["id"]
    for number in (0, *range(1, 10)):
        assert number not in shown


def test_an_invitation_that_waits_does_not_tell_its_coordinator_whose_address_it_is(office: Office) -> None:
    boss = person(office, "Boss")
    key = gather(office, boss, "A", coordinated=True).key
    person(office, "Ann")
    for name in ("ann", "nobody"):
        games.invite(office, boss, key, f"{name}@example.org")
    told = [(mail.address, mail.name, mail.person) for mail in mailings.waiting(office, boss, key)]
    assert told == [("ann@example.org", "", None), ("nobody@example.org", "", None)]


@pytest.mark.parametrize(
    "page",
    [
        "/games\n\nYou have won! Go to http://evil.example and type your password",
        "/games You have won, go to http://evil.example",
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example/",
        "/x?next=<a href='http://evil.example'>",
    ],
)
def test_nobody_writes_into_the_mail_that_signs_somebody_in(office: Office, page: str) -> None:
    """The API takes the page that comes after signing in from anybody, for anybody's address."""
    people.ask_link(office, VISITOR, "victim@example.org", page)
    (mail,) = mailings.claim(office)
    written = "".join(part.get_content() for part in compose(office, mail).walk() if not part.is_multipart())
    for words in ("You have won", "http://evil", "//evil.example", "<a href='http"):
        assert words not in written


def test_the_page_after_signing_in_is_whole(office: Office) -> None:
    page = "/games/x/letters?with=France&with=All's well"
    people.ask_link(office, VISITOR, "ann@example.org", page)
    (mail,) = mailings.claim(office)
    written = compose(office, mail).get_body(("plain",))
    assert written is not None
    (line,) = (line.strip() for line in written.get_content().splitlines() if "/sign-in/" in line)
    assert parse_qs(urlsplit(line).query) == {"next": [page]}


def test_a_new_account_chooses_its_name_and_none_is_made_of_its_address(office: Office, clock: SimulatedClock) -> None:
    record, _, boss = begin(office, coordinated=True)
    seats.replace(office, boss, record.key, "France", "john.q.public@example.org", "ill")
    assert "john" not in repr(games.game(office, boss, record.key))
    people.ask_link(office, VISITOR, "john.q.public@example.org")
    (secret,) = sent(office, "sign in")
    refuses(InvalidInputError, people.use_link, office, VISITOR, secret).match("Choose the name")
    people.use_link(office, VISITOR, secret, name="Jack")
    assert "Jack" in repr(games.game(office, boss, record.key))
    people.ask_link(office, VISITOR, "never@example.org")
    known = counted(office, PersonRow)
    work.start_sweeping(office)
    passes(office, clock, timedelta(days=8))
    assert counted(office, PersonRow) == known - 1


def test_an_address_is_changed_by_who_reads_the_old_one(office: Office) -> None:
    thief = token(office, person(office, "Ann"), "me")
    people.ask_change(office, thief, "mallory@evil.example")
    mails = mailings.claim(office)
    assert [(m.kind, m.address) for m in mails] == [("approve address", "ann@example.org")]
    secret = mails[0].facts["secret"]
    with pytest.raises(SignInNeededError):
        people.confirm_change(office, VISITOR, secret)  # it is no step of the new address
    people.approve_change(office, VISITOR, secret)
    refuses(SignInNeededError, people.approve_change, office, VISITOR, secret)
    (link,) = sent(office, "confirm address")
    people.confirm_change(office, VISITOR, link)
    told = {m.address for m in mailings.claim(office, limit=50) if m.kind == "address changed"}
    assert told == {"ann@example.org", "mallory@evil.example"}


def test_who_lost_the_old_address_is_moved_at_the_console(office: Office) -> None:
    ann = session(office, person(office, "Ann"))
    for actor in (ann, VISITOR, Actor.clock()):
        refuses(NotAllowedError, people.readdress, office, actor, "ann@example.org", "ann@example.net")
    assert people.readdress(office, CONSOLE, "Ann@example.org", "ann@example.net").email == "ann@example.net"
    assert {m.address for m in mailings.claim(office, limit=50)} == {"ann@example.org", "ann@example.net"}
    assert people.credentials(office, people.as_person(office, ann.person or 0)) == []
    refuses(NotFoundError, people.readdress, office, CONSOLE, "ann@example.org", "x@example.org")


def test_who_reads_mail_at_the_old_address_keeps_no_way_in(office: Office) -> None:
    ann = session(office, person(office, "Ann"))
    people.ask_change(office, ann, "thief@example.com")
    (approval,) = sent(office, "approve address")
    people.approve_change(office, VISITOR, approval)
    (link,) = sent(office, "confirm address")
    people.ask_link(office, VISITOR, "ann@example.org")
    (sign_in,) = sent(office, "sign in")
    feed = people.make_feed(office, ann).secret
    with office.store.transaction() as tx:
        digest = secret_digest("passkey thief")
        tx.add(row_with(CredentialRow, person=ann.person, kind="passkey", digest=digest, scopes="everything"))
        tx.add(ArrivalRow(digest="1", at=1, state="waits", person=ann.person, secret=secret_digest("release")))
    assert mailroom.waits_since(office, "release") and people.passkey(office, "thief") == {}
    people.readdress(office, CONSOLE, "ann@example.org", "ann@example.net")
    for refused, way in (
        (SignInNeededError, lambda: people.confirm_change(office, VISITOR, link)),
        (SignInNeededError, lambda: people.use_link(office, VISITOR, sign_in)),
        (SignInNeededError, lambda: people.by_secret(office, feed, ("feed",))),
        (SignInNeededError, lambda: people.passkey(office, "thief")),
        (NotFoundError, lambda: mailroom.release(office, "release")),
    ):
        refuses(refused, way)
    assert people.find(office, CONSOLE, "ann@example.net").id == ann.person


def test_letters_beside_ascii_make_no_other_s_address(office: Office) -> None:
    person(office, "Strasse")
    assert mailroom.look_up(office, (), "straße@example.org", (), vouched=True)[0].person is None
    assert people.fold_email("STRAßE@Example.org") == "straße@example.org"


# Keys of commands


def test_a_kept_answer_is_given_to_nobody_else_and_without_its_secret(office: Office) -> None:
    ann = session(office, person(office, "Ann"))
    made = people.make_token(office, ann.once("1"), "mine", ("read",))
    assert made.secret and people.make_token(office, ann.once("1"), "mine", ("read",)) == made.kept()
    narrow = token(office, ann, "me")
    with pytest.raises(NotAllowedError):
        people.make_token(office, narrow.once("1"), "mine", ("read",))  # permission first, and keys of its own
    other = people.make_token(office, session(office, ann).once("1"), "mine", ("read",))
    assert other.secret and other.id != made.id


def test_a_kept_answer_needs_what_the_command_needs(office: Office) -> None:
    record, players, boss = begin(office, coordinated=True)
    france = players["France"]
    first = submissions.submit(office, france.once("k"), record.key, "France", "A par H")
    again = submissions.submit(office, france.once("k"), record.key, "France", "A par H")
    assert again == first.kept() and '"openings":[]' in again.proof, "what opens it is given once"
    assert len(submissions.mine(office, france, record.key, "France")) == 1
    with pytest.raises(ConflictError, match="another command"):
        submissions.submit(office, france.once("k"), record.key, "France", "A par - orl")
    seats.replace(office, boss, record.key, "France", "new@example.org", "ill")
    refuses(NotAllowedError, submissions.submit, office, france.once("k"), record.key, "France", "A par H")


def test_a_command_that_changed_the_state_is_answered_again(office: Office) -> None:
    """The state in which it left the game does not stand in its way."""
    boss = person(office, "Boss")
    made = games.create(office, boss.once("made"), PLAN)
    assert games.create(office, boss.once("made"), PLAN).key == made.key
    games.cancel(office, boss.once("over"), made.key, "no time")
    assert games.cancel(office, boss.once("over"), made.key, "no time").state == "cancelled"


def test_visitors_share_no_keys(office: Office) -> None:
    person(office, "Ann")
    people.ask_link(office, VISITOR, "ann@example.org")
    (secret,) = sent(office, "sign in")
    assert people.use_link(office, VISITOR.once("1"), secret).secret
    refuses(SignInNeededError, people.use_link, office, VISITOR.once("1"), secret)


def columns(office: Office) -> set[bytes]:
    """Every value in the database of some length."""
    with sqlite3.connect(office.store.url.removeprefix("sqlite:///")) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        values = (value for table in tables for row in database.execute(f"SELECT * FROM {table}") for value in row)
        return {v if isinstance(v, bytes) else str(v).encode() for v in values if v and len(str(v)) > 24}


def test_what_was_asked_leaves_no_digest_that_can_be_tried(make_office: Callable[..., Office], tmp_path: Path) -> None:
    """The same command with the same key, of two people in one office: no stored answer has a value in common."""
    office = make_office()
    ann, ben = person(office, "Ann"), person(office, "Ben")
    before = columns(office)
    people.rename(office, ann.once("same"), "Zanzibar")
    of_ann = columns(office) - before
    people.rename(office, ann, "Ann")
    before = columns(office)
    people.rename(office, ben.once("same"), "Zanzibar")
    assert of_ann and not of_ann & (columns(office) - before)
    assert not any(b"Zanzibar" in value for value in of_ann)


# Invitations


def test_an_invitation_is_good_once_for_its_seat_its_person_and_a_month(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, coordinated=True)
    ann, eve = person(office, "Ann"), person(office, "Eve")
    for power in ("France", "England"):
        seats.vacate(office, boss, record.key, power, "gone")
    link = games.invite(office, boss, record.key, "ann@example.org", "France").secret
    refuses(NotAllowedError, seats.take_over, office, eve, record.key, "France", link).match("another address")
    refuses(NotAllowedError, seats.take_over, office, ann, record.key, "England", link).match("is for France")
    seats.take_over(office, ann, record.key, "France", link)
    for power in ("France", "England"):
        refuses(NotFoundError, seats.take_over, office, players[power], record.key, power, link).match("already used")
    seats.vacate(office, boss, record.key, "France", "gone")
    refuses(NotFoundError, seats.take_over, office, ann, record.key, "France", link).match("already used")
    first = games.invite(office, boss, record.key, "", "France").secret
    second = games.invite(office, boss, record.key, "", "France").secret  # takes the other's place
    clock.advance(timedelta(minutes=1))
    refuses(NotFoundError, seats.take_over, office, eve, record.key, "France", first)
    passes(office, clock, timedelta(days=31))
    refuses(NotFoundError, seats.take_over, office, eve, record.key, "France", second)


def test_an_invitation_to_one_game_opens_no_other(office: Office) -> None:
    boss, eve = person(office, "Boss"), person(office, "Eve")
    hidden = {**PLAN, "settings": {"coordinated": True, "listed": False}}
    one, other = (games.create(office, boss, {**hidden, "name": name}) for name in ("Naseby", "Stow"))
    link = games.invite(office, boss, one.key, "eve@example.org").secret
    refuses(NotFoundError, seats.sign_up, office, eve, other.key, [], link)
    assert seats.invitation(office, VISITOR, one.key, link).name == "Naseby"
    seats.sign_up(office, eve, one.key, [], link)
    assert games.game(office, eve, one.key).wishes == ()


def test_links_are_counted_and_uses_are_noted_by_the_hour(office: Office, clock: SimulatedClock) -> None:
    """Who asks for more links in an hour than there are is refused to the end of it; a secret's last use is kept to the
    hour, so that not every call writes."""
    ann = person(office, "Ann")
    for _ in range(LINKS_AN_HOUR):
        people.ask_link(office, VISITOR, "ann@example.org")
    clock.advance(timedelta(hours=1) - timedelta(microseconds=1))
    refuses(LimitExceededError, people.ask_link, office, VISITOR, "ann@example.org").match("try again in an hour")
    clock.advance(timedelta(microseconds=1))
    people.ask_link(office, VISITOR, "ann@example.org")

    for _ in range(LINKS_AN_HOUR):  # whoever else has asked for links to an address, its owner gets one
        people.ask_link(office, Actor.visitor("198.51.100.9"), "bea@example.org")
    refuses(LimitExceededError, people.ask_link, office, Actor.visitor("198.51.100.9"), "bea@example.org")
    people.ask_link(office, Actor.visitor("203.0.113.5"), "bea@example.org")
    for network in range(MOST_GOOD_LINKS - LINKS_AN_HOUR - 1):
        people.ask_link(office, Actor.visitor(f"203.0.113.{network}"), "bea@example.org")
    with pytest.raises(LimitExceededError):  # there are as many to use
        people.ask_link(office, Actor.visitor("192.0.2.1"), "bea@example.org")

    secret = people.token_for(office, CONSOLE, ann.person or 0, "tests").secret

    def used() -> datetime | None:
        people.by_secret(office, secret)
        return max(c.last_used or START for c in people.credentials(office, ann) if c.kind == "token")

    first = used()
    assert first == clock.now()
    clock.advance(timedelta(hours=1))
    assert used() == first
    clock.advance(timedelta(microseconds=1))
    assert used() == clock.now()


# Nobody plays and coordinates, or plays and reads what others wrote


def test_a_host_who_plays_becomes_no_coordinator(office: Office) -> None:
    host = person(office, "Host")
    made = gather(office, host, "Naseby")
    seats.sign_up(office, host, made.key, ["France"])
    for changes in ({"coordinated": True}, {"coordinated": True, "reads_letters": True}, {"reads_letters": True}):
        refuses(ConflictError, games.set_settings, office, host, made.key, changes)
    assert not games.game(office, host, made.key).settings["coordinated"]


def test_an_administrator_who_plays_sees_what_players_see(office: Office) -> None:
    record, players, boss = begin(office, coordinated=True)
    france = players["France"]
    people.make_administrator(office, CONSOLE, france.person or 0)
    letters.write(office, players["England"], record.key, "England", ["Burgundy"], "Down with France")
    number = unmatched_mail(office, game=record.key)
    assert "Down with" not in repr(letters.letters(office, france, record.key))
    refuses(NotAllowedError, desk.item, office, france, number)
    assert desk.items(office, france) == []
    assert [i.kind for i in desk.items(office, boss)] == ["unmatched mail"]


# What is refused leaves no trace


def traces(office: Office) -> tuple[set[str], set[str]]:
    """The files and the keys of an office."""
    folder = Path(office.store.url.removeprefix("sqlite:///")).parent
    return {name for name, _ in office.files.names()}, {p.name for p in (folder / "keys").iterdir()}


def test_a_refused_start_leaves_the_deal_sealed_and_a_game_that_is_not_made_has_no_key(office: Office) -> None:
    boss = person(office, "Boss")
    made = games.create(office, boss, PLAN)
    refuses(ConflictError, games.start, office, boss, made.key).match("have no player yet")
    refuses(KeyNotReleasedError, office.keeper.key, deal_key(made.key))
    # a game that is not made has no key
    before = traces(office)
    for wanted in ({"France": "bot:hal"}, {"France": "no address"}, {"Spain": "bot:hold"}):
        refuses(InvalidInputError, games.create, office, boss, {**PLAN, "seats": wanted})
    assert traces(office) == before


def test_pictures_that_are_refused_are_not_kept(make_office: Callable[..., Office]) -> None:
    office = make_office(most_versions=1)
    record, players, _ = begin(office, coordinated=True)
    submissions.submit(office, players["France"], record.key, "France", "A par H")
    before = traces(office)
    with pytest.raises(LimitExceededError):
        picture = [("a.jpg", b"\xff\xd8", "image/jpeg")]
        submissions.submit_pictures(office, players["France"], record.key, "France", picture)
    assert traces(office) == before


def test_a_guest_writes_to_nobody_and_has_no_token(office: Office) -> None:
    given, key = demo.seat_guest(office, "hundred")
    guest = people.by_secret(office, given.secret)
    assert guest.guest and " of " in games.game(office, guest, key).name
    before = len(mailings.claim(office, limit=500))
    tries: list[Callable[[], object]] = [
        lambda: people.make_token(office, guest, "for ever", ("play",)),
        lambda: people.make_feed(office, guest),
        lambda: people.ask_change(office, guest, "stranger@example.org"),
        lambda: games.invite(office, guest, key, "stranger@example.org"),
        lambda: games.create(office, guest, {**PLAN, "seats": {"France": "stranger@example.org"}}),
        lambda: games.name_deputy(office, guest, key, "stranger@example.org"),
        lambda: people.set_preferences(office, guest, {"quiet": []}),
    ]
    for attempt in tries:
        refuses(OfficeError, attempt)
    assert before == len(mailings.claim(office, limit=500)) == 0
    power = games.game(office, guest, key).powers[0]
    assert submissions.submit(office, guest, key, power, "# nothing").version == 1


def test_games_that_are_not_listed_are_not_named(office: Office) -> None:
    record, players, boss = begin(office, name="Hidden Manor", coordinated=True)
    receipt = submissions.submit(office, players["France"], record.key, "France", "A par H")
    number = unmatched_mail(office, game=record.key)
    games.set_settings(office, boss, record.key, {"listed": False})
    for actor in (VISITOR, person(office, "Eve")):
        for ask in (
            lambda a: submissions.read_own(office, a, receipt.submission),
            lambda a: submissions.withdraw(office, a, receipt.submission),
            lambda a: desk.item(office, a, number),
            lambda a: desk.settle(office, a, number),
        ):
            refused = refuses(OfficeError, ask, actor)
            assert "idden" not in refused.value.message, refused.value.message


def test_what_is_kept_for_a_person_is_typed_and_bounded(office: Office) -> None:
    ann = person(office, "Ann")
    for wrong in (
        {"quiet": 5},
        {"quiet": ["no such kind"]},
        {"quiet": ["letter"] * 100},
        {"form": "pdf"},
        {"zone": "Mars/Olympus"},
        {"language": "x" * 40},
        {"zone": "x" * 2_000_000},
        {"reminder_hours": True},
        {"anything": 1},
    ):
        refuses(InvalidInputError, people.set_preferences, office, ann, wrong)
    for changes in ({"zone": "Europe/Paris"}, {"quiet": ["letter"]}):
        people.set_preferences(office, ann, changes)
    assert people.me(office, ann).preferences == {"quiet": ("letter",), "zone": "Europe/Paris"}
    with pytest.raises(LimitExceededError):
        for number in range(absences.MOST + 1):
            absences.announce(office, ann, "2026-04-01", f"2026-05-{1 + number % 28:02}")


# Mail that fits no seat


def test_unmatched_mail_is_read_by_nobody_and_taken_by_whom_the_table_names(office: Office) -> None:
    record, players, boss = begin(office, coordinated=True)
    other, _, _ = begin(office, name="Stow", coordinated=True)
    elsewhere = person(office, "Other")
    theirs = games.create(office, elsewhere, PLAN)
    admin = administrator(office, "Admin")
    nobody_s = unmatched_mail(office, text="A par - orl  # Zanzibar")
    of_game = unmatched_mail(office, game=record.key, text="A par - orl  # Zanzibar")
    for actor in (elsewhere, boss, players["England"], VISITOR):
        refuses(OfficeError, mailroom.assign, office, actor, record.key, "France", nobody_s)
        refuses(OfficeError, desk.item, office, actor, nobody_s)
    for actor, game in ((elsewhere, theirs.key), (elsewhere, record.key), (boss, other.key)):
        refuses(OfficeError, mailroom.assign, office, actor, game, "France", of_game)
    for actor, item in ((boss, of_game), (admin, nobody_s)):
        shown = mailroom.assign(office, actor, record.key, "France", item)
        assert "Zanzibar" not in repr(shown) and shown.facts["assigned"] == "France in Powick Bridge"
    assert {i.id for i in desk.items(office, admin)} == {nobody_s, of_game}  # nothing vanishes
    assert submissions.overview(office, boss, record.key) == []  # and nothing counts before the holder says so
    told = mailings.claim(office, limit=50)
    holder = people.me(office, players["France"]).email
    assert [m.address for m in told if m.kind == "release"] == [holder] * 2
    assert [m.address for m in told if m.kind == "mail passed on"] == ["x@example.org"] * 2
    assert not any(b"Zanzibar" in value for value in columns(office))


def test_a_mail_for_who_is_erased_is_forgotten(office: Office) -> None:
    record, players, boss = begin(office, coordinated=True)
    france = players["France"]
    number = unmatched_mail(office, people.me(office, france).email, game=record.key)
    seats.resign(office, france, record.key, "France")
    erasing.erase(office, france)
    assert not re.search(r"player\d", repr(desk.item(office, boss, number)).casefold())
