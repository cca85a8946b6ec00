"""Upgrades: a game goes on by the rules that it began under while these are at hand, and waits when they are not."""

import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from legation.atlas import for_variant
from legation.judge import Rule
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk
from legation.office.hosting import games, proofs
from legation.office.office import Office, open_office
from legation.office.operation import archive, doctor, work
from legation.office.orders import submissions
from legation.office.records import GameRecord
from legation.office.settings import Settings
from legation.office.store.rows import MailingRow
from legation.rules import add_version
from legation.variants import Registry, find_boards, read_kept
from legation.web import create_app
from legation.web.public.maps import map_of
from tests.office.playing import CONSOLE, begin, passes, stored

RULE = '''
from legation.judge import Rule


class Tides{version}(Rule):
    """A rule for tests: one province is flooded and cannot be entered."""

    key = "tides"
    version = {version}

    def refuses_entry(self, rules, position, unit, province):
        return "the water is high" if province == "{province}" else None
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of variants: the standard game on a board of its own, with a rule that keeps units out of Burgundy."""
    own = tmp_path / "own"
    shutil.copytree(find_boards()["standard"], own / "strand")
    board = own / "strand" / "board.toml"
    board.write_text(board.read_text().replace('name = "standard"', 'name = "strand"'))
    (own / "ebb.toml").write_text('extends = "standard"\nboard = "strand"\ntitle = "Ebb"\n[rules.tides]\n')
    (own / "rules").mkdir()
    (own / "rules" / "tides.py").write_text(RULE.format(version=1, province="bur"))
    return own


@pytest.fixture
def started(tmp_path: Path, clock: SimulatedClock, folder: Path) -> Callable[[], Office]:
    """The office as a program begins with it that was installed anew: everything is read again."""
    opened: list[Office] = []

    def start() -> Office:
        for office in opened:
            office.close()
        settings = Settings(settling=0, variants=str(folder))
        opened.append(open_office(tmp_path / "office", settings, clock, SeededRandomSource(f"office {len(opened)}")))
        return opened[-1]

    return start


def judge(
    office: Office, record: GameRecord, players: dict[str, Actor], clock: SimulatedClock, *orders: str
) -> list[str]:
    """What comes of France's orders at the end of the turn in which they are given."""
    submissions.submit(office, players["France"].by("api"), record.key, "France", "\n".join(orders))
    passes(office, clock, timedelta(hours=26))
    verdicts = games.result(office, CONSOLE, record.key).verdicts
    said = {v["order"]: str(v["outcome"]) for v in verdicts if v["power"] == "France"}
    return [said[order] for order in orders]


def change_rules(folder: Path, *, keep_older: bool) -> None:
    """Change the rule and the board; the rule's older version is kept in a file of its own, or is gone."""
    rules = folder / "rules"
    if keep_older:
        (rules / "tides_1.py").write_text((rules / "tides.py").read_text())
    (rules / "tides.py").write_text(RULE.format(version=2, province="pic"))
    borders = folder / "strand" / "borders.csv"
    kept = [line for line in borders.read_text().splitlines() if not line.startswith(("gas,mar", "mar,gas"))]
    borders.write_text("\n".join(kept) + "\n")


@pytest.mark.long
def test_a_running_game_keeps_its_rules_and_board_and_a_new_one_has_the_new(
    started: Callable[[], Office], clock: SimulatedClock, folder: Path
) -> None:
    office = started()
    record, players, boss = begin(office, "ebb", schedule="daily")
    assert judge(office, record, players, clock, "A par - bur") == ["illegal"]
    change_rules(folder, keep_older=True)
    office = started()
    assert judge(office, record, players, clock, "A par - bur", "A mar - gas") == ["illegal", "succeeds"]
    kept = games.game(office, boss, record.key)
    assert kept.state == "running" and kept.rules_digest == record.rules_digest
    assert kept.variant.startswith("ebb@") and kept.position is not None and kept.position["variant"] == "ebb"
    assert all(proof.holds for proof in proofs.verify(office, boss, record.key))
    new, others, _ = begin(office, "ebb", "Marston Moor", folk="New", schedule="daily")
    assert new.variant == "ebb"
    assert judge(office, new, others, clock, "A par - bur", "A mar - gas") == ["succeeds", "illegal"]
    page = TestClient(create_app(office), base_url="https://testserver")
    assert page.get(f"/games/{record.key}").status_code == 200
    assert page.get(f"/variants/{kept.variant}/rules").status_code == 200
    assert page.get(map_of(kept.variant, office.variants).address("board.svg")).status_code == 200
    assert kept.variant not in page.get("/variants").text and "ebb" in page.get("/variants").text


def test_a_game_whose_rules_are_not_at_hand_waits_and_is_told_and_resumed(
    started: Callable[[], Office], clock: SimulatedClock, folder: Path, tmp_path: Path
) -> None:
    office = started()
    record, players, boss = begin(office, "ebb", schedule="daily", coordinated=True)
    change_rules(folder, keep_older=False)
    office = started()
    submissions.submit(office, players["France"].by("api"), record.key, "France", "A par - bur")
    passes(office, clock, timedelta(hours=26))
    assert games.game(office, boss, record.key).state == "paused"
    assert [item.kind for item in desk.items(office, boss)] == ["rules changed"]
    told = {row.person for row in stored(office, MailingRow, kind="game paused")}
    assert told == {boss.person, *(actor.person for actor in players.values())}
    (tmp_path / "office" / "office.toml").write_text(f'variants = "{folder}"\n')
    (finding,) = [f for f in doctor.examine(tmp_path / "office") if f.name == "games"]
    assert not finding.good and "are not at hand any more" in finding.text
    assert archive.resume_all(office, CONSOLE, "the new rules are in force") == [record.key]
    work.run_due(office)
    again = games.game(office, boss, record.key)
    assert again.state == "running" and again.variant == "ebb" and again.rules_digest != record.rules_digest
    assert games.result(office, boss, record.key).verdicts


@pytest.mark.long
def test_what_is_kept_is_the_same_whatever_else_changes_and_judges_as_it_did() -> None:
    """Every variant of the project, from what is kept of it alone."""
    registry = Registry()
    for name in registry.names():
        kept = registry.as_it_is(name)
        again = Registry(installed=False)
        address = again.add_kept(read_kept(kept.content()))
        assert address == kept.address and address not in again.names() and again.knows(address)
        rules = again.load(address)
        assert rules.digest == registry.load(name).digest and rules.name == address
        assert for_variant(address, again).board_layer().digest == for_variant(name, registry).board_layer().digest


def test_of_several_versions_of_a_rule_the_newest_is_played() -> None:
    found: dict[str, type[Rule]] = {}
    older: dict[tuple[str, int], type[Rule]] = {}
    versions = [type(f"Tides{n}", (Rule,), {"key": "tides", "version": n}) for n in (2, 3, 1)]
    assert [add_version(kind, found, older) for kind in versions] == [None, None, None]
    assert found == {"tides": versions[1]}
    assert older == {("tides", 2): versions[0], ("tides", 1): versions[2]}
    again = type("Again", (Rule,), {"key": "tides", "version": 1})
    assert add_version(again, found, older) is versions[2]
