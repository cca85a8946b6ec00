"""What players' mails are told, and which versions of orders there are then: a mail in each row of ``answers.tsv``, and
several, one after another, in ``conversations.tsv``."""

import json
from email.message import EmailMessage
from pathlib import Path

import pytest

from legation.office.context import Actor
from legation.office.desk import desk
from legation.office.hosting import games
from tests.mail.conftest import World, in_a_line
from tests.office.playing import person


def rows(table: str) -> list[list[str]]:
    text = Path(__file__).with_name(table).read_text(encoding="utf-8")
    return [[cell.replace("\\n", "\n") for cell in row.split("\t")] for row in text.splitlines()[1:]]


def conversations() -> dict[str, list[list[str]]]:
    """The steps of each, by its name, which stands above them."""
    found: dict[str, list[list[str]]] = {}
    for row in rows("conversations.tsv"):
        if row[0].startswith("# "):
            steps = found[row[0][2:]] = []
        else:
            steps.append(row)
    return found


def check(world: World, power: str, answer: str, told: str, versions: str) -> None:
    """``told``: parts of an answer; with ``!`` what is not in it; ``-``: there is none. ``versions``: what becomes of
    each that the power has sent by text, or ``none``."""
    assert told != "-" or not answer, answer
    for part in filter(None, told.removeprefix("-").split(" | ")):
        assert (part.lstrip("!") in answer) is not part.startswith("!"), f"{part!r} in {answer!r}"
    wanted = [("text", version) for version in versions.replace("none", "").split(", ") if version]
    assert not versions or [(kind, f"{n} {standing}") for n, kind, standing in world.versions(power)] == wanted


@pytest.mark.parametrize("row", rows("answers.tsv"), ids="\t".join)
def test_a_mail_is_told_what_becomes_of_it(world: World, row: list[str]) -> None:
    """Without a ``game``, Powick Bridge."""
    game, power, before, subject, text, told, versions = row
    if game:
        world.begin(game, name="Edgehill")
    if before:
        world.write(power, before)
    check(world, power, world.write(power, text, subject), told, versions or "none")


def last(world: World, whom: str) -> dict[str, EmailMessage]:
    """The last mail of each kind that a power's player, or an address, got."""
    address = whom if "@" in whom else world.address_of(whom)
    return {mail["X-Legation"]: mail for mail in world.outbox.to(address)}


@pytest.mark.parametrize("steps", conversations().values(), ids=conversations())
def test_each_mail_of_a_conversation_is_told_what_becomes_of_it(world: World, steps: list[list[str]]) -> None:
    """``{answer}`` in a subject is that of the last answer, likewise of other kinds. An address writes to the common
    one, and is vouched for. Beside mails, a step is a game that is to ``begin``, or to gather players, with its
    settings, a ``person`` that signs up with the office, days to ``pass``, the last mail of a kind that somebody got
    (``France results``), how many of them (``0 France letter``), or the kinds of what waits on the ``desk``."""
    for who, subject, text, told, versions in steps:
        match who.split(" ", 1):
            case ["begin", variant]:
                world.begin(variant, **{"name": "Edgehill", **json.loads(text or "{}")})
            case ["create", name]:
                settings = json.loads(text or "{}")
                games.create(world.office, world.host, {"name": name, "variant": "hundred", "settings": settings})
            case ["person", name]:
                person(world.office, name)
            case ["pass", days]:
                world.passes(days=float(days))
            case ["desk"]:
                assert [item.kind for item in desk.items(world.office, Actor.console())] == told.split()
            case [("0" | "1" | "2" | "3" | "4") as number, whose]:
                power, kind = whose.split(" ", 1)
                assert len(world.outbox.to(world.address_of(power), kind)) == int(number), who
            case [whom, kind]:
                world.settle()
                mail = last(world, whom)[kind]
                check(world, whom, f"Subject: {mail['Subject']} {in_a_line(mail)}", told, versions)
            case [address] if "@" in address:
                world.deliver(world.vouched(address, text, subject))
                check(world, address, world.told(address), told, versions)
            case [power]:
                known = {kind: mail["Subject"] for kind, mail in last(world, power).items()}
                answer = world.write(power, text, subject.format_map(known))
                headed = f"Subject: {last(world, power)['answer']['Subject']} {answer}" if answer else ""
                check(world, power, headed, told, versions)
