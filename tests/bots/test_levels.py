"""The bots of an office's seats: those that search are asked in a child, and lose a move where they fail."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from legation.bots import levels
from legation.bots.levels import BusyError, KeptRules, LostMoveError
from legation.children import ChildError, Children
from legation.judge import Ruleset
from legation.orders import Hold
from legation.variants import USUAL, Registry, load

RULES = load("hundred")


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> Children:
    """Children that load nothing first."""
    ready = threading.Event()
    ready.set()
    players = Children(most=1, seconds=1, megabytes=900)
    monkeypatch.setattr(levels, "PLAYERS", players)
    monkeypatch.setattr(levels, "prepare", lambda: ready)
    return players


def asked(function: str, rules: Ruleset = RULES, kept: KeptRules | None = None) -> list[str]:
    called = f"tests.bots.children_of_bots:{function}"
    return levels.ask_child(list[str], called, rules, rules.opening(), "France", "seed", lambda: kept or KeptRules())


@pytest.mark.long
def test_a_child_answers_and_whatever_a_bot_does_there_costs_its_move_alone(children: Children) -> None:
    assert asked("hold")[0].endswith(" H")
    for function, why in (
        ("think_forever", "it took too long"),
        ("remember_all", "it took too much memory"),
        ("fail", r"it failed \(ZeroDivisionError\)$"),  # and nothing of what it knew
    ):
        with pytest.raises(LostMoveError, match=why):
            asked(function)
    assert asked("hold")
    children.end()


def test_the_rules_are_those_of_the_game_or_none(children: Children, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variant that was changed comes with its content; one whose rules differ all the same is not played."""
    monkeypatch.setattr(levels, "_is_usual", lambda rules: False)
    with pytest.raises(LostMoveError, match="failed"):
        asked("hold", load("standard"), KeptRules(b"{}"))
    children.end()


def test_a_kept_variant_is_read_from_its_content() -> None:
    again = levels._rules("hundred", b"{}", KeptRules(USUAL.as_it_is("hundred").content()))
    assert again.digest == RULES.digest


@pytest.mark.parametrize("variant", ["trenches", "passes"])
def test_a_child_knows_rules_from_a_folder_outside_the_package(
    children: Children, manual_folder: Path, variant: str
) -> None:
    folder = manual_folder / "mine"
    registry = Registry(folder)
    rules, content = registry.load(variant), registry.as_it_is(variant).content()
    assert len(asked("hold", rules, KeptRules(content, (str(folder),)))) == 3
    children.end()


def test_a_level_is_asked_by_name_and_held_to_what_is_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [["A par H"], ["A lon H"], ["A par - mos"], ["what?"]]
    names: list[object] = []

    def ask_child(*given: object) -> list[str]:
        names.append(given[-1])
        return said.pop(0)

    monkeypatch.setattr(levels, "ask_child", ask_child)
    sheet = levels.ask("strong", RULES, RULES.opening(), "France", "seed")
    assert (names, sheet.orders) == (["strong"], (Hold("A", "par"),))
    for why in ("ValueError", "OrderTextError", "OrderTextError"):
        with pytest.raises(LostMoveError, match=f"failed .{why}"):
            levels.ask("beginner", RULES, RULES.opening(), "France", "seed")


def test_others_play_here_and_the_levels_where_the_lab_is(monkeypatch: pytest.MonkeyPatch) -> None:
    view = RULES.opening()
    assert levels.ask("dumbbot", RULES, view, "France", "x") == levels.ask("dumbbot", RULES, view, "France", "x")
    monkeypatch.setattr(levels, "find_spec", lambda name: None)
    assert levels.names() == ("dumbbot", "random", "hold")
    monkeypatch.setattr(levels, "find_spec", lambda name: name)
    assert levels.names()[: len(levels.LEVELS)] == levels.LEVELS


def test_who_asks_while_code_is_compiled_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "prepare", threading.Event)
    monkeypatch.setattr(levels, "PATIENCE", 0.0)
    with pytest.raises(BusyError, match="starting up"):
        asked("hold")


@pytest.mark.parametrize("error", [ChildError("time", "it took too long"), MemoryError()])
def test_code_that_could_not_be_prepared_leaves_nobody_waiting_and_is_prepared_by_the_next(
    monkeypatch: pytest.MonkeyPatch, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    calls: list[object] = []

    def call(*given: object, **_: object) -> bool:
        calls.append(given)
        if len(calls) == 1:
            raise error
        return True

    monkeypatch.setattr(levels.PLAYERS, "call", call)
    monkeypatch.setattr(levels, "_prepared", threading.Event())
    monkeypatch.setattr(levels, "_preparing", [])
    for prepared in (1, 2, 2):  # what was prepared once is prepared
        assert levels.prepare().wait(60)
        for thread in [*levels._preparing]:
            thread.join(60)
        assert len(calls) == prepared
    assert [record.getMessage() for record in caplog.records] == [f"bots are not prepared: {type(error).__name__}"]


@pytest.mark.parametrize("installed", [True, False])
def test_code_is_compiled_ahead_by_a_child_that_gives_way_and_ends(
    monkeypatch: pytest.MonkeyPatch, installed: bool
) -> None:
    made: list[Compiler] = []

    class Compiler(Children):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self.done: list[object] = [self.nice]
            made.append(self)

        def call(self, returns: Any, function: str, *_: object, seconds: float = 0) -> Any:
            self.done.append(function)
            raise ChildError("time", "it takes too long")

        def end(self) -> None:
            self.done.append("ended")
            super().end()

    monkeypatch.setattr(levels, "find_spec", lambda name: name if installed else None)
    monkeypatch.setattr(levels, "Children", Compiler)
    before = {*threading.enumerate()}
    levels.compile_ahead()
    for thread in {*threading.enumerate()} - before:
        thread.join(60)
    assert [pool.done for pool in made] == ([[19, levels.COMPILE, "ended"]] if installed else [])


def test_no_child_to_be_had_is_no_fault_of_the_bot(children: Children, monkeypatch: pytest.MonkeyPatch) -> None:
    def call(*_: object) -> None:
        raise ChildError("away", "all child processes are busy")

    monkeypatch.setattr(children, "call", call)
    with pytest.raises(BusyError, match="busy"):
        asked("hold")


@pytest.mark.longest
def test_the_levels_play_in_a_child() -> None:
    pytest.importorskip("numba", reason="the levels need the extra 'lab'")
    assert levels.prepare().wait(900)
    one, other = (levels.ask("strong", RULES, RULES.opening(), "France", "seed") for _ in range(2))
    assert one == other and one.orders
