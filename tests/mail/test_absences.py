"""Mails whose subject says only that somebody is away: machines are not answered, and nobody's orders are lost."""

from email.message import EmailMessage

from legation.office.context import Actor
from legation.office.desk import desk
from tests.mail.conftest import World

ORDERS = "A Paris - Orleanais\nA Dauphine - Provence"
GONE = "I'm away until Monday the 9th and will answer then. In urgent cases, call Bob."


def answered(world: World, subject: str, text: str) -> bool:
    return bool(world.write("France", text, subject))


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


def test_what_may_be_orders_of_who_is_away_is_on_the_desk(world: World) -> None:
    assert not answered(world, "Away: my orders", "A Parsi to Orleanis, if that works")
    (item,) = desk.items(world.office, Actor.console())
    assert item.kind == "unmatched mail" and "it may have orders" in str(item.facts["why"])
    assert world.sheets("France") == []


def test_a_stranger_who_is_away_is_on_the_desk_and_not_answered(world: World) -> None:
    world.deliver(world.mail("ann@elsewhere.example", "orders@office.example", ORDERS, "Away: my orders"))
    assert world.outbox.to("ann@elsewhere.example") == []
    (item,) = desk.items(world.office, Actor.console())
    assert item.kind == "unmatched mails"
