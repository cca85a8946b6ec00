"""What a mail leads to, and what its answer says: which seat and which game are meant, what is refused and why."""

from datetime import timedelta
from html import escape

import pytest

from legation.mail.listening import TryAgain
from legation.office.context import Actor
from legation.office.desk import mailroom
from legation.office.errors import UnavailableError
from legation.office.game import seats
from legation.office.hosting import games, proofs
from legation.office.identity import people
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.records import GameRecord
from legation.office.store.transaction import DuplicateRowError
from legation.proofs.receipts import SignedHead, read_receipt, receipt_text, signed_by
from tests.mail.conftest import World, body
from tests.mail.test_handling import ORDERS, coded
from tests.office.playing import begin, person
from tests.web.test_players import as_person


def ask(world: World, sender: str, text: str, subject: str = "A question") -> str:
    """A mail to the common address from somebody whose provider vouches for the sender; the answer's text in a line."""
    world.deliver(world.vouched(sender, text, subject))
    return world.told(sender)


def second_game(world: World) -> tuple[GameRecord, str]:
    """Another game of the same people; the power in it of who plays France in the first."""
    record, players, _ = begin(world.office, name="Edgehill")
    return record, next(p for p, actor in players.items() if actor.person == world.players["France"].person)


# Which seat


def test_a_signature_of_the_judge_names_the_seat(world: World) -> None:
    record, power = second_game(world)
    sender = world.address_of("France")
    answer = ask(world, sender, f"SIGNON {power.lower()}@Edgehill\nSET WAIT")
    assert "Wait is on" in answer
    answer = ask(world, sender, f"SIGNON {power.lower()}@powick bridge\nSET WAIT")
    if power != "France":
        assert "You don't play the seat that this mail names" in answer and f"{power} in Edgehill" in answer
    answer = ask(world, sender, "SIGNON russia@Edgehill\nSET WAIT")
    assert "You don't play the seat that this mail names" in answer
    assert "France in Powick Bridge" in answer, "the seats that there are"
    assert submissions.mine(world.office, world.players["France"], record.key, power) == []


def test_a_mail_to_two_seats_at_once_is_asked_about(world: World) -> None:
    record, power = second_game(world)
    france, sender = world.players["France"], world.address_of("France")
    other = mailroom.reply_address(world.office, record.key, power, france.person)
    both = f"{other}, {world.reply_address('France')}"
    world.settle()
    for text, sent in (("A Paris H", 0), ("SIGNON F@powick-bridge\nA Paris H", 1)):
        world.deliver(world.mail(sender, both, text))
        told = world.told(sender)
        assert ("You have several seats. Say which one you mean." in told) is (sent == 0)
        assert len(submissions.mine(world.office, france, world.game.key, "France")) == sent
        assert submissions.mine(world.office, france, record.key, power) == []


def test_a_question_is_about_the_seat_that_is_signed_on_or_written_to(world: World) -> None:
    _, power = second_game(world)
    sender = world.address_of("France")
    assert "Say which game" in ask(world, sender, "STATUS")
    for text in (f"SIGNON {power}@Edgehill\nSTATUS", f"SIGNON {power}@Edgehill"):
        assert "EDGEHILL" in ask(world, sender, text)
    assert "POWICK BRIDGE" in world.write("France", "STATUS")


# Orders and what is told of them


def test_nothing_is_taken_back_after_the_deadline(world: World) -> None:
    world.write("France", ORDERS)
    assert world.game.turn is not None and world.game.turn.deadline is not None
    world.clock.set(world.game.turn.deadline + timedelta(seconds=1))
    world.counter.receive(world.mail(world.address_of("France"), world.reply_address("France"), "UNDO").as_bytes(), ())
    assert world.versions("France") == [(1, "text", "counts")]
    answer = world.told("France")
    assert "Taken back" not in answer and "was due" in answer, answer


@pytest.mark.parametrize(
    "error", [UnavailableError("The keeper cannot be reached."), OSError("disk full"), DuplicateRowError("persons")]
)
def test_a_mail_that_the_office_cannot_enter_now_is_left_to_the_sender(
    world: World, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def busy(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(submissions, "submit", busy)
    message = world.mail(world.address_of("France"), world.reply_address("France"), ORDERS)
    with pytest.raises(TryAgain):
        world.counter.receive(message.as_bytes(), ())
    monkeypatch.undo()
    world.deliver(message)
    assert world.versions("France") == [(1, "text", "counts")], "it comes again, and is entered then"


# Printed sheets


def test_a_code_of_no_turn_is_left_aside(world: World) -> None:
    world.begin(name="Edgehill", coordinated=True)
    world.write("France", "", "my orders", coded(world.game.key, "France", "some day"))
    assert world.versions("France") == [(1, "pictures", "counts")], "the address says whose it is"


# Games that gather


def test_joining_a_game_that_has_begun_takes_the_seat_that_is_open(world: World) -> None:
    eve, game = "eve@example.org", world.game.key
    people.register(world.office, Actor.console(), "Eve", eve)
    assert "Powick Bridge has begun. No seat is open." in ask(world, eve, f"JOIN {game}")
    for power in ("France", "England"):
        seats.resign(world.office, world.players[power], game, power)
    assert "England and France need players. Take a seat on the page" in ask(world, eve, f"JOIN {game}")
    seats.take_over(world.office, person(world.office, "Max"), game, "England")
    assert "You play France in Powick Bridge from now on." in ask(world, eve, f"JOIN {game}")
    assert "You already play France in Powick Bridge." in ask(world, eve, f"JOIN {game}")


@pytest.mark.clause("W-23")
@pytest.mark.parametrize("sender", ["eve@example.org", "new@example.org", "other@example.org"])
def test_an_invitation_that_is_answered_by_mail_keeps_its_power(world: World, sender: str) -> None:
    """Whoever is known or new; from another address with the link that the answer quotes, or in a game that runs."""
    office = world.office
    for name in ("Eve", "Other"):
        people.register(office, Actor.console(), name, f"{name.casefold()}@example.org")
    plan = {"name": "Naseby", "variant": "hundred", "settings": {"coordinated": True, "listed": False}}
    game = games.create(office, world.host, plan).key
    invited = "eve@example.org" if sender.startswith("other") else sender
    games.invite(office, world.host, game, invited, "England")
    world.settle()
    link = next(part for part in body(world.outbox.to(invited, "invitation")[-1]).split() if "/invitation/" in part)
    quoted = f"JOIN Naseby\n\n> {link}\n" if sender.startswith("other") else "JOIN Naseby"
    answer = ask(world, sender, quoted, "Re: An invitation to Naseby")
    assert "You play England in Naseby" in answer, answer
    (seat,) = [s for s in games.game(office, Actor.console(), game).seats if s.power == "England"]
    assert seat.state == "held"
    assert "You play" not in ask(world, "fred@example.org", f"JOIN Naseby\n\n> {link}\n"), "a link is good once"


def test_a_name_in_a_mail_means_the_own_game_first_and_tells_of_no_hidden_one(world: World) -> None:
    """Two games of one name that aren't listed and one that is: who is in or invited to one means that."""
    office = world.office
    for name in ("Eve", "Fred", "Gwen"):
        people.register(office, Actor.console(), name, f"{name.casefold()}@example.org")
    hidden = {"name": "Naseby", "variant": "hundred", "settings": {"coordinated": True, "listed": False}}
    one, other = (games.create(office, world.host, hidden).key for _ in range(2))
    unknown = ask(world, "gwen@example.org", "JOIN Naseby")
    assert unknown.replace("naseby", "marston") == ask(world, "gwen@example.org", "JOIN Marston")
    games.invite(office, world.host, one, "eve@example.org", "England")
    games.invite(office, world.host, other, "fred@example.org", "France")
    shown = games.create(office, world.host, {"name": "Naseby", "variant": "hundred"}).key
    for name, key in (("eve", one), ("fred", other), ("gwen", shown)):
        ask(world, f"{name}@example.org", "JOIN Naseby")
        (mine,) = games.list_games(office, people.as_person(office, who(office, name)), mine=True)
        assert mine.key == key, name


def who(office: Office, name: str) -> int:
    return people.find(office, Actor.console(), f"{name}@example.org").id


def test_what_is_sent_to_a_seat_of_a_game_that_has_not_begun_is_answered(world: World) -> None:
    office, address = world.office, "eve@example.org"
    eve = people.register(office, Actor.console(), "Eve", address).id
    game = games.create(office, world.host, {"name": "Naseby", "variant": "hundred"}).key
    games.invite(office, world.host, game, address, "England")
    world.settle()
    ask(world, address, "JOIN Naseby")
    seat = mailroom.reply_address(office, game, "England", eve)
    assert seat != office.settings.orders_address
    for text, told in (("A lon H", "Naseby has not begun."), ("LIST", "Naseby")):
        world.deliver(world.mail(address, seat, text, f"Orders {text}"))
        assert told in world.told(address, "answer"), text


def test_an_invitation_to_a_seat_of_a_game_that_runs_is_answered_by_mail(world: World) -> None:
    world.begin(name="Edgehill", coordinated=True)
    office, game = world.office, world.game.key
    for power in ("France", "England"):
        seats.vacate(office, world.host, game, power, "gone")
    people.register(office, Actor.console(), "Eve", "eve@example.org")
    games.invite(office, world.host, game, "eve@example.org", "France")
    world.settle()
    assert "You play France in Edgehill from now on." in ask(world, "eve@example.org", "JOIN Edgehill")


def test_mails_name_a_power_with_its_article(world: World) -> None:
    office = world.office
    for name, variant, power, told in (
        ("Hastings", "1000ad", "British", "the British in Hastings, a game of 1000 AD"),
        ("Lepanto", "1897", "Austria", "Austria in Lepanto, a game of the 1897 Variant"),
    ):
        gathering = games.create(office, world.host, {"name": name, "variant": variant})
        games.invite(office, world.host, gathering.key, f"{name}@example.org", power)
        assert f"Coordinator invites you to play {told}" in world.told(f"{name}@example.org".lower(), "invitation")
    world.begin("three-kingdoms", name="Naseby", coordinated=True)
    ann, crown = world.address_of("Crown"), world.players["Crown"]
    answer = ask(world, people.me(office, world.host).email, "EJECT crown", world.game.name)
    assert "The Crown is free for another player." in answer
    world.settle()
    assert "you no longer play the Crown" in str(world.outbox.to(ann)[-1]["Subject"])
    assert "You no longer play the Crown" in as_person(office, crown).get(f"/games/{world.game.key}").text


# The coordinator


def test_each_mail_with_results_has_the_journals_head_and_the_page_compares_it(world: World) -> None:
    """What another got from the same office, of a journal that was forked, is told on the page where it is pasted."""
    for power in world.players:
        world.write(power, "# nothing")
    world.passes(days=1)
    texts = []
    for power in world.players:
        mail = world.outbox.to(world.address_of(power), "results")[-1]
        files = {str(part.get_filename()): part.get_content() for part in mail.iter_attachments()}
        (named,) = [name for name in files if name.startswith(f"head-{world.game.key}-")]
        texts.append(str(files[named]))
    assert len(set(texts)) == 1 and len(texts) == 3
    site, at = as_person(world.office, world.players["France"]), f"/games/{world.game.key}/receipt"
    mine = read_receipt(texts[0])
    assert isinstance(mine, SignedHead)
    forked = signed_by(world.office.signing, SignedHead(game=mine.game, n=mine.n, hash="0" * 64, at=mine.at))
    for head, holds in ((mine, True), (forked, False)):
        said = proofs.standing(world.office, world.players["France"], world.game.key, receipt_text(head))
        assert said.holds is holds, said
        page = site.post(at, data={"receipt": receipt_text(head)}, headers={"origin": "http://testserver"})
        assert page.status_code == 200 and escape(said.what) in page.text
