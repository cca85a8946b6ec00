"""What ``docs/writing-rules.md`` shows, word for word: a rule with an order of its own, outside the package, played and
drawn."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from legation.atlas import for_variant
from legation.bots import BOTS, bot
from legation.game import DocumentError, Game, adjudicate, check_sheet, load_game, replay, save_game
from legation.game.report import turn_report
from legation.judge import Outcome, Rule, advance, has_business, legal_orders, resolve
from legation.notation import write
from legation.orders import Sheet, SupportHold
from legation.position import Phase, Turn
from legation.variants import Registry, VariantError, examples, load
from legation.web.public.live_turns import choice

DOCS = Path(__file__).parents[2] / "docs" / "writing-rules.md"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    text = DOCS.read_text(encoding="utf-8")
    blocks = {kind: re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL) for kind in ("python", "toml", "json")}
    assert [len(found) for found in blocks.values()] == [2, 2, 1]
    mine = tmp_path / "mine"
    (mine / "rules").mkdir(parents=True)
    for name, rule in zip(("digging_in.py", "treaties.py"), blocks["python"], strict=True):
        (mine / "rules" / name).write_text(rule)
    for name, variant in zip(("trenches.toml", "congress.toml"), blocks["toml"], strict=True):
        (mine / name).write_text(variant)
    (tmp_path / "turn.json").write_text(blocks["json"][0])
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("legation_rules_of_mine")]:
        del sys.modules[name]


def test_the_rule_is_played(folder: Path) -> None:
    variants = Registry(folder / "mine")
    answer = adjudicate(msgspec.json.decode((folder / "turn.json").read_bytes()), variants)
    found = {v["order"]: v["outcome"] for v in answer["verdicts"]}
    assert found == {"A bur digs in": "succeeds", "A mun - bur": "bounced", "A ruh S A mun - bur": "succeeds"}
    rules = variants.load("trenches")
    assert "Dig in" in examples(rules) and "Dig in" not in examples(load("standard"))
    assert rules.reader.order("A mar S A par digs in") == SupportHold("A", "mar", "A", "par")
    position = rules.opening()
    legal = [write(order) for order in legal_orders(rules, position)["France"]]
    assert "A par digs in" in legal and "F bre digs in" not in legal
    check = check_sheet(rules, position, "France", "Army Paris digs in\nF bre digs in\nA mar dig up")
    assert [e.problem.message if e.problem else e.order for e in check.entries] == [
        "A par digs in",
        "only armies dig in",
        "say 'digs in'",
    ]
    offered = [choice(rules, order) for order in legal_orders(rules, position)["France"]]
    assert ("digin", "par", "", "", "A par digs in", "Army Paris digs in") in offered
    with pytest.raises(ValueError, match="A par digs in"):
        load("standard").reader.order("A par digs in")


def test_its_games_are_kept(folder: Path) -> None:
    variants = Registry(folder / "mine")
    game = Game(variants.load("trenches"))
    game.play([])
    saved = save_game(game)
    again = load_game(saved, variants)
    assert again.position == game.position and not again.warnings


def test_it_is_drawn(folder: Path) -> None:
    variants = Registry(folder / "mine")
    assert for_variant("trenches", variants)
    legation(folder, "map turn.json -o x.svg")
    svg = (folder / "x.svg").read_text()
    assert ">digs in</text>" in svg and ">holds</text>" not in svg


def legation(folder: Path, command: str) -> str:
    """What a command of the page prints."""
    words = [sys.executable, "-m", "legation", "--variants", "mine", *command.split()]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


def test_the_commands_run(folder: Path) -> None:
    assert "An army that digs in holds with a strength of 2." in legation(folder, "rules trenches")
    assert "digs in" in legation(folder, "adjudicate turn.json --text")


def test_a_phase_of_ones_own_is_played(folder: Path) -> None:
    rules = Registry(folder / "mine").load("congress")
    game = Game(rules)
    assert str(game.position.turn) == "Spring 1901 Treaties"
    legal = legal_orders(rules, game.position)
    assert [write(order) for order in legal["France"]] == ["treaty with Germany"]
    check = check_sheet(rules, game.position, "France", "Treaty with Germany\ntreaty with France\nA mar - spa")
    assert [e.problem.message if e.problem else e.order for e in check.entries] == [
        "treaty with Germany",
        "a power has no treaty with itself",
        "a move is not ordered in treaties",
    ]
    made = game.play({"France": "treaty with Germany", "Germany": "treaty with France"})
    assert [str(v.outcome.value) for v in made.verdicts] == ["succeeds", "succeeds"]
    assert "France and Germany have a treaty." in turn_report(rules, made)
    moved = game.play({"France": "A bur - mun", "Germany": "A mun - tyr"})
    told = "A bur - mun is illegal: France is bound by its treaty with Germany"
    assert told in [verdict.explanation for verdict in moved.verdicts]
    assert not replay(save_game(game), Registry(folder / "mine"))[1]


def test_votes_and_what_is_illegal_have_their_verdicts_in_a_phase_of_ones_own(folder: Path) -> None:
    rules = Registry(folder / "mine").load("congress")
    position = rules.opening()
    orders = {"France": ["draw", "treaty with France"], "Germany": ["draw"]}
    sheets = [
        Sheet(power, tuple(rules.reader.order(text, position.turn.phase, power) for text in texts))
        for power, texts in orders.items()
    ]
    judged = resolve(rules, position, sheets)
    told = [(verdict.power, verdict.explanation) for verdict in judged.verdicts]
    assert ("France", "treaty with France is illegal: a power has no treaty with itself") in told
    assert [power for power, text in told if text == "draw succeeds"] == ["France", "Germany"]
    assert judged.ending is not None and judged.ending.kind == "draw"


def test_a_phase_with_nothing_to_order_is_passed_over(folder: Path) -> None:
    rules = Registry(folder / "mine").load("congress")
    opening = rules.opening()
    alone = msgspec.structs.replace(
        opening, turn=Turn.parse("Winter 1901 Adjustments"), units=opening.units_of("France"), owners={"mar": "France"}
    )
    assert str(advance(rules, alone)[0].turn) == "Spring 1902 Movement"
    both = msgspec.structs.replace(opening, turn=Turn.parse("Winter 1901 Adjustments"))
    assert str(advance(rules, both)[0].turn) == "Spring 1902 Treaties"
    assert not has_business(rules, alone, "Germany")


def test_retreats_follow_what_dislodges(folder: Path) -> None:
    text = (folder / "mine" / "congress.toml").read_text()
    torn = text.replace('"Spring Treaties", "Spring Movement"', '"Spring Movement", "Spring Treaties"')
    (folder / "mine" / "congress.toml").write_text(torn.replace("Spring 1901 Treaties", "Spring 1901 Movement"))
    with pytest.raises(VariantError, match="Spring 1901 Retreats comes after Spring 1901 Treaties"):
        Registry(folder / "mine").load("congress")


def test_a_slice_of_ones_own_is_checked(folder: Path) -> None:
    document = {"variant": "congress", "turn": "Spring 1901 Movement", "units": {}, "centers": {}}
    document["state"] = {"treaties": 3}
    with pytest.raises(DocumentError, match=r"state\.treaties: lists pairs of powers"):
        adjudicate(document, Registry(folder / "mine"))


def test_bots_play_a_phase_of_ones_own(folder: Path) -> None:
    rules = Registry(folder / "mine").load("congress")
    for name in BOTS:
        game = Game(rules)
        random = Random(name)
        for _ in range(12):
            sheets = [bot(name)(rules, game.position, power, random) for power in rules.powers]
            assert not [v for v in game.play(sheets).verdicts if v.outcome is Outcome.ILLEGAL]


def test_phases_are_one_object_for_each_name() -> None:
    assert Phase("Movement") is Phase.MOVEMENT is pickle.loads(pickle.dumps(Phase.MOVEMENT))
    assert copy.deepcopy(Phase.RETREATS) is Phase.RETREATS and Phase.named("retreat") is Phase.RETREATS
    with pytest.raises(ValueError, match="one word with a capital"):
        Phase("two words")
    with pytest.raises(AttributeError, match="never changed"):
        Phase.MOVEMENT.value = "x"


def test_the_manual_has_every_question() -> None:
    told = (DOCS.parent / "questions.md").read_text(encoding="utf-8")
    questions = [name for name, value in vars(Rule).items() if not name.startswith("_") and callable(value)]
    asked = [name for name in questions if name not in ("complete",)]
    assert len(asked) > 35
    assert [name for name in asked if f"`{name}`" not in told and f"def {name}(" not in told] == []
