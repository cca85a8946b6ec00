"""Mails whose subject says only that somebody is away: machines are not answered, and nobody's orders are lost."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from legation.mail.reading import read_mail
from legation.office.context import Actor
from legation.office.desk import desk
from legation.office.orders import submissions
from tests.mail.conftest import World
from tests.sampling import some

ORDERS = "A Paris - Orleanais\nA Dauphine - Provence"
GONE = "I'm away until Monday the 9th and will answer then. In urgent cases, call Bob."
SUBJECTS = (
    "Away: Powick Bridge - France, 1425 Movement",
    "Away from office: Powick Bridge",
    "[Away] Re: Powick Bridge",
    "Vacation: Re: Powick Bridge",
    "On leave: Powick Bridge",
    "Abwesenheit: Powick Bridge",
    "Im Urlaub: AW: Powick Bridge",
    "Nicht im Büro: Powick Bridge",
    "Absence : Powick Bridge",
    "En congés : Powick Bridge",
    "Fuera de la oficina: Powick Bridge",
    "De vacaciones: Powick Bridge",
    "Ferie: Powick Bridge",
    "In ferie: Powick Bridge",
    "Fuori sede: Powick Bridge",
    "Férias: Powick Bridge",
    "Afwezig: Powick Bridge",
    "Op vakantie: Powick Bridge",
    "Frånvaro: Powick Bridge",
    "Semester: Powick Bridge",
    "Fravær: Powick Bridge",
    "På ferie: Powick Bridge",
    "Poza biurem: Powick Bridge",
    "Urlop: Powick Bridge",
    "Nepřítomnost: Powick Bridge",
    "Dovolená: Powick Bridge",
    "Poissa: Powick Bridge",
    "Lomalla: Powick Bridge",
    "부재중: Powick Bridge",
    "Re: Out of the office",
)


def answered(world: World, subject: str, text: str) -> bool:
    return bool(world.write("France", text, subject))


@pytest.mark.parametrize("subject", some(SUBJECTS, 3))
def test_who_is_away_is_not_answered(world: World, subject: str) -> None:
    assert not answered(world, subject, GONE)
    assert desk.items(world.office, Actor.console()) == []


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
    reply.set_content(f"{GONE}\n\n{part.get_content()}")
    world.deliver(reply)
    assert len(world.outbox.sent) == before


@pytest.mark.parametrize("subject", ["Away: my orders", "Ferie: ordini", "Out of office on Monday, so here they are"])
@pytest.mark.parametrize("text", [f"{GONE}\n\n{ORDERS}", "SET ABSENCE 9 Mar", "PRESS TO England\nShall we?\nENDPRESS"])
def test_orders_and_commands_of_who_is_away_are_carried_out(world: World, subject: str, text: str) -> None:
    assert answered(world, subject, text)
    sent = submissions.mine(world.office, world.players["France"], world.game.key, "France")
    assert len(sent) == (ORDERS in text)


def test_what_may_be_orders_of_who_is_away_is_on_the_desk(world: World) -> None:
    assert not answered(world, "Away: my orders", "A Parsi to Orleanis, if that works")
    (item,) = desk.items(world.office, Actor.console())
    assert item.kind == "unmatched mail" and "it may have orders" in str(item.facts["why"])
    assert submissions.mine(world.office, world.players["France"], world.game.key, "France") == []


def test_a_stranger_who_is_away_is_on_the_desk_and_not_answered(world: World) -> None:
    world.deliver(world.mail("ann@elsewhere.example", "orders@office.example", ORDERS, "Away: my orders"))
    assert world.outbox.to("ann@elsewhere.example") == []
    (item,) = desk.items(world.office, Actor.console())
    assert item.kind == "unmatched mails"


@pytest.mark.parametrize(
    "subject", ["Away until Monday", "Absence", "Urlaub", "A way to Paris: orders", "Awaypoint: orders"]
)
def test_people_s_subjects_are_people_s(subject: str) -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "eve@example.org", subject
    message.set_content(GONE)
    assert read_mail(message.as_bytes()).automatic == ""
