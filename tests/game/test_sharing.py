"""What is shared between callers cannot be changed by any of them."""

import copy
import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from random import Random
from typing import Any

import msgspec
import pytest

from legation.bots.chance import plausible_sheets
from legation.bots.matches import random_game
from legation.frozen import Frozen, freeze, thaw
from legation.game import Game, adjudicate, load_game, position_document, read_task, save_game
from legation.judge import Ruleset, resolve
from legation.judge.chains import Chains
from legation.judge.made_orders import MadeOrders
from legation.judge.verdicts import Verdicts
from legation.notation import Reader, Writer, write
from legation.variants import load, names
from tests.sampling import some

TURNS = 6


def documents(rules: Ruleset) -> list[dict[str, Any]]:
    """Turns of a random game as documents with orders."""
    found = []
    for number, resolution in enumerate(random_game(rules, 5, TURNS)):
        document = position_document(rules, resolution.before)
        sheets = plausible_sheets(rules, resolution.before, Random(number))
        found.append({**document, "orders": {s.power: [write(o) for o in s.orders] for s in sheets}, "seed": "s"})
    return found


def spoil(value: Any) -> None:
    """Change everything in a document that can be changed."""
    if isinstance(value, dict):
        for entry in list(value.values()):
            spoil(entry)
        value.clear()
        value["spoiled"] = ["A par", 1]
    elif isinstance(value, list):
        for entry in value:
            spoil(entry)
        value[:] = ["spoiled"]


@pytest.mark.parametrize("name", some(names(), 4))
def test_a_spoiled_answer_changes_no_later_one(name: str) -> None:
    asked = json.dumps(documents(load(name)))
    told = [json.dumps(adjudicate(document)) for document in json.loads(asked)]
    for _ in range(2):
        for document, before in zip(json.loads(asked), told, strict=True):
            answer = adjudicate(document)
            assert json.dumps(answer) == before
            spoil(answer)
            spoil(document)
    game = Game(load(name), seed="s")
    game.play([])
    saved = json.dumps(save_game(game))
    spoil(save_game(game))
    assert json.dumps(save_game(game)) == saved
    given = json.loads(saved)
    loaded = load_game(given)
    spoil(given)
    assert json.dumps(save_game(loaded)) == saved


def changeable(value: Any, place: str, seen: set[int]) -> list[str]:
    """Where in a graph of objects something can be changed."""
    if id(value) in seen or value is None or isinstance(value, str | int | bytes | type | Enum):
        return []
    seen.add(id(value))
    if isinstance(value, Reader | Writer | Chains | MadeOrders):  # they keep what was worked out: it changes no answer
        return []
    found: list[str] = []
    if isinstance(value, Verdicts):
        return changeable(tuple(value), place, seen) + ([place] if hasattr(value, "__dict__") else [])
    if isinstance(value, list | set | bytearray) or (isinstance(value, dict) and type(value) is not Frozen):
        return [place]
    if isinstance(value, dict):
        for key, entry in value.items():
            found += changeable(entry, f"{place}[{key!r}]", seen)
    elif isinstance(value, tuple | frozenset):
        for number, entry in enumerate(value):
            found += changeable(entry, f"{place}[{number}]", seen)
    elif isinstance(value, msgspec.Struct):
        if not value.__struct_config__.frozen:
            found.append(place)
        for field in value.__struct_fields__:
            found += changeable(getattr(value, field), f"{place}.{field}", seen)
    elif hasattr(value, "__dict__") and not callable(value):
        for field, entry in vars(value).items():
            found += changeable(entry, f"{place}.{field}", seen)
        try:
            value.something_new = 1
        except AttributeError:
            pass
        else:
            found.append(place)
    return found


@pytest.mark.parametrize("name", some(names(), 4))
def test_rulesets_and_positions_are_frozen_all_the_way_down(name: str) -> None:
    rules = load(name)
    for resolution in random_game(rules, 3, 8):  # whatever is worked out late is there by now
        assert changeable(resolution, "resolution", set()) == []
    assert changeable(rules, "rules", set()) == []
    document = documents(rules)[-1]
    assert changeable(read_task(document).position, "position", set()) == []


def test_sixteen_threads_give_the_same_answers() -> None:
    asked = [document for name in names() for document in documents(load(name))]
    random = Random(1)
    told = [json.dumps(adjudicate(copy.deepcopy(document))) for document in asked]
    jobs = [(number, document) for number, document in enumerate(asked) for _ in range(3)]
    random.shuffle(jobs)

    def judge(job: tuple[int, dict[str, Any]]) -> bool:
        answer = adjudicate(job[1])
        same = json.dumps(answer) == told[job[0]]
        spoil(answer)
        return same

    with ThreadPoolExecutor(16) as threads:
        assert all(threads.map(judge, jobs))


def test_nothing_is_taken_from_what_is_shared() -> None:
    rules = load("standard")
    with pytest.raises(AttributeError, match="Ruleset is shared and cannot be changed"):
        del rules.name
    assert rules.name == "standard"


def test_frozen_data_is_copied_by_thawing_and_travels_between_processes() -> None:
    kept = freeze({"a": [{"b": {1}}], "c": Frozen(d=(1, 2))})
    assert pickle.loads(pickle.dumps(kept)) == copy.deepcopy(kept) == kept
    assert copy.copy(kept) is kept
    assert thaw(kept) == {"a": [{"b": frozenset([1])}], "c": {"d": [1, 2]}}
    assert hash(kept) == hash(freeze({"c": {"d": [1, 2]}, "a": [{"b": {1}}]}))
    for method, given in (
        ("update", ({},)),
        ("pop", ("a",)),
        ("setdefault", ("x", 1)),
        ("clear", ()),
        ("__setitem__", ("a", 1)),
        ("__delitem__", ("a",)),
        ("__ior__", ({},)),
    ):
        with pytest.raises(TypeError, match="cannot be changed"):
            getattr(kept, method)(*given)
    position = load("three-kingdoms").opening()
    assert pickle.loads(pickle.dumps(position)) == position
    rules = load("standard")
    assert resolve(rules, pickle.loads(pickle.dumps(rules.opening()))).after.turn.year == 1901
