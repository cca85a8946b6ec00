"""Mails of somebody who means harm, or of whom a program makes a fool: nothing is entered that its sender did not write
as new orders for a seat of theirs, and no text takes long."""

import time
from datetime import date
from email.message import EmailMessage

import pytest

from legation.mail.html_text import html_as_text
from legation.mail.quoting import REPLY_LINE, own_text
from legation.mail.reading import read_mail
from legation.mail.requests import read_request
from tests.mail.conftest import World, body
from tests.mail.programs import PROGRAMS
from tests.sampling import some

TODAY = date(2026, 3, 4)
ORDERS = "A Paris - Orleanais\nA Dauphine - Provence"
SIZE = 60_000
WROTE = "On Mon, 2 Mar 2026 at 13:00, The office <office@office.example> wrote:"


@pytest.mark.parametrize(
    "piece",
    some([
        ">", "> ", ">\n", "> > A par - orl\n", "|\n", "~~", "*", "-- \n", f"{REPLY_LINE}\n", f"> {REPLY_LINE}\n",
        f"{WROTE}\n", "From: a <a@b.example>\nSent: 1:00\nTo: x\nSubject: y\n", "AB> x\n", "office> x\n", "wrote:\n",
        "-----Original Message-----\n", "On\n", "_" * 50 + "\nmailing list\n", "confidential message ",
        "a" * 70 + "\nx\n", "You get this because you play\n", "SET WAIT\n", "PRESS TO F\n", "IF\n", "=20\n", "\u202e",
        "\u00e2\u20ac\u201c",
    ], 3),
    ids=lambda piece: repr(piece[:12]),
)  # fmt: skip
def test_sixty_thousand_characters_of_anything_take_no_time(piece: str) -> None:
    text = (piece * (SIZE // len(piece) + 1))[:SIZE]

    def taken() -> float:
        begun = time.process_time()
        read_request(f"{text}\n{ORDERS}", TODAY)
        return time.process_time() - begun

    assert any(taken() < 1.0 for _ in range(3)), "unless the machine is busy"


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 12_000,
        "".join(f"<p><b class='c{number}'><i class='d{number}'><u>" for number in range(400)),
        "".join(f"<p><b style='font-size:{number}px'>" for number in range(600)),
        "<s>" * 499 + "<p>x" * 3_000,
        "<blockquote>" * 490,
        "<span style='font-size:0'><p>" * 499,
    ],
    ids=range(6),
)
def test_however_deep_html_is_orders_above_it_are_read(html: str) -> None:
    begun = time.process_time()
    assert html_as_text(f"<p>A par H</p>{html}A dau H").startswith("A par H")
    assert time.process_time() - begun < 5.0


@pytest.mark.parametrize("dressed", ["{}", "*{}*", "> {}", ">> {}", "| {}", "    {}", "{}  ", "***{}***"])
@pytest.mark.parametrize(
    "line", [REPLY_LINE, REPLY_LINE.upper(), "— Reply above this line —", "Reply  above this line"]
)
def test_orders_below_the_line_never_count_and_are_told(line: str, dressed: str) -> None:
    """Whoever puts the line there."""
    mark = "> " if dressed.startswith(">") else ""
    quoted = "\n".join(f"{mark}{order}" for order in ORDERS.split("\n"))
    request = read_request(f"A Toulouse H\n\n{dressed.format(line)}\n\n{quoted}", TODAY)
    assert request.orders == "A Toulouse H" and len(request.notes) == 1
    alone = read_request(f"{dressed.format(line)}\n\n{quoted}", TODAY)
    assert alone.orders == "" and len(alone.notes) == 1


def test_the_line_within_a_sentence_cuts_nothing_and_quoted_commands_do_nothing() -> None:
    text = f"I did reply above this line, as you ask.\n{ORDERS}\nWhat does '{REPLY_LINE}' mean to you?"
    assert own_text(text.split("\n")).lines == tuple(text.split("\n"))
    for mark in ("", "> "):
        told = "\n".join(f"{mark}{line}" for line in (REPLY_LINE, "RESIGN", "CLEAR", "PRESS TO F", "hm", "ENDPRESS"))
        assert read_request(f"Thanks.\n\n{WROTE}\n{told}", TODAY).commands == ()


@pytest.mark.parametrize("program", ["gmail", "outlook", "outlook_html_alone", "apple_mail", "below_without_any_mark"])
def test_an_answer_to_somebody_else_s_receipt_enters_nothing_of_theirs(world: World, program: str) -> None:
    """England has passed its receipt on to France, who answers it: to England's address, and to the common one."""
    world.write("England", "A Calais - Dijon")
    receipt = world.outbox.to(world.address_of("England"), "answer")[-1]
    for to in (world.reply_address("England"), world.reply_address("France")):
        data = PROGRAMS[program](receipt, "Thanks, I see.").replace(
            b"eve@example.org", world.address_of("France").encode()
        )
        world.number += 1
        data = data.replace(b"<answer@", f"<answer{world.number}@".encode())
        world.counter.receive(data.replace(world.reply_address("England").encode(), to.encode()), ())
        world.settle()
    assert world.versions("England") == [(1, "text", "counts")] and world.versions("France") == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Reply-To": "{england}"},
        {"Sender": "{england}"},
        {"X-Original-From": "{england}"},
        {"References": "<said.AAAAAA.1-1.AAAA@office.example> " * 2000},
        {"In-Reply-To": "<answer.0@office.example>"},
        {"Authentication-Results": "mx.example; dkim=pass header.d=example.org"},
        {"Return-Path": "<{england}>"},
        {"Received": "from elsewhere by mx.example; Mon, 2 Mar 2020 12:00:00 +0000"},
    ],
    ids=lambda headers: next(iter(headers)),
)
def test_no_header_makes_a_mail_somebody_else_s(world: World, headers: dict[str, str]) -> None:
    message = world.mail("mallory@evil.example", world.reply_address("England"), "A Calais - Dijon")
    for name, value in headers.items():
        message[name] = value.format(england=world.address_of("England"))
    world.deliver(message)
    assert world.versions("England") == []
    assert not world.outbox.to("mallory@evil.example")


def test_a_mail_of_marks_alone_is_answered_once_and_enters_nothing(world: World) -> None:
    answer = world.write("France", "> " * 30_000)
    assert world.versions("France") == []
    assert answer.count(REPLY_LINE) == 1


def test_every_mail_of_the_office_begins_with_the_line(world: World) -> None:
    world.write("France", ORDERS)
    for message, _ in world.outbox.sent:
        assert body(message).startswith(f"{REPLY_LINE}\n")
        html = message.get_body(("html",))
        assert isinstance(html, EmailMessage)
        answer = EmailMessage()
        answer["From"], answer["Subject"] = "eve@example.org", "Re: Orders"
        answer.set_content(html.get_content(), subtype="html")
        request = read_request(read_mail(answer.as_bytes()).text, TODAY)
        assert (request.orders, request.commands) == ("", ())
