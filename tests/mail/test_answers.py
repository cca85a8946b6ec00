"""What a player's mail is told, and which versions of orders there are then: a mail in each row of ``answers.tsv``."""

from pathlib import Path

import pytest

from tests.mail.conftest import World

ROWS = Path(__file__).with_name("answers.tsv").read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.parametrize("row", ROWS)
def test_a_mail_is_told_what_becomes_of_it(world: World, row: str) -> None:
    """``told``: parts of the answer; with ``!`` what is not in it. Without a ``game``, Powick Bridge."""
    game, power, before, subject, text, told, versions = (cell.replace("\\n", "\n") for cell in row.split("\t"))
    if game:
        world.begin(game, name="Edgehill")
    if before:
        world.write(power, before)
    answer = world.write(power, text, subject)
    for part in filter(None, told.split(" | ")):
        assert (part.lstrip("!") in answer) is not part.startswith("!"), f"{part!r} in {answer!r}"
    assert [(kind, f"{version} {standing}") for version, kind, standing in world.versions(power)] == [
        ("text", version) for version in versions.split(", ") if version
    ]
