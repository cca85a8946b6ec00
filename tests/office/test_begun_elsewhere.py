"""A game that another system began goes on in an office from where it stands: the journal says where it came from, its
proofs hold, and it can be taken over by a further office."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from legation.cli.app import office_group as commands
from legation.interop.tasks import ImportedGame, import_game
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.errors import ConflictError, InvalidInputError
from legation.office.game import journal, seats
from legation.office.hosting import exports, games, proofs
from legation.office.office import Office
from legation.office.operation import work
from legation.proofs.verifying import verify
from legation.variants import ListedVariants, Registry
from tests.interop import played
from tests.office.playing import person, send_all

CONSOLE = Actor.console()


@pytest.fixture(scope="module")
def moved() -> ImportedGame:
    return import_game([("short.json", played.FILES["mila.json"].encode())])


def begun(moved: ImportedGame, **changes: Any) -> dict[str, Any]:
    facts = {"source": moved.source, "file": moved.file, "turns": moved.turns, "position": moved.position}
    return {**facts, **changes}


def test_it_goes_on_from_where_it_stood(office: Office, clock: SimulatedClock, moved: ImportedGame) -> None:
    host, france = person(office, "Host"), person(office, "Fred")
    bots = dict.fromkeys(("Austria", "England", "Germany", "Italy", "Russia", "Turkey"), "bot:hold")
    plan = {"name": "Moved house", "variant": "standard", "seats": {**bots, "France": "fred@example.org"}}
    record = games.create(office, host, plan, begun(moved))
    assert record.state == "gathering"
    [told] = [line for line in journal.entries(office, CONSOLE, record.key) if line.kind == "imported"]
    assert "began elsewhere (MILA" in told.text
    [invited] = [mail for mail in office_mails(office) if mail == "fred@example.org"]
    assert invited
    seats.sign_up(office, france, record.key, ["France"])
    work.run_due(office)
    record = games.game(office, CONSOLE, record.key)
    assert record.turn is not None
    assert record.turn.name == "Fall 1901 Movement"
    assert "A bur" in games.position(office, CONSOLE, record.key)["units"]["France"]
    send_all(office, record, {"France": france}, 1)
    clock.advance(timedelta(days=8))
    work.run_due(office)
    assert exports.rebuild(office, CONSOLE, record.key) == []
    text = proofs.transcript(office, Actor.visitor(), record.key)
    report = verify(text.encode(), [office.public_key], [], office.variants)
    assert report.failures == []
    assert any(moved.file in line for line in report.told)
    lie = text.replace("A bur", "A gas", 1)
    assert verify(lie.encode(), [office.public_key], [], office.variants).failures


def office_mails(office: Office) -> list[str]:
    from legation.office.store.rows import MailingRow

    with office.store.transaction() as tx:
        return [row.address for row in tx.all(MailingRow)]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"file": "abc"}, "SHA-256"),
        ({"source": ""}, "source"),
        ({"turns": -1}, "turns"),
        ({"position": {"turn": "Fall 1901 Movement", "units": {"France": ["A nowhere"]}}}, "nowhere"),
        ({"more": 1}, "more"),
    ],
)
def test_what_cannot_be_gone_on_from_is_refused(
    office: Office, moved: ImportedGame, change: dict[str, Any], told: str
) -> None:
    with pytest.raises(InvalidInputError, match=told):
        games.create(office, person(office, "Host"), {"name": "X", "variant": "standard"}, begun(moved, **change))
    assert games.list_games(office, CONSOLE) == []


def test_a_game_in_fog_does_not_move(office: Office, moved: ImportedGame, tmp_path: Path) -> None:
    (tmp_path / "fog.toml").write_text('title = "Fog"\nextends = "standard"\n[rules.fog_of_war]\n')
    office.variants = ListedVariants(Registry(tmp_path), office.catalog)
    position = {key: value for key, value in moved.position.items() if key in ("turn", "units", "centers")}
    with pytest.raises(ConflictError, match="hidden information"):
        games.create(office, person(office, "Host"), {"name": "X", "variant": "fog"}, begun(moved, position=position))


def test_from_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mails.txt").write_text(played.FILES["mail.txt"])
    (tmp_path / "plan.toml").write_text('name = "From mails"\n[seats]\nFrance = "fred@example.org"\n')
    where = ["-C", str(tmp_path / "office")]
    (tmp_path / "none.txt").write_text("hello")
    result = CliRunner().invoke(commands, [*where, "import", str(tmp_path / "none.txt")])
    assert result.exit_code == 1
    assert "none.txt: holds no game; these are read: jDip" in result.output and "Traceback" not in result.output
    assert not (tmp_path / "office").exists(), "no office is made for what isn't a game"
    line = ["import", str(tmp_path / "mails.txt"), "--plan", str(tmp_path / "plan.toml")]
    result = CliRunner().invoke(commands, [*where, *line])
    assert result.exit_code == 0, result.output
    assert "goes on from Fall 1901 Movement" in result.output
    assert "Invited by mail: France." in result.output
