"""What players' mails are told, and which versions of orders there are then: a mail in each row of ``answers.tsv``, and
several, one after another, in ``conversations.tsv``."""

from pathlib import Path

import pytest

from legation.office.context import Actor
from legation.office.desk import desk
from tests.mail.conftest import World


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


@pytest.mark.parametrize("steps", conversations().values(), ids=conversations())
def test_each_mail_of_a_conversation_is_told_what_becomes_of_it(world: World, steps: list[list[str]]) -> None:
    """``{}`` in a subject is that of the last answer. Beside mails of a power, a step is a game that is to ``begin``,
    days to ``pass``, the last mail of a kind that a power got (``France results``), how many of them it got (``0 France
    letter``), or the kinds of what waits on the ``desk``."""
    for who, subject, text, told, versions in steps:
        match who.split(" ", 1):
            case ["begin", variant]:
                world.begin(variant, name="Edgehill")
            case ["pass", days]:
                world.passes(days=float(days))
            case ["desk"]:
                assert [item.kind for item in desk.items(world.office, Actor.console())] == told.split()
            case [("0" | "1" | "2" | "3" | "4") as number, whose]:
                power, kind = whose.split(" ", 1)
                assert len(world.outbox.to(world.address_of(power), kind)) == int(number), who
            case [power, kind]:
                check(world, power, world.told(power, kind), told, versions)
            case [power]:
                last = world.outbox.to(world.address_of(power), "answer")[-1:]
                answer = world.write(power, text, subject.format(*(mail["Subject"] for mail in last)))
                check(world, power, answer, told, versions)
