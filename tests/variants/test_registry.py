"""Variants by name: what comes along, what is added, what packages install; and that a document opens no file."""

import json
import os
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest

from legation.atlas import for_variant
from legation.game import DocumentError, adjudicate
from legation.variants import Registry, VariantError, find_boards, load, load_file, names
from tests.cli.test_commands import run
from tests.variants.test_loader import VARIANT

BOARD = """
name = "strand"
title = "The Strand"
"""
RULE = '''
"""A rule of somebody else's."""

from legation.judge import Rule


class Tides(Rule):
    """Nothing moves at high water."""

    key = "tides"

    def __init__(self, height: int = 1) -> None:
        self.height = height

    def describe(self, rules):
        return (f"The tide is {self.height} high.",)
'''
TWICE = """

class Again(Tides):
    pass
"""
OWN = VARIANT.replace('name = "x"', "").replace('board = "standard"', 'board = "strand"')
OWN = OWN.replace("[rules.homes]", "[rules.homes]\n[rules.tides]\nheight = 3")


def furnish(folder: Path) -> None:
    """A folder with a board, a rule, and a variant that uses both."""
    board = folder / "strand"
    board.mkdir(parents=True)
    (board / "board.toml").write_text(BOARD)
    for file in find_boards()["standard"].glob("*.csv"):
        (board / file.name).write_bytes(file.read_bytes())
    (folder / "Ebb.toml").write_text(OWN)


def test_names_are_told_without_regard_to_capitals() -> None:
    assert load("Hundred") is load(" HUNDRED ") is load("hundred")
    answer = adjudicate({"variant": "Standard"})
    assert answer["variant"] == answer["after"]["variant"] == "standard"
    with pytest.raises(VariantError, match="did you mean 'three-kingdoms'"):
        load("Three Kingdoms")


def test_a_variant_is_loaded_once_for_all_threads() -> None:
    registry = Registry()
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(registry.load("hundred", {}))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 16
    assert len({id(rules) for rules in found}) == 1
    assert registry.load("hundred", {"waiving": False}).board is found[0].board is load("hundred").board


def test_what_a_document_says_opens_no_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.toml"
    secret.write_text("password = ")
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)  # to open it would wait for ever
    names = [str(secret), str(pipe), "../data/hundred.toml", "boards/hundred", "no/such.toml", ".toml", ".", "..", ""]
    for name in (*names, "\0", "x\0y.toml", "x" * 10_000, "x" * 10_000 + ".toml"):
        with pytest.raises(DocumentError) as caught:
            adjudicate({"variant": name})
        assert "password" not in str(caught.value)
        assert str(caught.value).startswith("unknown variant")
        assert len(str(caught.value)) < 400
    (tmp_path / "own.toml").write_text(VARIANT.replace('name = "x"', "").replace('"standard"', '"../../etc"'))
    with pytest.raises(VariantError, match="there is no board"):
        load_file(tmp_path / "own.toml")


def test_a_file_is_known_by_its_name_as_it_was_until_it_is_added_anew(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(VARIANT)
    registry = Registry()
    assert registry.add_file(path) == registry.add_file(path) == "x"
    assert adjudicate({"variant": "X"}, registry)["after"]["variant"] == "x"
    with pytest.raises(DocumentError):
        adjudicate({"variant": "x"})
    taken = tmp_path / "Hundred.toml"
    taken.write_text(VARIANT)
    with pytest.raises(VariantError, match="give this file another name"):
        registry.add_file(taken)
    name = registry.add_file(path)
    facts = registry.facts(name)
    for changed in ("title = [", VARIANT.replace("title = ", "title = 'New' # ")):
        path.write_text(changed)
        assert registry.facts(name) == facts
        assert registry.load(name).title == facts["title"]
        assert registry.as_it_is(name).facts["title"] == facts["title"]
    registry.add_file(path, replace=True)
    assert registry.facts(name)["title"] == registry.load(name).title == "New"
    assert registry.as_it_is(name).facts["title"] == "New"


def test_a_folder_brings_variants_boards_and_rules(tmp_path: Path) -> None:
    furnish(tmp_path)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "tides.py").write_text(RULE)
    registry = Registry(tmp_path)
    assert "Ebb" in registry.names()
    assert registry.boards()["strand"] == tmp_path / "strand" == registry.folder_of("ebb")
    rules = registry.load("ebb")
    assert rules.modules[-1].describe(rules) == ("The tide is 3 high.",)
    (tmp_path / "rules" / "waves.py").write_text(RULE)
    with pytest.raises(VariantError, match="there is a rule 'tides' already"):
        Registry(tmp_path)
    (tmp_path / "rules" / "waves.py").write_text(RULE.replace("tides", "waves") + TWICE)
    with pytest.raises(VariantError, match=r"waves\.py: \w+ and Again have one key, 'waves'"):
        Registry(tmp_path)
    (tmp_path / "rules" / "waves.py").write_text("1 / 0")
    with pytest.raises(VariantError, match=r"waves\.py: ZeroDivisionError"):
        Registry(tmp_path)
    with pytest.raises(VariantError, match="no such folder"):
        Registry(tmp_path / "nowhere")


def test_a_board_that_is_there_twice_or_faulty_is_told(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        furnish(tmp_path / folder)
    registry = Registry(tmp_path / "one")
    (tmp_path / "two" / "Ebb.toml").unlink()
    with pytest.raises(VariantError, match=r"there is a board 'strand' already, .*one/strand"):
        registry.add_folder(tmp_path / "two")
    with pytest.raises(VariantError, match="xx: there is no such folder"):
        registry.add_folder(tmp_path / ("x" * 5000))
    (tmp_path / "one" / "strand" / "land.csv").write_text("id,name\n")
    with pytest.raises(VariantError, match=r"Ebb\.toml: board 'strand': "):
        registry.load("ebb")


def install(place: Path, name: str, points: str) -> None:
    """What an installer leaves of a package: its files beside its record."""
    record = place / f"{name}-1.0.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (record / "entry_points.txt").write_text(points)


def test_installed_packages_bring_theirs_by_entry_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    furnish(tmp_path / "coastal_games")
    (tmp_path / "coastal_games" / "__init__.py").write_text("")
    (tmp_path / "coastal_games" / "tides.py").write_text(RULE)
    install(
        tmp_path,
        "coastal_games",
        "[legation.variants]\ncoastal = coastal_games\n[legation.rules]\ntides = coastal_games.tides\n",
    )
    install(tmp_path, "broken_games", "[legation.variants]\nbroken = broken_games_that_is_not_there\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    registry = Registry()
    assert registry.names() == sorted([*names(), "Ebb"])
    assert registry.troubles == [
        "the package broken_games: broken_games_that_is_not_there: "
        "ModuleNotFoundError: No module named 'broken_games_that_is_not_there'"
    ]
    assert Registry().load("ebb").board.title == "The Strand"
    assert adjudicate({"variant": "ebb"}, Registry())["turn"] == "Spring 1901 Movement"
    with pytest.raises(VariantError, match="unknown variant"):
        Registry(installed=False).load("ebb")
    install(tmp_path, "second_games", "[legation.rules]\nwaves = second_waves\n")
    (tmp_path / "second_waves.py").write_text(RULE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = run("variants", "--json")
    assert "Ebb" in [row["name"] for row in json.loads(done.stdout)]
    assert done.stderr.splitlines() == [
        "legation: the package second_games: second_waves: there is a rule 'tides' already, in coastal_games.tides",
        f"legation: {registry.troubles[0]}",
    ]


def test_the_command_line_turns_paths_into_names(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(VARIANT)
    document = tmp_path / "turn.json"
    document.write_text('{"variant": "x"}')
    told = run("adjudicate", str(document)).stderr
    assert "unknown variant 'x'" in told
    assert run("--variants", str(path), "adjudicate", str(document)).returncode == 0
    assert run("--variants", str(tmp_path), "adjudicate", str(document)).returncode == 0
    assert run("orders", str(path), str(document)).returncode == 0
    saved = tmp_path / "game.json"
    assert run("play", str(path), "--save", str(saved), given="\nquit\n").returncode == 0
    assert '"variant": "x"' in saved.read_text()
    assert run("play", str(path), "--resume", str(saved), given="quit\n").returncode == 0
    assert "unknown variant" in run("replay", str(saved)).stderr
    assert run("--variants", str(tmp_path), "replay", str(saved)).returncode == 0
    document.write_text('{"variant": "x.toml"}')
    assert "made known with 'legation --variants FILE'" in run("adjudicate", str(document)).stderr


def test_what_was_kept_is_loaded_and_drawn_from_memory_and_leaves_nothing_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    here = Registry()
    name = here.add_kept(here.as_it_is("hundred"))
    assert here.load(name).digest == load("hundred").digest
    opening = load("hundred").opening()
    assert for_variant(name, here).svg(opening) == for_variant("hundred").svg(opening)
    assert [*tmp_path.iterdir()] == []
    with pytest.raises(VariantError, match="no file of it is here"):
        here.file_of(name)


def test_an_unknown_variant_is_told_with_the_nearest_or_a_short_list_that_no_game_lengthens(tmp_path: Path) -> None:
    registry = Registry()

    def mend(name: str) -> str:
        with pytest.raises(VariantError) as caught:
            registry.load(name)
        return str(caught.value)

    before = mend("xyz")
    assert before == f"unknown variant 'xyz'; choose from {', '.join(registry.names())}"
    registry.add_kept(registry.as_it_is("hundred"))
    assert mend("xyz") == before
    assert mend("Hundrd") == "unknown variant 'Hundrd'; did you mean 'hundred'?"
    for number in range(30):
        (tmp_path / f"Own{number:02}.toml").write_text(VARIANT)
    registry.add_folder(tmp_path)
    assert mend("qqq").endswith(", Own10 and 24 more")
    assert mend("own_02") == "unknown variant 'own_02'; did you mean 'Own02'?"
