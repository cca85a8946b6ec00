"""Mails acted on: orders, pictures, commands, letters; whose they are; and what goes out."""

import io
import shutil
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
import segno
from PIL import Image

from legation.atlas.painting import PAINTER, PaintingError
from legation.mail import results
from legation.office.context import Actor
from legation.office.desk import desk, letters, mailings, mailroom
from legation.office.errors import NotFoundError
from legation.office.game import seats
from legation.office.hosting import erasing, games
from legation.office.identity import people
from legation.office.orders import submissions
from legation.office.orders.order_codes import SheetCode
from legation.office.store.rows import ArrivalRow, MailingRow
from legation.variants.registry import BOARDS, DATA
from tests.mail.conftest import Painted, World, body, office_by_mail
from tests.office.playing import begin, person, picture, refuses, stored

ORDERS = "A Paris H\nA Dauphine - Provence"
SHEET = ("sheet.jpg", picture(300, 400), "image/jpeg")


# Orders


@pytest.mark.clause("W-20c")
@pytest.mark.parametrize(
    "subject",
    [
        "Powick Bridge - France - 1430 - Movement Orders - Version 1",
        "Powick Bridge - England - 1425 - Movement Orders - Version 1",
        "Marston Moor, France, 1425 Movement Orders, v2",
        "RE: marston moor - orders",
    ],
)
def test_a_subject_that_names_another_turn_seat_or_game_is_asked_about(world: World, subject: str) -> None:
    """Also where the sender has one seat, which is in this one."""
    begin(world.office, name="Marston Moor")
    world.write("France", ORDERS)
    told = world.write("France", "A Paris H", subject)
    assert "Nothing was entered" in told and ("names a different seat" in told or "1430" in subject)
    assert world.versions("France") == [(1, "text", "counts")]


# Pictures


@pytest.mark.parametrize(
    ("data", "told"), [(b"", "nobody reads pictures"), (b"MZ not a picture", "isn't a JPEG, PNG, HEIC or PDF")]
)
def test_what_is_no_picture_and_one_for_a_game_that_runs_itself_are_refused(
    world: World, data: bytes, told: str
) -> None:
    file = ("sheet.jpg", data or SHEET[1], "image/jpeg")
    assert told in world.write("France", "", "my orders", file)
    assert world.versions("France") == []


def coded(game: str, power: str, turn: str, name: str = "sheet.png") -> tuple[str, bytes, str]:
    """A picture of an order sheet with its code."""
    code, out = io.BytesIO(), io.BytesIO()
    segno.make(SheetCode(game, power, turn).text, error="q", micro=False).save(code, kind="png", scale=7)
    page = Image.new("L", (1200, 1600), 255)
    page.paste(Image.open(code).convert("L").rotate(12, expand=True, fillcolor=255), (700, 80))
    page.save(out, "PNG")
    return name, out.getvalue(), "image/png"


@pytest.mark.parametrize("printed", [True, False])
def test_a_printed_sheet_says_which_seat_is_meant(world: World, printed: bool) -> None:
    """Somebody who plays two games sends a picture to the common address, with a subject that says nothing."""
    other, players, _ = begin(world.office, name="Edgehill", coordinated=True)
    power = next(p for p, actor in players.items() if actor.person == world.players["France"].person)
    sender = world.address_of("France")
    file = coded(other.key, power, "1425 Movement") if printed else SHEET
    world.deliver(world.vouched(sender, "", "my orders", file))
    filed = submissions.mine(world.office, players[power], other.key, power)
    assert [r.kind for r in filed] == (["pictures"] if printed else [])
    assert world.versions("France") == []
    if not printed:
        assert "You have several seats" in world.told(sender)


@pytest.mark.parametrize(
    ("power", "turn", "subject", "told"),
    [
        ("England", "1425 Movement", "my orders", "but you wrote to the address of France"),
        ("France", "1430 Movement", "my orders", "is in 1425 Movement"),
        ("France", "1425 Movement", "Powick Bridge - France - 1430 - Movement Orders", "The subject says 1430"),
        ("France", "1425 Movement", "Powick Bridge - France - 1425 - Retreat Orders", "The subject says Retreats"),
    ],
)
def test_a_printed_sheet_of_something_else_is_not_entered(
    world: World, power: str, turn: str, subject: str, told: str
) -> None:
    answer = world.write("France", "", subject, coded(world.game.key, power, turn))
    assert world.versions("France") == []
    assert "Nothing was entered" in answer and told in answer


@pytest.mark.parametrize("one", [True, False], ids=["on one photograph", "two photographs"])
def test_sheets_of_two_seats_in_one_mail_are_not_guessed(world: World, one: bool) -> None:
    files = [coded(world.game.key, power, "1425 Movement", f"{power}.png") for power in ("France", "England")]
    if one:
        page, out = Image.new("L", (1200, 1600), 255), io.BytesIO()
        for at, (_, data, _) in zip((80, 900), files, strict=True):
            page.paste(Image.open(io.BytesIO(data)).crop((700, 80, 1200, 700)), (600, at))
        page.save(out, "PNG")
        files = [("both.png", out.getvalue(), "image/png")]
    answer = world.write("France", "", "both", *files)
    assert "Nothing was entered" in answer and ("several" if one else "several seats or turns") in answer
    assert world.versions("France") == []


# Whose mail it is


def deliver_unvouched(world: World) -> str:
    """A mail from the address of France's player to the office's common one: nothing shows that it is theirs. The
    secret of the link by which it is theirs."""
    subject = "Powick Bridge - France - 1425 - Movement Orders"
    world.deliver(world.mail(world.address_of("France"), "orders@office.example", ORDERS, subject))
    (asked,) = world.outbox.to(world.address_of("France"), "release")
    return secret_in(asked, "release")


def test_a_forged_sender_gets_nothing_done_and_the_holder_is_asked(world: World) -> None:
    assert deliver_unvouched(world)
    assert world.versions("France") == []
    assert world.outbox.to(world.address_of("France"), "answer") == []
    waiting = desk.items(world.office, Actor.console())
    assert [item.kind for item in waiting] == ["unmatched mail"]
    assert "Paris" not in str(waiting)


def test_a_released_mail_counts_as_of_when_it_came(world: World) -> None:
    came = world.clock.now()
    secret = deliver_unvouched(world)
    world.clock.advance(timedelta(minutes=30))
    mailroom.release(world.office, secret)
    world.settle()
    (record,) = world.sheets("France")
    assert record.received == came
    refuses(NotFoundError, mailroom.release, world.office, secret)


def test_what_a_released_mail_begins_holds_for_the_next(world: World) -> None:
    world.begin(name="Edgehill", coordinated=True)
    office, address = world.office, "eve@example.org"
    people.register(office, Actor.console(), "Eve", address)
    seats.vacate(office, world.host, world.game.key, "France", "gone")
    games.invite(office, world.host, world.game.key, address, "France")
    for text in ("JOIN Edgehill", "A par H"):
        world.deliver(world.mail(address, "orders@office.example", text))
    for asked in world.outbox.to(address, "release"):
        mailroom.release(office, secret_in(asked, "release"))
    world.settle()
    joined, ordered = map(body, world.outbox.to(address, "answer"))
    assert "You play France" in joined and "A par H" in ordered, joined + ordered


def test_the_right_token_from_another_address_enters_nothing(world: World) -> None:
    world.deliver(world.mail("mallory@evil.example", world.reply_address("France"), ORDERS))
    assert world.versions("France") == []
    assert len(world.outbox.to(world.address_of("France"), "release")) == 1
    assert world.outbox.to("mallory@evil.example") == [], "whose address that is nobody knows"
    # another player cannot use the token
    world.deliver(world.mail(world.address_of("England"), world.reply_address("France"), ORDERS))
    assert world.versions("France") == []
    assert world.versions("England") == []


def test_strangers_for_whom_nobody_vouches_get_no_answer_and_are_listed_together(world: World) -> None:
    """Anybody can write anybody's address on a mail: an answer would go to somebody who never wrote."""
    for number in range(70):
        world.deliver(world.mail(f"eve{number}@elsewhere.example", "orders@office.example", "LIST"))
    assert not [to for _, to in world.outbox.sent if "elsewhere" in to]
    (item,) = desk.items(world.office, Actor.console())
    assert (item.kind, item.facts["count"]) == ("unmatched mails", 70)
    assert item.facts["entries"][1]["sender"] == "eve1@elsewhere.example"
    assert len(item.facts["entries"]) == 50 and item.text.startswith("70 mails came from unknown addresses")
    kept = [row.state for row in stored(world.office, ArrivalRow) if row.stored]
    assert kept == ["unmatched"] * 50, "of what is only counted nothing is kept"
    eve = people.register(world.office, Actor.console(), "Eve", "eve1@elsewhere.example")
    erasing.erase(world.office, Actor("person", eve.id))
    (item,) = desk.items(world.office, Actor.console())
    assert item.facts["count"] == 69 and "eve1@" not in repr(item)


def test_strangers_may_ask_and_nothing_else_and_machines_get_no_answer(world: World) -> None:
    message = world.vouched("eve@elsewhere.example", "LIST")
    message["Auto-Submitted"] = "auto-replied"
    world.deliver(message)
    assert world.outbox.to("eve@elsewhere.example") == []
    # strangers may ask and nothing else
    world.deliver(world.vouched("eve@elsewhere.example", "LIST"))
    answer = world.told("eve@elsewhere.example")
    assert "Powick Bridge" in answer and "Player" not in answer
    world.deliver(world.vouched("ann@elsewhere.example", "A par H", "my orders", SHEET))
    assert "set aside" in world.told("ann@elsewhere.example")
    (item,) = desk.items(world.office, Actor.console())
    assert (item.kind, item.facts["sender"]) == ("unmatched mail", "ann@elsewhere.example")


def test_what_comes_from_the_office_s_own_address_is_neither_answered_nor_asked_about(world: World) -> None:
    before = len(world.outbox.sent)
    for own in ("office@office.example", "orders@office.example", world.reply_address("France")):
        for to in ("orders@office.example", world.reply_address("France")):
            world.deliver(world.mail(own, to, "LIST\nA Paris H"))
    assert len(world.outbox.sent) == before
    assert desk.items(world.office, Actor.console()) == []


def test_who_cannot_be_written_to_gets_no_answer_and_nothing_fails(world: World) -> None:
    stranger = world.vouched("x@example.org", "LIST")
    data = stranger.as_bytes().replace(b"From: x@example.org", "From: jürgen@example.org".encode())
    before = len(world.outbox.sent)
    world.counter.receive(data, ())
    world.settle()
    assert len(world.outbox.sent) == before
    with world.office.store.transaction(write=False) as tx:
        assert not tx.count(MailingRow, state="waiting")


def test_an_address_that_nobody_has_gets_one_answer_a_day(world: World) -> None:
    for _ in range(30):
        world.deliver(world.vouched("eve@elsewhere.example", "LIST"))
    assert len(world.outbox.to("eve@elsewhere.example")) == 1
    world.clock.advance(timedelta(days=1, seconds=1))
    world.deliver(world.vouched("eve@elsewhere.example", "LIST"))
    assert len(world.outbox.to("eve@elsewhere.example")) == 2


# Who is away


def test_a_machine_that_brings_the_office_s_mail_back_is_not_answered(world: World) -> None:
    world.write("France", ORDERS)
    receipt = world.outbox.to(world.address_of("France"), "answer")[-1]
    before = len(world.outbox.sent)
    reply = EmailMessage()
    reply["From"], reply["To"] = world.address_of("France"), receipt["Reply-To"]
    reply["Subject"] = f"Ferie: {receipt['Subject']}"
    reply["Message-ID"], reply["References"] = "<away@example.org>", f"{receipt['References']} {receipt['Message-ID']}"
    part = receipt.get_body(("plain",))
    assert part is not None
    reply.set_content(f"I'm away until Monday. In urgent cases, call Bob.\n\n{part.get_content()}")
    world.deliver(reply)
    assert len(world.outbox.sent) == before


def test_what_may_be_orders_of_who_is_away_is_on_the_desk(world: World) -> None:
    assert not world.write("France", "A Parsi to Orleanis, if that works", "Away: my orders")
    (item,) = desk.items(world.office, Actor.console())
    assert item.kind == "unmatched mail" and "it may have orders" in str(item.facts["why"])
    assert world.sheets("France") == []


def test_a_stranger_who_is_away_is_on_the_desk_and_not_answered(world: World) -> None:
    world.deliver(world.mail("ann@elsewhere.example", "orders@office.example", ORDERS, "Away: my orders"))
    assert world.outbox.to("ann@elsewhere.example") == []
    (item,) = desk.items(world.office, Actor.console())
    assert item.kind == "unmatched mails"


# Commands


def test_a_proposal_goes_and_comes_back_by_mail(world: World) -> None:
    """What a mail prints of a proposal is what the reader accepts, changed or not; nobody else is mailed it."""
    answer = world.write("France", "PRESS TO England\nShall we?\n\nPROPOSAL\nA par - orl\nEngland: A cal H\nENDPRESS")
    assert "with this proposal for 1425 Movement" in answer and "England: A cal H" in answer
    got = body(world.outbox.to(world.address_of("England"), "letter")[-1])
    assert "Shall we?" in got and "It proposes orders for 1425 Movement" in got
    lines = [line.strip(" >|") for line in got.splitlines() if line.strip(" >|").startswith(("England:", "France:"))]
    assert lines == ["England: A cal H", "France: A par - orl"]
    world.write(
        "England", "PRESS TO France\nProposal:\n" + "\n".join(lines).replace("A cal H", "A cal - par") + "\nENDPRESS"
    )
    changed = letters.letters(world.office, world.players["France"], world.game.key, "France")[-1]
    assert changed.proposal is not None and changed.text == ""
    assert [one.order for one in changed.proposal.orders["England"]] == ["A cal - par"]
    assert world.outbox.to(world.address_of("Burgundy"), "letter") == []
    refused = world.write("France", "PRESS TO England\nHm\nPROPOSAL\nA par - xyz\nENDPRESS")
    assert "was not sent" in refused and "xyz" in refused


def secret_in(message: EmailMessage, path: str) -> str:
    """The secret of the link in a mail."""
    return body(message).partition(f"/{path}/")[2].split()[0]


# Out


def test_results_go_out_with_the_map_and_only_files_that_fit_unless_all_are_wanted(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    results._drawn.cache_clear()
    monkeypatch.setattr(results, "PAINTER", PAINTER)
    people.set_preferences(world.office, world.players["Burgundy"], {"attached": "all"})
    for power in world.players:
        world.write(power, "SET NOWAIT" if power != "France" else f"{ORDERS}\nSET NOWAIT")
    world.passes(days=1)
    message = world.outbox.to(world.address_of("France"), "results")[0]
    text = body(message)
    assert text.index("A par H") < text.index("Movement results for")
    assert "England: Army Calais HOLD." in text
    kinds = [part.get_content_type() for part in message.walk()]
    assert "image/png" in kinds
    assert "application/pdf" not in kinds
    assert "/print/map.pdf?turn=" in text
    assert len(message.as_bytes()) < 300_000
    whole = world.outbox.to(world.address_of("Burgundy"), "results")[0]
    assert "application/pdf" in [part.get_content_type() for part in whole.walk()]
    assert "/print/map.pdf" not in body(whole)
    assert "text/html" in kinds
    assert message["Reply-To"] == world.reply_address("France")
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = message["List-Unsubscribe"].strip("<>").rpartition("/")[2]
    assert mailings.unsubscribe(world.office, link) == "results"


@pytest.mark.parametrize("error", [PaintingError("it takes too long"), ValueError("odd"), RuntimeError("typst")])
def test_results_whose_map_cannot_be_drawn_are_sent_with_their_link(
    world: World, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object) -> None:
        raise error

    results._drawn.cache_clear()
    monkeypatch.setattr(Painted, "png_and_pdf", fail)
    world.passes(days=1)
    for power in world.players:
        (message,) = world.outbox.to(world.address_of(power), "results")
        assert f"/games/{world.game.key}" in body(message)
        assert not [part for part in message.walk() if part.get_content_maintype() == "image"]


def test_results_of_a_board_that_nobody_has_drawn_go_out_without_a_map(tmp_path: Path) -> None:
    """A variant of the office's own, whose board has no shapes."""
    shutil.copytree(BOARDS / "hundred", tmp_path / "own" / "plain")
    (tmp_path / "own" / "plain" / "shapes.json").unlink()
    text = (DATA / "hundred.toml").read_text(encoding="utf-8").replace('name = "hundred"\n', "")
    (tmp_path / "own" / "plain.toml").write_text(text.replace('board = "hundred"', 'board = "plain"'))
    with office_by_mail(tmp_path, variants=str(tmp_path / "own")) as world:
        world.begin("plain")
        world.write("France", ORDERS)
        world.passes(days=1)
        (message,) = world.outbox.to(world.address_of("France"), "results")
        assert "A par H" in body(message) and "England: Army Calais HOLD." in body(message)
        forms = {"multipart/alternative", "text/plain", "text/html"}
        assert {part.get_content_type() for part in message.walk()} == {"multipart/mixed", *forms}
        assert [part.get_filename() for part in message.iter_attachments()] == [f"head-{world.game.key}-1.txt"]
        assert desk.items(world.office, Actor.console()) == []


def test_who_is_erased_while_mails_leave_gets_none_of_them(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    _, eve = person(world.office, "Ann"), person(world.office, "Eve")
    for name in ("ann", "eve"):
        people.ask_link(world.office, Actor.visitor(), f"{name}@example.org")
    taken = world.outbox.send

    def send(message: EmailMessage, sender: str, recipient: str) -> None:
        taken(message, sender, recipient)
        if recipient == "ann@example.org":
            erasing.erase(world.office, eve)

    monkeypatch.setattr(world.outbox, "send", send)
    world.settle()
    assert world.outbox.to("ann@example.org", "sign in") and not world.outbox.to("eve@example.org")
    assert desk.items(world.office, Actor.console()) == []


# Tokens belong to a person in a seat, and die with it


def test_nobody_is_told_another_s_reply_address(world: World) -> None:
    """A player who was replaced gets mail without the successor's secret, and the own old one is none any more."""
    old_address, old = world.address_of("France"), world.reply_address("France")
    france = world.players["France"]
    seats.vacate(world.office, Actor.console(), world.game.key, "France", "gone")
    eve = person(world.office, "Eve")
    world.players["France"] = eve
    seats.take_over(world.office, eve, world.game.key, "France")
    new = world.reply_address("France")
    world.settle()
    assert new != old
    for message, recipient in world.outbox.sent:
        assert recipient == "eve@example.org" or new not in message.as_string()
    assert mailroom.reply_address(world.office, world.game.key, "France", france.person) == "orders@office.example"
    for sender, address in ((old_address, old), (old_address, new), ("eve@example.org", old)):
        world.deliver(world.mail(sender, address, ORDERS))
    assert world.sheets("France") == []
    world.deliver(world.mail("eve@example.org", new, ORDERS))
    assert len(world.sheets("France")) == 1


def test_a_mail_that_is_passed_on_counts_when_the_holder_says_so(world: World) -> None:
    text = f"{ORDERS}\nRESIGN\nPRESS TO England\nHello\nENDPRESS\nSET ADDRESS mallory@evil.example"
    stranger = world.mail("copyshop@example.com", "orders@office.example", text, "Powick Bridge")
    world.deliver(stranger)
    (listed,) = desk.items(world.office, Actor.console())
    (mail,) = desk.item(world.office, Actor.console(), listed.id).facts["entries"]
    assert "Powick" not in str(mail)
    mailroom.assign(world.office, Actor.console(), world.game.key, "France", listed.id, mail["arrival"])
    world.settle()
    assert world.versions("France") == []
    (asked,) = world.outbox.to(world.address_of("France"), "release")
    assert "passed on, unread" in world.told("copyshop@example.com", "mail passed on")
    mailroom.release(world.office, secret_in(asked, "release"))
    world.settle()
    assert world.versions("France") == [(1, "text", "counts")]
    assert "only the orders in it count" in world.told("France")
    for kind in ("confirm resignation", "approve address"):
        assert world.outbox.to(world.address_of("France"), kind) == []
    assert letters.letters(world.office, world.players["England"], world.game.key, "England") == []
    assert desk.items(world.office, Actor.console()) == []


def test_a_stranger_and_who_confirms_the_mail_are_both_answered(world: World) -> None:
    world.deliver(world.vouched("copyshop@example.com", ORDERS, "Powick Bridge"))
    assert "set aside" in world.told("copyshop@example.com")
    (listed,) = desk.items(world.office, Actor.console())
    mailroom.assign(world.office, Actor.console(), world.game.key, "France", listed.id)
    world.settle()
    mailroom.release(world.office, secret_in(world.outbox.to(world.address_of("France"), "release")[0], "release"))
    assert "orders v1" in world.told("France") and world.versions("France") == [(1, "text", "counts")]


def test_a_mail_that_was_passed_on_for_a_seat_acts_for_no_other_when_that_is_lost(world: World) -> None:
    """Whoever runs a game passes a stranger's mail on to a player and vacates the seat; the player, who holds another,
    follows the link. Nothing of the mail counts anywhere: it was for the seat alone."""
    office, france, address = world.office, world.players["France"], world.address_of("France")
    other, _, _ = begin(office, name="Stow", powers=0, folk="Other")
    seats.vacate(office, Actor.console(), other.key, "France", "free")
    seats.take_over(office, france, other.key, "France")
    text = f"{ORDERS}\nPRESS TO England\nHello\nENDPRESS\nSET ADDRESS mallory@evil.example"
    world.deliver(world.mail("copyshop@example.com", "orders@office.example", text, "Stow"))
    (listed,) = desk.items(office, Actor.console())
    (mail,) = desk.item(office, Actor.console(), listed.id).facts["entries"]
    mailroom.assign(office, Actor.console(), world.game.key, "France", listed.id, mail["arrival"])
    world.settle()
    (asked,) = world.outbox.to(address, "release")
    seats.vacate(office, Actor.console(), world.game.key, "France", "gone")
    mailroom.release(office, secret_in(asked, "release"))
    world.settle()
    assert [s for s in submissions.mine(office, france, other.key, "France") if s.channel == "mail"] == []
    assert world.outbox.to(address, "approve address") == [] == world.outbox.to(address, "answer")
    (listed,) = desk.items(office, Actor.console())
    (mail,) = desk.item(office, Actor.console(), listed.id).facts["entries"]
    assert (mail["assigned"], mail["why"]) == ("", "The person who confirmed it no longer has the seat.")


def test_a_mail_by_the_seat_s_address_alone_does_not_coordinate(world: World) -> None:
    request, office, france = "PROCESS Spring 1425 Movement", world.office, world.players["France"]
    assert "Only the game's coordinator can ask for that" in world.write("France", request)
    settings = {"coordinated": True}
    made = games.create(office, france, {"name": "Edgehill", "variant": "hundred", "settings": settings})
    for number, seat in enumerate(made.seats):
        seats.sign_up(office, person(office, f"Guest{number}"), made.key, [seat.power])
    games.start(office, france, made.key)
    world.settle()
    assert "it can only give a player's orders" in world.write("France", request)


# The same Message-ID, and none that anybody sent


def test_another_text_under_the_same_message_id_is_told_once_and_does_not_count(world: World) -> None:
    sender, address = world.address_of("France"), world.reply_address("France")
    world.deliver(world.mail(sender, address, "A Paris - Dijon"))
    for text in ("A Paris - Dijon", "A Paris - Calais", "A Paris - Calais"):
        world.number -= 1
        world.deliver(world.mail(sender, address, text))
    assert world.versions("France") == [(1, "text", "counts")]
    receipt, told = world.outbox.to(sender, "answer")
    assert "orders v1" in receipt["Subject"] and told["Subject"] == "Powick Bridge - Nothing was entered"
    assert "the same Message-ID came before" in body(told)


def test_a_known_message_id_of_somebody_else_is_told_to_nobody(world: World) -> None:
    sender, address = world.address_of("France"), world.reply_address("France")
    world.deliver(world.mail(sender, address, "A Paris - Dijon"))
    for other in ("mallory@evil.example", world.address_of("England")):  # neither has the seat of that address
        world.number -= 1
        world.deliver(world.mail(other, address, "A Paris - Calais"))
    assert world.versions("France") == [(1, "text", "counts")]
    assert [kind for m, _ in world.outbox.sent if (kind := m["X-Legation"]) == "answer"] == ["answer"]


@pytest.mark.parametrize("path", ["<>", " < > ", "<MAILER-DAEMON>", "<> (nobody)"])
def test_what_nobody_sent_is_never_entered(world: World, path: str) -> None:
    message = world.mail(world.address_of("France"), world.reply_address("France"), ORDERS)
    message["Return-Path"] = path
    world.deliver(message)
    assert world.versions("France") == [] and not world.outbox.to(world.address_of("France"), "answer")


def test_a_mail_without_a_message_id_acts_once_however_often_it_is_delivered(world: World) -> None:
    """It is known by its sender, its date and what it says: another player's, or one of another day, is another."""
    for power, date, waits in (
        ("France", "Mon, 2 Mar 2026 12:00:00 +0000", 1),
        ("France", "Mon, 2 Mar 2026 12:00:00 +0000", 1),
        ("England", "Mon, 2 Mar 2026 12:00:00 +0000", 1),
        ("France", "Mon, 2 Mar 2026 13:00:00 +0000", 2),
    ):
        mail = world.mail(world.address_of(power), "orders@office.example", "SET WAIT")
        del mail["Message-ID"], mail["To"]
        mail["Date"], mail["Delivered-To"] = date, world.reply_address(power)
        mail["Received"] = f"from relay{world.number}.example"
        world.deliver(mail)
        assert len(world.outbox.to(world.address_of(power), "answer")) == waits, (power, date)


# Text beside a picture


@pytest.mark.clause("W-20b", "W-20e")
@pytest.mark.parametrize(
    "text", ["Use version 1 only if it rains.", "Version instructions: v1 counts", "v1 replaces v2"]
)
def test_the_text_beside_a_picture_opens_no_choice_and_is_shown_to_the_coordinator(world: World, text: str) -> None:
    world.begin(name="Edgehill", coordinated=True)
    for _ in range(2):
        answer = world.write("France", f"A Paris - Orleanais\n{text}", "my orders", SHEET)
    assert "nothing in it is an order or an instruction" in answer and "Your version instructions" not in answer
    assert world.versions("France")[-1] == (2, "pictures", "counts") and "300 x 400" in answer
    world.passes(days=3)
    shown = desk.items(world.office, world.host)
    assert {item.kind for item in shown} <= {"transcribe", "publish"}, "nobody is asked which version counts"
    (item,) = [item for item in shown if item.power == "France"]
    assert f"| {text}" in str(desk.item(world.office, world.host, item.id).facts)


@pytest.mark.clause("W-20e")
def test_the_subject_of_a_picture_may_say_which_version_counts(world: World) -> None:
    world.begin(name="Edgehill", coordinated=True)
    subject = "Edgehill - France - 1425 - Movement Orders - v2 only if v1 is illegible"
    assert "Your version instructions go to the coordinator" in world.write("France", "", subject, SHEET)


def test_a_photograph_within_the_text_counts_where_somebody_reads_pictures(world: World) -> None:
    """Telephones put what is attached within the text."""
    world.begin(name="Edgehill", coordinated=True)
    sender, address = world.address_of("France"), world.reply_address("France")
    message = world.mail(sender, address, ORDERS)
    message.add_alternative("<p>A Paris H<br><img src='cid:p'></p>", subtype="html")
    *_, html = message.iter_parts()
    html.add_related(SHEET[1] + bytes(50_000), "image", SHEET[2].split("/")[1], cid="<p>", disposition="inline")
    world.deliver(message)
    assert world.versions("France") == [(1, "pictures", "counts")]
